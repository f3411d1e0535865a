"""Every door gives the same answer: the handler folded over its queue, with a policy for errors, and an end.

One set of cases goes through all doors of docs/concepts.md. Expected text and spans come from the reference.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable
from itertools import repeat

import pytest

import whatwg_encoding as we
from tests.capi import table
from tests.node import running
from tests.npm.package import NEEDS, built
from tests.programs import ROOT
from tests.reference import inputs, oracle

Door = Callable[[str, bytes], str]


pytestmark = pytest.mark.usefixtures("registered")


def by_bytes(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))]


def decode_bytes(decoder: codecs.IncrementalDecoder, data: bytes) -> str:
    return "".join(map(decoder.decode, by_bytes(data))) + decoder.decode(b"", True)


def text_decoder_stream(name: str, data: bytes, fatal: bool) -> str:
    return "".join(we.TextDecoderStream(name, fatal=fatal, ignore_bom=True)(by_bytes(data)))


def text_decoder_by_bytes(name: str, data: bytes, fatal: bool) -> str:
    decoder = we.TextDecoder(name, fatal=fatal, ignore_bom=True)
    return "".join(decoder.decode(byte, stream=True) for byte in by_bytes(data)) + decoder.decode()


def c_stream(name: str, data: bytes, flags: int) -> table.Stream:
    return table.run_stream(name, 4, flags, by_bytes(data) or [b""], repeat(4), decodes=True)


def column(name: str, data: bytes, errors: str) -> str:
    pyarrow = pytest.importorskip("pyarrow")
    text = we.arrow.decode_array(pyarrow.array([data], pyarrow.binary()), name, errors=errors)  # type: ignore[arg-type]
    result: str = pyarrow.array(text)[0].as_py()
    return result


def opened(name: str, data: bytes, errors: str) -> str:
    with we.open_utf8(io.BytesIO(data), name, errors=errors) as file:  # type: ignore[arg-type]
        return file.read().decode()


REPLACING: dict[str, Door] = {
    "Encoding.decode": lambda name, data: we.lookup(name).decode(data),
    "Encoding.decode_to_utf8": lambda name, data: we.lookup(name).decode_to_utf8(data).decode(),
    "decode_many": lambda name, data: we.decode_many([(data, name)])[0],
    "recode": lambda name, data: we.recode(data, name, "utf-8", "html").decode(),
    "Decoder": lambda name, data: decode_bytes(we.lookup(name).new_decoder(), data),
    "TextDecoder": lambda name, data: text_decoder_by_bytes(name, data, False),
    "TextDecoderStream": lambda name, data: text_decoder_stream(name, data, False),
    "codecs": lambda name, data: data.decode(f"web-{name}", "replace"),
    "codecs, incremental": lambda name, data: decode_bytes(
        codecs.getincrementaldecoder(f"web-{name}")("replace"), data
    ),
    "open_utf8": lambda name, data: opened(name, data, "replacement"),
    "arrow.decode_array": lambda name, data: column(name, data, "replacement"),
    "C": lambda name, data: c_stream(name, data, 0).output.decode("utf-32-le"),
}
"""By name: what gives U+FFFD for each error."""

FATAL: dict[str, Door] = {
    "Encoding.decode": lambda name, data: we.lookup(name).decode(data, "fatal"),
    "Encoding.decode_to_utf8": lambda name, data: we.lookup(name).decode_to_utf8(data, "fatal").decode(),
    "decode_many": lambda name, data: we.decode_many([(data, name)], "fatal")[0],
    "recode": lambda name, data: we.recode(data, name, "utf-8", "fatal").decode(),
    "Decoder": lambda name, data: we.lookup(name).new_decoder("fatal").decode(data, True),
    "TextDecoder": lambda name, data: we.TextDecoder(name, fatal=True, ignore_bom=True).decode(data),
    "codecs": lambda name, data: data.decode(f"web-{name}", "strict"),
    "codecs, incremental": lambda name, data: codecs.getincrementaldecoder(f"web-{name}")("strict").decode(data, True),
    "arrow.decode_array": lambda name, data: column(name, data, "fatal"),
}
"""By name: what raises UnicodeDecodeError at the first error, of which the object is all of the data."""

WITHOUT_REPLACEMENT = {"TextDecoder", "TextDecoderStream"}
"""Doors that refuse the encoding replacement, as the standard says."""


def cases(name: str) -> list[bytes]:
    return [b"", *inputs.vectors(name), *inputs.random_inputs(name, 60)]


def doors(doors_by_name: dict[str, Door], name: str) -> dict[str, Door]:
    return {key: door for key, door in doors_by_name.items() if name != "replacement" or key not in WITHOUT_REPLACEMENT}


@pytest.mark.parametrize("name", we.ENCODINGS)
def test_replacing(name: str) -> None:
    for data in cases(name):
        expected = oracle.decode(name, data).text
        for key, door in doors(REPLACING, name).items():
            assert door(name, data) == expected, (key, data)
        assert we.recode(data, name, "gb18030", "html") == oracle.encode("gb18030", expected).output


@pytest.mark.parametrize("name", we.ENCODINGS)
def test_fatal(name: str) -> None:
    for data in cases(name):
        expected, spans = oracle.decode(name, data)
        for key, door in doors(FATAL, name).items():
            if not spans:
                assert door(name, data) == expected, (key, data)
                continue
            with pytest.raises(UnicodeDecodeError) as raised:
                door(name, data)
            assert raised.value.object == data
            assert (raised.value.start, raised.value.end) == spans[0], (key, data)
        if spans:
            with pytest.raises(UnicodeDecodeError) as raised:
                opened(name, data, "fatal")
            assert raised.value.offset == spans[0][0]  # type: ignore[attr-defined]
        stream = c_stream(name, data, table.FATAL)
        assert [(end - length, end) for end, length in stream.errors] == list(spans)
        assert stream.output.decode("utf-32-le") == expected


@pytest.mark.parametrize("name", [name for name in we.ENCODINGS if name != "replacement"])
def test_npm(name: str) -> None:
    with running(ROOT / "tests" / "npm" / "answers.mjs", built()) as node:
        data = cases(name)
        texts = [oracle.decode(name, item) for item in data]
        hexes = [item.hex() for item in data]
        replaced = [text for text, _ in texts]
        assert node.ask(decode=name, inputs=hexes) == replaced
        assert node.ask(decode=name, inputs=hexes, fatal=True) == [None if spans else text for text, spans in texts]
        pieces = [[byte.hex() for byte in by_bytes(item)] for item in data]
        assert node.ask(stream=name, inputs=pieces) == replaced


for _mark in NEEDS:
    test_npm = _mark(test_npm)


def test_the_table_of_doors_is_complete() -> None:
    page = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"(?m)^\| `?([^|`]+)`? \|", page.partition("## How each function handles errors")[2]))
    assert listed - {"function", "---"} == {*REPLACING, *FATAL, "npm"}
