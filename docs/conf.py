"""Sphinx's configuration. `python -m docs` runs it on a copy of the sources with the generated pages."""

from __future__ import annotations

import os
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

import whatwg_encoding

project = "whatwg-encoding"
author = "the whatwg-encoding contributors"
version = release = whatwg_encoding.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nitpicky = False

autodoc_typehints = "signature"
autodoc_member_order = "groupwise"
autodoc_docstring_signature = True

html_theme = "furo"
html_title = f"whatwg-encoding {release}"
html_extra_path = [os.environ["WHATWG_ENCODING_DOCS_EXTRA"]]
html_static_path = ["_static"]
html_css_files = ["narrow.css"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
templates_path: list[str] = []


def is_bare_field(app: Sphinx, what: str, name: str, value: object, skip: bool, options: object) -> bool | None:
    """Return whether to leave out a member: a named tuple's field, which its class's docstring describes."""
    return True if (getattr(value, "__doc__", None) or "").startswith("Alias for field number ") else None


#: Code that begins with a function of the package, as `we` or by a name that is no common word.
CALL = re.compile(r"(?:we\.(?P<method>lookup\([^)]*\)\.\w+)|(?P<name>we\.[\w.]+|[a-zA-Z]\w*[._][\w.]+))")


def link_to_reference(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link inline code that names a function or class to its place in the reference."""
    known = app.env.domains.python_domain.objects
    for code in list(doctree.findall(nodes.literal)):
        found = CALL.match(code.astext())
        if found is None or isinstance(code.parent, nodes.reference | nodes.title):
            continue
        name = re.sub(r".*\)\.", "we.Encoding.", found["method"]) if found["method"] else found["name"]
        short = name.removeprefix("we.")
        target = known.get(f"whatwg_encoding.{short}") or known.get(f"whatwg_encoding.contexts.{short}")
        if target is not None and target.docname != page:
            link = make_refnode(app.builder, page, target.docname, target.node_id, code.deepcopy(), name)
            code.replace_self(link)


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
    app.connect("autodoc-skip-member", is_bare_field)
    app.connect("doctree-resolved", link_to_reference)
    app.connect("html-page-context", allow_breaks)
