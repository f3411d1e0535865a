"""repair: mojibake in files becomes what was meant, and a file that fails is as it was."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.cli.test_cli import assert_fails

GOOD = "Größe\n"
WRONG = "SchÃ¶ne GrÃ¼ÃŸe\r\nÀ LA CARTE\n".encode() + b"\xff\n"
RIGHT = "Schöne Grüße\r\nÀ LA CARTE\n".encode() + b"\xff\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.txt"
    path.write_bytes(WRONG)
    return path


def test_standard_input_and_files(run: Run, source: Path) -> None:
    assert run("repair", stdin=WRONG).stdout == RIGHT
    assert run("repair", source, "-", stdin=WRONG).stdout == RIGHT * 2
    assert source.read_bytes() == WRONG
    assert run("repair", stdin=GOOD.encode()).stdout == GOOD.encode()


def test_in_place_and_with_a_backup(run: Run, source: Path) -> None:
    """What changes is printed, and the old file is kept, unless it is not wanted."""
    done = run("repair", "-i", source)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        f"{source}:1: SchÃ¶ne GrÃ¼ÃŸe\\r",
        f"{source}:1: -> Schöne Grüße\\r",
        f"{source}: UTF-8 was read as windows-1252",
        f"{source}: repaired 1 line; the old file is {source}.orig",
    ]
    assert source.read_bytes() == RIGHT
    assert source.with_name("wrong.txt.orig").read_bytes() == WRONG
    source.write_bytes(WRONG)
    assert run("repair", "-i.bak", source).returncode == 0
    assert source.read_bytes() == RIGHT
    assert source.with_name("wrong.txt.bak").read_bytes() == WRONG


def test_without_a_backup(run: Run, source: Path) -> None:
    assert run("repair", "-i", "--no-backup", source).returncode == 0
    assert source.read_bytes() == RIGHT
    assert os.listdir(source.parent) == [source.name]
    assert_fails(run("repair", "--no-backup", source), 2, "--no-backup is for -i without a suffix")
    assert_fails(run("repair", "-i.bak", "--no-backup", source), 2, "--no-backup is for -i without a suffix")


def test_an_output_file(run: Run, source: Path) -> None:
    """It is written in one step, may be an input, and stays if anything fails."""
    written = source.with_name("right.txt")
    done = run("repair", "-o", written, source, "-", stdin=WRONG)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (written.read_bytes(), source.read_bytes()) == (RIGHT * 2, WRONG)
    assert_fails(run("repair", "-o", written, source, source.with_name("missing")), 2, "No such file")
    assert written.read_bytes() == RIGHT * 2
    assert run("repair", "--dry-run", "-o", written, source).returncode == 0
    assert written.read_bytes() == RIGHT * 2
    assert run("repair", "-o", source, source).returncode == 0
    assert source.read_bytes() == RIGHT
    assert_fails(run("repair", "-i", "-o", written, source), 2, "not allowed with")
    assert sorted(os.listdir(source.parent)) == ["right.txt", "wrong.txt"]


def test_other_encodings_than_utf_8_unless_unwanted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "legacy.txt"
    wrong = "Все люди рождаются свободными и равными".encode("cp1251").decode("latin-1").encode()
    for arguments, right in (("--no-legacy",), wrong), ((), "Все люди рождаются свободными и равными".encode()):
        path.write_bytes(wrong)
        assert run("repair", "-i", *arguments, path).returncode == 0
        assert path.read_bytes() == right


@pytest.mark.gate
@pytest.mark.parametrize("name", ["mend.py", "mend.js", "mend.php", "mend.sql", "notes.txt"])
@pytest.mark.parametrize(
    "line",
    [
        """s = s.replace('â€™', "'")""",
        'TABLE = {"Ã©": "é", "Ã¼": "ü"}',
        "if 'SchÃ¶ne GrÃ¼ÃŸe' == value:  # escaped: \\xc3\\xa9",
        "UPDATE posts SET body = REPLACE(body, 'â€œ', '“');",
        "/* GrÃ¼ÃŸe aus KÃ¶ln */ if 'SchÃ¶ne StraÃŸe' == value",
    ],
)
def test_mojibake_that_source_code_quotes_stays(run: Run, tmp_path: Path, name: str, line: str) -> None:
    """A program that mends is not mended; a text that quotes a whole sentence is."""
    path = tmp_path / name
    path.write_text(f"{line}\n", encoding="utf-8")
    assert run("repair", "-i", path).returncode == 0
    is_kept = name != "notes.txt" or "SchÃ" not in line
    assert (path.read_text(encoding="utf-8") == f"{line}\n") == is_kept


def test_comments_of_source_code_are_mended(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("x = 'é'  # GrÃ¼ÃŸe aus KÃ¶ln\n", encoding="utf-8")
    assert run("repair", "-i", path).returncode == 0
    assert path.read_text(encoding="utf-8") == "x = 'é'  # Grüße aus Köln\n"


def test_a_trial(run: Run, source: Path) -> None:
    done = run("repair", "--dry-run", "-i", source)
    assert done.stdout.decode().splitlines() == [
        f"{source}:1: SchÃ¶ne GrÃ¼ÃŸe\\r",
        f"{source}:1: -> Schöne Grüße\\r",
        f"{source}: UTF-8 was read as windows-1252",
    ]
    assert source.read_bytes() == WRONG
    assert run("repair", "--dry-run", stdin=GOOD.encode()).stdout == b""


def test_a_legacy_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "legacy.txt"
    path.write_bytes("1 GrÃ¼ÃŸe".encode("cp1252"))
    assert run("repair", "-f", "windows-1252", "-i", path).returncode == 0
    assert path.read_bytes() == "1 Grüße".encode("cp1252")


def test_a_character_that_the_encoding_lacks(run: Run, tmp_path: Path) -> None:
    data = "a\n-- Привет, мир".encode().decode("latin-1").encode("latin-1")
    path = tmp_path / "legacy.txt"
    path.write_bytes(data)
    for arguments in ((), ("-i",)):
        done = run("repair", "-f", "windows-1252", *arguments, path)
        assert_fails(done, 1, "legacy.txt:2:4: U+041F П CYRILLIC CAPITAL LETTER PE")
        assert (done.stdout, path.read_bytes()) == (b"", data)
    assert b"&#1055;" in run("repair", "-f", "windows-1252", "--unmappable", "html", path).stdout


def test_wrong_usage_and_files_that_fail(run: Run, source: Path, tmp_path: Path) -> None:
    assert_fails(run("repair", "-i"), 2, "-i replaces files, so name them")
    assert_fails(run("repair", tmp_path / "missing"), 2, "No such file")
    assert_fails(run("repair", "-i", source, source), 2, "is named twice")
    os.mkfifo(tmp_path / "fifo")
    assert_fails(run("repair", "-i", tmp_path / "fifo"), 2, "regular file")
    link = tmp_path / "hard"
    link.hardlink_to(source)
    source.write_bytes(WRONG)
    assert_fails(run("repair", "-i", source), 2, "hard links")
    assert source.read_bytes() == WRONG


@pytest.mark.parametrize("pair", ["\xff\xfd", "\xfb\xa0"])
def test_no_replacement_and_no_private_use_is_invented(pair: str, run: Run) -> None:
    """Binary data beside letters passes as UTF-16."""
    binary = f"\0\0{pair}P\x92ba\x16\x01\0\0\0\0\0\0©÷\0\0\x92ba\x1f\x9b\x9b"
    text = ("Ã¤" * 46 + binary * 8)[:300]
    command = run("repair", stdin=text.encode()).stdout.decode()
    for repaired in (we.repair(text).text, we.repair_many([text])[0].text, command):
        assert "\ufffd" not in repaired
        assert "Co" not in map(unicodedata.category, repaired)
