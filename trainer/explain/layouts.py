"""The layouts of a concealed position: what a choice is worth in each, and which, in words.

A description is short and exact: simple facts about North's hand, one or two joined, are tried over
every layout, and one is told only if it holds in just the layouts meant. Failing that, one is told
with the number of layouts that it covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from trainer.explain.words import number, the
from trainer.grading import Report
from trainer.rules.cards import SUIT_NAMES, Card, cards_in, suit_of
from trainer.rules.position import (
    DRAW,
    NORTH,
    SOUTH,
    Position,
    View,
    count_hands,
    count_layouts,
    hands,
    hidden_cards,
    layouts,
    place,
)
from trainer.search import Answer, DoubleDummy, play_answer
from trainer.search.concealed import settles

MOST_HANDS = 2_000
"""Layouts are described only where North can hold no more hands than this."""
MOST_LAYOUTS = 200
"""The same for layouts with an open stock, each of which has to be searched anew."""
ENOUGH = 0.6
"""The share of the failing layouts that a description must cover to be worth saying."""


@dataclass(frozen=True, slots=True)
class Results:
    """What one choice is worth in every layout that South cannot tell apart."""

    positions: Sequence[Position]
    values: Sequence[int]
    by_hand: bool
    """One layout for each hand of North's, since nobody draws after the choice."""

    @property
    def unit(self) -> str:
        """What the layouts are called: ``hands`` or ``layouts``."""
        hands = {each.hands[NORTH] for each in self.positions}
        return "hands" if len(hands) == len(self.positions) else "layouts"


def results(report: Report, answer: Answer) -> Results | None:
    """Return the value of an answer in every layout, None where they are too many.

    The solver of the report has met these positions before.
    """
    view, solver = report.table, report.best.solver
    assert isinstance(view, View)
    by_hand = settles(view, answer)
    if by_hand and count_hands(view) <= MOST_HANDS:
        laid = [place(view, hand, hidden_cards(view, hand)) for hand in hands(view)]
    elif not by_hand and count_layouts(view) <= MOST_LAYOUTS:
        laid = list(layouts(view))
    else:
        return None
    return Results(laid, list(values(solver, laid, answer, by_hand)), by_hand)


def values(
    solver: DoubleDummy, positions: Sequence[Position], answer: Answer, by_hand: bool
) -> Iterator[int]:
    """Yield what an answer is worth to South in each layout, in game points."""
    after = play_answer(positions[0], answer)
    sign = 1 if after.turn == SOUTH else -1
    if by_hand and DRAW not in answer:
        held = (each.hands[NORTH] for each in positions)
        return (sign * value for value in solver.values_of_hands(after, held))
    return (sign * solver.value(play_answer(each, answer)) for each in positions)


# ------------------------------------------------------------------------- facts about a layout


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so in some layouts: a bit for each, and how it is said."""

    bits: int
    text: str
    weight: int
    """How much there is to say and to grasp; the lighter is preferred."""


def facts_about(found: Results, view: View) -> list[Fact]:
    """Return the simple facts that are so in some of the layouts and not in others."""
    positions = found.positions
    full = (1 << len(positions)) - 1
    holds = _held(positions, view)
    facts = list(_card_facts(holds, full))
    for suit in range(4):
        cards = [bits for card, bits in holds.items() if suit_of(card) == suit]
        known = sum(suit_of(card) == suit for card in cards_in(view.known))
        facts += _length_facts(cards, known, full, suit, view.trump)
    if not found.by_hand:
        facts += _draw_facts(positions, full)
    return [fact for fact in facts if fact.bits not in (0, full)]


def _held(positions: Sequence[Position], view: View) -> dict[Card, int]:
    """Return for every card not seen the layouts in which North holds it."""
    holds = dict.fromkeys(cards_in(view.unseen), 0)
    for number_, position in enumerate(positions):
        for card in cards_in(position.hands[NORTH] & view.unseen):
            holds[card] |= 1 << number_
    return holds


def _card_facts(holds: dict[Card, int], full: int) -> Iterator[Fact]:
    for card, bits in holds.items():
        yield Fact(bits, f"North holds {the(card)}", 2)
        yield Fact(full & ~bits, f"North does not hold {the(card)}", 3)


def _length_facts(cards: list[int], known: int, full: int, suit: int, trump: int) -> Iterator[Fact]:
    """Yield how many cards of a suit North holds: none, at least, at most."""
    exactly = [full] + [0] * len(cards)
    for bits in cards:
        for length in range(len(cards), 0, -1):
            exactly[length] = (exactly[length] & ~bits) | (exactly[length - 1] & bits)
        exactly[0] &= ~bits
    name = "trump" if suit == trump else SUIT_NAMES[suit][:-1]
    names = "trumps" if suit == trump else SUIT_NAMES[suit]
    at_most = 0
    for extra, bits in enumerate(exactly[:-1]):
        length = extra + known
        at_most |= bits
        if length == 0:
            yield Fact(at_most, f"North has no {name}", 1)
            yield Fact(full & ~at_most, f"North has a {name}", 2)
        else:
            most = f"at most {number(length)} {name if length == 1 else names}"
            yield Fact(at_most, f"North has {most}", 2)
            yield Fact(full & ~at_most, f"North has {number(length + 1)} {names} or more", 2)


def _draw_facts(positions: Sequence[Position], full: int) -> Iterator[Fact]:
    """Yield which card lies on top of the stock."""
    tops: dict[Card, int] = {}
    for number_, position in enumerate(positions):
        top = position.stock[0]
        tops[top] = tops.get(top, 0) | 1 << number_
    for card, bits in tops.items():
        yield Fact(bits, f"{the(card)} is the next card of the stock", 3)
        yield Fact(full & ~bits, f"{the(card)} is not the next card of the stock", 4)


def describe(found: Results, view: View, failing: int) -> Fact | None:
    """Return the shortest description that holds in exactly these layouts, None if none does."""
    single = facts_about(found, view)
    exact = [fact for fact in single if fact.bits == failing]
    if not exact:
        exact = list(_pairs(single, failing))
    return min(exact, key=_length, default=None)


def _pairs(facts: list[Fact], failing: int) -> Iterator[Fact]:
    """Yield two facts joined by "and" or "or" that hold in exactly the failing layouts."""
    wider = [fact for fact in facts if fact.bits & failing == failing]
    for one, two in combinations(wider, 2):
        if one.bits & two.bits == failing:
            yield _joined(one, two, "and", failing)
    narrower = [fact for fact in facts if fact.bits & ~failing == 0]
    for one, two in combinations(narrower, 2):
        if one.bits | two.bits == failing:
            yield _joined(one, two, "or", failing)


def _joined(one: Fact, two: Fact, word: str, bits: int) -> Fact:
    """Return two facts as one: ``North holds both the Ace of spades and the Ten of hearts``."""
    first, second = sorted((one, two), key=_length)
    weight = first.weight + second.weight + 1
    holds = "North holds "
    if first.text.startswith(holds) and second.text.startswith(holds):
        pair = "either" if word == "or" else "both"
        cards = f"{first.text.removeprefix(holds)} {word} {second.text.removeprefix(holds)}"
        return Fact(bits, f"{holds}{pair} {cards}", weight - 2)
    return Fact(bits, f"{first.text} {word} {second.text.removeprefix('North ')}", weight)


def _length(fact: Fact) -> tuple[int, int, str]:
    return fact.weight, len(fact.text), fact.text


def nearly(found: Results, view: View, failing: int) -> tuple[Fact, bool] | None:
    """Return a fact that covers most failing layouts and no other, or all of them and few more.

    The second item tells which: True for a fact that always fails.
    """
    total = failing.bit_count()
    facts = facts_about(found, view)
    inside = [f for f in facts if not f.bits & ~failing and f.bits.bit_count() >= ENOUGH * total]
    if inside:
        return max(inside, key=lambda f: (f.bits.bit_count(), -f.weight, f.text)), True
    around = [f for f in facts if not failing & ~f.bits and total >= ENOUGH * f.bits.bit_count()]
    if around:
        return min(around, key=lambda f: (f.bits.bit_count(), f.weight, f.text)), False
    return None


def told(found: Results, view: View, failing: int) -> str:
    """Return in which layouts something is so, in words and with their number."""
    count, total = failing.bit_count(), f"{len(found.values)} {found.unit}"
    others = (1 << len(found.values)) - 1 & ~failing
    exact, rest = describe(found, view, failing), describe(found, view, others)
    if exact is not None and (rest is None or exact.weight <= rest.weight + 1):
        return f"when {exact.text} ({count} of {total})"
    if rest is not None:
        return f"except when {rest.text} ({count} of {total})"
    near = nearly(found, view, failing)
    if near is None:
        return f"in {count} of {total}"
    fact, always = near
    such = fact.bits.bit_count()
    if always:
        return f"in {count} of {total}, in {such} of them since {fact.text}"
    return f"only when {fact.text}, in {count} of {such} such {found.unit}"
