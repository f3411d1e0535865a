"""The compiled package and the reference against @exodus/bytes in Node.

The standard decides any difference, which would be recorded here with its reason. The pinned version has none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from random import Random

import pytest

import whatwg_encoding as we
from tests.node import OPT_OUT
from tests.peers.exodus_bytes import ExodusBytes
from tests.reference import inputs, oracle
from tests.standard.comparison import every_scalar_value

pytestmark = [
    pytest.mark.repeated,
    pytest.mark.skipif(bool(os.environ.get(OPT_OUT)), reason=f"{OPT_OUT} is set: peers are skipped"),
]


@pytest.fixture(scope="module")
def peer() -> Iterator[ExodusBytes]:
    with ExodusBytes() as exodus_bytes:
        yield exodus_bytes


def differences(questions: Sequence[object], ours: Sequence[object], theirs: Sequence[object]) -> list[str]:
    assert len(questions) == len(ours) == len(theirs)
    rows = zip(questions, ours, theirs, strict=True)
    return [f"{question!a}: {our!a}, peer {their!a}" for question, our, their in rows if our != their][:10]


def decode_inputs(name: str) -> list[bytes]:
    """Return all inputs of one byte, all of two if sequences may have two, and random ones."""
    if name in inputs.MULTI_BYTE_NAMES:
        return [*inputs.one_and_two_bytes(), *inputs.random_inputs(name, 8000)]
    return [*(bytes([byte]) for byte in range(256)), bytes(range(256)), *inputs.random_inputs(name, 500)]


def decode_fatal(encoding: we.Encoding, data: bytes) -> str | None:
    try:
        return encoding.decode(data, "fatal")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decoder(peer: ExodusBytes, name: str) -> None:
    data = decode_inputs(name)
    theirs = peer.decode(name, data)
    assert not differences(data, [we.ENCODINGS[name].decode(item) for item in data], theirs)
    assert not differences(data, [oracle.decode(name, item).text for item in data], theirs)


@pytest.mark.parametrize("name", inputs.TEXT_NAMES)
def test_decoder_in_fatal_mode(peer: ExodusBytes, name: str) -> None:
    data = [item for item in decode_inputs(name) if len(item) != 2]
    ours = [decode_fatal(we.ENCODINGS[name], item) for item in data]
    assert not differences(data, ours, peer.decode_fatal(name, data))


@pytest.mark.parametrize("name", inputs.MULTI_BYTE_NAMES)
def test_decoder_in_chunks(peer: ExodusBytes, name: str) -> None:
    """Each chunk's own output is compared: nothing is held back longer than necessary."""
    random = Random(f"chunks {name}")
    chunked: list[list[bytes]] = []
    for data in (*inputs.vectors(name), *inputs.random_inputs(name, 3000)):
        cuts = sorted(random.choices(range(len(data) + 1), k=random.randint(1, 6)))
        chunked.append([data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)])
    ours: list[list[str]] = []
    for chunks in chunked:
        decoder = we.ENCODINGS[name].new_decoder()
        ours.append([*map(decoder.decode, chunks), decoder.decode(b"", True)])
    assert not differences(chunked, ours, peer.decode_chunks(name, chunked))


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encoder(peer: ExodusBytes, name: str) -> None:
    """Every scalar value, or up to U+FFFF if the index has none beyond, in addition to random texts."""
    every = every_scalar_value()
    if name in inputs.ONE_BYTE_NAMES:
        every = every[: every.index("\U00010000")]
    texts = [*(every[i : i + 512] for i in range(0, len(every), 512)), *inputs.random_texts(name, 3000)]
    theirs = peer.encode(name, texts)
    assert not differences(texts, [we.ENCODINGS[name].encode(text) for text in texts], theirs)


def test_labels(peer: ExodusBytes) -> None:
    labels = [variant for label in we.LABELS for variant in (label, label.upper(), f"\t\n {label}\f\r", label + "x")]
    ours: list[str | None] = []
    for label in labels:
        try:
            ours.append(we.lookup(label).name)
        except we.UnknownLabelError:
            ours.append(None)
    assert not differences(labels, ours, peer.names(labels))
