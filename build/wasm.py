"""Build the C library as a WebAssembly module: build/_out/wasm/whatwg_encoding.wasm.

It needs Cython, and Clang with LLD: ``CLANG`` and ``WASM_LD`` name them. The module imports nothing and exports

- ``whatwg_encoding_get``, which returns the address of the C API's table (whatwg_encoding.h), of 4-byte members;
- ``__indirect_function_table``: a member of the table is the index of its function there;
- ``memory``, and ``__heap_base``, the address from which it is free for the caller's buffers and states.

``members`` lists the functions of the table in their order. With it, all of the API is callable from JavaScript:

    const words = new Uint32Array(memory.buffer, whatwg_encoding_get());
    const api = Object.fromEntries(members.map((name, at) => [name, __indirect_function_table.get(words[2 + at])]));
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import library

OUT: Final = library.ROOT / "build" / "_out" / "wasm"
FOLDER: Final = library.ROOT / "src" / "native" / "wasm"
FLAGS: Final = (
    "--target=wasm32", "-std=gnu11", "-O3", "-msimd128", "-mbulk-memory", "-ffreestanding", "-fvisibility=hidden",
    "-Wall", "-Wextra", f"-isystem{FOLDER}",
)  # fmt: skip
STACK: Final = 1 << 18


def clang() -> list[str]:
    """Return the command of Clang."""
    return shlex.split(os.environ.get("CLANG") or "clang")


def linker() -> list[str]:
    """Return the command of LLD's linker for WebAssembly."""
    return shlex.split(os.environ.get("WASM_LD") or "wasm-ld")


def members() -> list[str]:
    """Return the names of the table's functions, in their order."""
    text = library.HEADER.read_text(encoding="utf-8")
    table = text[text.rindex("typedef struct {", 0, text.index("} whatwg_encoding_api;")) :]
    return re.findall(r"\(\*(\w+)\)\(", table[: table.index("} whatwg_encoding_api;")])


def build(out: Path, more: tuple[str, ...] = ()) -> Path:
    """Return the module, built in a folder with these flags and `more`."""
    compiler = [*clang(), *FLAGS, *more]
    module = out / "whatwg_encoding.wasm"
    with ThreadPoolExecutor(os.cpu_count()) as pool, library.locked(out):
        sources = library.write_sources(pool)
        objects = library.compile_sources(compiler, [*sources, FOLDER / "libc.c"], out / "objects", pool,
                                          {"library": ["-DWE_WITHOUT_COLUMNS"]})  # fmt: skip
        command = [*linker(), "--no-entry", "--export=whatwg_encoding_get", "--export=__heap_base", "--export-table",
                   "--gc-sections", "--strip-all", "-z", f"stack-size={STACK}", "--stack-first"]  # fmt: skip
        key = library.digest(command, *objects)
        if not library.is_made(module, key):
            library.run(*command, *objects, "-o", module)
            library.note_made(module, key)
    return module


def main() -> str:
    """Build the module; return where it is."""
    module = build(OUT)
    return f"{module}: {module.stat().st_size:,} bytes"


if __name__ == "__main__":
    sys.exit(library.outcome(main))
