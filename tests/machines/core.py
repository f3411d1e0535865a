"""The tests for another machine or a lower instruction set, where the complete suite would take too long.

They cover offsets within blocks of bytes and units, in which instruction sets differ.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import whatwg_encoding as we
from tests.programs import ROOT, run

#: The supported instruction sets other than the one that this process uses.
OTHERS = [simd for simd in we.cpu_features()["available"] if simd != we.cpu_features()["simd"]]

ONE_BYTE = ("windows-1251", "windows-1252", "ISO-8859-7")

CORE = (
    *(
        f"tests/streaming/test_decoders.py::test_every_split_in_ascii_of_0_to_64_bytes[{name}]"
        for name in ("UTF-8", "UTF-16BE", "windows-1251", "windows-1252", "gb18030", "Shift_JIS")
    ),
    *(
        f"tests/streaming/test_encoders.py::test_every_split_in_ascii_of_0_to_64[{name}]"
        for name in ("UTF-8", "windows-1252", "EUC-KR")
    ),
    *(
        f"tests/standard/test_04_objects.py::test_texts_are_whole_for_the_c_library[{name}-{length}]"
        for name in ("UTF-8", "UTF-16LE", "UTF-16BE", "gb18030")
        for length in (1, 2, 15, 16, 17, 63, 64, 65, 1000, 70_000)
    ),
    "tests/standard/test_08_utf_8.py::test_every_scalar_value_against_cpython",
    "tests/standard/test_handlers.py::test_random_inputs[UTF-8]",
    "tests/standard/test_08_utf_8.py::test_every_surrogate",
    *(
        f"tests/standard/test_09_single_byte.py::{test}[{name}]"
        for test in ("test_every_byte_at_every_place", "test_errors_at_every_place")
        for name in ONE_BYTE
    ),
    *(f"tests/standard/test_handlers.py::test_every_scalar_value[{name}]" for name in ONE_BYTE),
    "tests/standard/test_14_miscellaneous.py::test_surrogates_at_every_place",
    "tests/standard/test_14_miscellaneous.py::test_every_scalar_value_against_cpython",
)


def fail_unless_passed(tests: Sequence[str], simd: str) -> None:
    """Run tests in a separate process, since the package selects an instruction set on import; fail with the output."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--all", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    run(*command, cwd=ROOT, env={**os.environ, "WHATWG_ENCODING_SIMD": simd, "PYTEST_ADDOPTS": ""})
