"""A page on a phone: lines of code and tables are as wide as it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.programs import ROOT

WIDE = """return [...document.querySelectorAll('pre, table')].filter(
    part => part.scrollWidth > (part.matches('pre') ? part : part.parentElement).clientWidth
).length"""


def test_nothing_is_cut_at_375_pixels(browser: Any, tmp_path: Path) -> None:
    source, extra, made = (tmp_path / name for name in ("source", "extra", "made"))
    for folder in (source, extra):
        folder.mkdir()
    text = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\((?!https:)[^)]*\)", "](https://example.org/)", text)
    (source / "index.md").write_text(f"{text}\n```python\n{'a long line of code ' * 9}\n```\n", encoding="utf-8")
    environment = {**os.environ, "WHATWG_ENCODING_DOCS_EXTRA": str(extra), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "sphinx", "-q", "-c", str(ROOT / "docs"), str(source), str(made)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    metrics = {"width": 375, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get((made / "index.html").as_uri())
    assert browser.execute_script("return document.querySelectorAll('pre, table').length") >= 3
    assert browser.execute_script(WIDE) == 0
    (made / "_static" / "narrow.css").write_text("")
    browser.get((made / "index.html").as_uri())
    assert browser.execute_script(WIDE) >= 2, "it would pass without the style"
