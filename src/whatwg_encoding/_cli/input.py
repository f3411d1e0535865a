"""Input files of the command line: their chunks, encodings and errors, and what is done where one of them fails."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from itertools import chain

from .. import Encoding
from ..editing import Refusal, escaped
from ..files import MARK_LENGTH, sniff_bom, sniff_file_bom
from ..malformed import FileDecodeError, Position
from .decision import AUTO, CRAWL, LOOKED_AT, binary_sign, decide
from .output import STANDARD, clearing, complain, refuse_same_file, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..sniff import Sniffed

CHUNK_SIZE = 1 << 18
_MEGABYTE = 10**6
_LONG = 100 * _MEGABYTE  # bytes from which work takes long enough to show its progress without the extra "cli"


class Failure(Exception):
    """Malformed input or a character that the target lacks: the message."""

    status = 1


def report(error: Exception) -> int:
    """Print what went wrong, and return the exit status; raise an exception that is no failure of a file."""
    if isinstance(error, Failure | Refusal):
        return complain(str(error), error.status)
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        name = escaped(os.fsdecode(error.filename)) if error.filename else ""
        return complain(f"{name}: {error.strerror}" if name else str(error), 2)
    raise error


def for_each(
    paths: list[str], run: Callable[[str], int], outcome: str = "could not be read", *, shows_progress: bool = True
) -> int:
    """Call a function for each file, and go on after a failure; return the greatest status.

    If there are several files and one fails, the last line on standard error says how many did, and their outcome.
    ``shows_progress``: whether a progress bar shows how much of several files is done.
    """
    status = failed = 0
    with progress(total_size(paths), "B", is_shown=shows_progress and len(paths) > 1) as advance:
        for path in paths:
            try:
                status = max(status, run(path))
            except (Failure, Refusal, OSError) as error:
                status = max(status, report(error))
                failed += 1
            advance(_size(path))
    if failed and len(paths) > 1:
        complain(f"{failed} of {len(paths)} files {outcome}")
    return status


def _size(path: str) -> int:
    return os.stat(path).st_size if os.path.isfile(path) else 0


def total_size(paths: list[str]) -> int | None:
    """Return the size of several files, None if one is no regular file."""
    return sum(map(_size, paths)) if all(map(os.path.isfile, paths)) else None


def refuse_what_is_no_file(paths: list[str], hint: str = "") -> None:
    """Raise Refusal or OSError, before anything is written, if a name is not that of a regular file.

    ``hint`` is told of a missing file that is named like the suffix of a backup.
    """
    errors: list[Refusal | OSError] = []
    for path in paths:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise Refusal(f"{shown(path)}: is not a regular file, and only those can be replaced")
        except (Refusal, OSError) as error:
            if hint and isinstance(error, FileNotFoundError) and path.startswith((".", "~")):
                error.strerror = f"{error.strerror}; {hint}"
            errors.append(error)
    if errors and len(paths) == 1:
        raise errors[0]
    if errors:
        for failure in errors:
            report(failure)
        raise Refusal(f"{len(errors)} of {len(paths)} names are not those of regular files; no file was changed")


def replace_each(options: argparse.Namespace, replace: Callable[[str], None], done: str) -> int:
    """Call a function that replaces a file for each that ``-i`` is for; return the greatest status.

    ``done``: what the function does to a file, which is done once.
    """
    if STANDARD in options.files:
        wrong_usage(options, "-i replaces files, so name them")
    refuse_what_is_no_file(options.files, "a suffix for -i stands in the same word: -i.bak")
    seen: set[str] = set()

    def once(path: str) -> int:
        if (place := os.path.realpath(path)) in seen:
            raise Refusal(f"{shown(path)}: is named twice, and would be {done} twice")
        seen.add(place)
        replace(path)
        return 0

    return for_each(options.files, once, "failed and are unchanged")


def open_input(path: str) -> FileIO:
    """Open a file, or standard input for ``-``, unbuffered: a read from a pipe returns what is available."""
    if path == STANDARD and sys.stdin is None:
        raise OSError(errno.EBADF, "is closed", shown(path))
    return open(0 if path == STANDARD else path, "rb", 0, closefd=path != STANDARD)


@contextlib.contextmanager
def open_chunks(
    options: argparse.Namespace, replaced: bool = False, prints_lines: bool = False
) -> Iterator[Callable[[str], Iterator[bytes]]]:
    """Yield a function from the path of a file to its chunks, with a progress bar on the terminal if they take long.

    ``replaced``: the output is no stream, so that each input may be an output. ``prints_lines``: it is lines that
    ``show`` prints; another one on the terminal would be mixed with a progress bar.
    """
    covers_output = not prints_lines and sys.stdout.isatty() and getattr(options, "output", STANDARD) == STANDARD
    with progress(total_size(options.files), "B", is_shown=not covers_output) as advance:

        def chunks(path: str) -> Iterator[bytes]:
            with open_input(path) as file:
                if not replaced:
                    refuse_same_file(file.fileno(), path)
                while chunk := file.read(CHUNK_SIZE):
                    yield chunk
                    advance(len(chunk))

        yield chunks


def _nothing(_: int) -> None:
    pass


@contextlib.contextmanager
def progress(total: int | None, unit: str, *, is_shown: bool = True) -> Iterator[Callable[[int], object]]:
    """Yield a function that advances a progress bar on standard error, if that is a terminal and it takes long."""
    if not is_shown or sys.stderr is None or not sys.stderr.isatty():
        yield _nothing
        return
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:  # the extra "cli" is not installed
        with _percentage(total) if unit == "B" else contextlib.nullcontext(_nothing) as advance:
            yield advance
        return
    with tqdm(total=total, unit=unit, unit_scale=True, delay=0.5, leave=False) as bar:

        def clear() -> None:
            if bar.last_print_n:  # it was shown
                bar.clear()

        clearing.append(clear)
        try:
            yield bar.update
        finally:
            clearing.remove(clear)


@contextlib.contextmanager
def _percentage(total: int | None) -> Iterator[Callable[[int], object]]:
    """Yield a function that shows on standard error how much of ``total`` bytes is done, if it is long work."""
    done = shown = 0
    step = max(_LONG if total is None else total // 100, 1)
    line = ""

    def advance(length: int) -> None:
        nonlocal done, shown, line
        done += length
        if (total or done) >= _LONG and done >= shown + step:
            shown = done
            share = "" if total is None else f" of {total // _MEGABYTE} MB, {100 * done // total} %"
            line = f"{done // _MEGABYTE} MB{share}"
            print(end=f"{line}\r", file=sys.stderr, flush=True)

    def clear() -> None:
        nonlocal line
        if line:
            print(end=f"{' ' * len(line)}\r", file=sys.stderr, flush=True)
            line = ""

    clearing.append(clear)
    try:
        yield advance
    finally:
        clear()
        clearing.remove(clear)


def begin(
    path: str, chunks: Iterator[bytes], options: argparse.Namespace, decisions: list[Sniffed] | None = None
) -> tuple[Encoding, int, Iterator[bytes]]:
    """Return the encoding of an input, the length of the byte order mark that is removed, and the chunks after it.

    ``decisions``: a list to which the decision is added if there is one. Raise Refusal for binary data, and for UTF-16
    and other text in one file, of which the encoding is to be found.
    https://encoding.spec.whatwg.org/#decode
    """
    is_auto = options.source == AUTO
    head = first(chunks, LOOKED_AT if is_auto else MARK_LENGTH)
    sniff_mark = sniff_bom if is_auto and options.kind not in (None, CRAWL) else sniff_file_bom
    marked, length = (None, 0) if options.keep_bom else sniff_mark(head)
    decides = is_auto and length < MARK_LENGTH  # the mark of UTF-32, which no rule of the web knows, suffices
    if decides and (sign := binary_sign(head, options)) is not None:
        raise Refusal(f"{shown(path)}: is binary data ({sign}); pass --text or -f to treat it as text")
    decision = decide(head, options) if decides else None
    encoding: Encoding = marked or (decision.encoding if decision else options.source)
    if is_auto and not options.text:
        chunks = unmixed(path, head, chunks, encoding)
    if decisions is not None and decision is not None:
        decisions.append(decision)
    if options.verbose:
        source = "bom" if marked else "given" if decision is None else f"{decision.confidence}, {decision.source}"
        complain(f"{shown(path)}: {encoding.name} ({source})")
    cut = (head[start : start + CHUNK_SIZE] for start in range(length, len(head), CHUNK_SIZE))
    return encoding, length, chain(cut, chunks)


@contextlib.contextmanager
def refusing(path: str) -> Iterator[None]:
    """Raise Refusal, with the name of an input, for a mixture of UTF-16 and other text in it."""
    try:
        yield
    except FileDecodeError:
        raise
    except ValueError as error:
        raise Refusal(f"{shown(path)}: {error}") from None


def unmixed(path: str, head: bytes, chunks: Iterator[bytes], encoding: Encoding) -> Iterator[bytes]:
    """Return the chunks after the first bytes. Raise Refusal, now or later, if they mix UTF-16 and other text."""
    from ..sniff import Mixture

    mixture = Mixture(encoding)

    def checked(chunk: bytes) -> bytes:
        with refusing(path):
            mixture.check(chunk)
        return chunk

    checked(head)
    return map(checked, chunks)


def with_end(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield pairs of each chunk and False, then of an empty one and True: the end of the input."""
    yield from ((chunk, False) for chunk in chunks)
    yield b"", True


def first(chunks: Iterable[bytes], wanted: int) -> bytes:
    """Return the first chunks, of ``wanted`` bytes or a little more unless there are fewer in all."""
    parts = []
    length = 0
    for chunk in chunks:
        parts.append(chunk)
        length += len(chunk)
        if length >= wanted:
            break
    return b"".join(parts)


def located(path: str, before: str, start: Position | None = None) -> str:
    """Return the place in a file after the text ``before``, which is at its start or at the position ``start``."""
    position = Position(start)
    position.advance(before)
    return f"{shown(path)}:{position.line}:{position.column}"
