"""A question whose answer is a number, such as a mental count."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from trainer.widgets.exercise import Exercise
from trainer.widgets.offers import offer


class NumberQuestion(Exercise):
    """A question that the learner answers with a whole number.

    ``number`` is the right one, or a function that works it out when it is needed. ``why`` is a
    sentence that follows the mark.
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
        super().__init__()
        self.question = question
        self.answers: list[int] = []
        self._number = number
        self._why = why
        self._unit = unit
        self._level = level
        self._round = 0
        self._show("asking", result={})

    def __repr__(self) -> str:
        return f"NumberQuestion({self.question!r})"

    def _without_kernel(self) -> dict[str, str]:
        asked = f"<p><strong>{escape(self.question)}</strong></p>"
        return {"text/html": f"{asked}\n<p><em>Press Run all to answer.</em></p>"}

    def answer(self, number: int) -> bool:
        """Answer as the learner would; return whether it is right."""
        with self._lock:
            self.at_once = True
            return self._judge(number)

    def _hear(self, word: str) -> None:
        if word == "again":
            self._show("asking", result={})
        elif word.isascii() and word.isdigit() and len(word) < 6:
            self._judge(int(word))
        else:
            self._show(says="Type a whole number, in digits.", kind="error")

    def _judge(self, number: int) -> bool:
        right = number == (self._number() if callable(self._number) else self._number)
        self.answers.append(number)
        word = "Right" if right else "Not right"
        # A wrong number may be tried again, so the sentence that gives the right one waits.
        sentence = self._why if right else "Count once more."
        result: dict[str, Any] = {
            "label": f"{number} {self._unit}",
            "mark": "=" if right else "?",
            "word": word,
            "sentences": [sentence],
            "note": "",
            "wait": "",
            "done": True,
            "progress": 1.0,
            "concealed": False,
            "caption": "",
            "side": 0,
            "badges": {},
            "scale": 1.0,
            "rows": [],
            "waiting": [],
        }
        self._show("graded", f"{word}. {sentence}", "spoken", result)
        self._tell_listeners()
        return right

    def _show(
        self,
        phase: str = "",
        says: str = "",
        kind: str = "info",
        result: dict[str, Any] | None = None,
    ) -> None:
        if phase:
            self._round += 1
        scene: dict[str, Any] = {
            "format": 1,
            "round": self._round,
            "phase": phase or self.scene["phase"],
            "level": self._level,
            "question": self.question,
            "frames": "[]",
            "from": 0,
            "at": 0,
            "until": 0,
            "says": {"text": says, "kind": kind},
        }
        if scene["phase"] == "asking":
            field = {"label": "Your number", "hint": self._unit, "button": "Answer"}
            scene["turn"] = {"own": 0, "cards": [], "actions": [], "field": field}
        else:
            scene["again"] = offer("again", "r", "Try again", ["again"])
        self._tell_page(scene, result)
