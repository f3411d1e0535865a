"""Remember texts of the standard beside the project, to show what a changed one said before. None is committed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from generator.model import BUILT

FOLDER = BUILT / "texts"
"""A folder with a file for each text that was read here, by its digest."""


def remember(texts: Mapping[str, tuple[str, ...]], folder: Path = FOLDER) -> None:
    """Write the lines of texts by their digests; ignore a folder that cannot be written."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for digest, lines in texts.items():
            path = folder / digest
            if not path.exists():
                path.write_text("\n".join(lines), encoding="utf-8")


def recall(digest: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the lines of the text with a digest, none if it was not read here."""
    try:
        return tuple((folder / digest).read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return ()
