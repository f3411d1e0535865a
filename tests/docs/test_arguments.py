"""``help()`` explains every argument of every public function, class and method."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import pytest

import whatwg_encoding as we
from tests.trust.arguments import functions

FUNCTIONS = {function.name: function for function in functions() if not function.name.endswith("__")}
del FUNCTIONS["Encoding"]  # the package alone makes them
#: "Parameters are those of ``decode``": where else the arguments are explained.
ELSEWHERE = re.compile(r"\b(?:those of|what) (?:the )?`+([\w.]+)`+(?: raises)?(?:,? and (?:its )?`+([\w.]+)`+)?")


def resolve(name: str, function: str) -> Callable[..., object] | None:
    """Return what a docstring refers to: beside the function itself, or in the package."""
    beside = function.rpartition(".")[0]
    for full in (f"{beside}.{name}", name):
        value: object = we
        for part in full.lstrip(".").split("."):
            value = getattr(value, part, None)
        if callable(value):
            return value
    return None


def explanation(name: str, function: Callable[..., object]) -> str:
    docstring = inspect.getdoc(function) or ""
    for names in ELSEWHERE.findall(docstring):
        for other in filter(None, names):
            if (found := resolve(other, name)) is not None and found is not function:
                docstring += inspect.getdoc(found) or ""
    return docstring


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_explained(name: str) -> None:
    function = FUNCTIONS[name]
    text = explanation(name, function.call)
    words = {parameter.name: parameter.name.replace("_", "[-_ ]") for parameter in function.parameters}
    assert [word for word, words_ in words.items() if not re.search(rf"\b{words_}s?\b", text, re.IGNORECASE)] == []
