"""Regular files below a folder, whatever a path says and whatever becomes of it meanwhile.

A path is resolved once. Its folders are then opened one in another, without following a link, and files are read and
replaced in the folder that is open: nothing happens outside of the root, even if a folder is replaced by a link.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import Final

from ..editing import Refusal, escaped, replace_content, replacement

LARGEST: Final = 16 << 20
"""The greatest size of a file, in bytes."""

_NEW_FOLDERS: Final = 16  # that are made for one file

_HAS_DIR_FD: Final = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_FILE: Final = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_DESCRIPTORS: Final = "/proc/self/fd"
_HAS_PATHS: Final = os.path.isdir(_DESCRIPTORS)  # of open folders


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
            real = os.path.realpath(os.path.join(self.path, path))
            os.fsencode(real)
        except (OSError, ValueError) as error:
            raise Refusal(f"{escaped(path)}: is not a path: {error}") from None
        if real == self.path:
            raise Refusal(f"{escaped(path)}: is a folder, not a regular file")
        if not real.startswith(self.prefix):
            raise Refusal(f"{escaped(path)}: is outside of {escaped(self.path)}")
        return File(self, path, real)


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
        with self._folder() as (folder, _, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)  # since opening a device may have an effect
            self._check(status.st_size, status.st_mode)
            with open(os.open(name, _FILE, dir_fd=folder), "rb") as file:
                status = os.fstat(file.fileno())
                self._check(status.st_size, status.st_mode)
                data = file.read(LARGEST + 1)
        self._check(len(data))
        return data

    def replace(self, former: bytes, content: bytes) -> None:
        """Replace the file in one step if it still has its former content; raise Changed if it has not."""
        with self._folder() as (folder, place, name):
            self._check(len(content), os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            replace_content(os.path.join(place, name), former, content, follows_links=False)

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
        with self._folder(creates=True) as (descriptor, place, name):
            try:
                os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            except FileNotFoundError:
                with replacement(os.path.join(place, name), follows_links=False) as file:
                    file.write(content)
                return
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    @contextlib.contextmanager
    def _folder(self, *, creates: bool = False) -> Iterator[tuple[int | None, str, str]]:
        """Open the folder of the file: yield its descriptor, a path for it, and the file's name there.

        Without descriptors of folders, as on Windows, the descriptor is None, and the name is the whole path. Errors
        name the path as it was given.
        """
        descriptor = None
        try:
            if not _HAS_DIR_FD:
                if creates:
                    os.makedirs(os.path.dirname(self.real), exist_ok=True)
                yield None, "", self.real
                return
            *folders, name = self.real.removeprefix(self._root.prefix).split(os.sep)
            descriptor = os.open(self._root.path, _FOLDER)
            for folder in folders:
                if creates:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(folder, dir_fd=descriptor)
                inner = os.open(folder, _FOLDER | _NO_LINK, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor, f"{_DESCRIPTORS}/{descriptor}" if _HAS_PATHS else os.path.dirname(self.real), name
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
