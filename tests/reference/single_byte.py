"""The single-byte handlers: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings."""

from __future__ import annotations

from .indexes import Index
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import FINISHED, Decoder, Encoder, Error, Result, is_ascii


class SingleByteDecoder(Decoder):
    """The decoder of single-byte encodings: https://encoding.spec.whatwg.org/#single-byte-decoder."""

    def __init__(self, index_single_byte: Index) -> None:
        self.index_single_byte = index_single_byte

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 2. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 3. Let code point be the index code point for byte - 0x80 in index single-byte.
        code_point = self.index_single_byte.code_point(byte - 0x80)
        # 4. If code point is null, return error.
        if code_point is None:
            return Error()
        # 5. Return a code point whose value is code point.
        return [code_point]


class SingleByteEncoder(Encoder):
    """The encoder of single-byte encodings: https://encoding.spec.whatwg.org/#single-byte-encoder."""

    def __init__(self, index_single_byte: Index) -> None:
        self.index_single_byte = index_single_byte

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. Let pointer be the index pointer for code point in index single-byte.
        pointer = self.index_single_byte.pointer(code_point)
        # 4. If pointer is null, return error with code point.
        if pointer is None:
            return Error(code_point)
        # 5. Return a byte whose value is pointer + 0x80.
        return [pointer + 0x80]
