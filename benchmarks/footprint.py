"""Measure the costs besides conversion time: import, memory during calls, bytes on disk."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import whatwg_encoding as we
from benchmarks import goals
from benchmarks.measure import Case, Job
from benchmarks.peers import OURS, PEER_MODULES, Contender, Direction, contenders, installed
from benchmarks.scenarios import EXEMPLARS, LANGUAGES, Scope, sized

#: Number of runs of a timed process.
IMPORTS = 15


def python(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run another Python process; raise ``CalledProcessError`` if it fails."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)


# --- Import time ------------------------------------------------------------------------------------------------------


def import_seconds(statement: str, package: str) -> float:
    """Return the seconds that the modules of ``package`` took, with their imports, when ``statement`` was run."""
    log = python(["-X", "importtime", "-c", statement]).stderr
    microseconds = 0
    for line in log.splitlines():
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
    seconds: dict[str, list[float]] = {contender: [] for contender in statements}
    for _ in range(IMPORTS):
        for contender, statement in statements.items():
            package = "whatwg_encoding" if contender == OURS else contender
            seconds[contender].append(max(1e-6, import_seconds(statement, package)))
    return Job([Contender(contender, statement) for contender, statement in statements.items()], {}, values=seconds)


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
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
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
allocated = tracemalloc.get_traced_memory()[1] - size
print(json.dumps({"resident": resident, "allocated": allocated}))
"""


def memory(scope: Scope) -> Iterator[Case]:
    """Measure the peak of memory besides input and result, of one call on 16 MiB."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for direction in directions:
        for name in we.ENCODINGS if scope.full else EXEMPLARS:
            encoding = we.lookup(name)
            if name == "replacement" or (direction == "encode" and not encoding.has_encoder):
                continue
            # The same processes measure both; the second row reuses the results of the first.
            peaks = cache(partial(_peaks, scope, encoding, direction))
            for style in ("resident", "allocated"):
                build = partial(_memory, encoding, direction, peaks, style)
                yield Case(f"memory of {direction}", f"{name} {LANGUAGES[name][0]}", "16 MiB", style, build)


def _peaks(scope: Scope, encoding: we.Encoding, direction: Direction) -> dict[str, dict[str, int | None]]:
    """Return the peak bytes of the process, and of Python's allocators, besides input and result, by contender."""
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "dense", "1 MiB")
    data = found.data if direction == "decode" else found.text.encode("utf-8", "surrogatepass")
    peaks = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data * 16)
        for rival in contenders(encoding, direction):
            answer = python(["-c", PROBE, rival.setup, rival.statement, direction, str(path)]).stdout
            peaks[rival.name] = json.loads(answer)
    return peaks


def _memory(
    encoding: we.Encoding,
    direction: Direction,
    peaks: Callable[[], Mapping[str, Mapping[str, int | None]]],
    style: str,
) -> Job:
    values = {rival: [max(1, peak)] for rival, found in peaks().items() if (peak := found[style]) is not None}
    rivals = [rival for rival in contenders(encoding, direction) if rival.name in values]
    notes = []
    if style == "allocated" and "endec" in values:
        rivals = [rival for rival in rivals if rival.name != "endec"]
        notes.append("endec omitted: it allocates elsewhere")
    return Job(rivals, {}, 16 << 20, values=values, unit="byte", notes=notes)


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
    yield Case("installed size", "C library", "", "shared", _library)


def _package_sizes() -> Job:
    totals = {OURS: [sum(files("whatwg_encoding").values())]}
    totals |= {peer: [sum(files(peer).values())] for peer in installed()}
    rivals = [Contender(name, f"bytes of {name}") for name in totals]
    return Job(rivals, {}, goal=goals.installed_size("package"), values=totals, unit="byte")


def _largest_module() -> Job:
    found = files("whatwg_encoding")
    name = max((name for name in found if name.endswith((".so", ".pyd"))), key=found.__getitem__)
    values = {OURS: [found[name]]}
    notes = [name.partition(".")[0]]
    return Job(
        [Contender(OURS, name)], {}, goal=goals.installed_size("module"), values=values, unit="byte", notes=notes
    )


def _library() -> Job:
    """Build libwhatwg_encoding; tell its size, and what it needs of the C library."""
    root = Path(__file__).resolve().parents[1]
    python([str(root / "build" / "library.py")])
    library = root / "build" / "_out" / "library" / "lib" / "libwhatwg_encoding.so"
    command = ["nm", "-D", "--undefined-only", "--format=posix", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    needed = sorted(line.partition("@")[0] for line in listed if line.split()[1] == "U")
    return Job([Contender(OURS, library.name)], {}, values={OURS: [library.stat().st_size]}, unit="byte",
               notes=[f"needs {', '.join(needed)}"])  # fmt: skip


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield the rows that ``scope`` selects."""
    yield from import_times()
    yield from memory(scope)
    yield from sizes()
