"""Lesson 1, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {
    "DLG-5": "first",
    "WRU-6": "beating",
    "WRU-1": "first_trick",
    "WRU-5": "ace_or_nine",
}
"""Worked examples of the rules, and the question that holds each. DLG-5 goes on in "books"."""


@pytest.fixture(scope="module")
def names() -> Names:
    names = run("01_pack_and_trick")
    assert not names["count"].answer(100)
    assert names["count"].answer(120)
    assert names["first"].answer("SQ").mark == "??"
    assert names["first"].answer("ST").mark == "="
    assert not names["books"].answer("Either of them")
    assert names["books"].answer("The Ten only")
    assert not names["beating"].answer("DA", "DK")
    assert names["beating"].answer("DA", "DT", "DK", "H9")
    for table, best in {"second": "HJ", "third": "CT", "fourth": "DA", "fifth": "SK"}.items():
        assert names[table].answer(best).mark == "=", table
    assert names["first_trick"].answer(6)
    assert names["ace_or_nine"].answer(11)
    assert not names["worth"].answer(1)
    assert names["worth"].answer(2)
    best = ["DT", "DK", "HA", "HT", "CT"]
    assert [choice.mark for choice in names["quiz"].answer_all(best)] == ["="] * 5
    assert names["finished"].finished
    return names


def test_the_ten_beats_the_king(names: Names) -> None:
    ten, books = shown(names)[:2]
    assert "14 card points. You had 51, now you have 65" in ten
    assert "| North ♠K | you ♠10 | you | 65 | 50 |" in ten
    for row in ("after Foster | ♠10 or ♠Q |", "German Sixty-Six | ♠10 |", "Schnapsen | ♠10 |"):
        assert row in books


def test_what_else_is_told(names: Names) -> None:
    text = told(names)
    assert "a Queen is beaten by ♦K, ♦10 or ♦A of her suit" in text
    assert "| ♦J | North | 5 |" in text
    assert "Ruffing brings you 13 card points" in text
    assert "a present of 22" in text
    assert "| you ♠A | North ♣9 | North | 34 | 66 |" in text
    assert "21 card points in one trick, and you have 74" in text
    assert "CardTable('russian66 S:.TKQ.KQ.K" in text
    assert "**A – 10 – K – Q – J – 9**" in text


def test_every_other_choice_of_the_tables_is_worse(names: Names) -> None:
    for table in ("first", "second", "third", "fourth", "fifth"):
        assert sum(choice.best for choice in names[table].report.choices) == 1, table


def test_the_changes(names: Names) -> None:
    texts = changed(names)
    assert "| ?? blunder | Lead the Ace of spades | −1 |" in texts["As it was"]
    no_trump = texts["North has the Nine of spades in place of the Nine of trumps"]
    assert "| = best | Lead the Ace of spades | +1 |" in no_trump
