"""Running a lesson outside Jupyter, for the tests of what it says once it is answered."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat

from trainer.lessons import installed_lessons
from trainer.widgets.changes import Bench, Changes
from trainer.widgets.exercise import Exercise
from trainer.widgets.reveal import WAITS, Reveal

Names = dict[str, Any]


def read(lesson: str) -> Any:
    """Return the notebook of a lesson, such as ``06_count_35``, as it is stored."""
    return nbformat.read(path_of(lesson), as_version=4)


def path_of(lesson: str) -> Path:
    """Return the file of a lesson."""
    return installed_lessons() / f"{lesson}.ipynb"


def run(lesson: str) -> Names:
    """Run the code of a lesson and return its names; nothing is answered.

    What the last line of cell 7 gives is under ``cell 7``; cells are counted from 0.
    """
    names: Names = {}
    for number, cell in enumerate(read(lesson).cells):
        if cell.cell_type == "code":
            code, last = ("\n" + cell.source).rsplit("\n", 1)
            exec(compile(code, f"{lesson}, cell {number}", "exec"), names)
            names[f"cell {number}"] = eval(last, names)
    return names


def results_of(names: Names) -> list[Any]:
    """Return what the cells of a lesson show, in their order."""
    return [value for name, value in names.items() if name.startswith("cell ")]


def exercises(names: Names) -> list[Exercise]:
    """Return the questions of a lesson, in their order, those too that come after an answer."""
    asked = {id(value): value for value in names.values() if isinstance(value, Exercise)}
    return list(asked.values())


def shown(names: Names) -> list[str]:
    """Return what stands in the places that wait for an answer, in the order of the lesson.

    That to change the position in is not among them.
    """
    return [
        repr(value)
        for value in results_of(names)
        if isinstance(value, Reveal) and not isinstance(value, Changes)
    ]


def told(names: Names) -> str:
    """Return all that an answered lesson tells. Nothing in it may still wait, or have failed."""
    text = "\n".join(shown(names))
    assert WAITS not in text
    assert "This part of the lesson failed" not in text
    return text


def changed(names: Names, only: Iterable[str] = ()) -> dict[str, str]:
    """Work out the changes that a lesson offers, all or ``only`` some; return what is told."""
    (changes,) = (value for value in results_of(names) if isinstance(value, Changes))
    texts = {}
    for name in only or changes.positions:
        bench = Bench({name: changes.positions[name]}, changes.tells)
        bench.work_out()
        texts[name] = repr(bench)
        assert "game points" in texts[name], texts[name]
    return texts
