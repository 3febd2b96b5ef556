"""Positions and variants as the integers of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from trainer.rules.cards import RANKS, Card, Hand, cards_in, make_card, rank_of, suit_of
from trainer.rules.position import Position, Side
from trainer.rules.variants import Variant
from trainer.search import kernel

PENALTIES = ("two or three", "two", "double")


@cache
def laws(variant: Variant) -> tuple[int, ...]:
    """Return the row of a variant as the integers that the kernel reads, in its order."""
    low_to_high = variant.ranks[::-1]
    row = [0] * kernel.RANK_VALUES
    row[kernel.GOAL] = variant.goal
    row[kernel.SCHNEIDER] = variant.schneider
    row[kernel.SCHWARZ_BY_POINTS] = variant.schwarz == "points"
    row[kernel.MARRIAGE] = variant.marriage
    row[kernel.ROYAL] = variant.royal_marriage
    row[kernel.MARRIAGE_LATE] = variant.marriage_late
    row[kernel.SHOW_UNDRAWN] = variant.show_undrawn
    row[kernel.KING_SHIFT] = 4 * low_to_high.index("K")
    row[kernel.QUEEN_SHIFT] = 4 * low_to_high.index("Q")
    row[kernel.FOLLOW] = "follow" in variant.duties
    row[kernel.HEAD] = "head" in variant.duties
    row[kernel.TRUMP] = "trump" in variant.duties
    row[kernel.EXCHANGE_LEAD] = "lead" in variant.exchange_open
    row[kernel.EXCHANGE_UNDRAWN] = "undrawn" in variant.exchange_open
    row[kernel.EXCHANGE_FOLLOW] = "follow" in variant.exchange_open
    row[kernel.EXCHANGE_TRICK] = variant.exchange_trick
    row[kernel.EXCHANGE_CLOSED_LEAD] = "lead" in variant.exchange_closed
    row[kernel.EXCHANGE_CLOSED_FOLLOW] = "follow" in variant.exchange_closed
    row[kernel.EXCHANGE_CLOSER] = variant.exchange_closed_by in ("both", "closer")
    row[kernel.EXCHANGE_OTHER] = variant.exchange_closed_by in ("both", "other")
    row[kernel.EXCHANGE_CLOSED_TRICK] = variant.exchange_closed_trick
    row[kernel.CLOSE_HIDDEN] = variant.close_hidden
    row[kernel.CLOSE_UNDRAWN] = variant.close_undrawn
    row[kernel.SUCCESS_AT_CLOSING] = variant.success_valued == "closing"
    row[kernel.FAILED_CLOSE] = PENALTIES.index(variant.failed_close)
    row[kernel.BEATEN_CLOSE] = PENALTIES.index(variant.beaten_close)
    row[kernel.TRICKLESS_CLOSE] = variant.trickless_close
    row[kernel.LAST_TRICK] = variant.last_trick
    row[kernel.LAST_TRICK_CLOSED] = variant.last_trick_closed
    row[kernel.PLAYED_OUT] = ("goal", "higher", "last trick").index(variant.played_out)
    row[kernel.CLOSER_NEEDS_LAST] = variant.closer_needs_last_trick
    row[kernel.LOWEST] = 1 << 4 * low_to_high.index(variant.exchange_rank)
    row[kernel.SUIT_MASK] = sum(1 << 4 * strength for strength in range(len(low_to_high)))
    values = [*reversed(variant.points)] + [0] * (8 - len(variant.points))
    halves = (
        sum(values[half * 3 + (bit >> 2)] for bit in range(12) if cards >> bit & 1)
        for half in range(2)
        for cards in range(1 << 12)
    )
    return (*(int(law) for law in row), *values, *halves)


@cache
def card_bits(variant: Variant, trump: int) -> dict[Card, int]:
    """Return the kernel's bit of every card: rank-major, the trump suit first."""
    suits = [trump, *(suit for suit in range(4) if suit != trump)]
    bits = {}
    for card in cards_in(variant.pack):
        strength = len(variant.ranks) - 1 - variant.ranks.index(RANKS[rank_of(card)])
        bits[make_card(suit_of(card), rank_of(card))] = 1 << (
            4 * strength + suits.index(suit_of(card))
        )
    return bits


def hand_bits(hand: Hand, bits: dict[Card, int]) -> int:
    """Return a hand in the kernel's bits."""
    total = 0
    for card in cards_in(hand):
        total |= bits[card]
    return total


def points_code(position: Position, side: Side) -> int:
    """Return a side's points and tricks as the kernel's one integer."""
    if position.tricks[side] == 0:
        return -position.provisional[side]
    return max(1, position.card_points[side])


@dataclass(frozen=True, slots=True)
class Encoded:
    """A position in the kernel's integers, from the side to move: ``me`` and ``op``."""

    me: int
    op: int
    mine: int
    theirs: int
    led: int
    undrawn: bool
    turn_up: int
    stock: tuple[int, ...]


def encode(position: Position) -> Encoded:
    """Return a position in the kernel's integers."""
    side = position.turn
    bits = card_bits(position.variant, position.trump)
    stock = tuple(bits[card] for card in position.stock)
    return Encoded(
        me=hand_bits(position.hands[side], bits),
        op=hand_bits(position.hands[1 - side], bits),
        mine=points_code(position, side),
        theirs=points_code(position, 1 - side),
        led=0 if position.led is None else bits[position.led],
        undrawn=position.undrawn,
        turn_up=stock[-1] if stock else 0,
        stock=stock,
    )
