"""The command line: what it prints, what it refuses and how, and how it behaves in a pipe."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tables import F2, after, scored
from trainer import cli
from trainer.notation import NotationError, format_position, parse, parse_position
from trainer.rules import SOUTH

GONE = "foster66 S:AQ.T9.. N:.AQ.A.9 C - 110/5-21/3 S"
CLOSED = (
    "foster66 S:K..AJ.J9 N:J.AK.KQ.Q H STHTHJH9D9HQ 55/2-11/1 N SQ"
    " won=S:CACK,CTDT;N:SAS9 said=S:S closed=S11/1 carry=2 match=3-5"
)
UNDRAWN = "foster66 S:KJ9.9.9. N:.K.ATQ.Q H C9HT 18/2-55/4 S undrawn"
RUSSIAN = "russian66~six S:K.A..T N:J...J H - 31/5-60/4 S D9"
OVER = "foster66 S:KQ..AJ.J9 N:TJ.AT.9.Q H HKHJH9DKDQHQ 35/2-11/1 S won=S:CKCA,CTDT;N:S9SA"
VIEW = "foster66 S:TJ.AT.K.Q N:...,6x H xH9 30/3-20/2 S won=S:D9DA,HQCT,HJCK;N:CAHK,CJDQ"
CLOSED_VIEW = (
    "foster66 S:K.Q..QJ N:...,4x H xHT 35/4-31/3 S won=S:SQHK,HJCK,SJDT,S9ST;N:DJHA,DKCA,DQD9"
    " closed=N25/3 carry=2"
)


class Ran(NamedTuple):
    """What a command did: its exit status, and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def sixty_six(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs the command line in this process."""

    def run(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "argv", ["sixty-six", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        written = capsys.readouterr()
        return Ran(ended.value.code or 0, written.out, written.err)

    return run


def process(*arguments: str) -> subprocess.Popen[bytes]:
    """The command line in a process of its own, with the pipes that a shell would give it."""
    command = [sys.executable, "-m", "trainer", *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


# --------------------------------------------------------------------------------- solve, face up

KEYS = {
    "format",
    "position",
    "variant",
    "side",
    "view",
    "options",
    "over",
    "value",
    "moves",
    "line",
    "nodes",
    "seconds",
}
MOVE_KEYS = {
    "move",
    "label",
    "game_points",
    "card_points",
    "best",
    "loss",
    "mark",
    "reply",
    "line",
}
CONCEALED_KEYS = MOVE_KEYS | {
    "low",
    "layouts",
    "wins",
    "worst",
    "distribution",
    "status",
    "stderr",
}


@pytest.mark.parametrize("line", [GONE, CLOSED, UNDRAWN, RUSSIAN])
def test_json_of_a_position_with_every_card_seen(line: str, sixty_six: Run) -> None:
    ran = sixty_six("solve", line, "--json")
    assert (ran.status, ran.err) == (0, "")
    found = ran.json
    assert set(found) == KEYS
    assert found["format"] == 1
    assert found["position"] == line
    name, *switches = line.split()[0].split("~")
    assert (found["variant"], found["options"]) == (name, switches)
    assert found["side"] == line.split()[6]
    assert (found["view"], found["over"]) == ("double-dummy", None)
    assert found["nodes"] >= 0
    assert found["seconds"] > 0
    position = parse_position(line)
    values = [move["game_points"] for move in found["moves"]]
    best = found["moves"][0]
    assert found["value"] == {name: best[name] for name in ("game_points", "card_points")}
    assert values == sorted(values, reverse=True)
    assert found["line"] == found["moves"][0]["line"]
    for move in found["moves"]:
        assert set(move) == MOVE_KEYS
        assert (move["card_points"] is None) == position.open_stock
        assert isinstance(move["game_points"], int)
        assert move["loss"] == max(values) - move["game_points"]
        assert move["best"] == (move["mark"] == "=") == (move["loss"] == 0)
        assert move["label"]
        # The line begins with the move and ends the deal with its value.
        assert move["line"][0] == move["move"]
        end = after(position, " ".join(move["line"]))
        assert end.over is not None
        assert end.over.value(position.turn) == move["game_points"]
        if after(position, move["move"]).turn != position.turn:
            assert move["reply"] == move["line"][1]


def test_json_of_a_finished_deal(sixty_six: Run) -> None:
    over = after(OVER, "cl DA D9 SKQ!")
    assert scored(over) == ("S", 2)
    found = sixty_six("solve", format_position(over), "--json").json
    assert set(found) == KEYS
    assert found["over"] == {"winner": "S", "game_points": 2}
    assert found["value"]["game_points"] == 2
    assert (found["moves"], found["line"]) == ([], [])
    nobody = format_position(after("foster66 S:J..T. N:9...A C - 53/5-44/5 N", "CA DT S9 SJ"))
    assert sixty_six("solve", nobody, "--json").json["over"] == {"winner": None, "game_points": 0}


def test_a_line_may_be_written_loosely_and_comes_back_canonical(sixty_six: Run) -> None:
    loose = "  " + GONE.replace(" ", "_").replace("_N:", "__N:")
    assert sixty_six("solve", loose, "--json").json["position"] == GONE


# ------------------------------------------------------------------------------- solve, concealed


@pytest.mark.parametrize(("line", "hands"), [(VIEW, 7), (CLOSED_VIEW, 5)])
def test_json_of_a_position_with_concealed_cards(line: str, hands: int, sixty_six: Run) -> None:
    ran = sixty_six("solve", line, "--json")
    assert (ran.status, ran.err) == (0, "")
    found = ran.json
    assert set(found) == KEYS
    assert (found["position"], found["view"], found["side"]) == (line, "concealed", "S")
    assert found["line"] is None
    names = [move["move"] for move in found["moves"]]
    assert len(names) == len(set(names)) >= 4
    if line == VIEW:
        assert {"cl", "cl HA", "HA", "CQ"} <= set(names)
    assert found["value"]["game_points"] == max(move["game_points"] for move in found["moves"])
    for move in found["moves"]:
        assert set(move) == CONCEALED_KEYS
        assert move["line"] is move["reply"] is move["card_points"] is None
        assert move["layouts"] == sum(move["distribution"].values()) == hands
        total = sum(int(value) * count for value, count in move["distribution"].items())
        assert move["game_points"] == pytest.approx(total / hands)
        assert move["worst"] == min(map(int, move["distribution"]))
        wins = sum(count for value, count in move["distribution"].items() if int(value) > 0)
        assert move["wins"] == wins
        assert (move["status"], move["stderr"]) == ("exact", None)
        assert move["low"] is None or move["low"] <= move["game_points"] + 1e-9
        assert move["mark"] in ("=", "~", "?!", "?", "??")
    assert any(move["low"] is not None for move in found["moves"])


def test_json_of_a_sample(sixty_six: Run) -> None:
    options = ("--samples", "2", "--seed", "5", "--json")
    found = sixty_six("solve", F2, *options).json
    moves = {move["move"]: move for move in found["moves"]}
    assert moves["cl DA"]["distribution"] == {"2": 434, "-2": 28}
    assert (moves["cl DA"]["status"], moves["cl DA"]["stderr"]) == ("exact", None)
    assert moves["cl DA"]["low"] == pytest.approx(moves["cl DA"]["game_points"])
    assert (moves["DA"]["status"], moves["DA"]["layouts"]) == ("sampled", 2)
    assert moves["DA"]["stderr"] >= 0
    assert moves["DA"]["low"] is None
    again = sixty_six("solve", F2, *options).json
    assert again["moves"] == found["moves"]


@pytest.mark.parametrize("command", [["solve"], ["solve", "--json"]])
def test_north_to_move_in_a_concealed_line(command: list[str], sixty_six: Run) -> None:
    line = CLOSED.replace("N:J.AK.KQ.Q", "N:...,6x").replace("STHTHJH9D9HQ", "5xHQ")
    assert parse(line).turn != SOUTH
    ran = sixty_six(*command, line)
    assert refusal(ran).startswith(f"column {line.index(' N SQ') + 2}, turn: found N, expected S")
    assert "concealed from South" in ran.err


def test_text_of_a_position(sixty_six: Run) -> None:
    ran = sixty_six("solve", GONE)
    assert (ran.status, ran.err) == (0, "")
    assert "Sixty-Six after Foster" in ran.out
    assert re.search(r"^=\s+66\s+\+2\s+Announce 66", ran.out, re.M)
    assert re.search(r"^\?\?\s+HT\s+0\s+Lead the Ten of hearts", ran.out, re.M)
    assert "Best play: 66" in ran.out
    assert not set(ran.out) & set("─│┌┐└┘━┃╭╮╰╯")


# ------------------------------------------------------------------------------ solve, many lines


def test_lines_from_standard_input(sixty_six: Run) -> None:
    twice = GONE.replace("S:AQ", "S:AA")
    lines = [GONE, "", "   ", twice, "nonsense", CLOSED, VIEW]
    ran = sixty_six("solve", "-", stdin="\n".join(lines).encode())
    assert (ran.status, ran.err) == (2, "")
    good_1, bad_1, bad_2, good_2, good_3 = ran.lines
    assert good_1["position"] == GONE
    assert good_2["position"] == CLOSED
    assert (good_3["position"], good_3["view"]) == (VIEW, "concealed")
    for bad, text, field in ((bad_1, twice, "South's hand"), (bad_2, "nonsense", "variant")):
        assert set(bad) == {"input", "error"}
        assert bad["input"] == text
        assert set(bad["error"]) == {"column", "field", "expected"}
        assert bad["error"]["field"] == field
        assert bad["error"]["column"] >= 1
        assert bad["error"]["expected"]


def test_good_lines_alone_end_well(sixty_six: Run) -> None:
    ran = sixty_six("solve", "-", stdin=f"{GONE}\r\n{UNDRAWN}".encode())
    assert (ran.status, ran.err) == (0, "")
    assert [found["position"] for found in ran.lines] == [GONE, UNDRAWN]
    assert sixty_six("solve", "-") == (0, "", "")


def test_an_answer_is_there_before_the_next_line_is_asked() -> None:
    with process("solve", "-") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        patience = threading.Timer(60, running.kill)
        patience.start()
        for line in (GONE, "nonsense", UNDRAWN):
            running.stdin.write(line.encode() + b"\n")
            running.stdin.flush()
            answer = running.stdout.readline()
            assert answer, "no answer before the end of the input"
            assert json.loads(answer).get("position", "nonsense") == line
        patience.cancel()
        running.stdin.close()
        assert running.wait(60) == 2


# --------------------------------------------------------------------------------------- bad input

DEAL = "foster66 S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S"
BAD = {
    "an unknown card": ("GONE", "T9..", "T1..", "South's hand", "rank"),
    "a wrong suit order": ("GONE", "AQ.T9", "QA.T9", "South's hand", "high to low"),
    "a card twice": ("GONE", "AQ.T9", "AQ.AT", "North's hand", "each card once"),
    "a card in hand and stock": ("DEAL", "S9HK", "SAHK", "stock", "each card once"),
    "hands that do not fit": ("GONE", "T9..", "T9.K.", "South's hand", "4"),
    "too few cards": ("GONE", "AQ.T9", "A.T9", "South's hand", "4"),
    "impossible points": ("GONE", "21/3", "22/3", "points", "16 cards gone"),
    "points without a trick": ("DEAL", "0/0-0/0", "4/0-0/0", "points", "0"),
    "tricks that were not won": ("DEAL", "0/0-0/0", "0/0-0/1", "points", "0 tricks"),
    "points that are none": ("GONE", "110/5", "1x0/5", "points", "/"),
    "an unknown variant": ("GONE", "foster66", "piquet", "variant", "foster66"),
    "an unknown switch": ("GONE", "foster66", "foster66~six", "variant", "switch"),
    "an unknown field": ("GONE", "21/3 S", "21/3 S colour=red", "tail", "fields in this order"),
    "a field out of order": (
        "CLOSED",
        " carry=2 match=3-5",
        " match=3-5 carry=2",
        "carry",
        "order",
    ),
    "a field twice": ("CLOSED", " carry=2", " carry=2 carry=2", "carry", "each once"),
    "an unknown trump": ("GONE", " C ", " X ", "trump", "SHDC"),
    "an unknown side": ("GONE", "21/3 S", "21/3 W", "turn", "S or N"),
    "a truncated line": ("GONE", " 110/5-21/3 S", "", "points", "points"),
    "a truncated hand": ("GONE", " N:.AQ.A.9 C - 110/5-21/3 S", "", "North's hand", "N:"),
    "strange letters": ("GONE", "T9..", "Т9..", "South's hand", "rank"),  # a Cyrillic letter
    "strange digits": ("GONE", "21/3", "٢١/3", "points", "number"),
    "a playing card sign": ("GONE", "foster66", "🂡", "variant", "foster66"),
    "a letter that turns the line around": ("GONE", " C ", " \u202eC ", "trump", "SHDC"),
    "a stock of the wrong suit": ("DEAL", "STHTHQ", "HTHQST", "stock", "hearts"),
    "too many concealed": ("VIEW", ",6x", ",7x", "North's hand", "6"),
    "a card face down at the bottom": ("VIEW", " xH9 ", " xx ", "stock", "turn-up"),
    "nothing": ("GONE", GONE, "", "variant", "a variant"),
    "too much": ("GONE", GONE, "x" * 2001, "line", "at most 2000"),
}
LINES = {"GONE": GONE, "CLOSED": CLOSED, "DEAL": DEAL, "VIEW": VIEW}


def bad_line(name: str) -> str:
    line, old, new, _, _ = BAD[name]
    assert LINES[line].count(old) >= 1
    return LINES[line].replace(old, new, 1)


def refusal(ran: Ran) -> str:
    """The one line that a command has written to refuse its input."""
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("sixty-six: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    assert ran.err.isascii()
    assert "Traceback" not in ran.err
    assert not set(ran.err) & set("─│╭╮╰╯")
    return ran.err.removeprefix("sixty-six: ").rstrip("\n")


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", [["solve"], ["solve", "--json"], ["check"], ["show"]])
def test_bad_input_is_refused_in_one_line(name: str, command: list[str], sixty_six: Run) -> None:
    *_, field, expected = BAD[name]
    said = refusal(sixty_six(*command, bad_line(name)))
    column, _, rest = said.partition(", ")
    assert re.fullmatch(r"column [1-9][0-9]*", column)
    assert rest.startswith(f"{field}: found ")
    assert expected in rest.split(", expected ", 1)[1]
    assert len(said) < 400


@pytest.mark.parametrize("name", [name for name in BAD if bad_line(name)])
def test_bad_input_among_many_lines(name: str, sixty_six: Run) -> None:
    *_, field, expected = BAD[name]
    ran = sixty_six("solve", "-", stdin=f"{bad_line(name)}\n{GONE}\n".encode())
    assert (ran.status, ran.err) == (2, "")
    bad, good = ran.lines
    assert bad["error"]["field"] == field
    assert expected in bad["error"]["expected"]
    assert bad["input"] == bad_line(name)[:2000]
    assert good["position"] == GONE
    with pytest.raises(NotationError) as refused:
        parse(bad_line(name))
    assert bad["error"]["column"] == refused.value.column


@pytest.mark.parametrize(
    "junk",
    [
        b"A" * 1_000_000,
        b" " * 1_000_000 + b"x",
        b"foster66 " * 110_000,
        b"foster66 S:" + b"." * 1_000_000,
        b"1" * 1_000_000,
    ],
    ids=lambda junk: junk[:12].decode(),
)
def test_a_megabyte_of_junk(junk: bytes, sixty_six: Run) -> None:
    ran = sixty_six("solve", "-", stdin=junk + b"\n" + GONE.encode())
    assert (ran.status, ran.err) == (2, "")
    bad, good = ran.lines
    assert len(bad["input"]) <= 2000
    assert bad["error"]["expected"]
    assert good["position"] == GONE


def test_bytes_that_are_no_text() -> None:
    junk = [b"\xff\xfe\xfd", b"\xc3\x28", b"foster66\x00S:A", b"\x00", b"\xed\xa0\x80 \xf4\x90"]
    with process("solve", "-") as running:
        out, err = running.communicate(b"\n".join([*junk, GONE.encode()]))
        assert (running.returncode, err) == (2, b"")
    assert out.isascii()
    *bad, good = map(json.loads, out.splitlines())
    assert [each["error"]["field"] for each in bad] == ["variant"] * len(junk)
    assert good["position"] == GONE


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve"], "Missing argument 'POSITION'"),
        (["check"], "Missing argument 'POSITION'"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["solve", GONE, "--loud"], "No such option"),
        (["solve", GONE, GONE], "unexpected extra argument"),
        (["solve", GONE, "--samples", "0"], "--samples"),
        (["solve", GONE, "--seed", "x"], "--seed"),
    ],
)
def test_a_command_that_is_none(arguments: list[str], words: str, sixty_six: Run) -> None:
    assert words in refusal(sixty_six(*arguments))


# ----------------------------------------------------------------------------------- show and check


@pytest.mark.parametrize("line", [DEAL, GONE, CLOSED, UNDRAWN, RUSSIAN, VIEW, CLOSED_VIEW])
def test_show(line: str, sixty_six: Run) -> None:
    ran = sixty_six("show", line)
    assert (ran.status, ran.err) == (0, "")
    trump = line.split()[3]
    assert {"S": "♠ spades", "H": "♥ hearts", "D": "♦ diamonds", "C": "♣ clubs"}[trump] in ran.out
    rows = ran.out.splitlines()
    assert [row[:5] for row in rows if row[:5] in ("North", "South")][:2] == ["North", "South"]
    concealed = re.search(r",(\d)x", line)
    assert re.findall(r"\d concealed", ran.out) == (
        [f"{concealed[1]} concealed"] if concealed else []
    )
    assert rows[-1].startswith({"S": "South ", "N": "North "}[line.split()[6]])


def test_show_tells_the_order_of_the_stock_where_it_is_seen(sixty_six: Run) -> None:
    """Without it nobody could work out what best play is."""
    cards = UNDRAWN.split()[4]
    order = " ".join(cards[at : at + 2] for at in range(0, len(cards) - 2, 2))
    assert f"drawn in this order: {order}, turn-up {cards[-2:]}" in sixty_six("show", UNDRAWN).out
    assert "order" not in sixty_six("show", VIEW).out
    assert "order" not in sixty_six("show", CLOSED).out


def test_show_says_what_the_cards_are(sixty_six: Run) -> None:
    rows = sixty_six("show", GONE).out.splitlines()
    assert rows[1].split() == "North ♥ A Q ♦ A ♣ 9 21 card points, 3 tricks".split()
    assert rows[3].split() == "South ♠ A Q ♥ T 9 110 card points, 5 tricks".split()
    assert rows[4] == "South is to lead."
    assert "led: SQ" in sixty_six("show", CLOSED).out
    assert "has not drawn" in sixty_six("show", UNDRAWN).out


@pytest.mark.parametrize("line", [DEAL, GONE, CLOSED, UNDRAWN, RUSSIAN, VIEW])
def test_show_draws_a_picture(line: str, sixty_six: Run) -> None:
    ran = sixty_six("show", line, "--svg")
    assert (ran.status, ran.err) == (0, "")
    picture = ET.fromstring(ran.out)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.find("{http://www.w3.org/2000/svg}title") is not None
    assert "http" not in ran.out.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("line", [DEAL, GONE, CLOSED, UNDRAWN, RUSSIAN, VIEW, CLOSED_VIEW])
def test_check_says_that_a_position_is_possible(line: str, sixty_six: Run) -> None:
    assert sixty_six("check", line.replace(" ", "_")) == (0, f"possible: {line}\n", "")


def test_show_tells_who_closed_and_what_the_match_stands_at(sixty_six: Run) -> None:
    line = "S:K.Q..QJ N:...,4x H xHT 35/4-31/3 S won=S:SQHK,HJCK,SJDT,S9ST;N:DJHA,DKCA,DQD9"
    ran = sixty_six("show", f"foster66 {line} closed=N25/3 carry=2 match=3-5")
    assert "closed by North (South had 25 in 3 tricks)" in ran.out
    assert "2 carried over from tied deals" in ran.out
    assert "match points: South 3, North 5" in ran.out


def test_help_and_version(sixty_six: Run) -> None:
    for arguments in ([], ["--help"]):
        ran = sixty_six(*arguments)
        assert (ran.status, ran.err) == (0, "")
        assert {"solve", "show", "check", "deal", "review", "progress", "learn"} <= set(
            ran.out.split()
        )
    assert re.fullmatch(r"sixty-six \d+\.\d+\.\d+\n", sixty_six("--version").out)


# ---------------------------------------------------------------------------------------- in a pipe


def test_a_reader_that_has_seen_enough() -> None:
    """As in `sixty-six solve - | head -1`."""
    with process("solve", "-") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(f"{GONE}\n".encode())
        running.stdin.flush()
        assert running.stdout.readline()
        running.stdout.close()
        try:
            running.stdin.write(f"{GONE}\n".encode() * 50)
            running.stdin.close()
        except BrokenPipeError:
            pass
        assert running.wait(60) != 0
        assert running.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("arguments", [["solve", F2, "--samples", "100000"], ["solve", "-"]])
def test_an_interrupt_ends_it_quietly(arguments: list[str]) -> None:
    with process(*arguments) as running:
        assert running.stdin is not None
        if arguments[1] == "-":
            running.stdin.write(f"{GONE}\n".encode())
            running.stdin.flush()
            assert running.stdout is not None
            assert running.stdout.readline()
        else:
            with pytest.raises(subprocess.TimeoutExpired):
                running.wait(2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert (out, err) == (b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_plain_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "trainer", "check", F2],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot read or write" in done.stderr
