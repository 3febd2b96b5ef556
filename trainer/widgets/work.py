"""The figures of a table: worked out step by step, ahead of the answer or after it.

They come one by one from :func:`trainer.grading.reports`. Where an event loop runs, as in a
notebook, they are worked out between its turns, so that the page stays alive.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from threading import RLock
from typing import ClassVar

from trainer.grading import Choice, Report, grade, reports
from trainer.rules import Position, View
from trainer.search.concealed import Answer

PAUSE = 0.005
"""Seconds between two steps of the figures, for the rest of the program."""
OFTEN = 0.25
"""Seconds between two messages on the progress of the figures."""
AT_ONCE = 0.1
"""Seconds after an answer until the page is told that its figures are under way."""
ENOUGH = 40
"""Sampled layouts from which on a choice is marked; the figure still gets better."""


class Work:
    """The figures of one question; of two with the same ``name`` only the later is worked ahead."""

    urgent: ClassVar[set[Work]] = set()
    """Those that somebody waits for."""
    queue: ClassVar[dict[str, Work]] = {}
    """Those that are worked out ahead, one after the other."""

    def __init__(
        self, table: Position | View, name: str, samples: int | None, seed: int | None
    ) -> None:
        self.table = table
        self.report: Report | None = None
        """The figures as far as they are worked out."""
        self.complete = False
        self.begun = False
        """Whether they are or were worked out ahead."""
        self.pressing = False
        """Whether the learner sees nothing yet of what was asked for."""
        self._pressed_at = self._tell_at = 0.0
        self.lock = RLock()
        """Held while figures are worked out or read."""
        self._name = name
        options = {"samples": samples, "seed": seed}
        self._options = {key: value for key, value in options.items() if value is not None}
        self._steps: Iterator[Report] | None = None

    def advance(self) -> bool:
        """Take one step; return False when there are no more."""
        if self.complete:
            return False
        if self._steps is None:
            self._steps = iter(reports(self.table, **self._options))
        try:
            self.report = next(self._steps)
        except StopIteration:
            self.complete = True
        except Exception:
            self._steps = None
            raise
        return not self.complete

    def finish(self) -> None:
        """Take all steps that are left."""
        while self.advance():
            pass

    @property
    def settled(self) -> bool:
        """Whether every choice has a figure that may be built on; a sample may still grow."""
        report = self.report
        if report is None or self.complete:
            return self.complete
        enough = (c.status != "sampled" or c.layouts >= ENOUGH for c in report.choices)
        return not report.waiting and all(enough)

    def lists(self, answer: Answer) -> bool:
        """Return whether an answer has a figure by now."""
        report = self.report
        return report is not None and any(choice.answer == answer for choice in report.choices)

    def grade(self, answer: Answer) -> Choice | None:
        """Return an answer with its grade, None while its figure is not there."""
        report = self.report
        if report is None or not report.choices:
            return None
        try:
            choice = grade(report, answer)
        except LookupError:
            return None
        early = choice.status == "sampled" and choice.layouts < ENOUGH and not self.complete
        return None if early else choice

    async def ahead(self) -> None:
        """Work while the learner thinks.

        Questions take turns in the order in which they were displayed; what is urgent goes first.
        A question displayed anew, when a lesson is run again, takes the place of the old one.
        """
        self.queue[self._name] = self
        more = True
        try:
            while more and self.queue.get(self._name) is self:
                if self.urgent or next(iter(self.queue.values())) is not self:
                    await asyncio.sleep(OFTEN)
                    continue
                with self.lock:
                    more = self.advance()
                await asyncio.sleep(PAUSE)
        except Exception:
            return  # it fails again, and says so, when the learner answers
        finally:
            self._leave_queue()

    def press(self) -> bool:
        """Put these figures before others; return whether somebody has done so already."""
        pressed = self in self.urgent
        self.urgent.add(self)
        self.pressing = True
        self._pressed_at = time.monotonic()
        self._tell_at = self._pressed_at + AT_ONCE
        return pressed

    async def follow(self, tell: Callable[[], bool]) -> None:
        """Work until all is done, and have it told now and then.

        ``tell`` shows what is known by now, and returns whether the learner still sees nothing of
        what was asked for. Those whose learner does see something let the others go first.
        """
        more = True
        try:
            while self in self.urgent:
                if not self.pressing and any(other.pressing for other in self.urgent):
                    await asyncio.sleep(OFTEN)
                    continue
                with self.lock:
                    more = self.advance()
                    now = time.monotonic()
                    if not more or now > self._tell_at:
                        self.pressing = tell()
                        self._tell_at = now + OFTEN
                await asyncio.sleep(0 if now < self._pressed_at + AT_ONCE else PAUSE)
                if not more and not self.pressing:
                    return
        finally:
            self.urgent.discard(self)

    def drop(self) -> None:
        """Work them out no further: nobody asks for them any more."""
        self.urgent.discard(self)
        self._leave_queue()

    def _leave_queue(self) -> None:
        if self.queue.get(self._name) is self:
            del self.queue[self._name]


def loop_runs() -> bool:
    """Return whether this is called from within a running event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
