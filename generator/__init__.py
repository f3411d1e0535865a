"""The generator: from the standard's pinned data to Cython modules. Pure Python, and never part of the wheel."""
