"""Every vector through the C API: every split of the input, every capacity of the target, both error modes.

harness.c splits the inputs. Output and error positions are compared with the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from tests.capi.conftest import ANY_POSITION, FORMS, Harness
from tests.capi.table import BOM_REMOVE, BOM_SNIFF, MARKS, expected_with_mark
from tests.reference import inputs, oracle
from tests.standard.comparison import report

every = pytest.mark.parametrize("name", inputs.ALL_NAMES)
every_encoder = pytest.mark.parametrize("name", inputs.ENCODER_NAMES)


def report_decoding(harness: Harness, name: str, data: Iterable[bytes], **how: Any) -> None:
    report(
        difference
        for seed, vector in enumerate(data)
        for difference in harness.decode(name, vector, oracle.decode(name, vector), seed=seed, **how)
    )


@every
def test_decode_every_split_and_capacity(name: str, harness: Harness) -> None:
    report_decoding(harness, name, inputs.vectors(name))


@pytest.mark.shapes
@every
def test_decode_random_inputs(name: str, harness: Harness) -> None:
    count = 40 if name in inputs.MULTI_BYTE_NAMES else 6
    report_decoding(harness, name, inputs.random_inputs(name, count, longest=14), capacities=4)


def long_inputs(name: str) -> Iterator[bytes]:
    """Return inputs longer than every block of the engine: dense, sparse, and with vectors at any offset in a block."""
    random = Random(f"long {name}")
    filler = "a line of ASCII \n".encode(name if name.startswith("UTF-16") else "ascii")
    vectors = [*inputs.vectors(name), *inputs.random_inputs(name, 20)]
    wide = inputs.WIDE_CHARACTERS.get(name, (b"\xe9",))
    for character in wide:
        yield character * 700
        yield (filler + character * 3) * 40
    yield b"".join(random.choice(wide) for _ in range(900))
    for _ in range(4 if name in inputs.MULTI_BYTE_NAMES else 1):
        yield b"".join(random.choice(vectors) + filler * random.randrange(4) for _ in range(40))


@every
def test_decode_beyond_every_block(name: str, harness: Harness) -> None:
    report_decoding(harness, name, long_inputs(name), capacities=None, rounds=40)


@pytest.mark.parametrize("flags", [BOM_SNIFF, BOM_REMOVE, BOM_SNIFF | BOM_REMOVE])
@pytest.mark.parametrize(
    "name", ["UTF-8", "UTF-16BE", "UTF-16LE", "windows-1252", "gb18030", "ISO-2022-JP", "replacement"]
)
def test_byte_order_marks(name: str, flags: int, harness: Harness) -> None:
    starts = [mark[:length] for mark in MARKS.values() for length in range(len(mark) + 1)]
    starts += [mark + other for mark in MARKS.values() for other in MARKS.values()]
    tails = [b"", b"a", b"ab", b"\xe3\x81\x82", b"\x30\x42", b"\xd8\x3d\xdc\xa9", b"\xff\xfe", b"\xbf", b"\x81\x30\x81"]
    differences = []
    for data in {start + tail for start in starts for tail in tails}:
        expected, final = expected_with_mark(name, data, flags)
        differences += harness.decode(name, data, expected, flags=flags, final_name=final, capacities=4)
    report(iter(differences))


# --- Encoders ---------------------------------------------------------------------------------------------------------


def with_scalar_values(text: str) -> str:
    return "".join(chr(value.value) for value in oracle.scalar_values(text))


def expected_errors(name: str, text: str, unit_size: int) -> list[tuple[int, int]]:
    values = {value.end: value.value for value in oracle.scalar_values(text)}
    errors = []
    for _, end in oracle.encode(name, text).spans:
        code_point = values[end]
        if name == "ISO-2022-JP" and code_point in (0x0E, 0x0F, 0x1B):
            code_point = 0xFFFD  # step 3 of ISO-2022-JP's encoder
        errors.append((code_point, len(text[:end].encode(FORMS[unit_size], "surrogatepass")) // unit_size))
    return errors


def encode_all_forms(harness: Harness, name: str, text: str, **how: int | None) -> Iterator[str]:
    """Return the differences for a text in each form; UTF-8 has U+FFFD for lone surrogates."""
    for size, form in FORMS.items():
        source = with_scalar_values(text) if size == 1 else text
        if size == 4:
            # In UTF-32 a surrogate pair is two values, neither of which is a scalar value.
            source = "".join("\ufffd" if 0xD800 <= ord(unit) <= 0xDFFF else unit for unit in text)
        expected = oracle.encode(name, source).output
        errors = expected_errors(name, source, size)
        data = (text if size == 4 else source).encode(form, "surrogatepass")
        yield from harness.encode(name, size, data, expected, errors, **how)  # type: ignore[arg-type]


TEXTS = (
    "", "abc", "\0\x7f\x80", "\x0e\x0f\x1b", "é€あ", "a\U0001f4a9b", "\U0001f4a9\U0001f4a9", "あ\U0001f4a9い",
    "\U00020b9f\U0010ffff", "あ\x1bb", "\xa5\u203e\\~あ", "あ¥a¥あ", "¥\x0e", "漢字\r\nｱｲｳ\uff61",
    "\ue5e5\ue000\u2212\uff0d", "가각힣", "\ufffd\ufeff", "\ud83d\udca9", "\ud83d", "\udca9", "a\ud83da",
    "\ud83d\ud83d\udca9\udca9", "あ\ud83dあ", "あ\ud83d", "\udc00\ud800",
)  # fmt: skip


@every_encoder
def test_encode_every_split_and_capacity(name: str, harness: Harness) -> None:
    texts = TEXTS if name in inputs.MULTI_BYTE_NAMES else TEXTS[2::3]
    report(difference for text in texts for difference in encode_all_forms(harness, name, text, capacities=14))


@pytest.mark.shapes
@every_encoder
def test_encode_random_texts(name: str, harness: Harness) -> None:
    count = 24 if name in inputs.MULTI_BYTE_NAMES else 3
    report(
        difference
        for text in inputs.random_texts(name, count, longest=8)
        for difference in encode_all_forms(harness, name, text, capacities=14)
    )


@pytest.mark.shapes
@every_encoder
def test_encode_beyond_every_block(name: str, harness: Harness) -> None:
    random = Random(f"long {name}")
    pieces = [*TEXTS, *inputs.random_texts(name, 30), "a line of ASCII \n" * 3]
    texts = [piece * 200 for piece in ("a", "é", "あ", "\U0001f4a9", "a\U00020b9f", "あ" * 20 + "\U0001f4a9", "\x1b")]
    texts += ["".join(random.choice(pieces) for _ in range(120)) for _ in range(4)]
    report(
        difference
        for seed, text in enumerate(texts if name in inputs.MULTI_BYTE_NAMES else texts[::4])
        for difference in encode_all_forms(harness, name, text, capacities=None, seed=seed, rounds=24)
    )


@every_encoder
def test_encode_malformed_utf_8(name: str, harness: Harness) -> None:
    differences = []
    vectors = inputs.vectors("UTF-8") if name in inputs.MULTI_BYTE_NAMES else inputs.vectors("UTF-8")[::6]
    for vector in vectors:
        text = oracle.decode("UTF-8", vector).text
        errors = [(code_point, ANY_POSITION) for code_point, _ in expected_errors(name, text, 1)]
        differences += harness.encode(name, 1, vector, oracle.encode(name, text).output, errors)
    report(iter(differences))


@pytest.mark.parametrize("name", ["UTF-8", "windows-1252", "gb18030", "ISO-2022-JP", "Big5"])
def test_encode_values_that_are_no_code_points(name: str, harness: Harness) -> None:
    differences = []
    byte_order = "little" if FORMS[4].endswith("le") else "big"
    for values in (
        (0x110000,), (0x61, 0xFFFFFFFF, 0x62), (0x3042, 0x80000000, 0x3042), (0x7FFFFFFF,) * 3, (0xDFFF, 0x110000),
    ):  # fmt: skip
        source = b"".join(value.to_bytes(4, byte_order) for value in values)  # type: ignore[arg-type]
        text = "".join("\ufffd" if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF else chr(value) for value in values)
        differences += harness.encode(name, 4, source, oracle.encode(name, text).output, expected_errors(name, text, 4))
        many = harness.encode(name, 4, source * 900, oracle.encode(name, text * 900).output,
                              expected_errors(name, text * 900, 4), capacities=None, rounds=6)  # fmt: skip
        differences += many
    report(iter(differences))
