"""``open_utf8``: a file in any encoding, read as UTF-8. Expected bytes come from the reference."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import os
import pickle
import tracemalloc
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import oracle
from whatwg_encoding.malformed import Recorder

TEXT = "日付,名前\r\n2024,山田①\r\n"
SJIS = TEXT.encode("cp932")


class Source(io.BytesIO):
    """A file that returns a limited number of bytes per read, and sometimes none."""

    def __init__(self, data: bytes, size: int, seekable: bool = False, nothing: bool = False) -> None:
        super().__init__(data)
        self._size, self._seekable, self._nothing, self._turn = size, seekable, nothing, 0

    def seekable(self) -> bool:
        return self._seekable

    def read(self, size: int | None = -1, /) -> Any:
        self._turn += 1
        return None if self._nothing and self._turn % 2 else super().read(self._size)


def offset_of(reader: Any) -> int:
    """Return where the error of a reader is in its file."""
    with pytest.raises(UnicodeDecodeError) as raised:
        reader.read()
    offset: int = vars(raised.value)["offset"]
    error: Any = raised.value
    malformed = error.object[error.start : error.end].hex(" ").upper()
    place = f"byte {offset} of the file, line {error.line}, column {error.column}"
    assert str(error) == f"{error.encoding}: {malformed}: {error.reason}: {place}"
    return offset


def records(name: str, data: bytes) -> list[tuple[int, int, int, bytes, str]]:
    """Return the first 16 errors in the reference: offset, line, column, bytes and what replaces them.

    No U+FFFD may be encoded, so that each is an error's.
    """
    text, spans = oracle.decode(name, data)
    places = []
    *before, _ = accumulate(text.split("\ufffd"), "{}\ufffd{}".format)
    for (start, end), lines in zip(spans[:16], (preceding.split("\n") for preceding in before), strict=False):
        places.append((start, len(lines), len(lines[-1]) + 1, data[start:end], "\ufffd"))
    return places


#: Bytes of many sequences, of which most are malformed.
PARTS = st.sampled_from(b"\n a \x1b$B \x1b(B \x0e \x81\x30 \x81 \xff \xd8\0 \xe3\x81".split(b" "))
BROKEN = st.lists(PARTS | st.binary(min_size=1, max_size=2), max_size=40).map(b"".join)


@pytest.mark.gate
@pytest.mark.parametrize("name", we.ENCODINGS)
@pytest.mark.shapes
@given(data=BROKEN, size=st.integers(1, 50), asked=st.integers(1, 9))
def test_any_bytes_in_any_pieces(name: str, data: bytes, size: int, asked: int) -> None:
    """The text and the first errors are the reference's, in whatever pieces the file is read, and of a result."""
    text, spans = oracle.decode(name, data)
    assert we.open_utf8(Source(data, size), name).read() == text.encode()
    assume(text.count("\ufffd") == len(spans))
    expected, count = records(name, data), len(spans)
    reader = we.open_utf8(Source(data, size), name)
    parts, seen = b"", 0
    while part := reader.read(asked):
        assert len(part) <= asked
        parts += part
        assert reader.tell() == len(parts)
        assert seen <= reader.errors <= count
        assert list(reader.first_errors) == expected[: reader.errors]
        seen = reader.errors
    assert parts == text.encode()
    assert (reader.errors, list(reader.first_errors)) == (count, expected)
    if we.bom_sniff(data) is None:
        decoded = we.decode(data, name)
        assert (decoded.errors, list(decoded.first_errors)) == (count, expected)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe"])
def test_records_count_from_before_a_byte_order_mark(mark: bytes) -> None:
    name = {"\xef": "UTF-8", "\xfe": "UTF-16BE", "\xff": "UTF-16LE"}[chr(mark[0])]
    body = b"a\n\n\0\0\n\xff\xd8\x00\x00\xd8\x00\x00"
    expected = [(start + len(mark), *rest) for start, *rest in records(name, body)]
    assert expected
    for decoded in (we.decode(mark + body, "gbk"), we.decode_html(mark + body), we.decode_crawled(mark + body)):
        assert list(decoded.first_errors) == expected
        assert decoded.errors == len(expected)
    for reader in (we.open_utf8(io.BytesIO(mark + body), "gbk", bom="sniff"), we.open_utf8(io.BytesIO(mark + body))):
        assert (reader.errors, reader.first_errors) == (0, ())
        reader.read()
        assert list(reader.first_errors) == expected
        reader.seek(0)
        assert (reader.errors, reader.first_errors) == (0, ())


def test_records_of_a_result() -> None:
    assert "first_errors" not in vars(we.decode(b"caf\xc3\xa9", "utf-8"))
    assert we.decode(b"caf\xc3\xa9", "utf-8").first_errors == ()
    data = b"a\n" * 150_000 + "日本".encode() + b"\xff" + b"b" * 300_000 + b"\xe3\x81"
    decoded = we.decode(data, "utf-8")
    expected = [(300_006, 150_001, 3, b"\xff", "\ufffd"), (600_007, 150_001, 300_004, b"\xe3\x81", "\ufffd")]
    assert list(decoded.first_errors) == expected
    assert all(type(error) is we.MalformedAt for error in decoded.first_errors)
    for same in (pickle.loads(pickle.dumps(decoded)), copy.copy(decoded), decoded._replace(text="")):
        assert (same.errors, same.first_errors) == (2, decoded.first_errors)


#: Sizes of the pieces in which something reads or decodes: the edges at which a sequence may be cut.
EDGES = (64, 256, 1024, 3072, 4096, 7168, 1 << 14, 1 << 16, 1 << 18)
#: Encoding → malformed sequences, whose errors are of several bytes or several errors.
CUT = {
    "UTF-8": [b"\xed\xa0\x80", b"\xe3\x81", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xff"],
    "Shift_JIS": [b"\x81\xff", b"\x81\n"],
    "gb18030": [b"\x81\x30\x81\n", b"\x81\x30"],
    "ISO-2022-JP": [b"\x1b$B\x24\xff\x1b(B", b"\x1b$Bab\x1b"],
}


def results(name: str, data: bytes, size: int) -> Iterator[tuple[str, Any]]:
    """Yield what each function that reports errors returns or reads, for data that is read in pieces of a size."""
    yield "decode", we.decode(data, name)
    yield "decode_html", we.decode_html(data, known=name)
    reader = we.open_utf8(Source(data, size), name)
    reader.read()
    yield "open_utf8", reader
    decoder = Recorder(we.lookup(name))
    for start in range(0, len(data), size):
        decoder.decode(data[start : start + size])
    decoder.decode(b"", True)
    yield "Recorder", decoder
    if name != "ISO-2022-JP" and not data.isascii():
        other = "windows-1252" if name == "UTF-8" else name  # a line that is no UTF-8 is in the other encoding
        if name != "UTF-8":
            yield "decode_by_line", we.decode_by_line(data, other)
            by_line = we.open_utf8(Source(data, size), other, by_line=True)
            by_line.read()
            yield "open_utf8 by line", by_line


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("name", CUT)
def test_records_at_edges(name: str, edge: int) -> None:
    """Records at the edges of pieces: those of the reference for the end of the data, moved by what is before it."""
    for sequence in CUT[name]:
        end = b"\n" + sequence + b" x\n" + sequence
        for shift in range(-len(sequence) - 1, 2):
            before = edge + shift - 1
            expected = [(before + start, *rest) for start, *rest in records(name, end)]
            for door, result in results(name, b"a" * before + end, edge):
                assert (list(result.first_errors), result.errors) == (expected, len(expected)), (door, sequence, shift)


@pytest.mark.parametrize("name", ["UTF-8", "Shift_JIS"])
def test_the_record_of_many_errors(name: str) -> None:
    """Sixteen errors are recorded and all are counted, wherever the sixteenth is."""
    for before in (0, 1, 100, 4090, 70_000):
        data = b"a" * before + b"\xff\n" * 20
        expected = [(before, 1, before + 1, b"\xff", "\ufffd")]
        expected += [(before + 2 * line, line + 1, 1, b"\xff", "\ufffd") for line in range(1, 16)]
        for door, result in results(name, data, 1000):
            assert (list(result.first_errors), result.errors) == (expected, 20), door


def test_an_exception_has_a_few_bytes_about_the_error() -> None:
    data = b"0123456789 abc def\n" * 68_000 + b"xyz\xe3\x81" + b"more text" * 100_000
    offset = 68_000 * 19 + 3
    for size in (1 << 20, offset + 1, 4097):
        reader = we.open_utf8(Source(data, size, seekable=True), "utf-8", errors="fatal")
        with pytest.raises(UnicodeDecodeError) as raised:
            reader.read()
        error: Any = raised.value
        assert (error.offset, error.line, error.column) == (offset, 68_001, 4)
        assert error.object[error.start : error.end] == b"\xe3\x81"
        assert error.object in data
        assert len(error.object) <= 2 + 32
        assert len(repr(error)) < 300
        assert f"byte {offset} of the file, line 68001, column 4" in str(error)
        assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


@given(
    mark=st.sampled_from([b"", b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb"]),
    data=st.binary(max_size=8),
    size=st.integers(1, 9),
    encoding=st.sampled_from([we.GBK, we.UTF_8, we.UTF_16LE]),
)
@example(mark=b"\xff\xfe", data=b"\0\0", size=1, encoding=we.GBK)
@example(mark=b"", data=b"\0\0\xfe\xff", size=1, encoding=we.GBK)
def test_byte_order_marks(mark: bytes, data: bytes, size: int, encoding: we.Encoding) -> None:
    data = mark + data
    reader = we.open_utf8(Source(data, size), encoding, bom="sniff")
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):  # UTF-32's, which is for files alone
        reader.read()
        assert reader.encoding is we.code_pages.CODE_PAGES["UTF-32LE" if data[0] else "UTF-32BE"]
        return
    text, used = we.decode(data, encoding)
    assert text == oracle.decode(used.name, data[{"UTF-8": 3}.get(used.name, 2) if we.bom_sniff(data) else 0 :]).text
    assert reader.read() == text.encode()
    assert reader.encoding is used
    assert we.open_utf8(Source(data, size), encoding).read() == encoding.decode(data).encode()  # "keep"


def test_seek() -> None:
    data = "日本語テキスト".encode("cp932") * 30
    whole = ("日本語テキスト" * 30).encode()
    for mark in (b"", b"\xef\xbb\xbf"):
        source = io.BytesIO(b"skipped" + mark + (whole if mark else data))
        source.seek(7)
        reader = we.open_utf8(source, "sjis", bom="sniff")
        assert reader.seekable()
        for position in (0, 5, 3, 100, 99, len(whole), len(whole) + 5, 1, 0):
            assert reader.seek(position) == reader.tell() == min(position, len(whole))
            assert reader.read(4) == whole[position : position + 4]
            assert reader.seek(-2, io.SEEK_CUR) == max(0, min(position + 4, len(whole)) - 2)
        assert reader.seek(0, io.SEEK_END) == len(whole)
        assert reader.seek(-3, io.SEEK_END) == len(whole) - 3
        assert reader.read() == whole[-3:]
        for arguments in ((-1,), (-1, io.SEEK_CUR), (0, 7)):
            reader.seek(0)
            with pytest.raises(ValueError, match=r"negative|whence"):
                reader.seek(*arguments)


def test_peek_and_readinto() -> None:
    reader = we.open_utf8(io.BytesIO(SJIS), "sjis")
    assert reader.peek() == TEXT.encode()
    assert reader.tell() == 0
    buffer = bytearray(b"-" * 8)
    assert reader.readinto(memoryview(buffer)[:5]) == 5
    assert buffer == TEXT.encode()[:5] + b"---"
    assert reader.readinto(bytearray()) == 0
    with pytest.raises(TypeError):
        reader.readinto(b"read-only")
    assert reader.read() == TEXT.encode()[5:]
    assert reader.peek() == reader.read() == b""
    assert reader.readinto(buffer) == 0


def test_a_source_that_has_nothing_yet() -> None:
    reader = we.open_utf8(Source(SJIS, 1000, nothing=True), "sjis")
    assert reader.read(5) is None
    assert reader.read(5) == TEXT.encode()[:5]
    assert reader.read() == TEXT.encode()[5:]
    assert reader.read(1) == b""
    assert not reader.seekable()
    with pytest.raises(io.UnsupportedOperation, match="not seekable"):
        reader.seek(0)


def test_fatal_errors_say_where() -> None:
    data = SJIS * 50_000 + b"\x81" + b"\xff" * 10
    for size in (1 << 20, 4097):
        reader = we.open_utf8(Source(data, size, seekable=True), "sjis", errors="fatal")
        assert offset_of(reader) == len(SJIS) * 50_000
        with pytest.raises(UnicodeDecodeError):
            reader.read(1)
        assert reader.seek(0) == 0
        assert reader.read(4) == TEXT.encode()[:4]


def test_an_error_after_the_files_start() -> None:
    for encoding, bom in ((we.SHIFT_JIS, "keep"), (we.UTF_8, "sniff")):
        source = io.BytesIO(b"header" + (b"\xef\xbb\xbf" if bom == "sniff" else b"") + b"a\xff")
        source.seek(6)
        reader = we.open_utf8(source, encoding, errors="fatal", bom=bom)  # type: ignore[arg-type]
        assert source.getvalue()[offset_of(reader)] == 0xFF


BLOCK = 1 << 18  # bytes that decide on an encoding
RUSSIAN = "Поезд опоздал, и пассажиры долго ждали на вокзале. " * 3
UNKNOWN = {
    "UTF-8": "café 日本".encode(),
    "windows-1251": RUSSIAN.encode("cp1251"),
    "Shift_JIS": TEXT.encode("cp932") * 9,
    "ISO-2022-JP": "日本語のテキスト".encode("iso2022_jp"),
    "UTF-16LE": "\ufeffno,name\r\n".encode("utf-16-le"),
    "UTF-16BE": "number,name\r\n".encode("utf-16-be") * 9,
}


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("size", [1, 1000, BLOCK])
def test_an_unknown_encoding(name: str, size: int) -> None:
    data = UNKNOWN[name]
    expected = oracle.decode(name, data[2:] if data[:2] == b"\xff\xfe" else data).text.encode()
    reader = we.open_utf8(Source(data, size, seekable=True))
    for _ in range(2):
        assert reader.read(3) == expected[:3]
        assert reader.encoding is we.lookup(name)
        assert reader.read() == expected[3:]
        reader.seek(0)


@pytest.mark.parametrize("name", ["UTF-8", "windows-1251", "Shift_JIS", "ISO-2022-JP"])
@pytest.mark.parametrize("length", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 3 * BLOCK])
def test_ascii_decides_nothing(name: str, length: int) -> None:
    data = b"a" * length + UNKNOWN[name]
    reader = we.open_utf8(io.BytesIO(data), errors="fatal")
    assert reader.read() == b"a" * length + oracle.decode(name, UNKNOWN[name]).text.encode()
    assert reader.encoding is we.lookup(name)


def test_a_byte_order_mark_after_a_block_of_ascii_is_text() -> None:
    for length in (BLOCK - 1, BLOCK, 2 * BLOCK - 1):
        data = b"a" * length + "\ufeffb".encode()
        assert we.open_utf8(io.BytesIO(data)).read() == data


def test_an_error_after_blocks_of_ascii() -> None:
    data = b"a" * (2 * BLOCK + 5) + "é".encode() * 9 + b"\xff"
    assert offset_of(we.open_utf8(io.BytesIO(data), errors="fatal")) == len(data) - 1


def test_a_detector() -> None:
    detect = create_autospec(we.sniff.utf8_if_valid, return_value="koi8-r")
    data = RUSSIAN.encode("koi8_r")
    assert we.open_utf8(io.BytesIO(data), detector=detect).read() == RUSSIAN.encode()
    assert we.open_utf8(io.BytesIO(data), None, detector=we.KOI8_R).read() == RUSSIAN.encode()
    assert we.open_utf8(io.BytesIO(b"caf\xe9"), detector=lambda data: None).read() == "café".encode()
    assert we.open_utf8(io.BytesIO(b"caf\xe9"), "windows-1252", detector=detect).read() == "café".encode()
    page = b"<meta charset=koi8-r>" + b"a" * BLOCK + data
    assert we.open_utf8(io.BytesIO(page), detector=we.GBK).read()[-9:] == RUSSIAN.encode()[-9:]
    detect.assert_called_once_with(data)
    with pytest.raises(we.UnknownLabelError, match="detector"):
        we.open_utf8("missing", detector="klingon")


def test_a_detector_that_raises_loses_nothing() -> None:
    detect = create_autospec(we.sniff.utf8_if_valid, side_effect=[OSError("no model"), "koi8-r"])
    reader = we.open_utf8(io.BytesIO(RUSSIAN.encode("koi8_r") * 2000), detector=detect)
    with pytest.raises(OSError, match="no model"):
        reader.read()
    assert reader.read() == RUSSIAN.encode() * 2000


@pytest.mark.parametrize("by_line", [False, True])
def test_lines(by_line: bool) -> None:
    """The lines are those of a file in UTF-8, whatever the first read is."""
    text = "日付,名前\r\n\n2024,山田①\r\n" * 9000 + "no end"
    for data, encoding in ((text.encode("cp932"), "sjis"), (text.encode(), None)):
        expected = io.BufferedReader(io.BytesIO(text.encode()))
        reader = we.open_utf8(io.BytesIO(data), encoding, by_line=by_line)
        assert isinstance(reader, io.BufferedReader)
        assert reader.readline() == expected.readline()
        assert reader.peek(4)[:4] == expected.peek(4)[:4]
        assert reader.readlines(100) == expected.readlines(100)
        assert list(reader) == list(expected)


@pytest.mark.parametrize("by_line", [False, True])
def test_binary_data_is_refused(tmp_path: Path, by_line: bool) -> None:
    png = bytes.fromhex("89504E470D0A1A0A0000000D4948445200000001000000010802000000907753DE")
    for name, data in (("gzip", gzip.compress(SJIS)), ("PNG", png), ("ZIP", b"PK\x03\x04\x14\0\0\0\x08\0" + SJIS)):
        path = tmp_path / name
        path.write_bytes(data)
        with we.open_utf8(path, by_line=by_line) as reader:
            for _ in range(2):
                with pytest.raises(ValueError, match=f"binary data .the signature of {name}.; pass an encoding"):
                    reader.read(10)
        with we.open_utf8(path, "latin1") as reader:  # who names an encoding gets its text
            assert reader.read() == we.WINDOWS_1252.decode(data).encode()


def test_what_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(SJIS)
    for name in (path, str(path), os.fsencode(path)):
        with we.open_utf8(name, "sjis") as reader:
            assert reader.readable()
            assert reader.read() == TEXT.encode()
            source = reader.raw._file
        assert source.closed
        with pytest.raises(ValueError, match="closed"):
            reader.read()
        reader.close()
    with path.open("rb") as file:
        we.open_utf8(file, "sjis").close()
        assert file.read() == SJIS  # nothing was consumed, and the file is still open
    with gzip.open(tmp_path / "file.gz", "wb") as packed:
        packed.write(SJIS)
    with gzip.open(tmp_path / "file.gz") as packed:
        assert we.open_utf8(packed, we.SHIFT_JIS).read() == TEXT.encode()


def test_wrong_arguments_open_nothing(tmp_path: Path) -> None:
    missing: Any = tmp_path / "missing"
    with pytest.raises(we.UnknownLabelError):
        we.open_utf8(missing, "cp932")
    with pytest.raises(ValueError, match="bom must be"):
        we.open_utf8(missing, "sjis", bom="remove")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="replacement"):
        we.open_utf8(missing, "sjis", errors="strict")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        we.open_utf8(missing, "sjis")
    for file in (io.StringIO("text"), 5, None):
        with pytest.raises(TypeError, match="file must be a path or a binary file"):
            we.open_utf8(file, "sjis")  # type: ignore[arg-type]

    class Text:
        def read(self, size: int) -> str:
            return "text"

    with pytest.raises(TypeError, match=r"file must be binary; its read\(\) returned str"):
        we.open_utf8(Text(), "sjis").read()  # type: ignore[arg-type]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(SJIS * 30_000)
    peaks = []
    for encoding in ("sjis", "utf-8"):
        with we.open_utf8(path, encoding) as reader:
            tracemalloc.start()
            total = 0
            while part := reader.read(1 << 16):
                total += len(part)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert total > 64 * 30_000 * len(SJIS)
    assert max(peaks) < 4 << 20 < path.stat().st_size / 6


def test_readers_of_other_things() -> None:
    with io.TextIOWrapper(we.open_utf8(io.BytesIO(SJIS), "sjis"), "utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["日付", "名前"], ["2024", "山田①"]]
