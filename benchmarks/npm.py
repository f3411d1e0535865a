"""Measure the npm package beside Node's own decoders and those that npm installs: ``python -m benchmarks.npm``.

It needs Node.js, npm, and what builds the package: Clang and LLD.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import whatwg_encoding as we
from benchmarks import DATA
from benchmarks.conversions import encoded, fit, prepared
from benchmarks.corpus import Corpus
from benchmarks.report import HEADER, Row, table

PEERS = ("@exodus/bytes@1.16.0", "iconv-lite@0.7.3")
#: One encoding per family.
ENCODINGS = ("UTF-8", "UTF-16LE", "windows-1251", "windows-1252", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
             "Shift_JIS", "EUC-KR")  # fmt: skip
SIZES = (64, 1024, 65_536)
ROUNDS = 15
_ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Measure each way, encoding and size; print a row for each, and then the table."""
    subprocess.run([sys.executable, str(_ROOT / "build" / "npm.py")], check=True)
    folder = _ROOT / "build" / "_out" / "benchmarks" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    script = shutil.copy(Path(__file__).with_suffix(".mjs"), folder)
    subprocess.run(["npm", "install", "--no-save", "--silent", *PEERS], cwd=folder, check=True)
    corpus, data, rows = Corpus(), folder / "data", []
    for way, name, size in product(("decode", "encode"), ENCODINGS, SIZES):
        encoding = we.lookup(name)
        if way == "decode" or encoding.has_encoder:
            language = DATA["measured"][name].split()[0]
            data.write_bytes(encoded(encoding, fit(encoding, prepared(corpus, encoding, language, "plain text"), size)))
            command = ["node", script, way, str(_ROOT / "build" / "_out" / "npm"), name, str(data), str(ROUNDS)]
            values = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
            rows.append(Row(f"{way}: {name} {language}, {size} B", values))
            print(*rows[-1].cells, sep="  ", flush=True)
    print(table(HEADER, [row.cells for row in rows], HEADER[1:4]))


if __name__ == "__main__":
    main()
