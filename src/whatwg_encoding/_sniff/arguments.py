"""Arguments that the detectors have in common, checked before data is read."""

from __future__ import annotations

from collections import namedtuple

from .._api.arguments import checked_str, get_an_encoding
from .._labels import ENCODINGS, ISO_2022_JP, REPLACEMENT, X_USER_DEFINED
from .._native.core import Encoding, check_limit, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, NamedTuple

    class Options(NamedTuple):
        limit: int
        tld: str | None
        excluded: frozenset[Encoding]

else:  # as in _api.results
    Options = namedtuple("Options", "limit tld excluded")

LIMIT: Final = 16384
"""The default of ``limit``."""


def checked_domain(tld: str | None) -> str | None:
    """Return a top-level domain in lower case and ASCII. Raise ValueError if it is not a label, TypeError if no str."""
    if tld is None:
        return None
    label = checked_str(tld, "tld").lower()
    if not 0 < len(label) <= 63 or "." in label:  # octets at most: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
        raise ValueError(f"tld must be the last label of a host name, such as 'jp', not {quote(tld)}")
    return label if label.isascii() else label.encode("idna").decode("ascii")


def checked_encodings(encodings: Iterable[Encoding | str], name: str) -> tuple[Encoding, ...]:
    """Return several encodings. Raise TypeError for one alone, UnknownLabelError for what names none."""
    if isinstance(encodings, str | Encoding):
        raise TypeError(f"{name} must be several encodings, not {quote(encodings)}")
    return tuple(dict.fromkeys(get_an_encoding(each) for each in encodings))


_NONE: Final = frozenset[Encoding]()
_DEFAULT: Final = Options(LIMIT, None, _NONE)
_NOT_FOR_ALL_BYTES: Final = {ISO_2022_JP, REPLACEMENT, X_USER_DEFINED}


def options_of(limit: int, tld: str | None, exclude: Iterable[Encoding | str]) -> Options:
    """Return the options of ``crawl``. Raise TypeError, ValueError or UnknownLabelError for a wrong one."""
    if limit is LIMIT and tld is None and exclude == ():
        return _DEFAULT
    excluded = _NONE if exclude == () else frozenset(checked_encodings(exclude, "exclude"))
    left = {*ENCODINGS.values()} - excluded - _NOT_FOR_ALL_BYTES
    if all(each.is_utf_16 for each in left):
        raise ValueError("exclude must leave an encoding that any bytes may be in")
    return Options(check_limit(limit), checked_domain(tld), excluded)
