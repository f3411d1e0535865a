"""The command ``validate`` of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain

from .arguments import Parser, add_files, add_keep_bom, add_source, check_source, count
from .input import ErrorLog, Position, begin, for_each, open_chunks
from .output import complain, shown


def add_arguments(command: Parser) -> None:
    add_source(command)
    add_keep_bom(command)
    help = "print at most this many errors of each file (20); 0: all of them"
    command.add_argument("--max-errors", type=count, default=20, metavar="COUNT", help=help)
    command.add_argument("-q", "--quiet", action="store_true", help="print nothing, exit at the first error")
    add_files(command, "'-' or none: standard input")
    command.set_defaults(run=_validate)


def _validate(options: argparse.Namespace) -> int:
    check_source(options)
    with open_chunks(options) as chunks:

        def validate(path: str) -> int:
            count = _print_errors(path, chunks(path), options)
            if count and not options.quiet:
                more = f", of which {options.max_errors} are printed; --max-errors 0 prints all"
                hidden = options.max_errors and count > options.max_errors
                complain(f"{shown(path)}: {count} {'error' if count == 1 else 'errors'}{more if hidden else ''}")
            return 1 if count else 0

        return for_each(options.files, validate)


def _print_errors(path: str, chunks: Iterator[bytes], options: argparse.Namespace) -> int:
    """Print the first errors of a file, at most ``--max-errors``, and return the number of all errors."""
    encoding, removed, rest = begin(path, chunks, options)
    decoder = encoding.new_decoder()
    if options.quiet:
        for chunk, final in _marked(rest):
            decoder.decode(chunk, final)
            if decoder.error_count:
                break
        return decoder.error_count
    log = ErrorLog(encoding)
    position = Position()
    limit = options.max_errors or float("inf")
    count = printed = 0
    marked = _marked(rest)
    for chunk, final in marked:
        *texts, last = log.decode(chunk, final).split(log.MARK)
        for text, (offset, malformed, reason) in zip(texts, log.errors, strict=True):
            if printed == limit:
                break
            position.advance(text)
            print(
                f"{shown(path)}:{position.line}:{position.column}: byte {removed + offset}: "
                f"{malformed.hex(' ').upper()}: {reason} ({encoding.name})"
            )
            position.advance("\ufffd")
            printed += 1
        count += len(texts)
        log.errors.clear()
        position.advance(last)
        if count >= limit:
            break
    decoder.setstate(log.getstate())  # the other errors are only counted, which is faster without an error handler
    for chunk, final in marked:
        decoder.decode(chunk, final)
    return count + decoder.error_count


def _marked(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield pairs of each chunk and False, then of an empty chunk and True: the end of the input."""
    return chain(((chunk, False) for chunk in chunks), [(b"", True)])
