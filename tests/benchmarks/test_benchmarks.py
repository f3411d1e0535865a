"""The benchmarks run on tiny sizes, compute correctly, and write well-formed tables that contain no host name."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]
import pytest

import whatwg_encoding as we
from benchmarks import __main__ as command
from benchmarks import columns, footprint, goals, instructions, measure, peers, report, scenarios
from benchmarks.corpus import STYLES, Corpus, draw, restrict
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


def output(*arguments: str, **options: Any) -> str:
    """Return what Python prints with these arguments."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, **options).stdout


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


def test_tables_are_well_formed(results: Path) -> None:
    tables = re.findall(r"(?:^\|.*\|\n)+", results.with_suffix(".md").read_text("utf-8"), re.MULTILINE)
    assert len(tables) > 5
    for text in tables:
        lines = text.splitlines()
        assert re.fullmatch(r"(\| -+:? )+\|", lines[1])
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
        assert len(lines) > 2


def test_results_name_no_host_and_no_path(results: Path) -> None:
    places = [str(folder) for folder in (results.parent, Path.home(), Path(sys.prefix), ROOT)]
    for path in results.parent.iterdir():
        names = ["hostname", *places, *([platform.node()] if len(platform.node()) > 3 else [])]
        assert [name for name in names if name in path.read_text("utf-8")] == []


def test_results_can_be_printed_again(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = results.with_suffix(".json")
    assert command.main(["--report", str(path)]) == 0
    whole = capsys.readouterr().out
    assert whole.rstrip("\n") == path.with_suffix(".md").read_text("utf-8").rstrip("\n")
    shown = output("-m", "pyperf", "show", str(path))
    assert "decode: Shift_JIS ja, plain text, 20 B [whatwg-encoding]" in shown


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


@pytest.mark.parametrize(
    ("ours", "theirs", "goal", "verdict"),
    [
        (1.0, 2.0, {"at_least": 2.0}, report.PASS), (1.0, 1.99, {"at_least": 2.0}, report.SHORT),
        (1.0, 0.9, {"at_least": 0.8}, report.PASS), (1.0, 0.5, {"at_most": 1.0}, report.PASS),
        (1.1, 5.0, {"at_most": 1.0}, report.SHORT), (1.1, 5.0, {"at_most": 1.0, "at_least": 2.0}, report.SHORT),
        (0.9, 1.0, {"at_most": 1.0, "at_least": 2.0}, report.SHORT), (1.0, 0.9, {"at_least": 2.0}, report.BEHIND),
        (1.1, 1.0, {"at_most": 1.0}, report.BEHIND), (1.0, 1.0, {}, report.AHEAD), (1.0, 0.99, {}, report.BEHIND),
        # Of counts of instructions, 2 % are level.
        (1.0, 1.01, {"unit": "integer"}, report.LEVEL), (1.0, 1.03, {"unit": "integer"}, report.AHEAD),
        (1.0, 0.97, {"unit": "integer"}, report.BEHIND),
    ],
)  # fmt: skip
def test_verdicts(ours: float, theirs: float, goal: dict[str, float], verdict: str) -> None:
    metadata = {"target": "a goal", **goal} if goal.keys() & {"at_least", "at_most"} else goal
    assert row([ours], [theirs], **metadata).verdict == verdict


def test_a_ratio_without_a_peer_is_no_success() -> None:
    alone = row([1.0], None, target="a goal", at_least=2.0)
    assert alone.verdict == report.ALONE
    assert "| 0 of 1 | no peer |" in report.summary([alone])


def test_the_summary_names_what_is_lost() -> None:
    lost = report.summary([row([1.0], [1.5], target="UTF-8 decode", at_least=2.0)])
    assert "| UTF-8 decode | ≥ 2× | 1.50× | 1.50× (UTF-8 ja, 1 KiB) | 0 of 1 | short of the floor |" in lost
    assert "Rows short of their floor, or behind a peer (1 of 1)" in lost
    won = report.summary([row([1.0], [2.5], target="UTF-8 decode", at_least=2.0)])
    assert "| 2.50× | 2.50× (UTF-8 ja, 1 KiB) | 1 of 1 | pass |" in won
    assert "Every row reaches its floor, or is ahead of its peers." in won


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (2.5, "second", "2.5 s"), (0.0015, "second", "1.5 ms"), (12e-6, "second", "12 µs"),
        (87.2e-9, "second", "87.2 ns"), (2_250_000, "byte", "2.25 MB"), (152, "byte", "152 B"), (1, "integer", "1.00"),
    ],
)  # fmt: skip
def test_amounts(value: float, unit: str, shown: str) -> None:
    assert report.amount(value, unit) == shown


def test_throughput_is_of_encoded_bytes() -> None:
    found = row([1024e-9], [1.0])
    assert found.show(found.ours) == "1 GB/s"


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


def test_only_those_that_count_are_compared_with() -> None:
    slow = Contender("slow", "result = sum(range(999)) * 0 + 1")
    rivals = [Contender(OURS, "result = 1"), Contender("fast", "result = 1"), slow]
    found = measured(rivals, 2, {}, Goal("a goal", 1.0, frozenset({"slow"})))
    assert found.best is not None
    assert (found.best.name, found.verdict) == ("slow", report.PASS)


def test_contenders_do_not_share_a_string() -> None:
    text = "caf\xe9 \u4eba"
    assert measure.own_copy(text) == text
    assert measure.own_copy(text) is not text


@pytest.mark.parametrize("number", [1, 2])
def test_threads_share_all_calls(number: int) -> None:
    calls: list[str] = []
    assert scenarios.in_threads(calls.append, "x", number) == len(calls)


# --- Rows and inputs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_every_encoding_has_its_rows_once(full: bool) -> None:
    scope = scenarios.Scope(Corpus(), full)
    titles = [case.title for source in (scenarios, columns, footprint) for case in source.all_cases(scope)]
    assert len(set(titles)) == len(titles)
    for name, encoding in we.ENCODINGS.items():
        for size in ("20 B", "1 KiB", "64 KiB", "1 MiB"):
            for way, expected in (("decode", True), ("encode", encoding.has_encoder)):
                pattern = re.compile(rf"{way}: {re.escape(name)} \w+, plain text, {size}$")
                assert any(map(pattern.match, titles)) == expected, (way, name, size)


@pytest.mark.parametrize("name", ["windows-1258", "Shift_JIS", "Big5", "UTF-8", "UTF-16BE", "x-user-defined"])
@pytest.mark.parametrize("size", ["20 B", "1 KiB", "64 KiB"])
def test_inputs_have_their_size_and_no_error(name: str, size: str) -> None:
    encoding = we.lookup(name)
    language = scenarios.LANGUAGES[name][0]
    found = scenarios.Setting(Corpus(), "decode", encoding, language, "plain text", size).inputs
    assert scenarios.SIZES[size] - 4 < len(found["data"]) <= scenarios.SIZES[size]
    assert encoding.decode(found["data"], "fatal") == found["text"]
    if (codec := peers.cpython_codec(encoding)) is not None:
        assert found["data"].decode(codec) == found["text"]


@pytest.mark.parametrize(("language", "least"), [("ja", 0.8), ("ru", 0.7), ("th", 0.8), ("ko", 0.6), ("de", 0.01)])
def test_pages_are_mostly_ascii_and_plain_text_is_not(language: str, least: float) -> None:
    plain, markup = (
        sum(not each.isascii() for each in text) / len(text) for text in (draw(language, s) for s in STYLES)
    )
    assert plain > least
    assert 0 < markup < min(0.3, plain / 2)


def test_drawn_text_is_the_same_in_every_process() -> None:
    code = "import zlib; from benchmarks.corpus import draw; print(zlib.crc32(draw('ko', 'markup').encode()))"
    assert len({output("-c", code, env={"PYTHONHASHSEED": seed}) for seed in ("1", "2")}) == 1


def test_a_corpus_is_read_and_the_rest_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "ja.txt").write_text("日本語の文章。", "utf-8")
    (tmp_path / "other.txt").write_bytes(b"\xff")
    corpus = Corpus(tmp_path)
    assert corpus.get("ja", "plain text") == "日本語の文章。"
    assert corpus.has("ja", "plain text")
    assert not corpus.has("ja", "markup")
    assert corpus.get("ja", "markup") == draw("ja", "markup")


def test_a_corpus_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="is not a folder"):
        Corpus(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"has none of ar\.txt"):
        Corpus(tmp_path)
    (tmp_path / "ko.html").write_bytes(b"\xb0\xa1")
    with pytest.raises(UnicodeDecodeError) as raised:
        Corpus(tmp_path)
    assert raised.value.__notes__ == ["in ko.html of the corpus, which must be UTF-8"]


def test_what_an_encoding_lacks_is_put_in_parts_or_left_out() -> None:
    # windows-1258 has â and the combining acute accent but not ấ, and it has no ideographs.
    available = peers.representable(we.WINDOWS_1258, "aâ\u0301\u1ea5人")
    assert available == set("aâ\u0301")
    assert restrict("a\u1ea5人", available) == "aâ\u0301"


# --- Levels and instructions ------------------------------------------------------------------------------------------


def of_level(group: str, name: str, style: str, ratio: float | None, size: str = "64 KiB") -> report.Row:
    """Return a row of a level; a peer that does not count is faster than all others."""
    counting = [] if ratio is None else [report.Measured("CPython", (ratio,) * 3)]
    others = (*counting, report.Measured("endec", (0.01,) * 3, False))
    return report.Row(group, name, report.Measured(OURS, (1.0,) * 3), others, style, size, nbytes=65536)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("UTF-8 de", "UTF-8, Latin"), ("UTF-8 ja", "UTF-8, other"), ("UTF-16LE de", "UTF-16"),
        ("gb18030 zh_cn", "two-byte"), ("ISO-2022-JP ja", "ISO-2022-JP"), ("windows-1252 en", "single-byte, Latin"),
        ("ISO-8859-8-I he", "single-byte, other"), ("x-user-defined en", "x-user-defined"), ("replacement en", None),
    ],
)  # fmt: skip
def test_kinds(name: str, kind: str | None) -> None:
    assert goals.kind_of(name) == kind


def test_every_encoding_has_a_line() -> None:
    assert set(scenarios.LANGUAGES) == set(we.ENCODINGS)
    kinds = {goals.kind_of(f"{name} {language}") for name, found in scenarios.LANGUAGES.items() for language in found}
    assert kinds == {*goals.KINDS, None}


def test_the_table_of_levels_has_medians_and_the_worst_and_counts_losses() -> None:
    rows = [
        of_level("decode", "KOI8-R ru", "plain text", 3.0),
        of_level("decode", "windows-1251 ru", "plain text", 0.9),
        of_level("decode", "windows-874 th", "plain text", 2.0),
        of_level("encode", "UTF-8 de", "plain text", 7.0),
        # Other sizes, styles, groups and rows without a peer are not in the table.
        of_level("decode", "IBM866 ru", "plain text", 0.1, size="1 KiB"),
        of_level("decode", "IBM866 ru", "1 % errors", 0.1),
        of_level("hostile decode", "IBM866 ru", "plain text", 0.1),
        of_level("decode", "IBM866 ru", "plain text", None),
        of_level("decode", "replacement en", "plain text", 0.1),
    ]
    more = [of_level("decode", "UTF-8 ja", "markup", 3.0)]
    assert report.levels({"AVX2": report.fold(rows), "x86-64-v2": report.fold(more)}) == (
        "| conversion | AVX2 | x86-64-v2 |\n"
        "| --- | --- | --- |\n"
        "| decode: UTF-8, other, markup | — | 3.0×, 3.00× (UTF-8 ja) |\n"
        "| decode: single-byte, other, plain text | 2.0×, 0.90× (windows-1251 ru); **1 of 3 behind** | — |\n"
        "| encode: UTF-8, Latin, plain text | 7.0×, 7.00× (UTF-8 de) | — |\n"
    )


def test_a_run_measures_every_level(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--rounds", "1", "--only", "^decode: UTF-16BE de, plain text", "--output", str(tmp_path)]
    assert command.main(["--levels", *options]) == 0
    text = (tmp_path / "levels.md").read_text(encoding="utf-8")
    titles = [title for name, title in command.LEVELS.items() if name in we.cpu_features()["available"]]
    assert f"| conversion | {' | '.join(titles)} |" in text
    assert "| decode: UTF-16, plain text | " in text
    assert "](" not in text  # the documentation folds all results into one page, where links to files would break
    assert text in capfd.readouterr().out


def test_what_is_counted_are_rows() -> None:
    cases = scenarios.one_shot(scenarios.Scope(Corpus(), sizes=("64 KiB",)))
    counted = [case.name for case in cases if instructions.COUNTED.match(case.title)]
    assert len(counted) == 98
    assert {name.split(" ")[0] for name in counted} >= {"UTF-8", "Shift_JIS", "gb18030", "KOI8-R"}


@pytest.mark.parametrize("name", columns.ENCODINGS)
def test_columns_are_decoded_as_rows_are(name: str) -> None:
    """Every contender makes the same rows, whatever its type of column."""
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    titled = {case.title: case for case in columns.all_cases(scenarios.Scope(Corpus()))}
    job = titled[f"columns of cells: {name} {scenarios.LANGUAGES[name][0]}, 4 MB"].build()
    ours, *others = (pyarrow.array(one.run(job.inputs)).cast(pyarrow.large_string()) for one in job.contenders)
    assert len(ours) > 50_000
    assert all(other == ours for other in others)


# --- Usage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["--rounds 0", "--sample 0", "--sizes 3B"])
def test_wrong_usage_has_status_2(given: str) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        command.main(given.split())


def test_a_selection_of_no_row_has_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "no such row"]) == 2
    assert "no row has a match" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["a folder", ""])
def test_the_corpus_may_come_from_the_environment(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORPUS", folder)
    assert command.arguments([]).corpus == (Path(folder) if folder else None)


def test_memory_is_told_for_each_contender(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"x" * (4 << 20))
    # The copy of four mebibytes is counted in addition to the result.
    statement = "copy = bytearray(data); result = len(copy)"
    answer = json.loads(footprint.python("-c", footprint.PROBE, "pass", statement, "decode", str(path)).stdout)
    assert 4 << 20 <= answer["allocated"] < 5 << 20
    if answer["resident"] is not None:
        assert 3 << 20 < answer["resident"] < 6 << 20


def test_import_time_is_that_of_the_package() -> None:
    assert 0 < footprint.import_seconds("import json.decoder", "json") < 5
    assert footprint.import_seconds("import json", "no_such_package") == 0
