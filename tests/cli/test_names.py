"""names: the names of files in folders and archives become UTF-8, or nothing is renamed."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli import assert_fails

RUSSIAN = ("Отчёт за март.txt", "Письмо.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose names are in IBM866, but for one in ASCII and one in UTF-8."""
    inner = os.path.join(os.fsencode(tmp_path / "files"), "Документы".encode("cp866"))
    os.makedirs(inner)
    for name in (*(name.encode("cp866") for name in RUSSIAN), b"plain.txt", "Größe.txt".encode()):
        Path(os.fsdecode(os.path.join(inner, name))).write_bytes(name)
    return tmp_path / "files"


def listed(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_folders(run: Run, folder: Path) -> None:
    """Nothing is renamed without --rename, and folders are renamed with what is in them."""
    before = listed(folder)
    for arguments in ((), ("-f", "cp866"), ("--rename",)):
        assert listed(folder) == before
        done = run("names", *arguments, folder)
        assert (done.returncode, done.stderr) == (0, b"")
        renamed = {line.rpartition(" -> ")[2] for line in done.stdout.decode().splitlines()}
        assert renamed == {*RUSSIAN, "Документы"}
    inside = {f"Документы/{name}" for name in (*RUSSIAN, "plain.txt", "Größe.txt")}
    assert listed(folder) == {"Документы", *inside}
    assert (folder / "Документы" / RUSSIAN[0]).read_bytes() == RUSSIAN[0].encode("cp866")
    assert run("names", "--rename", folder).stdout == b""


class Named(zipfile.ZipInfo):
    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("cp866"), self.flag_bits


def test_archives(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "files.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"kept"
        for name in RUSSIAN:
            archive.writestr(Named(f"Папка/{name}", (2020, 2, 3, 4, 5, 6)), name * 100)
        archive.writestr("Größe.txt", "flagged as UTF-8")
    old = path.read_bytes()
    done = run("names", path)
    assert (done.returncode, path.read_bytes()) == (0, old)
    assert done.stdout.decode().splitlines()[0].endswith(f" -> Папка/{RUSSIAN[0]}")
    assert run("names", "--rename", path).stdout == done.stdout
    assert path.with_name("files.zip.orig").read_bytes() == old
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == [*(f"Папка/{name}" for name in RUSSIAN), "Größe.txt"]
        assert archive.read(f"Папка/{RUSSIAN[0]}").decode() == RUSSIAN[0] * 100
        assert (archive.comment, archive.infolist()[0].date_time) == (b"kept", (2020, 2, 3, 4, 5, 6))


def test_what_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    """Malformed bytes, separators that an encoding makes, names of other files, and what has no names."""
    before = listed(folder)
    assert_fails(run("names", "--rename", "-f", "shift_jis", folder), 1, "is no name in Shift_JIS; pass -f")
    (tmp_path / "ebcdic").mkdir()
    (tmp_path / "ebcdic" / os.fsdecode(b"\xc1a\xc1")).touch()
    assert_fails(run("names", "--rename", "-f", "cp037", "ebcdic"), 1, "is no name in cp037; pass -f")
    inner = next(path for path in folder.iterdir())
    (inner / RUSSIAN[0]).write_bytes(b"new")
    assert_fails(run("names", "--rename", "-f", "cp866", folder), 1, f"{RUSSIAN[0]}: is the name of two files then")
    assert listed(folder) - {f"{inner.name}/{RUSSIAN[0]}"} == before
    with zipfile.ZipFile(tmp_path / "damaged.zip", "w") as archive:
        archive.writestr(Named(RUSSIAN[0]), "contents")
    damaged = (tmp_path / "damaged.zip").read_bytes().replace(b"contents", b"damaged!")
    (tmp_path / "damaged.zip").write_bytes(damaged)
    assert_fails(run("names", "--rename", "damaged.zip"), 1, f"{RUSSIAN[0]}: cannot be read: Bad CRC-32")
    assert {file.name: file.read_bytes() for file in tmp_path.glob("damaged*")} == {"damaged.zip": damaged}
    assert_fails(run("names", inner / RUSSIAN[0]), 1, "is neither a folder nor a ZIP archive")
    assert_fails(run("names", "missing"), 2, "missing: No such file or directory")
