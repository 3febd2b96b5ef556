"""The games as rows of data.

A variant is one :class:`Variant`; nothing in the program asks for a variant by its name. Where a
rule differs from game to game it is a column here, and the functions of :mod:`trainer.rules.play`
and :mod:`trainer.rules.outcome` read that column. A named switch (``russian66~six``) is a row with
some columns changed.

Sources: R. F. Foster, *Foster's Complete Hoyle*, "Sixty-Six"; the Russian chapter "Глава XIX. 66".
The rulings, where a source is silent, are told in book/rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from trainer.rules.cards import COPY_STRIDE, RANKS, Card, Hand, make_card, rank_of, suit_of

Duty = Literal["follow", "head", "trump"]
Moment = Literal["lead", "undrawn", "follow"]


@dataclass(frozen=True, slots=True)
class Variant:
    """The laws of one game, a column each.

    Card points count toward ``goal``; game points are what a deal is worth.
    """

    name: str
    title: str
    source: str

    ranks: str = "ATKQJ9"
    """Strength, highest first. The Ten ranks above the King in every game of this family."""
    points: tuple[int, ...] = (11, 10, 4, 3, 2, 0)
    """Card points of each rank, in the order of ``ranks``."""
    copies: int = 1
    hand_size: int = 6

    goal: int = 66
    schneider: int = 33
    """A loser with fewer card points than this loses 2 game points."""
    schwarz: Literal["tricks", "points"] = "tricks"
    """What a loser must lack altogether to lose 3: tricks, or card points."""
    marriage: int = 20
    royal_marriage: int = 40
    marriage_late: bool = True
    """Marriages count after the stock is gone or closed."""

    duties: tuple[Duty, ...] = ("follow",)
    """What the second player owes once the stock is gone or closed, a ladder from the top."""

    exchange_rank: str = "9"
    exchange_open: tuple[Moment, ...] = ("lead", "undrawn", "follow")
    """When the side to move may exchange while the stock is open."""
    exchange_closed: tuple[Moment, ...] = ("lead", "follow")
    exchange_trick: bool = True
    """The exchange needs a trick already won."""

    close_undrawn: bool = True
    """The winner of a trick may close before anybody draws."""
    success_valued: Literal["end", "closing"] = "end"
    """When the other side's tricks and points are read for a closer who succeeds."""

    last_trick: int = 10
    """Card points for the last trick, if every card of the pack has been played."""

    match_length: int = 7
    """Game points that win a match."""

    def strength(self, card: Card) -> int:
        """Return how high a card ranks in its suit; higher beats lower."""
        return -self.ranks.index(RANKS[rank_of(card)])

    def value(self, card: Card) -> int:
        """Return what a card counts, in card points."""
        return self.points[self.ranks.index(RANKS[rank_of(card)])]

    def hand_value(self, hand: Hand) -> int:
        """Return what the cards of a mask count together, in card points."""
        table = _values(self)
        total = 0
        while hand:
            low = hand & -hand
            total += table[low.bit_length() - 1 & COPY_STRIDE - 1]
            hand ^= low
        return total

    def marriage_value(self, suit: int, trump: int | None) -> int:
        """Return what a marriage of a suit counts, in card points."""
        return self.royal_marriage if suit == trump else self.marriage

    @property
    def pack(self) -> Hand:
        """The whole pack as a bit mask."""
        return _pack(self)

    @property
    def pack_size(self) -> int:
        """The number of cards in the pack."""
        return 4 * len(self.ranks) * self.copies

    @property
    def stock_size(self) -> int:
        """The number of cards left after the deal, the turn-up among them."""
        return self.pack_size - 2 * self.hand_size

    def exchange_card(self, trump: int) -> Card:
        """Return the card that is exchanged for the turn-up: the lowest trump."""
        return make_card(trump, RANKS.index(self.exchange_rank))

    def beats(self, reply: Card, led: Card, trump: int | None) -> bool:
        """Return whether the reply wins against the card led.

        A higher card of the same suit wins, a trump beats a plain suit, an equal card loses.
        (Foster, Sixty-Six, Method of Playing.)
        """
        if suit_of(reply) == suit_of(led):
            return self.strength(reply) > self.strength(led)
        return suit_of(reply) == trump


@cache
def _pack(row: Variant) -> Hand:
    hand = 0
    for copy in range(row.copies):
        for suit in range(4):
            for rank in row.ranks:
                hand |= 1 << make_card(suit, RANKS.index(rank), copy)
    return hand


@cache
def _values(row: Variant) -> tuple[int, ...]:
    by_rank = dict(zip(row.ranks, row.points, strict=True))
    return tuple(by_rank.get(RANKS[rank_of(card)], 0) for card in range(COPY_STRIDE))


VARIANTS: dict[str, Variant] = {
    row.name: row
    for row in (
        Variant(
            name="foster66",
            title="Sixty-Six after Foster",
            source="R. F. Foster, Foster's Complete Hoyle, Sixty-Six",
        ),
    )
}

SWITCHES: dict[str, dict[str, dict[str, Any]]] = {}
"""For each variant the named switches and the columns they change."""


@cache
def variant_named(name: str) -> Variant:
    """Return the row of a variant, switches applied (``russian66~six``).

    Raises KeyError with the unknown part of the name.
    """
    base, *switches = name.split("~")
    row = VARIANTS[base]
    for switch in switches:
        row = replace(row, **SWITCHES.get(base, {})[switch])
    return replace(row, name=name) if switches else row
