"""The algorithms of the standard that are transcribed by hand, and the files that do it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from generator.model import ROOT

ANCHORS = (
    # 3. Terminology
    *("concept-stream-read", "i-o-queue-peek", "concept-stream-push", "concept-stream-prepend"),
    *("from-i-o-queue-convert", "to-i-o-queue-convert"),
    # 4. Encodings
    *("concept-encoding-run", "concept-encoding-process", "concept-encoding-get", "get-an-output-encoding"),
    # 5. Indexes
    *("index-code-point", "index-pointer"),
    # 6. Hooks for standards
    *("utf-8-decode", "utf-8-decode-without-bom", "utf-8-decode-without-bom-or-fail", "utf-8-encode"),
    *("decode", "bom-sniff", "encode", "get-an-encoder", "encode-or-fail"),
    # 7. API
    *("concept-td-serialize", "dom-textdecoder", "dom-textdecoder-decode", "dom-textencoder-encode"),
    *("dom-textencoder-encodeinto", "decode-and-enqueue-a-chunk", "flush-and-enqueue"),
    *("encode-and-enqueue-a-chunk", "convert-code-unit-to-scalar-value", "encode-and-flush"),
)
"""Their anchors, in the standard's order. Decoders, encoders and operations on indexes are compiled instead."""

FOLDERS = ("templates", "generated", "src/whatwg_encoding", "tests/reference")
"""The folders with files that transcribe algorithms and cite their anchors."""


def transcribers(anchor: str, root: Path = ROOT) -> tuple[str, ...]:
    """Return the files that cite an algorithm's anchor, relative to the project."""
    pattern = re.compile(rf"#{re.escape(anchor)}(?![\w-])")
    return tuple(file for file, text in _texts(root) if pattern.search(text))


@cache
def _texts(root: Path) -> tuple[tuple[str, str], ...]:
    texts = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".pyx", ".pxd", ".j2"):
                texts.append((path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")))
    return tuple(texts)
