"""Why, in words: plain sentences made of figures that search has found."""

from __future__ import annotations

from trainer.grading import Choice, Report
from trainer.notation import label_answer
from trainer.rules.position import View, count_hands


def points_text(game_points: float) -> str:
    """Return game points with their sign: ``+2``, ``-0.63``, ``0``."""
    if game_points == 0:
        return "0"
    text = f"{game_points:+.2f}" if game_points != int(game_points) else f"{int(game_points):+d}"
    return text.replace("-", "−")


def worth_text(game_points: float) -> str:
    """Return game points with their unit: ``+1 game point``, ``-0.63 game points``."""
    return f"{points_text(game_points)} game point{'' if abs(game_points) == 1 else 's'}"


def sentence(report: Report, choice: Choice) -> str:
    """Return one sentence on what a choice is worth and what was better, in game points."""
    if isinstance(report.table, View):
        return _as_seen(report, choice)
    return _face_up(report, choice)


def _better(report: Report) -> str:
    label = label_answer(report.best.answer, report.table)
    return label[0].lower() + label[1:]


def _face_up(report: Report, choice: Choice) -> str:
    worth = worth_text(choice.game_points)
    if choice.best:
        if choice.game_points > 0:
            return f"This is worth {worth} against any defence."
        return f"Nothing does better: {worth} against best play."
    return (
        f"This is worth {worth}; to {_better(report)} is worth "
        f"{points_text(report.best.game_points)}."
    )


def _as_seen(report: Report, choice: Choice) -> str:
    error = "" if choice.stderr is None else f" ± {choice.stderr:.2f}"
    this = (
        f"This wins {_share(report, choice)} and averages "
        f"{points_text(choice.game_points)}{error} game points"
    )
    if choice.best:
        return f"{this}; no choice does better."
    best = report.best
    more = f"{_share(report, best)}, {points_text(best.game_points)} on average"
    if choice.mark == "~":
        return f"{this}; to {_better(report)} ({more}) is not certain to be better."
    return f"{this}; better is to {_better(report)}: {more}."


def _share(report: Report, choice: Choice) -> str:
    """Return in how many layouts a choice wins, as words: ``434 of 462 hands``."""
    if choice.status == "sampled":
        unit = "sampled layouts"
    elif isinstance(report.table, View) and choice.layouts == count_hands(report.table):
        unit = "hands"
    else:
        unit = "layouts"
    return f"{choice.wins} of {choice.layouts} {unit}"
