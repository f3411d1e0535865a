"""The standard's programs over symbolic numbers: as `generator.spec.machine` runs them, with its indexes as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import z3

from generator.model import RANGES, Encoding, Snapshot
from generator.spec.machine import Handler, Machine
from proofs.handlers.numbers import Exact
from proofs.handlers.paths import Path

NULL = 0xFFFFFFFF
"""What stands for null in an array."""


class _Index:
    """An index of the standard, looked up by any pointer or code point."""

    def __init__(self, path: Path, name: str, index: Any) -> None:
        self.path, self.name, self.index = path, name, index
        self._without: dict[Any, _Index] = {}

    def code_point(self, pointer: Any) -> Any:
        return self._look_up("code_point", pointer)

    def pointer(self, code_point: Any) -> Any:
        return self._look_up("pointer", code_point)

    def last_pointer(self, code_point: Any) -> Any:
        return self._look_up("last_pointer", code_point)

    def _look_up(self, what: str, key: Any) -> Any:
        if type(key) is not Exact:
            return getattr(self.index, what)(key)
        entries = self.path.arrays.get(f"{self.name} {what}")
        if entries is None:
            pairs = self.index.entries
            of = dict(pairs if what == "code_point" else ((code, pointer) for pointer, code in pairs[:: _STEP[what]]))
            entries = np.full(max(of, default=0) + 1, NULL, dtype=np.uint64)
            entries[list(of)] = list(of.values())
            self.path.arrays[f"{self.name} {what}"] = entries
        # A negative key is a large one.
        if self.path.branch(z3.UGE(key.term, len(entries))):
            return None
        found = z3.Select(z3.Array(f"{self.name} {what}", z3.BitVecSort(32), z3.BitVecSort(32)), key.term)
        if self.path.branch(found == NULL):
            return None
        return Exact(self.path, found, 0, 0x10FFFF)

    def excluding(self, is_excluded: Callable[[int], bool]) -> _Index:
        if is_excluded.__code__ not in self._without:
            name = f"{self.name} without {len(self._without)}"
            self._without[is_excluded.__code__] = _Index(self.path, name, self.index.excluding(is_excluded))
        return self._without[is_excluded.__code__]


_STEP = {"pointer": -1, "last_pointer": 1}
"""The order in which the entries of a code point replace each other."""


class _Ranges:
    """The ranges of gb18030: the last one whose pointer or code point is at most any number."""

    def __init__(self, path: Path, ranges: Any) -> None:
        self.path, self.ranges = path, ranges

    def last_range(self, what: str, key: Any) -> tuple[Any, Any]:
        if type(key) is not Exact:
            found: tuple[int, int] = self.ranges.last_range(what, key)
            return found
        column = ("pointer", "code_point").index(what)
        starts = [entry[column] for entry in self.ranges.ranges]
        if self.path.branch(key.term >= starts[-1]):
            last: tuple[int, int] = self.ranges.last_range(what, starts[-1])
            return last
        return self._of(what, key, 0, starts), self._of(what, key, 1, starts)

    def _of(self, what: str, key: Exact, part: int, starts: list[int]) -> Exact:
        name = f"{RANGES} {what} {part}"
        entries = self.path.arrays.get(name)
        if entries is None:
            values = [self.ranges.last_range(what, start)[part] for start in starts[:-1]]
            entries = np.repeat(np.array(values, dtype=np.uint64), np.diff(starts))
            # Numbers below the first range have the last one, as an index of -1 does in `last_range`.
            below = np.full(starts[0], self.ranges.last_range(what, -1)[part], dtype=np.uint64)
            entries = self.path.arrays[name] = np.concatenate([below, entries])
        found = z3.Select(z3.Array(name, z3.BitVecSort(32), z3.BitVecSort(32)), key.term)
        return Exact(self.path, found, int(entries.min()), int(entries.max()))


class _Table:
    """A table of an algorithm, looked up by any key."""

    def __init__(self, rows: Mapping[int, list[int]]) -> None:
        self.rows = rows

    def __contains__(self, key: Any) -> bool:
        return key is not None and any(bool(key == known) for known in self.rows)

    def __getitem__(self, key: Any) -> list[int]:
        return next(list(items) for known, items in self.rows.items() if key == known)


class Symbolic:
    """The machine of a snapshot, over symbolic numbers."""

    def __init__(self, path: Path, machine: Machine) -> None:
        snapshot: Snapshot = machine.snapshot
        known = machine._indexes
        indexes: dict[str, Any] = {name: _Index(path, name, known[name]) for name in snapshot.indexes}
        indexes[RANGES] = _Ranges(path, known[RANGES])
        self.machine = Machine(machine.programs, snapshot, indexes)

    def handler(self, encoding: Encoding, kind: str, index: str, took: Callable[[str], None]) -> Handler | None:
        """Return a ``decoder`` or an ``encoder`` (see `Machine.handler`)."""
        handler = self.machine.handler(encoding, kind, index, took)
        if handler is not None:
            names = handler._handle.__func__.__globals__
            if isinstance(names.get("TABLE"), dict):
                names["TABLE"] = _Table(names["TABLE"])
        return handler
