"""The hooks for other standards: section 6 of the Encoding Standard.

https://encoding.spec.whatwg.org/#specification-hooks
"""

from __future__ import annotations

from ._core import Encoding
from ._labels import UTF_8, UTF_16BE, UTF_16LE, lookup
from ._results import Decoded, EncodeOrFail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._core import Encoder

__all__ = [
    "bom_sniff",
    "decode",
    "encode",
    "encode_or_fail",
    "get_encoder",
    "isomorphic_decode",
    "isomorphic_encode",
    "utf8_decode",
    "utf8_decode_without_bom",
    "utf8_decode_without_bom_or_fail",
    "utf8_encode",
]


def get_an_encoding(encoding: Encoding | str) -> Encoding:
    """An encoding, from itself or from a label.

    Raises UnknownLabelError for a label of none and TypeError for anything else.
    https://encoding.spec.whatwg.org/#concept-encoding-get
    """
    return encoding if type(encoding) is Encoding else lookup(encoding)


def byte_view(data: Buffer) -> bytes | memoryview:
    """The bytes of an object with a contiguous buffer, to be sliced by bytes whatever its items are.

    Raises TypeError for anything else.
    """
    if type(data) is bytes:
        return data
    if isinstance(data, str):
        raise TypeError("data must be bytes-like, not str")
    view = memoryview(data)
    if not view.contiguous:
        raise TypeError("data must be contiguous: a buffer with strides or gaps has no order of bytes to decode")
    if view.format == "B" and view.ndim == 1:
        return view
    try:
        return view.cast("B")
    except TypeError:  # an empty one, a foreign byte order, Fortran order, a structure: memoryview does not cast those
        return view.tobytes("A")


def bom_sniff(data: Buffer) -> Encoding | None:
    """The encoding that the byte order mark at the start names, or None where there is none.

    Raises TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#bom-sniff

    >>> bom_sniff(b"\\xff\\xfea\\x00")
    <Encoding UTF-16LE>
    >>> bom_sniff("\\ufeff".encode("gb18030")) is None
    True
    """
    view = byte_view(data)
    if not view or view[0] < 0xEF:
        return None
    head = bytes(view[:3])
    if head == b"\xef\xbb\xbf":
        return UTF_8
    if head[:2] == b"\xfe\xff":
        return UTF_16BE
    return UTF_16LE if head[:2] == b"\xff\xfe" else None


def decode(data: Buffer, fallback: Encoding | str) -> Decoded:
    """The text of ``data`` and the encoding used: the one that a byte order mark names, else ``fallback``.

    The byte order mark is dropped, and only one. Errors become U+FFFD. Raises UnknownLabelError, even where a byte
    order mark makes the fallback idle, and TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#decode

    >>> decode(b"\\x82\\xa0", "shift_jis")
    Decoded(text='あ', encoding=<Encoding Shift_JIS>)
    >>> decode(b"\\xef\\xbb\\xbf\\xe3\\x81\\x82", "shift_jis")
    Decoded(text='あ', encoding=<Encoding UTF-8>)
    """
    encoding = get_an_encoding(fallback)
    bom_encoding = bom_sniff(data)
    if bom_encoding is None:
        return Decoded(encoding.decode(data), encoding)
    bom_length = 3 if bom_encoding is UTF_8 else 2
    return Decoded(bom_encoding.decode(memoryview(byte_view(data))[bom_length:]), bom_encoding)


def encode(text: str, encoding: Encoding | str) -> bytes:
    """The bytes of ``text``, in which a code point without bytes is a decimal character reference, such as ``&#9731;``.

    Such a reference cannot be told from one that was in the text: this is for HTML forms. Use UTF-8, which has every
    code point. Raises UnknownLabelError, and EncoderUnavailableError for replacement and UTF-16BE/LE: see
    ``Encoding.output_encoding``.
    https://encoding.spec.whatwg.org/#encode

    >>> encode("Snow\\u2603", "windows-1252")
    b'Snow&#9731;'
    """
    return get_an_encoding(encoding).encode(text)


def utf8_decode(data: Buffer) -> str:
    """The text of UTF-8 bytes without their byte order mark, if they have one. Errors become U+FFFD.

    Raises TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#utf-8-decode

    >>> utf8_decode(b"\\xef\\xbb\\xbfa\\xff")
    'a\\ufffd'
    """
    return UTF_8.decode(memoryview(byte_view(data))[3:] if bom_sniff(data) is UTF_8 else data)


def utf8_decode_without_bom(data: Buffer) -> str:
    """The text of UTF-8 bytes; a byte order mark stays in it, as U+FEFF. Errors become U+FFFD.

    Raises TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#utf-8-decode-without-bom

    >>> utf8_decode_without_bom(b"\\xef\\xbb\\xbfa")
    '\\ufeffa'
    """
    return UTF_8.decode(data)


def utf8_decode_without_bom_or_fail(data: Buffer) -> str:
    """The text of UTF-8 bytes that have no error; a byte order mark stays in it, as U+FEFF.

    Raises UnicodeDecodeError at the first error, and TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail
    """
    return UTF_8.decode(data, "fatal")


def utf8_encode(text: str) -> bytes:
    """The UTF-8 bytes of ``text``. A lone surrogate becomes U+FFFD first.

    https://encoding.spec.whatwg.org/#utf-8-encode

    >>> utf8_encode("\\ud800")
    b'\\xef\\xbf\\xbd'
    """
    return UTF_8.encode(text)


def get_encoder(encoding: Encoding | str) -> Encoder:
    """A new encoder, for ``encode_or_fail``.

    Raises UnknownLabelError, and EncoderUnavailableError for replacement and UTF-16BE/LE.
    https://encoding.spec.whatwg.org/#get-an-encoder
    """
    return get_an_encoding(encoding).new_encoder()


def encode_or_fail(text: str, encoder: Encoder) -> EncodeOrFail:
    """The bytes of ``text`` up to the first code point that has none, that code point, and where to go on.

    ``text`` ends with end-of-queue, as it does in URL percent-encoding: a call that meets no error brings an
    ISO-2022-JP encoder back to its ASCII state, and its bytes ``ESC ( B`` are in the output. A call that fails leaves
    the state alone, which may be ASCII or Roman: what the caller writes in place of the error must not be U+005C or
    U+007E. Keep the encoder and call again with ``text[consumed:]``. A lone surrogate is U+FFFD, as everywhere. Raises
    TypeError for a text that is no str.
    https://encoding.spec.whatwg.org/#encode-or-fail

    >>> encoder = get_encoder("iso-2022-jp")
    >>> encode_or_fail("¥\\u2603~", encoder)
    EncodeOrFail(output=b'\\x1b(J\\\\', code_point=9731, consumed=2)
    >>> encode_or_fail("~", encoder)
    EncodeOrFail(output=b'\\x1b(B~', code_point=None, consumed=1)
    """
    output, code_point, consumed = encoder._encode_until_error(text, 0)
    if code_point is None:
        output += encoder.encode("", True)
    return EncodeOrFail(output, code_point, consumed)


def isomorphic_decode(data: Buffer) -> str:
    """The string whose code points are the values of the bytes.

    Raises TypeError for data without a contiguous buffer.
    https://infra.spec.whatwg.org/#isomorphic-decode

    >>> isomorphic_decode(b"\\x80\\xff")
    '\\x80ÿ'
    """
    return str(byte_view(data), "latin-1")


def isomorphic_encode(text: str) -> bytes:
    """The bytes whose values are the code points of ``text``.

    Raises UnicodeEncodeError for a code point above U+00FF.
    https://infra.spec.whatwg.org/#isomorphic-encode

    >>> isomorphic_encode("\\x80ÿ")
    b'\\x80\\xff'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    return text.encode("latin-1")
