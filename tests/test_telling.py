"""What the lessons count, and the words they tell it in."""

import pytest

from tables import F2, card
from trainer.notation import NotationError, format_table, parse, parse_position
from trainer.rules.cards import SUITS, suit_cards
from trainer.rules.play import marriages
from trainer.rules.position import SOUTH, hands
from trainer.search import Study
from trainer.widgets import telling
from trainer.widgets.table import CardTable
from trainer.widgets.telling import (
    at_once,
    best_of,
    cannot_be_beaten,
    counted,
    history,
    in_a_sentence,
    losing,
    markdown_table,
    marriages_at_random,
    played,
    results,
    rule_books,
    same,
    scorer,
    sign,
    signs,
    studied,
    the_best,
    the_rest,
    won,
    worth,
)

SEEN = (
    "foster66 S:.K..T N:...,2x D xDQ 62/6-9/3 S "
    "won=S:SJDK,SQS9,CKDT,SASK,HTHQ,D9DA;N:HJH9,CJDJ,C9CQ closed=S6/2"
)
LAST_DRAW = "foster66 S:A.J.AK.TJ N:...,6x H xH9 28/3-7/2 S won=S:SJHA,DJHT,SQS9;N:D9C9,CQHK"


def test_an_answer_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = at_once(counted(F2, "cl DA"))
    assert won(first) == "434 of 462"
    assert results(first.values) == "**+2** in 434 and **−2** in 28 of the 462 hands"
    diamonds = SUITS.index("D")
    assert losing(first) == {hand for hand in hands(parse(F2)) if not suit_cards(hand, diamonds)}
    monkeypatch.setattr(Study, "_count", None)
    assert at_once(counted(F2, "cl DA")) is first
    with pytest.raises(NotationError):
        at_once(counted(F2, "XX"))


def test_only_the_latest_positions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "KEPT", 1)
    study = at_once(studied(SEEN))
    assert at_once(studied(SEEN)) is study
    assert set(study.tallies) == set(study.answers)
    at_once(counted(F2, "cl DA"))
    assert at_once(studied(SEEN)) is not study


def test_results_are_told_in_words() -> None:
    assert results([1, 1, 1]) == "**+1** in all three hands"
    assert results([-2, 3, 1, 3], "layouts") == (
        "**+3** in two, **+1** in one and **−2** in one of the four layouts"
    )


def test_the_figures_of_a_table_are_waited_for() -> None:
    table = CardTable(LAST_DRAW, record=None)
    table.answer("cl SA")
    report = at_once(the_rest(table))
    closing, staying = best_of(report, closing=True), best_of(report, closing=False)
    assert in_a_sentence(closing) == "close the stock, then lead the Ace of spades"
    assert the_best(report) == "close the stock, then lead the Ace of spades"
    assert worth(closing) == "+1.57 game points"
    assert in_a_sentence(staying).startswith("lead the")
    assert same(closing.game_points, 11 / 7)
    assert not same(closing.game_points, 1.57)


def test_the_other_rule_books_are_compared() -> None:
    german = F2.replace("foster66", "german66")
    rows = at_once(rule_books([F2, german], "cl DA", samples=2)).splitlines()
    assert rows[0] == (
        "| game | best choice | game points | Close the stock, then lead the Ace of diamonds "
        "| hands won |"
    )
    assert rows[1] == "| --- | --- | --: | --: | --: |"
    assert rows[2].startswith("| Sixty-Six after Foster | close the stock, then lead the Ace of")
    assert rows[2].endswith("| +1.76 | +1.76 | 434 of 462 |")
    assert rows[3].startswith("| Modern German Sixty-Six | ")
    assert rows[3].endswith("| −2 | 0 of 462 |")


def test_face_up_and_where_a_choice_is_not_allowed_the_table_says_so() -> None:
    line = (
        "foster66 S:TQJ..9. N:9..AT. D SKDQHQSAC9H9DKHKCQCACTDJ 6/1-21/1 S CJ "
        "won=S:CKHJ;N:HTHA closed=S0/0"
    )
    russian = line.replace("foster66", "russian66")
    rows = at_once(rule_books([line, russian], "SQ")).splitlines()
    assert rows[0].endswith("| game points | Play the Queen of spades |")
    assert rows[3].endswith("| not allowed |")


def test_cards_and_tricks_in_words() -> None:
    assert sign(card("ST")) == "♠10"
    assert signs([card("ST"), card("HA"), card("D9")], "or") == "♠10, ♥A or ♦9"
    assert history(F2) == (
        "You have won **♣K ♣A** and **♣10 ♦10**: 35 card points. "
        "North has won **♠9 ♠A**: 11 card points."
    )
    assert history(SEEN).startswith("You have won **♠J ♦K**, ")
    with pytest.raises(ValueError, match="does not tell the tricks"):
        history("foster66 S:TQ..9.J N:9..AT. D SKDQHQSAC9H9DKHKCQCACTDJ 6/1-21/1 S SJ closed=S0/0")


def test_figures_stand_to_the_right() -> None:
    table = markdown_table(["card", "worth", "left"], [["♠10", "10", "–"], ["♥9", "+0", "x"]])
    assert table.splitlines()[1] == "| --- | --: | --- |"


MARRIAGE = "foster66 S:KQ.A.Q. N:AT.T..T C - 37/4-21/4 S"


def test_positions_dealt_at_random_can_arise_and_are_the_same_again() -> None:
    dealt = list(marriages_at_random(parse(MARRIAGE), 20))
    assert dealt == list(marriages_at_random(parse(MARRIAGE), 20))
    assert len({position.hands for position, _ in dealt}) == 20
    for position, suit in dealt:
        assert parse(format_table(position)) == position
        assert suit != position.trump
        assert suit in marriages(position.hands[SOUTH])
        assert position.tricks[SOUTH] > 0
        assert max(position.card_points) < position.variant.goal
        assert [hand.bit_count() for hand in position.hands] == [4, 4]


def test_a_card_that_cannot_be_beaten() -> None:
    position = parse(MARRIAGE)
    sure = {word: cannot_be_beaten(position, card(word)) for word in ("HA", "SK", "DQ")}
    assert sure == {"HA": True, "SK": False, "DQ": False}  # the Queen can be ruffed


def test_who_scores_at_the_end_of_a_deal() -> None:
    both = "foster66 S:..J. N:...Q C - 68/5-67/6 N said=S:D"
    assert played(both, "CQ DJ").card_points == (68, 82)
    assert scorer(played(both, "CQ DJ")) == "nobody"
    closed = "foster66 S:K... N:J... S DKD9CQHASADAC9S9 52/4-22/3 N closed=S10/2"
    assert scorer(played(closed, "SJ SK")) == "North, 2"
    assert scorer(played("foster66 S:A.K.. N:K...J S - 66/4-33/6 S", "66")) == "you, 1"
    with pytest.raises(ValueError, match="not over"):
        scorer(parse_position(both))
    with pytest.raises(NotationError):
        played(F2, "cl DA")
