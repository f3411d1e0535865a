"""The named tuples that the hooks and the JavaScript-shaped API return.

``typing`` takes longer to import than this whole package, so that only type checkers see ``NamedTuple``; at run time
the same classes come from ``collections``.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # type checkers take a name spelt like this for true

if TYPE_CHECKING:
    from typing import NamedTuple

    from ._core import Encoding

    class Decoded(NamedTuple):
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
    Decoded = namedtuple("Decoded", "text encoding")
    EncodeOrFail = namedtuple("EncodeOrFail", "output code_point consumed")
    EncodeIntoResult = namedtuple("EncodeIntoResult", "read written")

Decoded.__doc__ = """What ``decode`` returns: the text, and the encoding used, which a byte order mark may have chosen.

    https://encoding.spec.whatwg.org/#decode
    """
EncodeOrFail.__doc__ = """What ``encode_or_fail`` returns.

    ``output``: the bytes of everything before the error. ``code_point``: the one that has no bytes, or None when the
    text came to its end. ``consumed``: where the next call starts, an index of the text; the code point of the error is
    before it.

    https://encoding.spec.whatwg.org/#encode-or-fail
    """
EncodeIntoResult.__doc__ = """What ``TextEncoder.encode_into`` returns: UTF-16 code units read, and bytes written.

    https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult
    """
