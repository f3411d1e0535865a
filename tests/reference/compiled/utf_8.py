"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#the-encoding.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..io_queue import END_OF_QUEUE, in_range, restore
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error


class Utf8Decoder(Decoder):
    """https://encoding.spec.whatwg.org/#utf-8-decoder."""

    def __init__(self) -> None:
        self.utf_8_code_point: Any = 0
        self.utf_8_bytes_seen: Any = 0
        self.utf_8_bytes_needed: Any = 0
        self.utf_8_lower_boundary: Any = 0x80
        self.utf_8_upper_boundary: Any = 0xBF

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and self.utf_8_bytes_needed != 0:
            self.utf_8_bytes_needed = 0
            return Error()
        # 2
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3
        if self.utf_8_bytes_needed == 0:
            # 3.[0x00 to 0x7F]
            if in_range(byte, 0x00, 0x7F):
                return [byte]
            # 3.[0xC2 to 0xDF]
            elif in_range(byte, 0xC2, 0xDF):
                # 3.[0xC2 to 0xDF].1
                self.utf_8_bytes_needed = 1
                # 3.[0xC2 to 0xDF].2
                self.utf_8_code_point = byte & 0x1F
            # 3.[0xE0 to 0xEF]
            elif in_range(byte, 0xE0, 0xEF):
                # 3.[0xE0 to 0xEF].1
                if byte == 0xE0:
                    self.utf_8_lower_boundary = 0xA0
                # 3.[0xE0 to 0xEF].2
                if byte == 0xED:
                    self.utf_8_upper_boundary = 0x9F
                # 3.[0xE0 to 0xEF].3
                self.utf_8_bytes_needed = 2
                # 3.[0xE0 to 0xEF].4
                self.utf_8_code_point = byte & 0x0F
            # 3.[0xF0 to 0xF4]
            elif in_range(byte, 0xF0, 0xF4):
                # 3.[0xF0 to 0xF4].1
                if byte == 0xF0:
                    self.utf_8_lower_boundary = 0x90
                # 3.[0xF0 to 0xF4].2
                if byte == 0xF4:
                    self.utf_8_upper_boundary = 0x8F
                # 3.[0xF0 to 0xF4].3
                self.utf_8_bytes_needed = 3
                # 3.[0xF0 to 0xF4].4
                self.utf_8_code_point = byte & 0x07
            # 3.[Otherwise]
            else:
                return Error()
            return CONTINUE
        # 4
        if not in_range(byte, self.utf_8_lower_boundary, self.utf_8_upper_boundary):
            # 4.1
            self.utf_8_code_point = self.utf_8_bytes_needed = self.utf_8_bytes_seen = 0
            self.utf_8_lower_boundary = 0x80
            self.utf_8_upper_boundary = 0xBF
            # 4.2
            restore(io_queue, byte)
            # 4.3
            return Error()
        # 5
        self.utf_8_lower_boundary = 0x80
        self.utf_8_upper_boundary = 0xBF
        # 6
        self.utf_8_code_point = self.utf_8_code_point << 6 | byte & 0x3F
        # 7
        self.utf_8_bytes_seen = self.utf_8_bytes_seen + 1
        # 8
        if self.utf_8_bytes_seen != self.utf_8_bytes_needed:
            return CONTINUE
        # 9
        code_point = self.utf_8_code_point
        # 10
        self.utf_8_code_point = self.utf_8_bytes_needed = self.utf_8_bytes_seen = 0
        # 11
        return [code_point]


class Utf8Encoder(Encoder):
    """https://encoding.spec.whatwg.org/#utf-8-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        if in_range(code_point, 0x80, 0x7FF):
            count = 1
            offset = 0xC0
        elif in_range(code_point, 0x800, 0xFFFF):
            count = 2
            offset = 0xE0
        elif in_range(code_point, 0x10000, 0x10FFFF):
            count = 3
            offset = 0xF0
        # 4
        bytes_ = [(code_point >> 6 * count) + offset]
        # 5
        while count > 0:
            # 5.1
            temp = code_point >> 6 * (count - 1)
            # 5.2
            bytes_.append(0x80 | temp & 0x3F)
            # 5.3
            count = count - 1
        # 6
        return bytes_
