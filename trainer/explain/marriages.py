"""Announcing and marriages: said in time, too early, broken, or led with the wrong card."""

from __future__ import annotations

from trainer.explain.case import Case, Reason
from trainer.explain.words import The, card_points, number, rank, the
from trainer.rules.cards import KING, QUEEN, SUIT_NAMES, Card, make_card, rank_of, suit_of
from trainer.rules.play import is_false_claim, marriages, play, sensible_moves
from trainer.rules.position import Kind, Move


def false_claim(case: Case) -> Reason | None:
    """66 is announced without having it."""
    move = case.answer[-1]
    if not is_false_claim(case.before, move):
        return None
    count = case.after.card_points[case.me]
    short = case.row.goal - count
    text = (
        f"You have {count}, {number(short)} short of {case.row.goal}; announcing wrongly costs "
        f"{-case.value}."
    )
    return Reason("false claim", text, {"answer": case.answer, "count": count})


def announce(case: Case) -> Reason | None:
    """The count is there, or a marriage shown brings it: announcing ends the deal."""
    if case.answer[-1].kind in (Kind.CLAIM, Kind.SHOW) and case.answer != case.best:
        return None
    end = case.best[-1]
    if end.kind not in (Kind.CLAIM, Kind.SHOW):
        return None
    before = case.position
    for move in case.best[:-1]:
        before = play(before, move)
    count, goal = before.card_points[case.me], case.row.goal
    facts = {"best": case.best, "count": count}
    if end.kind is Kind.CLAIM:
        text = f"You have {count}: announce {goal} and the deal is won, worth {case.best_value}."
        return Reason("announce", text, facts)
    assert end.card is not None
    worth = case.row.marriage_value(suit_of(end.card), before.trump)
    text = (
        f"The marriage in {SUIT_NAMES[suit_of(end.card)]} makes {count} and {worth}, "
        f"{count + worth}: showing it ends the deal now."
    )
    return Reason("show", text, facts)


def unsaid(case: Case) -> Reason | None:
    """A King or Queen is led without declaring its marriage."""
    move = case.answer[-1]
    if move.kind is not Kind.CARD or move.card is None or not case.leads:
        return None
    said = Move(Kind.MARRIAGE, move.card)
    if said not in sensible_moves(case.before) or not case.right(play(case.before, said)):
        return None
    worth = case.row.marriage_value(suit_of(move.card), case.before.trump)
    text = (
        f"With {the(move.card)} you can declare the marriage: led without a word it loses "
        f"{card_points(worth)}."
    )
    return Reason("unsaid", text, {"answer": case.answer, "points": worth})


def king_or_queen(case: Case) -> Reason | None:
    """The marriage is right, but the other of its two cards has to be led."""
    mine, best = case.answer[-1], case.best[-1]
    if mine.kind is not Kind.MARRIAGE or best.kind is not Kind.MARRIAGE or not case.same_start:
        return None
    assert mine.card is not None
    assert best.card is not None
    if suit_of(mine.card) != suit_of(best.card) or mine.card == best.card:
        return None
    difference = abs(case.row.value(mine.card) - case.row.value(best.card))
    one_more = case.fits_with_points(case.after, mine=difference)
    one_less = case.fits_with_points(case.after, theirs=-difference)
    text = f"Keep {the(mine.card)} and lead the {rank(best.card)}"
    if one_more or one_less:
        text += f", since {card_points(difference)} decides"
    facts = {"answer": case.answer, "points": difference, "decides": one_more or one_less}
    return Reason("King or Queen", f"{text}.", facts)


def broken(case: Case) -> Reason | None:
    """A card of a marriage is played that would be worth its points later."""
    mine = case.card
    if mine is None or case.answer[-1].kind is Kind.MARRIAGE or not case.marriages_count:
        return None
    suit = suit_of(mine)
    if suit not in marriages(case.before.hands[case.me]) or case.after.over is not None:
        return None
    if suit in marriages(case.after.hands[case.me]):
        return None
    worth = case.row.marriage_value(suit, case.position.trump)
    if not case.fits_with_points(case.after, mine=worth):
        return None
    if suit_of(case.best[-1].card or 0) == suit and case.best[-1].kind is Kind.CARD:
        return None
    partner = make_card(suit, QUEEN if rank_of(mine) == KING else KING)
    text = (
        f"{The(mine)} breaks the marriage with the {rank(partner)}: "
        f"{card_points(worth)} are missing in the end."
    )
    return Reason("broken marriage", text, {"answer": case.answer, "points": worth})


def marriage_waits(case: Case) -> Reason | None:
    """The marriage can wait: a card that is sure to win keeps the lead for it."""
    move, first = case.answer[-1], case.best_card
    if move.kind is not Kind.MARRIAGE or first is None or case.best[-1].kind is not Kind.CARD:
        return None
    assert move.card is not None
    suit = suit_of(move.card)
    if not case.same_start or suit_of(first) == suit or not _holds_the_lead(case, suit):
        return None
    text = (
        f"The marriage in {SUIT_NAMES[suit]} can wait: {the(first)} wins the trick first and "
        f"keeps the lead."
    )
    return Reason("marriage waits", text, {"best": case.best, "suit": suit, "first": first})


def _holds_the_lead(case: Case, suit: int) -> bool:
    """Return whether after the best lead the marriage can be declared next and is right."""
    after = case.best_after
    if after.over is not None or after.open_stock or after.turn == case.me:
        return False
    for reply in sensible_moves(after):
        then = play(after, reply)
        while then.over is None and then.turn == case.other and then.led is not None:
            then = play(then, sensible_moves(then)[0])
        if then.over is not None or then.turn != case.me:
            return False
        if not any(
            move.card is not None
            and suit_of(move.card) == suit
            and move.kind in (Kind.MARRIAGE, Kind.SHOW)
            and case.right(play(then, move))
            for move in sensible_moves(then)
        ):
            return False
    return True


def marriage_now(case: Case) -> Reason | None:
    """The marriage has to be declared at once: its points are what the choice lacks.

    With them, and no marriage to come any more, the choice would be right.
    """
    best = case.best[-1]
    if best.kind is not Kind.MARRIAGE or best.card is None:
        return None
    suit = suit_of(best.card)
    if case.answer[-1].kind is Kind.MARRIAGE and suit_of(case.answer[-1].card or 0) == suit:
        return None
    worth = case.row.marriage_value(suit, case.position.trump)
    none: dict[str, int] = {"marriage": 0, "royal_marriage": 0}
    given = case.with_points(case.after, mine=worth)
    if given is None or case.under(given, **none) < case.best_value:
        return None
    if case.under(case.after, **none) >= case.best_value:
        return None
    count = case.best_after.card_points[case.me]
    text = (
        f"Declare the marriage in {SUIT_NAMES[suit]} now: with its {worth} you have {count}, "
        f"and later it comes too late."
    )
    return Reason("marriage now", text, {"answer": case.answer, "points": worth, "best": case.best})


def their_marriage(case: Case) -> Reason | None:
    """The other side comes to declare a marriage it holds."""
    after = case.after
    if after.over is not None or case.value >= case.best_value or not case.marriages_count:
        return None
    pairs = marriages(after.hands[case.other])
    if len(pairs) != 1:
        return None
    (suit,) = pairs
    worth = case.row.marriage_value(suit, after.trump)
    queen: Card = make_card(suit, QUEEN)
    changed = case.replaced(after, case.other, queen)
    if changed is None or not case.right(changed):
        return None
    if not case.fits_with_points(after, theirs=-worth):
        return None
    text = f"{case.north} gets in and declares the marriage in {SUIT_NAMES[suit]}: {worth}."
    return Reason("North's marriage", text, {"answer": case.answer, "suit": suit, "points": worth})
