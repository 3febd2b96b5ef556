"""Lesson 9, draw before closing, answered.

It holds the worked example W66-10 (``count``, ``first`` and ``second``).
"""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {"W66-10": "first"}
"""Which question holds a worked example."""


@pytest.fixture(scope="module")
def names() -> Names:
    return run("09_draw_before_closing")


def test_the_ten_is_caught_before_the_draw(names: Names) -> None:
    """W66-10: trumps alone are worth 68, and a draw would guard the Ten."""
    assert not names["count"].answer(61)
    assert names["count"].answer(68)
    assert names["first"].answer("dr").mark == "??"
    assert names["first"].answer("cl HA").mark == "="
    assert "The draw would bring you ♦J and North ♥J." in shown(names)[0]


def test_the_same_as_it_is_seen(names: Names) -> None:
    assert names["second"].answer("dr").mark == "?"
    right = names["second"].answer("cl HA")
    assert (right.mark, right.wins, right.layouts) == ("=", 34, 35)
    text = shown(names)[1]
    assert "| close now | close the stock, then lead the Ace of hearts | +1.34 | +1.34 |" in text
    assert "| close after drawing | as the cards come | +0.57 | +0.48 |" in text
    assert "alone in 15 of the 35 hands" in text
    assert "in 71% of the deals instead of 57%" in text


def test_the_last_draw_and_a_draw_that_is_right(names: Names) -> None:
    assert names["third"].answer("dr").mark == "??"
    assert names["third"].answer("cl HK").mark == "="
    assert names["fourth"].answer("cl SA").mark == "??"
    assert names["fourth"].answer("dr").mark == "="
    text = shown(names)[3]
    assert (
        "North has only the Ten: 15 hands at +2; North has another spade, and ♦9: 20 hands at +2; "
        "North has another spade, no ♦9: 15 hands at −2; North has no spade: 6 hands at −2" in text
    )
    assert "In 42 of the 336 deals the card is the Queen of trumps" in text


def test_where_one_may_close_before_drawing(names: Names) -> None:
    assert not names["early"].answer("after Foster", "in Schnapsen")
    assert names["early"].answer("after Foster", "in the Russian game", "in the modern German game")


def test_the_quiz_and_what_is_told(names: Names) -> None:
    choices = names["quiz"].answer_all(["dr", "cl SA", "dr", "cl HA", "dr"])
    assert [choice.mark for choice in choices] == ["="] * 5
    text = told(names)
    assert "you have 52, and North got only the Nine of trumps" in text
    assert "even the best lead brings −2." in text
    assert "a lone King and a lone Queen: 50, and your trumps bring the rest" in text
    assert "| Schnapsen | draw |" in text
    assert "not allowed" in text


def test_changes(names: Names) -> None:
    texts = changed(
        names,
        [
            "Both have drawn; you got the Jack of trumps",
            "You took the Nine of spades with the Jack of trumps",
        ],
    )
    assert all("+2 game points" in text for text in texts.values())
