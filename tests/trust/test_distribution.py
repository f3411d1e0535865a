"""Distributions: the files of the wheel, a reproducible sdist, and locked requirements for CI."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

import description
import pytest

from tests.programs import ROOT, run

DATE = "1700000000"

of_a_distribution = pytest.mark.skipif(
    "WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="the instrumented build is not a distribution"
)

SOURCES = ROOT / "src" / "whatwg_encoding"
GENERATED = ROOT / "generated"
CYTHON = [path for folder in (SOURCES, GENERATED) for path in folder.rglob("*.pyx")]


def installed(path: Path, suffix: str) -> str:
    """Return where a file of the package or of generated/ is installed, if it gets this suffix."""
    if path.suffix == ".pyx":
        place = f"_native/{path.stem}{suffix}"
    elif path.is_relative_to(SOURCES):
        place = path.relative_to(SOURCES).with_suffix(suffix).as_posix()
    else:
        place = f"_{path.stem}{suffix}"
    return f"whatwg_encoding/{place}"


# What compilers of other packages read: for Cython and for C.
DECLARATIONS = {"__init__.pxd", "include/whatwg_encoding.h"}
METADATA = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "top_level.txt"}
PROGRAMS = ("wenc", "whatwg-encoding")
# The manual page and the completions, where man and the shells look for them.
SHARED = {
    "man/man1/{}.1", "bash-completion/completions/{}", "zsh/site-functions/_{}", "fish/vendor_completions.d/{}.fish",
}  # fmt: skip
LICENSES = {"licenses/LICENSE", "licenses/LICENSE-WHATWG"}
SBOM = "sboms/whatwg-encoding.cdx.json"
# Files that installers add to those of a wheel.
INSTALLED = {"INSTALLER", "REQUESTED", "direct_url.json"}


def installed_files() -> list[str]:
    """Return the files of the installed distribution, by its wheel's RECORD, without those of the installer."""
    files = importlib.metadata.files("whatwg-encoding")
    if files is None or any(".." in file.parts and file.name.endswith(".py") for file in files):
        pytest.skip("whatwg-encoding is not installed from a wheel")
    return [file.as_posix() for file in files if "__pycache__" not in file.parts]


@of_a_distribution
def test_the_wheel_holds_these_files_and_no_others() -> None:
    """The wheel holds what is needed to import it and its licences: no templates, generator, tests, C or data."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    version = importlib.metadata.version("whatwg-encoding")
    package = {
        *(installed(path, suffix) for path in CYTHON),
        *(installed(path, end) for end in (".py", ".pyi") for path in SOURCES.rglob(f"*{end}")),
        *(installed(path, ".py") for path in GENERATED.glob("*.py")),
        *(f"whatwg_encoding/{name}" for name in DECLARATIONS),
        "whatwg_encoding/py.typed",
    }
    info = f"whatwg_encoding-{version}.dist-info"
    files = installed_files()
    beside = {PurePosixPath(file) for file in files if ".." in file}
    assert sorted(path.stem for path in beside if "share" not in path.parts) == ["wenc", "whatwg-encoding"]
    shared = {PurePosixPath(*path.parts[path.parts.index("share") + 1 :]) for path in beside if "share" in path.parts}
    assert {path.as_posix() for path in shared} == {place.format(name) for name in PROGRAMS for place in SHARED}
    inside = {file for file in files if ".." not in file}
    expected = package | {f"{info}/{name}" for name in METADATA | LICENSES | {SBOM}}
    assert inside - {f"{info}/{name}" for name in INSTALLED} == expected


@of_a_distribution
def test_the_wheel_has_a_bill_of_materials() -> None:
    """The package, the data of the standard that is here, and Cython. PEP 770: in *.dist-info/sboms/."""
    (file,) = (file for file in importlib.metadata.files("whatwg-encoding") or [] if file.as_posix().endswith(SBOM))
    bill = json.loads(Path(str(file.locate())).read_text(encoding="utf-8"))
    version = importlib.metadata.version("whatwg-encoding")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    package = bill["metadata"]["component"]
    assert package["purl"] == f"pkg:pypi/whatwg-encoding@{version}"
    digests = {hash["content"] for part in bill["components"] for hash in part.get("hashes", ())}
    pin = tomllib.loads((ROOT / "data" / "snapshot.toml").read_text(encoding="utf-8"))
    assert digests == {file["sha256"] for file in pin["files"].values()}
    assert {part["name"] for part in bill["components"] if part["type"] == "library"} == {"Cython"}
    references = {part["bom-ref"] for part in bill["components"]}
    assert bill["dependencies"] == [{"ref": package["bom-ref"], "dependsOn": bill["dependencies"][0]["dependsOn"]}]
    assert set(bill["dependencies"][0]["dependsOn"]) == references


@of_a_distribution
def test_the_wheel_names_no_path_of_the_machine_that_built_it() -> None:
    for file in importlib.metadata.files("whatwg-encoding") or []:
        if file.suffix in (".so", ".pyd", ".py", ".pyi") and "__pycache__" not in file.parts:
            content = Path(str(file.locate())).read_bytes()
            for path in (str(ROOT), str(Path(tempfile.gettempdir()) / "")):
                assert path.encode() not in content, f"{file} holds {path}"


@of_a_distribution
@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_the_modules_have_no_run_path() -> None:
    """No library search path refers to a folder of the build machine, which might hold other libraries."""
    modules = [file for file in importlib.metadata.files("whatwg-encoding") or [] if file.suffix == ".so"]
    for file in modules:
        dynamic = run("readelf", "--dynamic", "--wide", str(file.locate()), env={**os.environ, "LC_ALL": "C"})
        assert dynamic.lstrip().startswith("Dynamic section")
        assert not re.search(r"\((RUNPATH|RPATH)\)", dynamic), file
    if sys.platform == "linux":
        assert len(modules) == len(CYTHON)


def setup(tree: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run setup.py of a tree, as a build does that no variable of the tests influences."""
    own = {"WHATWG_ENCODING_BUILD", "WHATWG_ENCODING_REPOSITORY"}
    inherited = {name: value for name, value in os.environ.items() if name not in own}
    command = [sys.executable, "setup.py", "--quiet", *words]
    return subprocess.run(
        command, cwd=tree, env=inherited | environment, capture_output=True, text=True, timeout=300, check=False
    )


def make_sdist(source: Path, target: Path) -> Path:
    zone = "UTC" if target.name == "first" else "Asia/Tokyo"
    done = setup(source, "sdist", "--dist-dir", str(target), SOURCE_DATE_EPOCH=DATE, TZ=zone)
    assert done.returncode == 0, done.stderr
    (sdist,) = target.iterdir()
    return sdist


def copy_of_the_tree(target: Path) -> Path:
    """Return a copy of the source tree without build output."""
    target.mkdir()
    for name in ("build", "data", "generated", "src"):
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
    paths = [path for folder in ("generated", "src") for path in (first / folder).rglob("*") if path.is_file()]
    sources = {path.relative_to(first).as_posix() for path in paths}
    others = {
        "setup.py", "pyproject.toml", "build/command_line.py", "build/compiler.py", "build/description.py",
        "build/extensions.py", "build/sbom.py", "data/snapshot.toml", "MANIFEST.in", "LICENSE", "LICENSE-WHATWG",
        "README.md",
    }  # fmt: skip
    assert sources | others <= inside
    assert all(name.split("/")[0] in ("generated", "src", "build") for name in inside - others if "/" in name)


def test_without_a_compiler_the_build_ends_in_one_sentence(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path / "tree")
    done = setup(tree, "build_ext", "--build-lib", str(tmp_path / "library"), CC="/nowhere/cc")
    assert done.returncode == 1
    assert done.stderr.startswith("a C compiler is required, but /nowhere/cc is not installed. ")
    assert done.stderr.count("\n") == 1
    assert not list((tree / "build").rglob("*.c"))  # before any module is translated


REPOSITORY = "https://example.org/owner/name"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def metadata(tree: Path, target: Path, repository: str | None) -> Message:
    environment = {} if repository is None else {"WHATWG_ENCODING_REPOSITORY": repository}
    done = setup(tree, "egg_info", "--egg-base", str(target), **environment)
    assert done.returncode == 0, done.stderr
    (information,) = target.glob("*.egg-info/PKG-INFO")
    return HeaderParser().parsestr(information.read_text(encoding="utf-8"))


def links(description: str) -> list[str]:
    """Return the targets of all links of a Markdown text: inline, by reference, and of HTML."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", description))
    definitions = re.findall(r"^ *\[[^\]]+\]: *(\S+)", prose, re.MULTILINE)
    return [*re.findall(r"\]\(([^)\s]*)", prose), *definitions, *re.findall(r"(?:href|src)=[\"']?([^\"'\s>]*)", prose)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_tree(tmp_path_factory.mktemp("metadata") / "tree")


@pytest.mark.parametrize("repository", [None, REPOSITORY, f"{REPOSITORY}/"])
def test_the_index_shows_the_readme_without_a_relative_link(tree: Path, tmp_path: Path, repository: str | None) -> None:
    shown = metadata(tree, tmp_path, repository)
    description = shown.get_payload()
    readme = (tree / "README.md").read_text(encoding="utf-8")
    relative = [target for target in links(readme) if not target.startswith("https://")]
    assert relative
    assert all(target.startswith("https://") for target in links(description))
    assert FENCE.findall(description) == FENCE.findall(readme)
    assert FENCE.findall(description)[1].startswith("```python\nimport whatwg_encoding as we\n")
    assert shown["Description-Content-Type"] == "text/markdown"
    assert shown["Author"] == "The whatwg-encoding contributors"
    assert set(shown.get_all("Provides-Extra", [])) == {"cli", "detect", "mcp"}
    urls = dict(url.split(", ") for url in shown.get_all("Project-URL", []))
    if repository is None:
        assert links(description) == [target for target in links(readme) if target not in relative]
        assert urls == {}
    else:
        kinds = {target: "raw" if target.endswith(".svg") else "blob" for target in relative}
        assert links(description) == [
            f"{REPOSITORY}/{kinds[target]}/HEAD/{target}" if target in kinds else target for target in links(readme)
        ]
        assert urls == {
            "Source": REPOSITORY,
            "Documentation": f"{REPOSITORY}/blob/HEAD/docs/index.md",
            "Changelog": f"{REPOSITORY}/blob/HEAD/CHANGELOG.md",
            "Issues": f"{REPOSITORY}/issues",
        }
    for path in {*relative, "docs/index.md", "CHANGELOG.md"}:
        assert (ROOT / path.partition("#")[0]).exists()


def test_a_wheel_from_an_sdist_has_the_sdists_urls(tree: Path, tmp_path: Path) -> None:
    """The sdist's PKG-INFO holds the address, and needs no environment variable."""
    first = metadata(tree, tmp_path, REPOSITORY)
    unpacked = shutil.copytree(tree, tmp_path / "unpacked")
    (information,) = tmp_path.glob("*.egg-info/PKG-INFO")
    shutil.copyfile(information, unpacked / "PKG-INFO")
    (tmp_path / "second").mkdir()
    second = metadata(unpacked, tmp_path / "second", None)
    assert first.items() == second.items()
    assert first.get_payload() == second.get_payload()


@pytest.mark.parametrize("repository", ["owner/name", "http://example.org/owner/name", "https://example.org"])
def test_an_address_that_is_none_is_refused(tree: Path, repository: str) -> None:
    done = setup(tree, "--version", WHATWG_ENCODING_REPOSITORY=repository)
    assert done.returncode == 1
    assert f"WHATWG_ENCODING_REPOSITORY must be like https://host/owner/name, not {repository!r}" in done.stderr


@pytest.mark.parametrize(
    ("markdown", "absolute", "plain"),
    [
        ("[a](b.md#c)", "[a](R/blob/HEAD/b.md#c)", "a"),
        ("[a](./b/)", "[a](R/blob/HEAD/b/)", "a"),
        ("[`a`](#b)", "[`a`](R#b)", "`a`"),
        ("![a](b.png)", "![a](R/raw/HEAD/b.png)", "a"),
        ("[a](https://b) [c](mailto:d)", "[a](https://b) [c](mailto:d)", "[a](https://b) [c](mailto:d)"),
        ("`[a](b)` ``[a](b)` ``", "`[a](b)` ``[a](b)` ``", "`[a](b)` ``[a](b)` ``"),
        ("```\n[a](b)\n```\n[a](b)", "```\n[a](b)\n```\n[a](R/blob/HEAD/b)", "```\n[a](b)\n```\na"),
    ],
)
def test_relative_links(markdown: str, absolute: str, plain: str) -> None:
    assert description.long_description(markdown, REPOSITORY) == absolute.replace("R", REPOSITORY)
    assert description.long_description(markdown, None) == plain


def test_groups_have_what_the_build_and_the_extras_require() -> None:
    """pip installs a group, but neither of the two without the package."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = {"build": content["build-system"]["requires"], **content["project"]["optional-dependencies"]}
    assert {name: content["dependency-groups"][name] for name in required} == required
