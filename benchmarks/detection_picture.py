"""Draw the accuracy of detectors by size of text: ``python -m benchmarks.detection_picture RESULTS.json``.

The results are those of ``python -m benchmarks.bench_detect --results RESULTS.json``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

from benchmarks.picture import INK, ROOT, finish, run

PICTURE = ROOT / "docs" / "images" / "detection.svg"

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


def shares(results: Mapping[str, Mapping[str, float]], detector: str) -> list[float]:
    """Return the percentage of right texts of each size."""
    return [results[f"text, {size} bytes"][detector] for size in SIZES]


def draw(results: Mapping[str, Mapping[str, float]]) -> str:
    """Return the picture as SVG: a line for each detector, with its first figure, and all of ours."""
    figure = Figure(figsize=(8, 4))
    axes = figure.subplots()
    for detector, (light, _, line) in DETECTORS.items():
        found = shares(results, detector)
        is_ours = detector == "whatwg-encoding"
        axes.plot(
            range(len(SIZES)), found, line, color=light, marker="o", markersize=4, linewidth=2.5 if is_ours else 1.5
        )
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


def draw_file(path: Path) -> str:
    """Return the picture of the results in a file."""
    return draw(json.loads(path.read_text("utf-8")))


if __name__ == "__main__":
    sys.exit(run(__doc__ or "", PICTURE, draw_file, sys.argv[1:]))
