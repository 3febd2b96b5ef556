"""The stock: closing it, drawing from it, and the turn-up.

Each function looks at one choice beside the best one and returns its reason, None where it does not
hold. That a card of the stock matters is shown by putting a harmless one in its place.
"""

from __future__ import annotations

from dataclasses import replace

from trainer.explain.case import Case, Reason
from trainer.explain.words import card_points, counted, the
from trainer.rules.cards import Card, cards_in
from trainer.rules.outcome import value_against
from trainer.rules.play import play, replies
from trainer.rules.position import CLOSE, DRAW, EXCHANGE, Kind, Move, Position, Side
from trainer.search import play_answer

NEXT_CARDS = 4
"""Cards of the stock that a reason may speak of: those drawn in the next two tricks."""


def _only_best_closes(case: Case) -> bool:
    return CLOSE in case.best and CLOSE not in case.answer


def close_to_follow(case: Case) -> Reason | None:
    """Closing makes the other side follow suit: a card that it may not play now would save it."""
    after, lead = case.best_after, case.best_card
    if not _only_best_closes(case) or lead is None or after.led != lead:
        return None
    held = after.hands[case.other]
    allowed = replies(after, held, stock_open=False)
    values = {card: case.worth(_played_freely(after, card)) for card in cards_in(held & ~allowed)}
    saving = [card for card, value in values.items() if value < case.best_value]
    if not saving:
        return None
    card = min(saving, key=lambda card: (not case.wins_against(card, lead), values[card], card))
    verb = "trump" if case.wins_against(card, lead) else "throw"
    what = f"{the(lead)} with {the(card)}" if verb == "trump" else f"{the(card)} on {the(lead)}"
    text = f"Closed, {case.north} has to follow suit and cannot {verb} {what}."
    return Reason("close to force", text, {"best": case.best, "reply": card})


def _played_freely(position: Position, card: Card) -> Position:
    """Return the position after a reply that the duty to follow suit forbids."""
    free = replace(position, variant=replace(position.variant, duties=()))
    return replace(play(free, Move(Kind.CARD, card)), variant=position.variant)


def close_freezes(case: Case) -> Reason | None:
    """Closing fixes what a win is worth, by the other side's count at that moment."""
    closed = case.best_after.closed
    if not _only_best_closes(case) or closed is None or case.row.success_valued != "closing":
        return None
    worth = value_against(case.position, closed.card_points, closed.tricks)
    if worth < 2 or case.under(case.best_after, success_valued="end") >= case.best_value:
        return None
    had = card_points(closed.card_points) if closed.tricks else counted(0, "trick")
    text = f"Closing now fixes the win at {worth}: {case.north} has {had}, whatever comes later."
    return Reason("close to fix", text, {"best": case.best, "worth": worth})


def close_keeps_out(case: Case) -> Reason | None:
    """Closing keeps a card of the stock out of play, but for which the choice would be right."""
    position = case.position
    if not _only_best_closes(case) or case.after.over is not None or EXCHANGE in case.answer:
        return None
    for place, card in enumerate(position.stock[:NEXT_CARDS]):
        changed = _without(case, position, place)
        if changed is not None and case.right(play_answer(changed, case.answer)):
            text = (
                f"Closing keeps {the(card)} in the stock; with the stock open it comes into play."
            )
            return Reason("close to keep out", text, {"answer": case.answer, "card": card})
    return None


def _without(case: Case, position: Position, place: int) -> Position | None:
    """Return a position with a card of the stock replaced by a harmless one, never the turn-up."""
    if place >= len(position.stock) - 1:
        return None
    low = case.harmless(position.stock[place])
    if low is None or low in position.stock:
        return None
    stock = (*position.stock[:place], low, *position.stock[place + 1 :])
    return replace(position, stock=stock, won=None)


def stock_brings(case: Case) -> Reason | None:
    """The stock still brings a card that the best play needs; closing gives it up."""
    position = case.position
    if CLOSE not in case.answer or CLOSE in case.best or EXCHANGE in case.best:
        return None
    for place, card in enumerate(position.stock[:NEXT_CARDS]):
        changed = _without(case, position, place)
        if changed is not None and case.worth(play_answer(changed, case.best)) <= case.value:
            text = f"The stock still brings {the(card)}, which you need; closing leaves it there."
            return Reason("stock brings", text, {"best": case.best, "card": card})
    return None


def draw_gives(case: Case) -> Reason | None:
    """Drawing gives the other side a card; closing before the draw does not."""
    if case.answer[0] != DRAW or case.best[0] != CLOSE:
        return None
    changed = _without(case, case.position, 1)
    if changed is None or not case.right(play_answer(changed, case.answer)):
        return None
    card = case.position.stock[1]
    text = f"Drawing brings {case.north} {the(card)}; close before the draw."
    return Reason("draw gives", text, {"answer": case.answer, "card": card})


def draw_first(case: Case) -> Reason | None:
    """The draw brings a card that the best play needs."""
    if case.best[0] != DRAW or case.answer[0] != CLOSE:
        return None
    changed = _without(case, case.position, 0)
    if changed is None:
        return None
    if case.worth(play_answer(changed, case.best)) > case.value:
        return None
    card = case.position.stock[0]
    text = f"Draw first: it brings you {the(card)}."
    return Reason("draw first", text, {"best": case.best, "card": card})


def draw_order(case: Case) -> Reason | None:
    """Who wins the trick draws first, and that decides who gets which card."""
    after = case.after
    if case.card is None or not after.open_stock or after.over is not None:
        return None
    if len(after.stock) < 2 or (len(after.stock) == 2 and case.answer[0] == EXCHANGE):
        return None
    first, second, *rest = after.stock
    swapped = replace(after, stock=(second, first, *rest))
    if not case.right(swapped):
        return None
    winner = _winner(case)
    if winner is None:
        return None
    text = (
        f"This trick brings you {the(first)} from the stock and {case.north} {the(second)}; "
        f"it should be the other way round."
        if winner == case.me
        else f"This trick brings {case.north} {the(first)} from the stock and you {the(second)}; "
        f"it should be the other way round."
    )
    facts = {"answer": case.answer, "cards": (first, second), "winner": winner}
    return Reason("draw order", text, facts)


def _winner(case: Case) -> Side | None:
    """Return who wins the trick, with every good reply to a lead; None where that differs."""
    if case.position.led is not None:
        return case.after.turn
    winners = {
        case.other if case.wins_against(move.card, case.card) else case.me
        for move in case.refutations
        if move.card is not None and case.card is not None
    }
    return winners.pop() if len(winners) == 1 else None


def exchange_now(case: Case) -> Reason | None:
    """The turn-up has to be taken in exchange now."""
    if EXCHANGE in case.answer or not case.rivals:
        return None
    if not all(EXCHANGE in answer for answer in case.rivals):
        return None
    turn_up = case.position.stock[-1]
    low = case.row.exchange_card(case.position.trump)
    text = f"Exchange {the(low)} for {the(turn_up)} first; no other choice is as good."
    return Reason("exchange", text, {"best": case.best})


def exchange_feeds(case: Case) -> Reason | None:
    """Taking the turn-up only brings a dear card into play for the other side to win."""
    if EXCHANGE not in case.answer or EXCHANGE in case.best:
        return None
    turn_up = case.position.stock[-1]
    worth = case.row.value(turn_up)
    if not worth or not case.fits_with_points(case.after, theirs=-worth):
        return None
    text = (
        f"The exchange brings {the(turn_up)} into play, and its {card_points(worth)} go to "
        f"{case.north}."
    )
    return Reason("exchange feeds", text, {"answer": case.answer, "points": worth})
