"""Check the templates against the algorithms: run each emitted handler beside the standard's, and compare item by item.

In every state that the two can be in together, both are given each item made of the bytes or code points that either of
them names, their neighbours, and samples of the rest, and the emitted one all that is known to map by an index.
templates/README.md says what is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from generator import cache
from generator.model import RANGES, Encoding, GeneratorError
from generator.spec import capacity, emitted, items
from generator.spec.emitted import Module, Outcome
from generator.spec.items import Item
from generator.spec.machine import CONTINUE, END_OF_QUEUE, FINISHED, Handler, Machine, State
from generator.spec.program import Algorithm, Arithmetic, Compare, InRange, InTable, Local, Node, Number, Rows, walk
from generator.steps import compressed

if TYPE_CHECKING:
    from generator.modules import Chapter, Codec


class TemplateError(GeneratorError):
    """A template does not do what the standard's algorithm does."""


def check(chapter: Chapter, text: str, machine: Machine, tables: str | None = None) -> None:
    """Raise a TemplateError if the handlers of a module differ from the algorithms, or cite other steps.

    Its message has the first difference of each handler that has any. With `tables`, the text of the module's tables, a
    handler of which all is as it was when it passed is not checked again.
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


class _Result(NamedTuple):
    """An item of the standard's handler, with its steps and the state after it."""

    item: Item
    state: State
    taken: tuple[str, ...]
    """The numbers of the steps, the one that returned last."""


_MOST_STEPS = 1000
"""More steps than any item takes, restored items included."""

# Pairs of states that the emitted handler and the standard's can be in together.
_Pair = tuple[tuple[int, ...], State]


class _Comparison:
    """A handler of a template beside its algorithm."""

    kind = ""
    state_names: tuple[str, ...] = ()
    function = ""

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        self.module, self.codec = module, codec
        self.trace: list[str] = []
        self._own: dict[frozenset[str], frozenset[str]] = {}
        encoding = Encoding(codec.name, (), codec.heading)
        index = next(iter(codec.handler.indexes), "")
        handler = machine.handler(encoding, self.kind, index, self.trace.append)
        algorithm = machine.algorithm(encoding, self.kind)
        if handler is None or algorithm is None:
            raise TemplateError(f"{self.template} has the {self.kind} of {codec.name}, but the standard has none")
        self.encoding, self.machine = encoding, machine
        self.handler: Handler = handler
        self.algorithm: Algorithm = machine.programs[algorithm.base] if algorithm.base else algorithm
        self.run = SimpleNamespace(state=SimpleNamespace(), end_of_queue=False, tables=None)
        self._state: dict[str, int] = vars(self.run.state)
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

    def numbers(self, function: str) -> set[int]:
        """Return the numbers that the emitted handler and the algorithm name, and those next to them.

        Operands of arithmetic are none of these: what they say shows for whatever number they are given.
        """
        named = self.module.numbers(function)
        arithmetic = [node for node in walk(self.algorithm.body) if isinstance(node, Arithmetic)]
        operands = {id(one) for node in arithmetic for one in (node.left, node.right)}
        for node in walk(self.algorithm.body):
            if isinstance(node, Number) and id(node) not in operands:
                named.add(node.value)
            elif isinstance(node, Rows):
                named |= {key for key, _ in node.entries}
        return {number + step for number in named for step in (-1, 0, 1)}

    def operations(self) -> set[int]:
        """Return the numbers that the algorithm and its operations on indexes name, and those next to them."""
        used = self.machine.uses(self.encoding, self.kind)[0]
        named = {node.value for one in used for node in walk(one.body) if isinstance(node, Number)}
        return {number + step for number in named for step in (-1, 0, 1)}

    def ranges(self, column: int) -> set[int]:
        """Return the pointers (0) or code points (1) where the ranges of gb18030 begin, and those next to them."""
        if RANGES not in self.codec.handler.indexes:
            return set()
        return {entry[column] + step for entry in self.machine.snapshot.ranges.ranges for step in (-1, 0, 1)}

    def set_state(self, state: tuple[int, ...]) -> None:
        self._state.update(zip(self.state_names, state, strict=True))

    def state(self) -> tuple[int, ...]:
        return tuple(map(int, map(self._state.__getitem__, self.state_names)))

    def ask(self, item: Any, given: object) -> tuple[Any, list[Any]]:
        """Return the result of the standard's handler for an item, and what is restored."""
        try:
            result, restored = self.handler.handle(item)
        except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
            raise TemplateError(f"#{self.algorithm.anchor} fails for {given!r}: {error!r}") from error
        is_no_output = isinstance(result, list) and not all(isinstance(one, int) for one in result)
        if result is None or is_no_output or len(self.trace) > _MOST_STEPS:
            raise TemplateError(f"#{self.algorithm.anchor} comes to no result for {given!r}")
        return result, restored

    def differ(
        self, assumption: str, shown: object, ours: object, theirs: _Result, cited: Iterable[str] = ()
    ) -> NoReturn:
        """Raise a TemplateError that names assumption, template and step."""
        under = f" under {_listed(cited)}" if cited else ""
        raise TemplateError(
            f"{self.template} does not hold for the {self.kind} of {self.codec.name}: {assumption}.\n"
            f"For {shown} the template has {ours}{under},\n"
            f"the standard {theirs.item} (#{self.algorithm.anchor} {theirs.taken[-1] if theirs.taken else ''})."
        )

    def check_steps(self, shown: object, outcome: Outcome, theirs: _Result, returns: Sequence[str]) -> None:
        """Compare the steps that the lines that were run cite with those that the standard takes."""
        if self.own(outcome.returned).isdisjoint(returns):
            self.differ("the step that returns is another one", shown, theirs.item, theirs, outcome.returned)
        if theirs.item.what == "incomplete":
            return
        for group in outcome.entered:
            if (cited := self.own(group)) and cited.isdisjoint(theirs.taken):
                self.differ("a branch is taken under a step that is not", shown, theirs.item, theirs, group)

    def own(self, cited: frozenset[str]) -> frozenset[str]:
        """Return the numbers of those steps that are this algorithm's."""
        if cited not in self._own:
            anchor = f"{self.algorithm.anchor} "
            self._own[cited] = frozenset(step.removeprefix(anchor) for step in cited if step.startswith(anchor))
        return self._own[cited]


class _Input(NamedTuple):
    """An input of a decoder, as messages show it."""

    data: bytes
    before: bytes
    is_final: bool

    def __str__(self) -> str:
        after = f" after {_hex(self.before)}" if self.before else ""
        return f"{_hex(self.data)}{' at end-of-queue' if self.is_final else ''}{after}"


def _listed(steps: Iterable[str]) -> str:
    """Return steps as a list of numbers for each anchor: ``euc-kr-decoder 3, 3.1-3.5``."""
    found: dict[str, list[str]] = {}
    for step in sorted(steps, key=lambda step: [part.zfill(4) for part in re.split(r"\W+", step)]):
        anchor, _, number = step.partition(" ")
        found.setdefault(anchor, []).append(number)
    return ", ".join(f"{anchor} {compressed(numbers)}" for anchor, numbers in found.items())


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()


# -- Decoders ----------------------------------------------------------------------------------------------------------


_ANY = frozenset({0x00, 0x41, 0x7F, 0x80, 0xFF})
"""Bytes that follow any other, whatever is named."""


class _Decoder(_Comparison):
    kind = "decoder"
    state_names = ("iso_2022_jp_decoder_output_state", "iso_2022_jp_output", "replacement_error_returned")

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        super().__init__(module, codec, machine)
        self.function = f"{codec.decoder}_decode_item"
        self._at_rest: dict[State, bool] = {}
        self._silent: dict[State, bool] = {}
        self._may_promise_more = True

    def check(self) -> None:
        bytes_ = {part for number in self.numbers(self.function) for part in (number & 0xFF, number >> 8)}
        self.few = _ANY | {byte for byte in bytes_ if 0 <= byte <= 0xFF}
        self.asks_for_pointers = any(map(_asks_for_pointer, walk(self.algorithm.body)))
        initial: _Pair = ((0,) * len(self.state_names), self.handler.initial)
        found: dict[_Pair, bytes] = {initial: b""}
        left = [initial]
        again: list[tuple[_Pair, int]] = []
        known = set()
        while left:
            pair = left.pop(0)
            self.handler.state = pair[1]
            if not self.is_at_rest():
                raise TemplateError(
                    f"#{self.algorithm.anchor} is not finished at end-of-queue after {_hex(found[pair])!r}"
                )
            every: Iterable[int] = range(0x100) if pair[0] not in known else self.few
            known.add(pair[0])
            for after, data, read_again in self.items(pair, every, found[pair]):
                if not self.few.issuperset(data):
                    continue
                if read_again is not None:
                    again.append((after, read_again))
                elif after not in found:
                    found[after] = found[pair] + data
                    left.append(after)
        self.check_read_again(found, again)
        shift = self.codec.handler.decode_shift
        if self._may_promise_more and shift < capacity.MOST_SHIFT:
            raise TemplateError(f"{self.codec.name}: decode_shift is {shift}, but no item needs it to be so small")
        # In every other state a sequence is what it is in this one, or the sequences above have shown it.
        for data in sorted(self.bounds()):
            self.compare(initial, data, b"", is_final=False)
        self.set_state(initial[0])
        for sequence, code_points in self.mapped():
            ours = None
            with suppress(IndexError, UnboundLocalError):
                outcome = self.module.decode(self.function, self.run, bytes(sequence))
                ours, _ = items.decoded(outcome.value, outcome.length, 2, is_final=False)
            if ours != Item("output", 2, code_points):
                self.compare(initial, bytes(sequence), b"", is_final=False)

    def mapped(self) -> Iterable[tuple[tuple[int, int], tuple[int, ...]]]:
        """Return all pairs of bytes that are code points of an index."""
        found, handler = self.codec.mappings, self.codec.handler
        return found.pairs().items() if found and handler.indexes and not handler.is_single_byte else ()

    def bounds(self) -> set[bytes]:
        """Return the bytes of all pointers where a range of pointers begins or ends, for either."""
        pointers = self.numbers(self.function) | self.operations() | self.ranges(0)
        return {
            known.sequence(pointer)
            for known in self.codec.pointers.values()
            for pointer in {*pointers, 0, len(known) - 1}
            if 0 <= pointer < len(known)
        }

    def items(self, pair: _Pair, every: Iterable[int], before: bytes) -> Iterator[tuple[_Pair, bytes, int | None]]:
        """Compare the items that can follow in two states. Yield the states after each, and a byte to read again."""
        prefixes = [b""]
        while prefixes:
            longer = []
            for prefix in prefixes:
                for byte in self.following(prefix, every):
                    data = prefix + bytes([byte])
                    ours, theirs, read_again = self.compare(pair, data, before, is_final=False)
                    yield (ours, theirs.state), data, read_again
                    if theirs.item.what == "nothing":
                        self.compare_rest(pair, data, before)
                    if theirs.item.what == "incomplete":
                        longer.append(data)
                        self.compare_end(pair, data, before)
            prefixes = longer

    def following(self, prefix: bytes, every: Iterable[int]) -> Iterable[int]:
        """Return the bytes to follow a prefix: all after none, and after a byte where all or a pointer matter."""
        is_few = self.few.issuperset(prefix)
        if len(prefix) < 2 and (is_few or self.asks_for_pointers):
            return every
        return self.few if is_few or len(prefix) < 2 else ()

    def compare_end(self, pair: _Pair, data: bytes, before: bytes) -> None:
        """Compare what both make of an incomplete sequence at end-of-queue."""
        while data:
            ours, theirs, _ = self.compare(pair, data, before, is_final=True)
            pair, data, before = (ours, theirs.state), data[theirs.item.length :], before + data[: theirs.item.length]

    def compare_rest(self, pair: _Pair, data: bytes, before: bytes) -> None:
        """Compare how much of a longer source is skipped by a decoder that is finished."""
        longer = data + b"\0"
        if self.standard(pair[1], longer, is_final=False)[0].item.what == "nothing":
            self.compare(pair, longer, before, is_final=False)

    def compare(
        self, pair: _Pair, data: bytes, before: bytes, *, is_final: bool
    ) -> tuple[tuple[int, ...], _Result, int | None]:
        """Compare the item at the start of some bytes. Return both states after it, and a byte to read again."""
        shown = _Input(data, before, is_final)
        theirs, read_again = self.standard(pair[1], data, is_final=is_final)
        self.set_state(pair[0])
        self.run.end_of_queue = is_final
        try:
            outcome = self.module.decode(self.function, self.run, data)
        except (IndexError, UnboundLocalError) as error:
            self.differ(f"what it reads ({error})", shown, "an invalid read", theirs)
        ours, _ = items.decoded(outcome.value, outcome.length, len(data), is_final)
        if ours != theirs.item:
            self.differ(_assumption(ours, theirs.item, data, before), shown, ours, theirs, outcome.returned)
        returns = [theirs.taken[-1]]
        if theirs.item.what == "incomplete":
            returns += self.standard(pair[1], data, is_final=True)[0].taken[-1:]
        self.check_steps(shown, outcome, theirs, returns)
        self.check_properties(shown, data, theirs, is_final=is_final)
        return self.state(), theirs, read_again

    def standard(self, state: State, data: bytes, *, is_final: bool) -> tuple[_Result, int | None]:
        """Return what the standard's decoder makes of the item at the start of some bytes, and a byte to read again.

        An error that leaves it in a sequence has read the first byte of that: the next item begins with this byte.
        """
        self.handler.state = state
        del self.trace[:]

        def byte_at(place: int) -> Any:
            if place < len(data):
                return data[place]
            return END_OF_QUEUE if is_final else None

        def check_restored(restored: list[Any], place: int) -> None:
            if restored != list(data[place : place + len(restored)]):
                error = _Result(Item("error", place), self.handler.state, tuple(self.trace))
                self.differ("the restored bytes", _hex(data), f"{_hex(data[place:])} again", error)

        source = items.Source(byte_at, check_restored, len(data))
        found = items.next_decoded(self.handler, lambda byte: self.ask(byte, data), self.is_at_rest, source)
        return _Result(found.item, self.handler.state, tuple(self.trace)), found.read_again

    def is_at_rest(self) -> bool:
        """Return whether the state of the standard's decoder is one between items: where the queue may end."""
        state = self.handler.state
        if state not in self._at_rest:
            trace = list(self.trace)
            self._at_rest[state] = self.handler.handle(END_OF_QUEUE)[0] is FINISHED
            self.handler.state = state
            self.trace[:] = trace
        return self._at_rest[state]

    def is_silent(self, state: State) -> bool:
        """Return whether the standard's decoder gives nothing any more in a state."""
        if state not in self._silent:
            before, trace = self.handler.state, list(self.trace)
            self.handler.state = state
            self._silent[state] = capacity.is_silent(self.handler)
            self.handler.state, self.trace[:] = before, trace
        return self._silent[state]

    def check_read_again(self, found: dict[_Pair, bytes], again: list[tuple[_Pair, int]]) -> None:
        """Check that a byte that is read again takes the standard from a state that was compared to where it is."""
        for (ours, theirs), byte in again:
            for state in (state for other, state in found if other == ours):
                self.handler.state = state
                if self.handler.handle(byte)[0] is CONTINUE and self.handler.state == theirs:
                    break
            else:
                result = _Result(Item("error", 1), theirs, tuple(self.trace))
                self.differ("the state after an item", f"{byte:02X}, read again", "another state", result)

    def check_properties(self, shown: object, data: bytes, theirs: _Result, *, is_final: bool) -> None:
        item, properties = theirs.item, self.codec.handler
        code_points = item.output if item.what == "output" else [0xFFFD] * (item.what == "error")
        # What does not depend on the end may be followed by any other item.
        is_last = (is_final and item.length == len(data)) or self.is_silent(theirs.state)
        self._may_promise_more &= capacity.fits(code_points, item.length, properties.decode_shift + 1, is_last=is_last)
        if not capacity.fits(code_points, item.length, properties.decode_shift, is_last=is_last):
            most = item.length >> properties.decode_shift
            self.differ(
                f"the longest output (decode_shift {properties.decode_shift})", shown, f"at most {most}", theirs
            )
        if properties.is_ascii_compatible and len(data) == 1 and data[0] < 0x80 and item.output != tuple(data):
            self.differ("ASCII bytes are ASCII code points in every state", shown, "itself", theirs)


def _asks_for_pointer(node: Node) -> bool:
    """Return whether a condition names pointers, so that two bytes in the same ranges may differ."""
    match node:
        case InRange(Local("pointer")) | InTable(Local("pointer")):
            return True
        case Compare(_, Local("pointer"), Number()):
            return True
    return False


def _assumption(ours: Item, theirs: Item, data: bytes, before: bytes) -> str:
    """Return what the outcomes for some bytes have shown to differ."""
    if (ours.what == "incomplete") != (theirs.what == "incomplete"):
        return (
            "the set of leading bytes" if len(data) == 1 else f"which bytes follow a leading byte, at byte {len(data)}"
        )
    if ours.what == theirs.what == "error":
        some = data[min(ours.length, theirs.length) : max(ours.length, theirs.length)]
        return "which ASCII bytes an error restores" if some.isascii() else "how many bytes an error takes"
    if before and {ours.what, theirs.what} & {"error", "nothing"}:
        return "the state after an item"
    return "what an item is decoded to"


# -- Encoders ----------------------------------------------------------------------------------------------------------

_SAMPLE = 61
"""The distance of the code points that are given to an encoder besides those that it or the standard names."""


class _Encoder(_Comparison):
    kind = "encoder"
    state_names = ("iso_2022_jp_encoder_state",)

    def __init__(self, module: Module, codec: Codec, machine: Machine) -> None:
        super().__init__(module, codec, machine)
        self.function = f"{codec.encoder}_encode_item"
        self._longest = [0, 0, 0]
        """The bytes of the longest item below U+0100, U+10000 and U+110000."""

    def samples(self) -> list[int]:
        """Return the code points that are given to both in each state."""
        named = self.numbers(self.function) | set(range(0x100)) | set(range(0x100, 0x10000, _SAMPLE))
        every = walk(tuple(algorithm.body for algorithm in self.machine.programs.values()))
        named |= {node.value for node in every if isinstance(node, Number)}
        named |= {0x10000, 0x10FFFF, *range(0x20000, 0x30000, 16 * _SAMPLE)} | self.ranges(1)
        return sorted(number for number in named if 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF)

    def check(self) -> None:
        initial: _Pair = ((0,) * len(self.state_names), self.handler.initial)
        found: dict[_Pair, str] = {initial: ""}
        left = [initial]
        code_points = self.samples()
        while left:
            pair = left.pop(0)
            before = found[pair]
            for code_point in code_points:
                after = self.compare(pair, code_point, f"U+{code_point:04X}{before}")
                if after not in found:
                    found[after] = f" after U+{code_point:04X}{before}"
                    left.append(after)
            for surrogate in (0xD800, 0xDBFF, 0xDC00, 0xDFFF):
                self.check_surrogate(pair, surrogate)
            if self.codec.handler.encoder_property == "WE_FLUSHES":
                self.compare(pair, emitted.END_OF_QUEUE, f"end-of-queue{before}")
            elif (theirs := self.standard(pair[1], emitted.END_OF_QUEUE)).item.output:
                self.differ("bytes at end-of-queue (WE_FLUSHES)", f"end-of-queue{before}", "none", theirs)
        mapped = self.mapped()
        for code_point, bytes_ in mapped:
            self.note_length(code_point, len(bytes_))
        longest = tuple(max(self._longest[: kind + 1]) for kind in range(3))
        if longest != self.codec.handler.encode_capacity:
            raise TemplateError(
                f"{self.codec.name}: encode_capacity is {self.codec.handler.encode_capacity}, not {longest} as by items"
            )
        for code_point, bytes_ in mapped:
            self.set_state(initial[0])
            ours = None
            with suppress(IndexError, UnboundLocalError):
                ours = self.module.encode(self.function, self.run, code_point)
            if ours is None or ours.error is not None or tuple(ours.output) != bytes_:
                self.compare(initial, code_point, f"U+{code_point:04X}")

    def note_length(self, code_point: int, length: int) -> None:
        kind = 2 if code_point > 0xFFFF else 1 if code_point > 0xFF else 0
        self._longest[kind] = max(self._longest[kind], length)

    def mapped(self) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the bytes of all code points that have some by an index."""
        found, handler = self.codec.mappings, self.codec.handler
        if not found or not handler.indexes or handler.is_single_byte:
            return ()
        return (*found.sequences.items(), *(found.astral_sequences.items() if self.codec.data.get("is_astral") else ()))

    def compare(self, pair: _Pair, code_point: int, shown: str) -> _Pair:
        theirs = self.standard(pair[1], code_point)
        self.set_state(pair[0])
        try:
            outcome = self.module.encode(self.function, self.run, code_point)
        except (IndexError, UnboundLocalError) as error:
            self.differ(f"what it reads or writes ({error})", shown, "an invalid access", theirs)
        ours = items.encoded(outcome.output, outcome.error)
        if ours != theirs.item:
            same = ours.what == theirs.item.what
            self.differ("the bytes" if same else "which code points are errors", shown, ours, theirs, outcome.returned)
        self.check_steps(shown, outcome, theirs, theirs.taken[-1:])
        self.check_properties(code_point, shown, theirs)
        return self.state(), theirs.state

    def check_surrogate(self, pair: _Pair, surrogate: int) -> None:
        """Check that a surrogate, which the standard's encoder is never given, is an error, for the loop to replace."""
        self.set_state(pair[0])
        outcome = self.module.encode(self.function, self.run, surrogate)
        if outcome.error != surrogate:
            shown = _Result(Item("error", 1, (surrogate,)), pair[1], ())
            self.differ(
                "a surrogate is an error", f"U+{surrogate:04X}", f"the error {outcome.error}", shown, outcome.returned
            )

    def standard(self, state: State, code_point: int) -> _Result:
        """Return what the standard's encoder makes of a code point, or of end-of-queue."""
        self.handler.state = state
        del self.trace[:]
        item: Any = END_OF_QUEUE if code_point == emitted.END_OF_QUEUE else code_point
        try:
            found = items.next_encoded(lambda one: self.ask(one, code_point), item)
        except items.EndlessError as error:
            raise TemplateError(f"#{self.algorithm.anchor}: {error}") from None
        return _Result(found, self.handler.state, tuple(self.trace))

    def check_properties(self, code_point: int, shown: str, theirs: _Result) -> None:
        item, properties = theirs.item, self.codec.handler
        kind = 2 if code_point > 0xFFFF else 1 if code_point > 0xFF else 0
        most = properties.encode_capacity[kind]
        if item.what == "output" and code_point != emitted.END_OF_QUEUE:
            self.note_length(code_point, len(item.output))
        if item.what == "output" and code_point != emitted.END_OF_QUEUE and len(item.output) > most:
            self.differ(
                f"the longest output (encode_capacity {properties.encode_capacity})", shown, f"at most {most}", theirs
            )
        if properties.is_ascii_compatible and code_point < 0x80 and item != Item("output", 1, (code_point,)):
            self.differ("ASCII code points are ASCII bytes in every state", shown, "itself", theirs)
