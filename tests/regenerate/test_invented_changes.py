"""Changes that the next standard may make: what is told of each, and how many files a person has to edit.

The texts of the standard are not here, so that a change is one of what the pin says, or of the data. Two are sources of
made-up encodings: tests/generator/test_spec_verbs.py, and Johab.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from generator import fetch, handlers, snapshot, update
from generator.model import ENCODINGS, FILES, INDEXES, SINGLE_BYTE_HEADING, GeneratorError
from generator.spec import compiler, machine, notation, step_names
from generator.spec.notation import Algorithms, Unread
from tests.generator.conftest import group
from tests.generator.test_accept import labels
from tests.pinned import PINNED

from . import johab

PIN = (snapshot.DATA / notation.FILE).read_text(encoding="utf-8")

Edit = Callable[[dict[str, Any], list[Any]], object]


def program(anchor: str, *edits: tuple[str, str]) -> Callable[[str], str]:
    """Return a function that edits a program in the text of the pin, and its digest."""

    def edit(text: str) -> str:
        start = text.index(f'[programs."{anchor}"]')
        end = re.compile(r"\n\n\[programs\.\"(?!.*names\])").search(text, start + 1)
        stop = end.start() if end else len(text)
        entry, _, names = text[start:stop].partition("\n# What templates call")
        for old, new in edits:
            assert old in entry, (old, entry)
            entry = entry.replace(old, new)
        entry = re.sub('digest = ".*"', f'digest = "{sha256(entry.encode()).hexdigest()}"', entry)
        return text[:start] + entry + "\n# What templates call" * bool(names) + names + text[stop:]

    return edit


def renumbered(anchor: str, new: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that gives the steps of a program other numbers."""

    def edit(text: str) -> str:
        start = text.index(f'[programs."{anchor}"]')
        steps = text.index("steps = '''\n", start)
        end = text.index("\n'''", steps)
        lines = [line.partition("|") for line in text[steps:end].splitlines()[1:]]
        body = "\n".join(f"{new(number.strip())} |{rest}" for number, _, rest in lines)
        edited = f"{text[:steps]}steps = '''\n{body}{text[end:]}"
        return program(anchor, ("parameters = ", "parameters = "))(edited)

    return edit


@dataclass(frozen=True)
class Change:
    """An invented change, and what is expected of it."""

    report: tuple[str, ...]
    """Regular expressions of what is told."""
    data: Edit = lambda indexes, encodings: None
    pin: tuple[Callable[[str], str], ...] = ()
    asks: bool = True
    """Whether a person has to accept it."""
    edits: str = ""
    """The file that a person has to edit, empty if none."""
    removed: tuple[str, ...] = ()
    """The anchors of programs that the standard has no more."""


def runes(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["x-runes"] = [*range(0x16A0, 0x16F0), *[None] * 48]
    group(encodings, SINGLE_BYTE_HEADING).append({"name": "x-Runes", "labels": ["runes", "x-runes"]})


def move(indexes: dict[str, Any], encodings: list[Any]) -> None:
    labels(encodings, "windows-1252").remove("latin1")
    labels(encodings, "ISO-8859-15").append("latin1")


def removal(indexes: dict[str, Any], encodings: list[Any]) -> None:
    del indexes["ibm866"], group(encodings, SINGLE_BYTE_HEADING)[0]


def redirected(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["koi8-r"][0] = 0x2603


def vanished(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["euc-kr"][indexes["euc-kr"].index(0xAC00)] = None


def both(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["gb18030"][7182] = 0xE78D


def without(heading: str, name: str, index: str = "") -> Edit:
    def remove(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes.pop(index, None)
        entries = group(encodings, heading)
        entries[:] = [entry for entry in entries if entry["name"] != name]

    return remove


CHANGES: dict[str, Change] = {
    "a single-byte encoding": Change((r"Index 'x-runes' \(added\): 80 added", r"\+ 'x-Runes'"), runes),
    "a label": Change(
        (r"\+ 'koi8-x' of 'KOI8-R'",), lambda indexes, all_: labels(all_, "KOI8-R").append("koi8-x"), asks=False
    ),
    "a label that moves": Change((r"~ 'latin1' moves from 'windows-1252' to 'ISO-8859-15'",), move),
    "an entry that is redirected": Change(
        (
            r"KOI8-R decodes 1 byte sequence .* 80 as U\+2603 .* instead of U\+2500",
            r"KOI8-R encodes 2 code point sequences ",
        ),
        redirected,
    ),
    "an entry that is removed": Change(
        (r"EUC-KR decodes 1 byte sequence .*, such as B0 A1 as error instead of U\+AC00",), vanished
    ),
    "an error rule": Change(
        (
            r"Big5 decodes 126 byte sequences as something else, such as 81 7F as error instead of error, U\+007F",
            r"double_byte\.pyx\.j2 differs from the standard in the decoder of Big5",
            r"For 81 7F the template has error, U\+007F",
            r"the standard error \(#big5-decoder 3\.10\)",
        ),
        pin=(
            program(
                "big5-decoder", ("3.9  |     if in_range(byte, 0x00, 0x7F)", "3.9 |     if in_range(byte, 0x00, 0x7E)")
            ),
        ),
        edits="templates/_handlers/double_byte.pyx.j2",
    ),
    "a state": Change(
        (
            r"iso_2022_jp\.pyx\.j2 differs from the standard in the decoder of ISO-2022-JP",
            r"Program #iso-2022-jp-decoder has changed",
        ),
        pin=(
            program(
                "iso-2022-jp-decoder",
                ("[escape].7.3                     |         self.iso_2022_jp_output = True\n", ""),
            ),
        ),
        edits="templates/_handlers/iso_2022_jp.pyx.j2",
    ),
    "utf-7 to replacement": Change(
        (r"\+ 'utf-7' of 'replacement'",), lambda indexes, all_: labels(all_, "replacement").append("utf-7")
    ),
    "what an encoder excludes": Change(
        (r"Shift_JIS encodes \d+ code point sequences as something else",),
        pin=(program("index-shift_jis-pointer", ("pointer, 8272, 8835", "pointer, 8272, 8400")),),
    ),
    "a removed encoding": Change(
        (r"- 'IBM866': callers lose IBM866, and lookup\(\) of its labels '866', 'cp866', 'csibm866', 'ibm866' fails",),
        removal,
    ),
    "renamed concepts": Change(
        (r"Wording alone: #big5-decoder, #euc-kr-decoder",),
        pin=(
            program("euc-kr-decoder", ("leading", "lead")),
            program("big5-decoder", ("leading", "lead")),
        ),
        asks=False,
    ),
    "steps renumbered": Change(
        (r"Wording alone: #shift_jis-decoder",),
        pin=(renumbered("shift_jis-decoder", lambda step: f"{int(step[0]) + (int(step[0]) > 2)}{step[1:]}"),),
        asks=False,
    ),
    "a new step": Change(
        (r"Program #big5-decoder has changed", r"check what its steps are called", r"1 program, none in behaviour"),
        pin=(
            program(
                "big5-decoder",
                ("3.4  |     offset", "3.4 |     kept = byte\n3.4a |     offset"),
                ("    if in_range(byte, 0x40, 0x7E)", "    if in_range(kept, 0x40, 0x7E)"),
            ),
            renumbered("big5-decoder", lambda step: {"3.4a": "3.5"}.get(step) or _later(step, "3.", 5)),
        ),
    ),
    "the base of user-defined characters": Change(
        (r"Shift_JIS decodes 1880 byte sequences as something else, such as F0 40 as U\+E100 ",),
        pin=(program("shift_jis-decoder", ("0xE000 - 8836", "0xE100 - 8836")),),
    ),
    "a program and its data together": Change(
        (
            r"pointer 7182 .*: U\+FE10 .* → U\+E78D private use",
            r"Program #gb18030-encoder has changed",
            r"    \[0xE78D, 0xA6, 0xD9\]|program",
        ),
        both,
        pin=(program("gb18030-encoder", ("    [0xE78D, 0xA6, 0xD9],\n", "")),),
    ),
    "the only encoding of a chapter is removed": Change(
        (
            r"- 'Big5': callers lose BIG5, and lookup\(\) of its labels .* fails; ",
            r"#big5-decoder is removed",
            r"Index 'big5' \(removed\): 18590 removed",
        ),
        without("Legacy multi-byte Chinese (traditional) encodings", "Big5", "big5"),
        removed=("big5-decoder", "big5-encoder"),
    ),
    "an encoding with kernels of its own is removed": Change(
        (
            r"- 'ISO-2022-JP': callers lose ISO_2022_JP, .*; to edit: what git grep -w ISO_2022_JP lists",
            r"Program #iso-2022-jp-encoder is removed",
        ),
        without("Legacy multi-byte Japanese encodings", "ISO-2022-JP", "iso-2022-jp-katakana"),
        removed=("iso-2022-jp-decoder", "iso-2022-jp-encoder"),
    ),
    "an encoding that shares a decoder is removed": Change(
        (r"- 'GBK': callers lose GBK", r"#gbk-encoder is removed"),
        without("Legacy multi-byte Chinese (simplified) encodings", "GBK"),
        removed=("gbk-decoder", "gbk-encoder"),
    ),
    "fewer leading bytes": Change(
        (
            r"EUC-KR decodes 1 byte sequence .*, such as FE as error instead of nothing yet$",
            r"Program #euc-kr-decoder has changed",
        ),
        pin=(program("euc-kr-decoder", ("if in_range(byte, 0x81, 0xFE)", "if in_range(byte, 0x81, 0xFD)")),),
    ),
    "fewer leading bytes, which characters have": Change(
        (
            r"EUC-KR decodes 2 byte sequences as something else, such as FD as error instead of nothing yet",
            r"Program #euc-kr-decoder has changed",
        ),
        pin=(program("euc-kr-decoder", ("if in_range(byte, 0x81, 0xFE)", "if in_range(byte, 0x81, 0xFC)")),),
    ),
    "two templates, one of which has no constants": Change(
        (
            r"double_byte\.pyx\.j2 differs from the standard in the decoder of Big5",
            r"iso_2022_jp\.pyx\.j2 does not fit ISO-2022-JP: src/native/kernels/iso_2022_jp has 5 escape sequences",
            r"ISO-2022-JP decodes 8 byte sequences .*, such as 1B 28 48 as nothing yet instead of error, U\+0028",
        ),
        pin=(
            program(
                "big5-decoder", ("3.9  |     if in_range(byte, 0x00, 0x7F)", "3.9 |     if in_range(byte, 0x00, 0x7E)")
            ),
            program(
                "iso-2022-jp-decoder",
                (
                    "leading == 0x28 and byte == 0x4A:",
                    "leading == 0x28 and byte == 0x4A or leading == 0x28 and byte == 0x48:",
                ),
            ),
        ),
        edits="templates/_handlers/double_byte.pyx.j2",
    ),
    "states without an end": Change(
        (r"UTF-8 decodes \d+ byte sequences as something else, such as F5 as nothing yet", r"utf_8\.pyx\.j2"),
        pin=(
            program(
                "utf-8-decoder", ("in_range(byte, 0xF0, 0xF4)", "in_range(byte, 0xF0, 0xF5)"), ("== 0xF4", "== 0xF5")
            ),
        ),
        edits="templates/_handlers/utf_8.pyx.j2",
    ),
    "pointers in another order": Change(
        (
            r"double_byte\.pyx\.j2 does not fit EUC-KR: the pointers of index 'euc-kr' are not the order of its bytes",
            r"EUC-KR decodes \d+ byte sequences? .*, such as 81 as error instead of nothing yet",
        ),
        vanished,
        pin=(program("euc-kr-decoder", ("if in_range(byte, 0x81, 0xFE)", "if in_range(byte, 0x82, 0xFE)")),),
        edits="templates/_handlers/double_byte.pyx.j2",
    ),
}


def _later(step: str, prefix: str, first: int) -> str:
    """Return a step, of those below a prefix the ones from the first on one later."""
    number = step.removeprefix(prefix)
    return (
        f"{prefix}{int(number) + 1}" if step.startswith(prefix) and number.isdigit() and int(number) >= first else step
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with all of the pinned data."""
    for path in snapshot.DATA.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


class Report(list[str]):
    """What is told."""

    def __str__(self) -> str:
        return "\n".join(self)


def judged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, content: dict[str, bytes], new: Algorithms, accepted: str = ""
) -> tuple[Report, GeneratorError | None]:
    """Return what is told of new data and algorithms, and the refusal, None if all is replaced."""
    monkeypatch.setattr(fetch, "download_algorithms", lambda **_: new)
    monkeypatch.setattr(fetch, "files", lambda *_: content)
    report = Report()
    try:
        update.update(folder, update.Upstream("", "", fetch.Limits()), accepted, report.append)
    except GeneratorError as error:
        return Report([*report, str(error)]), error
    return report, None


def edited(data: Edit) -> dict[str, bytes]:
    values = {name: json.loads((snapshot.DATA / name).read_bytes()) for name in FILES}
    data(values[INDEXES], values[ENCODINGS])
    return {name: json.dumps(value).encode() for name, value in values.items()}


ACCEPTED = {"a removed encoding", "a program and its data together", "fewer leading bytes, which characters have"}
"""Changes that are shown to be taken if they are accepted, besides those that remove algorithms."""


@pytest.mark.parametrize("name", CHANGES)
def test_an_invented_change(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change = CHANGES[name]
    text = PIN
    for edit in change.pin:
        text = edit(text)
    algorithms = notation.from_toml(text)
    known = notation.from_toml(PIN)
    # As if it were compiled: without names, which are carried over.
    programs = {
        anchor: program
        if program.digest == known.programs[anchor].digest
        else step_names.named(known.programs[anchor], replace(program, names=()))
        for anchor, program in algorithms.programs.items()
        if anchor not in change.removed
    }
    algorithms = replace(algorithms, programs=programs)
    content = edited(change.data) if change.data is not Change.data else snapshot.read(folder)
    report, refusal = judged(folder, monkeypatch, content, algorithms)
    for expected in change.report:
        assert re.search(expected, str(report), re.M), str(report)
    assert (refusal is not None) == bool(change.asks)
    assert bool(change.edits) == ("no module can be emitted" in str(report))
    assert not change.edits or change.edits in str(refusal)
    if refusal is not None and (change.removed or name in ACCEPTED):
        (digest,) = re.findall("--accept ([0-9a-f]{16})$", str(refusal), re.M)
        assert judged(folder, monkeypatch, content, algorithms, digest)[1] is None
        assert snapshot.read(folder) == content
        assert notation.load(folder) == algorithms


def test_a_multi_byte_encoding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prose, index and label together: one record, which is all that is asked for, and one digest."""
    known = notation.from_toml(PIN)
    programs = compiler.read(johab.PROSE, origin="", day="").programs
    algorithms = replace(known, programs={**known.programs, **programs})

    def add(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes["johab"] = list(johab.index(PINNED).code_points)
        group(encodings, johab.ENCODING.heading).append({"name": "Johab", "labels": list(johab.ENCODING.labels)})

    content = edited(add)
    report, refusal = judged(folder, monkeypatch, content, algorithms)
    assert "encoding 'Johab': it has no handler; add one to HANDLERS in generator/handlers.py" in str(refusal)
    monkeypatch.setattr(handlers, "HANDLERS", {**handlers.HANDLERS, "Johab": johab.RECORD})
    report, refusal = judged(folder, monkeypatch, content, algorithms)
    assert "Index 'johab' (added): 16997 added" in str(refusal)
    assert "+ 'Johab', number 2 under" in str(report)
    (digest,) = re.findall("--accept ([0-9a-f]{16})$", str(refusal), re.M)
    assert judged(folder, monkeypatch, content, algorithms, digest)[1] is None


def test_an_update_emits_from_the_programs_that_it_has_pinned(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`generate` replaces the project's own programs and emits in the same process."""
    monkeypatch.setattr(machine, "DATA", folder)
    before = machine.pinned()
    edit = program("shift_jis-decoder", ("0xE000 - 8836", "0xE100 - 8836"))
    snapshot.replace(folder, {notation.FILE: edit(PIN).encode()})
    assert "0xE100 - 8836" in notation.text(machine.pinned()["shift_jis-decoder"])
    assert "0xE000 - 8836" in notation.text(before["shift_jis-decoder"])


def test_a_reworded_sentence_and_a_label(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = notation.from_toml(PIN)
    section = Unread("big5-decoder", ("no pattern",), known.programs["big5-decoder"])
    algorithms = replace(known, unread=(section,))
    content = edited(lambda indexes, all_: labels(all_, "Big5").append("big-five"))
    report, refusal = judged(folder, monkeypatch, content, algorithms)
    assert refusal is None
    assert "Kept as pinned, since their texts are not understood: #big5-decoder." in report
    assert snapshot.read(folder) == content
