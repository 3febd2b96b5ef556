"""Many positions at once, on all cores.

The compiled kernel lets go of Python's lock, so that threads work side by side; the plain one is
run in processes where the system can fork them. Either way every worker has a solver of its own, so
that positions that lie near each other in the list, such as the moves of one record, share what is
found.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

from trainer.rules.position import Move, Position
from trainer.search import backend
from trainer.search.double_dummy import DoubleDummy

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

T = TypeVar("T")

CHUNK = 256
"""Positions that a worker takes at a time at most."""
OPEN_CHUNK = 4
"""The same for positions that draw many cards, each of which can take long."""
LONG = 6
"""Cards in an open stock from which on a position is one of those."""

_own = threading.local()


def solve_many(
    positions: Sequence[Position], *, workers: int | None = None, progress: bool = False
) -> NDArray[int64]:
    """Return the value of each position for its side to move, in game points; an array (n,).

    Carry and match are in it, and finished deals are allowed, as in
    :meth:`trainer.search.double_dummy.DoubleDummy.value`. ``workers`` is the number of threads or
    processes, by default one a core; ``progress`` shows a bar.
    """
    import numpy

    values = numpy.zeros(len(positions), dtype=numpy.int64)
    for number, value in _work(_values, positions, workers, progress):
        values[number] = value
    return values


def evaluate_many(
    positions: Sequence[Position], *, workers: int | None = None, progress: bool = False
) -> list[dict[Move, int]]:
    """Return for each position the value of every sensible move for its side to move.

    In game points, as :meth:`trainer.search.double_dummy.DoubleDummy.evaluate_moves`; empty for a
    finished deal. ``workers`` and ``progress`` as in :func:`solve_many`.
    """
    tables: list[dict[Move, int]] = [{} for _ in positions]
    for number, table in _work(_tables, positions, workers, progress):
        tables[number] = table
    return tables


def _values(positions: Sequence[Position]) -> list[int]:
    solver = _solver()
    return [solver.value(position) for position in positions]


def _tables(positions: Sequence[Position]) -> list[dict[Move, int]]:
    solver = _solver()
    return [solver.evaluate_moves(position) for position in positions]


def _solver() -> DoubleDummy:
    """Return this worker's own solver."""
    if not hasattr(_own, "solver"):
        _own.solver = DoubleDummy()
    solver: DoubleDummy = _own.solver
    return solver


def _work(
    task: Callable[[Sequence[Position]], list[T]],
    positions: Sequence[Position],
    workers: int | None,
    progress: bool,
) -> Iterator[tuple[int, T]]:
    """Do a task for every position; yield the numbers with what was found, in order.

    Raises ValueError for fewer than one worker.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"there must be at least one worker, not {workers}")
    chunks = list(_chunks(positions))
    executor = _executor(workers, len(chunks))
    try:
        waiting = [
            (numbers, executor.submit(task, [positions[number] for number in numbers]))
            for numbers in chunks
        ]
        for numbers, future in _shown(waiting) if progress else waiting:
            yield from zip(numbers, future.result(), strict=True)
    finally:  # also when the caller has enough: what is not begun is dropped
        executor.shutdown(wait=False, cancel_futures=True)


def _chunks(positions: Sequence[Position]) -> Iterator[list[int]]:
    """Yield the numbers of positions in chunks of one variant and about equal work."""

    def kind(number: int) -> tuple[str, bool]:
        position = positions[number]
        return position.variant.name, position.open_stock and len(position.stock) >= LONG

    for (_, long), group in groupby(range(len(positions)), key=kind):
        numbers = list(group)
        size = OPEN_CHUNK if long else CHUNK
        yield from (numbers[start : start + size] for start in range(0, len(numbers), size))


def _executor(workers: int | None, chunks: int) -> Executor:
    """Return threads for the compiled kernel, processes for the plain one where they can be forked.

    Processes that are started afresh would run a script without a main guard once more.
    """
    count = max(1, min(workers or os.cpu_count() or 1, chunks))
    if backend.current() is backend.PLAIN and sys.platform == "linux" and count > 1:
        return ProcessPoolExecutor(count, mp_context=get_context("fork"))
    return ThreadPoolExecutor(count)


def _shown(waiting: Sequence[Any]) -> Iterator[Any]:
    """Yield what is waited for, with a progress bar."""
    from rich.console import Console
    from rich.progress import track

    yield from track(waiting, description="Solving", console=Console(stderr=True))
