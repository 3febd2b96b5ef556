"""Card points at the end, against plain search for game points first and card points second.

Whoever can announce does so, and plays on only where the other side has closed and would pay more
for running out short than for being beaten.
"""

from random import Random

import pytest

import reference
from reference import State
from reference.minimax import everything_that_changes
from reference.sixty_six import OTHER, after, penalty, sensible, stock_is_open
from tables import from_reference
from trainer.notation import format_move, parse_position
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy, backend

GAMES = [*VARIANTS, "russian66~six"]
ENDINGS = {"gone": 4, "closed": 4, "following": 5, "provisional": 4}
"""Phases, and the number of cards left in each."""
Pair = tuple[int, int]
"""Game points before carry and match, and card points less the other's, for the side to move."""


def best_pair(state: State, memo: dict[tuple[object, ...], Pair]) -> Pair:
    """What both sides come to who look to game points first and to card points then."""
    side = state.turn
    if state.over is not None:
        winner, game_points = state.over
        margin = state.card_points[side] - state.card_points[OTHER[side]]
        return (game_points if winner == side else -game_points), margin
    key = everything_that_changes(state)
    if key not in memo:
        memo[key] = max(pair_after(state, word, memo) for word in to_choose_from(state))
    return memo[key]


def to_choose_from(state: State) -> list[str]:
    """The right claims alone where there are any and waiting pays no more, else every move."""
    words = sensible(state)
    claims = [word for word in words if word == "66" or word.endswith("!")]
    return words if not claims or may_wait(state) else claims


def may_wait(state: State) -> bool:
    """Whether the other side has closed and pays more for running out short."""
    if state.closed is None or state.closed[0] == state.turn:
        return False
    closer, _, tricks = state.closed
    short, beaten = (penalty(state, p, closer, tricks) for p in ("failed_close", "beaten_close"))
    return short > beaten


def pair_after(state: State, word: str, memo: dict[tuple[object, ...], Pair]) -> Pair:
    """The same for the side to move if it makes this move."""
    then = after(state, word)
    game_points, margin = best_pair(then, memo)
    return (game_points, margin) if then.turn == state.turn else (-game_points, -margin)


def margins(state: State) -> dict[str, int]:
    """What each sensible move leads to in card points, for the side to move."""
    bare = state.but(won=None, said=None, carry=0, match=None)
    memo: dict[tuple[object, ...], Pair] = {}
    return {word: pair_after(bare, word, memo)[1] for word in sensible(bare)}


def closed_otherwise(state: State) -> list[State]:
    """The same ending, had the closer's opponent had nothing at the closing, or a little."""
    if state.closed is None:
        return []
    closer = state.closed[0]
    return [state.but(closed=(closer, 0, 0)), state.but(closed=(closer, 20, 1))]


def same_margins(variant: str, rng: Random, count: int, more: int = 0) -> None:
    """Engine and plain search agree on so many endings of every phase."""
    solver = DoubleDummy()
    seen = set()
    for phase, cards in ENDINGS.items():
        for _ in range(count):
            state = reference.random_state(variant, rng, phase, cards + more)
            if stock_is_open(state):
                continue
            for one in [state, *closed_otherwise(state)]:
                found = solver.card_points(from_reference(one))
                by_word = {format_move(move): margin for move, margin in found.items()}
                assert by_word == margins(one), reference.line(one)
            seen |= {phase, state.turn, "led" if state.led else "lead"}
            seen |= {"told apart"} if len(set(found.values())) > 1 else set()
    assert seen == {*ENDINGS, "S", "N", "led", "lead", "told apart"}


@pytest.mark.parametrize("kernel", ["plain", "current"])
@pytest.mark.parametrize("variant", GAMES)
def test_card_points(variant: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel == "plain":
        monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    same_margins(variant, Random(f"card points {variant} {kernel}"), 6)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["plain", "current"])
@pytest.mark.parametrize("variant", GAMES)
def test_card_points_often(variant: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel == "plain":
        monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)
    rng = Random(f"card points often {variant} {kernel}")
    same_margins(variant, rng, 30)
    same_margins(variant, rng, 8, more=1)


def test_card_points_worked_out() -> None:
    # Spade Ace first: it takes the Ten, the other Ace takes the Nine and the last trick, 51 to 79.
    # Nine first: the Ace brings North to 69, and he announces at once, 30 to 69.
    text = "foster66 S:A..9. N:T..A. H - 30/5-58/5 S"
    found = DoubleDummy().card_points(parse_position(text))
    assert {format_move(move): margin for move, margin in found.items()} == {"SA": -28, "D9": -39}
    assert margins(reference.parse(text)) == {"SA": -28, "D9": -39}


def test_while_cards_are_drawn_there_is_nothing_to_tell() -> None:
    start = from_reference(reference.deal("foster66", Random(1)))
    with pytest.raises(ValueError, match="still drawn"):
        DoubleDummy().card_points(start)
