"""The command ``repair`` of the command line: mojibake in files becomes what was meant, and no other byte changes."""

from __future__ import annotations

from ..editing import ByteExactText, differences, escaped
from .arguments import add_destination, add_files, add_source, check_source
from .edit import EditedFile, add_unmappable
from .input import Failure, begin, for_each, located, open_input, progress, replace_each
from .output import STANDARD, output, overwrites, place, show, shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from ..editing import Errors
    from .arguments import Parser
    from .edit import Range

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
_PIECE = 1 << 16  # characters, at least, of lines that are repaired between two steps of the progress bar
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
        text, steps = edited.document.text, list[tuple[str, str]]()
        changes = list(_changes(path, text, options, steps))
        edited.refuse_doubtful_changes(changes)
        edited.change(changes)
        count = _print_changes(path, text, changes, steps)
        if count:
            kept = f"; the old file is {shown(path + options.in_place)}" if options.in_place else ""
            show(f"{shown(path)}: repaired {count} line{'s' if count > 1 else ''}{kept}")

    return replace_each(options, replace, "repaired")


def _document(path: str, options: argparse.Namespace) -> ByteExactText:
    with open_input(path) as file:
        data = file.readall()
    encoding, _, _ = begin(path, iter([data]), options)
    return ByteExactText(data, encoding)


def _changes(path: str, text: str, options: argparse.Namespace, steps: list[tuple[str, str]]) -> Iterator[Range]:
    """Yield where each line begins and ends that is repaired, and what it becomes; add what had happened to steps."""
    from .. import repair  # imported here, since the help and the manual page do not need it

    is_source_code = path.rpartition(".")[2].lower() in _SOURCE_CODE
    start = 0
    with progress(len(text), " characters") as advance:
        while start < len(text):
            piece = text[start : text.find("\n", start + _PIECE) + 1 or len(text)]
            repaired = repair(piece, legacy=options.legacy)
            lines = zip(piece.split("\n"), repaired.text.split("\n"), strict=True)  # no line is added or removed
            position, count = start, 0
            for before, after in lines if repaired.steps else ():
                if before != after and not (is_source_code and _is_quoted(before, after)):
                    yield position, position + len(before), after
                    count += 1
                position += len(before) + 1
            steps += (step for step in repaired.steps if count and step not in steps)
            start += len(piece)
            advance(len(piece))


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
        errors: Errors = "html" if options.unmappable == "html" else "fatal"
        document.replace_ranges(_changes(path, document.text, options, []), errors=errors)
    except UnicodeEncodeError as error:
        from .explain import describe_character  # imported here, since few runs need it

        character = describe_character(error.object[error.start])
        where = located(path, error.object[: error.start])
        raise Failure(f"{where}: {character}: {error.reason}") from None
    file.write(document.encode())
    return 0


def _show(path: str, options: argparse.Namespace) -> int:
    document = _document(path, options)
    steps: list[tuple[str, str]] = []
    _print_changes(path, document.text, _changes(path, document.text, options, steps), steps)
    return 0


def _print_changes(path: str, text: str, changes: Iterable[Range], steps: list[tuple[str, str]]) -> int:
    """Print each line that changes, what it becomes, and what had happened. Return how many lines change."""
    count = done = 0
    number = 1
    for start, end, after in changes:
        number += text.count("\n", done, start)
        done = start
        count += 1
        where = place(path, number)
        show(f"{where}: {escaped(text[start:end])}\n{where}: -> {escaped(after)}")
    for read_as, was in steps:
        show(f"{shown(path)}: {was} was read as {read_as}")
    return count
