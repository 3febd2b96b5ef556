"""The static picture of the card table."""

import random
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.notation import format_table, parse, parse_view
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Outcome,
    Position,
    card_code,
    card_name,
    cards_in,
    deal,
    legal_moves,
    play,
    view,
)
from trainer.widgets.svg import table_svg

SVG = "{http://www.w3.org/2000/svg}"
F2 = "foster66 S:KQ..AJ.J9 N:...,6x H 5xHQ 35/2-11/1 S won=S:CACK,CTDT;N:SAS9"
TABLES = {
    "concealed, open": F2,
    "concealed, closed": "foster66 S:KQ..J.J9 N:...,6x H 5xHQ 35/2-11/1 N DA "
    "won=S:CACK,CTDT;N:SAS9 closed=S11/1",
    "first lead": "foster66 S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S",
    "following, exchange possible": "foster66 S:TK.9.TJ.Q N:9.K..ATJ H SJSADAHACKHQ 7/1-15/2 S C9 "
    "won=S:DQDK;N:D9HJ,HTSQ",
    "undrawn": "foster66 S:K9.KQ.A. N:T.T..TKJ S DTCASJDJHJSA 24/3-0/1 S undrawn "
    "won=S:DQSQ,H9DK,CQHA;N:C9D9",
    "provisional marriage": "foster66 S:A.Q9.J.J N:.T.Q.AK D S9HASQC9HJCTCQSJSTD9SKDK "
    "0~20/0-14/1 S DA won=N:HKDT said=S:H closed=N0/0",
    "stock gone": "foster66 S:T.9.Q.TJ N:...,4x S - 45/6-11/1 S SQ "
    "won=S:SJS9,DJHK,C9HJ,CKDT,HTCQ,SKDK;N:D9DA",
}


def random_table(seed: int, moves: int) -> Position:
    """Return a position some random moves into a random deal."""
    rng = random.Random(seed)
    position = deal(VARIANTS["foster66"], rng, rng.choice((SOUTH, NORTH)))
    for _ in range(moves):
        if position.over is not None:
            break
        position = play(position, rng.choice(legal_moves(position)))
    return position


def texts(svg: str) -> list[str]:
    """Return every piece of text that is drawn."""
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("line", TABLES.values(), ids=TABLES)
def test_every_kind_of_table_is_drawn_with_its_cards_and_described(line: str) -> None:
    table = parse(line)
    svg = table_svg(table)
    root = ElementTree.fromstring(svg)
    drawn = texts(svg)
    own = table.hands[SOUTH] if isinstance(table, Position) else table.hand
    description = root.findtext(f"{SVG}desc") or ""
    for card in cards_in(own):
        code = card_code(card)
        assert drawn.count(code) == 1
        rank = "10" if code[1] == "T" else code[1]
        assert rank in drawn
        assert card_name(card).split()[0] in description
    assert line in description
    title = root.findtext(f"{SVG}title") or ""
    assert title.startswith(table.variant.title)
    assert title.removeprefix(f"{table.variant.title}: ") in drawn


def test_the_count_35_position_tells_everything_a_player_sees() -> None:
    svg = table_svg(parse(F2))
    drawn = texts(svg)
    assert "North: 11 card points, 1 trick" in drawn
    assert "South: 35 card points, 2 tricks, to lead" in drawn
    assert "Hearts are trumps" in drawn
    assert "5 face down" in drawn
    assert "HQ" in drawn
    description = ElementTree.fromstring(svg).findtext(f"{SVG}desc") or ""
    assert "North holds 6 cards face down" in description
    assert "King and Queen of spades, Ace and Jack of diamonds, Jack and Nine of clubs" in (
        description
    )
    assert "South won the Ten of clubs and the Ten of diamonds" in description
    assert "5 cards face down, the Queen of hearts turned up" in description


def test_a_closed_stock_shows_no_turn_up_and_names_the_closer() -> None:
    drawn = texts(table_svg(parse(TABLES["concealed, closed"])))
    assert "by South" in drawn
    assert "HQ" not in drawn
    assert "South led" in drawn
    assert "At the closing North had 11 card points and 1 trick." in drawn


def test_points_of_a_marriage_that_do_not_count_yet_are_told_apart() -> None:
    drawn = texts(table_svg(parse(TABLES["provisional marriage"])))
    assert "South: 0 card points (and 20 more once a trick is won), 0 tricks, to play" in drawn


def test_a_tied_deal_tells_what_its_own_game_makes_of_it() -> None:
    deals = {name: deal(VARIANTS[name], random.Random(1)) for name in ("foster66", "russian66")}
    drawn = {
        name: texts(table_svg(replace(position, over=Outcome(None, 0))))
        for name, position in deals.items()
    }
    assert (
        "Nobody scores, and the winner of the next deal gets 1 game point more."
        in drawn["foster66"]
    )
    assert "Nobody scores." in drawn["russian66"]


@given(seed=st.integers(0, 10_000), moves=st.integers(0, 30))
def test_what_is_concealed_is_not_in_the_picture(seed: int, moves: int) -> None:
    position = random_table(seed, moves)
    seen = view(position, SOUTH)
    svg = table_svg(seen)
    shown = {word for text in texts(svg) for word in text.split()}
    hidden = seen.unseen
    assert not shown & {card_code(card) for card in cards_in(hidden)}
    backs = svg.count('stroke-dasharray="2 2"')
    assert backs >= seen.concealed


@given(seed=st.integers(0, 10_000), moves=st.integers(0, 30))
def test_every_position_is_drawn_well_formed_and_always_the_same(seed: int, moves: int) -> None:
    position = random_table(seed, moves)
    svg = table_svg(position)
    ElementTree.fromstring(svg)
    assert svg == table_svg(parse(format_table(position)))


def test_a_question_with_markup_in_it_stays_text() -> None:
    question = 'Is 3 < 4 & "35" > 34? </text><script>alert(1)</script> ' + "long " * 30
    svg = table_svg(parse_view(F2), question=question)
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    drawn = " ".join(texts(svg))
    assert " ".join(question.split()) in drawn


@pytest.mark.parametrize("line", TABLES.values(), ids=TABLES)
def test_the_picture_needs_nothing_from_outside(line: str) -> None:
    svg = table_svg(parse(line)).replace('xmlns="http://www.w3.org/2000/svg"', "")
    for word in ("http", "href", "url(", "@import", "<script", "<style", "<image", "data:"):
        assert word not in svg
