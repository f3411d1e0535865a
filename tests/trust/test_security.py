"""The security properties of the standard, each under the section that it comes from.

Expected values are the standard's own: no test here derives them from the code or the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import whatwg_encoding as we
from tests.reference import inputs
from tests.standard.comparison import refusal

ASCII = range(0x80)
REPLACED = "\ufffd"
ASCII_COMPATIBLE_MULTI_BYTE = ("UTF-8", "GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR")
# The labels of encodings that the standard abandoned: https://encoding.spec.whatwg.org/#names-and-labels, the row of
# replacement.
REMOVED = ("csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr", "replacement")
MARKUP = b"<script>alert('\\~')</script>\x1b$B\x1b(B\x0e\x0f+ADw-script+AD4-~{<script>~}\xff\x00"


def both_ways(encoding: we.Encoding, data: bytes, cut: int) -> set[str]:
    """Return the distinct texts of ``data`` decoded whole, cut in two, and to UTF-8: a single one if all agree."""
    decoder = encoding.new_decoder()
    return {
        encoding.decode(data),
        encoding.decode_to_utf8(data).decode(),
        decoder.decode(data[:cut]) + decoder.decode(data[cut:], True),
    }


# --- 2. Security background: https://encoding.spec.whatwg.org/#security-background ------------------------------------


def incomplete_sequences(name: str) -> Iterator[bytes]:
    """Yield every byte that is not ASCII, and the starts of sequences of three and four bytes without ASCII bytes."""
    single = [bytes((byte,)) for byte in range(0x80, 0x100)]
    yield from single
    if name == "UTF-8":
        continuations = [bytes((byte,)) for byte in range(0x80, 0xC0)]
        yield from (
            bytes((leading,)) + trailing_byte for leading in range(0xE0, 0xF5) for trailing_byte in continuations
        )
        for leading in range(0xF0, 0xF5):
            yield from (bytes((leading, first, second)) for first in (0x80, 0x90, 0xBF) for second in (0x80, 0xBF))
    if name == "EUC-JP":
        yield from (b"\x8f" + trailing for trailing in single)


@pytest.mark.parametrize("name", ASCII_COMPATIBLE_MULTI_BYTE)
def test_an_ascii_byte_is_never_swallowed_by_an_incomplete_sequence(name: str) -> None:
    """A byte that does not complete a sequence is decoded as if the sequence had not preceded it.

    So it is at end-of-queue, except for gb18030's digits.
    """
    encoding = we.ENCODINGS[name]
    for leading in incomplete_sequences(name):
        for byte in ASCII:
            data = leading + bytes((byte,))
            (text,) = both_ways(encoding, data + b"<", len(leading))
            assert text.endswith("<"), data
            assert REPLACED not in text or text.endswith(chr(byte) + "<"), data
            text = encoding.decode(data)
            if name in ("gb18030", "GBK") and 0x30 <= byte <= 0x39 and 0x81 <= leading[0] <= 0xFE:
                assert text == REPLACED, data
            else:
                assert REPLACED not in text or text.endswith(chr(byte)), data


@pytest.mark.parametrize("name", ["gb18030", "GBK"])
def test_gb18030_sequences_are_one_error(name: str) -> None:
    """Four bytes without a code point (step 3.4), and a sequence that end-of-queue ends (step 1) with its digits."""
    encoding = we.ENCODINGS[name]
    for data in (b"\x841\xa50", b"\x8f9\xfe9", b"\xe32\x9a6", b"\xfe9\xfe9"):
        assert encoding.decode(data + b"<") == REPLACED + "<", data
    for data in (b"\x81", b"\x810", b"\x810\x81", b"\xfe9\xfe"):
        assert both_ways(encoding, data, len(data)) == {REPLACED}
        assert refusal(encoding.decode, data, "fatal")[2] == (0, len(data))


@pytest.mark.parametrize("name", ["gb18030", "GBK"])
def test_gb18030_restores_the_second_and_third_byte(name: str) -> None:
    """https://encoding.spec.whatwg.org/#gb18030-decoder, steps 3.1 and 4.3: invalid sequences keep the digit."""
    encoding = we.ENCODINGS[name]
    for leading in range(0x81, 0xFF):
        for digit in range(0x30, 0x3A):
            for byte in ASCII:
                data = bytes((leading, digit, byte))
                assert encoding.decode(data) == f"{REPLACED}{digit:c}{byte:c}", data
        for byte in set(ASCII) - set(range(0x30, 0x3A)):
            text = encoding.decode(bytes((leading, 0x30, 0x81, byte)))
            assert text.startswith(f"{REPLACED}0"), (leading, byte, text)


@pytest.mark.parametrize("name", ASCII_COMPATIBLE_MULTI_BYTE)
def test_the_end_of_a_chunk_is_not_the_end(name: str) -> None:
    """A leading byte at a chunk's end is not an error there, and consumes no more of the next chunk than it may."""
    encoding = we.ENCODINGS[name]
    for leading in range(0x80, 0x100):
        for before in (b"", b"a" * 63, b"a" * 1024, b"a" * 4095):
            decoder = encoding.new_decoder()
            text = decoder.decode(before + bytes((leading,))) + decoder.decode(b"") + decoder.decode(b'"\n', True)
            assert text.endswith('"\n'), (leading, len(before))
            assert text == encoding.decode(before + bytes((leading,)) + b'"\n')


def test_utf_8_has_one_form_of_each_code_point() -> None:
    """Each byte of overlong forms, surrogates and values beyond U+10FFFF is an error: #utf-8-decoder."""
    for form in (
        b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xf8\x80\x80\x80\xaf", b"\xfc\x80\x80\x80\x80\xaf",
        b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf7\xbf\xbf\xbf",
    ):  # fmt: skip
        assert we.UTF_8.decode(form) == REPLACED * len(form)


# --- 4.2. Names and labels: https://encoding.spec.whatwg.org/#names-and-labels ----------------------------------------


@pytest.mark.parametrize("label", REMOVED)
def test_labels_of_removed_encodings_are_replacement(label: str) -> None:
    for spelling in (label, label.upper(), f" \t{label.title()}\r\n"):
        assert we.lookup(spelling) is we.REPLACEMENT
    if label != "replacement":
        assert we.decode(MARKUP, label).text == REPLACED


@pytest.mark.parametrize(
    "label",
    [
        *("utf-7", "utf7", "unicode-1-1-utf-7", "csutf7", "x-unicode-2-0-utf-7", "imap4-utf-7"),
        *("utf-32", "utf32", "utf-32le", "utf-32be", "utf_32", "ucs-4", "iso-10646-ucs-4", "utf-1", "utf-ebcdic"),
        *("cesu-8", "cesu8", "scsu", "bocu-1", "ebcdic-cp-us", "ibm037", "cp037", "ibm500", "cp1047"),
        *("iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-2004", "iso-2022-tw", "johab", "cp949"),
        *("raw-unicode-escape", "unicode-escape", "punycode", "idna", "rot13", "hex", "base64", "zlib", "undefined"),
        *("", " ", "utf-8\x00", "utf-8\x0b", "utf-8\xa0", "\u212aoi8-r", "ut\u017f-8", "utf-\uff18", "utf_8", "locale"),
    ],
)
def test_labels_of_other_encodings_are_unknown(label: str) -> None:
    """No label outside the standard's table is accepted, whatever Python or a mail client calls it."""
    with pytest.raises(we.UnknownLabelError):
        we.lookup(label)
    for function in (we.TextDecoder, we.TextDecoderStream):
        with pytest.raises(we.UnknownLabelError):
            function(label)


# --- 9. and 4.1. Single bytes and encoders: https://encoding.spec.whatwg.org/#encoders-and-decoders -------------------

# By steps of https://encoding.spec.whatwg.org/#shift_jis-encoder and #euc-jp-encoder.
_TO_ASCII = {
    ("Shift_JIS", "\xa5"): "\\", ("Shift_JIS", "\u203e"): "~", ("EUC-JP", "\xa5"): "\\", ("EUC-JP", "\u203e"): "~",
}  # fmt: skip


@pytest.mark.gate
@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encoders_emit_no_bytes_that_decode_to_other_ascii(name: str) -> None:
    """Non-ASCII code points are not encoded as ASCII bytes, except for two in two encodings. ASCII is kept.

    The two have no other bytes. ISO-2022-JP refuses the control codes that it uses itself.
    """
    encoding = we.ENCODINGS[name]
    for code_point in [*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x30000, 61)]:
        character = chr(code_point)
        try:
            encoded = encoding.encode(character, "fatal")
        except UnicodeEncodeError:
            assert code_point >= 0x80 or (name == "ISO-2022-JP" and character in "\x0e\x0f\x1b"), code_point
            continue
        decoded = encoding.decode(encoded)
        if code_point < 0x80:
            assert encoded == bytes((code_point,))
            assert decoded == character
        else:
            ascii_part = "".join(c for c in decoded if c < "\x80")
            assert ascii_part == _TO_ASCII.get((name, character), ""), (name, character, encoded)
            assert REPLACED not in decoded or character == REPLACED


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_references_can_not_be_broken_out_of(name: str) -> None:
    """In mode "html" an unmapped code point is ``&#``, decimal digits, ``;``, in any state of the encoder."""
    encoding = we.ENCODINGS[name]
    for character in ("\U0001f600", "\u0e01", "\ue5e5", "\x80", "\ud800", "\xff", "\uffff"):
        for before in ("", "a", "あ", "\xa5", "ｱ"):
            encoded = encoding.encode(f"{before}{character}<{before}")
            text = encoding.decode(encoded)
            assert text.count("<") == 1
            if "&#" in text:
                number = text.partition("&#")[2].partition(";")[0]
                assert number.isdecimal(), text


# --- 12.2. ISO-2022-JP: https://encoding.spec.whatwg.org/#iso-2022-jp -------------------------------------------------

_ESCAPES = {b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B"}


def test_iso_2022_jp_two_escape_sequences_in_a_row_are_an_error() -> None:
    """The output flag: adjacent escape sequences are an error, so that an attacker cannot insert them invisibly."""
    for first in _ESCAPES:
        for second in _ESCAPES:
            assert we.ISO_2022_JP.decode(first + second + b"\x1b(Bx") == REPLACED * 2 + "x"
            assert we.ISO_2022_JP.decode(first) == ""


def test_iso_2022_jp_knows_five_escape_sequences() -> None:
    """Any other sequence keeps the state and gives U+FFFD, and the bytes after 0x1B are decoded again."""
    for second, third in product(set(range(0x80)) - {0x1B}, repeat=2):
        sequence = bytes((0x1B, second, third))
        if sequence not in _ESCAPES:
            decoded = "".join(REPLACED if byte in (0x0E, 0x0F) else chr(byte) for byte in (second, third))
            assert we.ISO_2022_JP.decode(sequence) == REPLACED + decoded, sequence


@pytest.mark.parametrize("state", ["", "\x1b(B", "\x1b(J", "\x1b(I"])
def test_iso_2022_jp_shifts_are_errors(state: str) -> None:
    """0x0E and 0x0F, which switch character sets in other variants of ISO 2022, are errors."""
    for byte in (0x0E, 0x0F):
        text = we.ISO_2022_JP.decode(state.encode() + bytes((byte, 0x31, 0x32)))
        assert text[0] == REPLACED
        assert len(text) == 3
        with pytest.raises(UnicodeDecodeError):
            we.ISO_2022_JP.decode(state.encode() + bytes((byte,)), "fatal")


@pytest.mark.parametrize("before", ["", "a", "\xa5", "あ"])
def test_iso_2022_jp_encoder_lets_no_control_codes_through(before: str) -> None:
    """Otherwise text could contain escape sequences: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder step 3."""
    for character in "\x0e\x0f\x1b":
        encoded = we.ISO_2022_JP.encode(f"{before}{character}$B<")
        assert b"&#65533;$B<" in encoded
        assert we.ISO_2022_JP.decode(encoded) == f"{before}&#65533;$B<"
        assert refusal(we.ISO_2022_JP.encode, before + character, "fatal")[2] == (len(before), len(before) + 1)


def test_iso_2022_jp_ends_in_ascii() -> None:
    """Output ends in ASCII, so that appended bytes keep their meaning."""
    for text in ("あ", "\xa5", "a\u203e", "日本\U0001f600", "ｱ"):
        encoder = we.ISO_2022_JP.new_encoder()
        for encoded in (we.ISO_2022_JP.encode(text), b"".join(map(encoder.encode, text)) + encoder.encode("", True)):
            assert we.ISO_2022_JP.decode(encoded + b"<\\~>").endswith("<\\~>")


# --- 14.1. replacement: https://encoding.spec.whatwg.org/#replacement -------------------------------------------------


def test_replacement_lets_nothing_through() -> None:
    encoding = we.REPLACEMENT
    assert encoding.decode(b"") == ""
    for data in (MARKUP, b"a", b"\x00", b"\n" * 70_000, MARKUP * 5000, bytes(range(256))):
        assert encoding.decode(data) == REPLACED
        assert encoding.decode_to_utf8(data) == REPLACED.encode()
        assert encoding.valid_up_to(data) == 0
        assert we.recode(data, "replacement", "windows-1252", "html") == b"&#65533;"
        decoder = encoding.new_decoder()
        chunks = [b"", data[:1], b"", data[1:], data, b""]
        assert "".join([*map(decoder.decode, chunks), decoder.decode(data, True)]) == REPLACED
        with pytest.raises(UnicodeDecodeError):
            encoding.decode(data, "fatal")
        assert encoding.codec_info.decode(data, "ignore")[0] == ""
        assert encoding.codec_info.decode(data, "replace")[0] == REPLACED
    with pytest.raises(we.EncoderUnavailableError):
        encoding.encode("a")
    assert encoding.output_encoding is we.UTF_8


# --- 14.2. UTF-16: https://encoding.spec.whatwg.org/#common-infrastructure-for-utf-16be-utf-16le ----------------------


@pytest.mark.parametrize(("encoding", "order"), [(we.UTF_16BE, "big"), (we.UTF_16LE, "little")])
def test_utf_16_lets_no_surrogate_through(encoding: we.Encoding, order: str) -> None:
    """A lone surrogate does not consume the following code unit."""
    for surrogate in range(0xD800, 0xE000, 7):
        for unit in (0x3C, 0x22, 0x0A, 0xD800, 0xFFFF):
            data = b"".join(value.to_bytes(2, order) for value in (surrogate, unit, 0x3C))  # type: ignore[arg-type]
            text = encoding.decode(data)
            assert not any("\ud800" <= character <= "\udfff" for character in text)
            assert text.endswith("<")
            if unit < 0xD800:
                assert text == f"{REPLACED}{chr(unit)}<"
    with pytest.raises(we.EncoderUnavailableError):
        encoding.encode("a")


# --- 6. Hooks: https://encoding.spec.whatwg.org/#bom-sniff ------------------------------------------------------------


def test_a_byte_order_mark_is_more_than_a_label() -> None:
    """A filter and a browser agree: the BOM takes precedence, and there are exactly three BOMs."""
    assert we.decode(b"\xef\xbb\xbf<", "utf-16le").encoding is we.UTF_8
    assert we.decode(b"\xfe\xff\x00<", "utf-8") == ("<", we.UTF_16BE)
    assert we.decode(b"\xff\xfe<\x00", "replacement") == ("<", we.UTF_16LE)
    for other in (
        b"+/v8-", b"\xf7\x64\x4c", b"\xdd\x73\x66\x73", b"\x0e\xfe\xff", b"\xfb\xee\x28", b"\x84\x31\x95\x33",
    ):  # fmt: skip
        assert we.bom_sniff(other) is None
    assert we.bom_sniff(b"\xff\xfe\x00\x00") is we.UTF_16LE  # UTF-32 is not detected
