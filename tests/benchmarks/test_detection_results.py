"""What is said of detection: the picture and the tables of docs/detection.md have the figures of the results."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

from benchmarks import bench_detect, detection_picture

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "benchmarks" / "results" / "detection.json").read_text("utf-8"))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_shows_the_results() -> None:
    found = {name: detection_picture.shares(RESULTS, name) for name in detection_picture.DETECTORS}
    ours, *others = found.values()
    shown = [text for text in texts(detection_picture.PICTURE.read_text("utf-8")) if re.fullmatch(r"\d+\.\d", text)]
    assert shown == [f"{share:.1f}" for share in (*ours, *(shares[0] for shares in others))]


def test_the_picture_has_no_colour_but_those_of_its_style_sheet() -> None:
    svg = detection_picture.draw(RESULTS)
    assert set(detection_picture.DETECTORS) <= set(texts(svg))
    style, _, rest = svg.partition("</style>")
    assert "prefers-color-scheme:dark" in style
    assert not re.findall(r"#[0-9a-fA-F]{6}\b", rest)
    assert svg == detection_picture.draw(RESULTS)


def test_the_tables_are_those_of_the_results() -> None:
    page = (ROOT / "docs" / "detection.md").read_text("utf-8")
    assert bench_detect.table(RESULTS) in page
    assert bench_detect.losses(RESULTS) in page
