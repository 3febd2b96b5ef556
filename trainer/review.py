"""What `sixty-six review` prints: what each decision of a recorded deal cost who made it.

A decision is one answer: moves of one side, the last of which ends its choice (``cl DA``). It is
real when some choice is worse than another; no other decision is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table as Grid

from trainer.explain import points_text
from trainer.grading import ROUNDING, Choice, Report, face_up_reports, grade, report
from trainer.notation import Record, format_answer, format_move, format_table
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import (
    NORTH,
    SIDE_NAMES,
    SIDES,
    SOUTH,
    Move,
    Position,
    Side,
    View,
    count_hands,
)
from trainer.search import Answer, DoubleDummy, decides
from trainer.solve import FORMAT, Json, Progress, choice_json, outcome_json, turn_text

SAMPLES = 40
"""Layouts to sample for a choice that keeps the stock open, as seen."""
MOST_HANDS = 300
"""A decision is weighed as seen when the other side can hold no more hands than this."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a choice was worth among those there were, on the table as one saw it."""

    table: Position | View
    choice: Choice
    real: bool
    """Some choice was worse than another."""
    better: Answer | None
    """A best choice instead of the one made; None when that lost nothing."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a deal: with every card seen, and as the side that made it saw the table."""

    number: int
    """Of its first move, counted from 1 as the record has them."""
    side: Side
    answer: Answer
    face_up: Verdict
    as_seen: Verdict | None
    """None where it was not asked for, where the other side can hold too many hands, and where
    there was only one thing to do."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a side lost in all its real decisions, in game points."""

    real: int
    total: float

    @property
    def mean(self) -> float | None:
        """The loss for each real decision, None when there was none."""
        return self.total / self.real if self.real else None


@dataclass(frozen=True, slots=True)
class Review:
    """The decisions of a deal from the move ``first`` on, in the order they were made."""

    record: Record
    final: Position
    first: int
    decisions: tuple[Decision, ...]
    asked_seen: bool
    """Whether the decisions were to be weighed as seen too."""

    def loss(self, side: Side, *, as_seen: bool = False) -> Loss:
        """Return what a side lost, with every card seen or as it saw the table."""
        verdicts = [
            decision.as_seen if as_seen else decision.face_up
            for decision in self.decisions
            if decision.side == side
        ]
        losses = [verdict.choice.loss for verdict in verdicts if verdict and verdict.real]
        return Loss(len(losses), sum(losses))


def answers_of(moves: Sequence[Move]) -> Iterator[tuple[int, Answer]]:
    """Yield the moves of a deal as decisions, with the number of each one's first move.

    A record that breaks off after closing or an exchange has that as its last decision.
    """
    begun: list[Move] = []
    for number, move in enumerate(moves, start=1):
        begun.append(move)
        if decides((move,)) or number == len(moves):
            yield number - len(begun) + 1, tuple(begun)
            begun.clear()


def review(
    record: Record,
    *,
    first: int = 1,
    as_seen: bool = False,
    samples: int = SAMPLES,
    seed: int = 1,
    most_hands: int = MOST_HANDS,
    progress: Progress,
) -> Review:
    """Return what every decision from the move ``first`` on cost, in game points.

    ``progress`` is called with the part done, 0 to 1. The last decisions are weighed first: what is
    found for them serves the earlier ones. Raises ValueError for ``as_seen`` when the record's
    first position does not tell the tricks won.
    """
    positions = record.positions()
    views = record.views() if as_seen else []
    made = [(number, answer) for number, answer in answers_of(record.moves) if number >= first]
    work = sum(_work(positions[number - 1]) for number, _ in made)
    solver = DoubleDummy()
    decisions: list[Decision] = []
    done = 0.0
    for number, answer in reversed(made):
        position = positions[number - 1]
        share = _work(position) / work
        face_up = _face_up(position, answer, solver, _part(progress, done, share))
        seen = None
        if as_seen and len({answer[0], *sensible_moves(position)}) > 1:
            view = views[number - 1][position.turn]
            if count_hands(view) <= most_hands:
                seen = _as_seen(view, answer, samples, seed)
        decisions.append(Decision(number, position.turn, answer, face_up, seen))
        done += share
    return Review(record, positions[-1], first, tuple(reversed(decisions)), as_seen)


def _work(position: Position) -> int:
    """Return about how much work the search of a position is, only to show the part done."""
    return 1 << len(position.stock) if position.open_stock else 1


def _part(progress: Progress, start: float, size: float) -> Progress:
    """Return a progress that fills a part of another."""
    return lambda done: progress(start + done * size)


def _differ(values: Iterable[float]) -> bool:
    listed = list(values)
    return max(listed) > min(listed) + ROUNDING


def _face_up(
    position: Position, answer: Answer, solver: DoubleDummy, progress: Progress
) -> Verdict:
    """Weigh a decision with every card seen, and the choice it had at each of its moves."""
    for found in face_up_reports(position, solver):
        progress(found.progress)
    real = _differ(choice.game_points for choice in found.choices)
    for move in answer[:-1]:
        position = play(position, move)
        real = real or _differ(solver.evaluate_moves(position).values())
    return _verdict(found, answer, real)


def _as_seen(view: View, answer: Answer, samples: int, seed: int) -> Verdict:
    """Weigh a decision as South of the view saw the table."""
    found = report(view, samples=samples, seed=seed)
    whole = [choice.game_points for choice in found.choices if decides(choice.answer)]
    return _verdict(found, answer, _differ(whole))


def _verdict(found: Report, answer: Answer, real: bool) -> Verdict:
    choice = grade(found, answer)
    lost = choice.loss > 0
    return Verdict(found.table, choice, real or lost, _whole(found.best) if lost else None)


def _whole(choice: Choice) -> Answer:
    """Return the answer of a choice, completed by best play if it leaves its side to choose on."""
    answer, line = choice.answer, iter(choice.line)
    while not decides(answer):
        answer = (*answer, next(line))
    return answer


def to_json(found: Review, seconds: float) -> Json:
    """Return a review as JSON data. Game points are for the side that moves."""
    start, over = found.record.start, found.final.over
    variant, *switches = start.variant.name.split("~")
    return {
        "format": FORMAT,
        "position": format_table(start),
        "variant": variant,
        "options": switches,
        "tags": found.record.tags,
        "moves": [format_move(move) for move in found.record.moves],
        "over": None if over is None else outcome_json(over),
        "from": found.first,
        "decisions": [
            {
                "number": decision.number,
                "side": SIDES[decision.side],
                **_verdict_json(decision.face_up),
                "as_seen": None if decision.as_seen is None else _verdict_json(decision.as_seen),
            }
            for decision in found.decisions
        ],
        "summary": {
            SIDES[side]: {
                **_loss_json(found.loss(side)),
                "as_seen": _loss_json(found.loss(side, as_seen=True)) if found.asked_seen else None,
            }
            for side in (SOUTH, NORTH)
        },
        "seconds": round(seconds, 6),
    }


def _verdict_json(verdict: Verdict) -> Json:
    return {
        "position": format_table(verdict.table),
        **choice_json(verdict.choice, isinstance(verdict.table, View)),
        "real": verdict.real,
        "better": None if verdict.better is None else format_answer(verdict.better),
    }


def _loss_json(loss: Loss) -> Json:
    return {"real_decisions": loss.real, "loss": loss.total, "mean_loss": loss.mean}


def review_text(found: Review) -> RenderableType:
    """Return a review for people: the decisions, what each side lost, and what the words mean."""
    end = turn_text(found.final)
    if found.final.over is None:
        end = f"The record ends before the deal does: {end}"
    if not found.decisions:
        return Group(end, "There is no decision to weigh.")
    parts: list[RenderableType] = [end, "", _decisions_text(found), "", _losses_text(found), ""]
    return Group(*parts, NOTE, *([SEEN_NOTE] if found.asked_seen else []))


NOTE = """\
A decision counts as real when some choice is worse than another. Game points are for the side that
moves, against best play, with every card seen: a loss can be no fault of a player who saw only
their own."""
SEEN_NOTE = """\
As seen: on average over what the other side can hold, and only the sure part of the loss. Empty
where that is too much work, early in a deal, or where there was only one thing to do."""


def _decisions_text(found: Review) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    headings = ["move", "side", "played", "game points", "loss", "mark", "better"]
    if found.asked_seen:
        headings += ["as seen", "loss", "mark", "better"]
    for heading in headings:
        words = heading in ("side", "played", "mark", "better")
        grid.add_column(heading, justify="left" if words else "right", no_wrap=True)
    for decision in found.decisions:
        row = [str(decision.number), SIDE_NAMES[decision.side], format_answer(decision.answer)]
        row += _verdict_cells(decision.face_up)
        if found.asked_seen:
            row += _verdict_cells(decision.as_seen)
        grid.add_row(*row)
    return grid


def _verdict_cells(verdict: Verdict | None) -> list[str]:
    if verdict is None:
        return [""] * 4
    choice = verdict.choice
    value = points_text(choice.game_points)
    if not verdict.real:
        return [value, "", "", ""]
    better = "" if verdict.better is None else format_answer(verdict.better)
    return [value, _number(choice.loss), choice.mark, better]


def _losses_text(found: Review) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("")
    for heading in ("real decisions", "lost in all", "lost in each"):
        grid.add_column(heading, justify="right")
    for as_seen in (False, True) if found.asked_seen else (False,):
        for side in (SOUTH, NORTH):
            loss = found.loss(side, as_seen=as_seen)
            mean = "" if loss.mean is None else _number(loss.mean)
            name = SIDE_NAMES[side] + (", as seen" if as_seen else "")
            grid.add_row(name, str(loss.real), _number(loss.total), mean)
    return grid


def _number(loss: float) -> str:
    """Return a loss in game points: ``2``, ``0.25``."""
    return f"{loss:.2f}" if loss != int(loss) else f"{int(loss)}"
