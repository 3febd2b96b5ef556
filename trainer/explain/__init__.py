"""Why, in words: what search has found about a choice, as a teacher would say it.

:func:`why` gives one or two reasons, each checked by search; :func:`sentence` the bare figures.
With cards concealed, :func:`only_on_average` tells where a right choice fails, and :func:`against`
lays the hidden cards so that a wrong one does.
"""

from __future__ import annotations

from trainer.explain.as_seen import against, only_on_average
from trainer.explain.case import Reason
from trainer.explain.figures import points_text, sentence, worth_text
from trainer.explain.reasons import why

__all__ = [
    "Reason",
    "against",
    "only_on_average",
    "points_text",
    "sentence",
    "why",
    "worth_text",
]
