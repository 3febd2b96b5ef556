"""The index of the course in JupyterLab: from an empty record to progress, and on into a lesson."""

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, expect

from browser.lab import Lesson
from trainer.lessons import INDEX, installed_lessons, lesson_names, lesson_title
from trainer.record import FILE_NAME, Attempt, open_record

pytestmark = pytest.mark.browser

OWN_PART = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea"
SLOW = 30_000
"""Milliseconds that a busy machine may take."""
ATTEMPT = Attempt(
    position="position",
    choice="HT",
    best="66",
    loss=0.0,
    game_points=1.0,
    best_game_points=2.0,
    real=True,
    mark="=",
    concealed=False,
    seconds=8.0,
    hints=0,
    source="Lesson 6",
    themes=("closing",),
    when=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
)


def fill(lesson: Lesson) -> None:
    """Enter some forty answers into the learner's record, and that lesson 6 is finished."""
    record = open_record(lesson.lab.data / FILE_NAME)
    for number in range(40):
        loss = float(max(0, number % 4 - number // 20))
        asked = replace(
            ATTEMPT,
            position=f"position {number}",
            loss=loss,
            mark="=?"[loss > 0] if loss < 2 else "??",
            concealed=number % 3 == 0,
            source="Lesson 6" if number < 25 else "a set of puzzles with a long name",
            themes=("closing", "counting") if number % 2 else ("closing",),
            when=ATTEMPT.when + timedelta(hours=number),
        )
        assert record.attempt(asked) is None
    assert record.finish_lesson("06_count_35", ATTEMPT.when) is None
    assert record.close() is None


def too_wide(part: Locator) -> list[str]:
    """Return what a reader could not get to: parts wider than the page that do not scroll."""
    found: list[str] = part.evaluate(
        """part => [...part.querySelectorAll("p, li, h2, button, table, img")]
            .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
            .filter(each => !each.closest("[role=group][tabindex]"))
            .map(each => each.outerHTML.slice(0, 100))"""
    )
    return found


def test_the_index_shows_the_course_and_the_progress(lesson: Lesson) -> None:
    page, notebook = lesson.page, lesson.notebook
    shutil.rmtree(lesson.lab.data, ignore_errors=True)
    lessons = lesson_names(installed_lessons())
    titles = [lesson_title(installed_lessons() / f"{name}.ipynb") for name in lessons]
    lesson.folder.mkdir()
    for name in lessons:
        shutil.copy(installed_lessons() / f"{name}.ipynb", lesson.folder)

    lesson.open(f"{INDEX}.ipynb")
    expect(notebook.get_by_text("Press Run all to see which are finished")).to_be_visible()
    expect(notebook.get_by_role("listitem")).to_have_text(titles)
    lesson.axe(OWN_PART)
    lesson.shot("index as shipped")

    lesson.run_all()
    expect(page.get_by_role("heading", name="Start here")).to_be_in_viewport()
    expect(notebook.get_by_text("Nothing is answered yet")).to_be_in_viewport()
    expect(notebook.get_by_role("listitem")).to_have_text(
        [f"{each}: not finished" for each in titles]
    )
    lesson.axe(OWN_PART)
    lesson.shot("index of an empty record")

    fill(lesson)
    refresh = notebook.get_by_role("button", name="Refresh")
    refresh.focus()
    page.keyboard.press("Enter")
    expect(notebook.get_by_role("status")).to_have_text("Read once more.", timeout=SLOW)
    first = notebook.get_by_role("listitem").filter(has_text=titles[lessons.index("06_count_35")])
    expect(first).to_contain_text(": finished on 2026-03-01")
    figure = notebook.get_by_role("img", name=re.compile("Game points lost per real decision"))
    expect(figure).to_have_attribute("alt", re.compile("in decisions 1 to 10.*closing .* in 40"))
    assert figure.evaluate("figure => figure.naturalWidth") > 0
    overall = notebook.get_by_role("row", name=re.compile("^all 40"))
    expect(overall.get_by_role("cell")).to_have_text(["40", "1.12"])
    expect(notebook.get_by_role("rowheader", name="Lesson 6", exact=True)).to_be_visible()
    scrolls = notebook.get_by_role("group", name="Progress")
    page.keyboard.press("Control+b")  # the list of files goes, as on a phone
    for mode in ("Light", "Dark"):
        lesson.theme(mode)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(500)
            lesson.axe(OWN_PART)
            assert too_wide(notebook) == []
            assert scrolls.evaluate("part => part.scrollWidth <= part.clientWidth")
            for part, shown in (("top", refresh), ("figure", figure), ("table", overall)):
                shown.evaluate("part => part.scrollIntoView()")
                lesson.shot(f"index {part} {mode.lower()} {width}")
        page.set_viewport_size({"width": 1280, "height": 900})

    page.reload()
    lesson.wait_idle()
    lesson.run_all()
    expect(page.get_by_role("heading", name="Start here")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="What to do next")).to_be_in_viewport()
    lesson.shot("index run again")
    first.get_by_role("link").click()
    expect(page.get_by_role("heading", name=titles[lessons.index("06_count_35")])).to_be_visible(
        timeout=SLOW
    )
    expect(notebook.get_by_text("The lesson is not running yet")).to_be_visible(timeout=SLOW)
