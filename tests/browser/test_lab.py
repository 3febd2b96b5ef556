"""The harness itself, and what `sixty-six learn` promises about JupyterLab."""

import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from playwright.sync_api import expect

from browser.lab import Lab, Lesson

pytestmark = pytest.mark.browser


def notebook(folder: Path, *sources: str) -> Path:
    """Write a notebook with these code cells and return its path."""
    made = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
    path = folder / "scratch.ipynb"
    nbformat.write(made, path)
    return path


def test_an_empty_notebook_opens(lesson: Lesson, tmp_path: Path) -> None:
    lesson.open(notebook(tmp_path))
    expect(lesson.page.get_by_role("tab", name="scratch.ipynb")).to_be_visible()
    assert lesson.shot("empty notebook").stat().st_size > 0


def test_run_all_runs_every_cell_with_the_python_that_has_the_trainer(
    lesson: Lesson, tmp_path: Path
) -> None:
    lesson.open(notebook(tmp_path, "import sys, trainer", "print('ran', sys.executable)", "6 * 11"))
    lesson.run_all()
    outputs = lesson.notebook.locator(".jp-OutputArea-output")
    expect(outputs).to_have_text([f"ran {sys.executable}", "66"])


def test_a_lesson_opens_with_one_click_and_nothing_is_asked(
    lesson: Lesson, lab: Lab, tmp_path: Path
) -> None:
    notebook(tmp_path).rename(lab.folder / "clicked.ipynb")
    lesson.page.goto(f"{lab.base}/lab?token={lab.token}&reset")
    lesson.page.get_by_role("listitem", name="clicked.ipynb").click()
    lesson.wait_idle()
    expect(lesson.page.get_by_role("tab", name="clicked.ipynb")).to_be_visible()
    lesson.page.wait_for_timeout(2000)
    expect(lesson.page.locator(".jp-Dialog, .Toastify__toast")).to_have_count(0)


def test_without_the_token_there_is_nothing_to_see(lesson: Lesson, lab: Lab) -> None:
    ask = lesson.page.context.request
    assert ask.get(f"{lab.base}/api/contents").status == 403
    assert ask.get(f"{lab.base}/api/contents", params={"token": lab.token}).status == 200


def test_the_only_kernel_is_this_python(lesson: Lesson, lab: Lab) -> None:
    specs = lesson.page.context.request.get(
        f"{lab.base}/api/kernelspecs", params={"token": lab.token}
    ).json()["kernelspecs"]
    assert list(specs) == ["python3"]
    assert specs["python3"]["spec"]["argv"][0] == sys.executable


def test_a_request_to_another_machine_is_stopped_and_seen(lesson: Lesson, lab: Lab) -> None:
    lesson.page.goto(f"{lab.base}/lab?token={lab.token}&reset")
    lesson.page.evaluate("fetch('http://192.0.2.1:9/').catch(() => 0)")
    assert any("192.0.2.1" in offence for offence in lesson.offences)
    lesson.offences.clear()


def test_a_kernel_that_seeks_another_machine_is_seen(
    lesson: Lesson, lab: Lab, tmp_path: Path
) -> None:
    numeric = "socket.getaddrinfo('192.0.2.1', 9, flags=socket.AI_NUMERICHOST)"  # asks nobody
    lesson.open(notebook(tmp_path, f"import socket; {numeric}"))
    lesson.run_all()
    assert lab.outside_hosts() == "socket.getaddrinfo 192.0.2.1\n"
    lab.network_log.unlink()


def test_an_error_on_the_page_would_be_seen(lesson: Lesson) -> None:
    lesson.page.evaluate("setTimeout(() => { throw new Error('on purpose') })")
    lesson.page.wait_for_timeout(100)
    assert any("on purpose" in offence for offence in lesson.offences)
    lesson.offences.clear()


def test_axe_would_find_a_button_without_a_name(lesson: Lesson) -> None:
    lesson.page.set_content("<html lang=en><title>t</title><main><button></button></main>")
    with pytest.raises(AssertionError, match="button-name"):
        lesson.axe("main")
    lesson.page.set_content("<html lang=en><title>t</title><main><button>Close</button></main>")
    lesson.axe("main")
