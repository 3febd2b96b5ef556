"""What the page of the puzzles tells of the collection: tables, and pictures of them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trainer.mining.finding import FEWEST_CARDS, GAP, MOST_HANDS, SELDOM
from trainer.puzzles import LEVELS, PuzzleError, Statistics, installed_puzzles, load
from trainer.puzzles import statistics as count
from trainer.rules.variants import VARIANTS
from trainer.themes import NAMES

LOOKS = (("#2b7a4b", ""), ("#d9a441", "///"), ("#47617a", "..."), ("#c8553d", "xxx"))
"""How the parts of a bar are filled: colour and pattern, so that neither is needed alone."""
STATUS = {
    "exact": "every layout counted, and where cards are concealed the best plan known",
    "average": "every layout counted, some choices only as if the cards were seen",
    "sampled": "some choices counted over a sample of the layouts",
}


def statistics() -> tuple[str, dict[str, str]]:
    """Return the text, in Markdown, and its pictures by their names."""
    try:
        found = count(load(installed_puzzles()))
    except PuzzleError:
        return "The collection is empty.", {}
    games, difficulty, themes = by_game(found), by_difficulty(found), by_theme(found)
    pictures = {
        "pictures/games.svg": bars(games, "number of puzzles"),
        "pictures/difficulty.svg": bars(difficulty, "number of puzzles"),
        "pictures/themes.svg": bars(themes, "number of puzzles"),
    }
    parts = [
        "## What is kept",
        "A position that was found is kept if the careless player, who takes all there is to be "
        "had in a trick, gets it wrong, if there is a theme in it, and if the best choices are "
        f"worth more than the others: a game point more with all cards seen, {GAP} on average with "
        f"cards concealed. South holds {FEWEST_CARDS} cards or more, and North can hold no more "
        f"than {MOST_HANDS} different hands. Positions that differ in the names of the plain suits "
        "or in dead cards are one puzzle. For themes that come up seldom "
        f"({', '.join(sorted(SELDOM))}) it is enough that the forgetful player gets it wrong, who "
        "does not exchange, declare or show.",
        f"Puzzles in the collection: **{found.puzzles:,}**; with concealed cards: "
        f"**{found.concealed:,}**, or {found.concealed_share:.0%}. Found by the program: "
        f"{found.mined:,}; from books and rules: {found.puzzles - found.mined:,}.",
        "## By game and difficulty",
        picture("games", games),
        picture("difficulty", difficulty),
        "\n".join(game_table(found)),
        "## By theme",
        picture("themes", themes),
        f"A puzzle is counted once for each of its themes; without any: {found.unthemed:,}.",
        "\n".join(theme_table(found)),
        "## How sure the values are",
        "\n".join(status_table(found)),
    ]
    return "\n\n".join(parts), pictures


Bars = dict[str, dict[str, int]]
"""A bar for each key, cut into named parts."""


def by_game(found: Statistics) -> Bars:
    """Return the puzzles of each game, those with concealed cards apart."""
    return {
        row.title: {
            "all cards seen": found.by_variant[name] - found.concealed_by_variant[name],
            "cards concealed": found.concealed_by_variant[name],
        }
        for name, row in VARIANTS.items()
    }


def by_difficulty(found: Statistics) -> Bars:
    """Return the puzzles of each level, the games apart."""
    return {
        f"level {level}": {
            row.title: found.by_variant_and_difficulty[name, level]
            for name, row in VARIANTS.items()
        }
        for level in LEVELS
    }


def by_theme(found: Statistics) -> Bars:
    """Return the puzzles of each theme, the most frequent first."""
    ranked = sorted(found.by_theme.items(), key=lambda item: -item[1])
    return {theme: {"puzzles": number} for theme, number in ranked}


def game_table(found: Statistics) -> Iterator[str]:
    """Yield the rows of a table: games by difficulty."""
    yield f"| Game | {' | '.join(f'level {level}' for level in LEVELS)} | all | cards concealed |"
    yield f"| --- |{' --: |' * (len(LEVELS) + 2)}"
    for name, row in VARIANTS.items():
        cells = [found.by_variant_and_difficulty[name, level] for level in LEVELS]
        cells += [found.by_variant[name], found.concealed_by_variant[name]]
        yield f"| {row.title} | {' | '.join(f'{cell:,}' for cell in cells)} |"
    cells = [*found.by_difficulty.values(), found.puzzles, found.concealed]
    yield f"| **all** | {' | '.join(f'{cell:,}' for cell in cells)} |"


def theme_table(found: Statistics) -> Iterator[str]:
    """Yield the rows of a table: what each theme is, and how many puzzles have it."""
    yield "| Theme | What it is | Puzzles | Share |"
    yield "| --- | --- | --: | --: |"
    for theme, number in sorted(found.by_theme.items(), key=lambda item: -item[1]):
        yield f"| {theme} | {NAMES[theme]} | {number:,} | {found.theme_share(theme):.1%} |"


def status_table(found: Statistics) -> Iterator[str]:
    """Yield the rows of a table: how many puzzles are solved in which way."""
    yield "| Values | Puzzles |"
    yield "| --- | --: |"
    for status, number in found.by_status.items():
        yield f"| *{status}*: {STATUS[status]} | {number:,} |"


def bars(bars: Mapping[str, Mapping[str, int]], unit: str) -> str:
    """Return a picture of bars as SVG, each cut into its parts, with the numbers beside them."""
    names = [bar.replace(" after ", "\nafter ") for bar in bars]
    tall = any("\n" in name for name in names)
    figure = Figure(figsize=(5.2, 1.1 + (0.42 if tall else 0.3) * len(bars)), layout="constrained")
    axes = figure.subplots()
    parts = list(dict.fromkeys(part for bar in bars.values() for part in bar))
    left = dict.fromkeys(bars, 0)
    for part, (colour, pattern) in zip(parts, LOOKS, strict=False):
        widths = [bar.get(part, 0) for bar in bars.values()]
        axes.barh(
            range(len(bars)),
            widths,
            left=list(left.values()),
            height=0.7,
            color=colour,
            hatch=pattern,
            edgecolor="white",
            label=part,
        )
        left = {name: left[name] + bar.get(part, 0) for name, bar in bars.items()}
    for row, total in enumerate(left.values()):
        axes.annotate(
            f"{total:,}", (total, row), xytext=(4, 0), textcoords="offset points", va="center"
        )
    axes.set_yticks(range(len(bars)), names)
    axes.invert_yaxis()
    axes.margins(x=0.08, y=0.5 / len(bars))
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    if len(parts) > 1:
        figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize="small")
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "book"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def picture(name: str, bars: Mapping[str, Mapping[str, int]]) -> str:
    """Return a picture in Markdown, with what it shows in words for those who do not see it."""
    told = "; ".join(f"{bar}: {sum(parts.values())}" for bar, parts in bars.items())
    return f"![Number of puzzles: {told}. The table below tells more.](pictures/{name}.svg)"
