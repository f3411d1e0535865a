"""The Makefile, with makes and Pythons of many versions, and when it is interrupted."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.programs import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
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


@pytest.mark.parametrize("target", ["fuzz", "cross-compile", "test-windows", "test-engines", ".venv/.installed"])
def test_a_failure_before_a_pipe_is_not_lost(target: str, clone: Path) -> None:
    """That of what lists the requirements."""
    (clone / "build" / "requirements.py").write_text("raise SystemExit('no requirements')\n")
    text = f'case "$*" in *pip*) exec cat >/dev/null ;; *) exec {QUOTED} "$@" ;; esac'
    program(clone / ".venv" / "bin" / "python", text)
    if target.startswith("."):
        (clone / target).unlink()
    done = make(clone, target, PYTHON, "WHEEL=a.whl", ".SHELLFLAGS=-c")
    assert "no requirements" in done.stderr
    assert done.returncode == 2


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
    found = (path for path in paths if path and not subprocess.run([path, "-c", ""], capture_output=True).returncode)
    return next(found, None) or pytest.skip("no Python older than 3.11 is installed")


@pytest.mark.parametrize("target", ["generate", "test", "lint", "library", "wasm", "npm"])
def test_an_old_python_is_told_so(target: str, clone: Path) -> None:
    (clone / ".venv" / ".installed").unlink()
    python = old_python()
    done = make(clone, target, f"PYTHON={shlex.quote(python)}")
    assert done.returncode == 2
    first, *others = done.stderr.splitlines()
    assert first == f"Python 3.11 or newer is required, {python} is not; set it with make PYTHON=python3.x"
    assert all("make" in line for line in others)


@pytest.mark.parametrize("step", ["import", "emit", "compile", "venv"])
def test_an_interrupt_is_neither_a_traceback_nor_a_log(step: str, clone: Path) -> None:
    """As by Ctrl-C, which every process of the terminal gets."""
    wait = "import time; print('building', flush=True); open('started', 'w'); time.sleep(60)"
    waiting = f'exec {QUOTED} -c "{wait}"'
    called = {"import": "", "emit": "*generator*", "compile": "*install*", "venv": "*venv*"}[step]
    script = f'case "$*" in {called}) {waiting} ;; *) exec {QUOTED} "$@" ;; esac'
    if step == "venv":
        (clone / ".venv" / ".installed").unlink()
        program(clone / "python", script)
        words = [".venv/.installed", f"PYTHON={shlex.quote(str(clone / 'python'))}"]
    elif step == "import":
        (clone / "generator").mkdir()
        shutil.copy(ROOT / "generator" / "__main__.py", clone / "generator")
        (clone / "generator" / "verbs.py").write_text("open('started', 'w')\nimport time\ntime.sleep(60)\n")
        (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
        words = ["generate", PYTHON]
    elif step == "emit":
        # The generator itself, on data whose reading waits.
        for name in ("generator", "templates"):
            (clone / name).symlink_to(ROOT / name)
        os.mkfifo(clone / "indexes.json")
        text = f"touch started; exec {QUOTED} -m generator verify --data ."
        program(clone / ".venv" / "bin" / "python", text)
        words = ["generate", PYTHON]
    else:
        program(clone / ".venv" / "bin" / "python", script)
        words = ["build", PYTHON, "WHEEL=a.whl"]
    with subprocess.Popen(
        ["make", *words], cwd=clone, stdout=-1, stderr=-1, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        end = time.monotonic() + 60
        while not (clone / "started").exists() and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(1)  # until it waits
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (clone / "started").exists(), errors
    assert process.returncode
    assert "Traceback" not in errors
    assert [line for line in errors.splitlines() if "make" not in line] == []
    assert "KeyboardInterrupt" not in output
