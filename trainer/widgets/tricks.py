"""The tricks of a deal, shown one at a time as at a table, for counting in the head."""

from __future__ import annotations

from html import escape
from typing import Any

import anywidget
import traitlets

from trainer.notation import parse_answer, parse_position
from trainer.rules import SOUTH, card_code, card_name, play
from trainer.rules.cards import RANKS, SUIT_SYMBOLS, Card, rank_of, suit_of
from trainer.widgets.svg import SUIT_COLOURS, rank_text


class Tricks(anywidget.AnyWidget):
    """Shows who played what, a trick at a time, and says nothing of what it counts.

    ``line`` is a position line with every card seen, and ``moves`` what is played from there, a
    word for each move. Raises NotationError for what cannot be read, and IllegalMove.
    """

    _esm = """
    export default {
      render({ model, el }) {
        const tricks = model.get("tricks");
        const cards = document.createElement("div");
        cards.setAttribute("aria-hidden", "true");
        cards.style.cssText = "display: flex; gap: 0.5rem; min-height: 4.2rem";
        const said = document.createElement("p");
        said.setAttribute("role", "status");
        said.style.cssText = "margin: 0.3rem 0 0.5rem; font-size: 0.9rem";
        let at = 0;
        const drawn = (card) => {
          const box = document.createElement("span");
          box.textContent = card.sign;
          box.style.cssText =
            "padding: 1rem 0.2rem; width: 3.2rem; text-align: center; border-radius: 6px; " +
            "white-space: nowrap; " +
            "font-size: 1.25rem; font-weight: 700; background: #fff; border: 1px solid #5d6a63";
          box.style.color = card.colour;
          return box;
        };
        const show = () => {
          const trick = tricks[at - 1];
          cards.replaceChildren(...(trick ? trick.cards.map(drawn) : []));
          said.textContent =
            at === 0 ? `${tricks.length} tricks lie face down. Look at one after the other.`
            : trick ? `Trick ${at} of ${tricks.length}: ${trick.text}`
            : "These were all. Now say what they count.";
          next.disabled = at > tricks.length;
          first.disabled = at === 0;
        };
        const button = (label, step) => {
          const made = document.createElement("button");
          made.type = "button";
          made.className = "jupyter-button";
          made.style.cssText = "width: auto; padding: 0 0.8rem; margin-right: 0.5rem";
          made.textContent = label;
          made.addEventListener("click", () => { at = step(at); show(); });
          return made;
        };
        const next = button("Next trick", (now) => Math.min(now + 1, tricks.length + 1));
        const first = button("Once more from the first", () => 0);
        el.setAttribute("role", "group");
        el.setAttribute("aria-label", "Tricks");
        el.style.padding = "0.4rem";
        el.append(cards, said, next, first);
        show();
      },
    };
    """

    tricks: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    def __init__(self, line: str, moves: str) -> None:
        super().__init__()
        position = parse_position(line)
        told: list[dict[str, Any]] = []
        for move in parse_answer(moves, position):
            led, leads = position.led, position.turn != SOUTH
            position = play(position, move)
            if led is not None and move.card is not None:
                told.append(_trick(led, move.card, leads, position.turn == SOUTH))
        self.tricks = told

    def __repr__(self) -> str:
        return "\n".join(trick["text"] for trick in self.tricks)

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and for pages without a kernel all tricks as a list."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        items = "".join(f"<li>{escape(trick['text'])}</li>" for trick in self.tricks)
        return data | {"text/html": f"<ol>{items}</ol>"}, metadata


def _trick(led: Card, reply: Card, south_led: bool, south_won: bool) -> dict[str, Any]:
    """Return a trick for the page, the card led first."""
    first, second = ("You", "North") if south_led else ("North", "you")
    winner = "You win it" if south_won else "North wins it"
    return {
        "text": f"{first} led the {card_name(led)}, {second} played the {card_name(reply)}. "
        f"{winner}.",
        "cards": [_drawn(card) for card in (led, reply)],
    }


def _drawn(card: Card) -> dict[str, str]:
    rank = rank_text(RANKS[rank_of(card)])
    return {
        "sign": f"{SUIT_SYMBOLS[suit_of(card)]}\u2009{rank}",
        "colour": SUIT_COLOURS[card_code(card)[0]],
    }
