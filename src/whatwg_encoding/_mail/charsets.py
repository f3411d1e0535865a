"""What a charset names in mail, and the text of bytes whose charset may be missing, unknown or wrong."""

from __future__ import annotations

import re
from codecs import charmap_decode
from functools import lru_cache

import whatwg_encoding as we
from whatwg_encoding import sniff
from whatwg_encoding.names import TEXT_CODECS, meant, module_of, unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TypeAlias

    from typing_extensions import Buffer

Charset: TypeAlias = we.Encoding | str
"""An encoding, or the name of a codec of Python's that the web must not have, or "viscii", which Python lacks."""

# --- Names ---

_LONGEST: Final = 80  # characters: more than any name has

#: Vietnamese, by byte (RFC 1456).
_VISCII: Final = "viscii"
_VISCII_TEXT: Final = (
    "\0\1Ẳ\3\4ẴẪ\a\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13Ỷ\x15\x16\x17\x18Ỹ\x1a\x1b\x1c\x1dỴ\x1f"
    + bytes(range(0x20, 0x80)).decode("ascii")
    + "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯ"
    "ÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừửÙÚỹỵÝỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ"
)

_ASCII_NAMES: Final = (
    "ascii usascii ansix341968 ansix341986 iso646us iso646irv1991 isoir6 us csascii ibm367 cp367 20127 cp20127 646"
)
_ASCII: Final = frozenset(_ASCII_NAMES.split())


def charset(name: str | None) -> Charset | None:
    """Return what a charset names in mail: an Encoding, a codec of Python's, or None if it is unknown.

    A codec's name is returned for what the web must not have, such as utf-7, iso-2022-kr and hz-gb-2312, and for DOS
    and other code pages that the standard lacks. For VISCII, of which Python has no codec, it is "viscii". Letters and
    digits of the name count alone, so that ``iso8859_15`` and ``"UTF 8"`` are known, and so do common errors
    (``utf8mb4``, ``charset=utf-8``) and numbers of code pages (``cp936``, ``windows-28605``). No codec is imported.
    Raise TypeError for a name that is neither a str nor None.

    >>> charset("ks_c_5601-1992"), charset("utf-7"), charset("x-unknown")
    (<Encoding EUC-KR>, 'utf_7', None)
    """
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError(f"a charset must be a str or None, not {type(name).__name__}")
    return meant(name) or _viscii(name)


def _viscii(name: str) -> str | None:
    """Return "viscii" for its names, also with a version."""
    return _VISCII if unwrapped(name).removeprefix("x").removeprefix("cs").startswith(_VISCII) else None


def _declared(name: str | None) -> Charset | None:
    """Return what a charset declares: nothing if it is ASCII, since other bytes belie it."""
    meaning = charset(name)
    return None if name is None or _is_ascii(name[:_LONGEST]) else meaning


@lru_cache(maxsize=256)
def _is_ascii(name: str) -> bool:
    return unwrapped(name) in _ASCII


# --- Text ---

_ESCAPE: Final = 0x1B  # a number: bytes are looked for in bytes by an exception first
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_BYTES_TO_AN_ERROR: Final = 20  # at least, where a declared encoding of several bytes is right
#: Codecs of Python's with characters that the standard's ISO-2022-JP lacks, by what they add.
_JAPANESE: Final = ("iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_ext")
_DESIGNATOR: Final = b"\x1b$)C"  # before Korean text in ISO-2022-KR


def decode(
    data: Buffer,
    charset: str | None = None,
    *,
    fallback: str | None = None,
    exclude: Iterable[we.Encoding | str] = (),
    candidates: Iterable[we.Encoding | str] | None = None,
) -> str:
    """Return the text of a body, a word or a raw header: in the charset if the bytes agree, else the likeliest one.

    ``charset``: what the mail declares, as in `charset`; None, or an unknown one, counts as not declared.
    ``fallback``: a charset that is declared nearby, such as the body's for a header, and counts if ``charset`` does
    not. A byte order mark decides, and is removed. Otherwise the declared charset counts unless the bytes are UTF-8,
    have errors that it does not explain, or are far likelier in another encoding. Undeclared text is decoded as
    `decode_crawled` does it, and ``exclude`` and ``candidates`` limit the choice as there. Malformed bytes become
    U+FFFD; the result has no surrogates. Raise TypeError for data without a contiguous buffer, and for a charset that
    is neither a str nor None.

    >>> decode("Größe".encode(), "iso-8859-1"), decode(b"Hi+AOk-", "utf-7"), decode(b"caf\\xe9", "x-unknown")
    ('Größe', 'Hié', 'café')
    """
    content = data if isinstance(data, bytes) else bytes(memoryview(data))
    if exclude == () and candidates is None and _declared(charset) is we.UTF_8 and _ESCAPE not in content:
        try:  # which `determine` would find in a multiple of the time
            return content.decode().removeprefix("\ufeff")
        except UnicodeDecodeError:
            pass
    return decode_in(content, determine(content, charset, fallback, exclude=exclude, candidates=candidates))


def determine(
    content: bytes,
    charset: str | None,
    fallback: str | None = None,
    *,
    exclude: Iterable[we.Encoding | str] = (),
    candidates: Iterable[we.Encoding | str] | None = None,
) -> Charset:
    """Return the charset that the bytes most likely are in. Arguments are those of `decode`."""
    declared = _declared(charset)
    likely = declared or _declared(fallback)
    if not isinstance(declared, we.Encoding) and _is_utf_8(content, declared):
        likely = None  # neither what is declared nearby nor a codec that the web lacks outweighs it
    if exclude == () and candidates is None and (codec := _beyond_the_web(content, likely)) is not None:
        return codec
    name = likely.name if isinstance(likely, we.Encoding) else likely
    header = None if name is None else f"text/plain;charset={name}"
    return sniff.crawl(content, header, exclude=exclude, candidates=candidates).encoding


def _is_utf_8(content: bytes, codec: str | None) -> bool:
    """Return whether bytes are UTF-8 beyond ASCII, and no likelier text in a codec."""
    if content.isascii() or sniff.utf8_if_valid(content) is None:
        return False
    return codec is None or sniff.text_cost(we.UTF_8.decode(content)) < sniff.text_cost(decode_in(content, codec))


def _beyond_the_web(content: bytes, likely: Charset | None) -> Charset | None:
    """Return the codec that bytes are in if the web lacks it: a declared one if it has few errors, or ISO-2022-KR."""
    if content.startswith(b"\xff\xfe\0\0") and likely in ("utf_32", "utf_32_le"):
        return "utf_32"
    if we.standard.bom_sniff(content) is not None:
        return None
    if likely is we.ISO_2022_JP and _ESCAPE in content:
        readings: tuple[Charset, ...] = (likely, *_JAPANESE)
    elif isinstance(likely, str):
        readings = ("utf_32_be", "utf_32_le") if likely == "utf_32" else (likely,)
    else:
        return "iso2022_kr" if _DESIGNATOR in content and content.isascii() else None
    likeliest = min(readings, key=lambda reading: _errors(content, reading))
    is_right = _errors(content, likeliest) * _BYTES_TO_AN_ERROR <= len(content)
    return likeliest if is_right or (content.isascii() and likely != "utf_32") else None


def agrees(content: bytes, charset: str) -> bool:
    """Return whether the bytes have no error in a charset, if it is known."""
    meaning = _declared(charset)
    return meaning is not None and _errors(content, meaning) == 0


def decode_in(content: bytes, meaning: Charset, errors: str = "replace") -> str:
    """Return the text in a charset, without a byte order mark. ``errors``: an error handler of Python's."""
    if isinstance(meaning, we.Encoding):
        text = meaning.decode(content) if errors == "replace" else meaning.codec_info.decode(content, errors)[0]
        return text.removeprefix("\ufeff")
    if meaning == _VISCII:  # in which every byte is a character
        return charmap_decode(content, "strict", _VISCII_TEXT)[0]
    if meaning == "iso2022_kr" and _DESIGNATOR not in content:
        content = _DESIGNATOR + content  # encoded words often lack it
    text = content.decode(meaning, errors)
    return (_SURROGATES.sub("\ufffd", text) if errors == "replace" else text).removeprefix("\ufeff")


def can_encode(text: str, name: str) -> bool:
    """Return whether Python has a codec of this name that may be asked, and it encodes a text."""
    if module_of(name) not in TEXT_CODECS:
        return False
    try:
        text.encode(name)
    except UnicodeError:
        return False
    return True


def _errors(content: bytes, meaning: Charset) -> int:
    return decode_in(content, meaning).count("\ufffd")
