"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(traditional)-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..indexes import INDEXES
from ..io_queue import END_OF_QUEUE, in_range, restore
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error
from .indexes import index_big5_pointer


TABLE = {
    0x046D: [0xCA, 0x304],
    0x046F: [0xCA, 0x30C],
    0x048C: [0xEA, 0x304],
    0x048E: [0xEA, 0x30C],
}


class Big5Decoder(Decoder):
    """https://encoding.spec.whatwg.org/#big5-decoder."""

    def __init__(self) -> None:
        self.big5_leading: Any = 0x00

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and self.big5_leading != 0x00:
            self.big5_leading = 0x00
            return Error()
        # 2
        if byte is END_OF_QUEUE and self.big5_leading == 0x00:
            return FINISHED
        # 3
        if self.big5_leading != 0x00:
            # 3.1
            leading = self.big5_leading
            # 3.2
            self.big5_leading = 0x00
            # 3.3
            pointer = None
            # 3.4
            offset = 0x40 if byte < 0x7F else 0x62
            # 3.5
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0xA1, 0xFE):
                pointer = (leading - 0x81) * 157 + (byte - offset)
            # 3.6
            if pointer in TABLE:
                return TABLE[pointer]
            # 3.7
            code_point = None if pointer is None else INDEXES["big5"].code_point(pointer)
            # 3.8
            if code_point is not None:
                return [code_point]
            # 3.9
            if in_range(byte, 0x00, 0x7F):
                restore(io_queue, byte)
            # 3.10
            return Error()
        # 4
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 5
        if in_range(byte, 0x81, 0xFE):
            self.big5_leading = byte
            return CONTINUE
        # 6
        return Error()


class Big5Encoder(Encoder):
    """https://encoding.spec.whatwg.org/#big5-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        pointer = index_big5_pointer(code_point)
        # 4
        if pointer is None:
            return Error(code_point)
        # 5
        leading = pointer // 157 + 0x81
        # 6
        trailing = pointer % 157
        # 7
        offset = 0x40 if trailing < 0x3F else 0x62
        # 8
        return [leading, trailing + offset]
