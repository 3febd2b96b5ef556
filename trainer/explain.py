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


def sentence(report: Report, choice: Choice) -> str:
    """Return one sentence on what a choice is worth and what was better, in game points."""
    if isinstance(report.table, View):
        return _as_seen(report, choice)
    return _face_up(report, choice)


def _better(report: Report) -> str:
    label = label_answer(report.best.answer, report.table)
    return label[0].lower() + label[1:]


def _face_up(report: Report, choice: Choice) -> str:
    worth = f"{points_text(choice.game_points)} game points"
    if choice.best:
        if choice.game_points > 0:
            return f"This is worth {worth} against any defence."
        return f"Nothing does better: {worth} against best play."
    return (
        f"This is worth {worth}; {_better(report)} would have been worth "
        f"{points_text(report.best.game_points)}."
    )


def _as_seen(report: Report, choice: Choice) -> str:
    error = "" if choice.stderr is None else f" ± {choice.stderr:.2f}"
    worth = (
        f"wins in {_share(report, choice)}, "
        f"{points_text(choice.game_points)}{error} game points on average"
    )
    if choice.best:
        return f"This {worth}; no choice does better."
    best = report.best
    return (
        f"This {worth}; {_better(report)} wins in {_share(report, best)}, "
        f"{points_text(best.game_points)} on average."
    )


def _share(report: Report, choice: Choice) -> str:
    """Return in how many layouts a choice wins, as words: ``434 of 462 hands``."""
    if choice.status == "sampled":
        unit = "sampled layouts"
    elif isinstance(report.table, View) and choice.layouts == count_hands(report.table):
        unit = "hands"
    else:
        unit = "layouts"
    return f"{choice.wins} of {choice.layouts} {unit}"
