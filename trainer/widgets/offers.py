"""What the page offers: the cards and buttons of the side to move, each with its words."""

from __future__ import annotations

from typing import Any

from trainer.notation import format_move, label_move
from trainer.rules import (
    IllegalMove,
    Kind,
    Move,
    Position,
    card_code,
    card_name,
    legal_moves,
)
from trainer.rules.cards import COPY_STRIDE, SUIT_NAMES, suit_of
from trainer.rules.play import why_illegal
from trainer.widgets.picture import sort_cards

BUTTONS: list[tuple[Kind, str, str, str]] = [
    (Kind.DRAW, "draw", "d", "Draw"),
    (Kind.CLOSE, "close", "c", "Close the stock"),
    (Kind.EXCHANGE, "exchange", "x", "Exchange"),
    (Kind.MARRIAGE, "marriage", "m", "Marriage"),
    (Kind.SHOW, "show", "s", "Show marriage"),
    (Kind.CLAIM, "announce", "a", "Announce"),
]
"""The moves that have a button, in its order: kind, name, key and label."""


def offer(name: str, key: str, label: str, words: list[str]) -> dict[str, Any]:
    """Return a button for the page: its key, its label, and the words it sends."""
    moves = [{"word": word, "label": label} for word in words]
    return {"id": name, "key": key, "label": label, "moves": moves, "why": ""}


def offer_turn(position: Position) -> dict[str, Any]:
    """Return all that the side to move can do, for the page."""
    return {
        "own": position.turn,
        "cards": offer_cards(position),
        "actions": offer_actions(position),
        "field": {
            "label": "Type a move",
            "hint": f"or type, e.g. {example_word(position)}",
            "button": "Play",
        },
    }


def offer_moves(moves: list[Move], position: Position) -> list[dict[str, str]]:
    """Return moves for the page, each with its word and its label."""
    return [{"word": format_move(move), "label": label_move(move, position)} for move in moves]


def offer_cards(position: Position) -> list[dict[str, Any]]:
    """Return the cards of the side to move for the page: what each can do, or why nothing."""
    legal = legal_moves(position)
    cards = []
    for card in sort_cards(position.hands[position.turn], position.variant):
        plain = Move(Kind.CARD, card)
        moves = [move for move in (Move(Kind.MARRIAGE, card), plain) if move in legal]
        cards.append(
            {
                "id": f"card {card_code(card)} {card // COPY_STRIDE}",
                "card": card_code(card),
                "moves": offer_moves(moves, position),
                "label": card_name(card),
                "why": "" if moves else sentence_of(IllegalMove(why_illegal(position, plain))),
            }
        )
    return cards


def offer_actions(position: Position) -> list[dict[str, Any]]:
    """Return what else the side to move can do, for the page: one button each."""
    legal = legal_moves(position)
    actions = []
    for kind, name, key, label in BUTTONS:
        moves = [move for move in legal if move.kind is kind]
        if not moves:
            continue
        suits = {suit_of(move.card) for move in moves if move.card is not None}
        if kind is Kind.CLAIM:
            label = f"{label} {position.variant.goal}"
        elif kind is Kind.EXCHANGE:
            low = position.variant.exchange_card(position.trump)
            label = f"{label} the {card_name(low)}"
        elif len(suits) == 1:
            suit = suits.pop()
            worth = position.variant.marriage_value(suit, position.trump)
            label = f"{label} in {SUIT_NAMES[suit]} ({worth})"
        button = offer(name, key, label, [])
        button["moves"] = offer_moves(moves, position)
        actions.append(button)
    return actions


def example_word(position: Position) -> str:
    """Return a move word that shows how to type, of a card not held so that it is no hint."""
    held = position.hands[position.turn]
    others = sort_cards(position.variant.pack & ~held, position.variant)
    return card_code(others[0]) if others else "cl"


def sentence_of(problem: Exception) -> str:
    """Return an error's message as a sentence."""
    text = " ".join(str(problem).split())
    if len(text) > 300:
        text = f"{text[:300]} ..."
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
