"""Fixtures of the browser tests: one server and one Chromium for a run, one page for a test."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from browser.lab import FLAGS, Lab, Lesson, find_chromium, running_lab

NO_BROWSER = (
    "no Chromium was found. Install it (Debian, Ubuntu: sudo apt install chromium), "
    "or set CHROMIUM=/path/to/chromium-or-chrome"
)
SKIPPED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> str:
    """The path of Chromium. Without one the tests are skipped; in CI that is a failure."""
    path = find_chromium()
    if path is None:
        if "CI" in os.environ:
            pytest.fail(NO_BROWSER, pytrace=False)
        request.config.stash[SKIPPED] = True
        pytest.skip(NO_BROWSER)
    return path


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.stash.get(SKIPPED, False):
        terminalreporter.write_line(f"The browser tests were skipped: {NO_BROWSER}.", yellow=True)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """`sixty-six learn`, running for the whole run for a user with nothing of their own."""
    with running_lab(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def lesson(browser: Browser, lab: Lab, request: pytest.FixtureRequest) -> Iterator[Lesson]:
    """A page of its own for one test, which fails when the page did what no page may do."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, service_workers="block", reduced_motion="reduce"
    )
    folder = lab.folder / re.sub(r"\W+", "-", request.node.name)
    opened = Lesson(context.new_page(), lab, folder)
    yield opened
    opened.close()
    context.close()
    assert opened.offences == []
    assert lab.outside_hosts() == ""


@pytest.fixture
def page(lesson: Lesson) -> Page:
    return lesson.page
