"""The quiz at the end of a lesson: one table that asks several positions one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from trainer.explain.words import number
from trainer.grading import WORDS, Choice, Report
from trainer.record import Record
from trainer.search.concealed import Answer
from trainer.widgets.table import CardTable, Question


class Quiz(CardTable):
    """A table that asks all of ``questions``, each as soon as the one before it has its mark.

    It counts as answered when all of them are, and then tells the marks of the first answers.
    """

    def __init__(
        self,
        lesson: str,
        *questions: Question,
        samples: int | None = None,
        level: int = 3,
        record: Record | Literal["shared"] | None = "shared",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Set the table; ``lesson`` is the name of a notebook, ``06_count_35``.

        The other options are those of :class:`~trainer.widgets.table.CardTable`. Raises ValueError
        for no questions.
        """
        if not questions:
            raise ValueError("a quiz must ask something")
        self.total = len(questions)
        self.marks: dict[int, str] = {}
        """The mark of the first answer to each question, by its number from 1 on."""
        self._asking = 0
        source = f"Lesson {lesson[:2].lstrip('0')} quiz"
        numbered = [
            replace(question, text=f"{place} of {self.total}: {question.text}", source=source)
            for place, question in enumerate(questions, start=1)
        ]
        self.questions = tuple(numbered)
        first, *rest = numbered
        super().__init__(
            first.table,
            first.text,
            then=rest,
            samples=samples,
            level=level,
            source=source,
            themes=first.themes,
            record=record,
            now=now,
        )

    def answer_all(self, words: list[str]) -> list[Choice]:
        """Answer every question as the learner would, and return the graded choices.

        Raises ValueError for more or fewer answers than questions, or when some were given already,
        and otherwise what :meth:`answer` raises.
        """
        if len(words) != self.total or self.marks:
            raise ValueError(f"{self.total} answers are wanted, and none given before")
        choices = [self.answer(words[0])]
        for each in words[1:]:
            self._next()
            choices.append(self.answer(each))
        return choices

    def _pose(self, question: Question, line: Answer | str | None = None) -> None:
        self._asking += 1
        self._has_next = False
        super()._pose(question, line)

    def _sentences(self, report: Report, choice: Choice) -> list[str]:
        said = super()._sentences(report, choice)
        if len(self.answers) == 1 or self._asking not in self.marks:
            self.marks[self._asking] = choice.mark
        self._has_next = self._asking < self.total
        return said if self._has_next else [*said, self._summary()]

    def _summary(self) -> str:
        """Return how the first answers were marked, as a sentence."""
        each = "; ".join(f"{place}: {WORDS[mark]} ({mark})" for place, mark in self.marks.items())
        best = sum(mark == "=" for mark in self.marks.values())
        return (
            f"All {number(self.total)} are answered, {number(best)} with the best choice at the "
            f"first try. Question {each}."
        )

    def _tell_listeners(self) -> None:
        if self._asking == self.total:
            super()._tell_listeners()
