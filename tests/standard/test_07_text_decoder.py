"""TextDecoder, TextEncoder and encodeInto against the reference, which transcribes section 7 of the standard."""

from __future__ import annotations

import array
from functools import partial

import pytest

import whatwg_encoding as we
from tests.reference import api as reference
from tests.reference import inputs
from tests.standard.comparison import refusal

NAMES = [name for name in we.ENCODINGS if name != "replacement"]


def outcome(
    decoder: we.TextDecoder | reference.TextDecoder, error: type[Exception], chunk: bytes, stream: bool
) -> str | None:
    """Return the text of a call, or None for an error."""
    try:
        return decoder.decode(chunk, stream=stream)
    except error:
        return None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("fatal", "ignore_bom"), [(False, False), (True, False), (True, True)])
def test_decode_is_the_standards_call_by_call(name: str, fatal: bool, ignore_bom: bool) -> None:
    """After an error with ``stream=True``, too: the queue still has what follows it. Then at ends, and after them."""
    decoder = we.TextDecoder(name, fatal=fatal, ignore_bom=ignore_bom)
    expected_decoder = reference.TextDecoder(name, fatal=fatal, ignore_bom=ignore_bom)
    marked = [bom + b"a\0b\0" for bom in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x84\x31\x95\x33")]
    for data in (*marked, *inputs.vectors(name), *inputs.random_inputs(name, 20)):
        for size in (1, 2, 3, 40):
            chunks = [data[start : start + size] for start in range(0, len(data), size)]
            calls = [(chunk, True) for chunk in chunks] + [(b"", True)] * 3 + [(b"", False), (b"a", False)]
            for chunk, stream in calls:
                expected = outcome(expected_decoder, reference.JSTypeError, chunk, stream)
                assert outcome(decoder, UnicodeDecodeError, chunk, stream) == expected, (data, size)


@pytest.mark.parametrize("label", ["utf-8", "utf-16le", "utf-16be"])
@pytest.mark.parametrize("ignore_bom", [False, True])
def test_a_bom_in_any_chunks(label: str, ignore_bom: bool) -> None:
    codec = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}[label]
    data = "\ufeff\ufeffa".encode(codec)
    expected = "\ufeff\ufeffa" if ignore_bom else "\ufeffa"
    for first in range(len(data) + 1):
        for second in range(first, len(data) + 1):
            decoder = we.TextDecoder(label, ignore_bom=ignore_bom)
            parts = [data[:first], b"", data[first:second], data[second:]]
            assert "".join(decoder.decode(part, stream=True) for part in parts) + decoder.decode() == expected


def test_a_bom_of_another_encoding_is_text() -> None:
    assert we.TextDecoder("utf-8").decode(b"\xff\xfe") == "\ufffd\ufffd"
    assert we.TextDecoder("windows-1252").decode(b"\xef\xbb\xbfa") == "ï»¿a"
    assert we.TextDecoder("gb18030").decode(b"\x84\x31\x95\x33a") == "\ufeffa"


def test_reuse() -> None:
    """After the end, and after an error."""
    decoder = we.TextDecoder("iso-2022-jp")
    assert decoder.decode(b"\x1b$B$", stream=True) == ""
    assert decoder.decode(b'"') == "あ"
    assert decoder.decode(b'$"') == '$"'  # the state is ASCII again
    utf_8 = we.TextDecoder()
    assert [utf_8.decode(b"\xef\xbb\xbfa") for _ in range(2)] == ["a", "a"]  # a BOM is removed again
    decoder = we.TextDecoder("shift_jis", fatal=True)
    assert decoder.decode(b"a\x82", stream=True) == "a"
    assert refusal(partial(decoder.decode, stream=True), b"\x20\x82") == ("Shift_JIS", b"\x82\x20\x82", (0, 1))
    assert decoder.decode(b"\xa0") == " あ"  # what follows the error in the queue
    with pytest.raises(UnicodeDecodeError):
        decoder.decode(b"\x82")
    assert decoder.decode(b"\x82\xa0") == "あ"


def test_a_wrong_argument_changes_nothing() -> None:
    decoder = we.TextDecoder("shift_jis", fatal=True)
    decoder.decode(b"\x82", stream=True)
    with pytest.raises(TypeError, match="str"):
        decoder.decode("text")  # type: ignore[arg-type]
    assert decoder.decode(b"\xa0") == "あ"
    decoder = we.TextDecoder()
    decoder.decode(b"\xe3\x81", stream=True)
    assert [decoder.decode() for _ in range(2)] == ["\ufffd", ""]  # no arguments: the end


def test_attributes() -> None:
    decoder = we.TextDecoder(" Latin1\n", fatal=True)
    assert (decoder.encoding, decoder.fatal, decoder.ignore_bom) == ("windows-1252", True, False)
    assert repr(decoder) == "TextDecoder('windows-1252', fatal=True)"
    assert repr(we.TextDecoderStream(ignore_bom=True)) == "TextDecoderStream('utf-8', ignore_bom=True)"
    assert we.TextDecoder().encoding == we.TextEncoder().encoding == we.TextEncoderStream().encoding == "utf-8"
    with pytest.raises(AttributeError):
        decoder.fatal = False  # type: ignore[misc]


@pytest.mark.parametrize("factory", [we.TextDecoder, we.TextDecoderStream])
def test_labels_that_decoders_do_not_take(factory) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        factory("utf-9")
    with pytest.raises(we.UnknownLabelError, match=r"'ISO-2022-KR' is a label of replacement"):
        factory("ISO-2022-KR")
    with pytest.raises(TypeError, match="positional"):
        factory("utf-8", True)


def test_encode_without_text() -> None:
    assert we.TextEncoder().encode() == b""
    assert repr(we.TextEncoder()) == "TextEncoder()"


def test_encode_into_writes_at_the_front_of_any_writable_buffer() -> None:
    target = bytearray(b"......")
    assert we.TextEncoder().encode_into("aé", memoryview(target)[2:]) == (2, 3)
    assert target == b"..a\xc3\xa9."
    items = array.array("H", [0, 0])
    assert we.TextEncoder().encode_into("abc", items) == (3, 3)
    assert items.tobytes() == b"abc\x00"
    assert we.TextEncoder().encode_into("あ" * 1_000_000, bytearray(3)) == (1, 3)
