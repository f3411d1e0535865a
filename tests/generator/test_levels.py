"""The table of kernels and levels, and the constants that kernels contain."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from generator import levels
from generator.model import Snapshot
from generator.tables import constants

ROOT = Path(__file__).resolve().parents[2]
LEVEL = re.compile(rf"\bwe_\w+_(?:{'|'.join(levels.LEVELS)})\b")


def identifiers(*paths: Path) -> Counter[str]:
    """Return how often each name that ends in a level occurs in C outside comments."""
    code = (re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL) for path in paths)
    return Counter(name for text in code for name in LEVEL.findall(text))


def test_the_levels_are_tried_from_the_highest_number_on() -> None:
    numbers = {name.replace("-", "_"): number for name, number in levels.NUMBERS.items()}
    for name, shared in levels.SHARED.items():
        numbers[shared] = levels.NUMBERS[name]
    assert numbers.keys() - {"neon"} == {*levels.LEVELS}
    assert [numbers[level] for level in levels.LEVELS] == [4, 3, 2, 2, 1, 1, 0]
    assert numbers["neon"] == numbers["sse2"]  # the baselines, of which bytes_16 is either


def test_every_function_of_a_level_is_called() -> None:
    """By its kernel in levels.h, by another function, or in a file for several levels: else its name occurs once."""
    headers = list(ROOT.glob("src/native/kernels/**/*.h"))
    defined = identifiers(*headers)
    found = defined + identifiers(ROOT / "generated" / "levels.h")
    joined = {name for path in headers for name in re.findall(r"WE_AT_LEVEL\((\w+)\)", path.read_text("utf-8"))}
    once = [name for name in defined if found[name] == 1]
    assert [
        name for name in once if not any(name == f"{stem}_{level}" for stem in joined for level in levels.LEVELS)
    ] == []


def test_a_function_that_the_table_does_not_name_is_noticed() -> None:
    found = identifiers(*ROOT.glob("src/native/kernels/**/*.h"))
    assert found["we_single_byte_map_avx512"] == 1


def test_every_variant_of_the_table_is_called_by_its_full_name() -> None:
    found = identifiers(ROOT / "generated" / "levels.h")
    kernels = [kernel for shape in levels.SHAPES for family in shape.kernels for kernel in family.each]
    assert all(f"{kernel.name}_{level}" in found for kernel in kernels for level in kernel.levels.split())


def test_every_variant_can_be_searched_for() -> None:
    """By its full name, which the file that includes its definition says where that has none."""
    emitted = (ROOT / "generated" / "levels.h").read_text("utf-8")
    emitted_there = set(re.findall(r"(?:WE_ASCII_RUN\(|WE_CONVERT\(|(?:inline|WE_APART) \w+ )(\w+)", emitted))
    written = "\n".join(path.read_text("utf-8") for path in ROOT.glob("src/native/kernels/**/*.h"))
    assert set(LEVEL.findall(emitted)) - emitted_there <= set(LEVEL.findall(written))


@pytest.mark.parametrize(
    ("state", "byte", "codec"),
    [("ASCII", b"\\", "iso2022_jp"), ("ROMAN", b"\\", "iso2022_jp"), ("KATAKANA", b"1", "iso2022_jp_ext"),
     ("JIS0208", b"0!", "iso2022_jp"), ("JIS0208_OF_1978", b"0!", "iso2022_jp")],
)  # fmt: skip
def test_escape_sequences_select_the_states_that_cpython_has(
    pinned: Snapshot, state: str, byte: bytes, codec: str
) -> None:
    found = constants.of_kernels(pinned)["iso-2022-jp-decoder"]
    escape = bytes([found["ESCAPE"]]) + found[f"ESCAPE_TO_{state}"].to_bytes(2, "big")
    expected = {"ASCII": "\\", "ROMAN": "\N{YEN SIGN}", "KATAKANA": "\N{HALFWIDTH KATAKANA LETTER A}"}
    assert (escape + byte).decode(codec) == expected.get(state, "\u4e9c")


def test_the_constants_are_those_of_cpythons_codecs(pinned: Snapshot) -> None:
    found = constants.of_kernels(pinned)
    katakana = found["shift_jis-decoder"]
    for byte in range(katakana["KATAKANA_FIRST"], katakana["KATAKANA_LAST"] + 1):
        assert ord(bytes([byte]).decode("shift_jis")) == byte + katakana["KATAKANA_OFFSET"]
    states = found["iso-2022-jp-decoder"]
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
