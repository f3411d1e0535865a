"""The table of doors, doors.toml, as rows: what is called, on which input, and what others call."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchmarks import DOORS, codec_of, inputs

#: The package of another commit, as a contender.
BASE = "before"


@dataclass(frozen=True)
class Door:
    """A row of the table: a statement to measure, after ``setup``, with the variables of ``given``."""

    name: str
    call: str
    setup: str
    peers: Mapping[str, str]
    given: Mapping[str, Any]
    calls: int = 10
    is_first: bool = False

    @property
    def is_in_part(self) -> bool:
        """Return whether the row belongs to the third that each run of CI counts; rows added later move no others."""
        return zlib.crc32(self.name.encode()) % 3 == 0


@cache
def _given(name: str, size: int) -> tuple[str, dict[str, Any]]:
    """Return the title of an input, and its variables: ``data`` or ``text``, and the encoding's name and codec."""
    unit = next(unit for unit, expressions in DOORS["inputs"].items() if name in expressions)
    value = eval(DOORS["inputs"][unit][name], vars(inputs) | {"size": size})
    encoding = name.partition(",")[0]
    title = name if unit == "once" else f"{name}, {_amount(size, unit)}"
    return title, {"text" if isinstance(value, str) else "data": value, "name": encoding, "codec": codec_of(encoding)}


def _amount(size: int, unit: str) -> str:
    if unit != "bytes":
        return f"{size} {unit}"
    return f"{size} B" if size < 1000 else f"{size // 1024} KiB" if size % 1000 else f"{size // 1000} KB"


def doors() -> Iterator[Door]:
    """Yield the rows of the table, in its order."""
    for name, door in DOORS["doors"].items():
        call, setup, peers = door.get("call", ""), door.get("setup", ""), door.get("peers", {})
        rows = [(key, size) for key, sizes in door.get("inputs", {}).items() for size in sizes]
        for key, size in rows:
            title, given = _given(key, size)
            calls = door.get("calls", 10 if size < 10_000 else 2)
            yield Door(f"{name}: {title}", call, setup, peers, given, calls)
        if "first" in door:
            given = _given(*rows[0])[1] if rows else {}
            statement = "; ".join(filter(None, (door["first"], setup, call)))
            yield Door(f"{name}: first use", statement, "", peers, given, calls=1, is_first=True)
        elif not rows:
            yield Door(name, call, setup, peers, {})
