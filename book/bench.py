"""Measure how fast the search is: ``make bench`` runs this and writes book/benchmarks.

Every section is measured in a process of its own, one after the other, so that its peak memory can
be told and none warms up another. The positions come from fixed seeds and are the same every time;
the times are those of the machine at hand.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter, sleep
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from trainer.rules import SOUTH, VARIANTS, Position, deal, play, view
from trainer.rules.play import sensible_moves
from trainer.rules.position import CLOSE, Kind, count_hands, hands, layouts
from trainer.rules.variants import Variant
from trainer.search import DoubleDummy, backend, kernel
from trainer.search.encode import card_bits, encode, hand_bits, new_facts
from trainer.search.single_dummy import Planning

T = TypeVar("T")

FORMAT = 1
SEED = 66
FOLDER = Path(__file__).parent / "benchmarks"
TRIAL_FOLDER = Path(__file__).parent.parent / "build" / "benchmarks"
"""Where the pages of a run go that is quick or covers one section, unless told otherwise."""
COMPILED, PLAIN, NEITHER = "compiled", "plain", ""
FOSTER = VARIANTS["foster66"]
STOCKS = range(0, FOSTER.stock_size + 1, 2)
BUSY = 0.5
"""The load at the start from which on the page warns that other work ran beside."""
PATIENCE = 3.0
"""Seconds after which a search for a plan is given up."""
TELL_EVERY = 0.1
"""Seconds between two reports of progress."""
PASSED_OVER = frozenset({Kind.CLOSE, Kind.CLAIM, Kind.SHOW})
"""Moves that random play leaves out, so that the stock is played out and the deal goes on."""


# ---- what a run finds --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """How long one kind of work took, over ``count`` positions, in seconds for each."""

    section: str
    key: str
    work: str
    kernel: str
    count: int
    seconds: dict[str, float | None]
    """By statistic; None where there are too few positions for it."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of ``count`` searches came to their end in time, in percent."""

    section: str
    key: str
    work: str
    kernel: str
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that the process of a section took, None where the system does not tell."""

    section: str
    kernel: str
    megabytes: float | None


@dataclass(frozen=True, slots=True)
class Step:
    """How far some work has come."""

    work: str
    done: int
    size: int | None


@dataclass(slots=True)
class Results:
    """All that a run has found, and where and when."""

    date: str
    quick: bool
    machine: dict[str, Any]
    measures: list[Measure] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    peaks: list[Peak] = field(default_factory=list)

    def seconds(self, key: str, form: str, statistic: str) -> float | None:
        """Return one figure in seconds, None if it was not measured."""
        for measure in self.measures:
            if (measure.key, measure.kernel) == (key, form):
                return measure.seconds[statistic]
        return None

    def percent(self, key: str) -> float | None:
        """Return one share in percent, None if it was not measured."""
        return next((share.percent for share in self.shares if share.key == key), None)

    def most_memory(self) -> float | None:
        """Return the highest peak of all sections, in megabytes."""
        return max((peak.megabytes for peak in self.peaks if peak.megabytes), default=None)


STATISTICS = ("median", "p90", "p99", "mean")


def statistics(seconds: Sequence[float]) -> dict[str, float | None]:
    """Return the median, the mean, and the times that 90 and 99 of 100 positions keep within."""
    in_order = sorted(seconds)

    def within(percent: int) -> float | None:
        enough = len(in_order) * (100 - percent) >= 100
        return in_order[math.ceil(len(in_order) * percent / 100) - 1] if enough else None

    return {
        "median": median(in_order),
        "p90": within(90),
        "p99": within(99),
        "mean": fmean(in_order),
    }


# ---- measuring, in a process of its own --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meter:
    """Takes the times of one section with one form of the kernel, and tells how far it has come."""

    section: str
    kernel: str
    count: int
    """Positions to be measured."""
    tell: Callable[[Step], None]

    @property
    def warming(self) -> int:
        """How many positions are worked on first and left out."""
        return max(1, self.count // 30)

    @property
    def needed(self) -> int:
        """How many positions that makes in all."""
        return self.warming + self.count

    def gather(self, work: str, source: Iterator[T]) -> list[T]:
        """Return as many items as are needed, those for warming up first."""
        return list(self.followed(f"{work}: dealing", islice(source, self.needed)))

    def clock(
        self,
        key: str,
        work: str,
        run: Callable[[T], object],
        items: Iterable[T],
        before: Callable[[], None] = lambda: None,
    ) -> Measure:
        """Time ``run`` on each item; ``before`` is called ahead of it and is not timed."""
        seconds = []
        for item in self.followed(work, items):
            before()
            start = perf_counter()
            run(item)
            seconds.append(perf_counter() - start)
        return self.measured(key, work, seconds)

    def measured(self, key: str, work: str, seconds: Sequence[float]) -> Measure:
        """Return the figures of times that have been taken, without those of warming up."""
        counted = seconds[self.warming :]
        return Measure(self.section, key, work, self.kernel, len(counted), statistics(counted))

    def followed(self, work: str, items: Iterable[T]) -> Iterator[T]:
        """Yield as many items as are needed, and tell now and then how many are done."""
        told = 0.0
        for done, item in enumerate(items):
            if perf_counter() - told > TELL_EVERY:
                self.tell(Step(work, done, self.needed))
                told = perf_counter()
            yield item


class Tools:
    """The kernel with its facts and its memory, for work on codes with no objects around it."""

    def __init__(self, variant: Variant) -> None:
        self.form = backend.current()
        self.facts = self.form.ints(new_facts(variant))
        self.memory: Any = self.form.new_memory()
        self.graded = self.form.ints([0] * kernel.PLAYS)
        self.forget()

    def forget(self) -> None:
        """Empty the memory."""
        if isinstance(self.memory, dict):
            self.memory.clear()
        else:
            self.memory.fill(0)

    def code(self, position: Position) -> kernel.Ints:
        """Return a position as the kernel reads it."""
        return self.form.ints(encode(position))

    def value(self, code: kernel.Ints) -> int:
        """Return the value of a code."""
        return self.form.value(code, self.facts, self.memory)

    def grade(self, code: kernel.Ints) -> int:
        """Grade every play of a code."""
        return self.form.grade(code, self.graded, self.facts, self.memory)

    def values(self, job: tuple[Sequence[kernel.Ints], kernel.Ints]) -> None:
        """Find the values of many codes at once."""
        codes, found = job
        self.form.values(codes, found, self.facts, self.memory)


def random_deals(variant: Variant, seed: str) -> Iterator[Position]:
    """Yield deals at the first lead, without end."""
    rng = Random(seed)
    while True:
        yield deal(variant, rng)


def random_play(variant: Variant, stock_left: int, seed: str) -> Iterator[Position]:
    """Yield positions that random play comes to, on lead with so many cards in the stock."""
    rng = Random(seed)
    while True:
        position = deal(variant, rng)
        while len(position.stock) > stock_left:
            moves = [move for move in sensible_moves(position) if move.kind not in PASSED_OVER]
            position = play(position, rng.choice(moves))
        yield position


def endings(meter: Meter) -> Iterator[Measure]:
    """Measure six cards each with the stock gone: the value, and every play graded."""
    positions = meter.gather("6-card ending", random_play(FOSTER, 0, f"endings {SEED}"))
    tools = Tools(FOSTER)
    codes = [tools.code(position) for position in positions]
    value, graded = "6-card ending: value", "6-card ending: every play graded"
    yield meter.clock("ending value", value, tools.value, codes)
    tools.forget()
    yield meter.clock("ending grade", graded, tools.grade, codes)
    emptied = f"{value}, the memory emptied before each"
    yield meter.clock("ending value emptied", emptied, tools.value, codes, tools.forget)
    objects = f"{value}, by `DoubleDummy.value`"
    yield meter.clock("ending value object", objects, DoubleDummy().value, positions)
    objects = f"{graded}, by `DoubleDummy.evaluate_moves`"
    yield meter.clock("ending grade object", objects, DoubleDummy().evaluate_moves, positions)


def closes(meter: Meter) -> Iterator[Measure]:
    """Measure a close at the first lead: its value for every hand that North may hold."""
    work = "close at the first lead, all 12,376 hands"
    positions = meter.gather(work, random_deals(FOSTER, f"closes {SEED}"))
    tools = Tools(FOSTER)

    def prepared() -> Iterator[tuple[Sequence[kernel.Ints], kernel.Ints]]:
        """Yield the codes for all hands of a deal, and where their values go."""
        for position in positions:
            bits = card_bits(FOSTER, position.trump)
            code = encode(play(position, CLOSE))
            codes = []
            for hand in hands(view(position, SOUTH)):
                code[kernel.OP] = hand_bits(hand, bits)
                codes.append(code.copy())
            yield tools.form.table(codes), tools.form.ints([0] * len(codes))

    yield meter.clock("close", work, tools.values, prepared(), tools.forget)
    if meter.kernel == COMPILED:
        yield meter.clock(
            "close object",
            f"{work}, by `DoubleDummy.values_of_hands`",
            lambda asked: DoubleDummy().values_of_hands(*asked),
            ((play(one, CLOSE), list(hands(view(one, SOUTH)))) for one in positions),
        )


def deals(meter: Meter) -> Iterator[Measure]:
    """Measure whole deals from the first lead in all the games."""
    for variant in VARIANTS.values():
        yield from deals_of(variant, meter)


def deals_of(variant: Variant, meter: Meter) -> Iterator[Measure]:
    """Measure whole deals of a game, each with a solver that knows nothing yet.

    Raises RuntimeError if the two ways to a value differ.
    """
    work = f"whole deal, {variant.title}"
    positions = meter.gather(work, random_deals(variant, f"deals {variant.name} {SEED}"))
    values: list[int] = []
    best: list[int] = []

    def find_value(position: Position) -> None:
        values.append(DoubleDummy().value(position))

    def grade_moves(position: Position) -> None:
        best.append(max(DoubleDummy().evaluate_moves(position).values()))

    yield meter.clock(f"deal {variant.name}", f"{work}: value", find_value, positions)
    every = f"{work}: every first move"
    yield meter.clock(f"first moves {variant.name}", every, grade_moves, positions)
    if values != best:
        raise RuntimeError(f"{work}: the value is not that of the best move")


def growth(meter: Meter) -> Iterator[Measure]:
    """Measure positions with more and more cards in the stock, the memory empty for each."""
    tools = Tools(FOSTER)
    for stock_left in STOCKS:
        work = f"{stock_left} cards in the stock: value"
        positions = random_play(FOSTER, stock_left, f"growth {stock_left} {SEED}")
        codes = [tools.code(position) for position in meter.gather(work, positions)]
        yield meter.clock(f"growth {stock_left}", work, tools.value, codes, tools.forget)


def random_closes(layouts_wanted: int, stock_left: int) -> Iterator[list[Position]]:
    """Yield what random closes look like to South: all layouts, North holding any hand."""
    for position in random_play(FOSTER, stock_left, f"plans {stock_left} {SEED}"):
        undecided = max(position.card_points) < FOSTER.goal
        if position.turn == SOUTH and undecided:
            seen = view(play(position, CLOSE), SOUTH)
            if count_hands(seen) == layouts_wanted:
                yield list(layouts(seen))


def plans(meter: Meter) -> Iterator[Measure | Share]:
    """Measure the best plan after a close, with a solver that knows nothing yet."""
    for size, stock_left in ((84, 4), (462, 6)):
        work = f"best plan after closing, {size} layouts"
        closed = meter.gather(work, random_closes(size, stock_left))
        exact: list[bool] = []
        seconds = []
        for positions in meter.followed(work, closed):
            start = perf_counter()
            planning = Planning(positions, DoubleDummy())
            for _ in planning.steps():
                if perf_counter() - start > PATIENCE:
                    break
            seconds.append(perf_counter() - start)
            exact.append(planning.plan is not None and planning.plan.exact)
        yield meter.measured(f"plan {size}", work, seconds)
        in_time = list(zip(exact, seconds, strict=True))[meter.warming :]
        for limit in (1, 3):
            found = sum(done and time <= limit for done, time in in_time)
            yield Share(
                meter.section,
                f"plan {size} within {limit}",
                f"{work}: exact within {limit} s",
                meter.kernel,
                len(in_time),
                100 * found / len(in_time),
            )


def imports(meter: Meter) -> Iterator[Measure]:
    """Measure what an import adds to the start of Python."""

    def started(statement: str) -> float:
        """Return how many seconds a Python takes that does no more than this."""
        start = perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        return perf_counter() - start

    for statement in ("import trainer", "import trainer.search"):
        rounds = meter.followed(f"`{statement}`", range(meter.needed))
        seconds = [started(statement) - started("pass") for _ in rounds]
        yield meter.measured(statement, f"`{statement}`", seconds)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the benchmark: what is measured, and over how many positions with each kernel."""

    title: str
    run: Callable[[Meter], Iterator[Measure | Share]]
    full: dict[str, int]
    quick: dict[str, int]


SECTIONS = {
    "endings": Section(
        "Endings", endings, {COMPILED: 2000, PLAIN: 2000}, {COMPILED: 100, PLAIN: 30}
    ),
    "closes": Section("Closing", closes, {COMPILED: 300, PLAIN: 12}, {COMPILED: 5, PLAIN: 1}),
    "deals": Section("Whole deals", deals, {COMPILED: 300}, {COMPILED: 5}),
    "plans": Section("Plans when cards are concealed", plans, {COMPILED: 300}, {COMPILED: 5}),
    "growth": Section(
        "Growth with the stock", growth, {COMPILED: 300, PLAIN: 30}, {COMPILED: 10, PLAIN: 2}
    ),
    "imports": Section("Imports", imports, {NEITHER: 20}, {NEITHER: 2}),
}


def measure(name: str, form: str, count: int, sender: Connection) -> None:
    """Measure a section in this process and send what is found."""
    if form != NEITHER:
        sender.send(Step(f"the {form} kernel", 0, None))
        make_ready(form)
    for found in SECTIONS[name].run(Meter(name, form, count, sender.send)):
        sender.send(found)
    sender.send(Peak(name, form, peak_memory()))


def make_ready(form: str) -> None:
    """Have the search work with one form of the kernel. Raises RuntimeError if it is not there.

    What is not compiled yet another process compiles, so that this one's memory is not counted.
    """
    os.environ["SIXTY_SIX_KERNEL"] = form
    if form == COMPILED and backend.current() is backend.PLAIN:
        subprocess.run([sys.executable, "-c", backend.COMPILE], check=True)
        sleep(backend.LOOK_EVERY)
    if backend.current().name != form:
        raise RuntimeError(f"the {form} kernel is not there")


def peak_memory() -> float | None:
    """Return the most memory that this process has held, in megabytes, None if nobody knows."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


# ---- a run -------------------------------------------------------------------------------------


def run(names: Sequence[str], results: Results, progress: Progress) -> None:
    """Measure these sections one after the other, and put what they find into ``results``."""
    task = progress.add_task("", total=None)
    for name in names:
        section = SECTIONS[name]
        for form, count in (section.quick if results.quick else section.full).items():
            for message in apart(name, form, count):
                if isinstance(message, Step):
                    work = f"{message.work}, {form}" if form else message.work
                    progress.update(
                        task, description=work, completed=message.done, total=message.size
                    )
                elif isinstance(message, Peak):
                    results.peaks.append(message)
                elif isinstance(message, Share):
                    results.shares.append(message)
                else:
                    results.measures.append(message)
    progress.remove_task(task)


def apart(name: str, form: str, count: int) -> Iterator[Step | Measure | Share | Peak]:
    """Measure a section in a fresh process, yielding what it sends. Raises SystemExit."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(name, form, count, sender), daemon=True)
    process.start()
    sender.close()
    with receiver, suppress(EOFError):
        while True:
            yield receiver.recv()
    process.join()
    if process.exitcode:
        raise SystemExit(f"measuring {name} failed")


def machine() -> dict[str, Any]:
    """Return what the times depend on: processor, system, versions, and the load just now."""
    try:
        numba: str | None = version("numba")
    except PackageNotFoundError:
        numba = None
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numba": numba,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def processor() -> str:
    """Return the name of the processor as far as the system tells it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "not known"


# ---- the page ----------------------------------------------------------------------------------


def time_text(seconds: float) -> str:
    """Return a time with its unit, to three figures or the nearest 0.1 µs: ``12.3 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size * 0.9995 or unit == "µs":
            amount = seconds / size
            break
    digits = 0 if abs(amount) >= 100 else 1 if abs(amount) >= 10 or unit == "µs" else 2
    return f"{amount:.{digits}f} {unit}"


def percent_text(percent: float) -> str:
    """Return a share with its unit."""
    return f"{percent:.1f} %"


def memory_text(megabytes: float) -> str:
    """Return an amount of memory with its unit."""
    return f"{megabytes:.0f} MB"


@dataclass(frozen=True, slots=True)
class Goal:
    """What one figure must keep within, and what it aims at; with ``more`` what it must reach."""

    work: str
    measured: Callable[[Results], float | None]
    must: float
    aim: float | None = None
    tell: Callable[[float], str] = time_text
    more: bool = False

    def row(self, results: Results) -> str | None:
        """Return the goal beside what was measured, a row of Markdown; None if nothing was."""
        figure = self.measured(results)
        if figure is None:
            return None
        aim = "–" if self.aim is None else self.tell(self.aim)
        return table_row(
            [self.work, self.tell(self.must), aim, self.tell(figure), self.reached(figure)]
        )

    def reached(self, figure: float) -> str:
        """Return in words what a figure reaches."""
        sign = -1 if self.more else 1
        if sign * figure > sign * self.must:
            return "**missed**"
        return "aim" if self.aim is not None and sign * figure <= sign * self.aim else "must"


def figure(key: str, statistic: str, form: str = COMPILED) -> Callable[[Results], float | None]:
    """Return what reads one figure, in seconds."""
    return lambda results: results.seconds(key, form, statistic)


GOALS = (
    Goal("6-card ending: value, median", figure("ending value", "median"), 12e-6, 5e-6),
    Goal(
        "6-card ending: every play graded, median",
        figure("ending grade", "median"),
        60e-6,
        20e-6,
    ),
    Goal("close, all 12,376 hands, median", figure("close", "median"), 60e-3, 15e-3),
    Goal("whole deal, Foster: median", figure("deal foster66", "median"), 25e-3, 5e-3),
    Goal("whole deal, Foster: p99", figure("deal foster66", "p99"), 2, 0.3),
    Goal(
        "whole deal, Foster: every first move, p90",
        figure("first moves foster66", "p90"),
        300e-3,
        60e-3,
    ),
    Goal("whole deal, Schnapsen: mean", figure("deal schnapsen", "mean"), 5e-3, 1e-3),
    Goal("best plan, 84 layouts: mean", figure("plan 84", "mean"), 20e-3, 5e-3),
    Goal(
        "best plan, 462 layouts: exact within 3 s",
        lambda results: results.percent("plan 462 within 3"),
        92,
        tell=percent_text,
        more=True,
    ),
    Goal(
        "best plan, 462 layouts: exact within 1 s",
        lambda results: results.percent("plan 462 within 1"),
        92,
        99,
        tell=percent_text,
        more=True,
    ),
    Goal(
        "plain Python, 6-card ending: value, median",
        figure("ending value", "median", PLAIN),
        0.6e-3,
    ),
    Goal("plain Python, close, all 12,376 hands, median", figure("close", "median", PLAIN), 3),
    Goal(
        "plain Python, whole deal, Foster: median",
        figure(f"growth {FOSTER.stock_size}", "median", PLAIN),
        3,
    ),
    Goal("`import trainer`, median", figure("import trainer", "median", NEITHER), 0.15),
    Goal("memory, the most of any section", Results.most_memory, 500, tell=memory_text),
)

MEASURED = f"""## How it was measured

Every section is measured in a Python process of its own, one after the other, on one thread. The
positions come from fixed seeds and are the same in every run. The first of them, one in thirty and
at least one, warm things up and are not counted. Compiling the kernel, which happens once on a
machine, is not counted either.

* *Compiled* is the kernel compiled by numba, *plain* is the same source run by Python. With plain
  Python fewer positions are measured where each takes long; the tables say how many.
* A *run* is the work on one position; for imports, one start of Python.
* *p90* and *p99* are the times that 90 and 99 of 100 runs keep within. With fewer than 10 or 100
  runs a dash stands in their place.
* **Endings**: six cards each, the stock gone, reached by random play. The first two rows call the
  kernel on positions that are integers already; the call from Python is included. One memory serves
  all of the positions, as it serves a lesson; they come from different deals and hardly help each
  other. A row below has the memory emptied before each position, which also empties the processor's
  caches. What the objects of the package add, the rows with `DoubleDummy` tell: they start from a
  `Position`.
* **Closing**: the player on lead closes at the first lead of a deal. His hand and the turn-up leave
  17 cards, of which the other holds six: 12,376 hands. The time is that of the values of all of
  them, the memory empty at the start. The row with `DoubleDummy` includes a new solver and turning
  the hands into integers.
* **Whole deals**: `DoubleDummy().value(position)` and `DoubleDummy().evaluate_moves(position)` for
  deals at the first lead, a new solver for each: its tables and its memory are included.
* **Plans**: closes that random play comes to, with four cards in the stock (84 layouts) and six
  (462); the best single plan against a defender who sees every card, with a new solver for each. A
  search is given up after {PATIENCE:.0f} s; then its plan is a lower bound.
* **Growth**: positions in Sixty-Six after Foster reached by random play, on lead after the draw,
  without closing. The kernel works on integers and its memory is emptied before each position. With
  {FOSTER.stock_size} cards in the stock these are whole deals.
* **Imports**: the time of `python -c "import ..."` less that of `python -c pass`; next to nothing
  may come out below zero.
* **Memory** is the most that the process of a section ever held, Python, numba and the positions
  included.

`make bench` measures all of it anew.
"""


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def table(head: Sequence[str], rows: Iterable[str]) -> str:
    """Return a Markdown table."""
    return "\n".join([table_row(head), table_row(["---"] * len(head)), *rows])


def reach(results: Results) -> str:
    """Return the table of what was asked of the search and what it reaches."""
    rows = (goal.row(results) for goal in GOALS)
    return table(["work", "must", "aim", "measured", "reaches"], filter(None, rows))


def times(measures: Iterable[Measure]) -> str:
    """Return the table of all figures of a section."""
    rows = (
        table_row(
            [
                measure.work,
                measure.kernel or "–",
                f"{measure.count:,}",
                *("–" if time is None else time_text(time) for time in measure.seconds.values()),
            ]
        )
        for measure in measures
    )
    return table(["work", "kernel", "runs", *STATISTICS], rows)


def memory(results: Results) -> str:
    """Return the table of peak memory."""
    rows = (
        table_row(
            [
                SECTIONS[peak.section].title,
                peak.kernel or "–",
                "–" if peak.megabytes is None else memory_text(peak.megabytes),
            ]
        )
        for peak in results.peaks
    )
    return table(["section", "kernel", "peak memory"], rows)


def page(results: Results) -> str:
    """Return the page about a run, in Markdown."""
    about = results.machine
    load = "not known" if about["load"] is None else f"{about['load']:.2f}"
    parts = [
        "# How fast the search is",
        "Written by `make bench`; [results.json](results.json) has the same figures for programs.",
        f"Measured on {results.date} on this machine: {about['processor']}, {about['cores']} "
        f"cores, of which one is used; {about['system']}; {about['python']}; "
        f"numba {about['numba'] or 'not installed'}. Load average at the start: {load}.",
    ]
    if about["load"] is not None and about["load"] > BUSY:
        parts.append(
            "**Take these times with care**: the machine had other work to do, as the load at the "
            "start tells. On a quiet one they are shorter."
        )
    if results.quick:
        parts.append("**A quick trial**, over too few positions to rely on.")
    parts += [
        "## What it reaches",
        "*Must* is what the search has to keep within, *aim* what it was hoped to reach.",
        reach(results),
    ]
    for name, measures in groupby(results.measures, key=lambda measure: measure.section):
        parts.append(f"## {SECTIONS[name].title}")
        if name == "growth":
            parts.append(f"![{growth_text(results)}](growth.svg)")
        parts.append(times(measures))
        shares = [share for share in results.shares if share.section == name]
        if shares:
            rows = (
                table_row([share.work, f"{share.count:,}", percent_text(share.percent)])
                for share in shares
            )
            parts.append(table(["work", "runs", "share"], rows))
    parts += ["## Memory", memory(results), MEASURED]
    return "\n\n".join(parts)


def growth_lines(results: Results) -> dict[str, dict[int, float]]:
    """Return for each kernel the median time in seconds by cards in the stock."""
    lines: dict[str, dict[int, float]] = {}
    for form in (COMPILED, PLAIN):
        for stock_left in STOCKS:
            time = results.seconds(f"growth {stock_left}", form, "median")
            if time is not None:
                lines.setdefault(form, {})[stock_left] = time
    return lines


def growth_text(results: Results) -> str:
    """Return in words what the picture of growth shows."""
    lines = "; ".join(
        f"{form}: "
        + ", ".join(f"{time_text(time)} with {stock_left}" for stock_left, time in line.items())
        for form, line in growth_lines(results).items()
    )
    return f"Median time to value a position, by cards in the stock. {lines}."


def draw_growth(results: Results, path: Path) -> None:
    """Draw how the median time grows with the stock, for both kernels."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator

    picture = Figure(figsize=(7.5, 4.5), layout="constrained", facecolor="white")
    axes = picture.subplots()
    looks = {COMPILED: ("#2b7a4b", "o", "-"), PLAIN: ("#c8553d", "s", "--")}
    for form, line in growth_lines(results).items():
        colour, marker, dashes = looks[form]
        axes.plot(
            list(line),
            list(line.values()),
            color=colour,
            marker=marker,
            linestyle=dashes,
            label=f"{form} ({'numba' if form == COMPILED else 'Python'})",
        )
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=12))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda time, _: power_text(time)))
    axes.set_xticks(list(STOCKS))
    axes.set_xlabel("cards in the stock, with the turn-up (number)")
    axes.set_ylabel("median time for the value of a position")
    axes.grid(visible=True, color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    with matplotlib.rc_context({"svg.hashsalt": "growth"}):
        picture.savefig(path, metadata={"Date": None})


def power_text(seconds: float) -> str:
    """Return a power of ten of seconds with its unit: ``100 µs``."""
    unit, size = ("s", 1.0) if seconds > 0.5 else ("ms", 1e-3) if seconds > 5e-4 else ("µs", 1e-6)
    return f"{seconds / size:g} {unit}"


def write(results: Results, folder: Path) -> None:
    """Write the page, the same in JSON, and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "format": FORMAT,
        "date": results.date,
        "quick": results.quick,
        "seed": SEED,
        "machine": results.machine,
        "measures": [asdict(measure) for measure in results.measures],
        "shares": [asdict(share) for share in results.shares],
        "peak_memory": [asdict(peak) for peak in results.peaks],
    }
    text = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8", newline="\n")
    (folder / "benchmarks.md").write_text(page(results), encoding="utf-8", newline="\n")
    if growth_lines(results):
        draw_growth(results, folder / "growth.svg")


def main(arguments: Sequence[str], now: datetime) -> None:
    """Read the options, measure and write."""
    parser = argparse.ArgumentParser(prog="bench.py", description="Measure how fast the search is.")
    parser.add_argument("--quick", action="store_true", help="few positions, for trying it out")
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, help="measure this section; may be repeated"
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="where to write (book/benchmarks; for less than a full run build/benchmarks)",
    )
    options = parser.parse_args(arguments)
    whole = not options.quick and not options.only
    folder = options.out or (FOLDER if whole else TRIAL_FOLDER)
    results = Results(now.strftime("%Y-%m-%d"), options.quick, machine())
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console) as progress:
        run([name for name in SECTIONS if name in (options.only or SECTIONS)], results, progress)
    write(results, folder)
    console.print(f"written to {folder}")


if __name__ == "__main__":
    main(sys.argv[1:], datetime.now().astimezone())
