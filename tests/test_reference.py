"""The reference implementation by itself: the rule book's worked examples and what must hold.

Names such as W66-1 are those of the worked examples in the rule book.
"""

import ast
import doctest
import itertools
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import reference
from reference import (
    State,
    deal,
    line,
    many_states,
    moves,
    parse,
    perft,
    play,
    random_state,
    result,
    sensible,
    value,
    values,
)
from reference.positions import PHASES, cards_left, is_in, random_deal
from reference.sixty_six import VARIANTS, pack

REFERENCE = Path(__file__).parent / "reference"


def after(position: str | State, words: str) -> State:
    """The state after the moves, each of them checked to be legal."""
    state = parse(position) if isinstance(position, str) else position
    for word in words.split():
        state = play(state, word)
    return state


def dotted(cards: list[str]) -> str:
    """A hand as the position line has it."""
    return ".".join(
        "".join(rank for rank in "ATKQJ9" if suit + rank in cards) for suit in ["S", "H", "D", "C"]
    )


# ---------------------------------------------------------------------------------- independence


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("**/*.py")), ids=lambda path: path.name)
def test_imports_nothing_of_the_trainer_and_no_library(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level < 2, "an import that leaves the package"
            if node.level == 0:
                imported.add(str(node.module).split(".")[0])
    assert imported <= set(sys.stdlib_module_names) - {"importlib", "runpy"}
    assert "__import__" not in text


def test_the_search_for_imports_found_the_files() -> None:
    assert {"__init__.py", "minimax.py", "positions.py", "sixty_six.py"} <= {
        path.name for path in REFERENCE.glob("**/*.py")
    }


def test_the_example_at_the_head_of_the_package() -> None:
    failures, examples = doctest.testmod(reference)
    assert failures == 0
    assert examples >= 3


# -------------------------------------------------------------------------------------- notation

LINES = [
    "foster66 S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S",
    "schnapsen S:Q.KQ.J.T N:TK.A.T.K H DKHJ 18/2-35/2 S",
    "foster66 S:..K. N:..J. H - 30~20/0-60/11 N CA",
    "foster66 S:A.J.K.T9 N:.9.TJ.AK H SQSJCQD9STHTHKHASKHQ 0/0-9/1 N undrawn won=N:DQDA,CJCQ",
    "russian66~six S:A... N:T... H DKHJ 0/0-90/5 S said=S:SD;N:C closed=S20/1 carry=1 match=3-5",
    "foster66 S:A... N:T... H - 70/6-60/5 S over=S+2",
    "foster66 S:A... N:T... H - 70/6-60/5 S carry=2 over=0",
]


@pytest.mark.parametrize("text", LINES)
def test_a_canonical_line_comes_back(text: str) -> None:
    assert line(parse(text)) == text


def test_a_line_is_read_into_its_parts() -> None:
    state = parse(
        "foster66 S:A..J.K N:..T.T H D9HQ 52~20/0-58/2 N SA undrawn"
        " won=S:S9SA;N:CKCA,CTDT said=S:SD;N:C closed=N20/1 carry=1 match=3-5"
    )
    assert state.hands == {"S": ("SA", "DJ", "CK"), "N": ("DT", "CT")}
    assert (state.trump, state.stock, state.turn, state.led) == ("H", ("D9", "HQ"), "N", "SA")
    assert state.undrawn
    assert state.card_points == {"S": 52, "N": 58}
    assert state.provisional == {"S": 20, "N": 0}
    assert state.tricks == {"S": 0, "N": 2}
    assert state.won == {"N": ("CKCA", "CTDT"), "S": ("S9SA",)}
    assert state.said == {"S": ("S", "D"), "N": ("C",)}
    assert state.closed == ("N", 20, 1)
    assert (state.carry, state.match) == (1, {"S": 3, "N": 5})
    assert result(state) is None
    assert result(parse(LINES[5])) == ("S", 2)
    assert result(parse(LINES[6])) == (None, 0)


def test_history_can_be_left_out() -> None:
    text = "foster66 S:A... N:T... H - 70/6-60/5 S said=S:S carry=1"
    assert line(parse(text), history=False) == text.replace(" said=S:S", "")


def test_tricks_are_listed_only_where_they_are_all_known() -> None:
    state = after("foster66 S:A..J. N:T..9. H - 0/0-0/0 S", "SA ST")
    assert line(state) == "foster66 S:..J. N:..9. H - 21/1-0/0 S won=S:SAST"
    state = after("foster66 S:A..J. N:T..9. H - 9/1-0/0 S", "SA ST")
    assert line(state) == "foster66 S:..J. N:..9. H - 30/2-0/0 S"


# ------------------------------------------------------------------ worked examples, Foster's game


def f1(north: str) -> str:
    """Fixture F1 with these cards for North, the rest of the unseen ones in the stock."""
    unseen = "SA SK HT HJ DK DQ D9 CT CK CQ C9"
    return fixture("S:J.AKQ.J.J", north, unseen, "H9", "13/1-32/2")


def f2(north: str) -> str:
    """Fixture F2 with these cards for North, the rest of the unseen ones in the stock."""
    unseen = "ST SJ HA HT HK HJ H9 DK DQ D9 CQ"
    return fixture("S:KQ..AJ.J9", north, unseen, "HQ", "35/2-11/1")


def fixture(south: str, north: str, unseen: str, turn_up: str, points: str) -> str:
    """A position on lead after drawing, hearts trumps, the stock in the order of `unseen`."""
    held = north.split()
    assert len(held) == 6
    assert set(held) < set(unseen.split())
    stock = "".join(card for card in unseen.split() if card not in held) + turn_up
    return f"foster66 {south} N:{dotted(held)} H {stock} {points} S"


def test_w66_1_both_have_66_and_nobody_scores() -> None:
    state = after("foster66 S:..9. N:..A. H - 68/5-61/6 N said=S:C", "DA D9")
    assert state.card_points == {"S": 68, "N": 82}
    assert result(state) == (None, 0)
    assert line(state).endswith("said=S:C over=0")


def test_w66_2_the_carry_goes_to_the_next_winner() -> None:
    state = after("foster66 S:A... N:T... H - 66/6-32/5 S carry=1", "66")
    assert result(state) == ("S", 3)
    assert line(state).endswith("carry=1 over=S+3")


def test_w66_3_count_35_close_ace_show() -> None:
    state = after(f2("SJ HA HT DQ D9 CQ"), "cl DA D9")
    assert state.card_points["S"] == 46
    state = play(state, "SKQ!")
    assert state.card_points["S"] == 66
    assert result(state) == ("S", 2)
    assert line(state).endswith("said=S:S closed=S11/1 over=S+2")


def test_w66_4_count_35_void_and_ruffed() -> None:
    closed = after(f2("ST SJ HA HT HK CQ"), "cl")
    assert max(values(closed).values()) == -2
    assert after(closed, "DA HT").turn == "N"
    not_void = after(f2("ST SJ HA HT HK D9"), "cl")
    assert values(not_void)["DA"] == max(values(not_void).values()) == 2


@pytest.mark.parametrize(("north", "game_points"), [("5/1", 2), ("0/0", 3)])
def test_w66_5_a_claim_by_closing_falls_short(north: str, game_points: int) -> None:
    start = f"foster66 S:A9.A.A.A9 N:TK.T.T.TK H D9H9 64/3-{north} S"
    assert result(after(start, "cl 66")) == ("N", game_points)


def test_w66_6_the_jack_falls_and_the_royal_marriage_is_shown() -> None:
    state = after(f1("SA SK HJ DK DQ CT"), "cl HA HJ")
    assert state.card_points["S"] == 26
    state = play(state, "HKQ!")
    assert state.card_points["S"] == 66
    assert result(state) == ("S", 2)


@pytest.mark.parametrize(("word", "count"), [("HKm", 68), ("HQm", 67)])
def test_w66_7_no_trump_so_the_marriage_must_win_its_trick(word: str, count: int) -> None:
    state = after(f1("SA SK DK D9 CT C9"), "cl HA D9")
    assert state.card_points["S"] == 24
    assert "HKQ!" not in sensible(state)
    state = play(state, word)
    assert state.card_points["S"] == 64
    state = play(state, "C9")
    assert state.card_points["S"] == count
    assert result(play(state, "66")) == ("S", 2)


def test_w66_8_without_closing_the_ten_takes_a_marriage_card() -> None:
    state = after(f1("SA HT DK D9 CT C9"), "HA D9")
    assert state.card_points["S"] == 24
    assert {"66", "HKQ!"} <= set(moves(state))
    assert {"66", "HKQ!"}.isdisjoint(sensible(state))
    state = after(state, "dr HKm HT")
    assert state.card_points == {"S": 64, "N": 46}


def test_f1_closing_wins_two_and_the_ace_does_it() -> None:
    unseen = "SA SK HT HJ DK DQ D9 CT CK CQ C9".split()
    hands = list(itertools.combinations(unseen, 6))
    assert len(hands) == 462
    for north in Random(11).sample(hands, 6):
        found = values(after(f1(" ".join(north)), "cl"))
        assert max(found.values()) == found["HA"] == 2


@pytest.mark.slow
def test_w66_9_pone_closes_with_two_aces_and_the_royal_marriage() -> None:
    """Fixture F3: how often both Aces and the show are enough, over all the hands of North."""
    south = "HK HQ SA CA DJ D9".split()
    unseen = [card for card in pack("foster66") if card not in [*south, "HJ"]]
    count: Counter[str] = Counter()
    for north in itertools.combinations(unseen, 6):
        stock = "".join(card for card in unseen if card not in north) + "HJ"
        start = f"foster66 S:{dotted(south)} N:{dotted(list(north))} H {stock} 0/0-0/0 S"
        count[cashing(after(start, "cl"))] += 1
    assert count == {"enough": 5796, "short": 4907, "ruffed": 1673}


def cashing(closed: State) -> str:
    """What comes of leading both Aces and showing, North playing as badly for South as it may."""
    outcomes = set()
    first_led = play(closed, "SA")
    for first in moves(first_led):
        second_to_lead = play(first_led, first)
        if second_to_lead.turn == "N":
            return "ruffed"
        second_led = play(second_to_lead, "CA")
        for second in moves(second_led):
            both_cashed = play(second_led, second)
            if both_cashed.turn == "N":
                return "ruffed"
            if "HKQ!" in sensible(both_cashed):
                assert result(play(both_cashed, "HKQ!")) == ("S", 3)
                outcomes.add("enough")
            else:
                outcomes.add("short")
    return "short" if "short" in outcomes else "enough"


def test_w66_10_closing_before_the_draw_catches_the_ten() -> None:
    start = "foster66 S:.AKQ.J.J N:AK.T..K9 H CTCADTDKCQSJSQSTHJH9 0/1-14/1 S undrawn"
    state = after(start, "cl HA HT HKm C9")
    assert state.card_points["S"] == 65
    state = after(state, "HQ CK")
    assert state.card_points["S"] - 4 == 68, "by trumps alone, without the King of clubs"
    assert result(play(state, "66")) == ("S", 2)


@pytest.mark.parametrize(
    ("at_closing", "now", "game_points"),
    [("0/0", "5/1", 2), ("20/1", "33/2", 1), ("0/0", "0/0", 3), ("20/1", "32/2", 2)],
)
def test_w66_11_success_is_valued_at_the_end(at_closing: str, now: str, game_points: int) -> None:
    start = f"foster66 S:A... N:T... H D9HJ 66/4-{now} S closed=S{at_closing}"
    assert result(after(start, "66")) == ("S", game_points)


def test_w66_12_a_marriage_that_never_wins_a_trick_is_nothing() -> None:
    start = "foster66 S:.KQ.J.TJ9 N:9.A9.9.AK H CQSADTDKSKSQSTSJHTDQDAHJ 0/0-0/0 S"
    state = after(start, "HQm HA")
    assert state.provisional == {"S": 40, "N": 0}
    assert state.card_points == {"S": 0, "N": 14}
    late = "foster66 S:.K.J. N:A.T.. H - 0~40/0-66/10 N said=S:H"
    assert result(after(late, "66")) == ("N", 3)


@pytest.mark.parametrize("tail", ["", " closed=N0/0", " closed=S9/1"])
@pytest.mark.parametrize(("points", "legal"), [("0/0-20/4", False), ("0/1-20/3", True)])
def test_w66_13_the_follower_exchanges_and_plays_the_turn_up(
    points: str, legal: bool, tail: str
) -> None:
    state = parse(f"foster66 S:Q9.9.J.QJ N:AK.K.T.T H CKSJDKHA {points} S HT{tail}")
    assert ("ex" in moves(state)) == legal
    if legal:
        state = play(state, "ex")
        assert (state.turn, state.led, state.stock[-1]) == ("S", "HT", "H9")
        assert "ex" not in moves(state)
        assert play(state, "HA").turn == "S"


def test_the_duty_to_follow_is_judged_after_the_exchange() -> None:
    state = parse("foster66 S:A..9. N:A.T.. D C9DQ 0/1-20/3 S DT closed=N0/0")
    assert moves(state) == ["D9", "ex"]
    assert moves(play(state, "ex")) == ["DQ"]


def test_w66_14_the_nine_drawn_as_the_last_card() -> None:
    start = "foster66 S:A.A.A.A9 N:K..K.KQJ H SQH9 40/4-20/2 S undrawn"
    state = after(start, "dr SA")
    assert (state.stock, state.hands["N"][1]) == ((), "H9")
    assert moves(state) == ["SK"]
    assert "ex" not in moves(after(state, "SK C9 CJ"))
    # The last hidden card is the Nine.
    assert "ex" not in moves(after(start.replace("SQH9", "H9SQ"), "dr"))


def test_before_the_last_draw_the_exchange_is_open_and_the_loser_draws_the_nine() -> None:
    start = "foster66 S:A.9.A.A9 N:K..K.KQJ H SQHA 40/4-20/2 S undrawn"
    state = after(start, "ex dr")
    assert "HA" in state.hands["S"]
    assert "H9" in state.hands["N"]


def test_d66_1_two_plain_marriages_one_led_one_shown() -> None:
    state = parse("foster66 S:KQ.A.KQ. N:J9.9.J9. H - 26/4-30/3 S")
    assert {"SKQ!", "DKQ!"} <= set(moves(state))
    assert {"SKQ!", "DKQ!"}.isdisjoint(sensible(state))
    assert result(play(state, "SKQ!")) == ("N", 2)
    state = play(state, "SKm")
    assert state.card_points["S"] == 46
    assert result(after(state, "S9 DKQ!")) == ("S", 2)


@pytest.mark.parametrize(
    ("loser", "game_points"), [("32/2", 2), ("33/2", 1), ("0/1", 2), ("0~40/0", 3)]
)
def test_d66_2_schneider_and_schwarz(loser: str, game_points: int) -> None:
    start = f"foster66 S:A... N:T... H - 66/5-{loser} S"
    assert result(after(start, "66")) == ("S", game_points)


def test_d66_3_neither_has_66_only_at_65_all() -> None:
    state = after("foster66 S:..9. N:..A. H - 65/5-44/6 N", "DA D9")
    assert state.card_points == {"S": 65, "N": 65}
    assert result(state) == (None, 0)
    for seed in range(150):
        last = play_out(deal("foster66", Random(seed)), Random(seed), leave_out="66 cl m !")[-1]
        points = sorted(last.card_points.values())
        assert sum(points) == 130
        assert points[1] >= 66 or points == [65, 65]
        assert (result(last) == (None, 0)) == (points == [65, 65])


def test_d66_4_no_ten_for_the_last_trick_of_a_closed_hand() -> None:
    state = after("foster66 S:A... N:9... H D9HJ 54/4-20/2 S closed=S20/2", "SA S9")
    assert state.card_points == {"S": 65, "N": 20}
    assert result(state) == ("N", 2)
    state = after("foster66 S:A... N:9... H - 54/6-45/5 S", "SA S9")
    assert state.card_points == {"S": 75, "N": 45}
    assert result(state) == ("S", 1)


@pytest.mark.parametrize("words", ["66", "SA S9 66", "SA S9 SK ST"])
def test_d66_5_closing_before_the_first_lead_and_failing_costs_three(words: str) -> None:
    start = "foster66 S:AK.KQ.J9. N:T9.A9.A.A H CQCJDTDKSQSJHTDQCTCKC9HJ 0/0-0/0 S"
    state = after(start, "cl " + words)
    assert state.closed == ("S", 0, 0)
    if "66" not in words:
        state = after(state, "CA DJ HA HQ DA D9")
        while state.over is None:
            state = play(state, next(word for word in moves(state) if word != "66"))
    assert result(state) == ("N", 3)


def test_d66_6_a_trick_makes_the_first_marriage_good() -> None:
    start = "foster66 S:.KQ.J.TJ9 N:9.A9.9.AK H CQSADTDKSKSQSTSJHTDQDAHJ 0/0-0/0 S"
    with_it = after(start, "HKm H9")
    assert with_it.card_points["S"] == 44
    lost = after(start, "HKm HA")
    assert lost.card_points["S"] == 0
    assert lost.provisional["S"] == 40
    later = after(lost, "dr D9 DJ")
    assert later.card_points["S"] == 42
    assert later.provisional["S"] == 0


# ------------------------------------------------------------------------- Foster's rulings, moves


def test_the_first_lead_offers_closing_marriages_and_even_a_false_claim() -> None:
    start = "foster66 S:.KQ9.J.TJ N:9.A.Q9.AK H CQSADTDKSKSQSTSJHTDADKHJ 0/0-0/0 S"
    assert moves(parse(start)) == sorted("66 cl HK HKm HQ HQm H9 DJ CT CJ".split())
    assert result(after(start, "66")) == ("N", 3)


def test_won_but_not_drawn() -> None:
    start = "foster66 S:.KQ9.J.T N:9.A.9.AK H CQSADTDKSKSQSTSJHTHJ 20/1-11/1 S undrawn"
    assert moves(parse(start)) == ["66", "HKQ!", "cl", "dr", "ex"]
    drawn = after(start, "dr")
    assert drawn.hands["S"] == ("HK", "HQ", "H9", "DJ", "CT", "CQ")
    assert drawn.hands["N"] == ("SA", "S9", "HA", "D9", "CA", "CK")
    assert drawn.stock[0] == "DT"
    assert moves(drawn) == sorted("66 HKQ! cl ex HK HKm HQ HQm H9 DJ CT CQ".split())
    closed = after(start, "cl")
    assert len(closed.hands["S"]) == len(closed.hands["N"]) == 5
    assert moves(closed) == sorted("66 HKQ! ex HK HKm HQ HQm H9 DJ CT".split())
    assert after(closed, "CT CA").undrawn is False


@pytest.mark.parametrize(
    ("stock", "tail", "legal"),
    [
        ("D9HJ", "", True),
        ("D9HJ", "undrawn", True),
        ("-", "", False),
        ("D9HJ", "closed=S0/0", False),
    ],
)
def test_closing_takes_an_open_stock_with_a_hidden_card(stock: str, tail: str, legal: bool) -> None:
    state = parse(f"foster66 S:A.A.A.A9 N:T.T.T.TK H {stock} 20/3-20/3 S {tail}")
    assert ("cl" in moves(state)) == legal


def test_the_follower_can_neither_claim_nor_close_nor_show() -> None:
    state = parse("foster66 S:AKQ.A..A9 N:T.T.T.TK H D9HJ 66/3-20/3 S DK")
    assert moves(state) == sorted("SA SK SQ HA CA C9".split())


def test_a_move_that_is_not_legal_is_refused() -> None:
    start = "foster66 S:A..J.K N:..AT.T H - 52/6-58/2 S"
    for word in ["dr", "cl", "ex", "DA", "SKm", "SKQ!", "", "sa"]:
        with pytest.raises(ValueError, match="not legal"):
            play(parse(start), word)
    over = after(start, "66")
    assert moves(over) == []
    with pytest.raises(ValueError, match="not legal"):
        play(over, "SA")


# ------------------------------------------------------------------------ Foster's rulings, scoring


@pytest.mark.parametrize(
    ("south", "north", "at_closing", "outcome"),
    [
        (55, 40, "20/2", ("S", 1)),
        (55, 20, "20/2", ("S", 2)),
        (55, 66, "20/2", (None, 0)),
        (54, 66, "20/2", ("N", 2)),
        (54, 20, "20/2", ("N", 2)),
        (54, 66, "0/0", ("N", 3)),
    ],
)
def test_a_closed_hand_that_nobody_announces_is_counted(
    south: int, north: int, at_closing: str, outcome: tuple[str | None, int]
) -> None:
    start = f"foster66 S:A... N:9... H D9HJ {south}/4-{north}/2 S closed=S{at_closing}"
    assert result(after(start, "SA S9")) == outcome


@pytest.mark.parametrize(
    ("points", "tail", "outcome"),
    [
        ("66/4-40/2", "closed=N20/1", ("S", 2)),
        ("66/4-60/2", "closed=N0/0", ("S", 3)),
        ("65/4-40/2", "closed=N20/1", ("N", 2)),
        ("65/4-0/0", "closed=N20/1", ("N", 3)),
        ("65/4-40/2", "closed=S0/0", ("N", 3)),
        ("65/4-0/0", "closed=S20/1", ("N", 2)),
        ("65/4-40/2", "", ("N", 2)),
        ("65/4-0/0", "", ("N", 3)),
    ],
)
def test_claims(points: str, tail: str, outcome: tuple[str, int]) -> None:
    assert result(after(f"foster66 S:A... N:9... H D9HJ {points} S {tail}", "66")) == outcome


@pytest.mark.parametrize(("south", "made"), [(65, False), (66, True)])
def test_sixty_six_is_enough_and_sixty_five_is_no_sensible_claim(south: int, made: bool) -> None:
    said = f"foster66 S:A... N:9... H - {south}/4-20/2 S"
    assert ("66" in sensible(parse(said))) == made
    assert (result(after(said, "66")) == ("S", 2)) == made
    shown = f"foster66 S:.KQ.. N:9... H - {south - 40}/4-20/2 S"
    assert ("HKQ!" in sensible(parse(shown))) == made
    assert (result(after(shown, "HKQ!")) == ("S", 2)) == made


@pytest.mark.parametrize(
    ("tail", "game_points"),
    [
        ("carry=2", 4),
        ("match=0-6", 2),
        ("match=6-0", 1),
        ("carry=1 match=5-0", 2),
        ("carry=1 match=4-0", 3),
        ("carry=1 match=0-6", 3),
    ],
)
def test_carry_and_the_end_of_the_match(tail: str, game_points: int) -> None:
    start = f"foster66 S:A... N:9... H - 66/4-20/2 S {tail}"
    assert result(after(start, "66")) == ("S", game_points)


@pytest.mark.parametrize("tail", ["carry=1", "match=0-6", "carry=1 match=0-6"])
def test_the_carry_is_paid_for_a_failed_close_too(tail: str) -> None:
    start = f"foster66 S:A... N:9... H D9HJ 40/4-40/2 S closed=S20/2 {tail}"
    expected = {"carry=1": 3, "match=0-6": 1, "carry=1 match=0-6": 1}[tail]
    assert result(after(start, "SA S9")) == ("N", expected)


# ---------------------------------------------------------------------- the other games' own rules


@pytest.mark.parametrize(
    ("led", "held", "foster", "russian", "strict"),
    [
        pytest.param("SK", "SA SJ HT", "SA SJ", "SA SJ", "SA", id="DLG-1"),
        pytest.param("SK", "SJ HT DA", "SJ", "SJ", "SJ", id="DLG-2"),
        pytest.param("SK", "HJ DA", "HJ DA", "HJ", "HJ", id="DLG-3"),
        pytest.param("HQ", "HK HJ CA", "HK HJ", "HK HJ", "HK", id="DLG-4"),
        pytest.param("SK", "ST SQ", "ST SQ", "ST SQ", "ST", id="DLG-5"),
    ],
)
def test_what_the_follower_may_play(
    led: str, held: str, foster: str, russian: str, strict: str
) -> None:
    expected = {"foster66": foster, "russian66": russian, "schnapsen": strict, "german66": strict}
    for variant, cards in expected.items():
        hand = dotted(held.split())
        gone = parse(f"{variant} S:{hand} N:... H - 40/3-40/3 S {led}")
        assert moves(gone) == sorted(cards.split())
        closed = parse(f"{variant} S:{hand} N:... H CJHT 40/3-40/3 S {led} closed=N40/3")
        assert moves(closed) == sorted(cards.split())
        still_open = parse(f"{variant} S:{hand} N:... H CJHT 40/3-40/3 S {led}")
        assert moves(still_open) == sorted(held.split())


def test_wru_1_to_4_one_deal() -> None:
    start = "russian66 S:.TKQ.K.KQ N:QJ9..J9.A H SASTSKHAH9DADTDQCTCJC9HJ 0/0-0/0 S"
    state = after(start, "DK DJ")
    assert state.card_points["S"] == 6  # WRU-1
    state = after(state, "dr CQm CA")
    assert state.card_points["S"] == 26  # WRU-2
    state = after(state, "dr S9 HT")
    assert state.card_points["S"] == 36  # WRU-3
    state = after(state, "dr HKQ!")
    assert state.card_points["S"] == 76  # WRU-4
    assert result(state) == ("S", 2)


@pytest.mark.parametrize(("card", "gained"), [("DA", 21), ("H9", 10)])
def test_wru_5_a_plain_ten_taken_with_the_ace_or_the_nine_of_trumps(card: str, gained: int) -> None:
    state = after("russian66 S:.9.A. N:K... H CJHT 0/1-0/1 S DT", card)
    assert state.card_points == {"S": gained, "N": 0}


def test_wru_6_what_beats_a_queen() -> None:
    for card in pack("russian66"):
        if card != "DQ":
            state = after(f"russian66 S:{dotted([card])} N:K... H CJHT 0/1-0/1 S DQ", card)
            assert (state.turn == "S") == (card in ["DK", "DT", "DA"] or card[0] == "H")


def test_wru_7_the_ace_of_trumps_must_be_spent_on_a_nine() -> None:
    assert moves(parse("russian66 S:.A.K.T N:K... H - 0/1-0/1 S S9")) == ["HA"]


@pytest.mark.parametrize(("loser", "game_points"), [("32/2", 2), ("33/2", 1), ("0/2", 3)])
def test_wru_8_schwarz_is_by_points(loser: str, game_points: int) -> None:
    start = f"russian66 S:A... N:T... H - 66/5-{loser} S"
    assert result(after(start, "66")) == ("S", game_points)


@pytest.mark.parametrize(
    ("variant", "closer", "at_closing", "game_points"),
    [
        pytest.param("russian66", "40/3", "40/2", 2, id="WRU-9, DRU-1"),
        pytest.param("russian66", "20/2", "40/2", 4, id="DRU-1"),
        pytest.param("russian66", "0/0", "40/2", 6, id="WRU-10, DRU-1"),
        pytest.param("russian66~six", "40/3", "0/0", 6, id="WRU-11"),
        pytest.param("russian66", "40/3", "0/0", 2, id="WRU-11 without the agreement"),
        pytest.param("russian66~six", "40/3", "20/1", 2, id="the agreement, but with a trick"),
    ],
)
def test_the_russian_closer_loses_double(
    variant: str, closer: str, at_closing: str, game_points: int
) -> None:
    start = f"{variant} S:9... N:A... H D9HJ {closer}-50/3 N closed=S{at_closing}"
    assert result(after(start, "SA S9")) == ("N", game_points)
    start = f"{variant} S:9... N:A... H D9HJ {closer}-66/3 N closed=S{at_closing}"
    assert result(after(start, "66")) == ("N", game_points)


def test_wru_12_both_have_66() -> None:
    assert result(after("russian66 S:9... N:A... H - 68/5-61/6 N", "SA S9")) == (None, 0)


@pytest.mark.parametrize(
    ("variant", "position", "words", "outcome"),
    [
        pytest.param(variant, position, words, outcome, id=f"{name} {variant}")
        for name, position, words, outcomes in [
            ("WSC-1", "S:A... N:T... H DJHK 70/3-20/2 S closed=S0/0", "66", ["S+3", "S+2"]),
            ("WSC-2", "S:A... N:J... H DJHK 50/3-20/2 S closed=S0/0", "SA SJ", ["N+3", "N+3"]),
            ("WSC-3", "S:A... N:J... H - 50/3-0/0 S", "66", ["N+3", "N+2"]),
            ("closer", "S:A... N:J... H DJHK 50/3-0/0 S closed=S0/0", "66", ["N+3", "N+2"]),
            ("beaten", "S:A... N:J... H DJHK 66/3-50/3 S closed=N0/0", "66", ["S+3", "S+2"]),
            ("WSC-4", "S:A... N:J... H - 17/3-90/6 S", "SA SJ", ["S+1", "N+1"]),
            ("WSC-5", "S:A... N:J... H - 42/3-65/6 S", "SA SJ", ["S+1", "0"]),
        ]
        for variant, outcome in zip(["schnapsen", "german66"], outcomes, strict=True)
    ],
)
def test_schnapsen_and_modern_sixty_six(
    variant: str, position: str, words: str, outcome: str
) -> None:
    assert line(after(f"{variant} {position}", words)).endswith(f"over={outcome}")


def test_the_closer_at_schnapsen_must_win_the_last_trick() -> None:
    start = "schnapsen S:J... N:A... H DJHK 70/3-30/1 N closed=S20/1"
    assert result(after(start, "SA SJ")) == ("N", 2)
    start = "schnapsen S:A... N:J... H DJHK 55/3-30/1 S closed=S20/1"
    assert result(after(start, "SA SJ")) == ("S", 2)


def test_exchange_closing_and_marriages_at_the_other_games() -> None:
    def words(variant: str, tail: str) -> set[str]:
        low = "J" if variant == "schnapsen" else "9"
        state = parse(f"{variant} S:KQ.{low}.A. N:TA.A.T. H CKCQDKHT {tail}")
        return set(moves(state)) & {"ex", "cl", "SKm", "SKQ!", "dr"}

    undrawn = "20/1-20/1 S undrawn"
    drawn = "20/1-20/1 S"
    without_a_trick = "0/0-20/2 S"
    by_south = "20/1-20/1 S closed=S20/1"
    by_north = "20/1-20/1 S closed=N20/1"
    following = "20/1-20/1 S DT"
    assert words("foster66", undrawn) == {"ex", "cl", "dr", "SKQ!"}
    assert words("russian66", undrawn) == {"ex", "cl", "dr"}
    assert words("german66", undrawn) == {"ex", "cl", "dr"}
    assert words("schnapsen", undrawn) == {"dr"}
    for variant in VARIANTS:
        assert words(variant, drawn) == {"ex", "cl", "SKm", "SKQ!"}
    for variant in ["foster66", "russian66", "german66"]:
        assert words(variant, without_a_trick) == {"cl", "SKm"}
    assert words("schnapsen", without_a_trick) == {"ex", "cl", "SKm"}
    assert words("foster66", by_south) == words("foster66", by_north) == {"ex", "SKm", "SKQ!"}
    assert words("russian66", by_south) == words("russian66", by_north) == {"SKm", "SKQ!"}
    assert words("schnapsen", by_south) == words("schnapsen", by_north) == {"SKm", "SKQ!"}
    assert words("german66", by_south) == set()
    assert words("german66", by_north) == {"ex"}
    assert words("foster66", following) == {"ex"}
    for variant in ["russian66", "german66", "schnapsen"]:
        assert words(variant, following) == set()


# ------------------------------------------------------------------------------- what must hold


def play_out(state: State, rng: Random, leave_out: str = "") -> list[State]:
    """The states of a deal played on at random, without the words that end so."""
    endings = tuple(leave_out.split())
    states = [state]
    while states[-1].over is None:
        words = [word for word in moves(states[-1]) if not (endings and word.endswith(endings))]
        states.append(play(states[-1], rng.choice(words)))
    return states


def cards_everywhere(state: State) -> list[str]:
    """All cards of the position, sorted, wherever they lie."""
    assert state.won is not None
    cards = [*state.hands["S"], *state.hands["N"], *state.stock]
    cards += [card for side in "SN" for trick in state.won[side] for card in (trick[:2], trick[2:])]
    return sorted([*cards, state.led] if state.led else cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_deals_keep_cards_points_and_lines(variant: str) -> None:
    rules = VARIANTS[variant]
    assert sum(4 * points for points in rules["card_points"].values()) == 120
    endings: Counter[str] = Counter()
    for seed in range(120):
        rng = Random(seed)
        # Half of the deals are played to the last card, the others may end at any time.
        leave_out = "66 !" if seed % 2 else ""
        pone = "SN"[seed // 2 % 2]
        start = deal(variant, rng, pone=pone)
        assert (start.turn, start.tricks) == (pone, {"S": 0, "N": 0})
        for state in play_out(start, rng, leave_out):
            assert cards_everywhere(state) == sorted(pack(variant))
            assert parse(line(state)) == state
            assert state.won is not None
            assert state.said is not None
            played_out = not state.hands["S"] and not state.hands["N"]
            for side in "SN":
                tricks = state.won[side]
                counted = sum(
                    rules["card_points"][rank] for trick in tricks for rank in trick[1::2]
                )
                counted += sum(40 if suit == state.trump else 20 for suit in state.said[side])
                ten = state.closed is None or rules["last_trick_when_closed"]
                if ten and played_out and state.turn == side:
                    counted += rules["last_trick"]
                assert state.card_points[side] + state.provisional[side] == counted
                assert state.tricks[side] == len(tricks)
                if tricks:
                    assert state.provisional[side] == 0
            if not state.led:
                assert len(state.hands["S"]) == len(state.hands["N"])
        assert result(state) is not None
        endings[str(result(state))] += 1
    assert len(endings) >= 4


def test_the_turn_up_is_the_last_card_and_makes_trumps() -> None:
    for variant, hand, stock in [("foster66", 6, 12), ("schnapsen", 5, 10)]:
        state = deal(variant, Random(3), pone="N")
        assert [len(state.hands[side]) for side in "SN"] == [hand, hand]
        assert len(state.stock) == stock
        assert state.stock[-1][0] == state.trump
        assert state.turn == "N"
    assert deal("foster66", Random(1)) == deal("foster66", Random(1))
    assert deal("foster66", Random(1)) != deal("foster66", Random(2))


def test_the_value_of_every_lead_worked_out_by_hand() -> None:
    start = "foster66 S:A..KQ. N:9..9.9 H - 40/4-62/5 S"
    found = values(parse(start))
    assert sorted(found) == ["DK", "DKm", "DQ", "DQm", "SA"]
    # 60 at once, and the card led wins and brings 63 or 64; the Ace is then enough.
    assert found["DKm"] == found["DQm"] == 1
    # The Ace first is as good: 51, then 71 shown.
    assert found["SA"] == 1
    # Undeclared, the pair is broken: 4, 3, 11 and 10 for the last trick still make 68.
    assert found["DK"] == found["DQ"] == 1
    # With three points less they make 65 against 65, and nobody scores.
    poorer = values(parse(start.replace("40/4-62/5", "37/4-65/5")))
    assert poorer == {"DK": 0, "DKm": 1, "DQ": 0, "DQm": 1, "SA": 1}


def worked_out(state: State) -> int:
    """The value once more, by public words alone and without remembering anything."""
    outcome = result(state)
    if outcome is not None:
        winner, game_points = outcome
        return game_points if winner == state.turn else -game_points
    found = []
    for word in sensible(state):
        then = play(state, word)
        found.append(worked_out(then) * (1 if then.turn == state.turn else -1))
    return max(found)


@pytest.mark.parametrize("phase", ["following", "closed", "gone", "provisional"])
def test_what_is_remembered_does_not_change_the_value(phase: str) -> None:
    rng = Random(5)
    for _ in range(40):
        state = random_state("foster66", rng, phase, 3)
        assert value(state) == worked_out(state) == max(values(state).values())


def test_nor_in_small_games_with_an_open_stock() -> None:
    """Two suits, hands of two or three cards and a stock of two, as no real deal has them."""
    rng = Random(6)
    for _ in range(150):
        cards = rng.sample([card for card in pack("foster66") if card[0] in "HS"], 8)
        size = rng.choice([2, 2, 3])
        hands = [dotted(cards[:size]), dotted(cards[size : 2 * size])]
        counts = [rng.choice(["0/0", f"{rng.randrange(10, 66)}/2"]) for _ in "SN"]
        stock = "".join(cards[-2:])
        start = f"foster66 S:{hands[0]} N:{hands[1]} {stock[-2]} {stock} {'-'.join(counts)} S"
        state = parse(start)
        assert value(state) == worked_out(state), start


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("phase", PHASES)
def test_random_states_are_of_the_phase_and_reachable(variant: str, phase: str) -> None:
    rng = Random(8)
    size = VARIANTS[variant]["hand"] + 2
    cards = size if phase in ["open", "undrawn"] else 4
    for _ in range(15):
        state = random_state(variant, rng, phase, cards)
        assert is_in(phase, state)
        assert cards - 1 <= cards_left(state) <= cards
        assert cards_everywhere(state) == sorted(pack(variant))
        assert sensible(state)
        assert set(sensible(state)) <= set(moves(state))


def test_a_mixture_of_states_has_what_is_wanted() -> None:
    states = list(many_states("foster66", Random(2), 1500))
    assert abs(len(states) - 1500) < 20
    assert {phase for phase, _ in states} == set(PHASES)
    assert len({line(state) for _, state in states}) > 1480
    for word in ["ex", "66", "SKm", "HKQ!"]:
        assert any(word in sensible(state) for _, state in states)
    assert any("ex" in moves(state) and state.led for _, state in states)
    assert any("cl" in moves(state) and state.undrawn for _, state in states)
    assert any(state.carry for _, state in states)
    assert any(state.match for _, state in states)


def test_random_deals_are_closed_by_both_sides_at_all_times() -> None:
    rng = Random(4)
    closings = set()
    for _ in range(400):
        states = random_deal("foster66", rng, "closed")
        for before, then in itertools.pairwise(states):
            if before.closed is None and then.closed is not None:
                closings.add((then.closed[0], sum(then.tricks.values()), before.undrawn))
    sides = {(side, tricks) for side, tricks, undrawn in closings if not undrawn}
    assert sides == set(itertools.product("SN", range(6)))
    sides = {(side, tricks) for side, tricks, undrawn in closings if undrawn}
    assert sides == set(itertools.product("SN", range(1, 7)))


def test_counting_positions() -> None:
    # 66, SA, DJ; two replies to each card and none to the claim; 66 or the last card; the reply.
    state = parse("foster66 S:A..J. N:..AT. H - 52/6-58/4 S")
    assert [perft(state, depth) for depth in range(6)] == [1, 3, 4, 8, 4, 0]
