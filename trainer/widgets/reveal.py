"""What a lesson shows only after a question is answered.

A reveal stands below its question and says that it waits. Once the learner has answered, it calls
a function and shows what that returns; so nothing is given away by running all of a lesson, and
nothing that was not yet shown is in the saved notebook.
"""

from __future__ import annotations

import asyncio
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

Output = dict[str, Any]
WAITS = "Answer the question above first."


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
        self._put(_html(f"<p><em>{WAITS}</em></p>", WAITS))
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
        """Show the content: at once where there is no event loop, otherwise between its turns."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        if loop is None or self._question.at_once:
            for _ in self._steps():
                pass
        else:
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            for _ in self._steps():
                await asyncio.sleep(0.005)
        except Exception:
            return  # it is on the page

    def _steps(self) -> Iterator[None]:
        """Show what the content gives, yielding after each piece."""
        shown: list[Output] = []
        self._put(_progress(0))
        yield
        try:
            given = self._content()
            pieces = given if isinstance(given, list | tuple | Generator) else [given]
            for piece in pieces:
                if isinstance(piece, int | float):
                    self._put(*shown, _progress(piece))
                elif piece is not None:
                    shown.append(as_output(piece))
                    self._put(*shown)
                yield
            self._put(*shown)
        except Exception as problem:
            text = f"This part of the lesson failed: {type(problem).__name__}: {problem}\n"
            shown.append({"output_type": "stream", "name": "stderr", "text": text})
            self._put(*shown)
            raise


def _html(html: str, plain: str) -> Output:
    data = {"text/html": html, "text/plain": plain}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def _plain(output: Output) -> str:
    return str(output["data"].get("text/plain", "") if "data" in output else output["text"])


def _progress(part: float) -> Output:
    bar = f'<progress max="1" value="{part:.2f}" aria-label="Working it out"></progress>'
    return _html(f"<p>{bar} Working it out</p>", "Working it out")


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
    return _html(
        f'<div role="group" aria-label="Figure" tabindex="0" style="overflow: auto">{image}</div>',
        alt,
    )
