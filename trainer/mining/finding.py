"""Finding puzzles in one deal.

A deal is played by two players of different strength, so that positions come up as they do at a
table. At each choice the position is looked at twice: with every card face up where few are left
to come, and as its side has seen it where every layout can be counted. It is kept where a real
decision stands that the careless player gets wrong. Of themes that come up seldom more is kept:
there it is enough that the forgetful player, another beginner, gets it wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from random import Random
from statistics import fmean

from trainer.grading import Choice, Report, grade, report
from trainer.players import (
    LADDER,
    Looking,
    Player,
    Sampling,
    careless,
    face_up,
    fair,
    forgetful,
    play_out,
)
from trainer.puzzles import Puzzle, puzzle_id, puzzle_of, whole_choices
from trainer.rules.knowledge import Views
from trainer.rules.play import close, sensible_moves
from trainer.rules.position import (
    CLAIM,
    CLOSE,
    SOUTH,
    Kind,
    Move,
    Position,
    View,
    count_hands,
    count_layouts,
    deal,
    layouts,
    sample_layouts,
    swap_sides,
)
from trainer.rules.variants import Variant
from trainer.search import Answer, DoubleDummy
from trainer.search.concealed import LAST_DRAWS
from trainer.themes import themes_of

GAP = 0.3
"""Game points that the best choice must be worth more than any other, cards concealed."""
FEWEST_CARDS = 3
"""Cards that South must hold: with two there is little to think about."""
SHORT_STOCK = 4
"""Cards in an open stock up to which a position is a puzzle with every card face up."""
MOST_HANDS = 500
"""Hands of North's up to which a position is one with cards concealed."""
ERRORS = 4
"""Standard errors of a sample that must lie between two choices to tell them apart."""
GLANCE, OPEN_GLANCE = 60, 20
"""Layouts that are tried before a position is solved; the second while cards are drawn."""
LATE = 6
"""Cards in the stock from which on a searching player is asked; before, a fair one plays."""
SELDOM = frozenset(
    {
        "throw-in",
        "unblocking",
        "declaring in time",
        "King or Queen",
        "taking the turn-up",
        "late exchange",
        "leaving the turn-up",
        "drawing first",
        "keeping out of schwarz",
    }
)
"""Themes that come up seldom, or that the careless player never misses."""
TRIALS = 3
"""Times that each player of the ladder is asked for its choice."""


def _late(view: View, rng: Random) -> Move:
    """Play fairly while many cards are to come, then solve two layouts for each move."""
    drawing = view.closed is None and len(view.stock) > LATE
    return fair(view, rng) if drawing else Sampling(2)(view, rng)


CAST: tuple[Player, ...] = (careless, fair, fair, Looking(1, 1), _late)
"""The players of the deals."""
BEGINNERS: tuple[Player, ...] = (careless, forgetful)
"""Who misses something that comes up seldom; what comes up often, the careless one must miss."""


def mine_deal(variant: Variant, seed: int, number: int) -> list[Puzzle]:
    """Return the puzzle that is found in a deal, if any, and one more if it has a seldom theme.

    More would be too much alike. The same seed and number always give the same.
    """
    rng = Random(f"{seed}:{variant.name}:{number}")
    start = deal(variant, rng, rng.randrange(2))
    cast = rng.choice(CAST), rng.choice(CAST)
    moments = [(position, both) for position, both, _ in play_out(start, cast, rng)]
    rng.shuffle(moments)
    first = _first(moments, rng, number)
    return first + _seldom(moments, first, number)


Moments = Sequence[tuple[Position, Views]]
"""The positions of a deal, each with what both sides have seen of it."""


def _first(moments: Moments, rng: Random, number: int) -> list[Puzzle]:
    solver = DoubleDummy()
    finds: list[Callable[[Position, View], Position | View | None]] = [_face_up, _as_seen]
    for position, both in moments:
        seen = both[position.turn]
        for find in rng.sample(finds, 2):
            table = find(position, seen)
            puzzle = None if table is None else _puzzle(table, solver, number)
            if puzzle is not None:
                return [puzzle]
    return []


def _seldom(moments: Moments, others: list[Puzzle], number: int) -> list[Puzzle]:
    """Return a puzzle of a theme that comes up seldom, face up, none if there is none.

    Here it is enough that the forgetful player misses it. It is another than the ``others``.
    """
    solver = DoubleDummy()
    known = {puzzle.id for puzzle in others}
    for position, both in moments:
        table = _face_up(position, both[position.turn], LATE)
        if table is None or not _missed_by_a_beginner(table, solver, number):
            continue
        found = report(table)
        themes = themes_of(found)
        if SELDOM.intersection(themes) and puzzle_id(table) not in known:
            return [puzzle_of(found, difficulty=difficulty(found), themes=themes)]
    return []


def _missed_by_a_beginner(table: Position, solver: DoubleDummy, number: int) -> bool:
    moves = sensible_moves(table)
    if len(moves) < 2 or CLAIM in moves:
        return False
    choices = (player(face_up(table), Random(number)) for player in BEGINNERS)
    return any(_differ(table, missed, solver) for missed in choices)


def _face_up(position: Position, seen: View, stock: int = SHORT_STOCK) -> Position | None:
    """Return a position with every card face up and its side as South, if it can be a puzzle."""
    few = not position.open_stock or len(position.stock) <= stock
    if not few or seen.hand.bit_count() < FEWEST_CARDS:
        return None
    return position if position.turn == SOUTH else swap_sides(position)


def _as_seen(position: Position, seen: View) -> View | None:
    """Return what a side has seen, if it can be a puzzle: something is concealed, but not much."""
    if seen.hand.bit_count() < FEWEST_CARDS or not 2 < count_hands(seen) <= MOST_HANDS:
        return None
    if not position.open_stock or count_layouts(seen) <= LAST_DRAWS:
        return seen
    moves = sensible_moves(position)
    shows = any(move.kind is Kind.SHOW for move in moves)
    return seen if CLOSE in moves and not shows else None


def _puzzle(table: Position | View, solver: DoubleDummy, number: int) -> Puzzle | None:
    """Return the puzzle that a position makes, None where it makes none."""
    moves = sensible_moves(_example(table))
    if len(moves) < 2 or CLAIM in moves:
        return None
    missed = careless(_shown(table), Random(number))
    if not (_differ if isinstance(table, Position) else _may_differ)(table, missed, solver):
        return None
    found = report(table)
    if isinstance(table, View) and not sound(found):
        return None
    if grade(found, (missed,)).loss <= 0:
        return None
    themes = themes_of(found)
    if not themes:
        return None
    return puzzle_of(found, difficulty=difficulty(found), themes=themes)


def _example(table: Position | View) -> Position:
    return table if isinstance(table, Position) else next(layouts(table))


def _shown(table: Position | View) -> View:
    return face_up(table) if isinstance(table, Position) else table


def _differ(table: Position | View, missed: Move, solver: DoubleDummy) -> bool:
    """Return whether few moves are right with every card seen, and the one missed is not."""
    values = solver.evaluate_moves(_example(table))
    best = max(values.values())
    right = sum(value == best for value in values.values())
    return values[missed] < best and 2 * right <= len(values)


def _may_differ(table: Position | View, missed: Move, solver: DoubleDummy) -> bool:
    """Return whether a glance at some layouts promises a decision with cards concealed."""
    assert isinstance(table, View)
    drawing = bool(table.stock) and table.closed is None
    count = OPEN_GLANCE if drawing else GLANCE
    whole = count_layouts(table) <= count
    some = layouts(table) if whole else sample_layouts(table, count, Random(1))
    rows = [solver.evaluate_moves(position) for position in some]
    means = {move: fmean(row[move] for row in rows) for move in rows[0]}
    best = max(means.values())
    if means[missed] > best - GAP:
        return False
    return not drawing or len(rows) <= LAST_DRAWS or best == means[CLOSE] or _closing(means)


def _closing(means: dict[Move, float]) -> bool:
    """Return whether closing looks good, though something else is better."""
    return means[CLOSE] > 0


def sound(found: Report) -> bool:
    """Return whether the best choice of a view is surely the best, and by how much is plain.

    Its best fixed plan must be known, and be worth more than any other choice even on average with
    every card seen; or, where that is not reached, it must lead both by average and by plan. A
    sampled average counts with so many standard errors against the best. All others must be worth
    :data:`GAP` less on average.
    """
    choices = whole_choices(found)
    best = found.best
    others = [choice for choice in choices if not choice.best]
    if len(others) * 2 < len(choices) or best.status == "bound":
        return False
    return all(_beats(best, other) for other in others)


def _beats(best: Choice, other: Choice) -> bool:
    error = ERRORS * hypot(best.stderr or 0.0, other.stderr or 0.0)
    if best.game_points - other.game_points < GAP + error:
        return False
    if best.low is None:  # it keeps the stock open: it must beat what a close could be worth
        return other.low is None or best.game_points - error > other.game_points
    if other.low is None:
        return best.low > other.game_points + error
    return best.low > other.low


def difficulty(found: Report) -> int:
    """Return how difficult a solved position is, from 1 to 5, by how many of the ladder miss it.

    Asked are the players between the careless and the strong one, several times each.
    """
    table = _shown(found.table)
    rungs = list(LADDER.values())[1:-1]
    missed = 0.0
    for number, player in enumerate(rungs):
        for trial in range(TRIALS):
            answer = _answer(player, table, Random(f"{number}:{trial}"))
            missed += (grade(found, answer).loss > 0) / TRIALS
    return 1 + min(4, round(missed))


def _answer(player: Player, table: View, rng: Random) -> Answer:
    """Return a player's choice; if it closes with cards concealed, with the lead that follows."""
    move = player(table, rng)
    if move != CLOSE or not table.concealed:
        return (move,)
    return move, player(close(table), rng)
