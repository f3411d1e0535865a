"""The pages that detectors are compared on match what is said of them, and every contender returns text."""

from __future__ import annotations

from collections import Counter
from functools import cache

import whatwg_encoding as we
from benchmarks import OURS, accuracy, report, samples

COUNT = 400


@cache
def pages(mix: str) -> list[samples.Page]:
    return samples.crawled(mix, COUNT)


def test_pages_are_the_same_each_time() -> None:
    for mix in samples.FLOORS:
        assert pages(mix) == samples.crawled(mix, COUNT)


def test_shares_of_pages() -> None:
    for mix in ("contradictions", "lies"):
        kinds: Counter[str] = Counter()
        for page in pages(mix):
            header = page.content_type.partition("charset=")[2]
            declared = we.sniff.prescan(page.body)
            kinds["UTF-8"] += page.body == page.text.encode()
            kinds["undeclared"] += not header and declared is None
            kinds["lies"] += header == "iso-8859-1"
            kinds["contradictions"] += bool(header) and declared is not None and we.lookup(header) is not declared
        assert kinds == {"contradictions": 0, "lies": 0} | {"UTF-8": 340, "undeclared": 44, mix: 20}


def test_as_many_pages_are_right_as_the_floor_says() -> None:
    for mix, floor in samples.FLOORS.items():
        right = sum(we.decode_crawled(page.body, page.content_type).text == page.text for page in pages(mix))
        assert right >= COUNT * floor, mix


def test_ahead_of_resiliparse_on_wrong_headers() -> None:
    decoders = accuracy.decoders()
    ours, theirs = (
        sum(decoders[name](page.body, page.content_type) == page.text for page in pages("lies"))
        for name in ("whatwg-encoding: decode_crawled", "resiliparse")
    )
    assert ours > theirs


def test_losses_are_all_encodings_and_languages_in_which_another_package_is_ahead() -> None:
    results = {row: {OURS: 90.0, "peer": 95.0} for row in accuracy.TABLE}
    results |= {"language xx": {OURS: 99.98, "peer": 99.99, "other": 1.0}, "KOI8-U": {OURS: 90.0, "peer": 90.0}}
    _, *rows = report.cells(accuracy.losses(results))
    assert rows == [["language xx", "100.0", "100.0", "peer"]]


def test_contenders_return_text() -> None:
    for decode in accuracy.decoders().values():
        assert isinstance(decode(b"<p>text", "text/html"), str)
    for detect in accuracy.detectors().values():
        assert detect(b"<p>text") == "<p>text"
