"""How many texts are right, beside other packages: ``python -m benchmarks.accuracy --help``.

README.md says what is compared. `make .venv/.bench` installs the packages; one that is missing is omitted.
"""

from __future__ import annotations

import argparse
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from statistics import mean, median
from typing import Any

import whatwg_encoding as we
from benchmarks import CONTENDERS, OURS, report, samples

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
    """Return the functions of a table of contenders.toml whose packages are installed, ours first."""
    decoders = {}
    for name, (setup, expression) in CONTENDERS[table].items():
        names = {"we": we, "by_codec": by_codec, "text_of": text_of}
        with suppress(ImportError):
            exec(setup, names)
            decoders[name] = eval(f"lambda {arguments}: {expression}", names)
    return decoders


detectors = partial(contenders, "detectors", "data")
decoders = partial(contenders, "decoders", "data, header")


# -- Crawl -------------------------------------------------------------------------------------------------------------


def print_crawl(options: argparse.Namespace) -> None:
    """Print the share of correct pages, by name, for each mix."""
    contending = decoders()
    columns = []
    for mix, floor in samples.FLOORS.items():
        pages = samples.crawled(mix, options.pages)
        shares = [mean(decode(page.body, page.content_type) == page.text for page in pages)
                  for decode in contending.values()]  # fmt: skip
        columns.append([mix, *(f"{share:.1%}" for share in (*shares, floor))])
    header, *lines = zip(("correct pages", *contending, "floor"), *columns, strict=True)
    print(report.table(header, lines))


# -- Detection ---------------------------------------------------------------------------------------------------------

#: Bytes of the public set's files that are given to a detector, from the first that is not ASCII; 0: all.
FILE_SIZES = (100, 500, 0)
#: The rows of the report but for those of an encoding and of a language.
TABLE = (
    *(f"{kind}, {size} bytes" for kind in ("text", "html") for size in samples.SIZES),
    "title", "cut", "damaged 1", "damaged 3", "UTF-8", "UTF-8, cut", "UTF-8, damaged 1", "UTF-8, damaged 3",
    "UTF-8, one damaged byte, 2 or fewer characters", "UTF-8, one damaged byte, 3 or more characters",
    *(f"public files, {size or 'all'} bytes" for size in FILE_SIZES), "µs, median",
)  # fmt: skip


def groups(fragment: samples.Fragment) -> Iterator[str]:
    """Yield the rows of the report to which a fragment counts."""
    kind, encoding, size = fragment.kind, fragment.encoding, fragment.size
    is_whole = kind in ("text", "html", "title")
    if encoding is we.UTF_8:
        yield "UTF-8" if is_whole else f"UTF-8, {kind}"
        return
    if encoding not in (we.MACINTOSH, we.X_MAC_CYRILLIC, we.ISO_8859_15):
        yield f"{kind}, {size} bytes" if kind in ("text", "html") else kind
    if is_whole:
        yield f"{encoding.name}, {'20–50' if size <= 50 else '100–4,000'} bytes"
        yield f"language {fragment.language}"


def inputs(per_encoding: int) -> Iterator[tuple[list[str], samples.Fragment]]:
    """Yield the fragments and the files of the public set, each with the rows to which it counts."""
    for fragment in samples.fragments("test", per_encoding):
        yield list(groups(fragment)), fragment
    for count, fragment in samples.damaged_utf_8("test"):
        yield [f"UTF-8, one damaged byte, {'2 or fewer' if count < 3 else '3 or more'} characters"], fragment
    for size in FILE_SIZES:
        for page in samples.pages():
            if first := re.search(rb"[\x80-\xff\x1b]", page.data):
                start = max(0, first.start() - size // 4)
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
    shares = {row: 100 * mean(results) for row, results in right.items()}
    return shares | {"µs, median": median(times) * 1e6}


def table(results: Results) -> str:
    """Return the table of all rows but those of single encodings and languages."""
    names = list(results[TABLE[0]])
    lines = ([row.replace("4000", "4,000"), *(f"{results[row][name]:.1f}" for name in names)] for row in TABLE)
    return report.table(("right texts, in percent", *names), lines, right=names)


def losses(results: Results) -> str:
    """Return the table of the encodings and languages in which another package is ahead."""
    lines = []
    for row in sorted(results.keys() - {*TABLE}):
        ours, (best, name) = results[row][OURS], max((share, name) for name, share in results[row].items())
        if best > ours:
            lines.append((row, f"{ours:.1f}", f"{best:.1f}", name))
    return report.table(("texts", OURS, "best", "package"), lines, right=(OURS, "best"))


def print_detect(options: argparse.Namespace) -> None:
    """Print the tables of results/detection.md."""
    tried = list(inputs(options.each))
    results: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for name, detect in detectors().items():
        for row, value in measure(detect, tried).items():
            results[row][name] = round(value, 2)
    print(table(results), losses(results), sep="\n\n")


# -- Drop-ins ----------------------------------------------------------------------------------------------------------


def print_drop_ins(options: argparse.Namespace) -> None:
    """Print how many files are right with each detector, and its speed."""
    files = [(name, encoding, data) for name, encoding, _, data in samples.files()]
    size = sum(len(data) for _, _, data in files)
    for module, detect in contenders("drop-ins", "data").items():
        detect(files[0][2])  # what is made on first use is not counted
        began = time.process_time()
        named = [detect(data) for _, _, data in files]
        seconds = time.process_time() - began
        wrong = []
        for (name, encoding, data), codec in zip(files, named, strict=True):
            text, right = (unicodedata.normalize("NFKC", text_of(data, label)) for label in (codec, encoding))
            if (codec or "").lower() != encoding and text != right:
                wrong.append(name)
        print(f"{module:>35}: {len(files) - len(wrong)} of {len(files)} right, {size / seconds / 1e6:.0f} MB/s")
        if module.startswith("whatwg"):
            print(f"{'':>37}wrong: {', '.join(wrong)}")


# -- What people write -------------------------------------------------------------------------------------------------


def print_everyday(options: argparse.Namespace) -> None:
    """Print how many everyday texts are right: undeclared, by each detector; declared, by ``decode_crawled``."""
    rows = []
    for name, items in samples.everyday(Random(options.seed)).items():
        right: dict[str, int] = defaultdict(int)
        for text, codec in items:
            data, label = text.encode(codec), we.lookup_codec(codec).name
            for peer, detect in detectors().items():
                right[peer] += detect(data) == text
            meta, header = f"<meta charset={label}>", f"text/html; charset={label}"
            right["header"] += we.decode_crawled(data, header).text == text
            right["meta"] += we.decode_crawled(meta.encode() + data).text == meta + text
            right["both"] += we.decode_crawled(meta.encode() + data, header).text == meta + text
        rows.append(
            (name, str(len(items)), *(str(right[column]) for column in (*detectors(), "header", "meta", "both")))
        )
    print(report.table(("right texts", "of", *detectors(), "header", "meta", "both"), rows))


# -- Repair ------------------------------------------------------------------------------------------------------------


def print_repair(options: argparse.Namespace) -> None:
    """Print what ``repair``, ftfy and ``decode_together`` mend, and which good texts the first two change."""
    fragments = list(samples.garbled(1437, Random(options.seed)))
    for name, repair in contenders("repairs", "text").items():
        mended = sum(repair(fragment.read) == fragment.text for fragment in fragments)
        changed = sum(repair(fragment.text) != fragment.text for fragment in fragments)
        print(f"{name:>16}: {mended} of {len(fragments)} mended, {changed} good ones changed")
    parts = list(samples.parts(500, Random(options.seed)))
    print(f"{'parts':>16}: {sum(we.repair(part.read).text == part.text for part in parts)} of {len(parts)} mended")
    archives = list(samples.archives(486, Random(options.seed)))
    right = sum(we.decode_together(data, dos=True).texts == tuple(names) for names, data in archives)
    print(f"{'decode_together':>16}: {right} of {len(archives)} archives right")


def main(given: Sequence[str] | None = None) -> None:
    """Print one of the comparisons."""
    comparisons = {
        "crawl": print_crawl, "detect": print_detect, "drop-ins": print_drop_ins, "everyday": print_everyday,
        "repair": print_repair,
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("comparison", choices=comparisons)
    parser.add_argument("--pages", type=int, default=1000, help="crawl: pages of a mix (%(default)s)")
    parser.add_argument("--each", type=int, default=30, help="detect: fragments of a size, language and encoding (30)")
    parser.add_argument("--seed", type=int, default=1, help="repair: the seed (%(default)s)")
    options = parser.parse_args(given)
    comparisons[options.comparison](options)


if __name__ == "__main__":
    main()
