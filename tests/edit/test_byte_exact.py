"""ByteExactText and reencode: what stays, what is encoded anew, what is refused, and files."""

from __future__ import annotations

import copy
import mmap
import os
import pickle
import stat
import sys
import tracemalloc
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.edit.model import MARKS, NAMES, text_of
from tests.reference import inputs


def replaced(data: bytes, encoding: str, start: int, end: int, new: str) -> bytes:
    document = we.ByteExactText(data, encoding)
    document.replace(start, end, new)
    assert document.text == text_of(document.encoding.name, document.encode())
    return document.encode()


@pytest.mark.shapes
@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_what_is_not_edited_is_the_input(name: str) -> None:
    everything = b"".join(inputs.random_inputs(name, 50)) + bytes(range(256))
    for data in (b"", everything, MARKS.get(name, b"") + everything, MARKS.get(name, b"")):
        document = we.ByteExactText(data, name)
        assert document.encode() is data
        assert document.text == text_of(name, data)
        document.update(document.text)
        assert document.encode() is data
        assert we.reencode(data, document.text, name) is data


# --- What beside an edit is encoded anew ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "edit", "result"),
    [
        # A malformed sequence that the edit does not touch
        ("Shift_JIS", "82 0A 41", (2, 2, "b"), "82 0A 62 41"), ("Shift_JIS", "82 0A 41", (1, 1, "\n"), "82 0A 0A 41"),
        # An edit beside one that the edit would complete: U+FFFD has bytes of its own there
        ("UTF-8", "E3 81 41 80", (1, 2, ""), "EFBFBD 80"), ("UTF-8", "F0 41 90 80 80", (1, 2, ""), "EFBFBD 90 80 80"),
        ("gb18030", "81 0A 40", (1, 2, ""), "8431A437 40"),
        ("UTF-16LE", "3D D8 41 00 A9 DC", (1, 2, ""), "FD FF A9 DC"),
        ("UTF-16BE", "00 41 00", (2, 2, "B"), "00 41 FF FD 00 42"),
        # Duplicates, user-defined characters, and what the encoder lacks
        ("Shift_JIS", "ED40 F040 41 ED40", (2, 3, "漢"), "ED40 F040 8ABF ED40"),
        ("EUC-JP", "8FB0A1 41 8FB0A1", (1, 2, "あ"), "8FB0A1 A4A2 8FB0A1"),
        ("Big5", "8862 41 8BC3", (2, 3, "中"), "8862 A4A4 8BC3"),
        ("gb18030", "A2E3 41 8130 8130", (1, 2, "€"), "A2E3 A2E3 8130 8130"),
        # Surrogate pairs and byte order marks
        ("UTF-16LE", "FFFE 41 00 42 00", (0, 1, "😀"), "FFFE 3DD8 00DE 42 00"),
        ("UTF-8", "EFBBBF EFBBBF 41", (0, 1, ""), "EFBBBF 41"),
        ("UTF-8", "EFBBBF 41", (0, 0, "\ufeff"), "EFBBBF EFBBBF 41"), ("windows-1252", "EFBBBF 41", (0, 3, ""), "41"),
        ("windows-1252", "FFFE 41", (0, 0, "é"), "E9 FFFE 41"),
    ],
)  # fmt: skip
def test_bytes_after_an_edit(name: str, data: str, edit: tuple[int, int, str], result: str) -> None:
    assert replaced(bytes.fromhex(data), name, *edit) == bytes.fromhex(result)


@pytest.mark.parametrize(
    ("data", "edit", "result"),
    [
        (b'A\x1b$B$"\x1b(BB', (1, 1, "x"), b'Ax\x1b$B$"\x1b(BB'),
        (b'A\x1b$B$"\x1b(BB', (1, 1, "い"), b'A\x1b$B$$$"\x1b(BB'),
        (b'A\x1b$B$"\x1b(BB', (2, 2, "い"), b'A\x1b$B$"$$\x1b(BB'),
        (b'A\x1b$B$"$$\x1b(BB', (2, 2, "x"), b'A\x1b$B$"\x1b(Bx\x1b$B$$\x1b(BB'),
        (b'A\x1b$B$"\x1b(BB', (1, 2, ""), b"AB"), (b'A\x1b$B$"\x1b(BB', (1, 2, "x"), b"AxB"),
        (b'\x1b$B$"\x1b(Bx\x1b$B$$\x1b(B', (1, 2, ""), b'\x1b$B$"$$\x1b(B'),
        (b'\x1b$B$"', (1, 1, "い"), b'\x1b$B$"$$\x1b(B'),
        (b"A\x1b(BB\x1b(BC", (2, 3, "D"), b"A\x1b(BB\x1b(BD"),  # redundant escape sequences
        (b"\x1b(Ja\\b", (1, 2, "\xa5"), b"\x1b(Ja\\b"), (b"\x1b(Jab", (1, 1, "~"), b"\x1b(Ja\x1b(B~\x1b(Jb"),
        (b"\x1b(I12", (1, 1, "x"), b"\x1b(I1\x1b(Bx\x1b(I2"), (b"\x1b(I12", (1, 1, "あ"), b'\x1b(I1\x1b$B$"\x1b(I2'),
        (b"\x1b(I12", (1, 2, ""), b"\x1b(I1"),
    ],
)  # fmt: skip
def test_the_states_of_iso_2022_jp(data: bytes, edit: tuple[int, int, str], result: bytes) -> None:
    assert replaced(data, "ISO-2022-JP", *edit) == result


def test_the_bytes_of_a_slice_include_what_is_between_its_characters() -> None:
    document = we.ByteExactText(b'A\x1b$B$"\x1b(BB', "iso-2022-jp")
    assert [document.bytes_of(i, i + 1) for i in range(3)] == [(0, 1), (4, 6), (9, 10)]
    assert document.bytes_of(0, 3) == (0, 10)
    assert document.bytes_of(1, 1) == (1, 1)
    document = we.ByteExactText(b"\x41\x88\x62\x42", "big5")  # U+00CA U+0304 are one sequence
    assert [document.bytes_of(i, i + 1) for i in range(4)] == [(0, 1), (1, 3), (1, 3), (3, 4)]
    assert we.ByteExactText(b"\xef\xbb\xbfa", "utf-8").bytes_of(0, 1) == (3, 4)


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "edit", "says"),
    [
        ("Shift_JIS", "41 82 0A 61", (2, 3, ""), "the malformed bytes 82 before it would combine"),
        ("Shift_JIS", "41 82 0A 41", (2, 2, "x"), "the malformed bytes 82 before it would combine"),
        ("GBK", "81 0A 40", (1, 2, ""), "the malformed bytes 81"),
        ("Big5", "8862", (1, 2, ""), "would divide U+00CA U+0304"),
        ("Big5", "41 8862", (2, 2, "x"), "would divide U+00CA U+0304"),
        ("UTF-8", "41", (0, 0, "\ufeff"), "byte order mark"),
        ("UTF-8", "41 EFBBBF 42", (0, 1, ""), "byte order mark"),
        ("windows-1252", "41 FFFE 42", (0, 1, ""), "byte order mark"),
    ],
)
def test_edits_that_no_bytes_give(name: str, data: str, edit: tuple[int, int, str], says: str) -> None:
    document = we.ByteExactText(bytes.fromhex(data), name)
    with pytest.raises(we.EditRefusedError, match=says.replace("+", r"\+")) as caught:
        document.replace(*edit)
    assert (caught.value.start, caught.value.end) == edit[:2]
    assert document.encode() == bytes.fromhex(data)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("name", "new", "start", "says"),
    [
        ("windows-1252", "aж", 1, "not in windows-1252"),
        ("Shift_JIS", "a\xa5€", 1, "decode to U\\+005C"),  # the encoder maps it to a byte of another character
        ("Shift_JIS", "\u2212", 0, "decode to U\\+FF0D"),
        ("ISO-2022-JP", "\uff71", 0, "decode to U\\+30A2"),
        ("EUC-JP", "鷗", 0, "not in EUC-JP"),  # in jis0212, which is only decoded
        ("gb18030", "\ue5e5", 0, "not in gb18030"),
        ("UTF-16LE", "a\ud800", 1, "surrogate"),
        ("UTF-8", "a\ud83d\ude00", 1, "decode to U\\+1F600"),
    ],
)
def test_characters_that_have_no_bytes(name: str, new: str, start: int, says: str) -> None:
    document = we.ByteExactText(b"ab", name)
    with pytest.raises(UnicodeEncodeError, match=says) as caught:
        document.replace(1, 1, new)
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == (name, new, start, start + 1)
    with pytest.raises(UnicodeEncodeError) as caught:
        document.update(document.text + new)
    assert (caught.value.object, caught.value.start) == (document.text + new, len(document.text) + start)
    assert document.encode() == b"ab"


def test_character_references_where_the_caller_wants_them() -> None:
    document = we.ByteExactText(b"a\x82\xa0b", "shift_jis")
    document.replace(0, 1, "é\xa5あ", errors="html")
    assert document.text == "&#233;&#165;ああb"
    document.update("&#233;&#165;ああ☃", errors="html")
    assert document.encode() == b"&#233;&#165;\x82\xa0\x82\xa0&#9731;"
    assert we.reencode(b"a", "\ud800", "utf-8", errors="html") == b"\xef\xbf\xbd"
    assert we.reencode(b"a", "\x1b", "iso-2022-jp", errors="html") == b"&#65533;"


def test_replacement_has_no_encoder() -> None:
    document = we.ByteExactText(b"ab", "replacement")
    assert document.text == "\ufffd"
    with pytest.raises(we.EncoderUnavailableError):
        document.replace(0, 1, "")
    with pytest.raises(we.EncoderUnavailableError):
        document.update("x")


def test_arguments() -> None:
    document = we.ByteExactText(bytearray(b"abc"), we.UTF_8)
    for start, end in ((-1, 0), (2, 1), (0, 4)):
        with pytest.raises(ValueError, match="must be a range of the text, which has 3 code points"):
            document.replace(start, end, "")
    with pytest.raises(ValueError, match="errors must be 'fatal' or 'html', not 'strict'"):
        document.update("abc", errors="strict")  # type: ignore[arg-type]
    with pytest.raises(we.UnknownLabelError):
        we.ByteExactText(b"", "latin-15")


# --- update -----------------------------------------------------------------------------------------------------------


def test_several_ranges_at_once() -> None:
    data = b"foo \xed\x40 foo \x82"  # a duplicate, and an incomplete sequence
    document = we.ByteExactText(data, "shift_jis")
    text = document.text
    with pytest.raises(UnicodeEncodeError) as raised:
        document.replace_ranges([(0, 3, "bar"), (6, 9, "b\u2603r")])
    assert (raised.value.object, raised.value.start) == (text[:6] + "b\u2603r", 7)
    for ranges in ([(6, 9, "x"), (0, 3, "x")], [(0, 7, "x"), (6, 9, "x")], [(3, 2, "x")], [(0, 99, "x")]):
        with pytest.raises(ValueError, match="ascend"):
            document.replace_ranges(ranges)
    with pytest.raises(ValueError, match="errors"):
        document.replace_ranges([], errors="ignore")  # type: ignore[arg-type]
    assert document.encode() == data
    document.replace_ranges([(0, 3, "bar"), (6, 9, "b\u2603r")], errors="html")
    assert document.encode() == b"bar \xed\x40 b&#9731;r \x82"


@pytest.mark.parametrize(
    ("name", "data", "ranges"),
    [
        ("windows-1252", b"\xef", [(0, 0, "ÿ"), (0, 1, "þ")]),
        ("windows-1252", b"\xef\xbb\xbfa\xff\xfe\xff", [(0, 2, ""), (2, 4, ""), (6, 7, "")]),
        ("x-user-defined", b"\xef\xbb\xbf\xbf\xfe\xbf\xefa\xbb\xff", [(0, 4, ""), (5, 9, "")]),
        ("UTF-16BE", b"\0\0", [(0, 0, "\0"), (0, 1, "\ufeff"), (1, 1, "\0")]),
    ],
)
def test_several_ranges_make_no_mark(name: str, data: bytes, ranges: list[tuple[int, int, str]]) -> None:
    """Each of them, or all but the last, leaves none."""
    document = we.ByteExactText(data, name)
    with pytest.raises(we.EditRefusedError, match="byte order mark"):
        document.replace_ranges(ranges)
    assert document.encode() == data


@pytest.mark.parametrize("name", ["windows-1252", "Shift_JIS", "UTF-16LE", "ISO-2022-JP"])
def test_every_character_is_a_range_of_its_own(name: str) -> None:
    """While a document has no byte, each is compared with a mark. It would take minutes in quadratic time."""
    count = 50_000
    document = we.ByteExactText((b"a\0" if name == "UTF-16LE" else b"a") * count, name)
    document.replace_ranges([(position, position + 1, "") for position in range(count)])
    assert document.encode() == b""


def test_update_keeps_what_is_between_differences() -> None:
    line = b"\xed\x40 \xf0\x40 x = 1; \x82\n"
    data = line * 50
    document = we.ByteExactText(data, "shift_jis")
    document.update(document.text.replace("x", "count").replace("1", "漢字"))
    assert document.encode() == data.replace(b"x", b"count").replace(b"1", b"\x8a\xbf\x8e\x9a")


def test_update_keeps_characters_that_the_encoder_lacks() -> None:
    """Although too much differs for a comparison by characters."""
    document = we.ByteExactText(b"-" * 3000 + b"\x8f\xb0\xa1" + b"=" * 3000 + b"\x80" + b"-" * 999, "euc-jp")
    middle = document.text[3000]
    document.update("あ" * 2000 + middle + "い" * 2000 + "\ufffd" + "う" * 900)
    assert document.encode() == b"\xa4\xa2" * 2000 + b"\x8f\xb0\xa1" + b"\xa4\xa4" * 2000 + b"\x80" + b"\xa4\xa6" * 900


def test_a_mark_at_the_start_of_the_new_text_stands_for_the_mark_of_the_document() -> None:
    data = b"\xef\xbb\xbfab\n"
    assert we.reencode(data, we.UTF_8.decode(data), "utf-8") is data
    assert we.reencode(data, "\ufeffaXb\n", "utf-8") == b"\xef\xbb\xbfaXb\n"
    assert we.reencode(data, "aXb\n", "utf-8") == b"\xef\xbb\xbfaXb\n"
    with pytest.raises(UnicodeEncodeError) as caught:
        we.reencode(data, "\ufeffab\ud800", "utf-8")
    assert caught.value.start == 3


def test_an_edit_within_what_the_one_before_it_had_to_look_at() -> None:
    """Without the space, 81 30 are the start of a sequence up to the next byte."""
    assert text_of("gb18030", b"\x810a  ") == "\ufffd0a  "
    assert we.reencode(b"\x81 0  ", "\ufffd0a  ", "gb18030") == b"\x810a  "


def test_line_ends_stay() -> None:
    assert we.reencode(b"a\r\nb\rc\n\x82\xa0", "a\r\nB\rc\nあ", "shift_jis") == b"a\r\nB\rc\n\x82\xa0"


# --- Objects and files ------------------------------------------------------------------------------------------------


def test_objects() -> None:
    document = we.ByteExactText(memoryview(b"\x82\xa0b"), "sjis")
    assert (document.encoding, repr(document)) == (we.SHIFT_JIS, "<ByteExactText Shift_JIS, 2 code points>")
    document.replace(1, 2, "c")
    for other in (copy.copy(document), copy.deepcopy(document), pickle.loads(pickle.dumps(document))):
        other.replace(0, 1, "い")
        assert other.encode() == b"\x82\xa2c"
    assert document.encode() == b"\x82\xa0c"


def test_a_mapped_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\x82\xa0b")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert we.reencode(mapped, "あc", "sjis") == b"\x82\xa0c"


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\x82\xa0")
    assert we.ByteExactText.read(path, "sjis").text == "あ"
    assert we.ByteExactText.read(path, detector="sjis").text == "あ"
    assert we.ByteExactText.read(str(path), detector=lambda data: "sjis").encoding is we.SHIFT_JIS
    path.write_bytes("あ".encode())
    assert we.ByteExactText.read(path).text == "あ"
    path.write_bytes(b"\xff\xfea\x00")
    assert we.ByteExactText.read(path, detector="sjis").text == "a"
    assert we.ByteExactText.read(path).encoding is we.UTF_16LE
    with pytest.raises(FileNotFoundError):
        we.ByteExactText.read(tmp_path / "none")


def test_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"ab")
    path.chmod(0o640)
    link.symlink_to("file")
    document = we.ByteExactText.read(link, "utf-8")
    document.replace(0, 1, "x")
    document.write(link)
    assert (path.read_bytes(), link.is_symlink(), stat.S_IMODE(path.stat().st_mode)) == (b"xb", True, 0o640)
    document.write("-")
    assert (tmp_path / "-").read_bytes() == b"xb"
    os.link(path, tmp_path / "second")
    with pytest.raises(OSError, match="hard links"):
        document.write(path)
    with pytest.raises(OSError, match="none"):
        document.write(tmp_path / "none" / "file")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["-", "file", "link", "second"]


# --- Large documents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Shift_JIS", b"<p>\x93\xfa\x96\x7b \xed\x40</p>\n"),
        ("ISO-2022-JP", b'<p>\x1b$B$"\x1b(B</p>\n'),
        ("windows-1252", b"caf\xe9\n"),
        ("UTF-16LE", "日本\n".encode("utf-16-le")),
    ],
)
def test_memory_beside_text_and_bytes(name: str, line: bytes) -> None:
    data = line * (4_000_000 // len(line))
    document = we.ByteExactText(data, name)
    size = len(data) + sys.getsizeof(document.text)
    tracemalloc.start()
    try:
        document.bytes_of(len(document.text) - 2, len(document.text) - 1)
        current, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert current < 0.02 * size
    assert peak < 0.03 * size  # an array has room for growth, and is copied as it grows


@pytest.mark.slow
@pytest.mark.shapes
@pytest.mark.parametrize("name", NAMES)
def test_200_megabytes(name: str) -> None:
    unit = b"".join(inputs.random_inputs(name, 40)) + b"\n\n"
    data = unit * (200_000_000 // len(unit))
    document = we.ByteExactText(data, name)
    middle = len(document.text) // 2
    start, end = document.bytes_of(middle, middle)
    text = document.text
    document.update(text[:middle] + "x" + text[middle:])
    result = document.encode()
    assert result[: start - 40] == data[: start - 40]
    assert result[len(result) - (len(data) - end) + 40 :] == data[end + 40 :]
    assert document.text == text[:middle] + "x" + text[middle:]


@pytest.mark.parametrize("name", list(we.ENCODINGS))
def test_a_document_without_text(name: str) -> None:
    """The first text of a file, and the last."""
    encoding = we.ENCODINGS[name]
    if encoding is we.REPLACEMENT:
        return
    document = we.ByteExactText(b"", encoding)
    document.update("one\ntwo\n")
    assert (document.text, document.encoding) == ("one\ntwo\n", encoding)
    document.update("")
    assert document.encode() == b""
