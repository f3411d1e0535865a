"""Pass the extension modules to setuptools; all other metadata is in pyproject.toml."""

import importlib.util
from pathlib import Path

from setuptools import setup

_spec = importlib.util.spec_from_file_location("extensions", Path(__file__).parent / "build" / "extensions.py")
assert _spec is not None
assert _spec.loader is not None
extensions = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(extensions)

setup(ext_modules=extensions.modules(), cmdclass=extensions.COMMANDS, options=extensions.OPTIONS)
