"""What `sixty-six solve` and `sixty-six show` print: for machines as JSON, for people as text.

The JSON is a contract; a change of meaning raises ``FORMAT``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import perf_counter
from typing import IO, Any

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table as Grid
from rich.text import Text

from trainer.explain import points_text
from trainer.grading import Choice, Report, reports, ways
from trainer.notation import (
    NotationError,
    format_answer,
    format_hand,
    format_move,
    format_table,
    label_answer,
    parse,
)
from trainer.rules.cards import SUIT_NAMES, SUIT_SYMBOLS, card_code
from trainer.rules.position import SIDE_NAMES, SIDES, SOUTH, Outcome, Position, View
from trainer.search.backend import prepare
from trainer.search.closing import Way

FORMAT = 1
LONGEST_ECHO = 2_000
PATIENCE_SECONDS = 1.0
WIDEST_ROW = 160

Json = dict[str, Any]
Progress = Callable[[float], None]


def solve(
    table: Position | View,
    *,
    samples: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    progress: Progress,
) -> tuple[Json, Report | None]:
    """Return the solution of a position as JSON data, and the report behind it.

    The report is None for a finished deal. After ``seconds`` it tells what is known by then.
    ``progress`` is called with the part done, 0 to 1.
    Raises NotationError when cards are concealed and it is not South's turn.
    """
    if isinstance(table, View) and table.turn != SOUTH:
        column = format_table(table).index(f" {SIDES[table.turn]} ") + 2
        raise NotationError(
            "turn",
            found=SIDES[table.turn],
            expected="S: the cards are concealed from South, so only South's choice can be weighed",
            column=column,
        )
    prepare()
    started = perf_counter()
    report = None
    if table.over is None:
        for report in reports(table, samples=samples, seed=seed):
            progress(report.progress)
            if seconds is not None and perf_counter() - started > seconds:
                break
    return solution(table, report, perf_counter() - started), report


def solution(table: Position | View, report: Report | None, seconds: float) -> Json:
    """Return what the search found as JSON data.

    Game points are for the side to move; of a finished deal, for the side that ``turn`` names.
    Card points, own less the other's when the deal ends, are null where they are not computed.
    Where the search was stopped, ``waiting`` names the moves whose value is not known, and the
    value is a bound: that of the best move known, or null; then there are no lines.
    """
    variant, *switches = table.variant.name.split("~")
    concealed = isinstance(table, View)
    stopped = report is not None and bool(report.waiting)
    moves = [
        choice_json(choice, concealed, lines=not stopped)
        for choice in (() if report is None else report.choices)
    ]
    card_points = None
    value: float | None = None
    if report is not None and report.choices:
        value = report.best.game_points
        card_points = report.best.card_points
    elif report is None:
        value = 0 if table.over is None else table.over.value(table.turn)
    line: list[str] | None = None
    if not concealed:
        line = moves[0]["line"] if moves else None if stopped else []
    worth: Json = {"game_points": value, "card_points": card_points}
    more: Json = {}
    if report is not None and report.waiting:
        worth["status"] = "bound"
        more = {"waiting": [format_answer(answer) for answer in report.waiting]}
    return {
        "format": FORMAT,
        "position": format_table(table),
        "variant": variant,
        "side": SIDES[table.turn],
        "view": "concealed" if concealed else "double-dummy",
        "options": switches,
        "over": None if table.over is None else outcome_json(table.over),
        "value": worth,
        "moves": moves,
        "line": line,
        "nodes": 0 if report is None else report.nodes,
        "seconds": round(seconds, 6),
    } | more


def outcome_json(outcome: Outcome) -> Json:
    """Return how a deal ended as JSON data."""
    winner = None if outcome.winner is None else SIDES[outcome.winner]
    return {"winner": winner, "game_points": outcome.game_points}


def choice_json(choice: Choice, concealed: bool, lines: bool = True) -> Json:
    """Return what a choice is worth as JSON data; ``concealed`` tells that it was graded so.

    Without ``lines`` no search is made for the reply and the best line: they are null.
    """
    found: Json = {
        "move": format_answer(choice.answer),
        "label": label_answer(choice.answer, choice.layout),
        "game_points": choice.game_points,
        "card_points": choice.card_points,
        "best": choice.best,
        "loss": choice.loss,
        "mark": choice.mark,
    }
    if not concealed and not lines:
        return found | {"reply": None, "line": None}
    if not concealed:
        return found | {
            "reply": None if choice.reply is None else format_move(choice.reply),
            "line": [format_move(move) for move in (*choice.answer, *choice.line)],
        }
    return found | {
        "reply": None,
        "line": None,
        "low": choice.low,
        "layouts": choice.layouts,
        "wins": choice.wins,
        "worst": choice.worst,
        "distribution": {str(value): count for value, count in choice.distribution.items()},
        "status": choice.status,
        "stderr": choice.stderr,
    }


def weigh_closing(report: Report, seconds: float | None, progress: Progress) -> list[Way]:
    """Return the ways to go on from a view; none where every card is seen.

    After ``seconds`` only those that are known by then.
    """
    started = perf_counter()
    found = []
    for step in ways(report):
        if seconds is not None and perf_counter() - started > seconds:
            break
        if isinstance(step, Way):
            found.append(step)
        else:
            progress(step)
    return found


def ways_json(found: Iterable[Way]) -> list[Json]:
    """Return the ways to go on from a view as JSON data, in game points for South."""
    return [
        {
            "way": way.name,
            "move": None if way.answer is None else format_answer(way.answer),
            "game_points": way.high,
            "low": way.low,
            "low_at_most": way.low_at_most,
            "status": "sampled"
            if way.sampled
            else "exact"
            if way.low is None or way.sure
            else "bound",
        }
        for way in found
    ]


def ways_text(found: Iterable[Way]) -> RenderableType:
    """Return the ways to go on from a view as a table for people."""
    grid = Grid(box=None, pad_edge=False)
    for heading in ("way", "move", "game points, seen", "fixed plan"):
        grid.add_column(heading, no_wrap=True)
    for way in found:
        low = "not known" if way.low is None else points_text(way.low)
        if way.low is not None and not way.sure:
            low = f"at least {low}"
        move = "" if way.answer is None else format_answer(way.answer)
        grid.add_row(way.name, move, points_text(way.high), low)
    return grid


def solution_text(report: Report) -> RenderableType:
    """Return the choices of a position as a table for people."""
    concealed = isinstance(report.table, View)
    headings = ["mark", "move", "game points"]
    headings += ["fixed plan", "wins", "layouts", ""] if concealed else []
    grid = Grid(box=None, pad_edge=False)
    for heading in headings:
        grid.add_column(
            heading, no_wrap=True, justify="left" if heading in ("mark", "move") else "right"
        )
    grid.add_column("in words")
    for choice in report.choices:
        row = [choice.mark, format_answer(choice.answer), points_text(choice.game_points)]
        if concealed:
            error: str = choice.status
            if choice.stderr is not None:
                error += f", ± {choice.stderr:.2f}"
            low = "" if choice.low is None else points_text(choice.low)
            row += [low, str(choice.wins), str(choice.layouts), error]
        grid.add_row(*row, label_answer(choice.answer, report.table))
    if report.waiting:
        left = ", ".join(format_answer(answer) for answer in report.waiting)
        return Group(grid, Text(f"\nStopped. Not known yet: {left}"))
    if concealed:
        return grid
    line = " ".join(format_move(move) for move in (*report.best.answer, *report.best.line))
    return Group(grid, Text(f"\nBest play: {line}"))


def table_text(table: Position | View) -> str:
    """Return a position as lines of text: North, the table, South."""
    north = table.known if isinstance(table, View) else table.hands[1]
    south = table.hand if isinstance(table, View) else table.hands[0]
    concealed = table.concealed if isinstance(table, View) else 0
    lines = [
        f"{table.variant.title}. Trumps: {SUIT_SYMBOLS[table.trump]} {SUIT_NAMES[table.trump]}."
    ]
    for side, hand, hidden in ((1, north, concealed), (0, south, 0)):
        if side == 0:
            lines.append(_middle(table))
        cards = _hand_text(table, hand) + (f" {hidden} concealed" if hidden else "")
        tricks = table.tricks[side]
        provisional = table.provisional[side]
        extra = f" (+{provisional} provisional)" if provisional else ""
        lines.append(
            f"{SIDE_NAMES[side]:6}{cards}   "
            f"{table.card_points[side]} card points{extra}, "
            f"{tricks} trick{'' if tricks == 1 else 's'}"
        )
    lines.append(turn_text(table))
    return "\n".join(lines)


def _hand_text(table: Position | View, hand: int) -> str:
    holdings = []
    for suit, holding in enumerate(hand_holdings(table, hand)):
        if holding:
            holdings.append(f"{SUIT_SYMBOLS[suit]} {' '.join(holding)}")
    return "  ".join(holdings)


def hand_holdings(table: Position | View, hand: int) -> list[str]:
    """Return the ranks held in each suit, high to low, a string a suit."""
    return format_hand(table.variant, hand).split(".")


def _middle(table: Position | View) -> str:
    parts = []
    if table.stock:
        parts.append(_stock_text(table))
    else:
        parts.append("stock gone")
    if table.led is not None:
        parts.append(f"led: {card_code(table.led)}")
    if table.carry:
        parts.append(f"{table.carry} carried over from tied deals")
    if table.match is not None:
        south, north = table.match
        parts.append(f"match points: South {south}, North {north}")
    return "      " + "; ".join(parts)


def _stock_text(table: Position | View) -> str:
    """Return how many cards are in the stock, and their order where they are seen and drawn."""
    *first, turn_up = ("" if card is None else card_code(card) for card in table.stock)
    text = f"stock {len(table.stock)} cards, {_state(table)}"
    if isinstance(table, Position) and table.open_stock and first:
        return f"{text}, drawn in this order: {' '.join(first)}, turn-up {turn_up}"
    return f"{text}, turn-up {turn_up}"


def _state(table: Position | View) -> str:
    """Return whether the stock is open, and else who closed it and against what."""
    closed = table.closed
    if closed is None:
        return "open"
    tricks = f"{closed.tricks} trick{'' if closed.tricks == 1 else 's'}"
    other = SIDE_NAMES[1 - closed.side]
    return f"closed by {SIDE_NAMES[closed.side]} ({other} had {closed.card_points} in {tricks})"


def turn_text(table: Position | View) -> str:
    """Return in one sentence who is to do what, or how the deal has ended."""
    who = SIDE_NAMES[table.turn]
    if table.over is not None:
        if table.over.winner is None:
            return "The deal is over; nobody scores."
        return f"The deal is over; {SIDE_NAMES[table.over.winner]} scores {table.over.game_points}."
    if table.undrawn:
        return f"{who} has won the trick and has not drawn."
    return f"{who} is to {'lead' if table.led is None else 'play'}."


def plain_console(stream: IO[str]) -> Console:
    """Return a console that adds no markup of its own to data and keeps long rows whole."""
    console = Console(file=stream, markup=False, highlight=False)
    console.width = max(console.width, WIDEST_ROW)
    return console


def to_json(found: Json) -> str:
    """Return JSON data as one line of ASCII text."""
    return json.dumps(found)


def solve_lines(
    lines: Iterable[str],
    out: IO[str],
    *,
    samples: int | None,
    seed: int,
    seconds: float | None = None,
) -> bool:
    """Solve one position a line and write one JSON object a line, flushed; return whether all
    lines were good.

    Empty lines are passed over. A bad line yields its text and what was expected of it.
    """
    good = True
    for line in lines:
        if not (text := line.strip()):
            continue
        try:
            found, _ = solve(
                parse(text),
                samples=samples,
                seed=seed,
                seconds=seconds,
                progress=lambda _: None,
            )
        except NotationError as error:
            good = False
            place = {"column": error.column, "field": error.field, "expected": error.expected}
            found = {"input": text[:LONGEST_ECHO], "error": place}
        out.write(to_json(found) + "\n")
        out.flush()
    return good


@contextmanager
def progress_bar(stream: IO[str]) -> Iterator[Progress]:
    """Show the part done on a terminal, once it has taken long enough to wonder."""
    if not stream.isatty():
        yield lambda _: None
        return
    columns = TextColumn("searching"), BarColumn()
    with Bar(*columns, console=plain_console(stream), transient=True) as bar:
        task = bar.add_task("", total=1.0, visible=False)
        patience = Timer(PATIENCE_SECONDS, lambda: bar.update(task, visible=True))
        patience.daemon = True
        patience.start()
        try:
            yield lambda done: bar.update(task, completed=done)
        finally:
            patience.cancel()
