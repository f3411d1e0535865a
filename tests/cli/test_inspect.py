"""inspect: pointers against the raw indexes, pieces against the reference's spans, and the output."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.reference import oracle
from whatwg_encoding._cli import explain

INDEXES = json.loads((Path(__file__).parents[2] / "data" / "indexes.json").read_bytes())


def two_bytes(name: str) -> Iterator[bytes]:
    """Return all sequences of two bytes, or three for EUC-JP, that decode to one or two characters."""
    for leading in range(0x80, 0x100):
        for trailing in range(0x100):
            for data in [bytes((leading, trailing))] + ([bytes((0x8F, leading, trailing))] if name == "EUC-JP" else []):
                text, spans = oracle.decode(name, data)
                if not spans and (len(text) == 1 or text[1:] in ("\u0304", "\u030c")):
                    yield data


@pytest.mark.gate
@pytest.mark.parametrize("name", ["Big5", "EUC-KR", "gb18030", "GBK", "Shift_JIS", "EUC-JP"])
def test_every_pointer_is_that_of_the_index(name: str) -> None:
    data = list(two_bytes(name))
    pieces = list(explain.pieces(we.ENCODINGS[name], b"".join(data)))
    assert [piece.data for piece in pieces] == data
    seen = set()
    for piece in pieces:
        assert piece.text == oracle.decode(name, piece.data).text
        if piece.index_name is None:
            # Half-width katakana, and the user-defined characters of Shift_JIS: formulas instead of indexes.
            katakana = 0xFF61 <= ord(piece.text) <= 0xFF9F
            assert katakana or (name == "Shift_JIS" and piece.pointer == ord(piece.text) - 0xE000 + 8836)
            continue
        assert piece.pointer is not None
        entry = INDEXES[piece.index_name][piece.pointer]
        if len(piece.text) == 2:  # four pointers of Big5 that are not in its index
            assert entry is None
            continue
        assert entry == ord(piece.text)
        seen.add((piece.index_name, piece.pointer))
    for index_name in {index_name for index_name, _ in seen}:
        # All entries were found except those of jis0208 that EUC-JP cannot reach.
        raw = enumerate(INDEXES[index_name])
        entries = {pointer for pointer, entry in raw if entry is not None and (name != "EUC-JP" or pointer < 94 * 94)}
        assert {pointer for index, pointer in seen if index == index_name} == entries


@pytest.mark.parametrize("name", [name for name, encoding in we.ENCODINGS.items() if encoding.is_single_byte])
def test_every_single_byte(name: str) -> None:
    for byte in range(0x80, 0x100):
        (piece,) = explain.pieces(we.ENCODINGS[name], bytes((byte,)))
        if not piece.text:
            assert piece.note.startswith("error: ")
        elif name == "x-user-defined":
            assert piece.pointer is None
        else:
            assert piece.index_name is not None
            assert piece.pointer is not None
            assert INDEXES[piece.index_name][piece.pointer] == ord(piece.text)


@pytest.mark.parametrize("pointer", [0, 7457, 39393, 39394, 39419, 189000, 1237575])
def test_pointers_of_four_bytes(pointer: int) -> None:
    rest, fourth = divmod(pointer, 10)
    rest, third = divmod(rest, 126)
    first, second = divmod(rest, 10)
    data = bytes((first + 0x81, second + 0x30, third + 0x81, fourth + 0x30))
    (piece,) = explain.pieces(we.GB18030, data)
    assert (piece.index_name, piece.pointer) == ("gb18030-ranges", pointer)
    assert piece.text == oracle.decode("gb18030", data).text


def test_every_pointer_of_iso_2022_jp() -> None:
    data = b"".join(bytes((leading, trailing)) for leading in range(0x21, 0x7F) for trailing in range(0x21, 0x7F))
    escape, *pieces = explain.pieces(we.ISO_2022_JP, b"\x1b$B" + data)
    assert escape.note == "escape sequence"
    pairs = [piece for piece in pieces if piece.text]
    assert {piece.pointer: ord(piece.text) for piece in pairs} == {
        pointer: entry for pointer, entry in enumerate(INDEXES["jis0208"][: 94 * 94]) if entry is not None
    }


PARTS = st.sampled_from([b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b(", b"$", b"\x81\x30"])


@given(st.sampled_from(list(we.ENCODINGS)), st.lists(st.binary(max_size=3) | PARTS, max_size=6).map(b"".join))
def test_pieces_are_all_of_the_bytes_and_all_of_the_text(name: str, data: bytes) -> None:
    pieces = list(explain.pieces(we.ENCODINGS[name], data))
    assert b"".join(piece.data for piece in pieces) == data
    assert [piece.offset for piece in pieces] == [len(data[: piece.offset]) for piece in pieces]
    errors = [piece for piece in pieces if piece.note.startswith("error: ")]
    text, spans = oracle.decode(name, data)
    assert [(piece.offset, piece.offset + len(piece.data)) for piece in errors] == list(spans)
    assert "".join("\ufffd" if piece in errors else piece.text for piece in pieces) == text
    for piece in pieces:
        if piece.text and name != "ISO-2022-JP":  # ISO-2022-JP has a state
            assert oracle.decode(name, piece.data).text == piece.text


def printed(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return done.stdout.decode().splitlines()


# -- What is printed ---------------------------------------------------------------------------------------------------


def test_bytes_in_one_encoding(run: Run) -> None:
    for spelling in ("82 a0 ff 41 e0", "82A0FF41E0", r"\x82\xA0\xff\x41\xe0", "0x82, 0xa0,FF,41,E0", "%82%A0%FF%41%E0"):
        assert printed(run("inspect", "-f", "sjis", "-b", spelling)) == [
            "     0  82 A0  U+3042 あ HIRAGANA LETTER A; pointer 283 in index jis0208",
            "     2  FF     error: malformed byte sequence",
            "     3  41     U+0041 A LATIN CAPITAL LETTER A",
            "     4  E0     error: incomplete byte sequence at the end",
        ]
    assert printed(run("inspect", "-f", "big5", "-b", "8862")) == [
        "     0  88 62  U+00CA Ê LATIN CAPITAL LETTER E WITH CIRCUMFLEX + U+0304 ◌̄ COMBINING MACRON; "
        "pointer 1133 in index big5"
    ]
    assert "pointer 8836, user-defined" in run("inspect", "-f", "sjis", "-b", "f040").stdout.decode()
    assert run("inspect", "-f", "sjis", "-b", "").stdout == b""


def test_bytes_in_all_encodings(run: Run) -> None:
    lines = printed(run("inspect", "-b", "82 a0"))
    assert "Shift_JIS: U+3042 あ HIRAGANA LETTER A" in lines
    assert "macintosh: U+00C7 Ç LATIN CAPITAL LETTER C WITH CEDILLA + U+2020 † DAGGER" in lines
    named = [name for line in lines for name in line.split(": ")[0].split(", ")]
    assert sorted(named) == sorted(we.ENCODINGS)


def test_characters(run: Run) -> None:
    lines = printed(run("inspect", "あ€"))
    assert lines[0] == "U+3042 あ HIRAGANA LETTER A"
    for line in (
        "  E3 81 82  UTF-8",
        "  A4 A2  GBK, gb18030: pointer 6747 in index gb18030",
        "  1B 24 42 24 22 1B 28 42  ISO-2022-JP: pointer 283 in index jis0208",
        "  82 A0  Shift_JIS: pointer 283 in index jis0208",
        "  no encoder: replacement, UTF-16BE, UTF-16LE; the output encoding is UTF-8",
    ):
        assert line in lines
    second = lines.index("U+20AC € EURO SIGN")
    assert "  80  GBK" in lines[second:]
    pointer = INDEXES["gb18030"].index(0x20AC)
    assert f"  A2 E3  gb18030: pointer {pointer} in index gb18030" in lines[second:]
    assert lines[-2].startswith("  not in IBM866, ISO-8859-2, ")
    assert lines[-2].endswith(": &#8364; in an HTML form")


@pytest.mark.parametrize(
    ("text", "line"),
    [("u+1f4a9", "U+1F4A9 💩 PILE OF POO"), ("U+20", "U+0020 SPACE"), ("\x07", "U+0007 <control>"),
     ("U+0301", "U+0301 ◌́ COMBINING ACUTE ACCENT"), ("U+E000", "U+E000 <private use>"),
     ("U+0378", "U+0378 <unassigned>")],
)  # fmt: skip
def test_characters_are_described(run: Run, text: str, line: str) -> None:
    assert printed(run("inspect", text))[0] == line


def test_characters_in_one_encoding(run: Run) -> None:
    assert printed(run("inspect", "-f", "sjis", "あ")) == [
        "U+3042 あ HIRAGANA LETTER A",
        "  82 A0  Shift_JIS: pointer 283 in index jis0208",
    ]
    assert printed(run("inspect", "-f", "koi8-r", "あ"))[1:] == ["  not in KOI8-R: &#12354; in an HTML form"]
    assert printed(run("inspect", "-f", "utf-16", "あ"))[1:] == ["  no encoder: UTF-16LE; the output encoding is UTF-8"]


def test_a_lone_surrogate_is_what_the_encoder_makes_of_it(run: Run) -> None:
    surrogate = "\udcff"
    assert printed(run("inspect", "-f", "sjis", surrogate)) == [
        "U+DCFF <surrogate>, encoded as U+FFFD",
        f"  not in Shift_JIS: {we.SHIFT_JIS.encode(surrogate).decode('ascii')} in an HTML form",
    ]
    assert "  EF BF BD  UTF-8" in printed(run("inspect", "-f", "utf-8", surrogate))
    # The encoder reports its own code point for an error, which may differ from the character's.
    assert printed(run("inspect", "-f", "iso-2022-jp", "U+1B"))[1] == "  not in ISO-2022-JP: &#65533; in an HTML form"
