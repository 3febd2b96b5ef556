"""Exhaustive search: double dummy, layouts, and fixed plans for concealed positions."""

from trainer.search.concealed import Answer, Study, Tally, answers, decides, play_answer
from trainer.search.double_dummy import DoubleDummy

__all__ = [
    "Answer",
    "DoubleDummy",
    "Study",
    "Tally",
    "answers",
    "decides",
    "play_answer",
]
