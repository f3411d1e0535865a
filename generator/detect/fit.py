"""Fit the weights of detection on the development set, and say how they do on languages that are left out.

    python -m generator.detect.fit [--each 100] [--folds 5]

A weight is the prior of a group of encodings, or what an error costs beyond its U+FFFD. Encodings that have the same
prior are a group, so that a weight that is fitted without a language applies to it nevertheless. The loss of a fragment
grows with the bits by which the least cost of a wrong text is below that of a right one; fragments of rare encodings
count less. In each fold weights are fitted without some of the languages and applied to these; the sum over the folds
is what to expect of languages that nothing was fitted on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

import whatwg_encoding as we
from benchmarks import samples
from whatwg_encoding._native.detect import ERROR_BITS, PRIORS, costs

Table = npt.NDArray[Any]
Weights = dict[str, float]

#: The candidates that costs are compared of: ISO-2022-JP and UTF-16 are told by escapes and NULs.
ENCODINGS = tuple(
    encoding for encoding in map(we.lookup, PRIORS) if encoding.is_ascii_compatible and PRIORS[encoding.name] < 12
)
UTF_8_ERROR, ERROR = "error in UTF-8", "error in another encoding"
#: The names of encodings with the same prior, and that. UTF-8, the first, has none.
GROUPS = {
    " ".join(encoding.name for encoding in ENCODINGS if PRIORS[encoding.name] == prior): float(prior)
    for prior in sorted({PRIORS[encoding.name] for encoding in ENCODINGS[1:]})
}
PRESENT: Weights = GROUPS | {UTF_8_ERROR: 0.0, ERROR: ERROR_BITS}
STEPS = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
ROUNDS = 8
#: Bits of margin by which the loss halves.
SCALE = 2.0
#: The loss per fragment of a weight that is a bit off the present one, so that what the set cannot tell stays.
PULL = 0.002


def contest(fragments: Sequence[samples.Fragment]) -> Table:
    """Return the fragments that costs decide, each with the cost in bits, without prior, of each of ENCODINGS."""
    rows = []
    for fragment in fragments:
        if fragment.encoding not in ENCODINGS or we.sniff.crawl(fragment.data).source == "utf-8":
            continue
        bits = {encoding: cost / 8 for encoding, cost in costs(fragment.data, ENCODINGS).items()}
        decoded = [encoding.decode(fragment.data) for encoding in ENCODINGS]
        right = [samples.is_right(fragment, text) for text in decoded]
        if any(right) and not all(right):
            is_rare = PRIORS[fragment.encoding.name] >= 7
            weight = 2.0 if fragment.encoding is we.WINDOWS_1252 else 0.25 if is_rare else 1.0
            errors = [text.count("\ufffd") for text in decoded]
            rows.append((fragment.language, weight, [bits[encoding] for encoding in ENCODINGS], errors, right))
    of_each = [(name, kind, len(ENCODINGS)) for name, kind in (("costs", float), ("errors", float), ("right", bool))]
    return np.array(rows, [("language", "U8"), ("weight", float), *of_each])


def margins(some: Table, weights: Weights) -> Table:
    """Return by how many bits the best wrong text costs more than the best right one."""
    priors = {name: weights[names] for names in GROUPS for name in names.split()}
    of_errors = [
        weights[UTF_8_ERROR] if candidate is we.UTF_8 else weights[ERROR] - PRESENT[ERROR] for candidate in ENCODINGS
    ]
    costs = some["costs"] + [priors.get(encoding.name, 0.0) for encoding in ENCODINGS] + some["errors"] * of_errors
    best_wrong, best_right = (np.where(which, costs, np.inf).min(axis=1) for which in (~some["right"], some["right"]))
    return np.asarray(best_wrong - best_right)


def wrong(some: Table, weights: Weights) -> float:
    """Return how many fragments are wrong, by their weights."""
    return float((margins(some, weights) < 0) @ some["weight"])


def loss(some: Table, weights: Weights) -> float:
    """Return the mean loss of the fragments."""
    of_fragments = np.logaddexp2(0, -margins(some, weights) / SCALE)
    pull = PULL * sum((weights[name] - PRESENT[name]) ** 2 for name in weights)
    return float(np.average(of_fragments, weights=some["weight"])) + pull


def fit(some: Table) -> Weights:
    """Return the weights of least loss, in half bits, changed one at a time."""
    best, least = PRESENT, loss(some, PRESENT)
    for _ in range(ROUNDS):
        before = best
        for name, step in product(PRESENT, STEPS):
            changed = best | {name: best[name] + step}
            if (changed_loss := loss(some, changed)) < least:
                best, least = changed, changed_loss
        if best is before:
            break
    return best


def main() -> None:
    """Print the present and the fitted weights, and the share of wrong fragments with either."""
    parser = argparse.ArgumentParser(prog="python -m generator.detect.fit", description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="fragments of a size, language and encoding")
    parser.add_argument("--folds", type=int, default=5, help="parts into which languages are divided")
    options = parser.parse_args()
    every = contest(samples.fragments("development", options.each))
    near = every[margins(every, PRESENT) < 40]  # the loss of the others hardly changes
    languages = sorted(set(every["language"]))
    without = 0.0
    for held_out in (languages[fold :: options.folds] for fold in range(options.folds)):
        weights = fit(near[~np.isin(near["language"], held_out)])
        tested = every[np.isin(every["language"], held_out)]
        without += wrong(tested, weights)
        shares = f"{wrong(tested, PRESENT):.1f} → {wrong(tested, weights):.1f}"
        print(f"without {' '.join(held_out)}: wrong {shares}", *weights.values())
    weights = fit(near)
    sums = {
        "present": wrong(every, PRESENT),
        "fitted without the language": without,
        "fitted on all": wrong(every, weights),
    }
    for name, share in sums.items():
        print(f"{name}: {share / every['weight'].sum():.2%} wrong")
    for name, bits in weights.items():
        print(f"{name}: {PRESENT[name]} → {bits}")


if __name__ == "__main__":
    main()
