"""Pictures of what the search has counted, for the lessons.

Every figure has its unit on it, says what it shows in a text for screen readers (its label), and
tells results apart by pattern and number as well as by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from trainer.explain import points_text, worth_text
from trainer.rules.cards import RANKS, SUIT_SYMBOLS, Card, Hand, rank_of, suit_of

LOOKS = {
    3: ("#2b7a4b", "", "white"),
    2: ("#7fb894", "", "white"),
    1: ("#d3e8da", "...", "#4c7a5f"),
    0: ("#bbbbbb", "", "white"),
    -1: ("#d9a441", "\\\\\\", "white"),
    -2: ("#c8553d", "///", "white"),
    -3: ("#8c2d19", "xxx", "white"),
}
"""How a result is filled: colour, pattern, and the colour of the pattern."""
NARROW = 0.03
"""A part of a bar that is less than this of the longest one has no room for its number."""


def _look(value: int) -> tuple[str, str, str]:
    return LOOKS[max(-3, min(value, 3))]


def results_chart(groups: Mapping[str, Mapping[int, int]], unit: str = "hands") -> Figure:
    """Return a bar for each group, cut by result: game points to how many of ``unit``."""
    values = sorted({value for counts in groups.values() for value in counts}, reverse=True)
    figure = Figure(figsize=(7.5, 0.9 + 0.5 * len(groups)), layout="constrained")
    axes = figure.subplots()
    longest = max(sum(counts.values()) for counts in groups.values())
    for row, counts in enumerate(groups.values()):
        left = 0
        for value in values:
            width = counts.get(value, 0)
            if not width:
                continue
            colour, pattern, edge = _look(value)
            axes.barh(
                row, width, left=left, height=0.7, color=colour, hatch=pattern, edgecolor=edge
            )
            left += width
            if width < longest * NARROW:
                continue
            axes.text(
                left - width / 2,
                row,
                str(width),
                ha="center",
                va="center",
                fontsize=9,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
            )
    axes.set_yticks(range(len(groups)), list(groups))
    axes.invert_yaxis()
    axes.set_xlabel(f"number of {unit}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    handles = [
        Patch(facecolor=colour, hatch=pattern, edgecolor=edge, label=worth_text(value))
        for value in values
        for colour, pattern, edge in [_look(value)]
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(values), frameon=False)
    figure.set_label(
        "; ".join(
            f"{name}: "
            + ", ".join(f"{counts[v]} {unit} at {points_text(v)}" for v in values if counts.get(v))
            for name, counts in groups.items()
        )
    )
    return figure


def hands_chart(hands: Sequence[Hand], cards: Sequence[Card], holder: str = "North") -> Figure:
    """Return a grid: a column for each hand, a row for each card, a square where it is held."""
    figure = Figure(figsize=(7.5, 0.8 + 0.26 * len(cards)), layout="constrained")
    axes = figure.subplots()
    for row, card in enumerate(cards):
        held = [column for column, hand in enumerate(hands) if hand >> card & 1]
        axes.scatter(held, [row] * len(held), marker="s", s=42, color="#333333")
    names = [
        f"{SUIT_SYMBOLS[suit_of(card)]}{RANKS[rank_of(card)].replace('T', '10')}" for card in cards
    ]
    axes.set_yticks(range(len(cards)), names)
    axes.set_ylim(len(cards) - 0.4, -0.6)
    axes.set_xlim(-0.7, len(hands) - 0.3)
    axes.set_xticks(range(0, len(hands), 5), [str(n + 1) for n in range(0, len(hands), 5)])
    axes.set_xlabel(f"hands that {holder} can hold, one a column")
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    counted = {
        name: sum(hand >> card & 1 for hand in hands)
        for name, card in zip(names, cards, strict=True)
    }
    figure.set_label(
        f"{len(hands)} hands that {holder} can hold. How many of them hold each card: "
        + ", ".join(f"{name} {count}" for name, count in counted.items())
    )
    return figure
