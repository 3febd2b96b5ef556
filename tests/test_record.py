"""The learner's record: nothing is lost, whatever happens to the file, the disk or the program."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer import record as recording
from trainer.record import Attempt, Record, default_path, open_record

NOW = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
ATTEMPT = Attempt(
    position="foster66 S:AQ.T9.. N:.AQ.A.9 C - 110/5-21/3 S",
    choice="HT",
    best="66",
    loss=2.0,
    game_points=0.0,
    best_game_points=2.0,
    real=True,
    mark="??",
    concealed=False,
    seconds=12.5,
    hints=1,
    source="06_count_35",
    themes=("announcing", "counting"),
    when=NOW,
)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs users, limits or forks as POSIX has")


def numbered(number: int) -> Attempt:
    return replace(ATTEMPT, choice=f"answer {number}", when=NOW + timedelta(minutes=number))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "record.sqlite"


def names(path: Path) -> set[str]:
    """The files in the folder of a record, without those that only programs at work need."""
    passing = (".lock", "-wal", "-shm")
    return {p.name for p in path.parent.iterdir() if not p.name.endswith(passing)}


def filled(path: Path) -> Record:
    """A record of several pages, written in one step."""
    record = Record(path)
    record._waiting += map(numbered, range(60))
    record.close()
    record.news()
    return record


def enter(path: Path, attempt: Attempt) -> str | None:
    """Store an answer as a program does that ends then."""
    record = Record(path)
    said = record.attempt(attempt)
    record.close()
    return said


def one_line(said: str | None) -> str:
    assert said is not None
    assert "\n" not in said
    return said


def stored(path: Path) -> list[Attempt]:
    """What a new program finds in the file."""
    found = Record(path)
    attempts = found.attempts()
    assert found.close() is None
    return attempts


# -------------------------------------------------------------------------------- the ordinary case


def test_an_answer_comes_back_as_it_was(path: Path) -> None:
    record = Record(path)
    assert record.attempts() == []
    assert not path.exists(), "reading makes nothing"
    assert record.attempt(ATTEMPT) is None
    assert record.attempts() == stored(path) == [ATTEMPT]
    record.close()
    left = {p.name for p in path.parent.iterdir()}
    assert left == {"record.sqlite"}, "one whole file, which can be copied"


def test_answers_come_oldest_first(path: Path) -> None:
    record = Record(path)
    for number in (3, 1, 2):
        record.attempt(numbered(number))
    assert stored(path) == [numbered(1), numbered(2), numbered(3)]


def test_times_are_stored_in_utc(path: Path) -> None:
    there = ATTEMPT.when.astimezone(timezone(timedelta(hours=5, minutes=30)))
    enter(path, replace(ATTEMPT, when=there))
    with closing(sqlite3.connect(path)) as connection:
        text = connection.execute('SELECT "when" FROM attempts').fetchone()[0]
    assert text == "2026-03-01T18:30:00.000000+00:00"
    assert stored(path) == [ATTEMPT]


def test_a_lesson_counts_from_the_first_time(path: Path) -> None:
    record = Record(path)
    assert record.finish_lesson("06_count_35", NOW) is None
    assert record.finish_lesson("06_count_35", NOW + timedelta(days=1)) is None
    assert record.finish_lesson("01_pack", NOW + timedelta(days=2)) is None
    finished = {"06_count_35": NOW, "01_pack": NOW + timedelta(days=2)}
    assert record.lessons_finished() == Record(path).lessons_finished() == finished


ODD = [
    "'); DROP TABLE attempts; --",
    "<script>alert(1)</script>",
    "a\x00b\nc\td",
    "\udcff\ud800",
    "🂡" * 5000,
    "",
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_text_is_data(text: str, path: Path) -> None:
    odd = replace(ATTEMPT, position=text, choice=text, source=text, themes=(text, text))
    assert enter(path, odd) is None
    kept = text.encode("utf-8", "backslashreplace").decode()
    assert stored(path) == [
        replace(odd, position=kept, choice=kept, source=kept, themes=(kept, kept))
    ]


figures = st.floats(0, 1e9)


@given(loss=figures, own=st.floats(-3, 3), seconds=figures, when=st.datetimes(timezones=st.none()))
def test_figures_come_back_exactly(loss: float, own: float, seconds: float, when: datetime) -> None:
    attempt = replace(
        ATTEMPT, loss=loss, game_points=own, seconds=seconds, when=when.replace(tzinfo=UTC)
    )
    row = recording._row(attempt)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(recording.STEPS[0][0])
        connection.execute(recording.ADD_ATTEMPT, row)
        select = f"SELECT {recording.COLUMNS} FROM attempts"
        assert recording._attempt(connection.execute(select).fetchone()) == attempt


@pytest.mark.parametrize(
    "change",
    [
        {"loss": float("nan")},
        {"loss": -0.5},
        {"loss": 1e300},
        {"game_points": float("inf")},
        {"seconds": -1.0},
        {"hints": 5},
        {"hints": -1},
        {"when": datetime(2026, 3, 1)},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        replace(ATTEMPT, **change)


def test_an_answer_that_was_changed_by_hand_is_told_of(path: Path) -> None:
    record = Record(path)
    for number in range(7):
        record.attempt(numbered(number))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE attempts SET loss = 'much' WHERE id = 1")
        connection.execute("UPDATE attempts SET themes = 'x' WHERE id = 2")
        connection.execute("UPDATE attempts SET \"when\" = 'soon' WHERE id = 3")
        connection.execute("UPDATE attempts SET hints = 77 WHERE id = 4")
        connection.execute("UPDATE attempts SET themes = 'null' WHERE id = 5")
        connection.execute("UPDATE attempts SET source = CAST(x'ff41' AS TEXT) WHERE id = 6")
    assert record.attempts() == [replace(numbered(5), source="\ufffdA"), numbered(6)]
    assert one_line(record.news()).startswith("5 answers in your record cannot be read")


# ------------------------------------------------------------------------------------ where it lies


def test_the_folder_is_the_one_that_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIXTY_SIX_DATA", str(tmp_path / "elsewhere"))
    record = open_record()
    assert record.path == tmp_path / "elsewhere" / "record.sqlite"
    assert record.attempt(ATTEMPT) is None
    assert open_record() is record
    assert stored(tmp_path / "elsewhere" / "record.sqlite") == [ATTEMPT]


def test_without_it_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    data = platformdirs.user_data_path("sixty-six-trainer", appauthor=False)
    for unset in (lambda: monkeypatch.delenv("SIXTY_SIX_DATA", raising=False), lambda: None):
        unset()
        assert default_path() == data / "record.sqlite"
        monkeypatch.setenv("SIXTY_SIX_DATA", "")


def test_in_a_browser_it_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIXTY_SIX_DATA", raising=False)
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert default_path() is None
    record = Record(None)
    assert "until this page is closed" in one_line(record.attempt(ATTEMPT))
    assert record.attempt(ATTEMPT) is None, "it is told once"
    assert record.attempts() == [ATTEMPT] * 2
    assert record.close() is None


def test_the_module_needs_nothing_that_a_browser_lacks() -> None:
    code = """
import sys
for name in ("sqlite3", "_sqlite3", "platformdirs", "fcntl", "multiprocessing"):
    sys.modules[name] = None
import trainer.record
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_python_without_sqlite(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    record = Record(path)
    assert "comes without SQLite" in one_line(record.attempt(ATTEMPT))
    assert record.attempts() == [ATTEMPT]
    monkeypatch.undo()
    record.close()
    assert stored(path) == [ATTEMPT]


# -------------------------------------------------------------------- what cannot be stored at once


def held_back(record: Record, free: Callable[[], object], reason: str) -> None:
    """Answer while the file cannot be written and after it is free again; nothing may be lost."""
    assert record.path is not None
    before = [] if not record.path.is_file() else record.attempts()
    record.news()
    for number in (1, 2):
        said = one_line(record.attempt(numbered(number)))
        assert reason in said
        assert f"{number} entr" in said
        assert record.attempts() == [*before, *map(numbered, range(1, number + 1))]
        record.news()
    free()
    assert "2 entries caught up" in one_line(record.attempt(numbered(3)))
    assert record.attempt(numbered(4)) is None
    assert record.attempts() == [*before, *map(numbered, (1, 2, 3, 4))]
    assert record.trouble == ""
    assert stored(record.path) == [*before, *map(numbered, (1, 2, 3, 4))]


def test_a_folder_that_is_a_file(path: Path) -> None:
    path.parent.write_text("not a folder")
    held_back(Record(path), path.parent.unlink, "File exists")
    path.parent.rename(path.parent.with_name("kept"))
    path.parent.write_text("not a folder")
    record = Record(path)
    assert record.attempts() == []
    assert "Not a directory" in one_line(record.news())
    assert "Not a directory" in record.trouble


def test_a_folder_has_the_name_of_the_file(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "mine.txt").write_text("mine")
    record = Record(path)
    held_back(record, lambda: path.rename(path.with_name("kept")), "cannot be opened")
    assert (path.with_name("kept") / "mine.txt").read_text() == "mine"


def test_another_program_holds_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PATIENCE", 0.05)
    enter(path, numbered(0))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        held_back(Record(path), lambda: other.execute("ROLLBACK"), "another program is using it")


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user without rights, where the tests run as root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may use."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        with nobody():
            yield Path(name)
            for path in Path(name).iterdir():
                path.chmod(0o755)


@POSIX
@pytest.mark.parametrize("there_already", [False, True])
def test_a_read_only_folder(there_already: bool, open_folder: Path) -> None:
    path = open_folder / "data" / "record.sqlite"
    path.parent.mkdir()
    if there_already:
        enter(path, numbered(0))
        path.chmod(0o444)
    path.parent.chmod(0o555)

    def free() -> None:
        path.parent.chmod(0o755)
        if there_already:
            path.chmod(0o644)

    reason = "read-only" if there_already else "cannot be opened"
    held_back(Record(path), free, reason)


@POSIX
def test_a_read_only_record_is_read_with_what_was_not_checkpointed(open_folder: Path) -> None:
    path = open_folder / "data" / "record.sqlite"
    copy = open_folder / "copy" / "record.sqlite"
    copy.parent.mkdir()
    enter(path, numbered(0))
    with closing(sqlite3.connect(path, isolation_level=None)) as open_still:
        open_still.execute("SELECT * FROM attempts").fetchall()
        enter(path, numbered(1))
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    assert Path(f"{copy}-wal").stat().st_size > 0
    for file in copy.parent.iterdir():
        file.chmod(0o444)
    copy.parent.chmod(0o555)
    assert stored(copy) == [numbered(0), numbered(1)]
    assert {p.name for p in copy.parent.iterdir()} == {"record.sqlite", "record.sqlite-wal"}


@contextmanager
def files_no_longer_than(limit: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as on a disk that is full."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@POSIX
@pytest.mark.parametrize("limit", [0, 4096, 20_000])
def test_a_disk_without_room(limit: int, path: Path) -> None:
    record = Record(path)
    record.attempt(numbered(0))
    big = replace(ATTEMPT, source="x" * 30_000)
    with files_no_longer_than(limit):
        said = [record.attempt(big) for _ in range(3)]
    assert all("3 entries" in one_line(line) for line in said[2:])
    assert record.attempt(big) is not None
    assert stored(path) == [numbered(0), *[big] * 4]


def test_a_full_database(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own word for a full disk."""
    enter(path, numbered(0))
    record = Record(path)
    connect = recording._connect

    def narrow(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(recording, "_connect", narrow)
    big = replace(ATTEMPT, source="x" * 30_000)
    assert "the disk is full" in one_line(record.attempt(big))
    assert record.attempts() == [numbered(0), big]
    monkeypatch.undo()
    assert "1 entry caught up" in one_line(record.close())
    assert record.attempt(numbered(1)) is None
    assert stored(path) == [numbered(0), big, numbered(1)]


def test_what_waits_is_stored_at_the_end_of_the_program(path: Path) -> None:
    path.parent.write_text("not a folder")
    code = """
import sys
from pathlib import Path
from test_record import NOW, Record, numbered
path = Path(sys.argv[1])
def answer():
    record = Record(path)
    assert "2 entries" in [record.attempt(numbered(1)), record.finish_lesson("01", NOW)][1]
answer()
path.parent.unlink()
"""
    run_here(code, path)
    assert stored(path) == [numbered(1)]
    assert Record(path).lessons_finished() == {"01": NOW}


def run_here(code: str, path: Path) -> None:
    """Run some Python that may import this module."""
    subprocess.run(
        [sys.executable, "-c", code, str(path)],
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
    )


def test_an_interrupt_in_the_middle_loses_and_doubles_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record(path)
    connect = recording._connect

    class Interrupted:
        def __init__(self, connection: sqlite3.Connection) -> None:
            self.connection = connection

        def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
            if statement.startswith("INSERT"):
                raise KeyboardInterrupt
            return self.connection.execute(statement, *values)

        def close(self) -> None:
            self.connection.close()

    monkeypatch.setattr(recording, "_connect", lambda path: Interrupted(connect(path)))
    with pytest.raises(KeyboardInterrupt):
        record.attempt(numbered(1))
    monkeypatch.undo()
    monkeypatch.setattr(recording, "PATIENCE", 0.05)
    assert enter(path, numbered(2)) is None, "no lock is left behind"
    record.attempt(numbered(3))
    assert stored(path) == [numbered(1), numbered(2), numbered(3)]


# ------------------------------------------------------------------------------ damaged and foreign


def spoil_header(path: Path) -> None:
    path.write_bytes(b"x" * 100 + path.read_bytes()[100:])


def spoil_a_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-4096:] = random.Random(1).randbytes(4096)
    path.write_bytes(content)


def spoil_an_old_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4 * 4096)
        file.write(random.Random(1).randbytes(4096))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 100])


def no_database(path: Path) -> None:
    path.write_text("Dear diary, today I closed too early.\n" * 50)


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (url)")


def with_other_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE attempts DROP COLUMN mark")


DAMAGE = [spoil_header, spoil_a_page, cut_short, no_database, of_another_program, with_other_tables]


@pytest.mark.parametrize("spoil", DAMAGE)
@pytest.mark.parametrize("first", ["read", "write"])
@pytest.mark.parametrize("same_session", [False, True])
def test_a_damaged_file_is_set_aside(
    spoil: Callable[[Path], None], first: str, same_session: bool, path: Path
) -> None:
    record = filled(path)
    spoil(path)
    spoilt = path.read_bytes()
    if not same_session:
        record = Record(path)
    if first == "write":
        said = one_line(record.attempt(numbered(1000)))
    else:
        assert record.attempts() == []
        said = one_line(record.news())
        record.attempt(numbered(1000))
    assert "set aside as record (damaged).sqlite, and a new one is begun" in said
    assert path.with_name("record (damaged).sqlite").read_bytes() == spoilt
    assert record.attempt(numbered(1001)) is None
    assert stored(path) == [numbered(1000), numbered(1001)]


def test_no_file_set_aside_is_written_over(path: Path) -> None:
    path.parent.mkdir()
    for number in range(3):
        path.write_text(f"junk {number}")
        one_line(enter(path, ATTEMPT))
    kept = ["record (damaged).sqlite", "record (damaged 2).sqlite", "record (damaged 3).sqlite"]
    assert names(path) == {"record.sqlite", *kept}
    assert [path.with_name(name).read_text() for name in kept] == ["junk 0", "junk 1", "junk 2"]


def test_what_belongs_to_a_damaged_file_goes_with_it(path: Path) -> None:
    """Left where it is, its log would be taken for that of the new file."""
    record = filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as open_still:
        open_still.execute("SELECT * FROM attempts").fetchone()
        record.attempt(numbered(60))
        log = Path(f"{path}-wal").read_bytes()
        assert log
        spoil_an_old_page(path)
        assert "set aside" in one_line(enter(path, numbered(61)))
        aside = path.with_name("record (damaged).sqlite")
        assert Path(f"{aside}-wal").read_bytes() == log
        assert stored(path) == [numbered(61)]


def test_of_many_programs_one_sets_the_file_aside(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free_name = recording._File._free_name

    def slow(file: recording._File, words: str) -> Path:
        time.sleep(0.05)  # so that the others come meanwhile
        return free_name(file, words)

    monkeypatch.setattr(recording._File, "_free_name", slow)
    path.parent.mkdir()
    path.write_text("junk")
    records = [Record(path) for _ in range(8)]
    start = threading.Barrier(len(records))
    said: list[str | None] = []

    def answer(number: int) -> None:
        start.wait()
        said.append(records[number].attempt(numbered(number)))

    threads = [threading.Thread(target=answer, args=(number,)) for number in range(len(records))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored(path) == [numbered(number) for number in range(len(records))]
    assert names(path) == {"record.sqlite", "record (damaged).sqlite"}
    assert len([line for line in said if line]) == 1


@POSIX
def test_a_damaged_file_that_cannot_be_moved(open_folder: Path) -> None:
    path = open_folder / "data" / "record.sqlite"
    path.parent.mkdir()
    path.write_text("junk")
    path.parent.chmod(0o555)
    record = Record(path)
    assert "cannot be written now" in one_line(record.attempt(ATTEMPT))
    assert record.attempts() == [ATTEMPT]
    assert path.read_text() == "junk"
    record._waiting.clear()


def test_a_record_that_is_deleted_while_in_use(path: Path) -> None:
    record = Record(path)
    record.attempt(numbered(0))
    shutil.rmtree(path.parent)
    assert record.attempt(numbered(1)) is None
    assert stored(path) == [numbered(1)]


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("how", ["deleted", "moved"])
def test_a_program_that_still_has_the_old_file_does_not_harm_the_new_one(
    how: str, ends: bool, path: Path
) -> None:
    """It must not take the log of the new one for its own, nor delete it."""
    one, other = Record(path), Record(path)
    one.attempt(numbered(0))
    other.attempt(numbered(1))
    for file in list(path.parent.iterdir()):
        file.unlink() if how == "deleted" else file.rename(file.with_name(f"kept {file.name}"))
    assert one.attempt(numbered(2)) is None
    assert Path(f"{path}-wal").stat().st_size > 0
    if ends:
        other.close()
    else:
        assert other.attempt(numbered(3)) is None
    code = """
import os, sys
from pathlib import Path
from test_record import Record, numbered
Record(Path(sys.argv[1])).attempt(numbered(4))
os._exit(0)
"""
    run_here(code, path)
    assert one.attempt(numbered(5)) is None
    run_here(code.replace("numbered(4)", "numbered(6)"), path)
    assert stored(path) == [numbered(n) for n in ((2, 4, 5, 6) if ends else (2, 3, 4, 5, 6))]


# ---------------------------------------------------------------------------- other versions of it


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function from whose call on the trainer is one version ahead."""

    def advance() -> None:
        step = (
            "ALTER TABLE attempts ADD COLUMN mood TEXT NOT NULL DEFAULT ''",
            "UPDATE attempts SET mood = 'calm'",
        )
        monkeypatch.setattr(recording, "STEPS", (*recording.STEPS, step))

    return advance


def moods(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [mood for (mood,) in connection.execute("SELECT mood FROM attempts ORDER BY id")]


@pytest.mark.parametrize("first", ["read", "write"])
def test_an_older_file_is_brought_up_to_date(
    first: str, path: Path, next_version: Callable[[], None]
) -> None:
    enter(path, numbered(0))
    before = path.read_bytes()
    next_version()
    record = Record(path)
    said = record.attempt(numbered(1)) if first == "write" else record.attempts() and record.news()
    kept = "record (before version 2).sqlite"
    assert one_line(said) == f"Your record was brought up to date; the old one is kept as {kept}."
    assert names(path) == {"record.sqlite", kept}
    if first == "read":
        assert record.attempt(numbered(1)) is None
    assert moods(path) == ["calm", ""]
    assert stored(path) == [numbered(0), numbered(1)]
    with closing(sqlite3.connect(path.with_name(kept))) as connection:
        assert connection.execute("SELECT choice FROM attempts").fetchall() == [("answer 0",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert len(path.with_name(kept).read_bytes()) == len(before)


def test_no_copy_no_change(
    path: Path, next_version: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(path, numbered(0))
    before = path.read_bytes()
    next_version()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space")))
    record = Record(path)
    assert "No space" in one_line(record.attempt(numbered(1)))
    assert path.read_bytes() == before
    assert names(path) == {"record.sqlite"}
    monkeypatch.undo()
    record.attempt(numbered(2))
    assert stored(path) == [numbered(0), numbered(1), numbered(2)]


def test_an_update_that_fails_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(path, numbered(0))
    before = path.read_bytes()
    step = ("ALTER TABLE attempts ADD COLUMN mood TEXT", "INSERT INTO attempts (id) VALUES (1)")
    monkeypatch.setattr(recording, "STEPS", (*recording.STEPS, step))
    record = Record(path)
    assert "cannot be written now" in one_line(record.attempt(numbered(1)))
    assert path.read_bytes() == before
    monkeypatch.undo()
    record.close()
    assert stored(path) == [numbered(0), numbered(1)]


def test_a_newer_file_is_left_untouched(
    path: Path, next_version: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    next_version()
    enter(path, numbered(0))
    with closing(Record(path)) as newer:
        newer.finish_lesson("01", NOW)
    before = path.read_bytes()
    monkeypatch.undo()

    record = Record(path)
    said = one_line(record.attempt(numbered(1)))
    assert "written by a newer version" in said
    assert "record (version 1).sqlite" in said
    assert record.attempt(numbered(2)) is None, "it is told once"
    assert record.attempts() == [numbered(1), numbered(2)]
    assert record.news() is None
    record.finish_lesson("02", NOW)
    record.finish_lesson("01", NOW - timedelta(days=1))
    assert Record(path).attempts() == [numbered(1), numbered(2)]
    assert path.read_bytes() == before

    next_version()  # the learner has updated: both are read, and one is written
    record = Record(path)
    assert record.attempts() == [numbered(0), numbered(1), numbered(2)]
    assert record.lessons_finished() == {"01": NOW - timedelta(days=1), "02": NOW}
    record.attempt(numbered(3))
    assert Record(path).attempts() == [numbered(number) for number in range(4)]
    assert len(moods(path)) == 2


def test_a_program_that_ran_on_while_the_file_was_brought_up_to_date(
    path: Path, next_version: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Record(path)
    old.attempt(numbered(0))
    next_version()
    enter(path, numbered(1))
    monkeypatch.undo()
    assert "newer version" in one_line(old.attempt(numbered(2)))
    next_version()
    assert Record(path).attempts() == [numbered(0), numbered(1), numbered(2)]


# ------------------------------------------------------------------------------- how it is written


def pragma(path: Path, name: str) -> object:
    def work(connection: sqlite3.Connection) -> object:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    return recording._File(path, pytest.fail).use(work)


def test_how_the_file_is_kept(path: Path) -> None:
    enter(path, ATTEMPT)
    found = [pragma(path, name) for name in ("journal_mode", "synchronous", "user_version")]
    assert found == ["wal", 1, 1]
    assert pragma(path, "application_id") == recording.APPLICATION


def test_a_drive_without_shared_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as SQLite is concerned: a file system that has no WAL."""
    connect = sqlite3.connect

    def other_drive(path: Path, **options: Any) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?vfs=unix-dotfile", uri=True, **options)

    if os.name != "posix":
        pytest.skip("this system of files is of POSIX")
    monkeypatch.setattr(sqlite3, "connect", other_drive)
    record = Record(path)
    assert record.attempt(numbered(0)) is None
    assert pragma(path, "journal_mode") == "delete"
    assert pragma(path, "synchronous") == 2
    assert record.attempt(numbered(1)) is None
    assert stored(path) == [numbered(0), numbered(1)]

    monkeypatch.undo()  # made on another drive, moved there later
    moved = path.with_name("moved.sqlite")
    enter(moved, numbered(0))
    assert pragma(moved, "journal_mode") == "wal"
    monkeypatch.setattr(sqlite3, "connect", other_drive)
    record = Record(moved)
    assert record.attempts() == [numbered(0)]
    assert record.attempt(numbered(1)) is None
    assert record.news() is None
    assert pragma(moved, "journal_mode") == "delete"
    assert stored(moved) == [numbered(0), numbered(1)]


@pytest.mark.parametrize("made_before", [False, True])
def test_shared_memory_that_fails(made_before: bool, path: Path) -> None:
    """The drive promises WAL and cannot keep it: its file of shared memory cannot be opened."""
    path.parent.mkdir()
    if made_before:
        enter(path, numbered(0))
    Path(f"{path}-shm").mkdir()
    record = Record(path)
    assert record.attempt(numbered(1)) is None
    assert record.attempt(numbered(2)) is None
    assert pragma(path, "journal_mode") == "delete"
    assert stored(path)[-2:] == [numbered(1), numbered(2)]


# ------------------------------------------------------------------------- many programs, and kills


def test_threads_share_a_record(path: Path) -> None:
    record = Record(path)
    threads = [
        threading.Thread(target=lambda n=n: [record.attempt(numbered(n)) for _ in range(20)])
        for n in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(stored(path)) == {numbered(number): 20 for number in range(5)}


@POSIX
def test_a_fork_writes_only_its_own(path: Path) -> None:
    path.parent.write_text("not a folder")
    record = Record(path)

    def child_answers(attempt: Attempt) -> None:
        child = os.fork()
        if child == 0:
            said = record.attempt(attempt)
            os._exit(0 if said is None else 1)
        assert os.waitpid(child, 0)[1] == 0

    record.attempt(numbered(0))
    path.parent.unlink()
    child_answers(numbered(1))
    record.attempt(numbered(2))
    child_answers(numbered(3))
    record.attempt(numbered(4))
    assert stored(path) == [numbered(number) for number in range(5)]


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from trainer.record import Attempt, Record
record, source, count = Record(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
when = datetime(2026, 3, 1, tzinfo=UTC)
for number in range(count):
    told = "position", "HT", "66", 2.0, 0.0, 2.0, True, "??", False, number, 0, source, (), when
    if record.attempt(Attempt(*told)) is None:
        print(number, flush=True)
record.close()
"""


def writer(path: Path, source: str, count: int) -> subprocess.Popen[str]:
    """A program that writes answers as fast as it can and prints each that is acknowledged."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), source, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def whole_lines(program: subprocess.Popen[str]) -> list[str]:
    """The rest of what a program has printed, when it has ended, but for half a line."""
    assert program.stdout is not None
    with program:
        return [line for line in program.stdout if line.endswith("\n")]


@pytest.mark.slow
def test_twenty_programs_at_once_lose_nothing(path: Path) -> None:
    """They begin with no file, so that they also race to make it."""
    programs = [writer(path, f"program {number}", 500) for number in range(20)]
    for program in programs:
        program.communicate(timeout=300)
        assert program.returncode == 0
    found = Counter((attempt.source, attempt.seconds) for attempt in stored(path))
    assert found == {(f"program {p}", float(n)): 1 for p in range(20) for n in range(500)}
    assert names(path) == {"record.sqlite"}


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing_that_was_acknowledged(path: Path) -> None:
    """Two programs run at any time; one is killed at some moment of its writing, then the other."""
    rng = random.Random(66)
    running: list[tuple[str, subprocess.Popen[str]]] = []
    acknowledged: set[tuple[str, float]] = set()
    for number in range(100):
        name = f"program {number}"
        running.append((name, writer(path, name, 100_000)))
        if len(running) < 2:
            continue
        name, program = running.pop(0)
        assert program.stdout is not None
        first = program.stdout.readline()
        time.sleep(rng.random() * 0.02)
        program.kill()
        assert first, "it was killed before it wrote"
        acknowledged |= {(name, float(line)) for line in (first, *whole_lines(program))}
    for name, program in running:
        program.kill()
        acknowledged |= {(name, float(line)) for line in whole_lines(program)}
    found = Counter((attempt.source, attempt.seconds) for attempt in stored(path))
    assert len(acknowledged) > 200
    assert acknowledged <= set(found)
    assert set(found.values()) == {1}
    assert len(found) <= len(acknowledged) + 100, "one a kill can be stored and not acknowledged"
    assert names(path) == {"record.sqlite"}
