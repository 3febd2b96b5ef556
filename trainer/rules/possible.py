"""Whether a position can arise in play, and why not.

Only what is impossible is refused. Which of the two cards of a trick was led, and in which order
the tricks fell, takes no part in the question, so whoever sets a position up from memory need not
know either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import NamedTuple

from trainer.rules.cards import (
    KING,
    QUEEN,
    SUIT_NAMES,
    Card,
    Hand,
    card_name,
    cards_in,
    hand_of,
    make_card,
    suit_of,
)
from trainer.rules.outcome import last_trick_points, settle_claim, settle_played_out
from trainer.rules.position import (
    NORTH,
    SIDE_NAMES,
    SOUTH,
    Closing,
    Outcome,
    Position,
    Side,
    Table,
    Trick,
    View,
)
from trainer.rules.variants import Variant

Pair = tuple[int, int]
HAND_FIELDS = tuple(f"{name}'s hand" for name in SIDE_NAMES)


class Fault(NamedTuple):
    """Why a position cannot arise: the field at fault, what it says and what it should say."""

    field: str
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the rules below ask of a position or a view. Pairs are South's, then North's."""

    hands: tuple[Hand, Hand]
    """The cards each side is seen to hold."""
    sizes: Pair
    """How many cards each side holds."""
    may_hold: tuple[Hand, Hand]
    """The cards each side can hold."""
    gone: Hand
    """The cards in the tricks won."""
    leader: Side
    """Who leads, or has led to the trick on the table."""
    drawn: int
    """How many cards each side has drawn from the stock."""
    played_out: bool
    """No card is left to play."""


def _facts(table: Position | View) -> _Facts:
    if isinstance(table, View):
        hands = (table.hand, table.known)
        hidden = table.unseen & ~table.lacks if table.concealed else 0
        may_hold = (table.hand, table.known | hidden)
        more, gone = table.concealed, table.won_cards
    else:
        hands = may_hold = table.hands
        more, gone = 0, table.won_cards
        if table.won is None:
            gone = table.variant.pack & ~(hands[SOUTH] | hands[NORTH] | hand_of(table.stock))
            if table.led is not None:
                gone &= ~(1 << table.led)
    sizes = (hands[SOUTH].bit_count(), hands[NORTH].bit_count() + more)
    return _Facts(
        hands=hands,
        sizes=sizes,
        may_hold=may_hold,
        gone=gone,
        leader=table.turn if table.led is None else 1 - table.turn,
        drawn=(table.variant.stock_size - len(table.stock)) // 2,
        played_out=sizes == (0, 0) and table.led is None,
    )


def find_fault(table: Position | View) -> Fault | None:
    """Return the first reason why a position cannot arise in play, None if it can."""
    facts = _facts(table)
    return next(chain.from_iterable(rule(table, facts) for rule in _RULES), None)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _cards(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """Each card is of the pack and lies in one place."""
    places = {
        HAND_FIELDS[SOUTH]: list(cards_in(facts.hands[SOUTH])),
        HAND_FIELDS[NORTH]: list(cards_in(facts.hands[NORTH])),
        "stock": [card for card in table.stock if card is not None],
        "led": [] if table.led is None else [table.led],
        "won": [card for tricks in table.won or () for trick in tricks for card in trick],
    }
    seen: dict[Card, str] = {}
    for place, cards in places.items():
        for card in cards:
            if not table.variant.pack >> card & 1:
                yield Fault(place, f"the {card_name(card)}", f"cards of {table.variant.name}")
            if card in seen:
                yield Fault(
                    place, f"the {card_name(card)} again", f"each card once, see {seen[card]}"
                )
            seen[card] = place


def _stock(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """Cards leave the stock in pairs, and the turn-up shows the trump suit."""
    full, left = table.variant.stock_size, len(table.stock)
    if left > full or (full - left) % 2:
        yield Fault("stock", _number(left, "card"), f"an even number of cards, at most {full}")
    if table.stock:
        turn_up, suit = table.stock[-1], SUIT_NAMES[table.trump]
        if turn_up is None:
            yield Fault("stock", "a last card face down", f"the turn-up, one of the {suit}")
        elif suit_of(turn_up) != table.trump:
            expected = f"a turn-up of the trump suit, {suit}, as the last card"
            yield Fault("stock", f"the {card_name(turn_up)}", expected)


def _sizes(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """Tricks, draws and the cards in hand fit each other."""
    row, left = table.variant, len(table.stock)
    tricks, drawn = sum(table.tricks), facts.drawn
    stock_open = left > 0 and table.closed is None
    if table.undrawn and not stock_open:
        found = "undrawn with a closed stock" if left else "undrawn with no stock"
        yield Fault("undrawn", found, "an open stock to draw from")
    if table.undrawn and table.led is not None:
        yield Fault("undrawn", "undrawn with a card led", "a draw or a close before the lead")
    if table.closed is not None and left <= row.close_hidden:
        expected = f"at least {_number(row.close_hidden, 'card')} face down, and the turn-up"
        yield Fault("closed", f"{_number(left, 'card')} left", expected)
    if stock_open and table.undrawn and tricks == drawn:
        expected = "the draw made, as {} and {} left in the stock fit".format(
            _number(tricks, "trick"), _number(left, "card")
        )
        yield Fault("undrawn", "undrawn", expected)
    if stock_open and tricks != drawn + table.undrawn:
        reason = f"as {left} of the {row.stock_size} cards are left in the open stock"
        hint = ", or undrawn after the turn" if tricks == drawn + 1 else ""
        expected = f"{_number(drawn + table.undrawn, 'trick')}, {reason}{hint}"
        yield Fault("points", _number(tricks, "trick"), expected)
    on_table = table.led is not None
    most = drawn + row.hand_size - on_table
    if not drawn <= tricks <= most:
        expected = f"from {drawn} to {_number(most, 'trick')}, by the cards dealt and drawn"
        yield Fault("points", _number(tricks, "trick"), expected)
    for side in (SOUTH, NORTH):
        led = on_table and side == facts.leader
        size = row.hand_size + drawn - tricks - led
        if facts.sizes[side] != size:
            parts = f"{row.hand_size} dealt, {drawn} drawn, {tricks} played to tricks"
            expected = f"{size} ({parts}{', 1 led' if led else ''})"
            yield Fault(HAND_FIELDS[side], _number(facts.sizes[side], "card"), expected)
    if facts.played_out and table.over is None:
        yield Fault("over", "a deal that goes on", "over=, as no card is left to play")


def _leads(table: Table, trick: Trick, winner: Side) -> list[tuple[Side, Card]]:
    """Return who can have led which card to a trick, given who won it."""
    return [
        (1 - winner if table.variant.beats(reply, led, table.trump) else winner, led)
        for led, reply in (trick, trick[::-1])
    ]


def _won(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """The tricks won are as many as the points say, and leave the lead where it is."""
    leader, other = facts.leader, 1 - facts.leader
    name, others_name = SIDE_NAMES[leader], SIDE_NAMES[other]
    on_lead = f"{name} {'on lead' if table.led is None else 'having led'}"
    if any(table.tricks) and not table.tricks[leader]:
        yield Fault("turn", on_lead, f"the lead with {others_name}, who has won every trick")
    if table.won is None:
        if isinstance(table, View):
            yield Fault("won", "no won=", "the tricks won, as they fix which cards are still out")
        return
    for side in (SOUTH, NORTH):
        found, tricks = len(table.won[side]), table.tricks[side]
        if found != tricks:
            expected = f"{tricks}, as the points say"
            yield Fault("won", f"{_number(found, 'trick')} for {SIDE_NAMES[side]}", expected)
    if all(table.tricks) and not any(
        who == other for trick in table.won[leader] for who, _ in _leads(table, trick, leader)
    ):
        reason = f"{others_name} can have led none of the tricks that {name} has won"
        yield Fault("turn", on_lead, f"the lead with {others_name}: {reason}")


def _can_have_declared(table: Table, facts: _Facts, side: Side, suit: int) -> bool:
    """Return whether a side can have led to, or at the end shown, the marriage of a suit."""
    pair = hand_of((make_card(suit, KING), make_card(suit, QUEEN)))
    on_table = 1 << table.led if table.led is not None and facts.leader == side else 0
    spent = facts.gone | on_table
    if pair & ~(spent | facts.may_hold[side]):
        return False
    if not pair & spent:
        return table.over is not None and table.turn == side and table.tricks[side] > 0
    if table.won is None or pair & on_table:
        return True
    return any(
        who == side and pair >> card & 1
        for winner in (SOUTH, NORTH)
        for trick in table.won[winner]
        if hand_of(trick) != pair
        for who, card in _leads(table, trick, winner)
    )


def _said(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """Every marriage declared has left its trace."""
    for suit, name in enumerate(SUIT_NAMES):
        if table.said[SOUTH] & table.said[NORTH] & 1 << suit:
            yield Fault("said", f"{name} for both sides", "each marriage with one side")
        for side in (SOUTH, NORTH):
            if table.said[side] >> suit & 1 and not _can_have_declared(table, facts, side, suit):
                who = SIDE_NAMES[side]
                expected = f"a King or Queen of {name} that {who} has led, the other not elsewhere"
                yield Fault("said", f"{who}'s marriage in {name}", expected)


def _declarations(table: Table, facts: _Facts) -> Iterator[Pair]:
    """Yield the sets of marriages that can be behind the points, masks over the suits.

    They are those declared as far as the position tells. Where it tells neither marriages nor
    tricks, they are any that can have been declared; a side without a trick has declared at most
    one, with the first lead.
    """
    if any(table.said) or (table.won is not None and any(table.tricks)):
        yield table.said
        return
    choices = []
    for side in (SOUTH, NORTH):
        suits = [suit for suit in range(4) if _can_have_declared(table, facts, side, suit)]
        most = len(suits) if table.tricks[side] else min(1, len(suits))
        choices.append(
            [
                sum(1 << suit for suit in chosen)
                for count in range(most + 1)
                for chosen in combinations(suits, count)
            ]
        )
    for south, north in product(*choices):
        if not south & north:
            yield south, north


def _worth(table: Table, suits: int) -> int:
    """Return the card points of marriages, a mask over the suits."""
    return sum(
        table.variant.marriage_value(suit, table.trump) for suit in range(4) if suits >> suit & 1
    )


def _sums(row: Variant, cards: Hand, count: int) -> int:
    """Return which totals so many of the cards can make, in card points, as a bit mask."""
    sums = [1] + [0] * count
    for card in cards_in(cards):
        for size in range(count, 0, -1):
            sums[size] |= sums[size - 1] << row.value(card)
    return sums[count]


def _points(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """Tricks and marriages can give the points."""
    row = table.variant
    for side in (SOUTH, NORTH):
        name, points, later = SIDE_NAMES[side], table.card_points[side], table.provisional[side]
        if points and not table.tricks[side]:
            found = f"{_number(points, 'card point')} and no trick for {name}"
            yield Fault("points", found, "0, or a marriage after ~ until a trick is won")
        if later and table.tricks[side]:
            found = f"~{later} and {_number(table.tricks[side], 'trick')} for {name}"
            yield Fault("points", found, "nothing after ~ once a trick is won")
        if later not in (0, row.marriage, row.royal_marriage):
            expected = f"a marriage after ~, {row.marriage} or {row.royal_marriage}"
            yield Fault("points", f"~{later} for {name}", expected)
    bonus = [0, 0]
    if facts.played_out:
        bonus[table.turn] = last_trick_points(row, len(table.stock))
    counted = [
        table.card_points[side] + table.provisional[side] - bonus[side] for side in (SOUTH, NORTH)
    ]
    if table.won is None:
        yield from _split_fault(table, facts, counted, sum(bonus))
    else:
        in_tricks = [row.hand_value(hand_of(chain.from_iterable(tricks))) for tricks in table.won]
        yield from _count_fault(table, facts, counted, in_tricks)


def _split_fault(table: Table, facts: _Facts, counted: list[int], bonus: int) -> Iterator[Fault]:
    """The cards gone can be dealt out to the tricks of both sides so as to give the points."""
    row = table.variant
    sums = _sums(row, facts.gone, 2 * table.tricks[SOUTH])
    total = row.hand_value(facts.gone)
    for suits in _declarations(table, facts):
        south, north = (counted[side] - _worth(table, suits[side]) for side in (SOUTH, NORTH))
        if south >= 0 and south + north == total and sums >> south & 1:
            return
    points = "{} and {} card points".format(*table.card_points)
    cards = f"the {_number(facts.gone.bit_count(), 'card')} gone, worth {total}"
    cards += f", the last trick, worth {bonus}" if bonus else ""
    marriages = "the marriages said" if any(table.said) else "any marriage that can have been said"
    yield Fault("points", points, f"what {cards}, and {marriages} can give")


def _count_fault(
    table: Table, facts: _Facts, counted: list[int], in_tricks: list[int]
) -> Iterator[Fault]:
    """The points are those of the tricks won and of the marriages."""
    sides = (SOUTH, NORTH)
    worths = [
        [_worth(table, suits[side]) for side in sides] for suits in _declarations(table, facts)
    ]
    if any(all(counted[s] == in_tricks[s] + worth[s] for s in sides) for worth in worths):
        return
    for side in sides:
        points = table.card_points[side] + table.provisional[side]
        worth, bonus = worths[0][side], points - counted[side]
        total = in_tricks[side] + worth + bonus
        if points != total:
            parts = f"{in_tricks[side]} in tricks, {worth} for marriages"
            parts += "" if table.said[side] else " (none in said=)"
            parts += f", {bonus} for the last trick" if bonus else ""
            found = f"{points} for {SIDE_NAMES[side]}"
            yield Fault("points", found, f"{total}: {parts}")


def _closed(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """The closing had its moment: the closer on lead, and the other side with what it says."""
    closed = table.closed
    if closed is None:
        return
    row, other = table.variant, 1 - closed.side
    name, others_name = SIDE_NAMES[closed.side], SIDE_NAMES[other]
    points, tricks = table.card_points[other], table.tricks[other]
    found = f"{closed.card_points}/{closed.tricks} for {others_name} when {name} closed"
    if closed.card_points > points or closed.tricks > tricks:
        yield Fault("closed", found, f"no more than the {points}/{tricks} of now")
    if closed.card_points and not closed.tricks:
        yield Fault("closed", found, "0 card points before the first trick")
    moments = (facts.drawn, facts.drawn + 1) if row.close_undrawn else (facts.drawn,)
    if not any(_can_have_closed(table, facts, closed, moment) for moment in moments):
        expected = f"tricks that let {name} close on lead with {_number(facts.drawn, 'card')} drawn"
        yield Fault("closed", found, f"{expected}, and {SIDE_NAMES[facts.leader]} lead now")
    if closed.tricks == tricks and closed.card_points != points:
        yield Fault("closed", found, f"{points} card points: {others_name} has won no trick since")
    if table.won is not None and not any(
        sum(row.hand_value(hand_of(trick)) for trick in chosen) + _worth(table, suits)
        == closed.card_points
        for chosen in combinations(table.won[other], closed.tricks)
        for suits in range(1 << len(SUIT_NAMES))
        if not suits & ~table.said[other]
    ):
        expected = f"what {_number(closed.tricks, 'trick')} of won= and marriages of said= can give"
        yield Fault("closed", found, expected)


def _can_have_closed(table: Table, facts: _Facts, closed: Closing, moment: int) -> bool:
    """Return whether the stock can have been closed with so many tricks played."""
    closer, other = closed.side, 1 - closed.side
    before = moment - closed.tricks
    since = {
        closer: table.tricks[closer] - before,
        other: table.tricks[other] - closed.tricks,
    }
    had_lead = before > 0 or moment == closed.tricks == 0
    if min(since.values()) < 0 or not had_lead:
        return False
    return since[facts.leader] > 0 if any(since.values()) else facts.leader == closer


def _lacks(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """North can hold a hand without the cards it is known to lack."""
    if isinstance(table, View):
        for card in cards_in(table.lacks & table.known):
            yield Fault("lacks", f"the {card_name(card)}", "no card that North holds")
        left = (table.unseen & ~table.lacks).bit_count()
        if left < table.concealed:
            found = f"{_number(left, 'unseen card')} that North does not lack"
            yield Fault("lacks", found, f"at least {table.concealed}, as many as are concealed")


def _match(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """The match is not won yet."""
    length = table.variant.match_length
    if table.carry < 0:
        yield Fault("carry", str(table.carry), "0 or more")
    if table.match is not None and not all(0 <= points < length for points in table.match):
        yield Fault("match", "{}-{}".format(*table.match), f"match points from 0 to {length - 1}")


def _over(table: Position | View, facts: _Facts) -> Iterator[Fault]:
    """A deal is over when no card is left, or as an announcement by either side settles it."""
    if table.over is None:
        return
    if facts.played_out:
        outcomes = [settle_played_out(table)]
    else:
        outcomes = [settle_claim(table, side) for side in (table.turn, 1 - table.turn)]
    if table.over not in outcomes:
        words = " or ".join(dict.fromkeys(_outcome(each) for each in outcomes))
        reason = "all cards are played" if facts.played_out else "somebody announced"
        yield Fault("over", _outcome(table.over), f"{words}, as {reason}")


def _outcome(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "no game point for anybody (0)"
    return f"{_number(outcome.game_points, 'game point')} for {SIDE_NAMES[outcome.winner]}"


Rule = Callable[[Position | View, _Facts], Iterator[Fault]]
_RULES: tuple[Rule, ...] = (
    _cards,
    _stock,
    _sizes,
    _won,
    _said,
    _points,
    _closed,
    _lacks,
    _match,
    _over,
)
"""In this order: a rule may rely on those before it."""
