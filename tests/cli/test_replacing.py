"""What a file keeps when it is replaced, and what is not replaced: binary data, and what would not change."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.cli.test_cli import assert_fails
from tests.sniff.test_binary import _gif, _png, _time_zone, _wav

ACL, DEFAULT_ACL = "system.posix_acl_access", "system.posix_acl_default"
OWNER, USER, GROUP, MASK, OTHER = 1, 2, 4, 0x10, 0x20  # linux/posix_acl.h
NO_ID = 0xFFFFFFFF
SJIS = b"\x82\xa0"


def acl(*entries: tuple[int, int, int]) -> bytes:
    """Return the value of the attribute of an access control list: linux/posix_acl_xattr.h."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


#: rw for the owner, r for user 4321, none for the group; the mask, which stat shows as the group's, has rw.
LIST = acl((OWNER, 6, NO_ID), (USER, 4, 4321), (GROUP, 0, NO_ID), (MASK, 6, NO_ID), (OTHER, 0, NO_ID))


def set_attribute(path: Path, name: str, value: bytes) -> None:
    """Set an extended attribute; skip the test where there is none."""
    try:
        os.setxattr(path, name, value)  # type: ignore[attr-defined, unused-ignore]
    except (AttributeError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.ENOTSUP, errno.EPERM):
            raise
        pytest.skip("this file system has no such attributes")


def attributes(path: Path) -> dict[str, bytes]:
    names = os.listxattr(path)  # type: ignore[attr-defined, unused-ignore]
    return {name: os.getxattr(path, name) for name in names}  # type: ignore[attr-defined, unused-ignore]


COMMANDS = {
    "-i": ["decode", "-f", "sjis", "-i", "f"],
    "-i.orig": ["decode", "-f", "sjis", "-i.orig", "f"],
    "-o": ["decode", "-f", "sjis", "f", "-o", "f"],
    "replace": ["replace", "-f", "sjis", "あ", "い", "f"],
    "edit": ["edit", "-f", "sjis", "f", "--", "sed", "-i", "s/あ/い/"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f"
    path.write_bytes(SJIS)
    return path


# -- What a file keeps -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", COMMANDS)
@pytest.mark.parametrize(
    ("own", "mode"), [({ACL: LIST}, 0o660), ({"user.xdg.origin.url": b"https://example.org/", "user.empty": b""}, None)]
)
def test_attributes_stay(own: dict[str, bytes], mode: int | None, way: str, run: Run, file: Path) -> None:
    for name, value in own.items():
        set_attribute(file, name, value)
    before = stat.S_IMODE(file.stat().st_mode), attributes(file)
    assert mode in (None, before[0])
    assert run(*COMMANDS[way]).returncode == 0
    assert file.read_bytes() != SJIS
    assert (stat.S_IMODE(file.stat().st_mode), attributes(file)) == before


@pytest.mark.parametrize("way", COMMANDS)
def test_a_list_of_the_folder_is_not_taken(way: str, run: Run, file: Path) -> None:
    """New files in the folder are readable by user 4321; this one is not, and stays so."""
    file.chmod(0o640)
    set_attribute(file.parent, DEFAULT_ACL, LIST)
    assert run(*COMMANDS[way]).returncode == 0
    assert file.read_bytes() != SJIS
    assert (stat.S_IMODE(file.stat().st_mode), attributes(file)) == (0o640, {})


def test_attributes_stay_with_the_library(file: Path) -> None:
    set_attribute(file, "user.comment", b"mine")
    set_attribute(file, ACL, LIST)
    document = we.ByteExactText.read(file, "shift_jis")
    document.replace(0, 1, "い")
    document.write(file)
    assert file.read_bytes() == "い".encode("shift_jis")
    assert attributes(file) == {"user.comment": b"mine", ACL: LIST}


@pytest.mark.parametrize("name", ["user.comment", ACL])
def test_it_is_refused_where_they_cannot_stay(name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_attribute(file, name, LIST if name == ACL else b"mine")
    before = attributes(file)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    document = we.ByteExactText.read(file, "shift_jis")
    document.replace(0, 1, "い")
    monkeypatch.setattr(os, "setxattr", refuse)
    owned = "an access control list" if name == ACL else "the attribute user.comment"
    with pytest.raises(OSError, match=rf"f: has {owned}, which the new file cannot have \(No space"):
        document.write(file)
    assert (file.read_bytes(), attributes(file), os.listdir(file.parent)) == (SJIS, before, ["f"])


# -- What would not change ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "decode -i f", "decode -i.orig f", "decode -f auto -i.orig f", "decode f -o f", "encode -t utf-8 -i f",
        "recode -f utf-8 -t utf-8 --in-place=.orig f", "replace -f utf-8 é é f", "edit -f utf-8 f -- touch",
        "repair -i f",
    ],
)  # fmt: skip
def test_a_file_that_would_not_change_is_not_written(command: str, run: Run, tmp_path: Path) -> None:
    file, backup = tmp_path / "f", tmp_path / "f.orig"
    file.write_bytes("éa\n".encode() * 75_000)
    backup.write_bytes(b"that of the first run")
    os.utime(file, ns=(10**18, 10**18))
    before = file.stat()
    result = run(*command.split())
    assert (result.returncode, result.stderr) == (0, b"")
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert backup.read_bytes() == b"that of the first run"
    assert sorted(os.listdir(tmp_path)) == ["f", "f.orig"]


def test_without_unnamed_files_none_is_left_either(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    before = file.stat()
    we.ByteExactText.read(file, "shift_jis").write(file)
    assert (file.stat().st_ino, os.listdir(file.parent)) == (before.st_ino, ["f"])


KILLED = """if True:
    import os, signal, sys
    from whatwg_encoding._editing import files
    if "named" in sys.argv:
        del os.O_TMPFILE
    os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
    with files.replacement(sys.argv[1]) as file:
        file.write(b"new")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("kind", ["named", "unnamed"])
def test_what_a_killed_program_left_is_removed(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", KILLED, str(file), kind])
        assert done.returncode == -signal.SIGKILL
        assert (file.read_bytes(), len(os.listdir(tmp_path))) == (b"old", 2)
    we.ByteExactText(b"newer", "utf-8").write(file)
    assert (file.read_bytes(), os.listdir(tmp_path)) == (b"newer", ["f"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no flock")
def test_what_another_program_is_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    replace = os.replace

    def replace_after_another(new: str, old: str) -> None:
        monkeypatch.setattr(os, "replace", replace)
        we.ByteExactText(b"other", "utf-8").write(file)
        assert file.read_bytes() == b"other"
        replace(new, old)

    for unnamed in (True, False):
        if not unnamed:
            monkeypatch.delattr(os, "O_TMPFILE", raising=False)
        monkeypatch.setattr(os, "replace", replace_after_another)
        we.ByteExactText(b"new", "utf-8").write(file)
        assert (file.read_bytes(), os.listdir(tmp_path)) == (b"new", ["f"])


def test_another_output_is_written_always(run: Run, tmp_path: Path) -> None:
    """make compares the times of the two."""
    for name in ("in", "out"):
        (tmp_path / name).write_bytes(b"same")
    os.utime(tmp_path / "out", ns=(0, 0))
    assert run("decode", "in", "-o", "out").returncode == 0
    assert (tmp_path / "out").stat().st_mtime_ns > 0


# -- Binary data -------------------------------------------------------------------------------------------------------

BINARY = {"a.gif": (_gif, "GIF"), "a.png": (_png, "PNG"), "a.wav": (_wav, "WAV"), "tz": (_time_zone, "time zone")}


@pytest.fixture
def binary(tmp_path: Path) -> Iterator[Path]:
    for name, (make, _) in BINARY.items():
        (tmp_path / name).write_bytes(make())
    yield tmp_path
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name: make() for name, (make, _) in BINARY.items()
    }


@pytest.mark.parametrize(
    "command",
    [
        "decode -f auto -i", "decode -f auto", "decode -f auto -i --as-browser", "recode -t utf-16le -f auto -i",
        "validate -f auto", "replace a b",
    ],
)  # fmt: skip
def test_auto_refuses_binary_data(command: str, run: Run, binary: Path) -> None:
    for name, (_, kind) in BINARY.items():
        message = f"{name}: is binary data (the signature of {kind}); pass --text or -f to treat it as text"
        assert_fails(run(*command.split(), name), 2, message)


def test_auto_goes_on_with_the_other_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(_gif())
    (tmp_path / "b").write_bytes("Größe, für alle".encode("cp1252"))
    assert_fails(run("decode", "-f", "auto", "-i", "a", "b"), 2, "1 of 2 files failed and are unchanged")
    assert (tmp_path / "a").read_bytes() == _gif()
    assert (tmp_path / "b").read_text("utf-8") == "Größe, für alle"


def test_sniff_says_binary(run: Run, binary: Path) -> None:
    result = run("sniff", *BINARY)
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.decode().splitlines() == [
        f"{name}: binary (the signature of {kind})" for name, (_, kind) in BINARY.items()
    ]
    assert run("sniff", "--encoding", "a.gif").stdout == b"binary\n"
    assert run("sniff", "--all", "a.gif").stdout == b"a.gif: binary (the signature of GIF)\n"
    row = json.loads(run("sniff", "--json", "a.gif").stdout)
    assert (row["encoding"], row["binary"]) == (None, "the signature of GIF")
    result = run("sniff", stdin=bytes(range(256)) * 16)
    assert (result.returncode, result.stdout) == (1, b"standard input: binary (control bytes, 00 at byte 0)\n")


def test_binary_data_where_it_is_wanted(run: Run, tmp_path: Path, binary: Path) -> None:
    for option in (["--text"], ["-a"]):
        assert b"binary" not in run("sniff", *option, "a.gif").stdout
        result = run("decode", "-f", "auto", *option, "a.gif")
        assert (result.returncode, bool(result.stdout)) == (0, True)
    assert run("decode", "-f", "latin1", "a.gif").returncode == 0
    assert run("sniff", "--as-browser", "a.gif").stdout == b"a.gif: windows-1252 (tentative, locale)\n"


# -- What auto found ---------------------------------------------------------------------------------------------------


def test_verbose(run: Run, tmp_path: Path) -> None:
    texts = {"a": "Größe für alle".encode(), "b": "Größe für alle".encode("cp1252"), "c": b"\xff\xfea\0", "d": b"a"}
    for name, data in texts.items():
        (tmp_path / name).write_bytes(data)
    result = run("decode", "-f", "auto", "-vi", *texts)
    assert result.stderr.decode().splitlines() == [
        "whatwg-encoding: a: UTF-8 (tentative, utf-8)",
        "whatwg-encoding: b: windows-1252 (tentative, detector)",
        "whatwg-encoding: c: UTF-16LE (bom)",
        "whatwg-encoding: d: UTF-8 (tentative, utf-8)",
    ]
    (tmp_path / "b").write_bytes(texts["b"])
    for command in (["replace", "-v", "alle", "uns", "b"], ["edit", "--verbose", "b", "--", "true"]):
        assert run(*command).stderr == b"whatwg-encoding: b: windows-1252 (tentative, detector)\n"
    assert run("validate", "-v", "-f", "sjis", "d").stderr == b"whatwg-encoding: d: Shift_JIS (given)\n"


def test_the_encoding_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("Привет, мир".encode("koi8-r"))
    assert run("sniff", "--encoding", "a", "-", stdin=b"\xff\xfea\0").stdout == b"KOI8-R\nUTF-16LE\n"
    assert run("sniff", "--encoding", "--as-browser", "a").stdout == b"windows-1252\n"
    for other in ("--json", "--all"):
        assert_fails(run("sniff", "--encoding", other, "a"), 2, "--encoding cannot be combined with --all or --json")
