"""What mojibake is made of, from data/mojibake.json: readings, weights, and code points that no text has.

``benchmarks/fit_repair.py`` writes the file. Weights are in bits there and in eighths of a bit in C.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from generator.model import DATA

FILE = "mojibake.json"
_EIGHTHS = 8


def template_context(data: Path = DATA) -> Mapping[str, object]:
    """Return the context of ``templates/mojibake_table.h.j2`` and ``templates/mojibake.py.j2``."""
    content = (data / FILE).read_bytes()
    found = json.loads(content)
    readings = [
        {"name": name, "weight": _EIGHTHS * reading["bits"], "high": [ord(each) for each in reading["high"]]}
        for name, reading in found["readings"].items()
    ]
    return {
        "digest": hashlib.sha256(content).hexdigest(),
        "readings": readings,
        "characters": len({each for reading in found["readings"].values() for each in reading["high"]} - {"\ufffd"}),
        "spaced": sum(1 << at for at, name in enumerate(found["readings"]) if name in found["spaced"]),
        "unassigned": [_run(run) for run in found["never_text"].split()],
        "joiners": sorted(ord(each) for each in found["joiners"]),
        "mending": {name: weight["bits"] for name, weight in found["mending"].items()},
        "rare": found["rare"],
        "weights": {name: round(_EIGHTHS * weight["bits"]) for name, weight in found["utf_8"].items()},
    }


def _run(run: str) -> str:
    first, _, last = run.partition("-")
    return f"{{ 0x{first}, 0x{last or first} }}"
