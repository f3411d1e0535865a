"""The encodings of the standard that are nearest to Python's codecs.

A codec is near to an encoding if at most 2 % of its printable single bytes, and at most 2 % of its pairs of bytes,
decode to something else. ``tests/api/test_codec_names.py`` derives the table from the codecs, and how much they differ.
"""

from __future__ import annotations

from encodings import normalize_encoding
from encodings.aliases import aliases

from .._api.arguments import checked_str
from .._labels import ENCODINGS, LABELS, UTF_8
from .._native.core import Encoding, UnknownLabelError, byte_view, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["lookup_codec"]

# Codec → the nearest encoding. For w3lib the first one of an encoding is that of most characters.
NEAREST = {
    codec: name
    for name, codecs in {
        "Big5": "big5hkscs big5 cp950",
        "EUC-JP": "euc_jp",
        "EUC-KR": "cp949 euc_kr",
        "GBK": "gb2312 gbk",
        "IBM866": "cp866",
        "ISO-2022-JP": "iso2022_jp",
        **{f"ISO-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
        "KOI8-R": "koi8_r",
        "KOI8-U": "koi8_u",
        "Shift_JIS": "cp932 shift_jis",
        "UTF-16BE": "utf_16_be",
        "UTF-16LE": "utf_16_le utf_16",
        "UTF-8": "utf_8 utf_8_sig",
        "gb18030": "gb18030",
        "macintosh": "mac_roman",
        **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
        "windows-1252": "cp1252 ascii iso8859_1 latin_1 palmos",
        "windows-1254": "cp1254 iso8859_9",
        "windows-874": "cp874 iso8859_11 tis_620",
        "x-mac-cyrillic": "mac_cyrillic",
    }.items()
    if name in ENCODINGS
    for codec in codecs.split()
}

_REASONS = {
    "it is a code page that the standard does not have; whatwg_encoding.code_pages has it, for files": (
        "cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp869 cp1125 "
        "mac_arabic mac_croatian mac_farsi mac_greek mac_iceland mac_latin2 mac_romanian mac_turkish cp1006 "
        "cp037 cp273 cp424 cp500 cp875 cp1026 cp1140"
    ),
    "it has the characters of JIS X 0213, which the standard does not have": (
        "euc_jis_2004 euc_jisx0213 iso2022_jp_2004 iso2022_jp_3 shift_jis_2004 shift_jisx0213"
    ),
    "it switches to character sets that the standard does not have": "iso2022_jp_1 iso2022_jp_2 iso2022_jp_ext",
    "the standard does not decode it, for security": "hz iso2022_kr utf_7",
    "the standard has no UTF-32; whatwg_encoding.code_pages has it, for files": "utf_32 utf_32_be utf_32_le",
    "it depends on the settings of the machine": "mbcs oem",
    "it is not a character encoding": (
        "base64_codec bz2_codec charmap hex_codec idna punycode quopri_codec raw_unicode_escape rot_13 undefined "
        "unicode_escape uu_codec zlib_codec"
    ),
    "the standard has no similar encoding": "hp_roman8 johab koi8_t kz1048 ptcp154",
}

# Codec → why no encoding is near to it.
REASONS = {codec: reason for reason, codecs in _REASONS.items() for codec in codecs.split()}

# Encoding → the codecs that may decode some text of it to the same, those of most such text first.
_CODECS = {
    "GBK": ["gb18030", "gbk", "gb2312"],
    "ISO-8859-8-I": ["iso8859_8"],
    "UTF-16LE": ["utf_16_le"],
    "UTF-8": ["utf_8"],
    "windows-1252": ["cp1252", "latin_1", "palmos"],
}
_MORE_CODECS = {
    "EUC-JP": ["euc_jis_2004"],
    "ISO-2022-JP": ["iso2022_jp_ext", "iso2022_jp_2004"],
    "Shift_JIS": ["shift_jis_2004"],
}
CODECS_OF = {
    name: _CODECS.get(name)
    or [*(codec for codec, nearest in NEAREST.items() if nearest == name), *_MORE_CODECS.get(name, ())]
    for name in ENCODINGS
}

# The encodings whose first codec decodes all text without an error to the same.
EXACT = frozenset(
    {
        *("EUC-KR", "IBM866", "ISO-8859-8-I", "KOI8-R", "macintosh", "Shift_JIS", "windows-1256", "x-mac-cyrillic"),
        *("UTF-8", "UTF-16BE", "UTF-16LE"),
        *(f"ISO-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    }
)


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


_LONGEST = 80  # characters: more than any name of a codec has


def lookup_codec(name: str) -> Encoding:
    """Return the encoding that is nearest to one of Python's codecs, given any name that people write for it.

    ``lookup`` accepts the labels of the web. This accepts the names in Python programs, such as ``cp932`` and
    ``utf_8_sig``; those of code pages (see ``whatwg_encoding.code_pages``); numbers of Windows and of ISO 8859, as in
    "ANSI 1252", "windows1252", "65001" and "88591"; labels without their hyphens or with other ones, as in "gb-18030";
    and the language driver of a DBF file, "LDID/87" or "LDID/0x57".

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
    from ..code_pages import find  # these are loaded for what is no codec with an encoding near to it
    from .written import written_encoding

    found = find(codec) or find(name) or (None if codec in REASONS else written_encoding(name))
    return found or nearest(name)


def nearest(name: str) -> Encoding:
    """Return the standard's encoding that is nearest to a codec, as ``lookup_codec`` does, and no code page."""
    codec = module_of(checked_str(name, "name"))
    if codec in NEAREST:
        return ENCODINGS[NEAREST[codec]]
    if codec in REASONS:
        raise UnknownLabelError(f"no encoding is near to Python's codec {quote(name)}: {REASONS[codec]}")
    raise UnknownLabelError(f"{quote(name)} is not the name of a codec of Python")


def module_of(name: str) -> str:
    """Return the module in ``encodings`` of the codec that ``name`` stands for, or a name of none. Import nothing."""
    # Normalizing takes time for each character.
    normal = normalize_encoding(name).lower() if len(name) <= _LONGEST and name.isascii() else ""
    return aliases.get(normal) or aliases.get(normal.replace(".", "_")) or normal


def suggestion(label: str) -> str:
    """Return the end of the message about an unknown label: what it may have been meant for."""
    codec = module_of(label)
    if codec in NEAREST:
        return f"; {NEAREST[codec]!r} is nearest to Python's codec of that name (whatwg_encoding.lookup_codec)"
    if codec in REASONS:
        return f"; no encoding is near to Python's codec of that name: {REASONS[codec]}"
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


def _differ_by_one(one: str, other: str) -> bool:
    start = next((i for i, (each, its) in enumerate(zip(one, other, strict=False)) if each != its), len(one))
    one, other = one[start:], other[start:]
    is_one_letter = one[1:] == other[1:] or one[1:] == other or one == other[1:]
    return is_one_letter or (one[:2] == other[:2][::-1] and one[2:] == other[2:])
