"""Header fields that were parsed from a message: text with the attributes of those of ``email.headerregistry``.

The parser of ``email`` makes none of them, except those of a class that a program has registered: it takes up to a
minute for a megabyte of short headers, recurs for each parenthesis, and raises undocumented exceptions.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from email import headerregistry
from email.headerregistry import Address, Group
from email.policy import EmailPolicy
from email.utils import format_datetime, parsedate_to_datetime
from types import MappingProxyType
from urllib.parse import quote

from . import addresses, parameters
from .words import Words, as_text, decode_header

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_LONGEST: Final = 998  # characters of a date, and of what is left to email's parser: RFC 5322's longest line
_NOT_PLAIN: Final = re.compile("=[?]|''|[*\0\v\f\x1b-\x1e\ud800-\udfff]")
# One in quotation marks, or with what is no part of it, is the one that is meant.
_TRANSFER: Final = re.compile(r"[\s\"']*+([\w-]++)", re.ASCII)
_VERSION: Final = re.compile(r"{0}(\d++){0}\.{0}(\d++)".format(r"(?:\s|\([^()]*+\))*+"), re.ASCII)
_WORD: Final = 42  # bytes of an encoded word, which may have 75 characters
_SECTION: Final = 50  # bytes of a parameter's value on a line, each of which may be %XX


class Field(str):
    """A header's text, and the name of the header."""

    name: str
    defects: tuple[Exception, ...] = ()
    max_count: int | None = None
    _starts_anywhere = True  # or on the line of the header's name alone

    def fold(self, *, policy: EmailPolicy[Any]) -> str:
        """Return the header with its name, in lines for a message that is written."""
        limit = policy.max_line_length or sys.maxsize
        parts = [f"{self.name}:"]
        length, may_end = len(parts[0]), self._starts_anywhere
        units = self._units(policy.utf8)
        for unit in units if policy.utf8 else _as_ascii(units):
            if may_end and unit and length + 1 + len(unit) > limit:
                parts.append(policy.linesep)
                length, may_end = 0, False
            parts.append(f" {unit}")
            length += 1 + len(unit)
            may_end = may_end or bool(unit)
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
    needy = [number for number, unit in enumerate(units) if "=?" in unit or not (is_utf_8 or unit.isascii())]
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
        addresses = self.addresses
        if len(addresses) != 1:
            raise ValueError(f"the header {self.name} has {len(addresses)} addresses, not one")
        return addresses[0]

    def _units(self, is_utf_8: bool) -> Iterator[str]:
        yield from _listed((_group(group, is_utf_8) for group in self.groups), ",")


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
    members = list(_listed((_mailbox(mailbox, is_utf_8) for mailbox in group.addresses), ","))
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


class IdentifierField(Field):
    """A header with an identifier, such as Message-ID, which some programs do not find on a second line."""

    _starts_anywhere = False


class DateField(Field):
    """A header with a date: ``datetime`` as in ``email.headerregistry.DateHeader``."""

    datetime: datetime | None = None


class VersionField(Field):
    """A header with a version: the attributes of ``email.headerregistry.MIMEVersionHeader``."""

    version: str | None = None
    major: int | None = None
    minor: int | None = None


class TransferField(Field):
    """A header with a transfer encoding: ``cte`` as in ``email.headerregistry.ContentTransferEncodingHeader``."""

    cte: str = "7bit"


# --- From the source ---


def parsed(name: str, value: str, policy: EmailPolicy[Any], fallback: str | None) -> Any:
    """Return the header of a source's value, of the policy's class if that is none of email's.

    ``fallback``: a charset for raw bytes. Raise no exception.
    """
    text = as_text(value).lstrip(" \t")  # of a second line, if the first has the name alone
    kind = _registered(name, policy)
    read = _READERS.get(kind)
    if read is None and len(text) <= _LONGEST and text.isascii() and not _NOT_PLAIN.search(text):
        try:
            return policy.header_factory(name, text)
        except Exception:
            pass  # email's parser fails on some input, in ways that it does not document
    field = (read or _text_field)(text, fallback)
    field.name = name
    field.max_count = getattr(kind, "max_count", None)
    return field


def parameters_of(kind: str) -> tuple[str, str | None]:
    """Return the main type and the charset that a value of Content-Type declares."""
    field = _with_parameters(as_text(kind).lstrip(" \t"), None)
    return field.maintype, field.params.get("charset")


def _registered(name: str, policy: EmailPolicy[Any]) -> type | None:
    """Return the class that the policy has for a header; None if a factory of another kind makes them."""
    factory = policy.header_factory
    if not isinstance(factory, headerregistry.HeaderRegistry):
        return None
    field_type: type = factory.registry.get(name.lower(), factory.default_class)
    return field_type


def made(name: str, text: str) -> Field:
    """Return a header without syntax."""
    field = Field(text)
    field.name = name
    return field


def _text_field(text: str, fallback: str | None) -> Field:
    return Field(decode_header(text, fallback=fallback))


def _addresses_field(text: str, fallback: str | None) -> AddressesField:
    groups = addresses.groups(Words(text, fallback))
    field = AddressesField(", ".join(map(str, groups)))
    field.groups = groups
    return field


def _with_parameters(text: str, fallback: str | None) -> ParametersField:
    value, params = parameters.split(Words(text, fallback))
    text = "; ".join([value, *(f"{name}={_quoted(parameter)}" for name, parameter in params.items())])
    return _parameters_field(text, "", (), value.lower(), params)


def _identifier_field(text: str, fallback: str | None) -> IdentifierField:
    return IdentifierField(decode_header(text, fallback=fallback))


def _date_field(text: str, fallback: str | None) -> DateField:
    text = decode_header(text, fallback=fallback)
    try:
        date = parsedate_to_datetime(text) if len(text) <= _LONGEST else None
        field = DateField(text if date is None else format_datetime(date))
    except (TypeError, ValueError, OverflowError):
        return DateField(text)
    field.datetime = date
    return field


def _version_field(text: str, fallback: str | None) -> VersionField:
    field = VersionField(decode_header(text, fallback=fallback))
    match = _VERSION.match(field[:_LONGEST])
    if match is not None:
        field.major, field.minor = int(match[1]), int(match[2])
        field.version = f"{field.major}.{field.minor}"
    return field


def _transfer_field(text: str, fallback: str | None) -> TransferField:
    text = decode_header(text, fallback=fallback)
    match = _TRANSFER.match(text)
    if match is None:
        return TransferField(text)
    field = TransferField(match[1])
    field.cte = match[1].lower()
    return field


_READERS: Final[Mapping[type | None, Callable[[str, str | None], Field]]] = {
    headerregistry.UnstructuredHeader: _text_field,
    headerregistry.UniqueUnstructuredHeader: _text_field,
    headerregistry.MessageIDHeader: _identifier_field,
    headerregistry.AddressHeader: _addresses_field,
    headerregistry.UniqueAddressHeader: _addresses_field,
    headerregistry.SingleAddressHeader: _addresses_field,
    headerregistry.UniqueSingleAddressHeader: _addresses_field,
    headerregistry.ContentTypeHeader: _with_parameters,
    headerregistry.ContentDispositionHeader: _with_parameters,
    headerregistry.DateHeader: _date_field,
    headerregistry.UniqueDateHeader: _date_field,
    headerregistry.MIMEVersionHeader: _version_field,
    headerregistry.ContentTransferEncodingHeader: _transfer_field,
}
