"""The page's engine and its functions of the standard's algorithms, in Node: texts, errors and steps."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import whatwg_encoding as we
from tests.node import Node
from tests.programs import ROOT
from tests.reference import inputs, oracle, steps
from tests.reference.processing import Error

pytestmark = pytest.mark.repeated  # in another program

COUNT = 250
"""Inputs for each of 40 encodings: 10,000."""


def expected_calls(calls: Any) -> list[Any]:
    """Return the calls of the compiled algorithms, as the page's scripts have them."""
    return [
        [
            call.position,
            call.item if isinstance(call.item, int) else None,
            [str(step) for step in call.steps],
            [list(lookup) for lookup in call.lookups],
            list(call.output),
            [call.result.code_point] if isinstance(call.result, Error) else None,
        ]
        for call in calls
    ]


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decoding_as_the_package_and_the_algorithms(name: str, node: Node) -> None:
    data = [*inputs.vectors(name), *inputs.random_inputs(name, COUNT)]
    answers = node.ask(decode=name, inputs=[vector.hex() for vector in data])
    for vector, answer in zip(data, answers, strict=True):
        expected = oracle.decode(name, vector)
        assert answer["text"] == expected.text == we.ENCODINGS[name].decode(vector), vector
        assert answer["spans"] == [list(span) for span in expected.spans], vector
        assert answer["emitted"] == expected.text
        assert answer["rowSpans"] == answer["spans"], vector
        assert answer["agrees"] is True, vector
        assert answer["calls"] == expected_calls(steps.trace_decoder(name, vector)), vector


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encoding_as_the_package_and_the_algorithms(name: str, node: Node) -> None:
    texts = ["", "가각힣", "あ" * 3, *inputs.random_texts(name, COUNT)]
    answers = node.ask(encode=name, inputs=texts)
    for text, answer in zip(texts, answers, strict=True):
        scalar = "".join(chr(value.value) for value in oracle.scalar_values(text))
        expected = oracle.encode(name, scalar)
        assert answer["bytes"] == expected.output.hex() == we.ENCODINGS[name].encode(scalar).hex(), text
        assert answer["emitted"] == answer["bytes"]
        assert answer["count"] == len(expected.spans)
        assert answer["agrees"] is True, text
        assert answer["calls"] == expected_calls(steps.trace_encoder(name, scalar)), text


def test_indexes(node: Node) -> None:
    """The engine's tables have the standard's indexes, entry by entry."""
    indexes = json.loads((ROOT / "data" / "indexes.json").read_text(encoding="utf-8"))
    assert len(indexes) == 34
    for name, expected in indexes.items():
        if name == "gb18030-ranges":
            assert node.run("return indexes.get('gb18030-ranges').ranges") == expected
        else:
            assert node.ask(index=name) == expected, name


def test_mojibake_as_repair_mends_it(node: Node) -> None:
    """Texts that were misread once or twice, in whole or some words of it."""
    in_utf_8 = "Schöne Grüße aus Köln", "Привет, как дела?", "C’est déjà l’été", "こんにちは世界", "Αυτό είναι ελληνικά"
    meant = [("utf-8", text) for text in in_utf_8]
    meant += [("windows-1251", "Привет, как дела сегодня?"), ("shift_jis", "吾輩は猫である。名前はまだ無い。")]
    ways = [("windows-1252",), ("windows-1251",), ("KOI8-R",), ("macintosh",), ("windows-1252", "windows-1252")]
    texts = []
    for (was, text), way in product(meant, ways):
        with suppress(UnicodeError):
            data = we.lookup(was).encode(text, "fatal")
            for name in way:
                misread = we.lookup(name).decode(data, "fatal")
                data = misread.encode()
            texts.append(misread)
    assert len(texts) > 20
    texts += ["cafÃ© крокодил", "SchÃ¶ne Grüße", "Die Straße nach Köln, und zurÃ¼ck", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚, мир"]
    texts += [
        "naïve À LA CARTE",
        "",
        "smile 😀",
        "Ñ‡ÐµÐ»Ð¾Ð²ÐµÐº\nSchÃ¶ne GrÃ¼ÃŸe\nok\nÏðèâåò, ìèð, êàê äåëà",
        "Ã" * 2000,
    ]
    for text, mended in zip(texts, node.ask(mend=texts), strict=True):
        repaired = we.repair(text)
        assert mended["text"] == repaired.text, text
        assert [(step["readAs"], step["was"]) for step in mended["steps"]] == list(repaired.steps), text


def test_a_long_input_has_the_rows_of_its_parts(node: Node) -> None:
    """Rows far ahead begin at a state that was kept: they are those of the whole."""
    data = we.ISO_2022_JP.encode("日本語 and ASCII, " * 3600) + b"\x1b$B"
    body = """
        const bytes = Uint8Array.from(%s.match(/../g), (pair) => parseInt(pair, 16));
        const options = { direction: "decode", label: "iso-2022-jp", errors: "replacement" };
        const make = () => new page.Session(engine, machine, options, bytes).finish();
        const all = make().rows(0, bytes.length), text = all.map((row) => row.emitted).join("");
        const parts = [];
        for (let at = 0; at < bytes.length; at += 9973) {
          parts.push(...make().rows(at, Math.min(9973, bytes.length - at - 1)));
        }
        parts.push(...make().rows(bytes.length - 1, 1));
        const states = (rows) => rows.map(({ offset, emitted, pending, errors, calls }) =>
          JSON.stringify([offset, emitted, pending, errors, calls.map(({ steps }) => steps)]));
        const seen = new Map(states(parts).map((state) => [state, true]));
        return [text, states(all).every((state) => seen.has(state)), make().agrees];
    """  # fmt: skip
    assert len(data) > 5 * (1 << 14)
    assert node.run(body % json.dumps(data.hex())) == [we.ISO_2022_JP.decode(data), True, True]
