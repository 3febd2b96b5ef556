"""Positions, moves and records of deals as text: ``parse_*`` and ``format_*`` in pairs.

A position is one line, whose fields stand in this order:

    variant S:hand N:hand trump stock points turn [led] [undrawn] [won=] [said=] [lacks=]
    [closed=] [carry=] [match=] [over=]

``x`` stands for a card that South has not seen; a line with such a card, or with ``lacks=``, is a
:class:`View`, any other a :class:`Position`. Spaces may be written as underscores.

Reading a line has two steps: the words are read, then :func:`check` asks whether the position can
arise in play. Text that is refused raises :class:`NotationError`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, TypeVar

from trainer.rules.cards import (
    COPY_STRIDE,
    KING,
    QUEEN,
    RANKS,
    SUIT_NAMES,
    SUITS,
    Card,
    Hand,
    card_code,
    card_name,
    cards_in,
    hand_of,
    make_card,
    rank_of,
    suit_cards,
    suit_of,
)
from trainer.rules.knowledge import Views, views
from trainer.rules.play import IllegalMove, legal_moves, play
from trainer.rules.position import (
    CLAIM,
    CLOSE,
    DRAW,
    EXCHANGE,
    NORTH,
    SIDE_NAMES,
    SIDES,
    SOUTH,
    Closing,
    Kind,
    Move,
    Outcome,
    Position,
    Side,
    Table,
    Trick,
    View,
)
from trainer.rules.possible import HAND_FIELDS, find_fault
from trainer.rules.variants import SWITCHES, VARIANTS, Variant, variant_named

LINE_LIMIT = 2_000
"""The most characters read as a position line or an answer."""
RECORD_LIMIT = 20_000
"""The most characters read as the record of a deal."""
RECORD_FORMAT = "1"

_FIELDS = ("variant", *HAND_FIELDS, "trump", "stock", "points", "turn")
MOVE_WORDS = "a card (HT), a marriage (HQm), a show (HKQ!), ex, dr, cl or 66"

Pair = tuple[int, int]
T = TypeVar("T")


class NotationError(ValueError):
    """Text that is no position, move or record, or a position that cannot arise.

    ``column`` counts from 1 in the text given, ``line`` too in a record and is None elsewhere;
    ``field`` names the part at fault and ``expected`` says what belongs there. The text of the
    error is one line that says all this and what was found.
    """

    def __init__(
        self, field: str, found: str, expected: str, column: int, line: int | None = None
    ) -> None:
        super().__init__(field, found, expected, column, line)
        self.field = field
        self.found = found
        self.expected = expected
        self.column = column
        self.line = line

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}, "
        return (
            f"{line}column {self.column}, {self.field}: "
            f"found {self.found}, expected {self.expected}"
        )


# ------------------------------------------------------------------------------ reading a line


def _quoted(text: str) -> str:
    """Return text in quotes, cut to a few characters and with all but ASCII escaped."""
    shown = ascii(text[:32])
    if len(text) <= 32 and len(shown) <= 42:
        return shown
    quote, inside = shown[0], shown[1:-1]
    return f"{quote}{inside[:40]}...{quote}"


_NUMBER = re.compile(r"(0|[1-9][0-9]{0,3})(?![0-9])")


class _Cursor:
    """A place in a line of words, and the name of the field that is read there."""

    def __init__(self, text: str, limit: int = LINE_LIMIT, line: int | None = None) -> None:
        self.given = text
        self.line = line
        self.field = "line"
        self.at = 0
        if len(text) > limit:
            self.at = limit
            self.fail(f"at most {limit}", found=f"{len(text)} characters")
        self.text = text.rstrip(" _\t\r\n").replace("_", " ")
        self.at = len(self.text) - len(self.text.lstrip(" \t\r\n"))

    def fail(self, expected: str, at: int | None = None, found: str | None = None) -> NoReturn:
        """Raise the error for what stands here, or at the place ``at``."""
        start = self.at if at is None else at
        if found is None:
            word = self.text[start:].split(" ", 1)[0]
            end = "the end of the line" if start >= len(self.text) else "a space"
            found = _quoted(self.given[start : start + len(word)]) if word else end
        raise NotationError(self.field, found, expected, start + 1, self.line)

    def start(self, field: str) -> bool:
        """Move on to the next word as the field named; return whether there is one."""
        self.field = field
        while self.text.startswith(" ", self.at):
            self.at += 1
        return self.more()

    def more(self) -> bool:
        """Return whether the word has a character left."""
        return self.at < len(self.text) and self.text[self.at] != " "

    def word(self) -> str:
        """Return what is left of the word."""
        return self.text[self.at :].split(" ", 1)[0]

    def finish(self, expected: str) -> None:
        """Insist on the end of the word."""
        if self.more():
            self.fail(expected)

    def take(self, literal: str) -> bool:
        """Return whether these characters come next, and pass them."""
        if not self.text.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def expect(self, literal: str, expected: str) -> None:
        """Insist on these characters and pass them."""
        if not self.take(literal):
            self.fail(expected)

    def letter(self, letters: str, expected: str) -> int:
        """Pass one of these letters; return which, counted from 0."""
        index = letters.find(self.text[self.at]) if self.more() else -1
        if index < 0:
            self.fail(expected)
        self.at += 1
        return index

    def number(self, expected: str) -> int:
        """Pass a number of one to four ASCII digits without leading zeros; return it."""
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            self.fail(f"{expected}, a number from 0 to 9999")
        self.at = found.end()
        return int(found[0])

    def card(self, ranks: str, expected: str = "a card") -> Card:
        """Pass a card, suit first; return its first copy."""
        expected = f"{expected}: a suit of {SUITS}, then a rank of {ranks}"
        start = self.at
        if len(self.word()) < 2:
            self.fail(expected)
        suit = self.letter(SUITS, expected)
        if not self.more() or self.text[self.at] not in ranks:
            self.fail(expected, start)
        self.at += 1
        return make_card(suit, RANKS.index(self.text[self.at - 1]))


class _Deck:
    """The pack of a variant, card by card as a line names them."""

    def __init__(self, row: Variant) -> None:
        self.row = row
        self.places: dict[Card, list[str]] = {}

    def take(self, cursor: _Cursor, first: Card, at: int) -> Card:
        """Return the lowest copy of a card that the line has not named yet."""
        places = self.places.setdefault(first, [])
        copies = self.row.copies
        if len(places) == copies:
            cursor.fail(
                f"each card {'once' if copies == 1 else f'at most {copies} times'}, "
                f"see {places[-1]}",
                at,
                f"the {card_name(first)} again",
            )
        places.append(cursor.field)
        return first + (len(places) - 1) * COPY_STRIDE

    def card(self, cursor: _Cursor, expected: str = "a card") -> Card:
        """Pass a card in a line and take it from the pack."""
        start = cursor.at
        return self.take(cursor, cursor.card(self.row.ranks, expected), start)


def _read_variant(cursor: _Cursor) -> Variant:
    name = cursor.word()
    base, *switches = name.split("~")
    if base not in VARIANTS:
        cursor.fail(f"one of {', '.join(VARIANTS)}")
    known = SWITCHES.get(base, {})
    at = cursor.at + len(base)
    for index, switch in enumerate(switches):
        if switch not in known or switch in switches[:index]:
            listed = ", ".join(f"~{each}" for each in known) or "none"
            cursor.fail(f"a switch that {base} has, each once: {listed}", at)
        at += 1 + len(switch)
    cursor.at = at
    return variant_named(name)


def _read_hand(cursor: _Cursor, deck: _Deck, side: Side) -> tuple[Hand, int | None]:
    """Return the cards named and how many more are concealed, None where all are named."""
    ranks = deck.row.ranks
    name = SIDE_NAMES[side]
    cursor.expect(f"{SIDES[side]}:", f"{SIDES[side]}: and {name}'s cards, like A.J.KQ.T9")
    hand = 0
    for suit in range(4):
        if suit:
            cursor.expect(
                ".", f"a rank of {ranks} (T is the Ten) or . before the {SUIT_NAMES[suit]}"
            )
        lowest = 0
        while cursor.more() and (index := ranks.find(cursor.text[cursor.at])) >= 0:
            if index < lowest:
                cursor.fail(f"ranks from high to low in each suit, {ranks}")
            lowest = index
            card = make_card(suit, RANKS.index(ranks[index]))
            hand |= 1 << deck.take(cursor, card, cursor.at)
            cursor.at += 1
    if side == SOUTH:
        cursor.finish(f"a rank of {ranks} or a space: South sees every own card")
        return hand, None
    if not cursor.take(","):
        cursor.finish(f"a rank of {ranks}, a space, or a comma and the number concealed, like ,5x")
        return hand, None
    count = 1 if cursor.text.startswith("x", cursor.at) else cursor.number("how many concealed")
    cursor.expect("x", "x for the concealed cards, like ,5x")
    cursor.finish("a space after the concealed cards")
    return hand, count


def _read_trump(cursor: _Cursor) -> int:
    trump = cursor.letter(SUITS, f"the trump suit, one letter of {SUITS}")
    cursor.finish("a space after the trump suit")
    return trump


def _read_stock(cursor: _Cursor, deck: _Deck) -> tuple[Card | None, ...]:
    if cursor.take("-"):
        cursor.finish("a space after - for no stock")
        return ()
    size = deck.row.stock_size
    stock: list[Card | None] = []
    while cursor.more():
        start = cursor.at
        if cursor.text[start] in "x0123456789":
            count = 1 if cursor.text[start] == "x" else cursor.number("how many face down")
            cursor.expect("x", "x after the number of cards face down, like 5x")
            if not 1 <= count <= size:
                cursor.fail(f"from 1 to {size} cards face down", start)
            stock += [None] * count
        else:
            stock.append(deck.card(cursor, "- for none, x or 5x for face down, or a card"))
        if len(stock) > size:
            cursor.fail(f"a stock of at most {size} cards", start)
    return tuple(stock)


def _read_points(cursor: _Cursor) -> dict[str, Pair]:
    """Return card points, provisional points and tricks of both sides."""
    both = []
    for side in (SOUTH, NORTH):
        name = SIDE_NAMES[side]
        if side:
            cursor.expect("-", "- and North's points, like 35/2-11/1")
        points = cursor.number(f"{name}'s card points")
        provisional = cursor.number(f"{name}'s provisional points") if cursor.take("~") else 0
        cursor.expect("/", f"/ and the number of tricks {name} has won, like 35/2-11/1")
        both.append((points, provisional, cursor.number(f"{name}'s tricks")))
    cursor.finish("a space after the points")
    south, north = both
    names = ("card_points", "provisional", "tricks")
    return dict(zip(names, zip(south, north, strict=True), strict=True))


def _read_side(cursor: _Cursor, expected: str) -> Side:
    return cursor.letter(SIDES, f"S or N, {expected}")


def _read_sides(cursor: _Cursor, read: Callable[[], T]) -> dict[Side, T]:
    """Return what is read for each side of ``S:...;N:...``, of which one may be missing."""
    read_for: dict[Side, T] = {}
    while True:
        start = cursor.at
        side = _read_side(cursor, "whose they are")
        if side <= max(read_for, default=-1):
            cursor.fail("S before N, each once", start)
        cursor.expect(":", ": after the side")
        read_for[side] = read()
        if not cursor.take(";"):
            return read_for


def _read_list(cursor: _Cursor, read: Callable[[], T]) -> tuple[T, ...]:
    """Return what is read between commas."""
    items = [read()]
    while cursor.take(","):
        items.append(read())
    return tuple(items)


def _read_won(cursor: _Cursor, deck: _Deck) -> tuple[tuple[Trick, ...], tuple[Trick, ...]]:
    def trick() -> Trick:
        expected = "two cards for each trick"
        return deck.card(cursor, expected), deck.card(cursor, expected)

    won = _read_sides(cursor, lambda: _read_list(cursor, trick))
    cursor.finish("a comma and a trick, ; and North's tricks, or a space")
    return won.get(SOUTH, ()), won.get(NORTH, ())


def _read_said(cursor: _Cursor, deck: _Deck) -> Pair:
    def suits() -> int:
        mask = 0
        while not mask or (cursor.more() and cursor.text[cursor.at] in SUITS):
            start = cursor.at
            suit = cursor.letter(SUITS, f"suits of marriages, letters of {SUITS}")
            if mask >> suit & 1:
                cursor.fail("each suit once", start)
            mask |= 1 << suit
        return mask

    said = _read_sides(cursor, suits)
    cursor.finish(f"letters of {SUITS}, ; and North's suits, or a space")
    return said.get(SOUTH, 0), said.get(NORTH, 0)


def _read_lacks(cursor: _Cursor, deck: _Deck) -> Hand:
    row = deck.row

    def lacked() -> Hand:
        start = cursor.at
        suit = cursor.letter(SUITS, "a suit or a card that North lacks")
        if not cursor.more() or cursor.text[cursor.at] == ",":
            return suit_cards(row.pack, suit)
        cursor.at = start
        return _copies(row, cursor.card(row.ranks, "a suit or a card that North lacks"))

    cursor.expect("N:", "N: and what North lacks, like N:S,DA")
    hands = _read_list(cursor, lacked)
    cursor.finish("a comma or a space")
    return hand_of(card for hand in hands for card in cards_in(hand))


def _copies(row: Variant, card: Card) -> Hand:
    """Return all copies of a card."""
    return hand_of(card % COPY_STRIDE + copy * COPY_STRIDE for copy in range(row.copies))


def _read_closed(cursor: _Cursor, deck: _Deck) -> Closing:
    side = _read_side(cursor, "who closed")
    other = SIDE_NAMES[1 - side]
    points = cursor.number(f"{other}'s card points then")
    cursor.expect("/", f"/ and {other}'s tricks then")
    tricks = cursor.number(f"{other}'s tricks then")
    cursor.finish("a space after the tricks")
    return Closing(side, points, tricks)


def _read_carry(cursor: _Cursor, deck: _Deck) -> int:
    carry = cursor.number("game points carried")
    cursor.finish("a space after the number")
    return carry


def _read_match(cursor: _Cursor, deck: _Deck) -> Pair:
    south = cursor.number("South's match points")
    cursor.expect("-", "- and North's match points")
    north = cursor.number("North's match points")
    cursor.finish("a space after the match points")
    return south, north


def _read_over(cursor: _Cursor, deck: _Deck) -> Outcome:
    winner = None
    expected = "a side and its game points, like S+2, or 0"
    if not cursor.take("0"):
        winner = cursor.letter(SIDES, expected)
        cursor.expect("+", expected)
    points = 0 if winner is None else cursor.number("game points")
    cursor.finish(expected)
    return Outcome(winner, points)


class _Tail(NamedTuple):
    """A field of the tail: how it begins, how its value is read, and how it is written.

    ``write`` returns the text after the beginning, or None when the field is not needed. The
    name of the field is also that of the attribute.
    """

    word: str
    read: Callable[[_Cursor, _Deck], Any]
    write: Callable[[Table], str | None]

    @property
    def name(self) -> str:
        return self.word.rstrip("=")


def _write_sides(south: str, north: str) -> str | None:
    parts = [f"{SIDES[side]}:{text}" for side, text in enumerate((south, north)) if text]
    return ";".join(parts) or None


def _write_won(table: Table) -> str | None:
    south, north = (
        ",".join(card_code(led) + card_code(reply) for led, reply in tricks)
        for tricks in table.won or ((), ())
    )
    return _write_sides(south, north)


def _write_said(table: Table) -> str | None:
    south, north = (
        "".join(letter for suit, letter in enumerate(SUITS) if mask >> suit & 1)
        for mask in table.said
    )
    return _write_sides(south, north)


def _write_lacks(table: Table) -> str | None:
    if not isinstance(table, View):
        return None
    words: list[str] = []
    for suit, letter in enumerate(SUITS):
        whole = suit_cards(table.variant.pack, suit)
        part = table.lacks & whole
        if part == whole:
            words.append(letter)
        else:
            words += [letter + rank for rank in dict.fromkeys(_ranks(table.variant, part, suit))]
    return _write_sides("", ",".join(words))


def _write_closed(table: Table) -> str | None:
    closed = table.closed
    if closed is None:
        return None
    return f"{SIDES[closed.side]}{closed.card_points}/{closed.tricks}"


def _write_over(table: Table) -> str | None:
    over = table.over
    if over is None:
        return None
    return "0" if over.winner is None else f"{SIDES[over.winner]}+{over.game_points}"


_TAIL = (
    _Tail("undrawn", lambda cursor, deck: True, lambda table: "" if table.undrawn else None),
    _Tail("won=", _read_won, _write_won),
    _Tail("said=", _read_said, _write_said),
    _Tail("lacks=", _read_lacks, _write_lacks),
    _Tail("closed=", _read_closed, _write_closed),
    _Tail("carry=", _read_carry, lambda table: str(table.carry) if table.carry else None),
    _Tail(
        "match=",
        _read_match,
        lambda table: None if table.match is None else f"{table.match[0]}-{table.match[1]}",
    ),
    _Tail("over=", _read_over, _write_over),
)
_TAIL_WORDS = " ".join(entry.word for entry in _TAIL)


def _tail_index(word: str) -> int | None:
    """Return which field of the tail a word is, counted from 0; None for no such field."""
    for index, entry in enumerate(_TAIL):
        if word.startswith(entry.word) if entry.word.endswith("=") else word == entry.word:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that has been read: the values of its fields, and where each field begins."""

    values: dict[str, Any]
    columns: dict[str, int]
    end: int
    hands: tuple[Hand, Hand]
    concealed: int | None
    lacks: Hand | None
    number: int | None

    @property
    def unseen(self) -> str | None:
        """The field that shows that the line tells only what South has seen, if one does."""
        if self.concealed is not None:
            return HAND_FIELDS[NORTH]
        if None in self.values["stock"]:
            return "stock"
        return None if self.lacks is None else "lacks"

    def position(self) -> Position:
        if self.unseen is not None:
            expected = "every card to be told: no x and no lacks="
            column = self.columns[self.unseen]
            raise NotationError(self.unseen, "cards not seen", expected, column, self.number)
        position = Position(hands=self.hands, **self.values)
        _refuse_impossible(position, self.columns, self.end, self.number)
        return position

    def view(self) -> View:
        south, north = self.hands
        view = View(
            hand=south,
            known=north,
            concealed=self.concealed or 0,
            lacks=self.lacks or 0,
            **self.values,
        )
        _refuse_impossible(view, self.columns, self.end, self.number)
        return view


def _read_line(text: str, number: int | None = None) -> _Line:
    cursor = _Cursor(text, line=number)
    columns: dict[str, int] = {}

    def start(field: str, expected: str) -> None:
        if not cursor.start(field):
            cursor.fail(expected)
        columns[field] = cursor.at + 1

    start("variant", f"a variant, one of {', '.join(VARIANTS)}")
    row = _read_variant(cursor)
    deck = _Deck(row)
    start(HAND_FIELDS[SOUTH], "S: and South's cards, like S:A.J.KQ.T9")
    south, _ = _read_hand(cursor, deck, SOUTH)
    start(HAND_FIELDS[NORTH], "N: and North's cards, like N:A.J.KQ.T9")
    north, concealed = _read_hand(cursor, deck, NORTH)
    start("trump", f"the trump suit, one letter of {SUITS}")
    values: dict[str, Any] = {"variant": row, "trump": _read_trump(cursor)}
    start("stock", "the stock in drawing order, the turn-up last, or - for none")
    values["stock"] = _read_stock(cursor, deck)
    start("points", "card points and tricks of South and North, like 35/2-11/1")
    values |= _read_points(cursor)
    start("turn", "S or N, whose choice it is")
    values["turn"] = _read_side(cursor, "whose choice it is")
    cursor.finish("a space after the turn")
    if cursor.start("led") and "=" not in cursor.word() and _tail_index(cursor.word()) is None:
        columns["led"] = cursor.at + 1
        values["led"] = deck.card(cursor, f"one of {_TAIL_WORDS} or the card led")
        cursor.finish("a space after the card led")
    last = -1
    while cursor.start("tail"):
        index = _tail_index(cursor.word())
        expected = f"fields in this order, each once: {_TAIL_WORDS}"
        if index is None:
            cursor.fail(expected)
        entry = _TAIL[index]
        cursor.field = entry.name
        if index <= last:
            cursor.fail(expected)
        last = index
        columns[entry.name] = cursor.at + 1
        cursor.at += len(entry.word)
        values[entry.name] = entry.read(cursor, deck)
    values.setdefault("won", None if sum(values["tricks"]) else ((), ()))
    lacks = values.pop("lacks", None)
    return _Line(values, columns, len(cursor.text) + 1, (south, north), concealed, lacks, number)


def parse_variant(text: str) -> Variant:
    """Return the row of a variant as a line names it: ``russian66~six``. Raises NotationError."""
    cursor = _Cursor(text)
    cursor.start("variant")
    row = _read_variant(cursor)
    if cursor.start("variant"):
        cursor.fail("nothing after the variant")
    return row


def parse(text: str) -> Position | View:
    """Return the position that a line tells: a View if it leaves cards unseen.

    Raises NotationError for a line that cannot be read, or a position that cannot arise.
    """
    line = _read_line(text)
    return line.position() if line.unseen is None else line.view()


def parse_position(text: str) -> Position:
    """Return the position that a line tells with every card. Raises NotationError."""
    return _read_line(text).position()


def parse_view(text: str) -> View:
    """Return what a line tells as what South has seen. Raises NotationError."""
    return _read_line(text).view()


# ------------------------------------------------------------------------------ writing a line


def _ranks(row: Variant, hand: Hand, suit: int) -> str:
    """Return the ranks that a hand holds of a suit, high to low."""
    return "".join(
        rank * (hand & _copies(row, make_card(suit, RANKS.index(rank)))).bit_count()
        for rank in row.ranks
    )


def format_hand(row: Variant, hand: Hand) -> str:
    """Return a hand as its ranks in spades, hearts, diamonds and clubs: ``A.J.KQ.T9``."""
    return ".".join(_ranks(row, hand, suit) for suit in range(4))


def _format_stock(stock: tuple[Card | None, ...]) -> str:
    text = "".join("x" if card is None else card_code(card) for card in stock)
    return re.sub("x{2,}", lambda run: f"{len(run[0])}x", text) or "-"


def format_table(table: Position | View) -> str:
    """Return the line of a position, or of a view: canonical, in one writing only."""
    row = table.variant
    if isinstance(table, View):
        south, north = table.hand, format_hand(row, table.known)
        if table.concealed:
            north += ",x" if table.concealed == 1 else f",{table.concealed}x"
        elif None not in table.stock and not table.lacks:
            north += ",0x"  # the one sign that this is a view
    else:
        south, north = table.hands[SOUTH], format_hand(row, table.hands[NORTH])
    points = "-".join(
        f"{points}{f'~{provisional}' if provisional else ''}/{tricks}"
        for points, provisional, tricks in zip(
            table.card_points, table.provisional, table.tricks, strict=True
        )
    )
    words = [
        row.name,
        f"S:{format_hand(row, south)}",
        f"N:{north}",
        SUITS[table.trump],
        _format_stock(table.stock),
        points,
        SIDES[table.turn],
    ]
    if table.led is not None:
        words.append(card_code(table.led))
    for entry in _TAIL:
        text = entry.write(table)
        if text is not None:
            words.append(entry.word + text)
    return " ".join(words)


def format_position(position: Position) -> str:
    """Return the line of a position with every card seen."""
    return format_table(position)


def format_view(view: View) -> str:
    """Return the line of what South has seen."""
    return format_table(view)


def _refuse_impossible(
    table: Position | View, columns: Mapping[str, int], end: int, line: int | None = None
) -> None:
    fault = find_fault(table)
    if fault is not None:
        raise NotationError(*fault, columns.get(fault.field, end), line)


def check(table: Position | View) -> None:
    """Raise NotationError if a position cannot arise; its column is that in the table's line."""
    line = format_table(table)
    words = list(re.finditer(r"\S+", line))
    fields = [*_FIELDS] if table.led is None else [*_FIELDS, "led"]
    fields += [word[0].split("=")[0] for word in words[len(fields) :]]
    columns = {name: word.start() + 1 for name, word in zip(fields, words, strict=True)}
    _refuse_impossible(table, columns, len(line) + 1)


# --------------------------------------------------------------------------------------- moves

_PLAIN_MOVES = {"ex": EXCHANGE, "dr": DRAW, "cl": CLOSE, "66": CLAIM}
_PLAIN_WORDS = {move.kind: word for word, move in _PLAIN_MOVES.items()}


def _read_move(cursor: _Cursor, table: Position | View | None) -> Move:
    word = cursor.word()
    if word in _PLAIN_MOVES:
        cursor.at += len(word)
        return _PLAIN_MOVES[word]
    start = cursor.at
    if len(word) < 2 or word[0] not in SUITS or word[1] not in RANKS:
        cursor.fail(MOVE_WORDS)
    card = cursor.card(RANKS if table is None else table.variant.ranks)
    rank = rank_of(card)
    kind = Kind.CARD
    if cursor.take("m"):
        kind = Kind.MARRIAGE
        if rank not in (KING, QUEEN):
            cursor.fail("a King or Queen to declare a marriage with, like HKm or HQm", start)
    elif rank == KING and cursor.take("Q!"):
        kind = Kind.SHOW
    cursor.finish(MOVE_WORDS)
    return Move(kind, card if table is None else _copy_held(table, card))


def _copy_held(table: Position | View, card: Card) -> Card:
    """Return the lowest copy of a card that the side to move is seen to hold, else the first."""
    south, north = (table.hand, table.known) if isinstance(table, View) else table.hands
    hand = south if table.turn == SOUTH else north
    return next(cards_in(hand & _copies(table.variant, card)), card)


def parse_move(table: Position | View | None, word: str) -> Move:
    """Return the move that a word names; a table tells which ranks and copies there are.

    Raises NotationError for anything but a move. Whether it is legal is for ``play`` to say.
    """
    cursor = _Cursor(word)
    cursor.start("move")
    move = _read_move(cursor, table)
    if cursor.start("move"):
        cursor.fail("one move and nothing after it")
    return move


def parse_answer(text: str, table: Position | View | None = None) -> tuple[Move, ...]:
    """Return the moves of an answer, words with spaces between: ``cl DA``.

    Raises NotationError for anything but moves.
    """
    cursor = _Cursor(text)
    moves = []
    while cursor.start("move"):
        moves.append(_read_move(cursor, table))
    if not moves:
        cursor.fail(MOVE_WORDS)
    return tuple(moves)


def format_move(move: Move) -> str:
    """Return the word of a move: ``HT``, ``HQm``, ``HKQ!``, ``ex``, ``dr``, ``cl`` or ``66``."""
    if move.card is None:
        return _PLAIN_WORDS[move.kind]
    end = {Kind.MARRIAGE: "m", Kind.SHOW: "Q!"}.get(move.kind, "")
    return card_code(move.card) + end


def format_answer(moves: tuple[Move, ...]) -> str:
    """Return the words of an answer with spaces between."""
    return " ".join(format_move(move) for move in moves)


def label_move(move: Move, table: Position | View) -> str:
    """Return a move in words for people, as the side to move of this table makes it."""
    row, card = table.variant, move.card
    match move.kind:
        case Kind.DRAW:
            return "Draw"
        case Kind.CLOSE:
            return "Close the stock"
        case Kind.CLAIM:
            return f"Announce {row.goal}"
        case Kind.EXCHANGE:
            turn_up = table.stock[-1] if table.stock else None
            taken = "turn-up" if turn_up is None else card_name(turn_up)
            return f"Exchange the {card_name(row.exchange_card(table.trump))} for the {taken}"
    assert card is not None
    worth = row.marriage_value(suit_of(card), table.trump)
    match move.kind:
        case Kind.SHOW:
            suit = SUIT_NAMES[suit_of(card)]
            return f"Show the marriage in {suit} ({worth}) and announce {row.goal}"
        case Kind.MARRIAGE:
            return f"Lead the {card_name(card)} and declare the marriage ({worth})"
        case _:
            return f"{'Lead' if table.leading else 'Play'} the {card_name(card)}"


def label_answer(moves: tuple[Move, ...], table: Position | View) -> str:
    """Return an answer in words: ``Close the stock, then lead the Ace of diamonds``."""
    first, *rest = (label_move(move, table) for move in moves)
    return ", then ".join([first, *(label[0].lower() + label[1:] for label in rest)])


# -------------------------------------------------------------------------------------- records


@dataclass(frozen=True, slots=True)
class Record:
    """A deal as it was played: tags for people, the first position, then the moves."""

    start: Position
    moves: tuple[Move, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)

    def positions(self) -> list[Position]:
        """Return the first position and the one after each move. Raises IllegalMove."""
        positions = [self.start]
        for move in self.moves:
            positions.append(play(positions[-1], move))
        return positions

    def views(self) -> list[Views]:
        """Return what South and what North had seen at the start and after each move.

        Raises IllegalMove, and ValueError when the first position does not tell the tricks won.
        """
        return list(views(self.start, self.moves))


_UNFINISHED = "*"
_WRITTEN_TAGS = ("Format", "Result")
"""The tags that are made from the record itself."""
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\\x00-\x1f\x7f]|\\["\\]){0,400})"\]')


def format_record(record: Record) -> str:
    """Return the text of a record: tags in brackets, the position line, the moves.

    The tag Result tells how the deal ended, as ``over=`` does, or ``*`` when it is not over; a
    record that has lost its end can be told by it. Raises NotationError for a tag that cannot be
    written, and IllegalMove for a move that is not legal.
    """
    lines = [f'[Format "{RECORD_FORMAT}"]', f'[Result "{_result(record.positions()[-1])}"]']
    for name, value in record.tags.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        line = f'[{name} "{escaped}"]'
        if name in _WRITTEN_TAGS or not _TAG.fullmatch(line):
            names = " or ".join(_WRITTEN_TAGS)
            expected = f"a name of letters and digits, not {names}, and a value of one line"
            raise NotationError("tag", _quoted(line), expected, 1, len(lines) + 1)
        lines.append(line)
    lines += ["", format_position(record.start), ""]
    lines += textwrap.wrap(format_answer(record.moves), 80)
    return "\n".join(lines) + "\n"


def _result(position: Position) -> str:
    """Return how a deal ended as the value of the tag Result."""
    return _write_over(position) or _UNFINISHED


def parse_record(text: str) -> Record:
    """Return the record that a text tells, its moves played through.

    Raises NotationError for a text that cannot be read, for a move that is not legal, and when the
    moves do not come to the end that the tag Result tells, if there is one.
    """
    if len(text) > RECORD_LIMIT:
        found = f"{len(text)} characters"
        raise NotationError("record", found, f"at most {RECORD_LIMIT}", RECORD_LIMIT + 1)
    tags: dict[str, str] = {}
    moves: list[Move] = []
    start = position = None
    lines = re.split(r"\r\n|\n|\r", text)
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t"):
            continue
        if position is not None:
            position = _replay(line, number, position, moves)
        elif line.startswith("["):
            _read_tag(line, number, tags)
        else:
            start = position = _read_line(line, number).position()
    if start is None or position is None:
        expected = "the line of the first position"
        raise NotationError("record", "the end of the text", expected, 1, len(lines))
    result = tags.get("Result", found := _result(position))
    if result != found:
        last = max(number for number, line in enumerate(lines, 1) if line.strip(" \t"))
        column = len(lines[last - 1].rstrip(" \t")) + 1
        end = f"a deal that ends {found}"
        if found == _UNFINISHED:
            end = f"the end of the text after {len(moves)} moves"
        expected = f"moves that come to the Result of the tags, {_quoted(result)}"
        raise NotationError("record", end, expected, column, last)
    return Record(start, tuple(moves), {k: v for k, v in tags.items() if k not in _WRITTEN_TAGS})


def _read_tag(line: str, number: int, tags: dict[str, str]) -> None:
    tag = _TAG.fullmatch(line.rstrip(" \t"))
    if tag is None:
        raise NotationError("tag", _quoted(line), 'a tag like [Event "Club night"]', 1, number)
    name, value = tag[1], re.sub(r"\\(.)", r"\1", tag[2])
    if name in tags:
        raise NotationError("tag", f"{name} again", "each tag once", 2, number)
    if name == "Format" and value != RECORD_FORMAT:
        raise NotationError("tag", f"Format {_quoted(value)}", RECORD_FORMAT, 1, number)
    tags[name] = value


def _replay(line: str, number: int, position: Position, moves: list[Move]) -> Position:
    """Play the moves of a line of a record, add them to the list, and return the position."""
    cursor = _Cursor(line, RECORD_LIMIT, number)
    while cursor.start(f"move {len(moves) + 1}"):
        start = cursor.at
        move = _read_move(cursor, position)
        try:
            position = play(position, move)
        except IllegalMove as illegal:
            legal = format_answer(tuple(legal_moves(position))) or "none"
            cursor.fail(f"a legal move ({legal}): {illegal}", start, _quoted(format_move(move)))
        moves.append(move)
    return position
