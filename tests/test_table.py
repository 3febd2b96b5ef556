"""The card table: what it offers, what it takes, what it shows, and what it keeps to itself."""

import asyncio
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from reference.positions import random_state
from tables import from_reference
from trainer.explain import Reason, worth_text
from trainer.grading import Choice, Report, report
from trainer.hints import hints
from trainer.notation import (
    NotationError,
    format_answer,
    format_table,
    parse,
    parse_answer,
    parse_position,
)
from trainer.record import Attempt, open_record
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    IllegalMove,
    View,
    cards_in,
    deal,
    hand_of,
    legal_moves,
    play,
    view,
)
from trainer.rules.position import SIDE_NAMES, layouts
from trainer.search import DoubleDummy, play_answer
from trainer.widgets import figures as figures_module
from trainer.widgets import table as table_module
from trainer.widgets import work as work_module
from trainer.widgets.exercise import Exercise
from trainer.widgets.number import NumberQuestion
from trainer.widgets.picture import frames_as_seen
from trainer.widgets.reveal import WAITS, after, as_outputs
from trainer.widgets.start import Start
from trainer.widgets.svg import SUIT_PATHS
from trainer.widgets.table import CardTable, Question, stand_in
from trainer.widgets.work import Work

F2 = "foster66 S:KQ..AJ.J9 N:...,6x H 5xHQ 35/2-11/1 S won=S:CACK,CTDT;N:SAS9"
FOLLOW = (
    "foster66 S:TQ..9.J N:9..AT. D SKDQHQSAC9H9DKHKCQCACTDJ 6/1-21/1 S SJ "
    "won=S:CKHJ;N:HTHA closed=S0/0"
)
FOLLOW_SEEN = "foster66 S:TQ..9.J N:...,3x D 11xDJ 6/1-21/1 S SJ won=S:CKHJ;N:HTHA closed=S0/0"
OPEN_FOLLOW = "foster66 S:TK.9.TJ.Q N:9.K..ATJ H SJSADAHACKHQ 7/1-15/2 S C9 won=S:DQDK;N:D9HJ,HTSQ"
UNDRAWN = (
    "foster66 S:K9.KQ.A. N:T.T..TKJ S DTCASJDJHJSA 24/3-0/1 S undrawn won=S:DQSQ,H9DK,CQHA;N:C9D9"
)
MARRIAGES = (
    "foster66 S:Q.KQ.KQ. N:.J.TJ.TK D CASKSAH9STCJHTCQDAS9SJD9 11/1-0/0 S won=S:HAC9 closed=S0/0"
)
NORTH_LEADS = "foster66 S:.QJ.A.AT9 N:9.9.Q9.KQ C - 0/0-73/6 N won=N:HKDJ,STHT,DKSK,SJDT,SQHA,CJSA"
PROVISIONAL_SEEN = (
    "foster66 S:A.Q9.J.J N:...,4x D 11xDK 0~20/0-14/1 S DA won=N:HKDT said=S:H closed=N0/0"
)
ASKED = {
    "count 35": F2,
    "follow": FOLLOW,
    "follow, concealed": FOLLOW_SEEN,
    "follow, stock open": OPEN_FOLLOW,
    "undrawn": UNDRAWN,
    "marriages": MARRIAGES,
    "North to move": NORTH_LEADS,
    "provisional points": PROVISIONAL_SEEN,
}
CLOSED_24 = "S:.J.A. N:...J H S9H9D9C9SQDQCQSJDJHQ 42/2-43/3 S SK closed=N0/0"
CLOSED_20 = "S:.J.A. N:...J H SQDQCQSJDJHKDKHQ 42/2-35/2 S SK closed=N0/0"
MUST_TRUMP = "South must play a trump."

IGNORED = ("_esm", "_css", "layout", "choice")


@pytest.fixture(autouse=True)
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that a test answers go into the record of whoever runs it."""
    monkeypatch.setenv("SIXTY_SIX_DATA", str(tmp_path))


def say(question: Exercise, word: str) -> None:
    """Send a word as the page does."""
    question.choice = {"seq": question.choice["seq"] + 1, "word": word}


def offered(table: CardTable) -> dict[str, str]:
    """Return the words that the page can send, with their labels."""
    turn = table.scene["turn"]
    items = [*turn["cards"], *turn["actions"]]
    return {move["word"]: move["label"] for item in items for move in item["moves"]}


def pictures(table: CardTable, *, as_seen: bool = False) -> list[dict[str, Any]]:
    """Return the frames of the page, each in full as the page puts it together."""

    def merge(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        sides = {side: one.get(side, {}) | other.get(side, {}) for side in ("south", "north")}
        return one | other | sides

    whole: dict[str, Any] = {}
    shown = []
    for frame in json.loads(table.scene["frames"]):
        whole = merge(whole, frame["picture"])
        shown.append(merge(whole, frame.get("seen", {})) if as_seen else whole)
    return shown


def page_state(table: CardTable) -> str:
    """Return all that the page is sent, less program text and what it sent itself."""
    state = table.get_state()
    return json.dumps({key: state[key] for key in sorted(state) if key not in IGNORED})


@pytest.fixture(scope="module")
def count_35() -> CardTable:
    """The count-35 position, answered wrongly."""
    table = CardTable(F2, "Should South close?", samples=5)
    table.answer("cl CJ")
    return table


# ---- what is offered -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ASKED.values(), ids=ASKED)
def test_the_page_offers_exactly_the_legal_moves(line: str) -> None:
    table = CardTable(line)
    position = stand_in(parse(line))
    legal = {format_answer((move,)) for move in legal_moves(position)}
    assert set(offered(table)) == legal
    playable = {card["card"] for card in table.scene["turn"]["cards"] if not card["why"]}
    assert playable == {word for word in legal if len(word) == 2 and word[0] in "SHDC"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("phase", "cards"), [("open", 8), ("undrawn", 7), ("following", 4), ("closed", 4), ("gone", 4)]
)
def test_the_table_plays_every_game_of_the_family(variant: str, phase: str, cards: int) -> None:
    rng = Random(f"{variant} {phase}")
    for _ in range(5):
        position = from_reference(random_state(variant, rng, phase, cards))
        legal = {format_answer((move,)) for move in legal_moves(position)}
        assert set(offered(CardTable(position))) == legal
        for card in CardTable(position).scene["turn"]["cards"]:
            assert bool(card["why"]) == legal.isdisjoint({card["card"], f"{card['card']}m"})
        for word in legal:
            table = CardTable(position)
            say(table, word)
            assert table.scene["says"]["kind"] != "error"


@pytest.mark.parametrize(
    ("line", "playable", "why"),
    [
        pytest.param(f"foster66 {CLOSED_24}", {"HJ", "DA"}, "", id="foster66"),
        pytest.param(f"russian66 {CLOSED_24}", {"HJ"}, MUST_TRUMP, id="russian66"),
        pytest.param(f"german66 {CLOSED_24}", {"HJ"}, MUST_TRUMP, id="german66"),
        pytest.param(f"schnapsen {CLOSED_20}", {"HJ"}, MUST_TRUMP, id="schnapsen"),
    ],
)
def test_dlg_3_who_is_void_must_trump_or_not(line: str, playable: set[str], why: str) -> None:
    table = CardTable(line)
    cards = {card["card"]: card for card in table.scene["turn"]["cards"]}
    assert set(cards) == {"HJ", "DA"}
    assert {code for code, card in cards.items() if not card["why"]} == playable
    assert cards["DA"]["why"] == why
    say(table, "DA")
    if why:
        assert table.scene["says"] == {"text": why, "kind": "error"}
        assert not table.answered
    else:
        assert table.answers == [parse_answer("DA")]
    assert CardTable(line).answer("HJ").mark == "="


def test_a_card_that_may_not_be_played_says_why() -> None:
    table = CardTable(FOLLOW)
    reasons = {card["card"]: card["why"] for card in table.scene["turn"]["cards"]}
    assert reasons["ST"] == reasons["SQ"] == ""
    assert reasons["CJ"] == "South must follow suit with one of the spades held."


def test_a_king_of_a_marriage_can_be_led_with_or_without_declaring_it() -> None:
    table = CardTable(F2)
    cards = {
        card["card"]: [move["word"] for move in card["moves"]]
        for card in table.scene["turn"]["cards"]
    }
    assert cards["SK"] == ["SKm", "SK"]
    assert cards["DA"] == ["DA"]
    buttons = {item["id"]: item for item in table.scene["turn"]["actions"]}
    assert buttons["marriage"]["label"] == "Marriage in spades (20)"
    assert [move["word"] for move in buttons["marriage"]["moves"]] == ["SKm", "SQm"]
    assert list(buttons) == ["close", "marriage", "show", "announce"]


def test_several_marriages_share_one_button() -> None:
    buttons = {item["id"]: item for item in CardTable(MARRIAGES).scene["turn"]["actions"]}
    words = [move["word"] for move in buttons["marriage"]["moves"]]
    assert words == ["HKm", "HQm", "DKm", "DQm"]
    assert [move["word"] for move in buttons["show"]["moves"]] == ["HKQ!", "DKQ!"]


def test_no_two_buttons_share_a_key() -> None:
    for line in ASKED.values():
        table = CardTable(line)
        keys = [item["key"] for item in [*table.scene["turn"]["actions"]]]
        assert len(keys) == len(set(keys))
        assert not {"t", "r", "?"} & set(keys)


def test_the_example_of_typing_is_no_hint() -> None:
    for line in ASKED.values():
        table = CardTable(line)
        word = table.scene["turn"]["field"]["hint"].split()[-1]
        assert word not in offered(table)


def test_the_side_to_move_has_the_playable_cards() -> None:
    assert CardTable(F2).scene["turn"]["own"] == 0
    assert CardTable(NORTH_LEADS).scene["turn"]["own"] == 1


# ---- it keeps to itself what the learner is to find ----------------------------------------------


@pytest.mark.parametrize("line", [FOLLOW_SEEN, FOLLOW, UNDRAWN, F2])
def test_nothing_is_given_away_before_the_answer(line: str) -> None:
    fresh = CardTable(line, samples=5)
    before = page_state(fresh)
    worked_out = CardTable(line, samples=5)
    assert worked_out._work is not None
    worked_out._work.finish()
    assert worked_out.report is not None
    assert worked_out.report.choices
    bundle = worked_out._repr_mimebundle_()[0]
    assert fresh.result == worked_out.result == {}
    assert page_state(worked_out) == before
    for word in ("mark", "loss", "blunder", "stderr", "game point"):
        assert word not in before
    assert bundle["image/svg+xml"] == fresh._repr_mimebundle_()[0]["image/svg+xml"]


def test_half_an_answer_gives_nothing_away_either() -> None:
    table = CardTable(F2, samples=5)
    say(table, "cl")
    assert table.result == {}
    assert len(pictures(table)) == 1
    assert None in pictures(table)[0]["north"]["cards"]


# ---- answering -----------------------------------------------------------------------------------


def test_a_played_card_is_answered_and_graded() -> None:
    table = CardTable(FOLLOW_SEEN)
    say(table, "ST")
    scene, result = table.scene, table.result
    assert scene["phase"] == "graded"
    assert table.given is not None
    assert (result["mark"], result["word"].lower()) == (table.given.mark, table.given.word)
    assert result["sentences"]
    assert result["done"]
    assert [row["yours"] for row in result["rows"]].count(True) == 1
    assert table.answers == [parse_answer("ST")]


def test_closing_is_half_an_answer_and_can_be_taken_back() -> None:
    table = CardTable(F2)
    first = table.scene
    say(table, "cl")
    assert table.scene["phase"] == "asking"
    assert pictures(table)[0]["closer"] == "South"
    assert "South has closed the stock" in table.scene["says"]["text"]
    assert "back" in offered(table)
    assert "cl" not in offered(table)
    say(table, "back")
    assert table.scene | {"round": 0} == first | {"round": 0}
    assert not table.answered


def test_an_exchange_in_mid_trick_can_be_taken_back() -> None:
    table = CardTable(OPEN_FOLLOW)
    say(table, "ex")
    picture = pictures(table)[0]
    assert "HQ" in picture["south"]["cards"]
    assert "H9" not in picture["south"]["cards"]
    assert picture["stock"][-1] == "H9"
    assert picture["trick"] == [None, "C9"]
    say(table, "back")
    assert "H9" in pictures(table)[0]["south"]["cards"]
    say(table, "ex")
    say(table, "HQ")
    assert table.scene["phase"] == "graded"
    assert table.answers == [parse_answer("ex HQ")]


def test_an_answer_in_one_go_equals_the_same_in_steps() -> None:
    at_once, in_steps = CardTable(UNDRAWN), CardTable(UNDRAWN)
    say(at_once, "cl DA")
    say(in_steps, "cl")
    say(in_steps, "DA")
    assert at_once.result == in_steps.result
    assert at_once.scene["frames"] == in_steps.scene["frames"]


def test_the_count_35_is_graded_over_all_hands(count_35: CardTable) -> None:
    rows = count_35.result["rows"]
    assert rows[0]["label"] == "Close the stock, then lead the Ace of diamonds"
    assert (rows[0]["mark"], rows[0]["wins"], rows[0]["error"]) == ("=", "434 of 462", "")
    assert (rows[0]["text"], rows[0]["low"]) == ("+1.76", "+1.76")
    assert count_35.result["mark"] == "??"
    assert next(row for row in rows if row["yours"])["wins"] == "16 of 462"
    sampled = [row for row in rows if row["error"].startswith("± ")]
    assert all(row["wins"].endswith("of 5") for row in sampled)
    assert len(sampled) == 8
    assert "Close the stock" not in [row["label"] for row in rows]


def test_the_reply_happens_on_the_table(count_35: CardTable) -> None:
    scene = count_35.scene
    assert (scene["from"], scene["at"]) == (2, 3)
    answered, replied = (pictures(count_35)[at] for at in (2, 3))
    assert answered["trick"] == ["CJ", None]
    assert replied["trick"][0] == "CJ"
    assert replied["trick"][1] is not None
    assert replied["text"].startswith("North ")


@pytest.mark.parametrize(
    "line", [FOLLOW_SEEN, FOLLOW, UNDRAWN, OPEN_FOLLOW, MARRIAGES, NORTH_LEADS]
)
def test_the_line_can_be_stepped_through_to_the_end_of_the_deal(line: str) -> None:
    for word in offered(CardTable(line)):
        table = CardTable(line, samples=3)
        say(table, word)
        if table.scene["phase"] == "asking":
            say(table, next(word for word in offered(table) if word != "back"))
        frames = pictures(table)
        positions = [parse_position(frame["line"]) for frame in frames]
        assert positions[-1].over is not None
        assert all(position.over is None for position in positions[:-1])
        assert all(frame["text"] for frame in frames)
        seen = parse(line)
        assert positions[0] == seen or view(positions[0], SOUTH) == seen


def test_an_answer_can_be_tried_again() -> None:
    table = CardTable(FOLLOW)
    say(table, "SQ")
    assert table.result
    say(table, "again")
    assert table.scene["phase"] == "asking"
    assert table.result == {}
    assert table.given is None
    say(table, "ST")
    assert table.scene["phase"] == "graded"
    assert table.answers == [parse_answer("SQ"), parse_answer("ST")]


def test_every_choice_has_its_value_best_first() -> None:
    table = CardTable(MARRIAGES)
    table.answer("SQ")
    points = [row["points"] for row in table.result["rows"]]
    assert points == sorted(points, reverse=True)
    assert table.report is not None
    assert len(points) == len(table.report.choices)
    assert not table.result["concealed"]


# ---- the values of every choice, and why ---------------------------------------------------------


def test_every_card_that_could_be_played_has_its_value_on_it(count_35: CardTable) -> None:
    badges = count_35.result["badges"]
    assert set(badges) == {"SK", "SQ", "DA", "DJ", "CJ", "C9"}
    assert badges["DA"] == {
        "mark": "=",
        "text": "+1.76",
        "label": "Close the stock, then lead the Ace of diamonds",
    }
    assert count_35.given is not None
    assert badges["CJ"]["mark"] == count_35.given.mark == "??"
    assert badges["CJ"]["label"] == "Close the stock, then lead the Jack of clubs"


def test_a_card_shows_what_it_is_worth_in_the_place_of_the_one_played() -> None:
    """Closed, the Queen of hearts is worth less than with the stock open, and it was closed."""
    table = CardTable("russian66 S:.QJ.A.AQJ N:QJ9..KJ.T S DQCKC9ST 30/2-20/2 S", record=None)
    table.answer("cl HJ")
    closed = table.result["badges"]
    assert closed["HQ"]["label"] == "Close the stock, then lead the Queen of hearts"
    table.answer("HJ")
    assert table.result["badges"]["HQ"]["label"] == "Lead the Queen of hearts"
    assert table.result["badges"]["HQ"]["text"] != closed["HQ"]["text"]


def test_the_reasons_are_those_of_the_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    def two(report: Report, choice: Choice) -> tuple[Reason, ...]:
        return tuple(Reason("count", f"{choice.mark} {word}.") for word in ("One", "Two"))

    monkeypatch.setattr(figures_module, "why", two)
    monkeypatch.setattr(table_module, "only_on_average", lambda *_: "Only on average.")
    table = CardTable(FOLLOW)
    say(table, "SQ")
    assert table.given is not None
    mark = table.given.mark
    assert table.result["sentences"] == [f"{mark} One.", f"{mark} Two."]
    assert table.result["note"] == "Only on average."
    monkeypatch.setattr(table_module, "only_on_average", lambda *_: f"{mark} One.")
    say(table, "again")
    say(table, "SQ")
    assert table.result["note"] == ""
    assert f"{mark} One. {mark} Two." in table.scene["says"]["text"]


def test_an_unsound_answer_is_replayed_where_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = parse(F2)
    assert isinstance(seen, View)
    *_, other = itertools.islice(layouts(seen), 100)
    monkeypatch.setattr(table_module, "against", lambda report, choice: other)
    table = CardTable(F2, samples=3)
    table.answer("cl CJ")
    assert parse(pictures(table)[0]["line"]) == other
    assert "one that goes against South" in table.scene["notes"][0]
    right = table.answer("cl DA")
    assert parse(pictures(table)[0]["line"]) == right.layout != other
    monkeypatch.setattr(table_module, "against", lambda report, choice: None)
    wrong = table.answer("cl CJ")
    assert parse(pictures(table)[0]["line"]) == wrong.layout


def test_only_a_loss_plays_itself_to_its_end() -> None:
    table = CardTable(MARRIAGES)
    assert table.answer("HKm").loss == 0
    assert table.scene["until"] == table.scene["at"] == 2
    assert table.answer("HK").loss == 1
    assert table.scene["at"] == 2
    assert table.scene["until"] == len(pictures(table)) - 1


# ---- as seen -------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["cl CJ", "DA", "SKm"])
def test_as_seen_the_line_begins_with_what_south_saw(words: str) -> None:
    table = CardTable(F2, samples=3)
    table.answer(words)
    face_up, as_seen = pictures(table), pictures(table, as_seen=True)
    assert as_seen[0]["line"] == F2
    assert len(as_seen) == len(face_up)
    for up, seen in zip(face_up, as_seen, strict=True):
        assert seen["south"] | {"taken": []} == up["south"] | {"taken": []}
        assert seen["trick"] == up["trick"]
        assert len(seen["north"]["cards"]) == len(up["north"]["cards"])
        assert {code for code in seen["north"]["cards"] if code} <= set(up["north"]["cards"])
    assert as_seen[0]["north"]["cards"] == [None] * 6
    assert as_seen[0]["stock"] == [*[None] * 5, "HQ"]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_as_seen_nothing_is_told_of_a_card_that_stays_hidden(variant: str) -> None:
    """Two cards that nobody sees change places, and what South sees stays the same."""
    rng = Random(variant)
    compared = 0
    for _ in range(60):
        start = deal(VARIANTS[variant], rng)
        seen = view(start, SOUTH)
        moves, end = [], start
        while len(moves) < 12 and end.over is None:
            moves.append(rng.choice(legal_moves(end)))
            end = play(end, moves[-1])
        played = end.won_cards | (1 << end.led if end.led is not None else 0)
        turn_up = 1 << start.stock[-1]
        hidden = list(cards_in(seen.unseen & ~played & ~end.hands[SOUTH] & ~turn_up))
        mine, yours = rng.sample(hidden, 2)
        swap = {mine: yours, yours: mine}
        other = replace(
            start,
            hands=(
                start.hands[SOUTH],
                hand_of(swap.get(c, c) for c in cards_in(start.hands[NORTH])),
            ),
            stock=tuple(swap.get(card, card) for card in start.stock),
        )
        try:
            play_answer(other, tuple(moves))
        except IllegalMove:
            continue
        one, two = (frames_as_seen(seen, position, tuple(moves)) for position in (start, other))
        assert one == two
        compared += 1
    assert compared > 20


# ---- something else than the line ----------------------------------------------------------------


def test_the_line_can_be_left_and_come_back_to() -> None:
    table = CardTable(F2, samples=3)
    table.answer("cl CJ")
    line, result = pictures(table), table.result
    say(table, "from 1")
    assert table.scene["phase"] == "playing"
    assert (table.scene["at"], len(pictures(table))) == (1, 2)
    assert pictures(table) == line[:2]
    assert "Play on from here for South" in table.scene["says"]["text"]
    assert "DA" in offered(table)
    assert table.result == result
    say(table, "DA")
    assert table.scene["phase"] == "playing"
    assert (table.scene["from"], table.scene["at"]) == (1, len(pictures(table)) - 1)
    assert pictures(table)[2]["text"] == "South leads the Ace of diamonds."
    assert pictures(table)[3]["text"].startswith("North ")
    say(table, "line")
    assert table.scene["phase"] == "graded"
    assert table.scene["at"] == 1
    assert [shown | {"worth": ""} for shown in pictures(table)] == [
        shown | {"worth": ""} for shown in line
    ]
    assert len(table.answers) == 1


def test_what_is_tried_is_told_its_value_as_it_changes() -> None:
    table = CardTable(MARRIAGES)
    table.answer("HKm")
    worth = [shown["worth"] for shown in pictures(table)]
    assert worth == ["South: +3 game points"] * len(worth)
    say(table, "from 0")
    say(table, "HK")
    assert pictures(table)[1]["worth"] == "South: +2 game points, before +3"
    assert {shown["worth"] for shown in pictures(table)[2:]} == {"South: +2 game points"}
    say(table, "66")
    assert pictures(table)[-1]["worth"] == "South: −3 game points, before +2"


def test_both_sides_can_be_tried() -> None:
    table = CardTable(FOLLOW, line="ST SQ")
    say(table, "from 2")
    assert table.scene["turn"]["own"] == 1
    assert "for North. South answers with the best defence." in table.scene["says"]["text"]
    say(table, "SA")
    assert table.scene["says"]["kind"] == "error"
    say(table, "S9")
    while table.scene.get("turn"):
        assert table.scene["turn"]["own"] == 1
        say(table, next(iter(offered(table))))
    assert parse_position(pictures(table)[-1]["line"]).over is not None
    say(table, "S9")
    assert table.scene["says"] == {"text": "The deal is over.", "kind": "error"}
    say(table, "line")
    assert table.scene["phase"] == "line"
    assert (table.scene["at"], len(pictures(table))) == (2, 3)


@pytest.mark.parametrize("line", [FOLLOW, MARRIAGES, NORTH_LEADS, UNDRAWN, FOLLOW_SEEN])
def test_whatever_is_tried_the_other_side_defends_best(line: str) -> None:
    rng = Random(line)
    table = CardTable(line, samples=3)
    solver = DoubleDummy()
    for _ in range(8):
        say(table, "again")
        words = [word for word in offered(table) if word not in ("cl", "ex")]
        say(table, rng.choice(words))
        side = parse(line).turn
        at = rng.randrange(len(pictures(table)) - 1)
        say(table, f"from {at}")
        mover = table.scene["turn"]["own"]
        while turn := table.scene.get("turn"):
            assert turn["own"] == mover
            say(table, rng.choice(list(offered(table))))
            assert table.scene["says"]["kind"] != "error"
            shown = pictures(table)
            positions = [parse_position(each["line"]) for each in shown]
            for number in range(table.scene["from"] + 1, len(positions)):
                position = positions[number]
                value = solver.value(position)
                value = value if position.turn == side else -value
                assert shown[number]["worth"].startswith(f"{SIDE_NAMES[side]}: {worth_text(value)}")
                if number > table.scene["from"] + 1:
                    assert positions[number - 1].turn != mover
                    assert "before" not in shown[number]["worth"]


@pytest.mark.parametrize(
    "words", ["from 99", "from -1", "from x", "from", "line", f"from {'9' * 999}"]
)
def test_a_step_that_there_is_not_changes_nothing(words: str) -> None:
    table = CardTable(FOLLOW)
    for before in ("asking", "graded"):
        assert table.scene["phase"] == before
        scene = table.scene
        say(table, words)
        assert table.scene | {"says": None} == scene | {"says": None}
        assert table.scene["says"]["kind"] == "error"
        say(table, "SQ")


def test_in_an_event_loop_the_reply_follows_what_is_tried() -> None:
    async def learner() -> CardTable:
        table = CardTable(FOLLOW, line="ST SQ S9", record=None)
        say(table, "from 1")
        say(table, "CJ")
        assert len(pictures(table)) == 3
        assert "turn" not in table.scene
        say(table, "SQ")
        assert table.scene["says"]["text"] == "The reply is still to come."
        await asyncio.gather(*table._tasks)
        assert len(pictures(table)) > 3
        assert (table.scene["from"], table.scene["at"]) == (2, len(pictures(table)) - 1)
        say(table, "from 1")
        say(table, "CJ")
        say(table, "line")
        shown = table.scene
        await asyncio.gather(*table._tasks)
        assert table.scene == shown
        assert table.scene["phase"] == "line"
        return table

    asyncio.run(learner())


def test_a_reply_that_cannot_be_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise RuntimeError("out of ideas")

    async def learner() -> CardTable:
        table = CardTable(FOLLOW, line="ST SQ S9", record=None)
        say(table, "from 1")
        monkeypatch.setattr(DoubleDummy, "value", broken)
        say(table, "CJ")
        with pytest.raises(RuntimeError):
            await asyncio.gather(*table._tasks)
        return table

    table = asyncio.run(learner())
    assert "out of ideas" in table.scene["says"]["text"]
    assert len(pictures(table)) == 2
    assert "CJ" in offered(table)


# ---- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [FOLLOW_SEEN, MARRIAGES])
def test_hints_are_told_one_by_one_and_not_before(line: str) -> None:
    told = hints(report(parse(line)))
    table = CardTable(line)
    for number, text in enumerate(told):
        assert table.scene["hint"]["label"] == f"Hint {number + 1} of 4"
        later = [other for other in told[number:] if other not in told[:number]]
        assert not [other for other in later if other in page_state(table)]
        say(table, "hint")
        assert list(table.scene["hints"]) == list(told[: number + 1])
        assert table.scene["says"] == {"text": f"Hint {number + 1}: {text}", "kind": "spoken"}
    assert "hint" not in table.scene
    assert table.result == {}
    assert not table.answered
    say(table, "hint")
    assert table.scene["says"]["kind"] == "error"


def test_in_an_event_loop_a_hint_follows_the_figures() -> None:
    async def learner() -> CardTable:
        table = CardTable(FOLLOW_SEEN, record=None)
        say(table, "hint")
        assert table.scene["hints"] == ()
        assert "as soon as the figures" in table.scene["says"]["text"]
        while table._tasks:
            await asyncio.sleep(0.001)
        assert len(table.scene["hints"]) == 1
        assert table.scene["phase"] == "asking"
        say(table, "hint")
        assert len(table.scene["hints"]) == 2
        say(table, "SQ")
        while table._tasks:
            await asyncio.sleep(0.001)
        assert table.scene["phase"] == "graded"
        return table

    asyncio.run(learner())


def test_a_hint_overtaken_by_the_answer_is_not_told() -> None:
    async def learner() -> CardTable:
        table = CardTable(FOLLOW_SEEN, record=None)
        say(table, "hint")
        say(table, "ST")
        while table._tasks:
            await asyncio.sleep(0.001)
        assert table.scene["phase"] == "graded"
        say(table, "again")
        assert table.scene["hints"] == ()
        return table

    asyncio.run(learner())


# ---- the record ----------------------------------------------------------------------------------


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Kept:
    """A record that keeps what it is given in a list, or has nothing but trouble."""

    def __init__(self, trouble: str | None = None) -> None:
        self.attempts: list[Attempt] = []
        self.trouble = trouble

    def attempt(self, attempt: Attempt) -> str | None:
        self.attempts.append(attempt)
        return self.trouble


def recorded(record: Kept) -> Any:
    return record


def test_an_answer_on_the_page_is_recorded() -> None:
    record, clock = Kept(), Clock()
    table = CardTable(
        MARRIAGES, source="lesson", themes=("count",), record=recorded(record), now=clock
    )
    clock.wait(2)
    say(table, "hint")
    say(table, "hint")
    clock.wait(1.5)
    say(table, "66")
    (attempt,) = record.attempts
    assert attempt == Attempt(
        position=format_table(parse(MARRIAGES)),
        choice="66",
        best="HKm",
        loss=6,
        game_points=-3,
        best_game_points=3,
        real=True,
        mark="??",
        concealed=False,
        seconds=3.5,
        hints=2,
        source="lesson",
        themes=("count",),
        when=clock.now,
    )
    say(table, "from 0")
    say(table, "DKm")
    say(table, "line")
    assert len(record.attempts) == 1
    clock.wait(10)
    say(table, "again")
    clock.wait(4)
    say(table, "HQm")
    assert [(each.mark, each.seconds) for each in record.attempts] == [("??", 3.5), ("=", 4)]


def test_a_choice_between_equals_is_not_real() -> None:
    record = Kept()
    table = CardTable(FOLLOW_SEEN, record=recorded(record))
    say(table, "SQ")
    (attempt,) = record.attempts
    assert (attempt.real, attempt.concealed, attempt.mark) == (False, True, "=")


def test_nothing_is_recorded_of_what_no_learner_answered() -> None:
    record = Kept()
    table = CardTable(FOLLOW, record=recorded(record))
    table.answer("SQ")
    say(table, "again")
    assert record.attempts == []
    say(CardTable(FOLLOW, record=None), "SQ")
    assert open_record().attempts() == []


def test_the_shared_record_is_the_learners_own(tmp_path: Path) -> None:
    table = CardTable(FOLLOW, source="lesson")
    assert list(tmp_path.iterdir()) == []
    say(table, "SQ")
    assert [(each.choice, each.source) for each in open_record().attempts()] == [("SQ", "lesson")]


def test_what_cannot_be_recorded_is_told_once() -> None:
    table = CardTable(FOLLOW, record=recorded(Kept("The disk is full.")))
    say(table, "SQ")
    assert table.scene["phase"] == "graded"
    assert table.scene["says"] == {"text": "The disk is full.", "kind": "info"}
    say(table, "from 0")
    say(table, "line")
    assert "full" not in page_state(table)


def test_a_grade_is_recorded_when_it_is_final_or_left() -> None:
    async def learner(leave: bool) -> list[Attempt]:
        record = Kept()
        table = CardTable(F2, samples=5000, record=recorded(record))
        say(table, "cl DA")
        while table.scene["phase"] == "waiting":
            await asyncio.sleep(0.001)
        assert table.report is not None
        assert table.report.progress < 1
        assert record.attempts == []
        if leave:
            say(table, "again")
            assert len(record.attempts) == 1
            for task in table._tasks:
                task.cancel()
        while table._tasks:
            await asyncio.sleep(0.01)
        return record.attempts

    for leave in (True, False):
        (attempt,) = asyncio.run(learner(leave))
        assert (attempt.choice, attempt.mark) == ("cl DA", "=")


# ---- one question after the other ----------------------------------------------------------------


def test_the_next_position_follows() -> None:
    record = Kept()
    then = [MARRIAGES, Question(FOLLOW_SEEN, "And here?", "puzzles", ("guard",))]
    table = CardTable(FOLLOW, "First", then=then, source="set", record=recorded(record))
    assert "next" not in table.scene
    say(table, "hint")
    say(table, "SQ")
    assert table.scene["next"]["key"] == "n"
    say(table, "next")
    assert (table.scene["phase"], table.question, table.result) == ("asking", "First", {})
    assert table.table == parse(MARRIAGES)
    assert table.answers == []
    assert table.scene["hints"] == ()
    say(table, "66")
    say(table, "from 0")
    say(table, "next")
    assert (table.question, table.table) == ("And here?", parse(FOLLOW_SEEN))
    say(table, "SQ")
    say(table, "next")
    assert table.scene["phase"] == "graded"
    assert "next" not in table.scene
    assert table.scene["says"]["text"] == "That was the last one here."
    assert [(each.source, each.themes, each.hints) for each in record.attempts] == [
        ("set", (), 1),
        ("set", (), 0),
        ("puzzles", ("guard",), 0),
    ]


def test_what_comes_next_may_depend_on_the_answer() -> None:
    def adapting() -> Iterator[str]:
        yield MARRIAGES if table.given and table.given.best else FOLLOW

    table = CardTable(MARRIAGES, then=adapting(), record=None)
    say(table, "66")
    say(table, "next")
    assert table.table == parse(FOLLOW)


def test_a_bad_position_in_a_sequence_does_not_end_it() -> None:
    table = CardTable(FOLLOW, then=["nonsense", MARRIAGES], record=None)
    say(table, "SQ")
    say(table, "next")
    assert table.scene["phase"] == "broken"
    assert table.scene["says"]["kind"] == "error"
    say(table, "next")
    assert table.table == parse(MARRIAGES)


def test_figures_of_a_question_that_was_left_are_dropped() -> None:
    async def learner() -> CardTable:
        table = CardTable(F2, then=[FOLLOW], record=None)
        table._repr_mimebundle_()
        say(table, "cl DA")
        while table.scene["phase"] == "waiting":
            await asyncio.sleep(0.001)
        say(table, "next")
        say(table, "SQ")
        while table._tasks:
            await asyncio.sleep(0.001)
        return table

    table = asyncio.run(learner())
    assert table.given is not None
    assert table.given.answer == parse_answer("SQ")
    assert table.scene["phase"] == "graded"
    assert Work.queue == {}
    assert Work.urgent == set()


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "",
        "XX",
        "HT HT",
        "HA",
        "dr",
        "ex",
        "cl cl",
        "cl XX",
        "DA CJ",
        "💥",
        "ﾊ\x00\x1b[31m",
        "a" * 10**6,
    ],
    ids=lambda words: words[:8].encode("ascii", "replace").decode() or "nothing",
)
def test_junk_changes_nothing_but_the_message(words: str) -> None:
    table = CardTable(F2)
    say(table, "cl")
    before = table.scene
    say(table, words)
    says = table.scene["says"]
    assert says["kind"] == "error"
    assert 10 < len(says["text"]) < 320
    assert says["text"].isprintable()
    assert table.scene | {"says": None} == before | {"says": None}
    assert not table.answered


def test_an_illegal_move_is_refused_in_the_words_of_the_rules() -> None:
    table = CardTable(FOLLOW)
    say(table, "CJ")
    assert table.scene["says"]["text"] == "South must follow suit with one of the spades held."
    with pytest.raises(IllegalMove):
        table.answer("CJ")
    with pytest.raises(NotationError):
        table.answer("XX")
    with pytest.raises(ValueError, match="not a whole decision"):
        table.answer("ex")


@pytest.mark.parametrize(
    "message",
    [{}, {"seq": 1}, {"word": "SQ"}, {"seq": "2", "word": "SQ"}, {"seq": 2, "word": 7}],
)
def test_a_message_that_is_none_is_ignored(message: dict[str, Any]) -> None:
    table = CardTable(FOLLOW)
    before = page_state(table)
    table.choice = message
    assert page_state(table) == before


def test_a_message_that_comes_twice_counts_once() -> None:
    table = CardTable(FOLLOW)
    say(table, "SQ")
    table.choice = {"seq": 0, "word": "again"}
    assert table.scene["phase"] == "graded"


def test_words_after_the_answer_do_no_harm() -> None:
    table = CardTable(FOLLOW)
    say(table, "SQ")
    result = table.result
    say(table, "ST")
    assert table.scene["says"]["kind"] == "error"
    assert table.result == result
    assert len(table.answers) == 1


@pytest.mark.parametrize(
    "line", [F2.replace("35/2", "36/2"), F2.replace("KQ", "KK"), "", "x" * 999]
)
def test_a_bad_position_line_is_told_on_the_table(line: str) -> None:
    table = CardTable(line)
    assert table.scene["phase"] == "broken"
    assert table.scene["says"]["kind"] == "error"
    with pytest.raises(NotationError) as problem:
        parse(line)
    assert table.scene["says"]["text"][1:30] == str(problem.value)[1:30]
    assert "image/svg+xml" not in table._repr_mimebundle_()[0]
    say(table, "SK")
    assert table.scene["phase"] == "broken"
    with pytest.raises(ValueError, match="nothing is asked"):
        table.answer("SK")


def test_figures_that_fail_are_told_and_the_question_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Iterator[Report]:
        for _each in "x":
            raise RuntimeError("out of ideas")
        yield from ()

    monkeypatch.setattr(work_module, "reports", broken)

    async def learner() -> CardTable:
        table = CardTable(FOLLOW)
        say(table, "SQ")
        with pytest.raises(RuntimeError):
            await asyncio.gather(*table._tasks)
        return table

    table = asyncio.run(learner())
    assert table.scene["phase"] == "asking"
    assert "out of ideas" in table.scene["says"]["text"]


# ---- tables that ask nothing ---------------------------------------------------------------------


def test_a_line_is_shown_for_stepping_through() -> None:
    table = CardTable(FOLLOW, "How it went", line="ST SQ S9")
    assert table.scene["phase"] == "line"
    assert [frame["text"] for frame in pictures(table)] == [
        "Before the choice.",
        "South follows with the Ten of spades. South wins the trick, 12 card points.",
        "South leads the Queen of spades.",
        "North follows with the Nine of spades. South wins the trick, 3 card points.",
    ]
    assert pictures(table)[1]["trick"] == ["ST", "SJ"]
    say(table, "SQ")
    assert table.scene["phase"] == "line"
    assert not table.answered


def test_a_line_that_is_not_legal_is_told() -> None:
    assert CardTable(FOLLOW, line="ST ST").scene["phase"] == "broken"


def test_a_line_needs_every_card() -> None:
    with pytest.raises(ValueError, match="all cards seen"):
        CardTable(F2, line="DA")


def test_a_finished_deal_asks_nothing() -> None:
    shown = pictures(CardTable(FOLLOW, line="ST"))
    assert len(shown) == 2
    line = CardTable(NORTH_LEADS)
    line.answer("66")
    over = pictures(line)[-1]["line"]
    table = CardTable(over)
    assert table.scene["phase"] == "shown"
    assert "North wins 3 game points" in " ".join(pictures(table)[0]["notes"])
    say(table, "66")
    assert table.scene["phase"] == "shown"


# ---- in a notebook -------------------------------------------------------------------------------


def test_the_stored_form_is_stable_and_has_a_picture() -> None:
    table = CardTable(F2, 'Is "35" < 36?')
    assert repr(table) == f"CardTable({F2!r})"
    data, other = (CardTable(F2, 'Is "35" < 36?')._repr_mimebundle_()[0] for _ in range(2))
    assert data["text/plain"] == repr(table)
    assert "application/vnd.jupyter.widget-view+json" in data
    for form in ("text/plain", "text/html", "image/svg+xml"):
        assert data[form] == other[form]
    assert "&quot;35&quot; &lt; 36?" in data["text/html"]
    assert "King and Queen of spades" in data["text/html"]


def test_without_a_kernel_a_page_says_what_to_do() -> None:
    asked = NumberQuestion('Is "35" < 36?', 4711)._repr_mimebundle_()[0]
    assert "&quot;35&quot; &lt; 36?" in asked["text/html"]
    assert "4711" not in json.dumps(asked)
    for data in (asked, CardTable(F2)._repr_mimebundle_()[0], Start()._repr_mimebundle_()[0]):
        assert "application/vnd.jupyter.widget-view+json" in data
        assert re.search("press run all", data["text/html"], re.IGNORECASE)


def test_the_state_is_plain_json(count_35: CardTable) -> None:
    for table in (CardTable(F2), count_35):
        state = table.get_state()
        assert json.loads(json.dumps(state))["choice"]["seq"] == table.choice["seq"]
        assert "log" not in state


def test_in_an_event_loop_the_figures_follow_the_answer() -> None:
    phases: list[str] = []

    async def learner() -> CardTable:
        table = CardTable(FOLLOW_SEEN)
        table.observe(lambda change: phases.append(change["new"]["phase"]), "scene")
        say(table, "SQ")
        assert table.scene["phase"] == "waiting"
        assert pictures(table)[-1]["trick"] == ["SQ", "SJ"]
        assert None in pictures(table)[-1]["north"]["cards"]
        turns = 0
        while table._tasks:
            await asyncio.sleep(0.001)
            turns += 1
        assert turns > 1
        return table

    table = asyncio.run(learner())
    assert phases == ["waiting", "graded"]
    assert table.result["done"]


def test_figures_begun_ahead_make_the_grade_quick_and_stay_hidden() -> None:
    async def learner() -> CardTable:
        table = CardTable(FOLLOW_SEEN)
        before = page_state(table)
        table._repr_mimebundle_()
        while table._tasks:
            await asyncio.sleep(0.001)
        assert table.report is not None
        assert table.report.progress == 1
        assert page_state(table) == before
        return table

    asyncio.run(learner())
    assert Work.queue == {}


def test_trying_again_while_figures_come_in_is_graded_too() -> None:
    async def learner() -> CardTable:
        table = CardTable(FOLLOW_SEEN)
        say(table, "SQ")
        say(table, "again")
        assert table.result == {}
        await asyncio.sleep(0.01)
        say(table, "ST")
        while table._tasks:
            await asyncio.sleep(0.001)
        return table

    table = asyncio.run(learner())
    assert table.scene["phase"] == "graded"
    assert table.given is not None
    assert table.given.answer == parse_answer("ST")


# ---- what waits for an answer --------------------------------------------------------------------


def test_a_reveal_waits_for_the_answer() -> None:
    called: list[str] = []

    def content() -> str:
        called.append("now")
        return "The rule of thumb"

    table = CardTable(FOLLOW)
    place = after(table, content)
    assert repr(place) == WAITS
    assert WAITS in place._repr_mimebundle_()["text/html"]
    say(table, "XX")
    say(table, "ex")
    assert called == []
    say(table, "ST")
    assert called == ["now"]
    assert repr(place) == "The rule of thumb"
    say(table, "again")
    say(table, "SQ")
    assert called == ["now"]
    assert repr(after(table, content)) == "The rule of thumb"


def test_a_reveal_shows_pieces_figures_and_progress() -> None:
    from matplotlib import pyplot

    shown: list[str] = []

    def content() -> Iterator[object]:
        yield 0.5
        shown.append(repr(place))
        figure, axes = pyplot.subplots()
        axes.set_title("Hands lost")
        yield figure
        yield "Twenty-eight"

    table = CardTable(FOLLOW)
    place = after(table, content)
    table.answer("ST")
    assert shown == ["Working it out"]
    assert repr(place) == "Hands lost\nTwenty-eight"
    assert 'alt="Hands lost"' in place.outputs[0]["data"]["text/html"]
    assert pyplot.get_fignums() == []


def test_a_table_in_a_text_can_be_scrolled_with_the_keyboard() -> None:
    rows = "| card | worth |\n| --- | --: |\n| **♥A** <b> | +1 |"
    before, table, behind = as_outputs(f"**Two** cards:\n\n{rows}\n\nThat is | all.")
    assert before["data"]["text/markdown"] == "**Two** cards:"
    assert behind["data"]["text/markdown"] == "That is | all."
    assert table["data"]["text/plain"] == rows
    root = ElementTree.fromstring(table["data"]["text/html"].replace("scope=col", ""))
    assert root.attrib["tabindex"] == "0"
    assert root.attrib["aria-label"] == "Table: card, worth"
    cells = ["".join(cell.itertext()) for cell in root.iter() if cell.tag in ("th", "td")]
    assert cells == ["card", "worth", "♥A <b>", "+1"]
    assert root.findtext(".//td/strong") == "♥A"
    (alone,) = as_outputs("| no | table |")
    assert "text/markdown" in alone["data"]


def test_a_reveal_that_fails_says_so_plainly() -> None:
    def content() -> object:
        return 1 / 0

    table = CardTable(FOLLOW)
    place = after(table, content)
    with pytest.raises(ZeroDivisionError):
        table.answer("ST")
    assert "This part of the lesson failed: ZeroDivisionError" in repr(place)


def test_a_reveal_in_an_event_loop_leaves_turns_to_others() -> None:
    async def learner() -> str:
        table = CardTable(FOLLOW)
        place = after(table, lambda: ["one", "two"])
        say(table, "ST")
        assert repr(place) == WAITS
        while table._tasks:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        return repr(place)

    assert asyncio.run(learner()) == "one\ntwo"


# ---- the page's own files ------------------------------------------------------------------------

WIDGETS = Path(table_module.__file__).parent


def test_the_page_is_small_and_needs_nothing_from_outside() -> None:
    script = (WIDGETS / "table.js").read_text(encoding="utf-8")
    style = (WIDGETS / "table.css").read_text(encoding="utf-8")
    assert len((script + style).encode()) < 40_000
    for word in (
        "import ",
        "import(",
        "require(",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
        "eval(",
    ):
        assert word not in script
    rest = (script + style).replace("http://www.w3.org/2000/svg", "")
    assert "//" not in "".join(line.partition("// ")[0] for line in rest.splitlines())
    assert "url(" not in style


def test_both_drawings_have_the_same_suits() -> None:
    script = (WIDGETS / "table.js").read_text(encoding="utf-8")
    for letter, path in SUIT_PATHS.items():
        assert f'{letter}: "{path}"' in script


def test_every_rule_of_style_is_kept_to_the_table() -> None:
    style = re.sub(
        r"/\*.*?\*/", "", (WIDGETS / "table.css").read_text(encoding="utf-8"), flags=re.S
    )
    around: list[str] = []
    for head, brace in re.findall(r"([^{};]*)([{};])", style):
        if brace == "{":
            around.append(head.strip())
            rules = [each for each in around if not each.startswith("@")]
            if rules and not any(each.startswith("@keyframes sixty-six-") for each in around):
                assert re.search(r"\.sixty-six\b", rules[0]), rules
        elif brace == "}":
            around.pop()
    assert around == []
