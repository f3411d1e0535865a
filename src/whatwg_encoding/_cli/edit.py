"""The commands ``edit`` and ``replace`` of the command line: a file's text is changed, and no other byte of it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import sys
from functools import lru_cache
from itertools import islice

from .. import UTF_8
from ..editing import (
    AT_ONCE,
    DOUBT,
    ByteExactText,
    Changed,
    EditRefusedError,
    Refusal,
    byte_changes,
    encode_anew,
    escaped,
    guessed,
    narrowed,
    refuse_read_only,
    replace_content,
    replace_everywhere,
)
from ..files import quote
from ..malformed import Position
from .arguments import add_source, check_source, count, operand
from .decision import AUTO
from .input import Failure, begin, for_each, located, progress, refuse_what_is_no_file
from .output import complain, place, show, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator
    from subprocess import Popen
    from typing import TypeAlias

    from ..editing import Errors
    from ..sniff import Sniffed
    from .arguments import Parser

    Range: TypeAlias = tuple[int, int, str]

_EDIT_EPILOG = """\
what happens:
  $VISUAL, $EDITOR or COMMAND edits a copy of FILE in UTF-8, without a byte
  order mark and with U+FFFD for malformed bytes. Its changes are made in FILE,
  whose other bytes stay, even if the encoding would write them differently or
  not at all.

  In COMMAND, {} is the copy's name; without it, the name is the last argument:
    whatwg-encoding edit legacy.c -- sed -i 's/foo/bar/' {}

  If the command fails, FILE changes meanwhile or the encoding lacks a
  character, FILE stays unchanged and the exit status is 1. What you wrote is
  then kept, also if a signal ends the program, and a message names the file.
"""
_REPLACE_EPILOG = """\
what happens:
  Each file is replaced in one step. If a file does not contain OLD, if the
  encoding lacks a character of NEW, or if the file changes meanwhile, it stays
  unchanged and the exit status is 1. The other files are edited anyway.
"""
_COPY = "{}"
_UNCHANGED = "the file is unchanged"
_GRACE = 2  # seconds in which an editor may end after a signal
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_SHOWN = 16  # bytes of a change that --dry-run prints


def add_edit(command: Parser) -> None:
    _add_arguments(command)
    command.add_argument("file", metavar="FILE", help="a regular file")
    help = "the program that edits the copy, with its arguments, after --"
    command.add_argument("command", nargs="*", metavar="COMMAND", help=help)
    command.set_defaults(run=_edit)
    command.separates = "COMMAND"
    command.epilog = f"{_EDIT_EPILOG}\n{command.epilog}"


def add_replace(command: Parser) -> None:
    _add_arguments(command)
    help = "replace at most this many occurrences in each file; 0 (the default): all of them"
    command.add_argument("--count", type=count, default=0, metavar="COUNT", help=help)
    help = "OLD is a regular expression as in Python, in which ^ and $ match at the ends of the file; NEW may contain"
    help += " \\1 or \\g<name> for its groups"
    command.add_argument("--regex", action="store_true", help=help)
    help = "with --regex: ^ and $ match at the ends of each line"
    command.add_argument("--multiline", action="store_true", help=help)
    command.add_argument("old", metavar="OLD", help="the text to replace; without --regex, \\n is a backslash and an n")
    command.add_argument("new", metavar="NEW", help="the text to write instead")
    command.add_argument("files", nargs="+", metavar="FILE", help="a regular file")
    command.set_defaults(run=_replace)
    command.epilog = f"{_REPLACE_EPILOG}\n{command.epilog}"


def _add_arguments(command: Parser) -> None:
    """Add the arguments that both commands have."""
    add_source(command, AUTO)
    add_unmappable(command)
    command.add_argument("--dry-run", action="store_true", help="print the bytes that would change, and write nothing")
    command.set_defaults(keep_bom=False)


def add_unmappable(command: Parser) -> None:
    help = "what to do with a character that the encoding lacks: exit with 1 (fail), or write &#decimal; (html)"
    command.add_argument("--unmappable", choices=("fail", "html"), default="fail", metavar="MODE", help=help)


# --- A file that is edited ---


class EditedFile:
    """A regular file and its text. Raise Refusal if it is not regular, and OSError if it cannot be read."""

    def __init__(self, path: str, options: argparse.Namespace) -> None:
        check_source(options)
        self.path = operand(path)
        self._errors: Errors = "html" if options.unmappable == "html" else "fatal"
        self.is_trial: bool = options.dry_run
        self._backup: str = getattr(options, "in_place", None) or ""
        if not stat.S_ISREG(os.stat(self.path).st_mode):
            raise Refusal(f"{shown(self.path)}: is not a regular file, and only those can be edited")
        with open(os.open(self.path, AT_ONCE), "rb") as file:
            self._status = os.fstat(file.fileno())
            if not self.is_trial:  # before somebody has written anything
                refuse_read_only(self.path, self._status)
            self._data = file.read()
        decisions: list[Sniffed] = []
        encoding, self._mark, _ = begin(self.path, iter([self._data]), options, decisions)
        limits = tuple(options.exclude), options.candidates
        self._guess = guessed(self._data, decisions[0], *limits) if decisions else None
        self.document = ByteExactText(self._data, encoding)
        self._former = self.document.text

    def change(self, ranges: Iterable[Range], edit: Callable[[ByteExactText, Errors], object] | None = None) -> None:
        """Replace ranges of the text, or call a function that does so faster, and write what becomes of the document.

        With --dry-run, print each change as soon as it is known. Raise Failure, with line and column, for an edit that
        is not possible, and for a file that has changed.
        """
        document, errors = self.document, self._errors
        try:
            if self.is_trial:
                self._print_changes(byte_changes(document, ranges, errors=errors))
                return
            if edit is not None:
                edit(document, errors)
            else:
                document.replace_ranges(ranges, errors=errors)
        except UnicodeEncodeError as error:
            from .explain import describe_character  # imported here, since few runs need it

            character = error.object[error.start]
            if self._guess is not None:
                line = error.object.count("\n", 0, error.start)
                self._refuse_if(self._guess.doubt_of_characters({character}, line))
            raise self.failure(
                f"{describe_character(character)}: {error.reason}", error.object[: error.start]
            ) from None
        except EditRefusedError as error:
            raise self.failure(str(error), document.text[: error.start]) from None
        result = document.encode()
        if result != self._data:
            try:
                replace_content(self.path, self._data, result, read=self._status, backup=self._backup)
            except Changed as error:
                raise self.failure(str(error)) from None

    def refuse_doubtful_changes(self, ranges: Iterable[Range]) -> None:
        """Raise Failure if the encoding is a guess that decides which bytes are written for ranges of the text."""
        if self._guess is not None:
            self._refuse_if(self._guess.doubt_of_changes(self.document.text, ranges))

    def _refuse_if(self, doubt: str) -> None:
        if doubt:
            raise Failure(
                f"{shown(self.path)}: {DOUBT}; name it with -f. {_UNCHANGED.capitalize()}, which is in one of these:\n"
                f"{doubt}"
            )

    def failure(self, message: str, before: str | None = None) -> Failure:
        """Return the exception for an edit that is not possible, located after the text ``before``."""
        where = shown(self.path) if before is None else located(self.path, before)
        return Failure(f"{where}: {message}; {_UNCHANGED}")

    def _print_changes(self, changes: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Print each range of bytes that changes, and what it becomes."""
        decoder = self.document.encoding.new_decoder()
        position, byte = Position(), self._mark
        for start, old, new in changes:
            position.advance(decoder.decode(self._data[byte:start]))
            byte = start
            show(f"{place(self.path, position.line, position.column)}: byte {start}: {_hex(old)} -> {_hex(new)}")


@lru_cache(maxsize=8)
def _hex(data: bytes) -> str:
    more = f" … ({len(data)} bytes)" if len(data) > _SHOWN else ""
    return (data[:_SHOWN].hex(" ").upper() or "nothing") + more


# --- edit ---


def _edit(options: argparse.Namespace) -> int:
    edited = EditedFile(options.file, options)
    command = [operand(word) for word in options.command]
    words = command or _editor()
    before = UTF_8.encode(edited.document.text)
    with _copy_of(edited.path, before) as (copy, processes):
        named = [word.replace(_COPY, copy) for word in words]
        _run(edited, named if named != words else [*words, copy], processes)
        try:
            with open(copy, "rb") as file:
                after = file.read()
        except FileNotFoundError:
            raise edited.failure(f"{escaped(words[0])} has removed its copy") from None
        if after != before:
            _take(edited, after)
    return 0


def _editor() -> list[str]:
    """Return the words of the editor's command; raise Refusal if they cannot be told apart."""
    import shlex  # imported here, since replace does not need it

    for variable in ("VISUAL", "EDITOR"):
        value = os.environ.get(variable, "")
        try:
            words = shlex.split(value, posix=os.name == "posix")
        except ValueError as error:
            raise Refusal(f"${variable} is {quote(value)}: {str(error).lower()}; {_UNCHANGED}") from None
        if words:
            return words
    return ["vi"]


@contextlib.contextmanager
def _copy_of(path: str, content: bytes) -> Iterator[tuple[str, list[Popen[bytes]]]]:
    """Make a copy of a file in a folder of its own, and yield its path and a list for the programs that edit it.

    Remove the folder at the end. After an exception keep it, and say so, if there may be work in it: if the copy was
    changed, if there are other files, such as an editor leaves when it is killed, or if one of the programs still runs.
    """
    import shutil  # these modules are imported here, since replace does not need them
    import tempfile

    folder = tempfile.mkdtemp(prefix="whatwg-encoding-")  # accessible to its owner only
    copy = os.path.join(folder, os.path.basename(os.path.realpath(path)))
    processes: list[Popen[bytes]] = []
    try:
        with open(copy, "wb") as file:
            file.write(content)
        yield copy, processes
    except BaseException:
        place = _place_of_work(folder, copy, content)
        if place is None and any(process.poll() is None for process in processes):
            place = copy
        if place is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            with contextlib.suppress(OSError, ValueError):  # the terminal is gone
                complain(f"what you wrote is in {place}")
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _place_of_work(folder: str, copy: str, content: bytes) -> str | None:
    """Return the copy if it was changed, the folder if there are other files in it, else None."""
    with contextlib.suppress(FileNotFoundError), open(copy, "rb") as file:
        if file.read() != content:
            return copy
    return folder if {*os.listdir(folder)} - {os.path.basename(copy)} else None


def _run(edited: EditedFile, words: list[str], processes: list[Popen[bytes]]) -> None:
    """Run a command and wait for it. Raise Failure if it fails.

    A signal that ends this program ends it, too.
    """
    import subprocess

    name = escaped(words[0])
    if not name:
        raise edited.failure("the name of the command is empty")
    with _signals_left_to(processes) as received:
        try:
            processes.append(subprocess.Popen(words))
        except OSError as error:
            raise edited.failure(f"{name}: {error.strerror}") from None
        if received:  # before there was a process
            sys.exit(128 + received[0])
        status = processes[0].wait()
    if status < 0:
        raise edited.failure(f"{name} was ended by signal {-status}")
    if status:
        raise edited.failure(f"{name} has failed with status {status}")


@contextlib.contextmanager
def _signals_left_to(processes: list[Popen[bytes]]) -> Iterator[list[int]]:
    """Ignore SIGINT in this program, since an editor handles it, and pass on the signals that end this program.

    The editor may then save what it has. Its signals are as usual: it inherits SIG_IGN, but not a handler. Yield the
    list of those received that end this program; SystemExit is raised once there is a process.
    """
    import subprocess

    received: list[int] = []

    def leave(number: int, _frame: object) -> None:
        received.append(number)
        if processes:
            sys.exit(128 + number)

    handlers = {signal.SIGINT: lambda *_: None}
    handlers |= {number: leave for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield received
    except SystemExit:
        processes[0].send_signal(received[0])
        with contextlib.suppress(subprocess.TimeoutExpired):
            processes[0].wait(_GRACE)
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _take(edited: EditedFile, copy: bytes) -> None:
    """Change the file as its copy was changed."""
    try:
        text = UTF_8.decode(copy, "fatal")
    except UnicodeDecodeError as error:
        malformed = copy[error.start : error.end].hex(" ").upper()
        raise edited.failure(f"the edited copy is not UTF-8: {malformed}", UTF_8.decode(copy[: error.start])) from None
    if text.startswith("\ufeff") and not edited.document.text.startswith("\ufeff"):
        text = text[1:]  # a mark that the editor has added
    former = edited.document.text
    changes = [(0, len(former), text)]
    edited.refuse_doubtful_changes(changes)
    edited.change(narrowed(former, changes) if edited.is_trial else changes)


# --- replace ---


def _replace(options: argparse.Namespace) -> int:
    old = operand(options.old)
    if not old:
        wrong_usage(options, "OLD is empty")
    if options.multiline and not options.regex:
        wrong_usage(options, "--multiline needs --regex")
    try:
        pattern = re.compile(old if options.regex else re.escape(old), re.MULTILINE if options.multiline else 0)
    except re.error as error:
        wrong_usage(options, f"--regex: OLD: {error}")
    refuse_what_is_no_file(options.files)

    def replace(path: str) -> int:
        _replace_in(EditedFile(path, options), pattern, options)
        return 0

    return for_each(options.files, replace, "failed and are unchanged")


def _replace_in(edited: EditedFile, pattern: re.Pattern[str], options: argparse.Namespace) -> None:
    old, new, text = operand(options.old), operand(options.new), edited.document.text
    has_groups = options.regex and "\\" in new

    def ranges() -> Iterator[Range]:
        for match in islice(pattern.finditer(text), options.count or None):
            yield match.start(), match.end(), match.expand(new) if has_groups else new

    try:
        first = next(ranges(), None)
    except (re.error, IndexError) as error:
        raise edited.failure(f"--regex: NEW: {error}") from None
    if first is None:
        is_of_lines = options.regex and not options.multiline and re.search(old, text, re.MULTILINE)
        hint = "; with --multiline it has: ^ and $ are the ends of the file otherwise" if is_of_lines else ""
        raise edited.failure(f"does not contain {quote(old)}{hint or ('' if options.regex else _hint(old))}")

    def replace(document: ByteExactText, errors: Errors) -> None:
        with progress(len(text), " characters") as advance:
            if not options.regex and not options.count:
                replace_everywhere(document, old, new, errors=errors, advance=advance)
            elif not encode_anew(document, pattern.sub(new if options.regex else lambda _: new, text, options.count)):
                document.replace_ranges(_advancing(ranges(), advance), errors=errors)

    edited.refuse_doubtful_changes(ranges() if options.regex else [first])
    edited.change(ranges(), replace)


def _advancing(ranges: Iterable[Range], advance: Callable[[int], object]) -> Iterator[Range]:
    done = 0
    for change in ranges:
        yield change
        advance(change[1] - done)
        done = change[1]


def _hint(old: str) -> str:
    """Return what may have been meant by text that a file does not have."""
    escape = re.search(r"\\[nrt]", old)
    return f"; {escape[0]} is two characters: with --regex it is one" if escape else ""
