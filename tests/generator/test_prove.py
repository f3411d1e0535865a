"""Emitted handlers are proved against the standard's algorithms, and an edit of a template is refuted by an input."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from generator.spec.machine import machine
from tests.generator.conftest import rendered
from tests.pinned import PINNED, chapters, codecs

z3 = pytest.importorskip("z3", reason="the proofs need z3-solver, of the dependency group prove")

from proofs.handlers import induction as handlers  # noqa: E402
from proofs.handlers.numbers import C, Exact, as_type  # noqa: E402
from proofs.handlers.paths import Path, RefutedError, UnprovableError  # noqa: E402
from proofs.handlers.values import Values  # noqa: E402


def prove(name: str, kind: str) -> int:
    """Prove a handler as the templates render it now."""
    codec = codecs()[name]
    chapter = chapters()[codec.module]
    return handlers.prove(chapter, rendered(chapter), machine(PINNED), codec, kind)


QUICK = {
    ("UTF-8", "encoder"), ("UTF-16LE", "decoder"), ("replacement", "decoder"), ("windows-1252", "decoder"),
    ("x-user-defined", "encoder"),
}  # fmt: skip
"""The rest is proved by `make prove`."""


@pytest.mark.parametrize(("name", "kind"), sorted(QUICK))
def test_a_handler_is_proved(name: str, kind: str) -> None:
    assert prove(name, kind) > 1


EDITS = [
    # Wrong bounds of gb18030, most of which no sample shows.
    ("gb18030", "gb18030", "encoder", "{{ data.first_astral_pointer }}\n    # {{ pointer.exception",
     "{{ data.first_astral_pointer + 1 }}\n    # {{ pointer.exception",
     r"for U\+10000 .*the template has 90 30 81 31 .*\n.*the standard 90 30 81 30 .*"),
    ("gb18030", "GBK", "decoder", "if {{ data.last_bmp_pointer }} < pointer",
     "if {{ data.last_bmp_pointer + 1 }} < pointer",
     r"for 84 31 A5 30 the template has .*the standard error of 4 "),
    ("gb18030", "GBK", "decoder", "or pointer > {{ data.last_pointer }}", "or pointer >= {{ data.last_pointer }}",
     r"for E3 32 9A 35 the template has error of 4 .*the standard 10FFFF from 4 "),
    ("gb18030", "GBK", "decoder", "0x81 <= third <= 0xFE", "0x81 <= third <= 0xFD",
     r"for \w\w 3\w FE\b.* the template has error of 1 "),
    ("gb18030", "GBK", "decoder", "if not 0x30 <= fourth <= 0x39", "if not 0x30 <= fourth < 0x39",
     r"for \w\w 3\w \w\w 39 the template has error of 1 "),
    ("gb18030", "GBK", "decoder", "(third - 0x81) * 10 +", "(third - 0x81) * 11 +",
     r"gb18030_ranges.* read|for .* from 4"),
    ("gb18030", "GBK", "decoder", "(first & 0x7F) << 8", "(first & 0xFF) << 8",
     r"gb18030_pairs is read within its 32768"),
    ("gb18030", "GBK", "decoder", "or second >= 0x80:", "or second >= 0x7F:", r"for \w\w 7F.*error of 2 .*error of 1 "),
    ("gb18030", "gb18030", "encoder", "pointer // 10 % 126", "pointer // 10 % 125",
     r"for U\+[0-9A-F]{4,6} the template "),
    # Types, which a run in Python doesn't have.
    ("gb18030", "gb18030", "encoder", "cdef uint32_t pointer\n", "cdef uint16_t pointer\n", r"for U\+[0-9A-F]{4,6} "),
    ("utf_16", "UTF-16LE", "decoder", "cdef uint32_t code_unit, second", "cdef uint32_t code_unit\ncdef uint8_t second",
     r"for \w\w D[89AB] \w\w D[C-F] the template has .*the standard 1?[0-9A-F]{5} from 4 "),
    ("utf_16", "UTF-16LE", "decoder", "0x10000 + ((code_unit", "0x10001 + ((code_unit", r"the standard \w+ from 4 "),
    ("utf_16", "UTF-16LE", "decoder", "if length < 4:", "if length < 3:", r"source\[3\] is read within the source"),
    ("utf_16", "UTF-16LE", "decoder", "<= code_unit <= 0xDBFF", "<= code_unit < 0xDBFF", r"for FF DB\b"),
    ("utf_8", "UTF-8", "decoder", "upper_boundary = 0x8F", "upper_boundary = 0x90",
     r"for F4 90.* the template has .*the standard error of 1 "),
    ("utf_8", "UTF-8", "decoder", "byte & 0x3F", "byte & 0x1F",
     r"the template has \w+ from \d .*the standard \w+ from"),
    ("utf_8", "UTF-8", "encoder", "return we_put_utf8(target, code_point)",
     "return we_put_utf8(target, code_point & 0xFFFFF)",
     r"for U\+10\w{4} .*the standard F4 "),
    # A surrogate, which the standard does not have, is an error without bytes.
    ("utf_8", "UTF-8", "encoder", "    error[0] = code_point\n    return 0\n", "    error[0] = code_point\n",
     r"for U\+D[89A-F]\w\w the template has the error ED .*the standard the error D"),
    ("iso_2022_jp", "ISO-2022-JP", "decoder", "byte != 0x0E and byte != 0x0F", "byte != 0x0E",
     r"for 0F.* the template has 0F from 1 .*the standard error of 1 "),
    ("iso_2022_jp", "ISO-2022-JP", "decoder", "    run.state.iso_2022_jp_output = True\n", "    pass\n",
     r"after 1B |for 1B "),
    ("iso_2022_jp", "ISO-2022-JP", "decoder", "return WE_ITEM_INCOMPLETE if is_start else WE_ITEM_ERROR",
     "return WE_ITEM_ERROR", r"an error is of an incomplete item at end-of-queue"),
    ("iso_2022_jp", "ISO-2022-JP", "encoder", "pair - 0x8080", "pair - 0x8081", r"after|for U\+[0-9A-F]{4} "),
    ("euc_jp", "EUC-JP", "decoder", "(leading - 0xA1) * 94", "(leading - 0xA0) * 94",
     r"for 8F |jis0212 is read within"),
    ("double_byte", "Big5", "decoder", "if code_point != 0 or trailing >= 0x80:", "if True:",
     r"error of 2 .*error of 1 "),
    ("single_byte", "windows-1252", "decoder", "if byte < 0x80:", "if byte < 0x81:",
     r"for 80 the template has 80 .*20AC"),
    ("single_byte", "x-user-defined", "encoder", "if byte == 0:\n    error[0] = code_point\n    return 0\n", "",
     r"the template has 00 .*the standard the error "),
    ("replacement", "replacement", "decoder", "run.state.replacement_error_returned = True", "pass", r"after|for "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("template", "name", "kind", "old", "new", "expected"),
    [
        pytest.param(
            *edit, id=f"{edit[1]}-{edit[2]}-{at}", marks=[pytest.mark.repeated] * ((edit[1], edit[2]) not in QUICK)
        )
        for at, edit in enumerate(EDITS)
    ],
)
def test_an_edited_template_is_refuted(
    edit_template: Callable[..., object],
    template: str,
    name: str,
    kind: str,
    old: str,
    new: str,
    expected: str,
) -> None:
    edit_template(template, (old, new))
    with pytest.raises(handlers.ProofError) as caught:
        prove(name, kind)
    message = str(caught.value)
    assert message.startswith(f"templates/_handlers/{template}.pyx.j2 is refuted for the {kind} of {name}:\n"), message
    assert re.search(expected, message, re.S), message


def test_a_proof_of_no_input_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers.Decoder, "cases", lambda *_: iter([([z3.BoolVal(False)], lambda: None)]))
    with pytest.raises(handlers.ProofError, match="is not proved: what is assumed of an item is met by no input"):
        prove("replacement", "decoder")


# -- What the proofs calculate with ------------------------------------------------------------------------------------


def test_numbers_of_c_are_those_of_c() -> None:
    """An 8-bit number is promoted to int, an unsigned one stays unsigned, and each conversion cuts off."""
    path = Path()
    byte, wide = C(path, z3.BitVecVal(0x80, 32), is_signed=True), C(path, z3.BitVecVal(1, 32), is_signed=False)
    assert bool(byte - 0x81 < 0)
    assert not bool(wide - 2 < 0)
    assert bool(wide - 2 > byte)
    assert z3.simplify(as_type("uint8_t", byte + 0x181).term).as_long() == 1
    assert z3.simplify((byte << 24 >> 24).term).as_signed_long() == -128
    assert z3.simplify((wide - 2 >> 24).term).as_long() == 0xFF


def test_numbers_of_the_standard_have_bounds() -> None:
    number = Exact(Path(), z3.BitVec("code_point", 32), 0, 0x10FFFF)
    assert ((number - 0x81) * 126).low == -0x81 * 126
    with pytest.raises(UnprovableError, match="more than 31 bits"):
        number * 0x10FFFF
    with pytest.raises(RefutedError, match="not negative"):
        (number - 1) // 2


def test_a_loop_without_an_end() -> None:
    path = Path()

    def count_up() -> None:
        count = 0
        while C(path, z3.BitVec("length", 64), is_signed=False) > count:
            count += 1

    with pytest.raises(UnprovableError, match="a loop has no end"):
        path.each(count_up)


BINARY: list[Any] = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a & b, lambda a, b: a | b,
    lambda a, b: a ^ b, lambda a, b: z3.LShR(a, b), lambda a, b: a >> b, lambda a, b: a << b,
    lambda a, b: z3.UDiv(a, b), lambda a, b: z3.URem(a, b), lambda a, b: ~a, lambda a, b: -b,
    lambda a, b: z3.If(a < b, a, b),
    lambda a, b: z3.If(z3.And(z3.ULE(a, b), z3.Not(a == b), z3.Or(a >= b, z3.UGT(b, a))), a, b),
    lambda a, b: z3.Extract(15, 0, z3.Concat(z3.Extract(3, 0, a), z3.Extract(6, 1, b), z3.Extract(7, 2, a))),
    lambda a, b: z3.SignExt(24, z3.Extract(7, 0, a)) + z3.ZeroExt(24, z3.Extract(7, 0, b)),
    lambda a, b: z3.Select(z3.Array("table", z3.BitVecSort(32), z3.BitVecSort(16)), z3.URem(a, 4) & (b | 3)),
]  # fmt: skip


@pytest.mark.parametrize("at", range(len(BINARY)))
def test_values_are_those_of_z3(at: int) -> None:
    """numpy's values of each operation are what z3 has for the same inputs."""
    a, b = z3.BitVecs("a b", 32)
    edges = [0, 1, 5, 31, 32, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    pairs = [(x, y) for x in edges for y in edges if y or at not in (9, 10)]
    table = np.array([7, 0xFFFF, 0, 300], dtype=np.uint64)
    term = BINARY[at](a, b)
    inputs = {
        "a": np.array([x for x, _ in pairs], dtype=np.uint64),
        "b": np.array([y for _, y in pairs], dtype=np.uint64),
    }
    found = Values(inputs, {"table": table}).of(term)
    array = z3.K(z3.BitVecSort(32), z3.BitVecVal(0, 16))
    for index, entry in enumerate(table):
        array = z3.Store(array, index, int(entry))
    known = z3.Array("table", z3.BitVecSort(32), z3.BitVecSort(16))
    for value, (x, y) in zip(found, pairs, strict=True):
        exact = z3.substitute(term, (a, z3.BitVecVal(x, 32)), (b, z3.BitVecVal(y, 32)), (known, array))
        assert int(value) == z3.simplify(exact).as_long()
