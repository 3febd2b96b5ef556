"""The layers of the package: which part may import which."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trainer

PACKAGE = Path(trainer.__file__).parent
LAYERS = [
    {"rules"},
    {"notation"},
    {"search"},
    {"grading", "explain", "hints", "record"},
    {"themes", "players"},
    {"puzzles", "mining", "choosing", "schedule", "practice", "progress", "lessons"},
    {"widgets", "worksheet", "drill", "learn", "solve", "review", "cli", "__main__"},
]
"""The parts of the package, each layer importing only from itself and from those before it."""
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(source: str, module: str) -> Iterator[str]:
    """Yield the full name of everything that the module `module` imports, inside functions too.

    `module` is dotted and ends in `__init__` for the file of a package.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def faults(source: str, module: str) -> list[str]:
    """Return what `module`, with this source, imports against the order of the layers."""
    part = module.split(".")[1]
    found = []
    for name in imported(source, module):
        top, *rest = name.split(".")
        if part in ("__init__", "rules") and top not in {"trainer", *sys.stdlib_module_names}:
            found.append(f"{module} imports {name}, which is not in the standard library")
        if top == "trainer":
            other = rest[0] if rest else "__init__"
            if part == "__init__" or RANK.get(other, -1) > RANK[part]:
                found.append(f"{module} imports {name}, of a higher layer")
    return found


def dotted(path: Path) -> str:
    return ".".join(("trainer", *path.relative_to(PACKAGE).with_suffix("").parts))


def test_every_part_has_a_layer() -> None:
    parts = {dotted(path).split(".")[1] for path in MODULES} - {"__init__"}
    assert "rules" in parts
    assert parts <= set(RANK), "give the new part its place in LAYERS"


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_keep_to_the_layers(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8"), dotted(path)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("trainer.rules.play", "import numpy"),
        ("trainer.rules.play", "from trainer.notation import parse_position"),
        ("trainer.rules.play", "def f():\n    from ..search import kernel"),
        ("trainer.rules.__init__", "from .. import notation"),
        ("trainer.notation", "from trainer import grading"),
        ("trainer.search.kernel", "import trainer.widgets.table"),
        ("trainer.grading", "from trainer.cli import app"),
        ("trainer.__init__", "from trainer.rules import cards"),
        ("trainer.__init__", "import rich"),
    ],
)
def test_an_import_against_the_order_is_found(module: str, source: str) -> None:
    assert len(faults(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("trainer.rules.play", "import enum\nfrom .cards import Card\nfrom trainer.rules import x"),
        ("trainer.search.kernel", "import numba\nfrom trainer.notation import parse_position"),
        ("trainer.cli", "from trainer import __version__, grading\nimport typer"),
        ("trainer.widgets.table", "from trainer.grading import grade\nfrom . import svg"),
    ],
)
def test_an_import_along_the_order_is_let_through(module: str, source: str) -> None:
    assert faults(source, module) == []


def test_the_command_line_loads_nothing_heavy() -> None:
    heavy = {"jupyter_server", "jupyterlab", "IPython", "ipywidgets", "numba", "numpy", "nbformat"}
    code = "import sys, trainer.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "trainer.cli" in loaded
    assert loaded.isdisjoint(heavy)


def test_no_game_is_asked_for_by_its_name() -> None:
    """What differs between games is a column of their rows."""
    from trainer.rules.variants import VARIANTS

    asked = [
        f"{path.name}: {constant.value}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare | ast.MatchValue)
        for constant in ast.walk(node)
        if isinstance(constant, ast.Constant) and constant.value in VARIANTS
    ]
    assert asked == []
