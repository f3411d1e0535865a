"""Build documentation and explorer in build/_out/docs, one folder; warnings and broken links are errors."""

from __future__ import annotations

import argparse
import html.parser
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.explorer import page as explorer

DOCS = Path(__file__).resolve().parent
OUT = DOCS.parent / "build" / "_out"


def build(extra: Path, output: Path) -> int:
    """Run Sphinx; return its exit status, 0 if there was no warning. The folder `extra` is copied to the output."""
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", str(extra.parent / "doctrees")]
    command += ["-c", str(DOCS), str(DOCS.parent), str(output)]
    path = os.pathsep.join(filter(None, [str(DOCS.parent), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "WHATWG_ENCODING_DOCS_EXTRA": str(extra), "PYTHONPATH": path}
    status = subprocess.run(command, env=environment, check=False).returncode
    if (output / "README.html").exists():
        shutil.copy(output / "README.html", output / "index.html")  # the front page
    return status


# -- Links -------------------------------------------------------------------------------------------------------------


class _Page(html.parser.HTMLParser):
    """The IDs of a page, the addresses that it links to, and those that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value for name, value in attrs if value is not None}
        self.ids |= {attributes[name] for name in ("id", "name") if name in attributes}
        if "src" in attributes:
            self.loads.append(attributes["src"])
        if "href" in attributes:
            is_link = tag == "a" or attributes.get("rel") in ("search", "next", "prev", "index", "canonical")
            (self.links if is_link else self.loads).append(attributes["href"])


def broken(folder: Path) -> Iterator[str]:
    """Yield a sentence for each broken link within the folder and for each resource loaded from outside it."""
    read = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in read.items():
        where = path.relative_to(folder)
        for address in page.loads:
            parts = urlsplit(address)
            if parts.scheme not in ("", "data") or parts.netloc:
                yield f"{where}: loads {address}, which is not in the documentation"
        for address in (*page.links, *page.loads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{where}: {address} is not a file"
            elif parts.fragment and target in read and not _has(target, parts.fragment, read[target], folder):
                yield f"{where}: {address} is not in {target.relative_to(folder)}"


def _has(target: Path, fragment: str, page: _Page, folder: Path) -> bool:
    """Return whether a page has the target of a fragment. Scripts interpret the fragments of the explorer."""
    return target.parent.name == "explorer" or unquote(fragment) in page.ids


def main(arguments: list[str] | None = None) -> int:
    """Build and check the documentation; return the exit status, 0 without warnings and broken links."""
    parser = argparse.ArgumentParser(prog="python -m docs", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=OUT / "docs", metavar="FOLDER", help="instead of build/_out/docs"
    )
    output: Path = parser.parse_args(arguments).output.resolve()
    work = output.parent / f"{output.name}-work"
    try:
        explorer.write(work / "extra" / "explorer")
    except explorer.MissingError as error:
        explorer.write_reason(work / "extra" / "explorer", str(error))
        print(f"The documentation has no explorer: {error}")
    if status := build(work / "extra", output):
        return status
    faults = list(broken(output))
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    if not faults:
        print(f"The documentation is {output / 'index.html'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
