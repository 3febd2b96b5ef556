"""Grading: what a choice costs, its mark, and what refutes it.

Loss is in game points. With every card seen it is the best value less the choice's. With cards
concealed only the sure part of it is marked: what the best choice yields by one fixed plan, less
what this choice yields on average when every card is seen; a smaller gap is a close call and
counts neither way. Where no plan was looked for, averages are compared and the word says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from typing import Literal, Protocol

from trainer.rules.play import sensible_moves
from trainer.rules.position import Move, Position, View
from trainer.search.closing import Way, closing_ways
from trainer.search.concealed import Answer, Study, Tally, decides, play_answer
from trainer.search.double_dummy import DoubleDummy

Status = Literal["exact", "bound", "sampled"]

WORDS = {
    "=": "best",
    "~": "close call",
    "?!": "slip",
    "?": "mistake",
    "??": "blunder",
}
CLOSE_CALL = 0.25
"""Averages nearer than this, in game points, are a close call; it also bounds a slip."""
ROUNDING = 1e-9
BLUNDER = 0.75
"""A sure loss over this, in game points, is a blunder when cards are concealed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice and what it is worth, in game points for the side that makes it."""

    answer: Answer
    game_points: float
    """Double dummy: the value. Concealed: the mean over layouts of double-dummy values."""
    card_points: int | None
    """Own card points less the other's when the deal ends, if both sides look to them after the
    game points; known for endings with every card seen, and no mark depends on it."""
    low: float | None
    """Concealed: what one fixed plan yields against a defender who sees every card."""
    layouts: int
    wins: int
    worst: int
    distribution: dict[int, int]
    status: Status
    stderr: float | None
    best: bool
    loss: float
    mark: str
    word: str
    layout: Position
    """Where ``reply`` and ``line`` are played: the position itself, or an example layout."""
    solver: DoubleDummy = field(repr=False, compare=False)

    @property
    def line(self) -> tuple[Move, ...]:
        """Best play by both sides after the answer, to the end of the deal."""
        return self.solver.principal_variation(play_answer(self.layout, self.answer))

    @property
    def reply(self) -> Move | None:
        """The other side's best reply, None if the deal is over or the same side goes on."""
        after = play_answer(self.layout, self.answer)
        if after.over is not None or after.turn == self.layout.turn:
            return None
        return self.solver.best_move(after)


@dataclass(frozen=True, slots=True)
class Report:
    """Every choice of a position, best first, as far as it has been computed.

    With every card seen these are the sensible moves; with cards concealed also what may follow
    closing.
    Until ``progress`` is 1 a mark may still change, since a choice in ``waiting`` may prove better.
    """

    table: Position | View
    choices: tuple[Choice, ...]
    waiting: tuple[Answer, ...]
    progress: float
    nodes: int
    """Positions that the search has looked at so far."""
    _grade: _Grader = field(repr=False, compare=False)

    @property
    def best(self) -> Choice:
        """The choice with the highest value; IndexError while there is none.

        With cards concealed it is a whole decision: what is left open after closing alone is
        counted as if the cards were seen.
        """
        whole = [choice for choice in self.choices if decides(choice.answer)]
        return (whole if whole and isinstance(self.table, View) else self.choices)[0]


class _Grader(Protocol):
    """Turns figures into choices; one for face-up positions, one for views."""

    @property
    def solver(self) -> DoubleDummy: ...

    def choice(self, answer: Answer) -> Choice: ...


@dataclass(frozen=True, slots=True)
class _FaceUp:
    position: Position
    solver: DoubleDummy
    listed: list[Answer]
    values: dict[Answer, int]
    card_points: dict[Answer, int]

    def choice(self, answer: Answer) -> Choice:
        value = self.values.get(answer)
        if value is None and answer in self.listed:
            raise LookupError("this choice is still being computed")
        if value is None:
            value = self.solver.value_for(self.position.turn, play_answer(self.position, answer))
        best = max(self.values.values())
        loss = max(0, best - value)
        mark = "=" if loss == 0 else "?" if loss == 1 and not best > 0 >= value else "??"
        return Choice(
            answer=answer,
            game_points=value,
            card_points=self.card_points.get(answer),
            low=None,
            layouts=1,
            wins=int(value > 0),
            worst=value,
            distribution={value: 1},
            status="exact",
            stderr=None,
            best=loss == 0,
            loss=loss,
            mark=mark,
            word=WORDS[mark],
            layout=self.position,
            solver=self.solver,
        )


@dataclass(frozen=True, slots=True)
class _AsSeen:
    study: Study

    @property
    def solver(self) -> DoubleDummy:
        return self.study.solver

    def choice(self, answer: Answer) -> Choice:
        tallies = self.study.tallies
        if answer in self.study.answers and answer not in tallies:
            raise LookupError("this choice is still being computed")
        tally = self.study.count_answer(answer)
        loss, mark, by_average = self._loss(tally)
        word = WORDS[mark]
        return Choice(
            answer=answer,
            game_points=tally.mean,
            card_points=None,
            low=tally.low,
            layouts=len(tally.values),
            wins=sum(value > 0 for value in tally.values),
            worst=min(tally.values),
            distribution=tally.distribution,
            status=_status(tally),
            stderr=tally.stderr,
            best=mark == "=",
            loss=loss,
            mark=mark,
            word=f"{word} (by average)" if by_average else word,
            layout=_example(tally, mark),
            solver=self.study.solver,
        )

    def _loss(self, tally: Tally) -> tuple[float, str, bool]:
        """Return the loss in game points, the mark, and whether only averages were compared.

        A loss within two standard errors of a sampled figure is none.
        """
        listed = [figure for answer, figure in self.study.tallies.items() if decides(answer)]
        best = max(listed, key=lambda figure: (figure.mean, figure.low is not None))
        if tally.mean >= best.mean - ROUNDING:
            return 0.0, "=", False
        lows = [figure.low for figure in listed if figure.low is not None]
        sure = max(lows, default=tally.mean) - tally.mean
        loss = sure if sure > max(ROUNDING, 2 * (tally.stderr or 0.0)) else 0.0
        by_average = False
        if best.low is None:
            gap = best.mean - tally.mean
            error = 2 * hypot(tally.stderr or 0.0, best.stderr or 0.0)
            by_average = gap > loss
            if by_average and gap >= max(CLOSE_CALL, error):
                loss = gap
        if not loss:
            return 0.0, "~", by_average
        mark = "?!" if loss <= CLOSE_CALL else "?" if loss <= BLUNDER else "??"
        return loss, mark, by_average


def _status(tally: Tally) -> Status:
    """Return how sure the figures are: ``bound`` where the search for the best plan was cut off."""
    if tally.sampled:
        return "sampled"
    return "bound" if tally.cut_off else "exact"


def _example(tally: Tally, mark: str) -> Position:
    """Return a layout that shows what a choice is worth.

    For a best choice the most frequent result, otherwise the worst.
    """
    if mark == "=":
        return tally.example(Counter(tally.values).most_common(1)[0][0])
    return tally.example(min(tally.values))


def reports(
    table: Position | View, *, samples: int | None = None, seed: int = 1
) -> Iterator[Report]:
    """Yield better and better reports on a position; the last has ``progress`` 1.

    With cards concealed the choices that settle the stock come first, those that keep it open
    follow, sampled with ``seed`` where there are too many layouts. Raises ValueError when the deal
    is over, or when cards are concealed and it is not South's turn.
    """
    if isinstance(table, Position):
        yield from face_up_reports(table, DoubleDummy())
        return
    study = Study(table, samples, seed)
    for progress in study.steps():
        waiting = tuple(a for a in study.answers if a not in study.tallies)
        yield _report(table, tuple(study.tallies), waiting, progress, _AsSeen(study))


def face_up_reports(position: Position, solver: DoubleDummy) -> Iterator[Report]:
    """Yield better and better reports on a position with every card seen.

    What the solver has found for other positions of the deal spares work. Raises ValueError when
    the deal is over.
    """
    if position.over is not None:
        raise ValueError("the deal is over, nobody has a choice")
    listed: list[Answer] = [(move,) for move in sensible_moves(position)]
    grader = _FaceUp(position, solver, listed, {}, {})
    for known in solver.evaluate_steps(position):
        grader.values.update({(move,): value for move, value in known.items()})
        waiting = tuple(answer for answer in listed if answer not in grader.values)
        if not waiting and not position.open_stock:
            found = solver.card_points(position)
            grader.card_points.update({(move,): points for move, points in found.items()})
        done = tuple(grader.values)
        yield _report(position, done, waiting, len(done) / len(listed), grader)


def _report(
    table: Position | View,
    done: tuple[Answer, ...],
    waiting: tuple[Answer, ...],
    progress: float,
    grader: _Grader,
) -> Report:
    choices = sorted(
        map(grader.choice, done),
        key=lambda choice: (
            -choice.game_points,
            -(choice.card_points or 0),
            not decides(choice.answer),
        ),
    )
    return Report(table, tuple(choices), waiting, progress, grader.solver.nodes, grader)


def report(table: Position | View, *, samples: int | None = None, seed: int = 1) -> Report:
    """Return the finished report on a position. Raises ValueError as :func:`reports` does."""
    *_, last = reports(table, samples=samples, seed=seed)
    return last


def ways(report: Report) -> Iterator[Way | float]:
    """Yield the ways to go on from a view: close now, close after drawing, play on.

    See :func:`trainer.search.closing.closing_ways`. Nothing where every card is seen.
    """
    if isinstance(report._grade, _AsSeen):
        yield from closing_ways(report._grade.study)


def grade(report: Report, answer: Answer) -> Choice:
    """Return what an answer is worth and its mark; it need not be among the listed choices.

    Raises IllegalMove for a move that the position does not allow, and LookupError while the
    figure of a listed choice is still waiting.
    """
    return report._grade.choice(answer)
