"""The card table: a position on which the learner chooses, sees the reply, and is graded.

A table asks one question, or several one after the other. The learner answers with a whole
decision: closing and exchanging are steps of it that can be taken back, and playing a card,
drawing, showing or announcing ends it. Then, and not before, the page is told what every choice is
worth; the line can be stepped through, and from any of its steps something else can be played
against best defence. Until the answer neither the scene nor anything else that a browser or a
saved notebook could see says anything about it, although the figures may already be under way in
the background; hints are told one by one as they are asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from trainer.explain import against, only_on_average
from trainer.grading import Choice, Report
from trainer.hints import hints
from trainer.notation import (
    NotationError,
    format_table,
    parse,
    parse_answer,
)
from trainer.record import Record, attempt_of, open_record
from trainer.rules import SOUTH, IllegalMove, Kind, Position, View
from trainer.rules.position import SIDE_NAMES, layouts
from trainer.search.backend import prepare
from trainer.search.concealed import Answer, decides, play_answer
from trainer.widgets.board import Board, take
from trainer.widgets.figures import figures, reasons
from trainer.widgets.offers import offer, offer_turn, sentence_of
from trainer.widgets.picture import Table, frames, list_words
from trainer.widgets.replay import Replay, pages_of
from trainer.widgets.svg import table_image, table_svg
from trainer.widgets.work import Work, loop_runs

ASKED = "What do you play?"
PICTURE = "A picture of the table. Press Run all to play on it."
"""What stands under the static picture in a notebook."""
PATIENCE = 15.0
"""Seconds after an answer until what waits for it goes on, graded or not."""
HINTS = 4
"""How many hints there are on a position."""
ANSWERED = ("waiting", "graded", "playing")
"""The phases of a question after the answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to be asked about, and what the record keeps with the answer."""

    table: Table | str
    """A position, what South has seen of one, or a position line of either."""
    text: str = ASKED
    source: str = ""
    """Where it is asked, such as the name of a lesson or of a set of puzzles."""
    themes: tuple[str, ...] = ()


class CardTable(Board):
    """A card table that asks what to do in a position, grades the answer and shows why.

    ``table`` is a position, what South has seen of one, or a position line of either. With
    ``line`` (moves, or their words with spaces between) nothing is asked: the table shows the
    line for stepping through.
    """

    def __init__(
        self,
        table: Table | str,
        question: str = ASKED,
        *,
        line: Answer | str | None = None,
        then: Iterable[Question | Table | str] = (),
        samples: int | None = None,
        seed: int | None = None,
        level: int = 3,
        ahead: bool = True,
        source: str = "",
        themes: tuple[str, ...] = (),
        record: Record | Literal["shared"] | None = "shared",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Set the table.

        ``then`` holds what is asked next. Each time the learner presses Next one is taken from it,
        so that a generator can choose by what was answered. ``samples`` and ``seed`` go to the
        grading where a figure is sampled. ``level`` is the level of the heading that holds the
        question. With ``ahead`` the figures are begun when the table is displayed. What is
        answered on the page goes into ``record``: None keeps nothing, ``"shared"`` is the
        learner's own, opened when there is something to keep. ``now`` tells the time.
        """
        super().__init__(level)
        self._then = iter(then)
        self._has_next = bool(then)
        self._ahead = ahead
        self._options = (samples, seed)
        self._record = record
        self._now = now
        self._pose(Question(table, question, source, themes), line)

    def _pose(self, question: Question, line: Answer | str | None = None) -> None:
        """Put a question, or a line, in the place of what was there."""
        self.question = question.text
        self.answers: list[Answer] = []
        """Everything the learner answered to this question, the first answer first."""
        self.given: Choice | None = None
        """The last answer with its grade; None while there is none."""
        self.table: Table | None = None
        self.asked = question
        """What is asked now."""
        self._close()
        self._draw([], 0, 0)
        self._work: Work | None = None
        self._phase = "asking"
        self._begun: Answer = ()
        self._hints: tuple[str, ...] = ()
        self._hints_wanted = 0
        self._reasons: list[str] = []
        self._kept = True
        self._seconds = 0.0
        self._shown_at = self._now()
        self._answered_at = 0.0
        given = question.table
        self._text = given if isinstance(given, str) else ""
        try:
            self.table = parse(given) if isinstance(given, str) else given
            self._layout = stand_in(self.table)
            if line is not None:
                self._show_line(parse_answer(line, self.table) if isinstance(line, str) else line)
                return
        except (NotationError, IllegalMove) as problem:
            self._phase = "broken"
            self._show(sentence_of(problem), "error", {})
            return
        if self.table.over is None and (
            isinstance(self.table, Position) or self.table.turn == SOUTH
        ):
            self._work = Work(self.table, f"{self!r} {self.question}", *self._options)
        else:
            self._phase = "shown"
        self._ask()

    # ---- what a lesson or a test uses --------------------------------------------------------

    def answer(self, words: str) -> Choice:
        """Answer as the learner would, ``cl DA``, and return the graded choice.

        All figures are worked out before this returns, and nothing is recorded. A table that was
        answered already is asked again. Raises NotationError or IllegalMove, and ValueError for
        half a decision.
        """
        with self._work.lock if self._work else nullcontext(), self._lock:
            self.at_once = True
            if self._phase in ANSWERED and self.answers:
                self._again()
            if self._phase != "asking":
                raise ValueError("nothing is asked here")
            self._try(words)
            if self.given is None:
                raise ValueError(f"{words!r} is not a whole decision: a card must follow")
            return self.given

    @property
    def answered(self) -> bool:
        """Whether the learner has answered this question at least once."""
        return bool(self.answers)

    @property
    def report(self) -> Report | None:
        """The figures as far as they are worked out."""
        return None if self._work is None else self._work.report

    def __repr__(self) -> str:
        if self.table is None:
            return f"CardTable({self._text[:80]!r})"
        return f"CardTable({format_table(self.table)!r})"

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        self._shown_at = self._now()
        self._begin_ahead()
        return super()._repr_mimebundle_()

    def _without_kernel(self) -> dict[str, str]:
        return {} if self.table is None else static_picture(self.table, self.question)

    # ---- what the page shows -----------------------------------------------------------------

    @property
    def _view(self) -> View | None:
        return self.table if isinstance(self.table, View) else None

    def _now_at(self) -> Position:
        """Return the position after what is begun, concealed cards lying anyhow."""
        return play_answer(self._layout, self._begun)

    def _offers(self) -> dict[str, Any]:
        offers = super()._offers()
        if self._phase == "asking":
            offers |= {"turn": offer_turn(self._now_at()), "hints": self._hints}
            if self._begun:
                offers["turn"]["actions"].append(offer("back", "t", "Take back", ["back"]))
            if len(self._hints) < HINTS:
                label = f"Hint {len(self._hints) + 1} of {HINTS}"
                offers["hint"] = offer("hint", "h", label, ["hint"])
        elif self._has_next:
            offers["next"] = offer("next", "n", "Next", ["next"])
        if self._phase in ANSWERED and self.answers:
            offers["again"] = offer("again", "r", "Try again", ["again"])
            if self._view is not None and self.given is not None:
                lie = "a common one" if self.given.best else "one that goes against South"
                offers["notes"] = [f"This is one way North's cards and the stock can lie: {lie}"]
        return offers

    def _ask(self, says: str = "") -> None:
        """Draw the question, with what the learner has begun of the answer."""
        self._draw(pages_of(frames(self._layout, self._begun, self._view)[-1:]), 0, 0)
        if self._begun:
            words = {Kind.CLOSE: "closed the stock", Kind.EXCHANGE: "made the exchange"}
            done = list_words([words[move.kind] for move in self._begun])
            says = f"{SIDE_NAMES[self._layout.turn]} has {done}. Go on, or take it back."
        self._show(says, result={})

    def _show_line(self, moves: Answer) -> None:
        if not isinstance(self.table, Position):
            raise ValueError("a line is stepped through with all cards seen, not on a view")
        replay = Replay(self.table, moves, self.table.turn, moves=moves)
        self._open(replay, "line")
        self._draw(replay.pages(), 0, 0)
        self._show()

    # ---- what the learner does ---------------------------------------------------------------

    def _obey(self, word: str) -> None:
        asking = self._phase == "asking"
        answered = self._phase in ANSWERED and self.answered
        if word == "again" and answered:
            self._again()
        elif word == "next" and self._has_next and not asking:
            self._next()
        elif word == "hint" and asking and len(self._hints) < HINTS:
            self._ask_hint()
        elif word == "back" and asking and self._begun:
            self._begun = self._begun[:-1]
            self._ask()
        elif asking:
            self._try(word)
        else:
            super()._obey(word)

    def _try(self, words: str) -> None:
        """Take what the learner answered: all of it or, if any of it is wrong, nothing."""
        moves = self._begun + take(words, self._now_at(), self._begun)
        if decides(moves):
            self._commit(moves)
        else:
            self._begun = moves
            self._ask()

    def _again(self) -> None:
        trouble = self._keep()
        self._phase = "asking"
        self._begun = ()
        self._hints_wanted = len(self._hints)
        self.given = None
        self._close()
        self._shown_at = self._now()
        self._ask(trouble)

    def _next(self) -> None:
        """Ask what comes next."""
        trouble = self._keep()
        item = next(self._then, None)
        if item is None:
            self._has_next = False
            self._show(trouble or "That was the last one here.")
            return
        if self._work is not None:
            self._work.drop()
        if not isinstance(item, Question):
            item = Question(item, self.asked.text, self.asked.source, self.asked.themes)
        self._pose(item)
        if trouble:
            self._show(trouble)
        self._begin_ahead()

    def _commit(self, answer: Answer) -> None:
        self._begun = ()
        self._hints_wanted = len(self._hints)
        self.answers.append(answer)
        self._phase = "waiting"
        self._kept = self.at_once
        self._seconds = max(0.0, (self._now() - self._shown_at).total_seconds())
        shown = frames(self._layout, answer, self._view)
        self._draw(pages_of(shown), len(shown) - 1, len(shown) - 1)
        if self.at_once or not loop_runs():
            self._finish()
            self._tell_listeners()
        else:
            self._show("The figures are being worked out.", "spoken", {})
            self._press()

    # ---- hints -------------------------------------------------------------------------------

    def _ask_hint(self) -> None:
        self._hints_wanted = len(self._hints) + 1
        if not loop_runs():
            self._finish()
        elif self._work is not None and self._work.settled:
            self._settle()
        else:
            self._show("The hint follows as soon as the figures are worked out.")
            self._press()

    def _give_hint(self) -> None:
        """Tell the hint that was asked for, if the figures are there."""
        work = self._work
        if len(self._hints) < self._hints_wanted and work and work.settled and work.report:
            self._hints = tuple(hints(work.report))[: self._hints_wanted]
            self._hints_wanted = len(self._hints)
            self._show(f"Hint {self._hints_wanted}: {self._hints[-1]}", "spoken")

    # ---- the grade ---------------------------------------------------------------------------

    def _finish(self) -> None:
        """Work out all figures now, and show them."""
        assert self._work is not None
        self._work.finish()
        self._settle()

    def _settle(self) -> None:
        """Grade the answer if its figure is there, and show what is known by now."""
        work = self._work
        assert work is not None
        with self._lock:
            if self._phase == "asking":
                self._give_hint()
            if self._phase not in ANSWERED:
                return
            answer = self.answers[-1]
            if self._phase == "waiting" and not work.lists(answer):
                self._show_waiting(answer)
        choice = work.grade(answer)  # takes long where the answer is not listed
        with self._lock:
            if self._phase not in ANSWERED or self.answers[-1] is not answer:
                return
            if choice is None or work.report is None:
                self._show_waiting(answer)
            else:
                self._show_grade(work, choice)

    def _show_waiting(self, answer: Answer) -> None:
        assert self.table is not None
        self.result = figures(self.report, self.table, answer, None) | {
            "sentences": ["The figure for your choice is still being worked out."],
            "wait": "The mark and the reply follow when it is there.",
        }

    def _show_grade(self, work: Work, choice: Choice) -> None:
        assert work.report is not None
        before, self.given = self.given, choice
        changed = before is None or before.mark != choice.mark
        if changed or work.complete:
            self._reasons = self._sentences(work.report, choice)
        note = only_on_average(work.report, choice)
        result = figures(work.report, work.table, choice.answer, choice) | {
            "sentences": self._reasons,
            "note": note if note and note not in self._reasons else "",
            "wait": "More layouts are being sampled; figures and mark may still change.",
        }
        if before is None:
            self._show_line_of(work.report, choice)
        if changed:
            spoken = " ".join([f"{choice.word.capitalize()}.", *self._reasons])
            self._show(spoken, "spoken", result)
        else:
            self.result = result
        if work.complete and (trouble := self._keep()):
            self._show(trouble)

    def _sentences(self, report: Report, choice: Choice) -> list[str]:
        """Return what is said of a graded choice."""
        return reasons(report, choice)

    def _show_line_of(self, report: Report, choice: Choice) -> None:
        """Show the answer, the reply and best play from there; a loss plays itself to the end."""
        if self._view is not None and not choice.best:
            choice = replace(choice, layout=against(report, choice) or choice.layout)
        start, line, first = choice.layout, choice.answer + choice.line, len(choice.answer)
        replay = Replay(start, line, start.turn, self._view, moves=line)
        if self._view is None and report.progress >= 1:
            replay = replay.knowing((), round(report.best.game_points))
        replay = replay.keeping(choice.solver, first)
        self._open(replay, "graded", choice.solver)
        after = play_answer(start, choice.answer)
        replied = after.over is None and after.turn != start.turn
        self._draw(replay.pages(), first, first + replied, len(line) if choice.loss else 0)

    # ---- the record --------------------------------------------------------------------------

    def _keep(self) -> str:
        """Give the graded answer to the record, once; return what could not be kept and why."""
        choice, report = self.given, self.report
        if self._kept or choice is None or report is None or self._record is None:
            return ""
        self._kept = True
        record = open_record() if self._record == "shared" else self._record
        attempt = attempt_of(
            report,
            choice,
            seconds=self._seconds,
            hints=len(self._hints),
            source=self.asked.source,
            themes=self.asked.themes,
            when=self._now(),
        )
        return record.attempt(attempt) or ""

    # ---- in a notebook: figures between the turns of the event loop --------------------------

    def _begin_ahead(self) -> None:
        if self._work is not None and self._ahead and not self._work.begun and loop_runs():
            prepare()
            self._work.begun = True
            self._start(self._work.ahead())

    def _press(self) -> None:
        """Have the figures worked out before all others: the learner waits for them."""
        assert self._work is not None
        self._answered_at = time.monotonic()
        if not self._work.press():
            self._start(self._follow(self._work))

    async def _follow(self, work: Work) -> None:
        """Work out the figures that the learner waits for, and show them as they come."""

        def tell() -> bool:
            if work is not self._work:
                return False
            self._settle()
            waited = time.monotonic() - self._answered_at
            if self._phase == "graded" or (self.answers and waited > PATIENCE):
                self._tell_listeners()
            return self._phase == "waiting" or len(self._hints) < self._hints_wanted

        try:
            await work.follow(tell)
        except BaseException as problem:
            if isinstance(problem, Exception) and work is self._work:
                with self._lock:
                    self._again()
                    self._show(f"The figures could not be worked out: {problem}", "error")
            raise


def stand_in(table: Table) -> Position:
    """Return the position itself, or for a view any of its layouts.

    What is legal for South, and what South's moves do, is the same in all of them.
    """
    return table if isinstance(table, Position) else next(layouts(table))


def static_picture(table: Table, question: str) -> dict[str, str]:
    """Return the table as a picture in two forms, for pages where no kernel runs."""
    html = f"{table_image(table, question)}\n<p><em>{PICTURE}</em></p>"
    return {"image/svg+xml": table_svg(table, question=question), "text/html": html}
