"""A pytest plugin (``-p tests.machines.plugin``) that deselects kernel tests that are too slow under emulation."""

from __future__ import annotations

import pytest

#: Kernel tests that take minutes under emulation: exhaustive over values that tests/machines/digests.py passes through
#: the package, or tests of the models. Tests of offsets and lengths remain.
SLOW = frozenset(
    {
        "test_decode_long_texts",
        "test_every_byte_at_every_place_of_a_vector",
        "test_every_code_point_through_every_index",
        "test_utf_8_decode_every_three_bytes",
        "test_utf_8_model_is_python",
        "test_utf_16_model_is_python",
    }
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow kernel tests, and those of the scalar level, which is the same C on every machine."""
    kept, left_out = [], []
    for item in items:
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        is_kernel = item.path.parent.name == "kernels"
        is_left_out = is_kernel and (item.originalname in SLOW or "scalar" in parameters)
        (left_out if is_left_out else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept
