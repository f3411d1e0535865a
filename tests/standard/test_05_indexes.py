"""Every entry of every index in both directions: https://encoding.spec.whatwg.org/#indexes.

The indexes come from data/indexes.json; each formula from pointer to bytes occurs once, in the table below.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.reference import inputs
from tests.reference.compiled import OPERATIONS, table
from tests.reference.encodings import single_byte_names
from tests.reference.indexes import INDEXES
from tests.standard.comparison import compare_texts, refusal

GB18030_2005_PRIVATE_USE, BIG5_TWO_CODE_POINTS = table("gb18030-encoder"), table("big5-decoder")
_INDEXES = json.loads((Path(__file__).parents[2] / "data" / "indexes.json").read_text("utf-8"))


def _rows(trailing: bytes, first_leading: int) -> Callable[[int], bytes]:
    """Return a function from pointer to bytes, in rows of as many cells as there are trailing bytes."""
    return lambda pointer: bytes([pointer // len(trailing) + first_leading, trailing[pointer % len(trailing)]])


def _bytes(*ranges: tuple[int, int]) -> bytes:
    return b"".join(bytes(range(first, last + 1)) for first, last in ranges)


_SHIFT_JIS_LEADING = _bytes((0x81, 0x9F), (0xE0, 0xFC))
_SHIFT_JIS_TRAILING = _bytes((0x40, 0x7E), (0x80, 0xFC))


def _shift_jis(pointer: int) -> bytes:
    return bytes([_SHIFT_JIS_LEADING[pointer // 188], _SHIFT_JIS_TRAILING[pointer % 188]])


_EUC = _rows(_bytes((0xA1, 0xFE)), 0xA1)
_EUC_KR = _rows(_bytes((0x41, 0xFE)), 0x81)
_BIG5 = _rows(_bytes((0x40, 0x7E), (0xA1, 0xFE)), 0x81)
_GB18030 = _rows(_bytes((0x40, 0x7E), (0x80, 0xFE)), 0x81)

# encoding, index, bytes of a pointer, pointers that the decoder looks up
TWO_BYTES: list[tuple[str, str, Callable[[int], bytes], range]] = [
    ("gb18030", "gb18030", _GB18030, range(126 * 190)),
    ("GBK", "gb18030", _GB18030, range(126 * 190)),
    ("Big5", "big5", _BIG5, range(126 * 157)),
    ("EUC-JP", "jis0208", _EUC, range(94 * 94)),
    ("EUC-JP", "jis0212", lambda pointer: b"\x8f" + _EUC(pointer), range(94 * 94)),
    ("Shift_JIS", "jis0208", _shift_jis, range(60 * 188)),
    ("EUC-KR", "euc-kr", _EUC_KR, range(126 * 190)),
]
_IDS = [f"{encoding}-{index}" for encoding, index, _, _ in TWO_BYTES]


def decoded(name: str, index: str, pointer: int) -> str | None:
    """Return the result of the decoder of the encoding `name` for `pointer`, or None for an error."""
    if index == "big5" and pointer in BIG5_TWO_CODE_POINTS:
        return "".join(map(chr, BIG5_TWO_CODE_POINTS[pointer]))
    if name == "Shift_JIS" and 8836 <= pointer <= 10715:
        return chr(0xE000 - 8836 + pointer)
    code_point = _INDEXES[index][pointer] if pointer < len(_INDEXES[index]) else None
    return None if code_point is None else chr(code_point)


@pytest.mark.parametrize(("name", "index", "to_bytes", "pointers"), TWO_BYTES, ids=_IDS)
def test_pointers_to_code_points(name: str, index: str, to_bytes: Callable[[int], bytes], pointers: range) -> None:
    """Every pointer that bytes can express: those with a code point in one call and alone, the others alone."""
    entries = {pointer: decoded(name, index, pointer) for pointer in pointers}
    data = b"".join(to_bytes(pointer) for pointer, text in entries.items() if text is not None)
    expected = "".join(text for text in entries.values() if text is not None)
    encoding = we.ENCODINGS[name]
    compare_texts(name, data, encoding.decode(data, "fatal"), expected)
    for pointer, text in entries.items():
        sequence = to_bytes(pointer)
        if text is None:
            # A trailing byte that is an ASCII byte is restored.
            restored = sequence[-1:] if sequence[-1] <= 0x7F else b""
            assert encoding.decode(sequence) == "\ufffd" + restored.decode("ascii"), pointer
            assert refusal(encoding.decode, sequence, "fatal")[2] == (0, len(sequence) - len(restored)), pointer
        else:
            assert encoding.decode(sequence) == text, pointer


@pytest.mark.parametrize(
    ("name", "index", "to_bytes", "pointer_of"),
    [
        ("gb18030", "gb18030", _GB18030, INDEXES["gb18030"].pointer),
        ("GBK", "gb18030", _GB18030, INDEXES["gb18030"].pointer),
        ("Big5", "big5", _BIG5, OPERATIONS["index_big5_pointer"]),
        ("EUC-JP", "jis0208", _EUC, INDEXES["jis0208"].pointer),
        ("Shift_JIS", "jis0208", _shift_jis, OPERATIONS["index_shift_jis_pointer"]),
        ("EUC-KR", "euc-kr", _EUC_KR, INDEXES["euc-kr"].pointer),
    ],
)
def test_code_points_to_pointers(
    name: str, index: str, to_bytes: Callable[[int], bytes], pointer_of: Callable[[int], int | None]
) -> None:
    """Every code point of the index, duplicates included; the encoder decides which of their pointers is used."""
    special = {
        "GBK": {0x20AC: b"\x80"}, "EUC-JP": {0x2212: b"\xa1\xdd"}, "Shift_JIS": {0x2212: b"\x81\x7c"},
    }.get(name, {})  # fmt: skip
    if index == "gb18030":
        special |= {code_point: bytes(pair) for code_point, pair in GB18030_2005_PRIVATE_USE.items()}
    encoding = we.ENCODINGS[name]
    text, expected, without_pointer = "", b"", ""
    for code_point in sorted({code_point for code_point in _INDEXES[index] if code_point is not None}):
        pointer = pointer_of(code_point)
        output = special.get(code_point, None if pointer is None else to_bytes(pointer))
        if output is None:
            without_pointer += chr(code_point)
        else:
            text += chr(code_point)
            expected += output
            assert encoding.encode(chr(code_point), "fatal") == output, hex(code_point)
    assert encoding.encode(text, "fatal") == expected
    assert encoding.decode(expected) == text or name in ("EUC-JP", "Shift_JIS")  # U+2212 decodes as U+FF0D
    # Only Big5's Hong Kong extensions are decoded but not encoded.
    assert bool(without_pointer) is (name == "Big5")
    assert encoding.encode(without_pointer) == b"".join(b"&#%d;" % ord(c) for c in without_pointer)


def test_code_points_with_several_pointers() -> None:
    """The number of duplicates, and the pointers that encoders use instead of the first."""
    for index, count in (("jis0208", 398), ("big5", 100), ("gb18030", 1), ("euc-kr", 0), ("jis0212", 0)):
        code_points = [code_point for code_point in _INDEXES[index] if code_point is not None]
        assert len(code_points) - len(set(code_points)) == count, index
    # https://encoding.spec.whatwg.org/#index-big5-pointer: the last pointer for these, the first for others.
    for code_point, expected in (
        (0x2550, b"\xf9\xf9"), (0x255E, b"\xf9\xe9"), (0x2561, b"\xf9\xeb"), (0x256A, b"\xf9\xea"),
        (0x5341, b"\xa4\x51"), (0x5345, b"\xa4\xca"),
    ):  # fmt: skip
        assert we.BIG5.encode(chr(code_point)) == expected
    # https://encoding.spec.whatwg.org/#index-shift_jis-pointer: without NEC's selection of IBM's extensions, rows ED
    # and EE.
    assert we.SHIFT_JIS.encode("\u2170\u7e8a\u2252\u222a") == b"\xfa\x40\xfa\x5c\x81\xe0\x81\xbe"
    assert we.EUC_JP.encode("\u2170\u7e8a") == b"\xfc\xf1\xf9\xa1"


@pytest.mark.parametrize("name", single_byte_names())
def test_single_byte_indexes(name: str) -> None:
    index = _INDEXES["iso-8859-8" if name == "ISO-8859-8-I" else name.lower()]
    assert len(index) == 128
    encoding = we.ENCODINGS[name]
    for pointer, code_point in enumerate(index):
        data = bytes([0x80 + pointer])
        if code_point is None:
            assert encoding.decode(data) == "\ufffd"
            with pytest.raises(UnicodeDecodeError):
                encoding.decode(data, "fatal")
        else:
            assert encoding.decode(data, "fatal") == chr(code_point)
            # Single-byte indexes have no duplicate code points.
            assert encoding.encode(chr(code_point), "fatal") == data


def test_index_iso_2022_jp_katakana() -> None:
    """https://encoding.spec.whatwg.org/#index-iso-2022-jp-katakana: the encoder maps half-width katakana."""
    katakana = _INDEXES["iso-2022-jp-katakana"]
    assert len(katakana) == 63
    for pointer, code_point in enumerate(katakana):
        assert we.ISO_2022_JP.encode(chr(0xFF61 + pointer), "fatal") == we.ISO_2022_JP.encode(chr(code_point), "fatal")
    halfwidth = "".join(map(chr, range(0xFF61, 0xFFA0)))
    assert we.ISO_2022_JP.decode(we.ISO_2022_JP.encode(halfwidth, "fatal")) == "".join(map(chr, katakana))


def test_index_gb18030_ranges() -> None:
    """https://encoding.spec.whatwg.org/#index-gb18030-ranges: all 1,587,600 pointers of four bytes, in order.

    Expected values follow the ranges one after another and so share nothing with the two look-up algorithms: the code
    points of a range are consecutive, and the next range starts at its own pointer.
    """
    ranges: list[tuple[int, int]] = [*map(tuple, _INDEXES["gb18030-ranges"])]
    null = "\ufffd"
    pieces: list[str] = []
    for (pointer, code_point), (next_pointer, _) in zip(ranges, [*ranges[1:], (1237576, 0)], strict=True):
        end = 39420 if pointer < 39420 else next_pointer
        length = min(next_pointer, end) - pointer
        pieces.append("".join(map(chr, range(code_point, code_point + length))))
        pieces.append(null * (next_pointer - pointer - length))
    expected = "".join(pieces)
    expected = expected[:7457] + "\ue7c7" + expected[7458:]
    expected += null * (126 * 10 * 126 * 10 - len(expected))

    not_ascii, digits = bytes(range(0x81, 0xFF)), bytes(range(0x30, 0x3A))
    data = bytearray(4 * len(expected))
    data[0::4] = b"".join(bytes([first]) * 12600 for first in not_ascii)
    data[1::4] = b"".join(bytes([second]) * 1260 for second in digits) * 126
    data[2::4] = b"".join(bytes([third]) * 10 for third in not_ascii) * 1260
    data[3::4] = digits * 158760
    for name in ("gb18030", "GBK"):
        compare_texts(name, bytes(data), we.ENCODINGS[name].decode(data), expected)
        # In pairs after an odd byte, so that four-byte boundaries are shifted.
        compare_texts(name, bytes(data), we.ENCODINGS[name].decode(b"\x80" + data), "\u20ac" + expected)

    # Those that are not null in "fatal" mode. U+FFFD itself is one of them: 0x84 0x31 0xA4 0x37, pointer 39417.
    assert expected[39417] == null
    valid = [pointer for pointer, text in enumerate(expected) if text != null or pointer == 39417]
    assert valid == [*range(39420), *range(189000, 1237576)]
    data_of_valid = bytes(data[: 4 * 39420] + data[4 * 189000 : 4 * 1237576])
    text = expected[:39420] + expected[189000:1237576]
    compare_texts("gb18030", data_of_valid, we.GB18030.decode(data_of_valid, "fatal"), text)
    for pointer in (39420, 39421, 100_000, 188_999, 1237576, 1237577, 1_587_599):
        sequence = bytes(data[4 * pointer : 4 * pointer + 4])
        assert refusal(we.GB18030.decode, b"a" + sequence + b"b", "fatal")[2] == (1, 5)
    # And in reverse, for code points without a pointer in the index of two-byte sequences.
    two_byte = set(_INDEXES["gb18030"]) | set(GB18030_2005_PRIVATE_USE) | {0xE5E5}
    back = [i for i, c in enumerate(text) if ord(c) not in two_byte]
    assert we.GB18030.encode("".join(text[i] for i in back), "fatal") == b"".join(
        data_of_valid[4 * i : 4 * i + 4] for i in back
    )


def test_the_table_above_has_every_index() -> None:
    used = {index for _, index, _, _ in TWO_BYTES} | {"gb18030-ranges", "iso-2022-jp-katakana"}
    single = {"iso-8859-8" if name == "ISO-8859-8-I" else name.lower() for name in single_byte_names()}
    assert used | single == set(_INDEXES)
    assert set(inputs.ALL_NAMES) == set(we.ENCODINGS)


@pytest.mark.parametrize("name", [name for name in _INDEXES if name != "gb18030-ranges"])
def test_index_functions(name: str) -> None:
    """Each entry in both directions, and pointers and code points that the index has not."""
    entries = _INDEXES[name]
    assert [we.index_code_point(name, pointer) for pointer in range(len(entries))] == entries
    assert we.index_code_point(name, -1) is None
    assert we.index_code_point(name, len(entries)) is None
    first: dict[int, int] = {}
    for pointer, code_point in enumerate(entries):
        if code_point is not None:
            first.setdefault(code_point, pointer)
    sample = sorted(first)[:: len(first) // 2000 + 1]  # a look-up searches the index
    for code_point in (*sample, 0, 0x41, 0xE000, 0x10FFFF, -1):
        assert we.index_pointer(name, code_point) == first.get(code_point), code_point


def test_index_functions_of_gb18030_ranges() -> None:
    of_pointer, of_code_point = (OPERATIONS[f"index_gb18030_ranges_{result}"] for result in ("code_point", "pointer"))
    pointers = [*range(-2, 40000), *range(188990, 189010), *range(1237560, 1237590), 126 * 12600 - 1, 126 * 12600]
    for pointer in pointers:
        expected = of_pointer(pointer) if pointer >= 0 else None
        assert we.index_gb18030_ranges_code_point(pointer) == expected, pointer
    for code_point in (*range(0x80, 0x10020), 0x10FFFE, 0x10FFFF):
        assert we.index_gb18030_ranges_pointer(code_point) == of_code_point(code_point), code_point


@pytest.mark.parametrize("name", ["", "gb18030-ranges", "Big5", "shift_jis"])
def test_an_unknown_index(name: str) -> None:
    with pytest.raises(ValueError, match=r"unknown index '.*'; the indexes are big5, euc-kr, gb18030, ibm866"):
        we.index_code_point(name, 0)


@pytest.mark.parametrize("code_point", [-1, 0x7F, 0x110000])
def test_code_points_without_a_pointer_of_four_bytes(code_point: int) -> None:
    with pytest.raises(ValueError, match=r"U\+0080 to U\+10FFFF"):
        we.index_gb18030_ranges_pointer(code_point)
