"""The examples in docstrings produce the output that they show."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name", ["_sniff.guessing", "standard", "_api.indexes", "_api.text", "_codecs", "_cli.explain", "webencodings"]
)
def test_examples(name: str) -> None:
    module = importlib.import_module(f"whatwg_encoding.{name}")
    runner = doctest.DocTestRunner()
    # Not by the objects' __module__, which is the public one.
    for examples in doctest.DocTestFinder().find(module, module=False, globs=vars(module)):
        runner.run(examples)
    assert runner.tries > 0
    assert runner.failures == 0
