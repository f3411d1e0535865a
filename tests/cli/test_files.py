"""Files that are changed in place: where ``-i`` may stand, what is refused, and what happens to the other files."""

from __future__ import annotations

import itertools
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from whatwg_encoding import _cli

SJIS = b"\x82\xa0"
UTF_8 = "あ".encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def status_of(*arguments: str) -> int:
    try:
        return _cli.main(list(arguments))
    except SystemExit as exit:
        return int(exit.code or 0)


# -- Where options may stand -------------------------------------------------------------------------------------------

IN_PLACE = {
    "-i": "", "--in-place": "", "--in-place=": "", "--in-pl": "", "-qi": "", "-cqi": "", "-i.bak": ".bak",
    "-i=.bak": ".bak", "-qi.bak": ".bak", "-i~": "~", "--in-place=.bak": ".bak", "--in-p=.bak": ".bak",
}  # fmt: skip


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize(("option", "suffix"), IN_PLACE.items())
def test_in_place_at_every_position(option: str, suffix: str, place: int, folder: Path) -> None:
    """As in sed, a suffix is in the same word: the next word is a file, an option, or nothing."""
    for name in ("a.txt", "b.txt"):
        (folder / name).write_bytes(SJIS)
    groups = [["-f", "sjis"], ["a.txt"], ["-q"], ["b.txt"]]
    groups.insert(place, [option])
    expected = {"a.txt": UTF_8, "b.txt": UTF_8}
    if suffix:
        expected |= {f"a.txt{suffix}": SJIS, f"b.txt{suffix}": SJIS}
    assert status_of("decode", *itertools.chain.from_iterable(groups)) == 0
    assert contents(folder) == expected


GROUPS = {
    "decode": [["-f", "sjis"], ["--malformed", "replace"], ["-q"], ["-o", "out"], ["a", "b"]],
    "encode": [["-t", "sjis"], ["--unmappable=drop"], ["--keep-bom"], ["--output=out"], ["a", "b"]],
    "recode": [["--from=sjis"], ["-tutf-16le"], ["--bom", "-c"], ["-qo", "out"], ["a", "b"]],
    "validate": [["-f", "sjis"], ["--max-errors", "3"], ["--keep-bom"], ["a"], ["b"]],
    "sniff": [["--as", "text"], ["--default", "sjis"], ["--json"], ["a"], ["b"]],
    "inspect": [["-f", "sjis"], ["あ"]],
    "labels": [["sjis"], ["utf-8"]],
}


@pytest.mark.parametrize("command", GROUPS)
def test_every_option_at_every_position(command: str, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (folder / "a").write_bytes(UTF_8 if command == "encode" else SJIS)
    (folder / "b").write_bytes(b"b")
    results = set()
    fixed = command == "labels"  # the order of the labels is that of the output
    for groups in [GROUPS[command]] if fixed else itertools.permutations(GROUPS[command]):
        if sorted(groups)[-2:] == [["a"], ["b"]] and groups.index(["a"]) > groups.index(["b"]):
            continue  # files in another order
        (folder / "out").unlink(missing_ok=True)
        assert status_of(command, *itertools.chain.from_iterable(groups)) == 0
        written = (folder / "out").read_bytes() if (folder / "out").exists() else b""
        results.add((written, *capfdbinary.readouterr()))
    assert len(results) == 1
    assert any(results.pop()[:2]) or command == "validate"


def test_files_between_options(folder: Path) -> None:
    for name in ("a", "b", "-c", "c"):
        (folder / name).write_bytes(name.encode())
    assert status_of("decode", "a", "-q", "b", "-o", "out", "--", "-c", "c") == 0
    assert (folder / "out").read_bytes() == b"ab-cc"
    assert status_of("decode", "-i", "a", "-q", "--", "-c", "c") == 0


def test_a_word_that_only_looks_like_in_place(folder: Path) -> None:
    (folder / "-i").write_bytes(SJIS)
    assert status_of("decode", "-f", "sjis", "-o", "out", "--", "-i") == 0
    assert contents(folder) == {"-i": SJIS, "out": UTF_8}
    assert status_of("decode", "-fi") == 2
    assert status_of("decode", "-oi", "--", "-i") == 0
    assert (folder / "i").read_bytes() == "\ufffd\ufffd".encode()
    assert status_of("inspect", "--", "--help") == 0


# -- Nothing is lost without consent -----------------------------------------------------------------------------------

LATIN_1 = b"caf\xe9"


SNOWMAN = "a☃".encode()
MALFORMED = "byte 3: E9: incomplete byte sequence at the end (UTF-8); the file is unchanged: pass --malf"
UNMAPPABLE = "f:1:2: windows-1252 has no U+2603 ☃ SNOWMAN; the file is unchanged: pass --unmappable or"


@pytest.mark.parametrize(
    ("command", "data", "message"),
    [
        *((f"decode {words}", LATIN_1, MALFORMED) for words in ("-i f", "f -o f", "x f -o f")),
        *(
            (f"encode -t latin1 {words}", "a☃".encode(), UNMAPPABLE)
            for words in ("-i f", "f -o f", "-i --malformed drop f")
        ),
    ],
)
def test_nothing_is_replaced_in_the_only_copy(
    command: str, data: bytes, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "f").write_bytes(data)
    (folder / "x").write_bytes(b"x")
    assert status_of(*command.split()) == 1
    assert contents(folder) == {"f": data, "x": b"x"}
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--malformed", "replace"], "caf\ufffd".encode()), (["--malformed", "drop"], b"caf"), (["-c"], b"caf"),
        (["-c", "--malformed", "replace"], "caf\ufffd".encode()), (["-i.orig"], "caf\ufffd".encode()),
        (["--fatal"], None), (["--malformed", "fail"], None), (["--unmappable", "drop"], None), (["-q"], None),
    ],
)  # fmt: skip
def test_consent_to_malformed_bytes(arguments: list[str], expected: bytes | None, folder: Path) -> None:
    for way in (["-i", "l"], ["l", "-o", "l"]):
        if "-i.orig" in arguments:
            way = ["l"]
        (folder / "l").write_bytes(LATIN_1)
        assert status_of("decode", *arguments, *way) == (expected is None)
        assert (folder / "l").read_bytes() == (expected or LATIN_1)
        (folder / "l.orig").unlink(missing_ok="-i.orig" not in arguments)


def test_another_output_needs_no_consent(folder: Path) -> None:
    (folder / "l").write_bytes(LATIN_1)
    (folder / "other").write_bytes(b"before")
    assert status_of("decode", "l", "-o", "other") == 0
    assert (folder / "other").read_bytes() == "caf\ufffd".encode()


@pytest.mark.parametrize("name", ["link", "./l", "/dev/stdin"])
def test_an_input_is_known_by_any_name(name: str, folder: Path) -> None:
    (folder / "l").write_bytes(LATIN_1)
    (folder / "link").symlink_to("l")
    with (folder / "l").open("rb") as file:
        source = "-" if name == "/dev/stdin" else name
        command = [sys.executable, "-m", "whatwg_encoding", "decode", source, "-o", "l"]
        result = subprocess.run(command, stdin=file, capture_output=True)
    assert result.returncode == 1
    assert (folder / "l").read_bytes() == LATIN_1


def test_a_backup_is_not_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "l").write_bytes(LATIN_1)
    (folder / "l.orig").write_bytes(b"the original")
    assert status_of("decode", "-i.orig", "l") == 2
    assert contents(folder) == {"l": LATIN_1, "l.orig": b"the original"}
    assert "l: its backup" in capsys.readouterr().err


def test_a_backup_without_hard_links(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.delattr(os, "O_TMPFILE")
    monkeypatch.setattr(os, "link", link)
    (folder / "l").write_bytes(SJIS)
    assert status_of("decode", "-f", "sjis", "-i.orig", "l") == 0
    assert contents(folder) == {"l": UTF_8, "l.orig": SJIS}


def test_a_file_that_is_named_twice_is_converted_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "l").write_bytes(LATIN_1)
    (folder / "link").symlink_to("l")
    assert status_of("decode", "-f", "latin1", "-i", "l", "link", "./l") == 2
    assert (folder / "l").read_bytes() == "café".encode()
    assert capsys.readouterr().err.endswith("2 of 3 files failed and are unchanged\n")


# -- Several files -----------------------------------------------------------------------------------------------------


def test_a_file_that_fails_does_not_stop_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "c", "e"):
        (folder / name).write_bytes(SJIS)
    (folder / "b").write_bytes(b"\x82")
    (folder / "d").mkdir()
    assert status_of("decode", "-f", "sjis", "-i", "a", "b", "c") == 1
    assert (folder / "c").read_bytes() == UTF_8
    assert (folder / "b").read_bytes() == b"\x82"
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("whatwg-encoding: b: byte 0: 82: ")
    assert last == "whatwg-encoding: 1 of 3 files failed and are unchanged"
    assert status_of("decode", "-f", "sjis", "-i", "b", "e", "missing-too") == 2
    capsys.readouterr()
    assert status_of("decode", "-i", "missing") == 2
    assert capsys.readouterr().err == "whatwg-encoding: missing: No such file or directory\n"
    assert sorted(os.listdir(folder)) == ["a", "b", "c", "d", "e"]
    assert (folder / "e").read_bytes() == SJIS


@pytest.mark.parametrize("command", [["decode", "-f", "sjis", "-i"], ["replace", "-f", "sjis", "あ", "い"]])
def test_nothing_is_written_before_all_names_are_those_of_files(
    command: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a").write_bytes(SJIS)
    (folder / "d").mkdir()
    for names, shown in {("a", "d", "missing"): ["d", "missing"], (".bak", "a"): [".bak"], ("~", "a"): ["~"]}.items():
        assert status_of(*command, *names) == 2
        *messages, last = capsys.readouterr().err.splitlines()
        assert [line.split(": ")[1] for line in messages] == shown
        wanted = f"{len(shown)} of {len(names)} names are not those of regular files; no file was changed"
        assert last == f"whatwg-encoding: {wanted}"
        assert ("a suffix for -i stands in the same word: -i.bak" in messages[0]) == (
            command[0] == "decode" and shown != ["d", "missing"]
        )
    assert (folder / "a").read_bytes() == SJIS


# -- No FIFO, no device ------------------------------------------------------------------------------------------------


def test_only_regular_files_are_replaced(folder: Path, run: Run) -> None:
    os.mkfifo(folder / "fifo")
    (folder / "device").symlink_to("/dev/null")
    (folder / "folder").mkdir()
    (folder / "last").write_bytes(SJIS)
    result = run("decode", "-f", "sjis", "-i", "fifo", "device", "folder", "/dev/full", "last")
    assert result.returncode == 2
    lines = result.stderr.decode().splitlines()
    assert all("is not a regular file, and only those can be replaced" in line for line in lines[:4])
    assert lines[4].endswith("4 of 5 names are not those of regular files; no file was changed")
    assert (folder / "last").read_bytes() == SJIS
    assert stat.S_ISFIFO((folder / "fifo").stat().st_mode)
    for name in ("fifo", "device"):
        result = run("decode", name, "-o", name)
        assert result.returncode == 2
        assert b"is both input and output, and not a regular file" in result.stderr


# -- Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"a\nb", r"a\nb"), (b"a\xffb", r"a\xffb"), (b"\x1b[31m", r"\x1b[31m"),
        ("日本\u202etxt".encode(), r"日本\u202etxt"), ("日本".encode(), "日本"),
    ],
)  # fmt: skip
def test_names_are_shown_escaped(name: bytes, shown: str, run: Run, folder: Path) -> None:
    path = os.fsdecode(name)
    with open(name, "wb") as file:
        file.write(b"\xff")
    assert run("validate", path).stdout.decode().startswith(f"{shown}:1:1: byte 0: FF: ")
    assert run("sniff", "--as", "xml", path).stdout.decode() == f"{shown}: UTF-8 (tentative, default)\n"
    assert run("decode", "--fatal", path).stderr.decode().startswith(f"whatwg-encoding: {shown}: byte 0: FF: ")
    assert run("decode", path, "-o", os.devnull).stderr.decode().startswith(f"whatwg-encoding: {shown}: byte 0: FF: ")
    missing = os.fsdecode(name + b".missing")
    expected = f"whatwg-encoding: {shown}.missing: No such file or directory\n"
    assert run("decode", missing).stderr.decode() == expected
    assert run("sniff", missing).stderr.decode() == expected
    os.link(name, name + b".link")
    assert run("decode", "-i", path).stderr.decode().startswith(f"whatwg-encoding: {shown}: has 2 hard links")
