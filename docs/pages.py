"""Bring what pages take from elsewhere up to date: ``python -m docs.pages``; ``--check`` only says what differs.

Pages of data are written from docs/_templates. In all other pages of the repository, what stands between
``<!-- api: NAMES -->`` and ``<!-- end -->`` are signatures and docstrings, and the block of code after
``<!-- from: FILE NAME -->`` is a function of a Python file, or with * as the name the whole file.
"""

from __future__ import annotations

import argparse
import ast
import html
import json
import platform
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader

import whatwg_encoding as we
from benchmarks import report
from docs import api, comparison
from docs.comparison import Case
from docs.explorer import data as explorer
from generator import handlers, names, snapshot
from generator.model import STANDARD, Encoding, Snapshot
from generator.render import new_environment
from whatwg_encoding import _cli as cli

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
RESULTS = ROOT / "benchmarks" / "results"

#: An option in a sentence, with its value, or a name of the package.
OPTION = re.compile(r"(?<![\w-])--?\w[\w.=-]*\b(?: (?:auto|drop|fail|html)\b)?|\bwhatwg_encoding(?:\.\w+)+")

#: The release of CPython whose codecs are compared.
PYTHON = ".".join(platform.python_version_tuple()[:2])

#: Words that encodings are for, by the standard's headings; of the others, the first that an encoding has.
SAMPLES = {
    "Chinese (simplified)": "简体中文", "Chinese (traditional)": "繁體中文", "Japanese": "日本語", "Korean": "한국어"
}  # fmt: skip
SINGLE_BYTE_SAMPLES = [
    "Привет", "Γειά", "שלום", "مرحبا", "ไทย", "București", "ĉeĥa", "dŵr", "cơm", "Rīga", "Łódź", "İstanbul", "café"
]  # fmt: skip
"""Words of languages that encodings are for, those that the fewest encodings have before others."""

SHOWN = 6
"""Examples of each kind of difference."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path below docs and the Markdown of each page of data."""
    pinned = snapshot.load()
    quirks = tomllib.loads((DOCS / "quirks.toml").read_text(encoding="utf-8"))
    if quirks.keys() != {encoding.name for encoding in pinned.encodings}:
        raise ValueError("docs/quirks.toml must have every encoding of the standard, and no other")
    for encoding in pinned.encodings:
        yield f"encodings/{names.symbol(encoding.name)}.md", encoding_page(encoding, pinned, quirks[encoding.name])
    groups: dict[str, list[dict[str, str]]] = {}
    for encoding in pinned.encodings:
        row = {"name": encoding.name, "page": names.symbol(encoding.name), "labels": str(len(encoding.labels))}
        groups.setdefault(encoding.heading, []).append(row)
    yield (
        "encodings/index.md",
        _render("encodings.md.j2", groups=groups, labels=sum(len(e.labels) for e in pinned.encodings)),
    )
    figures = json.loads((DOCS / "conformance.json").read_text(encoding="utf-8"))
    contexts = _render("contexts.md.j2", contexts=we.contexts.CONTEXTS.values())
    yield "reference/context-list.md", contexts.replace("<", "&lt;")
    codecs = json.loads((DOCS / "codecs.json").read_text(encoding="utf-8"))
    yield (
        "conformance.md",
        _render(
            "conformance.md.j2",
            doors=figures,
            names=[encoding.name for encoding in pinned.encodings],
            whole=[door for door in figures if "byte by byte" not in door],
            page=names.symbol,
            codecs=codecs,
        ),
    )
    yield "compared.md", compared_page()
    yield "reference/options.md", options_page()


def encoding_page(encoding: Encoding, pinned: Snapshot, quirks: list[str]) -> str:
    """Return the page of an encoding."""
    handler = handlers.handler(encoding.name, encoding.heading)
    assert handler is not None
    built = we.ENCODINGS[encoding.name]
    indexes = [name for name in handler.indexes if name in pinned.indexes and name not in explorer.NOT_SHOWN]
    differences, missing = comparison.differences(built)
    return _render(
        "encoding.md.j2",
        encoding=encoding,
        built=built,
        constant=names.constant(encoding.name),
        anchor="single-byte" if handler.takes_an_index else encoding.name.lower(),
        standard=STANDARD,
        indexes={name: _tables(name, encoding, pinned) for name in indexes},
        sample=sample(built, encoding.heading),
        quirks=quirks,
        sources=sources(encoding, handler),
        codecs=differences,
        missing=missing,
        kinds=comparison.kinds,
        examples=examples,
        python=PYTHON,
        shown=SHOWN,
    )


def sample(encoding: we.Encoding, heading: str) -> dict[str, str]:
    """Return a text that an encoding is for: its bytes and text in Python, and both as addresses have them."""
    if encoding is we.X_USER_DEFINED or encoding is we.REPLACEMENT:
        data, text = b"\x80\xff", ""
    elif encoding.is_utf_16:
        data, text = "café".encode(encoding.name), "café"
    else:
        of_language = [word for language, word in SAMPLES.items() if f"{language} encodings" in heading]
        words = of_language or (SINGLE_BYTE_SAMPLES if encoding.is_single_byte else ["café"])
        text = next(word for word in words if encoding.decode(encoding.encode(word)) == word)
        data = encoding.encode(text)
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02x}" for byte in data)
    decoded = encoding.decode(data)
    return {"bytes": f'b"{shown}"', "hex": data.hex(), "text": repr(decoded), "link": text or decoded}


def sources(encoding: Encoding, handler: handlers.Handler) -> dict[str, list[str]]:
    """Return the files that an encoding is made of, and those that test it, by what they are."""
    chapter = handlers.CHAPTERS[encoding.heading]
    template = f"templates/_handlers/{handler.template}.pyx.j2"
    shapes = re.findall(r"we_(\w+?)_(?:decode|encode)\b", (ROOT / template).read_text(encoding="utf-8"))
    patterns = {
        "handler, as a template": [template],
        "handler, emitted": [f"generated/{chapter}.pyx"],
        "tables": [f"generated/{chapter}_tables.h"] if handler.indexes else [],
        "kernels, a file for each level": [f"src/native/kernels/**/{shape}.h" for shape in dict.fromkeys(shapes)],
        "tests": [f"tests/standard/test_*_{name}.py" for name in dict.fromkeys((chapter, handler.template))]
        + ["tests/standard/test_handlers.py", "tests/kernels/test_kernels.py"],
    }
    files = {
        what: [path.relative_to(ROOT).as_posix() for pattern in globs for path in sorted(ROOT.glob(pattern))]
        for what, globs in patterns.items()
    }
    return {what: paths for what, paths in files.items() if paths}


def _tables(name: str, encoding: Encoding, pinned: Snapshot) -> list[tuple[str, str]]:
    """Return title and address of the explorer's tables of an index that concern an encoding."""
    first, *others = explorer.layouts(pinned.indexes[name], pinned)
    is_own = any(layout.encoding == encoding.name and layout.columns != first.columns for layout in others)
    listed = (
        (f"as {encoding.name} arranges it", f"table={name}&as={encoding.name}")
        if is_own
        else ("by byte", f"table={name}")
    )
    return [listed, ("coverage of the Basic Multilingual Plane", f"coverage={name}")]


def examples(cases: list[Case], is_decoding: bool) -> list[tuple[str, str, str]]:
    """Return the first cases, as cells of a table."""
    show = _text if is_decoding else _bytes
    return [(f"`{case.source}`", show(case.standard), show(case.codec)) for case in cases[:SHOWN]]


def _bytes(value: str | None) -> str:
    return "error" if value is None else f"`{value}`" if value else "nothing"


def _text(value: str | None) -> str:
    """Return the code points of a decoded text, with their characters if printable."""
    if not value:
        return "error" if value is None else "nothing"
    shown = "".join(c if c.isprintable() and not c.isspace() and not 0xE000 <= ord(c) <= 0xF8FF else "" for c in value)
    code_points = " ".join(f"U+{ord(c):04X}" for c in value)
    return f"{code_points} {shown}".strip() if shown not in ("|", "`", "\\", "*", "_") else code_points


def options_page() -> str:
    """Return the page of every command and option, as the parser of the command line describes them."""
    (commands,) = (action for action in cli.parser()._actions if isinstance(action, argparse._SubParsersAction))
    shown = {name: [group for group in map(_option_group, command._action_groups) if group[1]]
             for name, command in commands.choices.items()}  # fmt: skip
    return _render("options.md.j2", commands={name: (cli.COMMANDS[name][2], groups) for name, groups in shown.items()})


def _option_group(group: argparse._ArgumentGroup) -> tuple[str, list[tuple[str, str]]]:
    """Return the title of a group of options, and for each option its forms and its help."""
    rows = []
    for action in group._group_actions:
        if action.help not in (None, argparse.SUPPRESS):
            value = f" [{action.metavar}]" if action.nargs == "?" else f" {action.metavar}" if action.metavar else ""
            forms = [form + value for form in action.option_strings]
            help = html.escape((action.help or "") % {**vars(action), "prog": ""}, quote=False)
            rows.append((", ".join(forms) or str(action.metavar or action.dest), OPTION.sub(r"`\g<0>`", help)))
    return OPTION.sub(r"`\g<0>`", group.title or ""), rows


def compared_page() -> str:
    """Return the page of all measurements in which another package is faster or more often right."""
    doors = (RESULTS / "doors.md").read_text(encoding="utf-8")
    (machine,) = re.findall(r"^- machine: (.*)", doors, re.M)
    # The first table also has what is slower than it was before, in the third column, and what has no peer.
    _, *rows = report.cells(report.tables(doors)[0])
    behind = sorted((row for row in rows if float(row[3] or 1) < 1), key=lambda row: float(row[3]))
    detection, lost = report.tables((RESULTS / "detection.md").read_text(encoding="utf-8"))
    return _render(
        "compared.md.j2",
        machine=machine,
        slower=[(name, time, ratio, peer) for name, time, _, ratio, peer in behind],
        detection=detection,
        lost=lost,
        everyday=(RESULTS / "everyday.md").read_text(encoding="utf-8").partition("\n")[2],
    )


def _render(template: str, **context: Any) -> str:
    environment = new_environment()
    environment.loader = FileSystemLoader(DOCS / "_templates")
    environment.filters["number"] = lambda number: f"{number:,}"
    values: Mapping[str, Any] = context
    return environment.get_template(template).render(values)


# -- Parts of pages ----------------------------------------------------------------------------------------------------

API = re.compile(r"^<!-- api: (.*?) -->\n.*?^<!-- end -->$", re.M | re.S)
EXCERPT = re.compile(r"^(<!-- from: (\S+) (\S+) -->\n```\w+\n)(.*?)(^```$)", re.M | re.S)


def filled(text: str) -> str:
    """Return a page with the signatures, docstrings and code that its comments name."""
    hand_written = API.split(text)[::2]

    def described(part: re.Match[str]) -> str:
        above = "".join(hand_written[: text.count("<!-- api: ", 0, part.end())])
        level = len(re.findall(r"^#+(?= )", above, re.M)[-1]) + 1
        return f"<!-- api: {part[1]} -->\n\n{api.describe(part[1], level)}\n<!-- end -->"

    text = API.sub(described, text)
    return EXCERPT.sub(lambda part: part[1] + excerpt(ROOT / part[2], part[3]) + part[5], text)


def excerpt(path: Path, name: str) -> str:
    """Return the source of a function of a Python file, or with * the whole text of a file."""
    text = path.read_text(encoding="utf-8")
    if name == "*":
        return text
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min(node.lineno, *(decorator.lineno for decorator in node.decorator_list), node.lineno)
            return "".join(text.splitlines(keepends=True)[first - 1 : node.end_lineno])
    raise ValueError(f"{path.relative_to(ROOT)} has no function {name}")


def changed() -> Iterator[tuple[Path, str]]:
    """Yield each page that is not up to date, and its new text. A page of data that is no longer made has none."""
    made = {DOCS / name: text for name, text in pages()}
    for path in sorted({*DOCS.rglob("*.md"), *made}):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = made[path] if path in made else "" if path.parent == DOCS / "encodings" else filled(old)
        if new != old:
            yield path, new


def main(arguments: list[str] | None = None) -> int:
    """Write what has changed, or with --check print it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.pages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a page is not up to date")
    check = parser.parse_args(arguments).check
    pages_changed = 0
    for path, text in changed():
        pages_changed += 1
        print(f"{place(path, text)}: {'is not up to date' if check else 'brought up to date'}")
        if not check and text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not check:
            path.unlink()
    if check and pages_changed:
        print("Run python -m docs.pages", file=sys.stderr)
    return 1 if check and pages_changed else 0


def place(path: Path, text: str) -> str:
    """Return a page and the first line that differs from its new text."""
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    line = next((n for n, (a, b) in enumerate(zip(old, text.splitlines(), strict=False), 1) if a != b), 1)
    return f"{path.relative_to(ROOT).as_posix()}:{line}"


if __name__ == "__main__":
    sys.exit(main())
