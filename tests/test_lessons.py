"""The lessons as they are committed, and what they say once they are answered."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
import pytest

from trainer.lessons import INDEX, installed_lessons, lesson_names
from trainer.record import open_record
from trainer.widgets.course import Course, Finished
from trainer.widgets.exercise import Exercise
from trainer.widgets.reveal import WAITS, Reveal

NOTEBOOKS = sorted(installed_lessons().glob("*.ipynb"))
LESSONS = [installed_lessons() / f"{name}.ipynb" for name in lesson_names(installed_lessons())]


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def run(path: Path) -> dict[str, Any]:
    """Run the code of a lesson outside Jupyter and return its names; nothing is answered."""
    names: dict[str, Any] = {}
    for number, cell in enumerate(read(path).cells):
        if cell.cell_type == "code":
            code, last = cell.source.rsplit("\n", 1)
            exec(compile(code, f"{path.name}, cell {number}", "exec"), names)
            names[f"cell {number}"] = eval(last, names)
    return names


def shown(names: dict[str, Any]) -> list[str]:
    """Return what stands in the places that wait for an answer, in the order of the lesson."""
    return [repr(value) for value in names.values() if isinstance(value, Reveal)]


def test_every_notebook_is_a_lesson_or_the_index() -> None:
    assert [path.stem for path in NOTEBOOKS] == [INDEX, *(path.stem for path in LESSONS)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_is_complete_and_gives_nothing_away(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "Run all" in first.source.splitlines()[2], "the first line names the button"
    assert "widgets" not in notebook.metadata, "run `make lessons`"
    waiting = 0
    for cell in notebook.cells:
        assert cell.source.strip(), "an empty cell"
        if cell.cell_type == "code":
            assert cell.metadata.get("jupyter", {}).get("source_hidden"), "code is collapsed"
            assert len(cell.outputs) == 1
            data = cell.outputs[0].data
            assert not [kind for kind in data if "widget" in kind], "run `make lessons`"
            if "after(" in cell.source.splitlines()[-1]:
                waiting += 1
                assert data["text/plain"] == WAITS
    assert waiting or path.stem == INDEX


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_finished_by_answering_all_of_its_questions(path: Path) -> None:
    names = run(path)
    last = list(names.values())[-1]
    assert isinstance(last, Finished)
    assert last.lesson == path.stem
    asked = {name for name, value in names.items() if isinstance(value, Exercise)}
    shown_last = read(path).cells[-1].source
    named = {name for name in asked if re.search(rf"\b{name}\b", shown_last)}
    assert named == {name for name in asked if not name.startswith("cell ")}
    assert len(named) == last.questions


def test_the_index_says_nothing_of_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored of it names every lesson, in their order, and is the same everywhere."""
    monkeypatch.chdir(installed_lessons())
    open_record().finish_lesson("06_count_35", datetime.now(UTC))
    path = installed_lessons() / f"{INDEX}.ipynb"
    (course,) = (value for value in run(path).values() if isinstance(value, Course))
    (cell,) = (cell for cell in read(path).cells if cell.cell_type == "code")
    stored = cell.outputs[0].data
    assert stored["text/html"] == course._repr_mimebundle_()["text/html"], "run `make lessons`"
    assert re.findall('href="(.*?)"', stored["text/html"]) == [path.name for path in LESSONS]
    assert "finished</strong>" not in stored["text/html"]


@pytest.fixture(scope="module")
def count_35() -> dict[str, Any]:
    return run(installed_lessons() / "06_count_35.ipynb")


def test_nothing_is_told_before_it_is_answered(count_35: dict[str, Any]) -> None:
    assert shown(count_35) == [WAITS] * len(shown(count_35))
    for value in count_35.values():
        if isinstance(value, Exercise):
            assert value.result == {}


@pytest.mark.slow
def test_count_35_answered(count_35: dict[str, Any]) -> None:
    assert not count_35["count"].answer(35)
    assert count_35["count"].answer(31)
    wrong = count_35["first"].answer("DA")
    assert wrong.mark == "??"
    right = count_35["first"].answer("cl DA")
    assert (right.mark, right.wins, right.layouts) == ("=", 434, 462)
    told, played = shown(count_35)[:2]
    assert "**434 of 462**" in told
    assert "The set of hands that lose is exactly the set of hands without a diamond" in told
    assert "\nCardTable('foster66" in played


@pytest.mark.slow
def test_count_34_answered(count_35: dict[str, Any]) -> None:
    assert count_35["second"].answer("cl DA").mark == "="
    told = shown(count_35)[2]
    assert "**301 of 462**: **+2** in 252, **+1** in 49, **−2** in 161" in told
    assert "still the better one" in told


@pytest.mark.slow
def test_a_trump_in_hand_answered(count_35: dict[str, Any]) -> None:
    assert count_35["third"].answer("cl DA").mark == "?!"
    assert count_35["third"].answer("cl HA").mark == "="
    assert count_35["third"].answer("HA").mark == "="
    told = shown(count_35)[3]
    assert "| ♥A | 434 of 462 | 462 of 462 |" in told
    assert "With ♥10, ♥K, ♥J or ♥9 the Ace of diamonds loses" in told


@pytest.mark.slow
def test_no_trick_answered(count_35: dict[str, Any]) -> None:
    right = count_35["fourth"].answer("cl DA")
    assert (right.mark, right.wins, right.worst) == ("=", 1506, -3)
    told = shown(count_35)[4]
    assert "again exactly those without a diamond" in told
    assert "breaks even when it succeeds in 50% of the hands, and this one does in 87.8%" in told


@pytest.mark.slow
def test_other_rule_books_answered(count_35: dict[str, Any]) -> None:
    assert count_35["fifth"].answer("cl DA").word.startswith("blunder")
    told, rule = shown(count_35)[5:]
    assert "| Modern German Sixty-Six | 0 of 462 | −2 |" in told
    assert "only against them" in told
    assert "28 of 462 hands have none: 6%" in rule
    assert "301 of 462 instead of 434 of 462" in rule


@pytest.mark.slow
def test_concealed_cards_answered() -> None:
    names = run(installed_lessons() / "11_concealed_cards.ipynb")
    for name, words, mark in (
        ("lead", "HK", "="),
        ("first", "cl SA", "="),
        ("second", "cl DA", "="),
        ("third", "cl SA", "="),
        ("puzzle_a", "CT", "~"),
        ("puzzle_b", "cl SA", "="),
        ("puzzle_c", "CQ", "="),
        ("puzzle_d", "ST", "~"),
        ("puzzle_e", "cl SA", "="),
    ):
        assert names[name].answer(words).mark == mark, name
    told = "\n".join(shown(names))
    assert WAITS not in told
    assert "gain 0.43 game points" in told
    assert "| The decision | +1.57 / +0.57 | +1 / +1 |" in told
    for line in names["CHANGES"].values():
        names["understand"](line)
