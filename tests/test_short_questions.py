"""Questions without a table: a number to type, or answers to pick."""

import json

import pytest

from trainer.widgets.exercise import Exercise
from trainer.widgets.number import NumberQuestion
from trainer.widgets.pick import PickQuestion
from trainer.widgets.reveal import WAITS, after


def say(question: Exercise, word: str) -> None:
    """Send a word as the page does."""
    question.choice = {"seq": question.choice["seq"] + 1, "word": word}


def sent(question: Exercise) -> str:
    """Return what the page was told."""
    return json.dumps([question.scene, question.result], ensure_ascii=False)


def labels(question: PickQuestion) -> list[str]:
    return [action["label"] for action in question.scene["turn"]["actions"]]


@pytest.fixture
def trick() -> PickQuestion:
    return PickQuestion(
        "Who wins the trick?",
        {"The player who led": False, "The other player": True, "Nobody": False},
        "A trump beats a plain card.",
    )


@pytest.fixture
def beaten() -> PickQuestion:
    options = {"DK": True, "DT": lambda: True, "DJ": False}
    return PickQuestion("Which beat it?", options, "A 10 K Q J 9.", several=True, cards=True)


def test_a_number_is_asked_and_judged() -> None:
    question = NumberQuestion("What is the count?", lambda: 35, "21 and 14 are 35.")
    revealed = after(question, lambda: "Go on")
    assert question.result == {}
    assert "35" not in sent(question)
    for junk in ("", "many", "-1", "3" * 99, "²"):
        say(question, junk)
        assert question.scene["says"]["kind"] == "error"
    assert question.answers == []
    say(question, "34")
    assert (question.result["mark"], question.result["word"]) == ("?", "Not right")
    assert question.result["sentences"] == ["Try once more."]
    assert "35" not in sent(question)
    assert repr(revealed) == WAITS
    say(question, "again")
    assert question.result == {}
    assert question.answer(35)
    assert question.result["sentences"] == ["21 and 14 are 35."]
    assert repr(revealed) == "Go on"
    assert question.answers == [34, 35]


def test_the_second_wrong_number_is_followed_by_the_right_one() -> None:
    question = NumberQuestion("What is the count?", 35, "21 and 14 are 35.")
    revealed = after(question, lambda: "Go on")
    assert not question.answer(34)
    assert not question.answer(36)
    told = ["The right answer: 35 card points.", "21 and 14 are 35."]
    assert question.result["sentences"] == told
    assert question.scene["says"] == {"text": " ".join(["Not right.", *told]), "kind": "spoken"}
    assert repr(revealed) == "Go on"


def test_one_is_told_in_the_singular() -> None:
    question = NumberQuestion("How many?", 1, unit="game points")
    assert not question.answer(2)
    assert question.result["label"] == "2 game points"
    assert question.answer(1)
    assert question.result["label"] == "1 game point"


def test_one_answer_is_picked(trick: PickQuestion) -> None:
    revealed = after(trick, lambda: "Go on")
    before = sent(trick)
    assert "trump beats" not in before
    assert labels(trick) == ["The player who led", "The other player", "Nobody"]
    say(trick, "pick 3")
    assert trick.result["label"] == "Nobody"
    assert trick.result["sentences"] == ["Try once more."]
    assert repr(revealed) == WAITS
    say(trick, "pick 2")  # too late: it must be asked again first
    assert trick.answers == [("Nobody",)]
    say(trick, "again")
    say(trick, "pick 2")
    assert (trick.result["mark"], trick.result["word"]) == ("=", "Right")
    assert trick.result["sentences"] == ["A trump beats a plain card."]
    assert repr(revealed) == "Go on"


def test_what_is_no_answer_changes_nothing(trick: PickQuestion) -> None:
    for junk in ("", "pick 0", "pick 4", "pick", "answer", "Nobody", "pick ²"):
        say(trick, junk)
        assert trick.scene["says"]["text"] == "Choose one of the answers first."
    assert trick.answers == []
    for texts in ((), ("Nobody", "The other player"), ("South",)):
        with pytest.raises(ValueError, match="answers"):
            trick.answer(*texts)


def test_several_answers_are_marked_and_given_together(beaten: PickQuestion) -> None:
    def marked() -> list[str]:
        actions = beaten.scene["turn"]["actions"]
        return [action["card"] for action in actions if action.get("pressed")]

    assert labels(beaten) == ["King of diamonds", "Ten of diamonds", "Jack of diamonds", "Answer"]
    say(beaten, "answer")
    assert beaten.scene["says"]["kind"] == "error"
    for word in ("pick 2", "pick 3", "pick 1", "pick 3"):
        say(beaten, word)
    assert marked() == ["DK", "DT"]
    assert beaten.answers == []
    assert beaten.result == {}
    say(beaten, "answer")
    assert beaten.answers == [("DK", "DT")]
    assert beaten.result["label"] == "King of diamonds and Ten of diamonds"
    assert beaten.result["mark"] == "="
    say(beaten, "again")
    assert marked() == []


def test_no_word_is_lost_or_taken_twice_where_a_busy_kernel_is_given_only_the_last(
    beaten: PickQuestion,
) -> None:
    first, second, third = ({"seq": n, "word": f"pick {n}"} for n in (1, 2, 3))
    beaten.choice = first | {"earlier": [{"seq": 0, "word": ""}]}
    beaten.choice = third | {"earlier": [{"seq": 0, "word": ""}, first, second]}
    assert [each.get("pressed") for each in beaten.scene["turn"]["actions"]] == [True] * 3 + [None]
    for junk in ("answer", [7, None, {"seq": "4", "word": "answer"}, {"seq": 4}], None):
        beaten.choice = {"seq": 3, "word": "pick 3", "earlier": junk}
    assert beaten.answers == []


@pytest.mark.parametrize("texts", [("DK",), ("DK", "DT", "DJ"), ("DJ",)])
def test_all_that_are_right_and_no_other_must_be_marked(
    beaten: PickQuestion, texts: tuple[str, ...]
) -> None:
    assert not beaten.answer(*texts)
    assert not beaten.answer(*texts)
    right = "The right answer: King of diamonds and Ten of diamonds."
    assert beaten.result["sentences"] == [right, "A 10 K Q J 9."]


def test_any_of_several_right_answers_will_do() -> None:
    question = PickQuestion("Which beats it?", {"DK": True, "DT": True, "DJ": False}, cards=True)
    assert not question.answer("DJ")
    assert not question.answer("DJ")
    right = "The right answer: King of diamonds or Ten of diamonds."
    assert question.result["sentences"] == [right]
    assert question.answer("DT")
    assert question.answer("DK")


def test_what_cannot_be_asked_is_refused() -> None:
    for options in ({"one": True}, {"one": False, "two": False}, {}):
        with pytest.raises(ValueError, match="a right one among them"):
            PickQuestion("Which?", options)
    for word in ("HX", "cl", "HQm", "Ten of hearts"):
        with pytest.raises(ValueError, match="card"):
            PickQuestion("Which?", {"HT": True, word: False}, cards=True)


def test_without_a_kernel_a_question_shows_what_there_is_to_choose_from() -> None:
    question = PickQuestion("Is <b>?", {"<i>yes</i>": True, "no": False}, "Because of <b>.")
    data, _ = question._repr_mimebundle_()
    assert "<li>&lt;i&gt;yes&lt;/i&gt;</li><li>no</li>" in data["text/html"]
    assert "Is &lt;b&gt;?" in data["text/html"]
    assert "Because" not in str(data)
