"""The replacement, UTF-16BE/LE and x-user-defined handlers.

https://encoding.spec.whatwg.org/#legacy-miscellaneous-encodings
"""

from __future__ import annotations

from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii


class ReplacementDecoder(Decoder):
    """replacement's decoder: https://encoding.spec.whatwg.org/#replacement-decoder."""

    def __init__(self) -> None:
        self.error_returned = False

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2. If replacement error returned is false, set replacement error returned to true and return error.
        if not self.error_returned:
            self.error_returned = True
            return Error()
        # 3. Return finished.
        return FINISHED


class SharedUTF16Decoder(Decoder):
    """The shared UTF-16 decoder: https://encoding.spec.whatwg.org/#shared-utf-16-decoder.

    It is UTF-16LE's (#utf-16le-decoder) and, with `is_utf_16be_decoder`, UTF-16BE's (#utf-16be-decoder).
    """

    def __init__(self, *, is_utf_16be_decoder: bool = False) -> None:
        self.is_utf_16be_decoder = is_utf_16be_decoder
        self.leading_byte: int | None = None
        self.leading_surrogate: int | None = None

    @property
    def in_sequence(self) -> bool:
        return self.leading_byte is not None or self.leading_surrogate is not None

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and either UTF-16 leading byte or UTF-16 leading surrogate is non-null, set UTF-16
        #    leading byte and UTF-16 leading surrogate to null, and return error.
        if byte is END_OF_QUEUE and (self.leading_byte is not None or self.leading_surrogate is not None):
            self.leading_byte = self.leading_surrogate = None
            return Error()
        # 2. If byte is end-of-queue and UTF-16 leading byte and UTF-16 leading surrogate are null, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If UTF-16 leading byte is null, set UTF-16 leading byte to byte and return continue.
        if self.leading_byte is None:
            self.leading_byte = byte
            return CONTINUE
        # 4. Let code unit be the result of: is UTF-16BE decoder is true: (UTF-16 leading byte << 8) + byte;
        #    is UTF-16BE decoder is false: (byte << 8) + UTF-16 leading byte.
        code_unit = (self.leading_byte << 8) + byte if self.is_utf_16be_decoder else (byte << 8) + self.leading_byte
        # 5. Set UTF-16 leading byte to null.
        self.leading_byte = None
        # 6. If UTF-16 leading surrogate is non-null:
        if self.leading_surrogate is not None:
            # 1. Let leading surrogate be UTF-16 leading surrogate.
            leading_surrogate = self.leading_surrogate
            # 2. Set UTF-16 leading surrogate to null.
            self.leading_surrogate = None
            # 3. If code unit is a trailing surrogate, return a scalar value from surrogates given leading surrogate and
            #    code unit. https://infra.spec.whatwg.org/#scalar-value-from-surrogates
            if in_range(code_unit, 0xDC00, 0xDFFF):
                return [0x10000 + ((leading_surrogate - 0xD800) << 10) + (code_unit - 0xDC00)]
            # 4. Let byte1 be code unit >> 8.
            byte1 = code_unit >> 8
            # 5. Let byte2 be code unit & 0x00FF.
            byte2 = code_unit & 0x00FF
            # 6. Let bytes be a list of two bytes whose values are byte1 and byte2, if is UTF-16BE decoder is true;
            #    otherwise byte2 and byte1.
            restored = (byte1, byte2) if self.is_utf_16be_decoder else (byte2, byte1)
            # 7. Restore bytes to ioQueue and return error.
            io_queue.restore(*restored)
            return Error()
        # 7. If code unit is a leading surrogate, set UTF-16 leading surrogate to code unit and return continue.
        if in_range(code_unit, 0xD800, 0xDBFF):
            self.leading_surrogate = code_unit
            return CONTINUE
        # 8. If code unit is a trailing surrogate, return error.
        if in_range(code_unit, 0xDC00, 0xDFFF):
            return Error()
        # 9. Return code point code unit.
        return [code_unit]


class XUserDefinedDecoder(Decoder):
    """x-user-defined's decoder: https://encoding.spec.whatwg.org/#x-user-defined-decoder."""

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 3. Return a code point whose value is 0xF780 + byte - 0x80.
        return [0xF780 + byte - 0x80]


class XUserDefinedEncoder(Encoder):
    """x-user-defined's encoder: https://encoding.spec.whatwg.org/#x-user-defined-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. If code point is in the range U+F780 to U+F7FF, inclusive, return a byte whose value is
        #    code point - 0xF780 + 0x80.
        if in_range(code_point, 0xF780, 0xF7FF):
            return [code_point - 0xF780 + 0x80]
        # 4. Return error with code point.
        return Error(code_point)
