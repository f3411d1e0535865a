"""The encoders and labels of the package against the npm package @exodus/bytes, an independent implementation, in Node.

The standard decides any difference, which would be recorded here with its reason. The pinned version has none.
``python -m docs.conformance`` compares the decoders of this and other implementations.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.node import OPT_OUT, Node, installed, running
from tests.reference import inputs
from tests.standard.comparison import every_scalar_value

SCRIPT = "exodus_bytes.mjs"

pytestmark = [
    pytest.mark.repeated,
    pytest.mark.skipif(bool(os.environ.get(OPT_OUT)), reason=f"{OPT_OUT} is set: peers are skipped"),
]


@pytest.fixture(scope="module")
def peer() -> Iterator[Node]:
    with running(installed(Path(__file__).parent, SCRIPT) / SCRIPT) as node:
        yield node


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encoder(peer: Node, name: str) -> None:
    """Every scalar value, or up to U+FFFF if the index has none beyond, in addition to random texts."""
    every = every_scalar_value()
    if name in inputs.ONE_BYTE_NAMES:
        every = every[: every.index("\U00010000")]
    texts = [*(every[i : i + 512] for i in range(0, len(every), 512)), *inputs.random_texts(name, 3000)]
    for text, expected in zip(texts, peer.ask(encode=name, inputs=texts), strict=True):
        assert we.ENCODINGS[name].encode(text).hex() == expected, text


def test_labels(peer: Node) -> None:
    labels = [variant for label in we.LABELS for variant in (label, label.upper(), f"\t\n {label}\f\r", label + "x")]
    for label, expected in zip(labels, peer.ask(names=labels), strict=True):
        if expected is None:
            with pytest.raises(we.UnknownLabelError):
                we.lookup(label)
        else:
            assert we.lookup(label).name == expected
