"""What connects handlers is compared with the standard as it is emitted: each wrong edit is refused, and named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from generator import code_pages, emit, handlers
from generator.handlers import HANDLERS
from generator.modules import Chapter
from generator.spec import capacity, wiring
from generator.spec.machine import machine
from generator.spec.templates import TemplateError
from tests.pinned import PINNED, chapters


@cache
def texts() -> dict[str, str]:
    """Return what is emitted from the standard: not the code pages outside it."""
    return {name: text for name, text in emit.outputs(PINNED).items() if not name.startswith(code_pages.MODULE)}


POSITIONS = {encoding.name: position for position, encoding in enumerate(PINNED.encodings)}
LAST = POSITIONS["x-user-defined"]
UTF_16LE = f"WE_POSITION_UTF_16LE = {POSITIONS['UTF-16LE']}"

EDITS = [
    # A module's registry: which handler, which table is which, which flag, which number.
    ("single_byte.pyx", "iso_8859_8, iso_8859_8_replaced", "iso_8859_8_replaced, iso_8859_8", "`index` is"),
    ("single_byte.pyx", "iso_8859_6, iso_8859_6_replaced", "iso_8859_6, iso_8859_6", "table `replaced`"),
    ("single_byte.pyx", "koi8_u, koi8_u, koi8_u_latin1", "koi8_r, koi8_u, koi8_u_latin1", "KOI8-U: its table `index`"),
    ("single_byte.pyx", "koi8_u, koi8_u_latin1", "koi8_u, ibm866_latin1", "KOI8-U: its table `latin1`"),
    ("single_byte.pyx", "VECTORS(koi8_u_rows)", "VECTORS(koi8_r_rows)", "KOI8-U: its table `vectors`"),
    ("single_byte.pyx", "{koi8_u_reverse_stage1, koi8_u", "{koi8_u_reverse_stage1, koi8_r", "table `reverse`"),
    ("single_byte.pyx", "{koi8_u_reverse_stage1,", "{ibm866_reverse_stage1,", "table `reverse`"),
    ("single_byte.pyx", "0, 1, &koi8_u_tables", "0, 1, &koi8_r_tables", "KOI8-U: its table"),
    ("single_byte.pyx", "0, 1, &koi8_u_tables", "0, 0, &koi8_u_tables", "KOI8-U: .*is_ascii_compatible"),
    ("single_byte.pyx", "{1, 1, 1},\n        0, 1, &koi8_u_", "{0, 1, 1},\n        0, 1, &koi8_u_", "KOI8-U: its enc"),
    ("single_byte.pyx", "<void *> &koi8_u_codec", "<void *> &koi8_r_codec", "KOI8-U: its table"),
    ("single_byte.pyx", '"KOI8-U": PyCaps', '"KOI8-R": PyCaps', "codecs are not those"),
    ("miscellaneous.pyx", "WE_SURROGATE we_utf_16le_surrogate", "WE_SURROGATE we_utf_16be_surrogate", "the loop"),
    ("miscellaneous.pyx", "WE_DECODES(utf_16le)", "WE_DECODES(utf_16be)", "UTF-16LE: its decoder is that of UTF-16BE"),
    ("miscellaneous.pyx", "WE_NO_ENCODER", "WE_ENCODES(x_user_defined)", "its encoder is x_user_defined"),
    ("miscellaneous.pyx", "1, 0, NULL", "2, 0, NULL", "UTF-16"),
    ("miscellaneous.pyx", "1, 0, NULL", "1, 1, NULL", "UTF-16BE: is_ascii_compatible"),
    ("unicode.pyx", "    #define WE_SURROGATE we_utf_8_surrogate\n", "", "UTF-8: the loop of its decoder has nothing"),
    ("unicode.pyx", "    #define WE_PASSES_SURROGATES 1\n", "", "UTF-8: the loop of its encoder has nothing"),
    ("unicode.pyx", "WE_PASSES_SURROGATES", "WE_FLUSHES", "UTF-8: the loop of its encoder has WE_FLUSHES"),
    ("japanese.pyx", "    #define WE_FLUSHES 1\n", "", "ISO-2022-JP: the loop of its encoder has nothing"),
    ("japanese.pyx", "WE_FLUSHES", "WE_PASSES_SURROGATES", "ISO-2022-JP: the loop of its encoder"),
    ("chinese_simplified.pyx", "WE_ENCODES(gbk)", "WE_ENCODES(gb18030)", "gb18030: its encoder is that of GBK"),
    # Tables.
    ("single_byte_tables.h", "0xFFFD", "0x003F", "its table `replaced` is .*003F, the standard's FFFD"),
    ("single_byte_tables.h", "[0x00] = 0x0410,", "[0x00] = 0x0411,", "IBM866: its table `index` .*0411, .*0410"),
    ("korean_tables.h", "[0x0140] = 0x0000, 0xAC02,", "[0x0140] = 0x0000, 0xAC03,", "euc_kr_pairs does not have"),
    ("japanese_tables.h", " jis0212[8836]", " jis0212[8837]", "jis0212 does not have the entries"),
    # Labels, flags and constants.
    ("labels.pxi", "     True, True, True, (", "     True, True, False, (", "its has_encoder is False"),
    ("labels.pxi", "     False, True, True, (", "     True, False, True, (", "UTF-8: its is_single_byte is True"),
    ("labels.pxi", '        "unicode-1-1-utf-8 "\n', "", "UTF-8: its labels"),
    ("labels.pxi", '("UTF-16BE", "miscellaneous", "UTF-8"', '("UTF-16BE", "miscellaneous", "UTF-16BE"', "its output"),
    ("labels.pxi", '"KOI8_U": ENCODINGS["KOI8-U"]', '"KOI8_U": ENCODINGS["KOI8-R"]', "constants"),
    ("labels.py", 'KOI8_U: "Final" = ENCODINGS["KOI8-U"]', 'KOI8_U: "Final" = ENCODINGS["KOI8-R"]', "constants"),
    ("encodings.h", '{"UTF-16BE", 0, 0}', '{"UTF-16BE", 37, 0}', r"encodings.h does not hold for UTF-16BE"),
    ("encodings.h", f'd", {LAST}, 1}}', f'd", {LAST}, 0}}', "encodings.h does not hold for x-user-defined"),
    ("encodings.h", '    {"866", 1},\n', "", "standard's labels"),
    ("encodings.h", '{"866", 1}', '{"866", 2}', "standard's labels"),
    ("encodings.h", "WE_LONGEST_LABEL = 19", "WE_LONGEST_LABEL = 18", "WE_LONGEST_LABEL is 18, by the standard 19"),
    ("encodings.h", UTF_16LE, "WE_POSITION_UTF_16LE = 1", "WE_POSITION_UTF_16LE"),
    ("constants.h", "WE_KATAKANA_LAST = 0xDF", "WE_KATAKANA_LAST = 0xDE", "is 0xde, by the standard 0xdf"),
    ("constants.h", "WE_ESCAPE_TO_ROMAN = 0x284A", "WE_ESCAPE_TO_ROMAN = 0x284B", "WE_ESCAPE_TO_ROMAN"),
    # Kernels: which function, which table, which flag.
    ("japanese.pyx", "length, euc_jp_pairs, False", "length, shift_jis_pairs, False", "EUC-JP: the kernel of its d"),
    ("japanese.pyx", "length, euc_jp_pairs, False", "length, jis0212, False", "EUC-JP: the kernel .* given jis0212"),
    ("japanese.pyx", "length, euc_jp_reverse, t", "length, shift_jis_reverse, t", "EUC-JP: the kernel of its encoder"),
    ("japanese.pyx", "we_iso_2022_jp_encode(run", "we_double_byte_encode(run", "ISO-2022-JP: the kernel of its e"),
    ("japanese.pyx", "shift_jis_pairs, True", "shift_jis_pairs, False", "Shift_JIS: the kernel of its decoder"),
    ("korean.pyx", "euc_kr_pairs, False", "euc_kr_pairs, True", "EUC-KR: the kernel of its decoder"),
    ("miscellaneous.pyx", "length, True, target", "length, False, target", "UTF-16BE: the kernel of its decoder"),
    # Where pointers are, for `inspect`.
    ("pointers.py", '"big5-decoder"', '"euc-kr-decoder"', "Big5: its decoder is at euc-kr-decoder"),
    ("pointers.py", "range(8836, 10716)", "range(8836, 10715)", "Shift_JIS: its user-defined pointers"),
    ("pointers.py", "(0xA1, 0xFE)", "(0xA0, 0xFE)", "pointer .* of index .* is not at"),
]  # fmt: skip


def test_what_is_emitted_is_wired_as_the_standard_says() -> None:
    wiring.check(PINNED, texts(), [*chapters().values()])


@pytest.mark.parametrize(("name", "old", "new", "refusal"), EDITS)
def test_a_wrong_property_is_refused(name: str, old: str, new: str, refusal: str) -> None:
    text = texts()[name]
    assert old in text
    with pytest.raises(TemplateError, match=refusal):
        wiring.check(PINNED, {**texts(), name: text.replace(old, new, 1)}, [*chapters().values()])


WRONG_HANDLERS = [
    ("ISO-8859-8-I", lambda _: handlers.single_byte("iso-8859-7"), "ISO-8859-8-I: its table `index` is iso_8859_7"),
    ("UTF-16LE", lambda one: replace(one, surrogate="we_utf_16be_surrogate"), "UTF-16LE: the loop of its decoder"),
    ("UTF-16LE", lambda one: replace(one, surrogate=""), "UTF-16LE: the loop of its decoder has nothing"),
    ("UTF-16BE", lambda one: replace(one, decode_shift=2), r"UTF-16BE: the longest output \(decode_shift 2\)"),
    ("UTF-16BE", lambda one: replace(one, decode_shift=0), "decode_shift is 0, but no item needs it to be so small"),
    ("UTF-8", lambda one: replace(one, decode_shift=1), r"UTF-8: the longest output \(decode_shift 1\)"),
    ("UTF-8", lambda one: replace(one, encoder_property=""), "UTF-8: the loop of its encoder has nothing"),
    ("UTF-8", lambda one: replace(one, encode_capacity=(2, 3, 3)), r"longest output \(encode_capacity"),
    ("UTF-8", lambda one: replace(one, encode_capacity=(3, 3, 4)), r"encode_capacity is \(3, 3, 4\), not \(2, 3, 4\)"),
    ("UTF-8", lambda one: replace(one, is_ascii_compatible=False), "UTF-8: is_ascii_compatible is False"),
    ("GBK", lambda one: replace(one, decode_shift=1), "GBK"),
    ("gb18030", lambda one: replace(one, decode_shift=1), "gb18030"),
]


@pytest.mark.parametrize(("name", "edit", "refusal"), WRONG_HANDLERS)
def test_a_wrong_entry_of_a_handler_is_refused(
    name: str, edit: Callable[[handlers.Handler], handlers.Handler], refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, name, edit(HANDLERS[name]))
    with pytest.raises(TemplateError, match=refusal):
        emit.outputs(PINNED)


def test_a_template_that_swaps_tables_is_refused(edit_template: Callable[..., Chapter]) -> None:
    edit_template("single_byte", ("{{ symbol }}, {{ e.data.replaced }},", "{{ e.data.replaced }}, {{ symbol }},"))
    with pytest.raises(TemplateError, match="its table `index` is iso_8859_3_replaced"):
        emit.outputs(PINNED)


@pytest.mark.parametrize(
    ("code_points", "length", "shift", "last", "fits"),
    [
        ((0x41,), 2, 1, False, True),
        ((0x41,), 1, 1, False, False),
        ((0x41,), 1, 1, True, True),  # at the end of the source
        ((0x41,), 2, 2, False, False),
        ((0x10000,), 4, 1, False, True),  # two units
        ((0x10000,), 3, 1, False, False),
        ((0x10000,), 2, 0, False, True),  # Big5's, of four bytes of UTF-8
        ((0x10000,), 1, 0, False, False),
        ((0xCA, 0x304), 2, 0, False, True),
        ((), 0, 5, False, True),
    ],
)
def test_what_an_item_gives_fits_the_bytes_that_it_takes(
    code_points: tuple[int, ...], length: int, shift: int, last: bool, fits: bool
) -> None:
    assert capacity.fits(code_points, length, shift, is_last=last) == fits


def test_only_a_decoder_that_is_finished_gives_nothing_more() -> None:
    run = machine(PINNED)
    decoders = {one.name: run.handler(one, "decoder", "ibm866") for one in PINNED.encodings}
    assert not any(capacity.is_silent(decoder) for decoder in decoders.values() if decoder)
    replacement = decoders["replacement"]
    assert replacement is not None
    replacement.handle(0x41)
    assert capacity.is_silent(replacement)


def test_each_array_of_a_header_is_read() -> None:
    for name, text in texts().items():
        if name.endswith("_tables.h"):
            assert len(wiring.arrays(text)) == len(re.findall(r"^static const ", text, re.M)) > 0
