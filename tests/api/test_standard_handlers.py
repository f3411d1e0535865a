"""Python's standard error handlers: each encoding, each kind of string, few errors and long runs of them.

What is expected comes from the reference implementation, which calls Python's own handler for each error.
"""

from __future__ import annotations

import codecs
import itertools
import random
from collections.abc import Callable
from functools import cache
from typing import cast

import pytest

import whatwg_encoding as we
from tests.api.test_codecs import ENCODERS, NAMES
from tests.reference import inputs, oracle
from tests.reference.oracle import Span, decode_with
from tests.standard.comparison import outcome

pytestmark = pytest.mark.usefixtures("registered")

DECODE_HANDLERS = ["replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]
ENCODE_HANDLERS = [
    "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "surrogatepass", "namereplace",
]  # fmt: skip

# Pieces that end in the state they begin in, so that what many of them give is many times what one gives.
PIECES = {
    "errors": b"\xff\xff\xff\xff",
    "errors in ASCII": b"a\xffbc\xfe\xff\x81 \xff\xff",
    "errors in sequences": b"\x81\x30\x81a\x8f\xa1\xff\x82\xa0\x81\x20\xe3\x81\xc3 z",
    "escape sequences": b"a\x1b$B$\xff$\x22\x1b(I1\x80\x1b(J\\\x0e\x1b(Bb",
    "units": b"\x00\xd8\xd8\x00a\x00\x00\xdc\xdc\x00\x20\x20",
    "surrogates": b"a\xed\xa0\x80b\xed\xb2\x80\xed\xa0\xbd\xed\xb2\xa9\xed\x9f\xbf\xee\x80\x80",
}
# From a text on the stack to one that is decoded without the GIL.
COUNTS = [1, 60, 400, 9000, 90_000]


@cache
def expected_text(name: str, data: bytes, errors: str) -> str | tuple[str, bytes, Span]:
    """What the reference gives with Python's handler: the text, or the standard's view of the error."""
    expected: str | tuple[str, bytes, Span] = outcome(decode_with, name, data, codecs.lookup_error(errors))
    if isinstance(expected, str):
        return expected
    _, rest, (start, end) = expected  # `rest`: of the data, from where the handler moved to last
    moved = len(data) - len(rest)
    return name, data, (moved + start, moved + end)


@pytest.mark.parametrize("errors", DECODE_HANDLERS)
@pytest.mark.parametrize("name", NAMES)
def test_decoding(name: str, errors: str) -> None:
    decode = codecs.lookup(f"web-{name}").decode
    for piece in (*PIECES.values(), *inputs.vectors(name)[::3]):
        expected = expected_text(name, piece, errors)
        if not isinstance(expected, str):
            assert outcome(decode, piece, errors) == expected
            continue
        for count in COUNTS if piece in PIECES.values() and name != "replacement" else [1]:
            data = piece * count
            assert decode(data, errors) == (expected * count, len(data)), (piece, count)


@pytest.mark.parametrize("errors", DECODE_HANDLERS)
@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("UTF-16") and name != "replacement"])
@pytest.mark.shapes
def test_errors_late_in_a_text(name: str, errors: str) -> None:
    """The string is narrow and nearly full when the first error comes."""
    decode = codecs.lookup(f"web-{name}").decode
    for before in (300, 1023, 5000, 40_000, 5_000_000):
        for piece in (PIECES["errors"], PIECES["errors in ASCII"]):
            expected = expected_text(name, piece, errors)
            if isinstance(expected, str):
                assert decode(b"a" * before + piece, errors)[0] == "a" * before + expected
                assert decode(b"a" * before + piece * 50, errors)[0] == "a" * before + expected * 50


@pytest.mark.parametrize("errors", DECODE_HANDLERS)
@pytest.mark.parametrize("name", NAMES)
def test_decoding_in_chunks(name: str, errors: str) -> None:
    for piece in PIECES.values():
        expected = expected_text(name, piece * 3, errors)
        for size in (1, 2, 3, 7):
            chunks = [piece[i : i + size] for piece in (piece * 3,) for i in range(0, len(piece), size)]
            decoded = codecs.iterdecode(chunks, f"web-{name}", errors)
            if isinstance(expected, str):
                assert "".join(decoded) == expected, (piece, size)
            else:
                with pytest.raises(UnicodeDecodeError):
                    list(decoded)


@pytest.mark.parametrize(
    ("name", "byte_values", "length"),
    [("UTF-8", b"\xed\xa0\x80\x9f\xbfA\xe3", 4), ("UTF-16LE", b"\x00\xd8\xdcA", 5), ("UTF-16BE", b"\x00\xd8\xdcA", 5)],
)
def test_surrogates_that_are_incomplete_or_beside_errors(name: str, byte_values: bytes, length: int) -> None:
    decode = codecs.lookup(f"web-{name}").decode
    for size in range(1, length + 1):
        for data in map(bytes, itertools.product(byte_values, repeat=size)):
            expected = expected_text(name, data, "surrogatepass")
            result = outcome(decode, data, "surrogatepass")
            assert result == ((expected, len(data)) if isinstance(expected, str) else expected)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_surrogates_in_chunks_as_with_pythons_decoders(codec: str) -> None:
    text = "a\ud800\udc80b\U0001f600\udfff\ud83d" + "\udc80" * 40 + "\ud7ff\ue000é"
    data = b"".join(character.encode(codec, "surrogatepass") for character in text)
    name = {"utf-8": "utf-8", "utf-16-le": "utf-16le", "utf-16-be": "utf-16be"}[codec]
    for size in range(1, len(data) + 1):
        ours = codecs.getincrementaldecoder(f"web-{name}")("surrogatepass")
        pythons = codecs.getincrementaldecoder(codec)("surrogatepass")
        for start in range(0, len(data), size):
            chunk = data[start : start + size]
            assert ours.decode(chunk) == pythons.decode(chunk), (size, start)
        assert ours.decode(b"", True) == pythons.decode(b"", True) == ""


TEXTS = {
    "Latin-1": "aé\x80ÿb\xa5×",
    "UCS-2": "a☃ॐあ\u0e01\u0e02é¥\u0e03\x0e\x1b‾\u0e01\\ж",
    "UCS-4": "a\U0001f4a9あ\U00010000¥\U0010ffff\U0001f600b",
    "surrogates": "a\udcff\udc80あ\udcfeb",
    "other surrogates": "a\ud800\udfff\ud83d\udca9b",
}


@cache
def expected_bytes(name: str, text: str, errors: str) -> bytes | None:
    """What the reference gives, with what Python's handler gives for each error; None where that raises."""
    call = cast("Callable[[UnicodeEncodeError], tuple[str | bytes, int]]", codecs.lookup_error(errors))
    items: list[str | bytes] = []
    for i, character in enumerate(text):
        if oracle.encode(name, character).fatal is None:
            items.append(character)
            continue
        try:
            items.append(call(UnicodeEncodeError(name, text, i, i + 1, "reference"))[0])
        except UnicodeEncodeError:
            return None
    if name == "ISO-2022-JP":  # the only encoder with a state: its text has to be one
        return oracle.encode(name, "".join(item for item in items if isinstance(item, str))).output
    return b"".join(item if isinstance(item, bytes) else oracle.encode(name, item).output for item in items)


@pytest.mark.parametrize("errors", ENCODE_HANDLERS)
@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.shapes
def test_encoding(name: str, errors: str) -> None:
    encode = codecs.lookup(f"web-{name}").encode
    for kind, text in TEXTS.items():
        expected = expected_bytes(name, text, errors)
        if expected is None:
            with pytest.raises(UnicodeEncodeError):
                encode(text, errors)
            continue
        if name == "ISO-2022-JP" and errors == "surrogateescape" and kind == "surrogates":
            continue  # the bytes themselves in any state, which are not ISO-2022-JP
        for count in (1, 20, 90, 3000, 20_000):
            encoded, length = encode(text * count, errors)
            assert length == len(text) * count
            if name == "ISO-2022-JP":
                # The encoder returns to ASCII before an error, so that the bytes differ, not what they decode to; only
                # the decoder returns U+FFFD for an escape sequence directly after another one.
                decoded = we.ISO_2022_JP.decode(encoded)
                decoded = decoded.replace("\ufffd", "") if errors == "ignore" else decoded
                assert decoded == we.ISO_2022_JP.decode(expected) * count, (kind, count)
            else:
                assert encoded == expected * count, (kind, count)


# Code points that each encoding has or lacks, in one, two and four bytes a code point.
MIXTURES = [
    "abé\x80¥ÿ\x0e\x00~",
    "ab€☃あ\u0e01éж\u2212ｱ가\ue5e5\x00\udc80\ud83d",
    "ab😀\U00020089\U0010ffffあ☃é\udcff€",
]


@pytest.mark.parametrize("errors", ENCODE_HANDLERS)
@pytest.mark.parametrize("name", ENCODERS)
def test_few_characters_between_errors(name: str, errors: str) -> None:
    encode = codecs.lookup(f"web-{name}").encode
    choose = random.Random(f"{name} {errors}")
    for mixture in MIXTURES:
        for length in (1, 2, 3, 5, 8, 13, 40, 100, 300):
            # Some characters are frequent, so that groups of all lengths occur.
            text = "".join(choose.choices(mixture, [choose.random() ** 3 for _ in mixture], k=length))
            scalars = "".join(character for character in text if not "\ud800" <= character <= "\udfff")
            assert we.ENCODINGS[name].encode(scalars) == oracle.encode(name, scalars).output, scalars
            items = [expected_bytes(name, character, errors) for character in text]
            if None in items:
                with pytest.raises(UnicodeEncodeError) as caught:
                    encode(text, errors)
                assert caught.value.start == items.index(None)
            elif name != "ISO-2022-JP":
                assert encode(text, errors) == (b"".join(filter(None, items)), length), text
            elif errors != "surrogateescape":
                # As above: what the bytes decode to.
                expected = "".join(we.ISO_2022_JP.decode(item or b"") for item in items)
                assert we.ISO_2022_JP.decode(encode(text, errors)[0]).replace("\ufffd", "") == expected, text


def test_a_handler_registered_under_a_standard_name_is_called() -> None:
    """The registered function is used, not the name."""
    before = codecs.lookup_error("ignore")
    codecs.register_error("ignore", lambda error: ("!", error.end))  # type: ignore[attr-defined]
    try:
        assert b"a\xffb\xff".decode("web-utf-8", "ignore") == "a!b!"
        assert "a☃b".encode("web-sjis", "ignore") == b"a!b"
    finally:
        codecs.register_error("ignore", before)
    assert b"a\xffb\xff".decode("web-utf-8", "ignore") == "ab"
