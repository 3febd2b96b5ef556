"""Lesson 13, one position under five rule books and the last trick in Schnapsen, answered."""

import pytest

from lessons.running import Names, changed, run, told

EXAMPLES = {
    "DLG-1": "heads_schnapsen",
    "DLG-2": "follow_first",
    "DLG-3": "void_russian",
    "DLG-4": "trump_led",
    "DLG-6": "copies",
    "WSC-1": "success",
    "WSC-2": "failure",
    "WSC-4": "ninety",
    "WSC-5": "even",
}


@pytest.fixture(scope="module")
def names() -> Names:
    return run("13_five_rule_books")


def test_what_may_be_played(names: Names) -> None:
    """DLG-1 to DLG-4, and DLG-6."""
    assert names["heads_foster"].answer("SA", "SJ")
    assert not names["heads_schnapsen"].answer("SA", "SJ")
    assert names["heads_schnapsen"].answer("SA")
    assert names["follow_first"].answer("SJ")
    assert names["void_foster"].answer("HJ", "DA")
    assert names["void_russian"].answer("HJ")
    assert names["trump_led"].answer("HK", "HJ")
    assert not names["copies"].answer("SA")
    assert names["copies"].answer("SA", "S9")


def test_two_games_turn_each_other_round(names: Names) -> None:
    assert names["by_foster"].answer("SA").mark == "??"
    assert names["by_foster"].answer("CA").mark == "="
    assert names["by_schnapsen"].answer("CA").mark == "??"
    assert names["by_schnapsen"].answer("SA").mark == "="
    texts = changed(names, ["Foster: you have 28, North 21"])
    assert "every choice alike" in texts["Foster: you have 28, North 21"]


def test_schnapsen_looks_at_the_moment_of_closing(names: Names) -> None:
    """WSC-1 and WSC-2."""
    assert names["snapshot"].answer("SA").game_points == 1
    assert names["snapshot"].answer("cl SA").game_points == 3
    assert not names["success"].answer("in Schnapsen you, 2; in the German game you, 2")
    assert names["success"].answer("in Schnapsen you, 3; in the German game you, 2")
    assert names["failure"].answer("in Schnapsen North, 3; in the German game North, 3")


def test_the_last_trick_wins_in_schnapsen(names: Names) -> None:
    """WSC-4 and WSC-5."""
    assert not names["ninety"].answer("in Schnapsen North, 1; in the German game North, 1")
    assert names["ninety"].answer("in Schnapsen you, 1; in the German game North, 1")
    assert names["even"].answer("in Schnapsen you, 1; in the German game nobody")
    assert names["keep_it"].answer("DK").mark == "??"
    assert names["keep_it"].answer("HQ").mark == "="
    assert names["second_winner"].answer("DK").mark == "="
    assert not names["count"].answer(61)
    assert names["count"].answer(38)
    assert names["last_trump"].answer("CJ").mark == "="


def test_the_quiz_and_what_is_told(names: Names) -> None:
    choices = names["quiz"].answer_all(["HQ", "SK", "HQ", "cl DA", "DJ"])
    assert [choice.mark for choice in choices] == ["="] * 5
    text = told(names)
    assert names["finished"].finished
    assert "| ♠K | ♥J and ♦A | ♥J and ♦A | ♥J | ♥J | ♥J |" in text
    assert "| ♥Q | ♥K, ♥J and ♣A | ♥K and ♥J | ♥K and ♥J | ♥K | ♥K |" in text
    assert "North has 2 tricks and 14 card points, and you score 3 all the same" in text
    assert "| Sixty-Six after Foster | any of three choices | +2 |" in text
