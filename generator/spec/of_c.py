"""The functions of C that emitted ones call, in Python."""

from __future__ import annotations

from typing import Any


def put_utf8(target: Any, code_point: Any) -> int:
    """``we_put_utf8`` of src/native/kernels/units.h: write a code point as UTF-8, and return its length."""
    if code_point < 0x80:
        target[0] = code_point
        return 1
    if code_point < 0x800:
        target[0] = 0xC0 | code_point >> 6
        target[1] = 0x80 | code_point & 0x3F
        return 2
    if code_point < 0x10000:
        target[0] = 0xE0 | code_point >> 12
        target[1] = 0x80 | code_point >> 6 & 0x3F
        target[2] = 0x80 | code_point & 0x3F
        return 3
    target[0] = 0xF0 | code_point >> 18
    target[1] = 0x80 | code_point >> 12 & 0x3F
    target[2] = 0x80 | code_point >> 6 & 0x3F
    target[3] = 0x80 | code_point & 0x3F
    return 4


def store_pair(target: Any, pair: Any) -> None:
    """``we_store_pair`` of src/native/kernels/double_byte/scalar.h: write two bytes, the lower one first."""
    target[0] = pair
    target[1] = pair >> 8


def is_surrogate(code_point: Any) -> Any:
    """``we_is_surrogate`` of src/native/engine/error_policy.h."""
    return (code_point & 0xFFFFF800) == 0xD800


def single_byte_of(stage1: Any, stage2: Any, code_point: Any) -> Any:
    """``we_single_byte_of`` of src/native/kernels/single_byte/scalar.h: the byte of a code point, 0 if it has none."""
    if code_point < 0x80:
        return code_point
    if code_point > 0xFFFF:
        return 0
    return stage2[stage1[code_point >> 7] * 128 + (code_point & 0x7F)]
