"""The ``sniff`` command of the command line, and the encoding ``auto`` of its other commands."""

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
from ._cli_output import STANDARD, shown
from ._core import Encoding, UnknownLabelError, quote
from ._labels import lookup
from ._prescan import Determination, Sniffed, Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._prescan import Detector

_KINDS: Final[dict[str, Callable[..., Steps]]] = {
    "html": sniff.html_steps,
    "xml": sniff.xml_steps,
    "css": sniff.css_steps,
    "script": sniff.script_steps,
    "text": sniff.text_document_steps,
}

# Option of a hint → its help. A kind accepts it if its steps have a hint of this name.
_ENCODING_HINTS: Final = {
    "override": "encoding that the user chose",
    "known": "known definite encoding",
    "parent": "encoding of the document that embeds this one",
    "history": "encoding at an earlier visit",
    "environment": "encoding of the document or style sheet that refers to this one",
    "charset": "charset of the script element",
    "document": "encoding of the document that has the script",
    "default": "encoding to fall back to, instead of the locale's",
}

# Reads in order: a byte order mark; the rest of the window of HTML and CSS; then more, for long XML and detectors.
_READ_SIZES: Final = (3, 1021)
_READ_ON: Final = 1 << 16
_EXCERPT: Final = 80


def add_parser(commands: Any) -> None:
    """Add the command to the subparsers of the program."""
    help = "Print the encoding of files, its confidence, and what decided: bytes, or a hint."
    parser = commands.add_parser("sniff", help=help, description=help)
    parser.set_defaults(run=run, parser=parser)
    add = parser.add_argument
    help = f"kind of the files: {', '.join(_KINDS)}, or a context of whatwg_encoding.CONTEXTS (html)"
    add("--as", dest="kind", type=_kind, default="html", metavar="KIND", help=help)
    add("--content-type", action="append", metavar="VALUE", help="value of the header; may be repeated")
    for name, help in _ENCODING_HINTS.items():
        add(f"--{name}", type=_label, metavar="LABEL", help=help)
    add("--locale", metavar="TAG", help="language of the user, such as ja or zh-TW")
    add("--detect", action="store_true", help="use a detector if nothing is declared (needs the extra 'detect')")
    add("--json", action="store_true", help="one JSON object for each file, one to a line")
    add("files", nargs="*", default=[STANDARD], metavar="FILE", help="'-' or none: standard input")


def _label(label: str) -> Encoding:
    try:
        return lookup(label)
    except UnknownLabelError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _kind(name: str) -> str:
    """Return the name of a kind or a context; raise ArgumentTypeError for any other, with a suggestion."""
    if name in _KINDS:
        return name
    from .contexts import CONTEXTS

    if name in CONTEXTS:
        return name
    near = difflib.get_close_matches(name[:64], [*_KINDS, *CONTEXTS], 1)
    suggestion = f"; did you mean {near[0]!r}?" if near else ""
    raise argparse.ArgumentTypeError(f"{quote(name)} is neither one of {', '.join(_KINDS)} nor a context{suggestion}")


def _steps_of(kind: str) -> Callable[..., Steps] | None:
    """Return the factory of the steps of a kind or context; None for a context whose caller chooses the encoding."""
    if kind in _KINDS:
        return _KINDS[kind]
    from .contexts import _DETERMINATIONS, CONTEXTS

    steps = _DETERMINATIONS.get(CONTEXTS[kind].determination)
    parameters = inspect.signature(steps).parameters.values() if steps else ()
    is_complete = all(parameter.default is not parameter.empty for parameter in parameters)
    return steps if is_complete else None


def _detector(parser: argparse.ArgumentParser) -> Detector:
    """Return the detector of ``--detect``: UTF-8 if the input is valid, else Firefox's detector."""
    try:
        return sniff.crawl_detector()
    except ImportError:
        parser.error("--detect needs chardetng-py: pip install 'whatwg-encoding[detect]'")


def resolve(head: bytes, options: argparse.Namespace) -> Encoding:
    """Return the encoding for ``--from auto``: that of an HTML document that starts with ``head``."""
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
        raise AssertionError("unreachable: error() exits")
    for name in hints:
        if name not in (steps.__kwdefaults__ or {}):
            option = {"detector": "detect"}.get(name, name.replace("_", "-"))
            options.parser.error(f"--as {options.kind} does not accept --{option}")
    return steps(**hints)


def run(options: argparse.Namespace) -> int:
    """Print the result for each file, and return the exit status."""
    steps = _steps(options)
    for path in options.files:
        determination = Determination(steps)
        # Unbuffered, so that a read from a pipe returns what is available, and a file is read no further than needed.
        with FileIO(sys.stdin.fileno() if path == STANDARD else path, "rb", path != STANDARD) as file:
            sniffed, data = _look(determination, file)
        show = _as_json if options.json else _as_text
        print(show(path, sniffed, determination, data))
    return 0


def _look(determination: Determination, file: FileIO) -> tuple[Sniffed, bytes]:
    """Return the result, and the bytes read for it."""
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
    line = f"{shown(path)}: {sniffed.encoding.name} ({sniffed.confidence}, {sniffed.source})"
    if determination.span is None:
        return line
    start, end = determination.span
    excerpt = data[start:end]
    more = "…" if len(excerpt) > _EXCERPT else ""
    return f"{line}, bytes {start} to {end}: {ascii(excerpt[:_EXCERPT].decode('latin-1'))[1:-1]}{more}"
