"""The harness of harness.c, compiled against the header of the installed package, and helpers to build its jobs."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.capi.table import api_address
from tests.compiler import compile_or_fail
from tests.reference import oracle

HERE = Path(__file__).resolve().parent
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
#: Bytes of a unit of each form of text, and the codec of the same in native byte order.
FORMS = {1: "utf-8", 2: "utf-16-le" if struct.pack("=H", 1)[0] else "utf-16-be", 4: "utf-32-le"}
FORMS[4] = FORMS[2].replace("16", "32")
ANY_POSITION = (1 << 8 * ctypes.sizeof(ctypes.c_size_t)) - 1


class Job(ctypes.Structure):
    """harness.c's ``job``."""

    _fields_ = (
        ("api", ctypes.c_void_p), ("label", ctypes.c_char_p), ("flags", ctypes.c_uint32), ("unit_size", ctypes.c_int),
        ("source", ctypes.c_char_p), ("source_length", ctypes.c_size_t), ("expected", ctypes.c_char_p),
        ("expected_length", ctypes.c_size_t), ("errors", ctypes.POINTER(ctypes.c_size_t)),
        ("error_count", ctypes.c_size_t), ("final_name", ctypes.c_char_p), ("message", ctypes.c_char * 512),
        ("calls", ctypes.c_uint64), ("decodes", ctypes.c_int),
    )  # fmt: skip


class Harness:
    """Run jobs. Each method returns a description of the differences, or an empty string."""

    def __init__(self, library: Path, api: int) -> None:
        self._library = ctypes.CDLL(str(library))
        self._api = api
        self.calls = 0

    def _job(self, name: str, unit_size: int, source: bytes, length: int, expected: bytes, expected_length: int,
             errors: Sequence[tuple[int, int]]) -> Job:  # fmt: skip
        flat = [number for error in errors for number in error]
        array = (ctypes.c_size_t * max(len(flat), 1))(*flat)
        label = name.encode()
        return Job(self._api, label, 0, unit_size, source, length, expected, expected_length, array, len(errors), label)

    def _run(self, job: Job, decodes: bool, capacities: int | None, seed: int, rounds: int) -> str:
        job.decodes = int(decodes)
        if capacities is not None:
            failed = self._library.check_splits(ctypes.byref(job), ctypes.c_size_t(capacities))
        else:
            failed = self._library.check_exact(ctypes.byref(job)) or self._library.check_random(
                ctypes.byref(job), ctypes.c_uint32(seed), rounds
            )
        self.calls += job.calls
        if not failed:
            return ""
        shown = f"{job.label.decode()} {job.source[:60].hex(' ')} unit {job.unit_size} flags {job.flags}"
        return f"{shown}: {job.message.decode(errors='replace')}"

    def decode(self, name: str, data: bytes, expected: oracle.Decoded, *, flags: int = 0, final_name: str | None = None,
               capacities: int | None = 6, seed: int = 0, rounds: int = 0) -> list[str]:  # fmt: skip
        """Decode to all three forms with every split, or in ``rounds`` random ways if ``capacities`` is None."""
        differences = []
        for size, form in FORMS.items():
            text = expected.text.encode(form)
            job = self._job(name, size, data, len(data), text, len(text) // size, expected.spans)
            job.flags = flags
            if final_name is not None:
                job.final_name = final_name.encode()
            differences.append(self._run(job, True, capacities, seed, rounds))
        return [difference for difference in differences if difference]

    def encode(self, name: str, unit_size: int, source: bytes, expected: bytes, errors: Sequence[tuple[int, int]], *,
               capacities: int | None = 14, seed: int = 0, rounds: int = 0) -> list[str]:  # fmt: skip
        """Encode a source of one form; ``errors`` holds code points and the offsets where they end."""
        job = self._job(name, unit_size, source, len(source) // unit_size, expected, len(expected), errors)
        difference = self._run(job, False, capacities, seed, rounds)
        return [difference] if difference else []


@pytest.fixture(scope="session")
def compiled_harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("harness") / "harness.so"
    compile_or_fail("-std=c99", "-O2", *WARNINGS, "-fPIC", "-shared", f"-I{we.get_include()}", str(HERE / "harness.c"),
                    "-o", str(library))  # fmt: skip
    return library


@pytest.fixture(scope="session")
def harness(compiled_harness: Path) -> Harness:
    """Return the harness of the package's table."""
    return Harness(compiled_harness, api_address())
