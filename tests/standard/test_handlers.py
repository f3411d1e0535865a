"""What all decoders and encoders of chapters 8 to 14 have in common; the files of the chapters have what is special."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import inputs
from tests.standard.comparison import (
    compare_decoder,
    compare_encoder,
    compare_every_scalar_value,
    compare_every_three_bytes,
    mixtures,
)


def multi_byte(repeated: Collection[str] = (), without: Collection[str] = ()) -> pytest.MarkDecorator:
    """Parametrize by the multi-byte encodings; those that are repeated share a handler or a kernel with another."""
    names = [name for name in inputs.MULTI_BYTE_NAMES if name not in without]
    marks = {name: [pytest.mark.repeated] for name in repeated}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=marks.get(name, [])) for name in names])


@multi_byte(repeated=["gb18030"])
def test_every_one_and_two_bytes(name: str) -> None:
    compare_decoder(name, inputs.one_and_two_bytes())


@multi_byte(repeated=["GBK", "gb18030", "EUC-KR", "UTF-16BE", "UTF-16LE"], without=["ISO-2022-JP"])
def test_every_three_bytes(name: str) -> None:
    """All 16,777,216, each followed by U+000A, which no sequence has; in UTF-16 its first byte completes a unit."""
    newline = {"UTF-16BE": b"\0\n", "UTF-16LE": b"\n\0"}.get(name, b"")
    compare_every_three_bytes(name, after=b"\n" + newline)


@multi_byte(repeated=["gb18030", "EUC-KR"], without=["UTF-16BE", "UTF-16LE"])
def test_three_bytes_at_end_of_queue(name: str) -> None:
    compare_decoder(name, inputs.boundary_inputs(name, 3))


@pytest.mark.parametrize("name", inputs.TEXT_NAMES)
def test_random_inputs(name: str) -> None:
    compare_decoder(name, inputs.random_inputs(name, 4000 if name in inputs.MULTI_BYTE_NAMES else 200))


@multi_byte()
@given(data=st.data())
def test_mixtures(name: str, data: st.DataObject) -> None:
    compare_decoder(name, [data.draw(mixtures(name))])


@pytest.mark.parametrize("name", [name for name in inputs.ENCODER_NAMES if name not in ("UTF-8", "ISO-2022-JP")])
@pytest.mark.shapes  # tests/generator has every table at every code point
def test_every_scalar_value(name: str) -> None:
    compare_every_scalar_value(name)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_texts(name: str) -> None:
    compare_encoder(name, inputs.random_texts(name, 5000 if name in inputs.MULTI_BYTE_NAMES else 300))
