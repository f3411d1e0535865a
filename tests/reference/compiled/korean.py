"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..indexes import INDEXES
from ..io_queue import END_OF_QUEUE, in_range, restore
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error


class EucKrDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#euc-kr-decoder."""

    def __init__(self) -> None:
        self.euc_kr_leading: Any = 0x00

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and self.euc_kr_leading != 0x00:
            self.euc_kr_leading = 0x00
            return Error()
        # 2
        if byte is END_OF_QUEUE and self.euc_kr_leading == 0x00:
            return FINISHED
        # 3
        if self.euc_kr_leading != 0x00:
            # 3.1
            leading = self.euc_kr_leading
            # 3.2
            self.euc_kr_leading = 0x00
            # 3.3
            pointer = None
            # 3.4
            if in_range(byte, 0x41, 0xFE):
                pointer = (leading - 0x81) * 190 + (byte - 0x41)
            # 3.5
            code_point = None if pointer is None else INDEXES["euc-kr"].code_point(pointer)
            # 3.6
            if code_point is not None:
                return [code_point]
            # 3.7
            if in_range(byte, 0x00, 0x7F):
                restore(io_queue, byte)
            # 3.8
            return Error()
        # 4
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 5
        if in_range(byte, 0x81, 0xFE):
            self.euc_kr_leading = byte
            return CONTINUE
        # 6
        return Error()


class EucKrEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#euc-kr-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        pointer = INDEXES["euc-kr"].pointer(code_point)
        # 4
        if pointer is None:
            return Error(code_point)
        # 5
        leading = pointer // 190 + 0x81
        # 6
        trailing = pointer % 190 + 0x41
        # 7
        return [leading, trailing]
