"""The pinned text of the standard's algorithms: extraction, numbering, comparison, and the standard's own past."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator import constants, handlers, prose, snapshot
from generator.model import FILES
from tests.generator import server as answers
from tests.generator.server import Server
from tests.generator.test_main import ROOT, nobody, run

PAST = Path(__file__).parent / "data" / "prose"


def past(day: str) -> prose.Prose:
    return prose.extract((PAST / f"encoding-{day}.bs").read_text(encoding="utf-8"), origin="a fixture", day=day)


def source(*algorithms: tuple[str, str]) -> str:
    return "".join(f"<h4 id={anchor} dfn algorithm>x</h4>\n<p>Run:\n<ol>{steps}</ol>\n" for anchor, steps in algorithms)


# -- Extraction --------------------------------------------------------------------------------------------------------


def test_steps_are_numbered_and_plain() -> None:
    text = """
<h3 id=gb18030-decoder dfn algorithm>gb18030 decoder</h3>
<p><a>gb18030</a>'s handler, given <var>byte</var>:
<ol>
 <li><p>If <var>byte</var> is 0x80 (&euro;),
 then return <a>error</a>.
 <li>
  <p>Otherwise: <!-- not this -->
  <ol>
   <li><p>A.
   <li><p>B.
  </ol>
  <p class=note>Not this either.
  <p>After the list.
 <li><p>Last.
</ol>
<div class=note><p>Nor this.<ol><li>Nor this.</ol></div>
<h3 id=other>Other</h3>
<p>Nor this.
"""
    assert prose.extract(text, origin="", day="").sections["gb18030-decoder"] == (
        "gb18030's handler, given byte:",
        "1. If byte is 0x80 (€), then return error.",
        "2. Otherwise:",
        "2.1. A.",
        "2.2. B.",
        "After the list.",
        "3. Last.",
    )


def test_an_algorithm_of_a_paragraph_ends_with_its_lists() -> None:
    text = """
<p>To <dfn export>BOM sniff</dfn> <var>ioQueue</var>:
<ol><li><p>One.<li><p>Two:<table><tr><td>0xFE<td>0xFF</table></ol>
<p>To <dfn lt="get an encoder|getting an encoder">get an encoder</dfn>: return it.
<p>Something else.
"""
    sections = prose.extract(text, origin="", day="").sections
    assert sections["bom-sniff"] == ("To BOM sniff ioQueue:", "1. One.", "2. Two:", "2.1. 0xFE 0xFF")
    assert sections["get-an-encoder"] == ("To get an encoder: return it.",)


@pytest.mark.parametrize(
    ("definition", "anchor"),
    [
        ("<dfn id=concept-encoding-get>get</dfn>", "concept-encoding-get"),
        ("<dfn for='I/O queue'>peek</dfn>", "i-o-queue-peek"),
        ("<dfn method for=TextDecoder><code>decode(<var>input</var>)</code></dfn>", "dom-textdecoder-decode"),
        ("<dfn>UTF-8 decode\n without BOM</dfn>", "utf-8-decode-without-bom"),
    ],
)
def test_anchors_are_those_of_the_rendered_standard(definition: str, anchor: str) -> None:
    assert list(prose.extract(f"<p>To {definition}:<ol><li>A.</ol>", origin="", day="").sections) == [anchor]


@pytest.mark.parametrize("text", ["", "<!doctype html><title>404</title>", "{}", "<ol>" * 10_000 + "</dl>" * 10_000])
def test_what_is_no_source_is_refused(text: str) -> None:
    with pytest.raises(prose.ProseError, match=r"^encoding\.bs: contains none of the standard's algorithms"):
        prose.extract(text, origin="", day="")


def test_a_source_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(prose.ProseError, match=r"characters, but at most"):
        prose.extract(" " * (prose.MOST + 1), origin="", day="")


# -- The pin -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pinned_prose() -> prose.Prose:
    found = prose.load()
    assert found is not None
    return found


def test_every_transcribed_algorithm_is_pinned(pinned_prose: prose.Prose) -> None:
    assert tuple(pinned_prose.sections) == prose.ALGORITHMS
    assert all(pinned_prose.sections.values())


def test_each_encoding_has_its_decoder_and_encoder_pinned() -> None:
    pinned = set(prose.ALGORITHMS)
    for encoding in snapshot.load().encodings:
        handler = handlers.handler(encoding.name, encoding.heading)
        assert handler is not None
        assert pinned.issuperset(handler.anchors)


@pytest.mark.parametrize("anchor", prose.ALGORITHMS)
def test_each_algorithm_is_transcribed_by_the_reference(anchor: str) -> None:
    files = prose.transcribers(anchor)
    assert any(file.startswith("tests/reference/") for file in files)
    for file in files:
        assert re.search(rf"#{re.escape(anchor)}(?![\w-])", (ROOT / file).read_text(encoding="utf-8"))


def test_the_pin_survives_a_round_trip_and_detects_any_change(tmp_path: Path, pinned_prose: prose.Prose) -> None:
    prose.write(tmp_path, pinned_prose)
    assert prose.load(tmp_path) == pinned_prose
    value = json.loads((tmp_path / prose.FILE).read_bytes())
    value["algorithms"]["decode"]["steps"][1] += " "
    (tmp_path / prose.FILE).write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(prose.ProseError, match=r"^prose\.json: #decode: its sha256 is [0-9a-f]{64}, but"):
        prose.load(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"date": "x", "algorithms": {}, "origin": ""}', "\x80"])
def test_a_broken_pin_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / prose.FILE).write_bytes(content.encode("latin-1"))
    with pytest.raises(prose.ProseError, match=r"^prose\.json: is not a pin"):
        prose.load(tmp_path)


# -- The standard's past -----------------------------------------------------------------------------------------------


def test_june_2017_iso_2022_jp_encodes_half_width_katakana() -> None:
    (change,) = prose.compare(past("2017-05-05"), past("2017-06-15"))
    assert change.anchor == "iso-2022-jp-encoder"
    assert change.old is not None
    assert change.new is not None
    added = [step for step in change.new if "U+FF61" in step]
    assert len(added) == 1
    assert "index ISO-2022-JP katakana" in added[0]
    assert not any("U+FF61" in step for step in change.old)
    lines = list(prose.lines([change]))
    assert lines[0] == (
        "Algorithm #iso-2022-jp-encoder has changed (https://encoding.spec.whatwg.org/#iso-2022-jp-encoder)"
    )
    assert "templates/_handlers/iso_2022_jp.pyx.j2" in lines[1]
    assert "tests/reference/japanese.py" in lines[1]
    assert f"  + {added[0]}" in lines


def test_gb18030_2022_changes_the_encoder() -> None:
    (wording,) = prose.compare(past("2020-05-06"), past("2024-06-13"))
    assert wording.new is not None
    assert not any("0xA6 0xD9" in step for step in wording.new)
    (table,) = prose.compare(past("2024-06-13"), past("2026-05-21"))
    assert table.new is not None
    rows = [step for step in table.new if re.search(r"U\+E[0-9A-F]{3} 0x", step)]
    assert len(rows) == len(constants.GB18030_2022_ENCODER) == 18
    shown = [line for line in prose.lines([table]) if line.startswith("  + ")]
    assert all(f"  + {row}" in shown for row in rows)


def test_the_pinned_encoder_of_gb18030_is_that_of_its_day(pinned_prose: prose.Prose) -> None:
    assert pinned_prose.sections["gb18030-encoder"] == past(pinned_prose.date).sections["gb18030-encoder"]


# -- The command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def with_prose(folder: Path, pinned_prose: prose.Prose) -> Path:
    """Return a folder of data with the pinned prose."""
    prose.write(folder, pinned_prose)
    return folder


def test_generate_names_what_changed_upstream_and_goes_on(
    with_prose: Path, tmp_path: Path, server: Server, content: dict[str, bytes]
) -> None:
    server.answers = {name: [answers.body(content[name])] for name in FILES}
    server.answers["encoding.bs"] = [answers.body((PAST / "encoding-2024-06-13.bs").read_bytes())]
    before = (with_prose / prose.FILE).read_bytes()
    arguments = ("generate", "--data", with_prose, "--generated", tmp_path / "generated")
    done = run(*arguments, ORIGIN=server.origin, PROSE_ORIGIN=f"{server.origin}encoding.bs")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Algorithm #gb18030-encoder has changed" in done.stdout
    assert "templates/_handlers/gb18030.pyx.j2" in done.stdout
    assert "python -m generator prose --pin" in done.stdout
    assert (tmp_path / "generated" / "labels.pyx").exists()
    assert (with_prose / prose.FILE).read_bytes() == before


def test_generate_says_when_the_source_is_unreachable(with_prose: Path, tmp_path: Path) -> None:
    origin = nobody()
    done = run("generate", "--data", with_prose, "--generated", tmp_path / "g", ORIGIN=origin, PROSE_ORIGIN=origin)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The standard's source is unreachable, so its algorithms are not compared: http://127" in done.stdout


def test_diff_has_the_prose_in_each_form(with_prose: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name in FILES:
        (other / name).write_bytes((with_prose / name).read_bytes())
    (other / prose.SOURCE_NAME).write_bytes((PAST / "encoding-2024-06-13.bs").read_bytes())
    for form, expected in (("--json", '"anchor": "gb18030-encoder"'), ("--html", "#gb18030-encoder</a>")):
        done = run("diff", other, with_prose, form, "--exit-code")
        assert (done.returncode, done.stderr) == (1, "")
        assert expected in done.stdout
    done = run("diff", other, with_prose)
    assert done.returncode == 0
    assert "Algorithm #gb18030-encoder has changed" in done.stdout
    assert run("diff", with_prose, with_prose, "--exit-code").returncode == 0


def test_prose_is_pinned_from_a_file(with_prose: Path) -> None:
    arguments = ("prose", "--data", with_prose, "--source", PAST / "encoding-2024-06-13.bs", "--date", "2024-06-13")
    arguments += ("--prose-origin", "https://example.org/encoding.bs")
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert "Algorithm #gb18030-encoder has changed" in done.stdout
    assert "Algorithm #decode is removed" in done.stdout
    done = run(*arguments, "--pin")
    assert "prose.json pins 1 algorithms as of 2024-06-13." in done.stdout
    assert prose.load(with_prose) == prose.Prose(
        "https://example.org/encoding.bs", "2024-06-13", past("2024-06-13").sections
    )


def test_the_verb_prose_fails_when_upstream_is_unreachable(with_prose: Path) -> None:
    done = run("prose", "--data", with_prose, PROSE_ORIGIN=nobody())
    assert done.returncode == 1
    assert "cannot be fetched" in done.stderr
