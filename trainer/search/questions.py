"""Questions to the search, each answered by one function.

A caller with many questions about one deal keeps a
:class:`trainer.search.double_dummy.DoubleDummy` instead, which remembers; one with many positions
takes :mod:`trainer.search.batch`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic

from trainer.rules.play import play
from trainer.rules.position import SOUTH, Move, Position, View
from trainer.search.concealed import Answer, Study, Tally
from trainer.search.double_dummy import DoubleDummy


@dataclass(frozen=True, slots=True)
class Solution:
    """What the value of a position was found to lie between, in game points for the side to move.

    Where there was time for it, ``least`` and ``most`` are the same.
    """

    least: int
    most: int
    nodes: int
    """Positions looked at."""
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.least == self.most

    @property
    def value(self) -> int:
        """The value; ValueError where only bounds are known."""
        if not self.exact:
            raise ValueError(f"the value is only known to lie from {self.least} to {self.most}")
        return self.least


def solve(position: Position, *, seconds: float | None = None) -> Solution:
    """Return the value of a position, or what it lies between after so many seconds.

    Carry and match are in it; a finished deal is worth what the side in ``turn`` scored.
    """
    started = monotonic()
    solver = DoubleDummy()
    for least, most in solver.bounds(position):  # noqa: B007
        if seconds is not None and monotonic() - started > seconds:
            break
    return Solution(least, most, solver.nodes, monotonic() - started)


def evaluate_moves(position: Position) -> dict[Move, int]:
    """Return the value of every sensible move, in game points for the side to move.

    False claims are left out; a finished deal has no moves.
    """
    return DoubleDummy().evaluate_moves(position)


def principal_variation(position: Position) -> tuple[Move, ...]:
    """Return best play by both sides to the end of the deal."""
    return DoubleDummy().principal_variation(position)


def refutation(position: Position, move: Move) -> tuple[Move, ...]:
    """Return best play by both sides after a move, the other side's reply first.

    Raises IllegalMove.
    """
    return DoubleDummy().refutation(position, move)


def par(position: Position) -> int:
    """Return what best play by both sides makes of a deal, in game points for South."""
    return DoubleDummy().value_for(SOUTH, position)


def evaluate_record(start: Position, moves: Iterable[Move]) -> list[int]:
    """Return the value at the start of a record and after each move, in game points for South.

    One more than there are moves. Raises IllegalMove.
    """
    positions = [start]
    for move in moves:
        positions.append(play(positions[-1], move))
    solver = DoubleDummy()
    backwards = [solver.value_for(SOUTH, position) for position in reversed(positions)]
    return backwards[::-1]


def evaluate_view(
    view: View, *, samples: int | None = None, seed: int = 1, seconds: float | None = None
) -> dict[Answer, Tally]:
    """Return what each of South's choices is worth over the layouts of a view.

    A choice that settles the stock is counted over every hand North can hold, one that keeps it
    open over hands and orders or, where they are many, over ``samples`` of them drawn with
    ``seed``. After ``seconds`` what is not begun is left out, and a sample may be smaller than its
    ``size``. Raises ValueError where it is not South's turn.
    """
    started = monotonic()
    study = Study(view, samples, seed)
    for _ in study.steps():
        if seconds is not None and monotonic() - started > seconds:
            break
    return study.tallies
