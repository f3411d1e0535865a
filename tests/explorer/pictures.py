"""Take the pictures of docs/explorer.md, which previews of links show, too: ``python -m tests.explorer.pictures``."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image

from docs.explorer import page
from tests.browser import started

ADDRESSES = {
    "decode": "#label=shift_jis&bytes=93fa967b8cea41",
    "identify": "#detect=93fa967b8cea82cc",
    "mend": "#repair=SchÃ¶ne GrÃ¼ÃŸe aus KÃ¶ln",
    "lookup": "#character=漢",
    "tables": "#table=jis0208&as=Shift_JIS&at=pointer-1500",
}
#: What sites crop pictures of links to, in pixels.
SIZE = {"width": 1200, "height": 630, "deviceScaleFactor": 1, "mobile": False}


def take(browser: Any, explorer: Path, folder: Path) -> None:
    """Write a picture of each question to a folder, in 64 colours."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
    still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}  # no colour in between
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
    for kind, address in ADDRESSES.items():
        browser.get("about:blank")
        browser.get(explorer.as_uri() + quote(address, safe="#=&,%+?"))
        WebDriverWait(browser, 60).until(
            lambda driver: driver.execute_script("return document.documentElement.dataset.ready")
        )
        picture = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
        picture.quantize(64, dither=Image.Dither.NONE).save(folder / f"explorer-{kind}.png", optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made, started() as chromium:
        take(chromium, page.write(Path(made)), page.ROOT / "docs" / "images")
