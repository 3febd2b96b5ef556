"""One choice beside a better one, and the questions about them that search answers.

Every value here is in game points for the side to move, who is spoken to as "you".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from trainer.rules.cards import KING, QUEEN, Card, cards_in, hand_of, rank_of, suit_cards, suit_of
from trainer.rules.play import play, sensible_moves, with_side
from trainer.rules.position import SIDE_NAMES, Kind, Move, Position, Side
from trainer.rules.variants import Variant
from trainer.search import Answer, DoubleDummy, decides, play_answer

PLAYED = frozenset({Kind.CARD, Kind.MARRIAGE})
"""The moves by which a card goes to the trick."""
FORCED_STEPS = 800
"""Positions looked at to find in how many tricks a side is home."""
MOST_NODES = 150_000
"""Positions that search may store for the reasons of one choice: about a second's work without the
compiled kernel."""


class TooLong(Exception):
    """The reasons found so far have to do: what is left would take too long to check."""


@dataclass(slots=True)
class Budget:
    """How much more search the reasons for one choice may take, in positions stored."""

    left: int = MOST_NODES

    def value(self, solver: DoubleDummy, position: Position) -> int:
        """Return a value for the side to move, in game points. Raises TooLong."""
        if self.left < 0:
            raise TooLong
        before = solver.nodes
        value = solver.value(position)
        self.left -= solver.nodes - before
        return value


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence on why a choice is right or wrong, and the fact behind it.

    ``facts`` holds what the sentence claims, for whoever wants to check it by a search of their
    own; ``answer`` in it is the choice that the sentence speaks of.
    """

    kind: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, eq=False)
class Case:
    """A choice and the best one, on a table with every card seen.

    Both answers are whole decisions: what is left open after closing is filled in by best play.
    For a choice that is itself best the two are the same.
    """

    position: Position
    answer: Answer
    best: Answer
    solver: DoubleDummy
    rivals: tuple[Answer, ...]
    """All the best choices there are, none where they have not been counted."""
    budget: Budget = field(default_factory=Budget)
    _solvers: dict[Variant, DoubleDummy] = field(default_factory=dict)

    # ---- who, and what it is worth

    @property
    def me(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def other(self) -> Side:
        """The other side."""
        return 1 - self.position.turn

    @property
    def north(self) -> str:
        """The name of the other side."""
        return SIDE_NAMES[self.other]

    @property
    def row(self) -> Variant:
        """The laws of the game."""
        return self.position.variant

    @cached_property
    def after(self) -> Position:
        """The position after the choice."""
        return play_answer(self.position, self.answer)

    @cached_property
    def best_after(self) -> Position:
        """The position after the best choice."""
        return play_answer(self.position, self.best)

    @cached_property
    def value(self) -> int:
        """What the choice is worth."""
        return self.worth(self.after)

    @cached_property
    def best_value(self) -> int:
        """What the best choice is worth."""
        return self.worth(self.best_after)

    def worth(self, position: Position) -> int:
        """Return what a position is worth to the side to move here, in game points."""
        value = self.budget.value(self.solver, position)
        return value if position.turn == self.me else -value

    def under(self, position: Position, **columns: Any) -> int:
        """Return what a position would be worth if the variant had other columns."""
        row = replace(position.variant, **columns)
        if row == position.variant:
            return self.worth(position)
        solver = self._solvers.setdefault(row, DoubleDummy())
        value = self.budget.value(solver, replace(position, variant=row))
        return value if position.turn == self.me else -value

    def right(self, position: Position) -> bool:
        """Return whether a position is worth as much as the best choice."""
        return self.worth(position) >= self.best_value

    def level(self, value: int) -> int | None:
        """Return a value before what tied deals carry, None where the match caps it."""
        if self.position.match is not None:
            return None
        carry = self.position.carry
        return value - carry if value > 0 else value + carry if value < 0 else 0

    def closed_by(self, side: Side) -> bool:
        """Return whether a side has closed, the choice included."""
        closed = self.after.closed
        return closed is not None and closed.side == side

    # ---- the card that goes to the trick

    @cached_property
    def before(self) -> Position:
        """The position before the last move of the choice."""
        return play_answer(self.position, self.answer[:-1])

    @cached_property
    def card(self) -> Card | None:
        """The card that the choice plays, None if it plays none."""
        move = self.answer[-1]
        return move.card if move.kind in PLAYED else None

    @cached_property
    def best_card(self) -> Card | None:
        """The card that the best choice plays, None if it plays none."""
        move = self.best[-1]
        return move.card if move.kind in PLAYED else None

    @property
    def same_start(self) -> bool:
        """Whether the two answers differ in their last move alone, not in closing or exchanging."""
        return self.answer[:-1] == self.best[:-1]

    @property
    def leads(self) -> bool:
        """Whether the choice leads a card."""
        return self.card is not None and self.before.led is None

    @property
    def marriages_count(self) -> bool:
        """Whether a marriage can still be declared after the choice."""
        return self.after.open_stock or self.row.marriage_late

    def wins_trick(self, card: Card) -> bool:
        """Return whether a reply of the side to move here wins the trick."""
        led = self.position.led
        return led is not None and self.row.beats(card, led, self.position.trump)

    def wins_against(self, reply: Card, led: Card) -> bool:
        """Return whether a reply beats a card led."""
        return self.row.beats(reply, led, self.position.trump)

    @cached_property
    def refutations(self) -> dict[Move, Position]:
        """The other side's moves after the choice that keep it below the best one."""
        after = self.after
        if after.over is not None or after.turn == self.me:
            return {}
        found = {move: play(after, move) for move in sensible_moves(after)}
        return {move: then for move, then in found.items() if not self.right(then)}

    # ---- the position changed by one fact

    def with_points(self, position: Position, mine: int = 0, theirs: int = 0) -> Position | None:
        """Return a position with card points added or taken away, None where none are counted.

        A side without a trick has no points yet; nobody has fewer than one after a trick.
        """
        points = position.card_points
        for side, change in ((self.me, mine), (self.other, theirs)):
            if change and (not position.tricks[side] or points[side] + change < 1):
                return None
            points = with_side(points, side, points[side] + change)
        return replace(position, card_points=points)

    def fits_with_points(self, position: Position, mine: int = 0, theirs: int = 0) -> bool:
        """Return whether a position is as good as the best choice with other card points."""
        changed = self.with_points(position, mine, theirs)
        return changed is not None and self.right(changed)

    def with_lead(self, position: Position, side: Side) -> Position | None:
        """Return a position between two tricks with the lead given to a side."""
        if position.led is not None or position.open_stock or position.over is not None:
            return None
        return replace(position, turn=side)

    def harmless(self, card: Card, position: Position | None = None) -> Card | None:
        """Return a card out of play that could take the place of another in the other hand.

        It is plain, of another suit, as low as there is, and makes no marriage. It is out of play
        here, and in the later position given too.
        """
        seen = 0
        for table in (self.position, position or self.position):
            seen |= table.hands[0] | table.hands[1] | hand_of(table.stock)
            seen |= 0 if table.led is None else 1 << table.led
        gone = [
            each
            for each in cards_in(self.row.pack & ~seen)
            if suit_of(each) not in (self.position.trump, suit_of(card))
            and rank_of(each) not in (KING, QUEEN)
        ]
        low_first = sorted(gone, key=lambda each: (self.row.value(each), each))
        return low_first[0] if low_first else None

    def replaced(self, position: Position, side: Side, out: Card) -> Position | None:
        """Return a position with a card of a hand replaced by a harmless one out of play."""
        low = self.harmless(out, position)
        if low is None or not position.hands[side] >> out & 1:
            return None
        hand = position.hands[side] ^ 1 << out | 1 << low
        return replace(position, hands=with_side(position.hands, side, hand), won=None)

    # ---- how fast

    def home_in(self, position: Position, side: Side, most: int) -> int | None:
        """Return in how many tricks a side wins the deal whatever the other plays.

        The trick on the table counts. None where it needs more than ``most``, or where that would
        take too long to find out.
        """
        steps = [FORCED_STEPS]
        for tricks in range(most + 1):
            found = self._forced(position, side, tricks, steps)
            if found is not False:
                return tricks if found else None
        return None

    def _forced(self, position: Position, side: Side, left: int, steps: list[int]) -> bool | None:
        """Return whether a side wins within so many tricks; None when the steps are used up."""
        if position.over is not None:
            return position.over.value(side) > 0
        steps[0] -= 1
        if steps[0] < 0:
            return None
        value = self.budget.value(self.solver, position)
        if (value if position.turn == side else -value) <= 0:
            return False
        attacking = position.turn == side
        unsure = False
        for move in sensible_moves(position):
            then = play(position, move)
            after = left - sum(then.tricks) + sum(position.tricks)
            late = after < 0 and then.over is None
            found = False if late else self._forced(then, side, after, steps)
            if found is None:
                unsure = True
            elif found == attacking:
                return attacking
        if unsure:
            return None
        return not attacking


def least(most: int, holds: Callable[[int], bool]) -> int | None:
    """Return the least number from 1 to ``most`` for which something holds that then stays so."""
    if not holds(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def whole(
    position: Position, answer: Answer, solver: DoubleDummy, like: Move | None = None
) -> Answer:
    """Return an answer filled in by best play until nothing is left to its side to choose.

    Where the move ``like`` is as good as any it is taken: two choices are the easier to compare.
    """
    after = play_answer(position, answer)
    while not decides(answer) and after.over is None:
        move = solver.best_move(after)
        values = solver.evaluate_moves(after)
        if like is not None and values.get(like) == values[move]:
            move = like
        answer = (*answer, move)
        after = play(after, move)
    return answer


def suit_length(position: Position, side: Side, suit: int) -> int:
    """Return how many cards of a suit a side holds."""
    return suit_cards(position.hands[side], suit).bit_count()
