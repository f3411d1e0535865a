"""Memory: allocations that fail, results that do not fit, and what is left behind by many calls."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import mime, sniff, urls

try:
    import _testcapi  # type: ignore[import-not-found]
except ImportError:
    _testcapi = None

SJIS = "日本語のテキスト、漢字かな交じり。".encode("shift_jis")
LONG = SJIS * 1000 + b"\xff" * 50 + SJIS * 1000
WRONG = SJIS + b"\xff\xfe\x81" * 5 + SJIS
WIDER = b"a" * 5000 + b"\xc3\xa4" * 5000 + b"\xe3\x81\x82" * 5000 + b"\xf0\x9f\x98\x80"
TEXT = "日本語é\U0001f600" * 3000


def fatal(call: Callable[[], object]) -> Callable[[], object]:
    """The call, which has to fail with an error of the encoding; it is let go of."""

    def run() -> None:
        try:
            call()
        except (UnicodeError, LookupError, TypeError, ValueError):
            return
        raise AssertionError("no error")

    return run


def incremental(encoding: we.Encoding, errors: str = "ignore") -> Callable[[], object]:
    def run() -> None:
        decoder: Any = encoding.codec_info.incrementaldecoder(errors)
        decoder.decode(WRONG[:11])
        decoder.setstate(decoder.getstate())
        decoder.decode(WRONG[11:], True)

    return run


def streamed() -> None:
    assert "".join(we.decode_stream("html-parser", [b"<meta charset=", b"sjis>", LONG, b"\xff"]))


def memoryviews() -> None:
    assert we.SHIFT_JIS.decode(memoryview(LONG)[3:-3])
    assert we.SHIFT_JIS.codec_info.decode(memoryview(WRONG), "replace")


# Every public operation, where it succeeds and where it fails.
OPERATIONS: dict[str, Callable[[], object]] = {
    "lookup": lambda: we.lookup(" Shift_JIS\n"),
    "lookup, unknown": fatal(lambda: we.lookup("utf-7" * 50)),
    "decode": lambda: we.SHIFT_JIS.decode(LONG),
    "decode, short": lambda: we.UTF_8.decode(b"a\xe3\x81\x82\xff"),
    "decode, widened": lambda: we.UTF_8.decode(WIDER),
    "decode, fatal": fatal(lambda: we.SHIFT_JIS.decode(LONG, "fatal")),
    "decode, mode": fatal(lambda: we.SHIFT_JIS.decode(LONG, "strict")),  # type: ignore[arg-type]
    "decode, str": fatal(lambda: we.SHIFT_JIS.decode("text")),  # type: ignore[arg-type]
    "decode, memoryview": memoryviews,
    "decode_to_utf8": lambda: we.SHIFT_JIS.decode_to_utf8(LONG),
    "decode_to_utf8, fatal": fatal(lambda: we.SHIFT_JIS.decode_to_utf8(LONG, "fatal")),
    "valid_up_to": lambda: we.SHIFT_JIS.valid_up_to(LONG),
    "encode": lambda: we.GB18030.encode(TEXT),
    "encode, references": lambda: we.SHIFT_JIS.encode(TEXT),
    "encode, fatal": fatal(lambda: we.SHIFT_JIS.encode(TEXT, "fatal")),
    "encode, lone surrogates": lambda: we.UTF_8.encode("a\ud800" * 2000),
    "encode, unavailable": fatal(lambda: we.UTF_16LE.encode("a")),
    "encoded_length": lambda: we.SHIFT_JIS.encoded_length(TEXT),
    "new_decoder": incremental(we.EUC_JP),
    "new_decoder, strict": fatal(incremental(we.EUC_JP, "strict")),
    "new_decoder, fatal": fatal(lambda: we.BIG5.new_decoder("fatal").decode(LONG)),
    "new_encoder": lambda: we.ISO_2022_JP.new_encoder().encode(TEXT, True),
    "new_encoder, fatal": fatal(lambda: we.ISO_2022_JP.new_encoder("fatal").encode(TEXT)),
    "handler, decode": lambda: we.UTF_8.codec_info.decode(WRONG, "backslashreplace"),
    "handler, encode": lambda: we.SHIFT_JIS.codec_info.encode(TEXT[:20], "xmlcharrefreplace"),
    "handler, strict": fatal(lambda: we.SHIFT_JIS.codec_info.encode(TEXT[:20], "strict")),
    "decode_many": lambda: we.decode_many([(SJIS, "sjis"), (SJIS, we.EUC_KR)] * 20),
    "decode_many, label": fatal(lambda: we.decode_many([(SJIS, "sjis"), (SJIS, "no")])),
    "recode": lambda: we.recode(LONG * 2, "sjis", "gb18030"),
    "recode, fatal": fatal(lambda: we.recode(LONG, "sjis", "gb18030", "fatal")),
    "recode, fatal encoder": fatal(lambda: we.recode(SJIS * 9000, "sjis", "koi8-r", "fatal")),
    "hooks": lambda: (we.decode(b"\xff\xfea\0", "sjis"), we.utf8_decode(b"\xef\xbb\xbfa"), we.bom_sniff(b"ab")),
    "isomorphic": lambda: we.isomorphic_encode(we.isomorphic_decode(LONG)),
    "encode_or_fail": lambda: we.encode_or_fail("あ\U0001f600", we.get_encoder("iso-2022-jp")),
    "TextDecoder": lambda: we.TextDecoder("sjis").decode(LONG, stream=True),
    "TextEncoder": lambda: we.TextEncoder().encode_into(TEXT, bytearray(100)),
    "streams": streamed,
    "decode_as": lambda: we.decode_html(b"<meta charset=sjis>" + LONG),
    "prescan": lambda: sniff.prescan(b"<meta http-equiv=content-type content='text/html; charset=gbk'>"),
    "sniff": lambda: sniff.html(LONG, content_type="text/html; charset=no", locale="ja"),
    "xml": lambda: sniff.xml(b'<?xml encoding="koi8-r"?>'),
    "css": lambda: sniff.css(b'@charset "koi8-r";'),
    "mime": lambda: mime.extract(["text/html;charset=gbk, text/html", 'x/y;a="\\"b"']),
    "urls": lambda: urls.parse_form(urls.serialize_form([("あ", "\U0001f600")], "sjis").encode()),
}  # fmt: skip


def allocate_everything() -> None:
    """All that is made once: modules, caches."""
    for operation in OPERATIONS.values():
        operation()


@pytest.mark.skipif(_testcapi is None, reason="this Python comes without _testcapi, which makes allocations fail")
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_allocation_may_fail(name: str) -> None:
    """MemoryError or, where the allocation was not needed, the result; then the operation works as it did."""
    assert _testcapi is not None
    allocate_everything()
    operation = OPERATIONS[name]
    operation()
    gc.collect()
    failures = successes = 0
    number = -1
    gc.disable()
    try:
        while successes < 10:
            number += 1
            assert number < 1000, "the operation never gets through"
            _testcapi.set_nomemory(number, number + 1)
            try:
                operation()
                successes += 1
            except MemoryError:
                failures += 1
                successes = 0
            except SystemError as error:
                # CPython's evaluation loop says that of Python functions when it can not make a frame or a traceback.
                assert re.match("error return without|<function .* returned NULL", str(error))  # noqa: PT017
                failures += 1
                successes = 0
            finally:
                _testcapi.remove_mem_hooks()
    finally:
        gc.enable()
    assert failures or name in ("lookup", "valid_up_to", "encoded_length")
    gc.collect()
    operation()


@pytest.mark.skipif(_testcapi is None, reason="this Python comes without _testcapi, which makes allocations fail")
@pytest.mark.parametrize("name", ["EUC-JP", "ISO-2022-JP", "gb18030", "UTF-8"])
def test_a_machine_outlives_failures(name: str) -> None:
    """A call that failed for want of memory has not been: its state is the one before it, and it can be made again."""
    assert _testcapi is not None
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


def left_behind(operation: Callable[[], object], calls: int) -> int:
    """How many blocks of memory more there are after so many calls."""
    for _ in range(50):
        operation()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(calls):
        operation()
    gc.collect()
    return sys.getallocatedblocks() - before


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def check_for_leaks(name: str, calls: int) -> None:
    operation = OPERATIONS[name]
    allocate_everything()
    measured = hasattr(sys, "getallocatedblocks") and sys.getallocatedblocks() > 0
    blocks = left_behind(operation, calls)
    assert not measured or blocks < calls // 50 + 20, f"{blocks} blocks more after {calls} calls"
    if sys.platform == "linux":
        before = resident()
        for _ in range(calls):
            operation()
        assert resident() - before < (16 << 20), f"{(resident() - before) >> 20} MiB more after {calls} calls"


@pytest.mark.parametrize("name", OPERATIONS)
def test_many_calls_leave_nothing_behind(name: str) -> None:
    check_for_leaks(name, 20_000 // len(OPERATIONS))


@pytest.mark.slow
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_million_calls_leave_nothing_behind(name: str) -> None:
    """A million of all of them together, short ones; the long ones take as long as they take."""
    check_for_leaks(name, 1_000_000 // len(OPERATIONS))


def test_reference_counts() -> None:
    """What goes in is held by nobody afterwards, whether it went well or not."""
    data, text = b"\x82\xa0\xff" * 1000, "あ\U0001f600" * 1000
    errors, label = "".join(["re", "place", "ment"]), "".join(["shift", "_", "jis"])

    class Handler:
        def __call__(self, error: UnicodeError) -> tuple[str, int]:
            assert isinstance(error, UnicodeDecodeError | UnicodeEncodeError)
            return "?", error.end

    handler = Handler()
    objects = (data, text, errors, label, handler, we.SHIFT_JIS, None, b"", "")
    counts = [sys.getrefcount(item) for item in objects]
    for _ in range(100):
        we.lookup(label).decode(data, errors)  # type: ignore[arg-type]
        we.SHIFT_JIS.encode(text)
        decoder = we.SHIFT_JIS.new_decoder("fatal")
        for call in (
            lambda d=decoder: d.decode(data), lambda: we.SHIFT_JIS.decode(data, "fatal"),
            lambda: we.recode(data, label, "x"), lambda: we.SHIFT_JIS.encode(text, "fatal"),
            lambda: we.decode_many([(data, label), (text, label)]),  # type: ignore[list-item]
        ):  # fmt: skip
            fatal(call)()
        we.SHIFT_JIS.valid_up_to(data)
        we.SHIFT_JIS.decode_to_utf8(data)
        del decoder
    after = [sys.getrefcount(item) for item in objects]
    assert all(abs(new - old) < 10 for new, old in zip(after, counts, strict=True)), (counts, after)


LIMITED = """
import resource, sys
import whatwg_encoding as we
for encoding in we.ENCODINGS.values():
    encoding.decode(b"ab" * 500)
inputs = {{"data": {data}, "text": {text}}}
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (16 << 20), used + (16 << 20)))
data, text = inputs["data"], inputs["text"]
calls = [{calls}]
for call in calls:
    try:
        call()
    except MemoryError:
        pass
    else:
        sys.exit(f"{{calls.index(call)}} fitted")
    assert we.SHIFT_JIS.decode(b"\\x82\\xa0") == "\\u3042"
    assert we.UTF_8.encode("\\u3042") == b"\\xe3\\x81\\x82"
"""


# Input, as bytes or as text, and calls whose results take more than 16 MiB.
TOO_LARGE = {
    "pairs": (
        'b"\\x82\\xa0" * (15 << 20)', "''",
        "we.SHIFT_JIS.decode(data)", "we.SHIFT_JIS.new_decoder().decode(data)", "we.SHIFT_JIS.decode_to_utf8(data)",
        "we.recode(data, 'sjis', 'euc-jp')", "we.decode_many([(data, 'sjis')])", "we.decode(data, 'sjis')",
    ),
    "ASCII bytes": (
        "b'a' * (25 << 20)", "''",
        "we.UTF_8.decode(data)", "we.WINDOWS_1252.decode(data)", "we.GB18030.new_decoder().decode(data)",
        "we.UTF_8.decode_to_utf8(data)", "we.isomorphic_decode(data)",
    ),
    "ASCII text": (
        "b''", "'a' * (20 << 20)",
        "we.UTF_8.encode(text)", "we.ISO_2022_JP.encode(text)", "we.BIG5.new_encoder().encode(text)",
    ),
    "text": (
        "b''", "'\\u3042' * (10 << 20)",
        "we.UTF_8.encode(text)", "we.KOI8_R.encode(text)", "we.GB18030.encode(text)",
    ),
    "errors": (
        'b"\\xff" * (10 << 20)', "''",
        "we.UTF_8.decode(data)", "we.UTF_16LE.decode(data * 2)", "we.UTF_8.decode_to_utf8(data)",
        "we.UTF_8.codec_info.decode(data, 'replace')",
    ),
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is honoured on Linux")
@pytest.mark.skipif(
    "WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="AddressSanitizer takes all of the address space"
)
@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_result_that_does_not_fit_is_a_memory_error(name: str) -> None:
    """In a process that may have no more than 16 MiB more; what is asked for next, and fits, is given."""
    data, text, *calls = TOO_LARGE[name]
    program = LIMITED.format(data=data, text=text, calls=", ".join(f"lambda: {call}" for call in calls))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
