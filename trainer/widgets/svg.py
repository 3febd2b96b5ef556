"""The card table as a static SVG picture, for print and for pages where no kernel runs."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from textwrap import wrap

from trainer.rules.position import NORTH, SOUTH
from trainer.widgets.picture import Picture, Seat, Table, picture

SUIT_PATHS = {
    "S": "M16 2C20 8 29 13 29 20C29 24 26 26.5 22.8 26.5C20.4 26.5 18.4 25.3 17.2 23.4"
    "C17.6 26.4 18.6 28.6 20.5 30H11.5C13.4 28.6 14.4 26.4 14.8 23.4C13.6 25.3 11.6 26.5 "
    "9.2 26.5C6 26.5 3 24 3 20C3 13 12 8 16 2Z",
    "H": "M16 29C6 21 2 16 2 10C2 6 5 3.5 8.5 3.5C12 3.5 14.6 5.5 16 8.5C17.4 5.5 20 3.5 "
    "23.5 3.5C27 3.5 30 6 30 10C30 16 26 21 16 29Z",
    "D": "M16 1.5C18.5 7 22.5 12 27 16C22.5 20 18.5 25 16 30.5C13.5 25 9.5 20 5 16"
    "C9.5 12 13.5 7 16 1.5Z",
    "C": "M16 2A6.6 6.6 0 0 1 20.9 13A6.6 6.6 0 1 1 17.3 22.3C17.7 26 18.7 28.4 20.5 30"
    "H11.5C13.3 28.4 14.3 26 14.7 22.3A6.6 6.6 0 1 1 11.1 13A6.6 6.6 0 0 1 16 2Z",
}
"""Each suit's symbol in a box of 32 by 32; the table in the notebook draws the same."""
SUIT_COLOURS = {"S": "#1b1b1b", "H": "#c2182b", "D": "#0b5cad", "C": "#1a7336"}

WIDTH = 640
CARD = (62, 88)
GAP = 8
MARGIN = 24
NORTH_TOP = 46
MIDDLE = 156
SOUTH_TOP = 286
INK = "#1d2a24"
FAINT = "#4b5a52"
BOLD = ' font-weight="700"'
MIDDLED = ' text-anchor="middle"'
TITLE_WIDTH = 24
"""Characters of the game's title that fit into a line."""
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif"


def rank_text(rank: str) -> str:
    """Return what stands on the card: ``10`` for T, else the letter of the rank."""
    return "10" if rank == "T" else rank


def table_svg(table: Table, *, question: str = "") -> str:
    """Return an SVG document that shows the table, 640 units wide, under a question if given.

    The same table always gives the same text. Nothing in it refers to anything outside of it.
    """
    seen = picture(table)
    asked = wrap(question, 64)
    shift = 24 * len(asked) + 14 if asked else 0
    height = 420 + 20 * len(seen.notes) + shift
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="{FONT}" fill="{INK}">',
        f"<title>{escape(seen.title)}: {escape(seen.trump_text)}</title>",
        f"<desc>{escape(seen.description)} {escape(seen.line)}</desc>",
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="14" fill="#edf3ee" '
        'stroke="#a9bbae"/>',
        *(_text(MARGIN, 34 + 24 * row, words, 17, "", BOLD) for row, words in enumerate(asked)),
        f'<g transform="translate(0 {shift})">',
    ]
    parts += _seat(seen.north, NORTH_TOP, NORTH_TOP - 16)
    parts += _seat(seen.south, SOUTH_TOP, SOUTH_TOP + CARD[1] + 24)
    parts += _stock(seen)
    parts += _trick(seen)
    parts += _trump(seen)
    for row, note in enumerate(seen.notes):
        parts.append(_text(MARGIN, SOUTH_TOP + CARD[1] + 46 + 20 * row, f"{note}.", 13, FAINT))
    parts.append("</g></svg>")
    return "\n".join(parts) + "\n"


def table_image(table: Table, question: str = "") -> str:
    """Return the picture of a table as an HTML image, described for screen readers."""
    data = b64encode(table_svg(table, question=question).encode()).decode()
    text = escape(f"{question} {picture(table).description}".strip())
    return f'<img alt="{text}" src="data:image/svg+xml;base64,{data}" style="max-width: 100%">'


def _text(x: float, y: float, text: str, size: int, fill: str = "", extra: str = "") -> str:
    colour = f' fill="{fill}"' if fill else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{colour}{extra}>{escape(text)}</text>'


def _suit(suit: str, x: float, y: float, size: float, fill: str = "") -> str:
    return (
        f'<path transform="translate({x:g} {y:g}) scale({size / 32:.3g})" '
        f'fill="{fill or SUIT_COLOURS[suit]}" d="{SUIT_PATHS[suit]}"/>'
    )


def _card(code: str | None, x: float, y: float) -> list[str]:
    width, height = CARD
    if code is None:
        return _back(x, y, width, height)
    suit, rank = code[0], code[1]
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="6" fill="#fff" '
        'stroke="#5d6a63"/>',
        _text(x + 6, y + 23, rank_text(rank), 22, SUIT_COLOURS[suit], BOLD),
        _suit(suit, x + 6, y + 29, 15),
        _suit(suit, x + 25, y + 33, 31),
        _text(x + width - 5, y + height - 6, code, 10, FAINT, ' text-anchor="end"'),
    ]


def _back(x: float, y: float, width: float, height: float) -> list[str]:
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="#fff" '
        'stroke="#5d6a63"/>',
        f'<rect x="{x + 4:g}" y="{y + 4:g}" width="{width - 8:g}" height="{height - 8:g}" rx="3" '
        'fill="#b7c7d6" stroke="#47617a"/>',
        f'<rect x="{x + 9:g}" y="{y + 9:g}" width="{width - 18:g}" height="{height - 18:g}" '
        'rx="2" fill="none" stroke="#47617a" stroke-dasharray="2 2"/>',
    ]


def _seat(seat: Seat, top: float, baseline: float) -> list[str]:
    parts = []
    step: float = CARD[0] + GAP
    if len(seat.cards) > 1:
        step = min(step, (WIDTH - 2 * MARGIN - CARD[0]) / (len(seat.cards) - 1))
    left = (WIDTH - CARD[0] - step * (len(seat.cards) - 1)) / 2
    for place, code in enumerate(seat.cards):
        parts += _card(code, left + place * step, top)
    turn = f', <tspan font-weight="700">{escape(seat.turn)}</tspan>' if seat.turn else ""
    parts.append(
        f'<text x="{MARGIN}" y="{baseline:g}" font-size="15"><tspan font-weight="700">'
        f"{escape(seat.name)}</tspan>: {escape(seat.counts)}{turn}</text>"
    )
    parts += _taken(seat.taken, baseline)
    return parts


def _taken(taken: tuple[tuple[str, str], ...], baseline: float) -> list[str]:
    """Draw the tricks won as small pairs, at the right end of a side's line."""
    if not taken:
        return []
    step = min(46.0, 290 / len(taken))
    size = step / 46
    left = WIDTH - MARGIN - step * len(taken) + 6 * size
    parts = []
    for place, trick in enumerate(taken):
        for half, code in enumerate(trick):
            suit, rank = code[0], code[1]
            x = left + place * step + half * 20 * size
            parts += [
                f'<rect x="{x:.4g}" y="{baseline - 19:g}" width="{20 * size:.3g}" height="26" '
                'rx="3" fill="#fff" stroke="#8a978f"/>',
                _text(
                    round(x + 10 * size, 1),
                    baseline - 7,
                    rank_text(rank),
                    11,
                    SUIT_COLOURS[suit],
                    BOLD + MIDDLED,
                ),
                _suit(suit, round(x + 5.5 * size, 1), baseline - 4, 9 * size),
            ]
    return parts


def _stock(seen: Picture) -> list[str]:
    x, y = MARGIN, MIDDLE
    stock = seen.stock
    if not stock:
        return [_text(x, y + 50, "The stock is gone", 14)]
    down = len(stock) - 1
    if not seen.closer and down and None not in stock:
        return _stock_in_order(seen, x, y)
    parts = []
    if seen.closer:
        parts += _back(x, y + 38, CARD[1], CARD[0])
        parts += _back(x + 13, y + 25, *CARD)
        words = ["Stock closed", f"by {seen.closer}"]
    else:
        parts += _card(stock[-1], x + 13, y)
        for layer in range(min(down, 3)):
            parts += _back(x + 2 * layer, y + 52 - 2 * layer, CARD[1], CARD[0])
        words = ["Stock:", f"{down} face down"] if down else ["Stock:", "turn-up only"]
    for row, word in enumerate(words):
        parts.append(_text(x + 106, y + 74 + 18 * row, word, 14))
    return parts


def _stock_in_order(seen: Picture, x: float, y: float) -> list[str]:
    """Draw the cards of a stock that is known, the next card first, the turn-up outlined."""
    parts = [_text(x, y + 6, "Stock, next card first", 14)]
    for place, code in enumerate(seen.stock):
        assert code is not None
        suit, rank = code[0], code[1]
        left, top = x + 36 * (place % 6), y + 16 + 52 * (place // 6)
        turn_up = place == len(seen.stock) - 1
        stroke = 'stroke="#1d2a24" stroke-width="2"' if turn_up else 'stroke="#8a978f"'
        parts += [
            f'<rect x="{left}" y="{top}" width="32" height="46" rx="4" fill="#fff" {stroke}/>',
            _text(
                left + 16,
                top + 20,
                rank_text(rank),
                17,
                SUIT_COLOURS[suit],
                BOLD + MIDDLED,
            ),
            _suit(suit, left + 9, top + 26, 14),
        ]
    return parts


def _trick(seen: Picture) -> list[str]:
    parts = []
    for side, x in ((NORTH, 254), (SOUTH, 324)):
        name = seen.north.name if side == NORTH else seen.south.name
        code = seen.trick[side]
        if code is None:
            parts.append(
                f'<rect x="{x}" y="{MIDDLE}" width="{CARD[0]}" height="{CARD[1]}" rx="6" '
                'fill="none" stroke="#8a978f" stroke-dasharray="4 4"/>'
            )
        else:
            parts += _card(code, x, MIDDLE)
        verb = ""
        if code is not None:
            verb = " wins" if side == seen.winner else " led" if side == seen.lead else ""
        parts.append(
            _text(
                x + CARD[0] / 2,
                MIDDLE + CARD[1] + 18,
                name + verb,
                13,
                FAINT,
                MIDDLED,
            )
        )
    return parts


def _trump(seen: Picture) -> list[str]:
    x = 540
    return [
        _suit(seen.trump, x - 22, MIDDLE + 2, 44),
        _text(x, MIDDLE + 70, seen.trump_text, 15, "", MIDDLED + BOLD),
        *(
            _text(x, MIDDLE + 90 + 16 * row, words, 12, FAINT, MIDDLED)
            for row, words in enumerate(wrap(seen.title, TITLE_WIDTH))
        ),
    ]
