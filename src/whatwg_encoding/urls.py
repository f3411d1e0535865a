"""Encodings in URLs and forms: percent-encoding, ``application/x-www-form-urlencoded``, form submission.

https://url.spec.whatwg.org/#percent-encoded-bytes
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from ._api.arguments import checked_pair, checked_str, get_an_encoding, named
from ._labels import UTF_8
from ._native.core import Encoding, byte_view, encode_to_first_error, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from typing_extensions import Buffer

    Tuples: TypeAlias = Mapping[str, str] | Iterable[tuple[str, str]]

__all__ = [
    "fill_in_charset", "form_encoding", "multipart_name", "parse_form", "percent_decode",
    "percent_encode_after_encoding", "query_encoding", "serialize_form",
]  # fmt: skip

# https://url.spec.whatwg.org/#special-scheme
_SPECIAL_SCHEMES = frozenset({"ftp", "file", "http", "https", "ws", "wss"})

_C0_CONTROL = frozenset(range(0x20)) | frozenset(range(0x7F, 0x100))
_QUERY = _C0_CONTROL | frozenset(b' "#<>')
_PATH = _QUERY | frozenset(b"?^`{}")
_USERINFO = _PATH | frozenset(b"/:;=@[\\]|")
_COMPONENT = _USERINFO | frozenset(b"$%&+,")
_PERCENT_ENCODE_SETS = {
    "c0-control": _C0_CONTROL,
    "fragment": _C0_CONTROL | frozenset(b' "<>`'),
    "query": _QUERY,
    "special-query": _QUERY | frozenset(b"'"),
    "path": _PATH,
    "userinfo": _USERINFO,
    "component": _COMPONENT,
    "form-urlencoded": _COMPONENT | frozenset(b"!'()~"),
}


@cache
def _byte_table(percent_encode_set: str, space_as_plus: bool) -> tuple[bytes, list[str]]:
    """Return the bytes that stay as they are, and the text of each byte. Raise KeyError for an unknown set."""
    encode_set = _PERCENT_ENCODE_SETS[percent_encode_set] | ({0x20} if space_as_plus else set())
    table = [f"%{byte:02X}" if byte in encode_set else chr(byte) for byte in range(0x100)]
    if space_as_plus:
        table[0x20] = "+"
    return bytes(byte for byte in range(0x100) if byte not in encode_set), table


_PIECE = 1 << 13  # code points in which an encoder looks for an error
_SLICE = 1 << 18  # bytes decoded between two checks for signals
_ASCII_WHITESPACE = re.compile("[\t\n\f\r ]+")


def percent_encode_after_encoding(
    encoding: Encoding | str, text: str, percent_encode_set: str, *, space_as_plus: bool = False
) -> str:
    """Encode ``text`` and return the bytes as ASCII text, with each byte in the percent-encode set as ``%XX``.

    ``space_as_plus``: the byte 0x20 becomes ``+``, as in forms. A code point that the encoding lacks becomes
    ``%26%23``, its decimal number and ``%3B``. Call this once for a whole string, since the encoder of ISO-2022-JP has
    state. Raise ValueError for an unknown set, UnknownLabelError for a label of no encoding, and
    EncoderUnavailableError for replacement and UTF-16BE/LE: see ``Encoding.output_encoding``.
    https://url.spec.whatwg.org/#string-percent-encode-after-encoding

    >>> percent_encode_after_encoding("shift_jis", "検索 a", "query")
    '%8C%9F%8D%F5%20a'
    """
    try:
        unchanged, table = _byte_table(percent_encode_set, space_as_plus)
    except (KeyError, TypeError):
        names = ", ".join(_PERCENT_ENCODE_SETS)
        raise ValueError(f"unknown percent-encode set {quote(percent_encode_set)}; the sets are {names}") from None
    return _percent_encoded(get_an_encoding(encoding), checked_str(text, "text"), unchanged, table)


def _percent_encoded(encoding: Encoding, text: str, unchanged: bytes, table: list[str]) -> str:
    """Return the encoded text with what a table has for each byte. ``unchanged``: bytes for which it has themselves."""
    if len(text) <= _PIECE:
        try:
            encoded = encoding.encode(text, "fatal")
        except UnicodeEncodeError:
            pass
        else:
            return _escaped(encoded, unchanged, table)
    encoder = encoding.new_encoder()
    output: list[str] = []
    # This is encode_or_fail without slicing the rest of the text at each error, which would take quadratic time.
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        position = 0
        while position < len(piece):
            encoded, code_point, position = encode_to_first_error(encoder, piece, position)
            output.append(_escaped(encoded, unchanged, table))
            if code_point is not None:
                # The URL's own characters, independent of the encoder and its state.
                output.append(f"%26%23{code_point}%3B")
    output.append(_escaped(encoder.encode("", True), unchanged, table))
    return "".join(output)


def _escaped(encoded: bytes, unchanged: bytes, table: list[str]) -> str:
    return "".join([table[byte] for byte in encoded]) if encoded.strip(unchanged) else encoded.decode("ascii")


def query_encoding(scheme: str, document: Encoding | str) -> Encoding:
    """Return the encoding of the query of a URL with this scheme (``"https"``, no colon) in a document.

    Legacy encodings apply only to special schemes other than ws and wss. Raise UnknownLabelError for a label of no
    encoding.
    https://url.spec.whatwg.org/#query-state

    >>> query_encoding("https", "sjis"), query_encoding("wss", "sjis")
    (<Encoding Shift_JIS>, <Encoding UTF-8>)
    """
    scheme = scheme.lower() if checked_str(scheme, "scheme").isascii() else scheme
    if scheme not in _SPECIAL_SCHEMES or scheme in ("ws", "wss"):
        return UTF_8
    return get_an_encoding(document).output_encoding


@cache
def _unquote_to_bytes() -> Callable[[bytes], bytes]:
    from urllib.parse import unquote_to_bytes  # imported here, since few programs need it

    return unquote_to_bytes


def percent_decode(data: Buffer) -> bytes:
    """Percent-decode bytes. A ``%`` without two hexadecimal digits is kept.

    Raise TypeError for data without a contiguous buffer.
    https://url.spec.whatwg.org/#percent-decode

    >>> percent_decode(b"%e3%81%82 100%")
    b'\\xe3\\x81\\x82 100%'
    """
    view, unquote_to_bytes = byte_view(data), _unquote_to_bytes()
    # In slices, so that signals are handled in between. The end of a slice does not split a percent-encoded byte.
    output = bytearray()
    start = 0
    while start < len(view):
        end = start + _SLICE
        percent = bytes(view[end - 2 : end]).find(b"%")
        if percent >= 0 and end < len(view):
            end += percent - 2
        output += unquote_to_bytes(bytes(view[start:end]))
        start = end
    return bytes(output)


def _decoded(data: bytes) -> bytes:
    return _unquote_to_bytes()(data) if len(data) <= _SLICE else percent_decode(data)


def form_component(data: bytes) -> bytes:
    """Return the bytes of one name or value of a form: replace ``+`` with a space and percent-decode.

    https://url.spec.whatwg.org/#concept-urlencoded-parser
    """
    return percent_decode(data.replace(b"+", b" "))


def parse_form(data: Buffer, encoding: Encoding | str | None = None) -> list[tuple[str, str]]:
    """Parse ``application/x-www-form-urlencoded`` bytes; return pairs of name and value. Errors become U+FFFD.

    Without ``encoding`` this is the standard's parser, which always uses UTF-8. With it, an extension, names and values
    are in its output encoding, as a page in a legacy encoding submits them, unless a field ``_charset_`` names another
    encoding: browsers fill in the form's encoding there. Character references are kept, since a user may have typed
    them. A field without ``=`` is a name with an empty value. Raise UnknownLabelError for a label of no encoding, and
    TypeError for data without a contiguous buffer.
    https://url.spec.whatwg.org/#concept-urlencoded-parser

    >>> parse_form(b"q=caf%C3%A9+x&empty")
    [('q', 'café x'), ('empty', '')]
    >>> parse_form(b"q=%93%FA&_charset_=Shift_JIS", encoding="windows-1252")
    [('q', '日'), ('_charset_', 'Shift_JIS')]
    """
    pairs: list[tuple[bytes, bytes]] = []
    for sequence in bytes(byte_view(data)).replace(b"+", b" ").split(b"&"):
        if sequence:
            name, _, value = sequence.partition(b"=")
            pairs.append((_decoded(name) if b"%" in name else name, _decoded(value) if b"%" in value else value))
    chosen = UTF_8 if encoding is None else _submitted(pairs, get_an_encoding(encoding)).output_encoding
    return [(chosen.decode(name), chosen.decode(value)) for name, value in pairs]


def _submitted(pairs: list[tuple[bytes, bytes]], fallback: Encoding) -> Encoding:
    """Return the encoding that the first valid ``_charset_`` field names, else the fallback.

    The field's name matches ASCII case-insensitively.
    https://html.spec.whatwg.org/#constructing-the-form-data-set
    """
    for name, value in pairs:
        if name.lower() == b"_charset_" and (encoding := named(value.decode("latin-1"))) is not None:
            return encoding
    return fallback


def serialize_form(tuples: Tuples, encoding: Encoding | str = "utf-8") -> str:
    """Return the ``application/x-www-form-urlencoded`` form of names and values, in ``encoding``'s output encoding.

    ``tuples``: pairs, or a mapping. Raise UnknownLabelError for a label of no encoding, and TypeError for other tuples.
    https://url.spec.whatwg.org/#concept-urlencoded-serializer

    >>> serialize_form([("q", "雪だ☃"), ("x", "")], "euc-jp")
    'q=%C0%E3%A4%C0%26%239731%3B&x='
    >>> serialize_form({"ab": "cd"})
    'ab=cd'
    """
    output = get_an_encoding(encoding).output_encoding

    table = _byte_table("form-urlencoded", True)
    return "&".join(
        [
            f"{_percent_encoded(output, name, *table)}={_percent_encoded(output, value, *table)}"
            for name, value in _pairs(tuples)
        ]
    )


def _pairs(tuples: Tuples) -> Iterator[tuple[str, str]]:
    return (checked_pair(pair, "tuples") for pair in (tuples.items() if isinstance(tuples, Mapping) else tuples))


def fill_in_charset(tuples: Tuples, encoding: Encoding | str) -> list[tuple[str, str]]:
    """Return the names and values of a form with the name of its encoding as the value of each field ``_charset_``.

    Browsers do so with hidden fields of that name, in any case of its letters. ``tuples``: pairs, or a mapping.
    ``encoding``: what ``form_encoding`` returns; of another one, the output encoding is named. Raise UnknownLabelError
    for a label of no encoding, and TypeError for other tuples.
    https://html.spec.whatwg.org/#constructing-the-form-data-set

    >>> fill_in_charset([("q", "日"), ("_charset_", "")], "sjis")
    [('q', '日'), ('_charset_', 'Shift_JIS')]
    """
    charset = get_an_encoding(encoding).output_encoding.name
    return [
        (name, charset if name.isascii() and name.lower() == "_charset_" else value) for name, value in _pairs(tuples)
    ]


_NEWLINE = re.compile("\r\n?|\n")


def multipart_name(name: str, encoding: Encoding | str, *, is_file_name: bool = False) -> bytes:
    """Return the bytes of a field's name in ``multipart/form-data``, for between the quotes of ``name="…"``.

    They are in the output encoding of ``encoding``, with a character reference for what it lacks. Newlines become CR
    LF, except in a file's name (``is_file_name``), for ``filename="…"``. Of the bytes, CR, LF and ``"`` are
    percent-encoded, also those of two-byte characters in ISO-2022-JP; nothing else is. Raise UnknownLabelError for a
    label of no encoding, and TypeError for a name that is not a str.
    https://html.spec.whatwg.org/#multipart-form-data

    >>> multipart_name('"日"\\n☃', "shift_jis")
    b'%22\\x93\\xfa%22%0D%0A&#9731;'
    """
    text = checked_str(name, "name")
    if not is_file_name:
        text = _NEWLINE.sub("\r\n", text)
    output = get_an_encoding(encoding).output_encoding.encode(text)
    return output.replace(b"\n", b"%0A").replace(b"\r", b"%0D").replace(b'"', b"%22")


def form_encoding(accept_charset: str | None, document: Encoding | str) -> Encoding:
    """Return the encoding in which a form is submitted, which is always an output encoding.

    ``accept_charset``: the value of the attribute, whose first label of an encoding is used, else UTF-8; None without
    the attribute, for the document's encoding. Raise UnknownLabelError if ``document`` is a label of no encoding.
    https://html.spec.whatwg.org/#picking-an-encoding-for-the-form

    >>> form_encoding("unknown sjis", "utf-8"), form_encoding(None, "utf-16")
    (<Encoding Shift_JIS>, <Encoding UTF-8>)
    """
    if accept_charset is None:
        return get_an_encoding(document).output_encoding
    encodings = map(named, _ASCII_WHITESPACE.split(checked_str(accept_charset, "accept_charset")))
    return next((encoding.output_encoding for encoding in encodings if encoding is not None), UTF_8)


def __dir__() -> list[str]:
    return __all__
