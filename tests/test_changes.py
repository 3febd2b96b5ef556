"""Changing a position and seeing what every choice is worth."""

import asyncio

import pytest

from tables import F2
from trainer.grading import Report, report
from trainer.notation import NotationError, parse
from trainer.widgets import changes
from trainer.widgets.changes import OWN, Bench, Changes
from trainer.widgets.number import NumberQuestion
from trainer.widgets.reveal import WAITS

FACE_UP = (
    "foster66 S:TQ..9.J N:9..AT. D SKDQHQSAC9H9DKHKCQCACTDJ 6/1-21/1 S SJ "
    "won=S:CKHJ;N:HTHA closed=S0/0"
)
SEEN = (
    "foster66 S:.K..T N:...,2x D xDQ 62/6-9/3 S "
    "won=S:SJDK,SQS9,CKDT,SASK,HTHQ,D9DA;N:HJH9,CJDJ,C9CQ closed=S6/2"
)


@pytest.fixture
def bench() -> Bench:
    return Bench({"As it was": FACE_UP, "Later": SEEN})


def test_nothing_can_be_changed_before_the_answer() -> None:
    question = NumberQuestion("How many?", 3)
    place = Changes({"As it was": FACE_UP}, after=question)
    assert repr(place) == WAITS
    question.answer(3)
    assert "Choose a change; or write the line" in repr(place)
    assert "Position line:" not in place._repr_mimebundle_().get("text/html", "")


def test_a_change_shows_the_picture_and_every_choice(bench: Bench) -> None:
    bench.work_out()
    drawn, caption, table = bench.place.outputs
    assert drawn["data"]["text/html"].startswith('<img alt="Sixty-Six after Foster.')
    assert "What each choice is worth, in game points for South." in caption["data"]["text/plain"]
    rows = table["data"]["text/plain"].splitlines()[2:]
    assert all(row.startswith("| = best | ") for row in rows)
    assert len(rows) == len(report(parse(FACE_UP)).choices)
    assert repr(bench.notice) == "Best: every choice alike, −3 game points."


def test_a_choice_from_the_list_is_put_into_the_line(bench: Bench) -> None:
    bench.chosen.value = SEEN
    assert bench.line.value == SEEN
    text = bench.place.outputs[2]["data"]["text/plain"]
    assert "| mark | choice | game points | fixed plan | won |" in text
    assert "| = best | Lead the Ten of clubs | −0.67 | −0.67 | 1 of 3 |" in text


def test_a_line_of_ones_own_is_worked_out(bench: Bench) -> None:
    bench.line.value = f"  {SEEN} "
    assert dict(bench.chosen.options)[OWN] == bench.chosen.value
    assert repr(bench.notice).startswith("Best: every choice")
    bench.line.value = FACE_UP
    assert bench.chosen.value == FACE_UP


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Column 1, variant: found the end of the line"),
        ("<img src=x onerror=alert(1)>", "Column 1, variant: found '<img'"),
        (F2.replace("35/2", "36/2"), "points: found 36 for South, expected 35"),
        ("x" * 5000, "found 5000 characters, expected at most 2000"),
        (F2.replace(" S won", " N won"), "it must be South who is to play"),
    ],
)
def test_a_bad_line_gets_one_sentence(bench: Bench, line: str, said: str) -> None:
    bench.work_out()
    bench.line.value = "something else"
    bench.line.value = line
    assert said in repr(bench.notice)
    assert "\n" not in repr(bench.notice)
    assert bench.place.outputs == ()


def test_a_lesson_cannot_offer_a_bad_line() -> None:
    question = NumberQuestion("How many?", 3)
    with pytest.raises(NotationError):
        Changes({"As it was": F2.replace("35/2", "36/2")}, after=question)
    with pytest.raises(ValueError, match="South who is to play"):
        Changes({"As it was": F2.replace(" S won", " N won")}, after=question)


def test_a_lesson_can_say_more_about_the_figures() -> None:
    def more(found: Report) -> str:
        return f"There are **{len(found.choices)}** choices."

    bench = Bench({"As it was": FACE_UP}, more)
    bench.work_out()
    assert repr(bench).endswith("There are **3** choices.")


def test_what_takes_too_long_is_shown_as_far_as_it_is_known(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "SECONDS", 0.0)
    monkeypatch.setattr(changes, "OFTEN", 0.0)
    bench.line.value = F2
    assert "Not worked out within 0 seconds: " in repr(bench)
    assert "Lead the King of spades" in repr(bench)


def test_in_an_event_loop_progress_is_shown_and_the_last_line_counts(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "OFTEN", 0.0)
    shown: list[str] = []

    async def learner() -> None:
        bench.place.observe(lambda change: shown.append(repr(bench)), "outputs")
        bench.line.value = F2
        await asyncio.sleep(0.05)
        bench.chosen.value = FACE_UP
        while bench._task is not None and not bench._task.done():
            await asyncio.sleep(0.001)

    asyncio.run(learner())
    assert any("Working it out" in text for text in shown)
    assert "Best: every choice alike, −3 game points." in repr(bench)
    assert not any("Close the stock" in text for text in shown)


def test_a_failure_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise RuntimeError("no figures today")

    monkeypatch.setattr(changes, "reports", fail)
    with pytest.raises(RuntimeError):
        bench.work_out()
    assert "This part of the lesson failed: RuntimeError: no figures today" in str(
        bench.place.outputs
    )
