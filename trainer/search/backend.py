"""The kernel in two forms: plain Python, and compiled by numba where there is numba.

The compiled form is made from the very source of the modules in :data:`SOURCES`. Compiling takes
some seconds, once: a process of its own does it (:func:`prepare`), leaves the result in the user's
cache folder, and the plain form answers meanwhile. The installation itself is never written to.

Set the environment variable ``SIXTY_SIX_KERNEL`` to ``plain`` to do without.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from trainer.search import ending, kernel, plan_kernel
from trainer.search.kernel import Ints, Memory

SOURCES = (kernel, ending, plan_kernel)
"""The modules written in integers only, each importing of the others only those before it."""

COMPILE = "from trainer.search.backend import compile_now; compile_now()"
LOAD_AFTER = 0.5
"""Seconds of light work after which the compiled kernel is loaded, which takes about as long."""
LOOK_EVERY = 0.5
"""Seconds between two looks whether the compiled kernel is there."""
STALE = 300.0
"""Seconds after which a compilation that left no result is taken for dead."""
OLD = 60 * 24 * 3600.0
"""Seconds after which a kernel that was compiled for another version is removed."""
MEMORY_BITS = 20
"""Entries of a compiled kernel's memory at most, as a power of two; 16 bytes each."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One form of the kernel: its functions, and the containers that they work on."""

    name: str
    value: Callable[[Ints, Ints, Memory], int]
    values: Callable[[Sequence[Ints], Ints, Ints, Memory], None]
    grade: Callable[[Ints, Ints, Ints, Memory], int]
    ending: Callable[[Ints, int, int, Ints, Memory], int]
    run: Callable[[Ints, Ints, Ints, Ints, Memory], None]
    first_caps: Callable[[int, int, int, Ints, Ints, Ints, Memory], None]
    new_memory: Callable[..., Memory]
    """Makes a memory, with room for so many entries as a power of two where that is fixed; of
    MEMORY_BITS if nothing is said."""
    ints: Callable[[Sequence[int]], Ints]
    """Makes of integers what the kernel reads as a code and as its facts."""
    table: Callable[[Sequence[Sequence[int]]], Sequence[Ints]]
    """Makes of codes what the kernel reads as many of them."""
    widen: Callable[[Ints, int], Ints]
    """Returns the room of the search for plans with so many integers more."""


PLAIN = Backend(
    "plain",
    kernel.value,
    kernel.values,
    kernel.grade,
    ending.ending,
    plan_kernel.run,
    plan_kernel.first_caps,
    lambda bits=None: {},
    list,
    lambda rows: [*map(list, rows)],
    lambda room, more: [*room, *[0] * more],
)
_compiled: Backend | None = None
_looked = float("-inf")
_begun: float | None = None


def current(heavy: bool = True) -> Backend:
    """Return the compiled kernel if it is there, else the plain one.

    ``heavy`` says whether the next question can take long. As long as all have been light, the
    plain form answers sooner than the compiled one is loaded.
    """
    global _compiled, _looked, _begun
    if _compiled is not None:
        return _compiled
    now = time.monotonic()
    _begun = now if _begun is None else _begun
    if now - _looked < LOOK_EVERY or not (heavy or now - _begun > LOAD_AFTER):
        return PLAIN
    _looked = now
    folder = _folder()
    if folder is None or not (folder / "ready").exists():
        return PLAIN
    try:
        _compiled = _load(_writable(folder))
    except Exception:  # a cache from elsewhere or damaged: the plain form is always right
        _looked = float("inf")
        with suppress(OSError):  # the next process has it compiled anew
            shutil.rmtree(folder)
        return PLAIN
    return _compiled


def _writable(folder: Path) -> Path:
    """Return the folder, or a copy of it where numba could not write, since it refuses to read."""
    if os.access(folder, os.W_OK):
        return folder
    copy = Path(tempfile.mkdtemp(prefix="sixty-six-kernel-"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    return Path(shutil.copytree(folder, copy / folder.name))


def prepare() -> None:
    """Have the kernel compiled in the background, unless that is done or under way."""
    folder = _folder()
    if folder is None or (folder / "ready").exists():
        return
    begun = folder / "begun"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if begun.exists() and time.time() - begun.stat().st_mtime > STALE:
            begun.unlink()
        begun.touch(exist_ok=False)
        subprocess.Popen(
            [sys.executable, "-c", COMPILE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


@cache
def _folder() -> Path | None:
    """Return where the compiled kernel is kept, None where there can be none.

    Its name changes with the source, with numba and with Python.
    """
    if os.environ.get("SIXTY_SIX_KERNEL") == "plain":
        return None
    try:
        import platformdirs

        made_with = version("numba")
    except (ImportError, PackageNotFoundError):
        return None
    sources = b"".join(path.read_bytes() for path in [*_paths(), Path(__file__)])
    stamp = hashlib.sha256(sources + f"{made_with} {sys.version}".encode()).hexdigest()[:16]
    return platformdirs.user_cache_path("sixty-six-trainer", appauthor=False) / f"kernel-{stamp}"


def _load(folder: Path) -> Backend:
    """Return the compiled kernel whose source and machine code lie in a folder.

    Numba counts the references to every array that a function is given, which here takes half of
    the time and serves nothing: whoever calls the kernel holds its arrays. ``_nrt`` turns it off.
    """
    import numba
    import numpy

    _teach_bit_length()
    compiled: Any = partial(numba.njit, nogil=True, _nrt=False)
    array: Any = partial(numpy.array, dtype=numpy.int64)
    done: dict[tuple[str, str], Any] = {}
    for path in _paths():
        module = _module(folder / path.name)
        for name, function in list(vars(module).items()):
            if not isinstance(function, FunctionType):
                continue
            if function.__module__ == module.__name__:
                form = compiled(IN_ARRAY.get(name, function), cache=name not in IN_ARRAY)
                done[path.stem, name] = form
            else:  # a function of a module before this one
                form = done[function.__module__.rpartition(".")[2], name]
            setattr(module, name, form)
        for name in PINNED.get(path.stem, ()):
            form = done[path.stem, name]
            form.compile(_signature(form.py_func))
            form.disable_compile()

    def new_memory(bits: int | None = None) -> Any:
        return numpy.zeros(2 << (MEMORY_BITS if bits is None else bits), dtype=numpy.int64)

    def widen(room: Any, more: int) -> Any:
        return numpy.concatenate((room, numpy.zeros(more, dtype=numpy.int64)))

    return Backend(
        "compiled",
        done["kernel", "value"],
        done["kernel", "values"],
        done["kernel", "grade"],
        done["ending", "ending"],
        done["plan_kernel", "run"],
        done["plan_kernel", "first_caps"],
        new_memory,
        array,
        array,
        widen,
    )


def _signature(function: FunctionType) -> str:
    """Return the types of a function of the kernel as numba writes them."""
    types = {"int": "i8", "bool": "b1", "Ints": "i8[::1]", "Memory": "i8[::1]"}
    *arguments, result = (
        types[function.__annotations__[name]]
        for name in [*signature(function).parameters, "return"]
    )
    return f"{result}({','.join(arguments)})"


def _teach_bit_length() -> None:
    """Let numba compile ``bit_length`` of an integer, to one instruction."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload_method

    @intrinsic
    def leading_zeros(context: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), generate

    count: Any = leading_zeros

    @overload_method(types.Integer, "bit_length")
    def bit_length(number):  # type: ignore[no-untyped-def]
        return lambda number: 64 - count(number)


def recall_in_array(memory: Any, cards: int, state: int) -> int:
    """Do what :func:`trainer.search.kernel.recall` does, on an array.

    An entry is two integers, the cards and the state with the bounds in its lowest bits. It has a
    choice of two places, side by side: what comes in takes the first, what was there the second.
    """
    place = (cards * 0x1E3779B97F4A7C15 ^ state * 0x42B2AE3D27D4EB4F) >> 20
    place = place * 2 & memory.size - 1 & ~2
    for entry in (place, place + 2):
        if memory[entry] == cards and memory[entry + 1] >> 16 == state:
            return memory[entry + 1] & 0xFFFF  # type: ignore[no-any-return]
    return 0xFF00


def record_in_array(memory: Any, cards: int, state: int, bounds: int) -> None:
    """Do what :func:`trainer.search.kernel.record` does, on an array."""
    place = (cards * 0x1E3779B97F4A7C15 ^ state * 0x42B2AE3D27D4EB4F) >> 20
    place = place * 2 & memory.size - 1 & ~2
    if memory[place] != cards or memory[place + 1] >> 16 != state:
        memory[place + 2] = memory[place]
        memory[place + 3] = memory[place + 1]
    memory[place] = cards
    memory[place + 1] = state << 16 | bounds


PINNED = {"kernel": ("race", "worth"), "ending": ("count_out",)}
"""Functions that are compiled for their declared types only, in this order. A version for constant
arguments of one that calls itself cannot be loaded from the cache by another process."""
IN_ARRAY = {"recall": recall_in_array, "record": record_in_array}
"""The kernel's functions that the compiled form has its own for."""


def _paths() -> list[Path]:
    return [Path(module.__file__ or "") for module in SOURCES]


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sixty_six_compiled.{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks its functions up by their module
    spec.loader.exec_module(module)
    return module


def _remove_old(cache: Path) -> None:
    """Remove kernels of other versions that were compiled long ago."""
    for folder in cache.glob("kernel-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > OLD:
                shutil.rmtree(folder)


def compile_now() -> None:
    """Compile the kernel and leave it in the cache folder."""
    from trainer.rules.variants import VARIANTS
    from trainer.search.encode import new_facts

    folder = _folder()
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    _remove_old(folder.parent)
    for path in _paths():
        half = folder / f"{path.name}.{os.getpid()}"
        half.write_bytes(path.read_bytes())
        half.replace(folder / path.name)
    compiled = _load(folder)
    facts = compiled.ints(new_facts(VARIANTS["foster66"]))
    memory = compiled.new_memory()
    code = [0] * kernel.CODE_SIZE
    code[kernel.ME], code[kernel.OP] = 1, 2
    compiled.value(compiled.ints(code), facts, memory)
    compiled.values(compiled.table([code]), compiled.ints([0]), facts, memory)
    compiled.grade(compiled.ints(code), compiled.ints([0] * kernel.PLAYS), facts, memory)
    compiled.ending(compiled.ints(code), 0, 1, facts, memory)
    game = compiled.ints([0] * plan_kernel.LADDER)
    room = compiled.ints([0] * plan_kernel.HEAD)
    compiled.run(compiled.ints([-1] + [0] * plan_kernel.REGISTERS), room, game, facts, memory)
    compiled.first_caps(0, 0, 0, room, game, facts, memory)
    (folder / "ready").touch()
