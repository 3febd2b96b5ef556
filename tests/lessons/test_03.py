"""Lesson 3, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {
    "WRU-2": "after_queen",
    "WRU-3": "after_ten",
    "WRU-4": "after_forty",
    "D66-6": "at_once",
    "W66-12": "promise",
    "D66-1": "fifth",
}
"""Worked examples of the rules, and the question that holds each. D66-6 goes on in "later"."""


@pytest.fixture(scope="module")
def names() -> Names:
    names = run("03_marriages")
    numbers = {
        "after_queen": 26,
        "after_ten": 36,
        "after_forty": 76,
        "at_once": 28,
        "beaten": 0,
        "later": 33,
    }
    for question, number in numbers.items():
        assert not names[question].answer(number + 20), question
        assert names[question].answer(number), question
    assert not names["promise"].answer("You have 20, and North scores 2 game points")
    assert names["promise"].answer("You have nothing, and North scores 3 game points")
    assert not names["german_late"].answer("You win 1 game point")
    assert names["german_late"].answer("North wins 1 game point")
    wrong = {"first": "SKm", "second": "SKm", "third": "CT", "fourth": "SKm", "fifth": "DKQ!"}
    for table, word in wrong.items():
        assert names[table].answer(word).loss > 0, table
    right = {"first": "SKQ!", "second": "HA", "third": "SQm", "fourth": "SQm", "fifth": "CKm"}
    for table, word in right.items():
        assert names[table].answer(word).mark == "=", table
    best = ["HKQ!", "SA", "DKm", "DT", "CQm"]
    assert [choice.mark for choice in names["quiz"].answer_all(best)] == ["="] * 5
    assert names["finished"].finished
    return names


def test_the_deals_to_step_through(names: Names) -> None:
    russian, promise = shown(names)[:2]
    assert "North has 14, and you score 2 game points" in russian
    assert "CardTable('russian66 S:.TKQ.KQ.K" in russian
    assert "CardTable('foster66 S:KQ9..J9.9" in promise


def test_wait_with_a_sure_trick(names: Names) -> None:
    text = shown(names)[3]
    assert "his Ten falls: you have 58" in text
    assert "the marriage makes 78" in text
    assert "North has 36: out of schneider" in text


def test_the_german_game_gives_nothing_for_it(names: Names) -> None:
    text = shown(names)[4]
    assert "| Modern German Sixty-Six | every choice alike | −1 | not allowed |" in text
    assert "| Schnapsen | lead the Ace of hearts | +2 | +1 |" in text


def test_what_else_is_told(names: Names) -> None:
    text = told(names)
    assert "The marriage makes 55 at once" in text
    assert "| you ♠K, says 20 | North ♠10 | North | 60 | 48 |" in text
    assert "46 + 20 = 66: **show it**" in text
    assert "here that costs you 2 game points" in text
    assert "The declaration makes 46" in text
    assert "| you ♦K, says 20 | North ♦10 | North | 46 | 63 |" in text
    assert "waiting won 2 game points and declaring at once 1" in text


def test_what_is_said_of_rules_is_counted(names: Names) -> None:
    text = shown(names)[7]
    assert "can be shown; nothing else was better in any of them" in text
    sure, none = (line for line in text.splitlines() if line.startswith("| you have"))
    declare, wait = sure.split("|")[2:4]
    assert int(declare) < int(wait), sure
    declare, wait = none.split("|")[2:4]
    assert int(declare) > int(wait), none
    assert "makes no difference in 297 of the 300" in text


def test_one_card_point_no_more_or_less(names: Names) -> None:
    texts = changed(names)
    declare = "Lead the {} of spades and declare the marriage (20)"
    assert f"| ?? blunder | {declare.format('King')} | −1 |" in texts["As it was: 40 to 34"]
    assert f"| = best | {declare.format('King')} | +1 |" in texts["41 to 33"]
    assert f"| = best | {declare.format('Queen')} | −1 |" in texts["39 to 35"]
