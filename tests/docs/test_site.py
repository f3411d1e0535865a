"""The built documentation: no warnings, every page present, no broken links, no external resources.

Tests of what `make docs` builds are repeated ones, since building takes half a minute.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable
from pathlib import Path

import command_line
import pytest

import whatwg_encoding as we
from benchmarks import report
from benchmarks.report import LEVEL
from docs import __main__ as building
from docs import api, pages
from tests.programs import ROOT
from whatwg_encoding import _cli as cli

Check = Callable[[str], list[str]]


@pytest.mark.repeated
def test_every_encoding_has_a_page_with_its_labels(site: Path) -> None:
    encodings = json.loads((ROOT / "data" / "encodings.json").read_text(encoding="utf-8"))
    named = [encoding for group in encodings for encoding in group["encodings"]]
    assert len(named) > 30
    for encoding in named:
        file = encoding["name"].lower().replace("-", "_") + ".html"
        text = (site / "docs" / "encodings" / file).read_text(encoding="utf-8").replace("<wbr/>", "")
        assert f"<title>{encoding['name']} - " in text
        for label in encoding["labels"]:
            assert f'<span class="pre">{label}</span>' in text, (file, label)
        assert "At a glance" in text
        assert ("CPython has no codec for any" in text) or ("Python's name for" in text)


@pytest.mark.repeated
def test_the_explorer_is_a_part_of_it(site: Path) -> None:
    assert (site / "explorer" / "index.html").stat().st_size < 750_000
    page = (site / "docs" / "encodings" / "shift_jis.html").read_text(encoding="utf-8")
    for address in ("table=jis0208&amp;as=Shift_JIS", "coverage=jis0208", "label=shift_jis&amp;bytes="):
        assert f'href="../../explorer/index.html#{address}' in page


def test_the_reference_has_everything_public() -> None:
    reference = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md"))
    assert str(int.__doc__).splitlines()[0] not in reference, "a value has its type's text"
    headings = set(re.findall(r"^#+ ([\w.]+)$", reference, re.M))
    names = {name for name in we.__all__ if not isinstance(getattr(we, name), we.Encoding | types.ModuleType)}
    assert names - headings == {"ENCODINGS", "LABELS"}  # which are no functions
    for module in ("arrow", "mime", "sniff", "urls", "w3lib"):
        assert {f"{module}.{name}" for name in getattr(we, module).__all__} <= headings
    public = {*we.standard.__all__, *we.contexts.__all__} - {"CONTEXTS"}
    assert public <= {heading.rpartition(".")[2] for heading in headings}


def test_each_function_has_an_example_and_says_what_it_refuses() -> None:
    """Those that stand in for another library's have that library's documentation."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    names = {name for part in re.findall(r"^<!-- api: (.*) -->$", text, re.M) for name in part.split()}
    for module in {name.removesuffix(".*") for name in names if name.endswith(".*")}:
        names |= {f"{module}.{name}" for name in getattr(we, module).__all__}
    functions = {name: value for name in names if not name.endswith(".*") and callable(value := api.resolve(name))}
    lacking = [
        name
        for name, value in functions.items()
        if not isinstance(value, type)
        and name.split(".")[0] not in {"chardet", "charset_normalizer", "w3lib", "webencodings"}
        and f"{name}()" not in api.signature(name, value)  # without arguments, there is nothing to refuse
        and not re.search(r"(?s)(Raise|exceptions are).*>>> ", value.__doc__ or "")
    ]
    assert len(functions) > 100
    assert lacking == []


def test_each_function_of_the_choice_leads_to_its_reference() -> None:
    page = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\|$", page.partition("## ")[0], re.M)[2:]
    assert len(rows) > 30
    for row in rows:
        assert re.search(r"\[`.*?`\]\((?:reference/(?!options)\w+|mail)\.md#[\w-]+\)", row.rpartition(" | ")[2]), row


def test_every_option_of_the_command_is_on_a_page() -> None:
    page = pages.options_page()
    actions = list(command_line.actions(cli.parser()))
    assert len({form for action in actions for form in action.option_strings}) > 50
    for action in actions:
        for form in action.option_strings:
            assert re.search(rf"[` ]{form}[`, ]", page) or form in ("-V", "--version"), form
    for command, (_, _, help) in cli.COMMANDS.items():
        assert f"## {command}\n\n{help}\n" in page


def test_the_comparison_has_each_row_in_which_a_peer_is_ahead() -> None:
    page = pages.compared_page()
    results = (pages.RESULTS / "doors.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split(" | ") for line in results.splitlines() if line.count(" | ") == 4][2:]
    compared = [row for row in rows if re.fullmatch(r"[\d.]+", row[3])]
    slower = {
        f"|{' | '.join((name, time, ratio, peer))}|" for name, time, _, ratio, peer in compared if float(ratio) < LEVEL
    }
    listed = {line for line in page.splitlines() if re.search(r" \| [\d.]+ [µmn]s \| ", line)}
    assert slower
    assert slower <= listed
    assert len(listed) < len(slower) + 5  # those between LEVEL and 1
    tables = report.tables((pages.RESULTS / "detection.md").read_text(encoding="utf-8"))
    assert [table in page for table in tables] == [True, True]


@pytest.fixture
def faults(tmp_path: Path) -> Check:
    """Return the faults found in a page with this HTML, in a folder with two other pages."""
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "index.html").write_text("<p>", encoding="utf-8")
    (tmp_path / "other.html").write_text("<p id=here>", encoding="utf-8")

    def check(html: str) -> list[str]:
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        return list(building.broken(tmp_path))

    return check


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<a href=missing.html>", "is not a file"),
        ("<a href=other.html#nowhere>", "is not in other.html"),
        ("<a href=#nowhere>", "is not in page.html"),
        ("<img src=missing.png>", "is not a file"),
        ("<script src=https://example.com/x.js></script>", "loads https://example.com/x.js"),
        ("<link rel=stylesheet href=//example.com/x.css>", "loads //example.com/x.css"),
        ("<a href=../outside.html>", "is not a file"),
    ],
)
def test_broken_links_are_found(faults: Check, html: str, words: str) -> None:
    (fault,) = faults(html)
    assert fault.startswith("page.html: ")
    assert words in fault


@pytest.mark.parametrize(
    "html",
    [
        "<a href=other.html#here>",
        "<a id=x href=#x>",
        "<a href=explorer/index.html#table=jis0208>",
        "<a href=https://example.com/>",
        "<img src=data:,>",
    ],
)
def test_links_that_lead_somewhere_are_no_fault(faults: Check, html: str) -> None:
    assert faults(html) == []
