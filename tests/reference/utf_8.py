"""The UTF-8 handlers: https://encoding.spec.whatwg.org/#the-encoding."""

from __future__ import annotations

from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii


class UTF8Decoder(Decoder):
    """UTF-8's decoder: https://encoding.spec.whatwg.org/#utf-8-decoder."""

    def __init__(self) -> None:
        self.code_point = 0
        self.bytes_seen = 0
        self.bytes_needed = 0
        self.lower_boundary = 0x80
        self.upper_boundary = 0xBF

    @property
    def in_sequence(self) -> bool:
        return self.bytes_needed != 0

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and UTF-8 bytes needed is not 0, set UTF-8 bytes needed to 0 and return error.
        if byte is END_OF_QUEUE and self.bytes_needed != 0:
            self.bytes_needed = 0
            return Error()
        # 2. If byte is end-of-queue, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If UTF-8 bytes needed is 0, based on byte:
        if self.bytes_needed == 0:
            # - 0x00 to 0x7F: return a code point whose value is byte.
            if 0x00 <= byte <= 0x7F:
                return [byte]
            # - 0xC2 to 0xDF:
            if 0xC2 <= byte <= 0xDF:
                # 1. Set UTF-8 bytes needed to 1.
                self.bytes_needed = 1
                # 2. Set UTF-8 code point to byte & 0x1F.
                self.code_point = byte & 0x1F
            # - 0xE0 to 0xEF:
            elif 0xE0 <= byte <= 0xEF:
                # 1. If byte is 0xE0, set UTF-8 lower boundary to 0xA0.
                if byte == 0xE0:
                    self.lower_boundary = 0xA0
                # 2. If byte is 0xED, set UTF-8 upper boundary to 0x9F.
                if byte == 0xED:
                    self.upper_boundary = 0x9F
                # 3. Set UTF-8 bytes needed to 2.
                self.bytes_needed = 2
                # 4. Set UTF-8 code point to byte & 0xF.
                self.code_point = byte & 0xF
            # - 0xF0 to 0xF4:
            elif 0xF0 <= byte <= 0xF4:
                # 1. If byte is 0xF0, set UTF-8 lower boundary to 0x90.
                if byte == 0xF0:
                    self.lower_boundary = 0x90
                # 2. If byte is 0xF4, set UTF-8 upper boundary to 0x8F.
                if byte == 0xF4:
                    self.upper_boundary = 0x8F
                # 3. Set UTF-8 bytes needed to 3.
                self.bytes_needed = 3
                # 4. Set UTF-8 code point to byte & 0x7.
                self.code_point = byte & 0x7
            # - Otherwise: return error.
            else:
                return Error()
            # Return continue.
            return CONTINUE
        # 4. If byte is not in the range UTF-8 lower boundary to UTF-8 upper boundary, inclusive, then:
        if not self.lower_boundary <= byte <= self.upper_boundary:
            # 1. Set UTF-8 code point, UTF-8 bytes needed, and UTF-8 bytes seen to 0, set UTF-8 lower boundary to 0x80,
            #    and set UTF-8 upper boundary to 0xBF.
            self.code_point = self.bytes_needed = self.bytes_seen = 0
            self.lower_boundary = 0x80
            self.upper_boundary = 0xBF
            # 2. Restore byte to ioQueue.
            io_queue.restore(byte)
            # 3. Return error.
            return Error()
        # 5. Set UTF-8 lower boundary to 0x80 and UTF-8 upper boundary to 0xBF.
        self.lower_boundary = 0x80
        self.upper_boundary = 0xBF
        # 6. Set UTF-8 code point to (UTF-8 code point << 6) | (byte & 0x3F)
        self.code_point = (self.code_point << 6) | (byte & 0x3F)
        # 7. Increase UTF-8 bytes seen by one.
        self.bytes_seen += 1
        # 8. If UTF-8 bytes seen is not equal to UTF-8 bytes needed, return continue.
        if self.bytes_seen != self.bytes_needed:
            return CONTINUE
        # 9. Let code point be UTF-8 code point.
        code_point = self.code_point
        # 10. Set UTF-8 code point, UTF-8 bytes needed, and UTF-8 bytes seen to 0.
        self.code_point = self.bytes_needed = self.bytes_seen = 0
        # 11. Return a code point whose value is code point.
        return [code_point]


class UTF8Encoder(Encoder):
    """UTF-8's encoder: https://encoding.spec.whatwg.org/#utf-8-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. Set count and offset based on the range code point is in:
        #    U+0080 to U+07FF, inclusive: 1 and 0xC0
        if 0x80 <= code_point <= 0x7FF:
            count, offset = 1, 0xC0
        #    U+0800 to U+FFFF, inclusive: 2 and 0xE0
        elif 0x800 <= code_point <= 0xFFFF:
            count, offset = 2, 0xE0
        #    U+10000 to U+10FFFF, inclusive: 3 and 0xF0
        else:
            count, offset = 3, 0xF0
        # 4. Let bytes be a byte sequence whose first byte is (code point >> (6 x count)) + offset.
        output = [(code_point >> (6 * count)) + offset]
        # 5. While count is greater than 0:
        while count > 0:
            # 1. Set temp to code point >> (6 x (count - 1)).
            temp = code_point >> (6 * (count - 1))
            # 2. Append to bytes 0x80 | (temp & 0x3F).
            output.append(0x80 | (temp & 0x3F))
            # 3. Decrease count by one.
            count -= 1
        # 6. Return bytes bytes, in order.
        return output
