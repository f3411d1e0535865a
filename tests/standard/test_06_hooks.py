"""The hooks against the reference, which transcribes section 6 of the standard, and their errors."""

from __future__ import annotations

import array
import inspect
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import hooks as reference
from tests.reference import oracle
from tests.reference.encodings import encodings
from tests.reference.io_queue import IOQueue
from tests.reference.oracle import scalar_values
from tests.standard.comparison import outcome, refusal

BOMS = {b"\xef\xbb\xbf": we.UTF_8, b"\xfe\xff": we.UTF_16BE, b"\xff\xfe": we.UTF_16LE}
NAMES = list(we.ENCODINGS)
ENCODERS = [name for name, encoding in we.ENCODINGS.items() if encoding.has_encoder]


def reference_queue(text: str) -> IOQueue:
    return IOQueue.convert(value.value for value in scalar_values(text))


@pytest.mark.parametrize("fallback", NAMES)
def test_decode_lets_a_bom_override_the_fallback(fallback: str) -> None:
    for bom, after in product(BOMS, (b"", b"a", b"a\x00", b"\x00a", *BOMS)):
        text, encoding = we.decode(bom + after, fallback)
        assert encoding is BOMS[bom], after
        assert text == reference.decode(IOQueue.convert(bom + after), encodings()[fallback]).to_text(), (bom, after)


def test_byte_order_marks() -> None:
    """They are whole, the first one alone is dropped, and they are those of UTF-8 and UTF-16."""
    for cut in (b"\xef", b"\xef\xbb", b"\xfe", b"\xff", b""):
        assert we.bom_sniff(cut) is None
        assert we.decode(cut, "windows-1252").encoding is we.WINDOWS_1252
    assert we.decode(b"\xef\xbb\xbf\xef\xbb\xbfa", "utf-8").text == "\ufeffa"
    assert we.decode(b"\xff\xfe\xff\xfe", "utf-8").text == "\ufeff"
    assert we.utf8_decode(b"\xef\xbb\xbf\xef\xbb\xbfa") == "\ufeffa"
    # The marks of UTF-7, UTF-1, UTF-EBCDIC, SCSU, BOCU-1 and gb18030.
    for other in ("2B2F76382D", "F7644C", "DD736673", "0EFEFF", "FBEE28", "84319533"):
        assert we.bom_sniff(bytes.fromhex(other)) is None
    assert we.bom_sniff(b"\xff\xfe\x00\x00") is we.UTF_16LE  # UTF-32 is not detected
    decoded = we.decode(b"\x84\x31\x95\x33", we.GB18030)
    assert (decoded, decoded._fields) == (("\ufeff", we.GB18030), ("text", "encoding"))


def test_errors_say_where() -> None:
    assert refusal(we.utf8_decode_without_bom_or_fail, b"ab\xe3\x81c") == ("UTF-8", b"ab\xe3\x81c", (2, 4))
    assert refusal(we.isomorphic_encode, "aÿ\u0100")[1:] == ("aÿ\u0100", (2, 3))


def test_isomorphic_strings() -> None:
    every_byte, every_code_point = bytes(range(256)), "".join(map(chr, range(256)))
    assert we.isomorphic_decode(every_byte) == every_code_point
    assert we.isomorphic_encode(every_code_point) == every_byte


@given(st.text(st.characters(), max_size=12), st.sampled_from(ENCODERS))
def test_encode_is_the_standards(text: str, name: str) -> None:
    expected = reference.encode(reference_queue(text), encodings()[name]).to_bytes()
    assert we.encode(text, name) == expected
    assert we.encode(text, we.ENCODINGS[name]) == expected
    assert we.utf8_encode(text) == reference.utf_8_encode(reference_queue(text)).to_bytes()


# Text that moves the ISO-2022-JP encoder through its states, and code points that it cannot encode.
iso_2022_jp_text = st.text(st.sampled_from("a~\\¥‾あｱ\u2603\x0e\x1b\ud83d\udca9é\ud800"), max_size=8)


@given(iso_2022_jp_text, st.sampled_from(["iso-2022-jp", "windows-1252", "gb18030", "utf-8", "shift_jis"]))
def test_encode_or_fail_is_the_standards_call_by_call(text: str, label: str) -> None:
    encoder = we.get_encoder(label)
    reference_encoder = reference.get_an_encoder(encodings()[we.lookup(label).name])
    queue = reference_queue(text)
    values = scalar_values(text)
    position = 0
    while True:
        output = IOQueue()
        code_point = reference.encode_or_fail(queue, reference_encoder, output)
        result = we.encode_or_fail(text[position:], encoder)
        assert (result.output, result.code_point) == (output.to_bytes(), code_point)
        position += result.consumed
        if code_point is None:
            break
        assert position in [value.end for value in values]
        assert values[[value.end for value in values].index(position)].start < position
    assert position == len(text)


def test_encode_or_fail_in_states_and_at_ends() -> None:
    encoder = we.get_encoder("iso-2022-jp")
    assert we.encode_or_fail("¥\u2603\\", encoder) == (b"\x1b(J\\", 0x2603, 2)
    assert we.encode_or_fail("¥\\", encoder) == (b"\\\x1b(B\\", None, 2)  # the state is Roman, then ASCII
    assert we.encode_or_fail("\\", encoder) == (b"\\", None, 1)
    assert we.encode_or_fail("あ\u2603", encoder) == (b'\x1b$B$"\x1b(B', 0x2603, 2)  # it leaves jis0208 before it fails
    for _ in range(2):  # the end of the text is end-of-queue
        assert we.encode_or_fail("あ", encoder) == (b'\x1b$B$"\x1b(B', None, 1)
    # A surrogate pair is one code point, a lone one U+FFFD.
    assert we.encode_or_fail("\ud83d\udca9!", we.get_encoder("shift_jis")) == (b"", 0x1F4A9, 2)
    assert we.encode_or_fail("a\udca9!", we.get_encoder("shift_jis")) == (b"a", 0xFFFD, 2)
    result = we.encode_or_fail("\ud83d\udca9\ud83d", we.get_encoder("utf-8"))
    assert result == (b"\xf0\x9f\x92\xa9\xef\xbf\xbd", None, 3)
    assert result._fields == ("output", "code_point", "consumed")


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.shapes
def test_surrogates_near_each_other(name: str) -> None:
    """Pairs and lone surrogates in groups that are encoded together, and longer ones; errors among them."""
    random = Random(name)
    parts = ["\ud800", "\udc00", "\ud83d\udca9", "\U0001f4a9", "a", "é", "日", "\ufffd", "\x0e", "a" * 14, "б" * 17]
    parts += ["\ud83d" * 17, "\udca9" * 33, "\U0001f4a9" * 33]
    for _ in range(60):
        text = "".join(random.choices(parts, k=random.choice([2, 9, 60, 200])))
        expected = oracle.encode(name, text)
        output, fatal = we.ENCODINGS[name].encode(text), outcome(we.ENCODINGS[name].encode, text, "fatal")
        assert output == expected.output
        assert we.ENCODINGS[name].encoded_length(text) == len(output)
        assert fatal == (output if expected.fatal is None else (name, text, expected.fatal))
        encoder, position, failed = we.get_encoder(name), 0, []
        while (result := we.encode_or_fail(text[position:], encoder)).code_point is not None:
            position += result.consumed
            failed.append(position)
        assert failed == [span[1] for span in expected.spans]
        assert position + result.consumed == len(text)


@pytest.mark.parametrize("bom", BOMS)
def test_bom_sniff_looks_at_bytes_not_at_items(bom: bytes) -> None:
    data = array.array("I", (bom + b"abcdef")[:8])
    assert we.bom_sniff(data) is BOMS[bom]
    assert we.decode(data, "utf-8").text == we.decode(bytes(data), "utf-8").text


@pytest.mark.parametrize(
    "call", [lambda label: we.decode(b"\xef\xbb\xbf", label), lambda label: we.encode("", label), we.get_encoder]
)
def test_an_unknown_label_is_named(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(we.UnknownLabelError, match="'utf-9'"):
        call("utf-9")


@pytest.mark.parametrize("call", [lambda name: we.encode("", name), we.get_encoder])
@pytest.mark.parametrize("name", ["replacement", "UTF-16BE", "UTF-16LE"])
def test_without_an_encoder(call, name: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(we.EncoderUnavailableError, match=name):
        call(name)


def test_every_public_name_has_a_docstring_with_an_anchor() -> None:
    from whatwg_encoding import _codecs, standard
    from whatwg_encoding._api import text as _text

    for module in (standard, _text):
        for name in module.__all__:
            doc = inspect.getdoc(getattr(we, name)) or ""
            assert "spec.whatwg.org/#" in doc, name
    for name in _codecs.__all__:
        assert inspect.getdoc(getattr(_codecs, name)), name
