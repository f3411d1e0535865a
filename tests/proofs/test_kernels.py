"""The proofs of the kernels: that they hold, and that wrong kernels are refuted, by the bytes that show it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("z3", reason="the proofs need z3-solver, of the dependency group prove")

from proofs.kernels import exhaust, ir
from proofs.kernels.__main__ import CLANG, ROOT, compiled, prove
from proofs.kernels.lemmas import AVX2, AVX512, BYTES_16, SCALAR, UCS2, Lemma, lemmas

if shutil.which(CLANG[0]) is None and "WHATWG_ENCODING_REQUIRE_CLANG" not in os.environ:
    pytest.skip(f"there is no {CLANG[0]}, which compiles the kernels for the proofs", allow_module_level=True)

KERNELS = ROOT / "src" / "native" / "kernels"


def result(lemma: Lemma, folder: Path, *changes: tuple[str, str, str]) -> str:
    """Return what is said of a lemma with kernels in which texts of files are replaced."""
    changed = folder / "kernels"
    shutil.copytree(KERNELS, changed)
    for name, before, after in changes:
        text = (changed / name).read_text(encoding="utf-8")
        assert text.count(before) >= 1, (name, before)
        (changed / name).write_text(text.replace(before, after, 1), encoding="utf-8")
    compiled(lemma.text, folder, changed)
    return prove(lemma, folder)[0]


def test_the_lemmas_have_their_functions() -> None:
    texts = {"ascii": "ascii.c", "utf_8": "utf_8.c"}
    for lemma in lemmas(nightly=True):
        assert lemma.text in texts or (ROOT / "generated" / f"{lemma.text}.pyx").exists()


def test_a_run_of_ascii_at_each_level(tmp_path: Path) -> None:
    compiled("ascii", tmp_path)
    for level in (SCALAR, BYTES_16, AVX2, AVX512):
        line, is_proved, _ = prove(Lemma("ascii", "ascii_run_to_ucs1", (level, 70), ""), tmp_path)
        assert is_proved, line


@pytest.mark.parametrize(
    ("lemma", "change", "refuted"),
    [
        pytest.param(
            Lemma("ascii", "ascii_run_to_ucs1", (SCALAR, 9), ""),
            ("ascii/scalar.h", "0x8080808080808080", "0x8080808080808000"),
            r"ASCII is kept, .*, for source (?!00 00 00 00 00 00 00 00 00)[0-9a-f ]{26}",
            id="a mask of words",
        ),
        pytest.param(
            Lemma("ascii", "ascii_length", (AVX2, 70), ""),
            ("ascii/vector.h", "return i == length ? length : length - WE_WIDTH", "return i == length ? length : i"),
            "REFUTED: the length",
            id="where the last vector is",
        ),
        pytest.param(
            Lemma("ascii", "ascii_run_to_ucs2", (BYTES_16, 20), ""),
            ("vectors.h", "we_store_16(target + 8, we_zip_high_u8_16", "we_store_16(target + 7, we_zip_high_u8_16"),
            "REFUTED: ASCII is kept",
            id="where a vector is stored",
        ),
        pytest.param(
            Lemma("ascii", "ascii_run_to_ucs1", (BYTES_16, 31), ""),
            ("ascii/scalar.h", "; length - i > (block); i += (block)) {", "; length - i > 14; i += (block)) {"),
            "REFUTED: it reads 16 bytes of source, which has 31",
            id="an access beyond the source",
        ),
        pytest.param(
            Lemma("unicode", "utf_8_decode", (SCALAR, UCS2, 3, 0, 3), ""),
            ("utf_8/scalar.h", "code_point < 0x800 ||", "code_point < 0x7FF ||"),
            "REFUTED: what the kernel has read is no error, for source e0 9f bf",
            id="a lower boundary",
        ),
        pytest.param(
            Lemma("utf_8", "block_vector_16", (UCS2,), ""),
            ("utf_8/vector.h", "WE_TOO_SHORT | WE_BELOW_A0 | WE_OVER_9F", "WE_TOO_SHORT | WE_BELOW_A0"),
            "REFUTED: an error where the handler has one, for source [0-9a-f ]*ed [ab]",
            id="a surrogate in a vector",
        ),
        pytest.param(
            Lemma("japanese", "iso_2022_jp_decode", (SCALAR, UCS2, 4, 0, 4), ""),
            ("iso_2022_jp/kernels.h", "return WE_ISO_2022_JP_ROMAN;", "return WE_ISO_2022_JP_ASCII;"),
            "REFUTED: .*, for source .*1b 28 4a",
            id="a state of ISO-2022-JP",
        ),
        pytest.param(
            Lemma("japanese", "iso_2022_jp_encode", (SCALAR, UCS2, 1, 0, 1), ""),
            ("iso_2022_jp/scalar.h", "&& byte != WE_SHIFT_IN &&", "&&"),
            "REFUTED: what the kernel has read is no error, for source 0f 00",
            id="a code point that could escape",
        ),
        pytest.param(
            Lemma("japanese", "iso_2022_jp_decode", (SCALAR, UCS2, 2, 0, 2), ""),
            ("iso_2022_jp/kernels.h", "room = we_room(kind, written);", "room = 0;"),
            "NOT DECIDED: the kernel converts none of these inputs",
            id="a kernel that converts nothing",
        ),
    ],
)  # fmt: skip
def test_a_wrong_kernel_is_refuted(lemma: Lemma, change: tuple[str, str, str], refuted: str, tmp_path: Path) -> None:
    assert re.search(refuted, line := result(lemma, tmp_path, change)), line


def test_four_bytes_that_differ_are_found(tmp_path: Path) -> None:
    program = exhaust.program("UTF-8", tmp_path)
    assert exhaust.difference(program, SCALAR, 0xED, 0xED) == ""
    changed = tmp_path / "kernels"
    shutil.copytree(KERNELS, changed)
    scalar = changed / "utf_8" / "scalar.h"
    text = scalar.read_text(encoding="utf-8")
    scalar.write_text(text.replace("(code_point & 0xF800) == 0xD800", "0"), encoding="utf-8")
    assert scalar.read_text(encoding="utf-8") != text
    assert exhaust.difference(exhaust.program("UTF-8", tmp_path, changed), SCALAR, 0xED, 0xED) == "ED A0 80 00"
    assert exhaust.exhaust("gb18030", BYTES_16, [0x81]) in ("", None)


def test_a_text_that_is_not_known_is_no_proof() -> None:
    with pytest.raises(ir.UnknownTextError, match="fneg"):
        ir.read("define i32 @f() {\nentry:\n  %a = fneg float 1.0\n}\n").instruction(["  %a = fneg float 1"], 0)
