"""Cache results on disk, in build/_out/cache, by a digest of all that they depend on, the generator's source included.

What the standard's algorithms give for every input takes seconds to calculate, and so does the check of emitted modules
against them. A file that cannot be read or written only means that its result is calculated again.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from generator.model import BUILT, ROOT

FOLDER = BUILT / "cache"
"""A folder with a pickle for each digest. Only this program writes to it, as to the rest of the build folder."""

MOST = 2000
"""The number of files from which on the older half is removed."""

SOURCES = ("handlers.py", "model.py", "names.py", "steps.py", "validate.py", "cache.py", "spec", "tables")
"""The parts of the generator that the results depend on: modules and folders."""

Result = TypeVar("Result")


_LATEST: dict[str, Any] = {}
"""The latest results: snapshots that are compared, and runs of tests, differ in few of them."""

MOST_IN_MEMORY = 400
"""The number of results from which on those in memory are forgotten."""


def cached(key: tuple[str, ...], calculate: Callable[[], Result]) -> Result:
    """Return the cached result for a key, calculated if there is none. `key` says all that the result depends on."""
    name = sha256("\0".join((*key, source())).encode()).hexdigest()
    if name not in _LATEST:
        if len(_LATEST) >= MOST_IN_MEMORY:
            _LATEST.clear()
        _LATEST[name] = _stored(name, calculate)
    return cast(Result, _LATEST[name])


def _stored(name: str, calculate: Callable[[], Result]) -> Result:
    path = FOLDER / name
    # Whatever else a damaged pickle raises, the result is calculated again.
    with suppress(Exception):
        return cast(Result, pickle.loads(path.read_bytes()))
    result = calculate()
    with suppress(OSError):
        _write(path, pickle.dumps(result, pickle.HIGHEST_PROTOCOL))
    return result


def _write(path: Path, content: bytes) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=FOLDER)
    with os.fdopen(number, "wb") as file:
        file.write(content)
    os.replace(name, path)
    entries = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(FOLDER)] if path.name < "01" else []
    for _, old in sorted(entries)[: len(entries) // 2] if len(entries) > MOST else ():
        os.unlink(old)


@cache
def source() -> str:
    """Return a digest of the source of `SOURCES`."""
    files = [path for name in SOURCES for path in sorted((ROOT / "generator" / name).rglob("*.py"))]
    files += [ROOT / "generator" / name for name in SOURCES if name.endswith(".py")]
    return sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()
