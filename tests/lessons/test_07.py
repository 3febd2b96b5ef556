"""Lesson 7, closing for schneider, answered.

It holds the worked examples F1 (``first``), W66-6 (``second``), W66-7 (``third``), W66-8
(``fourth``) and the schneider half of W66-11 (``value``).
"""

import pytest

from lessons.running import Names, run, shown, told

EXAMPLES = {
    "W66-6": "second",
    "W66-7": "third",
    "W66-8": "fourth",
    "W66-11": "value",
}
"""Which question holds a worked example."""


@pytest.fixture(scope="module")
def names() -> Names:
    return run("07_closing_for_schneider")


def test_the_count(names: Names) -> None:
    assert not names["count"].answer(66)
    assert names["count"].answer(64)


@pytest.mark.slow
def test_closing_wins_two_in_every_hand(names: Names) -> None:
    """F1: 462 hands, and no other lead does it."""
    assert names["first"].answer("HA").mark == "?"
    right = names["first"].answer("cl HA")
    assert (right.mark, right.wins, right.layouts, right.worst) == ("=", 462, 462, 2)
    others = [one for one in names["first"].report.choices if one.answer[0] == right.answer[0]]
    assert [one.worst for one in others if len(one.answer) == 2].count(2) == 1
    told_first = shown(names)[0]
    assert "**+2** in all 462 hands. It cannot fail" in told_first
    assert (
        "378 of the 462 hands have at least one of them and must play it; 84 have none"
        in told_first
    )


def test_the_jack_is_just_enough(names: Names) -> None:
    """W66-6: 26, shown for 66, North in schneider."""
    assert names["second"].answer("HKm").mark == "??"
    right = names["second"].answer("HKQ!")
    assert (right.mark, right.worst) == ("=", 2)


def test_two_short_lead_the_marriage(names: Names) -> None:
    """W66-7: 64 is not enough to show; the King or the Queen cannot be beaten."""
    assert names["third"].answer("HKQ!").worst == -2
    assert names["third"].answer("HQm").mark == "="
    right = names["third"].answer("HKm")
    assert (right.mark, right.wins, right.layouts) == ("=", 56, 56)
    assert "64 + 4 = 68" in shown(names)[2]
    assert "64 + 3 = 67" in shown(names)[2]


def test_without_the_close_the_ten_decides(names: Names) -> None:
    """W66-8: nothing to announce, and the Ten may take a card of the marriage."""
    assert names["fourth"].answer("cl HKm").mark == "?"
    right = names["fourth"].answer("HKm")
    assert (right.mark, right.wins, right.worst) == ("=", 168, -1)
    assert "It is the Ten of trumps that decides" in shown(names)[3]
    assert "32 + 10 + 4 make 46" in shown(names)[3]


def test_a_close_for_schneider_may_shrink_to_one(names: Names) -> None:
    """W66-11, first half: North reaches 33 after the close."""
    assert not names["value"].answer(2)
    assert names["value"].answer(1)


@pytest.mark.slow
def test_the_rest_and_what_is_told(names: Names) -> None:
    assert names["fifth"].answer("HA").mark == "="
    choices = names["quiz"].answer_all(["cl SA", "cl HA", "DT", "SA", "DQ"])
    assert [choice.mark for choice in choices] == ["=", "?", "=", "=", "="]
    text = told(names)
    assert "In the German game it wins 0 of 462 hands." in text
    assert "In Schnapsen: **+2** in 46 and **−2** in ten of the 56 hands." in text
    assert "the close wins 372 of 462 hands in place of 462 of 462" in text
    assert "makes 39: the deal is lost, but it costs 1 and not 2" in text
