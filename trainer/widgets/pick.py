"""A question whose answers are there to choose from: sentences, or cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from trainer.explain.words import listed
from trainer.notation import parse_move
from trainer.rules.cards import card_name
from trainer.rules.position import Kind
from trainer.widgets.offers import offer
from trainer.widgets.short import ShortQuestion


class PickQuestion(ShortQuestion):
    """A question with several answers on offer, one or more of them right.

    ``options`` says of each text whether it is right; what takes long to find out is given as a
    function and asked when the learner has answered. With ``several`` the learner marks all that
    are right and then answers; otherwise one of them is enough. With ``cards`` the texts are the
    words of cards (``HT``), which are drawn. ``why`` is a sentence that follows the right answer.
    Raises ValueError for fewer than two options or none that can be right, and for a text that is
    no card where it must be.
    """

    def __init__(
        self,
        question: str,
        options: Mapping[str, bool | Callable[[], bool]],
        why: str = "",
        *,
        several: bool = False,
        cards: bool = False,
        level: int = 3,
    ) -> None:
        if len(options) < 2 or not any(options.values()):
            raise ValueError("there must be two answers at least, and a right one among them")
        self.answers: list[tuple[str, ...]] = []
        """Everything the learner answered, the first answer first."""
        self._options = dict(options)
        self._labels = {text: _named(text) if cards else text for text in options}
        self._several = several
        self._cards = cards
        self._marked: tuple[str, ...] = ()
        super().__init__(question, why, level)

    def answer(self, *texts: str) -> bool:
        """Answer as the learner would; return whether it is right.

        Raises ValueError for a text that is not on offer, and for none or too many.
        """
        unknown = [text for text in texts if text not in self._options]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not among the answers")
        if not texts or (len(texts) > 1 and not self._several):
            raise ValueError(f"{len(texts)} answers were given")
        with self._lock:
            self.at_once = True
            return self._check(texts)

    def _choices_html(self) -> str:
        items = (f"<li>{escape(label)}</li>" for label in self._labels.values())
        return f"<ul>{''.join(items)}</ul>"

    def _turn(self) -> dict[str, Any]:
        picks = []
        for number, (text, label) in enumerate(self._labels.items(), start=1):
            pick = offer(f"pick {number}", str(number), label, [f"pick {number}"])
            pick["card"] = text if self._cards else ""
            if self._several:
                pick["pressed"] = text in self._marked
            picks.append(pick)
        if self._several:
            picks.append(offer("answer", "a", "Answer", ["answer"]))
        label = "Answers: mark all that are right" if self._several else "Answers"
        return {"actions": picks, "label": label}

    def _take(self, word: str) -> None:
        picked = {f"pick {n}": text for n, text in enumerate(self._options, start=1)}.get(word)
        if picked is not None and not self._several:
            self._check((picked,))
        elif picked is not None:
            marked = {*self._marked} ^ {picked}
            self._marked = tuple(text for text in self._options if text in marked)
            self._show()
        elif word == "answer" and self._marked:
            marks, self._marked = self._marked, ()
            self._check(marks)
        else:
            self._show(says="Choose one of the answers first.", kind="error")

    def _check(self, texts: tuple[str, ...]) -> bool:
        right = {
            text for text, holds in self._options.items() if (holds() if callable(holds) else holds)
        }
        self.answers.append(texts)
        met = set(texts) == right if self._several else texts[0] in right
        solution = listed(
            (self._labels[text] for text in self._options if text in right),
            "and" if self._several else "or",
        )
        return self._judge(listed(self._labels[text] for text in texts), met, solution)


def _named(word: str) -> str:
    """Return the name of a card. Raises ValueError for a word that is none."""
    move = parse_move(None, word)
    if move.kind is not Kind.CARD or move.card is None:
        raise ValueError(f"{word!r} is not a card")
    return card_name(move.card)
