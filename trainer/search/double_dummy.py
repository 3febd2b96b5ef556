"""Double dummy: the exact value of a position when every card is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple

from trainer.rules.cards import Hand, suit_of
from trainer.rules.outcome import award
from trainer.rules.play import play, sensible_moves
from trainer.rules.position import NORTH, Kind, Move, Position, Side
from trainer.rules.variants import Variant
from trainer.search import backend, ending, kernel
from trainer.search.encode import (
    card_bits,
    encode,
    encode_layouts,
    hand_bits,
    new_facts,
    play_column,
)
from trainer.search.kernel import Ints, Memory

GENERATIONS = 1 << 20
"""Orders of the stock that one memory tells apart."""
SLICE = 4_000
"""Positions looked at in the first step of a search that is done in steps."""
MOMENT = 0.03
"""Seconds that a step of a search takes before the next ones grow slowly."""
LEAST_BITS = 13
"""Entries of the memory that a solver begins with for light work, as a power of two."""
LIGHT = 4
"""Positions that draw no more cards than this are solved at once by the plain kernel too."""


class Tools(NamedTuple):
    """A form of the kernel, with facts and memory, and how many cards of their stock are drawn."""

    form: backend.Backend
    facts: Ints
    memory: Memory
    drawn: int


class DoubleDummy:
    """A solver that remembers, for the positions of one variant; with another it begins anew.

    It remembers what it has found: for positions that draw no more whatever the deal, for others
    as long as the order of the stock is the same.
    """

    def __init__(self) -> None:
        self._kernel = backend.PLAIN
        self._variant: Variant | None = None
        self._facts: Ints = []
        self._memory = self._kernel.new_memory(0)
        self._bits = 0
        self._remembered = 0
        self._nodes = 0

    @property
    def nodes(self) -> int:
        """How many positions have been looked at in all."""
        return self._nodes + int(self._facts[kernel.NODES] if len(self._facts) else 0)

    def value(self, position: Position) -> int:
        """Return the value for the side to move, in game points.

        What tied deals carry is in it, and the cap that the match sets. Of a finished deal the
        value is what the side in ``turn`` scored.
        """
        if position.over is not None:
            return position.over.value(position.turn)
        self._prepare(position)
        code = self._kernel.ints(encode(position))
        return in_match(position, self._kernel.value(code, self._facts, self._memory))

    def value_for(self, side: Side, position: Position) -> int:
        """Return the value for a side, whoever is to move, in game points: see :meth:`value`."""
        value = self.value(position)
        return value if position.turn == side else -value

    def bounds(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield what the value for the side to move lies between, closer and closer.

        In game points, as :meth:`value`; the last pair is the value twice. Between two pairs there
        is a moment's work, so that a caller can stop when it has taken enough.
        """
        if position.over is not None:
            yield (self.value(position),) * 2
            return
        for amount in _slices():
            self._prepare(position, amount)
            self._kernel.value(self._kernel.ints(encode(position)), self._facts, self._memory)
            least, most = (
                in_match(position, int(self._facts[place])) for place in (kernel.LEAST, kernel.MOST)
            )
            yield least, most
            if least == most:
                return

    def evaluate_steps(self, position: Position) -> Iterator[dict[Move, int]]:
        """Yield the values that are known by now, until all are: see :meth:`evaluate_moves`.

        Between two tables there is a moment's work, so that a caller can stop when it has taken
        enough.
        """
        if position.over is not None:
            yield {}
            return
        variant, trump = position.variant, position.trump
        columns = {move: play_column(move, variant, trump) for move in sensible_moves(position)}
        for amount in _slices():
            self._prepare(position, amount)
            graded = self._grade(encode(position))
            found = {move: graded[column] for move, column in columns.items()}
            yield {
                move: in_match(position, value)
                for move, value in found.items()
                if abs(value) != -kernel.STOPPED
            }
            if -kernel.STOPPED not in map(abs, found.values()):
                return

    def values_of_hands(self, position: Position, hands: Iterable[Hand]) -> list[int]:
        """Return the value for the side to move when North holds each of these hands instead.

        For positions after which nobody draws. The same as :meth:`value` of each, only quicker.
        """
        if position.over is not None:
            return [position.over.value(position.turn) for _ in hands]
        self._prepare(position)
        bits = card_bits(position.variant, position.trump)
        column = kernel.ME if position.turn == NORTH else kernel.OP
        code = encode(position)
        codes = []
        for hand in hands:
            code[column] = hand_bits(hand, bits)
            codes.append(code.copy())
        found = self._kernel.ints([0] * len(codes))
        self._kernel.values(self._kernel.table(codes), found, self._facts, self._memory)
        return [in_match(position, int(value)) for value in found]

    def evaluate_layouts(
        self, positions: Sequence[Position], moves: Sequence[Move]
    ) -> Iterator[tuple[int, ...]]:
        """Yield for each position what these moves are worth for the side to move, in game points.

        For positions alike in all that this side has seen, where the moves are sensible. The same
        as :meth:`evaluate_moves` of each, only quicker.
        """
        if not positions:
            return
        first = positions[0]
        columns = [play_column(move, first.variant, first.trump) for move in moves]
        for position, code in zip(positions, encode_layouts(positions), strict=True):
            self._prepare(position)
            graded = self._grade(code)
            yield tuple(in_match(position, graded[column]) for column in columns)

    def evaluate_moves(self, position: Position) -> dict[Move, int]:
        """Return the value of every sensible move for the side to move, in game points.

        False claims are left out: they only lose.
        """
        *_, values = self.evaluate_steps(position)
        return values

    def _grade(self, code: list[int]) -> list[int]:
        """Return what the plays of a position are worth, by the kernel's columns."""
        graded = self._kernel.ints([0] * kernel.PLAYS)
        self._kernel.grade(self._kernel.ints(code), graded, self._facts, self._memory)
        return [int(value) for value in graded]

    def card_points(self, position: Position) -> dict[Move, int]:
        """Return what every sensible move leads to, as own card points less the other's at the end.

        For positions after which nobody draws: both sides play for game points first (before carry
        and match) and for card points where these are equal, and announce as soon as it is right,
        unless waiting pays more. False claims are left out. Raises ValueError while cards are
        still drawn.
        """
        if position.open_stock:
            raise ValueError("card points are told for endings, and here cards are still drawn")
        found = {}
        for move in sensible_moves(position):
            after = play(position, move)
            margin = self._card_points(after)
            found[move] = margin if after.turn == position.turn else -margin
        return found

    def _card_points(self, position: Position) -> int:
        """Return the side to move's card points less the other's at the end of an ending."""
        if position.over is not None:
            own, other = position.turn, 1 - position.turn
            return position.card_points[own] - position.card_points[other]
        self._prepare(position)
        code = self._kernel.ints(encode(position))
        game_points = self._kernel.value(code, self._facts, self._memory)
        middle = game_points * ending.STEP
        reach = ending.STEP // 2
        found = self._kernel.ending(code, middle - reach, middle + reach, self._facts, self._memory)
        return int(found) - middle

    def refutation(self, position: Position, move: Move) -> tuple[Move, ...]:
        """Return best play by both sides after a move, the other side's reply first.

        Raises IllegalMove.
        """
        return self.principal_variation(play(position, move))

    def best_move(self, position: Position) -> Move:
        """Return a move with the highest value.

        Of equal ones that with the most card points in the end, where nobody draws any more. Then
        the most natural: announce, then take with the dearest card, throw the cheapest, lead the
        highest, and close or exchange only for a gain.
        """
        values = self.evaluate_moves(position)
        best = max(values.values())
        equal = [move for move, value in values.items() if value == best]
        if len(equal) > 1 and not position.open_stock:
            card_points = self.card_points(position)
            most = max(card_points[move] for move in equal)
            equal = [move for move in equal if card_points[move] == most]
        return max(equal, key=lambda move: _natural(position, move))

    def principal_variation(self, position: Position) -> tuple[Move, ...]:
        """Return best play by both sides to the end of the deal."""
        line = []
        while position.over is None:
            move = self.best_move(position)
            line.append(move)
            position = play(position, move)
        return tuple(line)

    def tools(self, position: Position) -> Tools:
        """Return what the solver works with, made ready for a position.

        For a search that asks the kernel's questions by itself; another question to the solver may
        change it all.
        """
        self._prepare(position)
        drawn = kernel.take_stock(self._kernel.ints(encode(position)), self._facts)
        return Tools(self._kernel, self._facts, self._memory, drawn)

    def _prepare(self, position: Position, amount: int = kernel.NO_LIMIT) -> None:
        """Make facts and memory fit for a position, and let so many more positions be looked at."""
        heavy = position.open_stock and len(position.stock) > LIGHT
        best = backend.current(heavy=heavy)
        if (
            position.variant != self._variant
            or best is not self._kernel
            or self._facts[kernel.GENERATION] >= GENERATIONS
        ):
            self._nodes = self.nodes
            self._kernel = best
            self._variant = position.variant
            self._facts = best.ints(new_facts(position.variant))
            self._bits = 0
        if heavy:
            self._make_room(backend.MEMORY_BITS)
        elif not self._bits or self._facts[kernel.NODES] - self._remembered > 1 << self._bits:
            self._make_room(min(max(LEAST_BITS, self._bits + 2), backend.MEMORY_BITS))
        self._facts[kernel.NODES] = min(self._facts[kernel.NODES], self._facts[kernel.LIMIT])
        self._facts[kernel.LIMIT] = min(self._facts[kernel.NODES] + amount, kernel.NO_LIMIT)

    def _make_room(self, bits: int) -> None:
        """Begin a larger memory, unless there is one of this size."""
        if bits > self._bits:
            self._bits = bits
            self._memory = self._kernel.new_memory(bits)
            self._remembered = self._facts[kernel.NODES]


def _slices() -> Iterator[int]:
    """Yield amounts of work for one step each, as positions to be looked at.

    What a step finds is remembered, what it has begun is lost; so they get longer, quickly up
    to what takes a moment, then slowly.
    """
    amount = float(SLICE)
    while True:
        started = monotonic()
        yield int(amount)
        amount *= 2 if monotonic() - started < MOMENT else 1.25


def in_match(position: Position, game_points: int) -> int:
    """Return a value with what is carried and the cap that the match sets, for the side to move."""
    if not game_points:
        return 0
    winner = position.turn if game_points > 0 else 1 - position.turn
    return award(position, winner, abs(game_points), "").value(position.turn)


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
