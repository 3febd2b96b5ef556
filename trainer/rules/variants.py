"""The games as rows of data.

A variant is one :class:`Variant`; nothing in the program asks for a variant by its name. Where a
rule differs from game to game it is a column here, and the functions of :mod:`trainer.rules.play`
and :mod:`trainer.rules.outcome` read that column. A named switch (``russian66~six``) is a row with
some columns changed.

Sources: R. F. Foster, *Foster's Complete Hoyle*, "Sixty-Six"; the Russian chapter "Глава XIX. 66";
the modern rules of Sixty-Six and Schnapsen. The rulings, where a source is silent, are told in
book/rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from trainer.rules.cards import COPY_STRIDE, RANKS, Card, Hand, make_card, rank_of, suit_of

Duty = Literal["follow", "head", "trump"]
Moment = Literal["lead", "undrawn", "follow"]
Who = Literal["both", "closer", "other"]
Penalty = Literal["two or three", "two", "double"]
"""What a failure pays the other side: 2, or 3 if that side had no trick; 2; or twice what the
culprit's own count would lose him."""


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
    show_undrawn: bool = True
    """A marriage that brings the count home may be shown before the draw."""

    duties: tuple[Duty, ...] = ("follow",)
    """What the second player owes once the stock is gone or closed, a ladder from the top."""

    exchange_rank: str = "9"
    exchange_open: tuple[Moment, ...] = ("lead", "undrawn", "follow")
    """When the side to move may exchange while the stock is open."""
    exchange_closed: tuple[Moment, ...] = ("lead", "follow")
    """When the side to move may exchange in a closed hand."""
    exchange_closed_by: Who = "both"
    exchange_trick: bool = True
    """The exchange needs a trick already won while the stock is open."""
    exchange_closed_trick: bool = True
    """The exchange needs a trick already won in a closed hand."""

    close_hidden: int = 1
    """Face-down cards of the stock that must be left to close on."""
    close_undrawn: bool = True
    """The winner of a trick may close before anybody draws."""
    success_valued: Literal["end", "closing"] = "end"
    """When the other side's tricks and points are read for a closer who succeeds."""
    failed_close: Penalty = "two or three"
    """What a closer pays who is short in the end; the other side is read at the closing."""
    beaten_close: Penalty = "two or three"
    """What a closer pays when the other side announces first."""
    closers_false_claim: Penalty = "two or three"
    """What a closer pays for announcing wrongly; the other side is read at the closing."""
    false_claim: Penalty = "two or three"
    """What any other false announcement pays; the other side is read at that moment."""
    trickless_close: int = 0
    """If set, what a failed closer pays a side that had no trick at the closing."""

    last_trick: int = 10
    """Card points for the last trick, if every card of the pack has been played."""
    last_trick_closed: bool = False
    """The last trick counts in a closed hand too."""
    played_out: Literal["goal", "higher", "last trick"] = "goal"
    """Who wins a deal that nobody closed or claimed: who alone has reached the goal, who has more,
    or the winner of the last trick, who then scores 1."""
    closer_needs_last_trick: bool = False
    """A closer who has not announced succeeds only by winning the last trick, with the goal."""
    tie_carries: bool = True
    """A deal that nobody scores adds 1 to what the next deal's winner makes."""

    match_length: int = 7
    """Game points that win a match."""
    match_counts_down: bool = False
    """A match is written from its length down to 0."""
    winner_deals: bool = True
    """The winner of a deal deals next; otherwise the deal alternates."""

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
        Variant(
            name="russian66",
            title="Sixty-Six after the Russian chapter",
            source="Глава XIX. 66",
            schwarz="points",
            show_undrawn=False,
            duties=("follow", "trump"),
            exchange_open=("lead", "undrawn"),
            exchange_closed=(),
            failed_close="double",
            beaten_close="double",
            closers_false_claim="double",
            false_claim="double",
            last_trick_closed=True,
            tie_carries=False,
        ),
        Variant(
            name="german66",
            title="Modern German Sixty-Six",
            source="the modern rules as pagat.com gives them, Sixty-Six",
            marriage_late=False,
            show_undrawn=False,
            duties=("follow", "head", "trump"),
            exchange_open=("lead", "undrawn"),
            exchange_closed=("lead", "follow"),
            exchange_closed_by="other",
            exchange_closed_trick=False,
            beaten_close="two",
            closers_false_claim="two",
            false_claim="two",
            played_out="higher",
            closer_needs_last_trick=True,
            tie_carries=False,
        ),
        Variant(
            name="schnapsen",
            title="Schnapsen",
            source="the rules as pagat.com gives them, Schnapsen",
            ranks="ATKQJ",
            points=(11, 10, 4, 3, 2),
            hand_size=5,
            show_undrawn=False,
            duties=("follow", "head", "trump"),
            exchange_rank="J",
            exchange_open=("lead",),
            exchange_closed=(),
            exchange_trick=False,
            close_undrawn=False,
            success_valued="closing",
            last_trick=0,
            played_out="last trick",
            closer_needs_last_trick=True,
            tie_carries=False,
            match_counts_down=True,
            winner_deals=False,
        ),
    )
}

SWITCHES: dict[str, dict[str, dict[str, Any]]] = {
    "russian66": {
        "six": {"trickless_close": 6},
        "eight": {"match_length": 8},
        "nolast": {"last_trick_closed": False},
    },
    "schnapsen": {
        "early": {"close_hidden": 2},
    },
}
"""For each variant the named switches and the columns they change."""


@cache
def variant_named(name: str) -> Variant:
    """Return the row of a variant, switches applied (``russian66~six``).

    In whatever order the switches are named, the row's own name has them in one order. Raises
    KeyError with the unknown part of the name.
    """
    base, *switches = name.split("~")
    row = VARIANTS[base]
    known = SWITCHES.get(base, {})
    for switch in switches:
        row = replace(row, **known[switch])
    in_order = [switch for switch in known if switch in switches]
    return replace(row, name="~".join([base, *in_order])) if switches else row
