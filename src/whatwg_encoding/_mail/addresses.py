"""Addresses of header fields (RFC 5322, section 3.4), as mail has them, in time linear in their length."""

from __future__ import annotations

import re
from email.headerregistry import Address, Group

from .parameters import unquoted
from .words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_TOKEN: Final = re.compile(
    r"""(?P<space>\s++)
    |"(?P<quoted>(?:[^"\\]++|\\.)*+)"
    |<(?P<angle>(?:[^<>"]++|"(?:[^"\\]++|\\.)*+")*+)>?
    |(?P<literal>\[[^\[\]<>,;]*+\])
    |(?P<mark>[(,;:])
    |(?P<atom>[^\s"(),;:<>\[\]]++|.)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_PARENTHESIS: Final = re.compile(r"\\.|[()]", re.DOTALL)
_ROUTE: Final = re.compile("^@[^:]*+:")


def groups(words: Words) -> tuple[Group, ...]:
    """Return the groups of a header's addresses. An address outside of a group is one without a name, as in email."""
    return _Parser(words).groups()


class _Parser:
    """What has been read of a mailbox, and of a group."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._groups: list[Group] = []
        self._name: str | None = None  # of the group that is open
        self._members: list[Address] = []
        self._clear()

    def _clear(self) -> None:
        self._phrase: list[tuple[str, bool]] = []  # tokens, and whether they were quoted; a blank for space
        self._angle: str | None = None

    def groups(self) -> tuple[Group, ...]:
        text = self._words.text
        position = 0
        has_comments = True
        while (token := _TOKEN.match(text, position)) is not None:
            position = token.end()
            kind, value = token.lastgroup, token[0]
            if kind == "mark" and value == "(" and has_comments:
                end = _end_of_comment(text, position)
                has_comments = end is not None  # without an end, this and all that follow are text
                if end is not None:
                    position, kind = end, "space"
            if value == '"':  # without an end: it would take the addresses for a name
                text = text.replace('"', " ")
            elif kind == "space":
                self._phrase.append((" ", False))
            elif kind == "quoted":
                self._phrase.append((unquoted(token["quoted"]), True))
            elif kind == "angle":
                self._add_angle(token["angle"])
            elif kind == "mark" and value != "(":
                self._separate(value)
            else:
                self._phrase.append((value, False))
        self._end_mailbox()
        self._end_group()
        return tuple(self._groups)

    def _add_angle(self, value: str) -> None:
        if self._angle is not None:  # a comma is missing
            self._end_mailbox()
        self._angle = value

    def _separate(self, mark: str) -> None:
        if mark == ":":
            if self._name is None and self._angle is None and not self._has_at():
                self._name = self._text()
                self._clear()
            else:
                self._phrase.append((mark, False))
            return
        self._end_mailbox()
        if mark == ";":
            self._end_group()

    def _has_at(self) -> bool:
        return any("@" in token for token, is_quoted in self._phrase if not is_quoted)

    def _text(self) -> str:
        return self._words.resolved("".join(token for token, _ in self._phrase)).strip()

    def _end_group(self) -> None:
        if self._name is not None:
            self._groups.append(Group(self._name, tuple(self._members)))
        self._name, self._members = None, []

    def _end_mailbox(self) -> None:
        address = self._address()
        self._clear()
        if address is None:
            return
        if self._name is None:
            self._groups.append(Group(None, (address,)))
        else:
            self._members.append(address)

    def _address(self) -> Address | None:
        if self._angle is not None:
            display, specification = self._text(), self._words.source(self._angle).strip()
            if not (display or specification) and (self._groups or self._members):
                return None
            return _made(" ".join(display.split("\t")), _ROUTE.sub("", specification))
        if not self._has_at():
            text = self._text()
            return Address("", text, "") if text else None
        # Words before an address without angle brackets are its name.
        start = next(i for i in reversed(range(len(self._phrase))) if "@" in self._phrase[i][0])
        while start and self._phrase[start - 1][0] != " " and (start > 0):
            start -= 1
        parts = [f'"{token}"' if is_quoted else token for token, is_quoted in self._phrase[start:]]
        self._phrase = self._phrase[:start]
        return _made(self._text(), self._words.source("".join(parts)).replace(" ", ""))


def _made(display: str, specification: str) -> Address:
    """Return the address of a name and a specification, in which nothing is decoded."""
    local, at, domain = specification.rpartition("@")
    if not at:
        local, domain = domain, ""
    local = local.strip()
    if len(local) > 1 and local[0] == local[-1] == '"':
        local = unquoted(local[1:-1])
    return Address(display, local, domain.strip(" \t>"))


def _end_of_comment(text: str, position: int) -> int | None:
    """Return where the comment ends that starts before a position; None if it does not."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, position):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return None
