"""Build the tables of each encoding from a snapshot, with one builder per record of generator/handlers.py.

The builders perform the standard's "index code point" and "index pointer" operations for every key.
https://encoding.spec.whatwg.org/#indexes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from generator import constants, names
from generator.model import RANGES, Index, RangeIndex, Snapshot
from generator.tables.dense import Dense
from generator.tables.two_stage import TwoStage

Bytes = tuple[int, int]
Table = Dense | TwoStage

PAIRS_FORMULA = "(lead - 0x80) << 8 | trail"
REVERSE_FORMULA = "code point; first byte in the lower half, second byte, if any, in the upper half"
SINGLE_BYTE_KERNELS = "we_single_byte_run_from_ucs1, _ucs2 and _ucs4 (src/kernels/single_byte.h)"


# -- The index pointer operations: which of several pointers encodes a code point -------------------------------------

Entries = Iterable[tuple[int, int]]


def entries(index: Index) -> list[tuple[int, int]]:
    """Return the pairs of pointer and code point, in the index's order."""
    return [(pointer, code_point) for pointer, code_point in enumerate(index.code_points) if code_point is not None]


def index_pointer(pairs: Entries) -> dict[int, int]:
    """Return the first pointer of each code point. https://encoding.spec.whatwg.org/#index-pointer"""
    pointers: dict[int, int] = {}
    for pointer, code_point in pairs:
        pointers.setdefault(code_point, pointer)
    return pointers


def index_shift_jis_pointer(jis0208: Index) -> dict[int, int]:
    """Return the index Shift_JIS pointer of each code point.

    https://encoding.spec.whatwg.org/#index-shift_jis-pointer
    """
    # index-shift_jis-pointer 1-2: the first pointer that is not excluded.
    return index_pointer(pair for pair in entries(jis0208) if pair[0] not in constants.SHIFT_JIS_EXCLUDED_POINTERS)


def index_big5_pointer(big5: Index) -> dict[int, int]:
    """Return the index Big5 pointer of each code point. https://encoding.spec.whatwg.org/#index-big5-pointer"""
    # index-big5-pointer 1: exclude pointers that are only decoded.
    encoded = [pair for pair in entries(big5) if pair[0] >= constants.BIG5_FIRST_ENCODED_POINTER]
    # index-big5-pointer 3: the first pointer.
    pointers = index_pointer(encoded)
    # index-big5-pointer 2: the last pointer of a few code points.
    pointers |= {
        code_point: pointer for pointer, code_point in encoded if code_point in constants.BIG5_LAST_POINTER_CODE_POINTS
    }
    return pointers


# -- Tables of two-byte encodings -------------------------------------------------------------------------------------


def pairs_table(symbol: str, code_points: Mapping[Bytes, int], meaning: str) -> Dense:
    """Return the decoder's table of byte pairs with code points below U+10000."""
    return Dense.build(
        f"{symbol}_pairs",
        {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value <= 0xFFFF},
        length=0x8000,
        c_type="uint16_t",
        meaning=f"{meaning} by byte pair",
        formula=PAIRS_FORMULA,
    )


def reverse_table(symbol: str, sequences: Mapping[int, tuple[int, ...]], meaning: str) -> Dense:
    """Return the encoder's table of one and two bytes by code point below U+10000.

    It includes ASCII except U+0000, whose entry would be 0, which represents null.
    """
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
    """Return the byte of each half-width katakana, by code point."""
    return {constants.KATAKANA_FIRST_CODE_POINT + offset: byte for offset, byte in enumerate(constants.KATAKANA_BYTES)}


def _with_replaced(sequences: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return the sequences with the code points that the Shift_JIS and EUC-JP encoders map before the index lookup."""
    return sequences | {
        constants.YEN_SIGN: (constants.YEN_SIGN_BYTE,),
        constants.OVERLINE: (constants.OVERLINE_BYTE,),
        constants.MINUS_SIGN: sequences[constants.FULLWIDTH_HYPHEN_MINUS],
    }


def shift_jis(snapshot: Snapshot) -> list[Table]:
    """Return the tables of Shift_JIS. https://encoding.spec.whatwg.org/#shift_jis"""
    jis0208, to_bytes = snapshot.indexes["jis0208"], constants.SHIFT_JIS.pair
    code_points = {to_bytes(pointer): code_point for pointer, code_point in entries(jis0208)}
    user_defined = {
        to_bytes(pointer): constants.EUDC_FIRST_CODE_POINT + offset
        for offset, pointer in enumerate(constants.EUDC_POINTERS)
    }
    sequences = _with_replaced(_sequences(index_shift_jis_pointer(jis0208), to_bytes))
    sequences |= {0x0080: (0x80,)} | {code_point: (byte,) for code_point, byte in _katakana().items()}
    return [
        pairs_table("shift_jis", code_points | user_defined, "index jis0208 and EUDC"),
        reverse_table("shift_jis", sequences, "Shift_JIS"),
    ]


def euc_jp(snapshot: Snapshot) -> list[Table]:
    """Return the tables of EUC-JP. https://encoding.spec.whatwg.org/#euc-jp"""
    jis0208, jis0212 = snapshot.indexes["jis0208"], snapshot.indexes["jis0212"]
    reachable, to_bytes = len(constants.EUC_JP_JIS0208), constants.EUC_JP_JIS0208.pair
    code_points = {to_bytes(pointer): value for pointer, value in entries(jis0208) if pointer < reachable}
    katakana = {(0x8E, byte): code_point for code_point, byte in _katakana().items()}
    pointers = {value: pointer for value, pointer in index_pointer(entries(jis0208)).items() if pointer < reachable}
    sequences = _with_replaced(_sequences(pointers, to_bytes))
    sequences |= {code_point: (0x8E, byte) for code_point, byte in _katakana().items()}
    return [
        pairs_table("euc_jp", code_points | katakana, "index jis0208 and half-width katakana"),
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


def iso_2022_jp(snapshot: Snapshot) -> list[Table]:
    """Return the tables of ISO-2022-JP, which also uses EUC-JP's. https://encoding.spec.whatwg.org/#iso-2022-jp"""
    katakana = snapshot.indexes["iso-2022-jp-katakana"]
    return [
        Dense.build(
            "iso_2022_jp_katakana",
            dict(entries(katakana)),
            length=len(katakana.code_points),
            c_type="uint16_t",
            meaning="index ISO-2022-JP katakana by pointer",
            formula=f"code point - {constants.KATAKANA_FIRST_CODE_POINT:#06X}".replace("0X", "0x"),
        )
    ]


def euc_kr(snapshot: Snapshot) -> list[Table]:
    """Return the tables of EUC-KR. https://encoding.spec.whatwg.org/#euc-kr"""
    index, to_bytes = snapshot.indexes["euc-kr"], constants.EUC_KR.pair
    code_points = {to_bytes(pointer): code_point for pointer, code_point in entries(index)}
    sequences = _sequences(index_pointer(entries(index)), to_bytes)
    return [pairs_table("euc_kr", code_points, "index EUC-KR"), reverse_table("euc_kr", sequences, "EUC-KR")]


def big5(snapshot: Snapshot) -> list[Table]:
    """Return the tables of Big5. https://encoding.spec.whatwg.org/#big5"""
    index, to_bytes = snapshot.indexes["big5"], constants.BIG5.pair
    code_points = {to_bytes(pointer): code_point for pointer, code_point in entries(index)}
    pointers = index_big5_pointer(index)
    astral = {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value > 0xFFFF}
    astral_reverse = {
        code_point - 0x20000: int.from_bytes(bytes(to_bytes(pointer)), "little")
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
        reverse_table("big5", _sequences(pointers, to_bytes), "Big5"),
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


def gb18030(snapshot: Snapshot) -> list[Table]:
    """Return the tables of gb18030, which GBK shares. https://encoding.spec.whatwg.org/#gb18030"""
    index, to_bytes = snapshot.indexes["gb18030"], constants.GB18030.pair
    code_points = {to_bytes(pointer): code_point for pointer, code_point in entries(index)}
    sequences = _sequences(index_pointer(entries(index)), to_bytes)
    sequences |= {code_point: divmod(value, 0x100) for code_point, value in constants.GB18030_2022_ENCODER.items()}
    # GBK and gb18030 share the table but differ in this code point, which the handler encodes.
    sequences.pop(constants.EURO, None)
    offsets, reverse_offsets = gb18030_offsets(snapshot.ranges)
    return [
        pairs_table("gb18030", code_points, "index gb18030"),
        TwoStage.build(
            "gb18030_ranges",
            offsets,
            keys=constants.GB18030_LAST_BMP_POINTER + 1,
            shift=6,
            c_type="uint16_t",
            meaning=f"index {RANGES}: offset of a pointer, modulo 65536",
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
            meaning=f"index {RANGES}: offset of a code point, modulo 65536",
            formula="code point",
            nulls=False,
        ),
    ]


def gb18030_euro(snapshot: Snapshot) -> dict[str, object]:
    """Return gb18030's bytes for the euro sign in the format of the encoder's table, None if the index has none."""
    pointer = index_pointer(entries(snapshot.indexes["gb18030"])).get(constants.EURO)
    pair = None if pointer is None else int.from_bytes(constants.GB18030.sequence(pointer), "little")
    return {"euro_pair": pair}


def gb18030_offsets(ranges: RangeIndex) -> tuple[dict[int, int], dict[int, int]]:
    """Return the offsets that the ranges add to each pointer and to each code point below U+10000, modulo 65536.

    The offset is constant within a range, so most blocks of the tables are equal, and a lookup replaces the search.
    https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point and #index-gb18030-ranges-pointer
    """
    bmp = [(pointer, code_point) for pointer, code_point in ranges.ranges if code_point <= 0xFFFF]
    exception_pointer, exception_code_point = constants.GB18030_EXCEPTION

    forward: dict[int, int] = {}
    ends = [pointer for pointer, _ in bmp[1:]] + [constants.GB18030_LAST_BMP_POINTER + 1]
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


def single_byte(snapshot: Snapshot, name: str) -> list[Table]:
    """Return the tables of the single-byte encodings that use the index `name`.

    They are the index, the index with U+FFFD for null if it has nulls, its code points below U+0100, and its reverse.
    https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    return _single_byte(name, snapshot.indexes[name].code_points)


def x_user_defined(snapshot: Snapshot) -> list[Table]:
    """Return the tables of x-user-defined, with its formula as an index.

    https://encoding.spec.whatwg.org/#x-user-defined-decoder
    """
    first = constants.X_USER_DEFINED_FIRST_CODE_POINT
    return _single_byte("x-user-defined", tuple(range(first, first + len(constants.SINGLE_BYTE))))


def _single_byte(name: str, code_points: tuple[int | None, ...]) -> list[Table]:
    symbol = names.symbol(name)
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
            kernels=SINGLE_BYTE_KERNELS,
        ),
    ]
