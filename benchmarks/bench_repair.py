"""Measure what ``repair`` and ``decode_together`` mend, beside ftfy.

    python -m benchmarks.bench_repair [--fragments 1437] [--archives 486] [--seed 1]

*Garbled*: fragments of 15 to 160 characters of the Universal Declaration of Human Rights, in UTF-8 or a legacy encoding
of their language, read as windows-1252, windows-1251, KOI8-R, macintosh, GBK or Shift_JIS, some of them twice, without
a lost byte. *Good*: the same fragments before; none may change. *Parts*: good sentences, one word of each read so: a
word in UTF-8, or one with two letters beyond ASCII in a legacy encoding. *Archives*: 2 to 12 names in one encoding or
code page.
Speed is that on good text, in processor time. All input is generated from a seed.

ftfy is omitted if it is not installed (dependency group ``bench-detect``).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import whatwg_encoding as we
from benchmarks import detection_sets
from benchmarks.peers import optional

READ_AS = ("windows-1252", "windows-1251", "KOI8-R", "macintosh", "GBK", "Shift_JIS")
CODE_PAGES = {
    "cs": "cp852", "da": "cp850", "de": "cp437 cp850", "el": "cp737", "es": "cp850", "fr": "cp850", "he": "cp862",
    "hu": "cp852", "it": "cp850", "pl": "cp852", "pt": "cp850", "ru": "cp866", "sv": "cp437 cp850", "tr": "cp857",
}  # fmt: skip
TWICE = 0.2


class Garbled(NamedTuple):
    """A text, and what was read for it."""

    text: str
    read: str


def _misread(text: str, was: str, read_as: str) -> str | None:
    """Return the text as it is read, None if it is not in the encoding or if a byte is lost."""
    encoding = we.lookup(read_as)
    try:
        data = we.lookup(was).encode(text, "fatal")
        read = encoding.decode(data, "fatal")
        return read if encoding.encode(read, "fatal") == data and read != text else None
    except UnicodeError:
        return None


def garbled(count: int, random: Random) -> Iterator[Garbled]:
    """Yield fragments and what was read for them."""
    texts = detection_sets.texts("test")
    languages = sorted(texts)
    while count:
        language = random.choice(languages)
        size = random.randint(15, 160)
        start = random.randrange(max(1, len(texts[language]["text"]) - size))
        text = " ".join(texts[language]["text"][start : start + size].split())
        legacy = [each for each in detection_sets.ENCODINGS[language].split() if each != "ISO-2022-JP"]
        was = random.choice(["UTF-8", "UTF-8", *legacy])
        read: str | None = text
        for layer in range(2 if random.random() < TWICE else 1):
            read = None if read is None else _misread(read, "UTF-8" if layer else was, random.choice(READ_AS))
        if read is not None and len(text) >= 15:
            yield Garbled(text, read)
            count -= 1


def parts(count: int, legacy: bool, random: Random) -> Iterator[Garbled]:
    """Yield sentences, and what they are if one word of each is read wrongly."""
    texts = detection_sets.texts("test")
    while count:
        language = random.choice(sorted(texts))
        words = texts[language]["text"].split()
        start = random.randrange(max(1, len(words) - 20))
        sentence = words[start : start + random.randint(6, 20)]
        at = random.randrange(len(sentence))
        encodings = [each for each in detection_sets.ENCODINGS[language].split() if each != "ISO-2022-JP"]
        was = random.choice(encodings) if legacy else "UTF-8"
        read = _misread(sentence[at], was, random.choice(READ_AS))
        if read is not None and sum(each > "\x7f" for each in sentence[at]) > legacy:
            yield Garbled(" ".join(sentence), " ".join([*sentence[:at], read, *sentence[at + 1 :]]))
            count -= 1


def _encoded(name: str, codec: str) -> bytes:
    return name.encode(codec) if codec.startswith("cp") else we.lookup(codec).encode(name, "fatal")


def archives(count: int, random: Random) -> Iterator[tuple[list[str], list[bytes]]]:
    """Yield the names of an archive, and their bytes."""
    texts = detection_sets.texts("test")
    while count:
        language = random.choice(sorted(texts))
        pages = [*detection_sets.ENCODINGS[language].split(), *CODE_PAGES.get(language, "").split(), "utf-8"]
        codec = random.choice([each for each in pages if each != "ISO-2022-JP"])
        words = texts[language]["text"].split()
        names = []
        for _ in range(random.randint(2, 12)):
            at = random.randrange(len(words))
            names.append(" ".join(words[at : at + random.randint(1, 4)])[:40] + random.choice((".txt", ".doc", "")))
        try:
            data = [_encoded(name, codec) for name in names]
        except UnicodeEncodeError:
            continue
        if not all(each.isascii() for each in data):
            yield names, data
            count -= 1


def _print_repairs(name: str, repair: Callable[[str], str], fragments: list[Garbled]) -> None:
    repair(fragments[0].read)  # what is made on first use is not counted
    mended = sum(repair(each.read) == each.text for each in fragments)
    before = time.process_time()
    changed = sum(repair(each.text) != each.text for each in fragments)
    speed = sum(len(each.text.encode()) for each in fragments) / (time.process_time() - before) / 1e3
    share = 100 * mended / len(fragments)
    print(f"{name:>16}: {mended} of {len(fragments)} mended ({share:.1f} %)")
    print(f"{'':>16}  {changed} good ones changed, {speed:.0f} KB/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fragments", type=int, default=1437)
    parser.add_argument("--archives", type=int, default=486)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fragments = list(garbled(options.fragments, Random(options.seed)))
    _print_repairs("whatwg-encoding", lambda text: we.repair(text).text, fragments)
    for name, legacy in (("parts, UTF-8", False), ("parts, legacy", True)):
        some = list(parts(500, legacy, Random(options.seed)))
        print(f"{name:>16}: {sum(we.repair(each.read).text == each.text for each in some)} of {len(some)} mended")
    if ftfy := optional("ftfy"):
        _print_repairs("ftfy", ftfy.fix_encoding, fragments)
    sets = list(archives(options.archives, Random(options.seed)))
    right = sum(we.decode_together(data, dos=True).texts == tuple(names) for names, data in sets)
    print(f"{'decode_together':>16}: {right} of {len(sets)} archives right")


if __name__ == "__main__":
    main()
