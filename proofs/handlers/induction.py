"""Prove that emitted decoders and encoders do what the standard's algorithms do, by induction over their states.

A pattern is what the two can be in between items: the state of the emitted handler, and for each variable of the
standard's a value, or any. From every pattern, both are given the same source, of any length and any bytes, with or
without end-of-queue after it, or any code point. What they make of the next item is shown to be equal, and so is that
they are in a pattern afterwards; new patterns are added until there are none. So any number of items is covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import z3

from generator.model import Encoding
from generator.spec import capacity, emitted, items
from generator.spec.items import Item
from generator.spec.machine import CONTINUE, END_OF_QUEUE, FINISHED, Machine
from generator.spec.templates import TemplateError
from proofs.handlers.emitted import CODE_POINT, IS_FINAL, LENGTH, Emitted
from proofs.handlers.numbers import C, Exact, Truth, equal
from proofs.handlers.paths import Model, Path, RefutedError, UnprovableError, byte
from proofs.handlers.standard import Symbolic
from proofs.handlers.values import Values

if TYPE_CHECKING:
    from generator.modules import Chapter, Codec


NO_CHARACTER = 0xFFFF
"""A code point that is an error of every encoder that has errors for more than a few."""


class ProofError(TemplateError):
    """An emitted handler does not do what the standard's algorithm does, or that it does is not proved."""


class _Any(NamedTuple):
    """Any value of a variable of the standard."""

    low: int
    high: int


@dataclass(frozen=True)
class _Pattern:
    """States that both can be in between items."""

    ours: tuple[int, ...]
    theirs: tuple[Any, ...]

    def covers(self, other: _Pattern) -> bool:
        if self.ours != other.ours:
            return False
        return all(_covers(mine, its) for mine, its in zip(self.theirs, other.theirs, strict=True))

    def values(self, path: Path) -> tuple[Any, ...]:
        """Return values of the standard's variables, symbolic ones for those that may have any."""
        return tuple(
            Exact(path, z3.BitVec(f"any_{at}", 32), *value) if isinstance(value, _Any) else value
            for at, value in enumerate(self.theirs)
        )

    @property
    def assumed(self) -> list[z3.BoolRef]:
        bounds = ((z3.BitVec(f"any_{at}", 32), one) for at, one in enumerate(self.theirs) if isinstance(one, _Any))
        return [z3.And(term >= value.low, term <= value.high) for term, value in bounds]


def _covers(mine: Any, its: Any) -> bool:
    if isinstance(mine, _Any) and type(its) in (int, _Any):
        low, high = its if isinstance(its, _Any) else (its, its)
        return bool(mine.low <= low and high <= mine.high)
    return type(mine) is type(its) and bool(mine == its)


class Proof:
    """A handler of a module, and the standard's."""

    kind = ""
    state_names: tuple[str, ...] = ()

    def __init__(self, path: Path, module: Emitted, codec: Codec, standard: Symbolic) -> None:
        self.path, self.module, self.codec = path, module, codec
        self.trace: list[str] = []
        encoding = Encoding(codec.name, (), codec.heading)
        index = next(iter(codec.handler.indexes), "")
        handler = standard.handler(encoding, self.kind, index, self.trace.append)
        if handler is None:
            raise ProofError(f"the standard has no {self.kind} for {codec.name}")
        self.handler = handler
        self.symbol = str(codec.data.get("symbol") or "")
        self.returned: frozenset[str] = frozenset()
        self.items: tuple[Any, Any] = (None, None)
        self.ways = 0

    @property
    def template(self) -> str:
        return f"templates/_handlers/{self.codec.handler.template}.pyx.j2"

    def prove(self) -> int:
        """Prove it. Return how many ways through both there are, or raise a ProofError."""
        first = _Pattern((0,) * len(self.state_names), self.handler.initial)
        self.patterns = {first: ""}
        self.later: list[tuple[list[z3.BoolRef], tuple[int, ...], tuple[Any, ...], Any]] = []
        todo = [first]
        try:
            for pattern in todo:
                for found, before in self._from(pattern):
                    if not any(known.covers(found) for known in self.patterns):
                        self.patterns[found] = before
                        todo.append(found)
            self._read_again()
        except RefutedError as error:
            raise ProofError(self._refusal(error)) from None
        except UnprovableError as error:
            raise ProofError(f"{self.template}: the {self.kind} of {self.codec.name} is not proved: {error}") from None
        return self.ways

    def _from(self, pattern: _Pattern) -> list[tuple[_Pattern, str]]:
        """Prove the next item from a pattern. Return the patterns after it, each with what led there."""
        after: list[tuple[_Pattern, str]] = []
        self.before = self.patterns[pattern]
        for assumed, run in self.cases(pattern, after):
            if not (ways := self.path.each(run, *pattern.assumed, *assumed)):
                raise UnprovableError("what is assumed of an item is met by no input")
            self.ways += ways
        return after

    def cases(self, pattern: _Pattern, after: list[tuple[_Pattern, str]]) -> Iterator[tuple[list[z3.BoolRef], Any]]:
        """Yield what is assumed of the next item and the function that compares it."""
        raise NotImplementedError

    def pattern(self, ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> _Pattern:
        if not all(isinstance(value, int) for value in ours):
            raise UnprovableError("the state after an item is no number")
        values = (_Any(one.low, one.high) if type(one) is Exact else one for one in theirs)
        return _Pattern(tuple(map(int, ours)), tuple(values))

    def note(self, after: list[tuple[_Pattern, str]], found: _Pattern) -> None:
        """Add a pattern, unless no input leads there."""
        known = [*self.patterns, *(pattern for pattern, _ in after)]
        if not any(pattern.covers(found) for pattern in known) and (model := self.path.find()) is not None:
            after.append((found, f"{self.before} {self.shown(model)}".strip()))

    def ask(self, item: Any) -> tuple[Any, list[Any]]:
        """Return the result of the standard's handler for an item, and what is restored."""
        if len(self.trace) > 1000:
            raise UnprovableError("the standard comes to no end")
        return self.handler.handle(item)

    def compare(self, ours: Item, theirs: Item) -> None:
        """Show that both make the same of an item."""
        self.items = ours, theirs
        parts = [ours.what == theirs.what, len(ours.output) == len(theirs.output)]
        if not all(parts):
            self.path.claim("the item", False)
            return
        terms = [equal(ours.length, theirs.length)]
        terms += [equal(mine, its) for mine, its in zip(ours.output, theirs.output, strict=True)]
        self.path.claim("the item", z3.And(*(z3.BoolVal(one) if isinstance(one, bool) else one for one in terms)))

    def check_at_rest(self) -> None:
        state = self.handler.state
        result, _ = self.ask(END_OF_QUEUE)
        if result is not FINISHED:
            self.path.claim("the standard is finished at end-of-queue", False)
        self.handler.state = state

    def _read_again(self) -> None:
        """Show that a byte that an error leaves takes the standard from a pattern to where it is."""
        for conditions, ours, state, item in self.later:
            for pattern in (one for one in self.patterns if one.ours == ours):
                start = [
                    has if isinstance(value, _Any) else value for value, has in zip(pattern.theirs, state, strict=True)
                ]

                def step(start: list[Any] = start, item: Any = item, state: tuple[Any, ...] = state) -> None:
                    self.handler.state = tuple(start)
                    result, restored = self.handler.handle(item)
                    same = result is CONTINUE and not restored and _same(self.handler.state, state)
                    self.path.claim("the state after an error", same)

                try:
                    self.path.each(step, *conditions)
                    break
                except RefutedError as error:
                    refuted = error
            else:
                raise refuted

    # -- In words ------------------------------------------------------------------------------------------------------

    def shown(self, model: Model) -> str:
        """Return an input in words."""
        raise NotImplementedError

    def _refusal(self, error: RefutedError) -> str:
        after = f" after {self.before}" if self.before else ""
        ours, theirs = (self._outcome(one, error.model) for one in self.items)
        step = f"#{self.handler.algorithm.anchor} {self.trace[-1]}" if self.trace else "the standard"
        under = f" under {', '.join(sorted(self.returned))}" if self.returned else ""
        if error.claim != "the item" and ours == theirs:
            what = f"what is to be shown is that {error.claim}"
        else:
            what = f"the template has {ours}{under},\nthe standard {theirs} ({step})"
            if error.claim != "the item":
                what = f"{error.claim} does not hold: {what}"
        return (
            f"{self.template} is refuted for the {self.kind} of {self.codec.name}:\n"
            f"for {self.shown(error.model)}{after} {what}."
        )

    def _outcome(self, item: Item | None, model: Model) -> str:
        if item is None:
            return "no item"
        numbers = [self._value(one, model) for one in (item.length, *item.output)]
        output = " ".join(f"{one:02X}" for one in numbers[1:])
        if self.kind == "encoder":
            return output if item.what == "output" else f"the error {output}"
        if item.what == "output":
            return f"{output} from {numbers[0]}"
        return f"{item.what} of {numbers[0]}"

    def _value(self, number: Any, model: Model) -> int:
        if type(number) in (int, bool):
            return int(number)
        # What is to be shown does not depend on an input that has no value: 0.
        inputs = {str(one): np.uint64(model.get(str(one), 0)) for one in _inputs(number.term)}
        values = Values(inputs, self.path.arrays)
        return int(values.of(number.term))


def _inputs(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
        yield term
    elif term.decl().kind() == z3.Z3_OP_SELECT:
        yield from _inputs(term.arg(1))
    else:
        for child in term.children():
            yield from _inputs(child)


def _same(found: Sequence[Any], wanted: Sequence[Any]) -> z3.BoolRef:
    terms = []
    for one, other in zip(found, wanted, strict=True):
        if isinstance(one, bool) or isinstance(other, bool) or not (isinstance(one, int) and isinstance(other, int)):
            terms.append(z3.BoolVal(one is other or one == other))
        else:
            term = equal(one, other)
            terms.append(z3.BoolVal(term) if isinstance(term, bool) else term)
    return z3.And(*terms)


# -- Decoders ----------------------------------------------------------------------------------------------------------


class Decoder(Proof):
    kind = "decoder"
    state_names = ("iso_2022_jp_decoder_output_state", "iso_2022_jp_output", "replacement_error_returned")
    is_incomplete = is_end = False
    """Whether the error of the handler is WE_ITEM_INCOMPLETE, and that of the standard is one at end-of-queue."""

    def cases(self, pattern: _Pattern, after: list[tuple[_Pattern, str]]) -> Iterator[tuple[list[z3.BoolRef], Any]]:
        def run() -> None:
            self.items = None, None
            del self.trace[:]
            state, ours = self._ours(pattern)
            theirs, again = self._theirs(pattern)
            self.compare(ours, theirs)
            if theirs.what == "error":
                self.path.claim("an error is of an incomplete item at end-of-queue", self.is_incomplete == self.is_end)
            self._check_properties(theirs)
            if theirs.what == "error" and self.path.branch(z3.And(IS_FINAL, theirs.length == LENGTH)):
                self.check_at_rest()  # and nothing follows
            elif again is None:
                self.note(after, self.pattern(state, self.handler.state))
            else:
                self.later.append((self.path.conditions, state, self.handler.state, again))

        yield [z3.UGE(LENGTH, 1)], run

    def _ours(self, pattern: _Pattern) -> tuple[tuple[Any, ...], Item]:
        run = self.module.run(dict(zip(self.state_names, pattern.ours, strict=True)), self.symbol)
        value, consumed, self.returned = self.module.decoded(f"{self.codec.decoder}_decode_item", run)
        state = tuple(getattr(run.state, name) for name in self.state_names)
        length = C(self.path, LENGTH, is_signed=False)
        item, self.is_incomplete = items.decoded(value, consumed, length, Truth(self.path, IS_FINAL))
        return state, item

    def _theirs(self, pattern: _Pattern) -> tuple[Item, Any]:
        """Return what the standard makes of the next item, and the byte that is read again after an error, if any."""
        self.handler.state = pattern.values(self.path)
        self.check_at_rest()
        del self.trace[:]
        source = items.Source(self._byte_at, self._check_restored, C(self.path, LENGTH, is_signed=False))
        found = items.next_decoded(self.handler, self.ask, self._is_at_rest, source)
        self.is_end = found.is_at_end
        return found.item, found.read_again

    def _byte_at(self, place: int) -> Any:
        if self.path.branch(z3.UGT(LENGTH, place)):
            return Exact(self.path, z3.ZeroExt(24, byte(place)), 0, 0xFF)
        return END_OF_QUEUE if self.path.branch(IS_FINAL) else None

    def _check_restored(self, restored: list[Any], place: int) -> None:
        # What is restored is what was read last: the same bytes are read again, from where they are.
        for at, one in enumerate(restored, place):
            same = at >= 0 and equal(Exact(self.path, z3.ZeroExt(24, byte(at)), 0, 0xFF), one)
            self.path.claim("what is restored was read", same)

    def _is_at_rest(self) -> bool:
        """Return whether the state of the standard is one between items: where the queue may end."""
        state, trace = self.handler.state, list(self.trace)
        result, _ = self.ask(END_OF_QUEUE)
        self.handler.state, self.trace[:] = state, trace
        return result is FINISHED

    def _is_silent(self) -> bool:
        state, trace = self.handler.state, list(self.trace)
        if not all(type(one) in (int, bool, type(None)) for one in state):
            return False
        found = capacity.is_silent(self.handler)
        self.handler.state, self.trace[:] = state, trace
        return found

    def _check_properties(self, theirs: Item) -> None:
        record = self.codec.handler
        code_points = theirs.output if theirs.what == "output" else [0xFFFD] * (theirs.what == "error")
        if code_points and not isinstance(theirs.length, int):
            raise UnprovableError("the length of an item is no number")
        fit = [
            bool(capacity.fits(code_points, theirs.length, record.decode_shift, is_last=is_last))
            for is_last in ((False, True) if code_points else ())
        ]
        if not all(fit):  # only the last item may round up: the end of the source, or before nothing else
            is_last = any(fit) and (self._is_silent() or theirs.length == LENGTH)
            self.path.claim(f"an item has the longest output (decode_shift {record.decode_shift})", is_last)
        if record.is_ascii_compatible:
            is_itself = len(theirs.output) == 1 and theirs.what == "output" and theirs.length == 1
            first = z3.ZeroExt(24, byte(0))
            same = equal(theirs.output[0], C(self.path, first, is_signed=True)) if is_itself else z3.BoolVal(False)
            self.path.claim("ASCII bytes are ASCII code points in every state", z3.Implies(z3.ULT(first, 0x80), same))

    def shown(self, model: Model) -> str:
        bytes_ = {int(name[5:]): value for name, value in model.items() if name.startswith("byte_")}
        length = model.get("length", max(bytes_, default=0) + 1)
        count = min(length, max([*bytes_, 0]) + 1)
        data = bytes(bytes_.get(at, 0) for at in range(count)).hex(" ").upper()
        return data + (" at end-of-queue" if model.get("is_final") and length <= count else "")


# -- Encoders ----------------------------------------------------------------------------------------------------------


class Encoder(Proof):
    kind = "encoder"
    state_names = ("iso_2022_jp_encoder_state",)

    def cases(self, pattern: _Pattern, after: list[tuple[_Pattern, str]]) -> Iterator[tuple[list[z3.BoolRef], Any]]:
        is_surrogate = z3.And(z3.UGE(CODE_POINT, 0xD800), z3.ULE(CODE_POINT, 0xDFFF))

        def run() -> None:
            self._compare(pattern, Exact(self.path, CODE_POINT, 0, 0x10FFFF), after)

        def run_at_end() -> None:
            self._compare(pattern, END_OF_QUEUE, after)

        def run_surrogate() -> None:
            # The standard has no surrogates: what comes before the error is what does before another one.
            other = self._theirs(pattern, NO_CHARACTER)
            state, ours = self._ours(pattern, CODE_POINT)
            surrogate = C(self.path, CODE_POINT, is_signed=False)
            before = other.output[:-1] if other.what == "error" else ()
            self.compare(ours, Item("error", 1, (*before, surrogate)))
            if other.what == "error":
                self.note(after, self.pattern(state, self.handler.state))
            elif state != pattern.ours:
                raise UnprovableError("a surrogate changes the state")

        yield [z3.ULE(CODE_POINT, 0x10FFFF), z3.Not(is_surrogate)], run
        yield [], run_at_end
        yield [is_surrogate], run_surrogate

    def _compare(self, pattern: _Pattern, item: Any, after: list[tuple[_Pattern, str]]) -> None:
        self.items = None, None
        del self.trace[:]
        theirs = self._theirs(pattern, item)
        if item is END_OF_QUEUE and self.codec.handler.encoder_property != "WE_FLUSHES":
            if theirs.output:
                self.path.claim("bytes at end-of-queue (WE_FLUSHES)", False)
            return
        state, ours = self._ours(pattern, emitted.END_OF_QUEUE if item is END_OF_QUEUE else CODE_POINT)
        self.compare(ours, theirs)
        self._check_properties(item, theirs)
        self.note(after, self.pattern(state, self.handler.state))

    def _ours(self, pattern: _Pattern, item: Any) -> tuple[tuple[Any, ...], Item]:
        run = self.module.run(dict(zip(self.state_names, pattern.ours, strict=True)), self.symbol)
        code_point = item if isinstance(item, int) else C(self.path, item, is_signed=False)
        function = f"{self.codec.encoder}_encode_item"
        output, error, written, self.returned = self.module.encoded(function, run, code_point)
        state = tuple(getattr(run.state, name) for name in self.state_names)
        most = max(self.codec.handler.encode_capacity)
        self.path.claim(f"at most {most} bytes are written", max(written, default=0) < most)
        return state, items.encoded(output, None if error == emitted.NO_ERROR else error)

    def _theirs(self, pattern: _Pattern, item: Any) -> Item:
        self.handler.state = pattern.values(self.path)
        try:
            return items.next_encoded(self.ask, item)
        except items.EndlessError as error:
            raise UnprovableError(str(error)) from None

    def _check_properties(self, item: Any, theirs: Item) -> None:
        record = self.codec.handler
        if theirs.what == "output" and item is not END_OF_QUEUE:
            for most, above in zip(record.encode_capacity, (0xFF, 0xFFFF, 0x10FFFF), strict=True):
                if len(theirs.output) > most:
                    claim = f"an item has the longest output (encode_capacity {record.encode_capacity})"
                    self.path.claim(claim, z3.UGT(CODE_POINT, above))
        if record.is_ascii_compatible and item is not END_OF_QUEUE:
            is_itself = theirs.what == "output" and len(theirs.output) == 1
            same = equal(theirs.output[0], item) if is_itself else z3.BoolVal(False)
            claim = "ASCII code points are ASCII bytes in every state"
            self.path.claim(claim, z3.Implies(z3.ULT(CODE_POINT, 0x80), same))

    def shown(self, model: Model) -> str:
        return f"U+{model['code_point']:04X}" if "code_point" in model else "end-of-queue"


# -- Modules -----------------------------------------------------------------------------------------------------------

KINDS: Mapping[str, type[Proof]] = {"decoder": Decoder, "encoder": Encoder}


def handlers(chapter: Chapter) -> Iterator[tuple[Codec, str, tuple[str, ...]]]:
    """Yield each handler of a module: its encoding, its kind, and the names of the encodings that use it.

    The one that single-byte encodings share is yielded for each, since they have tables of their own.
    """
    for parts, kind in ((chapter.decoders, "decoder"), (chapter.encoders, "encoder")):
        for part in parts:
            if part.codec.handler.is_single_byte:
                yield from ((codec, kind, (codec.name,)) for codec in chapter.encodings if codec.name in part.names)
            else:
                yield part.codec, kind, part.names


def prove(chapter: Chapter, text: str, machine: Machine, codec: Codec, kind: str) -> int:
    """Prove the handler of a module's text for an encoding. Return how many ways there are; raise a ProofError."""
    path = Path()
    return KINDS[kind](path, Emitted(path, text, chapter.tables), codec, Symbolic(path, machine)).prove()
