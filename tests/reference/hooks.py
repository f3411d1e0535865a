"""Hooks for standards: https://encoding.spec.whatwg.org/#specification-hooks, from queue to queue. None is failure."""

from __future__ import annotations

from .encodings import Encoding, encodings
from .io_queue import END_OF_QUEUE, IOQueue
from .processing import Encoder, Error, process_a_queue

# The table of "BOM sniff".
_BOMS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE"))


def utf_8_decode(io_queue: IOQueue) -> IOQueue:
    """Return scalar values without one BOM: https://encoding.spec.whatwg.org/#utf-8-decode."""
    output = IOQueue()
    # 1. Let buffer be the result of peeking three bytes from ioQueue, converted to a byte sequence.
    buffer = bytes(io_queue.peek(3))
    # 2. If buffer is 0xEF 0xBB 0xBF, then read three bytes from ioQueue. (Do nothing with those bytes.)
    if buffer == b"\xef\xbb\xbf":
        io_queue.read_items(3)
    # 3. Process a queue with an instance of UTF-8's decoder, ioQueue, output, and "replacement".
    process_a_queue(encodings()["UTF-8"].decoder(), io_queue, output, "replacement")
    # 4. Return output.
    return output


def utf_8_decode_without_bom(io_queue: IOQueue) -> IOQueue:
    """Return scalar values: https://encoding.spec.whatwg.org/#utf-8-decode-without-bom."""
    output = IOQueue()
    # 1. Process a queue with an instance of UTF-8's decoder, ioQueue, output, and "replacement".
    process_a_queue(encodings()["UTF-8"].decoder(), io_queue, output, "replacement")
    # 2. Return output.
    return output


def utf_8_decode_without_bom_or_fail(io_queue: IOQueue) -> IOQueue | None:
    """Return scalar values, or failure: https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail."""
    output = IOQueue()
    # 1. Let potentialError be the result of processing a queue with an instance of UTF-8's decoder, ioQueue, output,
    #    and "fatal".
    potential_error = process_a_queue(encodings()["UTF-8"].decoder(), io_queue, output, "fatal")
    # 2. If potentialError is an error, then return failure.
    if isinstance(potential_error, Error):
        return None
    # 3. Return output.
    return output


def utf_8_encode(io_queue: IOQueue) -> IOQueue:
    """Return bytes: https://encoding.spec.whatwg.org/#utf-8-encode."""
    # Return the result of encoding ioQueue with encoding UTF-8 and output.
    return encode(io_queue, encodings()["UTF-8"])


def decode(io_queue: IOQueue, encoding: Encoding) -> IOQueue:
    """Return scalar values; `encoding` is the fallback: https://encoding.spec.whatwg.org/#decode."""
    output = IOQueue()
    # 1. Let BOMEncoding be the result of BOM sniffing ioQueue.
    bom_encoding = bom_sniff(io_queue)
    # 2. If BOMEncoding is non-null:
    if bom_encoding is not None:
        # 1. Set encoding to BOMEncoding.
        encoding = bom_encoding
        # 2. Read three bytes from ioQueue, if BOMEncoding is UTF-8; otherwise read two bytes. (Do nothing with those
        #    bytes.)
        io_queue.read_items(3 if bom_encoding.name == "UTF-8" else 2)
    # 3. Process a queue with an instance of encoding's decoder, ioQueue, output, and "replacement".
    process_a_queue(encoding.decoder(), io_queue, output, "replacement")
    # 4. Return output.
    return output


def bom_sniff(io_queue: IOQueue) -> Encoding | None:
    """Return the encoding that a BOM indicates, or None: https://encoding.spec.whatwg.org/#bom-sniff."""
    # 1. Let BOM be the result of peeking 3 bytes from ioQueue, converted to a byte sequence.
    bom = bytes(io_queue.peek(3))
    # 2. For each of the rows in the table below, starting with the first one and going down, if BOM starts with the
    #    bytes given in the first column, then return the encoding given in the cell in the second column of that row.
    #    Otherwise, return null.
    for first_column, second_column in _BOMS:
        if bom.startswith(first_column):
            return encodings()[second_column]
    return None


def encode(io_queue: IOQueue, encoding: Encoding) -> IOQueue:
    """Return bytes: https://encoding.spec.whatwg.org/#encode."""
    output = IOQueue()
    # 1. Let encoder be the result of getting an encoder from encoding.
    encoder = get_an_encoder(encoding)
    # 2. Process a queue with encoder, ioQueue, output, and "html".
    process_a_queue(encoder, io_queue, output, "html")
    # 3. Return output.
    return output


def get_an_encoder(encoding: Encoding) -> Encoder:
    """Return an instance of the encoder of `encoding`: https://encoding.spec.whatwg.org/#get-an-encoder."""
    # 1. Assert: encoding is not replacement or UTF-16BE/LE.
    assert encoding.encoder is not None
    # 2. Return an instance of encoding's encoder.
    return encoding.encoder()


def encode_or_fail(io_queue: IOQueue, encoder: Encoder, output: IOQueue) -> int | None:
    """Return the code point that could not be encoded, or None: https://encoding.spec.whatwg.org/#encode-or-fail."""
    # 1. Let potentialError be the result of processing a queue with encoder, ioQueue, output, and "fatal".
    potential_error = process_a_queue(encoder, io_queue, output, "fatal")
    # 2. Push end-of-queue to output.
    output.push(END_OF_QUEUE)
    # 3. If potentialError is an error, then return error's code point's value.
    if isinstance(potential_error, Error):
        return potential_error.code_point
    # 4. Return null.
    return None
