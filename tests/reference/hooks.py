"""Hooks for standards: https://encoding.spec.whatwg.org/#specification-hooks, from queue to queue. None is failure.

A comment has the number of the standard's step.
"""

from __future__ import annotations

from .encodings import Encoding, encodings
from .io_queue import END_OF_QUEUE, IOQueue
from .processing import Encoder, Error, process_a_queue

# The table of "BOM sniff".
_BOMS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE"))


def utf_8_decode(io_queue: IOQueue) -> IOQueue:
    """Return scalar values without one BOM: https://encoding.spec.whatwg.org/#utf-8-decode."""
    buffer = bytes(io_queue.peek(3))  # 1
    if buffer == b"\xef\xbb\xbf":  # 2
        io_queue.read_items(3)
    return utf_8_decode_without_bom(io_queue)  # 3, 4


def utf_8_decode_without_bom(io_queue: IOQueue) -> IOQueue:
    """Return scalar values: https://encoding.spec.whatwg.org/#utf-8-decode-without-bom."""
    output = IOQueue()
    process_a_queue(encodings()["UTF-8"].decoder(), io_queue, output, "replacement")  # 1
    return output  # 2


def utf_8_decode_without_bom_or_fail(io_queue: IOQueue) -> IOQueue | None:
    """Return scalar values, or failure: https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail."""
    output = IOQueue()
    potential_error = process_a_queue(encodings()["UTF-8"].decoder(), io_queue, output, "fatal")  # 1
    return None if isinstance(potential_error, Error) else output  # 2, 3


def utf_8_encode(io_queue: IOQueue) -> IOQueue:
    """Return bytes: https://encoding.spec.whatwg.org/#utf-8-encode."""
    return encode(io_queue, encodings()["UTF-8"])


def decode(io_queue: IOQueue, encoding: Encoding) -> IOQueue:
    """Return scalar values; `encoding` is the fallback: https://encoding.spec.whatwg.org/#decode."""
    output = IOQueue()
    bom_encoding = bom_sniff(io_queue)  # 1
    if bom_encoding is not None:  # 2
        encoding = bom_encoding  # 2.1
        io_queue.read_items(3 if bom_encoding.name == "UTF-8" else 2)  # 2.2
    process_a_queue(encoding.decoder(), io_queue, output, "replacement")  # 3
    return output  # 4


def bom_sniff(io_queue: IOQueue) -> Encoding | None:
    """Return the encoding that a BOM indicates, or None: https://encoding.spec.whatwg.org/#bom-sniff."""
    bom = bytes(io_queue.peek(3))  # 1
    for first_column, second_column in _BOMS:  # 2
        if bom.startswith(first_column):
            return encodings()[second_column]
    return None


def encode(io_queue: IOQueue, encoding: Encoding) -> IOQueue:
    """Return bytes: https://encoding.spec.whatwg.org/#encode."""
    output = IOQueue()
    encoder = get_an_encoder(encoding)  # 1
    process_a_queue(encoder, io_queue, output, "html")  # 2
    return output  # 3


def get_an_encoder(encoding: Encoding) -> Encoder:
    """Return an instance of the encoder of `encoding`: https://encoding.spec.whatwg.org/#get-an-encoder."""
    assert encoding.encoder is not None  # 1
    return encoding.encoder()  # 2


def encode_or_fail(io_queue: IOQueue, encoder: Encoder, output: IOQueue) -> int | None:
    """Return the code point that could not be encoded, or None: https://encoding.spec.whatwg.org/#encode-or-fail."""
    potential_error = process_a_queue(encoder, io_queue, output, "fatal")  # 1
    output.push(END_OF_QUEUE)  # 2
    return potential_error.code_point if isinstance(potential_error, Error) else None  # 3, 4
