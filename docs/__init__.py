"""The documentation: its sources, and the generators of data pages. `python -m docs` builds it."""
