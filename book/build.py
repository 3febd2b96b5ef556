"""Build the book: put its sources together in a folder for the time, then run Sphinx over them.

    python book/build.py [--out FOLDER]

The pages are those of this folder, the lessons those of ../lessons as they are stored: nothing is
run. Three parts are written here because the program knows them best: the command line, the
reference and the puzzles. Warnings are errors, and nothing is fetched.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from command_line import commands
from puzzle_statistics import statistics
from sphinx.cmd.build import main as sphinx

from reference import contents, reference_pages
from trainer.lessons import installed_lessons, lesson_names, lesson_title

BOOK = Path(__file__).parent
BUILD = BOOK.parent / "build" / "book"
BUILT = ".buildinfo"
"""What Sphinx leaves in a folder with pages that it has built."""
PAGES = (".md", ".svg", ".json")
"""The kinds of files that are taken over from this folder."""

LESSON_NOTE = """\
```{note}
This is the lesson as it is stored: a page to leaf through. Nothing on it can be clicked, and what
is told after a decision is not here, so that it spoils nothing. To play it, run `make learn`, or
`sixty-six learn`, and open **%s**.
```"""
BUTTON = re.compile(r"\*\*Press _Run all_.*?\*\*\s*|\s*Press Run all\b[^.<]*\.")
"""What a lesson says of a button that a page of this book does not have."""
MADE = "*Made when the book is built.*"
"""What stands in a page where its last part is put."""


def main() -> int:
    """Build the book; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the book.")
    parser.add_argument("--out", type=Path, default=BUILD, metavar="FOLDER", help="for the pages")
    out: Path = parser.parse_args().out
    if out != BUILD and out.exists() and not (out / BUILT).exists():
        print(f"{out} is there and no book; please name a new folder", file=sys.stderr)
        return 2
    shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory(prefix="book-") as folder:
        source = Path(folder) / "source"
        put_together(source)
        flags = ["-W", "-n", "--keep-going", "-q", "-b", "html", "-c", str(BOOK)]
        status = sphinx([*flags, "-d", str(Path(folder) / "read"), str(source), str(out)])
    if status == 0:
        print(f"The book is in {out}; open {out / 'index.html'}")
    return status


def put_together(source: Path) -> None:
    """Write everything that Sphinx reads into the folder `source`."""
    for path in sorted(BOOK.rglob("*")):
        if path.suffix in PAGES:
            write(source / path.relative_to(BOOK), path.read_text(encoding="utf-8"))
    names = [name for name in lesson_names(installed_lessons()) if not name.startswith("00_")]
    titles = {name: lesson_title(installed_lessons() / f"{name}.ipynb") for name in names}
    for name, title in titles.items():
        write(source / "lessons" / f"{name}.ipynb", lesson_page(name, title))
    lists = (f"* [{title}](lessons/{name}.ipynb)" for name, title in titles.items())
    fill(source / "course.md", "\n".join(lists))
    fill(source / "command_line.md", commands())
    fill(source / "api" / "index.md", contents())
    for name, text in reference_pages().items():
        write(source / name, text)
    text, pictures = statistics()
    fill(source / "puzzles.md", text)
    for name, picture in pictures.items():
        write(source / name, picture)


def write(path: Path, text: str) -> None:
    """Write a source file; a link that leaves this folder for the lessons finds them beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("](../lessons/", "](lessons/"), encoding="utf-8", newline="\n")


def fill(page: Path, text: str) -> None:
    """Put text into the place that a page has for it."""
    before, after = page.read_text(encoding="utf-8").split(MADE)
    write(page, before + text + after)


def lesson_page(name: str, title: str) -> str:
    """Return a stored lesson as the book shows it: code folded away, a note below the title.

    What the lesson says of its buttons is left out, and the cell that only prepares it.
    """
    notebook = nbformat.read(installed_lessons() / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tag = "remove-cell" if cell.source.endswith("Start()") else "hide-input"
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), tag]
            for output in cell.outputs:
                if html := output.get("data", {}).get("text/html"):
                    output.data["text/html"] = BUTTON.sub("", html)
    heading, _, rest = notebook.cells[0].source.partition("\n")
    rest = BUTTON.sub("", rest)
    notebook.cells[0].source = f"{heading}\n\n{LESSON_NOTE % title}\n{rest}"
    return nbformat.writes(notebook)


if __name__ == "__main__":
    sys.exit(main())
