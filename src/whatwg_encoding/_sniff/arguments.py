"""Arguments that everything that guesses has in common, checked before data is read."""

from __future__ import annotations

from .._api.arguments import Results, checked_str, get_an_encoding
from .._labels import ENCODINGS, ISO_2022_JP, REPLACEMENT, X_USER_DEFINED
from .._native.core import Encoding, check_limit, quote
from ..files import file_encoding

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


def checked_encodings(encodings: Iterable[Encoding | str], name: str, pages: bool = False) -> tuple[Encoding, ...]:
    """Return several encodings of the standard; with ``pages``, code pages that have ASCII may be among them.

    Raise TypeError for one alone, UnknownLabelError for what names none, ValueError for any other encoding.
    """
    if isinstance(encodings, str | Encoding):
        raise TypeError(f"{name} must be several encodings, not {quote(encodings)}")
    checked = tuple(dict.fromkeys(map(file_encoding if pages else get_an_encoding, encodings)))
    for encoding in checked:
        is_page = pages and encoding.is_single_byte and encoding.is_ascii_compatible
        if not is_page and ENCODINGS.get(encoding.name) is not encoding:
            allowed = "encodings of the standard" + " or code pages that have ASCII" * pages
            raise ValueError(f"{name} must be {allowed}, which {encoding.name} is not")
    return checked


_NOT_FOR_ALL_BYTES: Final = {ISO_2022_JP, REPLACEMENT, X_USER_DEFINED}
WEB, WEB_AND_SURE_DOS, WEB_AND_DOS, PYTHON = range(4)
"""What a text may be in, as in ``_native.detect``: code pages of DOS are for files, all of them for Python's codecs."""

_defaults: dict[int, Options] = {}


def options_of(
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
    language: str | None = None,
    scope: int = WEB,
    decides: bool = True,
) -> Options:
    """Return the options of a choice. Raise TypeError, ValueError or UnknownLabelError for a wrong one.

    ``decides``: raise ValueError if no encoding is left that any bytes may be in.
    """
    is_usual = limit is LIMIT or (limit == LIMIT and type(limit) is int)
    is_default = is_usual and tld is None and exclude == () and candidates is None and language is None
    if is_default and (options := _defaults.get(scope)) is not None:
        return options
    excluded = () if exclude == () else checked_encodings(exclude, "exclude")
    given = None if candidates is None else checked_encodings(candidates, "candidates", scope != WEB)
    tag = None if language is None else checked_tag(language, "language")
    known: Options = _known[check_limit(limit), checked_domain(tld), excluded, given, tag, scope, decides]
    if is_default:
        _defaults[scope] = known
    return known


def _options(
    checked: tuple[int, str | None, tuple[Encoding, ...], tuple[Encoding, ...] | None, str | None, int, bool],
) -> Options:
    limit, domain, excluded, given, tag, scope, decides = checked
    from .._native.detect import Options  # imported here, since it loads all codecs

    if given == ():
        raise ValueError("candidates must have at least one encoding")
    if given is not None and REPLACEMENT in given:
        raise ValueError("candidates: replacement decodes no text")
    left = {*(ENCODINGS.values() if given is None else given)} - {*excluded} - _NOT_FOR_ALL_BYTES
    if decides and all(encoding.is_utf_16 for encoding in left):
        raise ValueError(
            ("exclude" if given is None else "candidates") + " must leave an encoding that any bytes may be in"
        )
    if domain is tag is None:
        return Options(limit, given or (), excluded, scope=scope)
    from .languages import usual_encodings, usual_page

    page = usual_page(tag) if scope and tag is not None else None
    return Options(limit, given or (), excluded, usual_encodings(domain, tag), scope, page)


_known = Results(_options, 512)
