"""Headers as they came: what their message declares, the field that is read, and the lines that are written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from email.policy import EmailPolicy
from itertools import islice

from .fields import made, parameters_of, parsed
from .words import on_one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_PARTS: Final = 32  # of a message that are looked at for a charset
_NO_TEXT: Final = re.compile(r"\s*(?:application|audio|image|message|multipart|video)/", re.IGNORECASE)
# What no text of a header has: characters beyond ASCII, and what str.splitlines takes for the end of a line.
_UNSAFE: Final = re.compile(r"[^\0-\n\r-\x1b\x1f-~]")


def _charset_of_text(kind: str | None) -> str | None:
    """Return the charset that a value of Content-Type declares for a text, if it does."""
    if kind is None or _NO_TEXT.match(kind):
        return None
    maintype, charset = parameters_of(kind)
    return charset if maintype == "text" else None


class Declared:
    """The types that a message and its parts had when they were parsed, whatever has replaced them since."""

    def __init__(self) -> None:
        self.kind: str | None = None  # the value of Content-Type
        self.parts: list[Declared] = []
        self._charset: str | None = None

    def charset(self) -> str | None:
        """Return the charset of the first part with text that has one: raw bytes of headers are most likely in it."""
        pending = [self]
        for _ in range(_PARTS):
            if self._charset is not None or not pending:
                break
            part = pending.pop()
            self._charset = _charset_of_text(part.kind)
            pending += reversed(part.parts[:_PARTS])
        return self._charset


def current_charset(message: Any) -> str | None:
    """Return what `Declared.charset` is for a message as it is now."""
    for part in islice(message.walk(), _PARTS):
        kinds = (value for name, value in part._headers if name.lower() == "content-type")
        charset = _charset_of_text(next(kinds, None))
        if charset is not None:
            return charset
    return None


class Source(str):
    """The value of a header as ``email`` has it, the lines that it came in, and what its message declared."""

    __slots__ = ("_field", "declared", "lines")
    lines: str
    declared: Declared | None
    _field: tuple[Any, Any] | None  # the factory of the policy that it was read with, and the field

    def __reduce__(self) -> tuple[Any, ...]:
        return source, (str(self), self.lines, self.declared)

    def read(self, name: str, policy: EmailPolicy[Any]) -> Any:
        """Return the field. It is the same however often it is asked for, by a reader or to be written."""
        factory = policy.header_factory
        if self._field is None or self._field[0] is not factory:
            is_plain = self.declared is None or (self.isascii() and "=?" not in self)
            fallback = None if is_plain or self.declared is None else self.declared.charset()
            self._field = factory, parsed(name, self, policy, fallback)
        return self._field[1]

    def written(self, name: str, policy: EmailPolicy[Any], *, keeps_bytes: bool, refolds_long: bool = True) -> str:
        """Return the header for a message: the lines as they came, unless the policy differs."""
        refolds = policy.refold_source == "all" or (
            policy.refold_source == "long" and refolds_long and self._is_long(name, policy)
        )
        if refolds or not (keeps_bytes or _UNSAFE.search(self) is None):
            return folded(name, self.read(name, policy), policy)
        return policy.linesep.join([*_LINE_END.split(self.lines.rstrip("\r\n")), ""])

    def _is_long(self, name: str, policy: EmailPolicy[Any]) -> bool:
        limit = policy.max_line_length or sys.maxsize
        return any(len(line) > limit for line in _LINE_END.split(f"{name}: {self}"))


_LINE_END: Final = re.compile("\r\n?|\n")


def source(value: str, lines: str, declared: Declared | None = None) -> Source:
    """Return the value of a header that came in these lines."""
    header = Source(value)
    header.lines, header.declared, header._field = lines, declared, None
    return header


class Outgoing(str):
    """A header of a source for a generator: the policies of ``email`` ask what has a name to fold itself."""

    __slots__ = ("is_declared", "name", "source")
    name: str
    source: Source
    is_declared: bool  # whether the message still declares the charset of raw bytes

    def fold(self, *, policy: EmailPolicy[Any]) -> str:
        """Return the header in ASCII: whether a generator for text or for bytes asks is not known here."""
        return self.source.written(self.name, policy, keeps_bytes=False, refolds_long=False)


def outgoing(message: Any, declared: Declared) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a message's headers for a generator."""
    headers = message._headers
    has_bytes = any(isinstance(value, Source) and not value.isascii() for _, value in headers)
    is_declared = not has_bytes or declared.charset() == current_charset(message)
    for name, value in headers:
        if isinstance(value, Source):
            header = Outgoing("\n".join(map(on_one_line, _LINE_END.split(value))))
            header.name, header.source, header.is_declared = name, value, is_declared
            yield name, header
        else:
            yield name, value


def folded(name: str, field: Any, policy: EmailPolicy[Any]) -> str:
    """Return a field as it is written. email writes no text of a malformed date, and identifiers as they are."""
    text = str(field.fold(policy=policy))
    is_lost = not text.partition(":")[2].strip() and field.strip()
    return made(name, str(field)).fold(policy=policy) if is_lost or not (policy.utf8 or text.isascii()) else text
