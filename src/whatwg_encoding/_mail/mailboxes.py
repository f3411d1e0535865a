"""Names of IMAP's mailboxes in modified UTF-7 (RFC 3501, section 5.1.3)."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

_SHIFTED: Final = re.compile("&([^-]*)(-?)")
_NOT_PLAIN: Final = re.compile("[^ -~]")
_NOT_BASE64: Final = re.compile("[^A-Za-z0-9+,]")
_ENCODED: Final = re.compile("&|[^ -~]+")
# The lengths of base64, modulo 8, after which no whole character of it is unused by a code unit of UTF-16.
_WHOLE: Final = (0, 3, 6)


def decode_mailbox(name: bytes | str) -> str:
    """Return the name of a mailbox as people read it, given as IMAP transmits it, in modified UTF-7.

    Exactly the names are accepted that `encode_mailbox` returns. Raise ValueError, with what is wrong and its position,
    for any other name, and TypeError for one that is neither bytes nor a str.

    >>> decode_mailbox(b"Entw&APw-rfe &- mehr")
    'Entwürfe & mehr'
    """
    if isinstance(name, bytes | bytearray):
        text = name.decode("latin-1")
    elif isinstance(name, str):
        text = name
    else:
        raise TypeError(f"the name of a mailbox must be bytes or a str, not {type(name).__name__}")
    wrong = _NOT_PLAIN.search(text)
    if wrong is not None:
        _refuse(f"U+{ord(wrong[0]):04X}, which is not encoded", wrong.start())
    parts: list[str] = []
    end, is_encoded = 0, False
    for shifted in _SHIFTED.finditer(text):
        start = shifted.start()
        if not shifted[2]:
            _refuse("'&' without the '-' that ends what it begins", start)
        if is_encoded and start == end and shifted[1]:
            _refuse("'-&' between characters that are encoded", start - 1)
        is_encoded = bool(shifted[1])
        parts += text[end:start], _decoded(shifted[1], start + 1) if is_encoded else "&"
        end = shifted.end()
    return "".join([*parts, text[end:]])


def _decoded(encoded: str, start: int) -> str:
    wrong = _NOT_BASE64.search(encoded)
    if wrong is not None:
        _refuse(f"{wrong[0]!r} in base64", start + wrong.start())
    data = b64decode(encoded.replace(",", "/") + "=" * (-len(encoded) % 4)) if len(encoded) % 8 in _WHOLE else b""
    if _base64(data) != encoded:
        _refuse("base64 that ends within a character", start)
    try:
        text = data.decode("utf-16-be")
    except UnicodeDecodeError:
        _refuse("a lone surrogate in base64", start)
    if any(" " <= character <= "~" for character in text):
        _refuse("printable ASCII in base64", start)
    return text


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii").rstrip("=").replace("/", ",")


def _refuse(reason: str, position: int) -> NoReturn:
    raise ValueError(f"the name of a mailbox is not in modified UTF-7: it has {reason}, at {position}") from None


def encode_mailbox(name: str) -> bytes:
    """Return the name of a mailbox as IMAP transmits it, in modified UTF-7, without quotation marks.

    Raise ValueError for a lone surrogate, and TypeError for a name that is not a str.

    >>> encode_mailbox("Entwürfe & mehr")
    b'Entw&APw-rfe &- mehr'
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a mailbox must be a str, not {type(name).__name__}")
    return _ENCODED.sub(_encoded, name).encode("ascii")


def _encoded(run: re.Match[str]) -> str:
    if run[0] == "&":
        return "&-"
    try:
        return f"&{_base64(run[0].encode('utf-16-be'))}-"
    except UnicodeEncodeError as error:
        position = run.start() + error.start
        raise ValueError(f"the name of a mailbox has a lone surrogate, at {position}") from None
