"""Samples of the layouts of a view: possible, repeatable, and spread evenly."""

from collections import Counter
from itertools import accumulate, pairwise
from random import Random

import pytest

from tables import F2, at_random, hands_of
from trainer.notation import parse_view
from trainer.rules import NORTH, SOUTH, Position, View, cards_in, deal, play, view
from trainer.rules.position import CLOSE, count_hands, hands, random_layout, sample_layouts
from trainer.rules.variants import VARIANTS


def positions(variant: str, hidden: int, count: int) -> list[Position]:
    """Random positions with so many cards of the open stock face down."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        rng = Random(f"{variant} {hidden} {seed}")
        seed += 1
        for position in at_random(deal(VARIANTS[variant], rng), rng, without="66 ! cl"):
            if position.over is None and len(position.stock) == hidden + 1:
                found.append(position)
                break
    return found


def sample(seen: View, count: int, seed: int = 1) -> list[Position]:
    return list(sample_layouts(seen, count, Random(seed)))


@pytest.mark.parametrize("hidden", [1, 3, 7])
@pytest.mark.parametrize("variant", VARIANTS)
def test_samples_are_layouts_and_repeat_with_the_seed(variant: str, hidden: int) -> None:
    for position in positions(variant, hidden, 5):
        seen = view(position, SOUTH)
        possible = set(hands_of(seen))
        found = sample(seen, 30)
        assert len(found) == 30
        assert found == sample(seen, 30)
        assert found != sample(seen, 30, seed=2)
        held = sorted([*position.stock, *cards_in(position.hands[NORTH])])
        for layout in found:
            assert view(layout, SOUTH) == seen
            assert layout.hands[NORTH] in possible
            assert sorted([*layout.stock, *cards_in(layout.hands[NORTH])]) == held


def test_samples_of_a_closed_hand_and_of_declared_marriages() -> None:
    closed = play(next(iter(sample(parse_view(F2), 1))), CLOSE)
    declared = 0
    for position in [closed, *positions("foster66", 5, 60)]:
        seen = view(position, SOUTH)
        declared += bool(seen.known)
        assert all(view(layout, SOUTH) == seen for layout in sample(seen, 20))
    assert declared > 2


@pytest.mark.parametrize("count", [1, 7, 100, 462, 924, 1000])
def test_samples_are_spread_evenly_over_the_hands(count: int) -> None:
    """However many hands are taken from the head of their order, they have their share."""
    seen = parse_view(F2)
    total = count_hands(seen)
    assert total == 462
    drawn = Counter(layout.hands[NORTH] for layout in sample(seen, count))
    shares = accumulate(drawn[hand] for hand in hands(seen))
    for number, share in enumerate(shares, start=1):
        assert abs(share - number * count / total) < 1
    if count % total == 0:
        assert set(drawn.values()) == {count // total}


def test_hands_come_in_no_order_and_stocks_in_every_order() -> None:
    (position,) = positions("russian66", 3, 1)
    seen = view(position, SOUTH)
    found = sample(seen, 1200)
    numbers = {hand: number for number, hand in enumerate(hands(seen))}
    order = [numbers[layout.hands[NORTH]] for layout in found]
    climbs = sum(one < next_one for one, next_one in pairwise(order))
    assert 480 < climbs < 660
    orders = Counter(
        tuple(sorted(layout.stock[:3]).index(card) for card in layout.stock[:3]) for layout in found
    )
    assert len(orders) == 6
    assert all(150 < count < 250 for count in orders.values())


def test_every_hand_comes_up_as_the_only_one() -> None:
    (position,) = positions("german66", 1, 1)
    seen = view(position, SOUTH)
    drawn = Counter(random_layout(seen, Random(seed)).hands[NORTH] for seed in range(700))
    assert set(drawn) == set(hands_of(seen))
    assert len(drawn) == 7
    assert all(60 < count < 140 for count in drawn.values())
