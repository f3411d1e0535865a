"""The step numbers in the emitted comments against the numbered steps of the reference, encoding by encoding."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from generator import emit
from generator.render import url
from generator.steps import CITATION, StepNumbers, compressed, expand
from tests.pinned import codecs
from tests.reference import steps
from tests.reference.compiled import indexes
from tests.reference.encodings import encodings

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = (indexes.index_gb18030_ranges_code_point, indexes.index_gb18030_ranges_pointer)


class Function(NamedTuple):
    """An emitted function: its text, and the steps cited by its comments, in order."""

    text: str
    cited: tuple[str, ...]


def citations(text: str) -> tuple[str, ...]:
    found = []
    for line in text.splitlines():
        match = CITATION.match(line)
        if match:
            found += [f"{match[1]} {path}" for path in expand(match[2])]
    return tuple(found)


@cache
def functions(module: str) -> dict[str, Function]:
    """Return the functions of an emitted module by name."""
    text = (emit.GENERATED / f"{module}.pyx").read_text()
    text = text[: text.index("# -- Registry")]
    parts = re.split(r"^(?=cdef inline |# -- )", text, flags=re.M)
    found = {}
    for part in parts:
        match = re.match(r"cdef inline \w+ (\w+)", part)
        if match:
            found[match[1]] = Function(part, citations(part))
    return found


def emitted(name: str) -> list[tuple[str, StepNumbers, type]]:
    """Return the names of an encoding's handlers, each with its record's steps and the reference's class."""
    codec = codecs()[name]
    decoder, *encoder = steps.algorithms(name)
    found = [(f"{codec.decoder}_decode_item", codec.steps["decoder"], decoder)]
    if codec.handler.encoder is not None:
        found.append((f"{codec.encoder}_encode_item", codec.steps["encoder"], encoder[0]))
    return found


def test_each_record_has_the_anchors_of_the_standard() -> None:
    for name in encodings():
        handler = codecs()[name].handler
        records = [record for record in (handler.decoder, handler.encoder) if record is not None]
        assert [record.anchor for record in records] == list(map(steps.anchor, steps.algorithms(name)))
        assert handler.has_encoder == (len(records) == 2)


def test_each_step_has_its_line_and_each_line_its_step() -> None:
    """Every function of an encoding, with the helpers that it calls, cites exactly the standard's steps."""
    for name in encodings():
        module = functions(codecs()[name].module)
        for function, record, algorithm in emitted(name):
            text, cited = module[function]
            helpers = [other for other in module if other != function and f"{other}(" in text]
            every = {step for other in [function, *helpers] for step in module[other].cited}
            cited_here = {step for step in every if not step.startswith("index-")}
            assert cited_here == set(map(str, steps.steps(algorithm))), function
            assert url(record.anchor) in text
            # If the standard's order is not kept, the docstring says why. The loop takes the end-of-queue steps.
            order = [str(step) for step in steps.steps(algorithm) if str(step) not in record.at_end_of_queue]
            first = [step for step in dict.fromkeys(cited) if step in order]
            assert first == [step for step in order if step in first] or "\n    Order: " in text, function


def test_operations_of_chapter_5() -> None:
    module = functions("chinese_simplified")
    for operation, function in zip(OPERATIONS, ("gb18030_ranges_code_point", "gb18030_ranges_pointer"), strict=True):
        assert set(module[function].cited) == set(map(str, steps.steps(operation)))


def test_expand() -> None:
    assert list(expand("3, 3.1-3.3, 10-11")) == ["3", "3.1", "3.2", "3.3", "10", "11"]
    assert list(expand("3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3")) == [
        "3.[0xC2 to 0xDF]",
        "3.[0xC2 to 0xDF].1",
        "3.[0xC2 to 0xDF].2",
        "[escape start].3",
    ]
    found = StepNumbers("x-decoder", numbers={"finished": "1-2", "ascii": "4"})
    with pytest.raises(KeyError):
        found["trail"]
    assert found["ascii"] == "x-decoder 4"
    assert found.at_end_of_queue == ("x-decoder 1", "x-decoder 2")


@pytest.mark.parametrize("numbers", ["3, 3.1-3.3, 10-11", "3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3"])
def test_compressed(numbers: str) -> None:
    assert compressed(expand(numbers)) == numbers
