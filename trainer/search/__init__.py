"""Exhaustive search: double dummy, layouts, and fixed plans for concealed positions."""

from trainer.search.batch import evaluate_many, solve_many
from trainer.search.closing import Way, closing_ways
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
from trainer.search.single_dummy import BestPlan, Planning, best_plan

__all__ = [
    "Answer",
    "BestPlan",
    "DoubleDummy",
    "Planning",
    "Solution",
    "Study",
    "Tally",
    "Way",
    "answers",
    "best_plan",
    "closing_ways",
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
