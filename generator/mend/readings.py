"""What UTF-8 is misread as: single-byte readings with their variants, and the bits against each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

READINGS: Mapping[str, tuple[float, str]] = {
    "windows-1252": (10.5, "cp1252 latin-1 cp1254"), "windows-1251": (13.5, "cp1251"), "windows-1250": (14.5, "cp1250"),
    "macintosh": (13.5, "mac-roman"), "cp437": (14, "cp437"), "cp850": (14, "cp850 cp858"), "cp852": (16, "cp852"),
    "cp857": (17, "cp857"), "cp866": (19, "cp866"), "KOI8-R": (15.5, "koi8-r koi8-u"),
    "windows-1253": (20, "cp1253"), "windows-1255": (20, "cp1255"), "windows-1256": (20, "cp1256"),
    "windows-1257": (20, "cp1257"), "windows-1258": (20, "cp1258"), "windows-874": (20, "cp874"),
    "ISO-8859-2": (23, "iso8859-2"), "ISO-8859-5": (20, "iso8859-5"), "ISO-8859-7": (20, "iso8859-7"),
    "ISO-8859-15": (20, "iso8859-15"), "x-mac-cyrillic": (20, "mac-cyrillic"), "cp737": (20, "cp737"),
    "cp775": (20, "cp775"), "cp862": (20, "cp862"), "mac-latin2": (20, "mac-latin2"),
}  # fmt: skip
"""By the name in the steps of a result: the bits against it, and the codecs whose characters programs mix in it."""

MULTI_BYTE: Mapping[str, float] = {"GBK": 15.5, "Shift_JIS": 18, "Big5": 20, "EUC-KR": 20}

_FIRST, _CONTROLS = "windows-1252", range(0x80, 0xA0)


def characters(name: str) -> Iterator[tuple[str, int]]:
    """Yield each character of a reading, and its byte: of variants, the first one that has it.

    A byte of C1 without a character stays a control, as browsers read it.
    """
    bytes_by_character: dict[str, int] = {}
    for codec in READINGS[name][1].split():
        for byte in range(0x80, 0x100):
            character = bytes([byte]).decode(codec, "replace")
            if character != "\ufffd" and (codec == "latin-1" or byte not in _CONTROLS or ord(character) > 0x9F):
                bytes_by_character.setdefault(character, byte)
    used = set(bytes_by_character.values())
    for byte in _CONTROLS:
        if byte not in used or name == _FIRST:
            bytes_by_character.setdefault(chr(byte), byte)
    yield from bytes_by_character.items()
