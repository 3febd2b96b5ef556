"""The index of the course and the end of a lesson: what they read, keep and show."""

import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trainer.lessons import lesson_names, lesson_title
from trainer.record import Attempt, Record, open_record
from trainer.widgets.course import NO_LESSONS, Course, Finished
from trainer.widgets.exercise import Exercise
from trainer.widgets.number import NumberQuestion
from trainer.widgets.table import CardTable

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ATTEMPT = Attempt(
    position="position",
    choice="HT",
    best="66",
    loss=1.0,
    game_points=1.0,
    best_game_points=2.0,
    real=True,
    mark="?",
    concealed=False,
    seconds=8.0,
    hints=0,
    source="Lesson 6",
    themes=("closing",),
    when=NOW,
)
ENDING = "foster66 S:TQ.K..KQJ N:.J.ATK.T9 D - 40/4-17/2 S won=S:D9HA,DJHT,SASJ,S9SK;N:H9DQ,CAHQ"


def notebook(path: Path, *cells: object) -> None:
    markdown = [{"cell_type": "markdown", "source": source} for source in cells]
    path.write_text(json.dumps({"cells": markdown}), encoding="utf-8")


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """The index, two lessons, and what is beside them."""
    folder = tmp_path / "lessons"
    folder.mkdir()
    notebook(folder / "00_index.ipynb", "# Start here")
    notebook(folder / "11_second.ipynb", ["Before it\n", "# Lesson 11 · <b>A & B</b>\n", "# No"])
    notebook(folder / "06_first.ipynb", "Text", "# Lesson 6 · The first")
    for beside in ("06_first (new)", "06_first-Copy1", "mine", "6_old"):
        notebook(folder / f"{beside}.ipynb", "# Beside")
    (folder / "06_first.txt").write_text("# Beside")
    return folder


def fill(losses: list[float], **others: object) -> Record:
    """Enter an answer a minute to a question of its own into the learner's record."""
    record = open_record()
    for number, loss in enumerate(losses):
        asked = {"position": f"position {number}", "when": NOW + timedelta(minutes=number)}
        assert record.attempt(replace(ATTEMPT, loss=loss, **(asked | others))) is None
    return record


def shown(course: Course) -> list[str]:
    """Return what the page shows, piece by piece."""
    return [output["data"]["text/html"] for output in course._page.outputs]


def press_refresh(course: Course) -> None:
    bar, _ = course.children
    bar.children[0].click()


# ------------------------------------------------------------------------------- lessons and titles


def test_the_lessons_of_a_folder(lessons: Path, tmp_path: Path) -> None:
    assert lesson_names(lessons) == ["06_first", "11_second"]
    assert lesson_names(tmp_path) == []
    assert lesson_names(tmp_path / "none") == []


def test_the_title_is_the_first_heading(lessons: Path) -> None:
    assert lesson_title(lessons / "06_first.ipynb") == "Lesson 6 · The first"
    assert lesson_title(lessons / "11_second.ipynb") == "Lesson 11 · <b>A & B</b>"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"source": "x"}]}', "\xff"],
)
def test_a_lesson_without_a_title_goes_by_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "03_odd.ipynb"
    assert lesson_title(path) == "03_odd"
    path.write_bytes(text.encode("latin-1"))
    assert lesson_title(path) == "03_odd"


# ----------------------------------------------------------------------------------- the index page


def test_an_empty_record_says_how_to_begin(lessons: Path) -> None:
    first, listed = shown(Course(lessons))
    assert "Nothing is answered yet" in first
    assert 'href="06_first.ipynb"' in first
    assert re.findall('<li><a href="(.*?)".*?>(.*?)</a>(.*?)</li>', listed) == [
        ("06_first.ipynb", "Lesson 6 · The first", ": not finished"),
        ("11_second.ipynb", "Lesson 11 · &lt;b&gt;A &amp; B&lt;/b&gt;", ": not finished"),
    ]


def test_progress_is_told_in_a_figure_and_a_table(lessons: Path) -> None:
    record = fill([0, 1] * 10)
    asked = replace(ATTEMPT, source="Lesson 6 quiz", real=False, when=NOW + timedelta(hours=1))
    for number in range(4):
        record.attempt(replace(asked, position=f"quiz {number}"))
    record.finish_lesson("06_first", NOW)
    first, listed, words, figure, table = shown(Course(lessons))
    assert "Go on with <a" in first
    assert 'href="11_second.ipynb"' in first
    weak = "watch out for closing: your last 20 real decisions there lost 0.50 game points each"
    assert weak in first
    assert ": <strong>finished</strong> on 2026-03-01" in listed
    assert "; answered: 20 on the table, 4 in the quiz</li>" in listed
    assert listed.count("not finished") == 1
    assert "?? blunder" in words
    assert 'alt="Game points lost per real decision, over time: 0.50 in decisions 1 to 10' in figure
    rows = re.findall('<th scope="row"[^>]*>([^<]*)</th><td>20</td><td>0.50</td>', table)
    assert rows == ["all", "closing", "Lesson 6", "all cards seen"]
    assert re.match('<div [^>]*tabindex="0"', table)


def test_the_next_step_when_all_lessons_are_finished(lessons: Path) -> None:
    record = fill([1] * 10)
    for name in lesson_names(lessons):
        record.finish_lesson(name, NOW)
    lost = "your last 10 real decisions there lost 1.00 game points each"
    assert f"<p>Practise closing: {lost}.</p>" in shown(Course(lessons))[0]
    fill([0] * 30, when=NOW + timedelta(days=1))
    assert "Nothing is left to do" in shown(Course(lessons))[0]


def test_refresh_reads_lessons_and_record_once_more(lessons: Path) -> None:
    course = Course(lessons)
    fill([1])
    open_record().finish_lesson("06_first", NOW)
    notebook(lessons / "12_third.ipynb", "# Lesson 12")
    assert len(shown(course)) == 2
    press_refresh(course)
    assert len(shown(course)) == 5
    assert "Lesson 12" in shown(course)[1]
    assert "finished</strong>" in shown(course)[1]
    assert course._notice.text == "Read once more."


def test_what_the_record_holds_is_no_html(lessons: Path) -> None:
    evil = "<script>alert(1)</script>"
    fill([1] * 12, themes=(evil,), source=evil, mark=evil)
    page = "\n".join(shown(Course(lessons)))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4


def test_without_a_kernel_nothing_depends_on_the_record(lessons: Path) -> None:
    before = Course(lessons)._repr_mimebundle_()["text/html"]
    fill([1] * 20).finish_lesson("06_first", NOW)
    course = Course(lessons)
    assert course._repr_mimebundle_()["text/html"] == before
    assert "Press Run all" in before
    assert before.count("<li>") == 2
    assert repr(course).splitlines() == ["Lesson 6 · The first", "Lesson 11 · <b>A & B</b>"]


def test_the_page_of_puzzles_is_linked_where_there_is_one(lessons: Path) -> None:
    assert "To practise" not in "".join(shown(Course(lessons)))
    notebook(lessons / "00_puzzles.ipynb", "# Puzzles to choose from")
    assert lesson_names(lessons) == ["06_first", "11_second"]
    course = Course(lessons)
    for page in (shown(course)[1], course._repr_mimebundle_()["text/html"]):
        found = re.search('<p>To practise: <a href="(.*?)".*?>(.*?)</a></p>', page)
        assert found
        assert found.groups() == ("00_puzzles.ipynb", "Puzzles to choose from")


def test_a_folder_without_lessons_says_so(tmp_path: Path) -> None:
    course = Course(tmp_path)
    assert repr(course) == NO_LESSONS
    assert NO_LESSONS in shown(course)[1]


def test_trouble_with_the_record_is_one_line_and_nothing_is_advised(
    lessons: Path, own_record: Path
) -> None:
    (own_record / "record.sqlite").mkdir()
    said, listed = shown(Course(lessons))
    assert said.startswith("<p><strong>Your record cannot be read now: ")
    assert said.count("cannot be read") == 1
    assert "06_first.ipynb" in listed
    assert ": not finished" not in listed


def test_a_damaged_record_is_told_once(lessons: Path, own_record: Path) -> None:
    (own_record / "record.sqlite").write_text("this is no record " * 100)
    course = Course(lessons)
    said, *others = shown(course)
    assert "set aside" in said
    assert "Nothing is answered yet" in others[0]
    press_refresh(course)
    assert shown(course) == others


def test_a_long_record_is_shown_fast(lessons: Path) -> None:
    record = Record(None)
    record._waiting = [
        replace(ATTEMPT, position=f"{n}", when=NOW + timedelta(minutes=n)) for n in range(20_000)
    ]
    course = Course(lessons, record)
    began = time.perf_counter()
    press_refresh(course)
    print(f"20,000 answers: {time.perf_counter() - began:.2f} s")
    assert "in decisions 19001 to 20000" in shown(course)[3]


# ----------------------------------------------------------------------------- the end of a lesson


def say(question: Exercise, words: str) -> None:
    """Send a word as the page does."""
    question.choice = {"seq": question.choice["seq"] + 1, "word": words}


@pytest.fixture
def count() -> NumberQuestion:
    return NumberQuestion("How many?", 31)


@pytest.fixture
def table() -> CardTable:
    return CardTable(ENDING, record=None)


def test_a_lesson_is_finished_when_all_is_answered(count: NumberQuestion, table: CardTable) -> None:
    end = Finished("06_first", count, table, now=lambda: NOW)
    assert repr(end).startswith("Answered so far: 0 of 2 questions.")
    for wrong in ("30", "32"):  # then the right one is told, which is an answer too
        assert repr(end).startswith("Answered so far: 0 of 2 questions.")
        say(count, wrong)
        say(count, "again")
    assert repr(end).startswith("Answered so far: 1 of 2 questions.")
    assert not end.finished
    assert open_record().lessons_finished() == {}
    say(table, "what?")
    assert open_record().lessons_finished() == {}
    say(table, "CK")
    assert end.finished
    assert repr(end) == "You have finished this lesson."
    assert open_record().lessons_finished() == {"06_first": NOW}


def test_nothing_is_recorded_of_a_lesson_that_no_learner_answered(
    count: NumberQuestion, table: CardTable
) -> None:
    end = Finished("06_first", count, table)
    count.answer(31)
    say(table, "CK")
    assert end.finished
    kept_nowhere = Finished("06_first", table, record=None)
    assert open_record().lessons_finished() == {}
    assert kept_nowhere.finished


def test_without_a_kernel_the_end_says_what_it_waits_for(count: NumberQuestion) -> None:
    data, _ = Finished("06_first", count)._repr_mimebundle_()
    assert data["text/html"].startswith("<p>Answered so far: 0 of 1 questions.")
    assert data["text/plain"].startswith("Answered so far: 0 of 1")


def test_a_record_that_cannot_be_written_is_told(count: NumberQuestion, own_record: Path) -> None:
    (own_record / "record.sqlite").mkdir()
    end = Finished("06_first", count)
    say(count, "31")
    assert repr(end).startswith("You have finished this lesson. Your record cannot be written now")
