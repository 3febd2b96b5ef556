"""What a choice comes to: the counts it leads to, and what they cost or save.

Each function looks at one choice beside the best one and returns its reason, None where it does not
hold. "Comes to" is exact: the side can reach so many card points against any defence, and no more.
"""

from __future__ import annotations

from trainer.explain.case import Case, Reason, least
from trainer.explain.words import card_points, counted, number
from trainer.rules.outcome import last_trick_points
from trainer.search import play_answer

FURTHEST = 12
"""Card points by which a count is still said to be short."""
FAR = 30
"""The same in a closed hand, and for leaving schneider."""


def tie(case: Case) -> Reason | None:
    """Nobody scores, where the best choice wins."""
    return Reason("tie", *_tied(case)) if case.value == 0 < case.best_value else None


def tie_saved(case: Case) -> Reason | None:
    """Nobody scores, and nothing does better."""
    return Reason("tie saved", *_tied(case)) if case.value == 0 == case.best_value else None


def _tied(case: Case) -> tuple[str, dict[str, object]]:
    """Return how a deal ends in which nobody scores: the sentence, and its facts."""
    end = play_answer(case.after, case.solver.principal_variation(case.after))
    mine, theirs = end.card_points[case.me], end.card_points[case.other]
    goal = case.row.goal
    text = (
        f"Nobody scores: the deal ends at {mine} to {theirs}, neither side at {goal}."
        if max(mine, theirs) < goal
        else f"Nobody scores: both sides have {goal} after the last trick."
    )
    return text, {"answer": case.answer, "reached": max(mine, theirs) >= goal}


def no_trick(case: Case) -> Reason | None:
    """The side stays without a trick, or without a card point where that is what counts."""
    level = case.level(case.value)
    if level != -3 or case.closed_by(case.me) or case.best_value == case.value:
        return None
    lacking = "trick" if case.row.schwarz == "tricks" else "card point"
    text = f"You do not get a single {lacking}, so {case.north} scores {-case.value}."
    return Reason("no trick", text, {"answer": case.answer})


def in_schneider(case: Case) -> Reason | None:
    """The side stays below 33, where the best choice gets out."""
    if case.level(case.value) != -2 or case.closed_by(case.me) or case.closed_by(case.other):
        return None
    if not case.value < case.best_value < 0 or not case.after.tricks[case.me]:
        return None
    goal = case.row.schneider
    short = least(
        min(FAR, goal - 1),
        lambda k: case.under(case.after, schneider=goal - k) >= case.best_value,
    )
    if short is None:
        return None
    text = (
        f"You come to {goal - short}, {number(short)} short of {goal}, "
        f"so {case.north} scores {-case.value} instead of {-case.best_value}."
    )
    return Reason("in schneider", text, {"answer": case.answer, "count": goal - short})


def schwarz_lost(case: Case) -> Reason | None:
    """The other side wins a trick, where the best choice leaves it none."""
    if case.level(case.best_value) != 3 or not 0 < case.value < case.best_value:
        return None
    lacking = "trick" if case.row.schwarz == "tricks" else "card point"
    text = (
        f"{case.north} gets a {lacking}, so the win is worth {case.value} "
        f"instead of {case.best_value}."
    )
    return Reason("schwarz lost", text, {"answer": case.answer})


def schneider_lost(case: Case) -> Reason | None:
    """The other side comes to 33, where the best choice keeps it below."""
    if case.level(case.value) != 1 or case.value == case.best_value:
        return None
    if case.closed_by(case.me) and case.row.success_valued == "closing":
        return None
    goal = case.row.schneider
    over = least(FAR, lambda k: case.under(case.after, schneider=goal + k) > case.value)
    if over is None:
        return None
    count = goal + over - 1
    text = (
        f"{case.north} comes to {count}, out of schneider, so the win is worth {case.value} "
        f"instead of {case.best_value}."
    )
    return Reason("schneider lost", text, {"answer": case.answer, "count": count})


def last_trick_ten(case: Case) -> Reason | None:
    """The card points of the last trick decide against the choice."""
    worth = last_trick_points(case.row, len(case.after.stock))
    if case.after.over is not None or case.after.open_stock or not worth:
        return None
    if case.row.played_out != "goal":
        return None
    if case.under(case.after, last_trick=0) < case.best_value:
        return None
    text = f"{case.north} needs the {card_points(worth)} of the last trick, and wins it."
    return Reason("last trick's ten", text, {"answer": case.answer, "points": worth})


def last_trick(case: Case) -> Reason | None:
    """The last trick wins the deal, and the other side wins it."""
    after = case.after
    if case.row.played_out != "last trick" or after.closed is not None or after.over is not None:
        return None
    if case.value >= 0 or case.best_value <= 0 or after.open_stock:
        return None
    if case.under(after, played_out="goal") < 0:
        return None
    text = (
        f"{case.north} does not need {case.row.goal}: the last trick decides, "
        f"and it goes to {case.north}."
    )
    return Reason("last trick", text, {"answer": case.answer})


def short_count(case: Case) -> Reason | None:
    """The side comes close to 66 and no further."""
    short = _short(case)
    if short is None:
        return None
    goal = case.row.goal
    text = f"You come to {goal - short}, {number(short)} short of {goal}"
    facts = {"answer": case.answer, "count": goal - short}
    if case.closed_by(case.me):
        text += f", and the failed close costs {-case.value}"
        return Reason("failed close", f"{text}.", facts)
    return Reason("count", f"{text}.", facts)


def _short(case: Case) -> int | None:
    """Return by how many card points the side misses the goal, None where that is not exact."""
    after = case.after
    if not case.best_value > 0 > case.value or case.closed_by(case.other):
        return None
    if after.over is not None or not after.tricks[case.me]:
        return None

    def home(extra: int, **columns: str) -> int:
        changed = case.with_points(after, mine=extra)
        assert changed is not None
        return case.under(changed, **columns)

    most = FAR if case.closed_by(case.me) else FURTHEST
    short = least(most, lambda extra: home(extra) > 0)
    if short is None:
        return None
    # In a game where the last trick or the higher count can win, only the goal is meant here.
    exact = home(short, played_out="goal") > 0 > home(short - 1, played_out="goal")
    return short if exact else None


def failed_close(case: Case) -> Reason | None:
    """A close that fails, and what it costs."""
    closed = case.after.closed
    if closed is None or closed.side != case.me or case.value >= 0:
        return None
    cost = -case.value
    if "double" in (case.row.failed_close, case.row.beaten_close):
        why = f": a failed close pays {case.north} double"
    else:
        had = counted(closed.tricks, "trick")
        why = f": {case.north} had {had} when the stock was closed"
    text = f"The close fails and costs {cost}{why}."
    return Reason("cost of closing", text, {"answer": case.answer, "cost": cost})


def north_home(case: Case) -> Reason | None:
    """The other side wins the deal in a few tricks whatever is played."""
    after = case.after
    if case.value >= 0 or case.best_value < 0 or after.over is not None:
        return None
    if case.closed_by(case.me):
        return None
    tricks = case.home_in(after, case.other, 3)
    if tricks is None or _ends_by_last_card(case):
        return None
    north, goal = case.north, case.row.goal
    if tricks == 0:
        text = f"{north} announces {goal} at once."
    elif after.led is not None and tricks == 1:
        text = f"{north} has {goal} with this very trick."
    else:
        text = f"{north} reaches {goal} {_within(tricks)}, whatever you play."
    return Reason("North home", text, {"answer": case.answer, "tricks": tricks})


def _within(tricks: int) -> str:
    """Return how soon a side is home."""
    if tricks < 2:
        return "with one more trick" if tricks else "at once"
    return f"within {number(tricks)} tricks"


def _ends_by_last_card(case: Case) -> bool:
    """Return whether a deal can be won here without the goal."""
    return case.row.played_out != "goal" and case.under(case.after, played_out="goal") >= 0


def north_count(case: Case) -> Reason | None:
    """The other side gets home with little to spare, where the best choice keeps it short."""
    after = case.after
    if case.value >= 0 or case.best_value <= 0 or after.over is not None:
        return None
    if case.closed_by(case.me) or not after.tricks[case.other]:
        return None
    if case.row.played_out != "goal" and not case.closed_by(case.other):
        return None
    most = min(FURTHEST, after.card_points[case.other] - 1)
    if most < 1:
        return None

    def short(less: int) -> int:
        changed = case.with_points(after, theirs=-less)
        assert changed is not None
        return case.worth(changed)

    less = least(most, lambda less: short(less) > 0)
    if less is None or (less > 1 and short(less - 1) >= 0):
        return None
    count = case.row.goal + less - 1
    spare = "no more than it takes" if less == 1 else f"{number(less - 1)} more than it takes"
    text = f"{case.north} comes to {count}, {spare}."
    return Reason("North's count", text, {"answer": case.answer, "count": count})


# ------------------------------------------------------------------------------ of a right choice


def home(case: Case) -> Reason | None:
    """The side wins the deal in a few tricks whatever the other plays."""
    if case.value <= 0 or case.after.over is not None:
        return None
    if case.closed_by(case.other) or _ends_by_last_card(case):
        return None
    tricks = case.home_in(case.after, case.me, 3)
    if tricks is None:
        return None
    goal = case.row.goal
    text = f"You reach {goal} {_within(tricks)}, whatever {case.north} plays."
    return Reason("home", text, {"answer": case.answer, "tricks": tricks})


def schwarz_kept(case: Case) -> Reason | None:
    """The other side is left without a trick."""
    if case.level(case.value) != 3 or case.closed_by(case.other):
        return None
    closed = case.after.closed
    if closed is not None and case.row.success_valued == "closing":
        return None
    lacking = "trick" if case.row.schwarz == "tricks" else "card point"
    text = f"{case.north} does not get a single {lacking}: the win is worth {case.value}."
    return Reason("schwarz kept", text, {"answer": case.answer})


def schneider_kept(case: Case) -> Reason | None:
    """The other side is kept below 33."""
    if case.level(case.value) != 2 or case.closed_by(case.other) or case.after.over is not None:
        return None
    if case.after.closed is not None and case.row.success_valued == "closing":
        return None
    goal = case.row.schneider
    spare = least(goal - 1, lambda k: case.under(case.after, schneider=goal - k) < case.value)
    if spare is None:
        return None
    count = goal - spare
    text = f"{case.north} comes to {count} and no further: schneider, a win worth {case.value}."
    return Reason("schneider kept", text, {"answer": case.answer, "count": count})


def schneider_saved(case: Case) -> Reason | None:
    """The side loses the deal but gets out of schneider."""
    if case.level(case.value) != -1 or case.after.over is not None:
        return None
    if case.closed_by(case.me) or case.closed_by(case.other):
        return None
    goal = case.row.schneider
    spare = least(FAR, lambda k: case.under(case.after, schneider=goal + k) < case.value)
    if spare is None:
        return None
    count = goal + spare - 1
    text = (
        f"The deal is lost, but you come to {count}, out of schneider: "
        f"{case.north} scores {-case.value}."
    )
    return Reason("schneider saved", text, {"answer": case.answer, "count": count})


def schwarz_saved(case: Case) -> Reason | None:
    """The side loses the deal but gets its first trick, or card point."""
    if case.level(case.value) != -2 or case.closed_by(case.me) or case.closed_by(case.other):
        return None
    by_tricks = case.row.schwarz == "tricks"
    if (case.position.tricks if by_tricks else case.position.card_points)[case.me]:
        return None
    lacking = "trick" if by_tricks else "card point"
    text = f"The deal is lost, but you get a {lacking}: {case.north} scores {-case.value}."
    return Reason("schwarz saved", text, {"answer": case.answer})


def lost(case: Case) -> Reason | None:
    """The other side wins the deal in a few tricks whatever is played."""
    if case.value >= 0 or case.after.over is not None or case.closed_by(case.me):
        return None
    if _ends_by_last_card(case):
        return None
    tricks = case.home_in(case.after, case.other, 3)
    if not tricks:
        return None
    text = f"Nothing does better: {case.north} reaches {case.row.goal} {_within(tricks)}."
    return Reason("lost", text, {"answer": case.answer, "tricks": tricks})
