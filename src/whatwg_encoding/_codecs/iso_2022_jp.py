"""The encoder of ISO-2022-JP for Python's files, which nobody flushes, and to which text is appended.

As CPython's codec of that name does, it writes each character of ASCII in the ASCII state, so that a file that ends
with one ends in it, and after ``setstate(0)``, which `io.TextIOWrapper` calls when it appends or seeks, the first
character has an escape sequence before it. It does not return to ASCII after each text: two escape sequences without a
character between them are an error of the standard's decoder.
https://encoding.spec.whatwg.org/#iso-2022-jp-encoder
"""

from __future__ import annotations

import codecs
import re

from .._labels import ISO_2022_JP
from .._native.core import ISO_2022_JP_ESCAPES, new_encoder_with_handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from .._native.core import Encoder

_ESCAPE: Final = ISO_2022_JP_ESCAPES[0][:1]
_TOKENS: Final = re.compile(rb"%b..|[^%b]+" % (_ESCAPE, _ESCAPE), re.DOTALL)
_ROMAN_RUNS: Final = re.compile(rb"([\x5C\x7E]+)")  # bytes that are other characters there than in ASCII


def _state_after(text: str) -> int:
    encoder = ISO_2022_JP.new_encoder("fatal")
    encoder.encode(text)
    return encoder.getstate()


_ASCII, _ROMAN, _JIS0208 = map(_state_after, ("a", "\xa5", "\u3042"))
_UNKNOWN: Final = None
_ESCAPES: Final = {
    state: next(sequence for sequence in ISO_2022_JP_ESCAPES if ISO_2022_JP.encode(sample).startswith(sequence))
    for state, sample in ((_ROMAN, "\xa5"), (_JIS0208, "\u3042"))
} | {_ASCII: ISO_2022_JP_ESCAPES[0]}
_ROMAN_ESCAPE: Final = _ESCAPES[_ROMAN]
_STATES: Final = {escape: state for state, escape in _ESCAPES.items()}


class FileEncoder(codecs.IncrementalEncoder):
    """An incremental encoder. Its states are 0, at a place in a file that is not known, and those of the standard's."""

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._encoder: Encoder = new_encoder_with_handler(ISO_2022_JP, errors)
        self._encode, self._state = self._encoder.encode, self._encoder.getstate
        self._is_known = True

    def encode(self, text: str, final: bool = False) -> bytes:
        """Return the bytes of ``text``; with ``final``, also those that return to the ASCII state."""
        before = self._state()
        data = self._encode(text, final)
        if not data or (self._is_known and before != _ROMAN and data.find(_ROMAN_ESCAPE) < 0):
            return data
        data, state = _rewritten(data, before, before if self._is_known else _UNKNOWN)
        if final and state != _ASCII:
            data += _ESCAPES[_ASCII]
        elif not final:
            self._encoder.setstate(state)
        self._is_known = True
        return data

    def reset(self) -> None:
        """Return to the ASCII state, in which a file begins."""
        self._encoder.reset()
        self._is_known = True

    def getstate(self) -> int:
        """Return the state, from which another encoder may continue."""
        return self._encoder.getstate() + 1 if self._is_known else 0

    def setstate(self, state: int | str) -> None:
        """Continue from a state; 0 is that of a place in a file that is not known."""
        number = int(state)
        self._encoder.setstate(max(number - 1, _ASCII))
        self._is_known = number != 0


def _rewritten(data: bytes, state: int, written: int | None) -> tuple[bytes, int]:
    """Return the bytes of the standard's encoder with ASCII in the ASCII state, and the state after them.

    ``state``: the encoder's before them. ``written``: that of the file.
    """
    parts: list[bytes] = []

    def write(part: bytes, wanted: int) -> None:
        nonlocal written
        if written != wanted:
            parts.append(_ESCAPES[wanted])
            written = wanted
        parts.append(part)

    for token in _TOKENS.findall(data):
        if token in _STATES:
            state = _STATES[token]
            continue
        if state != _ROMAN:
            write(token, state)
            continue
        for number, run in enumerate(_ROMAN_RUNS.split(token)):
            if run:
                write(run, _ROMAN if number % 2 else _ASCII)
    return b"".join(parts), _ASCII if written is None else written
