"""Draw docs/images/ from benchmarks/results/: ``python -m benchmarks.picture``.

A picture is one SVG for light and dark pages: colours are custom properties, which a media query sets. The first shows
the speed of decoding beside the peers, the second the accuracy of detectors by size of text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib  # type: ignore[import-not-found, unused-ignore]
from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

from benchmarks import CPYTHON, OURS
from benchmarks.report import cells, tables

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
IMAGES = ROOT / "docs" / "images"

CONTENDERS = (OURS, CPYTHON, "turbohtml", "endec")
#: Text of these numbers of bytes.
SIZES = (20, 50, 100, 500, 4000)
DETECTORS = (OURS, "chardetng", "chardet", "cchardet", "resiliparse", "charset-normalizer")
#: Of a picture, in inches. A page on a phone, 360 pixels wide, shows an inch as 68 pixels or more.
WIDTH = 4.6
#: Of the smallest text, in points of a 72nd of an inch.
SMALL = 10
#: The colours on a light and on a dark page: of the ink, of bars and of lines.
INK = ("#24292f", "#d0d7de")
COLOURS = {
    OURS: ("#0b66c3", "#58a6ff"), CPYTHON: ("#8a5a00", "#e3b341"), "turbohtml": ("#7a7a7a", "#9e9e9e"),
    "endec": ("#b5b5b5", "#5f5f5f"), "chardetng": ("#8a5a00", "#e3b341"), "chardet": ("#7b3fa0", "#c297e0"),
    "cchardet": ("#2f7d4f", "#6cc08b"), "resiliparse": ("#7a7a7a", "#9e9e9e"),
    "charset-normalizer": ("#b23a48", "#ef8a94"),
}  # fmt: skip
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "whatwg-encoding", "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": INK[0], "axes.labelcolor": INK[0], "xtick.color": INK[0], "ytick.color": INK[0],
    "text.color": INK[0], "legend.frameon": False, "legend.loc": "lower right",
}  # fmt: skip


def finish(figure: Figure) -> str:
    """Return a figure as SVG, the same for the same figure, with custom properties for all colours."""
    figure.tight_layout()
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    used = [pair for pair in dict.fromkeys(COLOURS.values()) if pair[0] in text]
    properties = {"ink": INK, **{f"c{number}": pair for number, pair in enumerate(used)}}
    for name, (light, _) in properties.items():
        text = text.replace(light, f"var(--{name})")
    text = re.sub(r"font: [^;\"]*?(\d+px)[^;\"]*", r"font: \1 system-ui, sans-serif", text)
    light, dark = ("".join(f"--{name}:{pair[which]};" for name, pair in properties.items()) for which in (0, 1))
    style = f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    return re.sub(r"(<svg [^>]*>)", lambda match: match[1] + style, text, count=1)


@matplotlib.rc_context(STYLE)
def draw_speed(pages: Mapping[str, Sequence[float]], machine: str) -> str:
    """Return the picture as SVG: a group of bars for each page, with the throughput of each contender."""
    figure = Figure(figsize=(WIDTH, 6.5))
    axes = figure.subplots()
    height = 0.8 / len(CONTENDERS)
    for number, name in enumerate(CONTENDERS):
        places = [page + (number - (len(CONTENDERS) - 1) / 2) * height for page in range(len(pages))]
        speed = [figures[number] for figures in pages.values()]
        bars = axes.barh(places, speed, height * 0.9, color=COLOURS[name][0], label=name)
        axes.bar_label(bars, fmt="%.1f", padding=3, fontsize=SMALL)
    axes.set_yticks(range(len(pages)), [title.replace(", ", ",\n") for title in pages])
    axes.invert_yaxis()
    axes.set_xlim(right=axes.get_xlim()[1] * 1.05)
    axes.set_xlabel(f"GB/s, on {machine}")
    axes.legend()
    return finish(figure)


@matplotlib.rc_context(STYLE)
def draw_detection(results: Mapping[str, Mapping[str, float]]) -> str:
    """Return the picture as SVG: a line for each detector, with its first figure, and all of ours."""
    figure = Figure(figsize=(WIDTH, 5))
    axes = figure.subplots()
    for number, name in enumerate(DETECTORS):
        shares = [results[f"text, {size:,} bytes"][name] for size in SIZES]
        line, width = "-" if number < 3 else "--", 1.5 if number else 2.5
        axes.plot(shares, line, color=COLOURS[name][0], marker="o", markersize=4, linewidth=width, label=name)
        for place, share in enumerate(shares[:1] if number else shares):
            offset = (-30, 2 if name == "chardetng" else -8) if number else (-8, 7)
            axes.annotate(f"{share:.1f}", (place, share), offset, textcoords="offset points", fontsize=SMALL)
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.14), ncols=2)
    axes.set_xticks(range(len(SIZES)), [f"{size:,}" for size in SIZES])
    axes.set_xlim(-0.8, len(SIZES) - 0.7)
    axes.set_ylim(top=104)
    axes.set_xlabel("bytes of undeclared text in legacy encodings")
    axes.set_ylabel("right, in percent")
    return finish(figure)


def main() -> None:
    """Draw both pictures from the committed results."""
    levels, detection = ((RESULTS / name).read_text("utf-8") for name in ("levels.md", "detection.md"))
    machine = levels.partition("- machine: ")[2].partition("\n")[0]
    _, *rows = cells(tables(levels)[-1])
    speeds = {title: [float(cell) for cell in figures] for title, *figures in rows}
    (IMAGES / "speed.svg").write_text(draw_speed(speeds, f"{machine}, avx512"), "utf-8")
    (_, *names), *rows = cells(tables(detection)[0])
    shares = {title: dict(zip(names, map(float, figures), strict=True)) for title, *figures in rows}
    (IMAGES / "detection.svg").write_text(draw_detection(shares), "utf-8")


if __name__ == "__main__":
    main()
