"""Builds the package with sanitizers, apart from the installed one, and runs a command that imports that build.

``python build/instrumented.py sanitize|fuzz COMMAND…``; the profiles are those of extensions.py. ``sanitize`` needs
GCC, ``fuzz`` Clang and atheris. The command's exit status is this script's.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "_out"

ASAN_OPTIONS = {
    "detect_leaks": 0,  # the interpreter keeps memory at exit; tests/trust looks for leaks of ours
    "allocator_may_return_null": 1,  # an allocation that fails is a MemoryError, as without it
    "malloc_context_size": 5,  # frames that are kept of each allocation; more takes most of the time
    "detect_stack_use_after_return": 1,
}
UBSAN_OPTIONS = {"print_stacktrace": 1, "halt_on_error": 1}


def compiler(profile: str) -> str:
    """The C compiler of a profile: ``CC`` if it is set. A SystemExit if there is none."""
    name = os.environ.get("CC", "gcc" if profile == "sanitize" else "clang")
    if shutil.which(shlex.split(name)[0]) is None:
        raise SystemExit(f"{profile} needs {name}, which is not installed; CC names another")
    return name


def runtime(profile: str, cc: str) -> list[str]:
    """The libraries that have to be loaded before Python, since Python itself is not instrumented."""
    if profile == "fuzz":
        try:
            import atheris  # type: ignore[import-untyped]
        except ImportError:
            raise SystemExit("fuzz needs atheris: pip install atheris") from None
        return [str(Path(atheris.path()) / "asan_with_fuzzer.so")]
    # libstdc++, so that AddressSanitizer finds what it wraps even where only an extension module is C++.
    found = []
    for library in ("libasan.so", "libubsan.so", "libstdc++.so.6"):
        command = [*shlex.split(cc), f"-print-file-name={library}"]
        found.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        if not Path(found[-1]).is_absolute():
            raise SystemExit(f"{cc} has no {library}")
    return found


def build(profile: str, cc: str) -> Path:
    """Compiles the package into a folder of its own, which comes back."""
    target = OUT / profile / "site"
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(target), str(ROOT)]
    environment = os.environ | {"WHATWG_ENCODING_BUILD": profile, "CC": cc, "LDSHARED": f"{cc} -shared"}
    subprocess.run(command, check=True, env=environment)
    return target


def options(values: dict[str, int]) -> str:
    """The form that sanitizers read their options in."""
    return ":".join(f"{name}={value}" for name, value in values.items())


def main(arguments: list[str]) -> int:
    """The command's exit status."""
    if len(arguments) < 2 or arguments[0] not in ("sanitize", "fuzz"):
        raise SystemExit((__doc__ or "").strip())
    profile, *command = arguments
    cc = compiler(profile)
    libraries = runtime(profile, cc)
    site = build(profile, cc)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONMALLOC": "malloc",  # each object a block of its own, with guarded edges
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": options(ASAN_OPTIONS),
        "UBSAN_OPTIONS": options(UBSAN_OPTIONS),
        "WE_KERNEL_CFLAGS": "-O1 -g -fsanitize=address,undefined,bounds -fno-sanitize-recover=all",
        "WHATWG_ENCODING_INSTRUMENTED": profile,
    }
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
