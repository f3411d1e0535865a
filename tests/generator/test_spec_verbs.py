"""The verbs that read the standard's source: spec, generate and diff, with a source of a made-up encoding."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from generator.model import ENCODINGS, FILES
from generator.spec import compare, compiler, notation, templates
from tests.generator import server as answers
from tests.generator.server import Server
from tests.generator.test_main import run
from tests.generator.toy import DECODER


@pytest.fixture
def with_algorithms(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of data with the algorithms of the made-up encoding, which no template is checked against."""
    monkeypatch.setattr(templates, "check", lambda *_: None)
    algorithms = compiler.read(DECODER, origin="a test", day="2026-01-01")
    (folder / notation.FILE).write_text(notation.to_toml(algorithms), encoding="utf-8")
    return folder


@pytest.fixture
def upstream(server: Server, content: dict[str, bytes]) -> Server:
    """Return a server with the pinned data."""
    server.answers = {name: [answers.body(content[name])] for name in FILES}
    return server


def generate(upstream: Server, data: Path, tmp_path: Path, source: str, *more: str):  # type: ignore[no-untyped-def]
    upstream.answers["encoding.bs"] = [answers.body(source.encode())]
    environment = {"ORIGIN": upstream.origin, "SPEC_ORIGIN": f"{upstream.origin}encoding.bs"}
    return run("generate", "--data", data, "--generated", tmp_path / "generated", *more, **environment)


def test_generate_asks_before_a_program_is_replaced(upstream: Server, with_algorithms: Path, tmp_path: Path) -> None:
    source = DECODER.replace("U+2603 (☃).", "U+2604 (☄).")
    before = (with_algorithms / notation.FILE).read_bytes()
    done = generate(upstream, with_algorithms, tmp_path, source)
    assert done.returncode == 1
    assert "Algorithms: 1 text changed, 1 program, none in behaviour" in done.stdout
    assert "  - return [0x2603]" not in done.stdout  # it is indented
    assert "-     return [0x2603]" in done.stdout
    assert "+     return [0x2604]" in done.stdout
    assert "  Program #toy-decoder has changed" in done.stderr
    assert (with_algorithms / notation.FILE).read_bytes() == before
    assert not (tmp_path / "generated").exists()
    digest = done.stderr.partition("--accept ")[2].split()[0]
    done = generate(upstream, with_algorithms, tmp_path, source, "--accept", digest)
    assert (done.returncode, done.stderr) == (0, "")
    assert b"0x2604" in (with_algorithms / notation.FILE).read_bytes()


def test_generate_notices_a_program_that_is_not_what_its_text_says(
    upstream: Server, with_algorithms: Path, tmp_path: Path
) -> None:
    file = with_algorithms / notation.FILE
    pinned = file.read_text(encoding="utf-8")
    file.write_text(pinned.replace("0x2603]", "0x2604]"), encoding="utf-8")
    done = generate(upstream, with_algorithms, tmp_path, DECODER)
    assert done.returncode == 1
    assert "Program #toy-decoder is not pinned as its text says" in done.stdout
    assert "  Program #toy-decoder is not pinned as its text says" in done.stderr
    digest = done.stderr.partition("--accept ")[2].split()[0]
    assert generate(upstream, with_algorithms, tmp_path, DECODER, "--accept", digest).returncode == 0
    assert "0x2604]" not in file.read_text(encoding="utf-8")


def test_names_of_steps_are_to_be_checked_where_a_program_changes() -> None:
    pinned = compiler.read(DECODER, origin="a test", day="2026-01-01")
    decoder = pinned.programs["toy-decoder"]
    named = replace(
        pinned, programs={**pinned.programs, "toy-decoder": replace(decoder, names=(("held", "2, 2.1-2.2"),))}
    )
    more = DECODER.replace(
        "   <li><p>Return code point U+2603",
        "   <li><p>Restore <var>item</var> to <var>queue</var>.\n   <li><p>Return code point U+2603",
    )
    algorithms = compiler.read(more, origin="a test", day="2026-01-02", known=named)
    report = [*compare.lines(compare.compare(named, algorithms), ())]
    assert dict(algorithms.programs["toy-decoder"].names) == {"held": "2, 2.1, 2.3"}
    assert "  check what its steps are called, in data/algorithms.toml" in report


def test_generate_pins_mere_wording(upstream: Server, with_algorithms: Path, tmp_path: Path) -> None:
    done = generate(upstream, with_algorithms, tmp_path, DECODER.replace("is 0x41, then set", "is 0x41, set"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 text changed, 0 programs, none in behaviour" in done.stdout
    assert "Wording alone: #toy-decoder" in done.stdout
    assert "algorithms.toml is replaced and pinned as of " in done.stdout


def test_a_sentence_that_is_not_understood_stops_nothing(
    upstream: Server, with_algorithms: Path, tmp_path: Path, content: dict[str, bytes]
) -> None:
    """Its program stays, and other texts and data are taken."""
    encodings = content[ENCODINGS].replace(b'"ibm866"', b'"ibm-866",\n"ibm866"')
    upstream.answers[ENCODINGS] = [answers.body(encodings)]
    source = DECODER.replace("Return code point", "Re\x1b[2Jturn point").replace("0x41 0x00", "0x041 0x000")
    before = notation.load(with_algorithms)
    done = generate(upstream, with_algorithms, tmp_path, source)
    assert (done.returncode, done.stderr) == (3, "")  # not all is compared
    assert "\x1b" not in done.stdout
    assert "Not understood: #toy-decoder; its program stays as pinned" in done.stdout
    assert "#toy-decoder, step 2.2: " in done.stdout
    assert re.search(r"step 2.2: .*Re.x1b\[2Jturn point.*; it belongs in generator/spec/lexicon.py", done.stdout)
    assert re.search(r"^  = 2.2 return \[0x2603\]", done.stdout, re.M)
    assert "+ 'ibm-866' of 'IBM866'" in done.stdout
    assert (with_algorithms / ENCODINGS).read_bytes() == encodings
    assert "Wording alone: #toy-encoder" in done.stdout
    assert "Kept as pinned, since their texts are not understood: #toy-decoder." in done.stdout
    after = notation.load(with_algorithms)
    assert before is not None
    assert after is not None
    assert after.programs == before.programs
    assert after.digests["toy-decoder"] == before.digests["toy-decoder"]
    # It is told again, until a pattern covers it.
    again = generate(upstream, with_algorithms, tmp_path, source)
    assert "Not understood: #toy-decoder; its program stays as pinned" in again.stdout


@pytest.mark.parametrize("end", ["<h4 id=toy-enc", "   <li><p>Set <a>Toy held"])
def test_a_source_that_is_cut_off_is_told_as_cut_off(
    end: str, upstream: Server, with_algorithms: Path, tmp_path: Path
) -> None:
    source = DECODER[: DECODER.index(end) + 9]
    done = generate(upstream, with_algorithms, tmp_path, source)
    assert done.returncode == 1
    assert "encoding.bs is cut off after #toy-decoder: its end is missing, and with it 1 of 2 algorithms" in done.stderr
    assert "is removed" not in done.stdout + done.stderr


def test_diff_has_the_algorithms(with_algorithms: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name in FILES:
        (other / name).write_bytes((with_algorithms / name).read_bytes())
    (other / "encoding.bs").write_text(DECODER.replace("U+2603 (☃).", "U+2604."), encoding="utf-8")
    done = run("diff", other, with_algorithms, "--exit-code")
    assert (done.returncode, done.stderr) == (1, "")
    assert "Program #toy-decoder has changed" in done.stdout
    assert run("diff", with_algorithms, with_algorithms, "--exit-code").returncode == 0


def test_pin_replaces_the_algorithms_by_those_of_a_source(with_algorithms: Path, tmp_path: Path) -> None:
    source = tmp_path / "encoding.bs"
    source.write_text(DECODER.replace("0x41 0x00", "0x41 0x01"), encoding="utf-8")
    done = run("pin", "--data", with_algorithms, "--source", source)
    assert done.returncode == 0, done.stderr
    assert "1 text changed, 1 program" in done.stdout
    assert "algorithms.toml pins 2 algorithms as of " in done.stdout
    pinned = notation.load(with_algorithms)
    assert pinned is not None
    assert pinned.origin == source.as_uri()
