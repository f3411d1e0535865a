"""Files that are replaced in one step at the end, or left unchanged on failure."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_OWNER_ONLY = 0o600
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags that open a file for reading without waiting if it is a pipe."""
_NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
_ACL = "system.posix_acl_access"
_NO_ATTRIBUTES = (errno.ENOTSUP, errno.ENOSYS)
_COMPARED = 1 << 18  # bytes at a time
_DESCRIPTORS = "/proc/self/fd"
_HAS_PATHS = os.path.isdir(_DESCRIPTORS)  # of open files


class Refusal(Exception):
    """An operation is refused because it would harm a file, which the message names."""

    status = 2


def escaped(text: str) -> str:
    """Return a text for a message on one line: what is not printable is escaped, as are bytes that are no text."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file name: https://peps.python.org/pep-0383/
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


@contextlib.contextmanager
def opened(path: str, *, keeps_same: bool = False) -> Iterator[BinaryIO]:
    """Open the file at ``path`` for writing. One that is regular, or not there, is replaced as by ``replacement``.

    Any other file, such as a device, is written to directly.
    """
    before = status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with naming(path), open(path, "wb") as file:
            yield file
        return
    with replacement(path, keeps_same=keeps_same) as file:
        yield file


@contextlib.contextmanager
def replacement(
    path: str, *, backup: str = "", keeps_same: bool = True, follows_links: bool = True
) -> Iterator[BinaryIO]:
    """Open a new file that replaces the regular file at ``path``, or makes it.

    It does so in one step at the end; after an exception or a crash the old file is unchanged. The new one has its
    mode, owner, group, access control list and extended attributes, and is at no time readable by others than its
    readers. With ``backup`` the old file is kept under its name plus that suffix. With ``keeps_same`` the old file
    stays if the new one has the same content. Without ``follows_links`` the path itself is replaced, whatever it has
    become since it was checked. Raise Refusal if the backup's name is taken, for a file that is read-only, is not
    regular or has several hard links, and for one whose owner or attributes the new file cannot have; raise OSError,
    which names the file.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "new.txt")
    >>> with replacement(str(path)) as file:
    ...     written = file.write(b"text")
    >>> path.read_bytes()
    b'text'
    """
    before = status(path)
    target = os.path.realpath(path) if follows_links else path  # a symbolic link stays one
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise Refusal(f"{escaped(path)}: is not a regular file, and only those can be replaced")
    if before is not None and before.st_nlink > 1:
        links = f"{before.st_nlink} hard links"
        raise Refusal(f"{escaped(path)}: has {links}, and a new file would replace only one of them")
    if before is not None:
        refuse_read_only(path, before)
    mode = 0o666 if before is None else _OWNER_ONLY  # until the original's is set
    descriptor, name = _open_new(target, mode)
    lock = os.dup(descriptor) if _locked(descriptor) else None  # to keep it when the file is closed
    try:
        with open(descriptor, "w+b") as file:
            if before is not None:
                _take_owner(descriptor, target, before)
                _take_attributes(descriptor, target)
            yield file
            file.flush()
            is_same = before is not None and keeps_same and _is_same(file, target)
            if not is_same:
                if backup and os.path.lexists(target + backup):
                    taken = f"its backup {escaped(target + backup)} exists already"
                    raise Refusal(f"{escaped(path)}: {taken}; choose another suffix")
                if before is not None and hasattr(os, "fchmod"):
                    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
                os.fsync(descriptor)
                name = name or _link(descriptor, target, before is None)
        if is_same:
            if name is not None:
                os.unlink(name)
            return
        if before is not None and backup:
            _keep(target, target + backup)
        if name is not None and name != target:
            os.replace(name, target)
    except BaseException as error:
        _name(error, path)
        if name is not None and name != target:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
        raise
    finally:
        if lock is not None:
            os.close(lock)


def refuse_read_only(path: str, status: os.stat_result) -> None:
    """Raise Refusal for a file that somebody has made read-only, although its folder lets it be replaced."""
    if not status.st_mode & _WRITABLE:
        raise Refusal(f"{escaped(path)}: is read-only; to change it, make it writable first (chmod u+w)")


class Changed(Exception):
    """A file is not what it was when it was read: the message."""


def replace_content(
    path: str,
    former: bytes,
    content: bytes,
    *,
    read: os.stat_result | None = None,
    backup: str = "",
    follows_links: bool = True,
) -> None:
    """Replace the content of a regular file, as by ``replacement``, unless it is no longer ``former``.

    ``read``: the status that the file had when it was read; another file in its place, of the same content, is not
    replaced then. Of several programs that come this far with the same file, one has the lock until it has replaced it;
    the others then find another file under its name. Raise Changed, and what ``replacement`` raises.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "old.txt")
    >>> length = path.write_bytes(b"old")
    >>> replace_content(str(path), b"old", b"new")
    >>> path.read_bytes()
    b'new'
    """
    descriptor = os.open(path, AT_ONCE)
    try:
        opened = os.fstat(descriptor)
        keeps_same = content == former
        with replacement(path, backup=backup, keeps_same=keeps_same, follows_links=follows_links) as file:
            file.write(content)
            file.flush()
            _locked(descriptor)
            now = status(path)
            if now is None or not os.path.samestat(now, opened) or (read and not os.path.samestat(now, read)):
                raise Changed("another program has replaced it meanwhile")
            with open(descriptor, "rb", closefd=False) as old:
                if old.read(len(former) + 1) != former:
                    raise Changed("another program has changed it meanwhile")
    finally:
        os.close(descriptor)


def _is_same(file: BinaryIO, target: str) -> bool:
    """Return whether a file has the content of the one at ``target``."""
    with contextlib.suppress(FileNotFoundError), open(target, "rb") as old:
        if os.fstat(old.fileno()).st_size != os.fstat(file.fileno()).st_size:
            return False
        file.seek(0)
        while (data := file.read(_COMPARED)) == old.read(_COMPARED):
            if not data:
                return True
    return False


def status(path: str) -> os.stat_result | None:
    """Return the status of the file that a path refers to, None if it does not exist; raise OSError for a link loop."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Add the name to an OSError without a file name, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        _name(error, path)
        raise


def _name(error: BaseException, path: str) -> None:
    if isinstance(error, OSError) and error.filename is None and not isinstance(error, BrokenPipeError):
        error.filename = path


def _temporary(target: str) -> str:
    """Return the name that a new file has before it replaces the target: the same each time, unless it is in use.

    A program that is killed may leave a file of that name, which the next one to write the target removes. The name is
    as short for a long one, and belongs to no user's file.
    """
    from zlib import crc32  # imported here, since most runs replace no file

    own = os.path.basename(target)
    start = target.removesuffix(own) + ".we-edit-"
    name = f"{start}{crc32(own.encode('utf-8', 'surrogatepass')):08x}.tmp"
    is_taken = os.path.lexists(name) and not _is_removed(name)
    return f"{start}{os.urandom(8).hex()}.tmp" if is_taken else name


def _is_removed(name: str) -> bool:
    """Remove a temporary file unless a running program has its lock; return whether it is removed."""
    try:
        descriptor = os.open(name, AT_ONCE | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        if not _locked(descriptor, waits=False):
            return False
        status = os.fstat(descriptor)
        is_left = stat.S_ISREG(status.st_mode) and os.path.samestat(status, os.lstat(name))
        if is_left:
            os.unlink(name)
        return is_left
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _locked(descriptor: int, *, waits: bool = True) -> bool:
    """Lock a file; return False on Windows, without locks in the file system, or if another program has the lock."""
    try:
        import fcntl  # imported here, since few commands need it

        fcntl.flock(descriptor, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _open_new(target: str, mode: int) -> tuple[int, str | None]:
    """Open a file without a name, which even SIGKILL cannot leave behind, or if that is not possible a named one."""
    flag: int | None = getattr(os, "O_TMPFILE", None)
    if flag is not None and _HAS_PATHS:
        try:
            return os.open(target[: target.rfind("/") + 1] or ".", flag | os.O_RDWR, mode), None
        except OSError:  # the file system does not support it
            pass
    while True:
        name = _temporary(target)
        try:
            descriptor = os.open(name, _NEW, mode)
        except FileExistsError:  # made since
            continue
        except OSError as error:
            raise type(error)(error.errno, error.strerror, target) from None
        _locked(descriptor)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.lstat(name)):
                return descriptor, name
        os.close(descriptor)  # another program took it for one that was left, before it was locked


def _take_owner(descriptor: int, target: str, before: os.stat_result) -> None:
    """Set the owner and group to those of the original; raise Refusal if that is not permitted."""
    now = os.fstat(descriptor)
    if not hasattr(os, "fchown") or (now.st_uid, now.st_gid) == (before.st_uid, before.st_gid):
        return
    try:
        os.fchown(descriptor, before.st_uid, before.st_gid)
    except PermissionError:
        owner = f"user {before.st_uid} and group {before.st_gid}"
        raise Refusal(f"{escaped(target)}: belongs to {owner}, to which the new file cannot be assigned") from None


def _take_attributes(descriptor: int, target: str) -> None:
    """Set the access control list and the extended attributes to those of the original.

    Raise Refusal if that is not possible: without the list more people might read the file, and the rest is somebody's
    work. What a folder gives to new files, and the original has not, is removed.
    """
    if sys.platform == "darwin":
        _take_attributes_on_macos(descriptor, target)
        return
    if not hasattr(os, "listxattr"):
        return
    try:
        names, given = os.listxattr(target), os.listxattr(descriptor)
    except OSError as error:
        if error.errno in _NO_ATTRIBUTES:
            return
        raise
    if _ACL in given and _ACL not in names:
        os.removexattr(descriptor, _ACL)
    for name in names:
        is_required = name.startswith(("user.", "system."))  # the kernel's others are not for text, or not permitted
        if not is_required and name != "security.selinux":
            continue
        try:
            value = os.getxattr(target, name)
            if name not in given or os.getxattr(descriptor, name) != value:
                os.setxattr(descriptor, name, value)
        except OSError as error:
            if is_required:
                kind = "an access control list" if name == _ACL else f"the attribute {escaped(name)}"
                reason = f"has {kind}, which the new file cannot have ({error.strerror})"
                raise Refusal(f"{escaped(target)}: {reason}") from None


def _take_attributes_on_macos(descriptor: int, target: str) -> None:
    import ctypes

    acl, xattr = 1 << 0, 1 << 2  # the flags of <copyfile.h>
    fcopyfile = ctypes.CDLL(None, use_errno=True).fcopyfile
    fcopyfile.argtypes = ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32
    with open(target, "rb") as original:
        if fcopyfile(original.fileno(), descriptor, None, acl | xattr) < 0:
            reason = os.strerror(ctypes.get_errno())
            raise Refusal(f"{escaped(target)}: has attributes that the new file cannot have ({reason})")


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
        os.link(f"{_DESCRIPTORS}/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
    except FileExistsError:
        return _link(descriptor, target, False)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, target) from None
    return name
