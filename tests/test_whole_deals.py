"""Whole deals: the search against a second one, a plain alpha-beta that shares nothing with it.

``WHOLE_DEALS=100 pytest tests/test_whole_deals.py`` compares so many deals of each game, which
takes some twenty minutes on one core.
"""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from random import Random
from types import FunctionType

import pytest

import reference
from reference import State, alpha_beta
from reference.positions import cards_left
from tables import from_reference
from trainer.notation import format_move
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy

GAMES = [*VARIANTS, "russian66~six"]
DEALS = int(os.environ.get("WHOLE_DEALS", "1"))
FORM = "i8(i8,i8,i8,i8[::1],i8[::1],i8[::1])"
Value = Callable[[State], int]


def quickly(state: State) -> int:
    """The value by alpha-beta as it stands, in plain Python."""
    return alpha_beta.value(state, places=20_011)


@pytest.fixture(scope="module")
def by_alpha_beta() -> Value:
    """The value by alpha-beta compiled, which takes whole deals."""
    numba = pytest.importorskip("numba")
    numpy = pytest.importorskip("numpy")
    name = "reference.compiled_alpha_beta"
    spec = importlib.util.spec_from_file_location(name, alpha_beta.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    for function in list(vars(module).values()):
        if isinstance(function, FunctionType) and function.__module__ == name:
            setattr(module, function.__name__, numba.njit(function))
    module.search.compile(FORM)

    def value(state: State) -> int:
        return alpha_beta.value(state, module.search, lambda count: numpy.zeros(count, numpy.int64))

    return value


# ------------------------------------------------------------------- alpha-beta by itself


def small_states(variant: str, rng: Random, count: int) -> Iterator[State]:
    """Positions of all phases that plain minimax works out at once."""
    for phase, state in reference.many_states(variant, rng, count):
        if state.over is None and cards_left(state) < (7 if phase in ("open", "undrawn") else 9):
            yield state


def same_as_minimax(states: Iterator[State], value: Value) -> int:
    """Hold alpha-beta against minimax on every state; return how many there were."""
    compared = 0
    for state in states:
        assert value(state) == reference.value(state), reference.line(state)
        compared += 1
    return compared


@pytest.mark.parametrize("variant", GAMES)
def test_alpha_beta_equals_minimax(variant: str) -> None:
    rng = Random(f"alpha-beta {variant}")
    assert same_as_minimax(small_states(variant, rng, 25), quickly) > 15


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES)
def test_alpha_beta_equals_minimax_often(variant: str, by_alpha_beta: Value) -> None:
    rng = Random(f"alpha-beta often {variant}")
    assert same_as_minimax(small_states(variant, rng, 600), by_alpha_beta) > 500


# ------------------------------------------------------------------- the search against it


def whole_deals(variant: str, seed: str) -> Iterator[State]:
    """Fresh deals without end, some of them after tied ones or late in a match."""
    rng = Random(f"{seed} {variant}")
    while True:
        state = reference.deal(variant, rng, pone=rng.choice("SN"))
        yield state.but(
            carry=rng.choice([0, 0, 1]),
            match=rng.choice([None, {"S": rng.randrange(7), "N": rng.randrange(7)}]),
        )


def played_on(state: State, rng: Random, calm: bool) -> Iterator[State]:
    """The deal at every stage, played on with random moves; a calm player never closes."""
    while state.over is None:
        yield state
        words = [word for word in reference.moves(state) if word != "66" and "!" not in word]
        if calm and "cl" in words:
            words.remove("cl")
        state = reference.play(state, rng.choice(words))


# Deals that are soon worked out, by the number of the deal.
QUICK = {
    "foster66": (12, 16, 21, 27, 43),
    "russian66": (5, 11, 17, 46, 49),
    "german66": (15, 17, 40, 47),
    "schnapsen": (12, 16, 21, 38),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_few_whole_deals(variant: str) -> None:
    solver = DoubleDummy()
    deals = dict(zip(range(max(QUICK[variant]) + 1), whole_deals(variant, "few"), strict=False))
    for number in QUICK[variant]:
        state = deals[number]
        assert solver.value(from_reference(state)) == quickly(state), reference.line(state)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_deals(variant: str, by_alpha_beta: Value) -> None:
    solver = DoubleDummy()
    found = set()
    for _, state in zip(range(DEALS), whole_deals(variant, "many"), strict=False):
        value = solver.value(from_reference(state))
        assert value == by_alpha_beta(state), reference.line(state)
        found.add(value > 0)
    assert len(found) == 2 or DEALS < 4


@pytest.mark.slow
@pytest.mark.parametrize("calm", [True, False], ids=["calm", "wild"])
@pytest.mark.parametrize("variant", GAMES)
def test_deals_at_every_stage(variant: str, calm: bool, by_alpha_beta: Value) -> None:
    """From the third trick on, every move is compared too."""
    rng = Random(f"stages {variant} {calm}")
    solver = DoubleDummy()
    compared = 0
    for _, start in zip(range(2), whole_deals(variant, f"stages {calm}"), strict=False):
        for state in played_on(start, rng, calm):
            if sum(state.tricks.values()) < 2:
                continue
            for move, value in solver.evaluate_moves(from_reference(state)).items():
                then = reference.play(state, format_move(move))
                if then.over is None:
                    other = by_alpha_beta(then)
                    expected = other if then.turn == state.turn else -other
                    assert value == expected, (reference.line(state), format_move(move))
                    compared += 1
    assert compared > 30


@pytest.mark.parametrize("variant", GAMES)
def test_the_last_stages_of_deals(variant: str) -> None:
    rng = Random(f"last {variant}")
    solver = DoubleDummy()
    compared = 0
    for _, start in zip(range(4), whole_deals(variant, "last"), strict=False):
        for state in played_on(start, rng, calm=True):
            if cards_left(state) <= 8:
                assert solver.value(from_reference(state)) == quickly(state), reference.line(state)
                compared += 1
    assert compared > 20
