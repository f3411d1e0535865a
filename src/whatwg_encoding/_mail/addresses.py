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
# Tokens of a header that count: six or seven for each address. What follows them is text.
_MOST: Final = 1 << 16


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
        self._phrase: list[str] = []  # tokens; a blank for space
        self._quoted: set[int] = set()  # the numbers of those that were quoted
        self._at: int | None = None  # the number of the last one with "@"
        self._has_at = False  # whether one that was not quoted has it
        self._angle: str | None = None

    def groups(self) -> tuple[Group, ...]:
        text = self._words.text
        position = count = 0
        has_comments = True
        match = _TOKEN.match
        while (token := match(text, position)) is not None:
            count += 1
            if count > _MOST:
                self._end_mailbox()
                self._put(Address("", self._words.resolved(text[position:]), ""))
                break
            position = token.end()
            kind, value = token.lastgroup, token[0]
            if kind == "mark" and value == "(" and has_comments:
                end = _end_of_comment(text, position)
                has_comments = end is not None  # without an end, this and all that follow are text
                if end is not None:
                    position, kind = end, "space"
            if kind == "space":
                self._phrase.append(" ")
            elif value == '"':  # without an end: it would take the addresses for a name
                text = text.replace('"', " ")
            elif kind == "quoted":
                self._quoted.add(len(self._phrase))
                self._add(unquoted(token["quoted"]), is_quoted=True)
            elif kind == "angle":
                if self._angle is not None:  # a comma is missing
                    self._end_mailbox()
                self._angle = token["angle"]
            elif kind == "mark" and value != "(":
                self._separate(value)
            else:
                self._add(value)
        self._end_mailbox()
        self._end_group()
        return tuple(self._groups)

    def _add(self, token: str, *, is_quoted: bool = False) -> None:
        if "@" in token:
            self._at = len(self._phrase)
            self._has_at = self._has_at or not is_quoted
        self._phrase.append(token)

    def _separate(self, mark: str) -> None:
        if mark == ":":
            if self._name is None and self._angle is None and not self._has_at:
                self._name = self._text()
                self._clear()
            else:
                self._phrase.append(mark)
            return
        self._end_mailbox()
        if mark == ";":
            self._end_group()

    def _text(self) -> str:
        return self._words.resolved("".join(self._phrase)).strip()

    def _end_group(self) -> None:
        if self._name is not None:
            self._groups.append(Group(self._name, tuple(self._members)))
        self._name, self._members = None, []

    def _end_mailbox(self) -> None:
        if not self._phrase and self._angle is None:
            return
        address = self._address()
        self._clear()
        if address is not None:
            self._put(address)

    def _put(self, address: Address) -> None:
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
        if not self._has_at:
            text = self._text()
            return Address("", text, "") if text else None
        # Words before an address without angle brackets are its name.
        assert self._at is not None
        start = self._at
        while start and self._phrase[start - 1] != " ":
            start -= 1
        parts = [
            f'"{token}"' if number in self._quoted else token
            for number, token in enumerate(self._phrase[start:], start)
        ]
        del self._phrase[start:]
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
    for match in _PARENTHESIS.finditer(text, position):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return None
