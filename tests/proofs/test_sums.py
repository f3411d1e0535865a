"""What fits item by item fits in all, which rounding up each item would not."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("z3", reason="the proofs need z3-solver, of the dependency group prove")

from generator.spec import capacity
from proofs.handlers import sums
from proofs.handlers.induction import ProofError
from tests.pinned import codecs


def test_each_decode_shift() -> None:
    for shift in {codec.handler.decode_shift for codec in codecs().values()}:
        sums.prove(shift)


@pytest.mark.parametrize(
    ("add", "refusal"),
    [
        (lambda step, _: step - 1, "before the next item does not hold"),  # every item is rounded up
        (lambda _, is_last: -1 if is_last else 0, "room for (an item|the last item) does not hold"),
    ],
)
def test_other_roundings_are_refused(add: Any, refusal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def most(length: Any, shift: int, *, is_last: bool) -> Any:
        return (length + add(1 << shift, is_last)) // (1 << shift)

    monkeypatch.setattr(capacity, "most", most)
    with pytest.raises(ProofError, match=refusal):
        sums.prove(1)
