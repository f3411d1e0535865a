"""The wheel for Pyodide, in Node: the same results as here, and the tests of encodings, sniffing and MIME types."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT, run
from tests.requirements import missing

REQUIRED = "WHATWG_ENCODING_REQUIRE_PYODIDE"
PURE = ("_pytest", "attr", "iniconfig", "packaging", "pluggy", "pygments", "pytest", "sortedcontainers")
"""What pytest and the tests import, without compiled modules."""

HYPOTHESIS = "hypothesis==6.112.1"
"""The last ones have compiled modules, which are for this machine."""

pytestmark = [
    pytest.mark.repeated,
    pytest.mark.skipif(sys.platform != "linux", reason="the wheel for Pyodide is built on Linux"),
]


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """Return the folder of Pyodide, the wheel, and a folder of the tests with what they import."""
    for program in ("node", "npm", "clang", "wasm-ld"):
        if shutil.which(program) is None:
            missing(f"{program} is not installed", REQUIRED)
    if not Path("/usr/include/wasm32-wasi").exists():
        missing("wasi-libc is not installed", REQUIRED)
    wheel = run(sys.executable, ROOT / "build" / "pyodide.py").splitlines()[-1].partition(":")[0]
    (folder,) = (ROOT / "build" / "_out" / "pyodide").glob("*/node_modules/pyodide")
    project = tmp_path_factory.mktemp("project")
    for name in ("tests", "generator", "data", "build"):
        (project / name).mkdir()
    for name in ("tests", "generator", "data", "generated", "spec"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, project / name, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__", "*.pyx"))  # fmt: skip
    shutil.copy(ROOT / "pyproject.toml", project)
    site = Path(pytest.__file__).parents[1]
    for name in PURE:
        if (site / name).is_dir():
            shutil.copytree(site / name, project / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(site / "py.py", project)
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", project, HYPOTHESIS)
    return str(folder), str(ROOT / wheel), project


def run_there(pyodide: tuple[str, str, Path], file: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    folder, wheel, project = pyodide
    command = ["node", str(ROOT / "tests" / "machines" / "pyodide.mjs"), folder, wheel, str(project), file, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_pair_of_bytes(pyodide: tuple[str, str, Path]) -> None:
    there = run_there(pyodide, "tests/machines/pairs.py")
    assert (there.stdout, there.stderr) == (run(sys.executable, "-m", "tests.machines.pairs", cwd=ROOT), "")


@pytest.mark.parametrize(
    ("chosen", "files"),
    [
        ("", ("tests/standard/test_04_encodings.py", "tests/standard/test_04_objects.py")),
        ("vectors or byte_by_byte", ("tests/standard/test_handlers.py", "tests/streaming/test_decoders.py")),
        # Without what asks chardetng, a detector that is not made for Pyodide.
        ("not chardetng and not tests_web",
         ("tests/sniff/test_mime.py", "tests/sniff/test_determination.py", "tests/sniff/test_vectors.py")),
    ],
)  # fmt: skip
def test_tests(chosen: str, files: tuple[str, ...], pyodide: tuple[str, str, Path]) -> None:
    done = run_there(pyodide, "pytest/__main__.py", "-q", "-s", "-p", "no:cacheprovider", "-k", chosen, *files)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
    assert " failed" not in done.stdout
