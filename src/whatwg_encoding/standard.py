"""The terms of the Encoding Standard: the hooks for other standards, and the indexes.

These are the functions of sections 5 and 6, by their names there, and `EncodeIntoResult` of section 7. All of them are
names of the package as well. Data without a contiguous buffer, and text that is not a str, raise a TypeError.

https://encoding.spec.whatwg.org/#specification-hooks
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cache
from itertools import product

from ._api.arguments import checked_str, get_an_encoding
from ._api.results import EncodeIntoResult, EncodeOrFail
from ._labels import GB18030, ISO_2022_JP, UTF_8, lookup
from ._native.core import ISO_2022_JP_ESCAPES as ISO_2022_JP_ESCAPES
from ._native.core import Encoder, Encoding, bom_sniff, byte_view, decode, encode_to_first_error, quote, sniff_bom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Buffer

    from ._pointers import Pointers

__all__ = [
    "EncodeIntoResult", "EncodeOrFail", "bom_sniff", "decode", "encode", "encode_or_fail", "get_encoder",
    "index_code_point", "index_gb18030_ranges_code_point", "index_gb18030_ranges_pointer", "index_pointer",
    "isomorphic_decode", "isomorphic_encode", "utf8_decode", "utf8_decode_without_bom",
    "utf8_decode_without_bom_or_fail", "utf8_encode",
]  # fmt: skip


# --- Hooks ---


def encode(text: str, encoding: Encoding | str, errors: Literal["html", "fatal"] = "html") -> bytes:
    """Return the bytes of ``text``; a code point without bytes becomes a character reference, such as ``&#9731;``.

    Such a reference cannot be distinguished from one in the text, which is acceptable only in HTML forms. Elsewhere use
    UTF-8, which encodes every code point, or ``errors="fatal"``, which raises UnicodeEncodeError instead. Raise
    UnknownLabelError for a label of no encoding, ValueError for other ``errors``, and EncoderUnavailableError for
    replacement and UTF-16BE/LE: see ``Encoding.output_encoding``.
    https://encoding.spec.whatwg.org/#encode

    >>> encode("Snow\\u2603", "windows-1252")
    b'Snow&#9731;'
    """
    return get_an_encoding(encoding).encode(text, errors)


def utf8_decode(data: Buffer) -> str:
    """Return the text of data in UTF-8 without its byte order mark, if there is one. Errors become U+FFFD.

    Raise TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#utf-8-decode

    >>> utf8_decode(b"\\xef\\xbb\\xbfa\\xff")
    'a\\ufffd'
    """
    view = byte_view(data)
    marked, length = sniff_bom(view)
    return UTF_8.decode(memoryview(view)[length:] if marked is UTF_8 else view)


def utf8_decode_without_bom(data: Buffer) -> str:
    """Return the text of data in UTF-8; a byte order mark is kept, as U+FEFF. Errors become U+FFFD.

    Raise TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#utf-8-decode-without-bom

    >>> utf8_decode_without_bom(b"\\xef\\xbb\\xbfa")
    '\\ufeffa'
    """
    return UTF_8.decode(data)


def utf8_decode_without_bom_or_fail(data: Buffer) -> str:
    """Return the text of data in UTF-8; a byte order mark is kept, as U+FEFF. Errors are fatal.

    Raise UnicodeDecodeError at the first error.
    https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail

    >>> utf8_decode_without_bom_or_fail(b"\\xef\\xbb\\xbfa")
    '\\ufeffa'
    """
    return UTF_8.decode(data, "fatal")


def utf8_encode(text: str) -> bytes:
    """Return the UTF-8 bytes of ``text``. A lone surrogate becomes U+FFFD first.

    Raise TypeError for a text that is not a str.
    https://encoding.spec.whatwg.org/#utf-8-encode

    >>> utf8_encode("\\ud800")
    b'\\xef\\xbf\\xbd'
    """
    return UTF_8.encode(text)


def get_encoder(encoding: Encoding | str) -> Encoder:
    """Return a new encoder, for ``encode_or_fail``.

    Raise UnknownLabelError for a label of no encoding, and EncoderUnavailableError for replacement and UTF-16BE/LE.
    https://encoding.spec.whatwg.org/#get-an-encoder

    >>> get_encoder("latin1").encoding
    <Encoding windows-1252>
    """
    return get_an_encoding(encoding).new_encoder()


def encode_or_fail(text: str, encoder: Encoder) -> EncodeOrFail:
    """Return the bytes of ``text`` up to the first code point that has none, that code point, and where to continue.

    ``text`` ends with end-of-queue, as it does in URL percent-encoding: a call without an error returns an
    ISO-2022-JP encoder to its ASCII state, and the output ends with ``ESC ( B``. A call that fails keeps the state,
    which may be ASCII or Roman, so the caller's replacement for the error must not contain U+005C or U+007E. To
    continue, call again with the same encoder and ``text[consumed:]``. A lone surrogate is encoded as U+FFFD. Raise
    TypeError for a text that is not a str and for an encoder that is not an Encoder.
    https://encoding.spec.whatwg.org/#encode-or-fail

    >>> encoder = get_encoder("iso-2022-jp")
    >>> encode_or_fail("¥\\u2603~", encoder)
    EncodeOrFail(output=b'\\x1b(J\\\\', code_point=9731, consumed=2)
    >>> encode_or_fail("~", encoder)
    EncodeOrFail(output=b'\\x1b(B~', code_point=None, consumed=1)
    """
    if not isinstance(encoder, Encoder):
        raise TypeError(f"encoder must be an Encoder, such as get_encoder returns, not {type(encoder).__name__}")
    output, code_point, consumed = encode_to_first_error(encoder, text)
    if code_point is None:
        output += encoder.encode("", True)
    return EncodeOrFail(output, code_point, consumed)


def isomorphic_decode(data: Buffer) -> str:
    """Return the string whose code points are the values of the data's bytes.

    Raise TypeError for data without a contiguous buffer.
    https://infra.spec.whatwg.org/#isomorphic-decode

    >>> isomorphic_decode(b"\\x80\\xff")
    '\\x80ÿ'
    """
    return str(byte_view(data), "latin-1")


def isomorphic_encode(text: str) -> bytes:
    """Return the bytes whose values are the code points of ``text``.

    Raise UnicodeEncodeError for a code point above U+00FF, and TypeError for a text that is not a str.
    https://infra.spec.whatwg.org/#isomorphic-encode

    >>> isomorphic_encode("\\x80ÿ")
    b'\\x80\\xff'
    """
    return checked_str(text, "text").encode("latin-1")


# --- Indexes: chapter 5. The decoders' tables answer, so that an index is stored once ---

_KATAKANA = "iso-2022-jp-katakana"
_RANGES = "gb18030-ranges"
# Pointers of four bytes: where those of the Basic Multilingual Plane end, and where the others start.
_BMP_END = 39420
_ASTRAL_START = 189000
# The one pointer whose code point is not in the order of the ranges.
_EXCEPTION, _EXCEPTION_CODE_POINT = 7457, 0xE7C7


def _checked_int(value: object, name: str) -> int:
    """Return an integer unchanged. Raise TypeError, with the argument's name, for anything else."""
    if isinstance(value, int):
        return value
    raise TypeError(f"{name} must be an integer, not {type(value).__name__}")


def _readers() -> dict[str, tuple[Encoding, Pointers, range]]:
    """Return for each index the encoding that reads most of its pointers, their bytes, and the user-defined ones."""
    from ._pointers import HANDLERS  # imported here, since most programs call the hooks alone

    readers: dict[str, tuple[Encoding, Pointers, range]] = {}
    for name, handler in HANDLERS.items():
        for pointers in handler.indexes:
            size = len(b"".join(pointers.positions))
            if pointers.name not in readers or size > len(b"".join(readers[pointers.name][1].positions)):
                readers[pointers.name] = lookup(name), pointers, handler.user_defined
    del readers[_RANGES]
    return readers


@cache
def _code_points(index: str) -> array[int]:
    """Return the code points of an index by pointer; 0 is null."""
    if index == _KATAKANA:  # of which only the encoder makes use
        return array("I", map(ord, ISO_2022_JP.decode(ISO_2022_JP.encode("".join(map(chr, range(0xFF61, 0xFFA0)))))))
    readers = _readers()
    if index not in readers:
        names = ", ".join(sorted([*readers, _KATAKANA]))
        raise ValueError(f"unknown index {quote(index)}; the indexes are {names}")
    encoding, pointers, user_defined = readers[index]
    code_points = array("I")
    for trailing in product(*pointers.positions):
        text = encoding.decode(pointers.prefix + bytes(trailing))
        # An error gives U+FFFD, perhaps with a restored byte; four pointers of Big5 give two code points.
        code_points.append(0 if len(text) != 1 or text == "\ufffd" else ord(text))
    for pointer in user_defined:
        code_points[pointer] = 0
    return code_points


def index_entry(encoding: Encoding, sequence: bytes) -> tuple[str | None, int | None]:
    """Return the index that a sequence of bytes without an error is in, if any, and its pointer.

    Pointers of user-defined characters are in no index, and some sequences are mapped by a formula. In ISO-2022-JP only
    the characters of JIS X 0208 have two bytes.
    """
    from ._pointers import HANDLERS  # imported here, as above

    handler = HANDLERS[encoding.name]
    for pointers in handler.indexes:
        if pointers.length == len(sequence) and (pointer := pointers.pointer(sequence)) is not None:
            return None if pointer in handler.user_defined else pointers.name, pointer
    return None, None


_NO_POINTER = 0xFFFF  # more than any pointer is


@cache
def _pointers(index: str) -> dict[int, array[int]]:
    """Return the first pointers of an index's code points: 256 of them by their low byte, by the rest of their bits."""
    blocks: dict[int, array[int]] = {}
    for pointer, code_point in enumerate(_code_points(index)):
        if code_point:
            high, low = divmod(code_point, 256)
            block = blocks.setdefault(high, array("H", [_NO_POINTER] * 256))
            block[low] = min(block[low], pointer)
    return blocks


def index_code_point(index: str, pointer: int) -> int | None:
    """Return the code point of a pointer in an index, or None if it has none.

    ``index`` is a name of the standard's: "big5", "euc-kr", "gb18030", "jis0208", "jis0212", "iso-2022-jp-katakana", or
    that of a single-byte encoding in lowercase. Raise ValueError for another name, and TypeError for arguments of other
    types.
    https://encoding.spec.whatwg.org/#index-code-point

    >>> hex(index_code_point("jis0208", 283))
    '0x3042'
    """
    code_points = _code_points(checked_str(index, "index"))
    _checked_int(pointer, "pointer")
    return code_points[pointer] or None if 0 <= pointer < len(code_points) else None


def index_pointer(index: str, code_point: int) -> int | None:
    """Return the first pointer of a code point in an index, or None if it has none.

    ``index`` is that of ``index_code_point``. The encoders of Big5 and Shift_JIS exclude some pointers: see
    https://encoding.spec.whatwg.org/#index-big5-pointer and https://encoding.spec.whatwg.org/#index-shift_jis-pointer.
    Raise ValueError for another name, and TypeError for arguments of other types.
    https://encoding.spec.whatwg.org/#index-pointer

    >>> index_pointer("jis0208", ord("あ"))
    283
    """
    block = _pointers(checked_str(index, "index")).get(_checked_int(code_point, "code_point") >> 8)
    pointer = _NO_POINTER if block is None else block[code_point & 0xFF]
    return None if pointer == _NO_POINTER else pointer


def _four_bytes(pointer: int) -> bytes:
    rest, fourth = divmod(pointer, 10)
    rest, third = divmod(rest, 126)
    first, second = divmod(rest, 10)
    return bytes((0x81 + first, 0x30 + second, 0x81 + third, 0x30 + fourth))


def index_gb18030_ranges_code_point(pointer: int) -> int | None:
    """Return the code point of a pointer of four bytes in gb18030, or None if it has none.

    Raise TypeError for a pointer that is not an int.
    https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point

    >>> hex(index_gb18030_ranges_code_point(189000))
    '0x10000'
    """
    if 0 <= _checked_int(pointer, "pointer") < _BMP_END or _ASTRAL_START <= pointer <= _ASTRAL_START + 0xFFFFF:
        return ord(GB18030.decode(_four_bytes(pointer)))
    return None


@cache
def _range_code_points() -> array[int]:
    """Return the code points of the Basic Multilingual Plane by pointer, in whose order only the exception is not."""
    code_points = array("I", map(ord, GB18030.decode(b"".join(map(_four_bytes, range(_BMP_END))))))
    code_points[_EXCEPTION] = code_points[_EXCEPTION - 1] + 1
    return code_points


def index_gb18030_ranges_pointer(code_point: int) -> int:
    """Return the pointer of four bytes in gb18030 for a code point, which is meaningful if it has no two bytes.

    Raise ValueError for a code point below U+0080, for which the standard has no pointer, and above U+10FFFF.
    https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer

    >>> index_gb18030_ranges_pointer(0x10000)
    189000
    """
    if not 0x80 <= _checked_int(code_point, "code_point") <= 0x10FFFF:
        raise ValueError(f"code_point must be from U+0080 to U+10FFFF, not {code_point:#x}")
    if code_point >= 0x10000:
        return _ASTRAL_START + code_point - 0x10000
    if code_point == _EXCEPTION_CODE_POINT:
        return _EXCEPTION
    code_points = _range_code_points()
    pointer = bisect_right(code_points, code_point) - 1
    return pointer + code_point - code_points[pointer]


def __dir__() -> list[str]:
    return __all__
