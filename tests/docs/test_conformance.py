"""This package and its peers over every input of one and two bytes, against the reference: the conformance page.

docs/conformance.json holds the figures. Those of this package must be 0; those of a peer are compared if its version is
the one that was measured. WHATWG_ENCODING_WRITE_CONFORMANCE=1 in the environment rewrites them (without `-n`).
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

import whatwg_encoding as we
from benchmarks.peers import CPYTHON, OURS
from docs import comparison
from tests.programs import ROOT
from tests.reference import oracle

FIGURES = ROOT / "docs" / "conformance.json"
WRITE = "WHATWG_ENCODING_WRITE_CONFORMANCE"


def expected(name: str) -> list[tuple[str, bool]]:
    """Return the reference's text for each input, and whether it has no error."""
    found = {}
    for data in comparison.INPUTS:
        if len(data) == 2 and we.ENCODINGS[name].is_single_byte:
            # https://encoding.spec.whatwg.org/#single-byte-decoder has no state: a pair decodes as its two bytes do.
            (first, one), (second, other) = found[data[:1]], found[data[1:]]
            found[data] = first + second, one and other
        else:
            text, errors = oracle.decode(name, data)
            found[data] = text, not errors
    return list(found.values())


def measure(name: str) -> dict[str, list[int]]:
    answers = expected(name)
    return {
        peer: list(comparison.mismatches(decode, answers))
        for peer, decode in comparison.decoders(we.ENCODINGS[name]).items()
    }


def write(figures: dict[str, Any]) -> None:
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in figures["encodings"].items())
    head = json.dumps({"inputs": figures["inputs"], "versions": figures["versions"]})
    FIGURES.write_text(f'{head[:-1]},\n "encodings": {{\n{rows}\n }}}}\n', encoding="utf-8")


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    value: dict[str, Any] = {"inputs": 0, "versions": {}, "encodings": {}}
    if FIGURES.exists():
        value = json.loads(FIGURES.read_text(encoding="utf-8"))
    if os.environ.get(WRITE):
        value |= {"inputs": len(comparison.INPUTS), "versions": comparison.versions()}
    return value


@pytest.mark.repeated  # for this package, tests/standard has these inputs and more
@pytest.mark.parametrize("name", we.ENCODINGS)
def test_every_input_of_one_and_two_bytes(name: str, recorded: dict[str, Any]) -> None:
    found = measure(name)
    assert found[OURS] == [0, 0]
    if os.environ.get(WRITE):
        recorded["encodings"][name] = found
        write(recorded)
        return
    versions = comparison.versions()
    figures = recorded["encodings"][name]
    assert recorded["inputs"] == len(comparison.INPUTS) == 256 + 65536
    for peer, version in recorded["versions"].items():
        # webencodings uses CPython's codecs.
        if versions[peer] == version and (peer != "webencodings" or versions[CPYTHON] == recorded["versions"][CPYTHON]):
            assert found.get(peer) == figures.get(peer), f"{peer} {version}: set {WRITE}=1 to rewrite the figures"


def test_figures_are_there_for_every_encoding_and_peer(recorded: dict[str, Any]) -> None:
    assert list(recorded["encodings"]) == list(we.ENCODINGS)
    assert recorded["versions"].keys() == comparison.versions().keys()
    assert recorded["versions"][OURS] == we.__version__


def test_an_error_or_another_text_is_a_mismatch() -> None:
    def fails(data: bytes) -> str:
        raise OverflowError

    answers = [("x", True)] * 256 + [("x", False)] * 65536
    assert comparison.mismatches(fails, answers) == (65792, 256)
    assert comparison.mismatches(lambda data: "x", answers) == (0, 0)
    assert comparison.mismatches(lambda data: "x" if data != b"a" else "y", answers) == (1, 1)


def test_labels_lead_to_cpythons_own_codecs_only() -> None:
    we.register_codecs()
    try:
        assert comparison.cpython_codec("web-sjis") is None
    finally:
        we.unregister_codecs()
    assert comparison.cpython_codec("latin1") == "iso8859-1"
    assert comparison.cpython_codec("no-such") is None
    assert comparison.cpython_codec("rot13") is None  # a codec from str to str
    found, missing = comparison.labels_by_codec(we.lookup("gbk"))
    assert "gb2312" in found["gb2312"]
    assert found["gbk"] == ["gbk"]
    assert "x-gbk" in missing


def test_differences_that_are_known_from_elsewhere() -> None:
    """The label latin1 means windows-1252, which has 27 characters where ISO-8859-1 has controls."""
    found, _ = comparison.differences(we.lookup("latin1"))
    by_codec = {entry.codec: entry for entry in found}
    latin_1, cp1252 = by_codec["iso8859-1"], by_codec["cp1252"]
    assert comparison.Case("80", "€", "\x80") in latin_1.decoding
    assert len(latin_1.decoding) == 27
    assert [case.source for case in cp1252.decoding] == ["81", "8D", "8F", "90", "9D"]
    assert {case.codec for case in cp1252.decoding} == {None}
    assert comparison.kinds(cp1252.decoding).keys() == {"standard only"}
    assert comparison.Case("U+20AC", "80", None) in latin_1.encoding


def test_pairs_that_say_no_more_than_their_bytes_are_left_out() -> None:
    found, _ = comparison.differences(we.lookup("shift_jis"))
    cases = next(entry for entry in found if entry.codec == "shift_jis").decoding
    assert comparison.Case("81 60", "～", "〜") in cases
    assert comparison.Case("80", "\x80", None) in cases
    assert not [case for case in cases if case.source.startswith("80 ")]
