"""Many positions at once: the same as one by one, whoever does the work."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from reference import many_states
from tables import at_random, from_reference
from trainer.rules import Position, deal
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy, backend, batch, evaluate_many, solve_many

GAMES = [*VARIANTS, "russian66~six"]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain kernel, in the processes that are started too."""
    monkeypatch.setenv("SIXTY_SIX_KERNEL", "plain")
    monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)


@pytest.fixture
def compiled() -> None:
    if backend.current() is backend.PLAIN:
        pytest.skip("the kernel is not compiled here")


def finished(count: int) -> Iterator[Position]:
    """Deals that are over, won by either side or by nobody."""
    rng = Random("finished")
    while count:
        position = at_random(deal(VARIANTS["foster66"], rng, rng.randrange(2)), rng)[-1]
        assert position.over is not None
        yield position
        count -= 1


def mixed(seed: int, deals: int) -> list[Position]:
    """Positions of all games, small ones, finished ones and whole Schnapsen deals, shuffled."""
    rng = Random(seed)
    found = [
        from_reference(state)
        for variant in GAMES
        for phase, state in many_states(variant, rng, 20)
        if phase not in ("open", "undrawn")
    ]
    for _ in range(deals):
        start = deal(VARIANTS["schnapsen"], rng, rng.randrange(2))
        found += [start, at_random(start, rng)[-1]]
    found += finished(2)
    rng.shuffle(found)
    assert any(position.carry or position.match for position in found)
    return found


def same_as_one_by_one(positions: list[Position], workers: int | None) -> None:
    """What many workers find together is what a new solver finds for each position."""
    values = solve_many(positions, workers=workers)
    tables = evaluate_many(positions, workers=workers)
    assert values.shape == (len(positions),)
    assert len(tables) == len(positions)
    for position, value, table in zip(positions, values, tables, strict=True):
        assert value == DoubleDummy().value(position)
        if position.over is None:
            assert list(table.items()) == list(DoubleDummy().evaluate_moves(position).items())
            assert value == max(table.values())
        else:
            assert table == {}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("workers", [1, 2, None])
def test_threads_with_the_compiled_kernel(workers: int | None) -> None:
    same_as_one_by_one(mixed(1, deals=4), workers)


@pytest.mark.usefixtures("plain")
def test_one_worker_with_the_plain_kernel() -> None:
    same_as_one_by_one(mixed(2, deals=0), 1)


@pytest.mark.slow
@pytest.mark.usefixtures("plain")
def test_processes_with_the_plain_kernel() -> None:
    same_as_one_by_one(mixed(3, deals=1), 2)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_deals_in_two_threads(variant: str) -> None:
    rng = Random(f"many {variant}")
    starts = [deal(VARIANTS[variant], rng, rng.randrange(2)) for _ in range(4)]
    stages = [stage for start in starts for stage in at_random(start, rng)]
    same_as_one_by_one(stages, 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_finished_deals_and_none_at_all(workers: int) -> None:
    deals = list(finished(20))
    scored = [position.over.value(position.turn) for position in deals if position.over]
    assert len(set(scored)) > 2
    assert solve_many(deals, workers=workers).tolist() == scored
    assert evaluate_many(deals, workers=workers) == [{}] * 20
    assert solve_many([], workers=workers).shape == (0,)
    assert evaluate_many([], workers=workers) == []


@pytest.mark.usefixtures("plain")
def test_chunks_do_not_lose_or_mix_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK", 3)
    monkeypatch.setattr(batch, "OPEN_CHUNK", 2)
    same_as_one_by_one(mixed(4, deals=2), 1)


@pytest.mark.usefixtures("compiled")
def test_a_bar_changes_nothing_and_keeps_out_of_the_output(
    capfd: pytest.CaptureFixture[str],
) -> None:
    positions = mixed(5, deals=1)
    values = solve_many(positions, workers=2, progress=True)
    tables = evaluate_many(positions, workers=2, progress=True)
    shown = capfd.readouterr()
    assert values.tolist() == solve_many(positions, workers=2).tolist()
    assert tables == evaluate_many(positions, workers=2)
    assert shown.out == ""
    assert shown.err
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("compiled")
def test_the_list_may_be_any_sequence() -> None:
    positions = tuple(islice(mixed(6, deals=0), 10))
    assert solve_many(positions).tolist() == [DoubleDummy().value(p) for p in positions]
