"""What a package index shows of the project: its version, the README as the long description, and the project's URLs.

The latter two depend on the address of the repository, which the environment variable WHATWG_ENCODING_REPOSITORY gives,
such as ``https://host/owner/name``. An sdist keeps the address in its PKG-INFO, so that a wheel built from it has the
same metadata. Without an address the README's relative links become plain text, and there are no URLs.
"""

from __future__ import annotations

import os
import re
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "WHATWG_ENCODING_REPOSITORY"

# A fenced block or a span of code, whose content is no link, or an inline link: "!" if it is an image, text, target.
MARKDOWN = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)[`~]*\s*?$"
    r"|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
    r"|(?P<image>!?)\[(?P<text>(?:[^\[\]\\]|\\.)*)\]\((?P<target>[^()\s]+)\)",
    re.MULTILINE | re.DOTALL,
)
ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def version() -> str:
    """Return the version of the package."""
    text = (ROOT / "src" / "whatwg_encoding" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert match is not None
    return match[1]


def repository(root: Path = ROOT) -> str | None:
    """Return the address of the repository, without a slash at its end, or None if it is unknown.

    Raises SystemExit for an address that is not an https: URL.
    """
    address = os.environ.get(VARIABLE, "").strip()
    if not address:
        try:
            information = HeaderParser().parsestr((root / "PKG-INFO").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        links = dict(link.split(", ", 1) for link in information.get_all("Project-URL", []))
        address = links.get("Source", "")
    address = address.rstrip("/")
    if address and not re.fullmatch(r"https://[^\s/?#]+(/[^\s/?#]+)+", address):
        raise SystemExit(f"{VARIABLE} must be like https://host/owner/name, not {address[:200]!r}")
    return address or None


def urls(address: str | None) -> dict[str, str]:
    """Return the project's URLs by their labels; none without an address."""
    if address is None:
        return {}
    return {
        "Source": address,
        "Documentation": pages(address),
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def pages(address: str) -> str:
    """Return the address of the documentation: the repository's pages on GitHub, elsewhere its source."""
    repository = re.fullmatch(r"https://github\.com/([^/]+)/([^/]+)", address)
    return (
        f"https://{repository[1].lower()}.github.io/{repository[2]}/"
        if repository
        else f"{address}/blob/HEAD/docs/index.md"
    )


def long_description(readme: str, address: str | None) -> str:
    """Return the README with its relative links made absolute, or replaced by their text without an address."""

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or ABSOLUTE.match(target):
            return match[0]
        if address is None:
            return match["text"]
        if target.startswith("#"):
            return f"[{match['text']}]({address}{target})"
        kind = "raw" if match["image"] else "blob"
        return f"{match['image']}[{match['text']}]({address}/{kind}/HEAD/{target.removeprefix('./').lstrip('/')})"

    return MARKDOWN.sub(replace, readme)
