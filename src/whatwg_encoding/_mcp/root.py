"""Regular files below a folder, whatever a path says and whatever becomes of it meanwhile.

A path is resolved once. Its folders are then opened one in another, without following a link, and files are read and
replaced in the folder that is open: nothing happens outside of the root, even if a folder is replaced by a link.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from typing import Final, TypeVar

from ..editing import AT_ONCE, Changed, Refusal, escaped, replace_content, replacement

LARGEST: Final = 16 << 20
"""The greatest size of a file, in bytes."""

_NEW_FOLDERS: Final = 16  # that are made for one file

_HAS_DIR_FD: Final = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_DESCRIPTORS: Final = "/proc/self/fd"
_HAS_PATHS: Final = os.path.isdir(_DESCRIPTORS)  # of open folders

_Result = TypeVar("_Result")


class Root:
    """A folder. Paths are relative to it, or absolute and below it. Raise Refusal for one that is no folder."""

    def __init__(self, path: str) -> None:
        self.path: str = os.path.realpath(path)
        self.prefix: str = os.path.join(self.path, "")
        if not os.path.isdir(self.path):
            raise Refusal(f"{escaped(path)}: is not a folder")

    def file(self, path: str) -> File:
        """Return the file at a path, whether it is there or not.

        Raise Refusal for one that is outside, and for what is no path of a file.
        """
        if "\0" in path:
            raise Refusal(f"{escaped(path)}: a path has no NUL")
        try:
            real = self._resolved(path)
        except (OSError, ValueError) as error:
            raise Refusal(f"{escaped(path)}: is not a path: {error}") from None
        if real == self.path:
            raise Refusal(f"{escaped(path)}: is a folder, not a regular file")
        if not real.startswith(self.prefix):
            raise Refusal(f"{escaped(path)}: is outside of {escaped(self.path)}")
        return File(self, path, real)

    def _resolved(self, path: str) -> str:
        """Return the real path: the same, which few calls find, if none of its parts is a link or leads elsewhere."""
        inner = path.removeprefix(self.prefix)
        place = self.path
        try:
            for name in inner.split(os.sep):
                place = f"{place}/{name}"
                if name in ("", ".", "..") or stat.S_ISLNK(os.lstat(place).st_mode) or not _HAS_DIR_FD:
                    break
            else:
                return self.prefix + inner
        except OSError:  # it may not be there yet
            pass
        return os.path.realpath(os.path.join(self.path, path))


class File:
    """A file below a root, at its real path. As a string it is the path that was given, escaped for messages."""

    def __init__(self, root: Root, path: str, real: str) -> None:
        self._root = root
        self._path = path
        self.real = real

    def __str__(self) -> str:
        return escaped(self._path)

    def read(self) -> bytes:
        """Return the content. Raise Refusal for a file that is not regular or too large, and OSError."""

        def read_there(folder: int | None, _: str, name: str) -> bytes:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)  # since opening a device may have an effect
            self._check(status.st_size, status.st_mode)
            with open(os.open(name, AT_ONCE | _NO_LINK, dir_fd=folder), "rb") as file:
                status = os.fstat(file.fileno())
                self._check(status.st_size, status.st_mode)
                data = file.read(LARGEST + 1)
            if len(data) > status.st_size:  # it has grown
                self._check(len(data))
            return data

        return self._in_folder(read_there)

    def replace(self, former: bytes, content: bytes) -> bool:
        """Replace the file in one step if it still has its former content; return whether it had."""

        def replace_there(folder: int | None, place: str, name: str) -> None:
            self._check(len(content), os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            replace_content(place + name, former, content, follows_links=False)

        try:
            self._in_folder(replace_there)
        except (Changed, FileNotFoundError):
            return False
        return True

    def create(self, content: bytes) -> None:
        """Make the file, and the folders that it is in. Raise FileExistsError if there is one, and Refusal."""
        self._check(len(content))
        folder = os.path.dirname(self.real)
        for _ in range(_NEW_FOLDERS):
            if os.path.lexists(folder):
                break
            folder = os.path.dirname(folder)
        if not os.path.lexists(folder):
            raise Refusal(f"{self}: is in more than {_NEW_FOLDERS} folders that are not there")

        def create_there(folder: int | None, place: str, name: str) -> None:
            try:
                os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                with replacement(place + name, follows_links=False) as file:
                    file.write(content)
                return
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

        self._in_folder(create_there, creates=True)

    def _in_folder(self, act: Callable[[int | None, str, str], _Result], *, creates: bool = False) -> _Result:
        """Call a function with the open folder: its descriptor, what a path in it begins with, and the file's name.

        Without descriptors of folders, as on Windows, the descriptor is None, and the name is the whole path. Errors
        name the path as it was given.
        """
        descriptor = None
        try:
            if not _HAS_DIR_FD:
                if creates:
                    os.makedirs(os.path.dirname(self.real), exist_ok=True)
                return act(None, "", self.real)
            *folders, name = self.real.removeprefix(self._root.prefix).split(os.sep)
            descriptor = os.open(self._root.path, _FOLDER)
            for folder in folders:
                if creates:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(folder, dir_fd=descriptor)
                inner = os.open(folder, _FOLDER | _NO_LINK, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            place = f"{_DESCRIPTORS}/{descriptor}/" if _HAS_PATHS else self.real.removesuffix(name)
            return act(descriptor, place, name)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, self._path) from None
        except Refusal as error:
            reason = str(error)
            if reason.startswith(_DESCRIPTORS):
                reason = f"{self}: {reason.partition(': ')[2]}"
            raise Refusal(reason) from None
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _check(self, size: int, mode: int = stat.S_IFREG) -> None:
        if not stat.S_ISREG(mode):
            raise Refusal(f"{self}: is not a regular file")
        if size > LARGEST:
            raise Refusal(f"{self}: has more than {LARGEST >> 20} MiB")
