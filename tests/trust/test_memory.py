"""Memory: failing allocations, results that grow, and leaks over many calls."""

from __future__ import annotations

import codecs
import ctypes
import gc
import inspect
import io
import os
import re
import sys
import sysconfig
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import whatwg_encoding as we
from tests.peak_memory import peak_memory
from tests.trust import failing_allocations
from tests.trust.arguments import callables
from tests.trust.failing_allocations import in_a_process
from whatwg_encoding import mime, sniff, urls, webencodings

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
    we.register_codecs()
    try:
        codecs.decode(WRONG, "web-shift_jis", "replace")
    finally:
        we.unregister_codecs()


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


def operations(times: int) -> dict[str, Callable[[], object]]:
    """Return every public operation with success and with failure; inputs are ``times`` as long as short ones."""
    long = SJIS * times + b"\xff" * min(times, 50) + SJIS * times
    wider = b"".join(unit * 5 * times for unit in (b"a", b"\xc3\xa4", b"\xe3\x81\x82")) + b"\xf0\x9f\x98\x80"
    text = "日本語é\U0001f600" * 3 * times
    html, xml, css = b"<meta charset=sjis>" + long, b'<?xml encoding="koi8-r"?>' + long, b'@charset "koi8-r";' + long
    pairs = [("あ", "\U0001f600")] * max(times // 100, 1)
    return {
        "lookup": lambda: we.lookup(" Shift_JIS\n"),
        "lookup_codec": lambda: we.lookup_codec("cp932"),
        "lookup_codec, unknown": fatal(lambda: we.lookup_codec("utf-7")),
        "decode_html_to_utf8": lambda: we.decode_html_to_utf8(html),
        "decode_crawled": lambda: we.decode_crawled(wider),
        "decode_crawled_to_utf8": lambda: we.decode_crawled_to_utf8(SJIS * times, "text/html;charset=sjis"),
        "sniff.crawl": lambda: sniff.crawl(wider, "text/html;charset=latin1"),
        "sniff.crawl_detector": lambda: we.decode_html(wider, detector=sniff.crawl_detector()),
        "sniff.utf8_if_valid": lambda: sniff.utf8_if_valid(wider + b"\xe3\x81"),
        "open_utf8": lambda: we.open_utf8(io.BytesIO(long), "sjis", bom="sniff").read(),
        "get_include": we.get_include,
        "lookup, unknown": fatal(lambda: we.lookup("utf-7" * 50)),
        "decode": lambda: we.SHIFT_JIS.decode(long),
        "decode, short": lambda: we.UTF_8.decode(b"a\xe3\x81\x82\xff"),
        "decode, widened": lambda: we.UTF_8.decode(wider),
        "decode, fatal": fatal(lambda: we.SHIFT_JIS.decode(long, "fatal")),
        "decode, mode": fatal(lambda: we.SHIFT_JIS.decode(long, "strict")),  # type: ignore[arg-type]
        "decode, str": fatal(lambda: we.SHIFT_JIS.decode("text")),  # type: ignore[arg-type]
        "decode, memoryview": lambda: we.SHIFT_JIS.decode(memoryview(long)[3:-3]),
        "decode_to_utf8": lambda: we.SHIFT_JIS.decode_to_utf8(long),
        "decode_to_utf8, fatal": fatal(lambda: we.SHIFT_JIS.decode_to_utf8(long, "fatal")),
        "valid_up_to": lambda: we.SHIFT_JIS.valid_up_to(long),
        "encode": lambda: we.GB18030.encode(text),
        "encode, references": lambda: we.SHIFT_JIS.encode(text),
        "encode, fatal": fatal(lambda: we.SHIFT_JIS.encode(text, "fatal")),
        "encode, lone surrogates": lambda: we.UTF_8.encode("a\ud800" * 2 * times),
        "encode, unavailable": fatal(lambda: we.UTF_16LE.encode("a")),
        "encoded_length": lambda: we.SHIFT_JIS.encoded_length(text),
        "new_decoder": incremental(we.EUC_JP),
        "new_decoder, strict": fatal(incremental(we.EUC_JP, "strict")),
        "new_decoder, fatal": fatal(lambda: we.BIG5.new_decoder("fatal").decode(long)),
        "new_encoder": lambda: we.ISO_2022_JP.new_encoder().encode(text, True),
        "new_encoder, fatal": fatal(lambda: we.ISO_2022_JP.new_encoder("fatal").encode(text)),
        "Decoder": lambda: we.Decoder("euc-jp").decode(WRONG, True),
        "Encoder": lambda: we.Encoder("euc-jp").encode(text, True),
        "handler, decode": lambda: we.UTF_8.codec_info.decode(WRONG, "backslashreplace"),
        "handler, memoryview": lambda: we.SHIFT_JIS.codec_info.decode(memoryview(WRONG), "replace"),
        "handler, encode": lambda: we.SHIFT_JIS.codec_info.encode(text[:20], "xmlcharrefreplace"),
        "handler, strict": fatal(lambda: we.SHIFT_JIS.codec_info.encode(text[:20], "strict")),
        "StreamReader": lambda: we.SHIFT_JIS.codec_info.streamreader(io.BytesIO(long), "replace").read(),
        "StreamWriter": lambda: we.SHIFT_JIS.codec_info.streamwriter(io.BytesIO(), "replace").write(text[:20]),
        "register_codecs, unregister_codecs": registered,
        "cpu_features": we.cpu_features,
        "decode_many": lambda: we.decode_many([(SJIS, "sjis"), (SJIS, we.EUC_KR)] * 20),
        "decode_many, label": fatal(lambda: we.decode_many([(SJIS, "sjis"), (SJIS, "no")])),
        "recode": lambda: we.recode(long * 2, "sjis", "gb18030", "html"),
        "recode, fatal": fatal(lambda: we.recode(long, "sjis", "gb18030", "fatal")),
        "recode, fatal encoder": fatal(lambda: we.recode(SJIS * 9 * times, "sjis", "koi8-r", "fatal")),
        "decode, bom_sniff": lambda: (we.decode(b"\xff\xfea\0", "sjis"), we.bom_sniff(b"ab")),
        "utf8_decode": lambda: (we.utf8_decode(b"\xef\xbb\xbf" + wider), we.utf8_decode_without_bom(wider)),
        "utf8_decode_without_bom_or_fail": fatal(lambda: we.utf8_decode_without_bom_or_fail(wider + b"\xff")),
        "encode, utf8_encode": lambda: (we.encode(text, "koi8-r"), we.utf8_encode(text)),
        "isomorphic_encode, isomorphic_decode": lambda: we.isomorphic_encode(we.isomorphic_decode(long)),
        "encode_or_fail": lambda: we.encode_or_fail("あ\U0001f600", we.get_encoder("iso-2022-jp")),
        "TextDecoder": lambda: we.TextDecoder("sjis").decode(long, stream=True),
        "TextDecoder, fatal": fatal(lambda: we.TextDecoder("sjis", fatal=True).decode(long)),
        "TextDecoder, label": fatal(lambda: we.TextDecoder("no")),
        "TextEncoder": lambda: (we.TextEncoder().encode(text), we.TextEncoder().encode_into(text, bytearray(100))),
        "TextDecoderStream": lambda: "".join(we.TextDecoderStream("sjis")([long, b"\x82"])),
        "TextEncoderStream": lambda: b"".join(we.TextEncoderStream()([text, "\ud83d", "\ude00"])),
        "decode_stream": lambda: "".join(we.decode_stream("html-parser", [b"<meta charset=", b"sjis>", long, b"\xff"])),
        "decode_stream, async": asynchronously([b"<meta charset=", b"sjis>", long, b"\xff"]),
        "decode_stream, switch": switched,
        "decode_as": lambda: we.decode_as("html-parser", html),
        "decode_as, unknown": fatal(lambda: we.decode_as("no", html)),
        "decode_html": lambda: we.decode_html(html),
        "decode_xml": lambda: we.decode_xml(xml),
        "decode_css": lambda: we.decode_css(css),
        "prescan": lambda: sniff.prescan(b"<meta http-equiv=content-type content='text/html; charset=gbk'>"),
        "html": lambda: sniff.html(long, content_type="text/html; charset=no", locale="ja"),
        "text_document": lambda: sniff.text_document(long, content_type="text/plain;charset=gbk"),
        "xml": lambda: (sniff.xml(xml), sniff.xml_declaration(xml)),
        "css": lambda: sniff.css(css, environment=sniff.style_sheet_environment("link", document="gbk")),
        "script": lambda: sniff.script(long, charset="gbk"),
        "xhr_text": lambda: sniff.xhr_text(xml, content_type="text/xml"),
        "xhr_document": lambda: sniff.xhr_document(html, content_type="text/html"),
        "blob_text": lambda: sniff.blob_text(long, blob_type="text/plain;charset=gbk"),
        "meta_content": lambda: sniff.meta_content("text/html; charset=gbk"),
        "change_encoding": lambda: sniff.change_encoding("gbk", "tentative", [("charset", "sjis")]),
        "locale_default": lambda: sniff.locale_default("ja-JP"),
        "mime.parse": lambda: mime.parse("text/html;charset=gbk;a=b"),
        "mime.split_header": lambda: mime.split_header('a, "b, c", d'),
        "mime.extract": lambda: mime.extract(["text/html;charset=gbk, text/html", 'x/y;a="\\"b"']),
        "mime.legacy_extract_encoding": lambda: mime.legacy_extract_encoding(mime.parse("a/b;charset=gbk"), "utf-8"),
        "urls.parse_form, serialize_form": lambda: urls.parse_form(urls.serialize_form(pairs, "sjis").encode()),
        "urls.form_encoding": lambda: (urls.form_encoding("no gbk", "sjis"), urls.query_encoding("a", "sjis")),
        "urls.fill_in_charset": lambda: urls.fill_in_charset([("_charset_", "")], "sjis"),
        "urls.multipart_name": lambda: urls.multipart_name(text[:20], "sjis"),
        "indexes": lambda: (we.index_code_point("jis0208", 283), we.index_pointer("jis0208", 0x3042)),
        "ranges": lambda: (we.index_gb18030_ranges_code_point(0), we.index_gb18030_ranges_pointer(0x80)),
        "reencode": lambda: we.reencode(long, we.decode(long, "sjis").text + "a", "sjis"),
        "detect": lambda: sniff.detect(long),
        "sniff.is_binary": lambda: (sniff.is_binary(long), sniff.is_binary(bytes(20))),
        "sniff.text_cost": lambda: sniff.text_cost(text),
        "python_codec": lambda: (we.SHIFT_JIS.python_codec(), we.SHIFT_JIS.python_codec(SJIS * times)),
        "repair": lambda: we.repair("Größe"),
        "repair_many": lambda: we.repair_many(["GrÃ¶Ã\x9fe", "Größe"] * 3),
        "decode_by_line": lambda: we.decode_by_line(b"caf\xe9\n" * 3 + "café\n".encode() * times),
        "decode_together": lambda: we.decode_together([SJIS, b"a"] * len(pairs)),
        "meta_encoding": lambda: sniff.meta_encoding([("charset", "sjis")]),
        "urls.percent_decode": lambda: urls.percent_decode(b"%82%a0%" * len(pairs)),
        "urls.percent_encode": lambda: urls.percent_encode_after_encoding("sjis", text[:20], "query"),
        "webencodings": lambda: (webencodings.decode(long, "sjis"), webencodings.encode(text[:20], "sjis", "ignore")),
        "webencodings, unknown": fatal(lambda: webencodings.decode(long, "no")),
        "webencodings, install": installed,
        "webencodings.ascii_lower": lambda: webencodings.ascii_lower("Ä\ud800Shift_JIS"),
        "iter_decode": lambda: "".join(webencodings.iter_decode([b"\x82", long], "sjis")[0]),
        "iter_encode": lambda: b"".join(webencodings.iter_encode([text[:20]] * 2, "sjis", "replace")),
        "IncrementalDecoder": lambda: webencodings.IncrementalDecoder("sjis").decode(long, True),
        "IncrementalEncoder": lambda: webencodings.IncrementalEncoder("sjis", "replace").encode(text[:20], True),
    }


OPERATIONS, SHORT = operations(1000), operations(1)


def test_every_public_operation_is_among_them() -> None:
    """Every public function, and every public method of what encodes and decodes, occurs in the calls above."""
    calls = (operations, incremental, asynchronously, switched, registered, installed)
    source = "".join(inspect.getsource(call) for call in calls)
    others = ("arrow.", "w3lib.", "ByteExactText.")
    public = {name: value for name, value in callables().items() if not name.startswith(others)}
    names = {name.rpartition(".")[2] for name, value in public.items() if not isinstance(value, type)}
    assert len(names) > 50
    missing = {name for name in names if name[0] != "_" and not re.search(rf"\b{name}\b", source)}
    assert missing == {"chardetng"}  # requires another package


@pytest.fixture(scope="module")
def everything_allocated() -> None:
    """Run every operation once, so that modules are loaded and caches filled."""
    for operation in [*OPERATIONS.values(), *SHORT.values()]:
        operation()


#: Operations that allocate nothing.
WITHOUT_MEMORY = {"lookup", "locale_default", "valid_up_to", "encoded_length"}


@pytest.mark.usefixtures("everything_allocated")
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_allocation_may_fail(name: str) -> None:
    """A failed allocation raises MemoryError or has no effect, and the operation works afterwards."""
    in_a_process(check_each_allocation, name)


def check_each_allocation(name: str) -> None:
    assert failing_allocations.each_allocation(OPERATIONS[name]) or name in WITHOUT_MEMORY


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


def resident() -> int:
    """Return the resident bytes of this process; under AddressSanitizer, which delays freeing, the bytes in use.

    It is 0 where the system does not tell.
    """
    if sys.platform != "linux":
        return 0
    in_use = getattr(ctypes.CDLL(None), "__sanitizer_get_current_allocated_bytes", None)
    if in_use is not None:
        in_use.restype = ctypes.c_size_t
        return int(in_use())
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def check_for_leaks(operation: Callable[[], object], calls: int) -> None:
    """Raise AssertionError if calls leave more behind than a thousandth of a block, or a byte, each.

    Another thread, such as the test runner's, may allocate meanwhile; a leak is in every attempt.
    """
    limit = calls // 1000 + 20
    blocks, grown = [], []
    for _ in range(3):
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
@pytest.mark.parametrize("name", SHORT)
def test_a_million_calls_leave_nothing_behind(name: str) -> None:
    """Success and failure of each operation with short inputs, since leaks grow with the number of calls."""
    check_for_leaks(SHORT[name], 1_000_000)


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
