"""Errors of reading the standard: each names the algorithm and the step, shows the text, and says where to add it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model import STANDARD, GeneratorError


class SpecError(GeneratorError):
    """The standard's source, or the pin of its algorithms, is not understood. Each line is one fault."""


@dataclass(frozen=True)
class Misfit(Exception):
    """A part of the source that is not covered: what is wrong, its text, and the module that would have to cover it."""

    reason: str
    text: str
    module: str = "compiler.py"

    def at(self, anchor: str, step: str) -> str:
        """Return the fault as a line of a message."""
        place = f"#{anchor}, step {step}" if step else f"#{anchor}"
        shown = visible(self.text if len(self.text) <= 300 else self.text[:300] + " …")
        return f"{place}: {self.reason}: «{shown}»; it belongs in generator/spec/{self.module} ({STANDARD}#{anchor})"


def visible(text: str) -> str:
    """Return untrusted text without effects on a terminal: control and format characters are escaped.

    >>> visible("plain text, 日本, \\x1b[2J and \\u202e")
    'plain text, 日本, \\\\x1b[2J and \\\\u202e'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
