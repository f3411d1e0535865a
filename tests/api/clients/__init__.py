"""The test suites of packages that use webencodings, run with this package in place of webencodings."""
