"""Data that is valid in form and changes what texts mean: each such change is refused or asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import diff, snapshot, validate
from generator.model import INDEXES, Snapshot
from tests.generator.conftest import Change
from tests.generator.test_accept import added, move, reversed_windows_1252, vanish
from tests.generator.test_main import run


@pytest.fixture
def after(
    changed: Callable[[Change], dict[str, bytes]], pinned: Snapshot
) -> Callable[[Change], tuple[Snapshot, diff.Diff]]:
    """Return a function that gives the snapshot after a change, and the difference from the pinned one."""

    def make(change: Change) -> tuple[Snapshot, diff.Diff]:
        new = snapshot.parse(changed(change), "")
        return new, diff.compare(pinned, new)

    return make


def filled(index: str, code_point: int, place: int | None = None) -> Change:
    """Return the change that gives a pointer, the index's first null by default, a code point."""

    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        entries = indexes[index]
        entries[entries.index(None) if place is None else place] = code_point

    return change


def half_of_big5(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["big5"][: len(indexes["big5"]) // 2] = [None] * (len(indexes["big5"]) // 2)


def moved_encoding(indexes: dict[str, Any], encodings: list[Any]) -> None:
    encodings[1]["encodings"].reverse()


UNEXPECTED: dict[str, tuple[Change, str]] = {
    "iso-2022-kr moves": (
        move("iso-2022-kr", "replacement", "windows-1252"),
        "~ 'iso-2022-kr' moves from 'replacement' to 'windows-1252'",
    ),
    "latin1 moves": (move("latin1", "windows-1252", "UTF-8"), "~ 'latin1' moves from 'windows-1252' to 'UTF-8'"),
    "utf-16 moves": (move("utf-16", "UTF-16LE", "UTF-8"), "~ 'utf-16' moves from 'UTF-16LE' to 'UTF-8'"),
    "utf-7 is a label": (added("utf-7", "UTF-8"), "+ 'utf-7' of 'UTF-8'"),
    "latin1 vanishes": (vanish("latin1", "windows-1252"), "- 'latin1' of 'windows-1252'"),
    "half of Big5 vanishes": (half_of_big5, "Index 'big5' (19782 pointers): "),
    "windows-1252 is reversed": (reversed_windows_1252, "Index 'windows-1252' (128 pointers): 96 changed"),
    "encodings change places": (moved_encoding, "moves from number "),
}


@pytest.mark.parametrize("case", UNEXPECTED)
def test_what_moves_changes_or_vanishes_asks(case: str, after: Callable[[Change], tuple[Snapshot, diff.Diff]]) -> None:
    change, line = UNEXPECTED[case]
    _, report = after(change)
    assert any(line in unexpected for unexpected in report.unexpected)


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            filled("jis0208", 0x4E00),
            ["EUC-JP encodes 1 code point sequence as something else, such as U+4E00 一 CJK UNIFIED IDEOGRAPH-4E00 as "
             "A2 AF instead of B0 EC",
             "Shift_JIS encodes 1 code point sequence as something else, such as U+4E00 一 CJK UNIFIED IDEOGRAPH-4E00 "
             "as 81 AD instead of 88 EA",
             "ISO-2022-JP encodes 3 code point sequences as something else, such as U+4E00 一 CJK UNIFIED "
             "IDEOGRAPH-4E00 as 1B 24 42 22 2F instead of 1B 24 42 30 6C"],
        ),
        (
            filled("euc-kr", 0xAC00),
            ["EUC-KR encodes 1 code point sequence as something else, such as U+AC00 가 HANGUL SYLLABLE GA as "],
        ),
    ],
    ids=["jis0208", "euc-kr"],
)  # fmt: skip
def test_a_null_that_moves_a_code_point_asks(
    after: Callable[[Change], tuple[Snapshot, diff.Diff]], change: Change, lines: list[str]
) -> None:
    _, report = after(change)
    for line in lines:
        assert any(unexpected.startswith(line) for unexpected in report.unexpected)


def test_a_null_that_moves_nothing_does_not_ask(after: Callable[[Change], tuple[Snapshot, diff.Diff]]) -> None:
    _, report = after(filled("jis0208", 0x20000 - 0x0EEE))
    assert report.unexpected == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (filled("euc-kr", 0xFDD0), "U+FDD0: is no character"),
        (filled("windows-1253", 0x85), "U+0085: is a control character"),
        (filled("koi8-r", 0x9B, 5), "U+009B: is a control character"),
    ],
)
def test_what_is_no_character_is_refused(
    after: Callable[[Change], tuple[Snapshot, diff.Diff]], pinned: Snapshot, change: Change, message: str
) -> None:
    new, _ = after(change)
    with pytest.raises(validate.ValidationError) as caught:
        validate.check(new, pinned)
    assert message in str(caught.value)


def test_many_entries_at_once_ask(after: Callable[[Change], tuple[Snapshot, diff.Diff]]) -> None:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        entries = indexes["jis0212"]
        nulls = [pointer for pointer, code_point in enumerate(entries) if code_point is None]
        for number, pointer in enumerate(nulls[: diff.MOST_ENTRIES + 1]):
            entries[pointer] = 0xE000 + number

    _, report = after(change)
    assert f"{diff.MOST_ENTRIES + 1} entries are added at once" in report.unexpected


UNSAFE = (
    *("utf7", "csunicode11utf7", "utf32", "csscsu", "cesu8", "x-iso-2022-kr", "iso-2022-jp-2", "hz", "cp037", "utf-7"),
    *("utf-32be", "bocu-1", "csbocu1", "ebcdic-cp-us", "ibm1047", "x-hz", "unicode-1-1-utf-7-imap", "iso-10646-ucs-4"),
)


def test_labels_of_unsafe_encodings_ask(after: Callable[[Change], tuple[Snapshot, diff.Diff]]) -> None:
    assert [label for label in UNSAFE if not diff.is_unsafe(label)] == []
    _, report = after(lambda indexes, encodings: encodings[0]["encodings"][0]["labels"].append("cp037"))
    assert report.unexpected == ("+ 'cp037' of 'UTF-8'",)


@pytest.mark.parametrize("label", ["cp1253", "x-koi8", "windows-28592", "utf-8-mac", "latin-7", "ibm-1252", "x-shift"])
def test_another_label_does_not_ask(label: str) -> None:
    assert not diff.is_unsafe(label)


def test_many_labels_at_once_ask(after: Callable[[Change], tuple[Snapshot, diff.Diff]]) -> None:
    more = [f"x-more-{number}" for number in range(diff.MOST_LABELS + 1)]
    _, report = after(lambda indexes, encodings: encodings[0]["encodings"][0]["labels"].extend(more))
    assert report.unexpected == (f"{len(more)} labels are added at once",)


def test_gb18030_must_cover_every_scalar_value(
    after: Callable[[Change], tuple[Snapshot, diff.Diff]], pinned: Snapshot
) -> None:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        ranges = indexes["gb18030-ranges"]
        ranges[100][1] += 1

    new, _ = after(change)
    with pytest.raises(validate.ValidationError, match="it must cover every scalar value, but 1 are missing"):
        validate.check(new, pinned)


def test_gb18030_must_not_lose_a_code_point(
    after: Callable[[Change], tuple[Snapshot, diff.Diff]], pinned: Snapshot
) -> None:
    new, _ = after(lambda indexes, encodings: indexes["gb18030"].__setitem__(1, None))
    with pytest.raises(validate.ValidationError, match=r"but 1 are missing, such as U\+4E04"):
        validate.check(new)


def test_a_folder_of_ones_own_is_pinned_by_a_command(folder: Path) -> None:
    (folder / snapshot.PIN).unlink()
    done = run("verify", "--data", folder)
    assert done.returncode == 1
    assert done.stderr == (
        f"generator: snapshot.toml: cannot be read from {folder}: No such file or directory; "
        f"to pin the data there: python -m generator pin --data {folder}\n"
    )
    values = json.loads((folder / INDEXES).read_bytes())
    values["koi8-r"][0] = 0x2603
    (folder / INDEXES).write_text(json.dumps(values))
    assert run("pin", "--data", folder).returncode == 0
    assert run("verify", "--data", folder).returncode == 0
