"""Measure the costs besides conversion time: import, memory during calls, bytes on disk."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import whatwg_encoding as we
from benchmarks import ROWS
from benchmarks.corpus import STYLES
from benchmarks.measure import Case, Goal, Job, rounds_of
from benchmarks.peers import OURS, PEER_MODULES, Contender, contenders, installed
from benchmarks.scenarios import Scope, Setting


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another Python process; raise ``CalledProcessError`` if it fails."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)


def given(values: Mapping[str, float], goal: Goal | None = None, nbytes: int | None = None, note: str = "") -> Job:
    """Return the job of bytes by contender, ours first."""
    return Job([Contender(name, name) for name in values], {}, nbytes, goal, unit="byte",
               values={name: [value] for name, value in values.items()}, notes=[note] if note else [])  # fmt: skip


def import_seconds(statement: str, package: str) -> float:
    """Return the seconds that the modules of ``package`` took, with their imports, when ``statement`` was run."""
    # "import time:  self | cumulative | name", the name indented by the depth of the import
    outermost = re.compile(rf"^import time: +\d+ \| +(\d+) \| {re.escape(package)}\b", re.MULTILINE)
    return sum(map(int, outermost.findall(python("-X", "importtime", "-c", statement).stderr))) / 1e6


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

    values = rounds_of({name: partial(sample, name) for name in statements}, rounds=15)
    return Job([Contender(*item) for item in statements.items()], values=values)


def first_uses() -> Iterator[Case]:
    """Measure the first use of what loads modules, in processor time of a new process, without its start."""
    for name, statements in ROWS["first use"].items():
        yield Case("first use", name, "", "", partial(_first_use, statements))


def _first_use(statements: Mapping[str, str]) -> Job:
    start = "import time; data = b'a: =?utf-8?q?b?='; start = time.process_time(); "

    def sample(statement: str) -> float:
        return float(python("-c", f"{start}{statement}; print(time.process_time() - start)").stdout)

    found = {}
    for name, statement in statements.items():
        with suppress(subprocess.CalledProcessError):  # it is not installed
            sample(statement)  # writes Python's caches of bytecode
            found[name] = statement
    values = rounds_of({name: partial(sample, statement) for name, statement in found.items()}, rounds=15)
    return Job([Contender(*item) for item in found.items()], values=values)


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
    for at in Scope(scope.corpus, scope.full).settings(scope.exemplars, ["1 MiB"], styles=STYLES[:1]):
        peaks = cache(partial(_peaks, at))  # the same processes measure both
        for style in ("resident", "allocated"):
            name = f"{at.encoding.name} {at.language}"
            yield Case(f"memory of {at.direction}", name, "16 MiB", style, partial(_memory, peaks, style))


def _peaks(at: Setting) -> dict[str, dict[str, int | None]]:
    """Return the peak bytes of the process, and of Python's allocators, besides input and result, by contender."""
    data = at.inputs["data"] if at.direction == "decode" else at.inputs["text"].encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data * 16)
        return {
            one.name: json.loads(python("-c", PROBE, one.setup, one.statement, at.direction, str(path)).stdout)
            for one in contenders(at.encoding, at.direction)
        }


def _memory(peaks: Callable[[], Mapping[str, Mapping[str, int | None]]], style: str) -> Job:
    values = {name: max(1, peak) for name, found in peaks().items() if (peak := found[style]) is not None}
    is_omitted = style == "allocated" and values.pop("endec", None) is not None
    return given(values, nbytes=16 << 20, note="endec omitted: it allocates elsewhere" if is_omitted else "")


def files(package: str) -> dict[str, int]:
    """Return the sizes of an installed package's files, without Python's bytecode caches."""
    folder = Path(str(import_module(package).__file__)).parent
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
    size, name = max((size, name) for name, size in files("whatwg_encoding").items() if name.endswith((".so", ".pyd")))
    return given({OURS: size}, Goal("Installed size, module", at_most=1e6), note=name.partition(".")[0])


def _library(without: tuple[str, ...]) -> Job:
    """Build libwhatwg_encoding; tell its size, and what it needs of the C library."""
    build = Path(__file__).resolve().parents[1] / "build"
    out = build / "_out" / "benchmarks" / "library"
    python(str(build / "library.py"), "--out", str(out), "--without", *without)
    library = out / "lib" / "libwhatwg_encoding.so"
    command = ["nm", "-D", "--undefined-only", "--format=posix", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    needed = sorted(line.partition("@")[0] for line in listed if line.split()[1] == "U")
    return given({OURS: library.stat().st_size}, note=f"needs {', '.join(needed)}")


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield the rows that ``scope`` selects."""
    yield from import_times()
    yield from first_uses()
    yield from memory(scope)
    yield from sizes()
