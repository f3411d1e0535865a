"""Print the requirements in pyproject.toml for building and for the extras given as arguments, one per line, for pip.

The package itself is not included, so that an environment can be set up before compiling.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(extras: list[str]) -> list[str]:
    """Return the requirements of the build and of the extras; raise a SystemExit for an unknown extra."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    known: dict[str, list[str]] = project["project"]["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in known]
    if unknown:
        raise SystemExit(f"no such extra in pyproject.toml: {', '.join(unknown)}; known are {', '.join(known)}")
    build: list[str] = project["build-system"]["requires"]
    return [*build, *(requirement for extra in extras for requirement in known[extra])]


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
