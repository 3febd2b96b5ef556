"""Concealed cards: what each choice is worth over the layouts that fit what South has seen.

A choice after which no card is drawn any more is counted over every hand North can hold. One that
keeps the stock open is counted over hands and orders of the stock: all of them where they are few,
else a sample.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import fmean, stdev
from time import monotonic

from trainer.rules.cards import Hand
from trainer.rules.play import is_false_claim, play, sensible_moves
from trainer.rules.position import (
    CLOSE,
    EXCHANGE,
    SOUTH,
    Kind,
    Move,
    Position,
    View,
    count_layouts,
    hands,
    hidden_cards,
    layouts,
    place,
    sample_layouts,
)
from trainer.search.double_dummy import DoubleDummy
from trainer.search.last_draws import values_after
from trainer.search.single_dummy import BestPlan, Planning

Answer = tuple[Move, ...]
"""One decision: moves of the same side, the last of which ends its choice."""

SAMPLES = 400
"""Layouts sampled with six cards in the stock or fewer; with more, each takes longer to solve."""
EXACT_LAYOUTS = 1_000
"""Open positions with no more layouts than this are counted in full."""
LAST_DRAWS = 10
"""Layouts of an open stock up to which a plan is looked for: one card is left face down."""
QUICK_HANDS = 2_000
"""Plans for no more hands than this are there before the figures they belong to are told."""
PLAN_WORK = 6_000_000
"""What the search for the best plan of one answer may cost; then a bound is told."""
LESS_WORK = 300_000
"""The same for an answer that, seeing every card, is worth no more than a plan already found."""
STEP_SECONDS = 0.1
DECIDES = frozenset({Kind.CARD, Kind.MARRIAGE, Kind.SHOW, Kind.CLAIM, Kind.DRAW})
"""The moves that end a decision; closing and exchanging leave the same side to choose on."""


@dataclass(slots=True)
class Tally:
    """What one answer is worth, layout by layout, in game points for South.

    ``size`` is the number of layouts to be counted in all; ``sampled`` says that they are a sample
    of more. ``low`` is what the best fixed plan found is worth on average, None if none was looked
    for; ``low_at_most`` is what no plan is worth more than, the same if the best one is known.
    ``cut_off`` says that it was looked for and the search was too long to end.
    """

    size: int
    sampled: bool
    positions: list[Position] = field(repr=False)
    """The layouts, the same for all answers of a kind."""
    values: list[int] = field(default_factory=list)
    low: float | None = None
    low_at_most: float | None = None
    cut_off: bool = False
    plans: tuple[BestPlan, ...] = field(default=(), repr=False)
    """The plan behind ``low``; one for each last card that South can draw, where one is drawn."""

    @property
    def mean(self) -> float:
        """The mean over the layouts counted so far."""
        return fmean(self.values)

    @property
    def stderr(self) -> float | None:
        """The standard error of a sampled mean, None for an exact one."""
        if not self.sampled:
            return None
        count = len(self.values)
        return stdev(self.values) / count**0.5 if count > 1 else None

    @property
    def distribution(self) -> dict[int, int]:
        """Game points to number of layouts, highest first."""
        return dict(sorted(Counter(self.values).items(), reverse=True))

    def example(self, value: int) -> Position:
        """Return the first layout in which the answer is worth so much."""
        return self.positions[self.values.index(value)]


def decides(answer: Answer) -> bool:
    """Return whether an answer is a whole decision, with nothing left for its side to choose."""
    return answer[-1].kind in DECIDES


def play_answer(position: Position, answer: Answer) -> Position:
    """Return the position after all moves of an answer. Raises IllegalMove."""
    for move in answer:
        position = play(position, move)
    return position


def answers(position: Position) -> list[Answer]:
    """Return the choices of the side to move: its sensible moves, and what may follow a closing
    or an exchange. An exchange is not listed again after a closing that it could come before.
    """
    found: list[Answer] = []
    moves = sensible_moves(position)
    for move in moves:
        found.append((move,))
        if move.kind not in DECIDES:
            found += [
                (move, *rest)
                for rest in answers(play(position, move))
                if not (move == CLOSE and rest[0] == EXCHANGE and EXCHANGE in moves)
            ]
    return found


def settles(view: View, answer: Answer) -> bool:
    """Return whether no card is drawn any more after an answer. Raises IllegalMove."""
    after = play_answer(next(layouts(view)), answer)
    return not after.open_stock or after.over is not None


class Study:
    """The values of South's choices in a view, found step by step.

    ``tallies`` holds the figures that can be shown: exact ones once they are complete, sampled
    ones from the first layout on. Drive it with :meth:`steps`. Raises ValueError when it is not
    South's turn, since a view is South's.
    """

    def __init__(self, view: View, samples: int | None = None, seed: int = 1) -> None:
        if view.turn != SOUTH:
            raise ValueError("cards are concealed from South, so South must be the side to move")
        if view.over is not None:
            raise ValueError("the deal is over, nobody has a choice")
        if samples is not None and samples < 1:
            raise ValueError(f"there must be at least one sample, not {samples}")
        self.view = view
        self.solver = DoubleDummy()
        self.samples = samples or round(SAMPLES * min(1, 6 / max(1, len(view.stock))) ** 2)
        self.seed = seed
        self.answers = answers(next(layouts(view)))
        self.tallies: dict[Answer, Tally] = {}
        self._settled = [answer for answer in self.answers if settles(view, answer)]
        self._open = [answer for answer in self.answers if answer not in self._settled]

    def steps(self) -> Iterator[float]:
        """Work until all is counted, yielding the part done (0 to 1) every tenth of a second.

        First the choices that settle the stock, then the plans for them, then the rest.
        """
        stages = [stage for stage in (self._settled, self._open) if stage]
        for number, stage in enumerate(stages):
            for done in _paced(self._count(stage)):
                yield (number + done) / len(stages)
            yield (number + 1) / len(stages)

    def count_steps(self, answer: Answer) -> Iterator[float]:
        """Count any legal answer, a listed one or not, yielding as :meth:`steps` does.

        Its figures are in ``tallies`` then. Raises IllegalMove.
        """
        if answer not in self.tallies:
            yield from _paced(self._count([answer]))

    def count_answer(self, answer: Answer) -> Tally:
        """Return the figures of any legal answer, a listed one or not. Raises IllegalMove."""
        for _ in self.count_steps(answer):
            pass
        return self.tallies[answer]

    def _count(self, stage: list[Answer]) -> Iterator[float]:
        """Count every answer of a stage over the same layouts, often yielding the part done."""
        if settles(self.view, stage[0]):
            return self._count_hands(stage)
        return self._count_orders(stage)

    def _count_hands(self, stage: list[Answer]) -> Iterator[float]:
        """Count answers after which nobody draws, over every hand; then find plans for them."""
        positions = list(_one_a_hand(self.view))
        fresh = {answer: Tally(len(positions), False, positions) for answer in stage}
        begun = _by_beginning(stage)
        for number, (beginning, answers) in enumerate(begun.items()):
            rows = self._rows(positions, beginning, answers)
            for layout, row in enumerate(rows, start=1):
                for answer, value in zip(answers, row, strict=True):
                    fresh[answer].values.append(value)
                yield (number + layout / len(positions)) / len(begun)
        if len(positions) > QUICK_HANDS:
            self.tallies |= fresh
        yield from (1.0 for _ in self._plan(fresh))
        self.tallies |= fresh

    def _count_orders(self, stage: list[Answer]) -> Iterator[float]:
        """Count answers that keep the stock open, over hands and orders or a sample of them."""
        size, sampled = self._sizes()
        positions: list[Position] = []
        fresh = {answer: Tally(size, sampled, positions) for answer in stage}
        begun = _by_beginning(stage)
        for number, position in enumerate(self._orders(sampled), start=1):
            for beginning, answers in begun.items():
                now = play_answer(position, beginning)
                known: dict[Move, int] = {}
                for step in self.solver.evaluate_steps(now):
                    known = step
                    yield (number - 1) / size
                for answer in answers:
                    move = answer[-1]
                    value = known[move] if move in known else self._value(now, move)
                    fresh[answer].values.append(value)
            positions.append(position)
            if sampled:
                self.tallies |= fresh
            yield number / size
        if len(positions) <= LAST_DRAWS and not sampled:
            for answer, tally in fresh.items():
                parts = (play_answer(position, answer[:-1]) for position in positions)
                sure = values_after(dict(enumerate(parts)), answer[-1], self.solver)
                tally.low = sum(sure.values()) / size
                tally.low_at_most = tally.mean
                yield 1.0
        self.tallies |= fresh

    def _rows(
        self, positions: list[Position], beginning: Answer, answers: list[Answer]
    ) -> Iterator[tuple[int, ...]]:
        """Yield what answers that begin alike are worth in each layout, for South.

        Those that settle the stock, or claim wrongly, are looked at by themselves; of others all
        that can be played at the moment is found out at once.
        """
        begun = [play_answer(position, beginning) for position in positions]
        moves = [answer[-1] for answer in answers]
        now = begun[0]
        if is_false_claim(now, moves[0]) or (now.open_stock and settles(self.view, answers[0])):
            return (tuple(self._value(position, move) for move in moves) for position in begun)
        return self.solver.evaluate_layouts(begun, moves)

    def _value(self, position: Position, move: Move) -> int:
        """Return what a move is worth, in game points for South."""
        return self.solver.value_for(SOUTH, play(position, move))

    def _sizes(self) -> tuple[int, bool]:
        """Return how many layouts with an open stock are counted, and whether they are a sample."""
        count = count_layouts(self.view)
        return (self.samples, True) if count > EXACT_LAYOUTS else (count, False)

    def _orders(self, sampled: bool) -> Iterator[Position]:
        if not sampled:
            return layouts(self.view)
        return sample_layouts(self.view, self.samples, random.Random(self.seed))

    def _plan(self, tallies: dict[Answer, Tally]) -> Iterator[None]:
        """Find the best plans for answers after which nobody draws, the promising ones first.

        An answer that leaves South to choose on takes the best plan among its continuations.
        """
        known = (tally.low for tally in self.tallies.values() if tally.low is not None)
        best = max(known, default=float("-inf"))
        for answer, tally in sorted(tallies.items(), key=lambda item: -item[1].mean):
            if not decides(answer):
                continue
            after = [play_answer(position, answer) for position in tally.positions]
            plans = []
            for group in _told_apart(after):
                work = PLAN_WORK if tally.mean > best else LESS_WORK
                planning = Planning(group, self.solver, work * len(group) // len(after))
                yield from planning.steps()
                assert planning.plan is not None
                plans.append(planning.plan)
            tally.plans = tuple(plans)
            tally.low = sum(plan.total for plan in plans) / len(after)
            tally.low_at_most = sum(plan.upper for plan in plans) / len(after)
            tally.cut_off = tally.low < tally.low_at_most
            best = max(best, tally.low)
        for shorter, tally in tallies.items():
            going_on = [
                figure
                for answer, figure in tallies.items()
                if len(answer) > len(shorter) and answer[: len(shorter)] == shorter
            ]
            lows = [figure.low for figure in going_on if figure.low is not None]
            if not decides(shorter) and lows:
                tally.low = max(lows)
                tally.low_at_most = max(figure.low_at_most or tally.low for figure in going_on)
                tally.cut_off = tally.low < tally.low_at_most


def _by_beginning(answers: list[Answer]) -> dict[Answer, list[Answer]]:
    """Return answers grouped by all their moves but the last."""
    groups: dict[Answer, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer[:-1], []).append(answer)
    return groups


def _paced(work: Iterable[float]) -> Iterator[float]:
    """Do some work, and pass on what it yields no more often than every ``STEP_SECONDS``."""
    started = monotonic()
    for done in work:
        if monotonic() - started > STEP_SECONDS:
            yield done
            started = monotonic()


def _told_apart(positions: list[Position]) -> Iterable[list[Position]]:
    """Return positions grouped by South's hand: the last card drawn is seen before the lead."""
    groups: dict[Hand, list[Position]] = {}
    for position in positions:
        groups.setdefault(position.hands[SOUTH], []).append(position)
    return groups.values()


def _one_a_hand(view: View) -> Iterator[Position]:
    """Yield one layout for each hand of North's, the stock in a fixed order."""
    for hand in hands(view):
        yield place(view, hand, hidden_cards(view, hand))
