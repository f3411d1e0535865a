"""The Jinja2 environment: templates place text, everything they are given is computed before.

Whatever comes from the data and lands in source text goes through a filter that knows what may stand there, so that no
name, label or number of a hostile snapshot can end a string or a comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.handlers import STANDARD

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def string_literal(text: str) -> str:
    """A Python string literal, ASCII only."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no string")
    return '"' + ascii(text)[1:-1].replace('"', '\\"') + '"'


def c_comment(text: str) -> str:
    """The text as it may stand inside a C comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def hexadecimal(number: int, digits: int) -> str:
    """``0x`` and at least so many digits."""
    return f"0x{int(number):0{digits}X}"


def url(anchor: str) -> str:
    """The address of a section of the standard."""
    return f"{STANDARD}#{anchor}"


def _environment(*, autoescape: bool) -> Environment:
    """An environment in which undefined names are errors and blocks leave no lines behind."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def environment() -> Environment:
    """The one environment of what is emitted, which is no HTML."""
    env = _environment(autoescape=False)
    env.filters |= {"string_literal": string_literal, "c_comment": c_comment, "hex": hexadecimal, "url": url}
    return env


def html_environment() -> Environment:
    """A new environment of pages, in which every value is escaped: data is hostile until a person has read them."""
    return _environment(autoescape=True)


def render(template: str, context: Mapping[str, object]) -> str:
    """The template's text with trailing white space and surplus blank lines taken away."""
    text = environment().get_template(template).render(context)
    lines: list[str] = []
    for line in (line.rstrip() for line in text.splitlines()):
        if line or lines[-2:] != ["", ""]:
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"
