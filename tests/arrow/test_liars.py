"""Invalid Arrow data is refused before it is read, and each release callback is called once.

``make sanitize`` runs this under AddressSanitizer: each buffer is a block of its exact size.
"""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from tests.arrow.producers import Declared, Producer, declared_of, integers, view
from whatwg_encoding import arrow

LONG = b"a text of more than twelve bytes"
BINARY = Declared("z", [None, integers([0, 1, 1, 3], 4), b"abc"], 3)
DESCENDING = replace(BINARY, buffers=[None, integers([0, 2, 1, 3], 4), b"abc"])
LARGE = Declared("Z", [None, integers([0, 1, 1, 3], 8), b"abc"], 3)
VIEWS = Declared("vz", [None, view(b"ab") + view(LONG, 0, 2), b"xx" + LONG, integers([2 + len(LONG)], 8)], 2)
FIXED = Declared("w:3", [None, b"abcdef"], 2)
DICTIONARY = Declared("c", [None, bytes([2, 0, 1])], 3, dictionary=BINARY)
STRUCT = Declared("+s", [None], 3, children=[BINARY])
NULLS = Declared("n", [], 4, null_count=4)
TRUE = {"z": BINARY, "Z": LARGE, "vz": VIEWS, "w:3": FIXED, "c": DICTIONARY, "+s": STRUCT, "n": NULLS}


def views_with(second: bytes) -> Declared:
    return replace(VIEWS, buffers=[None, view(b"ab") + second, *VIEWS.buffers[2:]])


LIES: dict[str, Declared] = {
    "unknown format": replace(BINARY, format="tdD"),
    "list": replace(BINARY, format="+l", children=[BINARY]),
    "empty format": replace(BINARY, format=""),
    "fixed width without a number": replace(FIXED, format="w:"),
    "fixed width that is negative": replace(FIXED, format="w:-1"),
    "fixed width that overflows": replace(FIXED, format="w:99999999999999999999"),
    "fixed width times length overflows": replace(FIXED, format="w:2147483647", length=2**57),
    "negative length": replace(BINARY, length=-1),
    "negative offset": replace(BINARY, offset=-1),
    "length and offset that overflow": replace(BINARY, length=2**62, offset=2**62),
    "more nulls than rows": replace(BINARY, null_count=4),
    "fewer than no nulls": replace(BINARY, null_count=-2),
    "nulls without validity": replace(BINARY, null_count=1),
    "too many nulls told": replace(BINARY, buffers=[b"\x05", *BINARY.buffers[1:]], null_count=2),
    "too few nulls told": replace(BINARY, buffers=[b"\x05", *BINARY.buffers[1:]], null_count=0),
    "two buffers": replace(BINARY, n_buffers=2),
    "four buffers": replace(BINARY, buffers=[*BINARY.buffers, b""]),
    "no buffers at all": replace(BINARY, without_buffers=True),
    "no offsets": replace(BINARY, buffers=[None, None, b"abc"]),
    "no values": replace(BINARY, buffers=[None, BINARY.buffers[1], None]),
    "offsets that descend": DESCENDING,
    "offsets that are negative": replace(BINARY, buffers=[None, integers([-1, 1, 1, 3], 4), b"abc"]),
    "offsets that end before they begin": replace(BINARY, buffers=[None, integers([2, 2, 2, 1], 4), b"abc"]),
    "large offsets that descend": replace(LARGE, buffers=[None, integers([0, 2, 1, 3], 8), b"abc"]),
    "large offsets that are negative": replace(LARGE, buffers=[None, integers([-5, 1, 1, 3], 8), b"abc"]),
    "children": replace(BINARY, children=[BINARY], schema_children=[]),
    "children without pointers": replace(BINARY, n_children=1),
    "a dictionary that the schema has not": replace(BINARY, dictionary=BINARY, in_schema=False),
    "dictionary: absent": replace(DICTIONARY, in_array=False),
    "released": replace(BINARY, released=True),
    "views: no sizes": replace(VIEWS, buffers=[*VIEWS.buffers[:3], None]),
    "views: two buffers": replace(VIEWS, n_buffers=2),
    "views: missing": replace(VIEWS, buffers=[None, None, *VIEWS.buffers[2:]]),
    "views: missing buffer": replace(VIEWS, buffers=[*VIEWS.buffers[:2], None, VIEWS.buffers[3]]),
    "views: negative size": replace(VIEWS, buffers=[*VIEWS.buffers[:3], integers([-1], 8)]),
    "views: beyond the size": replace(VIEWS, buffers=[*VIEWS.buffers[:3], integers([1 + len(LONG)], 8)]),
    "views: buffer that is not": views_with(view(LONG, 1, 2)),
    "views: negative buffer": views_with(view(LONG, -1, 2)),
    "views: negative start": views_with(view(LONG, 0, -2)),
    "views: negative length": views_with(integers([-1, 0, 0, 0], 4)),
    "views: another prefix": views_with(view(b"A" + LONG[1:], 0, 2)),
    "fixed: no values": replace(FIXED, buffers=[None, None]),
    "dictionary: index beyond": replace(DICTIONARY, buffers=[None, bytes([2, 0, 3])]),
    "dictionary: negative index": replace(DICTIONARY, buffers=[None, bytes([2, 0, 255])]),
    "dictionary: huge index": replace(DICTIONARY, format="L", buffers=[None, integers([0, 1, 2**64 - 1], 8)]),
    "dictionary: no indices": replace(DICTIONARY, buffers=[None, None]),
    "dictionary: indices of text": replace(DICTIONARY, format="u"),
    "dictionary: of a dictionary": replace(DICTIONARY, dictionary=DICTIONARY),
    "dictionary: released": replace(DICTIONARY, dictionary=replace(BINARY, released=True)),
    "dictionary: whose offsets descend": replace(DICTIONARY, dictionary=DESCENDING),
    "struct: two children": replace(STRUCT, children=[BINARY, BINARY]),
    "struct: no child": replace(STRUCT, children=[None], schema_children=[BINARY]),
    "struct: none of its children": replace(STRUCT, children=[], schema_children=[BINARY]),
    "struct: child that is too short": replace(STRUCT, length=4),
    "struct: child that is too short at its offset": replace(STRUCT, offset=1),
    "struct: nulls": replace(STRUCT, buffers=[b"\x05"], null_count=1),
    "struct: nulls without validity": replace(STRUCT, null_count=1),
    "struct: released child": replace(STRUCT, children=[replace(BINARY, released=True)]),
    "struct: huge offset": replace(STRUCT, offset=2**61),
    "nulls: a buffer": replace(NULLS, buffers=[b""]),
}


def balance(producer: Producer) -> dict[str, int]:
    """Return the number of objects that are not released, by kind, after the capsules are destroyed."""
    producer.drop()
    if Counter(producer.made) != Counter(producer.released):
        gc.collect()  # a traceback may refer to the column
    made, released = Counter(producer.made), Counter(producer.released)
    assert set(released) <= set(made)
    return {kind: made[kind] - released[kind] for kind in made}


@pytest.mark.parametrize(  # a released array ends a stream
    ("lie", "is_stream"), [(lie, stream) for lie in LIES for stream in (False, True) if lie != "released" or not stream]
)
def test_a_lie_is_a_value_error(lie: str, is_stream: bool) -> None:
    declared = LIES[lie]
    producer = Producer([declared], is_stream)
    with pytest.raises(ValueError, match=r"^values: ") as caught:
        arrow.decode_array(producer.export(), "shift_jis")
    assert type(caught.value) is ValueError
    del caught
    assert not any(balance(producer).values())


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_labels_is_a_value_error(lie: str) -> None:
    labels = Producer([LIES[lie]])
    length = max(0, min(LIES[lie].length, 4))
    with pytest.raises(ValueError, match=r"^encoding: "):
        arrow.decode_array(pa.array([b"abc"] * length, pa.binary()), labels.export())
    assert not any(balance(labels).values())


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("is_stream", [False, True])
def test_the_truth_is_taken_and_released_once(name: str, is_stream: bool) -> None:
    producer = Producer([TRUE[name]] * 3 if is_stream else [TRUE[name]], is_stream)
    column = arrow.decode_array(producer.export(), "utf-8")
    consumer = pa.chunked_array(column)
    rows = consumer.to_pylist()
    expected: dict[str, list[Any]] = {
        "vz": ["ab", LONG.decode()], "w:3": ["abc", "def"], "c": ["bc", "a", ""], "n": [None] * 4,
    }  # fmt: skip
    assert rows == expected.get(name, ["a", "", "bc"]) * len(producer.declared)
    # Shared buffers outlive the column: they are released with the last consumer.
    copy = consumer.slice(1)
    del column, consumer
    if name not in ("n", "w:3"):
        assert balance(producer)["array"] >= 1
    assert copy.to_pylist() == rows[1:]
    del copy
    assert not any(balance(producer).values())


def test_a_released_schema_or_stream() -> None:
    producer = Producer([BINARY], schema_released=True)
    with pytest.raises(ValueError, match="released before it was read"):
        arrow.decode_array(producer.export(), "utf-8")
    reader = pa.chunked_array([[b"a"]]).__arrow_c_stream__()
    pa.chunked_array([[b"a"]])

    class Once:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return reader

    assert len(arrow.decode_array(Once(), "utf-8")) == 1
    with pytest.raises(ValueError, match="released before it was read"):
        arrow.decode_array(Once(), "utf-8")


def test_a_stream_that_fails() -> None:
    producer = Producer([BINARY, BINARY], is_stream=True, fails_at=1)
    with pytest.raises(OSError, match="the disk is on fire") as caught:
        arrow.decode_array(producer.export(), "utf-8")
    assert caught.value.errno == 5
    assert not any(balance(producer).values())


def test_what_stands_under_a_null_is_not_read() -> None:
    """The view of a null may be invalid; the bytes of a null are not copied to the result."""
    wild = integers([2**31 - 1, -1, 77, -5], 4)
    declared = replace(VIEWS, buffers=[b"\x02", wild + view(LONG, 0, 2), *VIEWS.buffers[2:]], null_count=1)
    for encoding in ("utf-8", "shift_jis"):
        column = pa.array(arrow.decode_array(Producer([declared]).export(), encoding))
        column.validate(full=True)
        assert column.to_pylist() == [None, LONG.decode()]
    hidden = Declared("z", [b"\x05", integers([0, 1, 4, 5], 4), b"a\xff\xfe\xfdb"], 3, null_count=1)
    column = pa.array(arrow.decode_array(Producer([hidden]).export(), "utf-8"))
    assert column.to_pylist() == ["a", None, "b"]
    assert b"\xff" not in column.buffers()[2].to_pybytes()


@pytest.mark.parametrize("declared", [Declared("n", [], 2**56, null_count=2**56), Declared("w:0", [None, None], 2**56)])
def test_a_length_that_no_memory_holds(declared: Declared) -> None:
    producer = Producer([declared])
    with pytest.raises(MemoryError):
        arrow.decode_array(producer.export(), "utf-8")
    assert not any(balance(producer).values())


INDICES = "cCsSiIlL"
BODIES = (b"", b"abc", LONG, LONG[:13], "あé😀".encode() * 3, b"\xff", b"\xe3\x81", b"\xff\xfea\0")


def random_column(chance: Random) -> Declared:
    """Return a column of any layout, sliced, in a dictionary, or in a struct."""
    rows = [chance.choice((None, *BODIES)) for _ in range(chance.randrange(20))]
    form, count = chance.choice(("z", "Z", "vz", "u", "U", "vu", "w:3", "n")), len(rows)
    column = declared_of(rows, form, chance.randrange(3)) if form not in ("w:3", "n") else Declared(form, [], count)
    if form == "w:3":
        column.buffers = [None, chance.randbytes(3 * count)]
    elif form == "n":
        column.null_count = count
    if count and chance.random() < 0.25:
        index, keys = chance.choice(INDICES), [chance.randrange(count) for _ in range(chance.randrange(20))]
        data = integers(keys, 1 << INDICES.index(index) // 2)
        column = Declared(index, [None, data], len(keys), dictionary=column)
    if chance.random() < 0.15:
        offset = min(chance.randrange(3), column.length)
        column = Declared("+s", [None], column.length - offset, offset=offset, children=[column])
    return column


def random_lie(chance: Random, declared: Declared) -> Declared:
    """Return the properties with one changed. No buffer is declared to be larger than it is, which nobody could see."""
    buffers, form = list(declared.buffers), declared.format
    written = bytearray(buffers[1] or b"") if len(buffers) > 1 else bytearray()
    width = 1 << INDICES.index(form) // 2 if form in INDICES else 8 if form in ("Z", "U") else 4
    items = len(written) // width - (form in ("z", "u", "Z", "U"))  # without the last offset
    if items > 0:
        place = chance.randrange(items) * width
        number = int.from_bytes(written[place : place + width], "little")
        number = chance.choice((number + chance.randrange(-40, 41), number ^ chance.randrange(256) << 8 * width - 8))
        written[place : place + width] = integers([number], width)
        buffers[1] = bytes(written)
    without = [None if chance.random() < 0.5 else buffer for buffer in declared.buffers]
    more = chance.choice((1, 30, 2**62))
    changes: list[dict[str, Any]] = [
        {"length": declared.length + more if declared.format == "+s" else chance.choice((-1, -(2**63), 2**63 - 1))},
        {"offset": declared.offset + more if declared.format == "+s" else chance.choice((-1, 2**63 - 1))},
        {"null_count": chance.choice((-3, -2, -1, 1, declared.length + 1))}, {"n_buffers": chance.randrange(-1, 5)},
        {"without_buffers": True}, {"n_children": 1 + len(declared.children)}, {"buffers": without},
        *[{"buffers": buffers}] * 4,
    ]  # fmt: skip
    return replace(declared, **chance.choice(changes))


@pytest.mark.parametrize("seed", range(6))
def test_random_columns_and_lies(seed: int) -> None:
    """Each is refused or converted to valid text, in every layout, and released. A sanitizer sees what is read."""
    chance, taken = Random(seed), 0
    for _ in range(500):
        declared, lies = random_column(chance), chance.random() < 0.4
        producer = Producer([random_lie(chance, declared) if lies else declared], is_stream=chance.random() < 0.5)
        options: Any = {"errors": chance.choice(("replacement", "null")), "bom": chance.choice(("keep", "sniff"))}
        decode = chance.choice((arrow.decode_array, arrow.decode_array, arrow.decode_array_with_info))
        try:
            column = decode(producer.export(), chance.choice(("utf-8", "shift_jis", "utf-16le")), **options)
        except (ValueError, MemoryError):
            assert lies, declared
        else:
            taken += 1
            result = pa.chunked_array(column)
            result.validate(full=not lies)  # views that are shared may have bytes after a short text
            for wanted in (pa.string(), pa.large_string(), pa.string_view()):
                if decode is arrow.decode_array:
                    is_dictionary = pa.types.is_dictionary(result.type)
                    type_ = pa.dictionary(result.type.index_type, wanted) if is_dictionary else wanted
                    cast = pa.chunked_array(column, type_)
                    cast.validate(full=not lies)
                    assert (cast.type, cast.to_pylist()) == (type_, result.to_pylist())
                    del cast
            del column, result
        assert not any(balance(producer).values()), declared
    assert taken > 250
