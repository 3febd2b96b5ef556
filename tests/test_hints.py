"""Hints in four steps: each tells what it is for, and nothing of a later one."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from tables import F2, at_random
from trainer.explain import why
from trainer.grading import Report, report, reports
from trainer.hints import IDEAS, hints
from trainer.notation import label_answer, parse_position, parse_view
from trainer.rules import NORTH, SOUTH, VARIANTS, Closing, Position, View, deal, view
from trainer.rules.cards import RANK_NAMES, SUIT_NAMES
from trainer.rules.position import CLOSE, SIDE_NAMES
from trainer.search import decides

CARDS = re.compile(rf"(?:{'|'.join(RANK_NAMES)}) of (?:{'|'.join(SUIT_NAMES)})")


def late_reports(count: int, seed: int) -> Iterator[Report]:
    """Reports on late positions of every variant, with every card seen or some concealed."""
    rng = Random(seed)
    while count > 0:
        for row in VARIANTS.values():
            played = at_random(deal(row, rng, pone=rng.randrange(2)), rng, without="66 ! cl")
            late = [p for p in played if p.over is None and len(p.stock) <= 4]
            position = rng.choice(late)
            count -= 1
            yield report(position)
            if position.turn == SOUTH and len(position.stock) == 2:
                count -= 1
                yield report(view(position, SOUTH))


def listed(found: Report) -> list[str]:
    """The labels of the choices that are whole decisions, the best ones."""
    face_up = isinstance(found.table, Position)
    return [
        label_answer(choice.answer, found.table)
        for choice in found.choices
        if choice.best and (face_up or decides(choice.answer))
    ]


@pytest.fixture(scope="module")
def late() -> list[Report]:
    return list(late_reports(160, seed=66))


def test_the_last_step_is_a_best_choice(late: list[Report]) -> None:
    for found in late:
        assert hints(found)[3].removesuffix(".") in listed(found)


def test_the_third_step_names_the_best_choices_but_never_a_single_one(late: list[Report]) -> None:
    counted = 0
    for found in late:
        third, best = hints(found)[2], listed(found)
        if third.startswith("Every"):
            face_up = isinstance(found.table, Position)
            assert all(c.best for c in found.choices if face_up or decides(c.answer))
        elif len(best) == 1:
            assert not CARDS.search(third)
            assert third.startswith("One choice of ")
        else:
            counted += 1
            assert all(label[1:] in third for label in best)
            assert len(third.split("; ")) == len(best)
    assert counted >= 20


def test_the_first_two_steps_name_no_card_to_play(late: list[Report]) -> None:
    suits = ideas = 0
    for found in late:
        goal, idea, _, _ = hints(found)
        assert not CARDS.search(goal + idea)
        assert re.search(r"\d", goal)
        assert not re.search(r"spades|hearts|diamonds|clubs", goal)
        suits += bool(re.search(r"spades|hearts|diamonds|clubs", idea))
        ideas += idea in IDEAS.values()
    assert suits >= 5
    assert ideas >= 25


def test_hints_do_not_change(late: list[Report]) -> None:
    for found in late[:30]:
        assert hints(found) == hints(found)


def ending(south: int, north: int) -> Position:
    """An ending with these card points."""
    position = parse_position("foster66 S:A..KQ. N:9..9.9 H - 37/4-65/5 S")
    return replace(position, card_points=(south, north))


def test_the_goal_is_told_by_the_counts() -> None:
    def goal(position: Position) -> str:
        return hints(report(position))[0]

    assert goal(ending(45, 26)) == (
        "66 is 21 card points away. A win is worth 2 while North is below 33; North has 26."
    )
    assert goal(ending(37, 65)) == "66 is 29 card points away. North has 65: a win is worth 1."
    assert goal(ending(67, 35)).startswith("66 is enough, and North has 35")
    closed = replace(ending(45, 26), closed=Closing(NORTH, 45, 4))
    assert goal(closed) == "North has closed with 26: keep North below 66."


def test_the_close_of_count_35_step_by_step() -> None:
    found = next(found for found in reports(parse_view(F2), samples=2) if found.choices)
    assert isinstance(found.table, View)
    goal, idea, third, move = hints(found)
    assert goal == (
        "66 is 31 card points away. A win is worth 2 while North is below 33; North has 11."
    )
    assert "suit" in idea
    assert third.startswith("One choice of ")
    assert move == "Close the stock, then lead the Ace of diamonds."


def test_the_idea_is_that_of_the_reason() -> None:
    matched = 0
    for found in islice(late_reports(80, seed=7), 80):
        best = found.best
        kinds = [reason.kind for reason in why(found, best)]
        if best.answer[0] != CLOSE and kinds and kinds[0] in IDEAS:
            idea = hints(found)[1]
            matched += idea == IDEAS[kinds[0]]
    assert matched >= 3


def test_a_report_without_a_choice_gives_no_hint() -> None:
    found = report(ending(45, 26))
    with pytest.raises(IndexError):
        hints(replace(found, choices=()))


def test_hints_speak_of_the_other_side_by_its_name(late: list[Report]) -> None:
    for found in late:
        goal = hints(found)[0]
        me = SIDE_NAMES[found.table.turn]
        assert me not in goal
