"""What tests ask of the reference: the text or bytes of an input, and the positions of its errors.

Spans are not in the standard. An error's span is what the error consumed: from the start of the sequence that it ended
(where the last item, error or complete escape sequence before it ended) to where the next item is read. It does not
include restored bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import count, repeat
from typing import NamedTuple

from .encodings import encodings
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import CONTINUE, Decoder, Encoder, Error, Result, process_an_item

Span = tuple[int, int]
Handler = Callable[[UnicodeDecodeError], "tuple[str, int]"]


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


class _Outcome(NamedTuple):
    """What a handler makes of an item."""

    output: list[int]
    error: Error | None
    is_finished: bool
    restored: list[int]
    """What it restored, the next item last."""
    after: State


class State:
    """The state of a decoder or an encoder, with the outcome of each item so far.

    A handler restores items to the queue and does not read it, so that its result depends on its variables and the item
    alone: it runs once for each pair of them.
    """

    __slots__ = ("coder", "in_sequence", "outcomes", "variables")

    def __init__(self, coder: Decoder | Encoder) -> None:
        self.coder = coder
        self.variables = variables(coder)
        self.in_sequence = isinstance(coder, Decoder) and coder.in_sequence
        self.outcomes: dict[Item, _Outcome] = {}

    def run(self, item: Item) -> _Outcome:
        """Run the handler for an item and keep its outcome."""
        if len(_kept) >= MOST_KEPT:
            for state in _kept:
                state.outcomes.clear()
            _kept.clear()
            _states.clear()
        coder, queue, output = object.__new__(type(self.coder)), IOQueue(), IOQueue()
        vars(coder).update(vars(self.coder))  # a copy, in a fifth of the time that copy.copy takes
        result = process_an_item(item, coder, queue, output, "fatal")
        error = result if isinstance(result, Error) else None
        is_finished = error is None and result is not CONTINUE
        outcome = _Outcome(output.to_list(), error, is_finished, queue.to_list()[::-1], state_of(coder))
        self.outcomes[item] = outcome
        _kept.append(self)
        return outcome


_states: dict[object, State] = {}
_kept: list[State] = []
"""The state of each outcome that is kept."""
MOST_KEPT = 1 << 18


def variables(coder: Decoder | Encoder) -> tuple[object, ...]:
    """Return what a state consists of: the handler's class and the values of its variables."""
    return type(coder), *vars(coder).values()


def state_of(coder: Decoder | Encoder) -> State:
    """Return the state of a decoder or an encoder."""
    key = variables(coder)
    if key not in _states:
        _states[key] = State(coder)
    return _states[key]


class StreamingDecoder:
    """A decoder fed in chunks: what `Trace` gives, without running a handler twice for the same."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._spans: list[Span] = []
        self._input = bytearray()
        self._start = self._position = 0  # of the current sequence, and of the next item

    @classmethod
    def of(cls, name: str) -> StreamingDecoder:
        """Return the decoder of the encoding `name`."""
        return cls(state_of(encodings()[name].decoder()))

    @property
    def spans(self) -> tuple[Span, ...]:
        """The errors so far, at positions in the whole input."""
        return tuple(self._spans)

    @property
    def pending(self) -> bytes:
        """The start of an incomplete sequence."""
        return bytes(self._input[self._start :]) if self.state.in_sequence else b""

    def decode(self, chunk: bytes, *, final: bool = False) -> str:
        """Return the text that `chunk` completes; with `final`, end-of-queue follows the chunk."""
        self._input += chunk
        state, spans, start, position = self.state, self._spans, self._start, self._position
        left, output = list(reversed(chunk)), []
        item: Item
        while left or final:
            if left:
                item = left.pop()
                position += 1
            else:
                item = END_OF_QUEUE
            pushed, error, is_finished, restored, state = state.outcomes.get(item) or state.run(item)
            if is_finished:
                break
            if restored:
                left += restored
                position -= len(restored)
            if error is not None:
                output.append(0xFFFD)
                end = position - 1 if state.in_sequence else position  # as in `Trace`
                spans.append((start, end))
                start = end
            else:
                output += pushed
                if not state.in_sequence:
                    start = position
        self.state, self._start, self._position = state, start, position
        return "".join(map(chr, output))


def decode(name: str, data: bytes) -> Decoded:
    """Return the text and the error spans of `data`, decoded as `name` up to end-of-queue."""
    decoder = StreamingDecoder.of(name)
    return Decoded(decoder.decode(data, final=True), decoder.spans)


def decode_with(name: str, data: bytes, handler: Handler) -> str:
    """Return the text of `data` with what an error handler of Python's returns for each error.

    A handler that changes the position restarts decoding there with a new decoder.
    """
    trace, queue, output = Trace(encodings()[name].decoder()), IOQueue.convert(data), IOQueue()
    while True:
        result = process_an_item(queue.read(), trace, queue, output, "fatal")
        if isinstance(result, Error):
            start, end = trace.spans[-1]
            replacement, position = handler(UnicodeDecodeError(name, data, start, end, "reference"))
            output.push(*map(ord, replacement))
            if position != end:
                return output.to_text() + decode_with(name, data[position:], handler)
        elif result is not CONTINUE:
            return output.to_text()


class ScalarValue(NamedTuple):
    """A scalar value of a text and its span; `is_lone_surrogate` if it is the U+FFFD for a lone surrogate."""

    value: int
    start: int
    end: int
    is_lone_surrogate: bool


_SURROGATE = re.compile("[\ud800-\udfff]")


def scalar_values(text: str) -> list[ScalarValue]:
    """Return the scalar values of a Python string, whose items may be surrogates.

    https://webidl.spec.whatwg.org/#idl-USVString
    """
    if not _SURROGATE.search(text):
        return list(map(ScalarValue, map(ord, text), count(), count(1), repeat(False)))
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


def encoder_of(name: str) -> Encoder:
    """Return an instance of the encoder of the encoding `name`, which has to have one."""
    factory = encodings()[name].encoder
    assert factory is not None, f"{name} has no encoder"
    return factory()


def encode(name: str, text: str) -> Encoded:
    """Return the bytes and the error spans of `text`, encoded as `name` in mode "html"."""
    values = scalar_values(text)
    left = [value.value for value in reversed(values)]
    state, position, output = state_of(encoder_of(name)), 0, bytearray()
    spans: list[Span] = []
    item: Item
    while True:
        if left:
            item = left.pop()
            position += 1
        else:
            item = END_OF_QUEUE
        pushed, error, is_finished, restored, state = state.outcomes.get(item) or state.run(item)
        if is_finished:
            lone = [(value.start, value.end) for value in values if value.is_lone_surrogate]
            return Encoded(bytes(output), tuple(spans), min([*spans, *lone], default=None))
        if restored:
            left += restored
            position -= len(restored)
        if error is not None:
            assert error.code_point is not None  # an encoder's error has one
            spans.append((values[position - 1].start, values[position - 1].end))
            output += b"&#%d;" % error.code_point
        else:
            output += bytes(pushed)


def encode_each(name: str, code_points: Iterable[int]) -> dict[int, Result]:
    """Return what the handler of an encoder without a state gives for each code point: its bytes, or an error."""
    encoder, nothing_to_restore = encoder_of(name), IOQueue()
    before = dict(vars(encoder))
    results = {code_point: encoder.handler(nothing_to_restore, code_point) for code_point in code_points}
    assert vars(encoder) == before, f"{name}'s encoder has a state"
    return results


def splits(data: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield every pair of positions that splits `data` into three parts, which may be empty."""
    return ((i, j) for i in range(len(data) + 1) for j in range(i, len(data) + 1))
