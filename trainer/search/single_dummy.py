"""Single dummy: the best one plan when the stock is closed or gone and North's hand is concealed.

Averaging double-dummy values lets South choose a different line for every layout, as if the cards
were seen. A plan may depend only on what has been played. North is taken to see every card, so what
a plan yields here it yields against any defence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic

from trainer.rules.outcome import award
from trainer.rules.play import legal_moves, play, sensible_moves
from trainer.rules.position import NORTH, SOUTH, Kind, Move, Position
from trainer.search import backend, kernel, plan_kernel
from trainer.search.double_dummy import DoubleDummy
from trainer.search.encode import card_bits, encode, hand_bits, points_code

WORK = 50_000_000
"""What a search for a plan may cost: about so many values looked up or plans compared. Compiled, a
second or two; plain Python needs a hundred times as long."""
LIGHT_WORK = 20_000
"""Work that plain Python does as fast as the compiled kernel is loaded."""
STEP_SECONDS = 0.02
"""A pause is made after about so long."""
ROOM, MOST_ROOM = 1 << 16, 1 << 23
"""Integers that the search has for its work at first, and at most."""
EARLY = (Kind.CLAIM, Kind.SHOW)
"""What a plan does first if it can."""


@dataclass(frozen=True)
class Plan:
    """One line of play for South, good for several layouts that South cannot tell apart.

    ``values`` are the game points for South that it yields at least in each of the layouts,
    whatever North does.
    """

    positions: tuple[Position, ...] = field(repr=False)
    values: tuple[int, ...]
    solver: DoubleDummy = field(repr=False, compare=False)

    @property
    def total(self) -> int:
        """The sum of the values, in game points for South."""
        return sum(self.values)

    @cached_property
    def move(self) -> Move | None:
        """What South does now; None if North is to move or the deal is over."""
        first = self.positions[0]
        if first.over is not None or first.turn != SOUTH:
            return None
        moves = sorted(sensible_moves(first), key=lambda move: move.kind not in EARLY)
        for move in moves:
            if self._after(move)._holds():
                return move
        raise ValueError("no plan yields these values")

    def after(self, *moves: Move) -> Plan | None:
        """Return the plan that is left after some moves, None if North has them in no layout.

        Layouts in which North could not have played so drop out. Raises ValueError for a move of
        South's that is not in the plan.
        """
        plan = self
        for move in moves:
            souths = plan.positions[0].over is None and plan.positions[0].turn == SOUTH
            rest = plan._after(move)
            if souths and move != plan.move and not (rest.positions and rest._holds()):
                raise ValueError("the plan goes another way")
            if not rest.positions:
                return None
            plan = rest
        return plan

    def _after(self, move: Move) -> Plan:
        """Return the layouts in which a move is possible after it, the values unchanged."""
        kept = [
            (play(position, move), value)
            for position, value in zip(self.positions, self.values, strict=True)
            if move in legal_moves(position)
        ]
        return Plan(
            tuple(position for position, _ in kept), tuple(value for _, value in kept), self.solver
        )

    def _holds(self) -> bool:
        """Return whether some plan yields all of the values."""
        over = self.positions[0].over
        if over is not None:
            return all(over.value(SOUTH) >= value for value in self.values)
        search = _Search(self.positions, self.solver)
        for _ in search.see_all():
            pass
        if any(seen < value for seen, value in zip(search.values(), self.values, strict=True)):
            return False
        search.set_caps(self.values)
        for _ in search.seek(0, greedy=False):
            pass
        return search.found


@dataclass(frozen=True)
class BestPlan(Plan):
    """The best plan found, and how good any plan can be. All sums are game points for South.

    ``high`` is the sum of the double-dummy values, and ``upper`` what no plan is better than.
    """

    high: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether no plan yields more."""
        return self.total == self.upper


def best_plan(positions: Sequence[Position], solver: DoubleDummy, budget: int = WORK) -> BestPlan:
    """Return the best plan for layouts that South cannot tell apart.

    The stock must be closed or gone; either side may be to move. If the ``budget`` does not suffice
    the plan is the best found, and ``upper`` is a bound. Raises ValueError where the positions are
    not such layouts.
    """
    planning = Planning(positions, solver, budget)
    for _ in planning.steps():
        pass
    assert planning.plan is not None
    return planning.plan


class Planning:
    """The search of :func:`best_plan`, step by step.

    ``plan`` is the best plan so far, with what is proved by then; None until the double-dummy value
    of every layout is known and a first plan is found.
    """

    def __init__(
        self, positions: Sequence[Position], solver: DoubleDummy, budget: int = WORK
    ) -> None:
        first = positions[0]
        if first.open_stock and first.over is None:
            raise ValueError("a plan is for a stock that is closed or gone")
        if any(_seen(position) != _seen(first) for position in positions):
            raise ValueError("South can tell these positions apart")
        self.plan: BestPlan | None = None
        self._positions = tuple(positions)
        self._solver = solver
        self._budget = budget

    def steps(self) -> Iterator[None]:
        """Search until the best plan is found or the budget is used up, pausing often."""
        first = self._positions[0]
        if first.over is not None:
            values = tuple(p.over.value(SOUTH) for p in self._positions if p.over is not None)
            total = sum(values)
            self.plan = BestPlan(self._positions, values, self._solver, total, total)
            return
        search = _Search(self._positions, self._solver)
        yield from search.see_all()
        high = sum(search.values())
        worst = search.worth()
        yield from search.seek(worst, greedy=True, budget=self._budget)
        lost = search.lost
        self.plan = BestPlan(self._positions, search.values(), self._solver, high, high)
        allowed, budget = lost - 1, self._budget * 3 // 4
        proved = -1  # no plan loses so much or less
        while proved < lost - 1:
            yield from search.seek(allowed, greedy=False, budget=budget)
            if search.done and search.found:
                values, lost = search.values(), search.lost
                self.plan = BestPlan(self._positions, values, self._solver, high, high - lost)
                return
            if search.done:
                proved = allowed
                self.plan = replace(self.plan, upper=high - proved - 1)
            elif search.work >= self._budget:
                return
            # Where it takes too long to see whether the plan can be bettered, a bound must do.
            budget = self._budget
            allowed = (proved + lost) // 2


class _Search:
    """The registers and the room of the kernel's search, for one set of layouts."""

    def __init__(self, positions: Sequence[Position], solver: DoubleDummy) -> None:
        self._positions = positions
        self._solver = solver
        self.work = 0
        self.found = False
        self.done = False
        self._slice = 64
        first = positions[0]
        self._tools = solver.tools(first)
        self._foot, rungs = _ladder(first, self._tools.facts)
        self._gains = [gain for *_, gain in rungs]
        self._game = self._tools.form.ints(
            [
                len(rungs),
                0 if first.closed is None else 1 + first.closed.side,
                len(first.stock),
                0,
                *(number for rung in rungs for number in rung),
            ]
        )
        self._registers = self._tools.form.ints([0] * plan_kernel.REGISTERS)
        bits = card_bits(first.variant, first.trump)
        state = [
            hand_bits(first.hands[SOUTH], bits),
            points_code(first, SOUTH),
            points_code(first, NORTH),
            0 if first.led is None else bits[first.led],
            bits[first.stock[-1]] if first.stock else 0,
            first.turn,
        ]
        hands = [hand_bits(position.hands[NORTH], bits) for position in positions]
        self._size = plan_kernel.words(len(hands))
        length = self._size * len(rungs)
        self._hands = len(state)
        self._caps = self._hands + len(hands)
        self._mask = self._caps + length
        self._base = self._mask + self._size
        self._room = self._tools.form.ints([*state, *hands, *[0] * (length + self._size)])
        self._room = self._tools.form.widen(self._room, ROOM)
        self._at = self._caps
        self._open(0, greedy=False)

    def _adopt(self) -> None:
        """Take what the solver works with now: it may have been asked other things meanwhile."""
        backend.current(heavy=self.work > LIGHT_WORK)
        before, self._tools = self._tools, self._solver.tools(self._positions[0])
        if self._tools.form is not before.form:
            self._game, self._registers, self._room = (
                self._tools.form.ints(list(map(int, numbers)))
                for numbers in (self._game, self._registers, self._room)
            )
        self._game[plan_kernel.DRAWN] = self._tools.drawn

    def _open(self, allowed: int, greedy: bool) -> None:
        for register in range(plan_kernel.REGISTERS):
            self._registers[register] = 0
        self._registers[plan_kernel.GREEDY] = int(greedy)
        plan_kernel.open_frame(
            self._base, 0, len(self._positions), self._hands, self._caps, allowed, self._mask, -1,
            self._registers, self._room,
        )  # fmt: skip

    def set_caps(self, values: Sequence[int]) -> None:
        """Take these values, one for each layout, as the most that is asked for.

        They must be no higher than the double-dummy values.
        """
        for word in range(self._caps, self._mask):
            self._room[word] = 0
        for number, value in enumerate(values):
            word, bit = number // plan_kernel.BITS, 1 << number % plan_kernel.BITS
            value -= self._foot
            for rung, gain in enumerate(self._gains):
                value -= gain
                if value < 0:
                    break
                self._room[self._caps + rung * self._size + word] |= bit

    def see_all(self) -> Iterator[None]:
        """Take the double-dummy values as the most that is asked for."""
        count = len(self._positions)
        step = plan_kernel.CHUNK
        for begin in range(0, count, step):
            self._adopt()
            self._tools.form.first_caps(
                self._base, begin, min(begin + step, count), self._room, self._game,
                self._tools.facts, self._tools.memory,
            )  # fmt: skip
            yield

    def seek(self, allowed: int, greedy: bool, budget: int | None = None) -> Iterator[None]:
        """Look for the best plan that loses no more than ``allowed`` against the caps.

        Greedily, a plan is the answer in any case; when the budget is used up its parts not yet
        looked for yield only what is sure whatever South does. Otherwise ``done`` says whether the
        search came to its end; ``found`` says whether there is such a plan, and ``lost`` what it
        loses.
        """
        self._open(allowed, greedy)
        registers = self._registers
        self.done = False
        while registers[plan_kernel.FRAME] >= 0:
            amount = self._slice
            if budget is not None and not registers[plan_kernel.HURRY]:
                amount = min(amount, budget - self.work)
            if amount <= 0:
                if not greedy:
                    return
                registers[plan_kernel.HURRY] = 1
                continue
            self._adopt()
            registers = self._registers
            started = monotonic()
            registers[plan_kernel.WORK] = amount
            self._tools.form.run(
                registers, self._room, self._game, self._tools.facts, self._tools.memory
            )
            self.work += int(amount - registers[plan_kernel.WORK])
            if registers[plan_kernel.SHORT]:
                if len(self._room) >= MOST_ROOM and not registers[plan_kernel.HURRY]:
                    budget = self.work
                registers[plan_kernel.SHORT] = 0
                self._room = self._tools.form.widen(self._room, len(self._room))
                continue
            spent = monotonic() - started
            if spent < STEP_SECONDS / 4:
                self._slice *= 2
            elif spent > STEP_SECONDS and self._slice > 1:
                self._slice //= 2
            yield
        self.done = True
        self.found = registers[plan_kernel.COUNT] > 0
        self._at = self._base

    @property
    def lost(self) -> int:
        """What the plan found loses against the caps, in game points over all layouts."""
        return int(plan_kernel.loss(self._caps, self._base, self._size, self._room, self._game))

    def worth(self) -> int:
        """Return how far the caps lie above the foot of the ladder in all, in game points."""
        return sum(self._values(self._caps)) - self._foot * len(self._positions)

    def values(self) -> tuple[int, ...]:
        """Return what was found last in each layout, in game points for South.

        The values of the plan, or the caps as long as none has been looked for.
        """
        return self._values(self._at)

    def _values(self, at: int) -> tuple[int, ...]:
        found = []
        for number in range(len(self._positions)):
            word, bit = number // plan_kernel.BITS, 1 << number % plan_kernel.BITS
            value = self._foot
            for rung, gain in enumerate(self._gains):
                if int(self._room[at + rung * self._size + word]) & bit:
                    value += gain
            found.append(value)
        return tuple(found)


def _seen(position: Position) -> tuple[object, ...]:
    """Return what South sees of a position whose stock is closed or gone."""
    return (
        position.hands[SOUTH],
        position.hands[NORTH].bit_count(),
        position.stock[-1:],
        len(position.stock),
        position.turn,
        position.led,
        position.card_points,
        position.provisional,
        position.tricks,
        position.closed,
        position.trump,
        position.variant,
        position.carry,
        position.match,
        position.over,
    )


def _ladder(position: Position, facts: kernel.Ints) -> tuple[int, list[tuple[int, int, int, int]]]:
    """Return the least that South can make, and the rungs of the ladder from there up.

    A rung is whether South is the attacker of its race, the race's ``closed`` and ``level``, and
    how many game points it lies above the one below. Rungs that can be won or lost no more by the
    points of now are left out, and so are those that bring nothing more. A closer fails or
    succeeds, and nothing lies between, unless somebody could have announced before.
    """
    code = encode(position)
    south, north = points_code(position, SOUTH), points_code(position, NORTH)
    rungs: list[tuple[int, int, int, int]] = []
    value = 0
    for attacker in (NORTH, SOUTH):
        sign = 1 if attacker == SOUTH else -1
        closed = position.closed
        closer = 0 if closed is None else 1 if closed.side == attacker else 2
        if attacker == SOUTH:
            foot = value
            rungs.reverse()
            value = 0
            if rungs and closed is not None and max(position.card_points) < position.variant.goal:
                value = -rungs.pop()[3]
        for number in range(3):
            asked = int(kernel.race_number(number, closer, code[kernel.AT_CLOSING], facts))
            if not asked:
                break
            level = asked >> 2 & 3
            reached = award(position, attacker, asked >> 4, "").value(SOUTH)
            if reached != value and kernel.within(
                north if attacker == SOUTH else south, level, facts
            ):
                rungs.append((int(attacker == SOUTH), asked & 3, level, sign * (reached - value)))
                value = reached
    return foot, rungs
