"""The EUC-KR handlers: https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings."""

from __future__ import annotations

from .indexes import index
from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii


class EUCKRDecoder(Decoder):
    """EUC-KR's decoder: https://encoding.spec.whatwg.org/#euc-kr-decoder."""

    def __init__(self) -> None:
        self.leading = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.leading != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and EUC-KR leading is not 0x00, set EUC-KR leading to 0x00 and return error.
        if byte is END_OF_QUEUE and self.leading != 0x00:
            self.leading = 0x00
            return Error()
        # 2. If byte is end-of-queue and EUC-KR leading is 0x00, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If EUC-KR leading is not 0x00:
        if self.leading != 0x00:
            # 1. Let leading be EUC-KR leading.
            leading = self.leading
            # 2. Set EUC-KR leading to 0x00.
            self.leading = 0x00
            # 3. Let pointer be null.
            pointer = None
            # 4. If byte is in the range 0x41 to 0xFE, inclusive, set pointer to (leading - 0x81) x 190 + (byte - 0x41).
            if in_range(byte, 0x41, 0xFE):
                pointer = (leading - 0x81) * 190 + (byte - 0x41)
            # 5. Let code point be null if pointer is null, otherwise the index code point for pointer in index EUC-KR.
            code_point = None if pointer is None else index("euc-kr").code_point(pointer)
            # 6. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 7. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 8. Return error.
            return Error()
        # 4. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 5. If byte is in the range 0x81 to 0xFE, inclusive, set EUC-KR leading to byte and return continue.
        if in_range(byte, 0x81, 0xFE):
            self.leading = byte
            return CONTINUE
        # 6. Return error.
        return Error()


class EUCKREncoder(Encoder):
    """EUC-KR's encoder: https://encoding.spec.whatwg.org/#euc-kr-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. Let pointer be the index pointer for code point in index EUC-KR.
        pointer = index("euc-kr").pointer(code_point)
        # 4. If pointer is null, return error with code point.
        if pointer is None:
            return Error(code_point)
        # 5. Let leading be pointer / 190 + 0x81.
        leading = pointer // 190 + 0x81
        # 6. Let trailing be pointer % 190 + 0x41.
        trailing = pointer % 190 + 0x41
        # 7. Return two bytes whose values are leading and trailing.
        return [leading, trailing]
