"""The reasons in the order in which they are looked for, and the choice of one or two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from trainer.explain import changes, marriages, results, stock, tricks
from trainer.explain.as_seen import against, compared, uncertain
from trainer.explain.case import Budget, Case, Reason, TooLong, whole
from trainer.explain.figures import sentence
from trainer.explain.words import counted, doing, inside, number, result, the
from trainer.grading import Choice, Report
from trainer.rules.position import CLOSE, Position, View
from trainer.search import Answer, decides

Kind = Callable[[Case], Reason | None]

HOW: tuple[Kind, ...] = (
    marriages.false_claim,
    marriages.announce,
    marriages.unsaid,
    marriages.king_or_queen,
    stock.close_freezes,
    stock.draw_gives,
    stock.draw_first,
    stock.close_to_follow,
    stock.exchange_now,
    stock.exchange_feeds,
    marriages.marriage_waits,
    marriages.broken,
    tricks.unguarded,
    tricks.throws_points,
    tricks.takes_dear,
    tricks.lets_go,
    tricks.duty,
    tricks.falls,
    tricks.trump_left,
    marriages.marriage_now,
    marriages.their_marriage,
    stock.draw_order,
    stock.stock_brings,
    stock.close_keeps_out,
    tricks.must_be_won,
    tricks.must_be_left,
    tricks.keep,
    tricks.only_reply,
)
"""How a choice goes wrong beside the best one: the first that holds is told."""

RESULT: tuple[Kind, ...] = (
    results.tie,
    results.no_trick,
    results.in_schneider,
    results.schwarz_lost,
    results.schneider_lost,
    results.last_trick_ten,
    results.last_trick,
    results.short_count,
    results.failed_close,
    results.north_count,
    results.north_home,
)
"""What a wrong choice comes to."""

CARD: tuple[Kind, ...] = (changes.one_card,)
"""The card that would make a wrong choice right, told where nothing says how it goes wrong."""

POINTS: tuple[Kind, ...] = (changes.more_points, changes.fewer_points)
"""The card points that would make it right, told where nothing else is."""

RIGHT: tuple[Kind, ...] = (
    marriages.announce,
    results.tie_saved,
    results.home,
    results.schwarz_kept,
    results.schneider_kept,
    results.schneider_saved,
    results.schwarz_saved,
    results.lost,
)
"""What a right choice comes to."""

AFTER_CLOSING = frozenset({"falls", "trumped", "unguarded", "only reply"})
"""Kinds that speak of the card led after a wrong closing."""
OWN_CARDS = frozenset({"announce", "show", "unsaid", "false claim"})
"""Kinds that are so whatever cards are concealed."""
OF_BEST = "best"
"""The fact that names the best choice in a reason that speaks of it, and not of the choice made."""
TEMPTING = 2
"""Worse choices, those that lose least first, of which one is told of beside the best."""
RIVALS = 2
"""Best choices that a wrong one is set beside, until a reason is found."""


def why(report: Report, choice: Choice) -> tuple[Reason, ...]:
    """Return one or two reasons for what a choice is worth, the more telling first.

    Where nothing particular holds it is one reason of the kind ``fallback``, with the figures.
    """
    if isinstance(report.table, View):
        found = _right_as_seen(report, choice) if choice.best else _wrong_as_seen(report, choice)
    elif choice.loss:
        found = _wrong(report.table, report, choice)
    else:
        found = _right(report.table, report, choice)
    return tuple(islice(found, 2)) or (Reason("fallback", sentence(report, choice)),)


def _first(kinds: Iterable[Kind], cases: Iterable[Case]) -> Reason | None:
    """Return the first reason that holds in any of the cases."""
    with suppress(TooLong):
        for case in cases:
            for kind in kinds:
                reason = kind(case)
                if reason is not None:
                    return reason
    return None


# ---------------------------------------------------------------------------------- every card seen


def _wrong(position: Position, report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield how a choice goes wrong, then what it comes to."""
    cases = _beside_the_best(position, report, choice)
    how = _first(HOW, cases) or _first(CARD, cases[:1])
    if how is not None:
        yield _after_closing(how) if _closes_wrongly(how, choice) else how
    came_to = _first(RESULT if how else (*RESULT, *POINTS), cases[:1])
    if came_to is not None:
        yield came_to


def _beside_the_best(position: Position, report: Report, choice: Choice) -> list[Case]:
    """Return a choice beside the best ones, the most natural of them first."""
    solver, budget = choice.solver, Budget()
    best = [each.answer for each in report.choices if not each.loss]
    natural = solver.best_move(position)
    best.sort(key=lambda answer: answer[0] != natural)
    answer = whole(position, choice.answer, solver)
    return [
        Case(
            position, answer, whole(position, each, solver, answer[-1]), solver, tuple(best), budget
        )
        for each in best[:RIVALS]
    ]


def _closes_wrongly(reason: Reason, choice: Choice) -> bool:
    about_choice = OF_BEST not in reason.facts
    return choice.answer[0] == CLOSE and about_choice and reason.kind in AFTER_CLOSING


def _after_closing(reason: Reason) -> Reason:
    return replace(reason, text=f"After closing, {inside(reason.text)}")


def _right(position: Position, report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield what a best choice comes to, then how another would go wrong, or that none would."""
    solver = choice.solver
    answer = whole(position, choice.answer, solver)
    rivals = tuple(each.answer for each in report.choices if not each.loss)
    case = Case(position, answer, answer, solver, rivals)
    came_to = _first(RIGHT, [case])
    if came_to is not None:
        yield came_to
    worse = sorted((each for each in report.choices if each.loss), key=lambda each: each.loss)
    for other in worse[:TEMPTING]:
        tempting = whole(position, other.answer, solver)
        how = _first(HOW, [Case(position, tempting, answer, solver, rivals, case.budget)])
        if how is not None and (came_to is None or how.text != came_to.text):
            yield _contrast(how, other.answer, position)
            return
    if not worse or came_to is None:
        yield _how_many(case, len(report.choices), len(worse))


def _contrast(reason: Reason, worse: Answer, table: Position | View) -> Reason:
    """Return the reason against another choice as it is told of the best one."""
    if OF_BEST in reason.facts:
        return reason
    text, card = inside(reason.text), worse[-1].card
    if card is not None:
        text = text.replace(the(card), "it", 1)
    return replace(reason, text=f"Worse is to {doing(worse, table)}: {text}")


def _how_many(case: Case, choices: int, worse: int) -> Reason:
    """Return how many choices are as good as this one."""
    end = result(case.value, case.north)
    facts = {"answer": case.answer, "choices": choices, "good": choices - worse}
    if choices == 1:
        text = f"There is nothing else than to {doing(case.answer, case.position)}: {end}."
        return Reason("forced", text, facts)
    if not worse:
        all_of_them = "Both choices" if choices == 2 else f"All {counted(choices, 'choice')}"
        return Reason("all equal", f"{all_of_them} come to the same: {end}.", facts)
    good = counted(choices - worse, "choice")
    verb = "comes" if choices - worse == 1 else "come"
    return Reason("few do", f"Of {number(choices)}, {good} {verb} to this: {end}.", facts)


# ---------------------------------------------------------------------------------- cards concealed


def _wrong_as_seen(report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield where a choice fails, then how it does in the layout that goes against it."""
    yield from compared(report, choice)
    reason = _as_laid(report, choice)
    if reason is not None:
        text = f"As the cards lie here: {inside(reason.text)}"
        yield reason if reason.kind in OWN_CARDS else replace(reason, text=text)


def _right_as_seen(report: Report, choice: Choice) -> Iterator[Reason]:
    """Yield where a best choice fails, or that it never does; then how another goes wrong."""
    yield from uncertain(report, choice)
    for other in report.choices:
        if other.loss and decides(other.answer):
            reason = _as_laid(report, other)
            if reason is not None:
                told = _contrast(reason, other.answer, report.table)
                text = told.text.replace(": ", ": as the cards may lie, ", 1)
                yield told if told.kind in OWN_CARDS else replace(told, text=text)
            return


def _as_laid(report: Report, choice: Choice) -> Reason | None:
    """Return how a wrong choice fails in the layout that goes against it."""
    position, solver = against(report, choice), choice.solver
    if position is None or not decides(report.best.answer):
        return None
    answer = whole(position, choice.answer, solver)
    best = whole(position, report.best.answer, solver, answer[-1])
    case = Case(position, answer, best, solver, ())
    if case.value >= case.best_value:
        return None
    reason = _first((*HOW, *RESULT), [case])
    return reason and replace(reason, facts={**reason.facts, "layout": position})
