"""The benchmarks interleave contenders, compare equal work, and list losses first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import whatwg_encoding as we
from benchmarks import OURS, report, timed
from benchmarks.__main__ import Interpreter, measure, statements
from benchmarks.conversions import conversions
from benchmarks.corpus import Corpus
from benchmarks.doors import BASE, Door
from benchmarks.report import Row


def test_an_interpreter_imports_the_package_that_it_is_given(tmp_path: Path) -> None:
    package = tmp_path / "of another commit" / OURS.replace("-", "_")
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("is_of_that_commit = True\n")
    call = f"assert {package.name}.is_of_that_commit"
    assert callable(Interpreter(package).prepare(f"import {package.name}", call, Door("", call, "", {}, {})))


def test_each_round_calls_every_contender_once_in_rotating_order() -> None:
    order: list[str] = []

    def sample(name: str) -> Callable[[], float]:
        def call() -> float:
            order.append(name)
            return float(len(order))

        return call

    values = timed.rounds_of({name: sample(name) for name in "abc"}, 3)
    assert "".join(order) == "abcbcacab"
    assert values == {"a": [1.0, 6.0, 8.0], "b": [2.0, 4.0, 9.0], "c": [3.0, 5.0, 7.0]}


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    # In the second round both took ten times as long: the machine was busy.
    assert Row("", {OURS: [1.0, 10.0, 1.0], "peer": [3.0, 20.0, 5.0]}).ratio("peer") == 3.0


def test_losses_come_first_the_largest_at_the_top() -> None:
    rows = [
        Row("ahead", {OURS: [1.0], "peer": [2.0], BASE: [1.0]}),
        Row("slower than a peer", {OURS: [1.0], "peer": [0.5], "slow": [9.0]}),
        Row("slower than before", {OURS: [1.0], "peer": [2.0], BASE: [0.25]}),
        Row("alone", {OURS: [1.0]}),
    ]
    slower, _, others = report.document(rows, "").partition("## Others")
    assert "## Slower (2 of 4 rows)" in slower
    assert slower.index("| slower than before | 1e+03 ms | 0.25 | 2.00 | peer |") < slower.index("| slower than a peer")
    assert [line.split(" | ")[0] for line in others.splitlines()[4:]] == ["| ahead", "| alone"]


def test_doors_are_measured_with_the_peers_that_are_here() -> None:
    peers = {"CPython": "data.decode()", "absent": "import absent_package\nabsent_package.decode(data)"}
    door = Door("decode: ASCII", "we.UTF_8.decode(data)", "", peers, {"data": b"a"})
    first = Door("import: first use", "import whatwg_encoding", "", {}, {}, is_first=True)
    rows = list(measure([door, first], Interpreter(), Interpreter(), 2))
    assert [list(row.values) for row in rows] == [[OURS, BASE, "CPython"], [OURS, BASE]]
    assert all(len(values) == 2 and min(values) > 0 for row in rows for values in row.values.values())


def test_a_peer_has_its_own_objects_where_names_are_the_same() -> None:
    door = Door("decode", "encoding", "encoding = 'ours'", {"peer": "encoding = 'theirs'\nencoding"}, {})
    for (name, setup, call), expected in zip(statements(door), ("ours", "theirs"), strict=True):
        names: dict[str, object] = {}
        exec(setup, names)
        assert eval(call, names) == expected, name


def test_every_encoding_is_converted_beside_peers_with_the_same_result() -> None:
    rows = list(conversions(Corpus()))
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    for name, encoding in we.ENCODINGS.items():
        for way, expected in (("decode", name != "replacement"), ("encode", encoding.has_encoder)):
            assert any(row.startswith(f"{way}: ") and f" of {name} " in row for row in names) == expected, (way, name)
    assert sum("CPython" in row.peers for row in rows) > len(rows) / 2
    assert max(len(row.given["data"]) for row in rows) <= 1 << 16
