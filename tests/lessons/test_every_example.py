"""Every worked example of the rules is something that a learner decides in some lesson.

Each test of a lesson, ``test_12.py``, says in its ``EXAMPLES`` which question of the lesson holds
which examples.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

from trainer.lessons import installed_lessons
from trainer.widgets.exercise import Exercise
from trainer.widgets.number import NumberQuestion
from trainer.widgets.pick import PickQuestion
from trainer.widgets.quiz import Quiz
from trainer.widgets.table import CardTable

HERE = Path(__file__).parent
PAGE = (HERE.parent.parent / "book" / "rules" / "examples.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^### ([WD](?:66|RU|SC|LG)-\d+)$", PAGE, re.MULTILINE)
NOT_THERE = {"DSC-1", "DSC-2", "DSC-3"}
"""Examples that were added to the page for the program: late exchanges, claims by the closer."""
QUESTIONS = {kind.__name__: kind for kind in (CardTable, NumberQuestion, PickQuestion, Quiz)}
TESTS = sorted(HERE.glob("test_[0-9][0-9].py"))


def held(path: Path) -> dict[str, str]:
    """What the test of a lesson says of the examples in it."""
    found: dict[str, str] = getattr(import_module(f"lessons.{path.stem}"), "EXAMPLES", {})
    return found


def questions(number: str) -> Iterator[str]:
    """Yield the names of the questions of a lesson, as its cells make them."""
    (path,) = installed_lessons().glob(f"{number}_*.ipynb")
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        for step in ast.parse(cell.source).body:
            if not (isinstance(step, ast.Assign) and isinstance(step.value, ast.Call)):
                continue
            made = step.value.func
            if isinstance(made, ast.Name) and made.id in QUESTIONS:
                yield from (name.id for name in step.targets if isinstance(name, ast.Name))


def test_the_examples_are_read_from_the_page() -> None:
    assert len(EXAMPLES) == len(set(EXAMPLES)) > 40
    assert set(EXAMPLES) >= NOT_THERE
    assert all(issubclass(kind, Exercise) for kind in QUESTIONS.values())


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_an_example_is_held_by_a_question_of_the_lesson(path: Path) -> None:
    examples = held(path)
    asked = set(questions(path.stem.removeprefix("test_")))
    assert set(examples) <= set(EXAMPLES)
    assert set(examples.values()) <= asked


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name not in NOT_THERE])
def test_every_example_is_decided_somewhere(example: str) -> None:
    assert [path.stem for path in TESTS if example in held(path)]
