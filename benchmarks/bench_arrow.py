"""Columns: `whatwg_encoding.arrow` compared with loops over `bytes.decode`, `decode_to_utf8`, and casts.

    python -m benchmarks.bench_arrow [--megabytes 4] [--large-megabytes 150] [--rounds 9] [--corpus FOLDER]

Every contender takes an Arrow column of bytes and returns one of text, on one thread: a loop iterates over the column's
list and creates an array of the results. Every round runs each contender once; ratios are medians of the rounds'
ratios. Times are processor time. Casts of pyarrow and Polars support UTF-8 only. The exit status is 1 if a floor is not
reached.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import polars
import pyarrow  # type: ignore[import-untyped]

import whatwg_encoding as we
from benchmarks.corpus import Corpus, restrict
from benchmarks.measure import CLOCK
from whatwg_encoding import arrow

#: Encoding → CPython's codec of the nearest name, the language of its text.
ENCODINGS = {
    "Shift_JIS": ("cp932", "ja"),
    "GBK": ("gbk", "zh_cn"),
    "windows-1251": ("cp1251", "ru"),
    "UTF-8": ("utf-8", "ja"),
}
#: Kind of row → minimum and maximum length in bytes.
SHAPES = {"pages": (200, 20_000), "cells": (10, 120)}
#: Kind of row → minimum speed relative to the loop over CPython's decoders, and over ours.
FLOORS = {"pages": (8.0, 2.0), "cells": (12.0, 3.0)}
#: Minimum speed relative to pyarrow's cast of valid UTF-8.
CAST_FLOOR = 1.2
#: Maximum overhead of a row of 8 bytes, in seconds, without the decoding of its bytes.
ROW_FLOOR = 60e-9
OURS, CPYTHON, LOOP, CAST, POLARS = "decode_array", "loop, bytes.decode", "loop, ours", "pyarrow's cast", "Polars' cast"


@dataclass(frozen=True)
class Result:
    """A row of the table: medians of the seconds, and of the ratios to ours."""

    name: str
    nbytes: int
    seconds: dict[str, float]
    ratios: dict[str, float]


def rows_of(text: str, encoding: we.Encoding, shape: tuple[int, int], size: int) -> list[bytes]:
    """Return encoded rows of ``size`` bytes in total, cut between characters of the text."""
    source = random.Random(f"{encoding.name} {shape}")
    rows, total = [], 0
    while total < size:
        # The logarithm of the length is uniform: many short rows, a few long ones.
        length = int(shape[0] * (shape[1] / shape[0]) ** source.random())
        start = source.randrange(max(1, len(text) - length))
        data = encoding.encode(text[start : start + length])[:length]
        data = data[: encoding.valid_up_to(data)]
        rows.append(data)
        total += len(data)
    return rows


def measure(contenders: dict[str, Callable[[], Any]], rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the medians of each contender's seconds, and of its ratio to the first contender."""
    names = list(contenders)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    kept = {name: contenders[name]() for name in names}  # the previous result is freed after the next one is created
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            begun = CLOCK()
            kept[name] = contenders[name]()
            seconds[name].append(CLOCK() - begun)
    ours = seconds[names[0]]
    ratios = {name: median(other / own for other, own in zip(seconds[name], ours, strict=True)) for name in names}
    return {name: median(values) for name, values in seconds.items()}, ratios


def text_result(corpus: Corpus, name: str, shape: str, size: int, rounds: int) -> Result:
    """Measure rows of one encoding."""
    codec, language = ENCODINGS[name]
    encoding = we.lookup(name)
    text = corpus.get(language, "dense").text
    if name != "UTF-8":
        text = restrict(text, frozenset(c for c in set(text) if round_trips(c, encoding, codec)))
    rows = rows_of(text, encoding, SHAPES[shape], size)
    column = pyarrow.array(rows, pyarrow.large_binary())
    contenders: dict[str, Callable[[], Any]] = {
        OURS: lambda: arrow.decode_array(column, encoding),
        CPYTHON: lambda: pyarrow.array(
            [row.decode(codec, "replace") for row in column.to_pylist()], pyarrow.large_string()
        ),
        LOOP: lambda: pyarrow.array(
            [encoding.decode_to_utf8(row) for row in column.to_pylist()], pyarrow.large_string()
        ),
    }
    if name == "UTF-8":
        series = polars.Series(column)
        contenders[CAST] = lambda: column.cast(pyarrow.large_string())
        contenders[POLARS] = lambda: series.cast(polars.String)
    expected = [row.decode(codec, "replace") for row in rows]
    if pyarrow.array(arrow.decode_array(column, encoding)).to_pylist() != expected:
        raise AssertionError(f"{name}, {shape}: the text differs from CPython's")
    return Result(f"{name}, {shape}", sum(map(len, rows)), *measure(contenders, rounds))


def round_trips(character: str, encoding: we.Encoding, codec: str) -> bool:
    """Return whether both encode a character to the same bytes."""
    try:
        return encoding.decode(character.encode(codec), "fatal") == character
    except UnicodeError:
        return False


def row_cost(rounds: int) -> float:
    """Return the overhead of a row of 8 bytes in seconds: its time less its share of one row of all bytes."""
    text = "".join(chr(0x3041 + i % 80) for i in range(4_000_000 // 2))
    data = we.SHIFT_JIS.encode(text)
    count = len(data) // 8
    short = pyarrow.array([data[i * 8 : i * 8 + 8] for i in range(count)])
    whole = pyarrow.array([data])
    seconds, _ = measure(
        {
            "short": lambda: arrow.decode_array(short, "shift_jis"),
            "whole": lambda: arrow.decode_array(whole, "shift_jis"),
        },
        rounds,
    )
    return (seconds["short"] - seconds["whole"]) / count


def large_array(corpus: Corpus, name: str, size: int, rounds: int) -> tuple[float, float]:
    """Return the MB/s of an array of ``size`` bytes of pages, and of its slices of 5 MB."""
    codec, language = ENCODINGS[name]
    encoding = we.lookup(name)
    text = corpus.get(language, "dense").text
    text = restrict(text, frozenset(c for c in set(text) if round_trips(c, encoding, codec)))
    batch = pyarrow.array(rows_of(text, encoding, SHAPES["pages"], 5_000_000), pyarrow.large_binary())
    whole = pyarrow.concat_arrays([batch] * max(1, size // 5_000_000))
    nbytes = whole.nbytes - len(whole) * 8

    def in_batches() -> None:
        for start in range(0, len(whole), len(batch)):
            arrow.decode_array(whole.slice(start, len(batch)), encoding)

    seconds, _ = measure({"whole": lambda: len(arrow.decode_array(whole, encoding)), "batches": in_batches}, rounds)
    return nbytes / seconds["whole"] / 1e6, nbytes / seconds["batches"] / 1e6


def missed(result: Result, shape: str) -> list[str]:
    """Return a message for each floor that a result does not reach."""
    floors = {CAST: CAST_FLOOR} if CAST in result.ratios else dict(zip((CPYTHON, LOOP), FLOORS[shape], strict=True))
    return [
        f"{result.name}: {result.ratios[name]:.2f} times {name}, floor {floor}"
        for name, floor in floors.items()
        if result.ratios[name] < floor
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a table, and return 1 if a floor is not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=4)
    parser.add_argument("--large-megabytes", type=float, default=150, help="size of the largest array")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args(arguments)
    corpus = Corpus(options.corpus)
    failures = []
    print("| rows | MB/s: decode_array | loop, bytes.decode | loop, ours | pyarrow's cast | Polars' cast |")
    print("|---|---:|---:|---:|---:|---:|")
    for shape in SHAPES:
        for name in ENCODINGS:
            result = text_result(corpus, name, shape, int(options.megabytes * 1e6), options.rounds)
            cells = [
                f"{result.nbytes / result.seconds[other] / 1e6:,.0f} (1/{result.ratios[other]:.2f})"
                if other in result.seconds
                else ""
                for other in (CPYTHON, LOOP, CAST, POLARS)
            ]
            print(
                f"| {result.name} | {result.nbytes / result.seconds[OURS] / 1e6:,.0f} | {' | '.join(cells)} |",
                flush=True,
            )
            failures += missed(result, shape)
    cost = row_cost(options.rounds)
    print(f"\nThe overhead of a row of 8 bytes is {cost * 1e9:.0f} ns.")
    for name in ENCODINGS:
        if name != "UTF-8":
            whole, batches = large_array(corpus, name, int(options.large_megabytes * 1e6), min(options.rounds, 5))
            print(
                f"{name}, {options.large_megabytes:.0f} MB of pages: "
                f"one array {whole:,.0f} MB/s, batches of 5 MB {batches:,.0f} MB/s"
            )
    if cost > ROW_FLOOR:
        failures.append(f"overhead of a row: {cost * 1e9:.0f} ns, at most {ROW_FLOOR * 1e9:.0f}")
    print("\n".join(failures) or "All floors are reached.", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
