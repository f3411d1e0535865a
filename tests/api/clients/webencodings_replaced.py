"""A pytest plugin that makes webencodings and w3lib.encoding resolve to this package.

It is loaded before the suite, in a separate process, under any version of pytest.
"""

import sys
from importlib import import_module
from importlib.util import find_spec

from whatwg_encoding import w3lib, webencodings

webencodings.install()
if find_spec("w3lib"):
    w3lib.install()

# html5lib uses these if they are installed: two for other trees, and chardet to guess, which its tests do not expect of
# recent versions. Without them the same tests run everywhere.
sys.modules.update(dict.fromkeys(("chardet", "genshi", "lxml"), None))  # type: ignore[arg-type]


def pytest_report_header() -> str:
    import webencodings as imported

    other = import_module("w3lib.encoding").__name__ if find_spec("w3lib") else "missing"
    labels = sys.modules["webencodings.labels"].__name__
    return f"webencodings is {imported.__name__}; {labels} has {len(imported.LABELS)}; w3lib.encoding is {other}"
