"""The window of HTML's prescan, and the order of declarations.

Each rule for tags, attributes, comments and labels is in test_against_reference, and outside cases in test_vectors.
"""

from __future__ import annotations

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

from .support import determined

SJIS = b"<meta charset=sjis>"


def declared(data: bytes) -> str | None:
    """Return the prescan's result for a document, as the whole determination reports it."""
    name, confidence, source = determined("html-parser", data, default="utf-8")
    assert confidence == "tentative"
    assert source in ("prescan", "default")
    return name if source == "prescan" else None


def test_order_of_declarations() -> None:
    declaration = b'<?xml encoding="koi8-r"?>'
    assert declared(declaration + SJIS) == "Shift_JIS"
    assert declared(declaration + b"<meta charset=nope>") == "KOI8-R"
    assert declared(b"<\0?\0x\0" + SJIS) == "UTF-16LE"


@pytest.mark.parametrize("padding", [b" " * 1005, b"<!--" + b"x" * 998 + b"-->", b"<p " + b"x" * 1001 + b">"])
@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_window(padding: bytes, shift: int) -> None:
    """The whole declaration, including its >, has to be within the first 1024 bytes."""
    data = padding[:4] + b"x" * max(shift, 0) + padding[4 + max(-shift, 0) :] + SJIS
    assert len(data) == 1024 + shift
    assert declared(data) == ("Shift_JIS" if shift <= 0 else None)
    assert sniff.prescan(data, None) is we.SHIFT_JIS
    assert sniff.prescan(data, len(data)) is we.SHIFT_JIS
    assert sniff.prescan(data, len(data) - 1) is None


@pytest.mark.parametrize("length", [1023, 1024, 1025])
def test_window_of_the_xml_declaration(length: int) -> None:
    """HTML searches the same window for it; XML has no window."""
    data = b'<?xml encoding="koi8-r"'
    data += b" " * (length - len(data) - 1) + b">"
    assert declared(data) == ("KOI8-R" if length <= 1024 else None)
    assert determined("xml-parser", data)[0] == "KOI8-R"


def test_prescan_arguments() -> None:
    assert sniff.prescan(b"", 0) is None
    with pytest.raises(ValueError, match="at least 0 bytes, not -1"):
        sniff.prescan(b"", -1)
    for view in (bytearray(SJIS), memoryview(b"x" + SJIS)[1:]):
        assert sniff.prescan(view) is we.SHIFT_JIS
