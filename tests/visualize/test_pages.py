"""The pages against the raw indexes, parsed as text: counts, layouts, names, and no external resources."""

from __future__ import annotations

import html.parser
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator import snapshot
from generator.model import Index, Snapshot
from generator.names import UnsafeNameError
from generator.reports import diff, visualize
from generator.validate import ValidationError
from tests.pinned import PINNED

MULTI_BYTE = ("big5", "euc-kr", "gb18030", "jis0208", "jis0212")


class Document(html.parser.HTMLParser):
    """The content of a page: the script's data, the counts, the links, and everything that could load a resource."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.data: dict[str, Any] = {}
        self.summary: dict[str, int] = {}
        self.legend: list[int] = []
        self.loads: list[str] = []
        self.links: list[str] = []
        self._in: dict[str, str | None] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self._in = {"tag": tag, **found}
        if tag == "data":
            value = int(found["value"] or "")
            if "data-what" in found:
                self.summary[found["data-what"] or ""] = value
            else:
                self.legend.append(value)
        if "src" in found or (tag == "link" and found.get("href") != "data:,"):
            self.loads.append(str(attrs))
        if tag == "a":
            self.links.append(found["href"] or "")

    def handle_data(self, text: str) -> None:
        if self._in.get("id") == "data":
            self.data = json.loads(text)
            self._in = {}
        if self._in.get("tag") in ("style", "script"):
            self.loads += re.findall(r"url\(|@import|fetch\(|XMLHttpRequest|https?:[^\s]+", text)


def document(pages: Path, name: str) -> Document:
    return Document((pages / name).read_text(encoding="utf-8"))


def expected_legend(code_points: list[int | None]) -> list[int]:
    """Return the counts of the standard's legend, in its order."""
    counts = [0] * 12
    earlier: set[int] = set()
    for pointer, code_point in enumerate(code_points):
        if code_point is None:
            counts[0] += 1
            continue
        follows = pointer > 0 and code_points[pointer - 1] == code_point - 1
        if code_point in earlier:
            counts[9] += 1
        elif 0xF900 <= code_point <= 0xFAFF or 0x2F800 <= code_point <= 0x2FA1F:
            counts[10] += 1
        elif 0x3400 <= code_point <= 0x4DBF:
            counts[11] += 1
        elif 0xE000 <= code_point <= 0xF8FF:
            counts[7 + follows] += 1
        else:
            counts[{2: 1, 3: 3, 4: 5}[len(chr(code_point).encode())] + follows] += 1
        earlier.add(code_point)
    return counts


def shown(indexes: dict[str, Any]) -> list[str]:
    """https://encoding.spec.whatwg.org/#indexes: all but index gb18030 ranges and index ISO-2022-JP katakana."""
    return [name for name in indexes if name not in ("gb18030-ranges", "iso-2022-jp-katakana")]


def test_every_index_has_its_pages(pages: Path, indexes: dict[str, Any]) -> None:
    expected = {f"{name}{view}.html" for name in shown(indexes) for view in ("", "-bmp")}
    assert {path.name for path in pages.iterdir()} == expected | {
        "jis0208-shift_jis.html",
        "compare.html",
        "index.html",
    }


def test_counts_are_those_of_the_data(pages: Path, indexes: dict[str, Any]) -> None:
    for name in shown(indexes):
        code_points = indexes[name]
        mapped = [code_point for code_point in code_points if code_point is not None]
        page = document(pages, f"{name}.html")
        assert page.legend == expected_legend(code_points), name
        assert sum(page.legend) == len(code_points)
        assert page.summary == {
            "pointers": len(code_points),
            "mapped": len(mapped),
            "unmapped": code_points.count(None),
            "code points": len(set(mapped)),
            "above U+FFFF": len({code_point for code_point in mapped if code_point > 0xFFFF}),
        }
        assert page.data["side"]["codePoints"] == code_points
        coverage = Counter(code_point for code_point in mapped if code_point <= 0xFFFF)
        once = list(coverage.values()).count(1)
        assert document(pages, f"{name}-bmp.html").legend == [0x10000 - len(coverage), once, len(coverage) - once]


def test_figures_that_the_project_is_known_by(pages: Path) -> None:
    """Figures from the standard's prose and data, which show that the counts above count the right thing."""
    assert document(pages, "gb18030.html").summary == {
        "pointers": 23940, "mapped": 23940, "unmapped": 0, "code points": 23939, "above U+FFFF": 0,
    }  # fmt: skip
    assert document(pages, "big5.html").summary["above U+FFFF"] == 1713
    assert [document(pages, f"{name}.html").legend[9] for name in ("jis0208", "big5", "gb18030")] == [398, 100, 1]


@pytest.mark.parametrize(
    ("name", "shape", "heads"),
    [
        ("big5", (157, 126), ("81", "FE", "40", "FE")),
        ("euc-kr", (190, 126), ("81", "FE", "41", "FE")),
        ("gb18030", (190, 126), ("81", "FE", "40", "FE")),
        ("jis0208", (94, 94), ("A1", "FE", "A1", "FE")),
        ("jis0208-shift_jis", (188, 60), ("81", "FC", "40", "FC")),
        ("jis0212", (94, 94), ("8FA1", "8FFE", "A1", "FE")),
        ("windows-1252", (16, 8), ("8", "F", "0", "F")),
    ],
)
def test_tables_are_by_lead_and_trail_byte(
    pages: Path, name: str, shape: tuple[int, int], heads: tuple[str, str, str, str]
) -> None:
    data = document(pages, f"{name}.html").data
    layout = data["side"]["layouts"][data["layout"]]
    rows, columns = layout["leading"], layout["trailing"]
    assert (layout["columns"], len(rows)) == shape
    assert len(columns) == shape[0]
    assert (rows[0], rows[-1], columns[0], columns[-1]) == heads


def test_bytes_of_cells_are_those_of_pythons_codecs(pages: Path) -> None:
    for name, pointer, expected in [
        ("jis0208", 283, {"EUC-JP": "あ".encode("euc_jp"), "Shift_JIS": "あ".encode("shift_jis"),
                          "ISO-2022-JP": "あ".encode("iso2022_jp")[3:5]}),
        ("gb18030", 7182, {"GBK": b"\xa6\xd9", "gb18030": b"\xa6\xd9"}),
        ("big5", 5024, {"Big5": "\u3000".encode("big5")}),
        ("jis0212", 1410, {"EUC-JP": "丂".encode("euc_jp")}),
        ("windows-1252", 0, {"windows-1252": "€".encode("cp1252")}),
        ("iso-8859-8", 0x60, {"ISO-8859-8": b"\xe0", "ISO-8859-8-I": b"\xe0"}),
    ]:  # fmt: skip
        layouts = document(pages, f"{name}.html").data["side"]["layouts"]
        found = {
            layout["encoding"]: bytes.fromhex(
                layout["leading"][pointer // layout["columns"]] + layout["trailing"][pointer % layout["columns"]]
            )
            for layout in layouts
        }
        assert found == expected


def read_names(text: str) -> dict[int, str]:
    """Return the lines of names, parsed as the page's script does."""
    found = {}
    at, name = -1, ""
    for line in text.split("\n"):
        distance, _, rest = line.partition("~")
        at += int(distance or 1)
        name = name[: ord(rest[0]) - 48] + rest[1:]
        found[at] = name
    return found


@pytest.mark.parametrize("name", [*MULTI_BYTE, "windows-1258"])
def test_names_are_unicodes(pages: Path, indexes: dict[str, Any], name: str) -> None:
    named = read_names(document(pages, f"{name}.html").data["names"])
    assert set(named) == set(indexes[name]) - {None}
    for code_point, text in named.items():
        category = unicodedata.category(chr(code_point))
        assert text == {"Co": "private use", "Cc": "control"}.get(category) or text == unicodedata.name(chr(code_point))


def test_coverage_pages_have_every_name_of_the_plane(pages: Path) -> None:
    named = read_names(document(pages, "windows-1252-bmp.html").data["names"])
    assert named == {c: unicodedata.name(chr(c)) for c in range(0x10000) if unicodedata.name(chr(c), "")}


def test_pages_need_nothing_but_themselves(pages: Path) -> None:
    files = {path.name for path in pages.iterdir()}
    for name in files:
        page = document(pages, name)
        assert page.loads == [], name
        for link in page.links:
            assert link.startswith("https://encoding.spec.whatwg.org/#") or link.partition("#")[0] in files, link


# -- Other snapshots ---------------------------------------------------------------------------------------------------


@pytest.fixture
def older() -> Snapshot:
    """Return the pinned snapshot with pointer 7182 restored to the private-use code point of before GB18030-2022."""
    content = {name: (snapshot.DATA / name).read_bytes() for name in snapshot.FILES}
    values = json.loads(content["indexes.json"])
    values["gb18030"][7182] = 0xE78D
    return snapshot.parse({**content, "indexes.json": json.dumps(values).encode()}, "2023-01-01")


def test_two_snapshots_are_compared(tmp_path: Path, older: Snapshot, pages: Path) -> None:
    """All pages but that of the comparison are the same every time; so is that without another snapshot."""
    visualize.write(PINNED, tmp_path, older)
    again = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    again[visualize.COMPARE] = visualize._compare(visualize._environment(), PINNED, None)
    assert again == {path.name: path.read_text("utf-8") for path in pages.iterdir()}
    sides = document(tmp_path, "compare.html").data["sides"]
    assert len(sides) == 64
    by_label = {side["label"]: side["codePoints"] for side in sides}
    new, old = by_label[f"gb18030 ({PINNED.date})"], by_label["gb18030 (2023-01-01)"]
    assert [(p, a, b) for p, (a, b) in enumerate(zip(old, new, strict=True)) if a != b] == [(7182, 0xE78D, 0xFE10)]


def test_an_invalid_snapshot_is_refused_before_anything_is_written(tmp_path: Path, older: Snapshot) -> None:
    content = {name: (snapshot.DATA / name).read_bytes() for name in snapshot.FILES}
    values = json.loads(content["indexes.json"])
    values["gb18030"][0] = 0xD800
    broken = snapshot.parse({**content, "indexes.json": json.dumps(values).encode()}, "")
    with pytest.raises(ValidationError, match="gb18030"):
        visualize.write(PINNED, tmp_path / "pages", broken)
    assert not (tmp_path / "pages").exists()


# -- Hostile and odd values --------------------------------------------------------------------------------------------


def test_strings_cannot_leave_the_script_element() -> None:
    value = {"evil": "</script><script>alert(1)</script><!-- & \u2028"}
    text = visualize._environment().from_string("{{ value | tojson }}").render(value=value)
    assert not set("<>&") & set(text)
    assert json.loads(text) == value


@pytest.mark.parametrize("name", ["../evil", "a/b", "", "a b", "<b>"])
def test_a_file_is_never_named_by_anything_but_a_name(name: str) -> None:
    with pytest.raises(UnsafeNameError):
        visualize.file_name(name)


def test_rows_and_columns_have_the_bytes_of_every_pointer() -> None:
    for index in PINNED.indexes.values():
        bytes_of = diff.byte_sequences(index.name, PINNED)
        found = visualize.layouts(index, PINNED)
        for pointer in range(len(index.code_points)):
            assert bytes_of(pointer) == {
                layout.encoding: bytes.fromhex(leading + layout.trailing[pointer % layout.columns])
                for layout in found
                for leading in layout.leading[pointer // layout.columns : pointer // layout.columns + 1]
            }


@pytest.mark.parametrize(
    ("code_points", "styles"),
    [
        ([0xA0, 0xA1, 0xA3, None, 0xA4], ["two", "two-next", "two", "unmapped", "two"]),
        ([0x7FF, 0x800, 0x800, 0x801], ["two", "three-next", "duplicate", "three-next"]),
        ([0xFFFF - 0x10, 0x20000, 0x20001], ["three", "four", "four-next"]),
        (
            [0xDFFF + 1, 0xE001, 0xF8FF, 0xF900, 0xF900],
            ["private", "private-next", "private", "compatibility", "duplicate"],
        ),
        ([0x33FF, 0x3400, 0x4DBF, 0x4DC0], ["three", "extension-a", "extension-a", "three-next"]),
        ([0x2F800], ["compatibility"]),
    ],
)
def test_lines_of_the_legend_at_their_borders(code_points: list[int | None], styles: list[str]) -> None:
    assert [kind.style for kind in visualize.kinds(Index("x", tuple(code_points), ""))] == styles


def test_every_legend_is_legible_without_colour() -> None:
    for legend in (visualize.LEGEND, visualize.COVERAGE, visualize.COMPARISON):
        markers = [kind.marker for kind in legend]
        assert len(set(markers)) == len(markers)
        assert [kind.style for kind in legend if not kind.marker] == ["unmapped"]  # the style sheet hatches it
