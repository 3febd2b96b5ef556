"""Single dummy: what one fixed plan is worth when the stock is closed and a hand is concealed.

Averaging double-dummy values lets the player choose a different line for every layout, as if the
cards were seen. A plan may depend only on what has been played. The other side is taken to see
every card, so what a plan yields here it yields against any defence.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass

from trainer.rules.outcome import settle_failed_close
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import SOUTH, Move, Position
from trainer.search.double_dummy import DoubleDummy

Layouts = Mapping[int, Position]
"""Positions that South cannot tell apart, by the number of their layout."""
Values = dict[int, int]
"""Game points for South, by the number of the layout."""
Work = Generator[None, None, Values]
"""Work that pauses after every position or two, and returns values."""
MOST = 99
"""More game points than any deal is worth."""


@dataclass(frozen=True, slots=True)
class Planner:
    """Finds plans greedily: each move is the best on average, seeing every card.

    What a plan is found to be worth can be reached with certainty; a better plan may exist. Where
    one plan gives every layout its double-dummy value, such a plan is found.
    """

    solver: DoubleDummy

    def values(self, layouts: Layouts) -> Values:
        """Return what the plan from here is worth in each layout, in game points for South.

        ``layouts`` are closed positions, or ones with the stock gone, alike in all that South has
        seen.
        """
        work = self.work(layouts, dict.fromkeys(layouts, MOST))
        while True:
            try:
                next(work)
            except StopIteration as end:
                values: Values = end.value
                return values

    def work(self, layouts: Layouts, caps: Values) -> Work:
        """Find what :meth:`values` returns.

        ``caps`` tells how much can be of use in each layout: what North's better choices earlier
        in the play leave.
        """
        result = {
            number: position.over.value(SOUTH)
            for number, position in layouts.items()
            if position.over is not None
        }
        running = {number: p for number, p in layouts.items() if number not in result}
        if running:
            first = next(iter(running.values()))
            decide = self._own_move if first.turn == SOUTH else self._every_reply
            result |= yield from decide(running, caps)
        return result

    def _own_move(self, layouts: Layouts, caps: Values) -> Work:
        """Find the values of the plan when South is to move."""
        tables: dict[int, dict[Move, int]] = {}
        for number, position in layouts.items():
            values = self.solver.evaluate_moves(position)
            tables[number] = {move: min(value, caps[number]) for move, value in values.items()}
            yield
        ceiling = sum(max(table.values()) for table in tables.values())
        moves = list(next(iter(tables.values())))
        totals = {move: sum(table[move] for table in tables.values()) for move in moves}
        top = max(totals.values())
        best: Values = {}
        best_total = 0
        for move in moves:
            if totals[move] < top:
                continue
            after = {number: play(position, move) for number, position in layouts.items()}
            lost = {
                n: table[move] for n, table in tables.items() if table[move] == _floor(after[n])
            }
            found = lost | (
                yield from self.work(
                    {n: p for n, p in after.items() if n not in lost},
                    {n: table[move] for n, table in tables.items()},
                )
            )
            total = sum(min(value, caps[number]) for number, value in found.items())
            if not best or total > best_total:
                best, best_total = found, total
            if total == ceiling:
                break
        return best

    def _every_reply(self, layouts: Layouts, caps: Values) -> Work:
        """Find the values of the plan when North, who sees every card, is to move."""
        groups: dict[Move, dict[int, Position]] = {}
        useful: Values = {}
        worst: Values = {}
        for number, position in layouts.items():
            value = -self.solver.value(position)
            useful[number] = min(caps[number], value)
            if value == _floor(position):
                worst[number] = value
            else:
                for move in sensible_moves(position):
                    groups.setdefault(move, {})[number] = play(position, move)
            yield
        for group in groups.values():
            found = yield from self.work(group, useful)
            for number, value in found.items():
                worst[number] = min(value, worst.get(number, value))
        return worst


def _floor(position: Position) -> int | None:
    """Return the least that South can still score, in game points; None if that is not fixed.

    A closer who fails pays a sum that was fixed at the closing, so no play can do worse; where the
    sum depends on what comes after, nothing is fixed.
    """
    if position.over is not None:
        return position.over.value(SOUTH)
    closed, row = position.closed, position.variant
    if closed is None or closed.side != SOUTH or "double" in (row.failed_close, row.beaten_close):
        return None
    return min(
        settle_failed_close(position, closed, rule).value(SOUTH)
        for rule in (row.failed_close, row.beaten_close)
    )
