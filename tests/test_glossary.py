"""The glossary, and the lessons held against it: a term is defined before it is used."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tables import load_script
from trainer.lessons import installed_lessons

ROOT = Path(__file__).parent.parent
glossary = load_script(ROOT / "book" / "glossary.py")
TERMS = glossary.terms()
COURSE = sorted(installed_lessons().glob("[0-9][0-9]_*.ipynb"))
NUMBER = {path: int(path.name[:2]) for path in COURSE}
LESSONS = [path for path in COURSE if NUMBER[path] > 0]
"""The lessons in the order of the course, without the index and the page of puzzles."""


def texts_of(path: Path) -> Iterator[str]:
    """Yield what a lesson tells, in order: Markdown cells, and the sentences in its code."""
    for cell in nbformat.read(path, as_version=4).cells:
        told = [cell.source] if cell.cell_type == "markdown" else sentences(ast.parse(cell.source))
        for text in told:
            text = re.sub(r"\]\([^)]*\)", "]", text)
            text = re.sub(r"`[^`]*`|<[^>]*>", " ", text)
            yield " ".join(text.split())


def sentences(node: ast.AST) -> Iterator[str]:
    """Yield the texts in some code that have words for the learner, with … for what is put in."""
    text = ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        text = "".join(map(str, parts))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from sentences(part.value)
    elif not (isinstance(node, ast.keyword) and node.arg in ("themes", "source")):
        for child in ast.iter_child_nodes(node):
            yield from sentences(child)
    if WORDS.search(text) and not LINE.search(text):
        yield text


WORDS = re.compile(r"[a-z]{2}\W+[a-z]")
"""Words of a sentence; a name in the code has none."""
LINE = re.compile(r"\bS:\S* N:")
"""A position line."""

TEXTS = {path: list(texts_of(path)) for path in LESSONS}


def pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of the phrases as words of their own, the longest first."""
    listed = sorted(phrases, key=len, reverse=True)
    # a mark of emphasis may stand between the words of a phrase, or before its last letters
    words = (re.escape(phrase).replace(r"\ ", r"[*_]* [*_]*") for phrase in listed)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE)


def uses(term: Any, text: str) -> Iterator[str]:
    """Yield the places in a text that use a term, each with the words around it."""
    for found in pattern(term.forms).finditer(text):
        yield text[max(0, found.start() - 40) : found.end() + 40]


def defines(term: Any, text: str) -> bool:
    """Whether a text has the term in bold type."""
    bold = " … ".join(re.findall(r"\*\*(.+?)\*\*", text))
    names = [*term.forms, *term.name.split(" and ")]
    return pattern(names).search(bold) is not None


# --------------------------------------------------------------------------- the data itself


def test_every_term_is_there_once_and_means_something() -> None:
    names = [term.name for term in TERMS]
    assert len(set(names)) == len(names) > 40
    headings = [glossary.anchor(name) for name in [*names, *(term.section for term in TERMS)]]
    assert all(re.fullmatch(r"[a-z-]+", heading) for heading in headings)
    for term in TERMS:
        assert term.text.endswith((".", '."')), term.name
        assert term.forms, term.name


def test_no_form_belongs_to_two_terms() -> None:
    forms = [form for term in TERMS for form in term.forms]
    assert len(set(forms)) == len(forms)


def test_the_names_in_other_languages_are_written_in_their_letters() -> None:
    for term in TERMS:
        assert all(re.fullmatch(r"[A-Za-zÄÖÜäöüß ();]+", word) for word in term.german), term
        assert all(re.fullmatch(r"[А-Яа-яё 0-9]+", word) for word in term.russian), term


# ------------------------------------------------------------------------------- the lessons


def test_a_use_is_found_as_a_word() -> None:
    close = next(term for term in TERMS if term.name == "Close")
    assert list(uses(close, "Shall A close?"))
    assert list(uses(close, "Shall A **close**?"))
    assert not list(uses(close, "It is disclosed; closest; close-by."))
    assert defines(close, "To **close** is to turn the turn-up down.")
    assert not defines(close, "To close is to **turn** the turn-up down.")


def test_what_the_code_tells_is_read() -> None:
    code = """after(a, lambda: f"To **close**: {n(1)} of {'all it'}." + "X", themes=("no one",))"""
    assert list(sentences(ast.parse(code))) == ["all it", "To **close**: … of …."]
    assert any("…" in text for texts in TEXTS.values() for text in texts)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_term_is_defined_before_a_lesson_uses_it(term: Any) -> None:
    early = [
        f"{path.stem}: …{place}…"
        for path in LESSONS
        if term.lesson is None or NUMBER[path] < term.lesson
        for text in TEXTS[path]
        for place in uses(term, text)
    ]
    assert not early, "\n".join(early)


@pytest.mark.parametrize(
    "term", [term for term in TERMS if term.lesson is not None], ids=lambda term: term.name
)
def test_the_lesson_of_a_term_defines_it_in_bold(term: Any) -> None:
    (path,) = (path for path in LESSONS if NUMBER[path] == term.lesson)
    assert any(defines(term, text) for text in TEXTS[path])
