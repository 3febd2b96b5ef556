"""What decisions of a recorded deal cost, and the commands that deal and review."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import reference
from trainer import cli
from trainer.grading import grade, report
from trainer.notation import (
    NotationError,
    Record,
    format_answer,
    format_move,
    format_position,
    format_record,
    format_table,
    parse_move,
    parse_position,
    parse_variant,
    parse_view,
)
from trainer.review import Loss, Review, answers_of, review, to_json
from trainer.rules import NORTH, SOUTH, Kind, Move, deal, legal_moves, play
from trainer.rules.play import is_false_claim
from trainer.rules.position import count_hands

ALL = ("foster66", "russian66", "german66", "schnapsen")
GONE = "foster66 S:A..J.K N:..AT.T H - 52/5-20/4 S"
"""The Ace of spades brings South home; any other lead loses."""
ENDING = "schnapsen S:.TJ.KQJ. N:K.K.AT.Q S CTSA 26/2-20/2 S won=S:CAHQ,CJST;N:CKSQ,SJHA"
"""One face-down card is left."""
PLAYED = "DJ DT dr HK HT DQ DA"
SWAPPED = ENDING.replace("N:K.K.AT.Q S CT", "N:K..AT.TQ S HK")
"""The same as South sees it: North's King of hearts lies in the stock, the Ten of clubs did."""


def record_of(line: str, words: str, **tags: str) -> Record:
    start = position = parse_position(line)
    moves = []
    for word in words.split():
        moves.append(parse_move(position, word))
        position = play(position, moves[-1])
    return Record(start, tuple(moves), tags)


def reviewed(record: Record, first: int = 1, *, as_seen: bool = False, hands: int = 300) -> Review:
    return review(record, first=first, as_seen=as_seen, most_hands=hands, progress=lambda _: None)


def late_record(name: str, rng: Random, false_claims: float = 0.1) -> Record:
    """Return the end of a random deal, from where at most two cards can still be drawn."""
    start = None
    while start is None:
        position = deal(parse_variant(name), rng, rng.randrange(2))
        closes = rng.choice([0.0, 0.2])
        while position.over is None and start is None:
            if (
                len(position.stock if position.open_stock else ()) <= 2
                and sum(hand.bit_count() for hand in position.hands) <= 11
            ):
                start = position
                break
            kinds = {Kind.CLOSE} if rng.random() < closes else {Kind.CARD, Kind.DRAW, Kind.MARRIAGE}
            choice = [move for move in legal_moves(position) if move.kind in kinds]
            if choice:
                position = play(position, rng.choice(choice))
    moves: list[Move] = []
    position = start
    while position.over is None:
        legal = legal_moves(position)
        weights = [false_claims if is_false_claim(position, move) else 1.0 for move in legal]
        moves += rng.choices(legal, weights)
        position = play(position, moves[-1])
    return Record(start, tuple(moves))


# ----------------------------------------------------------------------------------- face up


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_face_up_figures_are_those_of_minimax(name: str) -> None:
    """Value, loss, what was better, and whether it mattered, by the second implementation.

    A false claim can be worth more than the best of what the search weighs: a closer who is bound
    to pay three may pay two for it in some games. It is then no loss.
    """
    rng = Random(f"minimax {name}")
    seen = 0
    while seen < 50:
        record = late_record(name, rng)
        for decision in reviewed(record).decisions:
            seen += 1
            state = reference.parse(format_table(decision.face_up.table))
            best = max(reference.values(state).values())
            real = False
            for move in decision.answer:
                values = reference.values(state)
                real = real or len({*values.values()}) > 1
                state = reference.play(state, format_move(move))
            mover = "SN"[decision.side]
            value = reference.value(state) if state.turn == mover else -reference.value(state)
            verdict = decision.face_up
            assert verdict.choice.game_points == value
            assert verdict.choice.loss == max(0, best - value)
            assert verdict.real == (real or best > value)
            assert (verdict.better is None) == (best <= value)
            if verdict.better is not None:
                state = reference.parse(format_table(verdict.table))
                for move in verdict.better:
                    state = reference.play(state, format_move(move))
                found = reference.value(state)
                assert (found if state.turn == mover else -found) == best
                assert verdict.better[-1].kind not in (Kind.CLOSE, Kind.EXCHANGE)


def check_losses_add_up(record: Record) -> None:
    """From the first value to the result, what one side loses is what the other gains."""
    found = reviewed(record)
    over = found.final.over
    assert over is not None
    change = found.loss(NORTH).total - found.loss(SOUTH).total
    assert first_value(found) + change == over.value(SOUTH)


def first_value(found: Review) -> float:
    """Return the value of the first position for South."""
    first = found.decisions[0]
    value = first.face_up.choice.game_points + first.face_up.choice.loss
    return value if first.side == SOUTH else -value


@pytest.mark.parametrize("name", ALL)
def test_losses_add_up_to_the_result(name: str) -> None:
    rng = Random(f"sum {name}")
    for _ in range(25):
        check_losses_add_up(late_record(name, rng, false_claims=0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "foster66 S:.TK.J.TK9 N:ATK.9.9.A C DKSQDASJHJDQS9DTCQHAHQCJ 0/0-0/0 S",
            "CT SA dr HT ST ex cl DJ D9 DK SQ CK CA SK CJ HK H9",
        ),
        (
            "schnapsen S:.TKQ..AK N:TJ.A.T.J S DASADJDKCQHJDQCTSKSQ 0/0-0/0 S",
            "HKm DT dr DA SJ dr CJ HQ dr ST CK dr DJ CT dr HA HJ CQ CA SQ SK DQ DK HT SA",
        ),
    ],
)
def test_losses_add_up_in_a_whole_deal(line: str, words: str) -> None:
    check_losses_add_up(record_of(line, words))


def test_one_decision() -> None:
    (decision,) = reviewed(record_of(GONE, "DJ")).decisions
    verdict = decision.face_up
    assert (decision.number, decision.side) == (1, SOUTH)
    assert (verdict.choice.game_points, verdict.choice.loss, verdict.choice.mark) == (-1, 3, "??")
    assert verdict.real
    assert verdict.better is not None
    assert format_answer(verdict.better) == "SA"
    assert decision.as_seen is None


def test_only_what_matters_is_counted() -> None:
    """Whatever North replies comes to the same; South might still lose by leading on."""
    found = reviewed(record_of(GONE, "SA CT 66"))
    assert [(d.face_up.real, d.face_up.choice.loss) for d in found.decisions] == [
        (True, 0),
        (False, 0),
        (True, 0),
    ]
    assert found.loss(SOUTH) == Loss(2, 0)
    assert found.loss(SOUTH).mean == 0
    assert found.loss(NORTH) == Loss(0, 0)
    assert found.loss(NORTH).mean is None


def test_a_false_claim_is_a_loss_even_with_one_thing_to_do() -> None:
    """In Schnapsen there is nothing but to draw after a trick, until one announces too early."""
    record = record_of(ENDING, "DJ DT 66")
    decision = reviewed(record).decisions[-1]
    assert format_answer(decision.answer) == "66"
    assert decision.side == NORTH
    assert decision.face_up.real
    assert decision.face_up.choice.loss > 0


def test_moves_that_belong_together_are_one_decision() -> None:
    moves = record_of(
        "foster66 S:.TK.J.TK9 N:ATK.9.9.A C DKSQDASJHJDQS9DTCQHAHQCJ 0/0-0/0 S",
        "CT SA dr HT ST ex cl DJ D9",
    ).moves
    told = [(number, format_answer(answer)) for number, answer in answers_of(moves)]
    assert told == [
        (1, "CT"),
        (2, "SA"),
        (3, "dr"),
        (4, "HT"),
        (5, "ST"),
        (6, "ex cl DJ"),
        (9, "D9"),
    ]
    assert [format_answer(answer) for _, answer in answers_of(moves[:7])][-1] == "ex cl"
    assert list(answers_of(())) == []


def test_closing_well_and_leading_badly() -> None:
    """The loss is that of the whole decision, closing and lead."""
    line = (
        "foster66 S:K..AQJ9. N:TJ.T.T.T S HQSQC9S9 0/0-52/5 N undrawn"
        " won=N:CQSA,H9CK,HKCJ,HJCA,DKHA"
    )
    well, badly = (
        reviewed(record_of(line, words)).decisions[0].face_up for words in ("cl ST", "cl DT")
    )
    closed = reference.values(reference.play(reference.parse(line), "cl"))
    assert (closed["ST"], closed["DT"]) == (3, 2)
    assert (well.choice.game_points, well.choice.loss, well.better) == (3, 0, None)
    assert (badly.choice.game_points, badly.choice.loss) == (2, 1)
    assert badly.better is not None
    assert format_answer(badly.better) == "cl ST"


def test_starting_late() -> None:
    record = record_of(ENDING, PLAYED)
    whole, late = reviewed(record), reviewed(record, 4)
    assert [decision.number for decision in late.decisions] == [4, 5, 6, 7]
    figures = [
        [(d.number, d.face_up.choice.game_points, d.face_up.real) for d in found.decisions]
        for found in (whole, late)
    ]
    assert figures[0][3:] == figures[1]


def test_progress_grows_to_the_end() -> None:
    done: list[float] = []
    review(record_of(ENDING, "DJ DT dr HK HT"), progress=done.append)
    assert done == sorted(done)
    assert done[0] > 0
    assert done[-1] == pytest.approx(1)


# ------------------------------------------------------------------------------------- as seen


def test_as_seen_is_the_grade_of_what_the_side_saw() -> None:
    record = record_of(ENDING, PLAYED)
    found = reviewed(record, as_seen=True)
    weighed = 0
    for decision in found.decisions:
        seen = decision.as_seen
        if seen is None:
            continue
        weighed += 1
        view = record.views()[decision.number - 1][decision.side]
        assert seen.table == view
        choice = grade(report(view, samples=40), decision.answer)
        assert (seen.choice.game_points, seen.choice.loss) == (choice.game_points, choice.loss)
        assert seen.choice.mark == choice.mark
    assert weighed >= 3
    total = sum(d.as_seen.choice.loss for d in found.decisions if d.as_seen and d.side == SOUTH)
    assert found.loss(SOUTH, as_seen=True).total == pytest.approx(total)


def test_nothing_as_seen_looks_at_hidden_cards() -> None:
    """Exchange what South does not see: South's figures stay, though the true values differ."""
    seen = []
    for line in (ENDING, SWAPPED):
        record = record_of(line, "DK DA")
        decision = reviewed(record, as_seen=True).decisions[0]
        assert decision.as_seen is not None
        assert decision.as_seen.choice.layouts == 6
        found = to_json(reviewed(record, as_seen=True), 0.0)["decisions"][0]
        seen.append((found["as_seen"], found["position"]))
    assert seen[0][0] == seen[1][0]
    assert seen[0][1] != seen[1][1]


def test_as_seen_where_it_can_be_afforded() -> None:
    record = record_of(ENDING, PLAYED)
    hands = [
        count_hands(pair[position.turn])
        for position, pair in zip(record.positions(), record.views(), strict=True)
    ]
    found = reviewed(record, as_seen=True, hands=5)
    for decision in found.decisions:
        if hands[decision.number - 1] > 5:
            assert decision.as_seen is None
    assert any(decision.as_seen for decision in found.decisions)
    assert reviewed(record, as_seen=True).decisions[0].as_seen is not None
    start = replace(record.start, won=None)
    with pytest.raises(ValueError, match="tricks won are not known"):
        reviewed(replace(record, start=start), as_seen=True)
    assert reviewed(replace(record, start=start)).decisions


# --------------------------------------------------------------------------------- commands

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line here; return its exit status, output and complaints."""

    def run_with(*words: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["sixty-six", *words])
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run_with


def complaint(result: tuple[int, str, str]) -> str:
    """Return the one line of an error, its form looked over."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert re.fullmatch(r"sixty-six: [^\n]+\n", err)
    return err


@pytest.mark.parametrize("name", [*ALL, "russian66~six~nolast", "schnapsen~early"])
def test_deal(run: Run, name: str) -> None:
    status, out, err = run("deal", "--variant", name, "--seed", "7")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    position = parse_position(out)
    assert format_position(position) + "\n" == out
    assert position == deal(parse_variant(name), Random(7))
    assert run("deal", "--variant", name, "--seed", "7")[1] == out
    assert run("deal", "--variant", name, "--seed", "8")[1] != out


def test_a_deal_stays_the_same() -> None:
    """Seeds are quoted in lessons and messages: what they deal must not change."""
    line = "schnapsen S:.K.Q.TKJ N:TJ.Q.A.A D HAHJCQHTDTSKSQDKSADJ 0/0-0/0 N"
    assert format_position(deal(parse_variant("schnapsen"), Random(7), NORTH)) == line


def test_deal_by_default(run: Run) -> None:
    lines = {run("deal")[1] for _ in range(5)}
    assert len(lines) == 5
    for line in lines:
        position = parse_position(line)
        assert (position.variant.name, position.turn) == ("foster66", SOUTH)
    assert parse_position(run("deal", "--pone", "N")[1]).turn == NORTH


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--variant", "foster"], "--variant: found 'foster', expected one of foster66, russian66"),
        (["--variant", "russian66~ten"], "found '~ten', expected a switch that russian66 has"),
        (["--variant", "foster66 x"], "found 'x', expected nothing after the variant"),
        (["--variant", ""], "found the end of the line"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "one"], "--seed"),
        (["--pone", "W"], "--pone"),
        (["--pony", "S"], "--pony"),
    ],
)
def test_deals_that_cannot_be(run: Run, words: list[str], expected: str) -> None:
    assert expected in complaint(run("deal", *words))


def test_review_for_people(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(format_record(record_of(GONE, "DJ DA CT CK DT SA", South="Ann")), "utf-8")
    status, out, err = run("review", str(file))
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == "The deal is over; North scores 1.".split()
    rows = [line for line in lines if line[:1] and line[0].isdigit()]
    assert rows[0] == ["1", "South", "DJ", "−1", "3", "??", "SA"]
    assert [row[:3] for row in rows] == [
        ["1", "South", "DJ"],
        ["2", "North", "DA"],
        ["3", "North", "CT"],
        ["4", "South", "CK"],
        ["5", "North", "DT"],
        ["6", "South", "SA"],
    ]
    totals = {line[0]: line[1:] for line in lines if line[:1] and line[0] in ("South", "North")}
    assert totals["South"][:2] == ["1", "3"]


def test_review_of_a_deal_that_goes_on(run: Run) -> None:
    text = format_record(record_of(ENDING, "DJ DT"))
    out = run("review", "-", stdin=text.encode())[1]
    assert out.startswith("The record ends before the deal does: North has won the trick and has")
    line = format_position(parse_position(ENDING))
    out = run("review", "-", stdin=line.encode())[1]
    assert out.splitlines()[1:] == ["There is no decision to weigh."]


def test_review_for_machines(run: Run) -> None:
    record = record_of(ENDING, PLAYED, South="Ann", North="Bob")
    status, out, err = run(
        "review", "-", "--json", "--as-seen", "--from", "2", stdin=format_record(record).encode()
    )
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert list(found) == [
        "format",
        "position",
        "variant",
        "options",
        "tags",
        "moves",
        "over",
        "from",
        "decisions",
        "summary",
        "seconds",
    ]
    assert found["format"] == 1
    assert found["position"] == ENDING
    assert (found["variant"], found["options"]) == ("schnapsen", [])
    assert found["tags"] == {"South": "Ann", "North": "Bob"}
    assert found["moves"] == PLAYED.split()
    assert (found["over"], found["from"]) == (None, 2)
    assert [decision["number"] for decision in found["decisions"]] == [2, 3, 4, 5, 6, 7]
    for decision in found["decisions"]:
        position = record.positions()[decision["number"] - 1]
        assert decision["position"] == format_position(position)
        assert decision["side"] == "SN"[position.turn]
        assert decision["line"][0] == decision["move"].split()[0]
        assert decision["best"] == (decision["loss"] == 0) == (decision["better"] is None)
        if decision["as_seen"] is not None:
            view = parse_view(decision["as_seen"]["position"])
            assert view == record.views()[decision["number"] - 1][position.turn]
            assert decision["as_seen"]["move"] == decision["move"]
            assert decision["as_seen"]["status"] == "exact"
    for side in "SN":
        summary = found["summary"][side]
        losses = [d["loss"] for d in found["decisions"] if d["side"] == side and d["real"]]
        assert summary["real_decisions"] == len(losses)
        assert summary["loss"] == sum(losses)
        mean = sum(losses) / len(losses) if losses else None
        assert summary["mean_loss"] == mean
        assert summary["as_seen"]["real_decisions"] <= len(found["decisions"])
    plain = json.loads(run("review", "-", "--json", stdin=format_record(record).encode())[1])
    assert all(decision["as_seen"] is None for decision in plain["decisions"])
    assert plain["summary"]["S"]["as_seen"] is None


def test_what_deal_prints_can_be_reviewed(run: Run) -> None:
    line = run("deal", "--seed", "1")[1]
    assert run("review", "-", stdin=line.encode())[0] == 0


WHOLE = format_record(record_of(GONE, "DJ DA CT CK DT SA", Event="Evening"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            b"",
            "line 1, column 1, record: found the end of the text, expected the line of the first",
        ),
        (b"\n\n  \n", "record: found the end of the text"),
        (b"\x00\x01\x02", r"line 1, column 1, variant: found '\x00\x01\x02', expected one of"),
        (b"\x7fELF\x02\xff\xfe", "not text in UTF-8, see byte 6"),
        (bytes(range(128, 256)), "not text in UTF-8, see byte 1"),
        (b"x" * 1_000_000, "too long for the record of a deal"),
        (b"x" * 70_000, "record: found 70000 characters, expected at most 20000"),
        (b'[Event "Evening"]\n', "line 2, column 1, record: found the end of the text"),
        (b'[Event "Even', "line 1, column 1, tag: found '[Event \"Even', expected a tag like"),
        (GONE[:40].encode(), "line 1, column 41, "),
        (f"{GONE}\nDJ DA C".encode(), "line 2, column 7, move 3: found 'C', expected a card (HT)"),
        (f"{GONE}\nDJ CT CK".encode(), "line 2, column 4, move 2: found 'CT', expected a legal m"),
        (f"{GONE}\nDJ DT {GONE}".encode(), "line 2, column 7, move 3: found 'foster66', expected"),
    ],
)
def test_records_that_are_none(run: Run, tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "deal.txt"
    file.write_bytes(data)
    assert f"{file}: " in complaint(run("review", str(file)))
    err = complaint(run("review", "-", stdin=data))
    assert err.startswith("sixty-six: standard input: ")
    assert words in err


def test_an_illegal_move_tells_which_why_and_what_was_legal(run: Run) -> None:
    err = complaint(run("review", "-", stdin=f"{GONE}\nDJ CT CK".encode()))
    assert err == (
        "sixty-six: standard input: line 2, column 4, move 2: found 'CT', expected a legal move "
        "(DA DT): North must follow suit with one of the diamonds held\n"
    )


@pytest.mark.parametrize("cut", range(0, len(WHOLE) - 1, 7))
def test_a_file_cut_short(run: Run, cut: int) -> None:
    complaint(run("review", "-", stdin=WHOLE[:cut].encode()))


def test_a_byte_order_mark_is_passed_over(run: Run) -> None:
    assert run("review", "-", stdin=b"\xef\xbb\xbf" + WHOLE.encode())[0] == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "FILE"),
        (["nowhere.txt"], "nowhere.txt: No such file"),
        (["."], ".: Is a directory"),
        (["-", "--from", "0"], "--from"),
        (["-", "--from", "7"], "--from 7: standard input has 6 moves"),
        (["-", "--samples", "1"], "--samples"),
        (["-", "--hands", "0"], "--hands"),
        (["-", "--as-seen"], "the tricks won are not known"),
    ],
)
def test_reviews_that_cannot_be(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert expected in complaint(run("review", *words, stdin=WHOLE.encode()))


def test_parse_variant() -> None:
    assert parse_variant(" russian66~six ").trickless_close == 6
    with pytest.raises(NotationError) as caught:
        parse_variant("foster66 foster66")
    assert (caught.value.field, caught.value.column) == ("variant", 10)
