"""The Big5 handlers: https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(traditional)-encodings."""

from __future__ import annotations

from .indexes import big5_pointer, index
from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii

# The Big5 decoder's table: pointers that stand for two code points.
BIG5_TWO_CODE_POINTS = {
    1133: (0x00CA, 0x0304),
    1135: (0x00CA, 0x030C),
    1164: (0x00EA, 0x0304),
    1166: (0x00EA, 0x030C),
}


class Big5Decoder(Decoder):
    """Big5's decoder: https://encoding.spec.whatwg.org/#big5-decoder."""

    def __init__(self) -> None:
        self.leading = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.leading != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and Big5 leading is not 0x00, set Big5 leading to 0x00 and return error.
        if byte is END_OF_QUEUE and self.leading != 0x00:
            self.leading = 0x00
            return Error()
        # 2. If byte is end-of-queue and Big5 leading is 0x00, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If Big5 leading is not 0x00:
        if self.leading != 0x00:
            # 1. Let leading be Big5 leading.
            leading = self.leading
            # 2. Set Big5 leading to 0x00.
            self.leading = 0x00
            # 3. Let pointer be null.
            pointer = None
            # 4. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x62.
            offset = 0x40 if byte < 0x7F else 0x62
            # 5. If byte is in the range 0x40 to 0x7E, inclusive, or 0xA1 to 0xFE, inclusive, set pointer to
            #    (leading - 0x81) x 157 + (byte - offset).
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0xA1, 0xFE):
                pointer = (leading - 0x81) * 157 + (byte - offset)
            # 6. If there is a row in the table below whose first column is pointer, return the two code points listed
            #    in its second column.
            if pointer in BIG5_TWO_CODE_POINTS:
                return list(BIG5_TWO_CODE_POINTS[pointer])
            # 7. Let code point be null if pointer is null, otherwise the index code point for pointer in index Big5.
            code_point = None if pointer is None else index("big5").code_point(pointer)
            # 8. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 9. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 10. Return error.
            return Error()
        # 4. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 5. If byte is in the range 0x81 to 0xFE, inclusive, set Big5 leading to byte and return continue.
        if in_range(byte, 0x81, 0xFE):
            self.leading = byte
            return CONTINUE
        # 6. Return error.
        return Error()


class Big5Encoder(Encoder):
    """Big5's encoder: https://encoding.spec.whatwg.org/#big5-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. Let pointer be the index Big5 pointer for code point.
        pointer = big5_pointer(code_point)
        # 4. If pointer is null, return error with code point.
        if pointer is None:
            return Error(code_point)
        # 5. Let leading be pointer / 157 + 0x81.
        leading = pointer // 157 + 0x81
        # 6. Let trailing be pointer % 157.
        trailing = pointer % 157
        # 7. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x62.
        offset = 0x40 if trailing < 0x3F else 0x62
        # 8. Return two bytes whose values are leading and trailing + offset.
        return [leading, trailing + offset]
