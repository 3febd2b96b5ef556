"""One naming of the suits for positions that differ in nothing else.

A theme must not depend on what the plain suits are called. Where choices are equal the search, and
what is asked of it, take the first by suit; so a position is looked at under names that do not
depend on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from trainer.rules.cards import Card, Hand, cards_in, hand_of, make_card, rank_of, suit_of
from trainer.rules.position import Move, Position, View
from trainer.search import Answer

T = TypeVar("T", Position, View)


def names_for(table: Position | View) -> tuple[int, ...]:
    """Return what each suit is to be called: trumps 0, the plain suits by what is held in them."""
    plain = [suit for suit in range(4) if suit != table.trump]
    plain.sort(key=lambda suit: _holdings(table, suit), reverse=True)
    called = {suit: name for name, suit in enumerate([table.trump, *plain])}
    return tuple(called[suit] for suit in range(4))


def _holdings(table: Position | View, suit: int) -> tuple[Any, ...]:
    """Return all that is so of a suit, whatever it is called."""

    def ranks(hand: Hand) -> tuple[int, ...]:
        return tuple(rank_of(card) for card in cards_in(hand) if suit_of(card) == suit)

    places = tuple(
        (place, rank_of(card))
        for place, card in enumerate(table.stock)
        if card is not None and suit_of(card) == suit
    )
    led = table.led is not None and suit_of(table.led) == suit
    sides = table.turn, 1 - table.turn
    said = tuple(table.said[side] >> suit & 1 for side in sides)
    if isinstance(table, Position):
        return (*(ranks(table.hands[side]) for side in sides), places, led, said)
    seen = (table.hand, table.known, table.lacks, table.unseen)
    return (*map(ranks, seen), places, led, said)


def renamed(table: T, names: Sequence[int]) -> T:
    """Return the same table with every suit called by another name."""
    common: dict[str, Any] = {
        "trump": names[table.trump],
        "led": None if table.led is None else _card(table.led, names),
        "said": tuple(
            sum(1 << names[suit] for suit in range(4) if mask >> suit & 1) for mask in table.said
        ),
        "stock": tuple(None if card is None else _card(card, names) for card in table.stock),
        "won": table.won
        and tuple(
            tuple((_card(led, names), _card(reply, names)) for led, reply in tricks)
            for tricks in table.won
        ),
    }
    if isinstance(table, Position):
        south, north = (_hand(hand, names) for hand in table.hands)
        return replace(table, hands=(south, north), **common)
    masks: dict[str, Any] = {
        name: _hand(getattr(table, name), names) for name in ("hand", "known", "lacks")
    }
    return replace(table, **masks, **common)


def renamed_answer(answer: Answer, names: Sequence[int]) -> Answer:
    """Return the same choice with every suit called by another name."""
    return tuple(
        move if move.card is None else Move(move.kind, _card(move.card, names)) for move in answer
    )


def _card(card: Card, names: Sequence[int]) -> Card:
    return make_card(names[suit_of(card)], rank_of(card))


def _hand(hand: Hand, names: Sequence[int]) -> Hand:
    return hand_of(_card(card, names) for card in cards_in(hand))
