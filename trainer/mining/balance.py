"""Choosing among puzzles that were found, so that the collection is varied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trainer.puzzles import LEVELS, Puzzle

THEME_SHARE = 0.15
"""The share of a collection that may have any one theme."""
CONCEALED_SHARE = 0.5
"""The share with concealed cards that is aimed at."""


def balanced(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return so many puzzles, or as many as can be had, in the order of their ids.

    No theme is on more than :data:`THEME_SHARE` of them; about half have concealed cards, and all
    levels are about equally filled, as far as there are such puzzles. Those without a theme are
    left out. The same puzzles always give the same choice.
    """
    pool = sorted((puzzle for puzzle in puzzles if puzzle.themes), key=lambda each: each.id)
    while True:
        chosen = _choose(pool, count)
        if len(chosen) >= count or not chosen:
            return sorted(chosen, key=lambda each: each.id)
        # with fewer in all, fewer may have one theme: go down by steps, as that costs some more
        count -= max(1, (count - len(chosen)) // 4)


def _choose(pool: list[Puzzle], count: int) -> list[Puzzle]:
    most = max(1, int(THEME_SHARE * count))
    themes: Counter[str] = Counter()
    levels: Counter[int] = Counter()
    kinds: Counter[bool] = Counter()
    shares = {True: CONCEALED_SHARE, False: 1 - CONCEALED_SHARE}
    waiting = pool
    chosen: list[Puzzle] = []

    def fullness(puzzle: Puzzle) -> float:
        """Return how full of its likes the collection is; a rare theme makes up for much."""
        level = levels[puzzle.difficulty] * len(LEVELS) / count
        kind = kinds[puzzle.concealed] / (shares[puzzle.concealed] * count)
        counts = [themes[theme] / most for theme in puzzle.themes]
        return level + kind + min(counts) + sum(counts)

    while len(chosen) < count:
        waiting = [each for each in waiting if all(themes[name] < most for name in each.themes)]
        if not waiting:
            break
        best = min(waiting, key=fullness)
        waiting.remove(best)
        chosen.append(best)
        themes.update(best.themes)
        levels[best.difficulty] += 1
        kinds[best.concealed] += 1
    return chosen
