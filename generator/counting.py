"""Text as numbers, and how often combinations of them occur: what the statistics of detection and of repair share."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.integer[Any]]
Shares = npt.NDArray[np.float64]


def code_points(text: str) -> Numbers:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def occurrences(shape: tuple[int, ...], *numbers: Numbers) -> Numbers:
    """Return a table of how often each combination of numbers is at the same position of their arrays."""
    return np.bincount(np.ravel_multi_index(numbers, shape), minlength=prod(shape)).reshape(shape)


def nearest(bits: Shares, levels: tuple[float, ...]) -> Numbers:
    """Return, of each cost in bits, the position of the level that is nearest to it: of two, the lower one."""
    positions: Numbers = np.abs(np.subtract.outer(bits, levels)).argmin(-1)
    return positions
