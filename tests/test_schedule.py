"""Spaced review: which pattern is due when, with which puzzle, and the switch."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest

from few_puzzles import DAY, START, answer, made_up
from trainer.practice import Wanted, practice_of
from trainer.record import Attempt
from trainer.schedule import (
    Pattern,
    Switch,
    due,
    due_line,
    items,
    open_switch,
    puzzle_for,
    when,
    why,
)

DUCK = Pattern("ducking", "foster66")
PUZZLES = [
    *(made_up(f"d{n}", "ducking") for n in range(3)),
    made_up("e", "exit"),
    made_up("s", "ducking", "exit", variant="schnapsen"),
]
D0, D1, D2, E, S = PUZZLES


def test_every_theme_in_each_game_is_a_pattern_of_its_own() -> None:
    attempts = [answer(D0), answer(S), answer(E, real=False), answer(D0)]
    found = {item.pattern: item.answers for item in items(attempts, START)}
    assert found == {DUCK: 1, Pattern("ducking", "schnapsen"): 1, Pattern("exit", "schnapsen"): 1}
    six = made_up("c", "ducking", variant="russian66~six")
    assert items([answer(six)], START)[0].pattern == Pattern("ducking", "russian66")
    assert str(Pattern("ducking", "schnapsen")) == "ducking in Schnapsen"


def days_until_due(*attempts: Attempt) -> int:
    (item,) = items(attempts, START + 99 * DAY)
    return (item.due - item.last).days


def test_what_is_known_comes_later_and_what_was_missed_tomorrow() -> None:
    right, wrong = answer(D0), answer(D0, 1.0)
    assert days_until_due(wrong) == 1
    assert days_until_due(answer(D0, hints=3)) == 1, "told by a hint"
    assert 1 <= days_until_due(answer(D0, hints=1)) < days_until_due(right)
    again = answer(D1, when=START + 3 * DAY)
    third = answer(D2, when=START + 13 * DAY)
    lengths = [days_until_due(right), days_until_due(right, again)]
    lengths.append(days_until_due(right, again, third))
    assert lengths == sorted({*lengths})
    assert days_until_due(right, again, answer(D2, 1.0, when=START + 13 * DAY)) < lengths[1]


def test_the_same_answers_give_the_same_days() -> None:
    attempts = [answer(PUZZLES[n % 5], n % 2, when=START + n * DAY) for n in range(9)]
    assert items(attempts, START) == items(attempts, START)


def test_a_pattern_is_due_from_the_morning_of_its_day_where_the_learner_is() -> None:
    missed = [answer(D0, 1.0)]  # at noon in UTC, so due at noon
    assert not due(missed, PUZZLES, START + timedelta(hours=11))
    assert due(missed, PUZZLES, START + timedelta(hours=13))  # an hour into the next day
    east = timezone(timedelta(hours=11))
    assert not due(missed, PUZZLES, (START + timedelta(minutes=30)).astimezone(east))
    assert due(missed, PUZZLES, (START + timedelta(hours=2)).astimezone(east))


def test_answers_from_a_time_that_is_yet_to_come_wait_for_it() -> None:
    late = datetime(9999, 12, 31, tzinfo=UTC)
    attempts = [answer(D0, 1.0), answer(D1, when=START + 9 * DAY), answer(E, when=late)]
    (item,) = items(attempts, START)
    assert (item.pattern, item.answers, item.last) == (DUCK, 1, START)
    assert len(due(attempts, PUZZLES, START + DAY)) == 1
    assert items(attempts, START + 9 * DAY)[0].answers == 2


def test_what_no_puzzle_shows_is_not_asked() -> None:
    lesson = [answer(made_up("z", "closing"), 1.0)]
    assert due(lesson, PUZZLES, START + 9 * DAY) == []
    assert due_line(lesson, PUZZLES, START).startswith("Nothing to review yet")


def test_another_puzzle_is_asked_each_time() -> None:
    attempts = [answer(D0, 1.0)]
    asked = [D0]
    for turn in range(1, 3):
        puzzle = puzzle_for(DUCK, PUZZLES, attempts, Random(turn))
        asked.append(puzzle)
        attempts.append(answer(puzzle, 1.0, when=START + turn * DAY))
    assert {*asked} == {D0, D1, D2}
    assert puzzle_for(DUCK, PUZZLES, attempts, Random(1)) == D0, "then the one longest ago"
    attempts[0] = answer(D0)
    assert puzzle_for(DUCK, PUZZLES, attempts, Random(1)) == D0, "missed or not"
    with pytest.raises(IndexError):
        puzzle_for(Pattern("none", "foster66"), PUZZLES, attempts, Random(1))


def test_the_review_asks_each_pattern_that_is_due_once() -> None:
    attempts = [answer(D0, 1.0), answer(E, 1.0), answer(S, 0.0)]
    now = START + DAY
    practice = practice_of(Wanted("review"), PUZZLES, lambda: attempts, lambda: now, Random(3))
    assert practice.source == "review"
    assert practice.says == "2 patterns are due, of 4 that you have met."
    asked = []
    for puzzle in practice.puzzles:
        asked.append(puzzle.themes[0])
        attempts.append(answer(puzzle, when=now, source="review"))
    assert sorted(asked) == ["ducking", "exit"]
    assert due_line(attempts, PUZZLES, now).startswith("Nothing is due. Next: 2026-03-0")
    new = practice_of(Wanted("review"), PUZZLES, list, lambda: now, Random(3))
    assert list(new.puzzles) == []


def test_what_is_left_unanswered_is_not_asked_again() -> None:
    attempts = [answer(D0, 1.0), answer(E, 1.0)]
    now = START + DAY
    practice = practice_of(Wanted("review"), PUZZLES, lambda: attempts, lambda: now, Random(3))
    assert len(list(practice.first(9).puzzles)) == 2


def test_one_puzzle_can_serve_two_patterns() -> None:
    attempts = [answer(S, 1.0)]
    now = START + DAY
    practice = practice_of(Wanted("review"), PUZZLES, lambda: attempts, lambda: now, Random(3))
    assert list(practice.puzzles) == [S], "on paper too, where nothing is answered"


def test_it_is_told_when_and_why() -> None:
    now = START + DAY
    missed, right = items([answer(D0, 1.0), answer(E)], now)
    assert (when(missed, now), why(missed, now)) == ("due", "missed the last time, on 2026-03-01")
    assert when(right, now) == "2026-03-03"
    assert why(right, now).startswith("right the last time, on 2026-03-01; the chance")
    assert 0.8 < right.recall < 1
    assert why(right, now).endswith(f"{right.recall:.0%}")


# ---- the switch ---------------------------------------------------------------------------------


def test_review_is_off_until_it_is_turned_on(own_record: Path) -> None:
    switch = open_switch()
    assert switch.path == own_record / "schedule.json"
    assert (switch.on, switch.news) == (False, "")
    assert not switch.path.exists()
    switch.turn(True)
    assert open_switch().on
    assert json.loads(switch.path.read_text()) == {"format": 1, "on": True}
    switch.turn(False)
    assert not open_switch().on
    assert [path.name for path in own_record.iterdir()] == ["schedule.json"]


def test_without_a_file_it_is_kept_in_memory() -> None:
    switch = Switch(None)
    switch.turn(True)
    assert (switch.on, switch.news) == (True, "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"format": 1}',
        b'{"format": 1, "on": "yes"}',
        b'{"format": true, "on": true}',
        b'{"format": 0, "on": true}',
        b'{"format": 1, "on": tr',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "schedule.json"
    path.write_bytes(content)
    (tmp_path / "schedule (damaged).json").write_bytes(b"older")
    switch = Switch(path)
    assert not switch.on
    assert switch.news.endswith("set aside as schedule (damaged 2).json. Review is off.")
    assert (tmp_path / "schedule (damaged 2).json").read_bytes() == content
    assert (tmp_path / "schedule (damaged).json").read_bytes() == b"older"
    switch.turn(True)
    assert (switch.news, Switch(path).on) == ("", True)


def test_a_file_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "schedule.json"
    newer = b'{"format": 2, "on": true, "more": []}'
    path.write_bytes(newer)
    switch = Switch(path)
    assert "newer version" in switch.news
    switch.turn(True)
    assert switch.on
    assert "not kept" in switch.news
    assert path.read_bytes() == newer


def test_a_file_that_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "schedule.json"
    folder.mkdir()
    switch = Switch(folder)
    assert "cannot be read" in switch.news
    switch.turn(True)
    assert "cannot be written" in switch.news
