"""The compiled modules, which alone use Python's C API: ``text``, ``determination``, ``columns``, and the C API.

The package's Python modules use what is documented here; other programs use the package's public names.
"""
