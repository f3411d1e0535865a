"""What bytes show of their encoding by their structure: valid UTF-8, escape sequences, the places of NULs."""

from __future__ import annotations

from .._labels import ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE
from .._native.core import Encoding, byte_view
from .._native.prescan import ESCAPES, NULS, signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from typing_extensions import Buffer

# --- UTF-8 ---

_LONGEST_CUT: Final = 3  # upper bound on the bytes of an incomplete sequence


def is_utf_8_up_to(view: bytes | memoryview, valid: int) -> bool:
    """Return whether bytes are UTF-8 whose first error, if any, is at ``valid``: an incomplete sequence at the end.

    If that is the only byte above 0x7F, it is more likely the é of windows-1252.
    """
    if valid == len(view):
        return True
    # What follows may be an incomplete sequence, but not any other error.
    if len(view) - valid > _LONGEST_CUT or UTF_8.new_decoder().decode(view[valid:]):
        return False
    return valid < len(view) - 1 or not bytes(view[:valid]).isascii()


def is_valid_utf_8(view: bytes | memoryview, seen: int) -> bool:
    """Return whether bytes, whose signs are ``seen``, are valid UTF-8, and not ASCII with escapes of ISO-2022-JP."""
    return is_utf_8_up_to(view, UTF_8.valid_up_to(view)) and not (seen & ESCAPES and bytes(view).isascii())


def utf8_if_valid(data: Buffer) -> Encoding | None:
    """Return UTF-8 if ``data`` is valid UTF-8, else None: a detector.

    An incomplete sequence at the end is accepted, unless it is the only byte above 0x7F, which is more likely the é of
    windows-1252. ASCII with escape sequences of ISO-2022-JP is not UTF-8. The data is not decoded. Raise TypeError for
    data without a contiguous buffer.

    >>> utf8_if_valid("日本".encode()[:-1]), utf8_if_valid(b"caf\\xe9")
    (<Encoding UTF-8>, None)
    """
    view = byte_view(data)
    return UTF_8 if is_valid_utf_8(view, signs(view)) else None


# --- Encodings that are not ASCII-compatible ---

# In UTF-16, the upper half of ASCII's units is NUL, and that of most alphabets' units is a C0 control.
_NULS_TO_A_MISPLACED_ONE: Final = 4
_C0: Final = bytes(range(0x20))

# ISO-2022-JP with damage, if nothing else is declared: the least number of characters beyond ASCII to an error.
_ISO_2022_JP_RATIO: Final = 2


def _is_iso_2022_jp(view: bytes | memoryview) -> bool:
    decoder = ISO_2022_JP.new_decoder()
    text = decoder.decode(view)
    errors = decoder.error_count
    return len(text) - len(text.encode("ascii", "ignore")) - errors >= _ISO_2022_JP_RATIO * errors


def _has_no_error(view: bytes | memoryview, encoding: Encoding) -> bool:
    """Return whether bytes are valid but for an incomplete sequence at the end."""
    rest = view[encoding.valid_up_to(view) :]
    return len(rest) <= _LONGEST_CUT and "\ufffd" not in encoding.new_decoder().decode(rest)


def _has_nuls_of_utf_16(view: bytes | memoryview, limit: int, *, is_utf_8: bool, is_declared: bool) -> bool:
    """Return whether data with NULs may be UTF-16. UTF-8 is, if their places say so.

    They do if UTF-16 is declared, or if the upper halves are C0 controls, three of four at least.
    """
    if not is_utf_8:
        return True
    head = bytes(view[:limit])
    even, odd = head[::2], head[1::2]
    nuls, misplaced, upper = max((even.count(0), odd.count(0), even), (odd.count(0), even.count(0), odd))
    if nuls < _NULS_TO_A_MISPLACED_ONE * misplaced:
        return False
    return is_declared or (nuls > 1 and len(upper.translate(None, _C0)) * 4 <= len(upper))


def proposed(
    view: bytes | memoryview,
    limit: int,
    seen: int,
    declared: tuple[Encoding, ...],
    agreed: Encoding | None,
    *,
    is_utf_8: bool,
) -> int:
    """Return what the structure of bytes proposes: ESCAPES for ISO-2022-JP, NULS for UTF-16, 0 for neither.

    ``seen``: the signs of the bytes. ``declared``: the encodings that are declared; ``agreed``: the one that both
    header and page declare. If all of them are others, there must be no error in the proposed one but an incomplete
    sequence at the end.
    """
    if agreed is ISO_2022_JP:
        return ESCAPES
    if agreed is not None and agreed.is_utf_16 and seen & NULS:
        return NULS
    if seen & ESCAPES and (
        ISO_2022_JP in declared or (_has_no_error(view, ISO_2022_JP) if declared else _is_iso_2022_jp(view))
    ):
        return ESCAPES
    if not seen & NULS:
        return 0
    is_declared = any(each.is_utf_16 for each in declared)
    if _has_nuls_of_utf_16(view, limit, is_utf_8=is_utf_8, is_declared=is_declared) and (
        is_declared or not declared or _has_no_error(view, UTF_16BE) or _has_no_error(view, UTF_16LE)
    ):
        return NULS
    return 0
