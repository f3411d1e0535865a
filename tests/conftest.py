"""What all tests share: which of them run, and Hypothesis without a deadline.

Without ``--slow`` those that take minutes or gigabytes are left out, and without ``--all`` those that repeat what
others cover: with other instruction sets, in other programs, or for every encoding of a shape.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import hypothesis
import pytest

# A wall-clock bound for each example: a busy machine, a debug build or a sanitizer exceeds it without any mistake.
hypothesis.settings.register_profile("whatwg-encoding", deadline=None)
hypothesis.settings.load_profile("whatwg-encoding")

pytest.register_assert_rewrite("tests.standard.comparison")  # which shows what it compares


#: One encoding for each handler and kernel. The others differ from one of these by a table, which other tests cover.
SHAPES = frozenset({
    "UTF-8", "windows-1251", "windows-1252", "ISO-8859-7", "GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
    "Shift_JIS", "EUC-KR", "replacement", "UTF-16BE", "UTF-16LE", "x-user-defined",
})  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes or gigabytes")
    parser.addoption("--all", action="store_true", help="also run the tests that repeat what others cover")


def pytest_configure(config: pytest.Config) -> None:
    # With --dist loadfile, a worker in the place of one that crashed may wait for ever.
    if getattr(config.option, "maxworkerrestart", "") is None:
        config.option.maxworkerrestart = "0"
    for name in ("no_proxy", "NO_PROXY"):  # the servers of the tests are on this machine
        os.environ[name] = "localhost,127.0.0.1"


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
    left_out = {
        name for name, option in {"slow": "--slow", "repeated": "--all"}.items() if not config.getoption(option)
    }
    chosen = [item for item in items if not any(item.get_closest_marker(name) for name in left_out)]
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
