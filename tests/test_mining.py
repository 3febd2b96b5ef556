"""Mining: what is kept, and runs that are stopped, shared out, and balanced."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from test_puzzles import AS_SEEN, FACE_UP, OPEN, Run, sixty_six  # noqa: F401 (a fixture)
from trainer import mining as package
from trainer.grading import grade, report
from trainer.mining import Mining, MiningError, balanced, mine, mine_deal, run
from trainer.mining.finding import CAST, SELDOM, difficulty, sound
from trainer.notation import parse, parse_answer
from trainer.players import careless, face_up, forgetful
from trainer.puzzles import Puzzle, load, processes, puzzle_of, statistics, to_cells
from trainer.rules import VARIANTS, Position, View
from trainer.themes import NAMES

THEMES = list(NAMES)


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return puzzle_of(report(parse(FACE_UP)), difficulty=2, themes=(THEMES[0],))


# -------------------------------------------------------------------------------- what is kept


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """What a few deals yield."""
    deals = itertools.product(VARIANTS.values(), range(6))
    return [puzzle for variant, number in deals for puzzle in mine_deal(variant, 5, number)]


def test_a_deal_always_yields_the_same(found: list[Puzzle]) -> None:
    assert {puzzle.concealed for puzzle in found} == {True, False}
    again = mine_deal(VARIANTS["schnapsen"], 5, 0) + mine_deal(VARIANTS["schnapsen"], 5, 1)
    assert again == [puzzle for puzzle in found if puzzle in again]
    assert mine_deal(VARIANTS["schnapsen"], 6, 0) != mine_deal(VARIANTS["schnapsen"], 5, 0)


def test_what_is_kept_is_a_real_decision_that_a_beginner_misses(found: list[Puzzle]) -> None:
    for puzzle in found:
        table = puzzle.table
        solved = report(table)
        assert puzzle.themes
        assert puzzle.value - puzzle.second >= (0.3 if puzzle.concealed else 1)
        seen = face_up(table) if isinstance(table, Position) else table
        asked = [careless, forgetful] if SELDOM.intersection(puzzle.themes) else [careless]
        losses = [
            grade(solved, (player(seen, Random(seed)),)).loss
            for player in asked
            for seed in range(8)
        ]
        assert max(losses) > 0
        words = [parse_answer(answer, table) for answer in puzzle.best]
        assert all(grade(solved, answer).loss == 0 for answer in words)
        assert "66" not in puzzle.best
        if isinstance(table, View):
            assert sound(solved)
            assert puzzle.low is None or puzzle.low <= puzzle.value


def test_a_deal_yields_one_more_only_of_a_seldom_theme(found: list[Puzzle]) -> None:
    assert set(NAMES) >= SELDOM
    for variant, number in itertools.product(VARIANTS.values(), range(2)):
        puzzles = mine_deal(variant, 5, number)
        assert len(puzzles) <= 2
        assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
        assert not puzzles[1:] or SELDOM.intersection(puzzles[1].themes)
    seldom = [puzzle for puzzle in found if SELDOM.intersection(puzzle.themes)]
    assert any("dr" in puzzle.best for puzzle in seldom)  # what the careless always do


def test_a_close_that_only_averaging_recommends_is_not_sound() -> None:
    assert sound(report(parse(AS_SEEN)))
    assert sound(report(parse(OPEN)))
    fused = "foster66 S:J.AKQ.J.J N:...,6x H 5xH9 13/1-32/2 S won=S:SQST;N:DTDA,CAS9 closed=S32/2"
    solved = report(parse(fused))
    assert sound(solved)
    best, second, *others = solved.choices
    near = replace(second, game_points=best.game_points - 0.1)
    assert not sound(replace(solved, choices=(best, near, *others)))
    unsure = replace(second, low=3.0)
    assert not sound(replace(solved, choices=(best, unsure, *others)))
    promising = replace(second, low=None, game_points=best.game_points - 0.5)
    assert sound(replace(solved, choices=(best, promising, *others)))
    bold = replace(best, low=best.game_points - 0.6)  # its plan yields less than it promises
    assert not sound(replace(solved, choices=(bold, promising, *others)))
    sampled = replace(second, low=None, stderr=0.4, game_points=best.game_points - 1)
    assert not sound(replace(solved, choices=(best, sampled, *others)))


def test_the_level_rises_with_the_players_who_miss_it() -> None:
    showing = "foster66 S:KQ..J.J9 N:TJ.AT..Q H HKHJH9DKDQHQ 46/3-11/1 S closed=S11/1"
    assert difficulty(report(parse(showing))) == 1
    deep = "schnapsen S:.TQJ.K.A N:...,5x S 5xSK 27/2-0/0 S won=S:CJSA,SQHA closed=S0/0"
    assert difficulty(report(parse(deep))) >= 4


def test_the_players_of_the_deals_differ() -> None:
    assert len(set(CAST)) >= 4


# ------------------------------------------------------------------------------------- the runs


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch, puzzle: Puzzle) -> list[int]:
    """Deals that yield a puzzle at once, two of three of them; the list tells which were mined."""
    mined: list[int] = []

    def mine_deal(variant: Any, seed: int, number: int) -> list[Puzzle]:
        mined.append(number)
        time.sleep(Random(number).random() / 200)
        name = f"{variant.name}-{seed}-{number // 2 * 2 if number % 5 else number}"
        return [replace(puzzle, id=name)] if number % 3 else []

    monkeypatch.setattr(run, "mine_deal", mine_deal)
    return mined


def test_twins_are_kept_once_in_the_order_of_the_deals(invented: list[int], tmp_path: Path) -> None:
    puzzles = mine(Mining("schnapsen", 3, 20), tmp_path / "a.tsv", None)
    names = [puzzle.id for puzzle in puzzles]
    assert len(names) == len(set(names)) < sum(number % 3 > 0 for number in range(20))
    assert names[:3] == ["schnapsen-3-0", "schnapsen-3-2", "schnapsen-3-4"]
    assert load(tmp_path / "a.tsv") == sorted(puzzles, key=lambda each: each.id)
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_any_number_of_workers_comes_to_the_same(invented: list[int], tmp_path: Path) -> None:
    wanted = Mining("foster66", 1, 43)
    alone = mine(wanted, tmp_path / "one.tsv", None)
    with ThreadPoolExecutor(7) as executor:
        assert mine(wanted, tmp_path / "seven.tsv", executor) == alone
    assert Counter(invented) == Counter(list(range(43)) * 2)
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "seven.tsv").read_bytes()


def test_a_run_that_was_stopped_goes_on_without_loss(
    invented: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Mining("foster66", 1, 33)
    whole = mine(wanted, tmp_path / "whole.tsv", None)
    invented.clear()

    def stop(done: float, found: int) -> None:
        if done > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(wanted, tmp_path / "a.tsv", None, stop)
    assert not (tmp_path / "a.tsv").exists()
    first = list(invented)
    assert 10 < len(first) < 33
    told: list[float] = []
    assert mine(wanted, tmp_path / "a.tsv", None, lambda done, found: told.append(done)) == whole
    assert sorted(invented) == list(range(33))  # none of them twice
    assert told[0] > 0.4
    assert told[-1] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tsv", "whole.tsv"]


def test_more_deals_go_on_from_what_an_unfinished_run_has(
    invented: list[int], tmp_path: Path
) -> None:
    def stop(done: float, found: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(Mining("foster66", 1, 3), tmp_path / "a.tsv", None, stop)  # a batch cut short
    more = mine(Mining("foster66", 1, 12), tmp_path / "a.tsv", None)
    assert more == mine(Mining("foster66", 1, 12), tmp_path / "b.tsv", None)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": 1}', b"\xff", b"null"])
def test_a_damaged_state_is_told_and_left_alone(damage: bytes, tmp_path: Path) -> None:
    state = run.state_file(tmp_path / "a.tsv")
    state.write_bytes(damage)
    with pytest.raises(MiningError, match="damaged"):
        mine(Mining("foster66", 1, 5), tmp_path / "a.tsv", None)
    assert state.read_bytes() == damage


def test_the_state_of_other_deals_is_told_and_left_alone(
    invented: list[int], tmp_path: Path
) -> None:
    def stop(done: float, found: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(Mining("foster66", 1, 10), tmp_path / "a.tsv", None, stop)
    for other in (Mining("schnapsen", 1, 10), Mining("foster66", 2, 10)):
        with pytest.raises(MiningError, match="other deals"):
            mine(other, tmp_path / "a.tsv", None)
    mine(Mining("foster66", 1, 10), tmp_path / "a.tsv", None)


def test_of_two_runs_on_one_file_one_gives_way(invented: list[int], tmp_path: Path) -> None:
    file, other = Mining("foster66", 1, 20), Mining("foster66", 2, 20)
    ended: list[str] = []

    def begin_another(done: float, found: int) -> None:
        if not ended:
            run.state_file(tmp_path / "a.tsv").rename(tmp_path / "aside")
            ended.append("the other")
            mine(other, tmp_path / "a.tsv", None, take_back)

    def take_back(done: float, found: int) -> None:
        (tmp_path / "aside").rename(run.state_file(tmp_path / "a.tsv"))

    with pytest.raises(MiningError, match="another run"):  # the other one, and only that
        mine(file, tmp_path / "a.tsv", None, begin_another)
    puzzles = mine(file, tmp_path / "a.tsv", None)
    assert {puzzle.id.split("-")[1] for puzzle in puzzles} == {"1"}
    before = (tmp_path / "a.tsv").read_bytes()
    with pytest.raises(MiningError, match="move it"):
        mine(other, tmp_path / "a.tsv", None)
    assert (tmp_path / "a.tsv").read_bytes() == before


def test_where_nothing_can_be_written_the_file_is_named(
    invented: list[int], tmp_path: Path
) -> None:
    file = tmp_path / f"{'x' * 300}.tsv"
    with pytest.raises((MiningError, OSError), match="xxx"):
        mine(Mining("foster66", 1, 5), file, None)


def test_workers_that_end_are_told_in_a_sentence(invented: list[int], tmp_path: Path) -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, *arguments: Any, **more: Any) -> Any:
            if len(invented) > 5:
                raise BrokenExecutor("a worker is gone")
            time.sleep(0.05)
            return super().submit(*arguments, **more)

    with Broken(1) as executor, pytest.raises(MiningError, match="run it again to go on"):
        mine(Mining("foster66", 1, 400), tmp_path / "a.tsv", executor)


# --------------------------------------------------------------------------------------- balance


def many(puzzle: Puzzle, count: int, seed: int) -> Iterator[Puzzle]:
    """Puzzles of all kinds, half of them with the first theme and few with the last."""
    as_seen = puzzle_of(report(parse(AS_SEEN)), difficulty=2)
    rng = Random(seed)
    for number in range(count):
        themes = {rng.choice(THEMES[1:20])} | ({THEMES[0]} if rng.random() < 0.5 else set())
        if number % 100 == 7:
            themes = {THEMES[0], THEMES[-1]}
        yield replace(
            as_seen if rng.random() < 0.3 else puzzle,
            id=f"p{rng.getrandbits(40):010x}",
            difficulty=rng.choice([1, 1, 1, 2, 2, 3, 4, 5]),
            themes=tuple(theme for theme in THEMES if theme in themes and number % 50),
        )


def test_a_balanced_choice_keeps_no_theme_too_often(puzzle: Puzzle) -> None:
    pool = list(many(puzzle, 600, 1))
    chosen = balanced(pool, 200)
    figures = statistics(chosen)
    assert len({each.id for each in chosen}) == 200
    assert max(map(figures.theme_share, NAMES)) <= 0.15
    assert figures.concealed_share >= 0.45
    assert min(figures.by_difficulty.values()) >= 25
    assert figures.unthemed == 0
    rare = sum(THEMES[-1] in each.themes for each in pool)
    assert figures.by_theme[THEMES[-1]] >= 0.75 * rare  # by chance it would be a third
    assert balanced(reversed(pool), 200) == chosen


def test_fewer_are_chosen_before_a_theme_is_too_often(puzzle: Puzzle) -> None:
    pool = [each for each in many(puzzle, 400, 2) if THEMES[0] in each.themes]
    rest = [each for each in many(puzzle, 300, 3) if THEMES[0] not in each.themes]
    chosen = balanced(pool + rest[:60], 200)
    assert 0 < len(chosen) < 200
    assert statistics(chosen).theme_share(THEMES[0]) <= 0.15
    assert len(balanced(rest, 5)) == 5


# -------------------------------------------------------------------------------- the command line


def test_the_command_writes_a_file(
    sixty_six: Run,  # noqa: F811
    invented: list[int],
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.tsv"
    arguments = ("mine", str(file), "--variant", "schnapsen", "--deals", "30", "--workers", "1")
    status, out, err = sixty_six(*arguments)
    assert (status, err) == (0, "")
    assert out.startswith(f"{len(load(file))} puzzles in {file}, 0 with concealed cards")
    before = file.read_bytes()
    status, out, err = sixty_six(*arguments)
    assert (status, out, err) == (2, "", f"sixty-six: {file}: exists already; name a new file\n")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--variant", "whist"], "--variant: found 'whist'"),
        (["--deals", "0"], "--deals"),
        (["--count", "0"], "--count"),
        (["--variant", ""], "--variant"),
    ],
)
def test_the_command_refuses_in_one_line(
    arguments: list[str],
    said: str,
    sixty_six: Run,  # noqa: F811
    tmp_path: Path,
) -> None:
    status, out, err = sixty_six("mine", str(tmp_path / "a.tsv"), *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    for path in (tmp_path / "no" / "a.tsv", tmp_path / "a.txt", tmp_path / f"{'x' * 300}.tsv"):
        status, out, err = sixty_six("mine", str(path), "--workers", "1", "--deals", "1")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"sixty-six: {path}")
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_that_fewer_were_found(
    sixty_six: Run,  # noqa: F811
    invented: list[int],
    tmp_path: Path,
) -> None:
    arguments = ("mine", str(tmp_path / "a.tsv"), "--deals", "3", "--workers", "1")
    status, _, err = sixty_six(*arguments, "--count", "50")
    assert (status, err.count("\n")) == (0, 1)
    assert "fewer than 50" in err


def test_interrupted_the_command_says_how_to_go_on(
    sixty_six: Run,  # noqa: F811
    invented: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    file = tmp_path / "a.tsv"
    arguments = ("mine", str(file), "--deals", "2000", "--workers", "1")
    status, out, err = sixty_six(*arguments)
    assert (status, out) == (130, "")
    assert err == "sixty-six: stopped; the same command goes on from here\n"
    assert not file.exists()


# ------------------------------------------------------------------------------- real workers


@pytest.mark.slow
def test_processes_find_what_one_finds(tmp_path: Path) -> None:
    wanted = Mining("schnapsen", 5, 10)
    with processes(2) as executor:
        found = mine(wanted, tmp_path / "two.tsv", executor)
    assert found
    assert found == mine(wanted, tmp_path / "one.tsv", None)


@pytest.mark.slow
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, signal\n"
        "from trainer.puzzles import processes\n"
        "if __name__ == '__main__':\n"
        "    with processes(2) as executor:\n"
        "        print(executor.submit(os.getpid).result(), flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    told = tmp_path / "worker"
    with told.open("wb") as out:  # a pipe would wait for the workers as well
        ended = subprocess.run([sys.executable, script], stdout=out, stderr=out, check=False)
    assert ended.returncode
    worker = int(told.read_bytes().split()[0])
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(worker, signal.SIGTERM)
    pytest.fail("the worker goes on waiting")


@pytest.mark.slow
def test_a_cluster_finds_the_same_though_a_worker_is_ended(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    wanted = Mining("schnapsen", 5, 20)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp://"
    ) as cluster:
        workers = [worker.process.pid for worker in cluster.workers.values()]
        ended: list[int] = []

        def end_one(done: float, found: int) -> None:
            if not ended:
                ended.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        with package.dask_cluster(cluster.scheduler_address) as executor:
            found = mine(wanted, tmp_path / "cluster.tsv", executor, end_one)
        assert ended
    assert found == mine(wanted, tmp_path / "one.tsv", None)


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PATIENCE", "1s")
    pytest.importorskip("distributed")
    with (
        pytest.raises(MiningError, match="no cluster answers"),
        package.dask_cluster("tcp://127.0.0.1:1"),
    ):
        pass


def test_without_dask_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MiningError, match="pip install"), package.dask_cluster("tcp://127.0.0.1:1"):
        pass


def test_what_a_batch_yields_can_be_sent_and_kept(puzzle: Puzzle) -> None:
    assert all(isinstance(cell, str) for cell in to_cells(puzzle))
