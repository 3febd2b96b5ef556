"""`sixty-six puzzle`: what it asks, tells and keeps, and how it ends."""

import io
import json
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from few_puzzles import START, answer, real
from trainer import cli, drill
from trainer.notation import NotationError, parse, parse_answer
from trainer.puzzles import Puzzle, save
from trainer.record import Attempt, open_record
from trainer.rules import IllegalMove
from trainer.schedule import open_switch
from trainer.themes import NAMES

Run = Callable[..., tuple[int, str, str]]
LAST, ANNOUNCE, SEEN, CLOSED, LEDTO = real()
VIEW = parse("foster66 S:TJ.AT.K.Q N:...,6x H xH9 30/3-20/2 S won=S:D9DA,HQCT,HJCK;N:CAHK,CJDQ")


@pytest.fixture
def sixty_six(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """A function that runs the command line in this process, with a few puzzles installed."""
    save(real(), tmp_path / "few.tsv")
    monkeypatch.setattr(drill, "installed_puzzles", lambda: tmp_path)

    def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sixty-six", "puzzle", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        written = capsys.readouterr()
        return ended.value.code or 0, written.out, written.err  # type: ignore[return-value]

    return run


def only(puzzle: Puzzle) -> tuple[str, str]:
    """The options that choose one of the few puzzles."""
    return "--level", str(puzzle.difficulty)


def kept() -> list[Attempt]:
    """What is in the record."""
    return open_record().attempts()


# ---- asking -------------------------------------------------------------------------------------


def test_a_puzzle_is_asked_graded_and_kept(sixty_six: Run) -> None:
    status, out, err = sixty_six(*only(ANNOUNCE), stdin="SQ\n66\n\n")
    assert (status, err) == (0, "")
    asked, wrong, right = out.split("\n> ")[:3]
    assert "1 puzzle fits, 1 of them new to you" in asked
    assert "Schnapsen. Trumps: ♥ hearts." in asked
    assert ANNOUNCE.question in asked
    assert ANNOUNCE.themes
    assert not [name for name in NAMES if f"Theme: {name}" in asked]
    assert ANNOUNCE.id not in asked
    assert ANNOUNCE.id in wrong
    assert "\n?? Blunder: Lead the Queen of spades.\n" in wrong
    assert "game points" in wrong
    assert "=     66" in wrong
    assert "Best play: 66" in wrong
    for theme in ANNOUNCE.themes:
        assert f"Theme: {theme}. {NAMES[theme]}" in wrong
    assert "\n= Best: Announce 66.\n" in right
    assert "0 of 1 right at the first try." in out
    first, second = kept()
    assert (first.choice, first.mark, first.source) == ("SQ", "??", "puzzles")
    assert (first.position, first.themes) == (ANNOUNCE.position, ANNOUNCE.themes)
    assert first.real
    assert not first.concealed
    assert (second.choice, second.loss, second.hints) == ("66", 0.0, 0)


def test_concealed_cards_are_graded_as_seen(sixty_six: Run) -> None:
    _, out, _ = sixty_six("--as-seen", *only(SEEN), stdin=f"{SEEN.best[0]}\n")
    assert "3 concealed" in out
    assert "\n= Best: " in out
    assert "1 of 1 right at the first try." in out
    assert kept()[0].concealed


def test_hints_come_one_by_one_and_are_kept(sixty_six: Run) -> None:
    _, out, _ = sixty_six(*only(ANNOUNCE), stdin="?\n" * 5 + "66\n")
    hints = [line for line in out.splitlines() if "Hint" in line]
    assert [line.split(":")[0] for line in hints] == [f"> Hint {n} of 4" for n in range(1, 5)]
    assert "There are no more hints." in out
    assert hints[3].endswith("Announce 66.")
    assert kept()[0].hints == 4
    assert "0 of 1 right at the first try." in out, "it was told"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("the Ace", "column 1, move: found 'the', expected a card (HT)"),
        ("SK", "South does not hold the King of spades."),
        ("66 HJ", "the decision ends with 66."),
        ("dr", "nothing to draw"),
        ("x" * 3000, "3000 characters, expected at most 2000"),
    ],
)
def test_what_cannot_be_played_is_told_with_what_is_legal(
    typed: str, told: str, sixty_six: Run
) -> None:
    status, out, _ = sixty_six(*only(ANNOUNCE), stdin=f"{typed}\n\n66\n")
    assert status == 0
    assert told in out
    assert "Legal here: SQ HJ DA DQ CT 66.\n" in out
    assert "\n= Best" in out
    assert [attempt.choice for attempt in kept()] == ["66"]


@pytest.mark.parametrize(
    "typed",
    ["cl HA", "CL HA", "cl ha", "Cl  \N{BLACK HEART SUIT}\ufe0fa", "cl \N{BLACK HEART SUIT}A"],
)
def test_a_move_may_be_typed_in_other_ways(typed: str) -> None:
    assert drill.read_answer(typed, VIEW) == parse_answer("cl HA")
    assert drill.read_answer("s10", VIEW) == parse_answer("ST")
    royal = parse(
        "foster66 S:J.KQ.J.J N:...,5x H 5xH9 26/2-32/2 S won=S:SQST,HAHJ;N:DTDA,CAS9 closed=S32/2"
    )
    assert drill.read_answer("hQM", royal) == parse_answer("HQm")
    assert drill.read_answer("hkq!", royal) == parse_answer("HKQ!")


@pytest.mark.parametrize(
    "typed", ["h", "10", "TS", "tens", "s1", "S10x", "dh", "Herz", "sxm", "66!"]
)
def test_a_word_that_is_no_move_is_told_as_it_was_typed(typed: str) -> None:
    with pytest.raises(NotationError, match=f"found '{typed}"):
        drill.read_answer(typed, VIEW)


def test_half_a_decision() -> None:
    with pytest.raises(IllegalMove, match="cl is only the first part: add one of"):
        drill.read_answer("cl", VIEW)
    assert len(drill.read_answer("cl HA", VIEW)) == 2
    with pytest.raises(NotationError):
        drill.read_answer("cl HA and more", VIEW)


@pytest.mark.parametrize("stdin", ["", "q\n", "quit\n", "?", "SQ", "SQ\nq\n", "\n\n\n"])
def test_it_ends_when_the_answers_do(stdin: str, sixty_six: Run) -> None:
    status, out, err = sixty_six("--seed", "1", stdin=stdin)
    assert (status, err) == (0, "")
    assert out.endswith("\n")
    assert out.count("Puzzle ") == 1


def test_an_interrupt_ends_it_too(sixty_six: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: drill.Drill) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(drill.Drill, "_read", interrupted)
    assert sixty_six()[::2] == (0, "")


def test_as_many_as_wanted_then_the_end(sixty_six: Run) -> None:
    def answers(*arguments: str) -> list[str]:
        lines = sixty_six(*arguments, "--list", "--json")[1].splitlines()
        return [json.loads(line)["best"][0] for line in lines]

    given = answers("--seed", "5", "--count", "2")
    _, out, _ = sixty_six("--seed", "5", "--count", "2", stdin="\n\n".join(given) + "\n\n")
    assert out.count("\nPuzzle ") == 2
    assert "2 of 2 right at the first try." in out
    new = sixty_six("--list")[1].splitlines()
    assert {attempt.position for attempt in kept()} == {*new[3:]}, "new ones come first"


def test_a_set_goes_on_where_it_was(sixty_six: Run) -> None:
    options = ("--set", "1", "--count", "2")
    lines = sixty_six(*options, "--json")[1].splitlines()
    first, second = (json.loads(line) for line in lines)
    wrong = next(
        word
        for word in drill.legal_text(parse(first["position"])).split()
        if word not in first["best"] and word in "".join(first["refutations"])
    )
    _, out, _ = sixty_six(*options, stdin=f"{wrong}\n")
    assert "Round 1: 2 of 2 still to be asked." in out
    _, out, _ = sixty_six(*options, stdin=f"{second['best'][0]}\n\n{first['best'][0]}\n\n")
    assert "Round 1: 1 of 2 still to be asked, 1 missed so far." in out
    assert "2 of 2 right" in out
    assert {attempt.source for attempt in kept()} == {"set 1 of 2"}
    status, out, _ = sixty_six(*options)
    assert out == "This set is finished: all 2 right after 2 rounds.\n"
    status, out, err = sixty_six(*options, "--list")
    assert (status, out) == (2, "")
    assert "This set is finished" in err


def test_a_terminal_without_a_sign_is_shown_what_stands_for_it(sixty_six: Run) -> None:
    sixty_six("--list")
    shown = "\N{MINUS SIGN}2 \N{PLUS-MINUS SIGN} 0.5 \N{BLACK HEART SUIT} \N{SNOWMAN}"
    assert shown.encode("ascii", "plain") == b"-2 +- 0.5 H \\u2603"
    assert b"\xff".decode("utf-8", "plain") == "\\xff"


def test_without_an_output_it_ends(sixty_six: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        status, _, err = sixty_six()
    assert (status, err) == (2, "sixty-six: there is no standard output to write to\n")


# ---- lists --------------------------------------------------------------------------------------


def test_lists_for_people_and_programs(sixty_six: Run) -> None:
    _, out, _ = sixty_six("--list", "--seed", "1")
    assert {*out.splitlines()} == {puzzle.position for puzzle in real()}
    assert sixty_six("--list", "--seed", "1")[1] == out
    _, out, _ = sixty_six("--json", "--variant", "foster66")
    (found,) = map(json.loads, out.splitlines())
    assert found["format"] == 1
    assert (found["id"], found["position"]) == (CLOSED.id, CLOSED.position)
    assert (found["view"], found["best"]) == ("concealed", [*CLOSED.best])
    assert found["themes"] == [*CLOSED.themes]
    today = {sixty_six("--daily", "--list", "--seed", str(seed))[1] for seed in range(5)}
    assert len(today) == 1
    assert kept() == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--theme", "chess"), "theme: found 'chess', expected one of: "),
        (("--variant", "chess"), "variant: found 'chess', expected one of: "),
        (("--level", "7"), "level: found '7', expected a number from 1 to 5"),
        (("--daily", "--weak"), "--daily and --weak do not go together"),
        (("--review", "--set", "2"), "--review and --set do not go together"),
        (("--daily", "--level", "1"), "--daily is the same puzzle for everybody"),
        (("--list", "--face-up", "--variant", "foster66"), "there is no puzzle to give"),
        (("--review",), "Review is off: sixty-six puzzle --turn-review on"),
        (("--review", "--list"), "Review is off"),
        (("--set", "0"), "'--set': Input should be"),
    ],
)
def test_what_is_not_possible_is_one_line(
    arguments: tuple[str, ...], told: str, sixty_six: Run
) -> None:
    status, out, err = sixty_six(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("sixty-six: ")
    assert told in err
    assert err.count("\n") == 1


def test_a_broken_collection_is_one_line(sixty_six: Run, tmp_path: Path) -> None:
    (tmp_path / "few.tsv").write_text("id\tposition\n")
    status, out, err = sixty_six()
    assert (status, out) == (2, "")
    assert "few.tsv, line 1" in err
    assert err.count("\n") == 1


# ---- review -------------------------------------------------------------------------------------


def test_review_is_turned_on_shown_and_asked(sixty_six: Run) -> None:
    record = open_record()
    record.attempt(answer(ANNOUNCE, 1.0, when=START - timedelta(days=9)))
    status, out, err = sixty_six("--due")
    assert (status, err) == (0, "")
    assert out.startswith("Review is off: sixty-six puzzle --turn-review on turns it on.")
    _, out, _ = sixty_six("--turn-review", "on", "--due")
    assert open_switch().on
    due = len({*ANNOUNCE.themes})
    patterns = "1 pattern is" if due == 1 else f"{due} patterns are"
    assert out.startswith(f"Review is on. {patterns} due, of {due} that you have met.")
    assert "due since 2026-02-21" in out
    assert f"{ANNOUNCE.themes[0]} in Schnapsen" in out
    assert "missed the last time, on 2026-02-20" in out
    _, out, _ = sixty_six("--due", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert {(item["theme"], item["variant"]) for item in found} == {
        (theme, "schnapsen") for theme in ANNOUNCE.themes
    }
    assert all(item["is_due"] and not item["right"] for item in found)
    _, out, _ = sixty_six("--review", stdin="66\n")
    assert "Puzzle 1" in out
    _, out, _ = sixty_six("--turn-review", "off")
    assert out.startswith("Review is off")
    assert not open_switch().on


def test_a_damaged_switch_is_told(sixty_six: Run, own_record: Path) -> None:
    (own_record / "schedule.json").write_text("{")
    status, out, err = sixty_six("--due")
    assert status == 0
    assert out.startswith("Review is off")
    assert "was damaged and is set aside as schedule (damaged).json" in err
    assert err.count("\n") == 1


def test_review_that_cannot_be_turned_is_one_line(sixty_six: Run, own_record: Path) -> None:
    (own_record / "schedule.json").write_text('{"format": 2, "on": false}')
    status, out, err = sixty_six("--turn-review", "on")
    assert (status, out) == (2, "")
    assert "is of a newer version: this is not kept." in err
    assert err.count("\n") == 1
