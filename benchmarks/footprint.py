"""Measure the costs besides conversion time: import, memory during calls, bytes on disk."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import whatwg_encoding as we
from benchmarks.measure import Case, Goal, Job, rounds_of
from benchmarks.peers import OURS, PEER_MODULES, Contender, Direction, contenders, installed
from benchmarks.scenarios import EXEMPLARS, LANGUAGES, Scope, convertible, directed, sized

#: Number of runs of a timed process.
IMPORTS = 15


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another Python process; raise ``CalledProcessError`` if it fails."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)


def given(values: Mapping[str, float], goal: Goal | None = None, nbytes: int | None = None) -> Job:
    """Return the job of bytes by contender, ours first."""
    return Job([Contender(name, name) for name in values], {}, nbytes, goal, unit="byte",
               values={name: [value] for name, value in values.items()})  # fmt: skip


# --- Import time ------------------------------------------------------------------------------------------------------


def import_seconds(statement: str, package: str) -> float:
    """Return the seconds that the modules of ``package`` took, with their imports, when ``statement`` was run."""
    microseconds = 0
    for line in python("-X", "importtime", "-c", statement).stderr.splitlines():
        # "import time:  self | cumulative | name", the name indented by the depth of the import
        _, _, fields = line.partition("import time:")
        _, cumulative, name = fields.split("|") if fields.count("|") == 2 else ("", "", "")
        outermost = len(name) - len(name.lstrip()) == 1
        if outermost and name.strip().partition(".")[0] == package:
            microseconds += int(cumulative)
    return microseconds / 1e6


def import_times() -> Iterator[Case]:
    """Measure the import of each package, and the first use of an encoding with a large table."""
    imports = {OURS: "import whatwg_encoding"} | {peer: f"import {PEER_MODULES[peer]}" for peer in installed()}
    first_use = {
        contender.name: f"data = b'a'; {contender.setup}; {contender.statement}"
        for contender in contenders(we.SHIFT_JIS, "decode")
        if contender.name in imports
    }
    for style, statements in (("alone", imports), ("with a first decode of Shift_JIS", first_use)):
        yield Case("import time", "package", "", style, partial(_import_times, statements))


def _import_times(statements: Mapping[str, str]) -> Job:
    def sample(name: str) -> float:
        return max(1e-6, import_seconds(statements[name], "whatwg_encoding" if name == OURS else name))

    values = rounds_of({name: partial(sample, name) for name in statements}, IMPORTS)
    return Job([Contender(name, statement) for name, statement in statements.items()], {}, values=values)


# --- Memory -----------------------------------------------------------------------------------------------------------

#: Print the peak of resident memory, and of memory from Python's allocators, above the result.
PROBE = """
import json, sys, tracemalloc
from pathlib import Path
setup, statement, direction, path = sys.argv[1:]
whole = Path(path).read_bytes()
if direction == "encode":
    whole = whole.decode("utf-8", "surrogatepass")
def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024
names = {"data": whole[:1024], "text": whole[:1024]}
exec(setup, names)
code = compile(statement, "statement", "exec")
exec(code, names)
names.update(data=whole, text=whole, result=None)
try:
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
except OSError:
    before = None
exec(code, names)
size = sys.getsizeof(names["result"])
resident = None if before is None else peak() - before - size
names["result"] = None
tracemalloc.start()
exec(code, names)
print(json.dumps({"resident": resident, "allocated": tracemalloc.get_traced_memory()[1] - size}))
"""


def memory(scope: Scope) -> Iterator[Case]:
    """Measure the peak of memory besides input and result, of one call on 16 MiB."""
    for direction, encoding in directed(convertible(we.ENCODINGS if scope.full else EXEMPLARS)):
        # The same processes measure both; the second row reuses the results of the first.
        peaks = cache(partial(_peaks, scope, encoding, direction))
        for style in ("resident", "allocated"):
            name = f"{encoding.name} {LANGUAGES[encoding.name][0]}"
            yield Case(f"memory of {direction}", name, "16 MiB", style, partial(_memory, peaks, style))


def _peaks(scope: Scope, encoding: we.Encoding, direction: Direction) -> dict[str, dict[str, int | None]]:
    """Return the peak bytes of the process, and of Python's allocators, besides input and result, by contender."""
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "plain text", "1 MiB")
    data = found.data if direction == "decode" else found.text.encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data * 16)
        return {
            rival.name: json.loads(python("-c", PROBE, rival.setup, rival.statement, direction, str(path)).stdout)
            for rival in contenders(encoding, direction)
        }


def _memory(peaks: Callable[[], Mapping[str, Mapping[str, int | None]]], style: str) -> Job:
    values = {name: max(1, peak) for name, found in peaks().items() if (peak := found[style]) is not None}
    omitted = style == "allocated" and values.pop("endec", None) is not None
    job = given(values, nbytes=16 << 20)
    job.notes += ["endec omitted: it allocates elsewhere"] if omitted else []
    return job


# --- Bytes on disk ----------------------------------------------------------------------------------------------------


def files(package: str) -> dict[str, int]:
    """Return the sizes of an installed package's files, without Python's bytecode caches."""
    origin = import_module(package).__file__
    assert origin is not None
    folder = Path(origin).parent
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}


def sizes() -> Iterator[Case]:
    """Measure the bytes on disk of each package, and of our largest compiled module."""
    yield Case("installed size", "package", "", "all files", _package_sizes)
    yield Case("installed size", "largest module", "", "compiled", _largest_module)
    for without in ((), ("columns",), ("columns", "detection")):
        style = f"shared, without {' and '.join(without)}" if without else "shared"
        yield Case("installed size", "C library", "", style, partial(_library, without))


def _package_sizes() -> Job:
    packages = {OURS: "whatwg_encoding"} | {peer: peer for peer in installed()}
    totals = {name: sum(files(package).values()) for name, package in packages.items()}
    return given(totals, Goal("Installed size, package", at_most=4e6))


def _largest_module() -> Job:
    compiled = {name: size for name, size in files("whatwg_encoding").items() if name.endswith((".so", ".pyd"))}
    name = max(compiled, key=compiled.__getitem__)
    job = given({OURS: compiled[name]}, Goal("Installed size, module", at_most=1e6))
    job.notes.append(name.partition(".")[0])
    return job


def _library(without: tuple[str, ...]) -> Job:
    """Build libwhatwg_encoding; tell its size, and what it needs of the C library."""
    build = Path(__file__).resolve().parents[1] / "build"
    out = build / "_out" / "benchmarks" / "library"
    python(str(build / "library.py"), "--out", str(out), "--without", *without)
    library = out / "lib" / "libwhatwg_encoding.so"
    command = ["nm", "-D", "--undefined-only", "--format=posix", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    job = given({OURS: library.stat().st_size})
    job.notes.append("needs " + ", ".join(sorted(line.partition("@")[0] for line in listed if line.split()[1] == "U")))
    return job


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield the rows that ``scope`` selects."""
    yield from import_times()
    yield from memory(scope)
    yield from sizes()
