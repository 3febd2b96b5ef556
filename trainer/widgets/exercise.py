"""What every question on a page has in common: how page and Python speak to each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent


class Exercise(anywidget.AnyWidget):
    """A question that is drawn by table.js.

    The page draws ``scene`` and ``result`` and adds nothing to them; ``result`` stays empty until
    the learner has answered. It sends back words, typed or clicked, in ``choice``: numbered, and
    with those before it, since a busy kernel is given only the last of several values.
    """

    _esm = (HERE / "table.js").read_text(encoding="utf-8")
    _css = (HERE / "table.css").read_text(encoding="utf-8")

    scene: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    result: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    choice: traitlets.Dict[str, Any] = traitlets.Dict({"seq": 0, "word": ""}).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.at_once = False
        """Whether the last answer was given from Python, so that nothing may be put off."""
        self._lock = RLock()
        """Held while the state changes."""
        self._heard = 0
        self._told = False
        self._listeners: list[Callable[[], None]] = []

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and for pages without a kernel what stands in its place."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return data | self._without_kernel(), metadata

    def _without_kernel(self) -> dict[str, str]:
        """Return what stands for the question where no kernel runs, by media type."""
        raise NotImplementedError

    def on_answer(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` once, when the learner has answered; now if that is so already."""
        if self._told:
            listener()
        else:
            self._listeners.append(listener)

    def _tell_listeners(self) -> None:
        self._told = True
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    @traitlets.observe("choice")
    def _on_choice(self, change: dict[str, Any]) -> None:
        earlier = change["new"].get("earlier")
        words = [*(earlier if isinstance(earlier, list) else []), change["new"]]
        with self._lock:
            for each in words:
                number = each.get("seq") if isinstance(each, dict) else None
                if (
                    isinstance(number, int)
                    and number > self._heard
                    and isinstance(each.get("word"), str)
                ):
                    self._heard = number
                    self.at_once = False
                    self._hear(each["word"].strip())

    def _hear(self, word: str) -> None:
        """Do what the learner typed or clicked."""
        raise NotImplementedError

    def _tell_page(self, scene: dict[str, Any], result: dict[str, Any] | None) -> None:
        """Send the scene, and the result with it if that changes too."""
        with self.hold_sync():
            self.scene = scene
            if result is not None:
                self.result = result
