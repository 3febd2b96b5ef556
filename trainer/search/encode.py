"""Positions and variants as the integers of the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from trainer.rules.cards import (
    QUEEN,
    RANKS,
    Card,
    Hand,
    cards_in,
    make_card,
    rank_of,
    suit_of,
)
from trainer.rules.position import Kind, Move, Position, Side
from trainer.rules.variants import Variant
from trainer.search import kernel

PENALTIES = ("two or three", "two", "double")


@cache
def laws(variant: Variant) -> tuple[int, ...]:
    """Return the row of a variant as the integers that the kernel reads, in its order."""
    low_to_high = variant.ranks[::-1]
    row = [0] * kernel.LAWS
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
    return tuple(int(law) for law in row)


@cache
def tables(points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the kernel's tables for cards with these points, lowest first, as ``facts`` ends.

    First what any three ranks of all suits hold, twice, then what one suit's holding cashes
    against another's; each packed as :mod:`trainer.search.kernel` reads it.
    """
    values = [*points] + [0] * (8 - len(points))
    halves = (
        sum(
            values[half + (bit >> 2)] << 32 | 1 << 8 * (bit & 3) + half + (bit >> 2)
            for bit in range(12)
            if cards >> bit & 1
        )
        for half in (0, 3)
        for cards in range(1 << 12)
    )
    cashed = (
        cash(
            [strength for strength in range(5, -1, -1) if own >> strength & 1],
            [strength for strength in range(6) if other >> strength & 1],
            values,
        )
        for own in range(64)
        for other in range(64)
    )
    return (*values, *halves, *cashed)


def cash(own: list[int], other: list[int], values: list[int]) -> int:
    """Return what a leader cashes in one suit: his cards, highest first, against lowest first.

    Packed: the tricks, and the card points of both sides' cards in them (4 and 8 bits), if the
    other cannot ruff; the same (from bit 16) for as long as he must follow; the card points of the
    cards he cannot beat (from bit 32); whether they take all of his cards (bit 40).
    """
    unbeaten = sum(1 for strength in own if not other or strength > other[-1])
    all_drawn = unbeaten >= len(other)
    packed = 0
    for shift, tricks in (
        (0, len(own) if all_drawn else unbeaten),
        (16, min(unbeaten, len(other))),
    ):
        count = sum(values[strength] for strength in own[:tricks] + other[:tricks])
        packed |= (tricks | count << 4) << shift
    high = sum(values[strength] for strength in own[:unbeaten])
    return packed | high << 32 | all_drawn << 40


def new_facts(variant: Variant) -> list[int]:
    """Return the kernel's ``facts`` for deals of a variant, with no stock and no limit yet."""
    facts = [*laws(variant), *[0] * (kernel.RANK_VALUES - kernel.LAWS)]
    facts[kernel.LIMIT] = kernel.NO_LIMIT
    return [*facts, *tables(variant.points[::-1])]


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


def encode(position: Position) -> list[int]:
    """Return a position as the kernel's code, from the side to move."""
    side, closed = position.turn, position.closed
    bits = card_bits(position.variant, position.trump)
    stock = [bits[card] for card in position.stock]
    code = [0] * kernel.CODE_SIZE
    code[kernel.ME] = hand_bits(position.hands[side], bits)
    code[kernel.OP] = hand_bits(position.hands[1 - side], bits)
    code[kernel.MINE] = points_code(position, side)
    code[kernel.THEIRS] = points_code(position, 1 - side)
    code[kernel.LED] = 0 if position.led is None else bits[position.led]
    code[kernel.UNDRAWN] = int(position.undrawn)
    code[kernel.TURN_UP] = stock[-1] if stock else 0
    if closed is not None:
        code[kernel.CLOSED] = 1 if closed.side == side else 2
        code[kernel.AT_CLOSING] = max(1, closed.card_points) if closed.tricks else 0
    code[kernel.SIZE] = len(stock)
    code[kernel.CARDS : kernel.CARDS + len(stock)] = stock
    return code


def encode_layouts(positions: Sequence[Position]) -> Iterator[list[int]]:
    """Yield the codes of positions that differ in nothing but the other hand and the stock."""
    code: list[int] = []
    for position in positions:
        if position.open_stock or not code:
            code = encode(position)
        else:
            bits = card_bits(position.variant, position.trump)
            code[kernel.OP] = hand_bits(position.hands[1 - position.turn], bits)
        yield code


def play_column(move: Move, variant: Variant, trump: int) -> int:
    """Return the column in which the kernel grades a move."""
    columns = {
        Kind.CLOSE: kernel.CLOSING,
        Kind.EXCHANGE: kernel.EXCHANGING,
        Kind.DRAW: kernel.DRAWING,
        Kind.CLAIM: kernel.CLAIMING,
    }
    if move.card is None:
        return columns[move.kind]
    bit = card_bits(variant, trump)[move.card].bit_length() - 1
    if move.kind is Kind.MARRIAGE:
        return kernel.MARRIED + 2 * (bit & 3) + (rank_of(move.card) == QUEEN)
    return kernel.SHOWN + (bit & 3) if move.kind is Kind.SHOW else kernel.PLAIN + bit
