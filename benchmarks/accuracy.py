"""How many texts are right, beside other packages: ``python -m benchmarks.accuracy crawl|detect|drop-ins|repair``.

README.md says what is compared. Packages that are not installed (dependency group ``bench-detect``) are omitted.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks import ROWS, report, samples
from benchmarks.corpus import Corpus
from benchmarks.measure import compare
from benchmarks.peers import OURS

Results = Mapping[str, Mapping[str, float]]
"""Row → package → percentage."""


# -- Contenders --------------------------------------------------------------------------------------------------------


def text_of(data: bytes, codec: str | None, errors: str = "strict") -> str:
    """Return the text, or nothing if the codec does not decode it or if there is none."""
    try:
        return data.decode(codec or "", errors)
    except (LookupError, UnicodeError):
        return ""


def by_codec(name: str | None, data: bytes) -> str:
    """Decode as a detector says, whose results are names of Python codecs; "" for one that Python does not have."""
    try:
        return we.lookup_codec(name or "utf-8").decode(data)  # so that iso-8859-1 is windows-1252, as on the web
    except LookupError:
        return text_of(data, name, "replace")


def contenders(table: str, arguments: str) -> dict[str, Callable[..., Any]]:
    """Return the functions of a table of `ROWS` whose packages are installed, ours first."""
    found = {}
    for name, (setup, expression) in ROWS[table].items():
        names = {"we": we, "by_codec": by_codec, "text_of": text_of}
        with suppress(ImportError):
            exec(setup, names)
            found[name] = eval(f"lambda {arguments}: {expression}", names)
    return found


detectors = partial(contenders, "detectors", "data")
decoders = partial(contenders, "decoders", "data, header")


# -- Crawl -------------------------------------------------------------------------------------------------------------


def print_crawl(options: argparse.Namespace) -> None:
    """Print the share of correct pages and megabytes per second, by name, for each mix."""
    for mix, (least, speed) in samples.GOALS.items():
        pages = samples.crawled(Corpus(options.corpus), mix, options.pages)
        size = sum(len(page.body) for page in pages) / 1e6
        calls = {name: partial(_of_each, decode, pages) for name, decode in decoders().items()}
        seconds, _ = compare(calls, options.rounds)
        shares = {name: statistics.mean(map(samples.Page.is_right, pages, call())) for name, call in calls.items()}
        lines = [(name, f"{share:.1%}", f"{size / seconds[name]:,.0f}") for name, share in shares.items()]
        print(report.table((f"crawl with {mix} (floor {least:.1%} at {speed} MB/s)", "correct texts", "MB/s"), lines))


def _of_each(decode: Callable[[bytes, str], str], pages: list[samples.Page]) -> list[str]:
    return [decode(page.body, page.content_type) for page in pages]


# -- Detection ---------------------------------------------------------------------------------------------------------

FILE_SIZES = (0, 500, 100)
"""Bytes of the public set's files that are given to a detector, from the first that is not ASCII; 0: all."""


def groups(fragment: samples.Fragment) -> Iterator[str]:
    """Yield the rows of the report to which a fragment counts."""
    is_rare = fragment.encoding in (we.MACINTOSH, we.X_MAC_CYRILLIC, we.ISO_8859_15)
    is_whole = fragment.kind in ("text", "html", "title")
    if fragment.encoding is we.UTF_8:
        yield "UTF-8" if is_whole else f"UTF-8, {fragment.kind}"
        return
    if not is_rare:
        yield f"{fragment.kind}, {fragment.size} bytes" if fragment.kind in ("text", "html") else fragment.kind
    if is_whole:
        size = "20–50" if fragment.size <= 50 else "100–4,000"
        yield f"{fragment.encoding.name}, {size} bytes"
        yield f"language {fragment.language}"


def inputs(each: int) -> Iterator[tuple[list[str], samples.Fragment]]:
    """Yield the fragments and the files of the public set, each with the rows to which it counts."""
    for fragment in samples.fragments("test", each):
        yield list(groups(fragment)), fragment
    for count, fragment in samples.damaged_utf_8("test"):
        yield [f"UTF-8, one damaged byte, {'2 or fewer' if count < 3 else '3 or more'} characters"], fragment
    for size in FILE_SIZES:
        for page in samples.pages():
            if page.data and not (page.data.isascii() and b"\x1b" not in page.data):
                first = next((place for place, byte in enumerate(page.data) if byte >= 0x80 or byte == 0x1B), 0)
                start = max(0, first - size // 4)
                part = page._replace(size=size, data=page.data[start : start + size]) if size else page
                yield [f"public files, {size or 'all'} bytes"], part


def measure(detect: Callable[[bytes], str], tried: Iterable[tuple[list[str], samples.Fragment]]) -> dict[str, float]:
    """Return the percentage of right texts of each row, and the median time of a fragment in microseconds."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    times = []
    for rows, fragment in tried:
        began = time.perf_counter()
        try:
            text: str | None = detect(fragment.data)
        except Exception:  # of another package: a wrong result
            text = None
        times.append(time.perf_counter() - began)
        for row in rows:
            right[row].append(samples.is_right(fragment, text))
    shares = {row: 100 * statistics.mean(found) for row, found in right.items()}
    return shares | {"µs, median": statistics.median(times) * 1e6}


def table(results: Results) -> str:
    """Return the table of all rows but those of single encodings and languages."""
    names = list(next(iter(results.values())))
    lines = [f"| right texts, in percent | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    for row, values in sorted(results.items(), key=lambda item: _place(item[0])):
        if not is_of_one(row):
            figures = " | ".join(f"{values[name]:.1f}" for name in names)
            lines.append(f"| {row.replace('4000', '4,000')} | {figures} |")
    return "\n".join(lines)


def _place(row: str) -> tuple[int, bool, str, int]:
    """Return the sort key of a row of the first table."""
    kinds = ("text", "html", "title", "cut", "damaged", "UTF-8", "public", "µs", "")
    size = re.search(r"(\d+)(?= bytes)", row)
    kind = next(number for number, name in enumerate(kinds) if row.startswith(name))
    return kind, "byte," in row, "" if size else row, int(size[1]) if size else 0


def is_of_one(row: str) -> bool:
    """Return whether a row is of a single encoding or language."""
    return row.startswith("language ") or (row.partition(",")[0] in we.ENCODINGS and row.endswith(" bytes"))


def losses(results: Results) -> str:
    """Return the table of the encodings and languages in which another package is ahead."""
    lines = [f"| | {OURS} | best | |", "|---|--:|--:|---|"]
    for row, values in sorted(results.items()):
        name = max(values, key=values.__getitem__)
        if is_of_one(row) and values[name] > values[OURS]:
            lines.append(f"| {row} | {values[OURS]:.1f} | {values[name]:.1f} | {name} |")
    return "\n".join(lines)


def consider(prior: str, count: int) -> None:
    """Print what another prior would change, for texts of 20 to 50 bytes and for longer ones."""
    name, _, bits = prior.partition("=")
    encoding, change = we.lookup(name), float(bits)
    gained: defaultdict[tuple[bool, bool], list[int]] = defaultdict(list)
    for fragment in samples.fragments("test", count):
        guesses = we.sniff.detect(fragment.data)
        other = min(guesses, key=lambda guess: guess.score + change * (guess.encoding is encoding)).encoding
        now, then = (
            samples.is_right(fragment, chosen.decode(fragment.data)) for chosen in (guesses[0].encoding, other)
        )
        gained[fragment.encoding is encoding, fragment.size <= 50].append(then - now)
    for (is_own, is_short), found in sorted(gained.items(), reverse=True):
        whose, size = encoding.name if is_own else "others", "20–50 bytes" if is_short else "longer"
        print(f"{encoding.name} {change:+g} bits: {whose}, {size}: {sum(found):+d} of {len(found)}")


def print_detect(options: argparse.Namespace) -> None:
    """Print the tables of docs/detection.md, or what other priors would change."""
    for prior in options.prior:
        consider(prior, options.each)
    if options.prior:
        return
    tried = list(inputs(options.each))
    results: dict[str, dict[str, float]] = defaultdict(dict)
    for name, detect in detectors().items():
        for row, value in measure(detect, tried).items():
            results[row][name] = round(value, 2)
    if options.results:
        options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(table(results), losses(results), sep="\n\n")


# -- Drop-ins ----------------------------------------------------------------------------------------------------------


def print_drop_ins(options: argparse.Namespace) -> None:
    """Print how many files are right with each detector, and its speed."""
    files = [(name, encoding, data) for name, encoding, _, data in samples.files()]
    size = sum(len(data) for _, _, data in files)
    for module, detect in contenders("drop-ins", "data").items():
        detect(files[0][2])  # what is made on first use is not counted
        seconds, wrong = 0.0, []
        for name, encoding, data in files:
            before = time.process_time()
            found = detect(data)
            seconds += time.process_time() - before
            text, right = (unicodedata.normalize("NFKC", text_of(data, codec)) for codec in (found, encoding))
            if (found or "").lower() != encoding and text != right:
                wrong.append(name)
        print(f"{module:>35}: {len(files) - len(wrong)} of {len(files)} right, {size / seconds / 1e6:.0f} MB/s")
        if module.startswith("whatwg"):
            print(f"{'':>37}wrong: {', '.join(wrong)}")


# -- Repair ------------------------------------------------------------------------------------------------------------


def print_repair(options: argparse.Namespace) -> None:
    """Print what ``repair``, ftfy and ``decode_together`` mend, and the speed on good text, in processor time."""
    fragments = list(samples.garbled(1437, Random(options.seed)))
    for name, repair in contenders("repairs", "text").items():
        repair(fragments[0].read)  # what is made on first use is not counted
        mended = sum(repair(each.read) == each.text for each in fragments)
        before = time.process_time()
        changed = sum(repair(each.text) != each.text for each in fragments)
        speed = sum(len(each.text.encode()) for each in fragments) / (time.process_time() - before) / 1e3
        print(f"{name:>16}: {mended} of {len(fragments)} mended ({mended / len(fragments):.1%})")
        print(f"{'':>16}  {changed} good ones changed, {speed:.0f} KB/s")
    for name, legacy in (("parts, UTF-8", False), ("parts, legacy", True)):
        some = list(samples.parts(500, legacy, Random(options.seed)))
        print(f"{name:>16}: {sum(we.repair(each.read).text == each.text for each in some)} of {len(some)} mended")
    archives = list(samples.archives(486, Random(options.seed)))
    right = sum(we.decode_together(data, dos=True).texts == tuple(names) for names, data in archives)
    print(f"{'decode_together':>16}: {right} of {len(archives)} archives right")


def main(given: Sequence[str] | None = None) -> None:
    """Print one of the comparisons."""
    comparisons = {"crawl": print_crawl, "detect": print_detect, "drop-ins": print_drop_ins, "repair": print_repair}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("comparison", choices=comparisons)
    parser.add_argument("--corpus", type=Path, help="crawl: folder of UTF-8 files: ja.txt, ja.html, …")
    parser.add_argument("--pages", type=int, default=1000, help="crawl: pages of a mix (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="crawl: rounds (%(default)s)")
    parser.add_argument("--each", type=int, default=30, help="detect: fragments of a size, language and encoding (30)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="detect: write the results, as JSON")
    parser.add_argument("--prior", action="append", default=[], metavar="NAME=BITS", help="detect: another prior")
    parser.add_argument("--seed", type=int, default=1, help="repair: the seed (%(default)s)")
    options = parser.parse_args(given)
    comparisons[options.comparison](options)


if __name__ == "__main__":
    main()
