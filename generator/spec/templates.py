"""Check the templates: run each emitted handler beside the standard's on whole inputs, and compare the outcomes.

From every pair of states that the two can be in, the inputs are the bytes or code points that either names, those next
to them, and a sample of the others. What an index maps is compared entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import cache
from generator.model import RANGES, Encoding, GeneratorError
from generator.spec import emitted
from generator.spec.emitted import Module
from generator.spec.machine import CONTINUE, END_OF_QUEUE, FINISHED, Error, Handler, Machine, State
from generator.spec.program import Arithmetic, Node, Number, Rows, walk

if TYPE_CHECKING:
    from generator.modules import Chapter, Codec


class TemplateError(GeneratorError):
    """A template does not do what the standard's algorithm does."""


def check(chapter: Chapter, text: str, machine: Machine, tables: str | None = None) -> None:
    """Raise a TemplateError with the first difference of each handler of a module that has any.

    With `tables`, the text of the module's tables, a handler is not checked again if all that its result depends on is
    as it was when it passed.
    """
    module = Module(text, chapter.tables)
    refusals = []
    for parts, comparison in ((chapter.decoders, _Decoder), (chapter.encoders, _Encoder)):
        for part in parts:
            try:
                compared = comparison(module, part.codec, machine)
                if tables is None:
                    compared.check()
                else:
                    cache.cached((tables, *compared.inputs()), compared.check)
            except TemplateError as error:
                refusals.append(str(error))
            except NameError as error:
                refusals.append(
                    f"templates/_handlers/{part.codec.handler.template}.pyx.j2 does not fit the "
                    f"{comparison.kind} of {part.codec.name}: there is no {error.name}"
                )
    if refusals:
        raise TemplateError("\n".join(refusals))


class _Outcome(NamedTuple):
    """What a handler makes of an item: where that ends in the input, its output, and whether it is an error."""

    end: int
    output: tuple[int, ...]
    is_error: bool = False

    def __str__(self) -> str:
        output = " ".join(f"{value:02X}" for value in self.output)
        return f"{output + ' and ' if output and self.is_error else output}{'an error' * self.is_error} to {self.end}"


class _Result(NamedTuple):
    """What a handler makes of an input, and the state after it, without end-of-queue."""

    outcomes: list[_Outcome]
    state: State
    before_end: int = 0
    """How many of the outcomes are known before end-of-queue."""
    steps: Sequence[str] = ()
    """The step that returns each outcome of the standard, then the last one."""


_MOST_STEPS = 1000
"""More steps than any input takes, restored items included."""


class _Comparison:
    """A handler of a template beside its algorithm."""

    kind = ""
    function = ""
    state_names: tuple[str, ...] = ()

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        self.module, self.codec, self.machine = module, codec, machine
        self.encoding = Encoding(codec.name, (), codec.heading)
        self.trace: list[str] = []
        index = next(iter(codec.handler.indexes), "")
        handler = machine.handler(self.encoding, self.kind, index, self.trace.append)
        if handler is None:
            raise TemplateError(f"{self.template} has the {self.kind} of {codec.name}, but the standard has none")
        self.handler: Handler = handler
        self.algorithm = handler.algorithm
        self.run = SimpleNamespace(state=SimpleNamespace(), end_of_queue=False, tables=None)
        if symbol := codec.data.get("symbol"):
            self.run.tables = module.single_byte_tables(str(symbol))

    def inputs(self) -> tuple[str, ...]:
        """Return all that the result of `check` depends on besides tables."""
        codec, handler = self.codec, self.codec.handler
        properties = {name: value for name, value in vars(handler).items() if not callable(value)}
        index = handler.indexes[0] if handler.takes_an_index else ""
        described = repr((self.kind, properties, codec.data, codec.pointers))
        return self.module.source(self.function), described, *self.machine.inputs(self.encoding, index)

    def check(self) -> None:
        """Raise a TemplateError if the handler differs from the algorithm."""
        raise NotImplementedError

    @property
    def template(self) -> str:
        return f"templates/_handlers/{self.codec.handler.template}.pyx.j2"

    @cached_property
    def numbers(self) -> set[int]:
        """The numbers that the emitted handler and the algorithm name, and those next to them.

        Operands of arithmetic are not among them: a wrong one shows for whatever number it is given.
        """
        named = self.module.numbers(self.function)
        arithmetic = [node for node in walk(self.algorithm.body) if isinstance(node, Arithmetic)]
        operands = {id(operand) for node in arithmetic for operand in (node.left, node.right)}
        for node in walk(self.algorithm.body):
            if isinstance(node, Number) and id(node) not in operands:
                named.add(node.value)
            elif isinstance(node, Rows):
                named |= {key for key, _ in node.entries}
        return _with_neighbours(named)

    def ranges(self, column: int) -> set[int]:
        """Return the pointers (0) or code points (1) where the ranges of gb18030 begin, and those next to them."""
        if RANGES not in self.codec.handler.indexes:
            return set()
        return _with_neighbours(entry[column] for entry in self.machine.snapshot.ranges.ranges)

    def start(self) -> None:
        """Set both handlers to their initial states."""
        self.handler.state = self.handler.initial
        vars(self.run.state).update(dict.fromkeys(self.state_names, 0))
        del self.trace[:]

    def state(self) -> State:
        """Return the state of the emitted handler."""
        return tuple(int(getattr(self.run.state, name)) for name in self.state_names)

    def ask(self, item: Any, shown: str) -> tuple[Any, list[Any]]:
        """Return the result of the standard's handler for an item, and what is restored."""
        try:
            result, restored = self.handler.handle(item)
        except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
            raise TemplateError(f"#{self.algorithm.anchor} fails for {shown}: {error!r}") from error
        is_no_output = isinstance(result, list) and not all(isinstance(value, int) for value in result)
        if result is None or is_no_output or len(self.trace) > _MOST_STEPS:
            raise TemplateError(f"#{self.algorithm.anchor} comes to no result for {shown}")
        return result, restored

    def compare(self, given: str, ours: _Result, theirs: _Result, end: int | None = None) -> None:
        """Raise a TemplateError that names template, input, and the first outcomes that differ, up to the end-th."""
        expected = theirs.outcomes[:end]
        if ours.outcomes != expected:
            pairs = zip(ours.outcomes, expected, strict=False)
            place = next(
                (place for place, (a, b) in enumerate(pairs) if a != b), min(len(ours.outcomes), len(expected))
            )
            shown = [str(side[place]) if place < len(side) else "nothing more" for side in (ours.outcomes, expected)]
            self.refuse(given, shown[0], shown[1], theirs.steps[min(place, len(theirs.steps) - 1)])

    def refuse(self, given: str, ours: str, theirs: str, step: str = "") -> None:
        raise TemplateError(
            f"{self.template} differs from the standard in the {self.kind} of {self.codec.name}.\n"
            f"For {given} the template has {ours},\n"
            f"the standard {theirs} (#{' '.join([self.algorithm.anchor, step]).strip()})."
        )


def _with_neighbours(numbers: Iterable[int]) -> set[int]:
    return {number + step for number in numbers for step in (-1, 0, 1)}


# -- Decoders ----------------------------------------------------------------------------------------------------------


_ANY = frozenset({0x00, 0x41, 0x7F, 0x80, 0xFF})
"""Bytes that follow any other, whatever is named."""
_LONGEST = 4
"""The bytes of the longest sequence."""


class _Decoder(_Comparison):
    kind = "decoder"
    state_names = ("iso_2022_jp_decoder_output_state", "iso_2022_jp_output", "replacement_error_returned")

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        super().__init__(module, codec, machine)
        self.function = f"{codec.decoder}_decode_item"
        self._at_rest: dict[State, bool] = {}

    def check(self) -> None:
        paths, known_pairs = [b""], {self.try_input(b"")}
        known_states: set[State] = set()
        for path in paths:
            ours = self.template_result(path, is_final=False).state
            is_new = ours not in known_states
            known_states.add(ours)
            prefixes = [b""]
            for data in prefixes:
                incomplete = []
                for byte in self.following(data, is_new=is_new, is_first=not path):
                    longer = data + bytes([byte])
                    pair = self.try_input(path + longer)
                    if not self.is_at_rest(pair[1]):
                        incomplete.append(longer)
                    elif self.few.issuperset(longer) and pair not in known_pairs:
                        known_pairs.add(pair)
                        paths.append(path + longer)
                if len(data) == 2 or not is_new:  # Of these prefixes, the first and the last show what follows.
                    incomplete = [*incomplete[:1], *incomplete[-1:]]
                prefixes += incomplete * (len(data) + 1 < _LONGEST)
        for data in self.bounds():
            self.try_input(data)
        self.check_mapped()

    @cached_property
    def few(self) -> frozenset[int]:
        """The bytes that are named, and those next to them."""
        bytes_ = {part for number in self.numbers for part in (number & 0xFF, number >> 8)}
        return _ANY | {byte for byte in bytes_ if 0 <= byte <= 0xFF}

    def following(self, prefix: bytes, *, is_new: bool, is_first: bool) -> Iterable[int]:
        """Return the bytes to follow a prefix: all where the state is new."""
        is_few = self.few.issuperset(prefix)
        if is_new and (not prefix or (len(prefix) == 1 and is_few and is_first)):
            return range(0x100)
        return self.few if is_few or len(prefix) < 2 else ()

    def try_input(self, data: bytes) -> tuple[State, State]:
        """Compare what both make of some bytes, with and without end-of-queue. Return the states without it."""
        shown = data.hex(" ").upper()
        theirs = self.standard_result(data)
        self.compare(
            f"{shown} at end-of-queue" if data else "end-of-queue", self.template_result(data, is_final=True), theirs
        )
        ours = self.template_result(data, is_final=False)
        self.compare(shown, ours, theirs, theirs.before_end)
        units = sum(2 if value > 0xFFFF else 1 for outcome in theirs.outcomes for value in outcome.output or (0xFFFD,))
        most = -(-len(data) >> self.codec.handler.decode_shift)
        if units > most:
            self.refuse(shown, f"room for {most} units (decode_shift)", f"{units}")
        return ours.state, theirs.state

    def template_result(self, data: bytes, *, is_final: bool) -> _Result:
        self.start()
        self.run.end_of_queue = is_final
        outcomes, at = [], 0
        while at < len(data):
            try:
                value, length = self.module.decode(self.function, self.run, data[at:])
            except (IndexError, UnboundLocalError) as error:
                self.refuse(f"{data.hex(' ').upper()} from {at}", f"an invalid read ({error})", "none")
            if value == emitted.INCOMPLETE and not is_final:
                break
            at += length
            if value in (emitted.INCOMPLETE, emitted.ERROR):
                outcomes.append(_Outcome(at, (), is_error=True))
            elif value != emitted.NONE:
                outcomes.append(_Outcome(at, (value,) if value <= 0x10FFFF else (value >> 16, value & 0xFFFF)))
        return _Result(outcomes, self.state())

    def standard_result(self, data: bytes) -> _Result:
        self.start()
        shown = data.hex(" ").upper()
        left, read, outcomes, steps = list(reversed(data)), 0, list[_Outcome](), list[str]()
        state, before_end, is_at_end = self.handler.state, 0, False
        while True:
            item = left.pop() if left else END_OF_QUEUE
            is_at_end |= item is END_OF_QUEUE
            result, restored = self.ask(item, shown)
            left += reversed(restored)
            read += (item is not END_OF_QUEUE) - len(restored)
            if isinstance(result, Error):
                # One that leaves it in a sequence has read the first byte of that, with which the next item begins.
                is_at_rest = item is END_OF_QUEUE or self.is_at_rest(self.handler.state)
                outcomes.append(_Outcome(read if is_at_rest else read - 1, (), is_error=True))
                steps.append(self.trace[-1])
            elif isinstance(result, list):
                outcomes.append(_Outcome(read, tuple(result)))
                steps.append(self.trace[-1])
            if not left and not is_at_end:
                state, before_end = self.handler.state, len(outcomes)
            if result is FINISHED:
                break
        if left:  # which a decoder that is finished skips
            state, before_end = self.handler.state, len(outcomes)
        return _Result(outcomes, state, before_end, [*steps, self.trace[-1]])

    def is_at_rest(self, state: State) -> bool:
        """Return whether a state of the standard's decoder is one between items: where the queue may end."""
        if state not in self._at_rest:
            before, trace = self.handler.state, list(self.trace)
            self.handler.state = state
            self._at_rest[state] = self.handler.handle(END_OF_QUEUE)[0] is FINISHED
            self.handler.state, self.trace[:] = before, trace
        return self._at_rest[state]

    def bounds(self) -> list[bytes]:
        """Return the bytes of all pointers where a range of pointers begins or ends, for either."""
        operations = self.machine.uses(self.encoding, self.kind)[0]
        named = {node.value for used in operations for node in walk(used.body) if isinstance(node, Number)}
        pointers = self.numbers | _with_neighbours(named) | self.ranges(0)
        return [
            pointers_of_index.sequence(pointer)
            for pointers_of_index in self.codec.pointers.values()
            for pointer in sorted({*pointers, 0, len(pointers_of_index) - 1})
            if 0 <= pointer < len(pointers_of_index)
        ]

    def check_mapped(self) -> None:
        """Compare all pairs of bytes that are code points of an index."""
        mappings, handler = self.codec.mappings, self.codec.handler
        if not mappings or not handler.indexes or handler.is_single_byte:
            return
        for pair, code_points in mappings.pairs().items():
            if self.template_result(bytes(pair), is_final=False).outcomes != [_Outcome(2, code_points)]:
                self.try_input(bytes(pair))


# -- Encoders ----------------------------------------------------------------------------------------------------------

_SAMPLE = 61
"""The distance of the code points that are given to an encoder besides those that it or the standard names."""


class _Encoder(_Comparison):
    kind = "encoder"
    state_names = ("iso_2022_jp_encoder_state",)

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        super().__init__(module, codec, machine)
        self.function = f"{codec.encoder}_encode_item"

    def check(self) -> None:
        self.check_mapped()
        paths: list[tuple[int, ...]] = [()]
        known_pairs = {self.try_input(())}
        for path in paths:
            for code_point in self.samples:
                pair = self.try_input((*path, code_point))
                if pair not in known_pairs:
                    known_pairs.add(pair)
                    paths.append((*path, code_point))

    @cached_property
    def samples(self) -> list[int]:
        """The code points that are given to both in each state."""
        named = self.numbers | set(range(0x100)) | set(range(0x100, 0x10000, _SAMPLE))
        nodes: Iterator[Node] = walk(tuple(algorithm.body for algorithm in self.machine.programs.values()))
        named |= {node.value for node in nodes if isinstance(node, Number)}
        named |= {0x10000, 0x10FFFF, *range(0x20000, 0x30000, 16 * _SAMPLE)} | self.ranges(1)
        return sorted(number for number in named if 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF)

    def try_input(self, text: tuple[int, ...]) -> tuple[State, State]:
        """Compare what both make of code points and end-of-queue. Return the states after the code points."""
        shown = " ".join(f"U+{code_point:04X}" for code_point in text)
        ours, theirs = self.template_result(text), self.standard_result(text)
        self.compare(shown or "end-of-queue", ours, theirs)
        for code_point, outcome in zip(text, theirs.outcomes, strict=False):
            most = self.codec.handler.encode_capacity[(code_point > 0xFF) + (code_point > 0xFFFF)]
            if not outcome.is_error and len(outcome.output) > most:
                self.refuse(shown, f"room for {most} bytes (encode_capacity)", str(outcome))
        return ours.state, theirs.state

    def template_result(self, text: tuple[int, ...]) -> _Result:
        self.start()
        state = self.state()
        is_flushed = self.codec.handler.encoder_property == "WE_FLUSHES"
        outcomes = []
        for end, code_point in enumerate([*text, *[emitted.END_OF_QUEUE] * is_flushed], start=1):
            try:
                output, error = self.module.encode(self.function, self.run, code_point)
            except (IndexError, UnboundLocalError) as failure:
                self.refuse(f"U+{code_point:04X}", f"an invalid access ({failure})", "none")
            outcomes.append(_Outcome(end, (*output, *([] if error is None else [error])), error is not None))
            if end <= len(text):
                state = self.state()
        return _Result([*outcomes, *[_Outcome(len(text) + 1, ())] * (not is_flushed)], state)

    def standard_result(self, text: tuple[int, ...]) -> _Result:
        self.start()
        shown = " ".join(f"U+{code_point:04X}" for code_point in text)
        state = self.handler.state
        outcomes, steps = [], []
        for end, item in enumerate((*text, END_OF_QUEUE), start=1):
            left, output, is_error = [item], list[int](), False
            while left:
                result, restored = self.ask(left.pop(), shown)
                left += restored
                if isinstance(result, Error):
                    output.append(-1 if result.code_point is None else result.code_point)
                    is_error = True
                elif isinstance(result, list):
                    output += result
                    left += [item] * (item is END_OF_QUEUE)
                elif item is END_OF_QUEUE and result is CONTINUE and not left:
                    raise TemplateError(f"#{self.algorithm.anchor} is not finished at end-of-queue")
            outcomes.append(_Outcome(end, tuple(output), is_error))
            steps.append(self.trace[-1])
            if item is not END_OF_QUEUE:
                state = self.handler.state
        return _Result(outcomes, state, len(text), steps)

    def check_mapped(self) -> None:
        """Compare the bytes of all code points that have some by an index."""
        mappings, handler = self.codec.mappings, self.codec.handler
        if not mappings or not handler.indexes or handler.is_single_byte:
            return
        astral = mappings.astral_sequences if self.codec.data.get("is_astral") else {}
        for code_point, sequence in (*mappings.sequences.items(), *astral.items()):
            if self.template_result((code_point,)).outcomes[0] != _Outcome(1, sequence):
                self.try_input((code_point,))
