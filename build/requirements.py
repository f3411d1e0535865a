"""Print what pyproject.toml requires to build, and the dependency groups and extras named as arguments: input for pip.

The package itself is left out, so that an environment can be set up before anything is compiled.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def normalize(name: str) -> str:
    """Return the name of a group or an extra as names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def expand(group: str, groups: dict[str, list[Any]], within: tuple[str, ...] = ()) -> list[str]:
    """Return the requirements of a dependency group and of those that it includes (PEP 735).

    Raises SystemExit for an included group that does not exist, a group that includes itself, and an entry that is
    neither a requirement nor an include.
    """
    if group in within:
        raise SystemExit(f"pyproject.toml: dependency groups include each other: {' -> '.join((*within, group))}")
    if group not in groups:
        raise SystemExit(f"pyproject.toml: dependency group {within[-1]!r} includes {group!r}, which does not exist")
    entries: list[str] = []
    for entry in groups[group]:
        if isinstance(entry, str):
            entries.append(entry)
        elif isinstance(entry, dict) and entry.keys() == {"include-group"}:
            entries += expand(normalize(entry["include-group"]), groups, (*within, group))
        else:
            raise SystemExit(f"pyproject.toml: dependency group {group!r} holds {entry!r}")
    return entries


def requirements(names: list[str], pyproject: Path = PYPROJECT) -> list[str]:
    """Return the requirements of the build and of these groups and extras, each once.

    Raises SystemExit for a name of neither, and for groups that are not as PEP 735 has them.
    """
    content = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    groups = {normalize(name): entries for name, entries in content.get("dependency-groups", {}).items()}
    extras = {normalize(name): entries for name, entries in content["project"].get("optional-dependencies", {}).items()}
    known = [*groups, *extras]
    if unknown := [name for name in names if normalize(name) not in known]:
        raise SystemExit(f"pyproject.toml has no group and no extra {', '.join(unknown)}; it has {', '.join(known)}")
    needed: list[str] = [*content["build-system"]["requires"]]
    for name in map(normalize, names):
        needed += expand(name, groups) if name in groups else extras[name]
    return list(dict.fromkeys(needed))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
