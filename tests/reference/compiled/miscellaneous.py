"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-miscellaneous-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..io_queue import END_OF_QUEUE, in_range, restore, scalar_value_from_surrogates
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error


class ReplacementDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#replacement-decoder."""

    def __init__(self) -> None:
        self.replacement_error_returned: Any = False

    def handler(self, unused: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2
        if self.replacement_error_returned is False:
            self.replacement_error_returned = True
            return Error()
        # 3
        return FINISHED


class SharedUtf16Decoder(Decoder):
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder."""

    def __init__(self) -> None:
        self.utf_16_leading_byte: Any = None
        self.utf_16_leading_surrogate: Any = None
        self.is_utf_16be_decoder: Any = False

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and (self.utf_16_leading_byte is not None or self.utf_16_leading_surrogate is not None):
            self.utf_16_leading_byte = self.utf_16_leading_surrogate = None
            return Error()
        # 2
        if byte is END_OF_QUEUE and self.utf_16_leading_byte is None and self.utf_16_leading_surrogate is None:
            return FINISHED
        # 3
        if self.utf_16_leading_byte is None:
            self.utf_16_leading_byte = byte
            return CONTINUE
        # 4
        if self.is_utf_16be_decoder is True:
            code_unit = (self.utf_16_leading_byte << 8) + byte
        elif self.is_utf_16be_decoder is False:
            code_unit = (byte << 8) + self.utf_16_leading_byte
        # 5
        self.utf_16_leading_byte = None
        # 6
        if self.utf_16_leading_surrogate is not None:
            # 6.1
            leading_surrogate = self.utf_16_leading_surrogate
            # 6.2
            self.utf_16_leading_surrogate = None
            # 6.3
            if in_range(code_unit, 0xDC00, 0xDFFF):
                return [scalar_value_from_surrogates(leading_surrogate, code_unit)]
            # 6.4
            byte1 = code_unit >> 8
            # 6.5
            byte2 = code_unit & 0xFF
            # 6.6
            bytes_ = [byte1, byte2] if self.is_utf_16be_decoder is True else [byte2, byte1]
            # 6.7
            restore(io_queue, bytes_)
            return Error()
        # 7
        if in_range(code_unit, 0xD800, 0xDBFF):
            self.utf_16_leading_surrogate = code_unit
            return CONTINUE
        # 8
        if in_range(code_unit, 0xDC00, 0xDFFF):
            return Error()
        # 9
        return [code_unit]


class XUserDefinedDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#x-user-defined-decoder."""

    def handler(self, unused: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 3
        return [0xF780 + byte - 0x80]


class XUserDefinedEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#x-user-defined-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        if in_range(code_point, 0xF780, 0xF7FF):
            return [code_point - 0xF780 + 0x80]
        # 4
        return Error(code_point)
