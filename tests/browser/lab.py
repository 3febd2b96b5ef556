"""The real trainer in a real browser: what a browser test needs beside Playwright's own words.

A test looks like this:

    @pytest.mark.browser
    def test_it(lesson: Lesson) -> None:
        lesson.open("06_count_35.ipynb")
        lesson.run_all()
        lesson.page.get_by_role("button", name="Ace of spades").click()
        lesson.axe(".trainer-table")
        lesson.shot("after the first card")

The server is started by `sixty-six learn` itself, as a learner starts it.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Route, expect

from trainer.lessons import installed_lessons

HERE = Path(__file__).parent
SHOTS = HERE / "shots"
FLAGS = (
    "--no-sandbox --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-gpu"
).split()
LOCAL_HOSTS = {"127.0.0.1", "localhost"}
KERNEL_START = 60_000
"""Milliseconds a kernel may take to be ready on a busy machine."""

THEME = 30_000
"""Milliseconds that JupyterLab may take to change its theme."""

WATCH = """
import os, sys

def note(event, arguments):
    if event == "socket.connect":
        host = arguments[1][0] if isinstance(arguments[1], tuple) else ""
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in (None, "", "127.0.0.1", "localhost", "::1", "0.0.0.0"):
        with open(os.environ["NETWORK_LOG"], "a") as log:
            print(event, host, file=log)

sys.addaudithook(note)
"""
"""A `sitecustomize` that writes down every host beyond this machine that Python turns to."""


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome: $CHROMIUM, or the first one on the PATH."""
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def leaves_the_machine(url: str) -> bool:
    """Return whether a browser would have to go elsewhere for `url`."""
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob") and parts.hostname not in LOCAL_HOSTS


@dataclass(frozen=True)
class Lab:
    """A running `sixty-six learn`: where it is, the folder it shows, and what it keeps."""

    base: str
    token: str
    folder: Path
    network_log: Path
    data: Path
    """The folder of the learner's record."""

    def outside_hosts(self) -> str:
        """Return what the server and its kernels sought beyond this machine, a host a line."""
        return self.network_log.read_text() if self.network_log.exists() else ""


@contextmanager
def running_lab(home: Path) -> Iterator[Lab]:
    """Run `sixty-six learn` on a free port for a user whose home directory is `home`."""
    watch = home / "watch"
    watch.mkdir(parents=True)
    (watch / "sitecustomize.py").write_text(WATCH)
    folder = home / "lessons"
    network_log = home / "network.log"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG_", "IPYTHON"))}
    environment = kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(home / "roaming"),
        "LOCALAPPDATA": str(home / "local"),
        "PYTHONPATH": str(watch),
        "NETWORK_LOG": str(network_log),
        "SIXTY_SIX_DATA": str(home / "record"),
    }
    command = [sys.executable, "-m", "trainer", "learn", "--no-browser", "--port", "0"]
    with (home / "server.log").open("w+") as log:
        server = subprocess.Popen(
            [*command, "--dir", str(folder)], env=environment, stdout=log, stderr=log
        )
        try:
            until = time.monotonic() + 60
            log_path = Path(log.name)
            while not (
                found := re.search(r"(http://\S+?)/lab\S*token=(\S+)", log_path.read_text())
            ):
                if server.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"sixty-six learn did not start:\n{log_path.read_text()}")
                time.sleep(0.05)
            yield Lab(found[1], found[2], folder, network_log, home / "record")
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@dataclass
class Lesson:
    """One notebook in one browser page, with the moves of a learner; `page` has all the others."""

    page: Page
    lab: Lab
    folder: Path
    offences: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Stop and write down what no page may do: turn to another machine, or report an error."""
        self.page.context.route(leaves_the_machine, self._stop_request)
        self.page.on("console", self._see_console)
        self.page.on("pageerror", lambda error: self.offences.append(f"page error: {error}"))

    def _stop_request(self, route: Route) -> None:
        self.offences.append(f"request to another machine: {route.request.url}")
        route.abort()

    def _see_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.offences.append(f"console error: {message.text} ({message.location})")

    @property
    def notebook(self) -> Locator:
        """The notebook on the screen."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def open(self, notebook: str | Path) -> None:
        """Open a fresh copy of an installed lesson, or of a notebook by its path, and wait."""
        path = notebook if isinstance(notebook, Path) else installed_lessons() / notebook
        self.folder.mkdir(exist_ok=True)
        shutil.copy(path, self.folder / path.name)
        where = quote(f"{self.folder.name}/{path.name}")
        self.page.goto(f"{self.lab.base}/lab/tree/{where}?token={self.lab.token}&reset")
        self.wait_idle()

    def wait_idle(self) -> None:
        """Wait until the notebook's kernel has started and has nothing more to do."""
        status = self.page.locator("#jp-main-statusbar")
        expect(status).to_contain_text(re.compile(r"Python 3.*\| Idle"), timeout=KERNEL_START)
        expect(self._prompts("[*]")).to_have_count(0, timeout=KERNEL_START)

    def run_all(self) -> None:
        """Press `Run all` as the lessons tell the learner to, and wait until it is done."""
        fresh = self._prompts("[ ]")
        waiting = fresh.count()
        self.notebook.get_by_role("button", name="Run all").click()
        if waiting:
            expect(fresh).to_have_count(0, timeout=KERNEL_START)
        else:  # stored as executed: it has begun when the first prompt says so
            with suppress(AssertionError):
                expect(self._prompts("[*]")).not_to_have_count(0, timeout=2000)
        self.wait_idle()

    def theme(self, name: str) -> None:
        """Choose JupyterLab's theme, ``Light`` or ``Dark``, from its menu."""
        light = str(name == "Light").lower()
        if not self.page.locator(f"body[data-jp-theme-light={light}]").count():
            self.page.get_by_role("menuitem", name="Settings").click()
            self.page.locator(".lm-Menu").get_by_text("Theme", exact=True).hover()
            self.page.get_by_role("menuitem", name=f"JupyterLab {name}", exact=True).click()
            expect(self.page.locator("body")).to_have_attribute(
                "data-jp-theme-light", light, timeout=THEME
            )

    def _prompts(self, text: str) -> Locator:
        return self.notebook.locator(".jp-CodeCell .jp-InputPrompt", has_text=text)

    def axe(self, selector: str) -> None:
        """Assert that axe-core finds nothing to object to in what `selector` names."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8"))
        assert self.page.locator(selector).count(), f"nothing on the page is {selector}"
        found = self.page.evaluate("selector => axe.run(selector)", selector)
        assert found["passes"], f"axe-core had nothing to look at in {selector}"
        problems = [
            f"{each['id']}: {each['help']}\n  "
            + "\n  ".join(
                node["html"][:200] + " " + json.dumps(node["target"]) for node in each["nodes"]
            )
            for each in found["violations"]
        ]
        assert not problems, "axe-core finds:\n" + "\n".join(problems)

    def shot(self, name: str) -> Path:
        """Save what the page shows as tests/browser/shots/NAME.png and return its path."""
        SHOTS.mkdir(exist_ok=True)
        path = SHOTS / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    def close(self) -> None:
        """End the kernels that the page has started, and leave the next page the usual theme."""
        sessions = f"{self.lab.base}/api/sessions"
        headers = {"Authorization": f"token {self.lab.token}"}
        ask = self.page.context.request
        themes = f"{self.lab.base}/lab/api/settings/@jupyterlab/apputils-extension:themes"
        ask.put(themes, headers=headers, data={"raw": "{}"})
        for session in ask.get(sessions, headers=headers).json():
            ask.delete(f"{sessions}/{session['id']}", headers=headers)
