"""Puzzles on paper: what stands on the sheet, what on that of the answers, and the files."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from few_puzzles import real
from trainer import cli, drill, worksheet
from trainer.notation import label_answer, parse_answer
from trainer.puzzles import save
from trainer.worksheet import answers_html, answers_path, sheet_html, write_sheets

PUZZLES = [replace(puzzle, id=f"few-{n}") for n, puzzle in enumerate(real(), start=1)]


def tree(page: str) -> ET.Element:
    """The page as a tree; it is well formed but for the tags in its head that nothing closes."""
    text = re.sub(r"<(!DOCTYPE|meta)[^>]*>", "", page).replace(
        ' xmlns="http://www.w3.org/2000/svg"', ""
    )
    return ET.fromstring(text)


def text_of(part: ET.Element) -> str:
    return " ".join(" ".join(part.itertext()).split())


def test_the_sheet_asks_and_tells_nothing() -> None:
    page = tree(sheet_html(PUZZLES))
    assert text_of(page.find("body/p")).startswith("Name")
    sections = page.findall("body/section")
    assert len(sections) == len(PUZZLES)
    for number, (section, puzzle) in enumerate(zip(sections, PUZZLES, strict=True), start=1):
        assert text_of(section.find("h2")) == f"{number}. {puzzle.question}"
        assert len(section.findall(".//svg")) == 1
        assert text_of(section.findall("p")[-1]) == puzzle.position
        assert len(section.findall(".//div[@class='lines']/span")) == 6
        words = text_of(section)
        assert puzzle.id not in words
        assert not [theme for theme in puzzle.themes if theme in words]
        assert "game point" not in words


def test_the_answers_have_the_same_numbers_and_all_values() -> None:
    seen: list[float] = []
    page = tree(answers_html(PUZZLES, "Club night", seen.append))
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert text_of(page.find("body/h1")) == "Answers: Club night"
    for number, (section, puzzle) in enumerate(
        zip(page.findall("body/section"), PUZZLES, strict=True), start=1
    ):
        best = [
            label_answer(parse_answer(words, puzzle.table), puzzle.table) for words in puzzle.best
        ]
        heading = text_of(section.find("h2"))
        assert heading.startswith(f"{number}. ")
        assert all(words.lower() in heading.lower() for words in best)
        marked = section.findall(".//tr[@class='best']")
        assert {row.find("td").text for row in marked} == {*puzzle.best}
        assert all("= best" in text_of(row) for row in marked), "not by its weight alone"
        assert len(section.findall(".//tbody/tr")) > len(marked)
        words = text_of(section)
        assert ("Best play to the end" in words) == (not puzzle.concealed)
        assert all(theme in words for theme in puzzle.themes)
        assert f"Level {puzzle.difficulty}, puzzle {puzzle.id}." in words
        assert puzzle.position in words


@pytest.mark.parametrize("page", [sheet_html(PUZZLES), answers_html(PUZZLES[:1])])
def test_a_page_needs_nothing_else_and_is_made_for_print(page: str) -> None:
    assert not re.findall(r"(?:src|href)=|url\(|@import|<script", page)
    assert {*re.findall(r"https?://[^\"]*", page)} <= {"http://www.w3.org/2000/svg"}
    assert "break-inside: avoid" in page
    assert "@page" in page
    assert "size:" not in re.sub(r"font-size:", "", page), "A4 and letter are the printer's choice"


def test_text_of_others_is_never_html() -> None:
    evil = replace(PUZZLES[0], question="<b>&", source="<i>", themes=("<u>",))
    for page in (sheet_html([evil], "<s>"), answers_html([evil], "<s>")):
        assert not re.findall("<[bius]>", page)
    assert "&lt;b&gt;&amp;" in sheet_html([evil])


def test_the_files_are_written_whole_and_never_over_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sheet.html"
    answers_path(path).write_text("mine")
    with pytest.raises(ValueError, match=r"sheet-answers\.html: exists already; --force"):
        write_sheets(path, PUZZLES[:1])
    assert [each.name for each in tmp_path.iterdir()] == ["sheet-answers.html"]
    written = write_sheets(path, PUZZLES[:1], force=True)
    assert written == (path, tmp_path / "sheet-answers.html")
    assert path.read_text() == sheet_html(PUZZLES[:1])
    assert answers_path(path).read_text() == answers_html(PUZZLES[:1])

    def broken(*_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr(worksheet, "answers_html", broken)
    other = tmp_path / "other.html"
    with pytest.raises(RuntimeError):
        write_sheets(other, PUZZLES[:1])
    assert not other.exists()


def test_what_cannot_be_written_is_found_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worksheet, "answers_html", lambda *_: pytest.fail("solved"))
    (tmp_path / "a-answers.html").mkdir()
    with pytest.raises(ValueError, match=r"a-answers\.html: is there and is no file"):
        write_sheets(tmp_path / "a.html", PUZZLES[:1], force=True)
    for nameless in (Path(), Path("/")):
        with pytest.raises(ValueError, match="found a folder, expected a file"):
            write_sheets(nameless, PUZZLES[:1])
    (tmp_path / "file").write_text("")
    for folder in ("file", "none"):
        with pytest.raises(OSError, match=folder):
            write_sheets(tmp_path / folder / "no.html", PUZZLES[:1])
    assert {each.name for each in tmp_path.iterdir()} == {"a-answers.html", "file"}


def test_a_title_that_is_not_all_text_is_written_all_the_same(tmp_path: Path) -> None:
    path, _ = write_sheets(tmp_path / "a.html", PUZZLES[:1], title="Club \udcff night")
    assert text_of(tree(path.read_text()).find("body/h1")) == "Club ? night"


@pytest.fixture
def sheet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> object:
    """A function that runs `sixty-six sheet` in this process and returns its exit status."""
    folder = tmp_path / "puzzles"
    folder.mkdir()
    save(PUZZLES, folder / "few.tsv")
    monkeypatch.setattr(drill, "installed_puzzles", lambda: folder)

    def run(*arguments: object) -> int:
        monkeypatch.setattr("sys.argv", ["sixty-six", "sheet", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0)

    return run


def test_the_command(sheet, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "club night.html"
    arguments = (path, "--level", "1-2", "--title", "Club & night", "--seed", "1")
    assert sheet(*arguments) == 0
    assert capsys.readouterr().out == f"{path}\n{answers_path(path)}\n"
    page = tree(path.read_text())
    assert text_of(page.find("body/h1")) == "Club & night"
    asked = {text_of(part.findall("p")[-1]) for part in page.findall("body/section")}
    assert asked == {puzzle.position for puzzle in PUZZLES[:2]}
    before = path.read_bytes()
    assert sheet(*arguments) == 2
    assert capsys.readouterr().err == (
        f"sixty-six: {path}: exists already; --force writes over it\n"
    )
    assert sheet(*arguments, "--force") == 0
    assert path.read_bytes() == before
    capsys.readouterr()
    for wrong in (("--level", "9"), ("--daily", "--review"), ("--theme", "none")):
        assert sheet(tmp_path / "no.html", *wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
    (tmp_path / "file").write_text("")
    assert sheet(tmp_path / "file" / "no.html") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "no.html").exists()
