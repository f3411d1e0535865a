"""Fit the weights of detection on the development set, and say how they do on languages that are left out.

    python -m benchmarks.fit_detection [--each 100] [--folds 5]

A weight is the prior of a group of encodings, or what an error costs beyond its U+FFFD. Encodings that have the same
prior are a group, so that a weight that is fitted without a language applies to it nevertheless. The loss of a fragment
grows with the bits by which the least cost of a wrong text is below that of a right one; fragments of rare encodings
count less. In each fold weights are fitted without some of the languages and applied to these; the sum over the folds
is what to expect of languages that nothing was fitted on. It needs the dependency group `bench-detect`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import whatwg_encoding as we
from benchmarks import samples
from whatwg_encoding._native.detect import PRIORS, Candidates

Bits = npt.NDArray[np.float64]

UTF_8_ERROR, ERROR = "error in UTF-8", "error in another encoding"
ENCODINGS = tuple(each for each in map(we.lookup, PRIORS) if each.is_ascii_compatible and PRIORS[each.name] < 12)
"""The candidates that costs are compared of: ISO-2022-JP and UTF-16 are told by escapes and NULs."""
GROUPS = {
    " ".join(each.name for each in ENCODINGS if PRIORS[each.name] == prior): float(prior)
    for prior in sorted({PRIORS[each.name] for each in ENCODINGS[1:]})
}
"""The names of encodings with the same prior, and that. UTF-8, the first, has none."""
PRESENT = {**GROUPS, UTF_8_ERROR: 0.0, ERROR: 8.0}
STEPS = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
ROUNDS = 8
SCALE = 2.0
"""Bits of margin by which the loss halves."""
PULL = 0.002
"""The loss per fragment of a weight that is a bit off the present one, so that what the set cannot tell stays."""


@dataclass(frozen=True)
class Contest:
    """Fragments with the cost of each candidate, of which at least one is right and one is wrong."""

    languages: npt.NDArray[np.str_]
    weights: Bits
    costs: Bits
    """Without priors: a row for each fragment, a column for each of ENCODINGS; in bits."""
    errors: Bits
    right: npt.NDArray[np.bool_]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Contest:
        """Return some of the fragments."""
        return Contest(*(column[chosen] for column in vars(self).values()))


def contest(fragments: Sequence[samples.Fragment]) -> Contest:
    """Return the fragments that costs decide; one counts less if its encoding is rare."""
    candidates = Candidates(tuple((encoding, 0) for encoding in ENCODINGS))
    rows = []
    for fragment in fragments:
        if fragment.encoding not in ENCODINGS or we.sniff.crawl(fragment.data).source == "utf-8":
            continue
        found = {encoding: cost / 8 for encoding, cost, _ in candidates.costs(fragment.data, 1 << 14)}
        decoded = [encoding.decode(fragment.data) for encoding in ENCODINGS]
        right = [samples.is_right(fragment, text) for text in decoded]
        if any(right) and not all(right):
            is_rare = PRIORS[fragment.encoding.name] >= 7
            weight = 2.0 if fragment.encoding is we.WINDOWS_1252 else 0.25 if is_rare else 1.0
            errors = [text.count("\ufffd") for text in decoded]
            rows.append((fragment.language, weight, [found[encoding] for encoding in ENCODINGS], errors, right))
    return Contest(*(np.array(column) for column in zip(*rows, strict=True)))


def margins(some: Contest, weights: dict[str, float]) -> Bits:
    """Return by how many bits the best wrong text costs more than the best right one."""
    priors = {name: weights[names] for names in GROUPS for name in names.split()}
    of_errors = [weights[UTF_8_ERROR] if each is we.UTF_8 else weights[ERROR] - PRESENT[ERROR] for each in ENCODINGS]
    costs = some.costs + np.array([priors.get(encoding.name, 0.0) for encoding in ENCODINGS])
    costs = costs + some.errors * np.array(of_errors)
    best_right = np.where(some.right, costs, np.inf).min(axis=1)
    found: Bits = np.where(some.right, np.inf, costs).min(axis=1) - best_right
    return found


def wrong(some: Contest, weights: dict[str, float]) -> float:
    """Return how many fragments are wrong, by their weights."""
    return float((margins(some, weights) < 0) @ some.weights)


def loss(some: Contest, weights: dict[str, float]) -> float:
    """Return the mean loss of the fragments."""
    of_fragments = np.logaddexp2(0, -margins(some, weights) / SCALE)
    pull = PULL * sum((weights[name] - PRESENT[name]) ** 2 for name in weights)
    return float((of_fragments * some.weights).sum() / some.weights.sum()) + pull


def fit(some: Contest) -> dict[str, float]:
    """Return the weights of least loss, in half bits, changed one at a time."""
    best, least, before = dict(PRESENT), loss(some, PRESENT), np.inf
    for _ in range(ROUNDS):
        if least == before:
            break
        before = least
        for name in PRESENT:
            for step in STEPS:
                changed = best | {name: best[name] + step}
                if (found := loss(some, changed)) < least:
                    best, least = changed, found
    return best


def main(arguments: list[str] | None = None) -> None:
    """Print the present and the fitted weights, and the share of wrong fragments with either."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_detection", description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="fragments of a size, language and encoding")
    parser.add_argument("--folds", type=int, default=5, help="parts into which languages are divided")
    options = parser.parse_args(arguments)
    every = contest(samples.fragments("development", options.each))
    near = every.of(margins(every, PRESENT) < 40)  # the loss of the others hardly changes
    languages = sorted(set(every.languages))
    without = 0.0
    for fold in range(options.folds):
        held_out = languages[fold :: options.folds]
        weights = fit(near.of(~np.isin(near.languages, held_out)))
        tested = every.of(np.isin(every.languages, held_out))
        without += wrong(tested, weights)
        shares = f"{wrong(tested, PRESENT):.1f} → {wrong(tested, weights):.1f}"
        print(f"without {' '.join(held_out)}: wrong {shares}", *weights.values())
    weights = fit(near)
    found = {"present": wrong(every, PRESENT), "fitted without the language": without}
    for name, share in (found | {"fitted on all": wrong(every, weights)}).items():
        print(f"{name}: {share / every.weights.sum():.2%} wrong")
    for name, bits in weights.items():
        print(f"{name}: {PRESENT[name]} → {bits}")


if __name__ == "__main__":
    main()
