"""Emitted files: the same bytes everywhere, no stale files, and upstream data appears only as data."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from generator import emit
from generator.model import GeneratorError, Index, Snapshot
from generator.names import UnsafeNameError
from generator.render import c_comment, environment, render, string_literal

ROOT = Path(__file__).resolve().parents[2]


def test_a_template_that_is_wrong_is_named_with_its_line() -> None:
    with pytest.raises(GeneratorError, match=r"^header\.j2:3: 'provenance' is undefined$"):
        render("labels.py.j2", {})


@pytest.mark.gate
def test_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    """Output depends on neither hash seed, time zone, locale nor folder."""
    program = "import pathlib, sys; from generator import emit, snapshot\n"
    program += "emit.emit(snapshot.load(), pathlib.Path(sys.argv[1]))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], cwd=tmp_path, env=environment, check=True)
    ours = {path.name: path.read_bytes() for path in emit.GENERATED.iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ours


@pytest.mark.gate
def test_emit_writes_only_what_changed_and_removes_what_is_stale(pinned: Snapshot, tmp_path: Path) -> None:
    assert sorted(emit.emit(pinned, tmp_path)) == sorted(emit.outputs(pinned))
    assert emit.emit(pinned, tmp_path) == []
    before = (tmp_path / "korean.pyx").stat()
    (tmp_path / "klingon.pyx").write_text("")
    (tmp_path / "labels.py").write_text("# by hand\n")
    (tmp_path / "unicode.pyx").unlink()
    assert emit.check(pinned, tmp_path) == ["unicode.pyx", "labels.py", "klingon.pyx"]
    assert emit.emit(pinned, tmp_path) == ["unicode.pyx", "labels.py", "klingon.pyx"]
    assert emit.check(pinned, tmp_path) == []
    after = (tmp_path / "korean.pyx").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


@pytest.mark.gate
def test_a_change_of_one_mapping_is_a_change_of_one_row(pinned: Snapshot) -> None:
    """One changed mapping changes only Identifiers, digests, and one row in each table that contains the mapping."""
    index = pinned.indexes["euc-kr"]
    code_points = list(index.code_points)
    pointer = code_points.index(0xAC00)
    code_points[pointer] = 0x2603
    indexes = {**pinned.indexes, "euc-kr": replace(index, code_points=tuple(code_points), identifier="f" * 64)}
    before = emit.outputs(pinned)
    after = emit.outputs(replace(pinned, indexes=MappingProxyType(indexes)))
    assert {name for name in before if before[name] != after[name]} == {"korean.pyx", "korean_tables.h"}
    old, new = (texts["korean_tables.h"].splitlines() for texts in (before, after))
    assert len(set(new) - set(old)) == 4  # the Identifier, a row of pairs, and two rows of the reverse table


#: What must end no string, comment or block of a template.
PAYLOADS = [
    '"\nimport os; os.system("true")\n"',
    "x'''",
    'x"""',
    "x\\",
    "x*/ #include <evil.h> /*",
    "{{ cycler.__init__.__globals__ }}",
    "x\r\nx",
    "x\u2028x",
    "x\0",
]


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("part", ["name", "label"])
def test_hostile_names_are_refused(pinned: Snapshot, payload: str, part: str, tmp_path: Path) -> None:
    """Even if validation is skipped."""
    first, second, *others = pinned.encodings
    hostile = replace(second, name=payload) if part == "name" else replace(second, labels=(*second.labels, payload))
    index = Index(payload.lower(), (None,) * 128, "")
    data = replace(pinned, encodings=(first, hostile, *others), indexes={**pinned.indexes, index.name: index})
    with pytest.raises(UnsafeNameError, match=f"the {part}"):
        emit.emit(data, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_filters_escape_by_type() -> None:
    for text in ('"', "\\", "'\"\n", "\u2028\x00", "{{ x }}", 'a" + b"'):
        literal = string_literal(text)
        assert literal.isascii()
        assert eval(literal) == text
    assert "*/" not in c_comment("a */ b /* c")
    with pytest.raises(ValueError, match="invalid literal"):
        environment().filters["hex"]("0; evil()", 4)
    with pytest.raises(TypeError, match="is not a string"):
        string_literal(1)  # type: ignore[arg-type]
