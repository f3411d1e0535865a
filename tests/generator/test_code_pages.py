"""data/code_pages.json, and the chapter that is emitted from it."""

from __future__ import annotations

import json
from encodings.aliases import aliases
from pathlib import Path

import pytest

from generator import code_pages
from tests.pinned import PINNED


def test_the_data_is_that_of_this_python_s_codecs() -> None:
    for page in code_pages.load():
        decoded = [bytes([byte]).decode(page.name, "replace") for byte in range(0x100)]
        assert [None if text == "\ufffd" else ord(text) for text in decoded] == list(page.code_points)
        for code_point, sequence in page.sequences.items():
            assert chr(code_point).encode(page.name) == bytes(sequence)
        assert (page.code_points[0], page.code_points.count(0)) == (0, 1)  # which the tables rely on
        assert {alias for alias, codec in aliases.items() if codec == page.name} <= set(page.labels)


def test_labels_are_distinct() -> None:
    chapter = code_pages.chapter(PINNED)
    labels = [label for codec in chapter.encodings for label in codec.labels]
    assert len(labels) == len(set(labels))
    owners: dict[str, str] = {}
    for codec in chapter.encodings:
        for label in codec.labels:  # as code_pages.lookup compares them
            plain = label.translate(str.maketrans("", "", "-_."))
            assert owners.setdefault(plain, codec.name) == codec.name


@pytest.mark.parametrize(
    "change",
    [
        {"name": 'cp1"; import os'},
        {"labels": ["*/ x"]},
        {"code_points": [0] * 255},
        {"code_points": [0x10000] * 256},
        {"code_points": ["0"] * 256},
        {"name": None},
    ],
)
def test_hostile_data_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    page = {"name": "cp1", "labels": ["cp1"], "code_points": [0] * 256}
    (tmp_path / code_pages.FILE).write_text(json.dumps([page | change]), encoding="utf-8")
    with pytest.raises(code_pages.GeneratorError):
        code_pages.load(tmp_path)
