"""The oracle keeps results of handlers: its own are those of the standard's loop, which runs them for each item."""

from __future__ import annotations

import pytest

from tests.reference import inputs, oracle
from tests.reference.encodings import encodings
from tests.reference.io_queue import IOQueue
from tests.reference.processing import process_a_queue


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
@pytest.mark.parametrize("most", [oracle.MOST_KEPT, 50])
def test_decode(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "MOST_KEPT", most)
    for data in (*inputs.vectors(name), *inputs.random_inputs(name, 50)):
        trace, output = oracle.Trace(encodings()[name].decoder()), IOQueue()
        process_a_queue(trace, IOQueue.convert(data), output, "replacement")
        assert oracle.decode(name, data) == (output.to_text(), tuple(trace.spans))
        decoder = oracle.StreamingDecoder.of(name)
        chunks = [data[at : at + 1] for at in range(len(data))]
        assert "".join([*map(decoder.decode, chunks), decoder.decode(b"", final=True)]) == output.to_text()
        assert decoder.spans == tuple(trace.spans)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
@pytest.mark.parametrize("most", [oracle.MOST_KEPT, 50])
def test_encode(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "MOST_KEPT", most)
    for text in (inputs.BOUNDARY_CODE_POINTS, *inputs.random_texts(name, 50)):
        scalar_values, output = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), IOQueue()
        process_a_queue(oracle.encoder_of(name), IOQueue.convert(map(ord, scalar_values)), output, "html")
        assert oracle.encode(name, text).output == output.to_bytes()
