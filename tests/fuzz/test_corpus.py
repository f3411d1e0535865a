"""The fuzzing corpus through every target, and each past finding by name; no fuzzer is required."""

from __future__ import annotations

import codecs
import ctypes
import os
import sys
import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
import whatwg_encoding.sniff
from tests.fuzz import __main__ as runner
from tests.fuzz.targets import TARGETS, corpus_of


def corpus(target: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(corpus_of(target).iterdir())]


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus(target: str) -> None:
    inputs = corpus(target)
    assert inputs
    for data in inputs:
        TARGETS[target](data)


@cache
def pieces(target: str) -> st.SearchStrategy[bytes]:
    """Return a strategy for inputs that join parts of the corpus and other bytes."""
    part = st.tuples(st.sampled_from(corpus(target)), st.integers(0, 30), st.integers(1, 60))
    parts = st.one_of(part.map(lambda chosen: chosen[0][chosen[1] :][: chosen[2]]), st.binary(max_size=8))
    return st.lists(parts, max_size=6).map(b"".join)


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.data())
def test_any_bytes(target: str, data: st.DataObject) -> None:
    TARGETS[target](data.draw(pieces(target)))


@pytest.mark.parametrize(("more", "is_well"), [(700, True), (699, False)])
def test_a_target_is_executed_often_enough(more: int, is_well: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its time did not suffice for is made up for, and missed if that is not possible."""
    calls = []

    def run(target: str, seconds: int, level: str, executions: int = -1) -> runner.Outcome:
        calls.append((seconds, level, executions))
        return runner.Outcome(150 if executions < 0 else more, 0, 0, 0, 1.0, [])

    monkeypatch.setattr(runner, "run", run)
    assert runner.fuzz("decode", ["avx2", "scalar"], 9, 1000) == is_well
    assert calls == [(9, "avx2", -1), (9, "scalar", -1), (runner.LONGEST, "avx2", 700)]
    assert runner.fuzz("decode", ["avx2", "scalar"], 9, 300)
    assert len(calls) == 5


# --- Findings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [b"\xff" * 400_000, bytearray(b"\xff" * 400_000), memoryview(b"\xff" * 400_000)], ids=type
)
def test_errors_do_not_copy_the_input(data: bytes) -> None:
    """All errors share one ``object``, even if the input is not ``bytes``: ``bytes.decode`` passes a memoryview.

    A copy for each error would take quadratic time.
    """
    info = we.UTF_8.codec_info
    assert info.decode(data, "ignore") == ("", 400_000)
    assert info.incrementaldecoder is not None
    assert info.incrementaldecoder("replace").decode(data, True) == "\ufffd" * 400_000
    inputs = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        if not inputs or inputs[-1] is not error.object:
            inputs.append(error.object)
        return "", error.end

    codecs.register_error("whatwg-encoding-test.collect", handler)
    assert info.decode(data, "whatwg-encoding-test.collect") == ("", 400_000)
    assert inputs == [bytes(data)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="another process writes to memory of this one")
@pytest.mark.skipif(sys.platform != "linux", reason="mprotect is called with Linux's constants")
def test_an_xml_declaration_that_is_overwritten_meanwhile() -> None:
    """The scan after ``encoding`` stays within the input even if the ``>`` it has found is overwritten."""
    from tests.guarded import GuardedBuffer

    buffer = GuardedBuffer(8192)
    document = b"<?xml encoding=" + b" " * 8000 + b">"
    address = buffer.put(document)
    last = (ctypes.c_ubyte * 1).from_address(address + len(document) - 1)
    view = memoryview((ctypes.c_ubyte * len(document)).from_address(address)).cast("B")
    child = os.fork()
    if child == 0:
        while os.getppid() != 1:
            for _ in range(1000):
                last[0] = 0x20
                last[0] = 0x3E
        os._exit(0)
    try:
        end = time.monotonic() + 1
        while time.monotonic() < end:
            assert we.sniff.xml_declaration(view) is None
            assert we.sniff.prescan(view, None) is None
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        del view, last
        buffer.close()
