"""Engine and reference in step: the same moves, counts and settlements, in every game.

The reference was written from the rule book alone. ``DEALS=10000 pytest tests/test_in_step.py``
plays more deals than usual, ``PERFT=1000000`` counts further.
"""

import os
import random
from collections.abc import Callable, Iterable

import pytest

import reference
from trainer.notation import format_move, format_position, parse_move, parse_position
from trainer.rules import Position, legal_moves, play
from trainer.rules.variants import SWITCHES, VARIANTS
from trainer.search import DoubleDummy, backend

GAMES = [*VARIANTS, "russian66~six"]
DEALS = int(os.environ.get("DEALS", "1000"))
PERFT = int(os.environ.get("PERFT", "100000"))
CHUNKS = 8
RARE = {"66": 0.1, "cl": 0.15}


def weight(word: str, calm: bool) -> float:
    """How often a random player makes a move: a calm one seldom ends the deal early."""
    return RARE.get(word, 0.1 if word.endswith("!") else 1.0) if calm else 1.0


def play_in_step(variant: str, rng: random.Random) -> None:
    """Play one random deal in both and compare all that can be seen of it after every move."""
    calm = rng.random() < 0.7
    state = reference.deal(variant, rng, pone=rng.choice("SN"))
    position = parse_position(reference.line(state))
    while True:
        line = reference.line(state)
        assert format_position(position) == line
        assert parse_position(line) == position
        words = sorted(reference.moves(state))
        assert sorted(map(format_move, legal_moves(position))) == words, line
        if not words:
            return
        word = rng.choices(words, [weight(word, calm) for word in words])[0]
        state = reference.play(state, word)
        position = play(position, parse_move(position, word))


@pytest.mark.parametrize("variant", GAMES)
def test_some_deals(variant: str) -> None:
    rng = random.Random(f"some {variant}")
    for _ in range(60):
        play_in_step(variant, rng)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("variant", GAMES)
def test_many_deals(variant: str, chunk: int) -> None:
    rng = random.Random(f"many {variant} {chunk}")
    for _ in range(DEALS // CHUNKS):
        play_in_step(variant, rng)


def leaves(roots: Iterable[Position], depth: int) -> int:
    """Return how many positions lie ``depth`` moves on; finished deals count where they end."""
    layer = list(roots)
    for _ in range(depth):
        layer = [play(position, move) for position in layer for move in legal_moves(position)]
    return len(layer)


def deepest(count: Callable[[int], int], limit: int) -> list[int]:
    """Return the counts at depths 1, 2, ... as long as they stay under a limit."""
    counts: list[int] = []
    growth = 8.0
    while not counts or 0 < counts[-1] * growth < limit:
        counts.append(count(len(counts) + 1))
        growth = counts[-1] / counts[-2] if counts[1:] else growth
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("variant", VARIANTS)
def test_perft(variant: str, number: int) -> None:
    """From a fresh deal, from one half played, and from a closed one the tree has one size."""
    rng = random.Random(f"perft {variant} {number}")
    state = reference.deal(variant, rng)
    for _ in range(6 * number):
        calm = [w for w in reference.sensible(state) if w not in ("cl", "66") and "!" not in w]
        state = reference.play(state, rng.choice(calm))
    if number == 2 and "cl" in reference.moves(state):
        state = reference.play(state, "cl")
    position = parse_position(reference.line(state))
    counts = deepest(lambda depth: leaves([position], depth), PERFT)
    assert counts == [reference.perft(state, depth + 1) for depth in range(len(counts))]
    assert max(counts) > 500


def compare_values(states: Iterable[reference.State]) -> int:
    """Compare search with minimax on positions; return on how many that was to be done."""
    compared = 0
    for state in states:
        line = reference.line(state)
        position = parse_position(line)
        if position.over is None:
            values = DoubleDummy().evaluate_moves(position)
            found = {format_move(move): value for move, value in values.items()}
            assert found == reference.values(state), line
            compared += 1
    return compared


@pytest.mark.parametrize("variant", GAMES)
def test_search_equals_minimax(variant: str) -> None:
    states = reference.many_states(variant, random.Random(f"a few {variant}"), 60)
    assert compare_values(state for phase, state in states if phase in ("closed", "gone")) > 30


@pytest.mark.slow
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "compiled"])
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("variant", [game for game in GAMES if game != "foster66"])
def test_search_equals_minimax_often(
    variant: str, chunk: int, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if plain:
        monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    rng = random.Random(f"often {variant} {chunk} {plain}")
    assert compare_values(state for _, state in reference.many_states(variant, rng, 150)) > 100


def test_every_game_is_played_here() -> None:
    assert set(VARIANTS) <= set(GAMES)
    assert set(SWITCHES) <= set(VARIANTS)
