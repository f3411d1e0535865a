"""The command ``repair`` of the command line: mojibake in files becomes what was meant, and no other byte changes."""

from __future__ import annotations

import sys

from ..editing.byte_exact import ByteExactText
from ..editing.files import escaped
from .arguments import add_files, add_source, check_source
from .edit import EditedFile, add_unmappable
from .input import Failure, begin, for_each, located, open_input, replace_each
from .output import STANDARD, output, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from .._text.mojibake import Repaired
    from .arguments import Parser

_EPILOG = """\
what happens:
  Lines and words that were decoded with the wrong encoding, once or several
  times, become what was meant, where that is far likelier. All other bytes stay.
  The output is in the encoding of the input: mojibake in a file in windows-1252
  cannot become Japanese there, which is an error (decode the file first).

  With -i each file is replaced in one step, or unchanged: if the encoding lacks a
  character, and if the file changes meanwhile. The exit status is 1 then, and the
  other files are repaired all the same. A file without mojibake is not written.
"""


def add_arguments(command: Parser) -> None:
    add_files(command, "files to repair; '-' or none: standard input")
    help = "replace each file; with a SUFFIX in the same word (-i.orig), keep the old one under its name plus SUFFIX"
    command.add_argument("-i", "--in-place", nargs="?", const="", metavar="SUFFIX", help=help)
    command.add_argument("--dry-run", action="store_true", help="print the lines that change, and write nothing")
    add_unmappable(command)
    add_source(command)
    command.replaces = True
    command.set_defaults(run=_repair, keep_bom=False)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _repair(options: argparse.Namespace) -> int:
    check_source(options)
    if options.dry_run:
        return for_each(options.files, lambda path: _show(path, options))
    if options.in_place is None:
        with output(STANDARD):
            return for_each(options.files, lambda path: _write(path, options))

    def replace(path: str) -> None:
        edited = EditedFile(path, options)
        text = _repaired(edited.document).text
        edited.change(lambda document, errors: document.update(text, errors=errors))

    return replace_each(options, replace, "repaired")


def _document(path: str, options: argparse.Namespace) -> ByteExactText:
    with open_input(path) as file:
        data = file.readall()
    encoding, _, _ = begin(path, iter([data]), options)
    return ByteExactText(data, encoding)


def _repaired(document: ByteExactText) -> Repaired:
    from .. import repair  # imported here, since the help and the manual page do not need it

    return repair(document.text)


def _write(path: str, options: argparse.Namespace) -> int:
    document = _document(path, options)
    try:
        document.update(_repaired(document).text, errors="html" if options.unmappable == "html" else "fatal")
    except UnicodeEncodeError as error:
        from .explain import describe_character  # imported here, since few runs need it

        character = describe_character(error.object[error.start])
        where = located(path, error.object[: error.start])
        raise Failure(f"{where}: {character}: {error.reason}") from None
    sys.stdout.buffer.write(document.encode())
    return 0


def _show(path: str, options: argparse.Namespace) -> int:
    """Print each line that changes, what it becomes, and what had happened."""
    document = _document(path, options)
    repaired = _repaired(document)
    lines = zip(document.text.split("\n"), repaired.text.split("\n"), strict=True)  # no line is added or removed
    for number, (before, after) in enumerate(lines, 1):
        if before != after:
            print(f"{shown(path)}:{number}: {escaped(before)}\n{shown(path)}:{number}: -> {escaped(after)}")
    for read_as, was in repaired.steps:
        print(f"{shown(path)}: {was} was read as {read_as}")
    return 0
