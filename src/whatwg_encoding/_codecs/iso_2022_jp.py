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
from .._native.core import ISO_2022_JP_ESCAPES, _FileEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_ESCAPE: Final = ISO_2022_JP_ESCAPES[0][:1]
_TOKENS: Final = re.compile(rb"%b..|[^%b]+" % (_ESCAPE, _ESCAPE), re.DOTALL)
_ROMAN_RUNS: Final = re.compile(rb"([\x5C\x7E]+)")  # bytes that are other characters there than in ASCII


def _state_after(text: str) -> int:
    encoder = ISO_2022_JP.new_encoder("fatal")
    encoder.encode(text)
    return encoder.getstate()


_ASCII, _ROMAN, _JIS0208 = map(_state_after, ("a", "\xa5", "\u3042"))
_ESCAPES: Final = {
    state: next(sequence for sequence in ISO_2022_JP_ESCAPES if ISO_2022_JP.encode(sample).startswith(sequence))
    for state, sample in ((_ROMAN, "\xa5"), (_JIS0208, "\u3042"))
} | {_ASCII: ISO_2022_JP_ESCAPES[0]}
_STATES: Final = {escape: state for state, escape in _ESCAPES.items()}


def _rewritten(data: bytes, state: int, written: int | None, final: bool) -> tuple[bytes, int]:
    """Return the bytes of the standard's encoder with ASCII in the ASCII state, and the state after them.

    ``state``: the encoder's before them. ``written``: that of the file, None if it isn't known. ``final``: return to
    the ASCII state at the end.
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
    if final and written not in (None, _ASCII):
        write(b"", _ASCII)
    return b"".join(parts), _ASCII if written is None else written


class FileEncoder(_FileEncoder, codecs.IncrementalEncoder):
    """An incremental encoder. Its states are 0, at a place in a file that is not known, and those of the standard's."""

    __slots__ = ()
    _rewrite = staticmethod(_rewritten)
