"""Two properties that filters of markup rely on, of every sequence that they are about.

Expected values are the standard's own: no test here derives them from the code or the reference. What else the standard
does for security (labels, byte order marks, what encoders write) is in the chapters of tests/standard.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import whatwg_encoding as we

ASCII = range(0x80)
REPLACED = "\ufffd"


def both_ways(encoding: we.Encoding, data: bytes, cut: int) -> set[str]:
    """Return the distinct texts of ``data`` decoded whole, cut in two, and to UTF-8: a single one if all agree."""
    decoder = encoding.new_decoder()
    return {
        encoding.decode(data),
        encoding.decode_to_utf8(data).decode(),
        decoder.decode(data[:cut]) + decoder.decode(data[cut:], True),
    }


def incomplete_sequences(name: str) -> Iterator[bytes]:
    """Yield every byte that is not ASCII, and the starts of sequences of three and four bytes without ASCII bytes."""
    single = [bytes((byte,)) for byte in range(0x80, 0x100)]
    yield from single
    if name == "UTF-8":
        continuations = [bytes((byte,)) for byte in range(0x80, 0xC0)]
        yield from (
            bytes((leading,)) + trailing_byte for leading in range(0xE0, 0xF5) for trailing_byte in continuations
        )
        for leading in range(0xF0, 0xF5):
            yield from (bytes((leading, first, second)) for first in (0x80, 0x90, 0xBF) for second in (0x80, 0xBF))
    if name == "EUC-JP":
        yield from (b"\x8f" + trailing for trailing in single)


@pytest.mark.parametrize("name", ["UTF-8", "GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"])
def test_an_ascii_byte_is_never_swallowed_by_an_incomplete_sequence(name: str) -> None:
    """A byte that does not complete a sequence is decoded as if the sequence had not preceded it.

    So it is at end-of-queue, except for gb18030's digits.
    """
    encoding = we.ENCODINGS[name]
    for leading in incomplete_sequences(name):
        for byte in ASCII:
            data = leading + bytes((byte,))
            (text,) = both_ways(encoding, data + b"<", len(leading))
            assert text.endswith("<"), data
            assert REPLACED not in text or text.endswith(chr(byte) + "<"), data
            text = encoding.decode(data)
            if name in ("gb18030", "GBK") and 0x30 <= byte <= 0x39 and 0x81 <= leading[0] <= 0xFE:
                assert text == REPLACED, data
            else:
                assert REPLACED not in text or text.endswith(chr(byte)), data


_ESCAPES = {b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B"}


def test_iso_2022_jp_knows_five_escape_sequences() -> None:
    """Any other sequence keeps the state and gives U+FFFD, and the bytes after 0x1B are decoded again."""
    for second, third in product(set(range(0x80)) - {0x1B}, repeat=2):
        sequence = bytes((0x1B, second, third))
        if sequence not in _ESCAPES:
            decoded = "".join(REPLACED if byte in (0x0E, 0x0F) else chr(byte) for byte in (second, third))
            assert we.ISO_2022_JP.decode(sequence) == REPLACED + decoded, sequence
