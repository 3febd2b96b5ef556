"""A decision as the themes look at it: what is right, what is wrong, and what a change would do.

Values are in game points for the side to move, who is "the mover"; the other is "the other side".
A theme is always about the same two groups of choices: the right ones, which are worth as much as
the best, and the wrong ones, which lose. Both are whole decisions: what is left open after closing
or exchanging is filled in.

A King or Queen led without a word, where its marriage could be declared, is not among the wrong
choices: that is no decision.

With every card seen there is one layout, the position itself. With cards concealed the choices
are told apart by their averages, and what a theme asks of a layout is asked of a few that fit all
the mover has seen: it must be so in most of those where the wrong choice really loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from random import Random
from typing import Any

from trainer.explain.case import Case, Reason, TooLong
from trainer.grading import CLOSE_CALL, ROUNDING, Report
from trainer.rules.cards import Card
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import (
    CLOSE,
    EXCHANGE,
    Kind,
    Move,
    Position,
    Side,
    View,
    count_hands,
    hands,
    hidden_cards,
    place,
    sample_layouts,
)
from trainer.rules.variants import Variant
from trainer.search import Answer, DoubleDummy, decides, play_answer
from trainer.themes.suits import names_for, renamed, renamed_answer

LAYOUTS = 24
"""Layouts of a concealed position that are looked at where nobody draws any more."""
OPEN_LAYOUTS = 8
"""The same while cards are drawn, which takes longer to search."""
MOST = 0.5
"""The share of the layouts in which something must be so."""
TEMPTING = 2
"""Wrong choices, those that lose least first, that a best one is set beside."""

Value = tuple[float, int]
"""What a choice is worth: game points, and card points more than the other side's, 0 if unknown."""
Holds = Callable[[Position, Answer], bool]
"""Something that may be so in a layout, of a wrong choice beside the best one."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A position, its right and its wrong choices, and the layouts in which they are compared."""

    table: Position | View
    solver: DoubleDummy
    right: tuple[Answer, ...]
    """The choices worth as much as the best one, that first."""
    wrong: tuple[Answer, ...]
    """The choices that lose, those that lose least first."""
    layouts: tuple[Position, ...]
    _solvers: dict[Variant, DoubleDummy] = field(default_factory=dict)
    _known: dict[tuple[int, Answer], int] = field(default_factory=dict)

    # ---- who, and what

    @property
    def me(self) -> Side:
        """The side to move."""
        return self.table.turn

    @property
    def other(self) -> Side:
        """The other side."""
        return 1 - self.table.turn

    @property
    def row(self) -> Variant:
        """The laws of the game."""
        return self.table.variant

    @property
    def best(self) -> Answer:
        """The best choice."""
        return self.right[0]

    @cached_property
    def choices(self) -> tuple[Answer, ...]:
        """All choices."""
        return self.right + self.wrong

    @property
    def tempting(self) -> tuple[Answer, ...]:
        """The wrong choices that lose least."""
        return self.wrong[:TEMPTING]

    @cached_property
    def drawing(self) -> bool:
        """Whether cards are still drawn after some right choice."""
        return self.table.closed is None and bool(self.table.stock) and not self.all_close

    @cached_property
    def all_close(self) -> bool:
        """Whether every right choice closes the stock."""
        return all(CLOSE in answer for answer in self.right)

    @cached_property
    def rights(self) -> tuple[Card, ...]:
        """The cards that the right choices play; none if one of them plays no card."""
        cards = [played(answer) for answer in self.right]
        return tuple(card for card in cards if card is not None) if None not in cards else ()

    def wins(self, card: Card | None) -> bool:
        """Return whether a card of the mover's wins the trick that the other side has led to."""
        led = self.table.led
        if led is None or card is None:
            return False
        return self.row.beats(card, led, self.table.trump)

    # ---- what it is worth

    def worth(self, position: Position) -> int:
        """Return what a position is worth to the mover."""
        return self.solver.value_for(self.me, position)

    def value(self, layout: Position, answer: Answer) -> int:
        """Return what a choice is worth in a layout."""
        key = id(layout), answer
        if key not in self._known:
            self._known[key] = self.worth(play_answer(layout, answer))
        return self._known[key]

    def under(self, position: Position, **columns: Any) -> int:
        """Return what a position would be worth to the mover if the game had other laws."""
        row = replace(position.variant, **columns)
        solver = self._solvers.setdefault(row, DoubleDummy())
        return solver.value_for(self.me, replace(position, variant=row))

    def level(self, value: int) -> int:
        """Return a value before what tied deals carry: 1, 2 or 3 for a deal won."""
        carry = self.table.carry
        return value - carry if value > 0 else value + carry if value < 0 else 0

    # ---- what is so in most layouts

    def telling(self, wrong: Answer) -> list[Position]:
        """Return the layouts in which a wrong choice is worth less than the best one."""
        return [
            layout
            for layout in self.layouts
            if self.value(layout, wrong) < self.value(layout, self.best)
        ]

    def mostly(self, holds: Holds, wrong: Answer) -> bool:
        """Return whether something is so in most layouts in which a wrong choice loses.

        False where it loses in none, or where it would take too long to find out.
        """
        found = self.telling(wrong)
        needed = MOST * len(found)
        count = 0
        for left, layout in zip(range(len(found) - 1, -1, -1), found, strict=True):
            with suppress(TooLong):
                count += holds(layout, wrong)
            if count >= needed:
                return True
            if count + left < needed:
                return False
        return False

    def some(self, holds: Holds, answers: Iterable[Answer]) -> bool:
        """Return whether there is a wrong choice for which something is mostly so."""
        return any(self.mostly(holds, answer) for answer in answers)

    def shrinks(
        self,
        wrong: Answer,
        changed: Callable[[Position], tuple[int, int]],
        share: float = MOST,
    ) -> bool:
        """Return whether a change takes away at least this share of what a wrong choice loses.

        ``changed`` returns, for a layout, what the best and the wrong choice are worth then.
        """
        loss = left = 0
        for layout in self.layouts:
            loss += self.value(layout, self.best) - self.value(layout, wrong)
            best, other = changed(layout)
            left += best - other
        return loss > 0 and left <= (1 - share) * loss + ROUNDING

    def case(self, layout: Position, wrong: Answer) -> Case:
        """Return a wrong choice beside the best one in a layout, as the reasons look at it."""
        return Case(layout, wrong, self.best, self.solver, self.right)

    def speaks(
        self,
        kind: Callable[[Case], Reason | None],
        answers: Iterable[Answer],
        meant: Callable[[Reason], bool] = lambda _: True,
    ) -> bool:
        """Return whether a reason, if it is one that is meant, speaks against a wrong choice."""

        def holds(layout: Position, wrong: Answer) -> bool:
            reason = kind(self.case(layout, wrong))
            return reason is not None and meant(reason)

        return self.some(holds, answers)

    # ---- the trick that a choice leads to

    def good_replies(self, layout: Position, answer: Answer) -> list[Move]:
        """Return the other side's best moves after a card is led, none if it has none to make."""
        after = play_answer(layout, answer)
        if after.over is not None or after.led is None or after.turn == self.me:
            return []
        values = self.solver.evaluate_moves(after)
        best = max(values.values())
        return [move for move, value in values.items() if value == best]

    def taken(self, layout: Position, answer: Answer) -> bool:
        """Return whether a card led falls to every best reply."""
        led = played(answer)
        replies = self.good_replies(layout, answer)
        return (
            bool(replies)
            and led is not None
            and all(
                move.card is not None and self.row.beats(move.card, led, layout.trump)
                for move in replies
            )
        )

    def unbeatable(self, layout: Position, answer: Answer) -> bool:
        """Return whether no card that may be played to a card led beats it."""
        led, after = played(answer), play_answer(layout, answer)
        return (
            led is not None
            and after.led == led
            and not any(
                move.card is not None and self.row.beats(move.card, led, layout.trump)
                for move in sensible_moves(after)
                if move.kind is Kind.CARD
            )
        )


def played(answer: Answer) -> Card | None:
    """Return the card that a choice plays to the trick, None if it plays none."""
    move = answer[-1]
    return move.card if move.kind in (Kind.CARD, Kind.MARRIAGE) else None


def spot(report: Report) -> Spot | None:
    """Return the decision of a finished report, None where no choice loses.

    Its suits are called by names of its own: see :mod:`trainer.themes.suits`. Raises ValueError
    while choices are still waiting.
    """
    if report.waiting:
        raise ValueError("the report is not finished: some choices are still being computed")
    names = names_for(report.table)
    valued: dict[Answer, Value] = {}
    lost: set[Answer] = set()
    if isinstance(report.table, Position):
        position = renamed(report.table, names)
        valued.update(_whole(position, report, names))
        most = max(value for value, _ in valued.values())
        lost.update(answer for answer, (value, _) in valued.items() if value < most)
        table: Position | View = position
        layouts: tuple[Position, ...] = (position,)
    else:
        table = seen = renamed(report.table, names)
        decided = [choice for choice in report.choices if decides(choice.answer)]
        most = max(choice.game_points for choice in decided)
        for choice in decided:
            answer = renamed_answer(choice.answer, names)
            valued[answer] = round(choice.game_points, 9), 0
            if _loses(most - choice.game_points, choice.loss):
                lost.add(answer)
        layouts = tuple(_sample(seen)) if lost else ()
    ordered = sorted(valued, key=partial(_order, valued))
    right = tuple(answer for answer in ordered if answer not in lost)
    wrong = tuple(answer for answer in ordered if answer in lost and _said(answer) not in valued)
    solver = report.choices[0].solver
    return Spot(table, solver, right, wrong, layouts) if wrong else None


def _order(valued: Mapping[Answer, Value], answer: Answer) -> tuple[Any, ...]:
    """Return a key by which the better of two choices comes first, and equal ones by their card."""
    game_points, card_points = valued[answer]
    return -game_points, -card_points, [(move.kind, -(move.card or 0)) for move in answer]


def _said(answer: Answer) -> Answer:
    """Return a choice that plays a card with the marriage of that card declared, else nothing."""
    *before, last = answer
    return (*before, Move(Kind.MARRIAGE, last.card)) if last.kind is Kind.CARD else ()


def _loses(gap: float, loss: float) -> bool:
    return gap > ROUNDING and (loss > 0 or gap >= CLOSE_CALL)


def _whole(
    position: Position, report: Report, names: Sequence[int]
) -> Iterator[tuple[Answer, Value]]:
    """Yield the choices of a face-up position, closing and exchanging filled in, with values."""
    for choice in report.choices:
        answer = renamed_answer(choice.answer, names)
        if decides(answer):
            yield answer, (choice.game_points, choice.card_points or 0)
        else:
            yield from _filled(play_answer(position, answer), answer, choice.solver)


def _filled(after: Position, answer: Answer, solver: DoubleDummy) -> Iterator[tuple[Answer, Value]]:
    """Yield every way to go on after closing or exchanging, with its value."""
    for move, value in solver.evaluate_moves(after).items():
        if CLOSE in answer and move == EXCHANGE:
            continue
        if decides((move,)):
            yield (*answer, move), (value, 0)
        else:
            yield from _filled(play(after, move), (*answer, move), solver)


def _sample(view: View) -> Iterator[Position]:
    """Yield a few layouts of a view, always the same ones."""
    settled = view.closed is not None or not view.stock
    if settled and count_hands(view) <= LAYOUTS:
        for hand in hands(view):
            yield place(view, hand, hidden_cards(view, hand))
    else:
        yield from sample_layouts(view, LAYOUTS if settled else OPEN_LAYOUTS, Random(1))
