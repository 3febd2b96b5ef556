"""Single dummy while the last cards are drawn: what one plan surely yields.

Once all cards are drawn South, who has kept count, knows North's hand. So with a card or two left
face down a plan has few moves to fix, and all of them can be tried. North is taken to see every
card. Among South's moves the one with the best sure sum is taken at each turn, although for some
of the layouts North would never let it come to that; so a better plan may exist.
"""

from __future__ import annotations

from collections.abc import Mapping

from trainer.rules.cards import Hand
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import SOUTH, Move, Position
from trainer.search.double_dummy import DoubleDummy
from trainer.search.single_dummy import best_plan

Layouts = Mapping[int, Position]
"""Positions that South cannot tell apart, by the number of their layout."""
Values = dict[int, int]
"""Game points for South, by the number of the layout."""
CLOSED_WORK = 300_000
"""What the search for the best plan after a closing may cost."""


def sure_values(layouts: Layouts, solver: DoubleDummy) -> Values:
    """Return what a plan yields in each layout at least, in game points for South."""
    first = next(iter(layouts.values()))
    if first.over is not None or len(layouts) == 1:
        return {number: solver.value_for(SOUTH, position) for number, position in layouts.items()}
    if not first.open_stock:
        plan = best_plan(list(layouts.values()), solver, CLOSED_WORK)
        return dict(zip(layouts, plan.values, strict=True))
    moves = [move for position in layouts.values() for move in sensible_moves(position)]
    outcomes = (values_after(layouts, move, solver) for move in dict.fromkeys(moves))
    if first.turn == SOUTH:
        return max(outcomes, key=lambda values: sum(values.values()))
    worst: Values = {}
    for values in outcomes:
        for number, value in values.items():
            worst[number] = min(value, worst.get(number, value))
    return worst


def values_after(layouts: Layouts, move: Move, solver: DoubleDummy) -> Values:
    """Return what a plan yields after a move, for the layouts in which it is sensible."""
    told_apart: dict[tuple[Hand, bool], dict[int, Position]] = {}
    for number, position in layouts.items():
        if move in sensible_moves(position):
            after = play(position, move)
            seen = after.hands[SOUTH], after.over is None
            told_apart.setdefault(seen, {})[number] = after
    values: Values = {}
    for alike in told_apart.values():
        values |= sure_values(alike, solver)
    return values
