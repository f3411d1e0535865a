"""Build the documentation as HTML in build/_out/docs; warnings and broken links are errors."""

from __future__ import annotations

import argparse
import html.parser
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import whatwg_encoding
from docs import pages
from docs.explorer import page as explorer

DOCS = Path(__file__).resolve().parent
DATA = DOCS.parent / "data"
RESULTS = DOCS.parent / "benchmarks" / "results"
OUT = DOCS.parent / "build" / "_out"


#: A file that pages link to, as the repository shows them, and the page that the documentation has of it.
PAGES_OF = {
    DOCS / "conformance.json": "conformance.md",
    RESULTS / "detection.json": "compared.md",
    RESULTS / "everyday.md": "compared.md",
    RESULTS / "damage.md": "benchmarks.md",
    RESULTS / "repair.md": "benchmarks.md",
    DATA / "decode_contexts.csv": "reference/context-list.md",
}


def with_generated_pages(text: str, name: Path) -> str:
    """Return a page's text with links to the pages that are generated.

    They replace links to the files of PAGES_OF, and stand in comments, which the repository's page does not show.
    """
    text = re.sub(r"<!-- in the documentation:\n(.*?)-->\n", r"\1", text, flags=re.S)
    for file, page in PAGES_OF.items():
        link, replaced = (Path(os.path.relpath(path, (DOCS / name).parent)).as_posix() for path in (file, DOCS / page))
        text = text.replace(f"]({link})", f"]({replaced})")
    return text


def assemble(folder: Path) -> None:
    """Write the sources, the generated pages and CONTRIBUTING.md to the folder, and remove everything else."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        DOCS, folder, ignore=shutil.ignore_patterns("*.py", "*.toml", "*.json", "_templates", "__pycache__", "explorer")
    )
    for page in folder.rglob("*.md"):
        text = with_generated_pages(page.read_text(encoding="utf-8"), page.relative_to(folder))
        page.write_text(text, encoding="utf-8", newline="\n")
    text = (DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = text.replace("](docs/", "](").replace("](SECURITY.md)", "](security.md)")  # as links of a page beside them
    (folder / "contributing.md").write_text(text, encoding="utf-8", newline="\n")
    shutil.copy(DOCS.parent / "generated" / "japanese_tables.h", folder)  # docs/generator.md includes a part of it.
    shutil.copy(Path(whatwg_encoding.get_include()) / "whatwg_encoding.h", folder)  # docs/c-api.md includes it.
    for name, text in pages.pages():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    # What docs/engines.md quotes. (docs/examples are the programs of the C API.)
    shutil.copytree(DOCS.parent / "examples", folder / "programs", ignore=shutil.ignore_patterns("*.md", "__pycache__"))


def build(source: Path, extra: Path, output: Path) -> int:
    """Run Sphinx; return its exit status, 0 if there was no warning. The folder `extra` is copied to the output."""
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", str(source.parent / "doctrees")]
    command += ["-c", str(DOCS), str(source), str(output)]
    path = os.pathsep.join(filter(None, [str(DOCS.parent), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "WHATWG_ENCODING_DOCS_EXTRA": str(extra), "PYTHONPATH": path}
    return subprocess.run(command, env=environment, check=False).returncode


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
        found = {name: value for name, value in attrs if value is not None}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if "src" in found:
            self.loads.append(found["src"])
        if "href" in found:
            is_link = tag == "a" or found.get("rel") in ("search", "next", "prev", "index", "canonical")
            (self.links if is_link else self.loads).append(found["href"])


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
    assemble(work / "source")
    try:
        explorer.write(work / "extra" / "explorer")
    except explorer.MissingError as error:
        explorer.write_reason(work / "extra" / "explorer", str(error))
        print(f"The documentation has no explorer: {error}")
    if status := build(work / "source", work / "extra", output):
        return status
    faults = list(broken(output))
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    if not faults:
        print(f"The documentation is {output / 'index.html'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
