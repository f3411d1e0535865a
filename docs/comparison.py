"""Compare CPython's codecs with the standard, for the pages of the encodings."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import whatwg_encoding as we

INPUTS = (*(bytes([byte]) for byte in range(256)), *map(bytes, product(range(256), repeat=2)))
"""All inputs of one and two bytes."""

# -- CPython's codecs, by the standard's labels ------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """An input, and its result in the standard and in CPython's codec, None for an error."""

    source: str
    standard: str | None
    codec: str | None


@dataclass(frozen=True)
class Differences:
    """The differences between a codec of CPython and an encoding of the standard.

    `decoding` has single bytes, and pairs that decode differently from two single bytes; `encoding` has code points,
    and is empty if the standard has no encoder.
    """

    codec: str
    labels: tuple[str, ...]
    decoding: tuple[Case, ...]
    encoding: tuple[Case, ...]

    def __bool__(self) -> bool:
        return bool(self.decoding or self.encoding)


def is_text_codec(info: codecs.CodecInfo) -> bool:
    """Return whether it is a text codec; CPython also has bytes-to-bytes codecs."""
    return bool(getattr(info, "_is_text_encoding", True))


def cpython_codec(label: str) -> str | None:
    """Return the name of CPython's own codec for a label, None if it has none; ignore registered codecs."""
    try:
        info = codecs.lookup(label)
    except LookupError:
        return None
    return info.name if is_text_codec(info) and info.name.partition("-")[0] not in ("web", "whatwg") else None


def labels_by_codec(encoding: we.Encoding) -> tuple[dict[str, list[str]], list[str]]:
    """Return the labels with a codec in CPython, by codec, and the labels without."""
    by_codec: dict[str, list[str]] = {}
    missing = []
    for label in encoding.labels:
        name = cpython_codec(label)
        if name is None:
            missing.append(label)
        else:
            by_codec.setdefault(name, []).append(label)
    return by_codec, missing


def differences(encoding: we.Encoding) -> tuple[list[Differences], list[str]]:
    """Return the differences of each codec that CPython has for the encoding's labels, and the labels without one."""
    by_codec, missing = labels_by_codec(encoding)
    return [
        Differences(codec, tuple(labels), tuple(_decoding(encoding, codec)), tuple(_encoding(encoding, codec)))
        for codec, labels in by_codec.items()
    ], missing


def _decoding(encoding: we.Encoding, codec: str) -> Iterator[Case]:
    ours, theirs = _strict(encoding.name), _strict(codec)
    # Between two single-byte encodings no pair says more than its bytes do.
    inputs = INPUTS[:256] if encoding.is_single_byte and _is_single_byte(codec) else INPUTS
    for data in inputs:
        a, b = ours(data), theirs(data)
        if a == b:
            continue
        if len(data) == 2 and _is_two(ours, data, a) and _is_two(theirs, data, b):
            continue
        yield Case(data.hex(" ").upper(), a, b)


def _is_single_byte(codec: str) -> bool:
    """Return whether a codec of CPython decodes each byte by itself: a byte is a code point, or an error."""
    return len(codecs.lookup(codec).decode(bytes(range(256)), "replace")[0]) == 256


def _is_two(decode: Callable[[bytes], str | None], data: bytes, text: str | None) -> bool:
    """Return whether a pair decodes as its single bytes do."""
    parts = decode(data[:1]), decode(data[1:])
    return text is None if None in parts else text == f"{parts[0]}{parts[1]}"


@cache
def _strict(name: str) -> Callable[[bytes], str | None]:
    """Return the text of valid bytes, None for others; cache results, since bytes recur."""
    info = we.ENCODINGS[name].codec_info if name in we.ENCODINGS else codecs.lookup(name)

    @cache
    def strict(data: bytes) -> str | None:
        try:
            return info.decode(data, "strict")[0]
        except UnicodeDecodeError:
            return None

    return strict


def encoded(encoding: we.Encoding) -> tuple[int, ...]:
    """Return the code points for comparing encoders: plane 0, and for multi-byte encodings also plane 2."""
    plane_2 = () if encoding.is_single_byte else range(0x20000, 0x2FFFE)
    return (*range(0xD800), *range(0xE000, 0x10000), *plane_2)


def _encoding(encoding: we.Encoding, codec: str) -> Iterator[Case]:
    if not encoding.has_encoder:
        return
    encode = codecs.lookup(codec).encode
    for code_point, a in zip(encoded(encoding), _encoded(encoding), strict=True):
        try:
            b: bytes | None = encode(chr(code_point), "strict")[0]
        except UnicodeEncodeError:
            b = None
        if a != b:
            yield Case(f"U+{code_point:04X}", _hexadecimal(a), _hexadecimal(b))


@cache
def _encoded(encoding: we.Encoding) -> list[bytes | None]:
    outputs: list[bytes | None] = []
    for code_point in encoded(encoding):
        try:
            outputs.append(encoding.encode(chr(code_point), "fatal"))
        except UnicodeEncodeError:
            outputs.append(None)
    return outputs


def _hexadecimal(data: bytes | None) -> str | None:
    return None if data is None else data.hex(" ").upper()


def kinds(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Return the cases of each nonempty kind: in the standard only, in the codec only, and different."""
    by_kind: dict[str, list[Case]] = {"standard only": [], "codec only": [], "otherwise": []}
    for case in cases:
        kind = "standard only" if case.codec is None else "codec only" if case.standard is None else "otherwise"
        by_kind[kind].append(case)
    return {kind: of_kind for kind, of_kind in by_kind.items() if of_kind}
