"""docs/concepts.md has every concept of the standard, and every function that has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import whatwg_encoding as we
from generator.spec import notation

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
STANDARD = "https://encoding.spec.whatwg.org/#"

BEYOND = {
    # Detection, and what decodes pages by the likeliest encoding: docs/detection.md.
    "CrawlDetector", "Guess", "Sniffed", "chardetng", "crawl_detector", "detect", "is_binary",
    "text_cost", "utf8_if_valid", "declared",
    # Python's codecs.
    "codec_info", "python_codec",
}  # fmt: skip
"""Public names that no standard has."""


def names(module: object) -> set[str]:
    return {name for name in dir(module) if not name.startswith("_") and name not in ("annotations", "TYPE_CHECKING")}


@pytest.mark.parametrize("module", ["standard", "sniff", "mime", "urls"])
def test_each_public_name_of_a_module_is_on_the_page(module: str) -> None:
    missing = {name for name in names(getattr(we, module)) - BEYOND if not re.search(rf"\b{re.escape(name)}\b", PAGE)}
    assert missing == set()


def test_each_property_and_method_of_an_encoding_is_on_the_page() -> None:
    missing = {name for name in names(we.Encoding) - BEYOND if f"`Encoding.{name}" not in PAGE}
    assert missing == set()


def test_each_algorithm_of_the_standard_is_on_the_page() -> None:
    """Those of one encoding have a template, and the page links to the concept of a handler."""
    pinned = notation.known(ROOT / "data")
    operations = {anchor for anchor, program in pinned.programs.items() if program.kind == "operation"}
    missing = {algorithm for algorithm in {*pinned.transcribed, *operations} if f"{STANDARD}{algorithm})" not in PAGE}
    assert missing <= {"dom-textdecoder", "decode-and-enqueue-a-chunk", "flush-and-enqueue"}, (
        "of interfaces on the page"
    )


def test_each_name_on_the_page_is_public() -> None:
    for path in re.findall(r"`we\.([\w.]+)", PAGE):
        value: object = we
        for name in path.split("."):
            value = getattr(value, name)
