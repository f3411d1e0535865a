"""Memory: failing allocations, results that grow, and leaks over many calls."""

from __future__ import annotations

import codecs
import gc
import io
import os
import re
import sys
import sysconfig
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

import whatwg_encoding as we
from benchmarks import DOORS, OURS
from benchmarks.doors import Door, doors
from tests.peak_memory import peak_memory, resident
from tests.trust import failing_allocations
from tests.trust.failing_allocations import in_a_process
from whatwg_encoding import sniff, webencodings

SJIS = "日本語のテキスト、漢字かな交じり。".encode("shift_jis")
WRONG = SJIS + b"\xff\xfe\x81" * 5 + SJIS


def fatal(call: Callable[[], object]) -> Callable[[], object]:
    """Run a call that has to fail with an error of the encoding, and drop the error."""

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
        decoder.reset()

    return run


def asynchronously(chunks: list[bytes]) -> Callable[[], object]:
    async def source() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def texts() -> None:
        async with we.decode_stream("html-parser", source()) as stream:
            assert [text async for text in stream]
        await stream.aclose()

    def run() -> None:
        try:
            texts().send(None)
        except StopIteration:
            return
        raise AssertionError("the coroutine waits")

    return run


def switched() -> None:
    """Return a stream whose encoding a late ``meta`` changes."""
    head = b"<p>" + b"a" * 1024
    stream = we.decode_stream("html-parser", [head, b"<meta charset=koi8-r>", b"\xc1" * 9])
    for _ in stream:
        if stream.late_meta and stream.late_meta.action == "switch" and stream.source != "meta":
            stream.switch()
    assert stream.source == "meta"
    stream.close()


def registered() -> None:
    we.unregister_codecs()
    we.register_codecs()
    codecs.decode(WRONG, "web-shift_jis", "replace")


@contextmanager
def without_webencodings() -> Iterator[None]:
    """Hide webencodings and its labels, and restore them, or their absence, whatever was put in their place."""
    names = ("webencodings", "webencodings.labels")
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


@pytest.fixture(autouse=True)
def _modules_as_they_were() -> Iterator[None]:
    """Undo an installation of the drop-in that failed halfway."""
    with without_webencodings():
        yield
        webencodings.uninstall()


def installed() -> None:
    """Install the drop-in with the original hidden, since the search for users of the original scans all modules."""
    with without_webencodings():
        webencodings.install()
        webencodings.uninstall()


#: Doors of which a call takes thousands of allocations, or whose objects are made by a package of the gate.
LEFT_OUT = re.compile(r"repair of many|repair: Russian text|urls\.\w+_form: .* 100 items|arrow\.")

LONG = SJIS * 1000 + b"\xff" * 50 + SJIS * 1000
TEXT = "日本語é\U0001f600" * 3000
HTML = b"<meta charset=sjis>" + LONG
WIDER = b"".join(unit * 5000 for unit in (b"a", b"\xc3\xa4", b"\xe3\x81\x82")) + b"\xf0\x9f\x98\x80"


def called(door: Door) -> Callable[[], object]:
    """Return the call of a door, which is prepared before its first call."""
    statement = compile(door.call, door.name, "exec")

    @cache
    def names() -> dict[str, Any]:
        variables = dict(door.given)
        exec(f"{DOORS['imports'][OURS]}\n{door.setup}", variables)
        return variables

    return lambda: exec(statement, names())


#: The call of each door, so that each public function is among them, and what no door does: most of it fails.
OPERATIONS: dict[str, Callable[[], object]] = {
    **{door.name: called(door) for door in doors() if not door.is_first and not LEFT_OUT.match(door.name)},
    "lookup_codec, unknown": fatal(lambda: we.lookup_codec("utf-7")),
    "sniff.crawl_detector": lambda: we.decode_html(WIDER, detector=sniff.crawl_detector()),
    "open_utf8": lambda: we.open_utf8(io.BytesIO(LONG), "sjis", bom="sniff").read(),
    "lookup, unknown": fatal(lambda: we.lookup("utf-7" * 50)),
    "decode, widened": lambda: we.UTF_8.decode(WIDER),
    "decode, fatal": fatal(lambda: we.SHIFT_JIS.decode(LONG, "fatal")),
    "decode, mode": fatal(lambda: we.SHIFT_JIS.decode(LONG, "strict")),  # type: ignore[arg-type]
    "decode, str": fatal(lambda: we.SHIFT_JIS.decode("text")),  # type: ignore[arg-type]
    "decode, memoryview": lambda: we.SHIFT_JIS.decode(memoryview(LONG)[3:-3]),
    "decode_to_utf8, fatal": fatal(lambda: we.SHIFT_JIS.decode_to_utf8(LONG, "fatal")),
    "encode, references": lambda: we.SHIFT_JIS.encode(TEXT),
    "encode, fatal": fatal(lambda: we.SHIFT_JIS.encode(TEXT, "fatal")),
    "encode, lone surrogates": lambda: we.UTF_8.encode("a\ud800" * 2 * 1000),
    "encode, unavailable": fatal(lambda: we.UTF_16LE.encode("a")),
    "new_decoder": incremental(we.EUC_JP),
    "new_decoder, strict": fatal(incremental(we.EUC_JP, "strict")),
    "new_decoder, fatal": fatal(lambda: we.BIG5.new_decoder("fatal").decode(LONG)),
    "new_encoder, fatal": fatal(lambda: we.ISO_2022_JP.new_encoder("fatal").encode(TEXT)),
    "handler, decode": lambda: we.UTF_8.codec_info.decode(WRONG, "backslashreplace"),
    "handler, memoryview": lambda: we.SHIFT_JIS.codec_info.decode(memoryview(WRONG), "replace"),
    "handler, encode": lambda: we.SHIFT_JIS.codec_info.encode(TEXT[:20], "xmlcharrefreplace"),
    "handler, strict": fatal(lambda: we.SHIFT_JIS.codec_info.encode(TEXT[:20], "strict")),
    "StreamReader": lambda: we.SHIFT_JIS.codec_info.streamreader(io.BytesIO(LONG), "replace").read(),
    "StreamWriter": lambda: we.SHIFT_JIS.codec_info.streamwriter(io.BytesIO(), "replace").write(TEXT[:20]),
    "register_codecs, unregister_codecs": registered,
    "decode_many, label": fatal(lambda: we.decode_many([(SJIS, "sjis"), (SJIS, "no")])),
    "recode": lambda: we.recode(LONG * 2, "sjis", "gb18030", "html"),
    "recode, fatal": fatal(lambda: we.recode(LONG, "sjis", "gb18030", "fatal")),
    "recode, fatal encoder": fatal(lambda: we.recode(SJIS * 9 * 1000, "sjis", "koi8-r", "fatal")),
    "decode, bom_sniff": lambda: (we.decode(b"\xff\xfea\0", "sjis"), we.bom_sniff(b"ab")),
    "utf8_decode_without_bom_or_fail": fatal(lambda: we.utf8_decode_without_bom_or_fail(WIDER + b"\xff")),
    "TextDecoder, fatal": fatal(lambda: we.TextDecoder("sjis", fatal=True).decode(LONG)),
    "TextDecoder, label": fatal(lambda: we.TextDecoder("no")),
    "decode_stream, async": asynchronously([b"<meta charset=", b"sjis>", LONG, b"\xff"]),
    "decode_stream, switch": switched,
    "decode_as, unknown": fatal(lambda: we.decode_as("no", HTML)),
    "html": lambda: sniff.html(LONG, content_type="text/html; charset=no", locale="ja"),
    "repair_many": lambda: we.repair_many(["GrÃ¶Ã\x9fe", "Größe"] * 3),
    "webencodings, unknown": fatal(lambda: webencodings.decode(LONG, "no")),
    "webencodings, install": installed,
    "iter_decode": lambda: "".join(webencodings.iter_decode([b"\x82", LONG], "sjis")[0]),
    "iter_encode": lambda: b"".join(webencodings.iter_encode([TEXT[:20]] * 2, "sjis", "replace")),
    "IncrementalDecoder": lambda: webencodings.IncrementalDecoder("sjis").decode(LONG, True),
    "IncrementalEncoder": lambda: webencodings.IncrementalEncoder("sjis", "replace").encode(TEXT[:20], True),
}


@pytest.fixture(scope="module")
def everything_allocated() -> Iterator[None]:
    """Run every operation once, so that modules are loaded and caches filled."""
    for operation in OPERATIONS.values():
        operation()
    yield
    we.unregister_codecs()


@pytest.mark.gate
@pytest.mark.usefixtures("everything_allocated")
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_allocation_may_fail(name: str) -> None:
    """A failed allocation raises MemoryError or has no effect, and the operation works afterwards."""
    in_a_process(failing_allocations.each_allocation, OPERATIONS[name])


@pytest.mark.parametrize("name", ["EUC-JP", "ISO-2022-JP", "gb18030", "UTF-8"])
def test_a_machine_outlives_failures(name: str) -> None:
    """A call that fails for lack of memory does not change the state, and can be repeated."""
    in_a_process(failing_allocations.a_machine, name)


@pytest.mark.parametrize(("target", "text"), [("gbk", "a"), ("utf-8", "あ")])
def test_recode_allots_in_growing_steps(target: str, text: str) -> None:
    """A result is not copied for each 64 KiB, which would take quadratic time."""
    in_a_process(failing_allocations.recode, target, text)


def left_behind(operation: Callable[[], object], calls: int) -> int:
    """Return how many more blocks of memory exist after that many calls."""
    for _ in range(50):
        operation()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(calls):
        operation()
    gc.collect()
    return sys.getallocatedblocks() - before


def check_for_leaks(operation: Callable[[], object], calls: int) -> None:
    """Raise AssertionError if calls leave more behind than a thousandth of a block, or a byte, each.

    Another thread, such as the test runner's, may allocate meanwhile, and CPython's own caches fill up in the first
    thousands of calls; a leak is in every attempt.
    """
    limit = calls // 1000 + 20
    blocks, grown = [], []
    for _ in range(12):
        before = resident()
        blocks.append(left_behind(operation, calls))
        grown.append(resident() - before)
        if (blocks[-1] < limit or sys.getallocatedblocks() == 0) and grown[-1] < (4 << 20) + calls:
            return
    pytest.fail(f"after {calls} calls each time: {blocks} blocks more, {grown} bytes more")


@pytest.mark.usefixtures("everything_allocated")
@pytest.mark.parametrize("name", OPERATIONS)
def test_many_calls_leave_nothing_behind(name: str) -> None:
    check_for_leaks(OPERATIONS[name], 400)


@pytest.mark.slow
@pytest.mark.usefixtures("everything_allocated")
@pytest.mark.parametrize("name", OPERATIONS)
def test_many_more_calls_leave_nothing_behind(name: str) -> None:
    """Leaks grow with the number of calls."""
    check_for_leaks(OPERATIONS[name], 20_000)


def test_reference_counts() -> None:
    """No call keeps a reference to its input, whether it succeeds or fails."""
    data, text = b"\x82\xa0\xff" * 1000, "あ\U0001f600" * 1000
    errors, label = "".join(["re", "place", "ment"]), "".join(["shift", "_", "jis"])

    def handler(error: Any) -> tuple[str, int]:
        return "?", error.end

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


@pytest.mark.parametrize("size", [5 << 20, 16 << 20])
@pytest.mark.parametrize("place", [1 / 50, 1 / 2, 1])
@pytest.mark.parametrize("name", ["windows-1252", "UTF-8", "Shift_JIS", "UTF-16LE"])
def test_a_text_that_widens_late_is_not_held_twice(name: str, place: float, size: int) -> None:
    """ASCII that is followed by a wider character, and Latin-1 that is followed by one above U+00FF."""
    codec = {"windows-1252": "cp1252", "Shift_JIS": "shift_jis", "UTF-16LE": "utf-16-le"}.get(name, "utf-8")
    encoding = we.ENCODINGS[name]
    encoding.decode(b"")
    before = int(size * place)
    for narrow, wide in (("a", "\xa7" if name == "Shift_JIS" else "é"), ("aé", "„")):
        if name == "Shift_JIS" and narrow != "a":
            continue  # it has no letters of Latin-1
        expected = (narrow * before)[:before] + wide + (narrow * (size - before))[: size - before]
        data = expected.encode(codec)
        tracemalloc.start()
        try:
            text = encoding.decode(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert text == expected
        # The capacity for the rest of a text in UTF-8 is estimated.
        assert peak - sys.getsizeof(text) < (size // 16 if name == "UTF-8" and narrow != "a" else size // 64), narrow


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="AddressSanitizer's own memory is included")
@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="the allocator of this Python copies")
@pytest.mark.parametrize(
    ("source", "call"),
    [
        # More code points for a byte, or bytes for a code point, than the first part lets expect.
        (r"b'\x1b$B' + b'$\"' * (5 << 20) + b'\x1b(B' + b'a' * (10 << 20)", "we.ISO_2022_JP.decode"),
        ("'aé' * (5 << 20) + '日' * (5 << 20)", "we.WINDOWS_1252.encode"),
    ],
    ids=["decode", "encode"],
)
def test_a_result_that_grows_is_not_held_twice(source: str, call: str) -> None:
    """The peak memory of a process grows by at most the result and a sixteenth, as the kernel counts."""
    setup = f"import whatwg_encoding as we\nsource = {source}\n{call}(source[:100_000])"
    peak, size = peak_memory(setup, f"{call}(source)", "result.__sizeof__()")
    assert size > 20 << 20
    assert peak < size * 17 / 16
