"""The rules of the Sixty-Six family: the worked examples of the rule book, and what must hold.

Names such as W66-1 are those of the examples in book/rules/examples.md, names such as R66-void
those of the rulings in book/rules/how_settled.md. The boxes of the book are played in
test_book.py; here are its claims.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from tables import F1, F2, after, at_random, card, cards, scored, with_north, words
from trainer.notation import (
    format_move,
    format_position,
    format_record,
    parse_move,
    parse_position,
    parse_record,
    parse_view,
)
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Closing,
    IllegalMove,
    Position,
    card_code,
    cards_in,
    deal,
    hand_of,
    legal_moves,
    play,
    reply_wins,
    variant_named,
)
from trainer.rules.cards import SUITS
from trainer.rules.play import is_false_claim
from trainer.rules.position import CLAIM, CLOSE, SIDES

TESTS = Path(__file__).parent
FOSTER = VARIANTS["foster66"]


def f1(north: str) -> Position:
    """Fixture F1 with these cards for North."""
    return with_north(parse_view(F1), north)


def f2(north: str) -> Position:
    """Fixture F2 with these cards for North."""
    return with_north(parse_view(F2), north)


# ------------------------------------------------------------------- worked examples, Foster's game


def test_w66_1_both_have_66_and_nobody_has_announced() -> None:
    record = parse_record(golden("nobody_announces")[0])
    *_, before, last = record.positions()
    assert FOSTER.hand_value(hand_of(c for trick in last.won[SOUTH] for c in trick)) == 48
    assert FOSTER.hand_value(hand_of(c for trick in last.won[NORTH] for c in trick)) == 72
    assert last.said == (1 << SUITS.index("C"), 0)
    assert last.trump != SUITS.index("C")
    assert before.card_points[NORTH] < 72
    assert last.card_points == (48 + 20, 72 + 10)
    assert sum(last.tricks) == 12
    assert scored(last) == (None, 0)


def test_w66_2_a_point_is_carried_to_the_next_winner() -> None:
    start = replace(f2("SJ HA HT DQ D9 CQ"), carry=1)
    assert scored(after(start, "cl DA D9 SKQ!")) == ("S", 3)


# Ruling R66-carry: one for each tied deal, and a failed close is paid with it too.
@pytest.mark.parametrize(("carry", "outcome"), [(0, ("N", 2)), (1, ("N", 3)), (2, ("N", 4))])
def test_w66_2_what_is_carried_is_paid_for_a_failed_close(
    carry: int, outcome: tuple[str, int]
) -> None:
    start = replace(f2("SJ HA HT DQ D9 CQ"), carry=carry)
    assert scored(after(start, "cl DA D9 66")) == outcome


def test_w66_3_count_35_close_the_ace_and_show() -> None:
    position = after(f2("SJ HA HT DQ D9 CQ"), "cl DA D9")
    assert position.card_points == (46, 11)
    position = after(position, "SKQ!")
    assert position.card_points == (66, 11)
    assert scored(position) == ("S", 2)


def test_w66_4_count_35_the_ace_is_ruffed() -> None:
    position = after(f2("ST SJ HA HT HJ CQ"), "cl DA HJ")
    assert position.card_points == (35, 24)
    assert position.turn == NORTH
    # Ruling R66-closed-unclaimed: nobody announces, and the closer is short.
    position = after(position, "HA C9 HT CJ ST SQ SJ SK DJ CQ")
    assert position.card_points == (46, 60)
    assert scored(position) == ("N", 2)


@pytest.mark.parametrize(
    ("start", "game_points"),
    [
        (
            "foster66 S:T.TQ.J.J N:KQJ.J.T. H H9DKCACKCQHA 65/3-14/1 S undrawn"
            " won=S:HKS9,SAD9,C9CT;N:DQDA said=S:H",
            2,
        ),
        (
            "foster66 S:T.Q.QJ.J N:QJ.J.T.Q H SKHTH9DADKCACKHA 65/3-0/0 S undrawn"
            " won=S:HKS9,SAD9,CTC9 said=S:H",
            3,
        ),
    ],
    ids=["two_with_a_trick", "three_without"],
)
def test_w66_5_an_announcement_by_closing_falls_short(start: str, game_points: int) -> None:
    assert scored(after(start, "cl 66")) == ("N", game_points)


def test_w66_6_the_jack_falls_and_the_royal_marriage_is_shown() -> None:
    position = after(f1("SA HJ DK CT CQ C9"), "cl HA HJ")
    assert position.card_points == (26, 32)
    position = after(position, "HKQ!")
    assert position.card_points == (66, 32)
    assert scored(position) == ("S", 2)


@pytest.mark.parametrize(("led", "count"), [("HKm", 68), ("HQm", 67)])
def test_w66_7_nothing_falls_and_the_marriage_is_led(led: str, count: int) -> None:
    position = after(f1("SA SK DK D9 CT C9"), "cl HA D9")
    assert position.card_points == (24, 32)
    assert scored(after(position, "HKQ!"))[0] == "N", "24 and 40 are only 64"
    position = after(position, led)
    assert position.card_points == (64, 32)
    position = after(position, "C9")
    assert position.card_points == (count, 32)
    assert scored(after(position, "66")) == ("S", 2)


def test_w66_8_without_closing_the_ten_takes_a_marriage_card() -> None:
    position = after(f1("SA HT DK D9 CT C9"), "HA D9")
    assert position.card_points == (24, 32)
    assert position.undrawn
    assert is_false_claim(position, parse_move(position, "HKQ!")), "24 and 40 are only 64"
    position = after(position, "dr HKm HT")
    assert position.card_points == (64, 46)
    assert position.turn == NORTH
    assert position.card_points[NORTH] >= FOSTER.schneider


W66_9 = "foster66 S:A.KQ.J9.A N:{} H {} 0/0-0/0 S"


def test_w66_9_pone_closes_for_schwarz_before_the_first_lead() -> None:
    # Ruling R66-close-first-lead: pone may.
    start = W66_9.format("J.AT.AK.J", "STSKSQS9H9DTDQCTCKCQC9HJ")
    position = after(start, "cl SA SJ CA CJ")
    assert position.card_points == (22 + 4, 0)
    position = after(position, "HKQ!")
    assert position.card_points == (66, 0)
    assert scored(position) == ("S", 3)


def test_w66_10_closing_before_the_draw_catches_the_ten() -> None:
    start = (
        "foster66 S:KJ.AKQ.. N:TQ.T.K.K H D9CTSAS9HJDTDJCACQH9 2/1-14/1 S undrawn won=S:C9CJ;N:DQDA"
    )
    position = after(start, "cl")
    assert [hand.bit_count() for hand in position.hands] == [5, 5]
    assert not position.undrawn
    position = after(position, "HA HT HKm SQ HQ CK")
    assert "HT" not in words(position)
    by_trumps = position.card_points[SOUTH] - 2 - 3 - 4  # less 2 before, and North's SQ and CK
    assert by_trumps == 11 + 10 + 40 + 4 + 3 == 68
    assert scored(after(start, "cl HA HT HKm SQ 66")) == ("S", 2)


def test_w66_11_a_close_for_schwarz_and_north_gets_a_trick() -> None:
    start = W66_9.format("QJ.A.TK.9", "STSKS9HTH9DADQCTCKCQCJHJ")
    position = after(start, "cl SA SQ CA C9 HQm HA SJ HK")
    assert position.closed == Closing(SOUTH, 0, 0)
    assert position.tricks[NORTH] == 1
    assert scored(after(position, "66")) == ("S", 2)


def test_w66_11_a_close_for_schneider_and_north_reaches_33() -> None:
    position = after(f1("SA SK DK CT CQ C9"), "cl SJ SK SA HA")
    assert position.closed == Closing(SOUTH, 32, 2)
    assert position.card_points == (35, 38)
    assert scored(after(position, "HKQ!")) == ("S", 1)


def test_w66_12_a_marriage_and_never_a_trick() -> None:
    start = "foster66 S:KQ9..J9.9 N:A.AKQ.T.K H STSJHTHJDADKDQCACTCQCJH9 0/0-0/0 S"
    position = after(start, "SKm SA dr HA D9 dr")
    assert position.card_points == (0, 26)
    assert position.provisional == (20, 0)
    assert scored(after(position, "HKQ!")) == ("N", 3)


FOLLOWING = "foster66 S:K9.9..QJ9 N:AT.J.K.K H HTHKHQDQCAHA 16/2-12/1 S CT"
FOLLOWING_TRICKLESS = "foster66 S:KQ9.9..Q9 N:J.J.TK.K H STCJSAHTHKHQDQD9CAHA 0/0-13/1 S CT"


def test_w66_13_the_follower_exchanges_and_plays_the_turn_up() -> None:
    # Ruling R66-exchange-follower: the exchange is a move by itself.
    position = after(FOLLOWING, "ex")
    assert position.turn == SOUTH
    assert position.led == card("CT")
    assert position.stock[-1] == card("H9")
    assert "ex" not in words(position)
    position = after(position, "HA")
    assert position.turn == SOUTH
    assert position.card_points == (16 + 10 + 11, 12)


def test_w66_13_not_without_a_trick() -> None:
    # Ruling R66-exchange-trick.
    assert "ex" not in words(parse_position(FOLLOWING_TRICKLESS))
    with pytest.raises(IllegalMove, match="must win a trick before exchanging"):
        after(FOLLOWING_TRICKLESS, "ex")


def test_w66_13_the_duty_to_follow_is_judged_after_the_exchange() -> None:
    # Ruling R66-exchange-follower.
    start = (
        "foster66 S:.T..TK N:9.K.Q.J S SQSJH9HJCQCASKSA 13/1-48/3 N ST"
        " won=S:DJDA;N:HAD9,DTC9,HQDK said=N:H closed=N0/0"
    )
    assert words(parse_position(start)) == {"S9", "ex"}
    assert words(after(start, "ex")) == {"SA"}


def test_w66_14_the_nine_as_the_last_card() -> None:
    start = "foster66 S:9..AKQ.K N:T.KJ..AT H H9HQ 5/1-53/5 S undrawn"
    position = after(start, "dr")
    assert position.stock == ()
    assert position.hands[SOUTH] & cards("H9")
    assert "ex" not in words(position)


def test_w66_14_before_the_last_draw_it_may_be_exchanged() -> None:
    # Ruling R66-exchange-end; by R66-last-draw the loser of the trick gets the turn-up.
    position = after("foster66 S:KJ9.9.9. N:.K.ATQ.Q H C9HT 18/2-55/4 S undrawn", "ex dr")
    assert position.hands[SOUTH] & cards("HT C9") == cards("HT C9")
    assert position.hands[NORTH] & cards("H9")
    assert "ex" not in words(after(position, "HT H9"))


D66_1 = "foster66 S:TKQ..AKQ. N:AJ9.J.T9. H HTHKHQH9DJCKC9HA 26/2-0/0 S won=S:CACJ,CTCQ"


def test_d66_1_of_two_marriages_one_is_led_and_the_other_shown() -> None:
    position = after(D66_1, "SKm")
    assert position.card_points[SOUTH] == 46
    position = after(position, "SJ dr DKQ!")
    assert position.card_points[SOUTH] == 26 + 20 + 4 + 2 + 20
    assert scored(position) == ("S", 3)
    # The broken pair is no marriage any more.
    assert not {"SKQ!", "SQm", "SKm"} & words(after(D66_1, "SKm SJ dr"))


def test_d66_1_showing_at_46_is_a_false_claim() -> None:
    # Ruling R66-short-show.
    position = after(D66_1, "SKQ!")
    assert position.card_points[SOUTH] == 46
    assert scored(position) == ("N", 3)


@pytest.mark.parametrize(
    ("start", "game_points"),
    [
        ("foster66 S:A.Q.Q.AJ9 N:TJ.AT.K9. H DAH9 70/3-32/2 S said=S:H;N:C", 2),
        ("foster66 S:AKJ..AQ.J N:Q.J.KJ.T9 H CKH9 69/3-33/2 S said=S:H", 1),
    ],
    ids=["32", "33"],
)
def test_d66_2_schneider_is_below_33(start: str, game_points: int) -> None:
    assert scored(after(start, "66")) == ("S", game_points)


def test_d66_3_neither_has_66_only_at_65_all() -> None:
    start = "foster66 S:J..T. N:9...A C - 53/5-44/5 N"
    position = after(start, "CA DT S9 SJ")
    assert position.card_points == (65, 65)
    assert scored(position) == (None, 0)
    ties = 0
    for seed in range(300):
        last = at_random(deal(FOSTER, Random(seed)), Random(seed), without="66 cl m !")[-1]
        assert sum(last.card_points) == 130
        level = max(last.card_points) < 66
        ties += level
        assert level == (last.card_points == (65, 65)) == (scored(last) == (None, 0))
    assert ties


def test_d66_4_no_ten_for_the_last_trick_of_a_closed_hand() -> None:
    start = "foster66 S:K... N:J... S DKD9CQHASADAC9S9 52/4-22/3 N closed=S10/2"
    position = after(start, "SJ SK")
    assert position.card_points == (52 + 6, 22)
    # Ruling R66-closed-unclaimed.
    assert scored(position) == ("N", 2)


def test_d66_4_but_ten_for_the_twelfth_trick() -> None:
    position = after("foster66 S:J..T. N:9...A C - 53/5-44/5 N", "CA DT S9")
    assert after(position, "SJ").card_points == (53 + 2 + 10, 44 + 21)


def test_d66_5_a_close_before_the_first_lead_that_fails() -> None:
    # Ruling R66-short-show: the show at 65 is the failure here.
    start = W66_9.format("QJ.A.TK.9", "STSKS9HTH9DADQCTCKCQCJHJ")
    position = after(start, "cl SA SQ CA C9 HKQ!")
    assert position.card_points == (65, 0)
    assert scored(position) == ("N", 3)


def test_d66_5_it_always_costs_three() -> None:
    outcomes = set()
    for seed in range(300):
        pone = seed % 2
        start = play(deal(FOSTER, Random(seed), pone), CLOSE)
        winner, game_points = scored(at_random(start, Random(seed))[-1])
        outcomes.add((winner == SIDES[pone], game_points))
    assert {points for won, points in outcomes if not won} <= {3, 0}, "0 when both have 66"
    assert (False, 3) in outcomes
    assert (True, 1) in outcomes


def test_d66_6_the_first_trick_makes_the_marriage_good() -> None:
    start = "foster66 S:KQ9..J9.9 N:A.AKQ.T.K H STSJHTHJDADKDQCACTCQCJH9 0/0-0/0 S"
    position = after(start, "SKm")
    assert (position.card_points, position.provisional) == ((0, 0), (20, 0))
    # Ruling R66-provisional-trick: the trick to which it was led is one.
    position = after(position, "CK")
    assert (position.card_points, position.provisional) == ((20 + 4 + 4, 0), (0, 0))


def test_d66_6_a_later_trick_makes_the_marriage_good() -> None:
    start = "foster66 S:KQ9..J.A9 N:A.AKQ.T.J H STSJHTHJDADKDQD9CTCKCQH9 0/0-0/0 S"
    position = after(start, "SKm SA")
    assert (position.card_points, position.provisional) == ((0, 15), (20, 0))
    position = after(position, "dr CJ CA")
    assert (position.card_points, position.provisional) == ((20 + 2 + 11, 15), (0, 0))


# Legality, the column of Foster's game; the others are among the boxes of the book.
@pytest.mark.parametrize(
    ("start", "legal"),
    [
        pytest.param("S:AJ.T.. N:..J.J H - 44/5-45/4 S SK", "SA SJ", id="DLG-1"),
        pytest.param("S:J.T.A. N:..J.J H - 24/3-65/6 S SK", "SJ", id="DLG-2"),
        # Ruling R66-void: no duty to ruff.
        pytest.param("S:.J.A. N:...J H - 54/5-47/5 S SK", "HJ DA", id="DLG-3"),
        pytest.param("S:.KJ..A N:J..J. H - 47/4-49/5 S HQ", "HK HJ", id="DLG-4"),
        pytest.param("S:TQ... N:...J H - 51/4-50/6 S SK", "ST SQ", id="DLG-5"),
    ],
)
def test_what_the_follower_may_play(start: str, legal: str) -> None:
    position = parse_position("foster66 " + start)
    assert words(position) == set(legal.split())
    still_open = replace(position, stock=(card("D9"), card("H9")))
    assert words(still_open) == set(map(card_code, cards_in(position.hands[SOUTH])))


# -------------------------------------------------------------------------------- tricks and points


@pytest.mark.parametrize(
    ("led", "reply", "takes"),
    [
        ("SK", "ST", True),
        ("ST", "SK", False),
        ("ST", "SA", True),
        ("SA", "H9", True),
        ("SA", "DA", False),
        ("H9", "SA", False),
        ("HJ", "H9", False),
    ],
)
def test_who_wins_a_trick(led: str, reply: str, takes: bool) -> None:
    position = parse_position("foster66 S:J..T. N:9...A H - 53/5-44/5 N")
    assert reply_wins(position, card(led), card(reply)) == takes


def test_what_the_cards_count() -> None:
    counts = {code[1]: FOSTER.value(card(code)) for code in "SA ST SK SQ SJ S9".split()}
    assert counts == {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    assert FOSTER.pack.bit_count() == 24
    assert FOSTER.hand_value(FOSTER.pack) == 120


# ----------------------------------------------------------------------------------- moves on offer


def test_the_first_lead() -> None:
    # Rulings R66-close-first-lead and R66-exchange-trick.
    start = "foster66 S:KQ9.TK.A. N:AT.9.TJ.Q S DQCADKCTCJCKD9HAHJC9HQSJ 0/0-0/0 S"
    assert words(parse_position(start)) == set("SK SKm SQ SQm S9 HT HK DA cl 66".split())
    assert scored(after(start, "66")) == ("N", 3)


def test_a_trick_won_and_nothing_drawn() -> None:
    start = "foster66 S:J.J..KQ9 N:.9.TJ9.J C SAHTSTHADACTDKDQSQHKSKCA 3/1-0/0 S undrawn won=S:S9HQ"
    assert words(parse_position(start)) == {"CKQ!", "cl", "dr", "ex", "66"}
    drawn = after(start, "dr")
    assert drawn.hands == (cards("SA SJ HJ CK CQ C9"), cards("HT H9 DT DJ D9 CJ"))
    assert words(drawn) == set("SA SJ HJ CK CKm CKQ! CQ CQm C9 cl ex 66".split())
    closed = after(start, "cl")
    assert closed.hands == (cards("SJ HJ CK CQ C9"), cards("H9 DT DJ D9 CJ"))
    assert words(closed) == set("SJ HJ CK CKm CKQ! CQ CQm C9 ex 66".split())


def test_the_last_hidden_card_may_still_be_closed_on() -> None:
    # Ruling R66-close-last.
    undrawn = parse_position("foster66 S:KJ9.9.9. N:.K.ATQ.Q H C9HT 18/2-55/4 S undrawn")
    assert "cl" in words(undrawn)
    assert "cl" not in words(after(undrawn, "dr"))
    with pytest.raises(IllegalMove, match="face-down card"):
        after(undrawn, "dr cl")


@pytest.mark.parametrize("side", [SOUTH, NORTH])
def test_both_sides_may_exchange_in_a_closed_hand_with_a_trick(side: int) -> None:
    start = after(
        "foster66 S:KQ..AJ.J9 N:TJ.AT.9.Q H HKHJH9DKDQHQ 35/2-11/1 S won=S:CKCA,CTDT;N:S9SA", "cl"
    )
    nine, other = cards("H9"), cards("CQ" if side else "C9")
    hands = tuple(
        hand ^ other | nine if number == side else hand for number, hand in enumerate(start.hands)
    )
    stock = tuple(next(cards_in(other)) if c == card("H9") else c for c in start.stock)
    position = replace(start, hands=hands, stock=stock, turn=side)
    assert "ex" in words(position)
    assert "ex" not in words(replace(position, tricks=(0, 3) if side == SOUTH else (3, 0)))
    # Ruling R66-exchange-turn: only the side to move.
    assert "ex" not in words(replace(position, turn=1 - side))


def test_marriages_with_the_stock_gone_and_closed() -> None:
    # Ruling R66-late-marriage.
    gone = after("foster66 S:9..AKQ.K N:T.KJ..AT H H9HQ 5/1-53/5 S undrawn", "dr")
    assert {"DKm", "DQm", "DKQ!"} <= words(gone)
    closed = after(f2("SJ HA HT DQ D9 CQ"), "cl")
    assert {"SKm", "SQm", "SKQ!"} <= words(closed)
    assert after(closed, "SQm").card_points[SOUTH] == 55


def test_the_follower_neither_announces_nor_shows_nor_closes() -> None:
    # Rulings R66-claim-time and R66-show-lead.
    position = after(f2("SJ HA HT DK DQ CQ"), "CJ")
    assert position.turn == NORTH
    assert words(position) == {"SJ", "HA", "HT", "DK", "DQ", "CQ"}
    for word in ("66", "DKQ!", "cl", "dr"):
        with pytest.raises(IllegalMove, match="must first play a card to the Jack of clubs"):
            after(position, word)


@pytest.mark.parametrize(
    ("moves", "word", "reason"),
    [
        ("", "DK", "South does not hold the King of diamonds"),
        ("", "DKm", "South does not hold the King of diamonds"),
        ("", "dr", "nothing to draw"),
        ("", "ex", "South does not hold the Nine of hearts"),
        ("DA DQ", "SK", "must draw .dr. or close .cl."),
        ("cl", "cl", "closed already"),
        ("cl DA", "HA", "must follow suit with one of the diamonds"),
        ("cl DA DQ", "DA", "South does not hold the Ace of diamonds"),
        ("cl DA DQ SKQ!", "SK", "the deal is over"),
    ],
)
def test_a_move_that_is_not_legal_is_refused_and_why(moves: str, word: str, reason: str) -> None:
    position = after(f2("SJ HA HT DQ D9 CQ"), moves)
    assert word not in words(position)
    with pytest.raises(IllegalMove, match=reason):
        play(position, parse_move(position, word))


# ------------------------------------------------------------------------------- how a deal ends


def last_trick(card_points: tuple[int, int], tricks: tuple[int, int], **more: object) -> Position:
    """South, on lead, holds the Ace of spades and North the Nine: a trick of 11 for South."""
    position = Position(
        variant=FOSTER,
        trump=SUITS.index("H"),
        turn=SOUTH,
        hands=(cards("SA"), cards("S9")),
        card_points=card_points,
        tricks=tricks,
        won=None,
    )
    return replace(position, **more)


CLOSED_STOCK = (card("D9"), card("HJ"))


@pytest.mark.parametrize(
    ("south", "north", "tricks", "outcome"),
    [
        (44, 40, 5, (None, 0)),
        (45, 40, 5, ("S", 1)),
        (45, 32, 5, ("S", 2)),
        (45, 0, 5, ("S", 2)),
        # Ruling R66-unclaimed-schwarz.
        (45, 0, 0, ("S", 3)),
        (44, 66, 5, ("N", 1)),
        (11, 66, 5, ("N", 2)),
        (45, 66, 5, (None, 0)),
    ],
)
def test_all_twelve_tricks_played_and_nobody_has_announced(
    south: int, north: int, tricks: int, outcome: tuple[str | None, int]
) -> None:
    assert scored(after(last_trick((south, north), (6, tricks)), "SA S9")) == outcome


# Ruling R66-closed-unclaimed.
@pytest.mark.parametrize(
    ("south", "north", "tricks", "at_closing", "outcome"),
    [
        (55, 40, 2, (20, 2), ("S", 1)),
        (55, 20, 2, (20, 2), ("S", 2)),
        (55, 0, 0, (0, 0), ("S", 3)),
        (55, 66, 2, (20, 2), (None, 0)),
        (54, 66, 2, (20, 2), ("N", 2)),
        (54, 20, 2, (20, 2), ("N", 2)),
        (54, 66, 2, (0, 0), ("N", 3)),
    ],
)
def test_a_closed_hand_that_nobody_announces_is_counted(
    south: int,
    north: int,
    tricks: int,
    at_closing: tuple[int, int],
    outcome: tuple[str | None, int],
) -> None:
    closed = Closing(SOUTH, *at_closing)
    start = last_trick((south, north), (4, tricks), stock=CLOSED_STOCK, closed=closed)
    assert scored(after(start, "SA S9")) == outcome


# Rulings R66-closed-claim and R66-false-claim.
@pytest.mark.parametrize(
    ("south", "north", "closed", "outcome"),
    [
        (66, (40, 2), None, ("S", 1)),
        (66, (40, 2), Closing(SOUTH, 0, 0), ("S", 1)),
        (66, (40, 2), Closing(NORTH, 20, 1), ("S", 2)),
        (66, (60, 2), Closing(NORTH, 0, 0), ("S", 3)),
        (65, (40, 2), None, ("N", 2)),
        (65, (0, 0), None, ("N", 3)),
        (65, (40, 2), Closing(NORTH, 20, 1), ("N", 2)),
        (65, (0, 0), Closing(NORTH, 20, 1), ("N", 3)),
        (65, (40, 2), Closing(SOUTH, 0, 0), ("N", 3)),
        (65, (40, 2), Closing(SOUTH, 20, 1), ("N", 2)),
    ],
)
def test_announcements(
    south: int, north: tuple[int, int], closed: Closing | None, outcome: tuple[str, int]
) -> None:
    points, tricks = north
    stock = CLOSED_STOCK if closed else ()
    start = last_trick((south, points), (4, tricks), stock=stock, closed=closed)
    assert is_false_claim(start, CLAIM) == (south < 66)
    assert scored(after(start, "66")) == outcome


def test_provisional_points_count_neither_for_66_nor_against_schneider() -> None:
    # Ruling R66-provisional-claim.
    waiting = last_trick((30, 30), (0, 5), provisional=(40, 0))
    assert scored(after(waiting, "66")) == ("N", 2)
    beaten = last_trick((66, 0), (5, 0), provisional=(0, 40))
    assert scored(after(beaten, "66")) == ("S", 3)


# Ruling R66-match-end.
@pytest.mark.parametrize(
    ("carry", "match", "game_points"),
    [
        (0, None, 2),
        (2, None, 4),
        (0, (0, 6), 2),
        (0, (6, 0), 1),
        (1, (5, 0), 2),
        (1, (4, 0), 3),
        (1, (0, 6), 3),
    ],
)
def test_a_deal_is_worth_no_more_than_the_match_needs(
    carry: int, match: tuple[int, int] | None, game_points: int
) -> None:
    start = last_trick((66, 20), (4, 2), carry=carry, match=match)
    assert scored(after(start, "66")) == ("S", game_points)


# ---------------------------------------------------------------------------------- golden records

DIVIDE = "\nAfter each move\n"


def golden(name: str) -> tuple[str, str]:
    """The record of a deal, and below it the position after each move."""
    record, divide, lines = (
        (TESTS / "golden" / f"{name}.txt").read_text(encoding="utf-8").partition(DIVIDE)
    )
    assert divide
    return record, lines


GOLDEN = sorted(path.stem for path in (TESTS / "golden").glob("*.txt"))


def test_the_golden_records_are_there() -> None:
    assert len(GOLDEN) >= 7


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_record_is_replayed(name: str) -> None:
    text, lines = golden(name)
    record = parse_record(text)
    assert format_record(record) == text
    start, *positions = record.positions()
    replayed = [
        f"{format_move(move):4} {format_position(position)}\n"
        for move, position in zip(record.moves, positions, strict=True)
    ]
    assert "".join(replayed) == lines
    assert positions[-1].over is not None
    assert not legal_moves(positions[-1])
    state = reference.parse(format_position(start))
    for row in lines.splitlines():
        word, line = row.split(maxsplit=1)
        state = reference.play(state, word)
        assert reference.line(state) == line


# -------------------------------------------------------------- against the second implementation


def perft(position: Position, depth: int) -> int:
    """The number of lines of exactly so many legal moves, false claims among them."""
    if depth == 0:
        return 1
    return sum(perft(play(position, move), depth - 1) for move in legal_moves(position))


DEALS = {
    "A": "foster66 S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S",
    "B": "foster66 S:A9.ATQJ.. N:.9.T9.KQ9 S STCTDJDACJDKDQSQHKSKCASJ 0/0-0/0 N",
    "C": "foster66 S:AQ.T.AKQ. N:J..TJ9.TK S CQHJCAC9HAHKHQS9H9CJSKST 0/0-0/0 S",
}
COUNTS = {("A", 6): 13036, ("B", 6): 20369, ("C", 6): 13872}
MORE_COUNTS = {("A", 7): 48233, ("B", 7): 72523, ("C", 7): 49328}


def perft_agrees(name: str, depth: int, count: int) -> None:
    assert perft(parse_position(DEALS[name]), depth) == count
    assert reference.perft(reference.parse(DEALS[name]), depth) == count


@pytest.mark.parametrize(("name", "depth"), COUNTS)
def test_the_number_of_lines_from_a_deal(name: str, depth: int) -> None:
    perft_agrees(name, depth, COUNTS[name, depth])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), MORE_COUNTS)
def test_the_number_of_longer_lines_from_a_deal(name: str, depth: int) -> None:
    perft_agrees(name, depth, MORE_COUNTS[name, depth])


# ---------------------------------------------------------------------------------- what must hold


@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    seed=st.integers(0, 2**32),
    pone=st.sampled_from([SOUTH, NORTH]),
    to_the_end=st.booleans(),
)
@settings(max_examples=150)
def test_cards_and_points_are_kept(variant: str, seed: int, pone: int, to_the_end: bool) -> None:
    rng = Random(seed)
    row = variant_named(variant)
    start = deal(row, rng, pone)
    assert start.turn == pone
    assert start.stock[-1] >> 3 & 3 == start.trump
    for position in at_random(start, rng, without="66 !" if to_the_end else ""):
        won = [c for tricks in position.won for trick in tricks for c in trick]
        everywhere = [*cards_in(position.hands[0]), *cards_in(position.hands[1]), *won]
        everywhere += position.stock
        if position.led is not None:
            everywhere.append(position.led)
        assert sorted(everywhere) == list(cards_in(row.pack))

        in_tricks = row.hand_value(hand_of(won))
        declared = sum(
            row.marriage_value(suit, position.trump)
            for side in (SOUTH, NORTH)
            for suit in range(4)
            if position.said[side] >> suit & 1
        )
        played_out = position.hands == (0, 0) and position.led is None
        bonus = 0
        if played_out and (not position.stock or row.last_trick_closed):
            bonus = row.last_trick
        assert sum(position.card_points) + sum(position.provisional) == (
            in_tricks + declared + bonus
        )
        if played_out and not position.stock:
            assert sum(position.card_points) + sum(position.provisional) == (
                120 + declared + row.last_trick
            )
        for side in (SOUTH, NORTH):
            assert position.tricks[side] == len(position.won[side])
            assert not (position.tricks[side] and position.provisional[side])
        assert (position.over is None) == bool(legal_moves(position))
