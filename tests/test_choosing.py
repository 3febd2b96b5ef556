"""Which puzzles are chosen: by what they are like, by weakness, for a day, and in rounds."""

from datetime import date, timedelta
from random import Random

import pytest

from few_puzzles import DAY, START, answer, made_up
from trainer.choosing import (
    Round,
    Wish,
    daily,
    in_order,
    matching,
    members,
    read_wish,
    round_line,
    round_of,
    set_name,
    weakest,
)
from trainer.practice import Wanted, Way, about_puzzle, practice_of
from trainer.puzzles import Puzzle

A = made_up("a", "ducking", "exit", level=1)
B = made_up("b", "exit", variant="schnapsen", level=3, concealed=True)
C = made_up("c", "counting", level=5, variant="russian66~six")
D = made_up("d", "ducking", level=3)
FOUR = [A, B, C, D]
MANY = [made_up(f"p{number}", "exit") for number in range(200)]


def names(puzzles: list[Puzzle]) -> str:
    return "".join(puzzle.id for puzzle in puzzles)


@pytest.mark.parametrize(
    ("wish", "found", "words"),
    [
        (Wish(), "abcd", ""),
        (Wish(theme="ducking"), "ad", "ducking"),
        (Wish(variant="russian66"), "c", "russian66"),
        (Wish(levels=(3, 3)), "bd", "level 3"),
        (Wish(levels=(3, 5)), "bcd", "levels 3 to 5"),
        (Wish(concealed=True), "b", "as seen"),
        (Wish(concealed=False, theme="exit"), "a", "exit, face up"),
        (Wish(theme="counting", levels=(1, 2)), "", "counting, levels 1 to 2"),
    ],
)
def test_a_wish(wish: Wish, found: str, words: str) -> None:
    assert names(matching(FOUR, wish)) == found
    assert str(wish) == words


def test_a_wish_in_words() -> None:
    assert read_wish(FOUR) == Wish()
    assert read_wish(FOUR, theme="exit", variant="schnapsen", level="2-4", concealed=True) == Wish(
        "exit", "schnapsen", (2, 4), True
    )
    assert read_wish(FOUR, level="3").levels == (3, 3)


@pytest.mark.parametrize("level", ["0", "6", "4-2", "1-2-3", "-", "x", "1-", "١"])
def test_a_level_that_is_none(level: str) -> None:
    with pytest.raises(ValueError, match="expected a number from 1 to 5, or two like 2-4"):
        read_wish(FOUR, level=level)


def test_a_theme_and_a_game_that_no_puzzle_has() -> None:
    with pytest.raises(ValueError, match="'duck', expected one of: counting, ducking, exit"):
        read_wish(FOUR, theme="duck")
    with pytest.raises(ValueError, match="'chess', expected one of: foster66, russian66, schnaps"):
        read_wish(FOUR, variant="chess")


def test_new_ones_come_first_then_the_missed_then_what_was_longest_ago() -> None:
    attempts = [
        answer(A, 0.0, when=START),
        answer(B, 1.0, when=START + DAY),
        answer(D, 2.0, when=START),
        answer(D, 0.0, when=START + timedelta(hours=1)),  # another try changes nothing
    ]
    assert names(in_order(FOUR, attempts, Random(1))) == "cdba"
    assert names(in_order(FOUR, attempts, Random(1), missed=False)) in ("cdab", "cadb")
    told = [*attempts, answer(C, 0.0, hints=3, when=START - DAY)]
    assert names(in_order(FOUR, told, Random(1))) == "cdba"


def test_the_order_of_new_ones_is_random_and_follows_the_seed() -> None:
    orders = {names(in_order(FOUR, [], Random(seed))) for seed in range(20)}
    assert len(orders) > 5
    assert names(in_order(FOUR, [], Random(7))) == names(in_order(FOUR, [], Random(7)))


def test_the_weakest_theme_is_one_that_there_are_puzzles_of() -> None:
    lesson = made_up("z", "closing")
    attempts = [
        answer(made_up(f"{theme}{n}", theme), loss, when=START + n * DAY)
        for n in range(12)
        for theme, loss in (("exit", 0.5), ("ducking", 0.25), ("closing", 2.0))
    ]
    found = weakest(FOUR, attempts)
    assert found is not None
    assert (found.name, found.mean_loss) == ("exit", 0.5)
    part = weakest([*FOUR, lesson], attempts)
    assert part is not None
    assert part.name == "closing"
    assert weakest(FOUR, attempts[:9]) is None


# ---- the puzzle of the day ----------------------------------------------------------------------


def test_the_puzzle_of_the_day_is_the_same_for_all() -> None:
    day = date(2026, 3, 1)
    assert daily(MANY, day) == daily(MANY[::-1], day)
    days = [day + timedelta(days=n) for n in range(30)]
    assert len({daily(MANY, each).id for each in days}) > 20


def test_added_puzzles_leave_most_days_as_they_were() -> None:
    days = [date(2026, 1, 1) + timedelta(days=n) for n in range(300)]
    more = [*MANY, *(made_up(f"new{n}") for n in range(20))]
    changed = [each for each in days if daily(more, each) != daily(MANY, each)]
    assert len(changed) < 60
    assert all(daily(more, each).id.startswith("new") for each in changed)


def test_there_is_no_puzzle_of_the_day_without_puzzles() -> None:
    with pytest.raises(ValueError, match="empty"):
        daily([], date(2026, 3, 1))


# ---- sets in rounds -----------------------------------------------------------------------------

NAME = set_name(2, 4, Wish(theme="exit"))


def test_a_set_is_the_same_every_time_and_another_than_the_next() -> None:
    assert NAME == "set 2 of 4: exit"
    assert set_name(1, 10, Wish()) == "set 1 of 10"
    chosen = members(MANY, NAME, 4, [])
    assert chosen == members(MANY[::-1], NAME, 4, [])
    assert len({*chosen}) == 4
    assert chosen != members(MANY, set_name(3, 4, Wish(theme="exit")), 4, [])
    assert len(members(MANY[:3], NAME, 4, [])) == 3


def test_a_set_keeps_what_was_answered_when_puzzles_are_added() -> None:
    chosen = members(MANY[:50], NAME, 4, [])
    attempts = [answer(each, source=NAME) for each in chosen[:3]]
    assert {*chosen[:3]} <= {*members(MANY, NAME, 4, attempts)}
    assert round_of(MANY, NAME, 4, attempts).size == 4


def test_what_was_missed_comes_again_until_all_is_right() -> None:
    first, second, third, last = members(MANY, NAME, 4, [])
    attempts = []

    def after(puzzle: Puzzle, loss: float, **more: object) -> Round:
        attempts.append(answer(puzzle, loss, source=NAME, **more))  # type: ignore[arg-type]
        return round_of(MANY, NAME, 4, attempts)

    start = round_of(MANY, NAME, 4, [])
    assert start == Round(1, 4, (first, second, third, last), ())
    assert after(second, 1.0) == Round(1, 4, (first, third, last), (second,))
    assert after(second, 0.0).missed == (second,), "another try in the same round is free"
    assert after(first, 0.0, hints=2) == Round(1, 4, (third, last), (second,))
    assert after(third, 0.0, hints=3).missed == (second, third), "told by a hint"
    state = after(last, 0.0)
    assert state == Round(2, 4, (second, third), ())
    assert round_line(state) == "Round 2: 2 of 4 still to be asked."
    assert after(third, 1.0) == Round(2, 4, (second,), (third,))
    assert round_line(round_of(MANY, NAME, 4, attempts)).endswith("asked, 1 missed so far.")
    assert after(second, 0.0) == Round(3, 4, (third,), ())
    end = after(third, 0.0)
    assert end == Round(3, 4, (), ())
    assert round_line(end) == "This set is finished: all 4 right after 3 rounds."
    other = [answer(first, 1.0, source="puzzles")]
    assert round_of(MANY, NAME, 4, other) == start, "what is answered elsewhere does not count"


# ---- practice -----------------------------------------------------------------------------------


def test_a_set_is_asked_on_into_the_next_round() -> None:
    attempts = []
    wanted = Wanted("set", Wish(theme="exit"), 2, 4)
    practice = practice_of(wanted, MANY, lambda: attempts, lambda: START, Random(1))
    assert practice.source == NAME
    asked = []
    for puzzle in practice.puzzles:
        asked.append(puzzle)
        attempts.append(answer(puzzle, float(len(asked) == 2), source=NAME))
    assert asked == [*members(MANY, NAME, 4, []), asked[1]]


def test_a_set_left_unanswered_is_asked_once() -> None:
    wanted = Wanted("set", Wish(), 1, 3)
    practice = practice_of(wanted, MANY, list, lambda: START, Random(1))
    assert len(list(practice.puzzles)) == 3


def test_weakness_is_practised_without_telling_the_theme() -> None:
    attempts = [answer(made_up(f"q{n}", "ducking"), 1.0, when=START + n * DAY) for n in range(11)]
    practice = practice_of(Wanted("weak"), FOUR, lambda: attempts, lambda: START, Random(1))
    assert names(sorted(practice.puzzles, key=lambda each: each.id)) == "ad"
    assert "1.00 game points in each of your last 11" in practice.says
    assert "ducking" not in practice.says
    assert "Theme: ducking." in about_puzzle(A)[0]
    mixed = practice_of(Wanted("weak"), FOUR, list, lambda: START, Random(1))
    assert len(list(mixed.puzzles)) == 4
    assert mixed.says.startswith("No theme stands out")


def test_freely_and_for_the_day() -> None:
    wish = Wish(levels=(3, 3))
    free = practice_of(Wanted("free", wish), FOUR, lambda: [answer(B)], lambda: START, Random(1))
    assert (free.source, names(list(free.puzzles))) == ("puzzles", "db")
    assert free.says == "2 puzzles fit, 1 of them new to you: new ones come first."
    day = practice_of(Wanted("daily"), FOUR, list, lambda: START, Random(1))
    assert (day.source, list(day.puzzles)) == ("daily puzzle", [daily(FOUR, START.date())])
    assert "2026-03-01" in day.says
    few = practice_of(Wanted("free"), FOUR, list, lambda: START, Random(1)).first(2)
    assert len(list(few.puzzles)) == 2


@pytest.mark.parametrize("way", ["free", "daily", "weak", "review", "set"])
def test_no_puzzle_fits(way: Way) -> None:
    practice = practice_of(Wanted(way), [], list, lambda: START, Random(1))
    assert (practice.says, list(practice.puzzles)) == ("No puzzle fits.", [])
