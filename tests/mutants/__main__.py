"""Change each statement of the standard's algorithms, one at a time, and show which test notices.

    python -m tests.mutants [ANCHOR …] [--write]

Each mutant is run on the inputs of the tests, test by test, and compared with the compiled package. One that no test
notices has to be listed in equivalent.toml, with the reason why it says the same; a listed one that a test notices has
to go. With --write, README.md is written: for each step, the tests that notice first. Exit 1 if a list is not right.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from generator.spec import program
from generator.spec.machine import Machine, machine
from generator.spec.program import Programs
from tests.mutants import mutation
from tests.mutants.checks import CHECKS, differs
from tests.pinned import PINNED

FOLDER = Path(__file__).parent
EQUIVALENT = FOLDER / "equivalent.toml"
TABLE = FOLDER / "README.md"

REFUSED = "refused"
"""A program that uses what nothing defines, or whose loop does not count down: the generator accepts none."""


def equivalent() -> Mapping[str, str]:
    """Return the reason of each mutant that is listed as equivalent. Raise a ValueError if one is listed twice."""
    found: dict[str, str] = {}
    for entry in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]:
        for name in entry["mutants"]:
            if name in found:
                raise ValueError(f"{EQUIVALENT.name} lists {name!r} twice")
            found[name] = entry["reason"]
    return found


def run(programs: Programs, anchors: Iterable[str]) -> dict[mutation.Mutant, str]:
    """Return the test that notices each mutant, empty if none does."""
    pinned = machine(PINNED)
    found: dict[mutation.Mutant, str] = {}
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


def complaints(found: Mapping[mutation.Mutant, str], listed: Mapping[str, str]) -> list[str]:
    """Return what is not as the list says."""
    results = {mutant.name: test for mutant, test in found.items()}
    wrong = [f"noticed by no test: {name}" for name, test in results.items() if not test and name not in listed]
    wrong += [
        f"listed as equivalent, but {test} fails: {name}" for name, test in results.items() if test and name in listed
    ]
    anchors = {mutant.anchor for mutant in found}
    gone = (name for name in listed if name.partition(" ")[0] in anchors and name not in results)
    return wrong + [f"listed as equivalent, but no mutant: {name}" for name in gone]


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
how many; tests that would notice later are not in it.
"""


def table(found: Mapping[mutation.Mutant, str]) -> str:
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
    parser.add_argument("anchors", nargs="*", metavar="ANCHOR", help="algorithms to change (default: all)")
    parser.add_argument("--write", action="store_true", help="write README.md")
    arguments = parser.parse_args()
    programs = machine(PINNED).programs
    unchecked = [anchor for anchor, each in programs.items() if (each.body or each.members) and anchor not in CHECKS]
    if unchecked:
        say(f"no checks: {', '.join(unchecked)}")
        return 1
    if unknown := [anchor for anchor in arguments.anchors if anchor not in CHECKS]:
        parser.error(f"no algorithm with statements: {', '.join(unknown)}")
    found = run(programs, arguments.anchors or CHECKS)
    wrong = complaints(found, equivalent())
    for line in wrong:
        say(line)
    if not arguments.anchors and arguments.write:
        TABLE.write_text(table(found), encoding="utf-8")
    elif not arguments.anchors and table(found) != TABLE.read_text(encoding="utf-8"):
        wrong.append(f"{TABLE.name} is out of date")
        say(f"{TABLE.name} is out of date: python -m tests.mutants --write")
    noticed = sum(map(bool, found.values()))
    say(f"{len(found)} mutants: {noticed} noticed, {len(found) - noticed} not; {len(wrong)} complaints")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
