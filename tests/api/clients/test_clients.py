"""The suites of other packages pass with this package in place of webencodings, w3lib's encodings and two detectors."""

from __future__ import annotations

import pytest

import whatwg_encoding as we
from tests.api.clients.suites import SUITES, fetch, run

#: The number of tests that pass with the packages themselves, too. None fails with either.
PASSED = {
    "tinycss2": 16968, "html5lib": 17081, "webencodings": 10, "w3lib": 61, "chardet": 426, "charset_normalizer": 163,
}  # fmt: skip


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.repeated
def test_the_suite_passes(name: str) -> None:
    suite = SUITES[name]
    try:
        fetch(suite)
    except RuntimeError as error:
        pytest.fail(f"{suite.requirement} cannot be fetched. {error}")
    counts, output = run(suite)
    if suite.plugin == "detectors_replaced":
        replaced = ("chardet", "charset_normalizer")
        assert all(f"{module} is whatwg_encoding.{module}" in output for module in replaced), output[-2000:]
    else:
        labels = f"webencodings is whatwg_encoding.webencodings; webencodings.labels has {len(we.LABELS)}"
        assert labels in output, output[-2000:]
    if name == "w3lib":
        assert "w3lib.encoding is whatwg_encoding.w3lib" in output, output[-2000:]
    assert counts.get("failed", 0) == counts.get("errors", 0) == counts.get("error", 0) == 0, output[-5000:]
    assert counts["passed"] == PASSED[name], output[-2000:]
