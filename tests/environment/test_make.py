"""The Makefile, with makes and Pythons of many versions."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT

QUOTED = shlex.quote(sys.executable)
PYTHON = f"PYTHON={QUOTED}"
if shutil.which("make") is None:
    pytest.skip("make is not installed", allow_module_level=True)


def make(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # The make that runs the tests, and its options, are none of this one's business.
    inherited = {name: value for name, value in os.environ.items() if "MAKE" not in name and name != "MFLAGS"}
    return subprocess.run(
        ["make", *words], cwd=folder, env=inherited | environment, capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with the Makefile and a .venv that counts as set up, whose programs the tests write."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "build", tmp_path / "build", ignore=shutil.ignore_patterns("_out", "__pycache__"))
    (tmp_path / "pyproject.toml").touch()
    for name in ("src", "generated"):
        (tmp_path / name).mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".installed").touch()
    return tmp_path


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


#: A Python of .venv whose pip fails, as where a module does not compile.
FAILING_PIP = f"""\
case "$*" in
  *pip*) echo "building 'a' extension"; echo broken; exit 1 ;;
  *) exec {QUOTED} "$@" ;;
esac"""


# make 3.81 takes .SHELLFLAGS for a variable like others. With these the variable is as if it were not there.
@pytest.mark.parametrize("flags", [(), (".SHELLFLAGS=-c",)], ids=["make 4", "make 3.81"])
def test_a_failed_compilation_fails(flags: tuple[str, ...], clone: Path) -> None:
    program(clone / ".venv" / "bin" / "python", FAILING_PIP)
    done = make(clone, "build", PYTHON, "WHEEL=a.whl", *flags)
    assert done.returncode == 2
    assert "broken" in done.stderr
    assert "Compiling a, 1 of " in done.stdout
    assert not (clone / ".venv" / ".built").exists()


@pytest.mark.parametrize("quote", ["", "'"])
def test_the_path_of_an_interpreter_may_have_spaces(quote: str, clone: Path) -> None:
    (clone / ".venv" / ".installed").unlink()
    folder = clone / "some folder"
    folder.mkdir()
    program(folder / "python3", f'echo "$0 $1"; exec {QUOTED} -c ""')
    done = make(clone, "npm", f"PYTHON={quote}{folder / 'python3'}{quote}")
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"{folder / 'python3'} build/npm.py"


def old_python() -> str:
    """Return a Python that is too old for the package; skip the test if there is none."""
    names = [*(f"python3.{minor}" for minor in range(6, 11)), "python2.7"]
    folders = [str(path) for path in sorted(Path.home().glob(".pyenv/versions/*/bin"))]
    paths = (shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name) for name in names)
    refused = (path for path in paths if path and not subprocess.run([path, "-c", ""], capture_output=True).returncode)
    return next(refused, None) or pytest.skip("no Python older than 3.11 is installed")


@pytest.mark.parametrize("target", ["generate", "test", "lint", "library", "npm"])
def test_an_old_python_is_told_so(target: str, clone: Path) -> None:
    (clone / ".venv" / ".installed").unlink()
    python = old_python()
    done = make(clone, target, f"PYTHON={shlex.quote(python)}")
    assert done.returncode == 2
    first, *others = done.stderr.splitlines()
    assert first == f"Python 3.11 or newer is required, {python} is not; set it with make PYTHON=python3.x"
    assert all("make" in line for line in others)
