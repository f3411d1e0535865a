"""The constants that kernels contain."""

from __future__ import annotations

import pytest

from generator.model import Snapshot
from generator.tables import constants


@pytest.mark.parametrize(
    ("state", "byte", "codec"),
    [("ASCII", b"\\", "iso2022_jp"), ("ROMAN", b"\\", "iso2022_jp"), ("KATAKANA", b"1", "iso2022_jp_ext"),
     ("JIS0208", b"0!", "iso2022_jp"), ("JIS0208_OF_1978", b"0!", "iso2022_jp")],
)  # fmt: skip
def test_escape_sequences_select_the_states_that_cpython_has(
    pinned: Snapshot, state: str, byte: bytes, codec: str
) -> None:
    numbers = constants.of_kernels(pinned)["iso-2022-jp-decoder"]
    escape = bytes([numbers["ESCAPE"]]) + numbers[f"ESCAPE_TO_{state}"].to_bytes(2, "big")
    expected = {"ASCII": "\\", "ROMAN": "\N{YEN SIGN}", "KATAKANA": "\N{HALFWIDTH KATAKANA LETTER A}"}
    assert (escape + byte).decode(codec) == expected.get(state, "\u4e9c")


def test_the_constants_are_those_of_cpythons_codecs(pinned: Snapshot) -> None:
    numbers = constants.of_kernels(pinned)
    katakana = numbers["shift_jis-decoder"]
    for byte in range(katakana["KATAKANA_FIRST"], katakana["KATAKANA_LAST"] + 1):
        assert ord(bytes([byte]).decode("shift_jis")) == byte + katakana["KATAKANA_OFFSET"]
    states = numbers["iso-2022-jp-decoder"]
    roman = {byte: bytes([byte]).decode("shift_jisx0213") for byte in range(0x20, 0x7F)}
    assert {byte for byte, text in roman.items() if text != chr(byte)} == {
        states["ROMAN_YEN_SIGN"], states["ROMAN_OVERLINE"]
    }  # fmt: skip
    pairs = [byte for byte in range(0x20, 0x80) if decodes(b"\x1b$B" + bytes([byte, 0x21]))]
    assert states["JIS_FIRST"] == pairs[0]
    assert pairs[-1] <= states["JIS_LAST"] == 0x21 + 94 - 1  # rows of 94, as in ISO/IEC 2022


def decodes(data: bytes) -> bool:
    """Return whether CPython's decoder of ISO-2022-JP accepts bytes."""
    try:
        data.decode("iso2022_jp")
    except UnicodeDecodeError:
        return False
    return True
