"""Parameters of header fields (RFC 2045, RFC 2231), as mail has them, in time linear in their length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from .charsets import Charset, charset, decode_in, determine
from .words import Words, as_bytes, decode_header, on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

# email's own functions take quadratic time to split the text of a header into parameters again.
_MOST: Final = 256
_LONGEST: Final = 16384  # characters of all names and values

_BETWEEN: Final = re.compile(r"[;\s]*+")
_NAME: Final = re.compile(r"([^\s=;\"]++)\s*+=\s*+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)("?)', re.DOTALL)
_PLAIN: Final = re.compile("[^;]*+")
_SECTION: Final = re.compile(r"([^*]+)(?:\*0*(\d{1,4}))?(\*?)", re.DOTALL)
# A boundary is compared with lines of the body, and is not text.
_LITERAL: Final = "boundary"


class _Section(NamedTuple):
    """A part of a parameter: its number, whether it is percent-encoded, and its value with marks of words."""

    number: int
    is_encoded: bool
    value: str


def split(words: Words) -> tuple[str, dict[str, str], bool]:
    """Return the value of a header before its parameters, the parameters, and whether they are complete.

    Names are in lowercase. Of two parameters of one name, the one as in RFC 2231 counts, else the first.
    """
    main = _PLAIN.match(words.text)
    assert main is not None
    sections: dict[str, list[_Section]] = {}
    plain: dict[str, str] = {}
    length = 0
    is_complete = True
    for count, (name, value) in enumerate(_pairs(words.text, main.end())):
        length += len(name) + len(value)
        if count == _MOST or length > _LONGEST:
            is_complete = False
            break
        found = _SECTION.fullmatch(words.source(name).lower())
        if found is None:
            continue
        key, number, star = found.groups()
        if number is None and not star:
            plain.setdefault(key, value)
        else:
            sections.setdefault(key, []).append(_Section(int(number or 0), bool(star), value))
    parameters = {
        name: words.source(value) if name == _LITERAL else words.resolved(value) for name, value in plain.items()
    }
    for name, parts in sections.items():
        unique = {each.number: each for each in reversed(parts)}
        parameters[name] = _joined([unique[number] for number in sorted(unique)], words)
    return words.resolved(main[0]).partition("(")[0].strip(), parameters, is_complete


def _pairs(text: str, position: int) -> Iterator[tuple[str, str]]:
    """Yield names and values; the semicolons between them may be missing after quotation marks."""
    while position < len(text):
        between = _BETWEEN.match(text, position)
        assert between is not None
        position = between.end()
        name = _NAME.match(text, position)
        if name is None:
            rest = _PLAIN.match(text, position)
            assert rest is not None
            position = rest.end()
            continue
        value, position = _value(text, name.end())
        yield name[1], value


def _value(text: str, position: int) -> tuple[str, int]:
    """Return the value at a position, and where it ends."""
    quoted = _QUOTED.match(text, position)
    rest = _PLAIN.match(text, position if quoted is None else quoted.end())
    assert rest is not None
    if quoted is None:
        return rest[0].strip(), rest.end()
    after = rest[0].rstrip()
    if after.endswith('"') and "=" not in after:  # quotation marks within, without backslashes
        return unquoted(text[position + 1 : quoted.end() + len(after) - 1]), rest.end()
    return unquoted(quoted[1]), quoted.end()


def unquoted(text: str) -> str:
    """Return the content of quotation marks: other backslashes than those that it needs are separators of paths."""
    return re.sub(r'\\(["\\])', r"\1", text)


def _joined(parts: list[_Section], words: Words) -> str:
    """Return the text of a parameter's sections, of which the first may name the charset."""
    if not any(each.is_encoded for each in parts):
        # Words may be divided between sections.
        return decode_header(words.raw("".join(each.value for each in parts)))
    name, parts = _declared([each._replace(value=words.raw(each.value)) for each in parts])
    data = [unquote_to_bytes(as_bytes(each.value)) if each.is_encoded else as_bytes(each.value) for each in parts]
    found: Charset = determine(b"".join(data), name)
    if all(each.is_encoded or each.value.isascii() for each in parts):
        text = decode_in(b"".join(data), found)
    else:  # raw bytes, which have been decoded
        text = "".join(
            decode_in(each, found) if part.is_encoded else part.value for each, part in zip(data, parts, strict=True)
        )
    return decode_header(text) if text.isascii() and "=?" in text else on_one_line(text)


def _declared(parts: list[_Section]) -> tuple[str | None, list[_Section]]:
    """Return the charset that the first section names, and the sections without it."""
    first = parts[0]
    pieces = first.value.split("'", 2) if first.is_encoded else []
    if len(pieces) == 3:
        return pieces[0], [first._replace(value=pieces[2]), *parts[1:]]
    if len(pieces) == 2 and charset(pieces[0]) is not None:  # one quote is missing
        return pieces[0], [first._replace(value=pieces[1]), *parts[1:]]
    return None, parts
