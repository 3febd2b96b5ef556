"""The exhaustive search, in integers only.

The question asked is a yes or no, a *race*: can the attacker make at least so many game points?
A value is found by asking it at different levels (:func:`worth`).

This is the one second statement of the trick rules, for speed; tests hold it against the rules
package and against an independent minimax. It is written in the subset of Python that numba
compiles.

Cards are bits in rank-major order with the trump suit first: bit ``4 * strength + suit``, strength
0 the lowest. Points are kept as one integer a side that tells tricks as well:

* above 1: card points, with at least one trick;
* 1: a trick won, but no card points yet;
* 0: no trick; below 0: no trick, and so many provisional marriage points.

``level`` is what the defender must not exceed when the attacker gets home: 3 he has won nothing,
2 he is schneider, 1 anything. ``closed`` is 0, 1 (the attacker closed), 2 (the defender did), or 3
(the defender did, and the attacker must let him run out short, as announcing would pay too little).

``facts`` holds what stays the same while a deal is played out: the laws of the variant and tables
made from them (:func:`trainer.search.encode.new_facts`), the order of the stock, and a count of the
work done. ``memory`` holds what has been found. An entry is for one set of cards, one lead and one
sum of both sides' points, and says from how many points on the attacker wins, and up to how many
he does not: more for him and less for the other side never hurts. Plain suits are
interchangeable there once nobody draws any more. Before that, an entry is good for one order of
the stock, told by its generation.
"""

from __future__ import annotations

from collections.abc import MutableMapping, MutableSequence, Sequence

Ints = MutableSequence[int]
Memory = MutableMapping[tuple[int, int], int]
"""Positions, packed into two integers, to bounds on the attacker's points, packed into one."""
MOST_ENTRIES = 1_000_000
"""Entries that a memory of plain Python keeps, some 250 MB."""
UNKNOWN = 255 << 8
"""The bounds of a position not met before: 255 points surely win, 0 surely do not."""

(
    GOAL,
    SCHNEIDER,
    SCHWARZ_BY_POINTS,
    MARRIAGE,
    ROYAL,
    MARRIAGE_LATE,
    SHOW_UNDRAWN,
    KING_SHIFT,
    QUEEN_SHIFT,
    FOLLOW,
    HEAD,
    TRUMP,
    EXCHANGE_LEAD,
    EXCHANGE_UNDRAWN,
    EXCHANGE_FOLLOW,
    EXCHANGE_TRICK,
    EXCHANGE_CLOSED_LEAD,
    EXCHANGE_CLOSED_FOLLOW,
    EXCHANGE_CLOSER,
    EXCHANGE_OTHER,
    EXCHANGE_CLOSED_TRICK,
    CLOSE_HIDDEN,
    CLOSE_UNDRAWN,
    SUCCESS_AT_CLOSING,
    FAILED_CLOSE,
    BEATEN_CLOSE,
    TRICKLESS_CLOSE,
    LAST_TRICK,
    LAST_TRICK_CLOSED,
    PLAYED_OUT,
    CLOSER_NEEDS_LAST,
    LOWEST,
    SUIT_MASK,
    LAWS,
) = range(34)
STOCK_SIZE, GENERATION, NODES, LIMIT, LEAST, MOST = range(LAWS, LAWS + 6)
"""Cards in the stock; the number of its order; positions looked at; where looking ends; and what
the last value asked for lies between as far as was found."""
STOCK = MOST + 1
LEFT = STOCK + 12
"""Where the stock stands in drawing order, and what is left of it after so many draws but for the
turn-up, which an exchange changes."""
RANK_VALUES = LEFT + 13
LOW_HALF = RANK_VALUES + 8
HIGH_HALF = LOW_HALF + (1 << 12)
"""Where any twelve cards stand by their bits: their card points, and they themselves by suits."""
CASH = HIGH_HALF + (1 << 12)
"""Where one suit's holding against another's stands: what its leader surely cashes in it."""
TWO_OR_THREE, TWO, DOUBLE = range(3)
"""What a failure pays, in FAILED_CLOSE and BEATEN_CLOSE."""
GOAL_ALONE, HIGHER_COUNT, LAST_TRICK_WINS = range(3)
"""Who wins a deal played out unclaimed, in PLAYED_OUT."""

ME, OP, MINE, THEIRS, LED, UNDRAWN, TURN_UP, CLOSED, AT_CLOSING, SIZE, CARDS = range(11)
"""The columns of a code, a position as integers. CLOSED is 0, 1 if the side to move closed, 2 if
the other side did; AT_CLOSING tells what the closer's opponent had then, as points; the SIZE cards
of the stock follow from CARDS on."""
CODE_SIZE = CARDS + 12

PLAIN, MARRIED, SHOWN, CLOSING, EXCHANGING, DRAWING, CLAIMING = 0, 24, 32, 36, 37, 38, 39
"""The columns of graded plays: a card by its bit; a marriage led, twice its suit, plus 1 for its
Queen; a marriage shown, by its suit; and the four other moves."""
PLAYS = 40
NO_LIMIT = 1 << 62
NONE = -128
"""Stands where a play is not legal, or is a false claim."""
STOPPED = -127
"""Stands, with either sign, for a value that was not found, since NODES came over LIMIT."""


# ---- values ------------------------------------------------------------------------------------


def value(code: Ints, facts: Ints, memory: Memory) -> int:
    """Return the value of a position for the side to move, in game points before carry and match.

    If NODES comes over LIMIT it is STOPPED, and the value lies from LEAST to MOST.
    """
    drawn = take_stock(code, facts)
    return worth(
        code[ME], code[OP], code[MINE], code[THEIRS], code[LED], code[UNDRAWN] != 0, drawn,
        code[TURN_UP], code[CLOSED], code[AT_CLOSING], -9, 9, False, facts, memory,
    )  # fmt: skip


def values(codes: Sequence[Ints], found: Ints, facts: Ints, memory: Memory) -> None:
    """Find the values of many positions at once; what one brings to light serves the next."""
    for number in range(len(codes)):
        found[number] = value(codes[number], facts, memory)


def take_stock(code: Ints, facts: Ints) -> int:
    """Put the stock of a position into ``facts``; return how many cards of it are drawn already.

    A stock that is the rest of the one that is there, or the other way round, keeps the generation.
    """
    size = code[SIZE]
    there = facts[STOCK_SIZE]
    same = True
    for back in range(2, min(size, there) + 1):
        if code[CARDS + size - back] != facts[STOCK + there - back]:
            same = False
    if not same:
        facts[GENERATION] += 1
    if same and size <= there:
        return there - size
    facts[STOCK_SIZE] = size
    left = 0
    for number in range(size - 1, -1, -1):
        facts[STOCK + number] = code[CARDS + number]
        facts[LEFT + number] = left
        if number:
            left |= code[CARDS + number - 1]
    return 0


def worth(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    led: int,
    undrawn: bool,
    drawn: int,
    turn_up: int,
    closed: int,
    at_closing: int,
    least: int,
    most: int,
    other_first: bool,
    facts: Ints,
    memory: Memory,
) -> int:
    """Return the value for the side to move, which is known to lie from ``least`` to ``most``.

    ``other_first`` says that the other side is likelier to win, which saves questions. If NODES
    comes over LIMIT it is STOPPED, and the value lies from LEAST to MOST.
    """
    facts[LEAST] = least
    facts[MOST] = most
    for turn in range(2):
        attack = (turn == 0) != other_first
        points = theirs if attack else mine
        closer = 0 if closed == 0 else 1 if attack == (closed == 1) else 2
        won = 0
        lost = 0
        while lost < 3 and 0 < races_worth(lost + 1, closer, at_closing, facts) <= (
            most if attack else -least
        ):
            lost += 1
            if races_worth(lost, closer, at_closing, facts) <= (least if attack else -most):
                won = lost
        # A closed hand has a winner, unless somebody has let the time to announce go by: who
        # closed gets home or fails.
        if turn == 1 and closed and lost and max(mine, theirs) < facts[GOAL]:
            won = max(won, 1)
        while won < lost:
            number = won + lost >> 1
            asked = race_number(number, closer, at_closing, facts)
            level = asked >> 2 & 3
            wins = within(points, level, facts) and race(
                me, op, mine, theirs, led, attack, asked & 3, level, undrawn, drawn, turn_up,
                facts, memory,
            )  # fmt: skip
            if facts[NODES] > facts[LIMIT]:
                return STOPPED
            if wins:
                won = number + 1
            else:
                lost = number
            at_least = races_worth(won, closer, at_closing, facts) if won else -9
            at_most = races_worth(lost, closer, at_closing, facts)
            facts[LEAST] = max(facts[LEAST], at_least if attack else -at_most)
            facts[MOST] = min(facts[MOST], at_most if attack else -at_least)
        if won:
            best = races_worth(won, closer, at_closing, facts)
            facts[LEAST] = facts[MOST] = best if attack else -best
            return facts[LEAST]
    facts[LEAST] = facts[MOST] = 0
    return 0


def races_worth(count: int, closer: int, at_closing: int, facts: Ints) -> int:
    """Return what winning the attacker's first so many races makes, in game points; 0 for none."""
    return race_number(count - 1, closer, at_closing, facts) >> 4 if count else 0


def race_number(number: int, closer: int, at_closing: int, facts: Ints) -> int:
    """Return the attacker's races in rising order, as closed + 4 * level + 16 * game points.

    ``closer`` is 0, 1 for the attacker or 2 for the defender. 0 where there is no such race. While
    nobody has closed a race is named by its game points. Once the stock is closed the other side's
    failure is worth what the laws say, and so may be the closer's success.
    """
    level = number + 1
    if closer == 0:
        return level << 2 | level << 4
    if closer == 1:
        if not facts[SUCCESS_AT_CLOSING]:
            return 1 | level << 2 | level << 4
        return 1 | 1 << 2 | value_against(at_closing, facts) << 4 if number == 0 else 0
    if facts[TRICKLESS_CLOSE] and at_closing <= 0:
        return 2 | 1 << 2 | facts[TRICKLESS_CLOSE] << 4 if number == 0 else 0
    if facts[FAILED_CLOSE] == DOUBLE:
        return 2 | level << 2 | level << 5
    beaten = failure_worth(facts[BEATEN_CLOSE], at_closing, 0, facts)
    if number == 0:
        return 2 | 1 << 2 | beaten << 4
    short = failure_worth(facts[FAILED_CLOSE], at_closing, 0, facts)
    return 3 | 1 << 2 | short << 4 if number == 1 and short > beaten else 0


def failure_worth(penalty: int, at_closing: int, closer: int, facts: Ints) -> int:
    """Return what a closer's failure pays; ``closer`` is his points, read where it pays double."""
    if facts[TRICKLESS_CLOSE] and at_closing <= 0:
        return facts[TRICKLESS_CLOSE]
    if penalty == DOUBLE:
        return 2 * value_against(closer, facts)
    return 3 if penalty == TWO_OR_THREE and at_closing <= 0 else 2


def value_against(points: int, facts: Ints) -> int:
    """Return what a win against a side with these points is worth: 1, 2 or 3."""
    return 3 if within(points, 3, facts) else 2 if within(points, 2, facts) else 1


def within(points: int, level: int, facts: Ints) -> bool:
    """Return whether a defender with these points still loses at least ``level``."""
    if level == 1:
        return True
    if level == 3:
        return points <= 1 if facts[SCHWARZ_BY_POINTS] else points <= 0
    return points < facts[SCHNEIDER]


def claim_worth(theirs: int, closed: int, at_closing: int, facts: Ints) -> int:
    """Return what the side to move makes by announcing rightly, in game points."""
    if closed == 2:
        return failure_worth(facts[BEATEN_CLOSE], at_closing, theirs, facts)
    valued = at_closing if closed == 1 and facts[SUCCESS_AT_CLOSING] else theirs
    return value_against(valued, facts)


def grade(code: Ints, graded: Ints, facts: Ints, memory: Memory) -> int:
    """Find the value of every sensible play, and return the best of them.

    ``graded`` takes the values, in game points before carry and match, for the side to move.
    """
    me, op, mine, theirs, led = code[ME], code[OP], code[MINE], code[THEIRS], code[LED]
    turn_up, closed, at_closing = code[TURN_UP], code[CLOSED], code[AT_CLOSING]
    drawn = take_stock(code, facts)
    stock_left = facts[STOCK_SIZE] - drawn
    is_open = closed == 0 and stock_left > 0
    undrawn = code[UNDRAWN] != 0 and is_open
    lowest = facts[LOWEST]
    for play in range(PLAYS):
        graded[play] = NONE
    best = worth(
        me, op, mine, theirs, led, undrawn, drawn, turn_up, closed, at_closing, -9, 9, False,
        facts, memory,
    )  # fmt: skip
    most = facts[MOST] if best == STOPPED else best
    behind = most < 0
    other = 3 - closed if closed else 0
    if may_exchange(mine, True, closed, undrawn, led, stock_left, facts) and me & lowest:
        graded[EXCHANGING] = worth(
            me ^ lowest | turn_up, op, mine, theirs, led, undrawn, drawn, lowest, closed,
            at_closing, -9, most, behind, facts, memory,
        )  # fmt: skip
    if led:
        led_value = facts[RANK_VALUES + (led.bit_length() - 1 >> 2)]
        wins = beating(led, facts)
        rest = replies(me, led, is_open, facts)
        while rest:
            bit = rest.bit_length() - 1
            card = 1 << bit
            rest ^= card
            count = led_value + facts[RANK_VALUES + (bit >> 2)]
            if card & wins:
                graded[bit] = after_trick(
                    me ^ card, op, gain(mine, count), theirs, is_open, drawn, turn_up, closed,
                    at_closing, -9, most, behind, facts, memory,
                )  # fmt: skip
            else:
                graded[bit] = -after_trick(
                    op, me ^ card, gain(theirs, count), mine, is_open, drawn, turn_up, other,
                    at_closing, -most, 9, not behind, facts, memory,
                )  # fmt: skip
        return best
    pairs = marriages(me, facts) if is_open or facts[MARRIAGE_LATE] else 0
    if mine >= facts[GOAL]:
        graded[CLAIMING] = claim_worth(theirs, closed, at_closing, facts)
    if pairs and mine > 0 and (not undrawn or facts[SHOW_UNDRAWN]):
        for suit in range(4):
            shown = gain(mine, facts[MARRIAGE] if suit else facts[ROYAL])
            if pairs >> suit & 1 and shown >= facts[GOAL]:
                graded[SHOWN + suit] = claim_worth(theirs, closed, at_closing, facts)
    if is_open and stock_left > facts[CLOSE_HIDDEN] and (not undrawn or facts[CLOSE_UNDRAWN]):
        graded[CLOSING] = worth(
            me, op, mine, theirs, led, False, drawn, turn_up, 1, theirs, -9, most, behind,
            facts, memory,
        )  # fmt: skip
    if undrawn:
        second = turn_up if stock_left == 2 else facts[STOCK + drawn + 1]
        graded[DRAWING] = worth(
            me | facts[STOCK + drawn], op | second, mine, theirs, led, False, drawn + 2, turn_up,
            closed, at_closing, -9, most, behind, facts, memory,
        )  # fmt: skip
        return best
    for number in range(8):
        suit = number >> 1
        if pairs >> suit & 1:
            more = facts[MARRIAGE] if suit else facts[ROYAL]
            declared = mine - more if mine <= 0 else gain(mine, more)
            card = 1 << facts[QUEEN_SHIFT if number & 1 else KING_SHIFT] + suit
            graded[MARRIED + number] = -worth(
                op, me ^ card, theirs, declared, card, undrawn, drawn, turn_up, other, at_closing,
                -most, 9, not behind, facts, memory,
            )  # fmt: skip
    rest = me
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        graded[bit] = -worth(
            op, me ^ card, theirs, mine, card, undrawn, drawn, turn_up, other, at_closing,
            -most, 9, not behind, facts, memory,
        )  # fmt: skip
    return best


def after_trick(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    undrawn: bool,
    drawn: int,
    turn_up: int,
    closed: int,
    at_closing: int,
    least: int,
    most: int,
    other_first: bool,
    facts: Ints,
    memory: Memory,
) -> int:
    """Return the value for the winner of a trick, ``me``, as :func:`worth` does."""
    if not me and not op:
        return end_worth(mine, theirs, closed, at_closing, facts[STOCK_SIZE] - drawn, facts)
    return worth(
        me, op, mine, theirs, 0, undrawn, drawn, turn_up, closed, at_closing, least, most,
        other_first, facts, memory,
    )  # fmt: skip


def end_worth(
    mine: int, theirs: int, closed: int, at_closing: int, stock_left: int, facts: Ints
) -> int:
    """Return what the winner of the last trick makes when nobody has announced, in game points."""
    for turn in range(2):
        attack = turn == 0
        closer = 0 if closed == 0 else 1 if attack == (closed == 1) else 2
        for back in range(3):
            asked = race_number(2 - back, closer, at_closing, facts)
            if asked and played_out(
                mine, theirs, attack, asked & 3, asked >> 2 & 3, stock_left, facts
            ):
                return asked >> 4 if attack else -(asked >> 4)
    return 0


# ---- the race ----------------------------------------------------------------------------------


def race(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    led: int,
    attack: bool,
    closed: int,
    level: int,
    undrawn: bool,
    drawn: int,
    turn_up: int,
    facts: Ints,
    memory: Memory,
) -> bool:
    """Return whether the attacker wins the race when ``me`` is to move.

    ``op`` is the other hand, without the card ``led`` (0 if ``me`` holds the lead). ``attack`` says
    whether ``me`` is the attacker. ``drawn`` counts the cards taken from the stock; ``turn_up`` is
    the last of them, as a bit. Where nobody draws any more ``undrawn`` says nothing.

    The function calls only itself, and never with a constant: numba could not load it from its
    cache otherwise.
    """
    stock_left = facts[STOCK_SIZE] - drawn
    is_open = closed == 0 and stock_left > 0
    undrawn = undrawn and is_open
    goal = facts[GOAL]
    lowest = facts[LOWEST]
    no_card = led & 0

    if led:
        if me & lowest and may_exchange(mine, attack, closed, undrawn, led, stock_left, facts) and (
            race(
                me ^ lowest | turn_up, op, mine, theirs, led, attack, closed, level, undrawn,
                drawn, lowest, facts, memory,
            )
            == attack
        ):  # fmt: skip
            return attack
        wins = replies(me, led, is_open, facts)
        losses = wins & ~beating(led, facts)
        kept = kept_apart(me, op, is_open, drawn, turn_up, stock_left, facts)
        out = op | facts[LEFT + drawn] | turn_up if is_open else op
        if not is_open and stock_left and (me | op) & lowest:
            out |= turn_up
        wins = highest_of_equals(wins ^ losses, out, kept, facts)
        losses = lowest_of_equals(losses, out, kept, facts)
        led_value = facts[RANK_VALUES + (led.bit_length() - 1 >> 2)]

        # While the stock is open all replies are first held against what is known already.
        for recalling in range(int(is_open), -1, -1):
            rest = wins | losses
            while rest:
                card = next_reply(rest, wins, is_open, facts)
                rest ^= card
                count = led_value + facts[RANK_VALUES + (card.bit_length() - 1 >> 2)]
                side = attack
                first, second, most, less = me ^ card, op, gain(mine, count), theirs
                if not card & wins:
                    side = not attack
                    first, second, most, less = op, first, gain(theirs, count), mine
                if not (first or second):
                    won = played_out(most, less, side, closed, level, stock_left, facts)
                elif ends_race(most, side, closed, level, facts):
                    won = side
                elif recalling:
                    known = known_verdict(
                        first, second, most, less, side, closed, level, is_open, drawn, turn_up,
                        facts, memory,
                    )  # fmt: skip
                    if known < 0:
                        continue
                    won = known == 1
                else:
                    won = race(
                        first, second, most, less, no_card, side, closed, level, is_open, drawn,
                        turn_up, facts, memory,
                    )  # fmt: skip
                if won == attack:
                    return attack
        return not attack

    silent = attack and closed == 3
    if mine >= goal and not silent:
        return attack
    pairs = marriages(me, facts) if is_open or facts[MARRIAGE_LATE] else no_card
    if pairs and mine > 0 and not silent and (not undrawn or facts[SHOW_UNDRAWN]):
        need = goal - (mine if mine > 1 else 0)
        if (pairs & 1 and facts[ROYAL] >= need) or (pairs & 14 and facts[MARRIAGE] >= need):
            return attack
    cards = key_of_cards(me, op, mine, theirs, is_open, facts)
    state = key_of_state(
        me | op, mine, theirs, attack, closed, level, undrawn, turn_up, stock_left, facts
    )
    points = points_known(mine, theirs, attack)
    known = recall(memory, cards, state)
    if points >= known >> 8:
        return True
    if points <= known & 255:
        return False
    facts[NODES] += 1
    if facts[NODES] > facts[LIMIT]:
        return False
    if not is_open:
        verdict = beyond_doubt(
            me, op, mine, theirs, attack, closed, level, turn_up, stock_left, facts
        )
        if verdict >= 0:
            return verdict == 1

    won = not attack
    if is_open and stock_left > facts[CLOSE_HIDDEN] and (not undrawn or facts[CLOSE_UNDRAWN]):
        goes_on = closing(attack, mine, theirs, level, facts)
        if goes_on:
            won = race(
                me, op, mine, theirs, led, attack, goes_on >> 2, goes_on & 3, undrawn,
                drawn, turn_up, facts, memory,
            )  # fmt: skip
        elif not attack:
            won = attack
    if (
        won != attack
        and me & lowest
        and may_exchange(mine, attack, closed, undrawn, led, stock_left, facts)
    ):
        won = race(
            me ^ lowest | turn_up, op, mine, theirs, led, attack, closed, level, undrawn,
            drawn, lowest, facts, memory,
        )  # fmt: skip
    if won != attack and undrawn:
        second = turn_up if stock_left == 2 else facts[STOCK + drawn + 1]
        won = race(
            me | facts[STOCK + drawn], op | second, mine, theirs, led, attack, closed, level,
            not undrawn, drawn + 2, turn_up, facts, memory,
        )  # fmt: skip
    if won != attack and pairs and not undrawn:
        for number in range(8):
            suit = number >> 1
            if won == attack or not pairs >> suit & 1:
                continue
            more = facts[MARRIAGE] if suit else facts[ROYAL]
            declared = mine - more if mine <= 0 else gain(mine, more)
            card = 1 << facts[QUEEN_SHIFT if number & 1 else KING_SHIFT] + suit
            if not attack and declared > 1 and not within(declared, level, facts):
                won = attack
            else:
                won = race(
                    op, me ^ card, theirs, declared, card, not attack, closed, level, undrawn,
                    drawn, turn_up, facts, memory,
                )  # fmt: skip
    rest = no_card if undrawn else me
    unbeaten = unbeaten_cards(rest, op, facts)
    while rest and won != attack:
        card = 1 << (rest & unbeaten or rest).bit_length() - 1
        rest ^= card
        won = race(
            op, me ^ card, theirs, mine, card, not attack, closed, level, undrawn,
            drawn, turn_up, facts, memory,
        )  # fmt: skip
    if facts[NODES] <= facts[LIMIT]:
        bounds = points << 8 | known & 255 if won else known & ~255 | points
        record(memory, cards, state, bounds)
    return won


def known_verdict(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    attack: bool,
    closed: int,
    level: int,
    undrawn: bool,
    drawn: int,
    turn_up: int,
    facts: Ints,
    memory: Memory,
) -> int:
    """Return 1 or 0 if the race with ``me`` on lead is known won or lost, -1 if it is not known."""
    stock_left = facts[STOCK_SIZE] - drawn
    cards = key_of_cards(me, op, mine, theirs, undrawn, facts)
    state = key_of_state(
        me | op, mine, theirs, attack, closed, level, undrawn, turn_up, stock_left, facts
    )
    points = points_known(mine, theirs, attack)
    known = recall(memory, cards, state)
    return 1 if points >= known >> 8 else 0 if points <= known & 255 else -1


# ---- memory ------------------------------------------------------------------------------------


def key_of_cards(me: int, op: int, mine: int, theirs: int, is_open: bool, facts: Ints) -> int:
    """Return the first half of a position's key: both hands, and the sum of the points.

    Where a side has no trick yet, its points and the other's stand in place of the sum.
    """
    cards = me | op << 24 if is_open else suits_sorted(me, op, facts)
    return cards | (mine + theirs if mine > 0 and theirs > 0 else mine + 64) << 48


def key_of_state(
    both: int,
    mine: int,
    theirs: int,
    attack: bool,
    closed: int,
    level: int,
    undrawn: bool,
    turn_up: int,
    stock_left: int,
    facts: Ints,
) -> int:
    """Return the second half of a position's key; it is never 0.

    The turn-up is in it where it can still be drawn or exchanged.
    """
    state = attack | closed << 1 | level << 3
    if mine <= 0 or theirs <= 0:
        state |= 1 << 15 | theirs + 64 << 16
    if closed == 0 and stock_left > 0:
        order = stock_left << 11 | facts[GENERATION] << 25
        return state | undrawn << 5 | turn_up.bit_length() << 6 | order
    return state | turn_up.bit_length() << 6 if stock_left and both & facts[LOWEST] else state


def points_known(mine: int, theirs: int, attack: bool) -> int:
    """Return the attacker's points as the memory counts them; 1 where the key tells them."""
    if mine <= 0 or theirs <= 0:
        return 1
    return mine if attack else theirs


def suits_sorted(me: int, op: int, facts: Ints) -> int:
    """Return both hands as one number that is the same however the plain suits are named."""
    suits = facts[SUIT_MASK]
    trumps = (me & suits) << 1 | op & suits
    first = (me >> 1 & suits) << 1 | op >> 1 & suits
    second = (me >> 2 & suits) << 1 | op >> 2 & suits
    third = (me >> 3 & suits) << 1 | op >> 3 & suits
    low = min(first, second)
    high = max(first, second)
    middle = max(low, min(high, third))
    return trumps | min(low, third) << 2 | (middle | max(high, third) << 2) << 24


def recall(memory: Memory, cards: int, state: int) -> int:
    """Return the bounds that are known for a position: 256 * surely wins + surely does not."""
    return memory.get((cards, state), UNKNOWN)


def record(memory: Memory, cards: int, state: int, bounds: int) -> None:
    """Keep the bounds of a position; a full memory is begun anew."""
    if len(memory) >= MOST_ENTRIES:
        memory.clear()
    memory[cards, state] = bounds


# ---- trick rules -------------------------------------------------------------------------------


def gain(points: int, more: int) -> int:
    """Return a side's points after winning a trick of ``more`` card points."""
    if points < 0:
        return more - points
    total = more if points == 1 else points + more
    return total if total > 1 else 1


def ends_race(points: int, attack: bool, closed: int, level: int, facts: Ints) -> bool:
    """Return whether a side that has just won a trick has won the race, by its points now.

    The attacker by announcing; the defender by that too, or by having got too much.
    """
    if points >= facts[GOAL]:
        return not (attack and closed == 3)
    return not attack and not within(points, level, facts)


def beating(led: int, facts: Ints) -> int:
    """Return every card that beats a card led: higher ones of its suit, and trumps."""
    trumps = facts[SUIT_MASK]
    higher = trumps << (led.bit_length() - 1 & 3) & ~(led * 2 - 1)
    return higher if led & trumps else higher | trumps


def replies(me: int, led: int, is_open: bool, facts: Ints) -> int:
    """Return the cards of a hand that may be played to the card led."""
    if is_open:
        return me
    trumps = facts[SUIT_MASK]
    own = me & trumps << (led.bit_length() - 1 & 3)
    if own and facts[FOLLOW]:
        heading = own & beating(led, facts)
        return heading if heading and facts[HEAD] else own
    return me & trumps if not own and facts[TRUMP] and me & trumps else me


def kept_apart(
    me: int,
    op: int,
    is_open: bool,
    drawn: int,
    turn_up: int,
    stock_left: int,
    facts: Ints,
) -> int:
    """Return the cards that are good for more than the trick: marriages and the exchange.

    Of the others, two in one hand with nothing out between them are equal but for their points:
    the higher one wins a trick and the lower one loses it at no disadvantage.
    """
    kept = facts[LOWEST] if stock_left else 0
    hand = me
    if is_open:
        hand |= facts[LEFT + drawn] | turn_up
    elif stock_left and me & facts[LOWEST]:
        hand |= turn_up
    pairs = marriages(hand, facts)
    return kept | pairs << facts[KING_SHIFT] | pairs << facts[QUEEN_SHIFT]


def next_reply(rest: int, wins: int, is_open: bool, facts: Ints) -> int:
    """Return the reply to try next: one that wins, the highest first, then the lowest other.

    While the stock is open trumps are spared: plain winners come first, then the lowest trump.
    """
    left = rest & wins
    if not left:
        return rest & -rest
    if is_open:
        left = left & ~facts[SUIT_MASK] or left & -left
    return 1 << left.bit_length() - 1


def unbeaten_cards(hand: int, op: int, facts: Ints) -> int:
    """Return the cards of a hand that the other hand has no higher card of the suit for."""
    left = hand
    while op:
        bit = op.bit_length() - 1
        op ^= 1 << bit
        left &= ~(facts[SUIT_MASK] << (bit & 3) & (1 << bit) - 1)
    return left


def highest_of_equals(cards: int, out: int, kept: int, facts: Ints) -> int:
    """Return cards less those that have a higher one beside them with nothing ``out`` between."""
    left = cards
    rest = cards & ~kept
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        suit = facts[SUIT_MASK] << (bit & 3)
        higher = cards & suit & ~(2 * card - 1) & ~kept
        if higher and not (higher & -higher) - card & out & suit:
            left ^= card
    return left


def lowest_of_equals(cards: int, out: int, kept: int, facts: Ints) -> int:
    """Return cards less those that have a lower one beside them with nothing ``out`` between."""
    left = cards
    rest = cards & ~kept
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        suit = facts[SUIT_MASK] << (bit & 3)
        lower = cards & suit & (card - 1) & ~kept
        if lower and not card - (1 << lower.bit_length() - 1) & out & suit:
            left ^= card
    return left


def marriages(hand: int, facts: Ints) -> int:
    """Return the suits of which a hand holds King and Queen, as bits in the kernel's order."""
    return hand >> facts[KING_SHIFT] & hand >> facts[QUEEN_SHIFT] & 15


# ---- what is sure, closing, the end ------------------------------------------------------------


def beyond_doubt(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    attack: bool,
    closed: int,
    level: int,
    turn_up: int,
    stock_left: int,
    facts: Ints,
) -> int:
    """Return 1 if the attacker surely wins, 0 if he surely does not, -1 if play must decide.

    For hands that no longer draw. A leader makes the tricks he can cash. A side cannot get home
    that would be short with all that is left but what the other surely makes.
    """
    goal = facts[GOAL]
    own = by_suit(me, facts)
    other = by_suit(op, facts)
    rest = (own >> 32) + (other >> 32)
    own_at_most = own
    other_at_most = other
    swapped = 0
    if stock_left and (me | op) & facts[LOWEST]:
        strength = turn_up.bit_length() - 1 >> 2
        rest += facts[RANK_VALUES + strength]
        if me & facts[LOWEST]:
            own_at_most |= 1 << strength
        else:
            other_at_most |= 1 << strength
            swapped = facts[RANK_VALUES + strength]
    cash = cashed(own, other_at_most, facts)
    points = max((cash >> 4 & 255) - swapped, 0)
    late = facts[MARRIAGE_LATE]
    total = points + (mine if mine > 1 else -mine if cash and mine < 0 else 0)
    if late and (cash or mine > 0):
        pairs = married_suits(own, facts)
        if pairs:
            total += facts[ROYAL] if pairs & 63 else facts[MARRIAGE]
    last = closed == 0 and facts[PLAYED_OUT] == LAST_TRICK_WINS
    if total >= goal and theirs < goal:
        if not attack:
            return 0
        if closed != 3 and not (level > 1 and last):
            return 1
    if not attack and cash and level > 1 and not within(max(total, 1), level, facts):
        return 0
    if last:
        return -1
    if facts[LAST_TRICK_CLOSED] or not stock_left:
        rest += facts[LAST_TRICK]
    if attack == (closed < 2):
        most = max(mine, -mine) + rest - masters(other, own_at_most, facts)
        if late:
            most += marriage_points(own_at_most, facts)
        if most < goal and (attack or level == 1):
            return 0 if attack else 1
    else:
        most = max(theirs, -theirs) + rest - points
        if late:
            most += marriage_points(other_at_most, facts)
        if most < goal and (level == 1 or not attack):
            return 1 if attack else 0
    return -1


def by_suit(hand: int, facts: Ints) -> int:
    """Return a hand suit by suit, eight bits each from the trumps on; above them its points."""
    return facts[LOW_HALF + (hand & 4095)] + facts[HIGH_HALF + (hand >> 12)]


def cashed(own: int, other: int, facts: Ints) -> int:
    """Return what the leader surely makes at once, as tricks + 16 * card points.

    Hands are told by suits. Plain cards beyond the other's length count only if leading trumps
    takes all of his; a card is only cashed that the other must follow to, or cannot ruff.
    """
    trumps = facts[CASH + ((own & 63) << 6 | other & 63)]
    shift = 0 if trumps >> 40 else 16
    plain = (
        (facts[CASH + ((own >> 8 & 63) << 6 | other >> 8 & 63)] >> shift)
        + (facts[CASH + ((own >> 16 & 63) << 6 | other >> 16 & 63)] >> shift)
        + (facts[CASH + ((own >> 24 & 63) << 6 | other >> 24 & 63)] >> shift)
    )
    return (trumps & 4095) + (plain & 4095)


def masters(own: int, other: int, facts: Ints) -> int:
    """Return the card points of the trumps that nothing can beat, on lead or not."""
    return facts[CASH + ((own & 63) << 6 | other & 63)] >> 32 & 63


def married_suits(suits: int, facts: Ints) -> int:
    """Return a hand told by suits, only the Queens that have their Kings."""
    queen = facts[QUEEN_SHIFT] >> 2
    return suits & suits >> 1 & 0x01010101 << queen


def marriage_points(suits: int, facts: Ints) -> int:
    """Return what the marriages of a hand, told by suits, can count in card points."""
    pairs = married_suits(suits, facts)
    if not pairs:
        return 0
    plain = bool(pairs >> 8 & 63) + bool(pairs >> 16 & 63) + bool(pairs >> 24 & 63)
    return (facts[ROYAL] if pairs & 63 else 0) + facts[MARRIAGE] * plain


def may_exchange(
    mine: int, attack: bool, closed: int, undrawn: bool, led: int, stock_left: int, facts: Ints
) -> bool:
    """Return whether a side may exchange at this moment, if it holds the lowest trump."""
    if not stock_left:
        return False
    if closed:
        closer = attack == (closed == 1)
        if not facts[EXCHANGE_CLOSER if closer else EXCHANGE_OTHER]:
            return False
        moment = EXCHANGE_CLOSED_FOLLOW if led else EXCHANGE_CLOSED_LEAD
        needs_trick = facts[EXCHANGE_CLOSED_TRICK]
    else:
        moment = EXCHANGE_FOLLOW if led else EXCHANGE_UNDRAWN if undrawn else EXCHANGE_LEAD
        needs_trick = facts[EXCHANGE_TRICK]
    return bool(facts[moment]) and (mine > 0 or not needs_trick)


def closing(attack: bool, mine: int, theirs: int, level: int, facts: Ints) -> int:
    """Return the race that goes on after the leader closes, as 4 * closed + level.

    0 if the closing alone decides it against the attacker. A closer who succeeds is paid by the
    other side's state at the end or at the closing; what a failure pays is told by the laws.
    """
    if attack:
        if not facts[SUCCESS_AT_CLOSING]:
            return 4 + level
        return 4 + 1 if within(theirs, level, facts) else 0
    trickless = theirs <= 0
    if trickless and facts[TRICKLESS_CLOSE]:
        return 8 + 1 if facts[TRICKLESS_CLOSE] >= level else 0
    short = failure_level(facts[FAILED_CLOSE], trickless, mine, level, facts)
    if not short:
        return 0
    beaten = failure_level(facts[BEATEN_CLOSE], trickless, mine, level, facts)
    return 8 + short if beaten else 12 + short


def failure_level(penalty: int, trickless: bool, closer: int, level: int, facts: Ints) -> int:
    """Return how low a closer must be kept for his failure to pay ``level``, 0 if it cannot."""
    if penalty == DOUBLE:
        kept = (level + 1) >> 1
        return kept if within(closer, kept, facts) else 0
    worth = 3 if trickless and penalty == TWO_OR_THREE else 2
    return 1 if worth >= level else 0


def played_out(
    winner: int, loser: int, attack: bool, closed: int, level: int, stock_left: int, facts: Ints
) -> bool:
    """Return whether the attacker has won when the last trick is over and nobody has announced.

    ``winner`` and ``loser`` are the points of that trick's two sides; ``attack`` says whether its
    winner is the attacker.
    """
    if facts[LAST_TRICK_CLOSED] or not stock_left:
        winner = gain(winner, facts[LAST_TRICK])
    attacker, defender = (winner, loser) if attack else (loser, winner)
    goal = facts[GOAL]
    if closed >= 2:
        failed = defender < goal or (attack and facts[CLOSER_NEEDS_LAST])
        return bool(failed) and within(defender, level, facts)
    if closed == 1 and facts[CLOSER_NEEDS_LAST]:
        return attack and attacker >= goal and within(defender, level, facts)
    if closed == 0 and facts[PLAYED_OUT] == LAST_TRICK_WINS:
        return attack and level == 1
    if closed == 0 and facts[PLAYED_OUT] == HIGHER_COUNT:
        return attacker > defender and within(defender, level, facts)
    return attacker >= goal and defender < goal and within(defender, level, facts)
