"""Say what a release of this commit lacks, and what a person has to do: ``make release-check``.

It exits with 1 if the release lacks anything. It checks the version, its date in the changelog, its tag, and what
README says; licences in the sdist and the wheel that `make dist` has built, and a bill of materials in the wheel, which
.ci/run tests. With ``--files FOLDER`` it checks an sdist and the wheels of all platforms instead, as the workflow has
built and tested them.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import description
import sbom

ROOT = Path(__file__).resolve().parent.parent
LICENCES = ("LICENSE", "LICENSE-WHATWG")
#: The wheels of a release: CPython's releases, free-threaded ones too, and the ends of platforms' names.
RELEASES = ("cp311", "cp312", "cp313", "cp314", "cp314t", "cp315", "cp315t")
PLATFORMS = (
    "manylinux*_x86_64", "manylinux*_aarch64", "manylinux*_i686", "musllinux*_x86_64", "musllinux*_aarch64",
    "macosx*_arm64", "macosx*_x86_64", "win_amd64", "win_arm64", "win32",
)  # fmt: skip
#: What a person does, in order. The first time is set up in the settings of the index and of the forge.
STEPS = """
Once, before the first release:
  a. on the package index, add a trusted publisher: this repository, workflow wheels.yml, environment pypi
  b. the same on the test index, environment testpypi, whose variable TEST_INDEX is the address for uploads
  c. in the repository's settings, publish its pages from the branch gh-pages

For each release:
  1. set __version__ in src/whatwg_encoding/__init__.py to {version}, and date its section in CHANGELOG.md
  2. in README.md, replace what says that there is no release, and pip install . by pip install whatwg-encoding
  3. git commit -am "release: {version}"
  4. make release-check                       until only the tag is lacking; then git push
  5. gh workflow run wheels.yml               the rehearsal: all wheels, checked, to the test index
  6. git tag --sign v{version} && git push origin v{version}
     which builds and publishes the files with attestations, and makes a release with the changelog's notes
  7. pip download --no-deps whatwg-encoding=={version} && gh attestation verify *.whl --repo OWNER/NAME
"""


def git(*arguments: str) -> str:
    """Return what Git prints."""
    return subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).strip()


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
    readme = (ROOT / "README.md").read_text("utf-8")
    if said := [words for words in ("There is no release yet", "without a release") if words in readme]:
        yield f"README.md says {' and '.join(map(repr, said))}, and not how to install one"
    if git("status", "--porcelain"):
        yield "the working tree has changes: commit them"
    if f"v{version}" not in git("tag", "--points-at", "HEAD").split():
        yield f"this commit has no tag: git tag --sign v{version}"


def of_an_archive(names: list[str], archive: Path) -> Iterator[str]:
    """Yield which licence an archive lacks."""
    for licence in LICENCES:
        if not any(name.endswith(f"/{licence}") for name in names):
            yield f"{archive.name} has no {licence}"


def of_the_files(version: str, folder: Path) -> Iterator[str]:
    """Yield what the sdist and each wheel in a folder lack."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".gz", ".whl")):
        if path.suffix == ".gz":
            with tarfile.open(path) as archive:
                yield from of_an_archive(archive.getnames(), path)
        else:
            yield from of_a_wheel(version, path)
        if f"-{version}" not in path.name:
            yield f"{path.name} is not of {version}"


def of_all_platforms(folder: Path) -> Iterator[str]:
    """Yield which files of a release a folder lacks."""
    wheels, sdists = ([path.name for path in folder.rglob(f"*{end}")] for end in (".whl", ".tar.gz"))
    if len(sdists) != 1:
        yield f"{folder} has {len(sdists)} sdists"
    for release in RELEASES:
        for platform in PLATFORMS:
            if not fnmatch.filter(wheels, f"*-{release.rstrip('t')}-{release}-*{platform}.whl"):
                yield f"there is no wheel for {release} on {platform}"


def of_a_wheel(version: str, wheel: Path) -> Iterator[str]:
    """Yield which licence or bill of materials a wheel lacks."""
    with zipfile.ZipFile(wheel) as zipped:
        yield from of_an_archive(zipped.namelist(), wheel)
        bills = [name for name in zipped.namelist() if name.endswith(f"/sboms/{sbom.FILE}")]
        if [json.loads(zipped.read(bill))["metadata"]["component"]["version"] for bill in bills] != [version]:
            yield f"{wheel.name} has no bill of materials of {version}"


def main(arguments: list[str] | None = None) -> int:
    """Print what the release lacks, and what a person has to do; return the exit status."""
    parser = argparse.ArgumentParser(prog="python build/release.py", description=__doc__)
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="check the files of all platforms in this folder")
    files: Path | None = parser.parse_args(arguments).files
    version = description.version()
    lacks = 0
    other = of_all_platforms(files) if files else of_the_commit(version)
    for lack in chain(other, of_the_files(version, files or ROOT / "dist")):
        lacks += 1
        print(f"{lacks}. {lack}", flush=True)
    print(f"{version}: {lacks} lacking" if lacks else f"{version}: nothing is lacking")
    if not files:
        print(STEPS.format(version=re.sub(r"[^\d.].*", "", version)))
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
