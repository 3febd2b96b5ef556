"""Lesson 2, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {"D66-2": "worth_32", "WRU-8": "nines", "D66-3": "neither"}
"""Worked examples of the rules, and the question that holds each. D66-2 with 33: "worth_33"."""


@pytest.fixture(scope="module")
def names() -> Names:
    names = run("02_both_counts")
    numbers = {
        "own_four": 10,
        "north_four": 16,
        "own_seven": 37,
        "north_seven": 28,
        "left": 55,
        "worth_32": 2,
        "worth_33": 1,
        "neither": 65,
    }
    for question, number in numbers.items():
        assert not names[question].answer(number + 1), question
        assert names[question].answer(number), question
    assert not names["nines"].answer("2, 1 and 2")
    assert names["nines"].answer("2, 1 and 3")
    assert names["first"].answer("DJ").mark == "??"
    for table, best in {"first": "DQ", "second": "CQ", "third": "CA", "fourth": "SA"}.items():
        assert names[table].answer(best).mark == "=", table
    best = ["CJ", "SA", "DK", "66", "CK"]
    assert [choice.mark for choice in names["quiz"].answer_all(best)] == ["="] * 5
    assert names["finished"].finished
    return names


def test_the_tricks_and_their_counts(names: Names) -> None:
    four, seven = shown(names)[:2]
    assert "| you ♦K | North ♦10 | North | 10 | 16 |" in four
    assert "Ace and Ten 21, Ace and King 15, Ten and King 14" in four
    assert "| North ♦J | you ♦A | you | 37 | 28 |" in seven
    assert "You are out of schneider, and North is not." in seven


def test_what_a_deal_is_worth(names: Names) -> None:
    text = shown(names)[2]
    assert "| Sixty-Six after Foster | 1 | 2 | 2 | 3 |" in text
    assert "| Sixty-Six after the Russian chapter | 1 | 2 | 3 | 3 |" in text


def test_one_card_point_decides(names: Names) -> None:
    text = told(names)
    assert "With the Queen you have **66** and announce; with the Jack **65**" in text
    assert "| you ♦Q | North ♦K | North | 65 | 65 |" in text
    assert "The Queen makes **33**, the Jack **32**" in text
    assert "North has 31: 2 card points more and he is out of schneider" in text
    assert "After any other lead you win 1." in text
    assert "| Sixty-Six after Foster | play the Ace of spades | +2 | +1 |" in text


def test_every_other_choice_of_the_tables_is_worse(names: Names) -> None:
    for table in ("first", "second", "third", "fourth"):
        assert sum(choice.best for choice in names[table].report.choices) == 1, table


def test_the_changes(names: Names) -> None:
    texts = changed(names)
    assert "| ? mistake | Play the Jack of diamonds | −1 |" in texts["52 to 49"]
    assert "| = best | Play the Jack of diamonds | +1 |" in texts["54 to 47"]
