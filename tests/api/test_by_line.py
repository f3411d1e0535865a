"""Files of which some lines are UTF-8 and the others are not: decoded whole, in a stream, by the command."""

from __future__ import annotations

import io
import re
import tracemalloc
from random import Random

import pytest

import whatwg_encoding as we
from tests.api.test_decode_together import MIXED
from whatwg_encoding._decoding.by_line import LONGEST, LineDecoder
from whatwg_encoding._native.core import runs_of_lines

# Words in each encoding, and one in ASCII.
WORDS = {codec: [*words.split(), "plain"] for codec, words in MIXED.items() if codec != "cp852"}
ENDS = ("\n", "\r\n", "\r")


def mixed(codec: str, share: int, count: int = 400) -> tuple[str, bytes]:
    """Return lines of which a share is UTF-8, by Python's codecs: the text, and the bytes."""
    random = Random(f"{codec} {share}")
    lines = [" ".join(random.choices(WORDS[codec], k=4)) + random.choice(ENDS) for _ in range(count)]
    data = [line.encode("utf-8" if random.random() * 100 < share else codec) for line in lines]
    return "".join(lines), b"".join(data)


def lines_by_validity(data: bytes) -> list[tuple[bool, int, int]]:
    """Return the runs of lines by CPython's decoder, a line at a time."""
    runs: list[tuple[bool, int, int]] = []
    for line in re.finditer(rb"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+", data):
        try:
            line[0].decode()
            is_valid = True
        except UnicodeDecodeError:
            is_valid = False
        if runs and runs[-1][0] == is_valid:
            runs[-1] = (is_valid, runs[-1][1], line.end())
        else:
            runs.append((is_valid, *line.span()))
    return runs


def test_runs_of_lines() -> None:
    random = Random(1)
    pieces = [b"\n", b"\r", b"\r\n", b"a", "é".encode(), "日".encode(), b"\xe6", b"\x97", b"\xa5", b"\xff", b"ab" * 20]
    for _ in range(20_000):
        data = b"".join(random.choices(pieces, k=random.randrange(16)))
        assert runs_of_lines(data) == lines_by_validity(data), data


@pytest.mark.parametrize("share", [5, 25, 50, 75])
@pytest.mark.parametrize("codec", WORDS)
def test_shares(codec: str, share: int) -> None:
    text, data = mixed(codec, share)
    decoded = we.decode_by_line(data)
    assert decoded.text == text
    assert decoded.encoding is we.lookup_codec(codec)
    assert decoded.errors == 0
    with we.open_utf8(io.BytesIO(data), by_line=True) as file:
        assert file.read().decode() == text
        assert file.encoding is decoded.encoding
    for size in (1, 3, 1000):
        decoder = LineDecoder(None)
        parts = [decoder.feed(data[start : start + size], False) for start in range(0, len(data), size)]
        assert b"".join([*parts, decoder.feed(b"", True)]).decode() == text


def test_a_given_encoding() -> None:
    data = "Größe\n".encode() + "Größe\n".encode("cp850")
    assert we.decode_by_line(data, "cp850").text == "Größe\nGröße\n"
    assert we.decode_by_line(data, we.code_pages.CP850).source == "given"
    assert we.open_utf8(io.BytesIO(data), "cp850", by_line=True).read().decode() == "Größe\nGröße\n"
    with pytest.raises(we.UnknownLabelError):
        we.decode_by_line(data, "klingon")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-32"])
def test_byte_order_marks(codec: str) -> None:
    data = "\ufeffGröße\n日本\n".encode(codec if codec == "utf-8" else f"{codec}-le")
    decoded = we.decode_by_line(data)
    assert (decoded.text, decoded.source) == ("Größe\n日本\n", "bom")
    assert we.open_utf8(io.BytesIO(data), by_line=True).read().decode() == decoded.text


def test_nothing_but_utf_8() -> None:
    for data in (b"", b"ascii\n", "Größe\n".encode(), "ohne Ende ö".encode()):
        decoded = we.decode_by_line(data)
        assert (decoded.text, decoded.encoding, decoded.errors) == (data.decode(), we.UTF_8, 0)


def test_fatal_errors_have_the_offset_in_the_file() -> None:
    data = "Größe\n".encode() * 5000 + b"\xc3\xa4\n\x81\x39\n"
    reader = we.open_utf8(io.BytesIO(data), "shift_jis", by_line=True, errors="fatal")
    with pytest.raises(UnicodeDecodeError) as raised:
        b"".join(iter(lambda: reader.read(1 << 16), b""))
    assert raised.value.offset == len(data) - 3  # type: ignore[attr-defined]


class Endless(io.RawIOBase):
    """A file of one line, made while it is read."""

    def __init__(self, part: bytes, count: int) -> None:
        self._part, self._left = part, count

    def read(self, size: int = -1) -> bytes:
        self._left -= 1
        return self._part if self._left >= 0 else b""


@pytest.mark.gate
@pytest.mark.parametrize(("codec", "text"), [("cp1252", "Größe "), ("utf-8", "Größe "), ("cp932", "日本語 ")])
def test_a_line_without_end_takes_bounded_memory(codec: str, text: str) -> None:
    part = text.encode(codec) * 5000
    count = 64 * LONGEST // len(part)
    reader = we.open_utf8(Endless(part, count), by_line=True)  # type: ignore[arg-type]
    length = 0
    tracemalloc.start()
    try:
        while piece := reader.read(1 << 16):
            length += len(piece)
        assert tracemalloc.get_traced_memory()[1] < 12 * LONGEST
    finally:
        tracemalloc.stop()
    assert length == len(text.encode()) * 5000 * count


def test_the_bytes_that_are_examined_are_linear() -> None:
    """Each byte of many mixed lines is scanned a bounded number of times: the calls grow as the lines do."""
    calls = []
    for count in (1000, 4000):
        _, data = mixed("cp1252", 50, count)
        decoder = LineDecoder(we.WINDOWS_1252, counts=True)
        decoder.feed(data, True)
        assert sum(decoder.lines) == count
        calls.append(decoder.offset / count)
    assert abs(calls[0] - calls[1]) < 3


def test_arguments_that_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="by_line"):
        we.open_utf8(io.BytesIO(b""), by_line=True, detector="gbk")


def test_candidates_and_exclude() -> None:
    data = "Да\n".encode("cp1251") + "Да\n".encode()
    for limits in ({"candidates": ["koi8-r", "ibm866"]}, {"exclude": ["windows-1251"]}):
        decoded = we.decode_by_line(data, **limits)  # type: ignore[arg-type]
        assert decoded.encoding is not we.WINDOWS_1251
        assert decoded.text.endswith("Да\n")
        reader = we.open_utf8(io.BytesIO(data), by_line=True, **limits)  # type: ignore[arg-type]
        assert reader.read().decode() == decoded.text


@pytest.mark.parametrize(
    "label", ["iso-2022-jp", "utf-16le", "utf-16be", "utf-32le", "iso-2022-kr", "hz-gb-2312", "cp037"]
)
def test_encodings_that_are_not_read_by_line(label: str) -> None:
    """They are refused before a byte is read: a page's script would be read otherwise than in the file as a whole."""

    class Unread(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise AssertionError

    with pytest.raises(ValueError, match="not ASCII-compatible"):
        we.decode_by_line(b"\x1b$)C<script>", label)
    with pytest.raises(ValueError, match="not ASCII-compatible"):
        we.open_utf8(Unread(), label, by_line=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("codec", ["iso-2022-jp", "utf-16-le", "utf-16-be"])
def test_text_that_is_not_read_by_line_is_found(codec: str) -> None:
    text = "日本語のテキスト\nabc\n東京都\n"
    data = text.encode(codec)
    decoded = we.decode_by_line(data)
    assert (decoded.text, decoded.errors) == (text, 0)
    for size in (1, 7, 1000):
        decoder = LineDecoder(None)
        parts = [decoder.feed(data[start : start + size], False) for start in range(0, len(data), size)]
        assert b"".join([*parts, decoder.feed(b"", True)]).decode() == text


# Lines in GBK whose bytes are valid UTF-8, too.
BOTH = ["全选", "系统", "图片", "染色", "学校", "学院"]


def test_lines_that_are_valid_in_both() -> None:
    for word in BOTH:
        assert word.encode("gbk").decode("utf-8")
        text = f"菜单\n{word}\n复制粘贴\n"
        for data, expected in (
            (text.encode("gbk"), text),
            (word.encode("gbk"), word),
            (f"{word}\n".encode("gbk") + "复制粘贴\n".encode("gbk"), f"{word}\n复制粘贴\n"),
            (f"{word}\n".encode() + "复制粘贴\n".encode("gbk") + f"{word}\n".encode(), f"{word}\n复制粘贴\n{word}\n"),
        ):
            assert we.decode_by_line(data, "gbk").text == expected
            for size in (1, 5):
                decoder = LineDecoder("gbk")
                parts = [decoder.feed(data[start : start + size], False) for start in range(0, len(data), size)]
                assert b"".join([*parts, decoder.feed(b"", True)]).decode() == expected
