"""How the page is put together: it loads nothing, its policy names its scripts, and its data is the standard's."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import bs4
import pytest

import whatwg_encoding as we
from docs.explorer import data, page
from generator.spec import machine, notation
from tests.pinned import PINNED

DATA: dict[str, Any] = data.content(PINNED)
MODULE = b"\0asm\x01\0\0\0"
HTML = page.html(MODULE, DATA)


SOUP = bs4.BeautifulSoup(HTML, "html.parser")
SCRIPT = "".join(page.scripts())


def test_the_page_loads_nothing() -> None:
    links = [link["href"] for link in SOUP("a")]
    assert {link for link in links if not link.startswith("#")} == {"../index.html"}  # the documentation
    assert len(links) >= 8
    (icon,) = [tag["href"] for tag in SOUP(href=True) if tag.name != "a"] + SOUP(src=True)
    assert icon.startswith("data:image/svg+xml,")


def test_the_policy_has_the_hashes_of_scripts_and_style_and_allows_nothing_else() -> None:
    policy = SOUP.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    inline = [element.get_text() for element in (*SOUP("script", type=None), *SOUP("style"))]
    assert len(inline) == 2
    for text in (*inline, unpacked("core").decode(), unpacked("views").decode()):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"'unsafe-(inline|eval)'|https?:|blob:|\*", policy)
    assert not [tag for tag in SOUP(True) if any(name == "style" or name.startswith("on") for name in tag.attrs)]


def unpacked(name: str) -> bytes:
    """Return what the page contains in compressed form."""
    text = SOUP.find(id=name).get_text()
    assert len(text) % 7 == 0
    packed = b""
    for at in range(0, len(text), 7):
        number = 0
        for digit in text[at : at + 7]:
            number = number * 116 + page.DIGITS.index(digit)
        packed += number.to_bytes(6, "big")
    return gzip.decompress(packed[4 : 4 + int.from_bytes(packed[:4], "big")])


def test_what_is_packed() -> None:
    assert unpacked("engine") == MODULE
    assert json.loads(unpacked("data")) == json.loads(json.dumps(DATA))
    assert SOUP.find("script", type=None).get_text() + unpacked("core").decode() + unpacked("views").decode() == SCRIPT


def test_every_module_is_in_the_page_once_after_what_it_imports() -> None:
    for path in (*page.SOURCE.rglob("*.js"), page.ROOT / "src" / "npm" / "binding.js"):
        assert SCRIPT.count(f"const module_{path.stem} = ") == 1
        text = path.read_text(encoding="utf-8")
        for imported in re.findall(r'from "[./\w]*?(\w+)\.js"', text):
            assert SCRIPT.index(f"const module_{imported} =") < SCRIPT.index(f"const module_{path.stem} =")
        assert len(text.splitlines()) <= 650
    assert not re.search(r"^(?:import|export) ", SCRIPT, re.M)
    assert not re.search(r"{{ \w+ }}", HTML)


def test_the_programs_have_the_steps_of_the_pinned_algorithms() -> None:
    pinned = machine.pinned()
    assert DATA["programs"].keys() == pinned.keys()
    for anchor, algorithm in pinned.items():
        expected = [line.step for line in notation.lines(algorithm.body) if line.step]
        numbers = [step for step, _ in DATA["programs"][anchor].get("steps", ())]
        assert numbers == expected, anchor


def test_steps_are_sentences_and_no_program() -> None:
    sentences = {text for program in DATA["programs"].values() for _, text in program.get("steps", ())} - {""}
    assert len(sentences) > 200
    for text in sentences:
        assert re.fullmatch(r"[A-Z].*\.", text), text
        assert not re.search(r"self|None|==|!=|//|\*|\[|\w\(|True|False|  | is gbk", text), text
        assert not re.search(r"_", text.replace("Shift_JIS", "").replace("shift_jis", "")), text
    assert "The byte is in the range 0x81 to 0x9F or 0xE0 to 0xFC." in sentences
    assert "Set the leading byte to the stored leading byte." in sentences
    assert "This is the GBK encoder and the code point is 0x20AC." in sentences


def test_every_pointer_has_the_bytes_of_its_code_point() -> None:
    """The bytes of a layout, decoded by the package, are the entry of the raw index."""
    raw = json.loads((page.ROOT / "data" / "indexes.json").read_text(encoding="utf-8"))
    for name, index in DATA["indexes"].items():
        without = set(index.get("without", ()))
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


@pytest.mark.parametrize("kind", page.PREVIEWS)
def test_previews_of_links_have_a_title_a_sentence_and_a_picture(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(page.SITE, "https://example.com/project/")
    soup = bs4.BeautifulSoup(page.forwarding(kind), "html.parser")
    tags = {tag["property"]: tag["content"] for tag in soup("meta", property=True)}
    assert tags["og:title"].endswith(" · Encoding explorer")
    assert len(tags["og:description"]) > 40
    picture = tags["og:image"].removeprefix("https://example.com/project/")
    assert (page.ROOT / picture).read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")


def test_without_clang_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANG", "no-such-clang -O1")
    with pytest.raises(page.MissingError, match=r"no-such-clang.* not installed: apt-get install clang lld"):
        page.write(tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_a_page_says_why_there_is_no_explorer(tmp_path: Path) -> None:
    page.write_reason(tmp_path / "explorer", "<clang> is not installed")
    text = (tmp_path / "explorer" / "index.html").read_text(encoding="utf-8")
    assert "There is no explorer here: &lt;clang&gt; is not installed." in text
