"""Lesson 6 in JupyterLab, from the lesson as it is shipped, with what a learner sees alone."""

import re

import pytest
from playwright.sync_api import Locator, WebSocket, expect

from browser.lab import Lesson

pytestmark = pytest.mark.browser

LESSON = "06_count_35.ipynb"
WAITS = "Answer the question above first."
NEED = "How many card points do you still need for 66?"
OWN_PART = ".jp-NotebookPanel .jp-OutputArea"
TELLS = re.compile(
    r"434 of|301 of|\b(?:best|blunder|mistake|slip|void|lost|loses|refuted)\b|[>\"][+−]\d",
    re.IGNORECASE,
)
"""What would give an answer away."""
ENDING = "foster66 S:TQ.K..KQJ N:.J.ATK.T9 D - 40/4-17/2 S won=S:D9HA,DJHT,SASJ,S9SK;N:H9DQ,CAHQ"
BEST = "Best: lead the King of hearts, +2 game points."
FIGURE = 120_000
"""Milliseconds that the figures of a table may take on a machine with much else to do."""


@pytest.fixture
def told(lesson: Lesson) -> list[str]:
    """All that Python tells the page from now on, the program text of lesson and table left out."""
    heard: list[str] = []

    def hear(payload: str | bytes) -> None:
        text = payload if isinstance(payload, str) else payload.decode(errors="replace")
        if '"execute_input"' not in text:
            heard.append(re.sub(r'"_(esm|css)": "(\\.|[^"\\])*"', "", text))

    def watch(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    lesson.page.on("websocket", watch)
    return heard


def question(lesson: Lesson, asked: str) -> Locator:
    """Return the table or the number question that asks this."""
    heading = lesson.page.get_by_role("heading", name=asked, exact=True)
    found = lesson.notebook.locator(".sixty-six").filter(has=heading)
    expect(found).to_have_count(1, timeout=FIGURE)
    return found


def verdict(table: Locator) -> Locator:
    """Return the heading that tells the mark."""
    return table.get_by_role("heading", level=4)


def page_text(lesson: Lesson) -> str:
    """Return all that the page holds, hidden or not, less pictures, style and the cells' code."""
    html = lesson.notebook.evaluate(
        """panel => {
            const copy = panel.cloneNode(true);
            for (const code of copy.querySelectorAll("style, .jp-InputArea-editor")) code.remove();
            return copy.innerHTML;
        }"""
    )
    return re.sub(r"data:image[^\"]*|<path[^>]*>", "", html)


def choose_by_keys(lesson: Lesson, table: Locator) -> None:
    """Close and lead the Ace of diamonds with the keyboard, the focus being on the table."""
    press = lesson.page.keyboard.press
    focus = table.locator(":focus")
    press("c")
    expect(table.get_by_role("status")).to_contain_text("South has closed the stock")
    press("Home")
    expect(focus).to_have_accessible_name("King of spades")
    press("ArrowRight")
    press("ArrowRight")
    expect(focus).to_have_accessible_name("Ace of diamonds")
    press("Enter")


def test_a_learner_goes_from_wrong_to_right(lesson: Lesson, told: list[str]) -> None:
    page = lesson.page
    lesson.open(LESSON)
    expect(lesson.notebook.get_by_text("The lesson is not running yet")).to_be_visible()
    pictures = lesson.notebook.get_by_role("img", name=re.compile("What do you do"))
    expect(pictures).to_have_count(6)
    lesson.shot("lesson 6 as shipped")

    lesson.run_all()
    expect(lesson.notebook.get_by_text("The lesson is ready. Read on.")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Count 35: should A close?")).to_be_in_viewport()
    count = question(lesson, NEED)
    first = question(lesson, "You have 35. What do you do?")
    expect(lesson.notebook.get_by_text(WAITS)).to_have_count(9)
    lesson.axe(OWN_PART)

    count.get_by_role("textbox").fill("35")
    page.keyboard.press("Enter")
    expect(verdict(count)).to_have_text("?Not right: 35 card points")
    count.get_by_role("button", name="Try again").click()
    page.wait_for_timeout(2000)  # by now figures have been worked out behind the page
    held = page_text(lesson)
    assert "Hearts are trumps" in held
    found = TELLS.findall(held)
    assert not found, f"the page gives away {found}"
    found = TELLS.findall("\n".join(told))
    assert not found, f"Python tells the page {found}"
    count.get_by_role("textbox").fill("31")
    count.get_by_role("button", name="Answer").click()
    expect(verdict(count)).to_have_text("=Right: 31 card points")

    first.get_by_role("button", name="Ace of diamonds").click()
    expect(verdict(first)).to_have_text("??Blunder: Lead the Ace of diamonds", timeout=FIGURE)
    expect(first.get_by_text("North wins", exact=True)).to_be_visible()
    expect(first.get_by_text("South led", exact=True)).to_be_visible()
    step = first.locator(".step")
    expect(step).to_contain_text(re.compile("^North .* North wins the trick"))
    first.get_by_role("button", name="Forward").click()
    expect(step).not_to_contain_text("wins the trick")
    first.get_by_role("button", name="To the end").click()
    expect(step).to_contain_text(re.compile("North wins [123] game point"))
    expect(first.get_by_role("row", name="your choice")).to_contain_text("Lead the Ace of diamonds")
    lesson.axe(OWN_PART)
    lesson.shot("lesson 6 refuted")

    page.keyboard.press("r")
    first.get_by_role("button", name="Close the stock").click()
    expect(first.get_by_role("button", name="Take back")).to_be_visible()
    box = first.get_by_role("textbox")
    box.fill("the Ace, please")
    page.keyboard.press("Enter")
    expect(first.get_by_role("status")).to_contain_text("Column 1, move: found 'the'")
    expect(box).to_have_value("the Ace, please")
    first.get_by_role("button", name="Take back").click()
    expect(first.get_by_role("button", name="Close the stock")).to_be_visible()
    first.get_by_role("button", name="Jack of clubs").focus()
    choose_by_keys(lesson, first)
    expect(verdict(first)).to_have_text("=Best: Close the stock, then lead the Ace of diamonds")
    expect(first.locator(".verdict p").first).to_contain_text("This wins 434 of 462 hands")
    assert {"434 of", "blunder", "best"} <= set(TELLS.findall("\n".join(told)))

    told_now = lesson.notebook
    exactly = told_now.get_by_text("is exactly the set of hands without a diamond")
    expect(exactly).to_be_visible(timeout=FIGURE)
    for alternative in ("North holds no diamond: 28 hands", "28 hands that North can hold"):
        picture = told_now.get_by_role("img", name=alternative)
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("picture => picture.naturalWidth") > 0
    expect(told_now.locator("strong", has_text="Playing on")).to_be_visible(timeout=FIGURE)
    lesson.shot("lesson 6 answered")

    lost = question(lesson, "Closed, and lost")
    lost.get_by_role("button", name="Forward").press("End")
    expect(lost.locator(".step")).to_contain_text("North wins 2 game points: South closed and")
    lost.get_by_role("button", name="Back", exact=True).press("Home")
    expect(lost.locator(".count")).to_have_text(re.compile("^0 of"))

    second = question(lesson, "You have 34. What do you do?")
    second.get_by_role("textbox").fill("cl DA")
    page.keyboard.press("Enter")
    expect(verdict(second)).to_contain_text("Best: Close the stock", timeout=FIGURE)
    expect(told_now.get_by_text("With 34 it wins only")).to_contain_text("301 of 462")
    expect(told_now.get_by_text("still the better one")).to_be_visible(timeout=FIGURE)
    expect(lesson.notebook.get_by_text(WAITS)).to_have_count(5)
    lesson.axe(OWN_PART)


def pick(lesson: Lesson) -> None:
    """Answer what has several right answers, wrongly by click and rightly with the keyboard."""
    stakes = question(lesson, "Where does North score 3 game points?")
    answers = stakes.get_by_role("toolbar", name="Answers: mark all that are right")
    stakes.get_by_role("button", name="Answer", exact=True).click()
    expect(stakes.get_by_role("status")).to_have_text("Choose one of the answers first.")
    second = answers.get_by_role("button").nth(1)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    stakes.get_by_role("button", name="Answer", exact=True).click()
    expect(verdict(stakes)).to_contain_text("?Not right: You close with one trick")
    expect(stakes.get_by_text("Try once more.", exact=True)).to_be_visible()
    lesson.page.keyboard.press("r")
    expect(answers.get_by_role("button").first).to_be_visible()
    answers.get_by_role("button").last.focus()
    lesson.page.keyboard.press("Home")
    lesson.page.keyboard.press("Enter")
    lesson.page.keyboard.press("3")
    expect(answers.locator("[aria-pressed=true]")).to_have_count(2)
    lesson.axe(OWN_PART)
    lesson.shot("lesson 6 answers to pick")
    lesson.page.keyboard.press("a")
    expect(verdict(stakes)).to_contain_text("=Right: You close now, and never", timeout=FIGURE)
    expect(stakes.locator(".verdict")).to_contain_text("What counts is whether he had a trick")


def change(lesson: Lesson) -> None:
    """Change the position: choose from the list, write a bad line and a good one."""
    told = lesson.notebook
    chosen = told.get_by_role("combobox", name="A change to try:")
    line = told.get_by_role("textbox", name="Position line:", exact=True)
    chosen.select_option("North has no trick")
    expect(line).to_have_value(re.compile("7xHQ 35/2-0/0"))
    expect(told.get_by_role("progressbar", name="Working it out")).to_be_visible(timeout=FIGURE)
    expect(told.get_by_role("img", name=re.compile("Stock: 7 cards face down"))).to_be_visible()
    line.fill("<img src=x onerror=alert(1)>")
    line.press("Enter")
    expect(told.get_by_text("Column 1, variant: found '<img'")).to_be_visible(timeout=FIGURE)
    line.fill(ENDING)
    line.press("Enter")
    expect(told.get_by_text(BEST)).to_be_visible(timeout=FIGURE)
    expect(chosen).to_have_value("A line of your own")
    table = told.get_by_role("group", name="Table: mark, choice, game points")
    expect(table.get_by_role("row").nth(1)).to_contain_text("= best")
    told.get_by_role("button", name="Work it out").press("Enter")
    expect(told.get_by_text(BEST)).to_be_visible(timeout=FIGURE)
    lesson.shot("lesson 6 changed")


def take_quiz(lesson: Lesson) -> Locator:
    """Answer the five puzzles, one by clicks and four with the keyboard; return the quiz."""
    text = "Do you close or play on?"
    quiz = lesson.notebook.locator(".sixty-six").filter(has_text=f"of 5: {text}")
    heading = quiz.get_by_role("heading", level=3)
    quiz.get_by_role("button", name="Close the stock").click()
    quiz.get_by_role("button", name="Ace of diamonds").click()
    for number, words in enumerate(("", "CKm", "SQm", "cl SA", "HKm"), start=1):
        expect(heading).to_have_text(f"{number} of 5: {text}", timeout=FIGURE)
        if words:
            quiz.get_by_role("textbox", name="Type a move").fill(words)
            lesson.page.keyboard.press("Enter")
        expect(verdict(quiz)).to_contain_text("=Best", timeout=FIGURE)
        if number < 5:
            expect(quiz.get_by_role("button", name="Next")).to_be_visible(timeout=FIGURE)
            lesson.page.keyboard.press("n")
    expect(quiz.locator(".verdict")).to_contain_text("All five are answered, five with the best")
    expect(quiz.get_by_role("button", name="Next")).to_have_count(0)
    return quiz


def test_every_kind_of_question_in_the_dark_reloaded_and_started_anew(lesson: Lesson) -> None:
    page = lesson.page
    lesson.open(LESSON)
    lesson.theme("Dark")
    lesson.run_all()
    first = question(lesson, "You have 35. What do you do?")
    lesson.axe(OWN_PART)
    first.get_by_role("button", name="Nine of clubs").focus()
    choose_by_keys(lesson, first)
    expect(verdict(first)).to_contain_text("=Best", timeout=FIGURE)
    expect(lesson.notebook.locator("strong", has_text="Playing on")).to_be_visible(timeout=FIGURE)
    pick(lesson)
    change(lesson)
    quiz = take_quiz(lesson)
    expect(lesson.notebook.get_by_text("When to think again.")).to_be_visible(timeout=FIGURE)
    lesson.axe(OWN_PART)
    lesson.shot("lesson 6 in the dark")

    page.get_by_role("button", name=re.compile("Save and create")).click()
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Saving completed")
    page.goto(page.url.replace("&reset", ""))
    lesson.wait_idle()
    expect(verdict(first)).to_contain_text("=Best", timeout=FIGURE)
    expect(lesson.notebook.locator("strong", has_text="Playing on")).to_be_visible()
    expect(quiz.locator(".verdict")).to_contain_text("All five are answered, five with the best")
    lesson.notebook.get_by_role("heading", name="Change the position and see").click()
    lesson.shot("lesson 6 reloaded")
    expect(lesson.notebook.get_by_text(BEST)).to_have_count(1, timeout=FIGURE)
    first.get_by_role("button", name="Try again").click()
    first.get_by_role("button", name="Jack of clubs").click()
    expect(verdict(first)).to_contain_text("??Blunder", timeout=FIGURE)

    page.get_by_role("menuitem", name="Kernel").click()
    page.get_by_role("menuitem", name="Restart Kernel and Run All Cells").click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(lesson.notebook.get_by_text(WAITS)).to_have_count(9, timeout=FIGURE)
    lesson.wait_idle()
    expect(question(lesson, NEED).get_by_role("textbox")).to_be_visible()
    expect(first.get_by_role("button", name="Close the stock")).to_be_visible(timeout=FIGURE)
    expect(verdict(first)).to_have_count(0)
