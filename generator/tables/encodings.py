"""From the indexes of a snapshot to the tables of each encoding.

These are the index code point and index pointer operations of the standard.

https://encoding.spec.whatwg.org/#indexes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from generator import handlers
from generator.model import Index, RangeIndex
from generator.tables.dense import Dense
from generator.tables.two_stage import TwoStage

Bytes = tuple[int, int]

PAIRS_FORMULA = "(lead - 0x80) << 8 | trail"
REVERSE_FORMULA = "code point; first byte in the lower half, second byte in the upper half, if there is one"


# -- Where a pointer lies: the handlers' own arithmetic ---------------------------------------------------------------


def shift_jis_bytes(pointer: int) -> Bytes:
    """https://encoding.spec.whatwg.org/#shift_jis-encoder"""
    lead, trail = divmod(pointer, 188)
    return lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)


def euc_jp_bytes(pointer: int) -> Bytes:
    """https://encoding.spec.whatwg.org/#euc-jp-encoder"""
    lead, trail = divmod(pointer, 94)
    return lead + 0xA1, trail + 0xA1


def euc_kr_bytes(pointer: int) -> Bytes:
    """https://encoding.spec.whatwg.org/#euc-kr-encoder"""
    lead, trail = divmod(pointer, 190)
    return lead + 0x81, trail + 0x41


def big5_bytes(pointer: int) -> Bytes:
    """https://encoding.spec.whatwg.org/#big5-encoder"""
    lead, trail = divmod(pointer, 157)
    return lead + 0x81, trail + (0x40 if trail < 0x3F else 0x62)


def gb18030_bytes(pointer: int) -> Bytes:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    lead, trail = divmod(pointer, 190)
    return lead + 0x81, trail + (0x40 if trail < 0x3F else 0x41)


# -- The index pointer operations: which of several pointers encodes a code point -------------------------------------

Entries = Iterable[tuple[int, int]]


def entries(index: Index) -> list[tuple[int, int]]:
    """Pairs of pointer and code point, in the index's order."""
    return [(pointer, code_point) for pointer, code_point in enumerate(index.code_points) if code_point is not None]


def index_pointer(pairs: Entries) -> dict[int, int]:
    """Code point → its first pointer. https://encoding.spec.whatwg.org/#index-pointer"""
    pointers: dict[int, int] = {}
    for pointer, code_point in pairs:
        pointers.setdefault(code_point, pointer)
    return pointers


def index_shift_jis_pointer(jis0208: Index) -> dict[int, int]:
    """https://encoding.spec.whatwg.org/#index-shift_jis-pointer"""
    return index_pointer(pair for pair in entries(jis0208) if pair[0] not in handlers.SHIFT_JIS_EXCLUDED_POINTERS)


def index_big5_pointer(big5: Index) -> dict[int, int]:
    """https://encoding.spec.whatwg.org/#index-big5-pointer"""
    encoded = [pair for pair in entries(big5) if pair[0] >= handlers.BIG5_FIRST_ENCODED_POINTER]
    pointers = index_pointer(encoded)
    pointers |= {
        code_point: pointer for pointer, code_point in encoded if code_point in handlers.BIG5_LAST_POINTER_CODE_POINTS
    }
    return pointers


# -- Tables of two-byte encodings -------------------------------------------------------------------------------------


def pairs_table(symbol: str, code_points: Mapping[Bytes, int], meaning: str) -> Dense:
    """The decoder's table of byte pairs with code points below U+10000."""
    return Dense.build(
        f"{symbol}_pairs",
        {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value <= 0xFFFF},
        length=0x8000,
        c_type="uint16_t",
        meaning=f"{meaning} by byte pair",
        formula=PAIRS_FORMULA,
    )


def reverse_table(symbol: str, sequences: Mapping[int, tuple[int, ...]], meaning: str) -> Dense:
    """The encoder's table of one and two bytes by code point below U+10000: with ASCII, U+0000 left to the handler."""
    ascii_bytes: dict[int, tuple[int, ...]] = {code_point: (code_point,) for code_point in range(1, 0x80)}
    return Dense.build(
        f"{symbol}_reverse",
        {
            code_point: int.from_bytes(bytes(sequence), "little")
            for code_point, sequence in sorted((ascii_bytes | dict(sequences)).items())
            if code_point <= 0xFFFF
        },
        length=0x10000,
        c_type="uint16_t",
        meaning=f"bytes of {meaning} by code point",
        formula=REVERSE_FORMULA,
    )


def _sequences(pointers: Mapping[int, int], to_bytes: Callable[[int], Bytes]) -> dict[int, tuple[int, ...]]:
    return {code_point: to_bytes(pointer) for code_point, pointer in pointers.items()}


def _katakana() -> dict[int, int]:
    """Half-width katakana: code point → byte."""
    return {
        handlers.KATAKANA_FIRST_CODE_POINT + offset: handlers.KATAKANA_FIRST_BYTE + offset
        for offset in range(handlers.KATAKANA_COUNT)
    }


def _japanese_alike(sequences: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Adds what the Shift_JIS and EUC-JP encoders map before they look at the index."""
    return sequences | {0x00A5: (0x5C,), 0x203E: (0x7E,), 0x2212: sequences[0xFF0D]}


def shift_jis(jis0208: Index) -> list[Dense]:
    """https://encoding.spec.whatwg.org/#shift_jis"""
    code_points = {shift_jis_bytes(pointer): code_point for pointer, code_point in entries(jis0208)}
    eudc = {
        shift_jis_bytes(pointer): handlers.EUDC_FIRST_CODE_POINT + offset
        for offset, pointer in enumerate(handlers.EUDC_POINTERS)
    }
    sequences = _japanese_alike(_sequences(index_shift_jis_pointer(jis0208), shift_jis_bytes))
    sequences |= {0x0080: (0x80,)} | {code_point: (byte,) for code_point, byte in _katakana().items()}
    return [
        pairs_table("shift_jis", code_points | eudc, "index jis0208 and EUDC"),
        reverse_table("shift_jis", sequences, "Shift_JIS"),
    ]


def euc_jp(jis0208: Index, jis0212: Index) -> list[Dense]:
    """https://encoding.spec.whatwg.org/#euc-jp"""

    def by_bytes(index: Index) -> dict[Bytes, int]:
        return {euc_jp_bytes(pointer): value for pointer, value in entries(index) if pointer < 94 * 94}

    katakana = {(0x8E, byte): code_point for code_point, byte in _katakana().items()}
    pointers = {value: pointer for value, pointer in index_pointer(entries(jis0208)).items() if pointer < 94 * 94}
    sequences = _japanese_alike(_sequences(pointers, euc_jp_bytes))
    sequences |= {code_point: (0x8E, byte) for code_point, byte in _katakana().items()}
    return [
        pairs_table("euc_jp", by_bytes(jis0208) | katakana, "index jis0208 and half-width katakana"),
        Dense.build(
            "jis0212",
            dict(entries(jis0212)),
            length=len(jis0212.code_points),
            c_type="uint16_t",
            meaning="index jis0212 by pointer",
            formula="(lead - 0xA1) * 94 + trail - 0xA1",
        ),
        reverse_table("euc_jp", sequences, "EUC-JP"),
    ]


def iso_2022_jp(katakana: Index) -> list[Dense]:
    """https://encoding.spec.whatwg.org/#iso-2022-jp"""
    return [
        Dense.build(
            "iso_2022_jp_katakana",
            dict(entries(katakana)),
            length=len(katakana.code_points),
            c_type="uint16_t",
            meaning="index ISO-2022-JP katakana by pointer",
            formula="code point - 0xFF61",
        )
    ]


def euc_kr(index: Index) -> list[Dense]:
    """https://encoding.spec.whatwg.org/#euc-kr"""
    code_points = {euc_kr_bytes(pointer): code_point for pointer, code_point in entries(index)}
    sequences = _sequences(index_pointer(entries(index)), euc_kr_bytes)
    return [pairs_table("euc_kr", code_points, "index EUC-KR"), reverse_table("euc_kr", sequences, "EUC-KR")]


def big5(index: Index) -> list[Dense | TwoStage]:
    """https://encoding.spec.whatwg.org/#big5"""
    code_points = {big5_bytes(pointer): code_point for pointer, code_point in entries(index)}
    pointers = index_big5_pointer(index)
    astral = {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value > 0xFFFF}
    astral_reverse = {
        code_point - 0x20000: int.from_bytes(bytes(big5_bytes(pointer)), "little")
        for code_point, pointer in pointers.items()
        if code_point > 0xFFFF
    }
    return [
        pairs_table("big5", code_points, "index Big5 below U+10000"),
        TwoStage.build(
            "big5_astral",
            astral,
            keys=0x8000,
            shift=5,
            c_type="uint32_t",
            meaning="index Big5 above U+FFFF by byte pair",
            formula=PAIRS_FORMULA,
        ),
        reverse_table("big5", _sequences(pointers, big5_bytes), "Big5"),
        TwoStage.build(
            "big5_astral_reverse",
            astral_reverse,
            keys=0x10000,
            shift=5,
            c_type="uint16_t",
            meaning="bytes of Big5 by code point above U+FFFF",
            formula="code point - 0x20000; " + REVERSE_FORMULA.partition("; ")[2],
        ),
    ]


def gb18030(index: Index, ranges: RangeIndex) -> list[Dense | TwoStage]:
    """https://encoding.spec.whatwg.org/#gb18030"""
    code_points = {gb18030_bytes(pointer): code_point for pointer, code_point in entries(index)}
    sequences = _sequences(index_pointer(entries(index)), gb18030_bytes)
    sequences |= {code_point: divmod(value, 0x100) for code_point, value in handlers.GB18030_2022_ENCODER.items()}
    # GBK and gb18030 share the table and differ in this one code point, so that it is left to the handler.
    sequences.pop(handlers.GBK_EURO, None)
    offsets, reverse_offsets = gb18030_offsets(ranges)
    return [
        pairs_table("gb18030", code_points, "index gb18030"),
        TwoStage.build(
            "gb18030_ranges",
            offsets,
            keys=handlers.GB18030_LAST_BMP_POINTER + 1,
            shift=6,
            c_type="uint16_t",
            meaning="index gb18030 ranges: what to add to a pointer, modulo 65536",
            formula="pointer",
            nulls=False,
        ),
        reverse_table("gb18030", sequences, "gb18030"),
        TwoStage.build(
            "gb18030_ranges_reverse",
            reverse_offsets,
            keys=0x10000,
            shift=6,
            c_type="uint16_t",
            meaning="index gb18030 ranges: what to add to a code point, modulo 65536",
            formula="code point",
            nulls=False,
        ),
    ]


def gb18030_offsets(ranges: RangeIndex) -> tuple[dict[int, int], dict[int, int]]:
    """What the ranges add to each pointer and to each code point below U+10000, modulo 65536.

    Within a range it is one number, so that most blocks of the tables are equal: a look-up instead of a search.
    https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point and #index-gb18030-ranges-pointer
    """
    bmp = [(pointer, code_point) for pointer, code_point in ranges.ranges if code_point <= 0xFFFF]
    exception_pointer, exception_code_point = handlers.GB18030_EXCEPTION

    forward: dict[int, int] = {}
    ends = [pointer for pointer, _ in bmp[1:]] + [handlers.GB18030_LAST_BMP_POINTER + 1]
    for (start, code_point), end in zip(bmp, ends, strict=True):
        for pointer in range(start, end):
            forward[pointer] = (code_point - start) & 0xFFFF
    forward[exception_pointer] = (exception_code_point - exception_pointer) & 0xFFFF

    reverse: dict[int, int] = {}
    ends = [code_point for _, code_point in bmp[1:]] + [0x10000]
    for (pointer, start), end in zip(bmp, ends, strict=True):
        for code_point in range(start, end):
            reverse[code_point] = (pointer - start) & 0xFFFF
    reverse[exception_code_point] = (exception_pointer - exception_code_point) & 0xFFFF
    return forward, reverse


# -- Tables of single-byte encodings ----------------------------------------------------------------------------------


def single_byte(symbol: str, name: str, code_points: tuple[int | None, ...]) -> list[Dense | TwoStage]:
    """The index, with U+FFFD for null where there are any, its part below U+0100, and its reverse.

    https://encoding.spec.whatwg.org/#single-byte-encoding
    """
    known = {pointer: code_point for pointer, code_point in enumerate(code_points) if code_point is not None}
    replaced = [
        Dense.build(
            f"{symbol}_replaced",
            {pointer: 0xFFFD if code_point is None else code_point for pointer, code_point in enumerate(code_points)},
            length=0x80,
            c_type="uint16_t",
            meaning=f"index {name} by pointer, U+FFFD for null",
            formula="byte - 0x80",
        )
    ]
    return [
        *(replaced if None in code_points else []),
        Dense.build(
            symbol,
            known,
            length=0x80,
            c_type="uint16_t",
            meaning=f"index {name} by pointer",
            formula="byte - 0x80",
        ),
        Dense.build(
            f"{symbol}_latin1",
            {pointer: code_point for pointer, code_point in known.items() if code_point <= 0xFF},
            length=0x80,
            c_type="uint8_t",
            meaning=f"index {name} by pointer, where the code point is below U+0100",
            formula="byte - 0x80",
        ),
        TwoStage.build(
            f"{symbol}_reverse",
            {code_point: 0x80 + pointer for code_point, pointer in index_pointer(known.items()).items()},
            keys=0x10000,
            shift=7,
            c_type="uint8_t",
            meaning=f"byte of {name} by code point",
            formula="code point",
        ),
    ]


def x_user_defined() -> tuple[int, ...]:
    """The code points of x-user-defined as an index. https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
    first = handlers.X_USER_DEFINED_FIRST_CODE_POINT
    return tuple(range(first, first + 0x80))
