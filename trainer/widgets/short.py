"""What questions without a table have in common: judged at once, they may be tried again."""

from __future__ import annotations

from html import escape
from typing import Any

from trainer.widgets.exercise import Exercise
from trainer.widgets.offers import offer

TRIES = 2
"""After so many wrong answers the right one is told."""


class ShortQuestion(Exercise):
    """A question that has right answers and wrong ones, and no figures.

    A wrong answer may be tried again. ``why`` follows the right answer, given by the learner or
    told at last; with that the question counts as answered. Nothing of it is recorded.
    """

    def __init__(self, question: str, why: str, level: int) -> None:
        super().__init__()
        self.question = question
        self._why = why
        self._level = level
        self._round = 0
        self._wrong = 0
        self._show("asking", result={})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.question!r})"

    def _without_kernel(self) -> dict[str, str]:
        asked = f"<p><strong>{escape(self.question)}</strong></p>"
        rest = f"{self._choices_html()}\n<p><em>Press Run all to answer.</em></p>"
        return {"text/html": f"{asked}\n{rest}"}

    def _choices_html(self) -> str:
        """Return what there is to choose from, for a page without a kernel."""
        return ""

    def _turn(self) -> dict[str, Any]:
        """Return what the learner can answer with, for the scene."""
        raise NotImplementedError

    def _hear(self, word: str) -> None:
        if self.scene["phase"] != "asking":
            if word == "again":
                self._show("asking", result={})
        else:
            self._take(word)

    def _take(self, word: str) -> None:
        """Take what the learner typed or clicked."""
        raise NotImplementedError

    def _judge(self, label: str, right: bool, solution: str) -> bool:
        """Tell the learner how an answer is; ``solution`` is the right one in words."""
        word = "Right" if right else "Not right"
        self._wrong += not right
        told = right or self._wrong >= TRIES
        sentences = (
            [] if right else [f"The right answer: {solution}." if told else "Try once more."]
        )
        if told and self._why:
            sentences.append(self._why)
        result: dict[str, Any] = {
            "label": label,
            "mark": "=" if right else "?",
            "word": word,
            "sentences": sentences,
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
        self._show("graded", " ".join([f"{word}.", *sentences]), "spoken", result)
        if told:
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
            scene["turn"] = {"own": 0, "cards": [], "actions": []} | self._turn()
        else:
            scene["again"] = offer("again", "r", "Try again", ["again"])
        self._tell_page(scene, result)
