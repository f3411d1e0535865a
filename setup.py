"""Hand setuptools the compiled modules and what a package index shows; the rest is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "build"))  # build/ is no package

import description  # noqa: E402
import extensions  # noqa: E402

address = description.repository()

if __name__ == "__main__":  # not in the processes that translate modules
    setup(
        ext_modules=extensions.modules(),
        cmdclass=extensions.COMMANDS,
        options=extensions.OPTIONS,
        long_description=description.long_description((ROOT / "README.md").read_text(encoding="utf-8"), address),
        long_description_content_type="text/markdown",
        project_urls=description.urls(address),
    )
