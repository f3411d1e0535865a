"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..indexes import INDEXES
from ..io_queue import END_OF_QUEUE, in_range, restore
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error
from .indexes import index_gb18030_ranges_code_point, index_gb18030_ranges_pointer


class Gb18030Decoder(Decoder):
    """https://encoding.spec.whatwg.org/#gb18030-decoder."""

    def __init__(self) -> None:
        self.gb18030_first: Any = 0x00
        self.gb18030_second: Any = 0x00
        self.gb18030_third: Any = 0x00

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if (
            byte is END_OF_QUEUE
            and self.gb18030_first == 0x00
            and self.gb18030_second == 0x00
            and self.gb18030_third == 0x00
        ):
            return FINISHED
        # 2
        if (
            byte is END_OF_QUEUE
            and (self.gb18030_first != 0x00 or self.gb18030_second != 0x00 or self.gb18030_third != 0x00)
        ):
            self.gb18030_first = self.gb18030_second = self.gb18030_third = 0x00
            return Error()
        # 3
        if self.gb18030_third != 0x00:
            # 3.1
            if not in_range(byte, 0x30, 0x39):
                # 3.1.1
                restore(io_queue, [self.gb18030_second, self.gb18030_third, byte])
                # 3.1.2
                self.gb18030_first = self.gb18030_second = self.gb18030_third = 0x00
                # 3.1.3
                return Error()
            # 3.2
            code_point = index_gb18030_ranges_code_point(
                (self.gb18030_first - 0x81) * (10 * 126 * 10)
                + (self.gb18030_second - 0x30) * (10 * 126)
                + (self.gb18030_third - 0x81) * 10
                + byte - 0x30
            )
            # 3.3
            self.gb18030_first = self.gb18030_second = self.gb18030_third = 0x00
            # 3.4
            if code_point is None:
                return Error()
            # 3.5
            return [code_point]
        # 4
        if self.gb18030_second != 0x00:
            # 4.1
            if in_range(byte, 0x81, 0xFE):
                self.gb18030_third = byte
                return CONTINUE
            # 4.2
            restore(io_queue, [self.gb18030_second, byte])
            self.gb18030_first = self.gb18030_second = 0x00
            return Error()
        # 5
        if self.gb18030_first != 0x00:
            # 5.1
            if in_range(byte, 0x30, 0x39):
                self.gb18030_second = byte
                return CONTINUE
            # 5.2
            leading = self.gb18030_first
            # 5.3
            self.gb18030_first = 0x00
            # 5.4
            pointer = None
            # 5.5
            offset = 0x40 if byte < 0x7F else 0x41
            # 5.6
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0x80, 0xFE):
                pointer = (leading - 0x81) * 190 + (byte - offset)
            # 5.7
            code_point = None if pointer is None else INDEXES["gb18030"].code_point(pointer)
            # 5.8
            if code_point is not None:
                return [code_point]
            # 5.9
            if in_range(byte, 0x00, 0x7F):
                restore(io_queue, byte)
            # 5.10
            return Error()
        # 6
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 7
        if byte == 0x80:
            return [0x20AC]
        # 8
        if in_range(byte, 0x81, 0xFE):
            self.gb18030_first = byte
            return CONTINUE
        # 9
        return Error()


TABLE = {
    0xE78D: [0xA6, 0xD9],
    0xE78E: [0xA6, 0xDA],
    0xE78F: [0xA6, 0xDB],
    0xE790: [0xA6, 0xDC],
    0xE791: [0xA6, 0xDD],
    0xE792: [0xA6, 0xDE],
    0xE793: [0xA6, 0xDF],
    0xE794: [0xA6, 0xEC],
    0xE795: [0xA6, 0xED],
    0xE796: [0xA6, 0xF3],
    0xE81E: [0xFE, 0x59],
    0xE826: [0xFE, 0x61],
    0xE82B: [0xFE, 0x66],
    0xE82C: [0xFE, 0x67],
    0xE832: [0xFE, 0x6D],
    0xE843: [0xFE, 0x7E],
    0xE854: [0xFE, 0x90],
    0xE864: [0xFE, 0xA0],
}


class Gb18030Encoder(Encoder):
    """https://encoding.spec.whatwg.org/#gb18030-encoder."""

    def __init__(self) -> None:
        self.is_gbk: Any = False

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        if code_point == 0xE5E5:
            return Error(code_point)
        # 4
        if self.is_gbk is True and code_point == 0x20AC:
            return [0x80]
        # 5
        if code_point in TABLE:
            return TABLE[code_point]
        # 6
        pointer = INDEXES["gb18030"].pointer(code_point)
        # 7
        if pointer is not None:
            # 7.1
            leading = pointer // 190 + 0x81
            # 7.2
            trailing = pointer % 190
            # 7.3
            offset = 0x40 if trailing < 0x3F else 0x41
            # 7.4
            return [leading, trailing + offset]
        # 8
        if self.is_gbk is True:
            return Error(code_point)
        # 9
        pointer = index_gb18030_ranges_pointer(code_point)
        # 10
        byte1 = pointer // (10 * 126 * 10)
        # 11
        pointer = pointer % (10 * 126 * 10)
        # 12
        byte2 = pointer // (10 * 126)
        # 13
        pointer = pointer % (10 * 126)
        # 14
        byte3 = pointer // 10
        # 15
        byte4 = pointer % 10
        # 16
        return [byte1 + 0x81, byte2 + 0x30, byte3 + 0x81, byte4 + 0x30]
