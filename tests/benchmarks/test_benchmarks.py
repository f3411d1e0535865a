"""The benchmarks run on tiny sizes, compute correctly, and write well-formed tables that contain no host name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]
import pytest

import whatwg_encoding as we
from benchmarks import __main__ as command
from benchmarks import columns, footprint, measure, report, scenarios
from benchmarks.corpus import Corpus
from benchmarks.measure import Case, Effort, Goal, Job
from benchmarks.peers import OURS, Contender

ROOT = Path(__file__).parents[2]
QUICK = ["--sizes", "20 B", "1 KiB", "--rounds", "2", "--sample", "1e-5"]
ROWS = r"^(de|en)code: (windows-1252 de|Shift_JIS|UTF-16LE ja)|lookup|sniff|many: UTF-8|import.*alone|installed"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the results of a few rows, without the suffixes of the two files."""
    folder = tmp_path_factory.mktemp("results")
    assert command.main([*QUICK, "--only", ROWS, "--output", str(folder)]) == 0
    stem = command.result_name()
    assert sorted(path.name for path in folder.iterdir()) == [f"{stem}.json", f"{stem}.md"]
    return folder / stem


def test_rows_are_complete(results: Path) -> None:
    found = {f"{row.group}: {row.title}": row for row in report.rows(report.load(results.with_suffix(".json")))}
    assert found.keys() >= {
        "decode: windows-1252 de, plain text, 20 B", "decode: Shift_JIS ja, plain text, 1 KiB",
        "encode: Shift_JIS ja, plain text, 20 B", "decode: UTF-16LE ja, plain text, 20 B",
        "lookup: 'shift_jis', label, 20 B", "import time: package, alone", "installed size: package, all files",
    }  # fmt: skip
    for row in found.values():
        assert row.ours.name == OURS
        assert all(len(other.values) == len(row.ours.values) for other in row.others)
        assert row.verdict in (report.PASS, report.SHORT, report.ALONE, report.AHEAD, report.LEVEL, report.BEHIND, "")
    decode = found["decode: Shift_JIS ja, plain text, 1 KiB"]
    assert "CPython" in {other.name for other in decode.others}
    assert decode.nbytes in range(1022, 1025)


# --- Arithmetic -------------------------------------------------------------------------------------------------------


def row(ours: list[float], theirs: list[float] | None, **goal: object) -> report.Row:
    """Return a row as it is read from results, with one peer or none."""
    shared = {"group": "decode", "row": "UTF-8 ja", "size": "1 KiB", "style": "plain text", "nbytes": 1024, **goal}
    runs = [
        pyperf.Run(values, metadata={"name": f"row [{name}]", "contender": name, **more}, collect_metadata=False)
        for name, values, more in ((OURS, ours, shared), ("peer", theirs, {}))
        if values
    ]
    (found,) = report.rows(pyperf.BenchmarkSuite([pyperf.Benchmark([run]) for run in runs]))
    return found


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    # In the second round both took ten times as long: the machine was busy.
    found = row([1.0, 10.0, 1.0], [3.0, 20.0, 5.0])
    assert (found.ours.median, found.ratio) == (1.0, 3.0)


def test_verdicts() -> None:
    both = {"at_most": 1.0, "at_least": 2.0}
    for ours, theirs, goal, verdict in (
        (1.0, 2.0, {"at_least": 2.0}, report.PASS), (1.0, 1.99, {"at_least": 2.0}, report.SHORT),
        (1.1, 5.0, {"at_most": 1.0}, report.SHORT), (0.9, 1.0, both, report.SHORT),
        (1.0, 0.9, {"at_least": 2.0}, report.BEHIND), (1.0, 1.0, {}, report.AHEAD), (1.0, 0.99, {}, report.BEHIND),
        # Of counts of instructions, 2 % are level.
        (1.0, 1.01, {"unit": "integer"}, report.LEVEL), (1.0, 0.97, {"unit": "integer"}, report.BEHIND),
    ):  # fmt: skip
        metadata = {"target": "a goal", **goal} if goal.keys() & {"at_least", "at_most"} else goal
        assert row([ours], [theirs], **metadata).verdict == verdict
    assert row([1.0], None, target="a goal", at_least=2.0).verdict == report.ALONE


def test_the_summary_lists_what_is_slower_than_any_peer() -> None:
    """Also than one that does not count in the row's floor, and not than a limit of what can be reached."""
    others = (("peer", 0.5, False), ("one thread", 0.25, True))
    measured = tuple(report.Measured(name, (seconds,), counts) for name, seconds, counts in others)
    found = report.Row("decode", "text", report.Measured(OURS, (1.0,)), measured)
    assert [peer.name for peer in found.better] == ["peer"]
    assert "What is slower than a peer (1 of 1 rows)" in report.summary([found])
    ahead = report.Row("decode", "text", report.Measured(OURS, (0.4,)), measured)
    assert "What is slower than a peer (0 of 1 rows)" in report.summary([ahead])


# --- Measuring --------------------------------------------------------------------------------------------------------


def measured(rivals: list[Contender], rounds: int, inputs: dict[str, Any], goal: Goal | None = None) -> report.Row:
    case = Case("decode", "ASCII", "1 B", "error", lambda: Job(rivals, inputs, goal=goal))
    (found,) = report.rows(pyperf.BenchmarkSuite(measure.measure(case, Effort(1e-5, rounds))))
    return found


def test_a_peer_with_another_result_is_left_out_and_named() -> None:
    rivals = [
        Contender(OURS, "result = data.decode('ascii', 'replace')"),
        Contender("same", "result = data.decode('ascii', errors='replace')"),
        Contender("other", "result = data.decode('latin-1')"),
        Contender("failing", "result = data.decode('ascii')"),
    ]
    found = measured(rivals, 3, {"data": b"\xff"})
    assert [other.name for other in found.others] == ["same"]
    assert found.note == "other left out: other result; failing left out: other result"
    assert len(found.ours.values) == 3


# --- Rows and inputs --------------------------------------------------------------------------------------------------


def test_every_encoding_has_its_rows_once() -> None:
    scope = scenarios.Scope(Corpus())
    titles = [case.title for source in (scenarios, columns, footprint) for case in source.all_cases(scope)]
    assert len(set(titles)) == len(titles)
    for name, encoding in we.ENCODINGS.items():
        for size in ("20 B", "1 KiB", "64 KiB", "1 MiB"):
            for way, expected in (("decode", True), ("encode", encoding.has_encoder)):
                pattern = re.compile(rf"{way}: {re.escape(name)} \w+, plain text, {size}$")
                assert any(map(pattern.match, titles)) == expected, (way, name, size)


def test_columns_are_decoded_as_rows_are() -> None:
    """Every contender makes the same rows, whatever its type of column."""
    pyarrow = pytest.importorskip("pyarrow")
    titled = {case.title: case for case in columns.all_cases(scenarios.Scope(Corpus()))}
    for name in columns.ENCODINGS:
        job = titled[f"columns of cells: {name} {scenarios.LANGUAGES[name][0]}, 4 MB"].build()
        ours, *others = (pyarrow.array(one.run(job.inputs)).cast(pyarrow.large_string()) for one in job.contenders)
        assert len(ours) > 50_000
        assert all(other == ours for other in others)
