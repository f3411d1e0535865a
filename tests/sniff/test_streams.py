"""``decode_stream`` gives the result of ``decode_as`` for any chunks, as early as possible, and reports a late meta."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whatwg_encoding as we
from whatwg_encoding import sniff
from whatwg_encoding.contexts import LateMeta

from .support import asynchronous, byte_by_byte, chunks_of, joined, meta, outcome, pieces, streamed, vectors
from .test_against_reference import CSS, MARKUP

SPECIFIED = [row.id for row in we.CONTEXTS.values() if row.determination or row.spec_operation]

PARTS = [
    *MARKUP, *CSS[-8:], b"%41", b"%E3%81%82", b"+", b'\x1b$B$"\x1b(B', b"\x82\xa0", b"\xe3\x81\x82",
    b"\x84\x31\x95\x33",
]  # fmt: skip
PARTS += [b"\xff\xfe", b"\xfe\xff", b"\0", b"a\0", b"<!--" + b"x" * 1020 + b"-->", b"p" * 500]
INPUTS = st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=4)), max_size=12).map(b"".join)


def whole(context: str, data: bytes, **hints: Any) -> object:
    return outcome(lambda: we.decode_as(context, data, **hints).text)


@pytest.mark.gate
@settings(max_examples=1500, deadline=None)
@given(
    context=st.sampled_from(SPECIFIED),
    data=INPUTS,
    cuts=st.lists(st.integers(0, 1500), max_size=8),
    hints=st.sampled_from([{}, {}, {"content_type": "text/html;charset=gbk"}, {"detector": sniff.chardetng}]),
)
def test_any_bytes_any_chunks(context: str, data: bytes, cuts: list[int], hints: dict[str, Any]) -> None:
    try:
        expected = whole(context, data, **hints)
    except TypeError:  # this context does not accept the hint
        hints = {}
        expected = whole(context, data)
    text, sniffed = streamed(context, pieces(data, cuts), **hints)
    assert text == expected
    assert streamed(context, byte_by_byte(data), **hints) == (text, sniffed)
    if sniffed is not None and isinstance(expected, str):
        assert sniffed.encoding is we.decode_as(context, data, **hints).encoding


@pytest.mark.parametrize("context", SPECIFIED)
def test_every_split(context: str) -> None:
    """Two chunks with empty ones around them, for inputs that start with the deciding bytes."""
    for data in (
        b"", b"\xef\xbb\xbf\xef\xbb\xbfa", b"\xff\xfea\0\x3d\xd8\x00\xde", b"\xef\xbb", b"<\0?\0x\0m\0",
        b"<?xml encoding='sjis'?>\x82\xa0", b"<meta charset=sjis>\x82\xa0\x82", b'@charset "sjis";\x82\xa0',
        b"%E3%81%82%", b"\xe3\x81\x82\xe3\x81",
    ):  # fmt: skip
        expected = whole(context, data)
        for cut in range(len(data) + 1):
            assert streamed(context, [b"", data[:cut], b"", data[cut:], b""])[0] == expected


def released(context: str, data: bytes, **hints: Any) -> int:
    """Return after how many single bytes the encoding is known; one more than the input has means at the end."""
    seen = 0

    def chunks() -> Iterator[bytes]:
        nonlocal seen
        for byte in data:
            seen += 1
            yield bytes((byte,))
            if stream.encoding is not None:
                return
        seen += 1

    stream = we.decode_stream(context, chunks(), **hints)
    list(stream)
    return seen


@pytest.mark.parametrize(
    ("context", "data", "hints", "length"),
    [
        # A BOM, or a first byte that starts none
        ("classic-script", b"\xef\xbb\xbf" + b"x" * 9, {}, 3), ("classic-script", b"\xff\xfe" + b"x" * 9, {}, 2),
        ("classic-script", b"x" * 9, {}, 1), ("classic-script", b"\xef\xbbx", {}, 3),
        ("classic-script", b"\xef\xbb", {}, 3), ("fetch-body-text", b"\xff\xfe", {}, 1),
        ("fetch-body-text", b"\xef\xbb\xbf", {}, 3), ("document-cookie", b"\xef\xbb\xbf", {}, 1),
        # HTML: a complete declaration, or the window
        ("html-parser", b"<meta charset=sjis>" + b"x" * 9, {}, 19),
        ("html-parser", b"<?xml encoding='sjis'?>" + b"x" * 1200, {}, 1024), ("html-parser", b"x" * 1200, {}, 1024),
        ("html-parser", b"x" * 1023, {}, 1024), ("html-parser", b"<meta charset=sjis" + b" " * 1200, {}, 1024),
        ("html-parser", b"<\0?\0x\0" + b"x" * 9, {}, 6),
        ("html-parser", b"<meta charset=sjis>", {"content_type": "text/html;charset=gbk"}, 1),
        ("html-parser", b"x" * 1200, {"detector": lambda data: "gbk"}, 1201),
        ("html-parser", b"x" * 1200, {"detector": "gbk"}, 1024),
        ("html-parser", b"<meta charset=sjis>" + b"x" * 9, {"detector": lambda data: "gbk"}, 19),
        ("text-document", b"x" * 9, {}, 1),
        # XML: the first ">", or what cannot be a declaration
        ("xml-parser", b"<?xml encoding='sjis'?><x/>", {}, 23),
        ("xml-parser", b"<?xml " + b" " * 2000 + b"?><x/>", {}, 2008), ("xml-parser", b"<?xm>", {}, 5),
        ("xml-parser", b"<x/>", {}, 2), ("xml-parser", b"x", {}, 1), ("xml-parser", b"<\0?\0x\0?\0", {}, 6),
        ("xml-parser", b"<\0?\0y\0?\0", {}, 5),
        # CSS: the end of the pattern, or the first byte that differs from it
        ("css-from-css", b'@charset "sjis"; p', {}, 16), ("css-from-css", b'@charset "sjis" ; p', {}, 16),
        ("css-from-css", b"@charset 'sjis'; p", {}, 10), ("css-from-css", b'@charset "sj\xff', {}, 13),
        ("css-from-css", b'@charset "' + b" " * 1200, {}, 1024), ("css-from-css", b"p{}", {}, 1),
    ],
)  # fmt: skip
def test_held_back_no_longer_than_needed(context: str, data: bytes, hints: dict[str, Any], length: int) -> None:
    assert released(context, data, **hints) == length


def test_attributes() -> None:
    stream = we.decode_stream("html-parser", iter([b"", b"<meta charset=eu", b"", b"c-kr>\xb0", b"\xa1"]))
    assert (stream.encoding, stream.confidence, stream.source, stream.late_meta) == (None, None, None, None)
    assert iter(stream) is stream
    assert next(stream) == "<meta charset=euc-kr>"
    assert (stream.encoding, stream.confidence, stream.source) == (we.EUC_KR, "tentative", "prescan")
    assert next(stream) == "가"
    with pytest.raises(StopIteration):
        next(stream)
    assert stream.late_meta is None
    with pytest.raises(TypeError, match="chunks are not asynchronous"):
        asyncio.run(anext(stream))


def test_empty() -> None:
    stream = we.decode_stream("html-parser", [])
    assert list(stream) == []
    assert (stream.encoding, stream.source) == (we.WINDOWS_1252, "locale")
    assert list(we.decode_stream("html-parser", [b"\xef\xbb\xbf"])) == []
    assert list(we.decode_stream("atob", [b"", b"\xff", b""])) == ["ÿ"]


def test_asynchronous() -> None:
    async def source() -> AsyncIterator[bytes]:
        for chunk in byte_by_byte("<meta charset=utf-8>雪".encode()):
            await asyncio.sleep(0)
            yield chunk

    async def read() -> tuple[str, str | None]:
        stream = we.decode_stream("html-parser", source())
        text = ""
        async for part in stream:
            assert part
            text += part
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        return text, stream.source

    assert asyncio.run(read()) == ("<meta charset=utf-8>雪", "prescan")
    with pytest.raises(TypeError, match="chunks are asynchronous"):
        next(we.decode_stream("html-parser", source()))


def test_asynchronous_is_synchronous() -> None:
    for case in vectors("html5lib")["cases"]:
        data = case["input"].encode("latin-1")
        stream = we.decode_stream("html-parser", asynchronous(pieces(data, (1, 7, 7, 20))))
        assert asyncio.run(joined(stream)) == we.decode_html(data).text


@pytest.mark.parametrize("chunks", [b"bytes", "text", bytearray(b"x"), memoryview(b"x")])
def test_one_chunk_is_no_iterable_of_chunks(chunks: Any) -> None:
    with pytest.raises(TypeError, match="an iterable of bytes-like objects, not one"):
        we.decode_stream("html-parser", chunks)


@pytest.mark.parametrize("chunk", ["text", 1, None, memoryview(b"abcd")[::2]])
def test_chunks_are_bytes(chunk: Any) -> None:
    with pytest.raises(TypeError):
        list(we.decode_stream("html-parser", [chunk]))


def test_chunks_may_be_reused() -> None:
    def chunks() -> Iterator[memoryview]:
        buffer = bytearray(8)
        for chunk in chunks_of(data, 8):
            buffer[: len(chunk)] = chunk
            yield memoryview(buffer)[: len(chunk)]

    data = b"<p>" * 500 + b"<meta charset=utf-8>" + "é".encode() * 20
    assert "".join(we.decode_stream("html-parser", chunks())) == we.decode_html(data).text


def test_errors_of_the_source() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"<meta charset=sjis>"
        raise OSError("connection lost")

    stream = we.decode_stream("html-parser", chunks())
    assert next(stream) == "<meta charset=sjis>"
    with pytest.raises(OSError, match="connection lost"):
        next(stream)


# --- Late meta ---

PADDING = b"<!DOCTYPE html><!--" + b"x" * 1100 + b"-->"


def late(data: bytes, **hints: Any) -> LateMeta | None:
    """Return the report of a stream, after checking that it is the same for any chunks."""
    metas: list[LateMeta | None] = []
    for chunks in ([data], list(byte_by_byte(data)), list(pieces(data, (1030, 1140)))):
        stream = we.decode_stream("html-parser", chunks, **hints)
        assert "".join(stream) == we.decode_html(data, **hints).text
        metas.append(stream.late_meta)
    assert metas[0] == metas[1] == metas[2]
    return metas[0]


def test_late_meta_actions() -> None:
    start = len(PADDING)
    for tag in (b"<meta charset=koi8-r>", b"<meta content='charset=koi8-r' http-equiv=content-type>"):
        end = start + len(tag)
        assert late(PADDING + tag + b"\xff") == LateMeta("switch", we.KOI8_R, start, end)
        assert late(PADDING + tag, default="koi8-r") == LateMeta("none", we.KOI8_R, start, end)
        assert late(b"\xe9" + PADDING + tag) == LateMeta("decode-again", we.KOI8_R, start + 1, end + 1)
        assert late(PADDING + tag, known="gbk") is None
        assert late(PADDING + tag, content_type="text/html;charset=gbk") is None
        assert late(b"\xef\xbb\xbf" + PADDING + tag) is None
    for label, encoding in (("iso-2022-jp", we.ISO_2022_JP), ("replacement", we.REPLACEMENT), ("utf-16", we.UTF_8)):
        late_meta = late(PADDING + meta(label))
        assert late_meta is not None
        assert (late_meta.action, late_meta.encoding) == ("switch" if label == "utf-16" else "decode-again", encoding)
    # Bytes that look like ASCII but are not in these encodings
    assert late(PADDING + b"<meta charset=koi8-r>", default="iso-2022-jp") is None
    assert late(PADDING + b"<meta charset=koi8-r>", default="utf-16le") is None


@pytest.mark.parametrize(
    ("data", "name"),
    [
        # Markup that the tree builder and the prescan treat differently
        (b"<meta charset=nope http-equiv=content-type content=charset=koi8-r>", "KOI8-R"),
        (b"<meta charset=nope><meta charset=koi8-r>", "KOI8-R"),
        (b"<script><meta charset=sjis></script><meta charset=koi8-r>", "KOI8-R"),
        (b"<STYLE a=b><meta charset=sjis></style ><meta charset=koi8-r>", "KOI8-R"),
        (b"<title><meta charset=sjis></titlex></title/><meta charset=koi8-r>", "KOI8-R"),
        (b"<textarea><<meta charset=sjis></</textarea><meta charset=koi8-r>", "KOI8-R"),
        (b"<script>'</scrip'<meta charset=sjis>", None), (b"<plaintext></plaintext><meta charset=sjis>", None),
        (b"<noscript><meta charset=koi8-r></noscript>", "KOI8-R"), (b"<!-- --!><meta charset=koi8-r>", "KOI8-R"),
        (b"<!-- --!- --!-><meta charset=sjis>", None),
        (b"<p/title='><meta charset=sjis>'><meta charset=koi8-r>", "KOI8-R"),
        (b"<scripts><meta charset=koi8-r>", "KOI8-R"), (b"<meta charset=sjis", None), (b"</meta charset=sjis>", None),
    ],
)  # fmt: skip
def test_late_meta_is_the_tree_builders(data: bytes, name: str | None) -> None:
    late_meta = late(PADDING + data)
    assert (late_meta and late_meta.encoding.name) == name
    assert late_meta is None or (PADDING + data)[late_meta.start : late_meta.end].startswith(b"<meta")


def test_what_the_prescan_saw_is_late_if_it_saw_it_otherwise() -> None:
    assert late(b"<meta charset=koi8-r>" + PADDING + b"<meta charset=sjis>") is None
    data = b"<script><meta charset=sjis></script><meta charset=koi8-r>"
    assert late(data) == LateMeta("switch", we.KOI8_R, 36, len(data))


def test_text_stops_behind_the_tag() -> None:
    tag = b"<meta charset=euc-kr>"
    stream = we.decode_stream("html-parser", [PADDING + tag + b"\xb0\xa1<p>"])
    assert next(stream) == (PADDING + tag).decode()
    assert stream.late_meta is not None
    stream.switch()
    assert "".join(stream) == "가<p>"
    assert (stream.encoding, stream.confidence, stream.source) == (we.EUC_KR, "certain", "meta")


def test_following_the_report_gives_what_browsers_show() -> None:
    for before, action in ((b"", "switch"), ("한".encode("euc-kr"), "decode-again")):
        data = before + PADDING + b"<meta charset=euc-kr>" + "글".encode("euc-kr")
        expected = we.EUC_KR.decode(data)
        for chunks in ([data], list(byte_by_byte(data))):
            stream = we.decode_stream("html-parser", chunks)
            text = ""
            for part in stream:
                text += part
                if stream.late_meta is None or stream.source == "meta":
                    continue
                assert stream.late_meta.action == action
                if action == "switch":
                    stream.switch()
                else:
                    text = we.decode_html(data, known=stream.late_meta.encoding).text
                    break
            assert text == expected


def test_switch_where_there_is_nothing_to_switch_to() -> None:
    for data in (b"", PADDING + b"<meta charset=windows-1252>", b"\xff" + PADDING + b"<meta charset=gbk>"):
        stream = we.decode_stream("html-parser", [data])
        list(stream)
        with pytest.raises(ValueError, match='no late_meta with the action "switch"'):
            stream.switch()
