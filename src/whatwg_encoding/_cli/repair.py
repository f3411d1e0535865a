"""The command ``repair`` of the command line: mojibake in files becomes what was meant, and no other byte changes."""

from __future__ import annotations

from ..editing import ByteExactText, differences, escaped
from .arguments import add_destination, add_files, add_source, check_source
from .edit import EditedFile, add_unmappable
from .input import Failure, begin, for_each, located, open_input, replace_each
from .output import STANDARD, output, overwrites, place, show, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import BinaryIO

    from .. import Repaired
    from ..editing import Errors
    from .arguments import Parser

_EPILOG = """\
what happens:
  Lines and words that were UTF-8 and were decoded with another encoding, once
  or several times, are restored if the result is far likelier, and so are whole
  sentences that were in another encoding, unless you pass --no-legacy. All
  other bytes stay. Read what changes before you keep it.

  The output is in the encoding of the input. Mojibake in a file in windows-1252
  cannot become Japanese there, which is an error. Decode the file first.

  A line about mojibake stays. Such a line names an encoding, quotes nothing but
  one misread character, or also contains the right form. In a file of source
  code, judged by its name, quoted mojibake stays as well.

  With -i, each changed line is printed, the old file is kept as FILE.orig, and
  each file is replaced in one step. If the encoding lacks a character, or if
  the file changes meanwhile, the file stays unchanged and the exit status is 1.
  The other files are repaired anyway. A file without mojibake is not written.
"""
_BACKUP = ".orig"
# Suffixes of files whose string literals may have mojibake on purpose.
_SUFFIXES = """
awk bash bat c cc cfg clj cpp cs css cxx dart el ex fs go groovy h hh hpp hs java jl js jsx kt lisp lua m mjs ml mm nim
php pl pm ps1 py pyi pyx r rb rs sass scala scm scss sed sh sql swift tcl ts tsx vb vim zig zsh
"""
_SOURCE_CODE = frozenset(_SUFFIXES.split())


def add_arguments(command: Parser) -> None:
    add_files(command, "files to repair; '-' or none: standard input")
    help = "replace each file, and keep the old one under its name plus .orig, or a SUFFIX in the same word (-i.bak)"
    add_destination(command, help)
    command.add_argument("--no-backup", action="store_true", help="with -i: do not keep the old file")
    help = "repair only text that was in UTF-8"
    command.add_argument("--no-legacy", dest="legacy", action="store_false", help=help)
    command.add_argument("--dry-run", action="store_true", help="print the lines that would change, and write nothing")
    add_unmappable(command)
    add_source(command)
    command.set_defaults(run=_repair, keep_bom=False)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _repair(options: argparse.Namespace) -> int:
    check_source(options)
    if options.no_backup and (options.in_place is None or options.in_place):
        wrong_usage(options, "--no-backup is for -i without a suffix")
    if options.dry_run:
        return for_each(options.files, lambda path: _show(path, options))
    if options.in_place is None:
        return _write_all(options)
    if not options.in_place and not options.no_backup:
        options.in_place = _BACKUP

    def replace(path: str) -> None:
        edited = EditedFile(path, options)
        before = edited.document.text
        repaired = _repaired(path, edited.document, options)
        changes = list(_changed_lines(before, repaired.text))
        edited.refuse_doubtful_changes(changes)
        edited.change(changes)
        count = _print_changes(path, before, repaired)
        if count:
            kept = f"; the old file is {shown(path + options.in_place)}" if options.in_place else ""
            show(f"{shown(path)}: repaired {count} line{'s' if count > 1 else ''}{kept}")

    return replace_each(options, replace, "repaired")


def _document(path: str, options: argparse.Namespace) -> ByteExactText:
    with open_input(path) as file:
        data = file.readall()
    encoding, _, _ = begin(path, iter([data]), options)
    return ByteExactText(data, encoding)


def _repaired(path: str, document: ByteExactText, options: argparse.Namespace) -> Repaired:
    from .. import repair  # imported here, since the help and the manual page do not need it

    repaired = repair(document.text, legacy=options.legacy)
    if path.rpartition(".")[2].lower() not in _SOURCE_CODE or not repaired.steps:
        return repaired
    lines = zip(document.text.split("\n"), repaired.text.split("\n"), strict=True)  # no line is added or removed
    text = "\n".join(before if before != after and _is_quoted(before, after) else after for before, after in lines)
    return repaired._replace(text=text, steps=() if text == document.text else repaired.steps)


def _changed_lines(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each line begins and ends that was repaired, and what it becomes: no line is added or removed."""
    start = 0
    for former, line in zip(before.split("\n"), after.split("\n"), strict=True):
        if former != line:
            yield start, start + len(former), line
        start += len(former) + 1


def _is_quoted(before: str, after: str) -> bool:
    """Return whether something of a line of source code would change within quotation marks."""
    return any(
        before.count(mark, 0, difference.old_start) % 2 or before.count(mark, difference.old_start, difference.old_end)
        for difference in differences(before, after)
        for mark in "\"'`"
    )


def _write_all(options: argparse.Namespace) -> int:
    """Write the files to standard output, each that can be read, or to a file, if all can be."""
    with output(options.output, keeps_same=overwrites(options.output, options.files)) as file:
        if options.output == STANDARD:
            return for_each(options.files, lambda path: _write(path, options, file))
        for path in options.files:
            _write(path, options, file)
    return 0


def _write(path: str, options: argparse.Namespace, file: BinaryIO) -> int:
    document = _document(path, options)
    try:
        repaired = _repaired(path, document, options)
        errors: Errors = "html" if options.unmappable == "html" else "fatal"
        document.replace_ranges(_changed_lines(document.text, repaired.text), errors=errors)
    except UnicodeEncodeError as error:
        from .explain import describe_character  # imported here, since few runs need it

        character = describe_character(error.object[error.start])
        where = located(path, error.object[: error.start])
        raise Failure(f"{where}: {character}: {error.reason}") from None
    file.write(document.encode())
    return 0


def _show(path: str, options: argparse.Namespace) -> int:
    document = _document(path, options)
    _print_changes(path, document.text, _repaired(path, document, options))
    return 0


def _print_changes(path: str, text: str, repaired: Repaired) -> int:
    """Print each line that changes, what it becomes, and what had happened. Return how many lines change."""
    count = 0
    for number, (before, after) in enumerate(zip(text.split("\n"), repaired.text.split("\n"), strict=True), 1):
        if before != after:
            count += 1
            where = place(path, number)
            show(f"{where}: {escaped(before)}\n{where}: -> {escaped(after)}")
    for read_as, was in repaired.steps:
        show(f"{shown(path)}: {was} was read as {read_as}")
    return count
