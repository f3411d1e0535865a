"""The same results with every instruction set that this machine has: what looks at places in blocks, run again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import whatwg_encoding as we

_FOLDER = Path(__file__).parent
_OTHERS = [simd for simd in we.cpu_features()["available"] if simd != we.cpu_features()["simd"]]
_TESTS = [
    *(
        f"../streaming/test_decoders.py::test_every_split_in_ascii_of_0_to_64_bytes[{name}]"
        for name in ("UTF-8", "UTF-16BE", "windows-1251", "windows-1252", "gb18030", "Shift_JIS")
    ),
    *(
        f"../streaming/test_encoders.py::test_every_split_in_ascii_of_0_to_64[{name}]"
        for name in ("UTF-8", "windows-1252", "EUC-KR")
    ),
    "test_04_buffers.py::test_text_is_in_its_smallest_kind",
    "test_08_utf_8.py::test_every_scalar_value_against_cpython",
    "test_08_utf_8.py::test_every_truncation",
    "test_08_utf_8.py::test_random_inputs",
    "test_08_utf_8.py::test_every_surrogate",
    *(
        f"test_09_single_byte.py::{test}[{name}]"
        for test in ("test_every_byte_at_every_place", "test_errors_at_every_place", "test_every_scalar_value")
        for name in ("windows-1251", "windows-1252", "ISO-8859-7")
    ),
    "test_14_miscellaneous.py::test_surrogates_at_every_place",
    "test_14_miscellaneous.py::test_every_scalar_value_against_cpython",
]


def test_the_instruction_sets_are_known() -> None:
    features = we.cpu_features()
    assert features["simd"] in features["available"]
    assert features["available"][0] == "scalar"


@pytest.mark.parametrize("simd", _OTHERS)
def test_instruction_set(simd: str) -> None:
    """In a process of its own: the package chooses when it is imported. All other tests run with the best one."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *_TESTS],
        cwd=_FOLDER,
        env={**os.environ, "WHATWG_ENCODING_SIMD": simd, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_an_instruction_set_that_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import whatwg_encoding"],
        env={**os.environ, "WHATWG_ENCODING_SIMD": "abacus"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "abacus" in done.stderr
    assert "scalar" in done.stderr
