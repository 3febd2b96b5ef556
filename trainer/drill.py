"""What `sixty-six puzzle` asks: one puzzle after the other, answered in the notation.

:class:`Drill` speaks by lines, so that a person at a terminal and a file of answers are asked
alike. It ends when the answers do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import IO, cast

from rich.table import Table as Grid

from trainer.choosing import ANY, is_right, read_wish
from trainer.explain import why
from trainer.grading import Choice, Report, grade, reports
from trainer.hints import hints
from trainer.notation import (
    NotationError,
    format_answer,
    label_answer,
    parse_answer,
)
from trainer.practice import (
    SET_SIZE,
    Practice,
    Wanted,
    Way,
    about_puzzle,
    here_and_now,
    practice_of,
)
from trainer.puzzles import Puzzle, installed_puzzles, load
from trainer.record import Record, attempt_of, open_record
from trainer.rules import IllegalMove, Position, View, legal_moves, play
from trainer.rules.cards import RANKS, SUIT_SYMBOLS, SUITS
from trainer.rules.position import layouts
from trainer.schedule import Item, askable, day_of, due_line, items, open_switch, when
from trainer.schedule import why as why_due
from trainer.search import Answer, decides
from trainer.search.backend import prepare
from trainer.solve import Json, plain_console, progress_bar, solution_text, table_text, to_json

FORMAT = 1
HELP = "Type your answer, like HT, HQm, cl DA, ex, dr or 66; ? for a hint, q to quit."
AFTER = "Enter for the next one, another answer to try again, q to quit."
RULE = "-" * 60
OFF = "Review is off: sixty-six puzzle --turn-review on turns it on."
TYPED = re.compile(
    rf"([{SUITS}{SUIT_SYMBOLS}])\ufe0f?(10|[{RANKS}])(m|q!)?|(ex|dr|cl)", re.IGNORECASE
)
"""A move as a person may type it: its suit, rank and end, or its word."""
LETTERS = str.maketrans(SUIT_SYMBOLS, SUITS)


@dataclass
class Drill:
    """Asks puzzles on a terminal, or whatever else has lines to read and to write."""

    practice: Practice
    lines: IO[str]
    out: IO[str]
    bar: IO[str]
    """Where progress is shown, if it is a terminal."""
    record: Record
    now: Callable[[], datetime]
    asked: int = field(default=0, init=False)
    right: int = field(default=0, init=False)
    """How many were right at the first try, and not told by a hint."""

    def run(self) -> None:
        """Ask until the puzzles or the answers end."""
        self._say(self.practice.says)
        try:
            for number, puzzle in enumerate(self.practice.puzzles, 1):
                if not self._ask(number, puzzle):
                    break
        except KeyboardInterrupt:
            self._say("")
        if self.asked:
            self._say(f"\n{self.right} of {self.asked} right at the first try.")

    def _say(self, text: str) -> None:
        self.out.write(f"{text}\n")
        self.out.flush()

    def _read(self) -> str | None:
        """Return the next line without the spaces around it; None when the learner ends."""
        self.out.write("> ")
        self.out.flush()
        line = self.lines.readline()
        if not line or line.strip().lower() in ("q", "quit"):
            self._say("")
            return None
        return line.strip()

    def _ask(self, number: int, puzzle: Puzzle) -> bool:
        """Ask one puzzle until the learner goes on; return whether to ask another."""
        table = puzzle.table
        self._say(f"\n{RULE}\nPuzzle {number}, level {puzzle.difficulty}\n")
        self._say(f"{table_text(table)}\n\n{puzzle.question}\n{HELP}")
        report: Report | None = None
        shown: list[str] = []
        answered = False
        since = self.now()
        while (text := self._read()) is not None:
            if text == "?":
                report = report or self._solve(table)
                self._hint(report, shown)
            elif not text and answered:
                return True
            elif not text:
                self._say(HELP)
            else:
                try:
                    answer = read_answer(text, table)
                except (NotationError, IllegalMove) as problem:
                    self._say(f"{problem}.\nLegal here: {legal_text(table)}.")
                    continue
                seconds = max(0.0, (self.now() - since).total_seconds())
                report = report or self._solve(table)
                choice = grade(report, answer)
                self._tell(puzzle, report, choice)
                attempt = attempt_of(
                    report,
                    choice,
                    seconds=seconds,
                    hints=len(shown),
                    source=self.practice.source,
                    themes=puzzle.themes,
                    when=self.now(),
                )
                if news := self.record.attempt(attempt):
                    self._say(news)
                if not answered:
                    self.asked += 1
                    self.right += is_right(attempt)
                answered, since = True, self.now()
        return False

    def _solve(self, table: Position | View) -> Report:
        prepare()
        with progress_bar(self.bar) as progress:
            for report in reports(table):
                progress(report.progress)
        return report

    def _hint(self, report: Report, shown: list[str]) -> None:
        listed = hints(report)
        if len(shown) == len(listed):
            self._say("There are no more hints.")
            return
        shown.append(listed[len(shown)])
        self._say(f"Hint {len(shown)} of {len(listed)}: {shown[-1]}")

    def _tell(self, puzzle: Puzzle, report: Report, choice: Choice) -> None:
        words = label_answer(choice.answer, report.table)
        reasons = " ".join(reason.text for reason in why(report, choice))
        self._say(f"\n{choice.mark} {choice.word.capitalize()}: {words}.\n{reasons}\n")
        plain_console(self.out).print(solution_text(report))
        self._say("\n".join(["", *about_puzzle(puzzle), AFTER]))


# ---- the commands --------------------------------------------------------------------------------


def installed() -> list[Puzzle]:
    """Return the installed puzzles. Raises PuzzleError, which is a ValueError, if they are broken.

    Raises OSError where they cannot be read.
    """
    return load(installed_puzzles())


def wanted(
    puzzles: Iterable[Puzzle],
    way: str,
    theme: str,
    variant: str,
    level: str,
    concealed: bool | None,
    number: int | None,
    count: int | None,
) -> Wanted:
    """Return what the options of a command ask for.

    Raises ValueError for an option that no puzzle meets.
    """
    wish = read_wish(puzzles, theme=theme, variant=variant, level=level, concealed=concealed)
    if way == "daily" and wish != ANY:
        raise ValueError(f"--daily is the same puzzle for everybody; found also: {wish}")
    return Wanted(cast(Way, way), wish, number or 1, count or SET_SIZE)


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be asked or given: out of which puzzles, what, how many, in which random order."""

    puzzles: list[Puzzle]
    wanted: Wanted
    count: int | None
    seed: int | None

    def practice(self, record: Record) -> Practice:
        """Return the puzzles, by what the record has now and here.

        Raises ValueError when review is wanted and is off.
        """
        if self.wanted.way == "review" and not (switch := open_switch()).on:
            raise ValueError(f"{switch.news} {OFF}")
        most = None if self.wanted.way == "set" else self.count
        rng = Random(self.seed)
        return practice_of(self.wanted, self.puzzles, record.attempts, here_and_now, rng).first(
            most
        )


def ask(order: Order, lines: IO[str], out: IO[str], bar: IO[str]) -> str:
    """Ask what is ordered until the puzzles or the ``lines`` end; return what is to be told.

    Raises ValueError as :meth:`Order.practice` does.
    """
    record = open_record()
    Drill(order.practice(record), lines, out, bar, record, here_and_now).run()
    return record.close() or ""


def chosen(order: Order) -> tuple[list[Puzzle], str]:
    """Return the puzzles ordered, in as far as no answer changes them, and what is to be told.

    Raises ValueError when there is none, and as :meth:`Order.practice` does.
    """
    record = open_record()
    practice = order.practice(record)
    puzzles = list(practice.puzzles)
    if not puzzles:
        raise ValueError(f"there is no puzzle to give: {practice.says}")
    return puzzles, record.news() or ""


def print_puzzles(order: Order, as_json: bool, out: IO[str]) -> str:
    """Write the puzzles ordered, a line each; return and raise as :func:`chosen` does."""
    puzzles, news = chosen(order)
    for puzzle in puzzles:
        out.write((to_json(puzzle_json(puzzle)) if as_json else puzzle.position) + "\n")
    return news


def show_review(
    puzzles: list[Puzzle], turn: str | None, listed: bool, as_json: bool, out: IO[str]
) -> str:
    """Turn the review on or off if asked to, write what is under review if ``listed``.

    Return what is to be told. Raises ValueError where the review cannot be turned.
    """
    switch, record, now = open_switch(), open_record(), here_and_now()
    news = [switch.news]
    if turn is not None:
        switch.turn(turn == "on")
        if switch.news:
            raise ValueError(switch.news)
    found = askable(items(record.attempts(), now), puzzles)
    if as_json:
        for item in found if listed else []:
            out.write(to_json(item_json(item, now)) + "\n")
    else:
        out.write("Review is on. " if switch.on else f"{OFF} ")
        out.write(f"{due_line(record.attempts(), puzzles, now)}\n")
        if listed and found:
            plain_console(out).print(due_table(found, now))
    return " ".join(filter(None, [*news, record.news()]))


def read_answer(text: str, table: Position | View) -> Answer:
    """Return the whole decision that words name.

    Small letters, suit signs and 10 will do: ``h10`` is ``HT``. Raises NotationError for anything
    but moves, and IllegalMove for one that is not legal here, for a word after the end of the
    decision, and for half a decision.
    """
    position = stand_in(table)
    answer = parse_answer(re.sub(r"\S+", _tidied, text), position)
    for place, move in enumerate(answer):
        if place and decides(answer[:place]):
            raise IllegalMove(f"the decision ends with {format_answer(answer[:place])}")
        position = play(position, move)
    if not decides(answer):
        follows = " ".join(format_answer((move,)) for move in legal_moves(position))
        raise IllegalMove(f"{format_answer(answer)} is only the first part: add one of {follows}")
    return answer


def _tidied(word: re.Match[str]) -> str:
    """Return a word as the notation writes it; one that names no move as it was typed."""
    typed = TYPED.fullmatch(word[0])
    if typed is None:
        return word[0]
    suit, rank, end, plain = typed.groups("")
    card = (suit + rank.replace("10", "T")).upper().translate(LETTERS)
    return plain.lower() or card + (end.upper() if end.endswith("!") else end.lower())


def stand_in(table: Position | View) -> Position:
    """Return the position itself, or any layout of a view: what South may do is the same in all."""
    return table if isinstance(table, Position) else next(layouts(table))


def legal_text(table: Position | View) -> str:
    """Return the words of every legal move."""
    return " ".join(format_answer((move,)) for move in legal_moves(stand_in(table)))


def puzzle_json(puzzle: Puzzle) -> Json:
    """Return a puzzle with its solution as JSON data. Game points are for South."""
    return {
        "format": FORMAT,
        "id": puzzle.id,
        "position": puzzle.position,
        "variant": puzzle.variant,
        "view": "concealed" if puzzle.concealed else "double-dummy",
        "question": puzzle.question,
        "difficulty": puzzle.difficulty,
        "themes": list(puzzle.themes),
        "best": list(puzzle.best),
        "game_points": puzzle.value,
        "second": puzzle.second,
        "status": puzzle.status,
        "line": puzzle.line,
        "refutations": list(puzzle.refutations),
        "source": puzzle.source,
    }


def item_json(item: Item, now: datetime) -> Json:
    """Return a reviewed pattern as JSON data."""
    return {
        "format": FORMAT,
        "theme": item.pattern.theme,
        "variant": item.pattern.variant,
        "answers": item.answers,
        "right": item.right,
        "last": item.last.isoformat(),
        "due": item.due.isoformat(),
        "is_due": item.is_due(now),
        "recall": item.recall,
    }


def due_table(items: Iterable[Item], now: datetime) -> Grid:
    """Return the patterns under review as a table for people."""
    grid = Grid(box=None, pad_edge=False)
    for heading in ("when", "pattern", "answers", "why"):
        grid.add_column(heading, no_wrap=True)
    for item in items:
        due = f"{when(item, now)} since {day_of(item.due, now)}" if item.is_due(now) else ""
        grid.add_row(
            due or when(item, now), str(item.pattern), str(item.answers), why_due(item, now)
        )
    return grid
