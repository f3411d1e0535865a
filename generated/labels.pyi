# Generated from templates/labels.pyi.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7

from collections.abc import Mapping
from typing import Final

from whatwg_encoding._core import Encoding
from whatwg_encoding._core import lookup as lookup

ENCODINGS: Final[Mapping[str, Encoding]]
LABELS: Final[Mapping[str, Encoding]]
CONSTANTS: Final[tuple[str, ...]]

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
