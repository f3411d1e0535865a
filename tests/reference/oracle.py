"""What tests ask of the reference: the text or bytes of an input, and the positions of its errors.

Spans are not in the standard. An error's span is what the error consumed: from the start of the sequence that it ended
(where the last item, error or complete escape sequence before it ended) to where the next item is read. It does not
include restored bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .encodings import encodings
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import CONTINUE, Decoder, Error, Result, process_a_queue, process_an_item

Span = tuple[int, int]


class Decoded(NamedTuple):
    """The text in error mode "replacement" and the error spans. In mode "fatal" the first of them is the error."""

    text: str
    spans: tuple[Span, ...]


class Encoded(NamedTuple):
    """The bytes in error mode "html", and the span of each error in the text.

    In mode "fatal" a lone surrogate is an error, too, even where U+FFFD is not.
    """

    output: bytes
    spans: tuple[Span, ...]
    fatal: Span | None


class Trace(Decoder):
    """A decoder that behaves as `decoder` does and records the spans of its errors."""

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder
        self.spans: list[Span] = []
        self.start = 0  # of the current sequence

    @property
    def in_sequence(self) -> bool:
        return self.decoder.in_sequence

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        result = self.decoder.handler(io_queue, byte)
        if self.decoder.in_sequence:
            # One error leaves the decoder inside a sequence: that of ISO-2022-JP for a leading byte followed by 0x1B.
            # That byte was read, but it starts the following escape sequence.
            if isinstance(result, Error):
                self.spans.append((self.start, io_queue.position - 1))
                self.start = io_queue.position - 1
        else:
            if isinstance(result, Error):
                self.spans.append((self.start, io_queue.position))
            self.start = io_queue.position
        return result


def decode(name: str, data: bytes) -> Decoded:
    """Return the text and the error spans of `data`, decoded as `name` up to end-of-queue."""
    trace = Trace(encodings()[name].decoder())
    output = IOQueue()
    process_a_queue(trace, IOQueue.convert(data), output, "replacement")
    return Decoded(output.to_text(), tuple(trace.spans))


class StreamingDecoder:
    """The decoder of the encoding `name`, fed in chunks."""

    def __init__(self, name: str) -> None:
        self._trace = Trace(encodings()[name].decoder())
        self._queue = IOQueue([END_OF_QUEUE])
        self._input = bytearray()

    @property
    def spans(self) -> tuple[Span, ...]:
        """The errors so far, at positions in the whole input."""
        return tuple(self._trace.spans)

    @property
    def pending(self) -> bytes:
        """The start of an incomplete sequence."""
        return bytes(self._input[self._trace.start :]) if self._trace.in_sequence else b""

    def decode(self, chunk: bytes, *, final: bool = False) -> str:
        """Return the text that `chunk` completes; with `final`, end-of-queue follows the chunk."""
        self._input += chunk
        self._queue.push(*chunk)
        output = IOQueue()
        while True:
            item = self._queue.read()
            if item is END_OF_QUEUE and not final:
                break
            if process_an_item(item, self._trace, self._queue, output, "replacement") is not CONTINUE:
                break
        return output.to_text()


class ScalarValue(NamedTuple):
    """A scalar value of a text and its span; `is_lone_surrogate` if it is the U+FFFD for a lone surrogate."""

    value: int
    start: int
    end: int
    is_lone_surrogate: bool


def scalar_values(text: str) -> list[ScalarValue]:
    """Return the scalar values of a Python string, whose items may be surrogates.

    https://webidl.spec.whatwg.org/#idl-USVString
    """
    result: list[ScalarValue] = []
    i = 0
    while i < len(text):
        value = ord(text[i])
        if 0xD800 <= value <= 0xDBFF and i + 1 < len(text) and 0xDC00 <= ord(text[i + 1]) <= 0xDFFF:
            pair = 0x10000 + ((value - 0xD800) << 10) + (ord(text[i + 1]) - 0xDC00)
            result.append(ScalarValue(pair, i, i + 2, False))
            i += 2
        else:
            lone = 0xD800 <= value <= 0xDFFF
            result.append(ScalarValue(0xFFFD if lone else value, i, i + 1, lone))
            i += 1
    return result


def encode(name: str, text: str) -> Encoded:
    """Return the bytes and the error spans of `text`, encoded as `name` in mode "html"."""
    factory = encodings()[name].encoder
    assert factory is not None, f"{name} has no encoder"
    encoder = factory()
    values = scalar_values(text)
    queue = IOQueue.convert(value.value for value in values)
    output = IOQueue()
    spans: list[Span] = []
    while True:
        item = queue.read()
        position = queue.position
        # This runs in mode "fatal" to see the errors, and then does what "html" does.
        result = process_an_item(item, encoder, queue, output, "fatal")
        if isinstance(result, Error):
            spans.append((values[position - 1].start, values[position - 1].end))
            output.push(*f"&#{result.code_point};".encode("ascii"))
        elif result is not CONTINUE:
            lone = [(value.start, value.end) for value in values if value.is_lone_surrogate]
            return Encoded(output.to_bytes(), tuple(spans), min([*spans, *lone], default=None))


def encode_each(name: str, code_points: Iterable[int]) -> dict[int, Result]:
    """Return what the handler of an encoder without a state gives for each code point: its bytes, or an error."""
    factory = encodings()[name].encoder
    assert factory is not None, f"{name} has no encoder"
    encoder, nothing_to_restore = factory(), IOQueue()
    before = dict(vars(encoder))
    results = {code_point: encoder.handler(nothing_to_restore, code_point) for code_point in code_points}
    assert vars(encoder) == before, f"{name}'s encoder has a state"
    return results


def splits(data: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield every pair of positions that splits `data` into three parts, which may be empty."""
    return ((i, j) for i in range(len(data) + 1) for j in range(i, len(data) + 1))
