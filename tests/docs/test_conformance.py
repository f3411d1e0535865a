"""The figures of docs/conformance.json, and how CPython's codecs differ by the standard's labels."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from docs import comparison
from docs.conformance import __main__ as conformance

FIGURES: dict[str, Any] = json.loads(conformance.FIGURES.read_text(encoding="utf-8"))
#: A single-byte encoding, one with long vectors, and one that CPython differs in.
NAMES = ("windows-1252", "ISO-2022-JP", "Shift_JIS")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[bytes]]:
    """Return the vectors of some encodings, whose jobs are in a folder of the test."""
    monkeypatch.setattr(conformance, "WORK", tmp_path)
    return conformance.jobs(NAMES)


def measured(name: str, vectors: dict[str, list[bytes]]) -> dict[str, Any]:
    door = conformance.Door(name, [sys.executable, str(conformance.HERE / "doors.py"), name])
    answers = {encoding: conformance.expected(encoding, inputs) for encoding, inputs in vectors.items()}
    row = conformance.run(door, answers, vectors)
    assert row is not None
    return row


@pytest.mark.parametrize("name", ["whatwg-encoding", "whatwg-encoding, byte by byte", "CPython"])
def test_the_figures_are_measured(name: str, work: dict[str, list[bytes]]) -> None:
    row = measured(name, work)
    if name == "CPython" and platform.python_version() != FIGURES[name]["version"]:
        assert row["encodings"]["Shift_JIS"]["wrong"] > 0
        return
    assert row["encodings"] == {encoding: FIGURES[name]["encodings"][encoding] for encoding in NAMES}


def test_this_package_differs_nowhere() -> None:
    for name in ("whatwg-encoding", "whatwg-encoding, byte by byte"):
        assert FIGURES[name]["version"] == we.__version__
        assert list(FIGURES[name]["encodings"]) == list(we.ENCODINGS)
        assert {row["wrong"] for row in FIGURES[name]["encodings"].values()} == {0}


def test_differences_that_are_known_from_elsewhere_are_in_the_figures() -> None:
    """CPython has no character for five bytes of windows-1252, and Node's decoder is a browser's."""
    row = FIGURES["CPython"]["encodings"]["windows-1252"]
    assert row["first"] == ["81", "8D", "8F", "90"]
    assert row["wrong"] == row["valid"] == 5 + 256**2 - 251**2
    assert FIGURES["@exodus/bytes"]["encodings"]["Shift_JIS"]["wrong"] == 0


def test_a_door_that_fails_has_no_new_row(work: dict[str, list[bytes]], capsys: pytest.CaptureFixture[str]) -> None:
    assert conformance.run(conformance.Door("none", [sys.executable, "-c", "raise SystemExit('no')"]), {}, work) is None
    assert capsys.readouterr().err == "none fails: no\n"


def test_each_kind_of_vector_is_there() -> None:
    assert len(conformance.vectors("Big5")) == 256 + 256**2
    assert b"\x8f\xa2\xb7" in conformance.vectors("EUC-JP")
    assert b"\x1b$B\x24\x22\x1b(B" in conformance.vectors("ISO-2022-JP")
    assert max(map(len, conformance.vectors("gb18030"))) == 4


@pytest.mark.usefixtures("registered")
def test_labels_lead_to_cpythons_own_codecs_only() -> None:
    assert comparison.cpython_codec("web-sjis") is None
    assert comparison.cpython_codec("latin1") == "iso8859-1"
    assert comparison.cpython_codec("no-such") is None
    assert comparison.cpython_codec("rot13") is None  # a codec from str to str
    labels, missing = comparison.labels_by_codec(we.lookup("gbk"))
    assert "gb2312" in labels["gb2312"]
    assert labels["gbk"] == ["gbk"]
    assert "x-gbk" in missing


def test_differences_that_are_known_from_elsewhere() -> None:
    """The label latin1 means windows-1252, which has 27 characters where ISO-8859-1 has controls."""
    entries, _ = comparison.differences(we.lookup("latin1"))
    by_codec = {entry.codec: entry for entry in entries}
    latin_1, cp1252 = by_codec["iso8859-1"], by_codec["cp1252"]
    assert comparison.Case("80", "€", "\x80") in latin_1.decoding
    assert len(latin_1.decoding) == 27
    assert [case.source for case in cp1252.decoding] == ["81", "8D", "8F", "90", "9D"]
    assert {case.codec for case in cp1252.decoding} == {None}
    assert comparison.kinds(cp1252.decoding).keys() == {"standard only"}
    assert comparison.Case("U+20AC", "80", None) in latin_1.encoding


def test_pairs_that_say_no_more_than_their_bytes_are_left_out() -> None:
    entries, _ = comparison.differences(we.lookup("shift_jis"))
    cases = next(entry for entry in entries if entry.codec == "shift_jis").decoding
    assert comparison.Case("81 60", "～", "〜") in cases
    assert comparison.Case("80", "\x80", None) in cases
    assert not [case for case in cases if case.source.startswith("80 ")]
