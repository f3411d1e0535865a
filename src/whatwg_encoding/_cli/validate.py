"""The command ``validate`` of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..malformed import Recorder
from .arguments import Parser, add_files, add_keep_bom, add_source, check_source, count
from .input import CHUNK_SIZE, begin, for_each, open_chunks, with_end
from .output import complain, marked, place, show, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import Encoding

_PIECE = 1 << 14  # bytes that are decoded at once if all of their errors are recorded


def add_arguments(command: Parser) -> None:
    add_source(command)
    add_keep_bom(command)
    help = "print at most this many errors for each file (20); 0: all of them"
    command.add_argument("--max-errors", type=count, default=20, metavar="COUNT", help=help)
    command.add_argument("-q", "--quiet", action="store_true", help="print nothing, and exit at the first error")
    help = "print a JSON object on a line for each file, with the same offsets, lines and columns"
    command.add_argument("--json", action="store_true", help=help)
    add_files(command, "files to check; '-' or none: standard input")
    command.set_defaults(run=_validate)


def _validate(options: argparse.Namespace) -> int:
    check_source(options)
    if options.json and options.quiet:
        wrong_usage(options, "--json cannot be combined with -q")
    with open_chunks(options, prints_lines=True) as chunks:

        def validate(path: str) -> int:
            count = _print_errors(path, chunks(path), options)
            if count and not (options.quiet or options.json):
                more = f", of which {options.max_errors} are printed; --max-errors 0 prints all"
                hidden = options.max_errors and count > options.max_errors
                complain(f"{shown(path)}: {count} {'error' if count == 1 else 'errors'}{more if hidden else ''}")
            return 1 if count else 0

        return for_each(options.files, validate, shows_progress=False)


def _print_errors(path: str, chunks: Iterator[bytes], options: argparse.Namespace) -> int:
    """Print the first errors of a file, at most ``--max-errors``, and return the number of all errors."""
    encoding, removed, content = begin(path, chunks, options)
    recorder = Recorder(encoding, offset=removed, most=0 if options.quiet else options.max_errors or None)
    size = CHUNK_SIZE if options.max_errors else _PIECE
    for piece, final in with_end(chunk[at : at + size] for chunk in content for at in range(0, len(chunk), size)):
        recorder.decode(piece, final)
        if options.quiet and recorder.errors:
            break
        if not options.json:
            for (offset, line, column, malformed, _), reason in recorder.records:
                where = f"{place(path, line, column)}: byte {offset}"
                show(f"{where}: {marked(malformed.hex(' ').upper())}: {reason} ({encoding.name})")
            recorder.records.clear()
    if options.json:
        show(_as_json(path, encoding, recorder))
    return recorder.errors


def _as_json(path: str, encoding: Encoding, recorder: Recorder) -> str:
    import json  # imported here, since few runs need it

    errors = [
        {**error._asdict(), "bytes": error.bytes.hex(" ").upper(), "reason": reason}
        for error, reason in recorder.records
    ]
    return json.dumps({"file": path, "encoding": encoding.name, "errors": recorder.errors, "first_errors": errors})
