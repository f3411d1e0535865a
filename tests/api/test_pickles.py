"""What is sent to other processes: it can be pickled and comes back as it was, or the refusal says what to do."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pytest

import whatwg_encoding as we
from tests.programs import python
from whatwg_encoding import arrow

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_functions_stay_themselves_and_detectors_answer_the_same(protocol: int) -> None:
    for function in (we.lookup, we.lookup_codec, we.sniff.chardetng, we.sniff.utf8_if_valid, arrow.decode_array):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    detector = pickle.loads(pickle.dumps(we.sniff.crawl_detector(512, tld="jp"), protocol))
    assert repr(detector) == "crawl_detector(512, tld='jp')"
    assert detector.limit == 512
    assert detector("日本語のテキスト".encode("euc-jp")) is we.EUC_JP
    assert detector("日本語のテキスト".encode()) is we.UTF_8


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results(protocol: int) -> None:
    for value in (we.decode_html(b"caf\xe9"), we.sniff.html(b"<meta charset=big5>"), we.CONTEXTS["html-parser"]):
        back = pickle.loads(pickle.dumps(value, protocol))
        assert back == value
        assert type(back) is type(value)
    page = pickle.loads(pickle.dumps(we.decode_html(b"<meta charset=sjis>\x83"), protocol))
    assert (page.errors, page.source, page.confidence) == (1, "prescan", "tentative")


def test_pickles_name_what_is_public() -> None:
    sniff = we.sniff
    results = we.decode(b"", "utf-8"), we.CONTEXTS["html-parser"], sniff.html(b""), sniff.detect(b"caf\xe9")
    for value in (we.UTF_8, we.UTF_8.new_decoder(), we.UTF_8.new_encoder(), sniff.crawl_detector(), *results):
        pickled = pickle.dumps(value, 4)
        assert b"whatwg_encoding" in pickled
        assert b"whatwg_encoding._" not in pickled


def test_tracebacks_name_what_is_public() -> None:
    assert repr(we.Encoding) == "<class 'whatwg_encoding.Encoding'>"
    for name in {*we.__all__, *we.standard.__all__, *we.contexts.__all__}:
        value = getattr(we, name)
        if callable(value):
            assert value.__module__ == "whatwg_encoding"
            assert pickle.loads(pickle.dumps(value)) is value
    script = """if True:
        from whatwg_encoding import contexts, standard
        for module in standard, contexts:
            for name in module.__all__:
                value = getattr(module, name)
                assert not callable(value) or "._" not in value.__module__, (name, value.__module__)
    """
    python(script)


def test_modules_list_what_is_public() -> None:
    assert set(dir(we)) - {"__version__"} == set(we.__all__)
    for module in (
        we.sniff, we.mime, we.urls, we.arrow, we.contexts, we.standard, we.w3lib, we.mail, we.code_pages, we.malformed,
    ):  # fmt: skip
        assert set(dir(module)) - {"CrawlDetector"} == set(module.__all__)
    for module in (we.chardet, we.charset_normalizer):
        assert set(dir(module)) == {*module.__all__, "install", "uninstall"}
    for module in (we.chardet, we.charset_normalizer, we.webencodings):
        assert not any(isinstance(getattr(module, name), ModuleType) for name in dir(module))


def test_every_public_module_is_imported_on_first_use() -> None:
    """As an attribute of the package, in a process that has imported nothing else."""
    folder = Path(we.__file__).parent
    modules = sorted(path.stem for path in folder.glob("[!_]*.py"))
    assert {"chardet", "charset_normalizer", "mail", "mcp", "standard", "w3lib", "webencodings"} < {*modules}
    program = f"import whatwg_encoding as we; print(*(getattr(we, name).__name__ for name in {modules}))"
    assert python(program).split() == [f"whatwg_encoding.{name}" for name in modules]


ERRORS = {
    "RowDecodeError": lambda: arrow.decode_array(pa.array([b"a", b"b\xff"]), "utf-8", errors="fatal"),
    "RowEncodeError": lambda: arrow.encode_array(pa.array(["a", "b☃"]), "sjis", errors="fatal"),
    "UnicodeDecodeError": lambda: we.SHIFT_JIS.decode(b"\x83", "fatal"),
    "UnicodeEncodeError": lambda: we.SHIFT_JIS.encode("☃", "fatal"),
    "UnknownLabelError": lambda: we.lookup("klingon"),
    "EncoderUnavailableError": lambda: we.UTF_16LE.encode(""),
    "NotSpecifiedError": lambda: we.decode_as("clipboard-paste", b""),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str, protocol: int) -> None:
    with pytest.raises((LookupError, UnicodeError)) as raised:
        ERRORS[name]()
    error = raised.value
    assert type(error).__name__ == name
    back = pickle.loads(pickle.dumps(error, protocol))
    assert type(back) is type(error)
    assert (str(back), back.args) == (str(error), error.args)
    if name.startswith("Row"):
        assert back.row == error.row == 1  # type: ignore[attr-defined]
        members = (back.encoding, back.object, back.start, back.end, back.reason)  # type: ignore[attr-defined]
        assert members == error.args


REFUSALS = {
    "Column": (lambda: arrow.decode_array(pa.array([b"a"]), "utf-8"), r"pyarrow\.chunked_array\(column\)"),
    "DecodeStream": (lambda: we.decode_stream("html-parser", [b"a"]), "call decode_stream in the process that reads"),
    "open_utf8": (lambda: we.open_utf8(io.BytesIO(b"a"), "sjis"), "pass the path on, and call open_utf8"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_say_what_to_do(name: str) -> None:
    made, remedy = REFUSALS[name]
    for protocol in PROTOCOLS:
        with pytest.raises(TypeError, match=remedy):
            pickle.dumps(made(), protocol)
    with pytest.raises(TypeError, match=remedy):
        copy.copy(made())


def test_the_remedy_for_columns() -> None:
    column = arrow.decode_array(pa.array([b"\x83n", None]), "sjis")
    assert pickle.loads(pickle.dumps(pa.chunked_array(column))).to_pylist() == ["ハ", None]
