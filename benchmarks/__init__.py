"""Benchmarks of this package and its peers in one run, ``python -m benchmarks`` or ``make bench``: see README.md."""
