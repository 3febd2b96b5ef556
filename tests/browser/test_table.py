"""The card table in JupyterLab, used as a learner uses it."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from playwright.sync_api import Locator, expect

from browser.lab import Lesson

pytestmark = pytest.mark.browser

TABLE = ".sixty-six"
F2 = "foster66 S:KQ..AJ.J9 N:...,6x H 5xHQ 35/2-11/1 S won=S:CACK,CTDT;N:SAS9"
FOLLOW = (
    "foster66 S:TQ..9.J N:9..AT. D SKDQHQSAC9H9DKHKCQCACTDJ 6/1-21/1 S SJ "
    "won=S:CKHJ;N:HTHA closed=S0/0"
)
IMPORTS = "from trainer.widgets.table import CardTable\nfrom trainer.widgets.reveal import after\n"
SLOW = 30_000
"""Milliseconds a figure may take on a busy machine."""


def open_notebook(lesson: Lesson, folder: Path, *cells: str) -> Locator:
    """Open a notebook of these code cells, run it, and return its first table."""
    made = v4.new_notebook(cells=[v4.new_markdown_cell("# A table\n\n## To try")])
    made.cells += [v4.new_code_cell(IMPORTS + cell) for cell in cells]
    path = folder / "table.ipynb"
    nbformat.write(made, path)
    lesson.open(path)
    lesson.run_all()
    table = lesson.page.locator(TABLE).first
    expect(table.get_by_role("heading", level=3)).to_be_visible(timeout=SLOW)
    return table


def focused(lesson: Lesson) -> str:
    """Return the accessible name of what has the focus."""
    name = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
    return str(lesson.page.evaluate(name)).strip()


def test_a_wrong_answer_is_refuted_and_a_right_one_follows(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({F2!r}, 'Should South close?', samples=40)")
    status = table.get_by_role("status")
    expect(table.get_by_role("button", name="Try again")).to_have_count(0)
    lesson.axe(TABLE)

    table.get_by_role("button", name="Close the stock").click()
    expect(status).to_contain_text("South has closed the stock", timeout=SLOW)
    table.get_by_role("button", name="Take back").click()
    expect(table.get_by_role("button", name="Close the stock")).to_be_visible()
    table.get_by_role("button", name="Close the stock").click()
    table.get_by_role("button", name="Jack of clubs").click()
    verdict = table.get_by_role("heading", level=4)
    expect(verdict).to_have_text(re.compile(r"^\?\?Blunder"), timeout=SLOW)
    expect(table.get_by_text("North wins", exact=True)).to_be_visible()
    expect(table.get_by_role("row", name=re.compile("Ace of diamonds"))).not_to_have_count(0)
    lesson.axe(TABLE)

    count = table.get_by_text(re.compile(r"^\d+ of \d+$")).first
    reached = count.inner_text()
    table.get_by_role("button", name="To the beginning").click()
    expect(count).to_have_text(re.compile("^0 of"))
    table.get_by_role("button", name="Forward").press("ArrowRight")
    expect(table.get_by_text("South closes the stock.")).to_be_visible()
    table.get_by_role("button", name="To the end").click()
    expect(count).not_to_have_text(reached)
    lesson.axe(TABLE)

    lesson.page.keyboard.press("r")
    expect(table.get_by_role("textbox")).to_be_visible()
    table.get_by_role("textbox").fill("cl DA")
    lesson.page.keyboard.press("Enter")
    expect(verdict).to_have_text(re.compile("^=Best"), timeout=SLOW)
    expect(table.get_by_text("434 of 462").first).to_be_visible()


def test_the_keyboard_is_enough_and_jupyter_does_not_hear_it(
    lesson: Lesson, tmp_path: Path
) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({F2!r}, samples=40)")
    press = lesson.page.keyboard.press
    cells = lesson.page.locator(".jp-Cell").count()
    table.get_by_role("button", name="King of spades").focus()
    for key in ("End", "Home", "ArrowRight", "ArrowRight"):
        press(key)
    assert focused(lesson) == "Ace of diamonds"
    for key in ("b", "a", "Escape", "y", "j", "k", "1", "z", "0"):
        if key != "a":  # announces on this table
            press(key)
    assert focused(lesson) == "Ace of diamonds"
    assert lesson.page.locator(".jp-Cell").count() == cells

    press("?")
    expect(table.get_by_text("play the card, press the button")).to_be_visible()
    lesson.axe(TABLE)
    press("Escape")
    press("m")
    assert focused(lesson).startswith("Lead the King of spades and declare")
    press("Escape")
    press("c")
    expect(table.get_by_role("status")).to_contain_text("closed the stock", timeout=SLOW)
    table.get_by_role("button", name="Ace of diamonds").focus()
    press("Enter")
    expect(table.get_by_role("heading", level=4)).to_contain_text("Best", timeout=SLOW)
    assert focused(lesson) == "Forward"
    press("End")
    expect(table.get_by_text(re.compile("South wins 2 game points")).first).to_be_visible()


def test_what_cannot_be_played_says_why(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({FOLLOW!r})")
    status = table.get_by_role("status")
    jack = table.get_by_role("button", name="Jack of clubs")
    expect(jack).to_have_attribute("aria-disabled", "true")
    jack.click(force=True)
    expect(status).to_have_text("South must follow suit with one of the spades held.")
    box = table.get_by_role("textbox")
    box.fill("HQX")
    lesson.page.keyboard.press("Enter")
    expect(status).to_contain_text("olumn", timeout=SLOW)
    expect(box).to_have_value("HQX")
    expect(table.get_by_role("button", name="Ten of spades")).to_be_visible()
    lesson.axe(TABLE)


def test_what_follows_a_question_waits_for_the_answer(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(
        lesson,
        tmp_path,
        f"t = CardTable({FOLLOW!r})\nt",
        "after(t, lambda: ['The **rule**', CardTable(t.table, 'Once more?')])",
    )
    waits = lesson.page.get_by_text("Answer the question above first.")
    expect(waits).to_be_visible()
    assert "rule" not in lesson.page.locator(".jp-OutputArea").last.inner_text()
    table.get_by_role("button", name="Ten of spades").click()
    expect(lesson.page.get_by_role("heading", name="Once more?")).to_be_visible(timeout=SLOW)
    expect(lesson.page.locator("strong", has_text="rule")).to_be_visible()
    expect(waits).to_have_count(0)


def test_a_reloaded_page_shows_the_table_as_it_was(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({FOLLOW!r})")
    table.get_by_role("button", name="Ten of spades").click()
    expect(table.get_by_role("heading", level=4)).to_be_visible(timeout=SLOW)
    lesson.page.get_by_role("button", name=re.compile("Save and create")).click()
    expect(lesson.page.locator("#jp-main-statusbar")).to_contain_text("Saving completed")
    lesson.page.goto(lesson.page.url.replace("&reset", ""))
    lesson.wait_idle()
    expect(table.get_by_role("heading", level=4)).to_be_visible(timeout=SLOW)
    table.get_by_role("button", name="Try again").click()
    expect(table.get_by_role("textbox")).to_be_visible()
