"""The ``sniff`` command of the command line, and the encoding ``auto`` of its other commands: one decision.

It is that of ``sniff.crawl``, or with ``--as-browser`` and ``--as`` the one that the standards prescribe in a context.
"""

from __future__ import annotations

import argparse

from .._native.text.core import quote
from .._sniff import ENCODING_HINTS
from .arguments import add_decision, add_files, label, wrong_usage
from .input import CHUNK_SIZE, first, for_each, open_input
from .output import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import FileIO
    from typing import Any, Final, TypeAlias

    from .._native.determination.prescan import Detector, Sniffed, Steps
    from .arguments import Parser

    # A decision, the span of the bytes that made it, if any, and the bytes read for it.
    Found: TypeAlias = tuple[Sniffed, tuple[int, int] | None, bytes]

# Kind → the name of the function in ``sniff`` that returns its steps.
_KINDS: Final = {
    "html": "html_steps",
    "xml": "xml_steps",
    "css": "css_steps",
    "script": "script_steps",
    "text": "text_document_steps",
}

#: The kind by default: what the text most likely is.
CRAWL: Final = "crawl"

# A kind accepts the option of a hint if its steps have a hint of this name.
_HINTS: Final = ("content_type", "locale", *ENCODING_HINTS)

#: The bytes of an input, from its start, on which ``sniff.crawl`` decides. They are kept in memory.
LOOKED_AT: Final = 1 << 24

# Reads in order, for the other kinds: a byte order mark; the rest of the window of HTML and CSS; then more, for long
# XML and detectors.
_READ_SIZES: Final = (3, 1021)
_READ_ON: Final = 1 << 16
_EXCERPT: Final = 80
_LINE: Final = 60  # characters of a line that a guess is shown with
_READABLE: Final = 1 << 16  # bytes in which it is looked for


def add_arguments(command: Parser) -> None:
    """Add the arguments of ``sniff``."""
    add_decision(command)
    for name, meaning in ENCODING_HINTS.items():
        help = f"with --as: {meaning.replace('``', '')}"
        command.add_argument(f"--{name}", type=label, metavar="LABEL", help=help)
    help = "list what the text may be in, with scores in bits, and a line as each encoding reads it"
    command.add_argument("--all", action="store_true", help=help)
    command.add_argument("--json", action="store_true", help="one JSON object for each file, one to a line")
    add_files(command, "'-' or none: standard input")
    command.set_defaults(run=run)


def kind(name: str) -> str:
    """Return the name of a kind or a context; raise ArgumentTypeError for any other, with a suggestion."""
    if name == CRAWL or name in _KINDS:
        return name
    from ..contexts import CONTEXTS

    if name in CONTEXTS:
        return name
    import difflib

    near = difflib.get_close_matches(name[:64], [CRAWL, *_KINDS, *CONTEXTS], 1)
    suggestion = f"; did you mean {near[0]!r}?" if near else ""
    kinds = ", ".join([CRAWL, *_KINDS])
    raise argparse.ArgumentTypeError(f"{quote(name)} is neither one of {kinds} nor a context{suggestion}")


def _factory(kind: str) -> Callable[..., Steps] | None:
    """Return the factory of the steps of a kind or context; None for a context whose encoding is not determined."""
    if kind in _KINDS:
        from .. import sniff

        factory: Callable[..., Steps] = getattr(sniff, _KINDS[kind])
        return factory
    from ..contexts import _DETERMINATIONS, CONTEXTS

    return _DETERMINATIONS.get(CONTEXTS[kind].determination)


def _detector(options: argparse.Namespace) -> Detector:
    """Return the detector of ``crawl``. End with an error if the domain is none."""
    from .._sniff.crawl import crawl_detector  # not from sniff, which takes longer to import

    try:
        return crawl_detector(tld=options.tld)
    except ValueError as error:
        wrong_usage(options, f"--tld: {error}")


def steps(options: argparse.Namespace) -> Steps | None:
    """Return the steps of the kind of the files; None for those of ``sniff.crawl``. Check the hints."""
    hints: dict[str, Any] = {
        name: value for name in _HINTS if (value := getattr(options, name, None)) is not None
    }  # the other commands have fewer
    detects = options.detect or options.tld is not None
    if options.kind in (None, CRAWL):
        for name in hints.keys() - {"content_type"}:
            wrong_usage(options, f"--{name} goes with --as-browser or --as")
        _detector(options)
        return None
    factory = _factory(options.kind)
    if factory is None:
        wrong_usage(options, f"--as {options.kind}: nothing is sniffed there; the encoding is given or fixed")
    if detects:
        hints["detector"] = _detector(options)
    for name in hints:
        if name not in (factory.__kwdefaults__ or {}):
            option = {"detector": "detect"}.get(name, name.replace("_", "-"))
            wrong_usage(options, f"--as {options.kind} does not accept --{option}")
    return factory(**hints)


def decide(head: bytes, options: argparse.Namespace) -> Sniffed:
    """Return the decision for an input that starts with ``head``, and has no more bytes if those are few."""
    chosen = steps(options)
    if chosen is None:
        from .._sniff.crawl import crawl

        return crawl(head[:LOOKED_AT], options.content_type, tld=options.tld)
    from .._native.determination.prescan import determine

    return determine(head, chosen)


def run(options: argparse.Namespace) -> int:
    """Print the decision for each file, and return the exit status."""
    chosen = steps(options)
    if options.all and chosen is not None:
        wrong_usage(options, "--all does not go with --as-browser or --as, which decide without scores")

    def look(path: str) -> int:
        with open_input(path) as file:
            if options.all:
                print(_guesses(path, whole(file), options))
                return 0
            found = _crawl(file, options) if chosen is None else _look(file, chosen)
        print(_as_json(path, *found) if options.json else _as_text(path, *found))
        return 0

    return for_each(options.files, look)


def whole(file: FileIO) -> bytes:
    """Return the bytes of an input on which ``sniff.crawl`` decides."""
    return first(iter(lambda: file.read(CHUNK_SIZE), b""), LOOKED_AT)[:LOOKED_AT]


def _crawl(file: FileIO, options: argparse.Namespace) -> Found:
    from .._native.determination.prescan import Determination, HTMLScan, Steps

    head = whole(file)
    sniffed = decide(head, options)
    determination = Determination(Steps(scan=HTMLScan, after=sniffed))
    determination.look(head, True)
    return sniffed, determination.span if sniffed.source in ("bom", "prescan") else None, head


def _look(file: FileIO, steps: Steps) -> Found:
    from .._native.determination.prescan import Determination

    determination = Determination(steps)
    data = bytearray()
    sizes = iter(_READ_SIZES)
    while True:
        chunk = file.read(next(sizes, _READ_ON))
        data += chunk
        sniffed = determination.look(data, not chunk)
        if sniffed is not None:
            return sniffed, determination.span, bytes(data)


def _as_json(path: str, sniffed: Sniffed, span: tuple[int, int] | None, data: bytes) -> str:
    import json

    start, end = span or (None, None)
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


def _as_text(path: str, sniffed: Sniffed, span: tuple[int, int] | None, data: bytes) -> str:
    line = f"{shown(path)}: {sniffed.encoding.name} ({sniffed.confidence}, {sniffed.source})"
    if span is None:
        return line
    start, end = span
    excerpt = data[start:end]
    more = "…" if len(excerpt) > _EXCERPT else ""
    return f"{line}, bytes {start} to {end}: {ascii(excerpt[:_EXCERPT].decode('latin-1'))[1:-1]}{more}"


def _guesses(path: str, data: bytes, options: argparse.Namespace) -> str:
    """Return the lines of ``--all`` for a file: a heading and one for each guess, or a JSON object."""
    from .._native.determination.prescan import prescan
    from .._sniff.detection import detect
    from ..mime import transport_encoding

    guesses = detect(data, declared=(transport_encoding(options.content_type), prescan(data)), tld=options.tld)
    read = [(guess, _readable_line(guess.encoding.decode(data[:_READABLE]))) for guess in guesses]
    if options.json:
        import json

        found = [
            {"encoding": guess.encoding.name, "score": guess.score, "margin": guess.margin, "line": line}
            for guess, line in read
        ]
        return json.dumps({"file": path, "guesses": found})
    rows = [f"{guess.encoding.name:14} {guess.score:7} bits  {_printable(line)}" for guess, line in read]
    return "\n  ".join([f"{shown(path)}:", *map(str.rstrip, rows)])


def _readable_line(text: str) -> str:
    """Return the first line of a text that has a character beyond ASCII, or else the first that is not empty."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not line.isascii()), lines[0] if lines else "")
    place = next((place for place, character in enumerate(line) if not character.isascii()), 0)
    start = max(0, place - _LINE // 2)
    return line[start : start + _LINE]


def _printable(text: str) -> str:
    """Return text without what would control the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
