"""The EUC-KR handlers: https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings."""

from __future__ import annotations

from .indexes import index
from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii


class EUCKRDecoder(Decoder):
    """EUC-KR's decoder: https://encoding.spec.whatwg.org/#euc-kr-decoder."""

    def __init__(self) -> None:
        self.lead = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.lead != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and EUC-KR lead is not 0x00, set EUC-KR lead to 0x00 and return error.
        if byte is END_OF_QUEUE and self.lead != 0x00:
            self.lead = 0x00
            return Error()
        # 2. If byte is end-of-queue and EUC-KR lead is 0x00, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If EUC-KR lead is not 0x00, let lead be EUC-KR lead, let pointer be null, set EUC-KR lead to 0x00, and
        #    then:
        if self.lead != 0x00:
            lead = self.lead
            pointer = None
            self.lead = 0x00
            # 1. If byte is in the range 0x41 to 0xFE, inclusive, set pointer to (lead - 0x81) x 190 + (byte - 0x41).
            if in_range(byte, 0x41, 0xFE):
                pointer = (lead - 0x81) * 190 + (byte - 0x41)
            # 2. Let code point be null if pointer is null, otherwise the index code point for pointer in index EUC-KR.
            code_point = None if pointer is None else index("euc-kr").code_point(pointer)
            # 3. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 4. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 5. Return error.
            return Error()
        # 4. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 5. If byte is in the range 0x81 to 0xFE, inclusive, set EUC-KR lead to byte and return continue.
        if in_range(byte, 0x81, 0xFE):
            self.lead = byte
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
        # 5. Let lead be pointer / 190 + 0x81.
        lead = pointer // 190 + 0x81
        # 6. Let trail be pointer % 190 + 0x41.
        trail = pointer % 190 + 0x41
        # 7. Return two bytes whose values are lead and trail.
        return [lead, trail]
