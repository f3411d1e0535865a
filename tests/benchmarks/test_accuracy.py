"""The pages that detectors are compared on match what is said of them, and every contender returns text."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

import whatwg_encoding as we
from benchmarks import accuracy, samples
from benchmarks.corpus import Corpus

COUNT = 400


@cache
def pages(mix: str) -> list[samples.Page]:
    return samples.crawled(Corpus(), mix, COUNT)


@pytest.mark.parametrize("mix", samples.GOALS)
def test_pages_are_the_same_each_time(mix: str) -> None:
    assert pages(mix) == samples.crawled(Corpus(), mix, COUNT)


@pytest.mark.parametrize("mix", ["contradictions", "lies"])
def test_shares_of_pages(mix: str) -> None:
    kinds: Counter[str] = Counter()
    for page in pages(mix):
        header = page.content_type.partition("charset=")[2]
        declared = we.sniff.prescan(page.body)
        kinds["UTF-8"] += page.body == page.text.encode()
        kinds["undeclared"] += not header and declared is None
        kinds["lies"] += header == "iso-8859-1"
        kinds["contradictions"] += bool(header) and declared is not None and we.lookup(header) is not declared
    assert kinds == {"contradictions": 0, "lies": 0} | {"UTF-8": 340, "undeclared": 44, mix: 20}


def test_damaged_pages() -> None:
    assert COUNT * 0.2 <= sum("\ufffd" in page.text for page in pages("damage")) <= COUNT * 0.4
    sizes = sorted(len(page.body) for page in pages("damage"))
    assert sizes[0] < 50
    assert sizes[-1] > 200_000
    assert sum(not page.text.isascii() for page in pages("damage")) >= COUNT * 0.75
    random = Random(1)
    assert sum(samples.damaged(random, b"abcdef") == b"abcdef" for _ in range(100)) <= 5


@pytest.mark.parametrize("mix", samples.GOALS)
def test_as_many_pages_are_right_as_the_floor_says(mix: str) -> None:
    right = sum(page.is_right(we.decode_crawled(page.body, page.content_type).text) for page in pages(mix))
    assert right >= COUNT * samples.GOALS[mix][0]


def test_ahead_of_resiliparse_on_damaged_pages() -> None:
    decoders = accuracy.decoders()
    ours, theirs = (
        sum(page.is_right(decoders[name](page.body, page.content_type)) for page in pages("damage"))
        for name in ("whatwg-encoding: decode_crawled", "resiliparse")
    )
    assert ours > theirs


def test_contenders_return_text() -> None:
    for decode in accuracy.decoders().values():
        assert isinstance(decode(b"<p>text", "text/html"), str)
    for detect in accuracy.detectors().values():
        assert detect(b"<p>text") == "<p>text"
