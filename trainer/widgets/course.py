"""The course: what a lesson ends with, and the page that shows the lessons and the progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import anywidget
import ipywidgets
import traitlets

from trainer.grading import WORDS
from trainer.lessons import PUZZLES, lesson_names, lesson_title
from trainer.progress import (
    Page,
    Progress,
    number,
    printable,
    progress,
    progress_figure,
    progress_table,
)
from trainer.record import Record, open_record
from trainer.widgets.exercise import Exercise
from trainer.widgets.reveal import as_output

Keep = Record | Literal["shared"] | None
"""A record; ``"shared"`` is the learner's own, opened when it is needed; None keeps nothing."""


class Notice(anywidget.AnyWidget):
    """A line that is read out whenever it changes."""

    _esm = """
    export default {
      render({ model, el }) {
        el.setAttribute("role", "status");
        el.style.cssText = "padding: 0.3rem 0.4rem";
        const show = () => { el.textContent = model.get("text"); };
        model.on("change:text", show);
        show();
      },
    };
    """

    text: traitlets.Unicode[str, str | bytes] = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        return self.text


class Finished(Notice):
    """The last cell of a lesson: it enters into the record that all questions are answered.

    ``lesson`` is the name of its notebook, ``06_count_35``. A right answer is not asked for. As
    with the questions themselves, nothing is recorded of a lesson answered from Python.
    """

    def __init__(
        self,
        lesson: str,
        *questions: Exercise,
        record: Keep = "shared",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Wait for the answers; ``now`` tells the time."""
        super().__init__()
        self.lesson = lesson
        self.questions = len(questions)
        self.finished = False
        self._record = record
        self._now = now
        self._open = len(questions)
        self._by_hand = True
        self._show()
        for question in questions:
            question.on_answer(partial(self._answered, question))

    def _answered(self, question: Exercise) -> None:
        self._open -= 1
        self._by_hand &= not question.at_once
        if self._open:
            self._show()
        else:
            self._finish()

    def _show(self) -> None:
        self.text = (
            f"Answered so far: {self.questions - self._open} of {self.questions} questions. "
            "The lesson is finished when all of them are."
        )

    def _finish(self) -> None:
        self.finished = True
        trouble = None
        if self._by_hand and self._record is not None:
            record = open_record() if self._record == "shared" else self._record
            trouble = record.finish_lesson(self.lesson, self._now())
        self.text = " ".join(filter(None, ["You have finished this lesson.", trouble]))

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and for pages without a kernel the same line."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return data | {"text/html": f"<p>{escape(self.text)}</p>"}, metadata


class Course(ipywidgets.VBox):  # type: ignore[misc]
    """The lessons in a folder, which of them are finished, what to do next, and the progress.

    Without a kernel, and so in a saved notebook, there is only what depends on no record: the
    lessons.
    """

    def __init__(self, folder: Path | None = None, record: Record | None = None) -> None:
        """Show the lessons of ``folder``, by default the one that the notebook is in.

        ``record`` is the learner's own by default.
        """
        self._folder = folder or Path()
        self._record = record or open_record()
        self._page = ipywidgets.Output()
        self._notice = Notice()
        button = ipywidgets.Button(description="Refresh", tooltip="Read the record once more")
        button.on_click(lambda _: self._refresh("Read once more."))
        super().__init__([ipywidgets.HBox([button, self._notice]), self._page])
        self._refresh("")

    def __repr__(self) -> str:
        return "\n".join(lesson_title(path) for path in self._lessons()) or NO_LESSONS

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        data: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        waits = "<p><em>Press Run all to see which are finished, and how you are doing.</em></p>"
        return data | {"text/html": lessons_html(self._lessons()) + self._puzzles_html() + waits}

    def _lessons(self) -> list[Path]:
        return [self._folder / f"{name}.ipynb" for name in lesson_names(self._folder)]

    def _puzzles_html(self) -> str:
        path = self._folder / f"{PUZZLES}.ipynb"
        return f"<p>To practise: {_link(path)}</p>" if path.exists() else ""

    def _refresh(self, says: str) -> None:
        """Read lessons and record, and show them."""
        self._page.outputs = tuple(as_output(piece) for piece in self._pieces())
        self._notice.text = says

    def _pieces(self) -> Iterator[object]:
        record, lessons = self._record, self._lessons()
        finished, attempts = record.lessons_finished(), record.attempts()
        found = progress(attempts, finished, {path.stem: lesson_title(path) for path in lessons})
        if news := record.news():
            yield _page(f"<p><strong>{escape(news)}</strong></p>")
        if not record.trouble:
            yield _page(f"<h2>What to do next</h2><p>{next_html(found, lessons)}</p>")
        state = None if record.trouble else State(finished, found.answered)
        yield _page(lessons_html(lessons, state) + self._puzzles_html())
        if found.attempts:
            yield _page(f"<h2>How you are doing</h2><p>{WHAT_COUNTS}</p>")
            if found.over_time:
                yield progress_figure(found)
            table = progress_table(found)
            yield Page(SCROLLS.format(table.html), table.text)


@dataclass(frozen=True, slots=True)
class State:
    """How far the learner has got: when each lesson was finished, and first answers by source."""

    finished: dict[str, datetime]
    answered: dict[str, int]


NO_LESSONS = "There are no lessons in the folder of this notebook."
WHAT_COUNTS = (
    "A deal is worth 1, 2 or 3 game points. A real decision is one where some choice is worse than "
    "another; what yours cost against the best choice is counted, first answers only, so trying "
    "again is free. The marks: "
    + ", ".join(f"{escape(mark)} {escape(word)}" for mark, word in WORDS.items())
    + "."
)
SCROLLS = '<div role="group" aria-label="Progress" tabindex="0" style="overflow: auto">{}</div>'
"""On a narrow page it scrolls, so that the keyboard must get to it."""


def lessons_html(lessons: list[Path], state: State | None = None) -> str:
    """Return the list of lessons, each with a link; how far the learner is too, if that is known.

    The links are relative to the folder of the lessons.
    """
    if not lessons:
        return f"<p>{NO_LESSONS}</p>"
    items = [f"<li>{_link(path)}{_state(path.stem, state)}</li>" for path in lessons]
    return f"<h2>The lessons</h2><ul>{''.join(items)}</ul>"


def _state(name: str, state: State | None) -> str:
    if state is None:
        return ""
    when = state.finished.get(name)
    source = f"Lesson {int(name[:2])}"
    tables, quiz = (state.answered.get(each, 0) for each in (source, f"{source} quiz"))
    done = "not finished"
    if when is not None:
        done = f"<strong>finished</strong> on {when.astimezone().date().isoformat()}"
    answered = f"; answered: {tables} on the table, {quiz} in the quiz" if tables or quiz else ""
    return f": {done}{answered}"


def _link(path: Path) -> str:
    address = escape(quote(path.name))
    title = escape(lesson_title(path))
    return f'<a href="{address}" style="text-decoration: underline">{title}</a>'


def next_html(found: Progress, lessons: list[Path]) -> str:
    """Return what to do next, as one sentence."""
    still_open = {path.stem: path for path in lessons}.get(found.advice.lesson or "")
    theme = found.advice.theme
    weak = theme and (
        f"{escape(printable(theme.name))}: your last {theme.real_decisions} real decisions there "
        f"lost {number(theme.mean_loss)} game points each"
    )
    if not found.attempts and still_open:
        return (
            f"Nothing is answered yet: open {_link(still_open)}, press <em>Run all</em> there, and "
            "answer what it asks; then come back and see how you did."
        )
    if still_open:
        watch = f", and watch out for {weak}" if weak else ""
        return f"Go on with {_link(still_open)}{watch}."
    if weak:
        return f"Practise {weak}."
    return "Nothing is left to do and nothing stands out as weak: answer once more what you like."


def _page(html: str) -> Page:
    return Page(html, "")
