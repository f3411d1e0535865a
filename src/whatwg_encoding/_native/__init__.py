"""The compiled modules, which alone use Python's C API: of text, determination and columns, and the C API.

The stub of each is here; its .pyx is in a folder. What it is made of is there in .pxd files, each of which says what it
has; only classes and functions of Python, which .pxd files cannot have, are in .pxi files, which its .pyx includes.

The package's Python modules use what the stubs have; other programs use the package's public names.
"""
