"""An attacker's names and labels reach no generated text, even if validation is skipped."""

from __future__ import annotations

import dataclasses

import pytest

from generator import emit
from generator.model import Encoding, Index, Snapshot
from generator.names import UnsafeNameError

PAYLOADS = [
    '"\nimport os; os.system("true")\n"',
    "x'''",
    'x"""',
    "x\\",
    "x*/ #include <evil.h> /*",
    "{{ cycler.__init__.__globals__ }}",
    "x\r\nx",
    "x\u2028x",
    "x\0",
]


def with_encoding(snapshot: Snapshot, number: int, **changes: object) -> Snapshot:
    encodings: list[Encoding] = list(snapshot.encodings)
    encodings[number] = dataclasses.replace(encodings[number], **changes)  # type: ignore[arg-type]
    return dataclasses.replace(snapshot, encodings=tuple(encodings))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_label_injects_nothing(payload: str, pinned: Snapshot) -> None:
    snapshot = with_encoding(pinned, 0, labels=("utf-8", payload))
    with pytest.raises(UnsafeNameError, match="the label"):
        emit.outputs(snapshot)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_name_injects_nothing(payload: str, pinned: Snapshot) -> None:
    index = Index(payload.lower(), (None,) * 128, "")
    snapshot = with_encoding(pinned, 1, name=payload)
    with pytest.raises(UnsafeNameError, match="the name"):
        emit.outputs(dataclasses.replace(snapshot, indexes={**pinned.indexes, index.name: index}))
