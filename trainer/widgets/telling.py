"""What lessons tell: figures that the search counts, and the words and tables they are told in.

What is counted is kept, so that several parts of a lesson can speak of it. What takes long is a
generator, to be used with ``yield from`` where a lesson tells something after an answer: on the way
it yields the part that is done.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from trainer.explain import points_text, worth_text
from trainer.explain.words import card_points, doing, listed
from trainer.explain.words import number as in_words
from trainer.grading import ROUNDING, Choice, Report, grade, reports
from trainer.notation import label_answer, parse, parse_answer, parse_position, parse_view
from trainer.rules import IllegalMove
from trainer.rules.cards import (
    KING,
    QUEEN,
    RANKS,
    SUIT_SYMBOLS,
    Card,
    Hand,
    cards_in,
    hand_of,
    make_card,
    rank_of,
    suit_of,
)
from trainer.rules.play import legal_moves, play, reply_wins
from trainer.rules.position import CLAIM, CLOSE, NORTH, SOUTH, Kind, Move, Position, View
from trainer.search.concealed import Study, Tally, decides, play_answer
from trainer.widgets.table import CardTable

SAMPLES = 200
"""Layouts sampled for a comparison, where there are too many to be counted."""
Value = TypeVar("Value")
KEPT = 12
"""How many positions are kept with what was counted of them."""
NAMED = 2
"""The most equally good choices that are named."""
STEP = 0.02
"""The least part of the work done that is worth telling."""

_studies: OrderedDict[str, Study] = OrderedDict()


def _study(line: str) -> Study:
    """Return the study of a line as seen, the one begun before if it is still kept."""
    study = _studies.pop(line, None) or Study(parse_view(line))
    _studies[line] = study
    while len(_studies) > KEPT:
        _studies.popitem(last=False)
    return study


def studied(line: str) -> Generator[float, None, Study]:
    """Count every choice of a position as seen, in game points for South; return the study."""
    study = _study(line)
    if any(answer not in study.tallies for answer in study.answers):
        yield from study.steps()
    return study


def counted(line: str, answer: str) -> Generator[float, None, Tally]:
    """Count one answer, ``cl DA``, in a position as seen; return its figures, for South."""
    study, moves = _study(line), parse_answer(answer)
    yield from study.count_steps(moves)
    return study.tallies[moves]


def at_once(steps: Generator[object, None, Value]) -> Value:
    """Take all steps of what is counted here now; return what they end with."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: Value = end.value
            return value


def the_rest(table: CardTable) -> Generator[float | None, None, Report]:
    """Wait for the figures of a table that are still being worked out; return all of them.

    Where nobody works them out any more this does not end.
    """
    shown = 0.0
    while table.report is None or table.report.progress < 1:
        part = 0.0 if table.report is None else table.report.progress
        step = part - shown >= STEP
        shown = part if step else shown
        yield part if step else None
    return table.report


def rule_books(
    lines: Sequence[str], answer: str = "", *, samples: int = SAMPLES
) -> Generator[float, None, str]:
    """Compare games: return a Markdown table with a row for each line, one position in each game.

    It tells the best choice and what it is worth, in game points for the side to move; and with
    ``answer``, the words of a choice, what that is worth in each game.
    """
    tables = [parse(line) for line in lines]
    moves = parse_answer(answer) if answer else ()
    concealed = isinstance(tables[0], View)
    heads = ["game", "best choice", "game points"]
    if moves:
        heads += [label_answer(moves, tables[0]), *(["hands won"] if concealed else [])]
    rows = []
    for number, table in enumerate(tables):
        for report in reports(table, samples=samples):
            yield (number + report.progress) / len(tables)
        best = report.best
        row = [table.variant.title, the_best(report), figure(best)]
        if moves:
            try:
                choice = grade(report, moves)
                row += [
                    figure(choice),
                    *([f"{choice.wins} of {choice.layouts}"] if concealed else []),
                ]
            except IllegalMove:
                row += ["not allowed", *(["–"] if concealed else [])]
        rows.append(row)
    return markdown_table(heads, rows)


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown; what is a number or a figure in all rows stands to the right."""
    body = [list(row) for row in rows]
    figures = [all(row[n][:1] in "+-−±0123456789" for row in body) for n in range(len(heads))]
    rule = ["--:" if right else "---" for right in figures]
    return "\n".join(f"| {' | '.join(row)} |" for row in (list(heads), rule, *body))


# ---- figures in words ----------------------------------------------------------------------------


def figure(choice: Choice) -> str:
    """Return what a choice is worth, in game points: ``+1.02``, ``+0.97 ± 0.06`` if sampled."""
    error = "" if choice.stderr is None else f" ± {choice.stderr:.2f}"
    return f"{points_text(choice.game_points)}{error}"


def worth(choice: Choice) -> str:
    """Return what a choice is worth, with the unit: ``+0.97 ± 0.06 game points``."""
    return (
        worth_text(choice.game_points) if choice.stderr is None else f"{figure(choice)} game points"
    )


def won(tally: Tally) -> str:
    """Return in how many hands an answer wins: ``434 of 462``."""
    return f"{sum(value > 0 for value in tally.values)} of {len(tally.values)}"


def results(values: Iterable[int], unit: str = "hands") -> str:
    """Return how often each result comes up: ``**+2** in 434 and **−2** in 28 of the 462 hands``.

    The results are in game points, the best first.
    """
    counts = sorted(Counter(values).items(), reverse=True)
    total = in_words(sum(count for _, count in counts))
    if len(counts) == 1:
        return f"**{points_text(counts[0][0])}** in all {total} {unit}"
    each = listed(f"**{points_text(value)}** in {in_words(count)}" for value, count in counts)
    return f"{each} of the {total} {unit}"


def same(one: float, other: float) -> bool:
    """Return whether two averages are the same."""
    return abs(one - other) < ROUNDING


def losing(tally: Tally) -> set[Hand]:
    """Return North's hands in which an answer loses."""
    pairs = zip(tally.positions, tally.values, strict=True)
    return {position.hands[NORTH] for position, value in pairs if value < 0}


def best_of(report: Report, closing: bool) -> Choice:
    """Return the best choice that closes, or the best that does not.

    Raises StopIteration where there is none.
    """
    whole = (choice for choice in report.choices if decides(choice.answer))
    return next(choice for choice in whole if (CLOSE in choice.answer) == closing)


def the_best(report: Report) -> str:
    """Return what is best: ``lead the Ace of spades``, or how many choices are equally good."""
    face_up = isinstance(report.table, Position)  # then an exchange is a choice by itself
    whole = [choice for choice in report.choices if face_up or decides(choice.answer)]
    whole = whole or list(report.choices)
    best = [choice for choice in whole if same(choice.game_points, report.best.game_points)]
    if len(best) == len(whole) > 1:
        return "every choice alike"
    if len(best) > NAMED:
        return f"any of {in_words(len(best))} choices"
    return listed((doing(choice.answer, report.table) for choice in best), "or")


def in_a_sentence(choice: Choice) -> str:
    """Return a choice as it goes on after other words: ``lead the Ace of spades``."""
    return doing(choice.answer, choice.layout)


def played(line: str, words: str) -> Position:
    """Return the position after some moves, ``cl DA D9``, from a line with every card seen.

    Raises NotationError for what cannot be read, and IllegalMove.
    """
    position = parse_position(line)
    return play_answer(position, parse_answer(words, position))


def scorer(end: Position) -> str:
    """Return who scores at the end of a deal, and the game points: ``North, 2``, or ``nobody``.

    Raises ValueError while the deal goes on.
    """
    if end.over is None:
        raise ValueError("the deal is not over")
    if end.over.winner is None:
        return "nobody"
    return f"{('you', 'North')[end.over.winner]}, {end.over.game_points}"


# ---- cards in words ------------------------------------------------------------------------------


def sign(card: Card) -> str:
    """Return a card as a sign: ``♠10``."""
    return SUIT_SYMBOLS[suit_of(card)] + RANKS[rank_of(card)].replace("T", "10")


def signs(cards: Iterable[Card], last: str = "and") -> str:
    """Return several cards as signs: ``♠10, ♥A and ♦9``."""
    return listed((sign(card) for card in cards), last)


def history(line: str) -> str:
    """Return who has won which tricks, as sentences; the card led comes first."""
    table = parse(line)
    if table.won is None:
        raise ValueError("this line does not tell the tricks")
    sides = []
    for side, who in ((SOUTH, "You have won"), (NORTH, "North has won")):
        tricks = [f"**{' '.join(sign(card) for card in trick)}**" for trick in table.won[side]]
        points = card_points(table.card_points[side])
        sides.append(f"{who} {listed(tricks) if tricks else 'no trick'}: {points}.")
    return " ".join(sides)


def tricks_told(position: Position, moves: Iterable[Move]) -> str:
    """Return a line of play as a Markdown table: a row for each trick, with both counts after it.

    A row of its own tells an announcement, a closing or an exchange; draws are left out.
    """
    names = ("you", "North")
    rows = []
    led = "" if position.led is None else f"{names[1 - position.turn]} {sign(position.led)}"
    for move in moves:
        who, after = names[position.turn], play(position, move)
        counts = [str(points) for points in after.card_points]
        if move.card is not None and move.kind is not Kind.SHOW:
            card = f"{who} {sign(move.card)}"
            if position.led is None:
                gain = after.card_points[position.turn] - position.card_points[position.turn]
                gain += after.provisional[position.turn] - position.provisional[position.turn]
                led = f"{card}, says {gain}" if gain else card
            else:
                rows.append([led, card, names[after.turn], *counts])
        elif move.kind is not Kind.DRAW:
            rows.append([f"{who}: {_in_short(move, position)}", "", "", *counts])
        position = after
    return markdown_table(["led", "reply", "trick to", "your count", "North's count"], rows)


def _in_short(move: Move, position: Position) -> str:
    """Return what a move does that plays no card, short enough for a table."""
    if move.kind is Kind.EXCHANGE:
        lowest = position.variant.exchange_card(position.trump)
        return f"exchange {sign(lowest)} for {sign(position.stock[-1])}"
    if move.kind is Kind.SHOW and move.card is not None:
        suit = suit_of(move.card)
        return f"show {sign(make_card(suit, KING))} {sign(make_card(suit, QUEEN))}"
    label = label_answer((move,), position)
    return label[0].lower() + label[1:]


def spoken(position: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return a line of play, cut short by an announcement as soon as a side has 66 and the lead.

    In a line of best play a side that is home may play on where this costs it nothing; at a table
    it would speak.
    """
    line: list[Move] = []
    for number, move in enumerate(moves):
        home = position.card_points[position.turn] >= position.variant.goal
        if number and home and position.leading:
            return (*line, CLAIM)
        line.append(move)
        position = play(position, move)
    return tuple(line)


def compared(table: CardTable, *answers: str) -> Generator[float | None, None, str]:
    """Tell what some answers to a table with every card seen, ``HT``, come to, as Markdown.

    Each with its worth in game points for the side to move, and best play by both sides after it.
    """
    report = yield from the_rest(table)
    parts = []
    for words in answers:
        choice = grade(report, parse_answer(words, report.table))
        label = label_answer(choice.answer, report.table)
        line = tricks_told(choice.layout, spoken(choice.layout, choice.answer + choice.line))
        parts.append(f"**{label}:** {worth(choice)}.\n\n{line}")
    return "\n\n".join(parts)


# ---- positions by the number ---------------------------------------------------------------------


def marriages_at_random(
    like: Position, count: int, seed: int = 1
) -> Iterator[tuple[Position, int]]:
    """Yield positions as ``like``, with other cards, and a suit: South has a marriage in it.

    It is a plain suit. All else is left to chance, the same in every run: the trumps, the cards in
    both hands, as many as in ``like``, and the tricks that the other cards have been won in. The
    stock is gone, South leads and has a trick, and nobody has 66.
    """
    chance, row = Random(seed), like.variant
    held = like.hands[SOUTH].bit_count()
    while count:
        trump, suit = chance.sample(range(len(SUIT_SYMBOLS)), 2)
        pair = [make_card(suit, rank) for rank in (KING, QUEEN)]
        rest = list(cards_in(row.pack & ~hand_of(pair)))
        chance.shuffle(rest)
        more, north, gone = rest[: held - 2], rest[held - 2 : 2 * held - 2], rest[2 * held - 2 :]
        points, tricks = [0, 0], [0, 0]
        for trick in zip(gone[::2], gone[1::2], strict=True):
            winner = chance.choice((SOUTH, NORTH))
            points[winner] += sum(map(row.value, trick))
            tricks[winner] += 1
        if tricks[SOUTH] and max(points) < row.goal:
            count -= 1
            yield (
                replace(
                    like,
                    trump=trump,
                    hands=(hand_of([*pair, *more]), hand_of(north)),
                    card_points=(points[SOUTH], points[NORTH]),
                    tricks=(tricks[SOUTH], tricks[NORTH]),
                ),
                suit,
            )


def cannot_be_beaten(position: Position, card: Card) -> bool:
    """Return whether a card wins the trick if it is led, whatever the other side plays to it."""
    led = play(position, Move(Kind.CARD, card))
    replies = [move.card for move in legal_moves(led) if move.kind is Kind.CARD]
    return not any(reply_wins(led, card, reply) for reply in replies if reply is not None)
