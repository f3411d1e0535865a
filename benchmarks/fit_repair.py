"""Write data/mojibake.json and fit its weights: ``python -m benchmarks.fit_repair tables|fit|measure``.

``tables`` writes the readings' characters and the code points that no text has, from Python's codecs and `unicodedata`.
``fit`` changes one weight after the other by a step and keeps what is better on the development set; for those of C it
emits and compiles, a minute for each. ``measure`` prints what the weights in use show on the held-out set.

The sets are those of ``benchmarks.accuracy repair``, from translations of the Universal Declaration of Human Rights:
fragments that were read wrongly once or twice, with other seeds, and as good text the fragments themselves, their
lines in capitals, and quotations of their words.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks import samples
from whatwg_encoding._native.detect import WEIGHTS

FILE = Path("data/mojibake.json")
HELD_OUT, DEVELOPMENT = 1, 2  # seeds; the first is that of `benchmarks.accuracy`
FRAGMENTS = 1437
#: Fragments that may be lost for a good line that is no longer changed.
HARM = 20
#: Bits by which a weight is changed at a time.
STEP = 1


@cache
def fragments(seed: int) -> list[samples.Garbled]:
    return list(samples.garbled(FRAGMENTS, Random(seed)))


def good(found: Sequence[samples.Garbled]) -> Iterator[str]:
    """Yield good lines: texts, the same in capitals, and words of them with quotation marks, dashes and dots."""
    for each in found:
        yield each.text
        yield each.text.upper()
        for word in each.text.split()[:3]:
            yield f"“…{word}…”"
            yield f"{word.upper()}–{word.upper()}…"


def measured(seed: int) -> dict[str, int]:
    """Return how many fragments are mended or become something else, and how many good lines change."""
    found = fragments(seed)
    repaired = [we.repair(each.read).text for each in found]
    return {
        "fragments": len(found),
        "mended": sum(text == each.text for text, each in zip(repaired, found, strict=True)),
        "wrong": sum(text not in (each.text, each.read) for text, each in zip(repaired, found, strict=True)),
        "good": sum(1 for _ in good(found)),
        "changed": sum(we.repair(line).text != line for line in good(found)),
    }


# -- The file ----------------------------------------------------------------------------------------------------------


def high(name: str) -> str:
    """Return the characters of the bytes from 0x80, U+FFFD where there is none."""
    data = bytes(range(0x80, 0x100))
    return we.lookup(name).decode(data) if name in we.ENCODINGS else data.decode(name, "replace")


def never_text() -> str:
    """Return the code points without a character, in private use and of surrogates: runs in hexadecimal digits."""
    runs: list[list[int]] = []
    for number in range(0x110000):
        if unicodedata.category(chr(number)) in ("Cn", "Co", "Cs"):
            if runs and runs[-1][1] == number - 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in runs)


def write(found: dict[str, Any]) -> None:
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def tables() -> None:
    """Write the tables anew; the weights stay."""
    found = json.loads(FILE.read_bytes())
    for name, reading in found["readings"].items():
        reading["high"] = high(name)
    found["never_text"], found["unicode"] = never_text(), unicodedata.unidata_version
    write(found)


# -- The fit -----------------------------------------------------------------------------------------------------------


def score(shown: dict[str, int]) -> int:
    return shown["mended"] - shown["wrong"] - HARM * shown["changed"]


def compiled(found: dict[str, Any]) -> int:
    """Compile the package with the weights of a file, and return the score on the development set."""
    write(found)
    for command in ([sys.executable, "-m", "generator", "emit"], ["make", "build"]):
        subprocess.run(command, check=True, capture_output=True)
    command = [sys.executable, "-m", "benchmarks.fit_repair", "measure", "--seed", str(DEVELOPMENT)]
    return score(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))


def in_place(found: dict[str, Any]) -> int:
    """Return the score with other weights of `mending`, which are Python's."""
    WEIGHTS.update({name: weight["bits"] for name, weight in found["mending"].items()})
    return score(measured(DEVELOPMENT))


def fit() -> None:
    """Fit the weights that Python has, then those of C, and write each that is better."""
    found = json.loads(FILE.read_bytes())
    of_c = [*found["utf_8"].items(), *found["readings"].items()]
    for weights, try_out in ((list(found["mending"].items()), in_place), (of_c, compiled)):
        best = try_out(found)
        for name, weight in weights:
            for step in (STEP, -STEP):
                while weight["bits"] + step >= 0:
                    weight["bits"] += step
                    if (other := try_out(found)) <= best:
                        weight["bits"] -= step
                        break
                    best = other
                    write(found)
                    print(f"{name} = {weight['bits']}: {best}", flush=True)
        write(found)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_repair", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("command", choices=("tables", "fit", "measure"))
    parser.add_argument(
        "--seed", type=int, default=HELD_OUT, help="measure: the seed of the set (%(default)s, held out)"
    )
    options = parser.parse_args(given)
    if options.command == "measure":
        print(json.dumps(measured(options.seed)))
    else:
        {"tables": tables, "fit": fit}[options.command]()


if __name__ == "__main__":
    main()
