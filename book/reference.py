"""The pages of the reference, one for each part of the program, for autodoc to fill."""

from __future__ import annotations

from pkgutil import walk_packages

import trainer

INTERNAL = {
    "trainer.__main__": "calls the command line",
    "trainer.cli": "has a page of its own",
    "trainer.search.backend": "compiles the kernels",
    "trainer.search.encode": "how the kernels write positions",
    "trainer.search.kernel": "written in integers; search.questions asks it",
    "trainer.search.plan_kernel": "written in integers; search.single_dummy asks it",
    "trainer.search.ending": "written in integers; search.double_dummy asks it",
    "trainer.search.last_draws": "a part of the kernel",
}
"""Modules that the reference leaves out, and why."""

PARTS = {
    "rules": ("The rules", "rules"),
    "notation": ("Notation", "notation"),
    "search": ("Search", "search"),
    "grading": ("Grading, reasons and hints", "grading explain hints"),
    "puzzles": ("Puzzles", "themes players puzzles mining choosing schedule practice"),
    "widgets": ("Widgets for notebooks", "widgets"),
    "rest": ("Lessons, record and commands", ""),
}
"""The pages: the title of each, and the parts of the program on it. The last has what is left."""


def modules() -> list[str]:
    """Return the names of the modules that the reference tells of, in alphabetical order."""
    found = walk_packages(trainer.__path__, "trainer.")
    return sorted(module.name for module in found if module.name not in INTERNAL)


def part_of(module: str) -> str:
    """Return the page on which a module is told."""
    part = module.split(".")[1]
    return next((page for page, (_, parts) in PARTS.items() if part in parts.split()), "rest")


def contents() -> str:
    """Return the list of the pages, in Markdown."""
    return "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(PARTS) + "\n```"


def reference_pages() -> dict[str, str]:
    """Return the pages by their names."""
    pages = {}
    for part, (title, _) in PARTS.items():
        blocks = [f"{title}\n{'=' * len(title)}"]
        for module in modules():
            if part_of(module) == part:
                blocks.append(
                    f"{module}\n{'-' * len(module)}\n\n"
                    f".. automodule:: {module}\n   :members:\n   :ignore-module-all:"
                )
        pages[f"api/{part}.rst"] = "\n\n".join(blocks) + "\n"
    return pages
