"""Input at the edges of inaccessible memory, through the public API: an access one byte outside crashes.

tests/kernels covers the kernels alone; ``make sanitize`` checks memory that the package allocates.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator

import pytest

import whatwg_encoding as we
from tests.capi.conftest import FORMS
from tests.capi.table import API, DECODE, ENCODE, INPUT_EMPTY, OUTPUT_FULL, SIZE, STATE
from tests.guarded import GuardedBuffer
from tests.reference import inputs, oracle
from tests.standard.comparison import refusal
from whatwg_encoding import sniff

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mprotect is called with Linux's constants")

# Around the sizes of vectors, of the decoder's buffers, and of the stages on the stack.
LENGTHS = (0, 1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 63, 64, 65, 72, 127, 129, 136, 1023, 1025, 4097)
MARKUP = (
    b'<?xml encoding="koi8-r"?', b"<?xml encoding=   ", b"<meta charset='gbk", b'@charset "sjis"', b"<!--",
    b"\0<\0?\0",
)  # fmt: skip


@pytest.fixture(scope="module")
def guarded() -> Iterator[GuardedBuffer]:
    buffer = GuardedBuffer(8192)
    yield buffer
    buffer.close()


def content(name: str, length: int) -> bytes:
    """Return that many bytes of characters and errors, truncated anywhere."""
    pool = inputs.pool(name)
    return (pool * (length // len(pool) + 1))[:length]


def view_at(address: int, length: int) -> memoryview:
    """Return the bytes at an address as a buffer, without a copy."""
    return memoryview((ctypes.c_ubyte * length).from_address(address)).cast("B")


def check(encoding: we.Encoding, view: memoryview, data: bytes, expected: oracle.Decoded) -> None:
    assert encoding.decode(view) == expected.text
    assert encoding.decode_to_utf8(view) == expected.text.encode()
    assert encoding.valid_up_to(view) == (expected.spans[0][0] if expected.spans else len(data))
    decoder = encoding.new_decoder()
    cut = len(data) // 2
    assert decoder.decode(view[:cut]) + decoder.decode(view[cut:], True) == expected.text
    if expected.spans:
        assert refusal(encoding.decode, view, "fatal")[2] == expected.spans[0]


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_input_between_guard_pages(guarded: GuardedBuffer, name: str) -> None:
    """Input at the very end of a page, at its very start, and at every alignment of 64 bytes near them."""
    encoding = we.ENCODINGS[name]
    for length in LENGTHS:
        for data in (content(name, length), b"a" * length, content(name, length)[::-1]):
            expected = oracle.decode(name, data)
            check(encoding, view_at(guarded.put(data), length), data, expected)
            ctypes.memmove(guarded.start, data, length)
            check(encoding, view_at(guarded.start, length), data, expected)
    for place in range(65):
        data = content(name, 200 + place % 7)
        expected_text = oracle.decode(name, data).text
        assert encoding.decode(view_at(guarded.put(data, place), len(data))) == expected_text
        ctypes.memmove(guarded.start + place, data, len(data))
        assert encoding.decode(view_at(guarded.start + place, len(data))) == expected_text


@pytest.mark.parametrize("source", ["UTF-8", "Shift_JIS", "UTF-16LE", "windows-1251"])
def test_recode_between_guard_pages(guarded: GuardedBuffer, source: str) -> None:
    for length in LENGTHS:
        data = content(source, length)
        expected = oracle.encode("gb18030", oracle.decode(source, data).text).output
        assert we.recode(view_at(guarded.put(data), length), source, "gb18030", "html") == expected


def test_encode_into_a_guarded_buffer(guarded: GuardedBuffer) -> None:
    text = "aé\u3042\U0001f600" * 200
    encoded = text.encode()
    for capacity in (*range(70), 500, 1999):
        address = guarded.put(b"\xa5" * (capacity + 8)) + 8
        read, written = we.TextEncoder().encode_into(text, view_at(address, capacity))
        assert capacity - 3 <= written <= capacity
        assert guarded.get(address, written) == encoded[:written]
        assert guarded.get(address - 8, 8) == b"\xa5" * 8
        assert len(encoded[:written].decode().encode("utf-16-le")) == 2 * read


#: Repetitions around the lengths of blocks, and code points of every length in UTF-8 and in the encodings.
COUNTS = (*range(1, 20), *range(28, 36), *range(60, 76), *range(124, 140))
CODE_POINTS = "a\x80é€Жあｱ亜中가\ue000\U0001f4a9\U00020089"


def repeated(name: str) -> Iterator[tuple[bytes, str]]:
    """Yield texts of one character, with their bytes in an encoding: one character for each pair of lengths."""
    by_lengths: dict[tuple[int, int], str] = {}
    for character in CODE_POINTS:
        encoded = encoded_by_the_reference(name, character)
        if encoded and oracle.decode(name, encoded).text == character:
            by_lengths.setdefault((len(encoded), len(character.encode())), character)
    for character in by_lengths.values():
        for count in COUNTS:
            yield encoded_by_the_reference(name, character * count), character * count


def encoded_by_the_reference(name: str, text: str) -> bytes:
    """Return a text in an encoding; empty if the encoding does not have it, or has no encoder."""
    if name.startswith("UTF-16"):
        return text.encode(name)
    if name not in inputs.ENCODER_NAMES:
        return b""
    encoded = oracle.encode(name, text)
    return b"" if encoded.spans else encoded.output


@pytest.mark.parametrize("name", [name for name in inputs.ALL_NAMES if name != "replacement"])
def test_targets_that_are_exact_or_a_unit_short_before_a_guard_page(guarded: GuardedBuffer, name: str) -> None:
    encoding = API.for_label(name.encode(), len(name))
    for data, text in repeated(name):
        for unit_size, form in FORMS.items():
            units = text.encode(form)
            decoder, encoder = STATE(), STATE()
            API.decoder_init(decoder, encoding, 0)
            jobs = [(DECODE[unit_size], decoder, data, 1, units, unit_size)]
            if API.encoder_init(encoder, encoding, 0) == 0:
                jobs.append((ENCODE[unit_size], encoder, units, unit_size, data, 1))
            for call, state, source, source_unit, expected, unit in jobs:
                for short in (0, 1):
                    size = len(expected) - short * unit
                    address, read, written = (
                        guarded.put(bytes(size)),
                        SIZE(len(source) // source_unit),
                        SIZE(size // unit),
                    )
                    result = call(STATE(*state), source, read, address, written, 1)
                    assert result == (OUTPUT_FULL if short else INPUT_EMPTY), (text[0], len(text), unit_size)
                    assert guarded.get(address, written.value * unit) == expected[: written.value * unit]
                    assert short or written.value * unit == size


def test_sniffing_between_guard_pages(guarded: GuardedBuffer) -> None:
    for document in (*MARKUP, *(item + b">" for item in MARKUP), *(item + b'";>' + b" " * 100 for item in MARKUP)):
        for length in range(len(document) + 1):
            data = document[:length]
            view = view_at(guarded.put(data), length)
            for function in (sniff.html, sniff.xml, sniff.css, sniff.text_document):
                assert function(view) == function(data)
            assert sniff.prescan(view, None) is sniff.prescan(data, None)
            assert sniff.xml_declaration(view) is sniff.xml_declaration(data)
            assert we.bom_sniff(view) is we.bom_sniff(data)


def test_the_guards_are_up(guarded: GuardedBuffer) -> None:
    """Control: a read beyond the end is detected, here by the kernel's error instead of a crash."""
    libc = ctypes.CDLL(None, use_errno=True)
    for address in (guarded.end, guarded.start - mmap.PAGESIZE):
        assert libc.access(ctypes.c_void_p(address), 0) == -1
        assert ctypes.get_errno() == 14  # EFAULT
