"""The book, built once with warnings as errors: whole, with its pictures, and fetching nothing."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from typer.main import get_command

from tables import load_script
from trainer.cli import app
from trainer.lessons import installed_lessons, lesson_names, lesson_title

pytest.importorskip("sphinx_book_theme", reason='the book needs: pip install -e ".[book]"')
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
LESSONS = [name for name in lesson_names(installed_lessons()) if not name.startswith("00_")]
LOADING = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "link": "href",
    "object": "data",
    "embed": "src",
    "use": "href",
}
"""Elements that make a browser fetch something, and the attribute that names it."""
HARMLESS = {"canonical", "index", "search", "next", "prev", "author", "copyright"}
"""Relations of a link element that nothing is fetched for."""


class Page(HTMLParser):
    """A page of the book: what it loads, where it leads, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.html = path.read_text(encoding="utf-8")
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("id"):
            self.anchors.add(str(known["id"]))
        if tag == "a" and known.get("href"):
            self.links.append(str(known["href"]))
        if tag == "img":
            self.images.append(known)
        attribute = LOADING.get(tag)
        if attribute and known.get(attribute):
            if tag == "link" and set(str(known.get("rel", "")).split()) <= HARMLESS:
                return
            self.loads.append(str(known[attribute]))

    @cached_property
    def text(self) -> str:
        """The words of the page."""
        return " ".join(re.sub(r"<[^>]+>", " ", self.html).split())


Book = dict[str, Page]
"""The pages of the book by their names."""


def built(out: Path) -> Book:
    """Return the book, freshly built into a folder."""
    command = [sys.executable, str(ROOT / "book" / "build.py"), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stderr == ""
    names = {path: str(path.relative_to(out).with_suffix("")) for path in out.rglob("*.html")}
    return {name: Page(path) for path, name in names.items() if not name.startswith("_static")}


def files(book: Book, suffix: str) -> Iterator[Path]:
    """Yield the files of the book that end so."""
    yield from book["index"].path.parent.rglob(f"*{suffix}")


def every_lesson_is_there_with_its_pictures(book: Book) -> None:
    assert LESSONS
    for name in LESSONS:
        page = book[f"lessons/{name}"]
        title = lesson_title(installed_lessons() / f"{name}.ipynb")
        assert title.replace("&", "&amp;") in page.html
        stored = nbformat.read(installed_lessons() / f"{name}.ipynb", as_version=4)
        tables = sum(
            "image/svg+xml" in output.get("data", {})
            for cell in stored.cells
            for output in cell.get("outputs", [])
        )
        pictures = [image for image in page.images if "data:image/svg" in str(image["src"])]
        assert len(pictures) >= tables > 0, name
        assert all(image.get("alt") for image in pictures), "a picture for those who see it alone"
        assert "Run all" not in page.text, "there is no such button here"


def what_a_lesson_tells_afterwards_is_not_there(book: Book) -> None:
    for name in LESSONS:
        page = book[f"lessons/{name}"]
        assert "Answer the question above first." in page.text
        assert page.html.count("<details") >= page.html.count("highlight-ipython3") > 0


def every_picture_has_words(book: Book) -> None:
    for name, page in book.items():
        assert all(image.get("alt") for image in page.images), name


def no_page_loads_anything_from_elsewhere(book: Book) -> None:
    for name, page in book.items():
        assert page.loads, name
        for address in page.loads:
            assert urlsplit(address).scheme in ("", "data"), (name, address)
            assert not address.startswith("//"), (name, address)
            if not address.startswith("data:"):
                assert (page.path.parent / unquote(urlsplit(address).path)).is_file(), address
    for path in files(book, ".css"):
        text = path.read_text(encoding="utf-8")
        outside = re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^\"')\s]+", text)
        assert not outside, (path, outside)


def no_link_within_the_book_is_broken(book: Book) -> None:
    pages = {page.path.resolve(): page for page in book.values()}
    for name, page in book.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme or link == "#":
                continue
            target = page.path.resolve()
            if address.path:
                target = (page.path.parent / unquote(address.path)).resolve()
            assert target.is_file(), (name, link)
            if address.fragment and target in pages:
                assert unquote(address.fragment) in pages[target].anchors, (name, link)


def every_page_can_be_reached_and_searched(book: Book) -> None:
    listed = {
        str((book["index"].path.parent / urlsplit(link).path).resolve())
        for link in book["index"].links
    }
    index = next(files(book, "searchindex.js")).read_text(encoding="utf-8")
    searched = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))["docnames"]
    for name, page in book.items():
        if name not in ("index", "search", "genindex", "py-modindex"):
            assert name in searched
            assert str(page.path.resolve()) in listed or name.startswith("api/"), name


def the_command_line_is_told_whole(book: Book) -> None:
    page = book["command_line"].text
    commands = get_command(app).commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        assert f"sixty-six {name}" in page
        for parameter in command.params:
            assert all(option in page for option in parameter.opts if option.startswith("-")), name


def the_reference_has_every_module(book: Book) -> None:
    reference = load_script(ROOT / "book" / "reference.py")
    for module in reference.modules():
        assert f"module-{module}" in book[f"api/{reference.part_of(module)}"].anchors
    sources = (ROOT / "trainer").rglob("*.py")
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in sources]
    names = {".".join(part for part in each if part != "__init__") for each in parts} - {"trainer"}
    assert names == set(reference.modules()) | set(reference.INTERNAL)


def the_glossary_is_there_in_three_languages(book: Book) -> None:
    words = book["glossary"].text
    assert all(word in words for word in ("Trick", "Stich", "взятка"))


CHECKS = (
    every_lesson_is_there_with_its_pictures,
    what_a_lesson_tells_afterwards_is_not_there,
    every_picture_has_words,
    no_page_loads_anything_from_elsewhere,
    no_link_within_the_book_is_broken,
    every_page_can_be_reached_and_searched,
    the_command_line_is_told_whole,
    the_reference_has_every_module,
    the_glossary_is_there_in_three_languages,
)


def test_the_book_is_whole(tmp_path: Path) -> None:
    """In one test, since to build it is what takes time."""
    book = built(tmp_path / "book")
    for check in CHECKS:
        check(book)
