"""Plain minimax: every sensible move of every position, down to the end of the deal.

The only economy is that a position met twice in one question is worked out once.
"""

from typing import Any

from .sixty_six import State, after, moves, sensible

Memo = dict[tuple[Any, ...], int]


def value(state: State) -> int:
    """Game points for the side to move when both play their best, false claims left out.

    When the deal is over, the side to move is the one the line names.
    """
    return search(state.but(won=None, said=None), {})


def values(state: State) -> dict[str, int]:
    """The same for each sensible move, still seen from the side that makes it."""
    state = state.but(won=None, said=None)
    memo: Memo = {}
    return {word: worth_of(state, word, memo) for word in sensible(state)}


def worth_of(state: State, word: str, memo: Memo) -> int:
    """Game points for the side to move if it makes this move."""
    then = after(state, word)
    found = search(then, memo)
    return found if then.turn == state.turn else -found


def search(state: State, memo: Memo) -> int:
    """Game points for the side to move."""
    if state.over is not None:
        winner, game_points = state.over
        return game_points if winner == state.turn else -game_points
    key = everything_that_changes(state)
    if key not in memo:
        memo[key] = max(worth_of(state, word, memo) for word in sensible(state))
    return memo[key]


def everything_that_changes(state: State) -> tuple[Any, ...]:
    """What tells one position of a deal from another, as far as the future is concerned."""
    return (
        state.hands["S"],
        state.hands["N"],
        state.stock,
        state.card_points["S"],
        state.card_points["N"],
        state.provisional["S"],
        state.provisional["N"],
        state.tricks["S"],
        state.tricks["N"],
        state.turn,
        state.led,
        state.undrawn,
        state.closed,
    )


def perft(state: State, depth: int) -> int:
    """The number of lines of exactly so many legal moves, false claims among them."""
    if depth == 0:
        return 1
    return sum(perft(after(state, word), depth - 1) for word in moves(state))
