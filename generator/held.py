"""Hold emitted modules to the standard's algorithms, and remember which were found to do what these do.

The check runs both item by item, which takes seconds. Its outcome depends on the module, its tables, the algorithms and
the generator, with its records; modules of which all that is the same are not run again.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.model import BUILT, ROOT
from generator.spec import templates
from generator.spec.machine import Machine

if TYPE_CHECKING:
    from generator.emit import Chapter

KNOWN = BUILT / "held"
"""A folder with an empty file for each digest of what was found to hold."""


def check(chapter: Chapter, module: str, header: str, machine: Machine) -> None:
    """Raise a TemplateError if a module does something else than the algorithms."""
    programs = machine.kept("text", lambda: repr(machine.programs))
    known = KNOWN / sha256("\0".join([module, header, programs, _itself()]).encode()).hexdigest()
    if known.exists():
        return
    templates.check(chapter, module, machine)
    with suppress(OSError):  # It is checked again next time.
        KNOWN.mkdir(parents=True, exist_ok=True)
        known.touch()


@cache
def _itself() -> str:
    """Return the source of the generator, which the check and the tables' lookups are part of."""
    return "\0".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "generator").rglob("*.py")))
