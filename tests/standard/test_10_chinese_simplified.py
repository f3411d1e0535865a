"""GBK and gb18030: https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings."""

from __future__ import annotations

from itertools import product

import pytest

import whatwg_encoding as we
from tests.reference import inputs
from tests.standard.comparison import compare_decoder, compare_every_three_bytes

both = pytest.mark.parametrize("name", ["GBK", "gb18030"])
decoder = pytest.mark.parametrize("name", ["GBK", pytest.param("gb18030", marks=pytest.mark.repeated)])  # they share it


@decoder
def test_every_third_and_fourth_byte(name: str) -> None:
    """A leading byte and a digit before each three bytes, which are then the third byte, the fourth and the next one.

    test_05_indexes covers all pointers with a fourth byte in range. Otherwise three bytes are restored, and the
    preceding leading byte and digit only matter for the digit, which is decoded alone.
    """
    compare_every_three_bytes(name, before=b"\x81\x30", after=b"\n", seconds=inputs.BOUNDARY_BYTES[name])
    compare_every_three_bytes(name, before=b"\xfe\x39", after=b"\n", seconds=inputs.BOUNDARY_BYTES[name])


@decoder
def test_four_to_six_bytes_at_end_of_queue(name: str) -> None:
    few = bytes.fromhex("30 39 41 7F 80 81 FE FF")
    for length in (4, 5):
        compare_decoder(name, map(bytes, product(few, repeat=length)))
    compare_decoder(name, (bytes(sequence) for sequence in product(b"\x30\x41\x81\xfe", repeat=6)))


@both
def test_gb18030_2022(name: str) -> None:
    """The 18 characters that left the private use area in GB18030-2022: old and new code points have the same bytes."""
    private_use = (
        "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864"
    )
    assigned = (
        "\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb"
    )
    data = bytes.fromhex("A6D9 A6DA A6DB A6DC A6DD A6DE A6DF A6EC A6ED A6F3 FE59 FE61 FE66 FE67 FE6D FE7E FE90 FEA0")
    encoding = we.ENCODINGS[name]
    assert encoding.decode(data, "fatal") == assigned
    assert encoding.encode(assigned, "fatal") == data
    assert encoding.encode(private_use, "fatal") == data
    # The four-byte sequences of GB18030-2005 for the new code points are still decoded.
    assert encoding.decode(bytes.fromhex("84318236 84318335 82359037"), "fatal") == "\ufe10\ufe19\u9fb4"


def test_what_gbk_does_not_encode() -> None:
    assert we.GB18030.encode("\u20ac\x80\U0001f4a9") == bytes.fromhex("A2E3 81308130 9439DA33")
    assert we.GBK.encode("\u20ac\x80\U0001f4a9") == b"\x80&#128;&#128169;"
    assert we.GBK.decode(b"\x80\xa2\xe3\x94\x39\xda\x33") == "\u20ac\u20ac\U0001f4a9"
    for encoding in (we.GBK, we.GB18030):
        assert encoding.encode("\ue5e5\u3000") == b"&#58853;\xa1\xa1"
        assert encoding.decode(b"\xa3\xa0\xa1\xa1") == "\u3000\u3000"
