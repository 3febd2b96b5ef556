"""Themes of the count: announcing, showing, and the marriages."""

from __future__ import annotations

from collections.abc import Collection

from trainer.explain import marriages as reasons
from trainer.rules.cards import KING, QUEEN, make_card, rank_of, suit_of
from trainer.rules.play import play
from trainer.rules.position import Kind, Move, Position, Side
from trainer.search import Answer, play_answer
from trainer.themes.spot import Spot

DECLARES = frozenset({Kind.MARRIAGE, Kind.SHOW})


def announcing(spot: Spot) -> bool:
    """The count is there, and must be announced now: every right choice ends with the claim."""
    return all(answer[-1].kind is Kind.CLAIM for answer in spot.right)


def showing(spot: Spot) -> bool:
    """A marriage is shown without a card being led: it brings the count home, a lead might not.

    Every right choice ends with showing; leading the marriage instead, or anything else, loses.
    """
    return all(answer[-1].kind is Kind.SHOW for answer in spot.right)


def king_or_queen(spot: Spot) -> bool:
    """It matters which card of a marriage is led: one of the two is right, the other is not.

    To show the marriage is not right either, or not allowed.
    """
    return any(
        answer[-1].kind is Kind.MARRIAGE
        and _partner(answer) in spot.wrong
        and not any(
            other[-1].kind is Kind.SHOW and _suit(other) == _suit(answer) for other in spot.right
        )
        for answer in spot.right
    )


def _suit(answer: Answer) -> int:
    """Return the suit of the card of a choice's last move."""
    return suit_of(answer[-1].card or 0)


def _partner(answer: Answer) -> Answer:
    """Return a choice that declares a marriage with its other card led."""
    card = answer[-1].card or 0
    other = make_card(suit_of(card), QUEEN if rank_of(card) == KING else KING)
    return (*answer[:-1], Move(Kind.MARRIAGE, other))


def declaring_in_time(spot: Spot) -> bool:
    """A marriage is declared now, since later it would come too late.

    Every right choice declares one. A wrong choice that does not would be right if it had the
    marriage's points and no marriage were to come.
    """
    if not all(answer[-1].kind is Kind.MARRIAGE for answer in spot.right):
        return False
    return spot.speaks(reasons.marriage_now, spot.tempting)


def holding_back(spot: Spot) -> bool:
    """A marriage could be declared and is kept for later: to declare it now loses.

    Every choice that declares a marriage is wrong, the right ones keep both its cards, and in the
    best line that follows the mover declares it.
    """
    suits = {_suit(answer) for answer in spot.choices if answer[-1].kind in DECLARES}
    if not suits or any(answer[-1].kind in DECLARES for answer in spot.right):
        return False
    if any(suit_of(card) in suits and rank_of(card) in (KING, QUEEN) for card in spot.rights):
        return False
    return spot.mostly(
        lambda layout, _: _declares(spot, layout, spot.best, spot.me, suits), spot.wrong[0]
    )


def keeping_the_pair(spot: Spot) -> bool:
    """King and Queen are kept together: to part with one loses the points of the marriage.

    A wrong choice plays one of the two, while marriages still count; with the marriage's points it
    would be right. The right choices play a card too.
    """
    return bool(spot.rights) and spot.speaks(reasons.broken, spot.wrong)


def keeping_out_a_marriage(spot: Spot) -> bool:
    """The other side holds a marriage and is kept from declaring it.

    A wrong choice lets it declare in the best line; with the marriage's points taken away, and with
    a harmless card in the place of its Queen, that choice would be right.
    """
    return spot.some(
        lambda layout, wrong: (
            reasons.their_marriage(spot.case(layout, wrong)) is not None
            and _declares(spot, layout, wrong, spot.other)
        ),
        spot.tempting,
    )


def _declares(
    spot: Spot, layout: Position, answer: Answer, side: Side, suits: Collection[int] = range(4)
) -> bool:
    """Return whether a side declares a marriage of these suits in the best line after a choice."""
    position = play_answer(layout, answer)
    for move in spot.solver.principal_variation(position):
        if position.turn == side and move.kind in DECLARES and suit_of(move.card or 0) in suits:
            return True
        position = play(position, move)
    return False
