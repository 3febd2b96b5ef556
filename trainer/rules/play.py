"""Legal moves, and what a move does to a position."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from trainer.rules.cards import (
    KING,
    QUEEN,
    SUIT_NAMES,
    Card,
    Hand,
    card_name,
    cards_in,
    make_card,
    suit_cards,
    suit_of,
)
from trainer.rules.outcome import last_trick_points, settle_claim, settle_played_out
from trainer.rules.position import (
    CLAIM,
    CLOSE,
    DRAW,
    EXCHANGE,
    SIDE_NAMES,
    Closing,
    Kind,
    Move,
    Position,
    Side,
    Table,
    View,
)
from trainer.rules.variants import Moment

T = TypeVar("T", Position, View)


class IllegalMove(ValueError):
    """A move that the position does not allow; the message names the reason."""


def reply_wins(position: Table, led: Card, reply: Card) -> bool:
    """Return whether the reply wins the trick."""
    return position.variant.beats(reply, led, position.trump)


def replies(table: Table, hand: Hand, stock_open: bool) -> Hand:
    """Return the cards of a hand that may be played to the card led.

    While the stock is open any card may. Afterwards the variant's ladder of duties holds:
    ``follow`` (a card of the suit led), ``head`` (of those, one that wins, if any), ``trump``
    (when void, a trump). (Foster, Sixty-Six, The Last Six Tricks; Closing.)
    """
    led = table.led
    if led is None or stock_open:
        return hand
    duties = table.variant.duties
    suit = suit_cards(hand, suit_of(led))
    if suit and "follow" in duties:
        higher = 0
        if "head" in duties:
            for card in cards_in(suit):
                if table.variant.beats(card, led, table.trump):
                    higher |= 1 << card
        return higher or suit
    trumps = suit_cards(hand, table.trump)
    return trumps if trumps and not suit and "trump" in duties else hand


def marriages(hand: Hand) -> list[int]:
    """Return the suits of which a hand holds King and Queen."""
    return [
        suit
        for suit in range(4)
        if hand >> make_card(suit, KING) & 1 and hand >> make_card(suit, QUEEN) & 1
    ]


def _moment(position: Position) -> Moment:
    if position.led is not None:
        return "follow"
    return "undrawn" if position.undrawn else "lead"


def may_exchange(position: Position) -> bool:
    """Return whether the side to move may take the turn-up for the lowest trump.

    (Foster, Sixty-Six, The Trump: at any moment once its holder has won a trick, in a closed hand
    too, but not after the last face-down card is drawn.)
    """
    side = position.turn
    lowest = position.variant.exchange_card(position.trump)
    moments, needs_trick = _exchange_law(position)
    return (
        bool(position.stock)
        and _moment(position) in moments
        and bool(position.hands[side] >> lowest & 1)
        and (position.tricks[side] > 0 or not needs_trick)
    )


def _exchange_law(position: Position) -> tuple[tuple[Moment, ...], bool]:
    """Return when the side to move may exchange, and whether it needs a trick won."""
    row, closed = position.variant, position.closed
    if closed is None:
        return row.exchange_open, row.exchange_trick
    who = "closer" if closed.side == position.turn else "other"
    may = row.exchange_closed_by in ("both", who)
    return row.exchange_closed if may else (), row.exchange_closed_trick


def may_close(position: Position) -> bool:
    """Return whether the side to move may close: it leads and a face-down card is left.

    (Foster, Sixty-Six, Closing.)
    """
    return (
        position.open_stock
        and position.leading
        and len(position.stock) > position.variant.close_hidden
        and (not position.undrawn or position.variant.close_undrawn)
    )


def legal_moves(position: Position) -> list[Move]:
    """Return every legal move: cards, marriages led, marriages shown, then the rest.

    An announcement of 66 is legal whenever the side to move holds the lead, right or wrong; so is
    showing a marriage once a trick is won. An undrawn position offers no card.
    """
    if position.over is not None:
        return []
    side = position.turn
    hand = position.hands[side]
    moves: list[Move] = []
    if not position.undrawn:
        cards = replies(position, hand, position.open_stock)
        ordered = sorted(
            cards_in(cards), key=lambda card: (suit_of(card), -position.variant.strength(card))
        )
        moves += [Move(Kind.CARD, card) for card in ordered]
    if position.leading:
        if position.open_stock or position.variant.marriage_late:
            pairs = marriages(hand)
            if not position.undrawn:
                moves += [
                    Move(Kind.MARRIAGE, make_card(suit, rank))
                    for suit in pairs
                    for rank in (KING, QUEEN)
                ]
            if position.tricks[side] and (not position.undrawn or position.variant.show_undrawn):
                moves += [Move(Kind.SHOW, make_card(suit, KING)) for suit in pairs]
        if may_close(position):
            moves.append(CLOSE)
    if may_exchange(position):
        moves.append(EXCHANGE)
    if position.undrawn:
        moves.append(DRAW)
    if position.leading:
        moves.append(CLAIM)
    return moves


def is_false_claim(position: Position, move: Move) -> bool:
    """Return whether a move announces 66 without having it."""
    points = position.card_points[position.turn]
    if move.kind is Kind.SHOW and move.card is not None:
        points += position.variant.marriage_value(suit_of(move.card), position.trump)
    elif move.kind is not Kind.CLAIM:
        return False
    return points < position.variant.goal


def sensible_moves(position: Position) -> list[Move]:
    """Return the legal moves less the false claims, which only lose."""
    return [move for move in legal_moves(position) if not is_false_claim(position, move)]


def play(position: Position, move: Move) -> Position:
    """Return the position after a move. Raises IllegalMove, naming what is wrong."""
    if move not in legal_moves(position):
        raise IllegalMove(why_illegal(position, move))
    match move.kind:
        case Kind.DRAW:
            return _draw(position)
        case Kind.CLOSE:
            return close(position)
        case Kind.EXCHANGE:
            return _exchange(position)
        case Kind.CLAIM:
            return replace(position, over=settle_claim(position, position.turn))
        case Kind.SHOW:
            assert move.card is not None
            shown = _declare(position, suit_of(move.card))
            return replace(shown, over=settle_claim(shown, shown.turn))
        case Kind.MARRIAGE:
            assert move.card is not None
            return _play_card(_declare(position, suit_of(move.card)), move.card)
        case Kind.CARD:
            assert move.card is not None
            return _play_card(position, move.card)


def with_side(pair: tuple[int, int], side: Side, value: int) -> tuple[int, int]:
    """Return a pair with one side's value replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


def close(table: T) -> T:
    """Return the table after its side to move has closed the stock."""
    side = table.turn
    other = 1 - side
    closing = Closing(side, table.card_points[other], table.tricks[other])
    return replace(table, closed=closing, undrawn=False)


def _draw(position: Position) -> Position:
    side = position.turn
    first, second, *rest = position.stock
    mine = position.hands[side] | 1 << first
    theirs = position.hands[1 - side] | 1 << second
    return replace(
        position,
        hands=(mine, theirs) if side == 0 else (theirs, mine),
        stock=tuple(rest),
        undrawn=False,
    )


def _exchange(position: Position) -> Position:
    side = position.turn
    low = position.variant.exchange_card(position.trump)
    hand = position.hands[side] ^ 1 << low | 1 << position.stock[-1]
    return replace(
        position,
        hands=with_side(position.hands, side, hand),
        stock=(*position.stock[:-1], low),
    )


def _declare(position: Position, suit: int) -> Position:
    """Return the position with a marriage counted, provisionally before the first trick."""
    side = position.turn
    worth = position.variant.marriage_value(suit, position.trump)
    field = "card_points" if position.tricks[side] else "provisional"
    counts: tuple[int, int] = getattr(position, field)
    said = with_side(position.said, side, position.said[side] | 1 << suit)
    counted = with_side(counts, side, counts[side] + worth)
    return (
        replace(position, said=said, card_points=counted)
        if field == "card_points"
        else replace(position, said=said, provisional=counted)
    )


def _play_card(position: Position, card: Card) -> Position:
    side, led = position.turn, position.led
    hands = with_side(position.hands, side, position.hands[side] ^ 1 << card)
    if led is None:
        return replace(position, hands=hands, led=card, turn=1 - side)
    winner = side if reply_wins(position, led, card) else 1 - side
    gained = (
        position.provisional[winner] + position.variant.value(led) + position.variant.value(card)
    )
    won = position.won
    if won is not None:
        taken = (*won[winner], (led, card))
        won = (taken, won[1]) if winner == 0 else (won[0], taken)
    after = replace(
        position,
        hands=hands,
        led=None,
        turn=winner,
        card_points=with_side(position.card_points, winner, position.card_points[winner] + gained),
        provisional=with_side(position.provisional, winner, 0),
        tricks=with_side(position.tricks, winner, position.tricks[winner] + 1),
        won=won,
    )
    if hands == (0, 0):
        return _played_out(after)
    return replace(after, undrawn=True) if after.open_stock else after


def _played_out(position: Position) -> Position:
    """Return the finished deal, the last trick counted."""
    winner = position.turn
    bonus = last_trick_points(position.variant, len(position.stock))
    total = position.card_points[winner] + bonus
    position = replace(position, card_points=with_side(position.card_points, winner, total))
    return replace(position, over=settle_played_out(position))


def why_illegal(position: Position, move: Move) -> str:
    """Return one sentence on why a move is not legal here."""
    if position.over is not None:
        return "the deal is over, no move is expected"
    side, card = position.turn, move.card
    who = SIDE_NAMES[side]
    if card is not None and not position.hands[side] >> card & 1:
        return f"{who} does not hold the {card_name(card)}"
    if position.undrawn and move.kind in (Kind.CARD, Kind.MARRIAGE):
        draw = "draw (dr) or close (cl)" if may_close(position) else "draw (dr)"
        return f"{who} has won a trick and must {draw} before leading"
    if not position.leading and move.kind not in (Kind.CARD, Kind.EXCHANGE):
        return f"{who} must first play a card to the {card_name(position.led or 0)}"
    match move.kind:
        case Kind.CARD:
            assert card is not None
            assert position.led is not None
            suit = suit_of(position.led)
            if not suit_cards(position.hands[side], suit):
                return f"{who} must play a trump"
            if suit_of(card) != suit:
                return f"{who} must follow suit with one of the {SUIT_NAMES[suit]} held"
            return f"{who} must beat the {card_name(position.led)} with a higher card held"
        case Kind.MARRIAGE | Kind.SHOW:
            assert card is not None
            if suit_of(card) not in marriages(position.hands[side]):
                return f"{who} does not hold King and Queen of {SUIT_NAMES[suit_of(card)]}"
            if not position.open_stock and not position.variant.marriage_late:
                return "marriages no longer count"
            if not position.tricks[side]:
                return f"{who} must win a trick before a marriage can be shown"
            return f"{who} must draw (dr) before a marriage can be shown"
        case Kind.CLOSE:
            if position.closed is not None:
                return "the stock is closed already"
            if len(position.stock) <= position.variant.close_hidden:
                return "too few face-down cards of the stock are left to close on"
            return "closing waits until both have drawn"
        case Kind.EXCHANGE:
            low = position.variant.exchange_card(position.trump)
            if not position.hands[side] >> low & 1:
                return f"{who} does not hold the {card_name(low)}"
            if not position.stock:
                return "the turn-up has been drawn"
            moments, _ = _exchange_law(position)
            if not moments:
                return f"{who} may not exchange once the stock is closed"
            if _moment(position) in moments:
                return f"{who} must win a trick before exchanging"
            if position.undrawn:
                return f"{who} must draw (dr) before exchanging"
            return f"{who} may exchange only with the lead"
        case Kind.DRAW:
            return "there is nothing to draw now"
        case Kind.CLAIM:
            return f"{who} may announce only with the lead"
