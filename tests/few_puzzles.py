"""A few puzzles for tests: real ones, soon solved, and others made up for what needs many."""

from datetime import UTC, datetime, timedelta
from functools import cache

from trainer.grading import report
from trainer.notation import parse
from trainer.puzzles import Puzzle, puzzle_of
from trainer.record import Attempt

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LINES = (
    "schnapsen S:...T N:J... S - 93/6-35/3 S won=S:SKHA,HTCK,HJSA,CADJ,CQCJ,SQST;N:HQHK,DKDA,DTDQ"
    " said=S:D",
    "schnapsen S:Q.J.AQ.T N:T.T..AKJ H - 79/4-15/1 S won=S:HQSJ,CQSK,DJSA,DKDT;N:HKHA said=S:H",
    "schnapsen S:J..J.J N:...,3x C - 20/2-85/5 S won=S:DQDT,CQDK;N:SACK,HASK,STHT,CTHQ,CADA",
    "foster66 S:T.A.K.9 N:...,4x H 5xHK 47/5-0/0 S won=S:CQD9,SKSQ,HQDA,HTCA,SJS9 closed=S0/0",
    "russian66 S:KQ..TK.J9 N:J9.J.J.A D HQD9 0/0-77/5 S H9 won=N:HKDQ,HACQ,STCT,DACK,SAHT",
)


@cache
def real() -> tuple[Puzzle, ...]:
    """Puzzles with their solutions, in two games and more, face up and as seen."""
    return tuple(
        puzzle_of(report(parse(line)), difficulty=level)
        for level, line in enumerate(LINES, start=1)
    )


def made_up(
    name: str,
    *themes: str,
    variant: str = "foster66",
    level: int = 1,
    concealed: bool = False,
) -> Puzzle:
    """A puzzle to be chosen, not to be solved."""
    hand = f"N:{name},6x" if concealed else f"N:{name}"
    return Puzzle(
        id=name,
        position=f"{variant} S:{name} {hand} H - 0/0-0/0 S",
        difficulty=level,
        themes=themes,
        best=("HA",),
        value=1.0,
        low=None,
        second=0.0,
        status="exact",
        line="HA",
        refutations=(),
        question="What do you do?",
        source="",
    )


def answer(
    puzzle: Puzzle,
    loss: float = 0.0,
    *,
    when: datetime = START,
    source: str = "puzzles",
    hints: int = 0,
    real: bool = True,
) -> Attempt:
    """An answer to a puzzle, as the record has it."""
    return Attempt(
        position=puzzle.position,
        choice="HA",
        best="HA",
        loss=loss,
        game_points=1.0 - loss,
        best_game_points=1.0,
        real=real,
        mark="=" if not loss else "?",
        concealed=puzzle.concealed,
        seconds=5.0,
        hints=hints,
        source=source,
        themes=puzzle.themes,
        when=when,
    )
