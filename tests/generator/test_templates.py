"""What templates assume is compared with the standard's algorithms, and no module is emitted where it differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from generator import emit, modules, snapshot
from generator.model import GeneratorError, Snapshot
from generator.spec import notation, templates
from generator.spec.emitted import Module, UnreadableError
from generator.spec.machine import machine
from generator.spec.program import Programs
from tests.generator.conftest import anchors_of, rendered
from tests.pinned import PINNED, chapters, codecs

NOTATION = (snapshot.DATA / notation.FILE).read_text(encoding="utf-8")


def programs(anchor: str, *edits: tuple[str, str]) -> Programs:
    """Return the pinned programs with the statements of one edited in the notation."""
    head = f'[programs."{anchor}"]'
    before, _, rest = NOTATION.partition(head)
    section, mark, after = rest.partition("\n[programs.")
    for old, new in edits:
        assert section.count(old) == 1, (old, section.count(old))
        section = section.replace(old, new)
    section = re.sub('digest = ".*"', f'digest = "{sha256(section.encode()).hexdigest()}"', section)
    return notation.from_toml(before + head + section + mark + after).programs


def changed(anchor: str, *edits: tuple[str, str]) -> Snapshot:
    return replace(PINNED, programs=programs(anchor, *edits))


def check(chapter: modules.Chapter, data: Snapshot) -> None:
    templates.check(chapter, rendered(chapter), machine(data))


def refusal(chapter: modules.Chapter, data: Snapshot = PINNED) -> str:
    """Return why a module is not emitted."""
    with pytest.raises(templates.TemplateError) as caught:
        check(chapter, data)
    return str(caught.value)


@pytest.mark.night
@pytest.mark.parametrize(
    ("anchor", "edits", "expected"),
    [
        pytest.param(
            "euc-kr-decoder",
            [("5   | if in_range(byte, 0x81, 0xFE)", "5   | if in_range(byte, 0x81, 0xFD)")],
            "double_byte.pyx.j2 .*EUC-KR: the set of leading bytes.*#euc-kr-decoder 6",
            id="leading bytes",
        ),
        pytest.param(
            "big5-decoder",
            [("3.9  |     if in_range(byte, 0x00, 0x7F)", "3.9  |     if in_range(byte, 0x00, 0x7E)")],
            "double_byte.pyx.j2 .*Big5: which ASCII bytes an error restores.* 7F .*#big5-decoder 3.10",
            id="restored ASCII",
        ),
        pytest.param(
            "gb18030-decoder",
            [("restore(io_queue, [self.gb18030_second, byte])", "restore(io_queue, byte)")],
            "gb18030.pyx.j2 .*GBK: how many bytes|which ASCII bytes.*#gb18030-decoder 4.2",
            id="bytes of an error",
        ),
        pytest.param(
            "gb18030-decoder",
            [
                (
                    "3.3   |     self.gb18030_first = self.gb18030_second = self.gb18030_third = 0x00\n",
                    "3.3   |     self.gb18030_second = self.gb18030_third = 0x00\n",
                )
            ],
            "gb18030.pyx.j2 .*GBK",
            id="the state after four bytes",
        ),
        pytest.param(
            "iso-2022-jp-decoder",
            [("[escape].7.3                     |         self.iso_2022_jp_output = True\n", "")],
            "iso_2022_jp.pyx.j2 .*ISO-2022-JP: the state after an item.*1B.*#iso-2022-jp-decoder ",
            id="the state after an escape sequence",
        ),
        pytest.param(
            "utf-8-decoder",
            [("self.utf_8_lower_boundary = 0xA0", "self.utf_8_lower_boundary = 0x9F")],
            "utf_8.pyx.j2 .*UTF-8: which bytes follow a leading byte, at byte 2.* E0 9F ",
            id="a boundary",
        ),
        pytest.param(
            "iso-2022-jp-encoder",
            [("6    |     return [0x1B, 0x28, 0x42]", "6    |     return [0x1B, 0x24, 0x28, 0x42]")],
            "iso_2022_jp.pyx.j2 .*the bytes.*#iso-2022-jp-encoder ",
            id="an escape sequence",
        ),
        pytest.param(
            "big5-decoder",
            [("    [0x046D, 0xCA, 0x304],\n", "")],
            "double_byte.pyx.j2 .*Big5.*88 62",
            id="two code points",
        ),
        pytest.param(
            "shift_jis-encoder",
            [
                (
                    "2  | if in_range(code_point, 0x00, 0x7F) or code_point == 0x80:",
                    "2  | if in_range(code_point, 0x00, 0x7E) or code_point == 0x80:",
                )
            ],
            "double_byte.pyx.j2 .*Shift_JIS: .*U[+]007F.*#shift_jis-encoder 8",
            id="ASCII of an encoder",
        ),
        pytest.param(
            "shared-utf-16-decoder",
            [("6.7 |     restore(io_queue, bytes_)\n", "")],
            "utf_16.pyx.j2 .*UTF-16BE: how many bytes an error takes|which ASCII bytes.*#shared-utf-16-decoder 6.7",
            id="restored code unit",
        ),
        pytest.param(
            "shared-utf-16-decoder",
            [("6.5 |     byte2 = code_unit & 0xFF", "6.5 |     byte2 = code_unit & 0xFE")],
            "UTF-16BE: the restored bytes.*#shared-utf-16-decoder 6.7",
            id="another code unit restored",
        ),
        pytest.param(
            "iso-2022-jp-encoder",
            [("8    |     code_point = 0xFF0D", "8    |     code_point = 0x2212")],
            "ISO-2022-JP: which code points are errors.*For U[+]2212 .*#iso-2022-jp-encoder 11.2",
            id="a code point that another encoding's table has",
        ),
        pytest.param(
            "replacement-decoder",
            [("1 | if byte is END_OF_QUEUE:\n1 |     return FINISHED\n", "")],
            "#replacement-decoder is not finished at end-of-queue",
            id="end-of-queue",
        ),
    ],
)
def test_a_changed_algorithm_is_refused(anchor: str, edits: list[tuple[str, str]], expected: str) -> None:
    data = changed(anchor, *edits)
    chapter = chapters()[next(codec.module for codec in codecs().values() if anchor in anchors_of(codec.handler))]
    filled = replace(chapter, tables=modules._chapter_tables(chapter.encodings, data, []))
    assert re.search(expected, refusal(filled, data), re.S)


def test_a_changed_mapping_is_not() -> None:
    """Tables are filled by running: U+A5 to another byte needs no person."""
    data = changed("euc-jp-encoder", ("3  |     return [0x5C]", "3  |     return [0x5D]"))
    assert emit.outputs(data)["japanese_tables.h"] != (emit.GENERATED / "japanese_tables.h").read_text()


def test_emit_refuses() -> None:
    data = changed("shared-utf-16-decoder", ("6.7 |     restore(io_queue, bytes_)\n", ""))
    with pytest.raises(templates.TemplateError, match=r"utf_16\.pyx\.j2"):
        emit.outputs(data)


def test_emit_refuses_pointers_that_are_no_order_of_bytes() -> None:
    data = changed("euc-kr-decoder", ("5   | if in_range(byte, 0x81, 0xFE)", "5   | if in_range(byte, 0x82, 0xFE)"))
    with pytest.raises(GeneratorError, match="index 'euc-kr' are not the order of its bytes: 82 41 is 190"):
        emit.outputs(data)


# -- Templates ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def edited(edit_template: Callable[..., modules.Chapter]) -> Callable[..., str]:
    """Return a function that edits a template and returns the message of its refusal."""
    return lambda name, *edits: refusal(edit_template(name, *edits))


SWAPPED = [
    ("steps.leading }}", "steps.other }}"),
    ("steps.otherwise }}", "steps.leading }}"),
    ("steps.other }}", "steps.otherwise }}"),
]


def test_swapped_branches(edited: Callable[..., str]) -> None:
    """The comments of two branches change places: what the lines do is no longer what they cite."""
    message = edited("double_byte", *SWAPPED)
    assert "the step that returns is another one" in message
    assert "(#big5-decoder 6)" in message


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("double_byte", "if code_point != 0 or trailing >= 0x80:\n    consumed[0] = 2\n", "", "Big5: how many bytes"),
        ("double_byte", "or trailing >= 0x80:", "or trailing > 0x80:", "Big5: how many bytes an error takes"),
        ("double_byte", "if code_point != 0 or trailing >= 0x80:", "if True:", "Big5: which ASCII bytes an error"),
        ("double_byte", "if length == 1:\n    return WE_ITEM_INCOMPLETE\n", "", r"what it reads \(source\[1\] is read"),
        ("double_byte", "code_point < 0x30000", "code_point < 0x2F800", "which code points are errors"),
        ("double_byte", "(leading & 0x7F) << 8 | trailing]", "leading << 8 | trailing]", "big5_pairs.* is read"),
        ("euc_jp", "leading == 0x8F and 0xA1 <= trailing", "leading == 0x8F and 0xA1 < trailing", "EUC-JP"),
        ("gb18030", "second - 0x30) * (10 * 126)", "second - 0x30) * (10 * 125)", "GBK: what an item is decoded to"),
        ("gb18030", "    if not 0x30 <= fourth <= 0x39:\n        return WE_ITEM_ERROR\n", "", "GBK: wh"),
        ("gb18030", "        consumed[0] = 3\n", "", "GBK: "),
        ("iso_2022_jp", "state = WE_ISO_2022_JP_KATAKANA", "state = WE_ISO_2022_JP_ROMAN", "the state|what an"),
        ("iso_2022_jp", "    run.state.iso_2022_jp_output = True\n", "", "the state after an item"),
        ("iso_2022_jp", 'switch_to("ROMAN", "0x28"', 'switch_to("JIS0208", "0x28"', r"\(a loop does not end\)"),
        ("iso_2022_jp", "target[2] = {{ third }}\n", "", "byte 2 of 4 is not written"),
        ("iso_2022_jp", "return {{ data.overline | hex(4) }}", "return 0x203D", "what an item"),
        ("replacement", "consumed[0] = length", "consumed[0] = 1", "For 00 00 after 00 "),
        ("replacement", "run.state.replacement_error_returned = True", "pass", "replacement"),
        ("single_byte", "if byte == 0:\n    error[0] = code_point\n    return 0\n", "", "which code points are errors"),
        ("utf_16", "if length < 4:", "if length < 3:", "what it reads"),
        ("utf_16", "consumed[0] = length\n", "consumed[0] = 2\n", "at end-of-queue"),
        ("utf_8", "lower_boundary = 0xA0", "lower_boundary = 0x9F", "which bytes follow a leading byte, at byte 2"),
        ("utf_8", "steps.three_bytes", "steps.four_bytes",
         "a branch is taken under a step that is not"),
        ("utf_8", "    lower_boundary = 0x80\n    upper_boundary = 0xBF\n", "", "For E0 A0 80 .*\n.*decoder 11"),
    ],
)  # fmt: skip
def test_a_changed_template_is_refused(
    edited: Callable[..., str], name: str, old: str, new: str, expected: str
) -> None:
    message = edited(name, (old, new))
    assert message.startswith(f"templates/_handlers/{name}.pyx.j2 does not hold for the ")
    assert re.search(expected, message), message
    assert re.search(r"\(#[a-z0-9_-]+ \S.*\)\.$", message), message


def test_a_template_that_cannot_be_read(edited: Callable[..., str]) -> None:
    with pytest.raises(UnreadableError, match=r"emitted\.py does not read this"):
        edited("utf_8", ("cdef uint8_t byte = source[0]", "cdef uint8_t *byte = <uint8_t *> source"))


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("ISO-2022-JP", {"encode_capacity": (5, 4, 5)}, "the longest output (encode_capacity (5, 4, 5))"),
        ("UTF-8", {"encode_capacity": (2, 3, 3)}, "the longest output (encode_capacity (2, 3, 3))"),
        ("Big5", {"decode_shift": 1}, "the longest output (decode_shift 1)"),
        ("ISO-2022-JP", {"encoder_property": ""}, "bytes at end-of-queue (WE_FLUSHES)"),
        ("ISO-2022-JP", {"is_ascii_compatible": True}, "ASCII bytes are ASCII code points in every state"),
        ("UTF-16BE", {"is_ascii_compatible": True}, "ASCII bytes are ASCII code points in every state"),
    ],
)
def test_a_record_is_held_to_the_standard(name: str, change: dict[str, object], expected: str) -> None:
    codec = codecs()[name]
    other = replace(codec, handler=replace(codec.handler, **change))  # type: ignore[arg-type]
    assert expected in refusal(replace(chapters()[codec.module], encodings=(other,)))


def test_capacities_are_the_longest_outputs() -> None:
    """No encoder is given more than it can need: each bound is reached by a code point of that kind of string."""
    for codec in codecs().values():
        if not codec.handler.has_encoder or codec.handler.is_single_byte:
            continue
        chapter = chapters()[codec.module]
        text = (emit.GENERATED / f"{codec.module}.pyx").read_text()
        encoder = templates._Encoder(Module(text, chapter.tables), codec, machine(PINNED))
        lengths = [0, 0, 0]
        for code_point in (0x7F, 0x80, 0xA7, 0xB6, 0x7FF, 0x3042, 0x4E00, 0xFFFF, 0x20021, 0x10FFFF):
            kind = (code_point > 0xFF) + (code_point > 0xFFFF)
            found = encoder.standard(encoder.handler.initial, code_point).item
            longest = len(found.output) if found.what == "output" else 0
            lengths[kind] = max(lengths[kind], longest)
        wider = [max(lengths[: kind + 1]) for kind in range(3)]
        assert tuple(wider) == codec.handler.encode_capacity, codec.name
