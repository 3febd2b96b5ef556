"""Lesson 5, the last six tricks, answered.

It holds the worked example WRU-7 (``pick``), and winning the last trick in all of its tables.
"""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {"WRU-7": "pick"}
"""Which question holds a worked example."""

ANSWERS = {
    "second": "HA",
    "third": "CJ",
    "fourth": "SK",
    "fifth": "SQ",
    "sixth": "ST",
    "seventh": "DK",
    "whole": "SA",
}


@pytest.fixture(scope="module")
def names() -> Names:
    return run("05_last_six_tricks")


def test_a_wrong_answer_and_the_right_one(names: Names) -> None:
    assert not names["count"].answer(22)
    assert names["count"].answer(32)
    assert names["first"].answer("H9").mark == "??"
    assert names["first"].answer("CA").mark == "="
    (first, *_) = shown(names)
    assert "**Lead the Ace of clubs:** +1 game point." in first
    assert "| North ♦9 | you ♥9 | you | 72 | 58 |" in first
    assert "You need 4 more" in first


def test_in_the_russian_game_the_ace_of_trumps_must_go(names: Names) -> None:
    """WRU-7: void, with the Ace as the only trump, on a Nine that counts nothing."""
    assert not names["pick"].answer("SK", "HA", "CT")
    assert names["pick"].answer("HA")


def test_every_ending_has_one_best_choice(names: Names) -> None:
    for name, words in ANSWERS.items():
        choice = names[name].answer(words)
        assert choice.mark == "=", name
        losses = [one.loss for one in names[name].report.choices if one.answer != choice.answer]
        assert losses
        assert min(losses) >= 2, name
    assert not names["trump_count"].answer(5)
    assert names["trump_count"].answer(4)


def test_the_quiz(names: Names) -> None:
    choices = names["quiz"].answer_all(["H9", "CK", "ST", "SKm", "DJ"])
    assert [choice.mark for choice in choices] == ["="] * 5


def test_what_is_told(names: Names) -> None:
    text = told(names)
    assert "| ♣10 | 67 | 63 |\n| ♣J | 67 | 63 |" in text, "the throw-in, whatever North leads"
    assert "Foster leaves you the choice, and it wins the deal." in text
    assert "36 + 11 + 10 = 57, and the marriage makes 77" in text
    assert "62 + 4 = 66. With the Queen it is 65" in text


def test_one_card_point_decides_the_ending(names: Names) -> None:
    texts = changed(names)
    assert "Best: lead the Ace of spades, +1 game points" in texts["You have 25, North 34"]
    assert "−1 game points" in texts["You have 24, North 35"]
