"""Include the modules that the package imports by name on first use, which PyInstaller's analysis cannot see."""

from __future__ import annotations

from PyInstaller.utils.hooks import collect_submodules  # type: ignore[import-untyped, import-not-found, unused-ignore]

hiddenimports = collect_submodules("whatwg_encoding", filter=lambda name: "_pyinstaller" not in name)
