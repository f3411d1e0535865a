"""Build the package with sanitizers, separately from the installed one, and run a command that imports that build.

``python build/instrumented.py sanitize|fuzz COMMAND…``; the profiles are those of extensions.py. ``sanitize`` needs
GCC, ``fuzz`` Clang and atheris. The script exits with the command's status.
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
    "detect_leaks": 0,  # The interpreter keeps memory at exit; tests/trust checks for leaks.
    "allocator_may_return_null": 1,  # A failed allocation raises MemoryError, as without the sanitizer.
    "malloc_context_size": 5,  # Frames recorded for each allocation; more are slow.
}
FIXED_FAKE_STACK = 14
"""The first version of GCC whose fake stack is aligned to 64 bytes, as AVX-512 needs: https://gcc.gnu.org/PR110027."""
UBSAN_OPTIONS = {"print_stacktrace": 1, "halt_on_error": 1}
FLAGS = ["-O1", "-g", "-fsanitize=address,undefined,bounds", "-fno-sanitize-recover=all"]
KERNEL_FLAGS = {
    "sanitize": [*FLAGS, "-Wno-clobbered"],  # GCC takes the sanitizers' own variables for some that longjmp changes.
    "fuzz": FLAGS,
}


def compiler(profile: str) -> str:
    """Return the C compiler of a profile, ``CC`` if it is set; raise a SystemExit if it is not installed."""
    name = os.environ.get("CC", "gcc" if profile == "sanitize" else "clang")
    if shutil.which(shlex.split(name)[0]) is None:
        raise SystemExit(f"{profile} needs {name}, which is not installed; set CC to use another")
    return name


def runtime(profile: str, cc: str) -> list[str]:
    """Return the libraries to load before Python, since Python itself is not instrumented."""
    if profile == "fuzz":
        try:
            import atheris  # type: ignore[import-untyped]
        except ImportError:
            raise SystemExit("fuzz needs atheris: pip install atheris") from None
        return [str(Path(atheris.path()) / "asan_with_fuzzer.so")]
    # libstdc++, whose functions AddressSanitizer intercepts even if only an extension module uses C++.
    libraries = []
    for library in ("libasan.so", "libubsan.so", "libstdc++.so.6"):
        command = [*shlex.split(cc), f"-print-file-name={library}"]
        libraries.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        if not Path(libraries[-1]).is_absolute():
            raise SystemExit(f"{cc} has no {library}")
    return libraries


def build(profile: str, cc: str) -> Path:
    """Compile the package into a separate folder; return the folder."""
    target = OUT / profile / "site"
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(target), str(ROOT)]
    environment = os.environ | {"WHATWG_ENCODING_BUILD": profile, "CC": cc, "LDSHARED": f"{cc} -shared"}
    environment.pop("PIP_CONSTRAINT", None)  # of .ci/run: pip installs this folder alone, which has no digest
    subprocess.run(command, check=True, env=environment)
    return target


def detects_use_after_return(profile: str, cc: str) -> bool:
    """Return whether frames can be kept on a fake stack: an older GCC's code would crash there with AVX-512."""
    if profile == "fuzz":
        return True
    command = [*shlex.split(cc), "-dumpversion"]
    version = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(version.partition(".")[0]) >= FIXED_FAKE_STACK


def options(values: dict[str, int]) -> str:
    """Return options in the sanitizers' format."""
    return ":".join(f"{name}={value}" for name, value in values.items())


def main(arguments: list[str]) -> int:
    """Run the command line; return the command's exit status."""
    if len(arguments) < 2 or arguments[0] not in ("sanitize", "fuzz"):
        raise SystemExit((__doc__ or "").strip())
    profile, *command = arguments
    cc = compiler(profile)
    libraries = runtime(profile, cc)
    site = build(profile, cc)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONMALLOC": "malloc",  # Each object is a separate block with guarded edges.
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": options(
            {**ASAN_OPTIONS, "detect_stack_use_after_return": int(detects_use_after_return(profile, cc))}
        ),
        "UBSAN_OPTIONS": options(UBSAN_OPTIONS),
        "WE_KERNEL_CFLAGS": shlex.join(KERNEL_FLAGS[profile]),
        "WHATWG_ENCODING_INSTRUMENTED": profile,
    }
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
