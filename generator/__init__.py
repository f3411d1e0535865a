"""Generate Cython modules from the pinned data of the standard. Pure Python; not part of the wheel."""
