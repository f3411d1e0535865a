"""Big5: https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(traditional)-encodings."""

from __future__ import annotations

import whatwg_encoding as we
from tests.standard.comparison import compare_decoder

NAME = "Big5"


def test_two_code_points() -> None:
    """The only sequences that decode to two code points, next to each other and next to wider characters."""
    assert we.BIG5.decode(b"\x88\x62\x88\x64\x88\xa3\x88\xa5", "fatal") == "\xca\u0304\xca\u030c\xea\u0304\xea\u030c"
    compare_decoder(
        NAME,
        (
            b"a" * before + sequence * count + after
            for before in (0, 1, 15, 16, 63, 64, 200)
            for sequence in (b"\x88\x62", b"\x88\xa5", b"\x88\x62\x8b\xc3", b"\x8b\xc3\x88\xa3")
            for count in (1, 2, 40)
            for after in (b"", b"z" * 70, b"\x88", b"\xff")
        ),
    )
    # In sequence they are encoded one by one: only the first two of the four have bytes.
    assert we.BIG5.encode("\xca\u0304") == b"&#202;&#772;"
