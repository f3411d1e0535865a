"""Files that mix UTF-16 and 8-bit text, as programs leave them that append: told at each door, and never real text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.sniff.test_detect import TEXTS
from whatwg_encoding._editing.files import Refusal
from whatwg_encoding.mcp import Tools
from whatwg_encoding.sniff import Mixture

LITTLE, BIG = b"\xff\xfe", b"\xfe\xff"
CHINESE = "上海的天气很好，我们上午去公园。\r\n水里有很多鱼，上面有一座桥。\r\n"
JAPANESE = "かいた上にまた上がったたこ\n上がいい、上と下のあいだ。※†‡\n"
GURMUKHI = "ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ ਜੀ\r\nਲਲਲਲਲਲਲਲਲਲਲਲਲਲਲਲ\n"
MALAYALAM = "ഊഞ്ഞാൽ ഊണ് തരൂ\r\nമലയാളം\n"
ENGLISH = "2024-05-06 12:00 The backup is done\n"

# Bytes, what they mix, and the offset where that begins.
MIXED = {
    "PowerShell, then cmd": (LITTLE + "début\r\n".encode("utf-16-le") + b"done\r\n", "UTF-16LE", 16, "8-bit text"),
    "Chinese, then a shell": (LITTLE + CHINESE.encode("utf-16-le") + ENGLISH.encode(), "UTF-16LE", 70, "8-bit text"),
    "an odd length": (LITTLE + "é\r\n".encode("utf-16-le") + b"ready\r\nset\r\n", "UTF-16LE", 8, "8-bit text"),
    "big-endian": (BIG + "é\n".encode("utf-16-be") + ENGLISH.encode(), "UTF-16BE", 6, "8-bit text"),
    "the other order": (LITTLE + b"o\0\n\0" + BIG + b"\0o\0\n", "UTF-16LE", 6, "UTF-16BE"),
    "cmd, then PowerShell": (b"start\r\n" * 99 + "next\r\n".encode("utf-16-le"), "8-bit text", 693, "UTF-16"),
    "with its mark": ("é\n".encode() * 99 + LITTLE + "next\n".encode("utf-16-le"), "8-bit text", 297, "UTF-16"),
    "cp1252": ("Größe\r\n".encode("cp1252") * 198 + "next\r\n".encode("utf-16-le"), "8-bit text", 1386, "UTF-16"),
}  # fmt: skip
REAL = [CHINESE, JAPANESE, GURMUKHI, MALAYALAM, ENGLISH, *TEXTS.values()]


def message(name: str) -> str:
    _, own, offset, other = MIXED[name]
    return f"mixes {own} and, from byte {offset} on, {other}; cut it there"


@pytest.mark.parametrize("name", MIXED)
def test_a_mixture_is_told_at_each_door(name: str, run: Run, tmp_path: Path) -> None:
    data = MIXED[name][0]
    path = tmp_path / "log.txt"
    path.write_bytes(data)
    with we.open_utf8(path) as reader:
        for _ in range(2):
            with pytest.raises(ValueError, match=message(name)):
                reader.read()
    with pytest.raises(ValueError, match=message(name)):
        we.open_utf8(path, by_line=True).read()
    with pytest.raises(ValueError, match=message(name)):
        we.ByteExactText.read(path)
    with pytest.raises(Refusal, match=message(name)):
        Tools(str(tmp_path)).read_file("log.txt")
    for command in (
        "decode -f auto",
        "decode -f auto -i",
        "validate -f auto",
        "replace a b",
        "repair -f auto",
        "sniff",
        "sniff --by-line",
        "decode -f auto --by-line",
    ):
        result = run(*command.split(), "log.txt")
        assert result.returncode == 2, command
        assert message(name) in result.stderr.decode(), command
        assert result.stdout == b"", command
    with pytest.raises(ValueError, match=message(name)):
        we.decode_by_line(data)
    assert we.decode_crawled(data).source == we.decode_crawled_to_utf8(data).source == "binary"
    assert we.decode_crawled(memoryview(data)).source == "binary"
    assert path.read_bytes() == data


def test_who_names_an_encoding_reads_all_in_that(run: Run, tmp_path: Path) -> None:
    data, *_ = MIXED["PowerShell, then cmd"]
    (tmp_path / "log.txt").write_bytes(data)
    expected = we.UTF_16LE.decode(data)
    assert we.open_utf8(tmp_path / "log.txt", "utf-16le").read().decode() == expected
    assert we.ByteExactText.read(tmp_path / "log.txt", "utf-16le").encode() == data
    assert run("decode", "-f", "utf-16le", "log.txt").returncode == 0
    assert run("decode", "-f", "auto", "--text", "log.txt").stdout.decode() == expected.removeprefix("\ufeff")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1 << 18])
@pytest.mark.parametrize("name", MIXED)
def test_chunks_may_be_cut_anywhere(name: str, size: int) -> None:
    data, own, offset, other = MIXED[name]
    mixture = Mixture({"UTF-16LE": we.UTF_16LE, "UTF-16BE": we.UTF_16BE}.get(own, we.WINDOWS_1252), 1000)
    signs = [mixture.sign(data[start : start + size]) for start in range(0, len(data), size)]
    told = next(sign for sign in signs if sign is not None)
    assert told.startswith(f"{own} and, from byte ")
    assert told.endswith(f" on, {other}")
    assert 1000 + offset <= int(told.split("byte ")[1].split()[0]) < 1000 + len(data)


def source_of_a_stream(data: bytes, size: int) -> str | None:
    stream = we.decode_stream("crawl", (data[start : start + size] for start in range(0, len(data), size)))
    text = "".join(stream)
    assert text == we.decode_crawled(data).text
    return stream.source


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("name", MIXED)
def test_a_stream_tells_a_mixture(name: str, size: int) -> None:
    assert source_of_a_stream(MIXED[name][0], size) == "binary"


def test_what_is_appended_late_is_told() -> None:
    data = LITTLE + CHINESE.encode("utf-16-le") * 20000
    reader = we.open_utf8(io.BytesIO(data + ENGLISH.encode()))
    assert reader.read(9).decode() == CHINESE[:3]
    with pytest.raises(ValueError, match=f"from byte {len(data)} on"):
        reader.read()
    assert source_of_a_stream(data + ENGLISH.encode(), 1 << 16) == "binary"


@pytest.mark.parametrize("text", REAL)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_real_text_is_read(text: str, end: str) -> None:
    text = (text.replace("\r\n", "\n").replace("\n", end) + end) * 50
    for mark, codec in ((LITTLE, "utf-16-le"), (BIG, "utf-16-be"), (b"", "utf-8")):
        data = mark + text.encode(codec)
        assert we.open_utf8(io.BytesIO(data)).read().decode() == text
        assert we.open_utf8(io.BytesIO(data), by_line=True).read().decode() == text
        assert we.decode_by_line(data).text == text
        assert we.decode_crawled(data).source == source_of_a_stream(data, 99) != "binary"
