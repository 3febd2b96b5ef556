"""Run the lessons and store them as they are committed: unanswered, with static pictures.

    python book/lessons.py [NOTEBOOK ...]

Widgets need a kernel. What is stored in their place is what a page without one can show: the table
as a picture, and the line that says a question comes first. No state of a widget is kept.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

LESSONS = Path(__file__).parent.parent / "lessons"
LIVE = "application/vnd.jupyter.widget-view+json"


def store(path: Path) -> None:
    """Run one lesson and write it back with the outputs that are committed."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(
        notebook, kernel_name="python3", store_widget_state=False, resources=folder
    ).execute()
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE, None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(LESSONS.glob("*.ipynb")):
        print(f"running {name}")
        store(Path(name))
