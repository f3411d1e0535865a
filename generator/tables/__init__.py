"""Lookup tables and constants, from running the standard's algorithms.

`pointers` and `mappings` run the algorithms; `direct` and `two_stage` are layouts of tables, each built from a mapping,
whose `lookup` mirrors the emitted C; `single_byte_vectors` is a table for vectors; `encodings` chooses the layouts;
`constants` has the numbers besides tables.
"""

from __future__ import annotations

from generator.tables.direct import Direct
from generator.tables.mappings import Mappings
from generator.tables.pointers import Pointers
from generator.tables.two_stage import TwoStage

Table = Direct | TwoStage

__all__ = ["Direct", "Mappings", "Pointers", "Table", "TwoStage"]
