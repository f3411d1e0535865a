"""From the standard's prose to programs: the grammar, what it refuses, the pin, and the machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator import snapshot
from generator.model import Snapshot
from generator.spec import compare, compiler, notation
from generator.spec.errors import Misfit, SpecError, visible
from generator.spec.grammar import GRAMMAR, PATTERNS
from generator.spec.machine import END_OF_QUEUE, Error, Machine
from generator.spec.matching import Grammar, Pattern
from generator.spec.notation import Algorithms
from generator.spec.source import DEEPEST, MOST, Document
from tests.generator.test_main import ROOT
from tests.generator.toy import DECODER, example_tokens


def read(text: str) -> Algorithms:
    return compiler.read(text, origin="a test", day="")


@pytest.fixture(scope="module")
def pinned_algorithms() -> Algorithms:
    algorithms = notation.load(snapshot.DATA)
    assert algorithms is not None
    return algorithms


# -- The grammar -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: f"{pattern.rule}: {pattern.pattern}"[:60])
def test_each_pattern_reads_its_example_and_no_other_does(pattern: Pattern) -> None:
    tokens = example_tokens(pattern.example)
    GRAMMAR.read(pattern.rule, tokens, pattern.example)
    without = Grammar([candidate for candidate in PATTERNS if candidate is not pattern], GRAMMAR.primitives)
    without.rules.setdefault(pattern.rule, [])
    with pytest.raises(Misfit, match="no pattern"):
        without.read(pattern.rule, tokens, pattern.example)


@pytest.mark.parametrize(
    "sentence",
    ["Do nothing.", "If ‹x› is null, then perhaps return ⟦error⟧.", "Return ⟦error⟧ or ⟦finished⟧.", "Let ‹x› be."],
)
def test_a_sentence_without_a_pattern_is_refused(sentence: str) -> None:
    with pytest.raises(Misfit, match="no pattern of a sentence covers this"):
        GRAMMAR.read("sentence", example_tokens(sentence), sentence)


def test_a_sentence_with_two_meanings_is_refused() -> None:
    ambiguous = Pattern("sentence", "return {r:result} [.]", "Return null.", lambda r: (r, r))
    grammar = Grammar([*PATTERNS, ambiguous], GRAMMAR.primitives)
    with pytest.raises(Misfit, match="2 meanings"):
        grammar.read("sentence", example_tokens("Return null."), "Return null.")


# -- Fail closed -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Return code point U+2603", "Ponder code point U+2603", "#toy-decoder, step 2.2: no pattern of a sentence"),
        ("(☃)", "(☂)", r"step 2.2: U\+2603 is not '☂'"),
        ("<li><p>If <var>item</var> is 0x41", "<li value=9><p>If <var>item</var> is 0x41", "the attribute value=9"),
        ("<ol>\n <li><p>If", "<ol reversed>\n <li><p>If", "the attribute reversed= of <ol>"),
        ("is 0x41, then set", "is <del>0x41</del> 0x42, then set", "the element <del>"),
        ("<var>item</var> + 1", "<var>item</var><sup>2</sup>", "the element <sup>"),
        ("<td>0x41 0x00", "<td>0x41 or so", "this table row is not a key and its items"),
        ("<tr><td>U+2603<td>0x41 0x00", "<tr><td>U+2603<td>0x41<tr><td>U+2604<td>0x41 0x42", "different numbers"),
        (
            "set <a>Toy held</a> to <var>item</var> and",
            "set <a>Toy lost</a> to <var>item</var> and",
            "step 3: no pattern",
        ),
        ("value is <var>item</var> + 1", "value is <var>other</var>", "the variable .other. has no value"),
        ("<ol>\n   <li><p>Set", "<p>Sometimes:\n <ol>\n   <li><p>Set", "step 2"),
        ("<h4 id=toy-encoder dfn algorithm>Toy encoder", "<h4 id=toy-odd>Toy oddity", "a handler is defined outside"),
        ("runs these steps:\n<ol>", "runs these steps, more or less:\n<ol>", "no pattern of a introduction"),
    ],
)
def test_what_is_not_covered_is_an_error_that_shows_it(old: str, new: str, message: str) -> None:
    assert old in DECODER
    with pytest.raises(SpecError, match=message):
        read(DECODER.replace(old, new, 1))


def test_a_new_section_is_found_and_compiled_or_refused() -> None:
    assert list(read(DECODER).programs) == ["toy-decoder", "toy-encoder"]
    with pytest.raises(SpecError, match=r"^#other-decoder: .*; it belongs in generator/spec/compiler\.py"):
        read(DECODER + "<h4 id=other-decoder>Other decoder</h4>\n<ol><li><p>Return <a>error</a>.</ol>")


_MORE = (
    "<p><a>Toy</a>'s <a for=/>decoder</a>'s <a>handler</a>, given <var>queue</var> and <var>item</var>, runs these "
    "steps:<ol><li><p>Return <a>error</a>.</ol>"
)


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        (
            "<h3 id=odd>Odd</h3>",
            "^#legacy-toy-encodings: a handler is defined outside a decoder's or encoder's section",
        ),
        ("<h4 id=toy-decoder>Toy decoder</h4>", "^#toy-decoder: two sections have this anchor: «Toy decoder»"),
        ("<h4>Toy decoder</h4>", "^#toy-decoder: two sections have this anchor: «Toy decoder»"),
    ],
)
def test_a_section_is_neither_missed_nor_replaced(heading: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        read(DECODER + heading + _MORE)


def test_a_section_without_an_id_has_that_of_its_title() -> None:
    assert list(read(DECODER + "<h4>Odd decoder</h4>" + _MORE).programs) == [
        "toy-decoder",
        "toy-encoder",
        "odd-decoder",
    ]


@pytest.mark.parametrize("element", ["ins", "s", "sub", "b", "span", "template", "script", "svg", "details"])
def test_an_element_that_may_change_the_meaning_is_refused(element: str) -> None:
    text = DECODER.replace("<var>item</var> + 1", f"<var>item</var> + <{element}>1</{element}>")
    with pytest.raises(SpecError, match=f"^#toy-decoder: the element <{element}> is not known"):
        read(text)


@pytest.mark.parametrize("attribute", ["start=2", "type=a", "class=switch", "hidden", "style=display:none", "data-x=y"])
def test_an_attribute_that_may_change_the_meaning_is_refused(attribute: str) -> None:
    name = attribute.partition("=")[0]
    with pytest.raises(SpecError, match=f"^#toy-decoder: the attribute {name}=.* of <ol> is not known"):
        read(DECODER.replace("<ol>\n <li>", f"<ol {attribute}>\n <li>", 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<td>0x41 0x00", "<td colspan=2>0x41 0x00", "the attribute colspan=2 of <td>"),
        ("<table>", "<table><caption>If <a>Toy held</a> is 0x41</caption>", "the element <caption>"),
        ("<td>0x41 0x00", "<td>0x41 0x00<tr><td>U+2603<td>0x41 0x01", "this table row is not a key and its items"),
        ("</ol>\n<h4", "</ol>\n<p>If in doubt, return <a>error</a>.\n<h4", "no pattern of a sentence"),
        ("</ol>\n<h4", "</ol>\n<ol><li><p>Return <a>finished</a>.</ol>\n<h4", "no sentence introduces this list"),
        ("initially 0x00.", "initially 0x00 or 0x01.", "no pattern of a introduction"),
        ("If <var>item</var> is 0x41", "Unless <var>item</var> is 0x41", "no pattern of a sentence"),
        ("with <var>item</var>.\n", "with <var>item</var>. Or not.\n", "no pattern of a sentence"),
    ],
)
def test_what_is_added_is_refused(old: str, new: str, message: str) -> None:
    assert old in DECODER
    with pytest.raises(SpecError, match=message):
        read(DECODER.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no section of a decoder or an encoder"),
        ("<!doctype html><title>404</title>", "no section of a decoder or an encoder"),
        (" " * (MOST + 1), "characters, but at most"),
        (DECODER + "<div>" * (DEEPEST + 1), "nested more than"),
        (DECODER + "<p>" + "<b>" * 100_000, "nested more than"),
        (DECODER + "".join(f"<h3>X{i} decoder</h3>" for i in range(20_000)), "more than 400 sections of decoders"),
    ],
)
def test_what_is_no_source_is_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        read(text)


def test_untrusted_text_is_escaped() -> None:
    with pytest.raises(SpecError) as caught:
        read(DECODER.replace("Return code point", "Re\x1b[2J\u202eturn code point"))
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
    assert visible("a\x9b31m 日") == "a\\x9b31m 日"


# -- Anchors and texts -------------------------------------------------------------------------------------------------


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
    document = Document(f"<p>To {definition}:<ol><li>A.<li><p>B.<p class=note>Not this.</ol><p>Nor this.")
    lines = document.text(anchor)
    assert lines is not None
    assert lines[1:] == ("1. A.", "2. B.")


# -- The pin -----------------------------------------------------------------------------------------------------------


def test_every_algorithm_is_pinned(pinned_algorithms: Algorithms) -> None:
    assert len(pinned_algorithms.transcribed) == 31
    assert len(pinned_algorithms.programs) == 28
    text = (snapshot.DATA / notation.FILE).read_text(encoding="utf-8")
    assert notation.to_toml(pinned_algorithms) == text
    assert notation.to_toml(notation.from_toml(text)) == text


def test_each_algorithm_of_another_kind_is_transcribed_by_the_reference(pinned_algorithms: Algorithms) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "reference").glob("*.py"))
    transcribed = pinned_algorithms.transcribed
    assert [anchor for anchor in transcribed if not re.search(rf"#{re.escape(anchor)}(?![\w-])", text)] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return FINISHED", "import os"),
        ("return FINISHED", "return __import__"),
        ("item is END_OF_QUEUE", "item.__class__ is END_OF_QUEUE"),
        ("item + 1", "item ** item"),
        ("item + 1", "item + 1.5"),
        ("item + 1", "item and 1"),
        ("item + 1", r'"\""'),
        ("item + 1", 'INDEXES["x"].last_range("name", item)'),
        ("item + 1", "item.bit_length(item)"),
        ("item + 1", "item(item)"),
        ('kind = "decoder"', 'kind = "oracle"'),
        ("members = [", "surprise = ["),
    ],
)
def test_a_malformed_pin_is_refused(old: str, new: str) -> None:
    text = notation.to_toml(read(DECODER))
    assert old in text
    with pytest.raises(SpecError, match=r"^algorithms\.toml: #toy-"):
        notation.from_toml(text.replace(old, new, 1))


def test_a_name_of_an_index_is_no_code() -> None:
    expression = """the <a>index code point</a> for 1 in <a lt='index x"]or["y'>index x</a>."""
    with pytest.raises(SpecError, match="is no name for a value or an index"):
        read(DECODER.replace("Set <a>Toy held</a> to 0x00.", f"Let <var>x</var> be {expression}"))


@pytest.mark.parametrize("text", ["", "[]", 'date = "x"\norigin = ""\n[transcribed]\n[programs]', "programs = 1"])
def test_a_file_that_is_no_pin_is_named(text: str) -> None:
    with pytest.raises(SpecError, match=r"^algorithms\.toml: is not a pin"):
        notation.from_toml(text)


# -- The machine and the comparison ------------------------------------------------------------------------------------


def test_the_machine_runs_a_program(pinned: Snapshot, pinned_algorithms: Algorithms) -> None:
    machine = Machine(pinned_algorithms.programs, pinned)
    encoding = {encoding.name: encoding for encoding in pinned.encodings}
    decoder = machine.handler(encoding["Shift_JIS"], "decoder")
    assert decoder is not None
    assert [decoder.process(byte) for byte in b"\x82\xa0A"] == [(), (0x3042,), (0x41,)]
    assert [decoder.process(item) for item in (0x82, 0x41, 0x82, END_OF_QUEUE)] == [(), (Error(), 0x41), (), (Error(),)]
    encoder = machine.handler(encoding["GBK"], "encoder")
    assert encoder is not None
    assert [encoder.process(item) for item in (0x20AC, 0xE5E5, END_OF_QUEUE)] == [(0x80,), (Error(0xE5E5),), ()]
    assert machine.handler(encoding["UTF-16LE"], "encoder") is None


def changed(algorithms: Algorithms, anchor: str, old: str, new: str) -> Algorithms:
    """Return algorithms with a change in the statements and in the digest of one."""
    text = notation.to_toml(algorithms)
    start = text.index(f'[programs."{anchor}"]')
    end = text.find("\n[programs", start) % len(text)
    entry = text[start:end]
    assert old in entry
    entry = re.sub('digest = ".', 'digest = "x', entry.replace(old, new))
    return notation.from_toml(text[:start] + entry + text[end:])


def test_a_change_of_behaviour_is_told_with_its_inputs(pinned: Snapshot, pinned_algorithms: Algorithms) -> None:
    new = changed(pinned_algorithms, "gb18030-encoder", "[0xE78D, 0xA6, 0xD9]", "[0xE78D, 0xA6, 0xDA]")
    differences = tuple(behaviours(pinned, new))
    assert summary(pinned_algorithms, new, differences) == "Algorithms: 1 text changed, 1 program, 1 in behaviour"
    assert [*differences[0].lines()] == [
        "GBK and gb18030 encode 1 code point sequence as something else, such as U+E78D private use as A6 DA instead of"
        " A6 D9"
    ]


def summary(old: Algorithms, new: Algorithms, differences: Sequence[compare.Behaviour] = ()) -> str:
    return next(compare.lines(compare.compare(old, new), (), differences))


def behaviours(pinned: Snapshot, new: Algorithms) -> Iterator[compare.Behaviour]:
    return compare.behaviours(pinned, replace(pinned, programs=new.programs))


@pytest.mark.gate
def test_an_encoder_is_told_with_its_state(pinned: Snapshot, pinned_algorithms: Algorithms) -> None:
    new = changed(
        pinned_algorithms,
        "iso-2022-jp-encoder",
        '11.1 |     if self.iso_2022_jp_encoder_state == "jis0208":\n'
        "11.1 |         restore(io_queue, code_point)\n"
        '11.1 |         self.iso_2022_jp_encoder_state = "ASCII"\n'
        "11.1 |         return [0x1B, 0x28, 0x42]\n",
        "",
    )
    (difference,) = behaviours(pinned, new)
    assert re.search(r" encodes \d+ code point sequences ", next(difference.lines()))
    assert difference.examples[0] == (
        "U+00A7 § SECTION SIGN, U+0080 control",
        "1B, 28, 42, error with U+0080",
        "error with U+0080",
    )


def test_restoring_the_end_of_queue_is_no_change(pinned: Snapshot, pinned_algorithms: Algorithms) -> None:
    new = changed(
        pinned_algorithms,
        "iso-2022-jp-decoder",
        "[escape].8                       |     if byte is END_OF_QUEUE:\n"
        "[escape].8                       |         restore(io_queue, leading)\n"
        "[escape].8                       |     else:\n"
        "[escape].8                       |         restore(io_queue, [leading, byte])\n",
        "[escape].8                       |     restore(io_queue, [leading, byte])\n",
    )
    assert summary(pinned_algorithms, new) == "Algorithms: 1 text changed, 1 program, none in behaviour"
    assert list(behaviours(pinned, new)) == []


def test_names_and_words_are_told_in_a_line(pinned_algorithms: Algorithms) -> None:
    renamed = changed(pinned_algorithms, "euc-kr-decoder", "euc_kr_leading", "euc_kr_lead")
    assert [*compare.lines(compare.compare(pinned_algorithms, renamed), ())] == [
        "Algorithms: 1 text changed, 0 programs, none in behaviour", "Wording alone: #euc-kr-decoder"
    ]  # fmt: skip
    reordered = changed(
        pinned_algorithms,
        "euc-kr-encoder",
        "5 | leading = pointer // 190 + 0x81\n6 | trailing = pointer % 190 + 0x41",
        "5 | trailing = pointer % 190 + 0x41\n6 | leading = pointer // 190 + 0x81",
    )
    assert summary(pinned_algorithms, reordered) == "Algorithms: 1 text changed, 1 program, none in behaviour"


@pytest.mark.gate
def test_a_state_that_is_not_reset_is_found(pinned: Snapshot, pinned_algorithms: Algorithms) -> None:
    """As in the standard of June 2017: after a character of four bytes no step reset the state."""
    without = re.search(r"3\.3 +\|.*\n", notation.to_toml(pinned_algorithms)[notation.to_toml(pinned_algorithms).index(
        '[programs."gb18030-decoder"]'):])  # fmt: skip
    assert without is not None
    new = changed(pinned_algorithms, "gb18030-decoder", without[0], "")
    (behaviour,) = behaviours(pinned, new)
    assert behaviour.encodings == ("GBK", "gb18030")
    assert len(behaviour.examples[0][0].split()) == 5  # four bytes, and what comes after them


# -- The standard's past -----------------------------------------------------------------------------------------------

SOURCES = os.environ.get("WHATWG_ENCODING_SOURCES", "")
"""A folder of sources of the standard, encoding-*.bs; .github/workflows/nightly.yml has those of each year."""


@pytest.mark.skipif(not SOURCES, reason="WHATWG_ENCODING_SOURCES names no folder with sources of the standard")
def test_the_past_of_the_standard_compiles() -> None:
    paths = sorted(Path(SOURCES).glob("encoding-*.bs"))
    assert len(paths) >= 6
    faults = {}
    for path in paths:
        try:
            algorithms = read(path.read_text(encoding="utf-8"))
        except SpecError as error:
            faults[path.name] = str(error)
        else:
            assert len(algorithms.programs) == 28, path
    assert faults == {}


def test_no_sentence_of_the_standard_is_committed() -> None:
    """The pin holds digests and statements; no file of the project is a source of the standard."""
    assert not list(ROOT.glob("tests/**/*.bs"))
    text = (snapshot.DATA / notation.FILE).read_text(encoding="utf-8")
    assert not re.search(r"\b(then return|code point whose value|runs these steps)\b", text)
