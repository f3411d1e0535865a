"""Say what a release of this commit lacks: ``python build/release.py``; exit with 1 if it lacks anything.

The version, its date in the changelog, its tag, and what README says; an sdist, and a wheel from it for each Python of
this machine that can compile, which is installed alone and passes the tests of the standard; licences in both,
and a bill of materials in the wheels.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import library
import sbom

ROOT = Path(__file__).resolve().parent.parent
LICENCES = ("LICENSE", "LICENSE-WHATWG")
TESTS = ("tests/standard", "tests/streaming")
#: Prints the version and the path of a Python that can compile and test an extension module.
PROBE = """
import ensurepip, os, sys, sysconfig, venv
if sys.version_info >= (3, 11) and os.path.exists(sysconfig.get_path("include") + "/Python.h"):
    free_threaded = "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    print("%d.%d%s %s" % (*sys.version_info[:2], free_threaded, sys.executable))
"""


def run(*command: str | Path, **environment: str) -> str:
    """Return what a command prints, for which its errors count; raise a CalledProcessError if it fails."""
    done = subprocess.run(
        [*map(str, command)], cwd=ROOT, env=os.environ | environment, text=True, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout.strip()


def pythons() -> dict[str, Path]:
    """Return an interpreter for each release of CPython on this machine, this one first."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"), reverse=True)
    folders += sorted(Path.home().glob(".local/share/uv/python/*/bin"), reverse=True)
    interpreters: dict[str, Path] = {}
    for python in (Path(sys.executable), *(path for folder in folders for path in sorted(folder.glob("python3*")))):
        if re.fullmatch(r"python(3(\.\d+t?)?)?", python.name):
            done = subprocess.run([python, "-c", PROBE], capture_output=True, text=True, check=False)
            version, _, path = done.stdout.strip().partition(" ")
            if version:
                interpreters.setdefault(version, Path(path))
    return interpreters


def of_the_commit(version: str) -> Iterator[str]:
    """Yield what the version, the changelog, the tag and the working tree lack."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"the version is {version}, which is none of a release: src/whatwg_encoding/__init__.py"
    heading = next((line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line[:3] == "## "), "")
    dated = re.fullmatch(rf"## {re.escape(version)}\W+(\d{{4}}-\d\d-\d\d)\W*", heading)
    if dated is None:
        yield f"the first section of CHANGELOG.md is {heading!r}, not of {version} with its date, as in 2030-01-31"
    elif datetime.date.fromisoformat(dated[1]) > datetime.datetime.now(datetime.UTC).date():
        yield f"the date of {heading!r} is in the future"
    if "There is no release yet" in (ROOT / "README.md").read_text("utf-8"):
        yield "README.md says that there is no release yet, and not how to install one"
    if run("git", "status", "--porcelain"):
        yield "the working tree has changes: commit them"
    if f"v{version}" not in run("git", "tag", "--points-at", "HEAD").split():
        yield f"this commit has no tag: git tag --sign v{version}"


def of_an_archive(names: list[str], archive: Path) -> Iterator[str]:
    """Yield which licence an archive lacks."""
    for licence in LICENCES:
        if not any(name.endswith(f"/{licence}") for name in names):
            yield f"{archive.name} has no {licence}"


def of_the_files(version: str, folder: Path) -> Iterator[str]:
    """Build an sdist and wheels in a folder, and yield what they lack."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        yield from of_an_archive(archive.getnames(), sdist)
    for name, python in pythons().items():
        print(f"… building and testing with Python {name}", flush=True)
        try:
            (wheel,) = build_wheel(sdist, python, folder / name)
            with zipfile.ZipFile(wheel) as zipped:
                yield from of_an_archive(zipped.namelist(), wheel)
                bills = [entry for entry in zipped.namelist() if entry.endswith(f"/sboms/{sbom.FILE}")]
                if [json.loads(zipped.read(bill))["metadata"]["component"]["version"] for bill in bills] != [version]:
                    yield f"{wheel.name} has no bill of materials of {version}"
            run(folder / name / "venv" / "bin" / "python", "-m", "pytest", "-q", "-n", "auto", *TESTS)
        except subprocess.CalledProcessError as error:
            yield f"Python {name}: {' '.join(error.cmd)} failed:\n{error.stdout[-2000:]}"


def build_wheel(sdist: Path, python: Path, folder: Path) -> list[Path]:
    """Build a wheel of an sdist by a Python, install it alone in a new environment, and return its path."""
    run(python, "-m", "venv", folder / "venv")
    pip = (folder / "venv" / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, sdist)
    wheels = [*folder.glob("*.whl")]
    run(*pip, "install", "--no-index", *wheels)
    run(folder / "venv" / "bin" / "python", "-I", "-c", "import whatwg_encoding as we; we.GBK.decode(b'a')")
    needed = run(sys.executable, "build/requirements.py", "test", "generate").splitlines()
    run(*pip, "install", *needed)
    return wheels


def main() -> int:
    """Print what the release lacks, and return the exit status."""
    version = library.version()
    folder = Path(tempfile.mkdtemp(prefix="release-"))
    try:
        lacks = 0
        for lack in (*of_the_commit(version), *of_the_files(version, folder)):
            lacks += 1
            print(f"{lacks}. {lack}", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"{version}: {lacks} lacking" if lacks else f"{version} can be published: git push --tags")
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
