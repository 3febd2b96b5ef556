"""Many positions at once, on all cores.

The compiled kernel lets go of Python's lock, so that threads work side by side; the plain one is
run in processes. Either way every worker has a memory of its own, and positions that lie near each
other in the list, such as the layouts of one view or the moves of one record, share what is found.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from trainer.rules.play import sensible_moves
from trainer.rules.position import Move, Position
from trainer.rules.variants import Variant
from trainer.search import backend, kernel
from trainer.search.double_dummy import in_match
from trainer.search.encode import encode, new_facts, play_column
from trainer.search.kernel import Ints, Memory

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

CHUNK = 1024
"""Positions that a worker takes at a time at most."""
OPEN_CHUNK = 4
"""The same for positions that draw many cards, each of which can take long."""
LONG = 6
"""Cards in an open stock from which on a position is one of those."""

_own = threading.local()
Job = tuple[Variant, list[list[int]]]


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
    for number, found in _work(_values, positions, workers, progress):
        values[number] = in_match(positions[number], found)
    for number, position in enumerate(positions):
        if position.over is not None:
            values[number] = position.over.value(position.turn)
    return values


def evaluate_many(
    positions: Sequence[Position], *, workers: int | None = None, progress: bool = False
) -> list[dict[Move, int]]:
    """Return for each position the value of every sensible move for its side to move.

    In game points, as :meth:`trainer.search.double_dummy.DoubleDummy.evaluate_moves`; empty for a
    finished deal. ``workers`` and ``progress`` as in :func:`solve_many`.
    """
    tables: list[dict[Move, int]] = [{} for _ in positions]
    for number, graded in _work(_grades, positions, workers, progress):
        position = positions[number]
        tables[number] = {
            move: in_match(position, graded[play_column(move, position.variant, position.trump)])
            for move in sensible_moves(position)
        }
    return tables


def _values(job: Job) -> list[Any]:
    """Return the values of the codes of one variant, before carry and match."""
    variant, codes = job
    form, facts, memory = _tools(variant)
    found = form.ints([0] * len(codes))
    form.values(form.table(codes), found, facts, memory)
    return [int(value) for value in found]


def _grades(job: Job) -> list[Any]:
    """Return for each code of one variant what its plays are worth, by the kernel's columns."""
    variant, codes = job
    form, facts, memory = _tools(variant)
    tables = []
    for code in codes:
        graded = form.ints([0] * kernel.PLAYS)
        form.grade(form.ints(code), graded, facts, memory)
        tables.append([int(value) for value in graded])
    return tables


def _tools(variant: Variant) -> tuple[backend.Backend, Ints, Memory]:
    """Return the kernel with facts and memory for a variant that are this worker's own."""
    form = backend.current()
    kept = getattr(_own, "tools", None)
    if kept is None or kept[0] is not form or _own.variant != variant:
        _own.tools = form, form.ints(new_facts(variant)), form.new_memory()
        _own.variant = variant
    tools: tuple[backend.Backend, Ints, Memory] = _own.tools
    return tools


def _work(
    task: Callable[[Job], list[Any]],
    positions: Sequence[Position],
    workers: int | None,
    progress: bool,
) -> Iterator[tuple[int, Any]]:
    """Do a task for every unfinished position; yield the numbers with what was found, in order."""
    chunks = list(_chunks(positions))
    with _executor(workers, len(chunks)) as executor:
        waiting: list[tuple[list[int], Future[list[Any]]]] = []
        for numbers in chunks:
            variant = positions[numbers[0]].variant
            codes = [encode(positions[number]) for number in numbers]
            waiting.append((numbers, executor.submit(task, (variant, codes))))
        for numbers, future in _shown(waiting) if progress else waiting:
            yield from zip(numbers, future.result(), strict=True)


def _chunks(positions: Sequence[Position]) -> Iterator[list[int]]:
    """Yield the numbers of unfinished positions in chunks of one variant and about equal work."""

    def kind(number: int) -> tuple[str, bool]:
        position = positions[number]
        return position.variant.name, position.open_stock and len(position.stock) >= LONG

    unfinished = (number for number, one in enumerate(positions) if one.over is None)
    for (_, long), group in groupby(unfinished, key=kind):
        numbers = list(group)
        size = OPEN_CHUNK if long else CHUNK
        yield from (numbers[start : start + size] for start in range(0, len(numbers), size))


def _executor(workers: int | None, chunks: int) -> Executor:
    count = max(1, min(workers or os.cpu_count() or 1, chunks))
    if backend.current() is backend.PLAIN and count > 1:
        return ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    return ThreadPoolExecutor(count)


def _shown(waiting: Sequence[Any]) -> Iterator[Any]:
    """Yield what is waited for, with a progress bar."""
    from rich.console import Console
    from rich.progress import track

    yield from track(waiting, description="Solving", console=Console(stderr=True))
