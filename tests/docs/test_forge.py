"""Every Markdown file of the repository, rendered as a forge does: what a forge does not display is a fault.

Each names page and line. That links and pictures lead somewhere is checked where the documentation is built.
"""

from __future__ import annotations

import html.parser
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs import pages
from tests.programs import ROOT

#: Folders that a clone does not have.
MADE = {"_out", "dist", "node_modules"}
FORGE = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: The elements that a forge displays, and that pages use.
ELEMENTS = {"a", "br", "details", "img", "kbd", "picture", "source", "sub", "summary", "sup"}
#: The word with which an address of the explorer begins.
EXPLORER = re.compile(r"\bexplorer\.md#(\w+)=")


def markdown() -> list[Path]:
    files = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in MADE and not name.startswith("."))
        files += [Path(folder, name) for name in sorted(names) if name.endswith(".md")]
    return files


def inline(tokens: list[Token]) -> Iterator[tuple[int, Token]]:
    """Yield the tokens with their lines, in blocks and within them."""
    for token in tokens:
        line = token.map[0] + 1 if token.map else 0
        if token.type != "inline":
            yield line, token
        for child in token.children or ():
            yield line, child
            line += child.type in ("softbreak", "hardbreak") or child.content.count("\n")


class Elements(html.parser.HTMLParser):
    """The elements of raw HTML, each with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))


@cache
def explorer_keys() -> set[str]:
    """Return the words with which addresses of the explorer begin, as its page lists them."""
    return set(re.findall(r"^\| `#(\w+)=", (ROOT / "docs" / "explorer.md").read_text(encoding="utf-8"), re.M))


def unnamed_columns(tokens: list[Token]) -> Iterator[int]:
    """Yield the line of each column without a heading; the first one, of names, needs none."""
    line = 0
    for before, opening, heading in zip(tokens, tokens[1:], tokens[2:], strict=False):
        line = before.map[0] + 1 if before.type == "tr_open" and before.map else line
        if before.type == "th_close" and opening.type == "th_open" and not heading.content.strip():
            yield line


def faults(page: Path) -> Iterator[str]:
    """Yield each fault of a page with its line."""
    tokens = FORGE.parse(page.read_text(encoding="utf-8"))
    yield from (f"{page.name}:{line}: a column has no heading" for line in unnamed_columns(tokens))
    for line, token in inline(tokens):
        reasons = []
        if token.type == "link_open":
            key = EXPLORER.search(str(token.attrs["href"]))
            reasons.append(f"#{key[1]}= is no address of the explorer" if key and key[1] not in explorer_keys() else "")
        elif token.type == "image":
            reasons.append("" if token.content.strip() else "the picture has no text")
        elif token.type in ("html_block", "html_inline"):
            for element, attributes in Elements(token.content).elements:
                reasons.append("" if element in ELEMENTS else f"<{element}> is shown as nothing")
                if element == "img" and not attributes.get("alt"):
                    reasons.append("the picture has no text")
        elif token.type == "fence":
            reasons.append("a directive is shown as code" if token.info.startswith("{") else "")
            reasons.append("" if token.content.strip() else "the block of code is empty")
        elif token.type == "text":
            reasons.append("a link is shown as text" if "](" in token.content or ":::" in token.content else "")
        yield from (f"{page.name}:{line}: {reason}" for reason in reasons if reason)


def test_every_page_is_whole() -> None:
    files = markdown()
    assert len(files) > 100
    assert {str(file.relative_to(ROOT)): broken for file in files if (broken := list(faults(file)))} == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("![](other.md)", "the picture has no text"),
        ('<img src="other.md">', "the picture has no text"),
        ("an <Encoding> of one's own", "<encoding> is shown as nothing"),
        ("```{toctree}\nother\n```", "a directive is shown as code"),
        ("```c\n```", "the block of code is empty"),
        ("[a](docs/explorer.md#lable=x)", "#lable= is no address of the explorer"),
        ("[a] (b) and [c](d e)", "a link is shown as text"),
        ("| a | |\n|---|---|\n| c | d |", "a column has no heading"),
    ],
)  # fmt: skip
def test_a_fault_is_found_in_its_line(text: str, reason: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    before = "\n\n" if text[0] in "`|" else "\nA line,\nand "
    page.write_text(f"# Here\n{before}{text}\n", encoding="utf-8")
    assert list(faults(page)) == [f"page.md:4: {reason}"]


def test_what_is_displayed_is_no_fault(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](b.md) [c](explorer.md#label=x)\n`[x] (y)`\n```\n[x] (y)\n```\n", encoding="utf-8")
    assert list(faults(page)) == []


def test_the_addresses_of_the_explorer_are_known() -> None:
    assert {"label", "detect", "repair", "character", "table"} <= explorer_keys()


def test_pages_are_up_to_date() -> None:
    """Those of encodings quote CPython's codecs, which differ by version."""
    stale = [
        pages.place(path, text)
        for path, text in pages.changed()
        if path.read_text(encoding="utf-8").partition("## CPython")[0] != text.partition("## CPython")[0]
        or f"CPython {pages.PYTHON} " in path.read_text(encoding="utf-8")
    ]
    assert stale == [], "run python -m docs.pages"
