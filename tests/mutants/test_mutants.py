"""The mutants of the standard's algorithms, and the list of those that say the same; `make mutants` runs them all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from generator import snapshot
from generator.spec import notation
from tests.mutants import __main__ as command
from tests.mutants import mutation
from tests.mutants.checks import CHECKS

PINNED = notation.load(snapshot.DATA)
assert PINNED is not None
PROGRAMS = PINNED.programs
STANDARD = Path(__file__).parents[1] / "standard"


def changes(anchor: str, step: str) -> set[str]:
    return {mutant.change for mutant in mutation.mutants(PROGRAMS[anchor]) if mutant.step == step}


@pytest.mark.parametrize(
    ("anchor", "step", "change"),
    [
        pytest.param("euc-kr-decoder", "3.7", "- restore(io_queue, byte) + pass", id="restore left out"),
        pytest.param(
            "euc-kr-decoder",
            "3.4",
            "- if in_range(byte, 0x41, 0xFE): + if in_range(byte, 0x41, 0xFD):",
            id="a bound",
        ),
        pytest.param(
            "big5-encoder",
            "7",
            "- offset = 0x40 if trailing < 0x3F else 0x62 + offset = 0x40 if trailing <= 0x3F else 0x62",
            id="a comparison",
        ),
        pytest.param(
            "euc-kr-encoder", "7", "- return [leading, trailing] + return [trailing, leading]", id="an order of values"
        ),
        pytest.param(
            "euc-kr-decoder",
            "3.1",
            "+ self.euc_kr_leading = 0x00 - self.euc_kr_leading = 0x00",
            id="an order of statements",
        ),
        pytest.param(
            "gbk-encoder", "initially", "- initially is_gbk = True + initially is_gbk = False", id="initially"
        ),
        pytest.param("big5-decoder", "table", "- row 0x46d: (202, 772) + row 0x46d: (203, 772)", id="a row of a table"),
        pytest.param(
            "iso-2022-jp-decoder",
            "[leading byte].[Otherwise]",
            "- return Error() + return Error()",
            id="a statement out of its branch",
        ),
    ],
)
def test_each_kind_of_change_is_made(anchor: str, step: str, change: str) -> None:
    assert change in changes(anchor, step)


def test_a_mutant_differs_from_the_algorithm_and_from_every_other() -> None:
    program = PROGRAMS["gb18030-encoder"]
    every = [mutant.algorithm for mutant in mutation.mutants(program)]
    assert program not in every
    assert len(set(every)) == len(every) > 200


def test_the_list_has_a_reason_for_each_and_nothing_else() -> None:
    keys = Counter(mutant.key for program in PROGRAMS.values() for mutant in mutation.mutants(program))
    listed = {key: count for key, count in command.equivalent().items() if key.partition(" ")[0] in PROGRAMS}
    assert listed
    assert [key for key, count in listed.items() if not 0 < count <= keys[key]] == []


def test_complaints() -> None:
    first, second, *_ = mutation.mutants(PROGRAMS["replacement-decoder"])
    assert first.key != second.key
    assert command.complaints({first: "a test", second: ""}, {second.key: 1}) == []
    assert command.complaints({first: ""}, {}) == [f"noticed by no test: {first.name}"]
    assert command.complaints({first: "a test"}, {first.key: 1}) == [
        f"listed as equivalent 1 times, but 0 do the same: {first.key}"
    ]
    gone = "replacement-decoder 9: number"
    assert command.complaints({first: "a test"}, {gone: 1}) == [f"listed as equivalent, but no mutant: {gone}"]


def test_a_mutant_is_noticed_by_a_test_that_exists() -> None:
    for checks in CHECKS.values():
        for check in checks:
            file, _, test = check.test.partition("::")
            assert f"\ndef {test}(" in (STANDARD / file).read_text(), check.test
    found = command.run(PROGRAMS, ["replacement-decoder"])
    assert {test for test in found.values() if test} == {
        "test_14_miscellaneous.py::test_replacement_is_one_error_for_whatever_there_is"
    }
