"""Lesson 10, say 66 in time, answered."""

import pytest

from lessons.running import Names, changed, run, shown, told

EXAMPLES = {
    "W66-1": "nobody",
    "W66-2": "carried_points",
    "D66-4": "no_ten",
    "WRU-12": "again",
    "WSC-3": "fifty",
}


@pytest.fixture(scope="module")
def names() -> Names:
    return run("10_say_66_in_time")


def test_66_unsaid_is_worth_nothing(names: Names) -> None:
    assert names["count"].answer(66)
    wrong = names["first"].answer("CJ")
    assert (wrong.mark, wrong.game_points) == ("??", -1)
    (first, *_) = shown(names)
    assert "North has 25, fewer than 33: +2 game points" in first
    assert "| North: announce 66 |  |  | 66 | 73 |" in first
    assert names["first"].answer("66").mark == "="


def test_a_whole_deal_is_counted(names: Names) -> None:
    assert not names["when"].answer(10)
    assert names["when"].answer(9)
    assert not names["worth_then"].answer(2)
    assert names["worth_then"].answer(1)


def test_both_had_66_and_the_point_is_carried(names: Names) -> None:
    """W66-1 and W66-2."""
    assert not names["totals"].answer(72)
    assert names["totals"].answer(82)
    assert not names["nobody"].answer("North scores")
    assert names["nobody"].answer("Nobody scores")
    assert not names["carried_points"].answer(2)
    assert names["carried_points"].answer(3)


def test_a_false_claim_costs_three_in_schnapsen_against_no_trick(names: Names) -> None:
    """WSC-3."""
    false = names["short"].answer("66")
    assert (false.mark, false.game_points) == ("??", -2)
    assert names["short"].answer("DK").mark == "="
    assert not names["fifty"].answer(2)
    assert names["fifty"].answer(3)


def test_one_card_point_decides(names: Names) -> None:
    assert names["marriage"].answer("SQm").mark == "??"
    assert names["marriage"].answer("SKm").mark == "="
    assert names["marriage"].answer("SKQ!").game_points == -2
    assert names["unsaid"].answer("HT").mark == "??"
    assert names["unsaid"].answer("HA").mark == "="
    texts = changed(names, ["You have 43, North 18", "You have 46, North 15"])
    both = "lead the King of spades and declare the marriage (20) or"
    assert both in texts["You have 43, North 18"]
    shown_too = "| = best | Show the marriage in spades (20) and announce 66 | +2 |"
    assert shown_too in texts["You have 46, North 15"]


def test_a_deal_that_ends_even(names: Names) -> None:
    """D66-4."""
    assert names["sixty_five"].answer("SA").game_points == 0
    assert not names["no_ten"].answer(68)
    assert names["no_ten"].answer(58)


def test_the_russian_deal_is_played_again(names: Names) -> None:
    """WRU-12."""
    assert not names["again"].answer("Nobody scores, and the next winner adds one")
    assert names["again"].answer("Nobody scores, and the deal is played again")


def test_the_quiz_and_what_is_told(names: Names) -> None:
    choices = names["quiz"].answer_all(["66", "CJ", "HKQ!", "HQ", "ST"])
    assert [choice.mark for choice in choices] == ["="] * 5
    text = told(names)
    assert names["finished"].finished
    assert "| Sixty-Six after the Russian chapter | 2 |" in text, "a false claim at 50"
    assert "| Sixty-Six after Foster | 68 to 82 | nobody | 1 is carried over |" in text
    assert "| you ♥K | North ♥Q | you | 66 | 33 |" in text
    assert "| Schnapsen | 68 to 72 | North, 1 |" in text
    assert "82 card points against 88, and nobody scores" in text
