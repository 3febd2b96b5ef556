"""Card points at the end: what best play leads to beyond the game points, once nobody draws.

Both sides look to the game points first and, where these are equal, to their card points less the
other's when the deal ends. The two make one integer, :data:`STEP` for a game point, which an
ordinary search finds. A side that can end the deal by a right announcement does so at once, unless
the other side has closed and would pay more for running out short; false claims are left out.
Written, like :mod:`trainer.search.kernel`, in the subset of Python that numba compiles.
"""

from __future__ import annotations

from trainer.search.kernel import (
    AT_CLOSING,
    CLOSED,
    GOAL,
    KING_SHIFT,
    LAST_TRICK,
    LAST_TRICK_CLOSED,
    LED,
    LOWEST,
    MARRIAGE,
    MARRIAGE_LATE,
    ME,
    MINE,
    NODES,
    OP,
    QUEEN_SHIFT,
    RANK_VALUES,
    ROYAL,
    SIZE,
    THEIRS,
    TURN_UP,
    Ints,
    Memory,
    beating,
    claim_worth,
    end_worth,
    gain,
    marriages,
    may_exchange,
    race_number,
    recall,
    record,
    replies,
    suits_sorted,
)

STEP = 512
"""What a game point counts in the one integer; a card point counts 1."""
AT_LEAST, AT_MOST = 1, 2
"""What is known of a value, in the three bits above it."""
SHIFT = 13
OFFSET = 1 << SHIFT - 1


def ending(code: Ints, low: int, high: int, facts: Ints, memory: Memory) -> int:
    """Return the value of a position that draws no more, for the side to move.

    It is exact from ``low`` to ``high``; outside it is a bound.
    """
    return count_out(
        code[ME], code[OP], code[MINE], code[THEIRS], code[LED], code[CLOSED], code[AT_CLOSING],
        code[TURN_UP], code[SIZE], low, high, facts, memory,
    )  # fmt: skip


def count_out(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    led: int,
    closed: int,
    at_closing: int,
    turn_up: int,
    stock_left: int,
    low: int,
    high: int,
    facts: Ints,
    memory: Memory,
) -> int:
    """Return what :func:`ending` does; the state is told as :func:`trainer.search.kernel.grade`
    reads it from a code.
    """
    lowest = facts[LOWEST]
    no_card = led & 0
    other = 3 - closed if closed else closed
    best = -OFFSET + no_card
    floor = low
    cards = no_card
    state = no_card
    if not led:
        cards = suits_sorted(me, op, facts) | mine + 64 << 48
        state = closed << 1 | 1 << 5 | theirs + 64 << 16 | at_closing + 64 << 25
        if stock_left and (me | op) & lowest:
            state |= turn_up.bit_length() << 6
        known = recall(memory, cards, state)
        bound, found = known >> SHIFT, (known & (1 << SHIFT) - 1) - OFFSET
        if bound <= (AT_LEAST | AT_MOST):
            if bound & AT_LEAST and (found >= high or bound & AT_MOST):
                return found
            if bound & AT_MOST and found <= low:
                return found
        facts[NODES] += 1

    pairs = marriages(me, facts) if facts[MARRIAGE_LATE] and not led else no_card
    if not led:
        best = announced(mine, theirs, pairs, closed, at_closing, facts)
        if best > -OFFSET and not (closed == 2 and race_number(1, 2, at_closing, facts) & 3 == 3):
            return best
        floor = max(floor, best)
    if me & lowest and may_exchange(mine, True, closed, False, led, stock_left, facts):
        worth = count_out(
            me ^ lowest | turn_up, op, mine, theirs, led, closed, at_closing, lowest, stock_left,
            floor, high, facts, memory,
        )  # fmt: skip
        best = max(best, worth)
        floor = max(floor, best)
    if led:
        led_value = facts[RANK_VALUES + (led.bit_length() - 1 >> 2)]
        winners = beating(led, facts)
        rest = replies(me, led, False, facts)
        while rest and floor < high:
            card = 1 << (rest & winners or rest).bit_length() - 1
            rest ^= card
            count = led_value + facts[RANK_VALUES + (card.bit_length() - 1 >> 2)]
            left = me ^ card
            if card & winners:
                points = gain(mine, count)
                if left or op:
                    worth = count_out(
                        left, op, points, theirs, no_card, closed, at_closing, turn_up, stock_left,
                        floor, high, facts, memory,
                    )  # fmt: skip
                else:
                    worth = played_out(points, theirs, closed, at_closing, stock_left, facts)
            else:
                points = gain(theirs, count)
                if left or op:
                    worth = -count_out(
                        op, left, points, mine, no_card, other, at_closing, turn_up, stock_left,
                        -high, -floor, facts, memory,
                    )  # fmt: skip
                else:
                    worth = -played_out(points, mine, other, at_closing, stock_left, facts)
            best = max(best, worth)
            floor = max(floor, best)
        return best

    for number in range(8):
        suit = number >> 1
        if floor < high and pairs >> suit & 1:
            more = facts[MARRIAGE] if suit else facts[ROYAL]
            declared = mine - more if mine <= 0 else gain(mine, more)
            card = 1 << facts[QUEEN_SHIFT if number & 1 else KING_SHIFT] + suit
            worth = -count_out(
                op, me ^ card, theirs, declared, card, other, at_closing, turn_up, stock_left,
                -high, -floor, facts, memory,
            )  # fmt: skip
            best = max(best, worth)
            floor = max(floor, best)
    rest = me
    while rest and floor < high:
        card = 1 << rest.bit_length() - 1
        rest ^= card
        worth = -count_out(
            op, me ^ card, theirs, mine, card, other, at_closing, turn_up, stock_left,
            -high, -floor, facts, memory,
        )  # fmt: skip
        best = max(best, worth)
        floor = max(floor, best)
    bound = (best > low) * AT_LEAST | (best < high) * AT_MOST
    record(memory, cards, state, bound << SHIFT | best + OFFSET)
    return best


def announced(mine: int, theirs: int, pairs: int, closed: int, at_closing: int, facts: Ints) -> int:
    """Return the value of announcing rightly now, -OFFSET if that is not possible."""
    most = mine if mine >= facts[GOAL] else 0
    for suit in range(4):
        shown = gain(mine, facts[MARRIAGE] if suit else facts[ROYAL])
        if pairs >> suit & 1 and mine > 0 and shown >= facts[GOAL]:
            most = max(most, shown)
    if not most:
        return -OFFSET
    return claim_worth(theirs, closed, at_closing, facts) * STEP + most - count_of(theirs)


def played_out(
    mine: int, theirs: int, closed: int, at_closing: int, stock_left: int, facts: Ints
) -> int:
    """Return the value for the winner of the last trick, whose points are ``mine``."""
    worth = STEP * end_worth(mine, theirs, closed, at_closing, stock_left, facts)
    bonus = facts[LAST_TRICK] if facts[LAST_TRICK_CLOSED] or not stock_left else 0
    return worth + count_of(mine) + bonus - count_of(theirs)


def count_of(points: int) -> int:
    """Return the card points that count, of a side's points and tricks as one integer."""
    return points if points > 1 else 0
