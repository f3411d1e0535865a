"""Ctrl-C during long work: every operation checks for signals often, and stops where a handler raises.

What is counted is work, the items of input between two checks, and not time: a signal handler in C (signal_counter.c)
makes its signal pending again, so that each check calls it. ITEMS_PER_CHECK items take 100 ms at 50 ns an item, which
is more than any operation takes; those that take less check as often.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import sysconfig
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.compiler import compile_or_fail
from whatwg_encoding import sniff, urls

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="compiles for the interpreter's own symbols")

ITEMS_PER_CHECK = 2_000_000
UNITS = 1_000_000
#: Items of the input of each operation, in bytes, code points or pairs.
ITEMS = 6 * UNITS
#: Name → an operation on as many items. It creates its input first and returns the long call.
WORK: dict[str, Callable[[int], Callable[[], object]]] = {
    "decode": lambda n: bound(we.GB18030.decode, b"\x810\x810" * (n // 4)),
    "decode, ASCII": lambda n: bound(we.UTF_8.decode, b"a" * n),
    "decode, UTF-8": lambda n: bound(we.UTF_8.decode, b"\xe6\x97\xa5" * (n // 3)),
    "decode, GBK": lambda n: bound(we.GBK.decode, b"\xb0\xa1" * (n // 2)),
    "decode, errors": lambda n: bound(we.UTF_8.decode, b"\xff" * n),
    "decode, widened": lambda n: bound(we.SHIFT_JIS.decode, b"a" * (n // 7) + b"\x82\xa0" * (n // 7 * 3)),
    "decode, widened late": lambda n: bound(we.UTF_8.decode, b"\xc3\xa9" * (n // 2 - 2) + b"\xf0\x9f\x98\x80"),
    "decoder": lambda n: bound(we.EUC_JP.new_decoder().decode, b"\x8f\xb0\xa1" * (n // 3)),
    "decode_to_utf8": lambda n: bound(we.BIG5.decode_to_utf8, b"\xa4\x40\xff" * (n // 3)),
    "valid_up_to": lambda n: bound(we.SHIFT_JIS.valid_up_to, b"\x82\xa0" * (n // 2)),
    "recode": lambda n: bound(we.recode, b"\x82\xa0" * (n // 2), "shift_jis", "euc-jp"),
    "recode to UTF-8": lambda n: bound(we.recode, b"\x82\xa0" * (n // 2), "shift_jis", "utf-8"),
    "recode, references": lambda n: bound(we.recode, b"\xf0\x9f\x98\x80" * (n // 4), "utf-8", "euc-jp", "html"),
    "decode_many": lambda n: bound(we.decode_many, [(b"abc", we.UTF_8)] * n),
    "open_utf8": lambda n: bound(we.open_utf8(BytesIO(b"\x82\xa0" * (n // 2)), "shift_jis").read),
    "handler, decode": lambda n: bound(we.UTF_8.codec_info.decode, b"\xff" * n, "ignore"),
    "handler, escapes": lambda n: bound(we.UTF_8.codec_info.decode, b"\xff" * n, "backslashreplace"),
    "handler, surrogates": lambda n: bound(we.UTF_8.codec_info.decode, b"\xff" * n, "surrogateescape"),
    "handler, decoder": lambda n: bound(we.UTF_8.codec_info.incrementaldecoder("ignore").decode, b"\xff" * n),
    "encode": lambda n: bound(we.GB18030.encode, "\u0e01" * n),
    "encode, ASCII": lambda n: bound(we.UTF_8.encode, "a" * n),
    "encode, Latin-1": lambda n: bound(we.WINDOWS_1252.encode, "é" * n),
    "encode, UTF-8": lambda n: bound(we.UTF_8.encode, "\u65e5" * n),
    "encode, references": lambda n: bound(we.SHIFT_JIS.encode, "\u0e01" * n),
    "encode, lone surrogates": lambda n: bound(we.UTF_8.encode, "\ud800" * n),
    "encode_into": lambda n: bound(we.TextEncoder().encode_into, "\u65e5" * n, bytearray(3 * n)),
    "encoded_length": lambda n: bound(we.SHIFT_JIS.encoded_length, "あ" * n),
    "encoded_length, references": lambda n: bound(we.SHIFT_JIS.encoded_length, "\u0e01" * n),
    "encoded_length, lone surrogates": lambda n: bound(we.UTF_8.encoded_length, "\ud800" * n),
    "encoder": lambda n: bound(we.ISO_2022_JP.new_encoder().encode, "aあ" * (n // 2)),
    "handler, encode": lambda n: bound(we.SHIFT_JIS.codec_info.encode, "\u0e01" * n, "ignore"),
    "handler, bytes": lambda n: bound(we.WINDOWS_1252.codec_info.encode, "\udc80" * n, "surrogateescape"),
    "handler, escapes in bytes": lambda n: bound(we.WINDOWS_1252.codec_info.encode, "\u0e01" * n, "backslashreplace"),
    "prescan": lambda n: bound(sniff.prescan, b"<a b=c>" * (n // 7), None),
    "prescan, one tag": lambda n: bound(sniff.prescan, b"<meta " + b"charset=" * (n // 8), None),
    "xml_declaration": lambda n: bound(sniff.xml_declaration, b"<?xml " + b"e" * n + b">"),
    "meta_content": lambda n: bound(sniff.meta_content, "charset" * (n // 7)),
    "percent_decode": lambda n: bound(urls.percent_decode, b"%e3" * (n // 12)),
    "percent_encode": lambda n: bound(urls.percent_encode_after_encoding, "shift_jis", "あ" * (n // 6), "query"),
}


def bound(function: Callable[..., object], *arguments: object) -> Callable[[], object]:
    return lambda: function(*arguments)


class Counter:
    """Count the checks for signals of a call, or raise KeyboardInterrupt at one of them."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.PyDLL(str(library))
        self._library.arm.argtypes = (ctypes.c_int, ctypes.c_longlong)
        self._library.disarm.restype = ctypes.c_longlong
        self.handle = self._library.handle
        self.handle.argtypes = (ctypes.c_int, ctypes.py_object)

    def count(self, call: Callable[[], object], raise_at: int = 0) -> int:
        self._library.arm(signal.SIGUSR1, raise_at)
        try:
            call()
        finally:
            checks = int(self._library.disarm())
        return checks


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("signals") / "counter.so"
    undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    compile_or_fail("-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", *undefined,
                    f"-I{sysconfig.get_path('include')}", str(Path(__file__).with_name("signal_counter.c")),
                    "-o", str(path))  # fmt: skip
    return path


@pytest.fixture
def counter(library: Path) -> Iterator[Counter]:
    counter = Counter(library)
    before = signal.signal(signal.SIGUSR1, counter.handle)
    yield counter
    signal.signal(signal.SIGUSR1, before)


def checks_around(counter: Counter, name: str) -> int:
    """Return the interpreter's checks around a call: those of a call with little to do."""
    WORK[name](16)()  # imports the encoding's module
    return counter.count(WORK[name](16))


@pytest.mark.parametrize("name", WORK)
def test_an_operation_checks_for_signals(name: str, counter: Counter) -> None:
    around = checks_around(counter, name)
    checks = counter.count(WORK[name](ITEMS)) - around
    assert checks >= ITEMS // ITEMS_PER_CHECK, f"{checks} checks in {ITEMS} items"


@pytest.mark.parametrize("name", WORK)
def test_an_operation_stops_where_a_handler_raises(name: str, counter: Counter) -> None:
    work = WORK[name](ITEMS)
    around = checks_around(counter, name)
    with pytest.raises(KeyboardInterrupt):
        counter.count(work, around + 3)


def test_the_counter_counts(counter: Counter) -> None:
    """Control: a call of C that checks n times is counted so, and one that never checks is not."""
    check = ctypes.pythonapi.PyErr_CheckSignals
    none = counter.count(bytes(1000).isascii)
    assert none == counter.count(bytes(50 * UNITS).isascii)
    assert counter.count(lambda: [check() for _ in range(100)]) >= none + 100


@pytest.mark.parametrize("name", ["decoder", "encoder"])
def test_an_interrupted_machine_works(name: str, counter: Counter) -> None:
    """An interrupted call does not change the state."""
    decoder, encoder = we.EUC_JP.new_decoder(), we.ISO_2022_JP.new_encoder()
    decoder.decode(b"\xa4")
    encoder.encode("あ")
    states = decoder.getstate(), encoder.getstate()
    data, text = b"\xa2\xa4" * (ITEMS // 2), "aあ" * (ITEMS // 2)
    with pytest.raises(KeyboardInterrupt):
        counter.count(bound(decoder.decode, data) if name == "decoder" else bound(encoder.encode, text), 6)
    assert (decoder.getstate(), encoder.getstate()) == states
    assert decoder.decode(b"\xa2", True) == "あ"
    assert encoder.encode("", True) == b"\x1b(B"
