"""Measure Python's error handlers in the ``web-…`` codecs, beside CPython's codecs of the nearest names.

    python -m benchmarks.bench_handlers [PATTERN]     # a regular expression that selects rows by their titles

Each row is one handler, one direction, one encoding and one pattern of errors. The two codecs run by turns, and a row's
ratio is that of the fastest runs: CPython's time by ours. Rows are printed from the lowest ratio to the highest. A row
whose results differ, since the encodings or the spans of errors do, is marked with ``*``.

A registered handler is called for each error. CPython's single-byte codecs and UTF-8 call it once for adjacent
characters, so such rows compare one call with many; they are marked with ``1``.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterator
from timeit import timeit

import whatwg_encoding

ENCODINGS = {
    "utf-8": "utf-8",
    "utf-16-le": "utf-16le",
    "cp1252": "windows-1252",
    "cp1251": "windows-1251",
    "koi8-r": "koi8-r",
    "gbk": "gbk",
    "gb18030": "gb18030",
    "big5": "big5",
    "shift_jis": "shift_jis",
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
}
HANDLERS = ["ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass", "registered"]
ENCODE_HANDLERS = [*HANDLERS, "xmlcharrefreplace", "namereplace"]

#: Patterns of errors. In most of them the encodings that have all of these characters have no error.
TEXTS = {
    "surrogates": "\udc80" * 20000,
    "a, surrogate": "a\udc80" * 10000,
    "a, thai": "a\u0e01" * 10000,
    "19 a, thai": ("a" * 19 + "\u0e01") * 1000,
    "thai": "\u0e01" * 20000,
    "emoji": "\U0001f600" * 20000,
    "a, emoji": "a\U0001f600" * 10000,
    "é, emoji": "é\U0001f600" * 10000,
    "ж, thai": "ж\u0e01" * 10000,
}
BYTES = {
    "FF": b"\xff" * 20000,
    "19 a, FF": (b"a" * 19 + b"\xff") * 1000,
    "a, FF": b"a\xff" * 10000,
    "E3 81, a": b"\xe3\x81a" * 7000,
    "82, space": b"\x82 " * 10000,
    "words, then FF": "жук ".encode() * 3000 + b"\xff" * 3000,
    "surrogates": b"\xed\xa0\x80" * 7000,
    "a, surrogate": b"a\xed\xa0\x80" * 5000,
    "units": b"\x80\xdc" * 10000,
}
CALLED_FOR_GROUPS = {"utf-8", "cp1252", "cp1251", "koi8-r"}

Call = Callable[[], "str | bytes"]


def calls(convert: Callable[[str, str], str | bytes], errors: str) -> Callable[[str], Call]:
    return lambda codec: lambda: convert(codec, errors)


def conversions(errors: str) -> Iterator[tuple[str, str, int, Callable[[str], Call]]]:
    """Yield for each pattern a direction, the pattern's name, its length, and a function from a codec to a call."""
    for pattern, text in TEXTS.items():
        yield "encode", pattern, len(text), calls(text.encode, errors)
    if errors in HANDLERS:
        for pattern, data in BYTES.items():
            yield "decode", pattern, len(data), calls(data.decode, errors)


def rows(wanted: re.Pattern[str], rounds: int = 15) -> Iterator[tuple[float, str, float, float, str]]:
    """Yield the ratio, the title, our and CPython's nanoseconds for a unit, and the marks of each row."""
    for pythons, label in ENCODINGS.items():
        for errors in ENCODE_HANDLERS:
            for direction, pattern, length, call in conversions(errors):
                title = f"{direction} {pythons} {errors}: {pattern}"
                ours, theirs = call(f"web-{label}"), call(pythons)
                if not wanted.search(title):
                    continue
                try:
                    same = ours() == theirs()
                except (UnicodeError, whatwg_encoding.EncoderUnavailableError):
                    continue  # the handler raises this error, or there is no encoder
                times = [(timeit(ours, number=1), timeit(theirs, number=1)) for _ in range(rounds)]
                our_time, their_time = (min(column) / length * 1e9 for column in zip(*times, strict=True))
                groups = direction == "encode" and errors == "registered" and pythons in CALLED_FOR_GROUPS
                marks = ("" if same else "*") + ("1" if groups and pattern in ("surrogates", "thai", "emoji") else "")
                yield their_time / our_time, title, our_time, their_time, marks


def main() -> None:
    """Print the table."""
    whatwg_encoding.register_codecs()
    codecs.register_error("registered", lambda error: ("?", error.end))  # type: ignore[attr-defined]
    found = sorted(rows(re.compile(sys.argv[1] if len(sys.argv) > 1 else "")))
    for ratio, title, ours, theirs, marks in found:
        print(f"{ratio:9.2f} {ours:9.3f} {theirs:9.3f}  {title} {marks}")
    print(f"{len(found)} rows, {sum(row[0] < 1 for row in found)} of them below 1; nanoseconds for a byte or character")


if __name__ == "__main__":
    main()
