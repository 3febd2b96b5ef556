"""The page of puzzles: the learner chooses what to practise, and is asked one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, cast

import anywidget
import ipywidgets
import traitlets

from trainer.choosing import ALL_LEVELS, Wish
from trainer.practice import Practice, Wanted, Way, about_puzzle, here_and_now, practice_of
from trainer.puzzles import Puzzle, PuzzleError, installed_puzzles, load
from trainer.record import Record, open_record
from trainer.rules.variants import VARIANTS
from trainer.schedule import Switch, askable, day_of, items, open_switch, when, why
from trainer.widgets.course import Notice
from trainer.widgets.reveal import as_output
from trainer.widgets.table import CardTable, Question

HERE = Path(__file__).parent
WAITS = "Press Run all to choose puzzles."
WAYS: dict[Way, str] = {
    "free": "freely",
    "daily": "the puzzle of the day",
    "weak": "from the theme that cost you most",
    "review": "what is due for review",
    "set": "a set, in rounds until all is right",
}
SETS = 50
"""How many sets can be chosen from."""
CARDS = {"": "any", "seen": "as seen, some concealed", "up": "all face up"}
OFF = (
    "Review is off. Turned on, it keeps in mind which patterns you have met, a theme in a game, "
    "and asks each again when you are about to forget it, always with another puzzle."
)
UNHEEDED: dict[Way, tuple[str, ...]] = {
    "free": ("number",),
    "daily": ("number", "variant", "theme", "level", "cards"),
    "weak": ("number", "theme"),
    "review": ("number", "theme", "level"),
    "set": (),
}
"""What there is nothing to choose for in each way."""


class PuzzleForm(anywidget.AnyWidget):
    """The controls of the page. The page adds nothing to what these say."""

    _esm = (HERE / "puzzles.js").read_text(encoding="utf-8")
    _css = (HERE / "puzzles.css").read_text(encoding="utf-8")

    fields: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """Each with its name, label and options; an option is a value and its label."""
    values: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    """What is chosen, by the name of the field."""
    hidden: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """The names of the fields that do not matter now."""
    says: traitlets.Unicode[str, str | bytes] = traitlets.Unicode("").tag(sync=True)
    switch: traitlets.Unicode[str, str | bytes] = traitlets.Unicode("").tag(sync=True)
    """What the button for turning the review on or off says; empty where there is none."""
    due: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """What is under review: rows of four texts."""
    pressed: traitlets.Dict[str, Any] = traitlets.Dict({"seq": 0, "name": ""}).tag(sync=True)
    """The button that was pressed last, numbered."""


class Puzzles(ipywidgets.VBox):  # type: ignore[misc]
    """Controls for choosing, then a card table that asks one puzzle after the other."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle] | None = None,
        *,
        record: Record | None = None,
        switch: Switch | None = None,
        now: Callable[[], datetime] = here_and_now,
        rng: Random | None = None,
    ) -> None:
        """Offer ``puzzles``, by default the installed ones.

        ``record`` and ``switch`` are the learner's own by default; ``now`` tells the time where
        the learner is.
        """
        self._trouble = ""
        if puzzles is None:
            try:
                puzzles = load(installed_puzzles())
            except (PuzzleError, OSError) as error:
                puzzles, self._trouble = [], str(error)
        self.puzzles = puzzles
        self.table: CardTable | None = None
        """The table that asks; None before Start."""
        self.puzzle: Puzzle | None = None
        """The puzzle that is asked."""
        self._record = record or open_record()
        self._switch = switch or open_switch()
        self._now = now
        self._rng = rng or Random()
        self.form = PuzzleForm(fields=_fields(puzzles))
        self.form.values = {field["name"]: field["options"][0][0] for field in self.form.fields}
        self.place = ipywidgets.Output()
        self.about = Notice()
        """What may be told of a puzzle after its answer."""
        super().__init__([self.form, self.place, self.about])
        self._look()
        self.form.observe(lambda _: self._look(), "values")
        self.form.observe(self._on_press, "pressed")

    def __repr__(self) -> str:
        return WAITS

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        data: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": f"<p><em>{WAITS}</em></p>"}

    def start(self) -> None:
        """Ask the first puzzle of what is chosen."""
        questions = self._questions(self._practice())
        first = next(questions, None)
        if self.table is not None:
            self.table.unobserve(self._on_result, "result")
        self.table, self.about.text = None, ""
        if first is None:
            self.place.outputs = ()
            return
        self.table = CardTable(
            first.table,
            first.text,
            source=first.source,
            themes=first.themes,
            then=questions,
            record=self._record,
            level=2,
        )
        self.table.observe(self._on_result, "result")
        self.place.outputs = (as_output(self.table),)

    def turn_review(self) -> None:
        """Turn the review on if it is off, and off if it is on."""
        self._switch.turn(not self._switch.on)
        self._look()

    def _on_press(self, change: dict[str, Any]) -> None:
        name = change["new"].get("name")
        if name == "start":
            self.start()
        elif name == "switch":
            self.turn_review()

    def _on_result(self, change: dict[str, Any]) -> None:
        """Tell the themes with the mark, and nothing before."""
        told = []
        if self.puzzle is not None and change["new"].get("mark"):
            told = about_puzzle(self.puzzle)
        self.about.text = " ".join(told)

    def _wanted(self) -> Wanted:
        """Return what is chosen; what the page sends counts only if it was offered."""
        chosen: dict[str, str] = {}
        for field in self.form.fields:
            values = [value for value, _ in field["options"]]
            value = str(self.form.values.get(field["name"]))
            chosen[field["name"]] = value if value in values else values[0]
        way = cast(Way, chosen["way"])
        for name in UNHEEDED[way]:
            chosen[name] = ""
        level = chosen["level"]
        wish = Wish(
            chosen["theme"],
            chosen["variant"],
            (int(level), int(level)) if level else ALL_LEVELS,
            {"seen": True, "up": False}.get(chosen["cards"]),
        )
        return Wanted(way, wish, int(chosen["number"] or 1))

    def _practice(self) -> Practice:
        """Return what is chosen, and say what that is."""
        wanted, form = self._wanted(), self.form
        practice = practice_of(wanted, self.puzzles, self._record.attempts, self._now, self._rng)
        off = wanted.way == "review" and not self._switch.on
        if off:
            practice = Practice(practice.source, OFF, iter(()))
        says = [self._trouble or practice.says, self._switch.news, self._record.news() or ""]
        form.says = " ".join(filter(None, says))
        return practice

    def _look(self) -> None:
        """Show what there is to choose and what would be asked."""
        form, way = self.form, self._wanted().way
        with form.hold_sync():
            form.hidden = list(UNHEEDED[way])
            self._practice()
            on = self._switch.on
            form.switch = "" if way != "review" else f"Turn review {'off' if on else 'on'}"
            form.due = self._due() if way == "review" and on else []

    def _due(self) -> list[list[str]]:
        now = self._now()
        return [
            [
                f"due since {day_of(item.due, now)}" if item.is_due(now) else when(item, now),
                str(item.pattern),
                str(item.answers),
                why(item, now),
            ]
            for item in askable(items(self._record.attempts(), now), self.puzzles)
        ]

    def _questions(self, practice: Practice) -> Iterator[Question]:
        """Yield the questions, and say again how far it has come as each is asked for."""
        for number, puzzle in enumerate(practice.puzzles, 1):
            if number > 1:
                self._look()
            self.puzzle = puzzle
            text = f"Puzzle {number}, level {puzzle.difficulty}. {puzzle.question}"
            yield Question(puzzle.table, text, practice.source, puzzle.themes)
        self._look()


def _fields(puzzles: Sequence[Puzzle]) -> list[dict[str, Any]]:
    """Return the fields of the form; the first option of each is the one that is chosen first."""
    games = Counter(puzzle.variant for puzzle in puzzles)
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    levels = Counter(puzzle.difficulty for puzzle in puzzles)
    return [
        _field("way", "Practise", WAYS.items()),
        _field("number", "Set", ((str(n), f"set {n}") for n in range(1, SETS + 1))),
        _field(
            "variant",
            "Game",
            [("", "any"), *((name, f"{_title(name)} ({games[name]})") for name in sorted(games))],
        ),
        _field(
            "theme",
            "Theme",
            [("", "any"), *((name, f"{name} ({themes[name]})") for name in sorted(themes))],
        ),
        _field(
            "level",
            "Level",
            [("", "any"), *((str(n), f"{n} ({levels[n]})") for n in sorted(levels))],
        ),
        _field("cards", "Cards", CARDS.items()),
    ]


def _field(name: str, label: str, options: Any) -> dict[str, Any]:
    return {"name": name, "label": label, "options": [list(option) for option in options]}


def _title(game: str) -> str:
    row = VARIANTS.get(game)
    return game if row is None else row.title
