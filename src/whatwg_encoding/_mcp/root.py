"""Regular files below a folder, whatever a path says and whatever becomes of it meanwhile.

A path is resolved once. Its folders are then opened one in another, without following a link, and files are read and
replaced in the folder that is open: nothing happens outside of the root, even if a folder is replaced by a link.
"""

from __future__ import annotations

import contextlib
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


class Root:
    """A folder. Paths are relative to it, or absolute and below it. Raise Refusal for one that is no folder."""

    def __init__(self, path: str) -> None:
        self.path: str = os.path.realpath(path)
        if not os.path.isdir(self.path):
            raise Refusal(f"{escaped(path)}: is not a folder")

    def resolved(self, path: str) -> str:
        """Return the real path of a file. Raise Refusal for one that is outside, and for what is no path."""
        if "\0" in path:
            raise Refusal(f"{escaped(path)}: a path has no NUL")
        try:
            real = os.path.realpath(os.path.join(self.path, path))
            os.fsencode(real)
        except (OSError, ValueError) as error:
            raise Refusal(f"{escaped(path)}: is not a path: {error}") from None
        if real != self.path and not real.startswith(os.path.join(self.path, "")):
            raise Refusal(f"{escaped(path)}: is outside of {escaped(self.path)}")
        return real

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raise Refusal for one that is not regular or too large, and OSError."""
        with self._folder(path) as (folder, _, name), _naming(path):
            _check(path, os.stat(name, dir_fd=folder, follow_symlinks=False))  # opening a device may have an effect
            descriptor = os.open(name, _FILE, dir_fd=folder)
            with open(descriptor, "rb") as file:
                _check(path, os.fstat(descriptor))
                data = file.read(LARGEST + 1)
        _check_size(path, len(data))
        return data

    def replace(self, path: str, former: bytes, content: bytes) -> None:
        """Replace a file in one step if it still has its former content; raise Changed if it has not."""
        _check_size(path, len(content))
        with self._folder(path) as (folder, place, name), _naming(path):
            _check(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
            replace_content(os.path.join(place, name), former, content, follows_links=False)

    def create(self, path: str, content: bytes) -> None:
        """Make a new file, and the folders that it is in. Raise FileExistsError if there is one, and Refusal."""
        _check_size(path, len(content))
        folder = os.path.dirname(self.resolved(path))
        for _ in range(_NEW_FOLDERS):
            if os.path.lexists(folder):
                break
            folder = os.path.dirname(folder)
        if not os.path.lexists(folder):
            raise Refusal(f"{escaped(path)}: is in more than {_NEW_FOLDERS} folders that are not there")
        with self._folder(path, creates=True) as (descriptor, place, name), _naming(path):
            try:
                os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            except FileNotFoundError:
                with replacement(os.path.join(place, name), follows_links=False) as file:
                    file.write(content)
                return
            raise FileExistsError(17, os.strerror(17), path)

    @contextlib.contextmanager
    def _folder(self, path: str, *, creates: bool = False) -> Iterator[tuple[int | None, str, str]]:
        """Open the folder of a file: yield its descriptor, a path for it, and the file's name there.

        Without descriptors of folders, as on Windows, the descriptor is None, and the name is the whole path.
        """
        real = self.resolved(path)
        if real == self.path:
            raise Refusal(f"{escaped(path)}: is a folder, not a regular file")
        if not _HAS_DIR_FD:
            if creates:
                os.makedirs(os.path.dirname(real), exist_ok=True)
            yield None, "", real
            return
        *folders, name = os.path.relpath(real, self.path).split(os.sep)
        with _naming(path):
            descriptor = os.open(self.path, _FOLDER)
            try:
                for folder in folders:
                    if creates:
                        with contextlib.suppress(FileExistsError):
                            os.mkdir(folder, dir_fd=descriptor)
                    inner = os.open(folder, _FOLDER | _NO_LINK, dir_fd=descriptor)
                    os.close(descriptor)
                    descriptor = inner
            except BaseException:
                os.close(descriptor)
                raise
        try:
            is_open = os.path.isdir(_DESCRIPTORS)
            yield descriptor, f"{_DESCRIPTORS}/{descriptor}" if is_open else os.path.dirname(real), name
        finally:
            os.close(descriptor)


def _check(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refusal(f"{escaped(path)}: is not a regular file")
    _check_size(path, status.st_size)


def _check_size(path: str, size: int) -> None:
    if size > LARGEST:
        raise Refusal(f"{escaped(path)}: has more than {LARGEST >> 20} MiB")


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the path as it was given in an error about the file."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise type(error)(error.errno, error.strerror, path) from None
    except Refusal as error:
        reason = str(error)
        if reason.startswith(_DESCRIPTORS):
            reason = f"{escaped(path)}: {reason.partition(': ')[2]}"
        raise Refusal(reason) from None
