"""Tokens: a paragraph of the source as words, numbers, symbols, variables and names that the algorithm defines."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from generator.spec.errors import Misfit
from generator.spec.source import Paragraph, Piece

_TOKEN = re.compile(
    r"""\s*(?:
      U\+(?P<code_point>[0-9A-F]{4,6})(?:\ \((?P<character>.{1,2}?)\))?
    | 0x(?P<hexadecimal>[0-9A-F]+)\b
    | (?P<decimal>\d+)(?!\w|\.\d)
    | (?P<word>[A-Za-z][A-Za-z0-9_]*(?:[-‑][A-Za-z0-9_]+)*)
    | (?P<symbol><<|>>|'s\b|[-−+×/%&|«»()\[\]{},.;:'])
    )""",
    re.VERBOSE,
)

_SYMBOLS = {"−": "-", "×": "*"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lowercase, a number, a symbol, or a name."""

    kind: str
    """``word``, ``number``, ``symbol``, ``var``, ``member``, ``value``, ``dfn`` or ``link``."""
    value: str
    number: int = 0
    links: str = ""
    """The text of the link that starts here, in lowercase."""
    words: int = 0
    """How many tokens that link has."""


@dataclass(frozen=True)
class Names:
    """The names that an algorithm defines, by their terms in lowercase."""

    members: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)


def identifier(name: str) -> str:
    """Return a name as Python's: ``codePoint`` gives ``code_point``, ``Shift_JIS leading`` ``shift_jis_leading``."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "_", name)
    name = re.sub(r"\W+", "_", name).strip("_").lower()
    return f"{name}_" if hasattr(builtins, name) or keyword.iskeyword(name) else name


def tokens(paragraph: Paragraph, names: Names) -> tuple[Token, ...]:
    """Return the tokens of a paragraph. Raise a Misfit for a character that is none."""
    result: list[Token] = []
    for piece in _joined(paragraph.pieces):
        if piece.kind == "var":
            result.append(Token("var", identifier(piece.text)))
        elif piece.kind == "dfn":
            result.append(Token("dfn", piece.term))
        elif piece.kind == "a" and piece.term.lower() in names.values:
            result.append(Token("value", names.values[piece.term.lower()]))
        else:
            read = list(_read(piece.text, paragraph.text))
            if piece.kind == "a" and read:
                read[0] = replace(read[0], links=piece.term.lower(), words=len(read))
            result += read
    return tuple(_with_members(result, names))


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces with adjacent text joined: an emphasised word does not divide it."""
    for is_text, run in groupby(pieces, lambda piece: piece.kind == "text"):
        pieces_of_run = list(run)
        yield from [Piece("text", "".join(piece.text for piece in pieces_of_run))] if is_text else pieces_of_run


def _read(text: str, sentence: str) -> Iterator[Token]:
    place = 0
    text = " ".join(text.split())
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise Misfit(f"{text[place : place + 12].strip()!r} is no token", sentence, "lexicon.py")
        place = match.end()
        if match["code_point"]:
            number = int(match["code_point"], 16)
            if match["character"] and match["character"] != (chr(number) if number < 0x110000 else ""):
                raise Misfit(f"U+{number:04X} is not {match['character']!r}", sentence, "lexicon.py")
            yield Token("number", "hexadecimal", number)
        elif match["hexadecimal"]:
            yield Token("number", "hexadecimal", int(match["hexadecimal"], 16))
        elif match["decimal"]:
            yield Token("number", "decimal", int(match["decimal"]))
        elif match["word"]:
            yield Token("word", match["word"].lower())
        else:
            yield Token("symbol", _SYMBOLS.get(match["symbol"], match["symbol"]))


def _with_members(sequence: Sequence[Token], names: Names) -> Iterator[Token]:
    """Yield the tokens with the words of each variable that lasts as one; the longest name counts."""
    spelled = {tuple(token.value for token in _read(term, term)): name for term, name in names.members.items()}
    place = 0
    while place < len(sequence):
        for length in sorted({len(words) for words in spelled}, reverse=True):
            run = sequence[place : place + length]
            name = spelled.get(tuple(token.value for token in run))
            if name is not None and all(token.kind in ("word", "number") for token in run):
                yield Token("member", name)
                place += length
                break
        else:
            yield sequence[place]
            place += 1
