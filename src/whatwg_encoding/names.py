"""What names of encodings stand for that are no labels of the standard, and the codec that decodes as an encoding does.

The table is data/names.toml. A codec is near to an encoding if at most 2 % of its printable single bytes, and at most
2 % of its pairs of bytes, decode to something else.
"""

from __future__ import annotations

import re
from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import lru_cache

from ._api.arguments import checked_str
from ._labels import ENCODINGS, LABELS, REPLACEMENT, UTF_8, X_USER_DEFINED
from ._names import CANDIDATES, CODECS_OF, DRIVERS, EXACT, FAR, LANGUAGES, NAMES, NEAREST, NOT_TEXT, NUMBERS, WITHIN
from ._names import MISSPELT as MISSPELT
from ._native.core import Encoding, UnknownLabelError, byte_view, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from typing_extensions import Buffer

__all__ = [
    "CANDIDATES", "CODECS_OF", "FAR", "LANGUAGES", "NAMES", "NEAREST", "NOT_TEXT", "TEXT_CODECS", "WITHIN",
    "lookup_codec", "meant", "module_of", "nearest", "of_plain", "squeezed", "unwrapped", "written",
]  # fmt: skip


def python_codec(encoding: Encoding, data: Buffer | None) -> str | None:
    """Return the codec that decodes data, or None for all data without an error, as an encoding does."""
    is_code_page = encoding.name not in CODECS_OF
    codecs = [encoding.name.lower().replace("-", "_")] if is_code_page else CODECS_OF[encoding.name]
    if data is None:
        return codecs[0] if is_code_page or encoding.name in EXACT else None
    view = byte_view(data)
    if encoding.valid_up_to(view) < len(view):
        return None
    text = encoding.decode(view)
    return next((codec for codec in codecs if _decodes(view, codec, text)), None)


def _decodes(view: bytes | memoryview, codec: str, text: str) -> bool:
    try:
        return str(view, codec) == text
    except UnicodeDecodeError:
        return False


_LONGEST: Final = 80  # characters: more than any name has


def lookup_codec(name: str) -> Encoding:
    """Return the encoding that is nearest to one of Python's codecs, given any name that people write for it.

    ``lookup`` accepts the labels of the web. This accepts

    - the names in Python programs, such as ``cp932`` and ``utf_8_sig``;
    - those of code pages (see ``whatwg_encoding.code_pages``);
    - numbers of Windows and of ISO 8859, as in "ANSI 1252", "windows1252", "65001" and "88591";
    - labels without their hyphens or with other ones, as in "gb-18030";
    - the language driver of a DBF file, "LDID/87" or "LDID/0x57".

    Nearest does not mean equal: Shift_JIS decodes what ``cp932`` decodes, and windows-1252 what ``latin-1`` decodes
    except for 27 controls. Names are normalized as in ``codecs.lookup``, and no codec is imported. Raise
    UnknownLabelError, with the reason, for a codec to which no encoding is near and for a name of no codec, and
    TypeError for a name that is not a str.

    >>> lookup_codec("cp932"), lookup_codec("latin-1"), lookup_codec("utf_8_sig")
    (<Encoding Shift_JIS>, <Encoding windows-1252>, <Encoding UTF-8>)
    >>> lookup_codec("cp850"), lookup_codec("ANSI 1252"), lookup_codec("LDID/101")
    (<Encoding cp850>, <Encoding windows-1252>, <Encoding IBM866>)
    >>> lookup_codec("idna")
    Traceback (most recent call last):
        ...
    whatwg_encoding.UnknownLabelError: no encoding is near to Python's codec 'idna': it is not a character encoding
    """
    codec = module_of(checked_str(name, "name"))
    if codec in NEAREST:
        return ENCODINGS[NEAREST[codec]]
    from .code_pages import find  # these are loaded for what is no codec with an encoding near to it

    encoding = find(codec) or find(name)
    if encoding is None and codec not in FAR:
        meaning = written(name)
        encoding = meaning if isinstance(meaning, Encoding) or meaning is None else find(meaning)
        codec = meaning if isinstance(meaning, str) else codec
    return encoding or _refuse(name, codec)


def nearest(name: str) -> Encoding:
    """Return the standard's encoding that is nearest to a codec, as ``lookup_codec`` does, and no code page.

    Raise what ``lookup_codec`` raises, and UnknownLabelError for the name of a code page.

    >>> nearest("cp932")
    <Encoding Shift_JIS>
    """
    codec = module_of(checked_str(name, "name"))
    return ENCODINGS[NEAREST[codec]] if codec in NEAREST else _refuse(name, codec)


def _refuse(name: str, codec: str) -> NoReturn:
    if codec in FAR:
        raise UnknownLabelError(f"no encoding is near to Python's codec {quote(name)}: {FAR[codec]}")
    raise UnknownLabelError(f"{quote(name)} is not the name of a codec of Python")


# --- Names as people write them, beside and in files of data ---

_NOT_ALPHANUMERIC: Final = re.compile("[^a-z0-9]+")
# What stands before the number of a code page: "ANSI 1252", "OEM 850", "Windows-1252", "cp65001", "code page 437".
_NUMBERED: Final = re.compile(r"x?(?:ms|ansi)?(?:cp|windows|win|ibm|codepage|dos|oem|ccsid)?0*([0-9]{3,5})")
_LANGUAGE_DRIVER: Final = re.compile(r"(?:ldid|dbf)[/: ]?(0x[0-9a-f]{1,2}|[0-9]{1,3})|(0x[0-9a-f]{1,2})")
_ISO_8859: Final = 28590  # the number of Windows for ISO-8859-1, less 1


def squeezed(name: str) -> str:
    """Return the letters and digits of a name, which alone tell it from others."""
    return _NOT_ALPHANUMERIC.sub("", name.lower())


_PLAIN_LABELS: Final = {squeezed(label): encoding for label, encoding in LABELS.items()}
_PLAIN_CODECS: Final = {squeezed(codec): codec for codec in FAR}


def written(name: str) -> Encoding | str | None:
    """Return the encoding that a name stands for, or the name of a codec for one that the standard lacks, or None.

    Names of codecs that `module_of` knows aren't looked up. Raise TypeError for a name that is not a str.

    >>> written("ANSI 1252"), written("OEM 850"), written("nonsense")
    (<Encoding windows-1252>, 'cp850', None)
    """
    if len(name) > _LONGEST or not name.isascii():
        return None
    driver = _LANGUAGE_DRIVER.fullmatch(name.strip().lower())
    if driver is not None:
        digits = driver[1] or driver[2]
        page = DRIVERS.get(int(digits, 16 if digits[:2] == "0x" else 10))
        return None if page is None else of_number(page)
    return of_plain(squeezed(name))


def of_plain(plain: str) -> Encoding | str | None:
    """Return what letters and digits stand for, as `written` does."""
    target = NAMES.get(plain) or _PLAIN_CODECS.get(plain)
    if target is not None:
        return of_target(target)
    for label in (plain, f"iso{plain}"):  # the second is for "8859-15"
        if label in _PLAIN_LABELS:
            return _PLAIN_LABELS[label]
    number = _NUMBERED.fullmatch(plain)
    return None if number is None else of_number(int(number[1]))


def of_number(page: int) -> Encoding | str | None:
    """Return what the number of a code page stands for, as `written` does.

    https://learn.microsoft.com/windows/win32/intl/code-page-identifiers
    """
    if page in NUMBERS:
        return of_target(NUMBERS[page])
    encoding = LABELS.get(f"windows-{page}") or LABELS.get(f"iso-8859-{page - _ISO_8859}")
    return encoding or (f"cp{page}" if f"cp{page}" in FAR else None)


def of_target(target: str) -> Encoding | str:
    """Return the encoding of that name or nearest to a codec, or else the codec."""
    return ENCODINGS.get(NEAREST.get(target, target), target)


#: The codecs of Python's that may be asked to decode text from elsewhere, in time linear in its length. The time of
#: "punycode" is quadratic, and "idna", "undefined" and "hex" raise errors of their own.
TEXT_CODECS: Final = frozenset({*NEAREST, *FAR} - NOT_TEXT)
#: What a declaration cannot mean: "x-user-defined" is what software writes for an unknown charset.
_NO_TEXT: Final = frozenset({None, REPLACEMENT, X_USER_DEFINED})
# What broken software leaves around a name: the = of a parameter in quoted-printable, the parameter's own name.
_BEFORE: Final = re.compile("^(?:3d|charset)+")
_AFTER: Final = re.compile("[;,*\\s\"'(]")
# What follows a name where the end of a line or of the parameter is missing.
_PREFIX: Final = re.compile("^[a-z]+[0-9]+")


def meant(name: str) -> Encoding | str | None:
    """Return what the name in a declaration means: an encoding, a codec of Python's that the web lacks, or None.

    Letters and digits count alone, and so do common errors. No codec is imported.
    """
    return _meant(name[:_LONGEST])


@lru_cache(maxsize=512)
def _meant(name: str) -> Encoding | str | None:
    whole = name.strip().strip("\"'<>").lower()
    for part in (whole, _AFTER.split(whole, maxsplit=1)[0]):
        meaning = _meaning_of(unwrapped(part))
        if meaning is not None:
            return meaning
    return None


def unwrapped(name: str) -> str:
    """Return the letters and digits of a name without what broken software writes before it."""
    return _BEFORE.sub("", squeezed(name[:_LONGEST]))


def _meaning_of(plain: str) -> Encoding | str | None:
    for name in (plain, plain.removeprefix("x"), plain.removeprefix("cs"), plain.removeprefix("iso")):
        meaning = ENCODINGS[MISSPELT[name]] if name in MISSPELT else of_plain(name)
        if meaning in TEXT_CODECS if isinstance(meaning, str) else meaning not in _NO_TEXT:
            return meaning
    prefix = _PREFIX.match(plain)
    return None if prefix is None or prefix[0] == plain else _meaning_of(prefix[0])


def module_of(name: str) -> str:
    """Return the module in ``encodings`` of the codec that ``name`` stands for, else ``name`` in the form of modules.

    Return "" for a name that is too long or isn't ASCII. Import nothing. Raise TypeError for a name that is not a str.

    >>> module_of("Latin-1"), module_of("nonsense")
    ('latin_1', 'nonsense')
    """
    # Normalizing takes time for each character.
    normal = normalize_encoding(name).lower() if len(name) <= _LONGEST and name.isascii() else ""
    return aliases.get(normal) or aliases.get(normal.replace(".", "_")) or normal


def suggestion(label: str) -> str:
    """Return the end of the message about an unknown label: what it may have been meant for."""
    codec = module_of(label)
    if codec in NEAREST:
        return f"; {NEAREST[codec]!r} is nearest to Python's codec of that name (whatwg_encoding.lookup_codec)"
    if codec in FAR:
        return f"; no encoding is near to Python's codec of that name: {FAR[codec]}"
    near = _misspelt(label)
    return (
        f"; did you mean {near!r}?"
        if near
        else "; whatwg_encoding.LABELS has all of them, as `whatwg-encoding labels` prints"
    )


def _misspelt(name: str) -> str | None:
    """Return the label that a name is a misspelling of, or None.

    It has the same digits and letters, but for one letter that is missing, too many or wrong, or two that are swapped.
    Other names that look like a label are those of other encodings: EUC-TW, ISO-8859-12. Only UTF-8 has no such
    neighbors: those with other digits are Python's codecs, or none.
    """
    from difflib import get_close_matches  # imported here, since few programs need it

    letters, digits = _parts(name)
    for label in get_close_matches(name.lower(), LABELS, 8):
        other, other_digits = _parts(label)
        if (digits == other_digits or LABELS[label] is UTF_8) and _differ_by_one(letters, other):
            return label
    return None


def _parts(name: str) -> tuple[str, str]:
    return "".join(filter(str.isalpha, name.lower())), "".join(filter(str.isdigit, name))


def _differ_by_one(name: str, other: str) -> bool:
    start = next((i for i, (left, its) in enumerate(zip(name, other, strict=False)) if left != its), len(name))
    name, other = name[start:], other[start:]
    is_one_letter = name[1:] == other[1:] or name[1:] == other or name == other[1:]
    return is_one_letter or (name[:2] == other[:2][::-1] and name[2:] == other[2:])
