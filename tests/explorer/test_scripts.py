"""The page's engine and its interpreter of the standard's algorithms, in Node: texts, errors and steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from tests.explorer.conftest import Node
from tests.reference import inputs, oracle, steps
from tests.reference.processing import Error

pytestmark = pytest.mark.repeated  # in another program

ROOT = Path(__file__).resolve().parents[2]
COUNT = 250
"""Inputs for each of 40 encodings: 10,000."""


def expected_calls(calls: Any) -> list[Any]:
    """Return the calls of the compiled algorithms, as the page's scripts have them."""
    return [
        [
            call.position,
            call.item if isinstance(call.item, int) else None,
            [str(step) for step in call.steps],
            [list(lookup) for lookup in call.lookups],
            list(call.output),
            [call.result.code_point] if isinstance(call.result, Error) else None,
        ]
        for call in calls
    ]


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decoding_as_the_package_and_the_algorithms(name: str, node: Node) -> None:
    data = [*inputs.vectors(name), *inputs.random_inputs(name, COUNT)]
    found = node.ask(decode=name, inputs=[each.hex() for each in data])
    for each, answer in zip(data, found, strict=True):
        expected = oracle.decode(name, each)
        assert answer["text"] == expected.text == we.ENCODINGS[name].decode(each), each
        assert answer["spans"] == [list(span) for span in expected.spans], each
        assert answer["emitted"] == expected.text
        assert answer["agrees"] is True, each
        assert answer["calls"] == expected_calls(steps.trace_decoder(name, each)), each


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encoding_as_the_package_and_the_algorithms(name: str, node: Node) -> None:
    texts = ["", "가각힣", "あ" * 3, *inputs.random_texts(name, COUNT)]
    found = node.ask(encode=name, inputs=texts)
    for text, answer in zip(texts, found, strict=True):
        scalar = "".join(chr(value.value) for value in oracle.scalar_values(text))
        expected = oracle.encode(name, scalar)
        assert answer["bytes"] == expected.output.hex() == we.ENCODINGS[name].encode(scalar).hex(), text
        assert answer["emitted"] == answer["bytes"]
        assert answer["count"] == len(expected.spans)
        assert answer["agrees"] is True, text
        assert answer["calls"] == expected_calls(steps.trace_encoder(name, scalar)), text


def test_indexes(node: Node) -> None:
    """The engine's tables have the standard's indexes, entry by entry."""
    indexes = json.loads((ROOT / "data" / "indexes.json").read_text(encoding="utf-8"))
    assert len(indexes) == 34
    for name, expected in indexes.items():
        if name == "gb18030-ranges":
            assert node.run("return indexes.get('gb18030-ranges').ranges") == expected
        else:
            assert node.ask(index=name) == expected, name
