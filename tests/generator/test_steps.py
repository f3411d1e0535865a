"""The step numbers in the emitted comments against the numbered steps of the reference, encoding by encoding."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from generator import emit, handlers
from generator.render import url
from generator.steps import CITATION, Steps, compressed, expand
from tests.generator.conftest import anchors_of
from tests.pinned import chapters, codecs
from tests.reference import steps
from tests.reference.compiled import indexes
from tests.reference.encodings import encodings

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = (indexes.index_gb18030_ranges_code_point, indexes.index_gb18030_ranges_pointer)


class Function(NamedTuple):
    """An emitted function: its text, and the steps cited by its comments, in order."""

    text: str
    cited: tuple[str, ...]


def citations(text: str) -> tuple[str, ...]:
    found = []
    for line in text.splitlines():
        match = CITATION.match(line)
        if match:
            found += [f"{match[1]} {path}" for path in expand(match[2])]
    return tuple(found)


def kernels(text: str) -> list[str]:
    """Return the functions that a handler's kernel calls."""
    return re.findall(r"\bwe_\w+(?=\(run, kind, )", text)


@cache
def functions(module: str) -> dict[str, Function]:
    """Return the functions of an emitted module by name."""
    text = (emit.GENERATED / f"{module}.pyx").read_text()
    text = text[: text.index("# -- Registry")]
    parts = re.split(r"^(?=cdef inline |# -- )", text, flags=re.M)
    found = {}
    for part in parts:
        match = re.match(r"cdef inline \w+ (\w+)", part)
        if match:
            found[match[1]] = Function(part, citations(part))
    return found


def emitted(name: str) -> list[tuple[str, Steps, type]]:
    """Return the names of an encoding's handlers, each with its record's steps and the reference's class."""
    codec = codecs()[name]
    decoder, *encoder = steps.algorithms(name)
    found = [(f"{codec.decoder}_decode_item", codec.steps["decoder"], decoder)]
    if codec.handler.encoder is not None:
        found.append((f"{codec.encoder}_encode_item", codec.steps["encoder"], encoder[0]))
    return found


@pytest.mark.parametrize("name", encodings())
def test_each_record_has_the_anchors_of_the_standard(name: str) -> None:
    handler = codecs()[name].handler
    records = [record for record in (handler.decoder, handler.encoder) if record is not None]
    assert [record.anchor for record in records] == list(map(steps.anchor, steps.algorithms(name)))
    assert handler.has_encoder == (len(records) == 2)


@pytest.mark.parametrize("name", encodings())
def test_each_step_has_its_line_and_each_line_its_step(name: str) -> None:
    """Every function of the encoding, with the helpers that it calls, cites exactly the standard's steps."""
    module = functions(codecs()[name].module)
    for function, record, algorithm in emitted(name):
        text, cited = module[function]
        helpers = [other for other in module if other != function and f"{other}(" in text]
        every = {step for other in [function, *helpers] for step in module[other].cited}
        cited_here = {step for step in every if not step.startswith("index-")}
        assert cited_here == set(map(str, steps.steps(algorithm))), function
        assert url(record.anchor) in text
        # If the standard's order is not kept, the docstring gives the reason. The loop takes the end-of-queue steps.
        order = [str(step) for step in steps.steps(algorithm) if str(step) not in record.at_end_of_queue]
        first = [step for step in dict.fromkeys(cited) if step in order]
        assert first == [step for step in order if step in first] or "\n    Order: " in text, function


def test_operations_of_chapter_5() -> None:
    module = functions("chinese_simplified")
    for operation, function in zip(OPERATIONS, ("gb18030_ranges_code_point", "gb18030_ranges_pointer"), strict=True):
        assert set(module[function].cited) == set(map(str, steps.steps(operation)))


@pytest.mark.parametrize("name", encodings())
def test_kernels_are_named_where_they_take_a_step(name: str) -> None:
    """A handler whose kernel calls a function has steps that say so, and the function is found in its file."""
    module = functions(codecs()[name].module)
    for function, _, _ in emitted(name):
        helpers = [other for other in module if other != function and f"{other}(" in module[function].text]
        lines = "".join(module[name].text for name in (function, *helpers)).splitlines()
        called = kernels(module[function.replace("_item", "_kernel")].text)
        assert any(match[3] for match in map(CITATION.match, lines) if match) == bool(called), function
        for kernel in called:
            assert re.search(rf"\b{kernel}\(we_", (ROOT / "src/native/kernels/dispatch.h").read_text()), kernel


@pytest.mark.parametrize("name", handlers.CHAPTERS.values())
def test_headers_and_sections_name_template_and_encodings(name: str) -> None:
    chapter = chapters()[name]
    text = (emit.GENERATED / f"{chapter.name}.pyx").read_text()
    head = text[: text.index('"""')]
    for template in ("chapter.pyx.j2", *chapter.templates):
        assert f"templates/{template}" in head
        assert (ROOT / "templates" / template).is_file()
    for what, parts in (("Decoder", chapter.decoders), ("Encoder", chapter.encoders)):
        headings = re.findall(rf"^# -- {what}: ((?:.*\n#)*?.*)\n# Template: (\S+)\.", text, re.M)
        named = [re.sub(r"\n# ?", " ", names).split(", ") for names, _ in headings]
        assert named == [list(part.names) for part in parts]
        assert [file for _, file in headings] == [
            f"templates/_handlers/{part.codec.handler.template}.pyx.j2" for part in parts
        ]


def test_every_step_is_cited_by_its_name() -> None:
    """No template has a number, and each name in the pin is one that a template cites."""
    folder = ROOT / "templates" / "_handlers"
    for codec in codecs().values():
        text = (folder / f"{codec.handler.template}.pyx.j2").read_text()
        text += (folder / "double_byte.pyx.j2").read_text() * ("double_byte.encode(e)" in text)
        for key, cited in codec.steps.items():
            variable = "steps" if key in ("decoder", "encoder") else key
            for name in cited.numbers.keys() - {"finished"}:
                assert f"{{{{ {variable}.{name} }}}}" in text, (codec.name, name)
    for template in sorted((ROOT / "templates" / "_handlers").glob("*.j2")):
        assert not citations(template.read_text()), template.name
    anchors = {anchor for handler in handlers.HANDLERS.values() for anchor in anchors_of(handler)}
    assert anchors <= {steps.anchor(algorithm) for name in encodings() for algorithm in steps.algorithms(name)} | {
        steps.anchor(operation) for operation in OPERATIONS
    }


def test_expand() -> None:
    assert list(expand("3, 3.1-3.3, 10-11")) == ["3", "3.1", "3.2", "3.3", "10", "11"]
    assert list(expand("3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3")) == [
        "3.[0xC2 to 0xDF]",
        "3.[0xC2 to 0xDF].1",
        "3.[0xC2 to 0xDF].2",
        "[escape start].3",
    ]
    found = Steps("x-decoder", numbers={"finished": "1-2", "ascii": "4"})
    with pytest.raises(KeyError):
        found["trail"]
    assert found["ascii"] == "x-decoder 4"
    assert found.at_end_of_queue == ("x-decoder 1", "x-decoder 2")


@pytest.mark.parametrize("numbers", ["3, 3.1-3.3, 10-11", "3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2, [escape start].3"])
def test_compressed(numbers: str) -> None:
    assert compressed(expand(numbers)) == numbers
