"""The command line, `sixty-six`.

Every command imports what it needs when it runs, so that `--help` and bad input answer at once.
Whatever a user can do wrong ends in `fail`: one line on standard error and exit status 2.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer
from typer.exceptions import TyperException

from trainer import __version__
from trainer import learn as lab
from trainer.lessons import LessonError

app = typer.Typer(
    help="A trainer for Sixty-Six and its relatives.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line and exit with its status."""
    # a terminal without suit signs shows their codes
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(prog_name="sixty-six", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except TyperException as error:
        _complain(error.format_message())
        status = error.exit_code
    except OSError as error:
        _complain(f"cannot read or write: {error.strerror}")
        status = 2
    sys.exit(status)


def fail(message: str) -> NoReturn:
    """End the command with `message` as one line on standard error and exit status 2."""
    _complain(message)
    raise typer.Exit(2)


def _complain(message: str) -> None:
    typer.echo(f"sixty-six: {' '.join(message.split())}", err=True)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    if version:
        typer.echo(f"sixty-six {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def learn(
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir",
            metavar="FOLDER",
            show_default="'Sixty-Six lessons' in your documents",
            help="Where your copies of the lessons are kept.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and open no browser.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, metavar="N", help="The port; the next free one if it is taken."
        ),
    ] = lab.DEFAULT_PORT,
) -> None:
    """Open the lessons in JupyterLab, on this machine only.

    They are copied into a folder of yours first. What you changed there is never written over; \
delete a lesson there and start again to have it fresh.
    """
    try:
        lab.learn(folder or lab.default_folder(), port, not no_browser, typer.echo)
    except LessonError as error:
        fail(str(error))


Position = Annotated[
    str, typer.Argument(metavar="POSITION", help="A position line; - reads lines from input.")
]
Line = Annotated[str, typer.Argument(metavar="POSITION", help="A position line.")]


@app.command()
def solve(
    position: Position,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=1_000_000,
            show_default="400, fewer the more cards are in the stock",
            help="Layouts to sample where there are too many.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 1,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, help="Stop after so long, and tell what is known by then."),
    ] = None,
    closing: Annotated[
        bool,
        typer.Option(
            "--closing",
            help="With cards concealed, also weigh closing now, closing after drawing, "
            "and playing on.",
        ),
    ] = False,
) -> None:
    """Find what every choice in a position is worth.

    With - as the position, lines are read from standard input and each is answered by one JSON \
object a line; a bad line is answered by an object with an error, and the exit status is 2 in the \
end.
    """
    from trainer import solve as solving
    from trainer.notation import NotationError, parse

    if position == "-":
        if sys.stdin is None:
            fail("there is no standard input to read positions from")
        if closing:
            fail("--closing weighs one position; it does not go with positions from input")
        if not solving.solve_lines(
            sys.stdin, sys.stdout, samples=samples, seed=seed, seconds=seconds
        ):
            raise typer.Exit(2)
        return
    try:
        table = parse(position)
        with solving.progress_bar(sys.stderr) as progress:
            found, report = solving.solve(
                table, samples=samples, seed=seed, seconds=seconds, progress=progress
            )
            ways = solving.weigh_closing(report, seconds, progress) if closing and report else []
    except NotationError as error:
        fail(str(error))
    if as_json:
        more = {"ways": solving.ways_json(ways)} if closing else {}
        typer.echo(solving.to_json(found | more))
        return
    typer.echo(solving.table_text(table))
    if report is not None:
        typer.echo()
        solving.plain_console(sys.stdout).print(solving.solution_text(report))
    if ways:
        typer.echo()
        solving.plain_console(sys.stdout).print(solving.ways_text(ways))


@app.command()
def show(
    position: Line,
    svg: Annotated[bool, typer.Option("--svg", help="Print the table as an SVG picture.")] = False,
) -> None:
    """Show a position as a table of cards."""
    from trainer.notation import NotationError, parse

    try:
        table = parse(position)
    except NotationError as error:
        fail(str(error))
    if svg:
        from trainer.widgets.svg import table_svg

        typer.echo(table_svg(table))
        return
    from trainer.solve import table_text

    typer.echo(table_text(table))


@app.command()
def check(position: Line) -> None:
    """Say whether a line is a possible position, and if not, why not."""
    from trainer.notation import NotationError, format_table, parse

    try:
        table = parse(position)
    except NotationError as error:
        fail(str(error))
    typer.echo(f"possible: {format_table(table)}")


@app.command()
def deal(
    variant: Annotated[
        str,
        typer.Option(metavar="NAME", help="The game, switches after a tilde: russian66~six."),
    ] = "foster66",
    seed: Annotated[
        int | None,
        typer.Option(min=0, show_default="another deal each time", help="Number of the deal."),
    ] = None,
    pone: Annotated[
        Literal["S", "N"], typer.Option(help="Who does not deal and so leads: South or North.")
    ] = "S",
) -> None:
    """Deal cards and print the position line, the whole of it and nothing else.

    The same seed deals the same cards. To have a deal solved: sixty-six deal | sixty-six solve -
    """
    from random import Random

    from trainer.notation import NotationError, format_position, parse_variant
    from trainer.rules import deal as deal_cards
    from trainer.rules.position import SIDES

    try:
        row = parse_variant(variant)
    except NotationError as error:
        fail(f"--variant: found {error.found}, expected {error.expected}")
    typer.echo(format_position(deal_cards(row, Random(seed), SIDES.index(pone))))


@app.command()
def review(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The record of a deal; - reads it from input.")
    ],
    first: Annotated[
        int, typer.Option("--from", metavar="N", min=1, help="Number of the first move to weigh.")
    ] = 1,
    as_seen: Annotated[
        bool,
        typer.Option("--as-seen", help="Weigh each choice also as its side saw the table."),
    ] = False,
    samples: Annotated[
        int,
        typer.Option(min=2, max=1_000_000, help="As seen: layouts to sample with the stock open."),
    ] = 40,
    seed: Annotated[int, typer.Option(help="As seen: seed of the sample.")] = 1,
    hands: Annotated[
        int,
        typer.Option(min=1, max=1_000_000, help="As seen: leave out where more hands can be held."),
    ] = 300,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Find what each decision of a recorded deal cost.

    Every choice is weighed to the end of the deal with all cards seen. For the first leads of a \
deal that can take tens of seconds, now and then minutes; --from starts later. With --as-seen a \
minute may be added, and the early decisions, where most is concealed, are left out.

    A record is a file with tags like [South "Ann"] if you wish, the line of the first position, \
and the moves: H9 SKm ex dr cl 66.
    """
    from time import perf_counter

    from trainer import review as reviewing
    from trainer.notation import parse_record
    from trainer.solve import plain_console, progress_bar
    from trainer.solve import to_json as as_line

    name = "standard input" if file == "-" else file
    started = perf_counter()
    try:
        record = parse_record(_read_text(file))
        if first > max(1, len(record.moves)):
            fail(f"--from {first}: {name} has {len(record.moves)} moves")
        with progress_bar(sys.stderr) as progress:
            found = reviewing.review(
                record,
                first=first,
                as_seen=as_seen,
                samples=samples,
                seed=seed,
                most_hands=hands,
                progress=progress,
            )
    except ValueError as error:  # of notation, or tricks won that are not told
        fail(f"{name}: {error}")
    if as_json:
        typer.echo(as_line(reviewing.to_json(found, perf_counter() - started)))
        return
    plain_console(sys.stdout).print(reviewing.review_text(found))


@app.command()
def progress(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every answer into a new CSV file; a ' keeps text as text."
        ),
    ] = None,
) -> None:
    """Show how you are doing: game points lost per real decision, and what to do next.

    Only the first answer to a question counts; trying again is free. The record is kept in your \
data folder, or in the one that SIXTY_SIX_DATA names.
    """
    from trainer import progress as figures
    from trainer.record import open_record
    from trainer.solve import plain_console, to_json

    record = open_record()
    found = figures.progress_of(record)
    news = record.news()
    if record.trouble:
        fail(news or record.trouble)
    if news:
        _complain(news)
    if export is not None:
        try:
            with export.open("xb") as file:
                file.write(figures.to_csv(record.attempts()).encode("utf-8-sig"))
        except FileExistsError:
            fail(f"{export}: exists already; name a new file")
        except OSError as error:
            fail(f"{export}: {error.strerror or error}")
    elif as_json:
        typer.echo(to_json(figures.to_json(found)))
    else:
        plain_console(sys.stdout).print(figures.progress_text(found))


def _read_text(file: str) -> str:
    """Return the text of a file, or of standard input for `-`; fail if it is none."""
    from trainer.notation import RECORD_LIMIT

    limit = 4 * RECORD_LIMIT  # the most bytes that so many characters take
    try:
        if file == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(limit + 1)
    except OSError as error:
        fail(f"{file}: {error.strerror or error}")
    name = "standard input" if file == "-" else file
    if len(data) > limit:
        fail(f"{name}: too long for the record of a deal")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fail(f"{name}: not text in UTF-8, see byte {error.start + 1}")
