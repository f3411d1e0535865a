"""The start of a stream whose encoding its bytes decide: ASCII passes, and the rest waits until it is decided.

ASCII is the same in every encoding but UTF-16 and ISO-2022-JP. UTF-16 has a NUL or another control among the first 512
bytes, which therefore wait, too, and ISO-2022-JP has an escape before other characters.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from .._native.prescan import Sniffed

    #: A function from bytes, and whether they are all, to the choice and the bytes of the byte order mark to remove.
    Choose = Callable[[bytes, bool], tuple[Sniffed, int]]

# As in src/native/determination/examine.h: bytes, and the C0 controls that no text has.
CONTROL_WINDOW: Final = 512
_OTHERS: Final = bytes((*range(0x08, 0x0E), 0x1A, 0x1B, *range(0x20, 0x100)))
_HEAD: Final = 2048  # the bytes in which a page declares its encoding
_NEXT_TO: Final = 16  # the bytes of ASCII before others that are judged with them
# Bytes that an encoding may decode to other characters than UTF-8 does, or the start of such an escape at the end.
_TELLING: Final = re.compile(rb"[\x80-\xFF]|\x1B(?:\$[@B]|\([IJ]|[$(]?\Z)")


def has_controls(data: bytes) -> bool:
    """Return whether data has one of those controls."""
    return bool(data.translate(None, _OTHERS))  # a third of the time of a regular expression


class Start:
    """The bytes of a stream up to the decision. ``limit``: the bytes that decide, from the first that is not ASCII."""

    def __init__(self, choose: Choose, limit: int) -> None:
        self._choose = choose
        self._limit = limit
        self._window = min(CONTROL_WINDOW, limit)
        self._head = bytearray()  # the first bytes of all, with which the others are judged
        self._context = b""  # the last bytes that passed
        self._waiting = bytearray()
        self._passed = 0
        self._searched = 0  # the bytes waiting that are known to be ASCII
        self._telling: int | None = None  # the offset in them of the first byte that is not

    def feed(self, chunk: bytes | memoryview, final: bool) -> tuple[bytes, Sniffed | None, int]:
        """Return ASCII that is text in any encoding, the choice, and the length of the mark before the rest.

        Without a choice further bytes are needed, which never is so if ``final``. With one, `rest` has the bytes that
        follow the ASCII.
        """
        if self._passed >= _HEAD and not self._waiting and not final:  # the fast path of long ASCII
            chunk = bytes(chunk)
            if chunk.isascii() and b"\x1b" not in chunk:
                self._context = (self._context + chunk[-_NEXT_TO:])[-_NEXT_TO:]
                return chunk, None, 0
        self._waiting += chunk
        text = b""
        if self._passed + len(self._waiting) >= self._window or final:
            text = self._pass(final)
        if not final and (self._telling is None or len(self._waiting) - self._telling < self._limit):
            return text, None, 0
        before = bytes(self._head) + (self._context if self._passed > _HEAD else b"")
        judged = self._waiting[: (self._telling or 0) + self._limit]  # the same however the stream is cut
        sniffed, mark = self._choose(bytes(before + judged), final and len(judged) == len(self._waiting))
        return text, sniffed, mark

    def rest(self) -> bytes:
        """Return the bytes that wait, and forget them."""
        waiting = bytes(self._waiting)
        self._waiting.clear()
        return waiting

    def _pass(self, final: bool) -> bytes:
        """Return the ASCII at the start of the bytes that wait, and keep the others."""
        if self._telling is None:
            waiting = bytes(self._waiting)
            if not self._passed and has_controls(waiting[: self._window]):
                self._telling = 0
            elif not waiting.isascii() or b"\x1b" in waiting:
                match = _TELLING.search(waiting, self._searched)
                if match is not None and (final or match.end() < len(waiting) or not match[0].startswith(b"\x1b")):
                    self._telling = match.start()
                self._searched = len(waiting) if match is None else match.start()
            else:
                self._searched = len(waiting)
        length = self._searched if self._telling is None else self._telling
        if final and not self._passed:
            return b""  # it is all there: nothing needs to pass before the decision
        passed = bytes(self._waiting[:length])
        del self._waiting[:length]
        if passed:
            if len(self._head) < _HEAD:
                self._head += passed[: _HEAD - len(self._head)]
            self._context = (self._context + passed)[-_NEXT_TO:]
            self._passed += length
        self._searched = 0
        if self._telling is not None:
            self._telling = 0
        return passed
