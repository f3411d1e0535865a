"""No C or Cython source depends on the size of ``long`` or ``wchar_t``, which Windows has at 32 and 16 bits.

The kernels' tests run under Wine as well (``make test-windows``); this covers what they do not compile.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = {".h", ".c", ".pyx", ".pxd", ".j2"}
SOURCES = sorted(
    path
    for folder in ("src", "templates", "generated")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in SUFFIXES
)

#: Comments, docstrings and string literals, which may say "long".
NO_CODE = re.compile(
    r'/\*.*?\*/|\{#.*?#\}|//[^\n]*|(?<!["\w])""".*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[ :][^\n]*',
    re.DOTALL,
)
#: A type, a constant or a built-in function of that size. ``long long`` has 64 bits everywhere.
DEPENDENT = re.compile(
    r"(?<!long )\blong\b(?! long)|\bwchar_t\b|\bPy_UNICODE\b"
    r"|\b(?:0[xX][0-9A-Fa-f]+|[0-9]+)(?:[uU][lL]|[lL][uU]?)\b|__builtin_(?:ctz|clz|popcount|ffs|parity)l\b"
)


def dependent(text: str) -> list[str]:
    code = NO_CODE.sub(lambda match: "\n" * match[0].count("\n") or " ", text)
    return [line.strip() for line in code.splitlines() if DEPENDENT.search(line)]


def test_there_are_sources() -> None:
    assert {"scalar.h", "avx2.h", "decode.h", "core.pyx"} <= {path.name for path in SOURCES}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("unsigned long bits;", True), ("cdef long size", True), ("uint64_t one = 1UL << 40;", True),
        ("x = 0xFFl;", True), ("__builtin_ctzl(bits)", True), ("wchar_t *text;", True),
        ("unsigned long long bits = (long long)1;", False), ("__builtin_ctzll(bits) + 1ull + 1u + 0xFu", False),
        ("size_t longest = 1; /* as long as */", False),
        ('raise ValueError("too long")  # so long', False),
    ],
)  # fmt: skip
def test_what_counts(line: str, found: bool) -> None:
    assert bool(dependent(line)) == found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_depends_on_the_size_of_long(path: Path) -> None:
    lines = dependent(path.read_text(encoding="utf-8"))
    if path.name == "result.h":
        # A counter for the Interlocked functions, which take a long. A result has far fewer owners than 2**31.
        lines = [line for line in lines if not re.fullmatch(r"typedef (volatile )?long we_count;", line)]
    assert lines == []
