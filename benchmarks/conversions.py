"""Decoding and encoding of every encoding, on text of its languages, as doors; the peers that give the same result."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from random import Random

import whatwg_encoding as we
from benchmarks import DATA, DOORS, codec_of
from benchmarks.corpus import LATIN, STYLES, Corpus, Style, restrict
from benchmarks.doors import Door

SIZE = 1 << 16
TWO_BYTE = frozenset({"Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "gb18030"})


def kind_of(encoding: str, language: str) -> str:
    """Return the kind of an encoding, in whose row of the report it is."""
    if encoding in ("ISO-2022-JP", "x-user-defined"):
        return encoding
    if encoding in TWO_BYTE or encoding.startswith("UTF-16"):
        return "two-byte" if encoding in TWO_BYTE else "UTF-16"
    return f"{'UTF-8' if encoding == 'UTF-8' else 'single-byte'}, {'Latin' if language in LATIN else 'other'}"


def encoded(encoding: we.Encoding, text: str) -> bytes:
    """Return ``text`` in ``encoding``, encoded by CPython if the standard has no encoder for it."""
    return encoding.encode(text) if encoding.has_encoder else text.encode(codec_of(encoding.name) or "utf-8")


def fit(encoding: we.Encoding, text: str, nbytes: int) -> str:
    """Return ``text``, repeated or truncated to at most ``nbytes`` encoded bytes of whole characters.

    Each repetition has its sentences in another order, since a branch predictor learns a short text that repeats.
    """
    sentences = re.split(r"(?<=[.!?。！？\n>])", text)
    random = Random(0)
    copies = [text]
    for _ in range(-(-nbytes // len(encoded(encoding, text))) - 1):
        random.shuffle(sentences)
        copies.append("".join(sentences))
    text = "".join(copies)
    return text[: bisect_right(range(1, len(text) + 1), nbytes, key=lambda end: len(encoded(encoding, text[:end])))]


@cache
def representable(encoding: we.Encoding, characters: str) -> frozenset[str]:
    """Return those of ``characters`` that round-trip equally in ``encoding`` and in CPython's codec."""
    codec = codec_of(encoding.name) or "utf-8"
    kept = set()
    for character in characters:
        with suppress(UnicodeError):
            data = character.encode(codec)
            is_equal = not encoding.has_encoder or encoding.encode(character, "fatal") == data
            if is_equal and encoding.decode(data) == data.decode(codec) == character:
                kept.add(character)
    return frozenset(kept)


@cache
def prepared(corpus: Corpus, encoding: we.Encoding, language: str, style: Style) -> str:
    """Return the text of ``language`` that ``encoding`` and CPython's codec can both encode."""
    if encoding is we.X_USER_DEFINED:
        return encoding.decode(Random(0).randbytes(1 << 16))  # its use is binary data: half of these bytes are ASCII
    text = corpus.get(language, style)
    if encoding is we.REPLACEMENT or encoding.name.startswith("UTF"):
        return text
    characters = "".join(sorted(set(text)))
    decomposed = "".join(chr(code_point) for code_point in (*range(0x80, 0x250), *range(0x300, 0x370)))
    return restrict(text, representable(encoding, characters + decomposed))


def conversions(corpus: Corpus) -> Iterator[Door]:
    """Yield the decoding and encoding of 64 KiB, in every encoding and for each of the languages it is measured on."""
    measured = ((name, language) for name, languages in DATA["measured"].items() for language in languages.split())
    for (name, language), style in product(measured, STYLES):
        encoding = we.lookup(name)
        if encoding is we.REPLACEMENT:
            continue
        text = fit(encoding, prepared(corpus, encoding, language, style), SIZE)
        given = {"text": text, "data": encoded(encoding, text), "name": name, "codec": codec_of(name)}
        for way in ("decode", "encode") if encoding.has_encoder else ("decode",):
            title = f"{way}: {kind_of(name, language)}, {style} of {name} {language}"
            yield Door(title, f"encoding.{way}({'data' if way == 'decode' else 'text'})",
                       "encoding = we.lookup(name)", same_results(way, given), given)  # fmt: skip


def same_results(way: str, given: Mapping[str, object]) -> dict[str, str]:
    """Return the calls of the door's peers that have the encoding and give our result."""
    expected, calls = given["text" if way == "decode" else "data"], {}
    for peer, lines in DOORS["doors"][f"Encoding.{way}"]["peers"].items():
        # endec caches the UTF-8 form in the string: from the second call, this is a copy of it.
        if (way, peer, given["name"]) != ("encode", "endec", "UTF-8"):
            *setup, call = lines.splitlines()
            names = dict(given)
            with suppress(Exception):  # of a peer that lacks the encoding
                exec("\n".join(setup), names)
                if eval(call, names) == expected:
                    calls[peer] = lines
    return calls
