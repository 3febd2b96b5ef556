"""What the page of the command line says of each command, told by the commands' own help."""

from __future__ import annotations

from collections.abc import Iterator

from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from trainer.cli import app


def commands() -> str:
    """Return a table of the commands and a section for each, in Markdown."""
    group = get_command(app)
    parts = ["\n".join(overview(group))]
    for name, command in group.commands.items():
        if not command.hidden:
            parts.append("\n".join(section(name, command)))
    return "\n\n".join(parts)


def overview(group: TyperGroup) -> Iterator[str]:
    """Yield the table of all commands, a row at a time."""
    yield "| Command | What it does |"
    yield "| --- | --- |"
    for name, command in group.commands.items():
        if not command.hidden:
            yield f"| [`{name}`](#sixty-six-{name}) | {cell(command.help.splitlines()[0])} |"


def section(name: str, command: TyperCommand) -> Iterator[str]:
    """Yield the section of one command, a line at a time."""
    context = command.context_class(command, info_name=f"sixty-six {name}")
    yield f"## sixty-six {name}"
    yield ""
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    yield ""
    yield escaped(command.help)
    yield ""
    yield "| Argument or option | Meaning |"
    yield "| --- | --- |"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and "--help" not in parameter.opts:
            names = record[0].replace("|", "\\|")
            yield f"| `{names}` | {cell(record[1])} |"


def escaped(text: str) -> str:
    """Return text in which Markdown finds nothing to change."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return text


def cell(text: str) -> str:
    """Return text for a cell of a table: one line, its signs as they are."""
    return escaped(" ".join(text.split()))
