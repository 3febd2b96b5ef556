"""Exhaustive search: double dummy, layouts, and fixed plans for concealed positions."""

from trainer.search.batch import evaluate_many, solve_many
from trainer.search.concealed import Answer, Study, Tally, answers, decides, play_answer
from trainer.search.double_dummy import DoubleDummy
from trainer.search.questions import (
    Solution,
    evaluate_moves,
    evaluate_record,
    evaluate_view,
    par,
    principal_variation,
    refutation,
    solve,
)

__all__ = [
    "Answer",
    "DoubleDummy",
    "Solution",
    "Study",
    "Tally",
    "answers",
    "decides",
    "evaluate_many",
    "evaluate_moves",
    "evaluate_record",
    "evaluate_view",
    "par",
    "play_answer",
    "principal_variation",
    "refutation",
    "solve",
    "solve_many",
]
