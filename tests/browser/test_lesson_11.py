"""Lesson 11 in JupyterLab: every question answered, the plan stepped through, the line changed."""

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.lab import Lesson

pytestmark = pytest.mark.browser

LESSON = "11_concealed_cards.ipynb"
WAITS = "Answer the question above first."
OWN_PART = ".jp-NotebookPanel .jp-OutputArea"
PARTS = (
    "Judged by this figure you play on",
    "No lead stands in every row",
    "All must fit: a card is in one place only",
    "Both ways of counting tell you to",
    "The positions that you have decided",
    "That a close can fail is no reason against it",
)
"""What is looked at on a wide page and on a narrow one."""
FIGURE = 120_000
"""Milliseconds that the figures of a table may take on a machine with much else to do."""


def question(lesson: Lesson, asked: str, nth: int = 0) -> Locator:
    """Return the table or the number question that asks this, the first one or another."""
    heading = lesson.page.get_by_role("heading", name=asked, exact=True)
    return lesson.notebook.locator(".sixty-six").filter(has=heading).nth(nth)


def answer(lesson: Lesson, table: Locator, words: str, word: str) -> None:
    """Type an answer and wait for its mark."""
    table.get_by_role("textbox").fill(words)
    lesson.page.keyboard.press("Enter")
    verdict = table.get_by_role("heading", level=4).or_(table.get_by_role("heading", level=5))
    expect(verdict.filter(has_text=word).first).to_be_visible(timeout=FIGURE)


def test_a_learner_answers_everything(lesson: Lesson) -> None:
    page, told = lesson.page, lesson.notebook
    lesson.open(LESSON)
    expect(told.get_by_text("The lesson is not running yet")).to_be_visible()
    lesson.run_all()
    expect(told.get_by_text("The lesson is ready. Read on.")).to_be_in_viewport()
    expect(told.get_by_text(WAITS)).to_have_count(10)
    lesson.axe(OWN_PART)
    lesson.shot("lesson 11 top")

    answer(lesson, question(lesson, "You have closed. What do you lead?"), "CT", "Best")
    expect(told.get_by_text("and choose the better lead for each hand by itself")).to_be_visible()
    lesson.shot("lesson 11 small case")

    answer(lesson, question(lesson, "How many different hands can North hold?"), "7", "Right")
    close_or_not = "Do you close or play on?"
    first = question(lesson, close_or_not)
    answer(lesson, first, "CT", "Close call")
    expect(told.get_by_text("Judged by this figure you play on")).to_be_visible(timeout=FIGURE)
    chart = told.get_by_role("img", name=re.compile("^close now: seen: "))
    chart.scroll_into_view_if_needed()
    assert chart.evaluate("picture => picture.naturalWidth") > 0
    lesson.shot("lesson 11 both figures")
    expect(told.get_by_text("No lead stands in every row")).to_be_visible(timeout=FIGURE)
    told.get_by_text("No lead stands in every row").scroll_into_view_if_needed()
    lesson.shot("lesson 11 hand by hand")
    lost = question(lesson, "Closed by plan, and lost")
    lost.get_by_role("button", name="Forward").press("End")
    expect(lost.locator(".step")).to_contain_text("North wins 2 game points: South closed and")
    lesson.shot("lesson 11 plan lost")

    field = told.get_by_role("textbox", name="Position line:", exact=True)
    field.fill(field.input_value().replace("28/3", "29/3"))
    field.press("Enter")
    expect(told.get_by_text("Column 37, points: found 29 for South, expected 28")).to_be_visible()
    field.fill("<img src=x onerror=alert(1)>")
    field.press("Enter")
    expect(told.get_by_text("Column 1, variant: found '<img'")).to_be_visible()
    told.get_by_role("combobox", name="A change to try").select_option(
        "By the Russian rules: who cannot follow must trump"
    )
    both = told.get_by_text(re.compile("Both ways of counting tell you to"))
    expect(both).to_contain_text("close", timeout=FIGURE)
    lesson.axe(OWN_PART)
    both.scroll_into_view_if_needed()
    lesson.shot("lesson 11 changed")

    answers = (
        ("The Ten for the King. Do you close or play on?", 0, "cl DA", "Best"),
        (close_or_not, 1, "cl SA", "Best"),
        ("The Russian rules. Do you close or play on?", 0, "cl SA", "Best"),
        (f"1 of 5: {close_or_not}", 0, "CT", "Close call"),
        (f"2 of 5: {close_or_not}", 0, "cl SA", "Best"),
        ("3 of 5: You have closed. What do you lead?", 0, "CQ", "Best"),
        ("4 of 5: Schnapsen. Do you close or play on?", 0, "ST", "Close call"),
        (f"5 of 5: {close_or_not}", 0, "DT", "Blunder"),
    )
    for asked, nth, words, word in answers:
        table = question(lesson, asked, nth)
        answer(lesson, table, words, word)
        if re.match("[1-4] of 5", asked):
            table.get_by_role("button", name="Next").click()
    expect(told.get_by_text(WAITS)).to_have_count(0, timeout=FIGURE)
    expect(told.get_by_role("row", name="Puzzle 5")).to_be_visible(timeout=FIGURE)
    expect(told.get_by_text("Left out, because")).to_have_count(0)
    expect(told.get_by_text("That a close can fail is no reason against it")).to_be_visible()
    expect(told.get_by_text("You have finished this lesson.")).to_be_visible()
    lesson.axe(OWN_PART)

    told.get_by_role("heading", name="What to take away").click()
    page.keyboard.press("Control+b")  # the list of files goes, as on a phone
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 900})
        for number, text in enumerate(PARTS):
            for _ in range(2):  # on the way JupyterLab puts cells in, and the page moves
                told.get_by_text(text).first.scroll_into_view_if_needed()
                page.wait_for_timeout(500)
            lesson.shot(f"lesson 11 part {number} {width}")
