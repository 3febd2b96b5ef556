"""The single change that would make a choice right, where nothing plainer explains it."""

from __future__ import annotations

from trainer.explain.case import Case, Reason, least
from trainer.explain.words import card_points, rank
from trainer.rules.cards import Card, card_name, cards_in, suit_of
from trainer.rules.play import IllegalMove
from trainer.search import play_answer

MOST_POINTS = 12


def one_card(case: Case) -> Reason | None:
    """Another card in place of one of the other side's would make the choice right."""
    position = case.position

    def weight(card: Card) -> tuple[bool, int]:
        return suit_of(card) == position.trump, case.row.strength(card)

    cards = sorted(cards_in(position.hands[case.other]), key=weight, reverse=True)
    for card in cards:
        changed = case.replaced(position, case.other, card)
        low = case.harmless(card)
        if changed is None or low is None:
            continue
        try:
            after = play_answer(changed, case.answer)
        except IllegalMove:
            continue
        if case.right(after):
            text = (
                f"Were {case.north}'s {card_name(card)} a harmless {rank(low)}, "
                "this would be right."
            )
            facts = {"answer": case.answer, "out": card, "in": low}
            return Reason("one card", text, facts)
    return None


def more_points(case: Case) -> Reason | None:
    """A few card points more would make the choice right."""
    after = case.after
    if after.over is not None or not after.tricks[case.me]:
        return None
    more = least(MOST_POINTS, lambda k: case.fits_with_points(after, mine=k))
    if more is None:
        return None
    text = f"With {card_points(more)} more this would be right."
    return Reason("more points", text, {"answer": case.answer, "points": more})


def fewer_points(case: Case) -> Reason | None:
    """A few card points fewer with the other side would make the choice right."""
    after = case.after
    most = min(MOST_POINTS, after.card_points[case.other] - 1)
    if after.over is not None or not after.tricks[case.other] or most < 1:
        return None
    fewer = least(most, lambda k: case.fits_with_points(after, theirs=-k))
    if fewer is None:
        return None
    text = f"Had {case.north} {card_points(fewer)} less, this would be right."
    return Reason("fewer points", text, {"answer": case.answer, "points": fewer})
