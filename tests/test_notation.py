"""Lines of text: what they tell, what comes back, and what is refused and why."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.notation import (
    LINE_LIMIT,
    RECORD_LIMIT,
    NotationError,
    Record,
    check,
    format_answer,
    format_hand,
    format_move,
    format_position,
    format_record,
    format_table,
    format_view,
    label_answer,
    label_move,
    parse,
    parse_answer,
    parse_move,
    parse_position,
    parse_record,
    parse_view,
)
from trainer.rules import (
    NORTH,
    SOUTH,
    Closing,
    Hand,
    Kind,
    Move,
    Outcome,
    Position,
    View,
    deal,
    hand_of,
    legal_moves,
    play,
    variant_named,
    view,
)
from trainer.rules.cards import COPY_STRIDE, RANKS, SUITS, Card, make_card
from trainer.rules.play import is_false_claim
from trainer.rules.position import CLAIM, CLOSE, DRAW, EXCHANGE, random_layout, swap_sides
from trainer.rules.possible import find_fault
from trainer.rules.variants import SWITCHES, VARIANTS

DEAL = "foster66 S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S"
F1 = "foster66 S:J.AKQ.J.J N:...,6x H 5xH9 13/1-32/2 S won=S:SQST;N:DTDA,CAS9"
F2 = "foster66 S:KQ..AJ.J9 N:...,6x H 5xHQ 35/2-11/1 S won=S:CKCA,CTDT;N:S9SA"
FOLLOWER_MAY_EXCHANGE = (
    "foster66 S:AK.TK..A N:TQJ..KJ.9 C HQHJDTCQCTCJ 14/2-24/1 N HA"
    " won=S:DQDA,S9H9;N:D9CK said=N:D carry=1"
)
UNDRAWN_PROVISIONAL = (
    "foster66 S:AT.T..AK N:9.A.ATJ. C SJH9D9CJDQDKSKHQSQC9 0~40/0-19/2 N"
    " undrawn won=N:CQCT,HKHJ said=S:C"
)
CLOSED = (
    "foster66 S:K..AJ.J9 N:J.AK.KQ.Q H STHTHJH9D9HQ 55/2-11/1 N SQ"
    " won=S:CKCA,CTDT;N:S9SA said=S:S closed=S11/1 carry=2 match=3-5"
)
CLOSED_LATE = (
    "foster66 S:AK.K..A N:QJ.J..J C CTC9 74/5-37/2 S"
    " won=S:DQDA,S9H9,HAST,HQDK,DJDT;N:D9CK,HTCQ said=S:H;N:D closed=N62/4 carry=1"
)
GONE = (
    "foster66 S:AQ.T9.. N:.AQ.A.9 C - 110/5-21/3 S"
    " won=S:DJCK,DTCA,DKDQ,SKS9,STSJ;N:CQCT,HKHJ,D9CJ said=S:SC"
)
KNOWN = "foster66 S:AKJ..TQ.A N:...K,4x C 7xC9 10/1-42/1 S CQ won=S:CTD9;N:H9HJ said=N:C"
LAST_CARD_LED = (
    "foster66 S:Q... N:...,0x C - 110/5-64/6 S HQ"
    " won=S:DJCK,DTCA,DKDQ,SKS9,STSJ;N:CQCT,HKHJ,D9CJ,HTHA,C9H9,DASA said=S:SC"
)
CLAIMED = (
    "foster66 S:...K N:9... H - 25/2-91/9 N won=S:DJDT,CQHT;"
    "N:CAH9,SJD9,DKCJ,SQDA,HJHQ,HKC9,SASK,HADQ,STCT match=3-5 over=N+2"
)
TIE = (
    "foster66 S:... N:... C - 65/5-65/7 N"
    " won=S:DQSA,DTHT,HAD9,CQSK,CJCA;N:HJC9,STHK,DADK,SJSQ,HQS9,H9DJ,CTCK over=0"
)
LINES = [
    DEAL,
    F1,
    F2,
    FOLLOWER_MAY_EXCHANGE,
    UNDRAWN_PROVISIONAL,
    CLOSED,
    CLOSED_LATE,
    GONE,
    KNOWN,
    LAST_CARD_LED,
    CLAIMED,
    TIE,
]


def card(code: str) -> Card:
    return make_card(SUITS.index(code[0]), RANKS.index(code[1]))


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(card(code) for code in codes.split())


def hand(codes: str) -> Hand:
    return hand_of(cards(codes))


def random_deal(rng: Random) -> Iterator[Position]:
    """Yield the positions of a deal played at random, with every kind of move in it."""
    carry = rng.choice([0, 0, 1, 2])
    match = rng.choice([None, (rng.randrange(7), rng.randrange(7))])
    position = deal(variant_named("foster66"), rng, rng.randrange(2))
    position = replace(position, carry=carry, match=match)
    false_claims, ends = rng.choice([0, 0, 0.02]), rng.choice([0, 0.1, 0.3])
    yield position
    while position.over is None:
        moves = legal_moves(position)
        sound = [move for move in moves if not is_false_claim(position, move)]
        quiet = [move for move in sound if move.kind not in (Kind.CLOSE, Kind.SHOW, Kind.CLAIM)]
        rare = [move for move in quiet if move.kind in (Kind.MARRIAGE, Kind.EXCHANGE)]
        if rng.random() < false_claims:
            choices = moves
        elif rng.random() < ends:
            choices = sound
        else:
            choices = rare if rare and rng.random() < 0.5 else quiet
        position = play(position, rng.choice(choices))
        yield position


deals = st.integers(0, 2**32).map(lambda seed: list(random_deal(Random(seed))))


def refused(line: str) -> NotationError:
    """Return the error for a line, its form looked over."""
    with pytest.raises(NotationError) as caught:
        parse(line)
    look_over(caught.value, line)
    return caught.value


def look_over(error: NotationError, text: str) -> None:
    message = str(error)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) <= 300
    assert 1 <= error.column <= len(text) + 1
    assert error.field in message
    assert error.expected in message


# ------------------------------------------------------------------------------ what lines tell


@pytest.mark.parametrize("line", LINES)
def test_a_canonical_line_comes_back(line: str) -> None:
    table = parse(line)
    assert format_table(table) == line
    if isinstance(table, Position):
        assert format_position(table) == line
    else:
        assert format_view(table) == line
    check(table)


@pytest.mark.parametrize("line", LINES)
def test_underscores_and_spare_spaces(line: str) -> None:
    table = parse(line)
    assert parse(line.replace(" ", "_")) == table
    assert parse(f" \t {line.replace(' ', '   ')} \r\n") == table
    assert parse(f"_{line.replace(' ', '_ _')}__") == table


def test_a_whole_deal() -> None:
    position = parse_position(DEAL)
    assert position.variant is variant_named("foster66")
    assert position.hands == (hand("SA HJ DK DQ CT C9"), hand("H9 DT DJ CA CK CJ"))
    assert position.stock == cards("S9 HK HA SK DA SQ SJ CQ D9 ST HT HQ")
    assert (position.trump, position.turn, position.led) == (SUITS.index("H"), SOUTH, None)
    assert (position.card_points, position.tricks, position.won) == ((0, 0), (0, 0), ((), ()))


def test_switches_in_any_order_are_the_same_game() -> None:
    names = ("russian66~six~nolast", "russian66~nolast~six")
    first, second = (variant_named(name) for name in names)
    assert first == second
    assert first.name == names[0]
    line = format_position(deal(first, Random(1)))
    assert parse_position(line.replace(*names)) == parse_position(line)


@pytest.mark.parametrize(
    ("line", "unseen"),
    [
        (F1, "SA SK HT HJ DK DQ D9 CT CK CQ C9"),
        (F2, "ST SJ HA HT HK HJ H9 DK DQ D9 CQ"),
        (F2.replace("CKCA", "CACK").replace("S9SA", "SAS9"), "ST SJ HA HT HK HJ H9 DK DQ D9 CQ"),
    ],
)
def test_concealed_examples(line: str, unseen: str) -> None:
    """F1, F2: which card of a trick was led takes no part in what is possible."""
    table = parse_view(line)
    assert table == parse(line)
    assert table.unseen == hand(unseen)
    assert (table.known, table.concealed, table.lacks) == (0, 6, 0)
    assert table.stock[:-1] == (None,) * 5
    assert format_view(table) == line


def test_every_field_of_the_tail() -> None:
    position = parse_position(CLOSED)
    assert position.led == card("SQ")
    assert position.won == ((cards("CK CA"), cards("CT DT")), (cards("S9 SA"),))
    assert position.said == (1 << SUITS.index("S"), 0)
    assert position.closed == Closing(SOUTH, 11, 1)
    assert (position.carry, position.match) == (2, (3, 5))
    undrawn = parse_position(UNDRAWN_PROVISIONAL)
    assert undrawn.undrawn
    assert (undrawn.card_points, undrawn.provisional) == ((0, 19), (40, 0))
    assert parse(CLAIMED).over == Outcome(NORTH, 2)
    assert parse(TIE).over == Outcome(None, 0)


def test_what_is_known_of_the_other_hand() -> None:
    table = parse_view(f"{KNOWN} lacks=N:D,SQ")
    assert (table.known, table.concealed) == (hand("CK"), 4)
    assert table.lacks == hand("DA DT DK DQ DJ D9 SQ")


def test_lacks_are_written_by_suit_where_they_can_be() -> None:
    table = parse_view(f"{KNOWN} lacks=N:S9,D,ST,SQ,DA")
    assert table.lacks == hand("S9 ST SQ DA DT DK DQ DJ D9")
    assert format_view(table) == f"{KNOWN} lacks=N:ST,SQ,S9,D"


def test_points_without_the_tricks_won() -> None:
    told = CLOSED.replace(" won=S:CKCA,CTDT;N:S9SA", "")
    position = parse_position(told)
    assert (position.won, position.card_points) == (None, (55, 11))
    assert format_position(position) == told
    assert parse_position(told.replace(" said=S:S", "")).said == (0, 0)


def test_a_provisional_marriage_on_the_table() -> None:
    line = DEAL.replace(".KQ.", ".Q.").replace("0/0-0/0 S", "0~20/0-0/0 N DK said=S:D")
    assert parse(line) == play(parse_position(DEAL), Move(Kind.MARRIAGE, card("DK")))
    assert parse_position(line.removesuffix(" said=S:D")).provisional == (20, 0)


def test_signs_of_a_view() -> None:
    """Unseen cards make a view, or what North lacks, or else ``0x``."""
    led_last = parse(LAST_CARD_LED)
    assert isinstance(led_last, View)
    assert (led_last.known, led_last.concealed, led_last.stock) == (0, 0, ())
    assert isinstance(parse(LAST_CARD_LED.replace(",0x", "")), Position)
    assert parse_view(LAST_CARD_LED.replace(",0x", "")) == led_last
    with_lacks = parse(LAST_CARD_LED.replace(",0x", "") + " lacks=N:S")
    assert format_table(with_lacks) == LAST_CARD_LED.replace(",0x", "") + " lacks=N:S"
    hidden_stock = DEAL.replace("S9HKHASKDASQSJCQD9STHTHQ", "11xHQ")
    assert format_table(parse(hidden_stock)) == hidden_stock


def test_concealed_cards_may_be_written_out() -> None:
    assert parse(F2.replace("5xHQ", "xxx2xHQ")) == parse(F2)
    mixed = F2.replace("5xHQ", "xD9HT2xHQ")
    assert format_table(parse(mixed)) == mixed
    only_one = (
        "foster66 S:.Q.. N:...,1x S - 127/9-39/2 S won=S:CTHJ,SQDJ,DTDK,D9HT,DAC9,CQSK,SAHK,"
        "SJHA,S9H9;N:DQST,CKCJ said=S:S;N:C"
    )
    assert format_table(parse(only_one)) == only_one.replace(",1x", ",x")


@pytest.mark.parametrize("line", [F2, KNOWN, DEAL.replace("S9HK", "xHK"), LAST_CARD_LED])
def test_a_position_needs_every_card(line: str) -> None:
    with pytest.raises(NotationError, match="expected every card to be told") as caught:
        parse_position(line)
    assert caught.value.field in ("North's hand", "stock")
    assert line[caught.value.column - 1] in "Nx"


def test_other_packs_are_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks, card points and sizes are the row's; the example has twenty cards."""
    row = replace(
        variant_named("foster66"),
        name="twenty",
        ranks="ATKQJ",
        points=(11, 10, 4, 3, 2),
        hand_size=5,
        close_undrawn=False,
        exchange_rank="J",
    )
    monkeypatch.setitem(VARIANTS, "twenty", row)
    monkeypatch.setitem(SWITCHES, "twenty", {"late": {"goal": 100}, "dear": {"marriage": 30}})
    line = "twenty S:Q.KQ.J.T N:TK.A.T.K H DKHJ 18/2-35/2 S"
    assert format_table(parse(line)) == line
    assert "expected a rank of ATKQJ" in str(refused(line.replace("S:Q.", "S:9.")))
    assert "53" in str(refused(line.replace("18/2", "19/2")))
    switched = line.replace("twenty", "twenty~late~dear")
    assert parse(switched).variant.goal == 100
    assert format_table(parse(switched)) == switched
    for name in ("twenty~six", "twenty~late~late", "twenty~"):
        error = refused(line.replace("twenty", name))
        assert (error.field, error.column) == ("variant", name.rindex("~") + 1)
        assert "each once: ~late, ~dear" in str(error)
    assert f"one of {', '.join(VARIANTS)}" in str(refused("thirty"))


def test_copies_are_taken_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(variant_named("foster66"), name="double", copies=2, hand_size=12)
    monkeypatch.setitem(VARIANTS, "double", row)
    held = "AATTKKQQJJ99..."
    line = f"double S:{held} N:.AATTKKQQJJ99.. C 23xC9 0/0-0/0 S"
    position = parse_view(line)
    assert position.hand == row.pack & hand_of(
        make_card(0, rank, copy) for rank in range(8) for copy in (0, 1)
    )
    assert format_view(position) == line
    assert parse_move(position, "S9") == Move(Kind.CARD, card("S9"))
    second = replace(position, hand=position.hand ^ 1 << card("S9"))
    assert parse_move(second, "S9") == Move(Kind.CARD, card("S9") + COPY_STRIDE)
    assert "each card at most 2 times, see South's hand" in str(refused(line.replace("AA", "AAA")))


# ------------------------------------------------------------------------------- there and back


@pytest.mark.slow
@settings(max_examples=150)
@given(deals)
def test_every_position_of_a_deal_comes_back(positions: list[Position]) -> None:
    for position in positions:
        line = format_position(position)
        assert parse(line) == position
        assert format_position(parse_position(line.replace(" ", "_"))) == line
        assert parse(format_table(swap_sides(position))) == swap_sides(position)


@pytest.mark.slow
@settings(max_examples=150)
@given(deals, st.integers(0, 2**32))
def test_every_view_of_a_deal_comes_back(positions: list[Position], seed: int) -> None:
    rng = Random(seed)
    for position in positions:
        for side in (SOUTH, NORTH):
            seen = view(position, side)
            line = format_view(seen)
            assert parse(line) == seen
            assert find_fault(random_layout(seen, rng)) is None


@settings(max_examples=50)
@given(deals)
def test_less_may_be_told_of_any_position(positions: list[Position]) -> None:
    """Without the tricks won, and then without the marriages, the points must still be possible."""
    for position in positions:
        if any(position.tricks):
            untold = replace(position, won=None)
            assert parse(format_table(untold)) == untold
            unsaid = replace(untold, said=(0, 0))
            assert parse(format_table(unsaid)) == unsaid


@settings(max_examples=50)
@given(deals, st.sampled_from([-2, -1, 1, 2]), st.integers(0, 1))
def test_a_wrong_count_is_refused(positions: list[Position], error: int, side: int) -> None:
    """W: the tricks won and the marriages said fix the points of either side."""
    for position in positions:
        points = [*position.card_points]
        points[side] += error
        if points[side] >= 0:
            fault = find_fault(replace(position, card_points=(points[0], points[1])))
            assert fault is not None
            assert fault.field == "points"


@settings(max_examples=50)
@given(deals)
def test_moves_come_back(positions: list[Position]) -> None:
    for position in positions:
        for move in legal_moves(position):
            word = format_move(move)
            assert parse_move(position, word) == parse_move(None, word) == move
        moves = tuple(legal_moves(position))
        if moves:
            assert parse_answer(format_answer(moves), position) == moves


# -------------------------------------------------------------------------------- what is refused

# A line, the part to replace, what replaces it (› marks the column of the error, and is taken
# out), the field, and words of the message.
BAD_LINES = [
    # words that cannot be read
    (DEAL, DEAL, "›", "variant", "found the end of the line, expected a variant, one of foster66"),
    (DEAL, DEAL, "›  \t  ", "variant", "found the end of the line"),
    (DEAL, "foster66", "›foster67", "variant", "found 'foster67', expected one of foster66"),
    (DEAL, "foster66", "›Foster66", "variant", "expected one of foster66"),
    (DEAL, "foster66", "foster66›~six", "variant", "a switch that foster66 has, each once: none"),
    (DEAL, "foster66 S:A.J.KQ.T9", "›S:A.J.KQ.T9", "variant", "found 'S:A.J.KQ.T9'"),
    (DEAL, "S:A.J.KQ.T9 ", "›", "South's hand", "expected S: and South's cards"),
    (DEAL, "S:A", "›s:A", "South's hand", "expected S:"),
    (DEAL, "S:A.J", "S:A.›1J", "South's hand", "found '1J.KQ.T9', expected a rank of ATKQJ9"),
    (DEAL, ".T9", ".T›8", "South's hand", "found '8', expected a rank of ATKQJ9"),
    (DEAL, "KQ.T9", "KQ›T9", "South's hand", "found 'T9', expected ranks from high to low"),
    (DEAL, "KQ.T9", "KQ.T9›.", "South's hand", "found '.'"),
    (DEAL, "S:A", "S:›\uff21", "South's hand", r"found '\uff21.J.KQ.T9'"),
    (DEAL, ".KQ.", ".Q›K.", "South's hand", "expected ranks from high to low in each suit, ATKQJ9"),
    (DEAL, "KQ.T9 N", "KQ.T›,x N", "South's hand", "South sees every own card"),
    (DEAL, "N:.9", "N:›A.9", "North's hand", "the Ace of spades again, expected each card once"),
    (DEAL, "N:.9", "N:.9›9", "North's hand", "the Nine of hearts again"),
    (F2, ",6x", ",x›6", "North's hand", "expected a space after the concealed cards"),
    (F2, ",6x", ",›-6x", "North's hand", "found '-6x', expected how many concealed"),
    (F2, ",6x", ",6›", "North's hand", "found a space, expected x for the concealed cards"),
    (F2, ",6x", ",›\u0666x", "North's hand", r"found '\u0666x'"),
    (F2, "N:...,6x", "N:...›;6x", "North's hand", "or a comma and the number concealed"),
    (DEAL, " H ", " ›- ", "trump", "found '-', expected the trump suit, one letter of SHDC"),
    (DEAL, " H S9", " S›9", "trump", "expected a space after the trump suit"),
    (DEAL, "S9HK", "›SAHK", "stock", "the Ace of spades again, expected each card once, see South"),
    (DEAL, "S9HK", "S9›H8", "stock", "found 'H8HASKDASQSJCQD9STHTHQ'"),
    (DEAL, "THTHQ", "THT›H", "stock", "found 'H', expected - for none, x or 5x for face down"),
    (F2, "5xHQ", "›0xHQ", "stock", "expected from 1 to 12 cards face down"),
    (F2, "5xHQ", "5xHQ›9x", "stock", "expected a stock of at most 12 cards"),
    (F2, "5xHQ", "5›HQ", "stock", "expected x after the number"),
    (DEAL, "0/0-0/0", "›00/0-0/0", "points", "expected South's card points, a number from 0"),
    (DEAL, "0/0-0/0", "0/0-›\uff10/0", "points", r"found '\uff10/0', expected North's card points"),
    (DEAL, "0/0-0/0", "0/0-0›", "points", "expected / and the number of tricks North has won"),
    (DEAL, "0/0-0/0", "0/0›+0/0", "points", "expected - and North's points"),
    (DEAL, "0/0-0/0", "0/›12345-0/0", "points", "a number from 0 to 9999"),
    (DEAL, "0/0 S", "0/0 ›W", "turn", "found 'W', expected S or N, whose choice it is"),
    (DEAL, "0/0 S", "0/0 S›\x00", "turn", r"found '\x00', expected a space after the turn"),
    (DEAL, "0/0 S", "0/0 S ›frog", "led", "or the card led"),
    (DEAL, "0/0 S", "0/0 S ›D9", "led", "the Nine of diamonds again"),
    (DEAL, "0/0 S", "0/0 S ›up=SA", "tail", "found 'up=SA', expected fields in this order"),
    (DEAL, "0/0 S", "0/0 S ›undrawn=1", "tail", "undrawn won= said= lacks="),
    (CLOSED, "carry=2 match", "match=3-5 ›carry=2", "carry", "in this order, each once: undrawn"),
    (CLOSED, "carry=2", "carry=2 ›carry=2", "carry", "in this order, each once"),
    (CLOSED, "carry=2", "carry=›-2", "carry", "found '-2'"),
    (CLOSED, "N SQ", "N SQ ›SA", "tail", "found 'SA', expected fields in this order"),
    (F2, "CTDT", "CT›D", "won", "found 'D;N:S9SA', expected two cards for each trick"),
    (F2, "CTDT", "CT›DJ", "won", "the Jack of diamonds again"),
    (F2, ";N:S9SA", ";N:S9SA;›", "won", "found the end of the line"),
    (F2, "won=S:CKCA,CTDT;N:S9SA", "won=N:S9SA;›S:CKCA,CTDT", "won", "expected S before N"),
    (F2, "won=S:CKCA,CTDT;N:S9SA", "won=›", "won", "expected S or N, whose they are"),
    (CLOSED, "said=S:S", "said=S:S›S", "said", "expected each suit once"),
    (KNOWN, "said=N:C", "said=N:C lacks=›S:S", "lacks", "expected N: and what North lacks"),
    (KNOWN, "said=N:C", "said=N:C lacks=N:›SD", "lacks", "expected a suit or a card that North"),
    (CLOSED, "closed=S11/1", "closed=S11›", "closed", "expected / and North's tricks then"),
    (CLOSED, "match=3-5", "match=3›", "match", "expected - and North's match points"),
    (CLAIMED, "over=N+2", "over=N›2", "over", "like S+2, or 0"),
    (CLAIMED, "over=N+2", "over=0›1", "over", "like S+2, or 0"),
    # hands, stock and tricks that do not fit each other
    (DEAL, "S:A.J.KQ.T9", "›S:A.J.KQ.T", "South's hand", "found 5 cards, expected 6 (6 dealt"),
    (DEAL, "N:.9.TJ.AKJ", "›N:.9.TJ.AK", "North's hand", "found 5 cards, expected 6"),
    (F2, "N:...,6x", "›N:...,5x", "North's hand", "6 dealt, 3 drawn, 3 played to tricks"),
    (CLOSED, "S:K..", "›S:..", "South's hand", "found 4 cards, expected 5"),
    (DEAL, "S9HK", "›S9", "stock", "found 11 cards, expected an even number of cards, at most 12"),
    (DEAL, "STHTHQ", "HTHQST", "stock", "found the Ten of spades, expected a turn-up of the trump"),
    (F2, "5xHQ", "›6x", "stock", "a last card face down, expected the turn-up, one of the hearts"),
    (DEAL, "0/0-0/0", "›0/1-0/0", "points", "found 1 trick, expected 0 tricks"),
    (F2, "5xHQ 35", "3xHQ ›35", "points", "found 3 tricks, expected 4 tricks"),
    (DEAL, "0/0 S", "0/0 S ›undrawn", "undrawn", "0 tricks and 12 cards left in the stock"),
    (GONE, " S won", " S ›undrawn won", "undrawn", "undrawn with no stock"),
    (CLOSED, "SQ won", "SQ ›undrawn won", "undrawn", "undrawn with a closed stock"),
    (GONE, "110/5-21/3", "›110/9-21/8", "points", "found 17 tricks, expected from 6 to 12 tricks"),
    (TIE, " over=0", "›", "over", "expected over=, as no card is left to play"),
    # the lead, the tricks and the marriages
    (GONE, "110/5-21/3 S", "131/8-0/0 ›N", "turn", "the lead with South, who has won every trick"),
    (F2, "CKCA,CTDT", "CADT,CTSJ", "turn", "North can have led none of the tricks that South"),
    (F2, " won=S:CKCA,CTDT;N:S9SA", "›", "won", "the tricks won, as they fix which cards"),
    (F2, "CKCA,CTDT", "CKCA", "won", "found 1 trick for South, expected 2"),
    (F2, "N:S9SA", "N:S9SA ›said=S:C", "said", "South's marriage in clubs"),
    (F2, "N:S9SA", "N:S9SA ›said=S:S", "said", "South's marriage in spades"),
    (CLOSED, "said=S:S", "›said=S:S;N:S", "said", "spades for both sides"),
    # points
    (F2, "35/2", "›36/2", "points", "found 36 for South, expected 35: 35 in tricks, 0 for"),
    (F2, "35/2-11/1", "›35/2-31/1", "points", "found 31 for North, expected 11"),
    (CLOSED, "55/2", "›35/2", "points", "expected 55: 35 in tricks, 20 for marriages"),
    (CLOSED, "55/2", "›35~20/2", "points", "expected nothing after ~ once a trick is won"),
    (DEAL, "0/0-0/0", "›0~20/0-0/0", "points", "found 20 for South, expected 0"),
    (DEAL, "0/0-0/0", "›20/0-0/0", "points", "20 card points and no trick for South"),
    (UNDRAWN_PROVISIONAL, "0~40", "›0~30", "points", "expected a marriage after ~, 20 or 40"),
    (UNDRAWN_PROVISIONAL, "0~40", "›0~20", "points", "found 20 for South, expected 40"),
    (TIE, "65/5-65/7", "›65/5-55/7", "points", "10 for the last trick"),
    # closing, lacks, match, the end
    (CLOSED, "S11/1", "S20/1", "closed", "no more than the 11/1 of now"),
    (CLOSED, "S11/1", "S10/1", "closed", "11 card points: North has won no trick since"),
    (CLOSED, "S11/1", "S11/0", "closed", "0 card points before the first trick"),
    (CLOSED, "closed=S11/1", "closed=N55/2", "closed", "close on lead with 3 cards drawn"),
    (CLOSED_LATE, "N62/4", "N61/4", "closed", "what 4 tricks of won= and marriages of said= can"),
    (DEAL, "0/0 S", "0/0 S ›closed=N0/0", "closed", "let North close on lead"),
    (KNOWN, "said=N:C", "said=N:C ›lacks=N:CK", "lacks", "the King of clubs, expected no card"),
    (KNOWN, "said=N:C", "said=N:C ›lacks=N:S,H,D", "lacks", "at least 4, as many as"),
    (CLOSED, "match=3-5", "›match=3-7", "match", "expected match points from 0 to 6"),
    (CLAIMED, "over=N+2", "›over=N+3", "over", "found 3 game points for North, expected 2 game"),
    (TIE, "over=0", "›over=N+1", "over", "no game point for anybody (0), as all cards are played"),
]


@pytest.mark.parametrize(("base", "old", "new", "field", "words"), BAD_LINES)
def test_bad_lines(base: str, old: str, new: str, field: str, words: str) -> None:
    assert old in base
    marked = base.replace(old, new, 1)
    line = marked.replace("›", "", 1)
    error = refused(line)
    assert words in str(error)
    assert error.field == field
    if "›" in marked:
        assert error.column == marked.index("›") + 1


@pytest.mark.parametrize("line", LINES)
def test_a_line_cut_short(line: str) -> None:
    """Cut anywhere, a line is refused, or is the line without the end of its tail."""
    whole = parse(line)
    for length in range(len(line)):
        part = line[:length].rstrip()
        if part in ("", *LINES):
            continue
        try:
            table = parse(part)
        except NotationError as error:
            look_over(error, part)
        else:
            assert line.startswith(part)
            assert table.tricks == whole.tricks
            assert table != whole


@pytest.mark.parametrize(
    "junk",
    [
        "x" * 1_000_000,
        DEAL + " " * 1_000_000,
        " " * 1_000_000,
        "\U0001f0a1" * 1_000_000,
        ("foster66 S:" + "A" * 1_000_000),
        DEAL * 20_000,
        "\ud800" * LINE_LIMIT,
        "foster66~" * 200,
        f"foster66 S:... N:... H {'9999x' * 300} 0/0-0/0 S",
        DEAL.replace("0/0-0/0", "9999/9999-9999/9999") + " closed=S9999/9999",
    ],
)
def test_junk_fails_fast(junk: str) -> None:
    seconds = []
    for _ in range(3):  # the machine may be busy with something else
        start = perf_counter()
        error = refused(junk)
        seconds.append(perf_counter() - start)
        assert len(str(error)) < 250
    assert min(seconds) < 0.05


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse, parse_position, parse_view, parse_answer, parse_record):
        try:
            read(text)
        except NotationError as error:
            look_over(error, text)


ALPHABET = st.sampled_from("SHDCN:.,;-/~=!xX_ ATKQJ9870123456789mundrawoslec+\t\n\x00é\uff11\ud800")


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A line with some of its characters or words taken out, put in or exchanged."""
    line = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from(["delete", "insert", "swap", "cut", "words", "digit"]))
        at = draw(st.integers(0, max(0, len(line) - 1)))
        words = line.split(" ")
        first, second = (draw(st.integers(0, len(words) - 1)) for _ in range(2))
        if change == "delete":
            line = line[:at] + line[at + 1 :]
        elif change == "insert":
            line = line[:at] + draw(ALPHABET) + line[at:]
        elif change == "swap":
            line = line[:at] + draw(ALPHABET) + line[at + 1 :]
        elif change == "cut":
            del words[first]
            line = " ".join(words)
        elif change == "words":
            words[first], words[second] = words[second], words[first]
            line = " ".join(words)
        else:
            line = "".join(
                draw(st.sampled_from("0123456789")) if i == at and c.isdigit() else c
                for i, c in enumerate(line)
            )
    return line


@settings(max_examples=1000)
@given(mutated())
def test_a_line_with_a_slip_is_read_or_refused(line: str) -> None:
    try:
        table = parse(line)
    except NotationError as error:
        look_over(error, line)
    else:
        assert parse(format_table(table)) == table


def test_an_error_can_be_sent_elsewhere() -> None:
    error = refused(DEAL.replace("T9", "T8"))
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert (copy.column, copy.field, copy.expected) == (error.column, error.field, error.expected)


def test_check_points_into_the_canonical_line() -> None:
    """A table that was set up by hand is checked like one that was read."""
    position = parse_position(CLOSED)
    for change, word in (
        ({"hands": (position.hands[0] | 1 << card("HA"), position.hands[1])}, "N:"),
        ({"card_points": (54, 11)}, "54/2-11/1"),
        ({"led": card("SA")}, "won="),
        ({"carry": -1}, "carry="),
        ({"match": (7, 0)}, "match="),
        ({"stock": (*position.stock[:-1], card("H9") + 3 * COPY_STRIDE)}, "STHT"),
    ):
        changed = replace(position, **change)
        line = format_table(changed)
        with pytest.raises(NotationError) as caught:
            check(changed)
        assert line[caught.value.column - 1 :].startswith(word)
    with pytest.raises(NotationError) as caught:
        check(replace(parse_view(F2), won=None))
    assert (caught.value.field, caught.value.column) == ("won", F2.index(" won") + 1)


# --------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize(
    ("word", "move"),
    [
        ("HT", Move(Kind.CARD, card("HT"))),
        ("HQm", Move(Kind.MARRIAGE, card("HQ"))),
        ("DKm", Move(Kind.MARRIAGE, card("DK"))),
        ("HKQ!", Move(Kind.SHOW, card("HK"))),
        ("ex", EXCHANGE),
        ("dr", DRAW),
        ("cl", CLOSE),
        ("66", CLAIM),
    ],
)
def test_move_words(word: str, move: Move) -> None:
    assert parse_move(None, word) == move
    assert parse_move(parse(DEAL), f" {word}\n") == move
    assert format_move(move) == word


@pytest.mark.parametrize(
    ("word", "column", "words"),
    [
        ("", 1, "found the end of the line, expected a card (HT), a marriage (HQm)"),
        ("  ", 1, "found the end of the line"),
        ("H", 1, "found 'H', expected a card (HT)"),
        ("TH", 1, "found 'TH'"),
        ("ht", 1, "found 'ht'"),
        ("HTm", 1, "found 'HTm', expected a King or Queen"),
        ("HQK!", 3, "found 'K!', expected a card (HT)"),
        ("HKQ", 3, "found 'Q'"),
        ("HQm!", 4, "found '!'"),
        ("66!", 1, "found '66!'"),
        ("\uff16\uff16", 1, r"found '\uff16\uff16'"),
        ("cl DA", 4, "found 'DA', expected one move and nothing after it"),
        ("H8", 1, "found 'H8', expected a card: a suit of SHDC, then a rank of ATKQJ9"),
        ("x" * 1_000_000, LINE_LIMIT + 1, "found 1000000 characters"),
    ],
)
def test_bad_move_words(word: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(parse(DEAL), word)
    assert words in str(caught.value)
    assert caught.value.column == column
    look_over(caught.value, word)


def test_answers() -> None:
    moves = (CLOSE, Move(Kind.CARD, card("DA")))
    assert parse_answer("cl DA") == parse_answer(" cl__DA ", parse(F2)) == moves
    assert format_answer(moves) == "cl DA"
    with pytest.raises(NotationError, match="column 4, move: found 'A', expected a card"):
        parse_answer("cl A")
    with pytest.raises(NotationError, match="column 1, move"):
        parse_answer("")


@pytest.mark.parametrize(
    ("line", "word", "label"),
    [
        (F2, "DA", "Lead the Ace of diamonds"),
        (F2, "SQm", "Lead the Queen of spades and declare the marriage (20)"),
        (F1, "HKm", "Lead the King of hearts and declare the marriage (40)"),
        (F2, "SKQ!", "Show the marriage in spades (20) and announce 66"),
        (F2, "cl", "Close the stock"),
        (F2, "ex", "Exchange the Nine of hearts for the Queen of hearts"),
        (GONE, "ex", "Exchange the Nine of clubs for the turn-up"),
        (UNDRAWN_PROVISIONAL, "dr", "Draw"),
        (F2, "66", "Announce 66"),
        (KNOWN, "DT", "Play the Ten of diamonds"),
    ],
)
def test_labels(line: str, word: str, label: str) -> None:
    table = parse(line)
    assert label_move(parse_move(table, word), table) == label


def test_labels_of_answers() -> None:
    table = parse(F2)
    label = label_answer(parse_answer("ex cl DA"), table)
    assert label == (
        "Exchange the Nine of hearts for the Queen of hearts, then close the stock, "
        "then lead the Ace of diamonds"
    )
    assert label_answer((CLOSE,), table) == "Close the stock"


def test_hands() -> None:
    row = variant_named("foster66")
    assert format_hand(row, 0) == "..."
    assert format_hand(row, hand("H9 HT HA C9")) == ".AT9..9"


# -------------------------------------------------------------------------------------- records


@settings(max_examples=50)
@given(
    st.integers(0, 2**32),
    st.dictionaries(
        st.from_regex(r"[A-EG-Z][A-Za-z0-9_]{0,9}", fullmatch=True),
        st.text(st.characters(exclude_categories=["Cc"]), max_size=30),
        max_size=3,
    ),
)
def test_records_come_back(seed: int, tags: dict[str, str]) -> None:
    rng = Random(seed)
    start = position = deal(variant_named("foster66"), rng)
    moves: list[Move] = []
    while position.over is None and rng.random() < 0.98:
        moves.append(rng.choice(legal_moves(position)))
        position = play(position, moves[-1])
    record = Record(start, tuple(moves), tags)
    text = format_record(record)
    assert parse_record(text) == record
    assert parse_record(text.replace("\n", "\r\n")) == record
    assert record.positions()[-1] == position
    assert max(map(len, text.splitlines()[-2:])) <= 80


RECORD = f"""[Format "1"]
[Event "The \\"Club\\""]

{DEAL}

DKm DT
dr CA C9
"""


def test_a_record() -> None:
    record = parse_record(RECORD)
    assert record.tags == {"Event": 'The "Club"'}
    assert record.start == parse(DEAL)
    assert format_answer(record.moves) == "DKm DT dr CA C9"
    assert [each.tricks for each in record.positions()][-1] == (0, 2)
    assert parse_record(DEAL) == Record(parse_position(DEAL))


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "field", "words"),
    [
        ("dr CA", "CA", 7, 1, "move 3", "North has won a trick and must draw (dr)"),
        ("C9", "CA", 7, 7, "move 5", "expected a legal move (SA HK HJ DQ CT C9): South does not"),
        ("CA C9", "C8", 7, 4, "move 4", "found 'C8'"),
        ("DKm DT", "DKm\nXX", 7, 1, "move 2", "found 'XX', expected a card (HT)"),
        ("DKm DT", "66 DT", 6, 4, "move 2", "expected a legal move (none): the deal is over"),
        (DEAL, DEAL.replace("T9", "T8"), 4, 20, "South's hand", "found '8'"),
        (DEAL, DEAL.replace("T9", "T"), 4, 10, "South's hand", "found 5 cards"),
        (DEAL, F2, 4, 22, "North's hand", "every card to be told"),
        (DEAL, "", 6, 1, "variant", "found 'DKm'"),
        ('[Format "1"]', '[Format "2"]', 1, 1, "tag", "found Format '2', expected 1"),
        ("Format", "Event", 2, 2, "tag", "found Event again, expected each tag once"),
        ("[Event ", "[Event", 2, 1, "tag", "expected a tag like [Event "),
        ("[Event", "[Évent", 2, 1, "tag", "expected a tag like [Event "),
    ],
)
def test_bad_records(old: str, new: str, line: int, column: int, field: str, words: str) -> None:
    assert old in RECORD
    with pytest.raises(NotationError) as caught:
        parse_record(RECORD.replace(old, new, 1))
    error = caught.value
    assert words in str(error)
    assert (error.line, error.column, error.field) == (line, column, field)
    assert str(error).startswith(f"line {line}, column {column}, {field}: ")
    assert str(error).isascii()


def test_a_record_needs_a_position() -> None:
    with pytest.raises(NotationError, match="record: found the end of the text"):
        parse_record('[Format "1"]\n\n')
    with pytest.raises(NotationError, match=f"record: found .* expected at most {RECORD_LIMIT}"):
        parse_record("x" * 1_000_000)


@pytest.mark.parametrize("tags", [{"Two words": "x"}, {"Event": "a\nb"}, {"Format": "1"}, {"": ""}])
def test_tags_that_cannot_be_written(tags: dict[str, str]) -> None:
    with pytest.raises(NotationError, match="tag: found"):
        format_record(Record(parse_position(DEAL), (), tags))
