"""Numbers of so many bits, known ones as `int` and others as terms of z3, and what compilers calculate with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

Number = Any
"""An `int` from 0, or a `z3.BitVecRef`."""

_PARTS: dict[int, tuple[z3.BitVecRef, list[tuple[Number, int]]]] = {}
"""What terms were put together from, the lowest bits first, by their numbers."""
_CONDITIONS: dict[int, tuple[z3.BitVecRef, z3.BoolRef]] = {}
"""The conditions that bits stand for, by the bits' numbers."""
_ONE, _ZERO = z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)


def forget() -> None:
    """Forget what earlier terms were put together from."""
    _PARTS.clear()
    _CONDITIONS.clear()


def mask(width: int) -> int:
    return (1 << width) - 1


def term(value: Number, width: int) -> z3.BitVecRef:
    return z3.BitVecVal(value, width) if isinstance(value, int) else value


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def joined(parts: Sequence[tuple[Number, int]]) -> Number:
    """Put numbers of so many bits together, the lowest first."""
    flat: list[tuple[Number, int]] = []
    for value, width in parts:
        if isinstance(value, int) and flat and isinstance(flat[-1][0], int):
            before, low = flat.pop()
            flat.append((before | value << low, low + width))
        else:
            flat.append((value, width))
    if len(flat) == 1:
        return flat[0][0]
    found = z3.Concat(*(term(value, width) for value, width in reversed(flat)))
    _PARTS[found.get_id()] = found, flat
    return found


def part(value: Number, low: int, width: int) -> Number:
    """Return some of a number's bits."""
    if isinstance(value, int):
        return value >> low & mask(width)
    if value.size() == width:
        return value
    known = _PARTS.get(value.get_id())
    if known is None:
        if value.decl().kind() == z3.Z3_OP_ZERO_EXT:
            inner = value.arg(0)
            if low >= inner.size():
                return 0
            if low + width <= inner.size():
                return part(inner, low, width)
        return z3.Extract(low + width - 1, low, value)
    found: list[tuple[Number, int]] = []
    at = 0
    for one, bits in known[1]:
        first, last = max(low - at, 0), min(low + width - at, bits)
        if first < last:
            found.append((part(one, first, last - first), last - first))
        at += bits
    return joined(found)


def extended(value: Number, width: int, wanted: int, *, is_signed: bool = False) -> Number:
    if isinstance(value, int):
        return (signed(value, width) if is_signed else value) & mask(wanted)
    if is_signed:
        return z3.SignExt(wanted - width, value)
    return joined([(value, width), (0, wanted - width)])


def bit(condition: Any) -> Number:
    """Return 1 or 0, of one bit, for a condition."""
    if isinstance(condition, bool):
        return int(condition)
    found = z3.If(condition, _ONE, _ZERO)
    _CONDITIONS[found.get_id()] = found, condition
    return found


def truth(value: Number) -> Any:
    """Return the condition that one bit stands for: a `bool`, or a term of z3."""
    if isinstance(value, int):
        return bool(value)
    known = _CONDITIONS.get(value.get_id())
    return known[1] if known is not None else value == _ONE


def chosen(condition: Number, then: Number, otherwise: Number, width: int) -> Number:
    if isinstance(condition, int):
        return then if condition else otherwise
    if isinstance(then, int) and isinstance(otherwise, int):
        if then == otherwise:
            return then
        if width == 1:
            return condition if then else bit(z3.Not(truth(condition)))
    elif then is otherwise:
        return then
    return z3.If(truth(condition), term(then, width), term(otherwise, width))


def inverted(value: Number, width: int) -> Number:
    if isinstance(value, int):
        return value ^ mask(width)
    return bit(z3.Not(truth(value))) if width == 1 else ~value


def looked_up(values: Sequence[Number], index: Number, width: int) -> Number:
    """Return the value of an index, of which only the bits that are needed are looked at."""
    if isinstance(index, int):
        return values[index]
    if all(isinstance(value, int) and value == values[0] for value in values):
        return values[0]
    if len(values) == 1:
        return values[0]
    top = (len(values) - 1).bit_length() - 1
    half = 1 << top
    low, high = looked_up(values[:half], index, width), looked_up(values[half:], index, width)
    return chosen(part(index, top, 1), high, low, width)


# -- Operations --------------------------------------------------------------------------------------------------------


def _divided(a: int, b: int) -> int:
    return a // b if b else 0


_KNOWN: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, _: a + b, "sub": lambda a, b, _: a - b, "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b, "or": lambda a, b, _: a | b, "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, w: a << b if b < w else 0, "lshr": lambda a, b, w: a >> b if b < w else 0,
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w - 1),
    "udiv": lambda a, b, _: _divided(a, b), "urem": lambda a, b, _: a % b if b else a,
    "sdiv": lambda a, b, w: int(signed(a, w) / signed(b, w)) if b else 0,
}  # fmt: skip
_TERMS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "shl": lambda a, b: a << b, "lshr": z3.LShR,
    "ashr": lambda a, b: a >> b, "udiv": z3.UDiv, "urem": z3.URem, "sdiv": lambda a, b: a / b,
}  # fmt: skip


def calculated(operation: str, a: Number, b: Number, width: int) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return _KNOWN[operation](a, b, width) & mask(width)
    if isinstance(a, int) and operation in ("add", "mul", "and", "or", "xor"):
        a, b = b, a
    if isinstance(b, int):
        if operation == "and" and b in (0, mask(width)):
            return a if b else 0
        if operation == "or" and b == mask(width):
            return b
        if operation == "xor" and b == mask(width):
            return inverted(a, width)
        if b == 0 and operation in ("add", "sub", "or", "xor", "shl", "lshr", "ashr"):
            return a
        if operation == "shl":
            return joined([(0, b), (part(a, 0, width - b), width - b)]) if b < width else 0
        if operation == "lshr":
            return joined([(part(a, b, width - b), width - b), (0, b)]) if b < width else 0
    elif isinstance(a, int) and a == 0 and operation in ("shl", "lshr", "ashr"):
        return 0
    return _TERMS[operation](term(a, width), term(b, width))


_COMPARED: dict[str, tuple[Callable[[int, int], bool], Callable[[Any, Any], Any], bool]] = {
    "eq": (lambda a, b: a == b, lambda a, b: a == b, False), "ne": (lambda a, b: a != b, lambda a, b: a != b, False),
    "ult": (lambda a, b: a < b, z3.ULT, False), "ule": (lambda a, b: a <= b, z3.ULE, False),
    "ugt": (lambda a, b: a > b, z3.UGT, False), "uge": (lambda a, b: a >= b, z3.UGE, False),
    "slt": (lambda a, b: a < b, lambda a, b: a < b, True), "sle": (lambda a, b: a <= b, lambda a, b: a <= b, True),
    "sgt": (lambda a, b: a > b, lambda a, b: a > b, True), "sge": (lambda a, b: a >= b, lambda a, b: a >= b, True),
}  # fmt: skip


def compared(predicate: str, a: Number, b: Number, width: int) -> Number:
    known, of_terms, is_signed = _COMPARED[predicate]
    if isinstance(a, int) and isinstance(b, int):
        return int(known(signed(a, width), signed(b, width)) if is_signed else known(a, b))
    if width == 1 and isinstance(b, int) and predicate in ("eq", "ne"):
        return a if bool(b) == (predicate == "eq") else inverted(a, 1)
    return bit(of_terms(term(a, width), term(b, width)))


def saturated(value: Number, width: int, wanted: int, *, is_signed: bool) -> Number:
    """Narrow a signed number to a signed or an unsigned one; beyond its range to the nearest."""
    least, most = (-(1 << (wanted - 1)), mask(wanted - 1)) if is_signed else (0, mask(wanted))
    if isinstance(value, int):
        return min(max(signed(value, width), least), most) & mask(wanted)
    return z3.If(
        value < least,
        z3.BitVecVal(least, wanted),
        z3.If(value > most, z3.BitVecVal(most, wanted), part(value, 0, wanted)),
    )
