"""Decode chunks in a context: an iterator over parts of the text, which decides as early as the bytes allow."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator

from .._api.text import open_chunks, outputs, refuse_one_chunk
from .._native.core import Encoding, byte_view, origin_of
from .._native.prescan import BOM_POLICIES, Determination, MetaScan, Sniffed
from .._sniff.arguments import LIMIT, options_of
from .._sniff.binary import Mixture
from .._sniff.declarations import declared_in_header
from .._sniff.guessing import is_no_text
from .plan import Plan, check_hints, fallback_steps, plan_of
from .start import Start

TYPE_CHECKING = False  # so that typing is not imported
if TYPE_CHECKING:
    from typing import Any, Literal, NamedTuple, NoReturn

    from typing_extensions import Buffer

    from .._native.prescan import Confidence
    from .._sniff.hints import Chunks, ContentType

    class LateMeta(NamedTuple):
        action: Literal["none", "switch", "decode-again"]
        encoding: Encoding
        start: int
        end: int

else:  # as in _api.results
    LateMeta = namedtuple("LateMeta", "action encoding start end")
LateMeta.__doc__ = """A ``meta`` that changes the HTML parser's encoding: the prescan missed it, or read it differently.

    ``action``: "none" (it confirms the encoding), "switch" (all text so far is the same in ``encoding``: ``switch()``
    uses it for the rest) or "decode-again" (from the first byte, with ``known=encoding``). ``start``, ``end``: the
    offsets of the tag's bytes.
    https://html.spec.whatwg.org/#change-the-encoding
    """


def _crawl_start(
    *,
    content_type: ContentType = None,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Start:
    """Return the start of a stream of unknown encoding. Raise what ``sniff.crawl`` raises for the hints."""
    options = options_of(limit, tld, exclude, candidates)
    header = declared_in_header(content_type)
    from .._native.detect import choose

    def look(data: bytes, final: bool) -> tuple[Sniffed, int]:
        sniffed, mark = choose(data, header, options, True, final)
        source = origin_of(data, sniffed, is_no_text)
        return sniffed if source == sniffed.source else sniffed._replace(source=source), mark

    return Start(look, options.limit)


class DecodeStream(Iterator[str], AsyncIterator[str]):
    """The result of ``decode_stream``: an iterator, asynchronous for asynchronous chunks, over parts of the text.

    Create it with ``decode_stream``, whose arguments it takes, with ``hints`` as a dictionary.

    ``encoding``, ``confidence`` and ``source`` are None until they are known: with the first part of the text, or where
    a detector decides, with the first part that is not ASCII, or at the end. ``late_meta`` is None, or a declaration
    found after that; the text up to the end of its tag is a part of its own, so that the caller can act on it.
    ``source`` of "crawl" becomes "binary" once the bytes show it, as that of ``decode_crawled``.

    ``close``, ``aclose``, an error and the end of a ``with`` or ``async with`` block also close the chunks, if they
    have such a method.
    """

    encoding: Encoding | None = None
    confidence: Confidence | None = None
    source: str | None = None
    late_meta: LateMeta | None = None

    def __init__(self, context_id: str, chunks: Chunks, hints: dict[str, Any]) -> None:
        refuse_one_chunk(chunks)
        self._start: Start | None = None
        self._mixture = Mixture() if context_id == "crawl" else None
        if context_id == "crawl":
            check_hints(context_id, hints, (_crawl_start.__kwdefaults__ or {}).keys())
            self._start = _crawl_start(**hints)
            self._plan = Plan(None, BOM_POLICIES["sniffing"], "replacement", None, False)
        elif context_id == "decode":
            check_hints(context_id, hints, {"fallback"})
            self._plan = Plan(fallback_steps(**hints), BOM_POLICIES["sniffing"], "replacement", None, False)
        else:
            self._plan = plan_of(context_id, hints)
        plan = self._plan
        self._determination = None if plan.steps is None else Determination(plan.steps, plan.bom)
        self._meta_scan: MetaScan | None = None
        self._ascii = True
        self._mark = 0  # bytes of a mark that the start removes
        self._undecided = bytearray()  # bytes that do not decide on the encoding yet
        self._decode: Callable[[Buffer, bool], str] | None = None
        self._source = open_chunks(chunks)
        # At GeneratorExit the generator closes nothing, since `close` closes the source itself.
        self._texts = outputs(self._source, self._feed, b"", Exception)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a DecodeStream cannot be pickled, since its chunks cannot be read twice; "
            "call decode_stream in the process that reads them"
        )

    def __next__(self) -> str:
        if isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are asynchronous: use async for")
        return next(self._texts)

    async def __anext__(self) -> str:
        if not isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are not asynchronous: use for")
        return await anext(self._texts)

    def close(self) -> None:
        """Stop the iteration and close the chunks. Raise TypeError if they are asynchronous."""
        if isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are asynchronous: use aclose")
        self._texts.close()
        if close := getattr(self._source, "close", None):
            close()

    async def aclose(self) -> None:
        """Stop the iteration and close the chunks, asynchronous or not."""
        if not isinstance(self._texts, AsyncGenerator):
            self.close()
            return
        await self._texts.aclose()
        if close := getattr(self._source, "aclose", None):
            await close()

    def __enter__(self) -> DecodeStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    async def __aenter__(self) -> DecodeStream:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    def switch(self) -> None:
        """Use the encoding of ``late_meta`` for the rest. Raise ValueError unless its action is "switch"."""
        if self.late_meta is None or self.late_meta.action != "switch":
            raise ValueError('there is no late_meta with the action "switch"')
        self.encoding, self.confidence, self.source = self.late_meta.encoding, "certain", "meta"
        self._decode = self.encoding.new_decoder(self._plan.errors).decode

    def _feed(self, chunk: Buffer, final: bool) -> Iterator[str]:
        """Yield the parts of the text that these bytes complete, none of them empty."""
        data = byte_view(chunk)
        if self._decode is None:
            if self._start is None:
                data = self._determine(data, final)
            if self._start is not None:
                passed = self._begin(self._start, data, final)
                yield from self._texts_of(passed, False, lambda data, final: str(byte_view(data), "ascii"))
                data = b"" if self._decode is None else self._start.rest()[self._mark :]
            if self._decode is None:
                return
        yield from self._texts_of(data, final, self._decode)

    def _texts_of(self, data: bytes | memoryview, final: bool, decode: Callable[[Buffer, bool], str]) -> Iterator[str]:
        """Yield the text of bytes, the part up to a late meta's end by itself."""
        if self._mixture is not None and self._mixture.sign(data) is not None:
            self._mixture = None
            self.source = "binary"
        if self._meta_scan is not None:
            end = self._look_for_meta(data)
            if end is not None:
                if text := decode(data[:end], False):
                    yield text
                data = data[end:]
                decode = self._decode or decode  # the caller may have called switch() meanwhile
        if text := decode(data, final):
            yield text

    def _determine(self, data: bytes | memoryview, final: bool) -> bytes:
        """Return the bytes to decode and set ``_decode`` if the encoding is known, else return no bytes.

        If a detector decides on some of the bytes, set ``_start`` and return all bytes so far.
        """
        plan = self._plan
        self._undecided += data
        if plan.input is not None:
            # An escape may cross any chunk's end, so the whole input is buffered. No context with escapes is streamed.
            if not final:
                return b""
            self._undecided = bytearray(plan.input(bytes(self._undecided)))
        determination = self._determination
        if determination is None:
            content = bytes(self._undecided)
            self.confidence, self.source = "certain", "context"
            self._decode = lambda data, final: str(byte_view(data), "latin-1")
        else:
            sniffed = determination.look(self._undecided, final)
            if sniffed is not None:
                content = bytes(self._undecided[determination.bom_length :])
                self._decide(sniffed)
            elif determination.detector_limit:
                content = bytes(self._undecided)
                self._start = Start(lambda data, _: (determination.detected(data), 0), determination.detector_limit)
                self._meta_scan = MetaScan() if plan.looks_for_meta else None
            else:
                return b""
        self._undecided = bytearray()
        return content

    def _begin(self, start: Start, data: bytes | memoryview, final: bool) -> bytes:
        """Return ASCII that any encoding decodes alike, and set ``_decode`` if the encoding is known."""
        passed, sniffed, self._mark = start.feed(data, final)
        if sniffed is not None:
            self._decide(sniffed)
        return passed

    def _decide(self, sniffed: Sniffed) -> None:
        is_mixed = self.source == "binary"  # as ASCII before has shown
        self.encoding, self.confidence = sniffed[:2]
        self.source = "binary" if is_mixed else sniffed.source
        if self._mixture is not None:
            self._mixture.encoding = sniffed.encoding
        self._decode = sniffed.encoding.new_decoder(self._plan.errors).decode
        # Only a tentative encoding can change. In one that is not ASCII-compatible, the bytes of a tag may be other
        # text.
        if self._plan.looks_for_meta and sniffed.confidence == "tentative" and sniffed.encoding.is_ascii_compatible:
            self._meta_scan = self._meta_scan or (MetaScan() if self.late_meta is None else None)
        else:
            self._meta_scan = None

    def _look_for_meta(self, data: bytes | memoryview) -> int | None:
        """Set ``late_meta`` if a tag in these bytes requires it, and return the tag's end in them; else return None."""
        assert self._meta_scan is not None
        before = self._meta_scan.end
        encoding = self._meta_scan.feed(data)
        if encoding is None:
            self._ascii = self._ascii and bytes(data).isascii()
            return None
        start, end = self._meta_scan.start, self._meta_scan.end
        self._meta_scan = None  # the confidence becomes certain
        if encoding is self.encoding:
            if self._determination is not None and self._determination.span == (start, end):
                return None  # the one that the prescan found
            self.late_meta = LateMeta("none", encoding, start, end)
        elif encoding.is_ascii_compatible and self._ascii and bytes(data[: end - before]).isascii():
            self.late_meta = LateMeta("switch", encoding, start, end)
        else:
            self.late_meta = LateMeta("decode-again", encoding, start, end)
        return end - before
