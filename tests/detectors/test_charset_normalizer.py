"""The drop-in for charset_normalizer: its names beside 3.5's own, and that each match is the text."""

from __future__ import annotations

import inspect
import io
from importlib import import_module
from pathlib import Path

import charset_normalizer as original
import pytest
from charset_normalizer import models
from hypothesis import given, settings
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.detectors.texts import ENCODINGS, SENTENCES
from whatwg_encoding import chardet
from whatwg_encoding import charset_normalizer as replacement


def test_the_original_is_the_version_that_this_stands_for() -> None:
    assert original.VERSION[:2] == replacement.VERSION[:2]  # its names and results, whatever it mends in them
    assert replacement.__version__.split(".") == replacement.VERSION


def test_every_public_name_is_there() -> None:
    assert set(original.__all__) == set(replacement.__all__)
    for kind in ("CharsetMatch", "CharsetMatches"):
        expected = {name for name in vars(getattr(models, kind)) if not name.startswith("_")}
        assert expected - set(dir(getattr(replacement, kind))) == set(), kind


def test_parameters_of_from_bytes() -> None:
    expected = inspect.signature(original.from_bytes).parameters.values()
    ours = inspect.signature(replacement.from_bytes).parameters.values()
    assert [(parameter.name, parameter.default) for parameter in ours] == [
        (parameter.name, parameter.default) for parameter in expected
    ]


@pytest.mark.parametrize(("language", "encoding"), ENCODINGS)
def test_the_best_match_is_the_text(language: str, encoding: str) -> None:
    text = SENTENCES[language]
    data = we.lookup(encoding).encode(text, "fatal")
    matches = replacement.from_bytes(data)
    best = matches.best()
    assert best is not None
    assert str(best) == text == data.decode(best.encoding), best
    assert import_module(f"encodings.{best.encoding}").getregentry()
    assert best.output() == text.encode()
    assert best.raw == data
    assert best in matches
    assert matches[best.encoding] is best is matches[0] is matches.first()
    assert best == best.encoding
    assert best.could_be_from_charset[0] == best.encoding
    assert not best.bom
    assert not best.chaos
    for match in matches:
        assert str(match) == data.decode(match.encoding)


@given(st.binary(max_size=200))
@settings(max_examples=300)
def test_any_bytes(data: bytes) -> None:
    matches = replacement.from_bytes(data)
    assert replacement.is_binary(data) == (not matches)
    for match in matches:
        assert 0 <= match.chaos <= 1
        assert isinstance(match.output(), bytes)
        assert isinstance(match.alphabets, list)
        assert 0 <= match.multi_byte_usage <= 1
    guess = replacement.detect(data)
    assert (guess["encoding"] is None) == (not matches)


def test_marks_are_no_part_of_the_text() -> None:
    for codec, name in [("utf-8-sig", "utf_8"), ("utf-16", "utf_16"), ("utf-32", "utf_32")]:
        best = replacement.from_bytes("текст".encode(codec)).best()
        assert best is not None
        assert (best.encoding, best.bom, str(best)) == (name, True, "текст")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(SENTENCES["ru"].encode("koi8-r"))
    assert str(replacement.from_path(path).best()) == SENTENCES["ru"]
    assert str(replacement.from_fp(io.BytesIO(path.read_bytes())).best()) == SENTENCES["ru"]
    assert not replacement.is_binary(path)
    path.write_bytes(bytes(100))
    assert replacement.is_binary(str(path))
    with pytest.raises(FileNotFoundError):
        replacement.from_path(tmp_path / "none")


def test_isolation_and_exclusion() -> None:
    data = SENTENCES["ru"].encode("koi8-r")
    assert [match.encoding for match in replacement.from_bytes(data, cp_isolation=["cp1251"])] == ["cp1251"]
    assert "koi8_r" not in [match.encoding for match in replacement.from_bytes(data, cp_exclusion=["koi8_r"])]


@pytest.mark.parametrize(
    ("declared", "name", "text"),
    [
        ("Shift_JIS", "shift_jis", "日本語〜テスト"),
        ("gb2312", "gb2312", "中文―测试・"),
        ("EUC-JP", "euc_jp", "日本語〜"),
    ],
)
def test_a_smaller_codec_that_is_declared_is_named(declared: str, name: str, text: str) -> None:
    data = f'<?xml version="1.0" encoding="{declared}"?><p>{text * 9}</p>'.encode(name)
    matches = replacement.from_bytes(data)
    best = matches.best()
    assert best is not None
    assert (best.encoding, str(best)) == (name, data.decode(name))
    assert len({match.encoding for match in matches}) == len(matches)
    for detect in (replacement.detect, chardet.detect):
        assert (detect(data)["encoding"] or "").lower() == declared.lower()


@pytest.mark.parametrize(
    ("text", "alphabets"), [("Größe = 5", ["Latin"]), ("пример Ω", ["Cyrillic", "Greek"]), ("1", [])]
)
def test_alphabets(text: str, alphabets: list[str]) -> None:
    assert replacement.CharsetMatch(text.encode(), "utf_8").alphabets == alphabets


def test_an_output_that_fails_changes_nothing() -> None:
    match = replacement.CharsetMatch(b'<?xml encoding="latin-1"?>\xe9', "latin_1", preemptive_declaration="latin-1")
    with pytest.raises(ValueError, match="no codec"):
        match.output("no-such-encoding")
    assert match.output() == '<?xml encoding="utf-8"?>é'.encode()
    assert match.output("utf_16").decode("utf_16") == '<?xml encoding="utf-16"?>é'


def test_a_declaration_is_changed_in_the_output() -> None:
    data = f'<meta charset="windows-1251"><p>{SENTENCES["ru"]}'.encode("cp1251")
    best = replacement.from_bytes(data).best()
    assert best is not None
    assert best.output() == f'<meta charset="utf-8"><p>{SENTENCES["ru"]}'.encode()


@pytest.mark.parametrize("data", ["text", None, 1])
def test_what_is_no_bytes_is_refused(data: object) -> None:
    with pytest.raises(TypeError):
        replacement.from_bytes(data)  # type: ignore[arg-type]


def test_matches_compare() -> None:
    match = replacement.CharsetMatch(b"a", "ascii")
    other = replacement.CharsetMatch(b"a", "utf_8", 0.5)
    assert match < other
    assert match == "us-ascii"
    assert match != "no codec"
    assert match != 1
    with pytest.raises(ValueError, match="compared"):
        assert match < 1
    with pytest.raises(ValueError, match="CharsetMatch"):
        replacement.CharsetMatches().append("utf-8")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        replacement.CharsetMatches([match])["koi8-r"]
