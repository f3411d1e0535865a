"""The command ``edit`` of the command line: an editor, or another command, changes a file's text as UTF-8."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile

from .._labels import UTF_8
from .arguments import operand
from .edited import EditedFile, add_arguments
from .input import complain
from .output import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from .arguments import Parser

_EPILOG = """\
what happens:
  The editor, $VISUAL or $EDITOR, or COMMAND gets a copy of FILE in UTF-8, without
  a byte order mark. What it changes there is changed in FILE; all other bytes of
  FILE stay, also those that the encoding writes in another way, or not at all.
  Malformed bytes are U+FFFD in the copy.

  In COMMAND, {} is the copy's name; without it, the name is the last argument:
    whatwg-encoding edit legacy.c -- sed -i 's/foo/bar/' {}

  FILE is unchanged, and the exit status is 1, if the command fails, if FILE
  changes meanwhile, and for a character that the encoding lacks. The copy from
  an editor is kept then.
"""
_COPY = "{}"


def add_edit(command: Parser) -> None:
    """Add the arguments of ``edit``."""
    add_arguments(command)
    command.add_argument("file", metavar="FILE", help="a regular file")
    command.add_argument("command", nargs="*", metavar="COMMAND", help="after --, with its arguments")
    command.set_defaults(run=_edit)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _edit(options: argparse.Namespace) -> int:
    edited = EditedFile(options.file, options)
    words = [operand(word) for word in options.command]
    is_editor = not words
    if is_editor:
        words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi", posix=os.name == "posix")
    folder = tempfile.mkdtemp(prefix="whatwg-encoding-")  # accessible to its owner only
    copy = os.path.join(folder, os.path.basename(os.path.realpath(edited.path)))
    is_needed = False
    try:
        before = UTF_8.encode(edited.document.text)
        with open(copy, "wb") as file:
            file.write(before)
        named = [word.replace(_COPY, copy) for word in words]
        _run(edited, named if named != words else [*words, copy])
        try:
            with open(copy, "rb") as file:
                after = file.read()
        except FileNotFoundError:
            raise edited.failure(f"{escaped(words[0])} has removed its copy") from None
        if after != before:
            is_needed = is_editor
            _take(edited, after)
            is_needed = False
    finally:
        if is_needed:
            complain(f"what you wrote is in {copy}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def _run(edited: EditedFile, words: list[str]) -> None:
    """Run a command and wait for it. Raise Failure if it fails."""
    name = escaped(words[0])
    with _interrupts_left_to_it():
        try:
            status = subprocess.run(words, check=False).returncode
        except OSError as error:
            raise edited.failure(f"{name}: {error.strerror}") from None
    if status < 0:
        raise edited.failure(f"{name} was ended by signal {-status}")
    if status:
        raise edited.failure(f"{name} has failed with status {status}")


@contextlib.contextmanager
def _interrupts_left_to_it() -> Iterator[None]:
    """Ignore SIGINT in this program, since an editor handles it; a handler, unlike SIG_IGN, is not inherited."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _take(edited: EditedFile, copy: bytes) -> None:
    """Change the file as its copy was changed."""
    try:
        text = UTF_8.decode(copy, "fatal")
    except UnicodeDecodeError as error:
        malformed = copy[error.start : error.end].hex(" ").upper()
        raise edited.failure(f"the edited copy is not UTF-8: {malformed}", UTF_8.decode(copy[: error.start])) from None
    if text.startswith("\ufeff") and not edited.document.text.startswith("\ufeff"):
        text = text[1:]  # a mark that the editor has added

    edited.change(lambda document, errors: document.update(text, errors=errors))
