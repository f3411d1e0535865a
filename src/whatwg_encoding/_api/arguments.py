"""What functions of several modules check their arguments by."""

from __future__ import annotations

from collections.abc import Sequence

from .._labels import lookup
from .._native.core import Encoding, UnknownLabelError, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Results(dict):  # type: ignore[type-arg]
    """The results of a function by its argument, at most so many: functools takes a millisecond to load."""

    def __init__(self, function: Callable[[Any], object], most: int) -> None:
        self._function = function
        self._most = most

    def __missing__(self, argument: object) -> object:
        if len(self) >= self._most:
            self.clear()
        result = self[argument] = self._function(argument)
        return result


def get_an_encoding(encoding: Encoding | str) -> Encoding:
    """Return an Encoding unchanged, or the encoding that a label names.

    Raise UnknownLabelError for a label of no encoding, and TypeError for anything else.
    https://encoding.spec.whatwg.org/#concept-encoding-get
    """
    return encoding if type(encoding) is Encoding else lookup(encoding)


def named(hint: Encoding | str | None) -> Encoding | None:
    """Return the encoding of a hint from elsewhere; None if it is absent or names none."""
    if hint is None or type(hint) is Encoding:
        return hint
    try:
        return lookup(hint)
    except UnknownLabelError:
        return None


def checked_str(value: object, name: str) -> str:
    """Return a str unchanged. Raise TypeError, with the argument's name, for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be str, not {type(value).__name__}")
    return value


def checked_pair(pair: object, name: str) -> tuple[str, str]:
    """Return a pair of str unchanged. Raise TypeError, with the argument's name, for anything else."""
    if type(pair) is tuple and len(pair) == 2 and type(pair[0]) is type(pair[1]) is str:
        return pair
    if isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2:
        return checked_str(pair[0], f"a name in {name}"), checked_str(pair[1], f"a value in {name}")
    raise TypeError(f"{name} must be pairs of a name and a value; {quote(pair)} is not a pair")
