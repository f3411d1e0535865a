"""Compile judge.c, which judges the kernels at every level, by the handlers of a chapter and by each other."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from generator import handlers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = HERE / "judge.c"
#: The folders of what the program includes.
KERNELS, ENGINE, GENERATED = (ROOT / name for name in ("src/native/kernels", "src/native/engine", "generated"))

#: Chapters, and codecs of one: its other codecs have tables that judge.c does not know.
CHAPTERS = (*handlers.CHAPTERS.values(), "code_pages utf_32be utf_32le")

_CODEC = re.compile(r"const we_codec whatwg_encoding_codec_(\w+) = \{\s*WE_DECODES\((\w+)\), (?:WE_ENCODES\((\w+)\))?")
_MADE_OF = {"utf_16be": "OF_UTF_16BE", "utf_16le": "OF_UTF_16LE"}


def handlers_of(chapter: str) -> str:
    """Return the C of a chapter's handlers and of the loops over them."""
    if str(ROOT / "build") not in sys.path:
        sys.path.insert(0, str(ROOT / "build"))
    import library  # type: ignore[import-not-found]

    with library.locked(library.SOURCES):
        text: str = library.translate(chapter).text
    return text


def judged_file(codecs: str) -> tuple[str, str]:
    """Return the name and the text of a file for HANDLERS of judge.c: a chapter's codecs, or those named after it."""
    chapter, *names = codecs.split()
    return f"{codecs.replace(' ', '-')}.h", with_cases(handlers_of(chapter), names)


def header_of(codecs: str) -> Path:
    """Return that file, which is written if it is not there."""
    name, text = judged_file(codecs)
    path = ROOT / "build" / "_out" / "tests" / name
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        staged = path.with_suffix(f".{os.getpid()}")
        staged.write_text(text, encoding="utf-8")
        staged.replace(path)
    return path


def with_cases(text: str, names: Iterable[str] = ()) -> str:
    """Return the C of handlers with what is to be judged: a CASE for each codec, or for those of the names.

    The loops of other codecs are not compiled.
    """
    text = text.replace("const we_codec whatwg", "static const we_codec whatwg")
    cases = [
        f"CASE({name}, {decoder}, {'OF_ENCODER' if encoder else _MADE_OF.get(decoder, 'OF_BYTES')}, {encoder or 'no'})"
        for name, decoder, encoder in _CODEC.findall(text)
        if not names or name in names
    ]
    return f"{text}\n#define CASES {', '.join(cases)}\n"
