"""Lesson 12, the Russian game, answered."""

import pytest

from lessons.running import Names, changed, run, told

EXAMPLES = {
    "WRU-9": "price",
    "WRU-10": "trickless",
    "WRU-11": "agreement",
    "DRU-1": "doubled",
}


@pytest.fixture(scope="module")
def names() -> Names:
    return run("12_the_russian_game")


def test_the_deal_of_the_chapter_is_played_through(names: Names) -> None:
    """The plays of WRU-1 to WRU-4 are among the best in our deal too."""
    assert names["jack_led"].answer("DQ").mark == "??"
    assert names["jack_led"].answer("CK").mark == "="
    assert names["declare"].answer("DQm").mark == "="
    assert names["nine_led"].answer("HK").mark == "??"
    assert names["nine_led"].answer("HT").mark == "="
    assert names["forty"].answer("HKm").mark == "??"
    assert names["forty"].answer("HKQ!").game_points == 2


def test_who_is_void_must_trump(names: Names) -> None:
    assert names["weapon"].answer("HK").mark == "??"
    assert names["weapon"].answer("D9").mark == "="
    texts = changed(names, ["By Foster's laws: nobody need trump", "You have 42, North 54"])
    assert "every choice alike" in texts["By Foster's laws: nobody need trump"]
    assert "lead the Nine of diamonds, 0 game points" in texts["You have 42, North 54"], "65 to 65"


def test_schwarz_goes_by_card_points(names: Names) -> None:
    assert names["nines"].answer("DK").game_points == 1
    assert names["nines"].answer("CA").game_points == 3


def test_a_close_that_fails_costs_double(names: Names) -> None:
    """WRU-9, WRU-10, DRU-1 and WRU-11."""
    assert names["closing"].answer("cl CA").mark == "="
    assert not names["price"].answer(1)
    assert names["price"].answer(2)
    assert not names["trickless"].answer(3)
    assert names["trickless"].answer(6)
    assert not names["doubled"].answer("2, 4 and 4")
    assert names["doubled"].answer("2, 4 and 6")
    assert not names["agreement"].answer("3; and with that agreement 6")
    assert names["agreement"].answer("2; and with that agreement 6")
    assert names["save"].answer("CA").game_points == -4
    assert names["save"].answer("SA").game_points == -2
    assert names["last_ten"].answer("HK").mark == "="


def test_the_quiz_and_what_is_told(names: Names) -> None:
    choices = names["quiz"].answer_all(["SJ", "SQ", "SK", "S9", "HA"])
    assert [choice.mark for choice in choices] == ["="] * 5
    text = told(names)
    assert names["finished"].finished
    assert "36 + 40 = 76. North has 14: +2 game points" in text
    assert "| Sixty-Six after Foster | every choice alike | −1 | −1 |" in text
    assert "brings +1.57 by the Russian laws, and +1.14 by Foster's" in text
    assert "forbidden a fixed plan would bring +1.57 there" in text
    assert "| Russian, and no ten in a closed hand | −2 |" in text
