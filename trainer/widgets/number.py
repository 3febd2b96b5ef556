"""A question whose answer is a number, such as a mental count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainer.widgets.short import ShortQuestion


class NumberQuestion(ShortQuestion):
    """A question that the learner answers with a whole number.

    ``number`` is the right one, or a function that works it out when it is needed. ``why`` is a
    sentence that follows the right answer.
    """

    def __init__(
        self,
        question: str,
        number: int | Callable[[], int],
        why: str = "",
        *,
        unit: str = "card points",
        level: int = 3,
    ) -> None:
        self.answers: list[int] = []
        self._number = number
        self._unit = unit
        super().__init__(question, why, level)

    def answer(self, number: int) -> bool:
        """Answer as the learner would; return whether it is right."""
        with self._lock:
            self.at_once = True
            return self._check(number)

    def _turn(self) -> dict[str, Any]:
        return {"field": {"label": "Your number", "hint": self._unit, "button": "Answer"}}

    def _take(self, word: str) -> None:
        if word.isascii() and word.isdigit() and len(word) < 6:
            self._check(int(word))
        else:
            self._show(says="Type a whole number, in digits.", kind="error")

    def _check(self, number: int) -> bool:
        right = self._number() if callable(self._number) else self._number
        self.answers.append(number)
        return self._judge(self._counted(number), number == right, self._counted(right))

    def _counted(self, number: int) -> str:
        """Return a number with its unit: ``1 card point``."""
        return f"{number} {self._unit.removesuffix('s') if number == 1 else self._unit}"
