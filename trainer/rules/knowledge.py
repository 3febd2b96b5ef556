"""What each side has seen in the course of a deal: all that was shown, and all that was proved.

A position alone does not tell it. That North holds the turn-up he took in exchange, or that he has
no heart since he could not follow to one, is known to whoever was there. :func:`views` plays a deal
through and tells, at every moment, what either side knows.

Shown is a card that came to its holder face up, or that he laid open and kept: the partner of a
King or Queen led to a declared marriage, a marriage shown, the turn-up taken in exchange, and the
last card of the stock, which the loser of the last drawing trick takes. Proved is what a reply
gives away once the stock is closed: a card that would have forbidden the reply is not in that hand,
nor can it come there unseen. Before the closing every reply is allowed and proves nothing; and once
the stock is gone the cards not seen are the other hand, with nothing left to prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from trainer.rules.cards import Card, Hand, cards_in, hand_of, suit_cards
from trainer.rules.play import play, replies, with_side
from trainer.rules.position import NORTH, SOUTH, Kind, Move, Position, Side, Table, View, view

Views = tuple[View, View]
"""What South has seen, then what North has; in either the viewer is South."""


def views(start: Position, moves: Iterable[Move] = ()) -> Iterator[Views]:
    """Yield what both sides have seen at the start, and then after each move.

    At the start that is what :func:`trainer.rules.position.view` reads from the position. Raises
    ValueError when the start does not tell the tricks won, and IllegalMove for an illegal move.
    """
    position, seen = start, _Seen()
    yield seen.view(position, SOUTH), seen.view(position, NORTH)
    for move in moves:
        after = play(position, move)
        seen = seen.learn(position, move, after)
        position = after
        yield seen.view(position, SOUTH), seen.view(position, NORTH)


def forbidding(table: Table, reply: Card) -> Hand:
    """Return the cards any one of which in the same hand would have made a reply illegal.

    The stock is taken to be closed or gone. A reply is legal when it is so beside each other card
    of the hand, so who makes it holds none of these.
    """
    return hand_of(
        card
        for card in cards_in(table.variant.pack)
        if not replies(table, 1 << reply | 1 << card, stock_open=False) >> reply & 1
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What both players know of each hand, besides marriages. Pairs are South's, then North's."""

    taken: tuple[Hand, Hand] = (0, 0)
    """Cards that came to the side face up and that it still holds."""
    lacked: tuple[Hand, Hand] = (0, 0)
    """Cards that the side did not hold when it replied; it can have gained only a turn-up since."""

    def learn(self, before: Position, move: Move, after: Position) -> _Seen:
        """Return what is known after a move."""
        side, loser = before.turn, 1 - before.turn
        taken, lacked = self.taken, self.lacked
        if move.kind is Kind.EXCHANGE:
            taken = with_side(taken, side, taken[side] | 1 << before.stock[-1])
        elif move.kind is Kind.DRAW and not after.stock:
            taken = with_side(taken, loser, taken[loser] | 1 << before.stock[-1])
        elif move.card is not None and before.led is not None and not before.open_stock:
            forbidden = forbidding(before, move.card)
            lacked = with_side(lacked, side, lacked[side] | forbidden)
        south, north = after.hands
        return _Seen((taken[SOUTH] & south, taken[NORTH] & north), lacked)

    def view(self, position: Position, side: Side) -> View:
        """Return what a side has seen of a position."""
        other = 1 - side
        table = view(position, side)
        known = table.known | self.taken[other]
        concealed = (position.hands[other] & ~known).bit_count()
        table = replace(table, known=known, concealed=concealed)
        return replace(table, lacks=_shortest(table, self.lacked[other]))


def _shortest(table: View, lacked: Hand) -> Hand:
    """Return what North lacks in the form that is shortest to write.

    Cards that are seen are left out, and so is everything when no card of North's is concealed. A
    suit of which he has none is given whole, as a line gives it.
    """
    lacks = 0
    for suit in range(4):
        unseen = suit_cards(table.unseen, suit) if table.concealed else 0
        missing = unseen & lacked
        void = missing == unseen and not suit_cards(table.known, suit)
        lacks |= suit_cards(table.variant.pack, suit) if missing and void else missing
    return lacks
