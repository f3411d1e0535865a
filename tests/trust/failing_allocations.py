"""Checks in which an allocation fails, in a process of their own, which some versions of CPython do not survive.

``python -m tests.trust.failing_allocations`` reads a check on each line of standard input, a function of this module
and its arguments as JSON, and prints the outcome as JSON: null, or the traceback of what failed.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, TextIO

import pytest

from tests.programs import ROOT

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


# -- In the process of their own ---------------------------------------------------------------------------------------


def each_allocation(name: str) -> None:
    """Run an operation of test_memory.py until it succeeds, with each of its allocations failing in turn."""
    from tests.trust.test_memory import OPERATIONS

    operation = OPERATIONS[name]
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
                said = "error return without|<function .* returned NULL|can't allocate read lock"
                assert isinstance(error, MemoryError) or re.match(said, str(error))  # noqa: PT017
                failures += 1
                successes = 0
            finally:
                _testcapi.remove_mem_hooks()
    finally:
        gc.enable()
    assert failures or name in ("lookup", "locale_default", "valid_up_to", "encoded_length")
    gc.collect()
    operation()


def a_machine(name: str) -> None:
    """Repeat calls of a decoder and an encoder that have failed."""
    import whatwg_encoding as we

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
    import whatwg_encoding as we

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


def serve(requests: TextIO) -> None:
    """Make each check that is asked for, and print its outcome."""
    from tests.trust.test_memory import allocate_everything, without_webencodings
    from whatwg_encoding import webencodings

    allocate_everything()
    for line in requests:
        function, *arguments = json.loads(line)
        check: Callable[..., None] = globals()[function]
        outcome = None
        with without_webencodings():
            try:
                check(*arguments)
            except Exception:
                outcome = traceback.format_exc()
            webencodings.uninstall()
        print(json.dumps(outcome), flush=True)


# -- In the test's process ---------------------------------------------------------------------------------------------


@cache
def plain_python_crashes() -> bool:
    """Return whether a program without this package ends by a signal, or not at all, when allocations fail."""
    try:
        return subprocess.run([sys.executable, "-c", PLAIN], stderr=subprocess.DEVNULL, timeout=60).returncode != 0
    except subprocess.TimeoutExpired:
        return True


class Checks:
    """A process that makes one check after the other. If one ends it, the next check starts another."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, function: Callable[..., None], *arguments: str) -> None:
        """Fail as the check does, or with the signal that ended it; skip it where that ends a plain program, too."""
        if _testcapi is None:
            pytest.skip("this interpreter has no _testcapi, which makes allocations fail")
        if self.process is None:
            environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__], cwd=ROOT, stdin=-1, stdout=-1, text=True, env=environment
            )
        process = self.process
        limit = threading.Timer(SECONDS, process.kill)
        limit.start()
        try:
            process.stdin.write(json.dumps([function.__name__, *arguments]) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            limit.cancel()
        if not answer:
            status = self.close()
            if plain_python_crashes():
                pytest.skip("this interpreter crashes where an allocation fails, in plain Python programs, too")
            pytest.fail(f"the process of {function.__name__}{arguments} ended with status {status}")
        if (outcome := json.loads(answer)) is not None:
            pytest.fail(outcome)

    def close(self) -> int | None:
        if self.process is None:
            return None
        process, self.process = self.process, None
        with process, suppress(BrokenPipeError):
            process.stdin.close()
        return process.returncode


if __name__ == "__main__":
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    serve(sys.stdin)
