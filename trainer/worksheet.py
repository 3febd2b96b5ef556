"""Puzzles on paper: a sheet to write on and a separate sheet of answers, as HTML that prints well.

Each file is whole in itself: the tables are drawings inside it, and nothing is fetched. It is laid
out for A4 and for letter paper alike, no puzzle is cut by the end of a page, and nothing is told by
colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryFile

from trainer.explain import points_text, why
from trainer.grading import Choice, Report, reports
from trainer.lessons import write_whole
from trainer.notation import format_answer, label_answer
from trainer.practice import about_puzzle
from trainer.puzzles import Puzzle, whole_choices
from trainer.rules import Position, View
from trainer.widgets.svg import table_svg

STYLE = """
@page { margin: 15mm; }
* { box-sizing: border-box; }
body { max-width: 180mm; margin: 1rem auto; padding: 0 0.6rem; color: #000; background: #fff;
  font: 11pt/1.4 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { margin: 0; font-size: 17pt; }
h2 { margin: 0 0 1.5mm; font-size: 12pt; }
p { margin: 0 0 1.5mm; }
.name { display: flex; gap: 8mm; margin: 5mm 0 4mm; }
.name span { flex: 1; border-bottom: 1px solid #000; }
.name .date { flex: 0.45; }
section { margin: 0 0 6mm; break-inside: avoid; }
.asked { display: flex; flex-wrap: wrap; gap: 5mm; }
.asked svg { flex: 1 1 85mm; width: 100%; max-width: 122mm; height: auto; }
.lines { flex: 1 1 45mm; display: flex; flex-direction: column; }
.lines span { height: 10mm; border-bottom: 1px solid #000; font-size: 9pt; }
.position { overflow-wrap: anywhere; color: #333; font: 7.5pt/1.3 monospace; }
table { border-collapse: collapse; margin: 1mm 0 2mm; }
th, td { padding: 0.5mm 4mm 0.5mm 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-bottom: 1px solid #000; }
thead th, td { white-space: nowrap; }
tr.best th, tr.best td { font-weight: 700; }
@media print {
  body { max-width: none; margin: 0; padding: 0; }
  svg > rect:first-of-type { fill: #fff; }
}
"""
TITLE = "Puzzles for Sixty-Six and its relatives"
HOW = (
    "You are South. Decide what you do, and say why. A decision may have several steps, such as "
    "closing the stock and then leading a card."
)
NOTE = (
    "Game points are for South. Where every card is seen, a value is what both sides come to "
    "with best play; where cards are concealed, it is the average over the ways in which they can "
    "lie, each played as if both sides saw every card; ± where a random sample of them is counted."
)


def sheet_html(puzzles: Sequence[Puzzle], title: str = TITLE) -> str:
    """Return the page with the puzzles, numbered from 1, and space to write."""
    name = '<p class="name">Name <span></span> Date <span class="date"></span></p>'
    body = [f"<h1>{escape(title)}</h1>", name, f"<p>{HOW}</p>"]
    return _page(title, [*body, *map(_asked, range(1, len(puzzles) + 1), puzzles)])


def _asked(number: int, puzzle: Puzzle) -> str:
    lines = "".join(f"<span>{word}</span>" for word in ("I", "because", *[""] * 4))
    return "\n".join(
        [
            f'<section><h2>{number}. {escape(puzzle.question)}</h2><div class="asked">',
            table_svg(puzzle.table),
            f'<div class="lines">{lines}</div></div>',
            f'<p class="position">{escape(puzzle.position)}</p></section>',
        ]
    )


def answers_html(
    puzzles: Sequence[Puzzle],
    title: str = TITLE,
    progress: Callable[[float], None] = lambda part: None,
) -> str:
    """Return the page with the answers, numbered as the puzzles are.

    Every puzzle is solved anew for it; ``progress`` is called with the part done, 0 to 1.
    """
    title = f"Answers: {title}"
    told = []
    for number, puzzle in enumerate(puzzles, 1):
        for report in reports(puzzle.table):
            progress((number - 1 + report.progress) / len(puzzles))
        told.append(_answer(number, puzzle, report))
    return _page(title, [f"<h1>{escape(title)}</h1>", f"<p>{NOTE}</p>", *told])


def _answer(number: int, puzzle: Puzzle, report: Report) -> str:
    choices = whole_choices(report)
    best = [choice for choice in choices if choice.best]
    right = ", or ".join(_named(choice, report.table) for choice in best)
    parts = [
        f"<section><h2>{number}. {escape(right[0].upper() + right[1:])}</h2>",
        *(f"<p>{escape(reason.text)}</p>" for reason in why(report, best[0])),
        "<table><thead><tr><th>Choice</th><th>Written</th><th>Game points</th><th>Mark</th></tr>"
        "</thead><tbody>",
        *(_row(choice, report.table) for choice in choices),
        "</tbody></table>",
    ]
    if isinstance(report.table, Position):
        line = format_answer(best[0].answer + best[0].line)
        parts.append(f"<p>Best play to the end: {escape(line)}</p>")
    parts.append(f"<p>{escape(' '.join(about_puzzle(puzzle)))}</p>")
    parts.append(f'<p class="position">{escape(puzzle.position)}</p>')
    return "\n".join(parts) + "</section>"


def _named(choice: Choice, table: Position | View) -> str:
    label = label_answer(choice.answer, table)
    return label[0].lower() + label[1:]


def _row(choice: Choice, table: Position | View) -> str:
    error = "" if choice.stderr is None else f" ± {choice.stderr:.2f}"
    kind = ' class="best"' if choice.best else ""
    return (
        f'<tr{kind}><th scope="row">{escape(label_answer(choice.answer, table))}</th>'
        f"<td>{escape(format_answer(choice.answer))}</td>"
        f"<td>{points_text(choice.game_points)}{error}</td>"
        f"<td>{escape(choice.mark)} {escape(choice.word)}</td></tr>"
    )


def _page(title: str, body: Sequence[str]) -> str:
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join(body) + "\n</body>\n</html>\n"


def answers_path(path: Path) -> Path:
    """Return where the answers to a sheet go: ``sheet-answers.html`` beside ``sheet.html``."""
    return path.with_stem(f"{path.stem}-answers")


def write_sheets(
    path: Path,
    puzzles: Sequence[Puzzle],
    *,
    title: str = TITLE,
    force: bool = False,
    progress: Callable[[float], None] = lambda part: None,
) -> tuple[Path, Path]:
    """Write a sheet and its answers beside it, each file whole or not at all; return their paths.

    Raises ValueError if the path names no file, if either file is there and ``force`` is not set,
    and if something that is no file is there; OSError where nothing can be written. All this is
    found before the puzzles are solved.
    """
    if not path.name:
        raise ValueError(f"{path}: found a folder, expected a file such as sheet.html")
    other = answers_path(path)
    for each in (path, other):
        if each.exists() and not each.is_file():
            raise ValueError(f"{each}: is there and is no file")
        if each.exists() and not force:
            raise ValueError(f"{each}: exists already; --force writes over it")
    with TemporaryFile(dir=path.parent):  # can anything be written there?
        pass
    answers = answers_html(puzzles, title, progress)
    for file, page in ((path, sheet_html(puzzles, title)), (other, answers)):
        write_whole(file, page.encode(errors="replace"))
    return path, other
