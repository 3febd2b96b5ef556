"""The kernel compiled by numba: the same answers, in every process, and never in the way."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from reference import line, many_states
from trainer.notation import format_move, parse_position
from trainer.rules.variants import VARIANTS
from trainer.search import DoubleDummy, backend

COMPILE = "from trainer.search.backend import compile_now; compile_now()"
SOLVE = """
import sys
from trainer.notation import format_move, parse_position
from trainer.search import DoubleDummy, backend
print(backend.current().name)
for text in sys.stdin.read().splitlines():
    values = DoubleDummy().evaluate_moves(parse_position(text))
    print(*(f"{format_move(move)}={value}" for move, value in values.items()))
"""


def positions(variant: str, count: int) -> list[str]:
    states = many_states(variant, random.Random(66), count)
    return [text for _, state in states if parse_position(text := line(state)).over is None]


def plain_answers(lines: list[str]) -> list[str]:
    solver = DoubleDummy()
    found = []
    for text in lines:
        values = solver.evaluate_moves(parse_position(text))
        found.append(" ".join(f"{format_move(move)}={value}" for move, value in values.items()))
    return found


def python(code: str, cache: Path, text: str = "", **more: str) -> list[str]:
    """Run code in a process of its own whose cache folder is ``cache``; return what it prints."""
    environment = {k: v for k, v in os.environ.items() if k != "SIXTY_SIX_KERNEL"}
    environment |= {"XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache), **more}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the compiled kernel in it."""
    pytest.importorskip("numba")
    cache = tmp_path_factory.mktemp("cache")
    python(COMPILE, cache)
    return cache


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "current", lambda heavy=True: backend.PLAIN)


@pytest.mark.slow
@pytest.mark.usefixtures("plain")
def test_another_process_loads_it_and_agrees_with_plain_python(compiled: Path) -> None:
    lines = [text for variant in VARIANTS for text in positions(variant, 60)]
    answers = python(SOLVE, compiled, "\n".join(lines))
    assert answers[0] == "compiled"
    assert answers[1:] == plain_answers(lines)


@pytest.mark.slow
def test_where_it_is_not_wanted_or_not_whole_plain_python_answers(
    compiled: Path, tmp_path: Path
) -> None:
    assert python(SOLVE, compiled, SIXTY_SIX_KERNEL="plain") == ["plain"]
    assert python(SOLVE, tmp_path) == ["plain"]
    (source,) = compiled.rglob("kernel.py")
    broken = tmp_path / source.relative_to(compiled)
    broken.parent.mkdir(parents=True)
    broken.write_text("this is not Python")
    (broken.parent / "ready").touch()
    assert python(SOLVE, tmp_path) == ["plain"]


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "not a folder"
    file.touch()
    code = "from trainer.search.backend import prepare; prepare()" + SOLVE
    assert python(code, file) == ["plain"]


@pytest.mark.slow
def test_it_is_prepared_once_and_in_the_background(tmp_path: Path) -> None:
    code = """
import time
from trainer.search import backend
backend.prepare()
backend.prepare()
until = time.monotonic() + 120
while backend.current() is backend.PLAIN and time.monotonic() < until:
    time.sleep(0.2)
print(backend.current().name)
"""
    assert python(code, tmp_path) == ["compiled"]
    assert len(list(tmp_path.rglob("kernel.py"))) == 1
