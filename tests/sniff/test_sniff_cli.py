"""The ``sniff`` command, and ``auto``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import whatwg_encoding as we
from whatwg_encoding import CONTEXTS, _cli
from whatwg_encoding._cli.input import CHUNK_SIZE

PAGE = b"<!DOCTYPE html><meta charset=euc-kr>\n\xb0\xa1\n"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    return str(path)


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert _cli.main(["sniff", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_text(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{page}: EUC-KR (tentative, prescan), bytes 15 to 36: <meta charset=euc-kr>\n"
    assert output(capsys, page) == line
    assert output(capsys, "--as", "html", page, page) == line * 2
    assert output(capsys, "--as-browser", page) == line
    assert output(capsys, "--as", "xml", page) == f"{page}: UTF-8 (tentative, default)\n"


def test_json(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = output(capsys, "--as-browser", "--json", "--default", "sjis", page, os.devnull).splitlines()
    assert json.loads(first) == {
        "file": page, "encoding": "EUC-KR", "confidence": "tentative", "source": "prescan", "start": 15, "end": 36,
        "excerpt": "<meta charset=euc-kr>", "bytes_read": len(PAGE),
    }  # fmt: skip
    assert json.loads(second) == {
        "file": os.devnull, "encoding": "Shift_JIS", "confidence": "tentative", "source": "default", "start": None,
        "end": None, "excerpt": None, "bytes_read": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "data", "arguments", "answer", "excerpt", "bytes_read"),
    [
        ("html", b"\xef\xbb\xbf" + b"x" * 9999, [], "UTF-8 certain bom", "\xef\xbb\xbf", 3),
        ("html", b"x" * 9999, [], "windows-1252 tentative locale", None, 1024),
        ("html", b"x" * 9999, ["--content-type", "text/html;charset=gbk"], "GBK certain transport", None, 3),
        ("html", PAGE, ["--known", "gbk"], "GBK certain known-definite-encoding", None, 3),
        ("html", PAGE, ["--override", "gbk"], "GBK certain user-override", None, 3),
        ("html", b"", ["--parent", "gbk"], "GBK tentative parent", None, 0),
        ("html", b"", ["--history", "gbk"], "GBK tentative history", None, 0),
        ("html", b"", ["--locale", "zh-TW"], "Big5 tentative locale", None, 0),
        ("html", b"<\0?\0x\0" + b"x" * 9999, [], "UTF-16LE tentative prescan", "<\0?\0x\0", 1024),
        ("xml", b"<?xml encoding='gbk'?>" + b"x" * 9999, [], "GBK tentative xml", "<?xml encoding='gbk'?>", 1024),
        ("xml", b"<x" + b"x" * 9999, [], "UTF-8 tentative default", None, 3),
        ("css", b'@charset "gbk";p', [], "GBK tentative css", '@charset "gbk";', 16),
        ("css", b"p{}", ["--environment", "gbk"], "GBK tentative environment", None, 3),
        ("script", PAGE, ["--charset", "gbk"], "GBK tentative script-charset", None, 3),
        ("script", PAGE, ["--document", "gbk"], "GBK tentative document", None, 3),
        ("text", PAGE, ["--default", "gbk"], "GBK tentative default", None, 3),
        ("text", "Съешь же ещё".encode("koi8-r"), ["--detect"], "KOI8-R tentative detector", None, 12),
    ],
)
def test_kinds(kind: str, data: bytes, arguments: list[str], answer: str, excerpt: str | None, bytes_read: int,
               tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    """The result, and that no more is read than required (in steps of 3 bytes, the window, and 64 KiB)."""
    path = tmp_path / "file"
    path.write_bytes(data)
    result = json.loads(output(capsys, "--json", "--as", kind, *arguments, str(path)))
    assert f"{result['encoding']} {result['confidence']} {result['source']}" == answer
    assert (result["excerpt"], result["bytes_read"]) == (excerpt, bytes_read)


def test_several_headers(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    headers = ["--content-type", "text/html;charset=gbk", "--content-type", "text/html"]
    assert "GBK (certain, transport)" in output(capsys, "--as-browser", *headers, page)
    assert "GBK (tentative, transport)" in output(capsys, *headers, page)


def test_long_excerpt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"<meta \n\xff" + b"x" * 100 + b" charset=gbk>")
    line = output(capsys, "--as-browser", str(path))
    assert line.endswith(": <meta \\n\\xff" + "x" * 72 + "…\n")


def test_a_pipe_that_stays_open() -> None:
    """The available bytes suffice: the command answers without waiting for more."""
    command = [sys.executable, "-m", "whatwg_encoding", "sniff", "--as-browser", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(PAGE)
        process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert process.stdout is not None
        assert process.stdout.read().startswith(b"standard input: EUC-KR (tentative, prescan), bytes 15 to 36: <meta")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--as", "css", "--locale", "ja"], "--as css does not accept --locale"),
        (["--as", "xml", "--detect"], "--as xml does not accept --detect"),
        (["--as", "text", "--parent", "gbk"], "--as text does not accept --parent"),
        (["--as", "pdf"], "'pdf' is neither one of crawl, html, xml, css, script, text nor a context"),
        (["--override", "nope"], "nope"),
        (["--all", "--as-browser"], "--all cannot be combined with --as-browser"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        _cli.main(["sniff", *arguments, os.devnull])
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


def test_all_guesses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes("ASCII\r\nПривет, мир\x1b[2J".encode("koi8-r"))
    heading, first, *others = output(capsys, "--all", str(path)).splitlines()
    assert heading == f"{path}:"
    assert re.fullmatch(r"  KOI8-R +\d+ bits  Привет, мир\ufffd\[2J", first)
    assert len(others) > 20
    misread = "Привет, мир".encode("koi8-r").decode("cp1251")
    assert any(re.fullmatch(rf"  windows-1251 +\d+ bits  {misread}.*", line) for line in others)
    (row,) = output(capsys, "--all", "--json", str(path)).splitlines()
    parsed = json.loads(row)
    assert [guess["encoding"] for guess in parsed["guesses"]] == [line.split()[0] for line in (first, *others)]
    assert parsed["guesses"][0]["line"] == "Привет, мир\x1b[2J"
    header = ["--content-type", "text/plain; charset=koi8-u"]
    assert "KOI8-U" in output(capsys, "--all", *header, str(path)).splitlines()[1]
    assert output(capsys, "--all", os.devnull) == f"{os.devnull}:\n  UTF-8                0 bits\n"


def test_no_other_package_is_needed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "chardetng_py", None)
    for command in (["sniff"], ["sniff", "--as-browser", "--detect"], ["decode", "-f", "auto"]):
        assert _cli.main([*command, os.devnull]) == 0
        assert capsys.readouterr().err == ""


def test_auto(page: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    assert _cli.main(["decode", "-f", "auto", page, "-o", str(target)]) == 0
    assert target.read_bytes() == b"<!DOCTYPE html><meta charset=euc-kr>\n\xea\xb0\x80\n"
    assert _cli.main(["recode", "-f", "auto", "-t", "gb18030", page, "-o", str(target)]) == 0
    assert target.read_bytes() == PAGE[:-3] + "가".encode("gb18030") + b"\n"
    marked = tmp_path / "marked"
    marked.write_bytes("\ufeff<meta charset=gbk>é".encode("utf-16-le"))
    assert _cli.main(["decode", "-f", "auto", str(marked), "-o", str(target)]) == 0
    assert target.read_bytes() == "<meta charset=gbk>é".encode()


LONG_ASCII = b"a" * (CHUNK_SIZE + 5)
INPUTS = {
    "empty": b"", "UTF-8": "naïve café".encode(), "UTF-8, cut": "日本語".encode()[:-1],
    "UTF-8, late": LONG_ASCII + "é".encode(),
    "windows-1251, late": LONG_ASCII + "Поезд опоздал, и пассажиры ждали".encode("cp1251"), "declared": PAGE,
    "declared wrongly": b"<meta charset=utf-8>" + "Поезд опоздал, и пассажиры ждали".encode("cp1251"),
    "marked": b"\xff\xfea\0", "ISO-2022-JP": "日本語のテキスト".encode("iso-2022-jp"),
    "Shift_JIS": "日本語のテキスト".encode("cp932"), "KOI8-R": "Съешь же ещё этих мягких".encode("koi8-r"),
}  # fmt: skip


@pytest.mark.parametrize("data", INPUTS.values(), ids=INPUTS)
def test_auto_and_sniff_are_one_decision(
    data: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Both are crawl's, on the whole of the input, or that of the context."""
    path = tmp_path / "in"
    path.write_bytes(data)

    def run(*arguments: str) -> bytes:
        assert _cli.main([*arguments, str(path)]) == 0
        return capfdbinary.readouterr().out

    for header in ([], ["--detect"], ["--content-type", "text/html; charset=shift_jis"], ["--tld", "jp"]):
        content_type = header[1] if header[:1] == ["--content-type"] else None
        decoded = we.decode_crawled(data, content_type, tld="jp" if "jp" in header else None)
        printed = json.loads(run("sniff", "--json", *header))
        assert (printed["encoding"], printed["source"]) == (decoded.encoding.name, decoded.source)
        assert run("decode", "-f", "auto", *header) == decoded.text.encode()
    for kind in (
        *(["--as-browser"], ["--as-browser", "--detect"], ["--as-browser", "--locale", "ru"], ["--as", "html-parser"]),
        *(["--as", "css"], ["--as", "xml"], ["--as-browser", "--content-type", "text/plain; charset=koi8-r"]),
    ):
        encoding = json.loads(run("sniff", "--json", *kind))["encoding"]
        assert run("decode", "-f", "auto", *kind) == we.decode(data, encoding).text.encode()


def test_a_pipe_is_decided_as_a_file() -> None:
    data = INPUTS["windows-1251, late"]
    program = [sys.executable, "-m", "whatwg_encoding"]
    expected = we.decode_crawled(data)
    printed = subprocess.run([*program, "sniff"], input=data, capture_output=True, check=True).stdout.decode()
    assert printed == f"standard input: {expected.encoding.name} (tentative, detector)\n"
    text = subprocess.run([*program, "decode", "-f", "auto"], input=data, capture_output=True, check=True).stdout
    assert text == expected.text.encode()


def test_contexts_are_kinds(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "--as", "html-parser", page) == output(capsys, "--as-browser", page)
    fixed = next(name for name, context in CONTEXTS.items() if not context.determination)
    messages = {"html-praser": "did you mean 'html-parser'?", fixed: f"--as {fixed}: nothing is sniffed there"}
    for name, message in messages.items():
        with pytest.raises(SystemExit):
            _cli.main(["sniff", "--as", name, page])
        assert message in capsys.readouterr().err
