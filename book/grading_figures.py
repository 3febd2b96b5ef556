"""The tables of grading.md, worked out by the program.

``make book-tables`` runs this file, which writes each table between its two marks. A test holds the
page against the program, so neither changes without the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from trainer.explain import points_text
from trainer.grading import BLUNDER, CLOSE_CALL, WORDS, report
from trainer.notation import format_answer, format_hand, label_answer, parse, parse_answer
from trainer.rules.position import NORTH
from trainer.search import Study, decides

PAGE = Path(__file__).parent / "grading.md"
BEGIN = "<!-- From here on written by `make book-tables`: {}. -->"
END = "<!-- Up to here written by `make book-tables`. -->"

FACE_UP = "foster66 S:.K.AT.Q9 N:AJ.J9.K. H - 46/4-27/3 S"
"""A position with every card seen, in which choices differ."""
AS_SEEN = "foster66 S:T9.AK..KJ N:...,6x C xC9 43/5-0/0 S won=S:DJHJ,CTD9,HTDT,DKSQ,SJH9"
"""A position with concealed cards, in which the average prefers what no plan can keep up."""
CLOSING = "cl HA"


def marks() -> Iterator[str]:
    """Yield the table of marks."""
    seen = {"=": "0", "?": "1", "??": "2 or more, or a won deal thrown away"}
    hidden = {
        "=": "0, and the highest average",
        "~": "nothing for sure",
        "?!": f"up to {CLOSE_CALL}",
        "?": f"up to {BLUNDER}",
        "??": f"over {BLUNDER}",
    }
    yield "| Mark | Word | Lost with all cards seen | Lost for sure with cards concealed |"
    yield "| --- | --- | --- | --- |"
    for mark, word in WORDS.items():
        yield f"| `{mark}` | {word} | {seen.get(mark, '–')} | {hidden[mark]} |"


def face_up() -> Iterator[str]:
    """Yield the table of what every choice is worth in a position with every card seen."""
    yield f"```text\n{FACE_UP}\n```"
    yield ""
    yield "| Choice | Worth, in game points | Lost | Mark |"
    yield "| --- | --: | --: | --- |"
    table = parse(FACE_UP)
    for choice in report(table).choices:
        yield (
            f"| {label_answer(choice.answer, table)} | {points_text(choice.game_points)} "
            f"| {choice.loss:g} | `{choice.mark}` {choice.word} |"
        )


def as_seen() -> Iterator[str]:
    """Yield the table of what every choice is worth in a position with cards concealed."""
    yield f"```text\n{AS_SEEN}\n```"
    yield ""
    yield "| Choice | Average (*high*) | Fixed plan (*low*) | Lost for sure | Mark |"
    yield "| --- | --: | --: | --: | --- |"
    table = parse(AS_SEEN)
    for choice in filter(lambda choice: decides(choice.answer), report(table).choices):
        low = "–" if choice.low is None else points_text(choice.low)
        yield (
            f"| {label_answer(choice.answer, table)} | {points_text(choice.game_points)} | {low} "
            f"| {choice.loss:.2f} | `{choice.mark}` {choice.word} |"
        )


def hand_by_hand() -> Iterator[str]:
    """Yield the table of what a close is worth against each hand that North can hold."""
    study = Study(parse(AS_SEEN))
    for _ in study.steps():
        pass
    tally = study.tallies[parse_answer(CLOSING)]
    (plan,) = tally.plans
    row = study.view.variant
    yield "| North holds | With North's cards seen | By the best fixed plan |"
    yield "| --- | --: | --: |"
    for position, seen, fixed in zip(tally.positions, tally.values, plan.values, strict=True):
        hand = format_hand(row, position.hands[NORTH])
        yield f"| `{hand}` | {points_text(seen)} | {points_text(fixed)} |"
    means = (points_text(fmean(values)) for values in (tally.values, plan.values))
    yield f"| on average | {' | '.join(means)} |"


TABLES = {
    "marks": marks,
    "every card seen": face_up,
    "cards concealed": as_seen,
    f"hand by hand, {format_answer(parse_answer(CLOSING))}": hand_by_hand,
}


def renewed(page: str) -> str:
    """Return the text of the page with its tables as they should be."""
    for name, table in TABLES.items():
        begin = BEGIN.format(name)
        block = f"{begin}\n\n" + "\n".join(table()) + f"\n\n{END}"
        pattern = f"{re.escape(begin)}.*?{re.escape(END)}"
        page, found = re.subn(pattern, lambda _, block=block: block, page, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"{PAGE}: {begin} and its end are not there once")
    return page


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
