"""Why, in words: every sentence is checked again by a search of the test's own."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tables import F1, F2, LONG_RUNS, at_random, cards, with_north
from trainer import explain
from trainer.explain import Reason, against, case, only_on_average, sentence, why
from trainer.explain.layouts import Results, describe
from trainer.grading import Choice, Report, grade, report, reports
from trainer.notation import format_position, parse_answer, parse_position, parse_view
from trainer.rules import (
    NORTH,
    SOUTH,
    VARIANTS,
    Kind,
    Move,
    Position,
    View,
    deal,
    play,
    view,
)
from trainer.rules.cards import (
    KING,
    QUEEN,
    RANK_NAMES,
    SUIT_NAMES,
    cards_in,
    make_card,
    suit_cards,
    suit_of,
)
from trainer.rules.play import legal_moves, sensible_moves
from trainer.rules.position import CLOSE, EXCHANGE, count_hands, count_layouts, hands, layouts
from trainer.search import Answer, DoubleDummy, decides, play_answer

Facts = dict[str, Any]
SLOW_MISTAKES = 500 * LONG_RUNS
MISTAKES = 80

# ------------------------------------------------------------------------------- mined positions


def positions(seed: int, most_stock: int = 6) -> Iterator[Position]:
    """Positions of random deals of every variant, in every late stage, some closed or carrying."""
    rng = Random(seed)
    while True:
        for row in VARIANTS.values():
            start = replace(deal(row, rng, pone=rng.randrange(2)), carry=rng.choice([0, 0, 0, 1]))
            if rng.random() < 0.1:
                start = replace(start, match=(rng.randrange(7), rng.randrange(7)))
            played = at_random(start, rng, without="66 ! cl")
            late = [p for p in played if p.over is None and len(p.stock) <= most_stock]
            if rng.random() < 0.3:
                closing = [p for p in late if CLOSE in legal_moves(p)]
                if closing:
                    closed = play(rng.choice(closing), CLOSE)
                    late = at_random(closed, rng, without="66 !")
            late = [p for p in late if p.over is None]
            if late:
                yield rng.choice(late)


def mistakes(count: int, seed: int) -> Iterator[tuple[Report, Choice]]:
    """Choices worth at least one game point less than the best."""
    rng = Random(f"mistakes {seed}")
    for position in positions(seed):
        found = report(position)
        worse = [choice for choice in found.choices if choice.loss >= 1]
        if worse:
            count -= 1
            yield found, rng.choice(worse)
            if not count:
                return


def right_choices(count: int, seed: int) -> Iterator[tuple[Report, Choice]]:
    """Best choices, where there are others."""
    rng = Random(f"right {seed}")
    for position in islice(positions(seed), count):
        found = report(position)
        yield found, rng.choice([choice for choice in found.choices if choice.best])


# --------------------------------------------------------------------- each fact, searched again


class Look:
    """A position as the test sees it: values for the side to move there, in game points."""

    def __init__(self, position: Position, best: int) -> None:
        self.position = position
        self.me, self.north = position.turn, 1 - position.turn
        self.row = position.variant
        self.best = best
        self.solver = DoubleDummy()

    def worth(self, position: Position, **columns: Any) -> int:
        solver = self.solver
        if columns:
            solver = DoubleDummy()
            position = replace(position, variant=replace(self.row, **columns))
        value = solver.value(position)
        return value if position.turn == self.me else -value

    def after(self, answer: Answer) -> Position:
        return play_answer(self.position, answer)

    def points(self, position: Position, mine: int = 0, theirs: int = 0) -> Position:
        """The position with card points added."""
        changes = {self.me: mine, self.north: theirs}
        south, north = (position.card_points[side] + changes[side] for side in (SOUTH, NORTH))
        return replace(position, card_points=(south, north))

    def lead(self, position: Position, side: int) -> Position:
        assert position.led is None
        assert not position.open_stock
        return replace(position, turn=side)

    def hand(self, position: Position, side: int, out: int, new: int) -> Position:
        """The position with another card in a hand; the new one must be out of play."""
        in_play = position.hands[0] | position.hands[1]
        assert in_play >> out & 1
        assert not in_play >> new & 1
        assert new not in position.stock
        assert new != position.led
        changed = list(position.hands)
        changed[side] ^= 1 << out | 1 << new
        return replace(position, hands=(changed[0], changed[1]), won=None)

    def harmless(self, out: int, then: Position | None = None) -> int:
        """A plain card out of play, of another suit and no King or Queen, the lowest."""
        seen = self.position.hands[0] | self.position.hands[1]
        seen |= 0 if then is None else then.hands[0] | then.hands[1]
        for each in (*self.position.stock, self.position.led):
            seen |= 0 if each is None else 1 << each
        gone = [
            each
            for each in cards_in(self.row.pack & ~seen)
            if suit_of(each) not in (suit_of(out), self.position.trump)
            and each & 7 not in (KING, QUEEN)
        ]
        return min(gone, key=lambda each: (self.row.value(each), each))

    def refutations(self, answer: Answer) -> dict[Any, Position]:
        then = self.after(answer)
        if then.over is not None or then.turn == self.me:
            return {}
        replies = {move: play(then, move) for move in sensible_moves(then)}
        return {move: p for move, p in replies.items() if self.worth(p) < self.best}

    def beats(self, reply: int, led: int) -> bool:
        return self.row.beats(reply, led, self.position.trump)

    def before(self, answer: Answer) -> Position:
        return play_answer(self.position, answer[:-1])


Check = Callable[[Look, Facts], bool]
CHECKS: dict[str, Check] = {}


def check(*kinds: str) -> Callable[[Check], Check]:
    def add(function: Check) -> Check:
        for kind in kinds:
            CHECKS[kind] = function
        return function

    return add


@check("falls", "trumped")
def taken(look: Look, facts: Facts) -> bool:
    answer, takers, matters = facts["answer"], facts["takers"], facts["matters"]
    led = answer[-1].card
    refuting = look.refutations(answer)
    assert {move.card for move in refuting} == set(takers)
    assert all(look.beats(taker, led) for taker in takers)
    value = {taker: look.row.value(led) + look.row.value(taker) for taker in takers}
    assert facts["points"] in value.values()
    for move, then in refuting.items():
        less = look.points(then, theirs=-value[move.card])
        match matters:
            case "points":
                assert look.worth(less) >= look.best
            case "lead":
                assert look.worth(look.lead(then, look.me)) >= look.best
            case "both":
                assert look.worth(look.lead(less, look.me)) >= look.best
            case "first":
                assert look.before(answer).tricks[look.north] == 0
                assert look.best - look.position.carry == 3
                assert 0 < look.worth(then) < look.best
            case "trick":
                others = [m for m in sensible_moves(look.after(answer)) if m not in refuting]
                assert any(m.kind is Kind.CARD for m in others)
    return True


@check("only reply")
def only_reply(look: Look, facts: Facts) -> bool:
    (move,) = look.refutations(facts["answer"])
    assert not look.beats(move.card, facts["answer"][-1].card)
    assert len(sensible_moves(look.after(facts["answer"]))) > 1
    return bool(move.card == facts["reply"])


@check("throws points")
def throws(look: Look, facts: Facts) -> bool:
    thrown, instead = facts["answer"][-1].card, facts["instead"]
    assert look.row.value(thrown) - look.row.value(instead) == facts["points"]
    led = look.position.led
    assert led is not None
    assert not look.beats(thrown, led)
    assert not look.beats(instead, led)
    then = look.after(facts["answer"])
    return look.worth(look.points(then, theirs=-facts["points"])) >= look.best


@check("lets it go")
def lets_go(look: Look, facts: Facts) -> bool:
    led, mine = look.position.led, facts["answer"][-1].card
    assert led is not None
    assert look.beats(facts["winner"], led)
    assert not look.beats(mine, led)
    then = look.after(facts["answer"])
    points = look.row.value(led) + look.row.value(mine)
    if facts["matters"] == "lead":
        return look.worth(look.lead(then, look.me)) >= look.best
    assert facts["points"] == points
    if facts["matters"] == "first":
        return look.position.tricks[look.north] == 0 and look.best - look.position.carry == 3
    gain = look.row.value(led) + look.row.value(facts["winner"])
    return look.worth(look.points(then, mine=gain, theirs=-points)) >= look.best


@check("must be won")
def must_win(look: Look, facts: Facts) -> bool:
    led, then = look.position.led, look.before(facts["answer"])
    assert led is not None
    assert look.beats(facts["winner"], led)
    assert facts["points"] == look.row.value(led) + look.row.value(facts["answer"][-1].card)
    lost = [m for m in sensible_moves(then) if m.card and not look.beats(m.card, led)]
    return max(look.worth(play(then, move)) for move in lost) < look.best


@check("must be left")
def must_be_left(look: Look, facts: Facts) -> bool:
    led, then = look.position.led, look.before(facts["answer"])
    assert led is not None
    won = [m for m in sensible_moves(then) if m.card and look.beats(m.card, led)]
    return max(look.worth(play(then, move)) for move in won) < look.best


@check("takes too little")
def takes_dear(look: Look, facts: Facts) -> bool:
    led, mine = look.position.led, facts["answer"][-1].card
    assert led is not None
    assert look.beats(mine, led)
    assert look.beats(facts["dear"], led)
    assert look.row.value(facts["dear"]) - look.row.value(mine) == facts["points"] > 0
    then = look.points(look.after(facts["answer"]), mine=facts["points"])
    return look.worth(then) >= look.best


@check("unguarded")
def unguarded(look: Look, facts: Facts) -> bool:
    then, alone, catcher = look.after(facts["answer"]), facts["alone"], facts["catcher"]
    held = suit_cards(then.hands[look.me], suit_of(alone))
    assert held == 1 << alone
    assert look.beats(catcher, alone)
    assert then.hands[look.north] >> catcher & 1
    harmless = look.hand(then, look.north, catcher, look.harmless(catcher))
    return look.worth(harmless) >= look.best


@check("keep", "keep to take", "keep a guard")
def keep(look: Look, facts: Facts) -> bool:
    kept, then = facts["kept"], look.after(facts["best"])
    assert then.hands[look.me] >> kept & 1
    worse = look.worth(look.after(facts["answer"]))
    without = look.hand(then, look.me, kept, look.harmless(kept))
    assert look.worth(without) <= worse < look.best
    feared = facts.get("caught", facts.get("threat"))
    if feared is None:
        return True
    assert look.beats(kept, feared) or facts.get("guarded") is not None
    gone = look.after(facts["answer"])
    return look.worth(look.hand(gone, look.north, feared, look.harmless(feared))) >= look.best


@check("last trump", "trumps")
def trumps(look: Look, facts: Facts) -> bool:
    trump = look.position.trump
    then = look.after(facts["answer"])
    held = look.before(facts["answer"]).hands[look.north]
    assert set(facts["trumps"]) == set(cards_in(suit_cards(held, trump)))
    assert suit_of(facts["lead"]) == trump
    for each in facts["trumps"]:
        then = look.hand(then, look.north, each, look.harmless(each, then))
    return look.worth(then) >= look.best


@check("duty to head", "duty to trump")
def duty(look: Look, facts: Facts) -> bool:
    then = look.after(facts["best"])
    assert all(look.beats(move.card, facts["lead"]) for move in sensible_moves(then) if move.card)
    word = facts["duty"]
    assert word in look.row.duties
    left = tuple(each for each in look.row.duties if each != word)
    return look.worth(then, duties=left) < look.best


# ---- marriages and announcing


@check("false claim")
def false_claim(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    assert then.over is not None
    assert then.over.value(look.me) < 0
    return bool(then.card_points[look.me] == facts["count"] < look.row.goal)


@check("announce", "show")
def announce(look: Look, facts: Facts) -> bool:
    then = look.after(facts["best"])
    assert then.over is not None
    assert look.before(facts["best"]).card_points[look.me] == facts["count"]
    assert then.card_points[look.me] >= look.row.goal
    return then.over.value(look.me) == look.best


@check("unsaid")
def unsaid(look: Look, facts: Facts) -> bool:
    move = facts["answer"][-1]
    said = replace(move, kind=Kind.MARRIAGE)
    then = play(look.before(facts["answer"]), said)
    worth = look.row.marriage_value(suit_of(move.card), look.position.trump)
    assert facts["points"] == worth
    return look.worth(then) >= look.best


@check("King or Queen")
def king_or_queen(look: Look, facts: Facts) -> bool:
    move = facts["answer"][-1]
    assert move.kind is Kind.MARRIAGE
    rank = QUEEN if move.card & 7 == KING else KING
    other = replace(move, card=make_card(suit_of(move.card), rank))
    assert look.worth(play(look.before(facts["answer"]), other)) >= look.best
    if not facts["decides"]:
        return True
    then, step = look.after(facts["answer"]), facts["points"]
    changed = (look.points(then, mine=step), look.points(then, theirs=-step))
    return any(look.worth(each) >= look.best for each in changed)


@check("broken marriage")
def broken(look: Look, facts: Facts) -> bool:
    move = facts["answer"][-1]
    pair = (1 << make_card(suit_of(move.card), KING)) | (1 << make_card(suit_of(move.card), QUEEN))
    then = look.after(facts["answer"])
    assert look.position.hands[look.me] & pair == pair
    assert then.hands[look.me] & pair != pair
    return look.worth(look.points(then, mine=facts["points"])) >= look.best


@check("marriage waits")
def waits(look: Look, facts: Facts) -> bool:
    """After the first card every reply loses the trick, and the marriage is still right."""
    then = look.after(facts["best"])
    for reply in sensible_moves(then):
        while reply.card is None:
            then = play(then, reply)
            reply = next(move for move in sensible_moves(then) if move.card is not None)
        assert not look.beats(reply.card, facts["first"])
        again = play(then, reply)
        marriages = [
            play(again, move)
            for move in sensible_moves(again)
            if move.kind in (Kind.MARRIAGE, Kind.SHOW)
            and move.card is not None
            and suit_of(move.card) == facts["suit"]
        ]
        assert max(map(look.worth, marriages)) >= look.best
    return True


@check("marriage now")
def marriage_now(look: Look, facts: Facts) -> bool:
    assert facts["best"][-1].kind is Kind.MARRIAGE
    none = {"marriage": 0, "royal_marriage": 0}
    then = look.after(facts["answer"])
    assert look.worth(then, **none) < look.best
    return look.worth(look.points(then, mine=facts["points"]), **none) >= look.best


@check("North's marriage")
def their_marriage(look: Look, facts: Facts) -> bool:
    then, suit = look.after(facts["answer"]), facts["suit"]
    held = then.hands[look.north]
    queen, king = make_card(suit, QUEEN), make_card(suit, KING)
    assert held >> queen & 1
    assert held >> king & 1
    assert facts["points"] == look.row.marriage_value(suit, look.position.trump)
    assert look.worth(look.points(then, theirs=-facts["points"])) >= look.best
    changed = look.hand(then, look.north, queen, look.harmless(queen))
    return look.worth(changed) >= look.best


# ---- the stock


@check("close to force")
def close_to_force(look: Look, facts: Facts) -> bool:
    """The reply may not be made, and were it made nevertheless, closing would not be best."""
    then, reply = look.after(facts["best"]), Move(Kind.CARD, facts["reply"])
    assert CLOSE in facts["best"]
    assert then.closed is not None
    assert reply not in legal_moves(then)
    free = replace(then, variant=replace(look.row, duties=()))
    return look.worth(replace(play(free, reply), variant=look.row)) < look.best


@check("close to fix")
def close_to_fix(look: Look, facts: Facts) -> bool:
    then = look.after(facts["best"])
    assert then.closed is not None
    assert facts["worth"] in (2, 3)
    assert (then.closed.tricks == 0) == (facts["worth"] == 3)
    assert then.closed.card_points < look.row.schneider
    return look.worth(then, success_valued="end") < look.best


def stock_without(look: Look, which: int) -> Position:
    """The position with a card of the stock replaced by a harmless one."""
    low = look.harmless(which)
    stock = tuple(low if each == which else each for each in look.position.stock)
    assert stock != look.position.stock
    return replace(look.position, stock=stock, won=None)


@check("close to keep out", "draw gives")
def keeps_out(look: Look, facts: Facts) -> bool:
    changed = stock_without(look, facts["card"])
    return look.worth(play_answer(changed, facts["answer"])) >= look.best


@check("stock brings", "draw first")
def stock_brings(look: Look, facts: Facts) -> bool:
    changed = stock_without(look, facts["card"])
    return look.worth(play_answer(changed, facts["best"])) < look.best


@check("draw order")
def draw_order(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    first, second, *rest = then.stock
    assert facts["cards"] == (first, second)
    winners = {move: p.turn for move, p in look.refutations(facts["answer"]).items() if move.card}
    if look.position.led is None:
        assert set(winners.values()) == {facts["winner"]}
    else:
        assert then.turn == facts["winner"]
    return look.worth(replace(then, stock=(second, first, *rest))) >= look.best


@check("exchange")
def exchange(look: Look, facts: Facts) -> bool:
    """Every best choice exchanges, now or after the closing."""
    values = {}
    for move in sensible_moves(look.position):
        values[move] = look.worth(play(look.position, move))
    return all(move in (EXCHANGE, CLOSE) for move, v in values.items() if v == look.best)


@check("exchange feeds")
def exchange_feeds(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    return look.worth(look.points(then, theirs=-facts["points"])) >= look.best


# ---- what it comes to


@check("count", "failed close")
def count(look: Look, facts: Facts) -> bool:
    then, short = look.after(facts["answer"]), look.row.goal - facts["count"]
    assert look.worth(then) < 0
    assert short > 0
    assert look.worth(look.points(then, mine=short)) > 0
    assert look.worth(look.points(then, mine=short - 1)) <= 0
    if small(then):
        assert reaches(then, look.me, facts["count"])
        assert not reaches(then, look.me, facts["count"] + 1)
    return True


@check("North's count")
def north_count(look: Look, facts: Facts) -> bool:
    then, over = look.after(facts["answer"]), facts["count"] - look.row.goal
    assert over >= 0
    assert look.worth(look.points(then, theirs=-over - 1)) > 0
    assert look.worth(look.points(then, theirs=-over)) < 0
    return True


@check("in schneider", "schneider saved")
def own_schneider(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    low = facts["count"] < look.row.schneider
    assert low == (abs(look.worth(then)) - look.position.carry == 2)
    if small(then):
        assert loses_with(then, look.me, facts["count"])
        assert not loses_with(then, look.me, facts["count"] + 1)
    return look.worth(then, schneider=facts["count"]) > look.worth(
        then, schneider=facts["count"] + 1
    )


@check("schneider lost", "schneider kept")
def their_schneider(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    low = facts["count"] < look.row.schneider
    assert low == (look.worth(then) - look.position.carry == 2)
    if small(then):
        assert wins_against(then, look.me, facts["count"])
        assert not wins_against(then, look.me, facts["count"] - 1)
    return look.worth(then, schneider=facts["count"]) < look.worth(
        then, schneider=facts["count"] + 1
    )


@check("no trick")
def no_trick(look: Look, facts: Facts) -> bool:
    assert look.after(facts["answer"]).closed is None or (
        look.after(facts["answer"]).closed.side == look.north
    )
    return look.worth(look.after(facts["answer"])) == -3 - look.position.carry < look.best


@check("schwarz lost")
def schwarz_lost(look: Look, facts: Facts) -> bool:
    value = look.worth(look.after(facts["answer"]))
    return 0 < value < look.best == 3 + look.position.carry


@check("schwarz kept")
def schwarz_kept(look: Look, facts: Facts) -> bool:
    assert (look.position.tricks if look.row.schwarz == "tricks" else (0, 0))[look.north] == 0
    return look.worth(look.after(facts["answer"])) == look.best == 3 + look.position.carry


@check("schwarz saved")
def schwarz_saved(look: Look, facts: Facts) -> bool:
    return look.worth(look.after(facts["answer"])) == look.best == -2 - look.position.carry


@check("tie")
def tie(look: Look, facts: Facts) -> bool:
    return look.worth(look.after(facts["answer"])) == 0 < look.best


@check("tie saved")
def tie_saved(look: Look, facts: Facts) -> bool:
    return look.worth(look.after(facts["answer"])) == 0 == look.best


@check("last trick's ten")
def last_ten(look: Look, facts: Facts) -> bool:
    assert facts["points"] == look.row.last_trick == 10
    return look.worth(look.after(facts["answer"]), last_trick=0) >= look.best


@check("last trick")
def last_trick(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    assert look.row.played_out == "last trick"
    assert look.worth(then, played_out="goal") >= 0
    return look.worth(then) < 0


@check("cost of closing")
def cost_of_closing(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    assert then.closed is not None
    assert then.closed.side == look.me
    return look.worth(then) == -facts["cost"]


@check("North home", "lost")
def north_home(look: Look, facts: Facts) -> bool:
    return first_home(look.after(facts["answer"]), look.north, facts["tricks"])


@check("home")
def home(look: Look, facts: Facts) -> bool:
    return first_home(look.after(facts["answer"]), look.me, facts["tricks"])


@check("one card")
def one_card(look: Look, facts: Facts) -> bool:
    changed = look.hand(look.position, look.north, facts["out"], facts["in"])
    return look.worth(play_answer(changed, facts["answer"])) >= look.best


@check("more points")
def more_points(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    assert look.worth(look.points(then, mine=facts["points"] - 1)) < look.best
    return look.worth(look.points(then, mine=facts["points"])) >= look.best


@check("fewer points")
def fewer_points(look: Look, facts: Facts) -> bool:
    then = look.after(facts["answer"])
    assert look.worth(look.points(then, theirs=1 - facts["points"])) < look.best
    return look.worth(look.points(then, theirs=-facts["points"])) >= look.best


@check("all equal", "few do", "forced")
def choices_do(look: Look, facts: Facts) -> bool:
    values = [look.worth(play(look.position, move)) for move in sensible_moves(look.position)]
    assert len(values) == facts["choices"]
    return values.count(look.best) == facts["good"]


# ---- the same questions put to the rules alone, for a few cards


def small(position: Position) -> bool:
    held = position.hands[0].bit_count() + position.hands[1].bit_count()
    return held <= 6 and not position.open_stock and position.over is None


def wins_somehow(position: Position, side: int, good: Callable[[Position], bool]) -> bool:
    """Whether a side can bring about an end that is good, whatever the other plays."""

    @cache
    def forced(now: Position) -> bool:
        if now.over is not None:
            return good(now)
        ends = (forced(play(now, move)) for move in sensible_moves(now))
        return any(ends) if now.turn == side else all(ends)

    return forced(replace(position, won=None))


def reaches(position: Position, side: int, count: int) -> bool:
    """Whether a side comes to so many card points before the deal is lost, or in the end."""

    @cache
    def forced(now: Position) -> bool:
        if now.over is not None or (now.turn == side and now.led is None):
            if now.card_points[side] >= count:
                return True
            if now.over is not None:
                return False
        ends = (forced(play(now, move)) for move in sensible_moves(now))
        return any(ends) if now.turn == side else all(ends)

    return forced(replace(position, won=None))


def loses_with(position: Position, side: int, count: int) -> bool:
    """Whether a side that loses comes to so many card points."""
    return wins_somehow(
        position,
        side,
        lambda end: (
            end.card_points[side] >= count or (end.over is not None and end.over.value(side) >= 0)
        ),
    )


def wins_against(position: Position, side: int, count: int) -> bool:
    """Whether a side wins and holds the other to so many card points."""
    return wins_somehow(
        position,
        side,
        lambda end: (
            end.over is not None and end.over.value(side) > 0 and end.card_points[1 - side] <= count
        ),
    )


def first_home(position: Position, side: int, tricks: int) -> bool:
    """Whether a side wins within so many tricks, and not within one fewer."""

    @cache
    def within(now: Position, left: int) -> bool:
        if now.over is not None:
            return now.over.value(side) > 0
        ends = []
        for move in sensible_moves(now):
            then = play(now, move)
            rest = left - (sum(then.tricks) - sum(now.tricks))
            end = (rest >= 0 or then.over is not None) and within(then, rest)
            if end == (now.turn == side):
                return end
            ends.append(end)
        return now.turn != side

    position = replace(position, won=None)
    return within(position, tricks) and (not tricks or not within(position, tricks - 1))


# ------------------------------------------------------------------------------------- the tests


def worth(position: Position, answer: Answer) -> int:
    """What an answer is worth to the side to move, in game points."""
    then = play_answer(position, answer)
    value = DoubleDummy().value(then)
    return value if then.turn == position.turn else -value


def confirm(found: Report, reason: Reason) -> None:
    """Search the fact behind a reason again."""
    table = reason.facts.get("layout", found.table)
    assert isinstance(table, Position)
    values = DoubleDummy().evaluate_moves(table)
    best = max(values.values()) if table == found.table else worth(table, found.best.answer)
    line = f"{format_position(table)}: [{reason.kind}] {reason.text}"
    assert CHECKS[reason.kind](Look(table, best), dict(reason.facts)), line


def readable(reason: Reason) -> None:
    """One sentence with a number or a card in it, and no word of the computer."""
    text = reason.text
    assert re.match(r"[A-Z].*[^.]\.$", text), text
    assert "\n" not in text
    assert len(text) < 220, text
    words = set(re.findall(r"[A-Za-z]+", text))
    numbers = {"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
    assert re.search(r"\d", text) or words & (set(RANK_NAMES) | numbers), text
    assert not words & {"minimax", "search", "node", "layout", "None", "True", "False"}, text


def check_all(cases: Iterator[tuple[Report, Choice]]) -> Counter[str]:
    """Confirm every reason, and count the kinds that come first."""
    kinds: Counter[str] = Counter()
    for found, choice in cases:
        reasons = why(found, choice)
        assert 1 <= len(reasons) <= 2
        assert why(found, choice) == reasons
        kinds[reasons[0].kind] += 1
        for reason in reasons:
            readable(reason)
            if reason.kind == "fallback":
                assert len(reasons) == 1
                assert reason.text == sentence(found, choice)
            else:
                confirm(found, reason)
    return kinds


def test_what_is_said_of_mistakes_is_so() -> None:
    kinds = check_all(mistakes(MISTAKES, seed=66))
    assert kinds["fallback"] <= 0.1 * MISTAKES
    assert len(kinds) >= 15


def test_what_is_said_of_right_choices_is_so() -> None:
    kinds = check_all(right_choices(60, seed=67))
    assert kinds["fallback"] <= 6
    assert len(kinds) >= 6


@pytest.mark.slow
def test_what_is_said_of_many_mistakes_is_so() -> None:
    kinds = check_all(mistakes(SLOW_MISTAKES, seed=1))
    assert kinds["fallback"] <= 0.1 * SLOW_MISTAKES
    assert len(kinds) >= 25


def test_many_kinds_of_reason() -> None:
    """Every kind that the tests can check is one that is told, and there are enough of them."""
    assert len(CHECKS) >= 40
    source = "".join(
        path.read_text(encoding="utf-8") for path in Path(explain.__file__).parent.glob("*.py")
    )
    written = set(re.findall(r'Reason\(\s*"([^"]+)"', source))
    written |= {"falls", "trumped", "last trump", "trumps", "duty to head", "duty to trump"}
    of_layouts = {"layouts", "never", "sure"}
    assert written - of_layouts - {"fallback"} == set(CHECKS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_deal_is_explained_in_bounded_time(variant: str) -> None:
    """Early in a deal the long questions are left out."""
    rng = Random(variant)
    for position in at_random(deal(VARIANTS[variant], rng), rng, without="66 ! cl")[4:7:2]:
        found = report(position)
        for choice in (found.choices[0], found.choices[-1]):
            before = choice.solver.nodes
            assert why(found, choice)
            assert choice.solver.nodes - before < 10 * case.MOST_NODES


CHANGES: list[dict[str, Any]] = [
    {"duties": ("follow", "trump")},
    {"duties": ("follow", "head")},
    {"schneider": 20},
    {"schneider": 50},
    {"last_trick": 0},
    {"played_out": "goal"},
    {"marriage": 0, "royal_marriage": 0},
    {"success_valued": "end"},
]


@pytest.mark.parametrize("columns", CHANGES, ids=str)
def test_changed_laws_are_searched_by_the_rules(columns: dict[str, Any]) -> None:
    """Reasons ask what a position would be worth under another law; the rules say the same."""
    checked = 0
    for position in islice(positions(seed=3), 150):
        if small(position) and ("last_trick" not in columns or told_of_last_trick(position)):
            changed = replace(position, variant=replace(position.variant, **columns))
            value = DoubleDummy().value(changed)
            for least in (value, value + 1):
                reached = wins_somehow(changed, changed.turn, worth_at_least(changed.turn, least))
                assert reached == (least == value), format_position(position)
            checked += 1
    assert checked >= 15


def told_of_last_trick(position: Position) -> bool:
    return position.variant.played_out == "goal"


def worth_at_least(side: int, value: int) -> Callable[[Position], bool]:
    return lambda end: end.over is not None and end.over.value(side) >= value


# ------------------------------------------------------------------------------ known positions


def first_report(line: str) -> Report:
    """The first report on a view that has choices: those after closing."""
    return next(found for found in reports(parse_view(line), samples=2) if found.choices)


def told_of(found: Report, answer: str) -> list[str]:
    return [reason.text for reason in why(found, grade(found, parse_answer(answer)))]


def north_has_ten() -> Position:
    """F1 with a hand of North's against which the Ace must not be led without closing."""
    return with_north(parse_view(F1), "SA SK HT DK DQ C9")


def test_the_ace_of_trumps_led_without_closing() -> None:
    """W66-8: North throws a Nine; South gets 24 and 40, which is 64."""
    assert told_of(report(north_has_ten()), "HA") == [
        "Closed, North has to follow suit and cannot throw the Nine of clubs on the Ace of hearts.",
        "You come to 64, two short of 66.",
    ]


@pytest.mark.slow
def test_closing_for_schneider_is_sure() -> None:
    """W66-6: against all 462 hands."""
    first = first_report(F1)
    assert told_of(first, "cl HA")[0] == "This wins 2 in each of the 462 hands."
    assert only_on_average(first, first.best) is None


def test_when_a_close_that_is_right_on_average_fails() -> None:
    """W66-3 and W66-4: the 28 hands without a diamond."""
    first = first_report(F2)
    expected = "This wins 434 of 462 hands; it loses 2 when North has no diamond (28 of 462 hands)."
    assert told_of(first, "cl DA")[0] == expected
    assert only_on_average(first, grade(first, parse_answer("cl DA"))) == expected
    assert only_on_average(first, grade(first, parse_answer("cl DJ"))) is None
    assert told_of(first, "cl C9")[0].endswith("when North has a diamond (434 of 462 hands).")


def test_the_ace_is_trumped() -> None:
    """W66-4: with another hand of North's the stock is better left open."""
    position = with_north(parse_view(F2), "ST SJ HA HT HK CQ")
    found = report(position)
    assert grade(found, parse_answer("cl")).loss >= 1
    texts = told_of(found, "cl DA")
    assert any("trumps the Ace of diamonds" in text for text in texts), texts


def test_a_close_before_the_draw_is_no_announcement() -> None:
    """North, at 21, wins the deal by closing before anybody draws, and only so."""
    found = report(parse_position("german66 S:KJ.K.AQJ. N:TQ.T.K.AT S H9S9 31/3-15/2 S"))
    after = play_answer(found.table, parse_answer("DJ DK"))
    values = DoubleDummy().evaluate_moves(after)
    assert [move for move, value in values.items() if value > 0] == [CLOSE]
    assert told_of(found, "DJ") == [
        "North's King takes the Jack of diamonds: 6 card points, and North closes the stock."
    ]


def test_a_best_choice_that_draws_says_how_the_deal_ends() -> None:
    line = "german66 S:.TQ.Q. N:9.J.K. C - 43/4-55/5 S"
    assert told_of(report(parse_position(line)), "DQ")[0] == (
        "Nobody scores: the deal ends at 65 to 65, neither side at 66."
    )


def test_king_or_queen_reads_well_beside_the_best_choice() -> None:
    line = "schnapsen S:KQ.A..KQ N:T..ATQ.T S HQHTDKSJ 13/1-19/2 S"
    found = report(parse_position(line))
    assert told_of(found, "SKm")[0] == (
        "Keep the King of spades and lead the Queen, since 1 card point decides."
    )
    assert told_of(found, "SQm")[1] == (
        "Worse is to lead the King of spades and declare the marriage (40): "
        "keep it and lead the Queen, since 1 card point decides."
    )


def test_a_card_already_played_is_not_dealt_again() -> None:
    """The Nine of hearts lies in North's tricks."""
    line = "russian66 S:.QJ.A.AQJ N:QJ9..KJ.T S DQCKC9ST 30/2-20/2 S won=S:HASA,HKSK;N:D9DT,H9HT"
    assert told_of(report(parse_position(line)), "cl HJ")[0] == (
        "Were North's Queen of spades a harmless Nine, this would be right."
    )


def test_a_king_led_without_a_word() -> None:
    found = report(parse_position("foster66 S:A..KQ. N:9..9.9 H - 37/4-65/5 S"))
    assert told_of(found, "DK") == [
        "With the King of diamonds you can declare the marriage: led without a word it loses 20 "
        "card points.",
        "Nobody scores: the deal ends at 65 to 65, neither side at 66.",
    ]


def test_a_false_claim_and_one_that_is_right() -> None:
    short = report(parse_position("foster66 S:A..KQ. N:9..9.9 H - 37/4-65/5 S"))
    assert told_of(short, "66")[0] == ("You have 37, 29 short of 66; announcing wrongly costs 2.")
    home = report(parse_position("foster66 S:A..KQ. N:9..9.9 H - 67/4-35/5 S"))
    assert told_of(home, "66")[0] == "You have 67: announce 66 and the deal is won, worth 1."


# ---------------------------------------------------------------------------- cards concealed


def late_views(count: int, seed: int, most_hands: int = 90) -> Iterator[View]:
    """What South has seen late in a deal, with the stock open or closed."""
    for position in positions(seed, most_stock=4):
        if position.turn == SOUTH and position.stock and position.won is not None:
            seen = view(position, SOUTH)
            size = count_hands(seen)
            if 3 <= size <= most_hands and (seen.closed or count_layouts(seen) <= 200):
                count -= 1
                yield seen
                if not count:
                    return


def as_seen(count: int, seed: int) -> Iterator[tuple[Report, Choice]]:
    """Every whole choice of some late views."""
    for seen in late_views(count, seed):
        found = report(seen)
        for choice in found.choices:
            if decides(choice.answer):
                yield found, choice


def laid_out(seen: View, answer: Answer) -> list[Position]:
    """The layouts that an answer is counted over."""
    first = next(layouts(seen))
    then = play_answer(first, answer)
    if then.open_stock and then.over is None:
        return list(layouts(seen))
    return [with_north(seen, hand) for hand in hands(seen)]


SUITS = {f"{name[:-1]}": number for number, name in enumerate(SUIT_NAMES)}
NUMBERS = "no one two three four five six".split()


def is_so(clause: str, position: Position) -> bool:
    """Whether a description of a layout, in words, is true of it."""
    for word, join in ((" and ", all), (" or ", any)):
        parts = re.split(rf"{word}(?=has |holds |does |the |North )", clause)
        if len(parts) > 1 and "holds both" not in clause and "holds either" not in clause:
            return join(is_so(part, position) for part in parts)
    north = position.hands[NORTH]
    names = re.findall(r"the (\w+) of (\w+)", clause)
    named = [
        make_card(SUIT_NAMES.index(suit), "789JQKTA".index(code))
        for rank, suit in names
        for code in [{"Ten": "T", "Nine": "9"}.get(rank, rank[0])]
    ]
    held = [north >> each & 1 for each in named]
    clause = clause.removeprefix("North ")
    if "next card of the stock" in clause:
        return (position.stock[0] == named[0]) != ("is not" in clause)
    if clause.startswith("does not hold"):
        return not held[0]
    if clause.startswith("holds"):
        return bool(all(held)) if "either" not in clause else bool(any(held))
    has = re.fullmatch(
        r"has (at most )?(no|a|one|two|three|four|five|six) (\w+?)s?( or more)?", clause
    )
    assert has, clause
    most, count, name, more = has.groups()
    suit = position.trump if name == "trump" else SUITS[name]
    length = suit_cards(north, suit).bit_count()
    number = 1 if count == "a" else NUMBERS.index(count)
    if most:
        return length <= number
    return length >= number if more or count == "a" else length == number


CLAUSE = re.compile(
    r"(?:(?P<only>only )?(?P<word>when|except when)"
    r"|in \d+ of \d+ \w+, in (?P<part>\d+) of them since) "
    r"(?P<clause>.+?)(?: \((?P<count>\d+) of (?P<total>\d+) \w+\)"
    r"|, in (?P<of>\d+) of (?P<such>\d+) such \w+)?[.;]"
)


def confirm_layouts(found: Report, reason: Reason) -> bool:
    """Search every layout again and read the sentence; return whether it describes them."""
    assert isinstance(found.table, View)
    facts = reason.facts
    positions = laid_out(found.table, facts["answer"])
    own = [worth(position, facts["answer"]) for position in positions]
    if "best" in facts:
        best = [worth(position, facts["best"]) for position in positions]
        bad = [one < other for one, other in zip(own, best, strict=True)]
        assert sum(bad) == facts["worse"]
        better = re.search(r"this does better in (\d+)", reason.text)
        wins = sum(one > other for one, other in zip(own, best, strict=True))
        assert int(better[1]) == wins if better else wins == 0
    else:
        bad = [value < facts["bar"] for value in own]
        assert len(own) - sum(bad) == facts["holds"]
    described = CLAUSE.search(reason.text)
    if described is None:
        return False
    fits = [is_so(described["clause"], position) for position in positions]
    if described["word"] == "except when":
        fits = [not fit for fit in fits]
    if described["part"]:
        assert all(not fit or each for fit, each in zip(fits, bad, strict=True))
        assert sum(fits) == int(described["part"])
    elif described["only"]:
        assert all(fit or not each for fit, each in zip(fits, bad, strict=True))
        assert (sum(bad), sum(fits)) == (int(described["of"]), int(described["such"]))
    else:
        assert fits == bad
        assert (sum(bad), len(bad)) == (int(described["count"]), int(described["total"]))
    return True


def test_what_is_said_of_layouts_is_so() -> None:
    described = 0
    kinds: Counter[str] = Counter()
    for found, choice in as_seen(24, seed=5):
        for reason in why(found, choice):
            readable(reason)
            kinds[reason.kind] += 1
            if reason.kind in ("layouts", "never", "sure"):
                if reason.kind == "sure":
                    assert set(choice.distribution) == {reason.facts["worth"]}
                elif reason.kind == "never":
                    assert max(choice.distribution) < reason.facts["bar"]
                elif choice.layouts <= 200:
                    described += confirm_layouts(found, reason)
            elif reason.kind != "fallback":
                confirm(found, reason)
    assert described >= 20
    assert kinds["sure"] >= 3
    assert kinds["fallback"] <= 0.1 * sum(kinds.values())


def test_the_cards_are_laid_against_a_wrong_choice() -> None:
    laid = 0
    for found, choice in as_seen(20, seed=8):
        assert isinstance(found.table, View)
        position = against(found, choice)
        assert position == against(found, choice)
        if choice.best:
            assert position is None
            continue
        everywhere = laid_out(found.table, choice.answer)
        own = [worth(each, choice.answer) for each in everywhere]
        best = [worth(each, found.best.answer) for each in everywhere]
        fails = [one for one, other in zip(own, best, strict=True) if one < other]
        assert (position is None) == (not fails)
        if position is not None:
            laid += 1
            assert replace(view(position, SOUTH), lacks=found.table.lacks) == found.table
            assert worth(position, choice.answer) < worth(position, found.best.answer)
            assert worth(position, choice.answer) == min(fails)
    assert laid >= 20


def test_nothing_is_laid_with_every_card_seen() -> None:
    for found, choice in mistakes(3, seed=9):
        assert against(found, choice) is None
        assert only_on_average(found, choice) is None


def test_two_cards_are_told_together() -> None:
    """A description may join two facts; one that is exact is preferred to none."""
    seen = parse_view(F2)
    everything = [with_north(seen, hand) for hand in hands(seen)]
    found = Results(everything, [0] * len(everything), by_hand=True)
    both = cards("HA HT")
    bits = sum(1 << n for n, p in enumerate(everything) if p.hands[NORTH] & both == both)
    fact = describe(found, seen, bits)
    assert fact is not None
    assert fact.text == "North holds both the Ace of hearts and the Ten of hearts"
    odd = sum(1 << n for n, p in enumerate(everything) if n % 2)
    assert describe(found, seen, odd) is None


def test_no_marriage_is_spoken_of_where_none_counts_any_more() -> None:
    """In the modern German game none is declared once the stock is gone; in Foster's one is."""
    found = report(parse_position("german66 S:..A.ATKQ N:K.TK9.J. H - 30/3-31/4 S"))
    kinds = {reason.kind for reason in why(found, grade(found, parse_answer("CQ")))}
    assert "broken marriage" not in kinds


@pytest.mark.parametrize(
    ("lost", "told"), [(1, "loses 1 in the other."), (8, "loses 1 in the other 8.")]
)
def test_how_often_it_fails_is_not_taken_for_a_rate(lost: int, told: str) -> None:
    """A figure such as "loses 1 in 8" would be one deal of eight; here it is 1 in each of 8."""
    first = first_report(F2)  # with the stock open its layouts are too many to be described
    counts = {1: 40, -1: lost}
    choice = replace(first.best, answer=parse_answer("DA"), distribution=counts, layouts=40 + lost)
    assert only_on_average(first, choice) == f"This wins 40 of {40 + lost} layouts, and {told}"


def test_hands_are_called_the_same_throughout_a_sentence() -> None:
    """With one card hidden in the stock there is one layout for each of the seven hands."""
    line = "russian66 S:T.K.K9.AQ N:...,6x C xC9 25/3-20/2 S won=S:H9HA,SJS9,DTCJ;N:HTCK,HJSK"
    assert told_of(report(parse_view(line)), "ST")[0] == (
        "This wins 6 of 7 hands; it loses 1 when North has no heart (1 of 7 hands)."
    )


def test_one_hand_is_not_spoken_of_as_many() -> None:
    """With the stock gone South knows the hand that he does not see."""
    rng = Random(3)
    gone = (
        view(position, SOUTH)
        for _ in range(20)
        for position in at_random(deal(VARIANTS["foster66"], rng), rng, without="cl 66 !")
        if not position.stock and position.turn == SOUTH and position.over is None
    )
    texts = [why(found, choice)[0].text for found in map(report, gone) for choice in found.choices]
    assert [text for text in texts if "in the one hand there can be" in text]
    assert not [text for text in texts if " 1 hands" in text]
