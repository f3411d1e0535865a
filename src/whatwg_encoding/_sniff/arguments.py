"""Arguments that everything that guesses has in common, checked before data is read."""

from __future__ import annotations

from .._api.arguments import checked_str, get_an_encoding
from .._labels import ISO_2022_JP, REPLACEMENT, X_USER_DEFINED
from .._native.core import Encoding, check_limit, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from .._native.detect import Options

LIMIT: Final = 16384
"""The default of ``limit``."""
_LONGEST_TAG: Final = 256  # a longer one is cut, so a hostile one cannot fill a cache


def checked_tag(tag: str, name: str) -> str:
    """Return a BCP 47 tag for a cache. Raise TypeError, with the argument's name, if it is not a str."""
    return checked_str(tag, name)[:_LONGEST_TAG]


def checked_domain(tld: str | None) -> str | None:
    """Return a top-level domain in lower case and ASCII. Raise ValueError if it is not a label, TypeError if no str."""
    if tld is None:
        return None
    label = checked_str(tld, "tld").lower()
    if not 0 < len(label) <= 63 or "." in label:  # octets at most: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
        raise ValueError(f"tld must be the last label of a host name, such as 'jp', not {quote(tld)}")
    return label if label.isascii() else label.encode("idna").decode("ascii")


def checked_encodings(encodings: Iterable[Encoding | str], name: str) -> tuple[Encoding, ...]:
    """Return several encodings of the standard.

    Raise TypeError for one alone, UnknownLabelError for what names none, ValueError for a code page.
    """
    from .._labels import ENCODINGS

    if isinstance(encodings, str | Encoding):
        raise TypeError(f"{name} must be several encodings, not {quote(encodings)}")
    found = tuple(dict.fromkeys(get_an_encoding(each) for each in encodings))
    for each in found:
        if ENCODINGS.get(each.name) is not each:
            raise ValueError(f"{name} must be encodings of the standard, which {each.name} is not")
    return found


def checked_candidates(candidates: Iterable[Encoding | str] | None) -> tuple[Encoding, ...] | None:
    """Return the encodings of the candidates; raise an error for what is none or decodes no text."""
    if candidates is None:
        return None
    found = checked_encodings(candidates, "candidates")
    if REPLACEMENT in found:
        raise ValueError("candidates: replacement decodes no text")
    if not found:
        raise ValueError("candidates must have at least one encoding")
    return found


_NOT_FOR_ALL_BYTES: Final = {ISO_2022_JP, REPLACEMENT, X_USER_DEFINED}
_default: Options | None = None


def options_of(
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Options:
    """Return the options of ``crawl``. Raise TypeError, ValueError or UnknownLabelError for a wrong one."""
    global _default
    is_default = limit is LIMIT and tld is None and exclude == () and candidates is None
    if is_default and _default is not None:
        return _default
    from .._native.detect import Options  # imported here, since it loads all codecs

    if is_default:
        _default = Options(LIMIT)
        return _default
    from .._labels import ENCODINGS
    from .languages import usual_encodings

    excluded = () if exclude == () else checked_encodings(exclude, "exclude")
    given = checked_candidates(candidates)
    left = {*(ENCODINGS.values() if given is None else given)} - {*excluded} - _NOT_FOR_ALL_BYTES
    if all(each.is_utf_16 for each in left):
        raise ValueError(
            ("exclude" if given is None else "candidates") + " must leave an encoding that any bytes may be in"
        )
    return Options(check_limit(limit), given or (), excluded, usual_encodings(checked_domain(tld), None))
