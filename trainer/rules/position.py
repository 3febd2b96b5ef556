"""Positions, moves, and what one player sees of a position.

Everything here is immutable: a move makes a new position (:func:`trainer.rules.play.play`).
Sides are 0, South, the learner, and 1, North.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, permutations
from math import comb, factorial

from trainer.rules.cards import KING, QUEEN, Card, Hand, cards_in, hand_of, make_card, suit_of
from trainer.rules.variants import Variant

Side = int
SOUTH: Side = 0
NORTH: Side = 1
SIDES = "SN"
SIDE_NAMES = ("South", "North")

Trick = tuple[Card, Card]
"""A finished trick: the card led, then the reply."""


class Kind(StrEnum):
    """What a move does."""

    CARD = "card"
    MARRIAGE = "marriage"
    SHOW = "show"
    EXCHANGE = "exchange"
    DRAW = "draw"
    CLOSE = "close"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Move:
    """One decision of the side to move.

    ``card`` is the card played, the King or Queen led to a marriage, or the King of the marriage
    shown; None for the other kinds.
    """

    kind: Kind
    card: Card | None = None


DRAW = Move(Kind.DRAW)
CLOSE = Move(Kind.CLOSE)
CLAIM = Move(Kind.CLAIM)
EXCHANGE = Move(Kind.EXCHANGE)


@dataclass(frozen=True, slots=True)
class Closing:
    """Who closed, and the other side's card points and tricks at that moment."""

    side: Side
    card_points: int
    tricks: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended.

    ``game_points`` go to ``winner``, what earlier tied deals carry included; with no winner they
    are 0. ``reason`` is for people and takes no part in comparison.
    """

    winner: Side | None
    game_points: int
    reason: str = field(default="", compare=False)

    def value(self, side: Side) -> int:
        """Return the game points for a side, negative when the other side scored."""
        return self.game_points if side == self.winner else -self.game_points


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What lies open to both players. Pairs are South's, then North's."""

    variant: Variant
    trump: int
    turn: Side
    """Whose choice it is; when the deal is over, who won the last trick or announced."""
    card_points: tuple[int, int] = (0, 0)
    provisional: tuple[int, int] = (0, 0)
    """Card points of a marriage that count once the side has won a trick."""
    tricks: tuple[int, int] = (0, 0)
    led: Card | None = None
    undrawn: bool = False
    """The last trick is won and nobody has drawn for it yet."""
    won: tuple[tuple[Trick, ...], tuple[Trick, ...]] | None = ((), ())
    """The tricks each side has won, in order; None when only their number is known."""
    said: tuple[int, int] = (0, 0)
    """Suits of the marriages each side has declared, bit masks over SUITS."""
    closed: Closing | None = None
    carry: int = 0
    """Game points that tied deals before this one add to its winner's."""
    match: tuple[int, int] | None = None
    """Match points before this deal; when given, a win counts no more than is still needed."""
    over: Outcome | None = None

    @property
    def leading(self) -> bool:
        """Whether the side to move holds the lead, drawn or not."""
        return self.led is None

    @property
    def won_cards(self) -> Hand:
        """The cards in the tricks won, 0 when they are not known."""
        return hand_of(card for tricks in self.won or () for trick in tricks for card in trick)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Table):
    """A position with every card seen: both hands, and the stock in its drawing order."""

    hands: tuple[Hand, Hand]
    stock: tuple[Card, ...] = ()
    """In drawing order, the turn-up last; a closed stock stays here."""

    @property
    def open_stock(self) -> bool:
        """Whether cards are still drawn after a trick."""
        return bool(self.stock) and self.closed is None


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Table):
    """What South has seen: own hand, what is known of North's, and the face-up stock cards."""

    hand: Hand
    known: Hand = 0
    """Cards North is known to hold."""
    concealed: int = 0
    """How many more cards North holds."""
    stock: tuple[Card | None, ...] = ()
    """In drawing order, None for a card face down; the turn-up is last."""
    lacks: Hand = 0
    """Cards North is known not to hold."""

    @property
    def unseen(self) -> Hand:
        """The cards that South has not seen: in North's hand or face down in the stock."""
        seen = self.hand | self.known | self.won_cards
        seen |= hand_of(card for card in self.stock if card is not None)
        if self.led is not None:
            seen |= 1 << self.led
        return self.variant.pack & ~seen


def _pairs(suits: int) -> Hand:
    """Return the Kings and Queens of suits, a mask over SUITS."""
    return hand_of(
        make_card(suit, rank) for suit in range(4) if suits >> suit & 1 for rank in (KING, QUEEN)
    )


def _shown(view: View) -> Hand:
    """Return the unseen cards that North must hold: the partners of declared Kings and Queens."""
    return _pairs(view.said[NORTH]) & view.unseen


def _candidates(view: View) -> tuple[Hand, list[Card], int]:
    """Return what North is sure to hold, the cards that may be the rest, and how many they are."""
    sure = _shown(view)
    may_hold = view.unseen & ~view.lacks & ~sure
    return view.known | sure, list(cards_in(may_hold)), max(0, view.concealed - sure.bit_count())


def place(view: View, hand: Hand, hidden: tuple[Card, ...]) -> Position:
    """Return the position in which North holds ``hand`` and the face-down cards are ``hidden``.

    ``hidden`` is in drawing order and fills the None places of the view's stock.
    """
    fill = iter(hidden)
    return Position(
        hands=(view.hand, hand),
        stock=tuple(next(fill) if card is None else card for card in view.stock),
        **{name: getattr(view, name) for name in Table.__slots__},
    )


def hands(view: View) -> Iterator[Hand]:
    """Yield every hand that North can hold, in a fixed order."""
    sure, candidates, count = _candidates(view)
    for chosen in combinations(candidates, count):
        yield sure | hand_of(chosen)


def count_hands(view: View) -> int:
    """Return how many hands North can hold."""
    _, candidates, count = _candidates(view)
    return comb(len(candidates), count)


def hidden_cards(view: View, hand: Hand) -> tuple[Card, ...]:
    """Return the cards that lie face down in the stock when North holds ``hand``."""
    return tuple(cards_in(view.unseen & ~hand))


def layouts(view: View) -> Iterator[Position]:
    """Yield every position that South cannot tell apart from the true one.

    The order of a closed stock plays no part in the game, so a closed position has one layout for
    each hand of North's; with the stock open every order of the face-down cards is another.
    """
    for hand in hands(view):
        hidden = hidden_cards(view, hand)
        orders = permutations(hidden) if view.closed is None else iter((hidden,))
        for order in orders:
            yield place(view, hand, order)


def count_layouts(view: View) -> int:
    """Return how many positions :func:`layouts` yields."""
    hidden = sum(card is None for card in view.stock)
    return count_hands(view) * (factorial(hidden) if view.closed is None else 1)


def sample_layouts(view: View, count: int, rng: random.Random) -> Iterator[Position]:
    """Yield a sample of so many layouts, spread evenly over North's hands, in random order.

    The hands in their order are cut into as many equal parts as there are layouts to be drawn,
    and each part gives one; the face-down cards lie in a random order. So each layout is as likely
    as any other, and the sample is about as varied as the whole.
    """
    total = count_hands(view)
    parts = [(part + rng.random()) / count for part in range(count)]
    rng.shuffle(parts)
    for part in parts:
        hand = _hand_numbered(view, min(int(part * total), total - 1))
        hidden = list(hidden_cards(view, hand))
        rng.shuffle(hidden)
        yield place(view, hand, tuple(hidden))


def random_layout(view: View, rng: random.Random) -> Position:
    """Return one layout, each as likely as any other."""
    return next(sample_layouts(view, 1, rng))


def _hand_numbered(view: View, number: int) -> Hand:
    """Return one of the hands of :func:`hands`, by its place in their order."""
    hand, candidates, count = _candidates(view)
    for place_in_order, card in enumerate(candidates):
        with_it = comb(len(candidates) - place_in_order - 1, count - 1) if count else 0
        if number < with_it:
            hand |= 1 << card
            count -= 1
        else:
            number -= with_it
    return hand


def swap_sides(position: Position) -> Position:
    """Return the same position with South and North exchanged."""
    flipped = {
        name: getattr(position, name)[::-1]
        for name in ("hands", "card_points", "provisional", "tricks", "said")
    }
    closed = position.closed
    over = position.over
    return Position(
        variant=position.variant,
        trump=position.trump,
        turn=1 - position.turn,
        led=position.led,
        undrawn=position.undrawn,
        won=None if position.won is None else position.won[::-1],
        closed=closed and Closing(1 - closed.side, closed.card_points, closed.tricks),
        carry=position.carry,
        match=position.match and position.match[::-1],
        over=over
        and Outcome(
            None if over.winner is None else 1 - over.winner, over.game_points, over.reason
        ),
        stock=position.stock,
        **flipped,
    )


def view(position: Position, side: Side) -> View:
    """Return what a side has seen of a position; the side becomes South of the view.

    Known of the other hand is the partner of a King or Queen led to a declared marriage. Raises
    ValueError when the tricks won are not known, since they fix which cards are still out.
    """
    if position.won is None:
        raise ValueError("the tricks won are not known, so nobody can tell which cards are out")
    seen = position if side == SOUTH else swap_sides(position)
    other = seen.hands[NORTH]
    known = other & _pairs(seen.said[NORTH])
    return View(
        hand=seen.hands[SOUTH],
        known=known,
        concealed=(other & ~known).bit_count(),
        stock=tuple(None for _ in seen.stock[:-1]) + seen.stock[-1:],
        **{name: getattr(seen, name) for name in Table.__slots__},
    )


def deal(variant: Variant, rng: random.Random, pone: Side = SOUTH) -> Position:
    """Return a shuffled deal with pone on lead and the turn-up last in the stock."""
    pack = list(cards_in(variant.pack))
    rng.shuffle(pack)
    size = variant.hand_size
    stock = tuple(pack[2 * size :])
    return Position(
        variant=variant,
        trump=suit_of(stock[-1]),
        turn=pone,
        hands=(hand_of(pack[:size]), hand_of(pack[size : 2 * size])),
        stock=stock,
    )
