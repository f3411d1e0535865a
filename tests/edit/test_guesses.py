"""Every function that writes a file in an encoding that was guessed: right bytes, or a refusal with the readings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import whatwg_encoding as we
from whatwg_encoding import _cli
from whatwg_encoding.editing import Refusal
from whatwg_encoding.mcp import Tools

Edit = Callable[[Path, str, str, "str | None"], None]


def by_document(path: Path, old: str, new: str, encoding: str | None) -> None:
    document = we.ByteExactText.read(path, encoding)
    start = document.text.index(old)
    document.replace(start, start + len(old), new)
    document.write(path)


def by_update(path: Path, old: str, new: str, encoding: str | None) -> None:
    document = we.ByteExactText.read(path, encoding)
    document.update(document.text.replace(old, new))
    document.write(path)


def by_detector(path: Path, old: str, new: str, encoding: str | None) -> None:
    detector = None if encoding else lambda data: we.sniff.crawl_file(data).encoding
    document = we.ByteExactText.read(path, encoding, detector=detector)
    document.update(document.text.replace(old, new))
    document.write(path)


def by_command(path: Path, old: str, new: str, encoding: str | None) -> None:
    assert _cli.main(["replace", "-f", encoding or "auto", old, new, str(path)]) == 0


def by_editor(path: Path, old: str, new: str, encoding: str | None) -> None:
    arguments = ["edit", "-f", encoding or "auto", str(path), "--", "sed", "-i", f"s/{old}/{new}/", "{}"]
    assert _cli.main(arguments) == 0


def by_agent(path: Path, old: str, new: str, encoding: str | None) -> None:
    Tools(str(path.parent)).edit_file(path.name, old, new, encoding=encoding)


def by_agent_that_writes_all(path: Path, old: str, new: str, encoding: str | None) -> None:
    tools = Tools(str(path.parent))
    lines = tools.read_file(path.name, encoding=encoding).splitlines()
    text = "".join(f"{line.partition(chr(9))[2]}\n" for line in lines if "\t" in line)
    tools.write_file(path.name, text.replace(old, new), encoding=encoding)


EDITS: list[Edit] = [by_document, by_update, by_detector, by_command, by_editor, by_agent, by_agent_that_writes_all]

# Text, its encoding, what is replaced, and by what: text that has other bytes in another reading of the file.
DOUBTFUL = [
    ("rem Dosya bulunamadı\r\necho DONE\r\n", "cp857", "DONE", "dışarı"),
    ("echo Køb\r\necho DONE\r\n", "cp850", "DONE", "på"),
    *((f"{word} = 1\n", "gbk", "1", "é") for word in ("全选", "图片", "学院")),  # which are valid UTF-8, too
]
SURE = [
    ("Die größten Städte: Köln und Düsseldorf, schöne Straßen.\n", "cp1252", "Köln", "Lübeck"),
    ("大きな都市は東京と大阪です。きれいな通りがあります。\n", "cp932", "大阪", "京都"),
    ("Самые большие города: Москва и Казань, красивые улицы.\n", "cp1251", "Казань", "Пермь"),
    ("가장 큰 도시는 서울과 부산입니다. 아름다운 거리.\n", "euc_kr", "부산", "대구"),
    ("最大的城市是北京和上海，街道很漂亮。\n", "gbk", "上海", "广州"),
    *((f"{text}, one\n", "utf-8", "one", "ö日") for text in ("naïve", "Łódź", "я", "日本", "x = 'ä'", "5 €", "½")),
    ("rem Dosya bulunamadı\r\necho DONE\r\n", "cp857", "DONE", "OVER"),  # the same bytes in all readings
    ("全选 = 1\n", "gbk", "1", "2"),
]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize(("text", "codec", "old", "new"), DOUBTFUL)
def test_a_guess_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], edit: Edit, text: str, codec: str, old: str, new: str
) -> None:
    (path := tmp_path / "a.bat").write_bytes(data := text.encode(codec))
    with pytest.raises((UnicodeError, Refusal, AssertionError)) as raised:
        edit(path, old, new, None)
    assert path.read_bytes() == data
    if not isinstance(raised.value, UnicodeEncodeError):  # the likeliest encoding lacks a character
        assert text.splitlines()[0] in f"{raised.value}{capsys.readouterr().err}"
    edit(path, old, new, codec)
    assert path.read_bytes() == text.replace(old, new).encode(codec)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize(("text", "codec", "old", "new"), SURE)
def test_what_is_sure_is_written(tmp_path: Path, edit: Edit, text: str, codec: str, old: str, new: str) -> None:
    (path := tmp_path / "a.bat").write_bytes(text.encode(codec))
    edit(path, old, new, None)
    assert path.read_bytes() == text.replace(old, new).encode(codec)


def test_limits_that_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Größe und Straße, schön".encode("cp1252"))
    document = we.ByteExactText.read(path, exclude=iter(["gbk"]), candidates=iter(["windows-1252", "utf-8"]))
    document.replace(0, 1, "Ä")
    document.write(path)
    assert path.read_bytes() == "Äröße und Straße, schön".encode("cp1252")


def by_agent_everywhere(path: Path, old: str, new: str, encoding: str | None) -> None:
    Tools(str(path.parent)).edit_file(path.name, old, new, replace_all=True, encoding=encoding)


@pytest.mark.parametrize("edit", [by_update, by_detector, by_command, by_agent_everywhere, by_agent_that_writes_all])
def test_edits_that_make_a_byte_order_mark_together(tmp_path: Path, edit: Edit) -> None:
    """Neither of two deletions does, but both: 61 FF 61 FE."""
    (path := tmp_path / "a.txt").write_bytes(data := "aÿaþ, b\n".encode("cp1252"))
    with pytest.raises((UnicodeError, Refusal, AssertionError)):
        edit(path, "a", "", "windows-1252")
    assert path.read_bytes() == data
