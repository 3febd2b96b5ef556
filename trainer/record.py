"""The learner's record: every answer with what it was worth, and the lessons finished.

It is one SQLite file in the user's data folder. An answer is a thing of a moment and the table
must not wait for it, so storing one never raises for trouble with the disk: what cannot be stored
now is kept in memory, tried again with the next entry, and the learner is told in one line.

* Every entry is a transaction of its own, which takes far less than a millisecond, and nothing is
  locked between two of them, so that notebooks and terminals share the file.
* It is in WAL mode with ``synchronous=NORMAL``. What was acknowledged is with the system and
  survives the end of the program, a kill too. A power cut can take the entries of the last half
  minute or so, though it cannot damage the file. ``FULL`` would keep those, at the price of
  waiting for the disk at each answer, some 5 ms on a good day and many times that on a bad one.
* Where there is no shared memory, as on network drives, the file gets a rollback journal and keeps
  it, since the mode is part of the file; that is written with ``FULL``, as it must be.
* If the file at the path is another one than before, deleted or set aside by somebody else, the new
  one is used.
* A file of an older version is brought up to date, after a copy of it is put beside it. A file of
  a newer one is left as it is and entries go into a file of this version beside it, not only into
  memory: they would be gone with the session. Whatever version reads them later reads both.
* A damaged file, and what is no record at all, is set aside under a new name, and a fresh one is
  begun.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sqlite3 import Connection

    from trainer.grading import Choice, Report

T = TypeVar("T")

FOLDER_VARIABLE = "SIXTY_SIX_DATA"
"""The environment variable that names another folder for the record."""
FILE_NAME = "record.sqlite"
APPLICATION = 0x53363652
"""What marks an SQLite file as a record of ours."""
STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE attempts (
            id INTEGER PRIMARY KEY,
            position TEXT NOT NULL,
            choice TEXT NOT NULL,
            best TEXT NOT NULL,
            loss REAL NOT NULL,
            game_points REAL NOT NULL,
            best_game_points REAL NOT NULL,
            real INTEGER NOT NULL,
            mark TEXT NOT NULL,
            concealed INTEGER NOT NULL,
            seconds REAL NOT NULL,
            hints INTEGER NOT NULL,
            source TEXT NOT NULL,
            themes TEXT NOT NULL,
            [when] TEXT NOT NULL
        )""",
        "CREATE TABLE lessons (name TEXT PRIMARY KEY, [when] TEXT NOT NULL)",
    ),
)
"""What makes a file of version n + 1 out of one of version n, 0 being an empty file."""
PATIENCE = 5.0
"""Seconds to wait for another program that is writing."""
MOST_HINTS = 4
LARGEST = 1e9
"""No figure is larger, so that no sum of them can overflow."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite may have beside its file, and what belongs to it."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to a position. Game points are for the side that answers.

    Raises ValueError for a time without its zone and for numbers that are none.
    """

    position: str
    """The position line in its canonical form."""
    choice: str
    """What was answered, in the words of the notation: ``cl DA``."""
    best: str
    loss: float
    game_points: float
    best_game_points: float
    real: bool
    """Some choice was worse than another."""
    mark: str
    concealed: bool
    seconds: float
    """From the question to the answer."""
    hints: int
    """How many were read before the answer, 0 to 4."""
    source: str
    """Where it was asked: the name of a lesson or a set of puzzles, or ``terminal``."""
    themes: tuple[str, ...]
    when: datetime

    def __post_init__(self) -> None:
        figures = self.loss, self.game_points, self.best_game_points, self.seconds
        if not all(-LARGEST <= figure <= LARGEST for figure in figures):  # false for NaN too
            raise ValueError(
                f"loss, game_points, best_game_points, seconds: found {figures}, expected numbers"
            )
        if self.loss < 0 or self.seconds < 0:
            raise ValueError("loss and seconds: expected no less than 0")
        if not 0 <= self.hints <= MOST_HINTS:
            raise ValueError(f"hints: found {self.hints}, expected 0 to {MOST_HINTS}")
        _check_zone(self.when)


def attempt_of(
    report: Report,
    choice: Choice,
    *,
    seconds: float,
    hints: int,
    source: str,
    themes: tuple[str, ...],
    when: datetime,
) -> Attempt:
    """Return a graded answer as the record keeps it. Raises ValueError as :class:`Attempt` does."""
    from trainer.grading import ROUNDING  # here, since reading a record needs no search
    from trainer.notation import format_answer, format_table
    from trainer.rules.position import View

    worth = [choice.game_points, *(each.game_points for each in report.choices)]
    return Attempt(
        position=format_table(report.table),
        choice=format_answer(choice.answer),
        best=format_answer(report.best.answer),
        loss=choice.loss,
        game_points=choice.game_points,
        best_game_points=report.best.game_points,
        real=max(worth) - min(worth) > ROUNDING,
        mark=choice.mark,
        concealed=isinstance(report.table, View),
        seconds=seconds,
        hints=hints,
        source=source,
        themes=themes,
        when=when,
    )


@dataclass(frozen=True, slots=True)
class Finished:
    """A lesson that was worked through to its end."""

    name: str
    when: datetime

    def __post_init__(self) -> None:
        _check_zone(self.when)


Entry = Attempt | Finished
COLUMNS = ", ".join(f"[{field.name}]" for field in fields(Attempt))
ADD_ATTEMPT = f"INSERT INTO attempts ({COLUMNS}) VALUES ({', '.join('?' * len(fields(Attempt)))})"
ADD_LESSON = "INSERT OR IGNORE INTO lessons VALUES (?, ?)"


class Trouble(Exception):
    """Why the file cannot be used now, in plain words; ``code`` is SQLite's primary one, or 0."""

    def __init__(self, reason: str, code: int = 0) -> None:
        super().__init__(reason)
        self.code = code


class Damaged(Trouble):
    """The file is there and is no sound record."""


class Newer(Exception):
    """The file was written by a version of the trainer that knows more than this one."""


class Record:
    """The learner's record in one file; entries that it cannot take yet wait in memory.

    May be used by several threads. Without a path it is kept in memory alone.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.trouble = ""
        """Why the file could not be read the last time; empty when it could."""
        self._files: dict[Path, _File] = {}
        self._waiting: list[Entry] = []
        self._news: list[str] = []
        self._told: set[str] = set()
        self._process = os.getpid()
        self._lock = RLock()

    def __repr__(self) -> str:
        return f"Record({str(self.path) if self.path else None!r})"

    def attempt(self, attempt: Attempt) -> str | None:
        """Store an answer; return one line for the learner if there is something to tell."""
        return self._enter(attempt)

    def finish_lesson(self, name: str, when: datetime) -> str | None:
        """Store that a lesson was finished; the first time counts. Return as for an attempt."""
        return self._enter(Finished(name, when))

    def attempts(self) -> list[Attempt]:
        """Return every answer, the oldest first, with those that still wait in memory."""
        with self._lock:
            rows = self._read(f"SELECT {COLUMNS} FROM attempts ORDER BY id")
            found = [attempt for row in rows if (attempt := _attempt(row))]
            if lost := len(rows) - len(found):
                self._tell(
                    f"{_count(lost, 'answer')} in your record cannot be read and "
                    f"{'is' if lost == 1 else 'are'} left out; the file keeps them."
                )
            found += [entry for entry in self._waiting if isinstance(entry, Attempt)]
            return sorted(found, key=lambda attempt: attempt.when)

    def lessons_finished(self) -> dict[str, datetime]:
        """Return the lessons that were finished, each with the first time that it was."""
        with self._lock:
            found = [
                Finished(str(name), when)
                for name, text in self._read("SELECT [name], [when] FROM lessons")
                if (when := _when(text)) is not None
            ]
            found += [entry for entry in self._waiting if isinstance(entry, Finished)]
            latest_first = sorted(found, key=lambda lesson: lesson.when, reverse=True)
            return {lesson.name: lesson.when for lesson in latest_first}

    def news(self) -> str | None:
        """Return in one line what the learner has not been told yet, None if nothing."""
        with self._lock:
            news, self._news = dict.fromkeys(self._news), []
            return " ".join(news) or None

    def close(self) -> str | None:
        """Close the file, after trying once more to store what waits; return as for an attempt.

        The record can be used again. At the end of the program this happens by itself.
        """
        with self._lock:
            said = self._store(len(self._waiting)) if self._waiting else self.news()
            for file in self._files.values():
                file.close()
            return said

    def _enter(self, entry: Entry) -> str | None:
        with self._lock:
            if os.getpid() != self._process:  # a fork: what waits is the parent's to store
                self._process, self._waiting = os.getpid(), []
            waited = len(self._waiting)
            self._waiting.append(entry)
            return self._store(waited)

    def _store(self, waited: int) -> str | None:
        """Write all that waits, as one step; so many entries of it could not be written before."""
        if self.path is None:
            self._tell("Here your answers are kept only until this page is closed.", once=True)
            return self.news()
        _UNSAVED.add(self)
        try:
            self._write(self._file(self.path))
        except Trouble as trouble:
            self._tell(
                f"Your record cannot be written now: {trouble}. "
                f"{_count(len(self._waiting), 'entry')} kept in memory until it can."
            )
            return self.news()
        _UNSAVED.discard(self)
        if waited:
            self._tell(f"Your record can be written again; {_count(waited, 'entry')} caught up.")
        return self.news()

    def _write(self, file: _File) -> None:
        def work(connection: Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            for entry in self._waiting:
                statement = ADD_ATTEMPT if isinstance(entry, Attempt) else ADD_LESSON
                connection.execute(statement, _row(entry))
            connection.execute("COMMIT")
            self._waiting.clear()  # at once: an interrupt must not store them twice

        try:
            file.use(work)
        except Newer:
            self._tell_newer(file)
            self._file(file.beside).use(work)

    def _read(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of the file, and of any that were written beside it."""
        rows: list[tuple[Any, ...]] = []
        if self.path is None:
            return rows
        self.trouble = ""
        try:
            for path in self._file(self.path).all_files():
                file = self._file(path)
                try:
                    rows += file.read(lambda connection: connection.execute(query).fetchall())
                except Newer:
                    self._tell_newer(file)
        except Trouble as trouble:
            self.trouble = str(trouble)
            self._tell(f"Your record cannot be read now: {trouble}.")
        return rows

    def _file(self, path: Path) -> _File:
        return self._files.setdefault(path, _File(path, self._tell))

    def _tell_newer(self, file: _File) -> None:
        self._tell(
            f"{file.path} was written by a newer version of the trainer and is left untouched. "
            f"Until you update, your answers go into {file.beside.name} beside it.",
            once=True,
        )

    def _tell(self, line: str, once: bool = False) -> None:
        if not (once and line in self._told):
            self._told.add(line)
            self._news.append(line)


_UNSAVED: set[Record] = set()
"""Records with entries in memory that must not be dropped."""
_OPENED: dict[Path | None, Record] = {}
_OPENING = RLock()


def open_record(path: Path | None = None) -> Record:
    """Return the record in a file, by default the learner's own; nothing is read or made yet.

    For one file a process has one record, so that all tables of a notebook try again together.
    """
    path = default_path() if path is None else path.absolute()
    with _OPENING:
        return _OPENED.setdefault(path, Record(path))


def default_path() -> Path | None:
    """Return the path of the learner's own record; None in a browser, where files do not last."""
    if folder := os.environ.get(FOLDER_VARIABLE):
        return Path(folder).expanduser().absolute() / FILE_NAME
    if sys.platform == "emscripten":
        return None
    import platformdirs

    return platformdirs.user_data_path("sixty-six-trainer", appauthor=False) / FILE_NAME


@atexit.register
def _close_all() -> None:
    for record in {*_UNSAVED, *_OPENED.values()}:
        record.close()


# ---- entries and rows --------------------------------------------------------------------------


def _check_zone(when: datetime) -> None:
    if when.tzinfo is None:
        raise ValueError(f"when: found {when}, expected a time with its zone")


def _utc(when: datetime) -> str:
    """Return a time as text, in UTC."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def _text(text: str) -> str:
    """Return a text that can be stored, whatever it is made of."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _row(entry: Entry) -> tuple[object, ...]:
    """Return an entry as the values of its columns."""
    if isinstance(entry, Finished):
        return _text(entry.name), _utc(entry.when)
    return (
        _text(entry.position),
        _text(entry.choice),
        _text(entry.best),
        float(entry.loss),
        float(entry.game_points),
        float(entry.best_game_points),
        int(entry.real),
        _text(entry.mark),
        int(entry.concealed),
        float(entry.seconds),
        int(entry.hints),
        _text(entry.source),
        json.dumps([_text(theme) for theme in entry.themes]),
        _utc(entry.when),
    )


def _attempt(row: tuple[Any, ...]) -> Attempt | None:
    """Return the answer in a row, None where somebody wrote into the row what makes no sense."""
    position, choice, best, loss, own, best_own, real, mark, hidden, *others = row
    seconds, hints, source, themes, when = others
    time = _when(when)
    try:
        listed = json.loads(themes)
        if time is None or not isinstance(listed, list):
            return None
        return Attempt(
            position=str(position),
            choice=str(choice),
            best=str(best),
            loss=float(loss),
            game_points=float(own),
            best_game_points=float(best_own),
            real=bool(real),
            mark=str(mark),
            concealed=bool(hidden),
            seconds=float(seconds),
            hints=int(hints),
            source=str(source),
            themes=tuple(map(str, listed)),
            when=time,
        )
    except (TypeError, ValueError):
        return None


def _when(text: object) -> datetime | None:
    try:
        when = datetime.fromisoformat(str(text))
        return None if when.tzinfo is None else when
    except ValueError:
        return None


def _count(number: int, noun: str) -> str:
    """Return a number of things: ``1 entry``, ``3 entries``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


# ---- one file ----------------------------------------------------------------------------------

REASONS = {
    5: "another program is using it",  # SQLITE_BUSY
    6: "another program is using it",  # SQLITE_LOCKED
    8: "the file or its folder is read-only",  # SQLITE_READONLY
    10: "the disk or drive does not answer as it should",  # SQLITE_IOERR
    13: "the disk is full",  # SQLITE_FULL
    14: "the file cannot be opened",  # SQLITE_CANTOPEN
    11: "the file is damaged",  # SQLITE_CORRUPT
    26: "the file is no SQLite file",  # SQLITE_NOTADB
}
BUSY = {5, 6}
DAMAGE = {11, 26}
NO_SHARED_MEMORY = {8, 10, 14, 15}
"""What comes of WAL where it is not possible: SQLITE_READONLY, IOERR, CANTOPEN, PROTOCOL."""


@contextmanager
def _in_plain_words(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system complain of into Trouble."""
    try:
        import sqlite3
    except ImportError as error:
        raise Trouble("this Python comes without SQLite") from error
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        kind = Damaged if code in DAMAGE else Trouble
        raise kind(f"{REASONS.get(code, error)} ({path})", code) from error
    except OSError as error:
        raise Trouble(f"{error.strerror or error} ({path})") from error


Identity = tuple[int, int] | None
_INHERITED: list[Connection] = []
"""What a fork got from its parent, and must neither use nor close."""


class _File:
    """One SQLite file. ``tell`` gets each line that the learner must know."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path = path
        self._tell = tell
        self._connection: Connection | None = None
        self._process = os.getpid()
        self._opened: Identity = None
        """The file that the connection has opened."""
        self._checked = False
        self._wal = True

    @property
    def beside(self) -> Path:
        """Where entries go when the file is of a newer version."""
        return self.path.with_stem(f"{self.path.stem} (version {len(STEPS)})")

    def all_files(self) -> list[Path]:
        """Return this file and those beside it, as far as they exist."""
        stem, suffix = map(re.escape, (self.path.stem, self.path.suffix))
        name = re.compile(rf"{stem}( \(version \d+\))?{suffix}")
        with _in_plain_words(self.path.parent):
            try:
                return sorted(p for p in self.path.parent.iterdir() if name.fullmatch(p.name))
            except FileNotFoundError:
                return []

    def use(self, work: Callable[[Connection], T]) -> T:
        """Return what ``work`` returns for the open file, which is made or mended if need be.

        ``work`` may be called again when it failed. Raises Trouble, and Newer.
        """
        for _ in range(4):
            with _in_plain_words(self.path.parent):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            found = self._identity()
            fresh = self._connection is None
            try:
                return self._use_once(work)
            except Damaged as damage:
                self._set_aside(found, damage)
            except Trouble as trouble:
                if trouble.code in BUSY:
                    raise
                if not fresh:  # it may have been opened when the file was read-only
                    continue
                if not (self._wal and trouble.code in NO_SHARED_MEMORY and self.path.is_file()):
                    raise
                self._leave_wal(trouble)
        raise Trouble(f"it is damaged again and again ({self.path})")

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return what ``work`` returns for the file, or for a copy of one that is read-only."""
        try:
            return self.use(work)
        except Trouble as trouble:
            if trouble.code in BUSY:
                raise
            with TemporaryDirectory() as folder, _in_plain_words(self.path):
                copy = Path(folder) / self.path.name
                for ending in ("", "-wal", "-journal"):
                    source = Path(f"{self.path}{ending}")
                    if not ending or source.exists():
                        shutil.copyfile(source, f"{copy}{ending}")
                file = _File(copy, self._tell)
                with suppress(Trouble):
                    try:
                        return file._use_once(work)
                    finally:
                        file.close()
            raise

    def _use_once(self, work: Callable[[Connection], T]) -> T:
        try:
            with _in_plain_words(self.path):
                if self._process != os.getpid() or self._opened != self._identity():
                    self.close()
                if self._connection is None:
                    self._process, self._connection = os.getpid(), _connect(self.path)
                self._prepare(self._connection)
                self._opened = self._identity()
                return work(self._connection)
        except BaseException:  # an interrupt too must leave no transaction behind
            self.close()
            raise

    def close(self) -> None:
        """Close the file; it is opened again when it is used."""
        connection, self._connection = self._connection, None
        self._checked = False
        if connection is not None and self._process == os.getpid():
            connection.close()
        elif connection is not None:
            _INHERITED.append(connection)

    def _prepare(self, connection: Connection) -> None:
        """Bring the file to this version. Raises Damaged, Newer, and what SQLite raises."""
        import sqlite3

        connection.execute("BEGIN")  # all of one moment: another program may be making the file
        application = _pragma(connection, "application_id")
        version = _pragma(connection, "user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        connection.execute("COMMIT")
        if application != APPLICATION and (application or version or tables):
            raise Damaged(f"the file is no record of the trainer ({self.path})")
        if version > len(STEPS):
            raise Newer
        if not self._checked and (
            connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok"
        ):
            raise Damaged(f"the file is damaged ({self.path})")
        if not tables and self._wal:
            _begin_wal(connection)
        if not self._checked:
            wal = connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
            connection.execute(f"PRAGMA synchronous = {'NORMAL' if wal else 'FULL'}")
        try:
            if version < len(STEPS):
                self._bring_up(connection)
            connection.execute(f"SELECT {COLUMNS} FROM attempts LIMIT 0")
            connection.execute("SELECT [name], [when] FROM lessons LIMIT 0")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_ERROR:
                raise Damaged(f"the file has other tables than a record ({self.path})") from error
            raise
        self._checked = True

    def _bring_up(self, connection: Connection) -> None:
        """Make a file of an older version, or an empty one, one of this version: all or nothing."""
        connection.execute("BEGIN IMMEDIATE")
        version = _pragma(connection, "user_version")
        if version < len(STEPS):  # else another program has done it meanwhile
            if version:
                self._keep_copy(version)
            for statement in (line for step in STEPS[version:] for line in step):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")

    def _keep_copy(self, version: int) -> None:
        """Put a copy of the file beside it, whole or not at all."""
        target = self._free_name(f"before version {version + 1}")
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with closing(_connect(self.path)) as source, closing(_connect(part)) as copy:
                source.backup(copy)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self._tell(f"Your record was brought up to date; the old one is kept as {target.name}.")

    def _set_aside(self, found: Identity, damage: Damaged) -> None:
        """Give a damaged file another name, unless another program has just done so."""
        with _in_plain_words(self.path), self._alone():
            if self._identity() != found or found is None:
                return
            aside = self._free_name("damaged")
            for ending in COMPANIONS:  # first, or they would be taken for the new file's
                with suppress(FileNotFoundError):
                    Path(f"{self.path}{ending}").rename(f"{aside}{ending}")
            self.path.rename(aside)
        self._tell(
            f"Your record cannot be used: {damage}. It is set aside as {aside.name}, and a new one "
            "is begun."
        )

    def _leave_wal(self, trouble: Trouble) -> None:
        """Turn the file to a journal that needs no shared memory; raise the trouble if that fails.

        SQLite refuses while another program has the file open.
        """
        import sqlite3

        self._wal = False
        with closing(_connect(self.path)) as connection:
            try:
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error:
                raise trouble from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep out other programs that do the same: by a lock of SQLite's, which ends with us."""
        with closing(_connect(self.path.with_name(f".{self.path.name}.lock"))) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield

    def _free_name(self, words: str) -> Path:
        """Return a path beside the file that nothing has: ``record (damaged 2).sqlite``."""
        number = 1
        while True:
            note = words if number == 1 else f"{words} {number}"
            path = self.path.with_stem(f"{self.path.stem} ({note})")
            if not any(os.path.lexists(f"{path}{ending}") for ending in ("", *COMPANIONS)):
                return path
            number += 1

    def _identity(self) -> Identity:
        """Return what tells the file from one that takes its name later; None if there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino


def _connect(path: Path) -> Connection:
    import sqlite3

    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _begin_wal(connection: Connection) -> None:
    """Ask for WAL; without it, or while another program is at it, things go on all the same."""
    import sqlite3

    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
