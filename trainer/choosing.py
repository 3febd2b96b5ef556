"""Choosing puzzles: by what they are about, by weakness, for a day, and in sets with rounds.

What has been answered, the date and the random numbers are passed in, and nothing is kept here. A
puzzle is known in the record by its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from random import Random

from trainer.progress import TOLD, Part, first_answers, real_decisions, weakest_theme
from trainer.puzzles import LEVELS, Puzzle
from trainer.record import Attempt

ALL_LEVELS = (LEVELS[0], LEVELS[-1])
"""The easiest and the hardest level of difficulty."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a puzzle has to be like. An empty text and None ask for nothing."""

    theme: str = ""
    variant: str = ""
    """The name of a game, without switches."""
    levels: tuple[int, int] = ALL_LEVELS
    """The least and the highest level of difficulty."""
    concealed: bool | None = None

    def fits(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle is like that."""
        least, highest = self.levels
        return (
            (not self.theme or self.theme in puzzle.themes)
            and self.variant in ("", puzzle.variant)
            and least <= puzzle.difficulty <= highest
            and self.concealed in (None, puzzle.concealed)
        )

    def __str__(self) -> str:
        """Return it in words, parts that ask for nothing left out; empty if none does."""
        least, highest = self.levels
        level = f"level {least}" if least == highest else f"levels {least} to {highest}"
        cards = {None: "", True: "as seen", False: "face up"}[self.concealed]
        parts = (self.theme, self.variant, "" if self.levels == ALL_LEVELS else level, cards)
        return ", ".join(filter(None, parts))


ANY = Wish()
"""What every puzzle fits."""


def read_wish(
    puzzles: Iterable[Puzzle],
    *,
    theme: str = "",
    variant: str = "",
    level: str = "",
    concealed: bool | None = None,
) -> Wish:
    """Return what is wished for in words, ``level`` as ``3`` or ``2-4``.

    Raises ValueError, in one line, for a theme or a game that no puzzle has and for other levels.
    """
    asked = list(puzzles)
    themes = sorted({each for puzzle in asked for each in puzzle.themes})
    if theme and theme not in themes:
        raise ValueError(f"theme: found {theme!r}, expected one of: {', '.join(themes)}")
    games = sorted({puzzle.variant for puzzle in asked})
    if variant and variant not in games:
        raise ValueError(f"variant: found {variant!r}, expected one of: {', '.join(games)}")
    return Wish(theme, variant, _read_levels(level), concealed)


def _read_levels(text: str) -> tuple[int, int]:
    if not text:
        return ALL_LEVELS
    parts = text.split("-")
    if len(parts) > 2 or not {*parts} <= {*map(str, LEVELS)} or parts[0] > parts[-1]:
        expected = f"a number from {LEVELS[0]} to {LEVELS[-1]}, or two like 2-4"
        raise ValueError(f"level: found {text!r}, expected {expected}")
    return int(parts[0]), int(parts[-1])


def matching(puzzles: Iterable[Puzzle], wish: Wish) -> list[Puzzle]:
    """Return the puzzles that fit, in the order given."""
    return [puzzle for puzzle in puzzles if wish.fits(puzzle)]


def is_right(attempt: Attempt) -> bool:
    """Return whether an answer lost nothing for sure, and was not told by a hint."""
    return not attempt.loss and attempt.hints < TOLD


def in_order(
    puzzles: Sequence[Puzzle], attempts: Iterable[Attempt], rng: Random, *, missed: bool = True
) -> list[Puzzle]:
    """Return the puzzles in the order in which to ask them.

    First come those not answered yet, in random order; then those missed the last time, unless
    ``missed`` is False; then the others. Of those answered, what was longest ago comes first.
    """
    last = {attempt.position: attempt for attempt in first_answers(attempts)}

    def rank(puzzle: Puzzle) -> tuple[int, float]:
        attempt = last.get(puzzle.position)
        if attempt is None:
            return 0, 0.0
        return 1 if missed and not is_right(attempt) else 2, attempt.when.timestamp()

    return sorted(rng.sample(puzzles, len(puzzles)), key=rank)


def weakest(puzzles: Iterable[Puzzle], attempts: Iterable[Attempt]) -> Part | None:
    """Return the theme of these puzzles that the learner lost most in; None if none stands out."""
    themes = {theme for puzzle in puzzles for theme in puzzle.themes}
    counted = real_decisions(first_answers(attempts))
    return weakest_theme(
        [
            replace(each, themes=tuple(theme for theme in each.themes if theme in themes))
            for each in counted
        ]
    )


def daily(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """Return the puzzle of a day, the same one for everybody who has the same puzzles.

    The puzzles draw lots, each for itself. So an added one takes the days on which its lot is the
    lowest, and leaves all others as they were. Raises ValueError when there is none.
    """
    return min(puzzles, key=lambda puzzle: _lot(day.isoformat(), puzzle))


def _lot(drawn: str, puzzle: Puzzle) -> str:
    return sha256(f"{drawn} {puzzle.id}".encode()).hexdigest()


# ---- sets in rounds ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """How far a set of puzzles has come.

    In the first round all of them are asked, in each later one what was missed in the round before,
    until nothing was.
    """

    number: int
    size: int
    """How many puzzles the set has."""
    open: tuple[Puzzle, ...]
    """Those still to be asked in this round; none when the set is finished."""
    missed: tuple[Puzzle, ...]
    """Those missed in this round so far: they come again in the next."""


def set_name(number: int, size: int, wish: Wish) -> str:
    """Return what a set is called in the record; the same set always gets the same name."""
    return f"set {number} of {size}" + (f": {wish}" if str(wish) else "")


def members(
    puzzles: Iterable[Puzzle], name: str, size: int, attempts: Iterable[Attempt]
) -> list[Puzzle]:
    """Return the puzzles of a set: those answered in it so far, then others by lot.

    So the set stays the same when puzzles are added, but for places not answered yet.
    """
    by_position = {puzzle.position: puzzle for puzzle in puzzles}
    answered = dict.fromkeys(each.position for each in attempts if each.source == name)
    met = [by_position.pop(position) for position in answered if position in by_position]
    others = sorted(by_position.values(), key=lambda puzzle: _lot(name, puzzle))
    return sorted([*met, *others][:size], key=lambda puzzle: _lot(name, puzzle))


def round_of(puzzles: Iterable[Puzzle], name: str, size: int, attempts: Sequence[Attempt]) -> Round:
    """Return how far a set has come, by what was answered in it. Other tries in a round are free.

    ``puzzles`` are all that the set is drawn from.
    """
    asked = members(puzzles, name, size, attempts)
    turn, waiting, missed = 1, {each.position: each for each in asked}, dict[str, Puzzle]()
    for attempt in attempts:
        if attempt.source != name or attempt.position not in waiting:
            continue
        puzzle = waiting.pop(attempt.position)
        if not is_right(attempt):
            missed[attempt.position] = puzzle
        if missed and not waiting:
            turn, waiting, missed = turn + 1, _in_lots(missed, name), {}
    return Round(turn, len(asked), tuple(waiting.values()), tuple(missed.values()))


def _in_lots(puzzles: dict[str, Puzzle], name: str) -> dict[str, Puzzle]:
    """Return the puzzles of a set in its order, by position."""
    return dict(sorted(puzzles.items(), key=lambda pair: _lot(name, pair[1])))


def count(how_many: int) -> str:
    """Return a number of puzzles in words: ``1 puzzle``, ``3 puzzles``."""
    return f"{how_many} puzzle{'' if how_many == 1 else 's'}"


def round_line(state: Round) -> str:
    """Return in one line how far a set has come."""
    if not state.open:
        rounds = "round" if state.number == 1 else "rounds"
        return f"This set is finished: all {state.size} right after {state.number} {rounds}."
    missed = f", {len(state.missed)} missed so far" if state.missed else ""
    return f"Round {state.number}: {len(state.open)} of {state.size} still to be asked{missed}."
