"""The picture of the results: its figures are those of the committed results, and it is legible on dark pages."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from benchmarks import picture, report

RESULTS = sorted((Path(__file__).parents[2] / "benchmarks" / "results").glob("linux-x86_64-*.json"))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def figures(results: Path) -> list[str]:
    """Return the throughputs in the order of the bars, computed from the results."""
    rows = picture.shown_rows(report.rows(report.load(results)))
    contenders = [{one.name: one for one in (row.ours, *row.others)} for row in rows]
    return [
        f"{picture.throughput(row, found[name]):.1f}"
        for name in picture.CONTENDERS
        for row, found in zip(rows, contenders, strict=True)
        if name in found
    ]


def test_the_committed_picture_shows_committed_results() -> None:
    shown = [text for text in texts(picture.PICTURE.read_text("utf-8")) if re.fullmatch(r"\d+\.\d", text)]
    assert shown in [figures(results) for results in RESULTS]


@pytest.mark.parametrize("results", RESULTS, ids=lambda path: path.stem)
def test_a_picture_has_no_colour_but_those_of_its_style_sheet(results: Path) -> None:
    svg = picture.draw(report.rows(report.load(results)), "a machine")
    assert {*picture.CONTENDERS, *picture.ROWS.values()} <= set(texts(svg))
    style, _, rest = svg.partition("</style>")
    assert "prefers-color-scheme:dark" in style
    assert not re.findall(r"#[0-9a-fA-F]{6}\b", rest)
    assert svg == picture.draw(report.rows(report.load(results)), "a machine")
