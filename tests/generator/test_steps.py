"""The anchors of handlers, against the reference, and how comments cite steps."""

from __future__ import annotations

import pytest

from generator.spec.reference import class_name
from generator.steps import StepNumbers, compressed, expand
from tests.pinned import codecs
from tests.reference.encodings import encodings


def test_each_record_has_the_anchors_of_the_standard() -> None:
    for name, encoding in encodings().items():
        handler = codecs()[name].handler
        records = [record.anchor for record in (handler.decoder, handler.encoder) if record is not None]
        factories = [factory for factory in (encoding.decoder, encoding.encoder) if factory is not None]
        assert list(map(class_name, records)) == [type(factory()).__name__ for factory in factories]
        assert handler.has_encoder == (len(records) == 2)


def test_expand() -> None:
    assert list(expand("3, 3.1-3.3, 10-11")) == ["3", "3.1", "3.2", "3.3", "10", "11"]
    assert list(expand("3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3")) == [
        "3.[0xC2 to 0xDF]",
        "3.[0xC2 to 0xDF].1",
        "3.[0xC2 to 0xDF].2",
        "[escape start].3",
    ]
    steps = StepNumbers("x-decoder", numbers={"finished": "1-2", "ascii": "4"})
    with pytest.raises(KeyError):
        steps["trail"]
    assert steps["ascii"] == "x-decoder 4"
    assert steps.at_end_of_queue == ("x-decoder 1", "x-decoder 2")


@pytest.mark.parametrize("numbers", ["3, 3.1-3.3, 10-11", "3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3"])
def test_compressed(numbers: str) -> None:
    assert compressed(expand(numbers)) == numbers
