"""The Jinja2 environments. Templates only place text; all values are computed beforehand.

Data that is rendered into source text passes a filter that escapes or refuses unsafe characters, so that no name, label
or number of a hostile snapshot can terminate a string or a comment.
"""

from __future__ import annotations

import textwrap
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from generator.model import ROOT, STANDARD, GeneratorError
from generator.tables import Pointers
from generator.tables.pointers import Ranges

TEMPLATES = ROOT / "templates"


def string_literal(text: str) -> str:
    """Return a Python string literal in ASCII."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a string")
    return '"' + ascii(text)[1:-1].replace('"', '\\"') + '"'


def c_comment(text: str) -> str:
    """Return the text with everything escaped that is unsafe in a C comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def hexadecimal(number: int, digits: int) -> str:
    """Return ``0x`` and at least `digits` hexadecimal digits."""
    return f"0x{int(number):0{digits}X}"


def url(anchor: str) -> str:
    """Return the address of a section of the standard; that of another document is given as a whole."""
    return anchor if anchor.startswith("https://") else f"{STANDARD}#{anchor}"


def ends(ranges: Ranges) -> str:
    """Return the first and the last byte of each range: ``(0x81, 0x9F), (0xE0, 0xFC)``."""
    return ", ".join(f"({hexadecimal(bytes_[0], 2)}, {hexadecimal(bytes_[-1], 2)})" for bytes_ in ranges)


def leading_test(pointers: Pointers, name: str) -> str:
    """Return the condition that the byte called `name` is a leading byte: ``0x81 <= byte <= 0xFE``."""
    tests = [f"{hexadecimal(bytes_[0], 2)} <= {name} <= {hexadecimal(bytes_[-1], 2)}" for bytes_ in pointers.leading]
    return " or ".join(tests)


def fill(text: str, prefix: str, first: int = 15) -> str:
    """Wrap a text at 120 characters: the first line follows `first` characters, the others `prefix`."""
    lines = textwrap.wrap(text, 120, initial_indent=" " * first, subsequent_indent=prefix, break_on_hyphens=False)
    return "\n".join(lines)[first:]


def new_environment() -> Environment:
    """Return a new environment in which undefined names are errors and block tags leave no blank lines."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def environment() -> Environment:
    """Return the environment for emitted source files."""
    env = new_environment()
    env.filters |= {"string_literal": string_literal, "c_comment": c_comment, "hex": hexadecimal, "url": url}
    env.filters |= {"leading_test": leading_test, "fill": fill, "ends": ends}
    return env


def render(template: str, context: Mapping[str, object]) -> str:
    """Return the template's text without trailing white space and surplus blank lines.

    Raise a GeneratorError with the line where it is wrong.
    """
    try:
        text = environment().get_template(template).render(context)
    except TemplateError as error:
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
        place = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else template
        raise GeneratorError(f"{place}: {error}") from error
    lines: list[str] = []
    for line in (line.rstrip() for line in text.splitlines()):
        if line or lines[-2:] != ["", ""]:
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"
