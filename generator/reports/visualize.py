"""Visualize the indexes: tables by byte, coverage of the Basic Multilingual Plane, and comparisons.

`LEGEND` follows the legend in https://encoding.spec.whatwg.org/#indexes. The data of each page is computed here; its
script only draws, searches and compares. Each page is one self-contained HTML file.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from generator import names, validate
from generator.model import BUILT, RANGES, Index, Snapshot
from generator.render import TEMPLATES, html_environment, url
from generator.reports import diff
from generator.tables.encodings import mappings_of
from generator.tables.mappings import Mappings, Outputs, gb18030_bounds, gb18030_exceptions

VISUALIZATIONS = BUILT / "visualizations"

NOT_SHOWN = frozenset({RANGES, "iso-2022-jp-katakana"})
"""The indexes without a visualization, as in the standard. https://encoding.spec.whatwg.org/#indexes"""

COMPARE = "compare.html"


@dataclass(frozen=True, slots=True)
class Kind:
    """A line of a legend: its name in the style sheet, the letter that replaces its colour, and its meaning."""

    style: str
    marker: str
    meaning: str


LEGEND = (
    Kind("unmapped", "", "Unmapped"),
    Kind("two", "2", "Two bytes in UTF-8"),
    Kind("two-next", "2+", "Two bytes in UTF-8, code point follows the previous pointer’s"),
    Kind("three", "3", "Three bytes in UTF-8"),
    Kind("three-next", "3+", "Three bytes in UTF-8, code point follows the previous pointer’s"),
    Kind("four", "4", "Four bytes in UTF-8"),
    Kind("four-next", "4+", "Four bytes in UTF-8, code point follows the previous pointer’s"),
    Kind("private", "P", "Private use"),
    Kind("private-next", "P+", "Private use, code point follows the previous pointer’s"),
    Kind("duplicate", "D", "Duplicate: an earlier pointer has the code point too"),
    Kind("compatibility", "C", "CJK Compatibility Ideograph"),
    Kind("extension-a", "A", "CJK Unified Ideographs Extension A"),
)
"""The legend of the visualizations. https://encoding.spec.whatwg.org/#indexes

If several lines apply, the precedence is duplicate, compatibility ideograph, Extension A and private use, length.
"""

COVERAGE = (
    Kind("unmapped", "", "Unmapped"),
    Kind("mapped", "M", "Mapped: one pointer has it"),
    Kind("duplicate", "D", "Duplicate: several pointers have it"),
)
"""The legend of the coverage of the Basic Multilingual Plane."""

COMPARISON = (
    Kind("unmapped", "", "In neither"),
    Kind("same", "=", "The same in both"),
    Kind("differs", "≠", "Different"),
    Kind("only-a", "A", "In the first only"),
    Kind("only-b", "B", "In the second only"),
)
"""The legend of a comparison."""

LANGUAGES = {"big5": "zh-Hant", "euc-kr": "ko", "gb18030": "zh-Hans", "jis0208": "ja", "jis0212": "ja"}
"""The language of each index, for the choice of fonts for Han characters."""

BMP = range(0x10000)


# -- Styles of cells ---------------------------------------------------------------------------------------------------


def kinds(index: Index) -> list[Kind]:
    """Return the line of `LEGEND` for each pointer of an index."""
    by_style = {kind.style: kind for kind in LEGEND}
    seen: set[int] = set()
    found = []
    previous: int | None = None
    for code_point in index.code_points:
        found.append(by_style[_style(code_point, previous, seen)])
        if code_point is not None:
            seen.add(code_point)
        previous = code_point
    return found


def _style(code_point: int | None, previous: int | None, seen: set[int]) -> str:
    if code_point is None:
        return "unmapped"
    if code_point in seen:
        return "duplicate"
    if diff.name(code_point).startswith("CJK COMPATIBILITY IDEOGRAPH-"):
        return "compatibility"
    if 0x3400 <= code_point <= 0x4DBF:
        return "extension-a"
    if unicodedata.category(chr(code_point)) == "Co":
        style = "private"
    else:
        style = {2: "two", 3: "three", 4: "four"}[len(chr(code_point).encode())]
    follows = previous is not None and code_point == previous + 1
    return f"{style}-next" if follows else style


def coverage(index: Index) -> dict[str, int]:
    """Return the number of code points of the Basic Multilingual Plane with no, one and several pointers, by style."""
    times = Counter(code_point for code_point in index.code_points if code_point is not None and code_point in BMP)
    mapped = sum(count == 1 for count in times.values())
    return {"unmapped": len(BMP) - len(times), "mapped": mapped, "duplicate": len(times) - mapped}


def summary(index: Index) -> dict[str, int]:
    """Return the counts of an index, by their description."""
    mapped = [code_point for code_point in index.code_points if code_point is not None]
    return {
        "pointers": len(index.code_points),
        "mapped": len(mapped),
        "unmapped": len(index.code_points) - len(mapped),
        "code points": len(set(mapped)),
        "above U+FFFF": sum(code_point not in BMP for code_point in set(mapped)),
    }


# -- Positions of cells ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """An index by an encoding's bytes: `row * columns + column` has a row's leading and a column's trailing byte.

    Bytes are in hexadecimal; a single byte is divided into its two digits. Pointers after the last leading byte have no
    bytes in this encoding.
    """

    encoding: str
    columns: int
    leading: tuple[str, ...]
    trailing: tuple[str, ...]
    note: str = ""


def layouts(index: Index, snapshot: Snapshot) -> list[Layout]:
    """Return the arrangement of an index by each encoding that uses it, in the standard's order of encodings."""
    found = []
    for encoding, pointers in diff.pointers_of(index.name, snapshot).items():
        sequences = [pointers.sequence(at).hex().upper() for at in range(min(len(pointers), len(index.code_points)))]
        columns, digits = (sum(map(len, pointers.positions[-1])), 2) if pointers.positions[1:] else (16, 1)
        leading = tuple(sequence[:-digits] for sequence in sequences[::columns])
        trailing = tuple(sequence[-digits:] for sequence in sequences[:columns])
        note = "after 1B 24 42" if encoding == "ISO-2022-JP" else ""
        found.append(Layout(encoding, columns, leading, trailing, note))
    return found


def notes(index: str, snapshot: Snapshot) -> list[tuple[int, int, str]]:
    """Return the standard's rules about pointers of an index: first pointer, last pointer, and the rule as text."""
    found: list[tuple[int, int, str]] = []
    match index:
        case "big5":
            mappings = mappings_of(snapshot, "Big5")
            excluded = mappings.excluded[index]
            found.append((excluded[0], excluded[-1], "The Big5 encoder does not use this pointer."))
            for pointer, code_points in sorted(_computed(mappings, index).items()):
                two = " and ".join(map(diff.describe, code_points))
                found.append((pointer, pointer, f"Big5 decodes these bytes to two code points: {two}."))
        case "gb18030":
            mappings = mappings_of(snapshot, "gb18030")
            pointers = {mappings.pointers[index].pointer(bytes(pair)): code for code, pair in mappings.one_way.items()}
            for pointer_or_none, code_point in sorted(pointers.items(), key=itemgetter(1)):
                if pointer_or_none is not None:
                    also = f"The encoders also map U+{code_point:X} to these bytes, as before GB18030-2022."
                    found.append((pointer_or_none, pointer_or_none, also))
        case "jis0208":
            mappings = mappings_of(snapshot, "Shift_JIS")
            excluded, computed = mappings.excluded[index], _computed(mappings, index)
            first, last = min(computed), max(computed)
            codes = f"U+{computed[first][0]:X} to U+{computed[last][0]:X}"
            found.append((first, last, f"Shift_JIS decodes these bytes to private use, {codes} in order."))
            found.append((excluded[0], excluded[-1], "The Shift_JIS encoder does not use this pointer."))
        case "jis0212":
            found.append((0, 94 * 94 - 1, "Only the EUC-JP decoder uses this index; no encoder does."))
    return found


def _computed(mappings: Mappings, index: str) -> dict[int, Outputs]:
    """Return the code points of the pointers of an index that the decoder does not look up in it."""
    pointers = mappings.pointers[index]
    found = {pointers.pointer(bytes(pair)): code_points for pair, code_points in mappings.computed.items()}
    return {pointer: code_points for pointer, code_points in found.items() if pointer is not None}


# -- The data in a page ------------------------------------------------------------------------------------------------


def name_lines(code_points: Iterable[int]) -> str:
    """Return the Unicode names of code points in a compact form for embedding, one per line in ascending order.

    A line is the distance from the previous line's code point (empty if it is 1), `~`, a character whose code is 48
    more than the length of the prefix that the name shares with the previous name, and the rest of the name.
    """
    lines = []
    previous, before = -1, ""
    for code_point in sorted(set(code_points)):
        name = diff.name(code_point)
        shared = 0
        while shared < min(len(name), len(before), 74) and name[shared] == before[shared]:
            shared += 1
        distance = code_point - previous
        lines.append(f"{distance if distance > 1 else ''}~{chr(48 + shared)}{name[shared:]}")
        previous, before = code_point, name
    return "\n".join(lines)


def _side(index: Index, snapshot: Snapshot) -> dict[str, Any]:
    """Return an index in the script's format."""
    has_ranges = index.name == "gb18030"
    last_bmp, _, last = gb18030_bounds(snapshot)
    (exception,) = gb18030_exceptions(snapshot).items()
    return {
        "name": index.name,
        "codePoints": index.code_points,
        "layouts": layouts(index, snapshot),
        "language": LANGUAGES.get(index.name, ""),
        "notes": notes(index.name, snapshot),
        "ranges": snapshot.ranges.ranges if has_ranges else [],
        "ranges_bounds": {"last_bmp": last_bmp, "last": last, "exception": exception},
    }


# -- Pages -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its file name and its title."""

    file: str
    title: str


def file_name(index: str, view: str = "") -> str:
    """Return the file name of the page of an index; raise an UnsafeNameError for an unsafe name."""
    return "-".join(filter(None, [names.checked_name(index), view])) + ".html"


def tables(index: str, found: Iterable[Layout]) -> dict[str, Layout]:
    """Return the layouts of an index that have a page of their own, the first of each number of columns, by file."""
    by_columns: dict[int, Layout] = {}
    for layout in found:
        by_columns.setdefault(layout.columns, layout)
    return {
        file_name(index, names.symbol(layout.encoding) if number else ""): layout
        for number, layout in enumerate(by_columns.values())
    }


def pages(snapshot: Snapshot, against: Snapshot | None = None) -> Iterator[tuple[str, str]]:
    """Yield the file name and HTML of each page. `against` is another snapshot for the comparison.

    Both snapshots must be valid, as `generator.snapshot.load` ensures.
    """
    shown = [index for index in snapshot.indexes.values() if index.name not in NOT_SHOWN]
    environment = _environment()
    assigned = name_lines(code_point for code_point in BMP if unicodedata.name(chr(code_point), ""))
    listed = []
    for index in shown:
        side = _side(index, snapshot)
        shown_by = tables(index.name, side["layouts"])
        is_single_byte = len(index.code_points) == 128
        title = "by byte" if is_single_byte else "by leading and trailing byte"
        siblings = [
            Page(file, f"{title} of {layout.encoding}" if len(shown_by) > 1 else title)
            for file, layout in shown_by.items()
        ]
        siblings.append(Page(file_name(index.name, "bmp"), "coverage of the Basic Multilingual Plane"))
        counts = dict.fromkeys(LEGEND, 0) | Counter(kinds(index))
        common = {
            "snapshot": snapshot,
            "index": index,
            "siblings": siblings,
            "summary": summary(index),
            "encodings": [layout.encoding for layout in side["layouts"]],
            "anchor": url("index-single-byte" if is_single_byte else f"index-{index.name}"),
        }
        code_points = {code_point for code_point in index.code_points if code_point is not None}
        letters = "".join(chr(ord("a") + LEGEND.index(kind)) for kind in kinds(index))
        for page, layout in zip(siblings, shown_by.values(), strict=False):
            data = {
                "view": "index",
                "side": side,
                "kinds": letters,
                "layout": side["layouts"].index(layout),
                "names": name_lines(code_points),
            }
            yield page.file, _render(environment, "index", data, page=page, legend=counts, **common)
        cells = coverage(index)
        data = {"view": "bmp", "side": side, "names": assigned}
        legend = {kind: cells[kind.style] for kind in COVERAGE}
        yield siblings[-1].file, _render(environment, "bmp", data, page=siblings[-1], legend=legend, **common)
        listed.append({"index": index, "siblings": siblings, "summary": common["summary"], "bmp": cells})
    yield COMPARE, _compare(environment, snapshot, against)
    yield (
        "index.html",
        environment.get_template("visualize/list.html.j2").render(snapshot=snapshot, listed=listed, compare=COMPARE),
    )


def _compare(environment: Environment, snapshot: Snapshot, against: Snapshot | None) -> str:
    """Return the page that compares any two indexes of one snapshot, or of two."""
    sides = []
    for number, side in enumerate(filter(None, [snapshot, against])):
        for index in side.indexes.values():
            if index.name not in NOT_SHOWN:
                label = f"{index.name} ({side.date or 'not pinned'})" if against else index.name
                sides.append({**_side(index, side), "label": label, "snapshot": number})
    code_points = {code_point for side in sides for code_point in side["codePoints"] if code_point is not None}
    data = {"view": "compare", "sides": sides, "names": name_lines(code_points)}
    page = Page(COMPARE, "Two indexes compared")
    legend = dict.fromkeys(COMPARISON, 0)
    return _render(
        environment, "compare", data, page=page, legend=legend, snapshot=snapshot, against=against, sides=sides
    )


def _render(environment: Environment, view: str, data: Mapping[str, Any], **context: Any) -> str:
    full = {**data, "legend": list(context["legend"]), "unicode": unicodedata.unidata_version}
    return environment.get_template(f"visualize/{view}.html.j2").render(data=full, compare=COMPARE, **context)


def _environment() -> Environment:
    """Return the environment of the pages, in which values are escaped and other files are included verbatim."""
    environment = html_environment()
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":"), "default": asdict}
    environment.globals["file"] = lambda name: Markup((TEMPLATES / "visualize" / name).read_text(encoding="utf-8"))
    environment.filters |= {"url": url, "number": lambda number: f"{number:,}"}
    return environment


def write(snapshot: Snapshot, folder: Path = VISUALIZATIONS, against: Snapshot | None = None) -> list[Path]:
    """Write every page to a folder, which is created if necessary, and return the files.

    Raise a ValidationError, before anything is written, if `against` violates the standard's invariants.
    """
    if against is not None:
        validate.check(against)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages(snapshot, against):
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written
