"""What templates need of the standard's algorithms besides tables: bytes, code points and pointers that steps name.

They are found by running the algorithms, too. An algorithm that does not have the form that a template has is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from generator import names
from generator.model import GeneratorError, Snapshot
from generator.spec.machine import Error
from generator.tables.encodings import mappings_of
from generator.tables.mappings import BMP, Mappings, gb18030_bounds

Item = TypeVar("Item")

IDEOGRAPH = 0x4E00
"""A code point that ISO-2022-JP encodes in the state jis0208."""


def single_byte(snapshot: Snapshot, index: str) -> dict[str, object]:
    """Return the symbols of the index's table and of its table with U+FFFD for null, the same if it has no null."""
    symbol, of_index = names.symbol(index), snapshot.indexes.get(index)
    return {"symbol": symbol, "replaced": f"{symbol}_replaced" if of_index and None in of_index.code_points else symbol}


def double_byte(snapshot: Snapshot, name: str) -> dict[str, object]:
    """Return what differs between encodings of one and two bytes.

    They are katakana of one byte, or None; the pairs that are two code points; the pointers of user-defined characters,
    which are in no index; and whether there are code points above U+FFFF.
    """
    mappings = mappings_of(snapshot, name)
    pointers = next(iter(mappings.pointers.values()))
    katakana = {byte: code_points[0] for byte, code_points in mappings.single().items() if byte > 0x80}
    of_pair = {pointers.pointer(bytes(pair)): code_points for pair, code_points in mappings.computed.items()}
    user_defined = sorted(
        pointer for pointer, code_points in of_pair.items() if pointer is not None and len(code_points) == 1
    )
    return {
        "katakana": _katakana(katakana, name) if katakana else None,
        "two_code_points": tuple(
            {"pointer": pointers.pointer(bytes(pair)), "leading": pair[0], "trailing": pair[1],
             "first": code_points[0], "second": code_points[1]}
            for pair, code_points in mappings.computed.items() if len(code_points) == 2
        ),
        "user_defined": range(user_defined[0], user_defined[-1] + 1) if user_defined else range(0),
        "is_astral": any(point > 0xFFFF for code_points in mappings.pairs().values() for point in code_points),
    }  # fmt: skip


def _katakana(code_points: Mapping[int, int], name: str) -> dict[str, int]:
    first, last = min(code_points), max(code_points)
    if (
        any(code_point - code_points[first] != byte - first for byte, code_point in code_points.items())
        or len(code_points) <= last - first
    ):
        raise GeneratorError(f"{name}: the code points of single bytes from {first:02X} on are not in order")
    return {
        "first_byte": first, "last_byte": last,
        "first_code_point": code_points[first], "last_code_point": code_points[last],
    }  # fmt: skip


def iso_2022_jp(snapshot: Snapshot) -> dict[str, object]:
    """Return what its states katakana and Roman have: https://encoding.spec.whatwg.org/#iso-2022-jp."""
    mappings = mappings_of(snapshot, "ISO-2022-JP")
    escapes = _escapes(mappings)
    katakana = {byte: outputs[0] for byte, outputs in mappings.single(escapes["KATAKANA"]).items()}
    roman = {outputs[0]: byte for byte, outputs in mappings.single(escapes["ROMAN"]).items() if outputs != (byte,)}
    yen_sign, overline = sorted(roman)
    # In the state jis0208, the first result for an error says whether a step leaves it.
    unknown = next(code_point for code_point in range(0x80, 0x10000) if code_point not in mappings.sequences)
    encoder = mappings.encoder
    encoder.state = encoder.initial
    encoder.process(IDEOGRAPH)
    leaves = not isinstance(encoder.process(unknown)[0], Error)
    return {
        "katakana": _katakana(katakana, "ISO-2022-JP"),
        "yen_sign": yen_sign, "yen_sign_byte": roman[yen_sign],
        "overline": overline, "overline_byte": roman[overline],
        "leaves_jis0208_at_error": leaves,
        "encodes_katakana": min(katakana.values()) in mappings.sequences,
    }  # fmt: skip


_STATES = ("JIS0208_OF_1978", "JIS0208", "ASCII", "KATAKANA", "ROMAN")
"""The states of ISO-2022-JP that an escape sequence selects, in the order of the bytes that do."""


def _escapes(mappings: Mappings) -> dict[str, bytes]:
    """Return the escape sequences of ISO-2022-JP by the states that they select, which what follows them tells."""
    sequences = [b""]
    for _ in range(3):
        longer = [sequence + bytes([byte]) for sequence in sequences for byte in range(0x100)]
        sequences = [sequence for sequence in longer if mappings.decoder.after(sequence) is not None]
    of_encoder = bytes(mappings.sequences[IDEOGRAPH][:3])
    states = {}
    for sequence in sequences:
        single = mappings.single(sequence)
        if not single:
            state = "JIS0208" if sequence == of_encoder else "JIS0208_OF_1978"
        elif single == mappings.single():
            state = "ASCII"
        else:
            state = "ROMAN" if single.get(0x41) == (0x41,) else "KATAKANA"
        states[state] = sequence
    if len(states) != len(sequences) or states.keys() != {*_STATES}:
        raise GeneratorError(
            f"src/native/kernels/iso_2022_jp has {len(_STATES)} escape sequences, but the algorithm {len(sequences)}"
        )
    return states


def of_kernels(snapshot: Snapshot) -> dict[str, dict[str, int]]:
    """Return the numbers of the standard's prose that kernels contain, by the anchor of the algorithm and by name.

    The kernels of an encoding that the standard has no more are compiled, but not called: their numbers are any.
    """
    constants_by_handler = {}
    for encoding, find, named in (
        ("Shift_JIS", _of_shift_jis, _OF_SHIFT_JIS),
        ("ISO-2022-JP", _of_iso_2022_jp, _OF_ISO_2022_JP),
    ):
        has_decoder = mappings_of(snapshot, encoding).handler("decoder") is not None
        numbers = find(snapshot) if has_decoder else range(len(named))
        constants_by_handler[f"{encoding.lower()}-decoder"] = dict(zip(named, numbers, strict=True))
    return constants_by_handler


_OF_SHIFT_JIS = ("KATAKANA_FIRST", "KATAKANA_LAST", "KATAKANA_OFFSET")
_OF_ISO_2022_JP = (
    "ESCAPE", "SHIFT_OUT", "SHIFT_IN", "ROMAN_YEN_SIGN", "ROMAN_OVERLINE", "JIS_FIRST", "JIS_LAST",
    *(f"ESCAPE_TO_{state}" for state in _STATES),
)  # fmt: skip


def _of_shift_jis(snapshot: Snapshot) -> tuple[int, ...]:
    katakana = double_byte(snapshot, "Shift_JIS")["katakana"]
    if not isinstance(katakana, dict):
        raise GeneratorError("Shift_JIS: no code point is a single byte above ASCII, but the kernels have some")
    first = katakana["first_byte"]
    return first, katakana["last_byte"], katakana["first_code_point"] - first


def _of_iso_2022_jp(snapshot: Snapshot) -> tuple[int, ...]:
    mappings = mappings_of(snapshot, "ISO-2022-JP")
    escapes = _escapes(mappings)
    escape = escapes["ASCII"][0]
    shift_out, shift_in = sorted({*range(0x80)} - mappings.single().keys() - {escape})
    roman = sorted((outputs, byte) for byte, outputs in mappings.single(escapes["ROMAN"]).items() if outputs != (byte,))
    decoder, jis0208 = mappings.decoder, escapes["JIS0208"]
    leading = [byte for byte in range(0x80) if byte != escape and decoder.after((*jis0208, byte)) is not None]
    of_states = (int.from_bytes(escapes[state][1:]) for state in _STATES)
    return escape, shift_out, shift_in, *(byte for _, byte in roman), leading[0], leading[-1], *of_states


def gb18030(snapshot: Snapshot) -> dict[str, object]:
    """Return the code points and pointers that steps name: https://encoding.spec.whatwg.org/#gb18030."""
    mappings = mappings_of(snapshot, "gb18030")
    byte, euro = _only(
        [(byte, code_points[0]) for byte, code_points in mappings.single().items() if byte >= 0x80],
        "single byte above ASCII",
    )
    bytes_ = mappings.sequences[euro]
    last_bmp_pointer, first_astral_pointer, last_pointer = gb18030_bounds(snapshot)
    return {
        "euro": euro, "euro_byte": byte,
        # In the format of the encoder's table; None if gb18030 does not encode it by its index.
        "euro_pair": int.from_bytes(bytes(bytes_), "little") if len(bytes_) == 2 else None,
        "refused": _only(mappings.sequences.keys() ^ set(BMP), "scalar value that is refused"),
        "last_bmp_pointer": last_bmp_pointer, "first_astral_pointer": first_astral_pointer,
        "last_pointer": last_pointer, "is_gbk": False,
    }  # fmt: skip


def _only(items: Collection[Item], what: str) -> Item:
    if len(items) != 1:
        raise GeneratorError(f"gb18030: the template has one {what}, but the algorithms have {len(items)}")
    return next(iter(items))
