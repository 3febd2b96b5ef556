"""Spaced review: when which pattern is asked again.

What is reviewed is a pattern, a theme in a game, and not a position: when it is due, it is asked
with another puzzle, so that the learner cannot answer from memory of the cards. When a pattern is
due comes from the FSRS method (the package ``fsrs``) and from the record alone: every first answer
to a real decision of that theme in that game, wherever it was asked, is a review of it. So there is
no state to lose or to keep in step; a file beside the record only says whether the learner has
turned the review on. It is off until then.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fsrs import Card, Rating, Scheduler

from trainer.choosing import in_order, is_right
from trainer.lessons import write_whole
from trainer.progress import first_answers, printable
from trainer.puzzles import Puzzle
from trainer.record import Attempt, default_path
from trainer.rules.variants import VARIANTS

FORMAT = 1
FILE_NAME = "schedule.json"
LONGEST = 365
"""Days until a pattern is due again, at most."""
SCHEDULER = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False
)
"""Counts in days, never in minutes, and the same answers always give the same days."""


class Pattern(NamedTuple):
    """What is reviewed: a theme, and the game in which it is asked."""

    theme: str
    variant: str
    """The name of the game, without switches."""

    def shown_by(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle can be asked for this pattern."""
        return self.theme in puzzle.themes and self.variant == puzzle.variant

    def __str__(self) -> str:
        """Return it in words: ``ducking in Schnapsen``."""
        row = VARIANTS.get(self.variant)
        return f"{printable(self.theme)} in {row.title if row else printable(self.variant)}"


@dataclass(frozen=True, slots=True)
class Item:
    """A pattern that the learner has met, and when it is to be asked again."""

    pattern: Pattern
    answers: int
    right: bool
    """Whether the last answer was."""
    last: datetime
    due: datetime
    recall: float
    """The chance, from 0 to 1, that it would be known now, as the method reckons."""

    def is_due(self, now: datetime) -> bool:
        """Return whether the day on which it is due has come, where ``now`` is told."""
        return self.due.astimezone(now.tzinfo).date() <= now.date()


def rating(attempt: Attempt) -> Rating:
    """Return how well a pattern was known, by an answer."""
    if not is_right(attempt):
        return Rating.Again
    return Rating.Hard if attempt.hints else Rating.Good


def items(attempts: Iterable[Attempt], now: datetime) -> list[Item]:
    """Return the patterns that answers, given oldest first, have shown; what is due first, first.

    ``now`` is a time with its zone. Answers from later than that, given when the clock was wrong,
    wait until their time has come.
    """
    answers: defaultdict[Pattern, list[Attempt]] = defaultdict(list)
    for attempt in first_answers(each for each in attempts if each.when <= now):
        if attempt.real:
            game = attempt.position.split(" ", 1)[0].split("~")[0]
            for theme in dict.fromkeys(attempt.themes):
                answers[Pattern(theme, game)].append(attempt)
    found = [_item(pattern, given, now) for pattern, given in answers.items()]
    return sorted(found, key=lambda item: (item.due, item.pattern))


def _item(pattern: Pattern, answers: Sequence[Attempt], now: datetime) -> Item:
    card = Card(card_id=1)
    for attempt in answers:
        card, _ = SCHEDULER.review_card(card, rating(attempt), attempt.when.astimezone(UTC))
    last = answers[-1]
    recall = SCHEDULER.get_card_retrievability(card, now.astimezone(UTC))
    return Item(pattern, len(answers), is_right(last), last.when, card.due, recall)


def askable(found: Iterable[Item], puzzles: Sequence[Puzzle]) -> list[Item]:
    """Return the items for which there is a puzzle."""
    there = {Pattern(theme, each.variant) for each in puzzles for theme in each.themes}
    return [item for item in found if item.pattern in there]


def due(attempts: Iterable[Attempt], puzzles: Sequence[Puzzle], now: datetime) -> list[Item]:
    """Return the items that are due and can be asked, the longest due first."""
    return [item for item in askable(items(attempts, now), puzzles) if item.is_due(now)]


def puzzle_for(
    pattern: Pattern, puzzles: Iterable[Puzzle], attempts: Iterable[Attempt], rng: Random
) -> Puzzle:
    """Return a puzzle of the pattern: one not answered yet, else the one answered longest ago.

    Raises IndexError when there is none.
    """
    fitting = [puzzle for puzzle in puzzles if pattern.shown_by(puzzle)]
    return in_order(fitting, attempts, rng, missed=False)[0]


# ---- what the learner sees of it -----------------------------------------------------------------


def due_line(attempts: Sequence[Attempt], puzzles: Sequence[Puzzle], now: datetime) -> str:
    """Return in one line how much is due, and if nothing is, when something will be."""
    found = askable(items(attempts, now), puzzles)
    waiting = sum(item.is_due(now) for item in found)
    if not found:
        return (
            "Nothing to review yet: a theme comes in as soon as you have answered a puzzle of it."
        )
    if not waiting:
        return f"Nothing is due. Next: {day_of(found[0].due, now)}."
    patterns = "1 pattern is" if waiting == 1 else f"{waiting} patterns are"
    return f"{patterns} due, of {len(found)} that you have met."


def day_of(when: datetime, now: datetime) -> str:
    """Return the day of a time, as it is reckoned where ``now`` is told: ``2026-03-01``."""
    return when.astimezone(now.tzinfo).date().isoformat()


def why(item: Item, now: datetime) -> str:
    """Return why a pattern is due when it is."""
    day = day_of(item.last, now)
    if not item.right:
        return f"missed the last time, on {day}"
    return f"right the last time, on {day}; the chance that you still know it is {item.recall:.0%}"


def when(item: Item, now: datetime) -> str:
    """Return when a pattern is to be asked again."""
    return "due" if item.is_due(now) else day_of(item.due, now)


# ---- the switch ----------------------------------------------------------------------------------


class Switch:
    """Whether the review is on. It is kept in a small file beside the record.

    Without a path it is kept in memory. A file that cannot be read leaves it off, and ``news`` says
    so in one line: a damaged one is set aside, one of a newer version stays as it is.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.on = False
        self.news = ""
        self._frozen = False
        """Whether the file is a newer version's and must not be written."""
        if path is not None:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            self.news = f"{path} cannot be read: {error.strerror}. Review is off."
            return
        saved: Any = None
        with suppress(ValueError, RecursionError):
            saved = json.loads(text)
        number = saved.get("format") if isinstance(saved, dict) else None
        number = number if type(number) is int else 0
        if number > FORMAT:
            self._frozen = True
            self.news = f"{path} was written by a newer version and is left untouched."
        elif number == FORMAT and type(saved.get("on")) is bool:
            self.on = saved["on"]
        else:
            self._set_aside(path)

    def _set_aside(self, path: Path) -> None:
        aside = path.with_stem(f"{path.stem} (damaged)")
        turn = 2
        while aside.exists():
            aside = path.with_stem(f"{path.stem} (damaged {turn})")
            turn += 1
        try:
            path.rename(aside)
        except OSError as error:
            self.news = f"{path} is damaged and cannot be set aside: {error.strerror}."
        else:
            self.news = f"{path} was damaged and is set aside as {aside.name}. Review is off."

    def turn(self, on: bool) -> None:
        """Turn the review on or off, and keep that if it can be kept; else ``news`` says so."""
        self.on = on
        self.news = ""
        if self.path is None:
            return
        if self._frozen:
            self.news = f"{self.path} is of a newer version: this is not kept."
            return
        text = json.dumps({"format": FORMAT, "on": on}) + "\n"
        try:
            write_whole(self.path, text.encode())
        except OSError as error:
            self.news = f"{self.path} cannot be written: {error.strerror}. This is not kept."


def open_switch() -> Switch:
    """Return the learner's own switch."""
    path = default_path()
    return Switch(None if path is None else path.with_name(FILE_NAME))
