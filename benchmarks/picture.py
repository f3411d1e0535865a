"""Draw the speed of decoding beside the peers: ``python -m benchmarks.picture RESULTS.json``.

The picture is one SVG for light and dark pages: colours are custom properties, which a media query sets.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib  # type: ignore[import-not-found, unused-ignore]
from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

from benchmarks import report

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "speed.svg"

#: The pages that are shown, of those measured: the languages and encodings that most users meet.
ROWS = {
    "UTF-8 en": "UTF-8, English",
    "UTF-8 ja": "UTF-8, Japanese",
    "windows-1252 de": "windows-1252, German",
    "windows-1251 ru": "windows-1251, Russian",
    "Shift_JIS ja": "Shift_JIS, Japanese",
    "gb18030 zh_cn": "gb18030, Chinese",
    "EUC-KR ko": "EUC-KR, Korean",
}
STYLE, SIZE = "markup", "64 KiB"
#: Contender → its colours on a light and a dark page. The order is that of the bars.
CONTENDERS = {
    "whatwg-encoding": ("#0b66c3", "#58a6ff"),
    "CPython": ("#8a5a00", "#e3b341"),
    "turbohtml": ("#7a7a7a", "#9e9e9e"),
    "endec": ("#b5b5b5", "#5f5f5f"),
}
INK = ("#24292f", "#d0d7de")


def style(colours: Mapping[str, tuple[str, str]]) -> str:
    """Return the style sheet that defines the colours for light pages, and for dark ones."""
    light, dark = ("".join(f"--{name}:{pair[which]};" for name, pair in colours.items()) for which in (0, 1))
    return f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"


def themed(figure: Figure, colours: Mapping[str, tuple[str, str]]) -> str:
    """Return a figure as SVG, the same for the same figure, with custom properties for its light colours."""
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "whatwg-encoding"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    for name, (light, _) in colours.items():
        text = text.replace(light, f"var(--{name})")
    text = re.sub(r"font: [^;\"]*?(\d+px)[^;\"]*", r"font: \1 system-ui, sans-serif", text)
    return re.sub(r"(<svg [^>]*>)", lambda match: match[1] + style(colours), text, count=1)


def finish(figure: Figure, colours: Iterable[tuple[str, str]]) -> str:
    """Return a figure with one pair of axes as SVG: without a frame, in ink but for what is drawn in the colours."""
    (axes,) = figure.axes
    axes.tick_params(colors=INK[0])
    axes.xaxis.label.set_color(INK[0])
    axes.yaxis.label.set_color(INK[0])
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK[0])
    figure.tight_layout()
    return themed(figure, {"ink": INK, **{f"c{number}": pair for number, pair in enumerate(colours)}})


def run(description: str, picture: Path, draw: Callable[[Path], str], arguments: Sequence[str]) -> int:
    """Draw the picture of the results in a file, the only argument; return the exit status."""
    if len(arguments) != 1:
        print(description.strip(), file=sys.stderr)
        return 2
    picture.write_text(draw(Path(arguments[0])), encoding="utf-8")
    return 0


def throughput(row: report.Row, measured: report.Measured) -> float:
    """Return a contender's throughput in GB/s."""
    assert row.nbytes is not None
    return row.nbytes / measured.median / 1e9


def shown_rows(rows: Sequence[report.Row]) -> list[report.Row]:
    """Return the rows that are drawn, in their order."""
    found = {row.name: row for row in rows if row.group == "decode" and row.style == STYLE and row.size == SIZE}
    return [found[name] for name in ROWS]


def draw(rows: Sequence[report.Row], machine: str) -> str:
    """Return the picture as SVG: a group of bars for each page, with the throughput of each contender."""
    figure = Figure(figsize=(8, 5))
    axes = figure.subplots()
    height = 0.8 / len(CONTENDERS)
    for number, (contender, (light, _)) in enumerate(CONTENDERS.items()):
        for group, row in enumerate(shown_rows(rows)):
            measured = next((one for one in (row.ours, *row.others) if one.name == contender), None)
            if measured is None:
                continue
            speed = throughput(row, measured)
            place = group + (number - (len(CONTENDERS) - 1) / 2) * height
            axes.barh(place, speed, height * 0.9, color=light, label=contender if group == 0 else None)
            axes.text(speed + 0.1, place, f"{speed:.1f}", va="center", fontsize=7, color=INK[0])
    axes.set_yticks(range(len(ROWS)), list(ROWS.values()))
    axes.invert_yaxis()
    axes.set_xlabel(f"GB/s: pages of {SIZE}, decoded to str, on {machine}")
    axes.legend(frameon=False, labelcolor=INK[0], loc="lower right")
    return finish(figure, CONTENDERS.values())


def draw_file(path: Path) -> str:
    """Return the picture of the results in a file."""
    suite = report.load(path)
    metadata = suite.get_metadata()
    return draw(report.rows(suite), f"{metadata['cpu_model_name']}, {metadata['simd']}")


if __name__ == "__main__":
    sys.exit(run(__doc__ or "", PICTURE, draw_file, sys.argv[1:]))
