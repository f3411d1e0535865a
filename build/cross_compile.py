"""Compile the kernels for the other platforms of the wheels: macOS, Windows, musl.

``python build/cross_compile.py`` compiles the handlers and loops that use them, and tests/machines/levels.c, which
fails to compile without vector instructions, with the Clang of the ``ziglang`` package and, for Windows, also with
clang-cl if clang is installed. Warnings are errors. No compiled program is run.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import library

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "_out" / "cross"
#: Chapters that use each kernel.
CHAPTERS = ("unicode", "single_byte", "japanese", "miscellaneous")
INCLUDE = ("-Isrc/native/kernels", "-Isrc/native/engine", "-Igenerated")
ZIG = [sys.executable, "-m", "ziglang", "cc"]
CLANG_CL = (
    "clang", "--driver-mode=cl", "/c", "/O1", "/W4", "/WX", "/clang:-ffreestanding", "/clang:-Wno-unused-function",
    "-imsvc", "tests/machines/headers",
)  # fmt: skip
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]

#: Clang's targets by ziglang's names.
TARGETS = (
    "aarch64-macos",
    "x86_64-macos",
    "aarch64-windows-gnu",
    "x86_64-windows-gnu",
    "x86-windows-gnu",
    "aarch64-linux-musl",
    "x86_64-linux-musl",
)
#: Targets of clang-cl; tests/machines/headers replace Microsoft's headers.
CLANG_CL_TARGETS = ("x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc", "i686-pc-windows-msvc")


def sources() -> list[str]:
    """Write the C of the chapters' handlers; return all sources, relative, since clang-cl takes "/" for an option."""
    with library.locked(library.SOURCES):
        for chapter in CHAPTERS:
            library.write(library.SOURCES / f"{chapter}.c", library.translate(chapter).text)
    paths = (ROOT / "tests" / "machines" / "levels.c", *(library.SOURCES / f"{chapter}.c" for chapter in CHAPTERS))
    return [path.relative_to(ROOT).as_posix() for path in paths]


def commands() -> dict[str, list[str]]:
    """Return the compile command, without the output file, for each target and source."""
    compile_commands = {}
    for source in sources():
        for target in TARGETS:
            # -O1 inlines, which checks every target attribute, and is much faster than -O3.
            command = [*ZIG, "-target", target, "-O1", *WARNINGS, *INCLUDE, "-c", source]
            compile_commands[f"{target} {Path(source).stem}"] = command
        for target in CLANG_CL_TARGETS if shutil.which("clang") else ():
            command = [*CLANG_CL, f"--target={target}", *INCLUDE, source]
            compile_commands[f"{target} {Path(source).stem}"] = command
    return compile_commands


def check() -> int:
    """Compile all sources for all targets; return the exit status, 1 if a compilation failed."""
    OUT.mkdir(parents=True, exist_ok=True)

    def compile_one(name: str, command: list[str]) -> bool:
        output = OUT / f"{name.replace(' ', '-')}.o"
        to = [f"/Fo{output}"] if "--driver-mode=cl" in command else ["-o", str(output)]
        done = subprocess.run([*command, *to], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{name} does not compile:\n{shlex.join(command)}\n{done.stdout}{done.stderr}", file=sys.stderr)
        return done.returncode == 0

    if shutil.which("clang") is None:
        print("clang is not installed: the kernels are not checked with clang-cl", file=sys.stderr)
    wanted = commands()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = list(pool.map(compile_one, wanted, wanted.values()))
    print(f"{sum(compiled)} of {len(compiled)} compile")
    return 0 if all(compiled) else 1


if __name__ == "__main__":
    sys.exit(check())
