"""The standard's algorithms, which data/algorithms.toml has as statements of Python, as classes and functions.

They are compiled here, from the pin alone; `indexes`, `io_queue` and `processing` are what is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from generator.spec import notation, reference

from .indexes import INDEXES
from .io_queue import END_OF_QUEUE, in_range, restore, scalar_value_from_surrogates
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error

DATA = Path(__file__).parents[2] / "data"
PROGRAMS = notation.known(DATA).programs
"""The algorithms by anchor."""

NAMES: dict[str, Any] = {
    "INDEXES": INDEXES, "END_OF_QUEUE": END_OF_QUEUE, "in_range": in_range, "restore": restore,
    "scalar_value_from_surrogates": scalar_value_from_surrogates,
    "CONTINUE": CONTINUE, "FINISHED": FINISHED, "Decoder": Decoder, "Encoder": Encoder, "Error": Error,
}  # fmt: skip
"""What their steps use."""

OPERATIONS: dict[str, Callable[[int], Any]] = {
    reference.function_name(anchor): reference.define(program, NAMES)
    for anchor, program in PROGRAMS.items()
    if program.kind == "operation"
}
"""The operations on indexes, by names such as ``index_big5_pointer``."""


def table(anchor: str) -> dict[int, tuple[int, ...]]:
    """Return the table of an algorithm."""
    rows = notation.table(PROGRAMS[anchor])
    assert rows is not None
    return dict(rows.entries)


def _handlers(kind: str) -> dict[str, Callable[..., Any]]:
    return {
        program.encoding: reference.define(reference.with_steps(program, PROGRAMS), {**NAMES, **OPERATIONS})
        for program in PROGRAMS.values()
        if program.kind == kind and program.encoding
    }


DECODERS, ENCODERS = _handlers("decoder"), _handlers("encoder")
"""The classes of handlers by the lowercase name of the encoding."""
