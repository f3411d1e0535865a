"""Run emitted handlers without a compiler: the functions of a generated module, read as Python.

They are a small part of Cython: declarations, casts and pointers are all that Python does not have. Whatever else a
template uses is an error. Tables are those of the snapshot, and no read outside of one, or of the source, is possible.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from generator.model import GeneratorError
from generator.spec.machine import END_OF_QUEUE, Error, Failure, Handler, State
from generator.tables import Table, TwoStage

if TYPE_CHECKING:
    from generator.modules import Codec

ERROR, INCOMPLETE, NONE, NO_ERROR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
FLUSH = 0xFFFFFFFE


class UnreadableError(GeneratorError):
    """An emitted function uses more of Cython than is read here."""


# -- What emitted functions use of C: src/native: codec.h, error_policy.h, scalar/


class Memory:
    """An array of which only what is in it can be read."""

    def __init__(self, name: str, values: Sequence[int]) -> None:
        self.name = name
        self.values = values

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < len(self.values):
            raise IndexError(f"{self.name}[{index}] is read, which has {len(self.values)} entries")
        return self.values[index]


@dataclass(slots=True)
class Target:
    """The bytes that an encoder writes."""

    written: dict[int, int] = field(default_factory=dict)
    start: int = 0

    def __setitem__(self, index: int, value: int) -> None:
        self.written[self.start + index] = value & 0xFF

    def __add__(self, count: int) -> Target:
        return Target(self.written, self.start + count)

    def first(self, count: int) -> list[int]:
        """Return the first bytes. Raise an IndexError if one of them was not written."""
        if missing := [index for index in range(count) if index not in self.written]:
            raise IndexError(f"byte {missing[0]} of {count} is not written")
        return [self.written[index] for index in range(count)]


def _put_utf8(target: Target, code_point: int) -> int:
    encoded = chr(code_point).encode("utf-8", "surrogatepass")
    for index, byte in enumerate(encoded):
        target[index] = byte
    return len(encoded)


def _store_pair(target: Target, pair: int) -> None:
    """Write two bytes, the lower one first."""
    target[0], target[1] = pair, pair >> 8


def _single_byte_of(reverse: TwoStage, code_point: int) -> int:
    """``we_single_byte_of`` of src/native/kernels/scalar/single_byte.h: the byte of a code point, or 0."""
    if code_point < 0x80:
        return code_point
    return reverse.lookup(code_point) if code_point <= 0xFFFF else 0


_C: Mapping[str, Any] = {
    "WE_ITEM_ERROR": ERROR,
    "WE_ITEM_INCOMPLETE": INCOMPLETE,
    "WE_ITEM_NONE": NONE,
    "WE_END_OF_QUEUE": FLUSH,
    "WE_ISO_2022_JP_ASCII": 0,
    "WE_ISO_2022_JP_ROMAN": 1,
    "WE_ISO_2022_JP_KATAKANA": 2,
    "WE_ISO_2022_JP_LEADING_BYTE": 3,
    "WE_ISO_2022_JP_JIS0208": 3,
    "we_store_pair": _store_pair,
    "we_put_utf8": _put_utf8,
    "we_single_byte_of": _single_byte_of,
    "we_is_surrogate": lambda code_point: 0xD800 <= code_point <= 0xDFFF,
    "uint8": lambda value: value & 0xFF,
}

# -- From Cython to Python ---------------------------------------------------------------------------------------------

_FUNCTION = re.compile(r'cdef inline (\w+) (\w+)(?: "\w+")?\(([^()]*)\) noexcept nogil:')
_PARAMETER = re.compile(r"(?:const )?(\w+) (\*?)(\w+)")
_DECLARATION = re.compile(r"^( +)cdef (\w+) (.*)$", re.M)
_END = "# -- Registry"


def _python(text: str) -> str:
    """Return the functions of a generated module as Python, each statement in its line; types are annotations."""
    text = text[: text.index(_END)]
    text = "\n" * text[: text.index("cdef inline")].count("\n") + text[text.index("cdef inline") :]
    text = _FUNCTION.sub(_definition, text)
    text = _DECLARATION.sub(_assignments, text)
    text = re.sub(r"\bwhile (.+):$", r"while repeats(\1):", text, flags=re.M)
    text = re.sub(r"<uint8_t> \(", "uint8(", text)
    text = re.sub(r"<uint8_t> (\w+)", r"uint8(\1)", text)
    return text.replace("<const we_single_byte_tables *> ", "").replace("(&(", "((")


def _definition(match: re.Match[str]) -> str:
    parameters = _PARAMETER.sub(lambda parameter: parameter[3], match[3])
    return f"def {match[2]}({parameters}):"


def _assignments(match: re.Match[str]) -> str:
    """Return the variables of a declaration as annotations, with their initial values if they have any."""
    call = ast.parse(f"_({match[3].replace(' = ', ' := ')})", mode="eval").body
    declarations = []
    for variable in getattr(call, "args", ()):
        value = f" = {ast.unparse(variable.value)}" if isinstance(variable, ast.NamedExpr) else ""
        declarations.append(f"{ast.unparse(variable.target if value else variable)}: {match[2]}{value}")
    return match[1] + "; ".join(declarations)


MOST_REPETITIONS = 100
"""More than any item takes."""


class Module:
    """The functions of a generated module, and its tables, by name."""

    def __init__(self, text: str, tables: Iterable[Table]) -> None:
        """Read a module's text. Raise an UnreadableError if it is none that can be read."""
        self.names: dict[str, Any] = {**_C, "repeats": self._repeats}
        self.repetitions = 0
        for table in tables:
            self.names[table.symbol] = table
            for array in table.arrays():
                values = [array.entries.get(index, 0) for index in range(array.length)]
                self.names[array.symbol] = Memory(array.symbol, values)
        try:
            exec(compile(_python(text), "<emitted>", "exec"), self.names)
        except SyntaxError as error:
            raise UnreadableError(
                f"{(error.text or '').strip()!a}: generator/spec/emitted.py does not read this"
            ) from None

    def _repeats(self, condition: Any) -> Any:
        """Return whether a loop begins again, and count it. Raise an IndexError where none of the standard's does."""
        self.repetitions += 1
        if self.repetitions > MOST_REPETITIONS:
            raise IndexError("a loop does not end")
        return condition


# -- Handlers ----------------------------------------------------------------------------------------------------------


class _State(SimpleNamespace):
    """The variables of `we_state`, 0 at first."""

    def __getattr__(self, name: str) -> int:
        return 0


class _Handler(Handler):
    """A function of a module in place of a program; `struct` is its ``we_decode_run`` or ``we_encode_run``."""

    def __init__(self, module: Module, codec: Codec, function: str) -> None:
        self.module, self.record, self.function = module, codec.handler, module.names[function]
        tables = None
        if symbol := codec.data.get("symbol"):
            tables = SimpleNamespace(index=module.names[str(symbol)], reverse=module.names[f"{symbol}_reverse"])
        self.struct = SimpleNamespace(state=_State(), end_of_queue=False, tables=tables)
        self.pending = b""
        """The start of an incomplete sequence of a decoder."""
        self.initial = self.state

    @property
    def state(self) -> State:
        """The values of all variables that are not 0, and what is pending."""
        return *sorted((name, int(value)) for name, value in vars(self.struct.state).items() if value), self.pending

    @state.setter
    def state(self, values: State) -> None:
        *variables, self.pending = values
        vars(self.struct.state).clear()
        vars(self.struct.state).update(variables)

    def process(self, item: Any) -> tuple[Any, ...]:
        """Return what `machine.Handler.process` does; what is not allowed is a failure."""
        self.module.repetitions = 0
        try:
            return tuple(self.processed(item))
        except (IndexError, UnboundLocalError) as error:
            return (Failure(error),)

    def processed(self, item: Any) -> list[Any]:
        raise NotImplementedError


class Decoder(_Handler):
    """An emitted decoder, which is given what is pending and a byte; the byte after it may not change the outcome."""

    def __init__(self, module: Module, codec: Codec) -> None:
        super().__init__(module, codec, f"{codec.decoder}_decode_item")

    def processed(self, item: Any) -> list[Any]:
        is_last = self.struct.end_of_queue = item is END_OF_QUEUE
        data = self.pending + (b"" if is_last else bytes([item]))
        before, followed = self.state, [] if is_last else self._decoded(data + b"A")
        self.state = before
        outcome = self._decoded(data)
        if not is_last and followed[: len(outcome)] != outcome:
            raise IndexError("another outcome if a byte follows")
        most = -(-len(data) >> self.record.decode_shift)
        if sum(2 if isinstance(unit, int) and unit > 0xFFFF else 1 for unit in outcome) > most:
            raise IndexError(f"room for {most} units (decode_shift)")
        return outcome

    def _decoded(self, data: bytes) -> list[Any]:
        """Return what all complete items of some bytes are decoded to, and keep the others."""
        outcome: list[Any] = []
        while data:
            consumed = [1]
            value = self.function(self.struct, Memory("source", data), len(data), consumed)
            if not 1 <= consumed[0] <= len(data):
                raise IndexError(f"{consumed[0]} bytes of {len(data)} are consumed")
            if value == INCOMPLETE and not self.struct.end_of_queue:
                break
            data = data[consumed[0] :]
            if value in (INCOMPLETE, ERROR):
                outcome.append(Error())
            elif value != NONE:
                outcome += [value] if value <= 0x10FFFF else [value >> 16, value & 0xFFFF]
        self.pending = data
        return outcome


class Encoder(_Handler):
    """An emitted encoder, which is given code points and, if it flushes, the end of the queue."""

    def __init__(self, module: Module, codec: Codec) -> None:
        super().__init__(module, codec, f"{codec.encoder}_encode_item")

    def processed(self, item: Any) -> list[Any]:
        if item is END_OF_QUEUE and self.record.encoder_property != "WE_FLUSHES":
            return []
        code_point = FLUSH if item is END_OF_QUEUE else item
        target, error = Target(), [NO_ERROR]
        output = target.first(self.function(self.struct, code_point, target, error))
        most = self.record.encode_capacity[(code_point > 0xFF) + (code_point > 0xFFFF)]
        if error[0] != NO_ERROR:
            return [*output, Error(error[0])]
        if len(output) > most:
            raise IndexError(f"room for {most} bytes (encode_capacity)")
        return output
