"""Outputs of the command line: standard output, and files, which ``editing`` replaces."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys

from ..editing import Refusal, escaped, naming, opened, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import BinaryIO, NoReturn

PROGRAM = "whatwg-encoding"
STANDARD = "-"  # standard input or output


clearing: list[Callable[[], object]] = []
"""What clears the progress bars on the terminal, so that a line can be printed."""


def shown(path: str) -> str:
    return "standard input" if path == STANDARD else escaped(path)


def place(path: str, line: int, column: int | None = None) -> str:
    """Return a place in a file for standard output, in the colours of ripgrep if it is a terminal."""
    parts = [_coloured(shown(path), 35), _coloured(str(line), 32), *([] if column is None else [str(column)])]
    return ":".join(parts)


def marked(text: str) -> str:
    """Return what a line is printed for, in the colour of a match of ripgrep."""
    return _coloured(text, 1, 31)


def _coloured(text: str, *codes: int) -> str:
    """Return a text in a colour, unless standard output is no terminal, or the user wants none: https://no-color.org"""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m"


def show(line: str) -> None:
    """Print a line on standard output."""
    for clear in clearing:
        clear()
    print(line)


def print_message(message: str) -> None:
    """Print a message on standard error, after what was printed on standard output before it."""
    for clear in clearing:
        clear()
    if sys.stdout is not None:
        with contextlib.suppress(OSError):  # raised again, and reported, when the program ends
            sys.stdout.flush()
    if sys.stderr is not None:  # otherwise print would write to standard output
        print(message, file=sys.stderr)


def complain(message: str, status: int = 0) -> int:
    print_message(f"{PROGRAM}: {message}")
    return status


def wrong_usage(options: argparse.Namespace, message: str) -> NoReturn:
    parser: argparse.ArgumentParser = options.parser
    parser.error(message)


@contextlib.contextmanager
def output(path: str, *, keeps_same: bool = False) -> Iterator[BinaryIO]:
    """Open the file at ``path``, or standard output for ``-``, for writing, as ``opened`` does.

    Raise Refusal if the file cannot be replaced, and OSError, which names the file.
    """
    if path != STANDARD:
        if not path:
            raise Refusal("the output file's name is empty")
        with opened(path, keeps_same=keeps_same) as file:
            yield file
        return
    with naming("standard output"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


def refuse_same_file(descriptor: int, path: str) -> None:
    """Raise Refusal for a regular file that is also standard output: reading it would never end."""
    try:
        read, written = os.fstat(descriptor), os.fstat(sys.stdout.fileno())
    except io.UnsupportedOperation:  # standard output was replaced by an object without a file descriptor
        return
    if os.path.samestat(read, written) and stat.S_ISREG(read.st_mode) and read.st_size:
        raise Refusal(f"{shown(path)}: is both input and output; use -o or -i to replace a file")


def overwrites(path: str, inputs: list[str]) -> bool:
    """Return whether the output at ``path`` is one of the inputs. Raise Refusal if it is not a regular file then."""
    written = None if path == STANDARD else status(path)
    if written is None:
        return False
    for name in inputs:
        is_standard = name == STANDARD
        try:
            read = os.stat(0 if is_standard else name)
        except OSError:  # reported when it is opened
            continue
        if os.path.samestat(read, written):
            if is_standard and os.isatty(0):
                continue
            if not stat.S_ISREG(read.st_mode):
                raise Refusal(f"{shown(path)}: is both input and output, and not a regular file")
            return True
    return False
