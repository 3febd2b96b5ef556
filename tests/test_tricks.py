"""The tricks that are shown one at a time for counting."""

import json

import pytest

from trainer.notation import NotationError
from trainer.rules import IllegalMove
from trainer.widgets.tricks import Tricks

DEAL = "foster66 S:TQ.J.K.TJ N:AJ9.T9..9 H CKHAD9DJDADTCAHQDQSKCQHK 0/0-0/0 S"
MOVES = "CJ H9 dr S9 ST dr D9 C9 dr DK DT"


def test_every_trick_is_told_with_its_winner_and_without_its_count() -> None:
    shown = Tricks(DEAL, MOVES)
    assert [trick["text"] for trick in shown.tricks] == [
        "You led the Jack of clubs, North played the Nine of hearts. North wins it.",
        "North led the Nine of spades, you played the Ten of spades. You win it.",
        "You led the Nine of diamonds, North played the Nine of clubs. You win it.",
        "You led the King of diamonds, North played the Ten of diamonds. North wins it.",
    ]
    assert [card["sign"] for card in shown.tricks[3]["cards"]] == ["♦\u2009K", "♦\u200910"]
    assert shown.tricks[0]["cards"][0]["colour"] != shown.tricks[0]["cards"][1]["colour"]
    assert "point" not in json.dumps(shown.tricks)


def test_without_a_kernel_it_is_a_list_and_half_a_trick_is_left_out() -> None:
    data, _ = Tricks(DEAL, "CJ H9 dr S9")._repr_mimebundle_()
    assert data["text/html"].count("<li>") == 1
    assert "Jack of clubs" in data["text/html"]


def test_a_line_or_a_move_that_is_wrong_is_refused() -> None:
    with pytest.raises(NotationError):
        Tricks(DEAL.replace("0/0-0/0", "1/0-0/0"), MOVES)
    with pytest.raises(NotationError, match="move"):
        Tricks(DEAL, "CJ and then")
    with pytest.raises(IllegalMove):
        Tricks(DEAL, "CA")
