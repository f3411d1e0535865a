"""Where the command line writes: a file is replaced at once when all is written, or stays as it was."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from typing import BinaryIO

STANDARD = "-"  # standard input or output
_OWNER_ONLY = 0o600
_NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)


class Refusal(Exception):
    """What is not done because it would harm a file: a message that names it."""


def shown(path: str) -> str:
    """Return a path as messages have it."""
    return "standard input" if path == STANDARD else path


@contextlib.contextmanager
def output(path: str, *, backup: str = "") -> Iterator[BinaryIO]:
    """Open the file at ``path``, or standard output for ``-``, for writing.

    A regular file is replaced at the end, in one step, and stays as it was after an exception or a crash; it keeps its
    mode, owner and group, and is never readable by more than its readers meanwhile. With ``backup`` the old file stays
    under its name with that suffix. A Refusal if that cannot be had. What is no regular file is written to directly.
    An OSError names the file.
    """
    if path == STANDARD:
        with _naming("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    if not path:
        raise Refusal("the output file's name is empty")
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):  # a device or a pipe cannot be replaced
        with _naming(path), open(path, "wb") as file:
            yield file
        return
    target = os.path.realpath(path)  # a symbolic link stays one
    if before is not None and before.st_nlink > 1:
        raise Refusal(f"{path}: has {before.st_nlink} hard links, of which a new file would replace one only")
    with _naming(path), _Replacement(target, before) as replacement:
        yield replacement.file
        replacement.commit(backup)


def _status(path: str) -> os.stat_result | None:
    """Return the status of what a path leads to, None if there is nothing; an OSError for a link to itself."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Within it, an OSError that names no file, as of a full disk, gets this name."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            error.filename = path
        raise


class _Replacement:
    """A file that takes the place of ``target`` when it is committed; until then it has no name, if possible."""

    def __init__(self, target: str, before: os.stat_result | None) -> None:
        self.target = target
        self.before = before
        self.name: str | None = None

    def __enter__(self) -> _Replacement:
        folder = os.path.dirname(self.target) or "."
        descriptor = self._unnamed(folder)
        if descriptor is None:
            self.name = self._temporary()
            try:
                descriptor = os.open(self.name, _NEW, self._mode())
            except OSError as error:
                raise type(error)(error.errno, error.strerror, self.target) from None
        self.file: BinaryIO = os.fdopen(descriptor, "w+b")
        try:
            self._take_owner()
        except BaseException:
            self._discard()
            raise
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._discard()

    def _mode(self) -> int:
        """The mode to create the file with: that of a new file, or the owner's alone until it has the original's."""
        return 0o666 if self.before is None else _OWNER_ONLY

    def _temporary(self) -> str:
        return f"{self.target}.{secrets.token_hex(4)}.tmp"

    def _unnamed(self, folder: str) -> int | None:
        """Open a file that has no name, so that SIGKILL leaves nothing of it; None where that is not possible."""
        flag: int | None = getattr(os, "O_TMPFILE", None)
        if flag is None or not os.path.isdir("/proc/self/fd"):
            return None
        try:
            return os.open(folder, flag | os.O_RDWR, self._mode())
        except FileNotFoundError as error:
            raise type(error)(error.errno, error.strerror, self.target) from None
        except OSError:  # the file system has none
            return None

    def _take_owner(self) -> None:
        """Give the file the owner and group of the original; a Refusal if that is not allowed."""
        if self.before is None or not hasattr(os, "fchown"):
            return
        now = os.fstat(self.file.fileno())
        if (now.st_uid, now.st_gid) == (self.before.st_uid, self.before.st_gid):
            return
        try:
            os.fchown(self.file.fileno(), self.before.st_uid, self.before.st_gid)
        except PermissionError:
            owner = f"user {self.before.st_uid} and group {self.before.st_gid}"
            raise Refusal(f"{self.target}: belongs to {owner}, which a new file could not be given to") from None

    def commit(self, backup: str) -> None:
        """Put the file in the target's place."""
        self.file.flush()
        if self.before is not None and hasattr(os, "fchmod"):
            os.fchmod(self.file.fileno(), stat.S_IMODE(self.before.st_mode))
        os.fsync(self.file.fileno())
        if self.name is None:
            self.name = self._link()
        self.file.close()
        if self.before is not None and backup:
            os.replace(self.target, self.target + backup)
        if self.name != self.target:
            os.replace(self.name, self.target)

    def _link(self) -> str:
        """Name the unnamed file: with the target's name if that is free."""
        if self.before is None:
            with contextlib.suppress(FileExistsError):
                return self._link_to(self.target)
        return self._link_to(self._temporary())

    def _link_to(self, name: str) -> str:
        # The descriptor changes nothing about an absolute path, but has Python follow the link in /proc, as linkat can.
        descriptor = self.file.fileno()
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
        return name

    def _discard(self) -> None:
        self.file.close()
        if self.name is not None and self.name != self.target:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.name)


def refuse_same_file(descriptor: int, path: str) -> None:
    """Refuse to read a regular file that standard output appends to or writes: it would never end."""
    try:
        read, written = os.fstat(descriptor), os.fstat(sys.stdout.fileno())
    except io.UnsupportedOperation:  # standard output is an object of the program's own, with no file behind it
        return
    same = (read.st_dev, read.st_ino) == (written.st_dev, written.st_ino)
    if same and stat.S_ISREG(read.st_mode) and read.st_size:
        raise OSError(errno.EINVAL, "is the input and the output; -o or -i replaces a file", shown(path))
