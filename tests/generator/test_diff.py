"""Differences between two snapshots: complete, ordered by importance, short if little changed, safe to display."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import diff, emit, snapshot
from generator.model import ENCODINGS, INDEXES, RANGES, SINGLE_BYTE_HEADING, Encoding, Snapshot, describe
from tests.generator.conftest import Change, group
from tests.generator.test_snapshot import private_use_before_2022

Made = Callable[[Change], dict[str, bytes]]

BYTES_2022 = [
    *("A6D9", "A6DA", "A6DB", "A6DC", "A6DD", "A6DE", "A6DF", "A6EC", "A6ED", "A6F3"),
    *("FE59", "FE61", "FE66", "FE67", "FE6D", "FE7E", "FE90", "FEA0"),
]
"""The two-byte codes of GB18030 whose characters the edition of 2022 replaced, in order."""


@pytest.fixture(scope="module")
def gb18030_2022(content: dict[str, bytes], pinned: Snapshot) -> diff.Diff:
    """Return what changed in the pinned snapshot since the index gb18030 that preceded GB18030-2022."""
    indexes = json.loads(content[INDEXES])
    for pointer, code_point in private_use_before_2022().items():
        indexes["gb18030"][pointer] = code_point
    return diff.compare(snapshot.parse({**content, INDEXES: json.dumps(indexes).encode()}, "2023-01-01"), pinned)


@pytest.fixture
def compare(changed: Made, pinned: Snapshot) -> Callable[[Change], diff.Diff]:
    """Compare the pinned snapshot with a changed copy."""
    return lambda change: diff.compare(pinned, snapshot.parse(changed(change), "2027-01-01"))


# -- GB18030-2022: eighteen changes and no other -----------------------------------------------------------------------


def test_gb18030_2022_is_eighteen_changes(gb18030_2022: diff.Diff) -> None:
    report = gb18030_2022
    (index,) = report.indexes
    assert index.name == "gb18030"
    assert {change.key: change.old for change in index.entries} == private_use_before_2022()
    assert [change.new for change in index.entries] == [
        *(0xFE10, 0xFE12, 0xFE11, 0xFE13, 0xFE14, 0xFE15, 0xFE16, 0xFE17, 0xFE18, 0xFE19),
        *range(0x9FB4, 0x9FBC),
    ]
    assert [change.sequences["gb18030"].hex().upper() for change in index.entries] == BYTES_2022
    assert [change.sequences["GBK"].hex().upper() for change in index.entries] == BYTES_2022
    assert (report.encodings, report.labels, report.ranges) == ((), (), ())


def test_the_documentation_shows_gb18030_2022(gb18030_2022: diff.Diff) -> None:
    page = (Path(__file__).parents[2] / "docs" / "generator.md").read_text(encoding="utf-8")
    shown = page.partition("GB18030-2022 has eighteen")[2].partition("```text\n")[2].partition("```")[0]
    assert shown
    assert shown in diff.to_text(gb18030_2022)


@pytest.mark.gate
def test_gb18030_2022_changes_one_module_and_asks_a_person_about_the_encoder(gb18030_2022: diff.Diff) -> None:
    report = gb18030_2022
    old, new = emit.outputs(report.old), emit.outputs(report.new)
    assert {name.partition(".")[0].removesuffix("_tables") for name in new if old[name] != new[name]} == {
        "chinese_simplified"
    }
    assert report.attention == ()
    # The encoder encodes the old code points as before, and the new ones as bytes and not by ranges.
    (encoder,) = (
        behaviour
        for behaviour in report.behaviours
        if behaviour.kind == "encoder" and behaviour.encodings == ("gb18030",)
    )
    assert [line.strip().partition(" as ")[0] for line in encoder.lines()] == [
        "gb18030 encodes 18 code point sequences",
        *(describe(code_point) for code_point in range(0x9FB5, 0x9FB9)),
    ]


def test_gb18030_2022_as_text_is_a_line_each(gb18030_2022: diff.Diff, pinned: Snapshot) -> None:
    lines = diff.to_text(gb18030_2022).splitlines()
    assert lines[0] == f"The Encoding Standard's data: 2023-01-01 → {pinned.date}"
    start = lines.index("Index 'gb18030' (23940 pointers): 18 changed")
    assert lines[start + 1] == (
        "  pointer 7182 (A6D9 in GBK and gb18030): U+E78D private use → U+FE10 ︐ PRESENTATION FORM FOR VERTICAL COMMA"
    )
    assert [line for line in lines if line.startswith("  pointer ")] == lines[start + 1 : start + 19]
    assert len(lines) < 32


# -- Everything else that can differ -----------------------------------------------------------------------------------


def test_the_same_is_no_difference(pinned: Snapshot) -> None:
    report = diff.compare(pinned, pinned)
    assert not report
    assert diff.to_text(report).splitlines()[1:] == ["  no difference"]


def test_another_layout_is_said_to_be_no_more(compare: Callable[[Change], diff.Diff]) -> None:
    report = compare(lambda indexes, encodings: None)
    assert report
    assert diff.to_text(report).splitlines()[1:] == [
        "  the files differ in layout or order only; no encoding, label or index entry differs"
    ]


@pytest.mark.gate
def test_encodings_and_labels_added_and_moved(compare: Callable[[Change], diff.Diff]) -> None:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        single = group(encodings, SINGLE_BYTE_HEADING)
        single.append({"name": "KOI8-T", "labels": ["koi8-t", "tajik"]})
        indexes["koi8-t"] = [0x490, *[None] * 127]
        single.append(single.pop(0))  # IBM866 comes last.
        single[0]["labels"].remove("l2")
        single[1]["labels"].append("l2")

    report = compare(change)
    lines = diff.to_text(report).splitlines()
    assert [encoding.key for encoding in report.encodings] == ["IBM866", "KOI8-T"]
    count = sum(encoding.heading == SINGLE_BYTE_HEADING for encoding in report.old.encodings)
    assert (
        f"  ~ 'IBM866' moves from number 1 under 'Legacy single-byte encodings' to number {count + 1} under "
        "'Legacy single-byte encodings'" in lines
    )
    where = f"number {count} under 'Legacy single-byte encodings'"
    assert f"  + 'KOI8-T', {where}, with the labels 'koi8-t', 'tajik'" in lines
    assert [(label.key, label.old, label.new) for label in report.labels] == [
        ("koi8-t", None, "KOI8-T"),
        ("l2", "ISO-8859-2", "ISO-8859-3"),
        ("tajik", None, "KOI8-T"),
    ]
    assert "  ~ 'l2' moves from 'ISO-8859-2' to 'ISO-8859-3'" in lines
    assert "Index 'koi8-t' (added): 1 added" in lines
    assert "  pointer 0 (80 in KOI8-T): nothing → U+0490 Ґ CYRILLIC CAPITAL LETTER GHE WITH UPTURN" in lines
    assert report.attention == ()
    old, new = emit.outputs(report.old), emit.outputs(report.new)
    assert {"single_byte.pyx", "labels.py"} <= {name for name in new if old[name] != new[name]}
    assert "koi8_t" in new["single_byte_tables.h"]


def test_what_no_table_can_express_comes_first_and_names_the_file(compare: Callable[[Change], diff.Diff]) -> None:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes["big5-2030"] = [0x4E00]
        indexes["jis0212"].append(0x4E00)
        indexes["jis0208"][8836] = 0x4E00
        encodings[-1]["encodings"].append({"name": "UTF-7", "labels": ["utf-7"]})
        del encodings[0]

    report = compare(change)
    assert [next(word for word in WORDS if word in line) for line in report.attention] == WORDS
    lines = diff.to_text(report).splitlines()
    assert lines[1] == "Needs review"
    assert "  - 'UTF-8': callers lose UTF_8, and lookup() of its labels 'unicode-1-1-utf-8'" in diff.to_text(report)
    assert "Index 'jis0212' (8837 pointers instead of 8836): 1 added" in lines
    assert "Index 'big5-2030' (added): 1 added" in lines
    assert "  pointer 0: nothing → U+4E00 一 CJK UNIFIED IDEOGRAPH-4E00" in lines


WORDS = [
    "index 'jis0212': has 8837 pointers, not 8836",
    "index 'big5-2030': no encoding uses it; add it to a handler in generator/handlers.py",
    "encoding 'UTF-7': it has no handler; add one to HANDLERS in generator/handlers.py",
]


def test_ranges(compare: Callable[[Change], diff.Diff]) -> None:
    report = compare(lambda indexes, encodings: indexes[RANGES].__setitem__(1, [35, 0xA5]))
    assert [(change.key, change.old, change.new) for change in report.ranges] == [(35, None, 0xA5), (36, 0xA5, None)]
    lines = diff.to_text(report).splitlines()
    assert "Index 'gb18030-ranges': 1 added, 1 removed" in lines
    assert "  pointer 36: U+00A5 ¥ YEN SIGN → nothing" in lines


def test_long_lists_are_cut_only_where_asked(compare: Callable[[Change], diff.Diff]) -> None:
    report = compare(lambda indexes, encodings: indexes.update({"euc-kr": [None] * 23940}))
    full = diff.to_text(report).splitlines()
    entries = sum(1 for line in full if line.startswith("  pointer "))
    cut = diff.to_text(report, 10).splitlines()
    assert f"Index 'euc-kr' (23940 pointers): {entries} removed" in full
    assert sum(1 for line in cut if line.startswith("  pointer ")) == 10
    assert f"    … and {entries - 10} more" in cut


def test_hostile_text_stays_text(compare: Callable[[Change], diff.Diff]) -> None:
    evil = '"><script>alert(1)</script>\x1b[2J\u202e'

    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        encodings[0]["heading"] = evil
        encodings[0]["encodings"][0]["name"] = evil
        encodings[0]["encodings"][0]["labels"].append(evil)
        indexes[evil] = [0x9B, 0x202E, 0x2028, 0xD800, -1, 0x301]

    report = compare(change)
    text = diff.to_text(report)
    assert text.replace("\n", "").replace("→", "").replace("\u25cc\u0301", "").isascii()
    assert "\x1b" not in text


# -- Bytes of a pointer, against Python's own codecs -------------------------------------------------------------------

CODECS = [
    ("big5", "Big5", "big5hkscs"),
    ("euc-kr", "EUC-KR", "cp949"),
    ("gb18030", "gb18030", "gb18030"),
    ("gb18030", "GBK", "gbk"),
    ("jis0208", "EUC-JP", "euc_jp"),
    ("jis0208", "Shift_JIS", "cp932"),
    ("jis0212", "EUC-JP", "euc_jp"),
    ("koi8-r", "KOI8-R", "koi8_r"),
]


@pytest.mark.parametrize(("index", "encoding", "codec"), CODECS)
def test_bytes_of_pointers_are_those_of_pythons_codecs(index: str, encoding: str, codec: str, pinned: Snapshot) -> None:
    """The codecs differ from the standard in some mappings, but not in the bytes of a pointer."""
    same = decoded = total = 0
    bytes_of = diff.byte_sequences(index, pinned)
    for pointer, code_point in enumerate(pinned.indexes[index].code_points):
        sequence = bytes_of(pointer).get(encoding)
        if code_point is None or sequence is None:
            continue
        total += 1
        with contextlib.suppress(UnicodeDecodeError):
            same += sequence.decode(codec) == chr(code_point)
            decoded += 1
    assert same > 0.99 * decoded > 0.9 * total > 0


def test_bytes_of_iso_2022_jp_are_those_of_pythons_codec(pinned: Snapshot) -> None:
    sequence = diff.byte_sequences("jis0208", pinned)(283)["ISO-2022-JP"]
    assert (b"\x1b$B" + sequence).decode("iso2022_jp") == chr(pinned.indexes["jis0208"].code_points[283] or 0)


def test_pointers_beyond_two_bytes_have_only_shift_jis(pinned: Snapshot) -> None:
    jis0208 = diff.byte_sequences("jis0208", pinned)
    assert set(jis0208(94 * 94 - 1)) == {"EUC-JP", "ISO-2022-JP", "Shift_JIS"}
    assert set(jis0208(94 * 94)) == {"Shift_JIS"}
    assert jis0208(11279) == {"Shift_JIS": b"\xfc\xfc"}
    assert set(diff.byte_sequences("iso-8859-8", pinned)(0)) == {"ISO-8859-8", "ISO-8859-8-I"}
    assert diff.byte_sequences("iso-2022-jp-katakana", pinned)(0) == {}


# -- Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code_point", "words"),
    [
        (None, "nothing"),
        (0x41, "U+0041 A LATIN CAPITAL LETTER A"),
        (0x301, "U+0301 \u25cc\u0301 COMBINING ACUTE ACCENT"),
        (0x9B, "U+009B control"),
        (0xA0, "U+00A0 NO-BREAK SPACE"),
        (0x202E, "U+202E RIGHT-TO-LEFT OVERRIDE"),
        (0xE000, "U+E000 private use"),
        (0xFFFF, "U+FFFF not assigned"),
        (0x20000, "U+20000 \U00020000 CJK UNIFIED IDEOGRAPH-20000"),
        (0xD800, "U+D800 surrogate"),
        (0x110000, "1114112 no code point"),
        (-1, "-1 no code point"),
    ],
)
def test_code_points_in_words(code_point: int | None, words: str) -> None:
    assert describe(code_point) == words


def test_every_code_point_of_the_standard_can_be_described(pinned: Snapshot) -> None:
    for index in pinned.indexes.values():
        for code_point in index.code_points:
            if code_point is not None:
                text = describe(code_point)
                assert text.isprintable()
                assert not any(unicodedata.bidirectional(c) in ("RLO", "LRO", "RLE", "LRE") for c in text)


def test_encodings_of_the_old_side_count_too(pinned: Snapshot) -> None:
    """Differences of an index whose only encoding was removed are still shown with bytes."""
    encodings: tuple[Encoding, ...] = tuple(e for e in pinned.encodings if e.name != "KOI8-R")
    indexes = {name: index for name, index in pinned.indexes.items() if name != "koi8-r"}
    new = dataclasses.replace(pinned, encodings=encodings, indexes=indexes, sha256={**pinned.sha256, ENCODINGS: ""})
    (index,) = diff.compare(pinned, new).indexes
    assert index.entries[0].sequences == {"KOI8-R": b"\x80"}
