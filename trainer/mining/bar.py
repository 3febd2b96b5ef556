"""The progress bar of a run that mines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from trainer.mining.run import Progress


@contextmanager
def mining_bar(stream: IO[str]) -> Iterator[Progress]:
    """Show on a terminal the part of the deals done, the puzzles found and the time left."""
    if not stream.isatty():
        yield lambda _done, _found: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("mining"),
        BarColumn(),
        TextColumn("{task.fields[found]} found,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Bar(*columns, console=Console(file=stream, highlight=False)) as bar:
        task = bar.add_task("", total=1.0, found=0)
        yield lambda done, found: bar.update(task, completed=done, found=found)
