"""A decoder that records where errors are and which bytes they have, for ``validate`` and ``inspect``."""

from __future__ import annotations

import codecs

from .._core import Decoder, Encoding


class ErrorLog:
    """A decoder that records errors: its text has MARK for each, and ``errors`` their offset, bytes and reason.

    Offsets count from the first byte decoded.
    """

    #: A surrogate, which no decoder of the standard returns.
    MARK = "\udcff"

    def __init__(self, encoding: Encoding) -> None:
        self.errors: list[tuple[int, bytes, str]] = []
        self._fed = 0
        name = "whatwg_encoding.ErrorLog"
        codecs.register_error(name, self._record)
        self._decoder: Decoder = encoding._new_decoder_with_handler(name)

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes, and append their errors to ``errors``."""
        self._fed += len(data)
        return self._decoder.decode(data, final)

    def getstate(self) -> tuple[bytes, int]:
        """Return the decoder's state, from which another decoder may continue."""
        return self._decoder.getstate()

    def _record(self, error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        # The error's object ends with the data of the last call.
        offset = self._fed - len(error.object) + error.start
        self.errors.append((offset, error.object[error.start : error.end], error.reason))
        return self.MARK, error.end
