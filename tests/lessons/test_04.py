"""Lesson 4, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {"W66-13": "may", "W66-14": "too_late"}
"""Worked examples of the rules, and the question that holds each. W66-13 goes on in "taken"."""


@pytest.fixture(scope="module")
def names() -> Names:
    names = run("04_the_nine")
    with_a_trick = "You have won two tricks, North the last one"
    assert not names["may"].answer(with_a_trick, "North has won the only trick so far")
    assert names["may"].answer(with_a_trick)
    assert not names["taken"].answer(26)
    assert names["taken"].answer(37)
    assert not names["too_late"].answer("Yes, I have won a trick")
    assert names["too_late"].answer("No, it is too late")
    right = (
        "In Schnapsen, when you lead to the first trick",
        "In Foster's game, when North has led and you have a trick",
        "In the German game, when you are on lead and have a trick",
    )
    assert not names["first_lead"].answer(*right[:2])
    assert names["first_lead"].answer(*right)
    for table, word in {"first": "dr", "second": "DK", "third": "ex dr"}.items():
        assert names[table].answer(word).mark == "??", table
    for table, word in {"first": "ex dr", "second": "ex DT", "third": "dr"}.items():
        assert names[table].answer(word).mark == "=", table
    best = ["ex dr", "ex DK", "dr", "ex dr", "DK"]
    assert [choice.mark for choice in names["quiz"].answer_all(best)] == ["="] * 5
    assert names["finished"].finished
    return names


def test_who_may_exchange_when(names: Names) -> None:
    text = shown(names)[0]
    assert "| Sixty-Six after Foster | Nine | no | yes | yes | yes |" in text
    assert "| Sixty-Six after the Russian chapter | Nine | no | yes | yes | no |" in text
    assert "| Schnapsen | Jack | yes | no | yes | no |" in text


def test_what_else_is_told(names: Names) -> None:
    text = told(names)
    assert "North picks up the Ace of diamonds" in text
    assert "first he picks up the Nine of diamonds" in text
    assert "The trick makes 30" in text
    assert "the royal marriage makes only 64" in text
    assert "10 card points go over to him" in text
    assert "There it cost 2 game points to take it" in text


def test_every_other_choice_of_the_tables_is_worse(names: Names) -> None:
    for table in ("first", "second", "third"):
        assert sum(choice.best for choice in names[table].report.choices) == 1, table


def test_the_changes(names: Names) -> None:
    texts = changed(names)
    swap = "Exchange the Nine of diamonds for the {} of diamonds"
    assert f"| = best | {swap.format('Ace')} | +1 |" in texts["As it was"]
    assert "| ?? blunder | Draw | −1 |" in texts["As it was"]
    ten = texts["The Ten is the turn-up, and North has the Ace"]
    assert f"| = best | {swap.format('Ten')} | +1 |" in ten
    more = texts["You have the Ten of hearts, North the Jack of trumps"]
    assert f"| = best | {swap.format('Ace')} | +2 |" in more
    assert "| ?? blunder | Draw | −1 |" in more
    jack = texts["You have the Ace, and the Jack is the turn-up"]
    assert "| = best | Draw | +1 |" in jack
