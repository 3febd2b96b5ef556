"""What a lesson shows when it has been run: that it is ready, and its beginning."""

from __future__ import annotations

from typing import Any

import anywidget


class Start(anywidget.AnyWidget):
    """Says that a lesson is ready, and brings the top of the page back into view.

    Running all cells leaves JupyterLab at the last one, which is the wrong end to begin at. The
    page asks and Python answers, so nothing is said where no kernel runs, and not before the
    cells below have run too.
    """

    _esm = """
    export default {
      render({ model, el }) {
        el.setAttribute("role", "status");
        model.on("msg:custom", (message) => {
          el.textContent = message.text;
          for (let page = el.parentElement; page; page = page.parentElement) {
            if (page.scrollTop > 0) page.scrollTop = 0;
          }
        });
        model.send({ ask: "ready" });
      },
    };
    """

    def __init__(self) -> None:
        super().__init__()
        self.on_msg(self._answer)

    def _answer(self, widget: object, message: dict[str, Any], buffers: object) -> None:
        self.send({"text": "The lesson is ready. Read on."})

    def __repr__(self) -> str:
        return "Not running yet: press Run all."
