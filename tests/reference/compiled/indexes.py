"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#indexes.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..indexes import INDEXES
from ..io_queue import in_range


def index_gb18030_ranges_code_point(pointer: Any) -> Any:
    """https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point."""
    # 1
    if (pointer > 39419 and pointer < 189000) or pointer > 1237575:
        return None
    # 2
    if pointer == 7457:
        return 0xE7C7
    # 3
    offset, code_point_offset = INDEXES["gb18030-ranges"].last_range("pointer", pointer)
    # 4
    return code_point_offset + pointer - offset


def index_gb18030_ranges_pointer(code_point: Any) -> Any:
    """https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer."""
    # 1
    if code_point == 0xE7C7:
        return 7457
    # 2
    offset, pointer_offset = INDEXES["gb18030-ranges"].last_range("code_point", code_point)
    # 3
    return pointer_offset + code_point - offset


def index_shift_jis_pointer(code_point: Any) -> Any:
    """https://encoding.spec.whatwg.org/#index-shift_jis-pointer."""
    # 1
    index = INDEXES["jis0208"].excluding(lambda pointer: in_range(pointer, 8272, 8835))
    # 2
    return index.pointer(code_point)


def index_big5_pointer(code_point: Any) -> Any:
    """https://encoding.spec.whatwg.org/#index-big5-pointer."""
    # 1
    index = INDEXES["big5"].excluding(lambda pointer: pointer < (0xA1 - 0x81) * 157)
    # 2
    if (
        code_point == 0x2550
        or code_point == 0x255E
        or code_point == 0x2561
        or code_point == 0x256A
        or code_point == 0x5341
        or code_point == 0x5345
    ):
        return index.last_pointer(code_point)
    # 3
    return index.pointer(code_point)
