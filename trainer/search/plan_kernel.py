"""The search for one plan over many layouts, in integers only.

South does not know which of several hands North holds, and commits to one plan; North sees every
card and answers the plan as well as he can in each layout. What South can make is a *ladder* of
game points, each rung of which is a race of :mod:`trainer.search.kernel`. The values of layouts are
therefore nested bit sets: for every rung the layouts in which it is reached. The lesser of two
values is the common part of the sets, and a value is no better than another if it lies within it.

For every information set the search keeps the plans that no other plan equals or beats in every
layout, as long as they lose no more against seeing every card than a better plan still may
(``LOSS``, in game points over all layouts). It is written without recursion: its frames lie in
``room``, so it can pause at any time and go on (:func:`run`). It keeps to the subset of Python that
numba compiles, as the kernel does.

Two kinds of frames take turns. *Replies*: South has moved, and what North can do before South's
next choice leads to information sets, each a record with its layouts and the table of South's
moves. A plan answers all of them and is worth the least of them, layout by layout. *Choice*: South
chooses among the moves of one record.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from trainer.search.kernel import (
    GOAL,
    KING_SHIFT,
    LOWEST,
    MARRIAGE,
    MARRIAGE_LATE,
    QUEEN_SHIFT,
    RANK_VALUES,
    ROYAL,
    Ints,
    Memory,
    beating,
    gain,
    highest_of_equals,
    kept_apart,
    lowest_of_equals,
    marriages,
    may_exchange,
    played_out,
    race,
    replies,
    within,
)

Room = MutableSequence[int]

BITS = 62
"""Layouts to a word of a bit set; a word is never negative."""

RUNGS, CLOSED, STOCK_LEFT, DRAWN, LADDER = range(5)
"""What ``game`` holds: the number of rungs; who closed (1 South, 2 North); the cards of the stock,
and how many of those in ``facts`` are drawn; then for each rung from the lowest whether South
attacks, the race's ``closed`` and ``level``, and the game points between it and the one below."""
RUNG = 4

FRAME, COUNT, WORK, GREEDY, HURRY, SHORT, NODES = range(7)
"""Registers: the frame at work, -1 when all is done; how many vectors the last frame has left at
its place; the work allowed, counted down; whether one plan is enough for every information set;
whether frames give up at once; the room that was missing, 0 if none; the frames made so far."""
REGISTERS = 7

OWN, MINE, THEIRS, LED, UP, TURN = range(6)
"""The public state, at the head of frames, records and moves: South's hand, the points of South
and of North, the card led, the turn-up, and who is to move or, with no card left, won the last
trick."""
SOUTH, NORTH, HOME = range(3)
"""Values of TURN; HOME is South's announcement."""
STATE = 6

LEAST, TABLE = 6, 7
"""Of a move: the game points it loses over all layouts of its record; its bit sets."""

SIZE, HANDS, INDEX, MOVES, END, RATED, BEST, DONE, PROBE, NEXT, RECORD = range(6, 17)
"""Of a record: how many layouts, where their hands lie and their numbers in the frame; where its
moves lie and end; how many layouts are rated; the least that a move loses, or more than any plan is
known to lose at least; whether its plans are found; how far the question is whether a plan loses
nothing (``ASKING``, ``ASKED``); the next record in the order of search; the length of the head."""
ASKING, ASKED = 1, 2

PARENT, KIND, LOSS, MASK, CAPS, TOP, FIRST, ACC, ACC_COUNT, AT, TRIED, TAKEN, KEPT, HEAD = range(
    8, 22
)
"""Of a frame, after its state, ``SIZE`` and ``HANDS``: the frame below; its kind; what a plan may
lose; the layouts whose values matter one by one; what the layouts can bring at most; where its room
ends; the first record in order; the plans found so far and their number; the record or the move at
work; moves tried; how many of the plans left by the frame above are taken, and kept."""
FRESH, RATING, REPLIES, CHOICE = range(4)
"""Values of KIND. A frame of replies is fresh until its records are made, and then rates them."""
CHUNK = 64
"""Layouts that are rated in one step."""


def words(layouts: int) -> int:
    """Return the words of a set of so many layouts."""
    return (layouts + BITS - 1) // BITS


def bit_count(word: int) -> int:
    """Return the number of bits set in a word."""
    word -= word >> 1 & 0x5555555555555555
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    return word + (word >> 32) & 0x7F


def reaches(
    rung: int,
    south: int,
    north: int,
    mine: int,
    theirs: int,
    led: int,
    turn: int,
    up: int,
    game: Ints,
    facts: Ints,
    memory: Memory,
) -> bool:
    """Return whether South reaches a rung of the ladder when every card is seen."""
    at = LADDER + RUNG * rung
    attacks = game[at] == 1
    closed = game[at + 1]
    level = game[at + 2]
    undrawn = game[STOCK_LEFT] < 0
    drawn = game[DRAWN]
    if not within(theirs if attacks else mine, level, facts):
        return not attacks
    if not south and not north and not led:
        if turn == SOUTH:
            won = played_out(mine, theirs, attacks, closed, level, game[STOCK_LEFT], facts)
        else:
            won = played_out(theirs, mine, not attacks, closed, level, game[STOCK_LEFT], facts)
    elif turn == SOUTH:
        won = race(
            south, north, mine, theirs, led, attacks, closed, level, undrawn, drawn,
            up, facts, memory,
        )  # fmt: skip
    else:
        won = race(
            north, south, theirs, mine, led, not attacks, closed, level, undrawn, drawn,
            up, facts, memory,
        )  # fmt: skip
    return won == attacks


def announced(rung: int, theirs: int, game: Ints, facts: Ints) -> bool:
    """Return whether South reaches a rung by announcing."""
    at = LADDER + RUNG * rung
    return game[at] == 0 or (game[at + 1] != 3 and within(theirs, game[at + 2], facts))


def loss(caps: int, values: int, size: int, room: Room, game: Ints) -> int:
    """Return what a value vector loses against another, in game points over all layouts.

    Both are told by where they lie; ``size`` is the words of one of their sets.
    """
    total = 0
    for rung in range(game[RUNGS]):
        layouts = 0
        for word in range(rung * size, rung * size + size):
            layouts += bit_count(room[caps + word] & ~room[values + word])
        total += layouts * game[LADDER + RUNG * rung + 3]
    return total


def covers(one: int, other: int, mask: int, size: int, rungs: int, room: Room) -> bool:
    """Return whether a plan makes another one superfluous.

    It does if it is nowhere worse in the layouts of the mask, and loses no more in the others.
    """
    outside = size * rungs + 1
    if room[one + outside] > room[other + outside]:
        return False
    for rung in range(rungs):
        for word in range(size):
            at = rung * size + word
            if room[other + at] & ~room[one + at] & room[mask + word]:
                return False
    return True


def weigh(plan: int, caps: int, mask: int, size: int, room: Room, game: Ints) -> int:
    """Write after the sets of a plan what it loses, in all and outside the mask; return the first.

    In game points over all layouts, against ``caps``.
    """
    total = 0
    inside = 0
    for rung in range(game[RUNGS]):
        everywhere = 0
        masked = 0
        for word in range(size):
            at = rung * size + word
            lost = room[caps + at] & ~room[plan + at]
            if lost:
                everywhere += bit_count(lost)
                masked += bit_count(lost & room[mask + word])
        total += everywhere * game[LADDER + RUNG * rung + 3]
        inside += masked * game[LADDER + RUNG * rung + 3]
    room[plan + size * game[RUNGS]] = total
    room[plan + size * game[RUNGS] + 1] = total - inside
    return total


def insert(plan: int, first: int, count: int, mask: int, size: int, rungs: int, room: Room) -> int:
    """Add a plan to those that lie at ``first``, and return how many they are then.

    It is not added if one of them makes it superfluous; those that it makes superfluous go.
    """
    stride = size * rungs + 2
    for number in range(count):
        if covers(first + number * stride, plan, mask, size, rungs, room):
            return count
    kept = 0
    for number in range(count):
        old = first + number * stride
        if not covers(plan, old, mask, size, rungs, room):
            if kept < number:
                for word in range(stride):
                    room[first + kept * stride + word] = room[old + word]
            kept += 1
    for word in range(stride):
        room[first + kept * stride + word] = room[plan + word]
    return kept + 1


def with_marriage(points: int, worth: int) -> int:
    """Return a side's points after declaring a marriage."""
    return points - worth if points <= 0 else gain(points, worth)


def clear(record: int, room: Room) -> None:
    """Empty the fields of a record that tell how far the search is."""
    for field in range(MOVES, RECORD):
        room[record + field] = 0


def expand(record: int, top: int, room: Room, game: Ints, facts: Ints) -> int:
    """Write the records that follow a record in which North is to move, and return their end.

    Each is one choice of North's, an exchange and a declaration before the card included, with the
    layouts in which he has it. Where a single layout is left South knows every card, and needs no
    record; nor does he with no choice left. Returns -1 if the room is too small.
    """
    own, mine, theirs = room[record + OWN], room[record + MINE], room[record + THEIRS]
    led, size = room[record + LED], room[record + SIZE]
    hands, index = room[record + HANDS], room[record + INDEX]
    lowest = facts[LOWEST]
    stock_left = game[STOCK_LEFT]
    exchanges = 1
    if may_exchange(theirs, False, game[CLOSED], False, led, stock_left, facts):
        exchanges = 2
    for exchange in range(exchanges):
        up = lowest if exchange else room[record + UP]
        union = 0
        for number in range(size):
            if not exchange:
                union |= room[hands + number]
            elif room[hands + number] & lowest:
                union |= room[hands + number] ^ lowest | room[record + UP]
        declarations = 2 if not led and facts[MARRIAGE_LATE] else 1
        while union:
            bit = union.bit_length() - 1
            card = 1 << bit
            union ^= card
            for declared in range(declarations):
                if declared and not card & (15 << facts[KING_SHIFT] | 15 << facts[QUEEN_SHIFT]):
                    continue
                if top + RECORD + 2 * size > len(room):
                    return -1
                into = top + RECORD
                count = 0
                for number in range(size):
                    hand = room[hands + number]
                    if exchange:
                        if not hand & lowest:
                            continue
                        hand = hand ^ lowest | room[record + UP]
                    if not hand & card:
                        continue
                    if led and not replies(hand, led, False, facts) & card:
                        continue
                    if declared and not marriages(hand, facts) >> (bit & 3) & 1:
                        continue
                    room[into + count] = hand ^ card
                    room[into + size + count] = room[index + number]
                    count += 1
                if count < 2:
                    continue
                for number in range(count):
                    room[into + count + number] = room[into + size + number]
                new_mine, new_theirs, new_led, turn = mine, theirs, card, SOUTH
                if declared:
                    new_theirs = with_marriage(theirs, facts[MARRIAGE] if bit & 3 else facts[ROYAL])
                if led:
                    new_led = 0
                    points = facts[RANK_VALUES + (led.bit_length() - 1 >> 2)]
                    points += facts[RANK_VALUES + (bit >> 2)]
                    if card & beating(led, facts):
                        new_theirs = gain(theirs, points)
                        turn = NORTH
                    else:
                        new_mine = gain(mine, points)
                    if not own:
                        continue
                exchangeable = own & lowest and may_exchange(
                    new_mine, True, game[CLOSED], False, new_led, stock_left, facts
                )
                one_card = turn == SOUTH and not own & (own - 1)
                if one_card and new_mine < facts[GOAL] and not exchangeable:
                    continue
                room[top + OWN] = own
                room[top + MINE] = new_mine
                room[top + THEIRS] = new_theirs
                room[top + LED] = new_led
                room[top + UP] = up
                room[top + TURN] = turn
                room[top + SIZE] = count
                room[top + HANDS] = into
                room[top + INDEX] = into + count
                clear(top, room)
                top = into + 2 * count
    return top


def add_move(
    at: int,
    own: int,
    mine: int,
    theirs: int,
    led: int,
    up: int,
    turn: int,
    step: int,
    room: Room,
) -> None:
    """Write the state after a move of South's, and an empty table of ``step`` integers in all."""
    room[at + OWN] = own
    room[at + MINE] = mine
    room[at + THEIRS] = theirs
    room[at + LED] = led
    room[at + UP] = up
    room[at + TURN] = turn
    for word in range(STATE, step):
        room[at + word] = 0


def list_moves(record: int, top: int, room: Room, game: Ints, facts: Ints) -> int:
    """Write the states after South's moves in a record, and return their end.

    A move is an announcement, or a card with the exchange and the declaration that come before it.
    A marriage that can be declared is. Of cards that nothing out can tell apart one is enough.
    Returns -1 if the room is too small.
    """
    mine, theirs, led = room[record + MINE], room[record + THEIRS], room[record + LED]
    size, hands = room[record + SIZE], room[record + HANDS]
    stock_left = game[STOCK_LEFT]
    lowest = facts[LOWEST]
    step = TABLE + words(size) * game[RUNGS]
    if top + 16 * step > len(room):
        return -1
    exchanges = 1
    if room[record + OWN] & lowest and may_exchange(
        mine, True, game[CLOSED], False, led, stock_left, facts
    ):
        exchanges = 2
    out = room[record + UP] if stock_left else 0
    for number in range(size):
        out |= room[hands + number]
    home = False
    for exchange in range(exchanges):
        own = room[record + OWN]
        up = room[record + UP]
        if exchange:
            own ^= lowest | up
            up = lowest
        if not led:
            pairs = marriages(own, facts) if facts[MARRIAGE_LATE] else 0
            most = mine
            if pairs and mine > 0:
                most = max(
                    gain(mine, facts[ROYAL]) if pairs & 1 else 0,
                    gain(mine, facts[MARRIAGE]) if pairs & 14 else 0,
                )
            if most >= facts[GOAL] and not home:
                home = True
                add_move(top, own, most, theirs, led, up, HOME, step, room)
                top += step
            rest = own
            while rest:
                bit = rest.bit_length() - 1
                card = 1 << bit
                rest ^= card
                points = mine
                if card & (pairs << facts[KING_SHIFT] | pairs << facts[QUEEN_SHIFT]):
                    points = with_marriage(mine, facts[MARRIAGE] if bit & 3 else facts[ROYAL])
                add_move(top, own ^ card, points, theirs, card, up, NORTH, step, room)
                top += step
        else:
            legal = replies(own, led, False, facts)
            wins = legal & beating(led, facts)
            kept = kept_apart(own, out, False, game[DRAWN], up, stock_left, facts)
            value = facts[RANK_VALUES + (led.bit_length() - 1 >> 2)]
            winning = highest_of_equals(wins, out, kept, facts)
            rest = winning | lowest_of_equals(legal & ~wins, out, kept, facts)
            while rest:
                bit = rest.bit_length() - 1
                card = 1 << bit
                rest ^= card
                points = value + facts[RANK_VALUES + (bit >> 2)]
                if card & winning:
                    add_move(top, own ^ card, gain(mine, points), theirs, 0, up, SOUTH, step, room)
                else:
                    add_move(top, own ^ card, mine, gain(theirs, points), 0, up, NORTH, step, room)
                top += step
    return top


def rate_layouts(
    record: int,
    caps: int,
    size: int,
    reg: Room,
    room: Room,
    game: Ints,
    facts: Ints,
    memory: Memory,
) -> None:
    """Rate South's moves in some more layouts of a record.

    For every move its table tells the layouts in which it reaches each rung, seeing every card, up
    to what ``caps`` allow; ``size`` is the words of a set there.
    """
    index, hands = room[record + INDEX], room[record + HANDS]
    own_size = words(room[record + SIZE])
    step = TABLE + own_size * game[RUNGS]
    moves, end = room[record + MOVES], room[record + END]
    last = min(room[record + RATED] + CHUNK, room[record + SIZE])
    for number in range(room[record + RATED], last):
        word, bit = number // BITS, 1 << number % BITS
        cap_word, cap_bit = room[index + number] // BITS, 1 << room[index + number] % BITS
        cap = 0
        while cap < game[RUNGS] and room[caps + cap * size + cap_word] & cap_bit:
            cap += 1
        for move in range(moves, end, step):
            best = cap
            while best:
                if room[move + TURN] == HOME:
                    found = announced(best - 1, room[move + THEIRS], game, facts)
                else:
                    found = reaches(
                        best - 1, room[move + OWN], room[hands + number], room[move + MINE],
                        room[move + THEIRS], room[move + LED], room[move + TURN], room[move + UP],
                        game, facts, memory,
                    )  # fmt: skip
                if found:
                    break
                best -= 1
                room[move + LEAST] += game[LADDER + RUNG * best + 3]
            for rung in range(best):
                room[move + TABLE + rung * own_size + word] |= bit
    reg[WORK] -= (last - room[record + RATED]) * ((end - moves) // step)
    room[record + RATED] = last
    least = room[moves + LEAST]
    for move in range(moves, end, step):
        least = min(least, room[move + LEAST])
    room[record + BEST] = least


def least_loss(
    record: int, caps: int, size: int, used: int, at: int, room: Room, game: Ints
) -> int:
    """Return the least that one move of a record loses in the layouts that are not ``used``.

    Against ``caps``, told in the numbering of the frame, as ``used`` is; ``at`` is room to work in.
    """
    own_size = words(room[record + SIZE])
    length = own_size * game[RUNGS]
    if not top_bits(record, caps, size, used, at, room, game):
        return 0
    least = -1
    for move in range(room[record + MOVES], room[record + END], TABLE + length):
        lost = loss(at, move + TABLE, own_size, room, game)
        if least < 0 or lost < least:
            least = lost
        if least == 0:
            break
    return least


def top_bits(record: int, caps: int, size: int, used: int, at: int, room: Room, game: Ints) -> bool:
    """Write what ``caps`` are in the numbering of a record, 0 for layouts that are ``used``.

    With ``used`` below 0 none is. Returns whether any layout can bring anything.
    """
    count, index = room[record + SIZE], room[record + INDEX]
    own_size = words(count)
    rungs = game[RUNGS]
    for word in range(own_size * rungs):
        room[at + word] = 0
    any_left = False
    for number in range(count):
        word, bit = room[index + number] // BITS, 1 << room[index + number] % BITS
        if used >= 0 and room[used + word] & bit:
            continue
        for rung in range(rungs):
            if not room[caps + rung * size + word] & bit:
                break
            room[at + rung * own_size + number // BITS] |= 1 << number % BITS
            any_left = True
    return any_left


def mark(record: int, used: int, room: Room) -> None:
    """Add the layouts of a record to the set ``used``."""
    for number in range(room[record + SIZE]):
        layout = room[room[record + INDEX] + number]
        room[used + layout // BITS] |= 1 << layout % BITS


def rest_loss(frame: int, caps: int, used: int, at: int, room: Room, game: Ints) -> int:
    """Return what the records not done yet lose at least, in layouts that are not ``used``.

    Each layout is charged to one record only, so the sum holds whatever the plans are. ``used`` is
    written to.
    """
    size = words(room[frame + SIZE])
    total = 0
    record = room[frame + FIRST]
    while record:
        if not room[record + DONE] and room[record + BEST]:
            lost = least_loss(record, caps, size, used, at, room, game)
            if lost:
                total += lost
                mark(record, used, room)
        record = room[record + NEXT]
    return total


def open_frame(
    at: int,
    state: int,
    size: int,
    hands: int,
    caps: int,
    allowed: int,
    mask: int,
    parent: int,
    reg: Room,
    room: Room,
) -> None:
    """Begin a frame of replies at a place, for a state that is told by where it lies."""
    for field in range(STATE):
        room[at + field] = room[state + field]
    room[at + SIZE] = size
    room[at + HANDS] = hands
    room[at + PARENT] = parent
    room[at + KIND] = FRESH
    room[at + LOSS] = allowed
    room[at + MASK] = mask
    room[at + CAPS] = caps
    room[at + TOP] = at + HEAD
    reg[FRAME] = at
    reg[NODES] += 1


def open_choice(
    at: int, frame: int, record: int, allowed: int, mask: int, acc: int, reg: Room, room: Room
) -> None:
    """Begin the choice of a record. What the layouts can bring is written after its head."""
    room[at + SIZE] = room[record + SIZE]
    room[at + HANDS] = room[record + HANDS]
    room[at + PARENT] = frame
    room[at + KIND] = CHOICE
    room[at + LOSS] = allowed
    room[at + MASK] = mask
    room[at + CAPS] = at + HEAD
    room[at + ACC] = acc
    room[at + ACC_COUNT] = 0
    room[at + TOP] = acc
    room[at + AT] = 0
    room[at + TRIED] = 0
    room[at + TAKEN] = 0
    room[frame + AT] = record
    reg[FRAME] = at


def close_frame(frame: int, count: int, reg: Room, room: Room, game: Ints) -> None:
    """End a frame: leave its vectors where it lay, and go on with the frame below."""
    stride = words(room[frame + SIZE]) * game[RUNGS] + 2
    first = room[frame + ACC]
    reg[FRAME] = room[frame + PARENT]
    reg[COUNT] = count
    for word in range(count * stride):
        room[frame + word] = room[first + word]


def begin_replies(
    frame: int,
    reg: Room,
    room: Room,
    game: Ints,
    facts: Ints,
) -> None:
    """Make the records of a fresh frame."""
    count = room[frame + SIZE]
    size = words(count)
    length = size * game[RUNGS]
    caps = room[frame + CAPS]
    root = frame + HEAD
    if root + RECORD + 2 * count + length + 2 > len(room):
        reg[SHORT] = 1
        return
    if reg[HURRY]:
        give_up(frame, reg, room, game)
        return
    live = 0
    for number in range(count):
        if room[caps + number // BITS] & 1 << number % BITS:
            room[root + RECORD + live] = room[room[frame + HANDS] + number]
            room[root + RECORD + count + live] = number
            live += 1
    for field in range(STATE):
        room[root + field] = room[frame + field]
    room[root + SIZE] = live
    room[root + HANDS] = root + RECORD
    room[root + INDEX] = root + RECORD + live
    clear(root, room)
    for number in range(live):
        room[root + RECORD + live + number] = room[root + RECORD + count + number]
    end = root + RECORD + 2 * live
    record = root
    while record < end and live > 1:
        if room[record + TURN] == NORTH:
            end = expand(record, end, room, game, facts)
            if end < 0:
                reg[SHORT] = 1
                return
        record += RECORD + 2 * room[record + SIZE]
    room[frame + FIRST] = 0
    room[frame + AT] = root if live > 1 else end
    room[frame + ACC] = end
    room[frame + TOP] = end
    room[frame + KIND] = RATING


def rate_record(frame: int, reg: Room, room: Room, game: Ints, facts: Ints, memory: Memory) -> None:
    """Go on with rating the moves of a frame's records; close it if one loses too much."""
    size = words(room[frame + SIZE])
    length = size * game[RUNGS]
    top = room[frame + TOP]
    record = room[frame + AT]
    if reg[HURRY]:
        give_up(frame, reg, room, game)
    elif record == room[frame + ACC]:
        if top + size + length + 2 > len(room):
            reg[SHORT] = 1
            return
        first = top + size
        room[frame + ACC] = first
        room[frame + ACC_COUNT] = 1
        for word in range(length):
            room[first + word] = room[room[frame + CAPS] + word]
        room[first + length] = 0
        room[first + length + 1] = 0
        room[frame + TOP] = first + length + 2
        room[frame + KIND] = REPLIES
        room[frame + AT] = 0
        room[frame + TAKEN] = 0
        room[frame + KEPT] = 0
    elif room[record + TURN] == NORTH:
        room[frame + AT] = record + RECORD + 2 * room[record + SIZE]
    elif not room[record + RATED] and not room[record + MOVES]:
        end = list_moves(record, top, room, game, facts)
        if end < 0:
            reg[SHORT] = 1
            return
        room[record + MOVES] = top
        room[record + END] = end
        room[frame + TOP] = end
    elif room[record + RATED] < room[record + SIZE]:
        rate_layouts(record, room[frame + CAPS], size, reg, room, game, facts, memory)
        if room[record + BEST] > room[frame + LOSS]:
            close_frame(frame, 0, reg, room, game)
    else:
        room[record + PROBE] = ASKED if room[record + BEST] else 0
        file_record(frame, record, room)
        room[frame + AT] = record + RECORD + 2 * room[record + SIZE]


def give_up(frame: int, reg: Room, room: Room, game: Ints) -> None:
    """Close a frame with the plan of which nothing is known: any, at the foot of the ladder."""
    size = words(room[frame + SIZE])
    length = size * game[RUNGS]
    plan = frame + HEAD
    for word in range(length):
        room[plan + word] = 0
    lost = loss(room[frame + CAPS], plan, size, room, game)
    room[frame + ACC] = plan
    close_frame(frame, 1 if lost <= room[frame + LOSS] else 0, reg, room, game)


def file_record(frame: int, record: int, room: Room) -> None:
    """Put a record into its place in the order of search: those that lose most first."""
    before = 0
    other = room[frame + FIRST]
    while other and (
        room[other + BEST] > room[record + BEST]
        or (room[other + BEST] == room[record + BEST] and room[other + SIZE] >= room[record + SIZE])
    ):
        before = other
        other = room[other + NEXT]
    room[record + NEXT] = other
    if before:
        room[before + NEXT] = record
    else:
        room[frame + FIRST] = record


def next_record(frame: int, reg: Room, room: Room, game: Ints) -> None:
    """Open the choice of the next record of a frame of replies, or close the frame."""
    rungs = game[RUNGS]
    size = words(room[frame + SIZE])
    length = size * rungs
    record = room[frame + FIRST]
    if not reg[GREEDY]:
        while record and room[record + PROBE]:
            record = room[record + NEXT]
        if record and room[room[frame + FIRST] + NEXT]:
            own_size = words(room[record + SIZE])
            at = room[frame + TOP]
            mask = at + HEAD + 2 * own_size * rungs
            if mask + own_size > len(room):
                reg[SHORT] = 1
                return
            for word in range(own_size):
                room[mask + word] = 0
            room[record + PROBE] = ASKING
            top_bits(record, room[frame + CAPS], size, -1, at + HEAD, room, game)
            open_choice(at, frame, record, 0, mask, mask + own_size, reg, room)
            return
    record = room[frame + FIRST]
    while record and room[record + DONE]:
        record = room[record + NEXT]
    if not record:
        close_frame(frame, room[frame + ACC_COUNT], reg, room, game)
        return
    own_size = words(room[record + SIZE])
    own_length = own_size * rungs
    at = room[frame + TOP]
    mask = at + HEAD + 2 * own_length
    join = mask + own_size
    used = join + length
    spare = used + size
    if spare + length > len(room):
        reg[SHORT] = 1
        return
    first, known = room[frame + ACC], room[frame + ACC_COUNT]
    shared = first - size
    for word in range(size):
        room[used + word] = 0
        room[shared + word] = room[room[frame + MASK] + word]
    for word in range(length):
        room[join + word] = room[first + word]
    room[record + DONE] = 1
    if not reg[GREEDY]:
        other = room[frame + FIRST]
        while other:
            if not room[other + DONE]:
                mark(other, shared, room)
            other = room[other + NEXT]
    for number in range(1, known):
        for word in range(length):
            room[join + word] |= room[first + number * (length + 2) + word]
    for word in range(size):
        room[spare + word] = room[shared + word]
    for number in range(known):
        for word in range(length):
            room[spare + word % size] |= (
                room[join + word] & ~room[first + number * (length + 2) + word]
            )
    for word in range(own_size):
        room[mask + word] = 0
    for number in range(room[record + SIZE]):
        layout = room[room[record + INDEX] + number]
        if room[spare + layout // BITS] & 1 << layout % BITS:
            room[mask + number // BITS] |= 1 << number % BITS
    mark(record, used, room)
    allowed = room[frame + LOSS] - loss(room[frame + CAPS], join, size, room, game)
    allowed -= rest_loss(frame, join, used, spare, room, game)
    top_bits(record, join, size, -1, at + HEAD, room, game)
    if allowed < 0:
        close_frame(frame, 0, reg, room, game)
        return
    room[record + PROBE] = ASKED
    open_choice(at, frame, record, allowed, mask, join, reg, room)


def merge(frame: int, reg: Room, room: Room, game: Ints) -> None:
    """Join the plans found for a record with those for the records before it."""
    rungs = game[RUNGS]
    count = reg[COUNT]
    record = room[frame + AT]
    if room[record + PROBE] == ASKING:
        room[frame + AT] = 0
        room[record + PROBE] = ASKED
        room[record + DONE] = count
        if count == 0:
            room[record + BEST] = 1
        return
    if count == 0:
        close_frame(frame, 0, reg, room, game)
        return
    size = words(room[frame + SIZE])
    length = size * rungs
    own_size = words(room[record + SIZE])
    found = room[frame + TOP]
    wide = found + count * (own_size * rungs + 2)
    fresh = wide + length
    first, known = room[frame + ACC], room[frame + ACC_COUNT]
    pair, kept = room[frame + TAKEN], room[frame + KEPT]
    while pair < count * known:
        fused = fresh + kept * (length + 2)
        if fused + 3 * (length + 2) > len(room):
            reg[SHORT] = 1
            break
        if pair % known == 0:
            widen_plan(
                found + pair // known * (own_size * rungs + 2), record, wide, size, room, game
            )
        old = first + pair % known * (length + 2)
        for word in range(length):
            room[fused + word] = room[old + word] & room[wide + word]
        lost = weigh(fused, room[frame + CAPS], first - size, size, room, game)
        if lost < room[frame + LOSS] and not reg[GREEDY]:
            spare = fused + length + 2
            for word in range(size):
                room[spare + word] = 0
            lost += rest_loss(frame, fused, spare, spare + size, room, game)
        reg[WORK] -= 8
        if lost <= room[frame + LOSS]:
            reg[WORK] -= kept * length // 32
            kept = insert(fused, fresh, kept, first - size, size, rungs, room)
        pair += 1
        if reg[WORK] <= 0:
            break
    room[frame + TAKEN], room[frame + KEPT] = pair, kept
    if pair < count * known:
        reg[WORK] += 1  # the step goes on, and is paid for once
        return
    room[frame + TAKEN], room[frame + KEPT] = 0, 0
    for word in range(kept * (length + 2)):
        room[first + word] = room[fresh + word]
    room[frame + ACC_COUNT] = kept
    room[frame + TOP] = first + kept * (length + 2)
    room[frame + AT] = 0
    if kept == 0:
        close_frame(frame, 0, reg, room, game)


def widen_plan(plan: int, record: int, wide: int, size: int, room: Room, game: Ints) -> None:
    """Write the sets of a record's plan in the numbering of its frame, full for other layouts."""
    own_size = words(room[record + SIZE])
    for word in range(size * game[RUNGS]):
        room[wide + word] = -1
    for number in range(room[record + SIZE]):
        layout = room[room[record + INDEX] + number]
        for rung in range(game[RUNGS]):
            if not room[plan + rung * own_size + number // BITS] & 1 << number % BITS:
                room[wide + rung * size + layout // BITS] &= ~(1 << layout % BITS)


def next_move(frame: int, reg: Room, room: Room, game: Ints) -> None:
    """Open the replies to the next move of a choice, or close the choice."""
    record = room[room[frame + PARENT] + AT]
    size = words(room[frame + SIZE])
    rungs = game[RUNGS]
    length = size * rungs
    caps = room[frame + CAPS]
    temp = caps + length
    best = 0
    least = room[frame + LOSS] + 1
    for number in range((room[record + END] - room[record + MOVES]) // (TABLE + length)):
        if room[frame + TRIED] >> number & 1:
            continue
        move = room[record + MOVES] + number * (TABLE + length)
        lost = loss(caps, move + TABLE, size, room, game)
        if lost < least:
            best, least = move, lost
    if not best:
        close_frame(frame, room[frame + ACC_COUNT], reg, room, game)
        return
    top = room[frame + TOP]
    if top + HEAD + length > len(room):
        reg[SHORT] = 1
        return
    number = (best - room[record + MOVES]) // (TABLE + length)
    room[frame + TRIED] |= 1 << number
    for word in range(length):
        room[top + word] = room[caps + word] & room[best + TABLE + word]
    weigh(top, caps, room[frame + MASK], size, room, game)
    for number in range(room[frame + ACC_COUNT]):
        other = room[frame + ACC] + number * (length + 2)
        if covers(other, top, room[frame + MASK], size, rungs, room):
            return
    if room[best + TURN] == HOME or not (room[best + OWN] or room[best + LED]):
        reg[COUNT] = 1
        room[frame + AT] = best
        return
    for word in range(length):
        room[temp + word] = room[top + word]
    room[frame + AT] = best
    open_frame(
        top, best, room[frame + SIZE], room[frame + HANDS], temp, room[frame + LOSS] - least,
        room[frame + MASK], frame, reg, room,
    )  # fmt: skip


def collect(frame: int, reg: Room, room: Room, game: Ints) -> None:
    """Add the plans found after a move to those of its choice."""
    size = words(room[frame + SIZE])
    stride = size * game[RUNGS] + 2
    first, caps = room[frame + ACC], room[frame + CAPS]
    found = room[frame + TOP]
    mask = 0
    for word in range(size):
        mask |= room[room[frame + MASK] + word]
    number, kept = room[frame + TAKEN], room[frame + ACC_COUNT]
    while number < reg[COUNT]:
        plan = found + number * stride
        lost = weigh(plan, caps, room[frame + MASK], size, room, game)
        if not mask or not lost:
            room[frame + LOSS] = min(room[frame + LOSS], lost - 1)
        reg[WORK] -= 1 + kept * stride // 32
        kept = insert(plan, first, kept, room[frame + MASK], size, game[RUNGS], room)
        number += 1
        if reg[WORK] <= 0:
            break
    room[frame + TAKEN], room[frame + ACC_COUNT] = number, kept
    if number < reg[COUNT]:
        reg[WORK] += 1
        return
    room[frame + TAKEN] = 0
    room[frame + AT] = 0
    room[frame + TOP] = first + kept * stride


def run(
    reg: Room,
    room: Room,
    game: Ints,
    facts: Ints,
    memory: Memory,
) -> None:
    """Work until all is done, the work allowed is used up, or the room is too small."""
    while reg[FRAME] >= 0 and reg[WORK] > 0 and not reg[SHORT]:
        frame = reg[FRAME]
        reg[WORK] -= 1
        if room[frame + KIND] == FRESH:
            begin_replies(frame, reg, room, game, facts)
        elif room[frame + KIND] == RATING:
            rate_record(frame, reg, room, game, facts, memory)
        elif room[frame + KIND] == REPLIES:
            if room[frame + AT]:
                merge(frame, reg, room, game)
            else:
                next_record(frame, reg, room, game)
        elif room[frame + AT]:
            collect(frame, reg, room, game)
        else:
            next_move(frame, reg, room, game)


def first_caps(
    frame: int, begin: int, end: int, room: Room, game: Ints, facts: Ints, memory: Memory
) -> None:
    """Write what some layouts of the first frame bring when every card is seen, into its caps."""
    size = words(room[frame + SIZE])
    for number in range(begin, end):
        for rung in range(game[RUNGS]):
            if not reaches(
                rung, room[frame + OWN], room[room[frame + HANDS] + number], room[frame + MINE],
                room[frame + THEIRS], room[frame + LED], room[frame + TURN], room[frame + UP],
                game, facts, memory,
            ):  # fmt: skip
                break
            room[room[frame + CAPS] + rung * size + number // BITS] |= 1 << number % BITS
