"""A line to step through, and what is played instead of it from any of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from trainer.explain import points_text, worth_text
from trainer.rules import Position, View
from trainer.rules.position import SIDE_NAMES, Side
from trainer.search.concealed import Answer, play_answer
from trainer.search.double_dummy import DoubleDummy
from trainer.widgets.picture import Frame, frames, frames_as_seen


@dataclass(frozen=True, slots=True)
class Replay:
    """Moves from a position on: a line, or its beginning and then something else.

    Values are double dummy, in game points for ``side``.
    """

    start: Position
    line: Answer
    """What can be come back to."""
    side: Side
    view: View | None = None
    """What South had seen at the start, where cards were concealed."""
    moves: Answer = ()
    """What is shown."""
    worth: Mapping[Answer, int] = field(default_factory=dict)
    """What the position after some moves is worth, as far as that is known."""

    @property
    def position(self) -> Position:
        """The position after all that is shown."""
        return play_answer(self.start, self.moves)

    def whole(self) -> Replay:
        """Return the replay that shows the line again."""
        return replace(self, moves=self.line)

    def cut(self, at: int) -> Replay:
        """Return the replay that ends after its first ``at`` moves. Raises ValueError."""
        if not 0 <= at <= len(self.moves):
            raise ValueError(f"there is no step {at} in this line")
        return replace(self, moves=self.moves[:at])

    def common(self) -> int:
        """Return how many moves of the line are shown, before anything else is."""
        pairs = list(zip(self.moves, self.line, strict=False))
        return next((n for n, (one, other) in enumerate(pairs) if one != other), len(pairs))

    def knowing(self, moves: Answer, value: int) -> Replay:
        """Return the replay knowing what the position after ``moves`` is worth."""
        return replace(self, worth={**self.worth, moves: value})

    def keeping(self, solver: DoubleDummy, first: int) -> Replay:
        """Return the replay knowing the value after ``first`` moves, which best play keeps."""
        value = self.cut(first)._value(solver)
        kept = {self.moves[:place]: value for place in range(first, len(self.moves) + 1)}
        return replace(self, worth={**self.worth, **kept})

    def answered(self, solver: DoubleDummy, moves: Answer) -> Iterator[Replay]:
        """Yield the replay with these moves added, then as it grows by the best replies to them.

        It grows until the side that made the moves has to play again, or the deal is over.
        """
        mover = self.position.turn
        grown = replace(self, moves=self.moves + moves)
        yield grown
        if self.moves not in grown.worth:
            grown = grown.knowing(self.moves, self._value(solver))
        grown = grown.knowing(grown.moves, grown._value(solver))
        yield grown
        while (now := grown.position).over is None and now.turn != mover:
            value = grown.worth[grown.moves]  # best play keeps it
            grown = replace(grown, moves=(*grown.moves, solver.best_move(now)))
            grown = grown.knowing(grown.moves, value)
            yield grown

    def _value(self, solver: DoubleDummy) -> int:
        return solver.value_for(self.side, self.position)

    def pages(self) -> list[dict[str, Any]]:
        """Return its frames for the page, each with only what differs from the one before it.

        ``picture`` is the table face up, ``seen`` what South saw of it, as far as that differs.
        """
        face_up = frames(self.start, self.moves)
        as_seen = face_up
        if self.view is not None:
            as_seen = frames_as_seen(self.view, self.start, self.moves)
        pages = []
        before: dict[str, Any] = {}
        for place, (shown, hidden) in enumerate(zip(face_up, as_seen, strict=True)):
            picture = _fields(shown) | {"worth": self._worth_text(place)}
            page = {"picture": _differing(picture, before)}
            if seen := _differing(_fields(hidden), picture):
                page["seen"] = seen
            pages.append(page)
            before = picture
        return pages

    def _worth_text(self, place: int) -> str:
        """Return what the table is worth after ``place`` moves, and what it was worth before."""
        value = self.worth.get(self.moves[:place])
        if value is None:
            return ""
        text = f"{SIDE_NAMES[self.side]}: {worth_text(value)}"
        if self.view is not None:
            text += " as these cards lie"
        before = self.worth.get(self.moves[: place - 1]) if place else None
        if before is not None and before != value:
            text += f", before {points_text(before)}"
        return text


def pages_of(shown: list[Frame]) -> list[dict[str, Any]]:
    """Return frames for the page, each with only what differs from the one before it."""
    pictures = [_fields(frame) for frame in shown]
    return [
        {"picture": _differing(picture, before)}
        for picture, before in zip(pictures, [{}, *pictures], strict=False)
    ]


def _fields(frame: Frame) -> dict[str, Any]:
    """Return what the page is told of a frame; it describes the table from that by itself."""
    fields = asdict(frame.picture) | {"text": frame.text}
    del fields["description"]
    return fields


def _differing(fields: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not the same among the others, of a seat only its own fields."""
    differing = {}
    for name, value in fields.items():
        other = others.get(name)
        if name in others and value == other:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            value = _differing(value, other)
        differing[name] = value
    return differing
