"""What is shown of the results: pictures and tables have the committed figures, and are legible on dark pages."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import pytest

from benchmarks import accuracy, picture, report

PAGE = Path(__file__).parents[2] / "docs" / "detection.md"
SPEEDS = [report.rows(report.load(path)) for path in sorted(picture.RESULTS.glob("linux-x86_64-*.json"))]
DETECTION = json.loads((picture.RESULTS / "detection.json").read_text("utf-8"))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def committed(name: str) -> list[str]:
    """Return the figures that a committed picture shows, in the order of its marks."""
    shown = texts((picture.IMAGES / name).read_text("utf-8"))
    return [text for text in shown if re.fullmatch(r"\d+\.\d", text)]


def speeds(rows: list[report.Row]) -> list[str]:
    """Return the figures in the order of the bars: those of a contender, page by page."""
    pages = {row.name: row for row in rows if (row.group, row.style, row.size) == ("decode", "markup", "64 KiB")}
    return [
        f"{(pages[page].nbytes or 0) / one.median / 1e9:.1f}"
        for name in picture.CONTENDERS
        for page in picture.ROWS
        for one in (pages[page].ours, *pages[page].others)
        if one.name == name
    ]


def test_the_picture_of_speed_shows_committed_results() -> None:
    assert committed("speed.svg") in map(speeds, SPEEDS)


def test_the_picture_of_detection_shows_the_results() -> None:
    ours, *others = ([DETECTION[f"text, {size} bytes"][name] for size in picture.SIZES] for name in picture.DETECTORS)
    assert committed("detection.svg") == [f"{share:.1f}" for share in (*ours, *(shares[0] for shares in others))]


def test_the_tables_of_detection_are_those_of_the_results() -> None:
    page = PAGE.read_text("utf-8")
    assert accuracy.table(DETECTION) in page
    assert accuracy.losses(DETECTION) in page


@pytest.mark.parametrize(
    ("draw", "names"),
    [
        (partial(picture.draw_speed, SPEEDS[0], "a machine"), {*picture.CONTENDERS, *picture.ROWS.values()}),
        (partial(picture.draw_detection, DETECTION), {*picture.DETECTORS}),
    ],
    ids=["speed", "detection"],
)
def test_a_picture_has_no_colour_but_those_of_its_style_sheet(draw: partial[str], names: set[str]) -> None:
    svg = draw()
    assert names <= set(texts(svg))
    style, _, rest = svg.partition("</style>")
    assert "prefers-color-scheme:dark" in style
    assert not re.findall(r"#[0-9a-fA-F]{6}\b", rest)
    assert svg == draw()
