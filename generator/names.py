"""Convert the standard's names to module, C and Python names, by one rule.

Names, labels and headings become parts of generated source text. Only characters that the standard uses in them are
accepted, so that hostile data cannot inject a quote, line break or operator.
"""

from __future__ import annotations

import keyword
import re

from generator.model import GeneratorError, shortened

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)
_LABEL = re.compile(r"[a-z0-9][a-z0-9._:-]{0,63}", re.ASCII)
_HEADING = re.compile(r"[A-Za-z][A-Za-z() -]{0,63}", re.ASCII)


class UnsafeNameError(GeneratorError, ValueError):
    """A name, label or heading contains a character that the standard uses in none."""


def _require(kind: str, pattern: re.Pattern[str], allowed: str, text: str) -> str:
    if not isinstance(text, str):
        raise UnsafeNameError(f"{kind} {text!r} is not a string")
    if not pattern.fullmatch(text):
        raise UnsafeNameError(f"{kind} {shortened(text)} does not consist of 1 to 64 of {allowed}")
    return text


def checked_name(name: str) -> str:
    """Return the name if it is safe in generated source; raise an UnsafeNameError otherwise.

    https://encoding.spec.whatwg.org/#name
    """
    _require("the name", _NAME, "A-Z, a-z, 0-9, '-' and '_', a letter first", name)
    if keyword.iskeyword(name.lower()):
        raise UnsafeNameError(f"the name {name!r} is a Python keyword")
    return name


def checked_label(label: str) -> str:
    """Return the label if it is safe in generated source; raise an UnsafeNameError otherwise.

    https://encoding.spec.whatwg.org/#label
    """
    return _require("the label", _LABEL, "a-z, 0-9, '-', '_', ':' and '.', a letter or digit first", label)


def checked_heading(heading: str) -> str:
    """Return the heading if it is safe in generated source; raise an UnsafeNameError otherwise.

    https://encoding.spec.whatwg.org/#names-and-labels
    """
    return _require("the heading", _HEADING, "A-Z, a-z, '(', ')', '-' and space, a letter first", heading)


def symbol(name: str) -> str:
    """Return the lowercase identifier for a name of the standard: `ISO-8859-8-I` gives `iso_8859_8_i`.

    Raise an UnsafeNameError if the name contains a character that the standard uses in none.
    """
    return checked_name(name).lower().replace("-", "_")


def constant(name: str) -> str:
    """Return the uppercase identifier for a name of the standard: `ISO-8859-8-I` gives `ISO_8859_8_I`.

    Raise an UnsafeNameError if the name contains a character that the standard uses in none.
    """
    return symbol(name).upper()
