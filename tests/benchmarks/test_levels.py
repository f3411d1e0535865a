"""The table of instruction-set levels: how rows become cells, and that a run measures every level of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatwg_encoding as we
from benchmarks import levels, report
from benchmarks.scenarios import LANGUAGES


def row(group: str, name: str, style: str, ratio: float | None, size: str = "64 KiB") -> report.Row:
    ours = report.Measured("whatwg-encoding", (1.0, 1.0, 1.0), True)
    peers = [] if ratio is None else [report.Measured("CPython", (ratio, ratio, ratio), True)]
    # A peer that does not count is faster than all others.
    others = (*peers, report.Measured("endec", (0.01, 0.01, 0.01), False))
    return report.Row(group, name, style, size, "second", 65536, None, None, None, "", ours, others)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("UTF-8 de", "UTF-8, Latin"),
        ("UTF-8 ja", "UTF-8, other"),
        ("UTF-16LE de", "UTF-16"),
        ("gb18030 zh_cn", "two-byte"),
        ("ISO-2022-JP ja", "ISO-2022-JP"),
        ("windows-1252 en", "single-byte, Latin"),
        ("ISO-8859-8-I he", "single-byte, other"),
        ("x-user-defined en", "x-user-defined"),
        ("replacement en", None),
    ],
)
def test_kinds(name: str, kind: str | None) -> None:
    assert levels.kind_of(name) == kind


def test_every_encoding_has_a_line() -> None:
    assert set(LANGUAGES) == set(we.ENCODINGS)
    kinds = {levels.kind_of(f"{name} {language}") for name, found in LANGUAGES.items() for language in found}
    assert kinds == {*levels.KINDS, None}


def test_a_cell_has_median_and_worst_and_counts_losses() -> None:
    rows = [
        row("decode", "KOI8-R ru", "dense", 3.0),
        row("decode", "windows-1251 ru", "dense", 0.9),
        row("decode", "windows-874 th", "dense", 2.0),
        row("decode", "KOI8-R ru", "markup", 5.0),
        row("encode", "KOI8-R ru", "dense", 7.0),
        # Other sizes, styles, groups and rows without a peer are not in the table.
        row("decode", "IBM866 ru", "dense", 0.1, size="1 KiB"),
        row("decode", "IBM866 ru", "1 % errors", 0.1),
        row("hostile decode", "IBM866 ru", "dense", 0.1),
        row("decode", "IBM866 ru", "dense", None),
        row("decode", "replacement en", "dense", 0.1),
    ]
    assert levels.fold(rows) == {
        ("decode", "single-byte, other", "dense"): "2.0×, 0.90× (windows-1251 ru); **1 of 3 behind**",
        ("decode", "single-byte, other", "page"): "5.0×, 5.00× (KOI8-R ru)",
        ("encode", "single-byte, other", "dense"): "7.0×, 7.00× (KOI8-R ru)",
    }


def test_the_table_has_a_column_for_each_level() -> None:
    cells = levels.fold([row("encode", "UTF-8 de", "dense", 2.0)])
    more = levels.fold([row("decode", "UTF-8 ja", "markup", 3.0)])
    assert levels.table({"AVX2": cells, "x86-64-v2": more}) == (
        "| conversion | AVX2 | x86-64-v2 |\n"
        "| --- | --- | --- |\n"
        "| decode: UTF-8, other, page | — | 3.0×, 3.00× (UTF-8 ja) |\n"
        "| encode: UTF-8, Latin, dense | 2.0×, 2.00× (UTF-8 de) | — |\n"
    )


def test_a_run_measures_every_level(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "levels.md"
    assert levels.main(["--rounds", "1", "--only", "^decode: UTF-16BE de, dense", "--output", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    titles = [levels.LEVELS[name] for name in levels.available()]
    assert f"| conversion | {' | '.join(titles)} |" in text
    assert "| decode: UTF-16, dense | " in text
    assert "](" not in text  # the documentation folds all results into one page, where links to files would break
    assert text in capfd.readouterr().out
