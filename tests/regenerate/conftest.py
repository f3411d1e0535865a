"""Packages built from other data: emitted, compiled and imported in a separate process."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import extensions
import pytest

from generator import emit, handlers, snapshot, validate
from generator.model import Encoding, Index, Snapshot
from generator.spec import compiler, notation
from tests.pinned import PINNED

from . import johab

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[[str], object]

#: Before GB18030-2022: pointer → private-use code point. The pointers are those of the change.
BEFORE_2022 = dict(
    zip(
        [*range(7182, 7189), 7201, 7202, 7208, 23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845],
        [*range(0xE78D, 0xE797), 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864],
        strict=True,
    )
)


#: As long as the data may have labels.
LONG_LABEL = "x-runes-" + 56 * "f"


def changed_index(index: Index, entries: dict[int, int | None]) -> Index:
    code_points = tuple(entries.get(pointer, code_point) for pointer, code_point in enumerate(index.code_points))
    return replace(index, code_points=code_points, identifier=snapshot.identifier(list(code_points)))


def changed_data(pinned: Snapshot) -> Snapshot:
    indexes = dict(pinned.indexes)
    indexes["koi8-r"] = changed_index(indexes["koi8-r"], {0: 0x2603})
    indexes["gb18030"] = changed_index(indexes["gb18030"], BEFORE_2022)
    runes = tuple(range(0x16A0, 0x16A0 + 80)) + (None,) * 48
    indexes["x-runes"] = Index("x-runes", runes, snapshot.identifier(list(runes)))
    indexes["johab"] = johab.index(pinned)
    del indexes["ibm866"], indexes["big5"]
    encodings = [encoding for encoding in pinned.encodings if encoding.name not in ("IBM866", "Big5")]
    for added in (Encoding("x-Runes", ("runes", "x-runes", LONG_LABEL), handlers.SINGLE_BYTE_HEADING), johab.ENCODING):
        place = max(i for i, encoding in enumerate(encodings) if encoding.heading == added.heading)
        encodings.insert(place + 1, added)
    algorithms = notation.load(snapshot.DATA)
    assert algorithms is not None
    programs_left = {
        anchor: program for anchor, program in algorithms.programs.items() if not anchor.startswith("big5-")
    }
    programs = {**programs_left, **compiler.read(johab.PROSE, origin="", day="").programs}
    return replace(pinned, encodings=tuple(encodings), indexes=MappingProxyType(indexes), programs=programs)


def build_package(snapshot: Snapshot, folder: Path) -> Run:
    """Build the package for ``snapshot`` in ``folder``; return a function that evaluates expressions on ``we``."""
    tree = folder / "tree"
    library = folder / "library"
    tree.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "LICENSE-WHATWG"):
        shutil.copy(ROOT / name, tree / name)
    (tree / "build").mkdir()
    for name in ("command_line.py", "compiler.py", "description.py", "extensions.py", "sbom.py"):
        shutil.copy(ROOT / "build" / name, tree / "build" / name)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    emit.emit(snapshot, tree / "generated")
    # A module of the same files as the installed one is that one, so that compiling takes half as long.
    unchanged = []
    for source in extensions.sources():
        if not (tree / source).exists():  # a chapter of which no encoding is left
            continue
        files = (source, *extensions.dependencies(source))
        if all((ROOT / file).read_bytes() == (tree / file).read_bytes() for file in files):
            unchanged.append(extensions.module_name(source))
            (tree / source).unlink()
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-lib", str(library)]
    environment = {**os.environ, "WHATWG_ENCODING_BUILD": "debug", "CFLAGS": "-O1 -g0"}  # others take longer to compile
    subprocess.run(command, cwd=tree, env=environment, check=True, timeout=600)
    for module in unchanged:
        installed = importlib.import_module(module).__file__
        assert installed is not None
        shutil.copy(installed, library.joinpath(*module.split(".")[:-1]))

    def run(expression: str) -> object:
        program = f"import json, whatwg_encoding as we; print(json.dumps({expression}))"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (library, ROOT)))}
        finished = subprocess.run(
            [sys.executable, "-c", program], cwd=folder, env=environment, check=True, timeout=60, stdout=subprocess.PIPE
        )
        return json.loads(finished.stdout)

    return run


@pytest.fixture(scope="module")
def other_data() -> Iterator[Snapshot]:
    """Return data with a changed mapping, two more encodings, two less, and the index gb18030 of before 2024.

    All tests use one package, since compiling it takes most of their time; they are in one file, so in one process.
    """
    records = {**handlers.HANDLERS, johab.ENCODING.name: johab.RECORD}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handlers, "HANDLERS", records)
        data = changed_data(PINNED)
        validate.check(data, PINNED)
        yield data


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, other_data: Snapshot) -> Run:
    return build_package(other_data, tmp_path_factory.mktemp("package"))
