"""Locate the standard's steps in the templates and in the generated files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator import handlers, names
from generator.model import ROOT
from generator.spec import alignment
from generator.spec.machine import pinned
from generator.steps import CITATION, Steps, expand

KERNELS = "src/native/kernels/dispatch.h"
"""The file of the functions that the kernels of handlers call."""

_FUNCTION = re.compile(r"cdef inline \w+ (\w+)(?: \"\w+\")?\(")
_MACRO = re.compile(r"{% macro (\w+)")
_USE = re.compile(r"{{ (\w+)(?:\.(\w+))? }}(?: \(kernel\))?: ")
_IMPORT = re.compile(r'{% import "([^"]+)"')


class Citation(NamedTuple):
    """A step that a line of a generated file cites."""

    function: str
    step: str
    line: int
    kernel: bool
    """Whether the handler's kernel takes the step's common case."""


@cache
def citations(path: Path) -> tuple[Citation, ...]:
    """Return the steps that the comments of a generated file cite, in line order."""
    found = []
    function = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := _FUNCTION.match(line):
            function = match[1]
        elif match := CITATION.match(line):
            found += [Citation(function, f"{match[1]} {path}", number, bool(match[3])) for path in expand(match[2])]
    return tuple(found)


def kernel_of(path: Path, handler: str) -> str:
    """Return the function that the kernel beside a handler of a generated file calls."""
    kernel = handler.replace("_item", "_kernel")
    match = re.search(rf"^cdef inline size_t {kernel} .*?^    return (\w+)\(", path.read_text("utf-8"), re.M | re.S)
    assert match is not None, kernel
    return match[1]


@cache
def _entry(name: str) -> handlers.Handler:
    return handlers.HANDLERS.get(name) or handlers.single_byte(name.lower())


@cache
def in_generated(name: str, step: str, direction: str) -> tuple[str, str] | None:
    """Return file and line of a step in the functions of an encoding, and its kernel; None if it is not cited.

    `step` is an anchor and a path, `direction` "decode" or "encode".
    """
    entry, symbol = _entry(name), names.symbol(name)
    shared = entry.decoder_symbol if direction == "decode" else entry.encoder_symbol
    handler = f"{shared or symbol}_{direction}_item"
    for path in sorted((ROOT / "generated").glob("*.pyx")):
        cited = citations(path)
        if not any(citation.function == handler for citation in cited):
            continue
        # The step is in the function itself or in a helper that it calls.
        found = [citation for citation in cited if citation.step == step]
        for citation in sorted(found, key=lambda citation: citation.function != handler):
            kernel = f"{kernel_of(path, handler)} ({KERNELS})" if citation.kernel else ""
            return f"{path.relative_to(ROOT).as_posix()}:{citation.line}", kernel
    return None


@cache
def in_template(name: str, step: str) -> str | None:
    """Return file and line of a step in the template of an encoding's handler, None if it is not cited."""
    handler = _entry(name)
    anchor, _, path = step.partition(" ")
    variables: list[tuple[str, str, Steps]] = [("steps", "decode", handler.decoder)]
    if handler.encoder is not None:
        variables.append(("steps", "encode", handler.encoder))
    variables += [(key, "preamble", steps) for key, steps in handler.operations.items()]
    for variable, macro, steps in variables:
        if steps.anchor == anchor:
            numbered = alignment.resolved(steps, pinned())
            return _find(f"_handlers/{handler.template}.pyx.j2", variable, numbered, path, macro)
    return None


def _find(template: str, variable: str, steps: Steps, path: str, macro: str) -> str | None:
    """Return file and line of the citation of a step in a macro of a template or of its imports."""
    for wanted in (macro, "preamble", "finished"):
        for file in _with_imports(template):
            current = ""
            for number, line in enumerate((ROOT / "templates" / file).read_text(encoding="utf-8").splitlines(), 1):
                if match := _MACRO.match(line):
                    current = match[1]
                if current != wanted or not (match := _USE.search(line)):
                    continue
                # The macro of the steps at end-of-queue has no name of a step.
                name = match[2] if match[1] == variable else "finished" if match[1] == "step" else ""
                if path in expand(steps.numbers.get(name or "", "")):
                    return f"templates/{file}:{number}"
    return None


def _with_imports(template: str) -> Iterator[str]:
    """Yield a handler's template, the handlers that it imports, and the template of their macros."""
    yield template
    text = (ROOT / "templates" / template).read_text(encoding="utf-8")
    yield from (file for file in _IMPORT.findall(text) if file.startswith("_handlers/"))
    yield "_macros/handler.j2"
