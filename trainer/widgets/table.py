"""The card table: a position on which the learner chooses, sees the reply, and is graded.

A table asks one question. The learner answers with a whole decision: closing and exchanging are
steps of it that can be taken back, and playing a card, drawing, showing or announcing ends it.
Then, and not before, the page is told what every choice is worth. Until then neither the scene
nor anything else that a browser or a saved notebook could see says anything about it, although
the figures may already be under way in the background.

The figures come one by one from :func:`trainer.grading.reports`. Where an event loop runs, as in
a notebook, they are worked out between its turns, so that the page stays alive; anywhere else,
and for :meth:`CardTable.answer`, they are worked out on the spot.
"""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from collections.abc import Coroutine, Iterator
from dataclasses import asdict
from html import escape
from threading import RLock
from typing import Any, ClassVar

from trainer.explain import points_text, sentence
from trainer.grading import Choice, Report, grade, reports
from trainer.notation import (
    NotationError,
    format_move,
    format_table,
    label_answer,
    label_move,
    parse,
    parse_answer,
)
from trainer.rules import (
    SOUTH,
    IllegalMove,
    Kind,
    Move,
    Position,
    View,
    card_code,
    card_name,
    legal_moves,
    play,
)
from trainer.rules.cards import COPY_STRIDE, SUIT_NAMES, suit_of
from trainer.rules.play import why_illegal
from trainer.rules.position import SIDE_NAMES, layouts
from trainer.search.backend import prepare
from trainer.search.concealed import Answer
from trainer.widgets.exercise import Exercise, offer
from trainer.widgets.picture import (
    Frame,
    Table,
    frames,
    list_words,
    picture,
    sort_cards,
)
from trainer.widgets.svg import table_svg

PAUSE = 0.005
"""Seconds between two steps of the figures, for the rest of the program."""
OFTEN = 0.25
"""Seconds between two messages on the progress of the figures."""
ENOUGH = 40
"""Sampled layouts from which on a choice is marked; the figure still gets better."""
PICTURE = "A picture of the table. Press Run all to play on it."
"""What stands under the static picture in a notebook."""
PATIENCE = 15.0
"""Seconds after an answer until what waits for it goes on, graded or not."""


class CardTable(Exercise):
    """A card table that asks what to do in a position, grades the answer and shows why.

    ``table`` is a position, what South has seen of one, or a position line of either. With
    ``line`` (moves, or their words with spaces between) nothing is asked: the table shows the
    line for stepping through.
    """

    _urgent: ClassVar[set[CardTable]] = set()
    """Tables that were answered and whose figures are under way."""
    _queue: ClassVar[dict[str, CardTable]] = {}
    """Tables whose figures are worked out ahead, one after the other."""

    def __init__(
        self,
        table: Table | str,
        question: str = "What do you play?",
        *,
        line: Answer | str | None = None,
        samples: int | None = None,
        seed: int | None = None,
        level: int = 3,
        ahead: bool = True,
    ) -> None:
        """Set the table.

        ``samples`` and ``seed`` go to the grading where a figure is sampled. ``level`` is the
        level of the heading that holds the question. With ``ahead`` the figures are begun when
        the table is displayed.
        """
        super().__init__()
        self.question = question
        self.answers: list[Answer] = []
        """Everything the learner answered, the first answer first."""
        self.given: Choice | None = None
        """The last answer with its grade; None while there is none."""
        self.table: Table | None = None
        self._level = level
        self._ahead = ahead
        self._options = {"samples": samples, "seed": seed}
        self._work = RLock()
        """Held while figures are worked out or read, always before the other lock."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._steps: Iterator[Report] | None = None
        self._report: Report | None = None
        self._complete = False
        self._round = 0
        self._phase = "asking"
        self._begun: Answer = ()
        self._frames: list[dict[str, Any]] = []
        self._from = self._at = 0
        self._text = table if isinstance(table, str) else ""
        try:
            self.table = parse(table) if isinstance(table, str) else table
            self._layout = stand_in(self.table)
            if line is not None:
                self._show_line(parse_answer(line, self.table) if isinstance(line, str) else line)
                return
        except (NotationError, IllegalMove) as problem:
            self._phase = "broken"
            self._show(says=sentence_of(problem), kind="error")
            return
        self._phase = "asking" if self._asks else "shown"
        self._ask()

    # ---- what a lesson or a test uses --------------------------------------------------------

    def answer(self, words: str) -> Choice:
        """Answer as the learner would, ``cl DA``, and return the graded choice.

        All figures are worked out before this returns. A table that was answered already is
        asked again. Raises NotationError or IllegalMove, and ValueError for half a decision.
        """
        with self._work, self._lock:
            self.at_once = True
            if self._phase in ("waiting", "graded"):
                self._again()
            if self._phase != "asking":
                raise ValueError("nothing is asked here")
            self._try(words)
            if self.given is None:
                raise ValueError(f"{words!r} is not a whole decision: a card must follow")
            return self.given

    @property
    def answered(self) -> bool:
        """Whether the learner has answered at least once."""
        return bool(self.answers)

    @property
    def report(self) -> Report | None:
        """The figures as far as they are worked out."""
        return self._report

    def __repr__(self) -> str:
        if self.table is None:
            return f"CardTable({self._text[:80]!r})"
        return f"CardTable({format_table(self.table)!r})"

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin_ahead()
        return super()._repr_mimebundle_()

    def _without_kernel(self) -> dict[str, str]:
        return {} if self.table is None else static_picture(self.table, self.question)

    # ---- the question ------------------------------------------------------------------------

    @property
    def _asks(self) -> bool:
        table = self.table
        if table is None or table.over is not None:
            return False
        return isinstance(table, Position) or table.turn == SOUTH

    @property
    def _view(self) -> View | None:
        return self.table if isinstance(self.table, View) else None

    def _ask(self) -> None:
        """Draw the question, with what the learner has begun of the answer."""
        self._draw(frames(self._layout, self._begun, self._view)[-1:])
        says = ""
        if self._begun:
            words = {Kind.CLOSE: "closed the stock", Kind.EXCHANGE: "made the exchange"}
            done = list_words([words[move.kind] for move in self._begun])
            says = f"{SIDE_NAMES[self._layout.turn]} has {done}. Go on, or take it back."
        self._show(says, result={})

    def _show_line(self, moves: Answer) -> None:
        if not isinstance(self.table, Position):
            raise ValueError("a line is stepped through with all cards seen, not on a view")
        self._phase = "line"
        self._draw(frames(self.table, moves))
        self._show()

    def _draw(self, shown: list[Frame], first: int = 0, at: int = 0) -> None:
        """Set the frames of the page: it goes from ``first`` to ``at``."""
        self._frames = [asdict(frame) for frame in shown]
        self._from, self._at = first, at
        self._round += 1

    def _now(self) -> Position:
        """Return the position after what is begun, concealed cards lying anyhow."""
        return play_all(self._layout, self._begun)

    def _show(
        self, says: str = "", kind: str = "info", result: dict[str, Any] | None = None
    ) -> None:
        """Draw the page anew.

        The kind of what it says is ``info``, ``error``, or ``spoken``: for screen readers only.
        """
        scene: dict[str, Any] = {
            "format": 1,
            "round": self._round,
            "phase": self._phase,
            "level": self._level,
            "question": self.question,
            "frames": self._frames,
            "from": self._from,
            "at": self._at,
            "says": {"text": says, "kind": kind},
        }
        if self._phase == "asking":
            now = self._now()
            scene |= {
                "own": now.turn,
                "cards": offer_cards(now),
                "actions": offer_actions(now),
                "field": {
                    "label": "Type a move",
                    "hint": f"or type, e.g. {example_word(now)}",
                    "button": "Play",
                },
            }
            if self._begun:
                scene["actions"].append(offer("back", "t", "Take back", ["back"]))
        elif self._phase in ("waiting", "graded"):
            scene["again"] = offer("again", "r", "Try again", ["again"])
            if self._view is not None and self.given is not None:
                lie = "a common one" if self.given.best else "one that goes against South"
                scene["notes"] = [f"This is one way North's cards and the stock can lie: {lie}"]
        self._tell_page(scene, result)

    # ---- what the learner does ---------------------------------------------------------------

    def _hear(self, word: str) -> None:
        try:
            if word == "back" and self._phase == "asking" and self._begun:
                self._begun = self._begun[:-1]
                self._ask()
            elif word == "again" and self._phase in ("waiting", "graded"):
                self._again()
            elif self._phase == "asking":
                self._try(word)
            else:
                self._show("Nothing is asked here now.", kind="error")
        except (NotationError, IllegalMove) as problem:
            self._show(sentence_of(problem), kind="error")

    def _again(self) -> None:
        self._phase = "asking"
        self._begun = ()
        self.given = None
        self._ask()

    def _try(self, words: str) -> None:
        """Take what the learner answered: all of it or, if any of it is wrong, nothing."""
        position = self._now()
        moves = list(self._begun)
        for move in parse_answer(words, self.table):
            if moves and ends_decision(moves[-1]):
                raise IllegalMove(f"the decision ends with {format_move(moves[-1])}")
            position = play(position, move)
            moves.append(move)
        if ends_decision(moves[-1]):
            self._commit(tuple(moves))
        else:
            self._begun = tuple(moves)
            self._ask()

    def _commit(self, answer: Answer) -> None:
        self._begun = ()
        self.answers.append(answer)
        self._phase = "waiting"
        shown = frames(self._layout, answer, self._view)
        self._draw(shown, len(shown) - 1, len(shown) - 1)
        if self.at_once or not loop_runs():
            while self._advance():
                pass
            self._settle()
            self._tell_listeners()
        else:
            self._show("The figures are being worked out.", "spoken", {})
            if self not in self._urgent:
                self._urgent.add(self)
                self._start(self._follow())

    # ---- the figures -------------------------------------------------------------------------

    def _advance(self) -> bool:
        """Take one step of the figures; return False when there are no more."""
        if self._complete:
            return False
        if self._steps is None:
            assert self.table is not None
            options = {name: value for name, value in self._options.items() if value is not None}
            self._steps = iter(reports(self.table, **options))
        try:
            self._report = next(self._steps)
        except StopIteration:
            self._complete = True
        except Exception:
            self._steps = None
            raise
        return not self._complete

    def _settle(self) -> None:
        """Grade the answer if its figure is there, and show what is known by now."""
        assert self.table is not None
        with self._lock:
            if self._phase not in ("waiting", "graded"):
                return
            answer = self.answers[-1]
            if self._phase == "waiting" and not self._listed(answer):
                self._show_waiting(answer)
        choice = self._grade(answer)  # takes long where the answer is not listed
        with self._lock:
            if self._phase not in ("waiting", "graded") or self.answers[-1] is not answer:
                return
            if choice is None or self._report is None:
                self._show_waiting(answer)
                return
            result = figures(self._report, self.table, answer, choice)
            result["sentence"] = sentence(self._report, choice)
            result["wait"] = "More layouts are being sampled; figures and mark may still change."
            spoken = f"{choice.word.capitalize()}. {result['sentence']}"
            before, self.given = self.given, choice
            if before is None:
                self._phase = "graded"
                self._draw_line(choice)
                self._show(spoken, "spoken", result)
            elif before.mark != choice.mark:
                self._show(spoken, "spoken", result)
            else:
                self.result = result

    def _show_waiting(self, answer: Answer) -> None:
        assert self.table is not None
        result = figures(self._report, self.table, answer, None)
        result["sentence"] = "The figure for your choice is still being worked out."
        result["wait"] = "The mark and the reply follow when it is there."
        self.result = result

    def _listed(self, answer: Answer) -> bool:
        report = self._report
        return report is not None and any(choice.answer == answer for choice in report.choices)

    def _draw_line(self, choice: Choice) -> None:
        """Draw the answer, the reply and what follows, from the answer to the reply."""
        reply, moves = choice.reply, choice.line
        first = len(choice.answer)
        shown = frames(choice.layout, choice.answer + moves)
        self._draw(shown, first, first + (reply is not None))

    def _grade(self, answer: Answer) -> Choice | None:
        """Return the answer with its grade, None while its figure is not there."""
        report = self._report
        if report is None or not report.choices:
            return None
        try:
            choice = grade(report, answer)
        except LookupError:
            return None
        early = choice.status == "sampled" and choice.layouts < ENOUGH and not self._complete
        return None if early else choice

    # ---- in a notebook: the figures between the turns of the event loop ----------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _begin_ahead(self) -> None:
        if self._ahead and self._phase == "asking" and loop_runs():
            self._ahead = False
            prepare()
            self._queue[f"{self!r} {self.question}"] = self
            self._start(self._work_ahead())

    async def _work_ahead(self) -> None:
        """Work out the figures while the learner thinks.

        Tables take turns in the order in which they were displayed, an answered one first. A
        table displayed anew, when a lesson is run again, takes the place of the old one.
        """
        key = f"{self!r} {self.question}"
        more = True
        try:
            while more and self._queue.get(key) is self:
                if self._urgent or next(iter(self._queue.values())) is not self:
                    await asyncio.sleep(OFTEN)
                    continue
                with self._work:
                    more = self._advance()
                await asyncio.sleep(PAUSE)
        except Exception:
            return  # it fails again, and says so, when the learner answers
        finally:
            if self._queue.get(key) is self:
                del self._queue[key]

    async def _follow(self) -> None:
        """Work out the figures of an answered table and show them as they come."""
        answered, shown = time.monotonic(), 0.0
        more = True
        try:
            while self in self._urgent:
                if self._phase == "graded" and any(t._phase == "waiting" for t in self._urgent):
                    await asyncio.sleep(OFTEN)  # that one first
                    continue
                with self._work:
                    more = self._advance()
                    if not more or time.monotonic() - shown > OFTEN:
                        self._settle()
                        shown = time.monotonic()
                if self._phase == "graded" or shown - answered > PATIENCE:
                    self._tell_listeners()
                await asyncio.sleep(PAUSE)
                with self._lock:
                    if not more and self._phase != "waiting":
                        self._urgent.discard(self)
            self._tell_listeners()
        except BaseException as problem:
            self._urgent.discard(self)
            if isinstance(problem, Exception):
                with self._lock:
                    self._again()
                    self._show(f"The figures could not be worked out: {problem}", "error")
            raise


def loop_runs() -> bool:
    """Return whether this is called from within a running event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def stand_in(table: Table) -> Position:
    """Return the position itself, or for a view any of its layouts.

    What is legal for South, and what South's moves do, is the same in all of them.
    """
    return table if isinstance(table, Position) else next(layouts(table))


def play_all(position: Position, moves: Answer) -> Position:
    """Return the position after some moves."""
    for move in moves:
        position = play(position, move)
    return position


def ends_decision(move: Move) -> bool:
    """Return whether the side to move has nothing more to choose after this move."""
    return move.kind not in (Kind.CLOSE, Kind.EXCHANGE)


def sentence_of(problem: Exception) -> str:
    """Return an error's message as a sentence."""
    text = " ".join(str(problem).split())
    if len(text) > 300:
        text = f"{text[:300]} ..."
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


# ---- what is offered ---------------------------------------------------------------------------


def offer_moves(moves: list[Move], position: Position) -> list[dict[str, str]]:
    """Return moves for the page, each with its word and its label."""
    return [{"word": format_move(move), "label": label_move(move, position)} for move in moves]


def offer_cards(position: Position) -> list[dict[str, Any]]:
    """Return the cards of the side to move for the page: what each can do, or why nothing."""
    legal = legal_moves(position)
    cards = []
    for card in sort_cards(position.hands[position.turn], position.variant):
        plain = Move(Kind.CARD, card)
        moves = [move for move in (Move(Kind.MARRIAGE, card), plain) if move in legal]
        cards.append(
            {
                "id": f"card {card_code(card)} {card // COPY_STRIDE}",
                "card": card_code(card),
                "label": card_name(card),
                "moves": offer_moves(moves, position),
                "why": "" if moves else sentence_of(IllegalMove(why_illegal(position, plain))),
            }
        )
    return cards


def offer_actions(position: Position) -> list[dict[str, Any]]:
    """Return what else the side to move can do, for the page: one button each."""
    legal = legal_moves(position)
    buttons: list[tuple[Kind, str, str, str]] = [
        (Kind.DRAW, "draw", "d", "Draw"),
        (Kind.CLOSE, "close", "c", "Close the stock"),
        (Kind.EXCHANGE, "exchange", "x", "Exchange"),
        (Kind.MARRIAGE, "marriage", "m", "Marriage"),
        (Kind.SHOW, "show", "s", "Show marriage"),
        (Kind.CLAIM, "announce", "a", f"Announce {position.variant.goal}"),
    ]
    actions = []
    for kind, name, key, label in buttons:
        moves = [move for move in legal if move.kind is kind]
        if not moves:
            continue
        suits = {suit_of(move.card) for move in moves if move.card is not None}
        if len(suits) == 1:
            suit = suits.pop()
            worth = position.variant.marriage_value(suit, position.trump)
            label = f"{label} in {SUIT_NAMES[suit]} ({worth})"
        if kind is Kind.EXCHANGE:
            low = position.variant.exchange_card(position.trump)
            label = f"Exchange the {card_name(low)}"
        action = offer(name, key, label, [])
        action["moves"] = offer_moves(moves, position)
        actions.append(action)
    return actions


def example_word(position: Position) -> str:
    """Return a move word that shows how to type, of a card not held so that it is no hint."""
    held = position.hands[position.turn]
    others = sort_cards(position.variant.pack & ~held, position.variant)
    return card_code(others[0]) if others else "cl"


# ---- what is shown after the answer --------------------------------------------------------------


def figures(
    report: Report | None, table: Table, answer: Answer, given: Choice | None
) -> dict[str, Any]:
    """Return the values of all choices for the page, in game points for the side to move.

    ``given`` is the graded answer, None while its figure is not there.
    """
    concealed = isinstance(table, View)
    choices = list(report.choices) if report is not None else []
    waiting = list(report.waiting) if report is not None else []
    if given is not None and all(choice.answer != answer for choice in choices):
        choices = sorted([*choices, given], key=lambda choice: -choice.game_points)
    known = [choice.answer for choice in choices] + waiting
    rows = [
        {
            "label": label_answer(choice.answer, table),
            "mark": choice.mark,
            "word": choice.word,
            "points": choice.game_points,
            "text": points_text(choice.game_points),
            "error": "" if choice.stderr is None else f"± {choice.stderr:.2f}",
            "low": "" if choice.low is None else points_text(choice.low),
            "wins": f"{choice.wins} of {choice.layouts}",
            "yours": choice.answer == answer,
        }
        for choice in choices
        if not begins_another(choice.answer, known)
    ]
    side = SIDE_NAMES[table.turn]
    caption = f"What each choice is worth, in game points for {side}."
    if concealed:
        caption = (
            f"Game points for {side}, on average over the ways the unseen cards can lie (layouts), "
            "each played as if both sides saw every card"
        )
        sampled = any(row["error"] for row in rows)
        caption += "; with ± where a random sample of them is counted." if sampled else "."
    if any(row["low"] for row in rows):
        caption += (
            f" Fixed plan: what {side} averages with one plan for all layouts, against a defender "
            "who sees everything; worked out where it can matter."
        )
    return {
        "label": label_answer(answer, table),
        "mark": "" if given is None else given.mark,
        "word": "" if given is None else given.word.capitalize(),
        "sentence": "",
        "wait": "",
        "done": report is not None and report.progress >= 1,
        "progress": 0.0 if report is None else report.progress,
        "concealed": concealed,
        "caption": caption,
        "scale": max([1.0, *(abs(choice.game_points) for choice in choices)]),
        "rows": rows,
        "waiting": [
            {"label": label_answer(one, table), "yours": one == answer}
            for one in waiting
            if not begins_another(one, known)
        ],
    }


def begins_another(answer: Answer, answers: list[Answer]) -> bool:
    """Return whether an answer is only the first part of another one."""
    return any(len(other) > len(answer) and other[: len(answer)] == answer for other in answers)


def static_picture(table: Table, question: str) -> dict[str, str]:
    """Return the table as a picture in two forms, for pages where no kernel runs."""
    svg = table_svg(table, question=question)
    data = b64encode(svg.encode()).decode()
    seen = picture(table)
    text = escape(f"{question} {seen.description}")
    image = f'<img alt="{text}" src="data:image/svg+xml;base64,{data}" style="max-width: 100%">'
    return {"image/svg+xml": svg, "text/html": f"{image}\n<p><em>{PICTURE}</em></p>"}
