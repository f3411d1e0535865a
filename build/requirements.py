"""Prints what pyproject.toml requires for building and for the extras named as arguments, a line each: input for pip.

The package itself is not among it, so that an environment can be set up before anything is compiled.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(extras: list[str]) -> list[str]:
    """The requirements of the build and of these extras. A SystemExit names an extra that does not exist."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    known: dict[str, list[str]] = project["project"]["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in known]
    if unknown:
        raise SystemExit(f"no such extra in pyproject.toml: {', '.join(unknown)}; there are {', '.join(known)}")
    build: list[str] = project["build-system"]["requires"]
    return [*build, *(requirement for extra in extras for requirement in known[extra])]


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
