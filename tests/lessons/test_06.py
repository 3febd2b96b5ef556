"""Lesson 6, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {"W66-3": "show", "W66-4": "stake", "W66-5": "stakes"}
"""Worked examples of the rules, and the question that holds each."""


@pytest.fixture(scope="module")
def names() -> Names:
    return run("06_count_35")


@pytest.mark.slow
def test_count_35(names: Names) -> None:
    assert not names["count"].answer(35)
    assert names["count"].answer(31)
    assert not names["stake"].answer(3)
    assert names["stake"].answer(2)
    assert names["first"].answer("DA").mark == "??"
    right = names["first"].answer("cl DA")
    assert (right.mark, right.wins, right.layouts) == ("=", 434, 462)
    told, played = shown(names)[:2]
    assert "**434 of 462**" in told
    assert "The set of hands that lose is exactly the set of hands without a diamond" in told
    assert "\nCardTable('foster66" in played


@pytest.mark.slow
def test_the_marriage_is_shown(names: Names) -> None:
    assert names["show"].answer("SQm").mark == "??"
    right = names["show"].answer("SKQ!")
    assert (right.mark, right.wins, right.layouts) == ("=", 252, 252)
    assert "You have 46, and the marriage makes 66." in shown(names)[2]


@pytest.mark.slow
def test_count_34(names: Names) -> None:
    assert names["second"].answer("cl DA").mark == "="
    told = shown(names)[3]
    assert "**301 of 462**: **+2** in 252, **+1** in 49 and **−2** in 161 of the 462" in told
    assert "still the better one" in told


@pytest.mark.slow
def test_a_trump_in_hand(names: Names) -> None:
    assert names["third"].answer("cl DA").mark == "?!"
    assert names["third"].answer("cl HA").mark == "="
    assert names["third"].answer("HA").mark == "="
    told = shown(names)[4]
    assert "| ♥A | 434 of 462 | 462 of 462 |" in told
    assert "With ♥10, ♥K, ♥J or ♥9 the Ace of diamonds loses" in told


@pytest.mark.slow
def test_no_trick(names: Names) -> None:
    stakes = names["stakes"]
    assert not stakes.answer(names["EARLIER"], names["LATER"])
    assert stakes.answer(names["EARLIER"], names["CLAIM_EARLIER"])
    right = names["fourth"].answer("cl DA")
    assert (right.mark, right.wins, right.worst) == ("=", 1506, -3)
    told = shown(names)[5]
    assert "again exactly those without a diamond" in told
    assert "breaks even when it succeeds in 50% of the hands, and this one does in 87.8%" in told


@pytest.mark.slow
def test_other_rule_books(names: Names) -> None:
    assert names["fifth"].answer("cl DA").word.startswith("blunder")
    told = shown(names)[6]
    assert "| Modern German Sixty-Six | lead the " in told
    assert "| −2 | 0 of 462 |" in told
    assert "only against them" in told


@pytest.mark.slow
def test_the_quiz(names: Names) -> None:
    choices = names["quiz"].answer_all(["cl DA", "cl DA", "SQm", "cl SA", "HKm"])
    assert [choice.mark for choice in choices] == ["=", "??", "=", "=", "="]
    rule = told(names)
    assert "28 of 462 hands have none: 6%" in rule
    assert "301 of 462 instead of 434 of 462" in rule
    assert names["finished"].finished


@pytest.mark.slow
def test_changes(names: Names) -> None:
    texts = changed(names, ["You hold four diamonds", "By the German rules"])
    assert texts["You hold four diamonds"].startswith("Best: close the stock, then lead the Ace of")
    assert texts["By the German rules"].startswith("Best: lead the Queen of spades")
