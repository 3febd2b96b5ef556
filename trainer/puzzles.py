"""The puzzle collection: what a puzzle is, its files, and the check that solves it again.

A file holds one puzzle a line, its cells separated by tabs, below one line with the names of the
columns; UTF-8, nothing quoted. It opens in any spreadsheet, and a change to one puzzle changes one
line. Whatever is stored about the solution is there to be read without a search, and
:func:`check` finds it again.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import permutations
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread

from trainer.grading import Choice, Report, report
from trainer.lessons import write_whole
from trainer.notation import (
    NotationError,
    format_answer,
    format_hand,
    format_move,
    format_table,
    parse,
    parse_answer,
)
from trainer.rules.cards import SUITS, Hand, card_code, card_name, cards_in, make_card, suit_of
from trainer.rules.cards import rank_of as rank
from trainer.rules.play import IllegalMove, play
from trainer.rules.position import NORTH, SIDE_NAMES, SOUTH, Position, Table, View
from trainer.rules.variants import VARIANTS
from trainer.search import Answer, decides, play_answer
from trainer.themes import NAMES, themes_of

LEVELS = range(1, 6)
"""How difficult a puzzle can be, from 1, the easiest."""
STATUSES = ("exact", "average", "sampled")
"""How sure the values are. Exact: every layout is counted, and with cards concealed the best fixed
plan is known for every choice. Average: every layout is counted, but for some choice only as if
the cards were seen. Sampled: some choice is counted over a sample of its layouts."""
LISTED = " | "
"""Between the entries of a cell that holds several."""
FEW = 20
"""Puzzles that are checked sooner than other processes are ready."""
PLACES = 4
"""Decimals of a value."""
LARGEST = 64_000_000
"""Bytes that are read of a file."""


class PuzzleError(ValueError):
    """A puzzle file that cannot be read: one line naming file, line, column and what belongs there.

    ``line`` counts from 1 with the line of column names; it is None where the whole file is meant.
    """

    def __init__(
        self, file: Path, expected: str, found: str, line: int | None = None, column: str = ""
    ) -> None:
        super().__init__(file, expected, found, line, column)
        self.file = file
        self.expected = expected
        self.found = found
        self.line = line
        self.column = column

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        column = f", column {self.column}" if self.column else ""
        return f"{self.file}{line}{column}: found {self.found}, expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which South is to choose, and what is best there. Its fields are the columns.

    Values are game points for South. With cards concealed a line or refutation is played in an
    example layout, which stands before it in brackets: North's hand, and the stock where it is
    open.
    """

    id: str
    position: str
    """The canonical line of the position or view."""
    difficulty: int
    themes: tuple[str, ...]
    best: tuple[str, ...]
    """Every best choice, in words of moves."""
    value: float
    """What the best choice is worth; with cards concealed the average as if they were seen."""
    low: float | None
    """With cards concealed: what the best choice yields by one fixed plan; None if not known."""
    second: float
    """What the best of the other choices is worth, reckoned as ``value``."""
    status: str
    line: str
    """A best choice, and best play by both sides after it."""
    refutations: tuple[str, ...]
    """For each choice that loses: its words, a colon, and what follows it."""
    question: str
    source: str
    """Where a puzzle that was not mined comes from; empty for the others."""

    @property
    def variant(self) -> str:
        """The name of the game, without switches."""
        return self.position.split(" ", 1)[0].split("~")[0]

    @property
    def concealed(self) -> bool:
        """Whether South does not see North's cards."""
        words = self.position.split(" ")
        return "," in words[2] or "x" in words[4]

    @property
    def table(self) -> Position | View:
        """The position or view itself."""
        return parse(self.position)


COLUMNS = tuple(each.name for each in fields(Puzzle))


# ---------------------------------------------------------------------------- solving a puzzle


def puzzle_of(
    found: Report,
    *,
    difficulty: int,
    themes: tuple[str, ...] | None = None,
    source: str = "",
    name: str | None = None,
    question: str | None = None,
) -> Puzzle:
    """Return the puzzle that a finished report makes.

    ``themes`` are found where they are not given, ``name`` is its id, by default :func:`puzzle_id`,
    and ``question`` by default asks for South's choice. Raises ValueError where no choice is worse
    than another.
    """
    choices = whole_choices(found)
    others = [choice for choice in choices if not choice.best]
    if not others:
        raise ValueError("no choice is worse than another")
    best = found.best
    concealed = isinstance(found.table, View)
    return Puzzle(
        id=puzzle_id(found.table) if name is None else name,
        position=format_table(found.table),
        difficulty=difficulty,
        themes=themes_of(found) if themes is None else themes,
        best=tuple(sorted(format_answer(choice.answer) for choice in choices if choice.best)),
        value=round(best.game_points, PLACES),
        low=None if best.low is None else round(best.low, PLACES),
        second=round(max(choice.game_points for choice in others), PLACES),
        status=_status(choices),
        line=_played(best, concealed),
        refutations=tuple(
            f"{format_answer(choice.answer)}: {_played(choice, concealed, after=True)}"
            for choice in others
            if choice.loss > 0
        ),
        question=question_of(found.table) if question is None else question,
        source=source,
    )


def whole_choices(found: Report) -> list[Choice]:
    """Return the choices of a report that are to be told apart, best first.

    With cards concealed these are whole decisions, what follows closing or exchanging included.
    """
    concealed = isinstance(found.table, View)
    return [choice for choice in found.choices if not concealed or decides(choice.answer)]


def question_of(table: Table) -> str:
    """Return the question a position puts to South, which gives nothing away."""
    if table.led is not None:
        return f"{SIDE_NAMES[NORTH]} leads the {card_name(table.led)}. What do you play?"
    if table.undrawn:
        return "You have won the trick and nobody has drawn yet. What do you do?"
    return "You are on lead. What do you do?"


def _status(choices: list[Choice]) -> str:
    if any(choice.status == "sampled" for choice in choices):
        return "sampled"
    face_up = choices[0].layouts == 1 and choices[0].low is None
    planned = all(choice.low is not None and choice.status == "exact" for choice in choices)
    return "exact" if face_up or planned else "average"


def _played(choice: Choice, concealed: bool, after: bool = False) -> str:
    """Return best play with a choice, or what follows it, in its layout if cards are concealed."""
    moves = choice.line if after else (*choice.answer, *choice.line)
    words = " ".join(map(format_move, moves)) or "the deal is over"
    if not concealed:
        return words
    layout = choice.layout
    stock = f" {''.join(map(card_code, layout.stock))}" if layout.open_stock else ""
    return f"[N:{format_hand(layout.variant, layout.hands[NORTH])}{stock}] {words}"


# ----------------------------------------------------------------------------------- same puzzles


def twin_key(table: Position | View) -> tuple[object, ...]:
    """Return what a position is up to the names of the plain suits and to dead cards.

    Dead are the cards in the tricks won and those of a closed stock: they matter by their points
    alone. Two positions with the same key are the same puzzle.
    """
    return min(_renamed(table, order) for order in _renamings(table.trump))


def puzzle_id(table: Position | View) -> str:
    """Return a name that a position shares with its twins alone: ``schnapsen-3f2a91c0d4``."""
    digest = hashlib.sha256(repr(twin_key(table)).encode()).hexdigest()
    return f"{table.variant.name}-{digest[:10]}"


def _renamings(trump: int) -> Iterator[tuple[int, ...]]:
    """Yield for each naming of the suits what each is called, trumps always 0."""
    plain = [suit for suit in range(4) if suit != trump]
    for names in permutations((1, 2, 3)):
        called = dict(zip(plain, names, strict=True)) | {trump: 0}
        yield tuple(called[suit] for suit in range(4))


def _renamed(table: Position | View, called: tuple[int, ...]) -> tuple[object, ...]:
    def card(old: int | None) -> int:
        return -1 if old is None else make_card(called[suit_of(old)], rank(old))

    def hand(old: Hand) -> Hand:
        return sum(1 << card(each) for each in cards_in(old))

    is_open = bool(table.stock) and table.closed is None
    closed = table.closed
    common = (
        table.variant.name,
        tuple(map(card, table.stock if is_open else table.stock[-1:])),
        card(table.led),
        table.undrawn,
        table.card_points,
        table.provisional,
        tuple(map(bool, table.tricks)),
        closed and (closed.side, closed.card_points, bool(closed.tricks)),
        table.carry,
        table.match or (),
    )
    if isinstance(table, Position):
        return (*common, *map(hand, table.hands))
    sure = table.known | _declared(table)
    held = (hand(table.hand), hand(sure), table.concealed + table.known.bit_count())
    return (*common, *held, hand(table.unseen), hand(table.unseen & table.lacks))


def _declared(view: View) -> Hand:
    """Return the unseen Kings and Queens that North must hold, having declared their marriage."""
    cards = cards_in(view.unseen)
    return sum(
        1 << card for card in cards if view.said[NORTH] >> suit_of(card) & 1 and _royal(card)
    )


def _royal(card: int) -> bool:
    return card_code(card)[1] in "KQ"


# -------------------------------------------------------------------------------------- the check


def check(puzzle: Puzzle) -> list[str]:
    """Solve a puzzle again; return what is wrong with it, one sentence each, none if all is right.

    The difficulty is not found again: it tells how players fared when the puzzle was mined.
    """
    try:
        table = parse(puzzle.position)
    except NotationError as error:
        return [f"position: {error}"]
    if table.turn != SOUTH or table.over is not None:
        return ["position: found no choice for South, expected South to move"]
    try:
        again = puzzle_of(
            report(table),
            difficulty=puzzle.difficulty,
            source=puzzle.source,
            name=puzzle.id if puzzle.source else None,
            question=puzzle.question if puzzle.source else None,
        )
    except ValueError as error:
        return [f"position: {error}"]
    faults = []
    for column in COLUMNS:
        stored, found = getattr(puzzle, column), getattr(again, column)
        if stored != found and column not in ("line", "refutations"):
            faults.append(f"{column}: found {_cell(stored)!r}, expected {_cell(found)!r}")
    if _refuted(puzzle) != _refuted(again):
        faults.append(f"refutations: expected one for each of {LISTED.join(_refuted(again))}")
    if not any(_begins(puzzle.line, answer) for answer in again.best):
        faults.append(f"line: expected it to begin with {' or '.join(again.best)}")
    return faults or _line_faults(puzzle, table)


def _refuted(puzzle: Puzzle) -> list[str]:
    """Return the choices that the refutations of a puzzle are about, sorted."""
    return sorted(entry.partition(": ")[0] for entry in puzzle.refutations)


def _begins(line: str, answer: str) -> bool:
    """Return whether the moves of a stored line begin with those of an answer."""
    words = line.partition("] ")[2] if line.startswith("[") else line
    return f"{words} ".startswith(f"{answer} ")


def _line_faults(puzzle: Puzzle, table: Position | View) -> list[str]:
    """Return what is wrong with the line and the refutations.

    Another line may be as good, so the stored ones are played: each move must be legal, and the
    line must end with what it promises.
    """
    faults = []
    played: list[tuple[str, Answer, str]] = [("line", (), puzzle.line)]
    for entry in puzzle.refutations:
        words, _, line = entry.partition(": ")
        try:
            played.append(("refutations", parse_answer(words, table), line))
        except NotationError as error:
            faults.append(f"refutations: {entry[:40]!r}: {error}")
    for column, answer, line in played:
        try:
            end = replay(table, answer, line)
        except (NotationError, IllegalMove) as error:
            faults.append(f"{column}: {line[:40]!r}: {error}")
            continue
        if end.over is None:
            faults.append(f"{column}: {line[:40]!r} does not end the deal")
        elif isinstance(table, Position) and column == "line":
            value = end.over.value(SOUTH)
            if value != puzzle.value:
                faults.append(f"line: it is worth {value}, expected {puzzle.value:g}")
    return faults


def replay(table: Position | View, answer: Answer, line: str) -> Position:
    """Return where a stored line leads when played after an answer.

    Raises NotationError or IllegalMove where it cannot be played.
    """
    position, words = example(table, line)
    position = play_answer(position, answer)
    if words != "the deal is over":
        for move in parse_answer(words, position):
            position = play(position, move)
    return position


def example(table: Position | View, line: str) -> tuple[Position, str]:
    """Return the layout in which a stored line is played, and the line without its brackets.

    Raises NotationError for a layout that does not fit.
    """
    if isinstance(table, Position):
        return table, line
    layout, _, words = line.removeprefix("[").partition("] ")
    north, _, stock = layout.partition(" ")
    parts = format_table(table).split(" ")
    parts[2] = north
    if stock:
        parts[4] = stock
    elif table.stock:
        parts[4] = _any_stock(table, north)
    parts = [part for part in parts if not part.startswith("lacks=")]
    position = parse(" ".join(parts))
    if not isinstance(position, Position):
        raise NotationError("line", repr(layout), "North's whole hand in brackets", 1)
    return position, words


def _any_stock(view: View, north: str) -> str:
    """Return the stock of a closed view, the face-down cards in the order of the pack."""
    suits = zip(SUITS, north.removeprefix("N:").split("."), strict=False)
    held = {suit + each for suit, ranks in suits for each in ranks}
    hidden = (code for code in map(card_code, cards_in(view.unseen)) if code not in held)
    return "".join(next(hidden, "") if card is None else card_code(card) for card in view.stock)


def check_many(
    entries: Sequence[Entry], *, workers: int | None = None
) -> Iterator[tuple[Entry, list[str]]]:
    """Check puzzles on all cores, or by so many workers; yield each with its faults, in order."""
    puzzles = [entry.puzzle for entry in entries]
    with processes(1 if len(puzzles) < FEW else workers) as executor:
        found = map(check, puzzles) if executor is None else executor.map(check, puzzles)
        yield from zip(entries, found, strict=True)


@contextmanager
def processes(workers: int | None) -> Iterator[Executor | None]:
    """Give one process a core, or so many; with one worker None, for none but this.

    Left by an error or by Ctrl-C, what they have begun is given up.
    """
    count = workers or os.cpu_count() or 1
    if count == 1:
        yield None
        return
    others = active_children()
    executor = ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_begin_worker
    )
    try:
        yield executor
    except BaseException:
        for process in active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that hands out the work, and end when that has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End a worker whose parent was killed: it would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# -------------------------------------------------------------------------------------- the files


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle and where it is stored."""

    file: Path
    line: int
    puzzle: Puzzle


def load(path: Path | str) -> list[Puzzle]:
    """Return the puzzles of a file, or of all files of a folder in the order of their names.

    Raises PuzzleError for what is no puzzle file, and OSError where it cannot be read.
    """
    return [entry.puzzle for entry in read(path)]


def read(path: Path | str) -> list[Entry]:
    """Return the puzzles of a file or folder, each with its place. Raises as :func:`load` does."""
    path = Path(path)
    files = sorted(path.glob("*.tsv")) if path.is_dir() else [path]
    if not files:
        raise PuzzleError(path, "a file NAME.tsv with puzzles", "none")
    entries = [entry for file in files for entry in _read_file(file)]
    first: dict[str, Entry] = {}
    for entry in entries:
        before = first.setdefault(entry.puzzle.id, entry)
        if before is not entry:
            raise PuzzleError(
                entry.file,
                f"each once, see {before.file.name}, line {before.line}",
                f"{entry.puzzle.id} again",
                entry.line,
                "id",
            )
    return entries


def save(puzzles: Iterable[Puzzle], file: Path | str) -> None:
    """Write a file of puzzles, sorted by id so that changes are few; whole or not at all.

    Raises ValueError for a text that cannot stand in a cell.
    """
    file = Path(file)
    rows = [COLUMNS, *(to_cells(puzzle) for puzzle in sorted(puzzles, key=lambda each: each.id))]
    text = "".join("\t".join(row) + "\n" for row in rows)
    write_whole(file, text.encode())


def installed_puzzles() -> Path:
    """Return the folder of the puzzles that came with this installation or lie in this checkout.

    Raises PuzzleError if there is none.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_puzzles", package.parent / "puzzles"):
        if folder.is_dir():
            return folder
    raise PuzzleError(package, "the puzzles; please install sixty-six-trainer again", "none")


def to_cells(puzzle: Puzzle) -> list[str]:
    """Return the cells of a puzzle's line. Raises ValueError for a text that cannot be one."""
    cells = [_cell(getattr(puzzle, column)) for column in COLUMNS]
    for column, cell in zip(COLUMNS, cells, strict=True):
        if not _may_stand(cell):
            raise ValueError(f"{column}: {cell[:40]!r} cannot stand in a cell of a table")
    return cells


def _cell(value: object) -> str:
    """Return a field as the text of a cell."""
    if isinstance(value, tuple):
        return LISTED.join(value)
    if isinstance(value, float):
        return f"{value:.{PLACES}f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)


def _may_stand(cell: str) -> bool:
    """Return whether a cell is text or a number to every spreadsheet, never a formula."""
    formula = cell.startswith(("=", "+", "-", "@")) and not NUMBER.fullmatch(cell)
    return not formula and cell.isprintable() and '"' not in cell and cell == cell.strip()


NUMBER = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4})?")
IDENTITY = re.compile(r"[a-z0-9][a-z0-9~_-]{0,79}")


def _read_file(file: Path) -> Iterator[Entry]:
    with file.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise PuzzleError(file, f"at most {LARGEST} bytes", "more")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x}"
        raise PuzzleError(
            file, "text in UTF-8", found, data.count(b"\n", 0, error.start) + 1
        ) from None
    head, *lines = [line.removesuffix("\r") for line in text.split("\n")]
    if head.split("\t") != list(COLUMNS):
        expected = f"the columns {', '.join(COLUMNS)}, separated by tabs and not in quotes"
        raise PuzzleError(file, expected, _shown(head), 1)
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=2):
        yield Entry(file, number, from_cells(line.split("\t"), file, number))


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else f"{text[:40]}...") if text else "nothing"


class _Row:
    """The cells of a line, read one by one."""

    def __init__(self, file: Path, number: int, cells: list[str]) -> None:
        self.file = file
        self.number = number
        self.cells = dict(zip(COLUMNS, cells, strict=True))

    def error(self, column: str, expected: str, found: str | None = None) -> PuzzleError:
        shown = _shown(self.cells[column]) if found is None else found
        return PuzzleError(self.file, expected, shown, self.number, column)

    def text(self, column: str) -> str:
        return self.cells[column]

    def listed(self, column: str) -> tuple[str, ...]:
        cell = self.cells[column]
        return tuple(cell.split(LISTED)) if cell else ()

    def decimal(self, column: str) -> float:
        if not NUMBER.fullmatch(self.cells[column]):
            raise self.error(column, "game points, such as 2 or -0.75")
        return float(self.cells[column])


def from_cells(cells: list[str], file: Path = Path("cells"), number: int = 1) -> Puzzle:
    """Return the puzzle of a line's cells. Raises PuzzleError, naming file and line."""
    if len(cells) != len(COLUMNS):
        raise PuzzleError(file, f"{len(COLUMNS)} cells between tabs", str(len(cells)), number)
    row = _Row(file, number, cells)
    for column, cell in row.cells.items():
        if not _may_stand(cell):
            raise row.error(column, "plain text without quotes that is no formula")
    if not IDENTITY.fullmatch(row.text("id")):
        raise row.error("id", "small letters, digits and hyphens")
    table = _read_position(row)
    if row.text("difficulty") not in map(str, LEVELS):
        raise row.error("difficulty", f"a level from {LEVELS[0]} to {LEVELS[-1]}")
    for theme in row.listed("themes"):
        if theme not in NAMES:
            raise row.error("themes", "names of themes with | between", _shown(theme))
    if not row.text("best"):
        raise row.error("best", "the best choices in words of moves")
    for answer in row.listed("best"):
        try:
            parse_answer(answer, table)
        except NotationError as error:
            raise row.error("best", error.expected, error.found) from None
    if row.text("status") not in STATUSES:
        raise row.error("status", f"one of {', '.join(STATUSES)}")
    return Puzzle(
        id=row.text("id"),
        position=row.text("position"),
        difficulty=int(row.text("difficulty")),
        themes=row.listed("themes"),
        best=row.listed("best"),
        value=row.decimal("value"),
        low=row.decimal("low") if row.text("low") else None,
        second=row.decimal("second"),
        status=row.text("status"),
        line=row.text("line"),
        refutations=row.listed("refutations"),
        question=row.text("question"),
        source=row.text("source"),
    )


def _read_position(row: _Row) -> Position | View:
    line = row.text("position")
    try:
        table = parse(line)
    except NotationError as error:
        expected = f"{error.expected} (character {error.column}, {error.field})"
        raise row.error("position", expected, error.found) from None
    if format_table(table) != line:
        raise row.error("position", f"the line {format_table(table)!r}")
    if table.turn != SOUTH or table.over is not None:
        raise row.error("position", "a position in which South is to choose")
    return table


# ------------------------------------------------------------------------------------ the figures


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many puzzles there are of each kind.

    ``by_theme`` counts a puzzle once for each of its themes, ``unthemed`` those without any.
    """

    puzzles: int
    concealed: int
    mined: int
    by_variant: dict[str, int]
    concealed_by_variant: dict[str, int]
    by_difficulty: dict[int, int]
    by_variant_and_difficulty: dict[tuple[str, int], int]
    by_theme: dict[str, int]
    by_status: dict[str, int]
    unthemed: int

    @property
    def concealed_share(self) -> float:
        """The share of the puzzles with concealed cards, 0 to 1."""
        return self.concealed / self.puzzles if self.puzzles else 0.0

    def theme_share(self, theme: str) -> float:
        """Return the share of the puzzles that have a theme, 0 to 1."""
        return self.by_theme[theme] / self.puzzles if self.puzzles else 0.0


def statistics(puzzles: Iterable[Puzzle]) -> Statistics:
    """Return the figures of a collection, every variant, level and theme listed, if with 0."""
    puzzles = list(puzzles)
    variants = Counter(puzzle.variant for puzzle in puzzles)
    concealed = Counter(puzzle.variant for puzzle in puzzles if puzzle.concealed)
    levels = Counter(puzzle.difficulty for puzzle in puzzles)
    cells = Counter((puzzle.variant, puzzle.difficulty) for puzzle in puzzles)
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    statuses = Counter(puzzle.status for puzzle in puzzles)
    return Statistics(
        puzzles=len(puzzles),
        concealed=concealed.total(),
        mined=sum(not puzzle.source for puzzle in puzzles),
        by_variant={name: variants[name] for name in VARIANTS},
        concealed_by_variant={name: concealed[name] for name in VARIANTS},
        by_difficulty={level: levels[level] for level in LEVELS},
        by_variant_and_difficulty={
            (name, level): cells[name, level] for name in VARIANTS for level in LEVELS
        },
        by_theme={theme: themes[theme] for theme in NAMES},
        by_status={status: statuses[status] for status in STATUSES},
        unthemed=sum(not puzzle.themes for puzzle in puzzles),
    )
