"""Measure the npm package beside Node's own decoders and those that npm installs: ``python -m benchmarks.npm``.

It needs Node.js, npm, and what builds the package: Clang and LLD.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import whatwg_encoding as we
from benchmarks import DATA, conversions
from benchmarks.conversions import encoded, fit
from benchmarks.corpus import Corpus
from benchmarks.report import HEADER, Row, table

PEERS = ("@exodus/bytes@1.16.0", "iconv-lite@0.7.3")
#: One encoding per family.
ENCODINGS = ("UTF-8", "UTF-16LE", "windows-1251", "windows-1252", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
             "Shift_JIS", "EUC-KR")  # fmt: skip
SIZES = (64, 1024, 65_536)
ROUNDS = 15
_ROOT = Path(__file__).resolve().parents[1]


@cache
def prepared() -> tuple[Path, Path]:
    """Return the folder of the package, which is built, and the script, beside the peers that npm installs."""
    subprocess.run([sys.executable, str(_ROOT / "build" / "npm.py")], check=True)
    folder = _ROOT / "build" / "_out" / "benchmarks" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    script = Path(shutil.copy(Path(__file__).with_suffix(".mjs"), folder))
    subprocess.run(["npm", "install", "--no-save", "--silent", *PEERS], cwd=folder, check=True)
    return _ROOT / "build" / "_out" / "npm", script


def speeds(way: str, encoding: we.Encoding, data: bytes, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of a call of each contender, ours first, one value a round."""
    package, script = prepared()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_bytes(data)
        command = ["node", str(script), way, str(package), encoding.name, str(path), str(rounds)]
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    values: dict[str, list[float]] = json.loads(output)
    return values


def rows() -> Iterator[Row]:
    """Yield a row for each way, encoding, size and input, where half of one is malformed, and print it."""
    corpus = Corpus()
    for way, name, size in product(("decode", "encode"), ENCODINGS, SIZES):
        encoding = we.lookup(name)
        if way == "decode" or encoding.has_encoder:
            language = DATA["measured"][name].split()[0]
            text = fit(encoding, conversions.prepared(corpus, encoding, language, "plain text"), size)
            row = Row(f"{way}: {name} {language}, {size} B", speeds(way, encoding, encoded(encoding, text), ROUNDS))
            print(*row.cells, sep="  ", flush=True)
            yield row


if __name__ == "__main__":
    print(table(HEADER, [row.cells for row in rows()], HEADER[1:4]))
