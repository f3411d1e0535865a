"""The drop-in compared with webencodings 0.6.1, its documented differences, and html5lib on top of it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest
import webencodings as original
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.programs import python
from tests.reference import inputs, oracle
from whatwg_encoding import webencodings as replacement

# Encodings whose Python codec decodes well-formed text as the standard does, and the standard's output encoding.
SAME = ["utf-8", "utf-16le", "utf-16be", "windows-1251", "iso-8859-2", "koi8-r", "x-user-defined"]

text = st.text(st.sampled_from("aé\nЖŽ\uf7e9\ufeff"), max_size=6)


def test_the_original_is_the_version_that_this_stands_for() -> None:
    assert original.VERSION == original.__version__ == replacement.VERSION == replacement.__version__


def test_every_name_is_there() -> None:
    modules = {name for name in vars(original) if isinstance(getattr(original, name), type(sys))}
    names = {name for name in vars(original) if not name.startswith("__")} - modules
    names -= {"user_codec_info", "replacement_codec_info", "_iter_decode_generator", "_iter_encode_generator"}
    assert names
    assert names - set(vars(replacement)) == set()


def test_labels() -> None:
    assert replacement.LABELS == original.LABELS
    for label in [
        *original.LABELS, " UTF8\n", "Latin1", "u8", "utf-8\xa0", "LATİN1", "\u212aoi8-r", "", "latin-1",
        "\ufeffutf-8",
    ]:  # fmt: skip
        expected, encoding = original.lookup(label), replacement.lookup(label)
        assert (encoding and encoding.name) == (expected and expected.name), label
        assert replacement.lookup(label) is encoding
        assert repr(encoding) == repr(expected)


def test_a_surrogate_in_a_label_is_a_label_of_none() -> None:
    assert replacement.lookup("utf-8\ud800") is None  # webencodings raises UnicodeEncodeError


def test_ascii_lower() -> None:
    for string in ("Bac\N{KELVIN SIGN}ground", "ÀÉ", "AZaz[", ""):
        assert replacement.ascii_lower(string) == original.ascii_lower(string)
    assert replacement.ascii_lower("A\ud800") == "a\ud800"


@given(st.sampled_from(SAME), text, st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]))
def test_decode_beside_the_original(label: str, string: str, bom: bytes) -> None:
    data = bom + original.encode(string, label, "ignore")
    bom_encoding = we.bom_sniff(data)
    encoding = bom_encoding.name if bom_encoding else replacement.LABELS[label]
    # An odd trailing byte is dropped, since Python's codecs and the standard count errors differently.
    data = data[: len(data) // 2 * 2] if "16" in encoding else data
    expected, expected_encoding = original.decode(data, label, "ignore")
    assert replacement.decode(data, label, "ignore") == (expected, replacement.lookup(expected_encoding.name))
    assert replacement.decode(data, replacement.lookup(label) or "", "ignore")[0] == expected


@given(st.sampled_from(SAME), text, st.sampled_from(["ignore", "replace", "xmlcharrefreplace", "backslashreplace"]))
def test_encode_beside_the_original(label: str, string: str, errors: str) -> None:
    assert replacement.encode(string, label, errors) == original.encode(string, label, errors)


@given(
    st.sampled_from(SAME),
    st.lists(st.sampled_from([b"", b"\xef", b"\xbb", b"\xbf", b"\xff", b"\xfe", b"a", b"a\x00", b"\xe9"]), max_size=6),
)
def test_incremental_decoding_beside_the_original(label: str, chunks: list[bytes]) -> None:
    if "16" in label or we.bom_sniff(b"".join(chunks)) not in (None, we.UTF_8):
        chunks = [*chunks, b"\x00"] if len(b"".join(chunks)) % 2 else chunks
    expected, decoder = original.IncrementalDecoder(label), replacement.IncrementalDecoder(label)
    outputs, expected_outputs = [], []
    for chunk in chunks:
        expected_outputs.append(expected.decode(chunk))
        outputs.append(decoder.decode(chunk))
        assert (decoder.encoding and decoder.encoding.name) == (expected.encoding and expected.encoding.name)
    text = "".join(outputs) + decoder.decode(b"", final=True)
    assert text == "".join(expected_outputs) + expected.decode(b"", final=True)
    assert decoder.encoding.name == expected.encoding.name
    iterator, encoding = replacement.iter_decode(chunks, label)
    assert ("".join(iterator), encoding) == (text, decoder.encoding)


def test_iter_decode_reads_no_more_than_it_must() -> None:
    taken = 0

    def source() -> Iterator[bytes]:
        nonlocal taken
        for chunk in (b"\xef", b"\xbb", b"\xbfa", b"b", b"\xc3"):
            taken += 1
            yield chunk

    output, encoding = replacement.iter_decode(source(), "latin1")
    assert (encoding, taken) == (replacement.UTF8, 3)
    assert (next(output), taken) == ("a", 3)
    assert (list(output), taken) == (["b", "\ufffd"], 5)


def test_iter_encode() -> None:
    assert list(replacement.iter_encode(["", "あ", "", "い"], "iso-2022-jp")) == [b'\x1b$B$"', b"$$", b"\x1b(B"]
    assert list(replacement.iter_encode(["é"])) == [b"\xc3\xa9"]
    with pytest.raises(UnicodeEncodeError):
        list(replacement.iter_encode(["\u2603"], "latin1"))


def test_defaults() -> None:
    assert replacement.encode("é") == b"\xc3\xa9"
    with pytest.raises(UnicodeEncodeError):
        replacement.encode("\u2603", "latin1")
    assert replacement.decode(b"\xff", "utf-8") == ("\ufffd", replacement.UTF8)
    with pytest.raises(UnicodeDecodeError):
        replacement.decode(b"\xff", "utf-8", "strict")
    encoder = replacement.IncrementalEncoder()
    assert encoder.encode("é") + encoder.encode("", final=True) == b"\xc3\xa9"


@pytest.mark.parametrize(
    "call",
    [
        lambda label: replacement.decode(b"\xef\xbb\xbf", label),
        lambda label: replacement.encode("", label),
        lambda label: replacement.iter_decode([], label),
        lambda label: replacement.iter_encode([], label),
        replacement.IncrementalDecoder,
        replacement.IncrementalEncoder,
    ],
)
def test_what_is_no_encoding_fails_early(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LookupError, match="Unknown encoding label: 'invalid'"):
        call("invalid")
    with pytest.raises(TypeError, match="must be an Encoding or a label, not int"):
        call(5)


def test_encodings_of_this_package_do_as_well() -> None:
    data = b"\x82\xa0"
    assert replacement.decode(data, we.SHIFT_JIS) == ("あ", we.SHIFT_JIS)  # type: ignore[comparison-overlap, arg-type]
    assert replacement.encode("あ", we.SHIFT_JIS) == b"\x82\xa0"  # type: ignore[arg-type]


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decoders_are_the_standards(name: str) -> None:
    encoding = replacement.lookup(name)
    assert encoding is not None
    for data in inputs.vectors(name)[::9]:
        expected = oracle.decode(name, data).text
        assert encoding.codec_info.streamreader(io.BytesIO(data), "replace").read() == expected
        if we.bom_sniff(data) is None:
            assert replacement.decode(data, name) == (expected, encoding)
            decoder = replacement.IncrementalDecoder(name)
            assert "".join(decoder.decode(bytes((byte,))) for byte in data) + decoder.decode(b"", True) == expected


def test_replacement_has_no_bytes() -> None:
    assert replacement.encode("", "replacement") == original.encode("", "replacement") == b""
    assert replacement.encode("abc", "replacement", "ignore") == b""
    encoding = replacement.lookup("replacement")
    for call in (
        lambda: replacement.encode("abc", "replacement"), lambda: list(replacement.iter_encode(["abc"], "replacement")),
        lambda: encoding.codec_info.streamwriter(io.BytesIO()).write("abc"),
    ):  # fmt: skip
        with pytest.raises(UnicodeEncodeError):
            call()


def test_utf_16_is_encoded_as_there() -> None:
    for label in ("utf-16", "utf-16le", "utf-16be"):
        assert replacement.encode("é\U0001f4a9", label) == original.encode("é\U0001f4a9", label)
        assert list(replacement.iter_encode(["é"], label)) == list(original.iter_encode(["é"], label))
        stream = io.BytesIO()
        replacement.lookup(label).codec_info.streamwriter(stream).write("é")  # type: ignore[union-attr]
        assert stream.getvalue() == original.encode("é", label)


def test_install_and_uninstall() -> None:
    before = dict(sys.modules)
    with pytest.warns(RuntimeWarning, match=rf"imported webencodings before .*\b{__name__}\b") as warned:
        replacement.install()
    assert len(warned) == 1
    assert warned[0].filename == __file__
    replacement.install()  # installing again has no effect and gives no warning
    try:
        import webencodings
        from webencodings import labels
        from webencodings.labels import LABELS

        assert webencodings is replacement
        assert LABELS is labels.LABELS is replacement.LABELS
    finally:
        replacement.uninstall()
    assert sys.modules["webencodings"] is original
    assert sys.modules["webencodings.labels"] is before["webencodings.labels"]
    replacement.uninstall()
    assert sys.modules["webencodings"] is original


def run(code: str) -> str:
    return python(f"from whatwg_encoding import webencodings\nwebencodings.install()\n{code}")


def test_modules_that_came_before_are_named() -> None:
    program = """
import html5lib, tinycss2, warnings
from whatwg_encoding import webencodings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    webencodings.install()
print(*(warning.message for warning in caught))
"""
    said = python(program)
    assert said.count("\n") == 1
    assert ": html5lib._inputstream, tinycss2.ast, tinycss2.bytes, tinycss2.tokenizer. Call install() before" in said
    quiet = "import warnings; warnings.simplefilter('error')\nimport html5lib, tinycss2; print('quiet')"
    assert run(quiet) == "quiet\n"


def test_html5lib_and_an_encoding_that_attackers_like() -> None:
    code = """
import html5lib, io
page = b"<!doctype html><body><script>alert(1)</script>"
for label in ("iso-2022-kr", "hz-gb-2312", "iso-2022-cn"):
    document = html5lib.parse(page, transport_encoding=label, namespaceHTMLElements=False)
    print("".join(document.itertext()) == "\\ufffd", [element.tag for element in document.iter()])
    info = html5lib._inputstream.lookupEncoding(label).codec_info
    print(info.streamreader(io.BytesIO(page), "replace").read() == "\\ufffd")
"""
    assert run(code) == "True ['html', 'head', 'body']\nTrue\n" * 3


def test_html5lib_and_a_page_longer_than_its_buffer() -> None:
    code = """
import html5lib
text = "\\u3042\\u3044" * 30000
for label in ("iso-2022-jp", "euc-jp", "shift_jis", "gb18030"):
    from whatwg_encoding import encode
    page = b"<!doctype html><p>" + encode(text, label)
    print("".join(html5lib.parse(page, transport_encoding=label, namespaceHTMLElements=False).itertext()) == text)
"""
    assert run(code) == "True\n" * 4


def test_tinycss2_and_bleach() -> None:
    code = """
import tinycss2, bleach
sheet = b'@charset "shift_jis"; a::after { content: "\\x82\\xa0" }'
rules, encoding = tinycss2.parse_stylesheet_bytes(sheet)
print(encoding, ascii(tinycss2.serialize(rules[-1:])))
print(ascii(bleach.clean("<script>a</script><b>\\u3042</b>")))
"""
    assert run(code).splitlines() == [
        "<Encoding shift_jis> 'a::after { content: \"\\u3042\" }'",
        "'&lt;script&gt;a&lt;/script&gt;<b>\\u3042</b>'",
    ]
