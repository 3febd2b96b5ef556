"""The exhaustive search, in integers only.

The question asked is a yes or no, a *race*: can the attacker make at least so many game points?
A value is found by asking it at different levels (:mod:`trainer.search.double_dummy`).

This is the one second statement of the trick rules, for speed; tests hold it against the rules
package and against an independent minimax. It is written in the subset of Python that numba
compiles.

Cards are bits in rank-major order with the trump suit first: bit ``4 * strength + suit``, strength
0 the lowest. Points are kept as one integer a side that tells tricks as well:

* above 1: card points, with at least one trick;
* 1: a trick won, but no card points yet;
* 0: no trick; below 0: no trick, and so many provisional marriage points.

``level`` is what the defender must not exceed when the attacker gets home: 3 he has won nothing,
2 he is schneider, 1 anything. ``closed`` is 0, 1 (the attacker closed) or 2 (the defender did).
What is found is kept in two tables: ``unsettled`` for positions that still draw, which is good for
one order of the stock, and ``settled`` for those that do not, which holds for every layout with the
same trump suit and turn-up. ``row`` holds the laws of the variant as integers, see
:func:`trainer.search.encode.laws`.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

Ints = Sequence[int]
Memo = MutableMapping[int, bool]

(
    GOAL,
    SCHNEIDER,
    SCHWARZ_BY_POINTS,
    MARRIAGE,
    ROYAL,
    MARRIAGE_LATE,
    KING_SHIFT,
    QUEEN_SHIFT,
    FOLLOW,
    HEAD,
    TRUMP,
    EXCHANGE_OPEN_LEAD,
    EXCHANGE_OPEN_UNDRAWN,
    EXCHANGE_OPEN_FOLLOW,
    EXCHANGE_CLOSED_LEAD,
    EXCHANGE_CLOSED_FOLLOW,
    EXCHANGE_TRICK,
    CLOSE_UNDRAWN,
    SUCCESS_AT_CLOSING,
    LAST_TRICK,
    LOWEST,
    SUIT_MASK,
    RANK_VALUES,
) = range(23)


def within(points: int, level: int, row: Ints) -> bool:
    """Return whether a defender with these points still loses at least ``level``."""
    if level == 1:
        return True
    if level == 3:
        return points <= 1 if row[SCHWARZ_BY_POINTS] else points <= 0
    return points < row[SCHNEIDER]


def gain(points: int, more: int) -> int:
    """Return a side's points after winning a trick of ``more`` card points."""
    if points < 0:
        return more - points
    total = more if points == 1 else points + more
    return total if total > 1 else 1


def leads(
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
    stock: Ints,
    row: Ints,
    unsettled: Memo,
    settled: Memo,
) -> bool:
    """Return whether the attacker wins the race when ``me`` holds the lead.

    ``drawn`` counts the cards taken from ``stock``; ``turn_up`` is its last card, as a bit.
    """
    goal = row[GOAL]
    if mine >= goal:
        return attack
    is_open = closed == 0 and drawn < len(stock)
    pairs = me >> row[KING_SHIFT] & me >> row[QUEEN_SHIFT] & 15
    if pairs and not is_open and not row[MARRIAGE_LATE]:
        pairs = 0
    if pairs and mine > 0:
        need = goal - (mine if mine > 1 else 0)
        if (pairs & 1 and row[ROYAL] >= need) or (pairs & 14 and row[MARRIAGE] >= need):
            return attack
    key = me | op << 24 | (mine + 64) << 48 | (theirs + 64) << 56
    key = key << 5 | attack | closed << 1 | level << 3
    memo = settled
    if is_open:
        memo = unsettled
        key = key << 6 | undrawn | (turn_up == row[LOWEST]) << 1 | (len(stock) - drawn) << 2
    known = memo.get(key)
    if known is not None:
        return known
    result = _lead_options(
        me, op, mine, theirs, attack, closed, level, undrawn,
        drawn, turn_up, stock, row, unsettled, settled, is_open, pairs,
    )  # fmt: skip
    memo[key] = result
    return result


def _lead_options(
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
    stock: Ints,
    row: Ints,
    unsettled: Memo,
    settled: Memo,
    is_open: bool,
    pairs: int,
) -> bool:
    """Return whether the attacker wins, trying every option of the leader in turn."""
    stock_left = len(stock) - drawn
    if is_open and stock_left >= 2 and (not undrawn or row[CLOSE_UNDRAWN]):
        worth = close_level(attack, mine, theirs, level, row)
        if worth == 0:
            if not attack:
                return False
        elif (
            leads(
                me, op, mine, theirs, attack, 1 if attack else 2, worth, False,
                drawn, turn_up, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
    lowest = row[LOWEST]
    if me & lowest and stock_left and (mine > 0 or not row[EXCHANGE_TRICK]):
        if closed:
            allowed = row[EXCHANGE_CLOSED_LEAD]
        elif undrawn:
            allowed = row[EXCHANGE_OPEN_UNDRAWN]
        else:
            allowed = row[EXCHANGE_OPEN_LEAD]
        if allowed and (
            leads(
                me ^ lowest | turn_up, op, mine, theirs, attack, closed, level, undrawn,
                drawn, lowest, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
    if undrawn:
        second = turn_up if stock_left == 2 else stock[drawn + 1]
        return leads(
            me | stock[drawn], op | second, mine, theirs, attack, closed, level, False,
            drawn + 2, turn_up, stock, row, unsettled, settled,
        )  # fmt: skip
    for suit in range(4):
        if pairs >> suit & 1:
            worth = row[MARRIAGE] if suit else row[ROYAL]
            declared = mine - worth if mine <= 0 else (mine + worth if mine > 1 else worth)
            if not attack and declared > 1 and not within(declared, level, row):
                return False
            for shift in (row[KING_SHIFT], row[QUEEN_SHIFT]):
                card = 1 << shift + suit
                if (
                    follows(
                        op, me ^ card, theirs, declared, card, not attack, closed, level,
                        drawn, turn_up, stock, row, unsettled, settled,
                    )
                    == attack
                ):  # fmt: skip
                    return attack
    rest = me
    while rest:
        card = 1 << rest.bit_length() - 1
        rest ^= card
        if (
            follows(
                op, me ^ card, theirs, mine, card, not attack, closed, level,
                drawn, turn_up, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
    return not attack


def close_level(attack: bool, mine: int, theirs: int, level: int, row: Ints) -> int:
    """Return the level at which the race goes on after the leader closes; 0 if it is lost to the
    attacker by the closing alone.

    A closer who succeeds is paid by the other side's state at the end or at the closing; one who
    fails pays 2, or 3 to a side that had no trick.
    """
    if attack:
        if not row[SUCCESS_AT_CLOSING]:
            return level
        return 1 if within(theirs, level, row) else 0
    failure = 3 if theirs <= 0 else 2
    return 1 if failure >= level else 0


def follows(
    me: int,
    op: int,
    mine: int,
    theirs: int,
    led: int,
    attack: bool,
    closed: int,
    level: int,
    drawn: int,
    turn_up: int,
    stock: Ints,
    row: Ints,
    unsettled: Memo,
    settled: Memo,
) -> bool:
    """Return whether the attacker wins the race when ``me`` must play to the card ``led``.

    ``op`` is the leader's hand without that card.
    """
    stock_left = len(stock) - drawn
    is_open = closed == 0 and stock_left > 0
    lowest = row[LOWEST]
    if me & lowest and stock_left and (mine > 0 or not row[EXCHANGE_TRICK]):
        allowed = row[EXCHANGE_CLOSED_FOLLOW] if closed else row[EXCHANGE_OPEN_FOLLOW]
        if allowed and (
            follows(
                me ^ lowest | turn_up, op, mine, theirs, led, attack, closed, level,
                drawn, lowest, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
    led_bit = led.bit_length() - 1
    trumps = row[SUIT_MASK]
    suit = trumps << (led_bit & 3)
    winners = me & suit & ~(led * 2 - 1)
    if not led & trumps:
        winners |= me & trumps
    legal = me
    if not is_open:
        own = me & suit
        if own and row[FOLLOW]:
            heading = own & winners
            legal = heading if heading and row[HEAD] else own
        elif not own and row[TRUMP] and me & trumps:
            legal = me & trumps
    led_value = row[RANK_VALUES + (led_bit >> 2)]
    goal = row[GOAL]

    rest = legal & winners
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        hand = me ^ card
        points = gain(mine, led_value + row[RANK_VALUES + (bit >> 2)])
        if not hand and not op:
            won = played_out(points, theirs, attack, closed, level, stock_left, row)
        elif not attack and not within(points, level, row):
            won = False
        elif points >= goal:
            won = attack
        else:
            won = leads(
                hand, op, points, theirs, attack, closed, level, is_open,
                drawn, turn_up, stock, row, unsettled, settled,
            )  # fmt: skip
        if won == attack:
            return attack

    rest = legal & ~winners
    while rest:
        card = rest & -rest
        rest ^= card
        hand = me ^ card
        points = gain(theirs, led_value + row[RANK_VALUES + (card.bit_length() - 1 >> 2)])
        if not hand and not op:
            won = played_out(points, mine, not attack, closed, level, stock_left, row)
        elif attack and not within(points, level, row):
            won = False
        elif points >= goal:
            won = not attack
        else:
            won = leads(
                op, hand, points, mine, not attack, closed, level, is_open,
                drawn, turn_up, stock, row, unsettled, settled,
            )  # fmt: skip
        if won == attack:
            return attack
    return not attack


def played_out(
    winner: int, loser: int, attack: bool, closed: int, level: int, stock_left: int, row: Ints
) -> bool:
    """Return whether the attacker has won when the last trick is over and nobody has announced.

    ``winner`` and ``loser`` are the points of that trick's two sides; ``attack`` says whether its
    winner is the attacker.
    """
    if not stock_left:
        winner = gain(winner, row[LAST_TRICK])
    attacker, defender = (winner, loser) if attack else (loser, winner)
    goal = row[GOAL]
    if closed == 2:
        return defender < goal
    return attacker >= goal and defender < goal and within(defender, level, row)
