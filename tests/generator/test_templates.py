"""What templates assume is compared with the standard's algorithms, and no module is emitted where it differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from generator import emit, modules, snapshot
from generator.model import Snapshot
from generator.spec import notation, templates
from generator.spec.emitted import UnreadableError
from generator.spec.machine import machine
from generator.spec.program import Programs
from tests.generator.conftest import rendered
from tests.pinned import PINNED, chapters, codecs

NOTATION = (snapshot.DATA / notation.FILE).read_text(encoding="utf-8")


def programs(anchor: str, *edits: tuple[str, str]) -> Programs:
    """Return the pinned programs with the statements of one edited in the notation."""
    head = f'[programs."{anchor}"]'
    before, _, entry = NOTATION.partition(head)
    section, mark, after = entry.partition("\n[programs.")
    for old, new in edits:
        assert section.count(old) == 1, (old, section.count(old))
        section = section.replace(old, new)
    section = re.sub('digest = ".*"', f'digest = "{sha256(section.encode()).hexdigest()}"', section)
    return notation.from_toml(before + head + section + mark + after).programs


def changed(anchor: str, *edits: tuple[str, str]) -> Snapshot:
    return replace(PINNED, programs=programs(anchor, *edits))


def refusal(name: str, data: Snapshot = PINNED, **changes: object) -> str:
    """Return why an encoding's handlers are not emitted, as the templates are now, with changes of its record."""
    codec = codecs()[name]
    chapter = chapters()[codec.module]
    handler = replace(codec.handler, **changes)  # type: ignore[arg-type]
    if data is not PINNED:
        chapter = replace(chapter, tables=modules._chapter_tables(chapter.encodings, data, []))
    chapter = replace(chapter, encodings=(replace(codec, handler=handler),))
    with pytest.raises(templates.TemplateError) as caught:
        templates.check(chapter, rendered(chapter), machine(data))
    return str(caught.value)


ALGORITHMS = [
    ("EUC-KR", "euc-kr-decoder", "5   | if in_range(byte, 0x81, 0xFE)", "5   | if in_range(byte, 0x81, 0xFD)",
     "For FE the template has nothing yet,\n.* error .#euc-kr-decoder 6"),
    ("GBK", "gb18030-decoder", "restore(io_queue, [self.gb18030_second, byte])", "restore(io_queue, byte)",
     "For 81 30 .*error, U[+]0030.*#gb18030-decoder"),
    ("UTF-8", "utf-8-decoder", "self.utf_8_lower_boundary = 0xA0", "self.utf_8_lower_boundary = 0x9F", "For E0 9F "),
    ("Big5", "big5-decoder", "    [0x046D, 0xCA, 0x304],\n", "", "For 88 62.*U[+]00CA .*U[+]0304"),
    ("UTF-16BE", "shared-utf-16-decoder", "6.7 |     restore(io_queue, bytes_)\n", "", "For D8 00 00 00 "),
    ("ISO-2022-JP", "iso-2022-jp-encoder", "8    |     code_point = 0xFF0D", "8    |     code_point = 0x2212",
     "For U[+]2212 .*#iso-2022-jp-encoder 11.2"),
    ("replacement", "replacement-decoder", "1 | if byte is END_OF_QUEUE:\n1 |     return FINISHED\n", "",
     "For end-of-queue the template "),
]  # fmt: skip


@pytest.mark.gate
@pytest.mark.parametrize(("name", "anchor", "old", "new", "expected"), ALGORITHMS)
def test_a_changed_algorithm_is_refused(name: str, anchor: str, old: str, new: str, expected: str) -> None:
    message = refusal(name, changed(anchor, (old, new)))
    assert re.search(expected, message, re.S), message


@pytest.mark.gate
def test_a_changed_mapping_is_not() -> None:
    """Tables are filled by running: U+A5 to another byte needs no person."""
    data = changed("euc-jp-encoder", ("3  |     return [0x5C]", "3  |     return [0x5D]"))
    assert emit.outputs(data)["japanese_tables.h"] != (emit.GENERATED / "japanese_tables.h").read_text()


# -- Templates ---------------------------------------------------------------------------------------------------------


#: Wrong edits: the template, an encoding of it, the lines before and after, and what shows the difference.
EDITS = [
    ("double_byte", "Big5", "if code_point != 0 or trailing >= 0x80:\n    consumed[0] = 2\n", "", "has error, error"),
    ("double_byte", "Big5", "if length == 1:\n    return WE_ITEM_INCOMPLETE\n", "", r"source\[1\] is read"),
    ("double_byte", "Big5", "if length == 1:", "if length != 2:", "another outcome if a byte follows"),
    ("double_byte", "Big5", "(leading & 0x7F) << 8 | trailing]", "leading << 8 | trailing]", "big5_pairs.* is read"),
    ("euc_jp", "EUC-JP", "leading == 0x8F and 0xA1 <= trailing", "leading == 0x8F and 0xA1 < trailing", "For 8F A1 "),
    ("gb18030", "GBK", "    if not 0x30 <= fourth <= 0x39:\n        return WE_ITEM_ERROR\n", "", "For 81 30 81 "),
    ("gb18030", "GBK", "if not 0x30 <= fourth <= 0x39", "if not 0x30 <= fourth < 0x39", "For 81 3. .. 39"),
    ("gb18030", "GBK", "if {{ data.last_bmp_pointer }} < pointer", "if {{ data.last_bmp_pointer + 1 }} < pointer",
     "For 84 31 A5 30"),
    ("gb18030", "gb18030", "{{ data.first_astral_pointer }}\n    # {{ pointer.exception",
     "{{ data.first_astral_pointer + 1 }}\n    # {{ pointer.exception", r"For U\+10000 .*90 30 81 31.*90 30 81 30"),
    ("iso_2022_jp", "ISO-2022-JP", "    run.state.iso_2022_jp_output = True\n", "", "For 1B 2. .. 1B "),
    ("iso_2022_jp", "ISO-2022-JP", 'switch_to("ROMAN", "0x28"', 'switch_to("JIS0208", "0x28"', "a loop does not end"),
    ("iso_2022_jp", "ISO-2022-JP", "target[2] = {{ third }}\n", "", "byte 2 of 4 is not written"),
    ("replacement", "replacement", "run.state.replacement_error_returned = True", "pass", "For 00 00 "),
    ("single_byte", "windows-1252", "if byte < 0x80:", "if byte < 0x81:", "For 80 .*20AC"),
    ("single_byte", "windows-1252", "if byte == 0:\n    error[0] = code_point\n    return 0\n", "", r"For U\+0080 "),
    ("utf_16", "UTF-16LE", "if length < 4:", "if length < 3:", r"source\[3\] is read"),
    ("utf_16", "UTF-16LE", "consumed[0] = length\n", "consumed[0] = 2\n", "end-of-queue the template has error, error"),
    ("utf_8", "UTF-8", "lower_boundary = 0xA0", "lower_boundary = 0x9F", "For E0 9F"),
]  # fmt: skip


@pytest.mark.gate
@pytest.mark.parametrize(("template", "name", "old", "new", "expected"), EDITS)
def test_a_changed_template_is_refused(
    edit_template: Callable[..., object], template: str, name: str, old: str, new: str, expected: str
) -> None:
    edit_template(template, (old, new))
    message = refusal(name)
    assert message.startswith(f"templates/_handlers/{template}.pyx.j2 differs from the standard in the ")
    assert re.search(expected, message, re.S), message


def test_a_template_that_cannot_be_read(edit_template: Callable[..., object]) -> None:
    edit_template("utf_8", ("cdef uint8_t byte = source[0]", "cdef uint8_t *byte = <uint8_t *> source"))
    with pytest.raises(UnreadableError, match=r"emitted\.py does not read this"):
        refusal("UTF-8")


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("ISO-2022-JP", {"encode_capacity": (5, 4, 5)}, "room for 4 bytes (encode_capacity)"),
        ("UTF-8", {"encode_capacity": (2, 3, 3)}, "the template has room for 3 bytes (encode_capacity)"),
        ("Big5", {"decode_shift": 1}, "room for 1 units (decode_shift)"),
        ("UTF-16BE", {"decode_shift": 2}, "room for 1 units (decode_shift)"),
        ("ISO-2022-JP", {"encoder_property": ""}, "the standard 1B 28 42"),
    ],
)
def test_a_record_is_held_to_the_standard(name: str, change: dict[str, object], expected: str) -> None:
    assert expected in refusal(name, **change)
