"""Convert the standard's names to module, C and Python names, by one rule.

Names, labels and headings become parts of generated source text. Only characters that the standard uses in them are
accepted, so that hostile data cannot inject a quote, line break or operator.
"""

from __future__ import annotations

import keyword
import re
from functools import partial

from generator.model import GeneratorError, shortened

_ALLOWED = {
    "name": (re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}"), "A-Z, a-z, 0-9, '-' and '_', a letter first"),
    "label": (re.compile(r"[a-z0-9][a-z0-9._:-]{0,63}"), "a-z, 0-9, '-', '_', ':' and '.', a letter or digit first"),
    "heading": (re.compile(r"[A-Za-z][A-Za-z() -]{0,63}"), "A-Z, a-z, '(', ')', '-' and space, a letter first"),
}
"""The characters of each kind of text. https://encoding.spec.whatwg.org/#names-and-labels"""


class UnsafeNameError(GeneratorError, ValueError):
    """A name, label or heading contains a character that the standard uses in none."""


def _checked(kind: str, text: str) -> str:
    """Return a text of a kind if it is safe in generated source; raise an UnsafeNameError otherwise."""
    pattern, allowed = _ALLOWED[kind]
    if not isinstance(text, str):
        raise UnsafeNameError(f"the {kind} {text!r} is not a string")
    if not pattern.fullmatch(text):
        raise UnsafeNameError(f"the {kind} {shortened(text)} does not consist of 1 to 64 of {allowed}")
    if kind == "name" and keyword.iskeyword(text.lower()):
        raise UnsafeNameError(f"the name {text!r} is a Python keyword")
    return text


checked_name, checked_label, checked_heading = (partial(_checked, kind) for kind in _ALLOWED)


def symbol(name: str) -> str:
    """Return the identifier for a name, `iso_8859_8_i` for ISO-8859-8-I; raise an UnsafeNameError if it is not safe."""
    return checked_name(name).lower().replace("-", "_")


def constant(name: str) -> str:
    """Return the identifier for a constant, `ISO_8859_8_I` for ISO-8859-8-I; raise an UnsafeNameError as `symbol`."""
    return symbol(name).upper()
