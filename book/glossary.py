"""The page glossary.md, written from glossary.toml.

``make book-tables`` runs this file. One test holds the page against the data, another the lessons.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BOOK = Path(__file__).parent
DATA = BOOK / "glossary.toml"
PAGE = BOOK / "glossary.md"
LESSONS = BOOK.parent / "lessons"

HEAD = """\
<!-- Written by `make book-tables` from glossary.toml. -->

# The words: a glossary

Each term is explained here once. The rules and the lessons use it in this sense. A lesson that
introduces a term has it in bold type.

The German words are those of German and Austrian rules of Sechsundsechzig and Schnapsen, old and
new; the Russian ones are mostly those of the Russian chapter (*Глава XIX. 66*), which has no word
of its own for a marriage and calls it by its two cards. Where we know no settled word, none is
given.
Foreign words by the alphabet: [German](#german-words), [Russian](#russian-words).
"""


class Term(NamedTuple):
    """A term of the glossary."""

    name: str
    section: str
    text: str
    lesson: int | None
    """The lesson that defines it; None where no lesson uses it."""
    forms: tuple[str, ...]
    german: tuple[str, ...]
    russian: tuple[str, ...]


def terms() -> list[Term]:
    """Return the terms, in the order of the page."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return [
        Term(
            name=entry["name"],
            section=section["name"],
            text=entry["text"].strip(),
            lesson=entry.get("lesson"),
            forms=tuple(entry["forms"]),
            german=tuple(entry.get("german", ())),
            russian=tuple(entry.get("russian", ())),
        )
        for section in data["section"]
        for entry in section["term"]
    ]


def page() -> str:
    """Return the page, in Markdown."""
    parts, section = [HEAD.rstrip()], ""
    for term in terms():
        if term.section != section:
            section = term.section
            parts.append(f"## {section}")
        parts += [f"### {term.name}", term.text]
        if told := " · ".join(asides(term)):
            parts.append(told)
    parts += ["## What the cards are called", "\n".join(cards())]
    for language in ("german", "russian"):
        parts += [f"## {language.capitalize()} words", "\n".join(words(language))]
    return "\n\n".join(parts) + "\n"


def cards() -> Iterator[str]:
    """Yield the rows of a table of what the cards are called."""
    yield "| English | German | Russian |"
    yield "| --- | --- | --- |"
    for names in tomllib.loads(DATA.read_text(encoding="utf-8"))["cards"]:
        yield f"| {' | '.join(names)} |"


def asides(term: Term) -> Iterator[str]:
    """Yield what is said of a term besides its meaning."""
    if term.lesson is not None:
        yield lesson_link(term.lesson)
    if term.german:
        yield f"German: *{', '.join(term.german)}*"
    if term.russian:
        yield f"Russian: *{', '.join(term.russian)}*"


def lesson_link(number: int) -> str:
    """Return a link to a lesson by its number, or its number alone while it is not written."""
    for path in LESSONS.glob(f"{number:02}_*.ipynb"):
        return f"[Lesson {number}](../lessons/{path.name})"
    return f"Lesson {number}"


def words(language: str) -> Iterator[str]:
    """Yield the rows of a table from the words of another language to the terms."""
    yield f"| {language.capitalize()} | Here |"
    yield "| --- | --- |"
    meanings: dict[str, list[str]] = {}
    for term in terms():
        for word in getattr(term, language):
            meanings.setdefault(word, []).append(f"[{term.name}](#{anchor(term.name)})")
    for word in sorted(meanings, key=alphabetical):
        yield f"| {word} | {', '.join(meanings[word])} |"


def alphabetical(word: str) -> str:
    """Return what a word is sorted by: its letters without the marks on them."""
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", word.casefold()) if sign.isalnum()
    )


def anchor(heading: str) -> str:
    """Return the anchor of a heading that has letters, hyphens and spaces only."""
    return heading.lower().replace(" ", "-")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
