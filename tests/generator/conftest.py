"""Fixtures of the generator's tests: the pinned files, and folders with a copy of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator import modules, render, snapshot
from generator.model import ENCODINGS, FILES, INDEXES, Snapshot
from tests.generator.server import Server, serving
from tests.pinned import PINNED, chapters

COPIED = (*FILES, snapshot.PIN)
"""The files of `data/` that a folder of data has to have."""


def rendered(chapter: modules.Chapter) -> str:
    """Return the text of a module, by the templates as they are."""
    provenance = {"templates": [""], "origin": "", "sources": []}
    return render.render("chapter.pyx.j2", {"chapter": chapter, "provenance": provenance})


@pytest.fixture
def edit_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., modules.Chapter]]:
    """Return a function that edits the template of a handler and returns a module that is rendered by it."""
    folder = tmp_path / "templates"
    shutil.copytree(render.TEMPLATES, folder)
    monkeypatch.setattr(render, "TEMPLATES", folder)
    render.environment.cache_clear()

    def edit(name: str, *edits: tuple[str, str]) -> modules.Chapter:
        path = folder / "_handlers" / f"{name}.pyx.j2"
        text = path.read_text()
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        path.write_text(text)
        return next(chapter for chapter in chapters().values() if f"_handlers/{name}.pyx.j2" in chapter.templates)

    yield edit
    render.environment.cache_clear()


@pytest.fixture(scope="session")
def content() -> dict[str, bytes]:
    """Return the pinned files by name, as the standard publishes them."""
    return snapshot.read(snapshot.DATA)


@pytest.fixture(scope="session")
def pinned() -> Snapshot:
    return PINNED


@pytest.fixture
def folder(tmp_path: Path, content: dict[str, bytes]) -> Path:
    """Return a folder with a copy of the pinned data."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in COPIED:
        (folder / name).write_bytes((snapshot.DATA / name).read_bytes())
    return folder


Change = Callable[[dict[str, Any], list[Any]], object]
"""Changes the values of indexes.json and encodings.json in place."""


def group(encodings: list[Any], heading: str) -> list[Any]:
    """Return the entries under a heading of the parsed encodings.json, to be changed in place."""
    (entries,) = (entry["encodings"] for entry in encodings if entry["heading"] == heading)
    assert isinstance(entries, list)
    return entries


@pytest.fixture
def changed(content: dict[str, bytes]) -> Callable[[Change], dict[str, bytes]]:
    """Return a function that serializes both files after a change of their values."""

    def make(change: Change) -> dict[str, bytes]:
        values = {name: json.loads(content[name]) for name in FILES}
        change(values[INDEXES], values[ENCODINGS])
        return {name: json.dumps(value).encode() for name, value in values.items()}

    return make


@pytest.fixture
def server() -> Any:
    with serving() as running:
        yield running


__all__ = ["Change", "Server"]
