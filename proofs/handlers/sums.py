"""That each item fits its own bytes makes all of them fit what a caller offers, by induction over a source's items.

Invariant: before an item, at most the capacity for the bytes read has been written. Each step keeps it, and the
capacity that is left suffices for the next item, the last one included. Bytes of UTF-8 are a fixed multiple of units,
so both hold for them, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from generator.spec import capacity
from proofs.handlers.induction import ProofError


@dataclass(frozen=True)
class Count:
    """A number of bytes or units, of any size."""

    term: z3.ArithRef

    def __add__(self, other: Count | int) -> Count:
        return Count(self.term + (other.term if isinstance(other, Count) else other))

    def __sub__(self, other: int) -> Count:
        return Count(self.term - other)

    def __floordiv__(self, other: int) -> Count:
        return Count(self.term / other)  # of integers, rounded down


def prove(shift: int) -> None:
    """Show it for a `decode_shift`; raise a ProofError with numbers where it is not so."""
    read, length, rest = (Count(z3.Int(name)) for name in ("read", "length", "rest"))

    def most(count: Count, *, is_last: bool) -> z3.ArithRef:
        found: Count = capacity.most(count, shift, is_last=is_last)
        return found.term

    written = most(read, is_last=False)
    room = most(read + length + rest, is_last=True)
    for what, claim in (
        ("the capacity for no bytes", most(Count(z3.IntVal(0)), is_last=False) >= 0),
        ("before the next item", written + most(length, is_last=False) <= most(read + length, is_last=False)),
        ("room for an item", written + most(length, is_last=False) <= room),
        ("room for the last item", written + most(length, is_last=True) <= room),
    ):
        solver = z3.Solver()
        solver.add(*(each.term >= 0 for each in (read, length, rest)), z3.Not(claim))
        if (result := solver.check()) != z3.unsat:
            found = solver.model() if result == z3.sat else "not decided"
            raise ProofError(f"decode_shift {shift}: {what} does not hold: {found}")
