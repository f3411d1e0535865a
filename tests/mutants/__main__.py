"""Change the standard's algorithms, the emitted handlers and the kernels, a place at a time, and show what notices.

    python -m tests.mutants [algorithms | emitted | kernels | ANCHOR | FILE …] [--sample N] [--write]

A mutant of an algorithm is run on the inputs of the tests, test by test, and compared with the compiled package. One of
an emitted handler is given to the proofs of `python -m proofs.handlers`. One of a kernel, of which one in N is taken,
is compiled and run on random text at every level, also for AArch64 where its compiler and QEMU are there (judges.py).
One that nothing notices has to be listed with the reason why it does the same, by its operator and by the step of its
algorithm, in equivalent.toml, or the function of its text, in emitted.toml and kernels.toml. A listed one that is
noticed has to go. With --write, README.md is written: for each step of the algorithms, the tests that notice first.
Exit 1 if a list is not right.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.spec import program
from generator.spec.machine import Machine, machine
from generator.spec.program import Programs
from tests.mutants import judges, mutation
from tests.mutants.checks import CHECKS, differs
from tests.mutants.edits import Text
from tests.pinned import PINNED

FOLDER = Path(__file__).parent
EQUIVALENT = [FOLDER / f"{name}.toml" for name in ("equivalent", "emitted", "kernels")]
TABLE = FOLDER / "README.md"

REFUSED = "refused"
"""A program that uses what nothing defines, or whose loop does not count down: the generator accepts none."""


def equivalent() -> Mapping[str, int]:
    """Return how many mutants that do the same are listed by each key. Raise a ValueError for one without a reason."""
    found: Counter[str] = Counter()
    for path in EQUIVALENT:
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]:
            if not entry["reason"].endswith("."):
                raise ValueError(f"{path.name}: {entry['reason']!r} is no reason")
            for name in entry["mutants"]:
                key, _, count = name.partition(TIMES)
                found[key] += int(count or 1)
    return found


TIMES = " × "
"""Between a key and how many mutants of it do the same, if there are several."""


def run(programs: Programs, anchors: Iterable[str]) -> dict[mutation.Change, str]:
    """Return the test that notices each mutant, empty if none does."""
    pinned = machine(PINNED)
    found: dict[mutation.Change, str] = {}
    for anchor in anchors:
        start, before = time.monotonic(), len(found)
        for mutant in mutation.mutants(programs[anchor]):
            found[mutant] = _noticed(mutant, pinned)
        survived = sum(not test for test in list(found.values())[before:])
        say(f"{anchor}: {len(found) - before} mutants, {survived} not noticed, {time.monotonic() - start:.0f} s")
    return found


def _noticed(mutant: mutation.Mutant, pinned: Machine) -> str:
    """Return the test that notices a mutant, empty if none does."""
    try:
        program.check(mutant.algorithm)
    except ValueError:
        return REFUSED
    altered = pinned.altered(mutant.algorithm)
    return next((check.test for check in CHECKS[mutant.anchor] if differs(check, altered)), "")


def run_texts(texts: Iterable[Text], sample: int = 1) -> dict[mutation.Change, str]:
    """Return what notices each mutant of texts, or of one in ``sample`` of them, empty if nothing does.

    Without those of code that this machine does not compile or run.
    """
    found: dict[mutation.Change, str] = {}
    with TemporaryDirectory() as folder, ProcessPoolExecutor(initializer=judges.start, initargs=(folder,)) as pool:
        for text in texts:
            start, mutants = time.monotonic(), [mutant for mutant in text.mutants() if is_taken(mutant, sample)]
            judged = zip(mutants, pool.map(judges.notices, repeat(text), mutants), strict=True)
            results = {mutant: test for mutant, test in judged if test is not None}
            survived = sum(not test for test in results.values())
            say(f"{text.name}: {len(results)} mutants, {survived} not noticed, {time.monotonic() - start:.0f} s")
            if len(results) < len(mutants):
                say(f"{text.name}: {len(mutants) - len(results)} mutants of code that this machine does not run")
            found |= results
    return found


def is_taken(mutant: mutation.Change, sample: int) -> bool:
    """Return whether a mutant is in a sample, which does not depend on the others."""
    return int.from_bytes(sha256(mutant.name.encode()).digest()[:4]) % sample == 0


def complaints(
    found: Mapping[mutation.Change, str], listed: Mapping[str, int], untried: Collection[str] = ()
) -> list[str]:
    """Return what is not as the list says; ``untried`` are the keys of mutants of which not all have been tried."""
    by_key: dict[str, list[str]] = defaultdict(list)
    for mutant, test in found.items():
        by_key[mutant.key].append(test)
    survived = {key: tests.count("") for key, tests in by_key.items()}
    wrong = [
        f"noticed by no test: {one.name}"
        for one, test in found.items()
        if not test and survived[one.key] > listed.get(one.key, 0)
    ]
    wrong += [
        f"listed as equivalent {listed[key]} times, but {survived[key]} do the same: {key}"
        for key in by_key
        if key not in untried and survived[key] < listed.get(key, 0)
    ]
    anchors = {mutant.anchor for mutant in found}
    there = {*by_key, *untried}
    gone = (key for key in listed if key.partition(" ")[0] in anchors and key not in there)
    return wrong + [f"listed as equivalent, but no mutant: {key}" for key in gone]


# -- The table ---------------------------------------------------------------------------------------------------------

_HEAD = """\
# Which test fails if a step is wrong

Every statement of the standard's decoders, encoders and operations on indexes, as `data/algorithms.toml` has them, is
changed in every way that `tests/mutants/mutation.py` knows, one change at a time, and run on the inputs of the tests
beside the compiled package. Written by `python -m tests.mutants --write`; `make mutants` runs it and checks the list of
equivalent mutants, `equivalent.toml`, which has a reason for each.

Of {total} mutants, {noticed} are noticed by a test, {refused} are refused by the generator's own check of programs (a
loop that does not count down, a name that nothing defines), and {same} say the same as the standard.

A row has the mutants of a step, those that are equivalent, and the tests of `tests/standard` that notice first, with
how many; tests that would notice later are not in it. `docs/algorithms.md` has the figures of emitted handlers and
kernels, which have no table here.
"""


def table(found: Mapping[mutation.Change, str]) -> str:
    """Return the page that has for each step the tests that notice."""
    same, refused = (sum(test == result for test in found.values()) for result in ("", REFUSED))
    noticed = len(found) - same - refused
    text = [_HEAD.format(total=f"{len(found):,}", noticed=f"{noticed:,}", refused=refused, same=same).strip()]
    by_step: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for mutant, test in found.items():
        by_step[mutant.anchor][mutant.step or "–"][test] += 1
    for anchor, steps in by_step.items():
        text += ["", f"## {anchor}", "", "| step | mutants | equivalent | test |", "|---|---:|---:|---|"]
        for step, tests in sorted(steps.items(), key=lambda item: _order(item[0])):
            most = sorted(tests.items(), key=lambda item: (-item[1], item[0]))
            shown = [f"{_shown(name)} {count}" for name, count in most if name]
            text.append(f"| {step} | {tests.total()} | {tests[''] or ''} | {', '.join(shown)} |")
    return "\n".join(text) + "\n"


def _shown(test: str) -> str:
    return test if test == REFUSED else f"`{test.partition('::')[2]}`"


def _order(step: str) -> list[tuple[bool, int, str]]:
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in step.split(".")]


# -- The command -------------------------------------------------------------------------------------------------------


def say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="algorithms, emitted, kernels, or one of them")
    parser.add_argument("--sample", type=int, default=50, metavar="N", help="of kernels, one mutant in N (default: 50)")
    parser.add_argument("--write", action="store_true", help="write README.md")
    arguments = parser.parse_args()
    names = set(arguments.names or ("algorithms", "emitted"))
    programs = machine(PINNED).programs
    groups = {
        "algorithms": [name for name, each in programs.items() if each.body or each.members],
        "emitted": [text.name for text in judges.emitted()],
        "kernels": [text.name for text in judges.kernels()],
    }
    if unchecked := set(groups["algorithms"]) - set(CHECKS):
        parser.error(f"no checks: {', '.join(sorted(unchecked))}")
    if unknown := names - {*groups, *(name for group in groups.values() for name in group)}:
        parser.error(f"nothing to change: {', '.join(sorted(unknown))}")
    chosen = {group: [each for each in group_names if names & {group, each}] for group, group_names in groups.items()}

    found = run(programs, chosen["algorithms"])
    wrong = _table_is_wrong(found, write=arguments.write) if "algorithms" in names else []
    untried: list[str] = []
    for all_texts, group, sample in ((judges.emitted(), "emitted", 1), (judges.kernels(), "kernels", arguments.sample)):
        if texts := [text for text in all_texts if text.name in chosen[group]]:
            found.update(run_texts(texts, sample))
            tried = {mutant.name for mutant in found}
            untried += [one.key for text in texts for one in text.mutants() if one.name not in tried]
    wrong += complaints(found, equivalent(), untried)
    for line in wrong:
        say(line)
    noticed = sum(map(bool, found.values()))
    say(f"{len(found)} mutants: {noticed} noticed, {len(found) - noticed} not; {len(wrong)} complaints")
    return bool(wrong)


def _table_is_wrong(found: Mapping[mutation.Change, str], *, write: bool) -> list[str]:
    """Write the table of the algorithms, or return what is wrong with it."""
    if write:
        TABLE.write_text(table(found), encoding="utf-8")
    if table(found) == TABLE.read_text(encoding="utf-8"):
        return []
    return [f"{TABLE.name} is out of date: python -m tests.mutants --write"]


if __name__ == "__main__":
    sys.exit(main())
