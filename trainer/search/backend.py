"""The kernel in two forms: plain Python, and compiled by numba where there is numba.

The compiled form is made from the very source of :mod:`trainer.search.kernel`. Compiling takes
some seconds, once: a process of its own does it (:func:`prepare`), leaves the result in the user's
cache folder, and the plain form answers meanwhile. The installation itself is never written to.

Set the environment variable ``SIXTY_SIX_KERNEL`` to ``plain`` to do without.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from trainer.search import kernel
from trainer.search.kernel import Memo

COMPILE = "from trainer.search.backend import compile_now; compile_now()"
LOAD_AFTER = 0.5
"""Seconds of light work after which the compiled kernel is loaded, which takes about as long."""
LOOK_EVERY = 0.5
"""Seconds between two looks whether the compiled kernel is there."""
STALE = 300.0
"""Seconds after which a compilation that left no result is taken for dead."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One form of the kernel: its question, and the containers that it works on."""

    name: str
    race: Callable[..., bool]
    new_memo: Callable[[], Memo]
    ints: Callable[[tuple[int, ...]], Any]
    """Makes of a tuple what the kernel reads as its ``stock`` and its ``row``."""


PLAIN = Backend("plain", kernel.race, dict, tuple)
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
        _compiled = _load(folder)
    except Exception:  # a cache from elsewhere or half gone: the plain form is always right
        _looked = float("inf")
        return PLAIN
    return _compiled


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
    sources = Path(kernel.__file__).read_bytes() + Path(__file__).read_bytes()
    stamp = hashlib.sha256(sources + f"{made_with} {sys.version}".encode()).hexdigest()[:16]
    return platformdirs.user_cache_path("sixty-six-trainer", appauthor=False) / f"kernel-{stamp}"


def _load(folder: Path) -> Backend:
    """Return the compiled kernel whose source and machine code lie in a folder."""
    from numba import njit, types
    from numba.extending import overload_method
    from numba.typed import Dict
    from numpy import array, int64

    @overload_method(types.Integer, "bit_length")
    def _bit_length(number: Any) -> Any:
        def count(number: Any) -> Any:
            length = 0
            for step in (32, 16, 8, 4, 2, 1):
                if number >> step:
                    number >>= step
                    length += step
            return length + (number > 0)

        return count

    module = _module(folder / "compiled_kernel.py")
    for name, function in list(vars(module).items()):
        if isinstance(function, FunctionType):
            setattr(module, name, njit(cache=True, nogil=True)(function))
    key = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]
    return Backend(
        "compiled",
        module.race,
        lambda: Dict.empty(key, types.int64),
        lambda numbers: array(numbers, dtype=int64),
    )


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("sixty_six_compiled_kernel", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks its functions up by their module
    spec.loader.exec_module(module)
    return module


def compile_now() -> None:
    """Compile the kernel and leave it in the cache folder."""
    from trainer.search.encode import laws

    folder = _folder()
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "compiled_kernel.py"
    half = folder / f"compiled_kernel.{os.getpid()}"
    half.write_bytes(Path(kernel.__file__).read_bytes())
    half.replace(source)
    compiled = _load(folder)
    from trainer.rules.variants import VARIANTS

    row = compiled.ints(laws(next(iter(VARIANTS.values()))))
    memo = compiled.new_memo
    stock = compiled.ints((1 << 2, 1 << 4))
    compiled.race(1, 2, 0, 0, 0, True, 0, 1, False, 0, 1 << 4, stock, row, memo(), memo())
    (folder / "ready").touch()
