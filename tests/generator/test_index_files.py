"""``python -m generator indexes``: the files say what the standard's indexes say, in the form of its own files."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from generator import verbs as program
from tests.pinned import PINNED

# Lines of the standard's own files, whose comments are theirs.
KNOWN = {
    "big5": "  942\t0x43F0\t䏰 (",
    "jis0208": "    0\t0x3000\t\u3000 (IDEOGRAPHIC SPACE)",
    "jis0212": " 108\t0x02D8\t\u02d8 (BREVE)",
    "euc-kr": "    0\t0xAC02\t갂 (",
    "windows-1252": "  0\t0x20AC\t€ (EURO SIGN)",
    "iso-8859-2": " 33\t0x0104\tĄ (LATIN CAPITAL LETTER A WITH OGONEK)",
    "gb18030-ranges": "189000\t0x10000",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("indexes")
    assert program.main(["indexes", "--output", str(folder)]) == 0
    return {path.stem.removeprefix("index-"): path.read_text("utf-8").split("\n") for path in folder.iterdir()}


def entries(lines: list[str]) -> list[tuple[int, int]]:
    """Read a file as the standard tells: what follows the code point, comments and empty lines do not count."""
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(int(pointer), int(code_point, 16)) for pointer, code_point, *_ in rows]


def test_the_files_are_the_indexes(files: dict[str, list[str]]) -> None:
    assert set(files) == {name.lower() for name in PINNED.indexes} | {"gb18030-ranges"}
    for name, index in PINNED.indexes.items():
        known = [
            (pointer, code_point) for pointer, code_point in enumerate(index.code_points) if code_point is not None
        ]
        assert entries(files[name.lower()]) == known
    assert entries(files["gb18030-ranges"]) == list(PINNED.ranges.ranges)


def test_the_lines_are_those_of_the_standard(files: dict[str, list[str]]) -> None:
    for name, expected in KNOWN.items():
        assert any(line.startswith(expected) for line in files[name]), name


def test_each_file_has_the_published_identifier(files: dict[str, list[str]]) -> None:
    """It is the SHA-256 of the list in indexes.json, as Python prints it."""
    lengths = {name.lower(): len(index.code_points) for name, index in PINNED.indexes.items()}
    for name, lines in files.items():
        (identifier,) = [match[1] for line in lines if (match := re.fullmatch(r"# Identifier: ([0-9a-f]{64})", line))]
        code_points = dict(entries(lines))
        is_list = name in lengths
        listed = (
            [code_points.get(pointer) for pointer in range(lengths[name])]
            if is_list
            else list(map(list, code_points.items()))
        )
        assert sha256(str(listed).encode()).hexdigest() == identifier, name


def test_the_folder_is_named_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert program.main(["indexes", "--output", str(blocked)]) != 0
    assert str(blocked) in capsys.readouterr().err
