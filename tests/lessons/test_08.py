"""Lesson 8, closing for schwarz, answered.

It holds the worked examples F3 (``first``), W66-9 (``second``, with the count before it), D66-5
(``cost``, with tricks won too late, and the show in ``third``) and the schwarz half of W66-11
(``gain``).
"""

import pytest

from lessons.running import Names, run, shown, told

EXAMPLES = {"W66-9": "second", "D66-5": "cost", "W66-11": "gain"}
"""Which question holds a worked example."""


@pytest.fixture(scope="module")
def names() -> Names:
    return run("08_closing_for_schwarz")


def test_the_aces_must_catch_four(names: Names) -> None:
    assert not names["count"].answer(3)
    assert names["count"].answer(4)


@pytest.mark.slow
def test_the_close_before_the_first_lead(names: Names) -> None:
    """F3: 5796 hands in which it goes by itself, 4907 with a short catch, 1673 with a ruff."""
    wrong = names["first"].answer("HK")
    assert wrong.mark == "??"
    right = names["first"].answer("cl SA")
    assert (right.mark, right.wins, right.layouts, right.worst) == ("=", 11050, 12376, -3)
    text = shown(names)[0]
    assert "catch 4 or more in **5796** hands (46.8%)" in text
    assert "catch less in **4907**" in text
    assert "meet a ruff in **1673**" in text
    assert "**+3** in 8397, **+2** in 1905, **+1** in 748 and **−3** in 1326" in text


def test_four_caught_and_shown(names: Names) -> None:
    """W66-9: 22, 4 and 40, and North is schwarz."""
    assert names["second"].answer("HKm").mark == "?"
    right = names["second"].answer("HKQ!")
    assert (right.mark, right.worst) == ("=", 3)


def test_three_caught_and_shown_is_short(names: Names) -> None:
    """D66-5: a close before the first lead that fails costs 3."""
    wrong = names["third"].answer("HKQ!")
    assert (wrong.mark, wrong.worst) == ("??", -3)
    assert names["third"].answer("HQm").mark == "="
    assert not names["cost"].answer(2)
    assert names["cost"].answer(3)
    assert names["failed"].tricks[1] == 3
    assert "| caught three | show | 25 + 40 = 65 | −3 |" in shown(names)[1]


def test_a_close_for_schwarz_may_bring_two(names: Names) -> None:
    """W66-11, second half: North gets a trick after the close."""
    assert not names["gain"].answer(3)
    assert names["gain"].answer(2)


def test_how_sure_one_must_be(names: Names) -> None:
    assert not names["even"].answer(6)
    assert names["even"].answer(10)
    assert names["fourth"].answer("cl HA").mark == "="
    assert "| +2 | 83% | 100% |" in "\n".join(shown(names))


@pytest.mark.slow
def test_the_rest_and_what_is_told(names: Names) -> None:
    assert not names["fifth"].answer("after Foster")
    assert names["fifth"].answer("in Schnapsen")
    choices = names["quiz"].answer_all(["cl SA", "cl HA", "HA", "cl SA", "DK"])
    assert [choice.mark for choice in choices] == ["=", "??", "=", "=", "="]
    text = told(names)
    assert "has to succeed in 69% of the hands, and it succeeds in 85%" in text
    assert "| in Schnapsen | 1788 of 2002 | +3 in 1788, −3 in 214 | +2.36 |" in text
    assert "| in the modern German game | 0 of 12376 | −3 in 12376 | −3 |" in text
