"""A pytest plugin that makes chardet and charset_normalizer resolve to this package.

It is loaded before the suite, in a separate process, under any version of pytest.
"""

from whatwg_encoding import chardet, charset_normalizer

chardet.install()
charset_normalizer.install()


def pytest_report_header() -> str:
    import chardet as one
    import charset_normalizer as other

    return f"chardet is {one.__name__}; charset_normalizer is {other.__name__}"
