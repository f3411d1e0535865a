"""EUC-JP, ISO-2022-JP and Shift_JIS: https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings."""

from __future__ import annotations

from itertools import product

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import compare_decoder, compare_encoder, compare_every_three_bytes, refusal

every = pytest.mark.parametrize("name", ["EUC-JP", "ISO-2022-JP", "Shift_JIS"])

# ISO-2022-JP's four character sets, by their escape sequences.
ESCAPES = {"ASCII": b"\x1b(B", "Roman": b"\x1b(J", "katakana": b"\x1b(I", "jis0208": b"\x1b$B"}
in_every_state = pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES)


def test_euc_jp_every_three_bytes_of_jis0212_at_end_of_queue() -> None:
    compare_decoder("EUC-JP", (b"\x8f" + bytes(pair) for pair in product(range(0x8E, 0x100), repeat=2)))


def test_euc_jp_four_bytes_at_end_of_queue() -> None:
    few = bytes.fromhex("41 7F 8E 8F A0 A1 B0 DF E0 FE FF")
    compare_decoder("EUC-JP", map(bytes, product(few, repeat=4)))


def test_iso_2022_jp_every_byte_in_every_state() -> None:
    """At the end, and before an escape sequence, which is an error if no character is between it and the first."""
    compare_decoder(
        "ISO-2022-JP",
        (escape + bytes([byte]) + after
         for escape in ESCAPES.values() for byte in range(256) for after in (b"", b"\x1b(Ba", b"!")),
    )  # fmt: skip


def test_iso_2022_jp_what_each_byte_leaves_pending_in_every_state() -> None:
    for escape, byte in product(ESCAPES.values(), range(256)):
        decoder, reference = we.ISO_2022_JP.new_decoder(), oracle.StreamingDecoder.of("ISO-2022-JP")
        assert decoder.decode(escape) == reference.decode(escape) == ""
        chunk = bytes([byte])
        assert (decoder.decode(chunk), decoder.getstate()[0]) == (reference.decode(chunk), reference.pending), chunk


@pytest.mark.gate
@in_every_state
def test_iso_2022_jp_every_two_bytes(escape: bytes) -> None:
    """After each escape sequence, followed by end-of-queue."""
    compare_decoder("ISO-2022-JP", (escape + data for data in inputs.one_and_two_bytes()))


@pytest.mark.gate
@in_every_state
def test_iso_2022_jp_every_three_bytes(escape: bytes) -> None:
    """After each escape sequence, followed by the one to ASCII and U+000A; the second byte is a boundary byte.

    Second bytes are distinguished by being 0x1B, 0x24, 0x28, 0x40, 0x42, 0x49, 0x4A, 0x5C, 0x7E or by range: all range
    boundaries are covered.
    """
    seconds = inputs.BOUNDARY_BYTES["ISO-2022-JP"]
    back = b"\x1b(B\n"
    compare_every_three_bytes("ISO-2022-JP", start=back, before=escape, after=back, seconds=seconds)


@pytest.mark.gate
@in_every_state
def test_iso_2022_jp_four_bytes(escape: bytes) -> None:
    few = bytes.fromhex("0E 1B 21 24 28 40 42 49 4A 5C 7E 80")
    compare_decoder("ISO-2022-JP", (escape + bytes(data) for data in product(few, repeat=4)))


def test_iso_2022_jp_sequences_of_escapes() -> None:
    pieces = [*ESCAPES.values(), b"\x1b$@", b"\x1b", b"\x1b$", b"\x1b(", b"\x1b(H", b"$", b'$"', b"a", b"\n", b"\x80"]
    compare_decoder("ISO-2022-JP", (b"".join(sequence) for sequence in product(pieces, repeat=3)))
    compare_decoder("ISO-2022-JP", (b"\x1b$B" + b"".join(sequence) for sequence in product(pieces, repeat=3)))


def test_iso_2022_jp_states_after_a_block_of_escapes() -> None:
    """Several escape sequences at any place of a kernel's block, and in later blocks what each state reads differently.

    Kernels take blocks once a text is long and has wide characters.
    """
    runs = [ESCAPES["ASCII"] + b"a", ESCAPES["Roman"] + b"b", ESCAPES["jis0208"] + b'$"']
    before = ESCAPES["jis0208"] + b'$"' * 300 + ESCAPES["ASCII"]
    after = b"c" * 150 + b"\\~!!" * 50
    compare_decoder(
        "ISO-2022-JP",
        (before + b"a" * place + b"".join(three) + after
         for three in product(runs, repeat=3) for place in range(0, 64, 7)),
    )  # fmt: skip


def test_iso_2022_jp_pairs_across_blocks() -> None:
    """Every second byte, with the first one at any place of a kernel's block, the last one included."""
    before = ESCAPES["jis0208"] + b'$"' * 300 + ESCAPES["ASCII"]
    compare_decoder(
        "ISO-2022-JP",
        (before + b"a" * place + ESCAPES["jis0208"] + b'$"' * 40 + b"$" + bytes([second]) + b'$"' * 150
         for place in range(64) for second in (*range(0x1E, 0x23), *range(0x7C, 0x82), 0xA1, 0xA2, 0xFE, 0xFF)),
    )  # fmt: skip


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="start"),
        pytest.param("a", id="ASCII", marks=pytest.mark.repeated),  # the state at the start
        pytest.param("\xa5", id="Roman", marks=pytest.mark.gate),
        pytest.param("\u3042", id="jis0208", marks=pytest.mark.gate),
    ],
)
def test_iso_2022_jp_every_scalar_value(before: str) -> None:
    """All scalar values up to U+FFFF, where jis0208 ends, and each 256th beyond, in each state of the encoder."""
    encoding = we.ISO_2022_JP
    code_points = [*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 256), 0x10FFFF]
    texts = [before + chr(code_point) for code_point in code_points]
    expected = [oracle.encode("ISO-2022-JP", text) for text in texts]
    assert [encoding.encode(text) for text in texts] == [encoded.output for encoded in expected]
    assert encoding.encode("".join(texts)) == oracle.encode("ISO-2022-JP", "".join(texts)).output
    assert encoding.encoded_length("".join(texts)) == len(encoding.encode("".join(texts)))

    for text, encoded in zip(texts, expected, strict=True):
        if encoded.spans:
            assert refusal(encoding.encode, text, "fatal") == ("ISO-2022-JP", text, encoded.spans[0])
        else:
            assert encoding.encode(text, "fatal") == encoded.output


def test_iso_2022_jp_transitions() -> None:
    """Every sequence of four from ASCII, ASCII that Roman lacks, controls, Roman, katakana, jis0208 and unmapped."""
    compare_encoder("ISO-2022-JP", map("".join, product("a\\~\x0e\x1b\xa5\u203e\uff71\u3042\u20ac", repeat=4)))


@every
def test_minus_sign(name: str) -> None:
    """U+2212 is encoded as U+FF0D, and is decoded as U+FF0D."""
    encoding = we.ENCODINGS[name]
    assert encoding.encode("\u2212", "fatal") == encoding.encode("\uff0d", "fatal")
    assert encoding.decode(encoding.encode("\u2212")) == "\uff0d"


@pytest.mark.parametrize(
    ("data", "start", "end", "reason"),
    [
        (b"\x1b", 0, 1, "incomplete byte sequence at the end"),
        (b"a\x1b$", 1, 2, "incomplete byte sequence at the end"),
        (b"\x1b(", 0, 1, "incomplete byte sequence at the end"),
        (b"\x1b$B\x24", 3, 4, "incomplete byte sequence at the end"),
        (b"\x1b$B\x21", 3, 4, "incomplete byte sequence at the end"),
        (b"\x1b$B\x7e", 3, 4, "incomplete byte sequence at the end"),
        (b"\x1b$B\x20", 3, 4, "malformed byte sequence"),
        (b"\x1b$B\x7f", 3, 4, "malformed byte sequence"),
        (b"\x1b$x", 0, 1, "malformed byte sequence"),
        (b"\x1bx", 0, 1, "malformed byte sequence"),
        (b"\x1b$B\x24\x80", 3, 5, "malformed byte sequence"),
        (b"\x1b$B\x80", 3, 4, "malformed byte sequence"),
    ],
)
def test_an_incomplete_sequence_is_called_so(data: bytes, start: int, end: int, reason: str) -> None:
    """At the end of ISO-2022-JP, as of the other encodings, in one piece and byte by byte."""
    decoder = we.ISO_2022_JP.new_decoder("fatal")
    with pytest.raises(UnicodeDecodeError, match=reason) as raised:
        we.ISO_2022_JP.decode(data, "fatal")
    assert (raised.value.start, raised.value.end) == (start, end)
    chunks = [*(bytes([byte]) for byte in data), b""]
    with pytest.raises(UnicodeDecodeError, match=reason):
        _ = [decoder.decode(chunk, not chunk) for chunk in chunks]
