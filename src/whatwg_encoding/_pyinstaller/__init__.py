"""Hooks for PyInstaller, which finds this package by its entry point ``pyinstaller40``.

https://pyinstaller.org/en/stable/hooks.html#provide-hooks-with-package
"""

from __future__ import annotations


def get_hook_dirs() -> list[str]:
    """Return the folder of the hooks."""
    return list(__path__)
