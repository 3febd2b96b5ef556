"""Themes of the trick: what is played to it, who gets it, and what becomes of the lead."""

from __future__ import annotations

from trainer.explain.tricks import falls, keep, throws_points, unguarded
from trainer.rules.cards import RANKS, Card, rank_of, suit_cards, suit_of
from trainer.rules.play import marriages, play
from trainer.rules.position import CLOSE, Position
from trainer.search import Answer, play_answer
from trainer.themes.spot import Spot, played

TEN = RANKS.index("T")
LEAD = ("lead", "both")
"""What the loss of a trick costs where the lead is part of it."""
DEAR = 10
"""Card points from which a card is dear: those of an Ace or a Ten."""


# ---------------------------------------------------------------------------- in reply to a lead


def ducking(spot: Spot) -> bool:
    """A trick that could be won is left to the other side: every card that wins it loses."""
    winning = [answer for answer in spot.choices if spot.wins(played(answer))]
    return bool(winning) and all(answer in spot.wrong for answer in winning)


def taking_the_trick(spot: Spot) -> bool:
    """A poor trick is worth a dear card: to leave it to the other side loses.

    The card led counts less than ten, and every right choice wins it with a trump, an Ace or a
    Ten; every choice that does not win the trick is wrong.
    """
    led = spot.table.led
    if led is None or spot.row.value(led) >= DEAR or not spot.rights:
        return False
    leaving = any(not spot.wins(played(answer)) for answer in spot.wrong)
    return leaving and all(spot.wins(card) and _is_dear(spot, card) for card in spot.rights)


def _is_dear(spot: Spot, card: Card) -> bool:
    return spot.row.value(card) >= DEAR or suit_of(card) == spot.table.trump


def saving_a_trump(spot: Spot) -> bool:
    """A trump is kept that is needed later: every choice that plays one is wrong.

    To play it tempts: few other wrong choices lose less. With a harmless card in the place of that
    trump the right choice would be no better than the wrong one.
    """
    trump = spot.table.trump
    spent = [a for a in spot.choices if (c := played(a)) is not None and suit_of(c) == trump]
    if not spent or not spot.rights or spent[0] not in spot.tempting:
        return False

    def needed(layout: Position, wrong: Answer) -> bool:
        card = played(wrong)
        assert card is not None
        case = spot.case(layout, wrong)
        without = case.replaced(case.best_after, spot.me, card)
        return without is not None and spot.worth(without) <= case.value

    return spot.mostly(needed, spent[0])


def winning_cheaply(spot: Spot) -> bool:
    """The trick is won, but not with the dearest card: one that stands higher, or a trump, loses.

    Every right choice wins the trick. The wrong one wins it with a higher card of the same suit,
    or with a trump where the suit led would do.
    """
    if not spot.rights or not all(map(spot.wins, spot.rights)):
        return False
    return any(
        all(_dearer(spot, card, right) for right in spot.rights)
        for card in map(played, spot.wrong)
        if card is not None and spot.wins(card)
    )


def _dearer(spot: Spot, card: Card, than: Card) -> bool:
    """Return whether a card that wins the trick is more to part with than another."""
    if suit_of(card) == suit_of(than):
        return spot.row.strength(card) > spot.row.strength(than)
    return suit_of(card) == spot.table.trump


def bringing_points_home(spot: Spot) -> bool:
    """The trick is won with the card that counts more: a cheaper one loses for lack of points.

    Every right choice wins the trick; so does the wrong one, with a card that counts less. With
    the difference given to the mover it would be right.
    """
    if not spot.rights or not all(map(spot.wins, spot.rights)):
        return False
    least = min(map(spot.row.value, spot.rights))
    cheaper = [
        answer
        for answer in spot.wrong
        if (card := played(answer)) is not None and spot.wins(card) and spot.row.value(card) < least
    ]

    def lacks(layout: Position, wrong: Answer) -> bool:
        card = played(wrong)
        assert card is not None
        case = spot.case(layout, wrong)
        return case.fits_with_points(case.after, mine=least - spot.row.value(card))

    return spot.some(lacks, cheaper)


def throwing_cheaply(spot: Spot) -> bool:
    """A trick is lost with a card that counts little: a dearer one gives away points that decide.

    No right choice wins the trick. Nor does the wrong one; with the points it gives away taken
    back it would be right.
    """
    if not spot.rights or spot.table.led is None or any(map(spot.wins, spot.rights)):
        return False
    return spot.speaks(throws_points, spot.tempting)


# ---------------------------------------------------------------------------------- with the lead


def exit_(spot: Spot) -> bool:
    """The lead is given up on purpose: a card is led that the other side takes.

    Nobody draws any more. Every right choice leads a card that falls to each best reply, and the
    mover could have kept the lead: some wrong choice leads a card that nothing beats.
    """
    if not _ending(spot) or spot.table.led is not None or not spot.rights:
        return False
    return spot.some(
        lambda layout, wrong: (
            spot.unbeatable(layout, wrong)
            and all(spot.taken(layout, right) for right in spot.right)
        ),
        spot.wrong,
    )


def sure_tricks_first(spot: Spot) -> bool:
    """Tricks that nothing can beat are taken before the other side gets in.

    Nobody draws any more. Every right choice leads a card that no reply beats. Each tempting wrong
    one leads a card that every good reply takes, and it is the lead that this costs: had the mover
    it again, and perhaps the points of the trick, nothing would be lost.
    """
    if not _ending(spot) or spot.table.led is not None or not spot.rights:
        return False
    sure = spot.mostly(
        lambda layout, _: all(spot.unbeatable(layout, right) for right in spot.right),
        spot.wrong[0],
    )
    return sure and all(
        spot.speaks(falls, [wrong], lambda reason: reason.facts["matters"] in LEAD)
        for wrong in spot.tempting
    )


def throw_in(spot: Spot) -> bool:
    """The other side is put on lead, where every lead costs it.

    Nobody draws any more. After every right choice, and each best reply to it, the other side has
    the lead with at least two cards in each hand; were the lead the mover's instead, the position
    would be worth less.
    """
    if not _ending(spot) or not spot.rights:
        return False
    return spot.mostly(
        lambda layout, _: all(_lead_costs(spot, layout, answer) for answer in spot.right),
        spot.wrong[0],
    )


def _lead_costs(spot: Spot, layout: Position, answer: Answer) -> bool:
    after = play_answer(layout, answer)
    if layout.led is None:
        ends = [play(after, move) for move in spot.good_replies(layout, answer)]
    else:
        ends = [after]
    if not ends:
        return False
    case = spot.case(layout, answer)
    for end in ends:
        if end.over is not None or end.turn != spot.other or end.led is not None:
            return False
        mine = case.with_lead(end, spot.me)
        if end.hands[spot.me].bit_count() < 2 or mine is None:
            return False
        if spot.worth(mine) >= spot.worth(end):
            return False
    return True


def drawing_trumps(spot: Spot) -> bool:
    """Trumps are led, since a trump that the other side keeps would do harm.

    Nobody draws any more. Every right choice leads a trump; a wrong one leads a plain suit, and
    would be right if the other side's trumps were harmless cards.
    """
    if not _ending(spot) or spot.table.led is not None or not spot.rights:
        return False
    if any(suit_of(card) != spot.table.trump for card in spot.rights):
        return False
    return _their_trumps_matter(spot)


def forcing_out_a_trump(spot: Spot) -> bool:
    """A plain card is led that the other side trumps, since a trump it keeps would do harm.

    Nobody draws any more. Every right choice leads a plain card to which each best reply is a
    trump; a wrong one leads something else, and would be right if the other side's trumps were
    harmless cards.
    """
    trump = spot.table.trump
    if not _ending(spot) or spot.table.led is not None or not spot.rights:
        return False
    if any(suit_of(card) == trump for card in spot.rights):
        return False
    return _their_trumps_matter(spot) and spot.mostly(
        lambda layout, _: all(_trumped(spot, layout, answer) for answer in spot.right),
        spot.wrong[0],
    )


def _trumped(spot: Spot, layout: Position, answer: Answer) -> bool:
    """Return whether every best reply to a card led is a trump."""
    replies = [move.card for move in spot.good_replies(layout, answer)]
    return bool(replies) and all(
        card is not None and suit_of(card) == layout.trump for card in replies
    )


def _their_trumps_matter(spot: Spot) -> bool:
    """Return whether a tempting choice would be right if the other side had no trump."""
    trump = spot.table.trump

    def matter(layout: Position, answer: Answer) -> bool:
        case = spot.case(layout, answer)
        changed: Position | None = case.after
        trumps = suit_cards(layout.hands[spot.other], trump)
        for card in range(trumps.bit_length()):
            if trumps >> card & 1 and changed is not None:
                changed = case.replaced(changed, spot.other, card)
        return bool(trumps) and changed is not None and case.right(changed)

    plain = [
        answer
        for answer in spot.tempting
        if (card := played(answer)) is not None and suit_of(card) != trump
    ]
    return spot.some(matter, plain)


# ------------------------------------------------------------------------------- either of the two


def unblocking(spot: Spot) -> bool:
    """A card that stands in the way is got rid of, the other side's or one's own.

    Nobody draws any more, and every right choice plays a card of the same suit. Either it is led
    and forces out a higher card of the suit, so that one kept in it can win: see :func:`_frees`.
    Or it is a high card, and a lower one of its suit played first would leave it in the way: see
    :func:`_in_the_way`.
    """
    if not _ending(spot) or len(set(map(suit_of, spot.rights))) != 1:
        return False
    if spot.table.led is None and spot.mostly(
        lambda layout, wrong: _frees(spot, layout, wrong), spot.wrong[0]
    ):
        return True
    suit = suit_of(spot.rights[0])
    high = min(spot.rights, key=spot.row.strength)
    lower = [
        answer
        for answer in spot.choices
        if (card := played(answer)) is not None
        and suit_of(card) == suit
        and spot.row.strength(card) < spot.row.strength(high)
    ]
    return (
        bool(lower)
        and suit not in marriages(spot.layouts[0].hands[spot.me])
        and all(
            answer in spot.wrong
            and spot.mostly(lambda layout, wrong: _in_the_way(spot, layout, wrong), answer)
            for answer in lower
        )
    )


def _frees(spot: Spot, layout: Position, wrong: Answer) -> bool:
    """Return whether the best lead forces out a higher card that blocks one kept in the suit.

    Every right lead falls to a higher card of its suit. In the best line the mover then wins a
    trick with a card of the suit that this one stood over; with a harmless card in the place of
    that the best choice would be no better than the wrong one.
    """
    if not all(spot.taken(layout, right) for right in spot.right):
        return False
    taking = [move.card for move in spot.good_replies(layout, spot.best) if move.card is not None]
    led = spot.rights[0]
    if any(suit_of(card) != suit_of(led) for card in taking):
        return False
    freed = _winner_later(spot, layout, led)
    if freed is None or any(not spot.row.beats(card, freed, layout.trump) for card in taking):
        return False
    case = spot.case(layout, wrong)
    without = case.replaced(case.best_after, spot.me, freed)
    return without is not None and spot.worth(without) <= case.value


def _winner_later(spot: Spot, layout: Position, led: Card) -> Card | None:
    """Return a card of the suit led with which the mover wins a later trick in the best line."""
    position = play_answer(layout, spot.best)
    for move in spot.solver.principal_variation(position):
        first, side = position.led, position.turn
        position = play(position, move)
        if first is None or move.card is None or position.turn != spot.me:
            continue
        card = move.card if side == spot.me else first
        if suit_of(card) == suit_of(led):
            return card
    return None


def _in_the_way(spot: Spot, layout: Position, lower: Answer) -> bool:
    """Return whether a lower card is wrong, neither for the trick nor for what the cards count.

    The trick goes the same way with it, and it is wrong even if all that the two cards differ by is
    given to the mover and taken from the other side.
    """
    high, low = played(spot.best), played(lower)
    assert high is not None
    assert low is not None
    if spot.table.led is not None:
        alike = spot.wins(high) == spot.wins(low)
    elif spot.unbeatable(layout, spot.best):
        alike = spot.unbeatable(layout, lower)
    else:
        alike = spot.taken(layout, spot.best) and spot.taken(layout, lower)
    if not alike:
        return False
    more = spot.row.value(high) - spot.row.value(low)
    case = spot.case(layout, lower)
    less = min(more, layout.card_points[spot.other] - 1 if layout.tricks[spot.other] else 0)
    more = more if layout.tricks[spot.me] else 0
    return not case.fits_with_points(case.after, mine=more, theirs=-less)


def guarding_a_ten(spot: Spot) -> bool:
    """A low card is kept beside the Ten of its suit, so that the Ace does not catch it.

    A wrong choice plays the last guard of a Ten whose Ace the other side holds; with a harmless
    card in the place of that Ace it would be right. The right choices keep the guard.
    """
    return bool(spot.rights) and spot.speaks(
        unguarded, spot.wrong, lambda reason: rank_of(reason.facts["alone"]) == TEN
    )


def keeping_to_take(spot: Spot) -> bool:
    """A card is kept that is to take one of the other side's later: a wrong choice plays it now.

    Were the card that it takes a harmless one, it could be played now.
    """
    return bool(spot.rights) and spot.speaks(
        keep, spot.tempting, lambda reason: reason.kind == "keep to take"
    )


def _ending(spot: Spot) -> bool:
    """Return whether nobody draws after any right choice, and each plays a card."""
    table = spot.table
    return table.closed is not None or not table.stock or all(CLOSE in a for a in spot.right)
