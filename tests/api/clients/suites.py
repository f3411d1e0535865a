"""Fetch source distributions, each pinned by its hash, and run their test suites.

Everything is fetched once, into build/_out/clients. pip uses whichever package index it is configured for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3] / "build" / "_out" / "clients"
PLUGINS = Path(__file__).parent


@dataclass(frozen=True)
class Suite:
    """A released source distribution with tests."""

    requirement: str
    sha256: str
    backend: str
    """What pip needs to read the metadata of it."""
    tests: str
    environment: tuple[str, ...] = ()
    """What the tests need that is too old to be in the environment of this project."""
    arguments: tuple[str, ...] = ()
    plugin: str = "webencodings_replaced"
    """What replaces modules before the tests are imported."""

    @property
    def folder(self) -> Path:
        return ROOT / self.requirement.replace("==", "-")

    @property
    def source(self) -> Path:
        return self.folder / self.folder.name


SUITES = {
    "tinycss2": Suite(
        "tinycss2==1.5.1", "d339d2b616ba90ccce58da8495a78f46e55d4d25f9fd71dfd526f07e7d53f957", "flit_core<4", "tests"
    ),
    # Its tests are written for pytest 5, whose assertion rewriting does not support Python 3.11.
    "html5lib": Suite(
        "html5lib==1.1",
        "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f",
        "setuptools<81",
        "html5lib/tests",
        ("setuptools<81", "pytest==5.4.3", "pytest-expect==1.1.0", "mock==5.2.0", "six==1.17.0"),
        ("--assert=plain", "-p", "pytest_expect.expect", "-W", "ignore"),
    ),
    # The tests of webencodings itself. One of them expects names of Python's codecs that differ here.
    "webencodings": Suite(
        "webencodings==0.6.1",
        "565f9ad031c702dae404e27a099e3e09186a3ab1b9520f06d215502b651fd910",
        "flit_core<4",
        "tests",
        arguments=("-c", "pyproject.toml", "--deselect", "tests/test_webencodings.py::test_remapping"),
    ),
    # The tests of w3lib.encoding itself.
    "w3lib": Suite(
        "w3lib==2.5.0",
        "a7ddf714508ddc1b8563bd19ace2feb28080bbaca39326cbc964359f6754f615",
        "hatchling<2",
        "tests/test_encoding.py",
    ),
    # The tests of chardet's interface, of short texts and of the IANA registry's names. Those left out prefer an ISO
    # encoding to the code page of Windows that gives the same text, and expect a warning for an import.
    "chardet": Suite(
        "chardet==7.7.0",
        "0ba38a05201b0abf7570c12d8af45c30b2af835bd5cc52bfc7105082eda82c1e",
        "hatchling<2 hatch-vcs<1",
        "tests/test_api.py tests/test_detector.py tests/test_enums.py tests/test_roundtrip_short.py "
        "tests/test_spec_iana.py",
        arguments=(
            *("--deselect", "tests/test_api.py::test_encoding_era_excludes_legacy"),
            *("--deselect", "tests/test_api.py::test_detect_all_prefer_superset_lists_each_name_once"),
            *("--deselect", "tests/test_api.py::test_universaldetector_compat_import"),
        ),
        plugin="detectors_replaced",
    ),
    # Its tests but those of its command line and of the measures inside its detector. Those left out: a Spanish text
    # whose letters are as likely in Galician, and bytes that may be UTF-16.
    "charset_normalizer": Suite(
        "charset_normalizer==3.5.3",
        "a250888753faa289e2997962fbb17c4960cbdb58575533ca6fceee68c224bdff",
        "setuptools>=68,<84.3",
        " ".join(
            f"tests/test_{name}.py"
            for name in (
                "base_detection", "detect_legacy", "edge_case", "full_detection", "isbinary", "large_payload",
                "logging", "preemptive_detection", "thread_safety",
            )
        ),
        arguments=(
            *(
                "--deselect",
                "tests/test_full_detection.py::test_elementary_detection[sample-spanish.txt-utf_8-Spanish]",
            ),
            *("--deselect", "tests/test_isbinary.py::test_isbinary[raw0-True]"),
        ),
        plugin="detectors_replaced",
    ),
}  # fmt: skip


def pip(*arguments: str | Path, **environment: str) -> None:
    """Run pip. Raise RuntimeError with pip's output if it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{result.stderr}")


def fetch(suite: Suite) -> None:
    """Fetch and unpack a suite. The folder appears only once it is complete."""
    if suite.folder.exists():
        return
    folder = suite.folder.with_name(f"{suite.folder.name}.{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        pip("install", "--target", folder / "backend", *suite.backend.split())
        requirements = folder / "requirements.txt"
        requirements.write_text(f"{suite.requirement} --hash=sha256:{suite.sha256}\n")
        options = ("--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes")
        pip("download", *options, "-d", folder, "-r", requirements, PYTHONPATH=str(folder / "backend"))
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        if suite.environment:
            pip("install", "--target", folder / "environment", *suite.environment)
        folder.rename(suite.folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def run(suite: Suite) -> tuple[dict[str, int], str]:
    """Run a suite with modules replaced. Return the number of tests by outcome, and pytest's output."""
    paths = [suite.folder / "environment", PLUGINS]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
    }
    options = ("-p", suite.plugin, "-p", "no:cacheprovider", "-o", "console_output_style=classic")
    command = [sys.executable, "-m", "pytest", *options, *suite.arguments, *suite.tests.split()]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=suite.source, timeout=600)
    summary = result.stdout.rstrip().rsplit("\n", 1)[-1]
    counts = {outcome: int(count) for count, outcome in re.findall(r"(\d+) ([a-z]+)", summary)}
    return counts, result.stdout + result.stderr
