# Generated from templates/pointers.py.j2: change that, not this; `python -m generator emit` emits it again.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7

"""Where the pointers of each index lie in the bytes of each encoding, and the sections that define its handlers."""

from typing import Final, NamedTuple


class Pointers(NamedTuple):
    """Byte sequences of an index: a prefix, then for each position the bytes that it takes. The last counts fastest."""

    name: str
    prefix: bytes
    positions: tuple[bytes, ...]

    def pointer(self, data: bytes) -> int | None:
        """Return the pointer of the sequence at the start of `data`, None if it is none of this index."""
        if not data.startswith(self.prefix) or len(data) < self.length:
            return None
        pointer = 0
        for choices, byte in zip(self.positions, data[len(self.prefix) :], strict=False):
            place = choices.find(byte)
            if place < 0:
                return None
            pointer = pointer * len(choices) + place
        return pointer

    @property
    def length(self) -> int:
        """The bytes of a sequence."""
        return len(self.prefix) + len(self.positions)


def _ranges(*ends: tuple[int, int]) -> bytes:
    return b"".join(bytes(range(first, last + 1)) for first, last in ends)


class Handler(NamedTuple):
    """An encoding's indexes, the anchors of its decoder and encoder, and the pointers that are user-defined."""

    decoder: str
    encoder: str | None
    indexes: tuple[Pointers, ...] = ()
    user_defined: range = range(0)


HANDLERS: Final = {
    "UTF-8": Handler(
        "utf-8-decoder",
        "utf-8-encoder",
        indexes=(
        ),
    ),
    "IBM866": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("ibm866", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-2": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-2", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-3": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-3", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-4": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-4", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-5": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-5", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-6": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-6", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-7": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-7", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-8": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-8", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-8-I": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-8", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-10": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-10", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-13": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-13", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-14": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-14", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-15": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-15", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "ISO-8859-16": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("iso-8859-16", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "KOI8-R": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("koi8-r", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "KOI8-U": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("koi8-u", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "macintosh": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("macintosh", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-874": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-874", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1250": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1250", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1251": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1251", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1252": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1252", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1253": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1253", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1254": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1254", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1255": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1255", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1256": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1256", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1257": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1257", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "windows-1258": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("windows-1258", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "x-mac-cyrillic": Handler(
        "single-byte-decoder",
        "single-byte-encoder",
        indexes=(
            Pointers("x-mac-cyrillic", b'', (
                _ranges((0x80, 0xFF)),
            )),
        ),
    ),
    "GBK": Handler(
        "gb18030-decoder",
        "gb18030-encoder",
        indexes=(
            Pointers("gb18030", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x40, 0x7E), (0x80, 0xFE)),
            )),
            Pointers("gb18030-ranges", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x30, 0x39)),
                _ranges((0x81, 0xFE)),
                _ranges((0x30, 0x39)),
            )),
        ),
    ),
    "gb18030": Handler(
        "gb18030-decoder",
        "gb18030-encoder",
        indexes=(
            Pointers("gb18030", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x40, 0x7E), (0x80, 0xFE)),
            )),
            Pointers("gb18030-ranges", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x30, 0x39)),
                _ranges((0x81, 0xFE)),
                _ranges((0x30, 0x39)),
            )),
        ),
    ),
    "Big5": Handler(
        "big5-decoder",
        "big5-encoder",
        indexes=(
            Pointers("big5", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x40, 0x7E), (0xA1, 0xFE)),
            )),
        ),
    ),
    "EUC-JP": Handler(
        "euc-jp-decoder",
        "euc-jp-encoder",
        indexes=(
            Pointers("jis0208", b'', (
                _ranges((0xA1, 0xFE)),
                _ranges((0xA1, 0xFE)),
            )),
            Pointers("jis0212", b'\x8f', (
                _ranges((0xA1, 0xFE)),
                _ranges((0xA1, 0xFE)),
            )),
        ),
    ),
    "ISO-2022-JP": Handler(
        "iso-2022-jp-decoder",
        "iso-2022-jp-encoder",
        indexes=(
            Pointers("jis0208", b'', (
                _ranges((0x21, 0x7E)),
                _ranges((0x21, 0x7E)),
            )),
        ),
    ),
    "Shift_JIS": Handler(
        "shift_jis-decoder",
        "shift_jis-encoder",
        indexes=(
            Pointers("jis0208", b'', (
                _ranges((0x81, 0x9F), (0xE0, 0xFC)),
                _ranges((0x40, 0x7E), (0x80, 0xFC)),
            )),
        ),
        user_defined=range(8836, 10716),
    ),
    "EUC-KR": Handler(
        "euc-kr-decoder",
        "euc-kr-encoder",
        indexes=(
            Pointers("euc-kr", b'', (
                _ranges((0x81, 0xFE)),
                _ranges((0x41, 0xFE)),
            )),
        ),
    ),
    "replacement": Handler(
        "replacement-decoder",
        None,
        indexes=(
        ),
    ),
    "UTF-16BE": Handler(
        "shared-utf-16-decoder",
        None,
        indexes=(
        ),
    ),
    "UTF-16LE": Handler(
        "shared-utf-16-decoder",
        None,
        indexes=(
        ),
    ),
    "x-user-defined": Handler(
        "x-user-defined-decoder",
        "x-user-defined-encoder",
        indexes=(
        ),
    ),
}
