"""A file that a command edits: it is replaced by one that differs in the edited bytes only, or left as it is."""

from __future__ import annotations

import contextlib
import os
import stat

from .._edit.byte_exact import ByteExactText, EditRefusedError
from .._edit.difference import differences
from .arguments import AUTO, add_source, check_source, operand
from .input import Failure, Position, begin
from .output import Refusal, replacement, shown

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be replaced
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from .._edit.byte_exact import Errors
    from .arguments import Parser

_UNCHANGED = "the file is unchanged"
_SHOWN = 16  # bytes of a change that --dry-run prints


def add_arguments(command: Parser) -> None:
    """Add the arguments that editing commands have in common."""
    add_source(command, AUTO)
    help = "handling of a character that the encoding lacks: exit with 1 (fail), or write &#decimal; (html)"
    command.add_argument("--unmappable", choices=("fail", "html"), default="fail", metavar="MODE", help=help)
    command.add_argument("--dry-run", action="store_true", help="print the changed bytes, and write nothing")
    command.set_defaults(keep_bom=False)


class EditedFile:
    """A regular file and its text. Raise Refusal if it is not regular, and OSError if it cannot be read."""

    def __init__(self, path: str, options: argparse.Namespace) -> None:
        check_source(options)
        self.path = operand(path)
        self._errors: Errors = "html" if options.unmappable == "html" else "fatal"
        self._is_trial: bool = options.dry_run
        with _open_regular(self.path) as descriptor:
            self._status = os.fstat(descriptor)
            self._data = _content(descriptor)
        encoding, self._mark, _ = begin(iter([self._data]), options)
        self.document = ByteExactText(self._data, encoding)

    def change(self, edit: Callable[[ByteExactText, Errors], None]) -> None:
        """Call a function that edits the document, given the error mode, and write what it makes of it.

        Raise Failure, with line and column, for an edit that is not possible, and for a file that has changed.
        """
        try:
            edit(self.document, self._errors)
        except UnicodeEncodeError as error:
            from .explain import describe_character  # imported here, since few runs need it

            character = describe_character(error.object[error.start])
            raise self.failure(f"{character}: {error.reason}", error.object[: error.start]) from None
        except Failure as error:
            raise self.failure(str(error)) from None
        except EditRefusedError as error:
            raise self.failure(str(error), self.document.text[: error.start]) from None
        result = self.document.encode()
        if self._is_trial:
            self._print_changes(result)
        elif result != self._data:
            self._replace(result)

    def failure(self, message: str, before: str | None = None) -> Failure:
        """Return the exception for an edit that is not possible, located behind the text ``before``."""
        where = shown(self.path)
        if before is not None:
            position = Position()
            position.advance(before)
            where += f":{position.line}:{position.column}"
        return Failure(f"{where}: {message}; {_UNCHANGED}")

    def _replace(self, result: bytes) -> None:
        # Of several programs that come this far with the same file, one has the lock until it has replaced it. The
        # others then find another file under its name.
        with _open_regular(self.path) as descriptor, replacement(self.path) as file:
            file.write(result)
            file.flush()
            if fcntl is not None:
                with contextlib.suppress(OSError):  # the file system has no locks
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
            try:
                is_same = os.path.samestat(os.stat(self.path), self._status)
            except FileNotFoundError:
                is_same = False
            if not (is_same and os.path.samestat(os.fstat(descriptor), self._status)):
                raise self.failure("another program has replaced it meanwhile")
            if _content(descriptor) != self._data:
                raise self.failure("another program has changed it meanwhile")

    def _print_changes(self, result: bytes) -> None:
        """Print each range of bytes that differs, and what it becomes."""
        decoder = self.document.encoding.new_decoder()
        position, byte = Position(), self._mark
        for start, end, new_start, new_end in differences(self._data.decode("latin-1"), result.decode("latin-1")):
            position.advance(decoder.decode(self._data[byte:start]))
            byte = start
            old, new = _hex(self._data[start:end]), _hex(result[new_start:new_end])
            print(f"{shown(self.path)}:{position.line}:{position.column}: byte {start}: {old} -> {new}")


def _hex(data: bytes) -> str:
    more = f" … ({len(data)} bytes)" if len(data) > _SHOWN else ""
    return (data[:_SHOWN].hex(" ").upper() or "nothing") + more


@contextlib.contextmanager
def _open_regular(path: str) -> Iterator[int]:
    """Open a regular file for reading, without waiting as for a pipe, and yield its descriptor."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refusal(f"{shown(path)}: is not a regular file, and only those can be edited")
        yield descriptor
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", closefd=False) as file:
        return file.read()
