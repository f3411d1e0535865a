"""The named tuples that the hooks and the JavaScript-shaped API return.

``typing`` takes longer to import than this whole package, so that only type checkers see ``NamedTuple``; at run time
the same classes come from ``collections``.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["Decoded", "EncodeIntoResult", "EncodeOrFail"]

TYPE_CHECKING = False  # type checkers take a name spelt like this for true

if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from ._core import Encoding
    from ._prescan import Confidence

    class _Decoded(NamedTuple):
        text: str
        encoding: Encoding

    class EncodeOrFail(NamedTuple):
        output: bytes
        code_point: int | None
        consumed: int

    class EncodeIntoResult(NamedTuple):
        read: int
        written: int

else:
    _Decoded = namedtuple("_Decoded", "text encoding")
    EncodeOrFail = namedtuple("EncodeOrFail", "output code_point consumed")
    EncodeIntoResult = namedtuple("EncodeIntoResult", "read written")


class Decoded(_Decoded):
    """What the functions that decode return: a pair of the text and the encoding used, and how that came about.

    It unpacks into ``text, encoding``. ``errors``: how many errors were replaced with U+FFFD. ``source``: what decided
    on the encoding, as in ``sniff.Sniffed``; "fallback" or "bom" for ``decode``. ``confidence``: "certain",
    "tentative" or "irrelevant".
    https://encoding.spec.whatwg.org/#decode
    """

    # Defaults on the class: an instance has a dictionary only where it differs from them.
    errors: int = 0
    source: str = "fallback"
    confidence: Confidence = "certain"

    def __new__(
        cls,
        text: str,
        encoding: Encoding,
        errors: int = 0,
        source: str = "fallback",
        confidence: Confidence = "certain",
    ) -> Decoded:
        self = _new_tuple(cls, (text, encoding))
        if errors:
            self.errors = errors
        if source != "fallback":
            self.source = source
        if confidence != "certain":
            self.confidence = confidence
        return self

    def _replace(self, **fields: Any) -> Decoded:
        replaced = super()._replace(**fields)
        vars(replaced).update(vars(self))
        return replaced


_new_tuple = tuple.__new__

EncodeOrFail.__doc__ = """What ``encode_or_fail`` returns.

    ``output``: the bytes of everything before the error. ``code_point``: the one that has no bytes, or None when the
    end of the text was reached. ``consumed``: the index in the text at which the next call starts; the code point of
    the error is before it.

    https://encoding.spec.whatwg.org/#encode-or-fail
    """
EncodeIntoResult.__doc__ = """What ``TextEncoder.encode_into`` returns: UTF-16 code units read, and bytes written.

    https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult
    """
