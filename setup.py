"""Hand setuptools the compiled modules and what a package index shows; the rest is in pyproject.toml."""

import importlib.util
from pathlib import Path
from types import ModuleType

from setuptools import setup

ROOT = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    """Import a module of build/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "build" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


extensions = load("extensions")
description = load("description")
address = description.repository()

setup(
    ext_modules=extensions.modules(),
    cmdclass=extensions.COMMANDS,
    options=extensions.OPTIONS,
    long_description=description.long_description((ROOT / "README.md").read_text(encoding="utf-8"), address),
    long_description_content_type="text/markdown",
    project_urls=description.urls(address),
)
