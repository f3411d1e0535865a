"""Encodings, names, labels: https://encoding.spec.whatwg.org/#names-and-labels, read from data/encodings.json."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from .compiled import DECODERS, ENCODERS
from .indexes import INDEXES
from .processing import Decoder, Encoder

_FILE = Path(__file__).parents[2] / "data" / "encodings.json"

_SINGLE_BYTE_HEADING = "Legacy single-byte encodings"

# https://infra.spec.whatwg.org/#ascii-whitespace
ASCII_WHITESPACE = "\t\n\f\r "


@dataclass(frozen=True, eq=False)
class Encoding:
    """An encoding: its name, its labels, the factory of its decoder, and that of its encoder if it has one."""

    name: str
    labels: tuple[str, ...]
    decoder: Callable[[], Decoder]
    encoder: Callable[[], Encoder] | None


def _index_single_byte_name(name: str) -> str:
    # All but two single-byte encodings have an index of their own: ISO-8859-8 and ISO-8859-8-I share theirs.
    return "iso-8859-8" if name == "ISO-8859-8-I" else name.lower()


@cache
def encodings() -> dict[str, Encoding]:
    """Return the encodings by name, in the order of the standard's table."""
    result: dict[str, Encoding] = {}
    for section in json.loads(_FILE.read_text("utf-8")):
        for row in section["encodings"]:
            name, labels = row["name"], tuple(row["labels"])
            if section["heading"] == _SINGLE_BYTE_HEADING:
                index_single_byte = INDEXES[_index_single_byte_name(name)]
                decoder = partial(DECODERS["single-byte encodings"], index_single_byte)
                encoder = partial(ENCODERS["single-byte encodings"], index_single_byte)
                result[name] = Encoding(name, labels, decoder, encoder)
            else:
                result[name] = Encoding(name, labels, DECODERS[name.lower()], ENCODERS.get(name.lower()))
    return result


@cache
def single_byte_names() -> tuple[str, ...]:
    """Return the names of chapter 9's encodings, in the order of the standard's table."""
    sections = json.loads(_FILE.read_text("utf-8"))
    (rows,) = (section["encodings"] for section in sections if section["heading"] == _SINGLE_BYTE_HEADING)
    return tuple(row["name"] for row in rows)


@cache
def _labels() -> dict[str, Encoding]:
    return {label: encoding for encoding in encodings().values() for label in encoding.labels}


def get_an_encoding(label: str) -> Encoding | None:
    """Return the encoding that has `label`, or None: https://encoding.spec.whatwg.org/#concept-encoding-get."""
    label = label.strip(ASCII_WHITESPACE)  # 1
    # 2. The labels in the table are lowercase.
    return _labels().get("".join(chr(ord(c) + 0x20) if "A" <= c <= "Z" else c for c in label))


def get_an_output_encoding(encoding: Encoding) -> Encoding:
    """Return the output encoding of `encoding`: https://encoding.spec.whatwg.org/#get-an-output-encoding."""
    return encodings()["UTF-8"] if encoding.name in ("replacement", "UTF-16BE", "UTF-16LE") else encoding  # 1, 2
