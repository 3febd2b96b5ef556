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
Memo = MutableMapping[int, bool]

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
    silent = attack and closed == 3
    if mine >= goal and not silent:
        return attack
    is_open = closed == 0 and drawn < len(stock)
    pairs = me >> row[KING_SHIFT] & me >> row[QUEEN_SHIFT] & 15
    if pairs and not is_open and not row[MARRIAGE_LATE]:
        pairs = 0
    if pairs and mine > 0 and not silent and (not undrawn or row[SHOW_UNDRAWN]):
        need = goal - (mine if mine > 1 else 0)
        if (pairs & 1 and row[ROYAL] >= need) or (pairs & 14 and row[MARRIAGE] >= need):
            return attack
    key = me | op << 24 | (mine + 64) << 48 | (theirs + 64) << 57
    key = key << 5 | attack | closed << 1 | level << 3
    memo = settled
    if is_open:
        memo = unsettled
        key = key << 6 | undrawn | (turn_up == row[LOWEST]) << 1 | (len(stock) - drawn) << 2
    known = memo.get(key)
    if known is not None:
        return known
    if not is_open:
        verdict = _beyond_doubt(
            me, op, mine, theirs, attack, closed, level, turn_up, len(stock) - drawn, row
        )
        if verdict >= 0:
            return verdict == 1
    result = _lead_options(
        me, op, mine, theirs, attack, closed, level, undrawn,
        drawn, turn_up, stock, row, unsettled, settled, is_open, pairs,
    )  # fmt: skip
    memo[key] = result
    return result


def card_points(cards: int, row: Ints) -> int:
    """Return what a set of cards counts, in card points."""
    return row[LOW_HALF + (cards & 4095)] + row[HIGH_HALF + (cards >> 12)]


def _beyond_doubt(
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
        own = max(mine, -mine) + rest + _marriages(all_mine, row)
        if own < goal and attack != defended and (attack or level == 1):
            return 0 if attack else 1
        other = max(theirs, -theirs) + rest + _marriages(all_theirs, row)
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


def _marriages(hand: int, row: Ints) -> int:
    """Return what the marriages of a hand can count, in card points."""
    pairs = hand >> row[KING_SHIFT] & hand >> row[QUEEN_SHIFT] & 15
    if not pairs or not row[MARRIAGE_LATE]:
        return 0
    plain = (pairs >> 1 & 1) + (pairs >> 2 & 1) + (pairs >> 3)
    return row[ROYAL] * (pairs & 1) + row[MARRIAGE] * plain


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
    if is_open and stock_left > row[CLOSE_HIDDEN] and (not undrawn or row[CLOSE_UNDRAWN]):
        race = closing(attack, mine, theirs, level, row)
        if race == 0:
            if not attack:
                return False
        elif (
            leads(
                me, op, mine, theirs, attack, race >> 2, race & 3, False,
                drawn, turn_up, stock, row, unsettled, settled,
            )
            == attack
        ):  # fmt: skip
            return attack
    lowest = row[LOWEST]
    if me & lowest and may_exchange(mine, attack, closed, undrawn, False, stock_left, row) and (
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


def may_exchange(
    mine: int, attack: bool, closed: int, undrawn: bool, following: bool, stock_left: int, row: Ints
) -> bool:
    """Return whether a side may exchange at this moment, if it holds the lowest trump."""
    if not stock_left:
        return False
    if closed:
        closer = attack == (closed == 1)
        if not row[EXCHANGE_CLOSER if closer else EXCHANGE_OTHER]:
            return False
        moment = EXCHANGE_CLOSED_FOLLOW if following else EXCHANGE_CLOSED_LEAD
        needs_trick = row[EXCHANGE_CLOSED_TRICK]
    else:
        moment = EXCHANGE_FOLLOW if following else EXCHANGE_UNDRAWN if undrawn else EXCHANGE_LEAD
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
    if me & lowest and may_exchange(mine, attack, closed, False, True, stock_left, row) and (
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
    out = op
    if is_open:
        for number in range(drawn, len(stock)):
            out |= stock[number]
    own_later = me
    if not is_open and stock_left and (me | op) & lowest:
        out |= turn_up  # it may still be taken in exchange
        if me & lowest:
            own_later |= turn_up
    kept = _kept_apart(own_later, is_open, stock_left, row)

    wins = legal & winners
    rest = wins
    while rest:
        bit = rest.bit_length() - 1
        card = 1 << bit
        rest ^= card
        if not card & kept:
            higher = wins & (trumps << (bit & 3)) & ~(2 * card - 1) & ~kept
            if higher and not (higher & -higher) - card & out & trumps << (bit & 3):
                continue
        hand = me ^ card
        points = gain(mine, led_value + row[RANK_VALUES + (bit >> 2)])
        if not hand and not op:
            won = played_out(points, theirs, attack, closed, level, stock_left, row)
        elif not attack and not within(points, level, row):
            won = False
        elif points >= goal and not (attack and closed == 3):
            won = attack
        else:
            won = leads(
                hand, op, points, theirs, attack, closed, level, is_open,
                drawn, turn_up, stock, row, unsettled, settled,
            )  # fmt: skip
        if won == attack:
            return attack

    loses = legal & ~winners
    rest = loses
    while rest:
        card = rest & -rest
        rest ^= card
        bit = card.bit_length() - 1
        if not card & kept:
            lower = loses & (trumps << (bit & 3)) & (card - 1) & ~kept
            if lower and not card - (1 << lower.bit_length() - 1) & out & trumps << (bit & 3):
                continue
        hand = me ^ card
        points = gain(theirs, led_value + row[RANK_VALUES + (bit >> 2)])
        if not hand and not op:
            won = played_out(points, mine, not attack, closed, level, stock_left, row)
        elif attack and not within(points, level, row):
            won = False
        elif points >= goal and (attack or closed != 3):
            won = not attack
        else:
            won = leads(
                op, hand, points, mine, not attack, closed, level, is_open,
                drawn, turn_up, stock, row, unsettled, settled,
            )  # fmt: skip
        if won == attack:
            return attack
    return not attack


def _kept_apart(me: int, is_open: bool, stock_left: int, row: Ints) -> int:
    """Return the cards that are good for more than the trick: marriages and the exchange.

    Of the others, two in one hand with nothing out between them are equal but for their points:
    the higher one wins a trick and the lower one loses it at no disadvantage.
    """
    kept = row[LOWEST] if stock_left else 0
    if is_open:
        return kept | 15 << row[KING_SHIFT] | 15 << row[QUEEN_SHIFT]
    pairs = me >> row[KING_SHIFT] & me >> row[QUEEN_SHIFT] & 15
    return kept | pairs << row[KING_SHIFT] | pairs << row[QUEEN_SHIFT]


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
