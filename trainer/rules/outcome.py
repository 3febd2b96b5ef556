"""How a deal ends and what it is worth, in game points.

Foster, Sixty-Six, Announcing Sixty-six and Closing.
"""

from __future__ import annotations

from trainer.rules.position import SIDE_NAMES, Closing, Outcome, Side, Table
from trainer.rules.variants import Penalty, Variant


def value_against(table: Table, card_points: int, tricks: int) -> int:
    """Return what a win is worth against a side with so many card points and tricks: 1, 2 or 3.

    3 when it is schwarz, 2 when it is schneider (Foster, Sixty-Six, Objects).
    """
    row = table.variant
    if (tricks if row.schwarz == "tricks" else card_points) == 0:
        return 3
    return 2 if card_points < row.schneider else 1


def penalty(table: Table, rule: Penalty, culprit: Side, tricks: int) -> int:
    """Return what a culprit's failure is worth to the other side, who had so many tricks.

    2, or 3 for a side without a trick (Foster, Sixty-Six, Closing); always 2; or double what the
    culprit's own count would lose him (Russian chapter, Closing).
    """
    match rule:
        case "two or three":
            return 2 if tricks else 3
        case "two":
            return 2
        case "double":
            return 2 * value_against(table, table.card_points[culprit], table.tricks[culprit])


def award(table: Table, winner: Side, game_points: int, reason: str) -> Outcome:
    """Return the outcome for a winner: what is carried added, capped by what the match needs."""
    total = game_points + table.carry
    if table.match is not None:
        total = min(total, table.variant.match_length - table.match[winner])
    return Outcome(winner, total, reason)


def settle_success(table: Table, winner: Side) -> Outcome:
    """Return the outcome when a side has ``goal`` card points and its count stands."""
    row, other = table.variant, 1 - winner
    closed = table.closed
    if closed is not None and closed.side == winner and row.success_valued == "closing":
        points, tricks = closed.card_points, closed.tricks
    else:
        points, tricks = table.card_points[other], table.tricks[other]
    worth = value_against(table, points, tricks)
    state = {1: "is out of schneider", 2: "is schneider", 3: "is schwarz"}[worth]
    return award(
        table,
        winner,
        worth,
        f"{SIDE_NAMES[winner]} has {table.card_points[winner]} and {SIDE_NAMES[other]} {state}",
    )


def settle_failed_close(table: Table, closed: Closing, rule: Penalty) -> Outcome:
    """Return the outcome when the closer has failed, by the penalty for his way of failing.

    The other side's tricks are those of the moment of closing.
    """
    worth = penalty(table, rule, closed.side, closed.tricks)
    if table.variant.trickless_close and not closed.tricks:
        worth = table.variant.trickless_close
    return award(table, 1 - closed.side, worth, f"{SIDE_NAMES[closed.side]} closed and failed")


def settle_claim(table: Table, claimant: Side) -> Outcome:
    """Return the outcome of announcing 66, right or wrong.

    In a closed hand a right claim of the other side, and a wrong claim of the closer, end the
    closer's attempt.
    """
    row, other = table.variant, 1 - claimant
    right = table.card_points[claimant] >= row.goal
    closed = table.closed
    if closed is not None and (closed.side == claimant) != right:
        rule = row.beaten_close if right else row.closers_false_claim
        return settle_failed_close(table, closed, rule)
    if right:
        return settle_success(table, claimant)
    return award(
        table,
        other,
        penalty(table, row.false_claim, claimant, table.tricks[other]),
        f"{SIDE_NAMES[claimant]} announced {row.goal} with only {table.card_points[claimant]}",
    )


def last_trick_points(row: Variant, stock_left: int) -> int:
    """Return what the last trick counts when no card is left in hand, in card points.

    In a closed hand, where cards of the stock were never played, most games give nothing for it
    (Foster, Sixty-Six, Closing).
    """
    return row.last_trick if row.last_trick_closed or not stock_left else 0


def settle_played_out(table: Table) -> Outcome:
    """Return the outcome when every card has been played and nobody has announced.

    ``turn`` is the winner of the last trick, whose points are in the counts already. A closer who
    is short has failed whatever the other side holds. Otherwise, as the variant has it, the deal
    goes to the side that alone has reached the goal (Foster, Sixty-Six, Announcing Sixty-six), to
    the higher count, or to the last trick; with none of these nobody scores.
    """
    row, closed = table.variant, table.closed
    reached = [points >= row.goal for points in table.card_points]
    if closed is not None:
        in_time = table.turn == closed.side or not row.closer_needs_last_trick
        if not reached[closed.side] or not in_time:
            return settle_failed_close(table, closed, row.failed_close)
        if row.closer_needs_last_trick:
            return settle_success(table, closed.side)
    elif row.played_out == "last trick":
        winner = table.turn
        return award(table, winner, 1, f"{SIDE_NAMES[winner]} has won the last trick")
    elif row.played_out == "higher":
        south, north = table.card_points
        if south != north:
            return settle_success(table, 0 if south > north else 1)
        return Outcome(None, 0, "both have the same count")
    if reached[0] == reached[1]:
        return Outcome(None, 0, "both have reached" if reached[0] else "nobody has reached")
    return settle_success(table, reached.index(True))
