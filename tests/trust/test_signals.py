"""Ctrl-C during long work: every operation checks for signals at least every 100 ms of processor time.

Processor time is measured, and the best attempt counts, so that a busy machine causes no failure. Work is long enough
that an operation which does not check for signals ends long after the bound. Under sanitizers, whose loops are several
times as slow, only the check itself is tested.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff, urls

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no interval timers on Windows")

BOUND = 0.1 if "WHATWG_ENCODING_INSTRUMENTED" not in os.environ else 1.0
TIMER_RESOLUTION = 0.03
UNITS = 30_000_000


class Interrupted(BaseException):
    """Raised by the signal handler, as Ctrl-C raises KeyboardInterrupt."""


WORK: dict[str, Callable[[], Callable[[], object]]] = {
    # Each creates its input first and then makes the long call.
    "decode": lambda: bound(we.GB18030.decode, b"\x810\x810" * (2 * UNITS)),
    "decode, errors": lambda: bound(we.UTF_8.decode, b"\xff" * (8 * UNITS)),
    "decode, widened": lambda: bound(we.SHIFT_JIS.decode, b"a" * UNITS + b"\x82\xa0" * (6 * UNITS)),
    "decoder": lambda: bound(we.EUC_JP.new_decoder().decode, b"\x8f\xb0\xa1" * (4 * UNITS)),
    "decode_to_utf8": lambda: bound(we.BIG5.decode_to_utf8, b"\xa4\x40\xff" * (4 * UNITS)),
    "valid_up_to": lambda: bound(we.SHIFT_JIS.valid_up_to, b"\x82\xa0" * (8 * UNITS)),
    "recode": lambda: bound(we.recode, b"\x82\xa0" * (4 * UNITS), "shift_jis", "euc-jp"),
    "recode, references": lambda: bound(we.recode, b"\xf0\x9f\x98\x80" * UNITS, "utf-8", "euc-jp"),
    "decode_many": lambda: bound(we.decode_many, [(b"abc", we.UTF_8)] * UNITS),
    "handler, decode": lambda: bound(we.UTF_8.codec_info.decode, b"\xff" * (5 * UNITS), "ignore"),
    "handler, escapes": lambda: bound(we.UTF_8.codec_info.decode, b"\xff" * (2 * UNITS), "backslashreplace"),
    "handler, decoder": lambda: bound(codec_decoder("ignore").decode, b"\xff" * (5 * UNITS)),
    "encode": lambda: bound(we.GB18030.encode, "\u0e01" * (3 * UNITS)),
    "encode, references": lambda: bound(we.SHIFT_JIS.encode, "\u0e01" * (2 * UNITS)),
    "encode, lone surrogates": lambda: bound(we.UTF_8.encode, "\ud800" * (2 * UNITS)),
    "encoded_length, references": lambda: bound(we.SHIFT_JIS.encoded_length, "\u0e01" * (2 * UNITS)),
    "encoded_length, lone surrogates": lambda: bound(we.UTF_8.encoded_length, "\ud800" * (2 * UNITS)),
    "encoder": lambda: bound(we.ISO_2022_JP.new_encoder().encode, "aあ" * UNITS),
    "handler, encode": lambda: bound(we.SHIFT_JIS.codec_info.encode, "\u0e01" * (5 * UNITS), "ignore"),
    "handler, escapes in bytes": lambda: bound(we.WINDOWS_1252.codec_info.encode, "\u0e01" * UNITS, "backslashreplace"),
    "prescan": lambda: bound(sniff.prescan, b"<a b=c>" * (4 * UNITS), None),
    "prescan, one tag": lambda: bound(sniff.prescan, b"<meta " + b"charset=" * (2 * UNITS), None),
    "xml_declaration": lambda: bound(sniff.xml_declaration, b"<?xml " + b"e" * (3 * UNITS) + b">"),
    "meta_content": lambda: bound(sniff.meta_content, "charset" * (2 * UNITS)),
    "percent_decode": lambda: bound(urls.percent_decode, b"%e3" * UNITS),
    "percent_encode": lambda: bound(urls.percent_encode_after_encoding, "shift_jis", "あ" * UNITS, "query"),
}


def bound(function: Callable[..., object], *arguments: object) -> Callable[[], object]:
    return lambda: function(*arguments)


def codec_decoder(errors: str) -> we.Decoder:
    factory = we.UTF_8.codec_info.incrementaldecoder
    assert factory is not None
    decoder = factory(errors)
    assert isinstance(decoder, we.Decoder)
    return decoder


def interrupt_after(seconds: float, call: Callable[[], object]) -> float:
    """Return the processor time until ``call`` handled a signal that was sent after ``seconds``."""
    seen = 0.0

    def interrupt(number: int, frame: object) -> None:
        nonlocal seen
        seen = time.process_time()
        raise Interrupted

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, seconds)
        with pytest.raises(Interrupted):
            call()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return seen - start


@pytest.mark.parametrize("name", WORK)
def test_a_signal_is_seen_to(name: str) -> None:
    """One of five attempts is enough: a processor that others share takes longer for the same work, not shorter."""
    work, found = WORK[name](), []
    for _ in range(5):
        found.append(interrupt_after(0.05, work) - 0.05)
        if found[-1] < TIMER_RESOLUTION + BOUND:
            return
    pytest.fail(f"handled after {min(found) * 1000:.0f} ms at best")


@pytest.mark.parametrize("name", ["decoder", "encoder"])
def test_an_interrupted_machine_works(name: str) -> None:
    """An interrupted call does not change the state."""
    decoder, encoder = we.EUC_JP.new_decoder(), we.ISO_2022_JP.new_encoder()
    decoder.decode(b"\xa4")
    encoder.encode("あ")
    states = decoder.getstate(), encoder.getstate()
    data, text = b"\xa2\xa4" * (4 * UNITS), "aあ" * UNITS
    interrupt_after(0.02, bound(decoder.decode, data) if name == "decoder" else bound(encoder.encode, text))
    assert (decoder.getstate(), encoder.getstate()) == states
    assert decoder.decode(b"\xa2", True) == "あ"
    assert encoder.encode("", True) == b"\x1b(B"
