"""Choose the layout of each encoding's tables, and fill them by running the standard's algorithms.

A layout fits a shape: single bytes, pairs, pairs after a prefix, ranges. Which bytes and code points an encoding has is
found by running its algorithms (`mappings`), so an algorithm that changes a mapping changes the tables, and nothing
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from generator import names
from generator.model import RANGES, SINGLE_BYTE_HEADING, Encoding, Snapshot
from generator.tables import Table, single_byte_vectors
from generator.tables.direct import Direct
from generator.tables.mappings import Mappings, Outputs, of_encoding
from generator.tables.two_stage import TwoStage

PAIRS_FORMULA = "(leading - 0x80) << 8 | trailing"
BYTES_FORMULA = "first byte in the lower half, second byte, if any, in the upper half"
SINGLE_BYTE_KERNELS = "we_single_byte_run_from_ucs1, _ucs2 and _ucs4 (src/native/kernels/single_byte.h)"


def mappings_of(snapshot: Snapshot, name: str) -> Mappings:
    """Return the mappings of an encoding that is no single-byte encoding."""
    return of_encoding(snapshot, Encoding(name, (), ""))


def _bytes(outputs: Mapping[int, Outputs], offset: int = 0) -> dict[int, int]:
    """Return entries of `BYTES_FORMULA` for bytes by code point; U+0000's would be 0, which represents null."""
    return {code - offset: int.from_bytes(bytes(sequence), "little") for code, sequence in outputs.items() if code}


# -- Encodings of pairs ------------------------------------------------------------------------------------------------


def double_byte(
    snapshot: Snapshot, name: str, meaning: str, sequences: Mapping[int, Outputs] | None = None
) -> list[Table]:
    """Return the tables of an encoding of one and two bytes, with a second one each way for code points of plane 2.

    `sequences` is what the encoder's table has instead of those of all of the Basic Multilingual Plane.
    """
    mappings, symbol = mappings_of(snapshot, name), names.symbol(name)
    ones = ((pair, code_points[0]) for pair, code_points in mappings.pairs().items() if len(code_points) == 1)
    entries = {(leading - 0x80) << 8 | trailing: code_point for (leading, trailing), code_point in ones}
    astral = {key: code_point for key, code_point in entries.items() if code_point > 0xFFFF}
    below = {key: code_point for key, code_point in entries.items() if code_point <= 0xFFFF}
    reverse = _bytes(mappings.sequences if sequences is None else sequences)
    astral_reverse = _bytes(mappings.astral_sequences, 0x20000) if astral else {}
    by_pair = f"{meaning}{' below U+10000' if astral else ''} by byte pair"
    by_code_point = f"bytes of {name} by code point"
    rows = [
        ("_pairs", below, 0x8000, "uint16_t", by_pair, PAIRS_FORMULA),
        ("_astral", astral, 0x8000, "uint32_t", f"{meaning} above U+FFFF by byte pair", PAIRS_FORMULA),
        ("_reverse", reverse, 0x10000, "uint16_t", by_code_point, f"code point; {BYTES_FORMULA}"),
        ("_astral_reverse", astral_reverse, 0x10000, "uint16_t", f"{by_code_point} above U+FFFF",
         f"code point - 0x20000; {BYTES_FORMULA}"),
    ]  # fmt: skip
    return [
        TwoStage(symbol + suffix, values, length, c_type, meaning, formula, shift=5)
        if "astral" in suffix
        else Direct(symbol + suffix, values, length, c_type, meaning, formula)
        for suffix, values, length, c_type, meaning, formula in rows
        if values or "astral" not in suffix
    ]


def euc_jp(snapshot: Snapshot) -> list[Table]:
    """Return the tables of EUC-JP, one of them of pairs after a prefix: https://encoding.spec.whatwg.org/#euc-jp."""
    pairs, *others = double_byte(snapshot, "EUC-JP", "index jis0208 and half-width katakana")
    return [pairs, _after_prefix(mappings_of(snapshot, "EUC-JP"), "jis0212"), *others]


def _after_prefix(mappings: Mappings, index: str) -> Direct:
    pointers = mappings.pointers[index]
    prefix = pointers.prefix
    outputs = {pointers.pointer(prefix + bytes(pair)): output for pair, output in mappings.pairs(prefix).items()}
    entries = {pointer: code_points[0] for pointer, code_points in outputs.items() if pointer is not None}
    first, second = (ranges[0] for ranges in pointers.positions)
    formula = f"(leading - 0x{first[0]:02X}) * {len(second)} + trailing - 0x{second[0]:02X}"
    return Direct(index, entries, len(pointers), "uint16_t", f"index {index} by pointer", formula)


def iso_2022_jp(snapshot: Snapshot) -> list[Table]:
    """Return its one table besides EUC-JP's, an index as it is: https://encoding.spec.whatwg.org/#iso-2022-jp."""
    code_points = snapshot.indexes["iso-2022-jp-katakana"].code_points
    entries = {pointer: code_point for pointer, code_point in enumerate(code_points) if code_point is not None}
    meaning = "index ISO-2022-JP katakana by pointer"
    return [Direct("iso_2022_jp_katakana", entries, len(code_points), "uint16_t", meaning, "code point - 0xFF61")]


def gb18030(snapshot: Snapshot) -> list[Table]:
    """Return the tables of gb18030, which GBK shares. https://encoding.spec.whatwg.org/#gb18030"""
    sequences, gbk = mappings_of(snapshot, "gb18030").sequences, mappings_of(snapshot, "GBK")
    others = gbk.sequences if gbk.handler("encoder") else sequences
    # Code points that the two encode differently are not in the table: their handlers encode these.
    shared = {
        code: sequence for code, sequence in sequences.items() if len(sequence) <= 2 and others.get(code) == sequence
    }
    pairs, reverse = double_byte(snapshot, "gb18030", "index gb18030", shared)
    by_pointer, by_code_point = mappings_of(snapshot, "gb18030").gb18030_ranges
    ranges, ranges_reverse = [
        TwoStage(
            symbol,
            {key: (value - key) & 0xFFFF for key, value in sequence.items()},
            length=max(sequence) + 1,
            shift=6,
            c_type="uint16_t",
            meaning=f"index {RANGES}: offset of a {formula}, modulo 65536",
            formula=formula,
            nulls=False,
        )
        for symbol, formula, sequence in [
            ("gb18030_ranges", "pointer", by_pointer),
            ("gb18030_ranges_reverse", "code point", by_code_point),
        ]
    ]
    return [pairs, ranges, reverse, ranges_reverse]


# -- Single-byte encodings ---------------------------------------------------------------------------------------------


def single_byte(snapshot: Snapshot, name: str) -> list[Table]:
    """Return the tables of the single-byte encodings that use the index `name`.

    They are the index, the index with U+FFFD for null if it has nulls, its code points below U+0100, and its reverse.
    https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    return single_byte_tables(of_encoding(snapshot, Encoding(name, (), SINGLE_BYTE_HEADING), name), name)


def x_user_defined(snapshot: Snapshot) -> list[Table]:
    """Return the tables of its formula as an index: https://encoding.spec.whatwg.org/#x-user-defined-decoder."""
    return single_byte_tables(mappings_of(snapshot, "x-user-defined"), "x-user-defined")


class OfSingleBytes(Protocol):
    """What an encoding maps single bytes to and from, as `Mappings` has it."""

    def single(self) -> Mapping[int, Outputs]: ...
    @property
    def sequences(self) -> Mapping[int, Outputs]: ...


def single_byte_tables(mappings: OfSingleBytes, name: str) -> list[Table]:
    """Return the tables of an encoding of single bytes in which ASCII, and nothing else, stands for itself."""
    symbol = names.symbol(name)
    known = {byte - 0x80: code_points[0] for byte, code_points in mappings.single().items() if byte >= 0x80}
    replaced = {pointer: known.get(pointer, 0xFFFD) for pointer in range(0x80)}
    latin1 = {pointer: code_point for pointer, code_point in known.items() if code_point <= 0xFF}
    meaning = f"index {name} by pointer"
    columns = [
        *([("_replaced", replaced, "uint16_t", f"{meaning}, U+FFFD for null")] if len(known) < 0x80 else []),
        ("", known, "uint16_t", meaning),
        ("_latin1", latin1, "uint8_t", f"{meaning}, where the code point is below U+0100"),
    ]
    return [
        *(
            Direct(symbol + suffix, entries, length=0x80, c_type=c_type, meaning=meaning, formula="byte - 0x80")
            for suffix, entries, c_type, meaning in columns
        ),
        single_byte_vectors.build(symbol, name, [known.get(pointer) for pointer in range(0x80)]),
        TwoStage(
            f"{symbol}_reverse",
            {code_point: sequence[0] for code_point, sequence in mappings.sequences.items() if code_point >= 0x80},
            length=0x10000,
            shift=7,
            c_type="uint8_t",
            meaning=f"byte of {name} by code point",
            formula="code point",
            kernels=SINGLE_BYTE_KERNELS,
        ),
    ]
