"""Cards, suits and ranks, and hands as bit masks.

A card is a small integer, ``copy * 32 + suit * 8 + rank``: packs that hold several equal cards
(Binocle two of each, Rubicon Bezique four) number the copies. A hand, or any other set of cards,
is an integer with the bit of each card set. Which rank beats which, and what a rank counts, are
facts of a variant, not of the card: see :mod:`trainer.rules.variants`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Card = int
Hand = int

SUITS = "SHDC"
RANKS = "789JQKTA"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = ("Seven", "Eight", "Nine", "Jack", "Queen", "King", "Ten", "Ace")
SUIT_SYMBOLS = "♠♥♦♣"
COPY_STRIDE = 32
KING = RANKS.index("K")
QUEEN = RANKS.index("Q")


def make_card(suit: int, rank: int, copy: int = 0) -> Card:
    """Return the card of this suit (0 to 3), rank (index into RANKS) and copy (0 is the first)."""
    return copy * COPY_STRIDE + suit * 8 + rank


def suit_of(card: Card) -> int:
    """Return the suit, an index into SUITS."""
    return card >> 3 & 3


def rank_of(card: Card) -> int:
    """Return the rank, an index into RANKS."""
    return card & 7


def cards_in(hand: Hand) -> Iterator[Card]:
    """Yield the cards of a hand, lowest number first."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low


def hand_of(cards: Iterable[Card]) -> Hand:
    """Return the bit mask of these cards."""
    hand = 0
    for card in cards:
        hand |= 1 << card
    return hand


def suit_cards(hand: Hand, suit: int) -> Hand:
    """Return the part of a hand that is of one suit, all copies."""
    return hand & (0xFF_000000FF_000000FF_000000FF << suit * 8)


def card_code(card: Card) -> str:
    """Return the two letters of a card, suit first: ``HT`` is the Ten of hearts."""
    return SUITS[suit_of(card)] + RANKS[rank_of(card)]


def card_name(card: Card) -> str:
    """Return a card in words: ``Ten of hearts``."""
    return f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"
