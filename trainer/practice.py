"""What the learner practises: puzzles one after the other, in one of several ways.

The notebook page, the terminal and the printed sheet all ask for a :class:`Practice` and differ
only in how they show its puzzles. Time, random numbers and the record are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from random import Random
from typing import Literal

from trainer.choosing import (
    ANY,
    Wish,
    count,
    daily,
    in_order,
    matching,
    round_line,
    round_of,
    set_name,
    weakest,
)
from trainer.progress import ENOUGH, number
from trainer.puzzles import Puzzle
from trainer.record import Attempt
from trainer.schedule import due, due_line, puzzle_for
from trainer.themes import NAMES

Way = Literal["free", "daily", "weak", "review", "set"]
SOURCES: dict[Way, str] = {
    "free": "puzzles",
    "daily": "daily puzzle",
    "weak": "weakest theme",
    "review": "review",
}
"""What the record keeps as the place where a puzzle was asked; a set has its own name."""
SET_SIZE = 10
Attempts = Callable[[], Sequence[Attempt]]
"""Returns every answer so far, oldest first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A way to practise, and what the puzzles have to be like."""

    way: Way = "free"
    wish: Wish = ANY
    """Not heeded by the puzzle of the day, which is the same for all."""
    number: int = 1
    """Which set, where it is a set."""
    size: int = SET_SIZE
    """How many puzzles the set has."""


@dataclass(frozen=True, slots=True)
class Practice:
    """Puzzles to be asked one after the other, and what the learner is told of them before."""

    source: str
    """What the record keeps as the place where they were asked."""
    says: str
    """One line, which gives no answer away."""
    puzzles: Iterator[Puzzle]
    """Taken one by one: the next can depend on what was answered meanwhile."""

    def first(self, most: int | None) -> Practice:
        """Return the same with no more than ``most`` puzzles; all of them for None."""
        return replace(self, puzzles=islice(self.puzzles, most))


def practice_of(
    wanted: Wanted,
    puzzles: Sequence[Puzzle],
    attempts: Attempts,
    now: Callable[[], datetime],
    rng: Random,
) -> Practice:
    """Return what is wanted. ``now`` tells the time where the learner is."""
    fitting = list(puzzles) if wanted.way == "daily" else matching(puzzles, wanted.wish)
    if not fitting:
        return Practice(wanted.way, "No puzzle fits.", iter(()))
    match wanted.way:
        case "free":
            return _free(fitting, attempts(), rng)
        case "weak":
            return _weak(fitting, attempts(), rng)
        case "daily":
            day = now().date()
            chosen = iter([daily(fitting, day)])
            return Practice(SOURCES["daily"], f"The puzzle of {day.isoformat()}.", chosen)
        case "review":
            says = due_line(attempts(), fitting, now())
            return Practice(SOURCES["review"], says, _review(fitting, attempts, now, rng))
        case "set":
            name = set_name(wanted.number, wanted.size, wanted.wish)
            says = round_line(round_of(fitting, name, wanted.size, attempts()))
            return Practice(name, says, _rounds(fitting, name, wanted.size, attempts))


def _free(fitting: Sequence[Puzzle], attempts: Sequence[Attempt], rng: Random) -> Practice:
    new = len({each.position for each in fitting} - {each.position for each in attempts})
    verb = "fits" if len(fitting) == 1 else "fit"
    says = f"{count(len(fitting))} {verb}, {new} of them new to you: new ones come first."
    return Practice(SOURCES["free"], says, iter(in_order(fitting, attempts, rng)))


def _weak(fitting: Sequence[Puzzle], attempts: Sequence[Attempt], rng: Random) -> Practice:
    part = weakest(fitting, attempts)
    if part is None:
        says = (
            f"No theme stands out as weak yet: one is judged from {ENOUGH} real decisions on. "
            "Here are mixed puzzles."
        )
    else:
        fitting = [puzzle for puzzle in fitting if part.name in puzzle.themes]
        says = (
            f"{count(len(fitting))} of the theme that cost you most: {number(part.mean_loss)} game "
            f"points in each of your last {part.real_decisions} real decisions of it. "
            "It is named after your answer."
        )
    return Practice(SOURCES["weak"], says, iter(in_order(fitting, attempts, rng)))


def _review(
    fitting: Sequence[Puzzle], attempts: Attempts, now: Callable[[], datetime], rng: Random
) -> Iterator[Puzzle]:
    """Yield a puzzle for each pattern that is due and not yet shown by another, in random order.

    The learner may have seen the list of what is due, which would tell what comes next.
    """
    asked: list[Puzzle] = []
    while True:
        answered = attempts()
        patterns = [item.pattern for item in due(answered, fitting, now())]
        waiting = [pattern for pattern in patterns if not any(map(pattern.shown_by, asked))]
        if not waiting:
            return
        asked.append(puzzle_for(rng.choice(waiting), fitting, answered, rng))
        yield asked[-1]


def _rounds(
    fitting: Sequence[Puzzle], name: str, size: int, attempts: Attempts
) -> Iterator[Puzzle]:
    """Yield what is open in a set, round after round until all of it is right."""
    state = round_of(fitting, name, size, attempts())
    while state.open:
        yield from state.open
        before, state = state, round_of(fitting, name, size, attempts())
        if state.number == before.number:  # something was left out
            return


def here_and_now() -> datetime:
    """Return the time, in the time zone of this machine."""
    return datetime.now().astimezone()


def about_puzzle(puzzle: Puzzle) -> list[str]:
    """Return what may be told of a puzzle only after the answer, a line each.

    These are its themes, where it is from, and its name, which may speak of either.
    """
    told = [f"Theme: {theme}. {NAMES.get(theme, '')}".rstrip() for theme in puzzle.themes]
    told += [f"From {puzzle.source}."] if puzzle.source else []
    return [*told, f"Level {puzzle.difficulty}, puzzle {puzzle.id}."]
