"""The command line: ``whatwg-encoding`` and ``python -m whatwg_encoding``.

Exit status: 0; 1 for malformed input or text that the target lacks, with --fatal and validate; 2 for wrong usage and
for files that cannot be read or written; 128 plus the signal's number after a signal; 141 if the reader of the output
pipe has closed it.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import difflib
import errno
import functools
import importlib
import io
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn, Protocol

from . import _checkout, _inspect, _sniff_cli
from ._cli_output import STANDARD, Refusal, output, refuse_same_file, shown
from ._core import Encoding, UnknownLabelError, quote
from ._hooks import bom_length, bom_sniff
from ._labels import ENCODINGS, LABELS, UTF_8, UTF_16BE, UTF_16LE, lookup

CHUNK_SIZE = 1 << 18
AUTO = "auto"
BYTE_ORDER_MARK = "\ufeff"
COMPARED = 64
"""Characters of an unknown label that are compared with the labels."""


class Failure(Exception):
    """Malformed input or a character that the target lacks: ends the program with the message and status 1."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line ``arguments``, by default those of the process, and return the exit status."""
    if sys.stdout is None:
        return _complain("standard output is closed", 2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # inspect may print any character
    options = _parser().parse_args(arguments)
    try:
        with _signals_exit():
            status: int = options.run(options)
            sys.stdout.flush()
            return status
    except Failure as failure:
        return _complain(str(failure), 1)
    except Refusal as refusal:
        return _complain(str(refusal), 2)
    except BrokenPipeError:
        # The interpreter flushes standard output at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13  # SIGPIPE, which not every platform has
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _complain(message: str, status: int = 0) -> int:
    print(f"whatwg-encoding: {message}", file=sys.stderr)
    return status


@contextlib.contextmanager
def _signals_exit() -> Iterator[None]:
    """Turn termination signals into SystemExit, so that half-written files are removed."""

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
    except UnknownLabelError:
        raise argparse.ArgumentTypeError(_unknown(label)) from None


def _unknown(label: str) -> str:
    """Return the message about a word that is no label: what it may have been meant for."""
    message = f"{quote(label)} is not a label of an encoding"
    near = difflib.get_close_matches(label[:COMPARED].lower(), LABELS, 1)
    try:
        from ._codec_names import lookup_codec

        encoding = lookup_codec(label)
        message += f"; the encoding nearest to Python's codec of that name is {encoding.name}"
    except UnknownLabelError:
        message += f"; did you mean {near[0]!r}?" if near else ""
    return f"{message} (whatwg-encoding labels lists them)"


def _target(label: str) -> Encoding:
    encoding = _label(label)
    if not encoding.has_encoder:
        way = "; recode writes it" if encoding in _UTF_16 else ""
        raise argparse.ArgumentTypeError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_encoding.name}{way}"
        )
    return encoding


def _any_target(label: str) -> Encoding:
    """Return a target of recode, which may also be UTF-16BE/LE."""
    return encoding if (encoding := _label(label)) in _UTF_16 else _target(label)


def _source(label: str) -> Encoding | str:
    return AUTO if label == AUTO else _label(label)


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(re.sub(r"0x|\\x|[%,;:_-]", " ", text, flags=re.IGNORECASE))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a byte sequence in hexadecimal: {error}") from None


def _characters(text: str) -> str:
    match = re.fullmatch(r"U\+([0-9A-F]{1,6})", text, flags=re.IGNORECASE)
    if not match:
        return text
    code_point = int(match[1], 16)
    if code_point > 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise argparse.ArgumentTypeError(
            f"{text} is not a scalar value: those are U+0000 to U+D7FF and U+E000 to U+10FFFF"
        )
    return chr(code_point)


def _unmappable(text: str) -> str:
    if text in ("html", "fail", "drop") or (text.startswith("replace:") and len(text) > len("replace:")):
        return text
    raise argparse.ArgumentTypeError(f"{quote(text)} is not one of html, fail, drop and replace:TEXT")


def _count(text: str) -> int:
    if text.isdecimal() and text.isascii():
        return int(text)
    raise argparse.ArgumentTypeError(f"{quote(text)} is not a count: 0, 1, 2 …")


def _version() -> str:
    from . import __version__, cpu_features

    return f"whatwg-encoding {__version__} (instruction set: {cpu_features()['simd']})"


class _Version(argparse.Action):
    """Print the version, which is computed only on demand, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(_version())
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="whatwg-encoding",
        description="Decode, encode and explain text as web browsers do: the WHATWG Encoding Standard.",
        epilog="Exit status: 0; 1 for malformed input with --fatal or validate; 2 for wrong usage and unusable files.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run, parser=command)
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
        help = "encoding of the input (utf-8), which a byte order mark overrides; 'auto': sniffed as for an HTML page"
        command.add_argument("-f", "--from", dest="source", type=_source, default=UTF_8, metavar="LABEL", help=help)
        help = "with -f auto, use a detector if nothing is declared (needs the extra 'detect')"
        command.add_argument("--detect", action="store_true", help=help)
        help = "with -f auto, language of the user, such as ja or zh-TW"
        command.add_argument("--locale", metavar="TAG", help=help)
        help = "with -f auto, value of the header that came with the input"
        command.add_argument("--content-type", metavar="VALUE", help=help)
    for command, type_ in ((encode, _target), (recode, _any_target)):
        help = "encoding of the output"
        command.add_argument("-t", "--to", dest="target", type=type_, required=True, metavar="LABEL", help=help)
    encode.set_defaults(source=UTF_8, detect=False, locale=None, content_type=None)
    decode.set_defaults(target=UTF_8)
    recode.add_argument("--bom", action="store_true", help="write a byte order mark: UTF-8 and UTF-16 only")
    for command in (decode, encode, recode, validate):
        help = "keep a byte order mark as text: neither drop it nor use it to choose the encoding"
        command.add_argument("--keep-bom", action="store_true", help=help)
        help = "read and joined in this order; '-' or none: standard input"
        command.add_argument("files", nargs="*", default=[STANDARD], metavar="FILE", help=help)
    for command in (decode, encode, recode):
        help = "handling of malformed input: write U+FFFD (replace), omit it (drop), or exit with 1 (fail)"
        command.add_argument("--malformed", choices=("replace", "drop", "fail"), metavar="MODE", help=help)
        help = "handling of a character that the output lacks: write &#decimal; (html) or another text (replace:TEXT),"
        help += " omit it (drop), or exit with 1 (fail)"
        command.add_argument("--unmappable", type=_unmappable, metavar="MODE", help=help)
        command.add_argument("--fatal", action="store_true", help="--malformed fail --unmappable fail")
        command.add_argument("-c", dest="drop", action="store_true", help="--malformed drop --unmappable drop")
        command.add_argument("-q", "--quiet", action="store_true", help="do not report what was lost")
        where = command.add_mutually_exclusive_group()
        help = "replaced in one step at the end, or left unchanged on failure; '-' or none: standard output"
        where.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help=help)
        help = "replace each file; with a SUFFIX, keep the old one under its name plus SUFFIX"
        where.add_argument("-i", "--in-place", nargs="?", const="", metavar="SUFFIX", help=help)

    help = "print at most this many errors of each file (20); 0: all of them"
    validate.add_argument("--max-errors", type=_count, default=20, metavar="COUNT", help=help)
    validate.add_argument("-q", "--quiet", action="store_true", help="print nothing, exit at the first error")

    help = "print only the encodings of these labels"
    labels.add_argument("encodings", nargs="*", type=_label, metavar="LABEL", help=help)

    help = "in this encoding only"
    inspect.add_argument("-f", "--from", dest="source", type=_label, metavar="LABEL", help=help)
    help = "print each of the standard's steps for the input; needs -f and a checkout of the project"
    inspect.add_argument("--trace", action="store_true", help=help)
    help = "folder of a checkout, whose reference provides the steps; by default that of the environment, if any"
    inspect.add_argument("--checkout", type=Path, metavar="FOLDER", help=help)
    what = inspect.add_mutually_exclusive_group(required=True)
    help = "bytes in hexadecimal, such as '82 a0', 82A0 or %%82%%A0"
    what.add_argument("-b", "--bytes", type=_hex, metavar="HEX", help=help)
    what.add_argument("text", nargs="?", type=_characters, metavar="TEXT", help="characters, or one such as U+3042")
    return parser


# -- Input and output --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _chunks(options: argparse.Namespace) -> Iterator[Callable[[str], Iterator[bytes]]]:
    """Yield a function from the path of a file to its chunks, with a progress bar on the terminal if they take long."""
    with _progress(options) as advance:

        def chunks(path: str) -> Iterator[bytes]:
            if path == STANDARD and sys.stdin is None:
                raise OSError(errno.EBADF, "is closed", shown(path))
            # Unbuffered, so that a read from a pipe returns what is available instead of waiting for a full chunk.
            with open(0 if path == STANDARD else path, "rb", 0, closefd=path != STANDARD) as file:
                if getattr(options, "output", None) == STANDARD and getattr(options, "in_place", None) is None:
                    refuse_same_file(file.fileno(), path)
                while chunk := file.read(CHUNK_SIZE):
                    yield chunk
                    advance(len(chunk))

        yield chunks


@contextlib.contextmanager
def _progress(options: argparse.Namespace) -> Iterator[Callable[[int], object]]:
    # If the terminal shows the output, a progress bar would be mixed with it.
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


def _begin(chunks: Iterator[bytes], options: argparse.Namespace) -> tuple[Encoding, int, Iterator[bytes]]:
    """Return the encoding of an input, the length of the byte order mark that is removed, and the chunks after it.

    https://encoding.spec.whatwg.org/#decode
    """
    head = b""
    wanted = CHUNK_SIZE if options.source == AUTO else 3
    for chunk in chunks:
        head += chunk
        if len(head) >= wanted:
            break
    encoding = _sniff_cli.resolve(head, options) if options.source == AUTO else options.source
    bom_encoding = None if options.keep_bom else bom_sniff(head)
    if bom_encoding is None:
        return encoding, 0, chain([head], chunks)
    length = bom_length(bom_encoding)
    return bom_encoding, length, chain([head[length:]], chunks)


class _Position:
    """A position in a text: line and column, counted from 1. Lines end at U+000A; columns are code points."""

    def __init__(self, start: _Position | None = None) -> None:
        self.line: int = start.line if start else 1
        self.column: int = start.column if start else 1

    def advance(self, text: str) -> None:
        lines = text.count("\n")
        self.line += lines
        self.column = len(text) - text.rindex("\n") if lines else self.column + len(text)


# -- Commands ----------------------------------------------------------------------------------------------------------


_UTF_16 = (UTF_16BE, UTF_16LE)
_MALFORMED = "whatwg_encoding.cli.malformed"
_UNMAPPABLE = "whatwg_encoding.cli.unmappable"
_ISO_2022_JP_CONTROLS = "\x0e\x0f\x1b"
"""Characters that ISO-2022-JP's encoder reports as U+FFFD. https://encoding.spec.whatwg.org/#iso-2022-jp-encoder"""


class _Encoder(Protocol):
    def encode(self, text: str, final: bool = False, /) -> bytes: ...


class _Loss:
    """The number of errors of one kind, and the location of the first one."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.count = 0
        self.first = ""

    def add(self, where: str) -> None:
        self.first = self.first or where
        self.count += 1

    def tell(self, outcome: str) -> None:
        if self.count:
            more = f" ({self.count} in all)" if self.count > 1 else ""
            _complain(f"{self.first}: {self.what}, {outcome}{more}")


class _Job:
    """One output: its inputs are decoded and encoded, and errors of both are counted."""

    def __init__(self, options: argparse.Namespace) -> None:
        fallback = "fail" if options.fatal else "drop" if options.drop else None
        self.malformed: str = options.malformed or fallback or "replace"
        self.unmappable: str = options.unmappable or fallback or "html"
        self.target: Encoding = options.target
        self.options = options
        self.path = STANDARD
        self.read = 0  # bytes of this file, including the byte order mark
        self.source = UTF_8
        self.position = _Position()
        self.not_decoded = _Loss("malformed bytes")
        self.not_encoded = _Loss(f"not in {self.target.name}")
        codecs.register_error(_MALFORMED, self._on_malformed)
        codecs.register_error(_UNMAPPABLE, self._on_unmappable)
        self.encoder: _Encoder
        if self.target in _UTF_16:  # the standard has no encoder, but Python's is exact for text without surrogates
            self.encoder = codecs.getincrementalencoder("utf-16-le" if self.target is UTF_16LE else "utf-16-be")()
        else:
            self.encoder = self.target.codec_info.incrementalencoder(_UNMAPPABLE)
        if self.unmappable.startswith("replace:"):
            self._check_replacement(self.unmappable.partition(":")[2])

    def _check_replacement(self, text: str) -> None:
        try:
            if self.target.has_encoder:
                self.target.encode(text, "fatal")
        except UnicodeEncodeError:
            raise Refusal(f"--unmappable {self.unmappable}: {self.target.name} cannot encode that either") from None

    def run(self, paths: Iterable[str], file: BinaryIO, chunks: Callable[[str], Iterator[bytes]]) -> None:
        """Write the files to one output."""
        if getattr(self.options, "bom", False):
            file.write(self.encoder.encode(BYTE_ORDER_MARK))
        for path in paths:
            self.path = path
            self.position = _Position()
            for text in self._decoded(chunks(path)):
                file.write(self.encoder.encode(text))
                self.position.advance(text)
        file.write(self.encoder.encode("", True))

    def tell(self) -> None:
        """Report on standard error what was lost, if anything."""
        if self.options.quiet:
            return
        self.not_decoded.tell("replaced by U+FFFD" if self.malformed == "replace" else "left out")
        replacement = "&#decimal;" if self.unmappable == "html" else self.unmappable.partition(":")[2]
        self.not_encoded.tell(f"written as {replacement}" if replacement else "left out")

    def _decoded(self, chunks: Iterator[bytes]) -> Iterator[str]:
        self.source, self.read, chunks = _begin(chunks, self.options)
        decoder = self.source.codec_info.incrementaldecoder(_MALFORMED)
        for chunk in chunks:
            self.read += len(chunk)
            yield decoder.decode(chunk)
        yield decoder.decode(b"", True)

    def _on_malformed(self, error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        # The error's object is the pending bytes and the last chunk, so its end is the position in the input.
        offset = self.read + error.start - len(error.object)
        malformed = error.object[error.start : error.end].hex(" ").upper()
        where = f"{shown(self.path)}: byte {offset}: {malformed}"
        if self.malformed == "fail":
            raise Failure(f"{where}: {error.reason} ({self.source.name})")
        self.not_decoded.add(where)
        return "\ufffd" if self.malformed == "replace" else "", error.end

    def _on_unmappable(self, error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        character = error.object[error.start]
        if self.unmappable == "fail" or not self.not_encoded.count:
            position = _Position(self.position)
            position.advance(error.object[: error.start])
            where = f"{shown(self.path)}:{position.line}:{position.column}"
            if self.unmappable == "fail":
                raise Failure(f"{where}: {self.target.name} has no {_inspect.describe_character(character)}")
            self.not_encoded.add(f"{where}: {_inspect.describe_character(character)}")
        else:
            self.not_encoded.add("")
        if self.unmappable == "html":
            return f"&#{0xFFFD if character in _ISO_2022_JP_CONTROLS else ord(character)};", error.end
        return self.unmappable.partition(":")[2], error.end


def _recode(options: argparse.Namespace) -> int:
    if options.in_place is not None and STANDARD in options.files:
        options.parser.error("-i replaces files: name them")
    if getattr(options, "bom", False) and options.target not in (UTF_8, *_UTF_16):
        options.parser.error(f"--bom: {options.target.name} has no byte order mark")
    if options.source != AUTO and (options.detect or options.locale or options.content_type):
        options.parser.error("--detect, --locale and --content-type go with -f auto")
    with _chunks(options) as chunks:
        outputs = [(options.files, options.output)]
        if options.in_place is not None:
            outputs = [([path], path) for path in options.files]
        for paths, path in outputs:
            job = _Job(options)
            with output(path, backup=options.in_place or "") as file:
                job.run(paths, file, chunks)
            job.tell()
    return 0


def _validate(options: argparse.Namespace) -> int:
    status = 0
    with _chunks(options) as chunks:
        for path in options.files:
            count = _print_errors(path, chunks(path), options)
            if count:
                status = 1
                if options.quiet:
                    return status
                more = f", of which {options.max_errors} are printed; --max-errors 0 prints all"
                hidden = options.max_errors and count > options.max_errors
                _complain(f"{shown(path)}: {count} {'error' if count == 1 else 'errors'}{more if hidden else ''}")
    return status


def _print_errors(path: str, chunks: Iterator[bytes], options: argparse.Namespace) -> int:
    """Print the first errors of a file, at most ``--max-errors``, and return the number of all errors."""
    encoding, removed, rest = _begin(chunks, options)
    decoder = encoding.new_decoder()
    if options.quiet:
        for chunk, final in _marked(rest):
            decoder.decode(chunk, final)
            if decoder.error_count:
                break
        return decoder.error_count
    log = _inspect.ErrorLog(encoding)
    position = _Position()
    limit = options.max_errors or float("inf")
    count = printed = 0
    marked = _marked(rest)
    for chunk, final in marked:
        *runs, last = log.decode(chunk, final).split(log.MARK)
        for run, (offset, malformed, reason) in zip(runs, log.errors, strict=True):
            if printed == limit:
                break
            position.advance(run)
            print(
                f"{shown(path)}:{position.line}:{position.column}: byte {removed + offset}: "
                f"{malformed.hex(' ').upper()}: {reason} ({encoding.name})"
            )
            position.advance("\ufffd")
            printed += 1
        count += len(runs)
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


def _labels(options: argparse.Namespace) -> int:
    for encoding in options.encodings or ENCODINGS.values():
        print(encoding.name, *encoding.labels, sep="\t")
    return 0


def _explain(options: argparse.Namespace) -> int:
    try:
        checkout = _checkout.Checkout(options.checkout) if options.checkout else _checkout.find()
    except ValueError as error:
        return _complain(str(error), 2)
    lines: Iterator[str]
    if options.trace:
        if options.source is None:
            return _complain("--trace takes one encoding: name it with -f", 2)
        if checkout is None:
            return _complain(_checkout.NO_CHECKOUT, 2)
        source = options.text if options.bytes is None else options.bytes
        if options.bytes is None and not options.source.has_encoder:
            return _complain(f"{options.source.name} has no encoder", 2)
        lines = _inspect.trace(options.source, source, checkout)
    elif options.bytes is None:
        # The steps are shown only for a single encoding, since those of all encodings would hide the answer.
        encodings = [options.source] if options.source else ENCODINGS.values()
        known = checkout if options.source else None

        @functools.cache
        def described(character: str) -> list[str]:
            return list(_inspect.describe_in(encodings, character, known))

        lines = chain.from_iterable(map(described, options.text))
    elif options.source is None:
        lines = _inspect.describe_bytes_in_all(options.bytes)
    else:
        lines = _inspect.describe_bytes(options.source, options.bytes, checkout)
    for line in lines:
        print(line)
    return 0
