"""The server for agents, by the official client over standard input and output, and its files by hostile paths."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding._editing.files import Refusal
from whatwg_encoding._mcp.root import LARGEST, File, Root
from whatwg_encoding.mcp import Tools

pytest.importorskip("mcp")

TEXTS = {
    "shift_jis": "設定ファイルです。値は「表」から。", "euc-jp": "設定ファイルです。日本語の文章。",
    "iso-2022-jp": "設定ファイルです。日本語の文章。", "gbk": "配置文件，中文内容，请修改这里。",
    "big5": "設定檔，繁體中文內容，請修改這裡。", "euc-kr": "설정 파일입니다. 한국어 내용입니다.",
    "windows-1251": "Файл настроек, русский текст здесь.", "koi8-r": "Файл настроек, русский текст здесь.",
    "windows-1252": "Größe, café et naïveté – 5 €.", "utf-16le": "Größe, 日本語 und Русский.",
}  # fmt: skip


def content(name: str, end: str) -> bytes:
    """Return a file with a duplicate or malformed bytes, which only an edit without re-encoding keeps."""
    lines = [f"key{number} = {TEXTS[name]}" for number in range(12)]
    text = end.join([*lines, ""])
    if name == "utf-16le":
        return b"\xff\xfe" + text.encode("utf-16-le")
    extra = {"shift_jis": b"\xed\x40", "euc-jp": b"\xff", "gbk": b"\xff", "big5": b"\xff", "euc-kr": b"\xff"}
    return we.lookup(name).encode(text) + extra.get(name, b"") + end.encode()


Call = Callable[..., Awaitable[tuple[str, bool]]]


async def fails(call: Call, message: str, tool: str, **named: Any) -> None:
    text, failed = await call(tool, **named)
    assert failed
    assert message in text


def session(root: Path, run: Callable[[Call], Awaitable[None]]) -> None:
    """Start the command, and call a function with one that calls a tool: its text, and whether it failed."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def main() -> None:
        arguments = ["-m", "whatwg_encoding", "mcp", str(root)]
        async with (
            stdio_client(StdioServerParameters(command=sys.executable, args=arguments)) as (read, write),
            ClientSession(read, write) as client,
        ):
            information: Any = await client.initialize()
            assert "in any encoding" in str(information.instructions)
            server = getattr(information, "server_info", None) or information.serverInfo
            assert (server.name, server.version) == ("whatwg-encoding", we.__version__)

            async def call(tool: str, **named: Any) -> tuple[str, bool]:
                result: Any = await client.call_tool(tool, named)
                failed = result.is_error if hasattr(result, "is_error") else result.isError
                return result.content[0].text, failed

            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"read_file", "edit_file", "write_file", "detect_encoding", "convert"}
            await run(call)

    asyncio.run(asyncio.wait_for(main(), 120))


def test_edits_are_byte_exact(tmp_path: Path) -> None:
    """Forty edits in ten encodings, with either line end: the bytes are those that replacing bytes gives."""

    async def run(call: Call) -> None:
        for number, name in enumerate(TEXTS):
            end = "\r\n" if number % 2 else "\n"
            path = tmp_path / f"{name}.txt"
            expected = content(name, end)
            path.write_bytes(expected)
            path.chmod(0o640)
            text, failed = await call("read_file", path=path.name)
            assert not failed
            assert text.startswith(f"[{we.lookup(name).name}, line ends {'CRLF' if number % 2 else 'LF'}"), text
            assert f"\n3\tkey2 = {TEXTS[name]}" in text

            def encoded(new: str, name: str = name, end: str = end) -> bytes:
                new = new.replace("\n", end)
                return new.encode("utf-16-le") if name == "utf-16le" else we.lookup(name).encode(new)

            word = TEXTS[name][1:4]
            for old, new, is_all in (
                ("key3 = ", "changed = ", False),
                ("key5 = " + TEXTS[name] + "\nkey6", "one\nand " + word + "\nkey6", False),
                ("key1", "K1", True),
                (" = ", ": ", True),
            ):
                named = {"old_string": old, "new_string": new, "replace_all": is_all}
                text, failed = await call("edit_file", path=path.name, **named)
                assert not failed, text
                if name == "iso-2022-jp":
                    # Escape sequences are bytes of no character: compare the text, and the lines beside.
                    assert b"".join(path.read_bytes().split(b"\n")[8:9]) in expected or is_all
                    expected = we.lookup(name).encode(
                        we.lookup(name).decode(expected).replace(old.replace("\n", end), new.replace("\n", end))
                    )
                    assert we.lookup(name).decode(path.read_bytes()) == we.lookup(name).decode(expected)
                else:
                    expected = expected.replace(encoded(old), encoded(new))
                    assert path.read_bytes() == expected, (name, old)
            assert path.stat().st_mode & 0o777 == 0o640
        assert sorted(os.listdir(tmp_path)) == sorted(f"{name}.txt" for name in TEXTS)

    session(tmp_path, run)


def test_tools(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("日本語\r\nの文章\r\n".encode("shift_jis"))

    async def run(call: Call) -> None:
        head, guess, shown = (await call("read_file", path="a.txt", offset=2, limit=1))[0].splitlines()
        assert head == "[Shift_JIS, line ends CRLF; lines 2 to 2 of 2]"
        assert re.fullmatch(r"\[the encoding is a guess, by a margin of [1-9]\d* bits\]", guess)
        assert shown == "2\tの文章"
        lacking = "Shift_JIS has no U+2603 (SNOWMAN)"
        await fails(call, lacking, "edit_file", path="a.txt", old_string="文章", new_string="☃")
        text, failed = await call("write_file", path="a.txt", content="日本語の\nÄ☃Ä\n한")
        assert failed
        assert "U+00C4 (LATIN CAPITAL LETTER A WITH DIAERESIS), U+2603 (SNOWMAN), U+D55C (HANGUL SYLLABLE HAN);" in text
        assert "in line 2" in text
        assert (tmp_path / "a.txt").read_bytes() == "日本語\r\nの文章\r\n".encode("shift_jis")
        await fails(call, "has 2 lines, and none from 3", "read_file", path="a.txt", offset=3)
        (tmp_path / "marked.txt").write_bytes(b"\xff\xfea\0")
        for tool, named in (("read_file", {}), ("write_file", {"content": "b"})):
            await fails(call, "byte order mark of UTF-16LE", tool, path="marked.txt", encoding="utf-8", **named)
        for old, reason in (("文書", "does not contain old_string"), ("", "is empty"), ("の", "are the same")):
            await fails(call, reason, "edit_file", path="a.txt", old_string=old, new_string="の")
        old = "日本語\nの 文章"
        await fails(call, "its first line is, in line 1", "edit_file", path="a.txt", old_string=old, new_string="x")
        await call("write_file", path="a.txt", content="日本語\nの文章\n日\n")
        assert (tmp_path / "a.txt").read_bytes() == "日本語\r\nの文章\r\n日\r\n".encode("shift_jis")
        await fails(call, "2 times, from lines 1, 3", "edit_file", path="a.txt", old_string="日", new_string="月")
        assert (await call("detect_encoding", path="a.txt"))[0].startswith("Shift_JIS\t")
        await fails(call, "has no U+65E5", "convert", path="a.txt", target="iso-8859-1")
        assert await call("convert", path="a.txt", target="utf-8") == ("converted from Shift_JIS to UTF-8", False)
        assert (tmp_path / "a.txt").read_bytes() == "日本語\r\nの文章\r\n日\r\n".encode()
        for name, encoding, new in (("e", None, b""), ("n", "euc-jp", None)):  # a file without text, and none
            if new is not None:
                (tmp_path / name).write_bytes(new)
            assert not (await call("write_file", path=name, content="日\n", encoding=encoding))[1]
            assert (tmp_path / name).read_bytes() == "日\n".encode(encoding or "utf-8")
        await call("write_file", path="deep/er/new.txt", content="é\n", encoding="windows-1252")
        assert (tmp_path / "deep/er/new.txt").read_bytes() == b"\xe9\n"
        await call("write_file", path="deep/plain.txt", content="é☃\n")
        assert (tmp_path / "deep/plain.txt").read_bytes() == "é☃\n".encode()
        # A short text could be in many encodings: the one that it was made in is known.
        await call("edit_file", path="deep/er/new.txt", old_string="é", new_string="ü")
        assert (tmp_path / "deep/er/new.txt").read_bytes() == b"\xfc\n"
        await fails(call, "no-such", "read_file", path="a.txt", encoding="no-such")

    session(tmp_path, run)


def test_concurrent_edits(tmp_path: Path) -> None:
    path = tmp_path / "shared.txt"
    path.write_bytes("".join(f"<{number}> é\n" for number in range(24)).encode("windows-1252"))
    told: list[tuple[str, bool]] = []

    def edits(start: int) -> None:
        async def run(call: Call) -> None:
            edits = [{"old_string": f"<{number}>", "new_string": f"[{number}]"} for number in range(start, 24, 2)]
            told.extend(await asyncio.gather(*(call("edit_file", path=path.name, **named) for named in edits)))

        session(tmp_path, run)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(edits, (0, 1)))
    assert told == [("replaced 1 time: windows-1252, line ends LF", False)] * 24
    assert path.read_bytes() == "".join(f"[{number}] é\n" for number in range(24)).encode("windows-1252")
    assert os.listdir(tmp_path) == [path.name]


def test_a_long_edit_keeps_no_other_file_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from whatwg_encoding import mcp

    for name in "ab":
        (tmp_path / name).write_bytes(b"old")
    tools = mcp.Tools(str(tmp_path))
    find = mcp.replacements
    begun, may_go_on = threading.Event(), threading.Event()

    def replacements(file: File, *arguments: Any) -> Any:
        if str(file) == "a":
            begun.set()
            assert may_go_on.wait(60)
        return find(file, *arguments)

    monkeypatch.setattr(mcp, "replacements", replacements)
    with ThreadPoolExecutor(3) as pool:
        long = pool.submit(tools.edit_file, "a", "old", "new")
        assert begun.wait(60)
        second = pool.submit(tools.edit_file, "a", "new", "newer")
        try:
            pool.submit(tools.edit_file, "b", "old", "new").result(60)
            assert [long.done(), second.done()] == [False, False]
        finally:
            may_go_on.set()
        second.result(60)
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"newer", b"new"]


def test_hostile_paths(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside.txt").write_text("secret")
    (tmp_path / "root-too").mkdir()
    (tmp_path / "root-too" / "x").write_text("secret")
    os.mkfifo(root / "fifo")
    (root / "link").symlink_to(tmp_path / "outside.txt")
    (root / "folder").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    (root / "dangling").symlink_to(tmp_path / "made.txt")
    (root / "null").symlink_to("/dev/zero")
    (root / "inner.txt").write_bytes(b"caf\xe9 au lait\n")
    (root / "inside").symlink_to(root / "inner.txt")
    (root / "large").write_bytes(b"")
    os.truncate(root / "large", LARGEST + 1)
    (root / "binary").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    (root / "hard").write_text("x")
    os.link(root / "hard", root / "hard2")
    hostile = [
        "../outside.txt", "/etc/passwd", str(tmp_path / "outside.txt"), "link", "folder/outside.txt", "loop", "null",
        "dangling", "fifo", ".", "", "/", "a\0b", "\0", "../root-too/x", "missing/../../outside.txt", "large",
        "inner.txt/x", "x" * 5000, "~/x\0", "/dev/stdin", "/proc/self/mem",
    ]  # fmt: skip

    async def run(call: Call) -> None:
        for path in hostile:
            for tool, named in (
                ("read_file", {}),
                ("edit_file", {"old_string": "secret", "new_string": "x"}),
                ("write_file", {"content": "x"}),
                ("detect_encoding", {}),
                ("convert", {"target": "utf-8"}),
            ):
                text, failed = await call(tool, path=path, **named)
                assert failed, (tool, path, text)
                assert "secret" not in text
                assert "Traceback" not in text
        await fails(call, "is binary", "read_file", path="binary")
        await fails(call, "hard links", "edit_file", path="hard", old_string="x", new_string="y")
        assert not (await call("edit_file", path="inside", old_string="lait", new_string="thé"))[1]

    session(root, run)
    assert (root / "inside").is_symlink()
    assert (root / "inner.txt").read_bytes() == b"caf\xe9 au th\xe9\n"
    assert (tmp_path / "outside.txt").read_text() == "secret"
    assert not (tmp_path / "made.txt").exists()


def test_new_folders_are_bounded(tmp_path: Path) -> None:
    tools = Tools(str(tmp_path))
    for path in ("x/" * 17 + "y", "x/" * 2000 + "y", "./" + "z/x/" * 500 + "y"):
        with pytest.raises(Refusal, match="is in more than 16 folders that are not there"):
            tools.write_file(path, "a")
        assert os.listdir(tmp_path) == []
    assert tools.write_file("x/" * 16 + "y", "a").startswith("made: ")
    assert tools.write_file("x/" * 32 + "y", "a").startswith("made: ")


@pytest.mark.parametrize("target", ["windows-1252", "iso-8859-1"])
def test_what_would_begin_with_a_mark_is_not_converted(tmp_path: Path, target: str) -> None:
    tools = Tools(str(tmp_path))
    for text in ("þÿabc", "ÿþabc", "ï»¿abc"):
        data = text.encode()
        (tmp_path / "a.txt").write_bytes(data)
        with pytest.raises(Refusal, match="would begin with the byte order mark of UTF-"):
            tools.convert("a.txt", target)
        assert (tmp_path / "a.txt").read_bytes() == data
    (tmp_path / "a.txt").write_text("aþÿbc", encoding="utf-8")
    assert tools.convert("a.txt", target) == f"converted from UTF-8 to {we.lookup(target).name}"


def test_names_of_the_greatest_length(tmp_path: Path) -> None:
    tools = Tools(str(tmp_path))
    name = "あ" * 85
    assert tools.write_file(name, "é").startswith("made: ")
    assert tools.edit_file(name, "é", "ü") == "replaced 1 time: UTF-8, line ends LF"
    with pytest.raises(OSError, match="File name too long") as raised:
        tools.write_file(name + "い", "é")
    assert raised.value.filename == name + "い"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="folders have no descriptors")
def test_a_folder_that_becomes_a_link(tmp_path: Path) -> None:
    """Between the check of a path and its use, a folder is replaced by a link out of the root."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "a").mkdir(parents=True)
    outside.mkdir()
    for folder in (root / "a", outside):
        (folder / "x").write_bytes(b"text")
    file = Root(str(root)).file("a/x")
    (root / "a").rename(root / "b")
    (root / "a").symlink_to(outside)
    for action in (file.read, partial(file.replace, b"text", b"new"), partial(file.create, b"new")):
        with pytest.raises(OSError, match=r"a/x"):
            action()
    assert (outside / "x").read_bytes() == b"text"


def test_a_file_that_has_changed(tmp_path: Path) -> None:
    file = Root(str(tmp_path)).file("x")
    (tmp_path / "x").write_bytes(b"new")
    assert not file.replace(b"old", b"newer")
    with pytest.raises(FileExistsError):
        file.create(b"")
    with pytest.raises(Refusal, match="more than 16 MiB"):
        file.replace(b"new", bytes(LARGEST + 1))
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("malformed", [b"", b"\xff"])
def test_many_replacements(tmp_path: Path, end: str, malformed: bytes) -> None:
    """Whatever ends the lines, a line end is one; malformed bytes stay."""
    line = f"表 x{end}".encode("shift_jis")
    (tmp_path / "f").write_bytes(malformed + line * 400 + malformed)
    Tools(str(tmp_path)).edit_file("f", "表 x\n表", "表\n\n示", replace_all=True, encoding="shift_jis")
    pair = f"表{end}{end}示 x{end}".encode("shift_jis")
    assert (tmp_path / "f").read_bytes() == malformed + pair * 200 + malformed


@pytest.mark.repeated
def test_the_configurations_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    configurations = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.S)]
    assert len(configurations) == 3
    (tmp_path / "x").write_bytes(b"text")
    for configuration in configurations:
        (servers,) = configuration.values()
        server = servers["legacy-text"]
        assert server["command"] == "whatwg-encoding"
        arguments = [argument.replace("${workspaceFolder}", str(tmp_path)) for argument in server["args"]]
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}) + "\n"
        command = [sys.executable, "-m", "whatwg_encoding", *arguments]
        done = subprocess.run(command, input=call, capture_output=True, text=True, cwd=tmp_path)
        assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "whatwg-encoding"


def test_without_the_package(tmp_path: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; from whatwg_encoding._cli import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "whatwg-encoding: this needs the package mcp: pip install 'whatwg-encoding[mcp]'\n"
    command = [sys.executable, "-m", "whatwg_encoding", "mcp", "no-folder"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "whatwg-encoding: no-folder: is not a folder\n")
