"""Random positions that a deal can reach, small enough to be worked out to the end.

Each comes from a random deal played on with random moves. Nobody announces on the way, so many
positions hold a claim that could have been made.
"""

from collections.abc import Iterator
from random import Random

from .sixty_six import SIDES, State, deal, marriages, moves, play, stock_is_open

PHASES = ["open", "undrawn", "following", "closed", "gone", "provisional"]

# What `many_states` gives: the phase, cards left (see `cards_left`) and how many in a thousand.
MIXTURE = [
    ("gone", 3, 100),
    ("gone", 4, 100),
    ("gone", 5, 80),
    ("gone", 6, 60),
    ("closed", 3, 80),
    ("closed", 4, 100),
    ("closed", 5, 100),
    ("closed", 6, 90),
    ("following", 4, 60),
    ("following", 6, 60),
    ("following", 8, 10),
    ("provisional", 3, 40),
    ("provisional", 4, 50),
    ("provisional", 5, 30),
    ("undrawn", 7, 34),
    ("undrawn", 9, 1),
    ("open", 8, 6),
]


def cards_left(state: State) -> int:
    """Cards in the fuller hand and cards that can still be drawn."""
    drawable = len(state.stock) if stock_is_open(state) else 0
    return max(len(state.hands["S"]), len(state.hands["N"])) + drawable


def is_in(phase: str, state: State) -> bool:
    """Whether the state belongs to the phase."""
    if state.over is not None:
        return False
    if phase == "open":
        return stock_is_open(state) and not state.undrawn
    if phase == "undrawn":
        return state.undrawn
    if phase == "following":
        return state.led is not None
    if phase == "closed":
        return state.closed is not None
    if phase == "gone":
        return not state.stock
    if phase == "provisional":
        return waiting_side(state) is not None
    raise ValueError(f"unknown phase: {phase}")


def waiting_side(state: State) -> str | None:
    """The side with a marriage that waits for its first trick."""
    for side in SIDES:
        if state.provisional[side]:
            return side
    return None


def random_state(variant: str, rng: Random, phase: str, cards: int) -> State:
    """A random state of the phase with so many cards left, or one fewer (see `cards_left`).

    In a closed phase the closer is either side, before or after the draw, at any time of the deal.
    Some states carry a point from a tied deal, some belong to a match. ValueError if many deals
    bring no such state.
    """
    for _ in range(2000):
        found = [
            state
            for state in random_deal(variant, rng, phase)
            if is_in(phase, state) and cards - 1 <= cards_left(state) <= cards
        ]
        if found:
            return rng.choice(found)
    raise ValueError(f"found no {variant} position: {phase}, {cards} cards left")


def random_deal(variant: str, rng: Random, phase: str) -> list[State]:
    """The states of one deal, played so that it may pass through the phase."""
    state = deal(variant, rng, pone=rng.choice(SIDES))
    state = state.but(
        carry=rng.choice([0, 0, 0, 1, 2]),
        match=rng.choice([None, {"S": rng.randrange(7), "N": rng.randrange(7)}]),
    )
    tricks_before_closing, close_undrawn = closing_plan(rng, phase)
    wait = phase == "provisional"
    if wait and not marriages(state):
        return []

    states = [state]
    while state.over is None:
        words = [
            word for word in moves(state) if word not in ["66", "cl"] and not word.endswith("!")
        ]
        played = state.tricks["S"] + state.tricks["N"]
        is_time = played == tricks_before_closing and state.undrawn == close_undrawn
        if is_time and "cl" in moves(state):
            words = ["cl"]
        elif wait and played == 0 and state.led is None:
            words = [word for word in words if word.endswith("m")]
        elif wait and waiting_side(state) == state.turn:
            words = [word for word in words if waiting_side(play(state, word))]
        elif wait and waiting_side(state) is None:
            break
        if not words:
            break
        state = play(state, rng.choice(words))
        states.append(state)
    return states


def closing_plan(rng: Random, phase: str) -> tuple[int | None, bool]:
    """After how many tricks to close (None: never), and whether before the draw."""
    closes = {"closed": 1.0, "following": 0.5, "provisional": 0.6}
    if rng.random() >= closes.get(phase, 0.0):
        return None, False
    if phase == "provisional":
        # By pone before the first lead, or by the other side once it has won that trick.
        return rng.choice([(0, False), (1, True), (1, False), (2, True)])
    tricks = rng.randrange(7)
    if tricks == 0:
        return tricks, False
    return tricks, tricks == 6 or rng.random() < 0.5


def many_states(variant: str, rng: Random, count: int) -> Iterator[tuple[str, State]]:
    """About `count` states over all phases, each with its phase, in a fixed mixture."""
    for phase, cards, share in MIXTURE:
        for _ in range(max(1, round(count * share / 1000))):
            yield phase, random_state(variant, rng, phase, cards)
