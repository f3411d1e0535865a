"""The pages and texts of ``benchmarks.bench_crawl`` match its tables."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import whatwg_encoding as we
from benchmarks import bench_crawl
from benchmarks.corpus import Corpus

CORPUS = Corpus()


@pytest.mark.parametrize("mix", ["contradictions", "lies"])
def test_pages(mix: str) -> None:
    pages = bench_crawl.pages(CORPUS, mix, 400)
    assert pages == bench_crawl.pages(CORPUS, mix, 400)
    kinds: Counter[str] = Counter()
    for page in pages:
        header = (page.content_type or "").partition("charset=")[2]
        declared = we.sniff.prescan(page.body)
        kinds["UTF-8"] += page.body == page.text.encode()
        kinds["undeclared"] += not header and declared is None
        kinds["lies"] += header == "iso-8859-1"
        kinds["contradictions"] += bool(header) and declared is not None and we.lookup(header) is not declared
    assert kinds["UTF-8"] == 340
    assert kinds["undeclared"] == 44
    assert kinds[mix] == 20
    assert kinds["lies" if mix == "contradictions" else "contradictions"] == 0


@pytest.mark.parametrize("mix", bench_crawl.GOALS)
def test_as_many_pages_are_true_as_the_floor_says(mix: str) -> None:
    pages = bench_crawl.pages(CORPUS, mix, 400)
    true = sum(page.is_right(we.decode_crawled(page.body, page.content_type).text) for page in pages)
    assert true >= 400 * bench_crawl.GOALS[mix][0]


def test_damaged_pages() -> None:
    pages = bench_crawl.pages(CORPUS, "damage", 400)
    assert pages == bench_crawl.pages(CORPUS, "damage", 400)
    hurt = [page for page in pages if "\ufffd" in page.text]
    assert 400 * 0.2 <= len(hurt) <= 400 * 0.4
    sizes = sorted(len(page.body) for page in pages)
    assert sizes[0] < 50
    assert sizes[-1] > 200_000
    assert sum(not page.text.isascii() for page in pages) >= 300
    random = Random(1)
    assert sum(bench_crawl.damaged(random, b"abcdef") == b"abcdef" for _ in range(100)) <= 5


def test_ahead_of_resiliparse_on_damaged_pages() -> None:
    pages = bench_crawl.pages(CORPUS, "damage", 400)
    decoders = bench_crawl.decoders()
    ours, theirs = (
        sum(page.is_right(decoders[name](page)) for page in pages)
        for name in ("whatwg-encoding: decode_crawled", "resiliparse")
    )
    assert ours > theirs


def test_contenders_answer() -> None:
    (page,) = bench_crawl.pages(CORPUS, "lies", 1)
    for decode in bench_crawl.decoders().values():
        assert isinstance(decode(page), str)
    for detect in bench_crawl.detectors().values():
        assert detect(b"<p>text") == "<p>text"
