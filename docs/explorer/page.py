"""Put the explorer together: its scripts, its style, the engine and the data, in one file that loads nothing.

Scripts are ES modules: `core/`, which needs no document, with the npm package's binding, and `views/`. A browser that
opens a page from a file loads no module from another file. So the page contains their text in the order of their
imports as two scripts, compressed like the engine. `boot.js` unpacks and starts them.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from typing import Any

from docs.explorer import data, programs
from generator import snapshot
from generator.model import ROOT
from generator.spec import machine

sys.path.append(str(ROOT / "build"))  # which is no package

import handlers
import library
import wasm

SOURCE = Path(__file__).resolve().parent


class MissingError(Exception):
    """The engine cannot be compiled here."""


def missing() -> list[str]:
    """Return the programs that are needed and not installed."""
    return [command for command, *_ in (wasm.clang(), wasm.linker()) if shutil.which(command) is None]


def engine() -> tuple[bytes, list[str]]:
    """Return the WebAssembly module and the names of the functions in its table; compile what has changed."""
    if missing():
        raise MissingError(
            f"{' and '.join(missing())} compile the engine and are not installed: apt-get install clang lld"
        )
    try:
        # A page that is downloaded needs less code, not faster code.
        module = wasm.build(wasm.OUT.parent / "wasm-small", ("-Oz", "-DWE_WITH_MENDING"))
    except (library.BuildError, handlers.UnknownTextError) as error:
        raise MissingError(f"the engine cannot be compiled: {str(error)[-1000:]}") from error
    return module.read_bytes(), wasm.members()


# -- Scripts -----------------------------------------------------------------------------------------------------------

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.\.?/[\w/.]*?(\w+)\.js)";\n', re.M)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.M)
"""A comment on lines of its own, which the page leaves out."""
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function\*?) (\w+))", re.M)


PROGRAMS = SOURCE / "core" / "programs.js"
"""The path by which a script imports the algorithms' functions: no file, since they are made with the page."""


def modules(first: Path, seen: dict[Path, str] | None = None) -> dict[Path, str]:
    """Return a module and all that it imports as functions in one script, each after what it imports."""
    by_path = {} if seen is None else seen
    if first not in by_path:
        text = programs.script(machine.pinned()) if first == PROGRAMS else first.read_text(encoding="utf-8")
        for match in _IMPORT.finditer(text):
            modules((first.parent / match[2]).resolve(), by_path)
        exported = ", ".join(_EXPORT.findall(text))
        text = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub(r"const \1 = module_\3;\n", text)))
        by_path[first] = f"const module_{first.stem} = (() => {{\n{text}return {{ {exported} }};\n}})();\n"
    return by_path


def scripts() -> tuple[str, str, str]:
    """Return the text of the page's scripts: what unpacks the others, the core, and the views."""
    boot, by_path = modules(SOURCE / "boot.js"), modules(SOURCE / "views" / "main.js")
    views = {path: text for path, text in by_path.items() if path.parent.name == "views"}
    core = {path: text for path, text in by_path.items() if path not in {*boot, *views}}
    first, second, third = ('"use strict";\n' + "".join(group.values()) for group in (boot, core, views))
    return first, second, third


# -- The page ----------------------------------------------------------------------------------------------------------


DIGITS = "".join(map(chr, (*range(0x01, 0x09), *range(0x0E, 0x1C), *range(0x20, 0x3C), *range(0x3D, 0x7F))))
"""116 characters of one byte each that HTML keeps as they are in a script, and that end neither it nor a line."""


def _compressed(content: bytes) -> str:
    """Return bytes as core/unpack.js reads them: the length and the gzip file, six bytes in seven digits.

    A page is a tenth smaller than in base 85, as 116 ** 7 is a little more than 256 ** 6.
    """
    packed = gzip.compress(content, 9, mtime=0)
    packed = len(packed).to_bytes(4, "big") + packed
    packed += bytes(-len(packed) % 6)
    text = []
    for at in range(0, len(packed), 6):
        number, digits = int.from_bytes(packed[at : at + 6], "big"), ""
        for _ in range(7):
            number, digit = divmod(number, len(DIGITS))
            digits = DIGITS[digit] + digits
        text.append(digits)
    return "".join(text)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def html(module: bytes, data: dict[str, Any]) -> str:
    """Return the page."""
    boot, core, views = scripts()
    style = (SOURCE / "style.css").read_text(encoding="utf-8")
    # Nothing is loaded: neither the page nor what is pasted into it can make a request.
    hashes = " ".join(map(_hash, (boot, core, views)))
    policy = (
        f"default-src 'none'; script-src {hashes} 'wasm-unsafe-eval'; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    parts = {
        "policy": policy,
        "style": style,
        "engine": _compressed(module),
        "data": _compressed(written),
        "core": _compressed(core.encode()),
        "views": _compressed(views.encode()),
        "boot": boot,
        "preview": preview("decode"),
        "project": "../index.html",
    }
    text = (SOURCE / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{ (\w+) \}\}", lambda match: parts[match[1]], text)


#: A page for each question, whose address previews of links describe: its title, and what one sees.
PREVIEWS = {
    "decode": ("Bytes as text, step by step", "See what each byte means in an encoding of the web, and why."),
    "identify": (
        "Which encoding are these bytes in?",
        "The encodings that they may be in, with the text in each.",
    ),
    "mend": ("Mojibake, mended", "See what a garbled text was before it was decoded with the wrong encoding."),
    "lookup": ("A character in every encoding", "The bytes of a character in all encodings of the web."),
    "tables": ("The indexes of the Encoding Standard", "Browse the tables of the web's encodings, cell by cell."),
}
#: Where the site is published, for previews, which take absolute addresses alone.
SITE = "WHATWG_ENCODING_SITE"


def preview(kind: str) -> str:
    """Return the tags by which previews of links describe the explorer's page of a question."""
    title, description = PREVIEWS[kind]
    image = f"{os.environ.get(SITE, '').rstrip('/')}/docs/images/explorer-{kind}.png".lstrip("/")
    tags = {"og:type": "website", "og:title": f"{title} · Encoding explorer", "og:description": description}
    tags |= {"og:image": image if image.startswith("http") else f"../{image}", "twitter:card": "summary_large_image"}
    return "\n".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in tags.items())


def forwarding(kind: str) -> str:
    """Return the page of a question, which opens the explorer with what the address asks."""
    title, description = PREVIEWS[kind]
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="description" content="{escape(description)}">\n{preview(kind)}\n'
        '<script>location.replace("index.html" + location.hash)</script>\n'
        '<p><a href="index.html">Open the explorer</a></p>\n</html>\n'
    )


def write(folder: Path) -> Path:
    """Write index.html, and a page for each question, to a folder, which is created if necessary.

    Raise a MissingError, before anything is written, if the engine cannot be compiled.
    """
    module, members = engine()
    content = {**data.content(snapshot.load()), "members": members}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    path.write_text(html(module, content), encoding="utf-8", newline="\n")
    for kind in PREVIEWS:
        (folder / f"{kind}.html").write_text(forwarding(kind), encoding="utf-8", newline="\n")
    return path


def write_reason(folder: Path, reason: str) -> None:
    """Write a page in place of the explorer that says why there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    head = "<!doctype html><html lang=en><meta charset=utf-8><title>Encoding explorer</title>"
    text = f"{head}<p>There is no explorer here: {escape(reason)}.</p></html>\n"
    (folder / "index.html").write_text(text, encoding="utf-8", newline="\n")
