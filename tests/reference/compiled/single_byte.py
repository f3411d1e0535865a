"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-single-byte-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..io_queue import END_OF_QUEUE, in_range
from ..processing import FINISHED, Decoder, Encoder, Error


class SingleByteDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#single-byte-decoder."""

    def __init__(self, index_single_byte: Any) -> None:
        self.index_single_byte = index_single_byte

    def handler(self, unused: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 3
        code_point = self.index_single_byte.code_point(byte - 0x80)
        # 4
        if code_point is None:
            return Error()
        # 5
        return [code_point]


class SingleByteEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#single-byte-encoder."""

    def __init__(self, index_single_byte: Any) -> None:
        self.index_single_byte = index_single_byte

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        pointer = self.index_single_byte.pointer(code_point)
        # 4
        if pointer is None:
            return Error(code_point)
        # 5
        return [pointer + 0x80]
