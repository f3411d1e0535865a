"""Columns: `whatwg_encoding.arrow` beside loops over `bytes.decode` and `decode_to_utf8`, and casts of UTF-8.

Every contender takes an Arrow column of bytes and returns one of text, on one thread: a loop iterates over the column's
list and creates an array of the results. Without pyarrow and Polars there are no rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import product
from statistics import median

import whatwg_encoding as we
from benchmarks.corpus import Corpus
from benchmarks.measure import Case, Goal, Job, compare
from benchmarks.peers import CPYTHON, OURS, Contender, cpython_codec
from benchmarks.scenarios import LANGUAGES, Scope, prepared

ENCODINGS = ("Shift_JIS", "GBK", "windows-1251", "UTF-8")
#: Kind of row → minimum and maximum length in bytes, minimum speed relative to the loop over CPython's decoders.
SHAPES = {"pages": (200, 20_000, 8.0), "cells": (10, 120, 12.0)}
SETUP = "import polars, pyarrow; from whatwg_encoding import arrow; text = pyarrow.large_string()"

try:
    import polars
    import pyarrow  # type: ignore[import-untyped]
except ImportError:
    pyarrow = None


def rows_of(corpus: Corpus, encoding: we.Encoding, language: str, shape: str, size: int) -> list[bytes]:
    """Return encoded rows of ``size`` bytes in total, cut between characters of plain text."""
    text = prepared(corpus, encoding, language, "plain text")
    least, most, _ = SHAPES[shape]
    source = random.Random(f"{encoding.name} {shape}")
    rows, total = [], 0
    while total < size:
        # The logarithm of the length is uniform: many short rows, a few long ones.
        length = int(least * (most / least) ** source.random())
        start = source.randrange(max(1, len(text) - length))
        data = encoding.encode(text[start : start + length])[:length]
        rows.append(data[: encoding.valid_up_to(data)])
        total += len(rows[-1])
    return rows


def _text(scope: Scope, encoding: we.Encoding, shape: str) -> Job:
    rows = rows_of(scope.corpus, encoding, LANGUAGES[encoding.name][0], shape, 4_000_000)
    loop = "pyarrow.array([{} for row in column.to_pylist()], text)"
    calls = {
        OURS: "arrow.decode_array(column, encoding)",
        CPYTHON: loop.format(f"row.decode({cpython_codec(encoding)!r}, 'replace')"),
        "loop, ours": loop.format("encoding.decode_to_utf8(row)"),
    }
    goal = Goal(f"Columns, {shape}", SHAPES[shape][2], frozenset({CPYTHON}))
    if encoding is we.UTF_8:
        calls |= {"pyarrow's cast": "column.cast(text)", "Polars' cast": "series.cast(polars.String)"}
        goal = Goal("Columns of UTF-8, beside a cast", 1.2, frozenset({"pyarrow's cast"}))
    column = pyarrow.array(rows, pyarrow.large_binary())
    inputs = {"column": column, "encoding": encoding, "series": polars.Series(column)}
    # Columns of several libraries are not equal, their rows are.
    rivals = [Contender(name, f"result = {call}", SETUP) for name, call in calls.items()]
    return Job(rivals, inputs, sum(map(len, rows)), goal, same_results=False)


def _large(scope: Scope, encoding: we.Encoding) -> Job:
    """Return the job of an array of 150 MB of pages, and of its slices of 5 MB."""
    rows = rows_of(scope.corpus, encoding, LANGUAGES[encoding.name][0], "pages", 5_000_000)
    batch = pyarrow.array(rows, pyarrow.large_binary())
    whole = pyarrow.concat_arrays([batch] * 30)
    slices = [whole.slice(start, len(batch)) for start in range(0, len(whole), len(batch))]
    rivals = [
        Contender(OURS, "result = len(arrow.decode_array(whole, encoding))", SETUP),
        Contender("in batches", "result = sum(len(arrow.decode_array(one, encoding)) for one in slices)", SETUP),
    ]
    return Job(rivals, {"whole": whole, "slices": slices, "encoding": encoding}, whole.nbytes - len(whole) * 8)


def _row_cost() -> Job:
    """Return the overhead of a row of 8 bytes in seconds: its time less its share of one row of all bytes."""
    data = we.SHIFT_JIS.encode("".join(chr(0x3041 + number % 80) for number in range(2_000_000)))
    columns = {"short": [data[start : start + 8] for start in range(0, len(data), 8)], "whole": [data]}
    calls = {name: partial(we.arrow.decode_array, pyarrow.array(rows), "shift_jis") for name, rows in columns.items()}
    seconds = {name: median(values) for name, values in compare(calls, 9).items()}
    cost = (seconds["short"] - seconds["whole"]) / len(columns["short"])
    return Job([Contender(OURS, "decode_array")], goal=Goal("Columns, a row", at_most=60e-9), values={OURS: [cost]})


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield the rows of columns."""
    if "1 MiB" not in scope.sizes or not pyarrow:
        return
    titles = {we.lookup(name): f"{name} {LANGUAGES[name][0]}" for name in ENCODINGS}
    for shape, (encoding, title) in product(SHAPES, titles.items()):
        yield Case(f"columns of {shape}", title, "4 MB", "", partial(_text, scope, encoding, shape))
    for encoding, title in [*titles.items()][:3]:
        yield Case("columns, one array", title, "150 MB", "", partial(_large, scope, encoding))
    yield Case("columns, a row", "Shift_JIS ja", "8 B", "", _row_cost)
