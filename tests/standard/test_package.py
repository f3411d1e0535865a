"""The cost of the package: the modules that importing it loads, and the memory that work takes besides its results."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.programs import python, run


def loaded(program: str) -> set[str]:
    """Return the modules of the package that are loaded after the program has run in a new interpreter."""
    program += "\nimport sys; print(*(name for name in sys.modules if name.startswith('whatwg_encoding.')))"
    return {name.removeprefix("whatwg_encoding.") for name in python(program, timeout=60).split()}


#: What importing the package loads.
STARTED = {"_native", "_native.core"}

#: Modules of the standard library that take longer to import than most calls take, and which no program needs.
SLOW = ("typing", "inspect", "dataclasses", "ast")


def test_importing_loads_no_chapter() -> None:
    assert loaded("import whatwg_encoding as we; we.lookup('sjis'); we.SHIFT_JIS.labels") == STARTED


@pytest.mark.parametrize(
    ("use", "chapter"),
    [
        ("we.BIG5.decode(b'a')", "chinese_traditional"),
        ("we.EUC_KR.new_encoder()", "korean"),
        ("we.ISO_8859_2.valid_up_to(b'a')", "single_byte"),
        ("we.lookup('utf-16').decode_to_utf8(b'a')", "miscellaneous"),
    ],
)
def test_use_loads_the_chapter_that_it_needs(use: str, chapter: str) -> None:
    assert loaded(f"import whatwg_encoding as we; {use}") == {*STARTED, f"_native.{chapter}"}


@pytest.mark.parametrize(
    "use",
    [
        "we.decode_html(b'a', 'text/html;charset=gbk')", "we.decode_crawled(b'\\xe9')",
        "we.decode_stream('crawl', [b'a'])",
        "we.sniff.detect(b'\\xe9')", "we.sniff.is_binary(b'a')", "we.repair('crÃ¨me')", "we.open_utf8(__file__).read()",
        "we.decode_by_line(b'a')", "we.decode_together([b'\\xe9'])", "we.utf8_decode(b'a')", "we.register_codecs()",
        "from whatwg_encoding import chardet; chardet.detect(b'\\xe9')",
        "from whatwg_encoding import charset_normalizer; charset_normalizer.detect(b'\\xe9')",
        "from whatwg_encoding import mail; mail.decode_header('=?gbk?q?a?=')",
    ],
)  # fmt: skip
def test_first_use_imports_nothing_slow(use: str) -> None:
    """Without `site`, which may import them for other packages."""
    folder = Path(we.__file__).parents[1]
    program = (
        f"import sys; sys.path.append({str(folder)!r}); import whatwg_encoding as we; __file__ = {__file__!r}; {use}"
    )
    program += f"; print(*{{*{SLOW!r}}} & {{*sys.modules}})"
    assert run(sys.executable, "-S", "-c", program, timeout=60).split() == []


def beside_the_result(work: Callable[[], object]) -> float:
    """Return the peak memory of the work as a multiple of its result, which is not counted."""
    work()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        result = work()
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    size = sys.getsizeof(result)
    return (peak - size) / size


TEXTS = {
    "ASCII": "The quick brown fox. " * 50_000,
    "Latin": "Ça va déjà très bien, à bientôt. " * 30_000,
    "dense": "吾輩は猫である。名前はまだ無い。" * 60_000,
    "markup": ("<p class=x>" + "猫である。" * 4 + "</p>\n") * 20_000,
    "ASCII, then dense": "x" * 500_000 + "猫" * 500_000,
    "dense, then ASCII": "猫" * 500_000 + "x" * 500_000,
    "one wide character at the end": "x" * 1_000_000 + "猫",
    "one astral character at the end": "猫" * 500_000 + "\U0001f431",
    "astral": "\U0001f431\U0001f408" * 200_000,
}


@pytest.mark.parametrize("name", ["UTF-8", "UTF-16LE", "gb18030", "Shift_JIS", "ISO-2022-JP", "windows-1252"])
@pytest.mark.parametrize("text", [*TEXTS, "all errors"])
def test_decoding_takes_less_than_twice_the_result_beside_it(name: str, text: str) -> None:
    encoding = we.ENCODINGS[name]
    if text == "all errors":  # each byte becomes three bytes of UTF-8
        data = b"\xff" * 1_000_001
    else:
        data = encoding.encode(TEXTS[text]) if encoding.has_encoder else TEXTS[text].encode("utf-16-le")
    assert beside_the_result(lambda: encoding.decode(data)) < 2
    assert beside_the_result(lambda: encoding.decode_to_utf8(data)) < 2


@pytest.mark.parametrize("name", ["UTF-8", "gb18030", "Shift_JIS", "ISO-2022-JP", "windows-1252"])
@pytest.mark.parametrize("text", TEXTS)
def test_encoding_takes_less_than_twice_the_result_beside_it(name: str, text: str) -> None:
    encoding = we.ENCODINGS[name]
    assert beside_the_result(lambda: encoding.encode(TEXTS[text])) < 2
    assert beside_the_result(lambda: we.recode(TEXTS[text].encode(), "utf-8", encoding, "html")) < 2
