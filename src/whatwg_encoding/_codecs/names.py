"""The encodings of the standard that are nearest to Python's codecs.

A codec is near to an encoding if at most 2 % of its printable single bytes, and at most 2 % of its pairs of bytes,
decode to something else. ``tests/api/test_codec_names.py`` derives the table and its figures from the codecs.
"""

from __future__ import annotations

from encodings import normalize_encoding
from encodings.aliases import aliases

from .._api.hooks import checked_str
from .._core import Encoding, UnknownLabelError, quote
from .._labels import ENCODINGS, LABELS

__all__ = ["lookup_codec"]

# Codec → the nearest encoding, and the numbers of single bytes and of pairs that the two decode differently, errors
# included. Pairs are those from 80 20 that decode to more than their two bytes do; in ISO-2022-JP, those of JIS X 0208.
NEAREST = {
    "ascii": ("windows-1252", 128, 0),
    "big5": ("Big5", 0, 5144),
    "big5hkscs": ("Big5", 0, 203),
    "cp950": ("Big5", 0, 5092),
    "cp1250": ("windows-1250", 5, 0),
    "cp1251": ("windows-1251", 1, 0),
    "cp1252": ("windows-1252", 5, 0),
    "cp1253": ("windows-1253", 14, 0),
    "cp1254": ("windows-1254", 7, 0),
    "cp1255": ("windows-1255", 13, 0),
    "cp1256": ("windows-1256", 0, 0),
    "cp1257": ("windows-1257", 10, 0),
    "cp1258": ("windows-1258", 9, 0),
    "cp866": ("IBM866", 0, 0),
    "cp874": ("windows-874", 23, 0),
    "cp932": ("Shift_JIS", 4, 0),
    "cp949": ("EUC-KR", 0, 0),
    "euc_jp": ("EUC-JP", 0, 463),
    "euc_kr": ("EUC-KR", 0, 8823),
    "gb18030": ("gb18030", 1, 20),
    "gb2312": ("GBK", 1, 16497),
    "gbk": ("GBK", 1, 2149),
    "iso2022_jp": ("ISO-2022-JP", 2, 463),
    "iso8859_1": ("windows-1252", 27, 0),
    "iso8859_10": ("ISO-8859-10", 0, 0),
    "iso8859_11": ("windows-874", 9, 0),
    "iso8859_13": ("ISO-8859-13", 0, 0),
    "iso8859_14": ("ISO-8859-14", 0, 0),
    "iso8859_15": ("ISO-8859-15", 0, 0),
    "iso8859_16": ("ISO-8859-16", 0, 0),
    "iso8859_2": ("ISO-8859-2", 0, 0),
    "iso8859_3": ("ISO-8859-3", 0, 0),
    "iso8859_4": ("ISO-8859-4", 0, 0),
    "iso8859_5": ("ISO-8859-5", 0, 0),
    "iso8859_6": ("ISO-8859-6", 0, 0),
    "iso8859_7": ("ISO-8859-7", 0, 0),
    "iso8859_8": ("ISO-8859-8", 0, 0),
    "iso8859_9": ("windows-1254", 25, 0),
    "koi8_r": ("KOI8-R", 0, 0),
    "koi8_u": ("KOI8-U", 2, 0),
    "latin_1": ("windows-1252", 27, 0),
    "mac_cyrillic": ("x-mac-cyrillic", 0, 0),
    "mac_roman": ("macintosh", 0, 0),
    "palmos": ("windows-1252", 6, 0),
    "shift_jis": ("Shift_JIS", 1, 2731),
    "tis_620": ("windows-874", 10, 0),
    "utf_16": ("UTF-16LE", 0, 0),
    "utf_16_be": ("UTF-16BE", 0, 0),
    "utf_16_le": ("UTF-16LE", 0, 0),
    "utf_8": ("UTF-8", 0, 0),
    "utf_8_sig": ("UTF-8", 0, 0),
}

_REASONS = {
    "it is an EBCDIC code page": "cp037 cp273 cp424 cp500 cp875 cp1026 cp1140",
    "it is a DOS code page that the standard does not have": (
        "cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp869 cp1125"
    ),
    "it is a Macintosh code page that the standard does not have": (
        "mac_arabic mac_croatian mac_farsi mac_greek mac_iceland mac_latin2 mac_romanian mac_turkish"
    ),
    "it has the characters of JIS X 0213, which the standard does not have": (
        "euc_jis_2004 euc_jisx0213 iso2022_jp_2004 iso2022_jp_3 shift_jis_2004 shift_jisx0213"
    ),
    "it switches to character sets that the standard does not have": "iso2022_jp_1 iso2022_jp_2 iso2022_jp_ext",
    "the standard does not decode it, for security": "hz iso2022_kr utf_7",
    "the standard has no UTF-32": "utf_32 utf_32_be utf_32_le",
    "it depends on the settings of the machine": "mbcs oem",
    "it is not a character encoding": (
        "base64_codec bz2_codec charmap hex_codec idna punycode quopri_codec raw_unicode_escape rot_13 undefined "
        "unicode_escape uu_codec zlib_codec"
    ),
    "the standard has no similar encoding": "cp1006 hp_roman8 johab koi8_t kz1048 ptcp154",
}

# Codec → why no encoding is near to it.
REASONS = {codec: reason for reason, codecs in _REASONS.items() for codec in codecs.split()}

_LONGEST = 80  # characters: more than any name of a codec has


def lookup_codec(name: str) -> Encoding:
    """Return the encoding that is nearest to one of Python's codecs, given any of the codec's names.

    ``lookup`` accepts the labels of the web; this accepts the names in Python programs, such as ``cp932`` and
    ``utf_8_sig``. Nearest does not mean equal: Shift_JIS decodes what ``cp932`` decodes, and windows-1252 what
    ``latin-1`` decodes except for 27 controls. Names are normalized as in ``codecs.lookup``, and no codec is imported.
    Raise UnknownLabelError, with the reason, for a codec to which no encoding is near and for a name of no codec, and
    TypeError for a name that is not a str.

    >>> lookup_codec("cp932"), lookup_codec("latin-1"), lookup_codec("utf_8_sig")
    (<Encoding Shift_JIS>, <Encoding windows-1252>, <Encoding UTF-8>)
    >>> lookup_codec("cp037")
    Traceback (most recent call last):
        ...
    whatwg_encoding.UnknownLabelError: no encoding is near to Python's codec 'cp037': it is an EBCDIC code page
    """
    codec = _codec(checked_str(name, "name"))
    nearest = NEAREST.get(codec)
    if nearest is not None:
        return ENCODINGS[nearest[0]]
    quoted = quote(name)
    reason = REASONS.get(codec)
    if reason is not None:
        raise UnknownLabelError(f"no encoding is near to Python's codec {quoted}: {reason}")
    raise UnknownLabelError(f"{quoted} is not the name of a codec of Python")


def _codec(name: str) -> str:
    """Return the codec of which ``name`` is a name, or a name of none."""
    # Normalizing takes time for each character.
    normal = normalize_encoding(name).lower() if len(name) <= _LONGEST and name.isascii() else ""
    return aliases.get(normal) or aliases.get(normal.replace(".", "_")) or normal


def suggestion(label: str) -> str:
    """Return the end of the message about an unknown label: what it may have been meant for."""
    codec = _codec(label)
    if codec in NEAREST:
        return f"; {NEAREST[codec][0]!r} is nearest to Python's codec of that name (whatwg_encoding.lookup_codec)"
    if codec in REASONS:
        return f"; no encoding is near to Python's codec of that name: {REASONS[codec]}"
    from difflib import get_close_matches  # imported here, since few programs need it

    near = get_close_matches(label.lower(), LABELS, 1)
    return (
        f"; did you mean {near[0]!r}?"
        if near
        else "; whatwg_encoding.LABELS has all of them, as `whatwg-encoding labels` prints"
    )
