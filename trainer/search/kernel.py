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
2 he is schneider, 1 anything. ``closed`` is 0, 1 (the attacker closed), 2 (the defender did), or 3
(the defender did, and the attacker must let him run out short, as announcing would pay too little).
What is found is kept in two tables: ``unsettled`` for positions that still draw, which is good for
one order of the stock, and ``settled`` for those that do not, which holds for every layout with the
same trump suit and turn-up. ``row`` holds the laws of the variant as integers, see
:func:`trainer.search.encode.laws`.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

Ints = Sequence[int]
Memo = MutableMapping[tuple[int, int], int]
"""Positions, packed into two integers, to 1 if the attacker wins and 0 if not."""

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
    RANK_VALUES,
) = range(34)
LOW_HALF = RANK_VALUES + 8
HIGH_HALF = LOW_HALF + (1 << 12)
"""Where the card points of any twelve cards stand in ``row``, by their bits."""
TWO_OR_THREE, TWO, DOUBLE = range(3)
"""What a failure pays, in FAILED_CLOSE and BEATEN_CLOSE."""
GOAL_ALONE, HIGHER_COUNT, LAST_TRICK_WINS = range(3)
"""Who wins a deal played out unclaimed, in PLAYED_OUT."""


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
    stock: Ints,
    row: Ints,
    unsettled: Memo,
    settled: Memo,
) -> bool:
    """Return whether the attacker wins the race when ``me`` is to move.

    ``op`` is the other hand, without the card ``led`` (0 if ``me`` holds the lead). ``attack`` says
    whether ``me`` is the attacker. ``drawn`` counts the cards taken from ``stock``; ``turn_up`` is
    the last of them, as a bit. Where nobody draws any more ``undrawn`` says nothing.

    The function calls only itself, and never with a constant: numba could not load it from its
    cache otherwise.
    """
    stock_left = len(stock) - drawn
    is_open = closed == 0 and stock_left > 0
    undrawn = undrawn and is_open
    goal = row[GOAL]
    lowest = row[LOWEST]
    no_card = led & 0

    if led:
        if me & lowest and may_exchange(mine, attack, closed, undrawn, led, stock_left, row) and (
            race(
                me ^ lowest | turn_up, op, mine, theirs, led, attack, closed, level, undrawn,
                drawn, lowest, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
        legal = replies(me, led, is_open, row)
        wins = legal & beating(led, row)
        kept = kept_apart(me, op, is_open, turn_up, stock_left, row)
        out = op if is_open or not stock_left or not (me | op) & lowest else op | turn_up
        if is_open:
            for number in range(drawn, len(stock)):
                out |= stock[number]
        led_value = row[RANK_VALUES + (led.bit_length() - 1 >> 2)]

        rest = highest_of_equals(wins, out, kept, row)
        while rest:
            bit = rest.bit_length() - 1
            card = 1 << bit
            rest ^= card
            points = gain(mine, led_value + row[RANK_VALUES + (bit >> 2)])
            if me == card and not op:
                won = played_out(points, theirs, attack, closed, level, stock_left, row)
            elif ends_race(points, attack, closed, level, row):
                won = attack
            else:
                won = race(
                    me ^ card, op, points, theirs, no_card, attack, closed, level, is_open,
                    drawn, turn_up, stock, row, unsettled, settled,
                )  # fmt: skip
            if won == attack:
                return attack

        rest = lowest_of_equals(legal & ~wins, out, kept, row)
        while rest:
            card = rest & -rest
            rest ^= card
            points = gain(theirs, led_value + row[RANK_VALUES + (card.bit_length() - 1 >> 2)])
            if me == card and not op:
                won = played_out(points, mine, not attack, closed, level, stock_left, row)
            elif ends_race(points, not attack, closed, level, row):
                won = not attack
            else:
                won = race(
                    op, me ^ card, points, mine, no_card, not attack, closed, level, is_open,
                    drawn, turn_up, stock, row, unsettled, settled,
                )  # fmt: skip
            if won == attack:
                return attack
        return not attack

    silent = attack and closed == 3
    if mine >= goal and not silent:
        return attack
    pairs = marriages(me, row) if is_open or row[MARRIAGE_LATE] else no_card
    if pairs and mine > 0 and not silent and (not undrawn or row[SHOW_UNDRAWN]):
        need = goal - (mine if mine > 1 else 0)
        if (pairs & 1 and row[ROYAL] >= need) or (pairs & 14 and row[MARRIAGE] >= need):
            return attack
    state = (mine + 64) | (theirs + 64) << 9 | attack << 18 | closed << 19 | level << 21
    if is_open:
        state |= undrawn << 23 | (turn_up == lowest) << 24 | stock_left << 25
    key = (me | op << 24, state)
    memo = unsettled if is_open else settled
    known = memo.get(key, -1)
    if known >= 0:
        return known == 1
    if not is_open:
        verdict = beyond_doubt(
            me, op, mine, theirs, attack, closed, level, turn_up, stock_left, row
        )
        if verdict >= 0:
            return verdict == 1

    won = not attack
    if is_open and stock_left > row[CLOSE_HIDDEN] and (not undrawn or row[CLOSE_UNDRAWN]):
        goes_on = closing(attack, mine, theirs, level, row)
        if goes_on:
            won = race(
                me, op, mine, theirs, led, attack, goes_on >> 2, goes_on & 3, undrawn,
                drawn, turn_up, stock, row, unsettled, settled,
            )  # fmt: skip
        elif not attack:
            won = attack
    if (
        won != attack
        and me & lowest
        and may_exchange(mine, attack, closed, undrawn, led, stock_left, row)
    ):
        won = race(
            me ^ lowest | turn_up, op, mine, theirs, led, attack, closed, level, undrawn,
            drawn, lowest, stock, row, unsettled, settled,
        )  # fmt: skip
    if won != attack and undrawn:
        second = turn_up if stock_left == 2 else stock[drawn + 1]
        won = race(
            me | stock[drawn], op | second, mine, theirs, led, attack, closed, level, not undrawn,
            drawn + 2, turn_up, stock, row, unsettled, settled,
        )  # fmt: skip
    if won != attack and pairs and not undrawn:
        for number in range(8):
            suit = number >> 1
            if won == attack or not pairs >> suit & 1:
                continue
            worth = row[MARRIAGE] if suit else row[ROYAL]
            declared = mine - worth if mine <= 0 else gain(mine, worth)
            card = 1 << row[QUEEN_SHIFT if number & 1 else KING_SHIFT] + suit
            if not attack and declared > 1 and not within(declared, level, row):
                won = attack
            else:
                won = race(
                    op, me ^ card, theirs, declared, card, not attack, closed, level, undrawn,
                    drawn, turn_up, stock, row, unsettled, settled,
                )  # fmt: skip
    rest = no_card if undrawn else me
    while rest and won != attack:
        card = 1 << rest.bit_length() - 1
        rest ^= card
        won = race(
            op, me ^ card, theirs, mine, card, not attack, closed, level, undrawn,
            drawn, turn_up, stock, row, unsettled, settled,
        )  # fmt: skip
    memo[key] = 1 if won else 0
    return won


def ends_race(points: int, attack: bool, closed: int, level: int, row: Ints) -> bool:
    """Return whether a side that has just won a trick has won the race, by its points now.

    The attacker by announcing; the defender by that too, or by having got too much.
    """
    if points >= row[GOAL]:
        return not (attack and closed == 3)
    return not attack and not within(points, level, row)


def beating(led: int, row: Ints) -> int:
    """Return every card that beats a card led: higher ones of its suit, and trumps."""
    trumps = row[SUIT_MASK]
    higher = trumps << (led.bit_length() - 1 & 3) & ~(led * 2 - 1)
    return higher if led & trumps else higher | trumps


def replies(me: int, led: int, is_open: bool, row: Ints) -> int:
    """Return the cards of a hand that may be played to the card led."""
    if is_open:
        return me
    trumps = row[SUIT_MASK]
    own = me & trumps << (led.bit_length() - 1 & 3)
    if own and row[FOLLOW]:
        heading = own & beating(led, row)
        return heading if heading and row[HEAD] else own
    return me & trumps if not own and row[TRUMP] and me & trumps else me


def kept_apart(me: int, op: int, is_open: bool, turn_up: int, stock_left: int, row: Ints) -> int:
    """Return the cards that are good for more than the trick: marriages and the exchange.

    Of the others, two in one hand with nothing out between them are equal but for their points:
    the higher one wins a trick and the lower one loses it at no disadvantage.
    """
    kept = row[LOWEST] if stock_left else 0
    if is_open:
        return kept | 15 << row[KING_SHIFT] | 15 << row[QUEEN_SHIFT]
    pairs = marriages(me | turn_up if stock_left and me & row[LOWEST] else me, row)
    return kept | pairs << row[KING_SHIFT] | pairs << row[QUEEN_SHIFT]


def highest_of_equals(cards: int, out: int, kept: int, row: Ints) -> int:
    """Return cards less those that have a higher one beside them with nothing ``out`` between."""
    left = cards
    rest = cards & ~kept
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        suit = row[SUIT_MASK] << (bit & 3)
        higher = cards & suit & ~(2 * card - 1) & ~kept
        if higher and not (higher & -higher) - card & out & suit:
            left ^= card
    return left


def lowest_of_equals(cards: int, out: int, kept: int, row: Ints) -> int:
    """Return cards less those that have a lower one beside them with nothing ``out`` between."""
    left = cards
    rest = cards & ~kept
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        suit = row[SUIT_MASK] << (bit & 3)
        lower = cards & suit & (card - 1) & ~kept
        if lower and not card - (1 << lower.bit_length() - 1) & out & suit:
            left ^= card
    return left


def marriages(hand: int, row: Ints) -> int:
    """Return the suits of which a hand holds King and Queen, as bits in the kernel's order."""
    return hand >> row[KING_SHIFT] & hand >> row[QUEEN_SHIFT] & 15


def card_points(cards: int, row: Ints) -> int:
    """Return what a set of cards counts, in card points."""
    return row[LOW_HALF + (cards & 4095)] + row[HIGH_HALF + (cards >> 12)]


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
    row: Ints,
) -> int:
    """Return 1 if the attacker surely wins, 0 if he surely does not, -1 if play must decide.

    For hands that no longer draw. A side cannot get home that would be short with all that is
    left; a leader is home who has enough in cards that nothing can beat.
    """
    goal = row[GOAL]
    defended = closed >= 2
    all_mine = me | turn_up if stock_left and me & row[LOWEST] else me
    all_theirs = op | turn_up if stock_left and op & row[LOWEST] else op
    if not (closed == 0 and row[PLAYED_OUT] == LAST_TRICK_WINS):
        rest = card_points(all_mine | all_theirs, row)
        if row[LAST_TRICK_CLOSED] or not stock_left:
            rest += row[LAST_TRICK]
        own = max(mine, -mine) + rest + marriage_points(all_mine, row)
        if own < goal and attack != defended and (attack or level == 1):
            return 0 if attack else 1
        other = max(theirs, -theirs) + rest + marriage_points(all_theirs, row)
        if other < goal and attack == defended and (level == 1 or not attack):
            return 1 if attack else 0
    if (
        theirs >= goal
        or (attack and (closed == 3 or (level > 1 and row[PLAYED_OUT] == LAST_TRICK_WINS)))
        or max(mine, 0) + card_points(me, row) < goal
    ):
        return -1
    sure = 0
    for suit in range(4):
        if suit and all_theirs & row[SUIT_MASK]:
            break
        mask = row[SUIT_MASK] << suit
        above = all_theirs & mask
        sure |= me & mask & -(1 << above.bit_length())
    if max(mine, 0) + card_points(sure, row) < goal:
        return -1
    return 1 if attack else 0


def marriage_points(hand: int, row: Ints) -> int:
    """Return what the marriages of a hand can count, in card points."""
    pairs = marriages(hand, row)
    if not pairs or not row[MARRIAGE_LATE]:
        return 0
    plain = (pairs >> 1 & 1) + (pairs >> 2 & 1) + (pairs >> 3)
    return row[ROYAL] * (pairs & 1) + row[MARRIAGE] * plain


def may_exchange(
    mine: int, attack: bool, closed: int, undrawn: bool, led: int, stock_left: int, row: Ints
) -> bool:
    """Return whether a side may exchange at this moment, if it holds the lowest trump."""
    if not stock_left:
        return False
    if closed:
        closer = attack == (closed == 1)
        if not row[EXCHANGE_CLOSER if closer else EXCHANGE_OTHER]:
            return False
        moment = EXCHANGE_CLOSED_FOLLOW if led else EXCHANGE_CLOSED_LEAD
        needs_trick = row[EXCHANGE_CLOSED_TRICK]
    else:
        moment = EXCHANGE_FOLLOW if led else EXCHANGE_UNDRAWN if undrawn else EXCHANGE_LEAD
        needs_trick = row[EXCHANGE_TRICK]
    return bool(row[moment]) and (mine > 0 or not needs_trick)


def closing(attack: bool, mine: int, theirs: int, level: int, row: Ints) -> int:
    """Return the race that goes on after the leader closes, as 4 * closed + level.

    0 if the closing alone decides it against the attacker. A closer who succeeds is paid by the
    other side's state at the end or at the closing; what a failure pays is told by the row.
    """
    if attack:
        if not row[SUCCESS_AT_CLOSING]:
            return 4 + level
        return 4 + 1 if within(theirs, level, row) else 0
    trickless = theirs <= 0
    if trickless and row[TRICKLESS_CLOSE]:
        return 8 + 1 if row[TRICKLESS_CLOSE] >= level else 0
    short = failure_level(row[FAILED_CLOSE], trickless, mine, level, row)
    if not short:
        return 0
    beaten = failure_level(row[BEATEN_CLOSE], trickless, mine, level, row)
    return 8 + short if beaten else 12 + short


def failure_level(penalty: int, trickless: bool, closer: int, level: int, row: Ints) -> int:
    """Return how low a closer must be kept for his failure to pay ``level``, 0 if it cannot."""
    if penalty == DOUBLE:
        kept = (level + 1) >> 1
        return kept if within(closer, kept, row) else 0
    worth = 3 if trickless and penalty == TWO_OR_THREE else 2
    return 1 if worth >= level else 0


def played_out(
    winner: int, loser: int, attack: bool, closed: int, level: int, stock_left: int, row: Ints
) -> bool:
    """Return whether the attacker has won when the last trick is over and nobody has announced.

    ``winner`` and ``loser`` are the points of that trick's two sides; ``attack`` says whether its
    winner is the attacker.
    """
    if row[LAST_TRICK_CLOSED] or not stock_left:
        winner = gain(winner, row[LAST_TRICK])
    attacker, defender = (winner, loser) if attack else (loser, winner)
    goal = row[GOAL]
    if closed >= 2:
        failed = defender < goal or (attack and row[CLOSER_NEEDS_LAST])
        return bool(failed) and within(defender, level, row)
    if closed == 1 and row[CLOSER_NEEDS_LAST]:
        return attack and attacker >= goal and within(defender, level, row)
    if closed == 0 and row[PLAYED_OUT] == LAST_TRICK_WINS:
        return attack and level == 1
    if closed == 0 and row[PLAYED_OUT] == HIGHER_COUNT:
        return attacker > defender and within(defender, level, row)
    return attacker >= goal and defender < goal and within(defender, level, row)
