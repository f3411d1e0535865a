"""Error handlers where they do more than replace. CPython's own codecs are the judge, or that text comes back."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we

pytestmark = pytest.mark.usefixtures("registered")
codecs.register_error("test.nothing", lambda error: ("", error.end))  # type: ignore[attr-defined]
codecs.register_error("test.no_bytes", lambda error: (b"", error.end))  # type: ignore[attr-defined,arg-type,return-value]
codecs.register_error("test.kana", lambda error: ("\u30ab", error.end))  # type: ignore[attr-defined]


TEXTS = st.text(st.sampled_from("ab\n\x0e\x1b\u3042\u4e9c\xa5~\\\U0001f4a9\u2603\ud800"), max_size=12)
MISSING = "\x0e\x0f\x1b\U0001f4a9\u2603\ud800"


@given(text=TEXTS, sizes=st.lists(st.integers(0, 3), max_size=12),
       handler=st.sampled_from(["ignore", "test.nothing", "test.no_bytes", "test.kana"]))  # fmt: skip
def test_what_is_left_out_of_iso_2022_jp_leaves_no_escape_sequence(text: str, sizes: list[int], handler: str) -> None:
    instead = "\u30ab" if handler == "test.kana" else ""
    expected = "".join(instead if character in MISSING else character for character in text)
    assert text.encode("web-iso-2022-jp", handler).decode("web-iso-2022-jp") == expected
    encoder = codecs.getincrementalencoder("web-iso-2022-jp")(handler)
    file = io.BytesIO()
    writer = io.TextIOWrapper(file, "web-iso-2022-jp", handler, newline="")
    written, rest = b"", text
    for size in sizes:
        written += encoder.encode(rest[:size])
        writer.write(rest[:size])
        writer.flush()
        rest = rest[size:]
    written += encoder.encode(rest, True)
    writer.write(rest)
    writer.flush()
    assert written.decode("web-iso-2022-jp") == expected
    assert file.getvalue().decode("web-iso-2022-jp") == expected


def test_ignore_in_iso_2022_jp_is_what_cpython_writes() -> None:
    for text in ("あ\U0001f4a9あ", "あ\ud800あ", "a☃b", "あ☃a", "あ☃", "☃あ", "あ☃\nあ"):
        assert text.encode("web-iso-2022-jp", "ignore") == text.encode("iso2022_jp", "ignore")


def changing(data: bytes, position: int, replacement: str) -> Callable[[UnicodeError], tuple[str, int]]:
    """Return a handler that sets the exception's object at its first call."""
    calls = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        calls.append(error.start)
        if len(calls) == 1:
            error.object = data
            return replacement, position
        return "?", error.end

    return handler


@given(data=st.binary(max_size=12), other=st.binary(max_size=12), place=st.integers(-13, 12))
def test_a_decoding_handler_may_change_the_object(data: bytes, other: bytes, place: int) -> None:
    results = []
    for codec in ("utf-8", "web-utf-8"):
        codecs.register_error("test.changing", changing(other, place, "\u263a"))  # type: ignore[arg-type]
        try:
            results.append(data.decode(codec, "test.changing"))
        except IndexError:
            results.append("IndexError")
    assert results[0] == results[1]


@pytest.mark.parametrize("codec", ["utf-8", "web-utf-8", "web-shift_jis"])
def test_the_object_must_be_bytes(codec: str) -> None:
    for other in ("text", None, 5):
        codecs.register_error("test.changing", changing(other, 0, ""))  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            b"a\xff\xff".decode(codec, "test.changing")


def test_recode_raises_the_first_error_of_the_source() -> None:
    """Whatever the length: text that the target lacks before malformed bytes, and after them."""
    lacking, malformed = "\u2603".encode(), b"\xff"
    for length in (0, 10, 8_000, 70_000, 200_000):
        for first, second, expected in [
            (lacking, malformed, UnicodeEncodeError), (malformed, lacking, UnicodeDecodeError),
        ]:  # fmt: skip
            for between in (0, 10, 9_000):
                data = b"a" * length + first + b"b" * between + second + b"c" * 10
                with pytest.raises(UnicodeError) as raised:
                    we.recode(data, "utf-8", "windows-1252", "fatal")
                assert type(raised.value) is expected
