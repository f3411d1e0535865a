"""The examples in docstrings produce the output that they show."""

from __future__ import annotations

import doctest
import importlib.util

import pytest

import whatwg_encoding as we
from tests.programs import ROOT
from tests.requirements import missing

SOURCE = ROOT / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if "    >>> " in path.read_text(encoding="utf-8")
)
#: What the examples of a module need.
LIBRARIES = {"whatwg_encoding.arrow": "pyarrow", "whatwg_encoding.mcp": "mcp"}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    library = LIBRARIES.get(name, "whatwg_encoding")
    if importlib.util.find_spec(library) is None:
        missing(f"{library} is not installed", "WHATWG_ENCODING_REQUIRE_LIBRARIES")
    module = importlib.import_module(name)
    names = {public: getattr(we, public) for public in we.__all__} | vars(module)
    runner = doctest.DocTestRunner()
    # Not by the objects' __module__, which is the public one.
    for examples in doctest.DocTestFinder().find(module, module=False, globs=names):
        runner.run(examples)
    assert runner.tries > 0
    assert runner.failures == 0
