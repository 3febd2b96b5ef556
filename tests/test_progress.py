"""The progress page: what is counted, what is advised, and how it is shown."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer import cli
from trainer import progress as figures
from trainer.lessons import installed_lessons, lesson_names, lesson_title
from trainer.progress import (
    Advice,
    Part,
    Progress,
    advice_lines,
    progress,
    progress_figure,
    progress_of,
    progress_table,
    to_csv,
    to_json,
)
from trainer.record import Attempt, Record, open_record

NOW = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
PATTERN = Attempt(
    position="position",
    choice="HT",
    best="66",
    loss=0.0,
    game_points=2.0,
    best_game_points=2.0,
    real=True,
    mark="=",
    concealed=False,
    seconds=8.0,
    hints=0,
    source="06_count_35",
    themes=("closing",),
    when=NOW,
)


def answer(number: int, loss: float = 0.0, **others: object) -> Attempt:
    """The answer to a position of its own, a minute after the one before."""
    mark = "=" if loss == 0 else "??" if loss >= 2 else "?"
    asked = {"position": f"position {number}", "when": NOW + timedelta(minutes=number)}
    return replace(PATTERN, loss=loss, **({"mark": mark} | asked | others))


TITLES = {"01_pack": "Lesson 1 · The pack", "02_counts": "Lesson 2 · The counts"}

# ------------------------------------------------------------------------------- what is counted


def test_the_figures_of_a_small_record() -> None:
    attempts = [
        answer(1, loss=2),
        answer(2, loss=0, position="position 1"),  # tried again
        answer(3, loss=1, themes=("closing", "marriage"), concealed=True),
        answer(4, loss=0, real=False),
        answer(5, loss=0, hints=2, source="terminal", themes=()),
        answer(6, loss=0, hints=3),  # told the best choices
    ]
    found = progress(attempts, ["01_pack"], TITLES | {"03_marriages": "Lesson 3 · Marriages"})
    assert (found.attempts, found.first_answers, found.retries) == (6, 5, 1)
    assert (found.hints, found.hinted, found.told) == (5, 2, 1)
    assert (found.since, found.until) == (attempts[0].when, attempts[-1].when)
    assert found.overall == Part("all", 3, 3.0)
    assert found.overall.mean_loss == 1.0
    assert found.by_theme == (Part("closing", 2, 3.0), Part("marriage", 1, 1.0))
    assert found.by_source == (Part("06_count_35", 2, 3.0), Part("terminal", 1, 0.0))
    assert found.by_view == (Part("all cards seen", 2, 2.0), Part("cards concealed", 1, 1.0))
    assert found.marks == {"=": 3, "??": 1, "?": 1}
    assert found.lessons_finished == ("01_pack",)
    assert found.lessons_open == ("02_counts", "03_marriages")
    assert found.answered == {"06_count_35": 4, "terminal": 1}
    (block,) = found.over_time
    assert (block.first, block.last, block.loss, block.mean_loss) == (1, 3, 3.0, 1.0)
    assert (block.since, block.until) == (attempts[0].when, attempts[4].when)


@pytest.mark.parametrize(
    ("hours", "first"),
    [([0, 1], 1), ([0, 11, 22, 33], 1), ([0, 13], 2), ([0, 24, 25, 48], 3), ([0, 12], 1)],
)
def test_another_try_is_one_within_twelve_hours(hours: list[int], first: int) -> None:
    """A review on another day is a question of its own."""
    attempts = [replace(PATTERN, loss=1, when=NOW + timedelta(hours=hour)) for hour in hours]
    found = progress(attempts)
    assert found.first_answers == first
    assert found.overall == Part("all", first, first)


@given(
    st.lists(
        st.builds(
            answer,
            number=st.integers(0, 5000),
            loss=st.floats(0, 1e9),
            position=st.sampled_from(["a", "b", "c", "d", "e"]),
            real=st.booleans(),
            hints=st.integers(0, 4),
            themes=st.lists(st.text(max_size=3), max_size=4).map(tuple),
            source=st.text(max_size=3),
            concealed=st.booleans(),
        ),
        max_size=60,
    )
)
def test_the_parts_make_the_whole(attempts: list[Attempt]) -> None:
    attempts.sort(key=lambda attempt: attempt.when)
    found = progress(attempts)
    whole = found.overall
    for group in (found.by_source, found.by_view):
        assert sum(part.real_decisions for part in group) == whole.real_decisions
        assert sum(part.loss for part in group) == pytest.approx(whole.loss)
    assert sum(block.loss for block in found.over_time) == pytest.approx(whole.loss)
    ends = [(block.first, block.last) for block in found.over_time]
    assert all(last - first + 1 <= 3 * ends[0][1] / 2 for first, last in ends)
    assert [first for first, _ in ends] == [1, *(last + 1 for _, last in ends)][: len(ends)]
    assert (ends[-1][1] if ends else 0) == whole.real_decisions
    assert all(part.real_decisions <= whole.real_decisions for part in found.by_theme)
    assert sum(found.marks.values()) == found.first_answers <= found.attempts
    assert found.retries >= 0
    json.loads(json.dumps(to_json(found), allow_nan=False))
    assert progress_table(found).html
    assert advice_lines(found)


@pytest.mark.parametrize(
    ("decisions", "size"),
    [(1, 1), (14, 14), (15, 10), (200, 10), (210, 20), (420, 50), (1050, 100), (20_000, 1000)],
)
def test_the_curve_has_few_points_however_much_there_is(decisions: int, size: int) -> None:
    over_time = figures.blocks([answer(n, loss=1) for n in range(decisions)])
    assert over_time[0].last == size
    assert len(over_time) <= figures.MOST_BLOCKS
    assert all(block.mean_loss == 1 for block in over_time)


# --------------------------------------------------------------------------------- what is advised


def test_the_weakest_theme_is_advised() -> None:
    attempts = [answer(n, loss=n % 2, themes=("closing",)) for n in range(20)]
    attempts += [answer(n, loss=1, themes=("marriage",)) for n in range(20, 30)]
    attempts += [answer(n, loss=2, themes=("ducking",)) for n in range(30, 39)]  # too few to tell
    advice = progress(attempts, [], TITLES).advice
    assert advice == Advice(Part("marriage", 10, 10.0), "01_pack")
    lines = advice_lines(progress(attempts, ["01_pack"], TITLES))
    assert lines == [
        "Practise the theme marriage: "
        "your last 10 real decisions there lost 1.00 game points each. "
        "`sixty-six puzzle --weak` asks puzzles like these.",
        "Take Lesson 2 · The counts: it is the last one left.",
    ]


def test_old_faults_pass() -> None:
    attempts = [answer(n, loss=2) for n in range(50)]
    attempts += [answer(n, loss=0) for n in range(50, 80)]
    found = progress(attempts)
    assert found.by_theme == (Part("closing", 80, 100.0),)
    assert found.advice == Advice(None, None)
    assert advice_lines(found) == ["Nothing stands out as weak. Go on with whatever you like."]


def test_an_empty_record_says_how_to_begin() -> None:
    found = progress([])
    assert found.overall.mean_loss is None
    (line,) = advice_lines(found)
    assert "sixty-six learn" in line
    assert "sixty-six learn" in progress_table(found).html
    assert progress_figure(found).get_label() == progress_figure(found).texts[0].get_text()


def test_the_lessons_are_those_of_the_installation() -> None:
    found = progress_of(open_record())
    assert "06_count_35" in found.lessons_open
    assert list(found.lessons_open) == lesson_names(installed_lessons())


# ---------------------------------------------------------------------------------- how it is shown

EVIL = [
    "<script>alert(1)</script>",
    "$\\frac{1}$",
    "\x1b[31mred\x1b[0m",
    "two\nlines\tand more",
    "[bold]rich[/bold]",
    "\u202eright to left",
    "x" * 5000,
    "=1+1",
    "",
    "\udcff",
]


@pytest.fixture
def evil() -> Progress:
    return progress([answer(n, loss=1, themes=(t,), source=t) for n, t in enumerate(EVIL)])


def test_names_are_data_in_html(evil: Progress) -> None:
    page = progress_table(evil)
    assert "<script" not in page.html
    assert "&lt;script&gt;" in page.html
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", page.html)
    assert page._repr_mimebundle_() == {"text/html": page.html, "text/plain": repr(page)}
    page.html.encode()


def test_the_tables_can_be_read_aloud(evil: Progress) -> None:
    html = progress_table(evil).html
    assert html.count("<table>") == html.count("<caption>") == 1
    assert html.count('scope="col"') == 2
    groups = re.findall(r"<tbody>(.*?)</tbody>", html)
    heads = [
        re.findall('<th scope="rowgroup" colspan="3".*?>(.*?)</th>', group) for group in groups
    ]
    assert heads == [["Overall"], ["Theme"], ["Source"], ["Cards"], ["Over time"]]
    assert [group.count('<th scope="row" ') for group in groups] == [1, 10, 10, 1, 1]
    assert ">all</th><td>10</td><td>1.00</td></tr>" in html


def test_many_names_are_cut_short() -> None:
    many = progress([answer(n, loss=n, themes=(f"theme {n}",)) for n in range(300)])
    html = progress_table(many).html
    assert html.count("theme ") == figures.MOST_ROWS - 1
    assert "289 others" in html
    assert len(to_json(many)["by_theme"]) == 300
    figure = progress_figure(many)
    assert len(figure.axes[1].get_yticklabels()) == figures.MOST_ROWS


def test_the_figure(evil: Progress) -> None:
    attempts = [answer(n, loss=n % 2 + n // 20) for n in range(34)]
    figure = progress_figure(progress(attempts))
    over_time, by_theme = figure.axes
    assert over_time.get_xlabel() == "real decisions answered so far (number)"
    assert over_time.get_ylabel() == "game points lost\nper real decision"
    assert by_theme.get_xlabel() == "game points lost per real decision"
    assert by_theme.get_ylabel() == "theme (real decisions)"
    (line,) = over_time.get_lines()
    assert line.get_xydata().tolist() == [[10, 0.5], [20, 0.5], [34, 1.5]]
    assert line.get_marker() == "o"
    (bar,) = by_theme.patches
    assert (bar.get_width(), bar.get_hatch()) == (pytest.approx(31 / 34), "///")
    assert figure.get_label() == (
        "Game points lost per real decision, over time: 0.50 in decisions 1 to 10, 0.50 in "
        "decisions 11 to 20, 1.50 in decisions 21 to 34. By theme: closing 0.91 in 34."
    )
    for found in (evil, progress([answer(1, themes=())]), progress([answer(1, loss=1e9)])):
        page = io.BytesIO()
        progress_figure(found).savefig(page, format="svg")
        assert page.getvalue().count(b"<script") == 0


def test_a_spreadsheet_takes_no_text_for_a_formula() -> None:
    attempts = [
        answer(n, choice=text, source=text, themes=(text, "b"), game_points=-1)
        for n, text in enumerate([*EVIL, "=cmd()", "+1", "-1", "@x", "'quoted", " =1", "＝1"])
    ]
    header, *rows = csv.reader(io.StringIO(to_csv(attempts), newline=""))
    assert header == [field.name for field in fields(Attempt)]
    for attempt, row in zip(attempts, rows, strict=True):
        cells = dict(zip(header, row, strict=True))
        assert float(cells["game_points"]) == -1
        for name in ("position", "choice", "best", "mark", "source"):
            assert cells[name] == "" or cells[name][0] == "'" or cells[name][0].isalnum()
            assert cells[name].removeprefix("'") == getattr(attempt, name)
        assert cells["themes"].removeprefix("'") == "; ".join(attempt.themes)
        assert datetime.fromisoformat(cells["when"]) == attempt.when
        assert cells["real"] == "1"


# --------------------------------------------------------------------------------- the command line


class Ran(NamedTuple):
    """What a command did: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def sixty_six(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs the command line in this process."""

    def run(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["sixty-six", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Ran(int(ended.value.code or 0), *capsys.readouterr())

    return run


def refusal(ran: Ran) -> str:
    """The one line that a command has written to refuse."""
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    return ran.err.removeprefix("sixty-six: ").rstrip("\n")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the learner's record."""
    monkeypatch.setenv("SIXTY_SIX_DATA", str(tmp_path / "mine"))
    return tmp_path / "mine"


def fill(count: int, **others: object) -> Record:
    record = open_record()
    for number in range(count):
        assert record.attempt(answer(number, loss=number % 3, **others)) is None
    return record


def test_the_page_in_a_terminal(mine: Path, sixty_six: Run) -> None:
    fill(30).finish_lesson("01_pack", NOW)
    ran = sixty_six("progress")
    assert (ran.status, ran.err) == (0, "")
    assert "2026-03-01: 30 answers, 30 of them first answers." in ran.out
    assert "30 real decisions lost 30.00 game points, 1.00 each." in ran.out
    assert "Marks of first answers: = 10, ? 10, ?? 10." in ran.out
    assert re.search(r"^closing +30 +30\.00 +1\.00$", ran.out, re.M)
    assert re.search(r"^21 to 30, 2026-03-01 +10 +\d+\.00 +[01]\.\d\d$", ran.out, re.M)
    assert "What to do next\nPractise the theme closing" in ran.out
    first = lesson_title(installed_lessons() / f"{lesson_names(installed_lessons())[0]}.ipynb")
    assert f"Take {first}: " in ran.out


def test_the_page_as_json(mine: Path, sixty_six: Run) -> None:
    record = fill(30)
    ran = sixty_six("progress", "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found == json.loads(json.dumps(to_json(progress_of(record))))
    assert set(found) == {
        "format",
        "attempts",
        "first_answers",
        "retries",
        "told",
        "hinted",
        "hints",
        "since",
        "until",
        "real_decisions",
        "loss",
        "mean_loss",
        "by_theme",
        "by_source",
        "by_view",
        "over_time",
        "marks",
        "lessons_finished",
        "lessons_open",
        "next",
    }
    assert found["format"] == 1
    assert (found["real_decisions"], found["loss"], found["mean_loss"]) == (30, 30, 1)
    assert found["by_theme"] == [
        {"name": "closing", "real_decisions": 30, "loss": 30, "mean_loss": 1}
    ]
    assert found["next"]["theme"]["name"] == "closing"
    assert found["next"]["lesson"] == lesson_names(installed_lessons())[0]


def test_nothing_is_made_by_looking(mine: Path, sixty_six: Run) -> None:
    ran = sixty_six("progress")
    assert (ran.status, ran.err) == (0, "")
    assert "Your record is empty. Begin with the lessons" in ran.out
    assert json.loads(sixty_six("progress", "--json").out)["attempts"] == 0
    assert not mine.exists()


@pytest.mark.parametrize("columns", ["20", "80", "300"])
def test_odd_names_in_a_terminal(
    columns: str,
    mine: Path,
    sixty_six: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for number, text in enumerate(EVIL):
        open_record().attempt(answer(number, loss=1, themes=(text,), source=text, mark=text))
    ran = sixty_six("progress")
    assert (ran.status, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert "[bold]rich[/bold]" in ran.out
    assert max(map(len, ran.out.splitlines())) < 500


def test_a_damaged_record_is_told_on_the_error_stream(mine: Path, sixty_six: Run) -> None:
    mine.mkdir()
    (mine / "record.sqlite").write_text("junk")
    ran = sixty_six("progress")
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert "set aside as record (damaged).sqlite" in ran.err
    assert "Your record is empty" in ran.out


def test_a_folder_that_is_a_file_is_refused(mine: Path, sixty_six: Run) -> None:
    mine.write_text("mine")
    for options in ([], ["--json"], ["--export", str(mine.with_name("x.csv"))]):
        said = refusal(sixty_six("progress", *options))
        assert said.startswith("Your record cannot be read now: Not a directory")
    assert not mine.with_name("x.csv").exists()


def test_export(mine: Path, sixty_six: Run) -> None:
    record = fill(5, source="Übung")
    file = mine.with_name("answers.csv")
    assert sixty_six("progress", "--export", str(file)) == (0, "", "")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf"), "without it Excel misreads the umlaut"
    text = file.read_bytes().decode("utf-8-sig")
    assert text == to_csv(record.attempts())
    assert text.count("\r\n") == 6

    assert "exists already" in refusal(sixty_six("progress", "--export", str(file)))
    nowhere = mine.with_name("no") / "answers.csv"
    assert "No such file" in refusal(sixty_six("progress", "--export", str(nowhere)))
    assert "--export" in refusal(sixty_six("progress", "--export"))
    assert file.read_bytes().decode("utf-8-sig") == text


def test_the_command_loads_nothing_heavy(mine: Path) -> None:
    fill(1)
    code = """
import sys
from trainer import cli
sys.argv = ["sixty-six", "progress"]
try:
    cli.main()
except SystemExit:
    print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "1 answer, " in run.stdout
    loaded = set(run.stdout.split())
    assert loaded.isdisjoint({"matplotlib", "numpy", "numba", "IPython", "ipywidgets"})
