"""The common part of the drop-in modules: replace another package's modules, and report modules that still use them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import FunctionType, ModuleType


class ReplacedModules:
    """The modules of one package that are replaced in ``sys.modules``."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._modules: dict[str, ModuleType] = {}
        self._before: dict[str, ModuleType | None] = {}

    def install(self, replacement: str, submodules: Mapping[str, str]) -> None:
        """Make imports find the module ``replacement``; issue a RuntimeWarning that names the users of those replaced.

        ``submodules``: by their names, the names of that module that each has.
        """
        self._modules.setdefault(self._package, sys.modules[replacement])
        for child, names in submodules.items():
            submodule = self._modules.setdefault(f"{self._package}.{child}", ModuleType(f"{self._package}.{child}"))
            vars(submodule).update(
                (attribute, getattr(sys.modules[replacement], attribute)) for attribute in names.split()
            )
        keepers: set[str] = set()
        for name, module in self._modules.items():
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
                stacklevel=3,  # the caller of the module's install()
            )

    def uninstall(self) -> None:
        """Restore the modules that `install` replaced."""
        for name, module in self._before.items():
            _put(name, module)
        self._before.clear()


def _put(name: str, module: ModuleType | None) -> None:
    """Make an import of ``name`` find ``module``; None makes it search again."""
    if module is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = module
    package, _, child = name.rpartition(".")
    if package in sys.modules:  # "import a.b" does not set the attribute if it finds the module in sys.modules
        attributes = vars(sys.modules[package])
        if module is None:
            attributes.pop(child, None)
        else:
            attributes[child] = module


def _keepers(old: ModuleType) -> set[str]:
    """Return the names of the modules with a global that is ``old`` or that it defines."""
    keepers = set()
    for name, module in list(sys.modules.items()):
        # Skip its own package and submodules.
        if not isinstance(module, ModuleType) or f"{old.__name__}.".startswith(f"{name}."):
            continue
        if name.startswith(f"{old.__name__}."):
            continue
        if any(value is old or _home(value) == old.__name__ for value in list(vars(module).values())):
            keepers.add(name)
    return keepers


_CACHED_FUNCTION = type(lru_cache(len))


def _home(value: object) -> object:
    """Return the name of the module of a function, a class or an instance's class, without calling foreign code."""
    kind = type(value)
    if kind is FunctionType or kind is _CACHED_FUNCTION or issubclass(kind, type):
        return value.__module__
    return vars(kind).get("__module__")
