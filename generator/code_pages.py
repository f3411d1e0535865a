"""The code pages outside the standard, one more chapter: those of DOS, of the Macintosh and of mainframes, and UTF-32.

data/code_pages.json has the code points of Python's codecs, as tests/generator/test_code_pages.py shows.

They are for files alone. They are rendered through the templates of the standard's encodings, but no label names them,
and their modules are loaded on first use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator import names
from generator.handlers import Handler, single_byte
from generator.model import DATA, Encoding, GeneratorError, Snapshot, data_file
from generator.modules import Chapter, Codec, codec
from generator.steps import StepNumbers
from generator.tables import Direct, Table, TwoStage
from generator.tables.encodings import single_byte_tables

FILE = "code_pages.json"
MODULE = "code_pages"
ORIGIN = f"data/{FILE}, after Python's codecs"

UTF_32 = ("UTF-32LE", "UTF-32BE")
UNICODE = "https://www.unicode.org/reports/tr19/"
"""The description of UTF-32."""


_VALUES = frozenset({None, *range(0x10000)})


class CodePageError(GeneratorError):
    """The data of the code pages has another form."""


@dataclass(frozen=True)
class Page:
    """A code page: its name, which is that of Python's codec, the other names, and the code point of each byte."""

    name: str
    labels: tuple[str, ...]
    code_points: tuple[int | None, ...]

    @property
    def is_ascii_compatible(self) -> bool:
        """Whether the bytes of ASCII, and no others, stand for ASCII."""
        return self.code_points[:0x80] == (*range(0x80),) and all(
            code_point is None or code_point >= 0x80 for code_point in self.code_points[0x80:]
        )

    def single(self) -> dict[int, tuple[int, ...]]:
        """Return the code point of each byte, in the form of `Mappings.single`."""
        return {byte: (code_point,) for byte, code_point in enumerate(self.code_points) if code_point is not None}

    @property
    def sequences(self) -> dict[int, tuple[int, ...]]:
        """The byte of each code point, in the form of `Mappings.sequences`: of several bytes the last, as in Python."""
        return {code_point: (byte,) for byte, code_point in enumerate(self.code_points) if code_point is not None}


# -- The data ----------------------------------------------------------------------------------------------------------


def load(data: Path = DATA) -> list[Page]:
    """Return the pinned code pages. Raise a CodePageError if they do not have the form of the data."""
    path = data_file(data, FILE)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        pages = [
            Page(
                names.checked_name(entry["name"]),
                tuple(map(names.checked_label, entry["labels"])),
                tuple(entry["code_points"]),
            )
            for entry in content
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CodePageError(f"{path} cannot be read: {error!r}") from error
    for page in pages:
        code_points = page.code_points
        if len(code_points) != 0x100 or any(code_point not in _VALUES for code_point in code_points):
            raise CodePageError(f"{path}: {page.name} does not have a code point up to U+FFFF, or null, for 256 bytes")
    return pages


# -- What the templates render -----------------------------------------------------------------------------------------


def _whole_byte_tables(page: Page) -> list[Table]:
    """Return the tables of a page of which all 256 bytes are looked up, since its ASCII stands elsewhere."""
    symbol = names.symbol(page.name)
    by_byte = {byte: outputs[0] for byte, outputs in page.single().items() if byte}
    reverse = {code_point: outputs[0] for code_point, outputs in page.sequences.items() if code_point}
    return [
        Direct(symbol, by_byte, 0x100, "uint16_t", f"code page {page.name} by byte; 00 is U+0000", "byte"),
        TwoStage(
            f"{symbol}_reverse",
            reverse,
            length=0x10000,
            shift=7,
            c_type="uint8_t",
            meaning=f"byte of {page.name} by code point; U+0000 is 00",
            formula="code point",
            kernels="we_whole_byte_encode (src/native/kernels/whole_byte.h)",
        ),
    ]


def _handler(page: Page) -> Handler:
    if page.is_ascii_compatible:
        return single_byte(page.name)
    return Handler(
        template="whole_byte",
        decoder=StepNumbers("single-byte-decoder"),
        encoder=StepNumbers("single-byte-encoder"),
        decoder_symbol="whole_byte",
        encoder_symbol="whole_byte",
        encode_capacity=(1, 1, 1),
        is_ascii_compatible=False,
        is_single_byte=True,
    )


def _utf_32(name: str) -> Handler:
    return Handler(
        template="utf_32",
        decoder=StepNumbers(UNICODE),
        encoder=StepNumbers(UNICODE),
        # Four bytes are one code point, but a bound of one would leave three bytes for its UTF-8 (WE_UTF8_PER_BYTE).
        decode_shift=1,
        encode_capacity=(4, 4, 4),
        is_ascii_compatible=False,
        data=lambda snapshot: {"is_big_endian": name.endswith("BE")},
    )


def _codec(
    snapshot: Snapshot, name: str, labels: tuple[str, ...], handler: Handler, data: Mapping[str, object]
) -> Codec:
    cited = {"decoder": handler.decoder, "encoder": handler.encoder} if handler.takes_an_index else {}
    return codec(Encoding(name, labels, "Code pages"), handler, MODULE, cited, data, snapshot)


def chapter(snapshot: Snapshot, data: Path = DATA) -> Chapter:
    """Return the module of the code pages and of UTF-32, with its tables."""
    codecs, tables = [], list[Table]()
    for page in load(data):
        handler, symbol = _handler(page), names.symbol(page.name)
        has_nulls = None in page.code_points[0x80:]
        of_template = {"symbol": symbol, "replaced": f"{symbol}_replaced" if has_nulls else symbol}
        codecs.append(_codec(snapshot, page.name, page.labels, handler, of_template))
        tables += single_byte_tables(page, page.name) if page.is_ascii_compatible else _whole_byte_tables(page)
    for name in UTF_32:
        plain = name.lower()
        labels = (plain, plain.replace("-", "_"), f"utf_32_{plain[-2:]}", *(["utf-32"] if name == UTF_32[0] else []))
        handler = _utf_32(name)
        codecs.append(_codec(snapshot, name, labels, handler, handler.data(snapshot)))
    return Chapter(MODULE, "Code pages outside the standard", tuple(codecs), tuple(tables))
