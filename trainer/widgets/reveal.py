"""What a lesson shows only after a question is answered.

A reveal stands below its question and says that it waits. Once the learner has answered, it calls
a function and shows what that returns; so nothing is given away by running all of a lesson, and
nothing that was not yet shown is in the saved notebook.
"""

from __future__ import annotations

import asyncio
import re
import sys
from base64 import b64encode
from collections.abc import Callable, Generator, Iterator
from html import escape
from io import BytesIO
from typing import Any

import ipywidgets
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell

from trainer.widgets.exercise import Exercise
from trainer.widgets.work import PAUSE, loop_runs

Output = dict[str, Any]
WAITS = "Answer the question above first."
TABLE = re.compile(r"^(\|.*\|\n\|[-:| ]+\|(?:\n\|.*\|)*)$", re.MULTILINE)
"""A table in Markdown: its heads, the rule below them, and its rows."""


def after(question: Exercise, content: Callable[[], object]) -> Reveal:
    """Return a place that shows what ``content`` returns once the question is answered.

    ``content`` returns what is to be shown: text (Markdown), a matplotlib figure, a widget,
    whatever a notebook can display, or a list of these. If it takes long, write it as a
    generator: each thing it yields is shown at once, and a number from 0 to 1 moves a progress
    bar instead. The alternative text of a figure is its label (``figure.set_label``).
    """
    return Reveal(question, content)


class Reveal(ipywidgets.Output):  # type: ignore[misc]
    """The place of what waits for an answer."""

    def __init__(self, question: Exercise, content: Callable[[], object]) -> None:
        super().__init__()
        self._question = question
        self._content = content
        self._task: asyncio.Task[None] | None = None
        self._put(html_output(f"<p><em>{WAITS}</em></p>", WAITS))
        question.on_answer(self._answered)

    def __repr__(self) -> str:
        return "\n".join(_plain(output) for output in self.outputs)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        """Return the widget, and for pages without a kernel what it shows now."""
        data: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        pages = [output["data"].get("text/html") for output in self.outputs if "data" in output]
        if pages and None not in pages:
            data["text/html"] = "\n".join(pages)
        return data

    def _put(self, *outputs: Output) -> None:
        self.outputs = outputs

    def _answered(self) -> None:
        self._task = drive(self._steps(), self._question.at_once)

    def _steps(self) -> Iterator[None]:
        """Show what the content gives, yielding after each piece."""
        shown: list[Output] = []
        self._put(progress_bar(0))
        yield
        try:
            given = self._content()
            pieces = given if isinstance(given, list | tuple | Generator) else [given]
            for piece in pieces:
                if isinstance(piece, int | float):
                    self._put(*shown, progress_bar(piece))
                elif piece is not None:
                    shown += as_outputs(piece)
                    self._put(*shown)
                yield
            self._put(*shown)
        except Exception as problem:
            self._put(*shown, failed(problem))
            raise


def drive(steps: Iterator[None], at_once: bool = False) -> asyncio.Task[None] | None:
    """Take all steps: at once where there is no event loop, otherwise between its turns.

    The steps must tell the learner themselves when they fail.
    """
    if not at_once and loop_runs():
        return asyncio.get_running_loop().create_task(_between_turns(steps))
    for _ in steps:
        pass
    return None


async def _between_turns(steps: Iterator[None]) -> None:
    try:
        for _ in steps:
            await asyncio.sleep(PAUSE)
    except Exception:
        return  # it is on the page


def html_output(html: str, plain: str) -> Output:
    """Return HTML as an output, with what stands for it in plain text."""
    data = {"text/html": html, "text/plain": plain}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def failed(problem: Exception) -> Output:
    """Return what is shown where a part of a lesson failed."""
    text = f"This part of the lesson failed: {type(problem).__name__}: {problem}\n"
    return {"output_type": "stream", "name": "stderr", "text": text}


def _plain(output: Output) -> str:
    return str(output["data"].get("text/plain", "") if "data" in output else output["text"])


def progress_bar(part: float) -> Output:
    """Return how much of some work is done, 0 to 1."""
    bar = f'<progress max="1" value="{part:.2f}" aria-label="Working it out"></progress>'
    return html_output(f"<p>{bar} Working it out</p>", "Working it out")


def as_outputs(piece: object) -> list[Output]:
    """Return what is to be shown as outputs: text, which is Markdown, has each table by itself.

    On a narrow page such a table scrolls, so that the keyboard must get to it.
    """
    if not isinstance(piece, str):
        return [as_output(piece)]
    parts = [part.strip("\n") for part in re.split(TABLE, piece)]
    return [
        _table(part) if number % 2 else as_output(part) for number, part in enumerate(parts) if part
    ]


def _table(markdown: str) -> Output:
    """Return a table as HTML; in its cells nothing but bold type is looked for."""
    lines = ([cell.strip() for cell in line[1:-1].split("|")] for line in markdown.splitlines())
    heads, rule, *rows = lines
    sides = ["right" if each.endswith(":") else "left" for each in rule]

    def row(name: str, cells: list[str]) -> str:
        texts = (re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(cell)) for cell in cells)
        return "".join(
            f'<{name} style="text-align: {side}">{text}</{name[:2]}>'
            for text, side in zip(texts, sides, strict=False)
        )

    body = "".join(f"<tr>{row('td', cells)}</tr>" for cells in rows)
    label = escape(f"Table: {', '.join(filter(None, heads))}")
    return html_output(
        f'<div role="group" aria-label="{label}" tabindex="0" style="overflow: auto"><table>'
        f"<thead><tr>{row('th scope=col', heads)}</tr></thead><tbody>{body}</tbody></table></div>",
        markdown,
    )


def as_output(piece: object) -> Output:
    """Return what is to be shown, text (Markdown) or a figure or any other, as an output."""
    if isinstance(piece, str):
        data: dict[str, Any] = {"text/markdown": piece, "text/plain": piece}
        return {"output_type": "display_data", "data": data, "metadata": {}}
    if hasattr(piece, "savefig"):
        return _figure(piece)
    shell = InteractiveShell.instance() if InteractiveShell.initialized() else None
    formatter: Any = (shell and shell.display_formatter) or DisplayFormatter()
    data, metadata = formatter.format(piece)
    return {"output_type": "display_data", "data": data, "metadata": metadata}


def _figure(figure: Any) -> Output:
    """Return a matplotlib figure as a picture with alternative text, and close it."""
    page = BytesIO()
    figure.savefig(page, format="svg", metadata={"Date": None}, bbox_inches="tight")
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    alt = str(figure.get_label() or ". ".join(titles) or "Figure")
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:  # else the next cell would show it once more
        pyplot.close(figure)
    data = b64encode(page.getvalue()).decode()
    image = (
        f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}" '
        'style="min-width: 28rem; max-width: 100%">'
    )
    # On a narrow page it scrolls, so that the keyboard must get to it.
    return html_output(
        f'<div role="group" aria-label="Figure" tabindex="0" style="overflow: auto">{image}</div>',
        alt,
    )
