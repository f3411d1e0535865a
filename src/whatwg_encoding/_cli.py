"""The command line: ``whatwg-encoding`` and ``python -m whatwg_encoding``.

Exit status: 0; 1 for malformed input, or text that the target cannot write, where that is asked for; 2 for wrong usage
and for files that cannot be read or written; 128 and the signal's number after a signal, and 141 when the reader of a
pipe went away.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import io
import os
import re
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn

from . import _checkout, _inspect, _sniff_cli
from ._core import Encoding, UnknownLabelError
from ._hooks import bom_sniff
from ._labels import ENCODINGS, UTF_8, lookup

CHUNK_SIZE = 1 << 18
STANDARD = "-"  # standard input or output
AUTO = "auto"


class Failure(Exception):
    """What ends the program with a message: malformed input, or a character that the target cannot write."""


def main(arguments: list[str] | None = None) -> int:
    """The exit status of the command line ``arguments``: those of the process, by default."""
    if sys.stdout is None:
        return _complaint("standard output is closed", 2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what is explained may be any character
    options = _parser().parse_args(arguments)
    try:
        with _signals_exit():
            status: int = options.run(options)
            sys.stdout.flush()
            return status
    except Failure as failure:
        return _complaint(str(failure), 1)
    except BrokenPipeError:
        # Nobody reads on. The interpreter flushes standard output at its end, and must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13  # SIGPIPE, where there are signals
    except OSError as error:
        return _complaint(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _complaint(message: str, status: int) -> int:
    print(f"whatwg-encoding: {message}", file=sys.stderr)
    return status


@contextlib.contextmanager
def _signals_exit() -> Iterator[None]:
    """Within it, signals that end the program do so by an exception, so that half-written files are removed."""

    def leave(number: int, _frame: object) -> NoReturn:
        sys.exit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# -- Arguments ---------------------------------------------------------------------------------------------------------


def _label(label: str) -> Encoding:
    try:
        return lookup(label)
    except UnknownLabelError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _target(label: str) -> Encoding:
    encoding = _label(label)
    if not encoding.has_encoder:
        raise argparse.ArgumentTypeError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_encoding.name}"
        )
    return encoding


def _source(label: str) -> Encoding | str:
    return AUTO if label == AUTO else _label(label)


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(re.sub(r"0x|\\x|[%,;:_-]", " ", text, flags=re.IGNORECASE))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no byte sequence in hexadecimal: {error}") from None


def _characters(text: str) -> str:
    match = re.fullmatch(r"U\+([0-9A-F]{1,6})", text, flags=re.IGNORECASE)
    if not match:
        return text
    code_point = int(match[1], 16)
    if code_point > 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise argparse.ArgumentTypeError(
            f"{text} is no scalar value: those are U+0000 to U+D7FF and U+E000 to U+10FFFF"
        )
    return chr(code_point)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="whatwg-encoding",
        description="Decode, encode and explain text as web browsers do: the WHATWG Encoding Standard.",
        epilog="Exit status: 0; 1 for malformed input with --fatal or validate; 2 for wrong usage and unusable files.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    decode = add("decode", _recode, "Write files as UTF-8.")
    encode = add("encode", _recode, "Write files, which are UTF-8, in another encoding.")
    recode = add("recode", _recode, "Write files in another encoding.")
    validate = add(
        "validate", _validate, "Print where errors are and which bytes they have; exit with 1 if there are any."
    )
    labels = add("labels", _labels, "Print encodings and their labels.")
    inspect = add("inspect", _explain, "Explain characters, or bytes: code points, names, pointers, indexes.")
    _sniff_cli.add_parser(commands)

    for command in (decode, recode, validate):
        help = "encoding of the input (utf-8), which a byte order mark overrides; 'auto': found out as for an HTML page"
        command.add_argument("-f", "--from", dest="source", type=_source, default=UTF_8, metavar="LABEL", help=help)
    for command in (encode, recode):
        help = "encoding of the output"
        command.add_argument("-t", "--to", dest="target", type=_target, required=True, metavar="LABEL", help=help)
    encode.set_defaults(source=UTF_8)
    decode.set_defaults(target=UTF_8)
    for command in (decode, encode, recode, validate):
        help = "take a byte order mark as text: neither drop it nor let it choose the encoding"
        command.add_argument("--keep-bom", action="store_true", help=help)
        help = "read and joined in this order; '-' or none: standard input"
        command.add_argument("files", nargs="*", default=[STANDARD], metavar="FILE", help=help)
    for command in (decode, encode, recode):
        help = "stop at an error; else an input error becomes U+FFFD, and what the output cannot write &#decimal;"
        command.add_argument("--fatal", action="store_true", help=help)
        help = "written at once when all is done, or not at all; '-' or none: standard output"
        command.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help=help)

    help = "of these labels only"
    labels.add_argument("encodings", nargs="*", type=_label, metavar="LABEL", help=help)

    help = "in this encoding only"
    inspect.add_argument("-f", "--from", dest="source", type=_label, metavar="LABEL", help=help)
    help = "walk the input through the standard's steps, one by one; needs -f and a checkout of the project"
    inspect.add_argument("--trace", action="store_true", help=help)
    help = "the folder of a checkout, whose reference tells the steps; by default that of the environment, if any"
    inspect.add_argument("--checkout", type=Path, metavar="FOLDER", help=help)
    what = inspect.add_mutually_exclusive_group(required=True)
    help = "bytes in hexadecimal, such as '82 a0', 82A0 or %%82%%A0"
    what.add_argument("-b", "--bytes", type=_hex, metavar="HEX", help=help)
    what.add_argument("text", nargs="?", type=_characters, metavar="TEXT", help="characters, or one such as U+3042")
    return parser


# -- Input and output --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _chunks(options: argparse.Namespace) -> Iterator[Callable[[str], Iterator[bytes]]]:
    """A function from the path of a file to its chunks, which a bar on the terminal counts if they take long."""
    with _progress(options) as advance:

        def chunks(path: str) -> Iterator[bytes]:
            if path == STANDARD and sys.stdin is None:
                raise OSError(errno.EBADF, "is closed", _shown(path))
            # Unbuffered, so that a chunk is what a pipe has now and not what it will have.
            with open(0 if path == STANDARD else path, "rb", 0, closefd=path != STANDARD) as file:
                while chunk := file.read(CHUNK_SIZE):
                    yield chunk
                    advance(len(chunk))

        yield chunks


@contextlib.contextmanager
def _progress(options: argparse.Namespace) -> Iterator[Callable[[int], object]]:
    # On a terminal that shows the output itself a bar would be in its way.
    covers_output = sys.stdout.isatty() and getattr(options, "output", STANDARD) == STANDARD
    shown = sys.stderr is not None and sys.stderr.isatty() and not covers_output
    try:
        tqdm = importlib.import_module("tqdm").tqdm if shown else None
    except ModuleNotFoundError:  # the extra "cli" is not installed
        tqdm = None
    if tqdm is None:
        yield lambda _: None
        return
    sizes = [os.stat(path).st_size for path in options.files if os.path.isfile(path)]
    total = sum(sizes) if len(sizes) == len(options.files) else None
    with tqdm(total=total, unit="B", unit_scale=True, delay=0.5, leave=False) as bar:
        yield bar.update


@contextlib.contextmanager
def _output(path: str) -> Iterator[BinaryIO]:
    """A file that is at ``path`` once all is written to it; after an exception there is what was there before."""
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe has no "at once"
        with open(path, "wb") as file:
            yield file
        return
    path = os.path.realpath(path)  # a link stays one
    temporary = f"{path}.{secrets.token_hex(4)}.tmp"
    try:
        file = open(temporary, "xb")  # noqa: SIM115
    except OSError as error:
        raise type(error)(error.errno, error.strerror, path) from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _begin(chunks: Iterator[bytes], options: argparse.Namespace) -> tuple[Encoding, int, Iterator[bytes]]:
    """The encoding of an input, the length of the byte order mark that was dropped, and the chunks after that.

    https://encoding.spec.whatwg.org/#decode
    """
    head = b""
    wanted = CHUNK_SIZE if options.source == AUTO else 3
    for chunk in chunks:
        head += chunk
        if len(head) >= wanted:
            break
    encoding = _sniff_cli.resolve(head) if options.source == AUTO else options.source
    bom_encoding = None if options.keep_bom else bom_sniff(head)
    if bom_encoding is None:
        return encoding, 0, chain([head], chunks)
    bom_length = 3 if bom_encoding is UTF_8 else 2
    return bom_encoding, bom_length, chain([head[bom_length:]], chunks)


class _Position:
    """Where in a text something is: line and column, counted from 1. Lines end at U+000A; columns are code points."""

    def __init__(self) -> None:
        self.line = self.column = 1

    def advance(self, text: str) -> None:
        lines = text.count("\n")
        self.line += lines
        self.column = len(text) - text.rindex("\n") if lines else self.column + len(text)


def _shown(path: str) -> str:
    return "standard input" if path == STANDARD else path


# -- Commands ----------------------------------------------------------------------------------------------------------


def _recode(options: argparse.Namespace) -> int:
    encoder = options.target.new_encoder("fatal" if options.fatal else "html")
    with _output(options.output) as output, _chunks(options) as chunks:
        for path in options.files:
            position = _Position()
            for text in _decoded(path, chunks(path), options):
                try:
                    output.write(encoder.encode(text))
                except UnicodeEncodeError as error:
                    position.advance(error.object[: error.start])
                    character = _inspect.describe_character(error.object[error.start])
                    raise Failure(
                        f"{_shown(path)}:{position.line}:{position.column}: {options.target.name} has no {character}"
                    ) from None
                position.advance(text)
        output.write(encoder.encode("", True))
    return 0


def _decoded(path: str, chunks: Iterator[bytes], options: argparse.Namespace) -> Iterator[str]:
    encoding, offset, chunks = _begin(chunks, options)
    decoder = encoding.new_decoder("fatal" if options.fatal else "replacement")
    try:
        for chunk in chunks:
            offset += len(chunk)
            yield decoder.decode(chunk)
        yield decoder.decode(b"", True)
    except UnicodeDecodeError as error:
        # The object is what was pending and the last chunk, so that it ends where the input was read to.
        offset += error.start - len(error.object)
        malformed = error.object[error.start : error.end].hex(" ").upper()
        raise Failure(f"{_shown(path)}: byte {offset}: {malformed}: {error.reason} ({encoding.name})") from None


def _validate(options: argparse.Namespace) -> int:
    status = 0
    with _chunks(options) as chunks:
        for path in options.files:
            encoding, bom_length, rest = _begin(chunks(path), options)
            log = _inspect.ErrorLog(encoding)
            position = _Position()
            for chunk, final in chain(((chunk, False) for chunk in rest), [(b"", True)]):
                *runs, last = log.decode(chunk, final).split(log.MARK)
                for run, (offset, malformed, reason) in zip(runs, log.errors, strict=True):
                    position.advance(run)
                    print(
                        f"{_shown(path)}:{position.line}:{position.column}: byte {bom_length + offset}: "
                        f"{malformed.hex(' ').upper()}: {reason} ({encoding.name})"
                    )
                    position.advance("\ufffd")
                    status = 1
                log.errors.clear()
                position.advance(last)
    return status


def _labels(options: argparse.Namespace) -> int:
    for encoding in options.encodings or ENCODINGS.values():
        print(encoding.name, *encoding.labels, sep="\t")
    return 0


def _explain(options: argparse.Namespace) -> int:
    try:
        checkout = _checkout.Checkout(options.checkout) if options.checkout else _checkout.find()
    except ValueError as error:
        return _complaint(str(error), 2)
    lines: Iterator[str]
    if options.trace:
        if options.source is None:
            return _complaint("--trace takes one encoding: name it with -f", 2)
        if checkout is None:
            return _complaint(_checkout.NO_CHECKOUT, 2)
        source = options.text if options.bytes is None else options.bytes
        if options.bytes is None and not options.source.has_encoder:
            return _complaint(f"{options.source.name} has no encoder", 2)
        lines = _inspect.trace(options.source, source, checkout)
    elif options.bytes is None:
        # In all encodings at once the steps would hide the answer.
        encodings = [options.source] if options.source else ENCODINGS.values()
        known = checkout if options.source else None
        lines = (line for character in options.text for line in _inspect.describe_in(encodings, character, known))
    elif options.source is None:
        lines = _inspect.describe_bytes_in_all(options.bytes)
    else:
        lines = _inspect.describe_bytes(options.source, options.bytes, checkout)
    for line in lines:
        print(line)
    return 0
