"""The command line, `sixty-six`.

Every command imports what it needs when it runs, so that `--help` and bad input answer at once.
Whatever a user can do wrong ends in `fail`: one line on standard error and exit status 2.
"""

import codecs
import os
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


PLAIN_SIGNS = str.maketrans({"−": "-", "±": "+-", "♠": "S", "♥": "H", "♦": "D", "♣": "C"})
"""What stands for a sign on a terminal that does not have it."""


def main() -> None:
    """Run the command line and exit with its status."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plain")
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


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return what a terminal shows for signs that it does not have, and where they end."""
    if not isinstance(error, UnicodeEncodeError):
        return codecs.backslashreplace_errors(error)
    text = error.object[error.start : error.end].translate(PLAIN_SIGNS)
    return text.encode("ascii", "backslashreplace").decode(), error.end


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
def check(
    position: Annotated[
        str,
        typer.Argument(metavar="POSITION", help="A position line; or a file or folder of puzzles."),
    ],
    sample: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", show_default="all", help="Solve only so many, drawn at random."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, metavar="N", show_default="one a core", help="Puzzles solved at once."
        ),
    ] = None,
) -> None:
    """Say whether a line is a possible position, or solve puzzles again.

    Of a line that is not possible it says why. Of a file with puzzles, or a folder of such files, \
every puzzle is read and solved, and what is stored with it is compared: one line for each fault.
    """
    if position.endswith((".tsv", "/")) or os.path.exists(position):  # noqa: PTH110 (of any text)
        _check_puzzles(Path(position), sample, seed, workers)
        return
    from trainer.notation import NotationError, format_table, parse

    try:
        table = parse(position)
    except NotationError as error:
        fail(str(error))
    typer.echo(f"possible: {format_table(table)}")


def _check_puzzles(path: Path, sample: int | None, seed: int, workers: int | None) -> None:
    from random import Random

    from trainer import puzzles
    from trainer.solve import progress_bar

    try:
        entries = puzzles.read(path)
    except puzzles.PuzzleError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or path}: {error.strerror or error}")
    if sample is not None and sample < len(entries):
        entries = Random(seed).sample(entries, sample)
    faulty = 0
    with progress_bar(sys.stderr) as progress:
        checked = puzzles.check_many(entries, workers=workers)
        for number, (entry, faults) in enumerate(checked, start=1):
            faulty += bool(faults)
            for fault in faults:
                _complain(f"{entry.file}, line {entry.line}, {entry.puzzle.id}, {fault}")
            progress(number / len(entries))
    if faulty:
        fail(f"{faulty} of {len(entries)} puzzles have a fault")
    typer.echo(f"{len(entries)} puzzles solved, all as stored")


@app.command()
def mine(
    output: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where the puzzles go, NAME.tsv; a new file.")
    ],
    variant: Annotated[
        str,
        typer.Option(metavar="NAME", help="The game, switches after a tilde: russian66~six."),
    ] = "foster66",
    seed: Annotated[int, typer.Option(min=0, help="Number of the series of deals.")] = 1,
    deals: Annotated[
        int,
        typer.Option(min=1, max=1_000_000, metavar="N", help="Deals to look through."),
    ] = 200,
    count: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", show_default="all", help="Keep so many, the most varied ones."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, metavar="N", show_default="one a core", help="Processes to work with."
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Work on this dask.distributed cluster instead."),
    ] = None,
) -> None:
    """Find puzzles: positions with a real decision, in deals that players of all strengths play.

    Each is solved, and twins are left out. Most deals yield a puzzle; a hundred take five to ten \
seconds on two cores. Stop it with Ctrl-C, and the same command goes on where it was.
    """
    from trainer import mining
    from trainer.notation import NotationError, parse_variant
    from trainer.puzzles import processes, statistics

    try:
        row = parse_variant(variant)
    except NotationError as error:
        fail(f"--variant: found {error.found}, expected {error.expected}")
    if output.suffix != ".tsv":
        fail(f"{output}: a file of puzzles is named NAME.tsv")
    if os.path.exists(output):  # noqa: PTH110 (a name may be too long)
        fail(f"{output}: exists already; name a new file")
    if not output.parent.is_dir():
        fail(f"{output}: there is no folder {output.parent}")
    wanted = mining.Mining(row.name, seed, deals, count)
    try:
        with (
            mining.dask_cluster(dask) if dask is not None else processes(workers) as executor,
            mining.mining_bar(sys.stderr) as progress,
        ):
            found = statistics(mining.mine(wanted, output, executor, progress))
    except mining.MiningError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{output}: {error.strerror or error}")
    except KeyboardInterrupt:
        written = f"stopped, but {output} is whole"  # while the workers were sent home
        _complain(written if output.exists() else "stopped; the same command goes on from here")
        raise typer.Exit(130) from None
    levels = ", ".join(str(count) for count in found.by_difficulty.values())
    typer.echo(
        f"{found.puzzles} puzzles in {output}, {found.concealed} with concealed cards; "
        f"by level from 1: {levels}"
    )
    if count is not None and found.puzzles < count:
        _complain(f"that is fewer than {count}: more deals are needed to choose from")


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


PuzzleTheme = Annotated[
    str, typer.Option("--theme", metavar="NAME", help="Only puzzles with this theme.")
]
PuzzleLevel = Annotated[
    str,
    typer.Option("--level", metavar="N", help="Only this level, 1 to 5, or levels like 2-4."),
]
PuzzleVariant = Annotated[
    str, typer.Option("--variant", metavar="NAME", help="Only puzzles of this game.")
]
PuzzleCards = Annotated[
    bool | None,
    typer.Option(
        "--as-seen/--face-up",
        show_default="both",
        help="Only puzzles with cards concealed, or only those with every card seen.",
    ),
]
PuzzleDaily = Annotated[bool, typer.Option("--daily", help="The puzzle of the day.")]
PuzzleWeak = Annotated[bool, typer.Option("--weak", help="From the theme that cost you most.")]
PuzzleReview = Annotated[
    bool, typer.Option("--review", help="One puzzle for each pattern that is due for review.")
]
PuzzleSet = Annotated[
    int | None,
    typer.Option(
        "--set",
        metavar="N",
        min=1,
        help="A fixed set, in rounds: what was missed comes again until all is right.",
    ),
]
PuzzleSeed = Annotated[
    int | None,
    typer.Option("--seed", show_default="another each time", help="Seed of the random order."),
]


@app.command()
def puzzle(
    theme: PuzzleTheme = "",
    level: PuzzleLevel = "",
    variant: PuzzleVariant = "",
    as_seen: PuzzleCards = None,
    daily: PuzzleDaily = False,
    weak: PuzzleWeak = False,
    review: PuzzleReview = False,
    number: PuzzleSet = None,
    count: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1000,
            show_default="all; 10 in a set",
            help="How many puzzles.",
        ),
    ] = None,
    seed: PuzzleSeed = None,
    as_list: Annotated[
        bool, typer.Option("--list", help="Print their position lines and ask nothing.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print a JSON object a line, with the solution, and ask nothing."
        ),
    ] = False,
    due: Annotated[
        bool, typer.Option("--due", help="Show which patterns are under review, when and why.")
    ] = False,
    turn: Annotated[
        Literal["on", "off"] | None,
        typer.Option("--turn-review", help="Turn spaced review on or off; it begins off."),
    ] = None,
) -> None:
    """Ask puzzles, one after the other, and tell what each answer is worth.

    Answer in the notation, small letters will do: HT, HQm, cl DA. A question mark gives a hint, \
q ends. Puzzles that you have not answered come first. Themes are told after the answer. Answers \
go into your record.

    Review repeats patterns, a theme in a game, each time with another puzzle.
    """
    from trainer import drill

    if sys.stdout is None:
        fail("there is no standard output to write to")
    way = _way(daily=daily, weak=weak, review=review, set=number is not None)
    try:
        puzzles = drill.installed()
        wanted = drill.wanted(puzzles, way, theme, variant, level, as_seen, number, count)
        order = drill.Order(puzzles, wanted, count, seed)
        if turn is not None or due:
            news = drill.show_review(puzzles, turn, due, as_json, sys.stdout)
        elif as_list or as_json:
            news = drill.print_puzzles(order, as_json, sys.stdout)
        else:
            if sys.stdin is None:
                fail("there is no standard input to read answers from")
            news = drill.ask(order, sys.stdin, sys.stdout, sys.stderr)
    except ValueError as error:
        fail(str(error))
    if news:
        _complain(news)


def _way(**ways: bool) -> str:
    """Return the one way to choose that was asked for, ``free`` if none was; fail if several."""
    asked = [way for way, wanted in ways.items() if wanted]
    if len(asked) > 1:
        fail(f"--{asked[0]} and --{asked[1]} do not go together")
    return asked[0] if asked else "free"


@app.command()
def sheet(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A file to write, such as sheet.html; the answers go beside it."
        ),
    ],
    theme: PuzzleTheme = "",
    level: PuzzleLevel = "",
    variant: PuzzleVariant = "",
    as_seen: PuzzleCards = None,
    daily: PuzzleDaily = False,
    weak: PuzzleWeak = False,
    review: PuzzleReview = False,
    number: PuzzleSet = None,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="How many puzzles, at most.")
    ] = 10,
    seed: PuzzleSeed = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", show_default="a plain one", help="What stands on top.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
) -> None:
    """Write a sheet of puzzles to print, and a separate sheet of answers.

    Both are HTML pages that need nothing else: open them in a browser and print them, on A4 or \
letter paper, in colour or in black and white.
    """
    from trainer import drill, worksheet
    from trainer.solve import progress_bar

    way = _way(daily=daily, weak=weak, review=review, set=number is not None)
    try:
        there = drill.installed()
        wanted = drill.wanted(there, way, theme, variant, level, as_seen, number, count)
        puzzles, news = drill.chosen(drill.Order(there, wanted, count, seed))
        with progress_bar(sys.stderr) as progress:
            written = worksheet.write_sheets(
                file,
                puzzles,
                title=title or worksheet.TITLE,
                force=force,
                progress=progress,
            )
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file}: {error.strerror or error}")
    if news:
        _complain(news)
    for path in written:
        typer.echo(path)


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
