"""The best single plan: against every plan there is, in both forms, and read out move by move."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice, product
from random import Random
from statistics import fmean

import pytest

from tables import LONG_RUNS, at_random
from trainer.notation import format_position, parse_view
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Kind,
    Move,
    Position,
    deal,
    legal_moves,
    play,
    variant_named,
    view,
)
from trainer.rules.play import sensible_moves
from trainer.rules.position import CLOSE, hands, hidden_cards, layouts, place
from trainer.search import DoubleDummy
from trainer.search.single_dummy import BestPlan, Plan, Planning, best_plan

COMPILE = "from trainer.search.backend import compile_now; compile_now()"
GAMES = [*VARIANTS, "russian66~six", "russian66~nolast"]
Vector = tuple[int, ...]
"""Game points for South, layout by layout."""
NOT_THERE = 99
"""Stands for a layout in which the play did not come this way."""


# ------------------------------------------------------------------- every plan, without the search


def every_plan(positions: list[Position | None]) -> set[Vector]:
    """What South's plans yield against the best defence, less those that another one surpasses.

    The positions are what South cannot tell apart, None for layouts that have dropped out.
    """
    alive = [position for position in positions if position is not None]
    if alive[0].over is not None:
        return {tuple(p.over.value(SOUTH) if p and p.over else NOT_THERE for p in positions)}
    if alive[0].turn == SOUTH:
        plans: set[Vector] = set()
        for move in sensible_moves(alive[0]):
            plans |= every_plan([p and play(p, move) for p in positions])
        return unsurpassed(plans)
    choices = dict.fromkeys(move for position in alive for move in sensible_moves(position))
    worst = {tuple(NOT_THERE for _ in positions)}
    for move in choices:
        answers = every_plan(
            [
                play(p, move) if p is not None and move in sensible_moves(p) else None
                for p in positions
            ]
        )
        worst = unsurpassed({tuple(map(min, one, other)) for one, other in product(worst, answers)})
    return worst


def unsurpassed(plans: set[Vector]) -> set[Vector]:
    return {
        plan
        for plan in plans
        if not any(
            other != plan and all(a >= b for a, b in zip(other, plan, strict=True))
            for other in plans
        )
    }


def double_dummy(position: Position) -> int:
    """The value for South when every card is seen, by plain minimax over the rules."""
    if position.over is not None:
        return position.over.value(SOUTH)
    values = [double_dummy(play(position, move)) for move in sensible_moves(position)]
    return max(values) if position.turn == SOUTH else min(values)


def small_case(rng: Random, variant: str, cards: int, most: int) -> list[Position] | None:
    """A few layouts with so many cards in South's hand, after a closing or with the stock gone."""
    position = deal(variant_named(variant), rng, rng.choice((SOUTH, NORTH)))
    closes_at = rng.randrange(1, 8)
    while position.over is None and (
        position.open_stock or position.hands[SOUTH].bit_count() > cards
    ):
        moves = legal_moves(position)
        if CLOSE in moves and len(position.stock) <= closes_at:
            position = play(position, CLOSE)
            continue
        moves = [move for move in moves if move.kind not in (Kind.CLAIM, Kind.SHOW, Kind.CLOSE)]
        position = play(position, rng.choice(moves))
    if position.over is not None:
        return None
    seen = view(position, SOUTH)
    every = list(hands(seen))
    chosen = rng.sample(every, min(most, len(every)))
    return [place(seen, hand, hidden_cards(seen, hand)) for hand in chosen]


def small_cases(variant: str, seed: int, cards: int, most: int) -> Iterator[list[Position]]:
    rng = Random(f"{variant} {seed}")
    while True:
        case = small_case(rng, variant, cards, most)
        if case:
            yield case


def misleading(cases: Iterable[list[Position]]) -> Iterator[list[Position]]:
    """The cases in which no plan yields what seeing every card would."""
    solver = DoubleDummy()
    for positions in cases:
        plan = best_plan(positions, solver)
        if plan.total < plan.high:
            yield positions


SEEDS = {
    "foster66": 0,
    "russian66": 11,
    "german66": 11,
    "schnapsen": 4,
    "russian66~six": 4,
    "russian66~nolast": 11,
}
"""Seeds that soon lead to cases in which double dummy misleads."""


def some_misleading(variant: str, count: int) -> list[list[Position]]:
    return [*islice(misleading(small_cases(variant, SEEDS[variant], cards=3, most=8)), count)]


def against_every_plan(cases: Iterable[list[Position]]) -> None:
    solver = DoubleDummy()
    for positions in cases:
        plan = best_plan(positions, solver)
        plans = every_plan(list(positions))
        assert plan.exact
        assert plan.total == max(map(sum, plans))
        assert any(
            all(a >= b for a, b in zip(known, plan.values, strict=True)) for known in plans
        ), "no plan yields these values together"
        assert plan.high == sum(map(double_dummy, positions))


@pytest.mark.parametrize("variant", GAMES)
def test_no_plan_is_better(variant: str) -> None:
    against_every_plan(islice(small_cases(variant, 1, cards=3, most=4), 6))


@pytest.mark.parametrize("variant", GAMES)
def test_no_plan_is_better_where_double_dummy_misleads(variant: str) -> None:
    against_every_plan(some_misleading(variant, 2))


KNOTS = {
    # Two answers of North's have layouts in common, and it matters which of these a plan loses.
    "foster66 S:T.K..T N:...,4x H 5xHJ 5/1-30/4 N S9 won=S:CJCQ;N:HQC9,HADQ,SQD9,HTH9 "
    "closed=N0/0": "51 62 38 82 20 120 19 27 42 37 92 122 44 102 111 104 113 121 79 53",
    "russian66 S:K.T..AT N:...,4x D 5xDQ 27/3-16/2 N won=S:STH9,CKHA,S9HJ;N:D9DK,DTDJ "
    "closed=S0/0": "54 119 33 104 83 4 13 9 121 47 40 15",
    # North does best to exchange in some layouts and not in others.
    "foster66 S:.A..TJ N:...,3x S 5xSA 27/2-24/4 N won=S:DQDA,SQST;N:HTHJ,DJSJ,H9HK,DKD9 "
    "closed=N14/1": "8 14 46 0 54 44 4 9 40 30 25 3 29 31 19 6 10 48 23 47",
    # North leads a King or Queen and says nothing of the marriage.
    "foster66 S:A9..T.TQ N:...,5x H 3xHT 0/0-39/5 N won=N:DAHJ,DJD9,HKDQ,DKST,HQH9 "
    "closed=N0/0": "48 7 41 31 14 15 40 55",
}
"""Views, and by their numbers the layouts taken from them."""


@pytest.mark.parametrize("line", KNOTS)
def test_no_plan_is_better_in_knotty_cases(line: str) -> None:
    every = [*layouts(parse_view(line))]
    against_every_plan([[every[int(number)] for number in KNOTS[line].split()]])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LONG_RUNS))
@pytest.mark.parametrize("variant", GAMES)
def test_no_plan_is_better_in_many_cases(variant: str, seed: int) -> None:
    against_every_plan(islice(small_cases(variant, seed, cards=3, most=7), 60))
    against_every_plan(islice(small_cases(variant, seed, cards=4, most=4), 6))
    for cards, most in ((3, 10), (4, 6), (5, 3)):
        cases = islice(small_cases(variant, seed, cards, most), 200)
        against_every_plan(islice(misleading(cases), 12))


# -------------------------------------------------------------------------- plans, move after move


def closes(variant: str, seed: int, hidden: int, count: int) -> list[list[Position]]:
    """The layouts of closes of South's with so many cards face down, met in random play."""
    rng = Random(f"{variant} {seed} {hidden}")
    found: list[list[Position]] = []
    while len(found) < count:
        start = deal(variant_named(variant), rng, rng.choice((SOUTH, NORTH)))
        for position in at_random(start, rng, without="cl 66 !"):
            if (
                len(position.stock) == hidden + 1
                and position.over is None
                and position.turn == SOUTH
                and CLOSE in legal_moves(position)
            ):
                found.append(list(layouts(view(play(position, CLOSE), SOUTH))))
                break
    return found


def worst(plan: Plan, numbers: list[int]) -> dict[int, int]:
    """What a plan yields against the best defence, by the numbers of its layouts, read out."""
    first = plan.positions[0]
    assert all(p.hands[SOUTH] == first.hands[SOUTH] for p in plan.positions)
    if first.over is not None:
        assert plan.move is None
        return {
            n: p.over.value(SOUTH) for n, p in zip(numbers, plan.positions, strict=True) if p.over
        }
    if first.turn == SOUTH:
        assert plan.move is not None
        rest = plan.after(plan.move)
        assert rest is not None
        return worst(rest, numbers)
    assert plan.move is None
    found: dict[int, int] = {}
    for move in dict.fromkeys(move for p in plan.positions for move in sensible_moves(p)):
        left = [
            n for n, p in zip(numbers, plan.positions, strict=True) if move in sensible_moves(p)
        ]
        rest = plan.after(move)
        assert rest is not None
        assert len(rest.positions) == len(left)
        for number, value in worst(rest, left).items():
            found[number] = min(value, found.get(number, value))
    return found


@pytest.mark.parametrize("variant", GAMES)
def test_a_plan_read_out_yields_what_it_promises(variant: str) -> None:
    solver = DoubleDummy()
    cases = [*islice(small_cases(variant, 2, cards=3, most=5), 5), *some_misleading(variant, 1)]
    for positions in cases:
        plan = best_plan(positions, solver)
        assert worst(plan, [*range(len(positions))]) == dict(enumerate(plan.values))


WATCHED = 4
"""The number of a close whose best plan takes some search."""


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_plan_read_out(variant: str) -> None:
    solver = DoubleDummy()
    for positions in closes(variant, 1, hidden=1, count=3):
        plan = best_plan(positions, solver)
        assert worst(plan, [*range(len(positions))]) == dict(enumerate(plan.values))


def test_a_plan_cut_short_keeps_its_promise() -> None:
    solver = DoubleDummy()
    for positions in some_misleading("russian66", 3):
        for budget in (1, 40, 200):
            plan = best_plan(positions, solver, budget)
            yielded = worst(plan, [*range(len(positions))])
            assert all(yielded[n] >= value for n, value in enumerate(plan.values))


def test_a_plan_is_left_only_by_its_own_moves() -> None:
    positions = closes("foster66", 4, hidden=1, count=1)[0]
    plan = best_plan(positions, DoubleDummy())
    assert plan.move is not None
    rest = plan.after(plan.move)
    assert rest is not None
    every = [move for p in rest.positions for move in legal_moves(p)]
    assert rest.after(every[0]) is not None
    own = next(Move(Kind.CARD, card) for card in range(32) if positions[0].hands[SOUTH] >> card & 1)
    assert rest.after(own) is None
    losing = [move for move in legal_moves(positions[0]) if not keeps(plan, move)]
    for move in losing:
        with pytest.raises(ValueError, match="another way"):
            plan.after(move)


def keeps(plan: BestPlan, move: Move) -> bool:
    """Whether some plan that begins with this move yields all that the plan does."""
    after = [play(position, move) for position in plan.positions]
    values = every_plan(list(after)) if after[0].over is not None else None
    if values is not None:
        return any(all(a >= b for a, b in zip(v, plan.values, strict=True)) for v in values)
    best = best_plan(after, plan.solver)
    return best.total >= plan.total and best.exact


# ----------------------------------------------------------------------- when double dummy misleads

MISLEADING = (
    "foster66 S:A.AK.A.AQ N:...,6x D xDT 4/1-22/4 S won=S:CKD9;N:HJSQ,DQCJ,H9S9,SJCT",
    "foster66 S:Q.T.AK.TJ N:...,6x C xC9 40/5-0/0 S won=S:HKCK,SADJ,HADQ,SJS9,HQH9",
)
"""Found by the engine in random deals."""


def sure(positions: dict[int, Position], solver: DoubleDummy) -> dict[int, int]:
    """What South can be sure of by one line of play, by layout, with the stock open at first.

    Not always the most: while the stock is open South takes the best move on average.
    """
    first = next(iter(positions.values()))
    if first.over is not None or not first.open_stock or len(positions) == 1:
        if len(positions) > 1 or first.over is not None:
            plan = best_plan([*positions.values()], solver)
            return dict(zip(positions, plan.values, strict=True))
        value = solver.value(first)
        return dict.fromkeys(positions, value if first.turn == SOUTH else -value)
    moves = dict.fromkeys(move for p in positions.values() for move in sensible_moves(p))
    if first.turn == SOUTH:
        return max((sure_after(positions, m, solver) for m in moves), key=lambda v: sum(v.values()))
    found: dict[int, int] = {}
    for move in moves:
        for number, value in sure_after(positions, move, solver).items():
            found[number] = min(value, found.get(number, value))
    return found


def sure_after(positions: dict[int, Position], move: Move, solver: DoubleDummy) -> dict[int, int]:
    """The same after a move, for the layouts that allow it, South having seen what it draws."""
    parts: dict[int, dict[int, Position]] = {}
    for number, position in positions.items():
        if move in sensible_moves(position):
            after = play(position, move)
            parts.setdefault(after.hands[SOUTH], {})[number] = after
    return {n: value for part in parts.values() for n, value in sure(part, solver).items()}


def mean_by_move(positions: list[Position], solver: DoubleDummy) -> dict[Move, float]:
    """The double-dummy means of South's moves other than closing, in game points."""
    tables = [solver.evaluate_moves(position) for position in positions]
    return {move: fmean(table[move] for table in tables) for move in tables[0] if move != CLOSE}


@pytest.mark.parametrize("line", MISLEADING)
def test_averaging_says_close_and_one_plan_says_play_on(line: str) -> None:
    solver = DoubleDummy()
    positions = [*layouts(parse_view(line))]
    closed = [play(position, CLOSE) for position in positions]
    on_average = max(mean_by_move(closed, solver).values())
    play_on = mean_by_move(positions, solver)
    assert on_average > max(play_on.values())
    plan = best_plan(closed, solver)
    assert plan.exact
    lead = max(play_on, key=lambda move: play_on[move])
    surely = sure_after(dict(enumerate(positions)), lead, solver)
    assert sum(surely.values()) > plan.total


# ------------------------------------------------------------------------------- bounds and pauses


def test_bounds_hold_whatever_the_budget() -> None:
    solver = DoubleDummy()
    for positions in closes("foster66", 5, hidden=1, count=10):
        best = best_plan(positions, solver)
        assert best.exact
        for budget in (1, 300, 3_000, 30_000):
            plan = best_plan(positions, solver, budget)
            assert plan.total <= best.total <= plan.upper <= plan.high == best.high
            assert plan.total == sum(plan.values)


def test_a_search_can_be_watched_and_left() -> None:
    positions = closes("foster66", 5, hidden=3, count=WATCHED + 1)[WATCHED]
    planning = Planning(positions, DoubleDummy())
    seen: list[BestPlan] = []
    for _ in planning.steps():
        if planning.plan is not None:
            seen.append(planning.plan)
    assert planning.plan is not None
    assert planning.plan.exact
    assert [p.total for p in seen] == sorted(p.total for p in seen)
    assert [p.upper for p in seen] == sorted((p.upper for p in seen), reverse=True)
    assert any(not plan.exact for plan in seen), "it can be left before the end"


def test_a_solver_may_be_asked_other_things_meanwhile() -> None:
    one, other = closes("foster66", 5, hidden=1, count=2)
    gone = next(small_cases("schnapsen", 1, cards=3, most=1))[0]
    start = deal(VARIANTS["foster66"], Random(1), SOUTH)
    undisturbed = [best_plan(positions, DoubleDummy()) for positions in (one, other)]
    solver = DoubleDummy()
    plannings = [Planning(positions, solver) for positions in (one, other)]
    work = [planning.steps() for planning in plannings]
    while work:
        solver.value(gone)
        solver.value(start if len(work) == 3 else gone)
        work = [steps for steps in work if next(steps, 0) is None]
    for planning, expected in zip(plannings, undisturbed, strict=True):
        assert planning.plan is not None
        assert planning.plan.values == expected.values
        assert planning.plan.upper == expected.upper


def test_a_finished_deal_is_its_own_plan() -> None:
    rng = Random(3)
    over = at_random(deal(VARIANTS["foster66"], rng, SOUTH), rng)[-1]
    assert over.over is not None
    plan = best_plan([over], DoubleDummy())
    assert (plan.total, plan.exact, plan.move) == (over.over.value(SOUTH), True, None)


def test_positions_that_have_no_plan() -> None:
    start = deal(VARIANTS["foster66"], Random(1), SOUTH)
    with pytest.raises(ValueError, match="closed or gone"):
        best_plan([start], DoubleDummy())
    one, other = closes("foster66", 5, hidden=3, count=2)
    with pytest.raises(ValueError, match="apart"):
        best_plan([one[0], other[0]], DoubleDummy())


# ------------------------------------------------------------------------------------ the two forms

ANSWER = """
import sys
from trainer.notation import parse_position
from trainer.search import DoubleDummy, backend
from trainer.search.single_dummy import best_plan
print(backend.current().name)
for line in sys.stdin.read().splitlines():
    positions = [parse_position(text) for text in line.split("|")]
    plan = best_plan(positions, DoubleDummy(), 20_000)
    print(plan.values, plan.high, plan.upper, plan.move)
"""


@pytest.mark.slow
def test_both_forms_find_the_same_plans() -> None:
    cases = [case for variant in GAMES for case in islice(small_cases(variant, 7, 3, 8), 12)]
    cases += closes("foster66", 6, hidden=1, count=6) + closes("foster66", 6, hidden=3, count=3)
    text = "\n".join("|".join(map(format_position, case)) for case in cases)
    answers = []
    for form in ("plain", "compiled"):
        environment = os.environ | {"SIXTY_SIX_KERNEL": form}
        for code in (COMPILE, ANSWER):
            done = subprocess.run(
                [sys.executable, "-c", code],
                input=text,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
        name, *found = done.stdout.splitlines()
        assert name == form
        answers.append(found)
    assert answers[0] == answers[1]
