"""Checks in which an allocation fails, in a process of their own, which some versions of CPython do not survive."""

from __future__ import annotations

import gc
import multiprocessing
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import whatwg_encoding as we

try:
    import _testcapi  # type: ignore[import-not-found]
except ImportError:
    _testcapi = None

SECONDS = 300

#: What fails to allocate without this package: a generator, a frame of a function, a list that grows, an exception.
PLAIN = """
import _testcapi

class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

def frames(depth):
    return [frames(depth - 1)] if depth else {str(depth): Pair(depth, [depth])}

def raised():
    try:
        int("x" * 50)
    except ValueError as error:
        return str(error)

pairs = [(str(n), n if n % 2 else None) for n in range(50)]
operations = (
    lambda: tuple(second for _, second in pairs if second is not None),
    lambda: frames(20),
    raised,
)
for operation in operations:
    operation()
    for number in range(150):
        _testcapi.set_nomemory(number, number + 1)
        try:
            operation()
        except (MemoryError, SystemError):
            pass
        finally:
            _testcapi.remove_mem_hooks()
"""


def each_allocation(operation: Callable[[], object]) -> None:
    """Run an operation until it succeeds, with each of its allocations failing in turn."""
    operation()
    gc.collect()
    failures = successes = 0
    number = -1
    gc.disable()
    try:
        while successes < 10:
            number += 1
            assert number < 2000, "the operation does not complete"
            _testcapi.set_nomemory(number, number + 1)
            try:
                operation()
                successes += 1
            except (MemoryError, SystemError, RuntimeError) as error:
                # CPython's evaluation loop raises SystemError if it cannot allocate a frame or a traceback.
                messages = "error return without|<function .* returned NULL|can't allocate read lock"
                assert isinstance(error, MemoryError) or re.match(messages, str(error))  # noqa: PT017
                failures += 1
                successes = 0
            finally:
                _testcapi.remove_mem_hooks()
    finally:
        gc.enable()
    assert failures
    gc.collect()
    operation()


def a_machine(name: str) -> None:
    """Repeat calls of a decoder and an encoder that have failed."""
    encoding = we.ENCODINGS[name]
    text = "aあ漢字" * 40
    data = encoding.encode(text)
    failures = 0
    for split in (1, 5, 6, 7):
        for number in range(30):
            decoder, encoder = encoding.new_decoder(), encoding.new_encoder()
            head, output = decoder.decode(data[:split]), encoder.encode(text[:split])
            states = decoder.getstate(), encoder.getstate()
            for call in (
                lambda d=decoder, s=split: d.decode(data[s:], True),
                lambda e=encoder, s=split: e.encode(text[s:], True),
            ):
                _testcapi.set_nomemory(number, number + 1)
                result: Any = None
                try:
                    result = call()  # type: ignore[no-untyped-call]
                except MemoryError:
                    failures += 1
                finally:
                    _testcapi.remove_mem_hooks()
                if result is None:
                    assert (decoder if call.__code__.co_varnames[0] == "d" else encoder).getstate() in states
                    result = call()  # type: ignore[no-untyped-call]
                assert result == text[len(head) :] or result == data[len(output) :]
    assert failures > 8


def recode(target: str, text: str) -> None:
    """Recode 16 MiB with the 101st allocation failing."""
    data = text.encode("shift_jis") * (16 << 20)
    expected = we.SHIFT_JIS.decode(data[:100])
    # Both modules are loaded by this.
    assert we.recode(data[:100], "shift_jis", target, "html") == we.lookup(target).encode(expected)
    _testcapi.set_nomemory(100, 101)
    try:
        result = we.recode(data, "shift_jis", target, "html")
    finally:
        _testcapi.remove_mem_hooks()
    unit = len(result) // (16 << 20)
    assert len(result) == unit * (16 << 20)
    assert result[: unit * len(expected)] == we.lookup(target).encode(expected)


@cache
def plain_python_crashes() -> bool:
    """Return whether a program without this package ends by a signal, or not at all, when allocations fail."""
    try:
        return subprocess.run([sys.executable, "-c", PLAIN], stderr=subprocess.DEVNULL, timeout=60).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def in_a_process(check: Callable[..., object], *arguments: object) -> None:
    """Fail as a check does in a copy of this process; skip it where a plain program fails, too."""
    if _testcapi is None:
        pytest.skip("this interpreter has no _testcapi, which makes allocations fail")
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not copy processes")
    process = multiprocessing.get_context("fork").Process(target=check, args=arguments)
    process.start()
    process.join(SECONDS)
    status = process.exitcode
    if status is None:
        process.kill()
        process.join()
    if status != 0 and plain_python_crashes():
        pytest.skip("this interpreter crashes where an allocation fails, in plain Python programs, too")
    assert status == 0, f"{check.__name__}{arguments} ended with status {status}"
