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
        el.style.cssText = "padding: 0.3rem 0.4rem; font-weight: 600; font-size: 0.9rem";
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

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and for pages without a kernel that it does not run yet."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return data | {"text/html": f"<p><strong>{self!r}</strong></p>"}, metadata

    def __repr__(self) -> str:
        return "The lesson is not running yet: press Run all."
