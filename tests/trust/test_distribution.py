"""Distributions: the files of the wheel, a reproducible sdist, and locked requirements for CI."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DATE = "1700000000"

COMPILED = {
    *("_core", "_labels", "_prescan", "_unicode", "_single_byte", "_miscellaneous"),
    *("_chinese_simplified", "_chinese_traditional", "_japanese", "_korean"),
    "_arrow",
}
PYTHON = {
    *("__init__", "__main__", "_cli", "_codecs", "_contexts", "_hooks", "_inspect", "_results", "_sniff_cli", "_text"),
    *("_checkout", "_pointers"),
    "arrow",
    *("contexts", "mime", "sniff", "urls", "webencodings"),
}
STUBS = {"_arrow", "_core", "_labels", "_prescan"}
METADATA = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "top_level.txt"}
LICENSES = {"licenses/LICENSE", "licenses/LICENSE-WHATWG"}
# Files that installers add to those of a wheel.
INSTALLED = {"INSTALLER", "REQUESTED", "direct_url.json"}


def installed_files() -> list[str]:
    """Return the files of the installed distribution, by its wheel's RECORD, without those of the installer."""
    files = importlib.metadata.files("whatwg-encoding")
    if files is None or any(".." in file.parts and file.name.endswith(".py") for file in files):
        pytest.skip("whatwg-encoding is not installed from a wheel")
    return [file.as_posix() for file in files if "__pycache__" not in file.parts]


@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="the instrumented build is not a distribution")
def test_the_wheel_holds_these_files_and_no_others() -> None:
    """The wheel holds what is needed to import it and its licences: no templates, generator, tests, C or data."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    version = importlib.metadata.version("whatwg-encoding")
    package = {
        *(f"whatwg_encoding/{name}{suffix}" for name in COMPILED),
        *(f"whatwg_encoding/{name}.py" for name in PYTHON),
        *(f"whatwg_encoding/{name}.pyi" for name in STUBS),
        "whatwg_encoding/py.typed",
    }
    info = f"whatwg_encoding-{version}.dist-info"
    files = installed_files()
    scripts = [file for file in files if PurePosixPath(file).stem == "whatwg-encoding" and ".." in file]
    assert len(scripts) == 1
    found = set(files) - set(scripts)
    expected = package | {f"{info}/{name}" for name in METADATA | LICENSES}
    assert found - {f"{info}/{name}" for name in INSTALLED} == expected


@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="the instrumented build is not a distribution")
def test_the_wheel_names_no_path_of_the_machine_that_built_it() -> None:
    for file in importlib.metadata.files("whatwg-encoding") or []:
        if file.suffix in (".so", ".pyd", ".py", ".pyi") and "__pycache__" not in file.parts:
            content = Path(str(file.locate())).read_bytes()
            for path in (str(ROOT), str(Path(tempfile.gettempdir()) / "")):
                assert path.encode() not in content, f"{file} holds {path}"


@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="the instrumented build is not a distribution")
@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_the_modules_have_no_run_path() -> None:
    """No library search path refers to a folder of the build machine, which might hold other libraries."""
    modules = [file for file in importlib.metadata.files("whatwg-encoding") or [] if file.suffix == ".so"]
    for file in modules:
        command = ["readelf", "--dynamic", "--wide", str(file.locate())]
        dynamic = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        assert dynamic.stdout.lstrip().startswith("Dynamic section")
        assert not re.search(r"\((RUNPATH|RPATH)\)", dynamic.stdout), file
    if sys.platform == "linux":
        assert len(modules) == len(COMPILED)


def make_sdist(source: Path, target: Path) -> Path:
    """Build an sdist of the tree in ``source`` in a separate process and return its path."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": DATE, "TZ": "UTC" if target.name == "first" else "Asia/Tokyo"}
    environment.pop("WHATWG_ENCODING_BUILD", None)
    command = [sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(target)]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (made,) = target.iterdir()
    return made


def copy_of_the_tree(target: Path) -> Path:
    """Return a copy of the source tree without build output."""
    target.mkdir()
    for name in ("build", "generated", "src"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("_out", "__pycache__", "*.so"))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copyfile(path, target / path.name)
    return target


def test_the_sdist_is_reproducible(tmp_path: Path) -> None:
    """Two trees with the same files but other dates, order and location give the same bytes."""
    first = copy_of_the_tree(tmp_path / "one")
    second = copy_of_the_tree(tmp_path / "a longer name")
    for number, path in enumerate(sorted(second.rglob("*"), reverse=True)):
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
    archives = [make_sdist(first, tmp_path / "first"), make_sdist(second, tmp_path / "second")]
    digests = {hashlib.sha256(archive.read_bytes()).hexdigest() for archive in archives}
    assert len(digests) == 1

    with tarfile.open(archives[0]) as archive:
        members = archive.getmembers()
    assert [member.name for member in members] == sorted(member.name for member in members)
    assert {(member.uid, member.gid, member.uname, member.gname, member.mtime) for member in members} == {
        (0, 0, "", "", int(DATE))
    }
    inside = {member.name.partition("/")[2] for member in members}
    sources = {
        path.relative_to(first).as_posix()
        for folder in ("generated", "src")
        for path in (first / folder).rglob("*")
        if path.is_file()
    }
    others = {
        "setup.py",
        "pyproject.toml",
        "build/extensions.py",
        "MANIFEST.in",
        "LICENSE",
        "LICENSE-WHATWG",
        "README.md",
    }
    assert sources | others <= inside
    assert all(name.split("/")[0] in ("generated", "src", "build") for name in inside if "/" in name)


LOCKS = sorted((ROOT / "build").glob("*.lock"))


def locked(lock: Path = ROOT / "build" / "requirements.lock") -> dict[str, tuple[str, list[str]]]:
    """Return name → version and hashes from a file of locked requirements."""
    entries: dict[str, tuple[str, list[str]]] = {}
    for entry in re.split(r"\n(?=\S)", lock.read_text(encoding="ascii")):
        match = re.match(r"([a-z0-9._-]+)==(\S+)(.*)", entry, re.DOTALL)
        if match:
            entries[match[1]] = match[2], re.findall(r"--hash=sha256:([0-9a-f]{64})", match[3])
        else:
            assert entry.startswith("#") or not entry.strip(), entry
    return entries


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_requirements_are_locked_with_hashes(lock: Path) -> None:
    """The tools that build, pack and test wheels are pinned with the digests of their files."""
    entries = locked(lock)
    assert entries
    for name, (version, hashes) in entries.items():
        assert re.fullmatch(r"[0-9][0-9a-z.]*", version), name
        assert hashes, name


def test_wheels_are_made_of_locked_requirements_alone() -> None:
    """Each `pip install` of the workflow uses a lock and requires digests."""
    names = {path.name for path in LOCKS}
    assert names == {"requirements.lock", "wheels.lock", "wheel-tests.lock"}
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    installs = re.findall(r"pip install (.*)", workflow)
    assert len(installs) >= len(names)
    for arguments in installs:
        assert re.match(r"--require-hashes -r \S*.*build/(\S+\.lock)", arguments), arguments
    assert {name for name in names if f"build/{name}" in workflow} == names
    assert "CIBW_TEST_REQUIRES" not in workflow


def test_the_lock_is_what_pyproject_asks_for() -> None:
    from packaging.requirements import Requirement

    entries = locked()
    command = [sys.executable, str(ROOT / "build" / "requirements.py"), "dist"]
    wanted = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    for line in filter(None, wanted):
        requirement = Requirement(line)
        assert requirement.name in entries, f"{requirement} is not locked: see build/requirements.lock"
        version = entries[requirement.name][0]
        assert requirement.specifier.contains(version), f"{requirement} is locked to {version}"
