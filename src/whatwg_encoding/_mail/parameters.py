"""Parameters of header fields (RFC 2045, RFC 2231), as mail has them, in time linear in their length."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator
from itertools import groupby
from urllib.parse import unquote_to_bytes

from .charsets import Charset, charset, decode_in, determine
from .words import Words, as_bytes, decode_header, on_one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

# email's own functions take quadratic time to split the text of a header into parameters again.
_MOST: Final = 256
_LONGEST: Final = 16384  # characters of all names and values

_BLANK: Final = " \t\r\n"
_BETWEEN: Final = re.compile(r"[;\s]*+", re.ASCII)
_NAME: Final = re.compile(r"([^\s=;\"]++)\s*+=\s*+", re.ASCII)
_QUOTED: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)("?)', re.DOTALL)
_PLAIN: Final = re.compile("[^;]*+")
_MAIN: Final = re.compile(r"[^;]*?(?=;|\s[\w-]+=|\Z)", re.ASCII)  # the first semicolon may be missing
_SECTION: Final = re.compile(r"([^*]+)(?:\*0*(\d{1,4}))?(\*?)", re.DOTALL)
# What is encoded by RFC 2231 although the asterisk is missing.
_MARKED: Final = re.compile(r"([\w.:-]{1,80})'[\w-]*'(?=.*%[0-9A-Fa-f]{2})", re.ASCII | re.DOTALL)
_BEYOND_ASCII: Final = re.compile("%[89A-Fa-f][0-9A-Fa-f]")
# A boundary is compared with lines of the body, and is not text.
_LITERAL: Final = "boundary"


if TYPE_CHECKING:

    class _Section(NamedTuple):
        """A part of a parameter: its number, whether it is percent-encoded, and its value with marks of words."""

        number: int
        is_encoded: bool
        value: str
else:
    _Section = namedtuple("_Section", ["number", "is_encoded", "value"])


def split(words: Words) -> tuple[str, dict[str, str]]:
    """Return the value of a header before its parameters, and the parameters, as far as they are not too many.

    Names are in lowercase. Of two parameters of one name, the one as in RFC 2231 counts, else the first.
    """
    main = _main(words)
    if ";" in words.resolved(main):  # a header of which all was encoded, as by email if it had raw bytes
        words = Words(words.resolved(words.text))
        main = _main(words)
    sections: dict[str, list[_Section]] = {}
    plain: dict[str, str] = {}
    length = 0
    for count, (name, value) in enumerate(_pairs(words.text, len(main))):
        length += len(name) + len(value)
        if count == _MOST or length > _LONGEST:
            break
        match = _SECTION.fullmatch(words.source(name).lower())
        if match is None:
            continue
        key, number, star = match.groups()
        if number is None and not star:
            plain.setdefault(key, value)
        else:
            sections.setdefault(key, []).append(_Section(int(number or 0), bool(star), value))
    parameters = {name: _text(name, value, words) for name, value in plain.items()}
    for name, parts in sections.items():
        unique = {part.number: part for part in reversed(parts)}
        if name not in plain or any(part.value for part in parts):
            parameters[name] = _joined([unique[number] for number in sorted(unique)], words)
    return words.resolved(main).partition("(")[0].strip(_BLANK), parameters


def _main(words: Words) -> str:
    main = _MAIN.match(words.text)
    assert main is not None
    return main[0]


def _text(name: str, value: str, words: Words) -> str:
    """Return the text of a parameter that is not in sections."""
    if name == _LITERAL:
        return words.source(value)
    return _joined([_Section(0, True, value)], words) if _is_marked(value) else words.resolved(value)


def _is_marked(value: str) -> bool:
    mark = _MARKED.match(value)
    return mark is not None and charset(mark[1]) is not None


def _pairs(text: str, position: int) -> Iterator[tuple[str, str]]:
    """Yield names and values; the semicolons between them may be missing after quotation marks."""
    while position < len(text):
        between = _BETWEEN.match(text, position)
        assert between is not None
        position = between.end()
        name = _NAME.match(text, position)
        if name is None:
            plain = _PLAIN.match(text, position)
            assert plain is not None
            position = plain.end()
            continue
        value, position = _value(text, name.end())
        yield name[1], value


def _value(text: str, position: int) -> tuple[str, int]:
    """Return the value at a position, and where it ends."""
    quoted = _QUOTED.match(text, position)
    plain = _PLAIN.match(text, position if quoted is None else quoted.end())
    assert plain is not None
    if quoted is None:
        return plain[0].strip(_BLANK), plain.end()
    after = plain[0].rstrip(_BLANK)
    if after.endswith('"') and "=" not in after:  # quotation marks within, without backslashes
        return unquoted(text[position + 1 : quoted.end() + len(after) - 1]), plain.end()
    return unquoted(quoted[1]), quoted.end()


def unquoted(text: str) -> str:
    """Return the content of quotation marks: other backslashes than those that it needs are separators of paths."""
    return re.sub(r'\\(["\\])', r"\1", text)


def _joined(parts: list[_Section], words: Words) -> str:
    """Return the text of a parameter's sections, of which the first may name the charset."""
    if not parts[0].is_encoded and _is_marked("".join(part.value for part in parts)):
        parts = [part._replace(is_encoded=True) for part in parts]
    if not any(part.is_encoded for part in parts):
        # Words may be divided between sections.
        return decode_header(words.raw("".join(part.value for part in parts)))
    name, parts = _declared([part._replace(value=words.raw(part.value)) for part in parts])
    # Encoded sections are joined, since they may divide a character, and even %XX.
    runs = [(kind, "".join(part.value for part in run)) for kind, run in groupby(parts, _is_percent_encoded)]
    data = [unquote_to_bytes(as_bytes(value)) if is_encoded else as_bytes(value) for is_encoded, value in runs]
    likely: Charset = determine(b"".join(data), name)
    if all(is_encoded or value.isascii() for is_encoded, value in runs):
        text = decode_in(b"".join(data), likely)
    else:  # raw bytes, which have been decoded
        text = "".join(
            decode_in(part, likely) if is_encoded else value
            for part, (is_encoded, value) in zip(data, runs, strict=True)
        )
    return decode_header(text) if text.isascii() and "=?" in text else on_one_line(text)


def _is_percent_encoded(section: _Section) -> bool:
    return section.is_encoded or _BEYOND_ASCII.search(section.value) is not None


def _declared(parts: list[_Section]) -> tuple[str | None, list[_Section]]:
    """Return the charset that the first section names, and the sections without it."""
    first = parts[0]
    pieces = first.value.split("'", 2) if first.is_encoded else []
    if len(pieces) == 3:
        return pieces[0], [first._replace(value=pieces[2]), *parts[1:]]
    if len(pieces) == 2 and charset(pieces[0]) is not None:  # one quote is missing
        return pieces[0], [first._replace(value=pieces[1]), *parts[1:]]
    return None, parts
