"""Mining many deals: on all cores or on a cluster, stopped and taken up again at any time.

The deals are cut into small batches. What a batch yields depends on the seed alone, and a file
beside the output keeps what is found, so that a run that was stopped goes on where it was and comes
to the same end, however many workers there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from trainer.lessons import write_whole
from trainer.mining.balance import balanced
from trainer.mining.finding import mine_deal
from trainer.puzzles import Puzzle, PuzzleError, from_cells, save, to_cells
from trainer.rules.variants import variant_named

FORMAT = 1
BATCH = 5
"""Deals that a worker takes at a time: a few seconds of work."""
PATIENCE = "10s"
"""How long a cluster is waited for."""
RETRIES = 5
"""Times that a batch is begun anew on a cluster whose workers end."""

Progress = Callable[[float, int], None]
"""Told the part of the deals done, 0 to 1, and the puzzles found by then."""


class MiningError(Exception):
    """What keeps a run from going on, as one plain sentence."""


@dataclass(frozen=True, slots=True)
class Mining:
    """What to mine: so many deals of a variant, and the most puzzles to keep of what is found.

    Without ``count`` all are kept.
    """

    variant: str
    seed: int
    deals: int
    count: int | None = None

    @property
    def batches(self) -> range:
        """The numbers of the batches."""
        return range(-(-self.deals // BATCH))

    def batch(self, number: int) -> range:
        """Return the numbers of the deals in a batch; the last one may be shorter, and not be."""
        return range(number * BATCH, min((number + 1) * BATCH, self.deals))


def mine(
    mining: Mining,
    output: Path,
    executor: Executor | None,
    progress: Progress = lambda _done, _found: None,
) -> list[Puzzle]:
    """Mine what is left to be mined, write the file of puzzles and return them.

    Without an executor the work is done in this process. What is found is kept in a file beside
    ``output`` until all is done, so that a run that was interrupted goes on from there. Raises
    MiningError where that file is of another run or damaged, where another run writes it at the
    same time or has written ``output``, and where workers end unexpectedly.
    """
    kept_in = state_file(output)
    kept = _kept(kept_in)
    found = {} if kept is None else _read_state(kept_in, kept, mining)
    left = [number for number in mining.batches if number not in found]
    task = partial(mine_batch, mining)
    try:
        for number, rows in _work(task, left, executor):
            found[number] = rows
            kept = _keep(kept_in, _state(mining, found), kept)
            progress(len(found) / len(mining.batches), sum(map(len, found.values())))
    except (RuntimeError, OSError) as error:  # a broken pool, a cluster that is gone
        if isinstance(error, OSError) and error.filename:
            raise
        raise MiningError(f"the workers ended ({error}); run it again to go on") from error
    puzzles = _without_twins(found)
    if mining.count is not None:
        puzzles = balanced(puzzles, mining.count)
    if output.exists():
        raise MiningError(f"{output}: written by another run meanwhile; move it, and run it again")
    save(puzzles, output)
    kept_in.unlink(missing_ok=True)
    return puzzles


def state_file(output: Path) -> Path:
    """Return the file beside an output that keeps what an unfinished run has found."""
    return output.with_name(f"{output.name}.unfinished")


def mine_batch(mining: Mining, number: int) -> list[list[str]]:
    """Return the puzzles of a batch, as the cells of their lines; what a worker does."""
    variant = variant_named(mining.variant)
    deals = (mine_deal(variant, mining.seed, deal) for deal in mining.batch(number))
    return [to_cells(puzzle) for puzzles in deals for puzzle in puzzles]


def _work(
    task: Callable[[int], list[list[str]]], numbers: list[int], executor: Executor | None
) -> Iterator[tuple[int, list[list[str]]]]:
    """Do a task for each number; yield the numbers with what was found, as they are done."""
    if executor is None:
        for number in numbers:
            yield number, task(number)
        return
    waiting: dict[Future[list[list[str]]], int] = {
        executor.submit(task, number): number for number in numbers
    }
    try:
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        for future in waiting:
            future.cancel()


def _without_twins(found: dict[int, list[list[str]]]) -> list[Puzzle]:
    """Return the puzzles in the order of their deals, the first only of those that are the same."""
    puzzles: dict[str, Puzzle] = {}
    for number in sorted(found):
        for cells in found[number]:
            puzzle = from_cells(cells)
            puzzles.setdefault(puzzle.id, puzzle)
    return list(puzzles.values())


# -------------------------------------------------------------------------------------- the state


def _state(mining: Mining, found: dict[int, list[list[str]]]) -> bytes:
    data = {
        "format": FORMAT,
        "variant": mining.variant,
        "seed": mining.seed,
        "deals": mining.deals,
        "found": {str(number): found[number] for number in sorted(found)},
    }
    return json.dumps(data).encode()


def _kept(file: Path) -> bytes | None:
    """Return what a file holds, None if there is none."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _keep(file: Path, state: bytes, before: bytes | None) -> bytes:
    """Write a state over the one before and return it. Raises MiningError if another is there."""
    try:
        if _kept(file) != before:
            raise MiningError(f"{file}: written by another run too; let that one end first")
        write_whole(file, state)
    except OSError as error:
        raise MiningError(f"{file}: {error.strerror or error}") from error
    return state


def _read_state(file: Path, kept: bytes, mining: Mining) -> dict[int, list[list[str]]]:
    """Return what earlier runs have found, by batch. Raises MiningError."""
    try:
        data = json.loads(kept)
    except (ValueError, RecursionError):
        raise _damaged(file) from None
    try:
        if (data["format"], data["variant"], data["seed"]) != (FORMAT, mining.variant, mining.seed):
            raise MiningError(f"{file}: kept from a run of other deals; finish or delete it")
        before = Mining(mining.variant, mining.seed, int(data["deals"]))
        return {
            int(number): [to_cells(from_cells(cells)) for cells in rows]
            for number, rows in data["found"].items()
            if before.batch(int(number)) == mining.batch(int(number)) != range(0)
        }
    except (KeyError, TypeError, ValueError, AttributeError, PuzzleError):
        raise _damaged(file) from None


def _damaged(file: Path) -> MiningError:
    return MiningError(f"{file}: damaged; delete it to begin anew")


# ------------------------------------------------------------------------------------- a cluster


@contextmanager
def dask_cluster(address: str) -> Iterator[Executor]:
    """Give the workers of a dask.distributed cluster. Raises MiningError where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise MiningError(
            "dask is not installed; install it with: pip install 'sixty-six-trainer[dask]'"
        ) from None
    try:
        connect: Any = Client
        client = connect(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise MiningError(f"no cluster answers at {address} ({error})") from error
    with client:
        yield client.get_executor(pure=False, retries=RETRIES)
