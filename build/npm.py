"""Build the npm package whatwg-encoding-wasm in build/_out/npm: an ES module around the WebAssembly module.

It needs what build/wasm.py needs. ``npm pack`` in that folder makes the archive.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import description
import library
import wasm

OUT: Final = library.ROOT / "build" / "_out" / "npm"
SOURCE: Final = library.ROOT / "src" / "npm"
FILES: Final = ("index.js", "binding.js", "index.d.ts", "standard.js", "standard.d.ts", "README.md")
LICENSES: Final = ("LICENSE", "LICENSE-WHATWG")


def manifest() -> dict[str, object]:
    """Return the content of package.json."""
    return {
        "name": "whatwg-encoding-wasm",
        "version": description.version(),
        "description": "The WHATWG Encoding Standard in WebAssembly: TextDecoder and TextEncoder, and a detector",
        "keywords": ["encoding", "charset", "textdecoder", "textencoder", "whatwg", "mojibake"],
        "license": "BSD-3-Clause",
        "type": "module",
        "exports": {
            ".": {"types": "./index.d.ts", "default": "./index.js"},
            "./standard": {"types": "./standard.d.ts", "default": "./standard.js"},
        },
        "files": [*FILES, *LICENSES, "members.js", "whatwg_encoding.wasm"],
        "engines": {"node": ">=18"},
        "sideEffects": False,
    }


def build(out: Path = OUT) -> Path:
    """Write the package to a folder, and return that."""
    module = wasm.build(wasm.OUT)
    with library.locked(wasm.OUT):
        for path in (module, *(SOURCE / name for name in FILES), *(library.ROOT / name for name in LICENSES)):
            library.write(out / path.name, path.read_bytes())
        library.write(out / "package.json", json.dumps(manifest(), indent=2) + "\n")
        members = f"export const MEMBERS = {json.dumps(wasm.members(), indent=2)};\n"
        library.write(out / "members.js", f"// The functions of the C API's table.\n{members}")
    return out


if __name__ == "__main__":
    sys.exit(library.outcome(build))
