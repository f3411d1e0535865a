"""Header fields that were parsed from a message: text with the attributes of those of ``email.headerregistry``.

The parser of ``email`` makes them where it is right: for short ASCII without anything encoded. It takes quadratic time,
recurs for each parenthesis, and raises what is not documented for some malformed headers.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.headerregistry import Address, Group
from email.policy import EmailPolicy
from types import MappingProxyType
from urllib.parse import quote

from . import addresses, parameters
from .words import Words, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_LONGEST: Final = 998  # characters that are left to email's parser: RFC 5322's longest line
_NOT_PLAIN: Final = re.compile("=[?]|''|[*\0\v\f\x1b-\x1e\ud800-\udfff]")
# One in quotation marks, or with what is no part of it, is the one that is meant.
_TRANSFER: Final = re.compile(r"[\s\"']*+([\w-]++)", re.ASCII)
_WORD: Final = 42  # bytes of an encoded word, which may have 75 characters
_SECTION: Final = 50  # bytes of a parameter's value on a line, each of which may be %XX

_ADDRESSES: Final = frozenset(["from", "sender", "to", "cc", "bcc", "reply-to"])
_PARAMETERS: Final = frozenset({"content-type", "content-disposition"})
_DATES: Final = frozenset({"date", "orig-date"})
_STRUCTURED: Final = _DATES | {"mime-version", "content-transfer-encoding", "message-id"}
_RESENT: Final = "resent-"


class Field(str):
    """A header's text, and the name of the header."""

    name: str
    defects: tuple[Exception, ...] = ()
    max_count: int | None = None

    def fold(self, *, policy: EmailPolicy[Any]) -> str:
        """Return the header with its name, in lines for a message that is written."""
        limit = policy.max_line_length or sys.maxsize
        parts = [f"{self.name}:"]
        length, has_text = len(parts[0]), False
        units = self._units(policy.utf8)
        for unit in units if policy.utf8 else _as_ascii(units):
            if has_text and unit and length + 1 + len(unit) > limit:
                parts.append(policy.linesep)
                length, has_text = 0, False
            parts.append(f" {unit}")
            length += 1 + len(unit)
            has_text = has_text or bool(unit)
        return "".join([*parts, policy.linesep])

    def _units(self, is_utf_8: bool) -> Iterator[str]:
        """Yield what is written, divided where a line may end."""
        yield from _encoded(self, is_utf_8)


def _as_ascii(units: Iterable[str]) -> Iterator[str]:
    """Yield units, with encoded words also where none may be, such as in an address beyond ASCII."""
    for unit in units:
        if unit.isascii():
            yield unit
        else:
            yield from _encoded(unit, False)


def _encoded(text: str, is_utf_8: bool) -> list[str]:
    """Return a text without syntax, from the first to the last word that needs it in encoded words."""
    units = text.split(" ")
    needy = [number for number, each in enumerate(units) if "=?" in each or not (is_utf_8 or each.isascii())]
    if not needy:
        return units
    first, last = needy[0], needy[-1] + 1
    return [*units[:first], *_words(" ".join(units[first:last])), *units[last:]]


def _words(text: str) -> Iterator[str]:
    """Yield encoded words, each of whole characters."""
    data = text.encode()
    start = 0
    while start < len(data):
        end = min(start + _WORD, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield f"=?utf-8?b?{b64encode(data[start:end]).decode('ascii')}?="
        start = end


class AddressesField(Field):
    """A header with addresses: ``groups`` and ``addresses`` as in ``email.headerregistry.AddressHeader``."""

    groups: tuple[Group, ...] = ()

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(address for group in self.groups for address in group.addresses)

    @property
    def address(self) -> Address:
        """The only address. Raise ValueError if there is not exactly one."""
        found = self.addresses
        if len(found) != 1:
            raise ValueError(f"the header {self.name} has {len(found)} addresses, not one")
        return found[0]

    def _units(self, is_utf_8: bool) -> Iterator[str]:
        yield from _listed((_group(each, is_utf_8) for each in self.groups), ",")


def _listed(items: Iterable[list[str]], separator: str) -> Iterator[str]:
    """Yield the units of items, with a separator at the end of each but the last."""
    before: list[str] = []
    for units in items:
        if before:
            yield from before[:-1]
            yield before[-1] + separator
        before = units
    yield from before


def _group(group: Group, is_utf_8: bool) -> list[str]:
    members = list(_listed((_mailbox(each, is_utf_8) for each in group.addresses), ","))
    if group.display_name is None:
        return members
    *before, last = _phrase(group.display_name, is_utf_8)
    units = [*before, f"{last}:", *members]
    units[-1] += ";"
    return units


def _phrase(text: str, is_utf_8: bool) -> list[str]:
    if "=?" in text or not (is_utf_8 or text.isascii()):
        return _encoded(text, False)
    return [str(Address(text, "a", "a")).removesuffix(" <a@a>")]


def _mailbox(address: Address, is_utf_8: bool) -> list[str]:
    if not address.domain and not address.display_name:
        return _phrase(address.username, is_utf_8)
    specification = address.addr_spec
    if not address.display_name:
        return [specification]
    return [*_phrase(address.display_name, is_utf_8), f"<{'' if specification == '<>' else specification}>"]


class ParametersField(Field):
    """A header with parameters: the attributes of ContentTypeHeader and ContentDispositionHeader of email."""

    max_count = 1
    value = ""
    params: Mapping[str, str] = MappingProxyType({})

    @property
    def content_disposition(self) -> str | None:
        """The disposition, in lowercase; None if there is none."""
        return self.value or None

    @property
    def content_type(self) -> str:
        """The type and the subtype: text/plain if the header has no type (RFC 2045, section 5.2)."""
        return self.value if self.value.count("/") == 1 and self.value.strip("/") == self.value else "text/plain"

    @property
    def maintype(self) -> str:
        return self.content_type.partition("/")[0]

    @property
    def subtype(self) -> str:
        return self.content_type.partition("/")[2]

    def __reduce__(self) -> tuple[Any, ...]:
        return _parameters_field, (str(self), self.name, self.defects, self.value, dict(self.params))

    def _units(self, is_utf_8: bool) -> Iterator[str]:
        yield self.value + (";" if self.params else "")
        yield from _listed(([unit] for name, value in self.params.items() for unit in _parameter(name, value)), ";")


def _parameters_field(
    text: str, name: str, defects: tuple[Exception, ...], value: str, params: dict[str, str]
) -> ParametersField:
    field = ParametersField(text)
    field.name, field.defects, field.value, field.params = name, defects, value, MappingProxyType(params)
    return field


def _parameter(name: str, value: str) -> Iterator[str]:
    """Yield a parameter as RFC 2231 has it if it needs that."""
    if value.isascii() and "=?" not in value and len(value) < _SECTION:
        yield f"{name}={_quoted(value)}"
        return
    data = value.encode()
    sections = [data[start : start + _SECTION // 3] for start in range(0, len(data), _SECTION // 3)]
    for number, section in enumerate(sections):
        where = f"*{number}*" if len(sections) > 1 else "*"
        yield f"{name}{where}={'' if number else 'utf-8' + chr(39) * 2}{quote(section, safe='')}"


def _quoted(value: str) -> str:
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


class DateField(Field):
    """A header with a date: ``datetime`` as in ``email.headerregistry.DateHeader``."""

    datetime: datetime | None = None


# --- From the source ---


def parsed(name: str, value: str, policy: EmailPolicy[Any], fallback: str | None) -> Any:
    """Return the header of a source's value: of this module, or of ``email.headerregistry`` where that is right.

    ``fallback``: a charset for raw bytes. Raise no exception.
    """
    text = as_text(value)
    kind = name.lower()
    if kind == "content-transfer-encoding" and (transfer := _TRANSFER.match(text)) is not None:
        text = transfer[1]
    stock = None
    if len(text) <= _LONGEST and text.isascii() and not _NOT_PLAIN.search(text):
        stock = _stock(name, text, policy)
        if stock is not None and not stock.defects:
            return stock
    words = Words(text, fallback)
    field: Field
    if kind.removeprefix(_RESENT) in _ADDRESSES:
        field = _addresses_field(words)
        field.max_count = None if kind.startswith(_RESENT) else 1
    elif kind in _PARAMETERS:
        field = _with_parameters(words)
    elif stock is not None:
        return stock
    else:
        whole = words.resolved(words.text)
        if kind.removeprefix(_RESENT) in _STRUCTURED and len(whole) <= _LONGEST and "=?" not in whole:
            stock = _stock(name, whole, policy)
            if stock is not None:
                return stock
        field = DateField(whole) if kind.removeprefix(_RESENT) in _DATES else Field(whole)
        field.max_count = policy.header_max_count(name)
    field.name = name
    field.defects = () if stock is None else tuple(stock.defects)
    return field


def made(name: str, text: str) -> Field:
    """Return a header without syntax."""
    field = Field(text)
    field.name = name
    return field


def _stock(name: str, text: str, policy: EmailPolicy[Any]) -> Any:
    """Return the header as the policy's factory makes it; None if it fails, as email's parser does on some input."""
    try:
        return policy.header_factory(name, text)
    except Exception:
        return None


def _addresses_field(words: Words) -> AddressesField:
    found = addresses.groups(words)
    field = AddressesField(", ".join(map(str, found)))
    field.groups = found
    return field


def _with_parameters(words: Words) -> ParametersField:
    value, params = parameters.split(words)
    value = value.lower()
    text = "; ".join([value, *(f"{name}={_quoted(each)}" for name, each in params.items())])
    return _parameters_field(text, "", (), value, params)
