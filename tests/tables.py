"""What several tests need: playing from a line, and positions carried over from the reference."""

import importlib.util
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

import reference
from trainer.notation import format_move, parse_move, parse_position
from trainer.rules import (
    Card,
    Closing,
    Hand,
    Outcome,
    Position,
    View,
    cards_in,
    hand_of,
    legal_moves,
    play,
    variant_named,
)
from trainer.rules.cards import RANKS, SUITS, make_card, suit_of
from trainer.rules.position import SIDES, hidden_cards, place

LONG_RUNS = int(os.environ.get("LONG_RUNS", "2"))
"""How many seeds the long comparisons run through; ``LONG_RUNS=20 pytest`` is for a quiet night."""

F1 = "foster66 S:J.AKQ.J.J N:...,6x H 5xH9 13/1-32/2 S won=S:SQST;N:DTDA,CAS9"
F2 = "foster66 S:KQ..AJ.J9 N:...,6x H 5xHQ 35/2-11/1 S won=S:CKCA,CTDT;N:S9SA"
F3 = "foster66 S:A.KQ.J9.A N:...,6x H 11xHJ 0/0-0/0 S"


def card(code: str) -> Card:
    """The card of a code such as ``HT``."""
    return make_card(SUITS.index(code[0]), RANKS.index(code[1]))


def cards(codes: str) -> Hand:
    """The cards of codes with spaces between."""
    return hand_of(map(card, codes.split()))


def words(position: Position) -> set[str]:
    """The legal moves as words."""
    return {format_move(move) for move in legal_moves(position)}


def after(start: str | Position, moves: str) -> Position:
    """The position after these moves, each of which must be legal."""
    position = parse_position(start) if isinstance(start, str) else start
    for word in moves.split():
        position = play(position, parse_move(position, word))
    return position


def at_random(position: Position, rng: Random, without: str = "") -> list[Position]:
    """The positions of a deal played on with random moves, none of them ending so."""
    endings = tuple(without.split())
    positions = [position]
    while position.over is None:
        choice = [
            move
            for move in legal_moves(position)
            if not (endings and format_move(move).endswith(endings))
        ]
        position = play(position, rng.choice(choice))
        positions.append(position)
    return positions


def with_north(view: View, north: str | Hand) -> Position:
    """The position in which North holds these cards, the stock in the order of the pack."""
    hand = cards(north) if isinstance(north, str) else north
    assert hand & ~view.unseen == view.known
    assert (hand & ~view.known).bit_count() == view.concealed
    return place(view, hand, hidden_cards(view, hand))


def scored(position: Position) -> tuple[str | None, int]:
    """Who has scored in a finished deal, and how many game points."""
    outcome = position.over
    assert outcome is not None, "the deal goes on"
    return None if outcome.winner is None else SIDES[outcome.winner], outcome.game_points


def from_reference(state: reference.State) -> Position:
    """The position of a state of the reference, whether it can arise in play or not."""

    def both(pair: dict[str, int]) -> tuple[int, int]:
        return pair["S"], pair["N"]

    won = state.won and tuple(
        tuple((card(trick[:2]), card(trick[2:])) for trick in state.won[side]) for side in SIDES
    )
    south, north = (sum(1 << SUITS.index(s) for s in (state.said or {}).get(x, ())) for x in SIDES)
    closed = state.closed and Closing(SIDES.index(state.closed[0]), *state.closed[1:])
    over = state.over and Outcome(
        SIDES.index(state.over[0]) if state.over[0] else None, state.over[1]
    )
    return Position(
        variant=variant_named(state.variant),
        trump=SUITS.index(state.trump),
        turn=SIDES.index(state.turn),
        card_points=both(state.card_points),
        provisional=both(state.provisional),
        tricks=both(state.tricks),
        led=card(state.led) if state.led else None,
        undrawn=state.undrawn,
        won=won,
        said=(south, north),
        closed=closed,
        carry=state.carry,
        match=state.match and both(state.match),
        over=over,
        hands=(hand_of(map(card, state.hands["S"])), hand_of(map(card, state.hands["N"]))),
        stock=tuple(map(card, state.stock)),
    )


def hands_of(view: View) -> Iterator[Hand]:
    """Every hand that North can hold, worked out apart from the package."""
    for chosen in itertools.combinations(cards_in(view.unseen & ~view.lacks), view.concealed):
        yield view.known | hand_of(chosen)


def card_renamed(old: Card, names: Sequence[int]) -> Card:
    """The same rank of the suit that this card's suit is called by now."""
    return old + 8 * (names[suit_of(old)] - suit_of(old))


def renamed(position: Position, names: Sequence[int]) -> Position:
    """The position with every suit called by another name."""

    def hand(old: Hand) -> Hand:
        return hand_of(card_renamed(one, names) for one in cards_in(old))

    def suits(mask: int) -> int:
        return sum(1 << names[suit] for suit in range(4) if mask >> suit & 1)

    return replace(
        position,
        trump=names[position.trump],
        hands=(hand(position.hands[0]), hand(position.hands[1])),
        stock=tuple(card_renamed(one, names) for one in position.stock),
        led=None if position.led is None else card_renamed(position.led, names),
        won=None,
        said=(suits(position.said[0]), suits(position.said[1])),
    )


def load_script(path: Path) -> ModuleType:
    """A program of the book as a module, under the name of its file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
