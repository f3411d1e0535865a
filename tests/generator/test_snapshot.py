"""The pinned data: its content and verification, and that it is replaced completely or not at all."""

from __future__ import annotations

import json
import shutil
import tomllib
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from generator import snapshot
from generator.model import ENCODINGS, FILES, INDEXES, RANGES, Snapshot
from tests.generator.conftest import COPIED, Change

PUBLISHED = {
    name: file["sha256"] for name, file in tomllib.loads((snapshot.DATA / snapshot.PIN).read_text())["files"].items()
}
"""The digests of what the standard serves, which stand in the pin alone."""


# -- What is pinned ----------------------------------------------------------------------------------------------------


def test_the_pin_has_origin_date_digests_and_identifiers() -> None:
    pin = tomllib.loads((snapshot.DATA / snapshot.PIN).read_text())
    assert list(pin["files"]) == list(FILES)
    assert {file["origin"] for file in pin["files"].values()} == {
        f"https://encoding.spec.whatwg.org/{name}" for name in FILES
    }
    assert len(pin["identifiers"]) == 34


def test_the_model_holds_all_of_the_files(pinned: Snapshot, content: dict[str, bytes]) -> None:
    indexes = json.loads(content[INDEXES])
    assert {name: list(index.code_points) for name, index in pinned.indexes.items()} | {
        RANGES: [list(pair) for pair in pinned.ranges.ranges]
    } == indexes
    assert [(e.heading, e.name, list(e.labels)) for e in pinned.encodings] == [
        (group["heading"], encoding["name"], encoding["labels"])
        for group in json.loads(content[ENCODINGS])
        for encoding in group["encodings"]
    ]


def test_the_model_is_read_only(pinned: Snapshot) -> None:
    with pytest.raises(AttributeError):
        pinned.date = ""  # type: ignore[misc]
    with pytest.raises(TypeError):
        pinned.indexes["big5"] = pinned.indexes["big5"]  # type: ignore[index]
    with pytest.raises(TypeError):
        pinned.sha256[INDEXES] = ""  # type: ignore[index]


# -- Its history -------------------------------------------------------------------------------------------------------


def private_use_before_2022() -> dict[int, int]:
    """Return pointer to code point for the eighteen entries of index gb18030 that GB18030-2022 replaced."""
    private = [*range(0xE78D, 0xE797), 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864]
    pointers = [*range(7182, 7189), 7201, 7202, 7208, 23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845]
    return dict(zip(pointers, private, strict=True))


def test_katakana_are_the_full_width_ones_by_name(pinned: Snapshot) -> None:
    """Without NFKC: Unicode names of half-width and full-width characters differ in one word."""
    for offset, code_point in enumerate(pinned.indexes["iso-2022-jp-katakana"].code_points):
        half = unicodedata.name(chr(0xFF61 + offset))
        assert code_point is not None
        # One of the sound marks is shared with hiragana, which only some of the names mention.
        full = unicodedata.name(chr(code_point)).replace("-HIRAGANA", "")
        assert "HALFWIDTH " + full == half.replace("-HIRAGANA", "")


# -- Verification ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_seen(name: str, folder: Path) -> None:
    before = (folder / name).read_bytes()
    (folder / name).write_bytes(before.replace(b"1", b"2", 1))
    with pytest.raises(
        snapshot.SnapshotError, match=f"{name}: its sha256 is .*, but snapshot.toml pins {PUBLISHED[name]}"
    ):
        snapshot.load(folder)


def test_a_changed_identifier_is_seen(folder: Path, pinned: Snapshot) -> None:
    path = folder / snapshot.PIN
    identifier = pinned.indexes["koi8-r"].identifier
    path.write_text(path.read_text().replace(identifier, "0" * 64))
    with pytest.raises(
        snapshot.SnapshotError, match=f"index 'koi8-r': its Identifier is {identifier}, but .* pins 0{{64}}"
    ):
        snapshot.verify(folder)


def test_a_missing_identifier_is_seen(folder: Path) -> None:
    path = folder / snapshot.PIN
    path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith('"big5"')))
    with pytest.raises(
        snapshot.SnapshotError, match=r"index 'big5': its Identifier is .*, but snapshot\.toml pins absent"
    ):
        snapshot.verify(folder)


@pytest.mark.parametrize("name", [*FILES, snapshot.PIN])
def test_a_missing_file_is_named(name: str, folder: Path) -> None:
    (folder / name).unlink()
    with pytest.raises(snapshot.SnapshotError, match=f"{name}: cannot be read from .*: No such file"):
        snapshot.load(folder)


@pytest.mark.parametrize(
    "text", ["", "date = 2026-01-01", 'date = "today"\n[files]\n[identifiers]', "date = 2026-01-01\nfiles = 1", "\0"]
)
def test_a_pin_of_another_shape_is_refused(text: str, folder: Path) -> None:
    (folder / snapshot.PIN).write_text(text)
    with pytest.raises(snapshot.SnapshotError, match=r"snapshot\.toml: (must have|is not TOML)"):
        snapshot.load(folder)


SHAPES = [
    (INDEXES, b"[]", "indexes.json: is a list of 0"),
    (INDEXES, b'{"gb18030-ranges":1}', "index 'gb18030-ranges': is 1,"),
    (INDEXES, b'{"gb18030-ranges":[[0,1,2]]}', "index 'gb18030-ranges', entry 0: is a list of 3"),
    (INDEXES, b'{"gb18030-ranges":[[0,true]]}', "index 'gb18030-ranges', entry 0: is a list of 2"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":{}}', "index 'big5': is an object"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":[null,"x"]}', "index 'big5', pointer 1: is the string 'x'"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":[1e400]}', "index 'big5', pointer 0: is the number inf"),
    (INDEXES, b'{"gb18030-ranges":[[0]],"big5":' + b"9" * 4000 + b"}", "index 'big5': is a number of 4000 digits"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":[NaN]}', "indexes.json: contains NaN, which is not JSON"),
    (INDEXES, b'{"a":' + b"9" * 5000 + b"}", "indexes.json: cannot be parsed"),
    (INDEXES, b"[" * 100000, "indexes.json: is nested too deeply"),
    (INDEXES, json.dumps({str(n): [] for n in range(1001)}).encode(), "indexes: there are 1001, but at most 1000"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":[1.0]}', "index 'big5', pointer 0: is the number 1,"),
    (INDEXES, b'{"gb18030-ranges":[],"big5":[true]}', "index 'big5', pointer 0: is true, not a code point or null"),
    (INDEXES, b'{"gb18030-ranges":[[36]]}', "entry 0: is a list of 1, not a pair of pointer and code point"),
    (INDEXES, b'{"big5":[],"big5":[]}', "the member 'big5' occurs twice in one object"),
    (INDEXES, b"<!doctype html><title>Sign in to this network</title>", "is an HTML page, not JSON"),
    (INDEXES, b"", "indexes.json: is not JSON"),
    (INDEXES, b'{"big5":[', "indexes.json: is not JSON: line 1, column 10"),
    (INDEXES, b'{"\xff":1}', "indexes.json: is not JSON: byte 2 is not UTF-8"),
    (ENCODINGS, b"{}", "encodings.json: is an object"),
    (ENCODINGS, b"[1]", "encodings.json: group 0: is 1"),
    (ENCODINGS, b'[{"heading":null,"encodings":[]}]', "group 0: 'heading' is null, not a str"),
    (ENCODINGS, b'[{"heading":"x","encodings":{}}]', "group 0: 'encodings' is an object, not a list"),
    (ENCODINGS, b'[{"heading":"x","encodings":[[]]}]', "encoding 0 of group 0: is a list of 0"),
    (ENCODINGS, b'[{"heading":"x","encodings":[{"name":1}]}]', "encoding 0 of group 0: 'name' is 1"),
    (ENCODINGS, b'[{"heading":"x","encodings":[{"name":"x","labels":[1]}]}]', "a label is 1"),
]


@pytest.mark.parametrize(("name", "text", "message"), SHAPES, ids=[message for *_, message in SHAPES])
def test_another_shape_is_named(name: str, text: bytes, message: str, content: dict[str, bytes]) -> None:
    with pytest.raises(snapshot.SnapshotError) as caught:
        snapshot.parse({**content, name: text}, "2026-01-01")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


# -- Replacement ---------------------------------------------------------------------------------------------------


def other(indexes: dict[str, list[int]], encodings: object) -> None:
    indexes["koi8-r"][0] = 0x2501


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_corrected_entry_is_one_line_of_the_pinned_indexes(
    folder: Path, content: dict[str, bytes], changed: Callable[[Change], dict[str, bytes]]
) -> None:
    """They are pinned in rows; what is published, and its digest, has none."""
    pinned = (folder / INDEXES).read_bytes()
    assert snapshot.in_rows(content[INDEXES]) == pinned
    assert snapshot.as_published(pinned) == content[INDEXES]
    assert max(map(len, pinned.splitlines())) < 120
    assert snapshot.sha256(content[INDEXES]) in (folder / snapshot.PIN).read_text()
    compact = json.dumps(json.loads(changed(other)[INDEXES]), separators=(",", ":")).encode()
    snapshot.write(folder, {**content, INDEXES: compact})
    before = snapshot.in_rows(json.dumps(json.loads(content[INDEXES]), separators=(",", ":")).encode()).splitlines()
    after = (folder / INDEXES).read_bytes().splitlines()
    assert sum(line != two for line, two in zip(before, after, strict=True)) == 1
    assert snapshot.read(folder)[INDEXES] == compact
    assert snapshot.load(folder).indexes["koi8-r"].code_points[0] == 0x2501


def test_writing_pins_what_was_written(folder: Path, changed: Callable[[Change], dict[str, bytes]]) -> None:
    new = changed(other)
    written = snapshot.write(folder, new, day="2027-02-03")
    assert written == snapshot.load(folder)
    assert written.date == "2027-02-03"
    assert snapshot.read(folder) == new


def test_writing_invalid_data_writes_nothing(folder: Path, changed: Callable[[Change], dict[str, bytes]]) -> None:
    before = state(folder)
    with pytest.raises(snapshot.SnapshotError, match="has 8835 pointers"):
        snapshot.write(folder, changed(lambda indexes, encodings: indexes["jis0212"].pop()))
    assert state(folder) == before


def test_other_files_of_the_folder_stay(folder: Path, changed: Callable[[Change], dict[str, bytes]]) -> None:
    (folder / "README.md").write_text("mine")
    snapshot.write(folder, changed(other))
    assert (folder / "README.md").read_text() == "mine"


def test_a_full_disk_leaves_the_old_data(
    folder: Path, changed: Callable[[Change], dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(folder)
    written: list[Path] = []
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        written.append(path)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        return write(path, content)

    new = changed(other)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left"):
            snapshot.write(folder, new)
    assert state(folder) == before
    assert len(list(folder.iterdir())) == len(COPIED)


def test_a_folder_need_not_exist(tmp_path: Path, content: dict[str, bytes]) -> None:
    written = snapshot.write(tmp_path / "a" / "b", content, day="2027-02-03")
    assert snapshot.load(tmp_path / "a" / "b") == written


def test_an_unpinned_folder_can_be_looked_at(folder: Path, pinned: Snapshot) -> None:
    (folder / snapshot.PIN).unlink()
    assert snapshot.peek(folder).indexes == pinned.indexes
    assert snapshot.peek(folder).date == ""
    shutil.rmtree(folder)
    with pytest.raises(snapshot.SnapshotError, match=r"indexes\.json: cannot be read"):
        snapshot.peek(folder)
