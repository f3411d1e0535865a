"""Random edits of random bytes in every encoding, against the reference: see `model`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import whatwg_encoding as we
from tests.edit.model import (
    NAMES,
    NEIGHBORS,
    Edit,
    adds_mark,
    check_replace,
    check_update,
    encoded,
    places_of,
    random_documents,
    random_edit,
    random_new,
    text_of,
)
from tests.reference import inputs
from whatwg_encoding._editing.byte_exact import byte_changes, replace_everywhere
from whatwg_encoding._editing.splice import Splicer

EDITS = 40  # of each kind, for each encoding


@pytest.mark.gate
@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_replacing_a_range(name: str) -> None:
    results = [
        check_replace(name, data, random_edit(random, text_of(name, data), name))
        for random, data in random_documents(name, "replace", EDITS)
    ]
    assert sum(result is not None for result in results) > EDITS / 2


@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_updating(name: str) -> None:
    done = 0
    for random, data in random_documents(name, "update", EDITS, longest=80):
        text = new = text_of(name, data)
        for _ in range(random.randint(1, 3)):
            start, end, part = random_edit(random, new, name)
            new = new[:start] + part + new[end:]
        done += check_update(name, data, new) is not None
        assert we.reencode(data, text, name) == data
    assert done > EDITS / 3


@pytest.mark.gate
@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_replacing_ranges(name: str) -> None:
    """The result has the wanted text, and text that is not within three characters of a range has its bytes."""
    done = 0
    for random, data in random_documents(name, "ranges", 4 * EDITS, longest=200):
        text = text_of(name, data)
        ranges: list[Edit] = []
        position = random.choice((0, 0, 1, 9))
        while position <= len(text) and len(ranges) < 40:
            end = min(position + random.choice((0, 1, 1, 2)), len(text))
            ranges.append(Edit(position, end, random.choice(("", "a", "b1", random_new(random, text, name)))))
            position = end + random.choice((0, 1, 1, 2, 3, 12, 90))
        document = we.ByteExactText(data, name)
        try:
            document.replace_ranges(ranges)
        except UnicodeError:
            assert document.encode() == data, (name, data, ranges)
            continue
        done += 1
        check_ranges(name, data, ranges, document.encode())
        assert document.text == text_of(name, document.encode())
    assert done > EDITS


def check_ranges(name: str, data: bytes, ranges: list[Edit], result: bytes) -> None:
    """Check that bytes are the data with ranges of its text replaced, and no other byte that is not near to one."""
    assert not adds_mark(data, result), (name, data, ranges, result)
    text, context = text_of(name, data), (name, data, ranges)
    places, after = places_of(name, data), places_of(name, result)
    parts, end, shift = list[str](), -NEIGHBORS, 0
    for edit in [*ranges, Edit(len(text) + NEIGHBORS, 0, "")]:
        first, last = end + NEIGHBORS, edit.start - NEIGHBORS
        if first < last and first in places and last in places:
            kept = data[places[first][-1] : places[last][0]]
            assert result[after[first + shift][-1] : after[last + shift][0]] == kept, (context, result)
        parts += text[max(end, 0) : edit.start], edit.new
        shift += len(edit.new) - (edit.end - edit.start)
        end = edit.end
    assert "".join(parts) == text_of(name, result), (context, result)


@pytest.mark.gate
@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_replacing_a_text_everywhere(name: str) -> None:
    """In lines of which some have malformed bytes, or others than the encoder gives."""
    done = 0
    for random, first in random_documents(name, "everywhere", EDITS, longest=200):
        line = text_of(name, first).replace("\n", "").replace("\ufffd", "") + "x\n"
        lines = (first, encoded(name, line) or first, encoded(name, "ab x\n") or first)
        data = b"".join(random.choices(lines, k=random.choice((2, 9))))
        text = text_of(name, data)
        old = random.choice(("x", "a", "b1", "\n", text[len(text) // 2 :][:2] or "x"))
        new = random.choice(("", "a", "xx", "b\n", random_new(random, text, name)))
        ranges = [Edit(*match.span(), new) for match in re.finditer(re.escape(old), text)]
        document, changed = we.ByteExactText(data, name), we.ByteExactText(data, name)
        try:
            replace_everywhere(document, old, new)
        except UnicodeError:
            assert document.encode() == data
            continue
        done += 1
        check_ranges(name, data, ranges, document.encode())
        result, end = bytearray(), 0
        for offset, former, written in byte_changes(changed, ranges):
            assert offset >= end
            assert data[offset : offset + len(former)] == former != written
            result += data[end:offset] + written
            end = offset + len(former)
        assert changed.encode() == data
        assert text_of(name, bytes(result) + data[end:]) == document.text
    assert done > EDITS / 3


def test_changes_are_known_at_once() -> None:
    """Not when the last range is."""

    def ranges() -> Iterator[Edit]:
        yield from (Edit(number * 8, number * 8 + 1, "y") for number in range(10_000))
        raise AssertionError("all ranges were asked for")

    for name in ("shift_jis", "utf-8"):
        document = we.ByteExactText(we.lookup(name).encode("x 日本語 a\n") * 100_000, name)
        changes = [change[1:] for change in islice(byte_changes(document, ranges()), 1000)]
        assert set(changes[2:]) == {(b"x", b"y")}


def test_many_replacements_are_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one by one, also where single bytes are malformed or not the encoder's."""
    calls = []
    replace = Splicer.replace
    monkeypatch.setattr(Splicer, "replace", lambda *arguments: calls.append(1) or replace(*arguments))
    for name, odd in (
        ("shift_jis", b"\xed\x40 \x82 x\n"),
        ("utf-8", b"\xff x\n"),
        ("iso-2022-jp", b"\x1b(J\x1b(B x\n"),
    ):
        lines = [we.lookup(name).encode("値 x = 1;\n")] * 20_000
        lines[3000] = lines[9000] = odd
        lines[::10] = [odd] * 2000
        data = b"".join(lines)
        document, progress = we.ByteExactText(data, name), list[int]()
        length = len(document.text)
        replace_everywhere(document, "x", "yy", advance=progress.append)
        assert document.encode() == b"".join(line.replace(b"x", b"yy") for line in lines)
        assert length / 2 < sum(progress) < length
        assert min(progress) >= 0
    assert len(calls) < 100


@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_the_bytes_of_a_slice(name: str) -> None:
    for random, data in random_documents(name, "slice", 20):
        text, places = text_of(name, data), places_of(name, data)
        document = we.ByteExactText(data, name)
        for _ in range(5):
            start = random.randint(0, len(text))
            end = random.randint(start, len(text))
            first, last = document.bytes_of(start, end)
            if start == end:
                assert first == last
                assert first == places.get(start, places.get(start - 1, [0]))[0 if start in places else -1]
                continue
            assert first == (places[start] if start in places else places[start - 1])[-1]
            assert last == (places[end] if end in places else places[end + 1])[0]


@pytest.mark.gate
@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_places_in_a_large_document_before_and_after_edits(name: str) -> None:
    random = Random(f"large {name}")
    data = b"".join(inputs.random_inputs(name, 450))
    document = we.ByteExactText(data, name)
    for _ in range(3):
        text, places = text_of(name, data), places_of(name, data)
        assert document.text == text
        starts = [place for place in places if place < len(text) and place + 1 in places]
        for start in (*random.sample(starts, 15), 0):
            assert document.bytes_of(start, start + 1) == (places[start][-1], places[start + 1][0])
        place = max(text.find("a", random.randrange(len(text) // 2)), 0)
        document.replace(place, place, "\nabcdefghi" * 3)
        data = document.encode()


@pytest.mark.parametrize("name", [name for name in inputs.MULTI_BYTE_NAMES if inputs.BOUNDARY_BYTES[name][1] == 0x0A])
def test_every_pair_of_boundary_bytes(name: str) -> None:
    """An insertion after, and a deletion behind, each pair of bytes at which a step of the decoder begins or ends."""
    for number, middle in enumerate(inputs.boundary_inputs(name, 2)):
        data = b"\0x" + middle + b"\0y\0z"
        length = len(text_of(name, data))
        if number % 2:
            check_replace(name, data, Edit(length - 4, length - 4, "a"))
        else:
            check_replace(name, data, Edit(length - 4, length - 3, ""))


def test_the_expectations_are_not_met_by_encoding_the_whole() -> None:
    data = b"\xed\x40\x82\n"
    assert encoded("Shift_JIS", text_of("Shift_JIS", data)) is None
    assert encoded("Shift_JIS", text_of("Shift_JIS", data[:2])) == b"\xfa\x5c"
