"""The card table in JupyterLab, used as a learner uses it."""

import re
from pathlib import Path
from statistics import median

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
FOLLOW_SEEN = "foster66 S:TQ..9.J N:...,3x D 11xDJ 6/1-21/1 S SJ won=S:CKHJ;N:HTHA closed=S0/0"
MARRIAGES = (
    "foster66 S:Q.KQ.KQ. N:.J.TJ.TK D CASKSAH9STCJHTCQDAS9SJD9 11/1-0/0 S won=S:HAC9 closed=S0/0"
)
ENDING = "foster66 S:TQ.K..KQJ N:.J.ATK.T9 D - 40/4-17/2 S won=S:D9HA,DJHT,SASJ,S9SK;N:H9DQ,CAHQ"
ONE_DOWN = "foster66 S:TKQ...KQJ N:...,5x D 1xDA 36/3-17/2 S S9 won=S:D9HA,DJHT,SASJ;N:H9DQ,CAHQ"
IMPORTS = (
    "from trainer.widgets.table import CardTable\n"
    "from trainer.widgets.reveal import after\n"
    "from trainer.widgets.number import NumberQuestion\n"
)
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


def answer(lesson: Lesson, table: Locator, words: str) -> None:
    """Type an answer and wait for the mark."""
    table.get_by_role("textbox", name="Type a move").fill(words)
    lesson.page.keyboard.press("Enter")
    expect(table.locator(".mark")).to_be_visible(timeout=SLOW)


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

    count = table.locator(".count")
    reached = count.inner_text()
    table.get_by_role("button", name="To the beginning").click()
    expect(count).to_have_text(re.compile("^0 of"))
    table.get_by_role("button", name="Forward").press("ArrowRight")
    expect(table.get_by_text("South closes the stock.")).to_be_visible()
    table.get_by_role("button", name="To the end").click()
    expect(count).not_to_have_text(reached)
    lesson.axe(TABLE)

    lesson.page.keyboard.press("r")
    expect(table.get_by_role("textbox", name="Type a move")).to_be_visible()
    table.get_by_role("textbox", name="Type a move").fill("cl DA")
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


def test_the_line_is_replayed_and_left_and_come_back_to(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({MARRIAGES!r}, 'What do you lead?')")
    press = lesson.page.keyboard.press
    answer(lesson, table, "HK")
    step, count = table.locator(".step"), table.locator(".count")
    expect(table.get_by_role("img", name="King of hearts, ? +2")).to_be_visible()
    expect(step).to_contain_text("North ")
    expect(step).to_contain_text("South: +2 game points.")
    table.get_by_role("button", name="To the beginning").click()
    expect(step).to_have_text("Before the choice. South: +3 game points.")
    badges = table.locator(".badge")
    expect(badges).to_have_text(["??−3", "?+2", "=+3", "?+2", "?+2"])
    lesson.axe(TABLE)
    lesson.shot("table badges")

    table.get_by_role("button", name="Queen of hearts, = +3").click()
    choices = table.get_by_role("toolbar", name="Queen of hearts")
    expect(choices).to_be_visible(timeout=SLOW)
    lesson.axe(TABLE)
    choices.get_by_role("button", name="and declare the marriage").click()
    expect(count).to_have_text("2 of 2", timeout=SLOW)
    expect(step).to_contain_text("South: +3 game points.")
    table.get_by_role("textbox", name="Type a move").fill("66")
    press("Enter")
    expect(step).to_contain_text("South: −3 game points, before +3.", timeout=SLOW)
    expect(table.get_by_role("textbox", name="Type a move")).to_have_count(0)
    lesson.axe(TABLE)
    lesson.shot("table branch")

    table.get_by_role("button", name="Back", exact=True).click()
    press("b")
    expect(table.get_by_role("status")).to_contain_text("Play on from here for South", timeout=SLOW)
    press("l")
    expect(count).to_have_text(re.compile("^0 of"), timeout=SLOW)
    expect(badges).to_have_count(5)
    forward = table.get_by_role("button", name="Forward")
    for _ in range(40):
        if forward.get_attribute("aria-disabled") == "true":
            break
        forward.click()
    expect(step).to_contain_text(re.compile("wins [123] game point"))
    press("r")
    expect(table.get_by_role("textbox", name="Type a move")).to_be_visible(timeout=SLOW)
    expect(badges).to_have_count(0)


def test_a_loss_plays_itself_step_by_step(lesson: Lesson, tmp_path: Path) -> None:
    lesson.page.emulate_media(reduced_motion="no-preference")
    table = open_notebook(lesson, tmp_path, f"CardTable({MARRIAGES!r})")
    count, mark = table.locator(".count"), table.locator(".mark")
    table.get_by_role("textbox").fill("HK")
    lesson.page.keyboard.press("Enter")
    expect(table.get_by_role("img", name="King of hearts")).to_be_visible(timeout=SLOW)
    expect(mark).to_have_count(0)
    expect(mark).to_have_text("?", timeout=SLOW)
    pause = table.get_by_role("button", name="Pause")
    expect(count).to_have_text(re.compile("^[34] of"), timeout=5000)
    pause.click()
    stopped = count.inner_text()
    lesson.page.wait_for_timeout(1500)
    assert count.inner_text() == stopped
    table.get_by_role("button", name="To the beginning").click()
    table.get_by_role("button", name="Play", exact=True).click()
    expect(count).to_have_text(re.compile("^1 of"), timeout=5000)
    expect(count).to_have_text(re.compile("^2 of"), timeout=5000)
    table.get_by_role("button", name="Back", exact=True).click()
    expect(pause).to_have_count(0)


def test_face_up_and_as_seen(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({F2!r}, samples=40)")
    backs = table.locator(".hand .back")
    expect(backs).to_have_count(6)
    answer(lesson, table, "cl CJ")
    expect(backs).to_have_count(0)
    table.get_by_role("button", name="Show as seen").click()
    expect(backs).to_have_count(5)
    expect(table.locator(".slot .card")).to_have_count(2)
    lesson.page.keyboard.press("Home")
    table.get_by_role("button", name="To the beginning").click()
    expect(backs).to_have_count(6)
    expect(table.get_by_role("textbox", name="Position line")).to_have_value(F2)
    lesson.axe(TABLE)
    lesson.shot("table as seen")
    lesson.page.keyboard.press("f")
    expect(backs).to_have_count(0)


def test_hints_come_one_by_one(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({MARRIAGES!r})")
    hints = table.get_by_role("list", name="Hints").get_by_role("listitem")
    expect(hints).to_have_count(0)
    table.get_by_role("button", name="Queen of spades").focus()
    for number in range(1, 5):
        lesson.page.keyboard.press("h")
        expect(hints).to_have_count(number, timeout=SLOW)
        expect(table.get_by_role("status")).to_contain_text(f"Hint {number}: ")
    expect(table.get_by_role("button", name=re.compile("^Hint"))).to_have_count(0)
    expect(hints.last).to_contain_text("King of hearts")
    lesson.axe(TABLE)
    lesson.shot("table hints")


def test_next_goes_to_the_next_question(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(
        lesson,
        tmp_path,
        f"CardTable({MARRIAGES!r}, 'First', then=[{FOLLOW!r}])",
        f"CardTable({FOLLOW!r}, 'A line', line='ST SQ')",
        "NumberQuestion('How much is a Ten?', 10)",
        f"CardTable({MARRIAGES!r}, 'Last')",
    )
    tables = lesson.page.locator(TABLE)
    answer(lesson, table, "HK")
    table.get_by_role("button", name="Next").click()
    expect(table.get_by_role("button", name="Ten of spades")).to_be_visible(timeout=SLOW)
    answer(lesson, table, "ST")
    lesson.page.keyboard.press("n")
    expect(table.get_by_role("status")).to_have_text("That was the last one here.", timeout=SLOW)
    table.get_by_role("button", name="Next").click()
    heading = lesson.page.get_by_role("heading", name="How much is a Ten?")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    lesson.page.keyboard.press("Tab")
    lesson.page.keyboard.type("10\n")
    expect(tables.nth(2).locator(".mark")).to_have_text("=", timeout=SLOW)
    tables.nth(2).get_by_role("button", name="Next").click()
    expect(lesson.page.get_by_role("heading", name="Last")).to_be_focused()
    answer(lesson, tables.nth(3), "HKm")
    expect(tables.nth(3).get_by_role("button", name="Next")).to_have_count(0)


def test_the_line_is_copied_or_selected(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({MARRIAGES!r})")
    answer(lesson, table, "HK")
    table.get_by_role("button", name="To the beginning").click()
    line = table.get_by_role("textbox", name="Position line")
    expect(line).to_have_value(MARRIAGES)
    copied, status = table.get_by_role("button", name="Copy the line"), table.get_by_role("status")
    lesson.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copied.click()
    expect(status).to_have_text("The position line is copied.")
    assert lesson.page.evaluate("navigator.clipboard.readText()") == MARRIAGES
    lesson.page.evaluate(
        """() => {
            navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
            document.execCommand = () => false;
        }"""
    )
    copied.click()
    expect(status).to_contain_text("the line is selected")
    assert lesson.page.evaluate("getSelection().toString()") == MARRIAGES
    expect(line).to_be_focused()


def test_two_colours_are_for_all_tables_and_remembered(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(lesson, tmp_path, f"CardTable({MARRIAGES!r})", f"CardTable({FOLLOW!r})")
    colour = "element => getComputedStyle(element).color"
    suits = [lesson.page.locator(f"{TABLE} .hand .suit-{suit}").last for suit in "HDSC"]
    assert len({suit.evaluate(colour) for suit in suits}) == 4
    switch = lesson.page.get_by_role("button", name="Two-colour deck")
    switch.first.click()
    expect(switch.first).to_have_attribute("aria-pressed", "true")
    expect(switch.last).to_have_attribute("aria-pressed", "true")
    hearts, diamonds, spades, clubs = (suit.evaluate(colour) for suit in suits)
    assert (hearts, spades) == (diamonds, clubs)
    lesson.axe(TABLE)
    lesson.shot("table two colours")
    lesson.page.reload()
    lesson.wait_idle()
    lesson.run_all()
    expect(switch.first).to_have_attribute("aria-pressed", "true")
    lesson.page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }"
    )
    switch.first.click()
    expect(switch.last).to_have_attribute("aria-pressed", "false")
    assert len({suit.evaluate(colour) for suit in suits}) == 4
    expect(table).to_be_visible()


def test_every_size_and_theme(lesson: Lesson, tmp_path: Path) -> None:
    """A width of 640 is what 200 % zoom leaves of 1280."""
    table = open_notebook(lesson, tmp_path, f"CardTable({F2!r}, 'Should South close?', samples=40)")
    lesson.page.keyboard.press("Control+b")
    past = """table => [...table.querySelectorAll("*")].filter((part) =>
        part.getBoundingClientRect().right > table.getBoundingClientRect().right + 1
        && !part.closest(".spoken, thead, svg")).map((part) => part.outerHTML.slice(0, 90))"""
    for mode in ("Light", "Dark"):
        lesson.page.set_viewport_size({"width": 1280, "height": 900})  # for the menu
        lesson.theme(mode)
        for part in ("asked", "answered", "branch"):
            if part == "answered":
                answer(lesson, table, "cl CJ")
            if part == "branch":
                table.get_by_role("button", name="Back", exact=True).click()
                lesson.page.keyboard.press("b")
                home = table.get_by_role("button", name="Back to the line")
                expect(home).to_be_visible(timeout=SLOW)
            for width in (1280, 640, 360):
                lesson.page.set_viewport_size({"width": width, "height": 900})
                table.evaluate("table => table.scrollIntoView()")
                lesson.shot(f"table {part} {mode.lower()} {width}")
                lesson.axe(TABLE)
                assert table.evaluate(past) == []
                for badge in table.locator(".badge").all():
                    assert badge.evaluate("badge => badge.scrollWidth <= badge.clientWidth")
        lesson.page.keyboard.press("l")
        expect(home).to_have_count(0, timeout=SLOW)
        lesson.page.keyboard.press("r")
        expect(table.get_by_role("textbox", name="Type a move")).to_be_visible(timeout=SLOW)


def test_an_answer_is_in_the_learners_record(lesson: Lesson, tmp_path: Path) -> None:
    table = open_notebook(
        lesson,
        tmp_path,
        f"CardTable({MARRIAGES!r}, source='browser test')",
        "from trainer.record import open_record\n"
        "print([(a.choice, a.hints, a.source, a.seconds > 0) for a in open_record().attempts()\n"
        "       if a.source == 'browser test'])",
    )
    table.get_by_role("button", name=re.compile("^Hint")).click()
    expect(table.get_by_role("listitem")).to_have_count(1, timeout=SLOW)
    answer(lesson, table, "HK")
    lesson.page.locator(".jp-CodeCell").last.click()
    lesson.page.keyboard.press("Escape")
    lesson.page.keyboard.press("Control+Enter")
    output = lesson.page.locator(".jp-OutputArea-output").last
    expect(output).to_have_text("[('HK', 1, 'browser test', True)]", timeout=SLOW)


def test_ten_answered_tables_are_under_a_megabyte(lesson: Lesson, tmp_path: Path) -> None:
    open_notebook(lesson, tmp_path, *[f"CardTable({F2!r}, samples=40)"] * 10)
    for number in range(10):
        answer(lesson, lesson.page.locator(TABLE).nth(number), "DA")
    lesson.page.get_by_role("button", name=re.compile("Save and create")).click()
    expect(lesson.page.locator("#jp-main-statusbar")).to_contain_text("Saving completed")
    saved = lesson.folder / "table.ipynb"
    assert "widget-state" in saved.read_text(encoding="utf-8")
    print(f"ten answered tables: {saved.stat().st_size:,} bytes")
    assert saved.stat().st_size < 1_000_000


def test_the_time_from_click_to_grade(lesson: Lesson, tmp_path: Path) -> None:
    """It is printed, not judged: a machine may be busy."""
    lines = {"ending": ENDING, "one face down": ONE_DOWN, "closed": FOLLOW_SEEN}
    open_notebook(lesson, tmp_path, *[f"CardTable({line!r})" for line in lines.values()])
    measure = """async (table) => {
        const card = table.querySelector(".cards[role=toolbar] :not([aria-disabled=true])");
        const started = performance.now();
        card.click();
        while (!table.querySelector(".mark")) await new Promise((go) => setTimeout(go, 1));
        return performance.now() - started;
    }"""
    for number, name in enumerate(lines):
        table = lesson.page.locator(TABLE).nth(number)
        times = []
        for _ in range(15):
            times.append(float(table.evaluate(measure)))
            table.get_by_role("button", name="Try again").click()
            expect(table.get_by_role("textbox", name="Type a move")).to_be_visible(timeout=SLOW)
        print(
            f"{name}: first {times[0]:.0f} ms, median {median(times):.0f} ms, "
            f"most {max(times):.0f} ms"
        )


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
    expect(table.get_by_role("textbox", name="Type a move")).to_be_visible()
