"""What there is to see of a table, in the words and the order in which it is drawn.

Both drawings, the static SVG and the card table in the notebook, are made from a
:class:`Picture`, so that they show the same and neither needs to know the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trainer.notation import format_table
from trainer.rules import (
    NORTH,
    SOUTH,
    Card,
    Kind,
    Move,
    Position,
    View,
    card_code,
    card_name,
    cards_in,
    play,
    reply_wins,
)
from trainer.rules.cards import (
    KING,
    RANK_NAMES,
    SUIT_NAMES,
    SUITS,
    make_card,
    rank_of,
    suit_of,
)
from trainer.rules.knowledge import views
from trainer.rules.position import SIDE_NAMES, Side
from trainer.rules.variants import Variant

Table = Position | View

BEFORE = "Before the choice."
"""What is said of the table before the first move of a line."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of the table. Cards are two letters, ``HT``; None is a card face down."""

    name: str
    cards: tuple[str | None, ...]
    counts: str
    """Card points and tricks, in words."""
    taken: tuple[tuple[str, str], ...] = ()
    """The tricks won, led card first; shown when cards are concealed, since they are then out."""
    turn: str = ""
    """What this side is to do, ``to lead``; empty for the side that waits."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn of a table. Pairs are South's, then North's."""

    line: str
    """The position line."""
    title: str
    """The name of the game."""
    trump: str
    """The letter of the trump suit."""
    trump_text: str
    south: Seat
    north: Seat
    stock: tuple[str | None, ...]
    """In drawing order, the turn-up last."""
    closer: str
    """Who closed the stock; empty while it is not closed."""
    stock_text: str
    trick: tuple[str | None, str | None]
    """The card each side has on the table."""
    lead: Side | None
    """Who led the trick on the table."""
    winner: Side | None
    """Who won it, if it is complete."""
    notes: tuple[str, ...]
    """The rest: marriages declared, carry, match, how the deal ended."""
    description: str
    """All of this in sentences, for readers who do not see it."""


def plural(number: int, noun: str) -> str:
    """Return ``1 trick``, ``2 tricks``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def list_words(words: list[str], last: str = "and") -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def sort_cards(hand: int, variant: Variant) -> list[Card]:
    """Return the cards of a hand by suit, spades first, and from high to low."""
    return sorted(cards_in(hand), key=lambda card: (suit_of(card), -variant.strength(card)))


def name_cards(cards: list[Card]) -> str:
    """Return cards in words, suit by suit: ``Ace and King of spades, Ten of hearts``."""
    suits: dict[int, list[str]] = {}
    for card in cards:
        suits.setdefault(suit_of(card), []).append(RANK_NAMES[rank_of(card)])
    return ", ".join(f"{list_words(ranks)} of {SUIT_NAMES[suit]}" for suit, ranks in suits.items())


def picture(table: Table, trick: tuple[Card, Card] | None = None) -> Picture:
    """Return what there is to see of a table.

    ``trick`` is the trick just won, if it still lies on the table, led card first.
    """
    row = table.variant
    if isinstance(table, Position):
        south_cards = sort_cards(table.hands[SOUTH], row)
        north_cards = sort_cards(table.hands[NORTH], row)
        concealed = 0
        stock: tuple[Card | None, ...] = table.stock
        if table.closed is not None:
            stock = (*(None for _ in stock[:-1]), *stock[-1:])
    else:
        south_cards = sort_cards(table.hand, row)
        north_cards = sort_cards(table.known, row)
        concealed = table.concealed
        stock = table.stock
    on_table, lead, winner = _on_table(table, trick)
    south = _seat(table, SOUTH, [card_code(card) for card in south_cards], 0)
    north = _seat(table, NORTH, [card_code(card) for card in north_cards], concealed)
    stock_text = _stock_text(table, stock)
    notes = tuple(_notes(table))
    trump_text = f"{SUIT_NAMES[table.trump].capitalize()} are trumps"

    held = []
    if north_cards:
        held.append(name_cards(north_cards))
    if concealed:
        held.append(f"{plural(concealed, 'card')} face down")
    sentences = [row.title, trump_text, f"North holds {', '.join(held) or 'no cards'}"]
    sentences.append(f"South holds {name_cards(south_cards) or 'no cards'}")
    sentences.append(stock_text)
    for side, code in enumerate(on_table):
        if code is not None:
            verb = "led" if side == lead else "played"
            sentences.append(f"{SIDE_NAMES[side]} {verb} the {_name(code)}")
    for seat in (south, north):
        sentences.append(f"{seat.name} has {seat.counts}")
        for first, second in seat.taken:
            sentences.append(f"{seat.name} won the {_name(first)} and the {_name(second)}")
    sentences.extend(notes)
    sentences.extend(f"{seat.name} is {seat.turn}" for seat in (south, north) if seat.turn)
    return Picture(
        line=format_table(table),
        title=row.title,
        trump=SUITS[table.trump],
        trump_text=trump_text,
        south=south,
        north=north,
        stock=tuple(None if card is None else card_code(card) for card in stock),
        closer="" if table.closed is None else SIDE_NAMES[table.closed.side],
        stock_text=stock_text,
        trick=on_table,
        lead=lead,
        winner=winner,
        notes=notes,
        description=". ".join(sentences) + ".",
    )


def _name(code: str) -> str:
    return f"{RANK_NAMES['789JQKTA'.index(code[1])]} of {SUIT_NAMES[SUITS.index(code[0])]}"


def _on_table(
    table: Table, trick: tuple[Card, Card] | None
) -> tuple[tuple[str | None, str | None], Side | None, Side | None]:
    """Return the cards in the middle, who led, and who won."""
    if trick is not None:
        led, reply = trick
        winner = table.turn
        lead = 1 - winner if reply_wins(table, led, reply) else winner
        codes = (card_code(led), card_code(reply))
        return (codes if lead == SOUTH else codes[::-1]), lead, winner
    if table.led is None:
        return (None, None), None, None
    code = card_code(table.led)
    lead = 1 - table.turn
    return ((code, None) if lead == SOUTH else (None, code)), lead, None


def _seat(table: Table, side: Side, codes: list[str], concealed: int) -> Seat:
    counts = f"{plural(table.card_points[side], 'card point')}"
    if table.provisional[side]:
        counts += f" (and {table.provisional[side]} more once a trick is won)"
    counts += f", {plural(table.tricks[side], 'trick')}"
    taken: tuple[tuple[str, str], ...] = ()
    if isinstance(table, View) and table.won is not None:
        taken = tuple((card_code(led), card_code(reply)) for led, reply in table.won[side])
    return Seat(
        name=SIDE_NAMES[side],
        cards=(*codes, *(None for _ in range(concealed))),
        counts=counts,
        taken=taken,
        turn=_duty(table) if side == table.turn else "",
    )


def _duty(table: Table) -> str:
    if table.over is not None:
        return ""
    if table.undrawn:
        return "to draw or close"
    return "to lead" if table.led is None else "to play"


def _stock_text(table: Table, stock: tuple[Card | None, ...]) -> str:
    if not stock:
        return "The stock is gone"
    turn_up = stock[-1]
    named = "a card" if turn_up is None else f"the {card_name(turn_up)}"
    if table.closed is not None:
        closer = SIDE_NAMES[table.closed.side]
        return f"{closer} closed the stock: {plural(len(stock), 'card')}, with {named} turned down"
    hidden = sum(card is None for card in stock)
    if hidden or len(stock) == 1:
        down = plural(hidden, "card") if hidden else "no card"
        return f"Stock: {down} face down, {named} turned up"
    order = list_words([card_name(card) for card in stock if card is not None])
    return f"Stock in drawing order: {order}"


def _notes(table: Table) -> list[str]:
    notes = []
    for side in (SOUTH, NORTH):
        suits = [SUIT_NAMES[suit] for suit in range(4) if table.said[side] >> suit & 1]
        if suits:
            noun = "marriage" if len(suits) == 1 else "marriages"
            notes.append(f"{SIDE_NAMES[side]} declared the {noun} in {list_words(suits)}")
    if isinstance(table, View) and table.lacks:
        notes.append(f"North does not hold {_lacks(table)}")
    if table.closed is not None:
        other = SIDE_NAMES[1 - table.closed.side]
        notes.append(
            f"At the closing {other} had {plural(table.closed.card_points, 'card point')} "
            f"and {plural(table.closed.tricks, 'trick')}"
        )
    if table.carry:
        notes.append(f"The winner gets {plural(table.carry, 'game point')} more from tied deals")
    if table.match is not None:
        south, north = table.match
        notes.append(
            f"Match of {table.variant.match_length}: South {south}, North {north} game points"
        )
    if table.over is not None:
        notes.append(outcome_text(table))
    return notes


def _lacks(view: View) -> str:
    words = []
    for suit, name in enumerate(SUIT_NAMES):
        whole = [make_card(suit, rank) for rank in range(8)]
        whole = [card for card in whole if view.variant.pack >> card & 1]
        lacking = [card for card in whole if view.lacks >> card & 1]
        if len(lacking) == len(whole):
            words.append(f"any {name}")
        elif lacking:
            words.append(f"the {name_cards(lacking)}")
    return list_words(words, "or")


def outcome_text(table: Table) -> str:
    """Return who scored in a finished deal, and what: a sentence without its full stop."""
    over = table.over
    assert over is not None
    if over.winner is not None:
        return f"{SIDE_NAMES[over.winner]} wins {plural(over.game_points, 'game point')}"
    if table.variant.tie_carries:
        return "Nobody scores, and the winner of the next deal gets 1 game point more"
    return "Nobody scores"


def conceal(position: Position, view: View) -> View:
    """Return what South has seen after moves from a view, played out in one of its layouts.

    The moves are South's own, so that nothing comes to light but the cards South plays.
    """
    north = position.hands[NORTH]
    return replace(
        view,
        **{
            name: getattr(position, name)
            for name in (
                "turn",
                "card_points",
                "provisional",
                "tricks",
                "led",
                "undrawn",
                "won",
                "said",
                "closed",
                "over",
            )
        },
        hand=position.hands[SOUTH],
        known=north & view.known,
        concealed=(north & ~view.known).bit_count(),
        stock=(*(None for _ in position.stock[:-1]), *position.stock[-1:]),
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a line: the table after a move, and what happened."""

    picture: Picture
    text: str


def frames(position: Position, moves: tuple[Move, ...], view: View | None = None) -> list[Frame]:
    """Return the table before the first move and after each one.

    With ``view`` the moves are South's own, and only what South has seen is shown; a draw is
    not carried out then.
    """
    shown = [Frame(_see(position, view), BEFORE)]
    for move in moves:
        if view is not None and move.kind is Kind.DRAW:
            shown.append(Frame(_see(position, view), f"{SIDE_NAMES[position.turn]} draws."))
            break
        after = play(position, move)
        trick = _trick_won(position, move)
        shown.append(Frame(_see(after, view, trick), narrate(position, move, after)))
        position = after
    return shown


def frames_as_seen(view: View, position: Position, moves: tuple[Move, ...]) -> list[Frame]:
    """Return the same frames as South sees them: the moves of both sides, and no hidden card.

    ``position`` is a layout of ``view``. A card of North's stays hidden until it is played or
    shown, and what North draws stays hidden too, unless it is the turn-up.
    """
    seen = views(position, moves)
    shown = [Frame(picture(_hide(view, position, next(seen)[SOUTH])), BEFORE)]
    for move, (south, _) in zip(moves, seen, strict=True):
        after = play(position, move)
        trick = _trick_won(position, move)
        text = narrate(position, move, after, as_seen=True)
        shown.append(Frame(picture(_hide(view, after, south), trick), text))
        position = after
    return shown


def _hide(view: View, now: Position, seen: View) -> View:
    """Return what South has seen by now, with what was known of North's hand at the start."""
    known = now.hands[NORTH] & (seen.known | view.known)
    concealed = (now.hands[NORTH] & ~known).bit_count()
    lacks = (seen.lacks | view.lacks) & ~known if concealed else 0
    return replace(seen, known=known, concealed=concealed, lacks=lacks)


def _trick_won(position: Position, move: Move) -> tuple[Card, Card] | None:
    """Return the trick that a move completes, led card first."""
    if move.card is None or position.led is None:
        return None
    return position.led, move.card


def _see(position: Position, view: View | None, trick: tuple[Card, Card] | None = None) -> Picture:
    return picture(position if view is None else conceal(position, view), trick)


def narrate(before: Position, move: Move, after: Position, *, as_seen: bool = False) -> str:
    """Return what a move did, in one or two sentences; ``as_seen`` as South could tell it."""
    if as_seen and move.kind is Kind.DRAW:
        text = _narrate_draw(before, hidden=NORTH)
    else:
        text = _narrate_move(before, move, after)
    over = after.over
    if over is not None:
        text += f" {outcome_text(after)}{': ' if over.reason else ''}{over.reason}."
    return text


def _narrate_draw(before: Position, hidden: Side | None = None) -> str:
    """Return who drew what; the card of the side ``hidden`` is told only if it was turned up."""
    side = before.turn
    drawn = []
    for who, card in zip((side, 1 - side), before.stock[:2], strict=True):
        shown = who != hidden or (len(before.stock) == 2 and who != side)
        drawn.append(f"the {card_name(card)}" if shown else "a card")
    return f"{SIDE_NAMES[side]} draws {drawn[0]}, {SIDE_NAMES[1 - side]} {drawn[1]}."


def _narrate_move(before: Position, move: Move, after: Position) -> str:
    side = before.turn
    who = SIDE_NAMES[side]
    match move.kind:
        case Kind.CLOSE:
            return f"{who} closes the stock."
        case Kind.CLAIM:
            return f"{who} announces {before.variant.goal}."
        case Kind.DRAW:
            return _narrate_draw(before)
        case Kind.EXCHANGE:
            low = card_name(after.stock[-1])
            return f"{who} exchanges the {low} for the {card_name(before.stock[-1])}."
        case Kind.SHOW:
            suit = SUIT_NAMES[suit_of(move.card or 0)]
            return f"{who} shows the marriage in {suit} and announces {before.variant.goal}."
        case Kind.MARRIAGE:
            card = move.card or 0
            rank = "King" if rank_of(card) == KING else "Queen"
            worth = before.variant.marriage_value(suit_of(card), before.trump)
            suit = SUIT_NAMES[suit_of(card)]
            return f"{who} declares the marriage in {suit}, {worth}, and leads the {rank}."
        case Kind.CARD:
            return _narrate_card(before, move.card or 0, after)


def _narrate_card(before: Position, card: Card, after: Position) -> str:
    who = SIDE_NAMES[before.turn]
    led = before.led
    if led is None:
        return f"{who} leads the {card_name(card)}."
    if suit_of(card) == suit_of(led):
        verb = "follows with"
    else:
        verb = "ruffs with" if suit_of(card) == before.trump else "discards"
    winner = after.turn
    gained = before.variant.value(led) + before.variant.value(card)
    text = f"{who} {verb} the {card_name(card)}."
    text += f" {SIDE_NAMES[winner]} wins the trick, {plural(gained, 'card point')}"
    if before.provisional[winner]:
        text += f", and {before.provisional[winner]} for the marriage now count"
    last = after.card_points[winner] - before.card_points[winner] - gained
    last -= before.provisional[winner]
    if last:
        text += f", and {last} for the last trick"
    return text + "."
