"""The tools on files whose encoding is a guess, in code pages, and on files of mixed lines, without a client."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatwg_encoding import UnknownLabelError
from whatwg_encoding._editing.files import Refusal
from whatwg_encoding.mcp import Tools


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(str(tmp_path))


def test_a_guess_is_refused_with_its_readings(tools: Tools, tmp_path: Path) -> None:
    """As edits are (tests/edit/test_guesses.py)."""
    path, text = tmp_path / "a.bat", "rem Dosya bulunamadı\r\necho DONE\r\n"
    path.write_bytes(text.encode("cp857"))
    assert "guess, by a margin of" in tools.read_file("a.bat").splitlines()[1]
    with pytest.raises(Refusal, match="cp857: rem Dosya bulunamadı") as raised:
        tools.convert("a.bat", "utf-8")
    assert "encoding" in str(raised.value)
    assert path.read_bytes() == text.encode("cp857")
    assert tools.read_file("a.bat", "cp857").startswith("[cp857, line ends CRLF; lines: 2]")
    tools.convert("a.bat", "utf-8", encoding="cp857")
    assert path.read_bytes() == text.encode()


def test_files_in_code_pages_are_made_and_converted(tools: Tools, tmp_path: Path) -> None:
    tools.write_file("new.txt", "Größe\n", "cp850")
    assert (tmp_path / "new.txt").read_bytes() == "Größe\n".encode("cp850")
    tools.convert("new.txt", "cp037")
    assert (tmp_path / "new.txt").read_bytes() == "Größe\n".encode("cp037")


@pytest.mark.parametrize("codec", ["cp1252", "cp1250"])
def test_mixed_lines(tools: Tools, tmp_path: Path, codec: str) -> None:
    words = {"cp1252": ("Müller;Köln", "Böhm;Zürich"), "cp1250": ("Łukasz;Łódź", "Żaneta;Gdańsk")}[codec]
    lines = [f"{words[number % 2]};{number}\n" for number in range(40)]

    def encoded(lines: list[str]) -> bytes:
        return b"".join(line.encode("utf-8" if number % 3 else codec) for number, line in enumerate(lines))

    path = tmp_path / "a.csv"
    path.write_bytes(encoded(lines))
    text = tools.read_file("a.csv")
    assert " by line, line ends LF" in text.splitlines()[0]
    assert words[0] in text
    assert words[1] in text
    old, new = words[0].partition(";")[2], words[1].partition(";")[2]
    tools.edit_file("a.csv", old, new, replace_all=True)
    lines = [line.replace(old, new) for line in lines]
    assert path.read_bytes() == encoded(lines)
    tools.edit_file("a.csv", lines[3] + lines[4], lines[3])  # across a line of either
    del lines[4]
    assert path.read_bytes() == b"".join(
        line.encode("utf-8" if (number + (number > 3)) % 3 else codec) for number, line in enumerate(lines)
    )
    tools.convert("a.csv", "utf-8")
    assert path.read_bytes() == "".join(lines).encode()


def test_a_line_that_would_become_another_encoding_is_refused(tools: Tools, tmp_path: Path) -> None:
    lines = ["Müller Köln\n", "Zürich Böhm\n"] * 5
    data = b"".join(line.encode("utf-8" if number % 2 else "cp1252") for number, line in enumerate(lines))
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(Refusal, match="another encoding"):
        tools.edit_file("a.txt", "Müller Köln\nZürich Böhm", "MÃ¼ller\nZürich Böhm", replace_all=True)
    assert path.read_bytes() == data


CONTENTS = [("Привет, как дела?\n", "cp1251"), ("Größe und Übung\n", "cp1252"), ("日本語のテキスト\n", "shift_jis")]


@pytest.mark.parametrize("first", CONTENTS)
@pytest.mark.parametrize("second", CONTENTS)
def test_a_guess_is_forgotten_when_the_bytes_change(
    tools: Tools, tmp_path: Path, first: tuple[str, str], second: tuple[str, str]
) -> None:
    path = tmp_path / "a.txt"
    for text, codec in (first, second):
        path.write_bytes(text.encode(codec))
        assert text.strip() in tools.read_file("a.txt")


def test_a_guess_stays_after_an_edit(tools: Tools, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Привет, как дела? one\n".encode("cp1251"))
    tools.read_file("a.txt")
    tools.edit_file("a.txt", "Привет, как дела?", "x")
    tools.edit_file("a.txt", "one", "two")
    assert path.read_bytes() == b"x two\n"
    assert tools.read_file("a.txt").startswith("[")


def test_a_mark_in_the_middle_is_text(tools: Tools, tmp_path: Path) -> None:
    """Files that were joined: one of them began with a mark, and another is in another encoding."""
    words = ["Müller;Köln\n", "Böhm;Zürich\n"] * 5
    legacy, utf_8 = "".join(words).encode("cp1252"), "\ufeff".encode() + "".join(words).encode()
    path = tmp_path / "a.csv"
    for data in (legacy + utf_8, utf_8 + legacy + utf_8):
        path.write_bytes(data)
        shown = tools.read_file("a.csv")
        assert " by line" in shown.splitlines()[0]
        assert "MÃ" not in shown
        tools.edit_file("a.csv", "Zürich", "Köln", replace_all=True)
        expected = data.replace("Zürich".encode("cp1252"), "Köln".encode("cp1252"))
        assert path.read_bytes() == expected.replace("Zürich".encode(), "Köln".encode())


def test_what_may_be_detected_is_limited(tmp_path: Path) -> None:
    """A name that is Chinese as well as Japanese, text that is valid UTF-8, and a code page."""
    path = tmp_path / "a.txt"
    for text, codec, candidates in (
        ("ｻﾄｳ ﾐｻｷ\n", "shift_jis", {"Shift_JIS", "windows-1252"}),
        ("ﾃｽﾄ\n", "shift_jis", {"Shift_JIS", "windows-1252"}),
        ("echo Drücke eine Taste\r\n", "cp850", {"cp850", "UTF-8"}),
    ):
        path.write_bytes(text.encode(codec))
        tools = Tools(str(tmp_path), candidates)
        assert text.strip() in tools.read_file("a.txt")
        assert {line.split("\t")[0] for line in tools.detect_encoding("a.txt").splitlines()} <= candidates
        tools.edit_file("a.txt", text[-3:-1], text[:-1])
        assert path.read_bytes() == f"{text[:-3]}{text}".encode(codec)
    path.write_bytes("日本語のテキスト\n".encode("shift_jis"))
    tools = Tools(str(tmp_path), exclude=["shift_jis"])
    assert "Shift_JIS" not in tools.read_file("a.txt") + tools.detect_encoding("a.txt")
    for wrong, message in ((["klingon"], "klingon"), ([], "at least one"), (["cp037"], "cp037")):
        with pytest.raises((UnknownLabelError, ValueError), match=message):
            Tools(str(tmp_path), wrong)
    for limits in ({"candidates": "gbk"}, {"exclude": "gbk"}):
        with pytest.raises(TypeError, match="must be several encodings, not 'gbk'"):
            Tools(str(tmp_path), **limits)
