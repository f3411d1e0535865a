"""The ``sniff`` command of the command line, and the encoding ``auto`` of others."""

from __future__ import annotations

import argparse
import difflib
import inspect
import json
import sys
from collections.abc import Callable
from io import FileIO
from typing import Any, Final

from . import sniff
from ._core import Encoding, UnknownLabelError, quote
from ._labels import lookup
from ._prescan import Determination, Sniffed, Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._prescan import Detector

STANDARD_INPUT: Final = "-"

_KINDS: Final[dict[str, Callable[..., Steps]]] = {
    "html": sniff.html_steps,
    "xml": sniff.xml_steps,
    "css": sniff.css_steps,
    "script": sniff.script_steps,
    "text": sniff.text_document_steps,
}

# Option of a hint → what it says. The kinds that take it are those whose steps have a hint of this name.
_ENCODING_HINTS: Final = {
    "override": "what the user chose",
    "known": "known definite encoding",
    "parent": "encoding of the document that embeds this one",
    "history": "encoding at an earlier visit",
    "environment": "encoding of what refers to the style sheet",
    "charset": "charset of the script element",
    "document": "encoding of the document that has the script",
    "default": "what to fall back to, instead of the locale's",
}

# Enough for a byte order mark; the rest of the window of HTML and CSS; then what only long XML and detectors ask for.
_READ_SIZES: Final = (3, 1021)
_READ_ON: Final = 1 << 16
_EXCERPT: Final = 80


def add_parser(commands: Any) -> None:
    """Add the command to the subparsers of the program."""
    help = "Print the encoding of files, how sure it is, and what decided: bytes, or what came with them."
    parser = commands.add_parser("sniff", help=help, description=help)
    parser.set_defaults(run=run, parser=parser)
    add = parser.add_argument
    help = f"what the files are: {', '.join(_KINDS)}, or a context of whatwg_encoding.CONTEXTS (html)"
    add("--as", dest="kind", type=_kind, default="html", metavar="KIND", help=help)
    add("--content-type", action="append", metavar="VALUE", help="value of the header; for each of several again")
    for name, help in _ENCODING_HINTS.items():
        add(f"--{name}", type=_label, metavar="LABEL", help=help)
    add("--locale", metavar="TAG", help="language of the user, such as ja or zh-TW")
    add("--detect", action="store_true", help="ask a detector where nothing is declared (needs the extra 'detect')")
    add("--json", action="store_true", help="one JSON object for each file, one to a line")
    add("files", nargs="*", default=[STANDARD_INPUT], metavar="FILE", help="'-' or none: standard input")


def _label(label: str) -> Encoding:
    try:
        return lookup(label)
    except UnknownLabelError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _kind(name: str) -> str:
    """Check the name of a kind or of a context."""
    if name in _KINDS:
        return name
    from .contexts import CONTEXTS

    if name in CONTEXTS:
        return name
    near = difflib.get_close_matches(name[:64], [*_KINDS, *CONTEXTS], 1)
    suggestion = f"; did you mean {near[0]!r}?" if near else ""
    raise argparse.ArgumentTypeError(f"{quote(name)} is none of {', '.join(_KINDS)} and no context{suggestion}")


def _steps_of(kind: str) -> Callable[..., Steps] | None:
    """Return what makes the steps of a kind or context; None for a context that takes its encoding from its caller."""
    if kind in _KINDS:
        return _KINDS[kind]
    from .contexts import _DETERMINATIONS, CONTEXTS

    steps = _DETERMINATIONS.get(CONTEXTS[kind].determination)
    parameters = inspect.signature(steps).parameters.values() if steps else ()
    is_complete = all(parameter.default is not parameter.empty for parameter in parameters)
    return steps if is_complete else None


def _detector(parser: argparse.ArgumentParser) -> Detector:
    """Return what ``--detect`` asks: UTF-8 if the input is valid as such, else Firefox's detector."""
    try:
        sniff.chardetng(b"")
        return sniff.crawl_detector()
    except ImportError:
        parser.error("--detect needs chardetng-py: pip install 'whatwg-encoding[detect]'")


def resolve(head: bytes, options: argparse.Namespace) -> Encoding:
    """Return the encoding of an input that starts with ``head``, as of an HTML document: what ``--from auto`` means."""
    detector = _detector(options.parser) if options.detect else None
    hints = {"content_type": options.content_type, "locale": options.locale, "detector": detector}
    return sniff.html(head, **hints).encoding


def _steps(options: argparse.Namespace) -> Steps:
    hints: dict[str, Any] = {
        name: value
        for name in ("content_type", "locale", *_ENCODING_HINTS)
        if (value := getattr(options, name)) is not None
    }
    if options.detect:
        hints["detector"] = _detector(options.parser)
    steps = _steps_of(options.kind)
    if steps is None:
        options.parser.error(f"--as {options.kind}: nothing is sniffed there; the encoding is given or fixed")
        raise AssertionError  # that ends the program
    for name in hints:
        if name not in (steps.__kwdefaults__ or {}):
            option = {"detector": "detect"}.get(name, name.replace("_", "-"))
            options.parser.error(f"--as {options.kind} has no use for --{option}")
    return steps(**hints)


def run(options: argparse.Namespace) -> int:
    """Print the answer for each file, and return the exit status."""
    steps = _steps(options)
    for path in options.files:
        determination = Determination(steps)
        # Unbuffered, so that a pipe is read as far as it has come and a file no further than needed.
        with FileIO(sys.stdin.fileno() if path == STANDARD_INPUT else path, "rb", path != STANDARD_INPUT) as file:
            sniffed, data = _look(determination, file)
        show = _as_json if options.json else _as_text
        print(show(path, sniffed, determination, data))
    return 0


def _look(determination: Determination, file: FileIO) -> tuple[Sniffed, bytes]:
    """Return the answer, and the bytes that were read for it."""
    data = bytearray()
    sizes = iter(_READ_SIZES)
    while True:
        chunk = file.read(next(sizes, _READ_ON))
        data += chunk
        sniffed = determination.look(data, not chunk)
        if sniffed is not None:
            return sniffed, bytes(data)


def _as_json(path: str, sniffed: Sniffed, determination: Determination, data: bytes) -> str:
    start, end = determination.span or (None, None)
    return json.dumps(
        {
            "file": path,
            "encoding": sniffed.encoding.name,
            "confidence": sniffed.confidence,
            "source": sniffed.source,
            "start": start,
            "end": end,
            "excerpt": None if start is None else data[start:end].decode("latin-1"),
            "bytes_read": len(data),
        }
    )


def _as_text(path: str, sniffed: Sniffed, determination: Determination, data: bytes) -> str:
    shown = "standard input" if path == STANDARD_INPUT else path
    line = f"{shown}: {sniffed.encoding.name} ({sniffed.confidence}, {sniffed.source})"
    if determination.span is None:
        return line
    start, end = determination.span
    excerpt = data[start:end]
    more = "…" if len(excerpt) > _EXCERPT else ""
    return f"{line}, bytes {start} to {end}: {ascii(excerpt[:_EXCERPT].decode('latin-1'))[1:-1]}{more}"
