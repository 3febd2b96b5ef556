"""`sixty-six learn`: the learner's copies of the lessons, and the server that shows them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from nbformat import v4
from nbformat.sign import NotebookNotary

import trainer
from trainer import learn
from trainer.lessons import LessonError, copy_lessons, installed_lessons, write_whole

LIST = Path(".sixty-six/copied.json")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two lessons as shipped, with a picture, and what must not be copied."""
    folder = tmp_path / "shipped"
    (folder / "pictures").mkdir(parents=True)
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "01_pack.ipynb").write_text("pack 1")
    (folder / "06_count_35.ipynb").write_text("count 1")
    (folder / "pictures" / "table.svg").write_text("<svg/>")
    (folder / ".ipynb_checkpoints" / "01_pack-checkpoint.ipynb").write_text("old")
    (folder / "01_pack.ipynb~").write_text("old")
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "Sixty-Six lessons"


def contents(folder: Path) -> dict[str, str]:
    """Return the text of every file in the folder but the list of copies, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / LIST
    }


FRESH = {"01_pack.ipynb": "pack 1", "06_count_35.ipynb": "count 1", "pictures/table.svg": "<svg/>"}


def test_the_first_time_every_lesson_is_copied(source: Path, mine: Path) -> None:
    assert copy_lessons(source, mine) == []
    assert contents(mine) == FRESH
    saved = json.loads((mine / LIST).read_text())
    assert saved["format"] == 1
    assert sorted(saved["files"]) == sorted(FRESH)


def test_the_second_time_nothing_is_written(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    before = {path: path.stat().st_mtime_ns for path in mine.rglob("*")}
    assert copy_lessons(source, mine) == []
    assert {path: path.stat().st_mtime_ns for path in mine.rglob("*")} == before


def test_a_lesson_left_as_it_was_is_brought_up_to_date(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (source / "06_count_35.ipynb").write_text("count 2")
    assert copy_lessons(source, mine) == []
    assert contents(mine) == FRESH | {"06_count_35.ipynb": "count 2"}


def test_what_the_learner_did_is_kept(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    (mine / "notes.txt").write_text("my own")
    assert copy_lessons(source, mine) == []
    kept = FRESH | {"06_count_35.ipynb": "count 1, answered", "notes.txt": "my own"}
    assert contents(mine) == kept


def test_a_newer_lesson_is_put_beside_a_changed_one_once(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    (source / "06_count_35.ipynb").write_text("count 2")
    (line,) = copy_lessons(source, mine)
    assert "06_count_35 (new).ipynb" in line
    assert "\n" not in line
    both = FRESH | {
        "06_count_35.ipynb": "count 1, answered",
        "06_count_35 (new).ipynb": "count 2",
    }
    assert contents(mine) == both
    assert copy_lessons(source, mine) == []
    assert contents(mine) == both


def test_the_version_beside_is_updated_until_it_is_changed_too(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    (source / "06_count_35.ipynb").write_text("count 2")
    copy_lessons(source, mine)
    (source / "06_count_35.ipynb").write_text("count 3")
    assert len(copy_lessons(source, mine)) == 1
    assert contents(mine)["06_count_35 (new).ipynb"] == "count 3"
    (mine / "06_count_35 (new).ipynb").write_text("count 3, answered")
    assert copy_lessons(source, mine) == []
    (source / "06_count_35.ipynb").write_text("count 4")
    (line,) = copy_lessons(source, mine)
    assert "06_count_35 (new 2).ipynb" in line
    assert contents(mine) == FRESH | {
        "06_count_35.ipynb": "count 1, answered",
        "06_count_35 (new).ipynb": "count 3, answered",
        "06_count_35 (new 2).ipynb": "count 4",
    }


def test_a_version_beside_that_was_deleted_stays_away(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    (source / "06_count_35.ipynb").write_text("count 2")
    copy_lessons(source, mine)
    (mine / "06_count_35 (new).ipynb").unlink()
    assert copy_lessons(source, mine) == []
    assert contents(mine) == FRESH | {"06_count_35.ipynb": "count 1, answered"}


def test_a_deleted_lesson_comes_back_fresh(source: Path, mine: Path) -> None:
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    copy_lessons(source, mine)
    (mine / "06_count_35.ipynb").unlink()
    assert copy_lessons(source, mine) == []
    assert contents(mine) == FRESH


def test_a_file_of_the_learners_under_a_lessons_name_is_theirs(source: Path, mine: Path) -> None:
    mine.mkdir()
    (mine / "06_count_35.ipynb").write_text("something else")
    (mine / "01_pack.ipynb").write_text("pack 1")
    (line,) = copy_lessons(source, mine)
    assert "06_count_35 (new).ipynb" in line
    assert contents(mine) == FRESH | {
        "06_count_35.ipynb": "something else",
        "06_count_35 (new).ipynb": "count 1",
    }


@pytest.mark.parametrize(
    "damage",
    [
        "",
        '{"format": 1, "files": {"06_cou',
        "[]",
        '{"format": 2, "files": {}}',
        '{"format": 1, "files": {"06_count_35.ipynb": 7}}',
        "\x00\ufffd",
    ],
)
def test_a_damaged_list_is_set_aside_and_nothing_is_lost(
    damage: str, source: Path, mine: Path
) -> None:
    copy_lessons(source, mine)
    (mine / LIST).write_text(damage)
    (mine / "06_count_35.ipynb").write_text("count 1, answered")
    (source / "01_pack.ipynb").write_text("pack 2")
    said = copy_lessons(source, mine)
    assert "damaged" in said[0]
    found = contents(mine)
    assert found.pop(".sixty-six/copied (damaged).json") == damage
    assert found == {
        "01_pack.ipynb": "pack 1",
        "01_pack (new).ipynb": "pack 2",
        "06_count_35.ipynb": "count 1, answered",
        "06_count_35 (new).ipynb": "count 1",
        "pictures/table.svg": "<svg/>",
    }
    assert copy_lessons(source, mine) == []


def test_a_folder_in_the_way_is_one_plain_error(source: Path, mine: Path) -> None:
    (mine / "06_count_35.ipynb").mkdir(parents=True)
    with pytest.raises(LessonError, match=r"06_count_35\.ipynb"):
        copy_lessons(source, mine)
    with pytest.raises(LessonError, match="cannot put the lessons into"):
        copy_lessons(source, source / "01_pack.ipynb" / "below a file")


def test_writing_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lesson.ipynb"
    write_whole(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [
        ("lesson.ipynb", b"old")
    ]


def test_the_lessons_of_this_checkout_are_found() -> None:
    assert installed_lessons() == Path(trainer.__file__).parent.parent / "lessons"


def test_the_course_opens_first_and_later_what_was_left_open(tmp_path: Path) -> None:
    assert learn._start_page(installed_lessons(), tmp_path) == "/lab/tree/00_index.ipynb"
    kept = tmp_path / ".sixty-six" / "workspaces"
    kept.mkdir(parents=True)
    (kept / "default.jupyterlab-workspace").write_text("{}")
    assert learn._start_page(installed_lessons(), tmp_path) == "/lab"


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as first:
        first.bind((learn.HOST, 0))
        first.listen()
        taken = first.getsockname()[1]
        assert taken < learn.free_port(taken) < taken + 100
    with socket.socket() as last:
        last.bind((learn.HOST, 65535))
        last.listen()
        with pytest.raises(LessonError, match="65535"):
            learn.free_port(65535)


def sixty_six(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command line and return what came of it."""
    return subprocess.run(
        [sys.executable, "-m", "trainer", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | settings,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["lern"], "lern"),
        (["learn", "--port", "many"], "--port"),
        (["learn", "--port", "65536"], "--port"),
        (["learn", "--dri", "x"], "--dri"),
        (["learn", "--dir"], "--dir"),
        (["learn", "--dir", "/dev/null/lessons", "--no-browser"], "/dev/null/lessons"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], part: str) -> None:
    run = sixty_six(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert run.stderr.startswith("sixty-six: ")
    assert part in run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files as POSIX does")
def test_a_full_disk_is_one_line_and_status_2(tmp_path: Path) -> None:
    import resource

    folder = tmp_path / "lessons"
    run = subprocess.run(
        [sys.executable, "-m", "trainer", "learn", "--no-browser", "--dir", str(folder)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        timeout=60,
    )
    assert run.returncode == 2
    assert re.fullmatch(r"sixty-six: cannot put the lessons into .*\n", run.stderr)
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_without_a_command_the_help_is_shown() -> None:
    run = sixty_six()
    assert run.returncode == 0
    assert "learn" in run.stdout
    assert sixty_six("--version").stdout == f"sixty-six {trainer.__version__}\n"


def test_shipped_notebooks_are_trusted_and_changed_ones_are_not(tmp_path: Path) -> None:
    path = tmp_path / "source" / "01.ipynb"
    path.parent.mkdir()
    shipped = v4.new_notebook(cells=[v4.new_code_cell("1")])
    nbformat.write(shipped, path)
    (tmp_path / "state" / "data").mkdir(parents=True)
    learn._trust(path.parent, tmp_path / "state")
    notary = NotebookNotary(data_dir=str(tmp_path / "state" / "data"))
    assert notary.check_signature(nbformat.read(path, as_version=4))
    shipped.cells[0].source = "2"
    assert not notary.check_signature(shipped)


class Server:
    """A `sixty-six learn` of its own, for a user whose Jupyter is set up badly."""

    def __init__(self, home: Path, *arguments: str, browser: str = "false") -> None:
        jupyter = home / ".jupyter"
        jupyter.mkdir(parents=True, exist_ok=True)
        (jupyter / "jupyter_server_config.py").write_text("this is no Python")
        (jupyter / "jupyter_server_config.json").write_text(
            '{"ServerApp": {"ip": "0.0.0.0", "root_dir": "/"}, "IdentityProvider": {"token": ""}}'
        )
        kernel = home / ".local/share/jupyter/kernels/python3"
        kernel.mkdir(parents=True, exist_ok=True)
        (kernel / "kernel.json").write_text(
            '{"argv": ["/no/such/python"], "display_name": "x", "language": "python"}'
        )
        settings = {
            "HOME": str(home),
            "BROWSER": browser,
            "JUPYTER_TOKEN": "known",
            "JUPYTER_PATH": str(home / ".local/share/jupyter"),
            "JUPYTER_CONFIG_DIR": str(jupyter),
            "PYTHONUNBUFFERED": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trainer", "learn", *arguments],
            env={k: v for k, v in os.environ.items() if not k.startswith("XDG_")} | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/\S*token=(\S+)", self.said)):
            line = self.process.stdout.readline()
            assert line, f"it ended with {self.process.wait()}:\n{self.said}"
            self.said += line
        self.port, self.token = int(found[1]), found[2]

    def get(self, path: str, token: str | None) -> int | object:
        """Return the answer of the server's API, or the status of its refusal."""
        headers = {"Authorization": f"token {token}"} if token is not None else {}
        url = f"http://127.0.0.1:{self.port}/api/{path}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code

    def stop(self) -> str:
        """Press Ctrl-C and return all that was said."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        self.said += self.process.stdout.read()
        self.process.wait(timeout=20)
        return self.said


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="uses a second loopback address")
def test_the_server_is_for_this_machine_and_stops_when_told(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind((learn.HOST, 0))
        other.listen()
        taken = other.getsockname()[1]
        server = Server(tmp_path, "--no-browser", "--port", str(taken))
        try:
            assert server.port != taken
            assert server.token != "known"
            assert len(server.token) > 30
            assert server.get("contents", None) == 403
            assert server.get("contents", "") == 403
            assert server.get("contents", "known") == 403
            documents = server.get("contents", server.token)
            assert isinstance(documents, dict)
            names = {entry["name"] for entry in documents["content"]}
            assert names == {path.name for path in installed_lessons().iterdir()}
            specs = server.get("kernelspecs", server.token)
            assert isinstance(specs, dict)
            assert specs["kernelspecs"]["python3"]["spec"]["argv"][0] == sys.executable
            with pytest.raises(ConnectionRefusedError):  # what listens to all would answer here too
                socket.create_connection(("127.0.0.2", server.port), timeout=5)
        finally:
            said = server.stop()
    assert server.process.returncode == 0
    lines = said.splitlines()
    assert f"Port {taken} is taken; using {server.port}." in lines
    assert lines[-1].startswith("Stopped.")
    assert len(lines) == 7
    assert (tmp_path / "Documents" / "Sixty-Six lessons" / LIST).is_file()
    assert not (tmp_path / "Documents" / "Sixty-Six lessons" / ".sixty-six/open.html").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="stops the server as POSIX does")
def test_a_restart_keeps_what_was_done(tmp_path: Path) -> None:
    folder = tmp_path / "lessons"
    first = Server(tmp_path, "--no-browser", "--port", "0", "--dir", str(folder))
    first.stop()
    (folder / "mine.ipynb").write_text("{}")
    second = Server(tmp_path, "--no-browser", "--port", "0", "--dir", str(folder))
    second.stop()
    assert second.token != first.token
    assert (folder / "mine.ipynb").read_text() == "{}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="stops the server as POSIX does")
def test_the_browser_is_led_to_the_lessons(tmp_path: Path) -> None:
    seen = tmp_path / "seen.html"
    browser = tmp_path / "browser.py"
    browser.write_text(
        "import sys, urllib.request as u\n"
        f"open({str(seen)!r}, 'wb').write(u.urlopen(sys.argv[1]).read())\n"
    )
    folder = tmp_path / "für mich"
    command = f"{sys.executable} {browser} %s"
    server = Server(tmp_path, "--port", "0", "--dir", str(folder), browser=command)
    until = time.monotonic() + 20
    while not (seen.exists() and seen.read_text()) and time.monotonic() < until:
        time.sleep(0.1)
    server.stop()
    assert f"url=http://127.0.0.1:{server.port}/lab" in seen.read_text()
    assert f"token={server.token}" in seen.read_text()
    assert (folder / ".sixty-six").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_the_wheel_holds_what_a_learner_needs(tmp_path: Path) -> None:
    root = Path(trainer.__file__).parent.parent
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=root,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    for shipped, kept in (("lessons", "_lessons"), ("puzzles", "_puzzles"), ("trainer", "")):
        for path in (root / shipped).rglob("*"):
            inner = path.relative_to(root / shipped)
            left_out = any(part.startswith((".", "__pycache__")) for part in inner.parts)
            if path.is_file() and not left_out:
                name = Path("trainer", kept, inner).as_posix()
                assert name in names, f"{name} is missing from the wheel"
    assert not any(name.startswith(("tests", "lessons", "puzzles")) for name in names)
    assert re.search(r"Requires-Dist: numba.*; sys_platform != 'emscripten'", metadata)
    assert "trainer/lab_settings/overrides.json5" in names
