"""Output files of the command line: a file is replaced in one step at the end, or left unchanged on failure."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

STANDARD = "-"  # standard input or output
_OWNER_ONLY = 0o600
_NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)


class Refusal(Exception):
    """An operation is refused because it would harm a file, which the message names."""

    status = 2


def escaped(text: str) -> str:
    """Return a text for a message on one line: what is not printable is escaped, as are bytes that are no text."""
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file name: https://peps.python.org/pep-0383/
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def shown(path: str) -> str:
    """Return a path as shown in messages."""
    return "standard input" if path == STANDARD else escaped(path)


def print_message(message: str) -> None:
    """Print a message on standard error, after what was printed on standard output before it."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError):  # raised again, and reported, when the program ends
            sys.stdout.flush()
    if sys.stderr is not None:  # otherwise print would write to standard output
        print(message, file=sys.stderr)


@contextlib.contextmanager
def output(path: str, *, backup: str = "") -> Iterator[BinaryIO]:
    """Open the file at ``path``, or standard output for ``-``, for writing.

    A regular file is replaced as by ``replacement``. Any other file, such as a device, is written to directly. Raise
    Refusal if the file cannot be replaced that way, and OSError, which names the file.
    """
    if path == STANDARD:
        with _naming("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    if not path:
        raise Refusal("the output file's name is empty")
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with _naming(path), open(path, "wb") as file:
            yield file
        return
    with replacement(path, backup=backup) as file:
        yield file


@contextlib.contextmanager
def replacement(path: str, *, backup: str = "") -> Iterator[BinaryIO]:
    """Open a new file that replaces the regular file at ``path``, or makes it.

    It does so in one step at the end; after an exception or a crash the old file is unchanged. The new one has its
    mode, owner and group, and is at no time readable by others than its readers. With ``backup`` the old file is kept
    under its name plus that suffix. Raise Refusal if that name is taken, for a file that is not regular or has several
    hard links, and for one whose owner the new file cannot have; raise OSError, which names the file.
    """
    before = _status(path)
    target = os.path.realpath(path)  # a symbolic link stays one
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise Refusal(f"{shown(path)}: is not a regular file, and only those can be replaced")
    if before is not None and before.st_nlink > 1:
        raise Refusal(f"{shown(path)}: has {before.st_nlink} hard links, of which a new file would replace one only")
    if backup and os.path.lexists(target + backup):
        raise Refusal(f"{shown(path)}: its backup {shown(target + backup)} exists already; choose another suffix")
    mode = 0o666 if before is None else _OWNER_ONLY  # until the original's is set
    with _naming(path):
        descriptor, name = _open_new(target, mode)
        try:
            with os.fdopen(descriptor, "w+b") as file:
                if before is not None:
                    _take_owner(descriptor, target, before)
                yield file
                file.flush()
                if before is not None and hasattr(os, "fchmod"):
                    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
                os.fsync(descriptor)
                name = name or _link(descriptor, target, before is None)
            if before is not None and backup:
                _keep(target, target + backup)
            if name != target:
                os.replace(name, target)
        except BaseException:
            if name is not None and name != target:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)
            raise


def _status(path: str) -> os.stat_result | None:
    """Return the status of the file that a path refers to, None if it does not exist; raise OSError for a link loop."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Add the name to an OSError without a file name, such as that of a full disk."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            error.filename = path
        raise


def _temporary(target: str) -> str:
    return f"{target}.{os.urandom(4).hex()}.tmp"


def _open_new(target: str, mode: int) -> tuple[int, str | None]:
    """Open a file without a name, which even SIGKILL cannot leave behind, or if that is not possible a named one."""
    flag: int | None = getattr(os, "O_TMPFILE", None)
    if flag is not None and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the file system does not support it
            return os.open(os.path.dirname(target) or ".", flag | os.O_RDWR, mode), None
    name = _temporary(target)
    try:
        return os.open(name, _NEW, mode), name
    except OSError as error:
        raise type(error)(error.errno, error.strerror, target) from None


def _take_owner(descriptor: int, target: str, before: os.stat_result) -> None:
    """Set the owner and group to those of the original; raise Refusal if that is not permitted."""
    now = os.fstat(descriptor)
    if not hasattr(os, "fchown") or (now.st_uid, now.st_gid) == (before.st_uid, before.st_gid):
        return
    try:
        os.fchown(descriptor, before.st_uid, before.st_gid)
    except PermissionError:
        owner = f"user {before.st_uid} and group {before.st_gid}"
        raise Refusal(f"{shown(target)}: belongs to {owner}, to which the new file cannot be assigned") from None


def _keep(target: str, backup: str) -> None:
    """Give the old file the name ``backup`` as well, so that at no time there is none under its own."""
    try:
        os.link(target, backup)
    except FileExistsError:  # made since the check
        raise
    except OSError:  # the file system has no hard links
        os.rename(target, backup)


def _link(descriptor: int, target: str, is_new: bool) -> str:
    """Give an unnamed file a name and return it: the target's if that does not exist."""
    name = target if is_new else _temporary(target)
    try:
        # The path is absolute, so src_dir_fd has no effect but to make Python use linkat, which can follow the link.
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
    except FileExistsError:
        return _link(descriptor, target, False)
    return name


def refuse_same_file(descriptor: int, path: str) -> None:
    """Raise Refusal for a regular file that is also standard output: reading it would never end."""
    try:
        read, written = os.fstat(descriptor), os.fstat(sys.stdout.fileno())
    except io.UnsupportedOperation:  # standard output was replaced by an object without a file descriptor
        return
    if os.path.samestat(read, written) and stat.S_ISREG(read.st_mode) and read.st_size:
        raise Refusal(f"{shown(path)}: is both input and output; use -o or -i to replace a file")


def overwrites(path: str, inputs: list[str]) -> bool:
    """Return whether the output at ``path`` is one of the inputs. Raise Refusal if it is not a regular file then."""
    written = None if path == STANDARD else _status(path)
    if written is None:
        return False
    for name in inputs:
        is_standard = name == STANDARD
        try:
            read = os.stat(0 if is_standard else name)
        except OSError:  # reported when it is opened
            continue
        if os.path.samestat(read, written):
            if is_standard and os.isatty(0):
                continue
            if not stat.S_ISREG(read.st_mode):
                raise Refusal(f"{shown(path)}: is both input and output, and not a regular file")
            return True
    return False
