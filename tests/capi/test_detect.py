"""The table's `detect`, beside the Python function, whose results tests/sniff/test_detect.py judges."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import pytest

import whatwg_encoding as we
from tests.capi.table import API, POINTER, DetectOptions, Guess
from tests.sniff.test_detect import TEXTS, encoded

MOST = 40


def encodings(labels: Sequence[str]) -> ctypes.Array[ctypes.c_void_p]:
    return (POINTER * len(labels))(*(API.for_label(label.encode(), len(label.encode())) for label in labels))


def detected(
    data: bytes, *, candidates: Sequence[str] = (), declared: Sequence[str] = (), limit: int = 0, capacity: int = MOST
) -> list[tuple[str, int]]:
    """Return the names and bits of the guesses, from exactly these bytes; check that nothing else was written."""
    exact = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
    guesses = (Guess * (capacity + 1))()
    chosen, hints = encodings(candidates), encodings(declared)
    options = DetectOptions(ctypes.sizeof(DetectOptions), limit, chosen, len(chosen), hints, len(hints))
    count = API.detect(ctypes.cast(exact, ctypes.c_char_p), len(data), options, guesses, capacity)
    assert guesses[min(count, capacity)].encoding is None
    return [(API.name(guess.encoding).decode(), guess.bits) for guess in guesses[: min(count, capacity)]]


def expected(data: bytes, **hints: object) -> list[tuple[str, int]]:
    return [(guess.encoding.name, guess.score) for guess in we.sniff.detect(data, **hints)]  # type: ignore[arg-type]


EDGES = [
    b"", b"a", b"\xe9", b"caf\xe9", "日本".encode()[:-1], "日本".encode()[:-2], b"\xef\xbb\xbfa", b"\xff\xfea\0",
    b"\x1b$B$\"\x1b(B", b"\x1b(B", b"\x1b(J", b"\x1b$", b"a\x1b\x1b(Ia", b"a\0b\0", b"\0a\0b", b"\xc3\x28\xff" * 900,
    "é".encode() * 9 + b"\xff\xe4", b"\xf0\x9f", b"ab\xf4\x90",
]  # fmt: skip


def samples() -> list[bytes]:
    names = [name for name in we.ENCODINGS if name not in ("replacement", "x-user-defined")]
    return EDGES + [encoded(language, name) for at, language in enumerate(TEXTS) for name in names[at % 3 :: 3]]


HINTS: list[dict[str, Any]] = [
    {}, *({"limit": limit} for limit in (1, 100, 3000)),
    *({"declared": labels.split()} for labels in (
        "gbk", "gb18030", "windows-1252 sjis", "ISO-8859-8-I koi8-r", "x-user-defined iso-8859-10",
        "replacement klingon big5", "sjis sjis")),
    *({"candidates": labels.split(), "declared": ["gbk"]} for labels in (
        "utf-8", "utf-16le sjis", "gb18030 gbk big5", "koi8-r x-user-defined koi8-r")),
]  # fmt: skip


@pytest.mark.parametrize("hints", HINTS, ids=str)
def test_guesses_are_those_of_the_python_function(hints: dict[str, Any]) -> None:
    for data in samples():
        assert detected(data, **hints) == expected(data, **hints)


def test_candidates_that_decode_no_text_are_ignored() -> None:
    assert detected(b"\xe9", candidates=("replacement", "klingon")) == []
    assert detected(b"\xe9", candidates=("replacement", "macintosh")) == expected(b"\xe9", candidates=["macintosh"])


@pytest.mark.parametrize("capacity", [0, 1, 2])
def test_capacities(capacity: int) -> None:
    for data in samples():
        assert detected(data, capacity=capacity) == expected(data)[:capacity]


def test_without_options_and_with_those_of_an_earlier_release() -> None:
    data = "Привет, мир".encode("koi8-r")
    guesses = (Guess * MOST)()
    assert API.detect(data, len(data), None, guesses, MOST) == len(expected(data))
    assert API.name(guesses[0].encoding) == b"KOI8-R"
    options = DetectOptions(DetectOptions.candidates.offset, 0, encodings(["big5"]), 1, encodings([]), 7)
    assert API.detect(data, len(data), options, guesses, MOST) == len(expected(data))
