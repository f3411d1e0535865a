"""Other data requires no other code: from a changed snapshot to a decoder that behaves as the data says."""

from __future__ import annotations

from .conftest import BEFORE_2022, Run


def test_the_changed_mapping(run: Run) -> None:
    assert run("we.KOI8_R.decode(bytes([0x80, 0x81]))") == "\u2603\u2502"
    assert run(r"list(we.KOI8_R.encode('\u2603\u2502\u2500', 'html'))") == [0x80, 0x81, *b"&#9472;"]


def test_the_added_encoding(run: Run) -> None:
    assert run("[len(we.ENCODINGS), len(we.LABELS), we.lookup('RUNES').name]") == [42, 232, "x-Runes"]
    runes = "".join(map(chr, range(0x16A0, 0x16F0)))
    assert run("we.X_RUNES.decode(bytes(range(0x7E, 0xD1)))") == f"~\x7f{runes}\ufffd"
    assert run(r"list(we.X_RUNES.encode('a\u16ef', 'fatal'))") == [0x61, 0xCF]


def test_the_older_index(run: Run) -> None:
    pointers = list(BEFORE_2022)
    pairs = [(pointer // 190 + 0x81, pointer % 190 + (0x40 if pointer % 190 < 0x3F else 0x41)) for pointer in pointers]
    assert run(f"[ord(we.GB18030.decode(bytes(pair))) for pair in {pairs}]") == list(BEFORE_2022.values())
