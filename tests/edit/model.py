"""What an edit must give, by the reference alone: its decoders and encoders, never the package's."""

# ruff: noqa: PT017 - the fuzz target calls this without pytest

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import whatwg_encoding as we
from benchmarks import inputs as sentences
from benchmarks.corpus import STYLES, Corpus, Style
from tests.reference import inputs, oracle
from tests.reference.encodings import encodings
from tests.reference.io_queue import IOQueue
from tests.reference.processing import FINISHED, process_an_item

NEIGHBORS = 3
MARKS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}
_PYTHON = {"UTF-16BE": "utf-16-be", "UTF-16LE": "utf-16-le"}  # for the two that have no encoder
LANGUAGES = ("ar", "de", "el", "en", "he", "ja", "ko", "ru", "th", "zh_cn", "zh_tw")
NAMES = tuple(name for name in inputs.ALL_NAMES if name != "replacement")


def text_of(name: str, data: bytes) -> str:
    """Return the text of ``data`` without the encoding's own byte order mark."""
    return oracle.decode(name, data.removeprefix(MARKS.get(name, b""))).text


def places_of(name: str, data: bytes) -> dict[int, list[int]]:
    """Return the byte offsets at which each position of the text may be divided from what is before it."""
    mark = MARKS.get(name, b"")
    start = len(mark) if mark and data.startswith(mark) else 0
    decoder = encodings()[name].decoder()
    queue = IOQueue.convert(data[start:])
    position, places = 0, {0: [start]}
    while True:
        output = IOQueue()
        item = queue.read()
        if process_an_item(item, decoder, queue, output, "replacement") is FINISHED:
            return places
        text = output.to_text()
        # ISO-2022-JP: the 0x1B after a leading byte is read, but belongs to what follows.
        byte = start + queue.position - (1 if decoder.in_sequence and text else 0)
        position += len(text)
        if (text or not decoder.in_sequence) and byte not in places.setdefault(position, []):
            places[position].append(byte)


@lru_cache(1 << 16)
def encoded(name: str, text: str) -> bytes | None:
    """Return bytes that decode to exactly ``text``, or None."""
    if name in _PYTHON:
        try:
            return text.encode(_PYTHON[name])
        except UnicodeEncodeError:
            return None
    data, _, error = oracle.encode(name, text)
    return None if error is not None or oracle.decode(name, data).text != text else data


def first_lost(name: str, text: str) -> int | None:
    """Return the position of the first character of ``text`` without bytes that decode to it."""
    return next((i for i, character in enumerate(text) if encoded(name, character) is None), None)


def adds_mark(data: bytes, result: bytes) -> bool:
    def mark(data: bytes) -> bytes | None:
        return next((mark for mark in MARKS.values() if data.startswith(mark)), None)

    return mark(result) not in (None, mark(data))


def candidates(name: str, data: bytes, text: str, start: int, end: int, new: str) -> Iterator[set[bytes]]:
    """Yield the results that decode as they should, for each number of neighbors encoded anew. Not for ISO-2022-JP."""
    places = places_of(name, data)
    wanted = text[:start] + new + text[end:]
    for count in range(2 * NEIGHBORS + 1):
        results = set()
        for left in range(max(count - NEIGHBORS, 0), min(count, NEIGHBORS) + 1):
            first, last = start - left, end + count - left
            part = encoded(name, text[max(first, 0) : start] + new + text[end:last])
            if first in places and last in places and part is not None:
                result = data[: places[first][0]] + part + data[places[last][0] :]
                if text_of(name, result) == wanted and not adds_mark(data, result):
                    results.add(result)
        yield results


class Edit(NamedTuple):
    """An edit of a document: a range of its text is replaced."""

    start: int
    end: int
    new: str


def check_replace(name: str, data: bytes, edit: Edit) -> bytes | None:
    """Replace a range of the text, check all that the edit promises, and return the bytes, None if it was refused."""
    text = text_of(name, data)
    context = name, data, edit
    document = we.ByteExactText(data, name)
    assert document.text == text, context
    assert document.encode() == data, context
    start, end, new = edit
    try:
        document.replace(start, end, new)
    except UnicodeEncodeError as error:
        assert document.encode() == data, context
        assert (error.start, error.object, error.encoding) == (first_lost(name, new), new, name), (context, error)
        return None
    except we.EditRefusedError as error:
        assert document.encode() == data, context
        assert (error.start, error.end) == (start, end), (context, error)
        if name == "ISO-2022-JP":
            assert "\ufffd" in text[max(start - 1, 0) : end + 1], (context, error)
        else:
            assert not any(candidates(name, data, text, start, end, new)), (context, error)
        return None
    result = document.encode()
    if new == text[start:end]:
        assert result == data, context
        return result
    assert first_lost(name, new) is None, context
    wanted = text[:start] + new + text[end:]
    assert text_of(name, result) == wanted, (context, result)
    assert document.text == wanted, (context, result)
    assert not adds_mark(data, result), (context, result)
    if name == "ISO-2022-JP":
        places = places_of(name, data)
        kept_left = max(places[position][0] for position in places if position <= max(start - NEIGHBORS, 0))
        kept_right = min(places[position][-1] for position in places if position >= min(end + NEIGHBORS, len(text)))
        assert result.startswith(data[:kept_left]), (context, result)
        assert result.endswith(data[kept_right:]), (context, result)
    else:
        best = next(results for results in candidates(name, data, text, start, end, new) if results)
        assert result in best, (context, result, best)
    return result


@lru_cache
def corpus(language: str, style: Style) -> str:
    """Return the text of $CORPUS, or else sentences in lines."""
    if folder := os.environ.get("CORPUS"):
        return Corpus(Path(folder)).get(language, style)
    if style == "markup":
        return sentences.page(language, 60_000).decode()
    return re.sub("([.。!])", r"\1\n", sentences.text(language, 60_000))


@lru_cache
def real_text(name: str) -> str:
    texts = [corpus(language, style)[:3000] for language in LANGUAGES for style in STYLES]
    return "".join(character for text in texts for character in text if encoded(name, character) is not None)


def random_documents(name: str, seed: str, count: int, longest: int = 40) -> Iterator[tuple[Random, bytes]]:
    """Yield random bytes, or text with random damage, some behind a mark; and a generator for further choices."""
    random = Random(f"{seed} {name}")
    documents = inputs.random_inputs(name, count, longest=longest)
    random.shuffle(documents)
    text = real_text(name)
    for data in documents:
        if random.random() < 0.5:
            start = random.randrange(len(text))
            data = encoded(name, text[start : start + longest // 2]) or b""
            for _ in range(random.randrange(4)):
                place = random.randint(0, len(data))
                damage = random.choice((b"", random.randbytes(1), data[:2]))
                data = data[:place] + damage + data[place + random.randint(0, 1) :]
        yield random, (MARKS.get(name, b"") if random.random() < 0.1 else b"") + data


_SAMPLES = "a\\~\n&;é€ÿАяאعกあアー日本表한가\u00a5\u2212\uff71\ufffd\ue000\U00020021😀"


def random_new(random: Random, text: str, name: str) -> str:
    """Return text for an edit: mostly such that the encoding has."""
    kind = random.randrange(8)
    if kind == 0:
        return ""
    if kind == 1 and text:
        start = random.randrange(len(text))
        return text[start : start + random.randint(1, 4)]
    letters = random.choices("ab1\n", k=random.randint(1, 3))
    if kind < 6:
        letters += [character for character in random.choices(_SAMPLES, k=3) if encoded(name, character) is not None]
    elif kind == 6:
        letters += random.choices(_SAMPLES, k=1)
    random.shuffle(letters)
    return "".join(letters)


def random_edit(random: Random, text: str, name: str) -> Edit:
    """Return an edit of a random range, mostly a short one."""
    start = random.randint(0, len(text))
    end = min(start + random.choice((0, 0, 1, 1, 2, 3, len(text))), len(text))
    return Edit(start, end, random_new(random, text, name))


def shared_length(text: str, other: str) -> int:
    """Return how many characters both texts begin with."""
    differences = (i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b)
    return next(differences, min(len(text), len(other)))


def check_update(name: str, data: bytes, new: str) -> bytes | None:
    """Update the text, check all that the call promises, and return the bytes, None if it was refused."""
    text = text_of(name, data)
    context = name, data, new
    document = we.ByteExactText(data, name)
    try:
        document.update(new)
    except UnicodeEncodeError as error:
        assert error.object == new, context
        assert encoded(name, new[error.start]) is None, (context, error)
        assert document.encode() == data, context
        return None
    except we.EditRefusedError:
        assert document.encode() == data, context
        return None
    result = document.encode()
    if text[:1] != "\ufeff" == new[:1] and name in MARKS and data.startswith(MARKS[name]):
        new = new[1:]  # it stands for the document's mark
    assert text_of(name, result) == new, (context, result)
    assert document.text == new, context
    places = places_of(name, data)
    prefix = shared_length(text, new)
    last = max(places[position][0] for position in places if position <= max(prefix - NEIGHBORS, 0))
    assert result.startswith(data[:last]), (context, result)
    suffix = shared_length(text[prefix:][::-1], new[prefix:][::-1])
    least = min(len(text) - suffix + NEIGHBORS, len(text))
    first = min(places[position][-1] for position in places if position >= least)
    assert result.endswith(data[first:]), (context, result)
    return result
