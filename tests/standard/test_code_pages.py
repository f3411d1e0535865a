"""The code pages outside the standard, against Python's codecs: both directions, streams, error modes, and the web."""

from __future__ import annotations

import codecs
import copy
import pickle
from random import Random

import pytest

import whatwg_encoding as we
from tests.programs import python
from tests.standard.comparison import every_scalar_value, is_same_text, outcome, refusal
from whatwg_encoding import code_pages

PAGES = {name: page for name, page in code_pages.CODE_PAGES.items() if not name.startswith("UTF")}
UTF_32 = {name: page for name, page in code_pages.CODE_PAGES.items() if name.startswith("UTF")}
every = pytest.mark.parametrize("name", code_pages.CODE_PAGES)

EVERY_SCALAR_VALUE = every_scalar_value()
#: A string of each kind: Latin-1, UCS-2 and UCS-4.
OF_EACH_KIND = (EVERY_SCALAR_VALUE[:0x100], EVERY_SCALAR_VALUE[:0xF800], EVERY_SCALAR_VALUE)


def material(name: str) -> list[bytes]:
    """Return texts of each kind of string, with errors and without, and longer than every internal buffer."""
    if name in UTF_32:
        texts = [text.encode(name) for text in ("abc", "é" * 5, "Жa", "\U0001f600z", "\ufeffx")]
        order = "little" if name.endswith("LE") else "big"
        wrong = [number.to_bytes(4, order) for number in (0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF)]
        items = [*texts, *wrong, b"\0", b"\0\0\0"]
    else:
        items = [bytes([byte]) for byte in range(0x100)]
    random = Random(name)
    long = [b"".join(random.choices(items, k=count)) for count in (3, 40, 700, 5000)]
    return [*items, b"".join(items), *long, "abc 123\r\n".encode(name) * 3000]


def test_names() -> None:
    expected = "437 720 737 775 850 852 855 856 857 858 860 861 862 863 864 865 866 869 1125 037 273 424 500 875 1006 "
    expected += "1026 1140"
    macintosh = ("arabic", "croatian", "farsi", "greek", "iceland", "latin2", "romanian", "turkish")
    assert {*PAGES} == {f"cp{number}" for number in expected.split()} | {f"mac_{name}" for name in macintosh}
    assert {*UTF_32} == {"UTF-32LE", "UTF-32BE"}
    for name, page in code_pages.CODE_PAGES.items():
        assert getattr(code_pages, name.upper().replace("-", "_")) is page
        assert page.name == str(page) == name
        assert repr(page) == f"<Encoding {name}>"
        assert page.output_encoding is page
        assert (page.is_legacy, page.has_encoder, page.is_utf_16) == (True, True, False)
        assert page.is_single_byte == (name in PAGES)
        assert page.labels[0] == name.lower()


@pytest.mark.parametrize(
    "label",
    ["cp850", "850", "ibm850", "dos-850", "CP 850", " Cp-850\n", "IBM_850", "code page 850"],
)
def test_lookup(label: str) -> None:
    assert code_pages.lookup(label) is code_pages.CP850


def test_every_alias_of_python_is_a_name() -> None:
    import encodings.aliases

    for alias, codec in encodings.aliases.aliases.items():
        if codec in PAGES:
            assert code_pages.lookup(alias) is PAGES[codec]
    assert code_pages.lookup("mac-greek") is code_pages.lookup("x-mac-greek") is code_pages.MAC_GREEK
    assert code_pages.lookup("utf-32") is code_pages.lookup("UTF_32_LE") is code_pages.UTF_32LE


@pytest.mark.parametrize(
    "name", ["", "8500", "cp85", "utf-8", "sjis", "cp８５０", "850\0", "é" * 9, "8" * 1_000_000, "\ud800", "-_."]
)
def test_hostile_names(name: str) -> None:
    with pytest.raises(we.UnknownLabelError) as raised:
        code_pages.lookup(name)
    assert len(str(raised.value)) < 300


def test_a_name_that_is_no_str() -> None:
    for name in (850, b"cp850", None):
        with pytest.raises(TypeError, match="must be a str"):
            code_pages.lookup(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PAGES)
def test_every_byte_and_every_scalar_value(name: str) -> None:
    page, data = PAGES[name], bytes(range(0x100))
    assert is_same_text(page.decode(data), data.decode(name, "replace"))
    for byte in range(0x100):
        single = bytes([byte])
        expected = single.decode(name, "replace")
        assert is_same_text(page.decode(single), expected)
        assert is_same_text(page.decode(single * 700), expected * 700)
        assert page.decode_to_utf8(single * 700) == (expected * 700).encode()
        assert page.valid_up_to(single) == (expected != "\ufffd")
    # The mode "html" writes what Python's "xmlcharrefreplace" does.
    for text in OF_EACH_KIND[:2]:
        expected_bytes = text.encode(name, "xmlcharrefreplace")
        assert page.encode(text) == expected_bytes
        assert page.encoded_length(text) == len(expected_bytes)
    wide = EVERY_SCALAR_VALUE[:0x180] + EVERY_SCALAR_VALUE[0xF000::997]
    assert page.encode(wide) == wide.encode(name, "xmlcharrefreplace")
    assert not any(
        page.new_encoder().encode(single, True)[:1] != page.encode("&") for single in EVERY_SCALAR_VALUE[0x10000::997]
    )
    ascii_text = data[:0x80].decode("ascii")
    both_ways = data[:0x80].decode(name, "replace"), ascii_text.encode(name, "replace")
    assert page.is_ascii_compatible == (both_ways == (ascii_text, data[:0x80]))


@pytest.mark.parametrize("name", UTF_32)
def test_utf_32_of_every_scalar_value(name: str) -> None:
    page = UTF_32[name]
    for text in (
        EVERY_SCALAR_VALUE,
        EVERY_SCALAR_VALUE[:0x80],
        EVERY_SCALAR_VALUE[:0x100],
        EVERY_SCALAR_VALUE[:0x10000],
    ):
        data = text.encode(name)
        assert page.encode(text) == data
        assert page.encoded_length(text) == len(data)
        assert is_same_text(page.decode(data), text)
        assert page.decode_to_utf8(data) == text.encode()
        assert page.valid_up_to(data) == len(data)
    assert page.encode("a\ud800b") == "a\ufffdb".encode(name)


@pytest.mark.parametrize("name", UTF_32)
def test_utf_32_errors(name: str) -> None:
    """A surrogate or a number above 10FFFF is an error of four bytes; so are fewer bytes at the end."""
    page, order = UTF_32[name], "little" if name.endswith("LE") else "big"
    for number in (0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0x1000000, 0x80000041, 0xFFFFFFFF):
        for place in range(40):
            data = "a".encode(name) * place + number.to_bytes(4, order) + "☃".encode(name) * (40 - place)
            assert page.decode(data) == "a" * place + "\ufffd" + "☃" * (40 - place)
            assert page.decode_to_utf8(data) == page.decode(data).encode()
            assert page.valid_up_to(data) == 4 * place
            assert refusal(page.decode, data, "fatal") == (name, data, (4 * place, 4 * place + 4))
    for cut in range(1, 4):
        data = "ab".encode(name)[: 4 + cut]
        assert page.decode(data) == "a\ufffd"
        assert refusal(page.decode, data, "fatal") == (name, data, (4, 4 + cut))


@every
def test_every_split(name: str) -> None:
    page = code_pages.CODE_PAGES[name]
    for data in material(name):
        text = page.decode(data)
        if name in PAGES:
            assert text == data.decode(name, "replace")
        random = Random(len(data))
        cuts = range(len(data) + 1) if len(data) < 60 else sorted(random.sample(range(len(data)), 12))
        for cut in cuts:
            decoder = page.new_decoder()
            first = decoder.decode(data[:cut]) + decoder.decode(b"")
            again = pickle.loads(pickle.dumps(decoder))
            second = decoder.decode(data[cut:], True)
            assert first + second == text
            assert again.decode(data[cut:], True) == second
            assert len(decoder.getstate()[0]) == 0
        encoder = page.new_encoder()
        encoded = page.encode(text)
        for cut in (0, len(text) // 3, len(text)):
            assert encoder.encode(text[:cut]) + encoder.encode(text[cut:], True) == encoded


@every
def test_fatal_errors(name: str) -> None:
    page = code_pages.CODE_PAGES[name]
    for data in material(name):
        expected = outcome(data.decode, name)
        result = outcome(page.decode, data, "fatal")
        if isinstance(expected, str):
            assert result == expected
        else:
            assert result[2][0] == expected[2][0] == page.valid_up_to(data)
    if name in PAGES:
        assert refusal(page.encode, "a☃b", "fatal") == (name, "a☃b", (1, 2))


HANDLERS = ("strict", "replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace", "surrogateescape",
            "surrogatepass")  # fmt: skip


@every
def test_python_s_error_handlers(name: str) -> None:
    """The codec of an encoding does what Python's codec of that name does."""
    for handler in HANDLERS:
        check_handler(name, handler)


def check_handler(name: str, handler: str) -> None:
    info = code_pages.CODE_PAGES[name].codec_info
    texts = ["abc", "a☃é☃☃z", "\ud800x", "x\udc80y\udcffz", "\U0001f600" * 100, "aé" * 500 + "☃"]
    for text in texts:
        if name in UTF_32 and handler == "surrogateescape":
            continue  # Python refuses single bytes in UTF-32
        expected = outcome(text.encode, name, handler)
        result = outcome(info.encode, text, handler)
        assert (result[0] if isinstance(expected, bytes) else result[2][0]) == (
            expected if isinstance(expected, bytes) else expected[2][0]
        ), text
    if handler in ("xmlcharrefreplace", "namereplace"):
        return  # of encoders alone
    for data in material(name):
        expected = outcome(data.decode, name, handler)
        result = outcome(info.decode, data, handler)
        if isinstance(expected, str):
            assert result[0] == expected
        else:
            assert result[2][0] == expected[2][0]


@every
def test_objects(name: str) -> None:
    page = code_pages.CODE_PAGES[name]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(page, protocol)) is page
    assert copy.deepcopy(page) is page
    assert code_pages.lookup(name) is page
    text = "abc"
    data = page.encode(text)
    assert we.decode(data, page).text == text
    assert we.decode_many([(data, page)]) == [text]
    assert we.recode(data, page, "utf-8") == text.encode()
    assert we.recode(text.encode(), "utf-8", page) == data


@every
@pytest.mark.usefixtures("registered")
def test_the_web_knows_none_of_them(name: str) -> None:
    """No label, no hint of a page, no codec of ``register_codecs`` and no column of labels names a code page."""
    page = code_pages.CODE_PAGES[name]
    assert page not in we.ENCODINGS.values()
    assert page not in we.LABELS.values()
    assert name not in we.ENCODINGS
    for label in page.labels:
        known = we.LABELS.get(label)  # cp866 and its names are those of IBM866, too
        assert known is None or known is we.IBM866
        if known is not None:
            continue
        for call in (
            we.lookup,
            we.TextDecoder,
            we.TextDecoderStream,
            lambda label: we.decode(b"a", label),
            lambda label: we.recode(b"a", label, "utf-8"),
            lambda label: we.decode_html(b"a", override=label),
            lambda label: we.urls.percent_encode_after_encoding(label, "a", "query"),
        ):
            with pytest.raises(we.UnknownLabelError):
                call(label)
        header = f"text/html; charset={label}"
        meta = f'<meta charset="{label}"><p>text'.encode()
        assert we.sniff.html(b"text", content_type=header).source == "locale"
        assert we.sniff.html(meta).source == "locale"
        assert we.sniff.meta_content(header) is None
        assert we.sniff.xml_declaration(f'<?xml version="1.0" encoding="{label}"?>'.encode()) is None
        assert we.decode_css(f'@charset "{label}"; a'.encode()).encoding is we.UTF_8
        assert we.decode_crawled(meta, header).encoding in we.ENCODINGS.values()
        assert we.sniff.locale_default(label) in we.ENCODINGS.values()
    for label in page.labels:
        if label in we.LABELS:
            assert codecs.lookup(f"web-{label}").name == "web-ibm866"
        else:
            with pytest.raises(LookupError):
                codecs.lookup(f"web-{label}")


def test_detection_for_the_web_returns_the_standard_s_encodings() -> None:
    texts = ["┌──┐\r\n│ab│\r\n└──┘\r\n", "Grüße aus Köln, schöne Straße", "Привет, мир"]
    for text in texts:
        for name, page in code_pages.CODE_PAGES.items():
            data = page.encode(text)
            assert we.decode_crawled(data).encoding in we.ENCODINGS.values(), name
            assert all(guess.encoding in we.ENCODINGS.values() for guess in we.sniff.detect(data)), name


def test_the_module_is_loaded_on_first_use() -> None:
    """Not with the package, and no module of tables before one of them is used."""
    print_loaded = "print([name for name in sys.modules if 'code_pages' in name])"
    assert python(f"import sys, whatwg_encoding; {print_loaded}").strip() == "[]"
    loaded = python(f"import sys, whatwg_encoding.code_pages as c; c.lookup('cp850'); {print_loaded}").strip()
    assert "_native.code_pages" not in loaded
    loaded = python(f"import sys, whatwg_encoding.code_pages as c; c.CP850.decode(b'\\x81'); {print_loaded}").strip()
    assert "_native.code_pages" in loaded
