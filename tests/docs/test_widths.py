"""The built documentation in Chromium, on a phone and on a desktop: no code is cut, and no word of it is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT

pytestmark = pytest.mark.repeated  # since the site is built for it

#: The code that a page cuts, or that makes it wider than the window, and the words that it breaks: those of a block's
#: tokens and those between two places where inline code may break.
FAULTS = """
const short = (element) => element.textContent.trim().slice(0, 70);
const faults = [];
for (const code of document.querySelectorAll("pre"))
  if (code.scrollWidth > code.clientWidth + 1) faults.push(`cut: ${short(code)}`);
const parts = [...document.querySelectorAll(".highlight span, code .pre")].flatMap((span) => [...span.childNodes]);
for (const part of parts) {
  if (part.nodeType !== Node.TEXT_NODE || /\\s/.test(part.data)) continue;
  const range = document.createRange();
  range.selectNodeContents(part);
  const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
  if (lines.size > 1) faults.push(`broken: ${part.data}`);
}
if (document.documentElement.scrollWidth > window.innerWidth) faults.push("wider than the window");
return faults;
"""


@pytest.fixture(params=[360, 1280])
def width(request: pytest.FixtureRequest, browser: Any) -> Iterator[int]:
    metrics = {"width": request.param, "height": 800, "deviceScaleFactor": 1, "mobile": request.param < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    yield request.param
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_no_code_is_cut_and_no_word_is_broken(site: Path, browser: Any, width: int) -> None:
    pages = sorted(path for path in site.rglob("*.html") if "explorer" not in path.parts)
    assert len(pages) > 90
    faults = {}
    for page in pages:
        browser.get(page.as_uri())
        if broken := browser.execute_script(FAULTS):
            faults[str(page.relative_to(site))] = broken
    assert faults == {}


def test_cut_code_and_broken_words_are_found(tmp_path: Path, browser: Any, width: int) -> None:
    for name, style, expected in (
        ("cut", "white-space: pre", ["cut: " + "x" * 70, "wider than the window"]),
        ("broken", "white-space: pre-wrap; overflow-wrap: anywhere", ["broken: " + "x" * 400]),
    ):
        page = tmp_path / f"{name}.html"
        page.write_text(f'<div class=highlight><pre style="{style}"><span>{"x" * 400}</span></pre></div>')
        browser.get(page.as_uri())
        assert browser.execute_script(FAULTS) == expected


@pytest.mark.parametrize(("name", "page"), [("speed", "index.html"), ("detection", "docs/detection.html")])
def test_the_charts_can_be_read_on_a_phone(name: str, page: str, site: Path, browser: Any) -> None:
    text = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", text)]
    (view,) = re.findall(r'viewBox="0 0 ([\d.]+) ', text)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    )
    browser.get((site / page).as_uri())
    shown = browser.execute_script(f"return document.querySelector('img[src*={name}]').clientWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(sizes) > 10
    assert min(sizes) * shown / float(view) >= 9
