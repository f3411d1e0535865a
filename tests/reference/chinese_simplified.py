"""The GBK and gb18030 handlers: https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings."""

from __future__ import annotations

from .indexes import gb18030_ranges_code_point, gb18030_ranges_pointer, index
from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii

# The gb18030 encoder's table: private-use code points of GB18030-2005 with two bytes that GB18030-2022 assigned to
# other code points. Decoding these bytes gives the new code points; encoding the old ones still gives these bytes.
GB18030_2005_PRIVATE_USE = {
    0xE78D: (0xA6, 0xD9),
    0xE78E: (0xA6, 0xDA),
    0xE78F: (0xA6, 0xDB),
    0xE790: (0xA6, 0xDC),
    0xE791: (0xA6, 0xDD),
    0xE792: (0xA6, 0xDE),
    0xE793: (0xA6, 0xDF),
    0xE794: (0xA6, 0xEC),
    0xE795: (0xA6, 0xED),
    0xE796: (0xA6, 0xF3),
    0xE81E: (0xFE, 0x59),
    0xE826: (0xFE, 0x61),
    0xE82B: (0xFE, 0x66),
    0xE82C: (0xFE, 0x67),
    0xE832: (0xFE, 0x6D),
    0xE843: (0xFE, 0x7E),
    0xE854: (0xFE, 0x90),
    0xE864: (0xFE, 0xA0),
}


class GB18030Decoder(Decoder):
    """The decoder of gb18030 and GBK: https://encoding.spec.whatwg.org/#gb18030-decoder."""

    def __init__(self) -> None:
        self.first = 0x00
        self.second = 0x00
        self.third = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.first != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and gb18030 first, gb18030 second, and gb18030 third are 0x00, return finished.
        if byte is END_OF_QUEUE and self.first == self.second == self.third == 0x00:
            return FINISHED
        # 2. If byte is end-of-queue, and gb18030 first, gb18030 second, or gb18030 third is not 0x00, set gb18030
        #    first, gb18030 second, and gb18030 third to 0x00, and return error.
        if byte is END_OF_QUEUE:
            self.first = self.second = self.third = 0x00
            return Error()
        # 3. If gb18030 third is not 0x00, then:
        if self.third != 0x00:
            # 1. If byte is not in the range 0x30 to 0x39, inclusive, then:
            if not in_range(byte, 0x30, 0x39):
                # 1. Restore << gb18030 second, gb18030 third, byte >> to ioQueue.
                io_queue.restore(self.second, self.third, byte)
                # 2. Set gb18030 first, gb18030 second, and gb18030 third to 0x00.
                self.first = self.second = self.third = 0x00
                # 3. Return error.
                return Error()
            # 2. Let code point be the index gb18030 ranges code point for ((gb18030 first - 0x81) x (10 x 126 x 10)) +
            #    ((gb18030 second - 0x30) x (10 x 126)) + ((gb18030 third - 0x81) x 10) + byte - 0x30.
            code_point = gb18030_ranges_code_point(
                ((self.first - 0x81) * (10 * 126 * 10))
                + ((self.second - 0x30) * (10 * 126))
                + ((self.third - 0x81) * 10)
                + byte
                - 0x30
            )
            # 3. Set gb18030 first, gb18030 second, and gb18030 third to 0x00.
            self.first = self.second = self.third = 0x00
            # 4. If code point is null, return error.
            if code_point is None:
                return Error()
            # 5. Return a code point whose value is code point.
            return [code_point]
        # 4. If gb18030 second is not 0x00, then:
        if self.second != 0x00:
            # 1. If byte is in the range 0x81 to 0xFE, inclusive, set gb18030 third to byte and return continue.
            if in_range(byte, 0x81, 0xFE):
                self.third = byte
                return CONTINUE
            # 2. Restore << gb18030 second, byte >> to ioQueue, set gb18030 first and gb18030 second to 0x00, and return
            #    error.
            io_queue.restore(self.second, byte)
            self.first = self.second = 0x00
            return Error()
        # 5. If gb18030 first is not 0x00, then:
        if self.first != 0x00:
            # 1. If byte is in the range 0x30 to 0x39, inclusive, set gb18030 second to byte and return continue.
            if in_range(byte, 0x30, 0x39):
                self.second = byte
                return CONTINUE
            # 2. Let leading be gb18030 first.
            leading = self.first
            # 3. Set gb18030 first to 0x00.
            self.first = 0x00
            # 4. Let pointer be null.
            pointer = None
            # 5. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x41.
            offset = 0x40 if byte < 0x7F else 0x41
            # 6. If byte is in the range 0x40 to 0x7E, inclusive, or 0x80 to 0xFE, inclusive, set pointer to
            #    (leading - 0x81) x 190 + (byte - offset).
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0x80, 0xFE):
                pointer = (leading - 0x81) * 190 + (byte - offset)
            # 7. Let code point be null if pointer is null, otherwise the index code point for pointer in index gb18030.
            code_point = None if pointer is None else index("gb18030").code_point(pointer)
            # 8. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 9. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 10. Return error.
            return Error()
        # 6. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 7. If byte is 0x80, return code point U+20AC.
        if byte == 0x80:
            return [0x20AC]
        # 8. If byte is in the range 0x81 to 0xFE, inclusive, set gb18030 first to byte and return continue.
        if in_range(byte, 0x81, 0xFE):
            self.first = byte
            return CONTINUE
        # 9. Return error.
        return Error()


class GB18030Encoder(Encoder):
    """The encoder of gb18030 and, with `is_gbk`, of GBK: https://encoding.spec.whatwg.org/#gb18030-encoder."""

    def __init__(self, *, is_gbk: bool = False) -> None:
        self.is_gbk = is_gbk

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. If code point is U+E5E5, return error with code point.
        if code_point == 0xE5E5:
            return Error(code_point)
        # 4. If is GBK is true and code point is U+20AC, return byte 0x80.
        if self.is_gbk and code_point == 0x20AC:
            return [0x80]
        # 5. If there is a row in the table below whose first column is code point, then return the two bytes on the
        #    same row listed in the second column.
        if code_point in GB18030_2005_PRIVATE_USE:
            return list(GB18030_2005_PRIVATE_USE[code_point])
        # 6. Let pointer be the index pointer for code point in index gb18030.
        pointer = index("gb18030").pointer(code_point)
        # 7. If pointer is non-null, then:
        if pointer is not None:
            # 1. Let leading be pointer / 190 + 0x81.
            leading = pointer // 190 + 0x81
            # 2. Let trailing be pointer % 190.
            trailing = pointer % 190
            # 3. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x41.
            offset = 0x40 if trailing < 0x3F else 0x41
            # 4. Return two bytes whose values are leading and trailing + offset.
            return [leading, trailing + offset]
        # 8. If is GBK is true, return error with code point.
        if self.is_gbk:
            return Error(code_point)
        # 9. Set pointer to the index gb18030 ranges pointer for code point.
        pointer = gb18030_ranges_pointer(code_point)
        # 10. Let byte1 be pointer / (10 x 126 x 10).
        byte1 = pointer // (10 * 126 * 10)
        # 11. Set pointer to pointer % (10 x 126 x 10).
        pointer = pointer % (10 * 126 * 10)
        # 12. Let byte2 be pointer / (10 x 126).
        byte2 = pointer // (10 * 126)
        # 13. Set pointer to pointer % (10 x 126).
        pointer = pointer % (10 * 126)
        # 14. Let byte3 be pointer / 10.
        byte3 = pointer // 10
        # 15. Let byte4 be pointer % 10.
        byte4 = pointer % 10
        # 16. Return four bytes whose values are byte1 + 0x81, byte2 + 0x30, byte3 + 0x81, byte4 + 0x30.
        return [byte1 + 0x81, byte2 + 0x30, byte3 + 0x81, byte4 + 0x30]
