"""The lessons: where they are installed, and the learner's own copies of them.

The learner works in copies, since a notebook changes as soon as it is run. A small list beside the
copies (`.sixty-six/copied.json`) holds the SHA-256 of every file as it was last written here.
Whatever differs from it was changed by the learner and is never written over.
"""

import hashlib
import json
import os
import re
from pathlib import Path

FORMAT = 1
INDEX = "00_index"
"""The notebook that shows the course."""
PUZZLES = "00_puzzles"
"""The notebook in which puzzles are chosen and answered."""
PAGES = (INDEX, PUZZLES)
"""The notebooks that are no lessons."""
LESSON = re.compile(r"\d\d_\w+")
"""How a lesson is named, which leaves out what is beside it: newer versions and other copies."""
KEPT_IN = ".sixty-six"
"""The folder, inside the learner's, for what the trainer itself keeps there."""


class LessonError(Exception):
    """What keeps the lessons from being copied or opened, as one plain sentence."""


def installed_lessons() -> Path:
    """Return the folder of the lessons that came with this installation or lie in this checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_lessons", package.parent / "lessons"):
        if folder.is_dir():
            return folder
    raise LessonError("this installation has no lessons; please install sixty-six-trainer again")


def lesson_names(folder: Path) -> list[str]:
    """Return the names of the lessons in a folder, in their order: ``06_count_35``."""
    names = sorted(path.stem for path in folder.glob("*.ipynb"))
    return [name for name in names if LESSON.fullmatch(name) and name not in PAGES]


def lesson_title(path: Path) -> str:
    """Return the first heading of a lesson, its name where there is none or it cannot be read."""
    try:
        cells = json.loads(path.read_bytes())["cells"]
        lines = "\n".join("".join(cell["source"]) for cell in cells).splitlines()
        titles = (line.removeprefix("# ").strip() for line in lines if line.startswith("# "))
        return next(filter(None, titles), path.stem)
    except (OSError, ValueError, TypeError, KeyError):
        return path.stem


def lesson_titles(folder: Path) -> dict[str, str]:
    """Return the titles of the lessons in a folder by their names, in their order."""
    return {name: lesson_title(folder / f"{name}.ipynb") for name in lesson_names(folder)}


def copy_lessons(source: Path, folder: Path) -> list[str]:
    """Bring the lessons in `folder` up to date with `source`; return the lines worth telling.

    A lesson that is missing or as it was last written gets the installed version. One that the
    learner changed stays; when the installed version is news to the learner, it is put beside it as
    `NAME (new)`. Every file is written whole or not at all.
    """
    try:
        return _copy_lessons(source, folder)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise LessonError(
            f"cannot put the lessons into {folder}: {error.strerror}{where}"
        ) from error


def _copy_lessons(source: Path, folder: Path) -> list[str]:
    said: list[str] = []
    kept_list = folder / KEPT_IN / "copied.json"
    copied = _read_list(kept_list)
    if copied is None:
        aside = kept_list.with_name("copied (damaged).json")
        kept_list.replace(aside)
        said.append(
            f"The list of copied lessons was damaged and is set aside as {aside.name}; "
            "no file of yours was touched."
        )
        copied = {}
    before = dict(copied)
    for path in _lesson_files(source):
        name = path.relative_to(source).as_posix()
        content = path.read_bytes()
        digest = _digest(content)
        for candidate in _candidates(name):
            target = folder / candidate
            present = _digest(target.read_bytes()) if target.exists() else None
            offered = copied.get(candidate)
            if present in (None, offered, digest):
                deleted_by_learner = present is None and offered == digest and candidate != name
                if present != digest and not deleted_by_learner:
                    write_whole(target, content)
                    if candidate != name:
                        said.append(
                            f"{name} has a newer version; yours is kept, "
                            f"the new one is beside it: {candidate}"
                        )
                copied[candidate] = digest
                break
            if offered == digest:  # the learner has this version, and changed it
                break
    if copied != before or not kept_list.exists():
        files = dict(sorted(copied.items()))
        text = json.dumps({"format": FORMAT, "files": files}, indent=1) + "\n"
        write_whole(kept_list, text.encode())
    return said


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that there is never less than the old or the new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _lesson_files(source: Path) -> list[Path]:
    """Return the files of the lessons, in order, without what editors and Jupyter leave about."""
    return sorted(
        path
        for path in source.rglob("*")
        if path.is_file()
        and not any(
            part.startswith((".", "__")) or part.endswith("~")
            for part in path.relative_to(source).parts
        )
    )


def _candidates(name: str) -> list[str]:
    """Return the names under which a lesson may be put: its own, then the ones beside it."""
    path = Path(name)
    beside = ["new", *(f"new {number}" for number in range(2, 1000))]
    return [name, *(path.with_stem(f"{path.stem} ({word})").as_posix() for word in beside)]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_list(path: Path) -> dict[str, str] | None:
    """Return the SHA-256 of every file last written, by name; None when the list is damaged."""
    try:
        saved = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError:
        return None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        return None
    files = saved.get("files")
    if not isinstance(files, dict) or not all(isinstance(value, str) for value in files.values()):
        return None
    return files
