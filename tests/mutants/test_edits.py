"""The mutants of emitted handlers and kernels: that each operator makes one, and that the judges notice it."""

from __future__ import annotations

import pickle
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants import edits, judges
from tests.mutants.edits import Text

C = """\
static inline size_t we_some(const uint8_t *source, size_t length)
{
    size_t i = 0; /* < is no operator here */
    for (; length - i >= 16; i += 16) {
        if (source[i] & 0x3F && kind == WE_UCS2)
            return we_zip_low(first, other) << 3;
        put(source,
            i);
    }
    return i < length ? ~i : !i;
}
"""
CYTHON = '''\
cdef inline uint32_t some_decode_item "some_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Not < this."""
    cdef uint8_t leading = source[0], trailing
    if leading < 0x80 and not run.end_of_queue:
        return leading
    consumed[0] = 2
    return leading if length != 1 else WE_ITEM_ERROR
# -- Registry
'''


def changes(name: str, text: str) -> set[str]:
    return {mutant.change for mutant in Text(name, text).mutants()}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("for (; length - i >= 16; i += 16) {", "for (; length - i > 16; i += 16) {", id="a boundary"),
        pytest.param("for (; length - i >= 16; i += 16) {", "for (; length + i >= 16; i += 16) {", id="an operator"),
        pytest.param("for (; length - i >= 16; i += 16) {", "for (; length - i >= 16; i += 15) {", id="a step"),
        pytest.param(
            "if (source[i] & 0x3F && kind == WE_UCS2)", "if (source[i] & 0x1F && kind == WE_UCS2)", id="a mask"
        ),
        pytest.param(
            "if (source[i] & 0x3F && kind == WE_UCS2)", "if (source[i] & 0x3F || kind == WE_UCS2)", id="a junction"
        ),
        pytest.param(
            "if (source[i] & 0x3F && kind == WE_UCS2)", "if (source[i] & 0x3F && kind == WE_UCS4)", id="a kind"
        ),
        pytest.param(
            "if (source[i] & 0x3F && kind == WE_UCS2)", "if (!(source[i] & 0x3F && kind == WE_UCS2))", id="a condition"
        ),
        pytest.param(
            "return we_zip_low(first, other) << 3;", "return we_zip_high(first, other) << 3;", id="an intrinsic"
        ),
        pytest.param("return we_zip_low(first, other) << 3;", "return we_zip_low(first, other) >> 3;", id="a shift"),
        pytest.param("return we_zip_low(first, other) << 3;", "return we_zip_low(first, other) << 4;", id="its amount"),
        pytest.param(
            "return we_zip_low(first, other) << 3;", "return we_zip_low(other, first) << 3;", id="an order of arguments"
        ),
        pytest.param("put(source, i);", ";", id="a statement"),
        pytest.param("return i < length ? ~i : !i;", "return !(i < length) ? ~i : !i;", id="a choice"),
        pytest.param("return i < length ? ~i : !i;", "return i < length ? i : !i;", id="a prefix"),
    ],
)
def test_each_operator_on_c(old: str, new: str) -> None:
    assert f"- {old} + {new}" in changes("some.h", C)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "if leading < 0x80 and not run.end_of_queue:",
            "if not (leading < 0x80 and not run.end_of_queue):",
            id="a condition",
        ),
        pytest.param(
            "if leading < 0x80 and not run.end_of_queue:",
            "if leading < 0x80 or not run.end_of_queue:",
            id="a junction",
        ),
        pytest.param("consumed[0] = 2", "pass", id="a statement"),
        pytest.param("return leading", "pass", id="a return"),
        pytest.param(
            "return leading if length != 1 else WE_ITEM_ERROR",
            "return WE_ITEM_ERROR if length != 1 else leading",
            id="an order of outcomes",
        ),
        pytest.param(
            "return leading if length != 1 else WE_ITEM_ERROR",
            "return leading if length != 1 else WE_ITEM_INCOMPLETE",
            id="an outcome",
        ),
    ],
)
def test_each_operator_on_cython(old: str, new: str) -> None:
    assert f"- {old} + {new}" in changes("some.pyx", CYTHON)


def test_names_tell_mutants_apart_and_outlast_edits_elsewhere() -> None:
    before = [mutant.name for mutant in Text("some.h", C + C).mutants()]
    after = [mutant.name for mutant in Text("some.h", "/* More. */\nstatic int more = 1;\n" + C + C).mutants()]
    assert max(Counter(before).values()) == 1
    assert [name for name in after if " more:" not in name] == before
    assert all(name.startswith("some.h we_some: - ") for name in before)
    assert not any("no operator" in name or "Not" in name for name in before)


def test_every_text_has_mutants_of_one_name_each() -> None:
    names = Counter(mutant.name for text in (*judges.emitted(), *judges.kernels()) for mutant in text.mutants())
    assert len(names) > 5000
    assert max(names.values()) == 1
    assert sum(command.is_taken(mutant, 40) for text in judges.kernels() for mutant in text.mutants()) > 100


def test_a_text_goes_to_another_process() -> None:
    text = Text("some.h", C)
    before = [mutant.name for mutant in text.mutants()]
    assert [mutant.name for mutant in pickle.loads(pickle.dumps(text)).mutants()] == before


def test_a_mutant_that_is_not_tried_is_no_complaint() -> None:
    first, *others = Text("some.h", C).mutants()
    other = next(one for one in others if one.key != first.key)
    assert command.complaints({first: "a test"}, {other.key: 1}, [other.key]) == []
    assert command.complaints({first: "a test"}, {first.key: 1}, [first.key]) == []
    assert command.complaints({first: "a test"}, {other.key: 1}) == [
        f"listed as equivalent, but no mutant: {other.key}"
    ]


def test_survivors_are_counted_by_function_and_operator() -> None:
    """So that an edit of a line renames none of the list, and one more that nothing notices is told."""
    one, two, three, *_ = (each for each in Text("some.h", C).mutants() if each.edit.operator == "number")
    assert one.key == two.key == three.key == "some.h we_some: number"
    assert command.complaints({one: "", two: "", three: "a test"}, {one.key: 2}) == []
    assert command.complaints({one: "", two: "", three: ""}, {one.key: 3}) == []
    assert command.complaints({one: "", two: "", three: ""}, {one.key: 2})[0] == f"noticed by no test: {one.name}"
    assert command.complaints({one: "", two: "a test"}, {one.key: 2}) == [
        f"listed as equivalent 2 times, but 1 do the same: {one.key}"
    ]
    assert {key.count("- ") for key in command.equivalent() if ".h " in key or ".pyx " in key} == {0}


def text_of(name: str) -> Text:
    return next(text for text in (*judges.emitted(), *judges.kernels()) if text.name == name)


def only(text: Text, old: str, new: str) -> edits.Mutant:
    """Return the first mutant of a text that makes a change."""
    return next(mutant for mutant in text.mutants() if mutant.change == f"- {old} + {new}")


def test_the_proofs_refuse_a_mutant_of_an_emitted_handler() -> None:
    pytest.importorskip("z3", reason="the proofs need z3-solver, of the dependency group prove")
    text = text_of("unicode.pyx")
    assert judges.refutes(text.text, only(text, "upper_boundary = 0x9F", "upper_boundary = 0xA0")) == "refuted"
    assert judges.refutes(text.text, only(text, "bytes_seen += 1", "pass")) != ""
    same = only(text, "elif 0xE0 <= byte <= 0xEF:", "elif 0xDF <= byte <= 0xEF:")
    assert judges.refutes(text.text, same) == ""
    assert same.key in command.equivalent()


needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="there is no clang, which compiles the kernels")


@needs_clang
def test_a_mutant_of_a_kernel_is_noticed(tmp_path: Path) -> None:
    kernels = judges.Kernels(tmp_path / "own", judges.TARGETS[:1])
    text = text_of("ascii/kernels.h")
    wrong = only(text, "all |= source[i];", "all &= source[i];")
    assert kernels.notices(text.name, wrong.apply(text.text)) == "ascii, x86-64"
    assert kernels.notices(text.name, text.text + "int not C") == "compiler"
    assert kernels.notices(text.name, text.text.replace("/* ", "/* A comment: ")) is None
    assert (kernels.kernels / text.name).read_text(encoding="utf-8") == text.text


@pytest.mark.repeated
@needs_clang
@pytest.mark.parametrize("what", dict.fromkeys(what for judged in judges.JUDGED.values() for what in judged))
def test_the_kernels_are_right_on_each_target(what: str, tmp_path: Path) -> None:
    kernels = judges.Kernels(tmp_path / "own")
    for target in kernels.targets:
        kernels.code[target.name, what] = b"other"
        vectors = kernels.kernels / "vectors.h"
        assert kernels._judge(target, what, vectors, vectors.read_text(encoding="utf-8")) == "", target.name
