"""What Python users expect of objects: copies, pickles, help, subclasses of str, clear TypeErrors."""

from __future__ import annotations

import asyncio
import codecs
import copy
import enum
import io
import pickle
import pydoc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.test_07_streams import AsyncSource, Source

names = pytest.mark.parametrize("name", inputs.ALL_NAMES)
copies = pytest.mark.parametrize(
    "duplicate",
    [
        copy.copy,
        copy.deepcopy,
        lambda coder: pickle.loads(pickle.dumps(coder)),
        lambda coder: pickle.loads(pickle.dumps(coder, 0)),
    ],
    ids=["copy", "deepcopy", "pickle", "pickle of the first protocol"],
)


@names
@copies
def test_a_copy_of_a_decoder_goes_on_by_itself(name: str, duplicate: Callable[[Any], Any]) -> None:
    for vector in inputs.vectors(name)[::5]:
        expected = oracle.decode(name, vector)
        for split in range(len(vector) + 1):
            decoder = we.ENCODINGS[name].new_decoder()
            head = decoder.decode(vector[:split])
            other = duplicate(decoder)
            assert type(other) is we.Decoder
            assert (other.encoding, other.errors) == (decoder.encoding, "replacement")
            assert other.error_count == decoder.error_count
            for instance in (decoder, other):
                assert head + instance.decode(vector[split:], True) == expected.text
                assert instance.error_count == len(expected.spans)


@copies
def test_a_copy_of_an_encoder_goes_on_by_itself(duplicate: Callable[[Any], Any]) -> None:
    encoder = we.ISO_2022_JP.new_encoder("fatal")
    encoder.encode("日\ud83d")
    other = duplicate(encoder)
    assert (type(other), other.encoding, other.errors, other.getstate()) == (
        we.Encoder, we.ISO_2022_JP, "fatal", encoder.getstate(),
    )  # fmt: skip
    for instance in (encoder, other):
        with pytest.raises(UnicodeEncodeError, match="1F600"):
            instance.encode("\ude00")


@copies
def test_copies_keep_error_handlers_and_attributes(duplicate: Callable[[Any], Any]) -> None:
    make = we.SHIFT_JIS.codec_info.incrementaldecoder
    decoder: Any = make("backslashreplace")
    decoder.decode(b"\x82")
    decoder.note = ["mine"]
    other = duplicate(decoder)
    assert (other.note, other.decode(b"", True)) == (["mine"], "\\x82")


class Watched(we.Decoder):
    """A subclass."""


@copies
def test_copies_of_subclasses(duplicate: Callable[[Any], Any]) -> None:
    decoder = Watched("sjis", "fatal")
    decoder.decode(b"\x82")
    other = duplicate(decoder)
    assert type(other) is Watched
    assert other.decode(b"\xa0") == "あ"


def test_repr_never_fails() -> None:
    assert repr(we.Decoder.__new__(we.Decoder)) == "<Decoder without an encoding>"
    assert repr(we.Encoder.__new__(we.Encoder)) == "<Encoder without an encoding>"
    assert repr(we.UTF_8.new_decoder()) == "<Decoder UTF-8 replacement>"


@pytest.mark.parametrize("make", [we.Decoder, we.Encoder])
def test_there_is_no_back_door_to_error_handlers(make: Any) -> None:
    with pytest.raises(TypeError):
        make("utf-8", "x", lambda error: ("?", error.end))
    with pytest.raises(ValueError, match="'ignore'"):
        make("utf-8", "ignore")


@pytest.mark.parametrize("value", [we.Encoding, we.Decoder, we.Encoder, we.lookup])
def test_help_shows_public_names_only(value: Any) -> None:
    text = pydoc.plain(pydoc.render_doc(value))
    for private in ("__pyx", "_cython__", "_with_handler", "_first_error", "Machine", "\n--\n"):
        assert private not in text


class Text(str):
    """A subclass of str, as parsers return them; its own methods must not be called."""

    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Label(enum.StrEnum):
    SJIS = "shift_jis"


@pytest.mark.parametrize("label", [Text("shift_jis"), Label.SJIS])
def test_subclasses_of_str(label: str) -> None:
    sjis = "あ".encode("shift_jis")
    assert we.lookup(label) is we.lookup(Text(f" {label.upper() if type(label) is Text else 'SJIS'} ")) is we.SHIFT_JIS
    assert we.decode(sjis, label).text == "あ"
    assert we.decode_html(sjis, override=label).text == "あ"
    assert we.TextDecoder(label).decode(sjis) == "あ"
    assert we.recode(sjis, label, Text("utf-8"), Text("fatal")) == "あ".encode()
    assert we.decode_many([(sjis, label)] * 3, Text("fatal")) == ["あ"] * 3
    assert we.urls.percent_encode_after_encoding(label, Text("あ"), Text("query")) == "%82%A0"
    assert we.SHIFT_JIS.new_decoder(Text("fatal")).errors == "fatal"
    assert type(we.Encoder(label, Text("html")).errors) is str
    assert we.SHIFT_JIS.encode(Text("あ")) == we.SHIFT_JIS.new_encoder().encode(Text("あ")) == sjis
    assert we.SHIFT_JIS.encoded_length(Text("あ")) == 2
    we.register_codecs()
    assert b"\x82".decode("web-sjis", Text("backslashreplace")) == "\\x82"
    assert codecs.getincrementaldecoder("web-sjis")(Text("ignore")).decode(b"\x82", True) == ""


@pytest.mark.parametrize("label", ["utf-16le", "utf-16be", "replacement"])
def test_text_files_of_encodings_without_an_encoder_can_be_read(label: str, tmp_path: Path) -> None:
    we.register_codecs()
    codec = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(label, "ascii")
    path = tmp_path / "file"
    path.write_bytes("zwei\nZeilen".encode(codec))
    expected = "\ufffd" if label == "replacement" else "zwei\nZeilen"
    assert io.TextIOWrapper(io.BytesIO(path.read_bytes()), f"web-{label}", "replace").read() == expected
    with open(path, "r+", encoding=f"web-{label}", errors="replace") as file:
        assert file.read() == expected
        file.seek(0)
        with pytest.raises(we.EncoderUnavailableError):
            file.write("x")


def test_a_decode_stream_closes_its_chunks() -> None:
    chunks = Source([b"a" * 2000, b"b" * 2000])
    with we.decode_stream("html-parser", chunks) as stream:
        assert next(stream) == "a" * 2000
    assert chunks.closed == 1
    assert list(stream) == []
    chunks = Source([b"a" * 2000])
    we.decode_stream("html-parser", chunks).close()
    assert chunks.closed == 1
    failing: Any = Source([b"a" * 2000, "no bytes"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        list(we.decode_stream("html-parser", failing))
    assert failing.closed == 1


def test_an_asynchronous_decode_stream_closes_its_chunks() -> None:
    async def program() -> None:
        chunks = AsyncSource(Source([b"a" * 2000, b"b" * 2000]))
        async with we.decode_stream("html-parser", chunks) as stream:
            assert await anext(stream) == "a" * 2000
            with pytest.raises(TypeError, match="aclose"):
                stream.close()
        assert chunks.source.closed == 1
        assert [text async for text in stream] == []
        failing: Any = AsyncSource(Source([b"a" * 2000, "no bytes"]))  # type: ignore[list-item]
        with pytest.raises(TypeError):
            _ = [text async for text in we.decode_stream("html-parser", failing)]
        assert failing.source.closed == 1

    asyncio.run(program())


@pytest.mark.gate
@pytest.mark.parametrize("length", [1, 100, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3 << 18])
def test_percent_decode_in_slices(length: int) -> None:
    for start in range(4):
        unit = (b"%41", b"%zz", b"%%4", b"a%c3%A9b")[start]
        data = (b"x" * start + unit * (length // len(unit) + 1))[:length]
        assert we.urls.percent_decode(data) == unquote_to_bytes(data)
