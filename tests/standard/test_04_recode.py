"""`decode_many`, for many inputs, `recode`, from one encoding to another, and `decode_to_utf8` of long inputs."""

from __future__ import annotations

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import refusal

SOURCES = [*inputs.MULTI_BYTE_NAMES, "windows-1252", "windows-1251", "x-user-defined", "replacement"]
TARGETS = [name for name in inputs.ENCODER_NAMES if name in (*SOURCES, "KOI8-R", "macintosh")]


def test_decode_many() -> None:
    items = [(data, name) for name in inputs.ALL_NAMES for data in inputs.vectors(name)]
    expected = [oracle.decode(name, data).text for data, name in items]
    assert we.decode_many(items) == expected
    assert we.decode_many((data, we.ENCODINGS[name]) for data, name in items) == expected
    assert we.decode_many([]) == []
    valid = [(data, name) for data, name in items if not oracle.decode(name, data).spans]
    assert we.decode_many(valid, "fatal") == [oracle.decode(name, data).text for data, name in valid]


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decode_many_in_one_encoding(name: str) -> None:
    items = [*inputs.vectors(name), *inputs.random_inputs(name, 50)]
    expected = [oracle.decode(name, data).text for data in items]
    assert we.decode_many(items, encoding=name) == expected
    assert we.decode_many(map(memoryview, items), encoding=we.ENCODINGS[name]) == expected
    valid = [data for data in items if not oracle.decode(name, data).spans]
    assert we.decode_many(valid, "fatal", encoding=name) == [oracle.decode(name, data).text for data in valid]


def test_decode_many_in_one_encoding_refuses_other_items() -> None:
    assert refusal(lambda: we.decode_many([b"a", b"\xff"], "fatal", encoding="utf-8")) == ("UTF-8", b"\xff", (0, 1))
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        we.decode_many([], encoding="utf-9")
    with pytest.raises(TypeError, match="data must be"):
        we.decode_many([(b"a", "utf-8")], encoding="utf-8")  # type: ignore[list-item]


def test_decode_many_errors() -> None:
    items = [(b"a", "utf-8"), (b"\xe3\x81a", "utf-8")]
    assert refusal(we.decode_many, items, "fatal") == ("UTF-8", b"\xe3\x81a", (0, 2))
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        we.decode_many([(b"a", "utf-9")])
    with pytest.raises(ValueError, match=r"'replacement'.*'fatal'"):
        we.decode_many([], "html")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="items must be pairs of data and an encoding, not b'abc'"):
        we.decode_many([b"abc"])  # type: ignore[list-item]
    for items in ([b"ab"], [("text", "utf-8")], [(b"a", None)], [(b"a", "utf-8", "fatal")], None):
        with pytest.raises((TypeError, ValueError)):
            we.decode_many(items)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_recode(source: str, target: str) -> None:
    for data in (*inputs.vectors(source), *inputs.random_inputs(source, 100)):
        expected = oracle.encode(target, oracle.decode(source, data).text).output
        assert we.recode(data, source, we.ENCODINGS[target], "html") == expected, data.hex(" ")


@pytest.mark.parametrize("source", SOURCES)
def test_recode_in_pieces(source: str) -> None:
    """Inputs longer than the pieces that are recoded at once, with each vector at each offset where a piece ends.

    A piece has 8 KiB, of inputs longer than 64 KiB as much as that.
    """
    pad = b"a\0" if source == "UTF-16LE" else b"\0a" if source == "UTF-16BE" else b"a"
    for data in inputs.vectors(source):
        text = oracle.decode(source, data).text
        for piece in (8 << 10, 64 << 10):
            for before in range(max(piece // len(pad) - 12, 0), piece // len(pad) + 3):
                expected = "a" * before + text if source != "replacement" else "\ufffd"
                for target in ("UTF-8", "windows-1252", "gb18030", "ISO-2022-JP"):
                    output = we.recode(pad * before + data, source, target, "html")
                    assert output == we.ENCODINGS[target].encode(expected), (data.hex(" "), before, target)


def test_long_inputs() -> None:
    text = "あ漢~\U0001f4a9é" * 100_000
    data = oracle.encode("gb18030", text[:5]).output * 100_000
    assert we.GB18030.decode_to_utf8(data) == text.encode()
    assert we.recode(data, "gb18030", "utf-8") == text.encode()
    assert we.recode(text.encode(), "utf-8", "gb18030") == data


def test_recode_arguments() -> None:
    assert we.recode(b"", "utf-8", "sjis") == b""
    assert we.recode(data=b"\x82\xa0", source="sjis", target=we.UTF_8, errors="html") == "\u3042".encode()
    assert we.recode(memoryview(bytearray(b"\xe9")), "latin1", "utf-8") == b"\xc3\xa9"
    for target in ("UTF-16LE", "UTF-16BE", "replacement"):
        with pytest.raises(we.EncoderUnavailableError, match=target):
            we.recode(b"a", "utf-8", target)
    for source, target in (("utf-9", "utf-8"), ("utf-8", "utf-9")):
        with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
            we.recode(b"a", source, target)
    with pytest.raises(ValueError, match=r"'html'.*'fatal'"):
        we.recode(b"a", "utf-8", "utf-8", "replacement")  # type: ignore[arg-type]
