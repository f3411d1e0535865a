"""A pytest plugin for the suites of others: whatever imports webencodings or w3lib.encoding gets this package's.

It is loaded before the suite is, in a process of its own; it may run under any version of pytest.
"""

import sys
from importlib import import_module
from importlib.util import find_spec

from whatwg_encoding import w3lib, webencodings

webencodings.install()
if find_spec("w3lib"):
    w3lib.install()

# html5lib's trees of these are optional, and not about encodings: the same tests are to run wherever this does.
sys.modules.update(dict.fromkeys(("genshi", "lxml"), None))  # type: ignore[arg-type]


def pytest_report_header() -> str:
    """The line that tells the two apart: what a suite was run with."""
    import webencodings as imported

    other = import_module("w3lib.encoding").__name__ if find_spec("w3lib") else "missing"
    labels = sys.modules["webencodings.labels"].__name__
    return f"webencodings is {imported.__name__}; {labels} has {len(imported.LABELS)}; w3lib.encoding is {other}"
