"""TextDecoder, TextEncoder and their streams, as JavaScript has them: section 7 of the Encoding Standard.

https://encoding.spec.whatwg.org/#api
"""

from __future__ import annotations

from collections.abc import AsyncIterable

from ._core import UnknownLabelError, quote
from ._hooks import byte_view
from ._labels import REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, lookup
from ._results import EncodeIntoResult

TYPE_CHECKING = False  # type checkers take a name spelt like this for true; typing is slow to import
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable, Iterator
    from typing import Literal, TypeVar, overload

    from typing_extensions import Buffer

    Chunk = TypeVar("Chunk")
    Output = TypeVar("Output", str, bytes)
else:

    def overload(function):
        """What ``typing.overload`` is for at run time: nothing."""
        return function


__all__ = ["EncodeIntoResult", "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream"]


class _TextDecoderCommon:
    """What a decoder of byte sequences and one of streams share.

    https://encoding.spec.whatwg.org/#interface-mixin-textdecodercommon
    """

    def __init__(self, label: str = "utf-8", *, fatal: bool = False, ignore_bom: bool = False) -> None:
        self._encoding = lookup(label)
        if self._encoding is REPLACEMENT:
            raise UnknownLabelError(f"{quote(label)} is a label of replacement, which no {type(self).__name__} decodes")
        self._errors: Literal["fatal", "replacement"] = "fatal" if fatal else "replacement"
        self._ignore_bom = bool(ignore_bom)
        self._drops_bom = not ignore_bom and self._encoding in (UTF_8, UTF_16BE, UTF_16LE)

    @property
    def encoding(self) -> str:
        """The encoding's name, ASCII lowercased. https://encoding.spec.whatwg.org/#dom-textdecoder-encoding"""
        return self._encoding.name.lower()

    @property
    def fatal(self) -> bool:
        """Whether an error is raised, not replaced. https://encoding.spec.whatwg.org/#dom-textdecoder-fatal"""
        return self._errors == "fatal"

    @property
    def ignore_bom(self) -> bool:
        """Whether a byte order mark stays in the text. https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom"""
        return self._ignore_bom

    def __repr__(self) -> str:
        options = [name for name in ("fatal", "ignore_bom") if getattr(self, name)]
        return f"{type(self).__name__}({', '.join([repr(self.encoding), *(f'{name}=True' for name in options)])})"


class _Decoding:
    """One input on its way: a decoder instance, and whether the place of a byte order mark is behind it.

    https://encoding.spec.whatwg.org/#textdecodercommon-bom-seen
    """

    __slots__ = ("_bom_seen", "_decoder")

    def __init__(self, common: _TextDecoderCommon) -> None:
        self._decoder = common._encoding.new_decoder(common._errors)
        self._bom_seen = not common._drops_bom

    def decode(self, data: Buffer, final: bool = False) -> str:
        """The next part of the text. https://encoding.spec.whatwg.org/#concept-td-serialize"""
        text = self._decoder.decode(data, final)
        if text and not self._bom_seen:
            self._bom_seen = True
            if text[0] == "\ufeff":
                return text[1:]
        return text


class TextDecoder(_TextDecoderCommon):
    """A decoder of whole byte sequences, or of parts that are said to be followed by more.

    ``label``: of any encoding but replacement; UnknownLabelError for one of none, or of replacement. ``fatal``: raise
    at an error instead of replacing it with U+FFFD. ``ignore_bom``: leave a byte order mark in the text. Only that of
    the encoding itself is known here: a byte order mark never chooses the encoding.
    https://encoding.spec.whatwg.org/#interface-textdecoder

    >>> decoder = TextDecoder("shift_jis")
    >>> decoder.decode(b"\\x82", stream=True) + decoder.decode(b"\\xa0")
    'あ'
    """

    def __init__(self, label: str = "utf-8", *, fatal: bool = False, ignore_bom: bool = False) -> None:
        super().__init__(label, fatal=fatal, ignore_bom=ignore_bom)
        self._unfinished: _Decoding | None = None  # the standard's "do not flush" is that there is one

    def decode(self, data: Buffer = b"", *, stream: bool = False) -> str:
        """The text of ``data``, after what earlier calls left over.

        ``stream``: more is to come, so that an incomplete sequence at the end waits for the next call. Without it the
        input ends here, and the next call starts anew; after an error it does, too. Raises UnicodeDecodeError at an
        error if ``fatal``, and TypeError for data without a contiguous buffer, which changes nothing.
        https://encoding.spec.whatwg.org/#dom-textdecoder-decode
        """
        decoding = self._unfinished
        if decoding is None:
            if not stream:  # all of it at once, as most inputs are
                text = self._encoding.decode(data, self._errors)
                return text[1:] if self._drops_bom and text[:1] == "\ufeff" else text
            decoding = _Decoding(self)
        try:
            text = decoding.decode(data, not stream)
        except UnicodeDecodeError:
            self._unfinished = None
            raise
        self._unfinished = decoding if stream else None
        return text


class TextEncoder:
    """An encoder to UTF-8. https://encoding.spec.whatwg.org/#interface-textencoder"""

    @property
    def encoding(self) -> str:
        """Always "utf-8". https://encoding.spec.whatwg.org/#dom-textencoder-encoding"""
        return "utf-8"

    def __repr__(self) -> str:
        return "TextEncoder()"

    def encode(self, text: str = "") -> bytes:
        """The UTF-8 bytes of ``text``. A lone surrogate becomes U+FFFD first.

        Raises TypeError for a text that is no str.
        https://encoding.spec.whatwg.org/#dom-textencoder-encode
        """
        return UTF_8.encode(text)

    def encode_into(self, text: str, buffer: Buffer) -> EncodeIntoResult:
        """UTF-16 code units read, and bytes written to ``buffer``: the whole characters for which it has room.

        The rest of the buffer is left as it was. Raises TypeError for a text that is no str and for a buffer that is
        read-only or not contiguous.
        https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto

        >>> room = bytearray(5)
        >>> TextEncoder().encode_into("a\\U0001f4a9b", room), room
        (EncodeIntoResult(read=3, written=5), bytearray(b'a\\xf0\\x9f\\x92\\xa9'))
        >>> TextEncoder().encode_into("a\\U0001f4a9b", bytearray(4))
        EncodeIntoResult(read=1, written=1)
        """
        target = _writable_bytes(buffer)
        room = len(target)
        # Every character takes a byte or more, so that no more of them than the room has bytes can matter. A surrogate
        # pair that this cuts is one of those that do not fit.
        output = UTF_8.encode(text[:room] if isinstance(text, str) else text)
        written = len(output)
        if written > room:
            written = room
            while output[written] & 0xC0 == 0x80:  # a continuation byte: its character does not fit
                written -= 1
            output = output[:written]
        target[:written] = output
        if output.isascii():
            return EncodeIntoResult(written, written)
        leads = output.translate(None, _CONTINUATION_BYTES)
        return EncodeIntoResult(len(leads) + len(leads.translate(None, _BELOW_FOUR_BYTE_LEADS)), written)


_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_BELOW_FOUR_BYTE_LEADS = bytes(range(0xF0))  # the rest begins what takes two UTF-16 code units


def _writable_bytes(buffer: Buffer) -> memoryview:
    view = byte_view(buffer)
    if "O" in memoryview(buffer).format:
        raise TypeError("buffer must be an array of bytes, not of Python objects")
    if isinstance(view, bytes) and view is not buffer:  # a buffer with which memoryview cannot do this without a copy
        raise TypeError("buffer must be an array of bytes, such as bytearray")
    if isinstance(view, bytes) or view.readonly:
        raise TypeError(f"buffer must be writable, and {type(buffer).__name__} is not")
    return view


class TextDecoderStream(_TextDecoderCommon):
    """A decoder of an iterable of byte chunks, sync or async, into text chunks. Parameters are those of TextDecoder.

    The object is called with the chunks and gives a generator, or an async generator for an async iterable, that asks
    for a chunk when it is asked for text, and never gives an empty one. Each call decodes an input of its own. At the
    end of the input an incomplete sequence is an error. A generator that is closed before the end, or that raises,
    closes its source.
    https://encoding.spec.whatwg.org/#interface-textdecoderstream

    >>> list(TextDecoderStream("sjis")([b"\\x82", b"", b"\\xa0\\x82\\xa2", b"\\x82"]))
    ['あい', '\\ufffd']
    """

    @overload
    def __call__(self, chunks: Iterable[Buffer]) -> Generator[str, None, None]: ...
    @overload
    def __call__(self, chunks: AsyncIterable[Buffer]) -> AsyncGenerator[str, None]: ...  # noqa: F811
    def __call__(  # noqa: F811
        self, chunks: Iterable[Buffer] | AsyncIterable[Buffer]
    ) -> Generator[str, None, None] | AsyncGenerator[str, None]:
        """The text of the chunks, chunk by chunk; raises UnicodeDecodeError at an error if ``fatal``."""
        if isinstance(chunks, (bytes, bytearray, memoryview, str)):
            raise TypeError(f"chunks must be an iterable of bytes-like objects, not one {type(chunks).__name__}")
        decode = _Decoding(self).decode
        return _transform(chunks, decode, lambda: decode(b"", True))


class TextEncoderStream:
    """An encoder of an iterable of text chunks, sync or async, into chunks of UTF-8 bytes.

    Called and closed like TextDecoderStream. A surrogate pair that two chunks split is one character; a lone surrogate
    is U+FFFD.
    https://encoding.spec.whatwg.org/#interface-textencoderstream

    >>> list(TextEncoderStream()(["\\ud83d", "\\udca9!"]))
    [b'\\xf0\\x9f\\x92\\xa9!']
    """

    @property
    def encoding(self) -> str:
        """Always "utf-8". https://encoding.spec.whatwg.org/#dom-textencoder-encoding"""
        return "utf-8"

    def __repr__(self) -> str:
        return "TextEncoderStream()"

    @overload
    def __call__(self, chunks: Iterable[str]) -> Generator[bytes, None, None]: ...
    @overload
    def __call__(self, chunks: AsyncIterable[str]) -> AsyncGenerator[bytes, None]: ...  # noqa: F811
    def __call__(  # noqa: F811
        self, chunks: Iterable[str] | AsyncIterable[str]
    ) -> Generator[bytes, None, None] | AsyncGenerator[bytes, None]:
        """The UTF-8 bytes of the chunks, chunk by chunk; raises TypeError at a chunk that is no str."""
        encode = UTF_8.new_encoder().encode
        return _transform(chunks, encode, lambda: encode("", True))


def _transform(
    chunks: Iterable[Chunk] | AsyncIterable[Chunk], transform: Callable[[Chunk], Output], flush: Callable[[], Output]
) -> Generator[Output, None, None] | AsyncGenerator[Output, None]:
    if isinstance(chunks, AsyncIterable):
        return _async_outputs(aiter(chunks), transform, flush)
    return _outputs(iter(chunks), transform, flush)


def _outputs(
    source: Iterator[Chunk], transform: Callable[[Chunk], Output], flush: Callable[[], Output]
) -> Generator[Output, None, None]:
    try:
        for chunk in source:
            if output := transform(chunk):
                yield output
    except BaseException:  # GeneratorExit too: nobody is going to ask for more
        if close := getattr(source, "close", None):
            close()
        raise
    if output := flush():
        yield output


async def _async_outputs(
    source: AsyncIterator[Chunk], transform: Callable[[Chunk], Output], flush: Callable[[], Output]
) -> AsyncGenerator[Output, None]:
    try:
        async for chunk in source:
            if output := transform(chunk):
                yield output
    except BaseException:  # GeneratorExit too: nobody is going to ask for more
        if close := getattr(source, "aclose", None):
            await close()
        raise
    if output := flush():
        yield output
