"""The rule book against the program: its examples, its tables, its rulings, its links.

Every box of the worked examples is played in the engine and in the reference implementation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, get_args, get_type_hints

import pytest
from typer.main import get_command

import reference
from tables import load_script
from trainer.cli import app
from trainer.notation import format_move, format_table, parse, parse_move, parse_record
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Position,
    View,
    card_code,
    cards_in,
    deal,
    legal_moves,
    play,
    view,
)
from trainer.rules.cards import RANKS, SUIT_SYMBOLS, SUITS
from trainer.rules.variants import SWITCHES, Variant, variant_named

ROOT = Path(__file__).parent.parent
BOOK = ROOT / "book"
RULES = BOOK / "rules"
PAGES = sorted(BOOK.rglob("*.md"))
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
EXAMPLES = TEXT[RULES / "examples.md"]
SETTLED = TEXT[RULES / "how_settled.md"]


differences = load_script(BOOK / "differences.py")
glossary = load_script(BOOK / "glossary.py")
grading_figures = load_script(BOOK / "grading_figures.py")


# ------------------------------------------------------------------------------- worked examples

# The examples keep their names; lessons and tests refer to them.
NAMES = [
    *(f"W66-{number}" for number in range(1, 15)),
    *(f"D66-{number}" for number in range(1, 7)),
    *(f"F{number}" for number in range(1, 4)),
    *(f"WRU-{number}" for number in range(1, 13)),
    "DRU-1",
    *(f"WSC-{number}" for number in range(1, 6)),
    *(f"DSC-{number}" for number in range(1, 4)),
    *(f"DLG-{number}" for number in range(1, 7)),
]
NAME = re.compile(r"(?:[WD](?:66|RU|SC|LG)-|F)\d+")
VIEWS = ["F1", "F2", "F3"]
"""The examples that show a position as South sees it and nothing to play."""
NO_BOX = ["DLG-6"]
"""The examples about packs that none of the games has."""


def sections(page: str) -> dict[str, str]:
    """The sections of a page that have a heading of the third level, by that heading."""
    parts = re.split(r"^### (.+)$", page, flags=re.MULTILINE)
    headings, bodies = parts[1::2], parts[2::2]
    assert len(set(headings)) == len(headings)
    return {
        heading: re.split(r"^## ", body, flags=re.MULTILINE)[0]
        for heading, body in zip(headings, bodies, strict=True)
    }


STORIES = {name: text for name, text in sections(EXAMPLES).items() if NAME.fullmatch(name)}


class Box(NamedTuple):
    """A box of an example: a position line and what is said about it."""

    example: str
    number: int
    line: str
    moves: str | None
    legal: str | None
    ends: str | None


def boxes() -> Iterator[Box]:
    """The boxes of all examples, in the order of the page."""
    for example, text in STORIES.items():
        for number, content in enumerate(re.findall(r"^```text\n(.*?)^```", text, re.M | re.S), 1):
            line, *rest = content.splitlines()
            said = dict(words.split(": ", 1) for words in rest)
            assert list(said) == [key for key in ("moves", "legal", "ends") if key in said], example
            yield Box(example, number, line, *map(said.get, ("moves", "legal", "ends")))


BOXES = list(boxes())
PLAYED = [box for box in BOXES if box.example not in VIEWS]
each_played = pytest.mark.parametrize(
    "box", PLAYED, ids=[f"{box.example}.{box.number}" for box in PLAYED]
)


def end_of(line: str) -> str:
    """The points and the end of the deal as a position line tells them."""
    words = line.split()
    return " ".join([words[5], *(word for word in words if word.startswith("over="))])


def test_every_example_is_there_under_its_name() -> None:
    assert list(STORIES) == NAMES
    assert {box.example for box in BOXES} == set(NAMES) - set(NO_BOX)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_says_what_is_given_what_to_expect_and_why(name: str) -> None:
    order = re.findall(r"^\*\*(Given|Expected|Why)\.\*\*", STORIES[name], re.MULTILINE)
    assert order == ["Given", "Expected", "Why"]


def test_every_name_in_the_book_is_that_of_an_example() -> None:
    for page, text in TEXT.items():
        assert set(re.findall(r"\b(?:[WD](?:66|RU|SC|LG)-|F)\d+\b", text)) <= set(NAMES), page


def play_in_the_engine(box: Box) -> None:
    """Play the moves of the box and compare what it says with what the engine says."""
    position = parse(box.line)
    assert isinstance(position, Position)
    assert format_table(position) == box.line
    for word in (box.moves or "").split():
        position = play(position, parse_move(position, word))
    assert box.legal or box.ends
    if box.legal:
        assert sorted(map(format_move, legal_moves(position))) == sorted(box.legal.split())
    if box.ends:
        assert end_of(format_table(position)) == box.ends


def play_in_the_reference(box: Box) -> None:
    """Play the moves of the box and compare what it says with what the reference says."""
    state = reference.parse(box.line)
    assert reference.line(state) == box.line
    for word in (box.moves or "").split():
        state = reference.play(state, word)
    if box.legal:
        assert sorted(reference.moves(state)) == sorted(box.legal.split())
    if box.ends:
        assert end_of(reference.line(state)) == box.ends
        assert (reference.result(state) is None) == ("over=" not in box.ends)


@each_played
def test_a_box_in_the_engine(box: Box) -> None:
    play_in_the_engine(box)


@each_played
def test_a_box_in_the_reference(box: Box) -> None:
    play_in_the_reference(box)


@pytest.mark.parametrize(
    "box", [box for box in BOXES if box.example in VIEWS], ids=lambda box: box.example
)
def test_a_box_as_south_sees_it(box: Box) -> None:
    table = parse(box.line)
    assert isinstance(table, View)
    assert format_table(table) == box.line
    assert (box.moves, box.legal, box.ends) == (None, None, None)


def test_the_views_are_those_of_the_examples_they_name() -> None:
    """F1 is what South sees in W66-6, F2 in W66-3, F3 in W66-9."""
    lines = {(box.example, box.number): box.line for box in BOXES}
    for seen, whole in (("F1", "W66-6"), ("F2", "W66-3"), ("F3", "W66-9")):
        position = parse(lines[whole, 1])
        assert isinstance(position, Position)
        assert format_table(view(position, 0)) == lines[seen, 1]


def test_position_lines_outside_the_examples() -> None:
    found = 0
    for page, text in TEXT.items():
        if page.name != "examples.md":
            for line in re.findall(r"^\w+66\b.* S:.*$|^schnapsen .*$", text, re.MULTILINE):
                assert format_table(parse(line)) == line
                found += 1
    readme = re.findall(r'sixty-six solve "(.+)"', (ROOT / "README.md").read_text(encoding="utf-8"))
    for line in readme:
        assert format_table(parse(line)) == line
    assert found
    assert readme


def test_the_record_in_the_book_is_one() -> None:
    records = re.findall(r"^```text\n(\[.*?)^```", TEXT[BOOK / "notation.md"], re.M | re.S)
    assert [len(parse_record(text).moves) for text in records] == [3]


def test_the_program_in_the_book_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", TEXT[BOOK / "programmer.md"], re.M | re.S)
    exec(program, {})
    assert "best" in capsys.readouterr().out


# ---------------------------------------------------------- the same lead under several rules


def symbols(codes: Iterable[str]) -> list[str]:
    """Cards as the table of the page has them: ``♥10``."""
    return [
        SUIT_SYMBOLS[SUITS.index(code[0])] + ("10" if code[1] == "T" else code[1]) for code in codes
    ]


@pytest.mark.parametrize("name", [f"DLG-{number}" for number in range(1, 6)])
def test_the_table_of_leads_is_what_the_boxes_say(name: str) -> None:
    row = re.search(rf"^\| {name} \| (.+) \|$", EXAMPLES, re.MULTILINE)
    assert row is not None
    lead, held, *allowed = [cell.split() for cell in row[1].split(" | ")]
    columns = {"foster66": 0, "russian66": 1, "german66": 2, "schnapsen": 2}
    same = [box for box in BOXES if box.example == name]
    assert [box.line.split()[0] for box in same] == list(columns)
    for box in same:
        position = parse(box.line)
        assert isinstance(position, Position)
        assert position.led is not None
        assert symbols([card_code(position.led)]) == lead
        assert sorted(symbols(map(card_code, cards_in(position.hands[0])))) == sorted(held)
        assert box.legal is not None
        assert symbols(box.legal.split()) == allowed[columns[box.line.split()[0]]]


# ------------------------------------------------------------------------------------- rulings

RULING = re.compile(r"\bR(?:66|RU|DE|SC)-[a-z0-9]+(?:-[a-z0-9]+)*")
RULINGS = {name: text for name, text in sections(SETTLED).items() if RULING.fullmatch(name)}
GAME_OF = differences.GAME_OF

COLUMNS: dict[str, dict[str, Any]] = {
    "R66-next-dealer": {"winner_deals": True},
    "R66-void": {"duties": ("follow",)},
    "R66-show-lead": {"show_undrawn": True},
    "R66-late-marriage": {"marriage_late": True},
    "R66-exchange-turn": {"exchange_open": ("lead", "undrawn", "follow")},
    "R66-exchange-trick": {
        "exchange_trick": True,
        "exchange_closed": ("lead", "follow"),
        "exchange_closed_by": "both",
        "exchange_closed_trick": True,
    },
    "R66-close-last": {"close_hidden": 1},
    "R66-closed-claim": {"beaten_close": "two or three"},
    "R66-closed-unclaimed": {
        "failed_close": "two or three",
        "closer_needs_last_trick": False,
        "played_out": "goal",
        "tie_carries": True,
    },
    "R66-unclaimed-schwarz": {"played_out": "goal", "schwarz": "tricks"},
    "R66-false-claim": {"false_claim": "two or three", "closers_false_claim": "two or three"},
    "R66-carry": {"tie_carries": True},
    "R66-match-end": {"match_length": 7},
    "RRU-next-dealer": {"winner_deals": True},
    "RRU-no-head": {"duties": ("follow", "trump")},
    "RRU-no-show": {"show_undrawn": False},
    "RRU-declared-66": {"show_undrawn": False},
    "RRU-late-marriage": {"marriage_late": True},
    "RRU-exchange": {
        "exchange_open": ("lead", "undrawn"),
        "exchange_trick": True,
        "exchange_closed": (),
    },
    "RRU-close-time": {"close_undrawn": True, "close_hidden": 1},
    "RRU-close-success": {"success_valued": "end"},
    "RRU-close-double": {"failed_close": "double"},
    "RRU-close-six": {"trickless_close": 0},
    "RRU-closed-claim": {"beaten_close": "double"},
    "RRU-closed-unclaimed": {"closer_needs_last_trick": False, "tie_carries": False},
    "RRU-last-trick": {"last_trick": 10, "last_trick_closed": True},
    "RRU-false-claim": {"false_claim": "double", "closers_false_claim": "double"},
    "RRU-unclaimed": {"played_out": "goal"},
    "RRU-tie": {"tie_carries": False},
    "RRU-match": {"match_length": 7},
    "RSC-talon": {"stock_size": 10},
    "RSC-jack-time": {"exchange_open": ("lead",), "close_undrawn": False},
    "RSC-close-last": {"close_hidden": 1},
    "RSC-claim-time": {"show_undrawn": False},
    "RSC-closer-false-claim": {
        "closers_false_claim": "two or three",
        "failed_close": "two or three",
    },
    "RSC-last-claim": {"played_out": "last trick", "closer_needs_last_trick": True},
    "RDE-as-schnapsen": {"show_undrawn": False, "close_hidden": 1},
    "RDE-next-dealer": {"winner_deals": True},
    "RDE-exchange-time": {"exchange_open": ("lead", "undrawn"), "exchange_trick": True},
    "RDE-closed-exchange": {
        "exchange_closed": ("lead", "follow"),
        "exchange_closed_by": "other",
        "exchange_closed_trick": False,
    },
    "RDE-closer-false-claim": {"closers_false_claim": "two", "false_claim": "two"},
    "RDE-closed-unclaimed": {"failed_close": "two or three", "closer_needs_last_trick": True},
    "RDE-draw": {"played_out": "higher", "tie_carries": False},
}
"""What a ruling says of the row of its game. Change one, and the words of the ruling too."""

PLAYED_IN = {
    "R66-provisional-claim": "W66-12",
    "R66-close-first-lead": "W66-9",
    "R66-claim-time": "W66-13",
    "RRU-claim-time": "WRU-12",
}
"""Examples that play a ruling which they do not name."""

PLAYS = [
    # The winner of the sixth trick draws the hidden card, the loser the turn-up.
    Box(
        example="R66-last-draw",
        number=1,
        line="foster66 S:9..AKQ.K N:T.KJ..AT H H9HQ 5/1-53/5 S undrawn",
        moves="dr H9 HQ",
        legal=None,
        ends="5/1-56/6",
    ),
    Box(
        example="RRU-last-draw",
        number=1,
        line="russian66 S:9..AKQ.K N:T.KJ..AT H H9HQ 5/1-53/5 S undrawn",
        moves="dr H9 HK",
        legal=None,
        ends="5/1-57/6",
    ),
    # A King led without its marriage: the Queen has nothing to declare any more.
    Box(
        example="R66-forgotten",
        number=1,
        line="foster66 S:KQ.A.. N:J9.Q.. H - 50/5-47/4 S",
        moves="SK S9",
        legal="HA SQ 66",
        ends="54/6-47/4",
    ),
    # Closing after the draw: both have drawn, and hold six cards.
    Box(
        example="R66-close-draw",
        number=1,
        line="foster66 S:.T9.K.AQ N:.K.AT9.T H SJHQCKSTSAHA 9/2-7/2 S undrawn"
        " won=S:SKHJ,S9DQ;N:CJC9,SQDJ",
        moves="dr cl SJ HQ CT CA",
        legal="DK CQ HT H9 ex 66",
        ends="30/3-12/3",
    ),
    Box(
        example="RRU-provisional",
        number=1,
        line="russian66 S:KQ9..J.A9 N:A.AKQ.T.J H STSJHTHJDADKDQD9CTCKCQH9 0/0-0/0 S",
        moves="SKm SA",
        legal=None,
        ends="0~20/0-15/1",
    ),
    Box(
        example="RSC-first-marriage",
        number=1,
        line="schnapsen S:KQ.J.J.J N:A.AK.A.A H STSJHTDTDKDQCTCKCQHQ 0/0-0/0 S",
        moves="SQm SA",
        legal=None,
        ends="0~20/0-14/1",
    ),
]
"""Rulings that no example plays, each with a box like those of the page."""

NOT_PLAYED = {
    "R66-turn-up": "a shuffled pack has no order that would tell one custom from another",
    "R66-look-back": "about memory",
    "R66-partner-seen": "about what a player has seen, tested below",
    "R66-errors": "about what cannot happen",
    "RRU-first-lead": "about the deal, tested below",
    "RRU-stake": "about money",
}


@pytest.mark.parametrize("name", COLUMNS)
def test_the_row_of_a_game_is_as_the_ruling_says(name: str) -> None:
    row = VARIANTS[GAME_OF[name[:3]]]
    assert {column: getattr(row, column) for column in COLUMNS[name]} == COLUMNS[name]


each_play = pytest.mark.parametrize("box", PLAYS, ids=[box.example for box in PLAYS])


@each_play
def test_a_ruling_in_the_engine(box: Box) -> None:
    play_in_the_engine(box)


@each_play
def test_a_ruling_in_the_reference(box: Box) -> None:
    play_in_the_reference(box)


def test_the_partner_of_a_marriage_led_is_seen() -> None:
    """R66-partner-seen."""
    position = parse("foster66 S:KQ9..J.A9 N:A.AKQ.T.J H STSJHTHJDADKDQD9CTCKCQH9 0/0-0/0 S")
    assert isinstance(position, Position)
    declared = play(position, parse_move(position, "SKm"))
    assert [card_code(card) for card in cards_in(view(declared, NORTH).known)] == ["SQ"]
    undeclared = play(position, parse_move(position, "SK"))
    assert view(undeclared, NORTH).known == 0


@pytest.mark.parametrize("pone", [SOUTH, NORTH])
def test_pone_leads(pone: int) -> None:
    """RRU-first-lead."""
    dealt = deal(VARIANTS["russian66"], Random(66), pone)
    assert (dealt.turn, dealt.led, dealt.tricks) == (pone, None, (0, 0))


def test_every_ruling_is_tied_to_the_program() -> None:
    in_examples = {name for story in STORIES.values() for name in RULING.findall(story)}
    tied = in_examples | set(COLUMNS) | set(PLAYED_IN) | {box.example for box in PLAYS}
    assert set(RULINGS) - tied == set(NOT_PLAYED)
    assert tied <= set(RULINGS)
    assert set(PLAYED_IN.values()) <= set(NAMES)


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_says_why_it_was_needed_and_its_game_cites_it(name: str) -> None:
    assert re.match(r"\s*\*(Silent|Ambiguous|In conflict|The table)\b", RULINGS[name])
    assert name in TEXT[RULES / f"{GAME_OF[name[:3]]}.md"]


def test_every_ruling_cited_is_there() -> None:
    cited = {name for text in TEXT.values() for name in RULING.findall(text)}
    assert cited == set(RULINGS)
    for folder, ending in (("trainer", "*.py"), ("tests", "*.py"), ("lessons", "*.ipynb")):
        for path in (ROOT / folder).rglob(ending):
            assert set(RULING.findall(path.read_text(encoding="utf-8"))) <= set(RULINGS), path


def test_a_link_to_a_ruling_goes_where_it_says() -> None:
    for page, text in TEXT.items():
        for shown, anchor in re.findall(r"\[(R\w\w-[a-z0-9-]+)\]\([^)#]*#([^)]+)\)", text):
            assert anchor == shown.lower(), page


def test_the_list_of_examples_names_the_rulings_they_rest_on() -> None:
    listed: dict[str, set[str]] = {}
    for row in re.findall(r"^\| \[.+\|$", EXAMPLES, re.MULTILINE):
        names, _, rulings = (cell.strip() for cell in row.strip("|").split(" | "))
        first, *last = re.findall(rf"\[({NAME.pattern})\]", names)
        run = NAMES[NAMES.index(first) : NAMES.index(last[0] if last else first) + 1]
        in_stories = {name for each in run for name in RULING.findall(STORIES[each])}
        assert set(RULING.findall(rulings)) == in_stories, names
        listed |= dict.fromkeys(run, in_stories)
    assert set(listed) == set(NAMES)


# -------------------------------------------------------------------------- games and options


@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_has_its_page(name: str) -> None:
    page = TEXT[RULES / f"{name}.md"]
    assert f"Name in the program: `{name}`" in page
    assert re.search(rf"^\| `{name}` \| \[.+\]\({name}\.md\) \|", TEXT[RULES / "index.md"], re.M)


@pytest.mark.parametrize(
    "name", [f"{base}~{switch}" for base, switches in SWITCHES.items() for switch in switches]
)
def test_every_option_is_told(name: str) -> None:
    for page in (f"{name.split('~')[0]}.md", "index.md", "differences.md", "how_settled.md"):
        assert f"`{name}`" in TEXT[RULES / page], page


def test_every_game_and_option_named_is_there() -> None:
    for page, text in TEXT.items():
        for name in re.findall(r"\b(?:\w+66|schnapsen)~[\w~]*\w", text):
            assert variant_named(name).name == name, page


# --------------------------------------------------- what is written by the program and its data


def test_the_tables_of_differences_are_those_of_the_rows() -> None:
    page = differences.PAGE.read_text(encoding="utf-8")
    assert page == differences.renewed(page), "run: make book-tables"


def test_the_glossary_is_that_of_its_data() -> None:
    assert TEXT[glossary.PAGE] == glossary.page(), "run: make book-tables"


def test_the_tables_on_grading_are_what_the_program_finds() -> None:
    page = TEXT[grading_figures.PAGE]
    assert page == grading_figures.renewed(page), "run: make book-tables"


def others(column: str, value: Any) -> list[Any]:
    """Other values that a column could have."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if column == "ranks":
        return [value[1] + value[0] + value[2:]]
    if column == "exchange_rank":
        return [rank for rank in RANKS if rank != value]
    if column == "points":
        return [value[::-1]]
    if isinstance(value, tuple):
        return [value[1:], value[:-1]] if value else []
    return [each for each in get_args(get_type_hints(Variant)[column]) if each != value]


def told(row: Variant) -> list[str]:
    """What the tables tell of a game."""
    return [line.tell(row) for line in differences.LINES]


@pytest.mark.parametrize(
    "column",
    [field.name for field in fields(Variant) if field.name not in ("name", "title", "source")],
)
def test_the_tables_tell_every_column(column: str) -> None:
    """With any other value of the column the tables would say something else of some game."""
    noticed: dict[Any, bool] = {}
    for row in VARIANTS.values():
        for value in others(column, getattr(row, column)):
            changed = replace(row, **{column: value})
            noticed[value] = noticed.get(value, False) or told(changed) != told(row)
    assert noticed
    assert all(noticed.values()), noticed


# ------------------------------------------------------------------------- links and sources


def anchors(page: str) -> list[str]:
    """The anchors that GitHub gives the headings of a page."""
    outside = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", outside, re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def links(page: str) -> list[str]:
    """Where the links of a page lead."""
    return re.findall(r"\[[^\]]+\]\(([^)\s]+)\)", page)


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "README.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    own = anchors(text)
    assert len(set(own)) == len(own), "two headings of one name"
    for link in links(text):
        if not link.startswith(("https://", "http://")):
            target, _, anchor = link.partition("#")
            path = (page.parent / target).resolve() if target else page
            assert path.exists(), link
            if anchor:
                assert anchor in anchors(path.read_text(encoding="utf-8")), link


def test_the_index_leads_to_every_page() -> None:
    targets = {link.partition("#")[0] for link in links(TEXT[RULES / "index.md"])} - {""}
    pages = {page.name for page in RULES.glob("*.md")} - {"index.md"}
    assert targets == pages | {"../glossary.md", "../notation.md"}
    assert "book/rules/index.md" in links((ROOT / "README.md").read_text(encoding="utf-8"))


def test_every_command_named_is_there() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    targets = re.findall(
        r"^(\w[\w-]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M
    )
    named = Counter[str]()
    for page in [*PAGES, ROOT / "README.md"]:
        text = page.read_text(encoding="utf-8")
        for command in re.findall(r"(?:`|^ *)sixty-six ([a-z][a-z-]*)", text, re.M):
            assert command in commands, (page, command)
            named[command] += 1
        for target in re.findall(r"`make ([a-z][a-z-]*)|^ *make ([a-z][a-z-]*)", text, re.M):
            assert "".join(target) in targets, (page, target)
            named["make"] += 1
    assert min(named[command] for command in ("learn", "solve", "puzzle", "make")) > 0


def test_every_source_cited_is_listed() -> None:
    index = TEXT[RULES / "index.md"]
    table = index.split("| Cited as |")[1].split("\n\n")[0]
    sources = [
        name
        for names in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        for name in names.split("; ")
        if name != "---"
    ]
    list_of_sections = re.search(r"The sections of Foster's chapter(.+?)The Russian", index, re.S)
    assert list_of_sections is not None
    known = set(re.findall(r"\*([^*]+)\*", " ".join(list_of_sections[1].split())))
    cited = Counter[str]()
    for page, text in TEXT.items():
        for citation in re.findall(r"\*\(([^)]+)\)", text):
            source = None
            for part in " ".join(citation.split()).split("; "):
                if part == "computed":
                    continue
                found = [name for name in sources if f"{part}, ".startswith(f"{name}, ")]
                source = max(found, key=len) if found else source
                assert source is not None, (page, citation)
                section = part.removeprefix(source).removeprefix(", ")
                cited[source] += 1
                if source == "Foster, Sixty-Six" and section:
                    cited[section] += 1
                    assert section in known, (page, citation)
    assert known <= set(cited), "a section that nothing cites"
