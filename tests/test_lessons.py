"""The lessons as they are committed: what every one of them has, and that none gives it away.

What a lesson says once it is answered is tested in ``tests/lessons``.
"""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import nbformat
import pytest

from lessons.running import Names, exercises, path_of, read, results_of, run, shown
from trainer.lessons import INDEX, PAGES, installed_lessons, lesson_names
from trainer.notation import NotationError, parse
from trainer.record import open_record
from trainer.themes import NAMES
from trainer.widgets.changes import Changes
from trainer.widgets.course import Course, Finished
from trainer.widgets.number import NumberQuestion
from trainer.widgets.quiz import Quiz
from trainer.widgets.reveal import WAITS, Reveal
from trainer.widgets.short import ShortQuestion
from trainer.widgets.table import CardTable

LESSONS = lesson_names(installed_lessons())
NOTEBOOKS = sorted(path.stem for path in installed_lessons().glob("*.ipynb"))
PROMPT = "**Press _Run all_, the first button above this page, and read on.**"
FIGURES = re.compile(
    r"\d+ of (the )?\d+"  # hands won of all
    r"|(?<![.\d])\d+(\.\d+)?\s?%"
    r"|[+−-]\d+\.\d"  # an average
    r"|± ?\d"
)
"""Numbers that only a search can find: nobody may have written them into a lesson."""


@cache
def ran(lesson: str) -> Names:
    """A lesson that has been run and of which nothing is answered."""
    return run(lesson)


@pytest.fixture
def names(lesson: str) -> Names:
    return ran(lesson)


def asked(names: Names) -> list[CardTable]:
    """The tables of a lesson that ask something, without its quiz."""
    return [
        one
        for one in exercises(names)
        if isinstance(one, CardTable)
        and not isinstance(one, Quiz)
        and one.scene["phase"] == "asking"
    ]


def quiz_of(names: Names) -> Quiz:
    (quiz,) = (one for one in exercises(names) if isinstance(one, Quiz))
    return quiz


def written(lesson: str) -> Iterator[str]:
    """What the author of a lesson has written: its text, and the text in its code."""
    for cell in read(lesson).cells:
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def is_position(text: str) -> bool:
    try:
        parse(text)
    except NotationError:
        return False
    return True


def test_every_notebook_is_a_lesson_or_a_page() -> None:
    assert [*(page for page in PAGES if page in NOTEBOOKS), *LESSONS] == NOTEBOOKS
    assert INDEX in NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_is_stored_unanswered(notebook: str) -> None:
    stored = read(notebook)
    nbformat.validate(stored)
    first = stored.cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "Run all" in first.source.splitlines()[2], "the first line names the button"
    assert "widgets" not in stored.metadata, "run `make lessons`"
    for cell in stored.cells:
        assert cell.source.strip(), "an empty cell"
        if cell.cell_type == "code":
            assert cell.metadata.get("jupyter", {}).get("source_hidden"), "code is collapsed"
            assert len(cell.outputs) == 1, "run `make lessons`"
            data = cell.outputs[0].data
            assert not [kind for kind in data if "widget" in kind], "run `make lessons`"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_begins_with_what_it_is_about(lesson: str) -> None:
    first = read(lesson).cells[0].source
    title, _, prompt, *rest = first.splitlines()
    assert re.fullmatch(rf"# Lesson {int(lesson[:2])} · \S.*", title)
    assert prompt.startswith(PROMPT)
    minutes = re.search(r"Time: about (\d+) minutes", "\n".join(rest))
    assert minutes
    assert 10 <= int(minutes[1]) <= 20
    assert "South" in "\n".join(rest), "which seat is the learner's"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_all_that_a_lesson_has(lesson: str, names: Names) -> None:
    questions, cells = exercises(names), results_of(names)
    assert len(asked(names)) >= 3
    assert any(isinstance(one, NumberQuestion) for one in questions)
    assert sum(isinstance(one, Changes) for one in cells) == 1
    quiz = quiz_of(names)
    assert quiz.total == 5
    assert questions[-1] is quiz
    for one in questions:
        if isinstance(one, CardTable):
            assert one.scene["phase"] in ("asking", "line"), f"{one!r} cannot be answered"


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_positions_of_a_quiz_are_five_and_asked_nowhere_else(lesson: str, names: Names) -> None:
    lines = [question.table for question in quiz_of(names).questions]
    assert len(set(lines)) == 5
    for line in lines:
        table = parse(line) if isinstance(line, str) else line
        assert table.over is None
        assert table not in [one.table for one in asked(names)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_a_lesson_asks_is_recorded_under_its_name_and_known_themes(
    lesson: str, names: Names
) -> None:
    number = int(lesson[:2])
    quiz = quiz_of(names)
    questions = [*(table.asked for table in asked(names)), *quiz.questions]
    for question in questions:
        assert question.source in (f"Lesson {number}", f"Lesson {number} quiz")
        assert question.themes, f"{question.text} has no theme"
        assert set(question.themes) <= set(NAMES)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_gives_nothing_away(lesson: str, names: Names) -> None:
    assert set(shown(names)) == {WAITS}
    for number, cell in enumerate(read(lesson).cells):
        result = names.get(f"cell {number}")
        if isinstance(result, Reveal):
            assert repr(result) == WAITS
            assert cell.outputs[0].data["text/plain"] == WAITS, "run `make lessons`"
    for question in exercises(names):
        assert question.result == {}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_figure_of_a_lesson_is_worked_out_in_it(lesson: str) -> None:
    found = [
        (match[0], text[max(0, match.start() - 60) : match.end() + 30])
        for text in written(lesson)
        if not is_position(text)
        for match in FIGURES.finditer(text)
    ]
    assert found == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_finished_by_answering_all_of_its_questions(lesson: str, names: Names) -> None:
    last = results_of(names)[-1]
    assert isinstance(last, Finished)
    assert last.lesson == lesson
    waiting = [one for one in exercises(names) if isinstance(one, ShortQuestion)]
    waiting += [*asked(names), quiz_of(names)]
    by_name = {name: value for name, value in names.items() if not name.startswith("cell ")}
    ending = read(lesson).cells[-1].source
    named = {id(value) for name, value in by_name.items() if re.search(rf"\b{name}\b", ending)}
    for question in waiting:
        assert id(question) in named, f"{question!r} is not among those to be answered"
    assert last.questions == len(waiting)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_an_answered_run(lesson: str) -> None:
    assert (Path(__file__).parent / "lessons" / f"test_{lesson[:2]}.py").is_file()


def test_the_index_says_nothing_of_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored of it names every lesson, in their order, and is the same everywhere."""
    monkeypatch.chdir(installed_lessons())
    open_record().finish_lesson("06_count_35", datetime.now(UTC))
    (course,) = (value for value in run(INDEX).values() if isinstance(value, Course))
    (cell,) = (cell for cell in read(INDEX).cells if cell.cell_type == "code")
    stored = cell.outputs[0].data
    assert stored["text/html"] == course._repr_mimebundle_()["text/html"], "run `make lessons`"
    pages = [page for page in PAGES if page != INDEX and page in NOTEBOOKS]
    links = re.findall('href="(.*?)"', stored["text/html"])
    assert links == [path_of(name).name for name in [*LESSONS, *pages]]
    assert "finished</strong>" not in stored["text/html"]
