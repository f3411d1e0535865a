"""The commands ``decode``, ``encode`` and ``recode`` of the command line."""

from __future__ import annotations

import argparse
import codecs
import contextlib

from .. import UTF_8, UTF_16BE, UTF_16LE, Encoding
from .._native.core import count_unmappable, new_decoder_with_handler, new_encoder_with_handler
from ..editing import Refusal, replacement
from ..files import quote
from ..malformed import FileDecodeError, Position, Recorder
from .arguments import (
    add_destination,
    add_files,
    add_keep_bom,
    add_source,
    check_source,
    file_label,
)
from .decision import AUTO
from .input import Failure, begin, located, open_chunks, refusing, replace_each, with_end
from .output import STANDARD, complain, output, overwrites, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, Literal, Protocol

    from .. import MalformedAt
    from .arguments import Parser

    class _Encoder(Protocol):
        def encode(self, text: str, final: bool = False, /) -> bytes: ...


BYTE_ORDER_MARK = "\ufeff"
_UTF_16 = (UTF_16BE, UTF_16LE)
OUTCOMES = """\
what can happen:
  Malformed bytes become U+FFFD, and a character that the output lacks becomes
  &#decimal;, unless --malformed, --unmappable, -c or --fatal says otherwise.
  The position of the first error and the count are reported. The exit status is
  0.

  If the output replaces an input (-i, or -o with its name), both are refused
  and the file stays unchanged, unless you pass such an option or keep a backup
  (-i.orig). Only regular files with one hard link are replaced, and existing
  backups never are. A file that would not change is not written. If a file
  fails, -i continues with the others, and a last line and the exit status
  report it. If a name is not that of a file, no file is changed.

  With -f auto, binary data is refused, unless you pass --text or an encoding.

  Without -i, the files are joined, and the first failure ends the program.
"""
_REPLACES = "whatwg_encoding.cli.replaces"


class _Loss:
    """The number of errors of one kind, and the location of the first one."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.count = 0
        self.first = ""

    def add(self, where: str, count: int = 1) -> None:
        self.first = self.first or where
        self.count += count

    def report(self, outcome: str, advice: str = "") -> None:
        if self.count:
            more = f" ({self.count} in all)" if self.count > 1 else ""
            complain(f"{self.first}: {self.what}, {outcome}{more}{advice}")


class _Job:
    """One output: its inputs are decoded and encoded, and errors of both are counted.

    ``guarded``: the output replaces the only copy of an input, and so an error is a failure if no option says what to
    do.
    """

    def __init__(self, options: argparse.Namespace, guarded: bool) -> None:
        fallback = "fail" if options.fatal else "drop" if options.drop else "refuse" if guarded else None
        self.malformed: str = options.malformed or fallback or "replace"
        self.unmappable: str = options.unmappable or fallback or "html"
        self.target: Encoding = options.target
        self.options = options
        self.path = STANDARD
        self.source = UTF_8
        self.position = Position()
        self.not_decoded = _Loss("malformed bytes")
        self.not_encoded = _Loss(f"not in {self.target.name}")
        self.encoder: _Encoder
        if self.target in _UTF_16:  # the standard has no encoder, but Python's is exact for text without surrogates
            self.encoder = codecs.getincrementalencoder("utf-16-le" if self.target is UTF_16LE else "utf-16-be")()
        elif self.unmappable in ("html", "fail", "refuse"):
            self.encoder = self.target.new_encoder("html" if self.unmappable == "html" else "fatal")
        elif self.unmappable == "drop":
            self.encoder = new_encoder_with_handler(self.target, "ignore")
        else:
            text = self.unmappable.partition(":")[2]
            try:
                self.target.encode(text, "fatal")
            except UnicodeEncodeError:
                raise Refusal(f"--unmappable {self.unmappable}: {self.target.name} cannot encode that either") from None
            codecs.register_error(_REPLACES, lambda error: (text, error.end))  # type: ignore[attr-defined]
            self.encoder = new_encoder_with_handler(self.target, _REPLACES)

    def write(self, paths: Iterable[str], file: BinaryIO, chunks: Callable[[str], Iterator[bytes]]) -> None:
        """Write the files to one output."""
        if self.options.bom:
            file.write(self.encoder.encode(BYTE_ORDER_MARK))
        for path in paths:
            self.path = path
            self.position = Position()
            for text in self._decoded(chunks(path)):
                file.write(self._encode(text))
                self.position.advance(text)
        file.write(self.encoder.encode("", True))

    def report(self) -> None:
        """Report on standard error what was lost, if anything."""
        if self.options.quiet:
            return
        outcome = "replaced by U+FFFD" if self.malformed == "replace" else "left out"
        self.not_decoded.report(outcome, self._advice)
        replacement = "&#decimal;" if self.unmappable == "html" else self.unmappable.partition(":")[2]
        self.not_encoded.report(f"written as {replacement}" if replacement else "left out")

    def _decoded_by_line(self, chunks: Iterator[bytes]) -> Iterator[str]:
        """Yield the text of an input of which each line is in UTF-8 or in one other encoding."""
        from .. import LineDecoder

        given = None if self.options.source in (AUTO, UTF_8) else self.options.source
        lines = LineDecoder(
            given,
            self._errors,
            looks_for_mixtures=not self.options.text,
            keeps_bom=self.options.keep_bom,
            exclude=self.options.exclude,
            candidates=self.options.candidates,
        )
        for chunk, final in with_end(chunks):
            with self._reporting(), refusing(self.path):
                data = lines.feed(chunk, final)
            yield UTF_8.decode(data)
        if self.options.verbose:
            complain(f"{shown(self.path)}: UTF-8, and {lines.encoding.name} in other lines")
        self._count(lines.error_count, lines.first_errors)

    def _decoded(self, chunks: Iterator[bytes]) -> Iterator[str]:
        if self.options.by_line:
            yield from self._decoded_by_line(chunks)
            return
        self.source, removed, chunks = begin(self.path, chunks, self.options)
        recorder = Recorder(self.source, self._errors, removed, 1)
        for chunk, final in with_end(chunks):
            state, before = recorder.decoder.getstate(), recorder.errors
            with self._reporting():
                text = recorder.decode(chunk, final)
            if (count := recorder.errors - before) != 0:
                self._count(count, recorder.first_errors)
                if self.malformed == "drop":
                    dropping = new_decoder_with_handler(self.source, "ignore")
                    dropping.setstate(state)
                    text = dropping.decode(chunk, final)
            yield text

    @property
    def _errors(self) -> Literal["replacement", "fatal"]:
        return "fatal" if self.malformed in ("fail", "refuse") else "replacement"

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        """Raise Failure for malformed bytes that are not to be replaced."""
        try:
            yield
        except FileDecodeError as error:
            where = self._place(error.offset, error.object[error.start : error.end])
            consent = self._consent(self.malformed, "malformed")
            raise Failure(f"{where}: {error.reason} ({error.encoding}){consent}{self._advice}") from None

    @property
    def _advice(self) -> str:
        finds = self.options.by_line or getattr(self.options, "is_source_given", True)
        return "" if finds else "; try -f auto"

    def _count(self, count: int, first_errors: tuple[MalformedAt, ...]) -> None:
        for error in first_errors[:1]:
            self.not_decoded.add(self._place(error.offset, error.bytes), count)

    def _place(self, offset: int, malformed: bytes) -> str:
        return f"{shown(self.path)}: byte {offset}: {malformed.hex(' ').upper()}"

    def _consent(self, mode: str, option: str) -> str:
        if mode == "fail":
            return ""
        return f"; the file is unchanged: pass --{option} or keep a backup (-i.orig)"

    def _encode(self, text: str) -> bytes:
        """Return the bytes of a text. The engine counts what it lacks, and the place of the first alone is found."""
        try:
            data = self.encoder.encode(text)
        except UnicodeEncodeError as error:
            consent = self._consent(self.unmappable, "unmappable")
            raise Failure(f"{self._unmappable_at(text, error.start, f'{self.target.name} has no ')}{consent}") from None
        if self.target in (UTF_8, *_UTF_16):
            return data
        # Without a reference nothing was replaced by one.
        if self.unmappable == "html" and self.target.is_ascii_compatible and b"&#" not in data:
            return data
        if (count := count_unmappable(self.target, text)) != 0:
            where = ""
            if not self.not_encoded.count:
                try:
                    self.target.encode(text, "fatal")
                except UnicodeEncodeError as error:
                    where = self._unmappable_at(text, error.start)
            self.not_encoded.add(where, count)
        return data

    def _unmappable_at(self, text: str, start: int, says: str = "") -> str:
        from .explain import describe_character  # imported here, since few runs need it

        return f"{located(self.path, text[:start], self.position)}: {says}{describe_character(text[start])}"


def _recode(options: argparse.Namespace) -> int:
    in_place = options.in_place is not None
    if options.bom and not options.target.name.startswith("UTF-"):
        wrong_usage(options, f"--bom: {options.target.name} has no byte order mark")
    check_source(options)
    if (options.by_line and options.malformed == "drop") or (
        options.by_line and options.drop and not options.malformed
    ):
        wrong_usage(options, "--by-line replaces malformed bytes or fails: it does not drop them")
    with open_chunks(options, in_place or options.output != STANDARD) as chunks:
        if not in_place:
            replaces = overwrites(options.output, options.files)
            job = _Job(options, replaces)
            with output(options.output, keeps_same=replaces) as file:
                job.write(options.files, file, chunks)
            job.report()
            return 0

        def replace(path: str) -> None:
            job = _Job(options, not options.in_place)
            with replacement(path, backup=options.in_place) as file:
                job.write([path], file, chunks)
            job.report()

        return replace_each(options, replace, "decoded")


def _target(text: str) -> Encoding:
    encoding = file_label(text)
    if not encoding.has_encoder:
        way = "; recode writes it" if encoding in _UTF_16 else ""
        raise argparse.ArgumentTypeError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_encoding.name}{way}"
        )
    return encoding


def _any_target(text: str) -> Encoding:
    """Return a target of recode, which may also be UTF-16BE/LE."""
    return encoding if (encoding := file_label(text)) in _UTF_16 else _target(text)


def _unmappable(text: str) -> str:
    if text in ("html", "fail", "drop") or (text.startswith("replace:") and len(text) > len("replace:")):
        return text
    raise argparse.ArgumentTypeError(f"{quote(text)} is not one of html, fail, drop and replace:TEXT")


def add_decode(command: Parser) -> None:
    add_source(command)
    help = "decide for each line: UTF-8 if it is valid, else the encoding of -f, or the one found for all such lines"
    command.add_argument("--by-line", action="store_true", help=help)
    command.set_defaults(target=UTF_8, bom=False)
    _add_rest(command)


def add_encode(command: Parser) -> None:
    _add_target(command, _target)
    command.set_defaults(source=UTF_8, kind=None, content_type=None, tld=None, locale=None, detect=False, bom=False)
    command.set_defaults(exclude=[], candidates=None, text=False, verbose=False, dos=False, by_line=False)
    _add_rest(command)


def add_recode(command: Parser) -> None:
    add_source(command)
    _add_target(command, _any_target)
    command.set_defaults(by_line=False)
    command.add_argument("--bom", action="store_true", help="write a byte order mark, in UTF-8, UTF-16 or UTF-32")
    _add_rest(command)


def _add_target(command: Parser, type: Callable[[str], Encoding]) -> None:
    help = "encoding of the output"
    command.add_argument("-t", "--to", dest="target", type=type, required=True, metavar="LABEL", help=help)


def _add_rest(command: Parser) -> None:
    add_keep_bom(command)
    help = "what to do with malformed bytes: write U+FFFD (replace), drop them (drop), or exit with 1 (fail)"
    command.add_argument("--malformed", choices=("replace", "drop", "fail"), metavar="MODE", help=help)
    help = "what to do with a character that the output lacks: write &#decimal; (html) or another text (replace:TEXT),"
    help += " drop it (drop), or exit with 1 (fail)"
    command.add_argument("--unmappable", type=_unmappable, metavar="MODE", help=help)
    command.add_argument("--fatal", action="store_true", help="same as --malformed fail --unmappable fail")
    command.add_argument("-c", dest="drop", action="store_true", help="same as --malformed drop --unmappable drop")
    command.add_argument("-q", "--quiet", action="store_true", help="do not report what was lost")
    add_destination(command)
    add_files(command, "files to read and join, in this order; '-' or none: standard input")
    command.set_defaults(run=_recode)
    command.epilog = f"{OUTCOMES}\n{command.epilog}"
