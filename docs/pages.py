"""Generate the data pages, the encodings, conformance and benchmarks, as Markdown from docs/_templates."""

from __future__ import annotations

import argparse
import html
import json
import platform
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader

import whatwg_encoding as we
from benchmarks import accuracy, report
from docs import comparison
from docs.comparison import Case
from docs.explorer import data as explorer
from generator import handlers, names, snapshot
from generator.model import STANDARD, Encoding, Snapshot
from generator.render import new_environment
from whatwg_encoding import _cli as cli

DOCS = Path(__file__).resolve().parent
RESULTS = DOCS.parent / "benchmarks" / "results"

SUMMARY = "Summary"

#: An option in a sentence.
OPTION = re.compile(r"(?<![\w-])--?\w[\w.=-]*\b")

SHOWN = 6
"""Examples of each kind of difference."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path below the documentation's root and the Markdown of each page."""
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
    yield "reference/context-list.md", _render("contexts.md.j2", contexts=we.contexts.CONTEXTS.values())
    codecs = json.loads((DOCS / "codecs.json").read_text(encoding="utf-8"))
    yield "conformance.md", _render("conformance.md.j2", **figures, page=names.symbol, codecs=codecs)
    yield "benchmarks.md", benchmark_page(RESULTS)
    yield "compared.md", compared_page()
    yield "reference/options.md", options_page()


def encoding_page(encoding: Encoding, pinned: Snapshot, quirks: list[str]) -> str:
    """Return the page of an encoding."""
    handler = handlers.handler(encoding.name, encoding.heading)
    assert handler is not None
    built = we.ENCODINGS[encoding.name]
    indexes = [name for name in handler.indexes if name in pinned.indexes and name not in explorer.NOT_SHOWN]
    found, missing = comparison.differences(built)
    return _render(
        "encoding.md.j2",
        encoding=encoding,
        built=built,
        constant=names.constant(encoding.name),
        anchor="single-byte" if handler.takes_an_index else encoding.name.lower(),
        standard=STANDARD,
        indexes={name: _tables(name, encoding, pinned) for name in indexes},
        sample=built.encode("café").hex() if built.has_encoder else "00630061fffe",
        quirks=quirks,
        codecs=found,
        missing=missing,
        kinds=comparison.kinds,
        examples=examples,
        python=platform.python_version(),
        shown=SHOWN,
    )


def _tables(name: str, encoding: Encoding, pinned: Snapshot) -> list[tuple[str, str]]:
    """Return title and address of the explorer's tables of an index that concern an encoding."""
    first, *others = explorer.layouts(pinned.indexes[name], pinned)
    is_own = any(layout.encoding == encoding.name and layout.columns != first.columns for layout in others)
    listed = (
        (f"as {encoding.name} arranges it", f"table={name}&amp;as={encoding.name}")
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
    if value is None:
        return "error"
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
            forms = [f"{form} {action.metavar}" if action.metavar else form for form in action.option_strings]
            help = html.escape((action.help or "") % {**vars(action), "prog": ""}, quote=False)
            rows.append((", ".join(forms) or str(action.metavar or action.dest), OPTION.sub(r"`\g<0>`", help)))
    return OPTION.sub(r"`\g<0>`", group.title or ""), rows


def compared_page() -> str:
    """Return the page of all measurements in which another package is faster, smaller or more often right."""
    (path,) = RESULTS.glob("linux-x86_64-*.json")
    suite = report.load(path)
    slower = [
        (f"{row.group}: {row.title}", row.show(row.ours), [(other.name, row.show(other)) for other in row.better])
        for row in report.rows(suite)
        if row.better
    ]
    detection = json.loads((RESULTS / "detection.json").read_text(encoding="utf-8"))
    return _render(
        "compared.md.j2",
        circumstances=_collapsed("Machine and versions", report.circumstances(suite)),
        slower=slower,
        detection=accuracy.table(detection),
        lost=accuracy.losses(detection),
        everyday=(RESULTS / "everyday.md").read_text(encoding="utf-8").partition("\n")[2],
    )


def benchmark_page(results: Path) -> str:
    """Return the page with all tables of results: summaries first, and the rows collapsed behind them."""
    texts = [_demoted(path.read_text(encoding="utf-8")) for path in sorted(results.glob("*.md"))]
    texts.sort(key=lambda text: f"\n### {SUMMARY}\n" not in text)
    return _render("benchmarks.md.j2", tables=map(_collapsed_rows, texts))


def _collapsed_rows(markdown: str) -> str:
    """Collapse everything but the summary and the paragraphs before it.

    The headings become those of the collapsed elements: a heading within one would begin a section of the page, and
    end the element before it.
    """
    text, *sections = re.split(r"^#{3,} (.*)$", markdown, flags=re.MULTILINE)
    for start, title in (("- ", "Machine and versions"), ("|", "All rows")):
        block = re.compile(rf"(?:^{re.escape(start)}.*(?:\n|\Z))+", re.MULTILINE)
        text = block.sub(lambda found, title=title: _collapsed(title, found[0]), text)
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        text += f"### {title}{body}" if title == SUMMARY else _collapsed(title, body)
    return text


def _collapsed(title: str, body: str) -> str:
    # HTML blocks end at an empty line, so the text between them is Markdown.
    return f"<details>\n<summary>{html.escape(title)}</summary>\n\n{body.strip()}\n\n</details>\n\n"


def _demoted(markdown: str) -> str:
    """Return Markdown with its headings one level lower, as a section of a page. Code blocks are unchanged."""
    lines = []
    in_code = False
    for line in markdown.splitlines():
        in_code ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not in_code else line)
    return "\n".join(lines)


def _render(template: str, **context: Any) -> str:
    environment = new_environment()
    environment.loader = FileSystemLoader(DOCS / "_templates")
    environment.filters["number"] = lambda number: f"{number:,}"
    values: Mapping[str, Any] = context
    return environment.get_template(template).render(values)
