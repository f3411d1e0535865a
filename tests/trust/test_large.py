"""Input beyond 2 GiB and 4 GiB, where 31 and 32 bits end: streams of 16 GiB, and single inputs. All tests are slow."""

from __future__ import annotations

import sys

import pytest

import whatwg_encoding as we
from tests.peak_memory import resident
from tests.programs import python

pytestmark = pytest.mark.slow

GIB = 1 << 30


def available() -> int:
    """Return the bytes of memory that are available without swapping and addressable, or 0 if unknown."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = dict(line.split(":") for line in file)
    except OSError:
        return 0
    return min(int(fields["MemAvailable"].split()[0]) * 1024, sys.maxsize)


def test_inputs_that_32_bits_hold() -> None:
    """More than a sixteenth of a 32-bit address space is not too large."""
    size = 300 << 20
    data = b"a" * size
    assert len(we.UTF_8.decode(data)) == size
    assert we.recode(data, "shift_jis", "gbk") == data
    data = b"\x82\xa0" * (size // 2)
    assert len(we.SHIFT_JIS.decode(data)) == size // 2
    assert len(we.SHIFT_JIS.decode_to_utf8(data)) == size // 2 * 3


@pytest.mark.skipif(sys.maxsize < 1 << 32, reason="errors are counted in 32 bits")
@pytest.mark.skipif(sys.platform != "linux", reason="requires /proc for memory figures")
@pytest.mark.parametrize(
    ("name", "chunk", "errors"),
    [
        ("UTF-8", b"a\xe3\x81\x82\xff" * 13_107 + b"a" * 64, 13_107),
        ("Shift_JIS", b"a\x82\xa0\xff" * 16_384, 16_384),
        ("windows-1252", bytes(range(256)) * 256, 0),
        ("UTF-8", b"\xff" * 65_536, 65_536),
    ],
    ids=["UTF-8", "Shift_JIS", "windows-1252", "errors alone"],
)
def test_a_stream_of_16_gib(name: str, chunk: bytes, errors: int) -> None:
    """Memory stays constant, and ``error_count`` passes 32 bits if there are as many errors."""
    assert len(chunk) >= 65_536 - 8
    encoding = we.ENCODINGS[name]
    decoder = encoding.new_decoder()
    text = encoding.decode(chunk)
    big, times = chunk * 64, 16 * GIB // (len(chunk) * 64)
    for _ in range(10):
        assert len(decoder.decode(big)) == 64 * len(text)
    decoder.reset()
    before = resident()
    for number in range(times):
        assert len(decoder.decode(big)) == 64 * len(text), number
    assert decoder.decode(b"", True) == ""
    assert decoder.error_count == errors * 64 * times
    assert resident() - before < 64 << 20


# Each runs in a separate process, so that its memory is released. GIBS is the size of the input; `data` is created in
# place, and `at` is the position of the only error.
PROGRAM = """
import whatwg_encoding as we
size = {gibs} * (1 << 30) + 12345
encoding = we.ENCODINGS[{name!r}]
data = bytearray({unit!r}) * (size // {width} + 1)
at = len(data) - 3 * {width}
data[at] = 0xFF
"""
# The memory that each requires, as a multiple of the input's size.
CHECKS = {
    "valid_up_to": (1.2, "assert encoding.valid_up_to(data) == at, encoding.valid_up_to(data)"),
    "fatal": (
        3.1,  # the larger input is bytes, which the error references; any other type is copied
        """
if {gibs} == 4:
    data = bytes(data)
try:
    encoding.decode(data, "fatal")
except UnicodeDecodeError as error:
    assert (error.start, error.end) == (at, at + 1), error
    assert len(error.object) == len(data)
else:
    raise AssertionError("no error")
""",
    ),
    "decode": (
        3.2,
        """
text = encoding.decode(data)
assert len(text) == {length}, len(text)
assert text[-3 * {units} - 5 : -3 * {units} + 5].count("\\ufffd") == 1
assert text[:{units}] == encoding.decode(data[:{width}]) == text[{units} * 3_000_000 : {units} * 3_000_001]
""",
    ),
    "decode_to_utf8": (
        2.8,
        """
encoded = encoding.decode_to_utf8(data)
assert encoded.count(b"\\xef\\xbf\\xbd") == 1
assert encoded.find(b"\\xef\\xbf\\xbd") == at // {width} * len(encoding.decode(data[:{width}]).encode())
""",
    ),
    "encode": (
        2.5,
        """
del data
text = "a" * size + "\\xe9<"
encoded = encoding.encode(text)
assert len(encoded) == encoding.encoded_length(text)
assert encoded[size:] == encoding.encode("\\xe9<")
assert encoded[size - 5 : size] == b"aaaaa"
""",
    ),
}
# A unit, its bytes and its code points. Its first byte is ASCII, so that an error in its place changes nothing else.
ENCODINGS = {
    "UTF-8": (b"ab\xe3\x81\x82", 5, 3),
    "gb18030": (b"a\x81\x40\x81\x41", 5, 3),
    "windows-1253": (b"abc\xe9", 4, 4),
    "Shift_JIS": (b"a\x82\xa0", 3, 2),
}


@pytest.mark.parametrize("gibs", [2, 4])
@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("check", CHECKS)
def test_one_input_beyond(gibs: int, name: str, check: str) -> None:
    """The whole input with one error near its end, at an offset beyond 31 or 32 bits."""
    unit, width, units = ENCODINGS[name]
    factor, code = CHECKS[check]
    needed = int((gibs * factor + 1) * GIB)
    if available() < needed:
        pytest.skip(f"needs {needed >> 30} GiB of memory; {available() >> 30} GiB are available")
    size = gibs * GIB + 12345
    length = (size // width + 1) * units
    program = (PROGRAM + code).format(gibs=gibs, name=name, unit=unit, width=width, length=length, units=units)
    python(program, timeout=900)
