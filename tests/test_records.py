"""Records of deals: written, read and played through; and what a side knows from having been there.

The lines of what was seen are written by hand. Beside them stands a check that shares nothing with
how they are made: of all hands the other side might hold, those are possible with which the whole
deal would have looked the same.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.notation import (
    NotationError,
    Record,
    format_move,
    format_record,
    format_table,
    format_view,
    parse,
    parse_move,
    parse_position,
    parse_record,
)
from trainer.rules import (
    NORTH,
    SOUTH,
    Card,
    Hand,
    IllegalMove,
    Kind,
    Move,
    Outcome,
    Position,
    View,
    cards_in,
    deal,
    hand_of,
    legal_moves,
    play,
    variant_named,
    view,
)
from trainer.rules.cards import RANKS, SUITS, make_card, suit_cards, suit_of
from trainer.rules.knowledge import forbidding, views
from trainer.rules.play import is_false_claim
from trainer.rules.position import (
    CLAIM,
    CLOSE,
    DRAW,
    EXCHANGE,
    count_hands,
    count_layouts,
    hands,
    layouts,
    swap_sides,
)
from trainer.rules.variants import SWITCHES

PLAIN = "{} S:A.J.KQ.T9 N:.9.TJ.AKJ H S9HKHASKDASQSJCQD9STHTHQ 0/0-0/0 S"
"""North has no spade, and of trumps the Nine alone."""
VOID = "{} S:A.J.KQ.T9 N:..TJ9.KQJ H S9HKHASKDASQSJCAH9STHTHQ 0/0-0/0 S"
"""North has neither spade nor trump, and not the highest club."""
SMALL = "{} S:A.J.KQ.T N:..TJ.KQJ H SKHKHASQDASJCASTHTHQ 0/0-0/0 S"
"""The same with twenty cards."""
ENDING = "{} S:A.A.K9.AK N:.TK.A.TQ9 S SQSJ 13/3-23/2 S won=S:HJDJ,CJS9,HQSK;N:DQDT,H9ST"
"""The last drawing trick is to be played."""
ENDING_NINE = "{} S:A9.A.K.AK N:.TK.A.TQ9 S SQSJ 13/3-23/2 S won=S:HJDJ,CJD9,HQSK;N:DQDT,H9ST"
"""The same; South has the Nine of trumps."""
SMALL_ENDING = "{} S:.TJ.KQJ. N:K.K.AT.Q S CTSA 26/2-20/2 S won=S:CAHQ,CJST;N:CKSQ,SJHA"

ALL = ("foster66", "russian66", "german66", "schnapsen")
NAMES = [
    *ALL,
    *(f"{base}~{switch}" for base, switches in SWITCHES.items() for switch in switches),
    "russian66~six~eight~nolast",
]
"""Every variant, with each of its switches, and one with all of them."""


def moves_of(position: Position, words: str) -> tuple[Move, ...]:
    """Return the moves of words, as played one after the other from a position."""
    moves = []
    for word in words.split():
        moves.append(parse_move(position, word))
        position = play(position, moves[-1])
    return tuple(moves)


def record_of(line: str, words: str) -> Record:
    start = parse_position(line)
    return Record(start, moves_of(start, words))


# --------------------------------------------------------------------- what was shown and proved

# Variants, the start, the moves, who looks, and what that side has then seen, as South.
SEEN = [
    # open play: shown cards only
    (
        "foster66 russian66 german66",
        (PLAIN, "SA CJ"),
        "S",
        "{} S:.J.KQ.T9 N:...,5x H 11xHQ 13/1-0/0 S undrawn won=S:SACJ",
    ),
    (
        "foster66 russian66 german66",
        (PLAIN, "DKm"),
        "N",
        "{} S:.9.TJ.AKJ N:..Q.,4x H 11xHQ 0/0-0~20/0 S DK said=N:D",
    ),
    (
        "foster66 russian66 german66",
        (PLAIN, "DKm DT dr CJ"),
        "N",
        "{} S:9.9.J.AK N:..Q.,5x H 9xHQ 14/1-0~20/0 N CJ won=S:DKDT said=N:D",
    ),
    (
        "foster66 russian66 german66",
        (PLAIN, "DKm DT dr CJ DQ"),
        "N",
        "{} S:9.9.J.AK N:...,5x H 9xHQ 19/2-0~20/0 S undrawn won=S:DKDT,CJDQ said=N:D",
    ),
    (
        "schnapsen",
        (SMALL, "DQm"),
        "N",
        "{} S:..TJ.KQJ N:..K.,3x H 9xHQ 0/0-0~20/0 S DQ said=N:D",
    ),
    (
        "foster66",
        (PLAIN, "SA CJ dr DKQ!"),
        "N",
        "{} S:.K9.TJ.AK N:..KQ.,4x H 9xHQ 0/0-33/1 N won=N:SACJ said=N:D over=S+3",
    ),
    # the turn-up taken in exchange, and the lowest trump left in its place
    (
        "foster66 russian66 german66",
        (PLAIN, "DK DT ex"),
        "S",
        "{} S:A.J.Q.T9 N:.Q..,4x H 11xH9 0/0-14/1 N undrawn won=N:DKDT",
    ),
    (
        "foster66 russian66 german66",
        (PLAIN, "DK DT ex dr"),
        "S",
        "{} S:A.KJ.Q.T9 N:.Q..,5x H 9xH9 0/0-14/1 N won=N:DKDT",
    ),
    (
        "foster66 russian66 german66",
        (PLAIN, "DK DT ex dr HQ HK"),
        "S",
        "{} S:A.J.Q.T9 N:...,5x H 9xH9 7/1-14/1 S undrawn won=S:HQHK;N:DKDT",
    ),
    (
        "foster66",
        (PLAIN, "DK DT dr CJ CT dr DQ ex"),
        "S",
        "{} S:A.AKJ..9 N:.Q..,5x H 7xH9 12/1-14/1 N DQ won=S:CJCT;N:DKDT",
    ),
    (
        "schnapsen",
        (SMALL, "ex"),
        "N",
        "{} S:..TJ.KQJ N:.Q..,4x H 9xHJ 0/0-0/0 N",
    ),
    (
        "german66",
        (PLAIN, "cl SA ex"),
        "S",
        "{} S:.J.KQ.T9 N:.Q..,5x H 11xH9 0/0-0/0 N SA closed=S0/0",
    ),
    (
        "german66",
        (PLAIN, "cl SA ex HQ"),
        "S",
        "{} S:.J.KQ.T9 N:...,5x H 11xH9 0/0-14/1 N won=N:SAHQ lacks=N:S closed=S0/0",
    ),
    # the last draw: the loser takes the last card face up
    (
        "foster66 russian66 german66",
        (ENDING, "CA C9 dr"),
        "S",
        "{} S:AQ.A.K9.K N:J...,5x S - 24/4-23/2 S won=S:HJDJ,CJS9,HQSK,CAC9;N:DQDT,H9ST",
    ),
    (
        "foster66 russian66 german66",
        (ENDING, "D9 DA dr"),
        "N",
        "{} S:Q.TK..TQ9 N:J...,5x S - 34/3-13/3 S won=S:DQDT,H9ST,D9DA;N:HJDJ,CJS9,HQSK",
    ),
    (
        "foster66 russian66 german66",
        (ENDING_NINE, "CA C9 ex dr"),
        "S",
        "{} S:AQJ.A.K.K N:9...,5x S - 24/4-23/2 S won=S:HJDJ,CJD9,HQSK,CAC9;N:DQDT,H9ST",
    ),
    (
        "foster66 russian66 german66",
        (ENDING_NINE, "CA C9 ex dr"),
        "N",
        "{} S:9.TK.A.TQ N:J...,5x S - 23/2-24/4 N won=S:DQDT,H9ST;N:HJDJ,CJD9,HQSK,CAC9",
    ),
    # with the stock gone a void proves nothing that is not seen anyway
    (
        "foster66 russian66 german66",
        (ENDING, "CA C9 dr SA SJ SQ CQ"),
        "S",
        "{} S:.A.K9.K N:...,4x S - 43/6-23/2 S won=S:HJDJ,CJS9,HQSK,CAC9,SASJ,SQCQ;N:DQDT,H9ST",
    ),
    # follow: no card of the suit
    (
        "foster66",
        (VOID, "cl SA CJ"),
        "S",
        "{} S:.J.KQ.T9 N:...,5x H 11xHQ 13/1-0/0 S won=S:SACJ lacks=N:S closed=S0/0",
    ),
    # follow, then trump: a trump tells of the suit, a discard of the trumps too
    (
        "foster66 russian66 german66",
        (PLAIN, "cl SA H9"),
        "S",
        "{} S:.J.KQ.T9 N:...,5x H 11xHQ 0/0-11/1 N won=N:SAH9 lacks=N:S closed=S0/0",
    ),
    (
        "russian66 german66",
        (VOID, "cl SA CJ"),
        "S",
        "{} S:.J.KQ.T9 N:...,5x H 11xHQ 13/1-0/0 S won=S:SACJ lacks=N:S,H closed=S0/0",
    ),
    (
        "schnapsen",
        (SMALL, "cl SA CJ"),
        "S",
        "{} S:.J.KQ.T N:...,4x H 9xHQ 13/1-0/0 S won=S:SACJ lacks=N:S,H closed=S0/0",
    ),
    (
        "foster66 russian66 german66",
        (VOID, "cl HJ D9"),
        "S",
        "{} S:A..KQ.T9 N:...,5x H 11xHQ 2/1-0/0 S won=S:HJD9 lacks=N:H closed=S0/0",
    ),
    # head: a lower card tells that there is no higher one
    (
        "foster66 russian66",
        (VOID, "cl CT CJ"),
        "S",
        "{} S:A.J.KQ.9 N:...,5x H 11xHQ 12/1-0/0 S won=S:CTCJ closed=S0/0",
    ),
    (
        "german66",
        (VOID, "cl CT CJ"),
        "S",
        "{} S:A.J.KQ.9 N:...,5x H 11xHQ 12/1-0/0 S won=S:CTCJ lacks=N:CA closed=S0/0",
    ),
    (
        "schnapsen",
        (SMALL, "cl CT CJ"),
        "S",
        "{} S:A.J.KQ. N:...,4x H 9xHQ 12/1-0/0 S won=S:CTCJ lacks=N:CA closed=S0/0",
    ),
    (
        "german66",
        ("{} S:A.J.K.TQ9 N:..TQJ9.KJ H S9HKHASKDASQSJCAH9STHTHQ 0/0-0/0 S", "cl CT CJ CQ CK"),
        "S",  # of the clubs only the Ace is unseen, so North has none left
        "{} S:A.J.K.9 N:...,4x H 11xHQ 12/1-7/1 N won=S:CTCJ;N:CQCK lacks=N:C closed=S0/0",
    ),
    (
        "german66",
        (VOID.replace("0/0 S", "0/0 N"), "CQm HJ dr cl CT CJ"),
        "S",  # the Ace is the only club unseen, but North is known to hold the King
        "{} S:A9..KQ.9 N:...K,4x H 9xHQ 17/2-0~20/0 S"
        " won=S:CQHJ,CTCJ said=N:C lacks=N:CA closed=S0/0",
    ),
]


@pytest.mark.parametrize(
    ("variant", "deal_line", "words", "side", "line"),
    [
        pytest.param(
            name, start.format(name), words, side, line.format(name), id=f"{name}: {words} ({side})"
        )
        for names, (start, words), side, line in SEEN
        for name in names.split()
    ],
)
def test_what_was_seen(variant: str, deal_line: str, words: str, side: str, line: str) -> None:
    record = record_of(deal_line, words)
    seen = record.views()[-1]["SN".index(side)]
    assert format_view(seen) == line
    assert parse(line) == seen


@pytest.mark.parametrize(
    ("name", "start", "count"),
    [
        ("foster66", VOID, 462),  # of 16 unseen cards the five spades are out: 11 over 5
        ("russian66", VOID, 21),  # and the four trumps: 7 over 5
        ("german66", VOID, 21),
        ("schnapsen", SMALL, 15),  # of 13 the four spades and three trumps: 6 over 4
    ],
)
def test_hands_that_are_left(name: str, start: str, count: int) -> None:
    seen, _ = record_of(start.format(name), "cl SA CJ").views()[-1]
    assert count_hands(seen) == len(set(hands(seen))) == len(list(layouts(seen))) == count


def test_each_is_told_of_the_other_hand_while_it_lasts() -> None:
    record = record_of(VOID.format("russian66"), "cl SA CJ CT CQ DK DT D9 DQ C9 CK DJ HJ")
    lines = [tuple(map(format_view, pair)) for pair in record.views()]
    assert [("lacks=N:S,H " in south, "lacks" in north) for south, north in lines] == [
        (3 <= number < 12, False) for number in range(14)
    ]


def test_an_exchange_after_a_lack_was_proved() -> None:
    """North lacks the trumps that head the King; the Queen, which he takes up then, is no lack."""
    start = "german66 S:A.K.KQ.T9 N:.J9.TJ.AK H S9HASKDASQSJCQCJD9HTSTHQ 0/0-0/0 S"
    record = record_of(start, "cl HK HJ CT CA ex HQ C9")
    seen = [tuple(map(format_view, pair)) for pair in record.views()]
    assert seen[3][SOUTH] == (
        "german66 S:A..KQ.T9 N:...,5x H 11xHQ 6/1-0/0 S won=S:HKHJ lacks=N:HA,HT closed=S0/0"
    )
    assert seen[6][SOUTH] == (
        "german66 S:A..KQ.9 N:.Q..,3x H 11xH9 6/1-21/1 N"
        " won=S:HKHJ;N:CTCA lacks=N:HA,HT closed=S0/0"
    )
    assert seen[8] == (
        "german66 S:A..KQ. N:...,3x H 11xH9 6/1-24/2 N"
        " won=S:HKHJ;N:CTCA,HQC9 lacks=N:H closed=S0/0",
        "german66 S:..TJ.K N:...,3x H 11xH9 24/2-6/1 S"
        " won=S:CTCA,HQC9;N:HKHJ lacks=N:H closed=N0/0",
    )


def test_a_record_that_starts_late_knows_what_its_first_line_tells() -> None:
    record = record_of(PLAIN.format("foster66"), "DKm DT dr CJ DQ dr")
    late = Record(record.positions()[3], record.moves[3:])
    assert late.views() == record.views()[3:]
    with pytest.raises(ValueError, match="tricks won are not known"):
        Record(replace(late.start, won=None)).views()


@pytest.mark.parametrize("name", ALL)
def test_a_reply_forbidden_by_another_card(name: str) -> None:
    """Which cards forbid a reply is the ladder of duties, read backwards."""
    table = replace(parse_position(SMALL.format("schnapsen")), variant=variant_named(name))
    pack = table.variant.pack

    def forbidden(led: str, reply: str) -> Hand:
        first, second = (make_card(SUITS.index(w[0]), RANKS.index(w[1])) for w in (led, reply))
        return forbidding(replace(table, led=first), second)

    duties = table.variant.duties
    spades, hearts = suit_cards(pack, 0), suit_cards(pack, 1)
    assert forbidden("SK", "CJ") == spades | (hearts if "trump" in duties else 0)
    assert forbidden("SK", "HJ") == spades
    assert forbidden("HK", "CJ") == hearts
    assert forbidden("SK", "ST") == forbidden("HK", "HA") == 0
    higher = hand_of(make_card(0, RANKS.index(rank)) for rank in "AT")
    assert forbidden("SK", "SJ") == (higher if "head" in duties else 0)


# ------------------------------------------------------------------- any deal that looks the same


def random_record(name: str, rng: Random, closes: float | None = None) -> Record:
    """Return a deal played at random to its end, closings and exchanges among the moves."""
    start = position = deal(variant_named(name), rng, rng.randrange(2))
    moves: list[Move] = []
    closes = rng.choice([0, 0.15, 0.5]) if closes is None else closes
    while position.over is None:
        legal = [m for m in legal_moves(position) if not is_false_claim(position, m)]
        weights = {
            Kind.CLOSE: closes,
            Kind.CLAIM: 0.05,
            Kind.SHOW: 0.05,
            Kind.EXCHANGE: 2.0,
            Kind.MARRIAGE: 2.0,
        }
        moves += rng.choices(legal, [weights.get(move.kind, 0.5) for move in legal])
        position = play(position, moves[-1])
    return Record(start, tuple(moves))


def bare(position: Position, side: int) -> View:
    """Return what lies before a side's eyes: own hand and the table, no memory."""
    seen = view(position, side)
    return replace(seen, known=0, concealed=seen.known.bit_count() + seen.concealed)


def swapped(record: Record, pairs: dict[Card, Card]) -> list[Position] | None:
    """Return the positions of a deal that differs by these cards, None if it is not a legal one."""
    cards = [*pairs, *pairs.values()]
    mapped = dict(zip(cards, [*pairs.values(), *pairs], strict=True))

    def exchanged(hand: Hand) -> Hand:
        return hand_of(mapped.get(card, card) for card in cards_in(hand))

    south, north = record.start.hands
    start = replace(
        record.start,
        hands=(exchanged(south), exchanged(north)),
        stock=tuple(mapped.get(card, card) for card in record.start.stock),
    )
    if suit_of(start.stock[-1]) != start.trump:
        return None
    try:
        return replace(record, start=start).positions()
    except IllegalMove:
        return None


def looks_the_same(record: Record, side: int, hand: Hand) -> bool:
    """Return whether, for all that a side has seen, the other could hold a hand at the end.

    The deal is dealt and played anew with as few cards changed as can be.
    """
    positions = record.positions()
    true = positions[-1].hands[1 - side]
    pairs = dict(zip(cards_in(true & ~hand), cards_in(hand & ~true), strict=True))
    again = swapped(record, pairs)
    return again is not None and all(
        bare(one, side) == bare(other, side) for one, other in zip(positions, again, strict=True)
    )


def small_moments(name: str, rng: Random, most: int) -> Iterator[tuple[Record, int]]:
    """Yield records cut short where a side has few unseen cards, with that side."""
    whole = random_record(name, rng, closes=0.5)
    for length, position in enumerate(whole.positions()):
        for side in (SOUTH, NORTH):
            seen = bare(position, side)
            if seen.concealed and count_hands(seen) <= most:
                yield replace(whole, moves=whole.moves[:length]), side


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_all_hands_that_look_the_same_and_no_other(name: str) -> None:
    """In closed hands and late in the deal, over every hand that the unseen cards can make."""
    rng = Random(name)
    moments = told = 0
    while moments < 120 or told < 20:
        for record, side in small_moments(name, rng, 130):
            seen = record.views()[-1][side]
            start = bare(record.positions()[-1], side)
            unseen = list(cards_in(start.unseen))
            expected = {
                hand
                for hand in map(hand_of, combinations(unseen, start.concealed))
                if looks_the_same(record, side, hand)
            }
            assert set(hands(seen)) == expected, format_record(record)
            moments += 1
            told += bool(seen.lacks)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(NAMES), st.integers(0, 2**32))
def test_one_card_swapped(name: str, seed: int) -> None:
    """At every moment: the other side can hold another card instead, if and only if the deal
    could have gone the same way; and then the side that does not see it is told the same.
    """
    rng = Random(seed)
    record = random_record(name, rng)
    told = record.views()
    for length in rng.sample(range(len(told)), 6):
        part = replace(record, moves=record.moves[:length])
        position = part.positions()[-1]
        for side, seen in enumerate(told[length]):
            held = position.hands[1 - side]
            others = list(cards_in(bare(position, side).unseen & ~held))
            if not held or not others:
                continue
            old, new = rng.choice(list(cards_in(held))), rng.choice(others)
            changed = held ^ 1 << old ^ 1 << new
            possible = changed & ~(seen.unseen & ~seen.lacks) == seen.known
            assert looks_the_same(part, side, changed) == possible, format_record(part)
            if possible:
                again = swapped(part, {old: new})
                assert again is not None
                *_, last = views(again[0], part.moves)
                assert last[side] == seen


def in_order(position: Position) -> Position:
    """Return a position with the face-down cards of a closed stock in the order of the pack."""
    if position.closed is None:
        return position
    return replace(position, stock=(*sorted(position.stock[:-1]), position.stock[-1]))


@settings(max_examples=60)
@given(st.sampled_from(NAMES), st.integers(0, 2**32))
def test_the_truth_is_always_possible(name: str, seed: int) -> None:
    record = random_record(name, Random(seed))
    for position, pair in zip(record.positions(), record.views(), strict=True):
        for side, seen in enumerate(pair):
            held = position.hands[1 - side]
            assert seen.known == held & ~seen.unseen
            assert not held & seen.lacks
            assert (seen.hand, seen.led) == (position.hands[side], position.led)
            line = format_view(seen)
            assert parse(line) == seen
            assert not seen.lacks or (seen.closed is not None and seen.concealed)
            if count_layouts(seen) <= 200:
                truth = position if side == SOUTH else swap_sides(position)
                assert in_order(truth) in map(in_order, layouts(seen))


# -------------------------------------------------------------------------------------- records


@settings(max_examples=100)
@given(st.sampled_from(NAMES), st.integers(0, 2**32))
def test_records_of_every_variant_come_back(name: str, seed: int) -> None:
    rng = Random(seed)
    record = random_record(name, rng)
    match = rng.choice([None, (rng.randrange(7), rng.randrange(7))])
    start = replace(record.start, carry=rng.randrange(3), match=match)
    record = Record(start, record.moves[: rng.randint(0, 60)], {"South": "Ann", "Date": "1914"})
    text = format_record(record)
    assert parse_record(text) == record
    assert text.splitlines()[:4] == [
        '[Format "1"]',
        f'[Result "{result_of(record)}"]',
        '[South "Ann"]',
        '[Date "1914"]',
    ]
    assert text.splitlines()[5].split()[0] == name
    assert record.positions()[0].variant is variant_named(name)


def result_of(record: Record) -> str:
    over = record.positions()[-1].over
    if over is None:
        return "*"
    return "0" if over.winner is None else f"{'SN'[over.winner]}+{over.game_points}"


@pytest.mark.parametrize(
    ("name", "words", "result"),
    [
        ("foster66", "cl HJ D9 66", "N+3"),
        ("russian66", "cl HJ D9 66", "N+4"),
        ("russian66~six", "cl HJ D9 66", "N+6"),
        ("german66", "cl HJ D9 66", "N+2"),
        ("foster66", "SA CJ dr 66", "N+3"),
        ("russian66", "DK DT dr 66", "S+4"),
    ],
)
def test_the_result_is_written(name: str, words: str, result: str) -> None:
    """Announcing wrongly; what that costs is the row's."""
    text = format_record(record_of(VOID.format(name), words))
    assert f'[Result "{result}"]' in text
    over = parse_record(text).positions()[-1].over
    assert over == Outcome("SN".index(result[0]), int(result[2:]))


@pytest.mark.parametrize(
    ("name", "start", "words", "wrong", "why"),
    [
        ("foster66", PLAIN, "cl CT", "H9", "North must follow suit with one of the clubs held"),
        ("russian66", PLAIN, "cl SA", "DJ", "North must play a trump"),
        ("german66", PLAIN, "cl SA", "DJ", "North must play a trump"),
        ("german66", PLAIN, "cl CT", "CJ", "North must beat the Ten of clubs with a higher card"),
        ("schnapsen", SMALL, "cl DQ", "DJ", "North must beat the Queen of diamonds with a higher"),
        ("foster66", PLAIN, "SA", "SA", "North does not hold the Ace of spades"),
        (
            "foster66",
            PLAIN,
            "SA CJ",
            "CT",
            "must draw (dr) or close (cl) before leading",
        ),
        ("schnapsen", SMALL, "SA CJ", "CT", "must draw (dr) before leading"),
        ("schnapsen", SMALL, "SA CJ", "cl", "closing waits until both have drawn"),
        ("schnapsen", SMALL, "SA CJ", "ex", "South must draw (dr) before exchanging"),
        ("schnapsen", SMALL, "cl", "ex", "South may not exchange once the stock is closed"),
        (
            "schnapsen",
            SMALL,
            "SA CJ",
            "DKQ!",
            "South must draw (dr) before a marriage can",
        ),
        ("foster66", PLAIN, "SA", "ex", "North must win a trick before exchanging"),
        ("foster66", PLAIN, "", "ex", "South does not hold the Nine of hearts"),
        ("russian66", PLAIN, "DK DT dr CJ CT dr DQ", "ex", "North may exchange only with the lead"),
        ("russian66", PLAIN, "DK DT cl", "ex", "North may not exchange once the stock is closed"),
        ("german66", PLAIN, "DK DT cl", "ex", "North may not exchange once the stock is closed"),
        ("german66", PLAIN, "cl", "DKm", "marriages no longer count"),
        ("german66", PLAIN, "SA CJ cl", "DKQ!", "marriages no longer count"),
        ("foster66", PLAIN, "", "DKQ!", "South must win a trick before a marriage can be shown"),
        ("foster66", PLAIN, "", "SKQ!", "South does not hold the King of spades"),
        ("foster66", PLAIN, "cl", "cl", "the stock is closed already"),
        ("foster66", PLAIN, "", "dr", "there is nothing to draw now"),
        ("foster66", PLAIN, "SA", "66", "North must first play a card to the Ace of spades"),
        ("foster66", ENDING, "CA C9 dr", "cl", "too few face-down cards of the stock"),
        (
            "schnapsen~early",
            SMALL_ENDING,
            "",
            "cl",
            "too few face-down cards of the stock",
        ),
    ],
)
def test_an_illegal_move_in_the_middle(
    name: str, start: str, words: str, wrong: str, why: str
) -> None:
    """The error tells which move, which word, why not, and what was legal."""
    line = start.format(name)
    with pytest.raises(NotationError) as caught:
        parse_record(f"{line}\n\n{words} {wrong} dr dr dr\n")
    error = caught.value
    assert (error.line, error.field) == (3, f"move {len(words.split()) + 1}")
    assert error.column == len(words) + 2
    assert error.found == repr(wrong)
    assert why in error.expected
    legal = legal_moves(record_of(line, words).positions()[-1])
    assert f"a legal move ({' '.join(map(format_move, legal))}): " in error.expected


@pytest.mark.parametrize("name", ALL)
def test_an_illegal_move_at_random(name: str) -> None:
    """Wherever a deal is broken off and goes on wrongly, the error names that place."""
    rng = Random(name)
    for _ in range(30):
        record = random_record(name, rng)
        at = rng.randrange(len(record.moves))
        position = record.positions()[at]
        legal = legal_moves(position)
        cards = [Move(Kind.CARD, card) for card in cards_in(position.variant.pack)]
        others = [CLOSE, DRAW, EXCHANGE, CLAIM]
        wrong = format_move(rng.choice([move for move in cards + others if move not in legal]))
        words = [*map(format_move, record.moves[:at]), wrong, "dr"]
        with pytest.raises(NotationError) as caught:
            parse_record("\n".join([format_table(record.start), *words]))
        error = caught.value
        assert (error.line, error.column, error.field) == (at + 2, 1, f"move {at + 1}")
        assert f"({' '.join(map(format_move, legal))}): " in error.expected


FINISHED = """[Format "1"]
[Result "S+3"]
[Event "Evening"]

{}

cl SA H9 CA C9
66
"""


def test_a_finished_deal_that_is_cut_short() -> None:
    """Wherever it ends, in a move, between moves or before them, there is one error."""
    whole = FINISHED.format(PLAIN.format("foster66"))
    assert parse_record(whole).positions()[-1].over == Outcome(SOUTH, 3)
    for length in range(len(whole.rstrip())):
        with pytest.raises(NotationError) as caught:
            parse_record(whole[:length])
        assert len(str(caught.value).splitlines()) == 1
        assert caught.value.line == whole[:length].count("\n") + 1 or whole[:length].endswith("\n")
    with pytest.raises(NotationError) as caught:
        parse_record(whole[: whole.index("66\n")])
    assert str(caught.value) == (
        "line 7, column 15, record: found the end of the text after 5 moves, "
        "expected moves that come to the Result of the tags, 'S+3'"
    )


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("N+3", "a deal that ends S+3"),
        ("S+2", "a deal that ends S+3"),
        ("0", "a deal that ends S+3"),
        ("*", "a deal that ends S+3"),
        ("", "a deal that ends S+3"),
        ("1-0", "a deal that ends S+3"),
    ],
)
def test_another_result_than_the_moves_give(told: str, found: str) -> None:
    text = FINISHED.format(PLAIN.format("foster66")).replace("S+3", told)
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert (caught.value.line, caught.value.field, caught.value.found) == (8, "record", found)


def test_a_deal_in_the_middle_has_no_result_yet() -> None:
    record = record_of(PLAIN.format("foster66"), "cl SA")
    text = format_record(record)
    assert '[Result "*"]' in text
    assert parse_record(text) == parse_record(text.replace('[Result "*"]\n', "")) == record


def test_the_result_is_no_tag_to_choose() -> None:
    record = record_of(PLAIN.format("foster66"), "cl SA")
    with pytest.raises(NotationError, match="not Format or Result") as caught:
        format_record(replace(record, tags={"Result": "S+3"}))
    assert (caught.value.field, caught.value.line) == ("tag", 3)
    with pytest.raises(IllegalMove, match="North does not hold the Ace of spades"):
        format_record(replace(record, moves=(*record.moves, record.moves[-1])))
