"""How a deal ends and what it is worth, in game points.

Foster, Sixty-Six, Announcing Sixty-six and Closing.
"""

from __future__ import annotations

from trainer.rules.position import SIDE_NAMES, Closing, Outcome, Position, Side, Table


def value_against(table: Table, card_points: int, tricks: int) -> int:
    """Return what a win is worth against a side with so many card points and tricks: 1, 2 or 3.

    3 when it is schwarz, 2 when it is schneider (Foster, Sixty-Six, Objects).
    """
    row = table.variant
    if (tricks if row.schwarz == "tricks" else card_points) == 0:
        return 3
    return 2 if card_points < row.schneider else 1


def penalty(tricks: int) -> int:
    """Return what a failed close or a false claim gives the other side, who had so many tricks.

    2, or 3 for a side without a trick (Foster, Sixty-Six, Closing).
    """
    return 2 if tricks else 3


def award(table: Table, winner: Side, game_points: int, reason: str) -> Outcome:
    """Return the outcome for a winner: what is carried added, capped by what the match needs."""
    total = game_points + table.carry
    if table.match is not None:
        total = min(total, table.variant.match_length - table.match[winner])
    return Outcome(winner, total, reason)


def settle_success(position: Position, winner: Side) -> Outcome:
    """Return the outcome when a side has ``goal`` card points and its count stands."""
    row, other = position.variant, 1 - winner
    closed = position.closed
    if closed is not None and closed.side == winner and row.success_valued == "closing":
        points, tricks = closed.card_points, closed.tricks
    else:
        points, tricks = position.card_points[other], position.tricks[other]
    worth = value_against(position, points, tricks)
    state = {1: "is out of schneider", 2: "is schneider", 3: "is schwarz"}[worth]
    return award(
        position,
        winner,
        worth,
        f"{SIDE_NAMES[winner]} has {position.card_points[winner]} and {SIDE_NAMES[other]} {state}",
    )


def settle_failed_close(table: Table, closed: Closing) -> Outcome:
    """Return the outcome when the closer has failed: valued at the moment of closing."""
    return award(
        table,
        1 - closed.side,
        penalty(closed.tricks),
        f"{SIDE_NAMES[closed.side]} closed and failed",
    )


def settle_claim(position: Position, claimant: Side) -> Outcome:
    """Return the outcome of announcing 66, right or wrong.

    In a closed hand a right claim of the other side, and a wrong claim of the closer, are a failed
    close.
    """
    other = 1 - claimant
    right = position.card_points[claimant] >= position.variant.goal
    closed = position.closed
    if closed is not None and (closed.side == claimant) != right:
        return settle_failed_close(position, closed)
    if right:
        return settle_success(position, claimant)
    return award(
        position,
        other,
        penalty(position.tricks[other]),
        f"{SIDE_NAMES[claimant]} announced {position.variant.goal} with only "
        f"{position.card_points[claimant]}",
    )


def settle_played_out(position: Position) -> Outcome:
    """Return the outcome when every card has been played and nobody has announced.

    The last trick's points are in the counts already. If exactly one side has ``goal`` it scores;
    if both or neither, nobody does and the next deal's winner adds 1. A closer who is short has
    failed whatever the other side holds (Foster, Sixty-Six, Announcing Sixty-six).
    """
    goal = position.variant.goal
    reached = [points >= goal for points in position.card_points]
    closed = position.closed
    if closed is not None and not reached[closed.side]:
        return settle_failed_close(position, closed)
    if reached[0] == reached[1]:
        return Outcome(None, 0, "both have reached" if reached[0] else "nobody has reached")
    return settle_success(position, reached.index(True))
