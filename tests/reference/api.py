"""The API: https://encoding.spec.whatwg.org/#api. Strings are lists of code units here, as in JavaScript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .encodings import encodings, get_an_encoding
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import CONTINUE, FINISHED, DecoderErrorMode, Error, Signal, process_an_item


class RangeError(Exception):
    """JavaScript's RangeError."""


class JSTypeError(Exception):
    """JavaScript's TypeError."""


def code_units(text: str) -> list[int]:
    """Return the code units of `text`, including lone surrogates: https://webidl.spec.whatwg.org/#idl-DOMString."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]


def scalar_values(units: Sequence[int]) -> list[int]:
    """Return the scalar values of code `units`, U+FFFD for lone surrogates.

    https://infra.spec.whatwg.org/#javascript-string-convert
    """
    result: list[int] = []
    i = 0
    while i < len(units):
        unit = units[i]
        i += 1
        if 0xD800 <= unit <= 0xDBFF and i < len(units) and 0xDC00 <= units[i] <= 0xDFFF:
            result.append(0x10000 + ((unit - 0xD800) << 10) + (units[i] - 0xDC00))
            i += 1
        else:
            result.append(0xFFFD if 0xD800 <= unit <= 0xDFFF else unit)
    return result


class TextDecoderCommon:
    """https://encoding.spec.whatwg.org/#interface-mixin-textdecodercommon, with the shared constructor steps."""

    def __init__(self, label: str = "utf-8", *, fatal: bool = False, ignore_bom: bool = False) -> None:
        self._io_queue = IOQueue()
        self._bom_seen = False
        self._error_mode: DecoderErrorMode = "replacement"
        # 1. Let encoding be the result of getting an encoding from label.
        encoding = get_an_encoding(label)
        # 2. If encoding is failure or replacement, then throw a RangeError.
        if encoding is None or encoding.name == "replacement":
            raise RangeError(label)
        # 3. Set this's encoding to encoding.
        self._encoding = encoding
        # 4. If options["fatal"] is true, then set this's error mode to "fatal".
        if fatal:
            self._error_mode = "fatal"
        # 5. Set this's ignore BOM to options["ignoreBOM"].
        self._ignore_bom = ignore_bom
        # 6. (TextDecoderStream only; TextDecoder does it in "decode") Set this's decoder to a new instance of this's
        #    encoding's decoder.
        self._decoder = encoding.decoder()

    @property
    def encoding(self) -> str:
        """The encoding's name, ASCII lowercased: https://encoding.spec.whatwg.org/#dom-textdecoder-encoding."""
        return self._encoding.name.lower()

    @property
    def fatal(self) -> bool:
        """Whether the error mode is "fatal": https://encoding.spec.whatwg.org/#dom-textdecoder-fatal."""
        return self._error_mode == "fatal"

    @property
    def ignore_bom(self) -> bool:
        """The value of ignore BOM: https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom."""
        return self._ignore_bom

    def _serialize_io_queue(self, io_queue: IOQueue) -> str:
        # https://encoding.spec.whatwg.org/#concept-td-serialize
        # 1. Let output be the empty string.
        output = ""
        # 2. While true:
        while True:
            # 1. Let item be the result of reading from ioQueue.
            item = io_queue.read()
            # 2. If item is end-of-queue, then return output.
            if item is END_OF_QUEUE:
                return output
            # 3. If decoder's encoding is UTF-8 or UTF-16BE/LE, and decoder's ignore BOM and BOM seen are false, then:
            if self._encoding.name in ("UTF-8", "UTF-16BE", "UTF-16LE") and not self._ignore_bom and not self._bom_seen:
                # 1. Set decoder's BOM seen to true.
                self._bom_seen = True
                # 2. If item is U+FEFF, then continue.
                if item == 0xFEFF:
                    continue
            # 4. Append item to output.
            output += chr(item)


class TextDecoder(TextDecoderCommon):
    """https://encoding.spec.whatwg.org/#interface-textdecoder, constructed by the steps of #dom-textdecoder."""

    _do_not_flush = False

    def decode(self, input_bytes: bytes | None = None, *, stream: bool = False) -> str:
        """Return the text of `input_bytes`: https://encoding.spec.whatwg.org/#dom-textdecoder-decode."""
        # 1. If this's do not flush is false, then set this's decoder to a new instance of this's encoding's decoder,
        #    this's I/O queue to the I/O queue of bytes << end-of-queue >>, and this's BOM seen to false.
        if not self._do_not_flush:
            self._decoder = self._encoding.decoder()
            self._io_queue = IOQueue([END_OF_QUEUE])
            self._bom_seen = False
        # 2. Set this's do not flush to options["stream"].
        self._do_not_flush = stream
        # 3. If input is given, then push a copy of input to this's I/O queue.
        if input_bytes is not None:
            self._io_queue.push(*input_bytes)
        # 4. Let output be the I/O queue of scalar values << end-of-queue >>.
        output = IOQueue([END_OF_QUEUE])
        # 5. While true:
        while True:
            # 1. Let item be the result of reading from this's I/O queue.
            item = self._io_queue.read()
            # 2. If item is end-of-queue and this's do not flush is true, then return the result of running serialize
            #    I/O queue with this and output.
            if item is END_OF_QUEUE and self._do_not_flush:
                return self._serialize_io_queue(output)
            # 3. Otherwise:
            # 1. Let result be the result of processing an item with item, this's decoder, this's I/O queue, output, and
            #    this's error mode.
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            # 2. If result is finished, then return the result of running serialize I/O queue with this and output.
            if result is FINISHED:
                return self._serialize_io_queue(output)
            # 3. Otherwise, if result is error, throw a TypeError.
            if isinstance(result, Error):
                raise JSTypeError(self._encoding.name)


class EncodeIntoResult(NamedTuple):
    """https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult."""

    read: int
    written: int


class TextEncoder:
    """https://encoding.spec.whatwg.org/#interface-textencoder."""

    encoding = "utf-8"

    def encode(self, input_text: str = "") -> bytes:
        """Return the bytes of `input_text`: https://encoding.spec.whatwg.org/#dom-textencoder-encode."""
        # 1. Convert input to an I/O queue of scalar values.
        input_queue = IOQueue.convert(scalar_values(code_units(input_text)))
        # 2. Let output be the I/O queue of bytes << end-of-queue >>.
        output = IOQueue([END_OF_QUEUE])
        # 3. While true:
        while True:
            # 1. Let item be the result of reading from input.
            item = input_queue.read()
            # 2. Let result be the result of processing an item with item, an instance of the UTF-8 encoder, input,
            #    output, and "fatal".
            utf_8_encoder = encodings()["UTF-8"].encoder
            assert utf_8_encoder is not None
            result = process_an_item(item, utf_8_encoder(), input_queue, output, "fatal")
            # 3. Assert: result is not an error.
            assert not isinstance(result, Error)
            # 4. If result is finished, then convert output into a byte sequence and return it.
            if result is FINISHED:
                return output.to_bytes()

    def encode_into(self, source: str, destination: bytearray) -> EncodeIntoResult:
        """Return units read and bytes written: https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto."""
        # 1. Let read be 0.
        read = 0
        # 2. Let written be 0.
        written = 0
        # 3. Let encoder be an instance of the UTF-8 encoder.
        utf_8_encoder = encodings()["UTF-8"].encoder
        assert utf_8_encoder is not None
        encoder = utf_8_encoder()
        # 4. Let unused be the I/O queue of scalar values << end-of-queue >>.
        unused = IOQueue([END_OF_QUEUE])
        # 5. Convert source to an I/O queue of scalar values.
        source_queue = IOQueue.convert(scalar_values(code_units(source)))
        # 6. While true:
        while True:
            # 1. Let item be the result of reading from source.
            item = source_queue.read()
            # 2. Let result be the result of running encoder's handler on unused and item.
            result = encoder.handler(unused, item)
            # 3. If result is finished, then break.
            if item is END_OF_QUEUE or result is FINISHED:
                break
            # 4. Otherwise:
            assert isinstance(result, list)
            # 1. If destination's byte length - written is greater than or equal to the number of bytes in result, then:
            if len(destination) - written >= len(result):
                # 1. If item is greater than U+FFFF, then increment read by 2. 2. Otherwise, increment read by 1.
                read += 2 if item > 0xFFFF else 1
                # 3. Write the bytes in result into destination, with startingOffset set to written.
                destination[written : written + len(result)] = bytes(result)
                # 4. Increment written by the number of bytes in result.
                written += len(result)
            # 2. Otherwise, break.
            else:
                break
        # 7. Return << "read" -> read, "written" -> written >>.
        return EncodeIntoResult(read, written)


class TextDecoderStream(TextDecoderCommon):
    """https://encoding.spec.whatwg.org/#interface-textdecoderstream. Methods return what is to be enqueued, or ""."""

    def decode_and_enqueue_a_chunk(self, chunk: bytes) -> str:
        """Return the text of `chunk`: https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk."""
        # 1. Let bufferSource be the result of converting chunk to an AllowSharedBufferSource.
        # 2. Push a copy of bufferSource to decoder's I/O queue. (Which is in streaming mode: where it would wait for
        #    the next chunk it has an end-of-queue here, as step 4.2 wants.)
        self._io_queue.push(END_OF_QUEUE, *chunk)
        # 3. Let output be the I/O queue of scalar values << end-of-queue >>.
        output = IOQueue([END_OF_QUEUE])
        # 4. While true:
        while True:
            # 1. Let item be the result of reading from decoder's I/O queue.
            item = self._io_queue.read()
            # 2. If item is end-of-queue, then: let outputChunk be the result of running serialize I/O queue with
            #    decoder and output; if outputChunk is non-empty, then enqueue outputChunk; return.
            if item is END_OF_QUEUE:
                return self._serialize_io_queue(output)
            # 3. Let result be the result of processing an item with item, decoder's decoder, decoder's I/O queue,
            #    output, and decoder's error mode.
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            # 4. If result is error, then throw a TypeError.
            if isinstance(result, Error):
                raise JSTypeError(self._encoding.name)

    def flush_and_enqueue(self) -> str:
        """Return the remaining text: https://encoding.spec.whatwg.org/#flush-and-enqueue."""
        self._io_queue.push(END_OF_QUEUE)
        # 1. Let output be the I/O queue of scalar values << end-of-queue >>.
        output = IOQueue([END_OF_QUEUE])
        # 2. While true:
        while True:
            # 1. Let item be the result of reading from decoder's I/O queue.
            item = self._io_queue.read()
            # 2. Let result be the result of processing an item with item, decoder's decoder, decoder's I/O queue,
            #    output, and decoder's error mode.
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            # 3. If result is finished, then: let outputChunk be the result of running serialize I/O queue with decoder
            #    and output; if outputChunk is non-empty, then enqueue outputChunk; return.
            if result is FINISHED:
                return self._serialize_io_queue(output)
            # 4. Otherwise, if result is error, throw a TypeError.
            if isinstance(result, Error):
                raise JSTypeError(self._encoding.name)


class TextEncoderStream:
    """https://encoding.spec.whatwg.org/#interface-textencoderstream. Methods return what is to be enqueued, or b""."""

    encoding = "utf-8"

    def __init__(self) -> None:
        # 1. Set this's encoder to an instance of the UTF-8 encoder.
        utf_8_encoder = encodings()["UTF-8"].encoder
        assert utf_8_encoder is not None
        self._encoder = utf_8_encoder()
        self._pending_high_surrogate: int | None = None

    def encode_and_enqueue_a_chunk(self, chunk: str) -> bytes:
        """Return the bytes of `chunk`: https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk."""
        # 1. Let input be the result of converting chunk to a DOMString.
        # 2. Convert input to an I/O queue of code units.
        input_queue = IOQueue.convert(code_units(chunk))
        # 3. Let output be the I/O queue of bytes << end-of-queue >>.
        output = IOQueue([END_OF_QUEUE])
        # 4. While true:
        while True:
            # 1. Let item be the result of reading from input.
            item = input_queue.read()
            # 2. If item is end-of-queue, then: convert output into a byte sequence; if output is non-empty, then
            #    enqueue it; return.
            if item is END_OF_QUEUE:
                return output.to_bytes()
            # 3. Let result be the result of executing the convert code unit to scalar value algorithm with encoder,
            #    item and input.
            result = self._convert_code_unit_to_scalar_value(item, input_queue)
            # 4. If result is not continue, then process an item with result, encoder's encoder, input, output, and
            #    "fatal".
            if result is not CONTINUE:
                process_an_item(result, self._encoder, input_queue, output, "fatal")

    def _convert_code_unit_to_scalar_value(self, item: int, input_queue: IOQueue) -> Item | Literal[Signal.CONTINUE]:
        # https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value
        # 1. If encoder's pending high surrogate is non-null, then:
        if self._pending_high_surrogate is not None:
            # 1. Let high surrogate be encoder's pending high surrogate.
            high_surrogate = self._pending_high_surrogate
            # 2. Set encoder's pending high surrogate to null.
            self._pending_high_surrogate = None
            # 3. If item is in the range U+DC00 to U+DFFF, inclusive, then return a scalar value whose value is
            #    0x10000 + ((high surrogate - 0xD800) << 10) + (item - 0xDC00).
            if 0xDC00 <= item <= 0xDFFF:
                return 0x10000 + ((high_surrogate - 0xD800) << 10) + (item - 0xDC00)
            # 4. Restore item to input.
            input_queue.restore(item)
            # 5. Return U+FFFD.
            return 0xFFFD
        # 2. If item is in the range U+D800 to U+DBFF, inclusive, then set pending high surrogate to item and return
        #    continue.
        if 0xD800 <= item <= 0xDBFF:
            self._pending_high_surrogate = item
            return CONTINUE
        # 3. If item is in the range U+DC00 to U+DFFF, inclusive, then return U+FFFD.
        if 0xDC00 <= item <= 0xDFFF:
            return 0xFFFD
        # 4. Return item.
        return item

    def encode_and_flush(self) -> bytes:
        """Return the remaining bytes: https://encoding.spec.whatwg.org/#encode-and-flush."""
        # 1. If encoder's pending high surrogate is non-null, then: enqueue 0xEF 0xBF 0xBD. (This is U+FFFD in UTF-8
        #    bytes.)
        return b"\xef\xbf\xbd" if self._pending_high_surrogate is not None else b""
