"""Sphinx's configuration. `python -m docs` runs it on a copy of the sources with the generated pages."""

from __future__ import annotations

import os

from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> None:
    """Register the event handlers."""
    app.connect("autodoc-skip-member", is_bare_field)
