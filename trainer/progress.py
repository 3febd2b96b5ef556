"""How the learner is doing: figures from the record, and what `sixty-six progress` prints.

Kept apart: what counts, from answers to a :class:`Progress`, and what shows one, as JSON, as text,
as a figure and as tables for a notebook. Only :func:`progress_of` reads a record::

    found = progress_of(open_record())
    progress_figure(found)
    progress_table(found)

What counts. The error rate is the mean loss in game points over real decisions (some choice is
worse than another), first answers only: trying again is free, and so is an answer after a hint that
has told a best choice. With cards concealed the loss is the sure part of it, as graded.

The JSON is a contract; a change of meaning raises ``FORMAT``.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Any

from trainer.lessons import LessonError, installed_lessons, lesson_titles
from trainer.record import Attempt, Record

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import RenderableType

FORMAT = 1
AGAIN = timedelta(hours=12)
"""An answer to a position that was answered within this time before is another try."""
TOLD = 3
"""The hint from which on the learner has been told the best choices."""
ENOUGH = 10
"""Real decisions from which on a theme is judged."""
RECENT = 30
"""How many of the last real decisions of a theme advice looks at, so that old faults pass."""
MOST_BLOCKS = 20
"""Points on the curve over time, at most."""
MOST_ROWS = 12
"""Themes or sources that are shown; the JSON has them all."""
LONGEST_NAME = 32

Json = dict[str, Any]


# ---- counting ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """What was lost in some real decisions, in game points for the learner."""

    name: str
    real_decisions: int
    loss: float

    @property
    def mean_loss(self) -> float | None:
        """The loss for each real decision, None when there was none."""
        return self.loss / self.real_decisions if self.real_decisions else None


@dataclass(frozen=True, slots=True)
class Block:
    """Real decisions that follow one another, from the ``first`` to the ``last``, from 1 on."""

    first: int
    last: int
    since: datetime
    until: datetime
    loss: float

    @property
    def mean_loss(self) -> float:
        """The loss for each real decision, in game points."""
        return self.loss / (self.last - self.first + 1)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next: a theme to practise, a lesson to take, either None where there is none."""

    theme: Part | None
    """The theme, and what was lost in its last real decisions."""
    lesson: str | None


@dataclass(frozen=True, slots=True)
class Progress:
    """The figures of a record."""

    attempts: int
    first_answers: int
    told: int
    """First answers after a hint that told the best choices; they count for nothing else."""
    hinted: int
    """First answers after any hint."""
    hints: int
    """Hints used, first answers and others together."""
    since: datetime | None
    until: datetime | None
    overall: Part
    by_theme: tuple[Part, ...]
    """A decision with several themes counts in each. Most lost comes first, here and below."""
    by_source: tuple[Part, ...]
    by_view: tuple[Part, ...]
    """With every card seen, and with cards concealed."""
    over_time: tuple[Block, ...]
    marks: dict[str, int]
    """How often each mark was given to a first answer."""
    lessons_finished: tuple[str, ...]
    lessons_open: tuple[str, ...]
    titles: dict[str, str]
    """The titles of all lessons, by name, in their order."""
    answered: dict[str, int]
    """First answers by source, real decisions or not."""
    advice: Advice

    @property
    def retries(self) -> int:
        """Answers that were not the first to their question."""
        return self.attempts - self.first_answers


def progress(
    attempts: Sequence[Attempt],
    finished: Iterable[str] = (),
    lessons: Mapping[str, str] | None = None,
) -> Progress:
    """Return the figures of answers, given oldest first.

    ``finished`` are the lessons worked through; ``lessons`` are all that there are, in their order,
    by name, with their titles.
    """
    titles = dict(lessons or {})
    first = first_answers(attempts)
    counted = real_decisions(first)
    done = set(finished)
    still_open = tuple(name for name in titles if name not in done)
    return Progress(
        attempts=len(attempts),
        first_answers=len(first),
        told=sum(attempt.hints >= TOLD for attempt in first),
        hinted=sum(attempt.hints > 0 for attempt in first),
        hints=sum(attempt.hints for attempt in attempts),
        since=attempts[0].when if attempts else None,
        until=attempts[-1].when if attempts else None,
        overall=_part("all", counted),
        by_theme=parts(counted, lambda attempt: attempt.themes),
        by_source=parts(counted, lambda attempt: (attempt.source,)),
        by_view=parts(counted, lambda a: ("cards concealed" if a.concealed else "all cards seen",)),
        over_time=blocks(counted),
        marks=dict(Counter(attempt.mark for attempt in first).most_common()),
        lessons_finished=tuple(sorted(done)),
        lessons_open=still_open,
        titles=titles,
        answered=dict(Counter(attempt.source for attempt in first)),
        advice=Advice(weakest_theme(counted), still_open[0] if still_open else None),
    )


def progress_of(record: Record) -> Progress:
    """Return the figures of a record. What it has to tell the learner stays in its news."""
    try:
        lessons = lesson_titles(installed_lessons())
    except LessonError:
        lessons = {}
    return progress(record.attempts(), record.lessons_finished(), lessons)


def first_answers(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return the answers, given oldest first, that are not another try at the same position."""
    answered: dict[str, datetime] = {}
    first = []
    for attempt in attempts:
        before = answered.get(attempt.position)
        if before is None or attempt.when - before > AGAIN:
            first.append(attempt)
        answered[attempt.position] = attempt.when
    return first


def real_decisions(first: Iterable[Attempt]) -> list[Attempt]:
    """Return the first answers that count: real decisions, made by the learner."""
    return [attempt for attempt in first if attempt.real and attempt.hints < TOLD]


def parts(
    counted: Iterable[Attempt], names: Callable[[Attempt], Iterable[str]]
) -> tuple[Part, ...]:
    """Return the loss by name; a decision counts under each of its names, once."""
    groups: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in counted:
        for name in dict.fromkeys(names(attempt)):
            groups[name].append(attempt)
    found = [_part(name, group) for name, group in groups.items()]
    return tuple(sorted(found, key=lambda part: (-part.loss, -part.real_decisions, part.name)))


def _part(name: str, counted: Sequence[Attempt]) -> Part:
    return Part(name, len(counted), sum(attempt.loss for attempt in counted))


def blocks(counted: Sequence[Attempt]) -> tuple[Block, ...]:
    """Return real decisions in blocks of about one size; the last takes what is left over.

    Blocks and not weeks: each point of the curve then rests on as many decisions as the others.
    """
    size = _block_size(len(counted))
    found = []
    start = 0
    while start < len(counted):
        end = start + size if len(counted) - start >= size * 3 // 2 else len(counted)
        block = counted[start:end]
        loss = sum(attempt.loss for attempt in block)
        found.append(Block(start + 1, end, block[0].when, block[-1].when, loss))
        start = end
    return tuple(found)


def _block_size(decisions: int) -> int:
    """Return the least of 10, 20, 50, 100, 200 ... that makes few enough blocks."""
    tens = 10
    while True:
        for size in (tens, 2 * tens, 5 * tens):
            if decisions < size * MOST_BLOCKS + size // 2:
                return size
        tens *= 10


def weakest_theme(counted: Sequence[Attempt]) -> Part | None:
    """Return the theme whose last decisions lost most for each, None if none lost anything.

    Only themes with enough real decisions are judged.
    """
    groups: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in counted:
        for theme in attempt.themes:
            groups[theme].append(attempt)
    judged = [
        _part(name, group[-RECENT:]) for name, group in groups.items() if len(group) >= ENOUGH
    ]
    lossy = [part for part in judged if part.loss > 0]
    return max(lossy, key=lambda part: (part.mean_loss or 0.0, part.name), default=None)


# ---- what to do next -----------------------------------------------------------------------------

BEGIN = (
    "Your record is empty. Begin with the lessons: run `sixty-six learn`, open the first one and "
    "answer what it asks. Every answer is entered here."
)
UNWEIGHED = "No real decision has been answered yet: one where some choice is worse than another."


def advice_lines(found: Progress) -> list[str]:
    """Return what to do next, a sentence each."""
    if not found.attempts:
        return [BEGIN]
    lines = []
    if theme := found.advice.theme:
        lines.append(
            f"Practise the theme {printable(theme.name)}: your last {theme.real_decisions} real "
            f"decisions there lost {number(theme.mean_loss)} game points each. "
            "`sixty-six puzzle --weak` asks puzzles like these."
        )
    if found.advice.lesson is not None:
        left = len(found.lessons_open)
        lines.append(
            f"Take {found.titles[found.advice.lesson]}: "
            + (f"{left} lessons are not finished yet." if left > 1 else "it is the last one left.")
        )
    return lines or ["Nothing stands out as weak. Go on with whatever you like."]


# ---- words and numbers ---------------------------------------------------------------------------


def number(loss: float | None) -> str:
    """Return game points: ``2.00``, ``0.25``, ``1.2e+08``; a dash for None."""
    if loss is None:
        return "-"
    return f"{loss:.2f}" if loss < 1e6 else f"{loss:.2g}"


def printable(name: str) -> str:
    """Return a name from the record so that it can be shown: one short line of visible signs."""
    line = " ".join(name.split()) or "(no name)"
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in line[: 2 * LONGEST_NAME])
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 3]}..."


def _count(how_many: int, noun: str) -> str:
    return f"{how_many} {noun}{'' if how_many == 1 else 's'}"


def _dates(since: datetime, until: datetime) -> str:
    first, last = (when.date().isoformat() for when in (since, until))
    return first if first == last else f"{first} to {last}"


def _summary(found: Progress) -> list[str]:
    """Return the figures that are no table, a sentence each."""
    lines = [f"{_count(found.attempts, 'answer')}, {found.first_answers} of them first answers."]
    if found.since is not None and found.until is not None:
        lines[0] = f"{_dates(found.since, found.until)}: {lines[0]}"
    if found.hints:
        lines.append(
            f"{_count(found.hints, 'hint')} used; {found.hinted} of the first answers had some."
        )
    if found.told:
        lines.append(f"{_count(found.told, 'first answer')} told by a hint: not counted below.")
    overall = found.overall
    if overall.real_decisions:
        lines.append(
            f"{_count(overall.real_decisions, 'real decision')} lost "
            f"{number(overall.loss)} game points, "
            f"{number(overall.mean_loss)} each."
        )
    else:
        lines.append(UNWEIGHED)
    marks = ", ".join(f"{printable(mark)} {count}" for mark, count in found.marks.items())
    lines.append(f"Marks of first answers: {marks}.")
    return lines


HEADINGS = ("real decisions", "lost in all", "lost in each")
LEFT = 'style="text-align: left"'


def _tables(found: Progress) -> list[tuple[str, list[list[str]]]]:
    """Return what is shown as tables: each with its heading and its rows, names first."""
    groups = [
        ("theme", found.by_theme),
        ("source", found.by_source),
        ("cards", found.by_view),
    ]
    tables = [(heading, [_cells(part) for part in _shown(group)]) for heading, group in groups]
    times = [
        [
            f"{block.first} to {block.last}, {_dates(block.since, block.until)}",
            str(block.last - block.first + 1),
            number(block.loss),
            number(block.mean_loss),
        ]
        for block in found.over_time
    ]
    return [(heading, rows) for heading, rows in [*tables, ("over time", times)] if rows]


def _shown(group: Sequence[Part]) -> list[Part]:
    """Return the first parts of a group, and the others as one."""
    if len(group) <= MOST_ROWS:
        return list(group)
    rest = group[MOST_ROWS - 1 :]
    decisions, loss = sum(p.real_decisions for p in rest), sum(p.loss for p in rest)
    return [*group[: MOST_ROWS - 1], Part(f"{len(rest)} others", decisions, loss)]


def _cells(part: Part) -> list[str]:
    return [
        printable(part.name),
        str(part.real_decisions),
        number(part.loss),
        number(part.mean_loss),
    ]


# ---- for machines --------------------------------------------------------------------------------


def to_json(found: Progress) -> Json:
    """Return the figures as JSON data. Losses are in game points."""

    def part_json(part: Part) -> Json:
        return asdict(part) | {"mean_loss": part.mean_loss}

    def time_json(when: datetime | None) -> str | None:
        return None if when is None else when.isoformat()

    overall = part_json(found.overall)
    del overall["name"]
    theme = found.advice.theme
    return {
        "format": FORMAT,
        "attempts": found.attempts,
        "first_answers": found.first_answers,
        "retries": found.retries,
        "told": found.told,
        "hinted": found.hinted,
        "hints": found.hints,
        "since": time_json(found.since),
        "until": time_json(found.until),
        **overall,
        "by_theme": [part_json(part) for part in found.by_theme],
        "by_source": [part_json(part) for part in found.by_source],
        "by_view": [part_json(part) for part in found.by_view],
        "over_time": [
            {
                "first": block.first,
                "last": block.last,
                "since": time_json(block.since),
                "until": time_json(block.until),
                "loss": block.loss,
                "mean_loss": block.mean_loss,
            }
            for block in found.over_time
        ],
        "marks": found.marks,
        "lessons_finished": list(found.lessons_finished),
        "lessons_open": list(found.lessons_open),
        "next": {
            "theme": None if theme is None else part_json(theme),
            "lesson": found.advice.lesson,
        },
    }


def to_csv(attempts: Iterable[Attempt]) -> str:
    """Return answers as a table that spreadsheets open, a row each.

    A spreadsheet must not take a text for a formula: a text that does not begin with a letter or a
    digit has a ``'`` put before it. Taking one ``'`` away from every cell that begins so gives the
    texts back. Themes are joined by a semicolon and a space, numbers stay numbers.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\r\n")
    names = [field.name for field in fields(Attempt)]
    writer.writerow(names)
    for attempt in attempts:
        values = [getattr(attempt, name) for name in names]
        writer.writerow([_cell(value) for value in values])
    return page.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    text = "; ".join(value) if isinstance(value, tuple) else str(value)
    return text if not text or text[0].isalnum() else f"'{text}"


# ---- for people ----------------------------------------------------------------------------------


def progress_text(found: Progress) -> RenderableType:
    """Return the figures for a terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    if not found.attempts:
        return Text("\n".join(advice_lines(found)))
    pieces: list[RenderableType] = [Text("\n".join(_summary(found)))]
    for heading, rows in _tables(found):
        grid = Table(box=None, pad_edge=False)
        grid.add_column(heading, no_wrap=True)
        for column in HEADINGS:
            grid.add_column(column, justify="right", no_wrap=True)
        for row in rows:
            grid.add_row(*row)
        pieces += [Text(), grid]
    pieces += [Text("\nWhat to do next"), *map(Text, advice_lines(found))]
    return Group(*pieces)


@dataclass(frozen=True, slots=True)
class Page:
    """Something that a notebook shows: as HTML, or as text where there is no HTML."""

    html: str
    text: str

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def progress_table(found: Progress) -> Page:
    """Return the figures for a notebook, as a table; what comes from the record is escaped.

    It leaves out what was lost in all, so that it fits on a phone.
    """
    if not found.attempts:
        return Page(f"<p>{escape(BEGIN)}</p>", BEGIN)
    decisions, _, each = HEADINGS
    caption = f"Game points {each} real decision, first answers only"
    head = "".join(f'<th scope="col">{column}</th>' for column in (decisions, each))
    html = [f"<p>{escape(line)}</p>" for line in _summary(found)]
    html.append(f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>")
    text = [*_summary(found), caption, f" | {decisions} | {each}"]
    for heading, rows in [("overall", [_cells(found.overall)]), *_tables(found)]:
        title = heading.capitalize()
        group = f'<tr><th scope="rowgroup" colspan="3" {LEFT}>{title}</th></tr>'
        body = "".join(
            f'<tr><th scope="row" {LEFT}>{escape(name)}</th><td>{count}</td><td>{mean}</td></tr>'
            for name, count, _, mean in rows
        )
        html.append(f"<tbody>{group}{body}</tbody>")
        text += [title, *(f"{name} | {count} | {mean}" for name, count, _, mean in rows)]
    return Page("\n".join([*html, "</table>"]), "\n".join(text))


# ---- as a figure ---------------------------------------------------------------------------------

UNIT = "game points lost per real decision"


def progress_figure(found: Progress) -> Figure:
    """Return the loss by theme and over time as a picture; its label says the same in words."""
    from matplotlib.figure import Figure

    themes = [part for part in _shown(found.by_theme) if part.real_decisions]
    if not found.over_time:
        figure = Figure(figsize=(7.5, 1.2), layout="constrained")
        line = UNWEIGHED if found.attempts else "The record is empty: there is nothing to draw yet."
        figure.text(0.5, 0.5, line, ha="center", va="center", fontsize=9)
        figure.set_label(line)
        return figure
    figure = Figure(figsize=(7.5, 3.0 + (0.8 + 0.32 * len(themes) if themes else 0)))
    figure.set_layout_engine("constrained")
    if themes:
        over_time, by_theme = figure.subplots(2, 1, height_ratios=(2.6, 0.8 + 0.32 * len(themes)))
        _draw_themes(by_theme, themes)
    else:
        over_time = figure.subplots()
    _draw_time(over_time, found.over_time)
    figure.set_label(_alternative(found.over_time, themes))
    return figure


def _draw_time(axes: Axes, over_time: Sequence[Block]) -> None:
    places = [block.last for block in over_time]
    means = [block.mean_loss for block in over_time]
    axes.plot(places, means, color="black", marker="o", markerfacecolor="white")
    axes.set_xlabel("real decisions answered so far (number)")
    axes.set_ylabel("game points lost\nper real decision")
    axes.set_xlim(0, places[-1] * 1.04)
    axes.set_ylim(0, _top(means))
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_themes(axes: Axes, themes: Sequence[Part]) -> None:
    means = [part.mean_loss or 0.0 for part in themes]
    axes.barh(range(len(themes)), means, color="#d9d9d9", edgecolor="black", hatch="///")
    top = _top(means)
    for row, (part, mean) in enumerate(zip(themes, means, strict=True)):
        axes.text(mean + top * 0.01, row, f" {number(part.mean_loss)}", va="center", fontsize=9)
    labels = [f"{printable(part.name)} ({part.real_decisions})" for part in themes]
    axes.set_yticks(range(len(themes)), labels)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.invert_yaxis()
    axes.set_xlim(0, top)
    axes.set_xlabel(UNIT)
    axes.set_ylabel("theme (real decisions)")
    axes.spines[["top", "right"]].set_visible(False)


def _top(means: Sequence[float]) -> float:
    """Return where an axis that begins at 0 ends, in game points."""
    return max(means) * 1.15 or 1.0


def _alternative(over_time: Sequence[Block], themes: Sequence[Part]) -> str:
    """Return what the figure shows, in words."""
    curve = ", ".join(
        f"{number(block.mean_loss)} in decisions {block.first} to {block.last}"
        for block in over_time
    )
    text = f"{UNIT.capitalize()}, over time: {curve}."
    if themes:
        bars = ", ".join(
            f"{printable(part.name)} {number(part.mean_loss)} in {part.real_decisions}"
            for part in themes
        )
        text += f" By theme: {bars}."
    return text
