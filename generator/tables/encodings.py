"""Build the tables of each encoding: what the standard's algorithms answer for every sequence and every code point.

The algorithms are run, as the standard's text was compiled (see generator/spec); a builder only chooses a layout. So an
algorithm that changes a mapping changes the tables, and nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from generator import names
from generator.model import RANGES, SINGLE_BYTE_HEADING, Encoding, GeneratorError, Snapshot
from generator.spec.machine import CONTINUE, Handler, Machine, machine
from generator.tables import cells
from generator.tables.dense import Dense
from generator.tables.two_stage import TwoStage

Table = Dense | TwoStage

BMP = (*range(0xD800), *range(0xE000, 0x10000))
PLANE_2 = range(0x20000, 0x30000)

PAIRS_FORMULA = "(leading - 0x80) << 8 | trailing"
REVERSE_FORMULA = "code point; first byte in the lower half, second byte, if any, in the upper half"
SINGLE_BYTE_KERNELS = "we_single_byte_run_from_ucs1, _ucs2 and _ucs4 (src/kernels/single_byte/kernels.h)"


_KEPT: dict[tuple[Any, ...], dict[int, tuple[int, ...]]] = {}
"""Results of the latest runs, since snapshots that are compared differ in few indexes."""


def _kept(snapshot: Snapshot, name: str, what: tuple[Any, ...], run: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """Return the result of a run for an encoding, which depends on its algorithms and the indexes that they name."""
    key = (name, *what, *machine(snapshot).inputs(name))
    if key not in _KEPT:
        if len(_KEPT) >= 200:
            _KEPT.clear()
        _KEPT[key] = run()
    return _KEPT[key]


# -- Running the algorithms --------------------------------------------------------------------------------------------


def handler(snapshot: Snapshot, name: str, kind: str) -> Handler:
    """Return the ``decoder`` or ``encoder`` of an encoding of the snapshot."""
    encoding = next((one for one in snapshot.encodings if one.name == name), Encoding(name, (), ""))
    found = machine(snapshot).handler(encoding, kind)
    if found is None:
        raise GeneratorError(f"the standard's algorithms have no {kind} for {name!r}")
    return found


def pairs(snapshot: Snapshot, name: str, prefix: bytes = b"") -> dict[tuple[int, int], int]:
    """Return the code point of each pair of bytes that an encoding decodes to one, after a prefix."""
    return _kept(snapshot, name, (prefix,), lambda: _pairs(handler(snapshot, name, "decoder"), prefix))


def sequences(snapshot: Snapshot, name: str, code_points: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the bytes of each code point that is no error at the start of a text in an encoding."""
    what = code_points[0], len(code_points)
    return _kept(snapshot, name, what, lambda: _sequences(handler(snapshot, name, "encoder"), code_points))


def _pairs(decoder: Handler, prefix: bytes) -> dict[tuple[int, int], int]:
    found = {}
    decoder.state = decoder.initial
    for byte in prefix:
        decoder.handle(byte)
    start = decoder.state
    for lead in range(0x80, 0x100):
        decoder.state = start
        if decoder.handle(lead)[0] is not CONTINUE:
            continue
        between = decoder.state
        for trail in range(0x100):
            decoder.state = between
            result, restored = decoder.handle(trail)
            if isinstance(result, list) and len(result) == 1 and not restored:
                found[lead, trail] = result[0]
    return found


def _sequences(encoder: Handler, code_points: Iterable[int]) -> dict[int, tuple[int, ...]]:
    found = {}
    for code_point in code_points:
        if encoder.initial:  # most encoders have no variables
            encoder.state = encoder.initial
        result, restored = encoder.handle(code_point)
        if isinstance(result, list) and not restored:
            found[code_point] = tuple(result)
    return found


# -- Tables of two-byte encodings -------------------------------------------------------------------------------------


def pairs_table(symbol: str, code_points: Mapping[tuple[int, int], int], meaning: str) -> Dense:
    """Return the decoder's table of byte pairs with code points below U+10000."""
    return Dense.build(
        f"{symbol}_pairs",
        {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value <= 0xFFFF},
        length=0x8000,
        c_type="uint16_t",
        meaning=f"{meaning} by byte pair",
        formula=PAIRS_FORMULA,
    )


def reverse_table(symbol: str, found: Mapping[int, tuple[int, ...]], meaning: str) -> Dense:
    """Return the encoder's table of one and two bytes by code point below U+10000.

    It includes ASCII except U+0000, whose entry would be 0, which represents null.
    """
    entries = {code_point: int.from_bytes(bytes(one), "little") for code_point, one in found.items() if code_point}
    return Dense.build(
        f"{symbol}_reverse",
        entries,
        length=0x10000,
        c_type="uint16_t",
        meaning=f"bytes of {meaning} by code point",
        formula=REVERSE_FORMULA,
    )


def double_byte(snapshot: Snapshot, name: str, meaning: str) -> list[Table]:
    """Return the tables of an encoding of one and two bytes with code points below U+10000 only."""
    symbol = names.symbol(name)
    return [
        pairs_table(symbol, pairs(snapshot, name), meaning),
        reverse_table(symbol, sequences(snapshot, name, BMP), name),
    ]


def shift_jis(snapshot: Snapshot) -> list[Table]:
    """Return the tables of Shift_JIS. https://encoding.spec.whatwg.org/#shift_jis"""
    return double_byte(snapshot, "Shift_JIS", "index jis0208 and EUDC")


def euc_kr(snapshot: Snapshot) -> list[Table]:
    """Return the tables of EUC-KR. https://encoding.spec.whatwg.org/#euc-kr"""
    return double_byte(snapshot, "EUC-KR", "index EUC-KR")


def euc_jp(snapshot: Snapshot) -> list[Table]:
    """Return the tables of EUC-JP. https://encoding.spec.whatwg.org/#euc-jp"""
    by_pair, reverse = double_byte(snapshot, "EUC-JP", "index jis0208 and half-width katakana")
    jis0212 = pairs(snapshot, "EUC-JP", b"\x8f")
    by_pointer = Dense.build(
        "jis0212",
        {(lead - 0xA1) * 94 + trail - 0xA1: code_point for (lead, trail), code_point in jis0212.items()},
        length=94 * 94,
        c_type="uint16_t",
        meaning="index jis0212 by pointer",
        formula="(leading - 0xA1) * 94 + trailing - 0xA1",
    )
    return [by_pair, by_pointer, reverse]


def iso_2022_jp(snapshot: Snapshot) -> list[Table]:
    """Return the tables of ISO-2022-JP, which also uses EUC-JP's. https://encoding.spec.whatwg.org/#iso-2022-jp"""
    katakana = snapshot.indexes["iso-2022-jp-katakana"].code_points
    return [
        Dense.build(
            "iso_2022_jp_katakana",
            {pointer: code_point for pointer, code_point in enumerate(katakana) if code_point is not None},
            length=len(katakana),
            c_type="uint16_t",
            meaning="index ISO-2022-JP katakana by pointer",
            formula="code point - 0xFF61",
        )
    ]


def big5(snapshot: Snapshot) -> list[Table]:
    """Return the tables of Big5. https://encoding.spec.whatwg.org/#big5"""
    code_points = pairs(snapshot, "Big5")
    astral = {(lead - 0x80) << 8 | trail: value for (lead, trail), value in code_points.items() if value > 0xFFFF}
    astral_reverse = {
        code_point - 0x20000: int.from_bytes(bytes(found), "little")
        for code_point, found in sequences(snapshot, "Big5", PLANE_2).items()
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
        reverse_table("big5", sequences(snapshot, "Big5", BMP), "Big5"),
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
    either = [sequences(snapshot, name, BMP) for name in ("gb18030", "GBK")]
    # Code points that the two encode differently are not in the table: their handlers encode these.
    shared = {code_point: found for code_point, found in either[0].items() if either[1].get(code_point) == found}
    run = machine(snapshot)
    code_point_of = run.operation("index-gb18030-ranges-code-point")
    pointer_of = run.operation("index-gb18030-ranges-pointer")
    offsets = {}
    for pointer in range(0x10000):
        code_point = code_point_of(pointer)
        if code_point is None:
            break
        offsets[pointer] = (code_point - pointer) & 0xFFFF
    reverse_offsets = {code: (pointer_of(code) - code) & 0xFFFF for code in range(0x80, 0x10000)}
    return [
        pairs_table("gb18030", pairs(snapshot, "gb18030"), "index gb18030"),
        TwoStage.build(
            "gb18030_ranges",
            offsets,
            keys=len(offsets),
            shift=6,
            c_type="uint16_t",
            meaning=f"index {RANGES}: offset of a pointer, modulo 65536",
            formula="pointer",
            nulls=False,
        ),
        reverse_table("gb18030", shared, "gb18030"),
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
    found = sequences(snapshot, "gb18030", BMP)[0x20AC]
    return {"euro_pair": int.from_bytes(bytes(found), "little") if len(found) == 2 else None}


# -- Tables of single-byte encodings ----------------------------------------------------------------------------------


def single_byte(snapshot: Snapshot, name: str) -> list[Table]:
    """Return the tables of the single-byte encodings that use the index `name`.

    They are the index, the index with U+FFFD for null if it has nulls, its code points below U+0100, and its reverse.
    https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    return _single_byte(machine(snapshot), Encoding(name, (), SINGLE_BYTE_HEADING), name)


def x_user_defined(snapshot: Snapshot) -> list[Table]:
    """Return the tables of x-user-defined, with its formula as an index.

    https://encoding.spec.whatwg.org/#x-user-defined-decoder
    """
    return _single_byte(machine(snapshot), Encoding("x-user-defined", (), ""), "x-user-defined")


def _single_byte(run: Machine, encoding: Encoding, name: str) -> list[Table]:
    symbol = names.symbol(name)
    decoder, encoder = (run.handler(encoding, kind, name) for kind in ("decoder", "encoder"))
    assert decoder is not None
    assert encoder is not None
    key = (name, 0x80, *run.inputs(name, encoding))
    if key not in _KEPT:
        _KEPT[key] = _sequences(encoder, BMP[0x80:])
    encoded = _KEPT[key]
    results = [decoder.handle(byte)[0] for byte in range(0x80, 0x100)]
    code_points = [result[0] if isinstance(result, list) else None for result in results]
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
        cells.build(symbol, name, code_points),
        TwoStage.build(
            f"{symbol}_reverse",
            {code_point: found[0] for code_point, found in encoded.items()},
            keys=0x10000,
            shift=7,
            c_type="uint8_t",
            meaning=f"byte of {name} by code point",
            formula="code point",
            kernels=SINGLE_BYTE_KERNELS,
        ),
    ]
