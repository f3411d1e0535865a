"""How the page is put together: it loads nothing, its policy names its scripts, and its data is the standard's."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from docs.explorer import data, page
from generator.spec import machine, notation
from tests.pinned import PINNED

DATA: dict[str, Any] = data.content(PINNED, data.before_gb18030_2022(PINNED))
MODULE = b"\0asm\x01\0\0\0"
HTML = page.html(MODULE, DATA)


class Parts(HTMLParser):
    """What a page has: its links, what it loads, its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.policy = ""
        self.blocks: dict[str, str] = {}
        self._open = ""
        self.feed(HTML)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"]
        if "style" in found or any(name.startswith("on") for name in found):
            raise AssertionError(f"the policy forbids {found}")
        if tag == "a":
            self.links.append(found["href"])
        elif "href" in found or "src" in found:
            self.loaded.append(found.get("href", found.get("src", "")))
        self._open = found["id"] if found.get("type", "") == "application/octet-stream" else tag

    def handle_data(self, text: str) -> None:
        if self._open in self.texts:
            self.texts[self._open].append(text)
        elif self._open in ("engine", "data"):
            self.blocks[self._open] = text
        self._open = ""


PARTS = Parts()


def test_the_page_loads_nothing() -> None:
    assert PARTS.loaded == ["data:,"]
    assert all(link.startswith("#") for link in PARTS.links)
    assert len(PARTS.links) >= 8


def test_the_policy_has_the_hashes_of_scripts_and_style_and_allows_nothing_else() -> None:
    texts = [*PARTS.texts["script"], *PARTS.texts["style"]]
    assert len(texts) == 3
    for text in texts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in PARTS.policy
    assert PARTS.policy.startswith("default-src 'none'; ")
    assert not re.search(r"'unsafe-(inline|eval)'|https?:|blob:|\*", PARTS.policy)


@pytest.mark.parametrize("name", ["engine", "data"])
def test_what_is_packed(name: str) -> None:
    packed = base64.b85decode(PARTS.blocks[name].replace(",", "<"))
    content = gzip.decompress(packed[4 : 4 + int.from_bytes(packed[:4], "big")])
    assert content == MODULE if name == "engine" else json.loads(content) == json.loads(json.dumps(DATA))


def test_every_module_is_in_the_page_once_after_what_it_imports() -> None:
    script = "".join(PARTS.texts["script"])
    for path in (*page.SOURCE.glob("core/*.js"), *page.SOURCE.glob("views/*.js")):
        assert script.count(f"const module_{path.stem} = ") == 1
        text = path.read_text(encoding="utf-8")
        for imported in re.findall(r'from "\.{1,2}/(?:core/)?(\w+)\.js"', text):
            assert script.index(f"const module_{imported} =") < script.index(f"const module_{path.stem} =")
        assert len(text.splitlines()) <= 650
    assert not re.search(r"^(?:import|export) ", script, re.M)
    assert "{{ " not in HTML.replace("${{", "")


def texts(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the step and the text of the statements of a program as the page has it."""
    for kind, *values in tree:
        *_, step, text = values
        if kind == "If":
            yield from texts(values[0])
            continue
        yield step, text
        if kind in ("Case", "While"):
            yield from texts(values[1])


def test_the_programs_have_the_steps_of_the_pinned_algorithms() -> None:
    pinned = machine.pinned()
    assert DATA["programs"].keys() == pinned.keys()
    for anchor, algorithm in pinned.items():
        written = [line for line in notation.lines(algorithm.body) if line.step]
        expected = [
            (line.step, re.sub(r"^el(?=if )", "", line.text.removesuffix(":")).replace("else", "otherwise"))
            if line.text.endswith(":")
            else (line.step, line.text)
            for line in written
        ]
        found = [one for one in texts(DATA["programs"][anchor].get("body", ())) if one[0]]
        assert found == expected, anchor


def test_every_pointer_has_the_bytes_of_its_code_point() -> None:
    """The bytes of a layout, decoded by the package, are the entry of the raw index."""
    raw = json.loads((page.ROOT / "data" / "indexes.json").read_text(encoding="utf-8"))
    for name, index in DATA["indexes"].items():
        without = (
            {at for first, last in index["without"] for at in range(first, last + 1)} if "layouts" in index else ()
        )
        for layout in index.get("layouts", ()):
            encoding, before = we.ENCODINGS[layout["encoding"]], b"\x1b$B" if layout["note"] else b""
            pairs = (bytes.fromhex(a + b) for a in layout["leading"] for b in layout["trailing"])
            for pointer, (pair, code_point) in enumerate(zip(pairs, raw[name], strict=False)):
                if pointer not in without and code_point is not None:
                    assert encoding.decode(before + pair, "fatal") == chr(code_point), (
                        name,
                        layout["encoding"],
                        pointer,
                    )
        assert not any(raw[name][pointer] for pointer in without)


def test_the_two_dates() -> None:
    (index,) = DATA["changes"]["indexes"]
    assert (index["name"], len(index["entries"])) == ("gb18030", 18)
    assert index["entries"][0] == [7182, 0xE78D, 0xFE10, {"GBK": "a6d9", "gb18030": "a6d9"}]


def test_without_clang_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANG", "no-such-clang -O1")
    with pytest.raises(page.MissingError, match=r"no-such-clang.* not installed: apt-get install clang lld"):
        page.write(tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_a_page_says_why_there_is_no_explorer(tmp_path: Path) -> None:
    page.write_reason(tmp_path / "explorer", "<clang> is not installed")
    text = (tmp_path / "explorer" / "index.html").read_text(encoding="utf-8")
    assert "There is no explorer here: &lt;clang&gt; is not installed." in text
