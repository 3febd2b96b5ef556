"""Cards concealed: where a choice fails, and how the hidden cards are laid against it."""

from __future__ import annotations

from collections.abc import Iterator

from trainer.explain.case import Reason
from trainer.explain.layouts import results, told, values
from trainer.explain.words import doing
from trainer.grading import Choice, Report
from trainer.rules.cards import suit_cards
from trainer.rules.position import NORTH, Position, View, count_hands
from trainer.search.concealed import settles

MOST_TRIED = 60
"""Layouts with an open stock in which the best choice is tried beside another."""


def only_on_average(report: Report, choice: Choice) -> str | None:
    """Return how often a best choice fails, and when; None if it is not best or never fails.

    Failing is losing the deal, or where that never happens not winning it, or winning less.
    """
    if not choice.best:
        return None
    reason = failing(report, choice)
    return None if reason is None else reason.text


def failing(report: Report, choice: Choice) -> Reason | None:
    """Return in which layouts a choice does worse than it can, None if it never does."""
    view, listed = report.table, choice.distribution
    if len(listed) == 1 or not isinstance(view, View):
        return None
    worst = min(listed)
    if worst < 0:
        bar, alike = 0, sum(value < 0 for value in listed) == 1
        fails = f"loses {-worst}" if alike else "loses"
    elif worst == 0:
        bar, fails = 1, "does not win"
    else:
        bar, fails = max(listed), f"wins less than {max(listed)}"
    if max(listed) < bar:
        return None
    wins = sum(count for value, count in listed.items() if value >= bar)
    found, unit = results(report, choice.answer), _unit(report, choice)
    done = "wins" if bar < 2 else f"wins {bar} in"
    if worst == 0 or bar > 0 or not any(value == 0 for value in listed):
        start = f"This {done} {wins} of {choice.layouts} {unit}"
    else:
        start = f"This does not lose in {wins} of {choice.layouts} {unit}"
    facts = {"answer": choice.answer, "bar": bar, "holds": wins}
    if found is None:
        rest = choice.layouts - wins
        others = f"other {rest}" if rest > 1 else "other"
        return Reason("layouts", f"{start}, and {fails} in the {others}.", facts)
    where = sum(1 << place for place, value in enumerate(found.values) if value < bar)
    return Reason("layouts", f"{start}; it {fails} {told(found, view, where)}.", facts)


def _unit(report: Report, choice: Choice) -> str:
    """Return what the layouts are called in which a choice was counted."""
    if choice.status == "sampled":
        return "sampled layouts"
    assert isinstance(report.table, View)
    return "hands" if choice.layouts == count_hands(report.table) else "layouts"


def _in_every(count: int, unit: str) -> str:
    """Return words for all of the hands or layouts there are."""
    return f"in each of the {count} {unit}" if count > 1 else f"in the one {unit[:-1]} there can be"


def uncertain(report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield in which layouts a best choice fails, or that it never does."""
    reason = failing(report, choice)
    if reason is not None:
        yield reason
    elif len(choice.distribution) == 1 and choice.status != "sampled":
        every = _in_every(choice.layouts, _unit(report, choice))
        worth = choice.worst
        text = f"This wins {worth} {every}."
        if worth <= 0:
            comes = f"North scores {-worth}" if worth else "Nobody scores"
            text = f"{comes} {every}, and nothing does better."
        yield Reason("sure", text, {"answer": choice.answer, "worth": worth})


def compared(report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield in which layouts a choice is worth less than the best one."""
    assert isinstance(report.table, View)
    best = report.best
    if not choice.wins and best.wins:
        none = f"wins none of {choice.layouts} {_unit(report, choice)}"
        text = f"This {none if choice.layouts > 1 else 'does not win'}."
        yield Reason("never", text, {"answer": choice.answer, "holds": 0, "bar": 1})
        return
    if max(choice.distribution) < 0 and best.wins == 0 and len(choice.distribution) > 1:
        text = f"This loses in all {choice.layouts} {_unit(report, choice)}."
        yield Reason("never", text, {"answer": choice.answer, "holds": 0, "bar": 0})
    mine, theirs = (results(report, each.answer) for each in (choice, best))
    if mine is None or theirs is None or mine.by_hand != theirs.by_hand:
        reason = failing(report, choice)
        if reason is not None:
            yield reason
        return
    pairs = list(zip(mine.values, theirs.values, strict=True))
    worse = sum(1 << place for place, (own, other) in enumerate(pairs) if own < other)
    better = sum(own > other for own, other in pairs)
    facts = {"answer": choice.answer, "best": best.answer, "worse": worse.bit_count()}
    todo = f"To {doing(best.answer, report.table)} does better"
    if worse.bit_count() == len(pairs):
        text = f"{todo} {_in_every(len(pairs), mine.unit)}"
    else:
        text = f"{todo} {told(mine, report.table, worse)}"
    text += f"; this does better in {better}." if better else "."
    yield Reason("layouts", text, facts)


def against(report: Report, choice: Choice) -> Position | None:
    """Return a layout that fits all South has seen and in which a choice fails.

    Of the layouts where the best choice is worth more it is one where the choice is worth least,
    then one where the best is worth most, then one with the plainest hand for North: always the
    same. None with every card seen, for a best choice, and where no layout goes against it.
    """
    if not isinstance(report.table, View) or choice.best:
        return None
    found = results(report, choice.answer)
    if found is None:
        return choice.layout
    solver, best = choice.solver, report.best.answer
    by_hand = settles(report.table, best)
    for value in sorted(set(found.values)):
        there = [p for p, each in zip(found.positions, found.values, strict=True) if each == value]
        there = sorted(there, key=_plainness)[: None if by_hand else MOST_TRIED]
        worth = list(values(solver, there, best, by_hand))
        top = max(worth)
        if top > value:
            return there[worth.index(top)]
    return None


def _plainness(position: Position) -> tuple[int, int, tuple[int, ...]]:
    """Return a key by which a hand of even lengths comes first."""
    hand = position.hands[NORTH]
    lengths = [suit_cards(hand, suit).bit_count() for suit in range(4)]
    return sum(length * length for length in lengths), hand, position.stock
