"""One function for each question to the search."""

from itertools import pairwise
from random import Random

import pytest

from tables import F2, at_random
from trainer.notation import parse_view
from trainer.rules import (
    SOUTH,
    VARIANTS,
    IllegalMove,
    Kind,
    Move,
    Position,
    deal,
    legal_moves,
    play,
)
from trainer.rules.position import CLOSE, swap_sides
from trainer.search import (
    DoubleDummy,
    Study,
    backend,
    double_dummy,
    evaluate_moves,
    evaluate_record,
    evaluate_view,
    par,
    principal_variation,
    refutation,
    solve,
)


def late(seed: int, variant: str = "foster66") -> Position:
    """A position of a random deal with few cards left to draw."""
    rng = Random(f"{variant} {seed}")
    while True:
        for position in at_random(deal(VARIANTS[variant], rng), rng, without="66 ! cl"):
            if position.over is None and len(position.stock) == 4:
                return position


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_value_is_that_of_the_best_move(variant: str) -> None:
    position = late(1, variant)
    values = evaluate_moves(position)
    assert {move.kind for move in values} <= {move.kind for move in legal_moves(position)}
    found = solve(position)
    assert found.exact
    assert found.value == max(values.values()) == DoubleDummy().value(position)
    assert found.nodes > 0
    assert found.seconds > 0


def test_a_search_in_many_steps_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [deal(VARIANTS["schnapsen"], Random(seed)) for seed in range(8)]
    whole = [evaluate_moves(position) for position in positions]
    monkeypatch.setattr(double_dummy, "SLICE", 20)
    monkeypatch.setattr(double_dummy, "MOMENT", 0.0)
    for position, values in zip(positions, whole, strict=True):
        assert max(values.values()) == DoubleDummy().value(position)
        steps = list(DoubleDummy().evaluate_steps(position))
        assert len(steps) > 3
        assert steps[-1] == values
        for known in steps:
            assert known.items() <= values.items()


@pytest.mark.parametrize("variant", VARIANTS)
def test_best_lines_end_with_the_value(variant: str) -> None:
    position = late(2, variant)
    for move, value in evaluate_moves(position).items():
        after = position
        for each in (move, *refutation(position, move)):
            after = play(after, each)
        assert after.over is not None
        assert after.over.value(position.turn) == value
    first, *_ = principal_variation(position)
    values = evaluate_moves(position)
    assert values[first] == max(values.values())


def test_no_time_leaves_bounds_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    open_bounds = 0
    for seed in range(6):
        position = deal(VARIANTS["schnapsen"], Random(seed))
        found = solve(position, seconds=0)
        value = DoubleDummy().value(position)
        assert found.least <= value <= found.most
        assert found.exact == (found.least == found.most)
        if not found.exact:
            open_bounds += 1
            with pytest.raises(ValueError, match="only known to lie from"):
                _ = found.value
    assert open_bounds


def test_a_finished_deal_is_worth_what_it_brought() -> None:
    position = late(5)
    for move in principal_variation(position):
        position = play(position, move)
    assert position.over is not None
    assert solve(position).value == position.over.value(position.turn)
    assert evaluate_moves(position) == {}
    assert principal_variation(position) == ()


def test_par_is_told_for_south_whoever_leads() -> None:
    position = late(3)
    value = DoubleDummy().value(position)
    assert par(position) == (value if position.turn == SOUTH else -value)
    assert par(swap_sides(position)) == -par(position)


def test_a_record_changes_its_value_only_by_a_worse_move() -> None:
    position = late(4)
    rng = Random(4)
    moves: list[Move] = []
    turns = []
    now = position
    while now.over is None:
        move = rng.choice([m for m in legal_moves(now) if m.kind in (Kind.CARD, Kind.DRAW)])
        moves.append(move)
        turns.append(now.turn)
        now = play(now, move)
    values = evaluate_record(position, moves)
    assert len(values) == len(moves) + 1
    assert values[0] == par(position)
    assert values[-1] == now.over.value(SOUTH)
    assert len(set(values)) > 1
    for turn, (before, after) in zip(turns, pairwise(values), strict=True):
        assert after <= before if turn == SOUTH else after >= before
    with pytest.raises(IllegalMove):
        evaluate_record(position, [*moves, CLOSE])


def test_a_view_is_studied_as_far_as_the_time_goes() -> None:
    view = parse_view(F2)
    some = evaluate_view(view, samples=2, seconds=0)
    study = Study(view, 2)
    *_, done = study.steps()
    assert done == 1
    assert set(some) < set(study.tallies)
    everything = evaluate_view(view, samples=2)
    assert {a: t.values for a, t in everything.items()} == {
        a: t.values for a, t in study.tallies.items()
    }
