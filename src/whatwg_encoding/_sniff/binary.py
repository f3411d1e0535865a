"""Tell binary data from text, and mixtures with UTF-16: ``sniff.is_binary``, and the signs that messages name.

No standard specifies this. Text has few of the C0 controls, in any encoding of the standard but UTF-16, whose units
have bytes of any value. Data that reads as UTF-16 without what text lacks there is therefore text.
"""

from __future__ import annotations

from .._labels import UTF_8, UTF_16BE, UTF_16LE
from .._native.core import byte_view, sniff_bom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from typing_extensions import Buffer

    from .._native.core import Encoding

# Kind of data → a regular expression of its first bytes. A signature counts only beside a byte that no text has, unless
# no text starts as it does: PDF has a comment that says so.
_SIGNATURES: Final = {
    # Images and fonts
    "PNG": rb"\x89PNG\r\n\x1A\n",
    "JPEG": rb"\xFF\xD8\xFF[\xC0-\xFE]",
    "GIF": rb"GIF8[79]a",
    "TIFF": rb"II\*\0|MM\0\*",
    "BMP": rb"BM.{4}\0{4}.{2}\0\0",
    "ICO": rb"\0\0[\x01\x02]\0[^\0]\0",
    "WebP": rb"RIFF.{4}WEBP",
    "PSD": rb"8BPS\0\x01",
    "JPEG 2000": rb"\0\0\0\x0CjP  |\xFF\x4F\xFF\x51\0",
    "JPEG XL": rb"\0\0\0\x0CJXL ",
    "TrueType": rb"\0\x01\0\0|true\0|ttcf\0",
    "OpenType": rb"OTTO\0",
    "WOFF": rb"wOF[F2]",
    "PCF": rb"\x01fcp",
    # Sound and video
    "WAV": rb"RIFF.{4}WAVE",
    "AVI": rb"RIFF.{4}AVI ",
    "AIFF": rb"FORM.{4}AIF[CF]",
    "AU": rb"\.snd\0",
    "MP3": rb"ID3[\x02-\x04].[\0-\xF0]|\xFF[\xF2\xF3\xFA\xFB][\x10-\xEF]",
    "FLAC": rb"fLaC\0",
    "Ogg": rb"OggS\0",
    "MIDI": rb"MThd\0\0",
    "MP4": rb"\0\0.{2}ftyp",
    "Matroska": rb"\x1A\x45\xDF\xA3",
    "FLV": rb"FLV\x01",
    "MPEG": rb"\0\0\x01[\xB3\xBA]",
    # Archives and compressed data
    "ZIP": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
    "gzip": rb"\x1F\x8B\x08[\0-\x1F].{4}[\0\x02\x04][\0-\x0D\xFF]",
    "bzip2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
    "xz": rb"\xFD7zXZ\0",
    "Zstandard": rb"\x28\xB5\x2F\xFD",
    "LZ4": rb"\x04\x22\x4D\x18",
    "lzip": rb"LZIP\x01",
    "7z": rb"7z\xBC\xAF\x27\x1C",
    "RAR": rb"Rar!\x1A\x07",
    "ar": rb"!<arch>\n",
    "tar": rb".{257}ustar[\0 ]",
    "cpio": rb"0707(?:0[12]|07)[0-9A-Fa-f]{8}",
    "CAB": rb"MSCF\0{4}",
    "RPM": rb"\xED\xAB\xEE\xDB",
    # Programs
    "ELF": rb"\x7FELF",
    "PE": rb"MZ.[\0\x01].{58}\0\0",
    "Mach-O": rb"\xFE\xED\xFA[\xCE\xCF]|[\xCE\xCF]\xFA\xED\xFE",
    "Java class": rb"\xCA\xFE\xBA\xBE\0",
    "WebAssembly": rb"\0asm",
    "Python bytecode": rb".[\x0B-\x0F]\r\n[\0-\x03]\0{3}|\x03\xF3\r\n",
    "Dalvik": rb"dex\n0[0-9]{2}\0",
    "Lua bytecode": rb"\x1BLua[QRST]",
    "LLVM bitcode": rb"BC\xC0\xDE",
    # Documents and data
    "PDF": rb"%PDF-[12]\.",
    "OLE": rb"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
    "DjVu": rb"AT&TFORM",
    "SQLite": rb"SQLite format 3\0",
    "HDF5": rb"\x89HDF\r\n\x1A\n",
    "NumPy": rb"\x93NUMPY[\x01-\x03]\0",
    "Parquet": rb"PAR1[\x10-\x1F]",
    "Arrow": rb"ARROW1\0\0",
    "Avro": rb"Obj\x01",
    "pickle": rb"\x80[\x04\x05]\x95.{5}\0{3}",
    "gettext catalogue": rb"\xDE\x12\x04\x95[\0\x01]\0|\x95\x04\x12\xDE\0[\0\x01]",
    "time zone": rb"TZif[\x002-4]\0",
    "GVariant": rb"GVariant\0",
    "GDBM": rb"\xCE\x9A\x57\x13|\x13\x57\x9A\xCE",
    "git index": rb"DIRC\0{3}[\x02-\x04]",
    "git pack": rb"PACK\0{3}[\x02\x03]",
    "pcap": rb"\xD4\xC3\xB2\xA1\x02\0|\xA1\xB2\xC3\xD4\0\x02",
}
_KINDS: Final = tuple(_SIGNATURES)
# `re` compiles and keeps these patterns and those below when they are needed: it would take half of this import's time.
_SIGNATURE: Final = b"(?s)" + b"|".join(b"(%b)" % signature for signature in _SIGNATURES.values())
_SUFFICIENT: Final = rb"\x89(?:PNG|HDF)\r\n\x1A\n|%PDF-[12]\.[0-9]\s+%[\x80-\xFF]{4}"

# C0 controls that no text has, in bytes. Text may have the others: white space, backspaces, a bell, the escapes of
# terminals, the shifts of ISO 2022, the end of a file as in DOS, and the separators of fields.
_CONTROLS: Final = bytes([*range(0x07), *range(0x10, 0x1A)])
_CONTROL: Final = b"[%b]" % _CONTROLS
_BYTES_TO_A_CONTROL: Final = 128  # in binary data, at most: it has one in 11 if it is compressed, and most has more

# What UTF-16 text has not: these, the private use area, noncharacters, and surrogates that are not paired. Characters
# that are controls in the other order of bytes, small numbers, are rare: a text has one of them, U+1000 say, or none.
_NO_UTF_16: Final = f"[{_CONTROLS.decode('ascii')}\ue000-\uf8ff\ufdd0-\ufdef\ufffd-\uffff]+"
_SWAPPED_CONTROLS: Final = [chr(control << 8) for control in _CONTROLS if control]
_UNITS_TO_AN_OTHER: Final = 32  # in UTF-16, at least, and as many without one; of random units it is one in 8
_MARKED_UNITS_TO_AN_OTHER: Final = 4  # after a byte order mark, of which UTF-32 has one, too
_NOT_ASCII: Final = rb"[^\0\t\n\f\r -~]"
_NULS_TO_A_MISPLACED_ONE: Final = 4

# What is looked at: the start, and of longer data as much again in pieces, which are evenly spaced.
_START: Final = 1 << 16
_PIECES: Final = 16
_PIECE: Final = _START // _PIECES

# Lines of ASCII in UTF-16 would be ideographs from everywhere in Unicode. Text has runs of characters of which both
# bytes are ASCII, too (hiragana, half of the ideographs), and 上, U+4E0A, has the byte of LF, but it has not three rows
# from U+20xx to U+4Dxx, hiragana aside, in one such run.
_ASCII_LINES: Final = rb"(?:[\t\n -~]|\r(?=\n)){6,}"  # CR alone is the upper byte of Malayalam
_ASCII_LINE_END: Final = rb"\n(?<=[\t\n\r -~]{5}\n)"  # which `re` finds faster
_BEFORE_PAIR: Final = 4
_LONG_LINE: Final = 24
_RARE_UPPER: Final = frozenset(range(0x20, 0x4E)) - {0x30}
_RARE_ROWS: Final = 3
_UTF_16_LINE_END: Final = rb"(?:[\t\r -~]\0){3}\n\0|\r\0\n\0"
_UTF_16_START: Final = rb"(?:\xFF\xFE)?(?:[\t -~]\0){3}|\r\0\n\0"
_OVERLAP: Final = 128  # bytes of a chunk that are looked at with the next
_NUL: Final = 0  # a number: bytes are looked for in bytes by an exception first


def is_binary(data: Buffer) -> bool:
    """Return whether the data is binary, not text in any encoding.

    It is binary if it starts with a known signature and contains a control character that no text contains, or if no
    text can start like that. It is also binary if one byte in 128 is such a control (U+0000 to U+0006 and U+0010 to
    U+0019), unless it is UTF-16, with or without a byte order mark. Text in any encoding of the standard is not binary,
    and neither is the empty string. In long data, 128 KiB from all parts of it are examined. Raise TypeError for data
    without a contiguous buffer.

    >>> is_binary(b"GIF89a\\x01\\0\\x01\\0\\x80\\0\\0"), is_binary("GIF89a: 画像".encode("shift_jis"))
    (True, False)
    """
    return binary_sign(byte_view(data)) is not None


def binary_sign(view: bytes | memoryview) -> str | None:
    """Return by what data is known to be binary, as a message names it, or None if it may be text."""
    import re  # here and below, since it takes three milliseconds to load

    sample = _sample(view)
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    signature = re.match(_SIGNATURE, sample)
    if signature is not None and (controls or re.match(_SUFFICIENT, sample)):
        assert signature.lastindex is not None
        return f"the signature of {_KINDS[signature.lastindex - 1]}"
    if not controls or controls * _BYTES_TO_A_CONTROL < len(sample) or _is_utf_16(sample):
        return None
    first = re.search(_CONTROL, view[:_START])
    return "control bytes" if first is None else f"control bytes, {first[0].hex().upper()} at byte {first.start()}"


def _sample(view: bytes | memoryview) -> bytes:
    """Return the start of the data, and pieces of the rest, which start at even offsets: units of UTF-16 stay whole."""
    length = len(view) - _START
    if length <= _START:
        return bytes(view)
    starts = (_START + (length - _PIECE) * number // (_PIECES - 1) // 2 * 2 for number in range(_PIECES))
    return b"".join([view[:_START], *(view[start : start + _PIECE] for start in starts)])


def _is_utf_16(sample: bytes) -> bool:
    """Return whether bytes with controls are plausible as UTF-16."""
    import re

    marked, length = sniff_bom(sample)
    if marked is UTF_8:
        return False
    if marked is not None:
        return _others(marked, sample[length:]) * _MARKED_UNITS_TO_AN_OTHER <= len(sample) // 2 + 2
    if re.search(_NOT_ASCII, sample) is None:
        # ASCII and NULs: in UTF-16 they have the upper halves, and in other data any place. U+3000 has a lower half.
        places = sample[::2].count(0), sample[1::2].count(0)
        spaces = UTF_16BE.decode(sample).count("\u3000"), UTF_16LE.decode(sample).count("\u3000")
        misplaced = min(places[0] - spaces[1], places[1] - spaces[0])
        if misplaced * _NULS_TO_A_MISPLACED_ONE > max(places):
            return False
    allowed = max(0, len(sample) // 2 // _UNITS_TO_AN_OTHER - 1)
    return any(_others(encoding, sample) <= allowed for encoding in (UTF_16LE, UTF_16BE))


def _others(encoding: Encoding, sample: bytes) -> int:
    """Return the number of characters that text in UTF-16 has not, the end of one that is cut aside."""
    import re

    text = encoding.decode(sample[: len(sample) // 2 * 2])
    swapped = [text.count(control) for control in _SWAPPED_CONTROLS]
    return sum(map(len, re.findall(_NO_UTF_16, text))) + sum(swapped) - max(swapped)


class Mixture:
    """UTF-16 and 8-bit text in one file, which programs make that append to it: looked for in a stream of its bytes.

    ``encoding``: the one of the file's start. ``offset``: the one of its first byte, as messages count.
    """

    def __init__(self, encoding: Encoding = UTF_8, offset: int = 0) -> None:
        self.encoding = encoding
        self._offset = offset
        self._passed = 0  # bytes before those that are looked at
        self._last = b""

    def sign(self, chunk: bytes | memoryview) -> str | None:
        """Return what the file mixes, if the next bytes show that, as a message names it."""
        chunk, is_utf_16 = bytes(chunk), self.encoding in (UTF_16LE, UTF_16BE)
        if not is_utf_16 and len(chunk) >= _OVERLAP and _NUL not in chunk and _NUL not in self._last:
            self._passed += len(self._last) + len(chunk) - _OVERLAP  # it is all 8-bit text
            self._last = chunk[-_OVERLAP:]
            return None
        data = self._last + chunk if self._last else chunk
        kind, place = self._in_utf_16(data) if is_utf_16 else ("UTF-16", _utf_16_start(data))
        if place is not None:
            own = self.encoding.name if is_utf_16 else "8-bit text"
            return f"{own} and, from byte {self._offset + self._passed + place} on, {kind}"
        self._last = data[-_OVERLAP:]
        self._passed += len(data) - len(self._last)
        return None

    def check(self, chunk: bytes | memoryview) -> None:
        """Raise ValueError for a mixture that the next bytes show."""
        if chunk and (sign := self.sign(chunk)) is not None:
            raise ValueError(f"mixes {sign}; cut it there, or name an encoding to read all of it in that")

    def _in_utf_16(self, data: bytes) -> tuple[str, int | None]:
        """Return what else is in UTF-16, and where."""
        is_little = self.encoding is UTF_16LE
        swapped = b"\xfe\xff" if is_little else b"\xff\xfe"  # as U+FFFE, which is no character
        place = data.find(swapped)
        while place >= 0 and (self._passed + place) % 2:
            place = data.find(swapped, place + 1)
        if place >= 0:
            return "UTF-16BE" if is_little else "UTF-16LE", place
        import re

        has_end = re.search(_ASCII_LINE_END, data) is not None
        for match in re.finditer(_ASCII_LINES, data) if has_end else ():
            lines = match[0]
            upper = lines[(self._passed + match.start() + is_little) % 2 :: 2]
            has_pair = is_little and lines.find(b"\r\n", _BEFORE_PAIR) >= 0  # U+0A0D is no character
            has_line = len(lines) >= _LONG_LINE and b"\n" in lines
            if has_pair or (has_line and len(_RARE_UPPER.intersection(upper)) >= _RARE_ROWS):
                return "8-bit text", match.start() + (self._passed + match.start()) % 2  # after whole units
        return "", None


def _utf_16_start(data: bytes) -> int | None:
    """Return where UTF-16 begins in 8-bit text, which has no NULs: where one follows each letter, or CR LF."""
    if _NUL not in data:
        return None
    import re

    match = re.search(_UTF_16_LINE_END, data) and re.search(_UTF_16_START, data)
    return match and match.start()
