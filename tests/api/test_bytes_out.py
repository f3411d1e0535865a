"""decode_to_utf8, recode and decode_many agree with decoding and encoding by the reference."""

from __future__ import annotations

import array
import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import oracle

NAMES = list(we.ENCODINGS)
ENCODERS = [name for name, encoding in we.ENCODINGS.items() if encoding.has_encoder]
sequences = [b"\x1b$B", b"\x1b(J", b"\x1b(", b"\x81\x30\x81", b"\x8f\xa1", b"\xd8", b"\xe3\x81\x82", b"a", b"\x88\x62"]
data = st.lists(st.binary(max_size=4) | st.sampled_from(sequences), max_size=8).map(b"".join)


@given(st.sampled_from(NAMES), data)
def test_utf8_out_is_the_references_text(name: str, data: bytes) -> None:
    expected = oracle.decode(name, data)
    encoding = we.ENCODINGS[name]
    assert encoding.decode_to_utf8(data) == expected.text.encode()
    if not expected.spans:
        assert encoding.decode_to_utf8(data, "fatal") == expected.text.encode()
        return
    with pytest.raises(UnicodeDecodeError) as caught:
        encoding.decode_to_utf8(data, "fatal")
    error = caught.value
    assert (error.encoding, error.object, (error.start, error.end)) == (name, data, expected.spans[0])
    assert error.reason


@given(st.sampled_from(NAMES), st.sampled_from(ENCODERS), data)
def test_recode_is_decode_and_encode(source: str, target: str, data: bytes) -> None:
    decoded = oracle.decode(source, data)
    encoded = oracle.encode(target, decoded.text)
    assert (
        we.recode(data, source, target) == we.recode(data, we.ENCODINGS[source], we.ENCODINGS[target]) == encoded.output
    )
    if decoded.spans:
        with pytest.raises((UnicodeDecodeError, UnicodeEncodeError)) as caught:
            we.recode(data, source, target, "fatal")
        if isinstance(caught.value, UnicodeDecodeError):
            assert (caught.value.object, (caught.value.start, caught.value.end)) == (data, decoded.spans[0])
    elif encoded.spans:
        with pytest.raises(UnicodeEncodeError) as caught_encode:
            we.recode(data, source, target, "fatal")
        error = caught_encode.value
        assert (error.encoding, error.object[error.start : error.end]) == (
            target,
            decoded.text[slice(*encoded.spans[0])],
        )
    else:
        assert we.recode(data, source, target, "fatal") == encoded.output


@pytest.mark.parametrize("source", ["iso-2022-jp", "utf-16le", "gb18030", "euc-jp", "windows-1252"])
@pytest.mark.parametrize("target", ["iso-2022-jp", "shift_jis", "gb18030", "utf-8"])
def test_recode_where_its_pieces_meet(source: str, target: str) -> None:
    for padding in range(1010, 1042):
        text = "x" * padding + "あい\u2603\U0001f4a9~¥" * 40
        data = text.encode("utf-16-le") if source == "utf-16le" else oracle_bytes(source, text)
        assert we.recode(data, source, target) == oracle_bytes(target, we.decode(data, source).text), padding


def oracle_bytes(label: str, text: str) -> bytes:
    return oracle.encode(we.lookup(label).name, text).output


@given(st.lists(st.tuples(data, st.sampled_from(NAMES)), max_size=6))
def test_decode_many_is_decode_of_each(items: list[tuple[bytes, str]]) -> None:
    expected = [oracle.decode(name, data).text for data, name in items]
    assert we.decode_many(items) == expected
    assert we.decode_many((bytearray(data), we.ENCODINGS[name]) for data, name in items) == expected
    spans = [oracle.decode(name, data).spans for data, name in items]
    if not any(spans):
        assert we.decode_many(items, "fatal") == expected
        return
    first = next(i for i, found in enumerate(spans) if found)
    with pytest.raises(UnicodeDecodeError) as caught:
        we.decode_many(items, "fatal")
    assert (caught.value.object, caught.value.encoding) == items[first]
    assert (caught.value.start, caught.value.end) == spans[first][0]


@pytest.mark.parametrize(
    "function",
    [
        lambda data: we.SHIFT_JIS.decode_to_utf8(data),
        lambda data: we.recode(data, "sjis", "utf-8"),
        lambda data: we.decode_many([(data, "sjis")])[0].encode(),
    ],
)
def test_any_contiguous_buffer_will_do_and_nothing_else(function) -> None:  # type: ignore[no-untyped-def]
    mapped = mmap.mmap(-1, 4)
    mapped.write(b"\x82\xa0ab")
    for data in (mapped, bytearray(b"\x82\xa0ab"), array.array("H", b"\x82\xa0ab"), memoryview(b".\x82\xa0ab")[1:]):
        assert function(data) == "あab".encode()
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(TypeError, match=type(wrong).__name__):
            function(wrong)
    with pytest.raises(TypeError, match="contiguous"):
        function(memoryview(b"abcd")[::2])


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        we.recode(b"", "utf-9", "utf-8")
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        we.recode(b"", "utf-8", "utf-9")
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        we.decode_many([(b"", "utf-9")])
    with pytest.raises(we.EncoderUnavailableError, match="UTF-16LE"):
        we.recode(b"", "utf-8", "utf-16")
    with pytest.raises(ValueError, match=r"'html'.*'fatal'"):
        we.recode(b"", "utf-8", "utf-8", "replacement")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'replacement'.*'fatal'"):
        we.decode_many([], "html")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'replacement'.*'fatal'"):
        we.UTF_8.decode_to_utf8(b"", "strict")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="items must be pairs of data and an encoding, not b'abc'"):
        we.decode_many([b"abc"])  # type: ignore[list-item]


def test_what_does_not_fit_one_piece() -> None:
    text = "あ漢~\U0001f4a9é" * 100_000
    data = oracle_bytes("gb18030", text[:5]) * 100_000
    assert we.GB18030.decode_to_utf8(data) == text.encode()
    assert we.recode(data, "gb18030", "utf-8") == text.encode()
    assert we.recode(text.encode(), "utf-8", "gb18030") == data
