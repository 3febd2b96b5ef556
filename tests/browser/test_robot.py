"""A learner who presses whatever there is, in any order, while the page reloads and kernels die."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser.lab import Lesson
from browser.test_table import F2, FOLLOW, MARRIAGES, TABLE, answer, open_notebook
from trainer.grading import grade, report
from trainer.notation import label_answer, parse_position
from trainer.rules import Position, legal_moves, play
from trainer.search import Answer, decides

pytestmark = pytest.mark.browser

STEPS = int(os.environ.get("ROBOT_STEPS", "160"))
"""How much the robot does; a reload or the end of a kernel comes with every fortieth step."""
SEED = os.environ.get("ROBOT_SEED", "1")
WORDS = "HK HKm DQm SQ ST cl ex 66 DA CJ XX from hint next again back 10 9".split()
KEYS = "? h r n p b l f d c x m s a t ArrowLeft ArrowRight Home End Escape Enter Tab".split()
LOOK = """() => [...document.querySelectorAll(".sixty-six")].map((table) => {
    const all = (part) => [...table.querySelectorAll(part)];
    const texts = (part) => all(part).map((each) => each.textContent).filter(Boolean);
    const label = (card) => (card.getAttribute("aria-label") || "").split(",")[0];
    return {
        phase: table.dataset.phase,
        question: texts(".question")[0],
        verdict: texts(".verdict > :is(h3, h4)"),
        told: texts(".mark, .badge, .values, .verdict p, .step"),
        count: texts(".count"),
        hints: texts(".hints li").length,
        status: texts(".status").join(),
        cards: all(".hand > *, :is(.slot, .pile) > .card, .order > *").map(label).filter(Boolean),
        stops: all("[role=toolbar]").map((bar) => bar.querySelectorAll("[tabindex='0']").length),
    };
})"""


PRESS = """(buttons, part) => {
    const button = buttons[Math.floor(part * buttons.length)];
    if (!button) return "nothing";
    button.focus();
    button.click();
    return button.dataset.key;
}"""
FOCUS = """parts => { if (parts.length) parts[0].focus(); return parts.length > 0; }"""


def decisions(position: Position) -> Iterator[Answer]:
    """Yield every whole decision that the rules allow."""
    for move in legal_moves(position):
        if decides((move,)):
            yield (move,)
        else:
            yield from ((move, *rest) for rest in decisions(play(position, move)))


def verdicts(*lines: str) -> set[str]:
    """Return every verdict that is right, as it stands on the page."""
    right = set()
    for line in lines:
        position = parse_position(line)
        found = report(position)
        for decision in decisions(position):
            choice = grade(found, decision)
            label = label_answer(decision, position)
            right.add(f"{choice.mark}{choice.word.capitalize()}: {label}")
    return right


def check(table: dict[str, Any], right: set[str]) -> None:
    """Assert that what a table shows is possible and true."""
    if table["phase"] == "asking":
        assert table["told"] == [], table
        assert table["verdict"] == [], table
    if table["question"] == "Exact" and table["phase"] != "waiting":
        assert set(table["verdict"]) <= right, table
    assert len(table["cards"]) == len(set(table["cards"])), table
    assert table["hints"] <= 4, table
    assert set(table["stops"]) <= {1}, table
    for count in table["count"]:
        at, last = map(int, count.split(" of "))
        assert 0 <= at <= last, table
    assert "could not be worked out" not in table["status"], table


def act(lesson: Lesson, rng: Random, table: Locator) -> str:
    """Do something to a table, and return what it was.

    Finding and pressing are one step, since the page may be drawn anew at any time.
    """
    keyboard = lesson.page.keyboard
    kind = rng.choice(["button:not(.card)"] * 3 + ["button.card"] + ["key"] * 2 + ["word"])
    if kind.startswith("button"):
        pressed = table.locator(kind).evaluate_all(PRESS, rng.random())
        return f"press {pressed}"
    if kind == "word":
        if table.locator("[data-key=typed]").evaluate_all(FOCUS):
            word = rng.choice(WORDS)
            keyboard.type(f"{word}\n")
            return f"type {word}"
        return "nothing to type into"
    table.locator("[tabindex='0'], button, .question").evaluate_all(FOCUS)
    key = rng.choice(KEYS)
    keyboard.press(key)
    return f"key {key}"


def disturb(lesson: Lesson, rng: Random) -> str:
    """Reload the page, or end the kernel, and have everything running again."""
    page = lesson.page
    kind = rng.choice(["reload", "restart and run", "restart"])
    if kind == "reload":
        page.keyboard.press("Escape")
        page.get_by_role("button", name=re.compile("Save and create")).click()
        expect(page.locator("#jp-main-statusbar")).to_contain_text("Saving completed")
        page.goto(page.url.replace("&reset", ""))
        lesson.wait_idle()
        return kind
    page.get_by_role("menuitem", name="Kernel").click()
    whole = "Restart Kernel and Run All Cells" if kind == "restart and run" else "Restart Kernel"
    page.get_by_role("menuitem", name=re.compile(f"^{whole}")).first.click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    lesson.wait_idle()
    if kind == "restart":  # the page is still there, and nobody answers it
        table = page.locator(TABLE).first
        page.wait_for_timeout(1500)  # a card may still be on its way
        before = page.evaluate(LOOK)[0]["verdict"]
        for _ in range(5):
            act(lesson, rng, table)
        assert page.evaluate(LOOK)[0]["verdict"] == before
        lesson.run_all()
    return kind


def test_a_robot_finds_no_wrong_state(lesson: Lesson, tmp_path: Path) -> None:
    rng = Random(SEED)
    lesson.page.emulate_media(reduced_motion=rng.choice(["reduce", "no-preference"]))
    open_notebook(
        lesson,
        tmp_path,
        f"CardTable({MARRIAGES!r}, 'Exact', then=[{FOLLOW!r}, {MARRIAGES!r}, 'nonsense'])",
        f"CardTable({F2!r}, 'Sampled', samples=40)",
        f"CardTable({FOLLOW!r}, 'Line', line='ST SQ S9')",
        "NumberQuestion('Count', 10)",
    )
    right = verdicts(MARRIAGES, FOLLOW)
    tables = lesson.page.locator(TABLE)
    done: list[str] = []
    for step in range(STEPS):
        if step % 40 == 39:
            done.append(disturb(lesson, rng))
            expect(tables).to_have_count(4, timeout=60_000)
        else:
            number = rng.choice([0, 0, 0, 1, 2, 3])
            done.append(f"{number}: {act(lesson, rng, tables.nth(number))}")
        lesson.page.wait_for_timeout(rng.choice([0, 0, 20, 100]))
        for table in lesson.page.evaluate(LOOK):
            try:
                check(table, right)
            except AssertionError as problem:
                raise AssertionError("\n".join([str(problem), *done[-12:]])) from None
        assert lesson.offences == [], done[-12:]
    print(f"{len(done)} steps, the last ones: {done[-5:]}")

    lesson.run_all()
    answer(lesson, tables.first, "HKm")
    expect(tables.first.locator(".verdict h4")).to_have_text(re.compile("^=Best"))
