"""Encodings, names and labels: https://encoding.spec.whatwg.org/#encodings."""

from __future__ import annotations

import codecs
import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import inputs
from tests.reference.encodings import (
    ASCII_WHITESPACE,
    encodings,
    get_an_encoding,
    get_an_output_encoding,
    single_byte_names,
)

ALL = [pytest.param(name, id=name) for name in encodings()]
LABELS = [label for encoding in encodings().values() for label in encoding.labels]
WITHOUT_ENCODER = [name for name in encodings() if name not in inputs.ENCODER_NAMES]


def test_encodings_are_all_in_the_standards_order() -> None:
    assert len(we.ENCODINGS) == len(set(map(hash, we.ENCODINGS.values()))) == len(encodings()) > 30
    assert list(we.ENCODINGS) == list(encodings())
    assert [encoding.name for encoding in we.ENCODINGS.values()] == list(encodings())


def test_each_label_leads_to_its_encoding() -> None:
    assert list(we.LABELS) == LABELS
    for name, encoding in encodings().items():
        assert we.ENCODINGS[name].labels == encoding.labels
        assert all(we.LABELS[label] is we.ENCODINGS[name] for label in encoding.labels)


@pytest.mark.parametrize("mapping", [we.ENCODINGS, we.LABELS], ids=["ENCODINGS", "LABELS"])
def test_the_mappings_are_read_only(mapping: dict[str, we.Encoding]) -> None:
    key = next(iter(mapping))
    with pytest.raises(TypeError):
        mapping[key] = we.UTF_8
    with pytest.raises(TypeError):
        del mapping[key]
    for name in ("clear", "pop", "popitem", "setdefault", "update"):
        assert not hasattr(mapping, name)
    with pytest.raises(KeyError):
        mapping["no such key"]


def test_lookup_ignores_ascii_case_and_ascii_whitespace_around() -> None:
    for label, encoding in we.LABELS.items():
        for variant in (label, label.upper(), label.title(), label.swapcase()):
            assert we.lookup(variant) is encoding
            for whitespace in ASCII_WHITESPACE:
                assert we.lookup(whitespace + variant) is encoding
                assert we.lookup(variant + whitespace) is encoding
        assert we.lookup(ASCII_WHITESPACE * 1000 + label + ASCII_WHITESPACE * 1000) is encoding


@pytest.mark.parametrize(
    "label",
    [
        "", " ", ASCII_WHITESPACE,
        # Letters whose lowercase is k or starts with i, whose uppercase is S or I, and a full-width digit.
        "\u212aoi8-r", "\u212aorean", "\u017fhift_jis", "\u0130so-8859-1", "w\u0131ndows-1252", "big\uff15",
        "utf\u20118",  # NON-BREAKING HYPHEN
        # What str.strip removes and the standard does not, and invisible characters.
        *(
            character + "utf-8" + character
            for character in "\0\v\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff"
        ),
        "utf-8\0", "utf-\x008", "ut f-8", "utf--8", "utf_8", "utf-16-le", "latin-1", "cp932", "shiftjis", "none",
        "UTF-8,", '"utf-8"', "charset=utf-8", "\ud800", "utf-8\udc00", "\U0001f4a9", "x" * 1_000_000,
        # Encodings of mail and of Python, in which ASCII markup can be hidden.
        "utf-7", "utf7", "unicode-1-1-utf-7", "imap4-utf-7", "utf-32", "utf-32le", "ucs-4", "utf-1", "utf-ebcdic",
        "cesu-8", "scsu", "bocu-1", "ibm037", "cp037", "ibm500", "cp1047", "iso-2022-jp-1", "iso-2022-jp-2",
        "iso-2022-jp-2004", "iso-2022-tw", "johab", "cp949", "raw-unicode-escape", "punycode", "idna", "rot13", "hex",
        "base64", "zlib", "undefined", "locale",
    ],
)  # fmt: skip
def test_lookup_of_what_is_no_label(label: str) -> None:
    assert get_an_encoding(label) is None
    with pytest.raises(we.UnknownLabelError):
        we.lookup(label)


def test_an_unknown_label_error_is_a_lookup_error_that_shows_the_label() -> None:
    assert issubclass(we.UnknownLabelError, LookupError)
    with pytest.raises(we.UnknownLabelError, match="no-such-label"):
        we.lookup("no-such-label")


@given(
    st.builds(
        lambda before, label, after, place, character: before + label[:place] + character + label[place + 1 :] + after,
        st.text(ASCII_WHITESPACE + "\x0b\xa0", max_size=3),
        st.sampled_from(LABELS).map(str.swapcase) | st.sampled_from(LABELS),
        st.text(ASCII_WHITESPACE + "\x1c\u3000", max_size=3),
        st.integers(0, 20),
        st.just("") | st.characters() | st.sampled_from("0123456789-_:.kKsS\u212a\u017f"),
    )
)
def test_lookup_of_what_is_close_to_a_label(label: str) -> None:
    expected = get_an_encoding(label)
    if expected is None:
        with pytest.raises(we.UnknownLabelError):
            we.lookup(label)
    else:
        assert we.lookup(label).name == expected.name


@pytest.mark.parametrize("name", ALL)
def test_properties(name: str) -> None:
    encoding = we.ENCODINGS[name]
    assert getattr(we, name.upper().replace("-", "_")) is encoding
    assert encoding.name == name
    assert encoding.labels == encodings()[name].labels
    assert encoding.name.lower() in encoding.labels
    assert encoding.output_encoding is we.ENCODINGS[get_an_output_encoding(encodings()[name]).name]
    assert encoding.is_single_byte is (name in (*single_byte_names(), "x-user-defined"))
    assert encoding.is_ascii_compatible is (name not in ("UTF-16BE", "UTF-16LE", "ISO-2022-JP", "replacement"))
    assert encoding.is_legacy is (name != "UTF-8")
    assert encoding.is_utf_16 is (name in ("UTF-16BE", "UTF-16LE"))
    assert encoding.has_encoder is (name not in ("UTF-16BE", "UTF-16LE", "replacement"))
    assert isinstance(encoding.codec_info, codecs.CodecInfo)
    assert repr(encoding) == f"<Encoding {name}>"


@pytest.mark.parametrize(
    "attribute",
    ["name", "labels", "output_encoding", "is_single_byte", "is_ascii_compatible", "is_legacy", "has_encoder", "other"],
)
def test_an_encoding_is_immutable(attribute: str) -> None:
    with pytest.raises(AttributeError):
        setattr(we.UTF_8, attribute, "x")


def test_no_other_encoding_can_be_made() -> None:
    kind: Any = we.Encoding
    for make in (kind, lambda: kind("UTF-8"), lambda: kind.__new__(kind), lambda: object.__new__(kind),
                 lambda: type("Other", (kind,), {})):  # fmt: skip
        with pytest.raises(TypeError):
            make()


@pytest.mark.parametrize("name", ALL)
def test_an_encoding_is_one_object_wherever_it_comes_from(name: str) -> None:
    encoding = we.ENCODINGS[name]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(encoding, protocol)) is encoding
    assert copy.copy(encoding) is encoding
    assert copy.deepcopy([encoding])[0] is encoding
    assert encoding == encoding
    assert encoding != name
    assert [other for other in we.ENCODINGS.values() if other == encoding] == [encoding]
    assert {encoding: 1}[we.lookup(name)] == 1


def refuse_mode(calls: list[Callable[[Any], object]], errors: str, other: str) -> None:
    """Check that each call with a mode names it, and those that there are."""
    for call in calls:
        with pytest.raises(ValueError, match="fatal") as caught:
            call(errors)
        assert type(caught.value) is ValueError
        assert other in str(caught.value)
        assert repr(errors) in str(caught.value)


@pytest.mark.parametrize("name", ALL)
def test_unknown_error_mode(name: str) -> None:
    encoding = we.ENCODINGS[name]
    for errors in ("strict", "replace", "ignore", "html", "", "Replacement", "fatal ", "xmlcharrefreplace"):
        refuse_mode([partial(encoding.decode, b""), encoding.new_decoder], errors, "replacement")
    if name in inputs.ENCODER_NAMES:
        calls = [partial(encoding.encode, ""), encoding.new_encoder, partial(encoding.encoded_length, "")]
        for errors in ("strict", "replace", "replacement", "", "HTML", "xmlcharrefreplace"):
            refuse_mode(calls, errors, "html")


def test_names_of_pythons_handlers_are_answered_with_the_mode() -> None:
    for function, errors, mode in (
        (we.BIG5.decode, "strict", "fatal"),
        (we.BIG5.decode, "replace", "replacement"),
        (we.BIG5.encode, "strict", "fatal"),
        (we.BIG5.encode, "xmlcharrefreplace", "html"),
    ):
        with pytest.raises(ValueError, match=f"not '{errors}': '{errors}' of Python's codecs is '{mode}'$"):
            function(b"" if function == we.BIG5.decode else "", errors)  # type: ignore[call-overload]


@pytest.mark.parametrize("errors", [None, 0, b"fatal", True])
def test_an_error_mode_that_is_no_string(errors: object) -> None:
    for call in (we.UTF_8.new_decoder, we.UTF_8.new_encoder):
        with pytest.raises((TypeError, ValueError)):
            call(errors)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_an_encoding_without_encoder(name: str) -> None:
    assert issubclass(we.EncoderUnavailableError, LookupError)
    encoding = we.ENCODINGS[name]
    for call in (
        lambda: encoding.encode(""),
        lambda: encoding.encode("abc", "fatal"),
        encoding.new_encoder,
        lambda: encoding.encoded_length(""),
    ):
        with pytest.raises(we.EncoderUnavailableError, match=name):
            call()


@pytest.mark.parametrize("name", ALL)
def test_nothing_comes_from_nothing(name: str) -> None:
    encoding = we.ENCODINGS[name]
    for errors in ("replacement", "fatal"):
        assert encoding.decode(b"", errors) == ""
        assert encoding.new_decoder(errors).decode(b"", True) == ""
    assert encoding.valid_up_to(b"") == 0
    if encoding.has_encoder:
        assert encoding.encode("") == b""
        assert encoding.encode("", "fatal") == b""
        assert encoding.encoded_length("") == 0
        assert encoding.new_encoder().encode("", True) == b""


def test_arguments_have_names() -> None:
    assert we.UTF_8.decode(data=b"a", errors="fatal") == "a"
    assert we.UTF_8.encode(text="a", errors="fatal") == b"a"
    assert we.UTF_8.valid_up_to(data=b"a") == 1
    assert we.UTF_8.encoded_length(text="a", errors="html") == 1
    assert we.UTF_8.new_decoder(errors="fatal").decode(data=b"a", final=True) == "a"
    assert we.UTF_8.new_encoder(errors="fatal").encode(text="a", final=True) == b"a"
