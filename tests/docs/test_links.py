"""Every relative link of a Markdown file, as the repository's page shows it: the file and the heading are there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from tests.programs import ROOT

#: Folders that a clone does not have.
MADE = {"_out", "dist", "node_modules"}
LINK = re.compile(r"""(?:\]\(|<(?:a|img|source)\s[^>]*?(?:href|src|srcset)=")(?!https?:|mailto:)([^)\s"]+)""")


def markdown() -> list[Path]:
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in MADE and not name.startswith("."))
        found += [Path(folder, name).relative_to(ROOT) for name in sorted(names) if name.endswith(".md")]
    return found


def prose(path: Path) -> str:
    """Return a file's text without its code."""
    text = re.sub(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[ \t]*$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    return re.sub(r"`[^`\n]+`", lambda code: "x" * len(code[0]), text)


def anchors(path: Path) -> set[str]:
    """Return the fragments of a page's headings: small letters, digits, hyphens for spaces, no punctuation."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)]
    slugs = [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]
    return {f"{slug}-{count}" if count else slug for n, slug in enumerate(slugs) for count in [slugs[:n].count(slug)]}


def broken(path: Path) -> list[str]:
    """Return the relative links of a file that lead nowhere."""
    found = []
    for link in LINK.findall(prose(path)):
        name, _, fragment = unquote(link).partition("#")
        target = (path.parent / name).resolve() if name else path
        outside = not target.is_relative_to(ROOT) and not target.is_relative_to(path.parent)
        if outside or not target.exists() or MADE & {*target.parts[len(ROOT.parts) :]}:
            found.append(link)
        elif fragment and target.suffix == ".md":
            found += [link] if fragment not in anchors(target) else []
    return found


def test_relative_links_lead_to_what_the_repository_has() -> None:
    assert {str(name): links for name in markdown() if (links := broken(ROOT / name))} == {}


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    assert sum(len(LINK.findall(prose(ROOT / name))) for name in markdown()) > 50
    (tmp_path / "other.md").write_text("# A title, and `code`\n## A [link](b)\n# A link\n")
    good = "[a](other.md) [b](other.md#a-title-and-code) [c](#here) [d](other.md#a-link) [e](other.md#a-link-1)"
    bad = '[a](missing.md) [b](other.md#nowhere) [c](#nowhere) [d](/other.md) <img src="missing.png">'
    (tmp_path / "page.md").write_text(f"# Here\n{good}\n`[x](missing)`\n```\n[x](missing)\n```\n{bad}\n")
    assert broken(tmp_path / "page.md") == ["missing.md", "other.md#nowhere", "#nowhere", "/other.md", "missing.png"]
