"""TextDecoder, TextEncoder and their streams, as in JavaScript: section 7 of the Encoding Standard.

https://encoding.spec.whatwg.org/#api
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator

from .._labels import REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, lookup
from .._native.core import (
    UnknownLabelError,
    _TextEncoder,
    byte_view,
    encode_utf_8_into,
    quote,
    resume_after_error,
)
from .results import EncodeIntoResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
    from typing import Literal, TypeVar, overload

    from typing_extensions import Buffer

    Chunk = TypeVar("Chunk")
    Output = TypeVar("Output", str, bytes)
else:

    def overload(function):
        """Return the function: ``typing.overload`` has no effect at run time."""
        return function


__all__ = ["EncodeIntoResult", "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream"]


class _TextDecoderCommon:
    """The common part of TextDecoder and TextDecoderStream.

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
        """Whether errors are raised instead of replaced. https://encoding.spec.whatwg.org/#dom-textdecoder-fatal"""
        return self._errors == "fatal"

    @property
    def ignore_bom(self) -> bool:
        """Whether a byte order mark stays in the text. https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom"""
        return self._ignore_bom

    def __repr__(self) -> str:
        options = [name for name in ("fatal", "ignore_bom") if getattr(self, name)]
        return f"{type(self).__name__}({', '.join([repr(self.encoding), *(f'{name}=True' for name in options)])})"


class _Decoding:
    """The state of one input: a decoder, and whether the position of a byte order mark has been passed.

    https://encoding.spec.whatwg.org/#textdecodercommon-bom-seen
    """

    __slots__ = ("_queue", "bom_seen", "decoder")

    def __init__(self, common: _TextDecoderCommon) -> None:
        self._queue = b""  # bytes after an error, which was raised before they were decoded
        self.decoder = common._encoding.new_decoder(common._errors)
        self.bom_seen = not common._drops_bom

    def decode(self, data: Buffer, final: bool = False) -> str:
        """Return the next part of the text. https://encoding.spec.whatwg.org/#concept-td-serialize"""
        if self._queue:
            data = self._queue + byte_view(data)
            self._queue = b""
        try:
            text = self.decoder.decode(data, final)
        except UnicodeDecodeError as error:
            self._queue = error.object[error.end :]
            resume_after_error(self.decoder)
            raise
        if text and not self.bom_seen:
            self.bom_seen = True
            if text[0] == "\ufeff":
                return text[1:]
        return text


class TextDecoder(_TextDecoderCommon):
    """A decoder of whole byte sequences, or of streams by ``stream=True``.

    ``label``: of any encoding except replacement. ``fatal``: raise at an error instead of replacing it with U+FFFD.
    ``ignore_bom``: keep the encoding's byte order mark in the text. A byte order mark never changes the encoding. Raise
    UnknownLabelError for a label of no encoding or of replacement.
    https://encoding.spec.whatwg.org/#interface-textdecoder

    >>> decoder = TextDecoder("shift_jis")
    >>> decoder.decode(b"\\x82", stream=True) + decoder.decode(b"\\xa0")
    'あ'
    """

    _unfinished: _Decoding | None = None  # set if and only if the standard's "do not flush" is
    _go_on: Callable[[Buffer], str] | None = None  # of it, where neither a mark nor an exception can come any more

    def decode(self, data: Buffer = b"", *, stream: bool = False) -> str:
        """Return the text of the pending bytes of earlier calls followed by ``data``.

        ``stream``: more data follows, so an incomplete sequence at the end is kept for the next call. Otherwise the
        input ends here, and the next call starts another one. Raise UnicodeDecodeError at an error if ``fatal``: the
        text before it in this call is lost, and with ``stream`` the next call continues after it. Raise TypeError for
        data without a contiguous buffer, which leaves the state unchanged.
        https://encoding.spec.whatwg.org/#dom-textdecoder-decode
        """
        if stream and self._go_on is not None:
            return self._go_on(data)
        decoding = self._unfinished
        if decoding is None:
            if not stream:  # the fast path: the whole input at once
                text = self._encoding.decode(data, self._errors)
                return text[1:] if self._drops_bom and text[:1] == "\ufeff" else text
            decoding = _Decoding(self)
        try:
            text = decoding.decode(data, not stream)
        except UnicodeDecodeError:
            self._unfinished = decoding if stream else None
            raise
        self._unfinished = decoding if stream else None
        is_plain = stream and decoding.bom_seen and self._errors == "replacement"
        self._go_on = decoding.decoder.decode if is_plain else None
        return text


class _TextEncoderCommon:
    """The common part of TextEncoder and TextEncoderStream.

    https://encoding.spec.whatwg.org/#interface-mixin-textencodercommon
    """

    @property
    def encoding(self) -> str:
        """Always "utf-8". https://encoding.spec.whatwg.org/#dom-textencoder-encoding"""
        return "utf-8"

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class TextEncoder(_TextEncoder, _TextEncoderCommon):
    """An encoder to UTF-8. https://encoding.spec.whatwg.org/#interface-textencoder"""

    def encode_into(self, text: str, buffer: Buffer) -> EncodeIntoResult:
        """Write as many whole characters to ``buffer`` as fit; return UTF-16 code units read, and bytes written.

        The rest of the buffer is unchanged. Raise TypeError for a text that is not a str and for a buffer that is
        read-only or not contiguous.
        https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto

        >>> buffer = bytearray(5)
        >>> TextEncoder().encode_into("a\\U0001f4a9b", buffer), buffer
        (EncodeIntoResult(read=3, written=5), bytearray(b'a\\xf0\\x9f\\x92\\xa9'))
        >>> TextEncoder().encode_into("a\\U0001f4a9b", bytearray(4))
        EncodeIntoResult(read=1, written=1)
        """
        return encode_utf_8_into(text, buffer, EncodeIntoResult)


class TextDecoderStream(_TextDecoderCommon):
    """A decoder of an iterable of byte chunks, sync or async, into text chunks.

    Arguments are those of ``TextDecoder``. Call the object with the chunks to get a generator, or an async generator
    for an async iterable, which reads chunks on demand and never yields an empty string. Each call decodes a separate
    input. At the end of the input an incomplete sequence is an error. A generator that is closed before the end, or
    that raises, closes its source.
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
        """Return a generator of the text of the chunks, which raises UnicodeDecodeError at an error if ``fatal``."""
        refuse_one_chunk(chunks)
        return outputs(open_chunks(chunks), whole_parts(_Decoding(self).decode), b"")


class TextEncoderStream(_TextEncoderCommon):
    """An encoder of an iterable of text chunks, sync or async, into chunks of UTF-8 bytes.

    Call and close it like TextDecoderStream. A surrogate pair split between chunks is one character; a lone surrogate
    is encoded as U+FFFD.
    https://encoding.spec.whatwg.org/#interface-textencoderstream

    >>> list(TextEncoderStream()(["\\ud83d", "\\udca9!"]))
    [b'\\xf0\\x9f\\x92\\xa9!']
    """

    @overload
    def __call__(self, chunks: Iterable[str]) -> Generator[bytes, None, None]: ...
    @overload
    def __call__(self, chunks: AsyncIterable[str]) -> AsyncGenerator[bytes, None]: ...  # noqa: F811
    def __call__(  # noqa: F811
        self, chunks: Iterable[str] | AsyncIterable[str]
    ) -> Generator[bytes, None, None] | AsyncGenerator[bytes, None]:
        """Return a generator of the UTF-8 bytes of the chunks, which raises TypeError at a chunk that is not a str."""
        refuse_one_chunk(chunks, "str")
        return outputs(open_chunks(chunks), whole_parts(UTF_8.new_encoder().encode), "")


def open_chunks(chunks: Iterable[Chunk] | AsyncIterable[Chunk]) -> Iterator[Chunk] | AsyncIterator[Chunk]:
    """Return the iterator over chunks, async if they are. Raise TypeError for an object that is not iterable."""
    if isinstance(chunks, AsyncIterable):
        return aiter(chunks)
    try:
        return iter(chunks)
    except TypeError:
        raise TypeError(f"chunks must be an iterable, sync or async, not {type(chunks).__name__}") from None


def refuse_one_chunk(chunks: object, items: str = "bytes-like objects") -> None:
    """Raise TypeError for data in place of an iterable of it."""
    if isinstance(chunks, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"chunks must be an iterable of {items}, not one {type(chunks).__name__}")


def whole_parts(convert: Callable[[Chunk, bool], Output]) -> Callable[[Chunk, bool], tuple[Output, ...]]:
    """Return the function for `outputs` that converts a chunk to one part at most."""

    def feed(chunk: Chunk, final: bool) -> tuple[Output, ...]:
        return (output,) if (output := convert(chunk, final)) else ()

    return feed


def outputs(
    source: Iterator[Chunk] | AsyncIterator[Chunk],
    feed: Callable[[Chunk, bool], Iterable[Output]],
    end: Chunk,
    errors: type[BaseException] = BaseException,
) -> Generator[Output, None, None] | AsyncGenerator[Output, None]:
    """Return a generator, async if the source is, of the parts that ``feed`` makes of each chunk, and last of ``end``.

    If it raises one of ``errors``, it closes the source: by default any, and so also if it is closed itself.
    """

    def of_sync(source: Iterator[Chunk]) -> Generator[Output, None, None]:
        try:
            for chunk in source:
                yield from feed(chunk, False)
            yield from feed(end, True)
        except errors:
            if close := getattr(source, "close", None):
                close()
            raise

    async def of_async(source: AsyncIterator[Chunk]) -> AsyncGenerator[Output, None]:
        try:
            async for chunk in source:
                for output in feed(chunk, False):
                    yield output
            for output in feed(end, True):
                yield output
        except errors:
            if close := getattr(source, "aclose", None):
                await close()
            raise

    return of_async(source) if isinstance(source, AsyncIterator) else of_sync(source)
