"""Memory, the GIL and signals."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import pyarrow as pa
import pytest

from tests.peak_memory import peak_memory
from whatwg_encoding import arrow


def much_work() -> Any:
    """Return a column of a few megabytes with a gigabyte of rows: views of one buffer that ends in an error."""
    size = 20_000
    data = b"\x82\xa0" * (size // 2) + b"\xff"
    view = len(data).to_bytes(4, "little") + data[:4] + bytes(8)
    count = 50_000
    buffers = [None, pa.py_buffer(view * count), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary_view(), count, buffers)


def test_signals_are_looked_after() -> None:
    class Interrupted(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Interrupted

    previous = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            arrow.decode_array(much_work(), "sjis", errors="null", type="string")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_other_threads_run_meanwhile() -> None:
    """While a thread decodes, this one counts; if the call held the GIL, it would count a few times at most."""
    column, steps = much_work(), 0
    began, ended = threading.Event(), threading.Event()

    def decode() -> None:
        began.set()
        arrow.decode_array(column, "sjis", errors="null", type="string")
        ended.set()

    thread = threading.Thread(target=decode)
    thread.start()
    began.wait()
    while not ended.is_set():
        steps += 1
    thread.join()
    assert steps > 1000


@pytest.mark.gate
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="AddressSanitizer's own memory is included")
@pytest.mark.parametrize(
    ("encoding", "unit", "type_"),
    [("sjis", "82a082a220", "binary"), ("windows-1251", "e0e1e220", "large_binary"), ("utf-8", "ff61c3a9", "binary"),
     ("gbk", "b0a1b0a2", "binary_view"), ("utf-16le", "4230", "binary")],
)  # fmt: skip
def test_memory_beside_the_result(encoding: str, unit: str, type_: str) -> None:
    """The peak memory of a process grows by at most the result, 2 % and 64 KiB, as the kernel counts."""
    setup = f"""
import pyarrow as pa
from tests.peak_memory import peak_memory
from whatwg_encoding import arrow
row = bytes.fromhex({unit!r}) * 500
column = pa.array([row] * 9000, pa.{type_}())
pa.array(arrow.decode_array(column[:3], {encoding!r})).validate(full=True)"""
    call = f"arrow.decode_array(column, {encoding!r})"
    used, exact = peak_memory(setup, call, "sum(b.size for b in pa.array(result).buffers() if b)")
    assert used <= exact * 1.02 + 65536
