"""Summarize what is generated: encodings, labels, bytes of every table, and the size of the compiled modules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator import code_pages, modules
from generator.model import BUILT, Snapshot

#: Size budgets in bytes, of one module and of the installed package.
MODULE_BUDGET = 1_000_000
PACKAGE_BUDGET = 4_000_000


def report(snapshot: Snapshot, libraries: Path = BUILT) -> str:
    """Return the summary as text; sizes are in bytes."""
    return "\n".join(_lines(snapshot, libraries)) + "\n"


def _lines(snapshot: Snapshot, libraries: Path) -> Iterator[str]:
    chapters = [*modules.chapters(snapshot), code_pages.chapter(snapshot)]
    labels = sum(len(encoding.labels) for encoding in snapshot.encodings)
    tables = sum(chapter.nbytes for chapter in chapters)
    yield f"Encodings: {len(snapshot.encodings)}. Labels: {labels}. Indexes: {len(snapshot.indexes) + 1}."
    yield f"Tables: {tables:,} bytes in {sum(len(chapter.tables) for chapter in chapters)}."
    for chapter in chapters:
        yield f"  {chapter.name}: {len(chapter.encodings)} encodings, {chapter.nbytes:,} bytes of tables"
        if len(chapter.tables) <= 8:
            for table in chapter.tables:
                yield f"    {table.symbol}: {table.describe()}"
    compiled = _newest(libraries)
    if not compiled:
        yield "Modules: not built yet (make build)."
        return
    yield f"Modules: {sum(path.stat().st_size for path in compiled):,} bytes; budget of the package {PACKAGE_BUDGET:,}."
    for path in compiled:
        size = path.stat().st_size
        over = f", over the budget of {MODULE_BUDGET:,}" if size > MODULE_BUDGET else ""
        yield f"  {path.name.partition('.')[0]}: {size:,} bytes{over}"


def _newest(libraries: Path) -> list[Path]:
    """Return the compiled modules of the latest build, sorted by name."""
    folders = {folder: sorted(folder.rglob("*.so")) for folder in libraries.glob("lib*/whatwg_encoding/_native")}
    built = [modules for modules in folders.values() if modules]
    return max(built, key=lambda modules: max(path.stat().st_mtime for path in modules), default=[])
