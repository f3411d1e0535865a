"""EUC-KR: https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings."""

from __future__ import annotations

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

NAME = "EUC-KR"


def test_every_one_and_two_bytes() -> None:
    compare_decoder(NAME, inputs.one_and_two_bytes())


@pytest.mark.repeated
def test_every_three_bytes() -> None:
    """All 16,777,216, each followed by U+000A, which is not a trailing byte."""
    compare_every_three_bytes(NAME, after=b"\n")


@pytest.mark.repeated
def test_three_bytes_at_end_of_queue() -> None:
    compare_decoder(NAME, inputs.boundary_inputs(NAME, 3))


def test_random_inputs() -> None:
    compare_decoder(NAME, inputs.random_inputs(NAME, 4000))


@given(st.data())
def test_mixtures(data: st.DataObject) -> None:
    compare_decoder(NAME, [data.draw(mixtures(NAME))])


def test_every_scalar_value() -> None:
    compare_every_scalar_value(NAME)


def test_texts() -> None:
    compare_encoder(NAME, inputs.random_texts(NAME, 4000))
