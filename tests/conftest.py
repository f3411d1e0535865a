"""What all tests share: which of them run, and Hypothesis without a deadline.

`make test` runs what needs its packages and a C compiler alone. ``--gate``, or a file or folder of the gate on the
command line, adds what .ci/run has beside these. Without ``--slow`` the tests that take minutes or gigabytes are left
out, and without ``--all`` those that repeat what others cover: with other instruction sets, in other programs, or for
every encoding of a shape.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest

# A wall-clock bound for each example: a busy machine, a debug build or a sanitizer exceeds it without any mistake.
hypothesis.settings.register_profile("whatwg-encoding", deadline=None)
hypothesis.settings.load_profile("whatwg-encoding")

TESTS = Path(__file__).resolve().parent
pytest.register_assert_rewrite("tests.standard.comparison")  # which shows what it compares


#: One encoding for each handler and kernel. The others differ from one of these by a table, which other tests cover.
SHAPES = frozenset({
    "UTF-8", "windows-1251", "windows-1252", "ISO-8859-7", "GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
    "Shift_JIS", "EUC-KR", "replacement", "UTF-16BE", "UTF-16LE", "x-user-defined",
})  # fmt: skip

#: Files and folders of the gate, which need its packages or programs, or long. Single tests that need nothing more but
#: are long have it as a marker: they also run where a file or a folder of theirs is named.
GATE = {
    "api/clients", "api/test_codec_clients.py", "api/test_libraries.py", "api/test_w3lib.py",
    "api/test_webencodings.py", "arrow/test_exchange.py", "benchmarks/test_doors.py", "capi/test_changing_source.py",
    "capi/test_columns.py", "capi/test_examples.py", "capi/test_library.py", "capi/test_sqlite.py",
    "cli/test_shells.py", "compilation", "detectors", "docs", "environment/test_git.py", "explorer",
    "generator/test_accept.py", "generator/test_attacks.py",
    "generator/test_diff.py", "generator/test_spec_verbs.py", "generator/test_tables.py", "mail/test_recipes.py", "mcp",
    "npm", "sniff/test_recipes.py", "trust/test_bundles.py", "trust/test_distribution.py", "trust/test_signals.py",
    "typing",
}  # fmt: skip
#: What runs only where it is named, since it needs other packages or machines, or compiles the package from other data.
NAMED = {
    "benchmarks/test_accuracy.py", "benchmarks/test_benchmarks.py", "engines", "machines/test_pyodide.py", "peers",
    "regenerate",
}  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--gate", action="store_true", help="also run what .ci/run adds to `make test`")
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes or gigabytes")
    parser.addoption("--all", action="store_true", help="also run the tests that repeat what others cover")


def pytest_configure(config: pytest.Config) -> None:
    # With --dist loadfile, a worker in the place of one that crashed may wait for ever.
    if getattr(config.option, "maxworkerrestart", "") is None:
        config.option.maxworkerrestart = "0"
    for name in ("no_proxy", "NO_PROXY"):  # the servers of the tests are on this machine
        os.environ[name] = "localhost,127.0.0.1"


@cache
def places(path: Path) -> set[str]:
    """Return the names, in the folder of the tests, of a file or folder and of those that it is in."""
    inside = path.relative_to(TESTS) if path.is_relative_to(TESTS) else Path()
    return {parent.as_posix() for parent in (inside, *inside.parents)}


def is_of_the_gate(path: Path) -> bool:
    """Return whether `make test` leaves out all of a file or folder."""
    return bool(places(path) & (GATE | NAMED))


@cache
def named(config: pytest.Config) -> list[Path]:
    """Return the files and folders of tests on the command line, but for all tests."""
    paths = (Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args)
    return [path for path in paths if path != TESTS]


@cache
def runs_the_gate(config: pytest.Config) -> bool:
    """Return whether an option or a path on the command line asks for files of the gate."""
    return config.getoption("--gate") or any(map(is_of_the_gate, named(config)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files of the gate nor, if its tests alone are selected, a file that has none of it."""
    if places(collection_path) & NAMED and not any(
        path == collection_path or path in collection_path.parents or collection_path in path.parents
        for path in named(config)
    ):
        return True
    if is_of_the_gate(collection_path):
        return None if runs_the_gate(config) else True
    is_without = collection_path.name.startswith("test_") and b"mark.gate" not in collection_path.read_bytes()
    return (config.option.markexpr == "gate" and is_without) or None


def repeats(item: pytest.Item) -> bool:
    """Return whether the test repeats what others cover, by its marker or by the encoding in its parameter ``name``."""
    if item.get_closest_marker("shapes") is None:
        return item.get_closest_marker("repeated") is not None
    return item.callspec.params["name"] not in SHAPES  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)  # before -m selects by these markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {
        name for name, option in {"slow": "--slow", "repeated": "--all"}.items() if not config.getoption(option)
    }
    if not runs_the_gate(config) and not named(config):
        left_out.add("gate")  # the markers of single tests: files were not collected
    for item in items:
        if repeats(item):
            item.add_marker("repeated")
        if is_of_the_gate(item.path):
            item.add_marker("gate")
    chosen, others = [], []
    for item in items:
        (others if any(map(item.get_closest_marker, left_out)) else chosen).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = chosen


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep modules and tests out of garbage collection, which would traverse them all each time it runs."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    """Register the codecs web-<label> for the tests of a module."""
    import whatwg_encoding as we  # tests of the generator run before it is compiled

    we.register_codecs()
    yield
    we.unregister_codecs()
