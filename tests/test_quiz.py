"""The quiz at the end of a lesson."""

import asyncio
from pathlib import Path

import pytest

from trainer.notation import parse_answer
from trainer.record import open_record
from trainer.widgets.exercise import Exercise
from trainer.widgets.quiz import Quiz
from trainer.widgets.reveal import WAITS, after
from trainer.widgets.table import Question

ONE = "foster66 S:Q.KQ.KQ. N:.J.TJ.TK D CASKSAH9STCJHTCQDAS9SJD9 11/1-0/0 S won=S:HAC9 closed=S0/0"
TWO = (
    "foster66 S:.K..T N:...,2x D xDQ 62/6-9/3 S "
    "won=S:SJDK,SQS9,CKDT,SASK,HTHQ,D9DA;N:HJH9,CJDJ,C9CQ closed=S6/2"
)


@pytest.fixture(autouse=True)
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that a test answers go into the record of whoever runs it."""
    monkeypatch.setenv("SIXTY_SIX_DATA", str(tmp_path))


@pytest.fixture
def quiz() -> Quiz:
    return Quiz(
        "06_count_35",
        Question(TWO, "What do you lead?", themes=("last trick",)),
        Question(ONE, "And here?"),
        Question(TWO, "And at last?"),
    )


def say(question: Exercise, word: str) -> None:
    """Send a word as the page does."""
    question.choice = {"seq": question.choice["seq"] + 1, "word": word}


def test_a_quiz_asks_one_after_the_other_and_ends_with_the_marks(quiz: Quiz) -> None:
    place = after(quiz, lambda: "Go on")
    assert quiz.question == "1 of 3: What do you lead?"
    say(quiz, "next")
    assert quiz.question.startswith("1 of 3")
    say(quiz, "CT")
    first = quiz.result["mark"]
    assert "next" in quiz.scene
    say(quiz, "next")
    assert quiz.question == "2 of 3: And here?"
    assert quiz.result == {}
    say(quiz, "SQ")
    second = quiz.result["mark"]
    say(quiz, "again")
    say(quiz, "DKm")
    assert quiz.result["mark"] != second
    say(quiz, "next")
    assert quiz.question == "3 of 3: And at last?"
    assert repr(place) == WAITS
    assert quiz.marks == {1: first, 2: second}
    say(quiz, "HK")
    assert "next" not in quiz.scene
    assert quiz.result["sentences"][-1] == (
        "All three are answered, two with the best choice at the first try. "
        "Question 1: best (=); 2: blunder (??); 3: best (=)."
    )
    assert repr(place) == "Go on"


def test_every_answer_is_recorded_with_the_lesson_and_its_own_themes(quiz: Quiz) -> None:
    for word in ("CT", "next", "SQ", "next", "HK"):
        say(quiz, word)
    attempts = open_record().attempts()
    assert [attempt.source for attempt in attempts] == ["Lesson 6 quiz"] * 3
    assert [attempt.themes for attempt in attempts] == [("last trick",), (), ()]


def test_all_can_be_answered_at_once(quiz: Quiz) -> None:
    with pytest.raises(ValueError, match="3 answers are wanted"):
        quiz.answer_all(["CT"])
    choices = quiz.answer_all(["CT", "DKm", "HK"])
    assert [choice.answer for choice in choices] == [
        parse_answer(words) for words in ("CT", "DKm", "HK")
    ]
    assert list(quiz.marks.values()) == [choice.mark for choice in choices]
    assert open_record().attempts() == []
    with pytest.raises(ValueError, match="none given before"):
        quiz.answer_all(["CT", "DKm", "HK"])


def test_in_an_event_loop_the_next_question_waits_for_the_mark(quiz: Quiz) -> None:
    async def learner() -> None:
        say(quiz, "CT")
        assert quiz.scene["phase"] == "waiting"
        assert "next" not in quiz.scene
        say(quiz, "next")
        assert quiz.question.startswith("1 of 3")
        while "next" not in quiz.scene:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(learner(), 60))
    assert quiz.marks == {1: quiz.result["mark"]}


def test_without_a_kernel_there_is_the_first_position(quiz: Quiz) -> None:
    data, _ = quiz._repr_mimebundle_()
    assert "1 of 3: What do you lead? Sixty-Six after Foster." in data["text/html"]
    assert data["image/svg+xml"].startswith("<svg")


def test_a_quiz_must_ask_something() -> None:
    with pytest.raises(ValueError, match="must ask something"):
        Quiz("06_count_35")
