"""A pytest plugin for the suites of others: whatever imports webencodings gets this package's.

It is loaded before the suite is, in a process of its own; it may run under any version of pytest.
"""

import sys

from whatwg_encoding import webencodings

webencodings.install()

# html5lib's trees of these are optional, and not about encodings: the same tests are to run wherever this does.
sys.modules.update(dict.fromkeys(("genshi", "lxml"), None))  # type: ignore[arg-type]


def pytest_report_header() -> str:
    """The line that tells the two apart: what a suite was run with."""
    import webencodings as imported

    return (
        f"webencodings is {imported.__name__}; {sys.modules['webencodings.labels'].__name__} has {len(imported.LABELS)}"
    )
