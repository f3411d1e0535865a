"""The examples in docstrings produce the output that they show."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["_sniff.crawl", "_api.hooks", "_api.text", "_codecs", "_cli.explain", "webencodings"])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"whatwg_encoding.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
