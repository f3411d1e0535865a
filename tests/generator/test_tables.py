"""What encoders and single-byte decoders look up, against the reference; and the emitted C against the tables.

tests/standard decodes every pair, and every pointer of gb18030 ranges, by the tables for these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from generator import code_pages, emit
from generator.model import SnapshotError
from generator.tables import Direct, Table, TwoStage
from tests.pinned import PINNED, chapters, codecs
from tests.reference import oracle

TWO_BYTE = {
    "shift_jis": "Shift_JIS",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "big5": "Big5",
    "gb18030": "gb18030",
}
SINGLE_BYTE = [encoding.name for encoding in PINNED.encodings if encoding.heading.startswith("Legacy single")]
#: The modules that have tables.
TABLES = sorted(path.name.removesuffix("_tables.h") for path in emit.GENERATED.glob("*_tables.h"))


@cache
def tables() -> dict[str, Table]:
    return {table.symbol: table for chapter in chapters().values() for table in chapter.tables}


def decoded(name: str, data: bytes) -> str | None:
    """Return what the reference decodes the bytes to, or None unless they are exactly one item without an error."""
    result = oracle.decode(name, data)
    return None if result.spans else result.text


def bytes_of_each(name: str, code_points: Iterable[int]) -> dict[int, bytes]:
    """Return what the reference encodes each of these code points to, without those that are errors."""
    results = oracle.encode_each(name, code_points)
    return {code_point: bytes(result) for code_point, result in results.items() if isinstance(result, list)}


def in_memory_order(value: int) -> bytes | None:
    """Return the bytes that an entry of a reverse table represents."""
    if value == 0:
        return None
    return value.to_bytes(2, "little") if value > 0xFF else bytes([value])


@pytest.mark.parametrize("symbol", TWO_BYTE)
def test_reverse(symbol: str) -> None:
    name = TWO_BYTE[symbol]
    reverse = tables()[f"{symbol}_reverse"]
    astral = tables().get(f"{symbol}_astral_reverse")
    wrong = []
    code_points = [*range(1, 0xD800), *range(0xE000, 0x30000)]
    bytes_of = bytes_of_each(name, code_points)
    for code_point in code_points:
        if code_point <= 0xFFFF:
            value = in_memory_order(reverse.lookup(code_point))
        else:
            value = in_memory_order(astral.lookup(code_point - 0x20000)) if astral and code_point >= 0x20000 else None
        expected = bytes_of.get(code_point)
        if symbol == "gb18030" and (code_point == 0x20AC or (expected is not None and len(expected) == 4)):
            expected = None  # the handler encodes U+20AC, and the ranges cover four bytes
        if value != expected:
            wrong.append((hex(code_point), value, expected))
    assert not wrong
    assert all(reverse.lookup(code_point) == 0 for code_point in [0, *range(0xD800, 0xE000)])


@pytest.mark.parametrize("name", [*SINGLE_BYTE, "x-user-defined"])
def test_single_byte(name: str) -> None:
    codec = codecs()[name]
    symbol = codec.data["symbol"]
    index, latin1, reverse = (tables()[f"{symbol}{suffix}"] for suffix in ("", "_latin1", "_reverse"))
    replaced = tables()[str(codec.data["replaced"])]
    for byte in range(0x80, 0x100):
        text = decoded(name, bytes([byte]))
        code_point = 0 if text is None else ord(text)
        assert index.lookup(byte - 0x80) == code_point
        assert replaced.lookup(byte - 0x80) == (0xFFFD if text is None else code_point)
        assert latin1.lookup(byte - 0x80) == (code_point if code_point <= 0xFF else 0)
    code_points = [*range(0x80, 0xD800), *range(0xE000, 0x10000)]
    bytes_of = bytes_of_each(name, code_points)
    assert [reverse.lookup(code_point) for code_point in code_points] == [
        bytes_of.get(code_point, b"\0")[0] for code_point in code_points
    ]


@pytest.mark.parametrize("name", [*SINGLE_BYTE, "x-user-defined"])
def test_what_vectors_of_single_bytes_look_up(name: str) -> None:
    """All bytes but exceptions are decoded right, as shuffles do it; unmapped bytes are exceptions."""
    codec = codecs()[name]
    table = tables()[f"{codec.data['symbol']}_rows"]
    rows = [[table.lookup(16 * row + column) for column in range(16)] for row in range(table.length // 16)]
    tables_of_slots = rows[5 : 5 + (len(rows) - 5) // 2], rows[5 + (len(rows) - 5) // 2 :]
    regular = 0
    for byte in range(0x100):
        expected = byte if byte < 0x80 else ord(decoded(name, bytes([byte])) or "\0")
        row_bit = 1 << (byte >> 4) - 8 if byte >= 0x80 else 0
        if not rows[2][byte & 15] & row_bit:
            assert byte + (rows[1][byte >> 4] << 8 | rows[0][byte >> 4]) & 0xFFFF == expected, hex(byte)
            assert expected or not byte
        if len(rows) > 5:
            slot = byte + rows[3][byte >> 4] & 0xFF
            looked_up = [0, 0]
            for number in range(len(tables_of_slots[0])):
                index = slot - 16 * number & 0xFF
                for part in (0, 1):
                    looked_up[part] ^= tables_of_slots[part][number][index & 15] if index < 0x80 else 0
            if not rows[4][slot & 15] & row_bit:
                assert looked_up[1] << 8 | looked_up[0] ^ byte == expected, hex(byte)
                assert expected or not byte
                regular += 1
    # Texts in the languages of the encoding would be slow if most letters were exceptions.
    assert len(rows) == 5 or regular >= 0x80 + 40


@pytest.mark.parametrize("name", TABLES)
def test_emitted_arrays(name: str) -> None:
    """Every entry of every array, parsed from the emitted C text, is the one that the table's own look-up uses."""
    chapter = chapters()[name] if name != code_pages.MODULE else code_pages.chapter(PINNED)
    text = (emit.GENERATED / chapter.header).read_text()
    arrays: dict[str, list[int]] = {}
    for symbol, length, body in re.findall(r"static const uint\d+_t (\w+)\[(\d+)\] = \{\n(.*?)\};", text, re.DOTALL):
        values = [0] * int(length)
        for start, row in re.findall(r"\[(0x[0-9A-F]+)\] = ([^\n]*),\n", body):
            for offset, value in enumerate(row.split(", ")):
                values[int(start, 16) + offset] = int(value, 16)
        arrays[symbol] = values
    expected: dict[str, list[int]] = {}
    for table in chapter.tables:
        if isinstance(table, Direct):
            expected[table.symbol] = [table.lookup(index) for index in range(table.length)]
        else:
            expected[f"{table.symbol}_stage1"] = list(table.stage1)
            expected[f"{table.symbol}_stage2"] = list(table.stage2)
    assert arrays == expected


def test_a_table_refuses_what_it_cannot_hold() -> None:
    def build(entries: dict[int, int]) -> Direct:
        return Direct("x", entries, length=4, c_type="uint8_t", meaning="", formula="")

    with pytest.raises(SnapshotError, match=r"x\[0x1\] is 0, which represents null"):
        build({1: 0})
    with pytest.raises(SnapshotError, match=r"x\[0x4\] is outside its 0x4 entries"):
        build({4: 1}).arrays()
    with pytest.raises(SnapshotError, match=r"x\[0x3\] = 0x100 does not fit uint8_t"):
        build({3: 0x100}).arrays()
    with pytest.raises(IndexError, match=r"x has no entry 0x4"):
        build({}).lookup(4)
    with pytest.raises(SnapshotError, match=r"x\[0x8\] is outside its 0x8 entries"):
        TwoStage("x", {8: 1}, length=8, shift=2, c_type="uint8_t", meaning="", formula="")
    with pytest.raises(SnapshotError, match=r"x\[0x3\] is 0, which represents null"):
        TwoStage("x", {3: 0}, length=8, shift=2, c_type="uint8_t", meaning="", formula="")
