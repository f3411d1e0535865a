# Generated from templates/labels.py.j2: change that, not this; `python -m generator emit` emits it again.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7

"""The encodings of the standard, by name and by label."""

from whatwg_encoding._native.core import ENCODINGS as ENCODINGS
from whatwg_encoding._native.core import LABELS as LABELS
from whatwg_encoding._native.core import lookup as lookup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final  # quoted below, since the import of __future__ takes a tenth of the package's

UTF_8: "Final" = ENCODINGS["UTF-8"]
IBM866: "Final" = ENCODINGS["IBM866"]
ISO_8859_2: "Final" = ENCODINGS["ISO-8859-2"]
ISO_8859_3: "Final" = ENCODINGS["ISO-8859-3"]
ISO_8859_4: "Final" = ENCODINGS["ISO-8859-4"]
ISO_8859_5: "Final" = ENCODINGS["ISO-8859-5"]
ISO_8859_6: "Final" = ENCODINGS["ISO-8859-6"]
ISO_8859_7: "Final" = ENCODINGS["ISO-8859-7"]
ISO_8859_8: "Final" = ENCODINGS["ISO-8859-8"]
ISO_8859_8_I: "Final" = ENCODINGS["ISO-8859-8-I"]
ISO_8859_10: "Final" = ENCODINGS["ISO-8859-10"]
ISO_8859_13: "Final" = ENCODINGS["ISO-8859-13"]
ISO_8859_14: "Final" = ENCODINGS["ISO-8859-14"]
ISO_8859_15: "Final" = ENCODINGS["ISO-8859-15"]
ISO_8859_16: "Final" = ENCODINGS["ISO-8859-16"]
KOI8_R: "Final" = ENCODINGS["KOI8-R"]
KOI8_U: "Final" = ENCODINGS["KOI8-U"]
MACINTOSH: "Final" = ENCODINGS["macintosh"]
WINDOWS_874: "Final" = ENCODINGS["windows-874"]
WINDOWS_1250: "Final" = ENCODINGS["windows-1250"]
WINDOWS_1251: "Final" = ENCODINGS["windows-1251"]
WINDOWS_1252: "Final" = ENCODINGS["windows-1252"]
WINDOWS_1253: "Final" = ENCODINGS["windows-1253"]
WINDOWS_1254: "Final" = ENCODINGS["windows-1254"]
WINDOWS_1255: "Final" = ENCODINGS["windows-1255"]
WINDOWS_1256: "Final" = ENCODINGS["windows-1256"]
WINDOWS_1257: "Final" = ENCODINGS["windows-1257"]
WINDOWS_1258: "Final" = ENCODINGS["windows-1258"]
X_MAC_CYRILLIC: "Final" = ENCODINGS["x-mac-cyrillic"]
GBK: "Final" = ENCODINGS["GBK"]
GB18030: "Final" = ENCODINGS["gb18030"]
BIG5: "Final" = ENCODINGS["Big5"]
EUC_JP: "Final" = ENCODINGS["EUC-JP"]
ISO_2022_JP: "Final" = ENCODINGS["ISO-2022-JP"]
SHIFT_JIS: "Final" = ENCODINGS["Shift_JIS"]
EUC_KR: "Final" = ENCODINGS["EUC-KR"]
REPLACEMENT: "Final" = ENCODINGS["replacement"]
UTF_16BE: "Final" = ENCODINGS["UTF-16BE"]
UTF_16LE: "Final" = ENCODINGS["UTF-16LE"]
X_USER_DEFINED: "Final" = ENCODINGS["x-user-defined"]

__all__ = [
    "ENCODINGS",
    "LABELS",
    "lookup",
    "UTF_8",
    "IBM866",
    "ISO_8859_2",
    "ISO_8859_3",
    "ISO_8859_4",
    "ISO_8859_5",
    "ISO_8859_6",
    "ISO_8859_7",
    "ISO_8859_8",
    "ISO_8859_8_I",
    "ISO_8859_10",
    "ISO_8859_13",
    "ISO_8859_14",
    "ISO_8859_15",
    "ISO_8859_16",
    "KOI8_R",
    "KOI8_U",
    "MACINTOSH",
    "WINDOWS_874",
    "WINDOWS_1250",
    "WINDOWS_1251",
    "WINDOWS_1252",
    "WINDOWS_1253",
    "WINDOWS_1254",
    "WINDOWS_1255",
    "WINDOWS_1256",
    "WINDOWS_1257",
    "WINDOWS_1258",
    "X_MAC_CYRILLIC",
    "GBK",
    "GB18030",
    "BIG5",
    "EUC_JP",
    "ISO_2022_JP",
    "SHIFT_JIS",
    "EUC_KR",
    "REPLACEMENT",
    "UTF_16BE",
    "UTF_16LE",
    "X_USER_DEFINED",
]
