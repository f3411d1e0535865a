"""The invariants, each violated on purpose, and valid data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from generator import snapshot, validate
from generator.model import RANGES, SINGLE_BYTE_HEADING, Snapshot
from tests.generator.conftest import Change, group

Made = Callable[[Change], dict[str, bytes]]


def faults(changed: Made, change: Change, pinned: Snapshot | None = None) -> list[str]:
    return list(validate.faults(snapshot.parse(changed(change), "2026-01-01"), pinned))


def test_the_pinned_data_has_no_fault(pinned: Snapshot) -> None:
    assert list(validate.faults(pinned, pinned)) == []


# -- Valid data --------------------------------------------------------------------------------------------------------


def test_a_new_single_byte_encoding_needs_no_code_change(changed: Made, pinned: Snapshot) -> None:
    def add(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes["koi8-t"] = [None, *range(0x400, 0x47F)]
        group(encodings, SINGLE_BYTE_HEADING).append({"name": "KOI8-T", "labels": ["koi8-t"]})

    assert faults(changed, add, pinned) == []


def test_a_changed_mapping_and_a_new_label_pass(changed: Made, pinned: Snapshot) -> None:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes["euc-kr"][0] = None
        indexes["big5"][5024] = 0x2F9F4
        group(encodings, SINGLE_BYTE_HEADING)[0]["labels"].append("ibm-866")

    assert faults(changed, change, pinned) == []


@pytest.mark.parametrize("is_index_kept", [True, False])
def test_an_encoding_may_be_removed(is_index_kept: bool, changed: Made, pinned: Snapshot) -> None:
    """A person accepts it; the standard removed hz-gb-2312 and iso-2022-kr."""

    def remove(indexes: dict[str, Any], encodings: list[Any]) -> None:
        removed = group(encodings, SINGLE_BYTE_HEADING).pop()
        if not is_index_kept:
            del indexes[removed["name"].lower()]

    assert faults(changed, remove) == faults(changed, remove, pinned) == []


# -- Invalid data ------------------------------------------------------------------------------------------------------

CODE_POINTS = [
    (0x00, "is an ASCII code point"),
    (0x7F, "is an ASCII code point"),
    (0x80, None),
    (0xD7FF, None),
    (0xD800, "is a surrogate"),
    (0xDFFF, "is a surrogate"),
    (0xE000, None),
    (0xFFFD, "is no character"),
    (0xFFFF, "is no character"),
    (0x10000, "is above U+FFFF"),
    (0x20000, "is above U+FFFF"),
    (0x10FFFF, "is above U+FFFF"),
    (0x110000, "is out of range"),
    (-1, "is out of range"),
    (10**4000, "a number of 4001 digits: is out of range"),
]


@pytest.mark.parametrize("index", ["koi8-r", "jis0208", "euc-kr", "iso-2022-jp-katakana"])
def test_which_code_points_an_index_may_hold(index: str, pinned: Snapshot) -> None:
    before = pinned.indexes[index].code_points
    code_points = (*(code_point for code_point, _ in CODE_POINTS), *before[len(CODE_POINTS) :])
    after = dataclasses.replace(pinned.indexes[index], code_points=code_points)
    reported = list(validate.faults(dataclasses.replace(pinned, indexes={**pinned.indexes, index: after})))
    broken = [(pointer, rule) for pointer, (_, rule) in enumerate(CODE_POINTS) if rule is not None]
    for fault, (pointer, rule) in zip(reported, broken, strict=True):
        assert fault.startswith(f"indexes.json: index {index!r}, pointer {pointer}, code point ")
        assert rule in fault
        assert len(fault) < 300


@pytest.mark.parametrize(
    ("code_point", "passes"), [(0x1FFFF, False), (0x20000, True), (0x2FFFD, True), (0x30000, False)]
)
def test_big5_reaches_plane_2_only(code_point: int, passes: bool, changed: Made) -> None:
    reported = faults(changed, lambda indexes, encodings: indexes["big5"].__setitem__(5024, code_point))
    assert (reported == []) == passes


def test_jis0208_keeps_the_code_point_that_encoders_write_for_the_minus_sign(changed: Made) -> None:
    def remove(indexes: dict[str, Any], encodings: list[Any]) -> None:
        indexes["jis0208"] = [None if code_point == 0xFF0D else code_point for code_point in indexes["jis0208"]]

    (fault,) = faults(changed, remove)
    assert "index 'jis0208': has no U+FF0D" in fault


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ranges: ranges.clear(), "has no index"),
        (lambda ranges: ranges.pop(0), "must begin with pointer 0 for U+0080"),
        (lambda ranges: ranges.pop(), "must end with pointer 189000 for U+10000"),
        (lambda ranges: ranges.append([189001, 0x10001]), "must end with pointer 189000 for U+10000"),
        (lambda ranges: ranges.insert(1, [0, 0x81]), "pointer 0, code point U+0081: must be above the previous 0"),
        (lambda ranges: ranges.insert(1, [1, 0x80]), "pointer 1, code point U+0080: must be above the previous 0"),
        (
            lambda ranges: ranges.insert(-1, [39420, 0xFFFF]),
            "pointer 39420, code point U+FFFF: no pointer between 39419",
        ),
        (lambda ranges: ranges.__setitem__(slice(1, -1), [[1, 0xD000]]), "across the surrogates"),
        (lambda ranges: ranges.__setitem__(slice(1, -1), [[39000, 0xFFF0]]), "which is in the next range"),
    ],
)
def test_ranges_are_sorted_apart_and_complete(change: Callable[[Any], object], message: str, changed: Made) -> None:
    reported = faults(changed, lambda indexes, encodings: change(indexes[RANGES]))
    assert any(message in fault for fault in reported), reported


def ibm866(change: Callable[[dict[str, Any]], object]) -> Change:
    """Return a change of the entry of IBM866."""
    return lambda indexes, encodings: change(group(encodings, SINGLE_BYTE_HEADING)[0])


def added(heading: str, name: str) -> Change:
    return lambda indexes, encodings: group(encodings, heading).append({"name": name, "labels": [name.lower()]})


OTHER = "Legacy miscellaneous encodings"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda indexes, encodings: indexes["jis0212"].pop(), "index 'jis0212': has 8835 pointers, not 8836"),
        (lambda indexes, encodings: indexes["koi8-u"].append(0x4E00), "index 'koi8-u': has 129 pointers, not 128"),
        (lambda indexes, encodings: indexes.pop("koi8-u"), "'KOI8-U': indexes.json has no index 'koi8-u'"),
        (lambda indexes, encodings: indexes.update({"big5-2": [0x80]}), "index 'big5-2': no encoding uses it; add it"),
        (lambda indexes, encodings: indexes.update({"a;b": [None]}), "index 'a;b': the name 'a;b' does not consist"),
        (added(OTHER, "UTF-7"), "encoding 'UTF-7': it has no handler; add one to HANDLERS in generator/handlers.py"),
        (added(SINGLE_BYTE_HEADING, "KOI8-T"), "encoding 'KOI8-T': indexes.json has no index 'koi8-t'"),
        (
            lambda indexes, encodings: encodings[-1].update(heading="Future encodings"),
            "encoding 'replacement': its heading 'Future encodings' is unknown",
        ),
        (
            lambda indexes, encodings: encodings[0].update(heading="The Encoding */ #error"),
            "encoding 'UTF-8': the heading 'The Encoding */ #error' does not consist",
        ),
        (
            lambda indexes, encodings: group(encodings, OTHER)[0]["labels"].remove("replacement"),
            "encoding 'replacement': 'replacement', its lowercase name, is not among its labels",
        ),
        (
            ibm866(lambda entry: entry.update(name="utf_8", labels=["utf_8"])),
            "encoding 'utf_8': its symbol, utf_8, is also that of 'UTF-8'",
        ),
        (
            ibm866(lambda entry: entry.update(name='IBM866"\nimport os\n"')),
            "the name 'IBM866\"\\nimport os\\n\"' does not consist",
        ),
        (
            ibm866(lambda entry: entry.update(name="GBK")),
            "encoding 'GBK': is under 'Legacy single-byte encodings' but its handler is gb18030",
        ),
        *(
            (ibm866(lambda entry, label=label: entry["labels"].append(label)), f"encoding 'IBM866': {message}")
            for label, message in (
                ("866", "label '866' is already a label of 'IBM866'"),
                ("utf8", "label 'utf8' is already a label of 'UTF-8'; labels must be unique"),
                ("CP-866", "label 'CP-866' is not lowercase"),
                ("\u212a", "label '\\u212a' is not lowercase"),
                ("\u00e9", "the label '\\xe9' does not consist of"),
                (" ibm866", "the label ' ibm866' does not consist of"),
                ('x", exit(), "', "the label 'x\", exit(), \"' does not consist of"),
            )
        ),
    ],
)
def test_names_labels_and_indexes(change: Change, message: str, changed: Made, pinned: Snapshot) -> None:
    reported = faults(changed, change, pinned)
    assert any(message in fault for fault in reported), reported
    assert all(fault.isascii() and fault.isprintable() for fault in reported)
    assert all("https://encoding.spec.whatwg.org/#" in fault for fault in reported)


def test_a_message_lists_some_faults_and_counts_the_rest(changed: Made) -> None:
    new = snapshot.parse(changed(lambda indexes, encodings: indexes.update(big5=[0xDC00] * 19782)), "2026-01-01")
    with pytest.raises(validate.ValidationError) as caught:
        validate.check(new)
    lines = str(caught.value).splitlines()
    assert len(lines) == validate.SHOWN + 1
    assert lines[-1] == f"and {19782 - validate.SHOWN} more faults"
