"""What happens in the tricks: cards that fall, that give points, that are needed later.

Each function looks at one choice beside the best one and returns its reason, None where it does not
hold. A fact counts only where search shows that it matters: without it the choice would be right.
"""

from __future__ import annotations

from typing import Literal

from trainer.explain.case import Case, Reason, suit_length
from trainer.explain.words import The, card_points, listed, rank, the
from trainer.rules.cards import SUIT_NAMES, Card, cards_in, suit_cards, suit_of
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import DRAW, Kind, Move, Position
from trainer.rules.variants import Duty

Matters = Literal["points", "lead", "both", "first", "trick"]
"""What losing a trick costs: its card points, the lead, both; that it is the other side's first; or
the trick as such, since a reply that leaves it would not do."""


# ------------------------------------------------------------------- a card led, and who takes it


def falls(case: Case) -> Reason | None:
    """The card led is taken, and every good reply takes it."""
    led, replies = case.card, case.refutations
    if not case.leads or led is None or not replies:
        return None
    takers = _takers(case, led)
    if takers is None:
        return None
    matters = _why_taken(case, takers)
    if matters is None:
        return None
    reply = case.solver.best_move(case.after)
    taker = reply.card if reply.card in takers else next(iter(takers))
    assert taker is not None
    points = case.row.value(led) + case.row.value(taker)
    trumped = suit_of(led) != suit_of(taker)
    text = (
        f"{case.north} trumps {the(led)} with {the(taker)}"
        if trumped
        else f"{The(led)} falls to {case.north}'s {rank(taker)}"
        if case.row.value(led) >= 10
        else f"{case.north}'s {rank(taker)} takes {the(led)}"
    )
    follows = _what_follows(case, takers[taker])
    if matters != "lead":
        text += f": {card_points(points)}"
    if matters == "first":
        text += ", a first trick"
    elif matters != "points":
        text += f", and {case.north} {follows or 'has the lead'}"
    facts = {"answer": case.answer, "takers": tuple(takers), "matters": matters, "points": points}
    return Reason("trumped" if trumped else "falls", f"{text}.", facts)


def _takers(case: Case, led: Card) -> dict[Card, Position] | None:
    """Return the cards by which the other side refutes a lead, None unless all win the trick."""
    found = {}
    for move, then in case.refutations.items():
        if move.kind is not Kind.CARD or move.card is None or not case.wins_against(move.card, led):
            return None
        found[move.card] = then
    return found


def _why_taken(case: Case, takers: dict[Card, Position]) -> Matters | None:
    """Return what losing the trick costs: its card points, the lead, both, or the trick itself."""
    led = case.card
    assert led is not None
    points = {card: case.row.value(led) + case.row.value(card) for card in takers}
    if _gives_first_trick(case):
        return "first"
    if all(case.fits_with_points(then, theirs=-points[card]) for card, then in takers.items()):
        return "points"
    with_lead = [case.with_lead(then, case.me) for then in takers.values()]
    if all(then is not None and case.right(then) for then in with_lead):
        return "lead"
    if all(
        then is not None and case.fits_with_points(then, theirs=-points[card])
        for card, then in zip(takers, with_lead, strict=True)
    ):
        return "both"
    free = any(
        move.kind is Kind.CARD and move.card not in takers for move in sensible_moves(case.after)
    )
    return "trick" if free else None


def _gives_first_trick(case: Case) -> bool:
    """Return whether the best choice keeps the other side without a trick, and a trick costs."""
    by_tricks = case.row.schwarz == "tricks" and not case.before.tricks[case.other]
    return by_tricks and case.level(case.best_value) == 3 and case.value > 0


def _what_follows(case: Case, then: Position) -> str:
    """Return what the other side does with the lead, where only one thing refutes the choice."""
    if then.undrawn and not case.right(drawn := play(then, DRAW)):
        then = drawn
    if then.over is not None or then.turn == case.me:
        return ""
    moves = [move for move in sensible_moves(then) if not case.right(play(then, move))]
    goal = case.row.goal
    if not moves:
        return ""
    if all(move.kind is Kind.CLOSE for move in moves):
        return "closes the stock"
    if all(move.kind in (Kind.CLAIM, Kind.SHOW) for move in moves):
        return f"announces {goal}"
    suits = {suit_of(move.card) for move in moves if move.card is not None}
    if all(move.kind is Kind.MARRIAGE for move in moves) and len(suits) == 1:
        (suit,) = suits
        worth = case.row.marriage_value(suit, then.trump)
        return f"declares the marriage in {SUIT_NAMES[suit]} ({worth})"
    return ""


def only_reply(case: Case) -> Reason | None:
    """One reply alone refutes the choice, and does not win the trick."""
    if case.card is None or not case.leads or len(case.refutations) != 1:
        return None
    ((move, _),) = case.refutations.items()
    replies = [each for each in sensible_moves(case.after) if each.kind is Kind.CARD]
    if move.card is None or move.kind is not Kind.CARD or len(replies) < 2:
        return None
    if case.wins_against(move.card, case.card):
        return None
    text = f"{case.north} has one answer: let {the(case.card)} win and throw {the(move.card)}."
    return Reason("only reply", text, {"answer": case.answer, "reply": move.card})


# ------------------------------------------------------------------------------ a card that follows


def throws_points(case: Case) -> Reason | None:
    """A dear card is thrown on a lost trick where a cheaper one does."""
    mine, cheap = case.card, case.best_card
    if mine is None or cheap is None or case.position.led is None:
        return None
    if case.wins_trick(mine) or case.wins_trick(cheap):
        return None
    more = case.row.value(mine) - case.row.value(cheap)
    if more <= 0 or not case.fits_with_points(case.after, theirs=-more):
        return None
    few = case.row.value(cheap)
    instead = f"only {few}" if few else "none"
    text = (
        f"{The(mine)} gives {case.north} {card_points(case.row.value(mine))}, "
        f"{the(cheap)} {instead}."
    )
    facts = {"answer": case.answer, "instead": cheap, "points": more}
    return Reason("throws points", text, facts)


def lets_go(case: Case) -> Reason | None:
    """A trick is left to the other side that the best choice wins."""
    mine, winner, led = case.card, case.best_card, case.position.led
    if mine is None or winner is None or led is None:
        return None
    if case.wins_trick(mine) or not case.wins_trick(winner):
        return None
    points = case.row.value(led) + case.row.value(mine)
    gain = case.row.value(led) + case.row.value(winner)
    with_lead = case.with_lead(case.after, case.me)
    matters: Matters
    if _gives_first_trick(case):
        matters = "first"
    elif case.fits_with_points(case.after, mine=gain, theirs=-points):
        matters = "points"
    elif with_lead is not None and case.right(with_lead):
        matters = "lead"
    else:
        return None
    how = f"{the(winner)} would win it"
    facts = {"answer": case.answer, "winner": winner, "points": points, "matters": matters}
    if matters == "lead":
        follows = _what_follows(case, case.after)
        text = f"{case.north} wins with {the(led)} and {follows or 'keeps the lead'}; {how}."
    else:
        text = f"The trick with {the(led)} brings {case.north} {card_points(points)}; {how}."
    return Reason("lets it go", text, facts)


def must_be_won(case: Case) -> Reason | None:
    """The trick must not be left to the other side: each card that does so is worse."""
    mine, winner, led = case.card, case.best_card, case.position.led
    if mine is None or winner is None or led is None:
        return None
    if case.wins_trick(mine) or not case.wins_trick(winner):
        return None
    if any(case.right(play(case.before, move)) for move in _replies(case, wins=False)):
        return None
    points = case.row.value(led) + case.row.value(mine)
    text = f"{case.north} must not have this trick, {card_points(points)}: {the(winner)} wins it."
    facts = {"answer": case.answer, "winner": winner, "points": points}
    return Reason("must be won", text, facts)


def must_be_left(case: Case) -> Reason | None:
    """The trick is better left to the other side: each card that wins it is worse."""
    mine, best, led = case.card, case.best_card, case.position.led
    if mine is None or best is None or led is None:
        return None
    if not case.wins_trick(mine) or case.wins_trick(best):
        return None
    winners = _replies(case, wins=True)
    if len(winners) < 2 or any(case.right(play(case.before, move)) for move in winners):
        return None
    text = f"Leave {the(led)} to {case.north}: each card of yours that takes it is worse."
    return Reason("must be left", text, {"answer": case.answer})


def _replies(case: Case, wins: bool) -> list[Move]:
    """Return the cards that may follow and win the trick, or lose it."""
    return [
        move
        for move in sensible_moves(case.before)
        if move.card is not None and case.wins_trick(move.card) == wins
    ]


def takes_dear(case: Case) -> Reason | None:
    """The trick could be won with a card that brings more card points."""
    mine, dear = case.card, case.best_card
    if mine is None or dear is None or case.position.led is None:
        return None
    if not (case.wins_trick(mine) and case.wins_trick(dear)):
        return None
    more = case.row.value(dear) - case.row.value(mine)
    if more <= 0 or not case.fits_with_points(case.after, mine=more):
        return None
    text = f"{The(dear)} brings {card_points(more)} more home with this trick than {the(mine)}."
    return Reason("takes too little", text, {"answer": case.answer, "points": more, "dear": dear})


def unguarded(case: Case) -> Reason | None:
    """The card played leaves a high card of its suit alone, which then falls."""
    mine = case.card
    if mine is None or case.best_card == mine:
        return None
    suit, after = suit_of(mine), case.after
    held = list(cards_in(suit_cards(after.hands[case.me], suit)))
    if len(held) != 1 or case.row.value(held[0]) < 3 or after.over is not None:
        return None
    (alone,) = held
    if case.row.value(alone) <= case.row.value(mine) or after.led == alone:
        return None
    higher = [
        card
        for card in cards_in(suit_cards(after.hands[case.other], suit))
        if case.row.strength(card) > case.row.strength(alone)
    ]
    if len(higher) != 1 or suit_length(case.best_after, case.me, suit) < 2:
        return None
    (catcher,) = higher
    changed = case.replaced(after, case.other, catcher)
    if changed is None or not case.right(changed):
        return None
    points = case.row.value(alone) + case.row.value(catcher)
    text = (
        f"{The(mine)} leaves the {rank(alone)} unguarded against {case.north}'s "
        f"{rank(catcher)}: {card_points(points)}."
    )
    facts = {"answer": case.answer, "alone": alone, "catcher": catcher}
    return Reason("unguarded", text, facts)


def keep(case: Case) -> Reason | None:
    """The card played is needed later: to take a card, to guard one, or as an Ace, Ten or trump."""
    mine, best = case.card, case.best_card
    if mine is None or best is None or best == mine or not case.same_start:
        return None
    after = case.best_after
    if after.over is not None or after.hands[case.me].bit_count() < 2:
        return None
    without = case.replaced(after, case.me, mine)
    if without is None or case.worth(without) > case.value:
        return None
    caught, guarded = _caught(case, mine), _guarded(case, mine)
    facts = {"answer": case.answer, "best": case.best, "kept": mine}
    if caught is not None:
        text = f"Keep {the(mine)}: it is to take {the(caught)}."
        return Reason("keep to take", text, {**facts, "caught": caught})
    if guarded is not None:
        high, threat = guarded
        text = f"Keep {the(mine)}: it guards {the(high)} against {case.north}'s {rank(threat)}."
        return Reason("keep a guard", text, {**facts, "guarded": high, "threat": threat})
    if case.row.value(mine) < 10 and suit_of(mine) != case.position.trump:
        return None
    text = f"Keep {the(mine)} for later: {the(best)} does here."
    return Reason("keep", text, facts)


def _caught(case: Case, keeper: Card) -> Card | None:
    """Return the other side's card that a kept card takes in the best line.

    Were that card harmless, nothing would be lost by playing the keeper now.
    """
    position = case.best_after
    for move in case.solver.principal_variation(position):
        led = position.led
        position = play(position, move)
        if led is None or move.card is None:
            continue
        low = move.card if led == keeper else led
        if keeper not in (led, move.card) or not case.wins_against(keeper, low):
            continue
        changed = case.replaced(case.after, case.other, low)
        matters = changed is not None and case.right(changed)
        return low if matters and case.row.value(low) >= 3 else None
    return None


def _guarded(case: Case, guard: Card) -> tuple[Card, Card] | None:
    """Return a high card that a lower one guards, and the one card of the other side it fears.

    Were that card harmless, nothing would be lost by playing the guard now.
    """
    suit = suit_of(guard)
    mine = suit_cards(case.after.hands[case.me], suit)
    theirs = list(cards_in(suit_cards(case.after.hands[case.other], suit)))
    for high in cards_in(mine):
        higher = [card for card in theirs if case.row.strength(card) > case.row.strength(high)]
        if len(higher) != 1 or case.row.value(high) <= max(3, case.row.value(guard)):
            continue
        changed = case.replaced(case.after, case.other, higher[0])
        if changed is not None and case.right(changed):
            return high, higher[0]
    return None


# ------------------------------------------------------------------------------------------- trumps


def trump_left(case: Case) -> Reason | None:
    """The other side keeps a trump that the best lead draws."""
    position = case.before
    trump, lead = position.trump, case.best_card
    if lead is None or position.led is not None or suit_of(lead) != trump:
        return None
    if case.card is None or suit_of(case.card) == trump or not case.same_start:
        return None
    if case.best_after.open_stock:
        return None
    trumps = list(cards_in(suit_cards(position.hands[case.other], trump)))
    if not trumps:
        return None
    changed: Position | None = case.after
    for card in trumps:
        changed = changed and case.replaced(changed, case.other, card)
    if changed is None or not case.right(changed):
        return None
    text = (
        f"{The(lead)} draws {case.north}'s last trump, {the(trumps[0])}; it must not be left out."
        if len(trumps) == 1
        else f"{case.north} still has {listed(map(the, trumps))}: draw trumps with {the(lead)} "
        f"first."
    )
    facts = {"answer": case.answer, "trumps": tuple(trumps), "lead": lead}
    return Reason("last trump" if len(trumps) == 1 else "trumps", text, facts)


def duty(case: Case) -> Reason | None:
    """The best lead makes use of the duty to beat the card led, or to trump."""
    lead, position = case.best_card, case.before
    if lead is None or position.led is not None or case.best_after.led != lead:
        return None
    if case.best_after.open_stock or case.best_after.over is not None:
        return None
    replies = [move.card for move in sensible_moves(case.best_after) if move.kind is Kind.CARD]
    duties: list[Duty] = ["head", "trump"]
    for word in duties:
        left = tuple(each for each in case.row.duties if each != word)
        if left == case.row.duties or case.under(case.best_after, duties=left) > case.value:
            continue
        if not all(card is not None and case.wins_against(card, lead) for card in replies):
            continue
        verb = "beat" if word == "head" else "trump"
        text = f"{case.north} has to {verb} {the(lead)}"
        only = [card for card in replies if card is not None]
        text += f", and only {the(only[0])} can." if len(only) == 1 else "."
        return Reason(f"duty to {word}", text, {"best": case.best, "duty": word, "lead": lead})
    return None
