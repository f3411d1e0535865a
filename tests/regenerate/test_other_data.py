"""Other data requires no other code: from a changed snapshot to a decoder that behaves as the data says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest

from generator import handlers, snapshot, validate
from generator.model import Encoding, Index, Snapshot

from .conftest import Run

#: Before GB18030-2022: pointer → private-use code point. The pointers are those of the change.
BEFORE_2022 = dict(
    zip(
        [*range(7182, 7189), 7201, 7202, 7208, 23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845],
        [*range(0xE78D, 0xE797), 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864],
        strict=True,
    )
)


def changed(index: Index, entries: dict[int, int | None]) -> Index:
    code_points = tuple(entries.get(pointer, code_point) for pointer, code_point in enumerate(index.code_points))
    return replace(index, code_points=code_points, identifier=snapshot.identifier(list(code_points)))


@pytest.fixture(scope="module")
def other_data() -> Snapshot:
    """Return data with one mapping changed, one single-byte encoding added, and the index gb18030 of before 2024."""
    pinned = snapshot.load()
    indexes = dict(pinned.indexes)
    indexes["koi8-r"] = changed(indexes["koi8-r"], {0: 0x2603})
    indexes["gb18030"] = changed(indexes["gb18030"], BEFORE_2022)
    runes = tuple(range(0x16A0, 0x16A0 + 80)) + (None,) * 48
    indexes["x-runes"] = Index("x-runes", runes, snapshot.identifier(list(runes)))
    encodings = list(pinned.encodings)
    place = max(i for i, e in enumerate(encodings) if e.heading == handlers.SINGLE_BYTE_HEADING)
    added = Encoding("x-Runes", ("runes", "x-runes"), handlers.SINGLE_BYTE_HEADING)
    encodings.insert(place + 1, added)
    data = replace(pinned, encodings=tuple(encodings), indexes=MappingProxyType(indexes))
    validate.check(data, pinned)
    return data


@pytest.fixture(scope="module")
def run(build: Callable[[Snapshot], Run], other_data: Snapshot) -> Run:
    return build(other_data)


def test_the_changed_mapping(run: Run) -> None:
    assert run("we.KOI8_R.decode(bytes([0x80, 0x81]))") == "\u2603\u2502"
    assert run(r"list(we.KOI8_R.encode('\u2603\u2502\u2500', 'html'))") == [0x80, 0x81, *b"&#9472;"]


def test_the_added_encoding(run: Run) -> None:
    assert run("[len(we.ENCODINGS), len(we.LABELS), we.lookup('RUNES').name]") == [41, 230, "x-Runes"]
    runes = "".join(map(chr, range(0x16A0, 0x16F0)))
    assert run("we.X_RUNES.decode(bytes(range(0x7E, 0xD1)))") == f"~\x7f{runes}\ufffd"
    assert run(r"list(we.X_RUNES.encode('a\u16ef', 'fatal'))") == [0x61, 0xCF]


def test_the_older_index(run: Run) -> None:
    pointers = list(BEFORE_2022)
    pairs = [(pointer // 190 + 0x81, pointer % 190 + (0x40 if pointer % 190 < 0x3F else 0x41)) for pointer in pointers]
    assert run(f"[ord(we.GB18030.decode(bytes(pair))) for pair in {pairs}]") == list(BEFORE_2022.values())
