"""The named tuples that the hooks and the JavaScript-like API return.

Only type checkers see ``NamedTuple``, since importing ``typing`` takes longer than importing this package; at run time
the classes are made by ``collections.namedtuple``.
"""

from __future__ import annotations

from collections import namedtuple

from .._native.core import count_newlines, decode_to_utf8_counted, new_decoded

__all__ = ["Decoded", "DecodedUTF8", "EncodeIntoResult", "EncodeOrFail", "MalformedAt"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final, NamedTuple, TypeAlias

    from .._native.core import Encoding
    from .._native.prescan import Confidence, Sniffed

    ErrorRecord: TypeAlias = tuple[int, int, bytes, str]
    """An item of a log of `record_errors`: offset, index in the text, bytes and reason."""

    class _Decoded(NamedTuple):
        text: str
        encoding: Encoding

    class _DecodedUTF8(NamedTuple):
        data: bytes
        encoding: Encoding

    class EncodeOrFail(NamedTuple):
        output: bytes
        code_point: int | None
        consumed: int

    class EncodeIntoResult(NamedTuple):
        read: int
        written: int

    class MalformedAt(NamedTuple):
        offset: int
        line: int
        column: int
        bytes: bytes
        replacement: str

else:
    _Decoded = namedtuple("_Decoded", "text encoding")
    _DecodedUTF8 = namedtuple("_DecodedUTF8", "data encoding")
    EncodeOrFail = namedtuple("EncodeOrFail", "output code_point consumed")
    EncodeIntoResult = namedtuple("EncodeIntoResult", "read written")
    MalformedAt = namedtuple("MalformedAt", "offset line column bytes replacement")


_REPLACEMENT: Final = "\ufffd"


class Position:
    """A position in a text: line and column, counted from 1. Lines end at U+000A; columns are code points."""

    __module__ = "whatwg_encoding.malformed"  # the public name

    def __init__(self, start: Position | None = None) -> None:
        self.line: int = start.line if start else 1
        self.column: int = start.column if start else 1

    def advance(self, text: str) -> None:
        """Move to the end of a text that starts at the position."""
        lines = count_newlines(text)
        self.line += lines
        self.column = len(text) - text.rindex("\n") if lines else self.column + len(text)

    def advance_utf_8(self, data: bytes) -> None:
        """Move to the end of a text that is given in UTF-8."""
        lines = count_newlines(data)
        self.line += lines
        self.column = (1 if lines else self.column) + len(data[data.rfind(b"\n") + 1 :].decode())


def located_errors(
    text: str, log: Iterable[ErrorRecord], offset: int = 0, position: Position | None = None
) -> Iterator[tuple[MalformedAt, str]]:
    """Yield the records and reasons of the errors in a log.

    ``text``: that of the log. ``offset``: that of its first byte in the file. ``position``: that of its start, which is
    moved to the end of the last error.
    """
    position = position or Position()
    end = 0
    for error_offset, index, malformed, reason in log:
        position.advance(text[end:index])
        yield MalformedAt(offset + error_offset, position.line, position.column, malformed, _REPLACEMENT), reason
        position.advance(_REPLACEMENT)
        end = index + 1


located_errors.__module__ = "whatwg_encoding.malformed"


class Decoded(_Decoded):
    """The result of decoding, which unpacks: ``text, encoding = decode(data, "utf-8")``.

    ``errors``: the number of errors replaced with U+FFFD. ``source``: what decided on the encoding, as in
    ``sniff.Sniffed``; "fallback" or "bom" for ``decode``. ``confidence``: "certain", "tentative" or "irrelevant".
    https://encoding.spec.whatwg.org/#decode
    """

    # Defaults on the class save memory: an instance has a dictionary only if it differs from them.
    errors: int = 0
    source: str = "fallback"
    confidence: Confidence = "certain"
    _log: list[ErrorRecord] | tuple[MalformedAt, ...] = ()  # the latter after `first_errors` was asked for

    def __new__(
        cls,
        text: str,
        encoding: Encoding,
        errors: int = 0,
        source: str = "fallback",
        confidence: Confidence = "certain",
    ) -> Decoded:
        return new_decoded(cls, text, encoding, errors, source, confidence)

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        """Where the errors are: a ``MalformedAt`` for each of at most 16. Computed when it is first asked for."""
        if isinstance(self._log, list):
            self._log = tuple(error for error, _ in located_errors(self.text, self._log))
        return self._log

    def __repr__(self) -> str:
        return f"Decoded(text={self.text!r}, encoding={self.encoding!r}, errors={self.errors}, source={self.source!r})"

    def _replace(self, **fields: Any) -> Decoded:
        replaced = super()._replace(**fields)
        vars(replaced).update(vars(self), _log=self.first_errors)
        return replaced


class DecodedUTF8(_DecodedUTF8):
    """The result of decoding to UTF-8: a pair ``data, encoding``, with attributes for errors and the choice.

    ``data``: the UTF-8 bytes, without a byte order mark. ``encoding``: the one that the source was in. ``errors``: the
    number of errors replaced with U+FFFD. ``source``: what decided on the encoding, as in ``sniff.Sniffed``.
    """

    errors: int = 0
    source: str = "fallback"

    def __new__(cls, data: bytes, encoding: Encoding, errors: int, source: str) -> DecodedUTF8:
        return new_decoded(cls, data, encoding, errors, source)

    def __getnewargs__(self) -> tuple[bytes, Encoding, int, str]:
        return (*self, self.errors, self.source)

    def __repr__(self) -> str:
        return (
            f"DecodedUTF8(data={self.data!r}, encoding={self.encoding!r}, errors={self.errors}, source={self.source!r})"
        )


def decoded_utf_8(content: bytes | memoryview, sniffed: Sniffed) -> DecodedUTF8:
    """Return content without a byte order mark as UTF-8, in the encoding that was determined."""
    data, errors = decode_to_utf8_counted(content, sniffed.encoding)
    return new_decoded(DecodedUTF8, data, sniffed.encoding, errors, sniffed.source)


for _result in (Decoded, DecodedUTF8, EncodeOrFail, EncodeIntoResult, MalformedAt):
    _result.__module__ = "whatwg_encoding"  # the public name, in pickles

EncodeOrFail.__doc__ = """The result of ``encode_or_fail``.

    ``output``: the bytes of the text before the error. ``code_point``: the one that the encoding lacks, or None at the
    end of the text. ``consumed``: the index in the text after that code point, at which the next call starts.

    https://encoding.spec.whatwg.org/#encode-or-fail
    """
EncodeIntoResult.__doc__ = """The result of ``TextEncoder.encode_into``: UTF-16 code units read, and bytes written.

    https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult
    """
MalformedAt.__doc__ = """An error of a decoder: where it is, and what replaced it.

    ``offset``: that of its first byte in the data or the file. ``line``, ``column``: of the text, from 1; lines end at
    U+000A, and a column is a code point. ``bytes``: those of the error. ``replacement``: the text that replaces them.

    https://encoding.spec.whatwg.org/#concept-encoding-process
    """
