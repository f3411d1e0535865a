"""The terms of the Encoding Standard: the hooks for other standards, and the indexes.

These are the functions of sections 5 and 6, by their names there, and `EncodeIntoResult` of section 7. All of them are
names of the package as well. Data without a contiguous buffer, and text that is not a str, raise a TypeError.

https://encoding.spec.whatwg.org/#specification-hooks
"""

from __future__ import annotations

from ._api.arguments import checked_str, get_an_encoding
from ._api.indexes import (
    index_code_point,
    index_gb18030_ranges_code_point,
    index_gb18030_ranges_pointer,
    index_pointer,
)
from ._api.indexes import index_entry as index_entry
from ._api.results import EncodeIntoResult, EncodeOrFail
from ._labels import UTF_8
from ._native.core import ISO_2022_JP_ESCAPES as ISO_2022_JP_ESCAPES
from ._native.core import Encoder, Encoding, bom_sniff, byte_view, decode, encode_to_first_error, sniff_bom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Buffer

__all__ = [
    "EncodeIntoResult", "EncodeOrFail", "bom_sniff", "decode", "encode", "encode_or_fail", "get_encoder",
    "index_code_point", "index_gb18030_ranges_code_point", "index_gb18030_ranges_pointer", "index_pointer",
    "isomorphic_decode", "isomorphic_encode", "utf8_decode", "utf8_decode_without_bom",
    "utf8_decode_without_bom_or_fail", "utf8_encode",
]  # fmt: skip


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


for _function in (index_code_point, index_gb18030_ranges_code_point, index_gb18030_ranges_pointer, index_pointer):
    _function.__module__ = __name__  # the public name, in tracebacks and pickles


def __dir__() -> list[str]:
    return __all__
