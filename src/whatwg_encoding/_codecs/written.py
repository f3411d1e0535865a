"""Names of encodings as people write them, beside and in files of data: "ANSI 1252", "88591", "LDID/87"."""

from __future__ import annotations

import re

from .._labels import LABELS, lookup
from .._native.core import Encoding, UnknownLabelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

_LONGEST: Final = 40  # characters: more than any of these names has
_PLAIN: Final = {label.translate(str.maketrans("", "", "-_.:")): label for label in LABELS}

# What stands before the number of a code page: "ANSI 1252", "OEM 850", "Windows-1252", "cp65001", "code page 437".
_NUMBERED: Final = re.compile(r"(?:ansi|oem|windows|win|ms|cp|codepage|ccsid)?0*([1-9][0-9]{2,4})")
_LANGUAGE_DRIVER: Final = re.compile(r"(?:ldid|dbf)[/: ]?(0x[0-9a-f]{1,2}|[0-9]{1,3})|(0x[0-9a-f]{1,2})")

# The numbers of Windows for code pages, where the label is not "windows-" and the number.
# https://learn.microsoft.com/windows/win32/intl/code-page-identifiers
_OF_WINDOWS: Final[Mapping[int, str]] = {
    866: "ibm866", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 1200: "utf-16le", 1201: "utf-16be",
    10000: "macintosh", 10007: "x-mac-cyrillic", 20127: "us-ascii", 20866: "koi8-r", 20932: "euc-jp", 20936: "gbk",
    20949: "euc-kr", 21866: "koi8-u", 38598: "iso-8859-8-i", 50220: "iso-2022-jp", 50221: "iso-2022-jp",
    51932: "euc-jp", 51936: "gbk", 51949: "euc-kr", 54936: "gb18030", 65001: "utf-8",
    **{28590 + part: f"iso-8859-{part}" for part in (*range(1, 12), 13, 14, 15, 16)},
}  # fmt: skip
# Those of Macintosh pages outside the standard.
_OF_MACINTOSH: Final[Mapping[int, str]] = {
    10004: "mac_arabic", 10006: "mac_greek", 10010: "mac_romanian", 10029: "mac_latin2", 10079: "mac_iceland",
    10081: "mac_turkish", 10082: "mac_croatian", 12000: "utf-32le", 12001: "utf-32be",
}  # fmt: skip

# The code page of each language driver: byte 29 of a DBF file's header, as dBASE and FoxPro write it. Two others
# (0x68, Kamenický; 0x69, Mazovia) have pages that Python does not have either.
_OF_LANGUAGE_DRIVERS: Final[Mapping[int, int]] = {
    driver: page
    for page, drivers in {
        437: "01 09 0B 0D 0F 11 15 18 19 1B", 737: "6A 86", 850: "02 0A 0E 10 12 14 16 1A 1D 25 37",
        852: "1F 22 23 40 64 87", 857: "6B 88", 860: "24", 861: "67", 863: "1C 6C", 865: "08 17 66", 866: "26 65",
        874: "50 7C", 932: "13 7B", 936: "4D 7A", 949: "4E 79", 950: "4F 78", 1250: "C8", 1251: "C9",
        1252: "03 57 58 59", 1253: "CB", 1254: "CA", 1255: "7D", 1256: "7E", 1257: "CC", 10000: "04", 10006: "98",
        10007: "96", 10029: "97",
    }.items()
    for driver in (int(digits, 16) for digits in drivers.split())
}  # fmt: skip


def written_encoding(name: str) -> Encoding | None:
    """Return the encoding of such a name, or None."""
    if len(name) > _LONGEST or not name.isascii():
        return None
    folded = name.strip().lower()
    driver = _LANGUAGE_DRIVER.fullmatch(folded)
    if driver is not None:
        digits = driver[1] or driver[2]
        page = _OF_LANGUAGE_DRIVERS.get(int(digits, 16 if digits[:2] == "0x" else 10))
        return None if page is None else _of_number(page)
    plain = folded.translate(str.maketrans("", "", "-_.: "))
    for label in (plain, f"iso{plain}"):  # the second is for "8859-15"
        if label in _PLAIN:
            return LABELS[_PLAIN[label]]
    number = _NUMBERED.fullmatch(plain)
    return None if number is None else _of_number(int(number[1]))


def _of_number(page: int) -> Encoding | None:
    """Return the encoding of a code page's number, or None."""
    from ..code_pages import find

    try:
        return lookup(_OF_WINDOWS.get(page, f"windows-{page}"))
    except UnknownLabelError:
        return find(_OF_MACINTOSH.get(page, str(page)))
