"""The npm package in Node: every vector, and the behaviour of the standard's API, as a browser's tests have it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import whatwg_encoding as we
from tests.browser import browser
from tests.node import Node, PeerMissing, installed, running
from tests.npm.package import NEEDS, built
from tests.pages import served
from tests.programs import ROOT, run
from tests.reference import inputs, oracle
from tests.sniff.test_doors import FORMS, OTHERS, texts

HERE = Path(__file__).resolve().parent
EXAMPLE = ROOT / "examples" / "javascript"

__all__ = ["browser"]  # a fixture

pytestmark = NEEDS


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with running(HERE / "answers.mjs", built()) as node:
        yield node


@pytest.fixture(scope="module")
def node_without_buffer() -> Iterator[Node]:
    with running(HERE / "answers.mjs", built(), "without-buffer") as node:
        yield node


NAMES = [name for name in inputs.ALL_NAMES if name != "replacement"]


def pieces(whole: Any, random: Random) -> list[Any]:
    """Return a sequence in pieces of random lengths, some of them empty."""
    parts = []
    while whole:
        length = random.randrange(4)
        parts.append(whole[:length])
        whole = whole[length:]
    return parts


@pytest.mark.parametrize("name", NAMES)
def test_decode(name: str, node: Node) -> None:
    """11,700 random inputs and every vector: replaced, fatal, a byte or two at a time, and through a stream."""
    data = [*inputs.vectors(name), *inputs.random_inputs(name, 300)]
    expected = [oracle.decode(name, item) for item in data]
    texts = [item.text for item in expected]
    assert [we.lookup(name).decode(item) for item in data] == texts
    digits = [item.hex() for item in data]
    assert node.ask(decode=name, inputs=digits) == texts
    fatal = node.ask(decode=name, inputs=digits, fatal=True)
    assert fatal == [None if item.spans else item.text for item in expected]
    for step in (1, 2):
        chunks = [[item[at : at + step].hex() for at in range(0, len(item), step)] for item in data]
        assert node.ask(stream=name, inputs=chunks) == texts
    random = Random(name)
    chunks = [[piece.hex() for piece in pieces(item, random)] for item in data]
    assert node.ask(decodePipe=name, inputs=chunks) == texts


@pytest.mark.parametrize("name", NAMES)
def test_long_inputs(name: str, node: Node, node_without_buffer: Node) -> None:
    """Those that reach the kernels' vectors, of a length about a block, and texts of each width."""
    output = name if name in inputs.ENCODER_NAMES else "UTF-8"
    encoded = [oracle.encode(output, scalar * count).output
               for scalar, count in (("a", 9000), ("é", 3000), ("日本語ニュース", 400), ("aПривет ", 300),
                                     ("한국어 a", 300), ("<p>中文</p>", 200), ("\U0001f600é", 300),
                                     ("aé\x85\x9f", 200))]  # fmt: skip
    noise = inputs.random_inputs(name, 60)
    data = [*(item[:length] for item in encoded for length in (63, 64, 130, 9000)), b"".join(noise)]
    data += [encoded[0][:200] + item + encoded[2][:200] for item in noise]
    texts = [oracle.decode(name, item).text for item in data]
    digits = [item.hex() for item in data]
    for either in (node, node_without_buffer):
        assert either.ask(decode=name, inputs=digits) == texts
        if name in inputs.ENCODER_NAMES:
            expected = [oracle.encode(name, text).output.hex() for text in texts]
            assert either.ask(encode=name, inputs=texts) == expected


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encode(name: str, node: Node) -> None:
    texts = ["", "a\U0001f4a9", "가각힣", "¥\x0e", "あ" * 3, "あ\udca9\ud83d", *inputs.random_texts(name, 300)]
    scalar = ["".join(chr(value.value) for value in oracle.scalar_values(text)) for text in texts]
    expected = [oracle.encode(name, text) for text in scalar]
    digits = [item.output.hex() for item in expected]
    assert [we.lookup(name).encode(text).hex() for text in scalar] == digits
    assert node.ask(encode=name, inputs=texts) == digits
    fatal = node.ask(encode=name, inputs=texts, fatal=True)
    assert fatal == [None if item.spans else item.output.hex() for item in expected]
    random = Random(name)
    units = [re.findall(b"(?s)..", text.encode("utf-16-le", "surrogatepass")) for text in texts]
    chunks = [[b"".join(piece).hex() for piece in pieces(item, random)] for item in units]
    assert node.ask(encodePipe=name, inputs=chunks) == digits


def test_names_and_labels(node: Node) -> None:
    assert node.run("return wasm.encodings.map(({name}) => name)") == list(inputs.ALL_NAMES)
    labels = {label: wanted.name for label, wanted in we.LABELS.items()}
    names_by_label = node.run("return Object.fromEntries(wasm.encodings.flatMap(e => e.labels.map(l => [l, e.name])))")
    assert names_by_label == labels
    assert node.run(f"return {json.dumps(list(labels))}.map(l => wasm.labelToName(` ${{l.toUpperCase()}}\\n`))") == [
        *labels.values()
    ]
    assert node.run("return wasm.labelToName('klingon')") is None


def test_detect_gives_the_text_of_all_doors(node: Node) -> None:
    """The texts and the answers of tests/sniff/test_doors.py."""
    samples = [FORMS[form](text).encode(codec) for codec, form, text in texts()]
    samples += [data for data in OTHERS.values() if b"<meta" not in data]
    for data, guesses in zip(samples, node.ask(detect=[data.hex() for data in samples], options={}), strict=True):
        text = we.lookup(guesses[0][0]).decode(data).removeprefix("\ufeff")
        assert text == we.decode_crawled(data).text, data


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
        ("const b = new ArrayBuffer(2), v = new Uint8Array(b); structuredClone(b, {transfer: [b]});"
         "return new wasm.TextDecoder().decode(b) + new wasm.TextDecoder().decode(v)", ""),
        ("return [wasm.TextDecoder.prototype[Symbol.toStringTag], Object.keys(wasm.TextDecoder.prototype)]",
         ["TextDecoder", ["encoding", "fatal", "ignoreBOM", "decode"]]),
        ("wasm.TextDecoder.prototype.encoding", ["TypeError"]),
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
        ("const b = new Uint8Array(7); return new wasm.TextEncoder('shift_jis').encodeInto('a☺', b)",
         {"read": 1, "written": 1}),
        ("const b = new Uint8Array(2); return new wasm.TextEncoder('big5').encodeInto('\\u{2008a}\\u{2008a}', b)",
         {"read": 2, "written": 2}),
        ("new wasm.TextEncoder('sjis', {fatal: true}).encodeInto('☺', new Uint8Array(9))", ["TypeError"]),
        ("new wasm.TextEncoder().encodeInto('a', [])", ["TypeError"]),
        # https://encoding.spec.whatwg.org/#interface-textdecoderstream
        ("const s = new wasm.TextDecoderStream('sjis', {fatal: true}); return [s.encoding, s.fatal, s.ignoreBOM]",
         ["shift_jis", True, False]),
        ("new wasm.TextDecoderStream('replacement')", ["RangeError"]),
        ("const s = new wasm.TextEncoderStream('Latin1', {fatal: true}); return [s.encoding, s.fatal]",
         ["windows-1252", True]),
        ("new wasm.TextEncoderStream('utf-16')", ["RangeError"]),
    ],
)  # fmt: skip
def test_api(body: str, expected: object, node: Node) -> None:
    assert node.run(body) == expected


def test_texts_beyond_a_piece(node: Node) -> None:
    body = "const t = 'aあ\\u{20B9F}'.repeat(700001); const d = new wasm.TextEncoder('%s').encode(t);"
    body += "return [d.length, new wasm.TextDecoder('%s').decode(d) === t]"
    assert node.run(body % ("utf-8", "utf-8")) == [8 * 700001, True]
    assert node.run(body % ("gb18030", "gb18030")) == [7 * 700001, True]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which npm has installed the archive of the package, with the example."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("project")
    (archive,) = json.loads(run("npm", "pack", "--json", "--pack-destination", folder, cwd=built()))
    names = {"LICENSE", "LICENSE-WHATWG", "README.md", "index.d.ts", "index.js", "members.js", "package.json"}
    names |= {"binding.js", "standard.d.ts", "standard.js", "whatwg_encoding.wasm"}
    assert {file["path"] for file in archive["files"]} == names
    assert archive["size"] < 700_000
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", f"./{archive['filename']}", cwd=folder)
    modules = {path.name for path in (folder / "node_modules").iterdir()}
    assert modules - {".package-lock.json"} == {"whatwg-encoding-wasm"}
    for path in EXAMPLE.iterdir():
        shutil.copy(path, folder)
    return folder


@pytest.mark.parametrize(
    ("arguments", "data", "expected", "told"),
    [
        (["shift_jis"], "いろは①".encode("cp932"), "いろは①".encode(), ""),
        (["utf-8", "iso-2022-jp"], "いろは".encode(), "いろは".encode("iso-2022-jp"), ""),
        (["gbk", "windows-1252"], "é€汉".encode("gb18030"), "é€&#27721;".encode("cp1252"), ""),
        (["auto"], "Съешь же ещё этих булок".encode("koi8-r"), "Съешь же ещё этих булок".encode(), "koi8-r\n"),
    ],
)
def test_the_example_in_node(arguments: list[str], data: bytes, expected: bytes, told: str, project: Path) -> None:
    done = subprocess.run(["node", "convert.mjs", *arguments], cwd=project, input=data, capture_output=True, check=True)
    assert (done.stdout, done.stderr.decode()) == (expected, told)


def test_types(project: Path) -> None:
    try:
        compiler = installed(HERE) / "node_modules" / "typescript" / "bin" / "tsc"
    except PeerMissing as error:
        pytest.skip(str(error))
    shutil.copy(HERE / "program.ts", project)
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
    assert run("node", compiler, *options, "program.ts", cwd=project) == ""


def test_the_example_in_a_browser(project: Path, browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select, WebDriverWait

    kinds = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html"}
    package = project / "node_modules" / "whatwg-encoding-wasm"
    pages = {
        path.relative_to(project).as_posix(): (kinds[path.suffix], path.read_bytes(), "")
        for path in (*project.iterdir(), *package.iterdir())
        if path.suffix in kinds
    }
    text = "Съешь же ещё этих мягких французских булок, да выпей чаю"
    file = tmp_path / "old.txt"
    file.write_bytes(text.encode("koi8-r"))
    with served(pages) as address:
        browser.get(f"{address}index.html")
        select = browser.find_element(By.TAG_NAME, "select")
        output = browser.find_element(By.TAG_NAME, "output")
        wait = WebDriverWait(browser, 20)
        wait.until(lambda _: len(Select(select).options) == len(inputs.ALL_NAMES))  # a title; all but replacement
        browser.find_element(By.TAG_NAME, "input").send_keys(str(file))
        wait.until(lambda _: output.text == "koi8-r")
        assert browser.find_element(By.TAG_NAME, "pre").text == text
        Select(select).select_by_visible_text("windows-1251")
        wait.until(lambda _: output.text == "windows-1251")
        assert browser.find_element(By.TAG_NAME, "pre").text == text.encode("koi8-r").decode("cp1251")
        assert browser.get_log("browser") == []
