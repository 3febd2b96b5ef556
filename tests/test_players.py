"""The players: they keep to the rules, see no concealed card, and get better up the ladder."""

from itertools import islice
from random import Random

import pytest

from tables import F1, F2
from trainer.notation import format_move, parse, parse_position
from trainer.players import (
    LADDER,
    Looking,
    Player,
    Sampling,
    careless,
    face_up,
    fair,
    forgetful,
    play_out,
    strong,
)
from trainer.rules import NORTH, SOUTH, VARIANTS, Move, Position, View, deal, play, view
from trainer.rules.knowledge import views
from trainer.rules.position import count_layouts, layouts, swap_sides
from trainer.search import DoubleDummy

QUICK = [careless, forgetful, fair, Looking(1, 1), Looking(2, 2)]
ENDING = "foster66 S:AQ.T9.. N:.AQ.A.9 C - 110/5-21/3 S"


def chosen(player: Player, line: str, seed: int = 1) -> str:
    table = parse(line)
    view = table if isinstance(table, View) else face_up(table)
    return format_move(player(view, Random(seed)))


def late(variant: str, seed: int, stock: int) -> Position:
    """A position with so few cards in the open stock, somebody on lead."""
    rng = Random(seed)
    while True:
        start = deal(VARIANTS[variant], rng)
        for position, _, _ in play_out(start, (careless, careless), rng):
            if len(position.stock) == stock and position.led is None and not position.undrawn:
                return position


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", QUICK)
def test_a_deal_is_played_to_its_end_from_either_side(player: Player, variant: str) -> None:
    for pone in (SOUTH, NORTH):
        start = deal(VARIANTS[variant], Random(3), pone)
        *_, (position, both, move) = play_out(start, (player, careless), Random(5))
        assert play(position, move).over is not None
        assert both[position.turn].turn == SOUTH  # a view is South's, whoever it is


def test_what_a_player_is_given_is_what_its_side_has_seen() -> None:
    """All that was shown and proved, from the first card on; not only what the table shows."""
    given: list[View] = []

    def recording(view: View, rng: Random) -> Move:
        given.append(view)
        return fair(view, rng)

    more = 0
    for seed in range(6):
        given.clear()
        start = deal(VARIANTS["foster66"], Random(seed))
        played = list(play_out(start, (recording, recording), Random(2)))
        seen = list(views(start, [move for _, _, move in played]))
        assert [both for _, both, _ in played] == seen[:-1]
        assert given == [both[position.turn] for position, both, _ in played]
        more += sum(both != (view(at, SOUTH), view(at, NORTH)) for at, both, _ in played)
    assert more


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        (name, variant)
        for rung, name in enumerate(LADDER)
        for variant in (VARIANTS if rung < 4 else ["russian66", "schnapsen"])
    ],
)
def test_no_player_sees_a_concealed_card(name: str, variant: str) -> None:
    """With other cards in the other hand and in the stock the choice is the same."""
    position = late(variant, 4, stock=4)
    if list(LADDER).index(name) % 2:  # as either side
        position = swap_sides(position)
    side = position.turn
    players = [LADDER[name]] * 2
    _, both, move = next(play_out(position, players, Random(9)))
    assert count_layouts(both[side]) > 2
    for other in islice(layouts(both[side]), 1, None, count_layouts(both[side]) // 2):
        swapped = other if side == SOUTH else swap_sides(other)
        assert (swapped.hands, swapped.stock) != (position.hands, position.stock)
        assert next(play_out(swapped, players, Random(9)))[2] == move


def test_who_sees_every_card_has_one_layout() -> None:
    position = parse_position(ENDING)
    assert next(layouts(face_up(position))) == position
    assert count_layouts(face_up(position)) == 1
    opened = late("schnapsen", 1, stock=4)
    assert list(layouts(face_up(opened))) == [opened]


def test_who_is_careless_declares_where_showing_wins_at_once() -> None:
    home = (
        "foster66 S:KQ..J.J9 N:TJ.AT..Q H HKHJH9DKDQHQ 46/3-11/1 S"
        " won=S:CKCA,CTDT,DAD9;N:S9SA closed=S11/1"
    )
    assert chosen(careless, home) == "SKm"
    assert {chosen(player, home) for player in (fair, Looking(1, 1), strong)} == {"SKQ!"}


def test_who_is_forgetful_neither_draws_nor_exchanges_nor_declares() -> None:
    undrawn = "foster66 S:KJ9.9.9. N:.K.ATQ.Q H C9HT 18/2-55/4 S undrawn"
    assert (chosen(forgetful, undrawn), chosen(careless, undrawn)) == ("cl", "ex")
    pair = "russian66 S:A.TKQ.KQ. N:TJ9..A.Q9 H SKSQHJH9DTDJD9CACTHA 6/1-0/0 S won=S:CKCJ"
    assert (chosen(forgetful, pair), chosen(careless, pair)) == ("SA", "HKm")
    led = "russian66 S:AQ.9.KJ.Q N:...,5x H 9xHA 0/0-2/1 S ST won=N:C9CJ"
    assert (chosen(forgetful, led), chosen(careless, led)) == ("H9", "SA")


def test_a_ten_is_taken_with_its_ace() -> None:
    led = "russian66 S:AQ.9.KJ.Q N:...,5x H 9xHA 0/0-2/1 S ST won=N:C9CJ"
    assert {chosen(player, led) for player in (careless, fair, Looking(2, 1))} == {"SA"}


def test_the_strong_player_closes_with_the_count_of_35_and_leads_the_ace() -> None:
    assert chosen(careless, F2) == "SKm"
    assert chosen(strong, F2) == "cl"
    assert chosen(strong, F2 + " closed=S11/1") == "DA"


def test_the_strong_player_closes_for_schneider() -> None:
    assert chosen(strong, F1) == "cl"


def endings(variant: str, cards: int, count: int) -> list[Position]:
    """Positions with the stock gone and so many cards in either hand, somebody on lead."""
    found = []
    for seed in range(count):
        start = deal(VARIANTS[variant], Random(seed))
        for position, _, _ in play_out(start, (careless, careless), Random(seed)):
            if not position.stock and position.led is None:
                size = position.hands[SOUTH].bit_count()
                if size == cards:
                    found.append(position if position.turn == SOUTH else swap_sides(position))
    return found


def lost(player: Player, positions: list[Position]) -> int:
    """What a player loses in all against best play, in game points, every card seen."""
    solver = DoubleDummy()
    total = 0
    for number, position in enumerate(positions):
        values = solver.evaluate_moves(position)
        total += max(values.values()) - values[player(face_up(position), Random(number))]
    return total


@pytest.mark.parametrize("variant", ["foster66", "schnapsen"])
def test_the_higher_on_the_ladder_the_less_is_lost(variant: str) -> None:
    positions = endings(variant, 5, 60)
    assert len(positions) > 20
    losses = [lost(player, positions) for player in (careless, fair, Looking(1, 2), Sampling(1))]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[2] >= losses[3] == 0


def test_three_tricks_ahead_three_cards_are_played_perfectly() -> None:
    positions = endings("schnapsen", 3, 120)
    assert lost(Looking(1, 3), positions) == 0 < lost(Looking(1, 1), positions)


def test_the_ladder_goes_from_the_careless_to_the_strong() -> None:
    first, *_, last = LADDER.values()
    assert (first, last) == (careless, strong)
