"""Grading: what a choice costs, its mark, and what is shown for it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from random import Random

import pytest

import reference
from reference.positions import random_state
from tables import F2, after, at_random, cards, from_reference, hands_of, with_north, words
from trainer.explain import sentence
from trainer.grading import WORDS, Choice, Report, grade, report, reports
from trainer.notation import format_answer, format_move, parse_answer, parse_view
from trainer.rules import NORTH, SOUTH, VARIANTS, IllegalMove, Position, View, deal, play, view
from trainer.rules.cards import card_code, cards_in
from trainer.rules.position import CLOSE, Outcome, count_hands, hands, layouts
from trainer.search import DoubleDummy, play_answer

FOSTER = VARIANTS["foster66"]
COUNT_65 = "foster66 S:A..KQ. N:9..9.9 H - 37/4-65/5 S"
"""South wins 1 with the Ace or with the marriage; the pair broken ends in 65 to 65."""


def listed(found: Report) -> dict[str, Choice]:
    return {format_answer(choice.answer): choice for choice in found.choices}


def choice_of(found: Report, answer: str) -> Choice:
    return grade(found, parse_answer(answer))


def small_positions(count: int) -> Iterator[tuple[reference.State, Position]]:
    """Positions with a choice to make, from every phase of the deal."""
    rng = Random(66)
    small = [("gone", 4), ("closed", 4), ("closed", 5), ("following", 4), ("provisional", 4)]
    for number in range(count):
        state = random_state("foster66", rng, *small[number % len(small)])
        yield state, from_reference(state)


def small_views(count: int, cards: int = 4) -> Iterator[View]:
    """Closed hands as South sees them, with few enough hands for North."""
    rng = Random(67)
    while count:
        seen = view(from_reference(random_state("foster66", rng, "closed", cards)), SOUTH)
        if seen.turn == SOUTH and 3 <= count_hands(seen) <= 35:
            count -= 1
            yield seen


# ------------------------------------------------------------------------------- all cards seen


def test_marks_with_every_card_seen() -> None:
    marks: set[str] = set()
    for state, position in small_positions(100):
        values = reference.values(state)
        found = report(position)
        assert {a: c.game_points for a, c in listed(found).items()} == values
        best = max(values.values())
        for word, choice in listed(found).items():
            loss = best - values[word]
            thrown_away = best > 0 >= values[word]
            expected = "=" if not loss else "??" if loss > 1 or thrown_away else "?"
            assert (choice.loss, choice.mark) == (loss, expected), reference.line(state)
            assert choice.word == {"=": "best", "?": "mistake", "??": "blunder"}[expected]
            assert choice.best == (choice.mark == "=") == (choice.loss == 0)
            marks.add(choice.mark)
        every_best = {word for word, value in values.items() if value == best}
        assert {a for a, c in listed(found).items() if c.best} == every_best
        assert found.best.best
    assert marks == {"=", "?", "??"}


def test_a_won_deal_thrown_away_is_a_blunder_though_it_costs_one() -> None:
    found = listed(report(from_reference(reference.parse(COUNT_65))))
    assert {word: choice.game_points for word, choice in found.items()} == {
        "SA": 1,
        "DKm": 1,
        "DQm": 1,
        "DK": 0,
        "DQ": 0,
    }
    assert {word for word, choice in found.items() if choice.mark == "="} == {"SA", "DKm", "DQm"}
    assert (found["DK"].mark, found["DK"].word, found["DK"].loss) == ("??", "blunder", 1)


def test_the_figures_of_a_choice_with_every_card_seen() -> None:
    for _, position in small_positions(30):
        for choice in report(position).choices:
            assert (choice.status, choice.layouts, choice.low, choice.stderr) == (
                "exact",
                1,
                None,
                None,
            )
            assert choice.distribution == {choice.game_points: 1}
            assert choice.worst == choice.game_points
            assert choice.wins == (choice.game_points > 0)
            assert choice.layout == position


def test_the_reply_and_the_line_are_best_play_after_the_choice() -> None:
    replies = 0
    for _, position in small_positions(60):
        for choice in report(position).choices:
            then = play_answer(position, choice.answer)
            if choice.reply is not None:
                replies += 1
                assert then.turn != position.turn
                assert choice.line[0] == choice.reply
            else:
                assert then.over is not None or then.turn == position.turn
            for move in choice.line:
                then = play(then, move)
            assert then.over is not None
            assert then.over.value(position.turn) == choice.game_points
    assert replies > 30


def test_the_refutation_is_on_the_table() -> None:
    """W66-4: with no diamond North ruffs the Ace."""
    position = after(with_north(parse_view(F2), "ST SJ HA HT HK CQ"), "cl")
    choice = choice_of(report(position), "DA")
    assert choice.game_points == -2
    assert choice.reply is not None
    assert format_move(choice.reply) in {"HA", "HT", "HK"}


# ------------------------------------------------------------------------------ cards concealed


def expected_mark(found: Report, choice: Choice) -> tuple[float, str, str]:
    """The loss, mark and word of an exact choice by the grading scale."""
    highest = max(c.game_points for c in found.choices)
    lows = [c.low for c in found.choices if c.low is not None]
    if choice.game_points >= highest - 1e-9:
        return 0.0, "=", "best"
    loss = max(lows) - choice.game_points
    if loss <= 1e-9:
        return 0.0, "~", "close call"
    if loss <= 0.25:
        return loss, "?!", "slip"
    return (loss, "?", "mistake") if loss <= 0.75 else (loss, "??", "blunder")


def test_marks_with_cards_concealed() -> None:
    marks: set[str] = set()
    for seen in small_views(30):
        found = report(seen)
        assert all(choice.status == "exact" for choice in found.choices)
        for choice in found.choices:
            loss, mark, word = expected_mark(found, choice)
            assert choice.loss == pytest.approx(loss)
            assert (choice.mark, choice.word) == (mark, word)
            assert choice.best == (mark == "=")
            assert choice.best or mark == "~" or choice.loss > 0
            marks.add(mark)
        assert found.best.best
    assert {"=", "?", "??"} <= marks


def test_the_figures_of_a_choice_with_cards_concealed() -> None:
    for seen in small_views(12):
        positions = list(layouts(seen))
        solver = DoubleDummy()
        found = report(seen)
        for choice in found.choices:
            values = []
            for position in positions:
                then = play_answer(position, choice.answer)
                values.append(solver.value(then) * (1 if then.turn == SOUTH else -1))
            assert choice.layouts == len(values) == count_hands(seen)
            assert choice.game_points == pytest.approx(sum(values) / len(values))
            assert choice.wins == sum(value > 0 for value in values)
            assert choice.worst == min(values)
            assert choice.distribution == {v: values.count(v) for v in sorted(set(values))}
            assert list(choice.distribution) == sorted(choice.distribution, reverse=True)
            assert choice.low is None or choice.low <= choice.game_points + 1e-9
            # The example layout shows what costs: the worst for a choice that loses something.
            shown = play_answer(choice.layout, choice.answer)
            for move in choice.line:
                shown = play(shown, move)
            assert shown.over is not None
            worth = shown.over.value(SOUTH)
            assert worth in values
            if not choice.best:
                assert worth == min(values)


def late_view() -> View:
    """What South has seen when one card is left face down and nothing is decided."""
    for seed in range(1000):
        rng = Random(seed)
        for position in at_random(deal(FOSTER, rng), rng, without="66 ! cl"):
            undecided = position.turn == SOUTH and max(position.card_points) < 50
            if position.open_stock and len(position.stock) == 2 and undecided:
                seen = view(position, SOUTH)
                if count_hands(seen) == 7 and not position.undrawn and "cl" in words(position):
                    return seen
    raise AssertionError("no such position")


@pytest.fixture(scope="module")
def late() -> list[Report]:
    """The reports on that view, in the order in which they come."""
    return list(reports(late_view()))


def test_progress_rises_to_one_and_nothing_is_left_waiting(late: list[Report]) -> None:
    f2 = list(islice(reports(parse_view(F2), samples=2), 200))
    face_up = [list(reports(position)) for _, position in small_positions(10)]
    for series in (late, f2, *face_up):
        progress = [found.progress for found in series]
        assert progress == sorted(progress)
        assert progress[0] >= 0
        assert progress[-1] == 1
        assert series[-1].waiting == ()
        for one, next_one in pairwise(series):
            assert set(next_one.waiting) <= set(one.waiting)
            assert {c.answer for c in one.choices} <= {c.answer for c in next_one.choices}
        for found in series:
            assert not set(found.waiting) & {choice.answer for choice in found.choices}


def test_the_choices_that_settle_the_stock_come_first() -> None:
    first = next(found for found in reports(parse_view(F2), samples=2) if found.choices)
    assert format_answer(first.best.answer).split() == ["cl", "DA"]
    assert all(CLOSE in choice.answer for choice in first.choices)
    waiting = {format_answer(answer) for answer in first.waiting}
    assert {"DA", "SKm", "SQm", "CJ"} <= waiting
    assert first.progress < 1


def test_a_figure_that_is_still_waiting_cannot_be_graded() -> None:
    first = next(iter(reports(parse_view(F2), samples=2)))
    assert first.waiting
    for answer in first.waiting:
        with pytest.raises(LookupError):
            grade(first, answer)
    begun = (next(iter(reports(deal(VARIANTS["foster66"], Random(seed))))) for seed in range(50))
    face_up = next(found for found in begun if found.waiting)
    for answer in face_up.waiting:
        with pytest.raises(LookupError):
            grade(face_up, answer)
    # An answer that is not listed can be graded all the same.
    assert choice_of(first, "66").game_points == -2


def test_every_choice_is_there_and_the_best_comes_first(late: list[Report]) -> None:
    found = late[-1]
    table = found.table
    assert isinstance(table, View)
    position = next(layouts(table))
    open_choices = words(position) - {"66", "HKQ!", "SKQ!", "DKQ!", "CKQ!"}
    assert open_choices <= set(listed(found))
    compounds = {answer.split()[1] for answer in listed(found) if answer.startswith("cl ")}
    assert compounds >= {word for word in words(play(position, CLOSE)) if word[-1] not in "6!"} - {
        "ex"
    }
    means = [choice.game_points for choice in found.choices]
    assert means == sorted(means, reverse=True)
    assert found.best.mark == "="


def test_answers_that_are_not_listed() -> None:
    seen = replace(
        parse_view(F2.replace("AJ.J9", "AJ.J").replace("KQ..", "KQ.9.")),
    )
    assert seen.hand == cards("SK SQ H9 DA DJ CJ")
    found = next(found for found in reports(seen, samples=2) if found.choices)
    solver = DoubleDummy()
    for answer in ("ex cl DA", "cl ex DA"):
        choice = choice_of(found, answer)
        values = []
        for hand in hands_of(seen):
            then = play_answer(with_north(seen, hand), parse_answer(answer))
            values.append(solver.value(then) * (1 if then.turn == SOUTH else -1))
        assert choice.layouts == 462
        assert choice.game_points == pytest.approx(sum(values) / 462)
        assert choice.status == "exact"
        assert choice.mark in WORDS
    poor = choice_of(found, "cl ex SQm")
    assert poor.low is not None
    assert poor.low <= poor.game_points < found.best.low
    false_claim = choice_of(found, "66")
    assert false_claim.distribution == {-2: 462}
    assert (false_claim.mark, false_claim.word) == ("??", "blunder")
    assert false_claim.loss == pytest.approx(found.best.low + 2)
    shown = choice_of(found, "SKQ!")
    assert shown.distribution == {-2: 462}, "35 and 20 are 55"


def test_a_false_claim_with_every_card_seen() -> None:
    position = with_north(parse_view(F2), "SJ HA HT DQ D9 CQ")
    found = report(after(position, "cl"))
    assert "66" not in listed(found)
    choice = choice_of(found, "66")
    assert (choice.game_points, choice.loss, choice.mark) == (-2, 4, "??")
    assert choice.line == ()


@pytest.mark.parametrize("answer", ["DK", "cl DK", "dr", "ex", "cl cl", "DA DJ"])
def test_an_illegal_answer_is_refused(answer: str, late: list[Report]) -> None:
    view_report = next(iter(reports(parse_view(F2), samples=2)))
    with pytest.raises(IllegalMove):
        choice_of(view_report, answer)
    face_up = report(after(with_north(parse_view(F2), "SJ HA HT DQ D9 CQ"), "cl"))
    with pytest.raises(IllegalMove):
        choice_of(face_up, answer)


def test_nobody_has_a_choice_when_the_deal_is_over_or_the_other_is_to_move() -> None:
    seen = parse_view(F2)
    with pytest.raises(ValueError, match="South"):
        report(replace(seen, turn=NORTH))
    with pytest.raises(ValueError, match="over"):
        report(replace(seen, over=Outcome(SOUTH, 2)))
    done = after(with_north(seen, "SJ HA HT DQ D9 CQ"), "cl DA D9 SKQ!")
    with pytest.raises(ValueError, match="over"):
        report(done)


def test_the_hidden_cards_change_nothing() -> None:
    """Positions that look the same to South have the same report, figures and examples alike."""
    rng = Random(9)
    compared = 0
    while compared < 8:
        position = from_reference(random_state("foster66", rng, "closed", 4))
        if position.turn != SOUTH or not 3 <= count_hands(view(position, SOUTH)) <= 35:
            continue
        seen = view(position, SOUTH)
        others = [other for other in layouts(seen) if other.hands != position.hands]
        other = replace(rng.choice(others), match=position.match)
        *hidden, turn_up = other.stock
        rng.shuffle(hidden)
        other = replace(other, stock=(*hidden, turn_up))
        assert other.hands[NORTH] != position.hands[NORTH]
        assert report(view(other, SOUTH)).choices == report(seen).choices
        compared += 1


def test_the_hidden_cards_change_nothing_while_the_stock_is_open(late: list[Report]) -> None:
    seen = late[-1].table
    assert isinstance(seen, View)
    for position in islice(layouts(seen), 0, 7, 3):
        other = report(view(position, SOUTH))
        assert other.choices == late[-1].choices
        assert [c.layout for c in other.choices] == [c.layout for c in late[-1].choices]


def test_sampled_choices_say_so() -> None:
    found = report(parse_view(F2), samples=6, seed=3)
    sampled = [choice for choice in found.choices if choice.status == "sampled"]
    exact = [choice for choice in found.choices if choice.status == "exact"]
    assert {choice.layouts for choice in sampled} == {6}
    assert all(choice.stderr is not None and choice.low is None for choice in sampled)
    assert {choice.layouts for choice in exact} == {462}
    assert all(choice.stderr is None for choice in exact)
    assert all(CLOSE in choice.answer for choice in exact)
    assert not any(CLOSE in choice.answer for choice in sampled)
    again = report(parse_view(F2), samples=6, seed=3)
    assert again.choices == found.choices


def test_f2_is_graded() -> None:
    found = report(parse_view(F2), samples=12)
    best = found.best
    assert format_answer(best.answer) == "cl DA"
    assert (best.wins, best.layouts, best.worst, best.mark) == (434, 462, -2, "=")
    assert best.low == pytest.approx(best.game_points)
    assert choice_of(found, "cl").best
    sure = choice_of(found, "cl DJ")
    assert sure.game_points == -2
    assert sure.loss == pytest.approx(best.low + 2)
    assert sure.mark == "??"


# ---------------------------------------------------------------------------------------- in words


def test_a_sentence_has_the_figures_in_it() -> None:
    first = next(found for found in reports(parse_view(F2), samples=2) if found.choices)
    right = sentence(first, first.best)
    assert "434 of 462 hands" in right
    assert "+1.76" in right
    wrong = sentence(first, choice_of(first, "cl DJ"))
    assert "0 of 462 hands" in wrong
    assert "close the stock, then lead the Ace of diamonds" in wrong
    found = report(from_reference(reference.parse(COUNT_65)))
    assert "+1" in sentence(found, found.best)
    assert "0 game points" in sentence(found, choice_of(found, "DK"))
    for choice in (*first.choices, *found.choices):
        assert "\n" not in sentence(first if choice in first.choices else found, choice)


def test_a_worse_choice_never_costs_less() -> None:
    """Also where the best choice has no plan of its own and some others have one."""
    line = "schnapsen S:Q.J.TKQ. N:...,5x S 7xSJ 13/1-0/0 S won=S:CADJ"
    found = report(parse_view(line), samples=12, seed=2)
    losses = [choice.loss for choice in found.choices if choice.stderr is None]
    assert losses == sorted(losses)
    assert found.best.low is None
    assert max(losses) > 0.5


def test_the_partner_of_a_declared_card_is_in_every_layout() -> None:
    line = "foster66 S:9.A.KQ.T9 N:...,6x H 9xHQ 15/1-0~20/0 S won=S:SASK said=N:S closed=S0/0"
    seen = parse_view(line)
    (queen,) = [card for card in cards_in(seen.variant.pack) if card_code(card) == "SQ"]
    held = list(hands(seen))
    assert count_hands(seen) == len(held) == 2002
    assert all(hand >> queen & 1 for hand in held)
