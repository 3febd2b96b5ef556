"""The search: its values against a plain minimax, the big fixtures, plans and samples.

The positions compared here are of Foster's game; test_in_step.py compares those of the others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from statistics import fmean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from reference.positions import cards_left, random_state
from reference.sixty_six import in_order, pack
from tables import (
    F1,
    F2,
    F3,
    LONG_RUNS,
    at_random,
    card_renamed,
    from_reference,
    hands_of,
    renamed,
    with_north,
)
from trainer.notation import format_move, parse_answer, parse_move, parse_position, parse_view
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Hand,
    Kind,
    Move,
    Outcome,
    Position,
    View,
    deal,
    legal_moves,
    play,
    view,
)
from trainer.rules.cards import suit_cards
from trainer.rules.play import is_false_claim
from trainer.rules.position import (
    CLOSE,
    count_hands,
    count_layouts,
    layouts,
    random_layout,
    swap_sides,
)
from trainer.rules.variants import Variant, variant_named
from trainer.search import (
    Answer,
    DoubleDummy,
    Study,
    Tally,
    answers,
    backend,
    concealed,
    play_answer,
)

FOSTER = VARIANTS["foster66"]


def value_for_south(solver: DoubleDummy, position: Position) -> int:
    """The value of a position in game points for South."""
    value = solver.value(position)
    return value if position.turn == SOUTH else -value


# ------------------------------------------------------------------------ against a plain minimax


def same_values(states: Iterable[reference.State]) -> None:
    """The engine and the reference find the same for every move of every state.

    One solver serves all of them, so that what it remembers is tried as well.
    """
    solver = DoubleDummy()
    for state in states:
        position = from_reference(state)
        expected = reference.values(state)
        found = {format_move(m): v for m, v in solver.evaluate_moves(position).items()}
        assert found == expected, reference.line(state)
        assert solver.value(position) == max(expected.values()), reference.line(state)


SMALL = {
    "gone 4": 50,
    "gone 5": 60,
    "closed 4": 60,
    "closed 5": 60,
    "following 6": 50,
    "provisional 5": 60,
    "undrawn 7": 8,
}
"""Phases and the number of cards left, and of how many such positions the fast tests ask."""


@pytest.mark.parametrize("small", SMALL)
def test_small_positions(small: str) -> None:
    phase, cards = small.split()
    rng = Random(small)
    same_values(random_state("foster66", rng, phase, int(cards)) for _ in range(SMALL[small]))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["plain", "current"])
@pytest.mark.parametrize("seed", range(LONG_RUNS))
def test_many_positions(seed: int, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel == "plain":
        monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    states = reference.many_states("foster66", Random(f"{kernel} {seed}"), 210)
    # Minimax takes half a minute for some positions with more cards to draw.
    same_values(state for phase, state in states if phase != "undrawn" or cards_left(state) < 8)


# The stock is closed, and somebody holds the lowest trump: the turn-up can come between cards that
# look equal, complete a marriage, or bring a side home that seemed short of 66.
EXCHANGES = [
    "S:.9.TQJ. N:.TJ..AK H C9HQ 75/7-0/0 S closed=S0/0",
    "S:K9.Q..J9 N:J.T.Q.AK C DADJCQCT 75/5-0/0 S closed=S0/0",
    "S:A..K.9 N:T..Q.AJ C HJH9D9HTDJHKDTCT 30/4-0/0 N DA closed=S0/0",
    "S:J9..AQ. N:AK.T..K S HQCACJH9CTHKD9SQCQST 0~20/0-29/3 N closed=N0/0",
    "S:K..T.TQ N:.K.QJ9. D CJC9CKSADASQS9H9HASJSTDK 26/2-0~20/0 S closed=N0/0",
    "S:..KJ9. N:A9..A. D HJSJCTCQSQC9DTHTSTCACJDQ 0~20/0-26/3 N closed=S0/0",
    "S:J9.J..9 N:.A..KJ C DACQ 26/2-59/5 S H9 closed=N26/2",
    "S:..AK. N:9..9. D HJCQDQCACKH9HKCJDJDT 0/0-64/5 N closed=N0/0",
    "S:A.K..T9 N:K9.AJ.J. C DQSQDACQ 8/1-37/4 N CA closed=S37/4",
    "S:.AK9.J.9 N:KJ..AK.J H CTCADQS9DTCQHTSAHJCKD9HQ 13/1-0~20/0 S closed=S0/0",
    "S:.K..K9 N:A9.Q.T. C SKCQDKSJSTDQSQHAD9HJDJCA 23/2-0/0 N CT closed=S0/0",
]


@pytest.mark.parametrize("line", EXCHANGES)
def test_an_exchange_in_a_closed_hand(line: str) -> None:
    same_values([reference.parse(f"foster66 {line}")])


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_closed_hands_with_the_lowest_trump(variant: str) -> None:
    rng = Random(variant)
    states = (
        random_state(variant, rng, phase, 4)
        for phase in ("closed", "following", "provisional")
        for _ in range(700)
    )
    low = "J" if variant == "schnapsen" else "9"
    same_values(
        state
        for state in states
        if state.stock and state.trump + low in state.hands["S"] + state.hands["N"]
    )


def tiny_game(variant: str, rng: Random) -> reference.State:
    """A position with an open stock and hands of two or three cards, as no real deal has them."""
    held, stock = rng.choice([(2, 2), (2, 4), (3, 2)])
    suits = rng.sample("SHDC", rng.choice([2, 2, 3, 4]))
    cards = rng.sample([card for card in pack(variant) if card[0] in suits], 2 * held + stock)
    counts = {}
    for side in "SN":
        points = rng.choice([0, 0, rng.randrange(10, 66), rng.randrange(40, 66)])
        counts[side] = (points, rng.choice([1, 2]) if points else rng.choice([0, 1]))
    state = reference.State(
        variant=variant,
        hands={
            "S": in_order(variant, cards[:held]),
            "N": in_order(variant, cards[held : 2 * held]),
        },
        trump=cards[-1][0],
        stock=tuple(cards[2 * held :]),
        card_points={side: points for side, (points, _) in counts.items()},
        provisional={"S": 0, "N": 0},
        tricks={side: tricks for side, (_, tricks) in counts.items()},
        turn=rng.choice("SN"),
        carry=rng.choice([0, 0, 1]),
        match=rng.choice([None, {"S": rng.randrange(7), "N": rng.randrange(7)}]),
    )
    waiting = [side for side in "SN" if not state.tricks[side]]
    if waiting and rng.random() < 0.4:
        state = state.but(provisional=state.provisional | {rng.choice(waiting): 20})
    moment = rng.choice(["lead", "undrawn", "follow"])
    if moment == "undrawn" and state.tricks[state.turn]:
        return state.but(undrawn=True)
    if moment == "follow":
        return reference.play(state, rng.choice(state.hands[state.turn]))
    return state


# In the modern German game the higher count wins, which takes a whole pack to be that of 66.
TINY = [name for name, row in VARIANTS.items() if row.played_out != "higher"]


@pytest.mark.parametrize("variant", TINY)
def test_tiny_games_with_an_open_stock(variant: str) -> None:
    rng = Random(variant)
    same_values(tiny_game(variant, rng) for _ in range(150))


@pytest.mark.slow
@pytest.mark.parametrize("variant", TINY)
@pytest.mark.parametrize("seed", range(3))
def test_more_tiny_games_with_an_open_stock(variant: str, seed: int) -> None:
    rng = Random(seed)
    same_values(tiny_game(variant, rng) for _ in range(400))


# ------------------------------------------------------------------------------- what must hold


@st.composite
def late_positions(draw: st.DrawFn, variants: Iterable[str] = ("foster66",)) -> Position:
    """A position with the stock closed, gone or nearly gone, and a choice to make."""
    row = variant_named(draw(st.sampled_from(sorted(variants))))
    rng = Random(draw(st.integers(0, 2**32)))
    positions = at_random(deal(row, rng, rng.randrange(2)), rng, without="66 !")
    late = [p for p in positions if p.over is None and (not p.open_stock or len(p.stock) <= 2)]
    assume(late)
    return rng.choice(late)


@given(position=late_positions(VARIANTS))
@settings(max_examples=60)
def test_the_sides_may_be_exchanged(position: Position) -> None:
    found = DoubleDummy().evaluate_moves(position)
    assert DoubleDummy().evaluate_moves(swap_sides(position)) == found


@given(position=late_positions(VARIANTS), names=st.permutations(range(4)))
@settings(max_examples=60)
def test_suits_may_be_renamed(position: Position, names: list[int]) -> None:
    found = DoubleDummy().evaluate_moves(position)
    other = DoubleDummy().evaluate_moves(renamed(position, names))
    assert Counter(other.values()) == Counter(found.values())
    for move, value in found.items():
        card = None if move.card is None else card_renamed(move.card, names)
        assert other[replace(move, card=card)] == value


@given(position=late_positions(), carry=st.integers(1, 3), data=st.data())
@settings(max_examples=40)
def test_carry_and_match_change_what_a_win_is_worth(
    position: Position, carry: int, data: st.DataObject
) -> None:
    match = data.draw(st.tuples(st.integers(0, 6), st.integers(0, 6)))
    plain = DoubleDummy().evaluate_moves(position)
    carried = DoubleDummy().evaluate_moves(replace(position, carry=carry, match=match))
    needed = [7 - match[position.turn], 7 - match[1 - position.turn]]
    for move, value in plain.items():
        if value > 0:
            assert carried[move] == min(value + carry, needed[0])
        elif value < 0:
            assert carried[move] == -min(-value + carry, needed[1])
        else:
            assert carried[move] == 0


@given(position=late_positions(), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_the_order_of_a_closed_stock_does_not_matter(position: Position, seed: int) -> None:
    assume(position.closed is not None)
    *hidden, turn_up = position.stock
    Random(seed).shuffle(hidden)
    other = replace(position, stock=(*hidden, turn_up))
    assert DoubleDummy().evaluate_moves(other) == DoubleDummy().evaluate_moves(position)


@given(position=late_positions(VARIANTS))
@settings(max_examples=60)
def test_the_principal_variation_is_best_play_to_the_end(position: Position) -> None:
    solver = DoubleDummy()
    value = value_for_south(solver, position)
    for move in solver.principal_variation(position):
        values = solver.evaluate_moves(position)
        assert values[move] == max(values.values())
        position = play(position, move)
        assert value_for_south(solver, position) == value
    assert position.over is not None
    assert position.over.value(SOUTH) == value


def test_a_finished_deal_is_worth_what_was_scored() -> None:
    position = parse_position("foster66 S:A.Q.Q.AJ9 N:TJ.AT.K9. H DAH9 70/3-32/2 S said=S:H;N:C")
    won = play(position, parse_move(position, "66"))
    assert won.over == Outcome(SOUTH, 2)
    assert DoubleDummy().value(won) == 2
    assert DoubleDummy().value(replace(won, turn=NORTH)) == -2
    assert DoubleDummy().value(replace(won, over=Outcome(NORTH, 3))) == -3
    assert DoubleDummy().value(replace(won, over=Outcome(None, 0))) == 0


def test_a_solver_that_has_seen_other_deals_finds_the_same() -> None:
    rng = Random(8)
    positions = [
        from_reference(random_state(name, rng, phase, cards))
        for name in VARIANTS
        for phase, cards in [("closed", 4), ("gone", 4), ("following", 6), ("provisional", 4)]
        for _ in range(5)
    ]
    rng.shuffle(positions)
    solver = DoubleDummy()
    for position in positions:
        assert solver.evaluate_moves(position) == DoubleDummy().evaluate_moves(position)


# ------------------------------------------------------------------------------------ fixtures

DIAMONDS, ACE_OF_DIAMONDS = 2, Move(Kind.CARD, 2 * 8 + 7)


def closed_on(line: str) -> Iterator[tuple[Hand, dict[str, int]]]:
    """Each hand that North can hold after a close, and what South's leads are then worth."""
    seen = parse_view(line)
    solver = DoubleDummy()
    for hand in hands_of(seen):
        closed = play(with_north(seen, hand), CLOSE)
        values = {format_move(m): v for m, v in solver.evaluate_moves(closed).items()}
        assert solver.value(closed) == max(values.values())
        yield hand, values


def test_f1_closing_wins_two_against_every_hand_and_the_ace_does_it() -> None:
    found = list(closed_on(F1))
    assert len(found) == 462
    leads = {"SJ", "HA", "HK", "HKm", "HQ", "HQm", "DJ", "CJ"}
    assert all(set(values) == leads for _, values in found)
    assert all(max(values.values()) == 2 for _, values in found)
    certain = {lead for lead in leads if all(values[lead] == 2 for _, values in found)}
    assert certain == {"HA"}


def test_f2_closing_wins_unless_north_is_void_in_diamonds() -> None:
    lost = []
    hands = list(hands_of(parse_view(F2)))
    for hand, values in closed_on(F2):
        assert values["DA"] in (2, -2)
        assert values["DA"] == max(values.values()), "no other lead does better in any hand"
        if values["DA"] < 0:
            lost.append(hand)
    assert len(hands) == 462
    assert len(lost) == 462 - 434 == 28
    assert set(lost) == {hand for hand in hands if not suit_cards(hand, DIAMONDS)}


def test_f2_one_plan_serves_every_hand() -> None:
    tally = Study(parse_view(F2)).count_answer((CLOSE, ACE_OF_DIAMONDS))
    assert tally.distribution == {2: 434, -2: 28}
    assert tally.mean == pytest.approx((2 * 434 - 2 * 28) / 462)
    assert tally.low == pytest.approx(tally.mean)
    assert (tally.size, tally.sampled, tally.stderr) == (462, False, None)


@pytest.mark.slow
def test_f1_one_plan_serves_every_hand() -> None:
    tally = Study(parse_view(F1)).count_answer(parse_answer("cl HA"))
    assert tally.distribution == {2: 462}
    assert tally.low == tally.mean == 2


def cashing(closed: Position, aces: str) -> str:
    """What comes of leading both Aces and showing, North replying as badly for South as he may."""
    first, second = (parse_move(closed, word) for word in aces.split())
    show = parse_move(closed, "HKQ!")
    short = False
    led = play(closed, first)
    for reply in legal_moves(led):
        once = play(led, reply)
        if once.turn == NORTH:
            return "ruffed"
        led_again = play(once, second)
        for again in legal_moves(led_again):
            twice = play(led_again, again)
            if twice.turn == NORTH:
                return "ruffed"
            if is_false_claim(twice, show):
                short = True
            else:
                assert play(twice, show).over == Outcome(SOUTH, 3)
    return "short" if short else "enough"


@pytest.mark.slow
@pytest.mark.parametrize("aces", ["SA CA", "CA SA"])
def test_f3_cashing_both_aces_and_showing(aces: str) -> None:
    seen = parse_view(F3)
    found = Counter(cashing(play(with_north(seen, h), CLOSE), aces) for h in hands_of(seen))
    assert found == {"enough": 5796, "short": 4907, "ruffed": 1673}
    assert sum(found.values()) == 12376


# ------------------------------------------------------------------------- an open stock, concealed


def late_views(hidden: int = 1, row: Variant = FOSTER) -> Iterator[View]:
    """What South has seen of random deals with so many cards of the open stock left face down."""
    for seed in range(1000):
        rng = Random(seed)
        for position in at_random(deal(row, rng), rng, without="66 ! cl"):
            undecided = max(position.card_points) < FOSTER.goal and position.turn == SOUTH
            if position.open_stock and len(position.stock) == hidden + 1 and undecided:
                yield view(position, SOUTH)


def test_the_layouts_of_a_view() -> None:
    for seen in islice(late_views(hidden=3), 3):
        found = list(layouts(seen))
        assert len(found) == len(set(found)) == count_layouts(seen)
        assert len({position.hands[NORTH] for position in found}) == count_hands(seen)
        assert {position.hands[NORTH] for position in found} == set(hands_of(seen))
        # Three cards lie face down, in any order.
        assert count_layouts(seen) == 6 * count_hands(seen)
        assert all(view(position, SOUTH) == seen for position in found)
        assert random_layout(seen, Random(1)) in found


def test_an_open_stock_with_one_card_face_down_is_counted_in_full() -> None:
    for seen in islice(late_views(), 0, 20, 4):
        study = Study(seen)
        *_, done = study.steps()
        assert done == 1
        assert list(study.answers) == list(answers(next(layouts(seen))))
        assert set(study.tallies) == set(study.answers)
        solver = DoubleDummy()
        for answer, tally in study.tallies.items():
            # By hand: North holds any of the cards not seen, and the last one is in the stock.
            by_hand = [
                value_for_south(solver, play_answer(with_north(seen, hand), answer))
                for hand in hands_of(seen)
            ]
            assert 1 <= len(by_hand) <= 7
            assert Counter(tally.values) == Counter(by_hand)
            assert tally.mean == pytest.approx(fmean(by_hand))
            assert tally.distribution == Counter(by_hand)
            assert (tally.sampled, tally.stderr) == (False, None)


def tallies_while_open(seen: View, samples: int = 1, seed: int = 1) -> dict[Answer, Tally]:
    """The figures of the choices after which cards are still drawn."""
    study = Study(seen, samples, seed)
    return {a: study.count_answer(a) for a in study.answers if not concealed.settles(seen, a)}


def test_the_same_seed_gives_the_same_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concealed, "EXACT_LAYOUTS", 1)
    seen = next(view for view in late_views() if count_hands(view) == 7)
    first, again, other = (tallies_while_open(seen, 50, seed) for seed in (7, 7, 8))
    assert first
    assert {a: t.values for a, t in first.items()} == {a: t.values for a, t in again.items()}
    assert {a: t.positions for a, t in first.items()} == {a: t.positions for a, t in again.items()}
    assert {a: t.positions for a, t in first.items()} != {a: t.positions for a, t in other.items()}
    assert all(tally.size == len(tally.values) == 50 for tally in first.values())


def test_a_sample_comes_near_the_exact_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    uncertain = 0
    for seen in islice(late_views(), 0, 40, 8):
        exact = tallies_while_open(seen)
        with monkeypatch.context() as patch:
            patch.setattr(concealed, "EXACT_LAYOUTS", 1)
            for answer, tally in tallies_while_open(seen, samples=150).items():
                assert tally.sampled
                assert tally.stderr is not None
                error = abs(tally.mean - exact[answer].mean)
                assert error <= 4.5 * tally.stderr + 1e-9
                uncertain += tally.stderr > 0
    assert uncertain > 5


def test_only_south_has_a_view_and_only_while_the_deal_goes_on() -> None:
    seen = parse_view(F2)
    with pytest.raises(ValueError, match="South must be the side to move"):
        Study(replace(seen, turn=NORTH))
    with pytest.raises(ValueError, match="over"):
        Study(replace(seen, over=Outcome(SOUTH, 2)))
