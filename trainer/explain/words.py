"""The words that reasons are made of: numbers, cards and moves as a player says them."""

from __future__ import annotations

from collections.abc import Iterable

from trainer.notation import label_answer
from trainer.rules.cards import RANK_NAMES, Card, card_name, rank_of
from trainer.rules.position import SIDE_NAMES, Position, View
from trainer.search import Answer

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def number(count: int) -> str:
    """Return a number in words up to twelve, then in digits."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    """Return so many of a thing: ``one trick``, ``two tricks``, ``no trumps``."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def card_points(count: int) -> str:
    """Return card points with their unit: ``1 card point``, ``21 card points``."""
    return f"{count} card point{'' if count == 1 else 's'}"


def the(card: Card) -> str:
    """Return ``the Ace of spades``."""
    return f"the {card_name(card)}"


def The(card: Card) -> str:
    """Return ``The Ace of spades``."""
    return f"The {card_name(card)}"


def rank(card: Card) -> str:
    """Return ``Ace``."""
    return RANK_NAMES[rank_of(card)]


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Return ``a, b and c``."""
    *rest, end = parts
    return f"{', '.join(rest)} {last} {end}" if rest else end


def inside(text: str) -> str:
    """Return a sentence as it stands after a colon."""
    return text if text.startswith(SIDE_NAMES) else text[0].lower() + text[1:]


def doing(answer: Answer, table: Position | View) -> str:
    """Return an answer as what somebody does: ``lead the Ace of spades``."""
    label = label_answer(answer, table)
    return label[0].lower() + label[1:]


def result(game_points: int, other: str) -> str:
    """Return what a deal comes to for a side: ``a win worth 2``, ``North scores 1``."""
    if game_points == 0:
        return "nobody scores, 0"
    return f"a win worth {game_points}" if game_points > 0 else f"{other} scores {-game_points}"
