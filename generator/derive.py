"""Derive the pinned indexes from a package registry, byte for byte as the standard serves them.

The npm package `text-encoding` has the standard's index tables. This module holds the differences from the pinned ones,
one changed and one added index. `python -m generator derive` thereby reproduces the committed indexes. It runs npm,
which may use the network.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

from generator.model import INDEXES, GeneratorError, SnapshotError

PACKAGE = "text-encoding@0.7.0"
INTEGRITY = "sha512-oJQ3f1hrOnbRLOcwKz0Liq2IcrvDeZRHXhd9RgLrsT+DjWY/nty1Hi7v3dtkaEYbPYe0mUoOfzRrMwfXXwgPUA=="
MEMBER = "package/lib/encoding-indexes.js"

GB18030_2022 = {
    7182: 0xFE10, 7183: 0xFE12, 7184: 0xFE11, 7185: 0xFE13, 7186: 0xFE14, 7187: 0xFE15, 7188: 0xFE16,
    7201: 0xFE17, 7202: 0xFE18, 7208: 0xFE19,
    23775: 0x9FB4, 23783: 0x9FB5, 23788: 0x9FB6, 23789: 0x9FB7, 23795: 0x9FB8, 23812: 0x9FB9, 23829: 0x9FBA,
    23845: 0x9FBB,
}  # fmt: skip
"""Pointers of index gb18030 whose private-use code point GB18030-2022 replaced, and their new code points.

https://encoding.spec.whatwg.org/#index-gb18030
"""

KATAKANA = "iso-2022-jp-katakana"


def derive(tarball: Path | None = None) -> dict[str, bytes]:
    """Return the bytes of indexes.json by name, from the package's tarball, which npm downloads if `tarball` is None.

    Raise a SnapshotError if the download fails or the tarball's integrity differs.
    """
    return {INDEXES: indexes_json(_tables(_tarball(tarball)))}


def download(command: list[str], folder: Path, error: type[GeneratorError], otherwise: str) -> None:
    """Run a package registry's client in a folder; raise an error of the given type if it is absent or fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, cwd=folder)
    except FileNotFoundError as found:
        raise error(f"{command[0]} is not installed; {otherwise}") from found
    except subprocess.SubprocessError as found:
        raise error(f"`{' '.join(command)}` failed: {getattr(found, 'stderr', None) or found}") from found


def _tarball(path: Path | None) -> bytes:
    """Return the package's bytes, checked against the integrity that npm publishes."""
    if path is None:
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", PACKAGE, "--silent"]
            download(command, Path(folder), SnapshotError, f"get the tarball with `npm pack {PACKAGE}`")
            (packed,) = Path(folder).iterdir()
            content = packed.read_bytes()
    else:
        content = path.read_bytes()
    actual = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")
    if actual != INTEGRITY:
        raise SnapshotError(f"{PACKAGE}: the tarball's integrity is {actual}, not {INTEGRITY}")
    return content


def _tables(tarball: bytes) -> dict[str, list[Any]]:
    """Return the package's tables: the JSON value that the JavaScript file assigns to `global["encoding-indexes"]`."""
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        member = archive.extractfile(MEMBER)
        if member is None:
            raise SnapshotError(f"{PACKAGE}: has no file {MEMBER}")
        text = member.read().decode("utf-8")
    assigned = text.index("{", text.index('global["encoding-indexes"]'))
    tables: dict[str, list[Any]] = json.JSONDecoder().raw_decode(text, assigned)[0]
    return tables


def katakana() -> list[int]:
    """Return the index ISO-2022-JP katakana: the full-width code point of each of U+FF61 to U+FF9F.

    https://encoding.spec.whatwg.org/#index-iso-2022-jp-katakana
    """
    # NFKC gives the combining sound marks; the standard has the spacing ones, which are in jis0208.
    spacing = {0xFF9E: 0x309B, 0xFF9F: 0x309C}
    return [spacing.get(code, ord(unicodedata.normalize("NFKC", chr(code)))) for code in range(0xFF61, 0xFFA0)]


def indexes_json(tables: dict[str, list[Any]]) -> bytes:
    """Return indexes.json as the standard serves it: one index per line, in the package's order."""
    indexes: dict[str, list[Any]] = {}
    for name, entries in tables.items():
        indexes[name] = list(entries)
        if name == "ibm866":
            indexes[KATAKANA] = katakana()
    for pointer, code_point in GB18030_2022.items():
        indexes["gb18030"][pointer] = code_point
    lines = (f"  {json.dumps(name)}:{json.dumps(list_, separators=(',', ':'))}" for name, list_ in indexes.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")
