"""What all tests share: ``--slow`` for those that take minutes or gigabytes, and Hypothesis without a deadline."""

from __future__ import annotations

import hypothesis
import pytest

# A wall-clock bound for each example: a busy machine, a debug build or a sanitizer exceeds it without any mistake.
hypothesis.settings.register_profile("whatwg-encoding", deadline=None)
hypothesis.settings.load_profile("whatwg-encoding")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes or gigabytes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
