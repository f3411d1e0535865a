"""Measure the time to determine a page's encoding, beside w3lib, html5lib, BeautifulSoup's dammit and turbohtml.

    python -m benchmarks.bench_sniff            # pyperf's options: --fast, --rigorous, -o FILE, …

Each library is measured with its function for this: html5lib with its input stream's determination, the others with
their search for a declaration; turbohtml's detector falls back to statistics if there is none. Peers that are not
installed (dependency group ``recipes``) are named and omitted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pyperf  # type: ignore[import-untyped]

from whatwg_encoding import sniff

HEAD = b"""<!DOCTYPE html>
<html lang="ko" class="no-js">
<head>
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="preload" href="/assets/main.css?v=42" as="style">
"""
BODY = (
    b"""<title>A page of an ordinary site</title>
<script>window.dataLayer = window.dataLayer || []; if (a < b && c > d) { track("page"); }</script>
<!-- navigation --><nav class='top'><a href="/" title="Start">Start</a> <a href="/news">News</a></nav>
"""
    * 20
)

#: The bytes of each page. The goals are 5 microseconds for the first and 15 for the second.
PAGES = {
    "meta in the first 300 bytes": HEAD + b'<meta charset="euc-kr">\n' + BODY,
    "1024 bytes without declaration": HEAD + BODY,
    "byte order mark": b"\xef\xbb\xbf" + HEAD + BODY,
}


def contenders() -> dict[str, Callable[[bytes], object]]:
    """Return the function to measure of each library, ours first."""
    found: dict[str, Callable[[bytes], object]] = {"whatwg-encoding": sniff.html}

    def add(name: str, module: str, make: Callable[[Any], Callable[[bytes], object]]) -> None:
        try:
            found[name] = make(import_module(module))
        except ImportError as error:
            print(f"{name} is omitted: {error}", file=sys.stderr)

    add("w3lib", "w3lib.encoding", lambda w3lib: lambda data: w3lib.html_body_declared_encoding(data))
    add(
        "html5lib",
        "html5lib._inputstream",
        lambda html5lib: lambda data: html5lib.HTMLBinaryInputStream(data).charEncoding,
    )
    add(
        "dammit",
        "bs4.dammit",
        lambda bs4: lambda data: bs4.EncodingDetector.find_declared_encoding(data, is_html=True),
    )
    add("turbohtml", "turbohtml.detect", lambda turbohtml: lambda data: turbohtml.detect(data).encoding)
    return found


def main() -> None:
    """Run pyperf over each page and each library."""
    runner = pyperf.Runner()
    for page, data in PAGES.items():
        for name, ask in contenders().items():
            runner.bench_func(f"{page} [{name}]", ask, data)


if __name__ == "__main__":
    main()
