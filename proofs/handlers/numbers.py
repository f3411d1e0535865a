"""Symbolic numbers, which programs calculate with as with integers: those of C, and the exact ones of the standard.

A condition is taken as true or false where a program asks for it, on each way in turn (`Path.branch`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from proofs.handlers.paths import Path, UnprovableError


class Truth:
    """A condition."""

    __slots__ = ("path", "term")

    def __init__(self, path: Path, term: z3.BoolRef) -> None:
        self.path, self.term = path, term

    def __bool__(self) -> bool:
        return self.path.branch(self.term)

    def __radd__(self, other: int) -> int:
        return other + bool(self)


class _Number:
    """What the numbers of C and of the standard have in common."""

    __slots__ = ("path", "term")
    __hash__ = None  # type: ignore[assignment]
    path: Path
    term: z3.BitVecRef

    def _compare(self, other: Any, kind: str) -> Truth:
        raise NotImplementedError

    def _calculate(self, other: Any, operator: str, *, is_right: bool) -> Any:
        raise NotImplementedError

    def __eq__(self, other: object) -> Any:
        return self._compare(other, "==") if isinstance(other, _Number | int) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return self._compare(other, "!=") if isinstance(other, _Number | int) else NotImplemented

    def __lt__(self, other: Any) -> Truth:
        return self._compare(other, "<")

    def __le__(self, other: Any) -> Truth:
        return self._compare(other, "<=")

    def __gt__(self, other: Any) -> Truth:
        return self._compare(other, ">")

    def __ge__(self, other: Any) -> Truth:
        return self._compare(other, ">=")

    def __bool__(self) -> bool:
        return bool(self != 0)


def _operator(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def left(self: _Number, other: Any) -> Any:
        return self._calculate(other, name, is_right=False)

    def right(self: _Number, other: Any) -> Any:
        return self._calculate(other, name, is_right=True)

    return left, right


_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "and": "&", "or": "|", "lshift": "<<",
    "rshift": ">>",
}  # fmt: skip
for _name, _symbol in _OPERATORS.items():
    for _prefix, _function in zip(("__", "__r"), _operator(_symbol), strict=True):
        setattr(_Number, f"{_prefix}{_name}__", _function)

# -- C -----------------------------------------------------------------------------------------------------------------

WIDTHS = {"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "size_t": 64, "int": 32, "bint": 32}


class C(_Number):
    """An operand of C: an ``int``, a ``uint32_t`` or a ``size_t``, to which narrower ones are promoted.

    A concrete one is an integer of Python.
    """

    __slots__ = ("is_signed",)

    def __init__(self, path: Path, term: z3.BitVecRef, *, is_signed: bool) -> None:
        self.path, self.term, self.is_signed = path, term, is_signed

    def _pair(self, other: Any) -> tuple[z3.BitVecRef, z3.BitVecRef, bool]:
        """Return both operands after the usual arithmetic conversions, and whether they are signed then."""
        if isinstance(other, Truth):
            other = int(bool(other))
        if isinstance(other, int):
            size = self.term.size()
            if not -(1 << 31) <= other < 1 << size:
                raise UnprovableError(f"the number {other} does not fit {size} bits")
            is_signed = self.is_signed and other < 1 << 31
            return self.term, z3.BitVecVal(other, size), is_signed
        if not isinstance(other, C):
            raise UnprovableError(f"{other!r} is no number of C")
        size = max(self.term.size(), other.term.size())
        wide = [one for one in (self, other) if one.term.size() == size]
        return _extended(self, size), _extended(other, size), all(one.is_signed for one in wide)

    def _compare(self, other: Any, kind: str) -> Truth:
        a, b, is_signed = self._pair(other)
        found = {
            "==": lambda: a == b, "!=": lambda: a != b,
            "<": lambda: a < b if is_signed else z3.ULT(a, b), "<=": lambda: a <= b if is_signed else z3.ULE(a, b),
            ">": lambda: a > b if is_signed else z3.UGT(a, b), ">=": lambda: a >= b if is_signed else z3.UGE(a, b),
        }[kind]()  # fmt: skip
        return Truth(self.path, found)

    def _calculate(self, other: Any, operator: str, *, is_right: bool) -> C:
        a, b, is_signed = self._pair(other)
        if is_right:
            a, b = b, a
        if operator in ("<<", ">>"):
            # A shift has the type of its left operand, which the count does not change.
            if not z3.is_bv_value(b) or b.as_long() >= a.size():
                raise UnprovableError("a shift by no constant")
            found = a << b if operator == "<<" else a >> b if is_signed else z3.LShR(a, b)
            return C(self.path, found, is_signed=is_signed)
        if operator in ("//", "%"):
            if is_signed:
                self.path.claim("what is divided is not negative", a >= 0)
            _check_divisor(b)
        calculated = {
            "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "&": lambda: a & b, "|": lambda: a | b,
            "//": lambda: z3.UDiv(a, b), "%": lambda: z3.URem(a, b),
        }  # fmt: skip
        return C(self.path, calculated[operator](), is_signed=is_signed)


def _check_divisor(term: z3.BitVecRef) -> None:
    if not z3.is_bv_value(term) or term.as_long() == 0:
        raise UnprovableError("a division by no constant")


def _extended(value: C, size: int) -> z3.BitVecRef:
    more = size - value.term.size()
    return z3.SignExt(more, value.term) if value.is_signed else z3.ZeroExt(more, value.term)


def as_type(name: str, value: Any) -> Any:
    """Return a value as converted to a type of C, and promoted again."""
    width = WIDTHS[name]
    if isinstance(value, Truth):
        value = int(bool(value))
    if isinstance(value, int):
        return value if name in ("int", "bint") and -(1 << 31) <= value < 1 << 31 else value & (1 << width) - 1
    if not isinstance(value, C):
        raise UnprovableError(f"{value!r} is no number of C")
    term = _extended(value, width) if value.term.size() <= width else z3.Extract(width - 1, 0, value.term)
    return promoted(value.path, term, is_signed=name in ("int", "bint"))


def promoted(path: Path, term: z3.BitVecRef, *, is_signed: bool = False) -> C:
    """Return a number of C of a term, an ``int`` if it is narrower than that."""
    if term.size() < 32:
        return C(path, z3.ZeroExt(32 - term.size(), term), is_signed=True)
    return C(path, term, is_signed=is_signed)


# -- The standard ------------------------------------------------------------------------------------------------------


class Exact(_Number):
    """A number of the standard, which is as large as it is, within bounds that fit 32 bits."""

    __slots__ = ("high", "low")

    def __init__(self, path: Path, term: z3.BitVecRef, low: int, high: int) -> None:
        if not -(1 << 31) <= low <= high < 1 << 31:
            raise UnprovableError("a number of the standard may have more than 31 bits")
        self.path, self.term, self.low, self.high = path, term, low, high

    # The programs ask whether an item is an integer.
    __class__ = property(lambda self: int)

    def _pair(self, other: Any) -> tuple[z3.BitVecRef, int, int]:
        if type(other) is Exact:
            return other.term, other.low, other.high
        if type(other) not in (int, bool):
            raise UnprovableError(f"{other!r} is no number of the standard")
        return z3.BitVecVal(other, 32), other, other

    def _compare(self, other: Any, kind: str) -> Truth:
        a, (b, _, _) = self.term, self._pair(other)
        found = {
            "==": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b,
            ">=": lambda: a >= b,
        }[kind]()  # fmt: skip
        return Truth(self.path, found)

    def _calculate(self, other: Any, operator: str, *, is_right: bool) -> Exact:
        left, right = (self.term, self.low, self.high), self._pair(other)
        (a, low, high), (b, low_2, high_2) = (right, left) if is_right else (left, right)
        if operator == "+":
            return Exact(self.path, a + b, low + low_2, high + high_2)
        if operator == "-":
            return Exact(self.path, a - b, low - high_2, high - low_2)
        if operator == "*":
            ends = [x * y for x in (low, high) for y in (low_2, high_2)]
            return Exact(self.path, a * b, min(ends), max(ends))
        if low < 0:
            self.path.claim("an operand of the standard is not negative", a >= 0)
            low = 0
        if operator in ("//", "%"):
            _check_divisor(b)
            if operator == "//":
                return Exact(self.path, z3.UDiv(a, b), low // low_2, high // low_2)
            return Exact(self.path, z3.URem(a, b), 0, low_2 - 1)
        if operator == "<<":
            return Exact(self.path, a << b, low << low_2, high << high_2)
        if operator == ">>":
            return Exact(self.path, z3.LShR(a, b), low >> high_2, high >> low_2)
        if low_2 < 0:
            raise UnprovableError("an operand of the standard may be negative")
        most = (1 << max(high.bit_length(), high_2.bit_length())) - 1
        if operator == "&":
            return Exact(self.path, a & b, 0, min(high, high_2))
        return Exact(self.path, a | b, 0, most)


def equal(ours: Any, theirs: Any) -> z3.BoolRef | bool:
    """Return whether a number of C and one of the standard are the same."""
    if type(ours) is int and type(theirs) is int:
        return ours == theirs
    terms = []
    for one, other in ((ours, theirs), (theirs, ours)):
        if type(one) is int:
            size = other.term.size()
            if not 0 <= one < 1 << size:
                return False
            terms.append(z3.BitVecVal(one, size))
        else:
            terms.append(one.term)
    a, b = terms
    size = max(a.size(), b.size())
    found: z3.BoolRef = z3.ZeroExt(size - a.size(), a) == z3.ZeroExt(size - b.size(), b)
    return found
