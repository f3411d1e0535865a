"""The API: https://encoding.spec.whatwg.org/#api. A comment has the number of the standard's step."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .encodings import get_an_encoding
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .oracle import encoder_of, scalar_values
from .processing import CONTINUE, FINISHED, DecoderErrorMode, Error, Signal, process_an_item


class RangeError(Exception):
    """JavaScript's RangeError."""


class JSTypeError(Exception):
    """JavaScript's TypeError."""


def code_units(text: str) -> list[int]:
    """Return the code units of `text`, including lone surrogates: https://webidl.spec.whatwg.org/#idl-DOMString."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]


def queue_of_scalar_values(text: str) -> IOQueue:
    """Return an I/O queue of the scalar values of `text`."""
    return IOQueue.convert(value.value for value in scalar_values(text))


class TextDecoderCommon:
    """https://encoding.spec.whatwg.org/#interface-mixin-textdecodercommon, with the shared constructor steps."""

    def __init__(self, label: str = "utf-8", *, fatal: bool = False, ignore_bom: bool = False) -> None:
        self._io_queue = IOQueue()
        self._bom_seen = False
        self._error_mode: DecoderErrorMode = "replacement"
        encoding = get_an_encoding(label)  # 1
        if encoding is None or encoding.name == "replacement":  # 2
            raise RangeError(label)
        self._encoding = encoding  # 3
        if fatal:  # 4
            self._error_mode = "fatal"
        self._ignore_bom = ignore_bom  # 5
        self._decoder = encoding.decoder()  # 6, of TextDecoderStream; TextDecoder does it in "decode"

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
        output = ""  # 1
        while True:  # 2
            item = io_queue.read()  # 2.1
            if item is END_OF_QUEUE:  # 2.2
                return output
            # 2.3
            if self._encoding.name in ("UTF-8", "UTF-16BE", "UTF-16LE") and not self._ignore_bom and not self._bom_seen:
                self._bom_seen = True  # 2.3.1
                if item == 0xFEFF:  # 2.3.2
                    continue
            output += chr(item)  # 2.4


class TextDecoder(TextDecoderCommon):
    """https://encoding.spec.whatwg.org/#interface-textdecoder, constructed by the steps of #dom-textdecoder."""

    _do_not_flush = False

    def decode(self, input_bytes: bytes | None = None, *, stream: bool = False) -> str:
        """Return the text of `input_bytes`: https://encoding.spec.whatwg.org/#dom-textdecoder-decode."""
        if not self._do_not_flush:  # 1
            self._decoder = self._encoding.decoder()
            self._io_queue = IOQueue([END_OF_QUEUE])
            self._bom_seen = False
        self._do_not_flush = stream  # 2
        if input_bytes is not None:  # 3
            self._io_queue.push(*input_bytes)
        output = IOQueue([END_OF_QUEUE])  # 4
        while True:  # 5
            item = self._io_queue.read()  # 5.1
            if item is END_OF_QUEUE and self._do_not_flush:  # 5.2
                return self._serialize_io_queue(output)
            # 5.3.1
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            if result is FINISHED:  # 5.3.2
                return self._serialize_io_queue(output)
            if isinstance(result, Error):  # 5.3.3
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
        input_queue = queue_of_scalar_values(input_text)  # 1
        output = IOQueue([END_OF_QUEUE])  # 2
        while True:  # 3
            item = input_queue.read()  # 3.1
            result = process_an_item(item, encoder_of("UTF-8"), input_queue, output, "fatal")  # 3.2
            assert not isinstance(result, Error)  # 3.3
            if result is FINISHED:  # 3.4
                return output.to_bytes()

    def encode_into(self, source: str, destination: bytearray) -> EncodeIntoResult:
        """Return units read and bytes written: https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto."""
        read = written = 0  # 1, 2
        encoder = encoder_of("UTF-8")  # 3
        unused = IOQueue([END_OF_QUEUE])  # 4
        source_queue = queue_of_scalar_values(source)  # 5
        while True:  # 6
            item = source_queue.read()  # 6.1
            result = encoder.handler(unused, item)  # 6.2
            if item is END_OF_QUEUE or result is FINISHED:  # 6.3
                break
            assert isinstance(result, list)
            if len(destination) - written < len(result):  # 6.4.2
                break
            read += 2 if item > 0xFFFF else 1  # 6.4.1.1, 6.4.1.2
            destination[written : written + len(result)] = bytes(result)  # 6.4.1.3
            written += len(result)  # 6.4.1.4
        return EncodeIntoResult(read, written)  # 7


class TextDecoderStream(TextDecoderCommon):
    """https://encoding.spec.whatwg.org/#interface-textdecoderstream. Methods return what is to be enqueued, or ""."""

    def decode_and_enqueue_a_chunk(self, chunk: bytes) -> str:
        """Return the text of `chunk`: https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk."""
        # 2. The queue is in streaming mode: where it would wait for the next chunk, it has an end-of-queue here.
        self._io_queue.push(END_OF_QUEUE, *chunk)
        output = IOQueue([END_OF_QUEUE])  # 3
        while True:  # 4
            item = self._io_queue.read()  # 4.1
            if item is END_OF_QUEUE:  # 4.2
                return self._serialize_io_queue(output)
            # 4.3
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            if isinstance(result, Error):  # 4.4
                raise JSTypeError(self._encoding.name)

    def flush_and_enqueue(self) -> str:
        """Return the remaining text: https://encoding.spec.whatwg.org/#flush-and-enqueue."""
        self._io_queue.push(END_OF_QUEUE)
        output = IOQueue([END_OF_QUEUE])  # 1
        while True:  # 2
            item = self._io_queue.read()  # 2.1
            # 2.2
            result = process_an_item(item, self._decoder, self._io_queue, output, self._error_mode)
            if result is FINISHED:  # 2.3
                return self._serialize_io_queue(output)
            if isinstance(result, Error):  # 2.4
                raise JSTypeError(self._encoding.name)


class TextEncoderStream:
    """https://encoding.spec.whatwg.org/#interface-textencoderstream. Methods return what is to be enqueued, or b""."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._encoder = encoder_of("UTF-8")  # 1
        self._pending_high_surrogate: int | None = None

    def encode_and_enqueue_a_chunk(self, chunk: str) -> bytes:
        """Return the bytes of `chunk`: https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk."""
        input_queue = IOQueue.convert(code_units(chunk))  # 1, 2
        output = IOQueue([END_OF_QUEUE])  # 3
        while True:  # 4
            item = input_queue.read()  # 4.1
            if item is END_OF_QUEUE:  # 4.2
                return output.to_bytes()
            result = self._convert_code_unit_to_scalar_value(item, input_queue)  # 4.3
            if result is not CONTINUE:  # 4.4
                process_an_item(result, self._encoder, input_queue, output, "fatal")

    def _convert_code_unit_to_scalar_value(self, item: int, input_queue: IOQueue) -> Item | Literal[Signal.CONTINUE]:
        # https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value
        if self._pending_high_surrogate is not None:  # 1
            high_surrogate = self._pending_high_surrogate  # 1.1
            self._pending_high_surrogate = None  # 1.2
            if 0xDC00 <= item <= 0xDFFF:  # 1.3
                return 0x10000 + ((high_surrogate - 0xD800) << 10) + (item - 0xDC00)
            input_queue.restore(item)  # 1.4
            return 0xFFFD  # 1.5
        if 0xD800 <= item <= 0xDBFF:  # 2
            self._pending_high_surrogate = item
            return CONTINUE
        return 0xFFFD if 0xDC00 <= item <= 0xDFFF else item  # 3, 4

    def encode_and_flush(self) -> bytes:
        """Return the remaining bytes: https://encoding.spec.whatwg.org/#encode-and-flush."""
        return b"\xef\xbf\xbd" if self._pending_high_surrogate is not None else b""  # 1
