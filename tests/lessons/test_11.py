"""Lesson 11, answered."""

import pytest

from lessons.running import Names, changed, run, told


@pytest.fixture(scope="module")
def names() -> Names:
    return run("11_concealed_cards")


@pytest.mark.slow
def test_everything_answered(names: Names) -> None:
    assert names["count"].answer(7)
    for name, words in (
        ("lead", "HK"),
        ("first", "cl SA"),
        ("second", "cl DA"),
        ("third", "cl SA"),
        ("fourth", "cl SA"),
    ):
        assert names[name].answer(words).mark == "=", name
    choices = names["quiz"].answer_all(["CT", "cl SA", "CQ", "ST", "cl SA"])
    assert [choice.mark for choice in choices] == ["~", "=", "=", "~", "="]
    text = told(names)
    assert "gain 0.43 game points" in text
    assert "| The decision | +1.57 / +0.57 | +1 / +1 |" in text
    assert "| Sixty-Six after the Russian chapter | +1.71 / +1.29 | +1 / +1 |" in text
    assert "After ♠10 ♠Q ♥10 ♥Q, for instance, no lead is best in every hand" in text
    assert "| ♣Q | +1, +1, +1, +2 | +1.25 | +1.25 |" in text
    assert names["finished"].finished


@pytest.mark.slow
def test_changes(names: Names) -> None:
    texts = changed(names)
    both = "The seen figures tell you to **close**, a fixed plan tells you to **play on**."
    assert texts["As it was"].endswith(both)
    russian = texts["By the Russian rules: who cannot follow must trump"]
    assert russian.endswith("Both ways of counting tell you to **close**.")
    queen = texts["You hold the Queen of hearts, not the Jack"]
    assert "The best fixed plan is not known for sure here" in queen
