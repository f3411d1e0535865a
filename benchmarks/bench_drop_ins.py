"""Measure the drop-ins for chardet and charset_normalizer beside both, on the files that chardet 5.2 is tested with.

    python -m benchmarks.bench_drop_ins [--prior NAME=BITS …] [--each 30]

A file is right if the codec that is named decodes it to the text of the codec that its folder names, in NFKC, as in
chardet's own test. Where Python lacks that codec, no codec may decode it. Speed is in processor time, over all files.

``--prior`` says what another prior of an encoding would change instead: how many more fragments of the test set are
right, of the encoding and of all others. It needs the dependency group `bench-detect`, and downloads on first use.
"""

from __future__ import annotations

import argparse
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

import chardet
import charset_normalizer

import whatwg_encoding as we
from benchmarks import detection_sets as sets
from generator.detect.sources import fetch, members
from whatwg_encoding import chardet as our_chardet
from whatwg_encoding import charset_normalizer as our_charset_normalizer

DETECTORS: dict[str, Callable[[bytes], str | None]] = {
    "whatwg_encoding.chardet": lambda data: our_chardet.detect(data)["encoding"],
    "chardet": lambda data: chardet.detect(data)["encoding"],
    "whatwg_encoding.charset_normalizer": lambda data: our_charset_normalizer.detect(data)["encoding"],
    "charset_normalizer": lambda data: charset_normalizer.detect(data)["encoding"],
}


def files() -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, the encoding and the content of each file."""
    for name, data in members(fetch(sets.PAGES), r"chardet-[\d.]+/tests/([^/]+/[^/]+)"):
        folder = name.partition("/")[0].lower()
        encoding, _, language = folder.rpartition("-")
        yield name, encoding if language in sets.FOLDER_LANGUAGES else folder, data


def text(data: bytes, encoding: str | None) -> str:
    """Return the text in NFKC, or nothing if the codec does not decode it or if there is none."""
    try:
        return unicodedata.normalize("NFKC", data.decode(encoding or ""))
    except (LookupError, UnicodeError):
        return ""


def measure() -> None:
    """Print how many files are right with each detector, and its speed."""
    some = list(files())
    size = sum(len(data) for _, _, data in some)
    for detector, detect in DETECTORS.items():
        detect(some[0][2])  # what is made on first use is not counted
        seconds, wrong = 0.0, []
        for name, encoding, data in some:
            before = time.process_time()
            found = detect(data)
            seconds += time.process_time() - before
            if (found or "").lower() != encoding and text(data, found) != text(data, encoding):
                wrong.append(name)
        speed = size / seconds / 1e6
        print(f"{detector:>35}: {len(some) - len(wrong)} of {len(some)} right, {speed:.0f} MB/s")
        if detector.startswith("whatwg"):
            print(f"{'':>37}wrong: {', '.join(wrong)}")


def consider(prior: str, each: int) -> None:
    """Print what another prior would change, for texts of 20 to 50 bytes and for longer ones."""
    name, _, bits = prior.partition("=")
    encoding, change = we.lookup(name), float(bits)
    gained: Counter[tuple[bool, bool]] = Counter()
    count: Counter[tuple[bool, bool]] = Counter()
    for fragment in sets.fragments("test", each):
        guesses = we.sniff.detect(fragment.data)
        other = min(guesses, key=lambda guess: guess.score + change * (guess.encoding is encoding)).encoding
        now, then = (sets.is_right(fragment, chosen.decode(fragment.data)) for chosen in (guesses[0].encoding, other))
        group = fragment.encoding is encoding, fragment.size <= 50
        gained[group] += then - now
        count[group] += 1
    for group in sorted(count, reverse=True):
        whose, size = encoding.name if group[0] else "others", "20–50 bytes" if group[1] else "longer"
        print(f"{encoding.name} {change:+g} bits: {whose}, {size}: {gained[group]:+d} of {count[group]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prior", action="append", default=[], metavar="NAME=BITS", help="what another prior changes")
    parser.add_argument("--each", type=int, default=30, help="fragments of a size, language and encoding")
    options = parser.parse_args()
    for prior in options.prior:
        consider(prior, options.each)
    if not options.prior:
        measure()


if __name__ == "__main__":
    main()
