"""The proofs of the kernels: that they hold, and that wrong kernels are refuted, by the bytes that show it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("z3", reason="the proofs need z3-solver, of the dependency group prove")

from proofs.kernels import __main__ as kernels
from proofs.kernels import exhaust, ir
from proofs.kernels.__main__ import CLANG, HERE, ROOT, compiled, prove
from proofs.kernels.lemmas import AVX2, AVX512, BYTES_16, SCALAR, UCS2, Lemma, lemmas
from tests.proofs.refusals import QUICK, REFUSALS, Refusal

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
    "refusal",
    [pytest.param(one, id=one.clause, marks=() if one.clause in QUICK else pytest.mark.slow) for one in REFUSALS],
)
def test_a_wrong_kernel_is_refuted(refusal: Refusal, tmp_path: Path) -> None:
    line = result(refusal.lemma, tmp_path, (refusal.file, refusal.before, refusal.after))
    assert ": proved" not in line
    assert re.search(refusal.said, line), line


def test_a_kernel_that_converts_nothing_is_not_proved(tmp_path: Path) -> None:
    change = ("iso_2022_jp/kernels.h", "room = we_room(kind, written);", "room = 0;")
    line = result(Lemma("japanese", "iso_2022_jp_decode", (SCALAR, UCS2, 2, 0, 2, 0), ""), tmp_path, change)
    assert "NOT DECIDED: the kernel converts none of these inputs" in line


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "ANY(uint8_t, source, length);\n    const size_t read = we_ascii_length",
            "assume(0);",
            "an assumption is met by no",
        ),
        (
            '    claim(read <= length, "the length is within the source");\n',
            "    assume(read > length);\n",
            "an assumption is",
        ),
        ('    claim(read <= length, "the length is within the source");\n', "    return;\n", "nothing is claimed"),
    ],
)
def test_a_lemma_that_claims_nothing_is_not_proved(
    before: str, after: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (HERE / "ascii.c").read_text(encoding="utf-8")
    assert before in text
    changed = text.replace(before, after + (before if "ANY" in before else ""), 1)
    (tmp_path / "lemmas").mkdir()
    for path in HERE.glob("*.h"):
        shutil.copy(path, tmp_path / "lemmas")
    (tmp_path / "lemmas" / "ascii.c").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(kernels, "HERE", tmp_path / "lemmas")
    compiled("ascii", tmp_path)
    line, is_proved, _ = prove(Lemma("ascii", "ascii_length", (SCALAR, 9), ""), tmp_path)
    assert not is_proved
    assert f"NOT DECIDED: {said}" in line


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


def test_a_backslash_in_a_string_is_one_byte() -> None:
    _, content = ir.read('@x = private constant [3 x i8] c"a\\\\\\05"\n').constants["@x"]
    assert [each.value for each in content.value] == [0x61, 0x5C, 5]
    with pytest.raises(ir.UnknownTextError):
        ir.read('@x = private constant [4 x i8] c"a\\\\\\05"\n').constants["@x"]


def test_a_text_that_is_not_known_is_no_proof() -> None:
    with pytest.raises(ir.UnknownTextError, match="fneg"):
        ir.read("define i32 @f() {\nentry:\n  %a = fneg float 1.0\n}\n").instruction(["  %a = fneg float 1"], 0)
