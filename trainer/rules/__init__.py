"""The rules of Sixty-Six and its relatives: cards, variants, positions, moves, outcomes.

This package imports nothing of the rest of the program and no third-party library.
"""

from trainer.rules.cards import Card, Hand, card_code, card_name, cards_in, hand_of
from trainer.rules.play import IllegalMove, legal_moves, play, reply_wins
from trainer.rules.position import (
    NORTH,
    SOUTH,
    Closing,
    Kind,
    Move,
    Outcome,
    Position,
    View,
    deal,
    view,
)
from trainer.rules.variants import VARIANTS, Variant, variant_named

__all__ = [
    "NORTH",
    "SOUTH",
    "VARIANTS",
    "Card",
    "Closing",
    "Hand",
    "IllegalMove",
    "Kind",
    "Move",
    "Outcome",
    "Position",
    "Variant",
    "View",
    "card_code",
    "card_name",
    "cards_in",
    "deal",
    "hand_of",
    "legal_moves",
    "play",
    "reply_wins",
    "variant_named",
    "view",
]
