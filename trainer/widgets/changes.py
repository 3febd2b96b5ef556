"""Changing a position: what every choice is worth in one of a list, or in a line of one's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping

import ipywidgets

from trainer.explain.words import listed
from trainer.grading import Report, reports
from trainer.notation import NotationError, parse
from trainer.rules.position import SOUTH, View
from trainer.widgets.course import Notice
from trainer.widgets.exercise import Exercise
from trainer.widgets.figures import figures
from trainer.widgets.offers import sentence_of
from trainer.widgets.picture import Table, picture
from trainer.widgets.reveal import (
    Output,
    Reveal,
    as_outputs,
    drive,
    failed,
    html_output,
    progress_bar,
)
from trainer.widgets.svg import table_image
from trainer.widgets.telling import SAMPLES, figure, markdown_table, the_best
from trainer.widgets.work import OFTEN

SECONDS = 60.0
"""How long a position may be worked on; then what is known by now is shown."""
OWN = "A line of your own"
HELP = (
    "Choose a change; or write the line of a position of your own and press Enter. The line that "
    "stands under a table can be copied. It says, with spaces between:\n\n"
    "- the game: `foster66`, `russian66`, `german66` or `schnapsen`;\n"
    "- `S:` your cards: spades, hearts, diamonds, clubs, a dot between two suits; T is a Ten;\n"
    "- `N:` North's cards in the same way; `N:...,6x` says that six are face down;\n"
    "- the trump suit; the stock, its next card first and the turn-up last, or `-` if it is gone;\n"
    "- the card points and tricks, such as `35/2-11/1`: yours, then North's;\n"
    "- `S` or `N`: who is to play; then the card that is led, if there is one;\n"
    "- `won=` the tricks, the card led first; `closed=` who has closed, and when.\n\n"
    "All must fit: a card is in one place only, and the points are those of the tricks."
)

Tells = Callable[[Report], str]


class Changes(Reveal):
    """A place to change a position and see what every choice is worth then.

    It stands empty until ``after`` is answered. ``positions`` are lines to choose from, face up or
    as seen, under words that say what is changed; the learner can also write one. ``tells``
    returns what else is to be said of a finished report, as Markdown. Raises NotationError for a
    line that is none, and ValueError for one on which there is nothing to choose.
    """

    def __init__(
        self, positions: Mapping[str, str], *, after: Exercise, tells: Tells | None = None
    ) -> None:
        for line in positions.values():
            understand(line)
        self.positions = dict(positions)
        self.tells = tells
        super().__init__(after, self._bench)

    def _bench(self) -> list[object]:
        return [HELP, Bench(self.positions, self.tells)]


class Bench(ipywidgets.VBox):  # type: ignore[misc]
    """The controls to change a position with, and below them what comes of it."""

    def __init__(self, positions: Mapping[str, str], tells: Tells | None = None) -> None:
        self._tells = tells
        self._task: asyncio.Task[None] | None = None
        wide = {"layout": {"width": "98%"}, "style": {"description_width": "initial"}}
        lines = list(positions.values())
        self.chosen = ipywidgets.Dropdown(
            options=[*positions.items(), (OWN, "")], description="A change to try:", **wide
        )
        self.line = ipywidgets.Text(
            lines[0], description="Position line:", continuous_update=False, **wide
        )
        button = ipywidgets.Button(
            description="Work it out", layout={"width": "auto", "flex": "none"}
        )
        self.notice = Notice()
        self.place = ipywidgets.Output()
        self.chosen.observe(self._choose, "value")
        self.line.observe(self._change, "value")
        button.on_click(lambda _: self.work_out())
        row = ipywidgets.HBox([button, self.notice])
        super().__init__([self.chosen, self.line, row, self.place])

    def __repr__(self) -> str:
        outputs = (output.get("data", {}).get("text/plain", "") for output in self.place.outputs)
        return "\n".join([self.notice.text, *outputs])

    def _choose(self, change: dict[str, str]) -> None:
        if change["new"]:
            self.line.value = change["new"]

    def _change(self, change: dict[str, str]) -> None:
        lines = [value for _, value in self.chosen.options]
        self.chosen.value = change["new"] if change["new"] in lines else ""
        self.work_out()

    def work_out(self) -> None:
        """Show what the line in the field is worth; what is under way is given up for it."""
        if self._task is not None:
            self._task.cancel()
        self._task = drive(self._steps(self.line.value))

    def _steps(self, line: str) -> Iterator[None]:
        try:
            table = understand(line)
        except NotationError as problem:
            self._show(sentence_of(problem))
            return
        except ValueError as problem:
            self._show(str(problem))
            return
        drawn = html_output(table_image(table), picture(table).description)
        self._show("Working it out.", drawn, progress_bar(0))
        yield
        try:
            started = told = time.monotonic()
            for report in reports(table, samples=SAMPLES):
                now = time.monotonic()
                if now > told + OFTEN:
                    told = now
                    self._show(self.notice.text, drawn, progress_bar(report.progress))
                if now > started + SECONDS:
                    break
                yield
            told_more = [] if self._tells is None or report.progress < 1 else [self._tells(report)]
            pieces = [
                output for text in [*values(report), *told_more] for output in as_outputs(text)
            ]
            self._show(summary(report), drawn, *pieces)
        except Exception as problem:
            self._show("", drawn, failed(problem))
            raise

    def _show(self, says: str, *outputs: Output) -> None:
        self.place.outputs = outputs
        self.notice.text = says


def understand(line: str) -> Table:
    """Return the position of a line on which there is something to choose.

    Raises NotationError for what is no position, and ValueError with a sentence otherwise.
    """
    table = parse(line.strip())
    if table.over is not None:
        raise ValueError("The deal is over in this position, so that there is nothing to choose.")
    if isinstance(table, View) and table.turn != SOUTH:
        raise ValueError("With cards face down it must be South who is to play: S, not N.")
    return table


def values(report: Report) -> list[str]:
    """Return what every choice is worth as far as it is known, as Markdown."""
    given = figures(report, report.table)
    plans = any(row["low"] for row in given["rows"])
    heads = ["mark", "choice", "game points"]
    heads += ["fixed plan"] * plans + ["won"] * given["concealed"]
    rows = []
    for row in given["rows"]:
        points = f"{row['text']} {row['error']}".strip()
        cells = [f"{row['mark']} {row['word']}", row["label"], points]
        rows.append(cells + [row["low"]] * plans + [row["wins"]] * given["concealed"])
    shown = [f"{given['caption']}\n\n{markdown_table(heads, rows)}"] if rows else []
    if given["waiting"]:
        labels = listed(row["label"] for row in given["waiting"])
        shown.append(f"Not worked out within {SECONDS:.0f} seconds: {labels}.")
    return shown


def summary(report: Report) -> str:
    """Return the best choice and what it is worth, as a sentence."""
    if not report.choices:
        return f"This position is too much work: no figure was found in {SECONDS:.0f} seconds."
    so_far = "" if report.progress >= 1 else " so far"
    return f"Best{so_far}: {the_best(report)}, {figure(report.best)} game points."
