"""Encoded words (RFC 2047), as mail has them, and the raw bytes of headers.

`Words` decodes both and leaves a text in which each run of words is a mark, a sequence of surrogates that no such text
has otherwise. What parses the syntax of a header therefore never takes what was encoded for syntax.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import a2b_base64, a2b_qp, unhexlify
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice

import whatwg_encoding as we

from .charsets import agrees, decode, decode_in, determine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# The start of a word: the charset, perhaps with a language (RFC 2231, section 5), and B or Q.
_START: Final = re.compile(r"=\?([^?\r\n]{0,80})\?[ \t]*([bBqQ])[ \t]*\?")
# One as it should be, with neither a language nor blanks in it; and what Q encodes nowhere.
_GOOD_WORD: Final = re.compile(r"=\?([\w-]{1,80})\?([bBqQ])\?([^?\s]++)\?=", re.ASCII)
_NOT_Q: Final = re.compile("=(?![0-9A-Fa-f]{2})")
# What a word without an end has: a header may have been cut off.
_UNENDED: Final = {"B": re.compile("[A-Za-z0-9+/=]*"), "Q": re.compile(r"[^\s?\";]*")}
_CONTINUED: Final = re.compile(r"\"\s*+;\s*+[^\s=;\"]++=")  # a parameter's next section, which may go on with the word
_ESCAPED: Final = re.compile(b"=([0-9A-Fa-f]{2})|[_ ]")
_NOT_BASE64: Final = re.compile(b"[^A-Za-z0-9+/=]+")
# Where base64 may be over, and be followed by what a list or a scanner has added: after padding, a blank line, dashes.
_OVER: Final = re.compile(b"=|\n[ \t\r]*\n|\n(?=--|__)")
_ADDED: Final = re.compile(rb"[^A-Za-z0-9+/=\s]")
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")

_MOST: Final = 1 << 14  # words of a header that are decoded: each takes some 30 microseconds

_ENDS: Final = re.compile("[\r\n]+")
# What str.splitlines takes for the end of a line, which email's policies refuse in a header.
_LINE_ENDS: Final = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+[ \t]*")
# Raw bytes as email has them in a str, and ISO-2022-JP, whose bytes are ASCII.
_RAW: Final = re.compile("[\udc80-\udcff]|\x1b[$(]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_MARK: Final = re.compile("\ud800([\udc00-\udfff]+)\ud801")


def as_text(value: str | bytes) -> str:
    """Return a header's value as email has it in a str, on one line."""
    if isinstance(value, bytes | bytearray | memoryview):
        value = bytes(value).decode("ascii", "surrogateescape")
    elif not isinstance(value, str):
        raise TypeError(f"a header must be a str or bytes, not {type(value).__name__}")
    return value if value.isprintable() else _ENDS.sub("", value)


def is_text(value: str) -> bool:
    return _SURROGATES.search(value) is None


def on_one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)


def as_bytes(text: str) -> bytes:
    """Return the bytes of a header's text: those that email has in a str, and UTF-8 for other characters."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def decode_header(
    value: str | bytes,
    *,
    fallback: str | None = None,
    exclude: Iterable[we.Encoding | str] = (),
    candidates: Iterable[we.Encoding | str] | None = None,
) -> str:
    """Return the text of a header's value, which may have encoded words and raw bytes, on one line.

    ``value``: bytes, or a str in which surrogates are raw bytes, as in email's messages. ``fallback``: the charset that
    is declared nearby, such as the body's, for raw bytes and for words whose charset is unknown. Encoded words are
    decoded wherever they are, also if they have blanks, or no padding, or no end because the header was cut off. Words
    of one charset with nothing but blanks between them are joined before they are decoded, since they may divide a
    character. An end of a line in a word becomes a space. ``exclude`` and ``candidates`` limit the encodings, as in
    `decode`. The result has no surrogates. Time is linear in the length. Raise TypeError for a value of another type.

    >>> decode_header("Re: =?gb2312?B?1uzpRrv5?= =?x-unknown?Q?caf=C3=A9?=")
    'Re: 朱镕基café'
    """
    is_free = exclude == () and candidates is None
    text = _of_good_words(value, fallback) if is_free and isinstance(value, str) else None
    if text is None:
        exclude = exclude if isinstance(exclude, str) else tuple(exclude)
        candidates = candidates if candidates is None or isinstance(candidates, str) else tuple(candidates)
        words = Words(as_text(value), fallback, exclude, candidates)
        return words.resolved(words.text)
    return text if text.isprintable() else on_one_line(_SURROGATES.sub("\ufffd", text))


def _of_good_words(value: str, fallback: str | None) -> str | None:
    """Return the text of a header of ASCII in which all words are as they should be; None for any other.

    It is what `Words` finds, in a fraction of the time.
    """
    if "=?" not in value:
        return value if value.isascii() and value.isprintable() else None
    if not value.isascii() or not value.isprintable():
        return None
    parts: list[str] = []
    data, name, count, end = b"", "", 0, 0
    words = list(islice(_GOOD_WORD.finditer(value), _MOST))
    for word in (*words, None):
        between = value[end:] if word is None else value[end : word.start()]
        is_apart = word is None or (not between.isspace() and between != "")
        if count and (is_apart or word is None or word[1].lower() != name):
            text = decode(data, name, fallback=fallback)
            if "\ufffd" in text or (count > 1 and not agrees(data, name)):
                return None
            parts.append(text)
            data, count = b"", 0
        if is_apart or not end:
            if "=?" in between or between[:1] == "?":  # also the "=" of the word before
                return None
            parts.append(between)
        if word is not None:
            name, end, count = word[1].lower(), word.end(), count + 1
            try:
                data += _GOOD[word[2]](word[3])
            except ValueError:
                return None
    return "".join(parts)


def _good_base64(encoded: str) -> bytes:
    return a2b_base64(encoded, strict_mode=True)


def _good_q(encoded: str) -> bytes:
    if _NOT_Q.search(encoded):
        raise ValueError
    return a2b_qp(encoded, header=True)


_GOOD: Final = {"B": _good_base64, "b": _good_base64, "Q": _good_q, "q": _good_q}


class Words:
    """A header's value with its raw bytes decoded and each run of encoded words replaced by a mark, in ``text``."""

    def __init__(
        self,
        value: str,
        fallback: str | None = None,
        exclude: Collection[we.Encoding | str] = (),
        candidates: Collection[we.Encoding | str] | None = None,
    ) -> None:
        self._decode = partial(decode, fallback=fallback, exclude=exclude, candidates=candidates)
        self._runs: list[tuple[str, str]] = []  # the text and the source of each
        if "=?" not in value and value.isascii() and value.isprintable():
            self.text = value
            return
        pieces = list(self._pieces(value))
        raw = [_raw_bytes(piece) for piece in pieces if isinstance(piece, str)]
        likely = None
        if any(_RAW.search(piece) for piece in pieces if isinstance(piece, str)):
            likely = determine(b"\n".join(raw), None, fallback, exclude=exclude, candidates=candidates)
        parts = []
        for piece in pieces:
            if isinstance(piece, str):
                clean = piece if likely is None else _ENDS.sub(" ", decode_in(as_bytes(piece), likely))
                parts.append(_SURROGATES.sub("\ufffd", clean))
            else:
                parts.append(self._mark(*piece))
        self.text = "".join(parts)

    def resolved(self, text: str) -> str:
        """Return a part of the text with what the marks stand for, on one line."""
        if text.isprintable():  # without marks and ends of lines, as most of many parts are
            return text
        return on_one_line(_SURROGATES.sub("\ufffd", _MARK.sub(lambda mark: self._runs[_number(mark)][0], text)))

    def source(self, text: str) -> str:
        """Return a part of the text with the words as they came, without raw bytes, on one line."""
        if text.isprintable():
            return text
        return on_one_line(_SURROGATES.sub("\ufffd", self.raw(text)))

    def raw(self, text: str) -> str:
        """Return a part of the text with the words as they came, raw bytes of theirs included."""
        return _MARK.sub(lambda mark: self._runs[_number(mark)][1], text)

    def _mark(self, text: str, source: str) -> str:
        self._runs.append((on_one_line(text), source))
        return f"\ud800{''.join(chr(0xDC00 + int(digit)) for digit in str(len(self._runs) - 1))}\ud801"

    def _pieces(self, value: str) -> Iterator[str | tuple[str, str]]:
        """Yield texts outside of words, and for each run of words of one charset its text and its source."""
        run: list[_Word] = []
        end = 0
        for word in _words(value):
            between = value[end : word.start]
            is_apart = bool(between.strip(" \t\r\n"))
            if run and (is_apart or word.charset != run[0].charset):
                yield self._decoded(run), value[run[0].start : run[-1].end]
                run = []
            if is_apart or (end == 0 and between):
                yield between
            run.append(word)
            end = word.end
        if run:
            yield self._decoded(run), value[run[0].start : run[-1].end]
        yield value[end:]

    def _decoded(self, run: list[_Word]) -> str:
        """Return the text of words of one charset: joined, unless there are fewer errors in another reading."""
        name = run[0].charset
        parts = [word.data() for word in run]
        data = b"".join(parts)
        if len(run) == 1 or agrees(data, name):
            return self._decode(data, name)
        kinds = {word.kind for word in run}
        if len(kinds) == 1:  # what is encoded was cut without regard to its groups of characters
            whole = _DECODERS[kinds.pop()](b"".join(as_bytes(word.text) for word in run))
            if agrees(whole, name):
                return self._decode(whole, name)
        texts = [self._decode(data, name)]
        if "\ufffd" in texts[0]:  # a word may have lost a byte
            texts.append("".join(self._decode(word, name) for word in parts))
        return min(texts, key=lambda word: word.count("\ufffd"))


def _number(mark: re.Match[str]) -> int:
    return int("".join(str(ord(digit) - 0xDC00) for digit in mark[1]))


def _raw_bytes(text: str) -> bytes:
    return as_bytes(text) if _RAW.search(text) else b""


class _Word:
    """An encoded word: where it is, its charset without a language, "B" or "Q", and its encoded text."""

    __slots__ = ("charset", "end", "kind", "start", "text")

    def __init__(self, start: int, end: int, charset: str, kind: str, text: str) -> None:
        self.start, self.end, self.kind, self.text = start, end, kind, text
        self.charset = charset.partition("*")[0].lower()

    def data(self) -> bytes:
        return _DECODERS[self.kind](as_bytes(self.text))


def _words(value: str) -> Iterator[_Word]:
    """Yield the encoded words, in time linear in the length: each is over where the next one starts."""
    starts = list(islice(_START.finditer(value), _MOST))
    for number, start in enumerate(starts):
        kind = start[2].upper()
        bound = starts[number + 1].start() if number + 1 < len(starts) else len(value)
        # The "=" of "?=" may be that of the next word.
        end = value.find("?=", start.end(), bound + 1)
        if end >= 0 and _CONTINUED.search(value, start.end(), end) is None:
            yield _Word(start.start(), min(end + 2, max(bound, end + 1)), start[1], kind, value[start.end() : end])
            continue
        cut = _UNENDED[kind].match(value, start.end(), bound)
        if cut is not None and cut[0]:
            end = cut.end() + value.startswith("?", cut.end(), bound)
            yield _Word(start.start(), end, start[1], kind, cut[0])


def _q_decoded(content: bytes) -> bytes:
    """Return what Q encodes, with an equals sign that no two digits follow as it is."""
    return _ESCAPED.sub(lambda match: unhexlify(match[1]) if match[1] else b" ", content)


def base64_decoded(content: bytes) -> bytes:
    """Return what base64 encodes, without regard to other characters and missing padding: one text or several."""
    over = _OVER.search(content)
    if over is not None and _ADDED.search(content, over.start()):
        content = content[: over.start()]
    if b"+" not in content and b"/" not in content:
        content = content.translate(_URL_SAFE)
    parts = [part for part in _NOT_BASE64.sub(b"", content).split(b"=") if len(part) > 1]
    return b"".join(b64decode(part[: len(part) - (len(part) % 4 == 1)] + b"=" * (-len(part) % 4)) for part in parts)


_DECODERS: Final = {"B": base64_decoded, "Q": _q_decoded}
