"""Handlers are inlined into the loops of all kinds of text: no compiler leaves one as a function of its own.

A generated module is compiled to assembly with GCC and Clang; for Windows, whose Python headers are not at hand, a
handler written in C. What is neither defined nor called has no name in assembly.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.programs import ROOT

INCLUDE = [f"-I{folder}" for folder in ("src/native/kernels", "src/native/engine", "generated")]
KINDS = {"decode": ("ucs1", "ucs2", "ucs4", "utf8"), "encode": ("ucs1", "ucs2", "ucs4")}

#: A decoder's handler, as Cython emits one.
HANDLER = """
#define WE_NAME probe
#include "decode_loop.h"
static inline size_t probe_decode_kernel(we_decode_run *run, int kind, int after_error, const uint8_t *source,
                                         size_t length, void *target, size_t *written)
{
    (void)run, (void)kind, (void)after_error, (void)source, (void)length, (void)target, (void)written;
    return 0;
}
static inline uint32_t probe_decode_item(we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed)
{
    (void)run, (void)length, (void)consumed;
    return source[0] < 0x80 ? source[0] : WE_ITEM_ERROR;
}
const we_decode_function probe_decoders[4] = WE_DECODES(probe);
"""

CLANG_CL = ["clang", "--driver-mode=cl", "/clang:-ffreestanding", "-imsvc", "tests/machines/headers", "/clang:-S"]


def check(assembly: Path, name: str, direction: str) -> None:
    """Fail unless the loops of a handler are functions in the assembly, and the handler and its kernel are not."""
    text = assembly.read_text()
    labels = set(re.findall(r'^"?_?(\w+)"?:', text, re.M))
    assert {f"{name}_{direction}_{kind}" for kind in KINDS[direction]} <= labels
    assert not re.findall(r"\w*_(?:decode|encode)_(?:item|kernel)\b", text)


@pytest.mark.parametrize(
    ("compiler", "level"),
    [
        ("gcc", "-O1"),
        pytest.param("gcc", "-O0", marks=pytest.mark.repeated),
        pytest.param("clang", "-O1", marks=pytest.mark.repeated),
    ],
)
def test_no_handler_is_a_function(compiler: str, level: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source, assembly = tmp_path / "korean.c", tmp_path / "korean.s"
    cython = [sys.executable, "-m", "cython", "-3", "-Isrc", "-Igenerated", "generated/korean.pyx", "-o", str(source)]
    subprocess.run(cython, cwd=ROOT, check=True)
    include = [*INCLUDE, f"-I{sysconfig.get_path('include')}"]
    subprocess.run([compiler, level, *include, "-S", str(source), "-o", str(assembly)], cwd=ROOT, check=True)
    check(assembly, "euc_kr", "decode")
    check(assembly, "euc_kr", "encode")


@pytest.mark.skipif(shutil.which("clang") is None, reason="Clang is not installed")
@pytest.mark.parametrize("target", ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"])
def test_no_handler_is_a_function_on_windows(target: str, tmp_path: Path) -> None:
    (tmp_path / "probe.c").write_text(HANDLER)
    assembly = tmp_path / "probe.s"
    command = [*CLANG_CL, f"--target={target}", "/c", "/O1", *INCLUDE, f"/Tc{tmp_path / 'probe.c'}"]
    subprocess.run([*command, "/clang:-o", f"/clang:{assembly}"], cwd=ROOT, check=True)
    check(assembly, "probe", "decode")
