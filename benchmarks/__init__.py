"""Side by side with every peer, in one run: ``python -m benchmarks`` (or ``make bench``), explained in README.md."""
