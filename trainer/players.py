"""Players of different strength, who never look at a concealed card.

A player is given what its side has seen, with itself as South, and a source of chance; it returns a
move. :func:`trainer.rules.knowledge.views` tells what either side has seen. Whatever a player
imagines of the concealed cards it draws from that, so that the true cards cannot change its choice.
:func:`face_up` turns a position into the view of somebody to whom every card is shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from trainer.rules.cards import KING, QUEEN, Card, Hand, cards_in, make_card, rank_of, suit_cards
from trainer.rules.cards import suit_of as suit
from trainer.rules.knowledge import Views, views
from trainer.rules.play import marriages, play, reply_wins, sensible_moves
from trainer.rules.position import (
    CLAIM,
    CLOSE,
    DRAW,
    EXCHANGE,
    NORTH,
    SOUTH,
    Kind,
    Move,
    Position,
    Table,
    View,
    count_hands,
    count_layouts,
    layouts,
    sample_layouts,
)
from trainer.search.concealed import Study, Tally, decides
from trainer.search.double_dummy import DoubleDummy

Player = Callable[[View, Random], Move]
"""What a side has seen, itself as South and to move, and a source of chance, to its move."""

DEAR = 3
"""Card points of a Queen: from there on a fair player spends a trump on a card."""
TRUMP, PARTNER = 20, 40
"""Card points that it is reckoned to keep a trump, and half of a marriage."""
HOPE = 6
"""Cards in the stock from which on a fair player hopes to draw the partner of a King or Queen."""
DECIDED = 40
"""Card points that a game point is reckoned as, by who looks only a few tricks ahead."""
FAILURE = 2 * DECIDED
"""Card points that a closing costs which has not succeeded."""
OPEN_TRICKS = 2
"""Tricks that a player looks ahead at most while cards are drawn: any card may be played then."""
MANY_HANDS = 500
"""Hands of the other side up to which the strong player weighs what can follow a closing."""
MOST_NODES = 1_000_000
"""Positions that a sampling player looks at for one move: some tenths of a second."""
STRONG_SAMPLES = {0: 60, 4: 40, 6: 24, 8: 16}
"""Layouts that the strong player samples, by the least number of cards in the open stock."""


def face_up(position: Position) -> View:
    """Return what somebody sees to whom every card is shown, the stock in its order too."""
    return View(
        hand=position.hands[SOUTH],
        known=position.hands[NORTH],
        stock=position.stock,
        **{name: getattr(position, name) for name in Table.__slots__},
    )


def play_out(
    start: Position, players: Sequence[Player], rng: Random
) -> Iterator[tuple[Position, Views, Move]]:
    """Yield every choice of a deal: the position, what both sides have seen of it, and the move.

    South's player comes first. Raises ValueError when the start does not tell the tricks won.
    """
    moves: deque[Move] = deque()
    seen = views(start, iter(moves.popleft, None))
    position = start
    while position.over is None:
        both = next(seen)
        move = players[position.turn](both[position.turn], rng)
        yield position, both, move
        position = play(position, move)
        moves.append(move)


# -------------------------------------------------------------------------- without any search


def careless(view: View, rng: Random) -> Move:
    """Take all there is to be had in this trick: what a beginner plays.

    It exchanges and declares when it can, never closes and never shows a marriage; it leads what
    is least likely to be beaten, and to a lead it plays what wins the most or loses the least.
    """
    moves = _moves(view)
    for kind in (Kind.CLAIM, Kind.EXCHANGE, Kind.DRAW):
        if found := [move for move in moves if move.kind is kind]:
            return found[0]
    if view.led is not None:
        return _most(moves, lambda move: _gain(view, _card(move)), rng)
    declared = [move for move in moves if move.kind is Kind.MARRIAGE]
    row, trump = view.variant, view.trump
    if declared:
        return _most(
            declared,
            lambda move: (row.marriage_value(suit(_card(move)), trump), row.value(_card(move))),
            rng,
        )
    cards = [move for move in moves if move.kind is Kind.CARD]
    return _most(cards, lambda move: (-_higher(view, _card(move)), row.value(_card(move))), rng)


def forgetful(view: View, rng: Random) -> Move:
    """Forget all that may be done beside playing a card, and spare the good cards: a shy beginner.

    It does not exchange, declare or show; it closes rather than draw, and to a lead it plays what
    counts least.
    """
    moves = _moves(view)
    first = [CLAIM, CLOSE, DRAW] if view.undrawn else [CLAIM]
    for move in first:
        if move in moves:
            return move
    cards = [move for move in moves if move.kind is Kind.CARD]
    row = view.variant
    if view.led is not None:
        return _most(cards, lambda move: -row.value(_card(move)), rng)
    return _most(cards, lambda move: (-_higher(view, _card(move)), row.value(_card(move))), rng)


def fair(view: View, rng: Random) -> Move:
    """Play by sensible rules: count, keep marriages and trumps, cash what cannot be beaten.

    It closes when its best cards and its marriages bring it home by themselves.
    """
    moves = _moves(view)
    if CLAIM in moves:
        return CLAIM
    shows = [move for move in moves if move.kind is Kind.SHOW]
    if shows:
        return shows[0]
    if EXCHANGE in moves:
        return EXCHANGE
    if CLOSE in moves and view.card_points[SOUTH] + _sure_points(view) >= view.variant.goal:
        return CLOSE
    if DRAW in moves:
        return DRAW
    if view.led is not None:
        return _fair_reply(view, moves, rng)
    return _fair_lead(view, moves, rng)


def _fair_lead(view: View, moves: list[Move], rng: Random) -> Move:
    row = view.variant
    declared = [move for move in moves if move.kind is Kind.MARRIAGE]
    if declared:  # the Queen, the King being the better to keep
        return _most(
            declared,
            lambda move: (
                row.marriage_value(suit(_card(move)), view.trump),
                -row.value(_card(move)),
            ),
            rng,
        )
    cards = [move for move in moves if move.kind is Kind.CARD]
    if not _drawing(view):
        sure = [move for move in cards if _sure(view, _card(move))]
        if sure:
            return _most(
                sure, lambda move: (suit(_card(move)) == view.trump, row.value(_card(move))), rng
            )
        return _most(cards, lambda move: (-_higher(view, _card(move)), row.value(_card(move))), rng)
    return _most(cards, lambda move: -_regret(view, _card(move)), rng)


def _fair_reply(view: View, moves: list[Move], rng: Random) -> Move:
    row, led = view.variant, view.led
    assert led is not None
    wins = [move for move in moves if reply_wins(view, led, _card(move))]
    followed = [move for move in wins if suit(_card(move)) != view.trump]
    if followed and (not _drawing(view) or row.value(led) or row.value(_card(followed[0])) >= DEAR):
        kept = [move for move in followed if not _pairs(view, _card(move))]
        if kept:
            return _most(kept, lambda move: row.value(_card(move)), rng)
    if wins and (not _drawing(view) or row.value(led) >= DEAR):
        return _most(wins, lambda move: -_regret(view, _card(move)), rng)
    cards = [move for move in moves if move not in wins] or moves
    return _most(cards, lambda move: -_regret(view, _card(move)), rng)


def _moves(view: View) -> list[Move]:
    """Return South's sensible moves; they are the same in every layout."""
    return sensible_moves(next(layouts(view)))


def _card(move: Move) -> Card:
    assert move.card is not None
    return move.card


def _most(moves: Sequence[Move], worth: Callable[[Move], object], rng: Random) -> Move:
    """Return the move that is worth the most, one of them by chance where they are equal."""
    ranked = [(worth(move), move) for move in moves]
    best = max(ranked, key=lambda item: item[0])[0]  # type: ignore[arg-type, return-value]
    return rng.choice([move for value, move in ranked if value == best])


def _drawing(view: View) -> bool:
    return bool(view.stock) and view.closed is None


def _out(view: View) -> Hand:
    """Return the cards that North holds or may hold."""
    return view.unseen & ~view.lacks | view.known if view.concealed else view.known


def _higher(view: View, card: Card) -> int:
    """Return how many cards that may be out against a lead beat it within its suit."""
    others = cards_in(suit_cards(_out(view), suit(card)))
    return sum(view.variant.beats(other, card, view.trump) for other in others)


def _sure(view: View, card: Card) -> bool:
    """Return whether nothing that may be out beats a card, a ruff included."""
    trumps = suit_cards(_out(view), view.trump)
    return not _higher(view, card) and (suit(card) == view.trump or not trumps)


def _gain(view: View, card: Card) -> int:
    """Return what a reply takes, in card points, negative where it gives them."""
    assert view.led is not None
    points = view.variant.value(view.led) + view.variant.value(card)
    return points if reply_wins(view, view.led, card) else -points


def _pairs(view: View, card: Card) -> bool:
    """Return whether a card is half of a marriage that is held, or that may yet be drawn."""
    if rank_of(card) not in (KING, QUEEN) or not (_drawing(view) or view.variant.marriage_late):
        return False
    partner = make_card(suit(card), QUEEN if rank_of(card) == KING else KING)
    drawn = view.unseen if _drawing(view) and len(view.stock) >= HOPE else 0
    return bool((view.hand | drawn) >> partner & 1)


def _regret(view: View, card: Card) -> int:
    """Return how unwelcome it is to part with a card: its points, and more for what it can do."""
    more = TRUMP if suit(card) == view.trump else 0
    return view.variant.value(card) + more + (PARTNER if _pairs(view, card) else 0)


def _sure_points(view: View) -> int:
    """Return what the cards that nothing of their suit can beat bring, marriages included."""
    row = view.variant
    best = [card for card in cards_in(view.hand) if not _higher(view, card)]
    points = sum(map(row.value, best))
    if row.marriage_late and (best or view.tricks[SOUTH]):
        points += sum(row.marriage_value(each, view.trump) for each in marriages(view.hand))
    return points


# ------------------------------------------------------------------------ looking a little ahead


@dataclass(frozen=True)
class Looking:
    """A player that imagines so many layouts and looks so many tricks ahead in each.

    Beyond these it counts the card points won, and a closing that has not succeeded by then as a
    failure. While cards are drawn it looks no more than ``OPEN_TRICKS`` ahead.
    """

    layouts: int
    tricks: int

    def __call__(self, view: View, rng: Random) -> Move:
        """Return the move that does best on average; of equal ones a fair player's."""
        moves = _moves(view)
        if len(moves) == 1:
            return moves[0]
        totals = dict.fromkeys(moves, 0.0)
        tricks = min(self.tricks, OPEN_TRICKS) if _drawing(view) else self.tricks
        ahead = sum(view.tricks) + tricks
        for position in _imagined(view, self.layouts, rng):
            for move in moves:
                totals[move] += _ahead(play(position, move), ahead, -1e9, 1e9)
        return _preferred(totals, view, rng)


def _ahead(position: Position, until: int, alpha: float, beta: float) -> float:
    """Return what a position is worth to South when so many tricks have been played."""
    if position.over is not None:
        return position.over.value(SOUTH) * DECIDED + _margin(position)
    if position.led is None and sum(position.tricks) >= until:
        return _margin(position)
    moves = sensible_moves(position)
    for move in moves:
        if move.kind in (Kind.CLAIM, Kind.SHOW, Kind.DRAW):
            return _ahead(play(position, move), until, alpha, beta)
    best = -1e9 if position.turn == SOUTH else 1e9
    for move in moves:
        if move.kind not in (Kind.CARD, Kind.MARRIAGE):
            continue
        value = _ahead(play(position, move), until, alpha, beta)
        if position.turn == SOUTH:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


def _margin(position: Position) -> float:
    """Return South's card points less North's, what is not good yet by half, and a close."""
    south, north = position.card_points
    waiting_south, waiting_north = position.provisional
    margin = south - north + (waiting_south - waiting_north) / 2
    if position.closed is not None and position.over is None:
        margin += -FAILURE if position.closed.side == SOUTH else FAILURE
    return margin


def _imagined(view: View, count: int, rng: Random) -> Iterator[Position]:
    """Yield so many layouts, or all that there are if they are no more.

    Where the tricks won are not told a view that shows every card yields its one layout again and
    again.
    """
    all_of_them = count_layouts(view)
    if all_of_them <= count:
        return islice(layouts(view), all_of_them)
    return sample_layouts(view, count, rng)


def _preferred(figures: dict[Move, float], view: View, rng: Random) -> Move:
    """Return the move with the highest figure; of equal ones a fair player's, if among them."""
    best = max(figures.values())
    equal = [move for move, figure in figures.items() if figure >= best - 1e-9]
    natural = fair(view, rng)
    return natural if natural in equal else rng.choice(equal)


# -------------------------------------------------------------------------------- searching


@dataclass(frozen=True)
class Sampling:
    """A player that imagines so many layouts and solves each to the end of the deal.

    It takes the average as if the cards were seen in each, and so closes too boldly. What it has
    not solved after looking at ``MOST_NODES`` positions it leaves out.
    """

    layouts: int

    def __call__(self, view: View, rng: Random) -> Move:
        """Return the move that does best on average; of equal ones a fair player's."""
        moves = _moves(view)
        if len(moves) == 1:
            return moves[0]
        totals = dict.fromkeys(moves, 0.0)
        solver = DoubleDummy()
        for position in _imagined(view, self.layouts, rng):
            values: dict[Move, int] = {}
            for values in solver.evaluate_steps(position):  # noqa: B007
                if solver.nodes > MOST_NODES:
                    break
            if len(values) < len(moves):
                break
            for move, value in values.items():
                totals[move] += value
        return _preferred(totals, view, rng)


def strong(view: View, rng: Random) -> Move:
    """Play as well as can be done in under a second a move.

    Where few hands are possible, what settles the stock is judged by the best fixed plan for it,
    which does not lean on cards it cannot see, and everything else by the average over layouts.
    """
    if len(_moves(view)) == 1:
        return _moves(view)[0]
    size = len(view.stock) if _drawing(view) else 0
    samples = STRONG_SAMPLES[max(least for least in STRONG_SAMPLES if least <= size)]
    if count_layouts(view) == 1 or count_hands(view) > MANY_HANDS:
        return Sampling(samples)(view, rng)
    study = Study(view, samples, rng.randrange(1 << 30))
    for _ in study.steps():
        pass
    figures: dict[Move, float] = {}
    for answer, tally in study.tallies.items():
        if decides(answer):
            figures[answer[0]] = max(figures.get(answer[0], -9.0), _sound(tally))
    return _preferred(figures, view, rng)


def _sound(tally: Tally) -> float:
    return tally.mean if tally.low is None else tally.low


LADDER: dict[str, Player] = {
    "careless": careless,
    "fair": fair,
    "one trick ahead": Looking(1, 1),
    "two tricks ahead": Looking(3, 2),
    "three tricks ahead": Looking(4, 3),
    "four layouts solved": Sampling(4),
    "strong": strong,
}
"""Players of rising strength, by name."""
