"""The page of puzzles: what its controls offer, what is asked then, and what is told when."""

from pathlib import Path
from random import Random

import pytest

from few_puzzles import START, answer, made_up, real
from trainer.puzzles import PuzzleError
from trainer.record import open_record
from trainer.schedule import open_switch
from trainer.themes import NAMES
from trainer.widgets import puzzles as page
from trainer.widgets.puzzles import OFF, Puzzles


@pytest.fixture
def shown() -> Puzzles:
    return Puzzles(real(), now=lambda: START, rng=Random(1))


def choose(shown: Puzzles, **values: str) -> None:
    """Choose in the form as the page does."""
    shown.form.values = {**shown.form.values, **values}


def press(shown: Puzzles, name: str) -> None:
    """Press a button of the form as the page does."""
    shown.form.pressed = {"seq": shown.form.pressed["seq"] + 1, "name": name}


def options(shown: Puzzles, name: str) -> dict[str, str]:
    (field,) = (field for field in shown.form.fields if field["name"] == name)
    return dict(field["options"])


def test_the_form_offers_what_there_is(shown: Puzzles) -> None:
    assert options(shown, "variant")["schnapsen"] == "Schnapsen (3)"
    assert options(shown, "level") == {"": "any"} | {str(n): f"{n} (1)" for n in range(1, 6)}
    themes = {theme for puzzle in real() for theme in puzzle.themes}
    assert {*options(shown, "theme")} == {"", *themes}
    assert shown.form.says.startswith("5 puzzles fit, 5 of them new to you")
    assert shown.table is None
    choose(shown, variant="schnapsen", cards="seen")
    assert shown.form.says.startswith("1 puzzle fits")


def test_one_is_asked_after_the_other_and_told_of_after_the_answer(shown: Puzzles) -> None:
    choose(shown, variant="schnapsen")
    press(shown, "start")
    asked = []
    for number in range(1, 4):
        table, puzzle = shown.table, shown.puzzle
        assert table is not None
        assert puzzle is not None
        asked.append(puzzle)
        assert table.question == f"Puzzle {number}, level {puzzle.difficulty}. {puzzle.question}"
        held = f"{shown.about.text} {table.scene} {table.result} {shown.form.says}"
        assert not [theme for theme in NAMES if f"Theme: {theme}" in held]
        assert puzzle.id not in held
        assert table.answer(puzzle.best[0]).best
        for theme in puzzle.themes:
            assert f"Theme: {theme}. {NAMES[theme]}" in shown.about.text
        assert puzzle.id in shown.about.text
        table.choice = {"seq": number, "word": "next"}
        assert shown.about.text == "" or number == 3
    assert {puzzle.id for puzzle in asked} == {p.id for p in real() if p.variant == "schnapsen"}


def test_what_is_answered_on_the_page_is_kept(shown: Puzzles) -> None:
    choose(shown, level="2")
    press(shown, "start")
    assert shown.table is not None
    shown.table.choice = {"seq": 1, "word": "66"}
    (kept,) = open_record().attempts()
    (puzzle,) = (puzzle for puzzle in real() if puzzle.difficulty == 2)
    assert (kept.position, kept.source) == (puzzle.position, "puzzles")
    assert (kept.themes, kept.mark) == (puzzle.themes, "=")
    choose(shown, level="")
    assert shown.form.says.startswith("5 puzzles fit, 4 of them new to you")


def test_each_way_shows_what_there_is_to_choose(shown: Puzzles) -> None:
    for way, hidden in (("daily", "number variant theme level cards"), ("set", "")):
        choose(shown, way=way)
        assert shown.form.hidden == hidden.split()
    assert shown.form.says == "Round 1: 5 of 5 still to be asked."
    choose(shown, level="2", theme=real()[0].themes[0], way="daily")
    assert shown.form.says == "The puzzle of 2026-03-01."
    press(shown, "start")
    assert shown.puzzle is not None, "what is hidden does not count"
    first, *others = real()
    strange = next(theme for each in others for theme in each.themes if theme not in first.themes)
    choose(shown, way="free", level=str(first.difficulty), theme=strange)
    assert shown.form.says == "No puzzle fits."
    choose(shown, way="weak")
    assert shown.form.says.startswith("No theme stands out")
    press(shown, "start")
    assert shown.puzzle == first


def test_it_is_said_how_far_a_set_has_come(shown: Puzzles) -> None:
    choose(shown, way="set", variant="schnapsen")
    press(shown, "start")
    for left in (3, 2, 1):
        assert shown.form.says == f"Round 1: {left} of 3 still to be asked."
        assert shown.table is not None
        assert shown.puzzle is not None
        shown.table.choice = {"seq": 10 - 2 * left, "word": shown.puzzle.best[0]}
        shown.table.choice = {"seq": 11 - 2 * left, "word": "next"}
    assert shown.form.says == "This set is finished: all 3 right after 1 round."


def test_review_is_turned_on_here(shown: Puzzles) -> None:
    missed = real()[1]
    open_record().attempt(answer(missed, 1.0, when=START.replace(day=1, month=2)))
    choose(shown, way="review")
    assert (shown.form.says, shown.form.switch, shown.form.due) == (OFF, "Turn review on", [])
    press(shown, "start")
    assert shown.table is None
    press(shown, "switch")
    assert open_switch().on
    assert shown.form.switch == "Turn review off"
    assert len(shown.form.due) == len(missed.themes)
    when, pattern, answers, why = shown.form.due[0]
    assert (when, answers) == ("due since 2026-02-02", "1")
    assert pattern.endswith(" in Schnapsen")
    assert why.startswith("missed the last time")
    press(shown, "start")
    assert shown.puzzle is not None
    assert {*shown.puzzle.themes} & {*missed.themes}
    press(shown, "switch")
    assert not open_switch().on


def test_what_the_page_sends_counts_only_if_it_was_offered(shown: Puzzles) -> None:
    shown.form.values = {"way": "<script>", "level": 7, "theme": ["x"], "number": "99"}
    assert shown.form.says.startswith("5 puzzles fit")
    shown.form.values = {}
    press(shown, "start")
    assert shown.table is not None


def test_nothing_fits() -> None:
    shown = Puzzles([made_up("a", "exit")])
    choose(shown, cards="seen")
    press(shown, "start")
    assert shown.form.says == "No puzzle fits."
    assert (shown.table, shown.place.outputs) == (None, ())


def test_a_broken_collection_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text("id\n")
    monkeypatch.setattr(page, "installed_puzzles", lambda: tmp_path)
    shown = Puzzles()
    assert "bad.tsv, line 1" in shown.form.says
    press(shown, "start")
    choose(shown, way="set")
    assert "bad.tsv, line 1" in shown.form.says, "and goes on being told"
    with pytest.raises(PuzzleError):
        page.load(tmp_path)


def test_saved_it_says_nothing_of_the_puzzles(shown: Puzzles) -> None:
    data = shown._repr_mimebundle_()
    assert data["text/plain"] == repr(shown) == "Press Run all to choose puzzles."
    assert data["text/html"] == "<p><em>Press Run all to choose puzzles.</em></p>"
