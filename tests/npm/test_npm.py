"""The npm package in Node: every vector, and the behaviour of the standard's API, as a browser's tests have it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from tests.browser import browser
from tests.pages import served
from tests.reference import inputs, oracle

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "build" / "_out" / "npm"
MISSING = [name for name in ("node", os.environ.get("CLANG", "clang"), os.environ.get("WASM_LD", "wasm-ld"))
           if shutil.which(name) is None]  # fmt: skip

__all__ = ["browser"]  # a fixture

pytestmark = [
    pytest.mark.repeated,
    pytest.mark.skipif(bool(MISSING), reason=f"the npm package needs {', '.join(MISSING)}"),
]


class Node:
    """A process that answers requests."""

    def __init__(self) -> None:
        command = ["node", str(HERE / "answers.mjs"), str(PACKAGE)]
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, text=True, encoding="utf-8")

    def ask(self, **request: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def run(self, body: str) -> Any:
        return self.ask(run=body)

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    built = subprocess.run(
        [sys.executable, str(ROOT / "build" / "npm.py")], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    opened = Node()
    yield opened
    opened.close()


NAMES = [name for name in inputs.ALL_NAMES if name != "replacement"]


@pytest.mark.parametrize("name", NAMES)
def test_decode(name: str, node: Node) -> None:
    data = [*inputs.vectors(name), *inputs.random_inputs(name, 200)]
    expected = [oracle.decode(name, each) for each in data]
    digits = [each.hex() for each in data]
    assert node.ask(decode=name, inputs=digits) == [each.text for each in expected]
    fatal = node.ask(decode=name, inputs=digits, fatal=True)
    assert fatal == [None if each.spans else each.text for each in expected]
    for step in (1, 2):
        chunks = [[each[at : at + step].hex() for at in range(0, len(each), step)] for each in data]
        assert node.ask(stream=name, inputs=chunks) == [each.text for each in expected]


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encode(name: str, node: Node) -> None:
    texts = ["", "a\U0001f4a9", "가각힣", "¥\x0e", "あ" * 3, *inputs.random_texts(name, 60)]
    scalar = ["".join(chr(value.value) for value in oracle.scalar_values(text)) for text in texts]
    expected = [oracle.encode(name, text) for text in scalar]
    assert node.ask(encode=name, inputs=texts) == [each.output.hex() for each in expected]
    fatal = node.ask(encode=name, inputs=texts, fatal=True)
    assert fatal == [None if each.spans else each.output.hex() for each in expected]


def test_names_and_labels(node: Node) -> None:
    assert node.run("return wasm.encodings.map(({name}) => name)") == list(inputs.ALL_NAMES)
    labels = {label: wanted.name for label, wanted in we.LABELS.items()}
    found = node.run("return Object.fromEntries(wasm.encodings.flatMap(e => e.labels.map(l => [l, e.name])))")
    assert found == labels
    assert node.run(f"return {json.dumps(list(labels))}.map(l => wasm.labelToName(` ${{l.toUpperCase()}}\\n`))") == [
        *labels.values()
    ]
    assert node.run("return wasm.labelToName('klingon')") is None


def test_detect(node: Node) -> None:
    data = "Съешь же ещё этих МЯГКИХ французских булок".encode("koi8-r")
    for hints in ({}, {"declared": "windows-1251"}, {"candidates": ["ibm866", "sjis"]}, {"limit": 9}):
        guesses = we.sniff.detect(data, **hints)  # type: ignore[arg-type]
        expected = [[guess.encoding.name, guess.score] for guess in guesses]
        assert node.ask(detect=[data.hex()], options=hints) == [expected]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # https://encoding.spec.whatwg.org/#interface-textdecoder
        ("return new wasm.TextDecoder().encoding", "utf-8"),
        ("return new wasm.TextDecoder('Latin1').encoding", "windows-1252"),
        ("const d = new wasm.TextDecoder(undefined, {fatal: 1, ignoreBOM: 'a'}); return [d.fatal, d.ignoreBOM]",
         [True, True]),
        ("const d = new wasm.TextDecoder('gbk', null); return [d.fatal, d.ignoreBOM]", [False, False]),
        ("new wasm.TextDecoder('klingon')", ["RangeError"]),
        ("new wasm.TextDecoder('replacement')", ["RangeError"]),
        ("new wasm.TextDecoder('iso-2022-kr')", ["RangeError"]),
        ("new wasm.TextDecoder('utf-8', 1)", ["TypeError"]),
        ("new wasm.TextDecoder().decode('text')", ["TypeError"]),
        ("new wasm.TextDecoder().decode(null)", ["TypeError"]),
        ("return new wasm.TextDecoder().decode()", ""),
        ("return new wasm.TextDecoder().decode(new Uint16Array([0x6261, 0x6463]).subarray(1))", "cd"),
        ("return new wasm.TextDecoder().decode(new DataView(Uint8Array.of(97, 98, 99).buffer, 1))", "bc"),
        ("return new wasm.TextDecoder().decode(Uint8Array.of(97).buffer)", "a"),
        ("const b = new Uint8Array(new SharedArrayBuffer(1)); b[0] = 97; return new wasm.TextDecoder().decode(b)", "a"),
        # Byte order marks
        ("return new wasm.TextDecoder().decode(Uint8Array.of(0xEF, 0xBB, 0xBF, 97))", "a"),
        ("return new wasm.TextDecoder('utf-8', {ignoreBOM: true}).decode(Uint8Array.of(0xEF, 0xBB, 0xBF))", "\ufeff"),
        ("return new wasm.TextDecoder('utf-16le').decode(Uint8Array.of(0xFF, 0xFE, 97, 0))", "a"),
        ("return new wasm.TextDecoder('utf-16be').decode(Uint8Array.of(0xFF, 0xFE))", "\ufffe"),
        ("const d = new wasm.TextDecoder(); d.decode(Uint8Array.of(0xEF), {stream: true});"
         "return d.decode(Uint8Array.of(0xBB, 0xBF, 97)) + d.decode(Uint8Array.of(0xEF, 0xBB, 0xBF, 98))", "ab"),
        # Streams
        ("const d = new wasm.TextDecoder(); return [d.decode(Uint8Array.of(0xF0, 0x9F), {stream: true}), d.decode()]",
         ["", "\ufffd"]),
        ("const d = new wasm.TextDecoder(); d.decode(Uint8Array.of(0xE2, 0x82), {stream: true});"
         "return [d.decode(Uint8Array.of(0xAC)), d.decode(Uint8Array.of(0xAC))]", ["€", "\ufffd"]),
        ("const d = new wasm.TextDecoder('utf-8', {fatal: true}); try { d.decode(Uint8Array.of(0xFF)) } catch (e) {};"
         "return d.decode(Uint8Array.of(97))", "a"),
        ("const d = new wasm.TextDecoder('utf-8', {fatal: true});"
         "try { d.decode(Uint8Array.of(97, 0xFF, 98), {stream: true}) } catch (e) {};"
         "return d.decode(Uint8Array.of(99), {stream: true})", "bc"),
        ("new wasm.TextDecoder('utf-8', {fatal: true}).decode(Uint8Array.of(0xE2))", ["TypeError"]),
        # https://encoding.spec.whatwg.org/#interface-textencoder
        ("return new wasm.TextEncoder().encoding", "utf-8"),
        ("return [...new wasm.TextEncoder().encode()]", []),
        ("return [...new wasm.TextEncoder().encode('\\uD83D')]", [0xEF, 0xBF, 0xBD]),
        ("return [...new wasm.TextEncoder().encode('\\uDCA9\\uD83D\\uDCA9')]", 
         [0xEF, 0xBF, 0xBD, 0xF0, 0x9F, 0x92, 0xA9]),
        ("new wasm.TextEncoder('utf-16le')", ["RangeError"]),
        ("new wasm.TextEncoder('sjis', {fatal: true}).encode('☺')", ["TypeError"]),
        ("const b = new Uint8Array(5); return [new wasm.TextEncoder().encodeInto('a😀b', b), [...b]]",
         [{"read": 3, "written": 5}, [97, 0xF0, 0x9F, 0x98, 0x80]]),
        ("const b = new Uint8Array(3); return [new wasm.TextEncoder('sjis').encodeInto('ハロ', b), [...b]]",
         [{"read": 1, "written": 2}, [0x83, 0x6E, 0]]),
        ("const b = new Uint8Array(7); return new wasm.TextEncoder('iso-2022-jp').encodeInto('あ', b)",
         {"read": 0, "written": 0}),
        ("const b = new Uint8Array(3); return new wasm.TextEncoder('gb18030').encodeInto('😀', b)",
         {"read": 0, "written": 0}),
        ("new wasm.TextEncoder().encodeInto('a', [])", ["TypeError"]),
    ],
)  # fmt: skip
def test_api(body: str, expected: object, node: Node) -> None:
    assert node.run(body) == expected


def test_texts_beyond_a_piece(node: Node) -> None:
    body = "const t = 'aあ\\u{20B9F}'.repeat(700001); const d = new wasm.TextEncoder('%s').encode(t);"
    body += "return [d.length, new wasm.TextDecoder('%s').decode(d) === t]"
    assert node.run(body % ("utf-8", "utf-8")) == [8 * 700001, True]
    assert node.run(body % ("gb18030", "gb18030")) == [7 * 700001, True]


def test_pack(node: Node) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    done = subprocess.run(
        ["npm", "pack", "--dry-run", "--json"], cwd=PACKAGE, capture_output=True, text=True, check=True
    )
    (packed,) = json.loads(done.stdout)
    names = {"LICENSE", "LICENSE-WHATWG", "README.md", "index.d.ts", "index.js", "members.js", "package.json"}
    assert {file["path"] for file in packed["files"]} == names | {"whatwg_encoding.wasm"}
    assert packed["size"] < 700_000


def test_in_a_browser(node: Node, browser: Any) -> None:
    kinds = {".js": "text/javascript", ".wasm": "application/wasm"}
    pages = {
        path.name: (kinds[path.suffix], path.read_bytes(), "") for path in PACKAGE.iterdir() if path.suffix in kinds
    }
    pages["page.html"] = ("text/html; charset=utf-8", b"<!doctype html><title>page</title>", "")
    with served(pages) as address:
        browser.get(f"{address}page.html")
        found = browser.execute_async_script(
            "const done = arguments[0]; import('./index.js').then(({TextDecoder, TextEncoder, detect}) => done(["
            "new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x6E, 0x87, 0x40)),"
            "[...new TextEncoder('gbk').encode('€')], detect(new Uint8Array([0xE9]))[0].encoding]),"
            "error => done(String(error)))"
        )
    assert found == ["ハ①", [0x80], "windows-1252"]
