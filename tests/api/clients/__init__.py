"""Test suites of packages that use webencodings, run with this package in its place."""
