"""Hold emitted modules to the standard's algorithms, and remember which were found to do what these do.

The check runs both item by item, which takes seconds. Its outcome depends on the module, its tables, the algorithms and
the generator, with its records; modules of which all that is the same are not run again.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.model import BUILT, ROOT
from generator.spec import templates
from generator.spec.machine import Machine

if TYPE_CHECKING:
    from generator.emit import Chapter

KNOWN = BUILT / "held.json"
"""The digests of what was found to hold, the latest last."""

MOST = 100
"""Maximum number of digests that are kept."""


def check(chapter: Chapter, module: str, header: str, machine: Machine) -> None:
    """Raise a TemplateError if a module does something else than the algorithms."""
    programs = machine.kept("text", lambda: repr(machine.programs))
    digest = sha256("\0".join([module, header, programs, _itself()]).encode()).hexdigest()
    known = _known()
    if digest in known:
        return
    templates.check(chapter, module, machine)
    try:
        KNOWN.parent.mkdir(parents=True, exist_ok=True)
        KNOWN.write_text(json.dumps([*known, digest][-MOST:], indent=0), encoding="utf-8")
    except OSError:
        pass  # It is checked again next time.


def _known() -> list[str]:
    try:
        found = json.loads(KNOWN.read_bytes())
    except (OSError, ValueError):
        return []
    return [str(digest) for digest in found] if isinstance(found, list) else []


@cache
def _itself() -> str:
    """Return the source of the generator, which the check and the tables' lookups are part of."""
    return "\0".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "generator").rglob("*.py")))
