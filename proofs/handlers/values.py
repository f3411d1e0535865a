"""The values of a term of z3 for many inputs at once, by numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import z3

Array = Any
"""The entries of a table, as an array of numpy."""


class Values:
    """The values of terms for given values of their inputs."""

    def __init__(self, inputs: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        self._inputs, self._arrays = inputs, arrays
        self._known: dict[int, tuple[z3.ExprRef, Any]] = {}

    def of(self, term: z3.ExprRef) -> Any:
        """Return an array, or one number that stands for all, of the values of a term: integers from 0, or booleans."""
        if (known := self._known.get(term.get_id())) is None:
            known = self._known[term.get_id()] = term, self._of(term)
        return known[1]

    def _of(self, term: z3.ExprRef) -> Any:
        kind = term.decl().kind()
        if z3.is_bv_value(term):
            return np.uint64(term.as_long())
        if kind == z3.Z3_OP_UNINTERPRETED:
            return self._inputs[term.decl().name()]
        if kind == z3.Z3_OP_SELECT:
            entries = self._arrays[term.arg(0).decl().name()]
            # Only where an index is in range has the value a meaning: that it is, is shown by itself.
            return entries[np.minimum(self.of(term.arg(1)), np.uint64(len(entries) - 1))]
        values = [self.of(child) for child in term.children()]
        if kind in _SIGNED:
            values = [_signed(value, child.size()) for value, child in zip(values, term.children(), strict=True)]
            return _SIGNED[kind](*values)
        if kind in _BOOLEAN:
            found = values[0]
            for value in values[1:]:
                found = _BOOLEAN[kind](found, value)
            return found
        mask = np.uint64((1 << term.size()) - 1) if z3.is_bv(term) else None
        match kind:
            case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
                return np.bool_(kind == z3.Z3_OP_TRUE)
            case z3.Z3_OP_NOT:
                return ~values[0]
            case z3.Z3_OP_ITE:
                return np.where(*values)
            case z3.Z3_OP_ZERO_EXT:
                return values[0]
            case z3.Z3_OP_SIGN_EXT:
                return _signed(values[0], term.arg(0).size()).astype(np.uint64) & mask
            case z3.Z3_OP_EXTRACT:
                _, low = term.params()
                return values[0] >> np.uint64(low) & mask
            case z3.Z3_OP_CONCAT:
                found = np.uint64(0)
                for value, child in zip(values, term.children(), strict=True):
                    found = found << np.uint64(child.size()) | value
                return found
            case z3.Z3_OP_BASHR:
                by = np.minimum(values[1], np.uint64(63)).astype(np.int64)
                return (_signed(values[0], term.size()) >> by).astype(np.uint64) & mask
            case z3.Z3_OP_BNOT:
                return ~values[0] & mask
            case z3.Z3_OP_BNEG:
                return np.uint64(0) - values[0] & mask
        if kind not in _ARITHMETIC:
            raise NotImplementedError(f"{term.decl().name()} is not evaluated by proofs/handlers/values.py")
        found = values[0]
        for value in values[1:]:
            found = _ARITHMETIC[kind](found, value) & mask
        return found


def _signed(values: Any, size: int) -> Any:
    """Return the values of a signed number of so many bits."""
    shift = np.int64(64 - size)
    return np.asarray(values).astype(np.int64) << shift >> shift


def _shifted(shift: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: np.where(b < 64, shift(a, np.minimum(b, np.uint64(63))), np.uint64(0))


def _divided(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: divide(a, np.maximum(b, np.uint64(1)))


_SIGNED: Mapping[int, Callable[[Any, Any], Any]] = {
    z3.Z3_OP_SLT: np.less, z3.Z3_OP_SLEQ: np.less_equal, z3.Z3_OP_SGT: np.greater, z3.Z3_OP_SGEQ: np.greater_equal,
}  # fmt: skip
_BOOLEAN: Mapping[int, Callable[[Any, Any], Any]] = {
    z3.Z3_OP_AND: np.logical_and, z3.Z3_OP_OR: np.logical_or, z3.Z3_OP_EQ: np.equal, z3.Z3_OP_DISTINCT: np.not_equal,
    z3.Z3_OP_ULT: np.less, z3.Z3_OP_ULEQ: np.less_equal, z3.Z3_OP_UGT: np.greater, z3.Z3_OP_UGEQ: np.greater_equal,
}  # fmt: skip
_ARITHMETIC: Mapping[int, Callable[[Any, Any], Any]] = {
    z3.Z3_OP_BADD: np.add, z3.Z3_OP_BSUB: np.subtract, z3.Z3_OP_BMUL: np.multiply,
    z3.Z3_OP_BAND: np.bitwise_and, z3.Z3_OP_BOR: np.bitwise_or, z3.Z3_OP_BXOR: np.bitwise_xor,
    z3.Z3_OP_BSHL: _shifted(np.left_shift), z3.Z3_OP_BLSHR: _shifted(np.right_shift),
    z3.Z3_OP_BUDIV: _divided(np.floor_divide), z3.Z3_OP_BUREM: _divided(np.remainder),
    z3.Z3_OP_BUDIV_I: _divided(np.floor_divide), z3.Z3_OP_BUREM_I: _divided(np.remainder),
}  # fmt: skip
