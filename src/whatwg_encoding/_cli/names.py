"""The command ``names`` of the command line: the names of files in folders and ZIP archives become UTF-8."""

from __future__ import annotations

import os

from ..editing import escaped, replacement
from ..files import file_encoding
from .arguments import source
from .decision import AUTO
from .input import Failure, for_each
from .output import show, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from .arguments import Parser

_EPILOG = """\
what happens:
  Each name that is not UTF-8 is printed with what it becomes. The names of a
  folder, with all below it, or of an archive are in one encoding, which is
  found from all of them unless you pass -f. Code pages of DOS are considered.

  With --rename, files and folders are renamed, and an archive is written anew
  and kept as FILE.orig. Nothing is renamed if a name has malformed bytes or
  would be that of another file; the exit status is 1 then. Extract a tar
  archive, and pass its folder.
"""


def add_arguments(command: Parser) -> None:
    command.add_argument("paths", nargs="+", metavar="PATH", help="folders and ZIP archives")
    help = "encoding of the names that are not UTF-8 (auto)"
    command.add_argument("-f", "--from", dest="source", type=source, default=AUTO, metavar="LABEL", help=help)
    command.add_argument("--rename", action="store_true", help="rename instead of printing what would be renamed")
    command.set_defaults(run=_names)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _names(options: argparse.Namespace) -> int:
    def run(path: str) -> int:
        (_of_folder if os.path.isdir(path) else _of_archive)(path, options)
        return 0

    return for_each(options.paths, run, "could not be renamed", shows_progress=False)


def _of_folder(path: str, options: argparse.Namespace) -> None:
    old = [
        os.path.join(parent, name)
        for parent, folders, files in os.walk(os.fsencode(path), topdown=False)  # a folder after what is in it
        for name in folders + files
    ]
    texts = _texts(path, [os.path.basename(name) for name in old], options)
    new = [os.path.join(os.path.dirname(name), os.fsencode(text)) for name, text in zip(old, texts, strict=True)]
    changes = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
    _refuse_collisions(path, old, new)
    for before, after in changes:
        show(f"{escaped(os.fsdecode(before))} -> {escaped(os.path.basename(os.fsdecode(after)))}")
        if options.rename:
            os.rename(before, after)


def _of_archive(path: str, options: argparse.Namespace) -> None:
    import zipfile  # imported here, since a folder needs none of these
    import zlib
    from copy import copy
    from shutil import copyfileobj

    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise Failure(f"{shown(path)}: is neither a folder nor a ZIP archive") from None
    with archive:
        members = archive.infolist()
        names = [
            member.orig_filename.encode("utf-8" if member.flag_bits & 0x800 else "cp437")  # as zipfile decodes it
            for member in members
        ]
        texts = _texts(path, names, options)
        _refuse_collisions(path, names, [text.encode() for text in texts])
        changes = [pair for pair in zip(names, texts, strict=True) if pair[0] != pair[1].encode()]
        for before, after in changes:
            show(f"{shown(path)}: {escaped(os.fsdecode(before))} -> {escaped(after)}")
        if options.rename and changes:
            with replacement(path, backup=".orig") as file, zipfile.ZipFile(file, "w") as renamed:
                renamed.comment = archive.comment
                for member, text in zip(members, texts, strict=True):
                    new = copy(member)
                    new.filename = text
                    try:
                        with archive.open(member) as contents, renamed.open(new, "w") as target:
                            copyfileobj(contents, target)
                    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:  # encrypted, say
                        raise Failure(f"{shown(path)}: {escaped(text)}: cannot be read: {error}") from None


def _texts(path: str, names: list[bytes], options: argparse.Namespace) -> list[str]:
    """Return the names as text; raise Failure if one has malformed bytes, or another separator of paths."""
    from .. import UTF_8, decode_together  # imported here, since the help does not need the latter

    encoding = options.source
    if encoding == AUTO:
        wrong = [name for name in names if UTF_8.valid_up_to(name) < len(name)]
        encoding = file_encoding(decode_together(wrong, dos=True).encoding)
    texts = [(encoding if UTF_8.valid_up_to(name) < len(name) else UTF_8).decode(name) for name in names]
    for name, text in zip(names, texts, strict=True):
        if "\ufffd" in text or "\0" in text or text.count("/") != name.count(b"/"):
            raise Failure(f"{shown(path)}: {escaped(os.fsdecode(name))}: is no name in {encoding.name}; pass -f")
    return texts


def _refuse_collisions(path: str, names: Iterable[bytes], renamed: Iterable[bytes]) -> None:
    old_names: dict[bytes, bytes] = {}
    for old, new in zip(names, renamed, strict=True):
        if old_names.setdefault(new, old) != old:
            raise Failure(f"{shown(path)}: {escaped(os.fsdecode(new))}: is the name of two files then")
