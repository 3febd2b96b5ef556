"""Exhaustive search: double dummy, layouts, and fixed plans for concealed positions."""

from trainer.search.concealed import SAMPLES, Answer, Study, Tally, answers, decides, play_answer
from trainer.search.double_dummy import DoubleDummy

__all__ = [
    "SAMPLES",
    "Answer",
    "DoubleDummy",
    "Study",
    "Tally",
    "answers",
    "decides",
    "play_answer",
]
