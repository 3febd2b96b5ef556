"""The tables of rules/differences.md, told in words from the rows the program plays by.

``make book-tables`` runs this file, which writes the tables between the two marks of the page. A
test holds the page against the rows, so neither changes without the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from trainer.rules.cards import RANK_NAMES, RANKS
from trainer.rules.variants import (
    SWITCHES,
    VARIANTS,
    Duty,
    Moment,
    Penalty,
    Variant,
    variant_named,
)

PAGE = Path(__file__).parent / "rules" / "differences.md"
BEGIN = "<!-- From here on written by `make book-tables` from trainer/rules/variants.py. -->"
END = "<!-- Up to here written by `make book-tables`. -->"
GAME_OF = {
    "R66": "foster66",
    "RRU": "russian66",
    "RDE": "german66",
    "RSC": "schnapsen",
}
"""Which game a ruling is about, by the first part of its name."""


class Line(NamedTuple):
    """One line of the table."""

    about: str
    """What the line is about; lines that follow each other share it."""
    detail: str
    tell: Callable[[Variant], str]
    """Returns what a game has here, in words."""
    rulings: str = ""
    """Names of the rulings behind the line, with spaces between."""

    def label(self, shared: bool = False) -> str:
        """Return what stands at the head of the line, short if the line above shares it."""
        if shared:
            return f"… {self.detail}"
        return f"**{self.about}**, {self.detail}" if self.detail else f"**{self.about}**"


def rank_name(rank: str) -> str:
    """Return the name of a rank: ``Ace`` for A."""
    return RANK_NAMES[RANKS.index(rank)]


def pack(row: Variant) -> str:
    """Return how many cards there are, and which."""
    return f"{row.pack_size} cards, {rank_name(row.ranks[0])} to {rank_name(row.ranks[-1])}"


def card_points(row: Variant) -> str:
    """Return the ranks from the top, each with what it counts."""
    ranked = zip(row.ranks, row.points, strict=True)
    return ", ".join(f"{rank_name(rank)} {points}" for rank, points in ranked)


def exchange_open(moment: Moment) -> Callable[[Variant], str]:
    """Return a teller: whether one may exchange at a moment while the stock is open."""

    def tell(row: Variant) -> str:
        if moment not in row.exchange_open:
            return "no"
        return "with a trick won" if row.exchange_trick else "yes, even without a trick"

    return tell


def exchange_closed(row: Variant) -> str:
    """Return who may exchange in a closed hand, and when."""
    if not row.exchange_closed:
        return "nobody"
    who = {"both": "both players", "closer": "the closer", "other": "the closer's opponent"}
    when = {"lead": "leading", "follow": "following", "undrawn": "undrawn"}
    moments = " or ".join(when[moment] for moment in row.exchange_closed)
    trick = "with a trick won" if row.exchange_closed_trick else "even without a trick"
    return f"{who[row.exchange_closed_by]}, {moments}, {trick}"


def duty(name: Duty) -> Callable[[Variant], str]:
    """Return a teller: whether the second player owes a duty."""
    return lambda row: "must" if name in row.duties else "need not"


def price(rule: Penalty, other: str, culprit: str, trickless: int = 0) -> str:
    """Return what a failure costs, in game points.

    ``other`` says that the other player is without a trick, and at what moment; ``trickless`` is
    the price in that case if the game sets one.
    """
    words = {"two": "2", "two or three": "2", "double": f"2, 4 or 6 by the {culprit}'s own count"}
    if trickless:
        return f"{trickless} if {other}, otherwise {words[rule]}"
    return f"2, or 3 if {other}" if rule == "two or three" else words[rule]


def closers_price(rule: Callable[[Variant], Penalty]) -> Callable[[Variant], str]:
    """Return a teller: what one way of failing costs a closer."""
    other = "the other had no trick when it was closed"
    return lambda row: price(rule(row), other, "closer", row.trickless_close)


def nobody(row: Variant) -> str:
    """Return what comes of a deal that nobody scores."""
    carried = "the next winner gets 1 more" if row.tie_carries else "nothing is carried"
    return f"nobody, and {carried}"


def one_has_it(row: Variant) -> str:
    """Return who scores an unannounced deal in which one player has reached the goal."""
    return {
        "goal": "that player, by the other's count",
        "higher": "the higher total, by the other's count",
        "last trick": "the winner of the last trick, 1",
    }[row.played_out]


def both_or_neither(row: Variant) -> str:
    """Return who scores an unannounced deal in which both players have reached it, or neither."""
    if row.played_out == "goal":
        return nobody(row)
    return one_has_it(row) + (f"; if equal, {nobody(row)}" if row.played_out == "higher" else "")


def closer_has_it(row: Variant) -> str:
    """Return who scores a closed hand played out unannounced whose closer has reached the goal."""
    if row.closer_needs_last_trick:
        return "the closer if he has won the last trick; otherwise he has failed"
    return f"the closer; if both have it, {nobody(row)}"


def last_trick(row: Variant) -> str:
    """Return what the last trick counts, in card points."""
    if not row.last_trick:
        return "nothing"
    return f"{row.last_trick}, {'also' if row.last_trick_closed else 'but not'} in a closed hand"


SCHWARZ = {"tricks": "no trick", "points": "no card points"}
VALUED = {"end": "at the end", "closing": "when it was closed"}

LINES = (
    Line("Pack", "", pack),
    Line("Card points", "from the highest card to the lowest", card_points),
    Line("Hand", "", lambda row: f"{row.hand_size} cards"),
    Line("Stock", "with the turn-up", lambda row: f"{row.stock_size} cards", "RSC-talon"),
    Line(
        "Next dealer",
        "",
        lambda row: "who scored" if row.winner_deals else "in turn",
        "R66-next-dealer RRU-next-dealer RDE-next-dealer",
    ),
    Line("Sixty-six", "the count that wins", lambda row: f"{row.goal} card points"),
    Line("Schneider", "2 game points", lambda row: f"fewer than {row.schneider} card points"),
    Line("Schwarz", "3 game points", lambda row: SCHWARZ[row.schwarz]),
    Line("Exchange", "the card", lambda row: f"the {rank_name(row.exchange_rank)} of trumps"),
    Line(
        "Exchange",
        "on lead, after the draw",
        exchange_open("lead"),
        "R66-exchange-trick RRU-exchange",
    ),
    Line(
        "Exchange",
        "on lead, before the draw",
        exchange_open("undrawn"),
        "R66-exchange-turn R66-exchange-end RRU-exchange RDE-exchange-time RSC-jack-time",
    ),
    Line(
        "Exchange",
        "while following",
        exchange_open("follow"),
        "R66-exchange-follower RRU-exchange",
    ),
    Line(
        "Exchange",
        "in a closed hand",
        exchange_closed,
        "R66-exchange-trick RRU-exchange RDE-closed-exchange",
    ),
    Line("Stock gone or closed", "follow suit", duty("follow")),
    Line("Stock gone or closed", "head the card led", duty("head"), "RRU-no-head"),
    Line("Stock gone or closed", "ruff when void", duty("trump"), "R66-void"),
    Line(
        "Marriage",
        "card points",
        lambda row: f"{row.marriage}, in trumps {row.royal_marriage}",
    ),
    Line(
        "Marriage",
        "with the stock gone or closed",
        lambda row: "counts" if row.marriage_late else "does not count",
        "R66-late-marriage RRU-late-marriage",
    ),
    Line(
        "Marriage",
        "laid open to win at once",
        lambda row: "on lead, drawn or not" if row.show_undrawn else "on lead, after the draw",
        "R66-show-lead RRU-no-show RRU-declared-66 RDE-as-schnapsen RSC-claim-time",
    ),
    Line("Last trick", "card points", last_trick, "RRU-last-trick"),
    Line(
        "Closing",
        "hidden cards that must be left in the stock",
        lambda row: f"{row.close_hidden} or more",
        "R66-close-last RRU-close-time RDE-as-schnapsen RSC-close-last",
    ),
    Line(
        "Closing",
        "before the draw",
        lambda row: "yes" if row.close_undrawn else "no",
        "RRU-close-time",
    ),
    Line(
        "Closing",
        "a success goes by the other's count",
        lambda row: VALUED[row.success_valued],
        "RRU-close-success",
    ),
    Line(
        "Failed close",
        "the closer falls short",
        closers_price(lambda row: row.failed_close),
        "RRU-close-double RRU-close-six",
    ),
    Line(
        "Failed close",
        "the other announces first",
        closers_price(lambda row: row.beaten_close),
        "R66-closed-claim RRU-closed-claim",
    ),
    Line(
        "False claim",
        "by the closer",
        closers_price(lambda row: row.closers_false_claim),
        "R66-false-claim RRU-false-claim RDE-closer-false-claim RSC-closer-false-claim",
    ),
    Line(
        "False claim",
        "any other",
        lambda row: price(row.false_claim, "the other has no trick", "claimant"),
        "R66-false-claim RRU-false-claim",
    ),
    Line(
        "Nobody announces",
        "one player has 66: who scores",
        one_has_it,
        "R66-unclaimed-schwarz RRU-unclaimed RSC-last-claim",
    ),
    Line(
        "Nobody announces",
        "both have it, or neither",
        both_or_neither,
        "R66-carry RRU-tie RDE-draw RSC-last-claim",
    ),
    Line(
        "Nobody announces",
        "closed hand, the closer has it",
        closer_has_it,
        "R66-closed-unclaimed RRU-closed-unclaimed RDE-closed-unclaimed",
    ),
    Line(
        "Match",
        "game points",
        lambda row: f"{row.match_length}{', counted down' if row.match_counts_down else ''}",
        "R66-match-end RRU-match",
    ),
)


def link(ruling: str, text: str) -> str:
    """Return a link to a ruling."""
    return f"[{text}](how_settled.md#{ruling.lower()})"


def is_same(line: Line) -> bool:
    """Return whether all the games have the same here."""
    return len({line.tell(row) for row in VARIANTS.values()}) == 1


def cell(line: Line, row: Variant) -> str:
    """Return what a game has, with a star for each ruling that it rests on."""
    stars = [
        link(ruling, "\\*") for ruling in line.rulings.split() if GAME_OF[ruling[:3]] == row.name
    ]
    return " ".join([line.tell(row), *stars])


def table_row(cells: list[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def differences() -> Iterator[str]:
    """Yield the table of what differs, a row of Markdown at a time."""
    rows = list(VARIANTS.values())
    yield table_row(["", *(f"[{row.title}]({row.name}.md)" for row in rows)])
    yield table_row(["---"] * (len(rows) + 1))
    about = ""
    for line in LINES:
        if not is_same(line):
            label = line.label(shared=line.about == about)
            yield table_row([label, *(cell(line, row) for row in rows)])
            about = line.about


def sameness() -> Iterator[str]:
    """Yield the list of what is the same in every game, an item at a time."""
    first = next(iter(VARIANTS.values()))
    for line in filter(is_same, LINES):
        links = ", ".join(link(ruling, ruling) for ruling in line.rulings.split())
        yield f"* {line.label()}: {line.tell(first)}{f' ({links})' if links else ''}."


def options() -> Iterator[str]:
    """Yield the table of what each option changes, a row at a time, like changes together."""
    yield table_row(["Option", "What it changes", "With it", "Without it"])
    yield table_row(["---"] * 4)
    for base, switches in SWITCHES.items():
        for switch in switches:
            name = f"{base}~{switch}"
            changes: dict[tuple[str, str], list[str]] = {}
            for line in LINES:
                without, with_it = line.tell(VARIANTS[base]), line.tell(variant_named(name))
                if with_it != without:
                    changes.setdefault((with_it, without), []).append(line.label())
            for (with_it, without), labels in changes.items():
                yield table_row([f"`{name}`", "; ".join(labels), with_it, without])


def tables() -> str:
    """Return all that stands between the marks of the page."""
    parts = (
        ("## Where they differ", differences()),
        ("## Where they agree", sameness()),
        ("## What the options change", options()),
    )
    return "\n\n".join(f"{heading}\n\n" + "\n".join(lines) for heading, lines in parts)


def renewed(page: str) -> str:
    """Return the text of the page with its tables as they should be."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
