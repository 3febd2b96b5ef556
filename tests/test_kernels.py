"""Whatever form the kernel has and whatever it remembers, it finds the same."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from reference import many_states
from tables import after, at_random, card_renamed, from_reference, renamed
from trainer.notation import format_position, parse_move, parse_position
from trainer.rules import Move, Position, cards_in, deal, hand_of, legal_moves, play
from trainer.rules.cards import suit_of
from trainer.rules.position import EXCHANGE, swap_sides
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy, backend, double_dummy, kernel

GAMES = [*VARIANTS, "russian66~six"]
Table = dict[Move, int]


def small(variant: str, rng: Random, count: int) -> Iterator[Position]:
    """Positions of all phases that are soon worked out."""
    for _, state in many_states(variant, rng, count):
        if state.over is None:
            yield from_reference(state)


def schnapsen_deals(rng: Random) -> Iterator[Position]:
    """Whole deals of the game with the fewest cards, and a position from the midst of each."""
    while True:
        start = deal(VARIANTS["schnapsen"], rng, rng.randrange(2))
        yield start
        yield at_random(start, rng, without="66 ! cl")[4]


def tables(positions: Iterable[Position], form: str) -> list[Table]:
    """The values of all moves, found by one solver with one form of the kernel."""
    with pytest.MonkeyPatch.context() as patch:
        if form == "plain":
            patch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
        solver = DoubleDummy()
        return [solver.evaluate_moves(position) for position in positions]


@pytest.fixture
def compiled() -> None:
    if backend.current() is backend.PLAIN:
        pytest.skip("the kernel is not compiled here")


def same_tables(positions: list[Position], found: list[Table], expected: list[Table]) -> None:
    for position, one, other in zip(positions, found, expected, strict=True):
        assert one == other, format_position(position)


# ------------------------------------------------------------------------- plain and compiled


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("variant", GAMES)
def test_plain_and_compiled_find_the_same(variant: str) -> None:
    positions = [*small(variant, Random(f"forms {variant}"), 30)]
    if variant == "schnapsen":
        positions += islice(schnapsen_deals(Random("forms")), 4)
    same_tables(positions, tables(positions, "plain"), tables(positions, "current"))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("variant", GAMES)
def test_plain_and_compiled_find_the_same_often(variant: str) -> None:
    rng = Random(f"forms often {variant}")
    positions = [*small(variant, rng, 150)]
    if variant == "schnapsen":
        positions += islice(schnapsen_deals(rng), 30)
    same_tables(positions, tables(positions, "plain"), tables(positions, "current"))


# ------------------------------------------------------------------------- what is remembered


def mixed(rng: Random, count: int, deals: int) -> list[Position]:
    """Positions of all games and whole deals of one, shuffled."""
    found = [position for variant in GAMES for position in small(variant, rng, count)]
    found += islice(schnapsen_deals(rng), 2 * deals)
    rng.shuffle(found)
    return found


def alone(positions: Iterable[Position]) -> list[Table]:
    """The values of all moves, each position by a new solver."""
    return [DoubleDummy().evaluate_moves(position) for position in positions]


@pytest.mark.parametrize("form", ["plain", "current"])
def test_one_solver_for_all_finds_the_same_as_one_for_each(form: str) -> None:
    positions = mixed(Random(form), 12, 1)
    same_tables(positions, tables(positions, form), alone(positions))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "current"])
def test_one_solver_for_all_often(form: str) -> None:
    positions = mixed(Random(f"often {form}"), 60, 6)
    same_tables(positions, tables(positions, form), alone(positions))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("bits", [2, 8])
def test_a_small_memory_is_slower_and_no_less_right(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = mixed(Random(bits), 8, 2)
    expected = alone(positions)
    monkeypatch.setattr(backend, "MEMORY_BITS", bits)
    assert len(backend.current().new_memory()) == 2 << bits
    same_tables(positions, tables(positions, "current"), expected)


def test_a_memory_begun_anew_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = mixed(Random("anew"), 8, 0)
    expected = alone(positions)
    monkeypatch.setattr(kernel, "MOST_ENTRIES", 20)
    monkeypatch.setattr(double_dummy, "GENERATIONS", 2)
    same_tables(positions, tables(positions, "plain"), expected)


def stages(variant: str, rng: Random, most: int) -> list[Position]:
    """The positions of one deal in which at most so many cards are left to draw, any order."""
    start = deal(VARIANTS[variant], rng, rng.randrange(2))
    found = [
        then
        for position in at_random(start, rng, without="66 ! cl")
        if position.over is None and len(position.stock) <= most
        for then in [position, *(play(position, m) for m in legal_moves(position) if m == EXCHANGE)]
    ]
    rng.shuffle(found)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_stages_of_a_deal_in_any_order(variant: str) -> None:
    """The stock of one is the rest of another's, but for an exchange."""
    rng = Random(f"stages {variant}")
    for _ in range(3):
        positions = stages(variant, rng, 6)
        same_tables(positions, tables(positions, "current"), alone(positions))


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_stages_of_many_deals_in_any_order(variant: str) -> None:
    rng = Random(f"many stages {variant}")
    for _ in range(15):
        positions = stages(variant, rng, 8)
        same_tables(positions, tables(positions, "current"), alone(positions))


def other_stocks(position: Position, rng: Random) -> Iterator[Position]:
    """The position with its face-down cards in other orders, and with other trumps turned up."""
    *hidden, _ = position.stock
    yield position
    for _ in range(2):
        yield replace(position, stock=(*rng.sample(hidden, len(hidden)), position.stock[-1]))
    held = position.hands[0] | position.hands[1] | hand_of(position.stock)
    held |= 0 if position.led is None else 1 << position.led
    for card in cards_in(position.variant.pack & ~held):
        if suit_of(card) == position.trump:
            yield replace(position, stock=(*hidden, card), won=None)


def check_other_stocks(variant: str, rng: Random, count: int) -> None:
    """What is known with one stock is not taken for true with another."""
    telling = 0
    for number in range(count):
        start = deal(VARIANTS[variant], rng, rng.randrange(2))
        late = [
            position
            for position in at_random(start, rng, without="66 !" if number % 4 == 0 else "66 ! cl")
            if position.over is None and position.stock and sum(position.tricks) > 1
        ]
        for position in rng.sample(late, min(4, len(late))):
            positions = [*other_stocks(position, rng)]
            expected = alone(positions)
            same_tables(positions, tables(positions, "current"), expected)
            telling += any(table != expected[0] for table in expected)
    assert telling > count / 4, "hardly ever does the stock make a difference"


@pytest.mark.parametrize("variant", VARIANTS)
def test_another_stock_is_another_deal(variant: str) -> None:
    check_other_stocks(variant, Random(f"stocks {variant}"), 6)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_another_stock_is_another_deal_often(variant: str) -> None:
    check_other_stocks(variant, Random(f"stocks often {variant}"), 25)


@pytest.mark.parametrize("form", [pytest.param("plain", marks=pytest.mark.slow), "current"])
def test_before_an_exchange_and_after_it(form: str) -> None:
    """What is known of the stock with the lowest trump in it must not serve the other stock."""
    text = "foster66 S:J..QJ9.KQ N:K9.J9..AT S C9HQCJSAHKDTDKST 22/1-13/1 N won=S:HADA;N:HTSQ"
    before = parse_position(text)
    for positions in ([before, after(before, "ex")], [after(before, "ex"), before]):
        found = dict(zip(positions, tables(positions, form), strict=True))
        assert found[before][parse_move(before, "SK")] == -2


# ------------------------------------------------------------------------- what must not matter


def move_renamed(move: Move, names: list[int]) -> Move:
    if move.card is None:
        return move
    return replace(move, card=card_renamed(move.card, names))


def check_sides_and_suits(positions: Iterable[Position], rng: Random) -> None:
    """Values follow when sides change places and when suits change names, trumps among them."""
    solver = DoubleDummy()
    for position in positions:
        found = solver.evaluate_moves(position)
        assert solver.evaluate_moves(swap_sides(position)) == found, format_position(position)
        names = rng.sample(range(4), 4)
        other = solver.evaluate_moves(renamed(position, names))
        expected = {move_renamed(move, names): value for move, value in found.items()}
        assert other == expected, (format_position(position), names)


@pytest.mark.parametrize("variant", GAMES)
def test_sides_and_suits_are_names(variant: str) -> None:
    rng = Random(f"names {variant}")
    check_sides_and_suits([*small(variant, rng, 20)], rng)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_sides_and_suits_are_names_in_whole_deals(variant: str) -> None:
    rng = Random(f"names in deals {variant}")
    starts = [deal(VARIANTS[variant], rng, rng.randrange(2)) for _ in range(4)]
    middles = [at_random(start, rng, without="66 ! cl")[5] for start in starts]
    check_sides_and_suits([*starts, *middles, *small(variant, rng, 60)], rng)
