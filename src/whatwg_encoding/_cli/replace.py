"""The command ``replace`` of the command line: text in files is replaced, and no other byte."""

from __future__ import annotations

import re

from .._core import quote
from .arguments import count, operand, wrong_usage
from .edited import EditedFile, add_arguments
from .input import Failure, for_each

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from .._edit.byte_exact import ByteExactText, Errors
    from .arguments import Parser

_EPILOG = """\
what happens:
  Each file is replaced in one step, or unchanged: if a file does not have OLD, if
  the encoding lacks a character of NEW, and if it changes meanwhile. The exit
  status is 1 then, and the other files are edited all the same.
"""


def add_replace(command: Parser) -> None:
    """Add the arguments of ``replace``."""
    add_arguments(command)
    help = "replace at most this many occurrences in each file; 0: all of them"
    command.add_argument("--count", type=count, default=0, metavar="COUNT", help=help)
    help = "OLD is a regular expression of Python, and NEW may have \\1 or \\g<name> for its groups"
    command.add_argument("--regex", action="store_true", help=help)
    command.add_argument("old", metavar="OLD", help="text")
    command.add_argument("new", metavar="NEW", help="text in its place")
    command.add_argument("files", nargs="+", metavar="FILE", help="a regular file")
    command.set_defaults(run=_replace)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _replace(options: argparse.Namespace) -> int:
    old = operand(options.old)
    if not old:
        wrong_usage(options, "OLD is empty")
    try:
        pattern = re.compile(old if options.regex else re.escape(old))
    except re.error as error:
        wrong_usage(options, f"--regex: OLD: {error}")

    def replace(path: str) -> int:
        edited = EditedFile(path, options)
        edited.change(lambda document, errors: _replace_matches(document, pattern, options, errors))
        return 0

    return for_each(options.files, replace, "failed and are unchanged")


def _replace_matches(
    document: ByteExactText, pattern: re.Pattern[str], options: argparse.Namespace, errors: Errors
) -> None:
    new = operand(options.new)
    start = matches = 0

    def ranges() -> Iterator[tuple[int, int, str]]:
        nonlocal start, matches
        for match in pattern.finditer(document.text):
            if options.count and matches == options.count:
                return
            matches += 1
            start = match.start()
            try:
                yield start, match.end(), match.expand(new) if options.regex else new
            except (re.error, IndexError) as error:
                raise Failure(f"--regex: NEW: {error}") from None

    try:
        document._replace_each(ranges(), errors)
    except UnicodeEncodeError as error:  # its position is that in what replaces the last match
        text = document.text[:start] + error.object
        start += error.start
        raise UnicodeEncodeError(error.encoding, text, start, start + 1, error.reason) from None
    if not matches:
        raise Failure(f"does not have {quote(operand(options.old))}")
