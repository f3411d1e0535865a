"""What the drop-in modules share: to stand in ``sys.modules`` for another package's, and to tell who came before."""

from __future__ import annotations

import sys
import warnings
from functools import lru_cache
from types import FunctionType, ModuleType

TYPE_CHECKING = False  # type checkers take a name spelt like this for true; typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Mapping


class ReplacedModules:
    """The modules of one package that others stand for."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._before: dict[str, ModuleType | None] = {}

    def install(self, modules: Mapping[str, ModuleType]) -> None:
        """Put ``modules`` in ``sys.modules``; warn of what keeps the ones that were there."""
        keepers: set[str] = set()
        for name, module in modules.items():
            before = sys.modules.get(name)
            if before is module:
                continue
            self._before.setdefault(name, before)
            if before is not None:
                keepers |= _keepers(before)
            _put(name, module)
        if keepers:
            warnings.warn(
                f"imported {self._package} before install() was called, and still use what they imported: "
                f"{', '.join(sorted(keepers))}. Call install() before they are imported",
                RuntimeWarning,
                stacklevel=3,  # who called the function that calls this
            )

    def uninstall(self) -> None:
        """Put back what was there before."""
        for name, module in self._before.items():
            _put(name, module)
        self._before.clear()


def _put(name: str, module: ModuleType | None) -> None:
    """Have an import of ``name`` find a module, or look for it again."""
    if module is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = module
    package, _, child = name.rpartition(".")
    if package in sys.modules:  # "import a.b" does not bind what it finds in sys.modules
        attributes = vars(sys.modules[package])
        if module is None:
            attributes.pop(child, None)
        else:
            attributes[child] = module


def _keepers(old: ModuleType) -> set[str]:
    """Return the names of the modules that hold ``old``, or what it defines, as a global."""
    keepers = set()
    for name, module in list(sys.modules.items()):
        # Its own package and submodules do not count.
        if not isinstance(module, ModuleType) or f"{old.__name__}.".startswith(f"{name}."):
            continue
        if name.startswith(f"{old.__name__}."):
            continue
        if any(value is old or _home(value) == old.__name__ for value in list(vars(module).values())):
            keepers.add(name)
    return keepers


_CACHED_FUNCTION = type(lru_cache(len))


def _home(value: object) -> object:
    """Return the module of a function or a class, or of an instance's class; asks no object of another package."""
    kind = type(value)
    if kind is FunctionType or kind is _CACHED_FUNCTION or issubclass(kind, type):
        return value.__module__
    return vars(kind).get("__module__")
