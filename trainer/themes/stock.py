"""Themes of the stock: closing it, drawing from it, and the turn-up."""

from __future__ import annotations

from trainer.explain.stock import draw_order
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import CLOSE, DRAW, EXCHANGE, Position
from trainer.search import Answer, play_answer
from trainer.themes.spot import Spot, played

NEARLY = 5
"""Card points by which a wrong closing may be short and still tempt."""
PRIZE = 1 / 3
"""The part of what a closing gains that the prize, 2 or 3, must account for."""


def _open(spot: Spot) -> Answer | None:
    """Return the best choice that keeps the stock open, None if there is none."""
    return next((answer for answer in spot.choices if CLOSE not in answer), None)


def closing_to_force(spot: Spot) -> bool:
    """Closing is right because the other side then has to follow suit.

    Every right choice closes. If nobody had to follow in the closed hand, closing would be no
    better than to keep the stock open.
    """
    playing_on = _open(spot)
    if not spot.all_close or playing_on is None:
        return False
    return spot.shrinks(
        playing_on,
        lambda layout: (
            spot.under(play_answer(layout, spot.best), duties=()),
            spot.value(layout, playing_on),
        ),
        share=1.0,
    )


def closing_for_schneider(spot: Spot) -> bool:
    """Closing makes a win of 2: the other side is to stay below 33.

    Every right choice closes, and to keep the stock open would not lose, on average. If a win
    against a schneider counted 1 like any other, a third or more of what closing gains would be
    gone: the rest is that it makes sure of the win.
    """
    playing_on = _open(spot)
    if not spot.all_close or playing_on is None or _loses(spot, playing_on):
        return False
    return spot.shrinks(
        playing_on,
        lambda layout: (
            spot.under(play_answer(layout, spot.best), schneider=0),
            spot.under(play_answer(layout, playing_on), schneider=0),
        ),
        PRIZE,
    )


def closing_for_schwarz(spot: Spot) -> bool:
    """Closing makes a win of 3: the other side is not to get a trick.

    Every right choice closes, and to keep the stock open would not lose, on average. If no win
    counted more than 2, a third or more of what closing gains would be gone.
    """
    playing_on = _open(spot)
    if not spot.all_close or playing_on is None or _loses(spot, playing_on):
        return False
    most = 2 + spot.table.carry
    return spot.shrinks(
        playing_on,
        lambda layout: (
            min(most, spot.value(layout, spot.best)),
            min(most, spot.value(layout, playing_on)),
        ),
        PRIZE,
    )


def _loses(spot: Spot, answer: Answer) -> bool:
    """Return whether the mover loses more than it wins with a choice, on average."""
    return sum(spot.value(layout, answer) for layout in spot.layouts) < 0


def refusing_to_close(spot: Spot) -> bool:
    """Closing looks good, and yet the stock is better kept open.

    Every choice that closes is wrong, and no right one draws in order to close. But closing would
    win the deal in most layouts, or with five card points more in hand.
    """
    closing = [answer for answer in spot.choices if CLOSE in answer]
    if not closing or any(answer in spot.right for answer in closing) or drawing_first(spot):
        return False

    def tempts(layout: Position, _: Answer) -> bool:
        case = spot.case(layout, closing[0])
        more = case.with_points(case.after, mine=NEARLY)
        return spot.worth(case.after if more is None else more) > 0

    return spot.mostly(tempts, closing[0])


def drawing_first(spot: Spot) -> bool:
    """Closing is right, but only after the draw.

    A trick has been won and nobody has drawn. Every right choice draws, to close now is allowed
    and wrong, and after the draw closing is as good as anything.
    """
    if not all(answer[-1] == DRAW for answer in spot.right):
        return False
    closing = next((answer for answer in spot.wrong if CLOSE in answer), None)
    return closing is not None and spot.mostly(
        lambda layout, _: _closing_is_right(spot, play_answer(layout, spot.best)), closing
    )


def _closing_is_right(spot: Spot, position: Position) -> bool:
    if position.over is not None or CLOSE not in sensible_moves(position):
        return False
    return spot.worth(play(position, CLOSE)) >= spot.worth(position)


def closing_before_drawing(spot: Spot) -> bool:
    """Closing is right before the draw: the draw would help the other side.

    A trick has been won and nobody has drawn. Every right choice closes at once, and to draw, even
    to close then, is wrong.
    """
    return spot.table.undrawn and spot.all_close


def taking_the_turn_up(spot: Spot) -> bool:
    """The lowest trump has to be exchanged for the turn-up now: every right choice does so."""
    return all(EXCHANGE in answer for answer in spot.right)


def late_exchange(spot: Spot) -> bool:
    """The exchange is needed now, at a moment that is easily forgotten.

    Every right choice exchanges. The stock is closed, or a card has been led to the mover, or it
    is the last chance, since the next draw takes the turn-up.
    """
    table = spot.table
    late = table.closed is not None or table.led is not None or len(table.stock) == 2
    return late and taking_the_turn_up(spot)


def leaving_the_turn_up(spot: Spot) -> bool:
    """The turn-up is left where it is for now: every choice that exchanges for it is wrong."""
    exchanging = [answer for answer in spot.choices if EXCHANGE in answer]
    return bool(exchanging) and all(answer in spot.wrong for answer in exchanging)


def playing_for_the_turn_up(spot: Spot) -> bool:
    """The trick before the last draw is lost on purpose: its loser draws the turn-up.

    No right choice wins the trick. A wrong one does; if the two last cards of the stock changed
    places it would be right.
    """
    table = spot.table
    if table.closed is not None or len(table.stock) != 2 or not spot.rights:
        return False
    lost = spot.mostly(
        lambda layout, _: all(_lost(spot, layout, right) for right in spot.right), spot.wrong[0]
    )
    return lost and spot.speaks(
        draw_order, spot.wrong, lambda reason: reason.facts["winner"] == spot.me
    )


def _lost(spot: Spot, layout: Position, answer: Answer) -> bool:
    """Return whether the trick that a card is played to goes to the other side."""
    if spot.table.led is None:
        return spot.taken(layout, answer)
    return not spot.wins(played(answer))
