"""Data from upstream is reviewed: additions are taken, any other change requires the digest of exactly that change."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from generator import snapshot
from generator.model import ENCODINGS, FILES, INDEXES
from tests.generator import server as answers
from tests.generator.conftest import Change
from tests.generator.server import Server
from tests.generator.test_main import run, state

Made = Callable[[Change], dict[str, bytes]]


def labels(encodings: list[Any], name: str) -> list[str]:
    """Return the labels of an encoding in the parsed encodings.json, to be changed in place."""
    (label_list,) = (entry["labels"] for group in encodings for entry in group["encodings"] if entry["name"] == name)
    assert isinstance(label_list, list)
    return label_list


def move(label: str, old: str, new: str) -> Change:
    def change(indexes: dict[str, Any], encodings: list[Any]) -> None:
        labels(encodings, old).remove(label)
        labels(encodings, new).append(label)

    return change


def vanish(label: str, name: str) -> Change:
    return lambda indexes, encodings: labels(encodings, name).remove(label)


def added(label: str, name: str) -> Change:
    return lambda indexes, encodings: labels(encodings, name).append(label)


def reversed_windows_1252(indexes: dict[str, Any], encodings: list[Any]) -> None:
    # Without the controls, which are refused where there was none.
    indexes["windows-1252"][32:] = reversed(indexes["windows-1252"][32:])


def other_ranges(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["gb18030-ranges"][1][1] -= 1


@pytest.fixture
def generate(folder: Path, tmp_path: Path, server: Server) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs `generate` on a folder of data with what the server has."""
    generated = tmp_path / "generated"
    return partial(run, "generate", "--data", folder, "--generated", generated, "--origin", server.origin)


Generate = Callable[..., "subprocess.CompletedProcess[str]"]


def serve(server: Server, content: dict[str, bytes]) -> None:
    server.answers = {name: [answers.body(content[name])] for name in FILES}


def digest(stderr: str) -> str:
    match = re.search(r"--accept ([0-9a-f]{16})$", stderr, re.M)
    assert match
    return match[1]


def test_exactly_the_accepted_change_is_taken(folder: Path, server: Server, changed: Made, generate: Generate) -> None:
    wanted, different = changed(reversed_windows_1252), changed(move("latin1", "windows-1252", "UTF-8"))
    before = state(folder)
    serve(server, wanted)
    accepted = digest(generate().stderr)
    serve(server, different)
    done = generate("--accept", accepted)
    assert done.returncode == 1
    assert f"--accept '{accepted}' is the digest of another change" in done.stderr
    assert state(folder) == before
    serve(server, wanted)
    done = generate(ACCEPT=accepted)
    assert done.returncode == 3, done.stderr  # the source is not there
    assert snapshot.read(folder) == wanted
    assert f'origin = "{server.origin}indexes.json"' in (folder / snapshot.PIN).read_text()


def a_surrogate(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["koi8-r"][0] = 0xD800


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (a_surrogate, "U+D800: is a surrogate"),
        (other_ranges, "index 'gb18030-ranges': with the index 'gb18030' it must"),
    ],
)
def test_the_digest_does_not_let_invalid_data_in(
    change: Change, reason: str, server: Server, changed: Made, generate: Generate
) -> None:
    serve(server, changed(change))
    done = generate("--accept", "0" * 16)
    assert done.returncode == 1
    assert reason in done.stderr


def test_additions_are_shown_and_taken(folder: Path, server: Server, changed: Made, generate: Generate) -> None:
    def both(indexes: dict[str, Any], encodings: list[Any]) -> None:
        labels(encodings, "KOI8-R").append("koi8-x")
        pointer = indexes["windows-1253"].index(None)
        indexes["windows-1253"][pointer] = 0x20AF

    new = changed(both)
    serve(server, new)
    done = generate()
    assert (done.returncode, done.stderr) == (3, "")  # the source is not there
    assert "+ 'koi8-x' of 'KOI8-R'" in done.stdout
    assert "U+20AF" in done.stdout
    assert snapshot.read(folder) == new


def test_messages_cut_what_is_long(server: Server, changed: Made, generate: Generate) -> None:
    serve(server, changed(added("x" * 1_000_000, "UTF-8")))
    done = generate()
    assert done.returncode == 1
    assert len(done.stderr) + len(done.stdout) < 5_000
    serve(server, changed(lambda indexes, encodings: indexes.update({"y" * 1_000_000: []})))
    done = generate()
    assert done.returncode == 1
    assert len(done.stderr) + len(done.stdout) < 5_000


def test_data_with_another_index_compares_in_both_directions(
    folder: Path, tmp_path: Path, content: dict[str, bytes]
) -> None:
    """October 2016 lacks the index ISO-2022-JP katakana and the label replacement."""
    old = tmp_path / "2016-10-24"
    old.mkdir()
    indexes, encodings = json.loads(content[INDEXES]), json.loads(content[ENCODINGS])
    del indexes["iso-2022-jp-katakana"]
    labels(encodings, "replacement").remove("replacement")
    (old / INDEXES).write_text(json.dumps(indexes))
    (old / ENCODINGS).write_text(json.dumps(encodings))
    there, back = run("diff", old, folder), run("diff", folder, old)
    assert (there.returncode, there.stderr, back.returncode, back.stderr) == (0, "", 0, "")
    assert "Index 'iso-2022-jp-katakana' (added): 63 added" in there.stdout
    assert "Index 'iso-2022-jp-katakana' (removed): 63 removed" in back.stdout
    assert "  + 'replacement' of 'replacement'" in there.stdout
    assert "the old data is invalid" in there.stdout
    assert snapshot.peek(old).date == ""
