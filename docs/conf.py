"""Sphinx's configuration. It builds the repository's Markdown as it is; `python -m docs` runs it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

import whatwg_encoding

project = "whatwg-encoding"
author = "the whatwg-encoding contributors"
version = release = whatwg_encoding.__version__
language = "en"
smartquotes = False  # tables of options have `--` and quotes that are to be typed

ROOT = Path(__file__).resolve().parent.parent

extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "README"
suppress_warnings = ["toc.not_included"]  # of the pages that others link to
include_patterns = [
    "*.md", "docs/**.md", "benchmarks/**.md", "examples/*.md", "src/npm/README.md", "templates/README.md",
    "data/README.md", "tests/README.md",
]  # fmt: skip
exclude_patterns = [".*", "build", "dist", "**/node_modules"]

html_theme = "furo"
html_title = f"whatwg-encoding {release}"
html_extra_path = [os.environ["WHATWG_ENCODING_DOCS_EXTRA"]]
html_static_path = ["_static"]
html_css_files = ["narrow.css"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
templates_path: list[str] = []

#: A link to the explorer's page with a question, or to its heading, which open the explorer itself.
EXPLORER = re.compile(r"\[([^\]]*)\]\(((?:[\w./]*explorer\.md)?)#(explorer|[a-z]+=[^)\s]*)\)")
#: A link to a page.
PAGE = re.compile(r"\]\(([\w./-]+)\.md\)")


def adapt(app: Sphinx, page: str, source: list[str]) -> None:
    """Open the explorer where links lead to its page, and make the lists of pages the navigation."""
    up = "../" * page.count("/")
    text = source[0]

    def address(link: re.Match[str]) -> str:
        if not link[2] and page != "docs/explorer":
            return link[0]
        question = "" if link[3] == "explorer" else f"#{link[3]}".replace("&", "&amp;")
        return f'<a href="{up}explorer/index.html{question}">{link[1]}</a>'

    text = EXPLORER.sub(address, text)
    if page == "README":
        text += navigation((ROOT / "docs" / "index.md").read_text(encoding="utf-8"), "docs/")
    elif page.endswith("/index") and page != "docs/index":
        text += navigation(text, "")
    source[0] = text


def navigation(text: str, folder: str) -> str:
    """Return a hidden table of contents for each heading of a page with a list of pages."""
    contents = ""
    for heading, section in re.findall(r"^#+ (.*)\n((?:(?!#).*\n?)*)", text, re.M):
        items = "".join(re.findall(r"^- .*\n(?:  .*\n)*", section, re.M))
        pages = [os.path.normpath(folder + name) for name in PAGE.findall(items)]
        if pages:
            caption = f":caption: {heading}\n" if folder else ""
            contents += "\n\n```{toctree}\n:hidden:\n" + caption + "\n" + "\n".join(pages) + "\n```\n"
    return contents


#: Where a line of code may break, in the HTML of inline code and of a block: after punctuation, and at an escape.
IN_CODE = re.compile(r"([._(/=,:?\[]|(?<=\w)-|&gt;|\)(?=\[))(?=[\w\[])")
IN_BLOCK = re.compile(
    r'<span class="[op]">[^<]*?(?:[(,\[{.=|/:]|-&gt;)</span>|<span class="se">[^<]*</span>|(?=<span class="se">)'
)
#: A token without a space, in which it may not.
TOKEN = re.compile(r'<span class="(\w+)">(?=[^<\s]+</span>)')


def allow_breaks(app: Sphinx, page: str, template: str, context: dict[str, object], doctree: object) -> None:
    """Allow lines to break after the punctuation of code, so that narrow pages need not break a word."""

    def of_block(code: re.Match[str]) -> str:
        return TOKEN.sub(r'<span class="\1 token">', IN_BLOCK.sub(r"\g<0><wbr/>", code[0]))

    for part in ("body", "toc"):
        if isinstance(text := context.get(part), str):
            text = re.sub(r'(?<=<span class="pre">)[^<]+', lambda code: IN_CODE.sub(r"\1<wbr/>", code[0]), text)
            context[part] = re.sub(r"(?s)<pre>.*?</pre>", of_block, text)


def setup(app: Sphinx) -> None:
    """Register the event handlers."""
    app.connect("source-read", adapt)
    app.connect("html-page-context", allow_breaks)
