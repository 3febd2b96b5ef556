"""What a search that may stop at any time tells on the way."""

from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random

import pytest

import reference
from reference.positions import cards_left
from tables import at_random, from_reference
from trainer.notation import format_position
from trainer.rules import Position, deal
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy, backend, double_dummy

GAMES = [*VARIANTS, "russian66~six"]
STEPS = 100
"""More than any search here takes."""


@pytest.fixture(params=["plain", "current"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each form of the kernel, working in small steps that grow step by step."""
    if request.param == "plain":
        monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    monkeypatch.setattr(double_dummy, "SLICE", 5)
    return str(request.param)


def small_states(variant: str, rng: Random, count: int) -> Iterator[reference.State]:
    """Positions that plain minimax works out at once."""
    for phase, state in reference.many_states(variant, rng, count):
        if state.over is None and cards_left(state) < (7 if phase in ("open", "undrawn") else 9):
            yield state


def check_bounds(pairs: list[tuple[int, int]], value: int, text: str) -> None:
    """The pairs close in on the value, never widen, and the last one is exact."""
    for least, most in pairs:
        assert least <= value <= most, (text, pairs)
    for (least, most), (later_least, later_most) in pairwise(pairs):
        assert least <= later_least, (text, pairs)
        assert later_most <= most, (text, pairs)
    assert pairs[-1] == (value, value), (text, pairs)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("variant", GAMES)
def test_bounds_hold_the_value_of_minimax(variant: str) -> None:
    rng = Random(f"bounds {variant}")
    lengths = set()
    for state in small_states(variant, rng, 25):
        pairs = list(islice(DoubleDummy().bounds(from_reference(state)), STEPS))
        check_bounds(pairs, reference.value(state), reference.line(state))
        lengths.add(len(pairs))
    assert len(lengths) > 1


def whole_deals(variant: str, seed: int) -> Iterator[Position]:
    """Fresh deals, each followed by a position from its middle."""
    for number in range(1000):
        rng = Random(f"{variant} {seed} {number}")
        start = deal(VARIANTS[variant], rng, number % 2)
        yield start
        yield at_random(start, rng, without="66 ! cl")[8]


def check_bounds_of_deals(variant: str, seed: int, count: int) -> None:
    solver = DoubleDummy()
    told = 0
    for position in islice(whole_deals(variant, seed), count):
        pairs = list(islice(solver.bounds(position), STEPS))
        check_bounds(pairs, DoubleDummy().value(position), format_position(position))
        told += len(set(pairs))
    assert told > 1.5 * count, "hardly any bounds on the way"


@pytest.mark.usefixtures("kernel")
def test_bounds_of_whole_deals() -> None:
    check_bounds_of_deals("schnapsen", 1, 6)


@pytest.mark.slow
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("variant", VARIANTS)
def test_bounds_of_many_whole_deals(variant: str, seed: int, kernel: str) -> None:
    check_bounds_of_deals(variant, seed, 2 if kernel == "plain" else 12)


@pytest.mark.usefixtures("kernel")
def test_a_finished_deal_has_one_pair() -> None:
    position = at_random(deal(VARIANTS["schnapsen"], Random(5)), Random(5), without="66 ! cl")[-1]
    assert position.over is not None
    value = position.over.value(position.turn)
    assert list(DoubleDummy().bounds(position)) == [(value, value)]


# ------------------------------------------------------------------------------- stopping early


def stops_and_goes_on(positions: list[Position]) -> None:
    """Stopping in the midst of a search leaves the solver right, for the same and for others."""
    expected = [(DoubleDummy().value(p), DoubleDummy().evaluate_moves(p)) for p in positions]
    solver = DoubleDummy()
    stopped = 0
    for number, position in enumerate(positions):
        for steps in range(1, 5):
            *_, (least, most) = islice(solver.bounds(position), steps)
            stopped += least < most
            assert least <= expected[number][0] <= most
            other = (number + steps) % len(positions)
            assert solver.value(positions[other]) == expected[other][0]
            *_, known = islice(solver.evaluate_steps(position), steps)
            assert known.items() <= expected[number][1].items()
        assert solver.evaluate_moves(position) == expected[number][1]
        assert solver.value(position) == expected[number][0]
    assert stopped > 2


@pytest.mark.usefixtures("kernel")
def test_stopping_early_leaves_the_solver_right() -> None:
    stops_and_goes_on(list(islice(whole_deals("schnapsen", 2), 4)))


@pytest.mark.slow
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("seed", range(1))
def test_stopping_early_between_games(seed: int, kernel: str) -> None:
    count = 1 if kernel == "plain" else 4
    games = [islice(whole_deals(variant, seed), 1, 2 * count, 2) for variant in VARIANTS]
    stops_and_goes_on([position for deals in zip(*games, strict=True) for position in deals])


@pytest.mark.usefixtures("kernel")
def test_searches_may_take_turns() -> None:
    positions = list(islice(whole_deals("schnapsen", 3), 1, 8, 2))
    values = [DoubleDummy().value(position) for position in positions]
    solver = DoubleDummy()
    searches = [solver.bounds(position) for position in positions]
    last: dict[int, tuple[int, int]] = {}
    rounds = 0
    while any(last.get(number, (0, 1)) != (values[number],) * 2 for number in range(len(values))):
        for number, search in enumerate(searches):
            pair = next(search, None)
            if pair is not None:
                assert pair[0] <= values[number] <= pair[1]
                last[number] = pair
        rounds += 1
        assert rounds < 100
    assert rounds > 3
