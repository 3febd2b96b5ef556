"""What the page is told after the answer: mark, reasons, and the value of every choice."""

from __future__ import annotations

from typing import Any

from trainer.explain import points_text, why
from trainer.grading import Choice, Report, grade
from trainer.notation import label_answer
from trainer.rules import View, card_code
from trainer.rules.play import sensible_moves
from trainer.rules.position import SIDE_NAMES
from trainer.search.concealed import Answer, play_answer
from trainer.widgets.picture import Table


def reasons(report: Report, choice: Choice) -> list[str]:
    """Return one or two sentences on why a choice has its mark."""
    return [reason.text for reason in why(report, choice)]


def badges(report: Report, given: Choice) -> dict[str, dict[str, str]]:
    """Return what to write on each card that could be played: mark, value, and what it means.

    It is what the card would have been worth in the place of the one played, after the same closing
    or exchanging; of a card that could not be played so, the best way to play it.
    """
    found: dict[str, dict[str, str]] = {}
    for choice in [given, *_beside(report, given), *report.choices]:
        card = next((move.card for move in choice.answer if move.card is not None), None)
        if card is not None and card_code(card) not in found:
            found[card_code(card)] = {
                "mark": choice.mark,
                "text": points_text(choice.game_points),
                "label": label_answer(choice.answer, report.table),
            }
    return found


def _beside(report: Report, given: Choice) -> list[Choice]:
    """Return the choices that begin as the one given, best first."""
    *beginning, _ = given.answer
    if not beginning or isinstance(report.table, View):
        return [choice for choice in report.choices if [*choice.answer[:-1]] == beginning]
    moves = sensible_moves(play_answer(report.table, tuple(beginning)))
    graded = [grade(report, (*beginning, move)) for move in moves]
    return sorted(graded, key=lambda choice: -choice.game_points)


def figures(
    report: Report | None, table: Table, answer: Answer = (), given: Choice | None = None
) -> dict[str, Any]:
    """Return the values of all choices for the page, in game points for the side to move.

    ``answer`` is what was answered, if anything was, and ``given`` the same with its grade, None
    while its figure is not there.
    """
    concealed = isinstance(table, View)
    choices = list(report.choices) if report is not None else []
    waiting = list(report.waiting) if report is not None else []
    if given is not None and all(choice.answer != answer for choice in choices):
        choices = sorted([*choices, given], key=lambda choice: -choice.game_points)
    known = [choice.answer for choice in choices] + waiting
    rows = [
        {
            "label": label_answer(choice.answer, table),
            "mark": choice.mark,
            "word": choice.word,
            "points": choice.game_points,
            "text": points_text(choice.game_points),
            "error": "" if choice.stderr is None else f"± {choice.stderr:.2f}",
            "low": "" if choice.low is None else points_text(choice.low),
            "wins": f"{choice.wins} of {choice.layouts}",
            "yours": choice.answer == answer,
        }
        for choice in choices
        if not begins_another(choice.answer, known)
    ]
    side = SIDE_NAMES[table.turn]
    caption = f"What each choice is worth, in game points for {side}."
    if concealed:
        caption = (
            f"Game points for {side}, on average over the ways the unseen cards can lie (layouts), "
            "each played as if both sides saw every card"
        )
        sampled = any(row["error"] for row in rows)
        caption += "; with ± where a random sample of them is counted." if sampled else "."
    if any(row["low"] for row in rows):
        caption += (
            f" Fixed plan: what {side} averages with one plan for all layouts, against a defender "
            "who sees everything; worked out where it can matter."
        )
    return {
        "label": label_answer(answer, table) if answer else "",
        "mark": "" if given is None else given.mark,
        "word": "" if given is None else given.word.capitalize(),
        "sentences": [],
        "note": "",
        "wait": "",
        "done": report is not None and report.progress >= 1,
        "progress": 0.0 if report is None else report.progress,
        "concealed": concealed,
        "caption": caption,
        "side": table.turn,
        "badges": {} if report is None or given is None else badges(report, given),
        "scale": max([1.0, *(abs(choice.game_points) for choice in choices)]),
        "rows": rows,
        "waiting": [
            {"label": label_answer(one, table), "yours": one == answer}
            for one in waiting
            if not begins_another(one, known)
        ],
    }


def begins_another(answer: Answer, answers: list[Answer]) -> bool:
    """Return whether an answer is only the first part of another one."""
    return any(len(other) > len(answer) and other[: len(answer)] == answer for other in answers)
