"""Draw docs/images/ from benchmarks/results/: ``python -m benchmarks.picture``.

A picture is one SVG for light and dark pages: colours are custom properties, which a media query sets. The first shows
the speed of decoding beside the peers, the second the accuracy of detectors by size of text.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib  # type: ignore[import-not-found, unused-ignore]
from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

from benchmarks import report

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
IMAGES = ROOT / "docs" / "images"

#: The pages that are shown, of those measured: the languages and encodings that most users meet.
ROWS = {"UTF-8 en": "UTF-8, English", "UTF-8 ja": "UTF-8, Japanese", "windows-1252 de": "windows-1252, German",
        "windows-1251 ru": "windows-1251, Russian", "Shift_JIS ja": "Shift_JIS, Japanese",
        "gb18030 zh_cn": "gb18030, Chinese", "EUC-KR ko": "EUC-KR, Korean"}  # fmt: skip
#: Contender → its colours on a light and a dark page. The order is that of the bars.
CONTENDERS = {
    "whatwg-encoding": ("#0b66c3", "#58a6ff"),
    "CPython": ("#8a5a00", "#e3b341"),
    "turbohtml": ("#7a7a7a", "#9e9e9e"),
    "endec": ("#b5b5b5", "#5f5f5f"),
}
#: Text of these numbers of bytes.
SIZES = (20, 50, 100, 500, 4000)
#: Detector → its colours on a light and a dark page, and its line.
DETECTORS = {
    "whatwg-encoding": ("#0b66c3", "#58a6ff", "-"),
    "chardetng": ("#8a5a00", "#e3b341", "-"),
    "chardet": ("#7b3fa0", "#c297e0", "-"),
    "cchardet": ("#2f7d4f", "#6cc08b", "--"),
    "resiliparse": ("#7a7a7a", "#9e9e9e", "--"),
    "charset-normalizer": ("#b23a48", "#ef8a94", "--"),
}
INK = ("#24292f", "#d0d7de")


def finish(figure: Figure, colours: Iterable[tuple[str, str]]) -> str:
    """Return a figure with one pair of axes as SVG, the same for the same figure.

    It has no frame, is in ink but for what is drawn in the light colours, and has custom properties for all of these.
    """
    (axes,) = figure.axes
    axes.tick_params(colors=INK[0])
    for part in (axes.xaxis.label, axes.yaxis.label):
        part.set_color(INK[0])
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK[0])
    figure.tight_layout()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "whatwg-encoding"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    properties = {"ink": INK, **{f"c{number}": pair for number, pair in enumerate(colours)}}
    for name, (light, _) in properties.items():
        text = text.replace(light, f"var(--{name})")
    text = re.sub(r"font: [^;\"]*?(\d+px)[^;\"]*", r"font: \1 system-ui, sans-serif", text)
    light, dark = ("".join(f"--{name}:{pair[which]};" for name, pair in properties.items()) for which in (0, 1))
    style = f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    return re.sub(r"(<svg [^>]*>)", lambda match: match[1] + style, text, count=1)


def throughputs(rows: Sequence[report.Row]) -> dict[str, dict[int, float]]:
    """Return the GB/s of each contender on the pages of `ROWS` that it decodes, by their numbers."""
    pages = {row.name: row for row in rows if (row.group, row.style, row.size) == ("decode", "markup", "64 KiB")}
    found: dict[str, dict[int, float]] = {name: {} for name in CONTENDERS}
    for number, name in enumerate(ROWS):
        row = pages[name]
        for measured in (row.ours, *row.others):
            if measured.name in found and row.nbytes is not None:
                found[measured.name][number] = row.nbytes / measured.median / 1e9
    return found


def draw_speed(rows: Sequence[report.Row], machine: str) -> str:
    """Return the picture as SVG: a group of bars for each page, with the throughput of each contender."""
    figure = Figure(figsize=(8, 5))
    axes = figure.subplots()
    height = 0.8 / len(CONTENDERS)
    for number, (contender, speeds) in enumerate(throughputs(rows).items()):
        places = [page + (number - (len(CONTENDERS) - 1) / 2) * height for page in speeds]
        bars = axes.barh(places, list(speeds.values()), height * 0.9, color=CONTENDERS[contender][0], label=contender)
        axes.bar_label(bars, fmt="%.1f", padding=3, fontsize=7, color=INK[0])
    axes.set_yticks(range(len(ROWS)), list(ROWS.values()))
    axes.invert_yaxis()
    axes.set_xlabel(f"GB/s: pages of 64 KiB, decoded to str, on {machine}")
    axes.legend(frameon=False, labelcolor=INK[0], loc="lower right")
    return finish(figure, CONTENDERS.values())


def shares(results: Mapping[str, Mapping[str, float]], detector: str) -> list[float]:
    """Return the percentage of right texts of each size."""
    return [results[f"text, {size} bytes"][detector] for size in SIZES]


def draw_detection(results: Mapping[str, Mapping[str, float]]) -> str:
    """Return the picture as SVG: a line for each detector, with its first figure, and all of ours."""
    figure = Figure(figsize=(8, 4))
    axes = figure.subplots()
    for detector, (light, _, line) in DETECTORS.items():
        found = shares(results, detector)
        is_ours = detector == "whatwg-encoding"
        axes.plot(found, line, color=light, marker="o", markersize=4, linewidth=2.5 if is_ours else 1.5)
        for place, share in enumerate(found if is_ours else found[:1]):
            offset = (0, 6) if is_ours else (-26, 2 if detector == "chardetng" else -8)
            axes.annotate(f"{share:.1f}", (place, share), offset, textcoords="offset points", fontsize=8, color=INK[0])
    axes.legend(DETECTORS, frameon=False, labelcolor=INK[0], loc="lower right")
    axes.set_xticks(range(len(SIZES)), [f"{size:,}" for size in SIZES])
    axes.set_xlim(-0.4, len(SIZES) - 0.8)
    axes.set_ylim(top=104)
    axes.set_xlabel("bytes of undeclared text in legacy encodings")
    axes.set_ylabel("right, in percent")
    return finish(figure, ((light, dark) for light, dark, _ in DETECTORS.values()))


def main() -> None:
    """Draw both pictures from the committed results."""
    suite = report.load(next(iter(sorted(RESULTS.glob("linux-x86_64-*.json")))))
    machine = "{cpu_model_name}, {simd}".format_map(suite.get_metadata())
    (IMAGES / "speed.svg").write_text(draw_speed(report.rows(suite), machine), "utf-8")
    results = json.loads((RESULTS / "detection.json").read_text("utf-8"))
    (IMAGES / "detection.svg").write_text(draw_detection(results), "utf-8")


if __name__ == "__main__":
    main()
