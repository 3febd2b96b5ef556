"""Close now, close after drawing, or play on: the ways to go on, with both figures for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from trainer.rules.cards import cards_in, hand_of
from trainer.rules.play import close, may_close
from trainer.rules.position import CLOSE, View, hands, hidden_cards, layouts
from trainer.search.concealed import Answer, Study, Tally, decides
from trainer.search.double_dummy import DoubleDummy
from trainer.search.single_dummy import Planning

WORK = 300_000
"""What the search for the best plan after one drawn card may cost."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on, in game points for South.

    ``high`` is the mean over layouts when every card is seen. ``low`` is what one plan is worth
    against a defender who sees every card, and ``low_at_most`` what no plan is worth more than;
    both are None where no plan was looked for. ``answer`` is the choice that does best: with the
    highest ``low``, or ``high`` where there is none; None after drawing, since it depends on the
    card.
    """

    name: str
    answer: Answer | None
    high: float
    low: float | None
    low_at_most: float | None
    sampled: bool

    @property
    def sure(self) -> bool:
        """Whether ``low`` is what the best plan is worth."""
        return self.low is not None and self.low == self.low_at_most


def closing_ways(study: Study) -> Iterator[Way | float]:
    """Yield the ways to go on from a view: close now, close after drawing, and play on.

    Only those that there are: one closes after drawing only where the draw is still to come, and
    not after the last one. In between the part of the work done is yielded, 0 to 1. What the study
    has not counted yet is counted first.
    """
    for answer in study.answers:
        yield from study.count_steps(answer)
    decided = {answer: tally for answer, tally in study.tallies.items() if decides(answer)}
    closing = {answer: tally for answer, tally in decided.items() if CLOSE in answer}
    if closing:
        yield _best("close now", closing)
    if study.view.undrawn:
        yield from _after_drawing(study.view)
    going_on = {answer: tally for answer, tally in decided.items() if answer not in closing}
    if going_on:
        yield _best("play on", going_on)


def _best(name: str, tallies: dict[Answer, Tally]) -> Way:
    answer, tally = max(
        tallies.items(),
        key=lambda item: (item[1].mean if item[1].low is None else item[1].low, item[1].mean),
    )
    highs = [other.mean for other in tallies.values()]
    bounds = [other.low_at_most for other in tallies.values() if other.low_at_most is not None]
    return Way(
        name=name,
        answer=answer,
        high=max(highs),
        low=tally.low,
        low_at_most=max(bounds, default=None),
        sampled=tally.sampled,
    )


def _after_drawing(view: View) -> Iterator[Way | float]:
    """Yield the part done, then what closing after the draw is worth: any hidden card may come.

    Nothing where North is known to lack a card: the card that North draws may be the very one, so
    that the hands are not equally likely.
    """
    if view.lacks:
        return
    solver = DoubleDummy()
    hidden = reduce(or_, (hand_of(hidden_cards(view, hand)) for hand in hands(view)))
    high = low = low_at_most = count = 0
    for number, card in enumerate(cards_in(hidden), start=1):
        drawn = replace(
            view,
            hand=view.hand | 1 << card,
            concealed=view.concealed + 1,
            stock=view.stock[2:],
            undrawn=False,
        )
        if not may_close(next(layouts(drawn))):
            return
        planning = Planning(list(layouts(close(drawn))), solver, WORK)
        for _ in planning.steps():
            yield (number - 1) / hidden.bit_count()
        assert planning.plan is not None
        high += planning.plan.high
        low += planning.plan.total
        low_at_most += planning.plan.upper
        count += len(planning.plan.values)
    yield Way("close after drawing", None, high / count, low / count, low_at_most / count, False)
