"""A table that shows a line: to step through, and to leave for something else at any step."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from typing import Any

from trainer.notation import NotationError, format_move, parse_answer
from trainer.rules import IllegalMove, Position, play
from trainer.rules.position import SIDE_NAMES
from trainer.search.concealed import Answer, decides
from trainer.search.double_dummy import DoubleDummy
from trainer.widgets.exercise import Exercise
from trainer.widgets.offers import offer_turn, sentence_of
from trainer.widgets.replay import Replay
from trainer.widgets.work import PAUSE, loop_runs


class Board(Exercise):
    """What is drawn of a table, and play on it against best defence.

    ``_phase`` says what the page is for: ``line`` and ``graded`` show a line, ``playing`` what is
    played instead of it; the others are those of a question.
    """

    def __init__(self, level: int) -> None:
        super().__init__()
        self.question = ""
        self._level = level
        self._phase = "broken"
        self._round = 0
        self._pages: list[dict[str, Any]] = []
        self._from = self._at = self._until = 0
        self._replay: Replay | None = None
        self._solver: DoubleDummy | None = None
        self._home = "line"
        """The phase in which the line itself is shown."""
        self._thinking = False
        """Whether the reply to a move off the line is being worked out."""
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- what the page shows -----------------------------------------------------------------

    def _draw(self, pages: list[dict[str, Any]], first: int, at: int, until: int = 0) -> None:
        """Set the frames of the page.

        It goes by itself from ``first`` to ``at``, where the mark is told, and on to ``until``.
        """
        self._pages = pages
        self._from, self._at, self._until = first, at, max(at, until)
        self._round += 1

    def _show(
        self, says: str = "", kind: str = "info", result: dict[str, Any] | None = None
    ) -> None:
        """Draw the page anew. Its frames are one text: a notebook saves that in less space.

        The kind of what it says is ``info``, ``error``, or ``spoken``: for screen readers only.
        """
        scene = {
            "format": 1,
            "round": self._round,
            "phase": self._phase,
            "level": self._level,
            "question": self.question,
            "frames": json.dumps(self._pages, ensure_ascii=False, separators=(",", ":")),
            "from": self._from,
            "at": self._at,
            "until": self._until,
            "says": {"text": says, "kind": kind},
        }
        self._tell_page(scene | self._offers(), result)

    def _offers(self) -> dict[str, Any]:
        """Return what the learner can do now, for the scene."""
        if self._phase != "playing" or self._replay is None or self._thinking:
            return {}
        position = self._replay.position
        return {} if position.over is not None else {"turn": offer_turn(position)}

    # ---- what the learner does ---------------------------------------------------------------

    def _hear(self, word: str) -> None:
        try:
            self._obey(word)
        except (NotationError, IllegalMove) as problem:
            self._show(sentence_of(problem), "error")

    def _obey(self, word: str) -> None:
        """Do what a word from the page says. Raises NotationError or IllegalMove."""
        command, _, number = word.partition(" ")
        if self._replay is not None and command == "from" and number.isdecimal():
            self._leave_line(self._replay, int(number[:4]))
        elif self._replay is not None and self._phase == "playing":
            if word == "line":
                self._come_back(self._replay)
            else:
                self._play_other(self._replay, word)
        else:
            self._show("Nothing is asked here now.", "error")

    # ---- the line, and what is played instead ------------------------------------------------

    def _open(self, replay: Replay, home: str, solver: DoubleDummy | None = None) -> None:
        """Have a line to step through; ``solver`` finds the replies to what is played instead."""
        self._replay, self._solver = replay, solver
        self._phase = self._home = home
        self._thinking = False

    def _close(self) -> None:
        self._replay = self._solver = None
        self._thinking = False

    def _leave_line(self, replay: Replay, at: int) -> None:
        """Let the learner play something else after the first ``at`` moves of what is shown."""
        if at > len(replay.moves):
            raise IllegalMove(f"there is no step {at} in this line")
        self._replay, self._phase, self._thinking = replay.cut(at), "playing", False
        self._draw(self._replay.pages(), at, at)
        side = self._replay.position.turn
        self._show(
            f"Play on from here for {SIDE_NAMES[side]}. "
            f"{SIDE_NAMES[1 - side]} answers with the best defence."
        )

    def _come_back(self, replay: Replay) -> None:
        """Show the line again, at the step where it was left."""
        at = replay.common()
        self._replay, self._phase, self._thinking = replay.whole(), self._home, False
        self._draw(self._replay.pages(), at, at)
        self._show()

    def _play_other(self, before: Replay, words: str) -> None:
        """Take a move off the line, and have it answered."""
        position = before.position
        if self._thinking:
            raise IllegalMove("the reply is still to come")
        if position.over is not None:
            raise IllegalMove("the deal is over")
        moves = take(words, position)
        self._solver = self._solver or DoubleDummy()
        steps = before.answered(self._solver, moves)
        if self.at_once or not loop_runs():
            *_, self._replay = steps
            self._show_other(before)
        else:
            mine = next(steps)
            self._replay, self._thinking = mine, True
            self._show_other(before)
            self._start(self._think(before, mine, steps))

    async def _think(self, before: Replay, mine: Replay, steps: Iterator[Replay]) -> None:
        """Find the reply to a move off the line, between the turns of the event loop."""
        try:
            for grown in steps:
                await asyncio.sleep(PAUSE)
                if self._replay is not mine:
                    return  # the learner has left it for something else
                found = grown
            with self._lock:
                self._replay, self._thinking = found, False
                self._show_other(mine)
        except Exception as problem:
            with self._lock:
                if self._replay is mine:
                    self._replay, self._thinking = before, False
                    self._draw(before.pages(), len(before.moves), len(before.moves))
                    self._show(f"The reply could not be worked out: {problem}", "error")
            raise

    def _show_other(self, before: Replay) -> None:
        """Show what was played by now, from where ``before`` ends."""
        assert self._replay is not None
        self._draw(self._replay.pages(), len(before.moves), len(self._replay.moves))
        self._show()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def take(words: str, position: Position, begun: Answer = ()) -> Answer:
    """Return the moves that words name, each of them legal, no more than one decision in all.

    ``begun`` is what is played of the decision already. Raises NotationError or IllegalMove.
    """
    moves = list(begun)
    for move in parse_answer(words, position):
        if moves and decides(tuple(moves)):
            raise IllegalMove(f"the decision ends with {format_move(moves[-1])}")
        position = play(position, move)
        moves.append(move)
    return tuple(moves[len(begun) :])
