"""The drop-in for chardet: its names beside chardet 7.7's own, and that the codec it names decodes the data."""

from __future__ import annotations

import codecs
import inspect
import warnings

import chardet as original
import pytest
from chardet import output_names, registry

import whatwg_encoding as we
from tests.detectors.texts import ENCODINGS, SENTENCES
from whatwg_encoding import chardet as replacement
from whatwg_encoding import charset_normalizer

# Names that mean Shift_JIS to the IANA registry, and cp932 to chardet.
OF_IANA = {"mskanji", "ms-kanji"}


def test_the_original_is_the_version_that_this_stands_for() -> None:
    assert original.__version__ == replacement.__version__


def test_every_public_name_is_there() -> None:
    missing = set(original.__all__) - set(vars(replacement))
    assert missing == {"DetectionResult"}  # of chardet's pipeline: no function returns it


@pytest.mark.parametrize("name", ["detect", "detect_all", "UniversalDetector"])
def test_parameters(name: str) -> None:
    expected = inspect.signature(getattr(original, name)).parameters.values()
    ours = inspect.signature(getattr(replacement, name)).parameters.values()
    assert [(parameter.name, parameter.kind, parameter.default) for parameter in ours] == [
        (parameter.name, parameter.kind, parameter.default) for parameter in expected
    ]


def test_candidates_are_those_of_chardet() -> None:
    assert set(replacement.REGISTRY) == set(registry.REGISTRY)
    for name, info in registry.REGISTRY.items():
        assert codecs.lookup(name).name == name or name == "koi8-t", name
        assert int(replacement.REGISTRY[name].era) == int(info.era), name
        assert replacement.REGISTRY[name].is_multibyte_cjk == info.is_multibyte_cjk, name


def test_aliases_and_names_are_those_of_chardet() -> None:
    for name, info in registry.REGISTRY.items():
        for alias in {name, *info.aliases} - OF_IANA:
            assert replacement.lookup_encoding(alias) == name, alias
        assert replacement.display_name(name) == output_names._COMPAT_NAMES.get(name, name)


@pytest.mark.parametrize("name", ["", "x" * 100, "utf-8\0", "u\u0131f-8", "no-such", "../etc", "css" * 20, "cs"])
def test_an_unknown_name_is_told(name: str) -> None:
    assert replacement.lookup_encoding(name) is None
    for arguments in ({"include_encodings": [name]}, {"exclude_encodings": [name]}, {"no_match_encoding": name}):
        with pytest.raises(ValueError, match="Unknown encoding"):
            replacement.detect(b"text", **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(("language", "encoding"), ENCODINGS)
@pytest.mark.parametrize("options", [{}, {"prefer_superset": True}, {"compat_names": False}])
def test_the_codec_that_is_named_gives_the_text(language: str, encoding: str, options: dict[str, bool]) -> None:
    text = SENTENCES[language]
    data = we.lookup(encoding).encode(text, "fatal")
    name = replacement.detect(data, **options)["encoding"]
    assert name is not None
    assert data.decode(name) == text, name


BEYOND_THE_WEB = [
    ("ko", "johab"), ("ru", "koi8-t"), ("ru", "kz1048"), ("ru", "ptcp154"), ("fr", "hp-roman8"), ("de", "cp500"),
    ("de", "cp273"), ("el", "cp875"), ("tr", "cp1026"), ("el", "cp737"), ("el", "cp869"), ("pl", "cp852"),
    ("he", "cp862"), ("tr", "cp857"), ("fr", "cp850"), ("de", "cp437"), ("ru", "cp855"), ("ar", "cp720"),
    ("uk", "cp1125"), ("el", "mac-greek"), ("tr", "mac-turkish"), ("cs", "mac-latin2"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "codec"), BEYOND_THE_WEB)
def test_codecs_that_the_web_lacks(language: str, codec: str) -> None:
    data = SENTENCES[language].encode(codec)
    for guess in (replacement.detect(data), charset_normalizer.detect(data)):
        assert data.decode(guess["encoding"] or "") == SENTENCES[language]


@pytest.mark.parametrize(("language", "encoding"), ENCODINGS)
def test_every_codec_that_is_named_decodes(language: str, encoding: str) -> None:
    data = we.lookup(encoding).encode(SENTENCES[language], "fatal")
    guesses = replacement.detect_all(data, ignore_threshold=True)
    assert str(guesses[0]["language"]).partition("-")[0] == language.partition("-")[0]
    confidences = [guess["confidence"] for guess in guesses]
    assert confidences == sorted(confidences, reverse=True)
    assert len({guess["encoding"] for guess in guesses}) == len(guesses)
    for guess in guesses:
        assert guess["encoding"] is not None
        data.decode(guess["encoding"])
    assert guesses[0] == replacement.detect(data)


@pytest.mark.parametrize(
    ("codec", "name"), [("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("iso2022_jp", "ISO-2022-JP")]
)
def test_structures_of_ascii_bytes(codec: str, name: str) -> None:
    """Bytes below 0x80 alone, with NULs or escape sequences."""
    text = SENTENCES["ja"] if codec == "iso2022_jp" else "The old town lies by the river, where people live."
    assert replacement.detect(text.encode(codec))["encoding"] == name


def test_filters_allow_what_they_say() -> None:
    data = SENTENCES["ru"].encode("koi8-r")
    assert replacement.detect(data, include_encodings=["cp1251", "koi8-u"])["encoding"] == "koi8-u"
    assert replacement.detect(data, exclude_encodings=["koi8-r"])["encoding"] != "KOI8-R"
    assert replacement.detect(data, encoding_era=replacement.EncodingEra.DOS)["encoding"] in {
        replacement.display_name(entry.name) for entry in replacement.get_candidates(replacement.EncodingEra.DOS)
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        guess = replacement.detect(b"text", include_encodings=["ascii"], exclude_encodings=["ascii"])
    assert (guess["encoding"], guess["confidence"]) == (None, 0.0)
    assert [entry.category for entry in caught] == [UserWarning]


@pytest.mark.parametrize("text", ["", "text", None, 1, ["a"]])
def test_what_is_no_bytes_is_refused(text: object) -> None:
    with pytest.raises(TypeError):
        replacement.detect(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        replacement.UniversalDetector().feed(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "codec"),
    [
        (b"<!-- <meta charset=koi8-r> --><meta charset=windows-1250>text", "cp1250"),
        (b"<meta charset=charset=iso8859_2>text", "iso8859_2"),
        (b"\n<?xml version='1.0' encoding='koi8-r'?>", "koi8_r"),
        (b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n'<meta charset=koi8-r>'", "latin_1"),
    ],
)
def test_forms_of_declarations(data: bytes, codec: str) -> None:
    """Declarations as people write them, of which a comment has none and PEP 263 the first."""
    assert charset_normalizer.any_specified_encoding(data) == codec
    for detect in (replacement.detect, charset_normalizer.detect):
        assert codecs.lookup(detect(data)["encoding"] or "").name == codecs.lookup(codec).name


@pytest.mark.parametrize("size", [0, -1, True, 1.5, "1"])
def test_a_wrong_max_bytes_is_refused(size: object) -> None:
    with pytest.raises(ValueError, match="max_bytes"):
        replacement.detect(b"", max_bytes=size)  # type: ignore[arg-type]


def test_structures() -> None:
    text = "한국어 문장"
    assert replacement.detect(text.encode("iso2022_kr"))["encoding"] == "ISO-2022-KR"
    assert replacement.detect(b"Hello ~{CEDE~} World")["encoding"] == "HZ-GB-2312"
    assert replacement.detect("Hello, 世界!".encode("utf-7"))["encoding"] == "utf-7"
    assert replacement.detect(b"key=+AAAA/BBBB+CCCC-")["encoding"] == "ascii"
    for codec, name in [("utf-8-sig", "UTF-8-SIG"), ("utf-16", "UTF-16"), ("utf-32", "UTF-32")]:
        assert replacement.detect(text.encode(codec)) | {"mime_type": ""} == {
            "encoding": name, "confidence": 1.0, "language": "ko", "mime_type": "",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [(b"<?xml version='1.0'?><a/>", "text/xml"), (b"\n <!DOCTYPE HTML><p>", "text/html"), (b"<p>text", "text/plain")],
)
def test_mime_types(data: bytes, mime_type: str) -> None:
    assert replacement.detect(data)["mime_type"] == mime_type
    assert replacement.detect(bytes(100))["encoding"] is None


CHINESE = ["他说——这是一个测试。", "列夫·托尔斯泰是俄国作家", "中国—东盟自由贸易区", "欢迎来到北京，今天天气很好"]


@pytest.mark.parametrize("text", CHINESE)
def test_the_codec_that_is_named_gives_these_characters(text: str) -> None:
    """Python's gb2312 gives other characters for a dash and a middle dot than gbk, and than browsers show."""
    data = text.encode("gbk")
    assert we.GBK.decode(data) == text
    for guess in (replacement.detect(data), charset_normalizer.detect(data)):
        assert data.decode(guess["encoding"] or "") == text
    assert replacement.detect(data)["encoding"] == ("GB18030" if {"—", "·"} & set(text) else "GB2312")
    assert data.decode(we.GBK.python_codec(data) or "") == text


@pytest.mark.parametrize("text", ["\0" + "0", "\0" + "0x", "\0" + "日本語", "\0"])
def test_utf_16_that_begins_with_nul_is_not_utf_32(text: str) -> None:
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        data = mark + text.encode(codec)
        if len(data) == 4 and mark == codecs.BOM_UTF16_LE:
            continue  # UTF-32's mark alone
        assert replacement.detect(data)["encoding"] == "UTF-16"
        match = charset_normalizer.from_bytes(data).best()
        assert match is None or str(match) == text
    for cut in range(4):  # UTF-32 that was cut off is no UTF-16
        data = "日本語".encode("utf-32")
        assert replacement.detect(data[: len(data) - cut])["encoding"] != "UTF-16"
