"""Encodings in URLs and forms."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import oracle
from whatwg_encoding import urls
from whatwg_encoding._native.core import encode_to_first_error

# The standard's sets, each in addition to C0 controls, U+007F and above.
SETS = {
    "c0-control": "", "fragment": ' "<>`', "query": ' "#<>', "special-query": " \"#<>'", "path": ' "#<>?^`{}',
    "userinfo": ' "#<>?^`{}/:;=@[\\]|', "component": ' "#<>?^`{}/:;=@[\\]|$%&+,',
}  # fmt: skip


@pytest.mark.parametrize("name", [*SETS, "form-urlencoded"])
def test_percent_encode_sets(name: str) -> None:
    for code in range(0x80):
        character = chr(code)
        if name == "form-urlencoded":
            plain = character.isalnum() or character in "*-._"
        else:
            plain = 0x20 <= code < 0x7F and character not in SETS[name]
        expected = character if plain else f"%{code:02X}"
        assert urls.percent_encode_after_encoding("utf-8", character, name) == expected
        if character == " ":
            expected = "+"
        assert urls.percent_encode_after_encoding("utf-8", character, name, space_as_plus=True) == expected
    assert urls.percent_encode_after_encoding("utf-8", "é😀", name) == "%C3%A9%F0%9F%98%80"


@pytest.mark.parametrize(
    ("encoding", "text", "name", "encoded"),
    [
        ("Shift_JIS", " ", "userinfo", "%20"), ("Shift_JIS", "≡", "userinfo", "%81%DF"),
        ("Shift_JIS", "‽", "userinfo", "%26%238253%3B"), ("ISO-2022-JP", "¥", "userinfo", "%1B(J%5C%1B(B"),
        ("Shift_JIS", "1+1 ≡ 2%20‽", "userinfo", "1+1%20%81%DF%202%20%26%238253%3B"),
        ("iso-2022-jp", "¥☃¥", "query", "%1B(J\\%26%239731%3B\\%1B(B"),  # a state outlives an error
        ("shift_jis", "表ア¥‾", "query", "%95\\%83A\\~"),  # ASCII bytes stay, trailing bytes among them
        ("windows-1252", "☃\U0001f600", "special-query", "%26%239731%3B%26%23128512%3B"),
        # A lone surrogate is encoded as U+FFFD
        ("utf-8", "\ud800", "query", "%EF%BF%BD"), ("windows-1252", "a\udc00b", "query", "a%26%2365533%3Bb"),
        ("windows-1252", "&#9731;%", "form-urlencoded", "%26%239731%3B%25"),
        ("windows-1252", "é à", "form-urlencoded", "%E9%20%E0"),
    ],
)  # fmt: skip
def test_percent_encode_after_encoding(encoding: str, text: str, name: str, encoded: str) -> None:
    assert urls.percent_encode_after_encoding(encoding, text, name) == encoded
    assert urls.percent_encode_after_encoding(we.lookup(encoding), text, name) == encoded


NAMES = ["UTF-8", "windows-1251", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "Big5", "gb18030", "x-user-defined"]


CHARACTERS = st.characters(exclude_categories=["Cs"])


@given(text=st.text(CHARACTERS | st.sampled_from("aあ¥☃~\\‾ｱ\x1b")), name=st.sampled_from(NAMES))
def test_percent_encoding_is_encoding(text: str, name: str) -> None:
    """Percent-decoding gives the result of encoding in mode "html", with ``&#…;`` of an error percent-encoded."""
    encoded = urls.percent_encode_after_encoding(name, text, "form-urlencoded", space_as_plus=True)
    decoded = urls.percent_decode(encoded.replace("+", " ").encode("ascii"))
    assert decoded == oracle.encode(name, text).output


def test_percent_encode_arguments() -> None:
    for encoding in ("replacement", "utf-16le", "utf-16be"):
        with pytest.raises(we.EncoderUnavailableError):
            urls.percent_encode_after_encoding(encoding, "", "query")
    with pytest.raises(we.UnknownLabelError):
        urls.percent_encode_after_encoding("nope", "", "query")
    with pytest.raises(ValueError, match=r"unknown percent-encode set 'Query'; the sets are c0-control, fragment"):
        urls.percent_encode_after_encoding("utf-8", "", "Query")


def test_many_errors_take_linear_time() -> None:
    assert urls.percent_encode_after_encoding("windows-1252", "☃" * 200_000, "query") == "%26%239731%3B" * 200_000


@pytest.mark.parametrize("text", ["☃" * 20_000, ("a" * 999 + "☃") * 200], ids=["errors alone", "one in a thousand"])
@pytest.mark.parametrize("type_", [str, type("Text", (str,), {})])
def test_an_error_does_not_cost_a_look_at_all_that_follows(
    text: str, type_: type[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = 0

    def count(encoder: we.Encoder, text: str, start: int) -> tuple[bytes, int | None, int]:
        nonlocal offered
        assert type(text) is str  # an instance of a subclass is copied, whole, by each call
        offered += len(text) - start
        return encode_to_first_error(encoder, text, start)

    monkeypatch.setattr(urls, "encode_to_first_error", count)
    urls.percent_encode_after_encoding("shift_jis", type_(text), "query")
    assert len(text) <= offered <= len(text) + text.count("☃") * 10_000


def test_the_encoder_keeps_its_state_through_a_long_text() -> None:
    text = "あ¥~a" * 9_000 + "☃" + "あ" * 9_000
    encoded = urls.percent_encode_after_encoding("iso-2022-jp", text, "query")
    assert urls.percent_decode(encoded.encode()) == we.ISO_2022_JP.encode(text)


@pytest.mark.parametrize(
    ("scheme", "document", "name"),
    [
        ("https", "gbk", "GBK"), ("HTTP", "gbk", "GBK"), ("ftp", "gbk", "GBK"), ("file", "gbk", "GBK"),
        ("ws", "gbk", "UTF-8"), ("wss", "gbk", "UTF-8"), ("mailto", "gbk", "UTF-8"), ("data", "gbk", "UTF-8"),
        ("https", "utf-16le", "UTF-8"), ("https", "replacement", "UTF-8"),
        ("https", "x-user-defined", "x-user-defined"),
    ],
)  # fmt: skip
def test_query_encoding(scheme: str, document: str, name: str) -> None:
    assert urls.query_encoding(scheme, document).name == name


@pytest.mark.parametrize(
    ("pairs", "encoding", "serialized"),
    [
        ([], "utf-8", ""), ([("", "")], "utf-8", "="), ([("a b", "c&d"), ("é", "=")], "utf-8", "a+b=c%26d&%C3%A9=%3D"),
        ([("é", "☃")], "windows-1252", "%E9=%26%239731%3B"), ([("é", "é")], "utf-16le", "%C3%A9=%C3%A9"),
        ([("é", "é")], "replacement", "%C3%A9=%C3%A9"),
        # Name and value have their own encodings
        ([("¥", "¥")], "iso-2022-jp", "%1B%28J%5C%1B%28B=%1B%28J%5C%1B%28B"),
    ],
)  # fmt: skip
def test_serialize_form(pairs: list[tuple[str, str]], encoding: str, serialized: str) -> None:
    assert urls.serialize_form(pairs, encoding) == serialized
    if encoding == "utf-8":
        assert urls.serialize_form(pairs) == serialized
        assert urls.parse_form(serialized.encode("ascii")) == pairs


@pytest.mark.parametrize(
    ("accept_charset", "document", "name"),
    [
        (None, "gbk", "GBK"), (None, "utf-16le", "UTF-8"), (None, "x-user-defined", "x-user-defined"),
        ("", "gbk", "UTF-8"), ("nope", "gbk", "UTF-8"), ("nope sjis big5", "gbk", "Shift_JIS"),
        ("\t\n\f\r SJIS ", "gbk", "Shift_JIS"), ("sjis,big5", "gbk", "UTF-8"), ("nope\vsjis", "gbk", "UTF-8"),
        ("iso-2022-kr koi8-r", "gbk", "UTF-8"), ("utf-16 koi8-r", "gbk", "UTF-8"),
    ],
)  # fmt: skip
def test_form_encoding(accept_charset: str | None, document: str, name: str) -> None:
    assert urls.form_encoding(accept_charset, document).name == name


# --- Forms that are not in UTF-8, and mappings ---


@pytest.mark.parametrize("encoding", [encoding for encoding in we.ENCODINGS.values() if encoding.has_encoder])
def test_forms_in_legacy_encodings_make_the_round_trip(encoding: we.Encoding) -> None:
    text = "".join(character for character in "a+b &=%é日本한Жش" if b"&#" not in encoding.encode(character))
    fields = [(text, ""), ("x", text)]
    form = urls.serialize_form(fields, encoding).encode()
    assert urls.parse_form(form, encoding) == urls.parse_form(form, encoding=encoding.name) == fields


@pytest.mark.parametrize(
    ("form", "encoding", "expected"),
    [
        (b"q=%82%A0", "shift_jis", [("q", "あ")]),
        (b"%82%A0", "shift_jis", [("あ", "")]),  # not isindex: a name without a value
        (b"=%82%A0", "shift_jis", [("", "あ")]),
        (b"q=%FF", "utf-8", [("q", "\ufffd")]),
        (b"q=%E3%81%82", "utf-16le", [("q", "あ")]),  # no form is in UTF-16 or replacement
        (b"q=%E3%81%82", "replacement", [("q", "あ")]),
        (b"q=%EF%BB%BFa", "gbk", [("q", "锘縜")]),  # BOMs are not handled
        (b"q=\xef\xbb\xbfa", None, [("q", "\ufeffa")]),
        (b"q=%26%239731%3B", "koi8-r", [("q", "&#9731;")]),
        # _charset_ decides at any position if its value is a label
        (b"q=%82%A0&_charset_=Shift_JIS", "koi8-r", [("q", "あ"), ("_charset_", "Shift_JIS")]),
        (b"_CHARSET_=sjis&q=%82%A0", "koi8-r", [("_CHARSET_", "sjis"), ("q", "あ")]),
        (b"_charset_=cp932&_charset_=sjis&q=%82%A0", "koi8-r",
         [("_charset_", "cp932"), ("_charset_", "sjis"), ("q", "あ")]),
        (b"_charset_=&q=%C1", "koi8-r", [("_charset_", ""), ("q", "а")]),
        (b"_charset_=utf-16&q=%E3%81%82", "koi8-r", [("_charset_", "utf-16"), ("q", "あ")]),
        # Absent from the standard's parser
        (b"_charset_=sjis&q=%82%A0", None, [("_charset_", "sjis"), ("q", "\ufffd\ufffd")]),
    ],
)  # fmt: skip
def test_forms_in_legacy_encodings(form: bytes, encoding: str | None, expected: list[tuple[str, str]]) -> None:
    assert urls.parse_form(form, encoding) == expected


def test_an_unknown_encoding_of_a_form() -> None:
    with pytest.raises(we.UnknownLabelError):
        urls.parse_form(b"", encoding="cp932")


def test_mappings_are_forms() -> None:
    from types import MappingProxyType
    from urllib.parse import urlencode

    for fields in ({"ab": "cd"}, {"a b": "&", "é": ""}, {}):
        for mapping in (fields, MappingProxyType(fields)):
            assert urls.serialize_form(mapping) == urls.serialize_form(list(fields.items())) == urlencode(fields)


@pytest.mark.parametrize("fields", ["abcd", ["ab"], [("a",)], [("a", "b", "c")], {"ab"}])
def test_what_is_no_form(fields: object) -> None:
    with pytest.raises(TypeError, match="is not a pair"):
        urls.serialize_form(fields)  # type: ignore[arg-type]


def test_a_form_names_its_encoding() -> None:
    fields = [("_charset_", "x"), ("q", "y"), ("_CharSet_", ""), ("\u212acharset", "z"), ("_charset_\u212a", "z")]
    for label, name in (("sjis", "Shift_JIS"), ("utf-16", "UTF-8"), ("latin1", "windows-1252")):
        expected = [("_charset_", name), ("q", "y"), ("_CharSet_", name), *fields[3:]]
        assert urls.fill_in_charset(fields, label) == expected
        assert urls.fill_in_charset(dict(fields), we.lookup(label)) == expected
    form = urls.serialize_form(urls.fill_in_charset({"q": "日本", "_charset_": ""}, "euc-jp"), "euc-jp")
    assert urls.parse_form(form.encode(), "windows-1252") == [("q", "日本"), ("_charset_", "EUC-JP")]


@pytest.mark.parametrize("name", [name for name, encoding in we.ENCODINGS.items() if encoding.has_encoder])
@pytest.mark.shapes
@given(text=st.text(st.sampled_from('a"%\r\n日é☃\ud800'), max_size=9))
def test_names_in_multipart_forms(name: str, text: str) -> None:
    encoding = we.ENCODINGS[name]

    def escaped(text: str) -> bytes:
        output = oracle.encode(name, text).output
        return b"".join(b"%%%02X" % byte if byte in b'\r\n"' else bytes((byte,)) for byte in output)

    assert urls.multipart_name(text, encoding, is_file_name=True) == escaped(text)
    # A CR without an LF after it, and an LF without a CR before it, are newlines of one character.
    lines = re.sub("(?<!\r)\n", "\r\n", re.sub("\r(?!\n)", "\r\n", text))
    assert urls.multipart_name(text, encoding) == escaped(lines)


def test_names_in_multipart_forms_without_an_encoder() -> None:
    assert urls.multipart_name("é", we.UTF_16LE) == urls.multipart_name("é", "replacement") == b"\xc3\xa9"
