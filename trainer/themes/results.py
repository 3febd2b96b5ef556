"""Themes of the result: what is won or saved, and what it hangs on."""

from __future__ import annotations

from collections.abc import Callable

from trainer.rules.position import CLOSE, Position
from trainer.search import Answer, play_answer
from trainer.themes.spot import Spot

CLOSE_COUNT = 3
"""Card points that a count may have to spare, or be short of, to be called close."""


def _share(spot: Spot, counts: Callable[[int, int], bool], decided: bool = False) -> bool:
    """Return whether half of what the first wrong choice loses is lost in layouts that count.

    ``counts`` is asked about the levels of the best and of the wrong choice. ``decided`` asks in
    addition that no choice at all would lose the deal there.
    """
    wrong = spot.wrong[0]
    loss = counted = 0
    for layout in spot.layouts:
        best, other = spot.value(layout, spot.best), spot.value(layout, wrong)
        loss += best - other
        if best <= other or not counts(_stake(spot, best), _stake(spot, other)):
            continue
        if decided and any(spot.value(layout, answer) <= 0 for answer in spot.wrong):
            continue
        counted += best - other
    return loss > 0 and counted >= loss / 2


def _stake(spot: Spot, value: int) -> int:
    """Return a value as the loser's count makes it: 1, 2 or 3.

    Without what is carried, and halved where the other side, having closed, pays double (Russian
    chapter, Closing).
    """
    level, closed = spot.level(value), spot.table.closed
    if closed is None or spot.row.failed_close != "double":
        return level
    return level // 2 if level > 0 and closed.side == spot.other else level


def playing_for_schneider(spot: Spot) -> bool:
    """The deal is won anyhow; the right choice keeps the other side below 33, for 2."""
    return not spot.all_close and _share(
        spot, lambda best, wrong: best == 2 and wrong == 1, decided=True
    )


def playing_for_schwarz(spot: Spot) -> bool:
    """The deal is won anyhow; the right choice leaves the other side without a trick, for 3."""
    return not spot.all_close and _share(
        spot, lambda best, wrong: best == 3 and 0 < wrong < 3, decided=True
    )


def out_of_schneider(spot: Spot) -> bool:
    """The deal is lost; the right choice gets out of schneider and loses 1 instead of 2."""
    return not _closes(spot) and _share(spot, lambda best, wrong: (best, wrong) == (-1, -2))


def out_of_schwarz(spot: Spot) -> bool:
    """The deal is lost; the right choice gets a trick, and loses less than 3."""
    return not _closes(spot) and _share(spot, lambda best, wrong: -3 < best < 0 and wrong == -3)


def _closes(spot: Spot) -> bool:
    """Return whether the mover has closed the stock, or does so by one of the choices compared.

    A failed closer loses 2 or more, whatever he has.
    """
    closed = spot.table.closed
    by_mover = closed is not None and closed.side == spot.me
    return by_mover or CLOSE in spot.best or CLOSE in spot.wrong[0]


def defeating_a_close(spot: Spot) -> bool:
    """The other side has closed; the right choice makes it fail, a wrong one lets it succeed."""
    closed = spot.table.closed
    if closed is None or closed.side == spot.me or len(spot.right) > 1:
        return False
    return _share(spot, lambda best, wrong: best > 0 > wrong)


def last_trick(spot: Spot) -> bool:
    """The last trick makes the difference: by the points that it counts, or since it decides.

    Nobody draws any more. If it counted nothing and decided nothing, at least half of what the
    wrong choice that loses least loses would not be lost.
    """
    row, wrong = spot.row, spot.wrong[0]
    plain = {
        "last_trick": 0,
        "played_out": "goal" if row.played_out == "last trick" else row.played_out,
        "closer_needs_last_trick": False,
    }
    same = all(getattr(row, name) == value for name, value in plain.items())
    if same or spot.drawing or CLOSE in spot.best:
        return False
    return spot.shrinks(
        wrong,
        lambda layout: (
            spot.under(play_answer(layout, spot.best), **plain),
            spot.under(play_answer(layout, wrong), **plain),
        ),
    )


def counting(spot: Spot) -> bool:
    """A few card points decide: the best choice has no more than three to spare, and the wrong one
    is no more than three short.

    With three points less in its count the best choice would be worth less, and with three more
    the wrong one would be worth as much as the best; or the same with the other side's count.
    """
    return spot.mostly(lambda layout, wrong: _is_close(spot, layout, wrong), spot.wrong[0])


def _is_close(spot: Spot, layout: Position, wrong: Answer) -> bool:
    case = spot.case(layout, wrong)
    after, best_after = case.after, case.best_after
    if after.over is not None or best_after.over is not None:
        return False
    for mine, theirs in ((CLOSE_COUNT, 0), (0, -CLOSE_COUNT)):
        less = case.with_points(best_after, mine=-mine, theirs=-theirs)
        more = case.with_points(after, mine=mine, theirs=theirs)
        if less is None or more is None:
            continue
        if spot.worth(less) < case.best_value <= spot.worth(more):
            return True
    return False
