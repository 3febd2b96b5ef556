"""The benchmark: what it writes, with units on every figure. No test asserts a time."""

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tables import load_script
from trainer.notation import format_position
from trainer.rules import VARIANTS
from trainer.rules.possible import find_fault

PROGRAM = Path(__file__).parent.parent / "book" / "bench.py"
FIGURE = re.compile(r"\d[\d.]* (µs|ms|s|MB|%)")
FOSTER = VARIANTS["foster66"]


bench = load_script(PROGRAM)


def rows(page: str, heading: str) -> list[dict[str, str]]:
    """The table under a heading, each row by its columns."""
    lines = re.findall(r"^\| (.+) \|$", page.split(f"## {heading}\n")[1].split("\n## ")[0], re.M)
    head, _, *body = (line.split(" | ") for line in lines)
    return [dict(zip(head, cells, strict=True)) for cells in body]


def results(**seconds: float) -> Any:
    """Results of made-up times: every statistic of `growth_12_plain=3.0` is 3 seconds."""
    made = bench.Results("2026-01-02", False, bench.machine() | {"load": 0.1})
    for name, time in seconds.items():
        key, _, form = name.rpartition("_")
        section = key.split("_")[0] if key.startswith("growth") else "endings"
        figures = dict.fromkeys(bench.STATISTICS, time)
        key = key.replace("_", " ")
        made.measures.append(bench.Measure(section, key, key, form, 7, figures))
    return made


@pytest.mark.slow
def test_a_quick_run_writes_a_page_and_json_that_agree(tmp_path: Path) -> None:
    command = [sys.executable, PROGRAM, "--quick", "--only", "endings", "--out", tmp_path]
    subprocess.run(command, check=True, timeout=600)
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert (told["format"], told["quick"], told["seed"]) == (1, True, bench.SEED)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", told["date"])
    assert set(told["machine"]) == {"processor", "cores", "system", "python", "numba", "load"}
    measures = told["measures"]
    counts = bench.SECTIONS["endings"].quick
    assert {(one["kernel"], one["count"]) for one in measures} == set(counts.items())
    keys = [(one["key"], one["kernel"]) for one in measures]
    assert len(set(keys)) == len(keys)
    for one in measures:
        figures = [one["seconds"][name] for name in ("median", "p90", "p99")]
        known = [figure for figure in figures if figure is not None]
        assert known[0] > 0
        assert known == sorted(known)
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert "A quick trial" in page
    table = rows(page, "Endings")
    assert len(table) == len(measures)
    for row, one in zip(table, measures, strict=True):
        assert (row["work"], row["kernel"]) == (one["work"], one["kernel"])
        for name in bench.STATISTICS:
            figure = one["seconds"][name]
            assert row[name] == ("–" if figure is None else bench.time_text(figure))
            assert figure is None or FIGURE.fullmatch(row[name])
    reached = rows(page, "What it reaches")
    assert len(reached) == 4
    for row in reached:
        assert FIGURE.fullmatch(row["must"])
        assert FIGURE.fullmatch(row["measured"])
    for row, peak in zip(rows(page, "Memory"), told["peak_memory"], strict=True):
        assert FIGURE.fullmatch(row["peak memory"])
        assert 10 < peak["megabytes"] < 5000
    assert not (tmp_path / "growth.svg").exists()


def test_the_same_positions_in_every_run() -> None:
    def lines(seed: str) -> list[str]:
        return [format_position(one) for one in islice(bench.random_play(FOSTER, 4, seed), 5)]

    assert lines("a") == lines("a")
    assert lines("a") != lines("b")


@pytest.mark.parametrize("stock_left", bench.STOCKS)
def test_random_play_comes_to_possible_positions(stock_left: int) -> None:
    for position in islice(bench.random_play(FOSTER, stock_left, "any"), 20):
        assert len(position.stock) == stock_left
        assert (position.led, position.undrawn, position.closed) == (None, False, None)
        assert [hand.bit_count() for hand in position.hands] == [6, 6]
        assert find_fault(position) is None


def test_statistics_of_known_times() -> None:
    figures = bench.statistics([float(number) for number in range(200, 0, -1)])
    assert figures == {"median": 100.5, "p90": 180.0, "p99": 198.0, "mean": 100.5}
    assert bench.statistics([3.0] * 99)["p99"] is None
    assert bench.statistics([3.0] * 9)["p90"] is None


def test_a_meter_leaves_out_the_warming_up() -> None:
    steps: list[Any] = []
    done: list[int] = []
    emptied: list[int] = []
    meter = bench.Meter("endings", "plain", 60, steps.append)
    positions = meter.gather("work", iter(range(1000)))
    measure = meter.clock("key", "work", done.append, positions, lambda: emptied.append(len(done)))
    assert done == emptied == list(range(62))
    assert measure.count == 60
    assert steps[0] == bench.Step("work: dealing", 0, 62)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.00000114, "1.1 µs"),
        (0.0000123, "12.3 µs"),
        (0.000229, "229 µs"),
        (0.0009999, "1.00 ms"),
        (-0.0044, "-4.40 ms"),
        (0.0235, "23.5 ms"),
        (0.9999, "1.00 s"),
        (34.56, "34.6 s"),
        (120, "120 s"),
    ],
)
def test_times_in_words(seconds: float, text: str) -> None:
    assert bench.time_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "reaches"), [(4e-6, "aim"), (5e-6, "aim"), (9e-6, "must"), (13e-6, "**missed**")]
)
def test_what_is_reached(seconds: float, reaches: str) -> None:
    (row,) = rows(bench.page(results(ending_value_compiled=seconds)), "What it reaches")
    assert row["measured"] == bench.time_text(seconds)
    assert row["reaches"] == reaches


@pytest.mark.parametrize(
    ("percent", "reaches"), [(100.0, "aim"), (99.0, "aim"), (92.0, "must"), (91.9, "**missed**")]
)
def test_of_a_share_more_is_better(percent: float, reaches: str) -> None:
    made = results()
    name = "plan 462 within 1"
    made.shares.append(bench.Share("plans", name, name, bench.COMPILED, 300, percent))
    (row,) = rows(bench.page(made), "What it reaches")
    assert (row["measured"], row["reaches"]) == (f"{percent:.1f} %", reaches)


def test_every_goal_reads_a_figure_that_is_measured() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    made = bench.Results("2026-01-02", False, bench.machine())
    keys = {*re.findall(r'(?:clock|measured)\(\s*"([^"]+)"', source)}
    keys |= {f"{kind} {name}" for kind in ("deal", "first moves") for name in VARIANTS}
    keys |= {f"growth {stock_left}" for stock_left in bench.STOCKS} | {"import trainer"}
    keys |= {"plan 84", "plan 462"}
    for size in (84, 462):
        for limit in (1, 3):
            name = f"plan {size} within {limit}"
            made.shares.append(bench.Share("plans", name, name, bench.COMPILED, 1, 50.0))
    figures = dict.fromkeys(bench.STATISTICS, 1.0)
    for key in keys:
        for form in (bench.COMPILED, bench.PLAIN, bench.NEITHER):
            made.measures.append(bench.Measure("endings", key, key, form, 1, figures))
    made.peaks.append(bench.Peak("endings", bench.PLAIN, 100.0))
    assert all(goal.measured(made) is not None for goal in bench.GOALS)


def test_a_busy_machine_is_told() -> None:
    made = results()
    assert "with care" not in bench.page(made)
    made.machine["load"] = 0.6
    assert "with care" in bench.page(made)


def test_the_picture_of_growth_has_axes_with_units_and_a_text(tmp_path: Path) -> None:
    made = results(growth_0_compiled=5e-6, growth_12_compiled=5e-3, growth_12_plain=0.9)
    bench.write(made, tmp_path)
    picture = (tmp_path / "growth.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg")
    comments = re.findall(r"<!-- (.+) -->", picture)
    assert {"10 µs", "1 ms", "100 ms", "0", "12"} <= set(comments)
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"!\[(.+)\]\(growth.svg\)", page)
    assert "compiled: 5.0 µs with 0, 5.00 ms with 12; plain: 900 ms with 12" in text
    bench.write(made, tmp_path)
    assert picture == (tmp_path / "growth.svg").read_text(encoding="utf-8")
