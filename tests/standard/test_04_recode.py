"""`decode_many`, for many inputs, and `recode`, from one encoding to another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import report

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


def test_decode_many_errors() -> None:
    with pytest.raises(UnicodeDecodeError) as caught:
        we.decode_many([(b"a", "utf-8"), (b"\xe3\x81a", "utf-8")], "fatal")
    assert (caught.value.encoding, caught.value.object) == ("UTF-8", b"\xe3\x81a")
    assert (caught.value.start, caught.value.end) == (0, 2)
    with pytest.raises(we.UnknownLabelError):
        we.decode_many([(b"a", "no such label")])
    with pytest.raises(ValueError, match="replacement"):
        we.decode_many([], "strict")  # type: ignore[arg-type]
    for items in ([b"ab"], [("text", "utf-8")], [(b"a", None)], [(b"a", "utf-8", "fatal")], None):
        with pytest.raises((TypeError, ValueError)):
            we.decode_many(items)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_recode(source: str, target: str) -> None:
    def differences() -> Iterator[str]:
        for data in (*inputs.vectors(source), *inputs.random_inputs(source, 100)):
            text = oracle.decode(source, data).text
            expected = oracle.encode(target, text).output
            output = we.recode(data, source, we.ENCODINGS[target])
            if output != expected:
                yield f"{source} {data.hex(' ')} to {target}: {output!r}, not {expected!r}"

    report(differences())


@pytest.mark.parametrize("source", SOURCES)
def test_recode_in_pieces(source: str) -> None:
    """Inputs longer than the pieces that are recoded at once, with each vector at each offset where a piece may end."""
    text_of = {data: oracle.decode(source, data).text for data in inputs.vectors(source)}
    pad = b"a\0" if source == "UTF-16LE" else b"\0a" if source == "UTF-16BE" else b"a"

    def differences() -> Iterator[str]:
        for data, text in text_of.items():
            for piece in (256, 512, 1024, 2048, 4096):
                for before in range(max(piece // len(pad) - 12, 0), piece // len(pad) + 3):
                    whole = pad * before + data
                    expected = "a" * before + text if source != "replacement" else "\ufffd"
                    for target in ("UTF-8", "windows-1252", "gb18030"):
                        output = we.recode(whole, source, target)
                        if output != we.ENCODINGS[target].encode(expected):
                            yield f"{source} {data.hex(' ')} after {before} characters, to {target}: {output[-20:]!r}"

    report(differences())


@pytest.mark.parametrize("source", ["UTF-8", "UTF-16LE", "Shift_JIS", "ISO-2022-JP"])
def test_recode_in_fatal_mode(source: str) -> None:
    for data in inputs.vectors(source):
        expected = oracle.decode(source, data)
        if expected.spans:
            with pytest.raises(UnicodeDecodeError) as decode_error:
                we.recode(data, source, "utf-8", "fatal")
            assert (decode_error.value.start, decode_error.value.end) == expected.spans[0]
            assert (decode_error.value.encoding, decode_error.value.object) == (source, data)
            continue
        assert we.recode(data, source, "utf-8", "fatal") == expected.text.encode()
        span = oracle.encode("windows-1252", expected.text).fatal
        if span is None:
            assert we.recode(data, source, "latin1", "fatal") == we.WINDOWS_1252.encode(expected.text)
        else:
            with pytest.raises(UnicodeEncodeError) as encode_error:
                we.recode(data, source, "latin1", "fatal")
            error = encode_error.value
            assert error.encoding == "windows-1252"
            assert error.object[error.start : error.end] == expected.text[slice(*span)]


def test_recode_arguments() -> None:
    assert we.recode(b"", "utf-8", "sjis") == b""
    assert we.recode(data=b"\x82\xa0", source="sjis", target=we.UTF_8, errors="html") == "\u3042".encode()
    assert we.recode(memoryview(bytearray(b"\xe9")), "latin1", "utf-8") == b"\xc3\xa9"
    for target in ("utf-16le", "utf-16be", "replacement"):
        with pytest.raises(we.EncoderUnavailableError):
            we.recode(b"a", "utf-8", target)
    for source, target in (("no such label", "utf-8"), ("utf-8", "no such label")):
        with pytest.raises(we.UnknownLabelError):
            we.recode(b"a", source, target)
    with pytest.raises(TypeError):
        we.recode("text", "utf-8", "utf-8")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        we.recode(b"a", None, "utf-8")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="html"):
        we.recode(b"a", "utf-8", "utf-8", "replacement")  # type: ignore[arg-type]
