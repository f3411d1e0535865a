"""Test the package on AArch64: cross-compiled, under qemu-user, with Debian's CPython.

``python build/emulated.py [PYTEST ARGUMENTS…]``. All files are kept in ``build/_out/aarch64`` and only rebuilt if they
are out of date. The script requires Debian, or a system whose package sources have the architecture's packages. It
installs the cross compiler and the emulator if they are missing and it is run as root.

It runs the tests of the kernels, compiled for the processor, and tests/machines with the emulated interpreter: the core
of the conformance suite. It then compares every pair of bytes, decoded and encoded again, with the package that is
installed for this machine.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: The emulated interpreter and its headers; their dependencies are added.
DEBIAN_PACKAGES = ("python3-minimal", "libpython3-stdlib", "libpython3-dev")
#: The packages that the tests import.
TEST_PACKAGES = ("pytest>=8", "hypothesis>=6.100", "pytest-xdist>=3.8")


#: The names of the architecture: Debian's, GCC's, QEMU's, and the platform of its wheels on PyPI.
DEBIAN, TRIPLET, QEMU, WHEEL = "arm64", "aarch64-linux-gnu", "qemu-aarch64", "manylinux_2_28_aarch64"
#: A processor with NEON but without SVE, which the C library would use and Apple's processors lack.
PROCESSOR = "neoverse-n1"


def run(command: Sequence[str | Path], **options: Any) -> None:
    """Run a command; if it fails, print its output and raise a SystemExit with its status."""
    done = subprocess.run([str(part) for part in command], check=False, cwd=options.pop("cwd", ROOT), **options)
    if done.returncode != 0:
        if isinstance(done.stdout, str):
            sys.stderr.write(done.stdout)
        print(f"failed: {shlex.join(map(str, command))}", file=sys.stderr)
        raise SystemExit(done.returncode)


class Machine:
    """An emulated machine: its folder, the Debian packages unpacked there, and the package compiled for it."""

    def __init__(self) -> None:
        self.folder = ROOT / "build" / "_out" / "aarch64"
        self.root = self.folder / "root"
        self.site = self.folder / "site"
        self.tools = self.folder / "tools"
        self.python = self.folder / "python"

    # --- Setting up ---------------------------------------------------------------------------------------------------

    def setup(self) -> None:
        """Install the missing tools and unpack the emulated CPython, unless it is up to date."""
        self._install_host_packages()
        done = self.folder / "setup.done"
        # Rebuild if the packages or the folder have changed.
        wanted = repr((DEBIAN_PACKAGES, TEST_PACKAGES, str(self.folder)))
        if done.exists() and done.read_text("utf-8") == wanted:
            return
        for folder in (self.root, self.tools):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self._unpack_debian_packages()
        self._write_launcher()
        self._install_test_tools()
        done.write_text(wanted, "utf-8")

    def _install_host_packages(self) -> None:
        programs = {f"{TRIPLET}-gcc": f"gcc-{TRIPLET}", QEMU: "qemu-user"}
        missing = sorted({package for program, package in programs.items() if shutil.which(program) is None})
        if not missing:
            return
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            raise SystemExit(
                f"required Debian packages are missing: {' and '.join(missing)}; install them or run as root"
            )
        run(["apt-get", "update", "-qq"])
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "install", "-y", "-qq", *missing], env=environment, stdout=subprocess.DEVNULL)

    def _unpack_debian_packages(self) -> None:
        """Download and unpack the interpreter and its libraries, with a separate apt state.

        The system's lists of architectures and packages are not changed, and root is not required.
        """
        if shutil.which("apt-get") is None:
            raise SystemExit("apt-get is required, which downloads the emulated interpreter from Debian")
        state = self.folder / "apt"
        for name in ("lists/partial", "archives/partial"):
            (state / name).mkdir(parents=True, exist_ok=True)
        status = state / "status"
        status.touch()
        apt: list[str | Path] = ["apt-get", "-qq", "-o", "APT::Sandbox::User="]
        for option, value in {
            "APT::Architecture": DEBIAN,
            "APT::Architectures": DEBIAN,
            "Dir::State::lists": state / "lists",
            "Dir::State::status": status,
            "Dir::Cache": state,
            "Dir::Cache::archives": state / "archives",
        }.items():
            apt += ["-o", f"{option}={value}"]
        run([*apt, "update"])
        command = [*apt, "install", "--yes", "--download-only", "--no-install-recommends", *DEBIAN_PACKAGES]
        run(command, stdout=subprocess.DEVNULL)
        for package in sorted((state / "archives").glob("*.deb")):
            run(["dpkg-deb", "--extract", package, self.root])
        if not (self.root / "usr" / "bin" / "python3").exists():
            raise SystemExit(f"the package sources of this system have no CPython for {DEBIAN}")
        shutil.rmtree(state)

    def _write_launcher(self) -> None:
        """Write the command that starts the emulated interpreter, also for child processes."""
        interpreter = self.root / "usr" / "bin" / "python3"
        start = f'exec {shlex.join(self.emulator())} {shlex.quote(str(interpreter))} "$@"'
        self.python.write_text(f"#!/bin/sh\n{start}\n", "utf-8")
        self.python.chmod(0o755)
        # The system cannot execute the interpreter's file, so sys.executable is the launcher.
        customize = f"import sys\n\nsys.executable = {str(self.python)!r}\n"
        (self.tools / "sitecustomize.py").write_text(customize, "utf-8")

    def _install_test_tools(self) -> None:
        """Install the packages that the tests import, with wheels for the emulated machine where needed."""
        command: list[str | Path] = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        command += ["--only-binary", ":all:", "--platform", WHEEL, "--python-version", self.version]
        run([*command, "--target", self.tools, *TEST_PACKAGES])

    @property
    def version(self) -> str:
        """The emulated CPython's version, such as ``3.11``."""
        return (self.root / "usr" / "bin" / "python3").readlink().name.removeprefix("python")

    # --- Building -----------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Compile the package for the machine into `site`, except files that are newer than their sources."""
        self.setup()
        headers, python = self.root / "usr" / "include", f"python{self.version}"
        # Before this machine's own headers, which setuptools adds.
        includes = (f"-I{headers / python}", f"-I{headers / TRIPLET / python}", "-idirafter", str(headers))
        environment = os.environ | {
            "CC": shlex.join([*self.compiler(), *includes]),
            "LDSHARED": shlex.join([*self.compiler(), "-shared"]),
            "SETUPTOOLS_EXT_SUFFIX": ".so",
        }
        commands = ("build_py", "--build-lib", self.site,
                    "build_ext", "--build-lib", self.site, "--build-temp", self.folder / "objects")  # fmt: skip
        run([sys.executable, "setup.py", "--quiet", *commands], env=environment)

    def compiler(self) -> list[str]:
        """Return the cross compiler, with ccache if this machine's C compiler uses it."""
        wrapped = shlex.split(os.environ.get("CC", ""))[:1] == ["ccache"]
        return [*(["ccache"] if wrapped else []), f"{TRIPLET}-gcc"]

    # --- Running ------------------------------------------------------------------------------------------------------

    def emulator(self) -> list[str]:
        """Return the command that runs a program of the machine."""
        return [QEMU, "-L", str(self.root), "-cpu", PROCESSOR]

    def environment(self) -> dict[str, str]:
        """Return the environment of an emulated interpreter that imports the package."""
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return inherited | {
            "PYTHONPATH": os.pathsep.join([str(self.site), str(self.tools)]),
            "PYTHONPYCACHEPREFIX": str(self.folder / "pycache"),
            "PYTHONHASHSEED": "0",
            "CC": shlex.join(self.compiler()),
        }

    def test(self, arguments: Sequence[str]) -> None:
        """Run the tests and compare every pair of bytes with this machine; raise a SystemExit if one differs."""
        self.build()
        kernels = {"CC": shlex.join(self.compiler()), "WE_RUN": shlex.join(self.emulator())}
        options = ["-q", "-p", "no:cacheprovider", "--all", "tests/kernels", *arguments]
        run([sys.executable, "-m", "pytest", *options], env={**os.environ, **kernels})
        run([self.python, "-m", "tests.machines", *arguments], env=self.environment())
        pairs = ("-m", "tests.machines.pairs")
        theirs = subprocess.check_output([self.python, *pairs], cwd=ROOT, env=self.environment(), text=True)
        if theirs != subprocess.check_output([sys.executable, *pairs], cwd=ROOT, text=True):
            raise SystemExit("pairs of bytes decode, or encode again, to something else than on this machine")


if __name__ == "__main__":
    Machine().test(sys.argv[1:])
