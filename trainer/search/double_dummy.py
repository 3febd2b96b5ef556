"""Double dummy: the exact value of a position when every card is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trainer.rules.cards import Card, Hand, suit_of
from trainer.rules.outcome import award, penalty, value_against
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import NORTH, Kind, Move, Position, Side
from trainer.rules.variants import Variant
from trainer.search import backend, kernel
from trainer.search.encode import Encoded, card_bits, encode, hand_bits, laws
from trainer.search.kernel import Ints

MEMO_LIMIT = 3_000_000
"""Entries that a solver keeps before it starts its memory anew (some 400 MB in plain Python)."""
LIGHT = 4
"""Positions that draw no more cards than this are solved at once by the plain kernel too."""


class DoubleDummy:
    """A solver for the positions of one deal, or of many layouts that share trump and turn-up.

    It remembers what it has found, and forgets by itself what a position with another variant,
    trump, turn-up or order of the stock makes void.
    """

    def __init__(self) -> None:
        self._dropped = 0
        self._kernel = backend.PLAIN
        self._unsettled = self._kernel.new_memo()
        self._settled = self._kernel.new_memo()
        self._row: Ints = ()
        self._laws: tuple[Variant, int] | None = None
        self._turn_up: Card | None = None
        self._order: tuple[Card, ...] = ()

    @property
    def nodes(self) -> int:
        """How many positions have been stored in all, those forgotten since included."""
        return self._dropped + len(self._settled) + len(self._unsettled)

    def value(self, position: Position) -> int:
        """Return the value for the side to move, in game points.

        What tied deals carry is in it, and the cap that the match sets. Of a finished deal the
        value is what the side in ``turn`` scored.
        """
        if position.over is not None:
            return position.over.value(position.turn)
        self._remember(position)
        return self._value(position, encode(position))

    def values_of_hands(self, position: Position, hands: Iterable[Hand]) -> Iterator[int]:
        """Yield the value for the side to move when North holds each of these hands instead.

        For positions after which nobody draws. The same as :meth:`value` of each, only quicker.
        """
        if position.over is not None:
            yield from (position.over.value(position.turn) for _ in hands)
            return
        bits = card_bits(position.variant, position.trump)
        code = encode(position)
        for hand in hands:
            self._remember(position)
            held = hand_bits(hand, bits)
            moved = replace(code, me=held) if position.turn == NORTH else replace(code, op=held)
            yield self._value(position, moved)

    def _value(self, position: Position, code: Encoded) -> int:
        """Return the value for the side to move, its hands taken from the code."""
        side = position.turn
        for winner in (side, 1 - side):
            if worth := self._best(position, code, winner):
                return award(position, winner, worth, "").value(side)
        return 0

    def evaluate_moves(self, position: Position) -> dict[Move, int]:
        """Return the value of every sensible move for the side to move, in game points.

        False claims are left out: they only lose.
        """
        side = position.turn
        values = {}
        for move in sensible_moves(position):
            after = play(position, move)
            value = self.value(after)
            values[move] = value if after.turn == side else -value
        return values

    def best_move(self, position: Position) -> Move:
        """Return a move with the highest value.

        Of equal ones the most natural: announce, then take with the dearest card, throw the
        cheapest, lead the highest, and close or exchange only for a gain.
        """
        values = self.evaluate_moves(position)
        best = max(values.values())
        return max(
            (move for move, value in values.items() if value == best),
            key=lambda move: _natural(position, move),
        )

    def principal_variation(self, position: Position) -> tuple[Move, ...]:
        """Return best play by both sides to the end of the deal."""
        line = []
        while position.over is None:
            move = self.best_move(position)
            line.append(move)
            position = play(position, move)
        return tuple(line)

    def _best(self, position: Position, code: Encoded, attacker: Side) -> int:
        """Return the most that a side can make against best play, 0 if it cannot win.

        In game points before carry and match.
        """
        worth = 0
        for closed, level, points in _races(position, attacker):
            if not self._race(code, attacker == position.turn, closed, level):
                break
            worth = points
        return worth

    def _remember(self, position: Position) -> None:
        """Drop from memory what does not hold for a position."""
        laws_now = (position.variant, position.trump)
        lowest = position.variant.exchange_card(position.trump)
        turn_up = position.stock[-1] if position.stock and position.stock[-1] != lowest else None
        other_turn_up = None not in (turn_up, self._turn_up) and turn_up != self._turn_up
        best = backend.current(heavy=position.open_stock and len(position.stock) > LIGHT)
        if (
            laws_now != self._laws
            or other_turn_up
            or best is not self._kernel
            or len(self._settled) > MEMO_LIMIT
        ):
            self._dropped = self.nodes
            self._kernel = best
            self._unsettled = best.new_memo()
            self._settled = best.new_memo()
            self._row = best.ints(laws(position.variant))
            self._laws = laws_now
            self._turn_up = None
            self._order = ()
        self._turn_up = self._turn_up if turn_up is None else turn_up
        if position.open_stock:
            order = position.stock[:-1]
            longer, shorter = (
                (order, self._order) if len(order) > len(self._order) else (self._order, order)
            )
            if longer[len(longer) - len(shorter) :] != shorter or len(self._unsettled) > MEMO_LIMIT:
                self._dropped += len(self._unsettled)
                self._unsettled = best.new_memo()
                longer = order
            self._order = longer

    def _race(self, code: Encoded, attack: bool, closed: int, level: int) -> bool:
        if not kernel.within(code.theirs if attack else code.mine, level, self._row):
            return False
        stock = self._kernel.ints(code.stock)
        return self._kernel.race(
            code.me, code.op, code.mine, code.theirs, code.led, attack, closed, level,
            code.undrawn, 0, code.turn_up, stock, self._row, self._unsettled, self._settled,
        )  # fmt: skip


def _natural(position: Position, move: Move) -> tuple[int, int]:
    """Return a rank for choosing between moves of equal value; the higher is played."""
    if move.card is None:
        return {Kind.CLAIM: 5, Kind.DRAW: 3}.get(move.kind, 0), 0
    if move.kind is Kind.SHOW:
        return 4, 0
    row = position.variant
    worth = row.value(move.card)
    if position.led is None:
        return (2 if move.kind is Kind.MARRIAGE else 1), worth
    if row.beats(move.card, position.led, position.trump):
        return 2, worth if suit_of(move.card) != position.trump else -worth
    return 1, -worth


def _races(position: Position, attacker: Side) -> Iterator[tuple[int, int, int]]:
    """Yield the races a side can win from here: closed, level, and the game points it brings.

    While nobody has closed a race is named by its game points. Once the stock is closed the other
    side's failure is worth what the variant says, and so may be the closer's success.
    """
    row, closed = position.variant, position.closed
    if closed is None:
        yield from ((0, level, level) for level in (1, 2, 3))
    elif closed.side == attacker:
        if row.success_valued == "closing":
            yield 1, 1, value_against(position, closed.card_points, closed.tricks)
        else:
            yield from ((1, level, level) for level in (1, 2, 3))
    elif row.trickless_close and not closed.tricks:
        yield 2, 1, row.trickless_close
    elif row.failed_close == "double":
        yield from ((2, level, 2 * level) for level in (1, 2, 3))
    else:
        short, beaten = (
            penalty(position, rule, closed.side, closed.tricks)
            for rule in (row.failed_close, row.beaten_close)
        )
        yield 2, 1, beaten
        if short > beaten:
            yield 3, 1, short
