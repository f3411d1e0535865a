"""Every rule for choosing an encoding, each decided for the whole input and again byte by byte."""

from __future__ import annotations

import re
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

from .support import determined, lookup

SJIS, KOI8 = b"<meta charset=sjis>", b"<meta charset=koi8-r>"


# --- HTML: order of the steps ---


@pytest.mark.parametrize(
    ("mark", "name"), [(b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE")]
)
def test_bom_wins_over_all_hints(mark: bytes, name: str) -> None:
    hints = {"override": "gbk", "known": "big5", "content_type": "text/html;charset=koi8-r", "parent": "euc-kr"}
    assert determined("html-parser", mark + SJIS, **hints) == (name, "certain", "bom")
    assert determined("html-parser", mark) == (name, "certain", "bom")


@pytest.mark.parametrize(
    "data", [b"", b"\xef", b"\xef\xbb", b"\xfe", b"\xff", b"\xef\xbbx", b"\xfex", b"x\xef\xbb\xbf"]
)
def test_part_of_a_bom_is_none(data: bytes) -> None:
    assert determined("html-parser", data) == ("windows-1252", "tentative", "locale")
    assert we.decode_html(data).text == we.WINDOWS_1252.decode(data)


def test_marks_of_other_encodings_and_second_marks_are_text() -> None:
    assert determined("html-parser", b"\xff\xfe\x00\x00a\x00") == ("UTF-16LE", "certain", "bom")  # not UTF-32
    assert we.decode_html(b"\xff\xfe\x00\x00a\x00").text == "\0a"
    assert we.decode_html(b"\x84\x31\x95\x33a", known="gb18030") == ("\ufeffa", we.GB18030)
    assert we.decode_html(b"\xef\xbb\xbf\xef\xbb\xbfa").text == "\ufeffa"


def test_order_of_html() -> None:
    """With the winner removed, the next in order decides."""
    order = {
        "known": ("big5", "Big5", "certain", "known-definite-encoding"),
        "override": ("gbk", "GBK", "certain", "user-override"),
        "content_type": ("text/html;charset=koi8-r", "KOI8-R", "certain", "transport"),
        "prescan": (SJIS, "Shift_JIS", "tentative", "prescan"),
        "parent": ("euc-kr", "EUC-KR", "tentative", "parent"),
        "history": ("euc-jp", "EUC-JP", "tentative", "history"),
        "detector": ("iso-8859-2", "ISO-8859-2", "tentative", "detector"),
        "default": ("iso-8859-7", "ISO-8859-7", "tentative", "default"),
        "locale": ("th", "windows-874", "tentative", "locale"),
    }
    hints: dict[str, Any] = {name: row[0] for name, row in order.items()}
    for winner, (_, *answer) in order.items():
        data = hints.get("prescan", b"<p>")
        assert determined("html-parser", data, **{k: v for k, v in hints.items() if k != "prescan"}) == tuple(answer)
        del hints[winner]
    assert determined("html-parser", b"<p>") == ("windows-1252", "tentative", "locale")


no_label = pytest.mark.parametrize(
    "label", ["no-such-label", "", "utf-7", "utf-32", "cesu-8", "\u212aoi8-r", "utf-8\u00a0", "utf-8\v", "cp932"]
)


@pytest.mark.parametrize("hint", ["parent", "history"])
@no_label
def test_unknown_labels_of_other_documents_are_absent(hint: str, label: str) -> None:
    assert determined("html-parser", b"<p>", **{hint: label}, locale="ja") == ("Shift_JIS", "tentative", "locale")
    assert determined("html-parser", KOI8, **{hint: label}) == ("KOI8-R", "tentative", "prescan")


@no_label
def test_unknown_labels_of_the_network_are_absent(label: str) -> None:
    header = f'text/html;charset="{label}"'
    assert determined("html-parser", b"<p>", content_type=header, locale="ja")[2] == "locale"
    assert we.decode_html(b"<p>", content_type=header, locale="ja").source == "locale"
    assert we.decode_html(KOI8, content_type=header).source == "prescan"


@pytest.mark.parametrize(
    ("context", "hint"),
    [
        *(("html-parser", hint) for hint in ("known", "override", "detector", "default")),
        *(("text-document", hint) for hint in ("override", "detector", "default")),
        *(("view-source", hint) for hint in ("override", "detector", "default")),
        ("xml-parser", "override"),
        ("wtp-env-value", "fallback"),
        ("textdecoder", "label"),
    ],
)
@no_label
def test_unknown_labels_of_the_program_are_errors(context: str, hint: str, label: str) -> None:
    """Invalid hints are refused before anything is decoded, whichever hint decides."""
    others: dict[str, Any] = {} if context in ("wtp-env-value", "textdecoder") else {"content_type": "a/b;charset=gbk"}
    for data in (b"<p>", KOI8, b"\xef\xbb\xbf"):
        for hints in ({}, others):
            with pytest.raises(we.UnknownLabelError) as raised:
                we.decode_as(context, data, **{hint: label}, **hints)
            assert repr(label) in str(raised.value)
            with pytest.raises(we.UnknownLabelError):
                we.decode_stream(context, [data], **{hint: label}, **hints)


def test_a_message_names_the_hint_and_what_to_do() -> None:
    with pytest.raises(we.UnknownLabelError, match=r"^known: unknown encoding label 'cp932'; 'Shift_JIS' is nearest"):
        we.decode_html(b"", known="cp932")
    with pytest.raises(TypeError):
        we.decode_html(b"", known=932)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "label", ["utf-16", "utf-16be", "x-user-defined", "replacement", " \tUTF-16LE ", "iso-2022-kr"]
)
@pytest.mark.parametrize("hint", ["known", "override", "content_type", "history", "detector", "default"])
def test_hints_are_not_remapped(hint: str, label: str) -> None:
    value = f'text/html;charset="{label}"' if hint == "content_type" else label
    assert determined("html-parser", b"<p>", **{hint: value})[0] == lookup(label)


def test_encodings_as_hints() -> None:
    for hint in ("known", "override", "parent", "history", "detector", "default"):
        assert determined("html-parser", b"", **{hint: we.GBK})[0] == "GBK"


def test_parent() -> None:
    parent = ("EUC-KR", "tentative", "parent")
    history = ("GBK", "tentative", "history")
    assert determined("html-parser", b"", parent="euc-kr", history="gbk") == parent
    assert determined("html-parser", b"", parent="euc-kr", parent_same_origin=False, history="gbk") == history
    for utf_16 in ("utf-16le", "utf-16be"):
        assert determined("html-parser", b"", parent=utf_16, history="gbk") == history
    assert determined("html-parser", b"", parent="replacement")[0] == "replacement"
    assert determined("html-parser", b"", parent="x-user-defined")[0] == "x-user-defined"


def test_detector_is_called_only_when_its_step_is_reached() -> None:
    seen: list[bytes] = []

    def detector(data: bytes) -> str:
        seen.append(data)
        return " EUC-JP "

    for hint in ("known", "override", "parent", "history"):
        assert determined("html-parser", b"<p>", detector=detector, **{hint: "gbk"})[0] == "GBK"
    assert determined("html-parser", b"<p>", detector=detector, content_type="x/x;charset=gbk")[0] == "GBK"
    assert sniff.html(SJIS, detector=detector).encoding is we.SHIFT_JIS
    assert sniff.html(b"\xef\xbb\xbf", detector=detector).encoding is we.UTF_8
    assert seen == []
    answer = ("EUC-JP", "tentative", "detector")
    assert determined("html-parser", b"<p>", detector=detector, default="gbk", locale="ru") == answer
    assert determined("text-document", SJIS, detector=detector, default="gbk", locale="ru") == answer
    assert set(seen) == {b"<p>", SJIS}
    assert sniff.html(bytearray(b"<q>"), detector=detector).source == "detector"
    assert type(seen[-1]) is bytes


@pytest.mark.parametrize(
    ("answer", "name"),
    [("utf_8_sig", "UTF-8"), ("cp874", "windows-874"), ("ascii", "windows-1252"), ("x-sjis", "Shift_JIS")],
)
def test_detectors_answer_labels_and_codecs(answer: str, name: str) -> None:
    assert determined("html-parser", b"<p>", detector=lambda data: answer) == (name, "tentative", "detector")
    assert determined("html-parser", b"<p>", detector=lambda data: None, locale="ru")[2] == "locale"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("", we.UnknownLabelError), ("no-such-label", we.UnknownLabelError), ("utf_7", we.UnknownLabelError),
        (42, TypeError), (b"utf-8", TypeError), ({"encoding": "utf-8"}, TypeError),
    ],
)  # fmt: skip
def test_other_answers_of_detectors_are_errors(answer: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="detector"):
        sniff.html(b"<p>", detector=lambda data: answer)
    with pytest.raises(error, match="detector"):
        list(we.decode_stream("html-parser", [b"<p>"], detector=lambda data: answer))


def test_exceptions_of_a_detector_are_the_callers() -> None:
    def detector(data: bytes) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sniff.html(b"<p>", detector=detector)
    with pytest.raises(ZeroDivisionError):
        list(we.decode_stream("html-parser", [b"<p>"], detector=detector))


def test_chardetng() -> None:
    russian = "Съешь же ещё этих мягких французских булок, да выпей чаю"
    for name in ("windows-1251", "KOI8-U", "UTF-8"):
        data = we.lookup(name).encode(russian)
        assert determined("html-parser", data, detector=sniff.chardetng) == (name, "tentative", "detector")
    assert sniff.chardetng(we.UTF_8.encode(russian), allow_utf8=False) != "UTF-8"
    assert sniff.chardetng(memoryview(b"only ASCII")) is None
    assert sniff.chardetng(b"\x1b$B$3$s\x1b(B") == "ISO-2022-JP"
    assert determined("html-parser", b"<p>ASCII", detector=sniff.chardetng, locale="ja")[2] == "locale"


# --- Changing the encoding ---


@pytest.mark.parametrize(
    ("current", "confidence", "meta", "answer"),
    [
        ("windows-1252", "tentative", [("charset", "utf-8")], ("switch-or-reparse", "UTF-8", "certain")),
        ("windows-1252", "tentative", [("charset", "latin1")], ("confirm", "windows-1252", "certain")),
        ("windows-1252", "certain", [("charset", "utf-8")], ("none", "windows-1252", "certain")),
        ("windows-1252", "irrelevant", [("charset", "utf-8")], ("none", "windows-1252", "irrelevant")),
        ("windows-1252", "tentative", [], ("none", "windows-1252", "tentative")),
        ("windows-1252", "tentative", [("charset", "nope")], ("none", "windows-1252", "tentative")),
        # UTF-16 is kept, whatever a meta that was readable in it declares
        ("utf-16le", "tentative", [("charset", "utf-8")], ("confirm", "UTF-16LE", "certain")),
        ("utf-16be", "tentative", [("charset", "nope")], ("none", "UTF-16BE", "tentative")),
        ("gbk", "tentative", [("charset", "utf-16")], ("switch-or-reparse", "UTF-8", "certain")),
        ("utf-8", "tentative", [("charset", "utf-16")], ("confirm", "UTF-8", "certain")),
        ("gbk", "tentative", [("charset", "x-user-defined")], ("switch-or-reparse", "windows-1252", "certain")),
        ("gbk", "tentative", [("charset", "replacement")], ("switch-or-reparse", "replacement", "certain")),
        # The tree builder proceeds to http-equiv where the prescan stops
        ("gbk", "tentative", [("charset", "nope"), ("http-equiv", "Content-TYPE"), ("content", "charset=big5")],
         ("switch-or-reparse", "Big5", "certain")),
        ("gbk", "tentative", [("http-equiv", "content-type "), ("content", "charset=big5")],
         ("none", "GBK", "tentative")),
        ("gbk", "tentative", [("http-equiv", "content-type")], ("none", "GBK", "tentative")),
        ("gbk", "tentative", [("content", "charset=big5")], ("none", "GBK", "tentative")),
        ("gbk", "tentative", [("charset", "big5"), ("charset", "utf-8")], ("switch-or-reparse", "Big5", "certain")),
        ("gbk", "tentative", [("CHARSET", "big5")], ("switch-or-reparse", "Big5", "certain")),
    ],
)  # fmt: skip
def test_change_encoding(
    current: str, confidence: Any, meta: list[tuple[str, str]], answer: tuple[str, str, str]
) -> None:
    change = sniff.change_encoding(current, confidence, meta)
    assert (change.action, change.encoding.name, change.confidence) == answer
    assert sniff.change_encoding(we.lookup(current), confidence, meta) == change


def test_change_encoding_arguments() -> None:
    with pytest.raises(ValueError, match="not 'sure'"):
        sniff.change_encoding("gbk", "sure", [])  # type: ignore[arg-type]
    with pytest.raises(we.UnknownLabelError):
        sniff.change_encoding("nope", "tentative", [])


# --- XML ---


def test_order_of_xml() -> None:
    data = b'<?xml encoding="big5"?>'
    header = "text/xml;charset=gbk"
    assert determined("xml-parser", b"\xef\xbb\xbf" + data, override="sjis", content_type=header)[2] == "bom"
    assert determined("xml-parser", data, override="sjis", content_type=header) == ("Shift_JIS", "certain", "override")
    assert determined("xml-parser", data, content_type=header) == ("GBK", "certain", "transport")
    assert determined("xml-parser", data, content_type="text/xml") == ("Big5", "tentative", "xml")
    assert determined("xml-parser", b"<x/>", content_type="text/xml") == ("UTF-8", "tentative", "default")
    assert determined("xml-parser", SJIS) == ("UTF-8", "tentative", "default")


def test_xml_errors_are_fatal() -> None:
    with pytest.raises(UnicodeDecodeError) as raised:
        we.decode_xml(b"<a>\xff</a>")
    assert (raised.value.encoding, raised.value.start, raised.value.end) == ("UTF-8", 3, 4)
    with pytest.raises(UnicodeDecodeError):
        list(we.decode_stream("xml-parser", [b"<a>", b"\xff"]))
    # UTF-32 and EBCDIC are not supported: such documents fail to decode or to parse.
    with pytest.raises(UnicodeDecodeError):
        we.decode_xml("<?xml version='1.0'?>".encode("cp037"))


# --- CSS ---


def test_order_of_css() -> None:
    data, hints = b'@charset "sjis";', {"content_type": "text/css;charset=big5", "environment": "gbk"}
    assert determined("css-from-document", b"\xef\xbb\xbf" + data, **hints) == ("UTF-8", "certain", "bom")
    assert determined("css-from-document", data, **hints) == ("Big5", "certain", "transport")
    assert determined("css-from-document", data, environment="gbk") == ("Shift_JIS", "tentative", "css")
    assert determined("css-from-document", b"p{}", environment="gbk") == ("GBK", "tentative", "environment")
    assert determined("css-from-document", b"p{}") == ("UTF-8", "tentative", "default")


def test_css_environment_is_kept_as_it_is() -> None:
    assert determined("css-from-document", b"p{}", environment="utf-16be")[0] == "UTF-16BE"
    assert determined("css-from-document", b"p{}", content_type="text/css;charset=utf-16")[0] == "UTF-16LE"
    assert determined("css-from-document", b"p{}", environment="nope") == ("UTF-8", "tentative", "default")


def test_style_sheet_environment() -> None:
    environment = sniff.style_sheet_environment
    for referrer in ("link", "xml-stylesheet"):
        assert environment(referrer, charset="sjis", document="gbk", sheet="big5") is we.SHIFT_JIS
        assert environment(referrer, charset="nope", document="gbk", sheet="big5") is we.GBK
        assert environment(referrer, document="utf-16") is we.UTF_16LE
        assert environment(referrer) is None
    assert environment("import", charset="sjis", document="gbk", sheet="big5") is we.BIG5
    assert environment("link-header", charset="sjis", document="gbk", sheet="big5") is None
    with pytest.raises(ValueError, match=re.escape("not 'style'")):
        environment("style")  # type: ignore[arg-type]


# --- Scripts and text documents ---


def test_order_of_scripts() -> None:
    header = "image/png;charset=gbk"  # the essence is ignored
    hints = {"charset": "sjis", "document": "big5"}
    assert determined("classic-script", b"\xef\xbb\xbfx", content_type=header, **hints) == ("UTF-8", "certain", "bom")
    assert determined("classic-script", SJIS, content_type=header, **hints) == ("GBK", "certain", "transport")
    assert determined("classic-script", b"x", **hints) == ("Shift_JIS", "tentative", "script-charset")
    assert determined("classic-script", b"x", charset="nope", document="big5") == ("Big5", "tentative", "document")
    assert determined("classic-script", b"x") == ("UTF-8", "tentative", "document")


def test_order_of_text_documents() -> None:
    hints: dict[str, Any] = {"detector": "big5", "default": "gbk", "locale": "ja"}
    header = "text/plain;charset=koi8-r"
    data = SJIS + b'<?xml encoding="sjis"?>'
    assert determined("text-document", b"\xff\xfe" + data, override="ibm866")[2] == "bom"
    by_user = determined("text-document", data, override="ibm866", content_type=header)
    assert by_user == ("IBM866", "certain", "user-override")
    assert determined("text-document", data, content_type=header, **hints)[2] == "transport"
    for winner, answer in (("detector", "Big5"), ("default", "GBK"), ("locale", "Shift_JIS")):
        assert determined("text-document", data, **hints) == (answer, "tentative", winner)
        del hints[winner]
    assert determined("text-document", b"<\0?\0x\0") == ("windows-1252", "tentative", "locale")
    with pytest.raises(TypeError, match="parent"):
        sniff.text_document(b"", parent="gbk")  # type: ignore[call-arg]


# --- XMLHttpRequest ---


@pytest.mark.parametrize(
    ("content_type", "override_mime", "answer"),
    [
        (None, None, ("UTF-8", "tentative", "default")),
        ("text/plain;charset=sjis", None, ("Shift_JIS", "certain", "final-encoding")),
        ("text/plain;charset=sjis", "text/plain;charset=gbk", ("GBK", "certain", "final-encoding")),
        # An override without charset keeps that of the response, as does one with an unknown charset
        ("text/plain;charset=sjis", "text/plain", ("Shift_JIS", "certain", "final-encoding")),
        ("text/plain;charset=sjis", "text/plain;charset=nope", ("UTF-8", "tentative", "default")),
        ("text/plain;charset=sjis", 'text/plain;charset=""', ("UTF-8", "tentative", "default")),
        ("text/plain;charset=sjis", "no MIME type", ("Shift_JIS", "certain", "final-encoding")),
        ("text/plain;charset=nope", None, ("UTF-8", "tentative", "default")),
        # A single MIME type, not a list, and */* is one
        ("text/plain", "a/b;charset=gbk, a/b;charset=sjis", ("UTF-8", "tentative", "default")),
        ("text/plain", "*/*;charset=gbk", ("GBK", "certain", "final-encoding")),
    ],
)
@pytest.mark.parametrize("response_type", ["", "text"])
def test_xhr_text(content_type: str | None, override_mime: str | None, answer: Any, response_type: str) -> None:
    context = "xhr-text" if response_type == "text" or content_type else "xhr-text-xml"
    hints = {"content_type": content_type, "override_mime": override_mime, "response_type": response_type}
    for data in (SJIS, b"x"):  # XMLHttpRequest has no prescan
        assert determined(context, data, **hints) == answer
    assert determined(context, b"\xfe\xff" + SJIS, **hints) == ("UTF-16BE", "certain", "bom")


@pytest.mark.parametrize(
    ("content_type", "override_mime", "is_xml"),
    [
        (None, None, True), ("", None, True), ("*/*", None, True), ("application/xml", None, True),
        ("image/svg+xml", None, True), ("a/xml", None, False), ("text/html", None, False),
        ("text/html", "text/xml", True), ("text/xml", "text/plain", False), ("text/xml", "nonsense", False),
    ],
)  # fmt: skip
def test_xhr_text_of_xml(content_type: str | None, override_mime: str | None, is_xml: bool) -> None:
    data = b'<?xml encoding="big5"?>'
    sniffed = sniff.xhr_text(data, content_type=content_type, override_mime=override_mime)
    assert (sniffed.encoding.name, sniffed.source) == (("Big5", "xml") if is_xml else ("UTF-8", "default"))
    text = sniff.xhr_text(data, content_type=content_type, override_mime=override_mime, response_type="text")
    assert (text.encoding.name, text.source) == ("UTF-8", "default")
    with_charset = "text/xml;charset=gbk"
    assert sniff.xhr_text(data, content_type=with_charset).encoding is we.GBK


def test_xhr_response_types() -> None:
    with pytest.raises(ValueError, match="not 'json'"):
        sniff.xhr_text(b"", response_type="json")
    with pytest.raises(ValueError, match="not 'text'"):
        sniff.xhr_document(b"", response_type="text")


@pytest.mark.parametrize(
    ("data", "hints", "answer"),
    [
        (SJIS, {}, ("Shift_JIS", "certain", "prescan")),
        (b"<p>", {}, ("UTF-8", "certain", "default")),
        (b"\xef\xbb\xbf" + SJIS, {"content_type": "text/html;charset=gbk"}, ("UTF-8", "certain", "bom")),
        (SJIS, {"content_type": "text/html;charset=gbk"}, ("GBK", "certain", "final-encoding")),
        (SJIS, {"override_mime": "text/html;charset=gbk"}, ("GBK", "certain", "final-encoding")),
        (SJIS, {"content_type": "a/b", "override_mime": "text/html"}, ("Shift_JIS", "certain", "prescan")),
        (b'<?xml encoding="big5"?>', {}, ("Big5", "certain", "prescan")),
        (b"<\0?\0x\0", {}, ("UTF-16LE", "certain", "prescan")),
    ],
)
def test_xhr_document_html(data: bytes, hints: dict[str, str], answer: tuple[str, str, str]) -> None:
    assert determined("xhr-document-html", data, **({"content_type": "text/html"} | hints)) == answer
    assert sniff.xhr_document(data, content_type="text/html", response_type="") is None


def test_xhr_document_of_other_types() -> None:
    declaration, document = b'<?xml encoding="big5"?>', sniff.xhr_document
    for header in (None, "text/xml", "application/xhtml+xml"):
        assert document(declaration, content_type=header) == (we.BIG5, "tentative", "xml-parser")
        assert document(b"<x/>", content_type=header, response_type="") == (we.UTF_8, "tentative", "xml-parser")
    assert document(declaration, content_type="text/xml;charset=gbk") == (we.GBK, "certain", "xml-parser")
    assert document(b"\xff\xfe", content_type="text/xml;charset=gbk") == (we.UTF_16LE, "certain", "xml-parser")
    for header in ("text/plain", "application/json"):
        assert document(declaration, content_type=header) is None
    assert document(declaration, content_type="text/html", override_mime="nonsense") is None
    with pytest.raises(TypeError):
        document("", content_type="text/plain")  # type: ignore[arg-type]


# --- Blobs ---


def test_order_of_blobs() -> None:
    blob = sniff.blob_text
    assert blob(b"\xef\xbb\xbf", encoding="gbk") == (we.UTF_8, "certain", "bom")
    assert blob(SJIS, encoding="gbk", blob_type="a/b;charset=big5") == (we.GBK, "certain", "argument")
    assert blob(SJIS, encoding="nope", blob_type="a/b;charset=big5") == (we.BIG5, "certain", "type")
    assert blob(SJIS, blob_type="charset=big5") == (we.UTF_8, "tentative", "default")
    assert blob(SJIS) == (we.UTF_8, "tentative", "default")


# --- Content types ---


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("text/html; charset=sjis", "Shift_JIS"), (b"text/html; charset=sjis", "Shift_JIS"),
        (["text/html; charset=sjis"], "Shift_JIS"), (["text/html; charset=sjis", b"text/html"], "Shift_JIS"),
        (["text/html; charset=sjis", "text/plain"], None), ("text/html; charset=sjis, text/plain;charset=gbk", "GBK"),
        (["text/html;charset='sjis'"], None), ([], None), ("", None), ("charset=sjis", None),
        ("text/html; charset=sjis" + " " * 300, "Shift_JIS"),
    ],
)  # fmt: skip
def test_content_type(content_type: Any, name: str | None) -> None:
    expected = (name, "certain", "transport") if name else ("windows-1252", "tentative", "locale")
    assert determined("html-parser", b"<p>", content_type=content_type) == expected


# --- Arguments ---


@pytest.mark.parametrize(
    "function", [sniff.html, sniff.text_document, sniff.xml, sniff.css, sniff.script, sniff.xhr_text, sniff.blob_text]
)
def test_data(function: Any) -> None:
    for data in (b"\xfe\xff\0a", bytearray(b"\xfe\xff\0a"), memoryview(b"x\xfe\xff")[1:]):
        assert function(data).encoding is we.UTF_16BE
