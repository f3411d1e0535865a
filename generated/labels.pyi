# Generated from templates/labels.pyi.j2: change that, not this; `python -m generator emit` emits it again.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7

from collections.abc import Mapping
from typing import Final

from whatwg_encoding._native.text.core import Encoding
from whatwg_encoding._native.text.core import lookup as lookup

ENCODINGS: Final[Mapping[str, Encoding]]
LABELS: Final[Mapping[str, Encoding]]

UTF_8: Final[Encoding]
IBM866: Final[Encoding]
ISO_8859_2: Final[Encoding]
ISO_8859_3: Final[Encoding]
ISO_8859_4: Final[Encoding]
ISO_8859_5: Final[Encoding]
ISO_8859_6: Final[Encoding]
ISO_8859_7: Final[Encoding]
ISO_8859_8: Final[Encoding]
ISO_8859_8_I: Final[Encoding]
ISO_8859_10: Final[Encoding]
ISO_8859_13: Final[Encoding]
ISO_8859_14: Final[Encoding]
ISO_8859_15: Final[Encoding]
ISO_8859_16: Final[Encoding]
KOI8_R: Final[Encoding]
KOI8_U: Final[Encoding]
MACINTOSH: Final[Encoding]
WINDOWS_874: Final[Encoding]
WINDOWS_1250: Final[Encoding]
WINDOWS_1251: Final[Encoding]
WINDOWS_1252: Final[Encoding]
WINDOWS_1253: Final[Encoding]
WINDOWS_1254: Final[Encoding]
WINDOWS_1255: Final[Encoding]
WINDOWS_1256: Final[Encoding]
WINDOWS_1257: Final[Encoding]
WINDOWS_1258: Final[Encoding]
X_MAC_CYRILLIC: Final[Encoding]
GBK: Final[Encoding]
GB18030: Final[Encoding]
BIG5: Final[Encoding]
EUC_JP: Final[Encoding]
ISO_2022_JP: Final[Encoding]
SHIFT_JIS: Final[Encoding]
EUC_KR: Final[Encoding]
REPLACEMENT: Final[Encoding]
UTF_16BE: Final[Encoding]
UTF_16LE: Final[Encoding]
X_USER_DEFINED: Final[Encoding]

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
