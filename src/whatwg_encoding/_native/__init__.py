"""The compiled modules, which alone use Python's C API: ``text``, ``determination``, ``columns``, and the C API.

A module is a folder's .pyx. What it is made of is in .pxd files, each of which says what it has; only classes and
functions of Python, which .pxd files cannot have, are in .pxi files, which its .pyx includes.

The package's Python modules use what is documented here; other programs use the package's public names.
"""
