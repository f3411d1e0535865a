"""Build a wheel for Pyodide, Python in WebAssembly, in dist/, without Emscripten's compiler.

It needs Clang and LLD (``CLANG``, ``WASM_LD``), the headers of a C library (Debian's wasi-libc), and npm, which brings
Pyodide: the release of `RELEASES` that has this interpreter's version of Python, whose own headers serve. The modules
refer to the symbols of Pyodide's main module, as Emscripten's side modules do.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import extensions
import library
import wasm
from setuptools import Extension

OUT: Final = library.ROOT / "build" / "_out" / "pyodide"
LIBC: Final = Path(os.environ.get("WASM_LIBC") or "/usr/include/wasm32-wasi")
FLAGS: Final = (
    "--target=wasm32-unknown-emscripten", "-D__EMSCRIPTEN__", "-D__wasi__", "-nostdlibinc", "-fPIC",
    "-fvisibility=hidden", "-O2", "-g0", "-msimd128", "-mbulk-memory", "-DNDEBUG", "-w",
)  # fmt: skip
LINKS: Final = (
    "-shared", "--experimental-pic", "--no-entry", "--strip-debug", "--allow-undefined", "--import-undefined",
)  # fmt: skip


RELEASES: Final = {
    (3, 11): ("0.25.1", "emscripten_3_1_46_wasm32"),
    (3, 12): ("0.27.7", "pyodide_2024_0_wasm32"),
    (3, 13): ("0.29.0", "pyodide_2025_0_wasm32"),
}
"""Of each version of Python, the release of Pyodide that has it, and the tag of the platform of its wheels."""


def release() -> tuple[str, str]:
    """Return the release that has this interpreter's version of Python, and the tag of its wheels."""
    known_release = RELEASES.get(sys.version_info[:2])
    if known_release is None:
        known = ", ".join(f"{major}.{minor}" for major, minor in RELEASES)
        raise library.BuildError(
            f"no known Pyodide has Python {sys.version_info[0]}.{sys.version_info[1]}: use {known}"
        )
    return known_release


def installed(out: Path) -> Path:
    """Return the folder of Pyodide, which npm installs unless it is there."""
    version, _ = release()
    folder = out / version
    package = folder / "node_modules" / "pyodide"
    if not (package / "python_stdlib.zip").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        library.run(*command, "--prefix", folder, f"pyodide@{version}")
    return package


def variables(package: Path) -> dict[str, object]:
    """Return the configuration of Pyodide's Python."""
    with zipfile.ZipFile(package / "python_stdlib.zip") as stdlib:
        (name,) = (name for name in stdlib.namelist() if name.startswith("_sysconfigdata"))
        names: dict[str, dict[str, object]] = {}
        exec(stdlib.read(name), names)
    return names["build_time_vars"]


def write_headers(configuration: dict[str, object], folder: Path) -> None:
    """Copy the interpreter's headers, with a pyconfig.h that has Pyodide's configuration."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("include"), folder)
    text = Path(sysconfig.get_config_h_filename()).read_text(encoding="utf-8")

    def line(match: re.Match[str]) -> str:
        name, value = match[1], configuration.get(match[1])
        if not isinstance(value, int):
            return match[0] if value is None or isinstance(value, str) else ""
        return f"#define {name} {value}" if value else f"#undef {name}"

    pattern = r"^(?:#define (\w+)(?: .*)?|/\* #undef (?:\w+) \*/)$"
    text = re.sub(pattern, lambda match: line(match) if match[1] else match[0], text, flags=re.MULTILINE)
    # The C library of the headers has no threads, as Python's for a single thread.
    text += "#undef HAVE_PTHREAD_H\n#define HAVE_PTHREAD_STUBS 1\n"
    (folder / "pyconfig.h").write_text(text, encoding="utf-8")


def build_modules(suffix: str, out: Path) -> None:
    """Compile and link the modules into the folder of a package."""
    translated = extensions.translate(extensions.modules())
    includes = [f"-I{folder}" for folder in (OUT / "include", *extensions.INCLUDE)]
    macros = [f"-D{name}={value}" for name, value in extensions.MACROS]

    def build_one(module: Extension) -> None:
        target = out.joinpath(*module.name.split(".")[:-1], module.name.rpartition(".")[2] + suffix)
        object_file = OUT / "objects" / f"{module.name}.o"
        object_file.parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        options = [*FLAGS, f"-isystem{LIBC}", *includes, *macros]
        library.run(*wasm.clang(), *options, "-c", *module.sources, "-o", object_file)
        entry = f"PyInit_{module.name.rpartition('.')[2]}"
        library.run(*wasm.linker(), *LINKS, f"--export={entry}", object_file, "-o", target)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build_one, translated))


def build() -> Path:
    """Return the wheel."""
    if not (LIBC / "stdio.h").exists():
        raise library.BuildError(f"{LIBC} has no headers: apt-get install wasi-libc, or set WASM_LIBC")
    configuration = variables(installed(OUT))
    write_headers(configuration, OUT / "include")
    tree, dist = OUT / "tree", OUT / "dist"
    for folder in (tree, dist):
        shutil.rmtree(folder, ignore_errors=True)
    os.chdir(library.ROOT)
    build_modules(str(configuration["EXT_SUFFIX"]), tree)
    # The modules are there: setuptools only adds the Python files and packs all.
    (OUT / "setup.cfg").write_text(f"[build]\nbuild_lib = {tree}\n", encoding="utf-8")
    os.environ["DIST_EXTRA_CONFIG"] = str(OUT / "setup.cfg")
    _, platform = release()
    pack = ["bdist_wheel", "--skip-build", "--plat-name", platform, "--dist-dir", str(dist)]
    library.run(sys.executable, "setup.py", "--quiet", "build_py", *pack)
    (wheel,) = dist.glob("*.whl")
    (library.ROOT / "dist").mkdir(exist_ok=True)
    return Path(shutil.copy(wheel, library.ROOT / "dist"))


def main() -> str:
    """Build the wheel; return where it is."""
    wheel = build()
    return f"{wheel.relative_to(library.ROOT)}: {wheel.stat().st_size:,} bytes"


if __name__ == "__main__":
    sys.exit(library.outcome(main))
