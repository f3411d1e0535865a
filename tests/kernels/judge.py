"""Compile judge.c, which judges the kernels at every level, by the handlers of a chapter and by each other."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from generator import handlers
from tests.compiler import compile_once

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: The folders of what the program includes.
INCLUDED = [ROOT / name for name in ("src/native/kernels", "src/native/engine", "generated")]
FLAGS = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused", *(f"-I{folder}" for folder in INCLUDED))

#: Chapters, and codecs of one: its other codecs have tables that judge.c does not know.
CHAPTERS = (*handlers.CHAPTERS.values(), "code_pages utf_32be utf_32le")

_CODEC = re.compile(r"const we_codec whatwg_encoding_codec_(\w+) = \{\s*WE_DECODES\((\w+)\), (?:WE_ENCODES\((\w+)\))?")
_MADE_OF = {"utf_16be": "OF_UTF_16BE", "utf_16le": "OF_UTF_16LE"}


def handlers_of(codecs: str) -> str:
    """Return the C of a chapter's handlers and loops with a CASE for each codec, or for those named after the chapter.

    The loops of other codecs are not compiled.
    """
    if str(ROOT / "build") not in sys.path:
        sys.path.insert(0, str(ROOT / "build"))
    import library  # type: ignore[import-not-found]

    chapter, *names = codecs.split()
    with library.locked(library.SOURCES):
        text: str = library.translate(chapter).text
    text = text.replace("const we_codec whatwg", "static const we_codec whatwg")
    cases = [
        f"CASE({name}, {decoder}, {'OF_ENCODER' if encoder else _MADE_OF.get(decoder, 'OF_BYTES')}, {encoder or 'no'})"
        for name, decoder, encoder in _CODEC.findall(text)
        if not names or name in names
    ]
    return f"{text}\n#define CASES {', '.join(cases)}\n"


def program(codecs: str, *flags: str) -> Path:
    """Return the program for the codecs of `handlers_of`; for the kernels that no codec has, if there are none."""
    if codecs:
        path = ROOT / "build" / "_out" / "tests" / f"{codecs.replace(' ', '-')}.h"
        text = handlers_of(codecs)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            staged = path.with_suffix(f".{os.getpid()}")
            staged.write_text(text, encoding="utf-8")
            staged.replace(path)
        flags = (*flags, f'-DHANDLERS="{path}"')
    return compile_once(HERE / "judge.c", *FLAGS, *flags)
