"""Puzzles: what one tells, its file, the check that solves it again, and the collection itself."""

import io
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables import F2
from trainer import cli
from trainer.grading import report
from trainer.notation import format_table, parse, parse_answer
from trainer.puzzles import (
    COLUMNS,
    LEVELS,
    Puzzle,
    PuzzleError,
    check,
    check_many,
    installed_puzzles,
    load,
    puzzle_id,
    puzzle_of,
    read,
    replay,
    save,
    statistics,
    twin_key,
)
from trainer.rules.variants import VARIANTS
from trainer.themes import NAMES

FACE_UP = (
    "russian66 S:.T..TK N:J.Q9.. S SKS9 53/4-54/4 S"
    " won=S:DAST,DKDT,DQD9,HKHA;N:C9CQ,CACJ,SAHJ,DJSQ said=N:H closed=S29/3"
)
AS_SEEN = (
    "german66 S:.AK..TK N:...,4x D 5xD9 58/3-6/2 S"
    " won=S:HTDJ,HQCA,SJST;N:S9C9,HJDK said=S:H lacks=N:H closed=S0/1"
)
OPEN = "schnapsen S:KQ.AQ.Q. N:...,5x C xCA 28/2-24/2 S won=S:DACQ,DTCK;N:HJHT,STCJ"


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return [puzzle_of(report(parse(line)), difficulty=2) for line in (FACE_UP, AS_SEEN, OPEN)]


@pytest.fixture(scope="module")
def collection() -> list[Puzzle]:
    return load(installed_puzzles())


# ----------------------------------------------------------------------------- what a puzzle tells


def test_a_puzzle_tells_what_is_best_and_what_refutes_the_rest(puzzles: list[Puzzle]) -> None:
    face_up, as_seen, opened = puzzles
    assert face_up.best == ("CK",)
    assert (face_up.value, face_up.second, face_up.low) == (1, -2, None)
    assert face_up.line.startswith("CK SJ HQ")
    assert {entry.split(":")[0] for entry in face_up.refutations} == {"HT", "CT"}
    assert (face_up.variant, face_up.concealed) == ("russian66", False)
    assert (as_seen.concealed, opened.concealed) == (True, True)
    assert as_seen.low == as_seen.value > as_seen.second
    assert as_seen.status == opened.status == "exact"
    assert "cl HA" in opened.best


def test_lines_are_played_to_the_end_in_the_layout_they_name(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        end = replay(puzzle.table, (), puzzle.line)
        assert end.over is not None
        for entry in puzzle.refutations:
            words, _, line = entry.partition(": ")
            end = replay(puzzle.table, parse_answer(words, puzzle.table), line)
            assert end.over is not None
            if not puzzle.concealed:
                assert end.over.value(0) < puzzle.value


def test_where_all_is_equal_there_is_no_puzzle() -> None:
    one_card = "russian66 S:K.A..T N:J...J H - 31/5-60/4 S D9"  # the Ace must be played
    with pytest.raises(ValueError, match="no choice"):
        puzzle_of(report(parse(one_card)), difficulty=1)


# -------------------------------------------------------------------------------------------- twins


def renamed(line: str, order: str) -> str:
    """The line with the plain suits spades, hearts, diamonds, clubs called as in ``order``."""
    head, south, north, *rest = line.split(" ")
    suits = dict(zip("SHDC", order, strict=True))
    place = [order.index(suit) for suit in "SHDC"]

    def hand(word: str) -> str:
        cards, comma, more = word[2:].partition(",")
        parts = cards.split(".")
        return word[:2] + ".".join(parts[old] for old in place) + comma + more

    def cards(word: str) -> str:
        name, equals, value = word.partition("=")
        if equals:
            sides = [f"{part[:2]}{cards(part[2:])}" for part in value.split(";")]
            return name + equals + (value if name == "closed" else ";".join(sides))
        is_points = "/" in word or (word in ("S", "N") and word is turn)
        return word if is_points else "".join(suits.get(letter, letter) for letter in word)

    turn = rest[3]
    trump, stock, points, *tail = rest
    words = [head, hand(south), hand(north), suits[trump], cards(stock), points, turn]
    return format_table(parse(" ".join(words + [cards(word) for word in tail[1:]])))


@pytest.mark.parametrize("line", [FACE_UP, AS_SEEN, OPEN])
@pytest.mark.parametrize("order", ["HSDC", "CDHS", "SDCH"])
def test_a_puzzle_with_its_suits_renamed_is_a_twin(line: str, order: str) -> None:
    other = renamed(line, order)
    assert other != line
    assert puzzle_id(parse(other)) == puzzle_id(parse(line))


def test_dead_cards_make_no_other_puzzle() -> None:
    won = FACE_UP.replace("C9CQ,CACJ", "C9CJ,CACQ")
    stock = FACE_UP.replace(" SKS9 ", " DKS9 ").replace("DKDT", "SKDT")
    for other in (won, stock):
        assert format_table(parse(other)) == other
        assert puzzle_id(parse(other)) == puzzle_id(parse(FACE_UP))


@pytest.mark.parametrize(
    "other",
    [
        FACE_UP.replace("russian66", "russian66~six"),
        FACE_UP + " carry=1",
        FACE_UP + " match=5-6",
        FACE_UP.replace("N:J.Q9..", "N:J.Q.9.").replace("DQD9", "DQH9"),
    ],
)
def test_what_matters_makes_another_puzzle(other: str) -> None:
    assert twin_key(parse(other)) != twin_key(parse(FACE_UP))


# ---------------------------------------------------------------------------------------- the files


def test_a_file_is_read_as_it_was_saved(puzzles: list[Puzzle], tmp_path: Path) -> None:
    file, again = tmp_path / "a.tsv", tmp_path / "b.tsv"
    save(puzzles, file)
    assert load(file) == sorted(puzzles, key=lambda puzzle: puzzle.id)
    save(reversed(load(file)), again)
    assert again.read_bytes() == file.read_bytes()
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert load(file) == load(again)  # as a spreadsheet may leave it
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tsv", "b.tsv"]


def test_a_folder_is_all_its_files_and_no_puzzle_twice(
    puzzles: list[Puzzle], tmp_path: Path
) -> None:
    save(puzzles[:1], tmp_path / "a.tsv")
    save(puzzles[1:], tmp_path / "b.tsv")
    assert {puzzle.id for puzzle in load(tmp_path)} == {puzzle.id for puzzle in puzzles}
    save(puzzles[:2], tmp_path / "b.tsv")
    with pytest.raises(PuzzleError, match=r"b\.tsv, line 3, column id: .* again"):
        load(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(PuzzleError, match="expected a file"):
        load(empty)


BROKEN = {
    "id": "Not An Id",
    "position": "foster66 S:A.K.Q.J",
    "difficulty": "6",
    "themes": "magic",
    "best": "cl XX",
    "value": "much",
    "low": "1e5",
    "second": "",
    "status": "certain",
    "question": "=1+1",
    "source": "@SUM(A1)",
    "line": "-2+3",
    "refutations": "+HA",
}


@pytest.mark.parametrize("column", COLUMNS)
def test_a_bad_cell_is_named_by_file_line_and_column(
    column: str, puzzles: list[Puzzle], tmp_path: Path
) -> None:
    file = tmp_path / "a.tsv"
    save(puzzles, file)
    lines = file.read_text().splitlines()
    cells = lines[2].split("\t")
    cells[COLUMNS.index(column)] = BROKEN[column]
    lines[2] = "\t".join(cells)
    file.write_text("\n".join(lines))
    with pytest.raises(PuzzleError) as raised:
        load(file)
    assert (raised.value.file, raised.value.line, raised.value.column) == (file, 3, column)
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith(f"{file}, line 3, column {column}: found ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "line 1: found nothing, expected the columns id, position,"),
        (b"\xff\xfe\x00", "line 1: found byte 0xff, expected text in UTF-8"),
        (b"id\tposition\n", "line 1"),
        (("\t".join(COLUMNS) + "\nx\ty\n").encode(), "line 2: found 2, expected 13 cells"),
        (("\t".join(COLUMNS) + "\n\n").encode(), "line 2: found 1, expected 13 cells"),
    ],
)
def test_a_file_of_something_else_is_told_so(data: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_bytes(data)
    with pytest.raises(PuzzleError, match=said):
        load(file)


@settings(max_examples=60, deadline=None)
@given(junk=st.binary(max_size=300), headed=st.booleans())
def test_random_junk_is_one_error(
    junk: bytes, headed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("junk") / "junk.tsv"
    file.write_bytes(("\t".join(COLUMNS) + "\n").encode() * headed + junk)
    said = f"{file}: nothing"
    try:
        loaded = load(file)
    except PuzzleError as error:
        loaded, said = [], str(error)
    assert loaded == []
    assert said.startswith(str(file))
    assert "\n" not in said


@pytest.mark.parametrize("text", ["=1+1", "+1", "-HA", "@x", "a\tb", "a\nb", 'say "66"', " a"])
def test_nothing_is_saved_that_a_spreadsheet_would_take_for_something_else(
    text: str, puzzles: list[Puzzle], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="cannot stand in a cell"):
        save([replace(puzzles[0], source=text)], tmp_path / "a.tsv")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------------------- the check


def test_a_right_puzzle_has_no_fault(puzzles: list[Puzzle]) -> None:
    assert [check(puzzle) for puzzle in puzzles] == [[], [], []]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("id", "russian66-0000000000"),
        ("themes", ("ducking",)),
        ("best", ("CT",)),
        ("value", 2.0),
        ("low", 0.5),
        ("second", -1.0),
        ("status", "sampled"),
        ("line", "CT SJ HQ HT CK H9"),
        ("line", "CK SJ"),
        ("line", "SA"),
        ("refutations", ("HT: SJ",)),
        ("refutations", ("XX: SJ",)),
        ("refutations", ()),
        ("question", "Is <b>this</b> a question?"),
    ],
)
def test_a_wrong_cell_is_a_fault(column: str, value: object, puzzles: list[Puzzle]) -> None:
    (fault,) = check(replace(puzzles[0], **{column: value}))
    assert fault.startswith(f"{column}: ")


def test_a_position_that_is_none_is_a_fault(puzzles: list[Puzzle]) -> None:
    norths = FACE_UP.replace(" S won=", " N won=")
    for line in ("foster66 S:", norths, F2 + " over=S+2"):
        (fault,) = check(replace(puzzles[0], position=line))
        assert fault.startswith("position: ")


def test_a_line_that_begins_with_another_choice_is_a_fault(puzzles: list[Puzzle]) -> None:
    as_seen = puzzles[1]
    words, _, line = as_seen.refutations[0].partition(": ")
    layout, _, moves = line.partition("] ")
    (fault,) = check(replace(as_seen, line=f"{layout}] {words} {moves}"))
    assert fault == f"line: expected it to begin with {' or '.join(as_seen.best)}"


def test_a_layout_that_does_not_fit_is_a_fault(puzzles: list[Puzzle]) -> None:
    wrong = puzzles[1].line.replace("[N:", "[N:A", 1)
    (fault,) = check(replace(puzzles[1], line=wrong))
    assert fault.startswith("line: ")


@pytest.mark.slow
def test_many_are_checked_by_several_workers_in_order(
    puzzles: list[Puzzle], tmp_path: Path
) -> None:
    save(puzzles, tmp_path / "a.tsv")
    entries = read(tmp_path / "a.tsv") * 10
    found = list(check_many(entries, workers=2))
    assert found == [(entry, []) for entry in entries]


# --------------------------------------------------------------------------------- the command line


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sixty_six(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sixty-six", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as ended:
            cli.main()
        written = capsys.readouterr()
        return int(ended.value.code or 0), written.out, written.err

    return run


def test_check_solves_a_folder(sixty_six: Run, puzzles: list[Puzzle], tmp_path: Path) -> None:
    save(puzzles, tmp_path / "a.tsv")
    assert sixty_six("check", str(tmp_path)) == (0, "3 puzzles solved, all as stored\n", "")
    status, out, _ = sixty_six("check", str(tmp_path / "a.tsv"), "--sample", "1", "--seed", "4")
    assert (status, out) == (0, "1 puzzles solved, all as stored\n")


def test_check_tells_each_fault_in_a_line(
    sixty_six: Run, puzzles: list[Puzzle], tmp_path: Path
) -> None:
    file = tmp_path / "a.tsv"
    save([replace(puzzles[0], value=2.0, second=0.0), puzzles[1]], file)
    status, out, err = sixty_six("check", str(file))
    lines = err.splitlines()
    assert (status, out) == (2, "")
    assert len(lines) == 3
    assert lines[0] == f"sixty-six: {file}, line 3, {puzzles[0].id}, value: found '2', expected '1'"
    assert lines[2] == "sixty-six: 1 of 2 puzzles have a fault"


def test_check_refuses_junk_in_one_line(sixty_six: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_bytes(random.Random(1).randbytes(2000))
    text = tmp_path / "notes.txt"
    text.write_text("a file of something else\n")
    for path in (file, tmp_path / "missing.tsv", text, f"{tmp_path / 'missing'}/"):
        status, out, err = sixty_six("check", str(path))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"sixty-six: {str(path).removesuffix('/')}")


# ----------------------------------------------------------------------------------- the collection


def test_the_figures_count_every_kind(puzzles: list[Puzzle]) -> None:
    theme, other, *_ = NAMES
    mined = [replace(puzzle, themes=(theme,)) for puzzle in puzzles]
    mined[0] = replace(mined[0], themes=(theme, other))
    plain = replace(puzzles[0], source="Foster", themes=(), difficulty=5)
    found = statistics([*mined, plain])
    assert (found.puzzles, found.concealed, found.mined, found.unthemed) == (4, 2, 3, 1)
    assert found.by_variant == {"foster66": 0, "russian66": 2, "german66": 1, "schnapsen": 1}
    assert found.by_difficulty == {1: 0, 2: 3, 3: 0, 4: 0, 5: 1}
    assert (found.concealed_share, found.theme_share(theme)) == (0.5, 0.75)
    assert found.by_theme == {name: {theme: 3, other: 1}.get(name, 0) for name in NAMES}


def test_the_collection_is_large_and_varied(collection: list[Puzzle]) -> None:
    found = statistics(collection)
    assert found.puzzles >= 1_500
    assert found.concealed_share >= 0.4
    assert max(map(found.theme_share, NAMES)) <= 0.15
    assert sum(count > 0 for count in found.by_theme.values()) >= 15
    assert min(found.by_variant.values()) >= 0.15 * found.puzzles
    assert min(found.by_difficulty.values()) >= 0.1 * found.puzzles
    assert min(found.by_variant_and_difficulty.values()) > 0


def test_the_mined_files_hold_their_variant_and_no_twins() -> None:
    for variant in VARIANTS:
        mined = load(installed_puzzles() / f"{variant}.tsv")
        assert {puzzle.variant for puzzle in mined} == {variant}
        keys = {puzzle_id(puzzle.table) for puzzle in mined}
        assert keys == {puzzle.id for puzzle in mined}
        assert not any(puzzle.source for puzzle in mined)


def test_the_puzzles_of_the_sources_name_them() -> None:
    assert all(puzzle.source for puzzle in load(installed_puzzles() / "sources.tsv"))


def test_every_stored_decision_is_real(collection: list[Puzzle]) -> None:
    for puzzle in collection:
        assert puzzle.value > puzzle.second
        assert puzzle.refutations
        assert puzzle.difficulty in LEVELS


def test_a_sample_of_the_collection_is_as_stored(collection: list[Puzzle]) -> None:
    sample = random.Random(66).sample(collection, 8)
    assert [check(puzzle) for puzzle in sample] == [[]] * 8
