"""Close now, close after drawing, or play on."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import fmean

import pytest

from tables import F2, at_random
from trainer.cli import app
from trainer.notation import format_view, parse_view
from trainer.rules import SOUTH, VARIANTS, View, deal, play, view
from trainer.rules.position import CLOSE, DRAW, layouts
from trainer.search import DoubleDummy, Study, decides
from trainer.search.closing import Way, closing_ways
from trainer.search.single_dummy import best_plan


def undrawn_views(variant: str, left: int) -> Iterator[View]:
    """What South has seen after winning a trick, with so many cards in the stock."""
    for seed in range(1000):
        rng = Random(f"{variant} {seed}")
        for position in at_random(deal(VARIANTS[variant], rng), rng, without="66 ! cl"):
            undecided = position.turn == SOUTH and max(position.card_points) < 50
            if position.undrawn and len(position.stock) == left and undecided:
                yield view(position, SOUTH)


def ways_of(study: Study) -> dict[str, Way]:
    return {step.name: step for step in closing_ways(study) if isinstance(step, Way)}


@pytest.mark.parametrize("variant", ["foster66", "schnapsen"])
def test_closing_after_the_draw_is_weighed_card_by_card(variant: str) -> None:
    for seen in islice(undrawn_views(variant, 4), 3):
        study = Study(seen)
        ways = ways_of(study)
        assert {"close after drawing", "play on"} <= set(ways)
        assert ("close now" in ways) == VARIANTS[variant].close_undrawn
        groups: dict[int, list] = {}
        for position in layouts(seen):
            after = play(play(position, DRAW), CLOSE)
            groups.setdefault(after.hands[SOUTH], []).append(after)
        solver = DoubleDummy()
        values = [solver.value(after) for group in groups.values() for after in group]
        way = ways["close after drawing"]
        assert way.high == pytest.approx(fmean(values))
        plans = [best_plan(group, solver) for group in groups.values()]
        assert all(plan.exact for plan in plans)
        assert way.low == pytest.approx(sum(plan.total for plan in plans) / len(values))
        assert way.sure
        assert way.answer is None


def test_the_best_of_each_kind_is_told_with_both_figures() -> None:
    seen = parse_view(F2)
    study = Study(seen, 5)
    ways = ways_of(study)
    assert set(ways) == {"close now", "play on"}, "nothing is to be drawn"
    closing = {a: t for a, t in study.tallies.items() if CLOSE in a and decides(a)}
    now = ways["close now"]
    assert now.answer is not None
    assert now.low == closing[now.answer].low == max(t.low for t in closing.values() if t.low)
    assert now.high == max(tally.mean for tally in closing.values())
    assert now.sure
    assert not now.sampled
    assert ways["play on"].sampled
    assert ways["play on"].low is None
    assert not ways["play on"].sure


def test_after_the_last_draw_nobody_can_close() -> None:
    seen = next(undrawn_views("foster66", 2))
    assert "close after drawing" not in ways_of(Study(seen))


def test_the_command_line_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    line = format_view(next(undrawn_views("foster66", 4)))
    app(["solve", "--closing", "--json", line], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    assert [way["way"] for way in found["ways"]] == ["close now", "close after drawing", "play on"]
    app(["solve", "--closing", line], standalone_mode=False)
    text = capsys.readouterr().out
    assert all(way["way"] in text for way in found["ways"])
    assert "fixed plan" in text
