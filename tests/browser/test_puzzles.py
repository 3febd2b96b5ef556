"""The page of puzzles in JupyterLab, by mouse and by keyboard."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import expect

from browser.lab import Lesson
from trainer.choosing import daily
from trainer.lessons import PUZZLES
from trainer.notation import format_answer, parse_answer
from trainer.puzzles import Puzzle, installed_puzzles, load
from trainer.search import decides

pytestmark = pytest.mark.browser

OWN_PART = ".jp-NotebookPanel .jp-OutputArea"
FIGURE = 60_000
"""Milliseconds that the figures of a table may take on a busy machine."""


def best(puzzle: Puzzle) -> str:
    """The words of a best decision, the whole of it."""
    moves = parse_answer(puzzle.line.rpartition("] ")[2])
    length = next(n for n in range(1, len(moves) + 1) if decides(moves[:n]))
    return format_answer(moves[:length])


def test_puzzles_are_chosen_answered_and_then_told_of(lesson: Lesson) -> None:
    page, notebook = lesson.page, lesson.notebook
    press = page.keyboard.press
    lesson.open(f"{PUZZLES}.ipynb")
    lesson.run_all()
    ways = notebook.get_by_label("Practise", exact=True)
    start = notebook.get_by_role("button", name="Start", exact=True)
    says = notebook.locator(".sixty-six-puzzles").get_by_role("status")
    expect(says).to_contain_text("new ones come first")
    lesson.axe(OWN_PART)
    lesson.shot("puzzles to choose")

    ways.focus()  # keys that would cut or delete the cell if JupyterLab heard them
    for key in "xdd":
        press(key)
    expect(ways).to_be_focused()
    today = daily(load(installed_puzzles()), datetime.now().astimezone().date())
    ways.select_option("the puzzle of the day")
    expect(notebook.get_by_label("Theme", exact=True)).to_be_hidden()
    expect(says).to_contain_text("The puzzle of 20")
    press("Tab")
    expect(start).to_be_focused()
    press("Enter")
    table = notebook.locator(".sixty-six").filter(has=page.get_by_role("heading", level=2))
    heading = table.get_by_role("heading", level=2)
    expect(heading).to_have_text(f"Puzzle 1, level {today.difficulty}. {today.question}")
    expect(notebook).not_to_contain_text(today.id)
    table.get_by_role("textbox").fill(best(today))
    press("Enter")
    verdict = table.get_by_role("heading", level=3)
    expect(verdict).to_have_text(re.compile("^=Best"), timeout=FIGURE)
    told = notebook.get_by_role("status").filter(has_text=today.id)
    for theme in today.themes:
        expect(told).to_contain_text(f"Theme: {theme}.")
    lesson.axe(OWN_PART)
    lesson.shot("puzzles answered")

    ways.select_option("freely")
    notebook.get_by_label("Cards", exact=True).select_option("all face up")
    notebook.get_by_label("Level", exact=True).select_option("1")
    start.click()
    expect(heading).to_have_text(re.compile(r"^Puzzle 1, level 1\."))
    expect(told).to_have_count(0)
    playable = table.locator(".felt button:not([aria-disabled=true]), .actions button").first
    playable.click()
    expect(verdict).to_be_visible(timeout=FIGURE)
    table.get_by_role("button", name="Next").click()
    expect(heading).to_have_text(re.compile(r"^Puzzle 2, level 1\."))
    expect(verdict).to_have_count(0)

    ways.select_option("what is due for review")
    expect(says).to_contain_text("Review is off.")
    notebook.get_by_role("button", name="Turn review on").click()
    expect(notebook.get_by_role("button", name="Turn review off")).to_be_visible()
    notebook.get_by_text("What is under review").click()
    review = notebook.get_by_role("group", name="Under review")
    expect(review.get_by_role("row")).not_to_have_count(0)
    lesson.theme("Dark")
    press("Control+b")  # the list of files goes, as on a phone
    page.set_viewport_size({"width": 360, "height": 900})
    says.scroll_into_view_if_needed()
    lesson.axe(OWN_PART)
    lesson.shot("puzzles review dark 360")
