# Part of core.pyx: the instruction set that the kernels use.


cdef list simd_names(int best):
    """Return the names of all levels up to the best."""
    cdef list names = []  # filled by a loop: a list comprehension of Cython 3.3 frees an item twice if memory runs out
    cdef int level
    for level in range(best + 1):
        names.append(we_simd_names[level].decode())
    return names


cdef int simd_level() except -1:
    """Return the instruction set that the kernels use: the best one, or the one that WHATWG_ENCODING_SIMD names.

    Raise ImportError if that variable names one that this machine does not have.
    """
    cdef int best = we_simd_best()
    name = os.environ.get("WHATWG_ENCODING_SIMD", "")
    if not name:
        return best
    cdef bytes encoded = name.encode("ascii", "replace")
    cdef int level = we_simd_from_name(encoded, best)
    if level < 0:
        raise ImportError(f"WHATWG_ENCODING_SIMD is {name!r}; this machine has {', '.join(simd_names(best))}")
    return level


def cpu_features():
    """Return the instruction set in use and those available: ``{"simd": name, "available": names}``, slowest first.

    The environment variable ``WHATWG_ENCODING_SIMD``, read when the package is imported, selects one of them.
    """
    return {
        "simd": we_simd_names[ENGINE.simd].decode(),
        "available": tuple(simd_names(we_simd_best())),
    }
