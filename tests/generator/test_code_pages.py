"""data/code_pages.json, and the chapter that is emitted from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator import code_pages
from tests.pinned import PINNED


def test_the_data_is_that_of_this_python_s_codecs() -> None:
    assert code_pages.load() == code_pages.derive()
    assert code_pages.to_json(code_pages.derive()) == (code_pages.DATA / code_pages.FILE).read_text(encoding="utf-8")


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
        {"family": None, "name": None},
    ],
)
def test_hostile_data_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    page = {"name": "cp1", "family": "dos", "labels": ["cp1"], "code_points": [0] * 256}
    (tmp_path / code_pages.FILE).write_text(json.dumps([page | change]), encoding="utf-8")
    with pytest.raises(code_pages.GeneratorError):
        code_pages.load(tmp_path)
