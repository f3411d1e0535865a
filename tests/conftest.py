"""What all tests share: which of them run, and Hypothesis without a deadline.

There are two tiers: ``test``, the default, needs the packages of ``make test`` and a C compiler, and ``gate`` those of
.ci/run. A file or folder on the command line raises the tier to its own. Without ``--slow`` the tests that take minutes
or gigabytes are left out, and without ``--all`` those that repeat what others cover: with other instruction sets, in
other programs, or for every encoding of a shape.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
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


ABOVE = pytest.StashKey[bool]()
TIERS = ("test", "gate")
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
    parser.addoption("--tier", choices=TIERS, default="test", help="also run what this tier adds to `make test`")
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes or gigabytes")
    parser.addoption("--all", action="store_true", help="also run the tests that repeat what others cover")


def pytest_configure(config: pytest.Config) -> None:
    # With --dist loadfile, a worker in the place of one that crashed may wait for ever.
    if getattr(config.option, "maxworkerrestart", "") is None:
        config.option.maxworkerrestart = "0"
    for name in ("no_proxy", "NO_PROXY"):  # the servers of the tests are on this machine
        os.environ[name] = "localhost,127.0.0.1"


@cache
def tier_of(path: Path) -> str | None:
    """Return ``gate`` for what `make test` leaves out."""
    inside = path.relative_to(TESTS) if path.is_relative_to(TESTS) else Path()
    return "gate" if places(inside) & (GATE | NAMED) else None


def places(inside: Path) -> set[str]:
    """Return the names of a file or folder of tests and of the folders that it is in."""
    return {parent.as_posix() for parent in (inside, *inside.parents)}


@cache
def named(config: pytest.Config) -> list[Path]:
    """Return the files and folders of tests on the command line, but for all tests."""
    paths = (Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args)
    return [path for path in paths if path != TESTS]


@cache
def tier_of_run(config: pytest.Config) -> str:
    """Return the highest of the option's tier and those of the paths on the command line."""
    return max((tier or "test" for tier in (config.getoption("--tier"), *map(tier_of, named(config)))), key=TIERS.index)


def is_above(tier: str | None, config: pytest.Config) -> bool:
    """Return whether a tier is above that of the run."""
    return TIERS.index(tier or "test") > TIERS.index(tier_of_run(config))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import what a higher tier adds nor, if the gate's tests alone are selected, a file that has none of it."""
    tier = tier_of(collection_path)
    is_other = config.option.markexpr == "gate" and collection_path.name.startswith("test_") and tier != "gate"
    inside = collection_path.relative_to(TESTS) if collection_path.is_relative_to(TESTS) else Path()
    is_left_out = bool(places(inside) & NAMED) and not any(
        path == collection_path or path in collection_path.parents or collection_path in path.parents
        for path in named(config)
    )
    is_without = is_other and b"mark.gate" not in collection_path.read_bytes()
    return is_without or is_left_out or is_above(tier, config) or None


def repeats(item: pytest.Item) -> bool:
    """Return whether the test repeats what others cover, by its marker or by the encoding in its parameter ``name``."""
    if item.get_closest_marker("shapes") is None:
        return item.get_closest_marker("repeated") is not None
    return item.callspec.params["name"] not in SHAPES  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)  # before -m selects by these markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if repeats(item):
            item.add_marker("repeated")
        # The nearest marker is the test's own, then its file's.
        marked = next((mark.name for mark in item.iter_markers() if mark.name in TIERS), None)
        tier = marked or tier_of(item.path)
        if tier is not None:
            item.add_marker(tier)
        item.stash[ABOVE] = is_above(tier, config) and not (marked == "gate" and named(config))
    left_out = {
        name for name, option in {"slow": "--slow", "repeated": "--all"}.items() if not config.getoption(option)
    }
    chosen = [
        item for item in items if not any(item.get_closest_marker(name) for name in left_out) and not item.stash[ABOVE]
    ]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
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
